// SPDX-License-Identifier: Apache-2.0
// The claims that are checked, and the attempts at a derivation, cheapest first. See prover.h for the steps.
#include "solver/certify/check.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "solver/certify/point.h"
#include "solver/certify/prover.h"

typedef struct attempt {
  uint16_t means, leaves;
} attempt;

static const attempt ATTEMPTS[] = {
    {MEANS_BRANCH, 40},
    {MEANS_PRODUCTS, 60},
    {MEANS_RESIDUES, 120},
    {MEANS_PRODUCTS | MEANS_BRANCH, 120},
    {MEANS_VALUES, 400},
    {MEANS_PRODUCTS | MEANS_ENDS | MEANS_BRANCH, 120},
    {MEANS_PRODUCTS | MEANS_DEEP | MEANS_BRANCH, 80},
    {MEANS_RESIDUES | MEANS_PRODUCTS | MEANS_BRANCH, 200},
    {MEANS_PRODUCTS | MEANS_DEEP | MEANS_ENDS | MEANS_BRANCH, 80},
};

predicate check_negation(term_table *t, predicate p) {
  static const relation NOT[] = {REL_NE, REL_EQ, REL_GE, REL_GT, REL_LE, REL_LT};
  if (p.rel == REL_DIVISIBLE)
    return predicate_make(REL_NE, term_mod(t, p.left, p.right), TERM_ZERO);
  assert((unsigned)p.rel < sizeof NOT / sizeof *NOT);
  return predicate_make(NOT[p.rel], p.left, p.right);
}

// --- what takes part

typedef struct part {
  const query *q;
  shape_imap positions;
  uint8_t *symbols, *premises;  // one flag each
  bool changed, met;
} part;

static void add_symbol(void *data, term_id atom) {
  part *x = data;
  uint32_t at;
  if (!imap_get(&x->positions, atom, &at) || x->symbols[at]) return;
  x->symbols[at] = 1;
  x->changed = true;
}

static void meet_symbol(void *data, term_id atom) {
  part *x = data;
  uint32_t at;
  x->met |= imap_get(&x->positions, atom, &at) && x->symbols[at];
}

static void visit(part *x, predicate p, void (*each)(void *data, term_id atom)) {
  term_visit_atoms(x->q->terms, p.left, each, x);
  term_visit_atoms(x->q->terms, p.right, each, x);
}

// The premises that hang together with the claim through symbols; all of them where there is no claim.
static void connect(part *x, const predicate *claim) {
  const query *q = x->q;
  memset(x->symbols, !claim, q->symbol_count);
  memset(x->premises, !claim, q->premise_count);
  if (!claim) return;
  visit(x, *claim, add_symbol);
  for (x->changed = true; x->changed;) {
    x->changed = false;
    for (uint32_t i = 0; i < q->premise_count; i++) {
      if (x->premises[i] || !budget_spend(q->budget, 1)) continue;
      x->met = false;
      visit(x, q->premises[i], meet_symbol);
      if (!x->met) continue;
      x->premises[i] = 1;
      visit(x, q->premises[i], add_symbol);
    }
  }
}

// --- one derivation

static bool add_range(prover *p, const query_symbol *s) {
  term_table *t = p->t;
  if (num_compare(s->multiple_of, NUM(1)) > 0) {
    term_id k = term_scale(t, term_symbol(t), s->multiple_of);
    if (!case_add(p, term_sub(t, s->symbol, k), HYPOTHESIS_EQ, WHY_NONE)) return false;
  }
  if (s->range.has_lo &&
      !case_add(p, term_sub(t, s->symbol, term_const(t, s->range.lo)), HYPOTHESIS_GE, WHY_NONE))
    return false;
  return !s->range.has_hi ||
         case_add(p, term_sub(t, term_const(t, s->range.hi), s->symbol), HYPOTHESIS_GE, WHY_NONE);
}

// The premises that take part, the claim last: splits inspect the last first. False: refuted already.
static bool set_up(prover *p, const part *x, const predicate *claim) {
  p->first = p->top = 0;
  p->why_count = p->cases = 0;
  p->reason = WHY_NONE;
  for (uint32_t i = 0; i < p->q->symbol_count; i++) {
    if (x->symbols[i] && !add_range(p, &p->q->symbols[i])) return false;
  }
  for (uint32_t i = 0; i < p->q->premise_count; i++) {
    if (x->premises[i] && !case_add_predicate(p, p->q->premises[i], why_leaf(p, i))) return false;
  }
  return !claim || case_add_predicate(p, *claim, WHY_NONE);
}

