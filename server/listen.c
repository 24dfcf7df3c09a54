// SPDX-License-Identifier: Apache-2.0
// Where clients come in: sockets that a service manager hands over, else a Unix socket, and TCP on loopback when asked.
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "server/http.h"

enum { BACKLOG = 512, FIRST_PASSED_FD = 3 };

// Takes the descriptor, which is bound.
static bool start(server *s, listener_role role, const char *name, int fd, bool tcp, char *error,
                  size_t size) {
  if (s->listening.count == LISTENERS_MAX) {
    snprintf(error, size, "%s is one listener too many", name);
    close(fd);
    return false;
  }
  server_listener *l = &s->listening.items[s->listening.count];
  memset(l, 0, sizeof *l);
  l->owner = s;
  l->role = role;
  l->fd = fd;
  l->tcp = tcp;
  snprintf(l->name, sizeof l->name, "%s", name);
  if (role == LISTENS_FOR_TLS && !s->tls) {
    s->tls = tls_context_new(&s->config, error, size);
    if (!s->tls) {
      close(fd);
      return false;
    }
  }
  int status = listen(fd, BACKLOG) ? uv_translate_sys_error(errno) : accept_start(l);
  if (status == 0) {
    s->listening.count++;
    return true;
  }
  snprintf(error, size, "cannot listen on %s: %s", name, uv_strerror(status));
  close(fd);
  return false;
}

static const char *last_error(void) { return uv_strerror(uv_translate_sys_error(errno)); }

// --- Unix sockets

// Whether anybody answers at a socket: 1 yes, 0 no (it is left over from a process that died), -1 cannot be determined.
static int is_alive(const struct sockaddr_un *address) {
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  int alive = 1;
  if (connect(fd, (const struct sockaddr *)address, sizeof *address) != 0) {
    alive = errno == ECONNREFUSED ? 0 : errno == EAGAIN ? 1 : -1;
  }
  int why = errno;
  close(fd);
  errno = why;
  return alive;
}

// Makes the way free for bind: removes a dead socket, and nothing else.
static bool clear_path(const char *path, const struct sockaddr_un *address, char *error,
                       size_t size) {
  struct stat info;
  if (lstat(path, &info) != 0) {
    if (errno == ENOENT) return true;
    snprintf(error, size, "cannot use %s: %s", path, strerror(errno));
    return false;
  }
  if (!S_ISSOCK(info.st_mode)) {
    snprintf(error, size, "%s exists and is not a socket", path);
    return false;
  }
  int alive = is_alive(address);
  if (alive > 0) {
    snprintf(error, size, "%s is already in use: another daemon answers there", path);
    return false;
  }
  if (alive < 0 || (unlink(path) != 0 && errno != ENOENT)) {
    snprintf(error, size, "cannot replace %s: %s", path, strerror(errno));
    return false;
  }
  return true;
}

// The default socket is in a folder that only its user can write to: no other user can put one there.
static bool default_path(char *path, size_t size, char *error, size_t error_size) {
  char folder[CONFIG_TEXT_MAX];
  struct stat info;
  const char *given = getenv("XDG_RUNTIME_DIR");
  bool own = !given || !*given;
  int length = own ? snprintf(folder, sizeof folder, "/tmp/shaped-%ld", (long)geteuid())
                   : snprintf(folder, sizeof folder, "%s", given);
  if ((size_t)length >= sizeof folder ||
      (size_t)snprintf(path, size, "%s/shaped.sock", folder) >= size) {
    snprintf(error, error_size, "the path of the runtime directory is too long");
    return false;
  }
  if (own && mkdir(folder, 0700) != 0 && errno != EEXIST) {
    snprintf(error, error_size, "cannot make %s: %s", folder, last_error());
    return false;
  }
  if (lstat(folder, &info) != 0) return true;  // bind says why
  if (S_ISDIR(info.st_mode) && info.st_uid == geteuid() && !(info.st_mode & (S_IWGRP | S_IWOTH)))
    return true;
  snprintf(error, error_size, "others than this user can write to %s; name a socket by --socket",
           folder);
  return false;
}

