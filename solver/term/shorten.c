// SPDX-License-Identifier: Apache-2.0
// Less text for a term: parts of a sum move into a call, calls merge, common parts move out (see spell.h).
//
//   c + min(a, b) is min(a + c, b + c); c + floordiv(n, d) is floordiv(n + d*c, d)         for any c
//   min(floordiv(a, d), floordiv(b, d) + c) is floordiv(min(a, b + d*c), d)                for d > 0
//   floordiv(n, d) - k*floordiv(n, d*k) is mod(floordiv(n, d), k)                          for d, k > 0
//   x*y + x*z is x*(y + z); min(a + c, b + c, e) is min(min(a, b) + c, e)
// What moved is made canonical and shortened in turn. The smallest form wins, the first among equals.
#include <string.h>

#include "solver/term/spell.h"

// Terms that are shortened and spellings that are tried, for one term; calls inside one another; parts of a sum and
// arguments of a call. Past these things stay as the printer writes them.
enum { SPELL_NEIGHBOURS = 96, SPELL_NESTING = 4, SPELL_PARTS = 8 };
// Of a call of two leaves, or of their sum or product.
enum { SPELL_MIN = 3 };

typedef struct known_spelling {
  term_id id;
  const term_spelling *f;
} known_spelling;

typedef struct shortener {
  speller maker;  // whose arguments are shortened
  known_spelling known[SPELL_NEIGHBOURS];
  uint32_t count, left;
  uint32_t min_size;  // of the whole term: see spell_shorten
} shortener;

static const term_spelling *shortest(shortener *s, term_id id, uint32_t depth);

static const term_spelling *smaller(const term_spelling *a, const term_spelling *b) {
  return b->size < a->size ? b : a;
}

// --- common parts

static bool same_spelling(const term_spelling *a, const term_spelling *b);

static bool same_factor(const spell_factor *a, const spell_factor *b) {
  if (a->atom != b->atom || a->count != b->count || !a->name != !b->name) return false;
  if (a->name && strcmp(a->name, b->name) != 0) return false;
  for (uint32_t i = 0; i < a->count; i++) {
    if (!same_spelling(a->args[i], b->args[i])) return false;
  }
  return true;
}

static bool same_part(const spell_part *a, const spell_part *b) {
  if (a->count != b->count || !num_equal(a->coefficient, b->coefficient)) return false;
  for (uint32_t i = 0; i < a->count; i++) {
    if (!same_factor(&a->factors[i], &b->factors[i])) return false;
  }
  return true;
}

static bool same_spelling(const term_spelling *a, const term_spelling *b) {
  if (a == b) return true;
  if (a->count != b->count || a->size != b->size) return false;
  for (uint32_t i = 0; i < a->count; i++) {
    if (!same_part(&a->parts[i], &b->parts[i])) return false;
  }
  return true;
}

// Where the factor is in the part; UINT32_MAX: nowhere.
static uint32_t factor_in(const spell_part *p, const spell_factor *f) {
  for (uint32_t i = 0; i < p->count; i++) {
    if (same_factor(&p->factors[i], f)) return i;
  }
  return UINT32_MAX;
}

static spell_part without_factor(const speller *m, const spell_part *p, uint32_t at) {
  spell_factor *factors = arena_alloc(m->arena, (p->count + 1) * sizeof *factors);
  uint32_t count = 0;
  for (uint32_t i = 0; i < p->count; i++) {
    if (i != at) factors[count++] = p->factors[i];
  }
  return (spell_part){p->coefficient, factors, count};
}

// (the sum of `inside`)*factor, or k*(the sum), and what is outside.
static const term_spelling *grouped(const speller *m, const term_spelling *inside,
                                    const spell_factor *factor, num k,
                                    const term_spelling *outside) {
  spell_factor *factors = arena_alloc(m->arena, 2 * sizeof *factors);
  const term_spelling **args = arena_alloc(m->arena, sizeof *args);
  args[0] = spell_factored(m, inside);
  factors[0] = (spell_factor){NULL, TERM_NONE, args, 1};
  if (factor) factors[1] = *factor;
  spell_part part = {k, factors, factor ? 2 : 1};
  return spell_add(m, spell_make(m, &part, 1), outside);
}

