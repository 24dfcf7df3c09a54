// SPDX-License-Identifier: Apache-2.0
// ONNX operators that slide windows: Conv, ConvTranspose, pools, and their kin. The number of positions of a window is
// floor((size + pads - ((kernel - 1) * dilation + 1)) / stride) + 1; a run where that is negative ends in an error.
#include <assert.h>

#include "solver/ops/rules/onnx/onnx.h"
#include "solver/ops/rules/common/rules.h"

// Attributes kernel_shape, strides, dilations, pads, auto_pad.
typedef enum onnx_auto_pad { PAD_EXPLICIT, PAD_SAME, PAD_VALID } onnx_auto_pad;

typedef struct onnx_window {
  uint32_t axes;
  const int64_t *strides, *dilations, *pads;  // pads: all low ones, then all high ones
  const term_id *kernel;
  onnx_auto_pad auto_pad;
} onnx_window;

static const int64_t *per_axis(rule_context *c, const char *name, uint32_t count, int64_t otherwise,
                               int64_t least, bool *fine) {
  const int64_t *given;
  uint32_t n;
  if (rule_attr(c, name) != ATTR_NONE && rule_ints(c, name, &given, &n)) {
    if (n != count) {
      rule_error(c, "attribute-length", "%s has %u entries, %u are needed", name, n, count);
      *fine = false;
      return NULL;
    }
    for (uint32_t i = 0; i < n; i++) {
      if (given[i] >= least) continue;
      rule_error(c, "attribute", "%s has %lld, at least %lld is needed", name, (long long)given[i],
                 (long long)least);
      *fine = false;
      return NULL;
    }
    return given;
  }
  int64_t *values = arena_alloc(c->arena, ((size_t)count + 1) * sizeof *values);
  for (uint32_t i = 0; i < count; i++) values[i] = otherwise;
  return values;
}

static bool onnx_window_read(rule_context *c, uint32_t axes, const term_id *kernel,
                             onnx_window *out) {
  const int64_t *given;
  bool fine = true;
  const char *text = rule_text(c, "auto_pad");
  *out = (onnx_window){.axes = axes, .auto_pad = PAD_EXPLICIT};
  if (onnx_text_is(c, "auto_pad", "NOTSET", "SAME_UPPER") ||
      onnx_text_is(c, "auto_pad", "NOTSET", "SAME_LOWER"))
    out->auto_pad = PAD_SAME;
  if (text && onnx_text_is(c, "auto_pad", "NOTSET", "VALID")) out->auto_pad = PAD_VALID;
  out->strides = per_axis(c, "strides", axes, 1, 1, &fine);
  out->dilations = per_axis(c, "dilations", axes, 1, 1, &fine);
  out->pads = per_axis(c, "pads", 2 * axes, 0, 0, &fine);
  if (!fine) return false;
  if (out->auto_pad != PAD_EXPLICIT)
    out->pads = arena_zalloc(c->arena, ((size_t)axes + 1) * 2 * sizeof *out->pads);
  term_id *sizes = arena_alloc(c->arena, ((size_t)axes + 1) * sizeof *sizes);
  bool has = rule_attr(c, "kernel_shape") != ATTR_NONE;
  given = has ? per_axis(c, "kernel_shape", axes, 1, 1, &fine) : NULL;
  if (!fine) return false;
  for (uint32_t i = 0; i < axes; i++) {
    int64_t effective;
    if (!given && !kernel) return false;
    sizes[i] = given ? rule_int_term(c, given[i]) : kernel[i];
    if (given && kernel)
      rule_require_eq(c, kernel[i], sizes[i], "kernel_shape is the shape of the weights");
    if (given && (__builtin_mul_overflow(given[i] - 1, out->dilations[i], &effective) ||
                  effective >= INT64_MAX / 2)) {
      rule_error(c, "attribute", "the dilated kernel is too large");
      return false;
    }
  }
  out->kernel = sizes;
  return true;
}

// (kernel - 1) * dilation + 1
static term_id dilated(rule_context *c, const onnx_window *w, uint32_t axis) {
  term_id less = term_sub(c->terms, w->kernel[axis], TERM_ONE);
  return term_add(c->terms, term_scale(c->terms, less, NUM(w->dilations[axis])), TERM_ONE);
}

