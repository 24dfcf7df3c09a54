// SPDX-License-Identifier: Apache-2.0
// ONNX operators on images: Resize and Upsample, grids, regions of interest, depth and space.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"
#include "solver/ops/rules/onnx/ratio.h"

// floor(size * scale), an exact quotient of integers. Dims that are numbers are multiplied in single precision, as the
// reference does.
static term_id scaled(rule_context *c, term_id size, double scale) {
  int64_t value;
  onnx_ratio ratio;
  size = store_canon(c->store, size);
  if (!(scale > 0) || scale > 1e6) return TERM_NONE;
  if (term_int_value(c->terms, size, &value) && value < (1 << 24))
    return rule_int_term(c, (int64_t)((float)value * (float)scale));
  if (!onnx_scale_ratio(scale, &ratio)) return TERM_NONE;
  rule_assumes(c, "dims that are scaled in floating point are the exact products, rounded down");
  return term_floordiv(c->terms, term_scale(c->terms, size, NUM(ratio.numerator)),
                       rule_int_term(c, ratio.denominator));
}

// Results whose rank is that of the operand, with unknown sizes.
static rule_status unknown_sizes(rule_context *c, const value_info *in) {
  if (!in->ranked) return onnx_unknown(c);
  term_id *dims = arena_alloc(c->arena, (in->rank + 1) * sizeof *dims);
  for (uint32_t i = 0; i < in->rank; i++) dims[i] = onnx_kept_size(c, 0, in->rank, i);
  rule_set_dims(c, 0, dims, in->rank);
  return RULE_AGAIN;
}

// axes[k] of the operand times scales[k]; axes NULL: all of them.
static rule_status set_scaled(rule_context *c, const double *scales, uint32_t count,
                              const uint32_t *axes) {
  const value_info *in = rule_operand(c, 0);
  if (!in->ranked && !axes) rule_assume_rank(c, 0, count);
  in = rule_operand(c, 0);
  if (!in->ranked) return onnx_unknown(c);
  if (!axes && count != in->rank) {
    rule_error(c, "attribute-length", "there are %u scales for an operand of rank %u", count,
               in->rank);
    return unknown_sizes(c, in);
  }
  term_id *dims = onnx_copy_dims(c, in);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t axis = axes ? axes[k] : k;
    dims[axis] = scaled(c, in->dims[axis], scales[k]);
    if (dims[axis] == TERM_NONE) dims[axis] = onnx_kept_size(c, 0, in->rank, axis);
  }
  rule_set_dims(c, 0, dims, in->rank);
  return RULE_DONE;
}

// The floats of an attribute, those of a splat one by one; false where it holds none, or more than there may be axes.
static bool scale_list(rule_context *c, const graph_attr *attr, const double **scales,
                       uint32_t *count) {
  double value;
  *scales = attr_held_floats(attr, count);
  if (!attr->splat) return *scales != NULL;
  const graph_type *t = type_get(&c->graph->types, attr->type);
  if (t->rank != 1 || t->dims[0] > VALUE_MAX_RANK || !attr_float_at(attr, 0, &value)) return false;
  *count = (uint32_t)t->dims[0];
  double *all = arena_alloc(c->arena, (*count + 1) * sizeof *all);
  for (uint32_t i = 0; i < *count; i++) all[i] = value;
  *scales = all;
  return true;
}

// Constant scales of an operand; false where they are not constants.
static bool constant_scales(rule_context *c, uint32_t operand, const double **scales,
                            uint32_t *count) {
  const graph_attr *attr = onnx_constant_attr(c, operand);
  return attr && scale_list(c, attr, scales, count);
}

