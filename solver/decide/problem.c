// SPDX-License-Identifier: Apache-2.0
// Problems: literals over terms, kept in solved form.
//
// An equality with a symbol of coefficient 1 maps that symbol to the rest. Where all coefficients are larger, the step
// of the Omega test replaces x by a fresh symbol so that the smallest coefficient shrinks. Where the symbol also occurs
// inside a quotient of the same equality, the quotient is named first by a fresh symbol: a - 4*floordiv(a,4) == 2 with
// floordiv(a,4) =: t gives a = 4*t + 2, and substitution turns floordiv(a,4) back into t.
// Invariant: the value of a mapped atom holds no atom that was mapped before it, so that one substitution in reverse
// order of elimination resolves all values; resolving is memoised per state of the map.
#include <assert.h>
#include <string.h>

#include "solver/decide/solver.h"

// --- the map

static term_id mapped_to(const problem *p, term_id atom) {
  return atom < p->to_capacity ? p->to[atom] : TERM_NONE;
}

static void *duplicate(shape_arena *arena, const void *data, size_t bytes) {
  void *copy = arena_alloc(arena, bytes ? bytes : 1);
  if (bytes) memcpy(copy, data, bytes);
  return copy;
}

static void own_map(problem *p) {
  p->to = duplicate(p->s->arena, p->to, p->to_capacity * sizeof *p->to);
  p->order_capacity = p->order_count;
  p->order = duplicate(p->s->arena, p->order, p->order_count * sizeof *p->order);
  p->map_shared = false;
}

static void set_mapped(problem *p, term_id atom, term_id value) {
  if (p->map_shared) own_map(p);
  if (atom >= p->to_capacity) {
    uint32_t old = p->to_capacity;
    p->to =
        arena_grow(p->s->arena, p->to, old, p->s->t->count + 32u, &p->to_capacity, sizeof *p->to);
    memset(p->to + old, 0xff, (p->to_capacity - old) * sizeof *p->to);  // TERM_NONE
  }
  assert(atom < p->to_capacity && term_is_atom(p->s->t, atom));
  p->to[atom] = value;
  p->stamp = ++p->s->stamp;
}

static term_id substitute_held(problem *p, term_id id, uint32_t depth);

static inline term_id substitute(problem *p, term_id id, uint32_t depth) {
  const qsolver *s = p->s;
  if (!(term_mask(s->t, id) & p->mapped)) return id;
  term_id known = mapped_to(p, id);
  if (known != TERM_NONE && !(term_mask(s->t, known) & p->mapped)) return known;
  if (id < s->memo_capacity && s->memo_stamp[id] == p->stamp) return s->memo[id];
  return substitute_held(p, id, depth);
}

static term_id substitute_sum(problem *p, const term_node *node, uint32_t depth) {
  qsolver *s = p->s;
  term_part room[16], *parts = room;
  uint32_t capacity = sizeof room / sizeof *room, count = 0;
  if (2 * node->count > capacity) {
    capacity = 2 * node->count;
    parts = arena_alloc(s->arena, capacity * sizeof *parts);
  }
  for (uint32_t i = 0; i < node->count; i++) {
    term_part part = node->as.parts[i];
    term_id value = substitute(p, part.monomial, depth);
    term_part one;
    const term_part *from;
    uint32_t n = term_parts(s->t, value, &from, &one);
    if (count + n > capacity) {
      term_part *more = arena_alloc(s->arena, (size_t)(count + n) * 2 * sizeof *more);
      memcpy(more, parts, count * sizeof *more);
      parts = more;
      capacity = (count + n) * 2;
    }
    for (uint32_t j = 0; j < n; j++) {
      parts[count++] =
          (term_part){num_mul(s->budget, part.coefficient, from[j].coefficient), from[j].monomial};
    }
  }
  assert(count <= capacity);
  return term_sum_loose(s->t, parts, count);
}

static term_id substitute_product(problem *p, const term_node *node, uint32_t depth) {
  term_table *t = p->s->t;
  term_id result = TERM_ONE;
  for (uint32_t i = 0; i < node->count; i++) {
    term_id value = substitute(p, node->as.powers[i].atom, depth);
    uint32_t exponent = node->as.powers[i].exponent;
    result = term_mul(t, result, exponent == 1 ? value : term_pow(t, value, exponent));
  }
  return result;
}

