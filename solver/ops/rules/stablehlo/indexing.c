// SPDX-License-Identifier: Apache-2.0
#include "solver/ops/rules/stablehlo/indexing.h"

#include <assert.h>

// Constraints of one list of axes: gather (C4, C6..C8, C10, C11, C13, C14, C18, C19), scatter (C7..C15, C20, C21).
static bool check_lists(rule_context *c, const indexing_names *n, const indexing *x,
                        const value_info *operand, const value_info *indices) {
  bool fine = verify_distinct(c, n->window, x->window);
  fine = verify_sorted(c, n->window, x->window) && fine;
  fine = verify_distinct(c, n->dropped, x->dropped) && fine;
  fine = verify_sorted(c, n->dropped, x->dropped) && fine;
  fine = verify_distinct(c, n->batching, x->batching) && fine;
  fine = verify_sorted(c, n->batching, x->batching) && fine;
  fine = verify_disjoint(c, n->dropped, x->dropped, n->batching, x->batching) && fine;
  fine = verify_distinct(c, n->indices_batching, x->indices_batching) && fine;
  fine = verify_distinct(c, n->map, x->map) && fine;
  fine = verify_disjoint(c, n->map, x->map, n->batching, x->batching) && fine;
  int64_t rank = operand->ranked ? operand->rank : VALUE_MAX_RANK;
  fine = verify_in_range(c, n->dropped, x->dropped, rank) && fine;
  fine = verify_in_range(c, n->batching, x->batching, rank) && fine;
  fine = verify_in_range(c, n->map, x->map, rank) && fine;
  return verify_in_range(c, n->indices_batching, x->indices_batching,
                         indices->ranked ? indices->rank : VALUE_MAX_RANK) &&
         fine;
}

// The vector of an index has an element for each axis that it chooses: gather (C3), scatter (C19).
static bool check_vector(rule_context *c, const indexing_names *n, const indexing *x,
                         const value_info *indices) {
  term_id chosen = rule_int_term(c, x->map.count);
  if (x->vector < (int64_t)indices->rank)
    return rule_require_eq(c, indices->dims[x->vector], chosen,
                           "an index has an element for each axis that it chooses");
  if (x->map.count == 1) return true;
  rule_error(c, "attribute", "%s has %u axes, an index is a single number", n->map, x->map.count);
  return false;
}

static bool read_dict(rule_context *c, const indexing_names *n, attr_id dict, uint32_t operand,
                      uint32_t indices, indexing *x) {
  x->window = verify_dict_axes(c, dict, n->window);
  x->dropped = verify_dict_axes(c, dict, n->dropped);
  x->batching = verify_dict_axes(c, dict, n->batching);
  x->indices_batching = verify_dict_axes(c, dict, n->indices_batching);
  x->map = verify_dict_axes(c, dict, n->map);
  x->vector = 0;
  verify_dict_int(c, dict, "index_vector_dim", &x->vector);
  if (dict == ATTR_NONE) return false;
  bool fine = true;
  uint64_t rank = (uint64_t)x->window.count + x->dropped.count + x->batching.count;
  if (rank <= VALUE_MAX_RANK &&
      !rule_assume_rank(c, operand, (uint32_t)rank)) {  // gather (C1), scatter (C2)
    rule_error(c, "rank", "%s, %s and %s have %llu axes together, operand #%u has rank %u",
               n->window, n->dropped, n->batching, (unsigned long long)rank, operand,
               rule_operand(c, operand)->rank);
    fine = false;
  }
  const value_info *o = rule_operand(c, operand), *s = rule_operand(c, indices);
  fine = check_lists(c, n, x, o, s) && fine;
  if (x->indices_batching.count != x->batching.count) {  // gather (C16), scatter (C17)
    rule_error(c, "attribute", "%s has %u axes, %s has %u", n->batching, x->batching.count,
               n->indices_batching, x->indices_batching.count);
    fine = false;
  }
  if (axis_in(x->indices_batching, x->vector)) {  // gather (C15), scatter (C16)
    rule_error(c, "axis", "index_vector_dim %lld is in %s", (long long)x->vector,
               n->indices_batching);
    fine = false;
  }
  if (x->vector < 0 || (s->ranked && x->vector > (int64_t)s->rank)) {  // gather (C2), scatter (C22)
    rule_error(c, "axis", "index_vector_dim is %lld, which is out of the range [0, %u]",
               (long long)x->vector, s->rank);
    return false;
  }
  if (!fine || !o->ranked || !s->ranked) return false;
  fine = check_vector(c, n, x, s);
  for (uint32_t i = 0; i < x->batching.count; i++)  // gather (C17), scatter (C18)
    fine = rule_require_eq(c, o->dims[x->batching.axes[i]], s->dims[x->indices_batching.axes[i]],
                           "batching dims of operand and indices are equal") &&
           fine;
  return fine;
}

bool indexing_read(rule_context *c, const indexing_names *n, uint32_t operand, uint32_t indices,
                   indexing *x) {
  attr_id dict = rule_attr(c, n->dict);
  c->about = graph_attr_get(c->graph, dict);
  bool fine = read_dict(c, n, dict, operand, indices, x);
  c->about = NULL;
  return fine;
}

uint32_t indexing_batch_sizes(rule_context *c, const indexing *x, uint32_t indices, term_id *dims) {
  const value_info *s = rule_operand(c, indices);
  assert(s->ranked);
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->rank; i++) {
    if ((int64_t)i != x->vector) dims[count++] = s->dims[i];
  }
  return count;
}
