// SPDX-License-Identifier: Apache-2.0
// Rows over monomials, the definitions of atoms as rows, and bound propagation.
//
// A row sum k_i*x_i + c >= 0 gives for each x_i the bound that follows when the others take their most helpful ends,
// rounded to an integer. Products pass bounds both ways: factors to product by interval multiplication, product to
// factor by interval division, and a product that cannot be 0 keeps its factors from 0.
// Propagation need not end on its own (x < y < x climbs for ever), so its steps are bounded by a multiple of the size of
// the problem; the simplex decides what it leaves.
#include <assert.h>
#include <string.h>

#include "solver/decide/solver.h"

static void set_var_of(context *c, term_id id, uint32_t var) {
  if (id >= c->var_of_capacity) {
    uint32_t old = c->var_of_capacity;
    c->var_of = arena_grow(c->s->arena, c->var_of, old, c->s->t->count + 64u, &c->var_of_capacity,
                           sizeof *c->var_of);
    memset(c->var_of + old, 0xff, (c->var_of_capacity - old) * sizeof *c->var_of);
  }
  assert(id < c->var_of_capacity);
  c->var_of[id] = var;
}

void context_init(context *c, problem *p) {
  memset(c, 0, sizeof *c);
  c->p = p;
  c->s = p->s;
  c->top = c->queue.running = UINT32_MAX;
}

static void grow_vars(context *c) {
  shape_arena *arena = c->s->arena;
  uint32_t old = c->var_count, capacity = c->var_capacity ? 2 * c->var_capacity : 16;
  term_id *term = arena_alloc(arena, capacity * sizeof *term);
  interval *range = arena_alloc(arena, capacity * sizeof *range);
  uint32_t *first = arena_alloc(arena, capacity * sizeof *first);
  uint8_t *queued = arena_zalloc(arena, capacity);
  if (old) {
    memcpy(term, c->term, old * sizeof *term);
    memcpy(range, c->range, old * sizeof *range);
    memcpy(first, c->first, old * sizeof *first);
    memcpy(queued, c->queued, old);
  }
  c->term = term;
  c->range = range;
  c->first = first;
  c->queued = queued;
  c->var_capacity = capacity;
}

static bool is_special(context *c, const term_node *node) {
  if (node->kind == TERM_PRODUCT) return true;
  return node->kind == TERM_FLOORDIV && term_kind_of(c->s->t, node->as.args[1]) != TERM_CONST;
}

static __attribute__((noinline)) uint32_t add_var(context *c, term_id monomial) {
  assert(monomial != TERM_ZERO && monomial != TERM_ONE &&
         term_kind_of(c->s->t, monomial) != TERM_SUM);
  if (c->var_count == c->var_capacity) grow_vars(c);
  assert(c->var_count < c->var_capacity);
  const term_node *node = term_get(c->s->t, monomial);
  bool symbol = node->kind == TERM_SYMBOL && node->as.symbol < c->p->range_count;
  uint32_t var = c->var_count++;
  c->term[var] = monomial;
  c->range[var] = symbol ? c->p->range[node->as.symbol] : problem_range(c->p, monomial);
  c->first[var] = UINT32_MAX;
  c->queued[var] = 1;
  set_var_of(c, monomial, var);
  if (!symbol && is_special(c, node)) {
    c->special = arena_grow(c->s->arena, c->special, c->special_count, (size_t)c->special_count + 1,
                            &c->special_capacity, sizeof *c->special);
    c->special[c->special_count++] = var;
  }
  return var;
}

static inline uint32_t var_of(context *c, term_id monomial) {
  uint32_t var = context_find(c, monomial);
  return var != UINT32_MAX ? var : add_var(c, monomial);
}

uint32_t context_var(context *c, term_id monomial) { return var_of(c, monomial); }

// Makes room at the end: by what was taken from the front, if that is most of it.
static void grow_queue(context *c) {
  uint32_t live = c->queue.tail - c->queue.head;
  if (c->queue.head > live) {
    memmove(c->queue.rows, c->queue.rows + c->queue.head, live * sizeof *c->queue.rows);
  } else {
    uint32_t capacity = c->queue.capacity ? 2 * c->queue.capacity : 32;
    uint32_t *queue = arena_alloc(c->s->arena, capacity * sizeof *queue);
    if (live) memcpy(queue, c->queue.rows + c->queue.head, live * sizeof *queue);
    c->queue.rows = queue;
    c->queue.capacity = capacity;
  }
  c->queue.head = 0;
  c->queue.tail = live;
}

