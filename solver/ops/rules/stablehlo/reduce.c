// SPDX-License-Identifier: Apache-2.0
// reduce: some axes go, the others stay (StableHLO spec, reduce (C1..C8)).
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/verify/verify.h"

static void set_all_unknown(rule_context *c) {
  for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_unknown(c, i);
}

// What parameters of the region may keep of the inputs' dims: those of the axes that stay, as declared.
static void check_region(rule_context *c, uint32_t count, axis_list gone) {
  assert(count && 2 * count <= rule_operand_count(c));
  const graph_type *t = rule_operand_type(c, 0);
  uint32_t rank = t && t->kind == TYPE_TENSOR ? t->rank : 0, kept = 0;
  int64_t *sizes = arena_alloc(c->arena, ((size_t)rank + 1) * sizeof(int64_t));
  for (uint32_t i = 0; i < rank; i++) {
    if (!axis_in(gone, i)) sizes[kept++] = t->dims[i];
  }
  verify_whole_reducer(c, 0, count, sizes, kept);
}

// An implementation may put the initial value anywhere in the tree of operations, any number of times or never
// (StableHLO spec, reduce): only where that makes no difference is the value of the result known.
typedef enum fold_kind { FOLD_NONE, FOLD_IDENTITY, FOLD_IDEMPOTENT } fold_kind;

// FOLD_IDENTITY: `init` leaves every value as it is. FOLD_IDEMPOTENT: applying it once more changes nothing.
static fold_kind fold_of(rule_context *c, math_op op, term_id init) {
  switch (op) {
  case MATH_ADD:
  case MATH_XOR: return init == TERM_ZERO ? FOLD_IDENTITY : FOLD_NONE;
  case MATH_MUL: return init == rule_int_term(c, 1) ? FOLD_IDENTITY : FOLD_NONE;
  case MATH_OR: return init == TERM_ZERO ? FOLD_IDENTITY : FOLD_IDEMPOTENT;
  case MATH_AND:
  case MATH_MAX:
  case MATH_MIN: return FOLD_IDEMPOTENT;
  default: return FOLD_NONE;
  }
}

// Combines the elements of small integer tensors: `out` has one for each of the result.
typedef struct reduction {
  const term_id *in;
  uint32_t total, rank;
  int64_t shape[ELEMENTS_MAX_RANK], stride[ELEMENTS_MAX_RANK];  // 0 for an axis that goes
  math_op op;
  shape_dtype dtype;
} reduction;

static void combine(rule_context *c, const reduction *r, term_id *out, bool *started) {
  int64_t index[ELEMENTS_MAX_RANK] = {0};
  assert(r->rank <= ELEMENTS_MAX_RANK);
  for (uint32_t i = 0; i < r->total; i++) {
    int64_t at = 0;
    for (uint32_t k = 0; k < r->rank; k++) at += index[k] * r->stride[k];
    if (!started[at]) {
      out[at] = r->in[i];
      started[at] = true;
    } else if (out[at] != TERM_NONE && r->in[i] != TERM_NONE) {
      out[at] = math_binary(c, r->op, r->dtype, out[at], r->in[i]);
      // p + x - p*x, as `or` of bits is written, would double p each time.
      if (r->op == MATH_OR || r->op == MATH_XOR) out[at] = rule_bounded(c, out[at]);
    } else {
      out[at] = TERM_NONE;
    }
    elements_next(index, r->shape, r->rank);
  }
}

static void fold(rule_context *c, axis_list gone) {
  const op_row *row = verify_reducer_op(c, 0);
  uint32_t count, init_count, out_total = 1;
  const value_info *v = rule_operand(c, 0);
  reduction r = {
      .in = rule_elements(c, 0, &count), .rank = v->rank, .dtype = rule_operand_dtype(c, 0)};
  const term_id *init = rule_elements(c, 1, &init_count);
  if (!r.in || !init || init_count != 1 || init[0] == TERM_NONE || !row || row->rule != rule_binary)
    return;
  if (r.dtype != rule_result_dtype(c, 0) || !elements_shape(c, v, r.shape, &r.total) ||
      r.total != count)
    return;
  r.op = (math_op)row->param;
  term_id start = store_canon(c->store, init[0]);
  fold_kind kind = fold_of(c, r.op, start);
  if (kind == FOLD_NONE) return;
  for (uint32_t i = v->rank; i-- > 0;) {
    if (axis_in(gone, i)) continue;
    r.stride[i] = out_total;
    out_total *= (uint32_t)r.shape[i];
    if (out_total > VALUE_MAX_ELEMENTS) return;
  }
  if (!budget_spend(c->budget, r.total + 1)) return;
  term_id *out = arena_alloc(c->arena, ((size_t)out_total + 1) * sizeof(term_id));
  bool *started = arena_zalloc(c->arena, (size_t)out_total + 1);
  combine(c, &r, out, started);
  for (uint32_t i = 0; i < out_total; i++) {
    if (!started[i]) {
      out[i] = start;
    } else if (kind == FOLD_IDEMPOTENT && out[i] != TERM_NONE &&
               !store_equal(c->store, math_binary(c, r.op, r.dtype, out[i], start), out[i])) {
      out[i] = TERM_NONE;  // with and without the initial value the result is another
    }
  }
  rule_set_elements(c, 0, out, out_total);
}

rule_status rule_reduce(rule_context *c) {
  uint32_t count;
  if (!verify_reducer_operands(c, &count)) {
    set_all_unknown(c);
    return RULE_DONE;
  }
  axis_list gone = verify_read_axes(c, "dimensions");
  check_region(c, count, gone);
  bool fine = true;
  for (uint32_t i = 1; i < count; i++)
    fine = rule_require_same_shape(c, 0, i, "the inputs have the same shape") && fine;
  const value_info *in = rule_operand(c, 0);
  fine = verify_in_range(c, "dimensions", gone, in->ranked ? in->rank : VALUE_MAX_RANK) && fine;
  fine = verify_distinct(c, "dimensions", gone) && fine;
  if (!fine || !in->ranked) {
    set_all_unknown(c);
    return RULE_DONE;
  }
  term_id few[RULE_FEW], *dims = rule_room(c, few, in->rank);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < in->rank; i++) {
    if (!axis_in(gone, i)) dims[kept++] = in->dims[i];
  }
  for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_dims(c, i, dims, kept);
  if (count == 1 && rule_result_count(c) == 1) fold(c, gone);
  return RULE_DONE;
}
