// SPDX-License-Identifier: Apache-2.0
// `shape decide --jsonl`: one request line in, one reply line out.
//
//   request  {"id", "symbols": {name: {"min", "max", "divisible_by", "ranges": [[1, 4], [16, null]]}},
//             "assume": [constraint, ...],
//             one of "query": constraint, "simplify": expression, "bounds": expression,
//             "explain": true to get "because": an irreducible set of the assumptions, by index, for true, false
//             and conflict (for bounds {"min": [..], "max": [..]}), and "suggestions" for unknown: what would make the
//             query true; "reduced": false where "because" is enough and may hold more than needed}
//   reply    {"id", "answer": "true"|"false"|"unknown", "reason", "witnesses": {"true": {..}, "false": {..}}, "conflict"}
//            {"id", "simplified", "conflict"}   {"id", "min", "max", "conflict"}; "reason": "budget" where steps or memory
//            ran out: the expression as it was asked, and bounds that may be wider
//            {"id", "error": {"code", "message", "field", "at"}}; `at` is a byte offset from 0 in that field
// With `certify` each claim is confirmed by the independent checker (solver/certify/check.h) or not made: "unknown", a bound
// null, an expression as it was asked, with "reason": "unconfirmed"; bounds say at which ends a point was evaluated:
// "attained": {"min": bool, "max": bool}.
// The id is echoed as it was written. A symbol without "min" or "max" has no end on that side; "multiple_of" is another
// name of "divisible_by". "symbols" may be a list as in a graph, [{"name", ...}, name], with "value" and "def" too, where
// a symbol without "min" is at least 0 unless it is a "value". A key that is not known is an error that says which known
// one is nearest, unless "unknown_keys" is "ignore". Points where a divisor is 0 are outside the domain. Nothing in a
// line changes the reply to another line: memory is rewound, budgets are anew.
#ifndef SHAPE_API_DECIDE_DECIDE_H
#define SHAPE_API_DECIDE_DECIDE_H

#include "solver/base/budget.h"
#include "solver/base/strbuf.h"
#include "solver/base/trace.h"

typedef struct
    decide_counts {  // of claims under `certify`; what is not confirmed is a defect of solver or checker
  uint64_t claims, confirmed, contradicted;
} decide_counts;

// Of one request: steps, and as many again for its reasons; bytes of its scratch memory.
enum { DECIDE_STEPS = 2000000, DECIDE_MEMORY = 1 << 28 };

typedef struct decide_options {
  uint64_t steps;          // of one request; 0: the default
  uint32_t bits;           // of an integer; 0: the default
  const atomic_int *stop;  // ends it, see solver/base/budget.h; what was written then is no reply
  bool certify;            // answers that the independent checker cannot confirm are "unknown"
  bool readable;           // text for people instead of JSON
  decide_counts *counts;   // added to under `certify`; NULL: not wanted
  // Steps of all requests with these options so far, and where another thread may read them. NULL: not wanted.
  uint64_t *spent;
  atomic_uint_least64_t *progress;
  const shape_trace *trace;  // receives the steps of answering; NULL: none
} decide_options;

typedef enum decide_outcome {
  DECIDE_FINE,
  DECIDE_ERROR,
  DECIDE_BUDGET,
  DECIDE_REFUTED
} decide_outcome;

// Scratch memory for lines: of its own, or freed with `parent`. The same request runs out of it at the same point for every
// caller. memory: bytes for one line; 0, or more than DECIDE_MEMORY: that. It is not to be moved.
void decide_scratch_init(shape_arena *scratch, shape_arena *parent, uint64_t memory);

// Appends the reply and a newline to `out`, whose arena is another one than `scratch`. `scratch` is as before afterwards.
decide_outcome decide_line(shape_arena *scratch, const decide_options *options, const char *line,
                           size_t length, shape_strbuf *out);

#endif