static bool listen_unix(server *s, listener_role role, const char *wanted, char *error,
                        size_t size) {
  char path[CONFIG_TEXT_MAX + 32];
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  struct stat info;
  if (*wanted) {
    snprintf(path, sizeof path, "%s", wanted);
  } else if (!default_path(path, sizeof path, error, size)) {
    return false;
  }
  // libuv would cut a longer path short without a word.
  size_t length = strlen(path);
  if (length >= sizeof address.sun_path) {
    snprintf(error, size, "the path of the socket is %zu bytes long, at most %zu are possible: %s",
             length, sizeof address.sun_path - 1, path);
    return false;
  }
  memcpy(address.sun_path, path, length + 1);
  if (!clear_path(path, &address, error, size)) return false;
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  // No client can connect before the permissions are right.
  mode_t before = umask((mode_t)(~s->config.socket_mode & 0777));
  bool bound = fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0;
  umask(before);
  if (!bound) {
    snprintf(error, size, "cannot bind %s: %s", path,
             errno == ENOENT ? "there is no such folder" : last_error());
    if (fd >= 0) close(fd);
    return false;
  }
  chmod(path, (mode_t)s->config.socket_mode);
  bool known = stat(path, &info) == 0;
  if (!start(s, role, path, fd, false, error, size)) {
    unlink(path);
    return false;
  }
  server_listener *l = &s->listening.items[s->listening.count - 1];
  if (known) {
    snprintf(l->unlink, sizeof l->unlink, "%s", path);
    l->device = (uint64_t)info.st_dev;
    l->inode = (uint64_t)info.st_ino;
  }
  return true;
}

// --- TCP

static bool is_loopback(const struct sockaddr_storage *address) {
  if (address->ss_family == AF_INET) {
    return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr) >> 24 == 127;
  }
  static const struct in6_addr LOOPBACK = IN6ADDR_LOOPBACK_INIT;
  return memcmp(&((const struct sockaddr_in6 *)address)->sin6_addr, &LOOPBACK, sizeof LOOPBACK) ==
         0;
}

// HOST:PORT or [HOST]:PORT, numbers or "localhost".
static bool parse_tcp(const char *option, const char *text, struct sockaddr_storage *out,
                      char *error, size_t size) {
  char host[CONFIG_TEXT_MAX];
  const char *colon = strrchr(text, ':');
  char *end;
  memset(out, 0, sizeof *out);
  unsigned long port = colon ? strtoul(colon + 1, &end, 10) : 65536;
  if (!colon || colon[1] < '0' || colon[1] > '9' || *end || port > 65535) {
    snprintf(error, size, "%s: '%s' is not HOST:PORT%s", option, text,
             strcmp(option, "http") == 0 ? " or an absolute path" : "");
    return false;
  }
  size_t length = (size_t)(colon - text);
  bool brackets = length > 1 && text[0] == '[' && text[length - 1] == ']';
  snprintf(host, sizeof host, "%.*s", (int)(brackets ? length - 2 : length), text + brackets);
  if (strcmp(host, "localhost") == 0) snprintf(host, sizeof host, "127.0.0.1");
  if (uv_ip4_addr(host, (int)port, (struct sockaddr_in *)out) &&
      uv_ip6_addr(host, (int)port, (struct sockaddr_in6 *)out)) {
    snprintf(error, size, "%s: '%s' is not an address", option, host);
    return false;
  }
  return true;
}

// An address of the options tcp, tls or http, for a role.
static bool read_address(listener_role role, const char *option, const char *text,
                         struct sockaddr_storage *out, char *error, size_t size) {
  if (!parse_tcp(option, text, out, error, size)) return false;
  if (role == LISTENS_FOR_CLIENTS && !is_loopback(out)) {
    snprintf(error, size, "%s: %s is not a loopback address; use the option tls for others", option,
             text);
    return false;
  }
  return true;
}

bool listen_check(const server_config *config, char *error, size_t size) {
  struct sockaddr_storage address;
  return (!*config->tcp ||
          read_address(LISTENS_FOR_CLIENTS, "tcp", config->tcp, &address, error, size)) &&
         (!*config->tls ||
          read_address(LISTENS_FOR_TLS, "tls", config->tls, &address, error, size)) &&
         (!*config->http || *config->http == '/' ||
          read_address(LISTENS_FOR_HTTP, "http", config->http, &address, error, size));
}

static unsigned port_of(int fd) {
  struct sockaddr_storage bound;
  socklen_t length = sizeof bound;
  if (getsockname(fd, (struct sockaddr *)&bound, &length)) return 0;
  return ntohs(bound.ss_family == AF_INET ? ((struct sockaddr_in *)&bound)->sin_port
                                          : ((struct sockaddr_in6 *)&bound)->sin6_port);
}

