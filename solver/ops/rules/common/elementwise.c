// SPDX-License-Identifier: Apache-2.0
// Operations that work element by element: all operands and the result have one shape (StableHLO spec, the constraint
// "baseline_type(...)" of each), and integer results are computed where the operands' elements are known.
#include <assert.h>
#include <string.h>

#include "solver/ops/traits.h"
#include "solver/ops/rules/common/rules.h"

// Whether every size is a constant: then there is nothing to learn from another operand of the same shape.
static bool all_constant(const rule_context *c, const value_info *v) {
  for (uint32_t i = 0; i < v->rank; i++) {
    if (term_kind_of(c->terms, v->dims[i]) != TERM_CONST) return false;
  }
  return true;
}

// The result's dims from two operands that are known to agree: constants win, so that later operations compare without
// asking the store.
static void set_dims_of_both(rule_context *c, const value_info *a, const value_info *b) {
  if (!b->ranked || a->dims == b->dims || (a->ranked && all_constant(c, a))) {
    rule_set_dims_like(c, 0, a);
    return;
  }
  if (!a->ranked || all_constant(c, b)) {
    rule_set_dims_like(c, 0, b);
    return;
  }
  bool mixed = false;
  for (uint32_t i = 0; i < a->rank; i++) {
    if (term_kind_of(c->terms, a->dims[i]) != TERM_CONST &&
        term_kind_of(c->terms, b->dims[i]) == TERM_CONST)
      mixed = true;
  }
  if (!mixed) {
    rule_set_dims_like(c, 0, a);
    return;
  }
  term_id *dims = arena_alloc(c->arena, a->rank * sizeof(term_id));
  for (uint32_t i = 0; i < a->rank; i++)
    dims[i] = term_kind_of(c->terms, a->dims[i]) == TERM_CONST ? a->dims[i] : b->dims[i];
  rule_set_dims(c, 0, dims, a->rank);
}

static void require_same_element(rule_context *c, uint32_t a, uint32_t b) {
  const shape_graph *g = c->graph;
  value_id x = graph_operand(g, c->op, a), y = graph_operand(g, c->op, b);
  if (c->row->signature || x == VALUE_NONE || y == VALUE_NONE) return;  // a signature says it too
  type_id tx = g->values[x].type, ty = g->values[y].type;
  if (tx == ty || !rule_operand_type(c, a) || !rule_operand_type(c, b)) return;
  if (type_same_element(&g->types, tx, ty)) return;
  // Quantised types differ in parameters that say nothing about shapes (spec: baseline_element_type).
  shape_dtype dx = rule_operand_dtype(c, a), dy = rule_operand_dtype(c, b);
  // An index and a !shape.size are mixed in the shape dialect.
  if (dx == dy && dx == DTYPE_INDEX) return;
  if (dx == DTYPE_QUANTIZED || dy == DTYPE_QUANTIZED || dx == DTYPE_OTHER || dy == DTYPE_OTHER)
    return;
  rule_error(c, "element-type", "operands #%u and #%u have the element types %s and %s", a, b,
             dtype_name(dx), dtype_name(dy));
}

static term_id *new_elements(rule_context *c, uint32_t count) {
  return arena_alloc(c->arena, (count + 1) * sizeof(term_id));
}

// Elements of a wide value are shared by later uses; nothing is set where none is known.
static void set_elements(rule_context *c, const term_id *elements, uint32_t count) {
  rule_set_elements(c, 0, elements, count);
}

// Element types and shapes of two operands agree; the result is not known where they do not.
static bool operands_agree(rule_context *c, uint32_t a, uint32_t b, const char *what) {
  require_same_element(c, a, b);
  if (rule_require_same_shape(c, a, b, what)) return true;
  rule_set_unknown(c, 0);
  return false;
}

rule_status rule_unary(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *a = rule_operand(c, 0);
  rule_set_dims_like(c, 0, a);
  if (c->row->param == MATH_NONE || !a->elements) return RULE_DONE;
  shape_dtype dtype = rule_operand_dtype(c, 0);
  if (!dtype_is_integer(dtype)) return RULE_DONE;
  if (!elements_afford(c, a->element_count)) return RULE_DONE;
  term_id *out = new_elements(c, a->element_count);
  for (uint32_t i = 0; i < a->element_count; i++)
    out[i] = math_unary(c, (math_op)c->row->param, dtype, a->elements[i]);
  set_elements(c, out, a->element_count);
  return RULE_DONE;
}

