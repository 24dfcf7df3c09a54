// SPDX-License-Identifier: Apache-2.0
// The checks of solver/report/checks.h as a function in C or Python over the dims and values of the arguments, and as
// shape assertions at the entry of the program's MLIR text.
//
// What is computed never wraps: C gives up on the run where an integer leaves 64 bits, Python's have no end, and MLIR
// computes in i64, where it says so.
#ifndef SHAPE_EMIT_GUARD_CODE_H
#define SHAPE_EMIT_GUARD_CODE_H

#include "solver/report/checks.h"

void guard_code_c(shape_report *report, const report_checks *checks, shape_strbuf *out);
void guard_code_python(shape_report *report, const report_checks *checks, shape_strbuf *out);
// The program's text with the checks in front of the first operation of the entry; of dims that the types of the
// arguments give there is no check. In StableHLO or MHLO where the program has operations of these, else in arith. Only for
// programs that were read from MLIR.
void guard_code_mlir(shape_report *report, const report_checks *checks, shape_strbuf *out);
// The checks that one operation needs, for an operation anywhere in the entry, and where they go, a byte of the
// text: in front of the operation of the entry's own blocks that it is or is in. ID_NONE: the operation needs none, or one
// that cannot be written.
uint32_t guard_code_before(shape_report *report, op_id op, shape_strbuf *out);
// The checks alone, as the function @NAME_guards of MLIR that takes the arguments of the entry: arith, tensor, memref, cf.
void guard_code_function(shape_report *report, const report_checks *checks, shape_strbuf *out);

// --- private to the writers

// How a language of functions writes what the walk over the checks meets. `out` is where it goes.
typedef struct guard_writer guard_writer;
typedef struct guard_language {
  void (*term)(guard_writer *w, term_id term);
  void (*call)(guard_writer *w, const term_node *node);  // an atom that is no symbol
  void (*quotient)(guard_writer *w, term_id dividend, num divisor);
  const char *unknown;  // a symbol that nothing gives
  void (*rank)(guard_writer *w, uint32_t argument, uint32_t rank);
  void (*check)(guard_writer *w, const report_check *check);
  void (*solved)(guard_writer *w, const check_binding *b);  // (operand - rest) divided by factor
  const char *bind, *bound;  // in front of the name of what a statement binds, and after its value
} guard_language;
struct guard_writer {
  const guard_language *language;
  const shape_report *report;
  const report_checks *checks;
  term_table *terms;
  shape_strbuf *out;
};

// Ranks, checks that need no binding, bindings, the other checks.
void guard_code_body(guard_writer *w);
void guard_code_atom(guard_writer *w, term_id atom);
void guard_code_operand(guard_writer *w, check_operand operand);  // dims[0][1], values[0][1]
// name, a list of terms, ')'.
void guard_code_call(guard_writer *w, const char *name, const term_id *args, uint32_t count);
// What the code is, the assumptions of the answer and what has no check, as comment lines that begin with `lead`.
void guard_code_head(const shape_report *report, const report_checks *checks, const char *lead,
                     const char *language, shape_strbuf *out);
// The name of the entry as the end of an identifier.
void guard_code_entry(const shape_report *report, shape_strbuf *out);
// Text inside double quotes, in ASCII: as C reads it, whose strings are bytes, or as Python does, of `characters`.
void guard_code_quoted(shape_strbuf *out, const char *text, bool characters);

#endif
