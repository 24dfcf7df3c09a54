// SPDX-License-Identifier: Apache-2.0
// Predicates as the constraint kinds of an answer.
#include <assert.h>

#include "solver/report/work.h"

static const char *const KIND_NAMES[] = {"eq", "ne",     "divisible",    "lt",
                                         "le", "mul_eq", "group_mul_eq", "affine_eq"};
static const char *const ORIGIN_NAMES[] = {"argument_size", "argument_value", "declared", "opaque"};

const char *constraint_kind_name(constraint_kind kind) { return KIND_NAMES[kind]; }
const char *report_origin_name(report_origin origin) { return ORIGIN_NAMES[origin]; }

// The part of a sum that comes first in print, constants aside; its sign decides which side is left.
static const term_part *leading_part(const term_table *t, const term_part *parts, uint32_t count) {
  const term_part *first = NULL;
  for (uint32_t i = 0; i < count; i++) {
    if (parts[i].monomial == TERM_ONE) continue;
    if (!first || term_order(t, parts[i].monomial, first->monomial) > 0) first = &parts[i];
  }
  return first;
}

static bool stands_alone(term_table *t, const term_part *parts, uint32_t count, uint32_t at) {
  assert(at < count);
  for (uint32_t i = 0; i < count; i++) {
    if (i != at && term_mentions(t, parts[i].monomial, parts[at].monomial)) return false;
  }
  return true;
}

// A symbol with coefficient 1 or -1 that is in no other part: what the equation can be solved for.
static const term_part *unit_part(term_table *t, const term_part *parts, uint32_t count) {
  const term_part *first = NULL;
  for (uint32_t i = 0; i < count; i++) {
    if (term_kind_of(t, parts[i].monomial) != TERM_SYMBOL) continue;
    if (!num_is(parts[i].coefficient, 1) && !num_is(parts[i].coefficient, -1)) continue;
    if (first && term_order(t, parts[i].monomial, first->monomial) <= 0) continue;
    if (stands_alone(t, parts, count, i)) first = &parts[i];
  }
  return first;
}

// Splits d into left - right with no negative coefficient on either side.
static void split(shape_report *r, term_id d, term_id *left, term_id *right) {
  term_table *t = r->infer->terms;
  term_part room;
  const term_part *parts;
  uint32_t count = term_parts(t, d, &parts, &room);
  term_part *sides = arena_alloc(r->work->arena, 2 * (count + 1) * sizeof *sides);
  uint32_t lefts = 0, rights = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (num_sign(parts[i].coefficient) > 0) {
      sides[lefts++] = parts[i];
    } else {
      term_part negated = {num_neg(r->work->budget, parts[i].coefficient), parts[i].monomial};
      sides[count + rights++] = negated;
    }
  }
  *left = term_sum(t, sides, lefts);
  *right = term_sum(t, sides + count, rights);
}

// gcd of the coefficients, the constant part left out; 0 for a constant.
static num coefficient_gcd(shape_report *r, const term_part *parts, uint32_t count) {
  num g = NUM(0);
  for (uint32_t i = 0; i < count; i++) {
    if (parts[i].monomial != TERM_ONE) g = num_gcd(r->work->budget, g, parts[i].coefficient);
  }
  return g;
}

// d / g, where the constant part is rounded up (for inequalities; for equations g divides it).
static term_id divide_up(shape_report *r, term_id d, num g) {
  assert(num_sign(g) > 0);
  term_table *t = r->infer->terms;
  shape_budget *b = r->work->budget;
  num c = term_constant_part(t, d);
  term_id rest = term_sub(t, d, term_const(t, c));
  term_id q;
  if (!term_divide_exact(t, rest, term_const(t, g), &q)) return d;
  return term_add(t, q, term_const(t, num_ceildiv(b, c, g)));
}

