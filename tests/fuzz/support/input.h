// SPDX-License-Identifier: Apache-2.0
// The bytes of a fuzz target, and memory of their own.
#ifndef TESTS_FUZZ_SUPPORT_INPUT_H
#define TESTS_FUZZ_SUPPORT_INPUT_H

#include <stddef.h>
#include <stdint.h>

#include "solver/base/arena.h"

typedef struct fuzz_input {
  shape_arena *arena;
  const char *bytes;
  size_t length;
} fuzz_input;

// The body gets the input; running out of memory ends it.
static inline void fuzz_run(const uint8_t *data, size_t size, void (*body)(void *input)) {
  shape_arena arena;
  arena_init(&arena, 64u << 20);
  fuzz_input in = {&arena, (const char *)data, size};
  arena_protect(&arena, body, &in);
  arena_destroy(&arena);
}

#endif
