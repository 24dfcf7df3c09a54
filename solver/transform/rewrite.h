// SPDX-License-Identifier: Apache-2.0
// Changes to a program's operations besides their types, as edits of its text. Each part first changes the graph (the
// operands of an operation, its removal), then the text is written once from what the graph has become.
//
// Nothing here relies on facts of the solver: only on types, which the text states, and on constants (constants.h). So
// every check that the program made it still makes.
#ifndef SHAPE_TRANSFORM_REWRITE_H
#define SHAPE_TRANSFORM_REWRITE_H

#include "solver/ops/traits.h"
#include "solver/formats/mlir/edit.h"
#include "solver/formats/mlir/write.h"
#include "solver/transform/constants.h"
#include "solver/transform/types.h"

// What stays of an operation, because its verifier refuses what would become of it.
typedef enum refine_keep {
  KEEP_NOTHING,
  KEEP_FORM,     // it stays dynamic, and what it reads does not become a constant
  KEEP_RESULTS,  // and the types of its results stay
  KEEP_TYPES     // and those of its operands
} refine_keep;

typedef struct refine_rewrite {
  shape_graph *graph;
  const mlir_uses *uses;
  const refined_types *types;
  const type_id *value_types;  // by value_id
  const constant_value *constants;
  text_edits *edits;
  bool *removed;        // by op_id
  uint32_t *edit_of;    // by op_id: the edit that writes it anew, counted from 1; 0: none
  bool *closed;         // by func_id: its text is understood whole, so values in it may be removed
  bool cleanup;         // removed operations take their line with them
  bool folds;           // broadcasts that change nothing, and checks that are proven, go
  const uint8_t *kept;  // by op_id, a refine_keep; NULL: none
  bool *fed;            // by value_id: a kept operation reads it, as what it is; NULL: none
} refine_rewrite;

void rewrite_init(refine_rewrite *r, const refined_types *types, const mlir_uses *uses,
                  text_edits *edits);
// kept: by op_id, or NULL. After rewrite_init.
void rewrite_keep(refine_rewrite *r, const uint8_t *kept);
bool rewrite_keeps(const refine_rewrite *r, op_id op);
bool rewrite_feeds(const refine_rewrite *r, value_id value);  // a kept operation
bool rewrite_is_open(const refine_rewrite *r, op_id op);      // is in a function that is not closed
// The constant of a value in bounds of int64; NULL where it is none.
const constant_value *rewrite_constant(const refine_rewrite *r, value_id value);
// The op's text from its name to its types becomes `text`.
void rewrite_replace(refine_rewrite *r, op_id op, const shape_strbuf *text);
// dialect.constant dense<...> : type
void rewrite_constant_text(const refine_rewrite *r, const char *dialect, type_id type,
                           const constant_value *value, shape_strbuf *out);
void rewrite_remove(refine_rewrite *r, op_id op);
void rewrite_remove_span(refine_rewrite *r, source_span span);

// wrappers.c: shape_refinement_operand_wrapper makes way for its operand; assertions that hold are removed. With `folds`, so
// does a broadcast that changes nothing, and a constraint of the shape dialect that is proven becomes a witness.
void rewrite_wrappers(refine_rewrite *r);
// static_forms.c: dynamic operations whose dims are constants become their static forms.
void rewrite_static_forms(refine_rewrite *r);
// dynamic_calls.c: the same of a custom call of an operation that has no dynamic form of its own.
void rewrite_dynamic_call(refine_rewrite *r, op_id op);
// splats.c: a constant of one element that is broadcast or reshaped becomes a constant of that shape.
void rewrite_splats(refine_rewrite *r);
// cleanup.c: constants instead of what computes them, then without what nothing needs. After the others.
void rewrite_cleanup(refine_rewrite *r);
// arguments.c: a fixed argument keeps its position in the signature, and its name becomes a constant's, where anything still uses it. Last.
void rewrite_arguments(refine_rewrite *r, const fixed_argument *fixed, uint32_t count);

// dynamic_ops.c: operations of static_forms.def that are not rewritten, in functions that the entry's runs reach, in the order
// of the source, each with the value that it reads and that is no constant. After the others. Returns how many there are.
uint32_t rewrite_each_dynamic(const refine_rewrite *r, dynamic_taker *take, void *to);

// dynamism.c: real_dynamic_slice of a known size becomes a dynamic_slice, on its line, and set_dimension_size to a number a
// slice.
void rewrite_windows(refine_rewrite *r);
// dynamism.c: set_dimension_size instead of real_dynamic_slice where `bounded`, and the other way round. Returns how many
// there are; *refused: the first one that has no equal, or ID_NONE.
uint32_t rewrite_dynamism(refine_rewrite *r, bool bounded, op_id *refused);

#endif