static bool listen_tcp(server *s, listener_role role, const char *option, const char *text,
                       char *error, size_t size) {
  struct sockaddr_storage address;
  const int yes = 1;
  if (!read_address(role, option, text, &address, error, size)) return false;
  socklen_t length =
      address.ss_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
  int fd = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  // A daemon that just ended leaves connections that hold the port.
  if (fd >= 0) setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (fd < 0 || bind(fd, (struct sockaddr *)&address, length) != 0) {
    snprintf(error, size, "cannot bind %s: %s", text, last_error());
    if (fd >= 0) close(fd);
    return false;
  }
  if (!start(s, role, text, fd, true, error, size)) return false;
  server_listener *l = &s->listening.items[s->listening.count - 1];
  const char *colon = strrchr(text, ':');
  snprintf(l->name, sizeof l->name, "%.*s:%u", (int)(colon - text), text, port_of(fd));
  return true;
}

// --- sockets that were handed over (sd_listen_fds); they belong to the manager and are not unlinked

static int passed_count(void) {
  const char *pid = getenv("LISTEN_PID"), *count = getenv("LISTEN_FDS");
  if (!pid || !count || strtol(pid, NULL, 10) != (long)getpid()) return 0;
  long n = strtol(count, NULL, 10);
  return n > 0 && n <= LISTENERS_MAX ? (int)n : 0;
}

// FileDescriptorName= of the socket unit says what for: "tls", "http", or anything else for clients.
static listener_role passed_role(int index) {
  const char *names = getenv("LISTEN_FDNAMES");
  for (; names && index; index--) {
    names = strchr(names, ':');
    if (names) names++;
  }
  size_t length = names ? strcspn(names, ":") : 0;
  if (length == 3 && memcmp(names, "tls", 3) == 0) return LISTENS_FOR_TLS;
  return length == 4 && memcmp(names, "http", 4) == 0 ? LISTENS_FOR_HTTP : LISTENS_FOR_CLIENTS;
}

static bool listen_passed(server *s, int index, char *error, size_t size) {
  int fd = FIRST_PASSED_FD + index;
  listener_role role = passed_role(index);
  struct sockaddr_storage address;
  socklen_t length = sizeof address;
  char name[32];
  snprintf(name, sizeof name, "fd:%d", fd);
  if (getsockname(fd, (struct sockaddr *)&address, &length) != 0) {
    snprintf(error, size, "%s was passed and is not a socket", name);
    return false;
  }
  bool tcp = address.ss_family != AF_UNIX;
  if (tcp && role == LISTENS_FOR_CLIENTS && !is_loopback(&address)) {
    snprintf(error, size, "%s was passed, is not on loopback, and is not called tls", name);
    return false;
  }
  int flags = fcntl(fd, F_GETFL);
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0) {
    snprintf(error, size, "cannot use %s: %s", name, last_error());
    return false;
  }
  return start(s, role, name, fd, tcp, error, size);
}

bool listen_all(server *s, char *error, size_t size) {
  int passed = passed_count();
  for (int i = 0; i < passed; i++) {
    if (!listen_passed(s, i, error, size)) return false;
  }
  if (!passed && !listen_unix(s, LISTENS_FOR_CLIENTS, s->config.socket, error, size)) return false;
  if (*s->config.tcp && !listen_tcp(s, LISTENS_FOR_CLIENTS, "tcp", s->config.tcp, error, size)) {
    return false;
  }
  const char *tls = s->config.tls, *http = s->config.http;
  if (*tls && !listen_tcp(s, LISTENS_FOR_TLS, "tls", tls, error, size)) return false;
  if (!*http) return true;
  return *http == '/' ? listen_unix(s, LISTENS_FOR_HTTP, http, error, size)
                      : listen_tcp(s, LISTENS_FOR_HTTP, "http", http, error, size);
}

void listen_stop(server *s, listener_role role) {
  for (unsigned i = 0; i < s->listening.count; i++) {
    server_listener *l = &s->listening.items[i];
    if (l->role != role) continue;
    struct stat info;
    // Only the socket that we made: another daemon may have taken the path since.
    if (*l->unlink && stat(l->unlink, &info) == 0 && (uint64_t)info.st_dev == l->device &&
        (uint64_t)info.st_ino == l->inode) {
      unlink(l->unlink);
    }
    l->unlink[0] = 0;
    accept_stop(l);
  }
}
