// SPDX-License-Identifier: Apache-2.0
// Operators that read or write where a tensor of indices says.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"
#include "solver/ops/rules/torch/torch.h"

static void leave_indices(rule_context *c) { rule_unchecked(c, TORCH_INDICES, TORCH_NOT_KNOWN); }

rule_status rule_torch_embedding(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  if (!torch_rank(c, "weight", 2)) return torch_unknown(c);
  const value_info *w = torch_arg(c, "weight"), *i = torch_arg(c, "indices");
  if (!i->ranked) return torch_unknown(c);
  term_id *dims = torch_dims(c, i, 1);
  dims[i->rank] = w->dims[1];
  leave_indices(c);
  rule_set_dims(c, 0, dims, i->rank + 1);
  return RULE_DONE;
}

// Rows of i, or a bag for each offset; the other results are of no use to programs.
rule_status rule_torch_embedding_bag(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *w = torch_arg(c, "weight"), *i = torch_arg(c, "indices"),
                   *o = torch_arg(c, "offsets");
  bool known = true, last = torch_flag(c, "include_last_offset", false, &known);
  if (!torch_rank(c, "weight", 2) || !i->ranked || !known) return torch_unknown(c);
  w = torch_arg(c, "weight");
  leave_indices(c);
  term_id dims[2] = {TERM_NONE, w->dims[1]};
  if (i->rank == 2) {
    dims[0] = i->dims[0];
  } else if (torch_rank(c, "offsets", 1)) {
    o = torch_arg(c, "offsets");
    if (last) rule_require(c, predicate_make(REL_GE, o->dims[0], TERM_ONE), "there is an offset");
    dims[0] = last ? term_sub(c->terms, o->dims[0], TERM_ONE) : o->dims[0];
  } else {
    return torch_unknown(c);
  }
  rule_set_dims(c, 0, dims, 2);
  rule_set_unknown(c, 1);
  rule_set_dims(c, 2, dims, 1);
  int64_t mode;  // 2: the maximum, which has an index for each column
  if (torch_const(c, "mode", 0, &mode)) rule_set_dims(c, 3, dims, mode == 2 ? 2 : 1);
  rule_set_unknown(c, 3);
  return RULE_DONE;
}

static bool is_vector(rule_context *c, const value_info *i) {
  if (!i->ranked) return false;
  if (i->rank <= 1) return true;
  rule_error(c, "rank", "the index has rank %u, at most 1 is needed", i->rank);
  return false;
}

rule_status rule_torch_select_index(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = torch_arg(c, "self"), *i = torch_arg(c, "index");
  uint32_t axis;
  if (!x->ranked || !is_vector(c, i) || !torch_axis(c, "dim", 0, x->rank, &axis))
    return torch_unknown(c);
  term_id *dims = torch_dims(c, x, 0);
  leave_indices(c);
  if (x->rank) dims[axis] = i->rank ? i->dims[0] : TERM_ONE;
  rule_set_dims(c, 0, dims, x->rank);
  return RULE_DONE;
}

// index_add, index_copy, index_reduce (have a source), index_fill.
rule_status rule_torch_index_add(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = torch_arg(c, "self"), *i = torch_arg(c, "index"),
                   *s = torch_arg(c, "source");
  uint32_t axis;
  if (!x->ranked || !is_vector(c, i) || !torch_axis(c, "dim", 0, x->rank, &axis))
    return torch_unknown(c);
  leave_indices(c);
  rule_set_dims_like(c, 0, x);
  if (!torch_has(c, "source") || !x->rank) return RULE_DONE;
  if (!s->ranked) return torch_unknown(c);
  if (s->rank != x->rank) {
    if (s->rank) rule_error(c, "rank", "the source has rank %u, self has %u", s->rank, x->rank);
    return RULE_DONE;
  }
  for (uint32_t k = 0; k < x->rank; k++)
    rule_require_eq(c, s->dims[k],
                    k != axis ? x->dims[k]
                    : i->rank ? i->dims[0]
                              : TERM_ONE,
                    "the source has a slice for each index");
  return RULE_DONE;
}

// --- index.Tensor, index_put

enum { INDEX_AXES = 64 };

typedef struct index_plan {
  term_id dims[INDEX_AXES];  // of the result
  uint32_t rank;
  bool fresh;  // a mask chooses how many
} index_plan;

static bool is_mask(rule_context *c, uint32_t part) {
  op_id list = torch_definition(c, torch_at(c, "indices"));
  if (list == ID_NONE) return false;
  const graph_type *t = graph_value_type(c->graph, graph_operand(c->graph, list, part));
  return t && (t->kind == TYPE_TENSOR || t->kind == TYPE_UNRANKED) &&
         (t->dtype == DTYPE_I1 || t->dtype == DTYPE_UI8);
}

