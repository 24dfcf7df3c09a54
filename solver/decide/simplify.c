// SPDX-License-Identifier: Apache-2.0
// The smallest equal form of a term under the premises.
//
// Candidates come from the solved form, from atoms that the premises decide (a min whose arguments are ordered, a quotient
// without some parts of its dividend), and from small shapes that agree with the term on a handful of models. Each is
// proven equal by refuting the difference before it counts; the smallest text wins, the first among equals.
// Domain: a candidate divides by nothing that the term does not divide by already, constants apart.
#include <assert.h>
#include <string.h>

#include "solver/certify/check.h"
#include "solver/decide/order.h"
#include "solver/decide/simplify.h"
#include "solver/term/print.h"

uint32_t simplify_size(qsolver *s, term_id id) {
  arena_mark mark = arena_get_mark(s->arena);
  (void)mark;
  shape_strbuf text;
  strbuf_init(&text, s->arena);
  term_print_plain(s->t, &text, id);
  uint32_t size = 0;
  bool word = false;
  for (uint32_t i = 0; i < text.length; i++) {
    char c = text.data[i];
    bool in_word =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (in_word && !word) size++;
    word = in_word;
  }
  return size;
}

static bool has_fresh(qsolver *s, term_id id) {
  term_node node = *term_get(s->t, id);
  switch (node.kind) {
  case TERM_CONST: return false;
  case TERM_SYMBOL: return node.as.symbol >= s->first_fresh;
  case TERM_SUM:
    for (uint32_t i = 0; i < node.count; i++) {
      if (has_fresh(s, node.as.parts[i].monomial)) return true;
    }
    return false;
  case TERM_PRODUCT:
    for (uint32_t i = 0; i < node.count; i++) {
      if (has_fresh(s, node.as.powers[i].atom)) return true;
    }
    return false;
  default:
    for (uint32_t i = 0; i < node.count; i++) {
      if (has_fresh(s, node.as.args[i])) return true;
    }
    return false;
  }
}

// Is every divisor in `id` a constant, a divisor in `of`, or known not to be 0?
static bool divides_as(qsolver *s, const problem *base, term_id id, term_id of);

static bool has_divisor(qsolver *s, term_id d, term_id in) {
  term_node node = *term_get(s->t, in);
  switch (node.kind) {
  case TERM_CONST:
  case TERM_SYMBOL: return false;
  case TERM_SUM:
    for (uint32_t i = 0; i < node.count; i++) {
      if (has_divisor(s, d, node.as.parts[i].monomial)) return true;
    }
    return false;
  case TERM_PRODUCT:
    for (uint32_t i = 0; i < node.count; i++) {
      if (has_divisor(s, d, node.as.powers[i].atom)) return true;
    }
    return false;
  default:
    if (node.kind == TERM_FLOORDIV && node.as.args[1] == d) return true;
    for (uint32_t i = 0; i < node.count; i++) {
      if (has_divisor(s, d, node.as.args[i])) return true;
    }
    return false;
  }
}

static bool divides_as(qsolver *s, const problem *base, term_id id, term_id of) {
  term_node node = *term_get(s->t, id);
  switch (node.kind) {
  case TERM_CONST:
  case TERM_SYMBOL: return true;
  case TERM_SUM:
    for (uint32_t i = 0; i < node.count; i++) {
      if (!divides_as(s, base, node.as.parts[i].monomial, of)) return false;
    }
    return true;
  case TERM_PRODUCT:
    for (uint32_t i = 0; i < node.count; i++) {
      if (!divides_as(s, base, node.as.powers[i].atom, of)) return false;
    }
    return true;
  default:
    if (node.kind == TERM_FLOORDIV) {
      term_id d = node.as.args[1];
      if (!interval_excludes_zero(problem_range(base, d)) && !has_divisor(s, d, of)) return false;
    }
    for (uint32_t i = 0; i < node.count; i++) {
      if (!divides_as(s, base, node.as.args[i], of)) return false;
    }
    return true;
  }
}

bool simplify_refuted(simplifier *x, const literal *literals, uint32_t count) {
  if (x->proofs_left == 0) return false;
  x->proofs_left--;
  for (uint32_t i = 1; i < count; i++) {
    for (uint32_t j = 0; j < i; j++) {
      if (problem_opposed(x->s, literals[i], literals[j])) return true;
    }
  }
  problem p;
  problem_copy(&p, x->base);
  for (uint32_t i = 0; i < count; i++) {
    literal l = {problem_resolve(x->base, literals[i].e), literals[i].kind};
    shape_answer quick = problem_quick(x->base, l);
    if (quick == SHAPE_NO) return true;
    if (quick == SHAPE_UNKNOWN) problem_add(&p, l);
  }
  search_options sought = search_any(SIMPLIFY_NODES);
  return search_problem(x->s, &p, &sought) == VERDICT_REFUTED;
}

