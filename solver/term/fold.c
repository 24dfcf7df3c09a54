// SPDX-License-Identifier: Apache-2.0
// For each quotient or minimum q in a sum k*q + rest there are several spellings, all equal at
// every point:
//
//   floordiv(n, b)      shifted: floordiv(n - b*v, b) + v, for other b by the constant of rest;  ceildiv(n - b + 1, b) for constant b;
//                       -ceildiv(-n, b)
//   k == -j*b           j*mod(n, b) - j*n, and for constant b also -j*mod(-n + b - 1, b) + ..;
//                       mod does not see a shift by b
//   min(a, ..)          min(a + v, ..) - v;  v - max(v - a, ..)
//   c an indicator      k*c + rest;  select(c, k + v, v) + rest - v
//
// Each is weighed by the size of its text together with what is left of the sum; the smallest is
// taken, quotient by quotient in structural order. The choice is greedy, and a different one would
// only be another spelling.
#include "solver/term/fold.h"

#include <assert.h>

enum { MAX_FOLDS = 16, MAX_PIVOTS = 4, COST_FUEL = 64, LEAF = 4 };

// multiplier*name(args) + rest
typedef struct spelling {
  const char *name;
  const term_id *args;
  uint32_t arg_count;
  term_id multiplier, rest;
} spelling;

typedef struct choice {
  term_table *terms;
  term_id atom;
  term_id factor, others;  // the sum is factor*atom + others
  spelling best;
  uint32_t best_cost;
} choice;

typedef struct offer {
  spelling spelling;
  uint32_t cost;  // so far
} offer;

// --- cost

enum { COST_CACHE = 1024, COST_TERMS = 256 };

// Of an atom, where there was more than enough fuel.
struct term_cost {
  term_id atom;  // TERM_ZERO: empty
  uint32_t cost;
  int fuel;  // that it took
};

// Large expressions hold the same atoms in each of their spellings.
static void open_costs(term_table *t) {
  if (!t->recent.costs && t->count > COST_TERMS)
    t->recent.costs = arena_zalloc(t->arena, COST_CACHE * sizeof *t->recent.costs);
}

static uint32_t cost_of(const term_table *t, term_id id, int *fuel);

static uint32_t atom_cost(const term_table *t, term_id atom, int *fuel) {
  const term_node *node = term_get(t, atom);
  if (node->kind == TERM_SYMBOL) return LEAF;
  term_cost *slot = t->recent.costs ? &t->recent.costs[atom % COST_CACHE] : NULL;
  if (slot && slot->atom == atom && slot->fuel < *fuel) {
    *fuel -= slot->fuel;
    return slot->cost;
  }
  uint32_t cost = LEAF;
  int before = *fuel;
  for (uint32_t i = 0; i < node->count; i++) cost += cost_of(t, node->as.args[i], fuel);
  if (slot && *fuel > 0) *slot = (term_cost){atom, cost, before - *fuel};
  return cost;
}

static uint32_t monomial_cost(const term_table *t, term_id monomial, int *fuel) {
  const term_power *powers;
  term_power room;
  uint32_t count = term_powers(t, monomial, &powers, &room), cost = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (--*fuel < 0) return cost;
    uint32_t one = atom_cost(t, powers[i].atom, fuel);
    cost += one * (powers[i].exponent < 16 ? powers[i].exponent : 16);
  }
  return cost;
}

// Of c times a symbol.
static inline uint32_t symbol_cost(int64_t c) {
  if (__builtin_expect(c == 1, 1)) return LEAF;
  if (c == -1) return LEAF + 1;
  return 2 * LEAF + (c < 0) + (c > 9 || c < -9);
}

static inline uint32_t part_cost(const term_table *t, num coefficient, term_id monomial,
                                 int *fuel) {
  assert(*fuel > 0);
  if (!coefficient.big && term_kind_of(t, monomial) == TERM_SYMBOL) {  // as most
    --*fuel;
    return symbol_cost(coefficient.small);
  }
  uint32_t cost = num_sign(coefficient) < 0;
  if (monomial == TERM_ONE || !num_is_unit(coefficient))
    cost += LEAF + (coefficient.big != NULL || coefficient.small > 9 || coefficient.small < -9);
  return cost + monomial_cost(t, monomial, fuel);
}

