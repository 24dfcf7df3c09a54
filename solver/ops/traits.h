// SPDX-License-Identifier: Apache-2.0
// Traits of operations, from traits.def: what transformations, reports and sessions ask instead of comparing names.
#ifndef SHAPE_OPS_TRAITS_H
#define SHAPE_OPS_TRAITS_H

#include "solver/graph/graph.h"

typedef enum op_trait {
  TRAIT_NONE = 0,
  TRAIT_STABLEHLO = 1 << 0,
  TRAIT_MHLO = 1 << 1,
  TRAIT_HLO = TRAIT_STABLEHLO | TRAIT_MHLO,
  TRAIT_PURE = 1 << 2,       // does nothing but make its results
  TRAIT_ONE_TYPE = 1 << 3,   // operands and results have one shape
  TRAIT_EXACT = 1 << 4,      // its verifier infers the types of the results from the operands
  TRAIT_CALL = 1 << 5,       // runs the function that `callee` names
  TRAIT_COMPOSITE = 1 << 6,  // may be replaced by the function that `decomposition` names
  TRAIT_RETURN = 1 << 7,     // ends a function
  TRAIT_LOOP = 1 << 8,       // regions run again and again
  TRAIT_BRANCHES = 1 << 9,   // one of the regions runs, and what it yields are the results
  TRAIT_CARRIES = 1 << 10,   // results, operands and arguments of the regions have the same types
  TRAIT_PASSES = 1 << 11,    // results have the types of the operands
  TRAIT_YIELDS = 1 << 12,    // results have the types of what the regions yield
  TRAIT_CUSTOM_CALL = 1 << 13,  // of what `call_target_name` says
  TRAIT_CONSTANT = 1 << 14,
  TRAIT_ADD = 1 << 15,
  TRAIT_SETS_SIZE = 1 << 16,        // of one dimension
  TRAIT_READS_SIZES = 1 << 17,      // some operands are dims, offsets or paddings
  TRAIT_PADS = 1 << 29,             // by operands
  TRAIT_WINDOW = 1 << 18,           // a slice whose bounds are operands
  TRAIT_NAMES_SYMBOLS = 1 << 19,    // speaks of declared symbols by name
  TRAIT_DECLARES_SYMBOL = 1 << 20,  // declares one
  TRAIT_IDENTITY = 1 << 21,
  TRAIT_OPTIONAL = 1 << 23,  // makes an optional of its operand, if there is one
  TRAIT_ARITH = 1 << 24,  // of the arith dialect: integers of one bit are numbers, no truth values
  TRAIT_BROADCASTS = 1 << 26,  // its first operand, along axes that it names
  TRAIT_ASSERTS = 1 << 27,     // ends the run where its first operand is false
  TRAIT_ANY_TYPES = 1 << 28,   // tensors may be refined whatever else it has (AllowsTypeRefinement)
  TRAIT_ONNX = 1 << 25,        // of ONNX's own domain
  TRAIT_ONNX_CONSTANT = 1 << 22,  // one of several attributes holds the value
  TRAIT_SEQUENCE = 1 << 29,       // makes a sequence of its operands
  TRAIT_INSERTS = 1 << 30         // a sequence with its second operand in it
} op_trait;

// All traits of an operation; 0 where nothing is known of it. O(rows of the dialect).
uint32_t traits_of(const shape_graph *graph, op_id op);
uint32_t traits_of_name(const shape_graph *graph, name_id name);
static inline bool op_has(const shape_graph *graph, op_id op, op_trait any) {
  return (traits_of(graph, op) & (uint32_t)any) != 0;
}
// An operation that ends the run where its first operand is false: TRAIT_ASSERTS, or a custom call of shape_assertion.
bool op_is_assertion(const shape_graph *graph, op_id op);
// The same as op_has(graph, op, TRAIT_STABLEHLO), O(1): for what is asked of every operation.
bool traits_is_stablehlo(const shape_graph *graph, op_id op);
// Whether the program has a name of an operation with TRAIT_SETS_SIZE. O(1): it is asked of each program.
bool traits_name_size_setter(const shape_graph *graph);
// "mhlo" or "stablehlo", as the first operation of the HLO dialects is, for new operations. NULL: there is none.
const char *traits_hlo_dialect(const shape_graph *graph);

#endif
