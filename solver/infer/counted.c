// SPDX-License-Identifier: Apache-2.0
// Loops whose trips are counted: scf.for, affine.for and shape.reduce, which carry values, scf.forall and scf.parallel, which
// do not.
//
// With a lower bound l, a step s > 0 and an upper bound u there are T = max(ceildiv(u - l, s), 0) trips. In trip k the
// induction variable is l + k*s, k >= 0, a symbol for the number of the trip; it is below u. What a trip leaves
// as it was stays. What it changes from x to x + d with d the same in every trip is first + k*d at the start of trip k, and
// first + T*d at the end; where d is only known to be in [a, b], it is in [first + k*a, first + k*b]. What a trip gives
// whatever came in is, at the end, what the last trip gives, or the first value where there is none.
#include <assert.h>

#include "solver/infer/state.h"
#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/linalg/linalg.h"

enum { RANK_MAX = 32, UNROLL_MAX = 64 };

typedef struct counted {
  infer_state *s;
  rule_context *c;
  region_id body;
  uint32_t rank, given, count;  // induction variables, an extent of shape.reduce, carried values
  loop_range ranges[RANK_MAX];
  term_id counters[RANK_MAX];  // k
  term_id trips;               // of the first
  uint32_t first_symbol;
  loop carried;
} counted;

static term_id count_symbol(infer_state *s) {
  s->log.fresh++;
  return store_symbol(s->store, (symbol_info){.range = interval_at_least(NUM(0)),
                                              .multiple_of = NUM(1),
                                              .rank = SYMBOL_OPAQUE});
}

static term_id variable_of(rule_context *c, loop_range r, term_id counter) {
  if (r.lower == TERM_NONE || r.step == TERM_NONE) return TERM_NONE;
  return term_add(c->terms, r.lower, term_mul(c->terms, counter, r.step));
}

// What holds of the induction variables in a trip.
static void assume_trip(rule_context *c, const loop_range *ranges, const term_id *counters,
                        uint32_t rank) {
  rule_context quiet = *c;
  quiet.quiet = true;
  for (uint32_t i = 0; i < rank; i++) {
    term_id variable = variable_of(c, ranges[i], counters[i]);
    if (variable == TERM_NONE || ranges[i].upper == TERM_NONE) continue;
    static const char WHAT[] = "an induction variable is below its bound";
    rule_fact(&quiet, predicate_make(REL_LT, ranges[i].lower, ranges[i].upper), WHAT);
    rule_fact(&quiet, predicate_make(REL_LT, variable, ranges[i].upper), WHAT);
    term_id span = term_sub(c->terms, ranges[i].upper, ranges[i].lower);
    if (ranges[i].step != TERM_ONE)
      rule_fact(&quiet,
                predicate_make(REL_LT, counters[i], term_ceildiv(c->terms, span, ranges[i].step)),
                WHAT);
  }
}

static value_info scalar(infer_state *s, term_id t) {
  term_id *kept = arena_alloc(s->arena, sizeof *kept);
  *kept = t;
  return (value_info){.ranked = true, .visited = true, .elements = kept, .element_count = 1};
}

// The arguments of the body: induction variables, then what is carried.
static value_info *arguments(counted *l, const value_info *carried) {
  infer_state *s = l->s;
  assert(l->rank <= RANK_MAX && (carried || !l->count));
  uint32_t before = l->rank + l->given;
  value_info *out = arena_zalloc(s->arena, (before + l->count + 1) * sizeof(value_info));
  for (uint32_t i = 0; i < l->rank; i++) {
    term_id t = variable_of(l->c, l->ranges[i], l->counters[i]);
    if (t == TERM_NONE) t = rule_fresh_element(l->c, DTYPE_INDEX);
    out[i] = scalar(s, t);
  }
  if (l->given) out[l->rank] = scalar(s, loop_extent(l->c, l->counters[0]));
  for (uint32_t i = 0; i < l->count; i++) out[before + i] = carried[i];
  return out;
}

static uint32_t argument_count(const counted *l) { return l->rank + l->given + l->count; }

