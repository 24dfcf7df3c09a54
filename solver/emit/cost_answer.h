// SPDX-License-Identifier: Apache-2.0
// What the forms of the answer to `cost` share; private to solver/emit/.
#ifndef SHAPE_EMIT_COST_ANSWER_H
#define SHAPE_EMIT_COST_ANSWER_H

#include "solver/emit/emitter.h"
#include "solver/profile/legality.h"
#include "solver/cost/reuse.h"

// The answer with what the options ask for besides.
typedef struct cost_view {
  shape_report *report;
  const cost_options *options;
  const cost_answer *answer;
  const free_dims *dims;
  conditions *conditions;   // NULL: neither a point nor a profile is given
  const int64_t *point;     // NULL: none
  shape_answer legal;       // whether the point is
  const dim_range *ranges;  // of the profile; NULL: none
} cost_view;

// The numbers of one function, in the order in which they are written.
typedef enum cost_number {
  COST_ARGUMENTS,
  COST_RESULTS,
  COST_CONSTANTS,
  COST_PEAK,
  COST_FLOPS,
  COST_TRANSCENDENTALS,
  COST_INT_OPS,
  COST_MOVED,
  COST_NUMBERS
} cost_number;
extern const char *const COST_KEYS[COST_NUMBERS];  // "argument_bytes", ...

// False: the emission was refused. The program has no errors.
bool cost_view_open(const emission *e, cost_view *v);
const report_function *cost_report_function(const shape_report *report, const cost_function *f);

term_id cost_number_of(const cost_view *v, const cost_function *f, cost_number which);
// "max(a, b)" where the peak has several members. Nothing where it is not known.
void cost_number_text(const cost_view *v, const cost_function *f, cost_number which,
                      shape_strbuf *out);
// At the point of the options; false where there is none, or the number is not known there.
bool cost_number_at(const cost_view *v, const cost_function *f, cost_number which, int64_t *value);
// Over the ranges of the options.
bool cost_number_over(const cost_view *v, const cost_function *f, cost_number which,
                      int64_t bounds[2]);
// (flops + transcendentals) / moved_bytes at the point; false where nothing is moved, or a number is not known.
bool cost_intensity_at(const cost_view *v, const cost_function *f, double *out);
// What bounds the function on a machine of options->flops_per_byte: "compute", "memory"; NULL: not asked, or it is not the same
// at all points. At the point, where there is one.
const char *cost_bound(const cost_view *v, const cost_function *f);

// The work of all operations of a name in a function, in the order in which names are first met.
typedef struct cost_kind {
  name_id name;
  uint32_t count;
  op_work work;
} cost_kind;
uint32_t cost_kinds(const cost_view *v, const cost_function *f, cost_kind **out);

#endif
