// SPDX-License-Identifier: Apache-2.0
// What the printer of a text knows of it, for a reader that need not find it out again: which statements are written alike
// but for the names of their values, and which values those are.
//
// The printer promises: statements of one kind have no regions and no successors, the same text between the names, and
// values of the same types; a name means what it says in the whole function around it, which is no part of another one.
#ifndef SHAPE_FORMATS_MLIR_PRINTING_H
#define SHAPE_FORMATS_MLIR_PRINTING_H

#include "solver/graph/graph.h"

enum { MLIR_PRINTED_OPERANDS = 8 };  // of a statement that has a kind, which has one result or none

typedef struct mlir_printed {
  uint32_t at;      // its first character
  uint32_t from;    // where it is in the other form of the program
  uint32_t kind;    // from 1 on; 0: of none
  uint32_t names;   // of one with a kind: the first row of its names
  uint32_t values;  // that the text defines in front of it
} mlir_printed;

// A name of a statement: that of its result, where it has one, and those of its operands.
typedef struct mlir_printed_name {
  uint32_t
      value;  // of a result: its number in the text; of an operand: how many values are defined in front of it
  uint32_t to;  // where it ends, from the begin of the statement on
} mlir_printed_name;

typedef struct mlir_printing {
  const mlir_printed *items;  // in the order of the text
  const mlir_printed_name *names;
  uint32_t count;
  uint32_t kinds;  // the largest
  bool plain;      // the text is ASCII without control characters other than those of lines
} mlir_printing;

#endif
