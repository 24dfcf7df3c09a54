// SPDX-License-Identifier: Apache-2.0
// A message made of parts of an old one and of new bytes. Lengths of nested messages precede them, so a message is
// put together as a list of pieces first; payloads are never touched. Private to the folder.
#ifndef SHAPE_FORMATS_ONNX_PATCH_H
#define SHAPE_FORMATS_ONNX_PATCH_H

#include "solver/formats/onnx/refine.h"
#include "solver/formats/onnx/wire.h"

typedef struct patch_piece {
  const char *data;  // NULL: the bytes [begin, begin + size) of the old file
  size_t begin, size;
} patch_piece;

typedef struct patch {
  shape_arena *arena;
  const uint8_t *base;  // of the old file
  patch_piece *items;
  uint32_t count, capacity;
  size_t size;  // of all pieces
} patch;

static inline patch patch_new(shape_arena *arena, const uint8_t *base) {
  return (patch){.arena = arena, .base = base};
}
void patch_copy(patch *p, const uint8_t *begin, const uint8_t *end);
void patch_number(patch *p, uint32_t field, uint64_t value);
void patch_text(patch *p, uint32_t field, const char *text, size_t length);  // copied
void patch_message(patch *p, uint32_t field, const patch *inner);
// What becomes of a node.
typedef struct patch_parts {
  const char *(*input)(void *data, uint32_t index);             // the new name of an input, or NULL
  patch (*inner)(void *data, wire_span graph, block_id block);  // a graph that it holds
  void *data;
} patch_parts;

// Copies the node of an operation but for these. Its regions are in the order that the reader gives them, then_branch first.
void patch_node(patch *p, wire_span node, const shape_graph *g, const graph_op *op,
                const patch_parts *parts);
void patch_write(const patch *p, const onnx_sink *sink);

#endif
