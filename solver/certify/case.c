// SPDX-License-Identifier: Apache-2.0
// Hypotheses of a case: their normal form, what equalities do to them, and why they hold. See prover.h.
#include <assert.h>

#include "solver/certify/prover.h"

#define WHY_LEAF (UINT32_MAX - 1)
// Leaves below are premises.
enum why_number { FIRST_CASE = 1 << 30 };

// --- why

static uint32_t why_node_make(prover *p, uint32_t a, uint32_t b) {
  assert(b == WHY_LEAF || (a < p->why_count && b < p->why_count));
  p->whys = arena_grow(p->arena, p->whys, p->why_count, (size_t)p->why_count + 1, &p->why_capacity,
                       sizeof *p->whys);
  p->whys[p->why_count] = (why_node){a, b, 0};
  return p->why_count++;
}

uint32_t why_leaf(prover *p, uint32_t premise) { return why_node_make(p, premise, WHY_LEAF); }
uint32_t why_case(prover *p) { return why_node_make(p, FIRST_CASE + p->cases++, WHY_LEAF); }

uint32_t why_join(prover *p, uint32_t a, uint32_t b) {
  if (a == WHY_NONE || a == b) return b;
  if (b == WHY_NONE) return a;
  return why_node_make(p, a, b);
}

// Parts are older than what joins them, so one sweep from the top down reaches everything.
static void why_mark(prover *p, uint32_t why) {
  assert(why < p->why_count);
  p->stamp++;
  p->whys[why].stamp = p->stamp;
  for (uint32_t i = why + 1; i-- > 0;) {
    if (p->whys[i].stamp != p->stamp || p->whys[i].b == WHY_LEAF) continue;
    assert(p->whys[i].a < i && p->whys[i].b < i);
    p->whys[p->whys[i].a].stamp = p->whys[p->whys[i].b].stamp = p->stamp;
  }
}

bool why_rests_on(prover *p, uint32_t why, uint32_t leaf) {
  if (why == WHY_NONE || why < leaf) return false;
  why_mark(p, why);
  return p->whys[leaf].stamp == p->stamp;
}

void why_premises(prover *p, uint32_t why, uint8_t *used) {
  if (why == WHY_NONE) return;
  why_mark(p, why);
  for (uint32_t i = 0; i <= why; i++) {
    if (p->whys[i].stamp == p->stamp && p->whys[i].b == WHY_LEAF && p->whys[i].a < FIRST_CASE)
      used[p->whys[i].a] = 1;
  }
}

// --- normal form

static bool refuted(prover *p, uint32_t why) {
  p->reason = why;
  return false;
}

// (the parts but the constant one) / divisor + constant
static term_id case_sum_of(prover *p, const term_part *parts, uint32_t count, num divisor,
                           num constant) {
  assert(num_sign(divisor) > 0);
  term_part room[64], *to = room;
  if (count + 1 > sizeof room / sizeof *room) to = arena_alloc(p->arena, (count + 1) * sizeof *to);
  uint32_t n = 0;
  if (!num_is_zero(constant)) to[n++] = (term_part){constant, TERM_ONE};
  for (uint32_t i = 0; i < count; i++) {
    if (parts[i].monomial == TERM_ONE) continue;
    num k = num_floordiv(p->budget, parts[i].coefficient, divisor);
    to[n++] = (term_part){k, parts[i].monomial};
  }
  return term_sum(p->t, to, n);
}

static num content_without_constant(prover *p, const term_part *parts, uint32_t count) {
  num g = NUM(0);
  for (uint32_t i = 0; i < count && !num_is_one(g); i++) {
    if (parts[i].monomial != TERM_ONE) g = num_gcd(p->budget, g, parts[i].coefficient);
  }
  return g;
}

typedef enum normal_result { NORMAL_SAYS, NORMAL_NOTHING, NORMAL_FALSE } normal_result;

