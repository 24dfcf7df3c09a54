// SPDX-License-Identifier: Apache-2.0
// Shapes that are computed in floating point: a size is cast to float, scaled, rounded and cast back. Elements are exact
// integers, so a fraction is found where it is rounded: by going back over the operations that made it.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"
#include "solver/ops/rules/onnx/ratio.h"

// Numerators from here on are long mantissas.
enum { FLOAT_DEPTH = 16, FLOAT_MANTISSA = 4096, FLOAT_CHOICES = 4 };

// The smallest of a few quotients of exact integers; denominators are > 0.
typedef struct fraction {
  term_id numerator[FLOAT_CHOICES], denominator[FLOAT_CHOICES];
  uint32_t count;
  bool rounded;  // single precision may round it across an integer: an assumption of the answer
} fraction;

static bool fraction_at(rule_context *c, value_id v, uint32_t k, unsigned depth, fraction *out);

static fraction whole(term_id value) {
  return (fraction){.numerator = {value}, .denominator = {TERM_ONE}, .count = 1};
}

static bool is_whole(const fraction *f) { return f->count == 1 && f->denominator[0] == TERM_ONE; }

static bool is_number(rule_context *c, const fraction *f, num *numerator, num *denominator) {
  return f->count == 1 && term_const_value(c->terms, f->numerator[0], numerator) &&
         term_const_value(c->terms, f->denominator[0], denominator);
}

// A number of a floating-point type. Products with long mantissas are rounded.
static bool of_float(rule_context *c, double value, fraction *out) {
  onnx_ratio ratio;
  if (!onnx_exact_ratio(value, &ratio)) return false;
  *out = whole(rule_int_term(c, ratio.numerator));
  out->denominator[0] = rule_int_term(c, ratio.denominator);
  out->rounded = ratio.denominator > 1 &&
                 (ratio.numerator >= FLOAT_MANTISSA || ratio.numerator <= -FLOAT_MANTISSA);
  return true;
}

static bool number_value(rule_context *c, const fraction *f, double *value) {
  num p, q;
  int64_t over, under;
  if (!is_number(c, f, &p, &q) || !num_to_int(p, &over) || !num_to_int(q, &under) || !under)
    return false;
  *value = (double)over / (double)under;
  return true;
}

// Whether the type has every integer that a whole fraction may be.
static bool holds_whole(rule_context *c, shape_dtype dtype, const fraction *f) {
  int bits = dtype == DTYPE_F64 ? 53 : dtype == DTYPE_F16 ? 11 : dtype == DTYPE_BF16 ? 8 : 24;
  interval range = store_range(c->store, f->numerator[0]);
  num most = NUM(INT64_C(1) << bits), least = NUM(-(INT64_C(1) << bits));
  return range.has_hi && range.has_lo && num_compare(range.hi, most) <= 0 &&
         num_compare(range.lo, least) >= 0;
}

// What is made of numbers alone is rounded to a number of its type, as a run rounds it after each operation. False where
// that is not known.
static bool as_typed(rule_context *c, shape_dtype dtype, fraction *f) {
  double value, least = 0;
  for (uint32_t i = 0; i < f->count; i++) {
    fraction one = {.numerator = {f->numerator[i]}, .denominator = {f->denominator[i]}, .count = 1};
    if (!number_value(c, &one, &value)) {
      if (is_whole(f) && dtype != DTYPE_F64 && !holds_whole(c, dtype, f)) f->rounded = true;
      return true;
    }
    if (i == 0 || value < least) least = value;
  }
  return of_float(c, onnx_nearest(dtype, least), f);
}

// A number that meets an unknown size: the quotient that was meant by it.
static void meant(rule_context *c, shape_dtype dtype, const fraction *other, fraction *f) {
  num p, q;
  double value;
  onnx_ratio ratio;
  if (!f->rounded || is_number(c, other, &p, &q) || !number_value(c, f, &value) ||
      !onnx_meant_ratio(dtype, value, &ratio))
    return;
  f->numerator[0] = rule_int_term(c, ratio.numerator);
  f->denominator[0] = rule_int_term(c, ratio.denominator);
}

