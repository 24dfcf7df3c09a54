// SPDX-License-Identifier: Apache-2.0
// ONNX operators that fit no family: Clip, random tensors, strings, images from bytes, patches.
#include <assert.h>

#include "solver/ops/rules/onnx/onnx.h"
#include "solver/ops/rules/common/rules.h"

// ONNX: Clip (11: bounds are operands): small integers are followed.
rule_status rule_onnx_clip(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  uint32_t low_count, high_count;
  rule_set_dims_like(c, 0, in);
  if (!in->elements || !dtype_is_integer(rule_operand_dtype(c, 0)))
    return in->ranked ? RULE_DONE : RULE_AGAIN;
  const term_id *low = onnx_has(c, 1) ? rule_elements(c, 1, &low_count) : NULL;
  const term_id *high = onnx_has(c, 2) ? rule_elements(c, 2, &high_count) : NULL;
  if ((onnx_has(c, 1) && (!low || low_count != 1 || low[0] == TERM_NONE)) ||
      (onnx_has(c, 2) && (!high || high_count != 1 || high[0] == TERM_NONE)))
    return RULE_DONE;
  term_id *out = arena_alloc(c->arena, (in->element_count + 1) * sizeof *out);
  for (uint32_t i = 0; i < in->element_count; i++) {
    out[i] = in->elements[i];
    if (out[i] != TERM_NONE && low) out[i] = math_max(c, out[i], low[0]);
    if (out[i] != TERM_NONE && high) out[i] = math_min(c, out[i], high[0]);
  }
  rule_set_elements(c, 0, out, in->element_count);
  return RULE_DONE;
}

// The width of an element in memory; 0 where it is not known. A bool of ONNX takes a byte.
static uint32_t stored_bits(shape_dtype dtype) {
  if (dtype >= DTYPE_QUANTIZED) return 0;
  return dtype == DTYPE_I1 ? 8 : dtype_bits(dtype);
}

// ONNX: BitCast: the dims stay, the widths agree.
rule_status rule_onnx_bit_cast(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  uint32_t from = stored_bits(rule_operand_dtype(c, 0)), to = stored_bits(rule_result_dtype(c, 0));
  if (from && to && from != to)
    rule_error(c, "element-type", "elements of %u bits are read as %u bits", from, to);
  rule_set_dims_like(c, 0, rule_operand(c, 0));
  return rule_operand(c, 0)->ranked ? RULE_DONE : RULE_AGAIN;
}

// ConstantFill, GivenTensorFill: the shape is an attribute, what operand 0 holds, or its shape; dims may follow.
rule_status rule_onnx_fill(rule_context *c) {
  const int64_t *given = NULL, *extra = NULL;
  const term_id *first = NULL;
  uint32_t count = 0, more = 0;
  if (rule_attr(c, "extra_shape") != ATTR_NONE && !rule_ints(c, "extra_shape", &extra, &more))
    return onnx_unknown(c);
  if (onnx_has(c, 0) && onnx_int(c, "input_as_shape", 0)) {
    const term_id *held = rule_size_elements(c, 0, &count);
    if (!held) return onnx_unknown(c);
    first = elements_as_sizes(c, held, count, "a dim is >= 0");
  } else if (onnx_has(c, 0)) {
    if (!rule_operand(c, 0)->ranked) return onnx_unknown(c);
    first = rule_operand(c, 0)->dims;
    count = rule_operand(c, 0)->rank;
  } else if (!rule_ints(c, "shape", &given, &count)) {
    return onnx_unknown(c);
  }
  term_id *dims = arena_alloc(c->arena, ((size_t)count + more + 1) * sizeof *dims);
  for (uint32_t i = 0; i < count + more; i++) {
    int64_t number = i >= count ? extra[i - count] : given ? given[i] : 0;
    if (number < 0) rule_error(c, "attribute", "the shape holds %lld", (long long)number);
    if (number < 0) return onnx_unknown(c);
    dims[i] = i < count && !given ? first[i] : rule_int_term(c, number);
  }
  rule_set_dims(c, 0, dims, count + more);
  return RULE_DONE;
}

