// SPDX-License-Identifier: Apache-2.0
// Attention of ONNX and com.microsoft: heads are an axis of their own (rank 4) or packed into the last one (rank 3).
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"

// One of query, key and value, unpacked.
typedef struct head_shape {
  term_id batch, heads, steps, size;
  bool known;
} head_shape;

// [B, H, S, D], or [B, S, H * D] where the attribute says how many heads there are.
static head_shape unpack(rule_context *c, uint32_t operand, const char *heads_name) {
  const value_info *v = rule_operand(c, operand);
  head_shape out = {.known = false};
  if (!v->ranked) return out;
  if (v->rank == 4) {
    out = (head_shape){v->dims[0], v->dims[1], v->dims[2], v->dims[3], true};
  } else if (v->rank == 3) {
    int64_t heads = onnx_int(c, heads_name, 0);
    if (heads < 1) {
      rule_error(c, "attribute", "%s is needed where heads are packed", heads_name);
      return out;
    }
    term_id count = rule_int_term(c, heads), packed = store_canon(c->store, v->dims[2]);
    rule_require(c, predicate_make(REL_DIVISIBLE, packed, count), "all heads have one dim");
    out = (head_shape){v->dims[0], count, v->dims[1], term_floordiv(c->terms, packed, count), true};
  } else {
    rule_error(c, "rank", "operand #%u has rank %u, 3 or 4 is needed", operand, v->rank);
  }
  return out;
}

static term_id with_past(rule_context *c, uint32_t past, term_id steps) {
  if (!onnx_has(c, past)) return steps;
  if (!onnx_rank(c, past, 4)) return TERM_NONE;
  return term_add(c->terms, steps, rule_operand(c, past)->dims[2]);
}

static void set_four(rule_context *c, uint32_t result, term_id a, term_id b, term_id d, term_id e) {
  term_id dims[4] = {a, b, d, e};
  rule_set_dims(c, result, dims, 4);
}

static void check_types(rule_context *c) {
  shape_dtype query = rule_operand_dtype(c, 0), key = rule_operand_dtype(c, 1);
  if (query != DTYPE_OTHER && key != DTYPE_OTHER && query != key)
    rule_error(c, "element-type", "query and key have different element types");
}

// ONNX: Attention (23): Y, present_key, present_value, qk_matmul_output; FlexAttention (param 1): rank 4 only.
rule_status rule_onnx_attention(rule_context *c) {
  assert(rule_operand_count(c) >= 3);
  if (c->row->param && (!onnx_rank(c, 0, 4) || !onnx_rank(c, 1, 4) || !onnx_rank(c, 2, 4)))
    return onnx_unknown(c);
  check_types(c);
  head_shape q = unpack(c, 0, "q_num_heads"), k = unpack(c, 1, "kv_num_heads");
  head_shape v = unpack(c, 2, "kv_num_heads");
  if (!q.known || !k.known || !v.known) return onnx_unknown(c);
  rule_require_eq(c, q.batch, k.batch, "the batches are equal");
  rule_require_eq(c, k.batch, v.batch, "the batches are equal");
  rule_require_eq(c, q.size, k.size, "heads of query and key have one size");
  rule_require_eq(c, k.heads, v.heads, "key and value have as many heads");
  rule_require_eq(c, k.steps, v.steps, "key and value have one length");
  if (math_is_positive(c, k.heads))
    rule_require(c, predicate_make(REL_DIVISIBLE, q.heads, k.heads), "heads share keys evenly");
  if (c->graph->onnx_opset >= 25 && rule_operand(c, 0)->rank == 4 && !c->row->param &&
      (rule_attr(c, "q_num_heads") != ATTR_NONE || rule_attr(c, "kv_num_heads") != ATTR_NONE))
    rule_error(c, "attribute", "numbers of heads are given, and heads have an axis");
  if (onnx_has(c, 4) != onnx_has(c, 5))
    rule_error(c, "operand-count", "past_key and past_value must be given together");
  if (onnx_has(c, 4) && onnx_has(c, 6))
    rule_error(c, "operand-count", "a past and nonpad_kv_seqlen are both given: leave one out");
  if (rule_operand(c, 0)->rank == 3) {
    term_id dims[3] = {q.batch, q.steps, term_mul(c->terms, q.heads, v.size)};
    rule_set_dims(c, 0, dims, 3);
  } else {
    set_four(c, 0, q.batch, q.heads, q.steps, v.size);
  }
  if (c->row->param) return RULE_DONE;
  term_id total = with_past(c, 4, k.steps);
  if (total == TERM_NONE) return onnx_unknown(c);
  onnx_leave_operands(c, 3);
  set_four(c, 1, k.batch, k.heads, total, k.size);
  set_four(c, 2, v.batch, v.heads, total, v.size);
  set_four(c, 3, q.batch, q.heads, q.steps, total);
  return RULE_DONE;
}