bool simplify_value(simplifier *x, uint32_t sample, term_id id, num *out) {
  qsolver *s = x->s;
  num *env = s->env;
  uint8_t *known = s->env_known;
  uint32_t capacity = s->env_capacity;
  assert(sample < SIMPLIFY_SAMPLES && x->env[sample]);
  s->env = x->env[sample];
  s->env_known = x->env_known;
  s->env_capacity = x->env_count;
  bool has = model_evaluate(s, id, out);
  s->env = env;
  s->env_known = known;
  s->env_capacity = capacity;
  return has;
}

// Takes the point as a sample, unless the term has no value there.
static void add_sample(simplifier *x, const num *point) {
  qsolver *s = x->s;
  uint32_t at = x->sample_count;
  if (!x->env_known) {
    x->env_count = s->first_fresh;
    x->env_known = arena_zalloc(s->arena, x->env_count + 1);
  }
  x->sample[at] = point;
  x->env[at] = arena_alloc(s->arena, (x->env_count + 1) * sizeof *x->env[at]);
  for (uint32_t i = 0; i < s->q->symbol_count; i++) {
    uint32_t symbol = term_get(s->t, s->q->symbols[i].symbol)->as.symbol;
    assert(symbol < x->env_count);
    x->env[at][symbol] = point[i];
    x->env_known[symbol] = 1;
  }
  if (simplify_value(x, at, x->term, &x->value[at])) x->sample_count++;
}

static bool agrees(simplifier *x, term_id candidate) {
  for (uint32_t i = 0; i < x->sample_count; i++) {
    num v;
    if (!simplify_value(x, i, candidate, &v) || !num_equal(v, x->value[i])) return false;
  }
  return true;
}

// Takes the candidate when it is smaller and proven equal, or known to be.
static bool offer(simplifier *x, term_id candidate, bool proven) {
  qsolver *s = x->s;
  if (candidate == TERM_NONE || candidate == x->best || has_fresh(s, candidate)) return false;
  if (!proven && !agrees(x, candidate)) return false;
  uint32_t size = simplify_size(s, candidate);
  if (size >= x->best_size) return false;
  if (!divides_as(s, x->base, candidate, x->term)) return false;
  if (!proven) {
    literal l = {problem_resolve(x->base, term_sub(s->t, x->term, candidate)), LITERAL_NE};
    num v;
    if (term_const_value(s->t, l.e, &v)
            ? !num_is_zero(v)
            : !simplify_proves(x, l, predicate_make(REL_EQ, x->term, candidate)))
      return false;
  }
  x->best = candidate;
  x->best_size = size;
  return true;
}

// --- the solved form

// t with k, which denotes (a - w)/u where a == u*k + w is solved, written in terms of a again.
static term_id unsolve(simplifier *x, term_id t) {
  qsolver *s = x->s;
  problem *p = x->base;
  for (uint32_t i = 0; i < p->order_count; i++) {
    term_id a = p->order[i];
    if (term_kind_of(s->t, a) != TERM_SYMBOL || term_get(s->t, a)->as.symbol >= s->first_fresh)
      continue;
    term_id value = problem_resolve(p, p->to[a]);
    const term_part *parts;
    term_part one;
    uint32_t count = term_parts(s->t, value, &parts, &one);
    term_id k = TERM_NONE;
    num u = NUM(0);
    for (uint32_t j = 0; j < count; j++) {
      if (term_kind_of(s->t, parts[j].monomial) != TERM_SYMBOL || !has_fresh(s, parts[j].monomial))
        continue;
      k = parts[j].monomial;
      u = parts[j].coefficient;
    }
    if (k == TERM_NONE) continue;
    count = term_parts(s->t, t, &parts, &one);
    num c = NUM(0);
    for (uint32_t j = 0; j < count; j++) {
      if (parts[j].monomial == k) c = parts[j].coefficient;
    }
    if (num_is_zero(c) || !num_divides(s->budget, u, c)) continue;
    num q = num_floordiv(s->budget, c, u);
    t = term_add(s->t, t, term_scale(s->t, term_sub(s->t, a, value), q));
  }
  return t;
}

// --- atoms that the premises decide

