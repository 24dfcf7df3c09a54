// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/onnx/patch.h"

#include <assert.h>
#include <string.h>

#include "solver/formats/onnx/fields.h"
#include "solver/formats/onnx/index.h"

static void add(patch *p, patch_piece piece) {
  if (!piece.size) return;
  p->size += piece.size;
  patch_piece *last = p->count ? &p->items[p->count - 1] : NULL;
  if (last && !last->data && !piece.data && last->begin + last->size == piece.begin) {
    last->size += piece.size;
    return;
  }
  p->items =
      arena_grow(p->arena, p->items, p->count, (size_t)p->count + 1, &p->capacity, sizeof piece);
  assert(p->count < p->capacity);
  p->items[p->count++] = piece;
}

void patch_copy(patch *p, const uint8_t *begin, const uint8_t *end) {
  assert(begin == end || (p->base <= begin && begin < end));
  add(p, (patch_piece){NULL, (size_t)(begin - p->base), (size_t)(end - begin)});
}

static void add_bytes(patch *p, const char *data, size_t size) {
  char *copy = arena_alloc(p->arena, size + 1);
  memcpy(copy, data, size);
  add(p, (patch_piece){copy, 0, size});
}

static size_t put_varint(char *to, uint64_t value) {
  size_t n = 0;
  for (; value >= 0x80; value >>= 7) to[n++] = (char)(value | 0x80);
  to[n++] = (char)value;
  return n;
}

static void add_head(patch *p, uint32_t field, wire_type type, uint64_t value) {
  char head[20];
  size_t n = put_varint(head, (uint64_t)field << 3 | type);
  n += put_varint(head + n, value);
  assert(n <= sizeof head);
  add_bytes(p, head, n);
}

void patch_number(patch *p, uint32_t field, uint64_t value) {
  add_head(p, field, WIRE_VARINT, value);
}

void patch_text(patch *p, uint32_t field, const char *text, size_t length) {
  add_head(p, field, WIRE_BYTES, length);
  add_bytes(p, text, length);
}

void patch_message(patch *p, uint32_t field, const patch *inner) {
  add_head(p, field, WIRE_BYTES, inner->size);
  for (uint32_t i = 0; i < inner->count; i++) add(p, inner->items[i]);
}

static void put_attribute(patch *p, wire_span attribute, block_id block, const patch_parts *parts) {
  patch part = patch_new(p->arena, p->base);
  wire_reader r = wire_open(attribute);
  wire_field f;
  for (const uint8_t *at = r.at; wire_next(&r, &f); at = r.at) {
    if (f.number == ATTRIBUTE_G && f.type == WIRE_BYTES) {
      patch graph = parts->inner(parts->data, f.bytes, block);
      patch_message(&part, ATTRIBUTE_G, &graph);
    } else {
      patch_copy(&part, at, r.at);
    }
  }
  patch_message(p, NODE_ATTRIBUTE, &part);
}

void patch_node(patch *p, wire_span node, const shape_graph *g, const graph_op *op,
                const patch_parts *parts) {
  patch part = patch_new(p->arena, p->base);
  onnx_regions regions = onnx_regions_of(node);
  wire_reader r = wire_open(node);
  wire_field f, body;
  uint32_t index = 0;
  for (const uint8_t *at = r.at; wire_next(&r, &f); at = r.at) {
    bool graph = f.number == NODE_ATTRIBUTE && wire_find(f.bytes, ATTRIBUTE_G, &body);
    uint32_t region = graph ? onnx_next_region(&regions, f.bytes) : 0;
    const char *input = f.number == NODE_INPUT ? parts->input(parts->data, index++) : NULL;
    if (input) {
      patch_text(&part, NODE_INPUT, input, strlen(input));
    } else if (graph && region < op->region_count) {
      put_attribute(&part, f.bytes, g->regions[op->regions + region].first_block, parts);
    } else {
      patch_copy(&part, at, r.at);
    }
  }
  patch_message(p, GRAPH_NODE, &part);
}

void patch_write(const patch *p, const onnx_sink *sink) {
  for (uint32_t i = 0; i < p->count; i++) {
    const patch_piece *piece = &p->items[i];
    if (piece->data) {
      sink->write(sink->to, piece->data, piece->size);
    } else {
      sink->copy(sink->to, piece->begin, piece->begin + piece->size);
    }
  }
}
