// SPDX-License-Identifier: Apache-2.0
// Names that a caller may say of an analysed program: symbols of its report, dims of arguments (arg0.1, mask.1), their
// values (arg2) and elements (arg2[1]).
#ifndef SHAPE_REPORT_NAMED_H
#define SHAPE_REPORT_NAMED_H

#include "solver/graph/argument_name.h"
#include "solver/report/report.h"

// An argument of the entry, by position or by its own name.
bool report_argument_name(const shape_report *report, const char *name, size_t length,
                          argument_name *out);
// "argument 2 (mask)", with its name where an expression can hold it: "argument 2" alone where not.
void report_put_argument(const shape_report *report, shape_strbuf *out, uint32_t argument);
// In answer form: what constraints and dims of the report are over. TERM_NONE: there is no such name.
term_id report_named_term(const shape_report *report, const char *name, size_t length);

#endif
