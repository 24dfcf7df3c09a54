// SPDX-License-Identifier: Apache-2.0
#include "server/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const NAMES[] = {"error", "warning", "info", "debug"};
static const int PRIORITIES[] = {3, 4, 6, 7};

bool log_level_from(const char *name, log_level *out) {
  for (int i = 0; i < 4; i++) {
    if (strcmp(name, NAMES[i]) != 0) continue;
    *out = (log_level)i;
    return true;
  }
  return false;
}

void log_line(const server_log *log, log_level level, const char *event, const char *format, ...) {
  if (level > log->level) return;
  char line[1024];
  struct timespec now;
  struct tm parts;
  clock_gettime(CLOCK_REALTIME, &now);
  gmtime_r(&now.tv_sec, &parts);
  size_t used = 0;
  if (log->priorities) used += (size_t)snprintf(line, sizeof line, "<%d>", PRIORITIES[level]);
  used += strftime(line + used, sizeof line - used, "ts=%Y-%m-%dT%H:%M:%S", &parts);
  used += (size_t)snprintf(line + used, sizeof line - used, ".%03ldZ level=%s event=%s ",
                           now.tv_nsec / 1000000, NAMES[level], event);
  va_list args;
  va_start(args, format);
  int more = vsnprintf(line + used, sizeof line - used, format, args);
  va_end(args);
  if (more > 0) used += (size_t)more;
  if (used > sizeof line - 2) used = sizeof line - 2;
  line[used++] = '\n';
  // One write, so that lines of several threads or processes do not mix. What cannot be logged is lost.
  ssize_t written = write(STDERR_FILENO, line, used);
  (void)written;
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
