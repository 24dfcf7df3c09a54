// SPDX-License-Identifier: Apache-2.0
// Locations in a source: half-open spans of bytes, and lines and columns made from them on demand.
#ifndef SHAPE_GRAPH_LOC_H
#define SHAPE_GRAPH_LOC_H

#include <stdint.h>

#include "solver/base/arena.h"
#include "solver/base/sorted.h"  // what lies where in a text is in its order

typedef struct source_span {
  uint32_t begin, end;  // bytes; begin == end is a point
} source_span;

#define SPAN_NONE ((source_span){UINT32_MAX, UINT32_MAX})
static inline int span_is_none(source_span s) { return s.begin == UINT32_MAX; }

typedef struct source_position {
  uint32_t line, column;  // both count from 1; the column counts bytes
} source_position;

typedef struct source_text {
  const char *text;
  uint32_t length;
  uint32_t *line_starts;  // made by source_index; line_starts[0] == 0
  uint32_t line_count;
  // Writes what a reader has left out of the text for the time being (format_options.text_later) where it is; NULL where
  // the text is whole. The index of such a text is there from the beginning.
  shape_status (*complete)(struct source_text *source);
  void *rest;  // what it needs
} source_text;

void source_index(source_text *source, shape_arena *arena);        // O(length), once
void source_index_bytes(source_text *source, shape_arena *arena);  // one line: not text
source_position source_position_of(const source_text *source, uint32_t offset);  // O(log lines)
// The same of a text without an index: O(offset), and no memory.
source_position source_position_by_scan(const source_text *source, uint32_t offset);

#endif
