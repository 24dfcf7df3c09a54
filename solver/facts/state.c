// SPDX-License-Identifier: Apache-2.0
// The store after store.h: symbols, facts, scopes. Cheap queries are in holds.c, full ones in component.c and
// explain.c; what a fact does once it is in is the theories' business (bus.c).
#include "solver/facts/core.h"
#include "solver/facts/narrate.h"

#include <assert.h>
#include <string.h>

shape_store *store_new(shape_arena *arena, term_table *terms, shape_budget *budget) {
  shape_store *s = arena_zalloc(arena, sizeof *s);
  s->arena = arena;
  s->terms = terms;
  s->budget = budget;
  s->bus.credit = FACTS_CREDIT_FIRST;
  arena_init_child(&s->scratch, arena);
  return s;
}

void store_enlarge_infos(shape_store *s, term_id t) {
  assert(t < s->terms->count);
  uint32_t old = s->info_capacity;
  size_t need = (size_t)t + 1;
  if (need < s->terms->count) need = s->terms->count;
  STORE_GROW(s, s->infos, old, need, s->info_capacity);
  memset(s->infos + old, 0xff, (s->info_capacity - old) * sizeof *s->infos);
}

// Symbols that the store did not make are any integers.
void store_enlarge_symbols(shape_store *s, uint32_t symbol) {
  assert(symbol < s->terms->symbol_count);
  STORE_GROW(s, s->symbols.items, s->symbols.count, (size_t)symbol + 1, s->symbols.capacity);
  while (s->symbols.count <= symbol) {
    symbol_record record = {.info = {interval_all(), NUM(1), SYMBOL_OPAQUE},
                            .term = TERM_NONE,
                            .meaning = TERM_NONE,
                            .divisor = NUM(1)};
    if (s->parent && s->symbols.count < s->parent->symbols.count) {
      record.info = s->parent->symbols.items[s->symbols.count].info;
      record.open = s->parent->symbols.items[s->symbols.count].open;
      s->symbols.any_open |= record.open;
    }
    s->symbols.items[s->symbols.count++] = record;
  }
}

static term_id make_symbol(shape_store *s, symbol_info info, bool open) {
  term_id term = term_symbol(s->terms);
  symbol_record *record = store_symbol_record(s, term_get(s->terms, term)->as.symbol);
  record->info = info;
  record->term = term;
  record->open = open;
  s->symbols.any_open |= open;
  return term;
}

bool store_is_open(shape_store *s, term_id atom) {
  const term_node *node = term_get(s->terms, atom);
  return node->kind == TERM_APPLY ||
         (node->kind == TERM_SYMBOL && store_symbol_record(s, node->as.symbol)->open);
}

static void find_open(shape_store *s, void *data, term_id atom) {
  *(bool *)data |= store_is_open(s, atom);
}

bool store_speaks_open(shape_store *s, term_id t) {
  bool open = false;
  if (!s->symbols.any_open && !(term_kinds(s->terms, t) & KIND_BIT(TERM_APPLY))) return false;
  canon_each_atom(s, t, find_open, &open);
  return open;
}

term_id store_fresh(shape_store *s, term_id meaning, num divisor) {
  symbol_info info = {interval_all(), NUM(1), SYMBOL_FRESH};
  assert(num_sign(divisor) > 0);
  bool open = store_speaks_open(s, meaning);
  term_id term = make_symbol(s, info, open);
  symbol_record *record = store_symbol_record(s, term_get(s->terms, term)->as.symbol);
  record->meaning = meaning;
  record->divisor = divisor;
  return term;
}

term_id store_symbol_term(shape_store *s, uint32_t symbol) {
  return store_symbol_record(s, symbol)->term;
}

const symbol_info *store_symbol_info(shape_store *s, uint32_t symbol) {
  return &store_symbol_record(s, symbol)->info;
}

uint32_t store_fact_count(const shape_store *s) { return s->facts.count; }
uint32_t store_live_count(const shape_store *s) { return s->facts.live_count; }
fact_id store_live(const shape_store *s, uint32_t index) { return s->facts.live[index]; }
const fact *store_fact(const shape_store *s, fact_id id) { return &s->facts.items[id]; }
uint64_t store_version(const shape_store *s) { return s->changes.version; }
// No part of the sum ever falls, but where a fact is taken back with what it changed.
uint64_t store_state(const shape_store *s) {
  return s->changes.version - s->changes.idle + s->facts.count;
}

// --- adding

bool store_settle(shape_store *s, store_mark mark) {
  assert(s->trail.in_add);
  store_run(s);
  s->trail.in_add = false;
  bool ok = !s->conflict.found;
  if (!ok) trail_undo(s, mark);
  if (!s->scopes.count) s->trail.count = s->trail.form_count = 0;
  return ok;
}