static term_id substitute_atom(problem *p, term_id id, const term_node *node, uint32_t depth) {
  qsolver *s = p->s;
  term_id value = mapped_to(p, id);
  if (value != TERM_NONE) {
    if (!(term_mask(s->t, value) & p->mapped) || depth >= PROBLEM_COMPRESS) return value;
    term_id better = substitute(p, value, depth + 1);
    if (better != value)
      p->to[id] = better;  // the same value, further resolved: the memo stays valid
    return better;
  }
  if (node->kind == TERM_SYMBOL) return id;
  term_id room[8], *args = node->count <= sizeof room / sizeof *room
                               ? room
                               : arena_alloc(s->arena, node->count * sizeof *args);
  bool moved = false;
  for (uint32_t i = 0; i < node->count; i++) {
    args[i] = substitute(p, node->as.args[i], depth);
    moved |= args[i] != node->as.args[i];
  }
  if (!moved) return id;
  if (node->kind == TERM_FLOORDIV && args[1] == TERM_ZERO)
    return id;  // no point of the domain is left: keep the atom
  return term_rebuild(s->t, id, args);
}

// Of a term that may hold a mapped atom, where nothing is known of it yet.
static __attribute__((noinline)) term_id substitute_held(problem *p, term_id id, uint32_t depth) {
  qsolver *s = p->s;
  term_node node = *term_get(s->t, id);
  budget_spend(s->budget, 1 + node.count);
  term_id result = node.kind == TERM_SUM       ? substitute_sum(p, &node, depth)
                   : node.kind == TERM_PRODUCT ? substitute_product(p, &node, depth)
                                               : substitute_atom(p, id, &node, depth);
  if (id >= s->memo_capacity) {
    uint32_t old = s->memo_capacity, capacity = old;
    s->memo = arena_grow(s->arena, s->memo, old, s->t->count + 32u, &capacity, sizeof *s->memo);
    s->memo_stamp = arena_grow(s->arena, s->memo_stamp, old, capacity, &s->memo_capacity,
                               sizeof *s->memo_stamp);
    if (capacity < s->memo_capacity) s->memo_capacity = capacity;
    memset(s->memo_stamp + old, 0, (s->memo_capacity - old) * sizeof *s->memo_stamp);
  }
  s->memo[id] = result;
  s->memo_stamp[id] = p->stamp;
  return result;
}

term_id problem_resolve_mapped(problem *p, term_id id) {
  for (uint32_t pass = 0; pass < PROBLEM_RESOLVES; pass++) {
    term_id next = substitute(p, id, 0);
    if (next == id) return id;
    id = next;
    if (!budget_spend(p->s->budget, 1) || !(term_mask(p->s->t, id) & p->mapped)) break;
  }
  return id;
}

// --- ranges

static bool meet_symbol(problem *p, uint32_t symbol, interval with) {
  if (symbol >= p->range_count) {
    uint32_t capacity = p->range_count, old = p->range_count;
    p->range = arena_grow(p->s->arena, p->range, old, p->s->t->symbol_count + 4u, &capacity,
                          sizeof *p->range);
    for (uint32_t i = old; i < capacity; i++) p->range[i] = interval_all();
    p->range_count = capacity;
  }
  assert(symbol < p->range_count);
  interval old = p->range[symbol];
  if (!interval_meet(old, with, &p->range[symbol])) return false;
  if (!interval_equal(old, p->range[symbol])) {
    p->ranges_moved = true;
    problem_ranges_changed(p);
  }
  return true;
}

void problem_add(problem *p, literal l) {
  p->literals = arena_grow(p->s->arena, p->literals, p->count, (size_t)p->count + 1, &p->capacity,
                           sizeof *p->literals);
  p->literals[p->count++] = l;
}

void problem_init(problem *p, qsolver *s) {
  memset(p, 0, sizeof *p);
  p->s = s;
  p->stamp = p->range_stamp = ++s->stamp;
  p->maps_left = PROBLEM_MAPS + 8 * s->q->premise_count + 8 * s->q->symbol_count;
  p->fresh_left = PROBLEM_FRESH + 4 * s->q->premise_count + 2 * s->q->symbol_count;
}

void problem_copy(problem *p, const problem *from) {
  shape_arena *arena = from->s->arena;
  *p = *from;
  p->capacity = from->count + 4;
  p->literals = arena_alloc(arena, p->capacity * sizeof *p->literals);
  if (from->count) memcpy(p->literals, from->literals, from->count * sizeof *p->literals);
  p->map_shared = true;
  p->range = duplicate(arena, from->range, from->range_count * sizeof *p->range);
}

// --- elimination

static bool is_symbol(qsolver *s, term_id id) { return term_kind_of(s->t, id) == TERM_SYMBOL; }

