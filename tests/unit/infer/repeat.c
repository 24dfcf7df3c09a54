// SPDX-License-Identifier: Apache-2.0
// An operation that repeats one before gets what it got: all is as where each rule runs.
#include <criterion/criterion.h>
#include <string.h>

#include "solver/formats/mlir/mlir.h"
#include "solver/infer/infer.h"

enum { LAYERS = 60 };

// The parts again and again, in turn, in one function.
static shape_graph *read_layers(shape_arena *arena, const char *arguments, const char *const *parts,
                                uint32_t count) {
  shape_strbuf text;
  strbuf_init(&text, arena);
  strbuf_printf(&text, "func.func @main(%s) {\n", arguments);
  for (uint32_t i = 0; i < LAYERS; i++) {
    for (const char *at = parts[i % count]; *at; at++) {  // "$" is the number of the layer
      if (*at != '$') {
        strbuf_putc(&text, *at);
      } else {
        strbuf_printf(&text, "v%u_", i);
      }
    }
  }
  strbuf_puts(&text, "  return\n}\n");
  shape_graph *g = arena_alloc(arena, sizeof *g);
  const char *body = strbuf_text(&text);
  graph_init(g, arena, GRAPH_MLIR, body, text.length);
  cr_assert_eq(mlir_read(g), SHAPE_OK);
  return g;
}

typedef struct outcome {
  infer_result *result;
  uint64_t steps;
} outcome;

// Rules run for each operation where the caller says which operations are understood.
static outcome infer_layers(shape_arena *arena, const char *arguments, const char *const *parts,
                            uint32_t count, bool each) {
  shape_graph *g = read_layers(arena, arguments, parts, count);
  shape_budget *budget = arena_alloc(arena, sizeof *budget);
  budget_init(budget, arena, UINT64_C(1) << 40, NULL);
  uint8_t *understood = arena_alloc(arena, g->op_count + 1);
  memset(understood, 1, g->op_count + 1);
  infer_options options = {.understood = each ? understood : NULL};
  outcome o = {.result = infer_run(g, budget, &options)};
  o.steps = budget->steps_used;
  return o;
}

static void expect_equal_terms(const term_id *a, const term_id *b, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) cr_expect_eq(a[i], b[i]);
}

// Returns how many diagnostics there are.
static uint32_t expect_repeats(const char *arguments, const char *const *parts, uint32_t count) {
  shape_arena arena;
  arena_init(&arena, 0);
  outcome a = infer_layers(&arena, arguments, parts, count, false);
  outcome b = infer_layers(&arena, arguments, parts, count, true);
  const infer_result *x = a.result, *y = b.result;
  const infer_frame *f = &x->frames[0], *g = &y->frames[0];
  cr_expect_eq(a.steps, b.steps);
  cr_expect_eq(x->log->proven, y->log->proven);
  cr_expect_eq(x->log->unchecked_count, y->log->unchecked_count);
  cr_expect_eq(x->graph->diags.count, y->graph->diags.count);
  cr_expect_eq(store_fact_count(x->store), store_fact_count(y->store));
  cr_expect_eq(x->terms->count, y->terms->count);
  cr_assert_eq(x->origin_count, y->origin_count);
  for (uint32_t i = 0; i < x->origin_count; i++) {
    cr_expect_eq(x->origins[i].kind, y->origins[i].kind);
    cr_expect_eq(x->origins[i].op, y->origins[i].op, "symbol %u", i);
  }
  for (value_id v = f->value_base; v < f->value_end; v++) {
    const value_info *p = &f->values[v - f->value_base], *q = &g->values[v - g->value_base];
    cr_assert_eq(p->ranked, q->ranked);
    cr_assert_eq(p->rank, q->rank);
    cr_assert_eq(p->element_count, q->element_count);
    expect_equal_terms(p->dims, q->dims, p->rank);
    expect_equal_terms(p->elements, q->elements, p->element_count);
    if (v == f->value_base) continue;
    // Which values share their dims is the same, too: requirements between such count once.
    cr_expect_eq(p->dims == p[-1].dims, q->dims == q[-1].dims, "value %u", v);
  }
  uint32_t diagnostics = x->graph->diags.count;
  arena_destroy(&arena);
  return diagnostics;
}

