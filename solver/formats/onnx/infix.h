// SPDX-License-Identifier: Apache-2.0
// Expressions of answers as exporters write them into dim_param: `(h - 1)//2` for `floordiv(h - 1, 2)`. dim_param.h reads
// them.
#ifndef SHAPE_FORMATS_ONNX_INFIX_H
#define SHAPE_FORMATS_ONNX_INFIX_H

#include "solver/base/strbuf.h"

enum { INFIX_MAX = 160 };  // bytes: what is longer is nothing to read

// False where it has no such form (a broadcast, a name in quotes) or is longer than INFIX_MAX. O(length).
bool infix_put(shape_strbuf *out, const char *text, size_t length);

#endif
