// SPDX-License-Identifier: Apache-2.0
// The shape dialect and the operations of tensor that compute shapes. A shape (!shape.shape or a tensor of index) is a
// value of rank 1 whose elements are its extents.
#include <assert.h>
#include <string.h>

#include "solver/ops/registry.h"
#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/linalg/linalg.h"

static void set_scalar(rule_context *c, uint32_t result, term_id value) {
  rule_set_dims(c, result, NULL, 0);
  if (value == TERM_NONE) {
    rule_track_result(c, result);
  } else {
    rule_set_elements(c, result, &value, 1);
  }
}

static void set_shape(rule_context *c, uint32_t result, const term_id *extents, uint32_t count) {
  term_id length = term_int(c->terms, count);
  rule_set_dims(c, result, &length, 1);
  rule_set_elements(c, result, extents, count);
}

// The constant that a scalar operand holds.
static bool constant_operand(rule_context *c, uint32_t i, int64_t *out) {
  uint32_t count;
  const term_id *e = rule_elements(c, i, &count);
  return e && count == 1 && e[0] != TERM_NONE &&
         term_int_value(c->terms, store_canon(c->store, e[0]), out);
}

// Extents of operand i: those of a shape, or the dims of a tensor of unknown kind are not meant.
static const term_id *extents_of(rule_context *c, uint32_t i, uint32_t *count) {
  return rule_elements(c, i, count);
}

// Operand i counts what there are `limit` of. TERM_NONE: how many is not known, for the reason `unknown`.
static void require_index(rule_context *c, uint32_t i, term_id limit, const char *unknown) {
  static const char WITHIN[] = "an index is within what it counts";
  uint32_t count;
  const term_id *e = rule_elements(c, i, &count);
  if (!e || count != 1 || e[0] == TERM_NONE) {
    rule_unchecked(c, WITHIN, "the index is computed from data");
    return;
  }
  rule_require(c, predicate_make(REL_LE, TERM_ZERO, e[0]), WITHIN);
  if (limit == TERM_NONE) {
    rule_unchecked(c, WITHIN, unknown);
  } else {
    rule_require(c, predicate_make(REL_LT, e[0], limit), WITHIN);
  }
}

// !shape.value_shape, which is tracked as the shape that it holds. A tensor is tracked by its dims.
static bool is_value_shape(rule_context *c, uint32_t i) {
  const graph_type *t = rule_operand_type(c, i);
  return t && t->kind == TYPE_OPAQUE;
}

static rule_status get_extent(rule_context *c);

static rule_status dim_of(rule_context *c) {
  if (is_value_shape(c, 0)) return get_extent(c);
  const value_info *in = rule_operand(c, 0);
  int64_t axis;
  const graph_type *t = rule_operand_type(c, 0);
  if (!constant_operand(c, 1, &axis) || (!in->ranked && t && t->kind == TYPE_UNRANKED)) {
    require_index(c, 1, in->ranked ? term_int(c->terms, in->rank) : TERM_NONE,
                  "the rank is not known");
    set_scalar(c, 0, TERM_NONE);
    return RULE_DONE;
  }
  if (in->ranked && (axis < 0 || axis >= (int64_t)in->rank)) {
    rule_error(c, "axis", "%lld is not an axis of an operand of rank %u", (long long)axis,
               in->rank);
    set_scalar(c, 0, TERM_NONE);
    return RULE_DONE;
  }
  set_scalar(c, 0, in->ranked ? in->dims[axis] : TERM_NONE);
  return RULE_DONE;
}

static rule_status get_extent(rule_context *c) {
  uint32_t count;
  int64_t at;
  const term_id *e = extents_of(c, 0, &count);
  if (!e || !constant_operand(c, 1, &at)) {
    require_index(c, 1, e ? term_int(c->terms, count) : TERM_NONE,
                  "the rank of the shape is not known");
    set_scalar(c, 0, TERM_NONE);
  } else if (at < 0 || at >= (int64_t)count) {
    rule_error(c, "axis", "%lld is not an axis of a shape of rank %u", (long long)at, count);
    set_scalar(c, 0, TERM_NONE);
  } else {
    set_scalar(c, 0, e[at]);
  }
  return RULE_DONE;
}

static rule_status number_of_elements(rule_context *c) {
  uint32_t count;
  const term_id *e = extents_of(c, 0, &count);
  for (uint32_t i = 0; e && i < count; i++) {
    if (e[i] == TERM_NONE) e = NULL;
  }
  set_scalar(c, 0, e ? term_product_of(c->terms, e, count) : TERM_NONE);
  return RULE_DONE;
}

