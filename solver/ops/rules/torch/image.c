// SPDX-License-Identifier: Apache-2.0
// Operators on images: upsampling, padding, shuffles of pixels, blocks and columns, sampling on grids.
#include <assert.h>
#include <string.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"
#include "solver/ops/rules/torch/torch.h"

static const char NOT_EMPTY[] = "the result is not empty";

static rule_status set_spatial(rule_context *c, const value_info *x, const term_id *sizes,
                               uint32_t axes) {
  term_id *dims = torch_dims(c, x, 0);
  for (uint32_t i = 0; i < axes; i++) {
    dims[2 + i] = sizes[i] == TERM_NONE ? rule_unknown_size(c, 0, x->rank, 2 + i) : sizes[i];
    if (sizes[i] != TERM_NONE)
      rule_require(c, predicate_make(REL_GE, sizes[i], TERM_ONE), NOT_EMPTY);
  }
  for (uint32_t i = 1; i < x->rank; i++)
    rule_require(c, predicate_make(REL_GE, x->dims[i], TERM_ONE), "the operand is not empty");
  rule_set_dims(c, 0, dims, x->rank);
  return RULE_DONE;
}

// floor(size * scale), where the scale is a number that doubles hold exactly.
static term_id scaled(rule_context *c, term_id size, double scale) {
  enum { MOST = 20 };
  double whole = scale;
  int64_t constant, den = 1;
  if (!(scale > 0) || scale > 1 << MOST) return TERM_NONE;
  if (torch_constant(c, size, &constant) && constant < INT64_C(1) << 50)
    return rule_int_term(c, (int64_t)((double)constant * scale));
  for (uint32_t i = 0; i < MOST && whole != (double)(int64_t)whole; i++) {
    whole *= 2;
    den *= 2;
  }
  if (whole != (double)(int64_t)whole) return TERM_NONE;
  term_id times = term_mul(c->terms, store_canon(c->store, size), rule_int_term(c, (int64_t)whole));
  return term_floordiv(c->terms, times, rule_int_term(c, den));
}

// The number of a constant float or integer that a part of a list is made of.
static bool part_real(rule_context *c, const char *name, uint32_t i, double *out) {
  op_id list = torch_definition(c, torch_at(c, name));
  if (list == ID_NONE) return false;
  rule_context inner = *c;
  inner.op = list;
  op_id def = torch_definition(&inner, i);
  const graph_attr *attr =
      def == ID_NONE ? NULL : graph_attr_get(c->graph, graph_attr_named(c->graph, def, "value"));
  if (!attr || (attr->kind != ATTR_FLOAT && attr->kind != ATTR_INT)) return false;
  *out = attr->kind == ATTR_FLOAT ? attr_one_float(attr) : (double)attr_one_int(attr);
  return true;
}

// upsample_*: param axes, 0: those that the operand has; the .vec forms have dims or factors, of which exactly one is given.
rule_status rule_torch_upsample(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  uint32_t axes = c->row->param, count;
  torch_ints sizes;
  term_id made[3] = {TERM_NONE, TERM_NONE, TERM_NONE};
  if (!axes && torch_arg(c, "self")->ranked) {
    uint32_t rank = torch_arg(c, "self")->rank;
    axes = rank < 3 ? 1 : rank > 5 ? 3 : rank - 2;
  }
  if (!axes || !torch_rank(c, "self", axes + 2)) return torch_unknown(c);
  const value_info *x = torch_arg(c, "self");
  bool has_sizes = torch_has(c, "output_size"), has_scales = torch_has(c, "scale_factors");
  if (torch_at(c, "scale_factors") != UINT32_MAX && has_sizes == has_scales) {
    rule_error(c, "attribute", "exactly one of output_size and scale_factors is needed");
    return torch_unknown(c);
  }
  if (has_sizes && !torch_list(c, "output_size", &sizes)) return torch_unknown(c);
  if (!has_sizes && !torch_parts(c, "scale_factors", &count)) return torch_unknown(c);
  if (has_sizes) count = sizes.count;
  if (count != axes && count != 1) {
    rule_error(c, "attribute-length", "%u entries are given, %u are needed", count, axes);
    return torch_unknown(c);
  }
  for (uint32_t i = 0; i < axes; i++) {
    double scale;
    if (has_sizes) {
      made[i] = sizes.items[count == 1 ? 0 : i];
    } else if (part_real(c, "scale_factors", count == 1 ? 0 : i, &scale)) {
      made[i] = scaled(c, x->dims[2 + i], scale);
    }
  }
  return set_spatial(c, x, made, axes);
}

