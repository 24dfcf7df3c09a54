// SPDX-License-Identifier: Apache-2.0
#include "solver/report/suggest.h"

#include <assert.h>
#include <string.h>

#include "solver/base/trace_line.h"
#include "solver/decide/query.h"
#include "solver/report/work.h"

enum {
  CANDIDATES = 14,
  LEAVES = 8,
  NEEDS = 48,
  DIMS = 96,
  SYMBOLS = 24,
  SPAN = 3,            // symbols of one candidate
  DIM_WEIGHT = 40,     // of a result that is simplified
  FEW = 16,            // elements that a dim is taken to have
  EACH_STEPS = 20000,  // of one query
  SUGGESTED_STEPS = 600000,
  STORE_SCOPE = 1 << 30,  // no scope of infer
  IS_REFUTED = 1 << 30    // beside a set of candidates
};

typedef struct suggesting {
  shape_report *r;
  predicate candidates[CANDIDATES];
  uint32_t candidate_count;
  uint8_t taken[CANDIDATES];
  predicate needs[NEEDS];  // guards that are broadcasts, minima or indicators
  // IS_REFUTED and the candidates of a point where the need is false, or 0: of the first such set, and the last.
  uint32_t refuted[NEEDS][2];
  uint32_t need_count;
  term_id dims[DIMS];  // that are broadcasts, or that no argument determines
  uint32_t dim_count;
  term_id leaves[LEAVES];
  uint32_t leaf_count;
  uint32_t resolved;  // of the dims, by what is taken
  uint64_t spent;
  uint8_t held[CANDIDATES];  // by the store, each in a scope of its own
  uint32_t held_count;
} suggesting;

// --- what the guards are about

enum {
  CHOICES = KIND_BIT(TERM_BCAST) | KIND_BIT(TERM_MIN),
  OPEN_KINDS = CHOICES | KIND_BIT(TERM_IS_NEG) | KIND_BIT(TERM_IS_ZERO)
};

static bool has_any(const shape_report *r, term_id t, uint32_t kinds) {
  return t != TERM_NONE && term_kinds(r->infer->terms, t) & kinds;
}

typedef struct symbol_list {
  term_id items[SYMBOLS];
  uint32_t count;
  bool full;
} symbol_list;

static void note_symbol(void *data, term_id symbol) {
  symbol_list *l = data;
  for (uint32_t i = 0; i < l->count; i++) {
    if (l->items[i] == symbol) return;
  }
  l->full |= l->count == SYMBOLS;
  if (l->count < SYMBOLS) l->items[l->count++] = symbol;
}

static void note_symbols(shape_report *r, predicate p, symbol_list *l) {
  term_visit_symbols(r->infer->terms, p.left, p.right, note_symbol, l);
}

static symbol_list symbols_of(shape_report *r, predicate p) {
  symbol_list l = {.count = 0};
  note_symbols(r, p, &l);
  return l;
}

// Whether a caller can write the symbol in an assumption.
static bool is_spelled(shape_report *r, term_id symbol) {
  uint32_t number = term_get(r->infer->terms, symbol)->as.symbol;
  const symbol_origin *at = names_origin(r, symbol);
  if (names_is_declared(r, number)) return true;
  return at && at->function == r->infer->entry && !(at->value && at->axis != ID_NONE);
}

static void add_candidate(suggesting *x, relation rel, term_id left, term_id right) {
  shape_report *r = x->r;
  assert(rel == REL_EQ || rel == REL_LE || rel == REL_GE);
  predicate p = predicate_make(rel, left, right);
  symbol_list l = symbols_of(r, p);
  if (!l.count || l.count > SPAN || x->candidate_count == CANDIDATES) return;
  if (store_holds(r->infer->store, p) == SHAPE_NO) return;
  for (uint32_t i = 0; i < l.count; i++) {
    if (!is_spelled(r, l.items[i])) return;
  }
  for (uint32_t i = 0; i < x->candidate_count; i++) {
    predicate q = x->candidates[i];
    if (q.rel == rel && q.left == left && q.right == right) return;
  }
  x->candidates[x->candidate_count++] = p;
}

