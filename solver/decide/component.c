// SPDX-License-Identifier: Apache-2.0
// Full queries: the facts connected to the query, in canonical form, go to the decision procedure (query.h).
//
// Connected means through atoms of canonical terms; the equations of the solved form are applied already. So the cost
// of a query depends on its component, not on the program (llvm#163400 says what happens otherwise).
#include <assert.h>

#include "solver/certify/check.h"
#include "solver/decide/component.h"
#include "solver/decide/order.h"

typedef struct component {
  shape_store *s;
  bool with_proofs;  // keep facts about symbols apart from their ranges, so that `used` names each
  uint64_t most;     // steps of a query
  predicate *premises;
  proof_id *proofs;  // of the premises
  uint32_t premise_count, premise_capacity, proof_capacity;
  query_symbol *symbols;
  uint32_t symbol_count, symbol_capacity;
  term_id *atoms;  // reached; a queue
  uint32_t atom_count, atom_capacity;
  shape_imap seen;  // atoms, and watched items above them
} component;

#define GROW(c, array, count, capacity)                                                            \
  ((array) =                                                                                       \
       arena_grow(&(c)->s->scratch, (array), (count), (count) + 1u, &(capacity), sizeof *(array)))

static bool first_time(component *c, uint64_t key) {
  uint32_t value;
  if (imap_get(&c->seen, key, &value)) return false;
  imap_put(&c->seen, &c->s->scratch, key, 1);
  return true;
}

static void reach_atom(shape_store *s, void *data, term_id atom) {
  component *c = data;
  (void)s;
  if (!first_time(c, atom)) return;
  GROW(c, c->atoms, c->atom_count, c->atom_capacity);
  c->atoms[c->atom_count++] = atom;
}

static void reach(component *c, term_id t) { canon_each_atom(c->s, t, reach_atom, c); }

static void add_premise(component *c, relation rel, term_id left, term_id right, proof_id proof) {
  assert((unsigned)rel <= REL_DIVISIBLE && (proof == PROOF_NONE || proof < c->s->proofs.count));
  GROW(c, c->premises, c->premise_count, c->premise_capacity);
  GROW(c, c->proofs, c->premise_count, c->proof_capacity);
  c->premises[c->premise_count] = predicate_make(rel, left, right);
  c->proofs[c->premise_count++] = proof;
}

static void add_bounds(component *c, term_id t, interval range, proof_id lo_proof,
                       proof_id hi_proof) {
  shape_store *s = c->s;
  num point;
  assert(!range.has_lo || !range.has_hi || num_compare(range.lo, range.hi) <= 0);
  if (interval_is_point(range, &point)) {
    proof_id both = proof_join(s, lo_proof, hi_proof);
    add_premise(c, REL_EQ, t, term_const(s->terms, point), both);
    return;
  }
  if (range.has_lo) add_premise(c, REL_GE, t, term_const(s->terms, range.lo), lo_proof);
  if (range.has_hi) add_premise(c, REL_LE, t, term_const(s->terms, range.hi), hi_proof);
}

static void add_form(component *c, uint32_t id, bool bounds) {
  shape_store *s = c->s;
  assert(id < s->forms.count);
  store_form form = s->forms.items[id];
  if (!form.live) return;
  proof_id stale = PROOF_NONE;  // why the term is what it is now, where the form was left after
  term_id t = form.rule == TERM_NONE ? canon_with_proof(s, form.term, &stale) : form.term;
  if (bounds) {
    proof_id hi_proof = proof_join(s, form.hi_proof, stale);
    add_bounds(c, t, form.range, proof_join(s, form.lo_proof, stale), hi_proof);
  }
  if (!num_is_one(form.res.m) && !num_is_zero(form.res.m)) {
    term_id rest = term_sub(s->terms, t, term_const(s->terms, form.res.r));
    add_premise(c, REL_DIVISIBLE, rest, term_const(s->terms, form.res.m),
                proof_join(s, form.res_proof, stale));
  }
  for (uint32_t cell = form.excluded; cell != NONE; cell = s->excluded.cells[cell].next) {
    excluded_cell x = s->excluded.cells[cell];
    add_premise(c, REL_NE, t, term_const(s->terms, x.value), proof_join(s, x.proof, stale));
  }
  reach(c, t);
}

