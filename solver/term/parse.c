// SPDX-License-Identifier: Apache-2.0
// Recursive descent. Sums, products and argument lists are collected and built at their end, so
// that a long one costs n log n. Beyond the documented grammar, select(c, a, b), is_zero(a) and
// is_neg(a) are read back as the printer writes them.
#include "solver/term/parse.h"

#include <assert.h>
#include <string.h>

#include "solver/base/found.h"
#include "solver/term/build.h"

enum { MAX_NESTING = 200, MAX_EXPONENT = 64, MAX_TEXT = 1 << 20, SHORT = 18 };

typedef struct reader {
  term_parser *parser;
  term_table *terms;
  const char *text, *at, *end;  // `at` is never at a space
  term_id value;                // what was read last
  int nesting;
} reader;

static bool fail(reader *r, const char *at, const char *error) {
  if (!r->parser->error) {
    r->parser->error = found_message(r->terms->arena, error, at, r->end);
    r->parser->error_at = (size_t)(at - r->text);
  }
  return false;
}

enum { BYTE_SPACE = 1, BYTE_DIGIT = 2, BYTE_START = 4, BYTE_PART = 8 };  // START, PART: of names

static const uint8_t BYTES[256] = {
    [' '] = BYTE_SPACE,
    ['\t'] = BYTE_SPACE,
    ['\r'] = BYTE_SPACE,
    ['\n'] = BYTE_SPACE,
    ['.'] = BYTE_PART,
    ['_'] = BYTE_START | BYTE_PART,
    ['0' ... '9'] = BYTE_DIGIT | BYTE_PART,
    ['A' ... 'Z'] = BYTE_START | BYTE_PART,
    ['a' ... 'z'] = BYTE_START | BYTE_PART,
};

static inline bool is_byte(char c, unsigned kinds) { return BYTES[(unsigned char)c] & kinds; }
static inline bool is_digit(char c) { return is_byte(c, BYTE_DIGIT); }
static inline bool is_name_start(char c) { return is_byte(c, BYTE_START); }
static inline bool is_name_part(char c) { return is_byte(c, BYTE_PART); }

// Goes on at `to`, or past the spaces there.
static inline void go(reader *r, const char *to) {
  assert(to <= r->end);
  const char *end = r->end;
  while (to < end && is_byte(*to, BYTE_SPACE)) to++;
  r->at = to;
}

// The next byte; 0 at the end.
static inline char peek(const reader *r) { return r->at < r->end ? *r->at : 0; }

// Takes one byte; false when the next one is another.
static inline bool take_byte(reader *r, char byte) {
  if (peek(r) != byte) return false;
  go(r, r->at + 1);
  return true;
}

static inline bool expect(reader *r, char byte, const char *error) {
  return take_byte(r, byte) || fail(r, r->at, error);
}

static bool read_sum(reader *r);

// `second`: where the second argument starts, for messages.
static bool read_args(reader *r, id_list *args, const char **second) {
  do {
    if (args->count == 1) *second = r->at;
    if (!read_sum(r)) return false;
    id_list_push(r->terms, args, r->value);
  } while (take_byte(r, ','));
  return expect(r, ')', "expected ')' or ','");
}

static bool check_divisor(reader *r, const char *at, term_id divisor) {
  if (divisor == TERM_ZERO) return fail(r, at, "division by zero");
  if (term_kind_of(r->terms, divisor) != TERM_CONST && r->parser->divisor) {
    r->parser->divisor(r->parser->data, divisor);
  }
  return true;
}

typedef enum function {
  CALL_FLOORDIV,
  CALL_CEILDIV,
  CALL_MOD,
  CALL_MIN,
  CALL_MAX,
  CALL_BCAST,
  CALL_SELECT,
  CALL_IS_ZERO,
  CALL_IS_NEG,
  CALL_COUNT
} function;

typedef struct function_row {
  const char *name;
  uint32_t length, args;  // args 0: one or more
} function_row;

static const function_row FUNCTIONS[CALL_COUNT] = {
    [CALL_FLOORDIV] = {"floordiv", 8, 2}, [CALL_CEILDIV] = {"ceildiv", 7, 2},
    [CALL_MOD] = {"mod", 3, 2},           [CALL_MIN] = {"min", 3, 0},
    [CALL_MAX] = {"max", 3, 0},           [CALL_BCAST] = {"bcast", 5, 2},
    [CALL_SELECT] = {"select", 6, 3},     [CALL_IS_ZERO] = {"is_zero", 7, 1},
    [CALL_IS_NEG] = {"is_neg", 6, 1}};