static rule_status from_elements(rule_context *c) {
  uint32_t count = rule_operand_count(c), one;
  term_id *e = arena_alloc(c->arena, (count + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < count; i++) {
    const term_id *x = rule_elements(c, i, &one);
    e[i] = x && one == 1 ? x[0] : TERM_NONE;
  }
  const graph_type *t = rule_result_type(c, 0);
  if (t && t->kind == TYPE_TENSOR && t->rank != 1) {
    rule_set_unknown(c, 0);
    if (dtype_is_integer(rule_result_dtype(c, 0))) rule_set_elements(c, 0, e, count);
    return RULE_DONE;
  }
  term_id length = term_int(c->terms, count);
  rule_set_dims(c, 0, &length, 1);
  if (!t || t->kind != TYPE_TENSOR || dtype_is_integer((shape_dtype)t->dtype))
    rule_set_elements(c, 0, e, count);
  return RULE_DONE;
}

static rule_status constant_shape(rule_context *c) {
  const int64_t *values;
  uint32_t count;
  if (!rule_ints(c, "shape", &values, &count)) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  term_id *e = arena_alloc(c->arena, (count + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < count; i++) e[i] = term_int(c->terms, values[i]);
  set_shape(c, 0, e, count);
  return RULE_DONE;
}

static const char BROADCASTABLE[] = "the shapes can be broadcast";

// shape.broadcast and the cstr_broadcastable that guards it: numpy's rule on the extents.
static rule_status broadcast_shapes(rule_context *c, bool set_result) {
  uint32_t n = rule_operand_count(c), rank = 0, count;
  bool undecided = false;
  for (uint32_t i = 0; i < n; i++) {
    if (!extents_of(c, i, &count)) {
      rule_unchecked(c, BROADCASTABLE, "the rank of a shape is not known");
      rule_set_unknown(c, 0);
      return RULE_DONE;
    }
    if (count > rank) rank = count;
  }
  term_id *all = arena_alloc(c->arena, (rank + 1) * sizeof(term_id));
  for (uint32_t k = 0; k < rank; k++) all[k] = TERM_ONE;
  for (uint32_t i = 0; i < n; i++) {
    const term_id *e = extents_of(c, i, &count);
    for (uint32_t k = 0; k < count; k++) {
      term_id *to = &all[rank - count + k];
      bool known = *to != TERM_NONE && e[k] != TERM_NONE;
      if (!known) rule_unchecked(c, BROADCASTABLE, "an extent is not known");
      *to = known ? broadcast_pair(c, *to, e[k], &undecided, BROADCASTABLE) : TERM_NONE;
    }
  }
  if (set_result) {
    set_shape(c, 0, all, rank);
  } else {
    rule_set_unknown(c, 0);
  }
  return undecided ? RULE_AGAIN : RULE_DONE;
}

static const char EQUAL[] = "the shapes are equal";

// shape.cstr_eq, shape.meet (require) and shape.shape_eq (compute).
static rule_status equal_shapes(rule_context *c, bool require) {
  uint32_t first_count, count;
  const term_id *first = extents_of(c, 0, &first_count);
  term_id all = TERM_ONE;
  if (require && !first) rule_unchecked(c, EQUAL, "the rank of a shape is not known");
  for (uint32_t i = 1; first && i < rule_operand_count(c); i++) {
    const term_id *e = extents_of(c, i, &count);
    if (!e) {
      if (require) rule_unchecked(c, EQUAL, "the rank of a shape is not known");
      all = TERM_NONE;
      continue;
    }
    if (count != first_count) {
      if (require)
        rule_error(c, "rank", "shapes of ranks %u and %u cannot be equal", first_count, count);
      all = TERM_ZERO;
      break;
    }
    for (uint32_t k = 0; k < count; k++) {
      bool known = first[k] != TERM_NONE && e[k] != TERM_NONE;
      if (require && known) rule_require_eq(c, first[k], e[k], EQUAL);
      if (require && !known) rule_unchecked(c, EQUAL, "an extent is not known");
      term_id same = math_compare(c, COMPARE_EQ, first[k], e[k]);
      all = all == TERM_NONE || same == TERM_NONE ? TERM_NONE : term_mul(c->terms, all, same);
    }
  }
  if (c->row->param == EXTENT_SHAPE_EQ) {
    set_scalar(c, 0, first ? all : TERM_NONE);
  } else if (c->row->param == EXTENT_MEET && first) {
    set_shape(c, 0, first, first_count);
  } else {
    rule_set_unknown(c, 0);
  }
  return RULE_DONE;
}

static rule_status concat_shapes(rule_context *c) {
  uint32_t a_count, b_count;
  const term_id *a = extents_of(c, 0, &a_count), *b = extents_of(c, 1, &b_count);
  if (!a || !b) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  term_id *e = arena_alloc(c->arena, (a_count + b_count + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < a_count; i++) e[i] = a[i];
  for (uint32_t i = 0; i < b_count; i++) e[a_count + i] = b[i];
  set_shape(c, 0, e, a_count + b_count);
  return RULE_DONE;
}

static rule_status split_shape(rule_context *c) {
  uint32_t count;
  int64_t at;
  const term_id *e = extents_of(c, 0, &count);
  if (!e || !constant_operand(c, 1, &at) || at < -(int64_t)count || at > (int64_t)count) {
    rule_set_unknown(c, 0);
    rule_set_unknown(c, 1);
    return RULE_DONE;
  }
  uint32_t split = (uint32_t)(at < 0 ? at + (int64_t)count : at);
  set_shape(c, 0, e, split);
  set_shape(c, 1, e + split, count - split);
  return RULE_DONE;
}

// Index i is a number outside of a dim that is one. MLIR leaves undefined what that gives, and accepts the program.
static bool is_outside(rule_context *c, uint32_t i, term_id dim) {
  int64_t index, size;
  if (!constant_operand(c, i, &index) || !term_int_value(c->terms, dim, &size)) return false;
  if (index >= 0 && index < size) return false;
  rule_warning(c, "axis", "index %lld is outside of a dim of %lld", (long long)index,
               (long long)size);
  rule_unchecked(c, "an index is within what it counts", "the index is outside in every run");
  return true;
}

// tensor.extract: one element; which one is known by constant indices.
static rule_status extract(rule_context *c) {
  const value_info *in = rule_operand(c, 0);
  int64_t shape[ELEMENTS_MAX_RANK], strides[ELEMENTS_MAX_RANK], index, at = 0;
  uint32_t total;
  if (in->ranked && rule_operand_count(c) != in->rank + 1)
    rule_error(c, "operand-count", "%u indices for an operand of rank %u",
               rule_operand_count(c) - 1, in->rank);
  term_id value = TERM_NONE;
  for (uint32_t i = 1; i < rule_operand_count(c); i++) {
    bool has_dim = in->ranked && i <= in->rank;
    if (has_dim && is_outside(c, i, in->dims[i - 1])) continue;
    require_index(c, i, has_dim ? in->dims[i - 1] : TERM_NONE, "the rank is not known");
  }
  if (in->elements && elements_shape(c, in, shape, &total) && total == in->element_count &&
      rule_operand_count(c) == in->rank + 1) {
    elements_strides(shape, in->rank, strides);
    bool known = true;
    for (uint32_t i = 0; i < in->rank; i++) {
      known = known && constant_operand(c, i + 1, &index) && index >= 0 && index < shape[i];
      if (known) at += index * strides[i];
    }
    if (known) value = in->elements[at];
  }
  set_scalar(c, 0, value);
  return RULE_DONE;
}

// tensor.empty, generate and splat: an operand for each `?` of the declared type, after the splatted value.
static rule_status sizes_from_operands(rule_context *c, uint32_t first) {
  assert(first <= rule_operand_count(c));
  const graph_type *t = rule_result_type(c, 0);
  if (!t || t->kind != TYPE_TENSOR) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  term_id *dims = arena_alloc(c->arena, (t->rank + 1) * sizeof(term_id));
  uint32_t next = first, count;
  linalg_check_sizes(c, first);
  for (uint32_t i = 0; i < t->rank; i++) {
    dims[i] = rule_declared_size(c, t->dims[i]);
    if (t->dims[i] != DIM_DYNAMIC) continue;
    const term_id *e = next < rule_operand_count(c) ? rule_size_elements(c, next++, &count) : NULL;
    term_id none = TERM_NONE;
    dims[i] = *elements_as_sizes(c, e && count == 1 ? e : &none, 1, "a dim is >= 0");
  }
  rule_set_dims(c, 0, dims, t->rank);
  return RULE_DONE;
}

// Groups hold all axes in order, and an axis is a number in the type where those of its group are.
static void check_groups(rule_context *c, const graph_attr *groups, uint32_t rank, bool expand) {
  const graph_type *fine = expand ? rule_result_type(c, 0) : rule_operand_type(c, 0),
                   *coarse = expand ? rule_operand_type(c, 0) : rule_result_type(c, 0);
  uint32_t next = 0;
  bool typed = fine && coarse && fine->kind == TYPE_TENSOR && coarse->kind == TYPE_TENSOR &&
               fine->rank == rank && coarse->rank == groups->count;
  for (uint32_t i = 0; i < groups->count; i++) {
    const int64_t *axes;
    uint32_t count;
    bool number = true;
    if (!graph_attr_ints(c->graph, attr_item_at(groups, i), &axes, &count)) return;
    for (uint32_t k = 0; k < count; k++, next++) {
      if (axes[k] != (int64_t)next || next >= rank) {
        rule_error(c, "axis", "reassociation holds %lld where axis %u is next", (long long)axes[k],
                   next);
        return;
      }
      number &= typed && fine->dims[next] >= 0;
    }
    if (!typed || number == (coarse->dims[i] >= 0)) continue;
    rule_error(c, "declared-type", "dim %u of the collapsed type must be %s", i,
               number ? "a number: those of its axes are" : "dynamic: one of its axes is");
    return;
  }
  // All axes of dim 1 are what rank 0 expands to.
  for (uint32_t i = 0; typed && !groups->count && i < rank; i++) {
    if (fine->dims[i] == 1) continue;
    rule_error(c, "shape-mismatch", "dim %u is to be 1 where the other rank is 0", i);
    return;
  }
  if (groups->count && next != rank)
    rule_error(c, "axis", "reassociation holds %u axes of %u", next, rank);
}

// tensor.collapse_shape: each group of axes in `reassociation` becomes one. expand_shape is the inverse.
static rule_status regroup(rule_context *c, bool expand) {
  const graph_attr *groups = graph_attr_get(c->graph, rule_attr(c, "reassociation"));
  const value_info *in = rule_operand(c, 0);
  if (expand) {
    expand_sizes(c);
    rule_set_unknown(c, 0);
  }
  const value_info *fine = expand ? rule_value(c, graph_result(c->graph, c->op, 0)) : in;
  if (!groups || groups->kind != ATTR_ARRAY || !fine->ranked || !in->ranked) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  check_groups(c, groups, fine->rank, expand);
  term_id *dims = arena_alloc(c->arena, (groups->count + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < groups->count; i++) {
    const int64_t *axes;
    uint32_t count;
    dims[i] = TERM_ONE;
    if (!graph_attr_ints(c->graph, attr_item_at(groups, i), &axes, &count)) count = 0;
    for (uint32_t k = 0; k < count; k++) {
      if (axes[k] < 0 || axes[k] >= (int64_t)fine->rank) {
        rule_error(c, "axis", "reassociation holds %lld, which is no axis", (long long)axes[k]);
        rule_set_unknown(c, 0);
        return RULE_DONE;
      }
      dims[i] = term_mul(c->terms, dims[i], fine->dims[axes[k]]);
    }
  }
  if (!expand) {
    rule_set_dims(c, 0, dims, groups->count);
  } else if (groups->count == in->rank) {
    for (uint32_t i = 0; i < in->rank; i++)
      rule_require_eq(c, in->dims[i], dims[i], "the parts of an expanded axis multiply to its dim");
  }
  return RULE_DONE;
}

static rule_status rank_of(rule_context *c) {
  const value_info *in = rule_operand(c, 0);
  term_id rank = TERM_NONE;
  int64_t length;
  if (c->row->param == EXTENT_TENSOR_RANK) {
    if (in->ranked) rank = term_int(c->terms, in->rank);
  } else if (in->ranked && in->rank == 1 && term_int_value(c->terms, in->dims[0], &length)) {
    rank = in->dims[0];
  }
  set_scalar(c, 0, rank);
  return RULE_DONE;
}

static rule_status shape_of(rule_context *c) {
  const value_info *in = rule_operand(c, 0);
  if (is_value_shape(c, 0)) {
    rule_set_value(c, 0, in);
  } else if (in->ranked) {
    set_shape(c, 0, in->dims, in->rank);
  } else {
    rule_set_unknown(c, 0);
  }
  return RULE_DONE;
}

// shape.value_of: what shape.with_shape made a !shape.value_shape of.
static rule_status value_of(rule_context *c) {
  const shape_graph *g = c->graph;
  value_id value = graph_operand(g, c->op, 0);
  for (;;) {
    if (value == VALUE_NONE || g->values[value].is_argument) break;
    op_id def = g->values[value].def;
    const char *name = graph_op_name(g, def);
    const op_row *row = registry_find(name, strlen(name), 0);
    bool is = row && row->rule == rule_extent && row->param == EXTENT_WITH_SHAPE;
    if (!is || g->ops[def].operand_count != 2) break;
    value = graph_operand(g, def, 0);
    const graph_type *t = value == VALUE_NONE ? NULL : graph_value_type(g, value);
    if (!t || t->kind == TYPE_OPAQUE) continue;
    rule_set_dims_like(c, 0, rule_value(c, value));
    return RULE_DONE;
  }
  rule_set_unknown(c, 0);
  return RULE_DONE;
}

// Constraints that were folded leave one; a run ends where it is false.
static rule_status constant_witness(rule_context *c) {
  int64_t passing;
  if (!rule_int(c, "passing", &passing) || !passing)
    rule_unchecked(c, "the witness holds", "it is false in every run");
  rule_set_unknown(c, 0);
  return RULE_DONE;
}

// Any values to any others, until a lowering says how. Of one tensor or scalar to one of its rank it keeps the dims.
static rule_status unrealized(rule_context *c) {
  const graph_type *from = rule_operand_count(c) == 1 ? rule_operand_type(c, 0) : NULL;
  const graph_type *to = rule_result_count(c) == 1 ? rule_result_type(c, 0) : NULL;
  bool same = from && to && from->kind == to->kind && from->container == to->container &&
              from->rank == to->rank && from->container != CONTAINER_VECTOR;
  for (uint32_t i = 0; !same && i < rule_result_count(c); i++) rule_set_unknown(c, i);
  if (same) rule_set_value(c, 0, rule_operand(c, 0));
  return RULE_DONE;
}

rule_status rule_extent(rule_context *c) {
  uint32_t count;
  const term_id *e;
  int64_t value;
  switch ((extent_op)c->row->param) {
  case EXTENT_SHAPE_OF: return shape_of(c);
  case EXTENT_DIM: return dim_of(c);
  case EXTENT_GET: return get_extent(c);
  case EXTENT_NUM_ELEMENTS: return number_of_elements(c);
  case EXTENT_CONST_SHAPE: return constant_shape(c);
  case EXTENT_CONST_SIZE:
    set_scalar(c, 0, rule_int(c, "value", &value) ? term_int(c->terms, value) : TERM_NONE);
    return RULE_DONE;
  case EXTENT_FROM: return from_elements(c);
  case EXTENT_SAME:
  case EXTENT_VALUE_AS_SHAPE:
  case EXTENT_CAST: rule_set_value(c, 0, rule_operand(c, 0)); return RULE_DONE;
  case EXTENT_UNREALIZED: return unrealized(c);
  case EXTENT_WITH_SHAPE: rule_set_value(c, 0, rule_operand(c, 1)); return RULE_DONE;
  case EXTENT_VALUE_OF: return value_of(c);
  case EXTENT_BROADCAST: return broadcast_shapes(c, true);
  case EXTENT_CSTR_BROADCASTABLE: return broadcast_shapes(c, false);
  case EXTENT_CONCAT: return concat_shapes(c);
  case EXTENT_CSTR_EQ:
  case EXTENT_MEET: return equal_shapes(c, true);
  case EXTENT_SHAPE_EQ: return equal_shapes(c, false);
  case EXTENT_CSTR_REQUIRE:
    e = rule_elements(c, 0, &count);
    if (e && count == 1 && e[0] != TERM_NONE)
      rule_require_bool(c, e[0], true, "shape.cstr_require holds");
    else
      rule_unchecked(c, "shape.cstr_require holds", "the condition is computed from data");
    rule_set_unknown(c, 0);
    return RULE_DONE;
  case EXTENT_CONST_WITNESS: return constant_witness(c);
  case EXTENT_RANK:
  case EXTENT_TENSOR_RANK: return rank_of(c);
  case EXTENT_SPLIT_AT: return split_shape(c);
  case EXTENT_EXTRACT: return extract(c);
  case EXTENT_EMPTY: {
    rule_status status = sizes_from_operands(c, 0);
    rule_tie_symbols(c, rule_value(c, graph_result(c->graph, c->op, 0)));
    return status;
  }
  case EXTENT_GENERATE: return sizes_from_operands(c, 0);
  case EXTENT_SPLAT: return sizes_from_operands(c, 1);
  case EXTENT_COLLAPSE: return regroup(c, false);
  case EXTENT_EXPAND: return regroup(c, true);
  default:
    for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_unknown(c, i);
    return RULE_DONE;
  }
}
