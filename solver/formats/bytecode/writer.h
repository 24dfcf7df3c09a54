// SPDX-License-Identifier: Apache-2.0
// The state of a writer of MLIR bytecode and what its files offer one another; see write.h. A text is first taken apart
// (write_parse.c) into operations whose attributes and types are slices of it. Then each is encoded (write_program.c):
// what an entry holds is encoded before it. The first failure stays, and each loop asks `failed`.
#ifndef SHAPE_FORMATS_BYTECODE_WRITER_H
#define SHAPE_FORMATS_BYTECODE_WRITER_H

#include <assert.h>

#include "solver/base/budget.h"
#include "solver/base/imap.h"
#include "solver/base/intern.h"
#include "solver/base/strbuf.h"
#include "solver/formats/bytecode/tables.h"
#include "solver/formats/bytecode/write.h"

enum {
  BW_NONE = UINT32_MAX,
  BW_DEPTH = 128  // of regions, and of entries in one another
};

// --- a program as text

// key = value; a value of length 0 is unit.
typedef struct bw_entry {
  bc_slice key, value;
} bw_entry;

typedef struct bw_range {
  uint32_t first, count;
} bw_range;

typedef struct bw_result {
  name_id name;
  uint32_t count;
} bw_result;

typedef struct bw_use {
  name_id name;
  uint32_t index;
} bw_use;

typedef struct bw_op {
  uint32_t at;                      // in the text
  bc_slice name, location;          // the location without loc(...); empty: unknown
  bw_range properties, attributes;  // of `entries`
  bw_range operands;                // of `uses`
  bw_range successors;              // of `successors`
  bw_range operand_types, types;    // of `types`; the latter of results
  bw_range results;                 // of `results`: names, which may be none
  uint32_t first_region, region_count;
  uint32_t next;  // in its block
} bw_op;

typedef struct bw_argument {
  name_id name;
  bc_slice type, location;
} bw_argument;

typedef struct bw_block {
  name_id label;       // NAME_NONE: none
  bw_range arguments;  // of `arguments`
  uint32_t first_op, op_count;
  uint32_t next;  // in its region
} bw_block;

typedef struct bw_region {
  uint32_t first_block, block_count;
  uint32_t next;  // of its operation
} bw_region;

#define BW_LIST(type)                                                                              \
  struct {                                                                                         \
    type *items;                                                                                   \
    uint32_t count, capacity;                                                                      \
  }
#define BW_PUSH(w, list, ...)                                                                      \
  ((w)->list.items =                                                                               \
       arena_grow((w)->arena, (w)->list.items, (w)->list.count, (size_t)(w)->list.count + 1,       \
                  &(w)->list.capacity, sizeof *(w)->list.items),                                   \
   (w)->list.items[(w)->list.count++] = (__VA_ARGS__))

typedef struct bw_program {
  shape_arena *arena;
  shape_intern names;  // of values and blocks
  BW_LIST(bw_op) ops;
  BW_LIST(bw_block) blocks;
  BW_LIST(bw_region) regions;
  BW_LIST(bw_entry) entries;
  BW_LIST(bw_use) uses;
  BW_LIST(bw_result) results;
  BW_LIST(name_id) successors;
  BW_LIST(bc_slice) types;
  BW_LIST(bw_argument) arguments;
  BW_LIST(uint32_t) parts;  // first operation of each part of the file, BW_NONE for an empty one
  bool keeps;               // properties that only their dialect can decode
  bc_slice resources;       // the text of dialect_resources in {-# ... #-}
} bw_program;

// --- what is written

// Entries by what they are, in the order of the file. A key is: own encoding, dialect, a number that keeps some apart, bytes.
typedef struct bw_table {
  shape_intern keys;
} bw_table;

typedef struct bw_name {
  uint32_t dialect, string;
  bool registered;
} bw_name;

typedef struct bw_blob {
  bc_slice key;
  uint32_t alignment;
  const char *bytes;  // NULL: from `from` of the source
  size_t from, size;
  bool declared_only;
} bw_blob;

typedef struct bw_value {
  uint32_t scope, first, count;
} bw_value;

typedef struct bw_undo {
  name_id name;
  bw_value was;
} bw_undo;

typedef struct bw_aliases {
  shape_intern names;       // the number of a part, then "#map" or "!t"
  BW_LIST(bc_slice) texts;  // by name
  uint32_t part;            // of the file
} bw_aliases;

typedef struct bw_names {
  BW_LIST(bw_name) list;
  shape_imap by_key;
} bw_names;

typedef struct bw_resources {
  BW_LIST(bw_blob) list;
  shape_imap by_key;  // in `strings`
} bw_resources;

// What names of values and blocks mean now.
typedef struct bw_scope {
  bw_value *values;  // by name_id of program.names
  BW_LIST(bw_undo) undo;
  uint32_t count;  // of scopes that there were
} bw_scope;

typedef struct bytecode_writer {
  shape_arena *arena;
  struct shape_budget *budget;
  bc_slice text;
  const bytecode_write_options *options;
  bytecode_refusal *refusal;
  bool failed, pretty;  // pretty: because of an operation that is not in the generic form
  bool vhlo;            // what is encoded now is VHLO's
  uint32_t version, release;
  uint32_t depth;
  const bw_op *op;  // being encoded, for messages; NULL: none
  bw_program program;
  bw_aliases aliases;
  shape_intern strings, dialects, spellings;
  shape_imap encoded;  // spelling and kind -> entry
  bw_table attrs, types;
  bw_names names;
  shape_intern blobs;  // of properties
  bw_resources resources;
  bw_scope scope;
  const struct bc_reader *
      kept;  // of the source, whose entries have the numbers that they have there; NULL: they do not
} bytecode_writer;

