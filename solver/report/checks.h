// SPDX-License-Identifier: Apache-2.0
// What code has to inspect before the entry runs: ranks, dims and values of its arguments.
//
// A program whose arguments pass every check runs without a shape error, but for what is in `open`: requirements
// over dims that only data decides. Three parts together say that much: each argument size and value is what the answer
// says of it once every symbol is bound where an argument shows it (that is what merged dims imply), every symbol lies
// in its range, and the guards hold. Requirements of branches are checked where the arguments decide that the branch
// runs, and, to be safe, also where they do not determine it.
#ifndef SHAPE_REPORT_CHECKS_H
#define SHAPE_REPORT_CHECKS_H

#include "solver/report/report.h"

// An operand is a dim (axis) or an element (axis: its index, 0 for a scalar) of an argument of the entry.
typedef struct check_operand {
  uint32_t argument, axis;
  bool value;
} check_operand;

// A symbol and where an argument shows it: operand == factor*symbol + rest, rest over symbols that are bound before. Or,
// where it is computed, the name of a large term (store_name): symbol == rest, and there is no operand.
typedef struct check_binding {
  term_id symbol;
  report_text name;
  bool computed;
  check_operand operand;
  num factor;
  term_id rest;
} check_binding;

typedef enum check_kind {
  CHECK_OPERAND,  // operand == p.right
  CHECK_HOLDS     // p
} check_kind;

typedef struct report_check {
  check_kind kind;
  check_operand operand;
  predicate p;
  const predicate *when;  // the check counts only where all of these hold
  uint32_t when_count;
  const int64_t *ranges;  // not NULL: p.left lies in one of these pairs; p says nothing then
  uint32_t range_count;
  const char *message;
  const report_constraint *guard;  // that says so; NULL: none does
} report_check;

typedef struct report_checks {
  uint32_t argument_count;
  const uint32_t *ranks;  // ID_NONE: not ranked, or no tensor
  check_binding *bindings;
  uint32_t binding_count, binding_capacity;
  shape_imap binding_of;  // symbol -> index of its first binding
  report_check *checks;   // dims that are numbers first: those are checked before values are read
  uint32_t check_count, check_capacity;
  uint32_t constant_count;  // that many of them
  report_because *open;
  uint32_t open_count, open_capacity;
} report_checks;

// The report must be of a program without errors. Everything lives in its arena.
report_checks *report_checks_make(shape_report *report);
// The same with bindings that no check reads.
report_checks *report_checks_all(shape_report *report);
// The index of a symbol's binding; ID_NONE: it has none. O(1)
uint32_t report_checks_binding(const report_checks *checks, term_id symbol);
// True, and *dividend and *divisor, where a symbol is a quotient of older symbols that no argument shows.
bool report_quotient(const shape_report *report, uint32_t symbol, term_id *dividend, num *divisor);

#endif