static bool is_positive_form(shape_report *r, term_id t) {
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(r->infer->terms, t, &parts, &room);
  for (uint32_t i = 0; i < count; i++) {
    if (num_sign(parts[i].coefficient) < 0) return false;
  }
  return count > 0;
}

static void add_plain_leaf(suggesting *x, term_id leaf) {
  bool known = has_any(x->r, leaf, CHOICES) || x->leaf_count == LEAVES ||
               term_kind_of(x->r->infer->terms, leaf) == TERM_CONST;
  for (uint32_t k = 0; k < x->leaf_count; k++) known |= x->leaves[k] == leaf;
  if (!known) x->leaves[x->leaf_count++] = leaf;
}

// Of a clamp, max(A, P) - P, what it may be: A - P.
static void add_leaf(suggesting *x, term_id leaf) {
  term_table *t = x->r->infer->terms;
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(t, leaf, &parts, &room);
  for (uint32_t i = 0; i < count; i++) {
    if (term_kind_of(t, parts[i].monomial) != TERM_MIN) continue;
    bool is_max;
    term_id pieces[LEAVES];
    if (term_get(t, parts[i].monomial)->count > LEAVES) return;
    uint32_t n = term_expand_min(t, leaf, i, pieces, &is_max);
    for (uint32_t k = 0; k < n; k++) add_plain_leaf(x, pieces[k]);
    return;
  }
  add_plain_leaf(x, leaf);
}

// What is broadcast together: the arguments of a broadcast that are none themselves.
static void note_leaves(void *data, term_id atom) {
  suggesting *x = data;
  shape_report *r = x->r;
  term_table *t = r->infer->terms;
  num limit;
  if (!(KIND_BIT(term_kind_of(t, atom)) & CHOICES)) return;
  uint32_t count = term_get(t, atom)->count;
  if (term_kind_of(t, atom) == TERM_MIN) {
    for (uint32_t i = 0; i < count; i++) {
      if (!term_const_value(t, term_get(t, atom)->as.args[i], &limit)) continue;
      for (uint32_t k = 0; k < count; k++) {
        term_id arg = term_get(t, atom)->as.args[k];
        if (k == i || num_compare(limit, NUM(1)) <= 0 || has_any(r, arg, CHOICES) ||
            !is_positive_form(r, arg))
          continue;
        add_candidate(x, REL_LE, arg, term_const(t, limit));
      }
    }
    return;
  }
  for (uint32_t i = 0; i < count; i++) add_leaf(x, term_get(t, atom)->as.args[i]);
}

// a == b with one symbol in front and no differences: A - P == T is A == T + P. Nothing is said that makes one dim a number:
// T == T + P.
static void equate(suggesting *x, term_id a, term_id b) {
  term_table *t = x->r->infer->terms;
  term_id gap = term_sub(t, a, b);
  symbol_list l = symbols_of(x->r, predicate_make(REL_EQ, gap, TERM_ZERO));
  if (l.count < 2) return;
  for (uint32_t sign = 0; sign < 2; sign++) {
    for (uint32_t i = 0; i < l.count; i++) {
      // gap == symbol - rest, or rest - symbol
      term_id rest = sign ? term_add(t, gap, l.items[i]) : term_sub(t, l.items[i], gap);
      symbol_list left = symbols_of(x->r, predicate_make(REL_EQ, rest, TERM_ZERO));
      bool again = false;
      for (uint32_t k = 0; k < left.count; k++) again |= left.items[k] == l.items[i];
      if (again || !is_positive_form(x->r, rest)) continue;
      add_candidate(x, REL_EQ, l.items[i], rest);
      return;
    }
  }
  add_candidate(x, REL_EQ, a, b);
}

