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

typedef struct value_info value_info;
// What few values have: never changed, so copies of a value share it. It is read and made by the functions below.
typedef struct value_extra {
  const value_info *parts;  // of a tuple or a list of PyTorch; NULL for anything else
  union {
    uint32_t parts;  // where it has parts
    term_id length;  // of a sequence, where it is counted: the number of its elements
  } count;
  uint32_t rank_from;  // 1 + the operation that assumed its rank; 0: it is known
} value_extra;

// There is one for each value of a program: 32 bytes.
struct value_info {
  const term_id *dims;       // rank of them; NULL where rank is 0 or unknown
  const term_id *elements;   // element_count of them, or NULL: not tracked
  const value_extra *extra;  // NULL for most
  uint32_t rank;
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
_Static_assert(sizeof(void *) < 8 || sizeof(value_info) == 32, "one for each value of a program");

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

static inline const value_info *value_parts(const value_info *v) {
  return v->extra ? v->extra->parts : NULL;
}
static inline uint32_t value_part_count(const value_info *v) {
  return value_parts(v) ? v->extra->count.parts : 0;
}
static inline term_id value_length(const value_info *v) {
  return v->counted ? v->extra->count.length : TERM_NONE;
}
static inline uint32_t value_rank_from(const value_info *v) {
  return v->extra ? v->extra->rank_from : 0;
}

static inline value_extra *value_extend(shape_arena *arena, value_info *v) {
  value_extra *extra = arena_alloc(arena, sizeof *extra);
  *extra = v->extra ? *v->extra : (value_extra){0};
  v->extra = extra;
  return extra;
}
static inline void value_set_parts(shape_arena *arena, value_info *v, const value_info *parts,
                                   uint32_t count) {
  value_extra *extra = value_extend(arena, v);
  extra->parts = parts;
  extra->count.parts = count;
}
static inline void value_set_length(shape_arena *arena, value_info *v, term_id length) {
  value_extend(arena, v)->count.length = length;
  v->counted = true;
}
static inline void value_set_rank_from(shape_arena *arena, value_info *v, uint32_t from) {
  if (value_rank_from(v) != from) value_extend(arena, v)->rank_from = from;
}

#endif
