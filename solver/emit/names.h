// SPDX-License-Identifier: Apache-2.0
// Names that a caller may say of an analysed program: symbols of its report, dims of arguments (arg0.1) and their
// values (arg2).
#ifndef SHAPE_EMIT_NAMES_H
#define SHAPE_EMIT_NAMES_H

#include "solver/report/report.h"

// "arg2.1" and "arg2": argument 2 of the entry, its size 1; no axis (UINT32_MAX): its value.
bool report_argument_name(const char *name, size_t length, uint32_t *argument, uint32_t *axis);
// In answer form: what constraints and dims of the report are over. TERM_NONE: there is no such name.
term_id report_named_term(const shape_report *report, const char *name, size_t length);

#endif