// arith takes an i1 as a signed number of one bit, where true is -1; elements of i1 are kept as 0 and 1. MATH_NONE: an
// operation that no program has on i1.
static math_op op_of_one_bit(math_op op) {
  switch (op) {
  case MATH_ADD:
  case MATH_SUB: return MATH_XOR;
  case MATH_MUL:
  case MATH_MAX:
  case MATH_MIN_U: return MATH_AND;
  case MATH_MIN:
  case MATH_MAX_U: return MATH_OR;
  case MATH_AND:
  case MATH_OR:
  case MATH_XOR: return op;
  default: return MATH_NONE;
  }
}

static bool is_arith_of_one_bit(const rule_context *c, shape_dtype dtype) {
  return dtype == DTYPE_I1 && op_has(c->graph, c->op, TRAIT_ARITH);
}

rule_status rule_binary(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  if (!operands_agree(c, 0, 1, "the operands have the same shape")) return RULE_DONE;
  const value_info *a = rule_operand(c, 0), *b = rule_operand(c, 1);
  set_dims_of_both(c, a, b);
  if (c->row->param == MATH_NONE || !a->elements || !b->elements ||
      a->element_count != b->element_count)
    return RULE_DONE;
  shape_dtype dtype = rule_operand_dtype(c, 0);
  if (!dtype_is_integer(dtype)) return RULE_DONE;
  math_op op = (math_op)c->row->param;
  if (is_arith_of_one_bit(c, dtype)) op = op_of_one_bit(op);
  if (op == MATH_NONE || !elements_afford(c, a->element_count)) return RULE_DONE;
  term_id *out = new_elements(c, a->element_count);
  for (uint32_t i = 0; i < a->element_count; i++)
    out[i] = math_binary(c, op, dtype, a->elements[i], b->elements[i]);
  set_elements(c, out, a->element_count);
  return RULE_DONE;
}

static bool same_word(const char *a, const char *b) {
  while (*a && *a == *b) {
    a++;
    b++;
  }
  return *a == *b;
}

// stablehlo.compare: comparison_direction; arith.cmpi: predicate, as a word or as its number.
static compare_op direction_of(rule_context *c, bool *is_unsigned) {
  static const struct {
    const char *name;
    uint8_t op;
    bool is_unsigned;
  } words[] = {{"EQ", COMPARE_EQ, false},  {"NE", COMPARE_NE, false},  {"LT", COMPARE_LT, false},
               {"LE", COMPARE_LE, false},  {"GT", COMPARE_GT, false},  {"GE", COMPARE_GE, false},
               {"eq", COMPARE_EQ, false},  {"ne", COMPARE_NE, false},  {"slt", COMPARE_LT, false},
               {"sle", COMPARE_LE, false}, {"sgt", COMPARE_GT, false}, {"sge", COMPARE_GE, false},
               {"ult", COMPARE_LT, true},  {"ule", COMPARE_LE, true},  {"ugt", COMPARE_GT, true},
               {"uge", COMPARE_GE, true}};
  *is_unsigned = false;
  const char *text = rule_text(c, "comparison_direction");
  if (!text) text = rule_text(c, "predicate");
  if (!text && rule_attr(c, "pred") != ATTR_NONE) text = rule_text(c, "pred");
  int64_t number;
  if (!text && rule_attr(c, "predicate") != ATTR_NONE && rule_int(c, "predicate", &number) &&
      number >= 0 &&
      number < 10) {  // MLIR's CmpIPredicate: eq ne slt sle sgt sge ult ule ugt uge, from 0
    *is_unsigned = words[6 + number].is_unsigned;
    return (compare_op)words[6 + number].op;
  }
  for (uint32_t i = 0; text && i < sizeof(words) / sizeof(words[0]); i++) {
    if (!same_word(words[i].name, text)) continue;
    *is_unsigned = words[i].is_unsigned;
    return (compare_op)words[i].op;
  }
  return COMPARE_ATTR;
}

// StableHLO spec, compare, C3: which compare_type an element type takes. Integers without a sign are signed ones.
static bool takes_comparison(shape_dtype dtype, const char *type) {
  if (same_word(type, "SIGNED")) return dtype_is_signed(dtype);
  if (same_word(type, "UNSIGNED"))
    return dtype == DTYPE_I1 || (dtype_is_integer(dtype) && !dtype_is_signed(dtype));
  if (same_word(type, "TOTALORDER")) return dtype_is_float(dtype);
  return !same_word(type, "FLOAT") || !dtype_is_integer(dtype);
}

compare_op compare_direction(rule_context *c, bool *is_unsigned) {
  const char *type = rule_text(c, "compare_type");
  shape_dtype dtype = rule_operand_dtype(c, 0);
  *is_unsigned = false;
  if (type && dtype != DTYPE_OTHER && dtype != DTYPE_QUANTIZED && !takes_comparison(dtype, type)) {
    rule_warning(c, "compare-type", "%s is no comparison of %s (C3): its result is not known", type,
                 dtype_name(dtype));
    return COMPARE_ATTR;
  }
  return c->row->param == COMPARE_ATTR ? direction_of(c, is_unsigned) : (compare_op)c->row->param;
}

