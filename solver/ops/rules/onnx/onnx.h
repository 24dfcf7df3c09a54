// SPDX-License-Identifier: Apache-2.0
// Rules of ONNX operators, and what they share: types of results, axes counted from the end, optional operands.
#ifndef SHAPE_OPS_RULES_ONNX_ONNX_H
#define SHAPE_OPS_RULES_ONNX_ONNX_H

#include "solver/ops/op.h"

// ONNX declares few types, so element types are inferred too. The signature of a row has one mark per result, the last
// one for all that follow:
//   0..9  the element type of that operand          b i f s  bool, int64, float, string
//   j u   int32, uint8      o z  the attributes output_datatype, stash_type
//   @     the attribute dtype or to (absent: float; =: absent, as the first operand)
//   ~  as the rule sets it (rule_onnx_type)       -  nothing is known
// Called before the rule; a declared type stays, and a conflict with the inferred one is an error.
void onnx_result_types(rule_context *c);
void onnx_check_sizes(rule_context *c);  // after it: dims fit 64 bits
void onnx_check_operands(
    rule_context *c);  // and operands of com.microsoft fit together (operands.c)
// Sets the element type of a result whose type is not declared; an error when the declared one differs.
void onnx_set_dtype(rule_context *c, uint32_t result, shape_dtype dtype);

// Whether operand i is given (an optional one may be absent: beyond the list, or "").
static inline bool onnx_has(const rule_context *c, uint32_t i) {
  return graph_operand(c->graph, c->op, i) != VALUE_NONE;
}
// An attribute that is an integer, or `otherwise`.
int64_t onnx_int(rule_context *c, const char *name, int64_t otherwise);
// Brings an axis into 0..rank-1; false (after an error) when it is out of -rank..rank-1.
bool onnx_axis(rule_context *c, int64_t axis, uint32_t rank, uint32_t *out);
// bcast(a, b) under its guard: the size of two dimensions broadcast together (ONNX, "Broadcasting").
term_id onnx_broadcast_size(rule_context *c, term_id a, term_id b);
// Right-aligned broadcast of shapes; the result's rank is the larger. False when a rank is not known.
bool onnx_broadcast_dims(rule_context *c, const value_info *const *shapes, uint32_t count,
                         term_id **dims, uint32_t *rank);

// Axes from the attribute `axes`, or from operand `operand` (not 0). False where they are absent or not constants.
bool onnx_axes(rule_context *c, uint32_t operand, const int64_t **axes, uint32_t *count);
// set[axis] = 1 for each; false after an error (out of range, or twice).
bool onnx_axis_set(rule_context *c, const int64_t *axes, uint32_t count, uint32_t rank,
                   uint8_t *set);

// TensorProto.DataType by its number.
shape_dtype onnx_dtype_of(int64_t number);
const value_info *onnx_result(const rule_context *c, uint32_t i);
// All results unknown for now; answers RULE_AGAIN.
rule_status onnx_unknown(rule_context *c);
// Gives an operand of unknown rank that rank; false after an error where it is known and differs.
bool onnx_rank(rule_context *c, uint32_t operand, uint32_t rank);
// The size of an earlier visit, or a fresh one.
term_id onnx_kept_size(rule_context *c, uint32_t result, uint32_t rank, uint32_t axis);
term_id *onnx_copy_dims(rule_context *c, const value_info *v);
bool onnx_constant_int(rule_context *c, term_id t, int64_t *value);
bool onnx_scalar_int(rule_context *c, uint32_t operand, int64_t *value);
bool onnx_text_is(rule_context *c, const char *name, const char *otherwise, const char *value);
const graph_attr *onnx_constant_attr(rule_context *c, uint32_t operand);
void onnx_set_type(rule_context *c, uint32_t result, type_id type);
type_id onnx_value_type(rule_context *c, value_id v);

