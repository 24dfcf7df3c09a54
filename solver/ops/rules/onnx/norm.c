// SPDX-License-Identifier: Apache-2.0
// ONNX normalisations, recurrent layers, losses and quantisation.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"

// Parameters of the channels (axis 1): vectors of its size.
static void channel_vectors(rule_context *c, uint32_t first, uint32_t last, term_id channels) {
  assert(first <= last);
  for (uint32_t i = first; i <= last; i++)
    onnx_require_dims(c, i, &channels, 1, "one element for each channel");
}

// ONNX: BatchNormalization: further results (mean, variance, saved ones before 14) have one element a channel.
rule_status rule_onnx_batch_norm(rule_context *c) {
  assert(rule_operand_count(c) >= 4);
  const value_info *in = rule_operand(c, 0);
  if (!in->ranked) {
    for (uint32_t i = 1; i < rule_result_count(c) && onnx_int(c, "spatial", 1); i++) {
      bool given = onnx_rank(c, 3, 1) && rule_operand(c, 3)->ranked;
      term_id size = given ? rule_operand(c, 3)->dims[0] : onnx_kept_size(c, i, 1, 0);
      rule_set_dims(c, i, &size, 1);
    }
    return onnx_unknown(c);
  }
  term_id channels = in->rank > 1 ? in->dims[1] : TERM_ONE;
  // Version 1 to 8 with spatial=0: the parameters have all axes but the first.
  if (onnx_int(c, "spatial", 1)) channel_vectors(c, 1, 4, channels);
  rule_set_dims_like(c, 0, in);
  const value_info *mean = rule_operand(c, 3);
  for (uint32_t i = 1; i < rule_result_count(c); i++) rule_set_dims_like(c, i, mean);
  return RULE_DONE;
}

// ONNX: InstanceNormalization.
rule_status rule_onnx_channel_norm(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  if (!in->ranked) return onnx_unknown(c);
  if (in->rank > 1) channel_vectors(c, 1, 2, in->dims[1]);
  rule_set_dims_like(c, 0, in);
  return RULE_DONE;
}

// ONNX: GroupNormalization (18: one parameter for each group; 21: for each channel).
rule_status rule_onnx_group_norm(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  if (!in->ranked) return onnx_unknown(c);
  bool by_group = onnx_is_before(c, 21);
  if (!by_group && in->rank > 1) channel_vectors(c, 1, 2, in->dims[1]);
  int64_t groups = onnx_int(c, "num_groups", 0);
  if (groups > 0 && in->rank > 1) {
    term_id count = rule_int_term(c, groups);
    rule_require(c, predicate_make(REL_DIVISIBLE, in->dims[1], count),
                 "the channels split into groups");
    for (uint32_t i = 1; i <= 2 && by_group; i++)
      onnx_require_dims(c, i, &count, 1, "one element for each group");
  }
  rule_set_dims_like(c, 0, in);
  return RULE_DONE;
}

// ONNX: LayerNormalization, RMSNormalization: scale and bias broadcast to the operand; the statistics have size 1 from
// axis on.
rule_status rule_onnx_layer_norm(rule_context *c) {
  const value_info *in = rule_operand(c, 0);
  uint32_t axis;
  if (!in->ranked || !onnx_axis(c, onnx_int(c, "axis", -1), in->rank, &axis))
    return onnx_unknown(c);
  rule_set_dims_like(c, 0, in);
  for (uint32_t i = 1; i <= 2; i++) {
    if (onnx_has(c, i))
      onnx_require_broadcasts(c, rule_operand(c, i), in->dims, in->rank,
                              "scale and bias broadcast to the operand");
  }
  term_id *dims = onnx_copy_dims(c, in);
  for (uint32_t i = axis; i < in->rank; i++) dims[i] = TERM_ONE;
  for (uint32_t i = 1; i < rule_result_count(c); i++) rule_set_dims(c, i, dims, in->rank);
  return RULE_DONE;
}

// ONNX: PRelu (7: the slope broadcasts to the operand in one direction).
rule_status rule_onnx_prelu(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0), *slope = rule_operand(c, 1);
  if (!in->ranked) return onnx_unknown(c);
  rule_set_dims_like(c, 0, in);
  onnx_require_broadcasts(c, slope, in->dims, in->rank, "the slope broadcasts to the operand");
  return RULE_DONE;
}

// --- RNN, GRU, LSTM

typedef struct recurrent_sizes {
  term_id directions, batch, hidden, rows;
} recurrent_sizes;

