// SPDX-License-Identifier: Apache-2.0
// Attributes as a small tree. Every spelling of a list of integers ([1, 2], array<i64: 1, 2>, dense<[1, 2]>) reads the
// same through graph_attr_ints; dialect attributes such as #stablehlo.gather<offset_dims = [0], ...> are DICTs with a
// `text` that names them ("stablehlo.gather").
#ifndef SHAPE_GRAPH_ATTR_H
#define SHAPE_GRAPH_ATTR_H

#include "solver/graph/loc.h"
#include "solver/graph/type.h"

typedef uint32_t attr_id;
#define ATTR_NONE UINT32_MAX

typedef enum attr_kind {
  ATTR_UNIT,
  ATTR_BOOL,    // ints[0]
  ATTR_INT,     // ints[0]; `type` where written
  ATTR_FLOAT,   // floats[0]
  ATTR_STRING,  // text
  ATTR_TYPE,    // type
  ATTR_ARRAY,   // items
  ATTR_DICT,    // entries; text: name of the dialect attribute, or NAME_NONE
  ATTR_INTS,    // array<i64: ...> and the like (booleans too): ints, count
  ATTR_DENSE,   // see below
  ATTR_SYMBOL,  // @name or @a::@b; text
  ATTR_ENUM,    // a bare word of a dialect: #stablehlo<comparison_direction LT>; text is "LT"
  ATTR_OPAQUE   // anything else: `span` into the source
} attr_kind;

enum {
  DENSE_TRACKED = 4096
};  // elements kept of a dense attribute; longer ones keep their type only

typedef struct attr_entry {
  name_id name;
  attr_id value;
} attr_entry;

typedef enum attr_holds {
  HOLDS_NOTHING,  // also a DENSE whose elements are not known
  HOLDS_INTS,     // DENSE of integers, booleans and index: the value, sign-extended (ui64 wraps)
  HOLDS_FLOATS,
  HOLDS_ITEMS,
  HOLDS_ENTRIES
} attr_holds;

typedef struct graph_attr {
  uint8_t kind;    // attr_kind
  bool splat;      // DENSE: one element for all
  uint8_t holds;   // attr_holds: what `payload` is
  uint32_t count;  // items, entries, ints or floats that are held: 1 of a splat
  type_id type;    // INT, TYPE, DENSE (its tensor type); else TYPE_NONE
  name_id text;
  source_span span;
  union {
    const int64_t *ints;
    const double *floats;
    const attr_id *items;
    const attr_entry *entries;
  } payload;  // read and written by the functions below alone
} graph_attr;

// The attributes of a graph, and the entries of its operations and functions.
typedef struct graph_attr_table {
  graph_attr *items;
  uint32_t count, capacity;
  attr_entry *entries;
  uint32_t entry_count, entry_capacity;
} graph_attr_table;

// What is handed over must live in the arena of the graph.
static inline void attr_set_ints(graph_attr *a, const int64_t *values, uint32_t count) {
  a->holds = HOLDS_INTS, a->payload.ints = values, a->count = count;
}
static inline void attr_set_floats(graph_attr *a, const double *values, uint32_t count) {
  a->holds = HOLDS_FLOATS, a->payload.floats = values, a->count = count;
}
static inline void attr_set_items(graph_attr *a, const attr_id *items, uint32_t count) {
  a->holds = HOLDS_ITEMS, a->payload.items = items, a->count = count;
}
static inline void attr_set_entries(graph_attr *a, const attr_entry *entries, uint32_t count) {
  a->holds = HOLDS_ENTRIES, a->payload.entries = entries, a->count = count;
}

// Readers of an attribute of any kind, or of none (NULL): what is asked for and is not there is NULL, `count` 0, false,
// or ATTR_NONE. Element k of a splat is the one that it holds, so callers bound k by the type.
static inline bool attr_has_numbers(const graph_attr *a) {
  return a && (a->holds == HOLDS_INTS || a->holds == HOLDS_FLOATS);
}
static inline bool attr_is_held(const graph_attr *a, int what, uint32_t *count) {
  bool held = a && a->holds == what;
  *count = held ? a->count : 0;
  return held;
}
static inline const int64_t *attr_held_ints(const graph_attr *a, uint32_t *count) {
  return attr_is_held(a, HOLDS_INTS, count) ? a->payload.ints : NULL;
}
static inline const double *attr_held_floats(const graph_attr *a, uint32_t *count) {
  return attr_is_held(a, HOLDS_FLOATS, count) ? a->payload.floats : NULL;
}
static inline const attr_id *attr_items(const graph_attr *a, uint32_t *count) {
  return attr_is_held(a, HOLDS_ITEMS, count) ? a->payload.items : NULL;
}
static inline const attr_entry *attr_entries(const graph_attr *a, uint32_t *count) {
  return attr_is_held(a, HOLDS_ENTRIES, count) ? a->payload.entries : NULL;
}
// Where element k of a splat or a list is held: `k` or 0. False: nowhere.
static inline bool attr_is_at(const graph_attr *a, int what, uint32_t *k) {
  uint32_t count;
  if (!attr_is_held(a, what, &count)) return false;
  if (a->splat && count) *k = 0;
  return *k < count;
}
static inline bool attr_int_at(const graph_attr *a, uint32_t k, int64_t *value) {
  bool held = attr_is_at(a, HOLDS_INTS, &k);
  if (held) *value = a->payload.ints[k];
  return held;
}
static inline bool attr_float_at(const graph_attr *a, uint32_t k, double *value) {
  bool held = attr_is_at(a, HOLDS_FLOATS, &k);
  if (held) *value = a->payload.floats[k];
  return held;
}
static inline attr_id attr_item_at(const graph_attr *a, uint32_t k) {
  uint32_t count;
  const attr_id *items = attr_items(a, &count);
  return k < count ? items[k] : ATTR_NONE;
}
// A BOOL, INT or FLOAT that the graph has holds one number; 0 of another kind.
static inline int64_t attr_one_int(const graph_attr *a) {
  int64_t value = 0;
  attr_int_at(a, 0, &value);
  return value;
}
static inline double attr_one_float(const graph_attr *a) {
  double value = 0;
  attr_float_at(a, 0, &value);
  return value;
}

#endif
