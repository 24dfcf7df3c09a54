// SPDX-License-Identifier: Apache-2.0
// Lists of axis numbers: ranges, repeats, order. Linear in the length of the list: an axis is below VALUE_MAX_RANK, so
// that a bit set of that size finds repeats.
#include <assert.h>
#include <string.h>

#include "solver/ops/rules/verify/verify.h"

axis_list verify_read_axes(rule_context *c, const char *name) {
  axis_list list = {NULL, 0};
  if (!rule_ints(c, name, &list.axes, &list.count)) list.count = 0;
  return list;
}

axis_list verify_axes(rule_context *c, attr_id attr, const char *name) {
  const int64_t *axes = NULL;
  uint32_t count = 0;
  if (!graph_attr_ints(c->graph, attr, &axes, &count)) {
    rule_error(c, "attribute", "%s is no list of integers", name);
    count = 0;
  }
  return (axis_list){axes, count};
}

bool verify_dict_int(rule_context *c, attr_id dict, const char *name, int64_t *value) {
  if (dict == ATTR_NONE) return false;
  attr_id id = graph_attr_entry(c->graph, dict, name);
  return id != ATTR_NONE && graph_attr_int(c->graph, id, value);
}

bool verify_in_range(rule_context *c, const char *what, axis_list list, int64_t limit) {
  assert(list.axes || !list.count);
  for (uint32_t i = 0; i < list.count; i++) {
    if (list.axes[i] >= 0 && list.axes[i] < limit) continue;
    rule_error(c, "axis", "%s has %lld, which is out of the range [0, %lld)", what,
               (long long)list.axes[i], (long long)limit);
    return false;
  }
  return true;
}

typedef struct axis_set {
  uint64_t words[VALUE_MAX_RANK / 64];
} axis_set;

// True when it was in the set; axes that cannot be are never in it.
static bool set_add(axis_set *set, int64_t axis) {
  if (axis < 0 || axis >= VALUE_MAX_RANK) return false;
  uint64_t bit = UINT64_C(1) << (axis % 64);
  bool had = (set->words[axis / 64] & bit) != 0;
  set->words[axis / 64] |= bit;
  return had;
}

bool verify_distinct_all(rule_context *c, const char *what, axis_list list) {
  axis_set set;
  memset(&set, 0, sizeof(set));
  for (uint32_t i = 0; i < list.count; i++) {
    if (!set_add(&set, list.axes[i])) continue;
    rule_error(c, "axis", "%s has %lld twice", what, (long long)list.axes[i]);
    return false;
  }
  return true;
}

bool verify_sorted(rule_context *c, const char *what, axis_list list) {
  for (uint32_t i = 1; i < list.count; i++) {
    if (list.axes[i - 1] <= list.axes[i]) continue;
    rule_error(c, "axis", "%s is not sorted: %lld is before %lld", what,
               (long long)list.axes[i - 1], (long long)list.axes[i]);
    return false;
  }
  return true;
}

bool verify_disjoint_all(rule_context *c, const char *what_a, axis_list a, const char *what_b,
                         axis_list b) {
  assert(a.axes && b.axes);
  axis_set set;
  memset(&set, 0, sizeof(set));
  for (uint32_t i = 0; i < a.count; i++) set_add(&set, a.axes[i]);
  for (uint32_t i = 0; i < b.count; i++) {
    int64_t axis = b.axes[i];
    if (axis < 0 || axis >= VALUE_MAX_RANK || !(set.words[axis / 64] >> (axis % 64) & 1)) continue;
    rule_error(c, "axis", "axis %lld is in %s and in %s", (long long)axis, what_a, what_b);
    return false;
  }
  return true;
}

bool verify_length(rule_context *c, const char *what, uint32_t count, uint32_t want) {
  if (count == want) return true;
  rule_error(c, "attribute", "%s has %u elements, %u are needed", what, count, want);
  return false;
}
