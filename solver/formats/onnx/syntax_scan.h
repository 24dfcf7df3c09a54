// SPDX-License-Identifier: Apache-2.0
// The words of ONNX's text syntax: names, strings, numbers, types. Private to the reader of it (syntax.h).
#ifndef SHAPE_FORMATS_ONNX_SYNTAX_SCAN_H
#define SHAPE_FORMATS_ONNX_SYNTAX_SCAN_H

#include "solver/formats/onnx/text.h"

enum { SYNTAX_DEPTH = 100 };  // graphs in graphs, types in types

typedef enum syntax_number { NUMBER_NONE, NUMBER_INTEGER, NUMBER_FLOAT } syntax_number;

bool syntax_expect(text_reader *r, char c);
bool syntax_expect_arrow(text_reader *r);

// Of letters, digits and underscores; of no length where there is none.
text_word syntax_identifier(text_reader *r);
text_word syntax_peek_identifier(text_reader *r);

// A string in quotes, a name with or without them: as a field of bytes.
bool syntax_string(text_reader *r, uint32_t field);
bool syntax_name(text_reader *r, uint32_t field);

// A number, nan or infinity; none: nothing is taken.
syntax_number syntax_number_next(text_reader *r, text_word *text);
bool syntax_integer(text_reader *r, text_word text, uint64_t *value);  // negative ones too
bool syntax_double(text_reader *r, text_word text, double *value);

// TensorProto.DataType of a name; 0: no type of elements.
uint32_t syntax_element(text_word name);
bool syntax_is_type(text_word name);
// A TypeProto, without its key.
bool syntax_type(text_reader *r);

#endif