// x is a multiple of m by declaration: a divisibility fact that needs no reason.
static void declare_multiple(shape_store *s, term_id term, num m) {
  store_mark mark = trail_mark(s);
  s->trail.in_add = true;
  s->conflict.found = false;
  store_post_divides(s, m, term, PROOF_NONE);
  store_settle(s, mark);
}

void store_redeclare(shape_store *s, uint32_t symbol) {
  assert(symbol < s->symbols.count);
  symbol_info info = s->symbols.items[symbol].info;
  term_id term = s->symbols.items[symbol].term;
  num point;
  if (term == TERM_NONE) return;
  if (interval_is_point(info.range, &point)) {
    canon_define(s, term, term_const(s->terms, point), PROOF_NONE);
  } else if (!num_is_one(info.multiple_of)) {
    declare_multiple(s, term, info.multiple_of);
  }
}

shape_store *store_without_facts(const shape_store *old) {
  shape_store *s = store_new(old->arena, old->terms, old->budget);
  for (uint32_t i = 0; i < old->symbols.count; i++) {
    if (old->symbols.items[i].term == TERM_NONE || old->symbols.items[i].meaning != TERM_NONE)
      continue;
    symbol_record *record = store_symbol_record(s, i);
    record->info = old->symbols.items[i].info;
    record->term = old->symbols.items[i].term;
    record->open = old->symbols.items[i].open;
    s->symbols.any_open |= record->open;
    store_redeclare(s, i);
  }
  return s;
}

static bool same_info(symbol_info a, symbol_info b) {
  return a.rank == b.rank && interval_equal(a.range, b.range) &&
         num_equal(a.multiple_of, b.multiple_of);
}

// The symbol that the log says is to be given again, or TERM_NONE.
static term_id made_before(shape_store *s, symbol_info info) {
  store_log *log = s->log;
  if (!log || !log->reuse_count) return TERM_NONE;
  uint32_t symbol = *log->reuse++;
  log->reuse_count--;
  if (symbol == NONE) return TERM_NONE;
  assert(symbol < s->symbols.count);
  if (!same_info(s->symbols.items[symbol].info, info)) return TERM_NONE;
  log_note(s, NOTE_MADE, symbol, NONE);
  term_symbol_again(s->terms, symbol);
  return s->symbols.items[symbol].term;
}

void store_declare_again(shape_store *s, uint32_t symbol, symbol_info info) {
  assert(symbol < s->symbols.count);
  if (num_is_zero(info.multiple_of)) info.multiple_of = NUM(1);
  s->symbols.items[symbol].info = info;
  reach_add(&s->changes.bounded, ++s->changes.bounds, 0);
}

term_id store_symbol(shape_store *s, symbol_info info) {
  if (num_is_zero(info.multiple_of)) info.multiple_of = NUM(1);
  term_id known = made_before(s, info);
  if (known != TERM_NONE) return known;
  term_id term = make_symbol(s, info, info.rank >= SYMBOL_OPAQUE);
  if (info.range.has_hi || !num_is_one(info.multiple_of))
    store_redeclare(s, term_get(s->terms, term)->as.symbol);
  if (s->log) log_note(s, NOTE_MADE, term_get(s->terms, term)->as.symbol, NONE);
  return term;
}

// Posts the fact; false when it can have no effect on the store (a divisor that is not known to be constant).
static void post_fact(shape_store *s, predicate p, proof_id proof) {
  term_table *t = s->terms;
  num m;
  switch (p.rel) {
  case REL_EQ: store_post(s, EVENT_EQ, term_sub(t, p.left, p.right), proof); return;
  case REL_NE: store_post(s, EVENT_NE, term_sub(t, p.left, p.right), proof); return;
  case REL_LE: store_post(s, EVENT_GE, term_sub(t, p.right, p.left), proof); return;
  case REL_GE: store_post(s, EVENT_GE, term_sub(t, p.left, p.right), proof); return;
  case REL_LT: {
    term_id d = term_sub(t, p.right, p.left);
    store_post(s, EVENT_GE, term_sub(t, d, TERM_ONE), proof);
    return;
  }
  case REL_GT: {
    term_id d = term_sub(t, p.left, p.right);
    store_post(s, EVENT_GE, term_sub(t, d, TERM_ONE), proof);
    return;
  }
  case REL_DIVISIBLE: {
    term_id divisor = canon_with_proof(s, p.right, &proof);
    if (!term_const_value(t, divisor, &m)) {
      term_id q = term_floordiv(t, p.left, p.right);
      term_id d = term_sub(t, p.left, term_mul(t, p.right, q));
      store_post(s, EVENT_EQ, d, proof);
    } else if (num_is_zero(m)) {
      store_report_conflict(s, proof);  // no point has this divisor
    } else {
      store_post_divides(s, m, p.left, proof);
    }
    return;
  }
  }
}