static void add_symbol(component *c, term_id symbol) {
  shape_store *s = c->s;
  assert(store_info(s, symbol)->def == TERM_NONE);
  query_symbol entry = {symbol, range_of(s, symbol, WANT_BOTH, NULL), NUM(1)};
  uint32_t id = form_find(s, symbol);
  if (c->with_proofs) {
    entry.range = store_symbol_record(s, term_get(s->terms, symbol)->as.symbol)->info.range;
  }
  GROW(c, c->symbols, c->symbol_count, c->symbol_capacity);
  c->symbols[c->symbol_count++] = entry;
  if (id != NONE) add_form(c, id, c->with_proofs);
}

static void add_watched(component *c, watch_cell watched) {
  if (watched.kind == WATCH_LINK) {
    reach_atom(c->s, c, watched.item);
    return;
  }
  if (!first_time(c, (1ull << 40) + 2 * (uint64_t)watched.item + (watched.kind == WATCH_ATOM))) {
    return;
  }
  if (watched.kind == WATCH_FORM) {
    add_form(c, watched.item, true);
    return;
  }
  const term_info *info = store_info(c->s, watched.item);
  if (info->def == TERM_NONE) return;
  add_premise(c, REL_EQ, watched.item, info->def, info->def_proof);
  reach(c, info->def);
  reach(c, watched.item);
}

// Everything connected to the terms reached so far, breadth first. Symbols are listed even where the facts are cut off.
static void gather(component *c) {
  shape_store *s = c->s;
  for (uint32_t i = 0; i < c->atom_count; i++) {
    term_id atom = c->atoms[i];
    bool is_symbol = term_kind_of(s->terms, atom) == TERM_SYMBOL;
    bool is_defined = store_info(s, atom)->def != TERM_NONE;  // reached through a link
    if (is_symbol && !is_defined) add_symbol(c, atom);
    if (c->premise_count >= QUERY_PREMISES) continue;
    uint32_t form = form_find(s, atom);
    if (!is_symbol && form != NONE) add_form(c, form, true);
    uint32_t cell = store_info(s, atom)->watch & WATCH_END;
    while (cell != WATCH_END && c->premise_count < QUERY_PREMISES) {
      assert(cell < s->watches.count);
      watch_cell watched = s->watches.cells[cell];
      add_watched(c, watched);
      cell = watched.next;
    }
  }
}

static void reach_given(void *data, term_id atom) {
  component *c = data;
  shape_store *s = c->s;
  if (term_kind_of(s->terms, atom) != TERM_SYMBOL || !first_time(c, atom)) return;
  symbol_info info = *store_symbol_info(s, term_get(s->terms, atom)->as.symbol);
  GROW(c, c->symbols, c->symbol_count, c->symbol_capacity);
  c->symbols[c->symbol_count++] = (query_symbol){atom, info.range, info.multiple_of};
}

static void reach_both(component *c, predicate p) {
  term_visit_atoms(c->s->terms, p.left, reach_given, c);
  term_visit_atoms(c->s->terms, p.right, reach_given, c);
}

// The facts as they were given that have symbols in common with p, directly or through others; by masks, so some more.
static void gather_given(component *c, predicate p) {
  shape_store *s = c->s;
  uint64_t reached = term_mask(s->terms, p.left) | term_mask(s->terms, p.right), before;
  bool taken[QUERY_GIVEN] = {false};
  assert(s->facts.live_count <= QUERY_GIVEN);
  reach_both(c, p);
  do {
    before = reached;
    for (uint32_t i = 0; i < s->facts.live_count; i++) {
      predicate q = s->facts.items[s->facts.live[i]].p;
      uint64_t mask = term_mask(s->terms, q.left) | term_mask(s->terms, q.right);
      if (taken[i] || !(mask & reached)) continue;
      taken[i] = true;
      reached |= mask;
      reach_both(c, q);
      add_premise(c, q.rel, q.left, q.right, proof_leaf(s, s->facts.live[i]));
    }
  } while (reached != before);
}

