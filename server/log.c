// SPDX-License-Identifier: Apache-2.0
#include "server/log.h"

#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *const NAMES[] = {"error", "warning", "info", "debug"};
static const int PRIORITIES[] = {3, 4, 6, 7};
enum { LINE_MAX_BYTES = 1024 };

bool log_level_from(const char *name, log_level *out) {
  for (int i = 0; i < 4; i++) {
    if (strcmp(name, NAMES[i]) != 0) continue;
    *out = (log_level)i;
    return true;
  }
  return false;
}

bool log_format_from(const char *name, bool *json) {
  *json = strcmp(name, "json") == 0;
  return *json || strcmp(name, "logfmt") == 0;
}

// --- lines of key=value as objects; values are plain words, or quoted by log_quote

typedef struct json_line {
  char text[2 * LINE_MAX_BYTES];
  size_t used;
} json_line;

static void put(json_line *line, char c) {
  if (line->used < sizeof line->text - 3) line->text[line->used++] = c;
}

static void put_text(json_line *line, const char *text) {
  while (*text) put(line, *text++);
}

static bool is_number(const char *word, size_t length) {
  size_t digits = strspn(word, "0123456789");
  if (!digits || (word[0] == '0' && digits > 1)) return false;
  if (digits == length) return true;
  return word[digits] == '.' && length > digits + 1 &&
         digits + 1 + strspn(word + digits + 1, "0123456789") == length;
}

// Returns what follows the value.
static const char *put_value(json_line *line, const char *at) {
  size_t length = strcspn(at, " ");
  if (*at == '"') {
    put(line, *at++);
    for (; *at && *at != '"'; at++) {
      if (at[0] == '\\' && at[1] == 'x') {
        put_text(line, "\\u00");
        at++;
      } else {
        put(line, *at);
        if (at[0] == '\\' && at[1]) put(line, *++at);
      }
    }
    put(line, '"');
    return *at ? at + 1 : at;
  }
  bool number = is_number(at, length), none = length == 1 && *at == '-';
  if (none) put_text(line, "null");
  if (!number && !none) put(line, '"');
  for (size_t i = 0; i < length && !none; i++) put(line, at[i]);
  if (!number && !none) put(line, '"');
  return at + length;
}

static void put_object(json_line *line, const char *at) {
  put(line, '{');
  while (*(at += strspn(at, " "))) {
    size_t key = strcspn(at, "=");
    if (!at[key]) break;
    if (line->text[line->used - 1] != '{') put_text(line, ", ");
    put(line, '"');
    for (size_t i = 0; i < key; i++) put(line, at[i]);
    put_text(line, "\": ");
    at = put_value(line, at + key + 1);
  }
  line->text[line->used++] = '}';  // put leaves room
  line->text[line->used] = 0;
}

// --- writing

void log_open(server_log *log) {
  struct stat info;
  log->fd = STDERR_FILENO;
  log->kind = LOG_FD_POLLED;
  if (fstat(STDERR_FILENO, &info)) return;
  if (S_ISREG(info.st_mode)) log->kind = LOG_FD_FILE;
  if (S_ISSOCK(info.st_mode)) log->kind = LOG_FD_SOCKET;
  if (!S_ISFIFO(info.st_mode) && !S_ISCHR(info.st_mode)) return;
  int fd = open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd < 0) return;
  log->fd = fd;
  log->kind = LOG_FD_NONBLOCKING;
}

// One write, so that lines of several threads or processes do not mix.
static bool write_once(const server_log *log, const char *line, size_t length) {
  ssize_t n;
  if (log->kind == LOG_FD_SOCKET) {
    n = send(log->fd, line, length, MSG_DONTWAIT | MSG_NOSIGNAL);
  } else {
    struct pollfd ready = {.fd = log->fd, .events = POLLOUT};
    bool ask = log->kind == LOG_FD_POLLED;  // a pipe that is ready has room for a line
    n = ask && poll(&ready, 1, 0) != 1 ? -1 : write(log->fd, line, length);
  }
  return n == (ssize_t)length;
}

static bool write_line(server_log *log, log_level level, const char *text, size_t length) {
  char line[2 * LINE_MAX_BYTES + 8];
  size_t used = 0;
  if (log->priorities) used = (size_t)snprintf(line, sizeof line, "<%d>", PRIORITIES[level]);
  memcpy(line + used, text, length);
  used += length;
  line[used++] = '\n';
  return write_once(log, line, used);
}

static size_t write_head(char *line, size_t size, log_level level, const char *event) {
  struct timespec now;
  struct tm parts;
  clock_gettime(CLOCK_REALTIME, &now);
  gmtime_r(&now.tv_sec, &parts);
  size_t used = strftime(line, size, "ts=%Y-%m-%dT%H:%M:%S", &parts);
  return used + (size_t)snprintf(line + used, size - used, ".%03ldZ level=%s event=%s ",
                                 now.tv_nsec / 1000000, NAMES[level], event);
}

static bool write_out(server_log *log, log_level level, const char *line, size_t used) {
  if (!log->json) return write_line(log, level, line, used);
  json_line object = {.used = 0};
  put_object(&object, line);
  return write_line(log, level, object.text, object.used);
}

// Says how many lines were lost, before the next one.
static void tell_dropped(server_log *log) {
  uint64_t dropped = atomic_load(&log->dropped), reported = atomic_load(&log->reported);
  if (dropped == reported || !atomic_compare_exchange_strong(&log->reported, &reported, dropped))
    return;
  char line[LINE_MAX_BYTES];
  size_t used = write_head(line, sizeof line, LOG_IS_WARNING, "log-dropped");
  used += (size_t)snprintf(line + used, sizeof line - used, "lines=%llu",
                           (unsigned long long)(dropped - reported));
  if (!write_out(log, LOG_IS_WARNING, line, used))
    atomic_fetch_sub(&log->reported, dropped - reported);
}

void log_line(server_log *log, log_level level, const char *event, const char *format, ...) {
  if (level > log->level) return;
  char line[LINE_MAX_BYTES];
  size_t used = write_head(line, sizeof line, level, event);
  va_list args;
  va_start(args, format);
  int more = vsnprintf(line + used, sizeof line - used, format, args);
  va_end(args);
  if (more > 0) used += (size_t)more;
  if (used > sizeof line - 1) used = sizeof line - 1;
  tell_dropped(log);
  if (!write_out(log, level, line, used)) atomic_fetch_add(&log->dropped, 1);
}

const char *log_quote(char *to, size_t size, const char *text, size_t length) {
  static const char HEX[] = "0123456789abcdef";
  size_t used = 0;
  to[used++] = '"';
  for (size_t i = 0; i < length && used + 6 < size; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c == '"' || c == '\\') {
      to[used++] = '\\';
      to[used++] = (char)c;
    } else if (c < 0x20 || c >= 0x7f) {
      to[used++] = '\\';
      to[used++] = 'x';
      to[used++] = HEX[c >> 4];
      to[used++] = HEX[c & 15];
    } else {
      to[used++] = (char)c;
    }
  }
  to[used++] = '"';
  to[used] = 0;
  return to;
}
