// SPDX-License-Identifier: Apache-2.0
// check --certify: the independent checker re-derives what is reported from the facts as the operations stated them.
//
// A constraint or guard: from the facts that the store gives as its reasons; where these do not suffice, from the facts
// of its scope that hang together with it, nearest first. What is confirmed gets an irreducible set of facts for its
// reasons. A check that was left out of the guards: from the guards that are left and the declared ranges alone.
// Each query is asked about a small table of terms of its own. Cost: at most MAX_STEPS for the whole report; what
// comes after that is not confirmed.
#include "solver/certify/check.h"
#include "solver/report/uses.h"
#include "solver/report/work.h"

enum {
  NEAR_FACTS = 160,
  MAX_FACTS = 240,
  MAX_STEPS = 100000000,
  ALLOWANCE = 200000,
  PROBE_STEPS = 20
};

typedef struct certifier {
  shape_report *r;
  symbol_uses uses;  // of facts
  uint64_t spent;
} certifier;

// One claim, and what it is to be derived from.
typedef struct claim {
  certifier *c;
  predicate p;
  uint32_t scope;
  predicate premises[MAX_FACTS];
  fact_id facts[MAX_FACTS];  // of the premises; FACT_NONE: a guard
  uint32_t count;
  met_symbols symbols;
} claim;

// --- facts by symbol

static void index_facts(certifier *c) {
  const shape_store *store = c->r->infer->store;
  for (fact_id i = store_fact_count(store); i-- > 0;)
    uses_add(&c->uses, i, store_fact(store, i)->p);
}

// Does a fact of scope `outer` hold in scope `inner`?
static bool holds_in(const infer_result *infer, uint32_t outer, uint32_t inner) {
  while (outer != inner && inner != 0 && inner < infer->scope_count) {
    uint32_t parent = infer->scopes[inner].parent;
    inner = parent < inner ? parent : 0;  // a scope is younger than what it is in
  }
  return outer == inner;
}

// --- one claim

static void add_premise(claim *k, predicate p, fact_id id) {
  if (k->count == MAX_FACTS) return;
  for (uint32_t i = 0; i < k->count && id != FACT_NONE; i++) {
    if (k->facts[i] == id) return;
  }
  k->premises[k->count] = p;
  k->facts[k->count++] = id;
  met_symbols_add(&k->symbols, p);
}

static void begin(claim *k, certifier *c, predicate p, uint32_t scope) {
  *k = (claim){.c = c, .p = p, .scope = scope, .symbols.r = c->r};
  met_symbols_add(&k->symbols, p);
}

static void add_fact(claim *k, fact_id id) {
  const infer_result *infer = k->c->r->infer;
  const fact *f = store_fact(infer->store, id);
  if (holds_in(infer, f->scope, k->scope)) add_premise(k, f->p, id);
}

static void add_reasons(claim *k) {
  if (k->scope != 0) return;  // the facts of inner scopes were taken back
  fact_id facts[MAX_FACTS];
  bool truncated;
  uint32_t n = store_because(k->c->r->infer->store, k->p, facts, MAX_FACTS / 2, &truncated);
  for (uint32_t i = 0; i < n; i++) add_fact(k, facts[i]);
}

// Facts that speak of the symbols of the claim, then of the symbols of those.
static void add_neighbours(claim *k) {
  for (uint32_t s = 0; s < k->symbols.count && k->count < NEAR_FACTS; s++) {
    const symbol_uses *u = &k->c->uses;
    uint32_t use = uses_of(u, k->symbols.items[s].symbol);
    for (; use != ID_NONE && k->count < NEAR_FACTS; use = u->list[use].next)
      add_fact(k, u->list[use].item);
  }
}

// The store's own symbols denote quotients.
static void add_meanings(claim *k) {
  const infer_result *infer = k->c->r->infer;
  term_table *t = infer->terms;
  for (uint32_t i = 0; i < k->symbols.count; i++) {
    term_id symbol = k->symbols.items[i].symbol, dividend;
    num divisor;
    if (!store_fresh_meaning(infer->store, term_get(t, symbol)->as.symbol, &dividend, &divisor))
      continue;
    term_id meaning = term_floordiv(t, dividend, term_const(t, divisor));
    add_premise(k, predicate_make(REL_EQ, symbol, meaning), FACT_NONE);
  }
}

// The facts of an irreducible set become the reasons.
static void put_reasons(claim *k, const query *q, predicate asked, const uint8_t *used,
                        report_constraint *to) {
  shape_report *r = k->c->r;
  shape_arena *scratch = &r->work->scratch;
  query_link *links = arena_alloc(scratch, (k->count + 1) * sizeof *links);
  predicate *some = arena_alloc(scratch, (k->count + 1) * sizeof *some);
  uint32_t *from = arena_alloc(scratch, (k->count + 1) * sizeof *from), n = 0;
  uint8_t *keep = arena_alloc(scratch, k->count + 1u);
  for (uint32_t i = 0; i < k->count; i++) {
    if (!used[i] && k->facts[i] != FACT_NONE) continue;
    links[n] = (query_link){n, k->facts[i] == FACT_NONE ? QUERY_ALWAYS : n};
    some[n] = q->premises[i];
    from[n++] = i;
  }
  query part = *q;
  part.premises = some;
  part.premise_count = n;
  memset(keep, 1, n);
  // Where the procedure cannot follow the checker, what the derivation used is the answer.
  bool reduced;
  if (!query_core(&part, &asked, &(query_parts){links, n, n}, keep, &reduced)) memset(keep, 1, n);
  to->because = arena_alloc(r->work->arena, (size_t)BECAUSE_MAX * sizeof *to->because);
  to->because_count = 0;
  to->truncated = false;
  for (uint32_t i = 0; i < n; i++) {
    if (!keep[i] || k->facts[from[i]] == FACT_NONE) continue;
    to->truncated |= to->because_count == BECAUSE_MAX;
    if (to->because_count == BECAUSE_MAX) break;
    const fact *f = store_fact(r->infer->store, k->facts[from[i]]);
    to->because[to->because_count++] = report_reason(r, &f->why);
  }
}