// Leaves are equal to those that are symbols.
static void equate_leaves(suggesting *x) {
  assert(x->leaf_count <= LEAVES);
  const term_table *t = x->r->infer->terms;
  for (uint32_t i = 0; i < x->leaf_count; i++) {
    if (term_kind_of(t, x->leaves[i]) != TERM_SYMBOL) continue;
    for (uint32_t k = 0; k < x->leaf_count; k++) {
      bool both = term_kind_of(t, x->leaves[k]) == TERM_SYMBOL;
      if (k == i || (both && k < i)) continue;
      equate(x, x->leaves[i], x->leaves[k]);
    }
  }
}

static void read_guards(suggesting *x) {
  shape_report *r = x->r;
  for (uint32_t i = 0; i < r->guards.count && x->need_count < NEEDS; i++) {
    predicate p = r->guards.items[i].p;
    if (!has_any(r, p.left, OPEN_KINDS) && !has_any(r, p.right, OPEN_KINDS)) continue;
    x->needs[x->need_count++] = p;
    x->leaf_count = 0;
    term_visit_atoms(r->infer->terms, p.left, note_leaves, x);
    term_visit_atoms(r->infer->terms, p.right, note_leaves, x);
    equate_leaves(x);
  }
}

static bool is_resolved(shape_report *r, term_id t) {
  assert(t != TERM_NONE);
  return !has_any(r, t, KIND_BIT(TERM_BCAST)) && names_determined(r, t, r->infer->entry);
}

static void read_dims(suggesting *x) {
  shape_report *r = x->r;
  for (uint32_t i = 0; i < r->shape_count; i++) {
    const report_shape *s = &r->shapes[i];
    if (!s->ranked || s->resolved) continue;
    for (uint32_t k = 0; k < s->rank && x->dim_count < DIMS; k++) {
      bool known = s->dims[k] == TERM_NONE || is_resolved(r, s->dims[k]);
      for (uint32_t d = 0; d < x->dim_count && !known; d++) known = x->dims[d] == s->dims[k];
      if (!known) x->dims[x->dim_count++] = s->dims[k];
    }
  }
}

// A candidate that is needed for its own sake: what it decides comes before dims that are open.
static void need_bound(suggesting *x, relation rel, term_id left, term_id right) {
  predicate p = predicate_make(rel, left, right);
  if (has_any(x->r, left, CHOICES)) return;
  restate_quotient(x->r->infer->terms, &p);
  uint32_t before = x->candidate_count;
  assert(before <= CANDIDATES && x->need_count <= NEEDS);
  add_candidate(x, p.rel, p.left, p.right);
  if (x->candidate_count > before && x->need_count < NEEDS) x->needs[x->need_count++] = p;
}

// What decides an indicator, T - 513 < 0: that T is at most 512. A table is made for what is looked up in it.
static void note_indicator(suggesting *x, term_id e) {
  term_table *t = x->r->infer->terms;
  num k = term_constant_part(t, e);
  term_id v = term_sub(t, e, term_const(t, k));
  if (is_positive_form(x->r, v)) {  // v + k < 0
    num last = num_sub(t->budget, num_neg(t->budget, k), NUM(1));
    need_bound(x, REL_LE, v, term_const(t, last));
  } else if (is_positive_form(x->r, term_neg(t, v))) {  // -v + k < 0
    term_id bound = term_const(t, k);
    need_bound(x, REL_LE, term_neg(t, v), bound);
  }
}

// Windows, blocks: that there is one.
static void note_quotient(suggesting *x, term_id atom) {
  interval range = store_range(x->r->infer->store, atom);
  predicate p = predicate_make(REL_GE, atom, TERM_ONE);
  if (!range.has_lo || !num_is_zero(range.lo) || has_any(x->r, atom, CHOICES)) return;
  if (restate_quotient(x->r->infer->terms, &p)) add_candidate(x, p.rel, p.left, p.right);
}

