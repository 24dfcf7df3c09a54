// SPDX-License-Identifier: Apache-2.0
// Where an array or object ends, found 64 bytes at a time: masks say which of them are quotes, backslashes and brackets, and
// what lies in strings follows from them without a branch for each byte. Needs SSE2, which every x86-64 has.
#ifndef SHAPE_FORMATS_JSON_SKIP_H
#define SHAPE_FORMATS_JSON_SKIP_H

#include "solver/base/arena.h"

// The byte after the array or object that begins at `at`. NULL where there is none, where a backslash is outside of strings
// or a NUL near, and without SSE2: the caller then looks byte by byte. *polled: up to where it was looked whether the job
// of the arena goes on. O(length).
const char *skip_nested(shape_arena *arena, const char **polled, const char *at, const char *end);

#endif
