// SPDX-License-Identifier: Apache-2.0
// What was found where a text was expected to go on otherwise, for messages of syntax.
#ifndef SHAPE_BASE_FOUND_H
#define SHAPE_BASE_FOUND_H

#include <stddef.h>

#include "solver/base/arena.h"

enum { FOUND_ROOM = 64 };

// The length of the token at `at`: a word, with what marks it as a name in front (`%x`, `@main`), or one character; at most
// 40 bytes. 0 at the end.
size_t found_length(const char *at, const char *end);
// The token in quotes, "the byte 0x07", "the end of the line" or "the end of the text".
void found_put(char out[FOUND_ROOM], const char *at, const char *end);
// "expected ')'" becomes "expected ')', found 'x'", and "expected a dim: there is none" "expected a dim, found 'x': there is
// none", in the arena. A message that says what was found, or does not begin with "expected ", is returned as it is.
const char *found_message(shape_arena *arena, const char *message, const char *at, const char *end);

#endif
