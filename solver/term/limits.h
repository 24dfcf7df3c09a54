// SPDX-License-Identifier: Apache-2.0
// The limits of facts, certify and decide, as constants. limits.def says of each what it bounds and how it was chosen.
#ifndef SHAPE_TERM_LIMITS_H
#define SHAPE_TERM_LIMITS_H

enum limit {
#define LIMIT(name, value, unit, bounds, at, chosen) name = value,
#include "solver/term/limits.def"
#undef LIMIT
};

#endif
