// SPDX-License-Identifier: Apache-2.0
// What an operation requires of operands whose rank is not known. A rule that needs the rank gives up, or assumes the one
// that the operation needs; either way the requirement is left unchecked, here for all rules.
#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"

// They take operands of any rank; their results have the shape of an operand, and the type of a result may say a rank all
// the same.
static rule_function *const like_operand[] = {
    rule_unary,
    rule_convert,
    rule_identity,
    rule_is_finite,
    rule_reduce_precision,
    rule_complex_part,
    rule_constant_like,
    rule_bitcast_convert,
    rule_uniform_quantize,
    rule_optimization_barrier,
};

// Other rules of operations that take operands of any rank and dims, and those that leave what they need unchecked themselves.
static rule_function *const any_rank[] = {
    rule_unknown,
    rule_constant,
    rule_custom_call,
    rule_tuple,
    rule_get_tuple_element,
    rule_async_done,
    rule_token,
    rule_control,
    rule_send_recv,
    rule_infeed_outfeed,
    rule_onnx_bit_cast,
    rule_onnx_cast,
    rule_onnx_clip,
    rule_onnx_compress,
    rule_onnx_constant,
    rule_onnx_control,
    rule_onnx_dynamic_quantize,
    rule_onnx_identity,
    rule_onnx_if,
    rule_onnx_non_zero,
    rule_onnx_optional,
    rule_onnx_optional_get,
    rule_onnx_random,
    rule_onnx_range,
    rule_onnx_round,
    rule_onnx_scalar,
    rule_onnx_sequence_construct,
    rule_onnx_sequence_empty,
    rule_onnx_sequence_insert,
    rule_onnx_sequence_erase,
    rule_onnx_sequence_length,
    rule_onnx_sequence_at,
    rule_onnx_shape_of,
    rule_onnx_size,
    rule_onnx_squeeze,
    rule_onnx_string_split,
    rule_onnx_transpose,
    rule_onnx_zip_map,
};

static bool is_one_of(rule_function *rule, rule_function *const *rules, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (rule == rules[i]) return true;
  }
  return false;
}

static bool takes_any_rank(const rule_context *c) {
  const op_row *row = c->row;
  if (is_one_of(row->rule, like_operand, sizeof like_operand / sizeof *like_operand) ||
      is_one_of(row->rule, any_rank, sizeof any_rank / sizeof *any_rank))
    return true;
  if (row->rule == rule_extent)
    return row->param == EXTENT_SHAPE_OF || row->param == EXTENT_NUM_ELEMENTS ||
           row->param == EXTENT_RANK || row->param == EXTENT_TENSOR_RANK ||
           row->param == EXTENT_ANY || row->param == EXTENT_IS_BROADCASTABLE ||
           row->param == EXTENT_SHAPE_EQ || row->param == EXTENT_VALUE_AS_SHAPE ||
           row->param == EXTENT_VALUE_OF || row->param == EXTENT_WITH_SHAPE;
  if (row->rule == rule_onnx_unique) return rule_attr(c, "axis") == ATTR_NONE;
  if (row->rule == rule_onnx_like) return row->max_operands == 1;
  return false;
}

static bool declares_rank(const rule_context *c) {
  bool like = is_one_of(c->row->rule, like_operand, sizeof like_operand / sizeof *like_operand);
  bool extents = c->row->rule == rule_extent && c->row->param == EXTENT_SHAPE_OF;
  for (uint32_t i = 0; (like || extents) && i < rule_result_count(c); i++) {
    const graph_type *t = rule_result_type(c, i);
    if (t && t->kind == TYPE_TENSOR && (like || (t->rank == 1 && dim_is_static(t->dims[0]))))
      return true;
  }
  return false;
}

static bool broadcasts(const rule_context *c) {
  rule_function *r = c->row->rule;
  return r == rule_onnx_broadcast || r == rule_onnx_compare || r == rule_onnx_mod ||
         r == rule_onnx_where || r == rule_chlo_binary || r == rule_chlo_compare;
}

static bool is_one_element(rule_context *c, const value_info *v) {
  for (uint32_t i = 0; i < v->rank; i++) {
    if (store_canon(c->store, v->dims[i]) != TERM_ONE) return false;
  }
  return true;
}

static bool is_unranked_tensor(const rule_context *c, value_id v) {
  type_id type = v == VALUE_NONE ? TYPE_NONE : c->graph->values[v].type;
  if (v == VALUE_NONE || rule_value(c, v)->ranked) return false;
  if (type == TYPE_NONE) return c->row->since != 0;
  uint8_t kind = type_get(&c->graph->types, type)->kind;
  return kind == TYPE_UNRANKED || kind == TYPE_TENSOR;
}

void rule_leave_ranks(rule_context *c) {
  uint32_t unknown = 0, larger = 0;
  for (uint32_t i = 0; i < rule_operand_count(c); i++) {
    value_id v = graph_operand(c->graph, c->op, i);
    const value_info *info = rule_value(c, v);
    if (value_rank_from(info) == c->op + 1)
      rule_unchecked(c, "the operands have the ranks that it needs", "a rank is not known");
    if (is_unranked_tensor(c, v)) {
      unknown++;
    } else if (info->ranked && !is_one_element(c, info)) {
      larger++;
    }
  }
  if (unknown && declares_rank(c))
    rule_unchecked(c, "the operand has the rank that the type of the result says",
                   "a rank is not known");
  if (!unknown || takes_any_rank(c)) return;
  if (broadcasts(c) && unknown == 1 && !larger) return;
  rule_unchecked(c, "the ranks and dims of the operands fit together", "a rank is not known");
}