static void push_ge(problem *p, term_id e) { problem_add(p, (literal){e, LITERAL_GE}); }

// The constraints of q = floordiv(e, d) on a value of q; false when the sign of d is not known.
static bool push_definition(problem *p, term_id quotient, term_id value) {
  term_table *t = p->s->t;
  term_id e = term_get(t, quotient)->as.args[0], d = term_get(t, quotient)->as.args[1];
  interval sign = problem_range(p, d);
  if (!interval_excludes_zero(sign)) return false;
  term_id r = term_sub(t, e, term_mul(t, d, value));
  if (interval_is_positive(sign)) {
    push_ge(p, r);
    push_ge(p, term_above(t, d, r));
  } else {
    push_ge(p, term_neg(t, r));
    push_ge(p, term_above(t, r, d));
  }
  return true;
}

// A mapped quotient whose arguments change is no longer found under its old key, and one whose value changes may come
// back in that value by canonical form: both become equalities again.
static void unmap_users(problem *p, term_id atom) {
  qsolver *s = p->s;
  for (uint32_t i = 0; i < p->order_count; i++) {
    term_id key = p->order[i];
    if (term_kind_of(s->t, key) == TERM_SYMBOL) continue;
    term_id value = mapped_to(p, key);
    if (value == TERM_NONE || key == atom) continue;
    if (!term_mentions(s->t, key, atom) && !term_mentions(s->t, value, atom)) continue;
    p->to[key] = TERM_NONE;
    p->stamp = ++s->stamp;
    problem_add(p, (literal){term_sub(s->t, key, value), LITERAL_EQ});
  }
}

// Takes value in r, where value is symbol + c or c - symbol, into the range of that symbol. False: it is not taken.
static bool meet_value(problem *p, term_id value, interval r) {
  shape_budget *b = p->s->budget;
  const term_part *parts;
  term_part one;
  uint32_t count = term_parts(p->s->t, value, &parts, &one), at = count - 1;
  if (count == 0 || count > 2 || (count == 2 && parts[0].monomial != TERM_ONE)) return false;
  term_part last = parts[at];
  if (!is_symbol(p->s, last.monomial) || !num_is_unit(last.coefficient)) return false;
  uint32_t symbol = term_get(p->s->t, last.monomial)->as.symbol;
  interval before = problem_symbol_range(p, symbol);
  if (count == 2) r = interval_add(b, r, interval_point(num_neg(b, parts[0].coefficient)));
  if (!meet_symbol(p, symbol, interval_scale(b, r, last.coefficient))) return false;
  num v;
  if (!interval_is_point(before, &v) && interval_is_point(p->range[symbol], &v))
    problem_add(p, (literal){term_sub(p->s->t, last.monomial, term_const(p->s->t, v)), LITERAL_EQ});
  return true;
}

bool problem_map(problem *p, term_id atom, term_id value) {
  qsolver *s = p->s;
  term_table *t = s->t;
  term_kind kind = term_kind_of(t, atom);
  assert(!term_mentions(s->t, value, atom));
  // A normal form may bring back what was replaced: select(a, x, y) is select(is_zero(a), y, x).
  if (mapped_to(p, atom) != TERM_NONE) return false;
  if (kind == TERM_FLOORDIV && !push_definition(p, atom, value)) return false;
  if (p->maps_left) p->maps_left--;
  set_mapped(p, atom, value);
  p->mapped |= term_atom_bit(p->s->t, atom);
  p->order = arena_grow(s->arena, p->order, p->order_count, (size_t)p->order_count + 1,
                        &p->order_capacity, sizeof *p->order);
  p->order[p->order_count++] = atom;
  if (kind == TERM_SYMBOL) {
    interval r = problem_symbol_range(p, term_get(t, atom)->as.symbol);
    if (!meet_value(p, value, r)) {
      interval of = problem_range(p, value);
      if (r.has_lo && !(of.has_lo && num_compare(of.lo, r.lo) >= 0))
        push_ge(p, term_sub(t, value, term_const(t, r.lo)));
      if (r.has_hi && !(of.has_hi && num_compare(of.hi, r.hi) <= 0))
        push_ge(p, term_sub(t, term_const(t, r.hi), value));
    }
  }
  if (p->other_keys) unmap_users(p, atom);
  p->other_keys += kind != TERM_SYMBOL;
  return true;
}

typedef struct pivot {
  uint32_t part;
  int score;
} pivot;

