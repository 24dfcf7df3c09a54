// SPDX-License-Identifier: Apache-2.0
// Constants of a program that is analysed under assumptions: what the caller assumes, or bounds, is not written into a
// program, so they are those of a second analysis without it.
#ifndef SHAPE_EMIT_PLAIN_H
#define SHAPE_EMIT_PLAIN_H

#include "solver/analysis/analysis.h"
#include "solver/transform/constants.h"

typedef struct plain_analysis {
  analysis_request request;
  analysis_reply reply;
  analysis a;
  bool open;
} plain_analysis;

// Whether a request assumes anything.
bool plain_is_other(const analysis_request *request);
// Of the same text, without what is assumed. To be closed.
void plain_open(plain_analysis *plain, const analysis_request *request);
void plain_close(plain_analysis *plain);
// As tracked_constants (transform/tracked.h), for the graph of the first analysis, whose types and values they are; in its
// arena. Nothing is known where the second analysis failed or finds errors.
constant_value *plain_constants(plain_analysis *plain, shape_graph *graph, const type_id *types,
                                const fixed_argument *fixed, uint32_t fixed_count);

#endif
