// SPDX-License-Identifier: Apache-2.0
// logfmt lines on stderr: `ts=... level=info event=request key=value ...`. Names and contents of programs are never
// logged. Values that are not plain words are quoted.
#ifndef SERVER_LOG_H
#define SERVER_LOG_H

#include <stdbool.h>
#include <stddef.h>

typedef enum log_level { LOG_IS_ERROR, LOG_IS_WARNING, LOG_IS_INFO, LOG_IS_DEBUG } log_level;

typedef struct server_log {
  log_level level;
  bool priorities;  // "<6>" in front, as journald reads it
  bool json;        // an object per line, of the same keys
} server_log;

bool log_level_from(const char *name, log_level *out);
bool log_format_from(const char *name, bool *json);  // "logfmt", "json"
// `format` is the rest of the line, "key=%s ..."; strings in it that come from outside go through log_quote first.
void log_line(const server_log *log, log_level level, const char *event, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// The text as a value: quoted, cut to fit. Returns `to`.
const char *log_quote(char *to, size_t size, const char *text, size_t length);

#endif