// And a minimum with a few elements, min(2*T, 3): that they are there.
static void note_condition(void *data, term_id atom) {
  suggesting *x = data;
  term_table *t = x->r->infer->terms;
  const term_node node = *term_get(t, atom);
  num least;
  if (node.kind == TERM_IS_NEG) note_indicator(x, node.as.args[0]);
  if (node.kind == TERM_FLOORDIV) note_quotient(x, atom);
  if (node.kind != TERM_MIN || node.count != 2) return;
  for (uint32_t i = 0; i < 2; i++) {
    if (!term_const_value(t, node.as.args[i], &least) || num_sign(least) <= 0 ||
        num_compare(least, NUM(FEW)) > 0 || !is_positive_form(x->r, node.as.args[1 - i]))
      continue;
    need_bound(x, REL_GE, node.as.args[1 - i], node.as.args[i]);
    return;
  }
}

// Dims that an operation leaves open, as a Reshape to what it computes, where those of its operands are conditional.
static void read_conditions(suggesting *x) {
  const shape_report *r = x->r;
  const shape_graph *g = r->graph;
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    op_id op = r->symbols[i].op;
    if (op == ID_NONE) continue;
    for (uint32_t k = 0; k < g->ops[op].operand_count; k++) {
      value_id operand = graph_operand(g, op, k);
      if (operand == VALUE_NONE || r->value_shapes[operand] == ID_NONE) continue;
      const report_shape *s = &r->shapes[r->value_shapes[operand]];
      for (uint32_t d = 0; s->ranked && d < s->rank; d++) {
        if (s->dims[d] != TERM_NONE && names_determined(x->r, s->dims[d], r->infer->entry))
          term_visit_atoms(r->infer->terms, s->dims[d], note_condition, x);
      }
    }
  }
}

// Dims of the entry's arguments may be 0 unless something says otherwise; few programs are run so.
static void add_positive(suggesting *x) {
  shape_report *r = x->r;
  uint32_t count = r->symbol_count;
  for (uint32_t i = 0; i < count; i++) {
    const report_symbol *s = &r->symbols[i];
    term_id term = s->term;
    const symbol_origin *at = names_origin(r, term);
    if (!at || at->value || at->function != r->infer->entry) continue;
    interval range = store_range(r->infer->store, term);
    if (range.has_lo && num_is_zero(range.lo)) add_candidate(x, REL_GE, term, TERM_ONE);
  }
}

// --- what follows from a set of candidates

typedef struct asking {
  shape_report *r;
  const predicate *premises;
  uint32_t premise_count;
  predicate goal;
  query_result result;
  uint64_t steps;
} asking;

static void run_query(void *data) {
  asking *a = data;
  shape_report *r = a->r;
  shape_arena *scratch = &r->work->scratch;
  shape_budget allowance;
  term_table terms;
  budget_init(&allowance, scratch, EACH_STEPS, r->work->budget->stop);
  trace_share(&allowance, r->work->budget);
  term_table_init(&terms, scratch, &allowance);
  extraction small = {.from = r->infer->terms, .to = &terms};
  predicate premises[CANDIDATES + NEEDS];
  query_symbol symbols[SYMBOLS];
  symbol_list all = symbols_of(r, a->goal);
  for (uint32_t i = 0; i < a->premise_count && !all.full; i++)
    note_symbols(r, a->premises[i], &all);
  if (all.full) return;
  for (uint32_t i = 0; i < all.count; i++) {
    const symbol_info *info =
        store_symbol_info(r->infer->store, term_get(r->infer->terms, all.items[i])->as.symbol);
    term_id symbol = extract_term(&small, all.items[i]);
    symbols[i] = info ? (query_symbol){symbol, info->range, info->multiple_of}
                      : (query_symbol){symbol, interval_all(), NUM(1)};
  }
  for (uint32_t i = 0; i < a->premise_count; i++)
    premises[i] = extract_predicate(&small, a->premises[i]);
  query q = {.arena = scratch,
             .terms = &terms,
             .budget = &allowance,
             .symbols = symbols,
             .symbol_count = all.count,
             .premises = premises,
             .premise_count = a->premise_count,
             .only_yes = true};
  predicate goal = extract_predicate(&small, a->goal);
  a->result = query_ask(&q, goal);
  a->steps = allowance.steps_used;
}

