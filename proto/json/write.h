// SPDX-License-Identifier: Apache-2.0
// A streaming JSON writer: bytes go out in the order of the calls, so the same calls give the same bytes.
// Misuse (an end without its begin, two keys in a row) is a bug of the caller and not checked for.
#ifndef SHAPE_PROTO_JSON_WRITE_H
#define SHAPE_PROTO_JSON_WRITE_H

#include "solver/num/num.h"

typedef struct json_writer {
  shape_strbuf *out;
  bool pretty;       // two spaces a level; else nothing between tokens but ", " and ": "
  bool big_as_text;  // integers beyond 2^53 as decimal strings (the socket), else as numbers
  bool inside;       // something stands before the next item of the open container
  bool after_key;
  uint32_t depth;
} json_writer;

void json_writer_init(json_writer *w, shape_strbuf *out);

void json_begin_object(json_writer *w);
void json_end_object(json_writer *w);
void json_begin_array(json_writer *w);
void json_end_array(json_writer *w);
void json_key_plain(json_writer *w, const char *key, size_t length);  // ASCII without quotes
static inline void json_key(json_writer *w, const char *key) {        // a literal, most often
  json_key_plain(w, key, strlen(key));
}
void json_key_text(json_writer *w, const char *key, size_t length);
// Bytes that are not UTF-8 become U+FFFD: a source may hold any byte, an answer may not.
void json_text(json_writer *w, const char *text, size_t length);
void json_string(json_writer *w, const char *text);  // NULL writes null
void json_int(json_writer *w, int64_t value);
void json_num(json_writer *w, num value);
void json_bool(json_writer *w, bool value);
void json_null(json_writer *w);
void json_raw(json_writer *w, const char *json, size_t length);  // a value that is JSON already

#endif