// --- require.c: requirements on integers that an operand holds, left unchecked where they are not known
#define ONNX_NO_RANK   "a rank is not known"
#define ONNX_NO_VALUES "the values are known at run time only"
#define ONNX_NO_LENGTH "the length is known at run time only"
// The number of entries of a vector, 1 for a scalar; an operand of unknown rank is a vector. TERM_NONE after an error.
term_id onnx_vector_length(rule_context *c, uint32_t operand);
void onnx_require_length(rule_context *c, uint32_t operand, term_id length, const char *what);
// How many elements a sequence has belongs to a run, not to its type: where the operation may not run, a length that
// does not fit is not an error, and its region cannot run.
void onnx_require_of_length(rule_context *c, predicate p, const char *what);
void onnx_require_one(rule_context *c, uint32_t operand, const char *what);  // it holds one element
// Its entries are axes of a tensor of that rank, each given once.
void onnx_require_axes(rule_context *c, uint32_t operand, uint32_t rank);
// Whether the program imports an older version; one that imports none is of the newest.
static inline bool onnx_is_before(const rule_context *c, uint32_t version) {
  return c->graph->onnx_opset && c->graph->onnx_opset < version;
}
// Each dim of `v`, aligned at the end, is that of `to` or 1; an error where it has more axes.
void onnx_require_broadcasts(rule_context *c, const value_info *v, const term_id *to, uint32_t rank,
                             const char *what);
// What the operands from `first` on need, where one is given, is left unchecked.
void onnx_leave_operands(rule_context *c, uint32_t first);
// An operand that is given has these dims.
void onnx_require_dims(rule_context *c, uint32_t operand, const term_id *dims, uint32_t rank,
                       const char *what);
void onnx_require_not_zero(rule_context *c, uint32_t operand, const char *what);
// Entries from, from + step, ... of the indices are in -size..size-1.
void onnx_require_indices(rule_context *c, const value_info *at, uint32_t from, uint32_t step,
                          term_id size, const char *what);

// --- matmul.c: shared with PyTorch's operators
// Sets result 0 to NumPy's matmul of two shapes; false where a rank is not known, or after an error.
bool onnx_multiply(rule_context *c, const value_info *a, const value_info *b);
// Of the shapes `parts`, or of the operands where it is NULL. equation NULL: unknown.
rule_status onnx_einsum(rule_context *c, const char *equation, const value_info *parts,
                        uint32_t count);

// Types of sequences and optionals (sequence.c). The element's type, or TYPE_NONE for any other.
type_id onnx_element_type(rule_context *c, type_id id);
type_id onnx_wrap_type(rule_context *c, uint32_t kind, type_id element);
type_id onnx_join_types(rule_context *c, type_id a, type_id b);  // what holds of both
type_id onnx_type_of_value(rule_context *c, value_id v);
void onnx_value_of_type(rule_context *c, type_id id, value_info *out);

// Cast from floats to integers, of shapes that are computed in floats (float.c).
void onnx_cast_float(rule_context *c);
// Cast of a scalar float that is a known number to i1.
void onnx_cast_bool(rule_context *c);
term_id onnx_float_range(rule_context *c);                     // how many; TERM_NONE: not known
bool onnx_float_is_number(rule_context *c, uint32_t operand);  // one float that is known
bool onnx_float_is_zero(rule_context *c, uint32_t operand);    // a float that is known to be 0
term_id onnx_float_size(rule_context *c, uint32_t operand);    // a float that holds a size
rule_function rule_onnx_constant, rule_onnx_round;
// --- elementwise.c: param MATH_* or COMPARE_*
rule_function rule_onnx_broadcast, rule_onnx_mod, rule_onnx_compare, rule_onnx_where,
    rule_onnx_cast, rule_onnx_like;
// --- shape.c: param FORM_STATIC: by attribute, FORM_DYNAMIC: by operand
rule_function rule_onnx_shape_of, rule_onnx_size, rule_onnx_reshape, rule_onnx_flatten,
    rule_onnx_squeeze, rule_onnx_unsqueeze, rule_onnx_expand, rule_onnx_constant_of_shape,
    rule_onnx_range, rule_onnx_tile;
// Parameters of rule_onnx_like: what the other operands need. LIKE_LOOSE: something that is left unchecked.
enum { LIKE_ANY, LIKE_SAME, LIKE_LOOSE };
// Parameters of rule_onnx_conv and rule_onnx_conv_transpose, and of rule_onnx_round.
enum { CONV_PLAIN, CONV_INTEGER, CONV_QLINEAR, CONV_DEFORM, CONV_DYNAMIC_PADS };
enum { RECURRENT_TURNED = 8 };  // beside the number: rows of the weights are columns
enum { ROUND_FLOOR, ROUND_CEIL, ROUND_EVEN };