static bool by_fact(const claim *k, uint32_t a, uint32_t b) { return k->facts[a] < k->facts[b]; }

// Oldest first, as everywhere.
static void sort_premises(claim *k) {
  for (uint32_t i = 1; i < k->count; i++) {
    for (uint32_t at = i; at && by_fact(k, at, at - 1); at--) {
      fact_id f = k->facts[at];
      predicate p = k->premises[at];
      k->facts[at] = k->facts[at - 1];
      k->premises[at] = k->premises[at - 1];
      k->facts[at - 1] = f;
      k->premises[at - 1] = p;
    }
  }
}

static check_result confirm(claim *k, report_constraint *to) {
  certifier *c = k->c;
  shape_arena *scratch = &c->r->work->scratch;
  if (c->spent > MAX_STEPS) return CHECK_OPEN;
  add_meanings(k);
  sort_premises(k);
  small_query small;
  small_query_open(&small, c->r, ALLOWANCE);
  predicate *premises = arena_alloc(scratch, (k->count + 1) * sizeof *premises);
  query_symbol *symbols = arena_alloc(scratch, (k->symbols.count + 1) * sizeof *symbols);
  for (uint32_t i = 0; i < k->symbols.count; i++) {
    symbols[i] = k->symbols.items[i];
    symbols[i].symbol = extract_term(&small.from, symbols[i].symbol);
  }
  for (uint32_t i = 0; i < k->count; i++)
    premises[i] = extract_predicate(&small.from, k->premises[i]);
  query q = {.arena = scratch,
             .terms = &small.terms,
             .budget = &small.allowance,
             .symbols = symbols,
             .symbol_count = k->symbols.count,
             .premises = premises,
             .premise_count = k->count};
  predicate asked = extract_predicate(&small.from, k->p);
  uint8_t *used = arena_zalloc(scratch, k->count + 1u);
  check_result result = check_implied(&q, asked, used);
  if (result == CHECK_CONFIRMED && to) put_reasons(k, &q, asked, used, to);
  c->spent += q.budget->steps_used;
  return result;
}

// --- the report

static check_result certify_one(certifier *c, report_constraint *item) {
  report_work *w = c->r->work;
  arena_mark mark = arena_get_mark(&w->scratch);
  claim *k = arena_alloc(&w->scratch, sizeof *k);
  begin(k, c, item->p, item->scope_id);
  add_reasons(k);
  check_result result = k->count ? confirm(k, item) : CHECK_OPEN;
  if (result == CHECK_OPEN) {
    begin(k, c, item->p, item->scope_id);
    add_reasons(k);
    add_neighbours(k);
    result = confirm(k, item);
  }
  arena_rewind(&w->scratch, mark);
  return result;
}

static void certify_list(certifier *c, report_constraints *list) {
  report_certificate *sum = &c->r->certificate;
  for (uint32_t i = 0; i < list->count; i++) {
    if (list->items[i].when_count) continue;  // in r->scoped, with the facts of its scope
    check_result result = certify_one(c, &list->items[i]);
    list->items[i].unconfirmed = result != CHECK_CONFIRMED;
    sum->constraints++;
    sum->confirmed += result == CHECK_CONFIRMED;
    sum->contradicted += result == CHECK_WRONG;
  }
}

static bool speaks_of(const claim *k, const claim *other) {
  for (uint32_t i = 0; i < other->symbols.count; i++) {
    for (uint32_t s = 0; s < k->symbols.count; s++) {
      if (k->symbols.items[s].symbol == other->symbols.items[i].symbol) return true;
    }
  }
  return false;
}

// The guards that share symbols with the claim, with the symbols of those, and so on.
static void add_guards(claim *k, claim *probe) {
  const report_constraints *guards = &k->c->r->guards;
  uint8_t *taken = arena_zalloc(&k->c->r->work->scratch, guards->count + 1u);
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < guards->count && k->count < NEAR_FACTS; i++) {
      if (taken[i] || k->c->spent > MAX_STEPS) continue;
      k->c->spent += PROBE_STEPS;
      begin(probe, k->c, guards->items[i].p, 0);
      if (!speaks_of(k, probe)) continue;
      taken[i] = 1;
      more = true;
      add_premise(k, guards->items[i].p, FACT_NONE);
    }
  }
}

static void certify_guards(certifier *c) {
  report_work *w = c->r->work;
  report_certificate *sum = &c->r->certificate;
  for (uint32_t i = 0; i < w->left_out_count; i++) {
    arena_mark mark = arena_get_mark(&w->scratch);
    claim *k = arena_alloc(&w->scratch, 2 * sizeof *k);
    begin(k, c, w->left_out[i], 0);
    add_guards(k, k + 1);
    check_result result = confirm(k, NULL);
    arena_rewind(&w->scratch, mark);
    sum->implications++;
    sum->implied += result == CHECK_CONFIRMED;
    sum->contradicted += result == CHECK_WRONG;
  }
}

void report_certify(shape_report *r) {
  if (!r->infer) return;
  certifier c = {.r = r, .uses.r = r};
  r->certificate.made = true;
  index_facts(&c);
  certify_list(&c, &r->constraints);
  certify_list(&c, &r->guards);
  certify_list(&c, &r->scoped);
  certify_guards(&c);
}