// ONNX: Upsample (7: scales attribute, 9: operand), Resize (10).
rule_status rule_onnx_upsample(rule_context *c) {
  const double *scales;
  uint32_t count;
  if (c->row->param == FORM_DYNAMIC) {
    if (!constant_scales(c, 1, &scales, &count)) {
      const value_info *in = rule_operand(c, 0);
      rule_unchecked(c, "a scale is > 0", ONNX_NO_VALUES);
      if (in->ranked)
        onnx_require_length(c, 1, rule_int_term(c, in->rank), "there is a scale for each axis");
      return unknown_sizes(c, in);
    }
    return set_scaled(c, scales, count, NULL);
  }
  const graph_attr *attr = graph_attr_get(c->graph, rule_attr(c, "scales"));
  if (attr && scale_list(c, attr, &scales, &count)) return set_scaled(c, scales, count, NULL);
  const graph_attr *height = graph_attr_get(c->graph, rule_attr(c, "height_scale"));
  const graph_attr *width = graph_attr_get(c->graph, rule_attr(c, "width_scale"));
  double both[4] = {1, 1};
  if (attr_float_at(height, 0, &both[2]) && attr_float_at(width, 0, &both[3])) {
    return set_scaled(c, both, 4, NULL);
  }
  return unknown_sizes(c, rule_operand(c, 0));
}

// round_half_up(have * want / base), base > 0.
static term_id scaled_to(rule_context *c, term_id have, term_id want, term_id base) {
  term_table *t = c->terms;
  term_id doubled = term_scale(t, term_mul(t, have, want), NUM(2));
  term_id divisor = term_scale(t, base, NUM(2));
  return term_floordiv(t, term_add(t, doubled, base), divisor);
}

// keep_aspect_ratio_policy: the same scale for all axes, the smallest of them or the largest. Rounding is monotone, so the
// smallest scale gives the smallest of the dims that the scales give.
static void keep_ratio(rule_context *c, const term_id *sizes, uint32_t count, const uint32_t *axes,
                       term_id *dims) {
  bool larger = onnx_text_is(c, "keep_aspect_ratio_policy", "stretch", "not_smaller");
  const value_info *in = rule_operand(c, 0);
  for (uint32_t k = 0; k < count; k++) {
    term_id size = sizes[k], have = store_canon(c->store, in->dims[axes[k]]);
    if (count > 1) {
      rule_assumes(c, "shape arithmetic in floating point is exact, and divides by no dim of 0");
    }
    for (uint32_t m = 0; m < count; m++) {
      term_id base = store_canon(c->store, in->dims[axes[m]]);
      if (m == k || base == TERM_ZERO) continue;
      term_id other = scaled_to(c, have, sizes[m], base);
      size = larger ? math_max(c, size, other) : math_min(c, size, other);
    }
    dims[axes[k]] = size;
  }
}

// Dims or scales that are not known: one for each axis.
static void require_entries(rule_context *c, uint32_t operand, uint32_t axes, bool known) {
  if (known)
    onnx_require_length(c, operand, rule_int_term(c, axes),
                        "there is a size or scale for each axis");
}

static rule_status resize_to(rule_context *c, const uint32_t *axes, uint32_t axis_count) {
  const value_info *in = rule_operand(c, 0);
  uint32_t count;
  const term_id *sizes = rule_size_elements(c, 3, &count);
  if (!sizes) {
    rule_unchecked(c, "a dim is >= 0", ONNX_NO_VALUES);
    require_entries(c, 3, axes ? axis_count : in->rank, axes || in->ranked);
    return unknown_sizes(c, in);
  }
  if (!in->ranked && !axes) rule_assume_rank(c, 0, count);
  in = rule_operand(c, 0);
  if (!in->ranked) return onnx_unknown(c);
  if (count != (axes ? axis_count : in->rank)) {
    rule_error(c, "attribute-length", "there are %u dims for %u axes", count,
               axes ? axis_count : in->rank);
    return unknown_sizes(c, in);
  }
  sizes = elements_as_sizes(c, sizes, count, "a dim is >= 0");
  term_id *dims = onnx_copy_dims(c, in);
  uint32_t *order = arena_alloc(c->arena, (count + 1) * sizeof *order);
  for (uint32_t k = 0; k < count; k++) order[k] = axes ? axes[k] : k;
  if (!onnx_text_is(c, "keep_aspect_ratio_policy", "stretch", "stretch")) {
    keep_ratio(c, sizes, count, order, dims);
  } else {
    for (uint32_t k = 0; k < count; k++) dims[order[k]] = sizes[k];
  }
  rule_set_dims(c, 0, dims, in->rank);
  return RULE_DONE;
}