// ONNX: RandomNormal, RandomUniform.
rule_status rule_onnx_random(rule_context *c) {
  const int64_t *shape;
  uint32_t count;
  if (!rule_ints(c, "shape", &shape, &count)) return onnx_unknown(c);
  term_id *dims = arena_alloc(c->arena, ((size_t)count + 1) * sizeof *dims);
  for (uint32_t i = 0; i < count; i++) {
    if (shape[i] < 0) {
      rule_error(c, "attribute", "the shape holds %lld", (long long)shape[i]);
      return onnx_unknown(c);
    }
    dims[i] = rule_int_term(c, shape[i]);
  }
  rule_set_dims(c, 0, dims, count);
  return RULE_DONE;
}

// ONNX: Multinomial: int32 where dtype is absent.
rule_status rule_onnx_multinomial(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  onnx_set_dtype(c, 0, onnx_dtype_of(onnx_int(c, "dtype", 6)));
  if (!onnx_rank(c, 0, 2) || !rule_operand(c, 0)->ranked) return onnx_unknown(c);
  term_id dims[2] = {rule_operand(c, 0)->dims[0], rule_int_term(c, onnx_int(c, "sample_size", 1))};
  rule_set_dims(c, 0, dims, 2);
  return RULE_DONE;
}

// ONNX: EyeLike: a matrix.
rule_status rule_onnx_eye_like(rule_context *c) {
  if (!onnx_rank(c, 0, 2)) return onnx_unknown(c);
  rule_set_dims_like(c, 0, rule_operand(c, 0));
  return RULE_DONE;
}

// ONNX: StringNormalizer: stop words drop strings of the last axis.
rule_status rule_onnx_string_normalizer(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  if (!in->ranked) return onnx_unknown(c);
  if (in->rank < 1 || in->rank > 2) {
    rule_error(c, "rank", "the operand has rank %u, 1 or 2 is needed", in->rank);
    return onnx_unknown(c);
  }
  const graph_attr *words = graph_attr_get(c->graph, rule_attr(c, "stopwords"));
  if (!words || !words->count) {
    // Nothing left is written as one empty string.
    term_id last = store_canon(c->store, in->dims[in->rank - 1]);
    term_id *dims = onnx_copy_dims(c, in);
    dims[in->rank - 1] = math_max(c, last, TERM_ONE);
    rule_set_dims(c, 0, dims, in->rank);
    return RULE_DONE;
  }
  term_id *dims = onnx_copy_dims(c, in);
  dims[in->rank - 1] = onnx_kept_size(c, 0, in->rank, in->rank - 1);
  rule_set_dims(c, 0, dims, in->rank);
  return RULE_DONE;
}

// ONNX: StringSplit: as many columns as the longest split has parts.
rule_status rule_onnx_string_split(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 2);
  const value_info *in = rule_operand(c, 0);
  if (!in->ranked) return onnx_unknown(c);
  term_id *dims = arena_alloc(c->arena, ((size_t)in->rank + 2) * sizeof *dims);
  for (uint32_t i = 0; i < in->rank; i++) dims[i] = in->dims[i];
  dims[in->rank] = onnx_kept_size(c, 0, in->rank + 1, in->rank);
  rule_set_dims(c, 0, dims, in->rank + 1);
  rule_set_dims_like(c, 1, in);
  return RULE_DONE;
}

// ONNX: TfIdfVectorizer: as many columns as the largest of ngram_indexes says.
rule_status rule_onnx_tf_idf(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  const int64_t *indexes;
  uint32_t count;
  int64_t most = -1;
  if (!in->ranked || !rule_ints(c, "ngram_indexes", &indexes, &count)) return onnx_unknown(c);
  if (in->rank < 1 || in->rank > 2) {
    rule_error(c, "rank", "the operand has rank %u, 1 or 2 is needed", in->rank);
    return onnx_unknown(c);
  }
  for (uint32_t i = 0; i < count; i++) most = indexes[i] > most ? indexes[i] : most;
  term_id *dims = onnx_copy_dims(c, in);
  dims[in->rank - 1] = rule_int_term(c, most + 1);
  rule_set_dims(c, 0, dims, in->rank);
  return RULE_DONE;
}