// Weights have an entry for each direction; the others may be absent: biases of both weights, lengths, the states, and
// three peepholes for each cell.
static void recurrent_operands(rule_context *c, const recurrent_sizes *s, bool batch_first) {
  enum { BIAS = 3, LENGTHS, STATE, CELL, PEEPHOLE };
  const term_id bias[2] = {s->directions, term_scale(c->terms, s->rows, NUM(2))};
  const term_id peephole[2] = {s->directions, term_scale(c->terms, s->hidden, NUM(3))};
  const term_id state[3] = {batch_first ? s->batch : s->directions,
                            batch_first ? s->directions : s->batch, s->hidden};
  for (uint32_t i = 1; i <= 2; i++) {
    static const char EACH[] = "there are weights for each direction";
    int64_t given, needed;
    term_id have = store_canon(c->store, rule_operand(c, i)->dims[0]);
    // ONNX's own inference takes the weights of one direction for two, which no runtime does.
    if (onnx_constant_int(c, have, &given) && onnx_constant_int(c, s->directions, &needed) &&
        given != needed)
      rule_unchecked(c, EACH, "they are declared for another number of directions");
    else
      rule_require_eq(c, have, s->directions, EACH);
  }
  onnx_require_dims(c, BIAS, bias, 2, "the bias has both halves of every gate");
  onnx_require_dims(c, LENGTHS, &s->batch, 1, "a length for each batch");
  onnx_require_dims(c, STATE, state, 3, "the first state has the shape of the last");
  if (c->row->max_operands <= CELL) return;
  onnx_require_dims(c, CELL, state, 3, "the first cell has the shape of the last");
  onnx_require_dims(c, PEEPHOLE, peephole, 2, "three peepholes for each cell");
}

// ONNX: RNN, GRU, LSTM (14: layout 1 has the batch first). param: how many gates the weights hold; with
// RECURRENT_TURNED (com.microsoft: DynamicQuantizeLSTM) they are on the last axis.
rule_status rule_onnx_recurrent(rule_context *c) {
  assert(rule_operand_count(c) >= 3);
  if (!onnx_rank(c, 0, 3) || !onnx_rank(c, 1, 3) || !onnx_rank(c, 2, 3)) return onnx_unknown(c);
  const value_info *in = rule_operand(c, 0), *w = rule_operand(c, 1), *r = rule_operand(c, 2);
  bool batch_first = onnx_int(c, "layout", 0) != 0;
  bool both = onnx_text_is(c, "direction", "forward", "bidirectional");
  term_id directions = rule_int_term(c, both ? 2 : 1);
  term_id steps = in->dims[batch_first ? 1 : 0], batch = in->dims[batch_first ? 0 : 1];
  int64_t hidden_size = onnx_int(c, "hidden_size", 0);
  uint32_t to = c->row->param & RECURRENT_TURNED ? 2 : 1, from = 3 - to;
  term_id hidden = hidden_size > 0 ? rule_int_term(c, hidden_size) : r->dims[from];
  term_id rows = term_scale(c->terms, hidden, NUM(c->row->param & ~RECURRENT_TURNED));
  rule_require_eq(c, r->dims[from], hidden, "the recurrent weights have the hidden size");
  rule_require_eq(c, w->dims[to], rows, "the weights hold every gate");
  rule_require_eq(c, r->dims[to], rows, "the recurrent weights hold every gate");
  rule_require_eq(c, w->dims[from], in->dims[2], "the weights have the input size");
  recurrent_operands(c, &(recurrent_sizes){directions, batch, hidden, rows}, batch_first);
  term_id forward[4] = {steps, directions, batch, hidden};
  term_id reversed[4] = {batch, steps, directions, hidden};
  term_id state[3] = {directions, batch, hidden}, state_first[3] = {batch, directions, hidden};
  rule_set_dims(c, 0, batch_first ? reversed : forward, 4);
  for (uint32_t i = 1; i < rule_result_count(c); i++)
    rule_set_dims(c, i, batch_first ? state_first : state, 3);
  return RULE_DONE;
}

// --- losses

// ONNX: NegativeLogLikelihoodLoss, SoftmaxCrossEntropyLoss: with reduction none the shape of the labels, else a scalar.
rule_status rule_onnx_loss(rule_context *c) {
  assert(rule_operand_count(c) >= 2);
  const value_info *in = rule_operand(c, 0), *target = rule_operand(c, 1);
  bool none = onnx_text_is(c, "reduction", "mean", "none");
  if (in->ranked && in->rank < 2) {
    rule_error(c, "rank", "the operand has rank %u, at least 2 is needed", in->rank);
    return onnx_unknown(c);
  }
  if (in->ranked && !onnx_rank(c, 1, in->rank - 1)) return onnx_unknown(c);
  target = rule_operand(c, 1);
  if (in->ranked && target->ranked) {
    rule_require_eq(c, in->dims[0], target->dims[0], "the labels have the same batch");
    for (uint32_t i = 2; i < in->rank; i++)
      rule_require_eq(c, in->dims[i], target->dims[i - 1], "the labels have the same shape");
    if (onnx_has(c, 2) && onnx_rank(c, 2, 1))
      rule_require_eq(c, rule_operand(c, 2)->dims[0], in->dims[1], "a weight for each class");
  }
  if (!none) {
    rule_set_dims(c, 0, NULL, 0);
  } else if (target->ranked) {
    rule_set_dims_like(c, 0, target);
  } else {
    rule_set_unknown(c, 0);
  }
  if (rule_result_count(c) > 1) rule_set_dims_like(c, 1, in);
  return in->ranked ? RULE_DONE : RULE_AGAIN;
}

