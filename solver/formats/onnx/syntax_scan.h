// SPDX-License-Identifier: Apache-2.0
// The words of ONNX's text syntax: names, strings, numbers, types. Private to the reader of it (syntax.h).
#ifndef SHAPE_FORMATS_ONNX_SYNTAX_SCAN_H
#define SHAPE_FORMATS_ONNX_SYNTAX_SCAN_H

#include "solver/base/budget.h"
#include "solver/formats/onnx/encode.h"

enum { SYNTAX_DEPTH = 100 };  // graphs in graphs, types in types

typedef struct syntax_reader {
  const char *begin, *at, *end;
  shape_budget *budget;
  shape_strbuf *out;
  text_error *error;
  uint32_t depth;
} syntax_reader;

typedef struct syntax_word {
  const char *text;
  size_t length;
} syntax_word;

typedef enum syntax_number { NUMBER_NONE, NUMBER_INTEGER, NUMBER_FLOAT } syntax_number;

// Always false; the error is at the reader's position.
bool syntax_fail(syntax_reader *r, const char *message);
// The next character that is neither white space nor in a comment; 0 at the end.
char syntax_peek(syntax_reader *r);
bool syntax_accept(syntax_reader *r, char c);
bool syntax_expect(syntax_reader *r, char c);
bool syntax_expect_arrow(syntax_reader *r);

bool syntax_is(syntax_word word, const char *text);
// Of letters, digits and underscores; of no length where there is none.
syntax_word syntax_identifier(syntax_reader *r);
syntax_word syntax_peek_identifier(syntax_reader *r);

// A string in quotes, a name with or without them: as a field of bytes.
bool syntax_string(syntax_reader *r, uint32_t field);
bool syntax_name(syntax_reader *r, uint32_t field);

// A number, nan or infinity; none: nothing is taken.
syntax_number syntax_number_next(syntax_reader *r, syntax_word *text);
bool syntax_integer(syntax_reader *r, syntax_word text, uint64_t *value);  // negative ones too
bool syntax_double(syntax_reader *r, syntax_word text, double *value);

// TensorProto.DataType of a name; 0: no type of elements.
uint32_t syntax_element(syntax_word name);
bool syntax_is_type(syntax_word name);
// A TypeProto, without its key.
bool syntax_type(syntax_reader *r);

#endif