static term_id simplify_atoms(simplifier *x, term_id id, uint32_t depth);

static bool at_least(simplifier *x, term_id e) {  // e >= 0?
  qsolver *s = x->s;
  literal l = {problem_resolve(x->base, e), LITERAL_GE};
  shape_answer quick = problem_quick(x->base, l);
  if (quick != SHAPE_UNKNOWN) return quick == SHAPE_YES;
  for (uint32_t i = 0; i < x->sample_count; i++) {
    num v;
    if (simplify_value(x, i, e, &v) && num_sign(v) < 0) return false;
  }
  l.e = term_above(s->t, TERM_ZERO, l.e);
  return simplify_proves(x, l, predicate_make(REL_GE, e, TERM_ZERO));
}

static term_id simplify_min(simplifier *x, const term_node *node) {
  assert(node->count && node->count <= SIMPLIFY_ARGUMENTS);
  qsolver *s = x->s;
  term_id args[SIMPLIFY_ARGUMENTS];
  uint32_t count = node->count;
  bool min = node->kind == TERM_MIN;
  memcpy(args, node->as.args, count * sizeof *args);
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t j = 0; j < count && count > 1; j++) {
      if (i == j) continue;
      // args[j] is not needed when args[i] is never beaten by it
      if (!at_least(x, min ? term_sub(s->t, args[j], args[i]) : term_sub(s->t, args[i], args[j])))
        continue;
      args[j] = args[--count];
      if (i == count) i = j;
      j = UINT32_MAX;
    }
  }
  assert(count);
  return min ? term_min_of(s->t, args, count) : term_max_of(s->t, args, count);
}

bool simplify_equal(simplifier *x, term_id a, term_id b) {
  qsolver *s = x->s;
  for (uint32_t i = 0; i < x->sample_count; i++) {
    num v, w;
    if (simplify_value(x, i, a, &v) && (!simplify_value(x, i, b, &w) || !num_equal(v, w)))
      return false;
  }
  literal l = {problem_resolve(x->base, term_sub(s->t, a, b)), LITERAL_NE};
  num v;
  return term_const_value(s->t, l.e, &v) ? num_is_zero(v)
                                         : simplify_proves(x, l, predicate_make(REL_EQ, a, b));
}

// floordiv(g*e + r, g*m) as floordiv(e + s, m), where floordiv(r, g) is a sum s of multiples of symbols under the ranges.
static term_id simplify_nested(simplifier *x, term_id quotient) {
  qsolver *s = x->s;
  if (term_kind_of(s->t, quotient) != TERM_FLOORDIV) return quotient;
  term_id e = term_get(s->t, quotient)->as.args[0], d = term_get(s->t, quotient)->as.args[1];
  const term_part *parts;
  term_part one, copy[SIMPLIFY_DIVIDEND];
  num divisor;
  uint32_t count = term_parts(s->t, e, &parts, &one);
  if (!term_const_value(s->t, d, &divisor) || count > SIMPLIFY_DIVIDEND) return quotient;
  memcpy(copy, parts, count * sizeof *copy);
  for (uint32_t i = 0; i < count; i++) {
    num g = num_gcd(s->budget, copy[i].coefficient, divisor);
    term_id whole = TERM_ZERO;
    if (copy[i].monomial == TERM_ONE || num_is_one(g) || num_equal(g, divisor)) continue;
    for (uint32_t j = 0; j < count; j++) {
      if (!num_divides(s->budget, g, copy[j].coefficient)) continue;
      num k = num_floordiv(s->budget, copy[j].coefficient, g);
      whole = term_add(s->t, whole, term_scale(s->t, copy[j].monomial, k));
    }
    term_id rest = term_sub(s->t, e, term_scale(s->t, whole, g));
    term_id inner = simplify_affine(x, term_floordiv(s->t, rest, term_const(s->t, g)));
    if (inner == TERM_NONE) continue;
    term_id m = term_const(s->t, num_floordiv(s->budget, divisor, g));
    term_id other = term_floordiv(s->t, term_add(s->t, whole, inner), m);
    if (simplify_size(s, other) < simplify_size(s, quotient)) return other;
  }
  return quotient;
}

