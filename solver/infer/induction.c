// SPDX-License-Identifier: Apache-2.0
// What holds of the values that a loop changes, by induction over its trips.
//
// A symbol x that a loop carries starts as `first` and comes back as x + d. Where d >= 0 in every trip that runs,
// x >= first at the start of each trip and at the end; where d <= 0, x <= first. Dims are treated as elements are.
// A counter: d is 1 and the condition is x < n with n the same in every trip. Its last value e either is `first` or
// e - 1 < n held, and e >= n ended the loop: so e is max(first, n). Downwards with x > n: e is min(first, n). Other
// steps k give e <= max(first, n + k - 1), and the mirror image.
// Arithmetic that wraps is not followed: the rules list the assumption that it does not.
#include <assert.h>

#include "solver/infer/state.h"

// One trial trip on what the loop carries.
typedef struct trial_trip {
  infer_state *s;
  rule_context *c;
  const loop *l;
  uint32_t first_symbol;  // symbols from here on were made by the loop
  late_facts *late;
  term_id condition;  // before it is assumed
  const value_info *back;
} trial_trip;

typedef struct carried_term {
  term_id first, carried, back;
  term_id *end;  // may be replaced; NULL: of no interest
} carried_term;

static bool is_made(void *data, term_id atom) {
  const trial_trip *t = data;
  return may_be_made_since(t->s->terms, atom, t->first_symbol);
}

// The same in every trip: no symbol that the loop made.
static bool is_invariant(trial_trip *t, term_id x) {
  return !term_any_atom(t->s->terms, x, is_made, t);
}

static void state_fact(const trial_trip *t, relation rel, term_id a, term_id b, const char *what) {
  reason why = {.kind = REASON_SIZE, .subject = t->c->op, .frame = t->c->frame, .what = what};
  store_add(t->s->store, predicate_make(rel, a, b), why);
}

// What holds of a value at the end of the loop.
static void add_late(const trial_trip *t, relation rel, term_id a, term_id b, const char *what) {
  late_facts *late = t->late;
  late->items = arena_grow(t->s->arena, late->items, late->count, (size_t)late->count + 1,
                           &late->capacity, sizeof *late->items);
  late->items[late->count++] = (late_fact){predicate_make(rel, a, b), what};
}

// The loop goes on while sign*x + rest < 0, with an invariant rest, sign 1 or -1; 0 where it is not.
static int counter_sign(trial_trip *t, term_id x, term_id *rest) {
  term_table *terms = t->s->terms;
  if (t->condition == TERM_NONE) return 0;
  term_id sum, negated = term_not(terms, t->condition);
  if (term_kind_of(terms, t->condition) == TERM_IS_NEG) {
    sum = term_get(terms, t->condition)->as.args[0];
  } else if (term_kind_of(terms, negated) == TERM_IS_NEG) {  // y >= 0 is -1 - y < 0
    sum = term_sub(terms, term_int(terms, -1), term_get(terms, negated)->as.args[0]);
  } else {
    return 0;
  }
  for (int sign = 1; sign >= -1; sign -= 2) {
    *rest = sign > 0 ? term_sub(terms, sum, x) : term_add(terms, sum, x);
    if (is_invariant(t, *rest)) return sign;
  }
  return 0;
}

// The last value of a counter x that goes on while sign*x + rest < 0, with steps of k.
static void state_end(trial_trip *t, const carried_term *v, num step) {
  term_table *terms = t->s->terms;
  term_id rest;
  int sign = counter_sign(t, v->carried, &rest);
  if (!sign || num_sign(step) != sign) return;
  term_id unity = term_int(terms, sign);
  term_id last = term_sub(terms, sign > 0 ? term_neg(terms, rest) : rest, unity);
  last = term_add(terms, last, term_const(terms, step));  // sign*(x - k) + rest <= -1, solved for x
  bool unit = num_is(step, sign);
  bool starts_inside =
      store_known(t->s->store, predicate_make(sign > 0 ? REL_LE : REL_GE, v->first, last));
  term_id end = starts_inside ? last
                : sign > 0    ? term_max(terms, v->first, last)
                              : term_min(terms, v->first, last);
  if (unit) {
    *v->end = end;
  } else {
    add_late(t, sign > 0 ? REL_LE : REL_GE, *v->end, end, "where a counter ends");
  }
}

