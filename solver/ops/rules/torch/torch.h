// SPDX-License-Identifier: Apache-2.0
// Rules of PyTorch's operators, and what they share. Operands are looked up by the names that native_functions.yaml gives
// them (op_row.parameters); one that is left out, or None, has the default that the caller names. Lists are values whose
// parts are their elements; an integer is a scalar with one element.
#ifndef SHAPE_OPS_RULES_TORCH_TORCH_H
#define SHAPE_OPS_RULES_TORCH_TORCH_H

#include "solver/ops/op.h"

// --- args.c
// Index of an operand by its name; UINT32_MAX where the row has none of that name.
uint32_t torch_at(const rule_context *c, const char *name);
// Whether it is given and not None.
bool torch_has(const rule_context *c, const char *name);
// What is known of it; nothing where it is not given.
const value_info *torch_arg(const rule_context *c, const char *name);
bool torch_is_tensor(const rule_context *c, uint32_t operand);  // not a number, None, or a list
// Its integer as a term; TERM_NONE where it is not given or not known.
term_id torch_int(const rule_context *c, const char *name);
// A constant, or `otherwise` where it is not given; false where it is not constant.
bool torch_const(const rule_context *c, const char *name, int64_t otherwise, int64_t *out);
// A boolean; where it is not constant *known is cleared.
bool torch_flag(const rule_context *c, const char *name, bool otherwise, bool *known);
// A constant number of any kind, from the operation that makes it.
bool torch_real(const rule_context *c, const char *name, double *out);
const char *torch_text(const rule_context *c, const char *name);  // a constant string, or NULL
op_id torch_definition(const rule_context *c, uint32_t operand);  // through casts; or ID_NONE

typedef struct torch_ints {
  const term_id *items;  // TERM_NONE: not known
  uint32_t count;
} torch_ints;
// Elements of a list of integers; an integer is a list of one. False where the length is not known, or it is not given.
bool torch_list(const rule_context *c, const char *name, torch_ints *out);
// Parts of a list; NULL where they are not known.
const value_info *torch_parts(const rule_context *c, const char *name, uint32_t *count);
// An axis brought into 0..rank-1; false after an error, or where it is not constant.
bool torch_axis(rule_context *c, const char *name, int64_t otherwise, uint32_t rank, uint32_t *out);
// set[axis] = 1 for each; none or an empty list sets all where `all`. False after an error, or where they are not known.
bool torch_axis_set(rule_context *c, const char *name, uint32_t rank, bool all, uint8_t *set);
bool torch_wrap(rule_context *c, int64_t axis, uint32_t rank, uint32_t *out);
bool torch_constant(const rule_context *c, term_id t, int64_t *out);
// Entries of a list per axis: one is for all; an empty list is `otherwise`. NULL where they are not constant, and
// after an error where they are not as many, or below `least`.
const int64_t *torch_per_axis(rule_context *c, const char *name, uint32_t axes, int64_t otherwise,
                              int64_t least);

// --- results
rule_status torch_unknown(rule_context *c);  // all results; what is required is left unchecked
void torch_set_int(rule_context *c, uint32_t result, term_id value);  // TERM_NONE: fresh
// Marks the lists that an operator changes where they are, with the first one that is set. O(operations) where there is
// such an operator.
void torch_set_list(rule_context *c, uint32_t result, const value_info *parts, uint32_t count);
value_info torch_int_value(rule_context *c, term_id value);
term_id torch_numel(rule_context *c, const value_info *v);
term_id *torch_dims(rule_context *c, const value_info *v, uint32_t more);  // a copy with room
bool torch_rank(rule_context *c, const char *name,
                uint32_t rank);  // needs it; false after an error
void torch_require_rank(rule_context *c, const value_info *v, uint32_t least, uint32_t most);
void torch_require_same(rule_context *c, const value_info *a, const value_info *b,
                        const char *what);
// The dim of two broadcast together, under torch.assume_strict_symbolic_shapes where the function has it.
bool torch_broadcast(rule_context *c, const value_info *const *shapes, uint32_t count,
                     value_info *out);
bool torch_is_strict(const rule_context *c);
bool torch_min_rank(rule_context *c, const value_info *v, uint32_t least);  // or an error
void torch_drop_axis(const value_info *v, uint32_t axis, term_id *dims);
#define TORCH_NOT_KNOWN "it is known at run time only"
#define TORCH_INDICES   "the indices are within the axis"

// --- split.c: part `index` of what split, chunk, unbind and their kin give; count 0: how many is not known.
bool torch_split_part(rule_context *c, op_id op, uint32_t index, uint32_t count, value_info *out);

