// SPDX-License-Identifier: Apache-2.0
// Tokens. Grammar: MLIR LangRef, "Common syntax" and "Identifiers and keywords".
#include <string.h>

#include "clients/lsp/syntax/syntax.h"

enum { LETTER = 1, DIGIT = 2, IN_WORD = 4, HEX = 8, SPACE = 16, SIGIL = 32 };

// Classes of bytes; those beyond ASCII have none.
#define W (LETTER | IN_WORD)
#define H (LETTER | IN_WORD | HEX)
#define D (DIGIT | IN_WORD | HEX)
static const uint8_t CLASSES[256] = {
    ['\t'] = SPACE,    ['\n'] = SPACE,   ['\r'] = SPACE,    [' '] = SPACE,     ['!'] = SIGIL,
    ['#'] = SIGIL,     ['%'] = SIGIL,    ['@'] = SIGIL,     ['^'] = SIGIL,     ['$'] = IN_WORD,
    ['.'] = IN_WORD,   ['_'] = W,        ['0' ... '9'] = D, ['A' ... 'F'] = H, ['G' ... 'Z'] = W,
    ['a' ... 'f'] = H, ['g' ... 'z'] = W};
#undef W
#undef H
#undef D

static bool is(char c, int classes) { return CLASSES[(unsigned char)c] & classes; }
static bool is_digit(char c) { return is(c, DIGIT); }
static bool is_word(char c) { return is(c, IN_WORD); }
static bool is_hex(char c) { return is(c, HEX); }

typedef struct cursor {
  const char *text;
  uint32_t at, end;
} cursor;

static char peek(const cursor *c, uint32_t ahead) {
  return ahead < c->end - c->at ? c->text[c->at + ahead] : 0;
}

static void skip_line(cursor *c) {
  const char *line = memchr(c->text + c->at, '\n', c->end - c->at);
  c->at = line ? (uint32_t)(line - c->text) : c->end;
  while (c->at && strchr(" \t\r", c->text[c->at - 1])) c->at--;
}

static void skip_string(cursor *c) {
  c->at++;
  while (c->at < c->end) {
    char here = c->text[c->at];
    if (here == '\n' || (here == '\r' && peek(c, 1) == '\n')) return;
    c->at++;
    if (here == '"') return;
    if (here == '\\' && c->at < c->end && !strchr("\r\n", c->text[c->at])) c->at++;
  }
}

// digit+ | (letter | [$._-])+, where -> is not part of it.
static void skip_suffix(cursor *c) {
  if (is_digit(peek(c, 0))) {
    while (is_digit(peek(c, 0))) c->at++;
    return;
  }
  while (is_word(peek(c, 0)) || (peek(c, 0) == '-' && peek(c, 1) != '>')) c->at++;
}

static void skip_number(cursor *c) {
  if (peek(c, 0) == '0' && peek(c, 1) == 'x' && is_hex(peek(c, 2))) {
    c->at += 2;
    while (is_hex(peek(c, 0))) c->at++;
    return;
  }
  while (is_digit(peek(c, 0))) c->at++;
  if (peek(c, 0) != '.') return;
  c->at++;
  while (is_digit(peek(c, 0))) c->at++;
  uint32_t sign = peek(c, 1) == '+' || peek(c, 1) == '-';
  if ((peek(c, 0) == 'e' || peek(c, 0) == 'E') && is_digit(peek(c, 1 + sign))) {
    c->at += 1 + sign;
    while (is_digit(peek(c, 0))) c->at++;
  }
}

static syn_kind skip_sigil(cursor *c, bool glued) {
  char sigil = peek(c, 0);
  c->at++;
  if (sigil == '#' && glued && is_digit(peek(c, 0))) {
    while (is_digit(peek(c, 0))) c->at++;
    return SYN_RESULT;
  }
  if (sigil == '@' && peek(c, 0) == '"') {
    skip_string(c);
  } else {
    skip_suffix(c);
  }
  switch (sigil) {
  case '%': return SYN_VALUE;
  case '@': return SYN_SYMBOL;
  case '^': return SYN_BLOCK;
  case '!': return SYN_TYPE;
  default: return SYN_ATTR;
  }
}

static void skip_punct(cursor *c) {
  // -> :: == >= <= =>
  char first = peek(c, 0), second = peek(c, 1);
  bool pair = second == '>'   ? first == '-' || first == '='
              : second == ':' ? first == ':'
                              : second == '=' && (first == '=' || first == '>' || first == '<');
  c->at += pair ? 2 : 1;
  // The rest of a letter beyond ASCII.
  while (((unsigned char)first & 0x80) && ((unsigned char)peek(c, 0) & 0xc0) == 0x80) c->at++;
}

bool syn_lex(const char *text, uint32_t length, uint32_t *at, bool glued, syn_token *out) {
  cursor c = {text, *at, length};
  while (c.at < length && is(text[c.at], SPACE)) c.at++;
  if (c.at == length) {
    *at = length;
    return false;
  }
  char first = text[c.at];
  *out = (syn_token){.begin = c.at, .kind = SYN_PUNCT, .c = first};
  if (first == '/' && peek(&c, 1) == '/') {
    skip_line(&c);
    out->kind = SYN_COMMENT;
  } else if (first == '"') {
    skip_string(&c);
    out->kind = SYN_STRING;
  } else if (is(first, LETTER)) {
    while (is_word(peek(&c, 0))) c.at++;
    out->kind = SYN_WORD;
  } else if (is_digit(first)) {
    skip_number(&c);
    out->kind = SYN_NUMBER;
  } else if (is(first, SIGIL)) {
    out->kind = (uint8_t)skip_sigil(&c, glued);
  } else {
    skip_punct(&c);
  }
  *at = out->end = c.at;
  return true;
}

bool syn_is(const syn_index *x, uint32_t token, const char *text) {
  if (token >= x->token_count) return false;
  const syn_token *t = &x->tokens[token];
  if (t->c != *text) return false;
  size_t length = strlen(text);
  return t->end - t->begin == length && memcmp(x->text + t->begin, text, length) == 0;
}

uint32_t syn_word_flags(const syn_index *x, uint32_t token) {
  static const struct {
    const char *suffix;
    uint32_t length, flags;
  } ROWS[] = {
#define X(suffix, flags) {suffix, sizeof suffix - 1, flags},
#include "clients/lsp/syntax/words.def"
#undef X
  };
  if (token >= x->token_count) return 0;
  const syn_token *t = &x->tokens[token];
  const char *text = x->text + t->begin;
  uint32_t length = t->end - t->begin;
  if (t->kind == SYN_STRING && length >= 2) text++, length -= 2;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    uint32_t n = ROWS[i].length;
    if (length < n || text[length - 1] != ROWS[i].suffix[n - 1]) continue;
    if (memcmp(text + length - n, ROWS[i].suffix, n) != 0) continue;
    if (length == n || text[length - n - 1] == '.' || text[length - n - 1] == '_')
      return length == n ? ROWS[i].flags : ROWS[i].flags & ~(uint32_t)SYN_PLAIN;
  }
  return 0;
}
