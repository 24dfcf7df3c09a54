// SPDX-License-Identifier: Apache-2.0
// Constants that the analysis has tracked: elements of integer tensors through every operation, branch, loop and call
// that has a rule, so that specialisation knows what the solver knows.
//
// An element is the term that the rules made of it, in which a symbol counts as a number only where the text states it:
// a dim that the refined type of its value says, or an argument that the caller fixes. What the program's own
// requirements make a number is none: an operation that is replaced would take its check along. A value is followed in
// each call of its function and has to be the same in all; public functions besides the entry have other callers, too.
//
// What is in the body of a loop is tracked as of any iteration; of what decides whether it goes on, nothing is taken.
//
// The solver's arithmetic does not wrap. A value beyond the range of its type taints what is computed from it.
#ifndef SHAPE_TRANSFORM_TRACKED_H
#define SHAPE_TRANSFORM_TRACKED_H

#include "solver/report/report.h"
#include "solver/transform/constants.h"

// By value_id, in the arena of the graph; others are all zero. types: by value_id, refined. fixed: arguments of the entry.
// O(program) per round of calls that taint.
constant_value *tracked_constants(const shape_report *report, const type_id *types,
                                  const fixed_argument *fixed, uint32_t fixed_count);

#endif
