// SPDX-License-Identifier: Apache-2.0
// The general simplex of Dutertre and de Moura (2006), over integers, with branch and bound.
//
// A tableau row says D * basic == sum T[j] * nonbasic[j] with integers and D > 0, divided by their gcd. Nonbasic variables
// always have integer values (they rest on their bounds, or on 0), so the value of a basic variable is an integer over D
// and no fractions are needed. The pivoting rule is Bland's, which ends. A row without a helpful nonbasic variable refutes
// the constraints over the rationals; over the integers it is the gcd test of a row, then branching on a variable whose
// value is no integer, with a bounded number of nodes.
#include <string.h>

#include "solver/store/query_solver.h"

enum { MAX_CELLS = 60000, MAX_PIVOTS = 400, MAX_NODES = 14, MAX_BRANCH_DEPTH = 14 };

typedef struct tableau {
  qsolver *s;
  shape_budget *b;
  uint32_t rows, columns;      // basic and nonbasic variables
  num *cell;                   // rows * columns
  num *denominator;            // of each row
  num *scaled;                 // value of each basic variable times its denominator
  uint32_t *basic, *nonbasic;  // variable numbers: those of the context, then one slack per row
  num *value;                  // of the nonbasic, by column
  interval *range;             // by variable
  uint32_t nodes;
  uint32_t integers;  // variables below this number are branched on
} tableau;

static num *row_of(const tableau *t, uint32_t i) { return t->cell + (size_t)i * t->columns; }

static bool add_product(shape_budget *b, num *sum, num x, num y) {
  if (num_is_zero(x) || num_is_zero(y)) return false;
  *sum = num_add(b, *sum, num_mul(b, x, y));
  return true;
}

static void evaluate_row(tableau *t, uint32_t i) {
  const num *cells = row_of(t, i);
  num sum = NUM(0);
  for (uint32_t j = 0; j < t->columns; j++) add_product(t->b, &sum, cells[j], t->value[j]);
  t->scaled[i] = sum;
}

// reduce_row where all numbers are machine words. False: some is not, and nothing was done.
static bool reduce_words(num *cells, uint32_t columns, num *denominator) {
  if (denominator->big) return false;
  uint64_t g = (uint64_t)denominator->small;  // it is positive
  for (uint32_t j = 0; j < columns; j++) {
    if (cells[j].big) return false;
    int64_t k = cells[j].small;
    uint64_t x = k < 0 ? -(uint64_t)k : (uint64_t)k;
    if (x % g == 0) continue;
    for (uint64_t r; (r = x % g) != 0; g = r) x = g;
    if (g == 1) return true;
  }
  if (g == 1) return true;
  denominator->small /= (int64_t)g;
  for (uint32_t j = 0; j < columns; j++) {
    if (cells[j].small) cells[j].small /= (int64_t)g;
  }
  return true;
}

static void reduce_row(tableau *t, uint32_t i) {
  num *cells = row_of(t, i), g = t->denominator[i];
  if (num_is_one(g) || reduce_words(cells, t->columns, &t->denominator[i])) return;
  for (uint32_t j = 0; j < t->columns && !num_is_one(g); j++) {
    if (!num_is_zero(cells[j])) g = num_gcd(t->b, g, cells[j]);
  }
  if (num_is_one(g)) return;
  t->denominator[i] = num_floordiv(t->b, t->denominator[i], g);
  for (uint32_t j = 0; j < t->columns; j++) {
    if (!num_is_zero(cells[j])) cells[j] = num_floordiv(t->b, cells[j], g);
  }
}

// Exchanges the basic variable of row r with the nonbasic one of column c; the leaving variable rests on `value`.
static void pivot(tableau *t, uint32_t r, uint32_t c, num value) {
  shape_budget *b = t->b;
  num *cells = row_of(t, r), d = t->denominator[r], k = cells[c];
  // k*x_c == d*basic - sum of the rest; made so that the new denominator |k| is positive
  bool positive = num_sign(k) > 0;
  num size = positive ? k : num_neg(b, k);
  for (uint32_t j = 0; j < t->columns; j++) {
    if (j != c && positive && !num_is_zero(cells[j])) cells[j] = num_neg(b, cells[j]);
  }
  cells[c] = positive ? d : num_neg(b, d);
  t->denominator[r] = size;
  reduce_row(t, r);
  size = t->denominator[r];
  uint32_t leaving = t->basic[r];
  t->basic[r] = t->nonbasic[c];
  t->nonbasic[c] = leaving;
  t->value[c] = value;
  evaluate_row(t, r);
  bool whole = num_is_one(size);
  for (uint32_t i = 0; i < t->rows; i++) {  // rows without the column keep their values
    if (i == r) continue;
    num *other = row_of(t, i), f = other[c];
    if (num_is_zero(f)) continue;
    // D*x == sum other + f*x_c, times size
    other[c] = NUM(0);
    for (uint32_t j = 0; j < t->columns; j++) {
      if (!whole && !num_is_zero(other[j])) other[j] = num_mul(b, other[j], size);
      add_product(b, &other[j], f, cells[j]);
    }
    if (!whole) t->denominator[i] = num_mul(b, t->denominator[i], size);
    reduce_row(t, i);
    evaluate_row(t, i);
  }
}

