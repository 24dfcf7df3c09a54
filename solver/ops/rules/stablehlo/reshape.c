// SPDX-License-Identifier: Apache-2.0
// reshape and dynamic_reshape: dims change, their product does not. compute_reshape_shape, cstr_reshapable,
// minimum_broadcast_shapes.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"

static term_id product_of(rule_context *c, const value_info *v) {
  return v->rank == 1 ? v->dims[0] : term_product_of(c->terms, v->dims, v->rank);
}

// A size that the program asks to be inferred (-1 of TensorFlow's dynamic_reshape; `?` of a static reshape): what is
// left of the elements. TERM_NONE where the known dims may be 0: any size would do then.
static term_id infer_size(rule_context *c, term_id elements, term_id known) {
  term_id quotient;
  if (known == TERM_ONE) return elements;
  if (!math_is_positive(c, known)) return TERM_NONE;
  if (term_divide_exact(c->terms, elements, known, &quotient)) return quotient;
  term_id all = store_canon(c->store, elements), given = store_canon(c->store, known);
  return term_floordiv(c->terms, all, given);
}

static void require_same_count(rule_context *c) {
  const value_info *in = rule_operand(c, 0), *out = rule_value(c, graph_result(c->graph, c->op, 0));
  if (!in->ranked || !out->ranked) return;
  term_id a = product_of(c, in), b = product_of(c, out);
  if (a == b) return;
  int64_t x, y;
  if (term_int_value(c->terms, a, &x) && term_int_value(c->terms, b, &y)) {
    rule_error(c, "element-count", "the operand has %lld elements, the result has %lld",
               (long long)x, (long long)y);
    return;
  }
  rule_require(c, predicate_make(REL_EQ, a, b), "the number of elements stays the same");
}

// The result's dims of a static reshape: those of the type; one that is unknown follows from the rest.
static void set_static(rule_context *c) {
  const graph_type *t = rule_result_type(c, 0);
  const value_info *in = rule_operand(c, 0);
  const value_info *old = rule_value(c, graph_result(c->graph, c->op, 0));
  if (old->visited || !t || t->kind != TYPE_TENSOR || !in->ranked) {
    rule_set_unknown(c, 0);
    return;
  }
  term_id few[RULE_FEW], *dims = rule_room(c, few, t->rank);
  term_id known = TERM_ONE;
  uint32_t unknown = 0, at = 0;
  for (uint32_t i = 0; i < t->rank; i++) {
    dims[i] = rule_declared_size(c, t->dims[i]);
    if (dims[i] == TERM_NONE) {
      unknown++;
      at = i;
    } else {
      known = term_mul(c->terms, known, dims[i]);
    }
  }
  if (unknown == 1) dims[at] = infer_size(c, product_of(c, in), known);
  if (unknown > 1 || (unknown && dims[at] == TERM_NONE)) {
    rule_set_unknown(c, 0);
    return;
  }
  rule_set_dims(c, 0, dims, t->rank);
}

// Dims from the operand output_shape. A constant -1 denotes the size that is left (MHLO and TensorFlow programs).
static void set_dynamic(rule_context *c) {
  uint32_t count;
  const value_info *shape = rule_operand(c, 1);
  if (shape->ranked && shape->rank != 1) {
    rule_error(c, "rank", "output_shape has rank %u, not 1", shape->rank);
    rule_set_unknown(c, 0);
    return;
  }
  const term_id *elements = rule_size_elements(c, 1, &count);
  if (!elements) {
    rule_set_unknown(c, 0);
    return;
  }
  int64_t value;
  uint32_t holes = 0, at = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (elements[i] == TERM_NONE || !term_int_value(c->terms, elements[i], &value) || value != -1)
      continue;
    holes++;
    at = i;
  }
  if (holes != 1) {
    rule_set_dims(c, 0, elements_as_sizes(c, elements, count, "a dim of output_shape is >= 0"),
                  count);
    return;
  }
  term_id *filled = arena_alloc(c->arena, count * sizeof(term_id));
  term_id known = TERM_ONE;
  for (uint32_t i = 0; i < count; i++) {
    filled[i] = i == at ? TERM_ONE : elements[i];
  }
  const term_id *sizes = elements_as_sizes(c, filled, count, "a dim of output_shape is >= 0");
  for (uint32_t i = 0; i < count; i++) {
    filled[i] = sizes[i];
    known = term_mul(c->terms, known, sizes[i]);
  }
  const value_info *in = rule_operand(c, 0);
  filled[at] = in->ranked ? infer_size(c, product_of(c, in), known) : TERM_NONE;
  if (filled[at] == TERM_NONE) filled[at] = rule_fresh_size(c);
  rule_set_dims(c, 0, filled, count);
}

