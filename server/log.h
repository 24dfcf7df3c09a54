// SPDX-License-Identifier: Apache-2.0
// logfmt lines on stderr: `ts=... level=info event=request key=value ...`. Names and contents of programs are never
// logged. Values that are not plain words are quoted.
//
// A line is written at once or not at all: a reader that does not read (a full pipe, a stopped terminal) must not stop the
// daemon. What could not be written is counted, and the log says how much that was as soon as it can.
#ifndef SERVER_LOG_H
#define SERVER_LOG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum log_level { LOG_IS_ERROR, LOG_IS_WARNING, LOG_IS_INFO, LOG_IS_DEBUG } log_level;

typedef struct server_log {
  log_level level;
  bool priorities;  // "<6>" in front, as journald reads it
  bool json;        // an object per line, of the same keys
  int fd;           // see log_open
  enum { LOG_FD_POLLED, LOG_FD_NONBLOCKING, LOG_FD_SOCKET, LOG_FD_FILE } kind;
  atomic_uint_least64_t dropped, reported;  // lines that were lost; those that the log mentions
} server_log;

// Lines go to stderr, in the way that never waits. Other programs may have stderr as well, so its own flags stay.
void log_open(server_log *log);

bool log_level_from(const char *name, log_level *out);
bool log_format_from(const char *name, bool *json);  // "logfmt", "json"
// `format` is the rest of the line, "key=%s ..."; strings in it that come from outside go through log_quote first.
void log_line(server_log *log, log_level level, const char *event, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// The text as a value: quoted, cut to fit. Returns `to`.
const char *log_quote(char *to, size_t size, const char *text, size_t length);

#endif
