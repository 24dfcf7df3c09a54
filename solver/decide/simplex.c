// SPDX-License-Identifier: Apache-2.0
// The general simplex of Dutertre and de Moura (2006), over integers, with branch and bound.
//
// A tableau row says D * basic == sum T[j] * nonbasic[j] with integers and D > 0, divided by their gcd. Nonbasic variables
// always have integer values (they rest on their bounds, or on 0), so the value of a basic variable is an integer over D
// and no fractions are needed. The pivoting rule is Bland's, which ends. A row without a helpful nonbasic variable refutes
// the constraints over the rationals; over the integers it is the gcd test of a row, then branching on a variable whose
// value is no integer, with a bounded number of nodes.
//
// An optimum begins at a feasible point and lets the objective rise along the rows, again by Bland's rule. What it cannot
// pass, rounded to an integer, is a bound whatever the magnitude of the numbers; where the point there is none of integers,
// it branches, and leaves out what cannot rise above the best point found.
#include <assert.h>
#include <string.h>

#include "solver/decide/solver.h"

typedef struct tableau {
  qsolver *s;
  shape_budget *b;
  uint32_t rows, columns;  // basic and nonbasic variables
  num *cell;               // rows * columns
  num *denominator;        // of each row
  num *scaled;  // value of each basic variable times its denominator: the sum of cells times values
  uint32_t *basic, *nonbasic;  // variable numbers: those of the context, then one slack per row
  num *value;                  // of the nonbasic, by column
  uint32_t *filled;            // room for the columns of one row that are not 0
  interval *range;             // by variable
  uint32_t nodes;
  uint32_t integers;  // variables below this number are branched on
} tableau;

static num *row_of(const tableau *t, uint32_t i) { return t->cell + (size_t)i * t->columns; }

static inline void add_product(shape_budget *b, num *sum, num x, num y) {
  if (!num_is_zero(x) && !num_is_zero(y)) *sum = num_add(b, *sum, num_mul(b, x, y));
}

