// SPDX-License-Identifier: Apache-2.0
// The simplest predicate that says the same (see store_restate in store_query.h).
//
// A predicate over minima and broadcasts is mostly a bound or an equality in disguise: that T broadcasts with min(T, 512)
// says T <= 512. So what the predicate implies about its symbols and about the arguments of its atoms is asked of the
// decision procedure, and the first of these that implies the predicate in turn is returned. Only declared ranges count:
// what is equivalent under them can replace the predicate in guards, whatever else is known.
#include <assert.h>
#include <string.h>

#include "solver/base/intern.h"
#include "solver/decide/component.h"
#include "solver/decide/probe.h"
#include "solver/term/extract.h"
#include "solver/term/limits.h"

typedef struct restating {
  shape_store *s;
  predicate p;
  term_id parts[RESTATE_PARTS];  // symbols first, then arguments of atoms
  uint32_t part_count, symbol_count, minima, atoms;
  term_id choices[RESTATE_CHOICES];  // its minima and broadcasts
  predicate settled[RESTATE_CHOICES];
  uint32_t choice_count, settled_count;
  bool found, always;
  predicate out, small_out;  // in the store's table and in the query's
  shape_budget allowance;
} restating;

static bool has_part(const restating *x, term_id t) {
  for (uint32_t i = 0; i < x->part_count; i++) {
    if (x->parts[i] == t) return true;
  }
  return false;
}

static void add_part(restating *x, term_id t) {
  if (x->part_count == RESTATE_PARTS || has_part(x, t)) return;
  if (term_kind_of(x->s->terms, t) != TERM_CONST) x->parts[x->part_count++] = t;
}

static void note_symbol(void *data, term_id atom) {
  restating *x = data;
  x->atoms++;
  x->minima += term_kind_of(x->s->terms, atom) == TERM_MIN;
  if (term_kind_of(x->s->terms, atom) == TERM_SYMBOL && !has_part(x, atom)) {
    x->symbol_count++;
    add_part(x, atom);
  }
}

static void note_arguments(void *data, term_id atom) {
  restating *x = data;
  const term_node *node = term_get(x->s->terms, atom);
  if (node->kind != TERM_MIN && node->kind != TERM_BCAST) return;
  if (x->choice_count < RESTATE_CHOICES) x->choices[x->choice_count++] = atom;
  for (uint32_t i = 0; i < node->count; i++) add_part(x, term_get(x->s->terms, atom)->as.args[i]);
}

// Cheap: whether there is a minimum in a predicate over few symbols.
static bool may_be_restated(restating *x) {
  term_visit_atoms(x->s->terms, x->p.left, note_symbol, x);
  term_visit_atoms(x->s->terms, x->p.right, note_symbol, x);
  if (!x->minima || x->atoms > RESTATE_ATOMS || x->symbol_count > RESTATE_SYMBOLS) return false;
  term_visit_atoms(x->s->terms, x->p.left, note_arguments, x);
  term_visit_atoms(x->s->terms, x->p.right, note_arguments, x);
  return true;
}

// What the parts are at a point, and whether the predicate holds there.
typedef struct point {
  int64_t values[RESTATE_PARTS];
  bool known[RESTATE_PARTS];
  bool holds;
} point;

// A candidate in both tables: it is accepted where it implies the predicate and is implied by it.
typedef struct trial {
  restating *x;
  query q;
  predicate goal, premise;
  const term_id *small;  // x->parts in the query's table
  probe *probe;
  point points[RESTATE_POINTS];
  uint32_t point_count;
} trial;

static query_symbol declared(void *data, term_id symbol) {
  const trial *t = data;
  uint32_t i = 0;
  while (i < t->q.symbol_count && t->small[i] != symbol) i++;
  assert(i < t->q.symbol_count);
  return t->q.symbols[i];
}

// Points that are alike in size and others that are not; far more than searches would find.
static void scatter_points(trial *t) {
  uint32_t parts[RESTATE_PARTS];
  probe *p = t->probe = probe_new(t->q.arena, t->q.terms, t->q.budget, declared, t);
  uint32_t goal = probe_claim(p, t->goal);
  if (goal == PROBE_NONE) return;
  for (uint32_t i = 0; i < t->x->part_count; i++) parts[i] = probe_term(p, t->small[i]);
  for (uint32_t attempt = 0; attempt < RESTATE_POINTS; attempt++) {
    assert(t->point_count <= attempt);
    point *at = &t->points[t->point_count];
    probe_scatter(p, goal, attempt);
    if (!budget_spend(t->q.budget, 1) || !probe_holds(p, goal, &at->holds)) continue;
    for (uint32_t i = 0; i < t->x->part_count; i++)
      at->known[i] = probe_value(p, parts[i], &at->values[i]);
    t->point_count++;
  }
}

