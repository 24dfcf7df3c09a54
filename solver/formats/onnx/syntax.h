// SPDX-License-Identifier: Apache-2.0
// ONNX's own text syntax (.onnxtxt): models become the bytes that say the same, which the reader of models takes.
//
//   <ir_version: 8, opset_import: ["" : 17]>
//   name (float[N, 128] X) => (float[N, 10] Y) <float[128, 10] W = {...}> { Y = MatMul (X, W) }
//
// Source: docs/Syntax.md of ONNX 1.20, and its parser where the two differ. Read beyond it: lists of tensors, graphs and
// types as attributes, and the values `...`, which its printer writes where it cannot write a tensor: they are unknown.
#ifndef SHAPE_FORMATS_ONNX_SYNTAX_H
#define SHAPE_FORMATS_ONNX_SYNTAX_H

#include "solver/formats/onnx/text.h"

// It begins with the properties of a model, or with a graph and its inputs.
text_form_recognise onnx_syntax_recognise;
// A step for each value.
text_form_read onnx_syntax_read;

#endif
