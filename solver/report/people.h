// SPDX-License-Identifier: Apache-2.0
// What the text for people leaves out of a report, and what it says in other words than the grammar of answers.
#ifndef SHAPE_REPORT_PEOPLE_H
#define SHAPE_REPORT_PEOPLE_H

#include "solver/report/report.h"

// By number of symbol_of(report): whether a reader of the signature, guards and suggestions meets the symbol, or the author
// gave it to a dim of the entry's arguments. The others are names that an exporter gave to what has another name, and
// elements that nothing shown speaks of. In the report's arena. O(answer).
const bool *people_symbols(shape_report *report);
// A predicate that says that two dims broadcast, without bcast: "A == B, or one of them is 1". Empty: the
// report's own text is the one to show.
report_text people_predicate(shape_report *report, predicate p);
// Whether a term that people see has a bcast in it: the signature, guards (as people_predicate has them) or suggestion.
bool people_see_bcast(shape_report *report);

// Whether what a symbol denotes is more than a few lines: a sum of 90 counts that a program computes.
static inline bool people_is_long(const report_symbol *symbol) {
  return symbol->definition.length > 240;
}

// By number of the declared symbol: a dim of an argument of the entry has it, or its values.
const bool *people_of_arguments(const shape_report *r);

#endif