// --- asking

enum goal { ASK_ANSWER, ASK_BOUNDS, ASK_SIMPLIFY };

typedef struct asking {
  enum goal kind;
  query q;
  shape_budget allowance;
  predicate p;
  term_id t;
  query_result result;
  interval range;
  query_points *points;  // of a term to be simplified; NULL: none are kept
  bool conflict, asked;
} asking;

typedef const num *reorder(const query_order *o, const num *values);

static query_points reordered(const query_order *o, const query_points *from, reorder *each) {
  const num **items = arena_alloc(o->q.arena, (from->count + 1) * sizeof *items);
  for (uint32_t i = 0; i < from->count; i++) items[i] = each(o, from->items[i]);
  return (query_points){items, from->count, from->known};
}

static query_simple simplify_in_order(const asking *a, const query_order *o) {
  if (!a->points) return query_simplify(&o->q, o->left, &(simplify_options){.spell = NULL});
  query_points points = reordered(o, a->points, query_order_point);
  query_simple found = query_simplify(&o->q, o->left, &(simplify_options){.points = &points});
  if (!a->points->known) *a->points = reordered(o, &points, query_order_values);
  return found;
}

// Everything up to the answer is scratch, large numbers too: the query is put in order in a table of its own.
static void run_query(void *data) {
  asking *a = data;
  term_id left = a->kind == ASK_ANSWER ? a->p.left : a->t;
  term_id right = a->kind == ASK_ANSWER ? a->p.right : TERM_ZERO, back;
  query_simple found;
  query_order o;
  a->asked = query_order_make(&o, &a->q, left, right);
  if (!a->asked) return;
  switch (a->kind) {
  case ASK_ANSWER:
    a->result = query_ask(&o.q, predicate_make(a->p.rel, o.left, o.right));
    a->result.witness_true = query_order_values(&o, a->result.witness_true);
    a->result.witness_false = query_order_values(&o, a->result.witness_false);
    return;
  case ASK_BOUNDS: a->conflict = !query_bounds(&o.q, o.left, &a->range); return;
  default:
    found = simplify_in_order(a, &o);
    a->conflict = found.conflict;
    back = found.term == o.left ? TERM_NONE : query_order_back(&o, found.term);
    if (back != TERM_NONE) a->t = back;
  }
}

// Asks under limits of its own, so that one hard query neither ends a job nor spends what the others need. False:
// nothing is known, as a limit of bytes or bits was reached.
static bool ask(component *c, asking *a) {
  shape_store *s = c->s;
  shape_arena *scratch = &s->scratch;
  size_t limit = scratch->limit, most = scratch->bytes + QUERY_BYTES;
  uint64_t steps = c->most;
  budget_init(&a->allowance, scratch, steps, s->budget->stop);
  a->allowance.max_bits = s->budget->max_bits;
  if (budget_left(s->budget) < steps) budget_allow(&a->allowance, budget_left(s->budget));
  a->q = (query){.arena = scratch,
                 .terms = s->terms,
                 .budget = &a->allowance,
                 .symbols = c->symbols,
                 .symbol_count = c->symbol_count,
                 .premises = c->premises,
                 .premise_count = c->premise_count};
  a->range = interval_all();
  if (!limit || most < limit) scratch->limit = most;
  shape_status status = arena_protect(s->arena, run_query, a);
  scratch->limit = limit;
  assert(a->allowance.steps_used <= UINT32_MAX);
  budget_spend(s->budget, (uint32_t)a->allowance.steps_used);
  a->q.budget = s->budget;
  if (status == SHAPE_OK) {
    if (a->range.has_lo) a->range.lo = num_add(s->budget, a->range.lo, NUM(0));
    if (a->range.has_hi) a->range.hi = num_add(s->budget, a->range.hi, NUM(0));
    return a->asked;
  }
  bool own =
      status == SHAPE_BITS || (status == SHAPE_MEMORY && scratch->bytes + QUERY_BYTES / 2 >= most);
  if (!own) arena_fail(s->arena, status);
  term_table_recover(s->terms);
  return false;
}