// Operand `i` is given and is not known to be empty (version 11 writes empty tensors for what is absent).
static bool filled(rule_context *c, uint32_t i) {
  int64_t count;
  const value_info *v = rule_operand(c, i);
  if (!onnx_has(c, i)) return false;
  return !(v->ranked && v->rank == 1 && onnx_constant_int(c, v->dims[0], &count) && !count);
}

// ONNX: Resize (11: dims; 18: axes, keep_aspect_ratio_policy).
rule_status rule_onnx_resize(rule_context *c) {
  const value_info *in = rule_operand(c, 0);
  const int64_t *given;
  uint32_t count = 0, *axes = NULL;
  if (rule_attr(c, "axes") != ATTR_NONE && rule_ints(c, "axes", &given, &count)) {
    if (!in->ranked) return onnx_unknown(c);
    axes = arena_alloc(c->arena, (count + 1) * sizeof *axes);
    for (uint32_t i = 0; i < count; i++) {
      if (!onnx_axis(c, given[i], in->rank, &axes[i])) return onnx_unknown(c);
    }
  }
  if (c->graph->onnx_opset >= 13 && onnx_has(c, 2) == onnx_has(c, 3) &&
      filled(c, 2) == filled(c, 3))
    rule_error(c, "attribute",
               onnx_has(c, 2) ? "`scales` and `sizes` are both given: leave one out"
                              : "neither `scales` nor `sizes` is given: one of them is needed");
  if (filled(c, 3)) return resize_to(c, axes, count);
  const double *scales;
  uint32_t n;
  if (!filled(c, 2)) return unknown_sizes(c, in);
  if (!constant_scales(c, 2, &scales, &n)) {
    rule_unchecked(c, "a scale is > 0", ONNX_NO_VALUES);
    require_entries(c, 2, axes ? count : in->rank, axes || in->ranked);
    return unknown_sizes(c, in);
  }
  if (axes && n != count) {
    rule_error(c, "attribute-length", "there are %u scales for %u axes", n, count);
    return unknown_sizes(c, in);
  }
  return set_scaled(c, scales, n, axes);
}

// ONNX: GridSample: N, C, and the spatial dims of the grid.
rule_status rule_onnx_grid_sample(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0), *grid = rule_operand(c, 1);
  if (!in->ranked && grid->ranked) rule_assume_rank(c, 0, grid->rank);
  in = rule_operand(c, 0);
  if (!in->ranked || in->rank < 3 || !onnx_rank(c, 1, in->rank)) return onnx_unknown(c);
  grid = rule_operand(c, 1);
  rule_require_eq(c, in->dims[0], grid->dims[0], "the batches are equal");
  rule_require_eq(c, grid->dims[in->rank - 1], rule_int_term(c, (int64_t)in->rank - 2),
                  "a coordinate for each spatial axis");
  term_id *dims = onnx_copy_dims(c, in);
  for (uint32_t i = 2; i < in->rank; i++) dims[i] = grid->dims[i - 1];
  rule_set_dims(c, 0, dims, in->rank);
  return RULE_DONE;
}

// ONNX: AffineGrid: size is N, C, (D,) H, W; the grid is N, (D,) H, W and a coordinate for each.
rule_status rule_onnx_affine_grid(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  uint32_t count;
  const term_id *size = rule_size_elements(c, 1, &count);
  if (!size || count < 4 || count > 5) {
    if (!size) rule_unchecked(c, "the size has 4 or 5 entries that are >= 0", ONNX_NO_VALUES);
    if (size) rule_error(c, "attribute-length", "size has %u entries, 4 or 5 are needed", count);
    return onnx_unknown(c);
  }
  size = elements_as_sizes(c, size, count, "a dim is >= 0");
  term_id dims[5] = {size[0], size[2], size[3], count == 5 ? size[4] : rule_int_term(c, 2),
                     rule_int_term(c, 3)};
  rule_set_dims(c, 0, dims, count);
  return RULE_DONE;
}