static normal_result normalise(prover *p, term_id *e, hypothesis_kind kind) {
  const term_part *parts;
  term_part one;
  uint32_t count = term_parts(p->t, *e, &parts, &one);
  num c = term_constant_part(p->t, *e), g = content_without_constant(p, parts, count);
  if (num_is_zero(g)) {
    bool holds = kind == HYPOTHESIS_EQ   ? num_is_zero(c)
                 : kind == HYPOTHESIS_GE ? num_sign(c) >= 0
                                         : !num_is_zero(c);
    return holds ? NORMAL_NOTHING : NORMAL_FALSE;
  }
  if (num_is_one(g)) return NORMAL_SAYS;
  assert(num_compare(g, NUM(1)) > 0);
  bool divides = num_divides(p->budget, g, c);
  if (!divides && kind != HYPOTHESIS_GE)
    return kind == HYPOTHESIS_EQ ? NORMAL_FALSE : NORMAL_NOTHING;
  *e = case_sum_of(p, parts, count, g, num_floordiv(p->budget, c, g));
  return NORMAL_SAYS;
}

static uint64_t atom_bit(term_id atom) { return 1ull << (hash_mix(atom) & 63); }

static void add_atom_bit(void *data, term_id atom) { *(uint64_t *)data |= atom_bit(atom); }

static uint64_t atoms_of(prover *p, term_id e) {
  uint64_t bits = 0;
  term_visit_atoms(p->t, e, add_atom_bit, &bits);
  return bits;
}

static bool same_but_constant(prover *p, term_id a, term_id b, num *difference) {
  const term_part *x, *y;
  term_part x1, y1;
  uint32_t n = term_parts(p->t, a, &x, &x1), m = term_parts(p->t, b, &y, &y1);
  num cx = term_constant_part(p->t, a), cy = term_constant_part(p->t, b);
  uint32_t i = n && x[0].monomial == TERM_ONE, k = m && y[0].monomial == TERM_ONE;
  if (n - i != m - k) return false;
  for (; i < n; i++, k++) {
    if (x[i].monomial != y[k].monomial || !num_equal(x[i].coefficient, y[k].coefficient))
      return false;
  }
  *difference = num_sub(p->budget, cx, cy);
  return true;
}

bool case_add(prover *p, term_id e, hypothesis_kind kind, uint32_t why) {
  normal_result r = normalise(p, &e, kind);
  if (r == NORMAL_FALSE) return refuted(p, why);
  if (r == NORMAL_NOTHING || p->top - p->first >= CERTIFY_HYPOTHESES) return true;
  for (uint32_t i = p->first; i < p->top; i++) {
    hypothesis *h = &p->stack[i];
    num d;
    if (h->e == e && h->kind + kind == HYPOTHESIS_EQ + HYPOTHESIS_NE && h->kind != kind)
      return refuted(p, why_join(p, h->why, why));
    if (h->kind != kind || (h->e != e && kind != HYPOTHESIS_GE)) continue;
    if (h->e == e) return true;
    if (!same_but_constant(p, e, h->e, &d)) continue;
    if (num_sign(d) < 0) *h = (hypothesis){e, why, (uint8_t)kind, h->atoms};
    return true;
  }
  assert(p->first <= p->top);
  p->stack =
      arena_grow(p->arena, p->stack, p->top, (size_t)p->top + 1, &p->capacity, sizeof *p->stack);
  p->stack[p->top++] = (hypothesis){e, why, (uint8_t)kind, atoms_of(p, e)};
  return true;
}

bool case_add_predicate(prover *p, predicate x, uint32_t why) {
  term_table *t = p->t;
  if (x.rel == REL_DIVISIBLE) return case_add(p, term_mod(t, x.left, x.right), HYPOTHESIS_EQ, why);
  term_id e = term_sub(t, x.left, x.right);
  switch (x.rel) {
  case REL_EQ: return case_add(p, e, HYPOTHESIS_EQ, why);
  case REL_NE: return case_add(p, e, HYPOTHESIS_NE, why);
  case REL_LT: return case_add(p, term_sub(t, term_neg(t, e), TERM_ONE), HYPOTHESIS_GE, why);
  case REL_LE: return case_add(p, term_neg(t, e), HYPOTHESIS_GE, why);
  case REL_GT: return case_add(p, term_sub(t, e, TERM_ONE), HYPOTHESIS_GE, why);
  default: return case_add(p, e, HYPOTHESIS_GE, why);
  }
}

// --- signs