// --- move.c: param FORM_STATIC or FORM_DYNAMIC for Split, Slice, Pad
rule_function rule_onnx_transpose, rule_onnx_concat, rule_onnx_split, rule_onnx_slice,
    rule_onnx_pad, rule_onnx_gather;

// --- reduce.c, matmul.c, conv.c, norm.c, index.c, image.c
rule_function rule_onnx_reduce, rule_onnx_arg, rule_onnx_top_k, rule_onnx_axis_like,
    rule_onnx_cumulative, rule_onnx_matmul, rule_onnx_fused_matmul, rule_onnx_gemm, rule_onnx_det,
    rule_onnx_einsum, rule_onnx_conv, rule_onnx_conv_transpose, rule_onnx_pool,
    rule_onnx_global_pool, rule_onnx_max_unpool, rule_onnx_batch_norm, rule_onnx_channel_norm,
    rule_onnx_group_norm, rule_onnx_layer_norm, rule_onnx_prelu, rule_onnx_recurrent,
    rule_onnx_loss, rule_onnx_quantize, rule_onnx_dequantize, rule_onnx_dynamic_quantize,
    rule_onnx_optimizer, rule_onnx_gradient, rule_onnx_gather_elements, rule_onnx_gather_nd,
    rule_onnx_scatter_elements, rule_onnx_scatter_nd, rule_onnx_tensor_scatter, rule_onnx_non_zero,
    rule_onnx_unique, rule_onnx_compress, rule_onnx_one_hot, rule_onnx_reverse_sequence,
    rule_onnx_trilu, rule_onnx_upsample, rule_onnx_resize, rule_onnx_grid_sample,
    rule_onnx_affine_grid, rule_onnx_roi_align, rule_onnx_roi_pool, rule_onnx_nms,
    rule_onnx_depth_to_space, rule_onnx_space_to_depth;

// --- sequence.c
rule_function rule_onnx_sequence_construct, rule_onnx_sequence_empty, rule_onnx_sequence_erase,
    rule_onnx_sequence_insert, rule_onnx_sequence_at, rule_onnx_sequence_length, rule_onnx_optional,
    rule_onnx_optional_get, rule_onnx_scalar, rule_onnx_identity, rule_onnx_split_to_sequence,
    rule_onnx_concat_from_sequence, rule_onnx_control, rule_onnx_if;

// --- misc.c
rule_function rule_onnx_clip, rule_onnx_bit_cast, rule_onnx_fill, rule_onnx_random,
    rule_onnx_multinomial, rule_onnx_eye_like, rule_onnx_string_normalizer, rule_onnx_string_split,
    rule_onnx_tf_idf, rule_onnx_tile_axis, rule_onnx_center_crop_pad, rule_onnx_crop,
    rule_onnx_image_decoder, rule_onnx_col2im, rule_onnx_causal_conv, rule_onnx_swiglu;

// --- attention.c, signal.c, ml.c
rule_function rule_onnx_attention, rule_onnx_linear_attention, rule_onnx_rotary,
    rule_onnx_ms_longformer, rule_onnx_ms_embed, rule_onnx_ms_qlinear_binary, rule_onnx_dft,
    rule_onnx_stft, rule_onnx_mel_matrix, rule_onnx_window_function, rule_onnx_feature_extractor,
    rule_onnx_category_mapper, rule_onnx_label_encoder, rule_onnx_classifier, rule_onnx_regressor,
    rule_onnx_scaler, rule_onnx_one_hot_encoder, rule_onnx_zip_map, rule_onnx_feature_vectorizer,
    rule_onnx_ml_unknown;

// --- operands.c: by a table of shapes
rule_function rule_onnx_ms_shapes;
// --- contrib.c; rule_onnx_ms_pool is in conv.c, param 1: the channels are the last axis
rule_function rule_onnx_ms_qgemm, rule_onnx_ms_qlinear_where, rule_onnx_ms_qlinear_concat,
    rule_onnx_ms_global_pool, rule_onnx_ms_pool, rule_onnx_ms_gather_block, rule_onnx_ms_unfold;

#endif
