// SPDX-License-Identifier: Apache-2.0
// MLIR text with free dims: what writers of its dialects share; private to the folder.
#ifndef SHAPE_GENERALIZE_REWRITE_H
#define SHAPE_GENERALIZE_REWRITE_H

#include "solver/formats/mlir/write.h"
#include "solver/generalize/work.h"

typedef struct mlir_rewriter {
  const resolving *x;
  shape_graph *graph;
  const mlir_uses *uses;
  shape_strbuf *out;  // what computes dims: lines in front of the entry's first operation
  text_edits edits;
  type_id *types;  // by value_id, as they are written
  dim_writer dims;
  uint32_t next;  // number of the next name
  const char *prefix, *indent;
  uint32_t indent_length;
  // Of HLO.
  const char *dialect;
  shape_imap ones;    // term -> number of it as tensor<1xi64>
  shape_imap shapes;  // hash of a list of terms -> number of the tensor that holds them
} mlir_rewriter;

// "%dim4 = " and what follows; returns 4.
uint32_t rewrite_line(mlir_rewriter *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// The blanks in front of what begins at that byte.
void rewrite_indent(const mlir_rewriter *w, uint32_t at, shape_strbuf *out);
// A writer of values and types to `out`.
mlir_writer rewrite_writer(mlir_rewriter *w, shape_strbuf *out);

// --- rewrite_hlo.c: dims are tensors of i64, and a literal is the type of a result: a dynamic operation has it as an operand.

// name: of an operation of the dialect (stablehlo or mhlo) that is written.
void rewrite_hlo_init(mlir_rewriter *w, const char *name);
void rewrite_hlo_site(mlir_rewriter *w, const literal_site *s);

// --- rewrite_torch.c: dims are !torch.int, and literals are items of a list.

void rewrite_torch_init(mlir_rewriter *w);
void rewrite_torch_site(mlir_rewriter *w, const literal_site *s);

#endif
