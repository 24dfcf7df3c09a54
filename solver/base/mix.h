// SPDX-License-Identifier: Apache-2.0
#ifndef SHAPE_BASE_MIX_H
#define SHAPE_BASE_MIX_H

#include <stdint.h>

// A good mix of all bits (the finaliser of splitmix64), for keys and hashes made of several numbers.
static inline uint64_t hash_mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
static inline uint64_t hash_pair(uint64_t a, uint64_t b) {
  return hash_mix(a * 0x9e3779b97f4a7c15u + b);
}

#endif