// The element type of an index is not known: it may be a mask, whose rank is the axes that it takes.
static bool is_unsure(rule_context *c, uint32_t part) {
  op_id list = torch_definition(c, torch_at(c, "indices"));
  const graph_type *t =
      list == ID_NONE ? NULL : graph_value_type(c->graph, graph_operand(c->graph, list, part));
  return !t || ((t->kind == TYPE_TENSOR || t->kind == TYPE_UNRANKED) && t->dtype == DTYPE_OTHER);
}

static term_id kept_count(rule_context *c, const value_info *old, uint32_t at) {
  bool again = old->visited && old->ranked && at < old->rank;
  return again ? old->dims[at] : rule_fresh_size(c);
}

// The broadcast of all indices. A mask gives vectors of one fresh length.
static bool indices_shape(rule_context *c, const value_info *parts, uint32_t count, term_id *mask,
                          value_info *out) {
  const value_info **shapes = arena_alloc(c->arena, ((size_t)count + 1) * sizeof *shapes);
  uint32_t used = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (parts[i].is_none) continue;
    if (!parts[i].ranked || is_unsure(c, i)) return false;
    if (!is_mask(c, i)) {
      shapes[used++] = &parts[i];
      continue;
    }
    value_info *vector = arena_alloc(c->arena, sizeof *vector);
    *vector = (value_info){.dims = mask, .rank = 1, .ranked = true};
    shapes[used++] = vector;
  }
  return torch_broadcast(c, shapes, used, out);
}

// The dims of x[indices]; false where they are not known, or after an error.
static bool plan_index(rule_context *c, const value_info *x, index_plan *p) {
  uint32_t count, axis = 0, first = UINT32_MAX, last = 0, masks = 0, chosen = 0;
  const value_info *parts = torch_parts(c, "indices", &count);
  value_info b;
  if (!x->ranked || !parts || x->rank >= INDEX_AXES || count > x->rank + 1) return false;
  for (uint32_t i = 0; i < count; i++) {
    masks += !parts[i].is_none && is_mask(c, i);
    if (parts[i].is_none) continue;
    if (first == UINT32_MAX) first = i;
    last = i;
    chosen++;
  }
  bool adjacent = chosen && last - first + 1 == chosen;
  uint32_t before = adjacent ? first : 0;
  term_id *mask = arena_alloc(c->arena, sizeof *mask);
  *mask = masks == 0 ? TERM_ONE : masks == 1 ? kept_count(c, onnx_result(c, 0), before) : TERM_NONE;
  if (*mask == TERM_NONE || !indices_shape(c, parts, count, mask, &b)) return false;
  if (b.rank + x->rank >= INDEX_AXES) return false;
  p->fresh = masks > 0;
  p->rank = adjacent ? 0 : b.rank;
  for (uint32_t i = 0; !adjacent && i < b.rank; i++) p->dims[i] = b.dims[i];
  for (uint32_t i = 0; i < count || axis < x->rank; i++) {
    if (adjacent && i == first) {
      for (uint32_t k = 0; k < b.rank; k++) p->dims[p->rank++] = b.dims[k];
    }
    bool none = i >= count || parts[i].is_none;
    uint32_t takes = !none && is_mask(c, i) ? parts[i].rank : 1;
    if (axis + takes > x->rank) {
      rule_error(c, "rank", "more indices than a tensor of rank %u has axes", x->rank);
      return false;
    }
    for (uint32_t k = 0; !none && is_mask(c, i) && k < takes; k++)
      rule_require_eq(c, parts[i].dims[k], x->dims[axis + k], "a mask has the dims of its axes");
    if (none) p->dims[p->rank++] = x->dims[axis];
    axis += takes;
  }
  return true;
}

rule_status rule_torch_index(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = torch_arg(c, "self");
  index_plan plan;
  leave_indices(c);
  if (!plan_index(c, x, &plan)) return torch_unknown(c);
  rule_set_dims(c, 0, plan.dims, plan.rank);
  return RULE_DONE;
}

rule_status rule_torch_index_put(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  static const char VALUES[] = "the values broadcast to what is indexed";
  const value_info *x = torch_arg(c, "self"), *v = torch_arg(c, "values");
  index_plan plan;
  leave_indices(c);
  rule_set_dims_like(c, 0, x);
  if (!plan_index(c, x, &plan) || !v->ranked || plan.fresh) {
    rule_unchecked(c, VALUES, TORCH_NOT_KNOWN);
    return x->ranked ? RULE_DONE : RULE_AGAIN;
  }
  onnx_require_broadcasts(c, v, plan.dims, plan.rank, VALUES);
  return RULE_DONE;
}