// Under the declared ranges and the premises alone: guards are checked before anything else is known. A limit of its own
// that the query reaches leaves it open.
static query_result ask(suggesting *x, const predicate *premises, uint32_t count, predicate goal) {
  shape_report *r = x->r;
  asking a = {.r = r, .premises = premises, .premise_count = count, .goal = goal};
  if (x->spent >= SUGGESTED_STEPS) {
    r->stats.unsuggested++;
    return a.result;
  }
  a.steps = EACH_STEPS;
  arena_mark mark = arena_get_mark(&r->work->scratch);
  shape_status status = arena_protect(r->work->arena, run_query, &a);
  if (status != SHAPE_OK && status != SHAPE_BITS) arena_fail(r->work->arena, status);
  if (status != SHAPE_OK) a.result = (query_result){.answer = SHAPE_UNKNOWN};
  arena_rewind(&r->work->scratch, mark);
  a.result.witness_true = NULL;
  x->spent += a.steps;
  budget_count(r->work->budget, a.steps);
  return a.result;
}

static uint32_t list_taken(const suggesting *x, predicate *out) {
  assert(x->candidate_count <= CANDIDATES);
  uint32_t count = 0;
  for (uint32_t i = 0; i < x->candidate_count; i++) {
    if (x->taken[i]) out[count++] = x->candidates[i];
  }
  return count;
}

// The guards speak of more symbols than a query has, so that is_possible cannot say yes of any set.
static bool is_too_large(shape_report *r) {
  symbol_list all = {.count = 0};
  for (uint32_t i = 0; i < r->guards.count && i < NEEDS && !all.full; i++)
    note_symbols(r, r->guards.items[i].p, &all);
  return all.full;
}

// Whether some arguments fulfil the candidates and all other guards.
static bool is_possible(suggesting *x) {
  const shape_report *r = x->r;
  predicate premises[CANDIDATES + NEEDS];
  uint32_t count = list_taken(x, premises);
  for (uint32_t i = 0; i < r->guards.count && count < CANDIDATES + NEEDS; i++)
    premises[count++] = r->guards.items[i].p;
  query_result found = ask(x, premises, count, predicate_make(REL_NE, TERM_ZERO, TERM_ZERO));
  return !found.conflict && found.witness_false;
}

typedef struct worth {
  uint32_t proven, resolved;
} worth;

// What is taken, and IS_REFUTED.
static uint32_t refuted_set(const suggesting *x) {
  uint32_t set = IS_REFUTED;
  for (uint32_t i = 0; i < x->candidate_count; i++) set |= (uint32_t)x->taken[i] << i;
  return set;
}

// A point where more holds than what is taken speaks against the need, too.
static bool is_refuted(const suggesting *x, uint32_t need) {
  uint32_t set = refuted_set(x);
  return !(set & ~x->refuted[need][0]) || !(set & ~x->refuted[need][1]);
}

// Whether what is taken, the premises, proves the need.
static bool proves_need(suggesting *x, const predicate *premises, uint32_t count, uint32_t need) {
  assert(need < x->need_count);
  if (is_refuted(x, need)) return false;
  query_result found = ask(x, premises, count, x->needs[need]);
  if (found.witness_false) x->refuted[need][x->refuted[need][0] != 0] = refuted_set(x);
  return found.answer == SHAPE_YES && !found.conflict;
}