// --- padding

enum { MODE_CONSTANT, MODE_REFLECT, MODE_REPLICATE, MODE_CIRCULAR };

static void require_pad(rule_context *c, int how, term_id size, term_id before, term_id after,
                        term_id out) {
  static const char SMALLER[] = "the padding is smaller than the dim";
  if (how == MODE_CONSTANT) {
    // What is cut off is cut off first.
    term_id kept = term_add(c->terms, size, math_min(c, before, TERM_ZERO));
    kept = term_add(c->terms, kept, math_min(c, after, TERM_ZERO));
    if (kept != size)
      rule_require(c, predicate_make(REL_GE, kept, TERM_ZERO), "what is cut off is in the dim");
    rule_require(c, predicate_make(REL_GE, out, TERM_ZERO), "the result's dim is >= 0");
    return;
  }
  relation rel = how == MODE_REFLECT ? REL_LT : REL_LE;
  if (how != MODE_REPLICATE) {
    rule_require(c, predicate_make(rel, before, size), SMALLER);
    rule_require(c, predicate_make(rel, after, size), SMALLER);
  }
  rule_require(c, predicate_make(REL_GE, out, TERM_ONE), NOT_EMPTY);
}

static int mode_of(const char *text) {
  static const char *const NAMES[] = {"constant", "reflect", "replicate", "circular"};
  for (int i = 0; i < 4; i++) {
    if (text && strcmp(text, NAMES[i]) == 0) return i;
  }
  return -1;
}

// constant_pad_nd, reflection_pad*, replication_pad*, pad with its mode: pairs from the last axis on.
rule_status rule_torch_pad(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = torch_arg(c, "self");
  torch_ints pads;
  int how = c->row->param == PAD_CONSTANT  ? MODE_CONSTANT
            : c->row->param == PAD_REFLECT ? MODE_REFLECT
            : c->row->param == PAD_REPLICATE
                ? MODE_REPLICATE
                : mode_of(torch_has(c, "mode") ? torch_text(c, "mode") : "constant");
  if (!x->ranked || !torch_list(c, "pad", &pads) || how < 0) return torch_unknown(c);
  if (pads.count % 2 || pads.count / 2 > x->rank) {
    rule_error(c, "attribute-length", "%u paddings for a tensor of rank %u", pads.count, x->rank);
    return torch_unknown(c);
  }
  uint32_t axes = pads.count / 2;
  term_id *dims = torch_dims(c, x, 0);
  if (how != MODE_CONSTANT && x->rank != axes + 1 && x->rank != axes + 2) {
    rule_error(c, "rank", "the operand has rank %u, %u or %u is needed", x->rank, axes + 1,
               axes + 2);
    return torch_unknown(c);
  }
  for (uint32_t i = 0; i < axes; i++) {
    uint32_t at = x->rank - 1 - i;
    term_id before = pads.items[2 * i], after = pads.items[2 * i + 1];
    if (before == TERM_NONE || after == TERM_NONE) {
      dims[at] = rule_unknown_size(c, 0, x->rank, at);
      rule_unchecked(c, "the padding fits", TORCH_NOT_KNOWN);
      continue;
    }
    dims[at] = term_add(c->terms, x->dims[at], term_add(c->terms, before, after));
    require_pad(c, how, x->dims[at], before, after, dims[at]);
  }
  bool batched = x->rank == axes + 2;
  for (uint32_t i = batched; how != MODE_CONSTANT && how != MODE_CIRCULAR && i < x->rank; i++)
    rule_require(c, predicate_make(REL_GE, x->dims[i], TERM_ONE), "the operand is not empty");
  rule_set_dims(c, 0, dims, x->rank);
  return RULE_DONE;
}

