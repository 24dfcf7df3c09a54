// SPDX-License-Identifier: Apache-2.0
// The part of input_read.c for large ONNX files.
#ifndef SHAPE_CLI_INPUT_SPARSE_H
#define SHAPE_CLI_INPUT_SPARSE_H

#include "clients/cli/input.h"

enum { SPARSE_FROM = 1 << 20 };  // bytes of a file; smaller ones are read whole

// True: the file is an ONNX model, and *out holds it. False: it is something else, or cannot be read so; *out is as
// before.
bool input_read_sparse(int fd, size_t size, input *out);

#endif