static uint32_t parts_cost(const term_table *t, const term_part *parts, uint32_t count, int *fuel) {
  uint32_t cost = 0;
  for (uint32_t i = 0; i<count && * fuel> 0; i++)
    cost += part_cost(t, parts[i].coefficient, parts[i].monomial, fuel);
  return count ? cost : LEAF;
}

static uint32_t cost_of(const term_table *t, term_id id, int *fuel) {
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(t, id, &parts, &room);
  return parts_cost(t, parts, count, fuel);
}

// Of `multiplier` calls, each of the cost `call`.
static uint32_t repeated_cost(const term_table *t, uint32_t call, term_id multiplier) {
  uint32_t cost = 0;
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(t, multiplier, &parts, &room);
  for (uint32_t i = 0; i < count; i++) {
    int fuel = COST_FUEL;
    num c = parts[i].coefficient;
    // A call that is taken away costs more than a number that is: max(S, 2*S - 1) shows that it is
    // not negative, 2*S - min(S, 1) does not.
    cost += call + (num_sign(c) < 0 ? 2 : 0) + monomial_cost(t, parts[i].monomial, &fuel);
    cost += num_is_one(c) || num_is(c, -1) ? 0 : LEAF;
  }
  return cost;
}

// Of the calls alone, without what is left of the sum.
static uint32_t calls_cost(const term_table *t, const term_id *args, uint32_t arg_count,
                           term_id multiplier) {
  uint32_t call = LEAF;
  for (uint32_t i = 0; i < arg_count; i++) {
    int fuel = COST_FUEL;
    call += cost_of(t, args[i], &fuel);
  }
  return repeated_cost(t, call, multiplier);
}

static inline bool times(num c, int64_t by, int64_t *k) {
  return !c.big && !__builtin_mul_overflow(c.small, by, k);
}

// Of x*p + y*q. False where numbers are large, which few are.
static bool small_linear_cost(const term_table *t, const term_part *p, const term_part *p_end,
                              int64_t x, const term_part *q, const term_part *q_end, int64_t y,
                              uint32_t enough, uint32_t *cost) {
  int fuel = COST_FUEL;
  uint32_t sum = 0;
  term_id left = p == p_end ? TERM_NONE : p->monomial, right = q == q_end ? TERM_NONE : q->monomial;
  while (fuel > 0 && sum < enough && (left & right) != TERM_NONE) {
    int64_t k, more;
    term_id monomial = right;
    if (left < right) {
      monomial = left;
      if (!times(p->coefficient, x, &k)) return false;
      left = ++p == p_end ? TERM_NONE : p->monomial;
    } else {
      if (!times(q->coefficient, y, &k)) return false;
      right = ++q == q_end ? TERM_NONE : q->monomial;
      if (left == monomial) {
        if (!times(p->coefficient, x, &more) || __builtin_add_overflow(k, more, &k)) return false;
        left = ++p == p_end ? TERM_NONE : p->monomial;
        if (!k) continue;
      }
    }
    sum += part_cost(t, NUM(k), monomial, &fuel);
  }
  *cost = sum;
  return true;
}

// Of x*a + y*b, which is not made; x and y are not 0. *is_zero: that is what it is. From `enough` on it need not be exact.
static uint32_t linear_cost(term_table *t, term_id a, num x, term_id b, num y, uint32_t enough,
                            bool *is_zero) {
  const term_part *p, *q;
  term_part p_room, q_room;
  uint32_t p_count = term_parts(t, a, &p, &p_room), q_count = term_parts(t, b, &q, &q_room), cost;
  if (x.big || y.big ||
      !small_linear_cost(t, p, p + p_count, x.small, q, q + q_count, y.small, enough, &cost)) {
    int fuel = COST_FUEL;
    scratch_mark mark = scratch_get(t);
    term_part *room = scratch_parts(t, (size_t)p_count + q_count + 2);
    p = term_linear_parts(t, a, x, b, y, NUM(0), UINT32_MAX, room, &p_count);
    cost = p_count ? parts_cost(t, p, p_count, &fuel) : 0;
    scratch_release(t, mark);
  }
  *is_zero = cost == 0;
  return cost ? cost : LEAF;
}