// floordiv(e, d) without the parts of e that never change it.
static term_id simplify_quotient(simplifier *x, const term_node *node) {
  assert(node->kind == TERM_FLOORDIV);
  qsolver *s = x->s;
  term_id e = node->as.args[0], d = node->as.args[1];
  term_id now = term_floordiv(s->t, e, d);
  const term_part *parts;
  term_part one;
  uint32_t count = term_parts(s->t, e, &parts, &one);
  if (count > SIMPLIFY_DIVIDEND || count < 2) return now;
  term_part copy[SIMPLIFY_DIVIDEND];
  memcpy(copy, parts, count * sizeof *copy);
  for (uint32_t i = 0; i < count; i++) {
    term_id less = term_sub(s->t, e, term_scale(s->t, copy[i].monomial, copy[i].coefficient));
    term_id candidate = term_floordiv(s->t, less, d);
    if (!simplify_drops(x, e, copy[i], d) && !simplify_equal(x, now, candidate)) continue;
    e = less;
    now = candidate;
  }
  return simplify_nested(x, now);
}

static term_id simplify_atom(simplifier *x, term_id id, uint32_t depth) {
  qsolver *s = x->s;
  term_node node = *term_get(s->t, id);
  if (node.kind == TERM_SYMBOL || node.count > SIMPLIFY_ARGUMENTS || depth > SIMPLIFY_DEPTH)
    return id;
  term_id args[SIMPLIFY_ARGUMENTS];
  bool moved = false;
  for (uint32_t i = 0; i < node.count; i++) {
    args[i] = simplify_atoms(x, node.as.args[i], depth + 1);
    moved |= args[i] != node.as.args[i];
  }
  if (moved) {
    if (node.kind == TERM_FLOORDIV && args[1] == TERM_ZERO) return id;
    id = term_rebuild(s->t, id, args);
    node = *term_get(s->t, id);
    if (!term_is_atom(s->t, id) || node.kind == TERM_SYMBOL) return id;
  }
  interval r = problem_range(x->base, problem_resolve(x->base, id));
  num v;
  if (interval_is_point(r, &v)) return term_const(s->t, v);
  if ((node.kind == TERM_MIN || node.kind == TERM_MAX) && node.count <= SIMPLIFY_ARGUMENTS)
    return simplify_min(x, &node);
  if (node.kind == TERM_FLOORDIV) return simplify_quotient(x, &node);
  return id;
}

static term_id simplify_atoms(simplifier *x, term_id id, uint32_t depth) {
  qsolver *s = x->s;
  const term_part *parts;
  term_part one;
  uint32_t count = term_parts(s->t, id, &parts, &one);
  term_part *copy = arena_alloc(s->arena, (count + 1) * sizeof *copy);
  memcpy(copy, parts, count * sizeof *copy);
  term_id sum = TERM_ZERO;
  for (uint32_t i = 0; i < count; i++) {
    term_id product = term_const(s->t, copy[i].coefficient);
    if (copy[i].monomial != TERM_ONE) {
      const term_power *powers;
      term_power room;
      uint32_t n = term_powers(s->t, copy[i].monomial, &powers, &room);
      term_power *held = arena_alloc(s->arena, n * sizeof *held);
      memcpy(held, powers, n * sizeof *held);
      for (uint32_t j = 0; j < n; j++) {
        product = term_mul(s->t, product,
                           term_pow(s->t, simplify_atom(x, held[j].atom, depth), held[j].exponent));
      }
    }
    sum = term_add(s->t, sum, product);
  }
  return depth && s->q->premise_count ? simplify_declared(x, sum) : sum;
}

// --- small shapes

static void offer_shifted(simplifier *x, term_id shape) {
  num v;
  if (x->sample_count == 0 || !simplify_value(x, 0, shape, &v)) return;
  num shift = num_sub(x->s->budget, x->value[0], v);
  for (uint32_t i = 1; i < x->sample_count; i++) {
    if (!simplify_value(x, i, shape, &v) ||
        !num_equal(num_sub(x->s->budget, x->value[i], v), shift))
      return;
  }
  offer(x, term_add(x->s->t, shape, term_const(x->s->t, shift)), false);
}

typedef enum shape {
  SHAPE_SYMBOL,
  SHAPE_NEGATED,
  SHAPE_SUM,
  SHAPE_DIFFERENCE,
  SHAPE_BACKWARD,
  SHAPE_PRODUCT,
  SHAPE_COUNT
} shape;

static num shape_value(shape_budget *b, shape of, num x, num y) {
  switch (of) {
  case SHAPE_SYMBOL: return x;
  case SHAPE_NEGATED: return num_neg(b, x);
  case SHAPE_SUM: return num_add(b, x, y);
  case SHAPE_DIFFERENCE: return num_sub(b, x, y);
  case SHAPE_BACKWARD: return num_sub(b, y, x);
  default: return num_mul(b, x, y);
  }
}