static void keep_conflict(shape_store *s, fact_id rejected) {
  uint32_t room = 64, count;
  bool truncated = true;
  for (;;) {
    STORE_GROW(s, s->conflict.facts, 0, room, s->conflict.capacity);
    count = proof_facts(s, s->conflict.proof, s->conflict.facts, s->conflict.capacity, &truncated);
    if (!truncated) break;
    room = 2 * s->conflict.capacity;
  }
  s->conflict.count = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (s->conflict.facts[i] != rejected)
      s->conflict.facts[s->conflict.count++] = s->conflict.facts[i];
  }
}

static add_result add_new(shape_store *s, predicate p, reason why) {
  assert(!s->trail.in_add);
  store_mark mark = trail_mark(s);
  uint64_t version = s->changes.version;
  STORE_GROW(s, s->facts.items, s->facts.count, s->facts.count + 1u, s->facts.capacity);
  STORE_GROW(s, s->facts.live, s->facts.live_count, s->facts.live_count + 1u,
             s->facts.live_capacity);
  fact_id id = s->facts.count++;
  s->facts.items[id] = (fact){p, why, s->facts.scope};
  assert(!s->facts.live_count || s->facts.live[s->facts.live_count - 1] < id);
  s->facts.live[s->facts.live_count++] = id;
  s->trail.in_add = true;
  s->conflict.found = false;
  s->conflict.proof = PROOF_NONE;
  proof_id proof = proof_leaf(s, id);
  term_id left = store_canon(s, p.left), right = store_canon(s, p.right);
  if (p.rel == REL_EQ && term_kind_of(s->terms, left) == TERM_SYMBOL &&
      term_kind_of(s->terms, right) == TERM_SYMBOL && left != right) {
    proof = proof_join(s, proof, store_info(s, p.left)->proof);
    proof = proof_join(s, proof, store_info(s, p.right)->proof);
    equality_merge(s, left, right, proof);
  } else {
    post_fact(s, p, proof);
  }
  bool whole = store_run(s);
  s->trail.in_add = false;
  add_result result = ADD_NEW;
  if (s->conflict.found) {
    keep_conflict(s, id);
    result = ADD_CONFLICT;
  } else if (whole && s->changes.version == version) {
    result = ADD_KNOWN;
  }
  if (result != ADD_NEW) {
    trail_undo(s, mark);
    s->facts.count--;
    s->changes.version = version;
  }
  if (!s->scopes.count) s->trail.count = s->trail.form_count = 0;
  return result;
}

static bool is_known(shape_store *s, predicate p) {
  if (p.rel != REL_EQ) return store_holds(s, p) == SHAPE_YES;
  return p.left == p.right || store_canon(s, p.left) == store_canon(s, p.right);
}

// Where an add or a scope ended.
static void check_ended(const shape_store *s) {
#ifdef SHAPE_DEBUG
  assert(s->terms->count > FACTS_CHECKED_TERMS || !store_check(s));
#endif
  (void)s;
}

add_result store_add(shape_store *s, predicate p, reason why) {
  store_log *log = s->log;
  if (log) {
    log_note(s, NOTE_STATED, p.left, p.right);
    s->log = NULL;  // what the store asks itself is not counted
  }
  add_result result = is_known(s, p) ? ADD_KNOWN : add_new(s, p, why);
  if (log) s->log = log;
  check_ended(s);
  if (trace_wants(s->budget, TRACE_fact)) narrate_fact(s, p, why, result);
  return result;
}

uint32_t store_conflict(shape_store *s, fact_id *facts, uint32_t room, bool *truncated) {
  assert(s->conflict.count <= s->conflict.capacity);
  uint32_t count = s->conflict.count < room ? s->conflict.count : room;
  if (count) memcpy(facts, s->conflict.facts, count * sizeof *facts);
  if (truncated) *truncated = count < s->conflict.count;
  return count;
}

// --- scopes

void store_push(shape_store *s, uint32_t scope) {
  assert(!s->scopes.count || s->scopes.items[s->scopes.count - 1].mark.trail <= s->trail.count);
  assert(!s->trail.in_add);
  STORE_GROW(s, s->scopes.items, s->scopes.count, s->scopes.count + 1u, s->scopes.capacity);
  s->scopes.items[s->scopes.count++] = (store_scope){trail_mark(s), s->facts.scope, store_state(s)};
  s->facts.scope = scope;
}

void store_pop(shape_store *s) {
  if (!s->scopes.count) return;
  assert(!s->trail.in_add);
  store_scope scope = s->scopes.items[s->scopes.count - 1];
  bool idle = store_state(s) == scope.state;
  trail_undo(s, scope.mark);
  s->scopes.count--;
  s->facts.scope = scope.scope;
  s->changes.version++;
  s->changes.idle += idle;
  check_ended(s);
}
