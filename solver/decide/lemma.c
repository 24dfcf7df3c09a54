// SPDX-License-Identifier: Apache-2.0
// Lemmas about products, each true at every integer point of the context:
//   f >= 0 and g >= 0      f*g >= 0        f, g: rows, and distances of factors from their ends (Sherali and Adams 1990;
//                                          with two ends of two symbols these are McCormick's envelopes)
//   e == 0                 e*x == 0
//   x integer              x^2 >= (2c+1)*x - c*(c+1)   for every c: no integer lies between c and c+1
//   x, y                   (x - y)^2 >= 0
//   q == floordiv(e, m)    e - m*q is a residue that the polynomial e takes modulo m
// Rows are added only where their products are known already (later rounds: but for few), so that there are at most
// quadratically many in the small number of factors; a budget of pairs bounds them.
#include <assert.h>
#include <string.h>

#include "solver/decide/solver.h"

typedef struct factors {
  term_id e[LEMMA_FACTORS];  // each >= 0
  // The largest and the smallest monomial of each by monomial_order: in a product of two, those products stay as nothing
  // else cancels them. TERM_NONE: not known so.
  term_id high[LEMMA_FACTORS], low[LEMMA_FACTORS];
  uint32_t count;
  term_id atom[LEMMA_FACTORS];  // that are in products
  uint32_t atom_count;
} factors;

static void add_atom(factors *f, term_id atom) {
  for (uint32_t i = 0; i < f->atom_count; i++) {
    if (f->atom[i] == atom) return;
  }
  if (f->atom_count < LEMMA_FACTORS) f->atom[f->atom_count++] = atom;
}

// A total order of monomials that products keep: by the exponent of the oldest atom in which they differ.
static bool is_larger(const term_table *t, term_id a, term_id b) {
  const term_power *as, *bs;
  term_power ar, br;
  uint32_t an = term_powers(t, a, &as, &ar), bn = term_powers(t, b, &bs, &br), i = 0;
  while (i < an && i < bn && as[i].atom == bs[i].atom && as[i].exponent == bs[i].exponent) i++;
  if (i == an || i == bn) return i < an;
  return as[i].atom == bs[i].atom ? as[i].exponent > bs[i].exponent : as[i].atom < bs[i].atom;
}

static void find_ends(const term_table *t, term_id e, term_id *high, term_id *low) {
  const term_part *parts;
  term_part one;
  uint32_t count = term_parts(t, e, &parts, &one);
  *high = *low = TERM_NONE;
  // An indicator is its own square, and a bigmul may be multiplied out.
  if (term_kinds(t, e) & (KIND_BIT(TERM_IS_ZERO) | KIND_BIT(TERM_IS_NEG) | KIND_BIT(TERM_BIGMUL)))
    return;
  for (uint32_t i = 0; i < count; i++) {
    if (i == 0 || is_larger(t, parts[i].monomial, *high)) *high = parts[i].monomial;
    if (i == 0 || is_larger(t, *low, parts[i].monomial)) *low = parts[i].monomial;
  }
}

static void add_factor(const term_table *t, factors *f, term_id e) {
  for (uint32_t i = 0; i < f->count; i++) {
    if (f->e[i] == e) return;
  }
  if (f->count == LEMMA_FACTORS) return;
  find_ends(t, e, &f->high[f->count], &f->low[f->count]);
  f->e[f->count++] = e;
}

static term_id row_term(context *c, const row *r) {
  term_table *t = c->s->t;
  term_part room[16], *parts = r->count < sizeof room / sizeof *room
                                   ? room
                                   : arena_alloc(c->s->arena, (r->count + 1) * sizeof *parts);
  uint32_t n = 0;
  parts[n++] = (term_part){r->c, TERM_ONE};
  for (uint32_t i = 0; i < r->count; i++)
    parts[n++] = (term_part){r->parts[i].k, c->term[r->parts[i].var]};
  return term_sum(t, parts, n);
}

