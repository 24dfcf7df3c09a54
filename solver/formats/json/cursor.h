// SPDX-License-Identifier: Apache-2.0
// A position in a JSON text that moves forward over values: no tree is built, so reading a graph costs little more than
// inspecting its bytes.
//
// The text has passed json_validate of solver/formats/json, so it is one valid JSON value. The cursor stays within its bounds on any
// other text too; it then fails, and a failed cursor is at the end of every object and array.
#ifndef SHAPE_FORMATS_JSON_CURSOR_H
#define SHAPE_FORMATS_JSON_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "solver/base/arena.h"
#include "solver/formats/json/quote.h"

typedef struct json_cursor {
  const char *base, *at, *end, *polled;
  shape_arena *arena;  // of strings that had escapes
  bool failed;
} json_cursor;

// Bytes of the text, or of the arena where escapes had to be resolved.
typedef struct json_slice {
  const char *text;
  size_t length;
} json_slice;

void cursor_init(json_cursor *c, shape_arena *arena, const char *text, size_t length);
__attribute__((cold)) bool cursor_fail(json_cursor *c);  // false
char cursor_peek_far(json_cursor *c);  // cursor_peek where white space is next, or the end
// The first byte of the next value (or of what ends the array or object); 0 at the end. Skips white space.
static inline char cursor_peek(json_cursor *c) {
  return c->at < c->end && (unsigned char)*c->at > ' ' ? *c->at : cursor_peek_far(c);
}
// Another one of the same text, which looks ahead. Member by member: a copy of the whole waits for `at`, just written.
static inline json_cursor cursor_at(const json_cursor *c, const char *at) {
  json_cursor other;
  other.base = c->base;
  other.at = at;
  other.end = c->end;
  other.polled = at;
  other.arena = c->arena;
  other.failed = c->failed;
  return other;
}
static inline uint32_t cursor_offset(const json_cursor *c) { return (uint32_t)(c->at - c->base); }

// Consumes `open`; false when the next byte is another.
static inline bool cursor_enter(json_cursor *c, char open) {
  if (cursor_peek(c) != open) return false;
  c->at++;
  return true;
}
// Steps over the comma between members, or over `close`. True when there is a member, and the cursor is at it.
static inline bool cursor_next(json_cursor *c, bool first, char close) {
  char b = cursor_peek(c);
  if (b == close) {
    c->at++;
    return false;
  }
  if (!first) {
    if (b != ',') return cursor_fail(c);
    c->at++;
  }
  return cursor_peek(c) ? true : cursor_fail(c);
}
// Inside an array: true with the cursor at the next item; false after the closing bracket.
static inline bool cursor_next_item(json_cursor *c, bool first) {
  return cursor_next(c, first, ']');
}

bool cursor_string_far(json_cursor *c,
                       json_slice *out);  // cursor_string of long ones, and those with escapes
// False when the next value is no string.
static inline bool cursor_string(json_cursor *c, json_slice *out) {
  if (cursor_peek(c) != '"') return false;
  const char *from = c->at + 1, *stop = quote_near(from, c->end);
  if (!stop || *stop != '"') return cursor_string_far(c, out);
  *out = (json_slice){from, (size_t)(stop - from)};
  c->at = stop + 1;
  return true;
}
// Inside an object: true with the next key, the cursor at its value; false after the closing brace. `first` is true
// on the first call.
static inline bool cursor_next_key(json_cursor *c, bool first, json_slice *key) {
  if (!cursor_next(c, first, '}')) return false;
  if (!cursor_string(c, key) || cursor_peek(c) != ':') return cursor_fail(c);
  c->at++;
  return cursor_peek(c) ? true : cursor_fail(c);
}

bool cursor_number(json_cursor *c, json_slice *out);  // its text
// An integer of at most 18 digits, as nearly all numbers of a program are. Any other is left where it is.
static inline bool cursor_short_int(json_cursor *c, int64_t *out) {
  enum { DIGITS_MAX = 18 };
  if (!cursor_peek(c)) return false;
  const char *at = c->at, *end = c->end;
  bool negative = *at == '-';
  const char *from = at += negative;
  int64_t value = 0;
  while (at < end && *at >= '0' && *at <= '9' && at - from < DIGITS_MAX)
    value = value * 10 + (*at++ - '0');
  if (at == from || at == end || !(*at == ',' || *at == ']' || *at == '}')) return false;
  c->at = at;
  *out = negative ? -value : value;
  return true;
}
// true, false or null. Callers give a literal, whose length the compiler knows.
static inline bool cursor_word(json_cursor *c, const char *word) {
  if (cursor_peek(c) != *word) return false;
  size_t length = strlen(word);
  if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0) return false;
  c->at += length;
  return true;
}
void cursor_skip(json_cursor *c);         // any value; never recurses
const char *cursor_kind(json_cursor *c);  // of the next value, for messages: "an object"

static inline bool slice_is(json_slice s, const char *word) {
  size_t i = 0;
  while (i < s.length && word[i] == s.text[i] && word[i]) i++;
  return i == s.length && !word[i];
}

// Integers of any length: true when it is one; *fits says whether it is in *out. Beyond int64 up to 2^64 it wraps where
// `wrap` is set (ui64).
bool slice_int(json_slice s, bool wrap, int64_t *out, bool *fits);

#endif
