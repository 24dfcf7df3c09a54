// SPDX-License-Identifier: Apache-2.0
// Fields of protocol buffers, appended to bytes: what readers of text forms write. wire.h reads them, patch.h changes
// messages that exist.
#ifndef SHAPE_FORMATS_ONNX_ENCODE_H
#define SHAPE_FORMATS_ONNX_ENCODE_H

#include "solver/base/strbuf.h"
#include "solver/formats/onnx/wire.h"

void encode_integer(shape_strbuf *out, uint32_t field, uint64_t value);
void encode_float(shape_strbuf *out, uint32_t field, double value);  // as a single
void encode_double(shape_strbuf *out, uint32_t field, double value);
void encode_bytes(shape_strbuf *out, uint32_t field, const char *bytes, size_t length);

// A message, or bytes whose length is not known as yet: what is appended between the two calls. The second takes what the
// first returned.
uint32_t encode_open(shape_strbuf *out, uint32_t field);
void encode_close(shape_strbuf *out, uint32_t from);

#endif