static bool of_constant(rule_context *c, op_id def, uint32_t k, fraction *out) {
  assert(def < c->graph->op_count);
  static const char *const NAMES[] = {"value", "value_floats", "value_float"};
  for (unsigned i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    const graph_attr *attr = graph_attr_get(c->graph, graph_attr_named(c->graph, def, NAMES[i]));
    if (!attr) continue;
    double value;
    return attr_float_at(attr, k, &value) && of_float(c, value, out);
  }
  return false;
}

static uint32_t index_of(rule_context *c, value_id v, uint32_t k) {
  const value_info *info = rule_value(c, v);
  int64_t size = 1;
  if (info->ranked && info->rank == 1) term_int_value(c->terms, info->dims[0], &size);
  return info->ranked && (info->rank == 0 || size == 1) ? 0 : k;
}

enum { EXPANDED_MAX = 16 };

// max(a, b) is kept as a + b - min(a, b): its bounds show when it is taken apart.
static bool nonnegative(rule_context *c, term_id t) {
  const term_part *parts;
  term_part room;
  term_id out[EXPANDED_MAX];
  bool is_max;
  if (math_is_nonnegative(c, t)) return true;
  uint32_t count = term_parts(c->terms, t, &parts, &room);
  for (uint32_t i = 0; i < count; i++) {
    term_id atom = parts[i].monomial;
    if (term_kind_of(c->terms, atom) != TERM_MIN || term_get(c->terms, atom)->count > EXPANDED_MAX)
      continue;
    uint32_t n = term_expand_min(c->terms, t, i, out, &is_max), fine = 0;
    for (uint32_t k = 0; k < n; k++) fine += math_is_nonnegative(c, out[k]);
    if (n && (is_max ? fine > 0 : fine == n)) return true;
    term_parts(c->terms, t, &parts, &room);
  }
  return false;
}

// 1 / f, for a single positive quotient. A size that may be 0 is taken not to be: an assumption.
static bool inverted(rule_context *c, fraction *f) {
  num value;
  if (f->count != 1 || f->numerator[0] == TERM_ZERO) return false;
  if (term_const_value(c->terms, f->numerator[0], &value)) {
    if (num_sign(value) < 0) return false;
  } else if (!nonnegative(c, f->numerator[0])) {
    return false;
  }
  if (!math_is_positive(c, f->numerator[0])) f->rounded = true;
  term_id top = f->denominator[0];
  f->denominator[0] = f->numerator[0];
  f->numerator[0] = top;
  return true;
}

static bool times(rule_context *c, const fraction *a, const fraction *b, fraction *out) {
  if (a->count > 1 && b->count > 1) return false;
  const fraction *many = a->count > 1 ? a : b, *one = a->count > 1 ? b : a;
  if (many->count > 1 && !math_is_nonnegative(c, one->numerator[0])) return false;
  bool inexact = !is_whole(a) && !is_whole(b);
  *out = (fraction){.count = many->count, .rounded = a->rounded || b->rounded || inexact};
  for (uint32_t i = 0; i < many->count; i++) {
    out->numerator[i] = term_mul(c->terms, many->numerator[i], one->numerator[0]);
    out->denominator[i] = term_mul(c->terms, many->denominator[i], one->denominator[0]);
  }
  return true;
}

static bool plus(rule_context *c, const fraction *a, const fraction *b, bool minus, fraction *out) {
  if (a->count > 1 || b->count > 1) return false;
  term_table *t = c->terms;
  term_id x = term_mul(t, a->numerator[0], b->denominator[0]);
  term_id y = term_mul(t, b->numerator[0], a->denominator[0]);
  *out = whole(minus ? term_sub(t, x, y) : term_add(t, x, y));
  out->denominator[0] = term_mul(t, a->denominator[0], b->denominator[0]);
  out->rounded = a->rounded || b->rounded;
  return true;
}

static bool least(rule_context *c, const fraction *a, const fraction *b, fraction *out) {
  if (is_whole(a) && is_whole(b)) {
    *out = whole(math_min(c, a->numerator[0], b->numerator[0]));
    return true;
  }
  if (a->count + b->count > FLOAT_CHOICES) return false;
  *out = *a;
  for (uint32_t i = 0; i < b->count; i++) {
    out->numerator[out->count] = b->numerator[i];
    out->denominator[out->count++] = b->denominator[i];
  }
  out->rounded = a->rounded || b->rounded;
  return true;
}

