// SPDX-License-Identifier: Apache-2.0
// A map from 64-bit keys to 32-bit values, in an arena: open addressing, linear probing, load at most 3/4.
// Iteration order is not offered: answers must not depend on it. Key IMAP_NONE is reserved.
#ifndef SHAPE_BASE_IMAP_H
#define SHAPE_BASE_IMAP_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "solver/base/arena.h"

#define IMAP_NONE UINT64_MAX

typedef struct shape_imap {
  uint64_t *keys;
  uint32_t *values;
  uint32_t count, capacity;  // capacity is 0 or a power of two
} shape_imap;

// All zero is an empty map. O(1) expected each; a stored value may be overwritten by imap_put.
bool imap_get(const shape_imap *map, uint64_t key, uint32_t *value);
void imap_put(shape_imap *map, shape_arena *arena, uint64_t key, uint32_t value);
// The value of a key to read or to set, until the next imap_put or imap_slot; *fresh: the key was not there, and its
// value must be set.
uint32_t *imap_slot(shape_imap *map, shape_arena *arena, uint64_t key, bool *fresh);
void imap_reserve(shape_imap *map, shape_arena *arena,
                  uint32_t capacity);  // of an empty map; a power of two
void imap_clear(shape_imap *map);

// A good mix of all bits (the finaliser of splitmix64), for keys and hashes made of several numbers.
static inline uint64_t hash_mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
static inline uint64_t hash_pair(uint64_t a, uint64_t b) {
  return hash_mix(a * 0x9e3779b97f4a7c15u + b);
}
uint64_t hash_bytes(const void *data, size_t length);

// Looks at 16 bytes of a longer text, for caches that a collision only makes slower: eight behind the part that most
// texts have in common ("tensor<" and most of "stablehlo."), and the last eight.
static inline uint32_t hash_quick(const char *bytes, size_t length) {
  enum { SKIPPED = 7 };
  uint64_t a, b;
  if (length < SKIPPED + 8) return (uint32_t)hash_bytes(bytes, length);
  memcpy(&a, bytes + SKIPPED, 8);
  memcpy(&b, bytes + length - 8, 8);
  a = (a ^ length) * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xc2b2ae3d27d4eb4f);
  return (uint32_t)((a ^ (a >> 29)) * UINT64_C(0xbf58476d1ce4e5b9) >> 32);
}

#endif
