// SPDX-License-Identifier: Apache-2.0
// Models: concrete points, found by fixing symbols one by one under propagation, and verified by evaluating the premises
// as they were given. Nothing that the solver derived is trusted here.
#include <assert.h>
#include <string.h>

#include "solver/decide/solver.h"

// --- evaluation

// Evaluation makes no terms, so that nodes stay where they are. Values are returned and what has none is noted in
// s->undefined, so that no address of a local is taken; the leaves, which are most of what is evaluated, need no call.
static num value_of_node(qsolver *s, const term_node *n);
static num value_of_sum(qsolver *s, const term_node *n);

static num undefined(qsolver *s) {
  s->undefined = true;
  return NUM(0);
}

static inline __attribute__((always_inline)) num value_of(qsolver *s, term_id id) {
  const term_node *n = term_get(s->t, id);
  if (n->kind == TERM_SYMBOL && n->as.symbol < s->env_capacity && s->env_known[n->as.symbol])
    return s->env[n->as.symbol];
  if (n->kind == TERM_SUM) return value_of_sum(s, n);
  return n->kind == TERM_CONST ? n->as.value : value_of_node(s, n);
}

static num value_of_quotient(qsolver *s, const term_node *n) {
  num a = value_of(s, n->as.args[0]);
  if (s->undefined) return a;
  num b = value_of(s, n->as.args[1]);
  if (s->undefined || num_is_zero(b)) return undefined(s);
  return num_floordiv(s->budget, a, b);
}

static num value_of_extremum(qsolver *s, const term_node *n) {
  num best = NUM(0);
  for (uint32_t i = 0; i < n->count && !s->undefined; i++) {
    num a = value_of(s, n->as.args[i]);
    best = i == 0 ? a : n->kind == TERM_MIN ? num_min(best, a) : num_max(best, a);
  }
  return n->count ? best : undefined(s);
}

static num value_of_atom(qsolver *s, const term_node *n) {
  if (!budget_spend(s->budget, 1)) return undefined(s);
  if (n->kind == TERM_MIN || n->kind == TERM_MAX) return value_of_extremum(s, n);
  if (n->kind == TERM_APPLY || (n->kind == TERM_BIGMUL && n->count != 1)) return undefined(s);
  num a = value_of(s, n->as.args[0]), b;
  if (s->undefined) return a;
  switch (n->kind) {
  case TERM_BCAST: b = value_of(s, n->as.args[1]); return num_is_one(a) ? b : a;
  case TERM_SELECT: return value_of(s, n->as.args[num_is_zero(a) ? 2 : 1]);
  case TERM_IS_ZERO: return NUM(num_is_zero(a));
  case TERM_IS_NEG: return NUM(num_sign(a) < 0);
  case TERM_BIGMUL: return a;
  default: return undefined(s);
  }
}

static __attribute__((noinline)) num value_of_sum(qsolver *s, const term_node *n) {
  num sum = NUM(0);
  uint32_t i = n->as.parts[0].monomial == TERM_ONE;
  if (i) sum = n->as.parts[0].coefficient;
  for (; i < n->count && !s->undefined; i++) {
    num v = value_of(s, n->as.parts[i].monomial), k = n->as.parts[i].coefficient;
    sum = num_add(s->budget, sum, num_is_one(k) ? v : num_mul(s->budget, k, v));
  }
  return sum;
}

static num value_of_product(qsolver *s, const term_node *n) {
  num product = NUM(1);
  for (uint32_t i = 0; i < n->count && !s->undefined; i++) {
    num v = value_of(s, n->as.powers[i].atom);
    uint32_t exponent = n->as.powers[i].exponent;
    product = num_mul(s->budget, product, exponent == 1 ? v : num_pow(s->budget, v, exponent));
  }
  return product;
}

static __attribute__((noinline)) num value_of_node(qsolver *s, const term_node *n) {
  assert(n->kind != TERM_SUM && n->kind != TERM_CONST);
  switch (n->kind) {
  case TERM_SYMBOL: return undefined(s);  // of unknown value
  case TERM_PRODUCT: return value_of_product(s, n);
  case TERM_FLOORDIV: return budget_spend(s->budget, 1) ? value_of_quotient(s, n) : undefined(s);
  default: return value_of_atom(s, n);
  }
}

