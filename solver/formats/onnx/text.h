// SPDX-License-Identifier: Apache-2.0
// What the readers of ONNX's text forms share: a position in a text, and what is written from it. Private to them.
#ifndef SHAPE_FORMATS_ONNX_TEXT_H
#define SHAPE_FORMATS_ONNX_TEXT_H

#include "solver/base/budget.h"
#include "solver/formats/onnx/encode.h"

// Where a text is no model.
typedef struct text_error {
  const char *message;  // what was expected
  size_t at;            // byte of the text
} text_error;

// Whether a text begins as the form does. O(comments before that).
typedef bool text_form_recognise(const char *text, size_t length);
// The model's bytes, in the arena of `out`. False: *error says where the text is no model. O(length), steps of the budget.
typedef bool text_form_read(const char *text, size_t length, shape_budget *budget,
                            shape_strbuf *out, text_error *error);

typedef struct text_reader {
  const char *begin, *at, *end;
  shape_budget *budget;
  shape_strbuf *out;
  text_error *error;
  uint32_t depth;
} text_reader;

typedef struct text_word {
  const char *text;
  size_t length;
} text_word;

// Budget and `out` are NULL for what only looks for a form of the text.
text_reader text_open(const char *text, size_t length, shape_budget *budget, shape_strbuf *out,
                      text_error *error);
// Always false; the error is at the reader's position.
bool text_fail(text_reader *r, const char *message);
// The next character that is neither white space nor in a comment; 0 at the end.
char text_peek(text_reader *r);
bool text_accept(text_reader *r, char c);
bool text_is(text_word word, const char *text);

#endif
