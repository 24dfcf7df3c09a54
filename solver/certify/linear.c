// SPDX-License-Identifier: Apache-2.0
// Rational infeasibility of linear rows over monomials, by factors that are verified. See prover.h.
//
// Rows e >= 0 become basic variables, columns (free) and rows that left the basis are the others:
//   denominator[r] * basic[r] == cell[r][0] + sum cell[r][c] * nonbasic[c]
// At the point where all nonbasic variables are 0 each basic one is cell[r][0]/denominator. A negative one whose row has no
// variable that may raise it gives the factors (Dutertre and de Moura 2006). Bland's rule: the least numbers first, so
// it ends. Integers and one denominator a row: exact.
#include <assert.h>
#include <string.h>

#include "solver/certify/prover.h"

void rows_clear(prover *p) {
  check_rows *s = &p->rows;
  s->count = s->column_count = 0;
  imap_clear(&s->column_of);
  s->has_point = false;
}

static bool add_columns(prover *p, term_id e) {
  check_rows *s = &p->rows;
  const term_part *parts;
  term_part one;
  uint32_t count = term_parts(p->t, e, &parts, &one), at;
  for (uint32_t i = 0; i < count; i++) {
    term_id m = parts[i].monomial;
    if (m == TERM_ONE || imap_get(&s->column_of, m, &at)) continue;
    if (s->column_count == CERTIFY_COLUMNS) return false;
    s->columns = arena_grow(p->arena, s->columns, s->column_count, (size_t)s->column_count + 1,
                            &s->column_capacity, sizeof *s->columns);
    imap_put(&s->column_of, p->arena, m, s->column_count);
    s->columns[s->column_count++] = m;
  }
  return true;
}

bool rows_push(prover *p, term_id e, uint32_t why) {
  check_rows *s = &p->rows;
  if (term_kind_of(p->t, e) == TERM_CONST || s->count == CERTIFY_ROWS) return false;
  for (uint32_t i = 0; i < s->count; i++) {
    if (s->items[i].e == e) return false;
  }
  if (!add_columns(p, e)) return false;
  s->items = arena_grow(p->arena, s->items, s->count, (size_t)s->count + 1, &s->capacity,
                        sizeof *s->items);
  s->items[s->count++] = (check_row){e, why};
  return true;
}

static num *row_of(check_rows *s, uint32_t row) {
  assert(row < s->count);
  return s->cells + (size_t)row * (s->column_count + 1);
}

static void set_up(prover *p) {
  check_rows *s = &p->rows;
  uint32_t width = s->column_count + 1;
  s->cells = arena_grow(p->arena, s->cells, 0, (size_t)width * s->count + 1, &s->cell_capacity,
                        sizeof *s->cells);
  if (!s->basic) {
    s->basic = arena_alloc(p->arena, CERTIFY_ROWS * sizeof *s->basic);
    s->denominators = arena_alloc(p->arena, CERTIFY_ROWS * sizeof *s->denominators);
    s->nonbasic = arena_alloc(p->arena, CERTIFY_COLUMNS * sizeof *s->nonbasic);
    s->value = arena_alloc(p->arena, CERTIFY_COLUMNS * sizeof *s->value);
    s->scale = arena_alloc(p->arena, CERTIFY_COLUMNS * sizeof *s->scale);
  }
  for (uint32_t c = 0; c < s->column_count; c++) s->nonbasic[c] = c;
  for (uint32_t r = 0; r < s->count; r++) {
    num *row = row_of(s, r);
    const term_part *parts;
    term_part one;
    uint32_t count = term_parts(p->t, s->items[r].e, &parts, &one), at = 0;
    for (uint32_t c = 0; c < width; c++) row[c] = NUM(0);
    for (uint32_t i = 0; i < count; i++) {
      bool constant = parts[i].monomial == TERM_ONE;
      if (!constant) imap_get(&s->column_of, parts[i].monomial, &at);
      assert(constant || at < s->column_count);
      row[constant ? 0 : at + 1] = parts[i].coefficient;
    }
    s->basic[r] = s->column_count + r;
    s->denominators[r] = NUM(1);
  }
}

static void reduce(prover *p, num *row, num *denominator) {
  uint32_t width = p->rows.column_count + 1;
  num g = *denominator;
  for (uint32_t c = 0; c < width && !num_is_one(g); c++) {
    if (!num_is_zero(row[c])) g = num_gcd(p->budget, g, row[c]);
  }
  assert(num_sign(g) > 0);
  if (num_is_one(g)) return;
  for (uint32_t c = 0; c < width; c++) {
    if (!num_is_zero(row[c])) row[c] = num_floordiv(p->budget, row[c], g);
  }
  *denominator = num_floordiv(p->budget, *denominator, g);
}

