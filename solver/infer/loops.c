// SPDX-License-Identifier: Apache-2.0
// while: what a loop carries, by trial runs and widening.
//
// Every value that the loop carries starts as its operand is. The condition and the body are run on that; a size or an
// element that the body returns otherwise than it came in becomes a fresh symbol, until nothing changes. What is left is
// an invariant: it holds at the start of every trip and at the end. A widened symbol is that of any trip, so the
// results, which are one trip's, get symbols of their own.
// A loop whose condition is a constant at every trip (a counter from a number to a number) is run as it is first.
// What holds of the widened symbols by induction is in induction.c.
#include <assert.h>

#include "solver/infer/state.h"
#include "solver/ops/rules/common/rules.h"

const value_info *loop_results(infer_state *s, region_id region, uint32_t want) {
  uint32_t count;
  const value_id *results = region_results(s, region, &count);
  return results && count == want ? values_canonical(s, results, count) : NULL;
}

term_id loop_condition(infer_state *s, region_id region) {
  uint32_t count;
  const value_id *results = region_results(s, region, &count);
  if (!results || !count || results[0] == VALUE_NONE) return TERM_NONE;
  const value_info *v = state_value(s, results[0]);
  if (!v->elements || v->element_count != 1 || v->elements[0] == TERM_NONE) return TERM_NONE;
  return store_canon(s->store, v->elements[0]);
}

void loop_run(infer_state *s, region_id region, const value_info *values, uint32_t count) {
  region_forget(s, region);
  region_arguments(s, region, values, count);
  region_walk(s, region);
}

const value_info *loop_handed(infer_state *s, const loop *l, const value_info *values) {
  uint32_t count;
  if (!l->hands_on) return values;
  const value_id *results = region_results(s, l->condition, &count);
  if (!results || count != l->handed + 1) return NULL;
  return values_canonical(s, results + 1, l->handed);
}

// After the condition.
static void run_body(infer_state *s, const loop *l, const value_info *values) {
  const value_info *handed = loop_handed(s, l, values);
  loop_run(s, l->body, handed, handed ? l->handed : 0);
}

enum { UNROLL_VISITS = 20000, UNROLL_DEPTH = 8, UNROLL_DEGREE = 8, UNROLL_PARTS = 48 };

// Whether a term has grown to where another trip could double it: a loop may nest a choice or square a product on each.
static bool has_grown(const infer_state *s, const term_id *terms, uint32_t count) {
  for (uint32_t i = 0; terms && i < count; i++) {
    if (terms[i] == TERM_NONE) continue;
    const term_node *node = term_get(s->terms, terms[i]);
    if (node->depth > UNROLL_DEPTH || node->degree > UNROLL_DEGREE || node->count > UNROLL_PARTS)
      return true;
  }
  return false;
}

static bool values_have_grown(const infer_state *s, const value_info *values, uint32_t count) {
  for (uint32_t i = 0; values && i < count; i++) {
    if (values[i].ranked && has_grown(s, values[i].dims, values[i].rank)) return true;
    if (has_grown(s, values[i].elements, values[i].element_count)) return true;
  }
  return false;
}

// Runs the loop while its condition is a known constant. True, and *out, when it ends; that is `start` where it never runs.
static bool unroll(infer_state *s, const loop *l, const value_info *start, const value_info **out) {
  region_scope outer = trial_enter(s);
  const value_info *now = start;
  bool ended = false;
  uint64_t limit = s->visits + UNROLL_VISITS;
  for (uint32_t trip = 0; trip <= INFER_MAX_UNROLL && now && s->visits < limit && !ended; trip++) {
    loop_run(s, l->condition, now, l->count);
    int64_t value;
    term_id condition = loop_condition(s, l->condition);
    if (condition == TERM_NONE || !term_int_value(s->terms, condition, &value)) break;
    if (!value) {
      ended = true;
      *out = now;
    } else {
      run_body(s, l, now);
      now = loop_results(s, l->body, l->count);
      if (values_have_grown(s, now, l->count)) break;
    }
  }
  trial_leave(s, outer);
  return ended;
}