// The numbers of an operand that is a floating-point constant; NULL where it is none. One for all where *splat.
static const double *float_constant(rule_context *c, uint32_t operand, uint32_t *count,
                                    bool *splat) {
  const shape_graph *g = c->graph;
  value_id v = graph_operand(g, c->op, operand);
  if (v == VALUE_NONE || g->values[v].is_argument ||
      !dtype_is_float(rule_operand_dtype(c, operand)))
    return NULL;
  const graph_attr *a = graph_attr_get(g, graph_attr_named(g, g->values[v].def, "value"));
  if (!a || a->kind != ATTR_DENSE || g->ops[g->values[v].def].operand_count) return NULL;
  *splat = a->splat;
  return attr_held_floats(a, count);
}

static bool compare_floats(compare_op op, double x, double y) {
  switch (op) {
  case COMPARE_EQ: return x == y;
  case COMPARE_NE: return x != y;
  case COMPARE_LT: return x < y;
  case COMPARE_LE: return x <= y;
  case COMPARE_GT: return x > y;
  default: return x >= y;
  }
}

// Floats are not tracked, but a program may choose by two constants.
static void fold_float_compare(rule_context *c) {
  uint32_t a_count, b_count, total;
  int64_t shape[ELEMENTS_MAX_RANK];
  bool a_splat, b_splat, is_unsigned;
  const double *a = float_constant(c, 0, &a_count, &a_splat),
               *b = a ? float_constant(c, 1, &b_count, &b_splat) : NULL;
  compare_op op = b ? compare_direction(c, &is_unsigned) : COMPARE_ATTR;
  const char *type = rule_text(c, "compare_type");
  if (op == COMPARE_ATTR || (type && same_word(type, "TOTALORDER"))) return;
  if (!elements_shape(c, rule_operand(c, 0), shape, &total)) return;
  if ((!a_splat && a_count != total) || (!b_splat && b_count != total)) return;
  if (!elements_afford(c, total)) return;
  term_id *out = new_elements(c, total);
  for (uint32_t i = 0; i < total; i++)
    out[i] = compare_floats(op, a[a_splat ? 0 : i], b[b_splat ? 0 : i]) ? TERM_ONE : TERM_ZERO;
  set_elements(c, out, total);
}

rule_status rule_compare(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  if (!operands_agree(c, 0, 1, "the operands have the same shape")) return RULE_DONE;
  const value_info *a = rule_operand(c, 0), *b = rule_operand(c, 1);
  set_dims_of_both(c, a, b);
  bool is_unsigned;
  compare_op op = compare_direction(c, &is_unsigned);
  if (!a->elements && !b->elements) fold_float_compare(c);
  if (!a->elements || !b->elements || a->element_count != b->element_count) return RULE_DONE;
  if (op == COMPARE_ATTR || !dtype_is_integer(rule_operand_dtype(c, 0))) return RULE_DONE;
  if (!elements_afford(c, a->element_count)) return RULE_DONE;
  bool swap = !is_unsigned && is_arith_of_one_bit(c, rule_operand_dtype(c, 0));  // -1 < 0
  term_id *out = new_elements(c, a->element_count);
  for (uint32_t i = 0; i < a->element_count; i++) {
    term_id x = swap ? b->elements[i] : a->elements[i], y = swap ? a->elements[i] : b->elements[i];
    if (is_unsigned && x != TERM_NONE && y != TERM_NONE &&
        !(math_is_nonnegative(c, x) && math_is_nonnegative(c, y)))
      x = TERM_NONE;
    out[i] = math_compare(c, op, x, y);
  }
  set_elements(c, out, a->element_count);
  return RULE_DONE;
}

// StableHLO spec, select: pred is rank 0 or of the shape of the others.
rule_status rule_select(rule_context *c) {
  assert(rule_operand_count(c) >= 3 && rule_result_count(c) == 1);
  if (!operands_agree(c, 1, 2, "on_true and on_false have the same shape")) return RULE_DONE;
  const value_info *p = rule_operand(c, 0);
  const graph_type *t = rule_operand_type(c, 0);
  if (c->row->param && t && t->kind == TYPE_TENSOR && !t->rank && rule_operand(c, 1)->rank)
    rule_error(c, "rank", "the condition has rank 0, the operands have rank %u",
               rule_operand(c, 1)->rank);
  if (p->ranked && p->rank)
    rule_require_same_shape(c, 0, 1, "a pred that is no scalar has the operands' shape");
  const value_info *a = rule_operand(c, 1), *b = rule_operand(c, 2);
  set_dims_of_both(c, a, b);
  if (!p->elements || !a->elements || !b->elements || a->element_count != b->element_count)
    return RULE_DONE;
  if (!p->ranked || (p->rank && p->element_count != a->element_count)) return RULE_DONE;
  if (!elements_afford(c, a->element_count)) return RULE_DONE;
  term_id *out = new_elements(c, a->element_count);
  for (uint32_t i = 0; i < a->element_count; i++)
    out[i] = math_select(c, p->elements[p->rank ? i : 0], a->elements[i], b->elements[i]);
  set_elements(c, out, a->element_count);
  return RULE_DONE;
}