static bool find_loop(infer_state *s, rule_context *c, counted *l) {
  const graph_op *o = &s->g->ops[c->op];
  if (o->region_count != 1 || !s->g->regions[o->regions].block_count) return false;
  const graph_block *b = &s->g->blocks[s->g->regions[o->regions].first_block];
  uint32_t first = loop_first_init(c);
  *l = (counted){.s = s, .c = c, .body = o->regions, .rank = loop_rank(c), .given = loop_given(c)};
  l->count = o->operand_count - first;
  assert(l->given <= 1 && l->given <= l->rank);
  if (l->rank > RANK_MAX || argument_count(l) != b->argument_count) return false;
  l->first_symbol = s->terms->symbol_count;
  for (uint32_t i = 0; i < l->rank; i++) {
    l->ranges[i] = loop_range_of(c, i);
    l->counters[i] = count_symbol(s);
  }
  l->trips = l->rank ? loop_trips(c, l->ranges[0]) : TERM_NONE;
  l->carried.body = l->body;
  l->carried.count = l->count;
  l->carried.wide_dims = arena_zalloc(s->arena, (l->count + 1) * sizeof(bool *));
  l->carried.wide_elements = arena_zalloc(s->arena, (l->count + 1) * sizeof(bool *));
  return true;
}

static value_info *initial(counted *l, uint32_t first) {
  infer_state *s = l->s;
  value_info *out =
      values_canonical(s, &s->g->operands[s->g->ops[l->c->op].operands + first], l->count);
  for (uint32_t i = 0; i < l->count; i++) {
    if (out[i].ranked && !value_parts(&out[i])) continue;
    out[i] = (value_info){0};
    value_of_argument(s, &out[i], s->g->values[graph_result(s->g, l->c->op, i)].type, s->frame,
                      ID_NONE);
  }
  return out;
}

// One trip on the carried values, in a scope that the caller opened; NULL where it gives something else.
static const value_info *one_trip(counted *l, const value_info *carried, uint32_t pending) {
  infer_state *s = l->s;
  assume_trip(l->c, l->ranges, l->counters, l->rank);
  loop_run(s, l->body, arguments(l, carried), argument_count(l));
  walk_again(s, pending, false);
  return loop_results(s, l->body, l->count);
}

// Few trips are run one by one: what the last gives, or NULL.
static const value_info *unroll(counted *l, const value_info *start) {
  infer_state *s = l->s;
  int64_t trips;
  if (l->trips == TERM_NONE || !term_int_value(s->terms, l->trips, &trips) || trips > UNROLL_MAX)
    return NULL;
  region_scope outer = trial_enter(s);
  const value_info *now = start;
  term_id counter = l->counters[0];
  uint64_t limit = s->visits + 4000;
  for (int64_t k = 0; now && k < trips; k++) {
    l->counters[0] = term_int(s->terms, k);
    loop_run(s, l->body, arguments(l, now), argument_count(l));
    now = loop_results(s, l->body, l->count);
    if (s->visits > limit || s->log.conflicts > outer.conflicts) now = NULL;
  }
  l->counters[0] = counter;
  trial_leave(s, outer);
  return now;
}

// --- what a trip changes

typedef struct cell {
  term_id first, now, back, end;
} cell;

static bool is_made(void *data, term_id atom) {
  const counted *l = data;
  return may_be_made_since(l->s->terms, atom, l->first_symbol);
}

static bool is_made_but_counter(void *data, term_id atom) {
  const counted *l = data;
  return atom != l->counters[0] && is_made(data, atom);
}

static term_id last_trip(void *data, term_id atom) {
  const counted *l = data;
  return atom == l->counters[0] ? term_sub(l->s->terms, l->trips, TERM_ONE) : atom;
}

// What the last trip gives; which term the end is depends on whether there is one, which a trial assumes.
typedef struct last_value {
  term_id *end, last, first;
} last_value;

typedef struct last_list {
  last_value *items;
  uint32_t count, capacity;
} last_list;

typedef struct bounded {
  term_id value, first, times;
  interval by;
} bounded;

typedef struct bounded_list {
  bounded *items;
  uint32_t count, capacity;
} bounded_list;

static void add_bounded(counted *l, bounded_list *list, term_id value, term_id first, term_id times,
                        interval by) {
  if (value == TERM_NONE || times == TERM_NONE || (!by.has_lo && !by.has_hi)) return;
  list->items = arena_grow(l->s->arena, list->items, list->count, list->count + 1, &list->capacity,
                           sizeof *list->items);
  list->items[list->count++] = (bounded){value, first, times, by};
}