static bool *flags(infer_state *s, bool *old, uint32_t count) {
  return old ? old : arena_zalloc(s->arena, count + 1);
}

// Marks what came back otherwise. Runs in the body's scope: equal there, at the end of a trip, is what is needed.
bool loop_mark(infer_state *s, loop *l, const value_info *back) {
  bool changed = false;
  for (uint32_t i = 0; i < l->count; i++) {
    value_info *v = &l->carried[i];
    if (!v->ranked) continue;
    bool same_rank = back && back[i].ranked && back[i].rank == v->rank;
    for (uint32_t d = 0; d < v->rank; d++) {
      if (same_rank && store_equal(s->store, v->dims[d], back[i].dims[d])) continue;
      if (l->wide_dims[i] && l->wide_dims[i][d]) continue;
      l->wide_dims[i] = flags(s, l->wide_dims[i], v->rank);
      l->wide_dims[i][d] = changed = true;
    }
    bool same_count = back && back[i].elements && back[i].element_count == v->element_count;
    for (uint32_t e = 0; v->elements && e < v->element_count; e++) {
      term_id was = v->elements[e], is = same_count ? back[i].elements[e] : TERM_NONE;
      if (was == TERM_NONE || (l->wide_elements[i] && l->wide_elements[i][e])) continue;
      if (is != TERM_NONE && store_equal(s->store, was, is)) continue;
      l->wide_elements[i] = flags(s, l->wide_elements[i], v->element_count);
      l->wide_elements[i][e] = changed = true;
    }
  }
  return changed;
}

void loop_mark_all(infer_state *s, loop *l) {
  for (uint32_t i = 0; i < l->count; i++) {
    value_info *v = &l->carried[i];
    if (v->ranked && v->rank) l->wide_dims[i] = flags(s, NULL, v->rank);
    for (uint32_t d = 0; v->ranked && d < v->rank; d++) l->wide_dims[i][d] = true;
    if (v->elements) l->wide_elements[i] = flags(s, NULL, v->element_count);
    for (uint32_t e = 0; v->elements && e < v->element_count; e++) l->wide_elements[i][e] = true;
  }
}

static term_id fresh_size(infer_state *s, const graph_type *t, uint32_t axis, rule_context *c) {
  interval range = interval_at_least(NUM(0));
  if (t && t->kind == TYPE_TENSOR && axis < t->rank) {
    term_id declared = rule_declared_size(c, t->dims[axis]);
    if (declared != TERM_NONE) return declared;
    if (t->has_bounds && t->bounds[axis] >= 0) range = interval_of(0, t->bounds[axis]);
  }
  s->log.fresh++;
  return store_symbol(s->store,
                      (symbol_info){.range = range, .multiple_of = NUM(1), .rank = SYMBOL_OPAQUE});
}

static type_id carried_type_id(const rule_context *c, bool hands_on, uint32_t i) {
  const shape_graph *g = c->graph;
  value_id v = hands_on ? graph_operand(g, c->op, i) : graph_result(g, c->op, i);
  return v == VALUE_NONE ? TYPE_NONE : g->values[v].type;
}

// What the loop carries has the type of a result, or of an operand where the results are other values.
static const graph_type *carried_type(const rule_context *c, bool hands_on, uint32_t i) {
  type_id type = carried_type_id(c, hands_on, i);
  return type == TYPE_NONE ? NULL : type_get(&c->graph->types, type);
}

// Values with new symbols where the loop changes them.
value_info *loop_widened(infer_state *s, rule_context *c, const loop *l) {
  value_info *out = arena_alloc(s->arena, (l->count + 1) * sizeof(value_info));
  for (uint32_t i = 0; i < l->count; i++) {
    value_info v = l->carried[i];
    const graph_type *t = carried_type(c, l->hands_on, i);
    if (l->wide_dims[i]) {
      assert(v.ranked);
      term_id *dims = arena_alloc(s->arena, (v.rank + 1) * sizeof(term_id));
      for (uint32_t d = 0; d < v.rank; d++)
        dims[d] = l->wide_dims[i][d] ? fresh_size(s, t, d, c) : v.dims[d];
      v.dims = dims;
    }
    // Elements are known only where their number is.
    if (l->wide_dims[i] || (l->wide_elements[i] && v.element_count > VALUE_FRESH_ELEMENTS)) {
      value_set_elements(&v, NULL, 0);
    } else if (l->wide_elements[i]) {
      term_id *elements = arena_alloc(s->arena, (v.element_count + 1) * sizeof(term_id));
      for (uint32_t e = 0; e < v.element_count; e++)
        elements[e] = l->wide_elements[i][e]
                          ? rule_fresh_element(c, t ? (shape_dtype)t->dtype : DTYPE_OTHER)
                          : v.elements[e];
      value_set_elements(&v, elements, v.element_count);
    }
    out[i] = v;
  }
  walk_origins(s, c->op);  // they are the loop's, not of what runs first in it
  return out;
}

