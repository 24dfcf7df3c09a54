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

// All of 1 to 7 bytes, in reads of fixed sizes, which may overlap.
static inline uint64_t few_bytes(const char *bytes, size_t length) {
  if (length < 4) {
    return (unsigned char)bytes[0] | (uint64_t)(unsigned char)bytes[length / 2] << 8 |
           (uint64_t)(unsigned char)bytes[length - 1] << 16;
  }
  uint32_t first, last;
  memcpy(&first, bytes, 4);
  memcpy(&last, bytes + length - 4, 4);
  return first | (uint64_t)last << 32;
}

// Of a text, for tables: a multiplication for each eight bytes, where hash_bytes takes three and more time to wait.
static inline uint64_t hash_text(const char *bytes, size_t length) {
  const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);
  uint64_t hash = length * UINT64_C(0xc2b2ae3d27d4eb4f), word;
  if (length < 8) {
    if (length) hash = (hash ^ few_bytes(bytes, length)) * step;
    return hash ^ hash >> 32;
  }
  const char *end = bytes + length;
  for (; end - bytes > 8; bytes += 8) {
    memcpy(&word, bytes, 8);
    hash = (hash ^ word) * step;
    hash ^= hash >> 32;
  }
  memcpy(&word, end - 8, 8);
  hash = (hash ^ word) * step;
  return hash ^ hash >> 32;
}

static inline bool sixteen_equal(const char *a, const char *b) {
  uint64_t x, y, v, w;
  memcpy(&x, a, 8);
  memcpy(&y, b, 8);
  memcpy(&v, a + 8, 8);
  memcpy(&w, b + 8, 8);
  return ((x ^ y) | (v ^ w)) == 0;
}

// Whether two texts of one length are the same: most are short, and a call costs more than looking at them.
static inline bool text_equals(const char *a, const char *b, size_t length) {
  uint64_t x, y, v, w;
  if (length > 32) return memcmp(a, b, length) == 0;
  if (length > 16) return sixteen_equal(a, b) && sixteen_equal(a + length - 16, b + length - 16);
  if (length < 8) return !length || few_bytes(a, length) == few_bytes(b, length);
  memcpy(&x, a, 8);
  memcpy(&y, b, 8);
  memcpy(&v, a + length - 8, 8);
  memcpy(&w, b + length - 8, 8);
  return x == y && v == w;
}

// Looks at 16 bytes of a longer text, for caches that a collision only makes slower: eight behind the part that most
// texts have in common ("tensor<" and most of "stablehlo."), and the last eight.
static inline uint32_t hash_quick(const char *bytes, size_t length) {
  enum { SKIPPED = 7 };
  uint64_t a, b;
  if (length < SKIPPED + 8) return (uint32_t)hash_text(bytes, length);
  memcpy(&a, bytes + SKIPPED, 8);
  memcpy(&b, bytes + length - 8, 8);
  a = (a ^ length) * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xc2b2ae3d27d4eb4f);
  return (uint32_t)((a ^ (a >> 29)) * UINT64_C(0xbf58476d1ce4e5b9) >> 32);
}

#endif
