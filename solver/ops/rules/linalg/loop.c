// SPDX-License-Identifier: Apache-2.0
// Ranges of loops whose trips are counted: scf.for, forall and parallel, affine.for (SCFOps.td, AffineOps.td), shape.reduce,
// which has a trip for each extent (ShapeOps.td), and the condition of affine.if. The induction variable goes from a lower bound, in steps, while it is below the upper bound.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/linalg/linalg.h"

static uint32_t list_length(rule_context *c, const char *name) {
  const int64_t *values;
  uint32_t count;
  return rule_attr(c, name) != ATTR_NONE && rule_ints(c, name, &values, &count) ? count : 0;
}

uint32_t loop_rank(rule_context *c) {
  uint32_t first, count;
  switch (c->row->param) {
  case LOOP_FOR:
  case LOOP_AFFINE_FOR:
  case LOOP_EXTENTS: return 1;
  case LOOP_FORALL: return list_length(c, "staticUpperBound");
  case LOOP_PARALLEL: return linalg_segment(c, 0, &first, &count) ? count : 0;
  default: {  // what its bounds are is not read
    const shape_graph *g = c->graph;
    const graph_op *o = &g->ops[c->op];
    bool has_body = o->region_count && g->regions[o->regions].block_count;
    return has_body ? g->blocks[g->regions[o->regions].first_block].argument_count : 0;
  }
  }
}

uint32_t loop_first_init(rule_context *c) {
  uint32_t first, count;
  switch (c->row->param) {
  case LOOP_FOR: return 3;
  case LOOP_EXTENTS: return 1;
  case LOOP_AFFINE_FOR: return linalg_segment(c, 2, &first, &count) ? first : rule_operand_count(c);
  case LOOP_FORALL: return linalg_segment(c, 3, &first, &count) ? first : rule_operand_count(c);
  default: return rule_operand_count(c);
  }
}

bool loop_carries(const rule_context *c) {
  return c->row->param == LOOP_FOR || c->row->param == LOOP_AFFINE_FOR ||
         c->row->param == LOOP_EXTENTS;
}

uint32_t loop_given(const rule_context *c) { return c->row->param == LOOP_EXTENTS; }

term_id loop_extent(rule_context *c, term_id trip) {
  uint32_t count;
  int64_t at;
  const term_id *e = rule_elements(c, 0, &count);
  bool known = e && term_int_value(c->terms, trip, &at) && at >= 0 && at < (int64_t)count &&
               e[at] != TERM_NONE;
  return known ? e[at] : rule_fresh_element(c, DTYPE_INDEX);
}