static bool has_point(const trial *t, bool holds) {
  for (uint32_t i = 0; i < t->point_count; i++) {
    if (t->points[i].holds == holds) return true;
  }
  return false;
}

// Whether a predicate about two parts is true where the one to be restated is, as far as points say.
static bool agrees(const trial *t, relation rel, uint32_t a, uint32_t b) {
  assert(rel == REL_EQ || rel == REL_LE);
  for (uint32_t i = 0; i < t->point_count; i++) {
    const point *p = &t->points[i];
    if (!p->known[a] || !p->known[b]) continue;
    if ((rel == REL_EQ ? p->values[a] == p->values[b] : p->values[a] <= p->values[b]) != p->holds)
      return false;
  }
  return true;
}

// Whether a point was found where a holds and b does not.
static bool disproved(const trial *t, predicate a, predicate b) {
  uint32_t held = probe_claim(t->probe, a);
  return probe_refutes(t->probe, probe_claim(t->probe, b), &held, 1);
}

// Whether the predicate may follow from such a bound, which is the weakest that its points allow.
static bool may_suffice(const trial *t, relation rel, uint32_t part, int64_t value) {
  predicate bound = predicate_make(rel, t->small[part], term_int(t->q.terms, value));
  return !disproved(t, bound, t->goal);
}

// Whether a bound of the part, or a value, may be true where the predicate is and nowhere else, as far as points say.
static bool may_be_bound(const trial *t, uint32_t part) {
  int64_t low[2] = {INT64_MAX, INT64_MAX}, high[2] = {INT64_MIN, INT64_MIN};  // by whether it holds
  bool shared = false;
  for (uint32_t i = 0; i < t->point_count; i++) {
    const point *p = &t->points[i];
    if (!p->known[part]) continue;
    if (p->values[part] < low[p->holds]) low[p->holds] = p->values[part];
    if (p->values[part] > high[p->holds]) high[p->holds] = p->values[part];
  }
  for (uint32_t i = 0; i < t->point_count; i++)
    shared |=
        t->points[i].known[part] && !t->points[i].holds && t->points[i].values[part] == low[1];
  if (low[1] > high[1]) return high[0] < low[1] || high[1] < low[0];  // it holds at no point
  return (high[0] < low[1] && may_suffice(t, REL_GE, part, low[1])) ||
         (high[1] < low[0] && may_suffice(t, REL_LE, part, high[1])) ||
         (low[1] == high[1] && !shared && may_suffice(t, REL_EQ, part, low[1]));
}

static bool implies(trial *t, predicate a, predicate b) {
  if (disproved(t, a, b)) return false;
  t->premise = a;
  t->q.premise_count = 1;
  t->q.only_yes = true;
  query_result r = query_ask(&t->q, b);
  t->q.only_yes = false;
  t->q.premise_count = 0;
  return r.answer == SHAPE_YES && !r.conflict;
}

static bool says_the_same(trial *t, predicate a) {
  return implies(t, a, t->goal) && implies(t, t->goal, a);
}

static bool try_candidate(trial *t, predicate small, predicate own) {
  if (!says_the_same(t, small)) return false;
  t->x->out = own;
  t->x->small_out = small;
  return t->x->found = true;
}

// A bound or a value that the predicate gives to a part, and the declarations alone do not.
static bool try_bounds(trial *t, uint32_t i) {
  assert(i < t->x->part_count && !t->q.premise_count);
  interval before, after;
  term_table *own = t->x->s->terms;
  term_id small = t->small[i], part = t->x->parts[i];
  if (!query_bounds(&t->q, small, &before)) return false;
  t->premise = t->goal;
  t->q.premise_count = 1;
  bool known = query_bounds(&t->q, small, &after);
  t->q.premise_count = 0;
  bool low = after.has_lo && !(before.has_lo && num_equal(before.lo, after.lo));
  bool high = after.has_hi && !(before.has_hi && num_equal(before.hi, after.hi));
  if (!known || (after.has_lo && after.lo.big) || (after.has_hi && after.hi.big) || low == high) {
    num v;
    if (!known || !interval_is_point(after, &v) || v.big) return false;
    predicate whole = predicate_make(REL_EQ, part, term_const(own, v));
    return try_candidate(t, predicate_make(REL_EQ, small, term_const(t->q.terms, v)), whole);
  }
  relation rel = low ? REL_GE : REL_LE;
  num v = low ? after.lo : after.hi;
  predicate whole = predicate_make(rel, part, term_const(own, v));
  return try_candidate(t, predicate_make(rel, small, term_const(t->q.terms, v)), whole);
}

