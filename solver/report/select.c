// SPDX-License-Identifier: Apache-2.0
// Which facts an answer lists: what its terms and ranges do not say already, and nothing that the rest implies.
#include <assert.h>

#include "solver/decide/probe.h"
#include "solver/report/uses.h"
#include "solver/report/work.h"

// Bounds of the work: each candidate asks one query with at most PREMISES others about dims that it shares, until
// QUERIES are asked, ALL_STEPS are spent, or IN_VAIN in a row had to stay: in the corpora, no more than 18 in a row do
// before one that goes. Facts that were not asked about stay.
enum {
  PREMISES = 24,
  QUERIES = 1024,
  IN_VAIN = 128,
  QUERY_STEPS = 8000,
  ALL_STEPS = 300000,
  POINT_STEPS = 300000,
  NOT_MADE = PROBE_NONE - 1,
  SMALL = 24
};

static uint32_t weight(const term_table *t, term_id x) {
  const term_node *node = term_get(t, x);
  return node->kind == TERM_CONST ? 0 : 1u + node->count + node->degree;
}

// One whose predicate is in normal form.
static void add_normal(shape_report *r, candidates *to, candidate c) {
  const term_table *t = r->infer->terms;
  c.cost = 4 * (weight(t, c.p.left) + weight(t, c.p.right)) + (uint32_t)c.p.rel;
  to->items = arena_grow(r->work->arena, to->items, to->count, (size_t)to->count + 1, &to->capacity,
                         sizeof c);
  to->items[to->count++] = c;
}

static void add_candidate(shape_report *r, candidates *to, candidate c) {
  predicate normal;
  if (!classify_normal(r, c.p, &normal)) return;
  c.p = normal;
  add_normal(r, to, c);
}

static bool same_predicate(predicate a, predicate b) {
  return a.rel == b.rel && a.left == b.left && a.right == b.right;
}

static void note_repeat(shape_report *r, uint32_t claim, uint32_t at) {
  assert(claim < r->infer->claim_count);
  report_work *w = r->work;
  w->repeats = arena_grow(w->arena, w->repeats, w->repeat_count, (size_t)w->repeat_count + 1,
                          &w->repeat_cap, sizeof *w->repeats);
  w->repeats[w->repeat_count++] = (struct claim_repeat){claim, at};
}

// Drops repeats, keeping the first; a guard that repeats a fact makes it a guard.
static void drop_repeats(shape_report *r, candidates *all) {
  shape_imap seen = {0};
  uint32_t kept = 0;
  for (uint32_t i = 0; i < all->count; i++) {
    candidate c = all->items[i];
    uint64_t key = hash_pair((uint64_t)c.scope << 8 | (uint64_t)c.p.rel,
                             (uint64_t)c.p.left << 32 | c.p.right) &
                   ~(uint64_t)1;
    uint32_t at;
    if (imap_get(&seen, key, &at) && same_predicate(all->items[at].p, c.p) &&
        all->items[at].scope == c.scope) {
      assert(at < kept);
      all->items[at].guard |= c.guard;
      if (c.guard && c.scope == 0 && c.claim != ID_NONE) note_repeat(r, c.claim, at);
      continue;
    }
    imap_put(&seen, r->work->arena, key, kept);
    all->items[kept++] = c;
  }
  all->count = kept;
}

void select_drop_repeats(shape_report *r, const candidates *all, uint32_t first, uint8_t *keep) {
  assert(first <= all->count);
  shape_imap seen = {0};
  for (uint32_t i = 0; i < all->count; i++) {
    predicate p = all->items[i].p;
    uint64_t key = hash_pair((uint64_t)p.rel, (uint64_t)p.left << 32 | p.right) & ~(uint64_t)1;
    uint32_t at;
    if (!keep[i]) continue;
    if (!imap_get(&seen, key, &at) || !same_predicate(all->items[at].p, p)) {
      imap_put(&seen, r->work->arena, key, i);
    } else if (i >= first) {
      keep[i] = 0;
    }
  }
}

// --- what implies what

typedef struct selection {
  shape_report *r;
  const candidates *all;
  symbol_uses uses;  // of candidates
  uint32_t *first;   // by candidate: where its uses begin
  uint64_t spent;    // steps of all queries
  shape_budget allowance;
  probe *points;
  uint32_t *claims;  // of the points, by candidate, or NOT_MADE
} selection;

// The symbols of a query, and the candidates that speak of them.
typedef struct neighbours {
  selection *index;
  const uint8_t *keep;
  uint32_t self;
  uint32_t picked[PREMISES];
  uint32_t count, met;  // met: the number of those whose symbols are in the list
  met_symbols symbols;
} neighbours;