// Operators whose floating point results are followed exactly.
typedef enum float_op {
  FLOAT_NONE,
  FLOAT_SAME,  // elements of operand 0, in order
  FLOAT_CONSTANT,
  FLOAT_CONCAT,
  FLOAT_REDUCE_MIN,
  FLOAT_REDUCE_MAX,
  FLOAT_RELU,
  FLOAT_INVERSE,
  FLOAT_MUL,
  FLOAT_DIV,
  FLOAT_ADD,
  FLOAT_SUB,
  FLOAT_MIN,
  FLOAT_MAX
} float_op;

static float_op float_op_of(const char *name) {
  static const struct {
    const char *name;
    float_op op;
  } ROWS[] = {{"onnx.Cast", FLOAT_SAME},
              {"onnx.CastLike", FLOAT_SAME},
              {"onnx.Identity", FLOAT_SAME},
              {"onnx.Unsqueeze", FLOAT_SAME},
              {"onnx.Squeeze", FLOAT_SAME},
              {"onnx.Reshape", FLOAT_SAME},
              {"onnx.Flatten", FLOAT_SAME},
              {"onnx.Constant", FLOAT_CONSTANT},
              {"onnx.Concat", FLOAT_CONCAT},
              {"onnx.ReduceMin", FLOAT_REDUCE_MIN},
              {"onnx.ReduceMax", FLOAT_REDUCE_MAX},
              {"onnx.Relu", FLOAT_RELU},
              {"onnx.Reciprocal", FLOAT_INVERSE},
              {"onnx.Mul", FLOAT_MUL},
              {"onnx.Div", FLOAT_DIV},
              {"onnx.Add", FLOAT_ADD},
              {"onnx.Sub", FLOAT_SUB},
              {"onnx.Min", FLOAT_MIN},
              {"onnx.Max", FLOAT_MAX}};
  for (unsigned i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    if (strcmp(ROWS[i].name, name) == 0) return ROWS[i].op;
  }
  return FLOAT_NONE;
}

static bool of_binary(rule_context *c, op_id def, float_op op, uint32_t k, unsigned depth,
                      fraction *out) {
  fraction a, b;
  value_id left = graph_operand(c->graph, def, 0), right = graph_operand(c->graph, def, 1);
  if (left == VALUE_NONE || right == VALUE_NONE || c->graph->ops[def].operand_count != 2 ||
      !fraction_at(c, left, index_of(c, left, k), depth + 1, &a) ||
      !fraction_at(c, right, index_of(c, right, k), depth + 1, &b))
    return false;
  const graph_type *type = graph_value_type(c->graph, graph_result(c->graph, def, 0));
  shape_dtype dtype = type ? (shape_dtype)type->dtype : DTYPE_F32;
  meant(c, dtype, &a, &b);
  meant(c, dtype, &b, &a);
  if (op == FLOAT_MUL) return times(c, &a, &b, out);
  if (op == FLOAT_DIV) return inverted(c, &b) && times(c, &a, &b, out);
  if (op == FLOAT_ADD || op == FLOAT_SUB) return plus(c, &a, &b, op == FLOAT_SUB, out);
  if (op == FLOAT_MIN) return least(c, &a, &b, out);
  double x, y;
  if (number_value(c, &a, &x) && number_value(c, &b, &y)) {
    *out = x < y ? b : a;
    return true;
  }
  if (!is_whole(&a) || !is_whole(&b)) return false;
  *out = whole(math_max(c, a.numerator[0], b.numerator[0]));
  return true;
}

// ReduceMin and ReduceMax of a small vector.
static bool of_reduction(rule_context *c, op_id def, bool largest, unsigned depth, fraction *out) {
  value_id v = graph_operand(c->graph, def, 0);
  const value_info *info = v == VALUE_NONE ? NULL : rule_value(c, v);
  int64_t size;
  if (!info || !info->ranked || info->rank != 1 ||
      !term_int_value(c->terms, store_canon(c->store, info->dims[0]), &size) || size < 1 ||
      size > 8 || !fraction_at(c, v, 0, depth + 1, out))
    return false;
  for (uint32_t i = 1; i < size; i++) {
    fraction next, all = *out;
    if (!fraction_at(c, v, i, depth + 1, &next)) return false;
    if (!largest) {
      if (!least(c, &all, &next, out)) return false;
    } else if (is_whole(&all) && is_whole(&next)) {
      *out = whole(math_max(c, all.numerator[0], next.numerator[0]));
    } else {
      return false;
    }
  }
  return true;
}

