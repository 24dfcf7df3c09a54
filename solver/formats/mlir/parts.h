// SPDX-License-Identifier: Apache-2.0
// What the parser of parser.h keeps while it reads: each struct belongs to the file that it names.
#ifndef SHAPE_FORMATS_MLIR_PARTS_H
#define SHAPE_FORMATS_MLIR_PARTS_H

#include "solver/formats/mlir/printing.h"

// A piece of the text.
typedef struct mlir_word {
  const char *text;
  uint32_t length;
} mlir_word;

// late.c: a use of a name that nothing in front of it defines.
typedef struct mlir_missed {
  mlir_word name;
  uint32_t slot;  // of the name
  uint32_t level;
  uint32_t at;     // of the use in the text
  uint32_t older;  // one of the same name that is not defined either, + 1
  uint32_t diags;  // how many there were
  uint32_t index;  // of the operand
  op_id op;        // ID_NONE: of none
  int64_t number;  // %name#number
  type_id type;    // as written at the use
  value_id value;  // VALUE_NONE: not defined
  uint32_t defined;
} mlir_missed;

typedef struct mlir_missing {
  mlir_missed *items;
  uint32_t count, capacity;
  uint32_t from;      // the first in the region around the cursor
  shape_imap newest;  // by slot: + 1
} mlir_missing;

// What a value name means now (all zero: nothing). Visible while its level is the parser's: functions see nothing of one another.
typedef struct mlir_slot {
  value_id first;
  uint32_t count;
  uint32_t level;  // 0: not defined
} mlir_slot;

typedef struct mlir_undo {
  uint32_t slot;  // index, with SLOT_NAMED set for one of the named
  value_id first;
  uint32_t count, level;
} mlir_undo;

typedef struct mlir_operand {
  value_id value;
  uint32_t at;
  uint32_t missed;  // + 1: nothing has defined the name as yet
} mlir_operand;

typedef struct mlir_result {
  mlir_word name;
  uint32_t count;
} mlir_result;

// A region of an operation that is being read: its blocks are on the block stack.
typedef struct mlir_region {
  uint32_t blocks, block_count;
} mlir_region;

// The name of a block and its position in its region; or one that a terminator gives, and its row of the graph.
typedef struct mlir_label {
  mlir_word name;
  uint32_t index;
} mlir_label;

// A name with its type: an argument of a block or a function.
typedef struct mlir_argument {
  mlir_word name;  // empty: none
  type_id type;
  attr_id attrs;     // of a function's argument: DICT or ATTR_NONE
  source_span span;  // of the type
} mlir_argument;

typedef struct mlir_pretty_row mlir_pretty_row;

typedef struct mlir_name_entry {  // of the cache of operation names
  mlir_word text;
  name_id name;
  type_id likely;  // the type of its first result the last time
  uint32_t next;   // the entry that followed it the last time
  const mlir_pretty_row *row;
} mlir_name_entry;

typedef struct mlir_type_entry {  // of the cache of type spellings
  mlir_word text;
  type_id type;
} mlir_type_entry;

enum { MLIR_TYPE_CACHE = 256, MLIR_NAME_CACHE = 128, MLIR_KEYS_MAX = 96 };  // the largest

// lex.c: the last spaces and comments that were passed over.
typedef struct mlir_gap {
  const char *begin, *end;
} mlir_gap;

// lex.c
typedef struct mlir_errors {
  uint32_t quiet;  // > 0: they are not reported (something else will be tried)
  uint32_t
      lenient;  // > 0: undeclared values are no errors (inside an operation that is not understood)
  bool stop;    // no sense in reading on; nothing more is reported
  const char **capture;  // the first error goes here and not to the graph, when set
  size_t *capture_at;
} mlir_errors;

typedef enum mlir_line_kind {
  LINE_OTHER,
  LINE_STATEMENT,
  LINE_NAME,  // a value, and no '=' after it
  LINE_LABEL,
  LINE_CLOSE
} mlir_line_kind;

// lines.c: a line of a text with a syntax error. Those that are blank or a comment are left out.
typedef struct mlir_line {
  uint32_t begin, indent;  // its first character; the blanks in front of it, or what its braces say
  uint32_t last;           // its last character that is no blank and in no comment
  uint32_t next;           // the line that ends what begins here, as far as the blanks say
  uint8_t kind;            // mlir_line_kind
  char before;             // the last character of the line in front of it; 0: there is none
} mlir_line;

// skip.c, lines.c
typedef struct mlir_recovery {
  size_t bytes;                     // inspected to find where to go on after errors
  const char *listed, *listed_end;  // the last list of results that was looked through for its '='
  bool has_equals;                  // it was there
  uint32_t trying;                  // > 0: errors may be taken back
  bool second;                      // reading
  bool seen, failed;  // a syntax error in this part of the file; it ended the first reading of it
  uint32_t wrong;     // syntax errors
  bool outside;       // there was a syntax error outside of functions
  bool blind;         // it goes by brackets in a part with a syntax error
  shape_imap parts;   // where those begin that a second reading goes by the lines of
  diag first;         // error in one of them
  const mlir_line *lines;  // of this part; NULL: it goes by brackets
  uint32_t line_count;
  const char *lines_end;  // of this part
  uint32_t indent;        // of statements in the region around the cursor; UINT32_MAX: not known
  const char *statement;  // that is read: where it begins
  uint32_t errors;        // that there were in front of it
  shape_imap lost;        // by level of names: where its first syntax error is
} mlir_recovery;