// What still holds a minimum or a broadcast is not worth stating otherwise: rules know what follows from the form they made.
static bool is_plain(shape_store *s, term_id t) {
  return !(term_kinds(s->terms, t) & (KIND_BIT(TERM_MIN) | KIND_BIT(TERM_BCAST)));
}

static bool try_all_bounds(trial *t) {
  for (uint32_t i = 0; i < t->x->part_count; i++) {
    if (is_plain(t->x->s, t->x->parts[i]) && may_be_bound(t, i) && try_bounds(t, i)) return true;
  }
  return false;
}

static bool try_pairs(trial *t, relation rel) {
  const restating *x = t->x;
  for (uint32_t i = 0; i < x->part_count; i++) {
    for (uint32_t k = 0; k < x->part_count; k++) {
      if (k == i || (rel == REL_EQ && k < i) || !agrees(t, rel, i, k)) continue;
      if (try_candidate(t, predicate_make(rel, t->small[i], t->small[k]),
                        predicate_make(rel, x->parts[i], x->parts[k])))
        return true;
    }
  }
  return false;
}

static void find_simplest(trial *t) {
  restating *x = t->x;
  assert(!x->found && x->part_count >= x->symbol_count);
  if (try_all_bounds(t) || !(try_pairs(t, REL_EQ) || try_pairs(t, REL_LE))) return;
  // The bounds of an equality are found where those of a disjunction are not.
  t->goal = x->small_out;
  if (!try_all_bounds(t)) x->found = is_plain(x->s, x->out.left) && is_plain(x->s, x->out.right);
}

// Which of its arguments each minimum and broadcast of the predicate is, where the simplest form says that.
static void find_settled(trial *t, extraction *e) {
  restating *x = t->x;
  assert(x->found && x->choice_count <= RESTATE_CHOICES);
  for (uint32_t i = 0; i < x->choice_count; i++) {
    term_id atom = x->choices[i], small = extract_term(e, atom);
    uint32_t count = term_get(x->s->terms, atom)->count;
    for (uint32_t k = 0; k < count; k++) {
      term_id arg = term_get(x->s->terms, atom)->as.args[k];
      if (!is_plain(x->s, arg)) continue;
      if (!implies(t, x->small_out, predicate_make(REL_EQ, small, extract_term(e, arg)))) continue;
      x->settled[x->settled_count++] = predicate_make(REL_EQ, atom, arg);
      break;
    }
  }
}

// --- what had no simpler form

// Problems that are the same but for the names of their symbols are one text.
struct restated {
  shape_intern problems;
  bool always[RESTATE_KEPT];  // the predicate holds at all points
};

// Of numbers that are no larger than a word.
static bool put_num(shape_strbuf *to, num v) {
  strbuf_add(to, (const char *)&v.small, sizeof v.small);
  return !v.big;
}

static bool put_node(shape_strbuf *to, const term_node *n) {
  bool small = true;
  uint32_t head[2] = {n->kind, n->count};
  strbuf_add(to, (const char *)head, sizeof head);
  if (n->kind == TERM_CONST) return put_num(to, n->as.value);
  if (n->kind == TERM_SYMBOL) {
    strbuf_add(to, (const char *)&n->as.symbol, sizeof n->as.symbol);
    return true;
  }
  for (uint32_t i = 0; i < n->count; i++) {
    uint32_t item[2] = {0};
    if (n->kind == TERM_SUM) {
      item[0] = n->as.parts[i].monomial;
      small &= put_num(to, n->as.parts[i].coefficient);
    } else if (n->kind == TERM_PRODUCT) {
      item[0] = n->as.powers[i].atom;
      item[1] = n->as.powers[i].exponent;
    } else {
      item[0] = n->as.args[i];
    }
    strbuf_add(to, (const char *)item, sizeof item);
  }
  return small && n->kind != TERM_APPLY;
}