static inline void enqueue_row(context *c, uint32_t index) {
  assert(index < c->row_count);
  row *r = &c->rows[index];
  r->idle = index == c->queue.running && (!r->queued || r->idle);
  if (r->queued) return;
  r->queued = true;
  if (c->queue.tail == c->queue.capacity) grow_queue(c);
  assert(c->queue.head <= c->queue.tail && c->queue.tail < c->queue.capacity);
  c->queue.rows[c->queue.tail++] = index;
}

static void touch(context *c, uint32_t var) {
  assert(var < c->var_count);
  for (uint32_t l = c->first[var]; l != UINT32_MAX; l = c->links[l].next)
    enqueue_row(c, c->links[l].row);
  c->queued[var] = 1;
}

// Products of unbounded things can square themselves round after round: such ends say nothing of use.
static bool too_large(num x) { return x.big && num_bits(x) > ROWS_BOUND_BITS; }

static bool row_conflict(context *c) {
  c->conflict = true;
  return false;
}

static __attribute__((noinline)) bool raise_low(context *c, uint32_t var, num lo) {
  interval *r = &c->range[var];
  if (too_large(lo)) return true;
  if (r->has_hi && num_compare(lo, r->hi) > 0) return row_conflict(c);
  r->lo = lo;
  r->has_lo = true;
  touch(c, var);
  return true;
}

static __attribute__((noinline)) bool lower_high(context *c, uint32_t var, num hi) {
  interval *r = &c->range[var];
  if (too_large(hi)) return true;
  if (r->has_lo && num_compare(hi, r->lo) < 0) return row_conflict(c);
  r->hi = hi;
  r->has_hi = true;
  touch(c, var);
  return true;
}

static inline bool narrow_low(context *c, uint32_t var, num lo) {
  const interval *r = &c->range[var];
  return (r->has_lo && num_compare(lo, r->lo) <= 0) || raise_low(c, var, lo);
}

static inline bool narrow_high(context *c, uint32_t var, num hi) {
  const interval *r = &c->range[var];
  return (r->has_hi && num_compare(hi, r->hi) >= 0) || lower_high(c, var, hi);
}

bool context_narrow(context *c, uint32_t var, interval to) {
  assert(var < c->var_count);
  return (!to.has_lo || narrow_low(c, var, to.lo)) && (!to.has_hi || narrow_high(c, var, to.hi));
}

// The parts of a sum as a row, primitive and rounded. *trivial: it holds always. False: it never does.
static bool make_row(context *c, const term_part *from, uint32_t count, bool eq, row *out,
                     bool *trivial) {
  qsolver *s = c->s;
  shape_budget *b = s->budget;
  *out = (row){.eq = eq, .c = NUM(0)};
  out->parts = arena_alloc(s->arena, count * sizeof *out->parts);
  num g = NUM(0);
  for (uint32_t i = 0; i < count; i++) {
    if (from[i].monomial == TERM_ONE) {
      out->c = from[i].coefficient;
    } else {
      out->parts[out->count++] = (row_part){var_of(c, from[i].monomial), from[i].coefficient};
      g = num_gcd(b, g, from[i].coefficient);
    }
  }
  *trivial = false;
  if (out->count == 0) {
    *trivial = true;
    return eq ? num_is_zero(out->c) : num_sign(out->c) >= 0;
  }
  assert(num_sign(g) > 0);
  if (!num_is_one(g)) {
    if (eq && !num_divides(b, g, out->c)) return false;
    for (uint32_t i = 0; i < out->count; i++) out->parts[i].k = num_floordiv(b, out->parts[i].k, g);
    out->c = num_floordiv(b, out->c, g);
  }
  return true;
}