// ONNX: Tile (1): tiles copies along one axis.
rule_status rule_onnx_tile_axis(rule_context *c) {
  assert(rule_operand_count(c) >= 3 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  int64_t axis;
  uint32_t at, count;
  if (!in->ranked) return onnx_unknown(c);
  const term_id *tiles = rule_size_elements(c, 1, &count);
  term_id *dims = onnx_copy_dims(c, in);
  if (!onnx_scalar_int(c, 2, &axis) || !tiles || count != 1) {
    rule_unchecked(c, "tiles and axis are one number each, within what they count", ONNX_NO_VALUES);
    for (uint32_t i = 0; i < in->rank; i++) dims[i] = onnx_kept_size(c, 0, in->rank, i);
  } else if (onnx_axis(c, axis, in->rank, &at)) {
    tiles = elements_as_sizes(c, tiles, 1, "tiles is >= 0");
    dims[at] = term_mul(c->terms, dims[at], tiles[0]);
  }
  rule_set_dims(c, 0, dims, in->rank);
  return RULE_DONE;
}

// ONNX: CenterCropPad: the axes take the dims that operand 1 holds.
rule_status rule_onnx_center_crop_pad(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  const int64_t *axes = NULL;
  uint32_t count, n = 0;
  const term_id *sizes = rule_size_elements(c, 1, &count);
  bool given = rule_attr(c, "axes") != ATTR_NONE && rule_ints(c, "axes", &axes, &n);
  if (sizes && !given && !in->ranked) rule_assume_rank(c, 0, count);
  in = rule_operand(c, 0);
  if (!sizes) rule_unchecked(c, "there is a dim >= 0 for each axis", ONNX_NO_VALUES);
  if (!sizes || !in->ranked) return onnx_unknown(c);
  if (count != (given ? n : in->rank)) {
    rule_error(c, "attribute-length", "there are %u dims for %u axes", count, given ? n : in->rank);
    return onnx_unknown(c);
  }
  sizes = elements_as_sizes(c, sizes, count, "a dim is >= 0");
  term_id *dims = onnx_copy_dims(c, in);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t axis = k;
    if (given && !onnx_axis(c, axes[k], in->rank, &axis)) return onnx_unknown(c);
    dims[axis] = sizes[k];
  }
  rule_set_dims(c, 0, dims, in->rank);
  return RULE_DONE;
}

// ONNX Runtime: Crop: borders (left, top, right, bottom) fit into the picture; a scale (height, width) after the left
// and top ones, where it is given, is what remains.
rule_status rule_onnx_crop(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const int64_t *border, *scale = NULL;
  uint32_t count, given = 0;
  bool scaled =
      rule_attr(c, "scale") != ATTR_NONE && rule_ints(c, "scale", &scale, &given) && given;
  rule_assume_rank(c, 0, 4);
  const value_info *in = rule_operand(c, 0);
  if (in->ranked && in->rank != 4)
    rule_error(c, "rank", "the operand has rank %u, 4 is needed", in->rank);
  if (!in->ranked || in->rank != 4) return onnx_unknown(c);
  if (!rule_ints(c, "border", &border, &count) || count < 4) {
    rule_error(c, "attribute-length", "border has less than 4 numbers");
    return onnx_unknown(c);
  }
  if (scaled && given != 2) {
    rule_error(c, "attribute-length", "scale has %u numbers, height and width are needed", given);
    return onnx_unknown(c);
  }
  term_id *dims = onnx_copy_dims(c, in);
  for (uint32_t i = 0; i < 2; i++) {  // height, width
    int64_t before = border[1 - i], after = border[3 - i];
    if (before < 0 || after < 0 || (scaled && scale[i] < 0)) {
      rule_unchecked(c, "borders and scale fit into the picture", "a number is below 0");
      return onnx_unknown(c);
    }
    term_id begin = rule_int_term(c, before), whole = dims[2 + i];
    term_id rest = term_sub(c->terms, term_sub(c->terms, whole, begin), rule_int_term(c, after));
    rule_require(c, predicate_make(REL_GE, rest, TERM_ZERO), "the borders fit into the picture");
    dims[2 + i] = scaled ? rule_int_term(c, scale[i]) : rest;
    if (scaled)
      rule_require(c, predicate_make(REL_GE, whole, term_add(c->terms, begin, dims[2 + i])),
                   "the scale fits into the picture");
  }
  rule_set_dims(c, 0, dims, in->rank);
  return RULE_DONE;
}

// ONNX: ImageDecoder: height, width and channels of the picture.
rule_status rule_onnx_image_decoder(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  bool gray = onnx_text_is(c, "pixel_format", "RGB", "Grayscale");
  onnx_rank(c, 0, 1);
  term_id dims[3] = {onnx_kept_size(c, 0, 3, 0), onnx_kept_size(c, 0, 3, 1),
                     rule_int_term(c, gray ? 1 : 3)};
  rule_set_dims(c, 0, dims, 3);
  return RULE_DONE;
}

