// SPDX-License-Identifier: Apache-2.0
// Confirms that a run refutes a claim: the program is analysed again with its arguments bound to the run's dims and
// values. Only a program without an error, without a guard left open, in which the claim is false, is such a run.
#ifndef SHAPE_EMIT_REFUTE_H
#define SHAPE_EMIT_REFUTE_H

#include "solver/analysis/analysis.h"
#include "solver/report/witness.h"

// claim: over the arguments and declared names. arena: for what the second analysis is asked.
bool refute_confirms(const analysis_request *request, const report_witness *run, const char *claim,
                     shape_arena *arena);

#endif