// The premises that a derivation of the checker rests on, or all of them where it finds none.
static void join_used(component *c, const query *q, predicate p, query_result r, uint64_t steps,
                      proof_id *proof) {
  uint8_t *used = arena_zalloc(q->arena, c->premise_count + 1u);
  predicate against = r.answer == SHAPE_NO ? p : check_negation(q->terms, p);
  bool found = check_derive(q, r.conflict ? NULL : &against, steps, used);
  for (uint32_t i = 0; i < c->premise_count; i++) {
    if (!found || used[i]) *proof = proof_join(c->s, *proof, c->proofs[i]);
  }
}

static query_result ask_answer(component *c, asking *a, predicate p) {
  *a = (asking){.kind = ASK_ANSWER, .p = p};
  query key = {.symbols = c->symbols,
               .symbol_count = c->symbol_count,
               .premises = c->premises,
               .premise_count = c->premise_count};
  if (!c->with_proofs && answer_cache_get(c->s, &key, p, &a->result)) return a->result;
  if (ask(c, a)) {
    check_debug_answer(&a->q, p, &a->result);
    if (!c->with_proofs) answer_cache_put(c->s, &key, p, &a->result);
  } else {
    a->result = (query_result){.answer = SHAPE_UNKNOWN, .reason = UNKNOWN_BUDGET};
  }
  return a->result;
}

static store_answer ask_component(shape_store *s, predicate p, proof_id *proof, uint64_t steps,
                                  uint64_t most) {
  predicate given = p;
  proof_id own = PROOF_NONE;
  shape_answer cheap = holds_with_proof(s, p, proof ? &own : NULL);
  if (cheap != SHAPE_UNKNOWN) {
    if (proof) *proof = proof_join(s, *proof, own);
    return (store_answer){.answer = cheap};
  }
  arena_mark mark = arena_get_mark(&s->scratch);
  component c = {.s = s, .with_proofs = proof != NULL, .most = most}, all = c;
  asking a;
  own = PROOF_NONE;
  p.left = canon_with_proof(s, p.left, &own);
  p.right = canon_with_proof(s, p.right, &own);
  reach(&c, p.left);
  reach(&c, p.right);
  gather(&c);
  query_result r = ask_answer(&c, &a, p);
  if (!r.conflict && r.answer == SHAPE_UNKNOWN && r.reason != UNKNOWN_CONTINGENT &&
      s->facts.live_count && s->facts.live_count <= QUERY_GIVEN) {
    gather_given(&all, given);
    r = ask_answer(&all, &a, given);
    c = all;
    p = given;
    own = PROOF_NONE;
  }
  if (proof && !r.conflict && r.answer == SHAPE_UNKNOWN && s->facts.live_count <= QUERY_GIVEN) {
    // Bounds without their proofs may say more: then every fact that is connected is named.
    store_answer plain = ask_component(s, given, NULL, 0, most);
    if (plain.conflict || plain.answer != SHAPE_UNKNOWN) {
      component named = {.s = s, .with_proofs = true, .most = most};
      gather_given(&named, given);
      for (uint32_t i = 0; i < named.premise_count; i++)
        *proof = proof_join(s, *proof, named.proofs[i]);
      arena_rewind(&s->scratch, mark);
      return plain;
    }
  }
  if (proof && (r.conflict || r.answer != SHAPE_UNKNOWN)) {
    join_used(&c, &a.q, p, r, steps, &own);
    *proof = proof_join(s, *proof, own);
  }
  arena_rewind(&s->scratch, mark);
  return (store_answer){r.answer, r.conflict, r.reason == UNKNOWN_BUDGET};
}

