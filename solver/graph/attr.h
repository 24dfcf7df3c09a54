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

typedef struct graph_attr {
  uint8_t kind;    // attr_kind
  bool splat;      // DENSE: one element stands for all
  bool has_data;   // DENSE: ints or floats below are valid (count of them, or 1 where splat)
  uint32_t count;  // items, entries, ints or floats
  type_id type;    // INT, TYPE, DENSE (its tensor type); else TYPE_NONE
  name_id text;
  source_span span;
  union {
    const int64_t
        *ints;  // DENSE of integers, booleans and index: the value, sign-extended (ui64 wraps)
    const double *floats;  // DENSE of floats
    const attr_id *items;
    const attr_entry *entries;
  } as;
} graph_attr;

#endif
