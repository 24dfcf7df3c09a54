// SPDX-License-Identifier: Apache-2.0
// Every rule that the tables of operations name, and the parameters that the tables pass.
#ifndef SHAPE_OPS_RULES_COMMON_RULES_H
#define SHAPE_OPS_RULES_COMMON_RULES_H

#include "solver/ops/op.h"
#include "solver/ops/rules/common/pending.h"

// Parameters of rule_unary, rule_binary and of everything else that computes integer elements.
typedef enum math_op {
  MATH_NONE,  // dims only: floating point, or a function that no shape computation uses
  MATH_ADD,
  MATH_SUB,
  MATH_MUL,
  MATH_DIV,       // truncating, signed or unsigned by the element type
  MATH_REM,       // with the sign of the dividend
  MATH_FLOORDIV,  // arith.floordivsi, shape.div
  MATH_CEILDIV,   // arith.ceildivsi
  MATH_DIV_U,     // arith.divui: operands read as unsigned
  MATH_REM_U,
  MATH_CEILDIV_U,
  MATH_MAX,
  MATH_MIN,
  MATH_MAX_U,
  MATH_MIN_U,
  MATH_POW,
  MATH_AND,
  MATH_OR,
  MATH_XOR,
  MATH_SHL,
  MATH_SHR_A,
  MATH_SHR_L,
  MATH_NEG,
  MATH_ABS,
  MATH_SIGN,
  MATH_NOT,
  MATH_POPCNT,
  MATH_CLZ,
  MATH_IDENTITY
} math_op;

// Parameters of rule_compare: 0 reads the attribute comparison_direction.
typedef enum compare_op {
  COMPARE_ATTR,
  COMPARE_EQ,
  COMPARE_NE,
  COMPARE_LT,
  COMPARE_LE,
  COMPARE_GT,
  COMPARE_GE
} compare_op;

// Parameters of rule_convert: arith reads the bits of its operand, StableHLO its value (to i1: whether it is not 0).
// CONVERT_EXACT: the types have the same dims, `?` for `?`.
enum {
  CONVERT_VALUE,
  CONVERT_SIGN_EXTEND,
  CONVERT_ZERO_EXTEND,
  CONVERT_TRUNCATE,
  CONVERT_EXACT = 8
};

// Parameters of rule_concatenate: the name of its axis is `dimension` or `dim`.
enum { CONCATENATE_DIMENSION, CONCATENATE_DIM };

// Where a rule reads its dims from.
enum { FORM_STATIC = 0, FORM_DYNAMIC = 1, FORM_PAIRS = 2 };

// Parameters of rule_collective.
typedef enum collective_op {
  COLLECTIVE_ALL_GATHER,
  COLLECTIVE_ALL_REDUCE,
  COLLECTIVE_ALL_TO_ALL,
  COLLECTIVE_REDUCE_SCATTER,
  COLLECTIVE_BROADCAST,
  COLLECTIVE_PERMUTE,
  COLLECTIVE_REDUCE,
  COLLECTIVE_REPLICA_ID  // and partition_id: scalars
} collective_op;

enum { BATCH_NORM_TRAINING, BATCH_NORM_INFERENCE, BATCH_NORM_GRAD };
enum { PARAM_SEND, PARAM_RECV };
enum { PARAM_INFEED, PARAM_OUTFEED };
enum { EINSUM_BINARY, EINSUM_UNARY };
enum { PARAM_QUANTIZE, PARAM_DEQUANTIZE };

// Parameters of rule_extent (shape/extent.c): shape.*, tensor.*.
typedef enum extent_op {
  EXTENT_SHAPE_OF,
  EXTENT_DIM,  // tensor.dim, shape.dim: operand 0 a tensor, operand 1 the axis
  EXTENT_GET,  // shape.get_extent: operand 0 a shape
  EXTENT_NUM_ELEMENTS,
  EXTENT_CONST_SHAPE,
  EXTENT_CONST_SIZE,
  EXTENT_CONST_WITNESS,
  EXTENT_FROM,  // shape.from_extents, tensor.from_elements
  EXTENT_SAME,  // to_extent_tensor, from_extent_tensor, size_to_index, index_to_size: elements unchanged
  EXTENT_BROADCAST,
  EXTENT_CONCAT,
  EXTENT_CSTR_BROADCASTABLE,
  EXTENT_IS_BROADCASTABLE,
  EXTENT_CSTR_EQ,
  EXTENT_SHAPE_EQ,
  EXTENT_CSTR_REQUIRE,
  EXTENT_ASSUMING_ALL,
  EXTENT_RANK,
  EXTENT_SPLIT_AT,
  EXTENT_ANY,
  EXTENT_MEET,
  EXTENT_VALUE_AS_SHAPE,
  EXTENT_VALUE_OF,
  EXTENT_WITH_SHAPE,
  EXTENT_EXTRACT,     // tensor.extract
  EXTENT_CAST,        // tensor.cast
  EXTENT_UNREALIZED,  // builtin.unrealized_conversion_cast
  EXTENT_SPLAT,
  EXTENT_EMPTY,
  EXTENT_GENERATE,
  EXTENT_COLLAPSE,
  EXTENT_EXPAND,
  EXTENT_TENSOR_RANK
} extent_op;