// The sum with the factor taken out of the parts that have it; NULL where fewer than two do.
static const term_spelling *group_by_factor(const speller *m, const term_spelling *f,
                                            const spell_factor *factor) {
  uint32_t ins = 0, outs = 0, at[SPELL_PARTS];
  assert(f->count <= SPELL_PARTS);
  for (uint32_t i = 0; i < f->count; i++) {
    at[i] = factor_in(&f->parts[i], factor);
    ins += at[i] != UINT32_MAX;
  }
  if (ins < 2) return NULL;
  spell_part *in = arena_alloc(m->arena, (f->count + 1) * sizeof *in);
  spell_part *out = arena_alloc(m->arena, (f->count + 1) * sizeof *out);
  ins = 0;
  for (uint32_t i = 0; i < f->count; i++) {
    if (at[i] == UINT32_MAX) {
      out[outs++] = f->parts[i];
    } else {
      in[ins++] = without_factor(m, &f->parts[i], at[i]);
    }
  }
  const term_spelling *inside = spell_add(m, spell_make(m, in, ins), spell_make(m, NULL, 0));
  return grouped(m, inside, factor, NUM(1), spell_make(m, out, outs));
}

// The same for the number k > 1 in coefficients.
static const term_spelling *group_by_number(const speller *m, const term_spelling *f, num k) {
  shape_budget *b = m->terms->budget;
  uint32_t ins = 0, outs = 0;
  for (uint32_t i = 0; i < f->count; i++) ins += num_divides(b, k, f->parts[i].coefficient);
  if (ins < 2) return NULL;
  spell_part *in = arena_alloc(m->arena, (f->count + 1) * sizeof *in);
  spell_part *out = arena_alloc(m->arena, (f->count + 1) * sizeof *out);
  ins = 0;
  for (uint32_t i = 0; i < f->count; i++) {
    spell_part part = f->parts[i];
    if (!num_divides(b, k, part.coefficient)) {
      out[outs++] = part;
      continue;
    }
    part.coefficient = num_floordiv(b, part.coefficient, k);
    in[ins++] = part;
  }
  const term_spelling *inside = spell_add(m, spell_make(m, in, ins), spell_make(m, NULL, 0));
  return grouped(m, inside, NULL, k, spell_make(m, out, outs));
}

static const term_spelling *factored_sum(const speller *m, const term_spelling *f) {
  if (f->count > SPELL_PARTS) return f;
  const term_spelling *best = f;
  for (uint32_t i = 0; i < f->count; i++) {
    const spell_part *p = &f->parts[i];
    for (uint32_t j = 0; j < p->count; j++) {
      const term_spelling *other = group_by_factor(m, f, &p->factors[j]);
      if (other) best = smaller(best, other);
    }
    num k = num_abs(m->terms->budget, p->coefficient);
    if (num_is_one(k)) continue;
    const term_spelling *other = group_by_number(m, f, k);
    if (other) best = smaller(best, other);
  }
  return best;
}

static uint32_t part_in(const term_spelling *f, const spell_part *p) {
  for (uint32_t i = 0; i < f->count; i++) {
    if (same_part(&f->parts[i], p)) return i;
  }
  return UINT32_MAX;
}

static const term_spelling *without_part(const speller *m, const term_spelling *f, uint32_t at) {
  spell_part *parts = arena_alloc(m->arena, (f->count + 1) * sizeof *parts);
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->count; i++) {
    if (i != at) parts[count++] = f->parts[i];
  }
  return spell_make(m, parts, count);
}

