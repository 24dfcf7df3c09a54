// SPDX-License-Identifier: Apache-2.0
#include "clients/c/socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "clients/c/trust.h"

int64_t client_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool client_wait(int fd, short events, int64_t deadline) {
  for (;;) {
    struct pollfd one = {.fd = fd, .events = events};
    int64_t left = deadline < 0 ? -1 : deadline - client_now();
    if (deadline >= 0 && left < 0) left = 0;
    int count = poll(&one, 1, left > 1000000000 ? 1000000000 : (int)left);
    if (count > 0) return true;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    if (deadline >= 0 && client_now() >= deadline) {
      errno = ETIMEDOUT;
      return false;
    }
  }
}

// --- addresses

static bool local_address(const char *path, client_address *address, char *why, size_t size) {
  struct sockaddr_un *local = &address->socket.local;
  size_t length = strlen(path);
  if (!length || length >= sizeof local->sun_path) {
    snprintf(why, size, "the path of a socket has 1 to %zu bytes", sizeof local->sun_path - 1);
    return false;
  }
  local->sun_family = AF_UNIX;
  memcpy(local->sun_path, path, length + 1);
  memcpy(address->name, path, length + 1);
  address->length = sizeof *local;
  return true;
}

// Whether the text ends in :DIGITS and is not a path.
static bool looks_like_tcp(const char *text) {
  const char *colon = strrchr(text, ':');
  return colon && !strchr(text, '/') && colon[1] && !colon[1 + strspn(colon + 1, "0123456789")];
}

// Numbers only: names would need a resolver, and the daemon listens on loopback.
static bool tcp_address(const char *text, client_address *address, char *why, size_t size) {
  char host[64];
  const char *colon = strrchr(text, ':');
  unsigned long port = strtoul(colon + 1, NULL, 10);
  size_t length = (size_t)(colon - text);
  bool bracket = length > 2 && text[0] == '[' && text[length - 1] == ']';
  if (bracket) length -= 2;
  if (port && port < 65536 && length < sizeof host) {
    memcpy(host, text + bracket, length);
    host[length] = '\0';
    snprintf(address->name, sizeof address->name, "%s", text);
    if (!bracket && inet_pton(AF_INET, host, &address->socket.ip4.sin_addr) == 1) {
      address->socket.ip4.sin_family = AF_INET;
      address->socket.ip4.sin_port = htons((uint16_t)port);
      address->length = sizeof address->socket.ip4;
      return true;
    }
    if (bracket && inet_pton(AF_INET6, host, &address->socket.ip6.sin6_addr) == 1) {
      address->socket.ip6.sin6_family = AF_INET6;
      address->socket.ip6.sin6_port = htons((uint16_t)port);
      address->length = sizeof address->socket.ip6;
      return true;
    }
  }
  snprintf(why, size, "a TCP address is 127.0.0.1:PORT or [::1]:PORT, not '%.60s'", text);
  return false;
}

// tls://HOST:PORT; the host is a name, a number or [a number of IPv6].
static bool tls_address(const char *text, client_address *address, char *why, size_t size) {
  const char *host = text + strlen("tls://"), *colon = strrchr(host, ':');
  size_t length = colon ? (size_t)(colon - host) : 0, digits = colon ? strlen(colon + 1) : 0;
  bool bracket = length > 2 && host[0] == '[' && host[length - 1] == ']';
  unsigned long port = digits && digits < 6 ? strtoul(colon + 1, NULL, 10) : 0;
  if (bracket) {
    host++;
    length -= 2;
  }
  // Neither half of a number of IPv6 nor anything that has a meaning in other addresses.
  bool clean = length && strcspn(host, bracket ? "/@?#[]" : "/@?#[]:") >= length;
  if (!clean || length >= sizeof address->host || !port || port > 65535 ||
      strspn(colon + 1, "0123456789") != digits) {
    snprintf(why, size, "an address of TLS is tls://HOST:PORT, not '%.100s'", text);
    return false;
  }
  memcpy(address->host, host, length);
  snprintf(address->port, sizeof address->port, "%lu", port);
  snprintf(address->name, sizeof address->name, "%s", text);
  address->tls = true;
  return true;
}

bool client_address_of(const char *text, client_address *address, char *why, size_t size) {
  char made[sizeof address->socket.local.sun_path];
  memset(address, 0, sizeof *address);
  const char *given = text ? text : getenv("SHAPED_SOCKET");
  bool found = !given || !*given;
  if (!text) text = !found ? given : client_default_path(made, sizeof made) ? made : "";
  address->found = found && !(*text == 0);
  if (strncmp(text, "tls://", 6) == 0) return tls_address(text, address, why, size);
  return looks_like_tcp(text) ? tcp_address(text, address, why, size)
                              : local_address(text, address, why, size);
}

// --- connecting

static bool finish_connect(int fd, const struct sockaddr *address, socklen_t length,
                           int64_t deadline) {
  // A Unix socket whose backlog is full says EAGAIN at once, and cannot be polled for it: try again a little later.
  while (connect(fd, address, length) != 0) {
    if (errno == EINPROGRESS || errno == EINTR) {
      int error = 0;
      socklen_t size = sizeof error;
      if (!client_wait(fd, POLLOUT, deadline)) return false;
      if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && !error) return true;
      if (error) errno = error;
      return false;
    }
    if (errno != EAGAIN) return false;
    if (deadline >= 0 && client_now() >= deadline) {
      errno = ETIMEDOUT;
      return false;
    }
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
  return true;
}

static int connect_to(const struct sockaddr *address, socklen_t length, int64_t deadline) {
  int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  if (finish_connect(fd, address, length, deadline)) return fd;
  int error = errno;
  close(fd);
  errno = error;
  return -1;
}

// Tries what the name denotes, one after the other.
static int connect_by_name(const client_address *address, int64_t deadline, char *why,
                           size_t size) {
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV}, *list = NULL;
  int error = getaddrinfo(address->host, address->port, &hints, &list), fd = -1, one = 1;
  if (error) {
    snprintf(why, size, "%s", error == EAI_SYSTEM ? strerror(errno) : gai_strerror(error));
    return -1;
  }
  for (const struct addrinfo *a = list; a && fd < 0; a = a->ai_next) {
    fd = connect_to(a->ai_addr, a->ai_addrlen, deadline);
    if (fd < 0) snprintf(why, size, "%s", strerror(errno));
  }
  freeaddrinfo(list);
  // Requests are small and wait for their replies: they are not to wait for more to send.
  if (fd >= 0) setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return fd;
}

int client_connect(const client_address *address, int64_t deadline, char *why, size_t size) {
  if (address->tls) return connect_by_name(address, deadline, why, size);
  bool trusted = !address->found || client_trusts_folder(address->name, why, size);
  int fd = trusted ? connect_to(&address->socket.any, address->length, deadline) : -1;
  if (trusted && fd < 0) snprintf(why, size, "%s", strerror(errno));
  if (fd >= 0 && address->found && !client_trusts_daemon(address->name, fd, why, size)) {
    trusted = false;
    close(fd);
    fd = -1;
  }
  if (!trusted) errno = EPROTO;
  return fd;
}
