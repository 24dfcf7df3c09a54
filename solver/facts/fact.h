// SPDX-License-Identifier: Apache-2.0
// Facts: predicates that are asserted, each with its reason.
#ifndef SHAPE_FACTS_FACT_H
#define SHAPE_FACTS_FACT_H

#include "solver/term/predicate.h"

// Where a fact comes from. `subject` depends on kind: an op_id, a value_id, a symbol of the graph, an index among the
// assumptions. Texts are static; nothing is formatted until reasons are requested.
typedef enum reason_kind {
  REASON_OP,          // an operation requires or computes it
  REASON_TYPE,        // the declared type of a value (subject: value_id)
  REASON_SYMBOL,      // the declared range of a symbol
  REASON_ASSUMPTION,  // given by the user
  REASON_BINDING,     // --bind, --arg-types
  REASON_SIZE,        // dims are >= 0, and other facts of the domain
  REASON_NONE
} reason_kind;

typedef struct reason {
  uint8_t kind;  // reason_kind
  uint8_t
      required;  // 1: a requirement that a run may break (then it ends with a shape error); 0: true by construction
  uint32_t subject;
  uint32_t frame;    // of infer: which instance of the function; 0: the entry
  const char *rule;  // the rule's name, as in the op tables; NULL where none
  const char *what;  // half a sentence: "the contracting dims are equal"
} reason;

typedef uint32_t fact_id;
#define FACT_NONE UINT32_MAX

typedef struct fact {
  predicate p;  // as asserted
  reason why;
  uint32_t scope;  // number of the scope that asserted it; 0 is the outermost
} fact;

// Proofs as a DAG: a leaf is a fact, an inner node joins two proofs. Indices; PROOF_NONE needs nothing.
typedef uint32_t proof_id;
#define PROOF_NONE UINT32_MAX

#endif
