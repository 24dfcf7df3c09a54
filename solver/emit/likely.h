// SPDX-License-Identifier: Apache-2.0
// Dims that were seen at run time, checked against a report: which of its constraints they break, and what the dims of
// the program were with them. A point is one run: names of the report, dims of arguments (arg0.1) or their values (arg2)
// with what they were, and how often. Dims that a point does not determine have no likely values from it.
//
// Cost: points * (constraints + distinct dims), bounded by LIKELY_POINTS_MAX and by the budget of the report's terms.
#ifndef SHAPE_EMIT_LIKELY_H
#define SHAPE_EMIT_LIKELY_H

#include "solver/formats/json/write.h"
#include "solver/report/report.h"

enum { LIKELY_POINTS_MAX = 256, LIKELY_VALUES_MAX = REPORT_LIKELY_MAX };

typedef struct likely_size {
  const char *name;
  size_t name_length;
  int64_t value;
} likely_size;

typedef struct likely_point {
  const likely_size *sizes;
  uint32_t size_count;
  uint64_t count;
} likely_point;

typedef struct likely_set likely_set;

// In the arena of the report's graph; the report was analysed (infer is not NULL). Points beyond the most are left out.
likely_set *likely_new(shape_report *report, const likely_point *points, uint32_t count);
// Writes a list with an object for each point that cannot be: {"observation": its index, "expr": what it breaks}.
// Names that the program does not have are an object too, with "unknown". violated[i]: point i is in it.
void likely_check(likely_set *set, json_writer *w, bool *violated);
// The likely values of one term: what was seen, the most frequent first; where nothing was, what is declared. Returns how
// many.
uint32_t likely_values(likely_set *set, term_id term, int64_t values[LIKELY_VALUES_MAX]);
// The symbols of the report have the likely values that were seen, and declared symbols of its graph those of the report.
void likely_take(likely_set *set);
// Writes [{"expr", "values"}] of the dims that are expressions, in the order of the report.
void likely_encode(likely_set *set, json_writer *w);

#endif