static bool same_row(const row *x, const row *y) {
  if (x->count != y->count || x->eq != y->eq) return false;
  for (uint32_t i = 0; i < x->count; i++) {
    if (x->parts[i].var != y->parts[i].var || !num_equal(x->parts[i].k, y->parts[i].k))
      return false;
  }
  return true;
}

static bool add_parts(context *c, const term_part *parts, uint32_t count, bool eq) {
  qsolver *s = c->s;
  row made;
  bool trivial;
  if (!make_row(c, parts, count, eq, &made, &trivial)) {
    c->conflict = true;
    return false;
  }
  if (trivial) return true;
  if (made.count == 1 && !eq) {
    // a bound
    num k = made.parts[0].k;
    interval to = num_sign(k) > 0
                      ? interval_at_least(num_ceildiv(s->budget, num_neg(s->budget, made.c), k))
                      : interval_at_most(num_floordiv(s->budget, made.c, num_neg(s->budget, k)));
    return context_narrow(c, made.parts[0].var, to);
  }
  assert(made.count > 0);
  for (uint32_t l = c->first[made.parts[0].var]; l != UINT32_MAX; l = c->links[l].next) {
    row *other = &c->rows[c->links[l].row];
    if (!same_row(other, &made)) continue;
    if (eq && !num_equal(other->c, made.c)) {
      c->conflict = true;
      return false;
    }
    if (num_compare(made.c, other->c) < 0) {
      other->c = made.c;
      enqueue_row(c, c->links[l].row);
    }
    return true;
  }
  uint32_t index = c->row_count;
  c->rows = arena_grow(s->arena, c->rows, c->row_count, (size_t)index + 1, &c->row_capacity,
                       sizeof *c->rows);
  c->rows[c->row_count++] = made;
  c->links = arena_grow(s->arena, c->links, c->link_count, (size_t)c->link_count + made.count,
                        &c->link_capacity, sizeof *c->links);
  for (uint32_t i = 0; i < made.count; i++) {
    c->links[c->link_count] = (link){index, c->first[made.parts[i].var]};
    c->first[made.parts[i].var] = c->link_count++;
  }
  enqueue_row(c, index);
  return true;
}

bool context_add(context *c, term_id e, bool eq) {
  const term_part *parts;
  term_part one;
  uint32_t count = term_parts(c->s->t, e, &parts, &one);
  return add_parts(c, parts, count, eq);
}

// Adds x*a + y*b + k >= 0.
static bool add_linear(context *c, term_id a, num x, term_id b, num y, num k) {
  term_table *t = c->s->t;
  term_part few[12], *room = few;
  size_t most = (size_t)term_get(t, a)->count + term_get(t, b)->count + 4;
  if (most > sizeof few / sizeof *few) room = arena_alloc(c->s->arena, most * sizeof *room);
  uint32_t count;
  const term_part *parts = term_linear_parts(t, a, x, b, y, k, UINT32_MAX, room, &count);
  return add_parts(c, parts, count, false);
}

// --- definitions

// floordiv(e, d) for d > 0 is at least k where e - k*d >= 0 and below k where it is negative: of small k, as ranges of the
// difference may know what those of e and d do not, as in floordiv(a, a + b).
static bool compare_quotient(context *c, term_id q, term_id e, term_id d) {
  term_table *t = c->s->t;
  uint32_t var = context_find(c, q);
  if (var == UINT32_MAX) return true;
  for (int k = -1; k <= 1; k++) {
    interval r = context_range(c, term_add(t, e, term_scale(t, d, NUM(-k))));
    if (interval_is_nonnegative(r) && !context_narrow(c, var, interval_at_least(NUM(k))))
      return false;
    if (r.has_hi && num_sign(r.hi) < 0 && !context_narrow(c, var, interval_at_most(NUM(k - 1))))
      return false;
  }
  return true;
}

