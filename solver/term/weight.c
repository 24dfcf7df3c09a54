// SPDX-License-Identifier: Apache-2.0
#include "solver/term/build.h"

// A number weighs 1, and from its second limb on as much as that many names: it is written out.
enum { LIMB_WEIGHT = 16, LIMB_BITS = 64 };

uint32_t term_num_weight(num x) { return LIMB_WEIGHT * (num_bits(x) / LIMB_BITS); }

uint32_t term_weight(const term_table *t, term_id id) {
  const term_node *node = term_get(t, id);
  return node->kind == TERM_CONST ? 1 + term_num_weight(node->as.value) : node->as.weight;
}
