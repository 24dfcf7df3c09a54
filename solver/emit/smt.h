// SPDX-License-Identifier: Apache-2.0
// Facts, constraints and guards as SMT-LIB 2, so that another solver can confirm each.
//
// Dims are Int constants. What the operations imply is asserted, each fact under a name (fact_3) and with its reason
// as a comment; what the answer reports is defined as booleans constraint_1, guard_1, ...; each constraint is then
// checked: `unsat` says that its negation contradicts the facts, so that it follows.
#ifndef SHAPE_EMIT_SMT_H
#define SHAPE_EMIT_SMT_H

#include "solver/report/report.h"

void report_smt(shape_report *report, shape_strbuf *out);

#endif