// The whole problem: false where a number is too large for that.
static bool put_problem(shape_strbuf *to, const trial *t) {
  const restating *x = t->x;
  bool small = true;
  for (term_id id = 0; id < t->q.terms->count; id++)
    small &= put_node(to, term_get(t->q.terms, id));
  for (uint32_t i = 0; i < t->q.symbol_count; i++) {
    interval r = t->q.symbols[i].range;
    const char ends[2] = {r.has_lo, r.has_hi};
    strbuf_add(to, ends, sizeof ends);
    small &= put_num(to, r.has_lo ? r.lo : NUM(0)) && put_num(to, r.has_hi ? r.hi : NUM(0)) &&
             put_num(to, t->q.symbols[i].multiple_of);
  }
  for (uint32_t i = 0; i < x->part_count; i++) {
    uint32_t part[2] = {t->small[i], is_plain(x->s, x->parts[i])};
    strbuf_add(to, (const char *)part, sizeof part);
  }
  uint32_t goal[3] = {t->goal.rel, t->goal.left, t->goal.right};
  strbuf_add(to, (const char *)goal, sizeof goal);
  return small;
}

static bool is_known(restating *x, const shape_strbuf *problem) {
  const restated *k = x->s->kept.restated;
  name_id id = k ? intern_find(&k->problems, problem->data, problem->length) : NAME_NONE;
  if (id == NAME_NONE) return false;
  x->always = k->always[id];
  return true;
}

static void keep_known(const restating *x, const shape_strbuf *problem) {
  shape_store *s = x->s;
  if (!s->kept.restated) {
    s->kept.restated = arena_zalloc(s->arena, sizeof *s->kept.restated);
    intern_init(&s->kept.restated->problems, s->arena);
  }
  restated *k = s->kept.restated;
  if (k->problems.count == RESTATE_KEPT) return;
  name_id id = intern_add(&k->problems, problem->data, problem->length);
  k->always[id] = x->always;
}

static void try_forms(trial *t, extraction *e) {
  restating *x = t->x;
  scatter_points(t);
  if (!has_point(t, true) || !has_point(t, false)) {
    query_result r = query_ask(&t->q, t->goal);
    x->always = r.answer == SHAPE_YES && !r.conflict;
    if (r.answer != SHAPE_UNKNOWN || r.conflict) return;
  }
  find_simplest(t);
  if (x->found) find_settled(t, e);
}

static void run(void *data) {
  restating *x = data;
  shape_store *s = x->s;
  term_table terms;
  term_id small[RESTATE_PARTS];
  query_symbol symbols[RESTATE_PARTS];
  term_table_init(&terms, &s->scratch, &x->allowance);
  extraction e = {.from = s->terms, .to = &terms};
  trial t = {.x = x, .small = small};
  for (uint32_t i = 0; i < x->part_count; i++) {
    small[i] = extract_term(&e, x->parts[i]);
    if (i >= x->symbol_count) continue;
    const symbol_info *info = store_symbol_info(s, term_get(s->terms, x->parts[i])->as.symbol);
    symbols[i] = info ? (query_symbol){small[i], info->range, info->multiple_of}
                      : (query_symbol){small[i], interval_all(), NUM(1)};
  }
  t.q = (query){.arena = &s->scratch,
                .terms = &terms,
                .budget = &x->allowance,
                .symbols = symbols,
                .symbol_count = x->symbol_count,
                .premises = &t.premise};
  t.goal = extract_predicate(&e, x->p);
  shape_strbuf problem;
  strbuf_init(&problem, &s->scratch);
  bool kept = put_problem(&problem, &t);
  if (kept && is_known(x, &problem)) return;
  try_forms(&t, &e);
  if (kept && !x->found) keep_known(x, &problem);
}

static bool is_simple(const term_table *t, term_id id) {
  term_kind kind = term_kind_of(t, id);
  return kind == TERM_CONST || kind == TERM_SYMBOL;
}

// --- quotients

// k + c*atom, where the term is that.
static bool is_scaled_atom(const term_table *t, term_id id, num *k, num *c, term_id *atom) {
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(t, id, &parts, &room), at = count - 1;
  if (count != 1 && !(count == 2 && parts[0].monomial == TERM_ONE)) return false;
  *k = count == 2 ? parts[0].coefficient : NUM(0);
  *c = parts[at].coefficient;
  *atom = parts[at].monomial;
  return *atom != TERM_ONE;
}