// -1: below its range, 1: above, 0: fine.
static int violation(const tableau *t, uint32_t i) {
  const interval *r = &t->range[t->basic[i]];
  if (r->has_lo && num_compare(t->scaled[i], num_mul(t->b, r->lo, t->denominator[i])) < 0)
    return -1;
  if (r->has_hi && num_compare(t->scaled[i], num_mul(t->b, r->hi, t->denominator[i])) > 0) return 1;
  return 0;
}

// OPEN: the pivots are spent. MODEL: feasible over the rationals.
static verdict feasible(tableau *t) {
  for (uint32_t n = 0; n < MAX_PIVOTS; n++) {
    uint32_t r = UINT32_MAX;
    int side = 0;
    for (uint32_t i = 0; i < t->rows; i++) {
      if (r != UINT32_MAX && t->basic[i] > t->basic[r]) continue;
      int v = violation(t, i);
      if (v) {
        r = i;
        side = v;
      }
    }
    if (r == UINT32_MAX) return VERDICT_MODEL;
    if (!budget_spend(t->b, t->rows * t->columns / 4 + 1)) return VERDICT_OPEN;
    const num *cells = row_of(t, r);
    uint32_t c = UINT32_MAX;
    for (uint32_t j = 0; j < t->columns; j++) {
      if (num_is_zero(cells[j]) || (c != UINT32_MAX && t->nonbasic[j] > t->nonbasic[c])) continue;
      bool up = (num_sign(cells[j]) > 0) == (side < 0);
      const interval *x = &t->range[t->nonbasic[j]];
      if (up ? x->has_hi && num_compare(t->value[j], x->hi) >= 0
             : x->has_lo && num_compare(t->value[j], x->lo) <= 0) {
        continue;
      }
      c = j;
    }
    if (c == UINT32_MAX) return VERDICT_REFUTED;
    const interval *leaving = &t->range[t->basic[r]];
    pivot(t, r, c, side < 0 ? leaving->lo : leaving->hi);
  }
  return VERDICT_OPEN;
}

// A row whose free part can only give multiples of g, while the fixed part is none, has no integer solution.
static bool gcd_refutes(tableau *t, uint32_t i) {
  const num *cells = row_of(t, i);
  num g = t->denominator[i], fixed = NUM(0);
  for (uint32_t j = 0; j < t->columns; j++) {
    const interval *r = &t->range[t->nonbasic[j]];
    if (r->has_lo && r->has_hi && num_equal(r->lo, r->hi)) {
      add_product(t->b, &fixed, cells[j], r->lo);
    } else if (!num_is_zero(cells[j])) {
      g = num_gcd(t->b, g, cells[j]);
    }
    if (num_is_one(g)) return false;
  }
  return !num_divides(t->b, g, fixed);
}

static void copy_tableau(tableau *to, const tableau *from) {
  shape_arena *arena = from->s->arena;
  size_t cells = (size_t)from->rows * from->columns;
  *to = *from;
  to->cell = arena_alloc(arena, cells * sizeof *to->cell);
  memcpy(to->cell, from->cell, cells * sizeof *to->cell);
  to->denominator = arena_alloc(arena, from->rows * sizeof *to->denominator);
  memcpy(to->denominator, from->denominator, from->rows * sizeof *to->denominator);
  to->scaled = arena_alloc(arena, from->rows * sizeof *to->scaled);
  memcpy(to->scaled, from->scaled, from->rows * sizeof *to->scaled);
  to->basic = arena_alloc(arena, from->rows * sizeof *to->basic);
  memcpy(to->basic, from->basic, from->rows * sizeof *to->basic);
  to->nonbasic = arena_alloc(arena, from->columns * sizeof *to->nonbasic);
  memcpy(to->nonbasic, from->nonbasic, from->columns * sizeof *to->nonbasic);
  to->value = arena_alloc(arena, from->columns * sizeof *to->value);
  memcpy(to->value, from->value, from->columns * sizeof *to->value);
  size_t variables = (size_t)from->rows + from->columns;
  to->range = arena_alloc(arena, variables * sizeof *to->range);
  memcpy(to->range, from->range, variables * sizeof *to->range);
}