void loop_assume(infer_state *s, rule_context *c, region_id condition, bool truth) {
  term_id value = loop_condition(s, condition);
  rule_context quiet = *c;
  quiet.quiet = true;
  if (value != TERM_NONE)
    rule_fact_bool(&quiet, value, truth, truth ? "the loop goes on" : "the loop ended");
}

// One trial trip on the carried values: true when something came back otherwise.
static bool trip(infer_state *s, rule_context *c, loop *l) {
  region_scope outer = trial_enter(s);
  loop_run(s, l->condition, l->carried, l->count);
  loop_assume(s, c, l->condition, true);
  run_body(s, l, l->carried);
  walk_again(s, outer.pending, false);
  bool changed = loop_mark(s, l, loop_results(s, l->body, l->count));
  trial_leave(s, outer);
  return changed;
}

static bool hands_on(const op_row *row) {
  return row->structure == OP_WHILE && row->param == CONTROL_SCF_WHILE;
}

static bool find_regions(infer_state *s, const rule_context *c, loop *l) {
  const graph_op *o = &s->g->ops[c->op];
  if (o->region_count != 2) return false;
  uint32_t given;
  l->condition = o->regions;
  l->body = o->regions + 1;
  l->count = l->handed = o->operand_count;
  l->hands_on = hands_on(c->row);
  if (!l->hands_on) return l->count == o->result_count;
  l->handed = o->result_count;
  return region_results(s, l->condition, &given) && given == l->handed + 1;
}

// A tuple or a value of unknown rank is not followed around the loop.
static value_info *initial_values(infer_state *s, rule_context *c, uint32_t count) {
  value_info *out = values_canonical(s, &s->g->operands[s->g->ops[c->op].operands], count);
  for (uint32_t i = 0; i < count; i++) {
    if (out[i].ranked && !value_parts(&out[i])) continue;
    out[i] = (value_info){0};
    value_of_argument(s, &out[i], carried_type_id(c, hands_on(c->row), i), s->frame, ID_NONE);
  }
  return out;
}

// Runs a region in the scope around the loop, where it runs too. What a loop in it says of its end is left out: what
// this loop requires is not judged yet.
static term_id run_quietly(infer_state *s, const loop *l, region_id region,
                           const value_info *values) {
  uint32_t pending = s->left.pending_count;
  bool quiet = s->quiet, trips_only = s->trips_only;
  s->quiet = s->trips_only = true;
  if (region == l->body) {
    run_body(s, l, values);
  } else {
    loop_run(s, region, values, l->count);
  }
  term_id result = region == l->condition ? loop_condition(s, region) : TERM_NONE;
  s->quiet = quiet;
  s->trips_only = trips_only;
  assert(s->left.pending_count >= pending);
  s->left.pending_count = pending;
  return result;
}

// The condition is evaluated on the final values too, and is false there: that holds wherever the loop ended.
static void condition_at_end(infer_state *s, rule_context *c, const loop *l,
                             const value_info *end) {
  run_quietly(s, l, l->condition, end);
  loop_assume(s, c, l->condition, false);
}

typedef struct older_search {
  infer_state *s;
  uint32_t first;
  bool found;
} older_search;

// A name is a term over older symbols.
static bool is_older(void *data, term_id atom) {
  const older_search *search = data;
  const term_node *node = term_get(search->s->terms, atom);
  return node->kind == TERM_APPLY ||
         (node->kind == TERM_SYMBOL &&
          (node->as.symbol < search->first ||
           store_named(search->s->store, node->as.symbol) != TERM_NONE));
}

