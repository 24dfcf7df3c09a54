// SPDX-License-Identifier: Apache-2.0
// Shapes that are computed in floating point: a size is cast to float, scaled, rounded and cast back. Elements are exact
// integers, so a fraction is found where it is rounded: by going back over the operations that made it.
#include <math.h>
#include <string.h>

#include "solver/ops/rules/onnx.h"
#include "solver/ops/rules/rules.h"

enum { FLOAT_DEPTH = 12, FLOAT_MANTISSA = 4096 };

// numerator / denominator, in exact integers; denominator > 0.
typedef struct fraction {
  term_id numerator;
  int64_t denominator;
} fraction;

static bool fraction_at(rule_context *c, value_id v, uint32_t k, unsigned depth, fraction *out);

// A float as p / 2^e. Mantissas of few bits only: products with longer ones are rounded in single precision, and what
// is rounded to an integer then is not the exact product.
static bool of_float(rule_context *c, double value, fraction *out) {
  int exponent;
  if (!(fabs(value) < 1e9)) return false;
  double mantissa = frexp(value, &exponent);
  int64_t p = (int64_t)ldexp(mantissa, 24);
  exponent -= 24;
  if ((double)p != ldexp(mantissa, 24)) return false;
  while (p && exponent < 0 && p % 2 == 0) p /= 2, exponent++;
  if (p == 0) exponent = 0;
  if (exponent < -30 || exponent > 30) return false;
  if (exponent < 0 && (p >= FLOAT_MANTISSA || p <= -FLOAT_MANTISSA)) return false;
  out->numerator = rule_int_term(c, exponent > 0 ? p * (INT64_C(1) << exponent) : p);
  out->denominator = exponent < 0 ? INT64_C(1) << -exponent : 1;
  return true;
}

static bool of_constant(rule_context *c, op_id def, uint32_t k, fraction *out) {
  static const char *const NAMES[] = {"value", "value_floats", "value_float"};
  for (unsigned i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    const graph_attr *attr = graph_attr_get(c->graph, graph_attr_named(c->graph, def, NAMES[i]));
    if (!attr) continue;
    if (attr->kind == ATTR_FLOAT) return k == 0 && of_float(c, attr->as.floats[0], out);
    if (attr->kind != ATTR_DENSE || !attr->has_data) return false;
    const graph_type *t = type_get(&c->graph->types, attr->type);
    if (!dtype_is_float((shape_dtype)t->dtype) || (!attr->splat && k >= attr->count)) return false;
    return of_float(c, attr->as.floats[attr->splat ? 0 : k], out);
  }
  return false;
}

static uint32_t index_of(rule_context *c, value_id v, uint32_t k) {
  const value_info *info = rule_value(c, v);
  int64_t size = 1;
  if (info->ranked && info->rank == 1) term_int_value(c->terms, info->dims[0], &size);
  return info->ranked && (info->rank == 0 || size == 1) ? 0 : k;
}

static bool of_binary(rule_context *c, op_id def, char which, uint32_t k, unsigned depth,
                      fraction *out) {
  fraction a, b;
  value_id left = graph_operand(c->graph, def, 0), right = graph_operand(c->graph, def, 1);
  if (left == VALUE_NONE || right == VALUE_NONE ||
      !fraction_at(c, left, index_of(c, left, k), depth + 1, &a) ||
      !fraction_at(c, right, index_of(c, right, k), depth + 1, &b))
    return false;
  int64_t divisor;
  term_table *t = c->terms;
  if (which == '/') {
    if (!term_int_value(t, b.numerator, &divisor) || divisor <= 0) return false;
    term_id top = rule_int_term(c, b.denominator);
    b = (fraction){top, divisor};
    which = '*';
  }
  if (a.denominator > INT32_MAX || b.denominator > INT32_MAX) return false;
  out->denominator = a.denominator * b.denominator;
  if (which == '*') {
    out->numerator = term_mul(t, a.numerator, b.numerator);
    return true;
  }
  term_id x = term_scale(t, a.numerator, NUM(b.denominator));
  term_id y = term_scale(t, b.numerator, NUM(a.denominator));
  out->numerator = which == '+' ? term_add(t, x, y) : term_sub(t, x, y);
  return true;
}

static bool of_concat(rule_context *c, op_id def, uint32_t k, unsigned depth, fraction *out) {
  for (uint32_t i = 0; i < c->graph->ops[def].operand_count; i++) {
    value_id v = graph_operand(c->graph, def, i);
    const value_info *info = rule_value(c, v);
    int64_t size;
    if (!info->ranked || info->rank != 1 ||
        !term_int_value(c->terms, store_canon(c->store, info->dims[0]), &size))
      return false;
    if (k < size) return fraction_at(c, v, k, depth + 1, out);
    k -= (uint32_t)size;
  }
  return false;
}

static bool fraction_at(rule_context *c, value_id v, uint32_t k, unsigned depth, fraction *out) {
  static const char *const SAME[] = {"Cast",    "CastLike", "Identity", "Unsqueeze",
                                     "Squeeze", "Reshape",  "Flatten"};
  const value_info *info = rule_value(c, v);
  if (info->elements) {
    if (k >= info->element_count || info->elements[k] == TERM_NONE) return false;
    *out = (fraction){store_canon(c->store, info->elements[k]), 1};
    return true;
  }
  if (depth > FLOAT_DEPTH || c->graph->values[v].is_argument) return false;
  op_id def = c->graph->values[v].def;
  const char *name = graph_op_name(c->graph, def);
  if (strncmp(name, "onnx.", 5) != 0) return false;
  name += 5;
  value_id first = graph_operand(c->graph, def, 0);
  if (strcmp(name, "Constant") == 0) return of_constant(c, def, k, out);
  if (strcmp(name, "Mul") == 0) return of_binary(c, def, '*', k, depth, out);
  if (strcmp(name, "Div") == 0) return of_binary(c, def, '/', k, depth, out);
  if (strcmp(name, "Add") == 0) return of_binary(c, def, '+', k, depth, out);
  if (strcmp(name, "Sub") == 0) return of_binary(c, def, '-', k, depth, out);
  if (strcmp(name, "Concat") == 0) return of_concat(c, def, k, depth, out);
  for (unsigned i = 0; i < sizeof SAME / sizeof *SAME; i++) {
    if (strcmp(name, SAME[i]) == 0 && first != VALUE_NONE)
      return dtype_is_float(graph_value_type(c->graph, v) ? graph_value_type(c->graph, v)->dtype
                                                          : DTYPE_OTHER) &&
             fraction_at(c, first, k, depth + 1, out);
  }
  return false;
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
    if (f.denominator == 1) {
      elements[k] = f.numerator;
    } else if (how == ROUND_EVEN || (truncate && !math_is_nonnegative(c, f.numerator))) {
      continue;
    } else {
      term_id by = rule_int_term(c, f.denominator);
      elements[k] = how == ROUND_CEIL ? term_ceildiv(c->terms, f.numerator, by)
                                      : term_floordiv(c->terms, f.numerator, by);
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

void onnx_cast_float(rule_context *c) { round_elements(c, ROUND_FLOOR, true); }