static verdict branch(tableau *t, uint32_t depth, num *values) {
  verdict v = feasible(t);
  if (v != VERDICT_MODEL) return v;
  uint32_t r = UINT32_MAX;
  for (uint32_t i = 0; i < t->rows; i++) {
    if (num_divides(t->b, t->denominator[i], t->scaled[i])) continue;
    if (gcd_refutes(t, i)) return VERDICT_REFUTED;
    if (t->basic[i] >= t->integers) continue;
    if (r == UINT32_MAX || t->basic[i] < t->basic[r]) r = i;
  }
  if (r == UINT32_MAX) {
    for (uint32_t i = 0; i < t->rows; i++) {
      if (t->basic[i] < t->integers)
        values[t->basic[i]] = num_floordiv(t->b, t->scaled[i], t->denominator[i]);
    }
    for (uint32_t j = 0; j < t->columns; j++) {
      if (t->nonbasic[j] < t->integers) values[t->nonbasic[j]] = t->value[j];
    }
    return VERDICT_MODEL;
  }
  if (depth >= MAX_BRANCH_DEPTH || t->nodes == 0) return VERDICT_OPEN;
  num below = num_floordiv(t->b, t->scaled[r], t->denominator[r]);
  uint32_t variable = t->basic[r];
  verdict all = VERDICT_REFUTED;
  for (int side = 0; side < 2; side++) {
    if (t->nodes == 0) return VERDICT_OPEN;
    t->nodes--;
    tableau child;
    copy_tableau(&child, t);
    interval with =
        side == 0 ? interval_at_most(below) : interval_at_least(num_add(t->b, below, NUM(1)));
    if (!interval_meet(child.range[variable], with, &child.range[variable])) continue;
    v = branch(&child, depth + 1, values);
    t->nodes = child.nodes;
    if (v == VERDICT_MODEL) return v;
    if (v == VERDICT_OPEN) return v;
  }
  return all;
}

// Rows that the ranges alone make true are left out.
static bool redundant(context *c, const row *r) {
  if (r->eq) return false;
  num least = r->c;
  for (uint32_t i = 0; i < r->count; i++) {
    const interval *x = &c->range[r->parts[i].var];
    bool up = num_sign(r->parts[i].k) > 0;
    if (up ? !x->has_lo : !x->has_hi) return false;
    add_product(c->s->budget, &least, r->parts[i].k, up ? x->lo : x->hi);
  }
  return num_sign(least) >= 0;
}

verdict simplex_check(context *c, num *values) {
  qsolver *s = c->s;
  uint32_t *column = arena_alloc(s->arena, (c->var_count + 1) * sizeof *column), columns = 0,
           rows = 0;
  uint32_t *kept = arena_alloc(s->arena, (c->row_count + 1) * sizeof *kept);
  memset(column, 0xff, (c->var_count + 1) * sizeof *column);
  for (uint32_t i = 0; i < c->row_count; i++) {
    if (redundant(c, &c->rows[i])) continue;
    kept[rows++] = i;
    for (uint32_t k = 0; k < c->rows[i].count; k++) {
      uint32_t var = c->rows[i].parts[k].var;
      if (column[var] == UINT32_MAX) column[var] = columns++;
    }
  }
  for (uint32_t v = 0; v < c->var_count; v++) {
    interval r = c->range[v];
    values[v] = r.has_lo ? r.lo : r.has_hi ? r.hi : NUM(0);
  }
  if (rows == 0) return VERDICT_MODEL;
  if ((uint64_t)rows * columns > MAX_CELLS) {
    s->spent = true;
    return VERDICT_OPEN;
  }
  tableau t = {.s = s,
               .b = s->budget,
               .rows = rows,
               .columns = columns,
               .nodes = MAX_NODES,
               .integers = columns};
  t.cell = arena_alloc(s->arena, (size_t)rows * columns * sizeof *t.cell);
  for (size_t i = 0; i < (size_t)rows * columns; i++) t.cell[i] = NUM(0);
  t.denominator = arena_alloc(s->arena, rows * sizeof *t.denominator);
  t.scaled = arena_alloc(s->arena, rows * sizeof *t.scaled);
  t.basic = arena_alloc(s->arena, rows * sizeof *t.basic);
  t.nonbasic = arena_alloc(s->arena, columns * sizeof *t.nonbasic);
  t.value = arena_alloc(s->arena, columns * sizeof *t.value);
  t.range = arena_alloc(s->arena, ((size_t)rows + columns) * sizeof *t.range);
  for (uint32_t v = 0; v < c->var_count; v++) {
    if (column[v] == UINT32_MAX) continue;
    t.nonbasic[column[v]] = column[v];
    t.range[column[v]] = c->range[v];
    t.value[column[v]] = values[v];
  }
  for (uint32_t i = 0; i < rows; i++) {
    const row *r = &c->rows[kept[i]];
    for (uint32_t k = 0; k < r->count; k++) row_of(&t, i)[column[r->parts[k].var]] = r->parts[k].k;
    t.denominator[i] = NUM(1);
    t.basic[i] = columns + i;
    num bound = num_neg(s->budget, r->c);
    t.range[columns + i] = r->eq ? interval_point(bound) : interval_at_least(bound);
    evaluate_row(&t, i);
  }
  num *found = arena_alloc(s->arena, columns * sizeof *found);
  verdict v = branch(&t, 0, found);
  if (v == VERDICT_MODEL) {
    for (uint32_t var = 0; var < c->var_count; var++) {
      if (column[var] != UINT32_MAX) values[var] = found[column[var]];
    }
  }
  return v;
}
