// SPDX-License-Identifier: Apache-2.0
// Memory and work of a program as expressions over the dims of the entry's arguments.
//
//   peak(function) = arguments + constants + max over its operations of live(op)
//   live(op)       = bytes of the values that are live at it (live.h), constants apart
//                    + max over its regions, or over what it calls, of the maximum of live(op') inside
//   work(function) = sum over its operations of work(op)
//   work(op)       = its row (work.h); for branches the maximum over the regions, for other regions their sum, for a call
//                    what it calls
//
// Arguments are live throughout, and so are constants, each once, those of regions that run and of called functions
// included. Block arguments and parameters of called functions are buffers that are counted outside.
//
// A maximum is a list of members of which none is known to be dominated: m1 <= m2 wherever the facts of the program and
// the ranges of its symbols hold, by ranges of sums and factors first, then by the decision procedure. More than
// COST_MEMBERS of them are not kept apart: the maximum is not known then. What is not known is TERM_NONE.
//
// Each frame is inspected once, whatever calls it. Cost: O(operations * members * size of an expression).
#ifndef SHAPE_COST_COST_H
#define SHAPE_COST_COST_H

#include "solver/cost/live.h"
#include "solver/cost/work.h"

enum { COST_MEMBERS = 64 };

typedef struct cost_member {
  term_id bytes;
  op_id op;  // the innermost operation during which it is live
} cost_member;

typedef struct cost_peak {
  cost_member *items;
  uint32_t count;
  bool unknown;
  op_id
      because;  // of `unknown`: the operation that makes a value whose bytes are not known; ID_NONE: too many members
} cost_peak;

typedef struct cost_op {
  op_id op;
  term_id result_bytes;
  op_work work;
} cost_op;

typedef struct cost_function {
  func_id id;
  uint32_t frame;
  term_id argument_bytes, result_bytes, constant_bytes;
  op_work work;
  cost_peak live;  // without arguments and constants
  cost_peak peak;  // with them
  name_id *uncounted;
  uint32_t uncounted_count;
  cost_op *ops;  // those that run as programs, in the order of the text
  uint32_t op_count;
  const char *unknown;  // why the work or the peak is not known; NULL: it is known
} cost_function;

typedef struct cost_answer {
  shape_report *report;
  live_map live;
  cost_function *
      functions;  // that the entry reaches, each once: the entry first, then in the order of the source
  uint32_t function_count;
} cost_answer;

// The program has no errors. A function that runs with different dims at different calls has what they have in common:
// the rest is TERM_NONE. In the arena of the report's graph.
cost_answer *cost_make(shape_report *report);

// The largest member, as one expression; TERM_NONE: not known.
term_id cost_peak_term(shape_report *report, const cost_peak *peak);

#endif
