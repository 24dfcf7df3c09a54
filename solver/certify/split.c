// SPDX-License-Identifier: Apache-2.0
// Refuting one case: its rows, the products of rows, and where these do not suffice a split into cases that leave nothing
// out. See prover.h.
#include <assert.h>
#include <string.h>

#include "solver/certify/prover.h"

// --- rows of the case

static void put_row(prover *p, term_id e, uint32_t why) { rows_push(p, e, why); }

static bool is_product(const prover *p, term_id m) { return term_kind_of(p->t, m) == TERM_PRODUCT; }

static bool is_wanted(prover *p, term_id m) {
  uint32_t at;
  return is_product(p, m) && imap_get(&p->rows.column_of, m, &at);
}

// Does a monomial of x times one of y occur in the rows?
static bool meets_wanted(prover *p, term_id x, term_id y) {
  const term_part *xs, *ys;
  term_part x1, y1;
  uint32_t n = term_parts(p->t, x, &xs, &x1), m = term_parts(p->t, y, &ys, &y1);
  if (n > CERTIFY_PARTS || m > CERTIFY_PARTS) return false;
  term_id left[CERTIFY_PARTS], right[CERTIFY_PARTS];
  for (uint32_t i = 0; i < n; i++) left[i] = xs[i].monomial;
  for (uint32_t i = 0; i < m; i++) right[i] = ys[i].monomial;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < m; k++) {
      if (left[i] == TERM_ONE || right[k] == TERM_ONE) continue;
      if (is_wanted(p, term_mul(p->t, left[i], right[k]))) return true;
    }
  }
  return false;
}

// Products of two rows that are at least 0.
static void push_products(prover *p, uint32_t rows) {
  assert(rows <= p->rows.count);
  uint32_t picked[CERTIFY_FACTORS], count = 0;
  for (uint32_t i = 0; i < rows && count < CERTIFY_FACTORS; i++) {
    bool useful = false;
    for (uint32_t k = 0; k < rows && !useful; k++)
      useful = meets_wanted(p, p->rows.items[i].e, p->rows.items[k].e);
    if (useful) picked[count++] = i;
    if (!budget_spend(p->budget, rows)) return;
  }
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t k = i; k < count; k++) {
      check_row x = p->rows.items[picked[i]], y = p->rows.items[picked[k]];
      if (!budget_spend(p->budget, 4) || !meets_wanted(p, x.e, y.e)) continue;
      rows_push(p, term_mul(p->t, x.e, y.e), why_join(p, x.why, y.why));
    }
  }
}

// An equality times an atom, where that makes a product that is in the rows.
static void push_multiples(prover *p) {
  for (uint32_t i = p->first; i < p->top; i++) {
    hypothesis h = p->stack[i];
    if (h.kind != HYPOTHESIS_EQ) continue;
    for (uint32_t a = 0; a < p->atom_count; a++) {
      if (!budget_spend(p->budget, 2) || !meets_wanted(p, h.e, p->atoms[a])) continue;
      term_id e = term_mul(p->t, h.e, p->atoms[a]);
      rows_push(p, e, h.why);
      rows_push(p, term_neg(p->t, e), h.why);
    }
  }
}

// Squares of integers are at least their root either way; (x - y)^2 and (x + y)^2 are at least 0.
static void push_squares(prover *p) {
  term_table *t = p->t;
  uint32_t columns = p->rows.column_count;
  for (uint32_t c = 0; c < columns && budget_spend(p->budget, 2); c++) {
    term_id m = p->rows.columns[c];
    const term_power *powers;
    term_power one;
    uint32_t n = term_powers(t, m, &powers, &one);
    term_id x = powers[0].atom, y = powers[n - 1].atom;
    if (n == 1 && powers[0].exponent == 2) {
      rows_push(p, term_sub(t, m, x), WHY_NONE);
      rows_push(p, term_add(t, m, x), WHY_NONE);
    } else if (n == 2 && is_wanted(p, term_pow(t, x, 2)) && is_wanted(p, term_pow(t, y, 2))) {
      rows_push(p, term_pow(t, term_sub(t, x, y), 2), WHY_NONE);
      rows_push(p, term_pow(t, term_add(t, x, y), 2), WHY_NONE);
    }
  }
}