static void collect(context *c, factors *f) {
  term_table *t = c->s->t;
  f->count = f->atom_count = 0;
  for (uint32_t i = 0; i < c->special_count; i++) {
    assert(c->special[i] < c->var_count);
    term_node node = *term_get(t, c->term[c->special[i]]);
    if (node.kind != TERM_PRODUCT) continue;
    for (uint32_t j = 0; j < node.count; j++) add_atom(f, node.as.powers[j].atom);
  }
  for (uint32_t i = 0; i < f->atom_count; i++) {
    uint32_t var = context_find(c, f->atom[i]);
    if (var == UINT32_MAX) continue;
    interval r = c->range[var];
    if (r.has_lo) add_factor(t, f, term_sub(t, f->atom[i], term_const(t, r.lo)));
    if (r.has_hi) add_factor(t, f, term_sub(t, term_const(t, r.hi), f->atom[i]));
  }
  // Newest rows last: the query's own literal comes early among them and matters most.
  for (uint32_t i = 0; i < c->row_count; i++) {
    const row *r = &c->rows[i];
    if (r->lemma || r->count > LEMMA_PARTS) continue;
    term_id e = row_term(c, r);
    add_factor(t, f, e);
    if (r->eq) add_factor(t, f, term_neg(t, e));
  }
}

// How many monomials of e are no variables yet; UINT32_MAX: too many or of too high a degree.
static uint32_t unknown_monomials(context *c, term_id e, uint32_t *known_products) {
  const term_part *parts;
  term_part one;
  uint32_t count = term_parts(c->s->t, e, &parts, &one), missing = 0;
  *known_products = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (parts[i].monomial == TERM_ONE) continue;
    bool product = term_kind_of(c->s->t, parts[i].monomial) == TERM_PRODUCT;
    if (context_find(c, parts[i].monomial) != UINT32_MAX) {
      *known_products += product;
    } else {
      if (term_get(c->s->t, parts[i].monomial)->degree > LEMMA_DEGREE) return UINT32_MAX;
      missing++;
    }
  }
  return missing;
}

static bool add_lemma(context *c, term_id e, bool eq, uint32_t allowed, uint32_t *added) {
  uint32_t products, before = c->row_count;
  uint32_t missing = unknown_monomials(c, e, &products);
  if (missing > allowed || (products == 0 && missing > 0)) return true;
  if (products == 0) return true;
  if (!context_add(c, e, eq)) return false;
  if (c->row_count > before) {
    c->rows[before].lemma = true;
    ++*added;
  }
  return true;
}

static bool is_unknown(context *c, term_id a, term_id b) {
  term_id m = term_find_product(c->s->t, a, b);
  return m == TERM_NONE || (m != TERM_ONE && context_find(c, m) == UINT32_MAX);
}

// Has the product more unknown monomials than are allowed, as far as its ends say?
static bool brings_too_many(context *c, const factors *f, uint32_t i, uint32_t j,
                            uint32_t allowed) {
  if (f->high[i] == TERM_NONE || f->high[j] == TERM_NONE) return false;
  uint32_t unknown = is_unknown(c, f->high[i], f->high[j]);
  if (unknown <= allowed && (f->low[i] != f->high[i] || f->low[j] != f->high[j]))
    unknown += is_unknown(c, f->low[i], f->low[j]);
  return unknown > allowed;
}

static bool add_pairs(context *c, const factors *f, uint32_t allowed, uint32_t *added) {
  term_table *t = c->s->t;
  uint32_t pairs = 0;
  for (uint32_t j = 0; j < f->count; j++) {
    for (uint32_t i = 0; i <= j; i++) {
      if (++pairs > LEMMA_PAIRS || *added > LEMMA_ROWS || !budget_spend(c->s->budget, 8))
        return true;
      if (term_get(t, f->e[i])->degree + term_get(t, f->e[j])->degree > LEMMA_DEGREE) continue;
      if (brings_too_many(c, f, i, j, allowed)) continue;
      if (!add_lemma(c, term_mul(t, f->e[i], f->e[j]), false, allowed, added)) return false;
    }
  }
  return true;
}

