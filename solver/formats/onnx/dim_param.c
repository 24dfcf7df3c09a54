// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/onnx/dim_param.h"

#include <assert.h>
#include <string.h>

enum { MAX_TEXT = 4096, MAX_NESTING = 100, MAX_DIGITS = 18, MAX_EXPONENT = 64, MAX_ARGUMENTS = 64 };

// A rational: n/d, where d is a number above 0 or an expression that is not a number.
typedef struct fraction {
  term_id n, d;
} fraction;

typedef struct reader {
  term_table *terms;
  const char *text;
  size_t at, length;
  int nesting;
  term_id (*symbol)(void *data, const char *name, size_t length);
  void *data;
} reader;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_name_start(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}
static bool is_name_part(char c) { return is_name_start(c) || is_digit(c) || c == '.'; }
static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// The next byte that is no space, which is not taken; 0 at the end.
static char peek(reader *r) {
  while (r->at < r->length && is_space(r->text[r->at])) r->at++;
  return r->at < r->length ? r->text[r->at] : 0;
}

static bool take(reader *r, const char *token) {
  size_t n = strlen(token);
  if (peek(r) != token[0] || r->length - r->at < n) return false;
  if (memcmp(r->text + r->at, token, n) != 0) return false;
  r->at += n;
  return true;
}

// --- rationals

static fraction whole(term_id n) { return (fraction){n, TERM_ONE}; }

// n/d, with what is common to all numbers of both divided away, and a number as d above 0.
static fraction reduced(term_table *t, term_id n, term_id d) {
  int64_t by, numbers;
  if (!term_int_value(t, d, &by) || by == INT64_MIN) return (fraction){n, d};
  assert(by != 0);
  if (by < 0) {
    n = term_neg(t, n);
    by = -by;
  }
  if (n == TERM_ZERO) return whole(n);
  num content = term_content(t, n);
  if (num_to_int(content, &numbers) && numbers > 0) {
    int64_t common = (int64_t)num_gcd_small((uint64_t)numbers, (uint64_t)by);
    if (common > 1) n = term_divide_exact(t, n, term_int(t, common), &n) ? n : n;
    by /= common;
  }
  return (fraction){n, term_int(t, by)};
}

static fraction add(term_table *t, fraction a, fraction b, bool minus) {
  term_id left = a.n, right = b.n, d = a.d;
  assert(a.d != TERM_ZERO && b.d != TERM_ZERO);
  if (a.d != b.d) {
    left = term_mul(t, a.n, b.d);
    right = term_mul(t, b.n, a.d);
    d = term_mul(t, a.d, b.d);
  }
  return reduced(t, minus ? term_sub(t, left, right) : term_add(t, left, right), d);
}

static fraction multiply(term_table *t, fraction a, fraction b) {
  term_id d = term_mul(t, a.d, b.d);
  return reduced(t, term_mul(t, a.n, b.n), d);
}

static bool divide(term_table *t, fraction a, fraction b, fraction *out) {
  if (b.n == TERM_ZERO) return false;
  term_id d = term_mul(t, a.d, b.n);
  *out = reduced(t, term_mul(t, a.n, b.d), d);
  return true;
}

static fraction floor_of(term_table *t, fraction a) {
  assert(a.d != TERM_ZERO);
  return whole(term_floordiv(t, a.n, a.d));
}
static fraction ceil_of(term_table *t, fraction a) {
  assert(a.d != TERM_ZERO);
  return whole(term_ceildiv(t, a.n, a.d));
}

// a - b*floor(a/b)
static bool modulo(term_table *t, fraction a, fraction b, fraction *out) {
  fraction q;
  if (a.d == TERM_ONE && b.d == TERM_ONE && b.n != TERM_ZERO) {
    *out = whole(term_mod(t, a.n, b.n));
    return true;
  }
  if (!divide(t, a, b, &q)) return false;
  *out = add(t, a, multiply(t, b, floor_of(t, q)), true);
  return true;
}

// The sign of a denominator that is no number is not known, and with it which of two is greater.
static bool choose(term_table *t, fraction a, fraction b, bool greater, fraction *out) {
  int64_t number;
  if (a.d != b.d && (!term_int_value(t, a.d, &number) || !term_int_value(t, b.d, &number)))
    return false;
  if (a.d == b.d && !term_int_value(t, a.d, &number)) return false;
  term_id left = a.d == b.d ? a.n : term_mul(t, a.n, b.d);
  term_id right = a.d == b.d ? b.n : term_mul(t, b.n, a.d);
  term_id d = a.d == b.d ? a.d : term_mul(t, a.d, b.d);
  *out = reduced(t, greater ? term_max(t, left, right) : term_min(t, left, right), d);
  return true;
}

static bool power(term_table *t, fraction a, fraction b, fraction *out) {
  int64_t k;
  if (b.d != TERM_ONE || !term_int_value(t, b.n, &k) || k < 0 || k > MAX_EXPONENT) return false;
  term_id d = term_pow(t, a.d, (uint32_t)k);
  *out = reduced(t, term_pow(t, a.n, (uint32_t)k), d);
  return true;
}