// Does naming the quotient in k * monomial help to solve for a symbol in it? It does when the symbol becomes a multiple
// of the divisor, so that substitution turns the quotient into its name.
static bool name_helps(qsolver *s, term_id quotient, term_part part) {
  term_id d = term_get(s->t, quotient)->as.args[1];
  num divisor;
  if (term_const_value(s->t, d, &divisor)) return num_divides(s->budget, divisor, part.coefficient);
  if (!term_is_atom(s->t, d)) return part.monomial != quotient;
  return term_mentions(s->t, part.monomial, d) && part.monomial != quotient;
}

// The symbols, by mask, of all monomials that are more than a symbol. Only there can an atom occur twice, so that in a
// sum of thousands of symbols none has to be looked for in all the others.
static uint64_t compound_mask(qsolver *s, const term_part *parts, uint32_t count) {
  uint64_t mask = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (term_kind_of(s->t, parts[i].monomial) != TERM_SYMBOL)
      mask |= term_mask(s->t, parts[i].monomial);
  }
  return mask;
}

static __attribute__((noinline)) int nesting_within(qsolver *s, const term_part *parts,
                                                    uint32_t count, uint32_t at) {
  term_id atom = parts[at].monomial;
  uint64_t bits = term_mask(s->t, atom);
  int worst = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (i == at || (term_mask(s->t, parts[i].monomial) & bits) != bits) continue;
    if (!term_mentions(s->t, parts[i].monomial, atom)) continue;
    const term_power *powers;
    term_power one;
    uint32_t n = term_powers(s->t, parts[i].monomial, &powers, &one);
    for (uint32_t j = 0; j < n; j++) {
      if (!term_mentions(s->t, powers[j].atom, atom)) continue;
      bool quotient = term_kind_of(s->t, powers[j].atom) == TERM_FLOORDIV;
      int here = quotient && name_helps(s, powers[j].atom, parts[i]) ? 1 : 2;
      if (here > worst) worst = here;
    }
  }
  return worst;
}

// Where the atom at `at` is in the other monomials: 0 nowhere, 1 only inside quotients worth a name, 2 elsewhere.
static inline int nesting(qsolver *s, const term_part *parts, uint32_t count, uint64_t compound,
                          uint32_t at) {
  bool apart = term_mask(s->t, parts[at].monomial) & ~compound;
  return apart ? 0 : nesting_within(s, parts, count, at);
}

// The best part to solve for. Higher is better; 0: none. Fresh symbols first (they are free), then younger symbols.
static pivot choose_pivot(qsolver *s, const term_part *parts, uint32_t count) {
  pivot best = {0, 0};
  uint32_t best_symbol = 0;
  uint64_t compound = compound_mask(s, parts, count);
  for (uint32_t i = 0; i < count; i++) {
    if (parts[i].monomial == TERM_ONE) continue;
    bool unit = num_is(parts[i].coefficient, 1) || num_is(parts[i].coefficient, -1);
    term_kind kind = term_kind_of(s->t, parts[i].monomial);
    int score = 0;
    uint32_t symbol = 0;
    if (!unit) {
      if (kind == TERM_SYMBOL && nesting(s, parts, count, compound, i) == 1) score = 1;
    } else if (kind == TERM_SYMBOL) {
      symbol = term_get(s->t, parts[i].monomial)->as.symbol;
      int nested = nesting(s, parts, count, compound, i);
      score = nested == 0 ? (symbol >= s->first_fresh ? 6 : 5) : nested == 1 ? 4 : 0;
    } else if (kind == TERM_FLOORDIV && nesting(s, parts, count, compound, i) == 0) {
      score = 2;
    }
    if (score > best.score || (score && score == best.score && symbol > best_symbol)) {
      best = (pivot){i, score};
      best_symbol = symbol;
    }
  }
  return best;
}

// What the atom of the unit part `at` is where e == 0.
static term_id without(qsolver *s, term_id e, const term_part *unit) {
  assert(num_is_unit(unit->coefficient));
  return term_linear(s->t, e, num_neg(s->budget, unit->coefficient), unit->monomial, NUM(1),
                     NUM(0));
}