// Most spellings lose, and their sums would be made for nothing: whether one with calls that cost `call` each, and with
// others + k*factor*v left over, may still win. A factor that is a sum is not weighed here.
static bool may_win(const choice *c, uint32_t call, term_id multiplier, num k, term_id v) {
  term_table *t = c->terms;
  num factor;
  uint32_t cost = repeated_cost(t, call, multiplier);
  if (cost >= c->best_cost) return false;
  if (!term_const_value(t, c->factor, &factor)) return true;
  bool is_zero;
  uint32_t rest = linear_cost(t, c->others, NUM(1), v, num_mul(t->budget, k, factor),
                              c->best_cost - cost, &is_zero);
  return cost + (is_zero ? 0 : rest) < c->best_cost;
}

// No call with that many arguments costs less, nor does a sum with such a call in it.
static uint32_t min_cost(uint32_t arguments) { return LEAF * (1 + arguments); }

// The same of x*a + y*b, where x and y are not 0: of the parts that cannot fall away.
static uint32_t min_linear_cost(const term_table *t, term_id a, term_id b) {
  const term_part *parts;
  term_part room;
  uint32_t x = term_parts(t, a, &parts, &room), y = term_parts(t, b, &parts, &room);
  uint32_t left = x > y ? x - y : y - x;
  return LEAF * (left < COST_FUEL ? left : COST_FUEL);
}

// May a call with (each argument) + v and what is then left of the sum cost less than the best? By numbers of parts alone.
static bool parts_may_win(const choice *c, const term_id *args, uint32_t count, term_id v) {
  const term_table *t = c->terms;
  uint32_t cost = LEAF;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t least = min_linear_cost(t, args[i], v);
    cost += least > LEAF ? least : LEAF;
  }
  if (term_kind_of(t, c->factor) == TERM_CONST) cost += min_linear_cost(t, c->others, v);
  return cost < c->best_cost;
}

// The same of a call with y*(each argument) + v, where y is 1 or -1.
static bool shift_may_win(const choice *c, const term_id *args, uint32_t count, num y, term_id v) {
  term_table *t = c->terms;
  uint32_t call = LEAF;
  bool ignored, mirrored = num_sign(y) < 0;
  if (c->best_cost == UINT32_MAX) return true;
  if (!parts_may_win(c, args, count, v)) return false;
  for (uint32_t i = 0; i < count && call < c->best_cost; i++)
    call += linear_cost(t, args[i], y, v, NUM(1), c->best_cost - call, &ignored);
  if (call >= c->best_cost) return false;
  term_id multiplier = mirrored ? term_neg(t, c->factor) : c->factor;
  return may_win(c, call, multiplier, num_neg(t->budget, y), v);
}

// Is `multiplier` calls of name(args) worth building the rest of the sum for?
static bool open_offer(const choice *c, offer *o, const char *name, const term_id *args,
                       uint32_t count, term_id multiplier) {
  *o = (offer){{name, args, count, multiplier, TERM_NONE},
               calls_cost(c->terms, args, count, multiplier)};
  return o->cost < c->best_cost;
}

// Takes the spelling, which is the smallest so far. Its arguments may be on the stack of the caller.
static void take(choice *c, const spelling *s, uint32_t cost) {
  assert(s->arg_count > 0 && cost < c->best_cost);
  term_id *copy = scratch_ids(c->terms, s->arg_count);
  for (uint32_t i = 0; i < s->arg_count; i++) copy[i] = s->args[i];
  c->best = *s;
  c->best.args = copy;
  c->best_cost = cost;
}

static uint32_t rest_cost(const term_table *t, term_id rest) {
  int fuel = COST_FUEL;
  return rest == TERM_ZERO ? 0 : cost_of(t, rest, &fuel);
}

static void close_offer(choice *c, offer *o, term_id rest) {
  o->cost += rest_cost(c->terms, rest);
  o->spelling.rest = rest;
  if (o->cost < c->best_cost) take(c, &o->spelling, o->cost);
}

// --- quotients

// A sum that is weighed with several constants.
typedef struct weighed {
  term_id id;
  num constant;
  uint32_t cost;  // of the other parts
  bool has_others;
} weighed;

static weighed weigh_parts(const term_table *t, term_id id) {
  const term_part *parts;
  term_part room;
  int fuel = COST_FUEL;
  uint32_t count = term_parts(t, id, &parts, &room);
  bool has_constant = count && parts[0].monomial == TERM_ONE, has_others = count > has_constant;
  return (weighed){id, has_constant ? parts[0].coefficient : NUM(0),
                   has_others ? parts_cost(t, parts + has_constant, count - has_constant, &fuel)
                              : 0,
                   has_others};
}

