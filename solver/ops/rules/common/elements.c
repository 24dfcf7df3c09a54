// SPDX-License-Identifier: Apache-2.0
// Small tensors element by element: constant shapes and row-major strides.
#include <assert.h>

#include "solver/ops/rules/common/rules.h"

bool elements_shape(rule_context *c, const value_info *v, int64_t *out, uint32_t *total) {
  if (!v->ranked || v->in_conflict || v->rank > ELEMENTS_MAX_RANK) return false;
  uint64_t product = 1;
  for (uint32_t i = 0; i < v->rank; i++) {
    if (!term_int_value(c->terms, v->dims[i], &out[i]) &&
        !term_int_value(c->terms, store_canon(c->store, v->dims[i]), &out[i]))
      return false;
    if (out[i] < 0 || out[i] > VALUE_MAX_ELEMENTS) return false;
    product *= (uint64_t)out[i];
    if (product > VALUE_MAX_ELEMENTS) return false;
  }
  *total = (uint32_t)product;
  return true;
}

bool elements_afford(rule_context *c, uint32_t count) {
  if (count <= ELEMENTS_FEW) return true;
  if (c->log->element_work > ELEMENTS_ALLOWANCE) return false;
  c->log->element_work += count;
  return true;
}

const term_id *elements_as_sizes(rule_context *c, const term_id *elements, uint32_t count,
                                 const char *what) {
  term_id *sizes = arena_alloc(c->arena, (count ? count : 1) * sizeof(term_id));
  for (uint32_t i = 0; i < count; i++) {
    int64_t value;
    sizes[i] = elements[i];
    if (sizes[i] == TERM_NONE) {
      sizes[i] = rule_fresh_size(c);
    } else if (!term_int_value(c->terms, sizes[i], &value) || value < 0) {
      if (!rule_require(c, predicate_make(REL_GE, sizes[i], TERM_ZERO), what))
        sizes[i] = rule_fresh_size(c);
    }
  }
  return sizes;
}

void elements_strides(const int64_t *shape, uint32_t rank, int64_t *strides) {
  assert(rank <= ELEMENTS_MAX_RANK);
  int64_t stride = 1;
  for (uint32_t i = rank; i-- > 0;) {
    strides[i] = stride;
    stride *= shape[i];
  }
}

bool elements_next(int64_t *index, const int64_t *shape, uint32_t rank) {
  assert(rank <= ELEMENTS_MAX_RANK);
  for (uint32_t i = rank; i-- > 0;) {
    if (++index[i] < shape[i]) return true;
    index[i] = 0;
  }
  return false;
}
