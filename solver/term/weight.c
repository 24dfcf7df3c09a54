// SPDX-License-Identifier: Apache-2.0
#include <assert.h>

#include "solver/term/term.h"

// A number weighs 1, and from its second limb on as much as that many names: it is written out.
enum { LIMB_WEIGHT = 16, LIMB_BITS = 64 };

typedef struct weighing {
  const term_table *t;
  uint32_t left;
} weighing;

static bool take(weighing *w, uint64_t amount) {
  w->left = amount < w->left ? w->left - (uint32_t)amount : 0;
  return w->left > 0;
}

static uint64_t limbs_of(num x) { return (uint64_t)LIMB_WEIGHT * (num_bits(x) / LIMB_BITS); }

static bool weigh_monomial(weighing *w, term_id id);

static bool weigh(weighing *w, term_id id) {
  const term_node *node = term_get(w->t, id);
  if (node->kind != TERM_SUM) return weigh_monomial(w, id);
  for (uint32_t i = 0; i < node->count; i++) {
    if (!take(w, limbs_of(node->as.parts[i].coefficient))) return false;
    if (!weigh_monomial(w, node->as.parts[i].monomial)) return false;
  }
  return true;
}

static bool weigh_monomial(weighing *w, term_id id) {
  const term_node *node = term_get(w->t, id);
  switch (node->kind) {
  case TERM_CONST: return take(w, 1 + limbs_of(node->as.value));
  case TERM_SYMBOL: return take(w, 1);
  case TERM_PRODUCT:
    for (uint32_t i = 0; i < node->count; i++) {
      uint32_t before = w->left, exponent = node->as.powers[i].exponent;
      if (!weigh_monomial(w, node->as.powers[i].atom)) return false;
      assert(exponent && before >= w->left);
      if (!take(w, (uint64_t)(before - w->left) * (exponent - 1))) return false;
    }
    return true;
  default: break;
  }
  if (!take(w, 1)) return false;
  for (uint32_t i = 0; i < node->count; i++) {
    if (!weigh(w, node->as.args[i])) return false;
  }
  return true;
}

uint32_t term_weight(const term_table *t, term_id id, uint32_t limit) {
  weighing w = {t, limit};
  weigh(&w, id);
  assert(w.left <= limit);
  return limit - w.left;
}

bool term_outweighs(const term_table *t, term_id id, uint32_t limit) {
  const term_node *node = term_get(t, id);
  if (node->kind == TERM_SYMBOL) return limit == 0;
  weighing w = {t, limit + 1};
  return !weigh(&w, id);
}
