// SPDX-License-Identifier: Apache-2.0
// What collective operations say about processes: replica groups, source-target pairs, channels; and precision_config.
#include <assert.h>
#include <string.h>

#include "solver/ops/rules/verify/verify.h"

// Marks each id of 0 .. limit-1 that occurs; false (reported) where one occurs twice. -1 fills up short groups.
static bool mark_ids(rule_context *c, const int64_t *ids, uint32_t count, bool may_pad,
                     uint8_t *seen, uint32_t limit) {
  assert(ids || !count);
  for (uint32_t i = 0; i < count; i++) {
    if (ids[i] == -1 && may_pad) continue;
    if (ids[i] < 0) {
      rule_error(c, "attribute", "replica_groups has the id %lld", (long long)ids[i]);
      return false;
    }
    if (ids[i] >= limit) continue;  // some smaller id is missing then, which is reported as that
    if (seen[ids[i]]) {
      rule_error(c, "attribute", "replica_groups has the id %lld twice", (long long)ids[i]);
      return false;
    }
    seen[ids[i]] = 1;
  }
  return true;
}

bool verify_replica_groups(rule_context *c, bool all_used, bool same_size, int64_t expected,
                           int64_t *size) {
  *size = 0;
  const graph_attr *attr = graph_attr_get(c->graph, rule_attr(c, "replica_groups"));
  if (!attr || attr->kind != ATTR_DENSE || attr->type == TYPE_NONE) return true;
  const graph_type *type = type_get(&c->graph->types, attr->type);
  if (type->kind != TYPE_TENSOR || type->rank != 2) {
    rule_error(c, "attribute", "replica_groups has rank %u, rank 2 is needed", type->rank);
    return false;
  }
  int64_t rows = type->dims[0], columns = type->dims[1];
  bool global = rule_attr(c, "use_global_device_ids") != ATTR_NONE;
  if (rows == 0 || columns == 0) {
    if (!global) return true;
    rule_error(c, "attribute", "replica_groups is empty although use_global_device_ids is set");
    return false;
  }
  if (expected > 0 && columns != expected) {
    rule_error(c, "attribute", "replica_groups has groups of %lld, groups of %lld are needed",
               (long long)columns, (long long)expected);
    return false;
  }
  *size = columns;
  const int64_t *ids;
  uint32_t count;
  if (!graph_attr_ints(c->graph, rule_attr(c, "replica_groups"), &ids, &count)) return true;
  uint32_t used = 0;
  for (uint32_t i = 0; i < count; i++) used += ids[i] != -1;
  uint8_t *seen = arena_zalloc(c->arena, (size_t)count + 1);
  if (!mark_ids(c, ids, count, !same_size, seen, count)) return false;
  if (used < count && !same_size) *size = 0;  // groups of different lengths
  for (uint32_t i = 0; all_used && i < used; i++) {
    if (seen[i]) continue;
    rule_error(c, "attribute", "replica_groups lacks the id %u of 0 .. %u", i, used - 1);
    return false;
  }
  return true;
}

static int order_ints(int64_t a, int64_t b) { return a < b ? -1 : a > b; }

// Heap sort: no recursion, no memory, no quadratic case.
static void sort_ints(int64_t *v, uint32_t n) {
  assert(v || !n);
  for (uint32_t start = n / 2, end = n; end > 1;) {
    if (start > 0) {
      start--;
    } else {
      end--;
      int64_t t = v[end];
      v[end] = v[0];
      v[0] = t;
    }
    for (uint32_t root = start, child; (child = 2 * root + 1) < end; root = child) {
      if (child + 1 < end && order_ints(v[child], v[child + 1]) < 0) child++;
      if (order_ints(v[root], v[child]) >= 0) break;
      int64_t t = v[root];
      v[root] = v[child];
      v[child] = t;
    }
  }
}

bool verify_source_target_pairs(rule_context *c) {
  const graph_attr *attr = graph_attr_get(c->graph, rule_attr(c, "source_target_pairs"));
  if (!attr || attr->kind != ATTR_DENSE || attr->type == TYPE_NONE) return true;
  const graph_type *type = type_get(&c->graph->types, attr->type);
  if (type->kind != TYPE_TENSOR || type->rank != 2 || type->dims[1] != 2) {
    rule_error(c, "attribute", "source_target_pairs is %s, a tensor of the shape Nx2 is needed",
               verify_type_text(c, attr->type));
    return false;
  }
  const int64_t *ids;
  uint32_t count;
  if (!graph_attr_ints(c->graph, rule_attr(c, "source_target_pairs"), &ids, &count)) return true;
  int64_t *sorted = arena_alloc(c->arena, ((size_t)count / 2 + 1) * sizeof(int64_t));
  for (uint32_t side = 0; side < 2; side++) {
    for (uint32_t i = 0; i < count / 2; i++) sorted[i] = ids[2 * i + side];
    sort_ints(sorted, count / 2);
    for (uint32_t i = 0; i < count / 2; i++) {
      bool twice = i > 0 && sorted[i - 1] == sorted[i];
      if (sorted[i] >= 0 && !twice) continue;
      rule_error(c, "attribute", "source_target_pairs has the %s %lld%s",
                 side ? "target" : "source", (long long)sorted[i], twice ? " twice" : "");
      return false;
    }
  }
  return true;
}

bool verify_channel(rule_context *c, bool needs_positive) {
  if (rule_attr(c, "use_global_device_ids") == ATTR_NONE) return true;
  int64_t handle = 0;
  verify_dict_int(c, rule_attr(c, "channel_handle"), "handle", &handle);
  if (needs_positive ? handle > 0 : handle >= 0) return true;
  rule_error(c, "attribute", "the channel is %lld although use_global_device_ids is set",
             (long long)handle);
  return false;
}

bool verify_precision(rule_context *c) {
  const graph_attr *attr = graph_attr_get(c->graph, rule_attr(c, "precision_config"));
  if (!attr || attr->kind != ATTR_ARRAY) return true;
  if (attr->count > 2) {
    rule_error(c, "attribute", "precision_config has %u elements, at most 2 are possible",
               attr->count);
    return false;
  }
  for (uint32_t i = 0; i < attr->count; i++) {
    const graph_attr *item = graph_attr_get(c->graph, attr_item_at(attr, i));
    if (!item || item->kind == ATTR_ENUM || item->kind == ATTR_OPAQUE) continue;
    rule_error(c, "attribute", "precision_config #%u is no precision", i);
    return false;
  }
  return true;
}
