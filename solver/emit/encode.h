// SPDX-License-Identifier: Apache-2.0
// A report as the JSON answer (proto/schema/check-answer.json): keys in a fixed order, written straight into the
// writer's buffer. With a sink the answer needs constant memory beyond the texts of distinct types and sizes.
#ifndef SHAPE_EMIT_ENCODE_H
#define SHAPE_EMIT_ENCODE_H

#include "solver/emit/likely.h"

// likely: what dims were seen to be; may be NULL.
void report_encode_likely(shape_report *report, likely_set *likely, json_writer *w);
// The answer where there is no report: one error diagnostic at the beginning of the source.
void report_encode_failure(json_writer *w, const char *code, uint32_t line, uint32_t column,
                           const char *message);

// Members of an object: where a reason is (line and column), its rule, and what it says.
void encode_reason(const shape_graph *graph, json_writer *w, const report_because *why);

#endif
