// SPDX-License-Identifier: Apache-2.0
// Where arrays and objects end, by blocks, against looking byte by byte.
#include <criterion/criterion.h>

#include "solver/formats/json/cursor.h"
#include "solver/formats/json/skip.h"

// NULL also where a byte outside of strings is a backslash or NUL: those the fast way leaves to others.
static const char *slowly(const char *at, const char *end) {
  size_t depth = 0;
  bool in_string = false;
  for (; at < end; at++) {
    if (*at == '\\' || !*at) {
      if (!in_string) return NULL;
      at += *at == '\\';
    } else if (*at == '"') {
      in_string = !in_string;
    } else if (!in_string && (*at == '[' || *at == '{')) {
      depth++;
    } else if (!in_string && (*at == ']' || *at == '}') && !--depth) {
      return at + 1;
    }
  }
  return NULL;
}

static const char *skipped(shape_arena *arena, const char *at, const char *end) {
  const char *polled = at;
  return skip_nested(arena, &polled, at, end);
}

Test(skip, agrees_byte_by_byte) {
#ifndef __SSE2__
  cr_skip_test("there is no fast way");
#endif
  // Likely to nest, to escape and to end, and what looks like a bracket where only some bits are compared. NULs are few.
  static const char BYTES[] = "[[[{{]]}}\"\"\"\\\\ab,;:;[]{} \x1b\x5f\x7f\x3b\xdb\xfb";
  enum { ROOM = 400, TEXTS = 30000 };
  static char text[ROOM];
  shape_arena arena;
  uint32_t random = 12345, ends = 0;
  arena_init(&arena, 0);
  for (unsigned i = 0; i < TEXTS; i++) {
    size_t length = 1 + i % ROOM;
    text[0] = i % 2 ? '[' : '{';
    for (size_t k = 1; k < length; k++) {
      random = random * 1664525 + 1013904223;
      // Long runs of one kind cross the ends of blocks.
      text[k] = random >> 30 ? text[k - 1] : BYTES[(random >> 8) % (sizeof BYTES - (i % 8 != 0))];
    }
    const char *want = slowly(text, text + length);
    // A NUL after the end may be near enough to count.
    const char *found = skipped(&arena, text, text + length);
    cr_assert(found == want || (!found && memchr(text, 0, length)), "text %u", i);
    ends += found != NULL;
  }
  cr_expect(ends > TEXTS / 10, "%u", ends);
  arena_destroy(&arena);
}

Test(skip, each_run_of_backslashes) {
  enum { ROOM = 200 };
  static char text[ROOM];
  shape_arena arena;
  arena_init(&arena, 0);
  for (size_t from = 2; from < 70; from++) {
    for (size_t run = 0; run < 70; run++) {
      memset(text, 'a', sizeof text);
      memcpy(text, "[\"", 2);
      memset(text + from, '\\', run);
      size_t quote = from + run;
      memcpy(text + quote, "\"]\"]]", 5);
      const char *end = text + quote + 5, *want = slowly(text, end);
#ifdef __SSE2__
      cr_assert_eq(want, text + quote + (run % 2 ? 4 : 2));
      cr_assert_eq(skipped(&arena, text, end), want, "%zu from %zu", run, from);
#endif
      json_cursor c;
      cursor_init(&c, &arena, text, (size_t)(end - text));
      cursor_skip(&c);
      cr_assert_eq(c.at, want);
    }
  }
  arena_destroy(&arena);
}