store_answer component_ask(shape_store *s, predicate p, proof_id *proof, uint64_t steps) {
  return ask_component(s, p, proof, steps, QUERY_STEPS);
}

store_answer store_ask(shape_store *s, predicate p) {
  log_asked(s, p.left);
  log_asked(s, p.right);
  return component_ask(s, p, NULL, 0);
}

store_answer store_ask_briefly(shape_store *s, predicate p) {
  log_asked(s, p.left);
  log_asked(s, p.right);
  return ask_component(s, p, NULL, 0, QUERY_BRIEF_STEPS);
}

bool store_bounds(shape_store *s, term_id t, interval *out) {
  t = store_canon(s, t);
  interval cheap = range_of(s, t, WANT_BOTH, NULL);
  if (term_kind_of(s->terms, t) == TERM_CONST) {
    *out = cheap;
    return true;
  }
  arena_mark mark = arena_get_mark(&s->scratch);
  component c = {.s = s, .most = QUERY_STEPS};
  reach(&c, t);
  gather(&c);
  asking a = {.kind = ASK_BOUNDS, .t = t};
  bool known = ask(&c, &a), ok = true;
  *out = cheap;
  if (known) {
    check_debug_bounds(&a.q, t, !a.conflict, a.range);
    ok = !a.conflict && interval_meet(a.range, cheap, out);
  }
  arena_rewind(&s->scratch, mark);
  return ok;
}

term_id store_simplify(shape_store *s, term_id t) {
  return store_simplify_near(s, t, QUERY_STEPS, NULL, NULL);
}

term_id store_simplify_near(shape_store *s, term_id t, uint64_t steps, shape_arena *arena,
                            near_points **near) {
  t = store_canon(s, t);
  arena_mark mark = arena_get_mark(&s->scratch);
  component c = {.s = s, .most = steps < QUERY_STEPS ? steps : QUERY_STEPS};
  reach(&c, t);
  gather(&c);
  asking a = {.kind = ASK_SIMPLIFY, .t = t};
  query of = {.terms = s->terms,
              .symbols = c.symbols,
              .symbol_count = c.symbol_count,
              .premises = c.premises,
              .premise_count = c.premise_count};
  if (near) a.points = near_points_of(near, arena, &of, t);
  bool sought = a.points && !a.points->known, known = ask(&c, &a);
  if (sought) near_points_keep(*near, a.points);
  term_id simple = known ? a.t : t;
  if (known && !a.conflict) check_debug_equal(&a.q, t, simple);
  arena_rewind(&s->scratch, mark);
  return simple;
}

// Components have no symbol in common, so the facts have a solution when each component has one.
shape_answer store_consistent(shape_store *s) {
  shape_answer answer = SHAPE_YES;
  arena_mark mark = arena_get_mark(&s->scratch);
  component c = {.s = s, .most = QUERY_STEPS};
  for (uint32_t i = 0; i < s->forms.count && answer != SHAPE_NO; i++) {
    if (!s->forms.items[i].live) continue;
    c.premise_count = c.symbol_count = 0;
    uint32_t first = c.atom_count;
    reach(&c, s->forms.items[i].term);
    if (c.atom_count == first) continue;
    gather(&c);
    asking a;
    query_result r = ask_answer(&c, &a, predicate_make(REL_EQ, TERM_ONE, TERM_ZERO));
    if (r.conflict) {
      answer = SHAPE_NO;
    } else if (r.answer == SHAPE_UNKNOWN) {
      answer = SHAPE_UNKNOWN;
    }
  }
  arena_rewind(&s->scratch, mark);
  return answer;
}
