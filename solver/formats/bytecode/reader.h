// SPDX-License-Identifier: Apache-2.0
// The state of a bytecode reader and what its files offer one another. The first error stays: cursors are at their end
// from then on, numbers are 0, and each loop asks `failed`. Format: MLIR Bytecode Format; see bytecode.h.
#ifndef SHAPE_FORMATS_BYTECODE_READER_H
#define SHAPE_FORMATS_BYTECODE_READER_H

#include "solver/base/budget.h"
#include "solver/formats/bytecode/bytecode.h"
#include "solver/formats/bytecode/tables.h"

enum {
  BC_DEPTH = 128,       // of entries in one another, and of regions
  BC_NONE = UINT32_MAX  // no entry
};

// An attribute or a type: its bytes, and its text once it was asked for.
typedef struct bc_entry {
  uint32_t at, size;
  uint32_t dialect;
  bool own;          // the encoding of its dialect; else assembly text
  bool busy;         // being decoded: an entry that holds itself
  bool is_location;  // found to be one; false: not known
  bc_slice text;     // of a short one; NULL: none yet
} bc_entry;

typedef struct bc_table {
  bc_entry *entries;
  uint32_t count;
} bc_table;

// A name of an operation, and what is known of it.
typedef struct bc_name {
  uint32_t dialect, string;
  bool registered, resolved;
  uint32_t at;  // in the file
  bc_slice text, quoted;
  const vhlo_op *vhlo;      // of the dialect vhlo
  const bc_fields *fields;  // first of the rows of that name, or NULL
  uint32_t field_rows;
  bool is_cast, is_function, is_module;
} bc_name;

// Properties, and their text for the operation of that name that had them last.
typedef struct bc_blob {
  uint32_t at, size;
  const bc_name *name;
  bc_slice text;
} bc_blob;

// A key of the resources and where its data is; size 0: none.
typedef struct bc_resource {
  uint32_t key, at, size;
  uint32_t alignment;  // 0: it is only declared
} bc_resource;

typedef struct bc_value {
  uint32_t type;  // index in types, or BC_NONE while it is not defined
  uint32_t name;  // number * 2 + whether it is an argument; BC_NONE: no use and no definition yet
  uint32_t number : 31;  // how many values were defined before it
  bool open : 1;         // its operation is being written: inside of that no name means it
} bc_value;

// A type that is written once the value is defined.
typedef struct bc_patch {
  uint32_t text;   // where in the output
  uint32_t value;  // index in values
  uint32_t at;     // of the use, in the file
  bc_slice type;
  bool done;
} bc_patch;

typedef struct bc_slices {
  bc_slice *items;
  uint32_t count;
} bc_slices;

typedef struct bc_names {
  bc_name *items;
  uint32_t count, capacity;
} bc_names;

typedef struct bc_blobs {
  bc_blob *items;
  uint32_t count;
} bc_blobs;

typedef struct bc_resources {
  bc_resource *items;
  uint32_t count, capacity;
} bc_resources;

// The values of the scopes around the cursor; those beyond `count` are not defined.
typedef struct bc_values {
  bc_value *items;
  uint32_t count, capacity;
  uint32_t scope;       // first of the innermost scope
  uint32_t named_from;  // the one that is %0
  uint32_t defined;     // so far
} bc_values;

typedef struct bc_patches {
  bc_patch *items;
  uint32_t count, capacity;
} bc_patches;

// Lines of a text some of which are left out. Those that are written are counted when the next one is left out.
typedef struct bc_lines {
  uint32_t *starts;
  uint32_t count, capacity;
  uint32_t to;   // those up to here are counted
  uint32_t end;  // of what was left out last, but for its end
} bc_lines;

typedef struct bc_statements {
  mlir_printed *items;
  uint32_t count, capacity;
  uint32_t *from;  // in the file; NULL where text is left out
  uint32_t from_capacity;
  uint32_t *names;
  uint32_t name_count, name_capacity;
  uint32_t end;  // of the line of the last one that has a kind
  bool later;    // those that are as one before are left out
  bc_lines lines;
} bc_statements;

enum { BC_RESULTS = 1, BC_OPERANDS = MLIR_PRINTED_OPERANDS };  // of operations that may be repeated

// Operations that differ in the values that they name alone. Offsets of names are from `text` on.
typedef struct bc_kind {
  uint32_t words[5 + BC_RESULTS + BC_OPERANDS], word_count;  // what distinguishes it
  uint32_t text, length;  // of the first one with its blanks, in the output; length 0: not written
  uint32_t bare;          // its length without blanks, names and the end of the line
  uint32_t indent, next;  // number of the one that came after it the last time, or 0
  bool may_wait;          // the others need not be written
  uint32_t from[BC_RESULTS + BC_OPERANDS], to[BC_RESULTS + BC_OPERANDS], name_count;
} bc_kind;