// The extremum with one part taken out of all arguments that have it, two or more.
static const term_spelling *group_arguments(const speller *m, const char *name,
                                            const term_spelling *const *args, uint32_t count,
                                            const spell_part *part) {
  const term_spelling **in = arena_alloc(m->arena, (count + 1) * sizeof *in);
  const term_spelling **out = arena_alloc(m->arena, (count + 1) * sizeof *out);
  uint32_t ins = 0, outs = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = part_in(args[i], part);
    if (at == UINT32_MAX) {
      out[outs++] = args[i];
    } else {
      in[ins++] = without_part(m, args[i], at);
    }
  }
  assert(ins > 1);
  const term_spelling *sum = spell_add(m, spell_call(m, name, in, ins), spell_make(m, part, 1));
  if (!outs) return sum;
  out[outs++] = sum;
  return spell_call(m, name, out, outs);
}

// Is the part of this argument in a later one, and in none before it, where it has been grouped?
static bool is_shared_first(const term_spelling *const *args, uint32_t count, uint32_t at,
                            const spell_part *part) {
  bool shared = false;
  for (uint32_t i = 0; i < at; i++) {
    if (part_in(args[i], part) != UINT32_MAX) return false;
  }
  for (uint32_t i = at + 1; i < count && !shared; i++)
    shared = part_in(args[i], part) != UINT32_MAX;
  return shared;
}

static bool is_extremum(const char *name) {
  return name && (strcmp(name, "min") == 0 || strcmp(name, "max") == 0);
}

static const term_spelling *call_of(const speller *m, const char *name,
                                    const term_spelling *const *args, uint32_t count) {
  const term_spelling *best = spell_call(m, name, args, count);
  if (!is_extremum(name)) return best;
  if (count == 1) return args[0];
  if (count > SPELL_PARTS) return best;
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t j = 0; j < args[i]->count; j++) {
      const spell_part *part = &args[i]->parts[j];
      if (!is_shared_first(args, count, i, part)) continue;
      best = smaller(best, group_arguments(m, name, args, count, part));
    }
  }
  return best;
}

// An extremum that is a part of its own may become a sum by grouping its arguments. NULL: the part stays as it is.
static const term_spelling *factored_part(const speller *m, const spell_part *p) {
  if (p->count != 1 || !is_extremum(p->factors[0].name)) return NULL;
  const spell_factor *f = &p->factors[0];
  const term_spelling *call = call_of(m, f->name, f->args, f->count);
  const term_spelling *other = spell_scale(m, call, p->coefficient);
  return other->size < spell_make(m, p, 1)->size ? other : NULL;
}

const term_spelling *spell_factored(const speller *m, const term_spelling *f) {
  const term_spelling *sum = NULL;  // of the parts so far, where one of them changed
  for (uint32_t i = 0; i < f->count; i++) {
    const spell_part *p = &f->parts[i];
    const term_spelling *part = factored_part(m, p);
    if (!sum && !part) continue;
    if (!sum) sum = spell_add(m, spell_make(m, NULL, 0), spell_make(m, f->parts, i));
    sum = spell_add(m, sum, part ? part : spell_make(m, p, 1));
  }
  return factored_sum(m, sum ? smaller(f, sum) : f);
}

// --- parts that move into a call

// The parts of a term, which stay while others are made.
typedef struct part_list {
  term_part of[SPELL_PARTS];
  uint32_t count;
} part_list;

static bool take_parts(const shortener *s, term_id id, part_list *out) {
  const term_part *parts;
  term_part room;
  out->count = term_parts(s->maker.terms, id, &parts, &room);
  if (out->count > SPELL_PARTS) return false;
  memcpy(out->of, parts, out->count * sizeof *parts);
  return true;
}

// v with v*k among the parts of `rest`: those from `first` to before `end` that k divides, the constant only on request.
static term_id divided_parts(shortener *s, term_id rest, num k, uint32_t first, uint32_t end,
                             bool constant) {
  term_table *t = s->maker.terms;
  part_list list;
  term_id v = TERM_ZERO;
  if (!take_parts(s, rest, &list)) return v;
  for (uint32_t i = first; i < list.count && i < end; i++) {
    if (list.of[i].monomial == TERM_ONE && !constant) continue;
    if (!num_divides(t->budget, k, list.of[i].coefficient)) continue;
    v = term_add(
        t, v,
        term_scale(t, list.of[i].monomial, num_floordiv(t->budget, list.of[i].coefficient, k)));
  }
  return v;
}

