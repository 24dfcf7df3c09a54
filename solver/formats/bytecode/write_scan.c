// SPDX-License-Identifier: Apache-2.0
// Pieces of MLIR text. The text was read before, so brackets are balanced; nothing is read beyond its end
// all the same.
#include <stdarg.h>
#include <stdio.h>

#include "solver/base/found.h"
#include "solver/base/utf8.h"
#include "solver/formats/bytecode/writer.h"

enum { LONGEST = 400 };

static void set_message(bytecode_writer *w, size_t at, const char *head, const char *message) {
  shape_strbuf whole;
  strbuf_init(&whole, w->arena);
  strbuf_printf(&whole, "%s%s", head, message);
  w->failed = true;
  w->refusal->offset = at;
  size_t length = utf8_cut(whole.data, whole.length, sizeof w->refusal->message - 1);
  char *to = w->refusal->message;
  memcpy(to, whole.data, length);
  to[length] = 0;
  for (; *to; to++) {
    if ((unsigned char)*to < 0x20 || (unsigned char)*to >= 0x7f) *to = '?';
  }
}

static bool is_of_text(const bytecode_writer *w, const char *at) {
  uintptr_t begin = (uintptr_t)w->text.text, here = (uintptr_t)at;
  return here >= begin && here - begin <= w->text.length;
}

// What was made for the writer (aliases without their names, parts of groups) is of the operation.
static size_t offset_of(const bytecode_writer *w, const char *at) {
  if (at && is_of_text(w, at)) return (size_t)(at - w->text.text);
  return w->op ? w->op->at : 0;
}

// What is at a position of the text; of what was made for the writer it would say nothing.
static const char *with_found(const bytecode_writer *w, const char *at, const char *message) {
  if (!at || !is_of_text(w, at)) return message;
  bw_cursor c = {at, w->text.text + w->text.length};
  bw_skip(&c);
  return found_message(w->arena, message, c.at, c.end);
}

bool bw_fail(bytecode_writer *w, const char *at, const char *format, ...) {
  char message[LONGEST];
  if (w->failed) return false;
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  set_message(w, offset_of(w, at), "", with_found(w, at, message));
  return false;
}

bool bw_refuse(bytecode_writer *w, const char *format, ...) {
  if (w->failed) return false;
  assert(!w->op || w->op->name.length > 0);
  char head[160], message[LONGEST];
  bc_slice name = w->op ? w->op->name : (bc_slice){"the program", 11};
  int length = name.length < 80 ? (int)name.length : 80;
  if (w->options->release) {
    const bytecode_release *r = w->options->release;
    snprintf(head, sizeof head,
             "%.*s cannot be written for release %u.%u.%u of StableHLO: ", length, name.text,
             r->major, r->minor, r->patch);
  } else {
    snprintf(head, sizeof head, "%.*s cannot be written as bytecode: ", length, name.text);
  }
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  set_message(w, w->op ? w->op->at : 0, head, message);
  return false;
}

// --- characters

bool bw_is_mark(const bw_cursor *c) {
  static const char MARK[] = "// -----";
  return (size_t)(c->end - c->at) >= sizeof MARK - 1 && memcmp(c->at, MARK, sizeof MARK - 1) == 0;
}

static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

static bool is_comment(const bw_cursor *c) {
  return c->end - c->at > 1 && c->at[0] == '/' && c->at[1] == '/';
}

// What ends a part of the file is no comment.
void bw_skip(bw_cursor *c) {
  assert(c->at <= c->end);
  for (;;) {
    const char *from = c->at;
    while (c->at < c->end && is_space(*c->at)) c->at++;
    if (!is_comment(c)) return;
    if (c->at > from && c->at[-1] == '\n' && bw_is_mark(c)) return;
    while (c->at < c->end && *c->at != '\n') c->at++;
  }
}

char bw_peek(bw_cursor *c) {
  bw_skip(c);
  return c->at < c->end ? *c->at : 0;
}

bool bw_accept(bw_cursor *c, const char *token) {
  size_t length = strlen(token);
  bw_skip(c);
  if ((size_t)(c->end - c->at) < length || memcmp(c->at, token, length) != 0) return false;
  c->at += length;
  return true;
}

bc_slice bw_word(bw_cursor *c) {
  bw_skip(c);
  const char *from = c->at;
  while (c->at < c->end) {
    char x = *c->at;
    bool letter = (x >= 'a' && x <= 'z') || (x >= 'A' && x <= 'Z') || (x >= '0' && x <= '9');
    bool arrow = x == '-' && c->end - c->at > 1 && c->at[1] == '>';
    if (arrow || (!letter && (!x || !strchr("_.$-", x)))) break;
    c->at++;
  }
  return (bc_slice){from, (uint32_t)(c->at - from)};
}

static void skip_string(bw_cursor *c) {
  for (c->at++; c->at < c->end && *c->at != '"'; c->at++)
    c->at += *c->at == '\\' && c->end - c->at > 1;
  if (c->at < c->end) c->at++;
}

// A string, an arrow or one character; brackets are what they are.
static char skip_token(bw_cursor *c) {
  assert(c->at < c->end);
  char x = *c->at;
  if (x == '"') {
    skip_string(c);
  } else if (is_comment(c)) {
    while (c->at < c->end && *c->at != '\n') c->at++;
    return ' ';
  } else {
    c->at += x == '-' && c->end - c->at > 1 && c->at[1] == '>' ? 2 : 1;
  }
  return x;
}