static bool one_hypothesis(prover *p, term_id e, num least, uint32_t *why) {
  term_id x = term_sub(p->t, e, term_const(p->t, least));
  normal_result r = normalise(p, &x, HYPOTHESIS_GE);
  if (r != NORMAL_SAYS) return r == NORMAL_NOTHING;
  for (uint32_t i = p->first; i < p->top; i++) {
    num d;
    if (p->stack[i].kind != HYPOTHESIS_GE) continue;
    if (!same_but_constant(p, x, p->stack[i].e, &d) || num_sign(d) < 0) continue;
    *why = why_join(p, *why, p->stack[i].why);
    return true;
  }
  return false;
}

static bool at_least(prover *p, term_id e, int64_t least, uint32_t depth, uint32_t *why) {
  if (one_hypothesis(p, e, NUM(least), why)) return true;
  if (depth == 0 || least > 1 || least < 0) return false;
  const term_part *parts;
  const term_power *powers;
  term_part one;
  term_power single;
  uint32_t count = term_parts(p->t, e, &parts, &one);
  if (count == 1 && num_is_one(parts[0].coefficient) && parts[0].monomial != TERM_ONE) {
    // A product of factors that are each at least `least`; even powers are at least 0.
    uint32_t n = term_powers(p->t, e, &powers, &single);
    if (n == 1 && powers[0].exponent == 1) return false;
    for (uint32_t i = 0; i < n; i++) {
      if (least == 0 && powers[i].exponent % 2 == 0) continue;
      if (!at_least(p, powers[i].atom, least, depth - 1, why)) return false;
    }
    return true;
  }
  // A sum of parts that are at least 0, one of them positive where that is asked.
  bool positive = least <= 0;
  for (uint32_t i = 0; i < count; i++) {
    if (num_sign(parts[i].coefficient) < 0) return false;
    if (parts[i].monomial == TERM_ONE) {
      positive = true;
    } else if (!positive && at_least(p, parts[i].monomial, 1, depth - 1, why)) {
      positive = true;
    } else if (!at_least(p, parts[i].monomial, 0, depth - 1, why)) {
      return false;
    }
  }
  return positive && count > 1;
}

bool case_at_least(prover *p, term_id e, int64_t least, uint32_t *why) {
  uint32_t found = *why;
  if (!at_least(p, e, least, CERTIFY_SIGN_DEPTH, &found)) return false;
  *why = found;
  return true;
}

// --- definitions

static void define_quotient(prover *p, term_id atom, const term_node *n,
                            void (*put)(prover *, term_id, uint32_t)) {
  term_table *t = p->t;
  term_id e = n->as.args[0], d = n->as.args[1];
  uint32_t why = WHY_NONE;
  if (!case_at_least(p, d, 1, &why)) {
    e = term_neg(t, e);
    d = term_neg(t, d);
    why = WHY_NONE;
    if (!case_at_least(p, d, 1, &why)) return;
  }
  term_id rest = term_sub(t, e, term_mul(t, d, atom));
  put(p, rest, why);
  put(p, term_sub(t, term_sub(t, d, TERM_ONE), rest), why);
}

void case_define(prover *p, term_id atom, void (*put)(prover *p, term_id e, uint32_t why)) {
  assert(term_is_atom(p->t, atom));
  term_table *t = p->t;
  term_node n = *term_get(t, atom);
  switch (n.kind) {
  case TERM_FLOORDIV: define_quotient(p, atom, &n, put); break;
  case TERM_MIN:
    for (uint32_t i = 0; i < n.count; i++) put(p, term_sub(t, n.as.args[i], atom), WHY_NONE);
    break;
  case TERM_MAX:
    for (uint32_t i = 0; i < n.count; i++) put(p, term_sub(t, atom, n.as.args[i]), WHY_NONE);
    break;
  case TERM_IS_ZERO:
  case TERM_IS_NEG:
    put(p, atom, WHY_NONE);
    put(p, term_sub(t, TERM_ONE, atom), WHY_NONE);
    break;
  case TERM_BIGMUL:
    put(p, term_sub(t, atom, n.as.args[0]), WHY_NONE);
    put(p, term_sub(t, n.as.args[0], atom), WHY_NONE);
    break;
  default: break;
  }
}