// Does the row hold the atom as a monomial?
static bool holds_atom(prover *p, term_id row, term_id atom) {
  const term_part *parts;
  term_part one;
  uint32_t n = term_parts(p->t, row, &parts, &one);
  for (uint32_t i = 0; i < n; i++) {
    if (parts[i].monomial == atom) return true;
  }
  return false;
}

// Signs of products by those of their factors; and rows about one factor, times the others where these are >= 0.
static void push_signs(prover *p, uint32_t rows) {
  assert(rows <= p->rows.count);
  term_table *t = p->t;
  uint32_t columns = p->rows.column_count;
  for (uint32_t c = 0; c < columns; c++) {
    term_id m = p->rows.columns[c], rest;
    const term_power *powers;
    term_power one;
    uint32_t n = term_powers(t, m, &powers, &one), why = WHY_NONE;
    if (!is_product(p, m)) continue;
    if (case_at_least(p, m, 1, &why)) {
      rows_push(p, term_sub(t, m, TERM_ONE), why);
    } else if (case_at_least(p, m, 0, &why)) {
      rows_push(p, m, why);
    }
    for (uint32_t i = 0; i < n && term_get(t, m)->degree > 2; i++) {
      uint32_t sign = WHY_NONE;
      term_id x = term_get(t, m)->as.powers[i].atom;
      if (!budget_spend(p->budget, rows) || !term_divide_exact(t, m, x, &rest) ||
          !case_at_least(p, rest, 0, &sign))
        continue;
      for (uint32_t r = 0; r < rows; r++) {
        check_row row = p->rows.items[r];
        if (holds_atom(p, row.e, x))
          rows_push(p, term_mul(t, row.e, rest), why_join(p, row.why, sign));
      }
    }
  }
}

static bool rows_of_case_refuted(prover *p) {
  rows_clear(p);
  for (uint32_t i = p->top; i-- > p->first;) {
    hypothesis h = p->stack[i];
    if (h.kind == HYPOTHESIS_NE) continue;
    rows_push(p, h.e, h.why);
    if (h.kind == HYPOTHESIS_EQ) rows_push(p, term_neg(p->t, h.e), h.why);
  }
  for (uint32_t i = 0; i < p->atom_count && budget_spend(p->budget, 2); i++)
    case_define(p, p->atoms[i], put_row);
  if (p->rows.count == 0) return false;
  if (p->means & MEANS_PRODUCTS) {
    push_squares(p);
    push_signs(p, p->rows.count);
    push_multiples(p);
    push_products(p, p->rows.count);
    if (p->means & MEANS_DEEP) push_products(p, p->rows.count);
  }
  return rows_refuted(p);
}

// --- splits

typedef enum split_kind {
  SPLIT_NONE,
  SPLIT_UNEQUAL,   // e != 0: e >= 1, e <= -1
  SPLIT_FACTORS,   // e == 0, e == x^i * y^k * rest: one case a factor
  SPLIT_ARGUMENT,  // a minimum: one case an argument
  SPLIT_SELECT,
  SPLIT_BCAST,
  SPLIT_IS_ZERO,
  SPLIT_IS_NEG,
  SPLIT_SIGN,    // e: positive, negative, 0
  SPLIT_AT,      // x <= value, x > value
  SPLIT_RESIDUE  // x == value*k + i
} split_kind;

typedef struct split {
  split_kind kind;
  term_id e;
  uint32_t cases;
  num value;
  uint32_t why;  // of what is split
} split;

