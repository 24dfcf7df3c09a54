// SPDX-License-Identifier: Apache-2.0
// JSON that is written from left to right. A failure stays: what is written after it is dropped.
#ifndef SHAPE_CLIENT_WRITER_H
#define SHAPE_CLIENT_WRITER_H

#include "clients/c/shape_client.h"

typedef struct params_writer {
  char *data;
  size_t length, size;
  bool comma;                  // before the next item
  shape_client_status status;  // OK, MEMORY, or what a caller found INVALID
} params_writer;

void params_begin(params_writer *w, char bracket);  // '{' or '['
void params_end(params_writer *w, char bracket);    // '}' or ']'
void params_key(params_writer *w, const char *key);
void params_text(params_writer *w, const char *text);  // NULL: null
void params_string(params_writer *w, const char *text, size_t length);
void params_int(params_writer *w, int64_t n);
void params_double(params_writer *w, double x);
void params_bool(params_writer *w, bool b);
void params_null(params_writer *w);
// JSON that is there already: items of the container that is open, with their commas.
void params_items(params_writer *w, const char *text, size_t length);
void params_free(params_writer *w);
// What was written; valid until more is.
shape_json params_of(const params_writer *w);

#endif
