// SPDX-License-Identifier: Apache-2.0
// A pull scanner for one line of JSON, for requests that are too small to pay for a tree.
//
// Strict: the grammar of RFC 8259, nesting at most 64, no byte below 0x20 in strings, valid surrogate pairs, no U+0000.
// Numbers are handed on as text, so that integers of any length stay exact. Nothing is copied but strings with escapes.
#ifndef SHAPE_API_DECIDE_SCAN_H
#define SHAPE_API_DECIDE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "solver/base/arena.h"

typedef struct text {
  const char *data;
  size_t length;
} text;

typedef struct scanner {
  shape_arena *arena;
  const char *start, *at, *end;
  const char *error;  // NULL: none so far; the first one wins
  size_t error_at;
} scanner;

void scan_init(scanner *s, shape_arena *arena, const char *data, size_t length);
bool scan_fail(scanner *s, const char *message);  // records an error here; returns false
char scan_peek_slow(scanner *s);
// The next byte that is no space; 0 at the end.
static inline char scan_peek(scanner *s) {
  const char *at = s->at, *end = s->end;
  if (at < end && *at == ' ') s->at = ++at;
  return at < end && (unsigned char)*at > ' ' ? *at : scan_peek_slow(s);
}
bool scan_string(scanner *s, text *out);  // unescaped
bool scan_number(scanner *s, text *out);
// An integer of at most 18 digits; false: not at one, nothing is taken.
static inline bool scan_small(scanner *s, int64_t *out) {
  const char *at = s->at, *end = s->end;
  bool negative = at < end && *at == '-';
  const char *from = at += negative;
  int64_t value = 0;
  while (at < end && (unsigned char)(*at - '0') < 10 && at - from < 18)
    value = 10 * value + (*at++ - '0');
  if (at == from || (*from == '0' && at - from > 1) || at == end) return false;
  if ((unsigned char)(*at - '0') < 10 || *at == '.' || *at == 'e' || *at == 'E') return false;
  s->at = at;
  *out = negative ? -value : value;
  return true;
}
// Takes exactly these bytes if they are next: null, and the spelling that read_symbol tries first.
static inline bool scan_exactly(scanner *s, const char *literal, size_t length) {
  if ((size_t)(s->end - s->at) < length || __builtin_memcmp(s->at, literal, length) != 0)
    return false;
  s->at += length;
  return true;
}
#define SCAN_EXACTLY(s, literal) scan_exactly(s, literal, sizeof(literal) - 1)
bool scan_skip(scanner *s, text *raw);  // any value, checked
// for (bool first = true; scan_member(s, &first, &key);) { one value } and the same for items: true while there is
// another one; check s->error afterwards.
bool scan_open(scanner *s, char bracket);
bool scan_member(scanner *s, bool *first, text *key);
bool scan_item(scanner *s, bool *first);
bool scan_end(scanner *s);  // nothing but space is left
static inline bool text_is(text x, const char *literal, size_t length) {
  return x.length == length && __builtin_memcmp(x.data, literal, length) == 0;
}
#define TEXT_IS(x, literal) text_is(x, literal, sizeof(literal) - 1)

#endif
