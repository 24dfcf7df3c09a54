// SPDX-License-Identifier: Apache-2.0
// Which fixed dims of a program's arguments could be free, and under what conditions.
//
// A program P has arguments of fixed shapes; o is the point of its dims. The generalised program Q has the same operations,
// and every dim of an argument that is asked for is a symbol. Declared types of other values are dropped, but for those of
// operations without a rule and of constants. Literals that equal dims at o (integers of a shape operand, or dims of the
// static result type of a reshape, a broadcast or an iota) are rewritten into expressions over dims of the arguments, so
// that Q is P at o:
//
//   1. discovery: P is analysed with every such result a value of fresh symbols. o satisfies all facts that the analysis
//      finds, so a fresh symbol that they determine is that expression; the others are matched by the number of elements
//      (a reshape), by the operand's dims (a broadcast), or by a value of the same shape (resolve.c).
//   2. rewriting: Q is written in the format of P (rewrite_*.c, solver/formats/onnx/reform.h).
//   3. conclusion: what was written is read and analysed as any program is. Its dims, ranges and guards are the answer, so
//      nothing that discovery guessed has to be believed: an expression that is not right everywhere leaves a guard.
//      Dims that a guard leaves two ways to be legal are tied as they are at o, and the analysis is made again
//      (conclude.c). A guard that is false at o fixes the dims that it speaks of, and all begins again with those numbers.
//
// Formats that are not written back (JSON, torch's archives) keep their literals, and so do functions that are called.
//
// Invariants: the answer's symbols and conditions hold at o; a point that satisfies them is legal for Q, but for what
// `unchecked` lists. Cost: at most GENERALIZE_ROUNDS times two analyses and what is written. Deterministic.
#ifndef SHAPE_GENERALIZE_GENERALIZE_H
#define SHAPE_GENERALIZE_GENERALIZE_H

#include "solver/emit/emitter.h"

enum {
  GENERALIZE_ROUNDS = 24,
  GENERALIZE_LENGTH = 1 << 14,  // characters of all conditions; longer ones say nothing to anyone
};

typedef struct generalize_request {
  const analysis_request *program;  // its argument types, bindings, bounds and assumptions are none
  const char *const *free;          // dims that may be freed: "x.0", "arg1.2"
  uint32_t free_count;              // 0: all
} generalize_request;

typedef struct generalization generalization;

// NULL: there is no memory; else reply->status says how it ended, and errors of the program are counted. The request
// outlives the result.
generalization *generalize(const generalize_request *request, analysis_reply *reply);
void generalize_free(generalization *g);

typedef enum generalize_form {
  GENERALIZE_TEXT,
  GENERALIZE_JSON,
  GENERALIZE_MODEL  // the program with free dims; only MLIR, ONNX and FX text are written back
} generalize_form;

// Where it goes: new bytes, and parts of the program that was read, in order.
typedef struct generalize_sink {
  emit_sink *write;
  void (*copy)(void *to, size_t begin, size_t end);  // NULL: `write` takes them
  void *to;
} generalize_sink;

// Of a program with errors, text and JSON are what `check` writes. The status is that of the reply of `generalize`, which
// outlives the result.
void generalize_emit(generalization *g, generalize_form form, const generalize_sink *sink);

#endif