static bool define_quotient(context *c, term_id q, term_id e, term_id d) {
  term_table *t = c->s->t;
  num k;
  if (term_const_value(t, d, &k) && num_sign(k) > 0) {  // 0 <= e - k*q <= k - 1
    shape_budget *b = t->budget;
    return add_linear(c, e, NUM(1), q, num_neg(b, k), NUM(0)) &&
           add_linear(c, e, NUM(-1), q, k, num_sub(b, k, NUM(1)));
  }
  interval sign = context_range(c, d);
  if (!interval_excludes_zero(sign)) return true;
  term_id r = term_sub(t, e, term_mul(t, d, q));
  if (interval_is_positive(sign)) {
    return context_add(c, r, false) && context_add(c, term_above(t, d, r), false) &&
           compare_quotient(c, q, e, d);
  }
  return context_add(c, term_neg(t, r), false) && context_add(c, term_above(t, r, d), false);
}

static bool define(context *c, uint32_t var) {
  term_table *t = c->s->t;
  term_id id = c->term[var];
  term_node node = *term_get(t, id);
  switch (node.kind) {
  case TERM_PRODUCT:
    for (uint32_t i = 0; i < node.count; i++) context_var(c, node.as.powers[i].atom);
    return true;
  case TERM_FLOORDIV: return define_quotient(c, id, node.as.args[0], node.as.args[1]);
  case TERM_MIN:
  case TERM_MAX:
    c->split_count++;
    for (uint32_t i = 0; i < node.count; i++) {
      num sign = NUM(node.kind == TERM_MIN ? 1 : -1);
      if (!add_linear(c, node.as.args[i], sign, id, num_neg(t->budget, sign), NUM(0))) return false;
    }
    return true;
  case TERM_BCAST:
  case TERM_SELECT:
  case TERM_IS_ZERO:
  case TERM_IS_NEG: c->split_count++; return true;
  default: return true;
  }
}

bool context_define(context *c) {
  for (; c->defined < c->var_count; c->defined++) {
    if (!define(c, c->defined)) return false;
  }
  return true;
}

bool context_is_linear(const context *c) {
  const problem *p = c->p;
  if (c->special_count || c->split_count) return false;
  for (uint32_t i = 0; i < p->count; i++) {
    if (p->literals[i].kind == LITERAL_NE) return false;
  }
  for (uint32_t i = 0; i < c->var_count; i++) {
    term_kind kind = term_kind_of(c->s->t, c->term[i]);
    if (kind != TERM_SYMBOL && kind != TERM_FLOORDIV) return false;
  }
  return true;
}

// --- ranges

interval context_range(context *c, term_id e) {
  qsolver *s = c->s;
  const term_part *parts;
  term_part one;
  uint32_t count = term_parts(s->t, e, &parts, &one);
  interval r = interval_point(NUM(0));
  for (uint32_t i = 0; i < count; i++) {
    interval x;
    if (parts[i].monomial == TERM_ONE) {
      x = interval_point(parts[i].coefficient);
    } else {
      uint32_t var = context_find(c, parts[i].monomial);
      if (var != UINT32_MAX) {
        x = c->range[var];
      } else {
        const term_power *powers;
        term_power room;
        uint32_t n = term_powers(s->t, parts[i].monomial, &powers, &room);
        x = interval_point(NUM(1));
        for (uint32_t j = 0; j < n; j++) {
          uint32_t v = context_find(c, powers[j].atom);
          interval f = v != UINT32_MAX ? c->range[v] : problem_range(c->p, powers[j].atom);
          x = interval_mul(
              s->budget, x,
              powers[j].exponent == 1 ? f : interval_pow(s->budget, f, powers[j].exponent));
        }
      }
      x = interval_scale(s->budget, x, parts[i].coefficient);
    }
    r = interval_add(s->budget, r, x);
  }
  return r;
}

// --- propagation

// The largest value of k*x; false when there is none. x is the variable's range.
static inline bool max_of(shape_budget *b, num k, const interval *x, num *out) {
  bool up = num_sign(k) > 0;
  if (up ? !x->has_hi : !x->has_lo) return false;
  *out = num_mul(b, k, up ? x->hi : x->lo);
  return true;
}