// kDiscSymbolicDimAttr = [@S0, @C4]: the names of the dims of a value, where its type has none (BladeDISC,
// disc_shape_optimization.cc); of an operation that has the attribute.
void rule_tie_symbols(rule_context *c, const value_info *value);
// Parameters of rule_disc_shape.
typedef enum disc_op {
  DISC_SYMBOLIC_DIM,
  DISC_DIM,
  DISC_TIE_SHAPE,
  DISC_TIE_PRODUCT_EQUAL,
  DISC_LINEARIZE,
  DISC_DELINEARIZE,
  DISC_TIE_EQ,
  DISC_TIE_DIVISIBLE,
  DISC_TIE_LT,
  DISC_TIE_MUL_EQ,
  DISC_TIE_GROUP_MUL_EQ,
  DISC_TIE_AFFINE_EQ,
  DISC_BIND_DIM,
  DISC_TIE_LE,
  DISC_TIE_NE,
  DISC_TIE_TEXT
} disc_op;

// control.c: the checks of operations whose regions infer follows.
enum {
  CONTROL_WHILE,
  CONTROL_SCF_WHILE,  // its condition hands values on
  CONTROL_IF,
  CONTROL_CASE,
  CONTROL_CALL,
  CONTROL_COMPOSITE,
  CONTROL_RETURN,
  CONTROL_ASSUMING,
  CONTROL_CLUSTER,  // CHLO, rank_specialization_cluster: its region takes the operands
  CONTROL_NONE,
  CONTROL_AFFINE_IF,  // affine.if: its condition is a set
  CONTROL_LMHLO_WHILE,
  CONTROL_PRIM_LOOP  // torch.prim.Loop: as ONNX's Loop, without what a trip makes
};

rule_function rule_unknown, rule_torch_loop;

// --- elementwise.c
rule_function rule_unary, rule_binary, rule_compare, rule_select, rule_clamp, rule_convert,
    rule_complex_part, rule_make_complex, rule_is_finite, rule_reduce_precision, rule_identity;
compare_op compare_direction(rule_context *c, bool *is_unsigned);  // COMPARE_ATTR: not known
// --- constant.c
// An element of an attribute, which holds 64 bits of each, sign-extended: those of ui64 wrap (attr.h).
term_id rule_element_term(rule_context *c, shape_dtype dtype, int64_t value);
rule_function rule_constant, rule_iota, rule_constant_like;
// --- stablehlo/reshape.c
rule_function rule_reshape, rule_compute_reshape_shape, rule_cstr_reshapable,
    rule_minimum_broadcast_shapes;
// --- stablehlo/broadcast.c
rule_function rule_broadcast, rule_broadcast_in_dim, rule_chlo_binary, rule_chlo_compare,
    rule_chlo_select;
// Two dims that are broadcast together, made canonical: the result where they are equal or one of them is 1. TERM_NONE: that
// is not proven, and `is_one` is what is known of each.
term_id broadcast_settled(rule_context *c, term_id *a, term_id *b, shape_answer is_one[2]);
// The size that two broadcast together give (chlo, shape.broadcast); what they require is stated.
term_id broadcast_pair(rule_context *c, term_id a, term_id b, bool *undecided, const char *what);
// --- stablehlo/concatenate.c, transpose.c, slice.c, indexing.c, pad.c
rule_function rule_concatenate, rule_transpose, rule_slice, rule_real_dynamic_slice,
    rule_dynamic_slice, rule_dynamic_update_slice, rule_pad;
