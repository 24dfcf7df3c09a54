// SPDX-License-Identifier: Apache-2.0
// Proofs as a DAG of joins over facts: made in O(1) where something is derived, read only when reasons are requested.
#include <assert.h>
#include <stdlib.h>

#include "solver/facts/core.h"

static proof_id add_node(shape_store *s, uint32_t a, uint32_t b) {
  if (s->proofs.count >= PROOF_LEAF - 1) arena_fail(s->arena, SHAPE_MEMORY);
  assert(b == PROOF_LEAF ? a < s->facts.count : a < s->proofs.count && b < s->proofs.count);
  STORE_GROW(s, s->proofs.nodes, s->proofs.count, s->proofs.count + 1u, s->proofs.capacity);
  s->proofs.nodes[s->proofs.count] = (proof_node){a, b, 0};
  return s->proofs.count++;
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
  STORE_GROW(s, s->stacks.walk, s->stacks.walk_count, s->stacks.walk_count + 1u,
             s->stacks.walk_capacity);
  s->stacks.walk[s->stacks.walk_count++] = x;
}

static void visit(shape_store *s, proof_id proof) {
  assert(proof == PROOF_NONE || proof < s->proofs.count);
  if (proof == PROOF_NONE || s->proofs.nodes[proof].mark == s->proofs.stamp) return;
  s->proofs.nodes[proof].mark = s->proofs.stamp;
  push(s, proof);
}

// Leaves gather at the front of the walk stack's part that is ours, in s->chain.
uint32_t proof_facts(shape_store *s, proof_id proof, fact_id *facts, uint32_t room,
                     bool *truncated) {
  s->proofs.stamp++;
  uint32_t bottom = s->stacks.walk_count, found = s->stacks.chain_count;
  visit(s, proof);
  while (s->stacks.walk_count > bottom) {
    proof_node node = s->proofs.nodes[s->stacks.walk[--s->stacks.walk_count]];
    if (node.b != PROOF_LEAF) {
      visit(s, node.a);
      visit(s, node.b);
      continue;
    }
    STORE_GROW(s, s->stacks.chain, s->stacks.chain_count, s->stacks.chain_count + 1u,
               s->stacks.chain_capacity);
    s->stacks.chain[s->stacks.chain_count++] = node.a;
  }
  uint32_t count = 0;
  uint32_t *leaves =
      s->stacks.chain ? s->stacks.chain + found : NULL;  // without leaves there is no array
  uint32_t total = s->stacks.chain_count - found;
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
  s->stacks.chain_count = found;
  return count;
}