bool model_evaluate(qsolver *s, term_id id, num *out) {
  s->undefined = false;
  *out = value_of(s, id);
  return !s->undefined;
}

static bool holds(qsolver *s, predicate p, bool *out) {
  s->undefined = false;
  num a = value_of(s, p.left), b = value_of(s, p.right);
  if (s->undefined) return false;
  if (p.rel == REL_DIVISIBLE) {
    if (num_is_zero(b)) return false;
    *out = num_divides(s->budget, b, a);
    return true;
  }
  int sign = num_compare(a, b);
  *out = p.rel == REL_EQ   ? sign == 0
         : p.rel == REL_NE ? sign != 0
         : p.rel == REL_LT ? sign < 0
         : p.rel == REL_LE ? sign <= 0
         : p.rel == REL_GT ? sign > 0
                           : sign >= 0;
  return true;
}

// --- checking

void model_reset(problem *p) {
  qsolver *s = p->s;
  uint32_t need = s->t->symbol_count;
  if (need > s->env_capacity) {
    uint32_t capacity = need + 16;
    s->env = arena_alloc(s->arena, capacity * sizeof *s->env);
    s->env_known = arena_alloc(s->arena, capacity);
    s->env_capacity = capacity;
  }
  if (s->env_capacity) memset(s->env_known, 0, s->env_capacity);
}

static num default_value(interval r) {
  return r.has_lo && num_sign(r.lo) > 0   ? r.lo
         : r.has_hi && num_sign(r.hi) < 0 ? r.hi
         : r.has_lo                       ? r.lo
         : r.has_hi                       ? num_min(r.hi, NUM(0))
                                          : NUM(0);
}

static void set_value(qsolver *s, uint32_t symbol, num value) {
  assert(symbol < s->env_capacity);
  s->env[symbol] = value;
  s->env_known[symbol] = 1;
}

// Those that have no value yet and are not mapped: nothing constrains them.
static void set_free_symbols(problem *p) {
  qsolver *s = p->s;
  uint32_t symbols = s->t->symbol_count < s->env_capacity ? s->t->symbol_count : s->env_capacity;
  uint8_t *mapped = NULL;
  if (p->order_count) {
    mapped = arena_zalloc(s->arena, symbols + 1);
    for (uint32_t i = 0; i < p->order_count; i++) {
      term_id atom = p->order[i];
      if (term_kind_of(s->t, atom) == TERM_SYMBOL && term_get(s->t, atom)->as.symbol < symbols) {
        mapped[term_get(s->t, atom)->as.symbol] = 1;
      }
    }
  }
  for (uint32_t i = 0; i < symbols; i++) {
    if (!s->env_known[i] && !(mapped && mapped[i]))
      set_value(s, i, default_value(problem_symbol_range(p, i)));
  }
}

static bool is_made(void *data, term_id atom) {
  const query *q = data;
  uint32_t i = 0;
  while (i < q->symbol_count && q->symbols[i].symbol != atom) i++;
  return i == q->symbol_count && term_kind_of(q->terms, atom) == TERM_SYMBOL;
}

static bool literal_holds(literal l, num v) {
  int sign = num_sign(v);
  assert(l.kind == LITERAL_EQ || l.kind == LITERAL_NE || l.kind == LITERAL_GE);
  return l.kind == LITERAL_EQ ? sign == 0 : l.kind == LITERAL_NE ? sign != 0 : sign >= 0;
}

// Symbols that the solver made may have other values than what they are made for: premises are checked without them. What
// holds one says nothing then.
static bool fits_problem(const problem *p, term_id t) {
  qsolver *s = p->s;
  num a, b;
  assert(p->order_count <= p->order_capacity);
  if (!term_any_atom(s->t, t, is_made, (void *)s->q)) return true;
  for (uint32_t i = 0; i < p->order_count; i++) {
    term_id atom = p->order[i];
    assert(atom < p->to_capacity);
    term_id value = p->to[atom];
    if (value == TERM_NONE || term_kind_of(s->t, atom) == TERM_SYMBOL) continue;
    if (!model_evaluate(s, atom, &a) || !model_evaluate(s, value, &b) || !num_equal(a, b))
      return false;
  }
  for (uint32_t i = 0; i < p->count; i++) {
    if (!model_evaluate(s, p->literals[i].e, &a) || !literal_holds(p->literals[i], a)) return false;
  }
  return true;
}

