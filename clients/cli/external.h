// SPDX-License-Identifier: Apache-2.0
// Data of tensors that are in files beside an ONNX model. Only regular files below the model's folder are read, also
// where links are on the way, and only as many bytes as a small tensor has. A file that is absent is no error: its
// values are then not known.
#ifndef SHAPE_CLI_EXTERNAL_H
#define SHAPE_CLI_EXTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct external_files {
  const char *model;  // its path
  bool used;          // something was read
} external_files;

// An onnx_external; data is an external_files.
bool external_read(void *data, const char *name, uint64_t offset, size_t length, void *to);

#endif