// k*x + rest >= 0, where rest is the most that the others give.
static bool tighten(context *c, uint32_t var, num k, num rest) {
  assert(!num_is_zero(k));
  shape_budget *b = c->s->budget;
  const interval *x = &c->range[var];
  num limit = num_neg(b, rest);
  if (num_is_one(k)) return narrow_low(c, var, limit);
  if (num_is(k, -1)) return narrow_high(c, var, rest);
  if (num_sign(k) > 0) {
    if (x->has_lo && num_compare(num_mul(b, k, x->lo), limit) >= 0) return true;
    return narrow_low(c, var, num_ceildiv(b, limit, k));
  }
  if (x->has_hi && num_compare(num_mul(b, k, x->hi), limit) >= 0) return true;
  return narrow_high(c, var, num_floordiv(b, limit, k));
}

// The same of machine words. False: `rest` has no opposite, and nothing was done.
static bool tighten_word(context *c, uint32_t var, int64_t k, int64_t rest) {
  const interval *x = &c->range[var];
  assert(k != 0);
  int64_t limit;
  if (__builtin_sub_overflow(0, rest, &limit)) return false;
  if (k > 0) {
    int64_t low = k == 1 ? limit : limit / k + (limit % k > 0);
    if (!x->has_lo || x->lo.big || low > x->lo.small) narrow_low(c, var, NUM(low));
  } else if (k == -1) {
    if (!x->has_hi || x->hi.big || rest < x->hi.small) narrow_high(c, var, NUM(rest));
  } else {
    int64_t high = limit / k - (limit % k > 0);
    if (!x->has_hi || x->hi.big || high < x->hi.small) narrow_high(c, var, NUM(high));
  }
  return true;
}

// propagate_row where all numbers are machine words, as nearly always. False: some is not, and what was done until then
// is only a part of it. c->conflict says of a contradiction.
static bool propagate_words(context *c, const row *r, int sign) {
  const row_part *open = NULL, *parts = r->parts, *last = parts + r->count;
  int64_t most;
  assert(sign == 1 || sign == -1);
  if (r->c.big || __builtin_mul_overflow(r->c.small, sign, &most)) return false;
  for (const row_part *at = parts; at < last; at++) {
    const interval *x = &c->range[at->var];
    int64_t k, part;
    if (at->k.big || __builtin_mul_overflow(at->k.small, sign, &k)) return false;
    if (k > 0 ? !x->has_hi : !x->has_lo) {
      if (open) return true;
      open = at;
      continue;
    }
    const num *end = k > 0 ? &x->hi : &x->lo;
    if (end->big || __builtin_mul_overflow(k, end->small, &part) ||
        __builtin_add_overflow(most, part, &most))
      return false;
  }
  if (open) return tighten_word(c, open->var, open->k.small * sign, most);
  if (most < 0) {
    c->conflict = true;
    return true;
  }
  for (const row_part *at = parts; at < last && !c->conflict; at++) {
    // Tightening moves the ends that `most` does not rest on.
    const interval *x = &c->range[at->var];
    int64_t k = at->k.small * sign, rest;
    if (__builtin_sub_overflow(most, k * (k > 0 ? x->hi.small : x->lo.small), &rest)) return false;
    if (!tighten_word(c, at->var, k, rest)) return false;
  }
  return true;
}

static __attribute__((noinline)) bool propagate_nums(context *c, const row *r, int sign) {
  shape_budget *b = c->s->budget;
  num most = sign > 0 ? r->c : num_neg(b, r->c), part;
  uint32_t open = UINT32_MAX;
  for (uint32_t i = 0; i < r->count; i++) {
    num k = sign > 0 ? r->parts[i].k : num_neg(b, r->parts[i].k);
    if (max_of(b, k, &c->range[r->parts[i].var], &part)) {
      most = num_add(b, most, part);
    } else if (open != UINT32_MAX) {
      return true;
    } else {
      open = i;
    }
  }
  if (open != UINT32_MAX) {
    num k = sign > 0 ? r->parts[open].k : num_neg(b, r->parts[open].k);
    return tighten(c, r->parts[open].var, k, most);
  }
  if (num_sign(most) < 0) return row_conflict(c);
  for (uint32_t i = 0; i < r->count; i++) {
    uint32_t var = r->parts[i].var;
    num k = sign > 0 ? r->parts[i].k : num_neg(b, r->parts[i].k);
    // Tightening moves the ends that `most` does not rest on.
    if (!max_of(b, k, &c->range[var], &part)) continue;
    if (!tighten(c, var, k, num_sub(b, most, part))) return false;
  }
  return true;
}

