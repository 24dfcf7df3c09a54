// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "clients/mlir/analysis.h"

enum { CHUNK = 1 << 16 };

typedef struct shaped_chunk {
  struct shaped_chunk *next;
  size_t size;
  alignas(max_align_t) char data[];
} shaped_chunk;

void *shaped_pool_take(shaped_pool *p, size_t count, size_t size) {
  size_t align = alignof(max_align_t), bytes;
  if (p->failed || __builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2) {
    p->failed = true;
    return NULL;
  }
  bytes = (bytes + align) / align * align;  // at least one: what is taken has an address
  if (!p->chunks || p->chunks->size - p->used < bytes) {
    size_t room = bytes > CHUNK ? bytes : CHUNK;
    shaped_chunk *chunk = malloc(sizeof *chunk + room);
    if (!chunk) {
      p->failed = true;
      return NULL;
    }
    chunk->next = p->chunks;
    chunk->size = room;
    p->chunks = chunk;
    p->used = 0;
  }
  void *at = p->chunks->data + p->used;
  p->used += bytes;
  assert(p->used <= p->chunks->size);
  return memset(at, 0, bytes);
}

const char *shaped_pool_text(shaped_pool *p, MlirStringRef text) {
  char *copy = shaped_pool_take(p, text.length + 1, 1);
  if (copy && text.length) memcpy(copy, text.data, text.length);
  return copy;
}

void shaped_pool_reset(shaped_pool *p) {
  while (p->chunks && p->chunks->next) {
    shaped_chunk *next = p->chunks->next;
    free(p->chunks);
    p->chunks = next;
  }
  p->used = 0;
}

void shaped_pool_free(shaped_pool *p) {
  shaped_pool_reset(p);
  free(p->chunks);
  *p = (shaped_pool){0};
}