static term_id onnx_window_positions(rule_context *c, const onnx_window *w, uint32_t axis,
                                     term_id size, bool ceiling) {
  assert(axis < w->axes);
  int64_t low = w->pads[axis], high = w->pads[w->axes + axis];
  term_id stride = rule_int_term(c, w->strides[axis]), positions;
  size = store_canon(c->store, size);
  if (w->auto_pad == PAD_SAME) return term_ceildiv(c->terms, size, stride);
  if (w->auto_pad == PAD_VALID) low = high = 0;
  term_id window = dilated(c, w, axis), from_low = term_add(c->terms, size, rule_int_term(c, low));
  term_id past = term_sub(c->terms, rule_int_term(c, high), window);
  if (ceiling) {
    // Windows that would start in the padding after the last element do not count.
    term_id extra = math_min(c, term_add(c->terms, past, stride), TERM_ZERO);
    positions = term_ceildiv(c->terms, term_add(c->terms, from_low, extra), stride);
  } else {
    positions = term_add(
        c->terms, term_floordiv(c->terms, term_add(c->terms, from_low, past), stride), TERM_ONE);
  }
  if (!math_is_nonnegative(c, positions))
    rule_require(c, predicate_make(REL_GE, positions, TERM_ZERO), "the window fits");
  return positions;
}

// Channels of the operand: group times those of the weights.
static void check_channels(rule_context *c, term_id channels, term_id weights, term_id out) {
  int64_t group = onnx_int(c, "group", 1);
  if (group < 1) {
    rule_error(c, "attribute", "group is %lld, at least 1 is needed", (long long)group);
    return;
  }
  rule_require_eq(c, channels, term_scale(c->terms, weights, NUM(group)),
                  "the channels are those of the weights, group times");
  if (group > 1 && out != TERM_NONE)
    rule_require(c, predicate_make(REL_DIVISIBLE, out, rule_int_term(c, group)),
                 "the filters split into groups");
}

// Operand 0 and the weights have the same rank, at least 3; false (after an error) where not, or not known.
static bool same_rank(rule_context *c, uint32_t weights) {
  if (rule_operand(c, 0)->ranked) {
    if (!onnx_rank(c, weights, rule_operand(c, 0)->rank)) return false;
  } else if (rule_operand(c, weights)->ranked) {
    onnx_rank(c, 0, rule_operand(c, weights)->rank);
  }
  const value_info *in = rule_operand(c, 0);
  if (!in->ranked) return false;
  if (in->rank >= 3) return true;
  rule_error(c, "rank", "the operand has rank %u, at least 3 is needed", in->rank);
  return false;
}

// ONNX: Conv, ConvInteger, QLinearConv, DeformConv.
rule_status rule_onnx_conv(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  uint32_t weights = c->row->param == CONV_QLINEAR ? 3 : 1;
  onnx_window w;
  if (!same_rank(c, weights)) return onnx_unknown(c);
  const value_info *in = rule_operand(c, 0), *filter = rule_operand(c, weights);
  if (!onnx_window_read(c, in->rank - 2, filter->dims + 2, &w)) return onnx_unknown(c);
  bool last = weights == 3 && onnx_int(c, "channels_last", 0);
  uint32_t channels = last ? in->rank - 1 : 1, first = last ? 1 : 2;
  check_channels(c, in->dims[channels], filter->dims[1], filter->dims[0]);
  if (c->row->param == CONV_PLAIN || weights == 3)
    onnx_require_dims(c, weights == 3 ? 8 : 2, filter->dims, 1, "a bias for each filter");
  term_id *dims = arena_alloc(c->arena, ((size_t)in->rank + 1) * sizeof *dims);
  dims[0] = in->dims[0];
  dims[channels] = filter->dims[0];
  for (uint32_t i = 0; i + 2 < in->rank; i++)
    dims[i + first] = onnx_window_positions(c, &w, i, in->dims[i + first], false);
  rule_set_dims(c, 0, dims, in->rank);
  return RULE_DONE;
}