static bool is_picked(const neighbours *n, uint32_t index) {
  for (uint32_t i = 0; i < n->count; i++) {
    if (n->picked[i] == index) return true;
  }
  return index == n->self;
}

static void meet_symbols(neighbours *n, uint32_t index) {
  met_symbols_add_item(&n->symbols, &n->index->uses, index, n->index->first[index]);
}

// Those whose symbols were not met yet say what they speak of.
static void meet_picked(neighbours *n) {
  assert(n->met <= n->count);
  while (n->met < n->count) meet_symbols(n, n->picked[n->met++]);
}

// Those that share a symbol with the candidate come first, then those that share one with them: mostly the former are enough,
// and large claims have many symbols.
static void pick_neighbours(neighbours *n) {
  const selection *x = n->index;
  const symbol_uses *u = &x->uses;
  meet_symbols(n, n->self);
  for (uint32_t s = 0; n->count < PREMISES; s++) {
    if (s == n->symbols.count) meet_picked(n);
    if (s == n->symbols.count) break;
    uint32_t use = uses_of(u, n->symbols.items[s].symbol);
    for (; use != ID_NONE && n->count < PREMISES; use = u->list[use].next) {
      uint32_t other = u->list[use].item;
      assert(other < x->all->count);
      if (n->keep[other] && !is_picked(n, other)) n->picked[n->count++] = other;
    }
  }
}

static query_symbol declared(void *data, term_id symbol) {
  const shape_report *r = data;
  const symbol_info *info =
      store_symbol_info(r->infer->store, term_get(r->infer->terms, symbol)->as.symbol);
  return info ? (query_symbol){symbol, info->range, info->multiple_of}
              : (query_symbol){symbol, interval_all(), NUM(1)};
}

static void open_points(selection *x) {
  shape_report *r = x->r;
  shape_arena *arena = r->work->arena;
  budget_init(&x->allowance, arena, POINT_STEPS, r->work->budget->stop);
  x->points = probe_new(arena, r->infer->terms, &x->allowance, declared, r);
  x->claims = arena_alloc(arena, (x->all->count + 1) * sizeof *x->claims);
  for (uint32_t i = 0; i < x->all->count; i++) x->claims[i] = NOT_MADE;
}

// One set of points for all: most candidates have symbols and terms in common.
static uint32_t claim_of(selection *x, uint32_t index) {
  uint32_t *claim = &x->claims[index];
  if (*claim == NOT_MADE) *claim = probe_claim(x->points, x->all->items[index].p);
  return *claim;
}

// Whether a point was found where the candidate is false and its neighbours hold.
static bool has_counterexample(selection *x, const neighbours *n) {
  uint32_t held[PREMISES];
  if (!x->points) open_points(x);
  assert(n->count <= PREMISES && n->self < x->all->count);
  uint32_t self = claim_of(x, n->self);
  for (uint32_t i = 0; i < n->count && self != PROBE_NONE; i++) held[i] = claim_of(x, n->picked[i]);
  uint64_t before = x->allowance.steps_used;
  bool found = probe_refutes(x->points, self, held, n->count);
  budget_count(x->r->work->budget, x->allowance.steps_used - before);
  return found;
}

static bool implied(selection *x, const uint8_t *keep, uint32_t self) {
  shape_report *r = x->r;
  predicate asked = x->all->items[self].p;
  arena_mark mark = arena_get_mark(&r->work->scratch);
  neighbours n = {.index = x, .keep = keep, .self = self, .symbols.r = r};
  pick_neighbours(&n);
  // Infer records nothing that declarations alone prove, but bounds may have been proven later.
  bool stays = !n.count && asked.rel != REL_LE && asked.rel != REL_LT;
  if (stays || has_counterexample(x, &n)) {
    arena_rewind(&r->work->scratch, mark);
    return false;
  }
  meet_picked(&n);
  small_query small;
  small_query_open(&small, r, QUERY_STEPS);
  predicate premises[PREMISES];
  for (uint32_t i = 0; i < n.count; i++) {
    premises[i] = extract_predicate(&small.from, x->all->items[n.picked[i]].p);
  }
  for (uint32_t i = 0; i < n.symbols.count; i++) {
    n.symbols.items[i].symbol = extract_term(&small.from, n.symbols.items[i].symbol);
  }
  query q = {.arena = &r->work->scratch,
             .terms = &small.terms,
             .budget = &small.allowance,
             .symbols = n.symbols.items,
             .symbol_count = n.symbols.count,
             .premises = premises,
             .premise_count = n.count,
             .in_order = true,
             .only_yes = true};
  query_result result = query_ask(&q, extract_predicate(&small.from, asked));
  budget_count(r->work->budget, small.allowance.steps_used);
  x->spent += small.allowance.steps_used;
  arena_rewind(&r->work->scratch, mark);
  return result.answer == SHAPE_YES && !result.conflict;
}