// --- functions

typedef enum call {
  CALL_ADD,
  CALL_SUB,
  CALL_MUL,
  CALL_DIVIDE,
  CALL_FLOORDIV,
  CALL_CEILDIV,
  CALL_MOD,
  CALL_MAX,
  CALL_MIN,
  CALL_POW,
  CALL_FLOOR,
  CALL_CEIL,
  CALL_ABS,
  CALL_NEG
} call;

// Names in lower case, as SymPy, torch's shape environment, JAX, onnx-light and the proposal 0010 write them.
static const struct dim_function {
  char name[12];
  uint8_t call, least, most;  // arguments
} DIM_FUNCTIONS[] = {
    {"add", CALL_ADD, 1, MAX_ARGUMENTS},
    {"sub", CALL_SUB, 2, 2},
    {"mul", CALL_MUL, 1, MAX_ARGUMENTS},
    {"max", CALL_MAX, 1, MAX_ARGUMENTS},
    {"min", CALL_MIN, 1, MAX_ARGUMENTS},
    {"mod", CALL_MOD, 2, 2},
    {"pythonmod", CALL_MOD, 2, 2},
    {"floordiv", CALL_FLOORDIV, 2, 2},
    {"ceildiv", CALL_CEILDIV, 2, 2},
    {"ceiltoint", CALL_CEILDIV, 2, 2},
    {"ceiltoint", CALL_CEIL, 1, 1},
    {"floortoint", CALL_FLOOR, 1, 1},
    {"floor", CALL_FLOOR, 1, 1},
    {"ceil", CALL_CEIL, 1, 1},
    {"ceiling", CALL_CEIL, 1, 1},
    {"cleandiv", CALL_DIVIDE, 2, 2},
    {"inttruediv", CALL_DIVIDE, 2, 2},
    {"abs", CALL_ABS, 1, 1},
    {"neg", CALL_NEG, 1, 1},
    {"pow", CALL_POW, 2, 2},
};

static bool apply_two(term_table *t, call function, fraction a, fraction b, fraction *out) {
  fraction q;
  switch (function) {
  case CALL_ADD: *out = add(t, a, b, false); return true;
  case CALL_SUB: *out = add(t, a, b, true); return true;
  case CALL_MUL: *out = multiply(t, a, b); return true;
  case CALL_DIVIDE: return divide(t, a, b, out);
  case CALL_MOD: return modulo(t, a, b, out);
  case CALL_MAX: return choose(t, a, b, true, out);
  case CALL_MIN: return choose(t, a, b, false, out);
  case CALL_POW: return power(t, a, b, out);
  default:
    assert(function == CALL_FLOORDIV || function == CALL_CEILDIV);
    if (!divide(t, a, b, &q)) return false;
    *out = function == CALL_FLOORDIV ? floor_of(t, q) : ceil_of(t, q);
    return true;
  }
}

static bool apply(term_table *t, call function, const fraction *args, uint32_t count,
                  fraction *out) {
  assert(count > 0);
  *out = args[0];
  switch (function) {
  case CALL_FLOOR: *out = floor_of(t, args[0]); return true;
  case CALL_CEIL: *out = ceil_of(t, args[0]); return true;
  case CALL_NEG: *out = add(t, whole(TERM_ZERO), args[0], true); return true;
  case CALL_ABS: return choose(t, args[0], add(t, whole(TERM_ZERO), args[0], true), true, out);
  default: break;
  }
  for (uint32_t i = 1; i < count; i++) {
    if (!apply_two(t, function, *out, args[i], out)) return false;
  }
  return true;
}

static bool is_name(const char *text, size_t length, const char *lower) {
  size_t i = 0;
  for (; i < length && lower[i]; i++) {
    char c = text[i];
    if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
    if (c != lower[i]) return false;
  }
  return i == length && !lower[i];
}

static bool read_lowest(reader *r, fraction *out);

static bool read_call(reader *r, const char *name, size_t length, fraction *out) {
  fraction args[MAX_ARGUMENTS];
  uint32_t count = 0;
  do {
    if (count == MAX_ARGUMENTS || !read_lowest(r, &args[count])) return false;
    count++;
  } while (take(r, ","));
  if (!take(r, ")")) return false;
  for (size_t i = 0; i < sizeof DIM_FUNCTIONS / sizeof *DIM_FUNCTIONS; i++) {
    const struct dim_function *f = &DIM_FUNCTIONS[i];
    if (count < f->least || count > f->most || !is_name(name, length, f->name)) continue;
    return apply(r->terms, (call)f->call, args, count, out);
  }
  return false;
}

// --- the grammar

// 12, 0.125, 1.0: the digits over a power of ten.
static bool read_number(reader *r, fraction *out) {
  int64_t digits = 0, scale = 1;
  bool point = false;
  for (uint32_t count = 0; r->at < r->length; r->at++) {
    char c = r->text[r->at];
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    if (!is_digit(c)) break;
    if (++count > MAX_DIGITS) return false;
    digits = 10 * digits + (c - '0');
    if (point) scale *= 10;
  }
  if (r->at < r->length && is_name_part(r->text[r->at])) return false;
  term_id divisor = term_int(r->terms, scale);
  *out = reduced(r->terms, term_int(r->terms, digits), divisor);
  return true;
}

