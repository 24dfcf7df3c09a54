// SPDX-License-Identifier: Apache-2.0
// Proofs as a DAG of joins over facts: made in O(1) where something is derived, read only when reasons are requested.
#include <assert.h>
#include <stdlib.h>

#include "solver/facts/core.h"

static proof_id add_node(shape_store *s, uint32_t a, uint32_t b) {
  if (s->proof_count >= PROOF_LEAF - 1) arena_fail(s->arena, SHAPE_MEMORY);
  assert(b == PROOF_LEAF ? a < s->fact_count : a < s->proof_count && b < s->proof_count);
  STORE_GROW(s, s->proofs, s->proof_count, s->proof_count + 1u, s->proof_capacity);
  s->proofs[s->proof_count] = (proof_node){a, b, 0};
  return s->proof_count++;
}

proof_id proof_leaf(shape_store *s, fact_id id) { return add_node(s, id, PROOF_LEAF); }

proof_id proof_join(shape_store *s, proof_id a, proof_id b) {
  if (a == PROOF_NONE || a == b) return b;
  if (b == PROOF_NONE) return a;
  return add_node(s, a, b);
}

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static void push(shape_store *s, uint32_t x) {
  STORE_GROW(s, s->walk, s->walk_count, s->walk_count + 1u, s->walk_capacity);
  s->walk[s->walk_count++] = x;
}

static void visit(shape_store *s, proof_id proof) {
  assert(proof == PROOF_NONE || proof < s->proof_count);
  if (proof == PROOF_NONE || s->proofs[proof].mark == s->proof_stamp) return;
  s->proofs[proof].mark = s->proof_stamp;
  push(s, proof);
}

// Leaves gather at the front of the walk stack's part that is ours, in s->chain.
uint32_t proof_facts(shape_store *s, proof_id proof, fact_id *facts, uint32_t room,
                     bool *truncated) {
  s->proof_stamp++;
  uint32_t bottom = s->walk_count, found = s->chain_count;
  visit(s, proof);
  while (s->walk_count > bottom) {
    proof_node node = s->proofs[s->walk[--s->walk_count]];
    if (node.b != PROOF_LEAF) {
      visit(s, node.a);
      visit(s, node.b);
      continue;
    }
    STORE_GROW(s, s->chain, s->chain_count, s->chain_count + 1u, s->chain_capacity);
    s->chain[s->chain_count++] = node.a;
  }
  uint32_t count = 0;
  uint32_t *leaves = s->chain ? s->chain + found : NULL;  // without leaves there is no array
  uint32_t total = s->chain_count - found;
  if (total) qsort(leaves, total, sizeof *leaves, by_number);
  if (truncated) *truncated = false;
  for (uint32_t i = 0; i < total; i++) {
    if (i && leaves[i] == leaves[i - 1]) continue;
    if (count == room) {
      if (truncated) *truncated = true;
      break;
    }
    facts[count++] = leaves[i];
  }
  s->chain_count = found;
  return count;
}
