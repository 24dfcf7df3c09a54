// SPDX-License-Identifier: Apache-2.0
// ONNX models in protobuf's text form (.pbtxt, .prototxt, .textproto): they become the bytes that say the same, which the
// reader of models takes. Source: Protocol Buffers documentation, "Text Format Language Specification".
#ifndef SHAPE_FORMATS_ONNX_TEXTPROTO_H
#define SHAPE_FORMATS_ONNX_TEXTPROTO_H

#include "solver/formats/onnx/text.h"

// It begins with a field of ModelProto.
text_form_recognise textproto_recognise;
// Fields that are not known are stepped over, as in bytes. A step for each field.
text_form_read textproto_read;

#endif
