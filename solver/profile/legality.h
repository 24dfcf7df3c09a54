// SPDX-License-Identifier: Apache-2.0
// Whether a program runs at given dims: points by the conditions, where those decide, else by analysing the program once more
// with its free dims bound to the point.
//
// A point is LEGAL where the conditions hold, or where the bound program has no error and leaves nothing to be checked;
// ILLEGAL where it has an error that every run meets; else UNKNOWN. Conditions are sufficient, not necessary: a point that breaks one may be legal
// still, as where two requirements together were expressed by a stronger one.
//
// Cost: conditions_at; each further analysis takes its steps from the budget of the first, and there are at most LEGALITY_RUNS.
// What was found of a point is kept.
#ifndef SHAPE_PROFILE_LEGALITY_H
#define SHAPE_PROFILE_LEGALITY_H

#include "solver/profile/conditions.h"

enum { LEGALITY_RUNS = 2048, LEGALITY_POINTS = 16384 };

typedef enum point_answer { POINT_LEGAL, POINT_ILLEGAL, POINT_UNKNOWN } point_answer;

// Why a point is illegal: the first error there.
typedef struct point_error {
  const char *message;
  uint32_t line;     // 0: there is none
  const char *node;  // of a model; NULL: none
} point_error;

typedef struct legality {
  const analysis *a;
  const free_dims *dims;
  conditions *conditions;  // NULL: the program has errors
  uint32_t runs;           // of the program at points
  bool spent;              // no more runs
  shape_imap known;        // hash of a point -> index in answers
  struct known_point {
    const int64_t *point;
    point_answer answer;
    point_error error;
  } * items;
  uint32_t count, capacity;
} legality;

// The analysis outlives it.
legality *legality_of(const analysis *a, const free_dims *dims);
// error: of an illegal point whose program was run; may be NULL.
point_answer legality_at(legality *l, const int64_t *point, point_error *error);
// The same, but the program is run in any case.
point_answer legality_run(legality *l, const int64_t *point, point_error *error);
// Of a program without errors: the points of a box. LEGAL: all; ILLEGAL: `point` is one that is not. By enumeration of at most LEGALITY_POINTS points,
// else by the decision procedure.
point_answer legality_over(legality *l, const dim_range *box, int64_t *point);

// Number of points; UINT64_MAX where there are more.
uint64_t box_points(const dim_range *box, uint32_t count);
// The next point row by row; false after the last one.
bool box_next(const dim_range *box, uint32_t count, int64_t *point);

#endif