// Numbers of kinds are from 1 on.
typedef struct bc_kinds {
  bc_kind *items;
  uint32_t count, capacity;
  uint16_t *slots;  // numbers by hash, 0: none
  uint32_t last;    // number, or 0
  bc_kind *open;    // that is being written, or NULL
} bc_kinds;

// Attributes that are written as aliases, once each.
typedef struct bc_aliases {
  uint32_t *items;
  uint32_t count, capacity;
  uint8_t *seen;  // by attribute
} bc_aliases;

typedef struct bc_reader {
  const unsigned char *bytes;
  size_t length;
  shape_arena *arena;
  struct shape_budget *budget;
  bytecode_error *error;
  bool failed, whole, has_vhlo;
  bool assembled;  // the output has text that the file has, which may be any
  uint32_t version, depth;
  uint64_t text_limit;
  bc_slices strings, dialects;
  bc_names names;
  bc_table attrs, types;
  bc_blobs blobs;  // of properties
  bc_resources resources;
  bc_values values;
  bc_patches patches;
  bc_statements statements;
  bc_kinds kinds;
  bc_aliases locations;
  shape_strbuf out;
} bc_reader;

typedef struct bc_cursor {
  bc_reader *r;
  const unsigned char *at, *end;
} bc_cursor;

// --- cursor.c
bool bc_fail(bc_reader *r, size_t offset, const char *format, ...)
    __attribute__((format(printf, 3, 4)));  // always false
bc_cursor bc_range(bc_reader *r, size_t at, size_t size);
uint64_t bc_varint_slow(bc_cursor *c);
static inline size_t bc_offset(const bc_cursor *c) { return (size_t)(c->at - c->r->bytes); }
static inline size_t bc_left(const bc_cursor *c) { return (size_t)(c->end - c->at); }
// Of up to three bytes: most numbers of a file.
static inline uint64_t bc_varint(bc_cursor *c) {
  const unsigned char *at = c->at;
  if (c->end - at >= 3) {
    if (at[0] & 1) {
      c->at = at + 1;
      return at[0] >> 1;
    }
    if (at[0] & 2) {
      c->at = at + 2;
      return (at[0] | (uint32_t)at[1] << 8) >> 2;
    }
    if (at[0] & 4) {
      c->at = at + 3;
      return (at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16) >> 3;
    }
  }
  return bc_varint_slow(c);
}
int64_t bc_svarint(bc_cursor *c);
uint8_t bc_byte(bc_cursor *c);
const unsigned char *bc_take(bc_cursor *c, uint64_t count);  // NULL where they are not there
// A count of things of at least one byte each.
uint32_t bc_count_of(bc_cursor *c, size_t at, uint64_t count, const char *what);
static inline uint32_t bc_count(bc_cursor *c, const char *what) {
  size_t at = bc_offset(c);
  uint64_t count = bc_varint(c);
  return count <= bc_left(c) ? (uint32_t)count : bc_count_of(c, at, count, what);
}
// An index of a table of `limit`.
uint32_t bc_index_of(bc_cursor *c, size_t at, uint64_t value, uint64_t limit, const char *what);
static inline uint32_t bc_index(bc_cursor *c, uint64_t limit, const char *what) {
  size_t at = bc_offset(c);
  uint64_t value = bc_varint(c);
  if (c->r->failed) return BC_NONE;
  return value < limit ? (uint32_t)value : bc_index_of(c, at, value, limit, what);
}
bc_slice bc_string(bc_cursor *c);
uint32_t bc_attr(bc_cursor *c);
uint32_t bc_type(bc_cursor *c);
uint32_t bc_optional_attr(bc_cursor *c);
void bc_end(bc_cursor *c, const char *what);  // an error where bytes are left
// A nested section: id, length, alignment.
bc_cursor bc_section(bc_cursor *c, unsigned *id);

// --- container.c
bool bc_open(bc_reader *r, bc_cursor *ir);

// --- entry.c
void bc_put_quoted(shape_strbuf *out, bc_slice text);
void bc_put_symbol(shape_strbuf *out, bc_slice text);  // with its @
void bc_put_key(shape_strbuf *out, bc_slice text);     // quoted where it must be
void bc_put_attr(bc_reader *r, shape_strbuf *out, uint32_t attr);
void bc_put_type(bc_reader *r, shape_strbuf *out, uint32_t type);
bc_slice bc_type_text(bc_reader *r, uint32_t type);
bc_slice bc_attr_text(bc_reader *r, uint32_t attr);
// The code of an entry of a dialect's own encoding, with the cursor after it; false for any other.
bool bc_open_attr(bc_reader *r, uint32_t attr, const char *dialect, uint64_t *code, bc_cursor *c);
bool bc_string_attr(bc_reader *r, uint32_t attr, bc_slice *out);  // of builtin or vhlo

