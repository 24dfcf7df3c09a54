// SPDX-License-Identifier: Apache-2.0
// Texts in which lines are left out: what is read of them, and what they are once they are complete, is that of the whole
// text.
#include <stdio.h>

#include "solver/formats/mlir/location.h"
#include "solver/graph/verify.h"
#include "solver/report/report.h"
#include "tests/support/graph_same.h"
#include "tests/unit/formats/bytecode/reprint.h"

enum { BLOCKS = 12 };

static const char HEAD[] =
    "\"func.func\"() <{function_type = (tensor<?x4xf32>) -> (), sym_name = \"f\"}> ({\n"
    "^bb0(%x: tensor<?x4xf32>):\n";
static const char TAIL[] = "\"func.return\"() : () -> ()\n}) : () -> ()\n";

// Of each %N of a line the number is that of the block.
static const char *const SUMS[] = {
    "%a = \"stablehlo.add\"(%x, %x) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>",
    "%b = \"stablehlo.abs\"(%a) : (tensor<?x4xf32>) -> tensor<?x4xf32>",
    "\"x.nothing\"() : () -> ()",
    "%z = \"stablehlo.constant\"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>",
    "%h = \"stablehlo.reduce\"(%b, %z) <{dimensions = array<i64: 1>}> ({\n"
    "^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"
    "%r = \"stablehlo.maximum\"(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>\n"
    "\"stablehlo.return\"(%r) : (tensor<f32>) -> ()\n"
    "}) : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>",
    "%c = \"stablehlo.negate\"(%b) : (tensor<?x4xf32>) -> tensor<?x4xf32>",
    NULL};
static const char *const CALLS[] = {"%a = \"x.first\"(%x) : (tensor<?x4xf32>) -> i32",
                                    "%b = \"func.call\"(%a) <{callee = @g}> : (i32) -> i32",
                                    "%c = \"x.last\"(%b) : (i32) -> i32", NULL};
static const char *const SYMBOLS[] = {"%a = \"torch.symbolic_int\"() <{max_val = 9 : i64, min_val "
                                      "= 2 : i64, symbol_name = \"s0\"}> : "
                                      "() -> !torch.int",
                                      "%b = \"x.use\"(%a) : (!torch.int) -> i32", NULL};
// The text is refused where it is read: an operation that a function in another one repeats.
static const char *const TWICE[] = {
    "%a = \"x.y\"() : () -> i32",
    "\"x.region\"() ({\n\"func.func\"() <{function_type = () -> (), sym_name = \"i\"}> ({\n"
    "%b = \"x.y\"() : () -> i32\n%c = \"x.y\"() : () -> i32\n}) : () -> ()\n}) : () -> ()",
    NULL};

static void put_line(shape_strbuf *out, const char *line, int block) {
  bool quoted = false;
  for (const char *at = line; *at; at++) {
    quoted ^= *at == '"';
    strbuf_putc(out, *at);
    if (*at != '%' || quoted) continue;
    strbuf_putc(out, *++at);
    if (*at != 'x') strbuf_int(out, block);
  }
  strbuf_putc(out, '\n');
}

typedef struct both {
  reprinted *printed;
  shape_graph graphs[2];  // that of the whole text, and the other one
} both;

static void read(void *data) {
  both *b = data;
  for (int i = 0; i < 2; i++) {
    graph_init(&b->graphs[i], &b->printed->arena, GRAPH_BYTECODE, b->printed->bytes,
               b->printed->length);
    bytecode_read(&b->graphs[i], NULL, i == 1);
  }
}

static void open_both(both *b, const char *const *lines) {
  shape_arena arena;
  shape_strbuf text;
  arena_init(&arena, 0);
  strbuf_init(&text, &arena);
  strbuf_puts(&text, HEAD);
  for (int block = 0; block < BLOCKS; block++) {
    for (uint32_t i = 0; lines[i]; i++) put_line(&text, lines[i], block);
  }
  strbuf_puts(&text, TAIL);
  b->printed = reprint_open(strbuf_text(&text), false);
  arena_destroy(&arena);
  cr_assert_eq(arena_protect(&b->printed->arena, read, b), SHAPE_OK);
  const char *difference = graph_difference(&b->graphs[0], &b->graphs[1]);
  cr_expect_null(difference, "%s", difference);
}

static void close_both(both *b) { reprint_close(b->printed); }

static void expect_same_text(both *b) {
  const shape_graph *whole = &b->graphs[0], *later = &b->graphs[1];
  cr_assert_eq(whole->source.length, later->source.length);
  for (op_id op = 0; op < whole->op_count; op++) {
    source_position x = graph_position(whole, whole->ops[op].name_span),
                    y = graph_position(later, later->ops[op].name_span);
    cr_expect(x.line == y.line && x.column == y.column, "operation %u", op);
  }
  const uint32_t lines = later->source.line_count;
  cr_expect_eq(memcmp(graph_text(later), whole->source.text, whole->source.length), 0);
  cr_expect_null(later->source.complete);
  cr_expect_eq(whole->source.line_count, lines);
}

Test(bytecode_later, lines_are_left_out_until_the_text_is_asked_for) {
  both b;
  open_both(&b, SUMS);
  cr_expect(b.graphs[1].source.complete, "lines were left out");
  expect_same_text(&b);
  close_both(&b);
}

Test(bytecode_later, locations_of_operations_leave_it_out) {
  both b;
  report_location found[2];
  open_both(&b, SUMS);
  shape_graph *g = &b.graphs[1];
  cr_assert(g->source.complete && g->op_count);
  cr_expect_eq(mlir_source_locations(g, g->ops[0].span, found, 2), 0);
  cr_expect(g->source.complete, "what is left out has none");
  close_both(&b);
}

Test(bytecode_later, names_of_values_complete_the_text) {
  both b;
  open_both(&b, SUMS);
  const shape_graph *g = &b.graphs[1];
  uint32_t length;
  const char *name = graph_value_text(g, g->value_count - 1, &length);
  cr_assert(length && name[-1] == '%');
  cr_expect_null(g->source.complete);
  close_both(&b);
}

Test(bytecode_later, operations_that_are_read_one_by_one_are_written) {
  both b;
  open_both(&b, CALLS);
  cr_expect(b.graphs[1].source.complete, "others are left out");
  expect_same_text(&b);
  close_both(&b);
  open_both(&b, SYMBOLS);
  expect_same_text(&b);
  close_both(&b);
}

Test(bytecode_later, errors_are_those_of_the_whole_text) {
  both b;
  open_both(&b, TWICE);
  cr_expect_gt(b.graphs[0].diags.errors, 0u);
  cr_expect_null(b.graphs[1].source.complete, "what is after an error is read");
  expect_same_text(&b);
  close_both(&b);
}

static void complete(void *data) { graph_text(data); }

Test(bytecode_later, where_the_text_cannot_be_completed_a_job_ends_and_a_name_is_not_known) {
  both b;
  atomic_int stop = SHAPE_CANCELLED;
  open_both(&b, SUMS);
  shape_graph *g = &b.graphs[1];
  uint32_t length;
  g->arena->stop = &stop;
  g->arena->end = g->arena->next;  // the next allocation checks the flag
  cr_expect_str_eq(graph_value_text(g, g->value_count - 1, &length), "");
  g->arena->end = g->arena->next;
  cr_expect_eq(arena_protect(g->arena, complete, g), SHAPE_CANCELLED);
  g->arena->stop = NULL;
  expect_same_text(&b);
  close_both(&b);
}
