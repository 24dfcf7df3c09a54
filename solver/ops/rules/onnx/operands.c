// SPDX-License-Identifier: Apache-2.0
// Operators of com.microsoft, and quantised ones of ONNX, by a table of the shapes of their operands and results (onnx_operands.def).
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "solver/ops/registry.h"
#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"

typedef struct operand_row {
  const char *op, *when, *operands, *results;
} operand_row;

static const operand_row ROWS[] = {
#define X(op, when, operands, results) {op, when, operands, results},
#include "solver/ops/onnx_operands.def"
#undef X
};

enum { ROW_COUNT = sizeof ROWS / sizeof *ROWS, LETTERS = 26, SHAPES_MAX = 8, NAME_MAX = 48 };
static const char FIT[] = "the operands fit together";

typedef struct shape_reader {
  rule_context *c;
  const char *at;
  term_id bound[LETTERS];         // of A to Z; TERM_NONE: not met as yet
  const char *binder[LETTERS];    // the dim that bound it
  term_id binder_count[LETTERS];  // what it is multiplied by there
  uint32_t leading;               // axes of operand 0 that come before those of the table
  const char *fresh_text;         // the last dim of a result that is not known
  term_id fresh;
  bool open;  // something is not known as yet
} shape_reader;

// --- one dim: sums and products of numbers, letters, $attributes, @operand.axis and #operand, what it holds

static term_id read_sum(shape_reader *r);

static int64_t read_number(shape_reader *r) {
  int64_t number = 0;
  for (; *r->at >= '0' && *r->at <= '9'; r->at++) number = 10 * number + (*r->at - '0');
  return number;
}

static term_id read_attribute(shape_reader *r) {
  char name[NAME_MAX];
  uint32_t length = 0;
  r->at++;
  while (strchr("_abcdefghijklmnopqrstuvwxyzKN", *r->at) && *r->at) {
    assert(length + 1 < NAME_MAX);
    name[length++] = *r->at++;
  }
  name[length] = 0;
  const int64_t *ints;
  uint32_t count;
  if (*r->at == '.') {
    r->at++;
    uint32_t i = (uint32_t)read_number(r);
    bool given = rule_attr(r->c, name) != ATTR_NONE && rule_ints(r->c, name, &ints, &count);
    return given && i < count ? rule_int_term(r->c, ints[i]) : TERM_NONE;
  }
  int64_t otherwise = -1;
  if (*r->at == ':') {
    r->at++;
    otherwise = read_number(r);
  }
  int64_t value = onnx_int(r->c, name, otherwise);
  return value < 0 ? TERM_NONE : rule_int_term(r->c, value);
}

static term_id read_operand_dim(shape_reader *r) {
  r->at++;
  const value_info *v = rule_operand(r->c, (uint32_t)read_number(r));
  assert(*r->at == '.');
  r->at++;
  uint32_t axis = (uint32_t)read_number(r);
  return v->ranked && axis < v->rank ? v->dims[axis] : TERM_NONE;
}

static term_id read_held(shape_reader *r) {
  r->at++;
  uint32_t operand = (uint32_t)read_number(r), count, index = 0;
  bool listed = *r->at == '.';
  if (listed) {
    r->at++;
    index = (uint32_t)read_number(r);
  }
  if (!onnx_has(r->c, operand)) return TERM_NONE;
  const term_id *e = rule_elements(r->c, operand, &count);
  return e && (listed ? index < count : count == 1) ? e[index] : TERM_NONE;
}

static term_id read_call(shape_reader *r, bool larger) {
  r->at += larger ? sizeof "max(" - 1 : sizeof "ceil(" - 1;
  term_id a = read_sum(r);
  assert(*r->at == ',');
  r->at++;
  term_id b = read_sum(r);
  assert(*r->at == ')');
  r->at++;
  if (a == TERM_NONE || b == TERM_NONE || (!larger && !math_is_positive(r->c, b))) return TERM_NONE;
  a = store_canon(r->c->store, a);
  return larger ? term_max(r->c->terms, a, b) : term_ceildiv(r->c->terms, a, b);
}