// Where all free symbols have values.
static bool check_point(problem *p) {
  qsolver *s = p->s;
  const query *q = s->q;
  for (uint32_t i = p->order_count; i-- > 0;) {
    term_id atom = p->order[i];
    if (term_kind_of(s->t, atom) != TERM_SYMBOL) continue;
    num value;
    if (!model_evaluate(s, p->to[atom], &value)) return false;
    set_value(s, term_get(s->t, atom)->as.symbol, value);
  }
  for (uint32_t i = 0; i < q->symbol_count; i++) {
    uint32_t symbol = term_get(s->t, q->symbols[i].symbol)->as.symbol;
    assert(symbol < s->env_capacity);
    if (!interval_contains(q->symbols[i].range, s->env[symbol])) return false;
    num m = q->symbols[i].multiple_of;
    if (!num_is_one(m) && !num_is_zero(m) && !num_divides(s->budget, m, s->env[symbol]))
      return false;
  }
  bool ok;
  for (uint32_t i = 0; i < q->premise_count; i++) {
    if (!holds(s, q->premises[i], &ok) || !ok) return false;
  }
  const search_options *o = &s->sought;
  if (o->asked && (!holds(s, *o->asked, &ok) || ok != o->holds)) return false;
  num value = NUM(0);
  if ((o->goal != TERM_NONE && !fits_problem(p, o->goal)) ||
      (o->objective != TERM_NONE && !fits_problem(p, o->objective)))
    return false;
  if (o->goal != TERM_NONE && (!model_evaluate(s, o->goal, &value) || num_sign(value) < 0))
    return false;
  if (o->objective != TERM_NONE && !model_evaluate(s, o->objective, &value)) return false;
  num *model = arena_alloc(s->arena, (q->symbol_count + 1) * sizeof *model);
  for (uint32_t i = 0; i < q->symbol_count; i++)
    model[i] = s->env[term_get(s->t, q->symbols[i].symbol)->as.symbol];
  s->model = model;
  s->objective_value = value;
  return true;
}

bool model_check(problem *p) {
  set_free_symbols(p);
  return check_point(p);
}

bool model_from_values(context *c, const num *values) {
  model_reset(c->p);
  for (uint32_t i = 0; i < c->var_count; i++) {
    const term_node *node = term_get(c->s->t, c->term[i]);
    if (node->kind == TERM_SYMBOL) set_value(c->s, node->as.symbol, values[i]);
  }
  return model_check(c->p);
}

// --- repair

// By how much a symbol with coefficient k is to move so that a literal holds whose term is v now. False: no move does that.
static bool repairing_move(shape_budget *b, literal l, num k, num v, num *by) {
  if (l.kind == LITERAL_EQ && !num_divides(b, k, v)) return false;
  num gap = num_neg(b, v);
  *by = l.kind == LITERAL_NE ? NUM(1)
        : num_is_unit(k)     ? (k.small > 0 ? gap : v)
        : num_sign(k) > 0    ? num_ceildiv(b, gap, k)
                             : num_floordiv(b, gap, k);
  return true;
}

// Moves a symbol of the literal so that it holds where its term is v now: up if one may be, as then moves seldom undo one
// another. False: none may be moved.
static bool repair_literal(problem *p, literal l, num v) {
  qsolver *s = p->s;
  const term_part *parts;
  term_part one;
  uint32_t count = term_parts(s->t, l.e, &parts, &one);
  for (int down = 0; down < 2; down++) {
    for (uint32_t i = count; i-- > 0;) {
      const term_node *node = term_get(s->t, parts[i].monomial);
      num by;
      if (node->kind != TERM_SYMBOL ||
          !repairing_move(s->budget, l, parts[i].coefficient, v, &by) || (num_sign(by) < 0) != down)
        continue;
      num to = num_add(s->budget, s->env[node->as.symbol], by);
      if (!interval_contains(problem_symbol_range(p, node->as.symbol), to)) continue;
      s->env[node->as.symbol] = to;
      return true;
    }
  }
  return false;
}

