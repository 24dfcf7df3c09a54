// SPDX-License-Identifier: Apache-2.0
// Windows that slide over the last axes: convolutions and pools.
//   floor((size + 2 * padding - dilation * (kernel - 1) - 1) / stride) + 1
#include <assert.h>
#include <string.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"
#include "solver/ops/rules/torch/torch.h"

typedef struct torch_window {
  const int64_t *stride, *padding, *dilation;
} torch_window;

// dilation * (kernel - 1) + 1
static term_id extent(rule_context *c, term_id kernel, int64_t dilation) {
  term_id less = term_sub(c->terms, kernel, TERM_ONE);
  return term_add(c->terms, term_scale(c->terms, less, NUM(dilation)), TERM_ONE);
}

// Where the padding is a word, "valid" is none.
static bool read_window(rule_context *c, uint32_t axes, torch_window *w) {
  w->stride = torch_per_axis(c, "stride", axes, 1, 1);
  const char *word = torch_text(c, "padding");
  w->padding = word && strcmp(word, "valid") == 0
                   ? arena_zalloc(c->arena, ((size_t)axes + 1) * sizeof *w->padding)
                   : torch_per_axis(c, "padding", axes, 0, 0);
  w->dilation = torch_per_axis(c, "dilation", axes, 1, 1);
  return w->stride && w->padding && w->dilation;
}

// The batch axis may be left out: the axis of the channels, or -1 after an error.
static int channel_axis(rule_context *c, const value_info *x, uint32_t axes) {
  if (x->rank == axes + 1) return 0;
  if (x->rank == axes + 2) return 1;
  rule_error(c, "rank", "the operand has rank %u, %u or %u is needed", x->rank, axes + 1, axes + 2);
  return -1;
}

static void check_bias(rule_context *c, term_id channels) {
  if (!torch_has(c, "bias") || !torch_rank(c, "bias", 1)) return;
  rule_require_eq(c, torch_arg(c, "bias")->dims[0], channels, "there is a bias for each channel");
}

static term_id positions(rule_context *c, term_id size, term_id kernel, const torch_window *w,
                         uint32_t i) {
  term_id padded = term_add(c->terms, size, rule_int_term(c, 2 * w->padding[i]));
  term_id room = term_sub(c->terms, padded, extent(c, kernel, w->dilation[i]));
  rule_require(c, predicate_make(REL_GE, room, TERM_ZERO), "the window fits");
  room = store_canon(c->store, room);
  return term_add(c->terms, term_floordiv(c->terms, room, rule_int_term(c, w->stride[i])),
                  TERM_ONE);
}

// A transposed convolution: (size - 1) * stride - 2 * padding + extent + output_padding
static term_id transposed_positions(rule_context *c, term_id size, term_id kernel,
                                    const torch_window *w, const int64_t *more, uint32_t i) {
  term_id steps = term_scale(c->terms, term_sub(c->terms, size, TERM_ONE), NUM(w->stride[i]));
  term_id out = term_add(c->terms, steps, extent(c, kernel, w->dilation[i]));
  out = term_add(c->terms, out, rule_int_term(c, more[i] - 2 * w->padding[i]));
  rule_require(c, predicate_make(REL_GE, out, TERM_ONE), "the result is not empty");
  return out;
}

static rule_status convolve(rule_context *c, bool transposed, bool same) {
  const value_info *x = torch_arg(c, "input"), *w = torch_arg(c, "weight");
  torch_window window = {0};
  int64_t groups;
  if (!x->ranked || !torch_min_rank(c, w, 3)) return torch_unknown(c);
  uint32_t axes = w->rank - 2;
  const int64_t *more = torch_per_axis(c, "output_padding", axes, 0, 0);
  int channels = channel_axis(c, x, axes);
  if (channels < 0 || !torch_const(c, "groups", 1, &groups)) return torch_unknown(c);
  bool read = same || read_window(c, axes, &window);
  if (groups < 1 || groups > INT32_MAX)
    rule_error(c, "attribute", "there are %lld groups", (long long)groups);
  if (!read || !more || groups < 1 || groups > INT32_MAX) return torch_unknown(c);
  term_id g = rule_int_term(c, groups), in = x->dims[channels];
  term_id *dims = torch_dims(c, x, 0);
  dims[channels] = transposed ? term_mul(c->terms, w->dims[1], g) : w->dims[0];
  if (transposed) {
    rule_require_eq(c, in, w->dims[0], "the channels are those of the weights");
  } else {
    rule_require_eq(c, in, term_mul(c->terms, w->dims[1], g),
                    "the channels are those of the weights, for each group");
  }
  if (groups > 1)
    rule_require(c, predicate_make(REL_DIVISIBLE, w->dims[0], g), "the filters split into groups");
  check_bias(c, dims[channels]);
  for (uint32_t i = 0; i < axes && !same; i++) {
    term_id size = x->dims[(uint32_t)channels + 1 + i], kernel = w->dims[2 + i];
    dims[(uint32_t)channels + 1 + i] = transposed
                                           ? transposed_positions(c, size, kernel, &window, more, i)
                                           : positions(c, size, kernel, &window, i);
  }
  rule_set_dims(c, 0, dims, x->rank);
  return RULE_DONE;
}