// Tightens by sum k*x + c >= 0 (sign 1) or <= 0 (sign -1).
static bool propagate_row(context *c, const row *r, int sign) {
  return propagate_words(c, r, sign) ? !c->conflict : !c->conflict && propagate_nums(c, r, sign);
}

// Integers a with a*f == m for some f in `rest`, m in `m`; rest does not hold 0. Outward.
static interval quotient_range(shape_budget *b, interval m, interval rest) {
  if (!interval_is_positive(rest)) {
    m = interval_neg(b, m);
    rest = interval_neg(b, rest);
  }
  interval r = interval_all();
  if (m.has_hi) {
    if (num_sign(m.hi) >= 0) {
      r.hi = num_floordiv(b, m.hi, rest.lo);
    } else {
      r.hi = rest.has_hi ? num_floordiv(b, m.hi, rest.hi) : NUM(-1);
    }
    r.has_hi = true;
  }
  if (m.has_lo) {
    if (num_sign(m.lo) <= 0) {
      r.lo = num_ceildiv(b, m.lo, rest.lo);
    } else {
      r.lo = rest.has_hi ? num_ceildiv(b, m.lo, rest.hi) : NUM(1);
    }
    r.has_lo = true;
  }
  return r;
}

static interval root_range(shape_budget *b, interval power, uint32_t k) {
  interval r = interval_all();
  if (k % 2 == 0) {
    if (power.has_hi && num_sign(power.hi) >= 0) {
      num root = num_iroot(b, power.hi, k);
      r = (interval){num_neg(b, root), root, true, true};
    }
    return r;
  }
  if (power.has_hi) {
    r.has_hi = true;
    if (num_sign(power.hi) >= 0) {
      r.hi = num_iroot(b, power.hi, k);
    } else {  // the largest a with a^k <= hi < 0: -(ceil of the root)
      num size = num_neg(b, power.hi), root = num_iroot(b, size, k);
      r.hi = num_neg(b, num_equal(num_pow(b, root, k), size) ? root : num_add(b, root, NUM(1)));
    }
  }
  if (power.has_lo) {
    r.has_lo = true;
    if (num_sign(power.lo) <= 0) {
      r.lo = num_neg(b, num_iroot(b, num_neg(b, power.lo), k));
    } else {
      num root = num_iroot(b, power.lo, k);
      r.lo = num_equal(num_pow(b, root, k), power.lo) ? root : num_add(b, root, NUM(1));
    }
  }
  return r;
}

static interval powered(shape_budget *b, interval x, uint32_t k) {
  return k == 1 ? x : interval_pow(b, x, k);
}

static bool without_zero(context *c, uint32_t var) {
  interval r = c->range[var];
  if (r.has_lo && num_is_zero(r.lo) && !context_narrow(c, var, interval_at_least(NUM(1))))
    return false;
  r = c->range[var];
  return !(r.has_hi && num_is_zero(r.hi)) || context_narrow(c, var, interval_at_most(NUM(-1)));
}

static interval factor_range(context *c, const term_node *node, const uint32_t *factor,
                             uint32_t i) {
  return powered(c->s->budget, c->range[factor[i]], node->as.powers[i].exponent);
}

// The range of the product of all factors but the one at `without`.
static interval factors_range(context *c, const term_node *node, const uint32_t *factor,
                              uint32_t without) {
  shape_budget *b = c->s->budget;
  uint32_t i = without == 0;
  if (i == node->count) return interval_point(NUM(1));
  interval r = factor_range(c, node, factor, i);
  for (i++; i < node->count; i++) {
    if (i != without) r = interval_mul(b, r, factor_range(c, node, factor, i));
  }
  return r;
}

// Is it a range from 0 or more in machine words, and not 0 alone?
static bool is_counting(const interval *x) {
  return x->has_lo && !x->lo.big && x->lo.small >= 0 &&
         (!x->has_hi || (!x->hi.big && x->hi.small > 0));
}