static term_id read_atom(shape_reader *r) {
  if (*r->at == '$') return read_attribute(r);
  if (*r->at == '@') return read_operand_dim(r);
  if (*r->at == '#') return read_held(r);
  if (*r->at == 'm' || *r->at == 'c') return read_call(r, *r->at == 'm');
  if (*r->at >= 'A' && *r->at <= 'Z') return r->bound[*r->at++ - 'A'];
  if (*r->at == '(') {
    r->at++;
    term_id t = read_sum(r);
    assert(*r->at == ')');
    r->at++;
    return t;
  }
  assert(*r->at >= '0' && *r->at <= '9');
  return rule_int_term(r->c, read_number(r));
}

// TERM_NONE: not known, as where a divisor may be 0 or less.
static term_id combine(shape_reader *r, term_id a, char sign, term_id b) {
  term_table *terms = r->c->terms;
  if (a == TERM_NONE || b == TERM_NONE) return TERM_NONE;
  switch (sign) {
  case '+': return term_add(terms, a, b);
  case '-': return term_sub(terms, a, b);
  case '*': return term_mul(terms, a, b);
  default:
    assert(sign == '/');
    if (!math_is_positive(r->c, b)) return TERM_NONE;
    return term_floordiv(terms, store_canon(r->c->store, a), b);
  }
}

static term_id read_product(shape_reader *r) {
  term_id t = read_atom(r);
  while (*r->at == '*' || *r->at == '/') {
    char sign = *r->at++;
    t = combine(r, t, sign, read_atom(r));
  }
  return t;
}

static term_id read_sum(shape_reader *r) {
  term_id t = read_product(r);
  while (*r->at == '+' || *r->at == '-') {
    char sign = *r->at++;
    t = combine(r, t, sign, read_product(r));
  }
  return t;
}

static const char *dim_end(const char *at) {
  for (uint32_t depth = 0; *at && (depth || !strchr(",| ", *at)); at++)
    depth += (uint32_t)(*at == '(') - (uint32_t)(*at == ')');
  return at;
}

// A letter that nothing binds as yet, alone or after what it is multiplied by, is bound by the dim, but not where the dim may
// be 1 as well.
static void bind_dim(shape_reader *r, term_id dim) {
  const char *start = r->at, *end = dim_end(start);
  assert(end > start);
  char letter = end[-1];
  bool alone = end - start == 1, times = !alone && end[-2] == '*';
  r->at = end;
  if (*start == '~' || *start == '^' || letter < 'A' || letter > 'Z' || (!alone && !times)) return;
  uint32_t i = (uint32_t)(letter - 'A');
  if (r->bound[i] != TERM_NONE) return;
  if (alone) {
    r->bound[i] = dim;
    return;
  }
  r->at = start;
  term_id count = read_atom(r);
  bool factor = r->at == end - 2;
  r->at = end;
  if (!factor || count == TERM_NONE || !math_is_positive(r->c, count)) return;
  r->binder[i] = start;
  r->binder_count[i] = count;
  r->bound[i] = term_floordiv(r->c->terms, store_canon(r->c->store, dim), count);
}

// `letter` is what the table says of the dim, where that is one character.
static void require_need(rule_context *c, predicate need, char letter) {
  term_id dim = need.left, size = need.right;
  if (need.rel == REL_DIVISIBLE) {
    rule_require(c, need, "a dim splits evenly");
    return;
  }
  if (need.rel != REL_EQ) {
    rule_require(c, need, "the dims of the operands fit together");
    return;
  }
  switch (letter) {
  case 'B': rule_require_eq(c, dim, size, "the batches are equal"); break;
  case 'C': rule_require_eq(c, dim, size, "there are as many scales as biases"); break;
  case 'S': rule_require_eq(c, dim, size, "the lengths are equal"); break;
  case 'H': rule_require_eq(c, dim, size, "the operands have one hidden dim"); break;
  default: rule_require_eq(c, dim, size, "the dims of the operands fit together"); break;
  }
}

