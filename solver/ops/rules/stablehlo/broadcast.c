// SPDX-License-Identifier: Apache-2.0
// broadcast_in_dim and dynamic_broadcast_in_dim, the deprecated broadcast, and CHLO's implicit broadcasting.
//
// Whether a size of unknown value is 1 is often undecided. bcast(a, b) is b where a == 1, else a; "a may be broadcast to
// r" is then bcast(a, r) == r, which holds exactly when a == 1 or a == r. max would be wrong at size 0.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"

enum { CHLO_OPERANDS = 3 };  // of what works element by element, at most

// a == 1 or a == r. False when it was refuted.
static bool require_fits(rule_context *c, term_id a, term_id r, bool *undecided, const char *what) {
  if (a == r || a == TERM_ONE) return true;
  a = store_canon(c->store, a);
  r = store_canon(c->store, r);
  if (a == r || a == TERM_ONE) return true;
  if (r == TERM_ONE) return rule_require_eq(c, a, TERM_ONE, what);
  shape_answer one = store_holds(c->store, predicate_make(REL_EQ, a, TERM_ONE));
  if (one == SHAPE_YES) return true;
  if (one == SHAPE_NO) return rule_require_eq(c, a, r, what);
  if (store_holds(c->store, predicate_make(REL_EQ, a, r)) == SHAPE_NO)
    return rule_require_eq(c, a, TERM_ONE, what);
  *undecided = true;
  return rule_require(c, predicate_make(REL_EQ, term_bcast(c->terms, a, r), r), what);
}

