// SPDX-License-Identifier: Apache-2.0
// A streaming JSON writer: bytes go out in the order of the calls, so the same calls give the same bytes.
// Misuse (an end without its begin, two keys in a row) is a bug of the caller; asserts find some of it.
#ifndef SHAPE_FORMATS_JSON_WRITE_H
#define SHAPE_FORMATS_JSON_WRITE_H

#include "solver/num/num.h"

typedef struct json_writer {
  shape_strbuf *out;
  bool pretty;       // two spaces a level; else nothing between tokens but ", " and ": "
  bool big_as_text;  // integers beyond 2^53 as decimal strings (the socket), else as numbers
  uint8_t gap;  // JSON_GAP: ", " is before the next token; 0: it is the first one, or after a key
  bool after_key;  // pretty: the next token is on the line of its key
  uint32_t depth;
} json_writer;

void json_writer_init(json_writer *w, shape_strbuf *out);

// For a value that the caller puts together of texts that are JSON already: room for `bytes` of it after what separates
// it from the last token, and then its end.
enum { JSON_GAP = 2 };  // bytes of ", "
void json_before_pretty(json_writer *w);
static inline char *json_open(json_writer *w, size_t bytes) {
  shape_strbuf *out = w->out;
  if (w->pretty) json_before_pretty(w);
  if (bytes + JSON_GAP > out->capacity - out->length) strbuf_reserve(out, bytes + JSON_GAP);
  char *at = out->data + out->length;
  memcpy(at, ", ", JSON_GAP);
  at += w->gap;
  w->gap = JSON_GAP;
  return at;
}
static inline void json_close(json_writer *w, const char *end) {
  w->out->length = (uint32_t)(end - w->out->data);
}

// For several such values in a row, which the caller separates: the end of what is written, and room for `bytes` there.
static inline char *json_end_of(const json_writer *w) { return w->out->data + w->out->length; }
static inline char *json_room(json_writer *w, char *at, size_t bytes) {
  shape_strbuf *out = w->out;
  if (bytes <= (size_t)(out->data + out->capacity - at)) return at;
  json_close(w, at);
  strbuf_reserve(out, bytes);
  return json_end_of(w);
}

// Whether readers that have doubles alone read the number as it is; json_int writes the others as text on request.
static inline bool json_is_exact(int64_t value) {
  return value <= (int64_t)1 << 53 && value >= -((int64_t)1 << 53);
}

// A literal, and at `at`, where there is room for it and two quotes, a text of which no byte needs an escape; the end of it,
// or NULL.
#define json_put_literal(at, literal) text_put((at), "" literal, sizeof(literal) - 1)
char *json_put_plain(char *at, const char *text, size_t length);

void json_begin_object(json_writer *w);
void json_end_object(json_writer *w);
void json_begin_array(json_writer *w);
void json_end_array(json_writer *w);
// A key that is a literal of ASCII without quotes; anything else does not compile, and is written by json_key_text. Its
// text is one piece, whose length the compiler knows.
#define json_key(w, key) json_key_literal((w), "\"" key "\": ", sizeof("\"" key "\": ") - 1)
static inline void json_key_literal(json_writer *w, const char *key, size_t length) {
  char *at = json_open(w, length);
  memcpy(at, key, length);
  json_close(w, at + length);
  w->gap = 0;
  w->after_key = true;
}
void json_key_text(json_writer *w, const char *key, size_t length);  // any bytes
static inline void json_key_string(json_writer *w, const char *key) {
  json_key_text(w, key, strlen(key));
}
// Bytes that are not UTF-8 become U+FFFD and their two hex digits: a source may hold any byte, an answer may not, and names
// that differ stay different.
void json_text(json_writer *w, const char *text, size_t length);
void json_string(json_writer *w, const char *text);  // NULL writes null
void json_int(json_writer *w, int64_t value);
void json_num(json_writer *w, num value);
void json_num_or_null(json_writer *w, bool has, num value);
void json_bool(json_writer *w, bool value);
void json_null(json_writer *w);
void json_raw(json_writer *w, const char *json, size_t length);  // a value that is JSON already

// An entry of an object: its key, a literal as that of json_key, and its value.
#define json_put_string(w, key, text) (json_key((w), key), json_string((w), (text)))
#define json_put_int(w, key, value)   (json_key((w), key), json_int((w), (value)))
#define json_put_num(w, key, value)   (json_key((w), key), json_num((w), (value)))
#define json_put_bool(w, key, value)  (json_key((w), key), json_bool((w), (value)))
// Its key, and the beginning of an array or an object.
#define json_key_array(w, key)  (json_key((w), key), json_begin_array(w))
#define json_key_object(w, key) (json_key((w), key), json_begin_object(w))

#endif
