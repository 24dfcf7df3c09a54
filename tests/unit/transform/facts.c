// SPDX-License-Identifier: Apache-2.0
// What is known of the arguments becomes constraints of the graph, each once, as far as the graph has names.
#include <criterion/criterion.h>

#include "tests/unit/transform/refine.h"

static bool has(const shape_graph *g, const char *text, bool required) {
  for (uint32_t i = 0; i < g->declared.assumption_count; i++) {
    const graph_assumption *a = &g->declared.assumptions[i];
    if (a->length == strlen(text) && memcmp(a->text, text, a->length) == 0)
      return a->found && a->required == required;
  }
  return false;
}

#define CUT                                                                                        \
  "func.func @main(%x: tensor<?xf32>) -> tensor<3xf32> {\n"                                        \
  "  %r = stablehlo.slice %x [0:3] : (tensor<?xf32>) -> tensor<3xf32>\n"                           \
  "  return %r : tensor<3xf32>\n}\n"

Test(facts, a_requirement_names_dims_of_arguments) {
  refined_program p;
  refined_open(&p, CUT, NULL);
  shape_graph *g = p.types->graph;
  refine_facts(shape_run_report(p.a.program));
  cr_expect(has(g, "3 <= arg0.0", true) || has(g, "arg0.0 >= 3", true));
  const uint32_t count = g->declared.assumption_count;
  refine_facts(shape_run_report(p.a.program));
  cr_expect_eq(g->declared.assumption_count, count, "they are listed once");
  refined_close(&p);
}

// A dim that only a run knows has no name that a constraint could have.
Test(facts, what_only_a_run_knows_is_left_out) {
  refined_program p;
  refined_open(&p,
               "func.func @main(%x: tensor<?xf32>, %n: tensor<?xi32>) {\n"
               "  %u = \"other.unknown\"(%x) : (tensor<?xf32>) -> tensor<?xf32>\n"
               "  %v = \"other.unknown\"(%x) : (tensor<?xf32>) -> tensor<?xf32>\n"
               "  %r = stablehlo.add %u, %v : tensor<?xf32>\n  return\n}\n",
               NULL);
  const shape_graph *g = p.types->graph;
  refine_facts(shape_run_report(p.a.program));
  for (uint32_t i = 0; i < g->declared.assumption_count; i++)
    cr_expect(strstr(g->declared.assumptions[i].text, "arg"), "%s",
              g->declared.assumptions[i].text);
  refined_close(&p);
}