#define T "tensor<?x8xf32>"
#define V "tensor<1xi32>"
#define SHAPED                                                                                     \
  "  %$0 = stablehlo.get_dimension_size %x, dim = 0 : (" T ") -> tensor<i32>\n"                    \
  "  %$1 = stablehlo.reshape %$0 : (tensor<i32>) -> " V "\n"                                       \
  "  %$2 = stablehlo.constant dense<8> : " V "\n"                                                  \
  "  %$3 = stablehlo.concatenate %$1, %$2, dim = 0 : (" V ", " V ") -> tensor<2xi32>\n"            \
  "  %$4 = stablehlo.dynamic_reshape %x, %$3 : (" T ", tensor<2xi32>) -> " T "\n"                  \
  "  %$5 = stablehlo.tanh %$4 : " T "\n"                                                           \
  "  %$6 = stablehlo.add %$4, %$5 : " T "\n"                                                       \
  "  %$7 = stablehlo.multiply %$6, %x : " T "\n"

Test(repeat, layers_that_are_alike) {
  const char *const parts[] = {SHAPED};
  cr_expect_eq(expect_repeats("%x: " T, parts, 1), 0);
}

Test(repeat, numbers_of_attributes_count) {
#define SLICED(from, to)                                                                           \
  "  %$0 = stablehlo.slice %x [" from ":" to "] : (tensor<9xf32>) -> tensor<?xf32>\n"              \
  "  %$1 = stablehlo.constant dense<" to "> : tensor<1xi32>\n"
  const char *const parts[] = {SLICED("0", "4"), SLICED("0", "5"), SLICED("1", "5")};
  cr_expect_eq(expect_repeats("%x: tensor<9xf32>", parts, 3), 0);
}

Test(repeat, what_is_stated_between_counts) {
  const char *const parts[] = {
      SHAPED, "  %$9 = stablehlo.add %x, %y : (" T ", " T ") -> " T "\n" SHAPED,
      "  %$8 = stablehlo.add %y, %z : (" T ", tensor<4x8xf32>) -> " T "\n" SHAPED, SHAPED};
  cr_expect_eq(expect_repeats("%x: " T ", %y: " T ", %z: tensor<4x8xf32>", parts, 4), 0);
}

Test(repeat, errors_are_of_each_operation) {
  const char *const parts[] = {SHAPED "  %$8 = stablehlo.add %$7, %z : (" T
                                      ", tensor<3x7xf32>) -> " T "\n"};
  cr_expect_eq(expect_repeats("%x: " T ", %z: tensor<3x7xf32>", parts, 1), LAYERS);
}

Test(repeat, ranks_that_are_not_known_are_unchecked_each_time) {
  const char *const parts[] = {
      SHAPED "  %$8 = stablehlo.slice %u [0:1] : (tensor<*xf32>) -> tensor<1xf32>\n"
             "  %$9 = stablehlo.constant dense<2> : " V "\n"};
  expect_repeats("%x: " T ", %u: tensor<*xf32>", parts, 1);
}

// Of dims that a reduction assumes, the first operation after it says that it computes them.
Test(repeat, dims_assumed_before_a_region_have_the_same_origin) {
  const char *const parts[] = {
      SHAPED "  %$8 = stablehlo.constant dense<0.0> : tensor<f32>\n"
             "  %$9 = stablehlo.reduce(%u init: %$8) applies stablehlo.add across dimensions = "
             "[1] : (tensor<*xf32>, tensor<f32>) -> tensor<?xf32>\n"};
  cr_expect_eq(expect_repeats("%x: " T ", %u: tensor<*xf32>", parts, 1), 0);
}

Test(repeat, fresh_dims_are_made_each_time) {
  const char *const parts[] = {SHAPED
                               "  %$8 = stablehlo.dynamic_reshape %x, %n : (" T
                               ", tensor<2xi32>) -> tensor<?x?xf32>\n"
                               "  %$9 = stablehlo.dynamic_slice %x, %i, %i, sizes = [1, 8] : (" T
                               ", tensor<i32>, tensor<i32>) -> tensor<1x8xf32>\n"};
  cr_expect_eq(expect_repeats("%x: " T ", %n: tensor<2xi32>, %i: tensor<i32>", parts, 1), 0);
}