// What a dim has to be. REL_EQ with TERM_NONE: nothing.
static predicate read_need(shape_reader *r, term_id dim) {
  const char *start = r->at, *end = dim_end(start);
  predicate none = predicate_make(REL_EQ, dim, dim);
  bool any_loose = *start == '^', loose = *start == '~' || any_loose, least = *start == '>',
       even = *start == '%';
  r->at += loose || least || even;
  for (uint32_t i = 0; i < LETTERS; i++) {
    if (r->binder[i] != start) continue;
    r->at = end;
    return predicate_make(REL_DIVISIBLE, store_canon(r->c->store, dim), r->binder_count[i]);
  }
  term_id size = *r->at == '?' ? TERM_NONE : read_sum(r);
  bool any = *start == '?';
  r->at = end;
  if (size == TERM_NONE) {
    r->open |= !any;
    return none;
  }
  if (least) return predicate_make(REL_GE, dim, size);
  if (even) return predicate_make(REL_DIVISIBLE, store_canon(r->c->store, dim), size);
  if (!loose) return predicate_make(REL_EQ, dim, size);
  dim = store_canon(r->c->store, dim);
  shape_answer one = store_holds(r->c->store, predicate_make(REL_EQ, dim, TERM_ONE));
  if (one == SHAPE_YES) return none;
  if (any_loose && one == SHAPE_NO && math_is_positive(r->c, dim) &&
      store_holds(r->c->store, predicate_make(REL_EQ, dim, size)) == SHAPE_NO)
    return none;
  return predicate_make(REL_EQ, one == SHAPE_NO ? dim : term_bcast(r->c->terms, dim, size), size);
}

// --- one operand: shapes with | between them

typedef struct shape_spec {
  const char *dims;  // after ".."
  uint32_t count;
  bool open;  // any axes come before
} shape_spec;

static uint32_t count_dims(const char *shape) {
  if (*shape == '.') return 0;
  uint32_t count = 1;
  for (shape = dim_end(shape); *shape == ','; shape = dim_end(shape + 1)) count++;
  return count;
}

static bool fits_rank(const value_info *v, const shape_spec *s) {
  return !v->ranked || (s->open ? v->rank >= s->count : v->rank == s->count);
}

// The shapes of a text for an operand: those of its element type, of any rank. O(length).
static uint32_t list_shapes(rule_context *c, const char *text, uint32_t operand, shape_spec *out) {
  uint32_t used = 0;
  bool bytes = rule_operand_dtype(c, operand) == DTYPE_UI8;
  for (const char *at = text + strspn(text, "!*"); *at && *at != ' ';) {
    const char *end = at + strcspn(at, "| ");
    bool wanted = true;
    if (at[1] == '\'') {
      wanted = (*at == 'u') == bytes;
      at += 2;
    }
    shape_spec s = {.dims = at, .open = at[0] == '.' && at[1] == '.'};
    if (s.open) s.dims += 2;
    s.count = count_dims(s.dims);
    assert(used < SHAPES_MAX);
    if (wanted) out[used++] = s;
    at = end + (*end == '|');
  }
  return used;
}

// Keeps the shapes that have the operand's rank, and gives an operand of unknown rank the only one.
static uint32_t keep_ranks(rule_context *c, uint32_t operand, shape_spec *shapes, uint32_t count) {
  uint32_t used = 0;
  const value_info *v = rule_operand(c, operand);
  if (!v->ranked && count == 1 && !shapes->open) onnx_rank(c, operand, shapes->count);
  v = rule_operand(c, operand);
  for (uint32_t i = 0; v->ranked && i < count; i++)
    if (fits_rank(v, &shapes[i])) shapes[used++] = shapes[i];
  return used;
}