// A quotient speaks of its dividend.
static void search_older(older_search *search, term_id t) {
  if (t == TERM_NONE || search->found) return;
  term_id express = store_express(search->s->store, t);
  search->found = term_any_atom(search->s->terms, express, is_older, search);
}

static void search_older_fact(older_search *search, predicate p) {
  search_older(search, p.left);
  search_older(search, p.right);
}

// Whether what holds at the end of the loop speaks of symbols that were there before the values of its end, `first` on,
// were made: then it says something of runs that did not get there yet. The trips may have made some of these symbols
// (the quotient of a size that was there before). What the end says of its own symbols alone says nothing else.
static bool end_speaks_of_before(infer_state *s, const loop *l, const value_info *end,
                                 const late_facts *late, bool evaluated, uint32_t first) {
  older_search search = {s, first, false};
  for (uint32_t i = 0; i < late->count; i++) search_older_fact(&search, late->items[i].p);
  if (!evaluated) return search.found;
  region_scope outer = trial_enter(s);
  loop_run(s, l->condition, end, l->count);
  search_older(&search, loop_condition(s, l->condition));
  fact_id stated = store_fact_count(s->store);
  for (fact_id i = outer.first_fact; i < stated && !search.found; i++)
    search_older_fact(&search, store_fact(s->store, i)->p);
  trial_leave(s, outer);
  return search.found;
}

// What holds because the loop ended is stated last: what was required before, by operations in the loop too, is judged
// without it.
static void loop_ended(infer_state *s, rule_context *c, const loop *l, const value_info *end,
                       const late_facts *late, bool evaluated) {
  for (uint32_t i = 0; i < late->count; i++) {
    reason why = {
        .kind = REASON_SIZE, .subject = c->op, .frame = c->frame, .what = late->items[i].what};
    store_add(s->store, late->items[i].p, why);
  }
  if (evaluated) condition_at_end(s, c, l, end);
}

// The condition is evaluated at least once, on what the loop starts with, and the body at least once where the
// condition is true by then: what they require is required wherever the loop is. Returns that condition.
static term_id first_trip(infer_state *s, const loop *l, const value_info *start) {
  int64_t value;
  term_id condition = run_quietly(s, l, l->condition, start);
  if (condition != TERM_NONE && term_int_value(s->terms, condition, &value) && value)
    run_quietly(s, l, l->body, start);
  return condition;
}

// What the loop gives where it ends. evaluated: the condition was, on `end`, last; else what that says is dropped, as it
// holds only after the trips, whose requirements are not judged yet.
static const value_info *values_at_end(infer_state *s, const loop *l, const value_info *end,
                                       bool evaluated) {
  if (!l->hands_on || evaluated) return loop_handed(s, l, end);
  region_scope outer = trial_enter(s);
  loop_run(s, l->condition, end, l->count);
  const value_info *out = loop_handed(s, l, end);
  trial_leave(s, outer);
  return out;
}