void select_irredundant(shape_report *r, const candidates *all, uint8_t *keep) {
  if (!all->count) return;
  shape_arena *arena = r->work->arena;
  selection x = {.r = r, .all = all, .uses.r = r};
  x.first = arena_alloc(arena, (all->count + 1) * sizeof *x.first);
  uint32_t *order = arena_alloc(arena, (all->count + 1) * sizeof *order);
  uint32_t counts[64] = {0}, positions[64];
  for (uint32_t i = 0; i < all->count; i++) {
    x.first[i] = x.uses.count;
    if (keep[i]) uses_add(&x.uses, i, all->items[i].p);
  }
  // The dearest first, the later first among equals: a counting sort, as costs beyond 63 need no order.
  for (uint32_t i = 0; i < all->count; i++)
    counts[all->items[i].cost > 63 ? 0 : 63 - all->items[i].cost]++;
  for (uint32_t i = 0, sum = 0; i < 64; sum += counts[i++]) positions[i] = sum;
  for (uint32_t i = all->count; i-- > 0;) {
    order[positions[all->items[i].cost > 63 ? 0 : 63 - all->items[i].cost]++] = i;
  }
  assert(positions[63] == all->count);
  assert(!all->count || order[0] < all->count);
  uint32_t asked = 0, in_vain = 0;
  for (uint32_t i = 0;
       i < all->count && asked < QUERIES && in_vain < IN_VAIN && x.spent < ALL_STEPS; i++) {
    uint32_t self = order[i];
    if (keep[self] != SELECT_MAY_GO) continue;
    asked++;
    in_vain++;
    if (!implied(&x, keep, self)) continue;
    keep[self] = 0;
    in_vain = 0;
  }
}

// --- candidates

// What the store's quotient was for: m divides s - rest.
static void add_divisibilities(shape_report *r, candidates *to) {
  report_work *w = r->work;
  term_table *t = r->infer->terms;
  for (uint32_t i = 0; i < w->quotient.count; i++) {
    quotient q = w->quotient.items[i];
    assert(num_sign(q.factor) > 0);
    if (num_is_one(q.factor)) continue;
    predicate p = predicate_make(REL_DIVISIBLE, q.owner, term_const(t, q.factor));
    add_candidate(r, to,
                  (candidate){.p = p, .asked = p, .claim = ID_NONE, .why.kind = REASON_NONE});
  }
}

// An author's symbol whose class has another name, or none.
static void add_renamed(shape_report *r, candidates *to) {
  const infer_result *infer = r->infer;
  for (uint32_t i = 0; i < infer->origin_count && i < r->work->symbol_term_count; i++) {
    term_id term = r->work->symbol_terms[i];
    if (infer->origins[i].kind != ORIGIN_DECLARED || term == TERM_NONE) continue;
    assert(infer->origins[i].graph_symbol < r->graph->declared.symbol_count);
    if (r->graph->declared.symbols[infer->origins[i].graph_symbol].definition) continue;
    term_id answer = answer_term(r, term);
    if (answer == term) continue;
    predicate p = predicate_make(REL_EQ, term, answer);
    add_candidate(r, to,
                  (candidate){.p = p, .asked = p, .claim = ID_NONE, .why.kind = REASON_NONE});
  }
}

// By a map that changes no symbol which is its own answer form. Claims of a chain of operations hold the same atoms, so that
// what they become is kept. Small terms need no table.
static term_id substituted_term(shape_report *r, term_id id, term_id (*map)(void *, term_id),
                                shape_imap *memo) {
  term_table *t = r->infer->terms;
  if (term_kind_of(t, id) == TERM_SYMBOL) return map(r, id);
  if (exact_is_answered(r, id)) return id;
  return term_substitute(t, id, map, r, term_outweighs(t, id, SMALL) ? memo : NULL);
}

static predicate substituted(shape_report *r, predicate p, term_id (*map)(void *, term_id),
                             shape_imap *memo) {
  term_id left = substituted_term(r, p.left, map, memo);
  return predicate_make(p.rel, left, substituted_term(r, p.right, map, memo));
}

static term_id symbol_answer(void *data, term_id atom) {
  shape_report *r = data;
  return term_kind_of(r->infer->terms, atom) == TERM_SYMBOL ? answer_term(r, atom) : atom;
}

// What the store solved for an atom (bcast(S0, S1) := S1, or bounds that leave one value) is gone from all answer forms:
// its atoms are the same there. What the names alone do not say is said with the symbols replaced and the atoms kept.
static predicate keep_atoms(shape_report *r, predicate p, shape_imap *memo) {
  return substituted(r, p, symbol_answer, memo);
}