// cost_of the sum with `more` added.
static uint32_t cost_with(const term_table *t, const weighed *w, num more, bool *is_zero) {
  num constant = num_add(t->budget, w->constant, more);
  int fuel = COST_FUEL;
  *is_zero = num_is_zero(constant) && !w->has_others;
  if (num_is_zero(constant)) return w->has_others ? w->cost : LEAF;
  return w->cost + part_cost(t, constant, TERM_ONE, &fuel);
}

// name(n + by, b), and factor + others where it `moves`. Most lose: then nothing is made.
static void offer_quotient(choice *c, const char *name, const weighed *n, term_id b, num by,
                           const weighed *others, bool moves) {
  term_table *t = c->terms;
  num f;
  int fuel = COST_FUEL;
  bool is_zero;
  if (term_const_value(t, c->factor, &f)) {
    uint32_t call = LEAF + cost_with(t, n, by, &is_zero) + cost_of(t, b, &fuel);
    uint32_t calls = repeated_cost(t, call, c->factor);
    uint32_t rest = cost_with(t, others, moves ? f : NUM(0), &is_zero);
    uint32_t cost = calls + (is_zero ? 0 : rest);
    if (cost >= c->best_cost) return;
    spelling s = {name, (term_id[2]){term_add_const(t, n->id, by), b}, 2, c->factor, c->others};
    if (moves) s.rest = term_add(t, c->others, c->factor);
    assert(cost == calls_cost(t, s.args, 2, c->factor) + rest_cost(t, s.rest));
    take(c, &s, cost);
    return;
  }
  offer o;
  term_id args[2] = {term_add_const(t, n->id, by), b};
  if (open_offer(c, &o, name, args, 2, c->factor))
    close_offer(c, &o, moves ? term_add(t, c->others, c->factor) : c->others);
}

// floordiv and ceildiv of n - b*v for the shifts v 0 and 1.
static void offer_quotients(choice *c, term_id n, term_id b, num k) {
  shape_budget *budget = c->terms->budget;
  weighed dividend = weigh_parts(c->terms, n), others = weigh_parts(c->terms, c->others);
  num by = NUM(0), up = num_sub(budget, NUM(1), k);
  for (int v = 0; v < 2; v++) {
    offer_quotient(c, "floordiv", &dividend, b, by, &others, v);
    offer_quotient(c, "ceildiv", &dividend, b, num_add(budget, by, up), &others, v);
    by = num_neg(budget, k);
  }
}

// j*mod(n - b*v, b) - j*n, for one shift v.
static void offer_mod(choice *c, term_id j, term_id n, term_id b, num k, term_id v) {
  term_table *t = c->terms;
  offer o;
  term_id shifted = term_add_scaled(t, n, v, num_neg(t->budget, k));
  if (open_offer(c, &o, "mod", (term_id[2]){shifted, b}, 2, j))
    close_offer(c, &o, term_sub(t, c->others, term_mul(t, j, n)));
}

static void offer_mods(choice *c, term_id j, term_id n, term_id b, num k) {
  num constant = term_constant_part(c->terms, n);
  offer_mod(c, j, n, b, k, TERM_ZERO);
  if (!num_is_zero(constant)) offer_mod(c, j, n, b, k, term_int(c->terms, num_sign(constant)));
}

static void choose_by_const(choice *c, term_id n, term_id b, num k) {
  term_table *t = c->terms;
  term_id j;
  offer_quotients(c, n, b, k);
  if (!term_divide_exact(t, c->factor, b, &j)) return;
  offer_mods(c, term_neg(t, j), n, b, k);
  offer_mods(c, j, term_add_const(t, term_neg(t, n), num_sub(t->budget, k, NUM(1))), b, k);
}

