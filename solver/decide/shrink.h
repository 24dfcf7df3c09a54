// SPDX-License-Identifier: Apache-2.0
// Irreducible subsets by leaving out and asking again: what every explanation ends with.
#ifndef SHAPE_DECIDE_SHRINK_H
#define SHAPE_DECIDE_SHRINK_H

#include <stdbool.h>

#include "solver/base/arena.h"

// keep: one flag each of `count` members; what is to follow follows from those that are kept. Clears flags while `follows`
// says that it still does, in runs while there are many, then one by one until none can go. For a `follows` that is
// monotone the result is irreducible. Cost: about k*log(n) calls for k members that are needed, at most 4*n.
void shrink_set(shape_arena *arena, uint8_t *keep, uint32_t count, bool (*follows)(void *data),
                void *data);

#endif
