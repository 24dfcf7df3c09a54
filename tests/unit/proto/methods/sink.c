// SPDX-License-Identifier: Apache-2.0
#include "proto/methods/sink.h"

#include <criterion/criterion.h>
#include <string.h>

static void put_word(void *data) { strbuf_puts(((text_sink *)data)->out, "word"); }

Test(sink, keeps_what_comes_in_pieces) {
  shape_arena arena;
  shape_strbuf out;
  arena_init(&arena, 0);
  strbuf_init(&out, &arena);
  text_sink sink = {.out = &out};
  sink_write(&sink, "one, ", 5);
  sink_add(&sink, put_word, &sink);
  sink_write(&sink, "", 0);
  cr_expect_str_eq(strbuf_text(&out), "one, word");
  cr_expect_eq(sink.status, SHAPE_OK);
  arena_destroy(&arena);
}

typedef struct filling {
  shape_arena *arena;
  text_sink *sink;
} filling;

static void begin(void *data) {
  filling *f = data;
  strbuf_init(f->sink->out, f->arena);
  strbuf_puts(f->sink->out, "begins");
}

static void end(void *data) { sink_end(data); }

Test(sink, notes_that_the_arena_is_full_and_returns) {
  static const char LONG[1 << 16];
  shape_arena arena;
  shape_strbuf out;
  arena_init(&arena, 1 << 14);
  text_sink sink = {.out = &out};
  filling f = {&arena, &sink};
  cr_assert_eq(arena_protect(&arena, begin, &f), SHAPE_OK);
  sink_write(&sink, LONG, sizeof LONG);
  cr_expect_eq(sink.status, SHAPE_MEMORY);
  cr_expect_eq(out.length, 6);
  sink_write(&sink, "nothing more", 12);
  sink_add(&sink, put_word, &sink);
  cr_expect_eq(arena_protect(&arena, end, &sink), SHAPE_MEMORY);
  cr_expect(sink.status == SHAPE_MEMORY && out.length == 6);
  arena_destroy(&arena);
}