static void choose_quotient(choice *c) {
  term_table *t = c->terms;
  const term_id *args = term_get(t, c->atom)->as.args;
  num k;
  term_id j;
  if (term_const_value(t, args[1], &k)) {
    if (num_sign(k) > 0) choose_by_const(c, args[0], args[1], k);
    return;
  }
  offer o;
  num f, constant = term_constant_part(t, c->others);
  if (!num_is_zero(constant) && term_const_value(t, c->factor, &f) &&
      num_divides(t->budget, f, constant)) {
    num v = num_floordiv(t->budget, constant, f);
    term_id shifted[2] = {term_add_scaled(t, args[0], args[1], v), args[1]};
    if (open_offer(c, &o, "floordiv", shifted, 2, c->factor))
      close_offer(c, &o, term_add_const(t, c->others, num_neg(t->budget, constant)));
    args = term_get(t, c->atom)->as.args;
  }
  if (open_offer(c, &o, "floordiv", args, 2, c->factor)) close_offer(c, &o, c->others);
  term_id factor = term_neg(t, c->factor), dividend = term_neg(t, args[0]);
  if (open_offer(c, &o, "ceildiv", (term_id[2]){dividend, args[1]}, 2, factor))
    close_offer(c, &o, c->others);
  if (!term_divide_exact(t, c->factor, args[1], &j)) return;
  args = term_get(t, c->atom)->as.args;
  if (open_offer(c, &o, "mod", args, 2, term_neg(t, j)))
    close_offer(c, &o, term_add(t, c->others, term_mul(t, j, args[0])));
}

// --- minima

static void offer_min(choice *c, const term_id *args, uint32_t count, term_id v) {
  term_table *t = c->terms;
  if (!shift_may_win(c, args, count, NUM(1), v)) return;
  scratch_mark mark = scratch_get(t);
  offer o;
  term_id *shifted = scratch_ids(t, count);
  for (uint32_t i = 0; i < count; i++) shifted[i] = term_add(t, args[i], v);
  spelling before = c->best;
  if (open_offer(c, &o, "min", shifted, count, c->factor))
    close_offer(c, &o, term_sub(t, c->others, term_mul(t, c->factor, v)));
  if (before.args == c->best.args) scratch_release(t, mark);
}

static void offer_max(choice *c, const term_id *args, uint32_t count, term_id v) {
  term_table *t = c->terms;
  if (!shift_may_win(c, args, count, NUM(-1), v)) return;
  scratch_mark mark = scratch_get(t);
  offer o;
  term_id *mirrored = scratch_ids(t, count);
  for (uint32_t i = 0; i < count; i++) mirrored[i] = term_sub(t, v, args[i]);
  spelling before = c->best;
  if (open_offer(c, &o, "max", mirrored, count, term_neg(t, c->factor)))
    close_offer(c, &o, term_add(t, c->others, term_mul(t, c->factor, v)));
  if (before.args == c->best.args) scratch_release(t, mark);
}

// The sum of the parts that `keep` takes, as it leaves them.
static term_id kept_parts(term_table *t, term_id id, bool (*keep)(term_table *t, term_part *part)) {
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(t, id, &parts, &room), kept = 0;
  scratch_mark mark = scratch_get(t);
  term_part *to = scratch_parts(t, count);
  for (uint32_t i = 0; i < count; i++) {
    to[kept] = parts[i];
    kept += keep(t, &to[kept]);
  }
  term_id result = term_sum_sorted(t, to, kept);
  scratch_release(t, mark);
  return result;
}

static bool is_no_min(term_table *t, term_part *part) {
  return term_kind_of(t, part->monomial) != TERM_MIN;
}

// Without the parts that hold a MIN: moved into arguments, they would be taken apart when the text
// is read back.
static term_id without_min(term_table *t, term_id id) {
  const term_part *parts;
  term_part room;
  if (!(term_kinds(t, id) & KIND_BIT(TERM_MIN))) return id;
  uint32_t count = term_parts(t, id, &parts, &room), i = 0;
  while (i < count && term_kind_of(t, parts[i].monomial) != TERM_MIN) i++;
  return i == count ? id : kept_parts(t, id, is_no_min);
}

// May a call with all of the rest in each argument, or all but its constant, cost less than the best? By numbers of parts.
static bool rest_may_move(const choice *c, const term_id *args, uint32_t count, term_id rest) {
  uint32_t cost = LEAF;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t least = min_linear_cost(c->terms, args[i], rest);
    cost += least > 2 * LEAF ? least - LEAF : LEAF;
  }
  return cost < c->best_cost;
}

