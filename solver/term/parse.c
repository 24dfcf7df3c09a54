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
  const char *text;
  size_t at, length;
  int nesting;
} reader;

static bool fail(reader *r, size_t at, const char *error) {
  if (!r->parser->error) {
    r->parser->error = found_message(r->terms->arena, error, r->text + at, r->text + r->length);
    r->parser->error_at = at;
  }
  return false;
}

// The next byte that is no space, which is not taken; 0 at the end.
static char peek(reader *r) {
  assert(r->at <= r->length);
  for (; r->at < r->length; r->at++) {
    char c = r->text[r->at];
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') return c;
  }
  return 0;
}

static void skip_space(reader *r) { peek(r); }

// Takes one byte; false when the next one is another.
static bool take_byte(reader *r, char byte) {
  if (peek(r) != byte) return false;
  r->at++;
  return true;
}

static bool take(reader *r, const char *token) {
  if (peek(r) != token[0]) return false;
  size_t n = strlen(token);
  if (r->length - r->at < n || memcmp(r->text + r->at, token, n) != 0) return false;
  r->at += n;
  return true;
}

static bool expect(reader *r, char byte, const char *error) {
  return take_byte(r, byte) || fail(r, r->at, error);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_name_start(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}
static bool is_name_part(char c) { return is_name_start(c) || is_digit(c) || c == '.'; }

static bool read_sum(reader *r, term_id *out);

// `second`: where the second argument starts, for messages.
static bool read_args(reader *r, id_list *args, size_t *second) {
  do {
    term_id arg;
    skip_space(r);
    if (args->count == 1) *second = r->at;
    if (!read_sum(r, &arg)) return false;
    id_list_push(r->terms, args, arg);
  } while (take_byte(r, ','));
  return expect(r, ')', "expected ')' or ','");
}

static bool check_divisor(reader *r, size_t at, term_id divisor) {
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
  case CALL_MIN: return term_min_of(t, args, count);
  case CALL_MAX: return term_max_of(t, args, count);
  case CALL_BCAST: return term_bcast(t, args[0], args[1]);
  case CALL_SELECT: return term_select(t, args[0], args[1], args[2]);
  case CALL_IS_ZERO: return term_is_zero(t, args[0]);
  default: return term_is_neg(t, args[0]);
  }
}

static bool fail_count(reader *r, size_t at, const char *name, uint32_t want, uint32_t found) {
  shape_strbuf message;
  strbuf_init(&message, r->terms->arena);
  strbuf_printf(&message, "%s takes %u argument%s, found %u", name, want, want == 1 ? "" : "s",
                found);
  return fail(r, at, strbuf_text(&message));
}

static bool read_call(reader *r, size_t at, function call, term_id *out) {
  scratch_mark mark = scratch_get(r->terms);
  id_list args = {0};
  size_t second = at;
  bool ok = read_args(r, &args, &second);
  uint32_t want = FUNCTIONS[call].args;
  if (ok && want && args.count != want) {
    ok = fail_count(r, at, FUNCTIONS[call].name, want, args.count);
  }
  if (ok && call <= CALL_MOD) ok = check_divisor(r, second, args.ids[1]);
  if (ok) *out = apply(r->terms, call, args.ids, args.count);
  scratch_release(r->terms, mark);
  return ok;
}

static bool look_up(reader *r, size_t at, const char *name, size_t length, term_id *out) {
  term_parser *p = r->parser;
  *out = p->symbol(p->data, name, length);
  if (*out != TERM_NONE) return true;
  if (!p->error) p->unknown = name, p->unknown_length = length;
  return fail(r, at, "unknown symbol");
}

// Of "[12]" at the begin of a text: an element of what is named before it. 0: there is none.
static size_t index_length(const char *text, size_t length) {
  size_t n = 1;
  if (length < 3 || text[0] != '[') return 0;
  while (n < length && is_digit(text[n])) n++;
  return n > 1 && n < length && text[n] == ']' ? n + 1 : 0;
}

// %x, %x#2, %17.0, %{12:7}.0, %x[1]: where an operand may be, a % is no operator.
static bool read_value(reader *r, term_id *out) {
  size_t at = r->at++;
  if (r->at < r->length && r->text[r->at] == '{') {
    while (r->at < r->length && r->text[r->at] != '}') r->at++;
    if (r->at++ == r->length) return fail(r, r->length, "expected '}'");
  }
  while (r->at < r->length &&
         (is_name_part(r->text[r->at]) || r->text[r->at] == '#' || r->text[r->at] == '$'))
    r->at++;
  r->at += index_length(r->text + r->at, r->length - r->at);
  return look_up(r, at, r->text + at, r->at - at, out);
}