// k*min(args) + rest with v in the arguments: |k|*min(args + v), or |k|*max(v - args).
static const term_spelling *moved_into_min(shortener *s, term_id atom, num k, term_id rest,
                                           term_id v, uint32_t depth) {
  term_table *t = s->maker.terms;
  uint32_t count = term_get(t, atom)->count;
  const term_spelling *args[SPELL_PARTS];
  bool low = num_sign(k) > 0;
  if (count > SPELL_PARTS) return NULL;
  for (uint32_t i = 0; i < count; i++) {
    term_id arg = term_get(t, atom)->as.args[i];
    args[i] = shortest(s, low ? term_add(t, arg, v) : term_sub(t, v, arg), depth + 1);
  }
  num size = num_abs(t->budget, k);
  const term_spelling *call = call_of(&s->maker, low ? "min" : "max", args, count);
  const term_spelling *others = shortest(s, term_sub(t, rest, term_scale(t, v, size)), depth + 1);
  return spell_add(&s->maker, spell_scale(&s->maker, call, size), others);
}

// k*floordiv(n, d) + rest: |k|*floordiv(n + d*v, d), or |k|*ceildiv(d*v - n, d).
static const term_spelling *moved_into_quotient(shortener *s, term_id atom, num k, term_id rest,
                                                term_id v, uint32_t depth) {
  term_table *t = s->maker.terms;
  term_id n = term_get(t, atom)->as.args[0], d = term_get(t, atom)->as.args[1];
  bool down = num_sign(k) > 0;
  term_id moved = term_mul(t, d, v);
  moved = down ? term_add(t, n, moved) : term_sub(t, moved, n);
  const term_spelling *args[2];
  args[0] = shortest(s, moved, depth + 1);
  args[1] = shortest(s, d, depth + 1);
  num size = num_abs(t->budget, k);
  const term_spelling *call = spell_call(&s->maker, down ? "floordiv" : "ceildiv", args, 2);
  const term_spelling *others = shortest(s, term_sub(t, rest, term_scale(t, v, size)), depth + 1);
  return spell_add(&s->maker, spell_scale(&s->maker, call, size), others);
}

static const term_spelling *moved(shortener *s, term_id atom, num k, term_id rest, term_id v,
                                  uint32_t depth) {
  return term_kind_of(s->maker.terms, atom) == TERM_MIN
             ? moved_into_min(s, atom, k, rest, v, depth)
             : moved_into_quotient(s, atom, k, rest, v, depth);
}

// All parts, all but the constant, each part alone, none.
static const term_spelling *try_moves(shortener *s, term_id atom, num k, term_id rest,
                                      uint32_t depth) {
  term_table *t = s->maker.terms;
  part_list list;
  const term_spelling *best = NULL;
  term_id tried[SPELL_PARTS + 3];
  uint32_t count = 0;
  num size = num_abs(t->budget, k);
  if (!take_parts(s, rest, &list)) return NULL;
  for (uint32_t i = 0; i < list.count + 3 && s->left; i++) {
    bool whole = i < 2;
    term_id v = i == list.count + 2 ? TERM_ZERO
                                    : divided_parts(s, rest, size, whole ? 0 : i - 2,
                                                    whole ? UINT32_MAX : i - 1, i != 1);
    bool known = false;
    for (uint32_t j = 0; j < count; j++) known |= tried[j] == v;
    if (known) continue;
    tried[count++] = v;
    s->left--;
    const term_spelling *other = moved(s, atom, k, rest, v, depth);
    if (other && (!best || other->size < best->size)) best = other;
  }
  return best;
}

// --- quotients that move out of an extremum

