// SPDX-License-Identifier: Apache-2.0
// TOSA (TosaOps.td; TOSA 1.0 specification). Operands that broadcast have one rank and dims that are equal or 1. Dims of
// windows divide exactly. Shapes are operands of type !tosa.shape: values of rank 1 whose elements are known.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/linalg/linalg.h"

static bool ranked(rule_context *c, uint32_t operand, uint32_t rank) {
  const value_info *v = rule_operand(c, operand);
  if (!v->ranked) return false;
  if (v->rank == rank) return true;
  rule_error(c, "rank", "operand #%u has rank %u, %u is needed", operand, v->rank, rank);
  return false;
}

static rule_status unknown_results(rule_context *c) {
  for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_unknown(c, i);
  return RULE_DONE;
}

// The same where what a shape holds is not known.
static rule_status unknown_shape(rule_context *c, const char *requirement) {
  rule_unchecked(c, requirement, "a shape is not known");
  return unknown_results(c);
}

rule_status rule_tosa_unary(rule_context *c) {
  rule_set_dims_like(c, 0, rule_operand(c, 0));
  return RULE_DONE;
}

// Two results of the dims of the input, but half of the last and one.
rule_status rule_tosa_rfft2d(rule_context *c) {
  static const char POWERS[] = "height and width are powers of 2";
  if (!ranked(c, 0, 3)) return unknown_results(c);
  const value_info *in = rule_operand(c, 0);
  for (uint32_t i = 1; i < 3; i++) {
    int64_t size;
    if (!term_int_value(c->terms, store_canon(c->store, in->dims[i]), &size))
      rule_unchecked(c, POWERS, "a dim is no number");
    else if (size < 1 || (size & (size - 1)))
      rule_error(c, "size", "%s: found %lld", POWERS, (long long)size);
  }
  term_id half = term_floordiv(c->terms, in->dims[2], term_int(c->terms, 2));
  term_id dims[3] = {in->dims[0], in->dims[1], term_add(c->terms, half, TERM_ONE)};
  for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_dims(c, i, dims, 3);
  return RULE_DONE;
}

// Of the first `param` operands.
rule_status rule_tosa_elementwise(rule_context *c) {
  static const char BROADCAST[] = "operands have dims that are equal or 1";
  uint32_t count = c->row->param;
  const value_info *first = rule_operand(c, 0);
  const graph_type *type = rule_result_type(c, 0);
  for (uint32_t i = 0; i < count && i < rule_operand_count(c); i++) {
    if (type && type->kind == TYPE_TENSOR && rule_operand(c, i)->ranked &&
        !ranked(c, i, type->rank))
      return unknown_results(c);
  }
  if (count > rule_operand_count(c) || !first->ranked) return unknown_results(c);
  for (uint32_t i = 1; i < count; i++) {
    if (!rule_operand(c, i)->ranked || !ranked(c, i, first->rank)) return unknown_results(c);
  }
  term_id *dims = arena_alloc(c->arena, (first->rank + 1) * sizeof(term_id));
  bool undecided = false;
  for (uint32_t d = 0; d < first->rank; d++) {
    dims[d] = first->dims[d];
    for (uint32_t i = 1; i < count; i++)
      dims[d] = broadcast_pair(c, dims[d], rule_operand(c, i)->dims[d], &undecided, BROADCAST);
  }
  rule_set_dims(c, 0, dims, first->rank);
  return undecided ? RULE_AGAIN : RULE_DONE;
}

static bool axis_of(rule_context *c, uint32_t rank, uint32_t *out) {
  int64_t axis;
  if (rule_attr(c, "axis") == ATTR_NONE || !rule_int(c, "axis", &axis)) return false;
  if (axis < 0 || axis >= (int64_t)rank) {
    rule_error(c, "axis", "%lld is no axis of rank %u", (long long)axis, rank);
    return false;
  }
  *out = (uint32_t)axis;
  return true;
}