bool model_repair(problem *p, const search_options *sought, bool *moved) {
  qsolver *s = p->s;
  bool again = true;
  *moved = false;
  model_reset(p);
  set_free_symbols(p);
  for (uint32_t round = 0; round < MODEL_REPAIRS && again; round++) {
    again = false;
    for (uint32_t i = 0; i < p->count; i++) {
      num v;
      if (!model_evaluate(s, p->literals[i].e, &v)) return false;
      if (literal_holds(p->literals[i], v)) continue;
      if (!repair_literal(p, p->literals[i], v)) return false;
      again = *moved = true;
    }
  }
  s->sought = *moved ? *sought : search_any(0);
  return !again && check_point(p);
}

// --- the point of lower ends

// The value of a sum of products of symbols that are at least 0, where each is at the lower end of its range. False: the term is
// not such a sum.
static bool value_at_lower_ends(const problem *p, term_id e, num *out) {
  const term_table *t = p->s->t;
  shape_budget *b = p->s->budget;
  const term_part *parts;
  term_part one;
  if (term_kinds(t, e) & ~(uint32_t)KIND_BIT(TERM_SYMBOL)) return false;
  uint32_t count = term_parts(t, e, &parts, &one);
  *out = NUM(0);
  for (uint32_t i = 0; i < count; i++) {
    num product = parts[i].coefficient;
    const term_power *powers;
    term_power room;
    uint32_t n = term_powers(t, parts[i].monomial, &powers, &room);
    for (uint32_t k = 0; k < n; k++) {
      interval r = problem_symbol_range(p, term_get(t, powers[k].atom)->as.symbol);
      if (!interval_is_nonnegative(r)) return false;
      uint32_t exponent = powers[k].exponent;
      product = num_mul(b, product, exponent == 1 ? r.lo : num_pow(b, r.lo, exponent));
    }
    *out = num_add(b, *out, product);
  }
  return true;
}

bool model_at_lower_ends(problem *p) {
  for (uint32_t i = p->count; i-- > 0;) {
    num v;
    literal l = p->literals[i];
    if (l.kind != LITERAL_GE || !value_at_lower_ends(p, l.e, &v) || num_sign(v) < 0) return false;
  }
  model_reset(p);
  return model_check(p);
}

// --- search

static uint64_t next_random(uint64_t *state) {
  *state += 0x9e3779b97f4a7c15u;
  return hash_mix(*state);
}

// A value of the range; attempts differ in where they look.
static num pick(qsolver *s, interval r, uint32_t attempt, uint64_t *random) {
  shape_budget *b = s->budget;
  if (attempt == 0) return default_value(r);
  int64_t offset = attempt == 1       ? 1
                   : attempt == 2     ? 0
                   : attempt == 3     ? 1000003
                   : attempt % 3 == 1 ? (int64_t)(next_random(random) % 4)
                   : attempt % 3 == 2 ? (int64_t)(next_random(random) % 24)
                                      : (int64_t)(next_random(random) % 300);
  bool from_top = attempt == 2 ? r.has_hi : (attempt > 3 && (next_random(random) & 7) == 0);
  if (attempt == 2 && !r.has_hi) offset = 7;
  num v;
  if (r.has_hi && (from_top || !r.has_lo)) {
    v = num_sub(b, r.hi, NUM(offset));
  } else if (r.has_lo) {
    v = num_add(b, r.lo, NUM(offset));
  } else {
    v = NUM(attempt > 3 && (next_random(random) & 1) ? -offset : offset);
  }
  if (r.has_lo && num_compare(v, r.lo) < 0) v = r.lo;
  if (r.has_hi && num_compare(v, r.hi) > 0) v = r.hi;
  assert(interval_contains(r, v));
  return v;
}