// The one quotient in p with coefficient 1 or -1 and a divisor above 0: p is rest +- floordiv(n, d). TERM_NONE in *n where p has
// none; false where it has several, or others.
static bool split_quotient(shortener *s, term_id p, term_id *n, term_id *d, int *sign,
                           term_id *rest) {
  term_table *t = s->maker.terms;
  part_list list;
  *n = TERM_NONE;
  *rest = p;
  if (!take_parts(s, p, &list)) return false;
  for (uint32_t i = 0; i < list.count; i++) {
    if (term_kind_of(t, list.of[i].monomial) != TERM_FLOORDIV) continue;
    num k = list.of[i].coefficient, divisor;
    if (*n != TERM_NONE || !(num_is_one(k) || num_is(k, -1))) return false;
    *n = term_get(t, list.of[i].monomial)->as.args[0];
    *d = term_get(t, list.of[i].monomial)->as.args[1];
    if (!term_const_value(t, *d, &divisor) || num_sign(divisor) <= 0) return false;
    *sign = num_sign(k);
    *rest = term_sub(t, p, term_scale(t, list.of[i].monomial, k));
  }
  return true;
}

// What all terms have in common, constants apart: parts of one monomial and one coefficient.
static term_id common_parts(shortener *s, const term_id *of, uint32_t count) {
  term_table *t = s->maker.terms;
  part_list list, other;
  term_id common = TERM_ZERO;
  if (!take_parts(s, of[0], &list)) return common;
  for (uint32_t i = 0; i < list.count; i++) {
    bool all = list.of[i].monomial != TERM_ONE;
    for (uint32_t j = 1; j < count && all; j++) {
      if (!take_parts(s, of[j], &other)) return TERM_ZERO;
      all = false;
      for (uint32_t k = 0; k < other.count; k++) {
        all |= other.of[k].monomial == list.of[i].monomial &&
               num_equal(other.of[k].coefficient, list.of[i].coefficient);
      }
    }
    if (all)
      common = term_add(t, common, term_scale(t, list.of[i].monomial, list.of[i].coefficient));
  }
  return common;
}

// +-min(args) + rest as one quotient of an extremum; NULL where arguments are no such quotients.
static const term_spelling *one_quotient(shortener *s, term_id atom, num k, term_id rest,
                                         uint32_t depth) {
  term_table *t = s->maker.terms;
  uint32_t count = term_get(t, atom)->count;
  term_id dividend[SPELL_PARTS], d = TERM_NONE;
  int sign = 0;
  if (count > SPELL_PARTS || !(num_is_one(k) || num_is(k, -1))) return NULL;
  for (uint32_t pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < count; i++) {
      term_id p = term_add(t, rest, term_scale(t, term_get(t, atom)->as.args[i], k)), n, own_d, e;
      int own_sign = 0;
      if (!split_quotient(s, p, &n, &own_d, &own_sign, &e)) return NULL;
      if (pass == 0 && n != TERM_NONE) {
        if (d != TERM_NONE && (d != own_d || sign != own_sign)) return NULL;
        d = own_d;
        sign = own_sign;
      }
      if (pass == 0) continue;
      // e + floordiv(n, d) is floordiv(n + d*e, d); e - floordiv(n, d) is -floordiv(n - d*e, d).
      term_id scaled = term_mul(t, d, e);
      dividend[i] = sign > 0 ? scaled : term_neg(t, scaled);
      if (n != TERM_NONE) dividend[i] = term_add(t, dividend[i], n);
    }
    if (d == TERM_NONE) return NULL;
  }
  s->left--;
  term_id common = common_parts(s, dividend, count);
  for (uint32_t i = 0; i < count; i++) dividend[i] = term_sub(t, dividend[i], common);
  bool low = (num_sign(k) > 0) == (sign > 0);
  term_id inner = low ? term_min_of(t, dividend, count) : term_max_of(t, dividend, count);
  term_id q = term_floordiv(t, term_add(t, common, inner), d);
  return shortest(s, sign > 0 ? q : term_neg(t, q), depth + 1);
}