// Names the quotients in e that hold `symbol` by fresh symbols.
static void name_quotients(problem *p, term_id e, term_id symbol) {
  qsolver *s = p->s;
  const term_part *parts;
  term_part one;
  uint32_t count = term_parts(s->t, e, &parts, &one);
  term_part *copy = duplicate(s->arena, parts, count * sizeof *parts);
  for (uint32_t i = 0; i < count; i++) {
    if (copy[i].monomial == symbol || !term_mentions(s->t, copy[i].monomial, symbol)) continue;
    const term_power *powers;
    term_power room;
    uint32_t n = term_powers(s->t, copy[i].monomial, &powers, &room);
    term_power *held = duplicate(s->arena, powers, n * sizeof *powers);
    for (uint32_t j = 0; j < n; j++) {
      if (mapped_to(p, held[j].atom) != TERM_NONE || !term_mentions(s->t, held[j].atom, symbol))
        continue;
      set_mapped(p, held[j].atom, term_symbol(s->t));
      p->other_keys++;
      p->mapped |= term_atom_bit(p->s->t, held[j].atom);
      p->order = arena_grow(s->arena, p->order, p->order_count, (size_t)p->order_count + 1,
                            &p->order_capacity, sizeof *p->order);
      p->order[p->order_count++] = held[j].atom;
    }
  }
}

// One step of the Omega test on an equality without unit symbols: true when it made progress.
static bool omega_step(problem *p, const term_part *parts, uint32_t count) {
  qsolver *s = p->s;
  uint32_t best = UINT32_MAX;
  uint64_t compound = compound_mask(s, parts, count);
  num smallest = NUM(0);
  for (uint32_t i = 0; i < count; i++) {
    if (parts[i].monomial == TERM_ONE) continue;
    num size = num_abs(s->budget, parts[i].coefficient);
    if (!is_symbol(s, parts[i].monomial) || nesting(s, parts, count, compound, i) != 0) continue;
    if (best == UINT32_MAX || num_compare(size, smallest) < 0) {
      best = i;
      smallest = size;
    }
  }
  if (best == UINT32_MAX || num_is_one(smallest)) return false;
  // x == t - sum of floor(c_i / c) * m_i; progress needs another symbol or atom whose remainder is not 0.
  num c = parts[best].coefficient;
  term_part *rest = arena_alloc(s->arena, ((size_t)count + 1) * sizeof *rest);
  uint32_t n = 0;
  bool progress = false;
  for (uint32_t i = 0; i < count; i++) {
    if (i == best) continue;
    num q = num_floordiv(s->budget, parts[i].coefficient, c);
    if (!num_is_zero(q)) rest[n++] = (term_part){num_neg(s->budget, q), parts[i].monomial};
    if (parts[i].monomial != TERM_ONE && is_symbol(s, parts[i].monomial)) progress = true;
  }
  if (!progress) return false;
  rest[n++] = (term_part){NUM(1), term_symbol(s->t)};
  return problem_map(p, parts[best].monomial, term_sum(s->t, rest, n));
}

// Has the literal nothing to divide by, and the sign that it is to have? As nearly all have; false: not seen at a glance.
static inline bool is_normal(const term_table *t, literal l, bool either_sign) {
  const term_node *node = term_get(t, l.e);
  if (node->kind != TERM_SUM) return false;
  const term_part *parts = node->as.parts;
  uint32_t first = parts[0].monomial == TERM_ONE;
  assert(node->count > first);
  if (!num_is_unit(parts[first].coefficient)) return false;
  if (!first &&
      (node->count < 2 || (term_mask(t, parts[0].monomial) & term_mask(t, parts[1].monomial)) != 0))
    return false;
  return either_sign || l.kind == LITERAL_GE || num_sign(parts[node->count - 1].coefficient) > 0;
}

static bool normalise_fully(problem *p, literal *l, bool either_sign, bool *done);

// Divides by what is common. False: the literal has no solution; *done: it holds always. either_sign: an equality is to be
// solved, for which its sign does not matter.
static inline bool normalise(problem *p, literal *l, bool either_sign, bool *done) {
  *done = false;
  return is_normal(p->s->t, *l, either_sign) || normalise_fully(p, l, either_sign, done);
}