// --- gather, scatter

static bool same_rank(rule_context *c, const value_info *x, const value_info *i) {
  uint32_t a = x->rank ? x->rank : 1, b = i->rank ? i->rank : 1;
  if (a == b) return true;
  // Of an index without elements nothing is needed.
  if (i->rank && !math_is_positive(c, torch_numel(c, i))) {
    rule_require_eq(c, torch_numel(c, i), TERM_ZERO,
                    "the index has the rank of self, or no elements");
    return false;
  }
  rule_error(c, "rank", "the index has rank %u, self has %u", i->rank, x->rank);
  return false;
}

// index dims are within those of `x` beside the axis (`all`: on it too). Of an index without elements nothing is needed.
static void require_within(rule_context *c, const value_info *i, const value_info *x, uint32_t axis,
                           bool all) {
  static const char WITHIN[] = "the index is within the other dims";
  if (!i->rank || !x->rank) return;
  term_id one = math_min(c, torch_numel(c, i), TERM_ONE);
  for (uint32_t k = 0; k < i->rank; k++) {
    if (k == axis && !all) continue;
    if (one == TERM_ONE) {
      rule_require(c, predicate_make(REL_LE, i->dims[k], x->dims[k]), WITHIN);
    } else {
      rule_require(c, predicate_make(REL_LE, term_mul(c->terms, one, i->dims[k]), x->dims[k]),
                   WITHIN);
    }
  }
}

rule_status rule_torch_gather(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = torch_arg(c, "self"), *i = torch_arg(c, "index");
  uint32_t axis;
  if (!x->ranked || !i->ranked || !torch_axis(c, "dim", 0, x->rank, &axis)) return torch_unknown(c);
  leave_indices(c);
  rule_set_dims_like(c, 0, i);
  if (same_rank(c, x, i)) require_within(c, i, x, axis, false);
  return RULE_DONE;
}

rule_status rule_torch_scatter(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = torch_arg(c, "self"), *i = torch_arg(c, "index"), *s = torch_arg(c, "src");
  uint32_t axis;
  if (!x->ranked || !i->ranked || !torch_axis(c, "dim", 0, x->rank, &axis)) return torch_unknown(c);
  leave_indices(c);
  rule_set_dims_like(c, 0, x);
  if (!same_rank(c, x, i)) return RULE_DONE;
  require_within(c, i, x, axis, false);
  if (!torch_has(c, "src") || !torch_is_tensor(c, torch_at(c, "src"))) return RULE_DONE;
  if (!s->ranked) return torch_unknown(c);
  if (same_rank(c, s, i)) require_within(c, i, s, axis, true);
  return RULE_DONE;
}

// put: an element of the source for each index.
rule_status rule_torch_put(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = torch_arg(c, "self"), *i = torch_arg(c, "index"),
                   *s = torch_arg(c, "source");
  leave_indices(c);
  rule_set_dims_like(c, 0, x);
  if (!x->ranked || !i->ranked || !s->ranked) return torch_unknown(c);
  term_id indices = torch_numel(c, i);
  rule_require_eq(c, torch_numel(c, s), indices, "the source has an element for each index");
  return RULE_DONE;
}

// take: dims of the index; take_along_dim (param 1): broadcast beside the axis, without one both are flat.
rule_status rule_torch_take(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = torch_arg(c, "self"), *i = torch_arg(c, "index");
  uint32_t axis;
  value_info out;
  leave_indices(c);
  if (!c->row->param) {
    rule_set_dims_like(c, 0, i);
    return i->ranked ? RULE_DONE : RULE_AGAIN;
  }
  if (!torch_has(c, "dim")) {
    term_id count = i->ranked ? torch_numel(c, i) : rule_fresh_size(c);
    rule_set_dims(c, 0, &count, 1);
    return i->ranked ? RULE_DONE : RULE_AGAIN;
  }
  if (!torch_min_rank(c, x, 1) || !i->ranked || !torch_axis(c, "dim", 0, x->rank, &axis))
    return torch_unknown(c);
  if (i->rank != x->rank) {
    rule_error(c, "rank", "the index has rank %u, self has %u", i->rank, x->rank);
    return torch_unknown(c);
  }
  value_info a = *x, b = *i;
  term_id *left = torch_dims(c, x, 0), *right = torch_dims(c, i, 0);
  left[axis] = right[axis] = TERM_ONE;
  a.dims = left;
  b.dims = right;
  const value_info *both[2] = {&a, &b};
  if (!torch_broadcast(c, both, 2, &out)) return torch_unknown(c);
  term_id *dims = torch_dims(c, &out, 0);
  dims[axis] = i->dims[axis];
  rule_set_dims(c, 0, dims, out.rank);
  return RULE_DONE;
}