// The range of one of the two factors of m, both of counting ranges, by that of the other.
static bool narrow_factor(context *c, const interval *m, uint32_t factor, uint32_t other) {
  const interval *o = &c->range[other];
  bool nonzero = m->lo.small > 0;
  if (nonzero && !narrow_low(c, factor, NUM(1))) return false;
  int64_t least = o->lo.small + (nonzero && o->lo.small == 0), lo = nonzero;
  if (least == 0) return true;
  if (nonzero && o->has_hi) lo = m->lo.small / o->hi.small + (m->lo.small % o->hi.small > 0);
  if (m->has_hi && lo > m->hi.small / least) return row_conflict(c);
  return narrow_low(c, factor, NUM(lo)) &&
         (!m->has_hi || narrow_high(c, factor, NUM(m->hi.small / least)));
}

// propagate_product of two factors that count something, as nearly all do. False: they are not such, and nothing was done.
static bool propagate_counts(context *c, uint32_t var, const uint32_t *factor, bool *consistent) {
  const interval *x = &c->range[factor[0]], *y = &c->range[factor[1]], *m = &c->range[var];
  int64_t lo, hi = 0;
  bool has_hi = x->has_hi && y->has_hi;
  if (!is_counting(x) || !is_counting(y) || (m->has_lo && m->lo.big) || (m->has_hi && m->hi.big) ||
      __builtin_mul_overflow(x->lo.small, y->lo.small, &lo) ||
      (has_hi && __builtin_mul_overflow(x->hi.small, y->hi.small, &hi)))
    return false;
  *consistent = narrow_low(c, var, NUM(lo)) && (!has_hi || narrow_high(c, var, NUM(hi))) &&
                narrow_factor(c, m, factor[0], factor[1]) &&
                narrow_factor(c, m, factor[1], factor[0]);
  return true;
}

static bool propagate_product(context *c, uint32_t var) {
  shape_budget *b = c->s->budget;
  term_node node = *term_get(c->s->t, c->term[var]);
  if (node.count > ROWS_FACTORS) return true;
  uint32_t factor[ROWS_FACTORS];
  bool consistent, pair = node.count == 2;
  for (uint32_t i = 0; i < node.count; i++) {
    factor[i] = context_find(c, node.as.powers[i].atom);
    if (factor[i] == UINT32_MAX) return true;
    pair &= node.as.powers[i].exponent == 1;
  }
  if (pair && propagate_counts(c, var, factor, &consistent)) return consistent;
  interval all = factors_range(c, &node, factor, UINT32_MAX);
  if (!context_narrow(c, var, all)) return false;
  bool nonzero = interval_excludes_zero(c->range[var]);
  for (uint32_t i = 0; i < node.count; i++) {
    if (nonzero && !without_zero(c, factor[i])) return false;
    interval rest = factors_range(c, &node, factor, i);
    if (nonzero) {
      if (rest.has_lo && num_is_zero(rest.lo)) rest.lo = NUM(1);
      if (rest.has_hi && num_is_zero(rest.hi)) rest.hi = NUM(-1);
    }
    if (!interval_excludes_zero(rest) ||
        (rest.has_lo && rest.has_hi && num_compare(rest.lo, rest.hi) > 0))
      continue;
    interval to = quotient_range(b, c->range[var], rest);
    if (to.has_lo && to.has_hi && num_compare(to.lo, to.hi) > 0) {
      c->conflict = true;
      return false;
    }
    if (node.as.powers[i].exponent > 1) {
      interval range = c->range[factor[i]];
      interval root = root_range(b, to, node.as.powers[i].exponent);
      if (node.as.powers[i].exponent % 2 == 0) {
        if (to.has_hi && num_sign(to.hi) < 0) {
          c->conflict = true;
          return false;
        }
        if (to.has_lo && num_sign(to.lo) > 0 && interval_is_nonnegative(range)) {
          uint32_t k = node.as.powers[i].exponent;
          num low = num_iroot(b, to.lo, k);
          if (!num_equal(num_pow(b, low, k), to.lo)) low = num_add(b, low, NUM(1));
          root.lo = low;
          root.has_lo = true;
          if (root.has_hi && num_compare(root.lo, root.hi) > 0) {
            c->conflict = true;
            return false;
          }
        }
      }
      to = root;
      if (to.has_lo && to.has_hi && num_compare(to.lo, to.hi) > 0) {
        c->conflict = true;
        return false;
      }
    }
    if (!context_narrow(c, factor[i], to)) return false;
  }
  return true;
}