static __attribute__((noinline)) bool normalise_fully(problem *p, literal *l, bool either_sign,
                                                      bool *done) {
  qsolver *s = p->s;
  shape_budget *b = s->budget;
  num v;
  if (term_const_value(s->t, l->e, &v)) {
    *done = true;
    int sign = num_sign(v);
    return l->kind == LITERAL_EQ ? sign == 0 : l->kind == LITERAL_NE ? sign != 0 : sign >= 0;
  }
  const term_part *parts;
  term_part one;
  uint32_t count = term_parts(s->t, l->e, &parts, &one);
  num g = NUM(0), c = NUM(0);
  bool product = parts[0].monomial != TERM_ONE;
  uint64_t common = product ? UINT64_MAX : 0;
  if (!product) c = parts[0].coefficient;
  for (uint32_t i = !product; i < count && (common || !num_is_one(g)); i++) {
    common &= term_mask(s->t, parts[i].monomial);
    if (!num_is_one(g)) g = num_gcd(b, g, parts[i].coefficient);
  }
  assert(count > 0 && num_sign(g) > 0);
  bool flip = !either_sign && l->kind != LITERAL_GE && num_sign(parts[count - 1].coefficient) < 0;
  if (!num_is_one(g) || flip) {
    if (l->kind != LITERAL_GE && !num_divides(b, g, c)) {
      *done = true;
      return l->kind == LITERAL_NE;
    }
    l->e = term_floor_parts(s->t, l->e, flip ? num_neg(b, g) : g);
  }
  if (!product || !common) return true;
  // No constant part: cancel the factors of known sign.
  term_id before = l->e;
  term_id factor = term_common_factor(s->t, l->e);
  if (term_const_value(s->t, factor, &v)) return true;
  const term_power *powers;
  term_power power;
  const term_part *fp;
  term_part froom;
  if (term_parts(s->t, factor, &fp, &froom) != 1) return true;
  uint32_t n = term_powers(s->t, fp[0].monomial, &powers, &power);
  term_power *held = duplicate(s->arena, powers, n * sizeof *powers);
  for (uint32_t i = 0; i < n; i++) {
    interval r = problem_range(p, held[i].atom);
    for (uint32_t k = held[i].exponent; k > 0; k--) {
      if (held[i].atom == l->e) break;
      bool positive = interval_is_positive(r), negative = r.has_hi && num_sign(r.hi) < 0;
      if (l->kind == LITERAL_GE && !positive && !negative) break;
      if (l->kind != LITERAL_GE && !interval_excludes_zero(r)) break;
      term_id q;
      if (!term_divide_exact(s->t, l->e, held[i].atom, &q)) break;
      l->e = l->kind == LITERAL_GE && negative ? term_neg(s->t, q) : q;
    }
  }
  // What is left may have a content or a constant of its own.
  return l->e == before || normalise(p, l, either_sign, done);
}

// Takes literals over one symbol into its range. *done: the range says it all. False: no solution.
static bool absorb(problem *p, literal l, bool *done) {
  qsolver *s = p->s;
  const term_part *parts;
  term_part one;
  uint32_t count = term_parts(s->t, l.e, &parts, &one);
  *done = false;
  assert(count > 0);
  uint32_t at = count - 1;
  if (count > 2 || (count == 2 && parts[0].monomial != TERM_ONE) ||
      !is_symbol(s, parts[at].monomial))
    return true;
  num k = parts[at].coefficient, c = count == 2 ? parts[0].coefficient : NUM(0);
  uint32_t symbol = term_get(s->t, parts[at].monomial)->as.symbol;
  // k == 1 or -1 after normalise
  num bound = num_sign(k) > 0 ? num_neg(s->budget, c) : c;
  interval r = problem_symbol_range(p, symbol), with = interval_all();
  if (l.kind == LITERAL_GE) {
    *done = true;
    with = num_sign(k) > 0 ? interval_at_least(bound) : interval_at_most(bound);
  } else if (l.kind == LITERAL_NE && !interval_contains(r, bound)) {
    *done = true;
  } else if (l.kind == LITERAL_NE && r.has_lo && num_equal(r.lo, bound)) {
    *done = true;
    with = interval_at_least(num_add(s->budget, bound, NUM(1)));
  } else if (l.kind == LITERAL_NE && r.has_hi && num_equal(r.hi, bound)) {
    *done = true;
    with = interval_at_most(num_sub(s->budget, bound, NUM(1)));
  }
  if (!*done) return true;
  if (!meet_symbol(p, symbol, with)) return false;
  num v;
  if (interval_is_point(problem_symbol_range(p, symbol), &v) && !interval_is_point(r, &v)) {
    interval_is_point(problem_symbol_range(p, symbol), &v);
    problem_add(p, (literal){term_sub(s->t, parts[at].monomial, term_const(s->t, v)), LITERAL_EQ});
  }
  return true;
}

// Some systems of quotients grow their coefficients for ever: those are left to the rows.
static bool too_long(const term_part *parts, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (parts[i].coefficient.big && num_bits(parts[i].coefficient) > PROBLEM_COEFFICIENT_BITS)
      return true;
  }
  return false;
}