static bool normal_equation(shape_report *r, predicate p, predicate *out) {
  term_table *t = r->infer->terms;
  term_id d = term_sub(t, p.left, p.right);
  term_part room;
  const term_part *parts;
  uint32_t count = term_parts(t, d, &parts, &room);
  num g = coefficient_gcd(r, parts, count);
  if (num_is_zero(g)) return false;
  if (!num_divides(r->work->budget, g, term_constant_part(t, d))) return false;
  d = divide_up(r, d, g);
  count = term_parts(t, d, &parts, &room);
  const term_part *unit = unit_part(t, parts, count);
  const term_part *first = unit ? unit : leading_part(t, parts, count);
  term_id solved = unit ? unit->monomial : TERM_NONE;
  if (num_sign(first->coefficient) < 0) d = term_neg(t, d);
  out->rel = p.rel;
  if (solved != TERM_NONE) {
    out->left = solved;
    out->right = term_sub(t, solved, d);
  } else {
    split(r, d, &out->left, &out->right);
    // bcast(S0, S1) == S1 reads better than the other way round.
    if (term_kind_of(t, out->left) == TERM_SYMBOL && term_is_atom(t, out->right)) {
      term_id symbol = out->left;
      out->left = out->right;
      out->right = symbol;
    }
  }
  return true;
}

static bool normal_inequality(shape_report *r, predicate p, predicate *out) {
  term_table *t = r->infer->terms;
  if (p.rel == REL_GT || p.rel == REL_GE) {
    p = predicate_make(p.rel == REL_GT ? REL_LT : REL_LE, p.right, p.left);
  }
  term_id d = term_sub(t, p.left, p.right);
  if (p.rel == REL_LT) d = term_add(t, d, TERM_ONE);
  term_part room;
  const term_part *parts;
  uint32_t count = term_parts(t, d, &parts, &room);
  num g = coefficient_gcd(r, parts, count);
  if (num_is_zero(g)) return false;
  d = divide_up(r, d, g);
  out->rel = REL_LE;
  split(r, d, &out->left, &out->right);
  num value;
  bool strict =
      num_is_one(term_constant_part(t, out->left)) && !term_const_value(t, out->left, &value);
  if (strict) {
    out->rel = REL_LT;
    out->left = term_sub(t, out->left, TERM_ONE);
  }
  return true;
}

static bool normal_divisible(shape_report *r, predicate p, predicate *out) {
  term_table *t = r->infer->terms;
  num divisor, value;
  term_id q;
  *out = p;
  if (term_const_value(t, p.right, &divisor)) {
    if (num_sign(divisor) < 0) divisor = num_neg(r->work->budget, divisor);
    if (num_is_zero(divisor)) return false;
    num common = num_gcd(r->work->budget, term_content(t, p.left), divisor);
    if (num_sign(common) > 0 && !num_is_one(common) &&
        term_divide_exact(t, p.left, term_const(t, common), &q)) {
      out->left = q;
      divisor = num_floordiv(r->work->budget, divisor, common);
    }
    out->right = term_const(t, divisor);
    if (num_is_one(divisor)) return false;
  }
  if (term_const_value(t, out->left, &value) && term_const_value(t, out->right, &value))
    return false;
  return out->right == TERM_ZERO || !term_divide_exact(t, out->left, out->right, &q);
}

bool classify_normal(shape_report *r, predicate p, predicate *out) {
  if (p.left == TERM_NONE || p.right == TERM_NONE) return false;
  switch (p.rel) {
  case REL_EQ:
  case REL_NE: return normal_equation(r, p, out);
  case REL_DIVISIBLE: return normal_divisible(r, p, out);
  default: return normal_inequality(r, p, out);
  }
}

// --- forms

static bool is_simple(const term_table *t, term_id x) {
  return term_kind_of(t, x) == TERM_CONST || term_is_atom(t, x);
}

static bool is_monomial(const term_table *t, term_id x) {
  term_part room;
  const term_part *parts;
  return x != TERM_ZERO && term_parts(t, x, &parts, &room) == 1;
}

static bool is_affine(const term_table *t, term_id x) {
  term_part room;
  const term_part *parts;
  uint32_t count = term_parts(t, x, &parts, &room);
  for (uint32_t i = 0; i < count; i++) {
    if (parts[i].monomial != TERM_ONE && !term_is_atom(t, parts[i].monomial)) return false;
  }
  return true;
}

static void one_text(shape_report *r, term_id x, report_text **list, uint32_t *count) {
  *list = arena_alloc(r->work->arena, sizeof **list);
  **list = report_term(r, x);
  *count = 1;
}

