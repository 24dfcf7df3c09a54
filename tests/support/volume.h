// SPDX-License-Identifier: Apache-2.0
// How much a property test does: numbers from the environment (PROPERTY_CASES, PROPERTY_SEED, ...), and whether
// continuous integration runs it; and its random numbers.
#ifndef TESTS_SUPPORT_VOLUME_H
#define TESTS_SUPPORT_VOLUME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The number in the environment, or the other one where it is not set or empty.
static inline uint64_t volume_setting(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtoull(text, NULL, 10) : otherwise;
}

static inline bool volume_is_ci(void) {
  const char *where = getenv("CI");
  return where && strcmp(where, "true") == 0;
}

// The cases to try, and the seed of the first one: PROPERTY_CASES and PROPERTY_SEED, else these numbers of cases in
// continuous integration and elsewhere.
typedef struct volume {
  bool ci;
  uint64_t cases, first;
} volume;

static inline volume volume_of(uint64_t in_ci, uint64_t elsewhere) {
  const bool ci = volume_is_ci();
  const volume v = {ci, volume_setting("PROPERTY_CASES", ci ? in_ci : elsewhere),
                    volume_setting("PROPERTY_SEED", 1)};
  printf("seeds %llu to %llu\n", (unsigned long long)v.first,
         (unsigned long long)(v.first + v.cases - 1));
  return v;
}

// The next random number; the state is not 0 (xorshift64).
static inline uint64_t volume_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static inline int64_t volume_pick(uint64_t *state, int64_t low, int64_t high) {
  return low + (int64_t)(volume_random(state) % (uint64_t)(high - low + 1));
}

#endif
