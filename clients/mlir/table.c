// SPDX-License-Identifier: Apache-2.0
#include "clients/mlir/table.h"

#include <assert.h>
#include <stdlib.h>

// Fibonacci hashing; the low bits of pointers are 0.
static uint32_t slot_of(const shaped_table *t, const void *key) {
  assert(t->capacity && !(t->capacity & (t->capacity - 1)));
  uint64_t hash = ((uint64_t)(uintptr_t)key >> 3) * 0x9E3779B97F4A7C15u;
  uint32_t at = (uint32_t)(hash >> 32) & (t->capacity - 1);
  while (t->keys[at] && t->keys[at] != key) at = (at + 1) & (t->capacity - 1);
  return at;
}

static bool grow(shaped_table *t) {
  shaped_table next = {.count = t->count, .capacity = t->capacity ? 2 * t->capacity : 64};
  next.keys = calloc(next.capacity, sizeof *next.keys);
  next.values = malloc(next.capacity * sizeof *next.values);
  if (!next.keys || !next.values) {
    shaped_table_free(&next);
    return false;
  }
  for (uint32_t i = 0; i < t->capacity; i++) {
    if (!t->keys[i]) continue;
    uint32_t at = slot_of(&next, t->keys[i]);
    next.keys[at] = t->keys[i];
    next.values[at] = t->values[i];
  }
  shaped_table_free(t);
  *t = next;
  return true;
}

bool shaped_table_put(shaped_table *t, const void *key, uint32_t value) {
  assert(key && 2 * t->count <= t->capacity);
  if (2 * (t->count + 1) > t->capacity && !grow(t)) return false;
  uint32_t at = slot_of(t, key);
  t->count += !t->keys[at];
  t->keys[at] = key;
  t->values[at] = value;
  return true;
}

uint32_t shaped_table_get(const shaped_table *t, const void *key) {
  if (!t->capacity || !key) return UINT32_MAX;
  uint32_t at = slot_of(t, key);
  return t->keys[at] ? t->values[at] : UINT32_MAX;
}

void shaped_table_free(shaped_table *t) {
  free(t->keys);
  free(t->values);
  *t = (shaped_table){0};
}