// reduce_cells where all numbers are machine words. False: some is not, and nothing was done.
static bool reduce_words(num *cells, uint32_t columns, num *denominator) {
  if (denominator->big) return false;
  uint64_t g = (uint64_t)denominator->small;  // it is positive
  assert(g > 0);
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

static void reduce_cells(tableau *t, uint32_t i) {
  num *cells = row_of(t, i), g = t->denominator[i];
  if (reduce_words(cells, t->columns, &t->denominator[i])) return;
  for (uint32_t j = 0; j < t->columns && !num_is_one(g); j++) {
    if (!num_is_zero(cells[j])) g = num_gcd(t->b, g, cells[j]);
  }
  if (num_is_one(g)) return;
  t->denominator[i] = num_floordiv(t->b, t->denominator[i], g);
  for (uint32_t j = 0; j < t->columns; j++) {
    if (!num_is_zero(cells[j])) cells[j] = num_floordiv(t->b, cells[j], g);
  }
}

// Divides a row, and so its value, by what its cells and its denominator have in common.
static void reduce_row(tableau *t, uint32_t i) {
  num before = t->denominator[i];
  if (num_is_one(before)) return;
  reduce_cells(t, i);
  if (num_equal(before, t->denominator[i])) return;
  num g = num_floordiv(t->b, before, t->denominator[i]);
  assert(num_divides(t->b, g, t->scaled[i]));
  t->scaled[i] = num_floordiv(t->b, t->scaled[i], g);
}

// Only such rows are reduced whenever they change: what the numbers of a row share changes no value.
static bool is_large(num denominator) {
  return denominator.big || denominator.small > SIMPLEX_DENOMINATOR;
}

// Exchanges the basic variable of row r with the nonbasic one of column c; the leaving variable rests on `value`.
static void pivot(tableau *t, uint32_t r, uint32_t c, num value) {
  shape_budget *b = t->b;
  num *cells = row_of(t, r), d = t->denominator[r], k = cells[c];
  // k*x_c == d*basic - sum of the rest; made so that the new denominator |k| is positive
  assert(r < t->rows && c < t->columns && !num_is_zero(k));
  bool positive = num_sign(k) > 0;
  num size = positive ? k : num_neg(b, k), from = t->value[c];
  // the same of values: the leaving variable is d*value now, the other one still at its old value
  num rest = num_sub(b, t->scaled[r], num_mul(b, k, from)), at = num_mul(b, d, value);
  t->scaled[r] = positive ? num_sub(b, at, rest) : num_sub(b, rest, at);
  for (uint32_t j = 0; j < t->columns; j++) {
    if (j != c && positive && !num_is_zero(cells[j])) cells[j] = num_neg(b, cells[j]);
  }
  cells[c] = positive ? d : num_neg(b, d);
  t->denominator[r] = size;
  reduce_row(t, r);
  size = t->denominator[r];
  assert(num_sign(size) > 0);
  uint32_t leaving = t->basic[r], filled = 0;
  t->basic[r] = t->nonbasic[c];
  t->nonbasic[c] = leaving;
  t->value[c] = value;
  for (uint32_t j = 0; j < t->columns; j++) {
    if (!num_is_zero(cells[j])) t->filled[filled++] = j;
  }
  bool whole = num_is_one(size);
  for (uint32_t i = 0; i < t->rows; i++) {  // rows without the column keep their values
    if (i == r) continue;
    num *other = row_of(t, i), f = other[c];
    if (num_is_zero(f)) continue;
    // D*x == sum other + f*x_c, times size
    num left = num_sub(b, t->scaled[i], num_mul(b, f, from));
    other[c] = NUM(0);
    if (!whole && num_divides(b, size, f)) {
      f = num_floordiv(b, f, size);
    } else if (!whole) {
      for (uint32_t j = 0; j < t->columns; j++) {
        if (!num_is_zero(other[j])) other[j] = num_mul(b, other[j], size);
      }
      t->denominator[i] = num_mul(b, t->denominator[i], size);
      left = num_mul(b, left, size);
    }
    for (uint32_t n = 0; n < filled; n++) {
      num *cell = &other[t->filled[n]];
      *cell = num_add(b, *cell, num_mul(b, f, cells[t->filled[n]]));
    }
    t->scaled[i] = num_add(b, left, num_mul(b, f, t->scaled[r]));
    if (is_large(t->denominator[i])) reduce_row(t, i);
  }
}

// -1: below its range, 1: above, 0: fine.
static int violation(const tableau *t, uint32_t i) {
  const interval *r = &t->range[t->basic[i]];
  if (num_is_one(t->denominator[i])) {
    if (r->has_lo && num_compare(t->scaled[i], r->lo) < 0) return -1;
    return r->has_hi && num_compare(t->scaled[i], r->hi) > 0;
  }
  if (r->has_lo && num_compare(t->scaled[i], num_mul(t->b, r->lo, t->denominator[i])) < 0)
    return -1;
  if (r->has_hi && num_compare(t->scaled[i], num_mul(t->b, r->hi, t->denominator[i])) > 0) return 1;
  return 0;
}

// OPEN: the pivots are spent. MODEL: feasible over the rationals.
static verdict feasible(tableau *t) {
  for (uint32_t n = 0; n < SIMPLEX_PIVOTS; n++) {
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
  assert(num_sign(g) > 0);
  return !num_divides(t->b, g, fixed);
}

static void copy_tableau(tableau *to, const tableau *from) {
  shape_arena *arena = from->s->arena;
  size_t cells = (size_t)from->rows * from->columns;
  assert(from->rows > 0 && from->columns > 0);
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

// The row of the first variable whose value is to be an integer and is none; UINT32_MAX: there is none.
static uint32_t fractional_row(tableau *t, bool *refuted) {
  uint32_t r = UINT32_MAX;
  for (uint32_t i = 0; i < t->rows; i++) {
    if (num_divides(t->b, t->denominator[i], t->scaled[i])) continue;
    if (gcd_refutes(t, i)) {
      *refuted = true;
      return i;
    }
    if (t->basic[i] >= t->integers) continue;
    if (r == UINT32_MAX || t->basic[i] < t->basic[r]) r = i;
  }
  return r;
}

static void take_values(const tableau *t, num *values) {
  for (uint32_t i = 0; i < t->rows; i++) {
    assert(t->basic[i] >= t->integers || num_divides(t->b, t->denominator[i], t->scaled[i]));
    if (t->basic[i] < t->integers)
      values[t->basic[i]] = num_floordiv(t->b, t->scaled[i], t->denominator[i]);
  }
  for (uint32_t j = 0; j < t->columns; j++) {
    if (t->nonbasic[j] < t->integers) values[t->nonbasic[j]] = t->value[j];
  }
}

// The part of t where the variable of row r is at most what it is now, rounded down, or on the other side at least one
// more. False: there is none. Takes a node.
static bool open_side(tableau *t, tableau *child, uint32_t r, int side) {
  num below = num_floordiv(t->b, t->scaled[r], t->denominator[r]);
  uint32_t variable = t->basic[r];
  assert(t->nodes && variable < t->integers);
  t->nodes--;
  copy_tableau(child, t);
  interval with =
      side == 0 ? interval_at_most(below) : interval_at_least(num_add(t->b, below, NUM(1)));
  return interval_meet(child->range[variable], with, &child->range[variable]);
}

static verdict branch(tableau *t, uint32_t depth, num *values) {
  verdict v = feasible(t);
  if (v != VERDICT_MODEL) return v;
  bool refuted = false;
  uint32_t r = fractional_row(t, &refuted);
  if (refuted) return VERDICT_REFUTED;
  if (r == UINT32_MAX) {
    take_values(t, values);
    return VERDICT_MODEL;
  }
  if (depth >= SIMPLEX_DEPTH || t->nodes == 0) return VERDICT_OPEN;
  assert(t->basic[r] < t->integers);
  verdict all = VERDICT_REFUTED;
  for (int side = 0; side < 2; side++) {
    if (t->nodes == 0) return VERDICT_OPEN;
    tableau child;
    if (!open_side(t, &child, r, side)) continue;
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

// The tableau of the rows that are not redundant; `values` are those that the variables begin with. False: too large.
static bool open_tableau(context *c, tableau *t, uint32_t *column, const num *values) {
  qsolver *s = c->s;
  uint32_t columns = 0, rows = 0;
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
  *t = (tableau){.s = s, .b = s->budget, .rows = rows, .columns = columns, .integers = columns};
  if (rows == 0) return true;
  if ((uint64_t)rows * columns > SIMPLEX_CELLS) {
    s->spent = true;
    return false;
  }
  t->cell = arena_zalloc(s->arena, (size_t)rows * columns * sizeof *t->cell);  // all 0
  t->denominator = arena_alloc(s->arena, rows * sizeof *t->denominator);
  t->scaled = arena_alloc(s->arena, rows * sizeof *t->scaled);
  t->basic = arena_alloc(s->arena, rows * sizeof *t->basic);
  t->nonbasic = arena_alloc(s->arena, columns * sizeof *t->nonbasic);
  t->value = arena_alloc(s->arena, columns * sizeof *t->value);
  t->filled = arena_alloc(s->arena, columns * sizeof *t->filled);
  t->range = arena_alloc(s->arena, ((size_t)rows + columns) * sizeof *t->range);
  for (uint32_t v = 0; v < c->var_count; v++) {
    if (column[v] == UINT32_MAX) continue;
    assert(column[v] < columns);
    t->nonbasic[column[v]] = column[v];
    t->range[column[v]] = c->range[v];
    t->value[column[v]] = values[v];
  }
  for (uint32_t i = 0; i < rows; i++) {
    const row *r = &c->rows[kept[i]];
    num *cells = row_of(t, i);
    t->scaled[i] = NUM(0);
    for (uint32_t k = 0; k < r->count; k++) {
      uint32_t j = column[r->parts[k].var];
      cells[j] = r->parts[k].k;
      add_product(s->budget, &t->scaled[i], cells[j], t->value[j]);
    }
    t->denominator[i] = NUM(1);
    t->basic[i] = columns + i;
    num bound = num_neg(s->budget, r->c);
    t->range[columns + i] = r->eq ? interval_point(bound) : interval_at_least(bound);
  }
  return true;
}

static void first_values(const context *c, num *values) {
  for (uint32_t v = 0; v < c->var_count; v++) {
    interval r = c->range[v];
    values[v] = r.has_lo ? r.lo : r.has_hi ? r.hi : NUM(0);
  }
}

static void found_values(const context *c, const uint32_t *column, const num *found, num *values) {
  for (uint32_t var = 0; var < c->var_count; var++) {
    if (column[var] != UINT32_MAX) values[var] = found[column[var]];
  }
}

// Do the values satisfy the rows? False as well where there are more rows than a tableau may be of.
static bool rows_hold(const context *c, const num *values) {
  if ((uint64_t)c->row_count * c->var_count > SIMPLEX_CELLS) return false;
  for (uint32_t i = 0; i < c->row_count; i++) {
    const row *r = &c->rows[i];
    num sum = r->c;
    for (uint32_t k = 0; k < r->count; k++)
      add_product(c->s->budget, &sum, r->parts[k].k, values[r->parts[k].var]);
    if (r->eq ? !num_is_zero(sum) : num_sign(sum) < 0) return false;
  }
  return true;
}

verdict simplex_check(context *c, num *values) {
  shape_arena *arena = c->s->arena;
  uint32_t *column = arena_alloc(arena, (c->var_count + 1) * sizeof *column);
  tableau t;
  first_values(c, values);
  if (rows_hold(c, values)) return VERDICT_MODEL;
  if (!open_tableau(c, &t, column, values)) return VERDICT_OPEN;
  if (t.rows == 0) return VERDICT_MODEL;
  t.nodes = SIMPLEX_NODES;
  num *found = arena_alloc(arena, t.columns * sizeof *found);
  verdict v = branch(&t, 0, found);
  if (v == VERDICT_MODEL) found_values(c, column, found, values);
  return v;
}

// --- optima

typedef struct ascent {
  uint32_t objective;  // the variable that is to be large
  bool found;          // a point of integers, `best` its objective
  num best;
  num *values;
  simplex_end end;  // of what was left out; nothing was where it is below `best`
  bool left_out;
} ascent;

// Lets the nonbasic variable of column c move up or down as far as all ranges let it. False: nothing ends it.
static bool advance(tableau *t, uint32_t c, bool up) {
  shape_budget *b = t->b;
  const interval *own = &t->range[t->nonbasic[c]];
  uint32_t leaving = UINT32_MAX;
  num room = NUM(0), size = NUM(1), stop = NUM(0);  // the step is room / size
  bool ends = up ? own->has_hi : own->has_lo;
  if (ends) {
    stop = up ? own->hi : own->lo;
    room = up ? num_sub(b, stop, t->value[c]) : num_sub(b, t->value[c], stop);
  }
  for (uint32_t i = 0; i < t->rows; i++) {
    num k = row_of(t, i)[c];
    const interval *r = &t->range[t->basic[i]];
    bool rises = (num_sign(k) > 0) == up;
    if (num_is_zero(k) || (rises ? !r->has_hi : !r->has_lo)) continue;
    num at = rises ? r->hi : r->lo, limit = num_mul(b, at, t->denominator[i]);
    num here = rises ? num_sub(b, limit, t->scaled[i]) : num_sub(b, t->scaled[i], limit);
    num by = num_abs(b, k);
    int order = ends ? num_compare(num_mul(b, here, size), num_mul(b, room, by)) : -1;
    if (order > 0 || (order == 0 && (leaving == UINT32_MAX || t->basic[i] > t->basic[leaving])))
      continue;
    ends = true;
    leaving = i;
    room = here;
    size = by;
    stop = at;
  }
  if (leaving != UINT32_MAX) {
    pivot(t, leaving, c, stop);
  } else if (ends) {
    num by = num_sub(b, stop, t->value[c]);
    t->value[c] = stop;
    for (uint32_t i = 0; i < t->rows; i++) add_product(b, &t->scaled[i], row_of(t, i)[c], by);
  }
  return ends;
}

static bool may_move(const tableau *t, uint32_t c, bool up) {
  const interval *r = &t->range[t->nonbasic[c]];
  return up ? !r->has_hi || num_compare(t->value[c], r->hi) < 0
            : !r->has_lo || num_compare(t->value[c], r->lo) > 0;
}

// The column that raises the objective, or UINT32_MAX at an optimum, whose value, rounded down, is *top.
static uint32_t rising_column(const tableau *t, uint32_t objective, bool *up, num *top) {
  uint32_t best = UINT32_MAX;
  for (uint32_t j = 0; j < t->columns; j++) {
    if (t->nonbasic[j] != objective) continue;
    *up = true;
    *top = t->value[j];
    return may_move(t, j, true) ? j : UINT32_MAX;
  }
  uint32_t r = 0;
  while (t->basic[r] != objective) r++;
  const num *cells = row_of(t, r);
  for (uint32_t j = 0; j < t->columns; j++) {
    if (num_is_zero(cells[j]) || (best != UINT32_MAX && t->nonbasic[j] > t->nonbasic[best]))
      continue;
    if (!may_move(t, j, num_sign(cells[j]) > 0)) continue;
    best = j;
    *up = num_sign(cells[j]) > 0;
  }
  *top = num_floordiv(t->b, t->scaled[r], t->denominator[r]);
  return best;
}

typedef enum climbed { CLIMBED_NOT, CLIMBED_TOP, CLIMBED_FOREVER, CLIMBED_SPENT } climbed;

// From a feasible point to an optimum over the rationals.
static climbed rise(tableau *t, uint32_t objective, num *top) {
  for (uint32_t n = 0; n < SIMPLEX_PIVOTS; n++) {
    bool up = true;
    uint32_t c = rising_column(t, objective, &up, top);
    if (c == UINT32_MAX) return CLIMBED_TOP;
    if (!budget_spend(t->b, t->rows * t->columns / 4 + 1)) return CLIMBED_SPENT;
    if (!advance(t, c, up)) return CLIMBED_FOREVER;
  }
  return CLIMBED_SPENT;
}

// What is not inspected may hold an objective of up to `end`.
static void leave_out(ascent *a, simplex_end end) {
  if (!a->left_out) {
    a->end = end;
  } else if (a->end.has && end.has) {
    a->end.value = num_max(a->end.value, end.value);
  } else {
    a->end.has = false;
  }
  a->left_out = true;
}

// An optimum over the rationals, and *above, which bounds the objective over the integers.
static climbed climb(tableau *t, const ascent *a, simplex_end *above) {
  verdict v = feasible(t);
  if (v != VERDICT_MODEL) return v == VERDICT_REFUTED ? CLIMBED_NOT : CLIMBED_SPENT;
  num top = NUM(0);
  climbed how = rise(t, a->objective, &top);
  if (how == CLIMBED_TOP && (!above->has || num_compare(top, above->value) < 0))
    *above = (simplex_end){true, top};
  if (how == CLIMBED_TOP && a->found && num_compare(above->value, a->best) <= 0) return CLIMBED_NOT;
  return how;
}

// At an optimum each nonbasic variable with a coefficient in the row of the objective lets it fall when it leaves its bound:
// by how far it may, where only points count that are better than the best one found.
static void tighten_by_objective(tableau *t, const ascent *a) {
  shape_budget *b = t->b;
  const interval *wanted = &t->range[a->objective];
  num least = a->found ? num_add(b, a->best, NUM(1)) : NUM(0);
  uint32_t r = 0;
  while (r < t->rows && t->basic[r] != a->objective) r++;
  if (r == t->rows || (!a->found && !wanted->has_lo)) return;
  if (wanted->has_lo) least = a->found ? num_max(least, wanted->lo) : wanted->lo;
  num room = num_sub(b, t->scaled[r], num_mul(b, least, t->denominator[r]));
  if (num_sign(room) < 0) return;
  for (uint32_t j = 0; j < t->columns; j++) {
    num k = row_of(t, r)[j];
    if (num_is_zero(k)) continue;
    bool falls_up = num_sign(k) < 0;  // the variable is at its lower bound
    num far = num_floordiv(b, room, num_abs(b, k));
    interval to = falls_up ? interval_at_most(num_add(b, t->value[j], far))
                           : interval_at_least(num_sub(b, t->value[j], far));
    interval_meet(t->range[t->nonbasic[j]], to, &t->range[t->nonbasic[j]]);
  }
}

static void ascend(tableau *t, uint32_t depth, simplex_end above, ascent *a) {
  climbed how = climb(t, a, &above);
  bool refuted = false;
  uint32_t r = UINT32_MAX;
  if (how == CLIMBED_TOP) {
    tighten_by_objective(t, a);
    r = fractional_row(t, &refuted);
  }
  if (how == CLIMBED_NOT || refuted) return;  // nothing is left that is better
  if (how == CLIMBED_SPENT) {
    leave_out(a, above);
    return;
  }
  if (how == CLIMBED_FOREVER) {  // and so do the points of integers, if there is one
    verdict v = branch(t, depth, a->values);
    a->found = v == VERDICT_MODEL;
    if (v != VERDICT_REFUTED) leave_out(a, above);
    return;
  }
  if (r == UINT32_MAX) {
    a->found = true;
    a->best = above.value;
    take_values(t, a->values);
    return;
  }
  for (int side = 0; side < 2; side++) {
    if (depth >= SIMPLEX_ASCENT_DEPTH || t->nodes == 0) {
      leave_out(a, above);
      return;
    }
    tableau child;
    if (!open_side(t, &child, r, side)) continue;
    ascend(&child, depth + 1, above, a);
    t->nodes = child.nodes;
  }
}

verdict simplex_maximum(context *c, uint32_t objective, num *values, simplex_end *end) {
  shape_arena *arena = c->s->arena;
  uint32_t *column = arena_alloc(arena, (c->var_count + 1) * sizeof *column);
  tableau t;
  simplex_end above = {c->range[objective].has_hi, c->range[objective].hi};
  first_values(c, values);
  *end = above;
  if (!open_tableau(c, &t, column, values) || column[objective] == UINT32_MAX) return VERDICT_OPEN;
  t.nodes = SIMPLEX_ASCENT_NODES;
  // The rows that bound it stop it, so that it is basic there and they show what else stops.
  t.range[column[objective]].has_hi = false;
  ascent a = {.objective = column[objective]};
  a.values = arena_alloc(arena, t.columns * sizeof *a.values);
  ascend(&t, 0, above, &a);
  if (a.found) found_values(c, column, a.values, values);
  if (a.left_out) {
    *end = a.end;
    if (a.found && a.end.has) end->value = num_max(a.best, a.end.value);
    return a.found ? VERDICT_MODEL : VERDICT_OPEN;
  }
  if (a.found) *end = (simplex_end){true, a.best};
  return a.found ? VERDICT_MODEL : VERDICT_REFUTED;
}