static bool of_concat(rule_context *c, op_id def, uint32_t k, unsigned depth, fraction *out) {
  for (uint32_t i = 0; i < c->graph->ops[def].operand_count; i++) {
    value_id v = graph_operand(c->graph, def, i);
    const value_info *info = rule_value(c, v);
    int64_t size;
    if (!info->ranked || info->rank != 1 ||
        !term_int_value(c->terms, store_canon(c->store, info->dims[0]), &size) || size < 0)
      return false;
    if (k < size) return fraction_at(c, v, k, depth + 1, out);
    k -= (uint32_t)size;
  }
  return false;
}

static bool fraction_of(rule_context *c, value_id v, uint32_t k, unsigned depth, fraction *out) {
  const value_info *info = rule_value(c, v);
  if (info->elements) {
    if (k >= info->element_count || info->elements[k] == TERM_NONE) return false;
    *out = whole(store_canon(c->store, info->elements[k]));
    return true;
  }
  const graph_type *type = graph_value_type(c->graph, v);
  if (depth > FLOAT_DEPTH || c->graph->values[v].is_argument || !type ||
      !dtype_is_float((shape_dtype)type->dtype))
    return false;
  op_id def = c->graph->values[v].def;
  float_op op = float_op_of(graph_op_name(c->graph, def));
  value_id first = graph_operand(c->graph, def, 0);
  if (op == FLOAT_NONE) return false;
  if (op == FLOAT_CONSTANT) return of_constant(c, def, k, out);
  if (op == FLOAT_CONCAT) return of_concat(c, def, k, depth, out);
  if (op == FLOAT_REDUCE_MIN || op == FLOAT_REDUCE_MAX)
    return of_reduction(c, def, op == FLOAT_REDUCE_MAX, depth, out);
  if (op >= FLOAT_MUL) return of_binary(c, def, op, k, depth, out);
  if (first == VALUE_NONE || !fraction_at(c, first, k, depth + 1, out)) return false;
  if (op == FLOAT_INVERSE) return inverted(c, out);
  if (op == FLOAT_RELU) {
    if (!is_whole(out)) return false;
    out->numerator[0] = math_max(c, out->numerator[0], TERM_ZERO);
  }
  return true;
}

static bool fraction_at(rule_context *c, value_id v, uint32_t k, unsigned depth, fraction *out) {
  const graph_type *type = graph_value_type(c->graph, v);
  if (!fraction_of(c, v, k, depth, out)) return false;
  return !type || !dtype_is_float((shape_dtype)type->dtype) ||
         as_typed(c, (shape_dtype)type->dtype, out);
}

static void assume_exact(rule_context *c, const fraction *f) {
  num p, q;
  if (f->rounded && !is_number(c, f, &p, &q))
    rule_assumes(c, "shape arithmetic in floating point is exact, and divides by no dim of 0");
}

// The smallest of the quotients, rounded.
static term_id rounded(rule_context *c, const fraction *f, bool up) {
  term_id result = TERM_NONE;
  for (uint32_t i = 0; i < f->count; i++) {
    term_id one = up ? term_ceildiv(c->terms, f->numerator[i], f->denominator[i])
                     : term_floordiv(c->terms, f->numerator[i], f->denominator[i]);
    result = i ? math_min(c, result, one) : one;
  }
  assume_exact(c, f);
  return result;
}

// Of numbers: the span in their type, the quotient in double precision.
static term_id number_range(rule_context *c, const fraction *f) {
  double value[3];
  for (uint32_t i = 0; i < 3; i++) {
    if (!number_value(c, &f[i], &value[i])) return TERM_NONE;
  }
  double span = onnx_nearest(rule_operand_dtype(c, 0), value[1] - value[0]);
  double count = span / value[2];
  if (!(count < 0x1p62)) return TERM_NONE;
  int64_t down = count > 0 ? (int64_t)count : 0;
  return rule_int_term(c, down + (count > (double)down));
}