// The symbol to fix next: the smallest finite range, else the first; UINT32_MAX when all are fixed.
static uint32_t next_symbol(context *c, const uint32_t *symbols, uint32_t count, bool sorted,
                            bool backward) {
  uint32_t best = UINT32_MAX;
  num smallest = NUM(0), v;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t var = symbols[backward ? count - 1 - k : k];
    interval r = c->range[var];
    if (interval_is_point(r, &v)) continue;
    if (!sorted) return var;
    if (!r.has_lo || !r.has_hi) {
      if (best == UINT32_MAX) best = var;
      continue;
    }
    num size = num_sub(c->s->budget, r.hi, r.lo);
    if (best == UINT32_MAX || !c->range[best].has_lo || !c->range[best].has_hi ||
        num_compare(size, smallest) < 0) {
      best = var;
      smallest = size;
    }
  }
  return best;
}

static bool dive(context *c, const uint32_t *symbols, uint32_t count, uint32_t attempt,
                 interval *saved) {
  qsolver *s = c->s;
  uint64_t random = attempt;
  uint32_t retries = 0;
  bool sorted = count <= MODEL_SORTED;
  for (;;) {
    uint32_t var = next_symbol(c, symbols, count, sorted, attempt % 2 == 1);
    if (var == UINT32_MAX) break;
    context_save(c, saved);
    interval r = c->range[var];
    bool done = false;
    for (uint32_t k = 0; k < MODEL_TRIES && !done; k++) {
      num v = pick(s, r, attempt, &random);
      if (context_narrow(c, var, interval_point(v)) && context_propagate(c)) {
        num fixed;
        if (!interval_is_point(c->range[var], &fixed)) return false;  // beyond the bits of a bound
        done = true;
        break;
      }
      context_restore(c, saved);
      if (++retries > MODEL_RETRIES || !budget_spend(s->budget, 16)) return false;
      // leave v out, on the side where more is left
      interval rest;
      if (!r.has_hi || num_compare(v, r.hi) < 0) {
        rest = interval_at_least(num_add(s->budget, v, NUM(1)));
      } else {
        rest = interval_at_most(num_sub(s->budget, v, NUM(1)));
      }
      if (!interval_meet(r, rest, &r)) return false;
      if (k > 0) attempt += 3;
    }
    if (!done) return false;
  }
  model_reset(c->p);
  for (uint32_t i = 0; i < count; i++) {
    assert(c->range[symbols[i]].has_lo && c->range[symbols[i]].has_hi);
    set_value(s, term_get(s->t, c->term[symbols[i]])->as.symbol, c->range[symbols[i]].lo);
  }
  return model_check(c->p);
}

// The point of all lower ends, where none is below 0: the first attempt would pick these values one by one, and
// propagation, being sound, would leave them in their ranges.
static bool minimal_point(context *c, const uint32_t *symbols, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (!interval_is_nonnegative(c->range[symbols[i]])) return false;
  }
  model_reset(c->p);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t var = symbols[i];
    set_value(c->s, term_get(c->s->t, c->term[var])->as.symbol, c->range[var].lo);
  }
  return model_check(c->p);
}

bool model_search(context *c, uint32_t first_attempt, uint32_t attempts) {
  qsolver *s = c->s;
  uint32_t *symbols = arena_alloc(s->arena, (c->var_count + 1) * sizeof *symbols), count = 0;
  for (uint32_t i = 0; i < c->var_count; i++) {
    if (term_kind_of(s->t, c->term[i]) == TERM_SYMBOL && i != c->top) symbols[count++] = i;
  }
  if (first_attempt == 0 && attempts && minimal_point(c, symbols, count)) return true;
  interval *start = arena_alloc(s->arena, (c->var_count + 1) * sizeof *start);
  interval *saved = arena_alloc(s->arena, (c->var_count + 1) * sizeof *saved);
  context_save(c, start);
  bool found = false;
  for (uint32_t attempt = first_attempt; attempt < first_attempt + attempts && !found; attempt++) {
    found = dive(c, symbols, count, attempt, saved);
    context_restore(c, start);
    if (!budget_spend(s->budget, 1)) break;
  }
  return found;
}