static term_id shape_term(term_table *t, shape of, term_id x, term_id y) {
  switch (of) {
  case SHAPE_SYMBOL: return x;
  case SHAPE_NEGATED: return term_neg(t, x);
  case SHAPE_SUM: return term_add(t, x, y);
  case SHAPE_DIFFERENCE: return term_sub(t, x, y);
  case SHAPE_BACKWARD: return term_sub(t, y, x);
  default: return term_mul(t, x, y);
  }
}

// Offers the shape over the symbols at i and j of the query, if it differs from the term by the same at all samples.
static void offer_shape(simplifier *x, shape of, uint32_t i, uint32_t j) {
  qsolver *s = x->s;
  assert(i < s->q->symbol_count && j < s->q->symbol_count);
  num shift = NUM(0);
  for (uint32_t k = 0; k < x->sample_count; k++) {
    num v = shape_value(s->budget, of, x->sample[k][i], x->sample[k][j]);
    v = num_sub(s->budget, x->value[k], v);
    if (k && !num_equal(v, shift)) return;
    shift = v;
  }
  offer_shifted(x, shape_term(s->t, of, s->q->symbols[i].symbol, s->q->symbols[j].symbol));
}

static void offer_polynomials(simplifier *x) {
  qsolver *s = x->s;
  uint32_t symbol[SIMPLIFY_SYMBOLS], n = 0;
  for (uint32_t i = 0; i < s->q->symbol_count && n < SIMPLIFY_SYMBOLS; i++) {
    if (term_mentions(s->t, x->term, s->q->symbols[i].symbol)) symbol[n++] = i;
  }
  offer_shifted(x, TERM_ZERO);
  // Names that the premises give to it.
  for (uint32_t i = 0; i < s->q->symbol_count && i < SIMPLIFY_NAMES && x->best_size > 1; i++) {
    if (s->q->premise_count) offer_shape(x, SHAPE_SYMBOL, i, i);
  }
  for (uint32_t i = 0; i < n && x->best_size > 1; i++) {
    for (shape of = SHAPE_SYMBOL; of <= SHAPE_NEGATED; of++)
      offer_shape(x, of, symbol[i], symbol[i]);
  }
  for (uint32_t i = 0; i < n && x->best_size > 2; i++) {
    for (uint32_t j = 0; j < i; j++) {
      for (shape of = SHAPE_SUM; of < SHAPE_COUNT; of++) offer_shape(x, of, symbol[i], symbol[j]);
    }
  }
}

// Quotients and remainders by the constants that the term divides by.
static void offer_remainders(simplifier *x) {
  qsolver *s = x->s;
  term_table *t = s->t;
  uint32_t count = t->count, tried = 0;
  for (term_id id = 0; id < count && tried < SIMPLIFY_QUOTIENTS; id++) {
    if (term_kind_of(t, id) != TERM_FLOORDIV || !term_mentions(s->t, x->term, id)) continue;
    term_node node = *term_get(t, id);
    if (term_kind_of(t, node.as.args[1]) != TERM_CONST) continue;
    tried++;
    term_id shapes[4] = {id, term_mod(t, node.as.args[0], node.as.args[1])};
    shapes[2] = term_neg(t, shapes[0]);
    shapes[3] = term_neg(t, shapes[1]);
    for (uint32_t i = 0; i < sizeof shapes / sizeof *shapes; i++) offer_shifted(x, shapes[i]);
  }
}

typedef struct lattice {
  term_id e[SIMPLIFY_LATTICE];
  uint32_t count;
  num value[SIMPLIFY_LATTICE][SIMPLIFY_SAMPLES];
  bool known[SIMPLIFY_LATTICE];  // at all samples
} lattice;

static void add_generator(lattice *l, term_id e) {
  for (uint32_t i = 0; i < l->count; i++) {
    if (l->e[i] == e) return;
  }
  if (l->count < SIMPLIFY_LATTICE) l->e[l->count++] = e;
}

static void collect_generators(qsolver *s, term_id id, lattice *l, uint32_t depth) {
  term_node node = *term_get(s->t, id);
  if (depth > SIMPLIFY_NESTING) return;
  switch (node.kind) {
  case TERM_SUM:
    for (uint32_t i = 0; i < node.count; i++)
      collect_generators(s, node.as.parts[i].monomial, l, depth + 1);
    break;
  case TERM_PRODUCT:
    for (uint32_t i = 0; i < node.count; i++)
      collect_generators(s, node.as.powers[i].atom, l, depth + 1);
    break;
  case TERM_MIN:
  case TERM_MAX:
    for (uint32_t i = 0; i < node.count; i++) {
      collect_generators(s, node.as.args[i], l, depth + 1);
      if (term_is_atom(s->t, node.as.args[i])) add_generator(l, node.as.args[i]);
    }
    for (uint32_t i = 0; i < node.count; i++) add_generator(l, node.as.args[i]);
    break;
  default: break;
  }
}