// ONNX: Col2Im: [N, C, image_shape...] of [N, C * product(block_shape), L].
rule_status rule_onnx_col2im(rule_context *c) {
  assert(rule_operand_count(c) >= 3 && rule_result_count(c) == 1);
  uint32_t axes, blocks;
  const term_id *image = rule_size_elements(c, 1, &axes),
                *block = rule_size_elements(c, 2, &blocks);
  if (!image || !block) rule_unchecked(c, "the blocks make up the image", ONNX_NO_VALUES);
  if (!onnx_rank(c, 0, 3) || !image) return onnx_unknown(c);
  image = elements_as_sizes(c, image, axes, "a dim is >= 0");
  term_id *dims = arena_alloc(c->arena, ((size_t)axes + 3) * sizeof *dims);
  dims[0] = rule_operand(c, 0)->dims[0];
  dims[1] = onnx_kept_size(c, 0, axes + 2, 1);
  for (uint32_t i = 0; i < axes; i++) dims[i + 2] = image[i];
  if (block && blocks == axes) {
    int64_t all = 1;
    bool constant = true;
    for (uint32_t i = 0; i < blocks; i++) {
      int64_t one;
      constant = constant && onnx_constant_int(c, block[i], &one);
      if (constant && (one < 1 || __builtin_mul_overflow(all, one, &all))) {
        rule_error(c, "attribute", "the block has no size that fits");
        return onnx_unknown(c);
      }
    }
    term_id product = term_product_of(c->terms, block, blocks);
    term_id channels = store_canon(c->store, rule_operand(c, 0)->dims[1]);
    if (math_is_positive(c, product)) {
      rule_require(c, predicate_make(REL_DIVISIBLE, channels, product), "blocks fill the channels");
      dims[1] = term_floordiv(c->terms, channels, product);
    }
  }
  rule_set_dims(c, 0, dims, axes + 2);
  return RULE_DONE;
}

// ONNX: CausalConvWithState: result [B, C, L], state [B, C, K - 1].
rule_status rule_onnx_causal_conv(rule_context *c) {
  assert(rule_operand_count(c) >= 2);
  if (!onnx_rank(c, 0, 3) || !onnx_rank(c, 1, 3)) return onnx_unknown(c);
  const char *act = rule_text(c, "activation");
  if (act && !onnx_text_is(c, "activation", "none", "none") &&
      !onnx_text_is(c, "activation", "none", "silu") &&
      !onnx_text_is(c, "activation", "none", "swish"))
    rule_error(c, "attribute", "activation '%s' is not known", act);
  const value_info *in = rule_operand(c, 0), *w = rule_operand(c, 1);
  rule_require_eq(c, in->dims[1], w->dims[0], "a filter for each channel");
  rule_set_dims_like(c, 0, in);
  term_id dims[3] = {in->dims[0], in->dims[1], term_sub(c->terms, w->dims[2], TERM_ONE)};
  rule_require(c, predicate_make(REL_GE, w->dims[2], TERM_ONE), "the kernel is not empty");
  if (rule_result_count(c) > 1) rule_set_dims(c, 1, dims, 3);
  return RULE_DONE;
}

// ONNX: SwiGLU: gate and operand of one shape, or halves of the last axis of one operand.
rule_status rule_onnx_swiglu(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0), *gate = rule_operand(c, 1);
  if (!in->ranked) return onnx_unknown(c);
  if (onnx_has(c, 1)) {
    if (!onnx_rank(c, 1, in->rank)) return onnx_unknown(c);
    gate = rule_operand(c, 1);
    for (uint32_t i = 0; i < in->rank; i++)
      rule_require_eq(c, in->dims[i], gate->dims[i], "both operands have one shape");
    rule_set_dims_like(c, 0, in);
    return RULE_DONE;
  }
  uint32_t axis;
  if (!onnx_axis(c, onnx_int(c, "axis", -1), in->rank, &axis)) return onnx_unknown(c);
  term_id two = rule_int_term(c, 2), *dims = onnx_copy_dims(c, in);
  rule_require(c, predicate_make(REL_DIVISIBLE, dims[axis], two), "the axis splits in halves");
  dims[axis] = term_floordiv(c->terms, store_canon(c->store, dims[axis]), two);
  rule_set_dims(c, 0, dims, in->rank);
  return RULE_DONE;
}