static void choose_min(choice *c) {
  term_table *t = c->terms;
  const term_id *args = term_get(t, c->atom)->as.args;
  uint32_t count = term_get(t, c->atom)->count;
  term_id upper = args[0], v;
  offer_min(c, args, count, TERM_ZERO);
  if (c->best_cost <= min_cost(count)) return;
  for (uint32_t i = 1; i < count; i++) upper = term_upper_part(t, upper, args[i]);
  upper = without_min(t, upper);
  offer_max(c, args, count, upper);
  for (uint32_t i = 0; i < count && i < MAX_PIVOTS; i++) {  // max(a - b, 0)
    term_id pivot = without_min(t, args[i]);
    if (pivot != upper) offer_max(c, args, count, pivot);
  }
  term_id rest = without_min(t, c->others);
  num factor, constant = term_constant_part(t, rest);
  if (term_const_value(t, c->factor, &factor) && num_is_unit(factor) &&
      !rest_may_move(c, args, count, rest)) {
    v = term_const(t, num_mul(t->budget, factor, constant));
    if (v != TERM_ZERO) offer_min(c, args, count, v);
    return;
  }
  if (!term_divide_exact(t, rest, c->factor, &v)) return;
  v = without_min(t, v);
  term_id variable = term_add_const(t, v, num_neg(t->budget, term_constant_part(t, v)));
  offer_min(c, args, count, v);
  offer_max(c, args, count, term_neg(t, v));
  if (variable == v) return;
  offer_min(c, args, count, variable);
  offer_max(c, args, count, term_neg(t, variable));
  offer_min(c, args, count, term_sub(t, v, variable));
}

// --- choices

// c*factor + others, where c is an indicator: a choice between factor + v and v. It is taken in any case where c says
// what another condition in it is: one choice in another is shorter than a sum of both.
static void offer_select(choice *c, term_id v) {
  term_table *t = c->terms;
  scratch_mark mark = scratch_get(t);
  offer o;
  term_id first = term_add(t, c->factor, v);
  term_id args[3] = {c->atom};
  args[1] = fold_under(t, first, c->atom, true);
  args[2] = fold_under(t, v, c->atom, false);
  bool nests = args[1] != first || args[2] != v;
  spelling before = c->best;
  if (open_offer(c, &o, "select", args, 3, TERM_ONE) || nests) {
    if (nests) o.cost = 0;
    close_offer(c, &o, term_sub(t, c->others, v));
  }
  if (before.args == c->best.args) scratch_release(t, mark);
}

static bool negate_negative(term_table *t, term_part *part) {
  if (num_sign(part->coefficient) >= 0) return false;
  part->coefficient = num_neg(t->budget, part->coefficient);
  return true;
}

// The parts with a coefficient below 0, with the other sign.
static term_id negative_parts(term_table *t, term_id id) {
  return kept_parts(t, id, negate_negative);
}

// False where the product is the smallest spelling.
static bool choose_select(choice *c) {
  assert(term_is_indicator(term_kind_of(c->terms, c->atom)));
  term_table *t = c->terms;
  int fuel = COST_FUEL;
  c->best_cost = calls_cost(t, term_get(t, c->atom)->as.args, 1, c->factor);
  if (c->others != TERM_ZERO) c->best_cost += cost_of(t, c->others, &fuel);
  offer_select(c, TERM_ZERO);
  offer_select(c, negative_parts(t, c->factor));
  offer_select(c, c->others);
  return c->best.name != NULL;
}

// --- sums

static uint32_t foldable_kinds(bool choices) {
  return choices ? KIND_BIT(TERM_IS_ZERO) | KIND_BIT(TERM_IS_NEG)
                 : KIND_BIT(TERM_FLOORDIV) | KIND_BIT(TERM_MIN);
}

// False: there is nothing to be folded.
static bool holds_foldable(const term_table *t, term_id id) {
  return term_kinds(t, id) & (foldable_kinds(true) | foldable_kinds(false));
}

// The greatest foldable atom with exponent 1 in the sum that is not among the `done`; TERM_NONE: no
// more.
static term_id next_foldable(const term_table *t, term_id id, const term_id *done, uint32_t count,
                             bool choices) {
  assert(count < MAX_FOLDS + 1);
  const term_part *parts;
  term_part room;
  uint32_t n = term_parts(t, id, &parts, &room), kinds = foldable_kinds(choices);
  term_id top = TERM_NONE;
  for (uint32_t i = 0; i < n; i++) {
    const term_power *powers;
    term_power power_room;
    if (!(term_kinds(t, parts[i].monomial) & kinds)) continue;  // most parts
    uint32_t m = term_powers(t, parts[i].monomial, &powers, &power_room);
    for (uint32_t j = 0; j < m; j++) {
      if (powers[j].exponent != 1 || !(KIND_BIT(term_kind_of(t, powers[j].atom)) & kinds)) continue;
      bool known = false;
      for (uint32_t d = 0; d < count; d++) known |= done[d] == powers[j].atom;
      if (!known && (top == TERM_NONE || term_order(t, powers[j].atom, top) > 0))
        top = powers[j].atom;
    }
  }
  return top;
}

