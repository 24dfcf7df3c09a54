// SPDX-License-Identifier: Apache-2.0
#include "solver/api/decide/scan.h"

#include <assert.h>
#include <string.h>

#include "solver/base/found.h"
#include "solver/formats/json/quote.h"
#include "solver/formats/json/utf8.h"

enum { MAX_NESTING = 64 };

void scan_init(scanner *s, shape_arena *arena, const char *data, size_t length) {
  *s = (scanner){.arena = arena, .start = data, .at = data, .end = data + length};
}

bool scan_fail(scanner *s, const char *message) {
  assert(s->start <= s->at && s->at <= s->end);
  if (!s->error) {
    s->error = found_message(s->arena, message, s->at, s->end);
    s->error_at = (size_t)(s->at - s->start);
  }
  return false;
}

char scan_peek_slow(scanner *s) {
  while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\n' || *s->at == '\r'))
    s->at++;
  return s->at < s->end ? *s->at : 0;
}

static bool scan_hex4(scanner *s, uint32_t *out) {
  *out = 0;
  for (int i = 0; i < 4; i++) {
    int digit = s->at < s->end ? hex_digit(*s->at) : -1;
    if (digit < 0) return scan_fail(s, "expected four hexadecimal digits");
    *out = *out * 16 + (uint32_t)digit;
    s->at++;
  }
  assert(*out <= 0xffff);
  return true;
}

static bool scan_unicode(scanner *s, char **to) {
  uint32_t c, low;
  if (!scan_hex4(s, &c)) return false;
  if (c >= 0xd800 && c < 0xdc00) {
    if (s->end - s->at < 2 || s->at[0] != '\\' || s->at[1] != 'u')
      return scan_fail(s, "a surrogate is not paired");
    s->at += 2;
    if (!scan_hex4(s, &low)) return false;
    if (low < 0xdc00 || low >= 0xe000) return scan_fail(s, "a surrogate is not paired");
    c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
  } else if (c >= 0xdc00 && c < 0xe000) {
    return scan_fail(s, "a surrogate is not paired");
  }
  if (c == 0) return scan_fail(s, "U+0000 is not allowed");
  assert(c < 0x110000);
  *to += utf8_encode(c, *to);
  return true;
}

// Past one character of a string that is neither its end nor an escape.
static bool scan_character(scanner *s) {
  if ((unsigned char)*s->at < 0x20) return scan_fail(s, "a control character in a string");
  uint32_t length = utf8_sequence((const unsigned char *)s->at, (size_t)(s->end - s->at));
  s->at += length;
  return length || scan_fail(s, "bytes that are no UTF-8");
}

static bool scan_escaped(scanner *s, const char *from, text *out) {
  // The unescaped text is never longer than what is left of the line.
  char *data = arena_alloc(s->arena, (size_t)(s->end - from) + 1), *to = data;
  memcpy(to, from, (size_t)(s->at - from));
  to += s->at - from;
  while (s->at < s->end && *s->at != '"') {
    if (*s->at != '\\') {
      const char *character = s->at;
      if (!scan_character(s)) return false;
      memcpy(to, character, (size_t)(s->at - character));
      to += s->at - character;
      continue;
    }
    if (++s->at == s->end) break;
    char c = *s->at++;
    switch (c) {
    case '"':
    case '\\':
    case '/': *to++ = c; break;
    case 'b': *to++ = '\b'; break;
    case 'f': *to++ = '\f'; break;
    case 'n': *to++ = '\n'; break;
    case 'r': *to++ = '\r'; break;
    case 't': *to++ = '\t'; break;
    case 'u':
      if (!scan_unicode(s, &to)) return false;
      break;
    default: return scan_fail(s, "an unknown escape");
    }
  }
  if (s->at == s->end) return scan_fail(s, "a string has no end");
  s->at++;
  *out = (text){data, (size_t)(to - data)};
  return true;
}

static bool scan_string_slow(scanner *s, text *out) {
  if (scan_peek(s) != '"') return scan_fail(s, "expected a string");
  const char *from = ++s->at;
  s->at = skip_plain(from, s->end);
  while (s->at < s->end && *s->at != '"' && *s->at != '\\') {
    if (!scan_character(s)) return false;
  }
  if (s->at == s->end) return scan_fail(s, "a string has no end");
  if (*s->at == '\\') return scan_escaped(s, from, out);
  *out = (text){from, (size_t)(s->at - from)};
  s->at++;
  return true;
}