rule_status rule_tosa_reduce(rule_context *c) {
  const value_info *in = rule_operand(c, 0);
  uint32_t axis, rank = 0;
  if (!in->ranked || !axis_of(c, in->rank, &axis)) return unknown_results(c);
  term_id *dims = arena_alloc(c->arena, (in->rank + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < in->rank; i++) {
    if (i != axis) dims[rank++] = in->dims[i];
    if (i == axis && c->row->param != TOSA_DROPS)
      dims[rank++] = c->row->param == TOSA_KEEPS ? in->dims[i] : TERM_ONE;
  }
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}

rule_status rule_tosa_concat(rule_context *c) {
  const value_info *first = rule_operand(c, 0);
  uint32_t axis;
  if (!first->ranked || !axis_of(c, first->rank, &axis)) return unknown_results(c);
  term_id *dims = arena_alloc(c->arena, (first->rank + 1) * sizeof(term_id));
  for (uint32_t d = 0; d < first->rank; d++) dims[d] = first->dims[d];
  for (uint32_t i = 1; i < rule_operand_count(c); i++) {
    const value_info *v = rule_operand(c, i);
    if (!v->ranked || !ranked(c, i, first->rank)) return unknown_results(c);
    for (uint32_t d = 0; d < first->rank; d++) {
      if (d == axis) {
        dims[d] = term_add(c->terms, dims[d], v->dims[d]);
      } else {
        rule_require_eq(c, first->dims[d], v->dims[d],
                        "the other dims of a concatenation are equal");
      }
    }
  }
  rule_set_dims(c, 0, dims, first->rank);
  return RULE_DONE;
}

rule_status rule_tosa_transpose(rule_context *c) {
  const value_info *in = rule_operand(c, 0);
  const int64_t *axes;
  uint32_t count;
  if (!in->ranked || !rule_ints(c, "perms", &axes, &count)) return unknown_results(c);
  term_id *dims = arena_alloc(c->arena, (in->rank + 1) * sizeof(term_id));
  bool fits = count == in->rank;
  for (uint32_t i = 0; fits && i < count; i++) {
    fits = axes[i] >= 0 && axes[i] < (int64_t)in->rank;
    for (uint32_t k = 0; fits && k < i; k++) fits = axes[k] != axes[i];
    if (fits) dims[i] = in->dims[axes[i]];
  }
  if (!fits) {
    rule_error(c, "axis", "perms is no permutation of %u axes", in->rank);
    return unknown_results(c);
  }
  rule_set_dims(c, 0, dims, in->rank);
  return RULE_DONE;
}

rule_status rule_tosa_const_shape(rule_context *c) {
  const int64_t *values;
  uint32_t count;
  if (!rule_ints(c, "values", &values, &count)) return unknown_results(c);
  term_id *e = arena_alloc(c->arena, (count + 1) * sizeof(term_id)),
          length = term_int(c->terms, count);
  for (uint32_t i = 0; i < count; i++) e[i] = term_int(c->terms, values[i]);
  rule_set_dims(c, 0, &length, 1);
  rule_set_elements(c, 0, e, count);
  return RULE_DONE;
}

static const term_id *shape_of(rule_context *c, uint32_t operand, uint32_t count) {
  uint32_t given;
  const term_id *e = operand < rule_operand_count(c) ? rule_elements(c, operand, &given) : NULL;
  if (e && given != count)
    rule_error(c, "operand-count", "a shape has %u entries, %u are needed", given, count);
  return e && given == count ? e : NULL;
}

// -1 is what is left of the elements.
rule_status rule_tosa_reshape(rule_context *c) {
  static const char SAME[] = "the number of elements stays";
  const value_info *in = rule_operand(c, 0);
  uint32_t rank, hole = ID_NONE;
  const term_id *e = rule_elements(c, 1, &rank);
  if (!e || !in->ranked) return unknown_shape(c, SAME);
  term_id *dims = arena_alloc(c->arena, (rank + 1) * sizeof(term_id));
  term_id total = term_product_of(c->terms, in->dims, in->rank), others = TERM_ONE;
  for (uint32_t i = 0; i < rank; i++) {
    int64_t value;
    dims[i] = e[i];
    if (e[i] == TERM_NONE) return unknown_shape(c, SAME);
    bool number = term_int_value(c->terms, e[i], &value);
    if (number && (value < -1 || (value == -1 && hole != ID_NONE))) {
      rule_error(c, "attribute", "%lld is no dim of a shape", (long long)value);
      return unknown_results(c);
    }
    if (number && value == -1) {
      hole = i;
    } else {
      others = term_mul(c->terms, others, e[i]);
    }
  }
  if (hole == ID_NONE) {
    rule_require_eq(c, total, others, SAME);
  } else if (math_is_positive(c, others)) {
    rule_require_eq(c, term_mod(c->terms, total, others), TERM_ZERO, SAME);
    dims[hole] = term_floordiv(c->terms, total, others);
  } else {
    dims[hole] = rule_unknown_size(c, 0, rank, hole);
    rule_require_eq(c, total, term_mul(c->terms, others, dims[hole]), SAME);
  }
  rule_set_dims(c, 0, elements_as_sizes(c, dims, rank, "a dim is >= 0"), rank);
  return RULE_DONE;
}

rule_status rule_tosa_tile(rule_context *c) {
  static const char REPEATS[] = "there is a repeat >= 0 for each axis";
  const value_info *in = rule_operand(c, 0);
  const term_id *e = in->ranked ? shape_of(c, 1, in->rank) : NULL;
  if (!e) return unknown_shape(c, REPEATS);
  term_id *dims = arena_alloc(c->arena, (in->rank + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < in->rank; i++) {
    if (e[i] == TERM_NONE) return unknown_shape(c, REPEATS);
    dims[i] = term_mul(c->terms, in->dims[i], e[i]);
  }
  rule_set_dims(c, 0, elements_as_sizes(c, dims, in->rank, "a dim is >= 0"), in->rank);
  return RULE_DONE;
}

rule_status rule_tosa_pad(rule_context *c) {
  static const char PADDED[] = "a padded dim is >= 0";
  const value_info *in = rule_operand(c, 0);
  const term_id *e = in->ranked ? shape_of(c, 1, 2 * in->rank) : NULL;
  if (!e) return unknown_shape(c, PADDED);
  term_id *dims = arena_alloc(c->arena, (in->rank + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < in->rank; i++) {
    if (e[2 * i] == TERM_NONE || e[2 * i + 1] == TERM_NONE) return unknown_shape(c, PADDED);
    dims[i] = term_add(c->terms, in->dims[i], term_add(c->terms, e[2 * i], e[2 * i + 1]));
  }
  rule_set_dims(c, 0, elements_as_sizes(c, dims, in->rank, PADDED), in->rank);
  return RULE_DONE;
}

// A size of -1 is all that is left.
rule_status rule_tosa_slice(rule_context *c) {
  static const char INSIDE[] = "a slice ends within its operand";
  const value_info *in = rule_operand(c, 0);
  const term_id *start = in->ranked ? shape_of(c, 1, in->rank) : NULL,
                *size = start ? shape_of(c, 2, in->rank) : NULL;
  if (!size) return unknown_shape(c, INSIDE);
  term_id *dims = arena_alloc(c->arena, (in->rank + 1) * sizeof(term_id));
  for (uint32_t i = 0; i < in->rank; i++) {
    int64_t value;
    if (start[i] == TERM_NONE || size[i] == TERM_NONE) return unknown_shape(c, INSIDE);
    bool rest = term_int_value(c->terms, size[i], &value) && value == -1;
    dims[i] = rest ? term_sub(c->terms, in->dims[i], start[i]) : size[i];
    rule_require(c, predicate_make(REL_GE, start[i], TERM_ZERO), "a slice starts at 0 or later");
    if (!rest)
      rule_require(c, predicate_make(REL_LE, term_add(c->terms, start[i], size[i]), in->dims[i]),
                   INSIDE);
  }
  rule_set_dims(c, 0, elements_as_sizes(c, dims, in->rank, "a dim of a slice is >= 0"), in->rank);
  return RULE_DONE;
}

// Dims of a fixed rank by letters, "nkc,nw->nwc": equal letters are equal dims.
static rule_status by_letters(rule_context *c, const char *const *operands, uint32_t count,
                              const char *result) {
  term_id of[128];
  for (uint32_t i = 0; i < sizeof of / sizeof *of; i++) of[i] = TERM_NONE;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t rank = 0;
    while (operands[i][rank]) rank++;
    if (!ranked(c, i, rank)) continue;
    const value_info *v = rule_operand(c, i);
    for (uint32_t d = 0; d < rank; d++) {
      term_id *to = &of[(unsigned char)operands[i][d] & 127];
      if (*to == TERM_NONE) {
        *to = v->dims[d];
      } else {
        rule_require_eq(c, *to, v->dims[d], "dims of one name are equal");
      }
    }
  }
  term_id dims[8];
  uint32_t rank = 0;
  for (; result[rank]; rank++) {
    assert(rank < 8);
    dims[rank] = of[(unsigned char)result[rank] & 127];
  }
  for (uint32_t i = 0; i < rank; i++) {
    if (dims[i] == TERM_NONE) dims[i] = rule_unknown_size(c, 0, rank, i);
  }
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}

rule_status rule_tosa_letters(rule_context *c) {
  static const char *const MATMUL[] = {"nhc", "ncw"}, *const GATHER[] = {"nkc", "nw"},
                           *const SCATTER[] = {"nkc", "nw", "nwc"};
  switch (c->row->param) {
  case TOSA_MATMUL: return by_letters(c, MATMUL, 2, "nhw");
  case TOSA_GATHER: return by_letters(c, GATHER, 2, "nwc");
  default: return by_letters(c, SCATTER, 3, "nkc");
  }
}

// (span) / by + 1, exactly; TERM_NONE where something is not known.
static term_id exact_window(rule_context *c, term_id span, term_id by) {
  if (span == TERM_NONE || by == TERM_NONE || !math_is_positive(c, by)) return TERM_NONE;
  rule_require(c, predicate_make(REL_GE, span, TERM_ZERO), "the window fits");
  rule_require_eq(c, term_mod(c->terms, span, by), TERM_ZERO, "the stride divides what is left");
  return term_add(c->terms, term_floordiv(c->terms, span, by), TERM_ONE);
}

typedef struct window_lists {
  const int64_t *pads, *strides, *dilations, *kernel;
} window_lists;

static bool list_of(rule_context *c, const char *name, uint32_t want, int64_t lowest,
                    const int64_t **out) {
  uint32_t count;
  *out = NULL;
  if (rule_attr(c, name) == ATTR_NONE) return true;
  if (!rule_ints(c, name, out, &count)) return false;
  if (count != want) {
    rule_error(c, "attribute-length", "%s has %u numbers, %u are needed", name, count, want);
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    if ((*out)[i] >= lowest) continue;
    rule_error(c, "attribute", "%s holds %lld, at least %lld is needed", name, (long long)(*out)[i],
               (long long)lowest);
    return false;
  }
  return true;
}

// Both pads of an axis.
static term_id pads_of(rule_context *c, const int64_t *pads, uint32_t axis) {
  if (!pads) return TERM_ZERO;
  term_id after = term_int(c->terms, pads[2 * axis + 1]);
  return term_add(c->terms, term_int(c->terms, pads[2 * axis]), after);
}

static term_id window(rule_context *c, const window_lists *l, uint32_t i, term_id in,
                      term_id kernel) {
  term_id pads = term_sub(c->terms, pads_of(c, l->pads, i), TERM_ONE);
  term_id reach = term_sub(c->terms, kernel, TERM_ONE);
  if (l->dilations) reach = term_mul(c->terms, reach, term_int(c->terms, l->dilations[i]));
  term_id span = term_sub(c->terms, term_add(c->terms, in, pads), reach);
  return exact_window(c, span, term_int(c->terms, l->strides ? l->strides[i] : 1));
}

static void set_windows(rule_context *c, term_id *dims, uint32_t rank) {
  for (uint32_t i = 0; i < rank; i++) {
    if (dims[i] == TERM_NONE) dims[i] = rule_unknown_size(c, 0, rank, i);
  }
  rule_set_dims(c, 0, dims, rank);
}

rule_status rule_tosa_pool(rule_context *c) {
  window_lists l = {0};
  bool ok = list_of(c, "pad", 4, 0, &l.pads) && list_of(c, "stride", 2, 1, &l.strides) &&
            list_of(c, "kernel", 2, 1, &l.kernel);
  const value_info *in = rule_operand(c, 0);
  if (!ok || !l.kernel || !ranked(c, 0, 4)) return unknown_results(c);
  term_id dims[4] = {in->dims[0], TERM_NONE, TERM_NONE, in->dims[3]};
  for (uint32_t i = 0; i < 2; i++)
    dims[1 + i] = window(c, &l, i, in->dims[1 + i], term_int(c->terms, l.kernel[i]));
  set_windows(c, dims, 4);
  return RULE_DONE;
}

static void require_bias(rule_context *c, term_id channels) {
  const value_info *bias = rule_operand(c, 2);
  if (!bias->ranked || !ranked(c, 2, 1)) return;
  shape_answer one = store_holds(c->store, predicate_make(REL_EQ, bias->dims[0], TERM_ONE));
  if (one == SHAPE_NO) {
    rule_require_eq(c, bias->dims[0], channels, "a bias has as many channels as the result, or 1");
  } else if (one == SHAPE_UNKNOWN) {
    rule_unchecked(c, "a bias has as many channels as the result, or 1", "its dim may be 1");
  }
}

// conv2d, conv3d: image n...c, weights o...c; depthwise: weights ..cm, result n...(c*m).
rule_status rule_tosa_conv(rule_context *c) {
  bool depthwise = c->row->param == TOSA_DEPTHWISE;
  uint32_t spatial = c->row->param == TOSA_CONV3D ? 3 : 2, rank = spatial + 2;
  window_lists l = {0};
  bool ok = list_of(c, "pad", 2 * spatial, 0, &l.pads) &&
            list_of(c, "stride", spatial, 1, &l.strides) &&
            list_of(c, "dilation", spatial, 1, &l.dilations);
  bool image = ranked(c, 0, rank), weights = ranked(c, 1, rank), shapes = image && weights;
  if (!ok || !shapes) return unknown_results(c);
  const value_info *in = rule_operand(c, 0), *w = rule_operand(c, 1);
  uint32_t first = depthwise ? 0 : 1;
  term_id dims[5], channels = w->dims[0];
  rule_require_eq(c, in->dims[rank - 1], w->dims[depthwise ? 2 : rank - 1],
                  "image and weights have the same channels");
  if (depthwise) channels = term_mul(c->terms, w->dims[2], w->dims[3]);
  dims[0] = in->dims[0];
  dims[rank - 1] = channels;
  for (uint32_t i = 0; i < spatial; i++)
    dims[1 + i] = window(c, &l, i, in->dims[1 + i], w->dims[first + i]);
  require_bias(c, channels);
  set_windows(c, dims, rank);
  return RULE_DONE;
}

rule_status rule_tosa_transpose_conv(rule_context *c) {
  const int64_t *pads, *strides;
  if (!list_of(c, "out_pad", 4, INT64_MIN, &pads) || !list_of(c, "stride", 2, 1, &strides))
    return unknown_results(c);
  bool image = ranked(c, 0, 4), weights = ranked(c, 1, 4);
  if (!image || !weights) return unknown_results(c);
  const value_info *in = rule_operand(c, 0), *w = rule_operand(c, 1);
  rule_require_eq(c, in->dims[3], w->dims[3], "image and weights have the same channels");
  term_id dims[4] = {in->dims[0], TERM_NONE, TERM_NONE, w->dims[0]};
  for (uint32_t i = 0; i < 2 && pads && strides; i++) {
    term_id span = term_int(c->terms, strides[i]);
    span = term_mul(c->terms, term_sub(c->terms, in->dims[1 + i], TERM_ONE), span);
    span = term_add(c->terms, span, pads_of(c, pads, i));
    dims[1 + i] = term_add(c->terms, span, w->dims[1 + i]);
  }
  require_bias(c, w->dims[0]);
  dims[1] = *elements_as_sizes(c, &dims[1], 1, "a dim is >= 0");
  dims[2] = *elements_as_sizes(c, &dims[2], 1, "a dim is >= 0");
  set_windows(c, dims, 4);
  return RULE_DONE;
}

// ((i - 1) * n - offset + border) / d + 1
rule_status rule_tosa_resize(rule_context *c) {
  static const char FITS[] = "the scale divides what is left";
  const term_id *scale = shape_of(c, 1, 4), *offset = shape_of(c, 2, 2),
                *border = shape_of(c, 3, 2);
  if (!scale || !offset || !border) return unknown_shape(c, FITS);
  if (!ranked(c, 0, 4)) return unknown_results(c);
  const value_info *in = rule_operand(c, 0);
  term_id dims[4] = {in->dims[0], TERM_NONE, TERM_NONE, in->dims[3]};
  for (uint32_t i = 0; i < 2; i++) {
    if (scale[2 * i] == TERM_NONE || offset[i] == TERM_NONE || border[i] == TERM_NONE) {
      rule_unchecked(c, FITS, "a shape is not known");
      continue;
    }
    term_id span = term_mul(c->terms, term_sub(c->terms, in->dims[1 + i], TERM_ONE), scale[2 * i]);
    span = term_add(c->terms, term_sub(c->terms, span, offset[i]), border[i]);
    dims[1 + i] = exact_window(c, span, scale[2 * i + 1]);
  }
  set_windows(c, dims, 4);
  return RULE_DONE;
}
