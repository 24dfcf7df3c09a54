// SPDX-License-Identifier: Apache-2.0
// Which of the dims that a caller gives for the arguments conflict. A specialised program fails at the operation that
// meets two numbers; what they have to do with the arguments is only known where the dims still have names. So the
// program is analysed once more as it is declared, and what its arguments must fulfil is compared with the dims given.
#ifndef SHAPE_ANALYSIS_ARG_CONFLICT_H
#define SHAPE_ANALYSIS_ARG_CONFLICT_H

#include "solver/analysis/analysis.h"

// Adds a related location to the first error of a program that was analysed with argument types: the argument, with the
// relation that its dims violate and the dims in it. Nothing where there are no errors or no argument types, or where the
// declared program does not determine it.
void arg_conflict_report(const analysis *a);

#endif