static void evaluate_generators(simplifier *x, lattice *l) {
  for (uint32_t i = 0; i < l->count; i++) {
    l->known[i] = true;
    for (uint32_t k = 0; k < x->sample_count && l->known[i]; k++)
      l->known[i] = simplify_value(x, k, l->e[i], &l->value[i][k]);
  }
}

enum high_side { HIGH_INSIDE = 1, HIGH_OUTSIDE = 2 };

// Has the extremum of generator k and that of i and j the value of the term at all samples? Terms are made of those only.
static bool fits(const simplifier *x, const lattice *l, uint32_t i, uint32_t j, uint32_t k,
                 uint32_t high) {
  assert(i < l->count && j < l->count && k < l->count);
  if (!l->known[i] || !l->known[j] || !l->known[k]) return false;
  for (uint32_t at = 0; at < x->sample_count; at++) {
    num a = l->value[i][at], b = l->value[j][at], c = l->value[k][at];
    num inside = high & HIGH_INSIDE ? num_max(a, b) : num_min(a, b);
    num v = high & HIGH_OUTSIDE ? num_max(inside, c) : num_min(inside, c);
    if (!num_equal(v, x->value[at])) return false;
  }
  return true;
}

// min and max of what the term's own min and max are about, and one inside the other.
static void offer_lattice(simplifier *x) {
  qsolver *s = x->s;
  term_table *t = s->t;
  lattice l = {.count = 0};
  collect_generators(s, x->term, &l, 0);
  if (l.count < 2) return;
  evaluate_generators(x, &l);
  for (uint32_t i = 0; i < l.count; i++) offer(x, l.e[i], false);
  for (uint32_t i = 0; i < l.count; i++) {
    for (uint32_t j = 0; j < i; j++) {
      if (fits(x, &l, i, j, i, 0)) offer(x, term_min(t, l.e[i], l.e[j]), false);
      if (fits(x, &l, i, j, i, HIGH_INSIDE | HIGH_OUTSIDE))
        offer(x, term_max(t, l.e[i], l.e[j]), false);
      for (uint32_t k = 0; k < l.count; k++) {
        if (k == i || k == j) continue;
        static const uint8_t SIDES[] = {HIGH_OUTSIDE, HIGH_INSIDE, 0, HIGH_INSIDE | HIGH_OUTSIDE};
        for (uint32_t side = 0; side < (k < j ? 4 : 2); side++) {
          if (!fits(x, &l, i, j, k, SIDES[side])) continue;
          term_id inside =
              SIDES[side] & HIGH_INSIDE ? term_max(t, l.e[i], l.e[j]) : term_min(t, l.e[i], l.e[j]);
          offer(x,
                SIDES[side] & HIGH_OUTSIDE ? term_max(t, inside, l.e[k])
                                           : term_min(t, inside, l.e[k]),
                false);
        }
      }
    }
  }
}

// min(floordiv(a, d), floordiv(b, d)) is floordiv(min(a, b), d), d > 0; with signs turned for max.
static void offer_merged(simplifier *x) {
  qsolver *s = x->s;
  term_table *t = s->t;
  const term_part *parts;
  term_part one;
  uint32_t count = term_parts(t, x->best, &parts, &one);
  if (count > SIMPLIFY_PARTS) return;
  term_part copy[SIMPLIFY_PARTS];
  memcpy(copy, parts, count * sizeof *copy);
  for (uint32_t i = 0; i < count; i++) {
    if (term_kind_of(t, copy[i].monomial) != TERM_MIN) continue;
    term_node node = *term_get(t, copy[i].monomial);
    term_id args[SIMPLIFY_ARGUMENTS], d = TERM_NONE;
    bool same = node.count <= SIMPLIFY_ARGUMENTS;
    for (uint32_t j = 0; j < node.count && same; j++) {
      term_node arg = *term_get(t, node.as.args[j]);
      same = arg.kind == TERM_FLOORDIV && (d == TERM_NONE || arg.as.args[1] == d);
      if (!same) break;
      d = arg.as.args[1];
      args[j] = arg.as.args[0];
    }
    if (!same || d == TERM_NONE) continue;
    num k;
    if (!term_const_value(t, d, &k) || num_sign(k) <= 0) continue;
    term_id merged = term_floordiv(t, term_min_of(t, args, node.count), d);
    term_id rest = term_sub(t, x->best, term_scale(t, copy[i].monomial, copy[i].coefficient));
    if (offer(x, term_add(t, rest, term_scale(t, merged, copy[i].coefficient)), true)) return;
  }
}