// Tries to use an equality; *used: it is in the map now.
static bool eliminate(problem *p, literal l, bool *used) {
  qsolver *s = p->s;
  *used = false;
  for (uint32_t round = 0; round < PROBLEM_ELIMINATIONS; round++) {
    const term_part *parts;
    term_part one;
    uint32_t count = term_parts(s->t, l.e, &parts, &one);
    pivot best = choose_pivot(s, parts, count);
    if (p->maps_left == 0 || too_long(parts, count)) return true;
    bool fresh = best.score == 4 || best.score == 1 || best.score == 0;
    if (fresh && p->fresh_left == 0) return true;  // some equalities name quotients for ever
    if (fresh) p->fresh_left--;
    if (best.score == 4 || best.score == 1) {
      name_quotients(p, l.e, parts[best.part].monomial);
      l.e = problem_resolve(p, l.e);
      bool done;
      if (!normalise(p, &l, true, &done)) return false;
      if (done) return *used = true;
      continue;
    }
    if (best.score > 0) {
      term_id value = without(s, l.e, &parts[best.part]);
      if (problem_map(p, parts[best.part].monomial, value)) return *used = true;
      return true;
    }
    if (!omega_step(p, parts, count)) return true;
    l.e = problem_resolve(p, l.e);
    bool done;
    if (!normalise(p, &l, true, &done)) return false;
    if (done) return *used = true;
  }
  return true;
}

// One pass over the equalities; *progress: something was eliminated.
static bool pass_equalities(problem *p, bool *progress) {
  *progress = false;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < p->count; i++) {
    literal l = p->literals[i];
    bool done = false;
    if (l.kind == LITERAL_EQ) {
      l.e = problem_resolve(p, l.e);
      if (!normalise(p, &l, true, &done)) return false;
      if (!done) {
        uint32_t before = p->order_count;
        // Elimination appends literals: what it does not use must not be lost, so it stays where it is.
        if (!eliminate(p, l, &done)) return false;
        if (done || p->order_count != before) *progress = true;
      } else {
        *progress = true;
      }
    }
    if (!done) p->literals[kept++] = l;
  }
  p->count = kept;
  return true;
}

// Values of symbols are resolved when they are substituted. unmap_users inspects the others as they are.
static void resolve_values(problem *p) {
  if (!p->other_keys) return;
  for (uint32_t i = p->order_count; i-- > 0;) {
    term_id atom = p->order[i], value = mapped_to(p, atom);
    if (value != TERM_NONE) p->to[atom] = problem_resolve(p, value);
  }
}

// Resolves the other literals, drops what is known. *again: an equality or a tighter range came of it.
static bool pass_rest(problem *p, bool *again) {
  *again = false;
  p->ranges_moved = false;
  uint32_t kept = 0, given = p->count, clean = p->clean_stamp == p->stamp ? p->clean : 0;
  for (uint32_t i = 0; i < p->count; i++) {  // absorb may append
    literal l = p->literals[i];
    bool done;
    if (i < clean) {  // resolved and normal already
      p->literals[kept++] = l;
      continue;
    }
    l.e = problem_resolve(p, l.e);
    if (!normalise(p, &l, false, &done)) return false;
    if (!done && !absorb(p, l, &done)) return false;
    if (l.kind == LITERAL_EQ && i >= given) *again = true;  // absorb found it
    if (!done) {
      shape_answer quick = problem_quick(p, l);
      if (quick == SHAPE_NO) return false;
      done = quick == SHAPE_YES && l.kind != LITERAL_EQ;  // an equality is there to be solved
    }
    if (!done) p->literals[kept++] = l;
  }
  p->count = kept;
  *again |= p->ranges_moved;
  return true;
}

// A key of the form of e, which is e without its constant part: opposite forms have opposite last bits. Different forms
// may share a key.
static uint64_t form_key(const term_table *t, term_id e) {
  const term_node *node = term_get(t, e);
  assert(node->kind == TERM_SUM);
  const term_part *parts = node->as.parts;
  uint32_t first = parts[0].monomial == TERM_ONE;
  bool negative = num_sign(parts[first].coefficient) < 0;
  uint64_t key = 0;
  for (uint32_t i = first; i < node->count; i++) {
    uint64_t k = parts[i].coefficient.big ? 0 : (uint64_t)parts[i].coefficient.small;
    key = hash_pair(key + (negative ? -k : k), parts[i].monomial);
  }
  return (key & (UINT64_MAX >> 1) & ~(uint64_t)1) | negative;
}

