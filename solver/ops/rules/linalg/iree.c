// SPDX-License-Identifier: Apache-2.0
// Operations of IREE that say something of integers and dims (UtilOps.td, FlowOps.td, HALOps.td).
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/linalg/linalg.h"

typedef struct assumed_range {
  int64_t least, most, divisor;
  bool has_min, has_max, zero;
} assumed_range;

static assumed_range range_of_row(rule_context *c, attr_id row) {
  assumed_range r = {.divisor = 1};
  const shape_graph *g = c->graph;
  attr_id a = graph_attr_entry(g, row, "umin");
  r.has_min = a != ATTR_NONE && graph_attr_int(g, a, &r.least) && r.least >= 0;
  a = graph_attr_entry(g, row, "umax");
  r.has_max = a != ATTR_NONE && graph_attr_int(g, a, &r.most) && r.most >= 0;
  a = graph_attr_entry(g, row, "udiv");
  if (a == ATTR_NONE || !graph_attr_int(g, a, &r.divisor) || r.divisor < 0) r.divisor = 1;
  if (r.has_max && r.most == 0) r.divisor = 0;  // zero alone
  return r;
}

// Of the rows one holds: the widest range, and the divisor of all. udiv = 0 means 0.
static assumed_range range_of_rows(rule_context *c, attr_id rows) {
  uint32_t count;
  const attr_id *items = attr_items(graph_attr_get(c->graph, rows), &count);
  assumed_range all = {.divisor = 1};
  for (uint32_t i = 0; i < count; i++) {
    assumed_range r = range_of_row(c, items[i]);
    if (!i) {
      all = r;
      continue;
    }
    all.has_min &= r.has_min;
    all.has_max &= r.has_max;
    if (r.least < all.least) all.least = r.least;
    if (r.most > all.most) all.most = r.most;
    all.divisor = (int64_t)num_gcd_small((uint64_t)all.divisor, (uint64_t)r.divisor);
  }
  return all;
}

static const char ASSUMED[] = "what the program assumes of an integer";

static term_id truth_of_row(rule_context *c, attr_id row, term_id x) {
  assumed_range r = range_of_row(c, row);
  term_table *t = c->terms;
  term_id all = TERM_ONE;
  if (r.has_min) all = term_mul(t, all, term_le(t, term_int(t, r.least), x));
  if (r.has_max) all = term_mul(t, all, term_le(t, x, term_int(t, r.most)));

  return all;
}

// Between the rows are numbers that none allows: where few rows are single numbers, the value is one of them.
static void state_choice(rule_context *c, attr_id rows, term_id x) {
  enum { CHOICES_MAX = 4 };
  uint32_t count;
  const attr_id *items = attr_items(graph_attr_get(c->graph, rows), &count);
  if (count < 2 || count > CHOICES_MAX) return;
  term_id none = TERM_ONE;
  for (uint32_t i = 0; i < count; i++) {
    term_id truth = truth_of_row(c, items[i], x);
    none = term_mul(c->terms, none, term_not(c->terms, truth));
  }
  rule_require_bool(c, none, false, ASSUMED);
}

// What is assumed is assumed of the bits as an unsigned number. Below 2^63, as a maximum says, both readings agree; without
// one they do for powers of 2 alone, and else the answer lists that the number is small enough.
static void assume(rule_context *c, attr_id rows, term_id x) {
  uint32_t count;
  attr_items(graph_attr_get(c->graph, rows), &count);
  if (!count) return;
  assumed_range r = range_of_rows(c, rows);
  bool power = !(r.divisor & (r.divisor - 1)), least = r.has_min && r.least > 0;
  if (!r.has_max && (least || !power) && !math_is_nonnegative(c, x))
    rule_assumes(c, "integers of util.assume.int are below 2^63");
  if (r.has_max || least)
    rule_require(c, predicate_make(REL_GE, x, term_int(c->terms, r.has_min ? r.least : 0)),
                 ASSUMED);
  if (r.has_max) rule_require(c, predicate_make(REL_LE, x, term_int(c->terms, r.most)), ASSUMED);
  if (r.divisor == 0) {
    rule_require_eq(c, x, TERM_ZERO, ASSUMED);
  } else if (r.divisor > 1) {
    rule_require_eq(c, term_mod(c->terms, x, term_int(c->terms, r.divisor)), TERM_ZERO, ASSUMED);
  }
  state_choice(c, rows, x);
}

rule_status rule_assume_int(rule_context *c) {
  uint32_t count;
  const attr_id *rows = attr_items(graph_attr_get(c->graph, rule_attr(c, "assumptions")), &count);
  for (uint32_t i = 0; i < rule_result_count(c); i++) {
    term_id x = linalg_scalar(c, i);
    if (i < rule_operand_count(c)) rule_set_value(c, i, rule_operand(c, i));
    if (rows && i < count && x != TERM_NONE) assume(c, rows[i], x);
  }
  return RULE_DONE;
}

// flow.tensor.tie_shape, hal.tensor.import: the `?` of the result are the operands after the first, in order. The former
// hands its operand on.
rule_status rule_tie_shape(rule_context *c) {
  const graph_type *t = rule_result_type(c, 0);
  const value_info *in = rule_operand(c, 0);
  if (!t || t->kind != TYPE_TENSOR) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  term_id *dims = arena_alloc(c->arena, (t->rank + 1) * sizeof(term_id));
  uint32_t next = 1, count;
  for (uint32_t i = 0; i < t->rank; i++) {
    dims[i] = rule_declared_size(c, t->dims[i]);
    if (t->dims[i] != DIM_DYNAMIC) continue;
    const term_id *e = next < rule_operand_count(c) ? rule_size_elements(c, next, &count) : NULL;
    next++;
    term_id none = TERM_NONE;
    dims[i] = *elements_as_sizes(c, e && count == 1 ? e : &none, 1, "a dim is >= 0");
  }
  bool same = c->row->param && in->ranked && in->rank == t->rank;
  for (uint32_t i = 0; same && i < t->rank; i++)
    rule_require_eq(c, in->dims[i], dims[i], "a shape that is tied is that of the tensor");
  rule_set_dims(c, 0, dims, t->rank);
  return RULE_DONE;
}