static bool enter_argument(prover *p, term_id atom, uint32_t i, uint32_t why) {
  term_node n = *term_get(p->t, atom);
  assert(i < n.count && (n.kind == TERM_MIN || n.kind == TERM_MAX));
  term_id a = n.as.args[i];
  for (uint32_t k = 0; k < n.count; k++) {
    term_id over = term_sub(p->t, n.as.args[k], a);
    if (n.kind == TERM_MAX) over = term_neg(p->t, over);
    if (k != i && !case_add(p, over, HYPOTHESIS_GE, why)) return false;
  }
  return case_replace(p, atom, a, why);
}

static bool enter_indicator(prover *p, const split *s, uint32_t i, uint32_t why) {
  term_table *t = p->t;
  term_node n = *term_get(t, s->e);
  term_id x = n.as.args[0];
  switch (s->kind) {
  case SPLIT_SELECT:
    if (!case_add(p, x, i ? HYPOTHESIS_NE : HYPOTHESIS_EQ, why)) return false;
    return case_replace(p, s->e, n.as.args[i ? 1 : 2], why);
  case SPLIT_BCAST:
    if (!case_add(p, term_sub(t, x, TERM_ONE), i ? HYPOTHESIS_NE : HYPOTHESIS_EQ, why))
      return false;
    return case_replace(p, s->e, n.as.args[i ? 0 : 1], why);
  case SPLIT_IS_ZERO:
    if (!case_add(p, x, i ? HYPOTHESIS_NE : HYPOTHESIS_EQ, why)) return false;
    return case_replace(p, s->e, i ? TERM_ZERO : TERM_ONE, why);
  default:
    if (i == 0) x = term_sub(t, term_neg(t, x), TERM_ONE);
    if (!case_add(p, x, HYPOTHESIS_GE, why)) return false;
    return case_replace(p, s->e, i ? TERM_ZERO : TERM_ONE, why);
  }
}

// Factor i of e: its atoms one by one, then what is left; TERM_ONE when there is nothing.
static term_id factor_of(prover *p, term_id e, uint32_t i) {
  const term_part *parts;
  const term_power *powers;
  term_part one;
  term_power single;
  term_id factor = term_common_factor(p->t, e), rest = TERM_ONE;
  if (term_parts(p->t, factor, &parts, &one) != 1 || parts[0].monomial == TERM_ONE)
    return i ? TERM_ONE : e;
  uint32_t n = term_powers(p->t, parts[0].monomial, &powers, &single);
  if (i < n) return powers[i].atom;
  if (i > n || !term_divide_exact(p->t, e, factor, &rest)) return TERM_ONE;
  return term_kind_of(p->t, rest) == TERM_CONST ? TERM_ONE : rest;
}

// A factor that is 0 says all that the product does, which goes.
static bool enter_factor(prover *p, term_id e, uint32_t i, uint32_t why) {
  for (uint32_t k = p->first; k < p->top; k++) {
    if (p->stack[k].e == e && p->stack[k].kind == HYPOTHESIS_EQ) p->stack[k--] = p->stack[--p->top];
  }
  return case_add(p, factor_of(p, e, i), HYPOTHESIS_EQ, why);
}

// Adds what case i says; false when that refutes it. The cases of a split are all there are.
static bool enter(prover *p, const split *s, uint32_t i, uint32_t mark) {
  term_table *t = p->t;
  uint32_t why = why_join(p, s->why, mark);
  term_id e = s->e, value;
  switch (s->kind) {
  case SPLIT_UNEQUAL:
    e = i ? term_neg(t, e) : e;
    return case_add(p, term_sub(t, e, TERM_ONE), HYPOTHESIS_GE, why);
  case SPLIT_FACTORS: return enter_factor(p, e, i, why);
  case SPLIT_ARGUMENT: return enter_argument(p, e, i, why);
  case SPLIT_SIGN:
    if (i == 2) return case_add(p, e, HYPOTHESIS_EQ, why);
    e = i ? term_neg(t, e) : e;
    return case_add(p, term_sub(t, e, TERM_ONE), HYPOTHESIS_GE, why);
  case SPLIT_AT:
    value = term_const(t, s->value);
    e = i == 0 ? term_sub(t, value, e) : term_sub(t, term_sub(t, e, TERM_ONE), value);
    return case_add(p, e, HYPOTHESIS_GE, why);
  case SPLIT_RESIDUE:
    value = term_int(t, i);
    e = term_add(t, term_scale(t, term_symbol(t), s->value), value);
    return case_replace(p, s->e, e, why);
  default: return enter_indicator(p, s, i, why);
  }
}