// --- remainders of quotients

// c*floordiv(n, d) + e*floordiv(floordiv(n, d), k) + rest with k*c parts of e taken: c*mod(floordiv(n, d), k) + ...
static const term_spelling *as_remainder(shortener *s, const term_part *inner,
                                         const term_part *outer, term_id sum, uint32_t depth) {
  term_table *t = s->maker.terms;
  num d, dk;
  if (!term_const_value(t, term_get(t, inner->monomial)->as.args[1], &d) || num_sign(d) <= 0 ||
      !term_const_value(t, term_get(t, outer->monomial)->as.args[1], &dk) ||
      num_compare(dk, d) <= 0 || !num_divides(t->budget, d, dk))
    return NULL;
  num k = num_floordiv(t->budget, dk, d), c = inner->coefficient;
  term_id divisor = term_const(t, k);
  if (term_floordiv(t, inner->monomial, divisor) != outer->monomial) return NULL;
  s->left--;
  term_id remainder = term_mod(t, inner->monomial, divisor);
  term_id rest = term_sub(t, sum, term_scale(t, remainder, c));
  const term_spelling *args[2] = {shortest(s, inner->monomial, depth + 1),
                                  spell_of(&s->maker, divisor)};
  const term_spelling *call = spell_call(&s->maker, "mod", args, 2);
  return spell_add(&s->maker, spell_scale(&s->maker, call, c), shortest(s, rest, depth + 1));
}

// --- sums of quotients

// Of the d quotients floordiv(n + i, d), i from 0 to d - 1, whose sum is n, more than half: n without the others.
// list->of[first] is one of them, and gives n and the coefficient.
static const term_spelling *completed(shortener *s, const part_list *list, uint32_t first,
                                      term_id sum, uint32_t depth) {
  term_table *t = s->maker.terms;
  term_id n = term_get(t, list->of[first].monomial)->as.args[0];
  term_id d = term_get(t, list->of[first].monomial)->as.args[1];
  num c = list->of[first].coefficient, shift;
  int64_t of, at;
  bool present[SPELL_PARTS] = {false};
  uint32_t count = 0;
  if (!term_int_value(t, d, &of) || of < 3 || of > SPELL_PARTS) return NULL;
  term_id rest = sum;
  for (uint32_t i = 0; i < list->count; i++) {
    const term_part *p = &list->of[i];
    if (term_kind_of(t, p->monomial) != TERM_FLOORDIV || !num_equal(p->coefficient, c)) continue;
    const term_node *node = term_get(t, p->monomial);
    if (node->as.args[1] != d || !term_const_value(t, term_sub(t, node->as.args[0], n), &shift))
      continue;
    num whole = num_floordiv(t->budget, shift, NUM(of));
    at = num_sub(t->budget, shift, num_mul(t->budget, whole, NUM(of))).small;
    if (present[at]) continue;
    present[at] = true;
    count++;
    rest = term_sub(t, rest, term_scale(t, p->monomial, c));
    rest = term_add(t, rest, term_const(t, num_mul(t->budget, whole, c)));
  }
  if (2 * count <= (uint32_t)of) return NULL;
  s->left--;
  rest = term_add(t, rest, term_scale(t, n, c));
  for (int64_t i = 0; i < of; i++) {
    if (present[i]) continue;
    term_id missing = term_floordiv(t, term_add(t, n, term_int(t, i)), d);
    rest = term_sub(t, rest, term_scale(t, missing, c));
  }
  return shortest(s, rest, depth + 1);
}

// --- the search

// Can nothing smaller be found? What moves stays a call, and no call that is made is smaller than SPELL_MIN; what joins
// calls needs larger ones.
static bool is_smallest(const shortener *s, const term_spelling *best, uint32_t depth) {
  return best->size <= SPELL_MIN || (depth == 0 && best->size <= s->min_size);
}

static const term_spelling *better(shortener *s, const term_spelling *best,
                                   const term_spelling *other) {
  return other ? smaller(best, spell_factored(&s->maker, other)) : best;
}

