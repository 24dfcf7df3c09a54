// SPDX-License-Identifier: Apache-2.0
// Dims and values of the entry's arguments at which a predicate does not hold, as far as the facts say: a candidate
// for a concrete run, to be confirmed by analysing the program at them.
#ifndef SHAPE_REPORT_WITNESS_H
#define SHAPE_REPORT_WITNESS_H

#include "solver/report/report.h"

enum { WITNESS_MAX = 256 };

typedef struct report_witness {
  uint32_t count;
  struct {
    const char *name;  // as --bind has it: a declared symbol, arg0.1 or arg2
    int64_t value;
  } items[WITNESS_MAX];
} report_witness;

// False where none is found, or where it is not one that can be bound.
bool report_find_witness(shape_report *report, predicate p, report_witness *out);
// The number that a term of an argument (a size or element as infer has it) is there; false where it is open.
bool report_witness_value(const shape_report *report, const report_witness *w, term_id term,
                          int64_t *value);

#endif
