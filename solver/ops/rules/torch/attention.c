// SPDX-License-Identifier: Apache-2.0
// scaled_dot_product_attention and its implementations: q [.., L, E], k [.., S, E], v [.., S, V] give [.., L, V].
#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/onnx/onnx.h"
#include "solver/ops/rules/torch/torch.h"

// The batch axes of query, key and value; with enable_gqa, heads of the query are a multiple of those of the key.
static bool batch_dims(rule_context *c, const value_info *const *all, value_info *out) {
  value_info parts[3];
  const value_info *shapes[3];
  bool known = true, grouped = torch_flag(c, "enable_gqa", false, &known);
  uint32_t count = grouped ? 1 : 3;
  if (!known) return false;
  for (uint32_t i = 0; i < 3; i++) {
    parts[i] = (value_info){.dims = all[i]->dims, .rank = all[i]->rank - 2, .ranked = true};
    shapes[i] = &parts[i];
  }
  for (uint32_t i = 1; i < 3 && grouped; i++) {
    uint32_t q = parts[0].rank, k = parts[i].rank;
    if (!q || !k) continue;
    term_id heads = parts[i].dims[k - 1];
    rule_require(c, predicate_make(REL_GE, heads, TERM_ONE), "there is a head");
    rule_require(c, predicate_make(REL_DIVISIBLE, parts[0].dims[q - 1], heads),
                 "heads of the query are a multiple of those of the key");
    for (uint32_t d = 0; d + 1 < q && d + 1 < k && q == k; d++)
      rule_require_eq(c, parts[0].dims[d], parts[i].dims[d], "the batch dims are equal");
  }
  return torch_broadcast(c, shapes, count, out);
}

rule_status rule_torch_attention(rule_context *c) {
  const value_info *all[3] = {torch_arg(c, "query"), torch_arg(c, "key"), torch_arg(c, "value")};
  value_info batch;
  for (uint32_t i = 0; i < 3; i++) {
    if (!torch_min_rank(c, all[i], 2)) return torch_unknown(c);
  }
  const value_info *q = all[0], *k = all[1], *v = all[2], *mask = torch_arg(c, "attn_mask");
  term_id steps = k->dims[k->rank - 2];
  rule_require_eq(c, q->dims[q->rank - 1], k->dims[k->rank - 1], "query and key have one width");
  rule_require_eq(c, steps, v->dims[v->rank - 2], "key and value have one length");
  if (!batch_dims(c, all, &batch)) return torch_unknown(c);
  term_id *dims = torch_dims(c, &batch, 2);
  dims[batch.rank] = q->dims[q->rank - 2];
  dims[batch.rank + 1] = steps;
  if (torch_has(c,
                "attn_mask")) {  // it is added to the scores, and may have more rows than the query
    value_info scores = {.dims = dims, .rank = batch.rank + 2, .ranked = true}, all_scores;
    const value_info *both[2] = {&scores, mask};
    if (!torch_broadcast(c, both, 2, &all_scores)) return torch_unknown(c);
    batch.rank = all_scores.rank - 2;
    dims = torch_dims(c, &all_scores, 0);
    rule_require_eq(c, dims[batch.rank + 1], steps, "there is a value for each score");
  }
  dims[batch.rank + 1] = v->dims[v->rank - 1];
  rule_set_dims(c, 0, dims, batch.rank + 2);
  if (rule_result_count(c) < 2) return RULE_DONE;
  // logsumexp: [batch, heads, L]; the efficient form rounds L up to 32 (param 1).
  if (c->row->param) {
    term_id step = rule_int_term(c, 32);
    dims[batch.rank] = term_mul(c->terms, term_ceildiv(c->terms, dims[batch.rank], step), step);
  }
  rule_set_dims(c, 1, dims, batch.rank + 1);
  for (uint32_t i = 2; i < rule_result_count(c); i++) rule_set_unknown(c, i);
  return RULE_DONE;
}
