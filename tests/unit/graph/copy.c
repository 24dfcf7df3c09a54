// SPDX-License-Identifier: Apache-2.0
#include "solver/graph/copy.h"

#include <criterion/criterion.h>
#include <string.h>

#include "solver/formats/formats.h"
#include "solver/formats/json/encode.h"

static const char TEXT[] =
    "{\"symbols\":[{\"name\":\"B\",\"min\":1,\"max\":64,\"ranges\":[[1,8],[16,64]],\"likely\":[4,8]"
    "},\n"
    "{\"name\":\"D\",\"def\":\"B * 2\"}],\n"
    "\"constraints\":[\"B % 2 == 0\"],\n"
    "\"functions\":[{\"name\":\"main\",\"arguments\":[{\"name\":\"a\",\"type\":"
    "{\"dtype\":\"f32\",\"dims\":[\"B\",\"D\",4]}}],\"ops\":[[\"stablehlo.transpose\",[\"a\"],"
    "[\"b\",\"tensor<*xf32>\"],{\"permutation\":[1,0,2]}],[\"func.return\",[\"b\"]]]}]}";

static void read(shape_graph *g, shape_arena *arena) {
  arena_init(arena, 0);
  graph_init(g, arena, GRAPH_JSON, TEXT, sizeof TEXT - 1);
  format_read(g, &(format_options){0});
  cr_assert_eq(g->diags.errors, 0u);
}

static char *encoded(const shape_graph *g, shape_arena *arena) {
  shape_strbuf out;
  strbuf_init(&out, arena);
  graph_json_encode(g, &out);
  return strdup(strbuf_text(&out));
}

// A deep copy has nothing of the original, which is overwritten here before it ends.
Test(copy, a_deep_copy_outlives_the_original) {
  shape_arena arena, own, maps;
  shape_graph from, to;
  read(&from, &arena);
  char *wanted = encoded(&from, &arena);
  cr_expect(strstr(wanted, "\"def\":\"B * 2\"") && strstr(wanted, "B % 2 == 0"), "%s", wanted);
  arena_init(&own, 0);
  arena_init(&maps, 0);
  graph_init(&to, &own, GRAPH_JSON, "", 0);
  graph_copier c;
  copier_init(&c, &from, &to, &maps);
  c.deep = true;
  copy_program(&c, NULL, NULL);
  for (uint32_t i = 0; i < from.declared.symbol_count; i++) {
    graph_symbol *s = &from.declared.symbols[i];
    if (s->definition) memset((char *)(uintptr_t)s->definition, 'x', strlen(s->definition));
  }
  for (uint32_t i = 0; i < from.declared.assumption_count; i++) {
    graph_assumption *a = &from.declared.assumptions[i];
    memset((char *)(uintptr_t)a->text, 'x', a->length);
  }
  arena_destroy(&arena);
  char *copied = encoded(&to, &own);
  cr_expect_str_eq(copied, wanted);
  free(copied);
  free(wanted);
  arena_destroy(&maps);
  arena_destroy(&own);
}
