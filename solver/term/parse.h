// SPDX-License-Identifier: Apache-2.0
// Text to terms and predicates.
//   expr: integers of any length, names [A-Za-z_][A-Za-z0-9_.]* or "quoted names"
//         (\" and \\ in them for a quote and a backslash, as term_print_name writes them), unary - +,
//         + - *, parentheses, x^k with a constant k, floordiv(a,b) ceildiv(a,b) mod(a,b) min(a,..)
//         max(a,..) bcast(a,b), infix // and %; %x, %x#2 and %x.0 where an operand may be are names; select(c,a,b) is_zero(a) is_neg(a) as printed
//   predicate: expr (== | != | < | <= | > | >=) expr, or divisible(a,b)
// Limits: nesting 200, exponents 64, 1 MiB of text. Division by the constant 0 is an error.
#ifndef SHAPE_TERM_PARSE_H
#define SHAPE_TERM_PARSE_H

#include "solver/term/term.h"

typedef enum relation { REL_EQ, REL_NE, REL_LT, REL_LE, REL_GT, REL_GE, REL_DIVISIBLE } relation;

typedef struct term_parser {
  term_table *terms;
  // The term of a name, or TERM_NONE when it is not known (an error, "unknown symbol").
  term_id (*symbol)(void *data, const char *name, size_t length);
  // Called with each divisor that is not a constant (it may be 0 at some points); may be NULL.
  void (*divisor)(void *data, term_id divisor);
  void *data;
  // On failure: where (byte offset) and what was expected, as a sentence without its location.
  size_t error_at;
  const char *error;
  const char *unknown;  // the name of an unknown symbol, without quotes; NULL: the error is another
  size_t unknown_length;
} term_parser;

bool term_parse_expr(term_parser *parser, const char *text, size_t length, term_id *out);
bool term_parse_predicate(term_parser *parser, const char *text, size_t length, relation *relation,
                          term_id *left, term_id *right);

#endif
