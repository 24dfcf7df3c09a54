// SPDX-License-Identifier: Apache-2.0
// scatter: updates go into the inputs at positions that an operand gives (StableHLO spec, scatter (C1..C24)).
#include <assert.h>

#include "solver/ops/rules/stablehlo/indexing.h"

static const indexing_names names = {
    "scatter_dimension_numbers",     "update_window_dims",
    "inserted_window_dims",          "input_batching_dims",
    "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"};

static void check_region(rule_context *c, uint32_t count) {
  assert(2 * count < rule_operand_count(c));
  type_id *inputs = arena_alloc(c->arena, (size_t)count * 2 * sizeof(type_id));
  // The region sees scalars: an input's element is the initial value, an update's for the value to combine.
  for (uint32_t i = 0; i < count; i++) {
    inputs[i] = verify_operand_type(c, count + 1 + i);
    type_id input = verify_operand_type(c, i);
    inputs[count + i] = input;
    if (input == TYPE_NONE || !type_is_tensor(&c->graph->types, input)) continue;
    inputs[count + i] = type_with_dims(&c->graph->types, input, NULL, NULL, 0);
  }
  reducer_spec spec = {
      .inputs = inputs, .inits = inputs + count, .count = count, .check_results = true};
  verify_reducer(c, 0, &spec);
}

// (C4): the updates are windows, one for each index.
static void check_updates(rule_context *c, const indexing *x, uint32_t input, uint32_t indices,
                          uint32_t updates) {
  const value_info *in = rule_operand(c, input), *s = rule_operand(c, indices);
  term_id *batch = arena_alloc(c->arena, ((size_t)s->rank + 1) * sizeof(term_id));
  uint32_t batches = indexing_batch_sizes(c, x, indices, batch), rank = batches + x->window.count;
  if (!rule_assume_rank(c, updates, rank)) {
    rule_error(c, "rank", "the updates have rank %u, %u axes of indices and %u of windows make %u",
               rule_operand(c, updates)->rank, batches, x->window.count, rank);
    return;
  }
  if (!verify_in_range(c, names.window, x->window, rank)) return;
  const value_info *u = rule_operand(c, updates);
  uint32_t axis = 0, at = 0;
  for (uint32_t i = 0; i < rank; i++) {
    if (!axis_in(x->window, i)) {
      rule_require_eq(c, u->dims[i], batch[at++], "the updates have a window for each index");
      continue;
    }
    while (!indexing_keeps(x, axis)) axis++;
    rule_require(c, predicate_make(REL_LE, u->dims[i], in->dims[axis++]),
                 "a window of the updates fits into the input");
  }
}

rule_status rule_scatter(rule_context *c) {
  uint32_t operands = rule_operand_count(c), count = operands / 2;
  if (operands % 2 == 0 || operands < 3) {
    rule_error(c, "operands",
               "%u operands: as many updates as inputs and one for the indices are needed",
               operands);
    for (uint32_t i = 0; i < rule_result_count(c); i++) rule_set_unknown(c, i);
    return RULE_DONE;
  }
  if (rule_result_count(c) != count)
    rule_error(c, "operands", "%u inputs and %u results", count, rule_result_count(c));
  shape_dtype positions = rule_operand_dtype(c, count);
  if (positions != DTYPE_OTHER && (!dtype_is_integer(positions) || positions == DTYPE_I1))
    rule_error(c, "element-type", "the indices are %s, integers are needed",
               verify_type_text(c, verify_operand_type(c, count)));
  check_region(c, count);
  bool fine = true;
  for (uint32_t i = 1; i < count; i++) {
    fine = rule_require_same_shape(c, 0, i, "the inputs have the same shape") && fine;
    fine =
        rule_require_same_shape(c, count + 1, count + 1 + i, "the updates have the same shape") &&
        fine;
  }
  indexing x;
  fine = indexing_read(c, &names, 0, count, &x) && fine;
  const value_info *updates = rule_operand(c, count + 1);
  if (updates->ranked) fine = verify_in_range(c, names.window, x.window, updates->rank) && fine;
  if (fine) check_updates(c, &x, 0, count, count + 1);
  for (uint32_t i = 0; i < rule_result_count(c); i++)
    rule_set_dims_like(c, i, rule_operand(c, i < count ? i : 0));
  return RULE_DONE;
}
