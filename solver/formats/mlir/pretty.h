// SPDX-License-Identifier: Apache-2.0
// Pretty forms as a table: which words, brackets and types an operation's own syntax has, and which attributes of the
// generic form they abbreviate. Sources: assemblyFormat in StablehloOps.td and ChloOps.td, AssemblyFormat.cpp of
// StableHLO, and the .td files of MLIR's func, arith, shape and tensor dialects.
#ifndef SHAPE_FORMATS_MLIR_PRETTY_H
#define SHAPE_FORMATS_MLIR_PRETTY_H

#include "solver/formats/mlir/parser.h"

// What `key = ` is followed by.
typedef enum pretty_kind {
  KIND_INT,
  KIND_INTS,   // [0, 1]
  KIND_WORD,   // NORMAL
  KIND_WORDS,  // [DEFAULT, HIGHEST]
  KIND_STRING,
  KIND_FORMAT,     // e5m10
  KIND_BATCH,      // [0] x [0]
  KIND_CONTRACT,   // [2] x [1]
  KIND_CONV,       // [b, 0, f]x[0, i, o]->[b, 0, f]
  KIND_WINDOW,     // {stride = [1], pad = [[0, 0]], ...}
  KIND_ALGORITHM,  // <lhs_precision_type = tf32, ...>
} pretty_kind;

typedef struct pretty_key {
  const char *word;  // NULL ends the list
  uint8_t kind;      // pretty_kind
  uint8_t key;       // mlir_key; not used by BATCH, CONTRACT, WINDOW and FORMAT
} pretty_key;

// What a list of types without an arrow says.
typedef enum pretty_types {
  TYPES_SAME,         // one type: of all operands and of the result
  TYPES_RESULT,       // of the result (or results); the operands' are not written
  TYPES_OPERANDS,     // of the operands; there are no results
  TYPES_PAIRWISE,     // of the operands and of the results
  TYPES_SELECT,       // predicate, then operands and result; or those alone
  TYPES_INDEX,        // of the first operand; the result is an index
  TYPES_ELEMENT,      // of the first operand; the result is an element of it
  TYPES_COMPARE,      // of the operands; the result is the same of i1
  TYPES_COMPLEX,      // of the result; the operands are its real parts
  TYPES_WITNESS,      // of the operands, if any; the result is a !shape.witness
  TYPES_SHAPE,        // likewise !shape.shape
  TYPES_SIZE,         // likewise !shape.size
  TYPES_VALUE_SHAPE,  // likewise !shape.value_shape
  TYPES_TO_INDEX,     // likewise index
  TYPES_TO_I1,        // likewise i1
} pretty_types;

typedef enum pretty_form {
  FORM_ITEMS,     // operands, words, keys, brackets, attributes, then types
  FORM_CONSTANT,  // attribute that has the type
  FORM_REDUCE,
  FORM_WHILE,
  FORM_FORMAT,   // pretty_format.c
  FORM_OWN,      // a function of its own
  FORM_BRANCH,   // branch.c
  FORM_REGIONS,  // operands -> types { } else { }
  FORM_TORCH,    // pretty_torch.c
  FORM_DISC,     // pretty_disc.c
  FORM_OPAQUE,
} pretty_form;

typedef enum pretty_brackets {
  BRACKETS_NONE,
  BRACKETS_SLICE,     // [start:limit:stride, ...]
  BRACKETS_INDEX,     // [0]
  BRACKETS_OPERANDS,  // [%i, %j]
  BRACKETS_SHAPE,     // [2, 3]
  BRACKETS_LISTS,     // [[0, 1], [2]]
} pretty_brackets;

typedef enum pretty_text {  // what becomes of a bare word, a @symbol, a "string" or a number
  TEXT_NONE,
  TEXT_ENUM,
  TEXT_CMPI,  // the number that arith gives the predicate
  TEXT_CMPF,
  TEXT_SYMBOL,
  TEXT_STRING,
  TEXT_VALUE,  // a number or a boolean
} pretty_text;

struct mlir_pretty_row {
  const char *name;  // stablehlo's rows serve mhlo too
  uint8_t form, types, brackets, text;
  uint8_t words[2];  // keys of the texts in order
  bool lenient;      // what is not expected is passed over
  bool guessed;      // by dialect: the syntax of most of its operations is this one
  bool braces_are_regions;
  bool has_dot_dims;
  bool bare_words;  // words of the dialect in dictionaries: {mode = BILINEAR}
  bool declares_symbol;
  bool whole;  // of FORM_OWN: what is read is all that the generic form has
  const pretty_key *keys;
  const char *format;                     // FORM_FORMAT
  bool (*own)(mlir_parser *, mlir_op *);  // FORM_OWN
};

