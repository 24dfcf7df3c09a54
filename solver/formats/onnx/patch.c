// SPDX-License-Identifier: Apache-2.0
#include "solver/formats/onnx/patch.h"

#include <assert.h>
#include <string.h>

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