// The maximum (or minimum) of the results of a map of affine.for.
static term_id bound_of_map(rule_context *c, const char *name, uint32_t segment, bool maximum) {
  affine_map m;
  uint32_t first, count;
  if (!affine_map_read(c, rule_attr(c, name), &m) || m.is_set || !m.result_count ||
      !linalg_segment(c, segment, &first, &count) || count != m.inputs)
    return TERM_NONE;
  term_id *inputs = arena_alloc(c->arena, (count + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < count; i++) inputs[i] = linalg_scalar(c, first + i);
  term_id bound = affine_value(c, &m, 0, inputs);
  for (uint32_t i = 1; i < m.result_count && bound != TERM_NONE; i++) {
    term_id next = affine_value(c, &m, i, inputs);
    if (next == TERM_NONE) return TERM_NONE;
    bound = maximum ? math_max(c, bound, next) : math_min(c, bound, next);
  }
  return bound;
}

static term_id listed(rule_context *c, const char *name, uint32_t segment, uint32_t dim) {
  uint32_t first, count;
  if (!linalg_segment(c, segment, &first, &count)) return TERM_NONE;
  const term_id *all = linalg_mixed(c, name, &first, &count);
  return all && dim < count ? all[dim] : TERM_NONE;
}

static term_id in_segment(rule_context *c, uint32_t segment, uint32_t dim) {
  uint32_t first, count;
  return linalg_segment(c, segment, &first, &count) && dim < count ? linalg_scalar(c, first + dim)
                                                                   : TERM_NONE;
}

loop_range loop_range_of(rule_context *c, uint32_t dim) {
  loop_range r = {TERM_NONE, TERM_NONE, TERM_NONE};
  int64_t step = 1;
  switch (c->row->param) {
  case LOOP_FOR:
    r.lower = linalg_scalar(c, 0);
    r.upper = linalg_scalar(c, 1);
    r.step = linalg_scalar(c, 2);
    // Read as unsigned numbers: the same where none is negative.
    if (rule_attr(c, "unsignedCmp") != ATTR_NONE &&
        (r.lower == TERM_NONE || r.upper == TERM_NONE || !math_is_nonnegative(c, r.lower) ||
         !math_is_nonnegative(c, r.upper)))
      r.upper = TERM_NONE;
    break;
  case LOOP_AFFINE_FOR:
    r.lower = bound_of_map(c, "lowerBoundMap", 0, true);
    r.upper = bound_of_map(c, "upperBoundMap", 1, false);
    if (rule_attr(c, "step") == ATTR_NONE || rule_int(c, "step", &step))
      r.step = term_int(c->terms, step);
    break;
  case LOOP_FORALL:
    r.lower = listed(c, "staticLowerBound", 0, dim);
    r.upper = listed(c, "staticUpperBound", 1, dim);
    r.step = listed(c, "staticStep", 2, dim);
    break;
  case LOOP_EXTENTS: {
    const value_info *shape = rule_operand(c, 0);
    r.lower = TERM_ZERO;
    r.step = TERM_ONE;
    if (shape->ranked && shape->rank == 1) r.upper = shape->dims[0];
    break;
  }
  case LOOP_PARALLEL:
    r.lower = in_segment(c, 0, dim);
    r.upper = in_segment(c, 1, dim);
    r.step = in_segment(c, 2, dim);
    break;
  default: break;
  }
  if (r.step != TERM_NONE && !math_is_positive(c, r.step)) r.step = TERM_NONE;
  return r;
}

term_id loop_trips(rule_context *c, loop_range r) {
  if (r.lower == TERM_NONE || r.upper == TERM_NONE || r.step == TERM_NONE) return TERM_NONE;
  term_id span = store_canon(c->store, term_sub(c->terms, r.upper, r.lower));
  return math_max(c, term_ceildiv(c->terms, span, r.step), TERM_ZERO);
}

// Of a loop whose operands are not in segments: the arguments of its body, and its results.
static void check_carried(rule_context *c) {
  const shape_graph *g = c->graph;
  const graph_op *o = &g->ops[c->op];
  if (c->row->param != LOOP_FOR && c->row->param != LOOP_EXTENTS) return;
  uint32_t first = loop_first_init(c), count = o->operand_count - first;
  assert(o->operand_count >= first);
  if (o->result_count != count)
    rule_error(c, "result-count", "%u results where %u values are carried", o->result_count, count);
  if (o->region_count != 1 || !g->regions[o->regions].block_count) return;
  uint32_t has = g->blocks[g->regions[o->regions].first_block].argument_count,
           wanted = loop_rank(c) + loop_given(c) + count;
  if (has != wanted)
    rule_error(c, "region", "the body has %u arguments, and a trip gives it %u", has, wanted);
}

// What every run of a loop requires, and the results of scf.forall, which are its destinations.
rule_status rule_loop(rule_context *c) {
  check_carried(c);
  for (uint32_t i = 0; i < loop_rank(c); i++) {
    loop_range r = loop_range_of(c, i);
    uint32_t step = 2;
    if (c->row->param == LOOP_FOR && r.step == TERM_NONE && linalg_scalar(c, step) != TERM_NONE)
      rule_require(c, predicate_make(REL_GT, linalg_scalar(c, step), TERM_ZERO), "a step is > 0");
    if (c->row->param == LOOP_FORALL || c->row->param == LOOP_PARALLEL) {
      term_id given =
          c->row->param == LOOP_FORALL ? listed(c, "staticStep", 2, i) : in_segment(c, 2, i);
      if (given != TERM_NONE)
        rule_require(c, predicate_make(REL_GT, given, TERM_ZERO), "a step is > 0");
    }
  }
  uint32_t first = loop_first_init(c);
  for (uint32_t i = 0; c->row->param == LOOP_FORALL && i < rule_result_count(c); i++) {
    if (first + i < rule_operand_count(c)) rule_set_dims_like(c, i, rule_operand(c, first + i));
  }
  return RULE_DONE;
}

term_id affine_condition(rule_context *c) {
  affine_map m;
  uint32_t count = rule_operand_count(c);
  if (!affine_map_read(c, rule_attr(c, "condition"), &m) || !m.is_set || m.inputs != count)
    return TERM_NONE;
  term_id *inputs = arena_alloc(c->arena, (count + 1) * sizeof(term_id)), all = TERM_ONE;
  for (uint32_t i = 0; i < count; i++) inputs[i] = linalg_scalar(c, i);
  for (uint32_t i = 0; i < m.result_count; i++) {
    term_id value = affine_value(c, &m, i, inputs);
    if (value == TERM_NONE) return TERM_NONE;
    value = store_canon(c->store, value);
    term_id holds = m.equals[i] ? math_compare(c, COMPARE_EQ, value, TERM_ZERO)
                                : math_compare(c, COMPARE_GE, value, TERM_ZERO);
    if (holds == TERM_NONE) return TERM_NONE;
    all = term_mul(c->terms, all, holds);
  }
  return all;
}
