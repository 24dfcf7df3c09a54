// SPDX-License-Identifier: Apache-2.0
// One analysis on its way from bytes to an answer; private to proto/methods.
#ifndef SHAPE_EMIT_ANALYSIS_H
#define SHAPE_EMIT_ANALYSIS_H

#include "solver/emit/analyze.h"
#include "solver/formats/mlir/uses.h"

typedef struct analysis {
  const analyze_request *request;
  analyze_reply *reply;
  analyze_sink *sink;
  void *to;
  run_options options;
  mlir_uses uses;  // where the text writes types; only for REFINED
} analysis;

// Reads and analyses the request's text. False: reply->status says why.
bool analysis_run(analysis *a, shape_run *program);

// --- refine_stages.c
// The refined text of a program without errors, in stages that each read a text and write one: copies of functions that
// are called with several shapes, then types and operations; then what is written is read and analysed again, and only
// what has no errors goes to the sink; last the generic form, where it is asked for. Where the request names no types
// and binds nothing, only types change.
void refine_stages(analysis *a, shape_run *program);

#endif