static void note_modulus(prover *p, num m) {
  m = num_abs(p->budget, m);
  if (num_compare(m, NUM(1)) <= 0 || num_compare(m, NUM(CERTIFY_MODULUS)) > 0) return;
  for (uint32_t i = 0; i < p->modulus_count; i++) {
    if (num_equal(p->moduli[i], m)) return;
  }
  if (p->modulus_count < CERTIFY_MODULI) p->moduli[p->modulus_count++] = m;
}

static void note_divisor(void *data, term_id atom) {
  prover *p = data;
  const term_node *n = term_get(p->t, atom);
  num d;
  if (n->kind == TERM_FLOORDIV && term_const_value(p->t, n->as.args[1], &d)) note_modulus(p, d);
}

// Divisors, and coefficients of the equalities; 2 where there is nothing else.
static void find_moduli(prover *p) {
  p->modulus_count = 0;
  for (uint32_t i = p->top; i-- > p->first;) {
    term_visit_atoms(p->t, p->stack[i].e, note_divisor, p);
  }
  for (uint32_t i = p->top; i-- > p->first;) {
    const term_part *parts;
    term_part one;
    uint32_t n = term_parts(p->t, p->stack[i].e, &parts, &one);
    for (uint32_t k = 0; k < n && p->stack[i].kind == HYPOTHESIS_EQ; k++) {
      if (parts[k].monomial != TERM_ONE) note_modulus(p, parts[k].coefficient);
    }
  }
  note_modulus(p, NUM(2));
}

static bool try_attempt(prover *p, const part *x, const predicate *claim, attempt a) {
  p->means = a.means;
  p->leaves = a.leaves;
  p->first_fresh = p->t->symbol_count;
  if (!set_up(p, x, claim)) return true;
  if (!(a.means & MEANS_RESIDUES)) return case_refute(p, 0);
  find_moduli(p);
  for (uint32_t i = 0; i < p->modulus_count; i++) {
    if (i) {
      num swap = p->moduli[0];
      p->moduli[0] = p->moduli[i];
      p->moduli[i] = swap;
      p->leaves = a.leaves;
      if (!set_up(p, x, claim)) return true;
    }
    if (case_refute(p, 0)) return true;
  }
  return false;
}

typedef struct derivation {
  prover p;
  part x;
  const predicate *claim;
  uint64_t room;  // steps
  bool done;
} derivation;

static void derive_body(void *data) {
  derivation *d = data;
  shape_budget *b = d->p.budget;
  for (uint32_t i = 0; i < sizeof ATTEMPTS / sizeof *ATTEMPTS && !d->done; i++) {
    uint64_t allowance = d->room < CERTIFY_ATTEMPT_STEPS ? d->room : CERTIFY_ATTEMPT_STEPS;
    budget_allow(b, allowance);
    d->done = try_attempt(&d->p, &d->x, d->claim, ATTEMPTS[i]);
    assert(budget_left(b) <= allowance);
    d->room -= allowance - budget_left(b);
  }
}

bool check_derive(const query *q, const predicate *claim, uint64_t steps, uint8_t *used) {
  derivation d = {.claim = claim, .room = steps, .x.q = q};
  d.p = (prover){.q = q, .t = q->terms, .arena = q->arena, .budget = q->budget};
  d.x.symbols = arena_alloc(q->arena, q->symbol_count + 1u);
  d.x.premises = arena_alloc(q->arena, q->premise_count + 1u);
  d.x.positions = check_positions(q);
  uint64_t left = budget_left(q->budget);
  budget_allow(q->budget, steps);
  connect(&d.x, claim);
  bool ended = check_guarded(q, derive_body, &d);
  budget_allow(q->budget, left);
  if (!ended || !d.done) return false;
  if (used) {
    assert(d.p.reason == WHY_NONE || d.p.reason < d.p.why_count);
    memset(used, 0, q->premise_count);
    why_premises(&d.p, d.p.reason, used);
  }
  return true;
}

// --- claims

