// SPDX-License-Identifier: Apache-2.0
// Names of dims in the attributes of arguments.
#include <criterion/criterion.h>
#include <string.h>

#include "solver/formats/mlir/mlir.h"
#include "solver/graph/dim_names.h"

typedef struct world {
  shape_arena arena;
  shape_graph g;
} world;

// `arguments` are those of a function without results.
static void named(world *w, const char *arguments) {
  arena_init(&w->arena, 0);
  shape_strbuf text;
  strbuf_init(&text, &w->arena);
  strbuf_printf(&text, "func.func @main(%s) {\n  return\n}\n", arguments);
  graph_init(&w->g, &w->arena, GRAPH_MLIR, text.data, text.length);
  mlir_read(&w->g);
  cr_assert_eq(w->g.diags.errors, 0);
  graph_name_dims(&w->g, 0);
  graph_name_dims(&w->g, 0);
}

static int64_t dim(const world *w, value_id value, uint32_t axis) {
  const graph_type *type = type_get(&w->g.types, w->g.values[value].type);
  cr_assert(axis < type->rank);
  return type->dims[axis];
}

Test(dim_names, a_name_is_a_symbol) {
  world w;
  named(&w, "%a: tensor<?x?x4xf32> {shaped.dims = [\"n\", \"\", \"k\"]}, "
            "%b: tensor<?x?xf32> {shaped.dims = [\"m\", \"n\"]}, %c: tensor<?xf32>");
  cr_expect_eq(w.g.diags.errors, 0);
  cr_expect(dim_is_symbol(dim(&w, 0, 0)) && dim(&w, 0, 0) == dim(&w, 1, 1));
  cr_expect(dim(&w, 0, 1) == DIM_DYNAMIC && dim(&w, 0, 2) == 4 && dim(&w, 2, 0) == DIM_DYNAMIC);
  cr_expect(dim_is_symbol(dim(&w, 1, 0)) && dim(&w, 1, 0) != dim(&w, 1, 1));
  cr_expect_eq(w.g.declared.symbol_count, 3);
  const graph_type *type = type_get(&w.g.types, w.g.funcs[0].type);
  cr_expect(type->params[0] == w.g.values[0].type && type->params[1] == w.g.values[1].type);
  for (uint32_t i = 0; i < 3; i++) {
    const graph_symbol *s = &w.g.declared.symbols[i];
    bool is_k = strcmp(intern_text(&w.g.names, s->name), "k") == 0;
    cr_expect(is_k ? s->min == 4 && s->max == 4 : s->min == 0 && s->max == INT64_MAX);
  }
  arena_destroy(&w.arena);
}

Test(dim_names, what_is_refused) {
  static const char *const ARGUMENTS[] = {"%a: tensor<?xf32> {shaped.dims = [\"n\", \"m\"]}",
                                          "%a: tensor<?xf32> {shaped.dims = \"n\"}",
                                          "%a: tensor<?xf32> {shaped.dims = [1]}",
                                          "%a: tensor<*xf32> {shaped.dims = [\"n\"]}",
                                          "%a: i32 {shaped.dims = [\"n\"]}",
                                          "%a: tensor<3x4xf32> {shaped.dims = [\"n\", \"n\"]}"};
  for (size_t i = 0; i < sizeof ARGUMENTS / sizeof *ARGUMENTS; i++) {
    world w;
    named(&w, ARGUMENTS[i]);
    cr_expect(w.g.diags.errors >= 1, "%s", ARGUMENTS[i]);
    arena_destroy(&w.arena);
  }
}

Test(dim_names, nothing_to_name) {
  static const char *const ARGUMENTS[] = {
      "", "%a: tensor<?xf32>", "%a: tensor<f32> {shaped.dims = []}",
      "%a: tensor<?xf32> {shaped.dims = []}", "%a: tensor<0x?xf32> {shaped.dims = [\"\"]}"};
  for (size_t i = 0; i < sizeof ARGUMENTS / sizeof *ARGUMENTS; i++) {
    world w;
    named(&w, ARGUMENTS[i]);
    cr_expect_eq(w.g.diags.errors + w.g.declared.symbol_count, 0, "%s", ARGUMENTS[i]);
    arena_destroy(&w.arena);
  }
}
