// SPDX-License-Identifier: Apache-2.0
#include <criterion/criterion.h>
#include <string.h>

#include "clients/lsp/recover.h"
#include "solver/formats/mlir/mlir.h"

typedef struct reading {
  shape_arena arena;
  shape_graph graph;
  mlir_uses uses;
  lsp_cuts cuts;
} reading;

static void read(reading *r, const char *text) {
  arena_init(&r->arena, 0);
  graph_init(&r->graph, &r->arena, GRAPH_MLIR, text, strlen(text));
  memset(&r->uses, 0, sizeof r->uses);
  mlir_read_uses(&r->graph, &r->uses);
  r->cuts = lsp_recover(&r->graph, &r->uses);
}

static uint32_t ops_of(const reading *r, func_id f) {
  const shape_graph *g = &r->graph;
  uint32_t n = 0;
  if (g->funcs[f].body == ID_NONE) return 0;
  op_id op = g->blocks[g->regions[g->funcs[f].body].first_block].first;
  for (; op != ID_NONE; op = g->ops[op].next) n++;
  return n;
}

#define FUNCTION(name, middle)                                                                     \
  "func.func @" name "(%x: tensor<?xf32>) -> tensor<?xf32> {\n"                                    \
  "  %0 = stablehlo.abs %x : tensor<?xf32>\n" middle "  return %0 : tensor<?xf32>\n}\n"

Test(lsp_recover, a_text_without_errors_is_left_alone) {
  reading r;
  read(&r, FUNCTION("a", "") FUNCTION("b", ""));
  cr_assert(!r.cuts.from && !r.cuts.outside);
  cr_assert_eq(ops_of(&r, 0), 2);
  arena_destroy(&r.arena);
}

Test(lsp_recover, no_rule_applies_to_an_operation_with_an_error) {
  reading r;
  read(&r,
       FUNCTION("a", "  %1 = stablehlo.abs %0 : tensor<\n  %2 = stablehlo.abs %0 : tensor<?xf32>\n")
           FUNCTION("b", ""));
  cr_assert_eq(r.graph.func_count, 2);
  cr_assert_eq(ops_of(&r, 0), 4, "%u", ops_of(&r, 0));
  cr_assert_eq(ops_of(&r, 1), 2);
  cr_assert(r.cuts.whole && !r.cuts.outside && !r.cuts.opened[0]);
  cr_assert(r.cuts.from[0] != UINT32_MAX && r.cuts.from[1] == UINT32_MAX);
  for (op_id op = 0; op < r.graph.op_count; op++) cr_assert_eq(r.graph.ops[op].unread, op == 1);
  arena_destroy(&r.arena);
}

// Neither its lines nor its braces say what is inside of what.
Test(lsp_recover, a_function_is_cut_at_its_first_error) {
  reading r;
  read(&r, "func.func @a(%x: tensor<?xf32>) {\n%0 = stablehlo.abs %x : tensor<?xf32>\n"
           "%1 = stablehlo.abs %0 : tensor<\nreturn\n}}\n");
  cr_assert(!r.cuts.whole && r.cuts.from[0] != UINT32_MAX);
  cr_assert_eq(ops_of(&r, 0), 1, "%u", ops_of(&r, 0));
  arena_destroy(&r.arena);
}

Test(lsp_recover, what_follows_from_an_error_is_no_news) {
  reading r;
  read(&r, FUNCTION("a", "  %1 = stablehlo.abs %0 : tensor<\n"));
  const op_id wrong = 1;
  const diag at_it = {.severity = DIAG_ERROR, .span = r.graph.ops[wrong].span};
  const diag at_other = {.severity = DIAG_ERROR, .span = r.graph.ops[0].span};
  cr_assert(lsp_recover_is_echo(&r.graph, &r.cuts, &at_it));
  cr_assert(!lsp_recover_is_echo(&r.graph, &r.cuts, &at_other));
  cr_assert(!lsp_recover_is_echo(&r.graph, &r.cuts, &r.graph.diags.items[0]));
  arena_destroy(&r.arena);
}

Test(lsp_recover, a_bracket_that_is_missing_costs_its_function) {
  reading r;
  read(&r, "func.func @a(%x: tensor<?xf32>) -> tensor<?xf32> {\n  return %x : "
           "tensor<?xf32>\n\n" FUNCTION("b", "") FUNCTION("c", "  \"t.t\"() ({\n"));
  cr_assert_eq(r.graph.func_count, 3);
  cr_assert(r.cuts.from[0] != UINT32_MAX && r.cuts.from[1] == UINT32_MAX &&
            r.cuts.from[2] != UINT32_MAX);
  cr_assert_eq(ops_of(&r, 1), 2);
  arena_destroy(&r.arena);
}

Test(lsp_recover, a_header_with_an_error_opens_its_function) {
  reading r;
  read(&r, "func.func @a(%x: tensor<?xf32> {\n  return\n}\n" FUNCTION("b", ""));
  func_id a = graph_find_func(&r.graph, 0, "a", 1);
  cr_assert(!r.cuts.outside && a != ID_NONE && r.cuts.opened[a]);
  func_id b = graph_find_func(&r.graph, 0, "b", 1);
  cr_assert(b != ID_NONE && r.cuts.from[b] == UINT32_MAX);
  cr_assert_eq(ops_of(&r, b), 2);
  arena_destroy(&r.arena);
}