// ONNX: RoiAlign.
rule_status rule_onnx_roi_align(rule_context *c) {
  assert(rule_operand_count(c) >= 3 && rule_result_count(c) == 1);
  if (!onnx_rank(c, 0, 4) || !onnx_rank(c, 1, 2) || !onnx_rank(c, 2, 1)) return onnx_unknown(c);
  const value_info *rois = rule_operand(c, 1);
  rule_require_eq(c, rois->dims[1], rule_int_term(c, 4), "a region has 4 coordinates");
  rule_require_eq(c, rois->dims[0], rule_operand(c, 2)->dims[0], "a batch index for each region");
  rule_unchecked(c, "a batch index is within the batch", ONNX_NO_VALUES);
  term_id dims[4] = {rois->dims[0], rule_operand(c, 0)->dims[1],
                     rule_int_term(c, onnx_int(c, "output_height", 1)),
                     rule_int_term(c, onnx_int(c, "output_width", 1))};
  rule_set_dims(c, 0, dims, 4);
  return RULE_DONE;
}

// ONNX: MaxRoiPool.
rule_status rule_onnx_roi_pool(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  const int64_t *pooled;
  uint32_t count;
  if (!onnx_rank(c, 0, 4) || !onnx_rank(c, 1, 2) || !rule_ints(c, "pooled_shape", &pooled, &count))
    return onnx_unknown(c);
  if (count != 2 || pooled[0] < 1 || pooled[1] < 1) {
    rule_error(c, "attribute", "pooled_shape needs two positive dims");
    return onnx_unknown(c);
  }
  term_id dims[4] = {rule_operand(c, 1)->dims[0], rule_operand(c, 0)->dims[1],
                     rule_int_term(c, pooled[0]), rule_int_term(c, pooled[1])};
  rule_set_dims(c, 0, dims, 4);
  return RULE_DONE;
}

// ONNX: NonMaxSuppression: as many triples as boxes are kept.
rule_status rule_onnx_nms(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  term_id dims[2] = {onnx_kept_size(c, 0, 2, 0), rule_int_term(c, 3)};
  onnx_rank(c, 0, 3);
  onnx_rank(c, 1, 3);
  rule_set_dims(c, 0, dims, 2);
  return RULE_DONE;
}

static bool block_size(rule_context *c, int64_t *size) {
  *size = onnx_int(c, "blocksize", 0);
  if (*size < 1) rule_error(c, "attribute", "blocksize is %lld", (long long)*size);
  return *size >= 1 && onnx_rank(c, 0, 4);
}

// ONNX: DepthToSpace.
rule_status rule_onnx_depth_to_space(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  int64_t block;
  if (!block_size(c, &block)) return onnx_unknown(c);
  const value_info *in = rule_operand(c, 0);
  term_id side = rule_int_term(c, block), square = term_mul(c->terms, side, side);
  rule_require(c, predicate_make(REL_DIVISIBLE, in->dims[1], square), "the depth fills blocks");
  term_id dims[4] = {
      in->dims[0], term_floordiv(c->terms, store_canon(c->store, in->dims[1]), square),
      term_scale(c->terms, in->dims[2], NUM(block)), term_scale(c->terms, in->dims[3], NUM(block))};
  rule_set_dims(c, 0, dims, 4);
  return RULE_DONE;
}

// ONNX: SpaceToDepth.
rule_status rule_onnx_space_to_depth(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  int64_t block;
  if (!block_size(c, &block)) return onnx_unknown(c);
  const value_info *in = rule_operand(c, 0);
  term_id size = rule_int_term(c, block), dims[4] = {in->dims[0]};
  dims[1] = term_mul(c->terms, in->dims[1], term_mul(c->terms, size, size));
  for (uint32_t i = 2; i < 4; i++) {
    rule_require(c, predicate_make(REL_DIVISIBLE, in->dims[i], size), "the space splits in blocks");
    dims[i] = term_floordiv(c->terms, store_canon(c->store, in->dims[i]), size);
  }
  rule_set_dims(c, 0, dims, 4);
  return RULE_DONE;
}