static const char *next_dim(const char *at) {
  at = dim_end(at);
  return at + (*at == ',');
}

static void bind_operand(shape_reader *r, const char *text, uint32_t operand) {
  shape_spec shapes[SHAPES_MAX];
  uint32_t count = list_shapes(r->c, text, operand, shapes);
  if (keep_ranks(r->c, operand, shapes, count) != 1) return;
  const value_info *v = rule_operand(r->c, operand);
  if (operand == 0) r->leading = v->rank - shapes->count;
  const char *at = shapes->dims;
  for (uint32_t i = 0; i < shapes->count; i++, at = next_dim(at)) {
    r->at = at;
    bind_dim(r, v->dims[v->rank - shapes->count + i]);
  }
}

// Whether each dim of a shape is as it has to be: SHAPE_NO when one is not.
static shape_answer shape_holds(shape_reader *r, const value_info *v, const shape_spec *s) {
  shape_answer all = SHAPE_YES;
  const char *at = s->dims;
  for (uint32_t i = 0; i < s->count && all != SHAPE_NO; i++, at = next_dim(at)) {
    r->at = at;
    shape_answer one = store_holds(r->c->store, read_need(r, v->dims[v->rank - s->count + i]));
    if (one != SHAPE_YES) all = one;
  }
  return all;
}

static predicate need_at(shape_reader *r, const value_info *v, const shape_spec *s, uint32_t axis) {
  r->at = s->dims;
  for (uint32_t i = 0; i < axis; i++) r->at = next_dim(r->at);
  return read_need(r, v->dims[v->rank - s->count + axis]);
}

// What all of the shapes need. False when they differ in something.
static bool require_shapes(shape_reader *r, const value_info *v, const shape_spec *s,
                           uint32_t count) {
  bool agree = true;
  const char *at = s->dims;
  for (uint32_t i = 0; i < s->count; i++, at = next_dim(at)) {
    predicate need = need_at(r, v, s, i);
    bool same = true;
    for (uint32_t k = 1; k < count && same; k++) {
      predicate other = need_at(r, v, &s[k], i);
      same = other.rel == need.rel && other.left == need.left && other.right == need.right;
    }
    agree &= same;
    if (!same) continue;
    require_need(r->c, need, dim_end(at) - at == 1 ? *at : 0);
  }
  return agree;
}

// One shape is required; of several, the one that is known to be meant.
static void require_operand(shape_reader *r, const char *text, uint32_t operand) {
  rule_context *c = r->c;
  shape_spec shapes[SHAPES_MAX];
  uint32_t all = list_shapes(c, text, operand, shapes), left = 0;
  const value_info *v = rule_operand(c, operand);
  if (all && !v->ranked) {
    r->open = true;
    rule_unchecked(c, FIT, ONNX_NO_RANK);
    return;
  }
  uint32_t count = keep_ranks(c, operand, shapes, all);
  if (all && !count && shapes->open)
    rule_error(c, "rank", "operand #%u has rank %u, at least %u is needed", operand, v->rank,
               shapes->count);
  else if (all && !count)
    rule_error(c, "rank", "operand #%u has rank %u, it needs rank %u", operand, v->rank,
               shapes->count);
  for (uint32_t i = 0; count > 1 && i < count; i++) {
    shape_answer holds = shape_holds(r, v, &shapes[i]);
    if (holds == SHAPE_YES) {  // what is known may come from this requirement: it is stated again
      require_shapes(r, v, &shapes[i], 1);
      return;
    }
    if (holds == SHAPE_UNKNOWN) shapes[left++] = shapes[i];
  }
  if (count && !require_shapes(r, v, shapes, left ? left : 1))
    rule_unchecked(c, FIT, "an operand may have one of several shapes");
}

// --- rows