// A product and a variable that divides it: m == rest*x, and rest lies in a range that is known.
static bool add_dominance(context *c, uint32_t *added) {
  qsolver *s = c->s;
  term_table *t = s->t;
  uint32_t specials = c->special_count, count = c->var_count;
  for (uint32_t i = 0; i < specials; i++) {
    term_id m = c->term[c->special[i]];
    if (term_kind_of(t, m) != TERM_PRODUCT) continue;
    for (uint32_t j = 0; j < count; j++) {
      term_id rest, x = c->term[j];
      if (x == m || !budget_spend(s->budget, 2) || *added > LEMMA_ROWS) continue;
      if ((term_mask(s->t, m) & term_mask(s->t, x)) != term_mask(s->t, x)) continue;
      if (term_get(t, x)->degree >= term_get(t, m)->degree || !term_divide_exact(t, m, x, &rest))
        continue;
      interval r = context_range(c, rest), at = c->range[j];
      bool up = interval_is_nonnegative(at), down = at.has_hi && num_sign(at.hi) <= 0;
      if (!up && !down) continue;
      // (rest - lo)*x and (hi - rest)*x have the sign of x
      num low = down ? num_neg(s->budget, NUM(1)) : NUM(1);
      if (r.has_lo) {
        term_id e = term_scale(t, term_sub(t, m, term_scale(t, x, r.lo)), low);
        if (!add_lemma(c, e, false, 0, added)) return false;
      }
      if (r.has_hi) {
        term_id e = term_scale(t, term_sub(t, term_scale(t, x, r.hi), m), low);
        if (!add_lemma(c, e, false, 0, added)) return false;
      }
    }
  }
  return true;
}

static bool add_equalities(context *c, const factors *f, uint32_t allowed, uint32_t *added) {
  term_table *t = c->s->t;
  uint32_t rows = c->row_count;
  for (uint32_t i = 0; i < rows; i++) {
    if (!c->rows[i].eq || c->rows[i].lemma || c->rows[i].count > LEMMA_EQUALITY_PARTS) continue;
    term_id e = row_term(c, &c->rows[i]);
    for (uint32_t j = 0; j < f->atom_count; j++) {
      if (*added > LEMMA_ROWS || !budget_spend(c->s->budget, 8)) return true;
      if (!add_lemma(c, term_mul(t, e, f->atom[j]), true, allowed, added)) return false;
    }
  }
  return true;
}

static bool add_squares(context *c, const factors *f, uint32_t *added) {
  term_table *t = c->s->t;
  for (uint32_t i = 0; i < f->atom_count; i++) {
    term_id x = f->atom[i], square = term_mul(t, x, x);
    uint32_t var = context_find(c, x);
    if (var == UINT32_MAX || context_find(c, square) == UINT32_MAX) continue;
    num from = c->range[var].has_lo ? c->range[var].lo : NUM(-1);
    for (int64_t k = 0; k < LEMMA_TANGENTS; k++) {  // (x - c)*(x - c - 1) >= 0
      term_id d = term_sub(t, x, term_const(t, num_add(c->s->budget, from, NUM(k))));
      if (!add_lemma(c, term_mul(t, d, term_sub(t, d, TERM_ONE)), false, 0, added)) return false;
    }
    for (uint32_t j = i + 1; j < f->atom_count; j++) {
      term_id d = term_sub(t, x, f->atom[j]), s = term_add(t, x, f->atom[j]);
      if (!add_lemma(c, term_mul(t, d, d), false, 0, added)) return false;
      if (!add_lemma(c, term_mul(t, s, s), false, 0, added)) return false;
    }
  }
  return true;
}

// --- residues of polynomials

typedef struct residue_table {
  term_id atom[LEMMA_ATOMS];
  uint32_t atom_count, modulus;
  uint32_t value[LEMMA_ATOMS];
} residue_table;