static bool pick_literal(prover *p, split *s) {
  for (uint32_t i = p->top; i-- > p->first;) {
    hypothesis h = p->stack[i];
    if (h.kind != HYPOTHESIS_EQ) continue;
    uint32_t cases = 0;
    while (factor_of(p, h.e, cases) != TERM_ONE) cases++;
    if (factor_of(p, h.e, 0) == h.e) continue;
    *s = (split){SPLIT_FACTORS, h.e, cases, NUM(0), h.why};
    return true;
  }
  for (uint32_t i = p->top; i-- > p->first;) {
    hypothesis h = p->stack[i];
    uint32_t why = WHY_NONE;
    if (h.kind != HYPOTHESIS_NE || case_at_least(p, h.e, 1, &why) ||
        case_at_least(p, term_neg(p->t, h.e), 1, &why))
      continue;
    *s = (split){SPLIT_UNEQUAL, h.e, 2, NUM(0), h.why};
    return true;
  }
  return false;
}

static bool pick_atom(prover *p, split *s) {
  for (uint32_t i = 0; i < p->atom_count; i++) {
    const term_node *n = term_get(p->t, p->atoms[i]);
    *s = (split){SPLIT_NONE, p->atoms[i], 2, NUM(0), WHY_NONE};
    switch (n->kind) {
    case TERM_MIN:
    case TERM_MAX:
      s->kind = SPLIT_ARGUMENT;
      s->cases = n->count;
      return true;
    case TERM_SELECT: s->kind = SPLIT_SELECT; return true;
    case TERM_BCAST: s->kind = SPLIT_BCAST; return true;
    case TERM_IS_ZERO: s->kind = SPLIT_IS_ZERO; return true;
    case TERM_IS_NEG: s->kind = SPLIT_IS_NEG; return true;
    default: break;
    }
  }
  for (uint32_t i = 0; i < p->atom_count; i++) {
    if (term_kind_of(p->t, p->atoms[i]) != TERM_FLOORDIV) continue;
    term_id d = term_get(p->t, p->atoms[i])->as.args[1];
    uint32_t why = WHY_NONE;
    if (d == TERM_ZERO || case_at_least(p, d, 1, &why) ||
        case_at_least(p, term_neg(p->t, d), 1, &why))
      continue;
    *s = (split){SPLIT_SIGN, d, 3, NUM(0), WHY_NONE};
    return true;
  }
  return false;
}

// The ends of a symbol that hypotheses name.
static interval ends_of(prover *p, term_id symbol) {
  interval r = interval_all();
  for (uint32_t i = p->first; i < p->top; i++) {
    const term_part *parts;
    term_part one;
    if (p->stack[i].kind != HYPOTHESIS_GE) continue;
    uint32_t n = term_parts(p->t, p->stack[i].e, &parts, &one);
    if (n == 0 || n > 2 || parts[n - 1].monomial != symbol) continue;
    if (n == 2 && parts[0].monomial != TERM_ONE) continue;
    num c = n == 2 ? parts[0].coefficient : NUM(0);
    if (num_is_one(parts[n - 1].coefficient)) {
      r.has_lo = true;
      r.lo = num_neg(p->budget, c);
    } else if (num_is(parts[n - 1].coefficient, -1)) {
      r.has_hi = true;
      r.hi = c;
    }
  }
  return r;
}