static bool is_open(char c) { return c == '(' || c == '[' || c == '{' || c == '<'; }
static bool is_close(char c) { return c == ')' || c == ']' || c == '}' || c == '>'; }
static char partner(char c) { return c == '(' ? ')' : c == '[' ? ']' : c == '{' ? '}' : '>'; }

void bw_skip_one(bw_cursor *c) {
  enum { DEEPEST = 1024 };
  char open[DEEPEST];
  uint32_t depth = 0;
  do {
    char x = skip_token(c);
    if (is_open(x)) {
      if (depth == DEEPEST) {
        c->at = c->end;
        return;
      }
      open[depth++] = partner(x);
    } else if (is_close(x) && depth) {
      // A '>' that closes nothing is a comparison, and so is a '<' that nothing closes.
      while (x != '>' && depth > 1 && open[depth - 1] == '>') depth--;
      if (open[depth - 1] == x) depth--;
    }
  } while (depth && c->at < c->end);
}

bool bw_brackets(bw_cursor *c, bc_slice *inside) {
  const char *from = c->at;
  assert(is_open(*from));
  bw_skip_one(c);
  bool closed = c->at - from >= 2 && c->at[-1] == partner(*from);
  *inside = bw_trim((bc_slice){from + 1, closed ? (uint32_t)(c->at - from - 2) : 0});
  return closed;
}

bc_slice bw_trim(bc_slice text) {
  while (text.length && is_space(text.text[text.length - 1])) text.length--;
  while (text.length && is_space(text.text[0])) text.text++, text.length--;
  return text;
}

bw_cursor bw_open(bc_slice text) { return (bw_cursor){text.text, text.text + text.length}; }

bc_slice bw_inside(bc_slice text, size_t head) {
  if (text.length <= head) return (bc_slice){text.text, 0};
  return (bc_slice){text.text + head, text.length - (uint32_t)head - 1};
}

bc_slice bw_scan_value(bw_cursor *c) {
  bw_skip(c);
  const char *from = c->at;
  while (c->at < c->end && *c->at != ',' && !is_close(*c->at)) bw_skip_one(c);
  return bw_trim((bc_slice){from, (uint32_t)(c->at - from)});
}

bool bw_next_item(bw_cursor *c, bc_slice *item) {
  if (!bw_peek(c)) return false;
  *item = bw_scan_value(c);
  if (!bw_accept(c, ",")) c->at = c->end;
  return true;
}

bc_slice bw_scan_type(bw_cursor *c) {
  bw_skip(c);
  const char *from = c->at;
  if (bw_peek(c) == '(') {
    bw_skip_one(c);
    const char *after = c->at;
    if (!bw_accept(c, "->")) {
      c->at = after;
    } else if (bw_peek(c) == '(') {
      bw_skip_one(c);
    } else {
      bw_scan_type(c);
    }
    return (bc_slice){from, (uint32_t)(c->at - from)};
  }
  if (c->at < c->end && *c->at == '!') c->at++;
  bw_word(c);
  if (c->at < c->end && *c->at == '<') bw_skip_one(c);
  return (bc_slice){from, (uint32_t)(c->at - from)};
}

bool bw_next_entry(bytecode_writer *w, bw_cursor *c, bw_entry *out) {
  char x = bw_peek(c);
  if (!x || is_close(x)) return false;
  out->key = bw_key(w->arena, c);
  if (x != '"' && !out->key.length) return bw_fail(w, c->at, "expected the name of an attribute");
  out->value = (bc_slice){"", 0};
  if (bw_accept(c, "=")) {
    out->value = bw_scan_value(c);
    if (!out->value.length) return bw_fail(w, c->at, "expected an attribute");
  }
  bw_accept(c, ",");
  return true;
}

// --- texts

bc_slice bw_key(shape_arena *arena, bw_cursor *c) {
  if (bw_peek(c) != '"') return bw_word(c);
  const char *from = c->at;
  skip_string(c);
  return bw_unquote(arena, (bc_slice){from, (uint32_t)(c->at - from)});
}

bc_slice bw_unquote(shape_arena *arena, bc_slice text) {
  assert(text.text || !text.length);
  bc_slice in = bw_inside(text, 1);
  char *to = arena_alloc(arena, (size_t)in.length + 1);
  uint32_t length = 0;
  for (uint32_t i = 0; i < in.length; i++) {
    char c = in.text[i];
    if (c == '\\' && i + 1 < in.length) {
      char next = in.text[++i];
      int high = hex_digit(next), low = i + 1 < in.length ? hex_digit(in.text[i + 1]) : -1;
      if (next == 'n' || next == 't') {
        c = next == 'n' ? '\n' : '\t';
      } else if (high >= 0 && low >= 0) {
        c = (char)(high << 4 | low);
        i++;
      } else {
        c = next;
      }
    }
    to[length++] = c;
  }
  return (bc_slice){to, length};
}

bc_slice bw_text(shape_arena *arena, const char *format, ...) {
  shape_strbuf out;
  strbuf_init(&out, arena);
  va_list args;
  va_start(args, format);
  strbuf_vprintf(&out, format, args);
  va_end(args);
  return (bc_slice){strbuf_text(&out), out.length};
}

bool bw_int(bc_slice text, int64_t *out) {
  bool negative = text.length && text.text[0] == '-';
  uint64_t value = 0;
  if (text.length == negative) return false;
  for (uint32_t i = negative; i < text.length; i++) {
    unsigned digit = (unsigned)(unsigned char)text.text[i] - '0';
    if (digit > 9 || value > (UINT64_MAX - digit) / 10) return false;
    value = value * 10 + digit;
  }
  if (value > (uint64_t)INT64_MAX + negative) return false;
  *out = (int64_t)(negative ? 0 - value : value);
  return true;
}
