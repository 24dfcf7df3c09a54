// SPDX-License-Identifier: Apache-2.0
// Operators that join a list of tensors: cat, stack and their kin, block_diag, meshgrid, cartesian_prod.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"
#include "solver/ops/rules/torch/torch.h"

// hstack, vstack, dstack, column_stack bring their operands to a rank first.
static value_info brought(rule_context *c, const value_info *v, uint32_t how) {
  value_info out = *v;
  uint32_t least = how == JOIN_DSTACK ? 3 : how == JOIN_VSTACK || how == JOIN_COLUMNS ? 2 : 1;
  if (!v->ranked || v->rank >= least) return out;
  term_id *dims = arena_alloc(c->arena, 3 * sizeof *dims);
  for (uint32_t i = 0; i < 3; i++) dims[i] = TERM_ONE;
  uint32_t first = how != JOIN_COLUMNS && v->rank == 1 && least > 1;
  for (uint32_t i = 0; i < v->rank; i++) dims[first + i] = v->dims[i];
  out.dims = dims;
  out.rank = least;
  return out;
}

// A vector without elements is skipped by cat, whatever the rank of the others.
static bool is_skipped(rule_context *c, const value_info *v) {
  int64_t size;
  return v->rank == 1 && torch_constant(c, v->dims[0], &size) && size == 0;
}

static rule_status cat(rule_context *c, const value_info *parts, uint32_t count, int64_t axis) {
  const value_info *first = NULL;
  term_id *dims, total;
  uint32_t at;
  for (uint32_t i = 0; i < count; i++) {
    if (!parts[i].ranked) return torch_unknown(c);
    if (!first || (first->rank == 1 && parts[i].rank > 1)) first = &parts[i];
  }
  if (!first->rank) {
    rule_error(c, "rank", "scalars cannot be joined");
    return torch_unknown(c);
  }
  if (!torch_wrap(c, axis, first->rank, &at)) return torch_unknown(c);
  dims = torch_dims(c, first, 0);
  total = TERM_ZERO;
  for (uint32_t i = 0; i < count; i++) {
    const value_info *v = &parts[i];
    if (first->rank > 1 && is_skipped(c, v)) continue;
    if (v->rank != first->rank) {
      if (v->rank == 1) {
        rule_require_eq(c, v->dims[0], TERM_ZERO, "a vector among tensors is empty");
        continue;
      }
      rule_error(c, "rank", "tensors of ranks %u and %u are joined", first->rank, v->rank);
      return torch_unknown(c);
    }
    total = term_add(c->terms, total, v->dims[at]);
    for (uint32_t k = 0; k < v->rank && v != first; k++) {
      if (k != at) rule_require_eq(c, v->dims[k], dims[k], "dims beside the axis are equal");
    }
  }
  dims[at] = total;
  rule_set_dims(c, 0, dims, first->rank);
  if (first->rank > 1) return RULE_DONE;
  term_id all[VALUE_FRESH_ELEMENTS];
  uint32_t made = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!parts[i].elements || made + parts[i].element_count > VALUE_FRESH_ELEMENTS)
      return RULE_DONE;
    for (uint32_t k = 0; k < parts[i].element_count; k++) all[made++] = parts[i].elements[k];
  }
  rule_set_elements(c, 0, all, made);
  return RULE_DONE;
}

static rule_status stack(rule_context *c, const value_info *parts, uint32_t count) {
  uint32_t axis;
  if (!parts[0].ranked || !torch_axis(c, "dim", 0, parts[0].rank + 1, &axis))
    return torch_unknown(c);
  for (uint32_t i = 1; i < count; i++) {
    if (!parts[i].ranked) return torch_unknown(c);
    torch_require_same(c, &parts[0], &parts[i], "stacked tensors have one shape");
  }
  term_id *dims = torch_dims(c, &parts[0], 1);
  for (uint32_t i = parts[0].rank; i > axis; i--) dims[i] = dims[i - 1];
  dims[axis] = rule_int_term(c, count);
  rule_set_dims(c, 0, dims, parts[0].rank + 1);
  return RULE_DONE;
}

rule_status rule_torch_join(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  uint32_t count, how = c->row->param;
  const value_info *parts = torch_parts(c, "tensors", &count);
  int64_t axis;
  if (!parts) return torch_unknown(c);
  if (!count) {
    rule_error(c, "list-length", "no tensors are joined");
    return torch_unknown(c);
  }
  if (how == JOIN_STACK) return stack(c, parts, count);
  if (how == JOIN_CAT) {
    if (!torch_const(c, "dim", 0, &axis)) return torch_unknown(c);
    return cat(c, parts, count, axis);
  }
  value_info *made = arena_alloc(c->arena, (size_t)count * sizeof *made);
  for (uint32_t i = 0; i < count; i++) made[i] = brought(c, &parts[i], how);
  axis = how == JOIN_VSTACK ? 0 : how == JOIN_DSTACK ? 2 : 1;
  if (how == JOIN_HSTACK && made[0].ranked && made[0].rank == 1) axis = 0;
  return cat(c, made, count, axis);
}

