// SPDX-License-Identifier: Apache-2.0
// loc(...) at the end of a span: what it says, and that nothing is read where it says nothing.
#include <criterion/criterion.h>

#include "solver/formats/mlir/location.h"

enum { ROOM = 8 };

typedef struct source {
  shape_arena arena;
  shape_graph graph;
  report_location found[ROOM];
  uint32_t count;
} source;

// The whole text is the span.
static void locate(source *s, const char *text) {
  uint32_t length = (uint32_t)strlen(text);
  arena_init(&s->arena, 0);
  graph_init(&s->graph, &s->arena, GRAPH_MLIR, text, length);
  s->count = mlir_source_locations(&s->graph, (source_span){0, length}, s->found, ROOM);
}

static void expect(const source *s, uint32_t i, const char *text, uint32_t line, uint32_t column) {
  cr_assert(i < s->count);
  const report_location *at = &s->found[i];
  cr_expect(at->text.length == strlen(text) && memcmp(at->text.text, text, strlen(text)) == 0);
  cr_expect(at->line == line && at->column == column);
}

Test(mlir_location, a_file) {
  source s;
  locate(&s, "%0 = a.b %x : f32 loc(\"model.py\":12:7)");
  cr_assert_eq(s.count, 1);
  expect(&s, 0, "model.py", 12, 7);
  arena_destroy(&s.arena);
}

Test(mlir_location, names_call_sites_and_fused_ones) {
  source s;
  locate(&s, "a.b loc(fused<\"p ] q\">[\"n\"(\"f\":1:2), callsite(\"g\":3:4 at unknown), unknown, "
             "\"m\"])");
  cr_assert_eq(s.count, 4);
  expect(&s, 0, "n", 0, 0);
  expect(&s, 1, "f", 1, 2);
  expect(&s, 2, "g", 3, 4);
  expect(&s, 3, "m", 0, 0);
  arena_destroy(&s.arena);
}

Test(mlir_location, aliases_that_name_one_another_end) {
  source s;
  locate(&s, "#a = loc(fused[#b, #b, #b, #b])\n#b = loc(fused[#a, #a, #a, \"x\"])\nf.g loc(#a)");
  cr_expect(s.count <= ROOM);
  arena_destroy(&s.arena);
}

Test(mlir_location, nothing_where_nothing_is_said) {
  static const char *const TEXTS[] = {
      "a.b",         "a.b loc(unknown)", "a.b loc(#none)", "loc(\"f\":1",
      "a.b (\"f\")", "a.b loc(\"f\":1)", "a.b loc(\"f",    ")",
      "a.b loc()",   "a.b loc(\"f\\)",   "a.b loc(#)",     "loc(fused[)"};
  for (uint32_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    source s;
    locate(&s, TEXTS[i]);
    cr_expect_eq(s.count, 0, "%s", TEXTS[i]);
    arena_destroy(&s.arena);
  }
}