// Basic variable r and nonbasic variable c (a column of cells, from 1) are exchanged.
static void pivot(prover *p, uint32_t r, uint32_t c) {
  check_rows *s = &p->rows;
  shape_budget *b = p->budget;
  uint32_t width = s->column_count + 1;
  assert(r < s->count && c >= 1 && c < width);
  num *row = row_of(s, r), k = row[c], d = s->denominators[r];
  assert(!num_is_zero(k));
  bool positive = num_sign(k) > 0;
  // k*N == d*B - rest
  for (uint32_t i = 0; i < width; i++) {
    if (i != c && positive && !num_is_zero(row[i])) row[i] = num_neg(b, row[i]);
  }
  row[c] = positive ? d : num_neg(b, d);
  s->denominators[r] = num_abs(b, k);
  uint32_t left = s->basic[r];
  s->basic[r] = s->nonbasic[c - 1];
  s->nonbasic[c - 1] = left;
  assert(num_sign(s->denominators[r]) > 0);
  reduce(p, row, &s->denominators[r]);
  d = s->denominators[r];
  for (uint32_t i = 0; i < s->count; i++) {
    num *other = row_of(s, i), f = other[c];
    if (i == r || num_is_zero(f)) continue;
    other[c] = NUM(0);
    for (uint32_t j = 0; j < width; j++) {
      if (num_is_zero(row[j]) && (num_is_one(d) || num_is_zero(other[j]))) continue;
      other[j] = num_add(b, num_mul(b, other[j], d), num_mul(b, f, row[j]));
    }
    s->denominators[i] = num_mul(b, s->denominators[i], d);
    reduce(p, other, &s->denominators[i]);
  }
}

// The factors of the row that cannot be raised, tried on the terms themselves.
static bool verified(prover *p, uint32_t r) {
  check_rows *s = &p->rows;
  const num *row = row_of(s, r);
  assert(s->basic[r] >= s->column_count);
  term_id sum = term_scale(p->t, s->items[s->basic[r] - s->column_count].e, s->denominators[r]);
  uint32_t why = s->items[s->basic[r] - s->column_count].why;
  if (num_sign(s->denominators[r]) <= 0) return false;
  for (uint32_t c = 0; c < s->column_count; c++) {
    num factor = num_neg(p->budget, row[c + 1]);
    if (num_is_zero(factor)) continue;
    if (s->nonbasic[c] < s->column_count || num_sign(factor) < 0) return false;
    const check_row *used = &s->items[s->nonbasic[c] - s->column_count];
    sum = term_add(p->t, sum, term_scale(p->t, used->e, factor));
    why = why_join(p, why, used->why);
  }
  num total;
  if (!term_const_value(p->t, sum, &total) || num_sign(total) >= 0) return false;
  p->reason = why;
  return true;
}

static void read_point(prover *p) {
  check_rows *s = &p->rows;
  for (uint32_t c = 0; c < s->column_count; c++) {
    s->value[c] = NUM(0);
    s->scale[c] = NUM(1);
  }
  for (uint32_t r = 0; r < s->count; r++) {
    if (s->basic[r] >= s->column_count) continue;
    s->value[s->basic[r]] = row_of(s, r)[0];
    s->scale[s->basic[r]] = s->denominators[r];
  }
  s->has_point = true;
}

bool rows_refuted(prover *p) {
  check_rows *s = &p->rows;
  set_up(p);
  for (uint32_t pivots = 0; pivots < CERTIFY_PIVOTS; pivots++) {
    uint32_t leaving = s->count, entering = 0;
    for (uint32_t r = 0; r < s->count; r++) {
      if (s->basic[r] < s->column_count || num_sign(row_of(s, r)[0]) >= 0) continue;
      if (leaving == s->count || s->basic[r] < s->basic[leaving]) leaving = r;
    }
    if (leaving == s->count) {
      read_point(p);
      return false;
    }
    const num *row = row_of(s, leaving);
    for (uint32_t c = 1; c <= s->column_count; c++) {
      uint32_t variable = s->nonbasic[c - 1];
      int sign = num_sign(row[c]);
      if (sign == 0 || (variable >= s->column_count && sign < 0)) continue;
      if (!entering || variable < s->nonbasic[entering - 1]) entering = c;
    }
    if (!entering) return verified(p, leaving);
    if (!budget_spend(p->budget, s->count * (s->column_count + 1) / 16 + 1)) return false;
    pivot(p, leaving, entering);
  }
  return false;
}
