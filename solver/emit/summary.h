// SPDX-License-Identifier: Apache-2.0
// A program's answer in a few hundred bytes, for tables of many programs: counts, the signature of the entry, what must
// hold of its arguments, diagnostics with their chains, which operations there are, and which dims come from where.
// The form is proto/schema/batch-summary.json. Lists are cut after SUMMARY_MAX items (their full length is given), and
// texts after SUMMARY_TEXT bytes, so that its length is bounded whatever the program.
#ifndef SHAPE_EMIT_SUMMARY_H
#define SHAPE_EMIT_SUMMARY_H

#include "solver/formats/json/write.h"
#include "solver/report/report.h"

enum { SUMMARY_MAX = 64, SUMMARY_TEXT = 500 };

// One JSON object. O(values).
void summary_encode(shape_report *report, json_writer *w);
// The status and the diagnostics of that alone: nothing is suggested, and no dim is spelled.
void summary_encode_errors(shape_report *report, json_writer *w);

#endif
