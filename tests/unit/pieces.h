// SPDX-License-Identifier: Apache-2.0
// Random texts made of pieces.
#ifndef TESTS_UNIT_PIECES_H
#define TESTS_UNIT_PIECES_H

#include <stdint.h>
#include <string.h>

// What texts of MLIR are made of, besides words.
#define MLIR_PIECES                                                                                \
  "%0", ",", "(", ")", "{", "}", "\n", " ", "\"", "//", "#1", ":2", " = ", "[", "]", "<", ">",     \
      "@f", "^bb1:", "!t", "#map", "->", "x", "return", "\\", "\xf0\x9f\x98\x80"

// Puts `times` of the pieces, in any order, one after the other into the text; there is room for them. The seed moves on.
static inline void pieces_join(char *text, const char *const *pieces, uint32_t count, int times,
                               uint32_t *seed) {
  *text = 0;
  for (int i = 0; i < times; i++) {
    *seed = *seed * 1664525 + 1013904223;
    strcat(text, pieces[(*seed >> 16) % count]);
  }
}

#endif