// The dims that output_shape asks for; some writers give the whole shape. NULL where it is absent, or wrong.
static const int64_t *wanted_dims(rule_context *c, uint32_t axes, bool *fine) {
  const int64_t *wanted;
  uint32_t n;
  if (rule_attr(c, "output_shape") == ATTR_NONE) return NULL;
  if (rule_ints(c, "output_shape", &wanted, &n) && n == axes + 2) return wanted + 2;
  return per_axis(c, "output_shape", axes, 0, 0, fine);
}

// What both pads of each axis take away: of the attribute, or of operand 2 (TERM_NONE: not known).
static term_id *cut_by_pads(rule_context *c, const onnx_window *w, bool operand) {
  uint32_t axes = w->axes, count = 0;
  term_id *cut = arena_alloc(c->arena, ((size_t)axes + 1) * sizeof *cut);
  const term_id *pads = NULL;
  if (operand && onnx_has(c, 2)) {
    onnx_require_length(c, 2, rule_int_term(c, 2 * (int64_t)axes),
                        "there are two pads for each axis");
    pads = rule_size_elements(c, 2, &count);
    if (pads && count != 2 * axes) pads = NULL;
    for (uint32_t i = 0; i < axes; i++) {
      bool known = pads && pads[i] != TERM_NONE && pads[axes + i] != TERM_NONE;
      cut[i] = known ? term_add(c->terms, pads[i], pads[axes + i]) : TERM_NONE;
    }
    return cut;
  }
  for (uint32_t i = 0; i < axes; i++) {
    term_id low = rule_int_term(c, w->pads[i]), high = rule_int_term(c, w->pads[axes + i]);
    cut[i] = term_add(c->terms, low, high);
  }
  return cut;
}

// stride * (size - 1) + output_padding + dilated kernel - pads
static term_id transposed_size(rule_context *c, const onnx_window *w, uint32_t axis, int64_t extra,
                               term_id cut) {
  term_id size = rule_operand(c, 0)->dims[axis + 2], stride = rule_int_term(c, w->strides[axis]);
  if (w->auto_pad == PAD_SAME) return term_mul(c->terms, size, stride);
  if (cut == TERM_NONE) {
    rule_unchecked(c, "the result's dim is >= 0", ONNX_NO_VALUES);
    return onnx_kept_size(c, 0, w->axes + 2, axis + 2);
  }
  term_id steps = term_mul(c->terms, term_sub(c->terms, size, TERM_ONE), stride);
  term_id rest = term_sub(c->terms, rule_int_term(c, extra), cut);
  size = term_add(c->terms, term_add(c->terms, steps, dilated(c, w, axis)), rest);
  rule_require(c, predicate_make(REL_GE, size, TERM_ZERO), "the result's dim is >= 0");
  return size;
}

// ONNX: ConvTranspose; param CONV_DYNAMIC_PADS: the pads are operand 2, the bias is after them (com.microsoft).
rule_status rule_onnx_conv_transpose(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  bool dynamic = c->row->param == CONV_DYNAMIC_PADS;
  onnx_window w;
  if (!same_rank(c, 1)) return onnx_unknown(c);
  const value_info *in = rule_operand(c, 0), *filter = rule_operand(c, 1);
  uint32_t axes = in->rank - 2;
  bool fine = onnx_window_read(c, axes, filter->dims + 2, &w);
  const int64_t *extra = fine ? per_axis(c, "output_padding", axes, 0, 0, &fine) : NULL;
  const int64_t *wanted = fine ? wanted_dims(c, axes, &fine) : NULL;
  if (fine && w.auto_pad != PAD_EXPLICIT && rule_attr(c, "pads") != ATTR_NONE) {
    rule_error(c, "attribute", "pads and auto_pad are both given: leave one out");
    fine = false;
  }
  int64_t group = onnx_int(c, "group", 1), channels;
  if (fine && term_int_value(c->terms, filter->dims[1], &channels) &&
      __builtin_mul_overflow(channels, group, &channels)) {
    rule_error(c, "attribute", "the number of channels is too large");
    fine = false;
  }
  if (!fine || group < 1) return onnx_unknown(c);
  rule_require_eq(c, in->dims[1], filter->dims[0], "the channels are those of the weights");
  if (group > 1)
    rule_require(c, predicate_make(REL_DIVISIBLE, in->dims[1], rule_int_term(c, group)),
                 "the channels split into groups");
  term_id *dims = arena_alloc(c->arena, ((size_t)in->rank + 1) * sizeof *dims);
  dims[0] = in->dims[0];
  dims[1] = term_scale(c->terms, filter->dims[1], NUM(group));
  onnx_require_dims(c, dynamic ? 3 : 2, &dims[1], 1, "a bias for each filter");
  const term_id *cut = cut_by_pads(c, &w, dynamic);
  for (uint32_t i = 0; i < axes; i++)
    dims[i + 2] =
        wanted ? rule_int_term(c, wanted[i]) : transposed_size(c, &w, i, extra[i], cut[i]);
  rule_set_dims(c, 0, dims, axes + 2);
  return RULE_DONE;
}

