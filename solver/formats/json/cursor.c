// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/json/cursor.h"

#include <assert.h>

#include "solver/formats/json/skip.h"
#include "solver/formats/json/utf8.h"

void cursor_init(json_cursor *c, shape_arena *arena, const char *text, size_t length) {
  if (!length) text = "";  // an empty slice may have no address
  assert(text);
  *c =
      (json_cursor){.base = text, .at = text, .end = text + length, .polled = text, .arena = arena};
}

// Where the job was stopped this is where it ends; inspected every that many bytes.
static void poll(json_cursor *c, const char *at) {
  assert(c->base <= at && at <= c->end);
  if (at - c->polled < POLL_BYTES && at >= c->polled) return;
  c->polled = at;
  arena_poll(c->arena);
}

bool cursor_fail(json_cursor *c) {
  assert(c->at <= c->end);
  c->failed = true;
  c->at = c->end;
  return false;
}

char cursor_peek_far(json_cursor *c) {
  assert(c->base <= c->at && c->at <= c->end);
  while (c->at < c->end) {
    char b = *c->at;
    if (b != ' ' && b != '\n' && b != '\r' && b != '\t') return b;
    c->at++;
  }
  return 0;
}

static bool hex4(const char *at, const char *end, uint32_t *out) {
  assert(at <= end);
  if (end - at < 4) return false;
  uint32_t value = 0;
  for (int i = 0; i < 4; i++) {
    int digit = hex_digit(at[i]);
    if (digit < 0) return false;
    value = value * 16 + (uint32_t)digit;
  }
  *out = value;
  return true;
}

// The character of the escape whose letter is at *at; moves after it. Returns bytes written, 0 when it is none.
static size_t put_escape(const char **at, const char *end, char *to) {
  static const char FROM[] = "\"\\/bfnrt", INTO[] = "\"\\/\b\f\n\r\t";
  assert(*at < end);
  char letter = *(*at)++;
  const char *simple = letter ? strchr(FROM, letter) : NULL;
  if (simple) {
    *to = INTO[simple - FROM];
    return 1;
  }
  uint32_t code, low;
  if (letter != 'u' || !hex4(*at, end, &code)) return 0;
  *at += 4;
  if (code >= 0xd800 && code < 0xdc00) {
    if (end - *at < 6 || (*at)[0] != '\\' || (*at)[1] != 'u' || !hex4(*at + 2, end, &low) ||
        low < 0xdc00 || low > 0xdfff) {
      return 0;
    }
    *at += 6;
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  } else if (code >= 0xdc00 && code < 0xe000) {
    return 0;
  }
  return utf8_encode(code, to);
}

// The quote that ends the string in which `at` is, or the end of the text.
static const char *closing_quote(json_cursor *c, const char *at) {
  const char *end = c->end;
  for (at = skip_text(c->arena, at, end); at < end && *at != '"';) {
    if (*at != '\\') {
      if (*at++ & 0x80) poll(c, at);
      continue;
    }
    poll(c, at);
    at = at + 1 < end ? skip_plain(at + 2, end) : end;
  }
  return at;
}

// A string whose first escape is at `escape`: resolved into the arena. No escape is shorter than what it denotes.
static bool resolve_string(json_cursor *c, const char *from, const char *escape, json_slice *out) {
  assert(from <= escape && *escape == '\\');
  const char *close = closing_quote(c, escape);
  if (close >= c->end) return cursor_fail(c);
  char *to = arena_alloc(c->arena, (size_t)(close - from) + 1);
  size_t length = 0;
  for (const char *at = from, *plain = escape;;) {
    size_t copied = (size_t)(plain - at);
    if (copied) memcpy(to + length, at, copied);
    length += copied;
    if (plain == close) break;
    poll(c, plain);
    at = plain + 1;
    size_t put = put_escape(&at, close, to + length);
    if (!put) return cursor_fail(c);
    length += put;
    plain = skip_plain(at, close);
    while (plain < close && *plain != '\\') poll(c, plain++);
  }
  assert(length <= (size_t)(close - from));
  c->at = close + 1;
  *out = (json_slice){to, length};
  return true;
}

bool cursor_string_far(json_cursor *c, json_slice *out) {
  assert(c->at < c->end && *c->at == '"');
  const char *from = c->at + 1, *at = skip_text(c->arena, from, c->end);
  for (;;) {
    const char *stop = c->end - at > POLL_BYTES ? at + POLL_BYTES : c->end;
    while (at < stop && *at != '"' && *at != '\\') at++;
    if (at < stop) break;
    if (stop == c->end) return cursor_fail(c);
    arena_poll(c->arena);
  }
  if (*at == '\\') return resolve_string(c, from, at, out);
  *out = (json_slice){from, (size_t)(at - from)};
  c->at = at + 1;
  return true;
}

bool cursor_number(json_cursor *c, json_slice *out) {
  char b = cursor_peek(c);
  if (b != '-' && (b < '0' || b > '9')) return false;
  const char *from = c->at;
  while (c->at < c->end) {
    b = *c->at;
    bool part = (b >= '0' && b <= '9') || b == '-' || b == '+' || b == '.' || b == 'e' || b == 'E';
    if (!part) break;
    c->at++;
  }
  *out = (json_slice){from, (size_t)(c->at - from)};
  return true;
}

const char *cursor_kind(json_cursor *c) {
  switch (cursor_peek(c)) {
  case '{': return "an object";
  case '[': return "an array";
  case '"': return "a string";
  case 't':
  case 'f': return "a boolean";
  case 'n': return "null";
  default: return "a number";
  }
}

// Every request is skipped over once to find its parts, so the fast way is tried first, and this loop inspects each byte once.
void cursor_skip(json_cursor *c) {
  char first = cursor_peek(c);
  const char *at = c->at, *end = c->end;
  size_t depth = 0;
  if (!first || first == '}' || first == ']') {
    cursor_fail(c);
    return;
  }
  if (first != '"' && first != '{' && first != '[') {
    while (at < end && (unsigned char)*at > ' ' && *at != ',' && *at != ']' && *at != '}') at++;
    c->at = at;
    return;
  }
  const char *after = first == '"' ? NULL : skip_nested(c->arena, &c->polled, at, end);
  if (after) {
    c->at = after;
    return;
  }
  do {
    char b = at < end ? *at++ : 0;
    if (b == '"') {
      poll(c, at);
      at = closing_quote(c, at);
      at = at < end ? at + 1 : NULL;
    } else if (b == '{' || b == '[') {
      depth++;
    } else if (b == '}' || b == ']') {
      depth--;
    } else if (!b) {
      at = NULL;
    }
    if (!at) {
      cursor_fail(c);
      return;
    }
  } while (depth);
  assert(at <= end);
  c->at = at;
}

bool slice_int(json_slice s, bool wrap, int64_t *out, bool *fits) {
  size_t i = s.length && s.text[0] == '-';
  if (i == s.length) return false;
  uint64_t value = 0;
  bool over = false;
  for (; i < s.length; i++) {
    if (s.text[i] < '0' || s.text[i] > '9') return false;
    over |= __builtin_mul_overflow(value, (uint64_t)10, &value);
    over |= __builtin_add_overflow(value, (uint64_t)(s.text[i] - '0'), &value);
  }
  bool negative = s.text[0] == '-';
  uint64_t most = (uint64_t)INT64_MAX + (negative ? 1 : 0);
  *fits = !over && (value <= most || (wrap && !negative));
  *out = (int64_t)(negative ? 0 - value : value);
  return true;
}
