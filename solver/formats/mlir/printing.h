// SPDX-License-Identifier: Apache-2.0
// What the printer of a text knows of it, for a reader that need not find it out again: which statements are written alike
// but for the names of their values, and which values those are.
//
// The printer promises: statements of one kind have no regions and no successors, the same text between the names, and
// values of the same types; a name means what it says in the whole function around it, which is no part of another one.
// The name of a result is its number.
#ifndef SHAPE_FORMATS_MLIR_PRINTING_H
#define SHAPE_FORMATS_MLIR_PRINTING_H

#include "solver/graph/graph.h"

enum { MLIR_PRINTED_OPERANDS = 8 };  // of a statement that has a kind, which has one result or none

enum { MLIR_PRINTED_KINDS = 1 << 12, MLIR_PRINTED_LENGTH = (1 << 13) - 1 };  // at most

typedef struct mlir_printed {
  uint32_t at;           // its first character
  uint32_t values;       // that the text defines in front of it
  uint32_t kind : 13;    // from 1 on; 0: of none
  uint32_t length : 13;  // of one with a kind
  uint32_t
      names : 4;  // of one with a kind: that of its result, where it has one, and those of its operands
  bool joined : 1;  // only blanks are between it and the statement of the row in front
  bool
      later : 1;  // it is not written as yet, but for what may be inspected at the end of the one in front
} mlir_printed;
_Static_assert(sizeof(mlir_printed) == 12, "most of what is kept of a program while it is read");

typedef struct mlir_printing {
  const mlir_printed *items;  // in the order of the text
  // Of the statements with a kind, one after the other. Of a result: its number in the text; of an operand: how many
  // values are defined in front of it.
  const uint32_t *names;
  uint32_t count;
  uint32_t kinds;  // the largest
  bool plain;      // the text is ASCII without control characters other than those of lines
} mlir_printing;

#endif
