// SPDX-License-Identifier: Apache-2.0
// The dims of the entry's arguments that are not fixed, and how callers give numbers for them.
//
// A free dim is a declared symbol of an argument's type, or a `?` of it, that no binding of the analysis fixes. It is named
// as bindings name it: by the symbol, else argK.A. Two forms give ranges, minimum:typical:maximum of each:
//   B=1:8:64,arg0.1=128:128:512          B=8 is short for B=8:8:8
//   min=x:1x3 opt=x:8x3 max=x:64x3       of each argument, by its name; dims that are not free repeat their number
#ifndef SHAPE_PROFILE_FREE_DIMS_H
#define SHAPE_PROFILE_FREE_DIMS_H

#include "solver/analysis/analysis.h"
#include "solver/report/report.h"

typedef struct free_dim {
  report_text name;
  uint32_t argument, axis;  // the first one that it is
} free_dim;

// What is at one axis of an argument.
typedef struct dim_position {
  uint32_t dim;   // index of a free dim; ID_NONE: none
  int64_t fixed;  // else the number; -1: other dims determine it
} dim_position;

typedef struct free_dims {
  shape_report *report;
  free_dim *items;
  uint32_t count, capacity;
  shape_intern names;        // of items, by index
  dim_position **positions;  // by argument; NULL: it has no rank, or is no tensor
  uint32_t *ranks;           // by argument
  uint32_t argument_count;
  uint32_t unranked;  // the first tensor without a rank; ID_NONE: all have one
} free_dims;

typedef struct dim_range {
  int64_t min, typical, max;
} dim_range;

// The report is that of the analysis, and is of a program without errors of syntax. In its arena. O(dims of arguments)
free_dims *free_dims_of(const analysis *a);
// One range for each free dim; in the arena of the report. NULL after *error, a sentence, was set.
dim_range *free_dims_parse(const free_dims *dims, const char *text, const char **error);
// The same where each is one number.
int64_t *free_dims_parse_point(const free_dims *dims, const char *text, const char **error);

#endif