// --- builtin.c, types.c, dense.c, codes.c: the text of one entry, from the cursor on
void bc_builtin_attr(bc_cursor *c, shape_strbuf *out, uint32_t self);
void bc_put_attr_list(bc_cursor *c, shape_strbuf *out);   // [attr, attr]
void bc_put_dictionary(bc_cursor *c, shape_strbuf *out);  // {key = attr}
// Reads an attribute that must be a location: builtin's, or one of a dialect's own. After a failure: any.
uint32_t bc_location(bc_cursor *c);
void bc_builtin_type(bc_cursor *c, shape_strbuf *out);
void bc_quant_type(bc_cursor *c, shape_strbuf *out);
void bc_vhlo_type(bc_cursor *c, shape_strbuf *out);
void bc_stablehlo_type(bc_cursor *c, shape_strbuf *out);
void bc_coded_attr(bc_cursor *c, shape_strbuf *out, const char *dialect);
void bc_put_conv(shape_strbuf *out, const int64_t roles[3][2], const int64_t *const spatial[3],
                 const uint32_t counts[3]);
void bc_dense(bc_cursor *c, shape_strbuf *out, bool bytes_allowed);
void bc_dense_array(bc_cursor *c, shape_strbuf *out);
void bc_dense_strings(bc_cursor *c, shape_strbuf *out);
void bc_put_real(bc_cursor *c, shape_strbuf *out);  // float64
void bc_typed_int(bc_cursor *c, shape_strbuf *out);
void bc_typed_float(bc_cursor *c, shape_strbuf *out);

void bc_put_float(shape_strbuf *out, const bc_element *element, uint64_t bits);
// The elements of vhlo.tensor_v1 or a builtin dense attribute of integers; a splat is expanded.
bool bc_dense_ints(bc_reader *r, uint32_t attr, const int64_t **values, uint32_t *count,
                   bool *splat);

// --- op.c
typedef struct bc_attribute {
  bc_slice name;
  uint32_t attr;  // or BC_NONE: `text`
  bc_slice text;
  bool inherent;
} bc_attribute;

typedef struct bc_attributes {
  bc_attribute *items;
  uint32_t count, capacity;
} bc_attributes;
void bc_add_attribute(bc_reader *r, bc_attributes *list, bc_attribute item);
// Those of an operation: of its dictionary and of its properties.
void bc_read_attributes(bc_reader *r, const bc_name *name, uint32_t dictionary, uint32_t blob,
                        size_t at, bc_attributes *out);

// --- vhlo.c
bc_slice vhlo_plain_name(bc_reader *r, const vhlo_op *op);  // "stablehlo.gather"
void vhlo_to_stablehlo(bc_reader *r, const vhlo_op *op, bc_attributes *attributes);

// --- program.c
typedef enum bc_around {
  BC_IN_MODULE,    // in nothing but modules
  BC_IN_FUNCTION,  // in one that is in modules: it has all the names that its operations see
  BC_ELSEWHERE
} bc_around;

// An operation and where it is.
typedef struct bc_operation {
  size_t at;
  bc_name *name;
  uint32_t location, dictionary, blob;
  uint32_t *results, *operands, *successors;
  uint32_t result_count, operand_count, successor_count;
  uint32_t few[BC_RESULTS + BC_OPERANDS];  // room for results and operands
  bool has_regions;
  bool in_function;  // directly in the body of one
  bc_around around;
  uint32_t depth;
} bc_operation;

enum { BC_NAME_MAX = 16 };  // bytes of a name

bool bc_program(bc_reader *r, bc_cursor *ir);
char *bc_put_name(bc_reader *r, char *to, uint32_t value);  // its end
static inline uint32_t bc_name_length(uint32_t name) {
  return (name & 1 ? 4 : 1) + text_digits(name >> 1);
}

// --- repeat.c
uint32_t bc_kind_of(bc_reader *r, const bc_operation *op);  // 0: of none
void bc_expect(bc_reader *r, uint32_t values);              // that a region which begins defines
void bc_add_statement(bc_reader *r, const bc_operation *op, uint32_t kind, uint32_t at);
static inline bool bc_is_written(const bc_reader *r, uint32_t kind) {
  return r->kinds.items[kind - 1].length;
}
// The statement of an operation whose results begin with that value.
void bc_put_repeated(bc_reader *r, uint32_t kind, uint32_t first_result, const bc_operation *op);
// What is written from here on, after `indent` blanks, is the first of it.
void bc_begin_kind(bc_reader *r, uint32_t kind, uint32_t indent);
void bc_note_name(bc_kind *kind, uint32_t from, uint32_t to);
void bc_end_kind(bc_reader *r, uint32_t first_result, const bc_operation *op);

// --- later.c: a text that is left out in part
void bc_leave_out(bc_reader *r, const bc_kind *kind,
                  uint32_t length);  // the next line, for which there is room
void bc_end_gap(bc_reader *r);       // before something is written
void bc_count_lines(bc_reader *r);   // up to here

#endif