// StableHLO spec, reshape (C2) and dynamic_reshape (C2): size(operand) == size(result); elements keep their order.
rule_status rule_reshape(rule_context *c) {
  if (c->row->param == FORM_DYNAMIC) {
    set_dynamic(c);
  } else {
    set_static(c);
  }
  require_same_count(c);
  const value_info *in = rule_operand(c, 0);
  if (in->elements) rule_share_elements(c, 0, in);
  return RULE_DONE;
}

// MHLO compute_reshape_shape: the shape with its -1 replaced by num_elements over the product of the others. All
// elements multiply to -known, so the inferred size is num_elements / known.
rule_status rule_compute_reshape_shape(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  uint32_t count, number_count;
  const term_id *shape = rule_size_elements(c, 1, &count);
  const term_id *number = rule_size_elements(c, 0, &number_count);
  rule_set_dims_like(c, 0, rule_operand(c, 1));
  if (!shape || !number || number_count != 1 || number[0] == TERM_NONE) return RULE_DONE;
  term_table *t = c->terms;
  term_id *out = arena_alloc(c->arena, (count + 1) * sizeof(term_id));
  term_id known = TERM_ONE;
  uint32_t holes = 0, at = 0;
  for (uint32_t i = 0; i < count; i++) {
    out[i] = shape[i];
    if (shape[i] != TERM_NONE && math_is_nonnegative(c, shape[i])) {
      known = term_mul(t, known, shape[i]);
    } else {
      holes++;
      at = i;
    }
  }
  if (holes == 1) {
    term_id quotient = math_is_positive(c, known) ? term_floordiv(t, number[0], known) : TERM_NONE;
    term_id hole = shape[at];
    if (hole != TERM_NONE && quotient != TERM_NONE) {
      quotient = math_select(c, math_compare(c, COMPARE_EQ, hole, term_int(t, -1)), quotient, hole);
    } else if (hole == TERM_NONE) {
      quotient = TERM_NONE;
    }
    out[at] = quotient;
  } else if (holes > 1) {
    for (uint32_t i = 0; i < count; i++) {
      if (shape[i] == TERM_NONE || !math_is_nonnegative(c, shape[i])) out[i] = TERM_NONE;
    }
  }
  rule_set_elements(c, 0, out, count);
  return RULE_DONE;
}

// MHLO cstr_reshapable: a witness; what it requires is required by the dynamic_reshape that needs it.
rule_status rule_cstr_reshapable(rule_context *c) {
  rule_set_unknown(c, 0);
  return RULE_DONE;
}

// CHLO minimum_broadcast_shapes: the shapes with as few axes as broadcast in the same way, which are no more than they had.
rule_status rule_minimum_broadcast_shapes(rule_context *c) {
  uint32_t count = rule_operand_count(c);
  if (rule_result_count(c) != count)
    rule_error(c, "result-count", "%u results for %u shapes", rule_result_count(c), count);
  for (uint32_t i = 0; i < rule_result_count(c) && i < count; i++) {
    const value_info *in = rule_operand(c, i);
    if (!in->ranked || in->rank != 1) continue;
    term_id length = rule_unknown_size(c, i, 1, 0);
    rule_set_dims(c, i, &length, 1);
    rule_fact(c, predicate_make(REL_LE, length, in->dims[0]),
              "a shape has no more axes than it had");
  }
  return RULE_DONE;
}