static bool read_primary(reader *r, fraction *out) {
  char c = peek(r);
  if (is_digit(c)) return read_number(r, out);
  if (take(r, "(")) return read_lowest(r, out) && take(r, ")");
  if (!is_name_start(c)) return false;
  const char *name = r->text + r->at;
  while (r->at < r->length && is_name_part(r->text[r->at])) r->at++;
  size_t length = (size_t)(r->text + r->at - name);
  if (take(r, "(")) return read_call(r, name, length, out);
  term_id n = r->symbol(r->data, name, length);
  *out = whole(n);
  return n != TERM_NONE;
}

static bool read_unary(reader *r, fraction *out);

static bool read_power(reader *r, fraction *out) {
  fraction exponent;
  if (!read_primary(r, out)) return false;
  if (!take(r, "**")) return true;
  return read_unary(r, &exponent) && power(r->terms, *out, exponent, out);
}

static bool read_unary(reader *r, fraction *out) {
  bool negative = false;
  if (++r->nesting > MAX_NESTING) return false;
  for (char c = peek(r); c == '-' || c == '+'; c = peek(r)) {
    negative ^= c == '-';
    r->at++;
  }
  if (!read_power(r, out)) return false;
  if (negative) *out = add(r->terms, whole(TERM_ZERO), *out, true);
  r->nesting--;
  return true;
}

enum { OPERATORS = 4, LEVELS = 4 };

// From the lowest level on; of two that begin alike the longer one is first.
static const struct {
  char token[3];
  uint8_t call;
} LEVEL[LEVELS][OPERATORS + 1] = {
    {{"^", CALL_MAX}},
    {{"&", CALL_MIN}},
    {{"+", CALL_ADD}, {"-", CALL_SUB}},
    {{"*", CALL_MUL}, {"//", CALL_FLOORDIV}, {"/", CALL_DIVIDE}, {"%", CALL_MOD}},
};

static bool take_operator(reader *r, int level, call *out) {
  for (int i = 0; i < OPERATORS && LEVEL[level][i].token[0]; i++) {
    if (!take(r, LEVEL[level][i].token)) continue;
    *out = (call)LEVEL[level][i].call;
    if (*out == CALL_DIVIDE)
      take(r, ":");  // /: says that the quotient is an integer, as a dim has to be
    return true;
  }
  return false;
}

static bool read_level(reader *r, int level, fraction *out) {
  call function;
  fraction right;
  assert(level >= 0 && level <= LEVELS);
  if (level == LEVELS) return read_unary(r, out);
  if (!read_level(r, level + 1, out)) return false;
  while (take_operator(r, level, &function)) {
    if (!read_level(r, level + 1, &right)) return false;
    if (!apply_two(r->terms, function, *out, right, out)) return false;
  }
  return true;
}

static bool read_lowest(reader *r, fraction *out) {
  if (++r->nesting > MAX_NESTING || !read_level(r, 0, out)) return false;
  r->nesting--;
  return true;
}

bool dim_param_read(term_table *terms, const char *text, size_t length,
                    term_id (*symbol)(void *data, const char *name, size_t length), void *data,
                    dim_param *out) {
  reader r = {.terms = terms, .text = text, .length = length, .symbol = symbol, .data = data};
  fraction value;
  if (length > MAX_TEXT || !read_lowest(&r, &value)) return false;
  peek(&r);
  if (r.at < length) return false;
  out->value = term_floordiv(terms, value.n, value.d);
  out->remainder = term_mod(terms, value.n, value.d);
  return true;
}

// torch.onnx names a dim that it does not know after the operator and the value whose dim it is:
// "Squeeze/block/Squeeze_1_output_0_dim_0". Values have the paths of modules, so that reads as a division of names.
static bool is_named_after_value(const char *text, size_t length) {
  static const char LAST[] = "_dim_";
  size_t digits = 0, paths = 0;
  while (digits < length && is_digit(text[length - 1 - digits])) digits++;
  size_t last = sizeof LAST - 1, rest = length - digits;
  if (!digits || rest < last || memcmp(text + rest - last, LAST, last) != 0) return false;
  for (size_t i = 0; i < rest; i++) {
    bool slash = text[i] == '/';
    if (slash && (!i || text[i - 1] == '/')) return false;
    if (!slash && !is_name_part(text[i]) && !strchr("-.:", text[i])) return false;
    paths += slash;
  }
  return paths > 0;
}

bool dim_param_is_candidate(const char *text, size_t length) {
  if (is_named_after_value(text, length)) return false;
  bool name = length > 0 && is_name_start(text[0]);
  for (size_t i = 1; i < length && name; i++) {
    bool joins = text[i] == '-' && is_name_part(text[i - 1]) && i + 1 < length;
    name = is_name_part(text[i]) || (joins && is_name_start(text[i + 1]));
  }
  return !name && length <= MAX_TEXT;
}