rule_status rule_torch_topk(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = torch_arg(c, "self");
  uint32_t axis;
  term_id k = torch_int(c, "k");
  if (!x->ranked || !torch_axis(c, "dim", -1, x->rank, &axis)) return torch_unknown(c);
  term_id *dims = torch_dims(c, x, 0), size = x->rank ? x->dims[axis] : TERM_ONE;
  if (k == TERM_NONE) {
    rule_unchecked(c, "k is within the axis", TORCH_NOT_KNOWN);
    if (x->rank) dims[axis] = rule_unknown_size(c, 0, x->rank, axis);
  } else {
    rule_require(c, predicate_make(REL_GE, k, TERM_ZERO), "k is at least 0");
    rule_require(c, predicate_make(REL_LE, k, size), "k is within the axis");
    if (x->rank) dims[axis] = k;
  }
  rule_set_dims(c, 0, dims, x->rank);
  for (uint32_t i = 1; i < rule_result_count(c); i++)
    rule_set_dims(c, i, onnx_result(c, 0)->dims, x->rank);
  return RULE_DONE;
}

rule_status rule_torch_one_hot(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = torch_arg(c, "self");
  int64_t classes = 0;
  term_id count = torch_has(c, "num_classes") ? torch_int(c, "num_classes") : rule_int_term(c, -1);
  if (!x->ranked) return torch_unknown(c);
  term_id *dims = torch_dims(c, x, 1);
  leave_indices(c);
  bool counted = torch_constant(c, count, &classes)
                     ? classes >= 0
                     : count != TERM_NONE && math_is_nonnegative(c, count);
  dims[x->rank] = counted ? count : rule_unknown_size(c, 0, x->rank + 1, x->rank);
  rule_set_dims(c, 0, dims, x->rank + 1);
  return RULE_DONE;
}

// searchsorted(sorted, self): dims of self; a sequence of more than one axis has the leading dims of self.
rule_status rule_torch_searchsorted(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *s = rule_operand(c, 0), *v = rule_operand(c, 1);
  if (torch_is_tensor(c, 1) && !v->ranked) return torch_unknown(c);
  if (!torch_min_rank(c, s, 1)) return torch_unknown(c);
  if (!torch_is_tensor(c, 1)) {
    rule_set_dims(c, 0, NULL, 0);
    return RULE_DONE;
  }
  if (s->rank > 1 && v->rank != s->rank) {
    rule_error(c, "rank", "the sequence has rank %u, the values have %u", s->rank, v->rank);
    return torch_unknown(c);
  }
  for (uint32_t i = 0; s->rank > 1 && i + 1 < s->rank; i++)
    rule_require_eq(c, s->dims[i], v->dims[i], "there is a sequence for each row");
  rule_set_dims_like(c, 0, v);
  return RULE_DONE;
}

// _unique2, unique_consecutive, unique_dim: [fresh], inverse, counts.
rule_status rule_torch_unique(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = torch_arg(c, "self");
  uint32_t axis = 0;
  bool has_axis = torch_has(c, "dim"), inverse = true, counts = true;
  bool wants_inverse = torch_flag(c, "return_inverse", false, &inverse);
  bool wants_counts = torch_flag(c, "return_counts", false, &counts);
  if (!x->ranked || (has_axis && !torch_axis(c, "dim", 0, x->rank, &axis))) return torch_unknown(c);
  term_id count = kept_count(c, onnx_result(c, 0), has_axis ? axis : 0), none = TERM_ZERO;
  term_id *dims = torch_dims(c, x, 1), all = torch_numel(c, x);
  if (has_axis && x->rank) {
    all = x->dims[axis];
    dims[axis] = count;
    rule_set_dims(c, 0, dims, x->rank);
  } else {
    rule_set_dims(c, 0, &count, 1);
  }
  rule_fact(c, predicate_make(REL_LE, count, all), "no more than there are elements");
  if (rule_result_count(c) > 1) {
    if (!inverse || !wants_inverse) {
      if (inverse && !has_axis)
        rule_set_dims(c, 1, &none, 1);  // along an axis it may be made anyway
      rule_set_unknown(c, 1);
    } else if (has_axis) {
      rule_set_dims(c, 1, &all, 1);
    } else {
      rule_set_dims_like(c, 1, x);
    }
  }
  if (rule_result_count(c) > 2) {
    if (counts && (wants_counts || !has_axis))
      rule_set_dims(c, 2, wants_counts ? &count : &none, 1);
    rule_set_unknown(c, 2);
  }
  return RULE_DONE;
}
