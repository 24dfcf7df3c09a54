// SPDX-License-Identifier: Apache-2.0
// Rules of linalg, affine, memref, bufferization, index, tosa, and of IREE's operations that say dims; and what they
// share. Each rule's file says its mathematics; rows are in the tables of the dialects.
#ifndef SHAPE_OPS_RULES_LINALG_LINALG_H
#define SHAPE_OPS_RULES_LINALG_LINALG_H

#include "solver/ops/rules/linalg/affine_map.h"

// Parameters of rule_affine_map.
enum { AFFINE_APPLY, AFFINE_MIN_OF, AFFINE_MAX_OF };
// Parameters of rule_pass: what the result has the dims of.
enum { PASS_OPERAND, PASS_DECLARED, PASS_LAST_OPERAND };
// Parameters of rule_extended: arith.addui_extended and the like, the low half and what is left.
enum { EXTENDED_ADD, EXTENDED_MUL };

// Parameters of rule_loop.
enum { LOOP_FOR, LOOP_AFFINE_FOR, LOOP_FORALL, LOOP_PARALLEL, LOOP_EXTENTS, LOOP_UNREAD };

// --- loop.c: lower bound, upper bound and step of induction variable `dim`; TERM_NONE: not known, or a step that is not
// known to be > 0.
typedef struct loop_range {
  term_id lower, upper, step;
} loop_range;
uint32_t loop_rank(rule_context *c);        // induction variables
uint32_t loop_first_init(rule_context *c);  // the first operand that is carried
bool loop_carries(const rule_context *c);   // results are what its trips carry
// Arguments of a trip between the induction variables and what is carried: of shape.reduce, the extent of the trip.
uint32_t loop_given(const rule_context *c);
term_id loop_extent(rule_context *c, term_id trip);
loop_range loop_range_of(rule_context *c, uint32_t dim);
term_id loop_trips(rule_context *c, loop_range range);  // how often; TERM_NONE: not known
term_id affine_condition(rule_context *c);              // 0 or 1; TERM_NONE: not known
rule_function rule_loop;

// The integer that scalar operand i holds; TERM_NONE: not known.
term_id linalg_scalar(rule_context *c, uint32_t operand);
// The list `name` of numbers and operands, the latter from operand *next on, which moves after them; NULL: none.
term_id *linalg_mixed(rule_context *c, const char *name, uint32_t *next, uint32_t *count);
// Number `segment` of operandSegmentSizes: its first operand and how many there are. False where they do not add up.
bool linalg_segment(rule_context *c, uint32_t segment, uint32_t *first, uint32_t *count);
// A scalar result.
void linalg_set_scalar(rule_context *c, uint32_t result, term_id value);

// An error where operands from `first` on, or those of the first segment, are not as many as the result has `?`.
void linalg_check_sizes(rule_context *c, uint32_t first);
// Whether an axis is a number where the list says one, and `?` where an operand says it; an error else.
bool linalg_static_agrees(rule_context *c, const char *list, const graph_type *type, uint32_t from);

// The slice that the lists of numbers and operands describe, with operands from `first` on.
typedef struct slice_lists {
  const term_id *offsets, *sizes, *strides;  // each of the second is known to be >= 0
  uint32_t count;
} slice_lists;
bool slice_read(rule_context *c, uint32_t first, slice_lists *out);  // false: it is not all there
// Requires it to be inside of an operand, of rank `count`; `writes`: where it has elements.
void slice_inside(rule_context *c, uint32_t shaped, const slice_lists *slice, bool writes);

// --- structured.c, relayout.c
rule_function rule_structured, rule_linalg_index, rule_linalg_broadcast, rule_linalg_transpose,
    rule_linalg_reduce, rule_pack, rule_unpack;
// --- winograd.c
// Parameters of rule_winograd: what is transformed.
enum { WINOGRAD_FILTER, WINOGRAD_INPUT, WINOGRAD_OUTPUT };
rule_function rule_winograd;
// --- affine.c
rule_function rule_affine_map, rule_delinearize, rule_linearize, rule_index_constant, rule_extended;
// --- memref.c
// rule_twin
enum {
  TWIN_PLAIN,
  TWIN_REDUCES,  // inputs, initial values and as many buffers that are written
  TWIN_DATA,     // dims follow from the elements of a buffer, which are not followed
  TWIN_VECTORS   // + i: the same, and each of the operands from #i on has an entry for each axis
};
rule_function rule_pass, rule_same_shape, rule_buffers, rule_sort_buffers, rule_map_buffers,
    rule_twin, rule_load, rule_store, rule_subview, rule_reinterpret, rule_view, rule_metadata,
    rule_memref_transpose, rule_tensor_pad, rule_tensor_gather, rule_insert_slice,
    rule_memref_reshape;
// --- tosa.c
// Parameters of rule_tosa_reduce: what becomes of the axis; of rule_tosa_letters; of rule_tosa_conv.
enum { TOSA_ONE, TOSA_DROPS, TOSA_KEEPS };
enum { TOSA_MATMUL, TOSA_GATHER, TOSA_SCATTER };
enum { TOSA_CONV2D, TOSA_CONV3D, TOSA_DEPTHWISE };
rule_function rule_tosa_unary, rule_tosa_elementwise, rule_tosa_reduce, rule_tosa_concat,
    rule_tosa_transpose, rule_tosa_const_shape, rule_tosa_reshape, rule_tosa_tile, rule_tosa_pad,
    rule_tosa_slice, rule_tosa_letters, rule_tosa_pool, rule_tosa_conv, rule_tosa_transpose_conv,
    rule_tosa_resize, rule_tosa_rfft2d;
// --- iree.c
rule_function rule_assume_int, rule_tie_shape;

#endif