static bool fail_function(reader *r, size_t at, const char *name, size_t length) {
  enum { LONGEST = 40 };
  shape_strbuf message;
  strbuf_init(&message, r->terms->arena);
  strbuf_printf(&message, "unknown function '%.*s', there are",
                (int)(length < LONGEST ? length : LONGEST), name);
  for (int i = 0; i < CALL_COUNT; i++)
    strbuf_printf(&message, "%s %s", i ? "," : "", FUNCTIONS[i].name);
  return fail(r, at, strbuf_text(&message));
}

static bool read_name(reader *r, term_id *out) {
  size_t at = r->at;
  while (r->at < r->length && is_name_part(r->text[r->at])) r->at++;
  r->at += index_length(r->text + r->at, r->length - r->at);
  const char *name = r->text + at;
  size_t length = r->at - at;
  if (peek(r) != '(') return look_up(r, at, name, length, out);
  for (int i = 0; i < CALL_COUNT; i++) {
    if (FUNCTIONS[i].length != length || memcmp(FUNCTIONS[i].name, name, length) != 0) continue;
    r->at++;
    return read_call(r, at, (function)i, out);
  }
  return fail_function(r, at, name, length);
}

// In quotes a backslash escapes a quote or a backslash; before anything else it is an ordinary character.
static bool read_quoted(reader *r, term_id *out) {
  size_t open = r->at++, at = r->at, length = 0;
  bool escaped = false;
  for (; r->at < r->length && r->text[r->at] != '"'; r->at++) {
    char next = r->at + 1 < r->length ? r->text[r->at + 1] : 0;
    if (r->text[r->at] != '\\' || (next != '"' && next != '\\')) continue;
    escaped = true;
    r->at++;
  }
  if (r->at >= r->length) return fail(r, r->length, "expected '\"'");
  size_t close = r->at++;
  if (!escaped) return look_up(r, open, r->text + at, close - at, out);
  scratch_mark mark = scratch_get(r->terms);
  char *name = scratch_take(r->terms, close - at);
  for (; at < close; at++) {
    char c = r->text[at], next = r->text[at + 1];
    if (c == '\\' && (next == '"' || next == '\\')) at++;
    name[length++] = r->text[at];
  }
  assert(at == close && length < close - open);
  bool ok = look_up(r, open, name, length, out);
  if (!ok && r->parser->unknown == name) {  // as the text spells it: the copy is gone
    r->parser->unknown = r->text + open + 1;
    r->parser->unknown_length = close - open - 1;
  }
  scratch_release(r->terms, mark);
  return ok;
}

static bool read_number(reader *r, term_id *out) {
  size_t at = r->at;
  int64_t small = 0;  // of the first SHORT digits
  num value;
  for (; r->at < r->length && is_digit(r->text[r->at]); r->at++) {
    if (r->at - at < SHORT) small = 10 * small + (r->text[r->at] - '0');
  }
  if (r->at < r->length && is_name_part(r->text[r->at]))
    return fail(r, r->at, "expected an operator");
  if (r->at - at <= SHORT) {
    *out = small == 0 ? TERM_ZERO : small == 1 ? TERM_ONE : term_int(r->terms, small);
    return true;
  }
  if (!num_parse(r->terms->budget, r->text + at, r->at - at, &value))
    return fail(r, at, "expected an integer");
  *out = term_const(r->terms, value);
  return true;
}

static bool read_primary(reader *r, term_id *out) {
  char c = peek(r);
  if (is_digit(c)) return read_number(r, out);
  if (is_name_start(c)) return read_name(r, out);
  if (c == '%') return read_value(r, out);
  if (c == '"') return read_quoted(r, out);
  if (c != '(') return fail(r, r->at, "expected an expression");
  r->at++;
  return read_sum(r, out) && expect(r, ')', "expected ')'");
}

static bool read_power(reader *r, term_id *out) {
  int64_t exponent;
  term_id right;
  if (!read_primary(r, out)) return false;
  if (!take_byte(r, '^')) return true;
  skip_space(r);
  size_t at = r->at;
  if (!is_digit(peek(r)) || !read_number(r, &right))
    return fail(r, at, "expected a constant exponent");
  if (!term_int_value(r->terms, right, &exponent) || exponent > MAX_EXPONENT) {
    return fail(r, at, "expected an exponent of at most 64");
  }
  assert(exponent >= 0);
  *out = term_pow(r->terms, *out, (uint32_t)exponent);
  return true;
}

static bool read_unary(reader *r, term_id *out) {
  bool negative = false;
  for (char c = peek(r); c == '-' || c == '+'; c = peek(r)) {
    negative ^= c == '-';
    r->at++;
  }
  if (!read_power(r, out)) return false;
  if (negative) *out = term_neg(r->terms, *out);
  return true;
}

static bool read_divisor(reader *r, term_id *out) {
  skip_space(r);
  size_t at = r->at;
  return read_unary(r, out) && check_divisor(r, at, *out);
}