// max of quotients hides in min(-a, -b)'s ceildiv form: try the quotient of min and max of the dividends outright. By a
// number above 0 it is the min, or the max, of the quotients.
static void offer_quotients(simplifier *x) {
  qsolver *s = x->s;
  term_table *t = s->t;
  term_id e[SIMPLIFY_QUOTIENTS], q[SIMPLIFY_QUOTIENTS], d = TERM_NONE;
  num k;
  uint32_t n = 0, vars = s->t->count;
  for (term_id id = 0; id < vars && n < SIMPLIFY_QUOTIENTS; id++) {
    if (term_kind_of(t, id) != TERM_FLOORDIV || !term_mentions(s->t, x->term, id)) continue;
    term_node node = *term_get(t, id);
    if (d != TERM_NONE && node.as.args[1] != d) return;
    d = node.as.args[1];
    q[n] = id;
    e[n++] = node.as.args[0];
  }
  if (n != 2 || !term_const_value(t, d, &k) || num_sign(k) <= 0) return;
  term_id low = term_floordiv(t, term_min(t, e[0], e[1]), d), least = term_min(t, q[0], q[1]);
  term_id high = term_floordiv(t, term_max(t, e[0], e[1]), d), most = term_max(t, q[0], q[1]);
  offer(x, low, x->term == least);
  offer(x, high, x->term == most);
  least = term_neg(t, least), most = term_neg(t, most);
  offer(x, term_neg(t, low), x->term == least);
  offer(x, term_neg(t, high), x->term == most);
}

// With nothing left of the premises but ranges, every point of those is a model.
static void take_points(simplifier *x) {
  qsolver *s = x->s;
  uint64_t random = 7;
  for (uint32_t k = 0; k < SIMPLIFY_SAMPLES; k++) {
    num *point = arena_alloc(s->arena, (s->q->symbol_count + 1) * sizeof *point);
    for (uint32_t i = 0; i < s->q->symbol_count; i++) {
      interval r =
          problem_symbol_range(x->base, term_get(s->t, s->q->symbols[i].symbol)->as.symbol);
      random = hash_mix(random + 0x9e3779b97f4a7c15u);
      num offset = NUM((int64_t)(random % (k < 4 ? 12 : 211)));
      num v = r.has_lo   ? num_add(s->budget, r.lo, offset)
              : r.has_hi ? num_sub(s->budget, r.hi, offset)
                         : NUM(offset.small - (k < 4 ? 6 : 105));
      if (r.has_hi && num_compare(v, r.hi) > 0) v = k & 1 ? r.hi : r.lo;
      point[i] = v;
    }
    add_sample(x, point);
  }
}

static void take_model(simplifier *x, query_points *points, const num **items, const num *model) {
  if (points) items[points->count++] = model;
  add_sample(x, model);
}

static void take_samples(simplifier *x, query_points *points) {
  qsolver *s = x->s;
  if (x->base->count == 0 && x->base->order_count == 0) {
    take_points(x);
    return;
  }
  if (points && points->known) {
    for (uint32_t i = 0; i < points->count; i++) add_sample(x, points->items[i]);
    return;
  }
  const num **items = arena_alloc(s->arena, SIMPLIFY_SAMPLES * sizeof *items);
  if (points) *points = (query_points){.items = items, .known = true};
  // Most searches for one give all of them.
  search_options sought = search_any(SIMPLIFY_SAMPLE_NODES);
  sought.sampling = true;
  sought.objective = x->term;
  for (uint32_t taken = 0; taken < SIMPLIFY_SAMPLES;) {
    problem p;
    sought.attempt = 4 + taken;
    sought.samples = SIMPLIFY_SAMPLES - taken;
    problem_copy(&p, x->base);
    verdict v = search_problem(s, &p, &sought);
    for (uint32_t i = 0; i < s->sampled_count; i++) take_model(x, points, items, s->sampled[i]);
    taken += s->sampled_count;
    if (v != VERDICT_MODEL) return;
    take_model(x, points, items, s->model);
    taken++;
  }
}