// wrong: a point was found that contradicts the claim.
static check_result settle(const query *q, const predicate *against, survey seen, bool wrong,
                           uint8_t *used) {
  if (wrong) return CHECK_WRONG;
  if (check_derive(q, against, CERTIFY_STEPS, used)) return CHECK_CONFIRMED;
  if (!seen.all) return CHECK_OPEN;
  if (used) memset(used, 1, q->premise_count);
  return CHECK_CONFIRMED;
}

check_result check_implied(const query *q, predicate goal, uint8_t *used) {
  predicate against = check_negation(q->terms, goal);
  survey seen = check_survey(q, &goal, CERTIFY_POINTS);
  return settle(q, &against, seen, seen.any_false, used);
}

check_result check_conflict(const query *q, uint8_t *used) {
  survey seen = check_survey(q, NULL, CERTIFY_POINTS);
  return settle(q, NULL, seen, seen.any, used);
}

static check_result check_witness(const query *q, predicate goal, const num *values, bool wanted) {
  bool holds = false;
  check_result r = check_point(q, values, &goal, &holds);
  return r == CHECK_CONFIRMED && holds != wanted ? CHECK_WRONG : r;
}

static check_result check_witnesses(const query *q, predicate goal, const query_result *result) {
  if (!result->witness_true || !result->witness_false) return CHECK_OPEN;
  check_result yes = check_witness(q, goal, result->witness_true, true);
  check_result no = check_witness(q, goal, result->witness_false, false);
  if (yes == CHECK_WRONG || no == CHECK_WRONG) return CHECK_WRONG;
  return yes == CHECK_CONFIRMED ? no : yes;
}

check_result check_answer(const query *q, predicate goal, const query_result *result) {
  if (result->conflict) return check_conflict(q, NULL);
  if (result->answer == SHAPE_UNKNOWN) return check_witnesses(q, goal, result);
  if (result->answer == SHAPE_NO) goal = check_negation(q->terms, goal);
  return check_implied(q, goal, NULL);
}

bool check_attained(const query *q, term_id t, num value, const num *values) {
  num here;
  return values && check_point(q, values, NULL, NULL) == CHECK_CONFIRMED &&
         check_value(q, values, t, &here) && num_equal(here, value);
}

check_result check_equal(const query *q, term_id t, term_id form, const term_id *divisors,
                         uint32_t divisor_count) {
  for (uint32_t i = 0; i < divisor_count; i++) {
    check_result r = check_implied(q, predicate_make(REL_NE, divisors[i], TERM_ZERO), NULL);
    if (r != CHECK_CONFIRMED) return r;
  }
  return t == form ? CHECK_CONFIRMED : check_implied(q, predicate_make(REL_EQ, t, form), NULL);
}

// --- debug builds

#ifdef SHAPE_DEBUG
static void no_point(bool contradicted) {
  if (contradicted) abort();
}

void check_debug_answer(const query *q, predicate goal, const query_result *result) {
  if (result->conflict) {
    no_point(check_survey(q, NULL, CERTIFY_DEBUG_POINTS).any);
  } else if (result->answer != SHAPE_UNKNOWN) {
    survey seen = check_survey(q, &goal, CERTIFY_DEBUG_POINTS);
    no_point(result->answer == SHAPE_YES ? seen.any_false : seen.any_true);
  } else if (result->witness_true && result->witness_false) {
    no_point(check_witnesses(q, goal, result) == CHECK_WRONG);
  }
}

void check_debug_bounds(const query *q, term_id t, bool possible, interval claimed) {
  predicate low = predicate_make(REL_GE, t, term_const(q->terms, claimed.lo));
  predicate high = predicate_make(REL_LE, t, term_const(q->terms, claimed.hi));
  no_point(!possible && check_survey(q, NULL, CERTIFY_DEBUG_POINTS).any);
  no_point(possible && claimed.has_lo && check_survey(q, &low, CERTIFY_DEBUG_POINTS).any_false);
  no_point(possible && claimed.has_hi && check_survey(q, &high, CERTIFY_DEBUG_POINTS).any_false);
}

void check_debug_equal(const query *q, term_id t, term_id form) {
  predicate equal = predicate_make(REL_EQ, t, form);
  no_point(check_survey(q, &equal, CERTIFY_DEBUG_POINTS).any_false);
}
#endif
