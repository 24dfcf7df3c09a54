// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/loc.h"

#include <assert.h>
#include <string.h>

// A text is walked through in parts, so that the job's caller hears of it.
enum { PART = 1 << 18 };

static uint32_t part_of(uint32_t left) { return left < PART ? left : PART; }

static uint32_t count_lines(const char *text, uint32_t length) {
  uint32_t lines = 1;
  const char *end = text + length;
  for (const char *at = text; length && (at = memchr(at, '\n', (size_t)(end - at))); at++) lines++;
  return lines;
}

// Each part is counted first, so that a text of newlines only costs four bytes each and little more on the way.
void source_index(source_text *source, shape_arena *arena) {
  if (source->line_starts) return;
  uint32_t capacity = 0, made = 1, part;
  uint32_t *starts = arena_grow(arena, NULL, 0, made, &capacity, sizeof *starts);
  starts[0] = 0;
  for (uint32_t begin = 0; begin < source->length; begin += part) {
    part = part_of(source->length - begin);
    const char *at = source->text + begin, *end = at + part;
    const uint32_t lines = made + count_lines(at, part) - 1;
    starts = arena_grow(arena, starts, made, lines, &capacity, sizeof *starts);
    while ((at = memchr(at, '\n', (size_t)(end - at))))
      starts[made++] = (uint32_t)(++at - source->text);
    assert(made == lines);
    arena_poll(arena);
  }
  source->line_starts = starts;
  source->line_count = made;
}

// Bytes that are 10 start no line in a file that is no text, and most of a model's bytes are better left alone.
void source_index_bytes(source_text *source, shape_arena *arena) {
  if (source->line_starts) return;
  source->line_starts = arena_zalloc(arena, sizeof *source->line_starts);
  source->line_count = 1;
}

source_position source_position_of(const source_text *source, uint32_t offset) {
  if (offset > source->length) offset = source->length;
  uint32_t line = sorted_before(source->line_starts, source->line_count,
                                sizeof *source->line_starts, 0, (uint64_t)offset + 1);
  assert(line > 0 && source->line_starts[line - 1] <= offset);
  return (source_position){line, offset - source->line_starts[line - 1] + 1};
}

source_position source_position_by_scan(const source_text *source, uint32_t offset) {
  if (offset > source->length) offset = source->length;
  uint32_t begin = offset;
  while (begin && source->text[begin - 1] != '\n') begin--;
  return (source_position){count_lines(source->text, begin), offset - begin + 1};
}
