// SPDX-License-Identifier: Apache-2.0
// What reads tokens into an index, from the begin of a text (tree.c) or from an operation on (update.c). Private to the
// folder.
#ifndef SHAPE_CLIENTS_LSP_PARSER_H
#define SHAPE_CLIENTS_LSP_PARSER_H

#include "clients/lsp/syntax/syntax.h"

typedef enum frame_kind { REGION, PAREN, BRACKET, ANGLE, BRACE } frame_kind;

typedef struct frame {
  frame_kind kind;
  uint32_t base;    // the frame of the region around; itself for a region
  uint32_t region;  // and what follows: of a region
  uint32_t op;      // that is being read; SYN_NONE: none
  uint32_t scope;
  uint32_t
      group;  // first occurrence in the last parentheses of the operation that may hold arguments
  uint32_t end;      // and the one after the last
  bool arguments;    // they do, as far as they were read: %a: t, %b: t
  bool bare;         // or so: %i, %j
  bool follows;      // they end in front of the token
  bool in_function;  // no function begins in here
} frame;

typedef struct parser {
  syn_index *x;
  shape_arena *arena;  // of the stack
  frame *stack;
  uint32_t depth, capacity;
  uint32_t at;       // token
  uint32_t comment;  // the next one
  uint32_t limit;    // token that is not read any more; SYN_NONE: none
  bool begins;       // an operation begins at the token, whatever is in front of it
} parser;

void syn_push(parser *p, frame f);

// Asked of an operation that begins at the token, in the region of the innermost frame.
typedef bool syn_stop(parser *p, void *data);
// Reads tokens until `stop`, which may be NULL, returns true, or to the end. False: the limit was reached.
//
// What comes after the begin of an operation depends on nothing in front of it but the frames, of each its kind, region,
// operation, scope and in_function, and on what is known of these operations and regions: `group` and what follows in a
// frame is set by the operation's own parentheses, and a region that opens in them ends them.
bool syn_parse(parser *p, syn_stop *stop, void *data);

#endif