// With c*floordiv(n, d) + k >= 0, d > 0: n >= d*v for v the least quotient, or n <= d*v + d - 1 for v the largest. The term
// that is to be >= 0 then; TERM_NONE where it is no such quotient.
static term_id unwrap_quotient(term_table *t, term_id e) {
  num k, c, d;
  term_id atom;
  if (!is_scaled_atom(t, e, &k, &c, &atom) || term_kind_of(t, atom) != TERM_FLOORDIV ||
      !term_const_value(t, term_get(t, atom)->as.args[1], &d) || num_sign(d) <= 0)
    return TERM_NONE;
  shape_budget *b = t->budget;
  term_id n = term_get(t, atom)->as.args[0];
  if (num_sign(c) > 0) {
    num v = num_neg(b, num_floordiv(b, k, c));  // -floor(k/c) is the ceiling of -k/c
    return term_sub(t, n, term_const(t, num_mul(b, d, v)));
  }
  num v = num_add(b, num_floordiv(b, k, num_neg(b, c)), NUM(1));
  return term_sub(t, term_const(t, num_sub(b, num_mul(b, d, v), NUM(1))), n);
}

bool restate_quotient(term_table *t, predicate *p) {
  if (p->rel == REL_EQ || p->rel == REL_NE || p->rel == REL_DIVISIBLE) return false;
  term_kind left = term_kind_of(t, p->left), right = term_kind_of(t, p->right);
  if (left != TERM_FLOORDIV && left != TERM_SUM && right != TERM_FLOORDIV && right != TERM_SUM)
    return false;
  bool up = p->rel == REL_GE || p->rel == REL_GT, strict = p->rel == REL_LT || p->rel == REL_GT;
  term_id e = up ? term_sub(t, p->left, p->right) : term_sub(t, p->right, p->left);
  if (strict) e = term_sub(t, e, TERM_ONE);
  bool found = false;
  for (term_id next; (next = unwrap_quotient(t, e)) != TERM_NONE; e = next) found = true;
  if (!found) return false;
  num k, c;
  term_id atom;
  assert(e != TERM_NONE);
  if (is_scaled_atom(t, e, &k, &c, &atom)) {
    // c*atom + k >= 0: the atom is at least the ceiling of -k/c, or at most the floor of k/-c.
    bool low = num_sign(c) > 0;
    num v = low ? num_neg(t->budget, num_floordiv(t->budget, k, c))
                : num_floordiv(t->budget, k, num_neg(t->budget, c));
    *p = predicate_make(low ? REL_GE : REL_LE, atom, term_const(t, v));
  } else {
    num at = num_neg(t->budget, term_constant_part(t, e));
    term_id least = term_const(t, at);
    *p = predicate_make(REL_GE, term_add(t, e, least), least);
  }
  return true;
}

static bool restate(shape_store *s, predicate p, bool alone, restatement *out) {
  out->always = false;
  if (is_simple(s->terms, p.left) && is_simple(s->terms, p.right)) return false;
  uint32_t kinds = term_kinds(s->terms, p.left) | term_kinds(s->terms, p.right);
  if (!(kinds & KIND_BIT(TERM_MIN))) return false;
  restating x = {.s = s, .p = p};
  if (budget_left(s->budget) < RESTATE_STEPS || !may_be_restated(&x)) return false;
  if (!alone && store_holds(s, p) != SHAPE_UNKNOWN) return false;
  arena_mark mark = arena_get_mark(&s->scratch);
  shape_arena *scratch = &s->scratch;
  size_t limit = scratch->limit, most = scratch->bytes + QUERY_BYTES;
  budget_init(&x.allowance, scratch, RESTATE_STEPS, s->budget->stop);
  x.allowance.max_bits = s->budget->max_bits;
  if (!limit || most < limit) scratch->limit = most;
  shape_status status = arena_protect(s->arena, run, &x);
  scratch->limit = limit;
  assert(x.allowance.steps_used <= UINT32_MAX);
  budget_spend(s->budget, (uint32_t)x.allowance.steps_used);
  bool own =
      status == SHAPE_BITS || (status == SHAPE_MEMORY && scratch->bytes + QUERY_BYTES / 2 >= most);
  if (status != SHAPE_OK && !own) arena_fail(s->arena, status);
  if (status != SHAPE_OK) term_table_recover(s->terms);
  arena_rewind(scratch, mark);
  out->always = x.always && status == SHAPE_OK;
  if (!x.found || status != SHAPE_OK) return false;
  *out = (restatement){.p = x.out, .count = x.settled_count};
  predicate *settled = arena_alloc(s->arena, (x.settled_count + 1) * sizeof *settled);
  memcpy(settled, x.settled, x.settled_count * sizeof *settled);
  out->settled = settled;
  return true;
}

bool store_restate(shape_store *s, predicate p, restatement *out) {
  return restate(s, p, false, out);
}

bool store_restate_alone(shape_store *s, predicate p, restatement *out) {
  return restate(s, p, true, out);
}