bool mlir_pretty_value(mlir_parser *p, const pretty_key *key);  // after `key =`: pushes entries
bool mlir_pretty_brackets(mlir_parser *p, const mlir_pretty_row *row);  // at '['
bool mlir_pretty_text(mlir_parser *p, const mlir_pretty_row *row, unsigned which, mlir_word word);
bool mlir_pretty_types(mlir_parser *p, mlir_op *op);  // after ':'
bool mlir_pretty_fixed(mlir_parser *p,
                       mlir_op *op);  // no ':': pushes the result type that the row knows
bool mlir_pretty_reduce(mlir_parser *p, mlir_op *op);
// Of `applies inner`: pushes a region, of an operation with the name `outer` and that first operand.
void mlir_applied_body(mlir_parser *p, name_id outer, value_id input, mlir_word inner);
bool mlir_pretty_while(mlir_parser *p, mlir_op *op);
bool mlir_pretty_branch(mlir_parser *p, mlir_op *op);
// --- pretty_format.c: syntax that is written as a format. Its tokens, with a space between:
//   %       an operand         %*  any number of them, with commas    %?  one that may be absent
//   &name   a list [%i, 2, %k] of numbers and operands: the attribute `name` has DIM_DYNAMIC where an operand is;
//           &name() is one in parentheses
//   =name   the attribute `name`           @name  an affine map without its word: (i, j) -> (j, i)
//           =name:index and =name:i32 are integers of that type, =name:ints is an array of integers
//   ~       first: the generic form has attributes that this syntax does not give
//   +word   a word that may be there: an attribute of that name without a value
//   _       any word
//   $       subscripts of affine.load      {}     a dictionary, if there      R  a region
//   ?x ...;  what follows the word or character x, if x is there, up to the semicolon
//   :t      types after a colon; `:t?` may be absent. r: of the results; b: `A to B`, `A into B` or `A -> B, C`; x: the
//           same without results; s: as b, and operands after the first have those of the results; f: `(A) -> B` of the operands; v: the same, not checked; o, 0: of operands; p: of operands and of their
//           results; l: the last is that of the result; 2: of both results; i: the result is an index; e: the result is an element of it
//   !i !1   a result of type index or i1 that is not written
//   #       first: the operation has operandSegmentSizes, one for each of % & $
// Anything else is read as it is; `|` separates alternatives.
bool mlir_pretty_format(mlir_parser *p, mlir_op *op);
bool mlir_mixed_list(mlir_parser *p, name_id name, char open);
bool mlir_ints_attr(mlir_parser *p, name_id name);  // [1, 0], an array of integers

// Where the parser was before it tried a syntax.
typedef struct mlir_mark {
  const char *at;
  mlir_gap gap;
  diag_list diags;
  uint32_t operands, entries, types, arguments, missed, uses, ops, blocks;
  bool stop;
} mlir_mark;
mlir_mark mlir_mark_here(const mlir_parser *p);
// False, and nothing is taken back, where a region was read since: what it holds is in the graph.
bool mlir_go_back(mlir_parser *p, const mlir_mark *mark);

// A region that gets this terminator where it has none; its arguments are those of the entry block.
bool mlir_region_ended(mlir_parser *p, const mlir_argument *arguments, uint32_t count,
                       mlir_word terminator);

// --- pretty_linalg.c, pretty_loop.c, pretty_iree.c
typedef bool mlir_own_form(mlir_parser *p, mlir_op *op);
mlir_own_form mlir_pretty_structured, mlir_pretty_pack, mlir_pretty_unpack;
// Of an operation that nothing is known of: `shaped.destinations` says how many operands, the last, are those of outs, where
// the results have their types.
mlir_own_form mlir_pretty_destinations;
mlir_own_form mlir_pretty_for, mlir_pretty_parallel, mlir_pretty_forall, mlir_pretty_scf_while,
    mlir_pretty_index_switch, mlir_pretty_execute, mlir_pretty_affine_for, mlir_pretty_affine_if,
    mlir_pretty_affine_parallel;
mlir_own_form mlir_pretty_assume_int, mlir_pretty_tie_shape, mlir_pretty_import;
bool mlir_pretty_torch(mlir_parser *p, mlir_op *op);
bool mlir_pretty_disc(mlir_parser *p, mlir_op *op);
void mlir_finish_dot(mlir_parser *p,
                     const mlir_op *op);  // gathers what BATCH and CONTRACT pushed into one DICT

#endif