// The number of needs that what is taken proves; any number below `least` where it is below that.
static uint32_t count_proven(suggesting *x, uint32_t least) {
  predicate premises[CANDIDATES];
  uint32_t proven = 0, open = 0, count = list_taken(x, premises);
  for (uint32_t i = 0; i < x->need_count; i++) open += !is_refuted(x, i);
  for (uint32_t i = 0; i < x->need_count && proven + open >= least; i++) {
    if (is_refuted(x, i)) continue;
    open--;
    proven += proves_need(x, premises, count, i);
  }
  assert(proven <= x->need_count);
  return proven;
}

// Under what the store holds.
static uint32_t count_resolved(const suggesting *x) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < x->dim_count; i++)
    count += is_resolved(x->r, answer_term(x->r, x->dims[i]));
  return count;
}

static void release(suggesting *x, uint32_t count) {
  assert(count <= x->held_count && x->held_count <= CANDIDATES);
  for (; x->held_count > count; x->held_count--) store_pop(x->r->infer->store);
}

// What contradicts the rest is not held.
static add_result hold(suggesting *x, uint32_t at) {
  shape_store *store = x->r->infer->store;
  assert(at < x->candidate_count);
  store_push(store, STORE_SCOPE);
  add_result result =
      store_add(store, x->candidates[at], (reason){.kind = REASON_ASSUMPTION, .what = "suggested"});
  if (result == ADD_CONFLICT) {
    store_pop(store);
  } else {
    x->held[x->held_count++] = (uint8_t)at;
  }
  return result;
}

// All that is taken, in order, after what is held of it, which are the first of them. False: they contradict each other.
static bool hold_taken(suggesting *x) {
  for (uint32_t i = 0; i < x->held_count; i++)
    assert(x->taken[x->held[i]] && (!i || x->held[i - 1] < x->held[i]));
  for (uint32_t i = x->held_count ? x->held[x->held_count - 1] + 1u : 0; i < x->candidate_count;
       i++) {
    if (x->taken[i] && hold(x, i) == ADD_CONFLICT) return false;
  }
  return true;
}

// Candidate `at` and those after it are not held any more; those that are held are in order.
static void release_from(suggesting *x, uint32_t at) {
  uint32_t before = x->held_count;
  while (before && x->held[before - 1] >= at) before--;
  release(x, before);
}

// By all that is taken. The store goes on holding those before candidate `at`, which the next set begins with.
static uint32_t resolved_by_taken(suggesting *x, uint32_t at) {
  release_from(x, at);
  uint32_t count = hold_taken(x) ? count_resolved(x) : 0;
  release_from(x, at);
  return count;
}

// Whether a dim of the entry has become a number: no cache is always empty.
static bool fixes_a_dim(const shape_report *r, const uint8_t *fixed) {
  num v;
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    if (!fixed[i] && interval_is_point(store_range(r->infer->store, r->symbols[i].term), &v))
      return true;
  }
  return false;
}

static uint8_t *fixed_dims(const shape_report *r) {
  uint8_t *fixed = arena_alloc(r->work->arena, r->symbol_count + 1u);
  num v;
  for (uint32_t i = 0; i < r->symbol_count; i++) {
    const symbol_origin *at = names_origin(r, r->symbols[i].term);
    fixed[i] = !at || interval_is_point(store_range(r->infer->store, r->symbols[i].term), &v);
  }
  return fixed;
}

// Takes what fits together, from the first candidate on or from the last; the store holds it then.
static void take_fitting(suggesting *x, const uint8_t *fixed, bool backwards) {
  uint32_t n = x->candidate_count;
  assert(n && n <= CANDIDATES);
  release(x, 0);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t at = backwards ? n - 1 - i : i, before = x->held_count;
    x->taken[at] = hold(x, at) == ADD_NEW && !fixes_a_dim(x->r, fixed);
    if (!x->taken[at]) release(x, before);
  }
}

static bool is_better(worth a, worth b) {
  return a.proven != b.proven ? a.proven > b.proven : a.resolved > b.resolved;
}