// Elements of a broadcast where everything is constant; a scalar operand fills any small result.
static void broadcast_elements(rule_context *c, const int64_t *axes) {
  const value_info *in = rule_operand(c, 0), *out = rule_value(c, graph_result(c->graph, c->op, 0));
  int64_t in_shape[ELEMENTS_MAX_RANK], out_shape[ELEMENTS_MAX_RANK], in_strides[ELEMENTS_MAX_RANK];
  int64_t step[ELEMENTS_MAX_RANK] = {0}, index[ELEMENTS_MAX_RANK] = {0};
  uint32_t in_total, total;
  if (!in->elements || !elements_shape(c, in, in_shape, &in_total) ||
      in_total != in->element_count || !elements_shape(c, out, out_shape, &total))
    return;
  elements_strides(in_shape, in->rank, in_strides);
  for (uint32_t i = 0; i < in->rank; i++) {
    if (axes[i] < 0 || axes[i] >= (int64_t)out->rank) return;
    if (in_shape[i] != 1 && in_shape[i] != out_shape[axes[i]]) return;
    step[axes[i]] = in_shape[i] == 1 ? 0 : in_strides[i];
  }
  if ((total && !in_total) || !elements_afford(c, total)) return;
  term_id *elements = arena_alloc(c->arena, (total + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < total; i++) {
    int64_t at = 0;
    for (uint32_t k = 0; k < out->rank; k++) at += index[k] * step[k];
    elements[i] = in->elements[at];
    elements_next(index, out_shape, out->rank);
  }
  rule_set_elements(c, 0, elements, total);
}

// StableHLO spec, broadcast_in_dim (C2, C3, C4): one distinct axis of the result per axis of the operand.
static bool check_axes(rule_context *c, const int64_t *axes, uint32_t count, uint32_t operand_rank,
                       bool ranked, uint32_t rank) {
  if (ranked && count != operand_rank) {
    rule_error(c, "attribute-length",
               "broadcast_dimensions has %u entries for an operand of rank %u", count,
               operand_rank);
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (axes[i] < 0 || axes[i] >= (int64_t)rank) {
      rule_error(c, "axis",
                 "broadcast_dimensions holds %lld, which is no axis of a result of rank %u",
                 (long long)axes[i], rank);
      return false;
    }
    for (uint32_t k = 0; k < i; k++) {
      if (axes[k] != axes[i]) continue;
      rule_error(c, "axis", "broadcast_dimensions holds the axis %lld twice", (long long)axes[i]);
      return false;
    }
  }
  return true;
}

// Axes named twice are an error of the signature: what it means is not known.
static bool hints_agree(rule_context *c, uint32_t axes) {
  const int64_t *grow, *keep;
  uint32_t grows = 0, keeps = 0;
  if (!rule_ints(c, "known_expanding_dimensions", &grow, &grows)) grows = 0;
  if (!rule_ints(c, "known_nonexpanding_dimensions", &keep, &keeps)) keeps = 0;
  if (grows > axes || keeps > axes) return false;
  for (uint32_t i = 0; i < grows + keeps; i++) {
    int64_t axis = i < grows ? grow[i] : keep[i - grows];
    for (uint32_t k = 0; k < i; k++)
      if ((k < grows ? grow[k] : keep[k - grows]) == axis) return false;
  }
  return true;
}

// dynamic_broadcast_in_dim (C7, C8): axes that the program promises to expand (their dim is 1) or not to. What is no axis
// is an error of the signature.
static void promised_axes(rule_context *c, const int64_t *axes, uint32_t count, const char *name,
                          bool expands) {
  const int64_t *listed;
  uint32_t listed_count;
  const value_info *in = rule_operand(c, 0), *out = rule_value(c, graph_result(c->graph, c->op, 0));
  if (!rule_ints(c, name, &listed, &listed_count)) return;
  for (uint32_t i = 0; i < listed_count; i++) {
    int64_t axis = listed[i];
    if (!in->ranked || !out->ranked || axis < 0 || axis >= (int64_t)count) continue;
    // What lowers it reads index 0 of an axis that expands.
    if (expands) {
      rule_require_eq(c, in->dims[axis], TERM_ONE, "the axis is known to be expanded");
    } else {
      rule_require_eq(c, in->dims[axis], out->dims[axes[axis]],
                      "the axis is known not to be expanded");
    }
  }
}

static void result_from_shape_operand(rule_context *c) {
  const value_info *shape = rule_operand(c, 1);
  uint32_t count;
  if (shape->ranked && shape->rank != 1) {
    rule_error(c, "rank", "output_dimensions has rank %u, not 1", shape->rank);
  } else {
    const term_id *sizes = rule_size_elements(c, 1, &count);
    if (sizes)
      rule_set_dims(c, 0, elements_as_sizes(c, sizes, count, "a dim of output_dimensions is >= 0"),
                    count);
  }
  rule_set_unknown(c, 0);
}

rule_status rule_broadcast_in_dim(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const int64_t *axes;
  uint32_t count;
  bool dynamic = c->row->param == FORM_DYNAMIC, undecided = false;
  if (dynamic) {
    result_from_shape_operand(c);
  } else {
    rule_set_unknown(c, 0);
  }
  const value_info *in = rule_operand(c, 0), *out = rule_value(c, graph_result(c->graph, c->op, 0));
  if (!rule_ints(c, "broadcast_dimensions", &axes, &count)) {
    if (in->ranked && in->rank) return RULE_DONE;
    axes = NULL;
    count = 0;
  }
  if (!out->ranked || !check_axes(c, axes, count, in->rank, in->ranked, out->rank))
    return RULE_DONE;
  if (!in->ranked) return RULE_DONE;
  for (uint32_t i = 0; i < count; i++) {
    require_fits(c, in->dims[i], out->dims[axes[i]], &undecided,
                 "an axis of the operand has dim 1 or that of the result");
  }
  if (dynamic && hints_agree(c, count)) {
    promised_axes(c, axes, count, "known_expanding_dimensions", true);
    promised_axes(c, axes, count, "known_nonexpanding_dimensions", false);
  }
  broadcast_elements(c, axes);
  return undecided ? RULE_AGAIN : RULE_DONE;
}

// StableHLO spec, broadcast (deprecated): broadcast_sizes precede the operand's dims.
rule_status rule_broadcast(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const int64_t *sizes;
  uint32_t count;
  const value_info *in = rule_operand(c, 0);
  if (!rule_ints(c, "broadcast_sizes", &sizes, &count) || !in->ranked) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  term_id *dims = arena_alloc(c->arena, (count + in->rank + 1) * sizeof(term_id));
  int64_t axes[ELEMENTS_MAX_RANK];
  for (uint32_t i = 0; i < count; i++) {
    if (sizes[i] < 0) {
      rule_error(c, "attribute", "broadcast_sizes holds %lld, which is no dim",
                 (long long)sizes[i]);
      rule_set_unknown(c, 0);
      return RULE_DONE;
    }
    dims[i] = term_int(c->terms, sizes[i]);
  }
  for (uint32_t i = 0; i < in->rank; i++) {
    dims[count + i] = in->dims[i];
    if (i < ELEMENTS_MAX_RANK) axes[i] = count + i;
  }
  rule_set_dims(c, 0, dims, count + in->rank);
  if (in->rank <= ELEMENTS_MAX_RANK && count + in->rank <= ELEMENTS_MAX_RANK)
    broadcast_elements(c, axes);
  return RULE_DONE;
}

// --- implicit broadcasting

term_id broadcast_settled(rule_context *c, term_id *a, term_id *b, shape_answer is_one[2]) {
  *a = store_canon(c->store, *a);
  *b = store_canon(c->store, *b);
  if (*a == *b || *b == TERM_ONE) return *a;
  if (*a == TERM_ONE) return *b;
  is_one[0] = store_holds(c->store, predicate_make(REL_EQ, *a, TERM_ONE));
  is_one[1] = store_holds(c->store, predicate_make(REL_EQ, *b, TERM_ONE));
  return TERM_NONE;
}

term_id broadcast_pair(rule_context *c, term_id a, term_id b, bool *undecided, const char *what) {
  if (a == b || b == TERM_ONE) return a;
  if (a == TERM_ONE) return b;
  shape_answer is_one[2];
  term_id settled = broadcast_settled(c, &a, &b, is_one);
  if (settled != TERM_NONE) return settled;
  if (is_one[0] == SHAPE_NO && is_one[1] == SHAPE_NO) {
    rule_require_eq(c, a, b, what);
    return term_kind_of(c->terms, b) == TERM_CONST ? b : a;
  }
  if (is_one[0] == SHAPE_NO) {
    require_fits(c, b, a, undecided, what);
    return a;
  }
  if (is_one[1] == SHAPE_NO) {
    require_fits(c, a, b, undecided, what);
    return b;
  }
  if (term_order(c->terms, b, a) < 0) {  // one form for both orders
    term_id swap = a;
    a = b;
    b = swap;
  }
  *undecided = true;
  term_id forth = term_bcast(c->terms, a, b);
  rule_require_eq(c, forth, term_bcast(c->terms, b, a), what);
  return forth;
}

// Dims of `v` in a result of rank `rank`: from the right, or where `axes` says; 1 elsewhere.
static bool spread(rule_context *c, const value_info *v, const int64_t *axes, uint32_t axes_count,
                   uint32_t rank, term_id *out) {
  assert(v->rank <= rank);
  for (uint32_t i = 0; i < rank; i++) out[i] = TERM_ONE;
  for (uint32_t i = 0; i < v->rank; i++) {
    int64_t at =
        axes && v->rank < rank ? (i < axes_count ? axes[i] : -1) : (int64_t)(rank - v->rank + i);
    if (at < 0 || at >= (int64_t)rank) {
      rule_note(c, "axis", "broadcast_dimensions does not map the operand of rank %u to rank %u",
                v->rank, rank);
      return false;
    }
    out[at] = v->dims[i];
  }
  return true;
}

// The common shape of `count` operands, or NULL after an error.
static const term_id *common_shape(rule_context *c, uint32_t count, uint32_t *rank,
                                   bool *undecided) {
  *rank = 0;
  for (uint32_t i = 0; i < count; i++) {
    const value_info *v = rule_operand(c, i);
    if (!v->ranked) return NULL;
    if (v->rank > *rank) *rank = v->rank;
  }
  const int64_t *axes = NULL;
  uint32_t axes_count = 0;
  if (!rule_ints(c, "broadcast_dimensions", &axes, &axes_count)) axes = NULL;
  term_id *all = arena_alloc(c->arena, (*rank + 1) * sizeof(term_id));
  term_id *own = arena_alloc(c->arena, (*rank + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < *rank; i++) all[i] = TERM_ONE;
  for (uint32_t i = 0; i < count; i++) {
    const value_info *v = rule_operand(c, i);
    if (!spread(c, v, axes, axes_count, *rank, own)) return NULL;
    for (uint32_t k = 0; k < *rank; k++)
      all[k] =
          broadcast_pair(c, all[k], own[k], undecided, "the operands' shapes can be broadcast");
  }
  return all;
}

static rule_status set_common_shape(rule_context *c, uint32_t count) {
  uint32_t rank;
  bool undecided = false;
  const term_id *dims = common_shape(c, count, &rank, &undecided);
  if (dims) rule_set_dims(c, 0, dims, rank);
  rule_set_unknown(c, 0);
  return undecided ? RULE_AGAIN : RULE_DONE;
}

// The element of an operand that meets element i of a result: itself, or the only one. TERM_NONE where neither fits.
static term_id element_at(const value_info *v, uint32_t i, uint32_t total) {
  assert(i < total);
  if (!v->elements) return TERM_NONE;
  if (v->element_count == total) return v->elements[i];
  return v->element_count == 1 ? v->elements[0] : TERM_NONE;
}

// How many elements the result of rank <= 1 has; false where that is not known.
static bool small_total(rule_context *c, uint32_t *total) {
  int64_t shape[ELEMENTS_MAX_RANK];
  const value_info *out = rule_value(c, graph_result(c->graph, c->op, 0));
  return out->ranked && out->rank <= 1 && elements_shape(c, out, shape, total);
}

// An element of the result, from elements of the operands.
typedef term_id element_function(rule_context *c, int op, const term_id *in);

// The elements of the result where those of all operands are known.
static void set_each(rule_context *c, uint32_t operands, element_function *f, int op) {
  assert(operands <= CHLO_OPERANDS && rule_result_count(c) == 1);
  for (uint32_t k = 0; k < operands; k++) {
    if (!rule_operand(c, k)->elements) return;
  }
  uint32_t total;
  if (!small_total(c, &total)) return;
  term_id *out = arena_alloc(c->arena, (total + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < total; i++) {
    term_id in[CHLO_OPERANDS];
    for (uint32_t k = 0; k < operands; k++) in[k] = element_at(rule_operand(c, k), i, total);
    out[i] = f(c, op, in);
  }
  rule_set_elements(c, 0, out, total);
}

static bool has_integers(rule_context *c) { return dtype_is_integer(rule_operand_dtype(c, 0)); }

static term_id binary_element(rule_context *c, int op, const term_id *in) {
  return math_binary(c, (math_op)op, rule_operand_dtype(c, 0), in[0], in[1]);
}

static term_id compare_element(rule_context *c, int op, const term_id *in) {
  return math_compare(c, (compare_op)op, in[0], in[1]);
}

static term_id select_element(rule_context *c, int op, const term_id *in) {
  (void)op;
  return math_select(c, in[0], in[1], in[2]);
}

// CHLO broadcast_*: numpy's rule, ranks aligned at the right.
rule_status rule_chlo_binary(rule_context *c) {
  assert(rule_operand_count(c) >= 2);
  rule_status status = set_common_shape(c, 2);
  int op = (int)c->row->param;
  if (op != MATH_NONE && has_integers(c)) set_each(c, 2, binary_element, op);
  return status;
}

rule_status rule_chlo_compare(rule_context *c) {
  assert(rule_operand_count(c) >= 2);
  rule_status status = set_common_shape(c, 2);
  bool is_unsigned;
  compare_op op = compare_direction(c, &is_unsigned);
  if (op != COMPARE_ATTR && has_integers(c)) set_each(c, 2, compare_element, (int)op);
  return status;
}

rule_status rule_chlo_select(rule_context *c) {
  assert(rule_operand_count(c) >= 3);
  rule_status status = set_common_shape(c, 3);
  set_each(c, 3, select_element, 0);
  return status;
}