// --- quantisation

// Scale and zero point: one element, one for each entry of the axis, or (21) one for each block of it.
static void require_scale(rule_context *c) {
  static const char FITS[] = "there is a scale for each entry of the axis";
  const value_info *in = rule_operand(c, 0), *scale = rule_operand(c, 1);
  int64_t block = onnx_int(c, "block_size", 0), at = onnx_int(c, "axis", 1);
  if (!scale->ranked) return;
  if (onnx_has(c, 2) && rule_operand(c, 2)->ranked && rule_operand(c, 2)->rank == scale->rank)
    onnx_require_dims(c, 2, scale->dims, scale->rank, "scale and zero point have one shape");
  if (!in->ranked || !scale->rank) return;
  if (at < 0) at += in->rank;
  bool inside = at >= 0 && at < in->rank;
  if (block > 0 && inside && scale->rank == in->rank) {
    term_id *dims = onnx_copy_dims(c, in);
    dims[at] = term_ceildiv(c->terms, store_canon(c->store, dims[at]), rule_int_term(c, block));
    onnx_require_dims(c, 1, dims, in->rank, "there is a scale for each block");
  } else if (block <= 0 && scale->rank == 1) {
    const term_id one = TERM_ONE;
    onnx_require_broadcasts(c, scale, inside ? &in->dims[at] : &one, 1, FITS);
  } else {
    rule_unchecked(c, FITS, "its rank is not that of the operand");
  }
}

// ONNX: QuantizeLinear: the type of the zero point, else output_dtype (21), else uint8.
rule_status rule_onnx_quantize(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  require_scale(c);
  int64_t asked = onnx_int(c, "output_dtype", 0);
  shape_dtype zero = onnx_has(c, 2) ? rule_operand_dtype(c, 2) : DTYPE_OTHER;
  shape_dtype dtype = asked ? onnx_dtype_of(asked) : onnx_has(c, 2) ? zero : DTYPE_UI8;
  if (asked && zero != DTYPE_OTHER && zero != dtype)
    rule_error(c, "element-type", "output_dtype is not the type of the zero point");
  onnx_set_dtype(c, 0, dtype);
  rule_set_dims_like(c, 0, rule_operand(c, 0));
  return rule_operand(c, 0)->ranked ? RULE_DONE : RULE_AGAIN;
}

// ONNX: DequantizeLinear: the type of the scale, or output_dtype (23).
rule_status rule_onnx_dequantize(rule_context *c) {
  require_scale(c);
  int64_t asked = onnx_int(c, "output_dtype", 0);
  onnx_set_dtype(c, 0, asked ? onnx_dtype_of(asked) : rule_operand_dtype(c, 1));
  rule_set_dims_like(c, 0, rule_operand(c, 0));
  return rule_operand(c, 0)->ranked ? RULE_DONE : RULE_AGAIN;
}

rule_status rule_onnx_dynamic_quantize(rule_context *c) {
  rule_set_dims_like(c, 0, rule_operand(c, 0));
  for (uint32_t i = 1; i < rule_result_count(c); i++) rule_set_dims(c, i, NULL, 0);
  return rule_operand(c, 0)->ranked ? RULE_DONE : RULE_AGAIN;
}

// ai.onnx.preview.training: Adagrad, Adam, Momentum: operands r, t, then as many tensors of each kind (values,
// gradients, param kinds of state); results are the new values and states.
rule_status rule_onnx_optimizer(rule_context *c) {
  uint32_t kinds = c->row->param + 2, tensors = (rule_operand_count(c) - 2) / kinds;
  for (uint32_t i = 0; i < rule_result_count(c); i++) {
    uint32_t kind = tensors ? i / tensors : 0, at = tensors ? i % tensors : 0;
    // The gradients are between the values and the states.
    uint32_t operand = 2 + (kind ? kind + 1 : 0) * tensors + at;
    onnx_set_dtype(c, i, rule_operand_dtype(c, operand));
    rule_set_dims_like(c, i, rule_operand(c, operand));
  }
  return RULE_DONE;
}

// ai.onnx.preview.training: Gradient: one result for each of xs, which are operands.
rule_status rule_onnx_gradient(rule_context *c) {
  for (uint32_t i = 0; i < rule_result_count(c); i++) {
    onnx_set_dtype(c, i, rule_operand_dtype(c, i));
    rule_set_dims_like(c, i, rule_operand(c, i));
  }
  return RULE_DONE;
}