static term_id apply(term_table *t, function call, const term_id *args, uint32_t count) {
  assert(count > 0 && (!FUNCTIONS[call].args || count == FUNCTIONS[call].args));
  switch (call) {
  case CALL_FLOORDIV: return term_floordiv(t, args[0], args[1]);
  case CALL_CEILDIV: return term_ceildiv(t, args[0], args[1]);
  case CALL_MOD: return term_mod(t, args[0], args[1]);
  case CALL_MIN: return count == 2 ? term_min(t, args[0], args[1]) : term_min_of(t, args, count);
  case CALL_MAX: return count == 2 ? term_max(t, args[0], args[1]) : term_max_of(t, args, count);
  case CALL_BCAST: return term_bcast(t, args[0], args[1]);
  case CALL_SELECT: return term_select(t, args[0], args[1], args[2]);
  case CALL_IS_ZERO: return term_is_zero(t, args[0]);
  default: return term_is_neg(t, args[0]);
  }
}

static bool fail_count(reader *r, const char *at, const char *name, uint32_t want, uint32_t found) {
  shape_strbuf message;
  strbuf_init(&message, r->terms->arena);
  strbuf_printf(&message, "%s takes %u argument%s, found %u", name, want, want == 1 ? "" : "s",
                found);
  return fail(r, at, strbuf_text(&message));
}

static bool read_call(reader *r, const char *at, function call) {
  scratch_mark mark = scratch_get(r->terms);
  id_list args = {0};
  const char *second = at;
  bool ok = read_args(r, &args, &second);
  uint32_t want = FUNCTIONS[call].args;
  if (ok && want && args.count != want) {
    ok = fail_count(r, at, FUNCTIONS[call].name, want, args.count);
  }
  if (ok && call <= CALL_MOD) ok = check_divisor(r, second, args.ids[1]);
  if (ok) r->value = apply(r->terms, call, args.ids, args.count);
  scratch_release(r->terms, mark);
  return ok;
}

static __attribute__((cold)) bool fail_unknown(reader *r, const char *at, const char *name,
                                               size_t length) {
  term_parser *p = r->parser;
  if (!p->error) p->unknown = name, p->unknown_length = length;
  return fail(r, at, "unknown symbol");
}

static inline bool look_up(reader *r, const char *at, const char *name, size_t length) {
  r->value = r->parser->symbol(r->parser->data, name, length);
  return r->value != TERM_NONE || fail_unknown(r, at, name, length);
}

// Of "[12]" at the begin of a text: an element of what is named before it. 0: there is none.
static size_t index_length(const char *text, size_t length) {
  size_t n = 1;
  if (length < 3 || text[0] != '[') return 0;
  while (n < length && is_digit(text[n])) n++;
  return n > 1 && n < length && text[n] == ']' ? n + 1 : 0;
}

// Past an index after a name that ends at `to`, where there is one.
static inline const char *name_end(const reader *r, const char *to) {
  return to < r->end && *to == '[' ? to + index_length(to, (size_t)(r->end - to)) : to;
}

// %x, %x#2, %17.0, %{12:7}.0, %x[1]: where an operand may be, a % is no operator.
static bool read_value(reader *r) {
  const char *at = r->at, *to = at + 1;
  if (to < r->end && *to == '{') {
    while (to < r->end && *to != '}') to++;
    if (to++ == r->end) return fail(r, r->end, "expected '}'");
  }
  while (to < r->end && (is_name_part(*to) || *to == '#' || *to == '$')) to++;
  to = name_end(r, to);
  go(r, to);
  return look_up(r, at, at, (size_t)(to - at));
}

static bool fail_function(reader *r, const char *name, size_t length) {
  enum { LONGEST = 40 };
  shape_strbuf message;
  strbuf_init(&message, r->terms->arena);
  strbuf_printf(&message, "unknown function '%.*s', there are",
                (int)(length < LONGEST ? length : LONGEST), name);
  for (int i = 0; i < CALL_COUNT; i++)
    strbuf_printf(&message, "%s %s", i ? "," : "", FUNCTIONS[i].name);
  return fail(r, name, strbuf_text(&message));
}

static bool read_name(reader *r) {
  const char *name = r->at, *to = name, *end = r->end;
  while (to < end && is_name_part(*to)) to++;
  to = name_end(r, to);
  size_t length = (size_t)(to - name);
  go(r, to);
  if (peek(r) != '(') return look_up(r, name, name, length);
  for (int i = 0; i < CALL_COUNT; i++) {
    if (FUNCTIONS[i].length != length || memcmp(FUNCTIONS[i].name, name, length) != 0) continue;
    go(r, r->at + 1);
    return read_call(r, name, (function)i);
  }
  return fail_function(r, name, length);
}

