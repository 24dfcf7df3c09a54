// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE 1  // struct ucred

#include "server/peer.h"

#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

peer *peer_get(peer_table *table, const char *name) {
  for (peer *p = table->first; p; p = p->after) {
    if (strcmp(p->name, name) != 0) continue;
    p->references++;
    return p;
  }
  assert(strlen(name) < PEER_NAME_SIZE);
  peer *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  snprintf(p->name, sizeof p->name, "%s", name);
  p->references = 1;
  p->after = table->first;
  if (p->after) p->after->before = p;
  table->first = p;
  table->count++;
  return p;
}

void peer_release(peer_table *table, peer *p) {
  assert(!p || p->references > 0);
  if (!p || --p->references) return;
  for (unsigned i = 0; i < QUOTA_COUNT; i++) assert(!p->use.used[i]);
  assert(!p->share.queued && !p->share.running && !p->held_first);
  assert(table->count > 0);
  *(p->before ? &p->before->after : &table->first) = p->after;
  if (p->after) p->after->before = p->before;
  table->count--;
  free(p);
}

static void name_address(const struct sockaddr_storage *address, char name[PEER_NAME_SIZE]) {
  char text[INET6_ADDRSTRLEN] = "?";
  const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
  if (address->ss_family == AF_INET) {
    inet_ntop(AF_INET, &((const struct sockaddr_in *)address)->sin_addr, text, sizeof text);
    snprintf(name, PEER_NAME_SIZE, "addr:%s", text);
  } else if (IN6_IS_ADDR_V4MAPPED(&six->sin6_addr)) {
    inet_ntop(AF_INET, six->sin6_addr.s6_addr + 12, text, sizeof text);
    snprintf(name, PEER_NAME_SIZE, "addr:%s", text);
  } else {
    struct in6_addr network = six->sin6_addr;
    memset(network.s6_addr + 8, 0, 8);
    inet_ntop(AF_INET6, &network, text, sizeof text);
    snprintf(name, PEER_NAME_SIZE, "addr:%s/64", text);
  }
}

peer_process peer_name_of(int fd, char name[PEER_NAME_SIZE]) {
  struct sockaddr_storage address;
  struct ucred user;
  socklen_t size = sizeof address, user_size = sizeof user;
  snprintf(name, PEER_NAME_SIZE, "addr:?");
  if (getpeername(fd, (struct sockaddr *)&address, &size)) return (peer_process){-1, -1};
  if (address.ss_family == AF_INET || address.ss_family == AF_INET6) {
    name_address(&address, name);
  } else if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &user, &user_size) == 0) {
    snprintf(name, PEER_NAME_SIZE, "uid:%lu", (unsigned long)user.uid);
    return (peer_process){(long)user.uid, (long)user.pid};
  }
  return (peer_process){-1, -1};
}
