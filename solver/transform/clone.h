// SPDX-License-Identifier: Apache-2.0
// A function that is called with several shapes, once for each: copies of its text follow the last function of
// its module as @f_1, @f_2, ... in the order in which calls reach them, private, and calls name them. The function itself
// keeps the calls that know no more than what all its contexts agree on.
#ifndef SHAPE_TRANSFORM_CLONE_H
#define SHAPE_TRANSFORM_CLONE_H

#include "solver/transform/contexts.h"
#include "solver/transform/types.h"

// False where every function has one context, and nothing is written. Otherwise the whole source with copies; all types
// are still to be refined, and held against the verifier.
bool refine_clone(const shape_report *report, shape_strbuf *out);

#endif