// pixel_shuffle (param 0), pixel_unshuffle (1)
rule_status rule_torch_pixel_shuffle(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  static const char SPLITS[] = "the blocks fill the dims";
  const value_info *x = torch_arg(c, "self");
  int64_t r;
  if (!torch_min_rank(c, x, 3) || !torch_const(c, "factor", 1, &r)) return torch_unknown(c);
  if (r < 1 || r > INT16_MAX) {
    rule_error(c, "attribute", "the factor is %lld, at least 1 is needed", (long long)r);
    return torch_unknown(c);
  }
  term_id *dims = torch_dims(c, x, 0), *tail = dims + x->rank - 3;
  term_id one = rule_int_term(c, r), square = rule_int_term(c, r * r);
  if (!c->row->param) {
    rule_require(c, predicate_make(REL_DIVISIBLE, tail[0], square), SPLITS);
    tail[0] = term_floordiv(c->terms, store_canon(c->store, tail[0]), square);
  } else {
    tail[0] = term_mul(c->terms, tail[0], square);
  }
  for (uint32_t i = 1; i < 3; i++) {
    if (!c->row->param) {
      tail[i] = term_mul(c->terms, tail[i], one);
      continue;
    }
    rule_require(c, predicate_make(REL_DIVISIBLE, tail[i], one), SPLITS);
    tail[i] = term_floordiv(c->terms, store_canon(c->store, tail[i]), one);
  }
  rule_set_dims(c, 0, dims, x->rank);
  return RULE_DONE;
}

// channel_shuffle
rule_status rule_torch_channels(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = torch_arg(c, "self");
  term_id groups = torch_int(c, "groups");
  if (!torch_min_rank(c, x, 3) || groups == TERM_NONE) return torch_unknown(c);
  rule_require(c, predicate_make(REL_GE, groups, TERM_ONE), "there is a group");
  rule_require(c, predicate_make(REL_DIVISIBLE, x->dims[1], groups), "channels split into groups");
  rule_set_dims_like(c, 0, x);
  return RULE_DONE;
}

// --- blocks and columns

typedef struct blocks {
  const int64_t *kernel, *dilation, *padding, *stride;
} blocks;

static bool read_blocks(rule_context *c, blocks *b) {
  b->kernel = torch_per_axis(c, "kernel_size", 2, 1, 1);
  b->dilation = torch_per_axis(c, "dilation", 2, 1, 1);
  b->padding = torch_per_axis(c, "padding", 2, 0, 0);
  b->stride = torch_per_axis(c, "stride", 2, 1, 1);
  return b->kernel && b->dilation && b->padding && b->stride && b->kernel[0] < INT16_MAX &&
         b->kernel[1] < INT16_MAX;
}

static term_id block_count(rule_context *c, const blocks *b, term_id size, uint32_t i) {
  int64_t reach = b->dilation[i] * (b->kernel[i] - 1) + 1;
  term_id room = term_add(c->terms, size, rule_int_term(c, 2 * b->padding[i] - reach));
  room = store_canon(c->store, room);
  rule_require(c, predicate_make(REL_GE, room, TERM_ZERO), "the blocks fit");
  return term_add(c->terms, term_floordiv(c->terms, room, rule_int_term(c, b->stride[i])),
                  TERM_ONE);
}

rule_status rule_torch_im2col(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = torch_arg(c, "self");
  blocks b;
  if (!torch_min_rank(c, x, 3) || !read_blocks(c, &b)) return torch_unknown(c);
  if (x->rank > 4) {
    rule_error(c, "rank", "the operand has rank %u, 3 or 4 is needed", x->rank);
    return torch_unknown(c);
  }
  uint32_t at = x->rank - 3;
  term_id dims[3] = {x->dims[0], TERM_ONE, TERM_ONE};
  dims[at] = term_mul(c->terms, x->dims[at], rule_int_term(c, b.kernel[0] * b.kernel[1]));
  term_id down = block_count(c, &b, x->dims[at + 1], 0);
  dims[at + 1] = term_mul(c->terms, down, block_count(c, &b, x->dims[at + 2], 1));
  for (uint32_t i = at; i < x->rank; i++)
    rule_require(c, predicate_make(REL_GE, x->dims[i], TERM_ONE), "the operand is not empty");
  rule_set_dims(c, 0, dims, at + 2);
  return RULE_DONE;
}

