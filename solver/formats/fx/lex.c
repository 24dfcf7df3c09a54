// SPDX-License-Identifier: Apache-2.0
// Python's tokens: names, strings, numbers; line ends outside of brackets end a statement.
#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/base/decimal.h"
#include "solver/base/found.h"
#include "solver/formats/fx/fx.h"

bool fx_fail(fx_reader *r, const char *at, const char *format, ...) {
  char message[400];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  if (at > r->end) at = r->end;
  uint32_t offset = (uint32_t)(at - r->begin);
  if (!r->failed)
    diag_add(&r->build.g->diags, DIAG_ERROR, "syntax", (source_span){offset, offset}, "%s",
             found_message(r->build.g->arena, message, at, r->end));
  r->failed = true;
  return false;
}

static void skip_comment(fx_reader *r) {
  assert(r->at < r->end && *r->at == '#');
  while (r->at < r->end && *r->at != '\n') r->at++;
}

char fx_peek(fx_reader *r) {
  assert(r->at <= r->end);
  for (; r->at < r->end; r->at++) {
    char c = *r->at;
    if (c == '#') {
      skip_comment(r);
      if (r->at == r->end) break;
      c = *r->at;
    }
    if (c == '\\' && r->end - r->at > 1 && (r->at[1] == '\n' || r->at[1] == '\r')) {
      r->at++;
      continue;
    }
    if (c == '\n' && !r->brackets) return 0;
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n' && c != '\f') return c;
  }
  return 0;
}

bool fx_take(fx_reader *r, const char *token) {
  assert(*token);
  size_t length = strlen(token);
  if (fx_peek(r) != *token || (size_t)(r->end - r->at) < length ||
      memcmp(r->at, token, length) != 0)
    return false;
  r->at += length;
  return true;
}

bool fx_need(fx_reader *r, const char *token) {
  return fx_take(r, token) || fx_fail(r, r->at, "expected '%s'", token);
}

bool fx_open(fx_reader *r, char bracket) {
  if (fx_peek(r) != bracket) return false;
  r->at++;
  r->brackets++;
  return true;
}

bool fx_close(fx_reader *r, char bracket) {
  char token[2] = {bracket, 0};
  if (!fx_need(r, token)) return false;
  assert(r->brackets);
  r->brackets--;
  return true;
}

static bool begins_name(char c) {
  return ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_' || (unsigned char)c >= 128;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool fx_name(fx_reader *r, const char **name, uint32_t *length) {
  assert(r->at <= r->end && r->begin <= r->at);
  if (!begins_name(fx_peek(r))) return false;
  *name = r->at;
  while (r->at < r->end && (begins_name(*r->at) || is_digit(*r->at))) r->at++;
  *length = (uint32_t)(r->at - *name);
  return true;
}

bool fx_begins(const char *text, uint32_t length, const char *head) {
  assert(head);
  uint32_t i = 0;
  while (head[i] && i < length && text[i] == head[i]) i++;
  return !head[i];
}

bool fx_word(fx_reader *r, const char *word) {
  if (fx_peek(r) != *word) return false;
  uint32_t left = (uint32_t)(r->end - r->at), length = (uint32_t)strlen(word);
  if (!fx_begins(r->at, left, word)) return false;
  if (left > length && (begins_name(r->at[length]) || is_digit(r->at[length]))) return false;
  r->at += length;
  return true;
}

// One literal after its prefix; what it holds is added to the text.
static bool literal(fx_reader *r, bool raw, shape_strbuf *out) {
  assert(*r->at == '\'' || *r->at == '"');
  const char *from = r->at;
  char quote = *r->at;
  bool three = r->end - r->at > 2 && r->at[1] == quote && r->at[2] == quote;
  r->at += three ? 3 : 1;
  for (;; r->at++) {
    if (r->at >= r->end || (*r->at == '\n' && !three))
      return fx_fail(r, from, "the string has no end");
    bool ends = *r->at == quote;
    if (ends && three) ends = r->end - r->at > 2 && r->at[1] == quote && r->at[2] == quote;
    if (ends) break;
    if (*r->at == '\\' && r->end - r->at > 1 && !raw) r->at++;
    strbuf_add(out, r->at, 1);
  }
  r->at += three ? 3 : 1;
  return true;
}

