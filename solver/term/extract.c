// SPDX-License-Identifier: Apache-2.0
#include "solver/term/extract.h"

#include <assert.h>

static term_id extract_atom(extraction *x, term_id atom) {
  const term_node *node = term_get(x->from, atom);
  term_table *to = x->to;
  if (node->kind == TERM_SYMBOL)
    return x->symbol ? x->symbol(x->data, node->as.symbol) : term_symbol(to);
  uint32_t count = node->count;
  const term_id *old = node->as.args;
  assert(term_is_atom(x->from, atom));
  term_id *args = arena_alloc(to->arena, (count + 1) * sizeof *args);
  for (uint32_t i = 0; i < count; i++) args[i] = extract_term(x, old[i]);
  switch ((term_kind)node->kind) {
  case TERM_FLOORDIV: return term_floordiv(to, args[0], args[1]);
  case TERM_MIN: return term_min_of(to, args, count);
  case TERM_MAX: return term_max_of(to, args, count);
  case TERM_BCAST: return term_bcast(to, args[0], args[1]);
  case TERM_SELECT: return term_select(to, args[0], args[1], args[2]);
  case TERM_IS_ZERO: return term_eq(to, args[0], TERM_ZERO);
  case TERM_IS_NEG: return term_lt(to, args[0], TERM_ZERO);
  case TERM_BIGMUL: return term_product_of(to, args, count);
  default: break;
  }
  assert(node->kind == TERM_APPLY);
  name_id function = (name_id)old[-1];
  return term_apply(to, x->function ? x->function(x->data, function) : function, args, count);
}

static term_id extract_monomial(extraction *x, term_id monomial) {
  term_power room;
  const term_power *powers;
  if (monomial == TERM_ONE) return TERM_ONE;
  uint32_t known;
  assert(term_kind_of(x->from, monomial) != TERM_SUM && monomial != TERM_ZERO);
  if (imap_get(&x->memo, monomial, &known)) return known;
  term_id made = TERM_ONE;
  if (term_is_atom(x->from, monomial)) {
    made = extract_atom(x, monomial);
  } else {
    uint32_t count = term_powers(x->from, monomial, &powers, &room);
    for (uint32_t i = 0; i < count; i++) {
      term_id atom = extract_monomial(x, powers[i].atom);
      made = term_mul(x->to, made, term_pow(x->to, atom, powers[i].exponent));
    }
  }
  imap_put(&x->memo, x->to->arena, monomial, made);
  return made;
}

term_id extract_term(extraction *x, term_id id) {
  term_part room;
  const term_part *parts;
  uint32_t count = term_parts(x->from, id, &parts, &room);
  if (count == 1 && num_is_one(parts[0].coefficient)) return extract_monomial(x, parts[0].monomial);
  term_id sum = TERM_ZERO;
  for (uint32_t i = 0; i < count; i++) {
    term_id monomial = extract_monomial(x, parts[i].monomial);
    sum = term_add(x->to, sum, term_scale(x->to, monomial, parts[i].coefficient));
  }
  return sum;
}

predicate extract_predicate(extraction *x, predicate p) {
  term_id left = extract_term(x, p.left), right = extract_term(x, p.right);
  return predicate_make(p.rel, left, right);
}
