// SPDX-License-Identifier: Apache-2.0
// A map from 64-bit keys to 32-bit values, in an arena: open addressing, linear probing, load at most 3/4.
// Iteration order is not offered: answers must not depend on it. Key IMAP_NONE is reserved.
#ifndef SHAPE_BASE_IMAP_H
#define SHAPE_BASE_IMAP_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "solver/base/arena.h"
#include "solver/base/mix.h"

#define IMAP_NONE UINT64_MAX

typedef struct shape_imap {
  uint64_t *keys;
  uint32_t *values;
  uint32_t count, capacity;  // capacity is 0 or a power of two
  uint64_t seed;             // of the arena
} shape_imap;

// All zero is an empty map. O(1) expected each; a stored value may be overwritten by imap_put.
bool imap_get(const shape_imap *map, uint64_t key, uint32_t *value);
void imap_put(shape_imap *map, shape_arena *arena, uint64_t key, uint32_t value);
// The value of a key to read or to set, until the next imap_put or imap_slot; *fresh: the key was not there, and its
// value must be set.
uint32_t *imap_slot(shape_imap *map, shape_arena *arena, uint64_t key, bool *fresh);
void imap_clear(shape_imap *map);
// The same in another arena of the process.
shape_imap imap_copy(const shape_imap *map, shape_arena *arena);

uint64_t hash_bytes(const void *data, size_t length);

// All of 1 to 7 bytes, in reads of fixed length, which may overlap.
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

// The two halves of a product of 128 bits, folded.
static inline uint64_t hash_fold(uint64_t a, uint64_t b) {
  unsigned __int128 product = (unsigned __int128)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// Of a text, for tables: a multiplication for each eight bytes. Each of them goes through a state that depends on the
// seed, so that no two texts are known to have one hash.
static inline uint64_t hash_text(const char *bytes, size_t length, uint64_t seed) {
  const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);
  uint64_t hash = length * UINT64_C(0xc2b2ae3d27d4eb4f) ^ seed, word;
  if (length < 8) return hash_fold(hash ^ (length ? few_bytes(bytes, length) : 0), step);
  const char *end = bytes + length;
  for (; end - bytes > 8; bytes += 8) {
    memcpy(&word, bytes, 8);
    hash = hash_fold(hash ^ word, step) ^ seed;
  }
  memcpy(&word, end - 8, 8);
  return hash_fold(hash ^ word, step);
}

static inline bool sixteen_equal(const char *a, const char *b) {
  uint64_t x, y, v, w;
  memcpy(&x, a, 8);
  memcpy(&y, b, 8);
  memcpy(&v, a + 8, 8);
  memcpy(&w, b + 8, 8);
  return ((x ^ y) | (v ^ w)) == 0;
}

// Whether two texts of one length are the same: most are short, and a call costs more than the comparison.
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

// Hashes 16 bytes of a longer text, for caches that a collision only makes slower: eight from `skipped` on, which is what
// most texts of the caller have in common, and the last eight.
static inline uint32_t hash_sample(const char *bytes, size_t length, size_t skipped) {
  uint64_t a, b;
  if (length < skipped + 8) return (uint32_t)hash_text(bytes, length, 0);
  memcpy(&a, bytes + skipped, 8);
  memcpy(&b, bytes + length - 8, 8);
  a = (a ^ length) * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xc2b2ae3d27d4eb4f);
  return (uint32_t)((a ^ (a >> 29)) * UINT64_C(0xbf58476d1ce4e5b9) >> 32);
}

#endif
