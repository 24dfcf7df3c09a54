// SPDX-License-Identifier: Apache-2.0
// get_dimension_size and set_dimension_size.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"

// The axis in the attribute `dimension`; false after an error. An operand of unknown rank passes.
static bool read_axis(rule_context *c, int64_t *axis) {
  const value_info *in = rule_operand(c, 0);
  if (!rule_int(c, "dimension", axis)) return false;
  if (*axis >= 0 && (!in->ranked || *axis < (int64_t)in->rank)) return true;
  rule_error(c, "axis", "dimension %lld is not an axis of an operand of rank %u", (long long)*axis,
             in->rank);
  return false;
}

// StableHLO spec, get_dimension_size (C1): the size, as a scalar i32.
rule_status rule_get_dimension_size(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  int64_t axis;
  rule_set_dims(c, 0, NULL, 0);
  const value_info *in = rule_operand(c, 0);
  if (read_axis(c, &axis) && in->ranked) {
    term_id size = math_fit(c, rule_result_dtype(c, 0), in->dims[axis]);
    rule_set_elements(c, 0, &size, 1);
  } else {
    rule_track_result(c, 0);
  }
  return RULE_DONE;
}

// What a new size may be at most: the declared number or bound of the old one. TERM_NONE where there is none: a
// size without bound gives no room that a run could exceed.
static term_id size_limit(rule_context *c, int64_t axis) {
  const value_info *in = rule_operand(c, 0);
  assert(axis >= 0 && axis < (int64_t)in->rank);
  const graph_type *t = rule_operand_type(c, 0);
  if (term_kind_of(c->terms, in->dims[axis]) == TERM_CONST) return in->dims[axis];
  if (!t || t->kind != TYPE_TENSOR || axis >= (int64_t)t->rank || !t->has_bounds ||
      t->bounds[axis] < 0)
    return TERM_NONE;
  return term_int(c->terms, t->bounds[axis]);
}

// What stays of the operand where the axis is cut to `size`: the first elements along it. Where it grows, the rest is
// undefined.
static void cut_elements(rule_context *c, const value_info *in, uint32_t axis, term_id size) {
  int64_t now, old, inner = 1, outer = 1, dim;
  if (!in->elements || !term_int_value(c->terms, store_canon(c->store, size), &now) ||
      !term_int_value(c->terms, in->dims[axis], &old) || now < 0 || now > old ||
      old > VALUE_MAX_ELEMENTS)
    return;
  for (uint32_t i = 0; i < in->rank; i++) {
    if (i == axis) continue;
    if (!term_int_value(c->terms, in->dims[i], &dim) || dim > VALUE_MAX_ELEMENTS) return;
    if (outer > VALUE_MAX_ELEMENTS || inner > VALUE_MAX_ELEMENTS) return;
    if (i < axis) outer *= dim;
    if (i > axis) inner *= dim;
  }
  if (outer * old * inner != (int64_t)in->element_count) return;
  uint32_t count = 0;
  term_id *kept = arena_alloc(c->arena, (in->element_count + 1u) * sizeof *kept);
  for (int64_t i = 0; i < outer; i++) {
    for (int64_t k = 0; k < now * inner; k++) kept[count++] = in->elements[i * old * inner + k];
  }
  assert(count <= in->element_count);
  rule_set_elements(c, 0, kept, count);
}

// set_dimension_size (StableHLO dialect; bounded dynamism RFC): one size becomes the value of the second operand, which
// lies between 0 and the old size or bound.
rule_status rule_set_dimension_size(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  int64_t axis;
  const value_info *in = rule_operand(c, 0);
  if (!rule_assume_rank(c, 1, 0)) rule_error(c, "rank", "the new dim is no scalar");
  if (!read_axis(c, &axis) || !in->ranked) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  uint32_t count;
  const term_id *size = rule_size_elements(c, 1, &count);
  if (!size || count != 1 || size[0] == TERM_NONE) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  term_id limit = size_limit(c, axis), new_size = size[0];
  rule_require(c, predicate_make(REL_GE, new_size, TERM_ZERO), "the new dim is >= 0");
  if (limit != TERM_NONE)
    rule_require(c, predicate_make(REL_LE, new_size, limit),
                 "the new dim is at most the old dim or bound");
  term_id *dims = arena_alloc(c->arena, in->rank * sizeof(term_id));
  for (uint32_t i = 0; i < in->rank; i++) dims[i] = in->dims[i];
  dims[axis] = new_size;
  rule_set_dims(c, 0, dims, in->rank);
  if (limit == new_size) {
    rule_share_elements(c, 0, in);
  } else {
    cut_elements(c, in, (uint32_t)axis, new_size);
  }
  return RULE_DONE;
}
