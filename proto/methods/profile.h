// SPDX-License-Identifier: Apache-2.0
// What was seen of the dims of a program, as it is kept: the runs themselves (the most frequent 64 combinations of
// dims), and for each name its range and a histogram of 32 values. What no longer fits is counted, not kept: of full
// lists the rarest entry makes room, so that what is frequent stays.
//
// The state is JSON of less than 1 MiB: {"points": [[count, [name, size, ...]], ...], "symbols": [[name, least, most,
// count, other, [size, count, ...]], ...]}. Reading is total: from any text comes a state that keeps the bounds.
#ifndef PROTO_METHODS_PROFILE_H
#define PROTO_METHODS_PROFILE_H

#include "proto/json/cursor.h"
#include "proto/json/write.h"
#include "solver/shape.h"

enum { PROFILE_POINTS = 64, PROFILE_SYMBOLS = 64, PROFILE_VALUES = 32 };

typedef struct profile_value {
  int64_t value;
  uint64_t count;
} profile_value;

typedef struct profile_symbol {
  json_slice name;
  int64_t least, most;
  uint64_t count, other;  // of all observations; of those whose value is not in the list
  profile_value values[PROFILE_VALUES];
  uint32_t value_count;
} profile_symbol;

typedef struct profile_state {
  shape_seen points[PROFILE_POINTS];
  uint32_t point_count;
  profile_symbol symbols[PROFILE_SYMBOLS];
  uint32_t symbol_count;
} profile_state;

// Texts of the state are slices of `json` or lie in the arena. An empty text is an empty state.
profile_state *profile_read(shape_arena *arena, json_slice json);
void profile_write(const profile_state *state, shape_strbuf *out);
// Adds one run. The point's texts are kept by reference. False: it has more names than there is room for.
bool profile_add(profile_state *state, const shape_seen *point);

#endif
