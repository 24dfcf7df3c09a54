// SPDX-License-Identifier: Apache-2.0
// Elements and bytes of values as expressions over the dims of the entry's arguments.
//
//   elements(v) = product of its dims
//   bytes(v)    = ceildiv(elements * bits, 8), per value: types of fewer than 8 bits are packed, i1 takes 8 bits
//
// A value is looked up in a frame (solver/infer/infer.h): the same value of a function has other dims at other calls.
// TERM_NONE: not known, as dims that data decides, strings, sequences. What is found is kept, so a value costs its rank
// once for each frame.
#ifndef SHAPE_COST_SIZES_H
#define SHAPE_COST_SIZES_H

#include "solver/report/report.h"

typedef struct cost_sizes {
  shape_report *report;
  term_table *terms;
  shape_imap
      shown;  // symbol, or dim in answer form -> 1 where dims of arguments determine it, else 0
} cost_sizes;

// The values of one frame.
typedef struct frame_sizes {
  cost_sizes *all;
  uint32_t frame;
  value_id base, end;
  term_id *elements, *bytes;  // by value - base; SIZE_NOT_ASKED: not computed yet
} frame_sizes;

// The report was analysed (infer is not NULL), and outlives this.
void sizes_init(cost_sizes *s, shape_report *report);
// In the arena of the graph. O(values of the function).
void sizes_of_frame(cost_sizes *s, uint32_t frame, frame_sizes *out);

// The dims in answer form; NULL: the rank is not known. A dim may be TERM_NONE. The array lives as long as the arena.
const term_id *sizes_dims(frame_sizes *f, value_id value, uint32_t *rank);
term_id sizes_elements(frame_sizes *f, value_id value);
term_id sizes_bytes(frame_sizes *f, value_id value);  // VALUE_NONE takes none
// Whether the element type is floating-point or complex; tuples: of one part.
bool sizes_is_float(const shape_graph *graph, type_id type);

// Sums and products that are not known where a part is not.
term_id sizes_add(term_table *t, term_id a, term_id b);
term_id sizes_mul(term_table *t, term_id a, term_id b);
// A sum of many parts. Two sums of equally many are added to one another: n parts of a symbol each take O(n log n), where
// one after the other they take O(n^2). All zero is the empty sum.
typedef struct size_sum {
  term_id of_power[32];  // [k]: a sum of 2^k parts, where that bit of count is set
  uint32_t count;
} size_sum;
void size_sum_add(term_table *t, size_sum *sum, term_id part);
term_id size_sum_total(term_table *t, const size_sum *sum);
// True where the report knows a <= b: by ranges of sums and of factors, then, if `ask`, by the decision procedure.
bool sizes_at_most(shape_report *report, term_id a, term_id b, bool ask);
// The larger one, as one of them where that is known.
term_id sizes_max(shape_report *report, term_id a, term_id b);

#endif
