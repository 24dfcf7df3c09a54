// SPDX-License-Identifier: Apache-2.0
// send, recv, infeed, outfeed: what crosses the border of the program, in the order of its tokens.
#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/verify/verify.h"

static bool is_token(const graph_type *t) {
  return t && t->kind == TYPE_SCALAR && t->dtype == DTYPE_TOKEN;
}
static bool is_tensor(const graph_type *t) {
  return !t || t->kind == TYPE_TENSOR || t->kind == TYPE_UNRANKED;
}

// Tensors, and a token after them.
static void check_results(rule_context *c) {
  uint32_t count = rule_result_count(c);
  if (count == 0) {
    rule_error(c, "operands", "no results, a token at least is needed");
    return;
  }
  for (uint32_t i = 0; i + 1 < count; i++) {
    if (is_tensor(rule_result_type(c, i))) continue;
    rule_error(c, "element-type", "result #%u is %s, a tensor is needed before the last result", i,
               verify_type_text(c, verify_result_type(c, i)));
    break;
  }
  const graph_type *last = rule_result_type(c, count - 1);
  if (last && !is_token(last))
    rule_error(c, "element-type", "the last result is %s, a token is needed",
               verify_type_text(c, verify_result_type(c, count - 1)));
}

static void check_last_operand(rule_context *c) {
  uint32_t count = rule_operand_count(c);
  const graph_type *last = count ? rule_operand_type(c, count - 1) : NULL;
  if (last && !is_token(last))
    rule_error(c, "element-type", "the last operand is %s, a token is needed",
               verify_type_text(c, verify_operand_type(c, count - 1)));
}

static void set_all(rule_context *c) {
  for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_unknown(c, i);
}

enum { DEVICE_TO_DEVICE = 1, DEVICE_TO_HOST = 2, HOST_TO_DEVICE = 3 };

// StableHLO spec, send and recv (C1): the type of the channel fits is_host_transfer.
static void check_channel_type(rule_context *c, int64_t to_host) {
  int64_t type, host = 0;
  if (!verify_dict_int(c, rule_attr(c, "channel_handle"), "type", &type)) return;
  rule_int(c, "is_host_transfer", &host);
  int64_t want = host ? to_host : DEVICE_TO_DEVICE;
  if (type != want)
    rule_error(c, "attribute", "the channel's type is %lld, is_host_transfer being %s needs %lld",
               (long long)type, host ? "true" : "false", (long long)want);
}

rule_status rule_send_recv(rule_context *c) {
  if (c->row->param == PARAM_SEND) {
    check_channel_type(c, DEVICE_TO_HOST);
    check_last_operand(c);
  } else {
    check_channel_type(c, HOST_TO_DEVICE);
    check_results(c);
  }
  set_all(c);
  return RULE_DONE;
}

// A permutation of the axes per tensor.
static void check_layout(rule_context *c) {
  const graph_attr *layout = graph_attr_get(c->graph, rule_attr(c, "layout"));
  if (!layout) return;
  uint32_t tensors = rule_result_count(c) ? rule_result_count(c) - 1 : 0;
  if (layout->kind != ATTR_ARRAY) {
    rule_error(c, "attribute", "layout is no list");
    return;
  }
  if (layout->count != tensors) {
    rule_error(c, "attribute", "layout has %u elements, there are %u tensors", layout->count,
               tensors);
    return;
  }
  for (uint32_t i = 0; i < layout->count; i++) {
    const int64_t *order;
    uint32_t count;
    const graph_attr *item = graph_attr_get(c->graph, attr_item_at(layout, i));
    if (item && item->kind == ATTR_ARRAY && item->count == 0) continue;
    if (item && item->kind != ATTR_INT &&
        graph_attr_ints(c->graph, attr_item_at(layout, i), &order, &count))
      continue;
    rule_error(c, "attribute", "layout #%u is no list of integers", i);
    return;
  }
}

rule_status rule_infeed_outfeed(rule_context *c) {
  if (c->row->param == PARAM_INFEED) {
    check_results(c);
    check_layout(c);
  } else {
    check_last_operand(c);
  }
  set_all(c);
  return RULE_DONE;
}