// The name of a large term (store_name) that facts made equal to something else is gone from all answer forms as well,
// and no argument shows it: only what it denotes says what they ask of the arguments.
static term_id open_name(void *data, term_id atom) {
  shape_report *r = data;
  const term_node *node = term_get(r->infer->terms, atom);
  if (node->kind != TERM_SYMBOL) return atom;
  term_id answer = answer_term(r, atom), meaning = store_named(r->infer->store, node->as.symbol);
  return meaning == TERM_NONE || answer == atom ? answer : answer_term(r, meaning);
}

static predicate open_names(shape_report *r, predicate p, shape_imap *memo) {
  return substituted(r, p, open_name, memo);
}

static void add_claims(shape_report *r, candidates *entry, candidates *scoped) {
  const infer_result *infer = r->infer;
  shape_imap answers = {0}, meanings = {0};
  for (uint32_t i = 0; i < infer->claim_count; i++) {
    const infer_claim *claim = &infer->claims[i];
    predicate p = claim->p;
    term_id left = answer_term(r, p.left), right = answer_term(r, p.right);
    candidate c = {.p = predicate_make(p.rel, left, right),
                   .asked = p,
                   .why = claim->why,
                   .fact = claim->fact,
                   .scope = claim->scope,
                   .claim = i,
                   .guard = claim->guard};
    predicate normal, kept = keep_atoms(r, p, &answers), kept_normal,
                      opened = open_names(r, p, &meanings);
    if (claim->scope == 0 && !same_predicate(opened, kept)) {
      candidate whole = c;
      whole.p = opened;
      add_candidate(r, entry, whole);
    }
    candidates *to = claim->scope == 0 ? entry : scoped;
    if (!classify_normal(r, c.p, &normal)) {
      c.p = kept;
      add_candidate(r, to, c);
      continue;
    }
    if (claim->guard && claim->scope == 0 && !same_predicate(c.p, kept) &&
        classify_normal(r, kept, &kept_normal) && !same_predicate(normal, kept_normal)) {
      // A rule for a product took one side of it away: x*y == z with x*y := 12 says z == 12 and no more.
      candidate whole = c;
      whole.p = kept;
      add_candidate(r, entry, whole);
    }
    c.p = normal;
    add_normal(r, to, c);
  }
}

// A fact that the store derived rests on requirements when one of its reasons is one.
static void mark_derived_guards(shape_report *r, candidates *all) {
  for (uint32_t i = 0; i < all->count; i++) {
    candidate *c = &all->items[i];
    if (c->guard || c->why.kind != REASON_NONE || c->p.rel != REL_DIVISIBLE) continue;
    fact_id facts[BECAUSE_MAX];
    bool truncated = false;
    uint32_t count = store_because(r->infer->store, c->asked, facts, BECAUSE_MAX, &truncated);
    c->guard = truncated;
    for (uint32_t f = 0; f < count; f++)
      c->guard |= store_fact(r->infer->store, facts[f])->why.required;
  }
}

void constraint_append(shape_report *r, report_constraints *to, const candidate *c,
                       const char *scope) {
  report_constraint made = {.scope = scope, .scope_id = c->scope, .required = c->guard};
  if (!classify(r, c->p, &made)) return;
  made.requirement = c->when_count ? c->requirement : c->p;
  made.when = c->when;
  made.when_count = c->when_count;
  explain_candidate(r, c, &made);
  to->items = arena_grow(r->work->arena, to->items, to->count, (size_t)to->count + 1, &to->capacity,
                         sizeof made);
  to->items[to->count++] = made;
}

void select_constraints(shape_report *r) {
  shape_arena *arena = r->work->arena;
  candidates entry = {0}, scoped = {0};
  add_claims(r, &entry, &scoped);
  add_divisibilities(r, &entry);
  add_renamed(r, &entry);
  drop_repeats(r, &entry);
  drop_repeats(r, &scoped);
  mark_derived_guards(r, &entry);
  uint8_t *keep = arena_alloc(arena, entry.count + 1u);
  memset(keep, 1, entry.count + 1u);
  select_irredundant(r, &entry, keep);
  const char *scope = explain_scope(r, 0);
  for (uint32_t i = 0; i < entry.count; i++) {
    if (keep[i]) constraint_append(r, &r->constraints, &entry.items[i], scope);
  }
  ledger_make(r, &entry, keep);
  for (uint32_t i = 0; i < scoped.count; i++) {
    const candidate *c = &scoped.items[i];
    if (store_known(r->infer->store, c->asked)) continue;
    constraint_append(r, &r->scoped, c, explain_scope(r, c->scope));
  }
}