// All that fit together. Of equalities that exclude each other, the first may prove less than the last.
static worth take(suggesting *x) {
  const uint8_t *fixed = fixed_dims(x->r);
  uint8_t first[CANDIDATES];
  take_fitting(x, fixed, false);
  worth all = {.proven = count_proven(x, 0)};
  all.resolved = count_resolved(x);
  bool is_all = x->held_count == x->candidate_count;  // nothing follows of some but not of all
  if (is_all || (all.proven == x->need_count && all.resolved == x->dim_count)) return all;
  memcpy(first, x->taken, sizeof first);
  take_fitting(x, fixed, true);
  worth other = all;
  if (memcmp(first, x->taken, x->candidate_count) != 0) {
    other.proven = count_proven(x, 0);
    other.resolved = other.proven < all.proven ? 0 : count_resolved(x);
  }
  release(x, 0);
  if (is_better(other, all)) {
    all.proven = other.proven;
    all.resolved = resolved_by_taken(x, x->candidate_count);
  } else {
    memcpy(x->taken, first, sizeof first);
  }
  return all;
}

// Leaves a candidate out that is not needed for what all prove and resolve.
static void remove_unneeded(suggesting *x, uint32_t at, worth all) {
  assert(x->taken[at]);
  x->taken[at] = 0;
  release_from(x, at);
  x->taken[at] = count_proven(x, all.proven) < all.proven ||
                 (all.resolved && resolved_by_taken(x, at) < all.resolved);
}

// All that fit together, then without those that nothing needs: bounds of single dims go first, equalities last.
static bool choose(suggesting *x) {
  worth all = take(x);
  if (!all.proven && !all.resolved) return false;
  for (uint32_t i = x->candidate_count; i-- > 0;) {
    if (x->taken[i]) remove_unneeded(x, i, all);
  }
  x->resolved = all.resolved;
  bool any = false;  // what holds anyway needs none
  for (uint32_t i = 0; i < x->candidate_count; i++) any |= x->taken[i];
  return any && x->spent < SUGGESTED_STEPS && is_possible(x);
}

// --- what is said of it

static void print_symbol(void *data, shape_strbuf *out, uint32_t number) {
  shape_report *r = data;
  const report_symbol *s = report_symbol_numbered(r, number);
  if (names_is_declared(r, number) && s) {
    term_print_name(out, s->name.text, s->name.length);
    return;
  }
  const symbol_origin *at = names_origin(r, r->work->symbol_terms[number]);
  assert(at);
  strbuf_printf(out, "arg%u", at->argument);
  if (at->axis != ID_NONE) strbuf_printf(out, ".%u", at->axis);
}

static const char *text_of(shape_report *r, predicate p) {
  assert(p.left != TERM_NONE && p.right != TERM_NONE);
  const term_namer namer = {.symbol = print_symbol, .data = r};
  shape_strbuf out;
  strbuf_init(&out, r->work->arena);
  term_print(r->infer->terms, &out, p.left, &namer);
  strbuf_puts(&out, p.rel == REL_EQ ? " == " : p.rel == REL_LE ? " <= " : " >= ");
  term_print(r->infer->terms, &out, p.right, &namer);
  return strbuf_text(&out);
}

// A dim under the assumptions; TERM_NONE where its text would need a symbol that the answer does not list.
static term_id dim_under(suggesting *x, term_id dim) {
  shape_report *r = x->r;
  if (dim == TERM_NONE) return dim;
  term_id canon = store_canon(r->infer->store, dim), under = canon;
  if (has_any(r, canon, CHOICES) && x->spent < SUGGESTED_STEPS &&
      !term_outweighs(r->infer->terms, canon, DIM_WEIGHT)) {
    uint64_t before = r->work->budget->steps_used;
    under = store_simplify(r->infer->store, canon);
    x->spent += r->work->budget->steps_used - before;
  }
  under = answer_term(r, under);
  symbol_list l = symbols_of(r, predicate_make(REL_EQ, under, TERM_ZERO));
  for (uint32_t i = 0; i < l.count; i++) {
    if (!report_symbol_of(r, l.items[i])) return TERM_NONE;
  }
  return l.full ? TERM_NONE : under;
}

