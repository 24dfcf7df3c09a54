// SPDX-License-Identifier: Apache-2.0
// Expressions of SymPy in both of its spellings, `2*s0 + 1` and `Add(Mul(Integer(2), Symbol('s0', integer=True)), Integer(1))`,
// as text in the grammar of term/parse.h.
#include <assert.h>
#include <string.h>

#include "solver/base/strbuf.h"
#include "solver/formats/torch/build.h"

enum { DEEPEST = 100, LONGEST_NAME = 100 };

typedef struct sympy_reader {
  const char *at, *end;
  shape_strbuf *out;
  uint32_t depth;
  bool too_deep;
} sympy_reader;

static bool sum(sympy_reader *r);

static char peek(sympy_reader *r) {
  while (r->at < r->end && (*r->at == ' ' || *r->at == '\n')) r->at++;
  return r->at < r->end ? *r->at : 0;
}

static bool take(sympy_reader *r, char c) {
  if (peek(r) != c) return false;
  r->at++;
  return true;
}

static bool is_letter(char c) { return ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool digits(sympy_reader *r) {
  const char *from = r->at;
  while (r->at < r->end && is_digit(*r->at)) r->at++;
  strbuf_add(r->out, from, (size_t)(r->at - from));
  return r->at > from && (r->at == r->end || *r->at != '.');
}

// Symbol('s0', positive=True, integer=True)
static bool symbol(sympy_reader *r) {
  char quote = peek(r);
  if (quote != '\'' && quote != '"') return false;
  const char *from = ++r->at;
  while (r->at < r->end && (is_letter(*r->at) || is_digit(*r->at))) r->at++;
  strbuf_add(r->out, from, (size_t)(r->at - from));
  if (r->at == from || r->at - from > LONGEST_NAME || !take(r, quote)) return false;
  while (r->at < r->end && *r->at != ')' && *r->at != '(') r->at++;
  return take(r, ')');
}

static bool integer(sympy_reader *r) {
  if (take(r, '-')) strbuf_putc(r->out, '-');
  peek(r);
  return digits(r) && take(r, ')');
}

// f(a, b, ...) joined by an operator, or as a function of the grammar.
static bool arguments(sympy_reader *r, const char *open, const char *between, uint32_t least,
                      uint32_t most) {
  uint32_t count = 0;
  strbuf_puts(r->out, open);
  do {
    if (count++) strbuf_puts(r->out, between);
    strbuf_putc(r->out, '(');
    if (!sum(r)) return false;
    strbuf_putc(r->out, ')');
  } while (take(r, ','));
  strbuf_putc(r->out, ')');
  return take(r, ')') && count >= least && count <= most;
}

// CeilToInt(IntTrueDiv(a, b)): the quotient is rounded.
static bool rounded(sympy_reader *r, const char *open) {
  static const char *const NAMES[] = {"IntTrueDiv", "FloatTrueDiv"};
  peek(r);
  for (unsigned i = 0; i < 2; i++) {
    size_t length = strlen(NAMES[i]);
    if ((size_t)(r->end - r->at) <= length || memcmp(r->at, NAMES[i], length) != 0) continue;
    r->at += length;
    return take(r, '(') && arguments(r, open, ", ", 2, 2) && take(r, ')');
  }
  return false;
}

static bool call(sympy_reader *r, const char *name, size_t length) {
  static const struct {
    const char *name, *open, *between;
    uint32_t least, most;
  } ROWS[] = {{"Add", "(", " + ", 1, 1000},          {"Mul", "(", "*", 1, 1000},
              {"FloorDiv", "floordiv(", ", ", 2, 2}, {"CleanDiv", "floordiv(", ", ", 2, 2},
              {"CeilDiv", "ceildiv(", ", ", 2, 2},   {"Mod", "mod(", ", ", 2, 2},
              {"PythonMod", "mod(", ", ", 2, 2},     {"Max", "max(", ", ", 1, 1000},
              {"Min", "min(", ", ", 1, 1000},        {"Identity", "(", "", 1, 1},
              {"PowByNatural", "(", ")^(", 2, 2},    {"Pow", "(", ")^(", 2, 2}};
#define IS(text) (length == sizeof(text) - 1 && memcmp(name, text, length) == 0)
  if (IS("Symbol")) return symbol(r);
  if (IS("Integer")) return integer(r);
  if (IS("CeilToInt")) return rounded(r, "ceildiv(");
  if (IS("FloorToInt")) return rounded(r, "floordiv(");
#undef IS
  for (unsigned i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    if (strlen(ROWS[i].name) != length || memcmp(ROWS[i].name, name, length) != 0) continue;
    if (ROWS[i].between[0] == ')') return false;  // powers: by `**` alone
    return arguments(r, ROWS[i].open, ROWS[i].between, ROWS[i].least, ROWS[i].most);
  }
  return false;
}

static bool atom(sympy_reader *r) {
  char c = peek(r);
  if (is_digit(c)) return digits(r);
  if (take(r, '(')) {
    strbuf_putc(r->out, '(');
    bool ok = sum(r) && take(r, ')');
    strbuf_putc(r->out, ')');
    return ok;
  }
  const char *from = r->at;
  while (r->at < r->end && (is_letter(*r->at) || is_digit(*r->at))) r->at++;
  size_t length = (size_t)(r->at - from);
  if (!length || length > LONGEST_NAME) return false;
  if (take(r, '(')) return call(r, from, length);
  strbuf_add(r->out, from, length);
  return true;
}

static bool factor(sympy_reader *r) {
  if (take(r, '-')) {
    strbuf_putc(r->out, '-');
    return factor(r);
  }
  if (!atom(r)) return false;
  if (peek(r) != '*' || r->end - r->at < 2 || r->at[1] != '*') return true;
  r->at += 2;
  strbuf_putc(r->out, '^');
  peek(r);
  return digits(r);
}

static bool product(sympy_reader *r) {
  if (!factor(r)) return false;
  for (;;) {
    char c = peek(r);
    if (c == '*') {
      r->at++;
      strbuf_putc(r->out, '*');
    } else if (c == '/' && r->end - r->at > 1 && r->at[1] == '/') {
      r->at += 2;
      strbuf_puts(r->out, " // ");
    } else if (c == '%') {
      r->at++;
      strbuf_puts(r->out, " % ");
    } else {
      return c != '/';  // a fraction, of which only the whole sum is an integer
    }
    if (!factor(r)) return false;
  }
}

static bool sum(sympy_reader *r) {
  if (++r->depth > DEEPEST) {
    r->too_deep = true;
    return false;
  }
  bool ok = product(r);
  while (ok && (peek(r) == '+' || peek(r) == '-')) {
    strbuf_putc(r->out, ' ');
    strbuf_putc(r->out, *r->at++);
    strbuf_putc(r->out, ' ');
    ok = product(r);
  }
  r->depth--;
  return ok;
}

bool sympy_text(const char *text, size_t length, shape_strbuf *out, bool *too_deep) {
  assert(text && out && too_deep);
  sympy_reader r = {.at = text, .end = text + length, .out = out};
  bool ok = sum(&r) && !peek(&r);
  *too_deep = r.too_deep;
  return ok;
}
