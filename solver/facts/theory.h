// SPDX-License-Identifier: Apache-2.0
// What a theory of the store is, and the bus on which theories exchange what they learn.
//
// An event is a statement about a canonical term, with its proof. The bus hands each event to the theories in order,
// cheapest first, until one has settled it. A theory answers by changing the solved form or the bounds of forms
// (core.h), and by posting more events. No theory knows another; all state they change is put on the trail by the
// functions of core.h, so that scopes need nothing of a theory.
#ifndef SHAPE_FACTS_THEORY_H
#define SHAPE_FACTS_THEORY_H

#include "solver/facts/store.h"

typedef enum event_kind {
  EVENT_EQ,  // term == 0
  EVENT_GE,  // term >= 0
  EVENT_NE,  // term != 0
  EVENT_DIV  // modulus | term, modulus >= 2
} event_kind;

typedef struct store_event {
  event_kind kind;
  term_id term;
  num modulus;
  proof_id proof;
} store_event;

typedef enum theory_result {
  THEORY_PASS,     // not for this theory (it may have posted weaker events that follow)
  THEORY_DONE,     // settled: what it says is in the store now
  THEORY_CONFLICT  // no point satisfies it: store_report_conflict was called
} theory_result;

typedef struct theory {
  // The term is canonical and not a constant.
  theory_result (*notify)(shape_store *store, const store_event *event);
  // A form's bounds, or those of something in it, moved: post what follows. NULL: nothing ever does. Called for each
  // queued form that is live, of every theory; conflicts go to store_report_conflict, and the result is not read.
  theory_result (*propagate)(shape_store *store, uint32_t form);
} theory;

extern const theory equality_theory, linear_theory, congruence_theory, factor_theory, range_theory;

#endif