static void state_bounded(counted *l, const bounded_list *list) {
  term_table *t = l->s->terms;
  for (uint32_t i = 0; i < list->count; i++) {
    const bounded *b = &list->items[i];
    reason why = {.kind = REASON_SIZE,
                  .subject = l->c->op,
                  .frame = l->c->frame,
                  .what = "each trip changes it by that much at most"};
    if (b->by.has_lo)
      store_add(l->s->store,
                predicate_make(REL_GE, b->value,
                               term_add(t, b->first, term_scale(t, b->times, b->by.lo))),
                why);
    if (b->by.has_hi)
      store_add(l->s->store,
                predicate_make(REL_LE, b->value,
                               term_add(t, b->first, term_scale(t, b->times, b->by.hi))),
                why);
  }
}

typedef struct solved {
  last_list lasts;
  bounded_list inside, *after;
} solved;

// A cell that the loop changes: its value at the start of a trip and at the end, in closed form where there is one.
static void solve_cell(counted *l, const cell *x, term_id *now, term_id *end, solved *to) {
  infer_state *s = l->s;
  term_table *t = s->terms;
  if (x->first == TERM_NONE || x->now == TERM_NONE || x->back == TERM_NONE) return;
  term_id back = store_express(s->store, store_canon(s->store, x->back));
  term_id by = store_express(s->store, store_canon(s->store, term_sub(t, back, x->now)));
  if (!term_any_atom(t, by, is_made, l)) {
    if (l->rank) *now = term_add(t, x->first, term_mul(t, l->counters[0], by));
    if (l->trips != TERM_NONE) *end = term_add(t, x->first, term_mul(t, l->trips, by));
    return;
  }
  if (l->trips != TERM_NONE && !term_any_atom(t, back, is_made_but_counter, l)) {
    shape_imap memo = {0};
    term_id last = term_substitute(t, back, last_trip, l, &memo);
    to->lasts.items = arena_grow(s->arena, to->lasts.items, to->lasts.count, to->lasts.count + 1,
                                 &to->lasts.capacity, sizeof *to->lasts.items);
    to->lasts.items[to->lasts.count++] = (last_value){end, last, x->first};
    return;
  }
  interval range = store_range(s->store, by);
  add_bounded(l, &to->inside, x->now, x->first, l->counters[0], range);
  add_bounded(l, to->after, x->end, x->first, l->trips, range);
}

// Dims, or elements: what they are at first, at the start and the end of a trip, and after the loop.
static void solve_cells(counted *l, const term_id *const of[4], const bool *wide, uint32_t count,
                        const term_id **now, const term_id **end, solved *to) {
  term_id *inside = arena_alloc(l->s->arena, (count + 1) * sizeof(term_id)),
          *last = arena_alloc(l->s->arena, (count + 1) * sizeof(term_id));
  for (uint32_t k = 0; k < count; k++) {
    cell x = {of[0][k], of[1][k], of[2][k], of[3][k]};
    inside[k] = x.now;
    last[k] = x.end;
    if (wide[k]) solve_cell(l, &x, &inside[k], &last[k], to);
  }
  *now = inside;
  *end = last;
}

static void solve_value(counted *l, uint32_t i, const value_info *first, const value_info *back,
                        value_info *now, value_info *end, solved *to) {
  const loop *w = &l->carried;
  assert(i < l->count);
  if (w->wide_dims[i] && back->ranked && first->rank == now->rank && back->rank == now->rank) {
    const term_id *of[] = {first->dims, now->dims, back->dims, end->dims};
    solve_cells(l, of, w->wide_dims[i], now->rank, &now->dims, &end->dims, to);
  }
  bool same = now->elements && back->elements && first->elements && end->elements &&
              back->element_count == now->element_count &&
              first->element_count == now->element_count;
  if (!w->wide_elements[i] || !same) return;
  const term_id *of[] = {first->elements, now->elements, back->elements, end->elements};
  const uint32_t count = now->element_count;
  const term_id *inside, *last;
  solve_cells(l, of, w->wide_elements[i], count, &inside, &last, to);
  value_set_elements(now, inside, count);
  value_set_elements(end, last, count);
}

static bool trip_changes(counted *l) {
  infer_state *s = l->s;
  region_scope outer = trial_enter(s);
  bool changed = loop_mark(s, &l->carried, one_trip(l, l->carried.carried, outer.pending));
  trial_leave(s, outer);
  return changed;
}

