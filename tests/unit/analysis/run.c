// SPDX-License-Identifier: Apache-2.0
// One analysis, as the layers above use it.
#include <criterion/criterion.h>
#include <string.h>

#include "solver/analysis/run.h"
#include "solver/graph/graph.h"
#include "solver/report/report.h"

// A program of one function with one argument, tensor<?x4xf32>, and nothing else; `data` makes it fail.
static shape_status read_one(struct shape_graph *g, struct shape_budget *budget, void *data) {
  (void)budget;
  if (data) return SHAPE_UNSUPPORTED;
  func_id f = graph_add_func(g, intern_add(&g->names, "main", 4), 0, (source_span){0, 4});
  block_id block = graph_add_block(g, graph_add_body(g, f));
  value_id argument = graph_add_block_arguments(g, block, 1);
  g->values[argument].type = type_tensor(&g->types, DTYPE_F32, (int64_t[]){DIM_DYNAMIC, 4}, 2);
  type_id inputs[] = {g->values[argument].type};
  graph_type type = {.kind = TYPE_FUNCTION,
                     .param_count = 1,
                     .split = 1,
                     .params = inputs,
                     .text = NAME_NONE,
                     .encoding = NAME_NONE};
  g->funcs[f].type = type_intern(&g->types, &type);
  return SHAPE_OK;
}

static const char TEXT[] = "text\n";

Test(run, answers_queries_about_a_program) {
  shape_run *p = shape_run_new(TEXT, strlen(TEXT), NULL);
  cr_assert_not_null(p);
  cr_expect_eq(shape_run_ask(p, "1 == 1", NULL), SHAPE_UNKNOWN, "nothing is analysed yet");
  cr_assert_eq(shape_run_read(p, GRAPH_MLIR, read_one, NULL), SHAPE_OK);
  const char *assumptions[] = {"arg0.0 >= 3"};
  run_binding none = {0};
  run_options options = {.bindings = &none, .assumptions = assumptions, .assumption_count = 0};
  cr_assert_eq(shape_run_analyze(p, &options), SHAPE_OK);
  cr_expect_eq(shape_run_errors(p), 0);
  cr_assert_eq(shape_run_symbols(p), 1);
  size_t length;
  cr_expect_eq(memcmp(shape_run_symbol(p, 0, &length), "S0", 2), 0);
  cr_expect_eq(length, 2);
  cr_expect_eq(shape_run_ask(p, "S0 >= 0", NULL), SHAPE_YES);
  cr_expect_eq(shape_run_ask(p, "S0 + 1 == 0", NULL), SHAPE_NO);
  cr_expect_eq(shape_run_ask(p, "S0 == 7", NULL), SHAPE_UNKNOWN);
  cr_expect_eq(shape_run_ask(p, "mod(4*S0, 2) == 0", NULL), SHAPE_YES);
  const char *error = NULL;
  cr_expect_eq(shape_run_ask(p, "T == 7", &error), SHAPE_UNKNOWN);
  cr_expect_not_null(error);
  shape_run_free(p);
}

Test(run, a_binding_fixes_a_size) {
  shape_run *p = shape_run_new(TEXT, strlen(TEXT), NULL);
  cr_assert_eq(shape_run_read(p, GRAPH_MLIR, read_one, NULL), SHAPE_OK);
  run_binding bound = {"arg0.0", 6, 5};
  run_options options = {.bindings = &bound, .binding_count = 1};
  cr_assert_eq(shape_run_analyze(p, &options), SHAPE_OK);
  const shape_report *r = shape_run_report(p);
  num value;
  const report_shape *s = &r->shapes[r->value_shapes[r->functions[0].arguments]];
  cr_expect(report_constant(r, s->dims[0], &value) && num_is(value, 5));
  shape_run_free(p);
}

Test(run, reports_what_readers_say) {
  shape_run *p = shape_run_new(TEXT, strlen(TEXT), NULL);
  cr_expect_eq(shape_run_read(p, GRAPH_MLIR, read_one, p), SHAPE_UNSUPPORTED);
  shape_run_free(p);
  shape_run_free(NULL);
}

Test(run, ends_with_a_status_when_memory_is_spent) {
  for (size_t limit = 1; limit < 100000; limit += limit / 3 + 1) {
    shape_run *p = shape_run_new(TEXT, strlen(TEXT), &(run_limits){.memory = limit});
    shape_status status = shape_run_read(p, GRAPH_MLIR, read_one, NULL);
    if (status == SHAPE_OK) status = shape_run_analyze(p, NULL);
    cr_expect(status == SHAPE_OK || status == SHAPE_MEMORY, "%s", shape_status_name(status));
    shape_run_free(p);
  }
}

Test(run, ends_when_told_to) {
  atomic_int stop = SHAPE_CANCELLED;
  shape_run *p = shape_run_new(TEXT, strlen(TEXT), &(run_limits){.stop = &stop});
  // The first memory that reading asks for is refused.
  cr_expect_eq(shape_run_read(p, GRAPH_MLIR, read_one, NULL), SHAPE_CANCELLED);
  shape_run_free(p);
}

static void count(void *data) { ++*(uint32_t *)data; }

Test(run, tells_its_caller_that_it_goes_on) {
  uint32_t calls = 0;
  shape_run *p =
      shape_run_new(TEXT, strlen(TEXT), &(run_limits){.poll = count, .poll_data = &calls});
  cr_expect_eq(shape_run_read(p, GRAPH_MLIR, read_one, NULL), SHAPE_OK);
  uint32_t read = calls;
  cr_expect(read > 0);
  cr_expect_eq(shape_run_analyze(p, NULL), SHAPE_OK);
  cr_expect(calls > read);
  shape_run_free(p);
}