static void check_head_gates(rule_context *c, const head_shape *k, term_id heads) {
  bool gated = onnx_text_is(c, "update_rule", "gated_delta", "gated"),
       delta = onnx_text_is(c, "update_rule", "gated_delta", "delta"),
       both = onnx_text_is(c, "update_rule", "gated_delta", "gated_delta"),
       linear = onnx_text_is(c, "update_rule", "gated_delta", "linear");
  if (!gated && !delta && !both && !linear)
    rule_error(c, "attribute", "update_rule '%s' is not known", rule_text(c, "update_rule"));
  if (onnx_has(c, 4) != (gated || both))
    rule_error(c, "operand-count", "decay is %s: this update_rule %s it",
               onnx_has(c, 4) ? "given" : "missing", onnx_has(c, 4) ? "does not take" : "needs");
  if (onnx_has(c, 5) != (delta || both))
    rule_error(c, "operand-count", "beta is %s: this update_rule %s it",
               onnx_has(c, 5) ? "given" : "missing", onnx_has(c, 5) ? "does not take" : "needs");
  int64_t have, all, one = 1;
  for (uint32_t i = 4; i < 6; i++) {
    if (!onnx_has(c, i) || !onnx_rank(c, i, 3)) continue;
    bool known = onnx_constant_int(c, rule_operand(c, i)->dims[2], &have) &&
                 onnx_constant_int(c, heads, &all);
    bool sized = onnx_constant_int(c, k->size, &one);
    bool fits = have == all || (i == 4 ? !sized || have == all * one : have == 1);
    if (known && !fits)
      rule_error(c, "size", "operand #%u has %lld gates for %lld heads", i, (long long)have,
                 (long long)all);
  }
}

// ONNX: LinearAttention: packed operands; the state is [B, H_kv, d_k, d_v].
rule_status rule_onnx_linear_attention(rule_context *c) {
  assert(rule_operand_count(c) >= 3);
  if (!onnx_rank(c, 0, 3) || !onnx_rank(c, 1, 3) || !onnx_rank(c, 2, 3)) return onnx_unknown(c);
  head_shape q = unpack(c, 0, "q_num_heads"), k = unpack(c, 1, "kv_num_heads");
  head_shape v = unpack(c, 2, "kv_num_heads");
  if (!q.known || !k.known || !v.known) return onnx_unknown(c);
  rule_require(c, predicate_make(REL_DIVISIBLE, q.heads, k.heads), "heads share keys evenly");
  rule_require_eq(c, q.size, k.size, "heads of query and key have one size");
  check_head_gates(c, &k, k.heads);
  onnx_leave_operands(c, 1);
  term_id dims[3] = {q.batch, q.steps, term_mul(c->terms, q.heads, v.size)};
  rule_set_dims(c, 0, dims, 3);
  if (rule_result_count(c) > 1) set_four(c, 1, k.batch, k.heads, k.size, v.size);
  onnx_set_dtype(c, 1, rule_operand_dtype(c, onnx_has(c, 3) ? 3 : 0));
  return RULE_DONE;
}

// ONNX: RotaryEmbedding.
rule_status rule_onnx_rotary(rule_context *c) {
  assert(rule_operand_count(c) >= 1 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0);
  if (in->ranked && in->rank != 3 && in->rank != 4)
    rule_error(c, "rank", "the operand has rank %u, 3 or 4 is needed", in->rank);
  rule_set_dims_like(c, 0, in);
  onnx_leave_operands(c, 1);
  return in->ranked ? RULE_DONE : RULE_AGAIN;
}

// com.microsoft: LongformerAttention: each token attends to a window before and after it, so the length is whole pairs.
rule_status rule_onnx_ms_longformer(rule_context *c) {
  if (!onnx_rank(c, 0, 3)) return onnx_unknown(c);
  const value_info *in = rule_operand(c, 0);
  int64_t window = onnx_int(c, "window", 0), heads = onnx_int(c, "num_heads", 0);
  if (window < 1 || heads < 1 || window > INT32_MAX) {
    rule_error(c, "attribute", "window is %lld and num_heads %lld, at least 1 is needed",
               (long long)window, (long long)heads);
    return onnx_unknown(c);
  }
  term_id length = store_canon(c->store, in->dims[1]), width = store_canon(c->store, in->dims[2]);
  rule_require(c, predicate_make(REL_DIVISIBLE, length, rule_int_term(c, 2 * window)),
               "the length is a multiple of two windows");
  rule_require(c, predicate_make(REL_DIVISIBLE, width, rule_int_term(c, heads)),
               "all heads have one dim");
  rule_set_dims_like(c, 0, in);
  return RULE_DONE;
}

// com.microsoft: EmbedLayerNormalization: [batch, length, hidden], a mask index for each batch.
rule_status rule_onnx_ms_embed(rule_context *c) {
  assert(rule_operand_count(c) >= 1);
  onnx_leave_operands(c, 1);
  if (!onnx_has(c, 2) || !onnx_rank(c, 0, 2) || !onnx_rank(c, 2, 2)) return onnx_unknown(c);
  const value_info *ids = rule_operand(c, 0);
  term_id dims[3] = {ids->dims[0], ids->dims[1], rule_operand(c, 2)->dims[1]};
  rule_set_dims(c, 0, dims, 3);
  if (rule_result_count(c) > 1) {
    onnx_unknown(c);
    rule_set_dims(c, 1, dims, 1);
  }
  if (rule_result_count(c) > 2) rule_set_dims(c, 2, dims, 3);
  return RULE_DONE;
}

// com.microsoft: QLinearAdd, QLinearMul, MulInteger: operand 0 and the one that param names broadcast.
rule_status rule_onnx_ms_qlinear_binary(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  uint32_t other = (uint32_t)c->row->param;
  if (!onnx_has(c, other)) return onnx_unknown(c);
  const value_info *shapes[2] = {rule_operand(c, 0), rule_operand(c, other)};
  term_id *dims;
  uint32_t rank;
  if (!onnx_broadcast_dims(c, shapes, 2, &dims, &rank)) return onnx_unknown(c);
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}