// A shape of any rank with the number of elements that the text says.
static void require_elements(shape_reader *r, const char *text, uint32_t operand) {
  static const char WHAT[] = "the number of elements fits the other operands";
  const value_info *v = rule_operand(r->c, operand);
  r->at = text + 1;
  term_id count = v->ranked ? read_sum(r) : TERM_NONE;
  if (count == TERM_NONE) {
    r->open = true;
    rule_unchecked(r->c, WHAT, v->ranked ? "it is not known how many there are" : ONNX_NO_RANK);
    return;
  }
  rule_require_eq(r->c, term_product_of(r->c->terms, v->dims, v->rank), count, WHAT);
}

// Whether a word has shapes: it is not "*", "_", "-" or "=N".
static bool has_shapes(const char *word) {
  return *word != '_' && *word != '-' && *word != '=' &&
         (*word != '*' || (word[1] && word[1] != ' '));
}

static const char *next_word(const char *text) {
  text += strcspn(text, " ");
  return text + (*text == ' ');
}

static bool holds_when(rule_context *c, const char *when, size_t length) {
  char name[NAME_MAX];
  const char *value = memchr(when, '=', length);
  assert(value && (size_t)(value - when) < sizeof name);
  memcpy(name, when, (size_t)(value - when));
  name[value - when] = 0;
  size_t rest = length - (size_t)(++value - when);
  if (!rest) return rule_attr(c, name) != ATTR_NONE;
  if (*value == '!') return onnx_int(c, name, 0) != strtol(value + 1, NULL, 10);
  if (*value >= '0' && *value <= '9') return onnx_int(c, name, 0) == strtol(value, NULL, 10);
  char text[NAME_MAX];
  assert(rest < sizeof text);
  memcpy(text, value, rest);
  text[rest] = 0;
  return onnx_text_is(c, name, "", text);
}

static bool is_when(rule_context *c, const char *when) {
  while (*when) {
    size_t length = strcspn(when, ",");
    if (!holds_when(c, when, length)) return false;
    when += length + (when[length] == ',');
  }
  return true;
}

// Whether the operands that are given are those of a row, however they look.
static bool is_given(rule_context *c, const operand_row *row) {
  if (!is_when(c, row->when)) return false;
  uint32_t operand = 0;
  for (const char *at = row->operands; *at; at = next_word(at), operand++)
    if ((*at == '!' || *at == '-') && (*at == '!') != onnx_has(c, operand)) return false;
  return true;
}

// Whether they have its ranks, as far as these are known; *sure: they are known.
static bool row_fits(rule_context *c, const operand_row *row, bool *sure) {
  if (!is_given(c, row)) return false;
  uint32_t operand = 0;
  for (const char *at = row->operands; *at; at = next_word(at), operand++) {
    if (!onnx_has(c, operand) || !has_shapes(at)) continue;
    shape_spec shapes[SHAPES_MAX];
    uint32_t count = list_shapes(c, at, operand, shapes);
    const value_info *v = rule_operand(c, operand);
    if (!v->ranked) *sure = false;
    if (v->ranked && !keep_ranks(c, operand, shapes, count)) return false;
  }
  return true;
}

// The lengths of the names in the table: most operators have another one.
static const uint64_t LENGTHS = 0
#define X(op, when, operands, results) | UINT64_C(1) << (sizeof(op) - 1)
#include "solver/ops/onnx_operands.def"
#undef X
    ;