// The factors of a monomial: its coefficient where it is not 1, and each atom as often as its exponent says.
static void factor_texts(shape_report *r, term_id x, report_text **list, uint32_t *count) {
  assert(x != TERM_ZERO);
  term_table *t = r->infer->terms;
  term_part room;
  const term_part *parts;
  term_parts(t, x, &parts, &room);
  num coefficient = parts[0].coefficient;
  term_power power_room;
  const term_power *powers;
  uint32_t n =
      parts[0].monomial == TERM_ONE ? 0 : term_powers(t, parts[0].monomial, &powers, &power_room);
  uint32_t total = 1;
  for (uint32_t i = 0; i < n; i++) total += powers[i].exponent;
  *list = arena_alloc(r->work->arena, total * sizeof **list);
  term_power *sorted = arena_alloc(r->work->arena, (n + 1) * sizeof *sorted);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t at = i;
    for (; at && term_order(t, powers[i].atom, sorted[at - 1].atom) > 0; at--)
      sorted[at] = sorted[at - 1];
    sorted[at] = powers[i];
  }
  *count = 0;
  if (!num_is_one(coefficient) || !n)
    (*list)[(*count)++] = report_term(r, term_const(t, coefficient));
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t e = 0; e < sorted[i].exponent; e++)
      (*list)[(*count)++] = report_term(r, sorted[i].atom);
  }
}

static constraint_kind equation_kind(const term_table *t, term_id left, term_id right) {
  if (is_simple(t, left) && is_simple(t, right)) return CONSTRAINT_EQ;
  bool left_alone = term_is_atom(t, left);
  if (left_alone && is_monomial(t, right)) return CONSTRAINT_MUL_EQ;
  if (left_alone && is_affine(t, right)) return CONSTRAINT_AFFINE_EQ;
  num value;
  if (is_monomial(t, left) && is_monomial(t, right) && !term_const_value(t, right, &value)) {
    return CONSTRAINT_GROUP_MUL_EQ;
  }
  return CONSTRAINT_EQ;
}

static void put_text(shape_strbuf *buf, report_text text) {
  strbuf_add(buf, text.text, text.length);
}

report_text report_predicate(shape_report *r, predicate p) {
  term_table *t = r->infer->terms;
  report_text left = report_term(r, p.left), right = report_term(r, p.right);
  shape_strbuf buf;
  strbuf_init_room(&buf, r->work->arena,
                   left.length + right.length + (uint32_t)sizeof "mod(, ) == 0");
  num value;
  if (p.rel == REL_DIVISIBLE) {
    strbuf_puts(&buf, "mod(");
    put_text(&buf, left);
    strbuf_puts(&buf, ", ");
    put_text(&buf, right);
    strbuf_puts(&buf, ") == 0");
  } else if (p.rel == REL_LE && term_const_value(t, p.left, &value)) {
    put_text(&buf, right);
    strbuf_puts(&buf, " >= ");
    put_text(&buf, left);
  } else {
    put_text(&buf, left);
    strbuf_putc(&buf, ' ');
    strbuf_puts(&buf, relation_text(p.rel));
    strbuf_putc(&buf, ' ');
    put_text(&buf, right);
  }
  return (report_text){buf.data, buf.length};
}

bool classify(shape_report *r, predicate p, report_constraint *out) {
  term_table *t = r->infer->terms;
  out->p = p;
  switch (p.rel) {
  case REL_EQ: out->kind = equation_kind(t, p.left, p.right); break;
  case REL_NE: out->kind = CONSTRAINT_NE; break;
  case REL_LT: out->kind = CONSTRAINT_LT; break;
  case REL_LE: out->kind = CONSTRAINT_LE; break;
  case REL_DIVISIBLE: out->kind = CONSTRAINT_DIVISIBLE; break;
  default: return false;
  }
  if (out->kind == CONSTRAINT_GROUP_MUL_EQ) {
    factor_texts(r, p.left, &out->lhs, &out->lhs_count);
  } else {
    one_text(r, p.left, &out->lhs, &out->lhs_count);
  }
  if (out->kind == CONSTRAINT_GROUP_MUL_EQ || out->kind == CONSTRAINT_MUL_EQ) {
    factor_texts(r, p.right, &out->rhs, &out->rhs_count);
  } else {
    one_text(r, p.right, &out->rhs, &out->rhs_count);
  }
  out->expr = report_predicate(r, p);
  return true;
}
