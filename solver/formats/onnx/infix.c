// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/onnx/infix.h"

#include <assert.h>
#include <string.h>

enum { DEPTH_MAX = 32 };

typedef struct span {
  const char *begin, *end;
} span;

static bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '.';
}

static span trimmed(span s) {
  while (s.begin < s.end && *s.begin == ' ') s.begin++;
  while (s.begin < s.end && s.end[-1] == ' ') s.end--;
  return s;
}

static bool is_atom(span s) {
  while (s.begin < s.end && is_word(*s.begin)) s.begin++;
  return s.begin == s.end;
}

// After an opening parenthesis: the one that closes it, and the first comma between the two (NULL: there is none).
static const char *close_of(span s, const char **comma) {
  assert(s.begin <= s.end);
  int depth = 1;
  *comma = NULL;
  for (const char *at = s.begin; at < s.end; at++) {
    depth += (*at == '(') - (*at == ')');
    if (!depth) return at;
    if (depth == 1 && *at == ',' && !*comma) *comma = at;
  }
  return NULL;
}

// A call, which has parentheses of its own.
static bool is_call(span s) {
  const char *comma;
  while (s.begin < s.end && is_word(*s.begin)) s.begin++;
  return s.begin < s.end && *s.begin == '(' &&
         close_of((span){s.begin + 1, s.end}, &comma) == s.end - 1;
}

static bool put(shape_strbuf *out, span s, unsigned depth);

static bool put_operand(shape_strbuf *out, span s, unsigned depth) {
  s = trimmed(s);
  bool atom = is_atom(s) || is_call(s);
  if (!atom) strbuf_putc(out, '(');
  bool ok = put(out, s, depth);
  if (!atom) strbuf_putc(out, ')');
  return ok;
}

static bool named(span word, const char *name) {
  size_t length = (size_t)(word.end - word.begin);
  return strlen(name) == length && memcmp(name, word.begin, length) == 0;
}

// A call: of a minimum and a maximum as it is, of a quotient or a remainder by its operator.
static bool put_call(shape_strbuf *out, span word, span inside, const char *comma, unsigned depth) {
  if (named(word, "min") || named(word, "max")) {
    strbuf_add(out, word.begin, (size_t)(word.end - word.begin));
    strbuf_putc(out, '(');
    if (!put(out, inside, depth)) return false;
    strbuf_putc(out, ')');
    return true;
  }
  bool up = named(word, "ceildiv"), remainder = named(word, "mod");
  if (!comma || (!up && !remainder && !named(word, "floordiv"))) return false;
  strbuf_puts(out, up ? "(-(-" : "(");
  if (!put_operand(out, (span){inside.begin, comma}, depth)) return false;
  strbuf_puts(out, remainder ? " % " : "//");
  if (!put_operand(out, (span){comma + 1, inside.end}, depth)) return false;
  strbuf_puts(out, up ? "))" : ")");
  return true;
}

static bool put(shape_strbuf *out, span s, unsigned depth) {
  if (depth > DEPTH_MAX) return false;
  for (const char *at = s.begin; at < s.end;) {
    if (!is_word(*at)) {
      if (*at == '"') return false;
      strbuf_putc(out, *at++);
      continue;
    }
    span word = {at, at};
    while (word.end < s.end && is_word(*word.end)) word.end++;
    at = word.end;
    if (at == s.end || *at != '(') {
      strbuf_add(out, word.begin, (size_t)(word.end - word.begin));
      continue;
    }
    const char *comma, *close = close_of((span){at + 1, s.end}, &comma);
    if (!close || !put_call(out, word, (span){at + 1, close}, comma, depth + 1)) return false;
    at = close + 1;
  }
  return out->length <= INFIX_MAX;
}

bool infix_put(shape_strbuf *out, const char *text, size_t length) {
  assert(out->length == 0);
  if (length > INFIX_MAX || !put(out, (span){text, text + length}, 0)) return false;
  const char *comma;
  span inside = {out->data + 1, out->data + out->length};
  // Nothing is around the whole.
  if (out->length < 2 || out->data[0] != '(' || close_of(inside, &comma) != inside.end - 1)
    return out->length <= INFIX_MAX;
  out->length -= 2;
  memmove(out->data, out->data + 1, out->length);
  return true;
}