static const operand_row *first_row(const char *name) {
  uint32_t low = 0, high = ROW_COUNT;
  const size_t length = strlen(name);
  if (length >= 64 || !(LENGTHS >> length & 1)) return NULL;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (strcmp(ROWS[middle].op, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < ROW_COUNT && !strcmp(ROWS[low].op, name) ? &ROWS[low] : NULL;
}

// The first row that fits, or the last one of those whose operands are given, or the last one; NULL where that depends on a
// rank that is not known.
static const operand_row *choose_row(rule_context *c, const operand_row *row) {
  const operand_row *chosen = NULL, *given = NULL;
  bool sure = true;
  for (;; row++) {
    if (row_fits(c, row, &sure)) {
      if (chosen && !sure) return NULL;
      if (!chosen) chosen = row;
    }
    if (is_given(c, row)) given = row;
    if (row + 1 == ROWS + ROW_COUNT || strcmp(row[1].op, row->op) != 0)
      return chosen ? chosen : given ? given : row;
  }
}

static void check_row(shape_reader *r, const operand_row *row) {
  uint32_t operand = 0;
  for (const char *at = row->operands; *at; at = next_word(at), operand++)
    if (onnx_has(r->c, operand) && has_shapes(at)) bind_operand(r, at, operand);
  term_id *past = &r->bound['P' - 'A'];
  if (*past == TERM_NONE) *past = TERM_ZERO;
  operand = 0;
  for (const char *at = row->operands; *at; at = next_word(at), operand++) {
    if (!onnx_has(r->c, operand)) continue;
    if (has_shapes(at)) require_operand(r, at, operand);
    if (*at == '=') require_elements(r, at, operand);
    if (at[*at == '!'] == '*') rule_unchecked(r->c, FIT, "the rule does not compare them");
    if (*at == '-')
      rule_error(r->c, "operand-count", "operand #%u is given: leave it out", operand);
  }
  if (*row->results) onnx_leave_operands(r->c, operand);
}

static void reader_init(shape_reader *r, rule_context *c) {
  *r = (shape_reader){.c = c};
  for (uint32_t i = 0; i < LETTERS; i++) r->bound[i] = TERM_NONE;
}

static void set_result(shape_reader *r, const char *text, uint32_t result) {
  rule_context *c = r->c;
  shape_spec shape;
  if (*text == '*' || list_shapes(c, text, 0, &shape) != 1) {
    rule_set_unknown(c, result);
    return;
  }
  const value_info *first = rule_operand(c, 0);
  uint32_t before = 0;
  if (shape.open) {
    if (!first->ranked) {
      r->open = true;
      rule_set_unknown(c, result);
      return;
    }
    before = r->leading;
  }
  uint32_t rank = before + shape.count;
  term_id *dims = arena_alloc(c->arena, ((size_t)rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < before; i++) dims[i] = first->dims[i];
  const char *at = shape.dims;
  for (uint32_t i = before; i < rank; i++, at = next_dim(at)) {
    r->at = at;
    bool known = *at != '?';
    dims[i] = known ? read_sum(r) : TERM_NONE;
    r->open |= known && dims[i] == TERM_NONE;
    if (dims[i] != TERM_NONE) continue;
    size_t length = (size_t)(dim_end(at) - at);
    bool again = known && r->fresh_text && !strncmp(at, r->fresh_text, length);
    dims[i] = again ? r->fresh : onnx_kept_size(c, result, rank, i);
    r->fresh_text = at;
    r->fresh = dims[i];
  }
  rule_set_dims(c, result, dims, rank);
}

rule_status rule_onnx_ms_shapes(rule_context *c) {
  const operand_row *row = first_row(c->row->name);
  assert(row);
  row = choose_row(c, row);
  if (!row) {
    rule_unchecked(c, FIT, ONNX_NO_RANK);
    return onnx_unknown(c);
  }
  shape_reader r;
  reader_init(&r, c);
  check_row(&r, row);
  uint32_t result = 0;
  for (const char *at = row->results; *at; at = next_word(at), result++)
    if (result < rule_result_count(c)) set_result(&r, at, result);
  for (; result < rule_result_count(c); result++) rule_set_unknown(c, result);
  return r.open ? RULE_AGAIN : RULE_DONE;
}

void onnx_check_operands(rule_context *c) {
  const operand_row *row = first_row(c->row->name);
  if (!row || *row->results) return;  // its rule has checked them
  row = choose_row(c, row);
  if (!row) {
    rule_unchecked(c, FIT, ONNX_NO_RANK);
    return;
  }
  shape_reader r;
  reader_init(&r, c);
  check_row(&r, row);
}