// conv1d .. conv3d, convolution (`transposed` says which), conv_transpose*, and the forms whose padding is a word.
rule_status rule_torch_conv(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  bool known = true,
       transposed = torch_flag(c, "transposed", c->row->param == CONV_TRANSPOSED, &known);
  const char *padding = torch_text(c, "padding");
  if (!known) return torch_unknown(c);
  if (padding && strcmp(padding, "same") == 0) {
    const int64_t *stride = torch_per_axis(c, "stride", 1, 1, 1);
    if (stride && stride[0] != 1) rule_error(c, "attribute", "padding 'same' needs strides of 1");
    return convolve(c, false, true);
  }
  return convolve(c, transposed, false);
}

// --- pools

// With ceil_mode, a last window that would start in the padding after the last element does not count.
static term_id pool_positions(rule_context *c, term_id size, int64_t kernel, const torch_window *w,
                              uint32_t i, bool ceiling) {
  int64_t reach = w->dilation[i] * (kernel - 1) + 1;
  term_id stride = rule_int_term(c, w->stride[i]);
  term_id from = term_add(c->terms, size, rule_int_term(c, w->padding[i]));  // where starts end
  term_id room = term_add(c->terms, from, rule_int_term(c, w->padding[i] - reach)), out;
  if (ceiling) {
    out = term_add(c->terms, term_ceildiv(c->terms, room, stride), TERM_ONE);
    out = math_min(c, out, term_ceildiv(c->terms, from, stride));
  } else {
    out = term_add(c->terms, term_floordiv(c->terms, room, stride), TERM_ONE);
  }
  rule_require(c, predicate_make(REL_GE, out, TERM_ONE), "the result is not empty");
  return out;
}

// param: the number of axes.
rule_status rule_torch_pool(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = torch_arg(c, "self");
  uint32_t axes = c->row->param;
  torch_window w;
  bool known = true, ceiling = torch_flag(c, "ceil_mode", false, &known);
  const int64_t *kernel = torch_per_axis(c, "kernel_size", axes, 1, 1);
  if (!x->ranked || !known || !kernel || !read_window(c, axes, &w)) return torch_unknown(c);
  torch_ints strides;
  if (!torch_list(c, "stride", &strides) || !strides.count) w.stride = kernel;
  int channels = channel_axis(c, x, axes);
  if (channels < 0) return torch_unknown(c);
  term_id *dims = torch_dims(c, x, 0);
  for (uint32_t i = 0; i < axes; i++) {
    uint32_t at = (uint32_t)channels + 1 + i;
    if (w.padding[i] > kernel[i] / 2)
      rule_error(c, "attribute", "the padding %lld is more than half of the kernel %lld",
                 (long long)w.padding[i], (long long)kernel[i]);
    if (kernel[i] > INT32_MAX / 2 || w.dilation[i] > INT32_MAX) return torch_unknown(c);
    dims[at] = pool_positions(c, x->dims[at], kernel[i], &w, i, ceiling);
  }
  for (uint32_t i = (uint32_t)channels; axes > 1 && i < x->rank; i++)  // all but the batch
    rule_require(c, predicate_make(REL_GE, x->dims[i], TERM_ONE), "a pooled tensor is not empty");
  for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_dims(c, i, dims, x->rank);
  return RULE_DONE;
}

// The last `param` axes become `output_size`; an entry None keeps the dim.
rule_status rule_torch_adaptive_pool(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = torch_arg(c, "self");
  uint32_t axes = c->row->param;
  torch_ints sizes;
  if (!x->ranked || !torch_list(c, "output_size", &sizes)) return torch_unknown(c);
  int channels = channel_axis(c, x, axes);
  if (channels < 0) return torch_unknown(c);
  if (sizes.count != axes && sizes.count != 1) {
    rule_error(c, "attribute-length", "output_size has %u entries, %u are needed", sizes.count,
               axes);
    return torch_unknown(c);
  }
  uint32_t count;
  const value_info *parts = torch_parts(c, "output_size", &count);
  term_id *dims = torch_dims(c, x, 0);
  for (uint32_t i = 0; i < axes; i++) {
    uint32_t at = (uint32_t)channels + 1 + i, entry = sizes.count == 1 ? 0 : i;
    if (parts && parts[entry].is_none) continue;
    dims[at] = sizes.items[entry];
    if (dims[at] == TERM_NONE) {
      dims[at] = rule_unknown_size(c, 0, x->rank, at);
      continue;
    }
    rule_require(c, predicate_make(REL_GE, dims[at], TERM_ZERO), "the result's dim is >= 0");
  }
  // Averages over one or two axes may have no channels; all others need every axis after the first.
  bool any = rule_result_count(c) == 1 && axes < 3;
  for (uint32_t i = any ? (uint32_t)channels + 1 : 1; i < x->rank; i++)
    rule_require(c, predicate_make(REL_GE, x->dims[i], TERM_ONE), "a pooled tensor is not empty");
  for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_dims(c, i, dims, x->rank);
  return RULE_DONE;
}