// In quotes a backslash escapes a quote or a backslash; before anything else it is an ordinary character.
static bool read_quoted(reader *r) {
  const char *open = r->at, *at = open + 1, *close = at;
  size_t length = 0;
  bool escaped = false;
  for (; close < r->end && *close != '"'; close++) {
    char next = close + 1 < r->end ? close[1] : 0;
    if (*close != '\\' || (next != '"' && next != '\\')) continue;
    escaped = true;
    close++;
  }
  if (close >= r->end) return fail(r, r->end, "expected '\"'");
  go(r, close + 1);
  if (!escaped) return look_up(r, open, at, (size_t)(close - at));
  scratch_mark mark = scratch_get(r->terms);
  char *name = scratch_take(r->terms, (size_t)(close - at));
  for (; at < close; at++) {
    if (*at == '\\' && (at[1] == '"' || at[1] == '\\')) at++;
    name[length++] = *at;
  }
  assert(at == close && length < (size_t)(close - open));
  bool ok = look_up(r, open, name, length);
  if (!ok && r->parser->unknown == name) {  // as the text spells it: the copy is gone
    r->parser->unknown = open + 1;
    r->parser->unknown_length = (size_t)(close - open) - 1;
  }
  scratch_release(r->terms, mark);
  return ok;
}

static bool read_number(reader *r) {
  const char *from = r->at, *to = from, *end = r->end;
  uint64_t small = 0;  // of SHORT digits; it wraps where there are more
  for (; to < end && is_digit(*to); to++) small = 10 * small + (uint64_t)(*to - '0');
  if (to < r->end && is_name_part(*to)) return fail(r, to, "expected an operator");
  go(r, to);
  num value = NUM((int64_t)small);
  if (to - from > SHORT && !num_parse(r->terms->budget, from, (size_t)(to - from), &value))
    return fail(r, from, "expected an integer");
  r->value = term_const(r->terms, value);
  return true;
}

static inline bool read_primary(reader *r) {
  char c = peek(r);
  if (is_name_start(c)) return read_name(r);
  if (is_digit(c)) return read_number(r);
  if (c == '(') {
    go(r, r->at + 1);
    return read_sum(r) && expect(r, ')', "expected ')'");
  }
  if (c == '%') return read_value(r);
  if (c == '"') return read_quoted(r);
  return fail(r, r->at, "expected an expression");
}

// What follows the base of a power, which is the value.
static bool read_exponent(reader *r) {
  int64_t exponent;
  term_id base = r->value;
  const char *at = r->at;
  if (!is_digit(peek(r)) || !read_number(r)) return fail(r, at, "expected a constant exponent");
  if (!term_int_value(r->terms, r->value, &exponent) || exponent > MAX_EXPONENT)
    return fail(r, at, "expected an exponent of at most 64");
  assert(exponent >= 0);
  r->value = term_pow(r->terms, base, (uint32_t)exponent);
  return true;
}

static bool read_unary(reader *r) {
  bool negative = false;
  for (char c = peek(r); c == '-' || c == '+'; c = peek(r)) {
    negative ^= c == '-';
    go(r, r->at + 1);
  }
  if (!read_primary(r) || (take_byte(r, '^') && !read_exponent(r))) return false;
  if (negative) r->value = term_neg(r->terms, r->value);
  return true;
}

// An operator of division: `//` and `%`, or as affine maps of MLIR spell them. CALL_COUNT: none is here.
static function take_division(reader *r) {
  const char *at = r->at;
  size_t left = (size_t)(r->end - at);
  if (take_byte(r, '%')) return CALL_MOD;
  if (left > 1 && at[0] == '/' && at[1] == '/') {
    go(r, at + 2);
    return CALL_FLOORDIV;
  }
  for (unsigned call = CALL_FLOORDIV; call <= CALL_MOD; call++) {
    const function_row *row = &FUNCTIONS[call];
    if (row->length > left || memcmp(at, row->name, row->length) != 0 ||
        (row->length < left && is_name_part(at[row->length])))
      continue;
    go(r, at + row->length);
    return (function)call;
  }
  return CALL_COUNT;
}

// May the byte begin an operator of a product?
static inline bool is_factor_sign(char c) {
  return c == '*' || c == '/' || c == '%' || c == 'f' || c == 'c' || c == 'm';
}

// What follows the first factor of a product, which is the value.
static bool read_more_factors(reader *r) {
  id_list factors = {0};
  id_list_push(r->terms, &factors, r->value);
  for (char c = peek(r); is_factor_sign(c); c = peek(r)) {
    if (take_byte(r, '*')) {
      if (!read_unary(r)) return false;
      id_list_push(r->terms, &factors, r->value);
      continue;
    }
    function division = take_division(r);
    if (division == CALL_COUNT) break;
    const char *at = r->at;
    term_id of[2] = {term_product_of(r->terms, factors.ids, factors.count)};
    if (!read_unary(r) || !check_divisor(r, at, r->value)) return false;
    of[1] = r->value;
    factors.ids[0] = apply(r->terms, division, of, 2);
    factors.count = 1;
  }
  r->value = term_product_of(r->terms, factors.ids, factors.count);
  return true;
}