term_id fold_factor(term_table *t, term_id id, term_id atom) {
  const term_part *parts;
  term_part room;
  assert(term_is_atom(t, atom));
  uint32_t count = term_parts(t, id, &parts, &room), kept = 0;
  scratch_mark mark = scratch_get(t);
  term_part *to = scratch_parts(t, count);
  uint64_t bit = term_atom_bit(t, atom);
  for (uint32_t i = 0; i < count; i++) {
    term_id monomial = parts[i].monomial, rest;
    if (!(term_mask(t, monomial) & bit)) continue;  // most parts
    rest = term_monomial_div(t, monomial, atom);
    if (rest == TERM_NONE || term_monomial_div(t, rest, atom) != TERM_NONE) continue;
    to[kept++] = (term_part){parts[i].coefficient, rest};
  }
  term_id result = term_sum_loose(t, to, kept);
  scratch_release(t, mark);
  return result;
}

static spelling choose(term_table *t, term_id atom, term_id factor, term_id others) {
  choice c = {
      .terms = t, .atom = atom, .factor = factor, .others = others, .best_cost = UINT32_MAX};
  if (term_kind_of(t, atom) == TERM_MIN) {
    choose_min(&c);
  } else {
    assert(term_kind_of(t, atom) == TERM_FLOORDIV);
    choose_quotient(&c);
  }
  if (!c.best.name) {
    const term_node *node = term_get(t, atom);
    c.best = (spelling){"floordiv", node->as.args, node->count, factor, others};
  }
  return c.best;
}

static void add_item(term_table *t, fold_list *list, fold_item item) {
  if (list->count == list->capacity) {
    uint32_t capacity = list->capacity ? 2 * list->capacity : 8;
    fold_item *items = scratch_take(t, (size_t)capacity * sizeof *items);
    for (uint32_t i = 0; i < list->count; i++) items[i] = list->items[i];
    list->items = items;
    list->capacity = capacity;
  }
  list->items[list->count++] = item;
}

static void add_calls(term_table *t, fold_list *list, term_id atom, const spelling *s) {
  const term_part *parts;
  term_part room;
  uint32_t count = term_parts(t, s->multiplier, &parts, &room);
  for (uint32_t i = 0; i < count; i++) {
    fold_item item = {parts[i].coefficient, parts[i].monomial, TERM_NONE, s->name, s->args,
                      s->arg_count};
    item.key = term_monomial_mul(t, item.prefix, atom);
    add_item(t, list, item);
  }
}

static fold_list fold_sum(term_table *t, term_id id, bool fold, bool choices) {
  fold_list list = {0};
  term_id done[MAX_FOLDS], atom;
  uint32_t count = 0;
  fold = fold && holds_foldable(t, id);
  while (fold && choices && count < MAX_FOLDS &&
         (atom = next_foldable(t, id, done, count, true)) != TERM_NONE) {
    done[count++] = atom;
    choice c = {.terms = t, .atom = atom, .factor = fold_factor(t, id, atom)};
    c.others = term_sub(t, id, term_mul(t, c.factor, atom));
    c.factor = fold_under(t, c.factor, atom, true);
    id = term_add(t, c.others, term_mul(t, c.factor, atom));
    if (term_kind_of(t, c.factor) == TERM_CONST || !choose_select(&c)) continue;
    add_calls(t, &list, atom, &c.best);
    id = c.best.rest;
  }
  count = 0;
  while (fold && count < MAX_FOLDS &&
         (atom = next_foldable(t, id, done, count, false)) != TERM_NONE) {
    done[count++] = atom;
    term_id factor = fold_factor(t, id, atom);
    spelling s = choose(t, atom, factor, term_sub(t, id, term_mul(t, factor, atom)));
    add_calls(t, &list, atom, &s);
    id = s.rest;
  }
  const term_part *parts;
  term_part room;
  uint32_t left = term_parts(t, id, &parts, &room), calls = list.count;
  for (uint32_t i = 0; i < left; i++) {
    add_item(
        t, &list,
        (fold_item){parts[i].coefficient, parts[i].monomial, parts[i].monomial, NULL, NULL, 0});
  }
  fold_order(t, &list, calls);
  return list;
}

// --- what was folded before: the parts of a large expression are in those that are made of it, too

