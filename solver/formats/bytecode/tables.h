// SPDX-License-Identifier: Apache-2.0
// What the reader and the writer of MLIR bytecode share: codes of attributes and types, words of enumerations, fields of
// operations, operations of VHLO with the releases in which they are legal. Sources: the .def files name theirs.
#ifndef SHAPE_FORMATS_BYTECODE_TABLES_H
#define SHAPE_FORMATS_BYTECODE_TABLES_H

#include <string.h>

#include "solver/graph/type.h"

typedef struct bc_slice {
  const char *text;
  uint32_t length;
} bc_slice;

static inline bool bc_is(bc_slice slice, const char *text) {
  return slice.length == strlen(text) && memcmp(slice.text, text, slice.length) == 0;
}
static inline bool bc_begins(bc_slice slice, const char *head) {
  size_t length = strlen(head);
  return slice.length >= length && memcmp(slice.text, head, length) == 0;
}
static inline bool bc_same(bc_slice a, bc_slice b) {
  return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

// --- sections of a file, parts of an operation
enum {
  BC_VERSION_MAX = 6,
  BC_REGIONS_MAX = 120,  // in one another: what is written is read
  SECTION_STRING = 0,
  SECTION_DIALECT,
  SECTION_ENTRIES,
  SECTION_OFFSETS,
  SECTION_IR,
  SECTION_RESOURCE,
  SECTION_RESOURCE_OFFSETS,
  SECTION_DIALECT_VERSIONS,
  SECTION_PROPERTIES,
  SECTION_COUNT,
  MASK_ATTRS = 1,
  MASK_RESULTS = 2,
  MASK_OPERANDS = 4,
  MASK_SUCCESSORS = 8,
  MASK_REGIONS = 16,
  MASK_USE_LISTS = 32,
  MASK_PROPERTIES = 64,
  MASK_ALL = 127
};

// --- builtin attributes and types (BuiltinDialectBytecode.td)
typedef enum bc_builtin_code {
  BUILTIN_ARRAY,
  BUILTIN_DICTIONARY,
  BUILTIN_STRING,
  BUILTIN_TYPED_STRING,
  BUILTIN_FLAT_SYMBOL,
  BUILTIN_SYMBOL,
  BUILTIN_TYPE,
  BUILTIN_UNIT,
  BUILTIN_INTEGER,
  BUILTIN_FLOAT,
  BUILTIN_CALL_SITE_LOC,
  BUILTIN_FILE_LOC,
  BUILTIN_FUSED_LOC,
  BUILTIN_FUSED_LOC_METADATA,
  BUILTIN_NAME_LOC,
  BUILTIN_UNKNOWN_LOC,
  BUILTIN_RESOURCE,
  BUILTIN_DENSE_ARRAY,
  BUILTIN_DENSE,
  BUILTIN_DENSE_STRINGS,
  BUILTIN_SPARSE,
  BUILTIN_DISTINCT,
  BUILTIN_FILE_RANGE_LOC
} bc_builtin_code;

typedef enum bc_builtin_type_code {
  BUILTIN_INTEGER_TYPE = 0,
  BUILTIN_FUNCTION_TYPE = 2,
  BUILTIN_COMPLEX_TYPE = 9,
  BUILTIN_MEMREF_TYPE = 10,
  BUILTIN_MEMREF_SPACE_TYPE = 11,
  BUILTIN_TENSOR_TYPE = 13,
  BUILTIN_ENCODED_TENSOR_TYPE = 14,
  BUILTIN_TUPLE_TYPE = 15,
  BUILTIN_UNRANKED_MEMREF_TYPE = 16,
  BUILTIN_UNRANKED_MEMREF_SPACE_TYPE = 17,
  BUILTIN_UNRANKED_TENSOR_TYPE = 18,
  BUILTIN_VECTOR_TYPE = 19,
  BUILTIN_SCALABLE_VECTOR_TYPE = 20,
  BUILTIN_TYPE_COUNT
} bc_builtin_type_code;
const char *bc_builtin_plain(uint64_t code);  // the spelling of a type without fields, or NULL

// --- quant
enum { QUANT_UNIFORM = 4, QUANT_PER_AXIS = 5 };

// --- vhlo
enum { RELEASE_FIRST = 9, RELEASE_NEWEST = 120 };  // a release is 100 * major + minor

typedef enum vhlo_attr_code {
  VHLO_ARRAY = 1,
  VHLO_BOOL = 2,
  VHLO_DICT = 6,
  VHLO_FLOAT = 8,
  VHLO_INTEGER = 9,
  VHLO_STRING = 14,
  VHLO_TENSOR = 15,
  VHLO_TYPE = 17,
  VHLO_ACCURACY = 20
} vhlo_attr_code;

typedef enum vhlo_type_code {
  VHLO_COMPLEX_TYPE = 1,
  VHLO_FUNCTION_TYPE = 8,
  VHLO_TENSOR_TYPE = 20,
  VHLO_ENCODED_TENSOR_TYPE = 21,
  VHLO_TUPLE_TYPE = 23,
  VHLO_QUANT_TYPE = 24,
  VHLO_UNRANKED_TENSOR_TYPE = 25,
  VHLO_PER_AXIS_TYPE = 30,
  VHLO_BUFFER_TYPE = 41,
  VHLO_FUTURE_TYPE = 42
} vhlo_type_code;

typedef struct vhlo_type {
  uint16_t code, since;
  const char *text;  // NULL: it has fields
} vhlo_type;
const vhlo_type *vhlo_type_at(uint64_t code);           // or NULL
const vhlo_type *vhlo_type_named(bc_slice text);        // one without fields, or NULL
const vhlo_type *vhlo_type_with_fields(unsigned code);  // one with fields

typedef struct vhlo_op {
  const char *name;      // "gather_v1"
  uint16_t first, last;  // releases in which it is legal
  const char *fields;    // of its properties
} vhlo_op;
const vhlo_op *vhlo_find(bc_slice name);
static inline bc_slice vhlo_base(const vhlo_op *op) {  // the name without its version
  return (bc_slice){op->name, (uint32_t)(strrchr(op->name, '_') - op->name)};
}

typedef enum drop_kind {
  ALWAYS,
  EMPTY,
  IS_FALSE,
  IS_0,
  IS_MINUS_1,
  WORD_0,
  WORD_1,
  ALL_0,
  ALL_1,
  ALL_DEFAULT,
  NONE_BUT_DEFAULT,  // the empty list too
  NO_ACCURACY,
  LAYOUTS
} drop_kind;

typedef struct vhlo_drop {
  const char *ops, *attribute;
  drop_kind kind;
  const char *text;  // what VHLO has where StableHLO has none
} vhlo_drop;
typedef struct vhlo_group {
  const char *ops, *attribute, *kind, *parts;
} vhlo_group;

const vhlo_drop *vhlo_drops(unsigned *count);
const vhlo_group *vhlo_groups(unsigned *count);
bool vhlo_is_array(bc_slice attribute);
bool vhlo_is_symbol(bc_slice op, bc_slice attribute);
const char *vhlo_filled(bc_slice attribute);  // what an absent one means; NULL: nothing
bool vhlo_is_flag(bc_slice attribute);        // a unit attribute of StableHLO
// Whether a list of words has this one; the empty list has all.
bool bc_has_word(const char *list, bc_slice word);
// The next word of a list, after `at`; length 0 at its end.
bc_slice bc_next_word(const char **at);

// --- attributes of stablehlo, chlo and vhlo: codes.def
typedef struct bc_code_row {
  const char *dialect;
  uint16_t code, since;
  const char *form;
} bc_code_row;
const bc_code_row *bc_code_rows(unsigned *count);
const char *bc_enum_word(unsigned which, uint64_t value);  // NULL: there is none

// --- properties of operations: fields.def
typedef struct bc_fields {
  const char *op;
  const char *fields;  // by name: "a b? c*"
} bc_fields;
const bc_fields *bc_fields_of(bc_slice op, uint32_t *rows);  // the first of its rows; NULL and 0
// The next name, with the character after it in *mark: '?' optional, '*' segments.
bool bc_next_field(const char **at, bc_slice *name, char *mark);
bool bc_has_field(const char *fields, bc_slice wanted);

// What only the dialect can decode is in the text as the number that it has in the file: #dialect.e<4>,
// !dialect.t<5>, and properties as an attribute of this name.
#define BC_KEPT_KEY  "bytecode.properties"
#define BC_KEPT_BLOB "#bytecode.blob<"
// Whether the own encoding of a dialect is known, of its types or of its attributes.
bool bc_is_known_dialect(bc_slice name, bool of_types);

// --- elements
// What an element type is, by its spelling.
typedef struct bc_element {
  char kind;      // 'i' signed or signless, 'u' unsigned, 'b' i1, 'f', 'c' complex, '?' any other
  uint32_t bits;  // of one part
  char part;      // of a complex
  bool index;
  shape_dtype dtype;  // of the part
} bc_element;
bc_element bc_element_of(bc_slice type);
static inline uint32_t bc_element_bytes(const bc_element *e) { return (e->bits + 7) / 8; }

enum { BC_RANK_MAX = 64 };
// The shape of tensor<...> or vector<...> that is static; false for any other.
bool bc_shape_of(bc_slice type, int64_t *dims, uint32_t *rank, uint64_t *count, bc_slice *element);

// --- floats of at most 64 bits, as IEEE 754 and its small relatives
// False: infinite, NaN, or of a type that is not known. *ulp is the distance to the next one.
bool bc_float_decode(const bc_element *e, uint64_t bits, double *value, double *ulp);
// The nearest one, the even one of two; false where the type has none.
bool bc_float_encode(const bc_element *e, double value, uint64_t *bits);

#endif
