// SPDX-License-Identifier: Apache-2.0
#include "server/peer.h"

#include <criterion/criterion.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

Test(peer, peers_are_found_by_name_and_end_with_their_last_reference) {
  peer_table table = {0};
  peer *a = peer_get(&table, "uid:1"), *b = peer_get(&table, "uid:2"),
       *c = peer_get(&table, "uid:3");
  cr_assert(a && b && c && a != b && table.count == 3);
  cr_assert(peer_get(&table, "uid:2") == b && b->references == 2);
  peer_release(&table, b);
  cr_assert_eq(table.count, 3u);
  peer_release(&table, b);
  cr_assert(table.count == 2 && table.first == c && c->after == a && a->before == c);
  peer_release(&table, c);
  peer_release(&table, a);
  peer_release(&table, NULL);
  cr_assert(!table.first && !table.count);
}

Test(peer, users_and_addresses_have_names) {
  char name[PEER_NAME_SIZE], expected[PEER_NAME_SIZE];
  int pair[2];
  cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
  snprintf(expected, sizeof expected, "uid:%lu", (unsigned long)getuid());
  cr_assert_eq(peer_name_of(pair[0], name).pid, (long)getpid());
  cr_assert_str_eq(name, expected);
  close(pair[0]);
  close(pair[1]);
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof at;
  int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
  cr_assert(bind(server, (struct sockaddr *)&at, sizeof at) == 0 && listen(server, 1) == 0);
  cr_assert_eq(getsockname(server, (struct sockaddr *)&at, &size), 0);
  cr_assert_eq(connect(client, (struct sockaddr *)&at, sizeof at), 0);
  int taken = accept(server, NULL, NULL);
  cr_assert_eq(peer_name_of(taken, name).pid, -1L);
  cr_assert_str_eq(name, "addr:127.0.0.1", "whatever the port");
  close(taken);
  close(client);
  close(server);
  peer_name_of(-1, name);
  cr_assert_str_eq(name, "addr:?");
}