static bool propagate_special(context *c, uint32_t var) {
  term_node node = *term_get(c->s->t, c->term[var]);
  if (node.kind == TERM_PRODUCT) return propagate_product(c, var);
  interval d = context_range(c, node.as.args[1]);
  num zero;
  if (interval_is_point(d, &zero) && num_is_zero(zero)) {
    c->conflict = true;  // outside the domain
    return false;
  }
  return context_narrow(c, var,
                        interval_floordiv(c->s->budget, context_range(c, node.as.args[0]), d));
}

static bool drain_rows(context *c, uint64_t *steps) {
  while (c->queue.head < c->queue.tail) {
    if (*steps == 0) return true;
    --*steps;
    uint32_t index = c->queue.rows[c->queue.head++];
    row *r = &c->rows[index];
    r->queued = false;
    if (!budget_spend(c->s->budget, 1 + r->count)) {
      *steps = 0;
      return true;
    }
    if (r->idle) continue;
    c->queue.running = index;
    bool consistent = propagate_row(c, r, 1);
    c->queue.running = UINT32_MAX;
    if (!consistent || (r->eq && !propagate_row(c, r, -1))) return false;
  }
  c->queue.head = c->queue.tail = 0;
  return true;
}

static bool form_queued(context *c, term_id e) {
  const term_part *parts;
  term_part one;
  uint32_t count = term_parts(c->s->t, e, &parts, &one);
  for (uint32_t i = 0; i < count; i++) {
    if (parts[i].monomial == TERM_ONE) continue;
    uint32_t var = context_find(c, parts[i].monomial);
    if (var == UINT32_MAX || c->queued[var]) return true;
  }
  return false;
}

static bool depends_on_queued(context *c, uint32_t var) {
  if (c->queued[var]) return true;
  term_node node = *term_get(c->s->t, c->term[var]);
  if (node.kind != TERM_PRODUCT)
    return form_queued(c, node.as.args[0]) || form_queued(c, node.as.args[1]);
  for (uint32_t i = 0; i < node.count; i++) {
    uint32_t factor = context_find(c, node.as.powers[i].atom);
    if (factor == UINT32_MAX || c->queued[factor]) return true;
  }
  return false;
}

bool context_propagate(context *c) {
  if (c->conflict) return false;
  uint64_t steps = ROWS_STEPS + (uint64_t)ROWS_STEPS_PER_ROW * c->row_count;
  if (c->special_count == 0) return drain_rows(c, &steps);
  for (uint32_t round = 0; round < ROWS_ROUNDS; round++) {
    if (!drain_rows(c, &steps)) return false;
    bool any = false;
    uint8_t due[ROWS_DUE];
    uint32_t count = c->special_count;
    for (uint32_t i = 0; i < count && i < sizeof due; i++)
      due[i] = depends_on_queued(c, c->special[i]);
    memset(c->queued, 0, c->var_count);
    for (uint32_t i = 0; i < count; i++) {
      if (i < sizeof due && !due[i]) continue;
      if (!budget_spend(c->s->budget, 4)) return true;
      if (!propagate_special(c, c->special[i])) return false;
      any = true;
    }
    if (!any || (c->queue.head == c->queue.tail && memchr(c->queued, 1, c->var_count) == NULL))
      break;
    if (steps == 0) break;
  }
  return true;
}

// --- saving

// A context without variables has no arrays, and memcpy takes no NULL.
void context_save(context *c, interval *to) {
  if (c->var_count) memcpy(to, c->range, c->var_count * sizeof *to);
}

void context_restore(context *c, const interval *from) {
  if (c->var_count) memcpy(c->range, from, c->var_count * sizeof *from);
  for (uint32_t i = c->queue.head; i < c->queue.tail; i++) c->rows[c->queue.rows[i]].queued = false;
  c->queue.head = c->queue.tail = 0;
  if (c->var_count) memset(c->queued, 0, c->var_count);
  c->conflict = false;
}