// Does the symbol occur in a product or inside another atom?
static bool is_inner(prover *p, term_id symbol) {
  for (uint32_t i = p->first; i < p->top; i++) {
    const term_part *parts;
    term_part one;
    uint32_t n = term_parts(p->t, p->stack[i].e, &parts, &one);
    for (uint32_t k = 0; k < n; k++) {
      if (term_kind_of(p->t, parts[k].monomial) != TERM_SYMBOL &&
          term_mentions(p->t, parts[k].monomial, symbol))
        return true;
    }
  }
  return false;
}

static bool pick_symbol(prover *p, split *s) {
  bool found = false;
  num least = NUM(0);
  for (uint32_t i = 0; i < p->atom_count; i++) {
    term_id x = p->atoms[i];
    const term_node *n = term_get(p->t, x);
    if (n->kind != TERM_SYMBOL) continue;
    if (p->means & MEANS_RESIDUES && n->as.symbol < p->first_fresh && is_inner(p, x)) {
      int64_t m;
      assert(p->modulus_count > 0);
      if (!num_to_int(p->moduli[0], &m)) continue;
      *s = (split){SPLIT_RESIDUE, x, (uint32_t)m, p->moduli[0], WHY_NONE};
      return true;
    }
    if (!(p->means & (MEANS_VALUES | MEANS_ENDS))) continue;
    interval r = ends_of(p, x);
    if (p->means & MEANS_VALUES && r.has_lo && r.has_hi) {
      num width = num_sub(p->budget, r.hi, r.lo);
      if (num_compare(width, NUM(CERTIFY_RANGE)) > 0 || (found && num_compare(width, least) >= 0))
        continue;
      num middle = num_floordiv(p->budget, num_add(p->budget, r.lo, r.hi), NUM(2));
      *s = (split){SPLIT_AT, x, 2, middle, WHY_NONE};
      least = width;
      found = true;
    } else if (p->means & MEANS_ENDS && !found && (r.has_lo || r.has_hi) && is_inner(p, x)) {
      num at = r.has_lo ? r.lo : num_sub(p->budget, r.hi, NUM(1));
      *s = (split){SPLIT_AT, x, 2, at, WHY_NONE};
      return true;
    }
  }
  return found;
}

static bool point_of(prover *p, term_id atom, num *value, num *scale) {
  uint32_t at;
  if (!imap_get(&p->rows.column_of, atom, &at)) return false;
  *value = p->rows.value[at];
  *scale = p->rows.scale[at];
  return true;
}

// A product whose value at the point is not that of its factors.
static bool is_off(prover *p, uint32_t column) {
  const term_power *powers;
  term_power one;
  uint32_t n = term_powers(p->t, p->rows.columns[column], &powers, &one);
  num v = NUM(1), k = NUM(1), x, d;
  for (uint32_t i = 0; i < n; i++) {
    if (!point_of(p, powers[i].atom, &x, &d)) return true;
    v = num_mul(p->budget, v, num_pow(p->budget, x, powers[i].exponent));
    k = num_mul(p->budget, k, num_pow(p->budget, d, powers[i].exponent));
  }
  return !num_equal(num_mul(p->budget, v, p->rows.scale[column]),
                    num_mul(p->budget, k, p->rows.value[column]));
}

// Is it open whether x is negative, 0 or positive? *at: where to split.
static bool has_open_sign(prover *p, term_id x, num *at) {
  uint32_t why = WHY_NONE;
  term_id minus = term_neg(p->t, x);
  bool low = case_at_least(p, x, 0, &why), high = case_at_least(p, minus, 0, &why);
  *at = NUM(low ? 0 : -1);
  if (low == high) return !low;
  return !case_at_least(p, low ? x : minus, 1, &why);
}