// What joins several calls goes first: moves of parts into each use up what may be tried.
static const term_spelling *try_joins(shortener *s, term_id id, const part_list *list,
                                      const term_spelling *best, uint32_t depth) {
  term_table *t = s->maker.terms;
  for (uint32_t i = 0; i < list->count && s->left && !is_smallest(s, best, depth); i++) {
    const term_part *p = &list->of[i];
    term_kind kind = term_kind_of(t, p->monomial);
    if (kind == TERM_MIN) {
      term_id rest = term_sub(t, id, term_scale(t, p->monomial, p->coefficient));
      best = better(s, best, one_quotient(s, p->monomial, p->coefficient, rest, depth));
    }
    if (kind != TERM_FLOORDIV) continue;
    best = better(s, best, completed(s, list, i, id, depth));
    for (uint32_t j = 0; j < list->count && s->left; j++) {
      if (j == i || term_kind_of(t, list->of[j].monomial) != TERM_FLOORDIV) continue;
      best = better(s, best, as_remainder(s, p, &list->of[j], id, depth));
    }
  }
  return best;
}

static const term_spelling *try_parts(shortener *s, term_id id, const term_spelling *best,
                                      uint32_t depth) {
  term_table *t = s->maker.terms;
  part_list list;
  if (!take_parts(s, id, &list)) return best;
  best = try_joins(s, id, &list, best, depth);
  for (uint32_t i = 0; i < list.count && s->left && !is_smallest(s, best, depth); i++) {
    term_kind kind = term_kind_of(t, list.of[i].monomial);
    if (kind != TERM_FLOORDIV && kind != TERM_MIN) continue;
    num k = list.of[i].coefficient;
    term_id rest = term_sub(t, id, term_scale(t, list.of[i].monomial, k));
    best = better(s, best, try_moves(s, list.of[i].monomial, k, rest, depth));
  }
  return best;
}

// No call in it, so that nothing moves: the printer's spelling, with common parts moved out.
static bool is_callless(const term_table *t, term_id id) {
  return !(term_kinds(t, id) & ~(uint32_t)KIND_BIT(TERM_SYMBOL));
}

static const term_spelling *shortest(shortener *s, term_id id, uint32_t depth) {
  for (uint32_t i = 0; i < s->count; i++) {
    if (s->known[i].id == id) return s->known[i].f;
  }
  budget_take(s->maker.terms->budget, 1);
  if (depth >= SPELL_NESTING || !s->left || s->count == SPELL_NEIGHBOURS) {
    speller plain = {.terms = s->maker.terms, .arena = s->maker.arena};
    return spell_of(&plain, id);
  }
  uint32_t at = s->count++;  // while it is looked for, it is as it is
  speller plain = {.terms = s->maker.terms, .arena = s->maker.arena};
  s->known[at] = (known_spelling){id, spell_of(&plain, id)};
  if (is_smallest(s, s->known[at].f, depth)) return s->known[at].f;
  if (is_callless(s->maker.terms, id)) {
    const term_spelling *f = s->known[at].f;
    if (f->count > 1) s->known[at].f = smaller(f, factored_sum(&s->maker, f));
    return s->known[at].f;
  }
  const term_spelling *best =
      smaller(s->known[at].f, spell_factored(&s->maker, spell_at(&s->maker, id, depth)));
  s->known[at].f = try_parts(s, id, best, depth);
  return s->known[at].f;
}

static const term_spelling *shorten_argument(void *data, term_id id, uint32_t depth) {
  return shortest(data, id, depth);
}

const term_spelling *spell_shorten(const speller *m, term_id id, uint32_t min_size) {
  shortener *s = arena_alloc(m->arena, sizeof *s);
  *s = (shortener){.maker = *m, .left = SPELL_NEIGHBOURS, .min_size = min_size};
  s->maker.argument = shorten_argument;
  s->maker.data = s;
  return shortest(s, id, 0);
}
