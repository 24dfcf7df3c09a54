// SPDX-License-Identifier: Apache-2.0
// What is expected at a byte of a text, from the tokens before it: for completion and signature help. The tokens may be
// those of an operation that is half typed.
#ifndef SHAPE_CLIENTS_LSP_CONTEXT_H
#define SHAPE_CLIENTS_LSP_CONTEXT_H

#include "clients/lsp/syntax/syntax.h"

typedef enum syn_expects {
  SYN_EXPECTS_NOTHING,    // comments, strings, names that are being defined
  SYN_EXPECTS_OP,         // the name of an operation
  SYN_EXPECTS_OPERAND,    // a value, or a word of the operation's own syntax
  SYN_EXPECTS_SYMBOL,     // @f
  SYN_EXPECTS_DIM,        // @S0 in a type
  SYN_EXPECTS_BLOCK,      // ^bb0
  SYN_EXPECTS_TYPE,       // a type, or its alias
  SYN_EXPECTS_ALIAS,      // #map
  SYN_EXPECTS_ATTRIBUTE,  // the name of an attribute
  SYN_EXPECTS_SETTING     // the value of one
} syn_expects;

typedef struct syn_context {
  syn_expects expects;
  uint32_t begin, end;  // the word that is typed; empty: none is
  bool opened;          // the operation's region begins just before it, or what reads as one
  bool quoted;          // the name of an operation is typed in quotes
  bool in_parens;       // operands in parentheses
  bool operands;        // the byte is among operands, whatever is expected there
  bool types;           // a list of types at the end of an operation
  uint32_t op;          // that the byte belongs to; SYN_NONE: none
  uint32_t region;
  uint32_t operand;  // or type: how many come before it
  uint32_t open;     // token of the innermost bracket of the operation; SYN_NONE: none
  uint32_t key;      // token of the attribute's name before the value
  uint32_t before;   // token before the word; SYN_NONE: none
} syn_context;

// O(tokens of the operation + log text).
syn_context syn_context_at(const syn_index *index, uint32_t offset);
// The innermost operation that the token belongs to; SYN_NONE: none.
uint32_t syn_op_of_token(const syn_index *index, uint32_t token);
// The last token that begins before the byte; SYN_NONE: none.
uint32_t syn_token_before(const syn_index *index, uint32_t offset);
// The token after a region of the operation that opens there; the token itself where none does.
uint32_t syn_skip_region(const syn_index *index, uint32_t op, uint32_t token);

// --- scope.c
// Values that may be used in the region by an operation in front of which the byte is, the nearest one first: their
// definitions. Blocks see those that dominate them. At most `room` are written; returns how many.
// O(names of the function + blocks * branches).
uint32_t syn_values_at(const syn_index *index, shape_arena *arena, const syn_context *at,
                       uint32_t *out, uint32_t room);

// --- types.c
typedef struct syn_type {
  uint32_t first, last;  // tokens; SYN_NONE: none is written
} syn_type;

// The last colon of the operation that is in no bracket; SYN_NONE: there is none.
uint32_t syn_colon_of(const syn_index *index, uint32_t op);
// The last token of the type that begins there.
uint32_t syn_type_end(const syn_index *index, uint32_t first);
// The type that is written for result or argument `number` of a definition. O(tokens of its operation).
syn_type syn_type_of(const syn_index *index, uint32_t name, uint32_t number);
// That which an operation writes for an operand, or for the one result of its function.
syn_type syn_operand_type(const syn_index *index, uint32_t op, uint32_t operand);
// The text of a type, aliases replaced, the same for types that differ in white space alone.
void syn_type_text(const syn_index *index, syn_type type, shape_strbuf *out);

#endif
