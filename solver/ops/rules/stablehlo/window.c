// SPDX-License-Identifier: Apache-2.0
// Window arithmetic, reduce_window, select_and_scatter.
#include "solver/ops/rules/stablehlo/window.h"

#include <assert.h>

// --- attributes

// An empty list is as good as none (the dialect's verifier: verifyWindowAttributesAndInferWindowDimensions).
static bool read_positive(rule_context *c, const char *name, uint32_t rank, const int64_t **out) {
  const int64_t *values;
  uint32_t count;
  if (!name || !rule_ints(c, name, &values, &count) || !count) {
    int64_t *ones = arena_alloc(c->arena, ((size_t)rank + 1) * sizeof(int64_t));
    for (uint32_t i = 0; i < rank; i++) ones[i] = 1;
    *out = ones;
    return true;
  }
  if (!verify_length(c, name, count, rank)) return false;
  for (uint32_t i = 0; i < count; i++) {
    if (values[i] >= 1) continue;
    rule_error(c, "window", "%s has %lld for axis %u of the window, at least 1 is needed", name,
               (long long)values[i], i);
    return false;
  }
  *out = values;
  return true;
}

// padding is a tensor of the shape {rank, 2} (reduce_window (C12), convolution (C4)).
static bool read_padding(rule_context *c, const char *name, uint32_t rank, const term_id **out) {
  term_id *padding = arena_alloc(c->arena, ((size_t)rank + 1) * 2 * sizeof(term_id));
  for (uint32_t i = 0; i < 2 * rank; i++) padding[i] = TERM_ZERO;
  *out = padding;
  const graph_attr *attr = name ? graph_attr_get(c->graph, rule_attr(c, name)) : NULL;
  const int64_t *values;
  uint32_t count;
  if (!attr || (rule_ints(c, name, &values, &count) && !count)) return true;
  if (attr->kind == ATTR_DENSE && attr->type != TYPE_NONE) {
    const graph_type *type = type_get(&c->graph->types, attr->type);
    if (type->kind != TYPE_TENSOR || type->rank != 2 || type->dims[1] != 2) {
      rule_error(c, "window", "%s is %s, a tensor of the shape Nx2 is needed", name,
                 verify_type_text(c, attr->type));
      return false;
    }
  }
  if (!rule_ints(c, name, &values, &count) || !verify_length(c, name, count, 2 * rank))
    return false;
  for (uint32_t i = 0; i < count; i++) padding[i] = rule_int_term(c, values[i]);
  return true;
}

bool window_read(rule_context *c, uint32_t rank, const window_names *names, window *out) {
  out->rank = rank;
  bool fine = read_positive(c, names->strides, rank, &out->strides);
  fine = read_positive(c, names->base_dilations, rank, &out->base_dilations) && fine;
  fine = read_positive(c, names->window_dilations, rank, &out->window_dilations) && fine;
  return read_padding(c, names->padding, rank, &out->padding) && fine;
}

// --- arithmetic

// (size - 1) * dilation + 1, and 0 where the size is 0: there the product is not positive.
static term_id dilate(rule_context *c, term_id size, int64_t dilation) {
  assert(dilation >= 1);
  if (dilation == 1) return size;
  term_id less = term_sub(c->terms, size, TERM_ONE);
  term_id dilated = term_add(c->terms, term_scale(c->terms, less, NUM(dilation)), TERM_ONE);
  return math_is_positive(c, size) ? dilated : math_max(c, dilated, TERM_ZERO);
}

int64_t window_declared(const rule_context *c, uint32_t rank, uint32_t axis) {
  assert(axis < rank);
  const graph_type *t = rule_result_type(c, 0);
  bool known = t && t->kind == TYPE_TENSOR && t->rank == rank && dim_is_static(t->dims[axis]);
  return known ? t->dims[axis] : DIM_DYNAMIC;
}

term_id window_output(rule_context *c, const window *w, uint32_t axis, term_id base, term_id size,
                      int64_t declared) {
  assert(axis < w->rank);
  rule_require(c, predicate_make(REL_GE, size, TERM_ONE), "a window has at least one element");
  term_id padded = dilate(c, base, w->base_dilations[axis]);
  padded = term_add(c->terms, padded, w->padding[2 * axis]);
  padded = term_add(c->terms, padded, w->padding[2 * axis + 1]);
  term_id less = term_sub(c->terms, size, TERM_ONE);
  term_id dilated =
      term_add(c->terms, term_scale(c->terms, less, NUM(w->window_dilations[axis])), TERM_ONE);
  term_id room = term_sub(c->terms, padded, dilated);
  term_id stride = rule_int_term(c, w->strides[axis]);
  term_id positions = term_add(c->terms, term_floordiv(c->terms, room, stride), TERM_ONE);
  // Where the window does not fit, room < 0 and the quotient is at most -1 (the window has an element, so that this is
  // also the case of nothing to slide over).
  if (math_is_nonnegative(c, room)) return positions;
  if (declared > 0 &&
      store_holds(c->store, predicate_make(REL_GE, room, TERM_ZERO)) == SHAPE_UNKNOWN) {
    rule_require(c, predicate_make(REL_GE, room, TERM_ZERO),
                 "the result is not empty: the window fits");
    return positions;
  }
  return math_max(c, positions, TERM_ZERO);
}

