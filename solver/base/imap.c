// SPDX-License-Identifier: Apache-2.0
#include "solver/base/imap.h"

#include <assert.h>
#include <string.h>

// The highest bits of a product select the slot; all bits of the key and the seed have an effect on them.
static inline uint32_t slot_of(const shape_imap *map, uint64_t key) {
  uint32_t mask = map->capacity - 1;
  assert((map->capacity & mask) == 0);
  assert(key != IMAP_NONE && map->count < map->capacity);
  uint64_t product = (key ^ key >> 32 ^ map->seed) * UINT64_C(0x9e3779b97f4a7c15);
  uint32_t i = (uint32_t)(product >> (64 - __builtin_ctz(map->capacity)));
  while (map->keys[i] != IMAP_NONE && map->keys[i] != key) i = (i + 1) & mask;
  return i;
}

bool imap_get(const shape_imap *map, uint64_t key, uint32_t *value) {
  if (!map->count) return false;
  uint32_t i = slot_of(map, key);
  if (map->keys[i] == IMAP_NONE) return false;
  *value = map->values[i];
  return true;
}

static __attribute__((noinline)) void enlarge(shape_imap *map, shape_arena *arena) {
  shape_imap old = *map;
  if (old.capacity >= UINT32_MAX / 2) arena_fail(arena, SHAPE_MEMORY);
  uint32_t capacity = old.capacity ? 2 * old.capacity : 16;
  // The map stays as it was where there is memory for none or one of them.
  uint64_t *keys = arena_alloc(arena, capacity * sizeof *keys);
  uint32_t *values = arena_alloc(arena, capacity * sizeof *values);
  map->keys = keys;
  map->values = values;
  map->capacity = capacity;
  map->seed = arena->seed;
  memset(map->keys, 0xff, capacity * sizeof *map->keys);
  for (uint32_t i = 0; i < old.capacity; i++) {
    if (old.keys[i] == IMAP_NONE) continue;
    uint32_t to = slot_of(map, old.keys[i]);
    map->keys[to] = old.keys[i];
    map->values[to] = old.values[i];
  }
}

#ifdef SHAPE_DEBUG
// Small maps move whenever they get a key, so that a pointer to a value which is held across that is found.
static void move(shape_imap *map, shape_arena *arena) {
  size_t keys = map->capacity * sizeof *map->keys, values = map->capacity * sizeof *map->values;
  shape_imap old = *map;
  void *new_keys = arena_alloc(arena, keys), *new_values = arena_alloc(arena, values);
  map->keys = memcpy(new_keys, old.keys, keys);
  map->values = memcpy(new_values, old.values, values);
  memset(old.keys, 0xdd, keys);
  memset(old.values, 0xdd, values);
  poison(old.keys, keys);
  poison(old.values, values);
}
#endif

uint32_t *imap_slot(shape_imap *map, shape_arena *arena, uint64_t key, bool *fresh) {
  uint32_t known;
  if (map->count + map->count / 3 >= map->capacity && !imap_get(map, key, &known))
    enlarge(map, arena);
  uint32_t i = slot_of(map, key);
  *fresh = map->keys[i] == IMAP_NONE;
#ifdef SHAPE_DEBUG
  if (*fresh && map->capacity <= 64) move(map, arena);
#endif
  map->count += *fresh;
  map->keys[i] = key;
  return &map->values[i];
}

void imap_put(shape_imap *map, shape_arena *arena, uint64_t key, uint32_t value) {
  bool fresh;
  *imap_slot(map, arena, key, &fresh) = value;
}

void imap_clear(shape_imap *map) {
  if (map->capacity) memset(map->keys, 0xff, map->capacity * sizeof *map->keys);
  map->count = 0;
}

uint64_t hash_bytes(const void *data, size_t length) {
  const char *bytes = data;
  uint64_t hash = length, word;
  if (length < 8) return length ? hash_pair(hash, few_bytes(bytes, length)) : hash;
  const char *end = bytes + length;
  for (; end - bytes > 8; bytes += 8) {
    memcpy(&word, bytes, 8);
    hash = hash_pair(hash, word);
  }
  memcpy(&word, end - 8, 8);
  return hash_pair(hash, word);
}

shape_imap imap_copy(const shape_imap *map, shape_arena *arena) {
  shape_imap made = *map;
  if (!map->capacity) return made;
  made.keys = arena_alloc(arena, map->capacity * sizeof *made.keys);
  made.values = arena_alloc(arena, map->capacity * sizeof *made.values);
  memcpy(made.keys, map->keys, map->capacity * sizeof *made.keys);
  memcpy(made.values, map->values, map->capacity * sizeof *made.values);
  return made;
}
