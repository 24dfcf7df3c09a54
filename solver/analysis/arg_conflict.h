// SPDX-License-Identifier: Apache-2.0
// Which of the sizes that a caller gives for the arguments clash. A specialised program fails at the operation that
// meets two numbers; what they have to do with the arguments is only known where the sizes still have names. So the
// program is analysed once more as it is declared, and what its arguments must fulfil is held against the sizes given.
#ifndef SHAPE_ANALYSIS_ARG_CONFLICT_H
#define SHAPE_ANALYSIS_ARG_CONFLICT_H

#include "solver/analysis/analysis.h"

// Adds a related place to the first error of a program that was analysed with argument types: the argument, with the
// relation that its sizes break and the sizes in it. Nothing where the declared program does not tell.
void arg_conflict_report(const analysis *a);

#endif