// An operator of division: `//` and `%`, or as affine maps of MLIR spell them. CALL_COUNT: none is here.
static function take_division(reader *r) {
  if (take(r, "//")) return CALL_FLOORDIV;
  if (take_byte(r, '%')) return CALL_MOD;
  for (unsigned call = CALL_FLOORDIV; call <= CALL_MOD; call++) {
    const function_row *row = &FUNCTIONS[call];
    if (peek(r) != row->name[0] || !take(r, row->name)) continue;
    size_t at = r->at - row->length, end = r->at;
    if (end == r->length || !is_name_part(r->text[end])) return (function)call;
    r->at = at;
  }
  return CALL_COUNT;
}

// What follows the first factor of a product, which is in *out.
static bool read_more_factors(reader *r, term_id *out) {
  term_id factor, of[2];
  id_list factors = {0};
  id_list_push(r->terms, &factors, *out);
  for (;;) {
    if (take_byte(r, '*')) {
      if (!read_unary(r, &factor)) return false;
      id_list_push(r->terms, &factors, factor);
      continue;
    }
    function division = take_division(r);
    if (division == CALL_COUNT) break;
    of[0] = term_product_of(r->terms, factors.ids, factors.count);
    if (!read_divisor(r, &of[1])) return false;
    factors.ids[0] = apply(r->terms, division, of, 2);
    factors.count = 1;
  }
  *out = term_product_of(r->terms, factors.ids, factors.count);
  return true;
}

static bool read_product(reader *r, term_id *out) {
  if (!read_unary(r, out)) return false;
  char c = peek(r);
  if (c != '*' && c != '/' && c != '%' && c != 'f' && c != 'c' && c != 'm') return true;
  scratch_mark mark = scratch_get(r->terms);
  bool ok = read_more_factors(r, out);
  scratch_release(r->terms, mark);
  return ok;
}

// What follows the first part of a sum, which is in *out.
static bool read_more_parts(reader *r, term_id *out) {
  id_list parts = {0};
  id_list_push(r->terms, &parts, *out);
  for (char c = peek(r); c == '+' || c == '-'; c = peek(r)) {
    term_id part;
    r->at++;
    if (!read_product(r, &part)) return false;
    id_list_push(r->terms, &parts, c == '-' ? term_neg(r->terms, part) : part);
  }
  *out = term_sum_of(r->terms, parts.ids, parts.count);
  return true;
}

static bool read_sum(reader *r, term_id *out) {
  if (++r->nesting > MAX_NESTING) return fail(r, r->at, "nested too deeply");
  bool ok = read_product(r, out);
  char c = ok ? peek(r) : 0;
  if (c == '+' || c == '-') {
    scratch_mark mark = scratch_get(r->terms);
    ok = read_more_parts(r, out);
    scratch_release(r->terms, mark);
  }
  r->nesting--;
  return ok;
}

static bool start(reader *r, term_parser *parser, const char *text, size_t length) {
  parser->error = NULL;
  parser->error_at = 0;
  *r = (reader){.parser = parser, .terms = parser->terms, .text = text, .length = length};
  return length <= MAX_TEXT || fail(r, MAX_TEXT, "the text is longer than 1 MiB");
}

static bool at_end(reader *r) {
  skip_space(r);
  if (r->at == r->length) return true;
  char c = r->text[r->at];
  return fail(r, r->at,
              c == ')'   ? "no '(' opens this ')'"
              : c == '/' ? "expected //, which rounds down"
                         : "expected an operator or the end");
}

bool term_parse_expr(term_parser *parser, const char *text, size_t length, term_id *out) {
  reader r;
  return start(&r, parser, text, length) && read_sum(&r, out) && at_end(&r);
}

static bool read_relation(reader *r, relation *out) {
  char c = peek(r), next = r->at + 1 < r->length ? r->text[r->at + 1] : 0;
  bool equal = next == '=';
  if (c == '<') {
    *out = equal ? REL_LE : REL_LT;
  } else if (c == '>') {
    *out = equal ? REL_GE : REL_GT;
  } else if ((c == '=' || c == '!') && equal) {
    *out = c == '=' ? REL_EQ : REL_NE;
  } else {
    return fail(r, r->at, c == '=' ? "expected ==" : "expected one of == != < <= > >=");
  }
  r->at += equal ? 2 : 1;
  return true;
}

static bool read_divisible(reader *r, term_id *left, term_id *right) {
  size_t second = 0;
  scratch_mark mark = scratch_get(r->terms);
  id_list args = {0};
  bool ok = read_args(r, &args, &second);
  if (ok && args.count != 2) ok = fail_count(r, 0, "divisible", 2, args.count);
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
  reader r;
  if (!start(&r, parser, text, length)) return false;
  if (peek(&r) == 'd' && take(&r, "divisible")) {
    if (take_byte(&r, '(')) {
      *kind = REL_DIVISIBLE;
      return read_divisible(&r, left, right);
    }
    r.at = 0;
  }
  return read_sum(&r, left) && read_relation(&r, kind) && read_sum(&r, right) && at_end(&r);
}
