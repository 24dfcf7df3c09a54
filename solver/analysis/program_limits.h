// SPDX-License-Identifier: Apache-2.0
// How large a program may be that a method takes, besides what it may spend. A program over a limit is refused as a whole.
#ifndef SHAPE_ANALYSIS_PROGRAM_LIMITS_H
#define SHAPE_ANALYSIS_PROGRAM_LIMITS_H

#include "solver/graph/graph.h"

typedef struct program_limits {
  uint64_t nodes, rank;  // operations; axes of one tensor. 0: no limit
} program_limits;

typedef struct program_excess {
  const char *limit;  // name of the limit, static; NULL: the program is within all
  uint64_t value;     // of the limit
  char message[120];
} program_excess;

bool program_nodes_within(const program_limits *limits, uint64_t nodes, program_excess *excess);
bool program_rank_within(const program_limits *limits, uint64_t rank, program_excess *excess);
// Both. False after filling `excess`. O(types)
bool program_within(const program_limits *limits, const shape_graph *graph, program_excess *excess);

#endif
