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
  TYPES_SAME,      // one type: of all operands and of the result
  TYPES_RESULT,    // of the result (or results); the operands' are not written
  TYPES_OPERANDS,  // of the operands; there are no results
  TYPES_PAIRWISE,  // of the operands and of the results
  TYPES_SELECT,    // predicate, then operands and result; or those alone
  TYPES_INDEX,     // of the first operand; the result is an index
  TYPES_ELEMENT,   // of the first operand; the result is an element of it
  TYPES_COMPARE,   // of the operands; the result is the same of i1
  TYPES_COMPLEX,   // of the result; the operands are its real parts
  TYPES_WITNESS,   // of the operands, if any; the result is a !shape.witness
  TYPES_SHAPE,     // likewise !shape.shape
  TYPES_SIZE,      // likewise !shape.size
  TYPES_TO_INDEX,  // likewise index
  TYPES_TO_I1,     // likewise i1
} pretty_types;

typedef enum pretty_form {
  FORM_ITEMS,     // operands, words, keys, brackets, attributes, then types
  FORM_CONSTANT,  // attribute that has the type
  FORM_REDUCE,
  FORM_WHILE,
  FORM_TENSOR,   // pretty_tensor.c
  FORM_BRANCH,   // branch.c
  FORM_REGIONS,  // operands -> types { } else { }
  FORM_TORCH,    // pretty_torch.c
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
  bool braces_are_regions;
  bool has_dot_dims;
  bool declares_symbol;
  const pretty_key *keys;
};

bool mlir_pretty_value(mlir_parser *p, const pretty_key *key);  // after `key =`: pushes entries
bool mlir_pretty_brackets(mlir_parser *p, const mlir_pretty_row *row);  // at '['
bool mlir_pretty_text(mlir_parser *p, const mlir_pretty_row *row, unsigned which, mlir_word word);
bool mlir_pretty_types(mlir_parser *p, mlir_op *op);  // after ':'
bool mlir_pretty_fixed(mlir_parser *p,
                       mlir_op *op);  // no ':': pushes the result type that the row knows
bool mlir_pretty_reduce(mlir_parser *p, mlir_op *op);
bool mlir_pretty_while(mlir_parser *p, mlir_op *op);
bool mlir_pretty_branch(mlir_parser *p, mlir_op *op);
bool mlir_pretty_tensor(mlir_parser *p, mlir_op *op);
bool mlir_pretty_torch(mlir_parser *p, mlir_op *op);
void mlir_finish_dot(mlir_parser *p,
                     const mlir_op *op);  // gathers what BATCH and CONTRACT pushed into one DICT

#endif