static void solve(counted *l, const value_info *start, value_info *end, bounded_list *after) {
  infer_state *s = l->s;
  solved to = {.after = after};
  region_scope outer = trial_enter(s);
  const value_info *back = one_trip(l, l->carried.carried, outer.pending);
  value_info *now = arena_alloc(s->arena, (l->count + 1) * sizeof(value_info));
  for (uint32_t i = 0; i < l->count; i++) {
    now[i] = l->carried.carried[i];
    if (back) solve_value(l, i, &start[i], &back[i], &now[i], &end[i], &to);
  }
  trial_leave(s, outer);
  for (uint32_t i = 0; i < to.lasts.count; i++) {
    const last_value *v = &to.lasts.items[i];
    bool runs = math_is_positive(l->c, l->trips);
    term_id chosen = runs ? v->last
                          : math_select(l->c, math_compare(l->c, COMPARE_LT, TERM_ZERO, l->trips),
                                        v->last, v->first);
    if (chosen != TERM_NONE) *v->end = chosen;
  }
  state_bounded(l, &to.inside);
  l->carried.carried = now;
}

static void defer_body(counted *l, bool dead) {
  infer_state *s = l->s;
  term_id *counters = arena_alloc(s->arena, (l->rank + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < l->rank; i++) counters[i] = l->counters[i];
  bool one = l->rank == 1 && l->trips != TERM_NONE;
  defer(s, (deferred_op){.frame = s->frame,
                         .op = l->c->op,
                         .done = ID_NONE,
                         .dead = dead,
                         .carried = arguments(l, l->carried.carried),
                         .carried_count = argument_count(l),
                         .counters = counters,
                         .condition = one ? term_lt(s->terms, TERM_ZERO, l->trips) : TERM_NONE});
}

// What is known of the end of the loop is said after what came before was judged.
static void state_end(counted *l, const bounded_list *after) {
  infer_state *s = l->s;
  if (!after->count || s->trips_only) return;
  if (!s->quiet) {
    walk_origins(s, l->c->op);
    scope_settle(s);
  }
  state_bounded(l, after);
  if (!s->quiet && s->scope == 0) s->r->late_end = store_fact_count(s->store);
}

void structure_counted(infer_state *s, rule_context *c) {
  counted l;
  if (!find_loop(s, c, &l)) return;
  bool carries = loop_carries(c);
  value_info *start = initial(&l, loop_first_init(c));
  value_info *first = arena_alloc(s->arena, (l.count + 1) * sizeof(value_info));
  for (uint32_t i = 0; i < l.count; i++) first[i] = start[i];
  l.carried.carried = first;
  if (!carries || l.count != rule_result_count(c)) {
    if (!s->quiet) defer_body(&l, false);
    return;
  }
  int64_t trips;
  bool dead = l.trips != TERM_NONE && term_int_value(s->terms, l.trips, &trips) && !trips;
  bool spent = s->visits > s->visit_limit;
  const value_info *exact = dead ? start : spent ? NULL : unroll(&l, start);
  uint32_t round = 0;
  while (!dead && !spent && l.count && !(exact && s->quiet) && trip_changes(&l)) {
    if (++round >= INFER_MAX_ROUNDS) loop_mark_all(s, &l.carried);
    l.carried.carried = loop_widened(s, c, &l.carried);
    if (round >= INFER_MAX_ROUNDS) break;
  }
  if (spent) {
    loop_mark_all(s, &l.carried);
    l.carried.carried = loop_widened(s, c, &l.carried);
  }
  bounded_list after = {0};
  value_info *end = loop_widened(s, c, &l.carried);
  if (round && !spent) solve(&l, start, end, &after);
  if (!s->quiet) defer_body(&l, dead);
  if (!exact) state_end(&l, &after);
  for (uint32_t i = 0; i < l.count; i++) rule_set_value(c, i, exact ? &exact[i] : &end[i]);
}

void counted_final(infer_state *s, const deferred_op *entry) {
  const op_row *row = walk_row(s, entry->op);
  region_id body = s->g->ops[entry->op].regions;
  region_scope outer = scope_enter(s, entry->op, 0, entry->dead);
  rule_context c = walk_context(s, entry->op, row);
  int64_t runs;
  if (entry->condition != TERM_NONE && term_int_value(s->terms, entry->condition, &runs) && runs)
    s->conditional = outer.conditional;
  s->r->scopes[s->scope].condition = entry->condition;
  uint32_t rank = loop_rank(&c);
  loop_range ranges[RANK_MAX];
  assert(rank <= RANK_MAX);
  for (uint32_t i = 0; i < rank; i++) ranges[i] = loop_range_of(&c, i);
  assume_trip(&c, ranges, entry->counters, rank);
  loop_run(s, body, entry->carried, entry->carried_count);
  loop_require_types(s, &c, body);
  region_leave(s, outer, body);
}
