// SPDX-License-Identifier: Apache-2.0
// What is known of one value: its rank, its dims as terms, and, for small integer tensors, its elements as terms.
//
// Dims are terms that are known to be >= 0. Elements are the mathematical value of each element in row-major order
// (i1: 0 and 1; unsigned types: >= 0); TERM_NONE where one element is not known. Arrays live in the job's arena and are
// never changed after they are set, so values may share them. A !shape.shape is a value of rank 1 whose elements are the
// extents; an index, a !shape.size and any other scalar has rank 0.
#ifndef SHAPE_VALUE_VALUE_H
#define SHAPE_VALUE_VALUE_H

#include <assert.h>

#include "solver/facts/store.h"
#include "solver/graph/graph.h"

enum { VALUE_MAX_ELEMENTS = 4096, VALUE_MAX_RANK = 1024, VALUE_FRESH_ELEMENTS = 16 };
// Of a size or an element, see term_outweighs: more than real models write, little enough to be walked at each operation.
enum { VALUE_MAX_WEIGHT = 128 };

// There is one for each value of a program: 40 bytes.
typedef struct value_info value_info;
struct value_info {
  const term_id *dims;      // rank of them; NULL where rank is 0 or unknown
  const term_id *elements;  // element_count of them, or NULL: not tracked
  const value_info *parts;  // of a tuple or a list of PyTorch; NULL for anything else
  uint32_t rank;
  uint32_t rank_from;  // 1 + the operation that assumed its rank; 0: it is known
  union {
    uint32_t parts;  // where it has parts
    term_id length;  // of a sequence, where it is counted: the number of its elements
  } count;
  uint32_t element_count : 26;
  bool counted : 1;
  bool is_none : 1;  // PyTorch's None
  bool ranked : 1;   // false: the rank is not known (unranked or not a tensor)
  bool visited : 1;  // infer has set it
  bool
      in_conflict : 1;  // its declared type is not what its operation gives: an error, and its elements are not followed
  // What the elements were before the end of a scope put in what holds in it follows them: as many again.
  bool keeps_stated : 1;
};
_Static_assert(sizeof(void *) < 8 || sizeof(value_info) == 40, "one for each value of a program");

// The elements as rules gave them.
static inline const term_id *value_stated(const value_info *v) {
  assert(v->elements || !v->keeps_stated);
  return v->keeps_stated ? v->elements + v->element_count : v->elements;
}

static inline void value_set_elements(value_info *v, const term_id *elements, uint32_t count) {
  assert(count <= VALUE_MAX_ELEMENTS && (elements || !count));
  v->elements = elements;
  v->element_count = count & 0x3ffffffu;
  v->keeps_stated = false;
}

#endif