static void induce(trial_trip *t, const carried_term *v, interval grows, const num *step) {
  relation rel = grows.has_lo && num_sign(grows.lo) >= 0 ? REL_GE : REL_LE;
  if (rel == REL_LE && !(grows.has_hi && num_sign(grows.hi) <= 0)) return;
  const char *what =
      rel == REL_GE ? "it never shrinks around the loop" : "it never grows around the loop";
  state_fact(t, rel, v->carried, v->first, what);
  if (!v->end || *v->end == TERM_NONE) return;
  add_late(t, rel, *v->end, v->first, what);
  if (step) state_end(t, v, *step);
}

// --- over everything that is carried

typedef struct growth {
  carried_term v;
  interval by;
  num step;
  bool has_step;
} growth;

typedef struct growth_list {
  growth *items;
  uint32_t count, capacity;
} growth_list;

static void note(trial_trip *t, growth_list *list, carried_term v) {
  infer_state *s = t->s;
  if (v.first == TERM_NONE || v.back == TERM_NONE || v.carried == TERM_NONE) return;
  if (term_kind_of(s->terms, v.carried) != TERM_SYMBOL) return;
  term_id by = store_canon(s->store, term_sub(s->terms, v.back, v.carried));
  growth made = {.v = v, .by = store_range(s->store, by)};
  made.has_step = term_const_value(s->terms, by, &made.step);
  list->items =
      arena_grow(s->arena, list->items, list->count, list->count + 1, &list->capacity, sizeof made);
  list->items[list->count++] = made;
}

static void note_value(trial_trip *t, growth_list *list, uint32_t i, const value_info *first,
                       const value_info *end) {
  const loop *l = t->l;
  assert(i < l->count);
  const value_info *now = &l->carried[i], *back = &t->back[i];
  bool same_rank =
      first->ranked && back->ranked && first->rank == now->rank && back->rank == now->rank;
  for (uint32_t d = 0; l->wide_dims[i] && same_rank && d < now->rank; d++) {
    if (!l->wide_dims[i][d]) continue;
    note(t, list,
         (carried_term){first->dims[d], now->dims[d], back->dims[d],
                        end ? (term_id *)&end->dims[d] : NULL});
  }
  uint32_t count = now->element_count;
  if (!l->wide_elements[i] || !now->elements || !back->elements || !first->elements) return;
  if (back->element_count != count || first->element_count != count) return;
  for (uint32_t e = 0; e < count; e++) {
    if (!l->wide_elements[i][e]) continue;
    note(t, list,
         (carried_term){first->elements[e], now->elements[e], back->elements[e],
                        end && end->elements ? (term_id *)&end->elements[e] : NULL});
  }
}

void loop_induction(infer_state *s, rule_context *c, const loop *l, const value_info *first,
                    value_info *end, uint32_t first_symbol, late_facts *late) {
  trial_trip t = {.s = s, .c = c, .l = l, .first_symbol = first_symbol, .late = late};
  growth_list list = {0};
  region_scope outer = trial_enter(s);
  loop_run(s, l->condition, l->carried, l->count);
  t.condition = loop_condition(s, l->condition);
  loop_assume(s, c, l->condition, true);
  const value_info *handed = loop_handed(s, l, l->carried);
  loop_run(s, l->body, handed, handed ? l->handed : 0);
  walk_again(s, outer.pending, false);
  t.back = loop_results(s, l->body, l->count);
  for (uint32_t i = 0; t.back && i < l->count; i++)
    note_value(&t, &list, i, &first[i], end ? &end[i] : NULL);
  trial_leave(s, outer);
  for (uint32_t i = 0; i < list.count; i++) {
    const growth *g = &list.items[i];
    induce(&t, &g->v, g->by, g->has_step ? &g->step : NULL);
  }
}