enum { FOLD_CACHE = 1024, FOLD_CACHE_FIRST = 16, KEPT_ITEMS = 192, KEPT_ARGS = 192 };

struct term_folded {
  term_id id;  // TERM_ZERO: empty
  bool fold, choices, by_hash;
  uint32_t count, capacity, arg_capacity;
  fold_item *items;
  term_id *args;  // of all items
};

// NULL: nothing is kept, as where there are few terms and nothing to be folded. The order of items changes with the ages of symbols, where they have some.
static term_folded *folded_slot(term_table *t, term_id id) {
  bool is_large = t->count > TERM_CACHE_SMALL;
  if (t->ages || id == TERM_ZERO || !(is_large || holds_foldable(t, id))) return NULL;
  uint32_t slots = is_large ? FOLD_CACHE : FOLD_CACHE_FIRST;
  if (t->recent.folded_count < slots) {
    t->recent.folded = arena_zalloc(t->arena, slots * sizeof *t->recent.folded);
    t->recent.folded_count = slots;
  }
  return &t->recent.folded[id % slots];
}

static bool keep_folded(term_table *t, term_folded *slot, const fold_list *list) {
  uint32_t args = 0;
  bool small = list->count <= KEPT_ITEMS;
  for (uint32_t i = 0; small && i < list->count; i++) {
    args += list->items[i].arg_count;
    small = args <= KEPT_ARGS && !list->items[i].coefficient.big;
  }
  if (!small) return false;
  slot->items =
      arena_grow(t->arena, slot->items, 0, list->count, &slot->capacity, sizeof *slot->items);
  slot->args = arena_grow(t->arena, slot->args, 0, args, &slot->arg_capacity, sizeof *slot->args);
  args = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    fold_item *item = &slot->items[i];
    *item = list->items[i];
    for (uint32_t k = 0; k < item->arg_count; k++) slot->args[args + k] = item->args[k];
    item->args = item->arg_count ? slot->args + args : NULL;
    args += item->arg_count;
  }
  slot->count = list->count;
  return true;
}

// In scratch memory: the slot may be taken by another one while the items are read.
static fold_list folded_before(term_table *t, const term_folded *slot) {
  fold_list list = {scratch_take(t, (size_t)(slot->count + 1) * sizeof *list.items), slot->count,
                    slot->count + 1};
  for (uint32_t i = 0; i < list.count; i++) {
    fold_item item = slot->items[i];
    term_id *args = scratch_ids(t, item.arg_count + 1);
    for (uint32_t k = 0; k < item.arg_count; k++) args[k] = item.args[k];
    item.args = args;
    list.items[i] = item;
  }
  return list;
}

fold_list fold_term(term_table *t, term_id id, bool fold, bool choices) {
  open_costs(t);
  term_folded *slot = folded_slot(t, id);
  if (slot && slot->id == id && slot->fold == fold && slot->choices == choices) {
    t->hashes->compared |= slot->by_hash;
    return folded_before(t, slot);
  }
  if (!slot) return fold_sum(t, id, fold, choices);
  bool before = t->hashes->compared;
  t->hashes->compared = false;
  fold_list list = fold_sum(t, id, fold, choices);
  slot->id = keep_folded(t, slot, &list) ? id : TERM_ZERO;
  slot->fold = fold, slot->choices = choices, slot->by_hash = t->hashes->compared;
  t->hashes->compared |= before;
  return list;
}

fold_item fold_atom(term_table *t, term_id atom) {
  const term_node *node = term_get(t, atom);
  assert(node->kind == TERM_FLOORDIV || node->kind == TERM_MIN);
  fold_item item = {NUM(1), TERM_ONE, atom, "floordiv", node->as.args, node->count};
  num k;
  if (node->kind == TERM_MIN) item.name = "min";
  if (node->kind != TERM_FLOORDIV || !term_const_value(t, node->as.args[1], &k) || num_sign(k) <= 0)
    return item;
  int fuel = COST_FUEL;
  term_id n = node->as.args[0], up = term_add_const(t, n, num_sub(t->budget, NUM(1), k));
  uint32_t down_cost = cost_of(t, n, &fuel);
  fuel = COST_FUEL;
  if (cost_of(t, up, &fuel) >= down_cost) return item;
  term_id *args = scratch_ids(t, 2);
  args[0] = up;
  args[1] = node->as.args[1];
  item.name = "ceildiv";
  item.args = args;
  return item;
}