// The spatial axes begin at `first`.
static rule_status pool(rule_context *c, uint32_t first) {
  const value_info *in = rule_operand(c, 0);
  const int64_t *kernel;
  uint32_t n;
  onnx_window w;
  if (!in->ranked && rule_ints(c, "kernel_shape", &kernel, &n)) rule_assume_rank(c, 0, n + 2);
  in = rule_operand(c, 0);
  if (!in->ranked) return onnx_unknown(c);
  if (in->rank < 2) {
    rule_error(c, "rank", "the operand has rank %u, at least 2 is needed", in->rank);
    return onnx_unknown(c);
  }
  if (rule_attr(c, "kernel_shape") == ATTR_NONE) {
    rule_error(c, "attribute", "kernel_shape is missing");
    return onnx_unknown(c);
  }
  if (!onnx_window_read(c, in->rank - 2, NULL, &w)) return onnx_unknown(c);
  term_id *dims = onnx_copy_dims(c, in);
  bool ceiling = onnx_int(c, "ceil_mode", 0) != 0;
  for (uint32_t i = 0; i + 2 < in->rank; i++)
    dims[i + first] = onnx_window_positions(c, &w, i, in->dims[i + first], ceiling);
  for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_dims(c, i, dims, in->rank);
  return RULE_DONE;
}

// ONNX: MaxPool, AveragePool, LpPool.
rule_status rule_onnx_pool(rule_context *c) { return pool(c, 2); }

// com.microsoft: QLinearAveragePool, NhwcMaxPool (param 1): the channels may be the last axis.
rule_status rule_onnx_ms_pool(rule_context *c) {
  return pool(c, c->row->param || onnx_int(c, "channels_last", 0) ? 1 : 2);
}

rule_status rule_onnx_global_pool(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  if (!in->ranked || in->rank < 2) return onnx_unknown(c);
  term_id *dims = onnx_copy_dims(c, in);
  for (uint32_t i = 2; i < in->rank; i++) dims[i] = TERM_ONE;
  rule_set_dims(c, 0, dims, in->rank);
  return RULE_DONE;
}

// ONNX: MaxUnpool: the positions of a ConvTranspose; an explicit output_shape wins.
rule_status rule_onnx_max_unpool(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  onnx_window w;
  uint32_t count;
  if (in->ranked && !onnx_rank(c, 1, in->rank)) return onnx_unknown(c);
  if (onnx_has(c, 2)) {
    const term_id *sizes = rule_size_elements(c, 2, &count);
    if (!sizes) return onnx_unknown(c);
    rule_set_dims(c, 0, elements_as_sizes(c, sizes, count, "a dim is >= 0"), count);
    return RULE_DONE;
  }
  if (!in->ranked || in->rank < 2) return onnx_unknown(c);
  if (!onnx_window_read(c, in->rank - 2, NULL, &w)) return onnx_unknown(c);
  term_id *dims = onnx_copy_dims(c, in);
  for (uint32_t i = 0; i + 2 < in->rank; i++) {
    term_id steps = term_mul(c->terms, term_sub(c->terms, dims[i + 2], TERM_ONE),
                             rule_int_term(c, w.strides[i]));
    term_id size = term_add(c->terms, steps, w.kernel[i]);
    size = term_sub(c->terms, size, rule_int_term(c, w.pads[i]));
    dims[i + 2] = term_sub(c->terms, size, rule_int_term(c, w.pads[w.axes + i]));
    rule_require(c, predicate_make(REL_GE, dims[i + 2], TERM_ZERO), "the result's dim is >= 0");
  }
  rule_set_dims(c, 0, dims, in->rank);
  return RULE_DONE;
}
