// SPDX-License-Identifier: Apache-2.0
// A report as the JSON answer (proto/schema/check-answer.json): keys in a fixed order, written straight into the
// writer's buffer. With a sink the answer needs constant memory beyond the texts of distinct types and sizes.
#ifndef SHAPE_EMIT_ENCODE_H
#define SHAPE_EMIT_ENCODE_H

#include "solver/emit/likely.h"
#include "solver/report/suggest.h"

struct profile_list;
// likely: what dims were seen to be; profiles: answers to those; both may be NULL.
void report_encode_with(shape_report *report, likely_set *likely,
                        const struct profile_list *profiles, json_writer *w);
// The same of functions without their operations and values.
void report_encode_without_ops(shape_report *report, json_writer *w);
// The answer where there is no report: one error diagnostic at the beginning of the source.
void report_encode_failure(json_writer *w, const char *code, uint32_t line, uint32_t column,
                           const char *message);

// Members of an object: where a reason is (line and column), its rule, and what it says.
void encode_reason(const shape_graph *graph, json_writer *w, const report_because *why);

// The member "suggested" up to the results of its only item, which stays open; `put` writes an assumption.
typedef void encode_text(json_writer *w, const char *text);
void encode_suggestion(json_writer *w, const report_suggestion *s, encode_text *put);

// The member "locations" of a diagnostic, where the source says where the operation comes from; else nothing.
void encode_locations(const shape_report *report, json_writer *w, const diag *d);

#endif