// StableHLO spec, clamp: min and max are rank 0 or of the operand's shape; the value is minimum(maximum(x, min), max).
rule_status rule_clamp(rule_context *c) {
  assert(rule_operand_count(c) >= 3 && rule_result_count(c) == 1);
  require_same_element(c, 0, 1);
  require_same_element(c, 1, 2);
  const value_info *low = rule_operand(c, 0), *high = rule_operand(c, 2);
  if (low->ranked && low->rank)
    rule_require_same_shape(c, 0, 1, "a min that is no scalar has the operand's shape");
  if (high->ranked && high->rank)
    rule_require_same_shape(c, 2, 1, "a max that is no scalar has the operand's shape");
  const value_info *x = rule_operand(c, 1);
  low = rule_operand(c, 0);
  high = rule_operand(c, 2);
  rule_set_dims_like(c, 0, x);
  if (!x->elements || !low->elements || !high->elements ||
      !dtype_is_integer(rule_operand_dtype(c, 1)))
    return RULE_DONE;
  bool low_scalar = low->rank == 0, high_scalar = high->rank == 0;
  if ((!low_scalar && low->element_count != x->element_count) ||
      (!high_scalar && high->element_count != x->element_count))
    return RULE_DONE;
  shape_dtype dtype = rule_operand_dtype(c, 1);
  if (!elements_afford(c, x->element_count)) return RULE_DONE;
  term_id *out = new_elements(c, x->element_count);
  for (uint32_t i = 0; i < x->element_count; i++) {
    term_id raised =
        math_binary(c, MATH_MAX, dtype, x->elements[i], low->elements[low_scalar ? 0 : i]);
    out[i] = math_binary(c, MATH_MIN, dtype, raised, high->elements[high_scalar ? 0 : i]);
  }
  set_elements(c, out, x->element_count);
  return RULE_DONE;
}

// A cast of arith changes elements alone: the verifier compares what the types say.
static void check_exact(rule_context *c) {
  const graph_type *a = rule_operand_type(c, 0), *b = rule_result_type(c, 0);
  if (!a || !b || a->kind != TYPE_TENSOR || b->kind != TYPE_TENSOR || a->rank != b->rank) return;
  for (uint32_t i = 0; i < a->rank; i++) {
    if ((a->dims[i] >= 0) == (b->dims[i] >= 0)) continue;
    rule_error(c, "declared-type", "dim %u is a number in one type and not in the other", i);
    return;
  }
}

rule_status rule_convert(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  if (c->row->param & CONVERT_EXACT) check_exact(c);
  const value_info *a = rule_operand(c, 0);
  rule_set_dims_like(c, 0, a);
  shape_dtype from = rule_operand_dtype(c, 0), to = rule_result_dtype(c, 0);
  if (!a->elements || !dtype_is_integer(from) || !dtype_is_integer(to)) return RULE_DONE;
  if (!elements_afford(c, a->element_count)) return RULE_DONE;
  term_id *out = new_elements(c, a->element_count);
  for (uint32_t i = 0; i < a->element_count; i++)
    out[i] = math_convert(c, c->row->param & ~(uint32_t)CONVERT_EXACT, from, to, a->elements[i]);
  set_elements(c, out, a->element_count);
  return RULE_DONE;
}

rule_status rule_complex_part(rule_context *c) {
  rule_set_dims_like(c, 0, rule_operand(c, 0));
  return RULE_DONE;
}

rule_status rule_make_complex(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  if (!operands_agree(c, 0, 1, "the operands have the same shape")) return RULE_DONE;
  set_dims_of_both(c, rule_operand(c, 0), rule_operand(c, 1));
  return RULE_DONE;
}

rule_status rule_is_finite(rule_context *c) {
  rule_set_dims_like(c, 0, rule_operand(c, 0));
  return RULE_DONE;
}

// StableHLO spec, reduce_precision (C1); C2 and C3 are in the signature.
rule_status rule_reduce_precision(rule_context *c) {
  rule_set_dims_like(c, 0, rule_operand(c, 0));
  return RULE_DONE;
}

rule_status rule_identity(rule_context *c) {
  rule_set_value(c, 0, rule_operand(c, 0));
  return RULE_DONE;
}