rule_status rule_torch_block_diag(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  uint32_t count;
  const value_info *parts = torch_parts(c, "tensors", &count);
  term_id dims[2] = {TERM_ZERO, TERM_ZERO};
  if (!parts) return torch_unknown(c);
  for (uint32_t i = 0; i < count; i++) {
    const value_info *v = &parts[i];
    if (!v->ranked) return torch_unknown(c);
    if (v->rank > 2) {
      rule_error(c, "rank", "a block has rank %u, at most 2 is needed", v->rank);
      return torch_unknown(c);
    }
    dims[0] = term_add(c->terms, dims[0], v->rank == 2 ? v->dims[0] : TERM_ONE);
    dims[1] = term_add(c->terms, dims[1], v->rank ? v->dims[v->rank - 1] : TERM_ONE);
  }
  if (!count) dims[0] = TERM_ONE;
  rule_set_dims(c, 0, dims, 2);
  return RULE_DONE;
}

// Every result has all dims; "xy" exchanges the first two.
rule_status rule_torch_meshgrid(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  uint32_t count;
  const value_info *parts = torch_parts(c, "tensors", &count);
  const char *indexing = torch_text(c, "indexing");
  if (!parts) return torch_unknown(c);
  term_id *dims = arena_alloc(c->arena, ((size_t)count + 1) * sizeof *dims);
  for (uint32_t i = 0; i < count; i++) {
    if (!parts[i].ranked) return torch_unknown(c);
    if (parts[i].rank > 1) {
      rule_error(c, "rank", "an operand has rank %u, at most 1 is needed", parts[i].rank);
      return torch_unknown(c);
    }
    dims[i] = parts[i].rank ? parts[i].dims[0] : TERM_ONE;
  }
  if (indexing && indexing[0] == 'x' && count > 1) {
    term_id kept = dims[0];
    dims[0] = dims[1];
    dims[1] = kept;
  }
  value_info *made = arena_alloc(c->arena, ((size_t)count + 1) * sizeof *made);
  for (uint32_t i = 0; i < count; i++)
    made[i] = (value_info){.dims = dims, .rank = count, .ranked = true, .visited = true};
  torch_set_list(c, 0, made, count);
  return RULE_DONE;
}

rule_status rule_torch_cartesian(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  uint32_t count;
  const value_info *parts = torch_parts(c, "tensors", &count);
  term_id dims[2] = {TERM_ONE, TERM_ONE};
  if (!parts) return torch_unknown(c);
  for (uint32_t i = 0; i < count; i++) {
    if (!parts[i].ranked) return torch_unknown(c);
    if (parts[i].rank != 1) {
      rule_error(c, "rank", "an operand has rank %u, 1 is needed", parts[i].rank);
      return torch_unknown(c);
    }
    dims[0] = term_mul(c->terms, dims[0], parts[i].dims[0]);
  }
  dims[1] = rule_int_term(c, count);
  rule_set_dims(c, 0, dims, count == 1 ? 1 : 2);
  return RULE_DONE;
}

// combinations of r elements (with replacement where the flag is set): of a constant r, C(n, r) rows.
rule_status rule_torch_combinations(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *in = torch_arg(c, "self");
  int64_t r;
  bool known = true, again = torch_flag(c, "with_replacement", false, &known);
  if (!torch_rank(c, "self", 1) || !known || !torch_const(c, "r", 2, &r)) return torch_unknown(c);
  in = torch_arg(c, "self");
  term_id dims[2] = {TERM_NONE, rule_int_term(c, r)};
  if (r == 1) {
    dims[0] = in->dims[0];
  } else if (r == 2) {
    term_id n = in->dims[0];
    term_id other = again ? term_add(c->terms, n, TERM_ONE) : term_sub(c->terms, n, TERM_ONE);
    dims[0] = term_floordiv(c->terms, term_mul(c->terms, n, other), rule_int_term(c, 2));
  } else {
    dims[0] = rule_unknown_size(c, 0, 2, 0);
  }
  if (r < 0) return torch_unknown(c);
  rule_set_dims(c, 0, dims, r == 0 ? 1 : 2);
  if (r == 0) return torch_unknown(c);
  return RULE_DONE;
}