bool fx_text(fx_reader *r, fx_value *out) {
  shape_strbuf text;
  bool any = false;
  source_span span = {0, 0};
  for (;; any = true) {
    char c = fx_peek(r);
    const char *p = r->at;
    bool raw = false;
    while (p < r->end && p - r->at < 2 && memchr("rbufRBUF", *p, 8)) raw |= (*p++ | 32) == 'r';
    if (!c || p >= r->end || (*p != '\'' && *p != '"')) break;
    if (!any) strbuf_init(&text, r->build.g->arena);
    if (!any) span.begin = (uint32_t)(r->at - r->begin);
    r->at = p;
    if (!literal(r, raw, &text)) return false;
    span.end = (uint32_t)(r->at - r->begin);
  }
  if (!any) return false;
  *out = fx_make(FX_TEXT);
  out->text = strbuf_text(&text);
  out->literal = span;
  out->length = (uint32_t)text.length;
  return true;
}

static double real_of(const char *text) {
  double value;
  return decimal_short(text, strlen(text), &value) ? value : strtod(text, NULL);
}

// The digits of a literal without what groups them; *base: by its prefix, which is left out.
static const char *digits_of(fx_reader *r, const char *from, int *base) {
  assert(from < r->at);
  char *text = arena_strndup(r->build.g->arena, from, (size_t)(r->at - from)), *to = text;
  for (const char *p = text; *p; p++) {
    if (*p != '_') *to++ = *p;
  }
  *to = 0;
  char prefix = *text == '0' ? (char)(text[1] | 32) : 0;
  *base = prefix == 'x' ? 16 : prefix == 'o' ? 8 : prefix == 'b' ? 2 : 10;
  return *base == 10 ? text : text + 2;
}

bool fx_number(fx_reader *r, fx_value *out) {
  char c = fx_peek(r);
  const char *from = r->at;
  if (!is_digit(c) && !(c == '.' && r->end - r->at > 1 && is_digit(r->at[1]))) return false;
  bool real = false, hex = c == '0' && r->end - r->at > 1 && (r->at[1] | 32) == 'x';
  while (r->at < r->end &&
         (is_digit(*r->at) || *r->at == '.' || begins_name(*r->at) ||
          ((*r->at == '-' || *r->at == '+') && !hex && (r->at[-1] | 32) == 'e'))) {
    real |= *r->at == '.' || (!hex && (*r->at | 32) == 'e');
    r->at++;
  }
  if (r->at[-1] == 'j') {  // a complex number
    *out = fx_make(FX_NUMBER);
    return true;
  }
  if (r->at - from > 400) return fx_fail(r, from, "the number has too many digits");
  int base;
  char *stop;
  const char *text = digits_of(r, from, &base);
  if (real) {
    *out = fx_make(FX_NUMBER);
    out->constant = true;
    out->real = real_of(text);
    return true;
  }
  errno = 0;
  long long value = strtoll(text, &stop, base);
  if (*stop || stop == text)
    return fx_fail(r, from, "'%.*s' is no number", (int)(r->at - from < 40 ? r->at - from : 40),
                   from);
  *out = fx_int(value);
  out->literal = (source_span){(uint32_t)(from - r->begin), (uint32_t)(r->at - r->begin)};
  if (errno == ERANGE) *out = fx_make(FX_NUMBER);  // beyond 64 bits: not followed
  return true;
}

bool fx_line(fx_reader *r, uint32_t *indent) {
  assert(!r->brackets);
  for (;;) {
    while (r->at < r->end && (*r->at == '\n' || *r->at == '\r')) r->at++;
    const char *from = r->at;
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t')) r->at++;
    *indent = (uint32_t)(r->at - from);
    if (r->at == r->end) return false;
    if (*r->at == '#') {
      skip_comment(r);
    } else if (*r->at != '\n' && *r->at != '\r') {
      return true;
    }
  }
}

void fx_skip_line(fx_reader *r) {
  assert(r->at <= r->end);
  uint32_t open = 0;
  fx_value ignored;
  while (r->at < r->end) {
    r->brackets = open;
    char c = fx_peek(r);
    if (!c) break;
    if (c == '"' || c == '\'') {
      if (!fx_text(r, &ignored)) break;
      continue;
    }
    if (c == '(' || c == '[' || c == '{') open++;
    if ((c == ')' || c == ']' || c == '}') && open) open--;
    r->at++;
  }
  r->brackets = 0;
}
