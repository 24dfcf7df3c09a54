// SPDX-License-Identifier: Apache-2.0
// torch_index_select (deprecated): the axis `dim` of the operand gives way to the axes of the index after batch_dims.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"
#include "solver/ops/rules/verify/verify.h"

// Negative numbers count from the end.
static bool read_axis(rule_context *c, const char *name, int64_t limit, bool end_too,
                      int64_t *axis) {
  *axis = 0;
  rule_int(c, name, axis);
  int64_t given = *axis;
  if (*axis < 0) *axis += limit;
  if (*axis >= 0 && (*axis < limit || (end_too && *axis == limit))) return true;
  rule_error(c, "axis", "%s is %lld, which is out of the range of %lld axes", name,
             (long long)given, (long long)limit);
  return false;
}

rule_status rule_torch_index_select(rule_context *c) {
  assert(rule_operand_count(c) >= 2 && rule_result_count(c) == 1);
  const value_info *in = rule_operand(c, 0), *index = rule_operand(c, 1);
  int64_t dim, batch;
  if (!in->ranked || !index->ranked || !read_axis(c, "dim", in->rank, false, &dim) ||
      !read_axis(c, "batch_dims", index->rank, true, &batch)) {
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  if (batch > dim) {
    rule_error(c, "axis", "batch_dims is %lld, dim is %lld", (long long)batch, (long long)dim);
    rule_set_unknown(c, 0);
    return RULE_DONE;
  }
  term_id *dims = arena_alloc(c->arena, ((size_t)in->rank + index->rank + 1) * sizeof(term_id));
  uint32_t rank = 0;
  for (uint32_t i = 0; i < batch; i++)
    rule_require_eq(c, in->dims[i], index->dims[i], "the batch dims are equal");
  for (uint32_t i = 0; i < dim; i++) dims[rank++] = in->dims[i];
  for (uint32_t i = (uint32_t)batch; i < index->rank; i++) dims[rank++] = index->dims[i];
  for (uint32_t i = (uint32_t)dim + 1; i < in->rank; i++) dims[rank++] = in->dims[i];
  rule_set_dims(c, 0, dims, rank);
  return RULE_DONE;
}