// --- reduce_window

static void set_all_unknown(rule_context *c) {
  for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_unknown(c, i);
}

// StableHLO spec, reduce_window (C1..C13).
rule_status rule_reduce_window(rule_context *c) {
  static const window_names names = {"window_strides", "base_dilations", "window_dilations",
                                     "padding"};
  uint32_t count;
  if (!verify_reducer_operands(c, &count)) {
    set_all_unknown(c);
    return RULE_DONE;
  }
  axis_list sizes = verify_read_axes(c, "window_dimensions");
  verify_whole_reducer(c, 0, count, sizes.axes, sizes.count);
  bool fine = true;
  for (uint32_t i = 1; i < count; i++)
    fine = rule_require_same_shape(c, 0, i, "the inputs have the same shape") && fine;
  if (sizes.count <= VALUE_MAX_RANK && !rule_assume_rank(c, 0, sizes.count)) {
    rule_error(c, "window", "window_dimensions has %u elements, the inputs have rank %u",
               sizes.count, rule_operand(c, 0)->rank);
    fine = false;
  }
  const value_info *in = rule_operand(c, 0);
  window w;
  fine = window_read(c, sizes.count, &names, &w) && fine;
  for (uint32_t i = 0; i < sizes.count; i++) {
    if (sizes.axes[i] >= 1) continue;
    rule_error(c, "window", "window_dimensions has %lld for axis %u, at least 1 is needed",
               (long long)sizes.axes[i], i);
    fine = false;
    break;
  }
  if (!fine || !in->ranked || in->rank != sizes.count) {
    set_all_unknown(c);
    return RULE_DONE;
  }
  term_id *dims = arena_alloc(c->arena, ((size_t)in->rank + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < in->rank; i++) {
    term_id size = rule_int_term(c, sizes.axes[i]);
    dims[i] = window_output(c, &w, i, in->dims[i], size, window_declared(c, in->rank, i));
  }
  for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_dims(c, i, dims, in->rank);
  return RULE_DONE;
}

// --- select_and_scatter

// StableHLO spec, select_and_scatter (C1..C12): source has a value for each position of the window over operand.
rule_status rule_select_and_scatter(rule_context *c) {
  assert(rule_operand_count(c) >= 3 && rule_result_count(c) == 1);
  static const window_names names = {"window_strides", NULL, NULL, "padding"};
  verify_comparator(c, 0, 1, "select region");
  type_id inputs[2] = {verify_operand_type(c, 1), verify_operand_type(c, 2)};
  reducer_spec spec = {.inputs = inputs, .inits = inputs + 1, .count = 1, .check_results = true};
  verify_reducer(c, 1, &spec);
  if (verify_operand_type(c, 0) != TYPE_NONE && inputs[0] != TYPE_NONE &&
      !verify_elements_compatible(c, verify_operand_type(c, 0), inputs[0]))
    rule_error(c, "element-type", "operand #0 is %s, the source is %s",
               verify_type_text(c, verify_operand_type(c, 0)), verify_type_text(c, inputs[0]));
  const int64_t *sizes;
  uint32_t count;
  if (rule_ints(c, "window_dimensions", &sizes, &count)) {
    if (count <= VALUE_MAX_RANK && !rule_assume_rank(c, 0, count))
      rule_error(c, "window", "window_dimensions has %u elements, the operand has rank %u", count,
                 rule_operand(c, 0)->rank);
  } else {
    count = rule_operand(c, 0)->rank;
    sizes = NULL;
  }
  const value_info *in = rule_operand(c, 0);
  rule_set_dims_like(c, 0, in);
  window w;
  if (!window_read(c, count, &names, &w) || !in->ranked || in->rank != count) return RULE_DONE;
  for (uint32_t i = 0; sizes && i < count; i++) {
    if (sizes[i] >= 1) continue;
    rule_error(c, "window", "window_dimensions has %lld for axis %u, at least 1 is needed",
               (long long)sizes[i], i);
    return RULE_DONE;
  }
  if (!rule_assume_rank(c, 1, in->rank)) {
    rule_error(c, "rank", "source has rank %u, the operand has rank %u", rule_operand(c, 1)->rank,
               in->rank);
    return RULE_DONE;
  }
  const value_info *source = rule_operand(c, 1);
  for (uint32_t i = 0; i < in->rank; i++) {
    int64_t declared = DIM_DYNAMIC;
    if (!term_int_value(c->terms, source->dims[i], &declared)) declared = DIM_DYNAMIC;
    term_id positions = window_output(c, &w, i, in->dims[i],
                                      sizes ? rule_int_term(c, sizes[i]) : TERM_ONE, declared);
    rule_require_eq(c, source->dims[i], positions,
                    "the source has an element for each position of the window");
  }
  return RULE_DONE;
}