// Most strings hold nothing that is escaped.
static inline bool scan_plain(scanner *s, text *out) {
  if (scan_peek(s) != '"') return false;
  const char *from = s->at + 1, *at = from, *to;
  while (!(to = special_near(at, s->end)) && s->end - at >= QUOTE_NEAR) at += QUOTE_NEAR;
  if (!to) to = special_at_end(s->start, at, s->end);
  if (!to || *to != '"') return false;
  *out = (text){from, (size_t)(to - from)};
  s->at = to + 1;
  return true;
}

bool scan_string(scanner *s, text *out) { return scan_plain(s, out) || scan_string_slow(s, out); }

static bool digits(scanner *s) {
  const char *from = s->at;
  while (s->at < s->end && *s->at >= '0' && *s->at <= '9') s->at++;
  return s->at > from || scan_fail(s, "expected a digit");
}

bool scan_number(scanner *s, text *out) {
  scan_peek(s);
  const char *from = s->at;
  if (s->at < s->end && *s->at == '-') s->at++;
  if (s->at < s->end && *s->at == '0') {
    s->at++;
  } else if (!digits(s)) {
    return false;
  }
  if (s->at < s->end && *s->at == '.') {
    s->at++;
    if (!digits(s)) return false;
  }
  if (s->at < s->end && (*s->at == 'e' || *s->at == 'E')) {
    s->at++;
    if (s->at < s->end && (*s->at == '+' || *s->at == '-')) s->at++;
    if (!digits(s)) return false;
  }
  *out = (text){from, (size_t)(s->at - from)};
  return true;
}

static inline bool scan_word(scanner *s, const char *word, size_t length) {
  if ((size_t)(s->end - s->at) < length || memcmp(s->at, word, length) != 0)
    return scan_fail(s, "expected a value");
  s->at += length;
  return true;
}

static bool skip_value(scanner *s, int nesting) {
  text ignored;
  bool first = true;
  if (nesting > MAX_NESTING) return scan_fail(s, "nested too deeply");
  switch (scan_peek(s)) {
  case '"': return scan_string(s, &ignored);
  case '{':
    s->at++;
    while (scan_member(s, &first, &ignored)) {
      if (!skip_value(s, nesting + 1)) return false;
    }
    return !s->error;
  case '[':
    s->at++;
    while (scan_item(s, &first)) {
      if (!skip_value(s, nesting + 1)) return false;
    }
    return !s->error;
  case 't': return scan_word(s, "true", 4);
  case 'f': return scan_word(s, "false", 5);
  case 'n': return scan_word(s, "null", 4);
  default: return scan_number(s, &ignored);
  }
}

bool scan_skip(scanner *s, text *raw) {
  scan_peek(s);
  const char *from = s->at;
  if (!skip_value(s, 0)) return false;
  *raw = (text){from, (size_t)(s->at - from)};
  return true;
}

bool scan_open(scanner *s, char bracket) {
  if (scan_peek(s) != bracket)
    return scan_fail(s, bracket == '{' ? "expected an object" : "expected an array");
  s->at++;
  return true;
}

// True when another element follows; the closing bracket is taken.
static inline bool another(scanner *s, bool *first, char close) {
  char c = scan_peek(s);
  if (c == close) {
    s->at++;
    return false;
  }
  if (*first) {
    *first = false;
    return true;
  }
  if (c != ',') return scan_fail(s, close == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
  s->at++;
  return true;
}

bool scan_member(scanner *s, bool *first, text *key) {
  if (s->error || !another(s, first, '}')) return false;
  if (!scan_plain(s, key) && !scan_string_slow(s, key)) return false;
  if (s->at < s->end && *s->at == ':') {
    s->at++;
    return true;
  }
  if (scan_peek(s) != ':') return scan_fail(s, "expected ':'");
  s->at++;
  return true;
}

bool scan_item(scanner *s, bool *first) { return !s->error && another(s, first, ']'); }

bool scan_end(scanner *s) {
  return scan_peek(s) == 0 && s->at == s->end ? true : scan_fail(s, "more follows the value");
}