static void describe_results(suggesting *x, report_suggestion *out) {
  shape_report *r = x->r;
  shape_arena *arena = r->work->arena;
  const report_function *f = &r->functions[0];
  assert(f->id == r->infer->entry);
  const term_id **results = arena_zalloc(arena, (f->result_count + 1) * sizeof *results);
  for (uint32_t i = 0; i < f->result_count; i++) {
    if (f->result_shapes[i] == ID_NONE) continue;
    const report_shape *s = &r->shapes[f->result_shapes[i]];
    if (!s->ranked) continue;
    term_id *dims = arena_alloc(arena, (s->rank + 1) * sizeof *dims);
    for (uint32_t k = 0; k < s->rank; k++) dims[k] = dim_under(x, s->dims[k]);
    results[i] = dims;
  }
  out->results = results;
}

static bool proves_guard(suggesting *x, const predicate *premises, uint32_t count, predicate p) {
  for (uint32_t i = 0; i < x->need_count; i++) {
    predicate need = x->needs[i];
    if (need.rel == p.rel && need.left == p.left && need.right == p.right)
      return proves_need(x, premises, count, i);
  }
  query_result found = ask(x, premises, count, p);
  return found.answer == SHAPE_YES && !found.conflict;
}

static const report_suggestion *describe(suggesting *x) {
  shape_report *r = x->r;
  predicate premises[CANDIDATES];
  uint32_t count = list_taken(x, premises);
  report_suggestion *out = arena_zalloc(r->work->arena, sizeof *out);
  const char **texts = arena_alloc(r->work->arena, (count + 1) * sizeof *texts);
  for (uint32_t i = 0; i < count; i++) texts[i] = text_of(r, premises[i]);
  out->assume = texts;
  out->assume_count = count;
  for (uint32_t i = 0; i < r->guards.count; i++)
    out->proves += proves_guard(x, premises, count, r->guards.items[i].p);
  out->resolves = x->resolved;
  assert(out->proves <= r->guards.count);
  out->guards_left = r->guards.count - out->proves;
  hold_taken(x);
  describe_results(x, out);
  return out;
}

const report_suggestion *report_suggest(shape_report *r) {
  if (!r->ok || !r->infer || !r->function_count || r->functions[0].id != r->infer->entry)
    return NULL;
  if (r->work->answer.suggested) return r->work->answer.suggestion;
  suggesting x;  // most programs use none of its tables
  x.r = r;
  x.candidate_count = x.need_count = x.dim_count = x.leaf_count = 0;
  x.spent = x.resolved = x.held_count = 0;
  memset(x.taken, 0, sizeof x.taken);
  memset(x.refuted, 0, sizeof x.refuted);
  r->work->answer.suggested = true;
  if (is_too_large(r)) return NULL;
  read_guards(&x);
  read_dims(&x);
  if (!x.need_count && !x.dim_count) return NULL;
  if (x.dim_count) read_conditions(&x);
  add_positive(&x);
  if (x.candidate_count && choose(&x)) r->work->answer.suggestion = describe(&x);
  release(&x, 0);
  return r->work->answer.suggestion;
}

void report_suggestion_print(const shape_report *report, const report_suggestion *suggestion,
                             shape_strbuf *out) {
  const report_suggestion *s = suggestion;
  for (uint32_t i = 0; i < s->assume_count; i++) {
    if (i) strbuf_puts(out, i + 1 == s->assume_count ? " and " : ", ");
    report_message(report, out, s->assume[i]);
  }
}

bool report_suggested(shape_report *report, shape_strbuf *out, uint32_t *guards_left) {
  const report_suggestion *s = report_suggest(report);
  if (!s) return false;
  report_suggestion_print(report, s, out);
  *guards_left = s->guards_left;
  return true;
}
