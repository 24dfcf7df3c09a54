// SPDX-License-Identifier: Apache-2.0
// Profiles: ranges of the free dims, as of TensorRT. Is every point legal, at which is it not, and how far may one go?
//
// Points are all combinations of integers between minimum and maximum. An answer is proven: LEGAL by the conditions at every
// point of a small box, or over the box by the decision procedure; ILLEGAL by an analysis of the program at the
// counterexample. All else is unknown.
//
//   counterexample  differs from the typical point in a set of dims of which each is needed: put back, the point is legal.
//                   Sets are searched by their size, up to PROFILE_TOGETHER dims; beyond, a point that was found loses
//                   dims as long as it stays illegal
//   box             a largest legal box round the typical point: the one with most points of at most LEGALITY_POINTS and few enough
//                   boxes, else what growing side by side in several orders gives. A box of legal points has legal boxes
//                   inside only, so each side is found by halving, and a side that cannot grow in a smaller box cannot in a
//                   larger. It is `maximal` where an illegal point was found beyond each side that is not at its end
//
// Cost: points * conditions for small boxes, else O(2^dims + dims * log(range)) queries; and legality's runs.
#ifndef SHAPE_PROFILE_PROFILE_H
#define SHAPE_PROFILE_PROFILE_H

#include "solver/profile/legality.h"

enum { PROFILE_TOGETHER = 3, PROFILE_BOXES = 1 << 18 };

typedef struct profile_answer {
  const free_dims *dims;
  const dim_range *ranges;        // as given
  shape_answer legal;             // YES, NO, UNKNOWN
  const int64_t *counterexample;  // NULL: there is none
  point_error error;              // there
  const char
      *breaks;  // what does not hold there, over names of the profile; NULL: no predicate says it
  const dim_range *box;  // NULL: the typical point is not known to be legal
  bool maximal;
  conditions *conditions;
} profile_answer;

// Of a program with errors only the typical point is inspected. Ranges are those of free_dims_parse. In the arena of its report.
profile_answer *profile_check(const analysis *a, const free_dims *dims, const dim_range *ranges);

// --- box.c: a largest box of legal points. known: what is found beyond its sides proves that it is maximal.
dim_range *box_largest(legality *l, const dim_range *profile, bool *maximal);

#endif
