// SPDX-License-Identifier: Apache-2.0
// Proofs are joins of facts; their leaves are listed once each, oldest first.
#include "solver/facts/core.h"

#include "tests/unit/claims.h"

Test(store_proof, leaves_are_listed_once_in_their_order) {
  static const char *const FACTS[] = {"a <= 9", "b <= 9", "c <= 9", "a != 4"};
  world w;
  claim_store(&w, FACTS, 4);
  proof_id leaf[4], joined = proof_leaf(w.store, 3);
  for (fact_id i = 0; i < 4; i++) leaf[i] = proof_leaf(w.store, i);
  joined = proof_join(w.store, joined, leaf[1]);
  joined = proof_join(w.store, joined, proof_join(w.store, leaf[0], leaf[3]));
  fact_id facts[4];
  bool truncated = true;
  cr_assert_eq(proof_facts(w.store, joined, facts, 4, &truncated), 3);
  cr_expect(facts[0] == 0 && facts[1] == 1 && facts[2] == 3 && !truncated);
  cr_expect_eq(proof_facts(w.store, joined, facts, 2, &truncated), 2);
  cr_expect(truncated);
  cr_expect_eq(proof_join(w.store, leaf[2], leaf[2]), leaf[2]);
  arena_destroy(&w.arena);
}