term_id onnx_float_range(rule_context *c) {
  fraction f[3], span, count;
  for (uint32_t i = 0; i < 3; i++) {
    value_id v = graph_operand(c->graph, c->op, i);
    if (v == VALUE_NONE || !fraction_at(c, v, 0, 0, &f[i])) return TERM_NONE;
  }
  term_id number = number_range(c, f);
  if (number != TERM_NONE) return number;
  meant(c, rule_operand_dtype(c, 2), &f[1], &f[2]);
  num step;
  if (!plus(c, &f[1], &f[0], true, &span)) return TERM_NONE;
  if (!term_const_value(c->terms, f[2].numerator[0], &step) || num_is_zero(step)) return TERM_NONE;
  if (num_sign(step) < 0) {
    f[2].numerator[0] = term_neg(c->terms, f[2].numerator[0]);
    span.numerator[0] = term_neg(c->terms, span.numerator[0]);
  }
  if (!inverted(c, &f[2]) || !times(c, &span, &f[2], &count)) return TERM_NONE;
  return math_max(c, rounded(c, &count, true), TERM_ZERO);
}

bool onnx_float_is_number(rule_context *c, uint32_t operand) {
  fraction f;
  num over, under;
  value_id v = graph_operand(c->graph, c->op, operand);
  return v != VALUE_NONE && fraction_at(c, v, 0, 0, &f) && f.count == 1 &&
         is_number(c, &f, &over, &under);
}

bool onnx_float_is_zero(rule_context *c, uint32_t operand) {
  fraction f;
  value_id v = graph_operand(c->graph, c->op, operand);
  return v != VALUE_NONE && fraction_at(c, v, 0, 0, &f) && f.count == 1 &&
         f.numerator[0] == TERM_ZERO;
}

term_id onnx_float_size(rule_context *c, uint32_t operand) {
  fraction f;
  value_id v = graph_operand(c->graph, c->op, operand);
  if (v == VALUE_NONE || !fraction_at(c, v, 0, 0, &f) || !is_whole(&f)) return TERM_NONE;
  assume_exact(c, &f);
  return math_is_nonnegative(c, f.numerator[0]) ? f.numerator[0] : TERM_NONE;
}

// Rounds the elements of operand 0 to integers: ROUND_FLOOR, ROUND_CEIL, ROUND_EVEN (fractions: not followed), or, with
// `truncate`, to zero.
static void round_elements(rule_context *c, uint32_t how, bool truncate) {
  const value_info *out = onnx_result(c, 0);
  int64_t shape[ELEMENTS_MAX_RANK];
  uint32_t total;
  value_id in = graph_operand(c->graph, c->op, 0);
  if (!out->ranked || out->rank > 1 || !elements_shape(c, out, shape, &total) || total > 64) return;
  term_id *elements = arena_alloc(c->arena, (total + 1) * sizeof *elements);
  bool any = false;
  for (uint32_t k = 0; k < total; k++) {
    fraction f;
    elements[k] = TERM_NONE;
    if (!fraction_at(c, in, k, 0, &f)) continue;
    if (is_whole(&f)) {
      assume_exact(c, &f);
      elements[k] = f.numerator[0];
    } else if (how == ROUND_EVEN || (truncate && !math_is_nonnegative(c, f.numerator[0]))) {
      continue;
    } else {
      elements[k] = rounded(c, &f, how == ROUND_CEIL);
    }
    any = any || elements[k] != TERM_NONE;
  }
  if (any) rule_set_elements(c, 0, elements, total);
}

// ONNX: Floor, Ceil, Round.
rule_status rule_onnx_round(rule_context *c) {
  rule_set_dims_like(c, 0, rule_operand(c, 0));
  if (!rule_operand(c, 0)->ranked) return RULE_AGAIN;
  round_elements(c, c->row->param, false);
  return RULE_DONE;
}

void onnx_cast_bool(rule_context *c) {
  const value_info *out = onnx_result(c, 0);
  fraction f;
  num value;
  value_id in = graph_operand(c->graph, c->op, 0);
  if (!out->ranked || out->rank || !fraction_at(c, in, 0, 0, &f) || f.count != 1 ||
      !term_const_value(c->terms, f.numerator[0], &value))
    return;
  rule_set_elements(c, 0, (term_id[]){num_is_zero(value) ? TERM_ZERO : TERM_ONE}, 1);
}

void onnx_cast_float(rule_context *c) { round_elements(c, ROUND_FLOOR, true); }
