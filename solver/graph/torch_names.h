// SPDX-License-Identifier: Apache-2.0
// Spellings of torch-mlir that readers and rules compare with.
#ifndef SHAPE_GRAPH_TORCH_NAMES_H
#define SHAPE_GRAPH_TORCH_NAMES_H

#include <stdint.h>
#include <stdio.h>

#define TORCH_NONE  "!torch.none"
#define TORCH_OPSET "torch.onnx_meta.opset_version"
#define TORCH_STRICT                                                                               \
  "torch.assume_strict_symbolic_shapes"  // of a function: a `?` is no 1 that is broadcast

// A symbol of a function after the first that declares the name: s0.1. Its length, or -1 where there is no room.
enum { TORCH_NAME_ROOM = 128 };
static inline int torch_own_name(char out[TORCH_NAME_ROOM], const char *name, uint32_t func) {
  int length = snprintf(out, TORCH_NAME_ROOM, "%s.%u", name, func);
  return length < TORCH_NAME_ROOM ? length : -1;
}

#endif