// A piece of text that is being read.
typedef struct bw_cursor {
  const char *at, *end;
} bw_cursor;

// --- write_scan.c: the text
bool bw_fail(bytecode_writer *w, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));  // always false
// What is being encoded cannot be: names the operation. Always false.
bool bw_refuse(bytecode_writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
void bw_skip(bw_cursor *c);           // spaces and comments
bool bw_is_mark(const bw_cursor *c);  // at the begin of a line: a part of the file ends here
char bw_peek(bw_cursor *c);           // the next character that is none; 0: the end
bool bw_accept(bw_cursor *c, const char *token);  // after spaces
bc_slice bw_word(bw_cursor *c);                   // letters, digits, _ . $ -; empty: none
// Past a bracket's partner, a string, or one character.
void bw_skip_one(bw_cursor *c);
// The same at a bracket, with what is inside; false: it is not closed.
bool bw_brackets(bw_cursor *c, bc_slice *inside);
bc_slice bw_scan_type(bw_cursor *c);
bc_slice bw_scan_value(bw_cursor *c);  // up to a comma or a closing bracket
// The next of a list with commas; false at its end. What follows no comma ends the list.
bool bw_next_item(bw_cursor *c, bc_slice *item);
bc_slice bw_trim(bc_slice text);
bw_cursor bw_open(bc_slice text);
bc_slice bw_inside(bc_slice text, size_t head);  // without `head` characters and the last one
bc_slice bw_unquote(shape_arena *arena, bc_slice text);  // of "..."
bc_slice bw_key(shape_arena *arena, bw_cursor *c);       // "..." without its quotes, or a word
bc_slice bw_text(shape_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
// key = value, ...: the next one of a list; false at its end.
bool bw_next_entry(bytecode_writer *w, bw_cursor *c, bw_entry *out);
bool bw_int(bc_slice text, int64_t *out);

// --- write_parse.c
bool bw_parse(bytecode_writer *w, bc_slice text);
bool bw_find_alias(bytecode_writer *w, bc_slice name, bc_slice *text);  // of this part of the file

// --- write_file.c: numbers, tables, sections
void bw_varint(shape_strbuf *out, uint64_t value);
void bw_svarint(shape_strbuf *out, int64_t value);
static inline void bw_flagged(shape_strbuf *out, uint64_t value, bool flag) {
  bw_varint(out, value << 1 | flag);
}
void bw_section(shape_strbuf *out, unsigned id, const shape_strbuf *data);
uint32_t bw_string(bytecode_writer *w, bc_slice text);
uint32_t bw_op_name(bytecode_writer *w, bc_slice name, bool registered);
uint32_t bw_add_entry(bytecode_writer *w, bw_table *table, const char *dialect, bool own,
                      uint32_t apart, const shape_strbuf *bytes);
void bw_write_file(bytecode_writer *w, const shape_strbuf *ir, const bytecode_sink *sink);

// --- write_source.c
bool bw_read_source(bytecode_writer *w);
// #dialect.e<4>, !dialect.t<5>: the entry of the source with that number; false: it is none.
bool bw_kept_entry(bytecode_writer *w, bc_slice text, bool is_type, uint32_t *entry);
bool bw_kept_blob(bytecode_writer *w, bc_slice text, shape_strbuf *blob);
uint32_t bw_resource(bytecode_writer *w, bc_slice key);  // its handle

// --- write_attr.c, write_location.c, write_dense.c, write_type.c, write_codes.c: an entry for a text, or BW_NONE
uint32_t bw_attr(bytecode_writer *w, bc_slice text);
uint32_t bw_assembly(bytecode_writer *w, bw_table *table, bc_slice text);
uint32_t bw_string_attr(bytecode_writer *w, bc_slice text);
typedef uint32_t bw_encoder(bytecode_writer *w, bw_entry entry);
// A dictionary of an operation is builtin's; `encode` writes its values, NULL: as bw_attr.
uint32_t bw_dictionary(bytecode_writer *w, const bw_entry *entries, uint32_t count,
                       bw_encoder *encode);
uint32_t bw_location(bytecode_writer *w, bc_slice text);
bool bw_dense(bytecode_writer *w, bc_slice text, uint32_t *attr);  // false: it has no own encoding
bool bw_dense_array(bytecode_writer *w, bc_slice text, uint32_t *attr);
bool bw_number(bytecode_writer *w, bc_slice text, bc_slice type, shape_strbuf *out);
uint32_t bw_type(bytecode_writer *w, bc_slice text);
// false: no row of codes.def has this form.
bool bw_coded(bytecode_writer *w, bc_slice text, const char *dialect, uint32_t *attr);
// Takes #stablehlo.conv<...> apart; false: it is none.
bool bw_conv(bytecode_writer *w, bc_slice text, int64_t roles[3][2], const int64_t *spatial[3],
             uint32_t counts[3]);
bool bw_api_version(bytecode_writer *w, bc_slice text,
                    uint32_t *attr);  // 1 : i32; false: it is none
// The text without aliases.
bc_slice bw_expand(bytecode_writer *w, bc_slice text);

// --- write_vhlo.c
typedef struct bw_vhlo_op {
  bc_slice name;  // "vhlo.add_v1"
  const char *fields;
  bw_entry *entries;  // those that belong to the operation, in the order of the fields, with texts
  uint32_t entry_count;
  bw_entry *others;
  uint32_t other_count;
} bw_vhlo_op;
bool bw_to_vhlo(bytecode_writer *w, const bw_op *op, bw_vhlo_op *out);

#endif
