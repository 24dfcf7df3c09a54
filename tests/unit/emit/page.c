// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>

#include "solver/emit/page.h"

static const page_text PAGE = {"<p>/*A*/</p>/*B*/!", 18};

Test(page, data_takes_the_room_of_its_marker) {
  shape_arena arena;
  shape_strbuf out;
  arena_init(&arena, 0);
  strbuf_init(&out, &arena);
  size_t at = page_put_until(&out, PAGE, 0, "/*A*/");
  strbuf_puts(&out, "one");
  at = page_put_until(&out, PAGE, at, "/*B*/");
  strbuf_puts(&out, "two");
  page_put_rest(&out, PAGE, at);
  cr_expect_str_eq(strbuf_text(&out), "<p>one</p>two!");
  arena_destroy(&arena);
}

Test(page, data_cannot_end_its_script) {
  shape_arena arena;
  shape_strbuf out;
  arena_init(&arena, 0);
  strbuf_init(&out, &arena);
  page_escape(&out, "[\"</script><!--\"]", 17);
  page_escape(&out, "<", 1);
  page_escape(&out, "", 0);
  cr_expect_str_eq(strbuf_text(&out), "[\"\\u003c/script>\\u003c!--\"]\\u003c");
  arena_destroy(&arena);
}