// A factor whose sign is open, of a product that is off; those that may have either sign first.
static bool pick_sign(prover *p, split *s) {
  bool found = false;
  for (uint32_t c = 0; c < p->rows.column_count; c++) {
    if (!is_product(p, p->rows.columns[c]) || !is_off(p, c)) continue;
    const term_power *powers;
    term_power one;
    uint32_t n = term_powers(p->t, p->rows.columns[c], &powers, &one);
    for (uint32_t i = 0; i < n; i++) {
      num at;
      if (!has_open_sign(p, powers[i].atom, &at)) continue;
      if (!found || (num_is(s->value, 0) && num_is(at, -1)))
        *s = (split){SPLIT_AT, powers[i].atom, 2, at, WHY_NONE};
      found = true;
    }
  }
  return found;
}

static bool pick_branch(prover *p, split *s) {
  check_rows *rows = &p->rows;
  if (!rows->has_point) return false;
  if (p->means & MEANS_PRODUCTS && pick_sign(p, s)) return true;
  for (uint32_t c = 0; c < rows->column_count; c++) {
    if (num_is_one(rows->scale[c]) || is_product(p, rows->columns[c])) continue;
    if (num_divides(p->budget, rows->scale[c], rows->value[c])) continue;
    num at = num_floordiv(p->budget, rows->value[c], rows->scale[c]);
    *s = (split){SPLIT_AT, rows->columns[c], 2, at, WHY_NONE};
    return true;
  }
  for (uint32_t c = 0; c < rows->column_count; c++) {
    if (!is_product(p, rows->columns[c]) || !is_off(p, c)) continue;
    const term_power *powers;
    term_power one;
    uint32_t n = term_powers(p->t, rows->columns[c], &powers, &one);
    for (uint32_t i = 0; i < n; i++) {
      num v = NUM(0), k = NUM(1);
      term_id x = powers[i].atom;
      point_of(p, x, &v, &k);
      num at = num_floordiv(p->budget, v, k);
      uint32_t why = WHY_NONE;
      if (case_at_least(p, term_sub(p->t, term_const(p->t, at), x), 0, &why))
        at = num_sub(p->budget, at, NUM(1));
      if (case_at_least(p, term_sub(p->t, term_sub(p->t, x, term_const(p->t, at)), TERM_ONE), 0,
                        &why))
        continue;
      *s = (split){SPLIT_AT, x, 2, at, WHY_NONE};
      return true;
    }
  }
  return false;
}

static bool pick(prover *p, split *s) {
  if (pick_literal(p, s) || pick_atom(p, s)) return true;
  if (p->means & (MEANS_RESIDUES | MEANS_VALUES | MEANS_ENDS) && pick_symbol(p, s)) return true;
  return p->means & MEANS_BRANCH && pick_branch(p, s);
}

static bool refute_cases(prover *p, const split *s, uint32_t depth) {
  uint32_t first = p->first, top = p->top, all = WHY_NONE;
  for (uint32_t i = 0; i < s->cases; i++) {
    if (p->leaves == 0) return false;
    p->leaves--;
    uint32_t mark = why_case(p), count = top - first;
    p->stack =
        arena_grow(p->arena, p->stack, top, (size_t)top + count, &p->capacity, sizeof *p->stack);
    memcpy(p->stack + top, p->stack + first, count * sizeof *p->stack);
    p->first = top;
    p->top = top + count;
    bool done = !enter(p, s, i, mark) || case_refute(p, depth + 1);
    assert(p->first == top && p->top >= top);
    p->first = first;
    p->top = top;
    if (!done) return false;
    // What did not need the case refutes the others as well.
    if (!why_rests_on(p, p->reason, mark)) return true;
    all = why_join(p, all, p->reason);
  }
  assert(s->cases > 0);
  p->reason = all;
  return true;
}

bool case_refute(prover *p, uint32_t depth) {
  if (!budget_spend(p->budget, 8)) return false;
  if (!case_solve(p)) return true;
  case_collect_atoms(p);
  if (rows_of_case_refuted(p)) return true;
  split s;
  if (depth >= CERTIFY_DEPTH || !pick(p, &s)) return false;
  return refute_cases(p, &s, depth);
}
