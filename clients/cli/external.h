// SPDX-License-Identifier: Apache-2.0
// Data of tensors that are in files beside an ONNX model. Only regular files below the model's folder are read, also
// where links are on the way, and only as many bytes as a small tensor has. A file that is absent is not an error: its
// values are then not known.
#ifndef SHAPE_CLI_EXTERNAL_H
#define SHAPE_CLI_EXTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The file that was read last stays open: the tensors of a model are most often in one.
typedef struct external_files {
  const char *model;  // its path
  bool used;          // something was read
  char *folder;       // the real path of the model's folder; NULL: not looked up yet
  char *name;         // of the file that was opened last; NULL: none was
  int fd;             // of that file; -1: it cannot be read
  uint64_t size;
} external_files;

// An onnx_external; data is an external_files, of which all but the model is zero at first.
bool external_read(void *data, const char *name, uint64_t offset, size_t length, void *to);
void external_close(external_files *files);

#endif