enum {  // parameters of rule_torch_integer
  INTEGER_ADD,
  INTEGER_SUB,
  INTEGER_MUL,
  INTEGER_NEG,
  INTEGER_FLOORDIV,
  INTEGER_MOD,
  INTEGER_TRUEDIV,
  INTEGER_POW,
  INTEGER_MAX,
  INTEGER_MIN,
  INTEGER_ABS,
  INTEGER_EQ,
  INTEGER_NE,
  INTEGER_LT,
  INTEGER_LE,
  INTEGER_GT,
  INTEGER_GE,
  INTEGER_NOT,
  INTEGER_AND,
  INTEGER_OR,
  INTEGER_SHL,
  INTEGER_SHR,
  INTEGER_ITE,
  INTEGER_FLOOR,
  INTEGER_CEIL,
  INTEGER_TRUNC,
  INTEGER_SUM,
  INTEGER_NONZERO
};
enum { CONSTANT_NUMBER, CONSTANT_NONE, CONSTANT_OTHER, CONSTANT_LITERAL };
enum { SIZE_INT, SIZE_LIST, SIZE_RANK, SIZE_NUMEL, SIZE_LENGTH };
enum { ASSERT_TRUE, ASSERT_RANGE, ASSERT_SIZE_RANGE, ASSERT_METADATA, ASSERT_IS_SIZE };
// rule_torch_broadcast: which operands are broadcast together, as bits; BROADCAST_INTO: the result has self's dims;
// BROADCAST_COUNT: how many elements the mask chooses is known at run time; BROADCAST_SAME: they have one shape
enum {
  FIRST = 1,
  SECOND = 2,
  THIRD = 4,
  SIXTH = 8,
  BROADCAST_INTO = 16,
  BROADCAST_COUNT = 32,
  BROADCAST_SAME = 64
};
#define BROADCAST_MATH(op) ((uint32_t)(op) << 8)  // what becomes of tracked integers
enum { SHAPE_VIEW, SHAPE_AS };
enum {
  REDUCE_SOME,
  REDUCE_NOT_EMPTY = 1,
  REDUCE_ALL = 2,
  REDUCE_ONE = 4,
  REDUCE_K = 8,
  REDUCE_NONE = 16,
  REDUCE_ELEMENTS = 32  // there is an element, whatever the axis
};
enum { JOIN_CAT, JOIN_STACK, JOIN_HSTACK, JOIN_VSTACK, JOIN_DSTACK, JOIN_COLUMNS };
enum { SPLIT_EVEN, SPLIT_SIZES, SPLIT_CHUNK, SPLIT_UNBIND, SPLIT_SECTIONS };
enum { CONV_PLAIN_N, CONV_FULL, CONV_TRANSPOSED, CONV_PADDING };
enum { PAD_CONSTANT, PAD_REFLECT, PAD_REPLICATE, PAD_MODE };
enum {
  PATTERN_MM,
  PATTERN_BMM,
  PATTERN_MV,
  PATTERN_DOT,
  PATTERN_OUTER,
  PATTERN_ADDMM,
  PATTERN_BADDBMM,
  PATTERN_ADDBMM,
  PATTERN_ADDMV,
  PATTERN_ADDR
};
enum { FFT_SAME, FFT_REAL, FFT_INVERSE_REAL };
enum { CREATE_SIZE, CREATE_N, CREATE_EYE, CREATE_TRI, CREATE_TRIU };

rule_function rule_torch_constant, rule_torch_list, rule_torch_unpack, rule_torch_item,
    rule_torch_integer, rule_torch_size, rule_torch_same, rule_torch_like, rule_torch_to_scalar,
    rule_torch_from_scalar, rule_torch_symbol, rule_torch_bind, rule_torch_export_bind,
    rule_torch_assert, rule_torch_list_op, rule_torch_is, rule_torch_fresh, rule_torch_unsure;
rule_function rule_torch_broadcast, rule_torch_copy, rule_torch_masked_select, rule_torch_nonzero,
    rule_torch_loss, rule_torch_glu;
rule_function rule_torch_reduce, rule_torch_axis_like, rule_torch_roll, rule_torch_prelu,
    rule_torch_like_second;
rule_function rule_torch_put, rule_torch_view, rule_torch_view_dtype, rule_torch_flatten,
    rule_torch_unflatten, rule_torch_squeeze, rule_torch_unsqueeze, rule_torch_transpose,
    rule_torch_permute, rule_torch_movedim, rule_torch_expand, rule_torch_repeat,
    rule_torch_repeat_interleave, rule_torch_atleast, rule_torch_reverse_axes,
    rule_torch_matrix_transpose, rule_torch_broadcast_tensors, rule_torch_as_strided;
rule_function rule_torch_slice, rule_torch_narrow, rule_torch_select, rule_torch_scatter_slice,
    rule_torch_diagonal, rule_torch_diag_embed, rule_torch_diag, rule_torch_unfold,
    rule_torch_split, rule_torch_rot90, rule_torch_trace;
rule_function rule_torch_join, rule_torch_block_diag, rule_torch_meshgrid, rule_torch_cartesian;
rule_function rule_torch_matmul, rule_torch_pattern, rule_torch_linear, rule_torch_einsum,
    rule_torch_tensordot, rule_torch_kron, rule_torch_cross, rule_torch_cdist, rule_torch_distance,
    rule_torch_attention, rule_torch_square, rule_torch_inner, rule_torch_bilinear;
rule_function rule_torch_conv, rule_torch_pool, rule_torch_adaptive_pool, rule_torch_upsample,
    rule_torch_pad, rule_torch_pixel_shuffle, rule_torch_im2col, rule_torch_col2im,
    rule_torch_grid_sampler, rule_torch_affine_grid, rule_torch_channels;
rule_function rule_torch_batch_norm, rule_torch_layer_norm, rule_torch_group_norm,
    rule_torch_embedding, rule_torch_embedding_bag, rule_torch_select_index, rule_torch_index,
    rule_torch_index_put, rule_torch_index_add, rule_torch_gather, rule_torch_scatter,
    rule_torch_take, rule_torch_topk, rule_torch_one_hot, rule_torch_searchsorted,
    rule_torch_unique, rule_torch_nll_loss;
rule_function rule_torch_create, rule_torch_arange, rule_torch_multinomial, rule_torch_histc;
rule_function rule_torch_fft, rule_torch_fft_raw, rule_torch_fft_all, rule_torch_complex_view,
    rule_torch_diff, rule_torch_stft, rule_torch_trapezoid, rule_torch_combinations,
    rule_torch_recurrent;

#endif