// Elements of a slice with constant starts and strides (NULL: 1), for a result of constant shape.
void slice_elements(rule_context *c, const term_id *starts, const term_id *strides);
// --- shape/tensor.c
rule_function rule_extract_slice, rule_insert;
void expand_sizes(rule_context *c);
// --- stablehlo/size_of.c, shape/extent.c
rule_function rule_get_dimension_size, rule_set_dimension_size;
rule_function rule_extent;
// --- stablehlo/custom_call.c, shape/disc_shape.c, stablehlo/tuple.c, stablehlo/control.c
// Whether the declared types are all that is known of the results of this custom call.
bool custom_call_says_nothing(const shape_graph *g, op_id op);
// stablehlo/dynamic_call.c: custom calls of operations that have no dynamic form of their own.
typedef enum dynamic_call {
  DYNAMIC_CALL_NONE,
  DYNAMIC_CALL_WINDOW,  // inputs, inits, then DYNAMIC_WINDOW_LISTS lists
  DYNAMIC_CALL_RANDOM,  // state, shape
  DYNAMIC_CALL_TOP_K    // operand, k
} dynamic_call;
enum { DYNAMIC_WINDOW_LISTS = 5 };
dynamic_call dynamic_call_of(const shape_graph *g, op_id op);
void rule_dynamic_call(rule_context *c);
rule_function rule_custom_call, rule_disc_shape, rule_tuple, rule_get_tuple_element,
    rule_optimization_barrier, rule_async_done, rule_token, rule_control, rule_assert;
void map_axes_all(rule_context *c);  // map: `dimensions` has all axes of operand 0 in order
bool sort_axis_inside(
    rule_context *c);  // sort: its dimension is an axis of operand 0; else reported
// --- the structured families, one file each in stablehlo/
rule_function rule_reduce, rule_reduce_window, rule_select_and_scatter, rule_dot, rule_dot_general,
    rule_convolution, rule_gather, rule_scatter, rule_sort, rule_reverse, rule_map, rule_rng,
    rule_rng_bit_generator, rule_fft, rule_cholesky, rule_triangular_solve, rule_batch_norm,
    rule_batch_norm_buffers, rule_collective, rule_send_recv, rule_infeed_outfeed, rule_einsum,
    rule_torch_index_select, rule_top_k, rule_bitcast_convert, rule_uniform_quantize,
    rule_ragged_dot, rule_scan;

// --- shape_math.c: integer elements as terms, for any rule. TERM_NONE: not known. dtype is that of the operands and of
// the result; constants wrap as it wraps, symbolic results assume (and say so) that they do not overflow.
term_id math_unary(rule_context *c, math_op op, shape_dtype dtype, term_id a);
term_id math_binary(rule_context *c, math_op op, shape_dtype dtype, term_id a, term_id b);
term_id math_compare(rule_context *c, compare_op op, term_id a,
                     term_id b);  // 0 or 1, decided by the store where it can
term_id math_select(rule_context *c, term_id condition, term_id a, term_id b);
term_id math_convert(rule_context *c, uint32_t how, shape_dtype from, shape_dtype to, term_id a);
// An exact result as an element of a type: wrapped, or assumed to fit. TERM_NONE where neither is right.
term_id math_fit(rule_context *c, shape_dtype dtype, term_id a);
// Two's complement: the value that the type keeps of an exact integer.
num math_wrap(rule_context *c, shape_dtype dtype, num value);
bool math_range(shape_budget *b, shape_dtype dtype, interval *out);  // false: not an integer type
// Cheap facts about a term under what the store knows.
bool math_is_nonnegative(rule_context *c, term_id a);
bool math_is_positive(rule_context *c, term_id a);
term_id math_min(rule_context *c, term_id a, term_id b);  // min and max of exact integers
term_id math_max(rule_context *c, term_id a, term_id b);
// Quotient of exact integers, rounded to minus infinity; the divisor is known to be > 0.
term_id math_ceildiv(rule_context *c, term_id a, term_id b);

// --- elements.c: how elements move. Elements are in row-major order; dims must be constants.
// Constant dims of v into out[rank]; false when one is not known or the product is over VALUE_MAX_ELEMENTS.
enum { ELEMENTS_MAX_RANK = 64 };  // room for `out`
bool elements_shape(rule_context *c, const value_info *v, int64_t *out, uint32_t *total);
// Elements that become dims: each is required to be >= 0 (a run with a negative one ends in a shape error). An element
// that is not known gets a fresh size. The result lives in the arena.
const term_id *elements_as_sizes(rule_context *c, const term_id *elements, uint32_t count,
                                 const char *what);
// Whether a rule may compute that many elements. Few are always affordable; beyond ELEMENTS_FEW they count against an
// allowance of the whole run, so that a program full of integer constants and masks costs what any other does.
enum { ELEMENTS_FEW = 64, ELEMENTS_ALLOWANCE = 1 << 20 };
bool elements_afford(rule_context *c, uint32_t count);
void elements_strides(const int64_t *shape, uint32_t rank, int64_t *strides);
bool elements_next(int64_t *index, const int64_t *shape,
                   uint32_t rank);  // the next index; false after the last

#endif