static bool is_plain(qsolver *s, term_id id) {  // a polynomial over symbols
  const term_part *parts;
  term_part one;
  uint32_t count = term_parts(s->t, id, &parts, &one);
  for (uint32_t i = 0; i < count; i++) {
    const term_power *powers;
    term_power room;
    if (parts[i].monomial == TERM_ONE) continue;
    uint32_t n = term_powers(s->t, parts[i].monomial, &powers, &room);
    for (uint32_t j = 0; j < n; j++) {
      if (term_kind_of(s->t, powers[j].atom) != TERM_SYMBOL) return false;
    }
  }
  return true;
}

// The best term, and a spelling of it where it is large.
static query_simple search_forms(simplifier *x, const simplify_options *options) {
  qsolver *s = x->s;
  const query *q = s->q;
  query_simple found = {.spelling = {.found = false}};
  take_samples(x, options->points);
  if (!is_plain(s, x->best)) {
    term_id better = simplify_atoms(x, x->best, 0);
    for (uint32_t i = 0; i < SIMPLIFY_PASSES && better != x->best; i++) {
      if (!offer(x, better, true)) break;
      better = simplify_atoms(x, x->best, 0);
    }
  }
  if (q->premise_count) offer(x, simplify_declared(x, x->best), true);
  if (x->sample_count >= 3 && (q->premise_count || !is_plain(s, x->term))) {
    offer_polynomials(x);
    if (x->best_size > 2) offer(x, simplify_affine(x, x->term), true);
    if (x->best_size > 3) {
      offer_remainders(x);
      offer_lattice(x);
      offer_merged(x);
      offer_quotients(x);
    }
  }
  if (options->spell) options->spell(x, &found);
  found.term = x->best;
  return found;
}

static query_simple simplify(const query *q, term_id t, const simplify_options *options) {
  qsolver s;
  problem base;
  query_simple same = {.term = t};
  if (!query_start(&s, &base, q)) {
    same.conflict = true;
    return same;
  }
  term_id resolved = problem_resolve(&base, t);
  if (q->premise_count == 0 && resolved == t && is_plain(&s, t)) return same;
  simplifier *x = arena_zalloc(s.arena, sizeof *x);
  *x = (simplifier){.s = &s, .base = &base, .term = t, .best = t, .proofs_left = SIMPLIFY_PROOFS};
  x->best_size = simplify_size(&s, t);
  offer(x, unsolve(x, resolved), true);
  num v;
  if (interval_is_point(problem_range(&base, resolved), &v)) offer(x, term_const(s.t, v), true);
  if (x->best_size <= 1) {
    same.term = x->best;
    return same;
  }
  return search_forms(x, options);
}

query_simple query_simplify(const query *q, term_id t, const simplify_options *options) {
  query_order o;
  if (!query_order_make(&o, q, t, TERM_ZERO)) return simplify(q, t, options);
  query_simple found = simplify(&o.q, o.left, &(simplify_options){.spell = options->spell});
  query_spelling *x = &found.spelling;
  if (x->found) {
    x->a = query_order_back(&o, x->a);
    x->b = query_order_back(&o, x->b);
    x->c = query_order_back(&o, x->c);
    x->found = x->a != TERM_NONE && x->b != TERM_NONE && x->c != TERM_NONE;
  }
  term_id back = found.term == o.left ? t : query_order_back(&o, found.term);
  found.term = back == TERM_NONE ? t : back;
  return found;
}

static const term_spelling *spelled(const speller *m, const query_spelling *x) {
  const char *inside = x->min_outside ? "max" : "min", *outside = x->min_outside ? "min" : "max";
  const term_spelling *args[2] = {spell_shorten(m, x->a, 0), spell_shorten(m, x->b, 0)};
  args[0] = spell_call(m, inside, args, 2);
  args[1] = spell_shorten(m, x->c, 0);
  return spell_factored(m, spell_call(m, outside, args, 2));
}

const term_spelling *query_spell(const query *q, const speller *m, const query_simple *found,
                                 uint32_t size) {
  const term_spelling *best = NULL, *clamp = NULL;
  if (found->spelling.found) clamp = spelled(m, &found->spelling);
  if ((clamp && clamp->size <= found->min_size) || size <= found->min_size) {
    best = clamp;
  } else {
    best = spell_shorten(m, found->term, found->min_size);
    if (clamp && clamp->size < best->size) best = clamp;
  }
  if (!best || best->size >= size) return NULL;
#ifdef SHAPE_DEBUG
  if (!found->conflict) check_debug_equal(q, found->term, spell_term(m, best));
#endif
  (void)q;
  return best;
}