void structure_while(infer_state *s, rule_context *c) {
  loop l = {0};
  if (!find_regions(s, c, &l)) return;
  l.wide_dims = arena_zalloc(s->arena, (l.count + 1) * sizeof(bool *));
  l.wide_elements = arena_zalloc(s->arena, (l.count + 1) * sizeof(bool *));
  const value_info *start = initial_values(s, c, l.count), *end = NULL;
  value_info *first = arena_alloc(s->arena, (l.count + 1) * sizeof(value_info));
  for (uint32_t i = 0; i < l.count; i++) first[i] = start[i];
  l.carried = first;
  bool spent = s->visits > s->visit_limit;
  uint32_t first_symbol = s->terms->symbol_count;
  term_id condition = spent ? TERM_NONE : first_trip(s, &l, start);
  bool exact = !spent && unroll(s, &l, start, &end), dead = exact && end == start;
  uint32_t round = 0;
  if (spent) {  // loops in loops: whatever they carry may change
    loop_mark_all(s, &l);
    l.carried = loop_widened(s, c, &l);
  }
  // Only results that the exact run did not give, and the reports of the final pass, need the invariant.
  while (!spent && !(exact && (s->quiet || dead)) && trip(s, c, &l)) {
    if (++round >= INFER_MAX_ROUNDS) loop_mark_all(s, &l);
    l.carried = loop_widened(s, c, &l);
    if (round >= INFER_MAX_ROUNDS) break;
    // A widened value keeps its marks, so the next trip compares only what is still as it was.
  }
  late_facts late = {0};
  uint32_t first_of_end = s->terms->symbol_count;
  value_info *last = exact ? NULL : loop_widened(s, c, &l);
  walk_origins(s, c->op);
  if (round) loop_induction(s, c, &l, start, last, first_symbol, &late);
  if (last) end = last;
  if (!s->quiet)
    defer(s, (deferred_op){.frame = s->frame,
                           .op = c->op,
                           .done = ID_NONE,
                           .dead = dead,
                           .carried = l.carried,
                           .carried_count = l.count,
                           .condition = condition});
  if (last && !s->trips_only) {
    bool older = !s->quiet && end_speaks_of_before(s, &l, end, &late, !spent, first_of_end);
    if (older) {
      walk_origins(s, c->op);
      scope_settle(s);
    }
    loop_ended(s, c, &l, end, &late, !spent);
    if (older && s->scope == 0) s->r->late_end = store_fact_count(s->store);
  }
  assert(end != NULL);
  bool evaluated = last && !s->trips_only && !spent;
  const value_info *results = spent && l.hands_on ? NULL : values_at_end(s, &l, end, evaluated);
  for (uint32_t i = 0; results && i < l.handed; i++) rule_set_value(c, i, &results[i]);
}

void loop_require_types(infer_state *s, rule_context *c, region_id body) {
  uint32_t count;
  bool other = hands_on(c->row);
  uint32_t carried = other ? rule_operand_count(c) : rule_result_count(c);
  const value_id *results = region_results(s, body, &count);
  for (uint32_t i = 0; results && i < count && i < carried; i++) {
    const graph_type *t = carried_type(c, other, i);
    const value_info *v = rule_value(c, results[i]);
    if (!t || t->kind != TYPE_TENSOR) continue;
    region_leave_rank(c, v);
    if (!v->ranked || t->rank != v->rank) continue;
    for (uint32_t d = 0; d < t->rank; d++) {
      term_id size = rule_declared_size(c, t->dims[d]);
      if (size != TERM_NONE)
        rule_require_eq(c, v->dims[d], size, "the body returns the declared dim");
    }
  }
  if (results && count != carried)
    rule_error_in(c, region_end(s, body), "region",
                  "the body returns %u values, the loop carries %u", count, carried);
}

void loop_final(infer_state *s, const deferred_op *entry) {
  const op_row *row = walk_row(s, entry->op);
  if (row->structure == OP_COUNTED) {
    counted_final(s, entry);
    return;
  }
  if (row->structure != OP_WHILE) {
    onnx_loop_final(s, entry);
    return;
  }
  assert(s->g->ops[entry->op].region_count == 2);
  region_id condition = s->g->ops[entry->op].regions, body = condition + 1;
  region_scope outer = scope_enter(s, entry->op, 0, false);
  s->conditional = outer.conditional;  // it is evaluated at least once
  loop_run(s, condition, entry->carried, entry->carried_count);
  region_leave(s, outer, condition);
  outer = scope_enter(s, entry->op, 1, entry->dead);
  int64_t runs;
  if (entry->condition != TERM_NONE && term_int_value(s->terms, entry->condition, &runs) && runs)
    s->conditional = outer.conditional;
  rule_context c = walk_context(s, entry->op, row);
  s->r->scopes[s->scope].condition = entry->condition;
  loop_assume(s, &c, condition, true);
  loop l = {.condition = condition, .body = body, .hands_on = hands_on(row)};
  l.handed = l.hands_on ? s->g->ops[entry->op].result_count : entry->carried_count;
  run_body(s, &l, entry->carried);
  loop_require_types(s, &c, body);
  region_leave(s, outer, body);
}