// The value of e modulo the modulus at the table's values.
static uint32_t residue_at(context *c, const residue_table *r, term_id e) {
  qsolver *s = c->s;
  const term_part *parts;
  term_part one;
  uint32_t count = term_parts(s->t, e, &parts, &one);
  uint64_t sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t x = (uint64_t)num_mod(s->budget, parts[i].coefficient, NUM(r->modulus)).small;
    if (parts[i].monomial != TERM_ONE) {
      const term_power *powers;
      term_power room;
      uint32_t n = term_powers(s->t, parts[i].monomial, &powers, &room);
      for (uint32_t j = 0; j < n; j++) {
        uint32_t at = 0;
        while (r->atom[at] != powers[j].atom) at++;
        assert(at < r->atom_count);
        for (uint32_t k = 0; k < powers[j].exponent && k <= LEMMA_EXPONENT; k++)
          x = x * r->value[at] % r->modulus;
      }
    }
    sum = (sum + x) % r->modulus;
  }
  return (uint32_t)sum;
}

static bool table_of(context *c, term_id e, int64_t modulus, residue_table *r) {
  qsolver *s = c->s;
  const term_part *parts;
  term_part one;
  uint32_t count = term_parts(s->t, e, &parts, &one);
  assert(modulus >= 2);
  *r = (residue_table){.modulus = (uint32_t)modulus};
  int64_t size = 1;
  bool nonlinear = false;
  for (uint32_t i = 0; i < count; i++) {
    if (parts[i].monomial == TERM_ONE) continue;
    const term_power *powers;
    term_power room;
    uint32_t n = term_powers(s->t, parts[i].monomial, &powers, &room);
    nonlinear |= n > 1 || powers[0].exponent > 1;
    for (uint32_t j = 0; j < n; j++) {
      uint32_t at = 0;
      if (powers[j].exponent > LEMMA_EXPONENT) return false;
      while (at < r->atom_count && r->atom[at] != powers[j].atom) at++;
      if (at < r->atom_count) continue;
      if (at == LEMMA_ATOMS || (size *= modulus) > LEMMA_TABLE) return false;
      r->atom[r->atom_count++] = powers[j].atom;
    }
  }
  return nonlinear && r->atom_count > 0;
}

// Bounds the remainder of q = floordiv(e, m) by the residues that e takes.
static bool add_residues(context *c, uint32_t var, uint32_t *added) {
  qsolver *s = c->s;
  term_table *t = s->t;
  term_node node = *term_get(t, c->term[var]);
  int64_t m;
  residue_table r;
  if (node.kind != TERM_FLOORDIV || !term_int_value(t, node.as.args[1], &m) || m < 2 ||
      m > LEMMA_MODULUS)
    return true;
  if (!table_of(c, node.as.args[0], m, &r)) return true;
  uint32_t least = (uint32_t)m, most = 0;
  for (;;) {
    uint32_t x = residue_at(c, &r, node.as.args[0]);
    if (x < least) least = x;
    if (x > most) most = x;
    if (least == 0 && most == m - 1) return true;
    uint32_t k = 0;
    while (k < r.atom_count && ++r.value[k] == r.modulus) r.value[k++] = 0;
    if (k == r.atom_count) break;
    budget_spend(s->budget, 1);
  }
  assert(least <= most);
  term_id rest = term_sub(t, node.as.args[0], term_scale(t, c->term[var], NUM(m)));
  ++*added;
  return context_add(c, term_sub(t, rest, term_int(t, least)), false) &&
         context_add(c, term_sub(t, term_int(t, most), rest), false);
}

bool lemmas_add(context *c, uint32_t round, uint32_t *added) {
  *added = 0;
  uint32_t count = c->var_count;
  if (round == 0) {
    for (uint32_t i = 0; i < count; i++) {
      if (!add_residues(c, i, added)) return false;
    }
  }
  if (c->special_count == 0) return true;
  factors *f = arena_alloc(c->s->arena, sizeof *f);
  collect(c, f);
  uint32_t allowed = round == 0 ? 0 : round;
  if (!add_dominance(c, added)) return false;
  return add_equalities(c, f, allowed, added) && add_pairs(c, f, allowed, added) &&
         add_squares(c, f, added);
}