// What mlir_bind put aside.
typedef struct mlir_bound {
  const char *end, *statement;
  uint32_t errors;
} mlir_bound;

// module.c
typedef struct mlir_modules {
  uint32_t current, count;
  bool has_current;  // `current` has a number
  block_id block;    // of the pseudo function, or ID_NONE
  func_id func;
} mlir_modules;

// scope.c
typedef struct mlir_scope {
  uint32_t level, levels;
  uint32_t depth;  // regions around the cursor, in this function
  bool in_function;
  mlir_word
      dialect;  // of names without one, in a function or module of a dialect that is not known
  bool module_values;  // values were defined outside of functions
  mlir_slot *numbered, *named;
  uint32_t numbered_count, numbered_capacity, named_count, named_capacity, numbered_limit;
  mlir_undo *undo;
  uint32_t undo_count, undo_capacity;
  mlir_missing missing;
  shape_imap made_out;  // values of unknown syntax -> the type that their first use says
} mlir_scope;

// An operation remembers the heights of stacks and cuts them back.
#define MLIR_STACK(type)                                                                           \
  struct {                                                                                         \
    type *items;                                                                                   \
    uint32_t count, capacity;                                                                      \
  }
// For one more item.
#define MLIR_ROOM(p, stack)                                                                        \
  ((p)->stacks.stack.items =                                                                       \
       arena_grow((p)->g->arena, (p)->stacks.stack.items, (p)->stacks.stack.count,                 \
                  (size_t)(p)->stacks.stack.count + 1, &(p)->stacks.stack.capacity,                \
                  sizeof *(p)->stacks.stack.items))

typedef struct mlir_stacks {
  MLIR_STACK(mlir_operand) operands;
  MLIR_STACK(mlir_result) results;
  MLIR_STACK(attr_entry) entries;
  MLIR_STACK(type_id) types;
  MLIR_STACK(mlir_region) regions;
  MLIR_STACK(block_id) blocks;
  MLIR_STACK(mlir_argument) arguments;
  MLIR_STACK(mlir_label) labels;   // of the regions around the cursor
  MLIR_STACK(mlir_label) targets;  // the same
  value_id *scratch;               // of one operation
  uint32_t scratch_capacity;
} mlir_stacks;

// module.c, symbol.c: name -> id, in this part of the file.
typedef struct mlir_declared {
  shape_imap attr_aliases, type_aliases, symbols;
} mlir_declared;

// type.c: how types were spelled.
typedef struct mlir_spellings {
  mlir_type_entry *cache;  // NULL where only types are read
  uint32_t mask;           // its size - 1; sizes of tables are powers of two
  mlir_word *texts;        // by type_id: a spelling that ends in '>'
  uint32_t text_capacity;
} mlir_spellings;

// template.c
typedef struct mlir_template mlir_template;

typedef struct mlir_templates {
  mlir_template *items;
  uint32_t count, capacity;
  uint16_t *by_text;  // a table of numbers of templates, 0 where none is; NULL: none are kept
  uint16_t *after;    // by `recent`: the number of the next one
  uint32_t recent;    // of the last few, as a hash
  uint32_t repeated, others;  // statements
} mlir_templates;

// printed.c
typedef struct mlir_model mlir_model;

typedef struct mlir_models {
  const mlir_printed *next, *end;  // statements; those in front of the cursor may be among them
  const uint32_t *names;           // of `next`
  mlir_model *by_kind;             // NULL: nothing is known of the text
} mlir_models;

// Before a statement is read.
typedef struct mlir_before {
  uint32_t until_poll, polls, attrs, diags, uses;
} mlir_before;

// reread.c: where a statement of the body of a function begins, or the body ends: how much there was of everything in front of it.
typedef struct mlir_point {
  uint32_t at;
  func_id func;
  uint32_t ops, values, operands, entries, attrs, regions, blocks, uses;
  bool ends;
} mlir_point;

// A name that a body defines outside of the regions of its operations.
typedef struct mlir_seen {
  value_id first;
  uint32_t count, slot;
} mlir_seen;

typedef struct mlir_points {
  mlir_point *items;  // in the order of the text
  uint32_t count, capacity;
  uint32_t aliases;                       // that were declared in front of the first
  shape_imap attr_aliases, type_aliases;  // of the file
  uint32_t depth;                         // of the parser, in a body
  mlir_seen *seen;                        // in the order of the text
  uint32_t seen_count, seen_capacity;
  uint32_t numbered_limit;  // of the scope
  bool nested, late;  // functions were found in operations; names were used before their definition
  bool plain;         // none of these things, one part, no aliases later, no symbols
} mlir_points;

// op.c
typedef struct mlir_op_names {
  mlir_name_entry *cache;
  uint32_t mask;
  uint32_t last;  // the entry of the last pretty operation
} mlir_op_names;

#endif
