// SPDX-License-Identifier: Apache-2.0
// The types that nearly all values of a program have, read without the parser and its stacks.
#ifndef SHAPE_FORMATS_MLIR_TYPE_PLAIN_H
#define SHAPE_FORMATS_MLIR_TYPE_PLAIN_H

#include "solver/graph/type.h"

// A whole text that is `tensor<4x?xf32>`: at most 16 dims, a built-in element type, no blanks and no encoding. False for
// every other one, wrong ones included: those are for the parser, which reads the same in these.
bool mlir_plain_tensor(type_table *types, const char *text, size_t length, type_id *out);

#endif