static inline bool read_product(reader *r) {
  if (!read_unary(r)) return false;
  if (!is_factor_sign(peek(r))) return true;
  scratch_mark mark = scratch_get(r->terms);
  bool ok = read_more_factors(r);
  scratch_release(r->terms, mark);
  return ok;
}

static inline bool is_sign(char c) { return c == '+' || c == '-'; }

// What follows the first part of a sum, which is the value.
static bool read_more_parts(reader *r) {
  term_table *t = r->terms;
  id_list parts = {0};
  id_list_push(t, &parts, r->value);
  for (char sign = peek(r), next; is_sign(sign); sign = next) {
    go(r, r->at + 1);
    if (!read_product(r)) return false;
    next = peek(r);
    if (parts.count == 1 && !is_sign(next)) {  // as most
      r->value =
          sign == '-' ? term_sub(t, parts.ids[0], r->value) : term_add(t, parts.ids[0], r->value);
      return true;
    }
    id_list_push(t, &parts, sign == '-' ? term_neg(t, r->value) : r->value);
  }
  r->value = term_sum_of(t, parts.ids, parts.count);
  return true;
}

static bool read_sum(reader *r) {
  if (++r->nesting > MAX_NESTING) return fail(r, r->at, "nested too deeply");
  bool ok = read_product(r);
  if (ok && is_sign(peek(r))) {
    scratch_mark mark = scratch_get(r->terms);
    ok = read_more_parts(r);
    scratch_release(r->terms, mark);
  }
  r->nesting--;
  return ok;
}

static bool start(reader *r, term_parser *parser, const char *text, size_t length) {
  parser->error = NULL;
  parser->error_at = 0;
  r->parser = parser;
  r->terms = parser->terms;
  r->text = text;
  r->end = text + length;
  r->nesting = 0;
  go(r, text);
  return length <= MAX_TEXT || fail(r, text + MAX_TEXT, "the text is longer than 1 MiB");
}

static bool at_end(reader *r) {
  if (r->at == r->end) return true;
  char c = *r->at;
  return fail(r, r->at,
              c == ')'   ? "no '(' opens this ')'"
              : c == '/' ? "expected //, which rounds down"
                         : "expected an operator or the end");
}

bool term_parse_expr(term_parser *parser, const char *text, size_t length, term_id *out) {
  reader r;
  if (!start(&r, parser, text, length) || !read_sum(&r)) return false;
  *out = r.value;
  return at_end(&r);
}

static bool read_relation(reader *r, relation *out) {
  char c = peek(r);
  bool equal = r->end - r->at > 1 && r->at[1] == '=';
  if (c == '<') {
    *out = equal ? REL_LE : REL_LT;
  } else if (c == '>') {
    *out = equal ? REL_GE : REL_GT;
  } else if ((c == '=' || c == '!') && equal) {
    *out = c == '=' ? REL_EQ : REL_NE;
  } else {
    return fail(r, r->at, c == '=' ? "expected ==" : "expected one of == != < <= > >=");
  }
  go(r, r->at + (equal ? 2 : 1));
  return true;
}

static bool read_divisible(reader *r, term_id *left, term_id *right) {
  const char *second = r->text;
  scratch_mark mark = scratch_get(r->terms);
  id_list args = {0};
  bool ok = read_args(r, &args, &second);
  if (ok && args.count != 2) ok = fail_count(r, r->text, "divisible", 2, args.count);
  if (ok) ok = check_divisor(r, second, args.ids[1]);
  if (ok) {
    *left = args.ids[0];
    *right = args.ids[1];
  }
  scratch_release(r->terms, mark);
  return ok && at_end(r);
}

bool term_parse_predicate(term_parser *parser, const char *text, size_t length, relation *kind,
                          term_id *left, term_id *right) {
  static const char DIVISIBLE[] = "divisible";
  enum { WORD = sizeof DIVISIBLE - 1 };
  reader r;
  if (!start(&r, parser, text, length)) return false;
  const char *first = r.at;
  if (peek(&r) == 'd' && r.end - first >= WORD && memcmp(first, DIVISIBLE, WORD) == 0) {
    go(&r, first + WORD);
    if (take_byte(&r, '(')) {
      *kind = REL_DIVISIBLE;
      return read_divisible(&r, left, right);
    }
    r.at = first;
  }
  if (!read_sum(&r)) return false;
  *left = r.value;
  if (!read_relation(&r, kind) || !read_sum(&r)) return false;
  *right = r.value;
  return at_end(&r);
}