rule_status rule_torch_col2im(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = torch_arg(c, "self");
  torch_ints sizes;
  blocks b;
  if (!torch_min_rank(c, x, 2) || !read_blocks(c, &b) || !torch_list(c, "output_size", &sizes))
    return torch_unknown(c);
  if (x->rank > 3 || sizes.count != 2 || sizes.items[0] == TERM_NONE ||
      sizes.items[1] == TERM_NONE) {
    if (x->rank > 3 || sizes.count != 2)
      rule_error(c, "rank", "an operand of rank 2 or 3 and an output_size of 2 are needed");
    return torch_unknown(c);
  }
  uint32_t at = x->rank - 2;
  term_id each = rule_int_term(c, b.kernel[0] * b.kernel[1]);
  term_id dims[4] = {x->dims[0], TERM_ONE, TERM_ONE, TERM_ONE};
  rule_require(c, predicate_make(REL_DIVISIBLE, x->dims[at], each), "channels are whole blocks");
  dims[at] = term_floordiv(c->terms, store_canon(c->store, x->dims[at]), each);
  dims[at + 1] = sizes.items[0];
  dims[at + 2] = sizes.items[1];
  term_id down = block_count(c, &b, dims[at + 1], 0), across = block_count(c, &b, dims[at + 2], 1);
  rule_require_eq(c, x->dims[at + 1], term_mul(c->terms, down, across),
                  "there is a column for each block");
  for (uint32_t i = at; i < x->rank; i++)
    rule_require(c, predicate_make(REL_GE, x->dims[i], TERM_ONE), "the operand is not empty");
  rule_set_dims(c, 0, dims, at + 3);
  return RULE_DONE;
}

// grid_sampler x [N, C, ..], grid [N, .., axes]
rule_status rule_torch_grid_sampler(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  const value_info *x = rule_operand(c, 0);
  if (!x->ranked && rule_operand(c, 1)->ranked) onnx_rank(c, 0, rule_operand(c, 1)->rank);
  x = rule_operand(c, 0);
  if (!torch_min_rank(c, x, 3) || !onnx_rank(c, 1, x->rank)) return torch_unknown(c);
  const value_info *grid = rule_operand(c, 1);
  if (x->rank > 5 || x->rank < 4) {
    rule_error(c, "rank", "the operand has rank %u, 4 or 5 is needed", x->rank);
    return torch_unknown(c);
  }
  term_id *dims = torch_dims(c, grid, 0);
  rule_require_eq(c, x->dims[0], grid->dims[0], "the batch dims are equal");
  rule_require_eq(c, grid->dims[x->rank - 1], rule_int_term(c, x->rank - 2),
                  "the grid has a coordinate for each axis");
  for (uint32_t i = 2; i < x->rank; i++)
    rule_require(c, predicate_make(REL_GE, x->dims[i], TERM_ONE), "the operand is not empty");
  dims[1] = x->dims[1];
  for (uint32_t i = 2; i < x->rank; i++) dims[i] = grid->dims[i - 1];
  rule_set_dims(c, 0, dims, x->rank);
  return RULE_DONE;
}

// affine_grid_generator theta, [N, C, H, W] (or with D): [N, H, W, 2]
rule_status rule_torch_affine_grid(rule_context *c) {
  assert(rule_result_count(c) >= 1);
  torch_ints s;
  term_id dims[5];
  uint32_t rank = 0;
  if (!torch_rank(c, "theta", 3) || !torch_list(c, "size", &s)) return torch_unknown(c);
  const value_info *theta = torch_arg(c, "theta");
  if (s.count != 4 && s.count != 5) {
    rule_error(c, "attribute-length", "size has %u entries, 4 or 5 are needed", s.count);
    return torch_unknown(c);
  }
  for (uint32_t i = 0; i < s.count; i++) {
    if (s.items[i] == TERM_NONE) return torch_unknown(c);
    rule_require(c, predicate_make(REL_GE, s.items[i], TERM_ONE), "a dim is at least 1");
    if (i != 1) dims[rank++] = s.items[i];
  }
  rule_require_eq(c, theta->dims[0], s.items[0], "there is a matrix for each batch");
  rule_require_eq(c, theta->dims[1], rule_int_term(c, s.count - 2),
                  "the matrices have a row for each axis");
  rule_require_eq(c, theta->dims[2], rule_int_term(c, s.count - 1), "the matrices are affine");
  dims[rank++] = rule_int_term(c, s.count - 2);
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}
