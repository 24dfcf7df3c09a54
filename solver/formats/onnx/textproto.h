// SPDX-License-Identifier: Apache-2.0
// ONNX models in protobuf's text form (.pbtxt, .prototxt, .textproto): they become the bytes that say the same, which the
// reader of models takes. Source: Protocol Buffers documentation, "Text Format Language Specification".
#ifndef SHAPE_FORMATS_ONNX_TEXTPROTO_H
#define SHAPE_FORMATS_ONNX_TEXTPROTO_H

#include "solver/base/budget.h"
#include "solver/formats/onnx/encode.h"

// Whether a text begins with a field of ModelProto. O(comments before it).
bool textproto_recognise(const char *text, size_t length);

// The model's bytes, in the arena of `out`. Fields that are not known are stepped over, as in bytes. False: *error says
// where the text is no model. O(length), a step of the budget for each field.
bool textproto_read(const char *text, size_t length, shape_budget *budget, shape_strbuf *out,
                    text_error *error);

#endif