typedef struct atom_collector {
  prover *p;
  shape_imap seen;
} atom_collector;

static void collect_atom(void *data, term_id atom) {
  atom_collector *c = data;
  uint32_t at;
  if (imap_get(&c->seen, atom, &at)) return;
  prover *p = c->p;
  imap_put(&c->seen, p->arena, atom, p->atom_count);
  p->atoms = arena_grow(p->arena, p->atoms, p->atom_count, (size_t)p->atom_count + 1,
                        &p->atom_capacity, sizeof *p->atoms);
  p->atoms[p->atom_count++] = atom;
}

// Those of the last hypotheses first: the query is among them.
void case_collect_atoms(prover *p) {
  atom_collector c = {.p = p};
  p->atom_count = 0;
  for (uint32_t i = p->top; i-- > p->first;)
    term_visit_atoms(p->t, p->stack[i].e, collect_atom, &c);
}

// --- congruence

typedef struct replacement {
  term_id atom, by;
} replacement;

static term_id replaced(void *data, term_id atom) {
  const replacement *r = data;
  return atom == r->atom ? r->by : atom;
}

bool case_replace(prover *p, term_id atom, term_id by, uint32_t why) {
  assert(term_is_atom(p->t, atom) && p->first <= p->top);
  replacement r = {atom, by};
  uint32_t count = p->top - p->first;
  uint64_t bit = atom_bit(atom);
  if (!budget_spend(p->budget, count / 16 + 1)) return true;
  p->top = p->first;
  for (uint32_t i = 0; i < count; i++) {  // in place: no more is written than was read
    hypothesis h = p->stack[p->first + i];
    assert(p->top <= p->first + i);
    if (!(h.atoms & bit)) {
      p->stack[p->top++] = h;
      continue;
    }
    term_id e = term_substitute(p->t, h.e, replaced, &r, NULL);
    uint32_t because = e == h.e ? h.why : why_join(p, h.why, why);
    if (!case_add(p, e, (hypothesis_kind)h.kind, because)) return false;
  }
  return true;
}

// Does the atom occur in e otherwise than as the monomial `atom`?
static bool occurs_inside(prover *p, term_id atom, term_id e) {
  const term_part *parts;
  term_part one;
  uint32_t count = term_parts(p->t, e, &parts, &one);
  for (uint32_t i = 0; i < count; i++) {
    if (parts[i].monomial != atom && term_mentions(p->t, parts[i].monomial, atom)) return true;
  }
  return false;
}

static void put_hypothesis(prover *p, term_id e, uint32_t why) {
  // A definition alone never refutes: it holds everywhere.
  case_add(p, e, HYPOTHESIS_GE, why);
}

// The definition of an atom becomes hypotheses, so that the atom may go.
static bool keep_definition(prover *p, term_id atom) {
  term_kind kind = term_kind_of(p->t, atom);
  if (kind == TERM_SYMBOL) return true;
  if (kind != TERM_FLOORDIV) return false;
  term_id d = term_get(p->t, atom)->as.args[1];
  uint32_t why = WHY_NONE;
  if (!case_at_least(p, d, 1, &why) && !case_at_least(p, term_neg(p->t, d), 1, &why)) return false;
  case_define(p, atom, put_hypothesis);
  return true;
}

// The part whose atom an equality is solved for: the least coefficient, symbols before quotients.
static uint32_t choose_part(prover *p, term_id e, const term_part *parts, uint32_t count) {
  uint32_t best = count, best_rank = 0;
  num least = NUM(0);
  for (uint32_t i = 0; i < count; i++) {
    term_id m = parts[i].monomial;
    term_kind kind = term_kind_of(p->t, m);
    if (kind != TERM_SYMBOL && kind != TERM_FLOORDIV) continue;
    num k = num_abs(p->budget, parts[i].coefficient);
    uint32_t rank = kind != TERM_SYMBOL;
    if (best < count) {
      int order = num_compare(k, least);
      if (order > 0 || (order == 0 && rank >= best_rank)) continue;
    }
    if (occurs_inside(p, m, e)) continue;
    best = i;
    best_rank = rank;
    least = k;
  }
  return best;
}

