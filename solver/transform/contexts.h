// SPDX-License-Identifier: Apache-2.0
// Call contexts that differ in what a program's text can say: two frames of a function (infer.h) are one context where
// all dims that are numbers are the same in both, elements that dynamic operations read included, and their calls run
// in the same contexts.
#ifndef SHAPE_TRANSFORM_CONTEXTS_H
#define SHAPE_TRANSFORM_CONTEXTS_H

#include "solver/report/report.h"

typedef struct call_context {
  func_id func;
  uint32_t frame;  // one of its frames
  bool common;     // says no more than what all contexts of the function have in common
} call_context;

typedef struct call_contexts {
  const infer_result *infer;
  call_context *items;  // each after those that it calls
  uint32_t count, capacity;
  uint32_t *of_frame;  // by frame: its context, or ID_NONE where no run reaches it
  uint32_t *per_func;  // by func_id: how many contexts it has
  infer_call *calls;   // sorted by frame, then operation; one for each
  uint32_t call_count;
  uint32_t *first_call;  // by frame, and one more
} call_contexts;

// In the arena of the graph. O(values of all frames).
call_contexts *contexts_of(const shape_report *report);
// The context in which a call of this frame runs, or ID_NONE.
uint32_t context_called(const call_contexts *contexts, uint32_t frame, op_id op);

#endif