static bool same_form(qsolver *s, term_id a, term_id b, bool opposite) {
  const term_node *x = term_get(s->t, a), *y = term_get(s->t, b);
  uint32_t i = x->as.parts[0].monomial == TERM_ONE, j = y->as.parts[0].monomial == TERM_ONE;
  if (x->count - i != y->count - j) return false;
  for (; i < x->count; i++, j++) {
    num k = y->as.parts[j].coefficient;
    if (x->as.parts[i].monomial != y->as.parts[j].monomial ||
        !num_equal(x->as.parts[i].coefficient, opposite ? num_neg(s->budget, k) : k))
      return false;
  }
  return true;
}

bool problem_opposed(qsolver *s, literal a, literal b) {
  if (a.kind != LITERAL_GE || b.kind != LITERAL_GE ||
      term_mask(s->t, a.e) != term_mask(s->t, b.e) || term_kind_of(s->t, a.e) != TERM_SUM ||
      term_kind_of(s->t, b.e) != TERM_SUM || !same_form(s, a.e, b.e, true))
    return false;
  num sum = num_add(s->budget, term_constant_part(s->t, a.e), term_constant_part(s->t, b.e));
  return num_sign(sum) < 0;
}

// Where literals of some form are. Those of most problems are few enough for a list.
typedef struct form_index {
  bool listed;
  uint64_t keys[PROBLEM_LISTED];
  uint32_t at[PROBLEM_LISTED], count;
  shape_imap map;  // where they are not listed
} form_index;

static bool find_form(const form_index *f, uint64_t key, uint32_t *at) {
  if (!f->listed) return imap_get(&f->map, key, at);
  for (uint32_t i = 0; i < f->count; i++) {
    if (f->keys[i] != key) continue;
    *at = f->at[i];
    return true;
  }
  return false;
}

static void put_form(form_index *f, shape_arena *arena, uint64_t key, uint32_t at) {
  if (!f->listed) {
    imap_put(&f->map, arena, key, at);
    return;
  }
  uint32_t i = 0;
  while (i < f->count && f->keys[i] != key) i++;
  assert(i < PROBLEM_LISTED);
  f->keys[i] = key;
  f->at[i] = at;
  f->count += i == f->count;
}

// Two opposite inequalities that leave one value make an equality; of two with the same left side the tighter stays.
static bool pass_pairs(problem *p, bool *again) {
  qsolver *s = p->s;
  form_index seen;
  uint32_t kept = 0, count = p->count, pairs = 0;
  for (uint32_t i = 0; i < count; i++) pairs += p->literals[i].kind == LITERAL_GE;
  if (pairs < 2) return true;
  seen.listed = pairs <= PROBLEM_LISTED;
  seen.count = 0;
  seen.map = (shape_imap){0};
  for (uint32_t i = 0; i < count; i++) {
    literal l = p->literals[i];
    bool drop = false;
    if (l.kind == LITERAL_GE && term_kind_of(s->t, l.e) == TERM_SUM) {
      num c = term_constant_part(s->t, l.e);
      uint64_t key = form_key(s->t, l.e);
      uint32_t other;
      if (find_form(&seen, key, &other) && same_form(s, l.e, p->literals[other].e, false)) {
        assert(other < kept);
        num c2 = term_constant_part(s->t, p->literals[other].e);
        if (num_compare(c, c2) < 0) {
          if (p->literals[other].kind == LITERAL_EQ) return false;
          p->literals[other].e = l.e;
        }
        drop = true;
      } else if (find_form(&seen, key ^ 1, &other) &&
                 same_form(s, l.e, p->literals[other].e, true)) {
        // form >= -c and form <= c2
        num slack = num_add(s->budget, c, term_constant_part(s->t, p->literals[other].e));
        if (num_sign(slack) < 0) return false;
        if (num_is_zero(slack)) {
          p->literals[other].kind = LITERAL_EQ;  // its constant must stay that of its form
          drop = *again = true;
        }
      }
      if (!drop) put_form(&seen, s->arena, key, kept);
    }
    if (!drop) p->literals[kept++] = l;
  }
  p->count = kept;
  return true;
}

bool problem_solve(problem *p) {
  for (uint32_t pass = 0; pass < PROBLEM_PASSES; pass++) {
    bool progress, again;
    do {
      if (!pass_equalities(p, &progress)) return false;
      if (!budget_spend(p->s->budget, 1 + p->count)) break;
    } while (progress);
    resolve_values(p);
    if (!pass_rest(p, &again)) return false;
    if (again) p->clean = 0;
    if (!again && (p->clean == 0 || p->clean_stamp != p->stamp || p->count < PROBLEM_PAIRED) &&
        !pass_pairs(p, &again))
      return false;
    if (!again) break;
  }
  p->clean = p->count;
  p->clean_stamp = p->stamp;
  return true;
}