typedef enum solve_step { STEP_NONE, STEP_DONE, STEP_REFUTED } solve_step;

// k*x + rest == 0 with k == 1: x := -rest. Else, with t == x + sum floor(a/k)*m + floor(c/k) fresh, x is replaced by t
// less those, and what is left has coefficients below k.
static solve_step solve_for(prover *p, uint32_t at, term_id x, num k) {
  term_table *t = p->t;
  assert(at >= p->first && at < p->top && p->stack[at].kind == HYPOTHESIS_EQ);
  hypothesis h = p->stack[at];
  term_id e = num_sign(k) < 0 ? term_neg(t, h.e) : h.e;
  k = num_abs(p->budget, k);
  if (!keep_definition(p, x)) return STEP_NONE;
  if (num_is_one(k)) {
    p->stack[at] = p->stack[--p->top];
    return case_replace(p, x, term_sub(t, x, e), h.why) ? STEP_DONE : STEP_REFUTED;
  }
  term_part one;
  const term_part *es;
  uint32_t n = term_parts(t, e, &es, &one);
  term_id whole = case_sum_of(p, es, n, k, num_floordiv(p->budget, term_constant_part(t, e), k));
  // whole is x + ...; x == fresh - (whole - x)
  term_id by = term_add(t, term_sub(t, term_symbol(t), whole), x);
  return case_replace(p, x, by, WHY_NONE) ? STEP_DONE : STEP_REFUTED;
}

// Where every symbol of e is inside a quotient too, the quotient gets a name: its definition says the rest.
static solve_step name_quotient(prover *p, term_id e) {
  const term_part *parts;
  term_part one;
  uint32_t count = term_parts(p->t, e, &parts, &one);
  for (uint32_t i = 0; i < count; i++) {
    term_id m = parts[i].monomial;
    const term_power *powers;
    term_power single;
    if (m == TERM_ONE) continue;
    uint32_t n = term_powers(p->t, m, &powers, &single);
    for (uint32_t k = 0; k < n; k++) {
      term_id atom = powers[k].atom;
      if (term_kind_of(p->t, atom) != TERM_FLOORDIV || !keep_definition(p, atom)) continue;
      return case_replace(p, atom, term_symbol(p->t), WHY_NONE) ? STEP_DONE : STEP_REFUTED;
    }
  }
  return STEP_NONE;
}

static solve_step solve_one(prover *p, uint32_t at) {
  const term_part *parts;
  term_part one;
  term_id e = p->stack[at].e;
  uint32_t count = term_parts(p->t, e, &parts, &one);
  uint32_t chosen = choose_part(p, e, parts, count);
  if (chosen < count) return solve_for(p, at, parts[chosen].monomial, parts[chosen].coefficient);
  return name_quotient(p, e);
}

// e >= 0 and -e >= 0 are e == 0.
static bool join_opposites(prover *p) {
  for (uint32_t i = p->first; i < p->top; i++) {
    if (p->stack[i].kind != HYPOTHESIS_GE) continue;
    term_id other = term_neg(p->t, p->stack[i].e);
    for (uint32_t k = i + 1; k < p->top; k++) {
      if (p->stack[k].kind != HYPOTHESIS_GE || p->stack[k].e != other) continue;
      p->stack[i].kind = HYPOTHESIS_EQ;
      p->stack[i].why = why_join(p, p->stack[i].why, p->stack[k].why);
      p->stack[k] = p->stack[--p->top];
      return true;
    }
  }
  return false;
}

bool case_solve(prover *p) {
  uint32_t rounds = 4 * (p->top - p->first) + CERTIFY_SOLVE_ROUNDS;
  do {
    for (uint32_t i = p->first; i < p->top && rounds;) {
      if (p->stack[i].kind != HYPOTHESIS_EQ) {
        i++;
        continue;
      }
      if (!budget_spend(p->budget, 4)) return true;
      solve_step step = solve_one(p, i);
      if (step == STEP_REFUTED) return false;
      rounds--;
      i = step == STEP_DONE ? p->first : i + 1;
    }
  } while (rounds && join_opposites(p));
  return true;
}
