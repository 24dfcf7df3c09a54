// SPDX-License-Identifier: Apache-2.0
// What people write of operations, and what is documented: the table operations.def and the tables of the solver.
#ifndef SHAPE_CLIENTS_LSP_OPERATIONS_H
#define SHAPE_CLIENTS_LSP_OPERATIONS_H

#include "solver/ops/registry.h"

typedef struct op_words {
  const char *name, *operands, *attributes, *text;
} op_words;

// A name in a column; not NUL-terminated.
typedef struct op_word {
  const char *text;
  uint32_t length;
  bool many, optional;  // of an operand; or optional of an attribute
} op_word;

typedef struct op_attribute {
  op_word name;
  bool spelled;      // the operation's own syntax writes it otherwise:
  op_word word;      // after this word; empty: bare
  op_word mnemonic;  // #dialect<mnemonic A>; empty: none
  op_word values;    // A|B; empty: none
} op_attribute;

// NULL: the table has none. mhlo.add has the row of stablehlo.add. O(log rows).
const op_words *op_words_of(const char *name, size_t length);
// Names of operands of any operation that is known, "" where there are none.
const char *op_operands(const char *name, size_t length);
// The row of the solver. NULL: it is not known.
const op_row *op_row_of(const char *name, size_t length);
// Whether a table has operations of the dialect: what is in front of the first dot.
bool op_dialect_is_known(const char *name, size_t length);
// The next of a column; false at its end.
bool op_next_operand(const char **at, op_word *out);
bool op_next_attribute(const char **at, op_attribute *out);
bool op_next_value(op_word *values, op_word *out);  // takes it from the values
// The attribute of an operation with that name, or that its own syntax writes after that word.
bool op_find_attribute(const op_words *words, const char *name, size_t length, op_attribute *out);
// What the operation does, its operands and attributes, what is required of them, and the section of its specification,
// as Markdown or plain text. False: it is not known.
bool op_describe(const char *name, size_t length, bool markdown, shape_strbuf *out);

#endif
