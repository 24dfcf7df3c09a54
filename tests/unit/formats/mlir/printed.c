// SPDX-License-Identifier: Apache-2.0
// Statements of printed text that are added to the graph unread are what reading them makes: programs are written as
// bytecode and printed, and the text is read with what its printer knows of it and without.
#include "solver/formats/mlir/uses.h"
#include "solver/graph/verify.h"
#include "tests/support/graph_same.h"
#include "tests/unit/formats/bytecode/reprint.h"

enum { BLOCKS = 30 };

static const char HEAD[] =
    "\"func.func\"() <{function_type = (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>, "
    "sym_name = \"f\"}> ({\n"
    "^bb0(%x: tensor<?x4xf32>, %w: tensor<4x4xf32>):\n";
static const char TAIL[] = "\"func.return\"(%x) : (tensor<?x4xf32>) -> ()\n}) : () -> ()\n";

static const char *const LINES[] = {
    "%a = \"stablehlo.add\"(%x, %x) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>",
    "%b = \"stablehlo.constant\"() <{value = dense<[4, 2]> : tensor<2xi32>}> : () -> tensor<2xi32>",
    "%c = \"stablehlo.dot_general\"(%a, %w) <{dot_dimension_numbers = "
    "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, "
    "precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}> : "
    "(tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>",
    "%d, %e = \"x.pair\"(%a) : (tensor<?x4xf32>) -> (i32, i32)",
    "\"x.none\"(%d, %e) {list = [1, [\"a\\22b\", {k = 3 : i8}], unit], to = !x.t<3>, z} : (i32, "
    "i32) "
    "-> ()",
    "\"x.nothing\"() : () -> ()",
    "%f = \"x.many\"(%d, %d, %d, %d, %d, %d, %d, %d, %d, %d) : (i32, i32, i32, i32, i32, i32, i32, "
    "i32, i32, i32) -> i32",
    "%g = \"stablehlo.constant\"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>",
    "%h = \"stablehlo.reduce\"(%c, %g) <{dimensions = array<i64: 1>}> ({\n"
    "^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"
    "%r = \"stablehlo.maximum\"(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>\n"
    "\"stablehlo.return\"(%r) : (tensor<f32>) -> ()\n"
    "}) : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>",
    "%i = \"func.call\"(%h) <{callee = @g}> : (tensor<?xf32>) -> tensor<?xf32>",
    "%j = \"x.rate\"(%i) {rate = \"100%a // x\"} : (tensor<?xf32>) -> i1",
    "\"x.graph\"() ({\n"
    "%s = \"x.use\"(%t) : (i32) -> i32\n"
    "%t = \"x.def\"() : () -> i32\n"
    "%u = \"x.use\"(%t) : (i32) -> i32\n"
    "}) : () -> ()",
};

// The graphs of one text, read with what its printer knows and without.
typedef struct both {
  reprinted *printed;
  mlir_printing printing;
  shape_graph graphs[2];
} both;

static void read(void *data) {
  both *b = data;
  const bytecode_text *text = &b->printed->text;
  for (int i = 0; i < 2; i++) {
    graph_init(&b->graphs[i], &b->printed->arena, GRAPH_MLIR, text->text, text->length);
    mlir_read_all(&b->graphs[i], NULL, i ? NULL : &b->printing);
    cr_assert_null(graph_verify(&b->graphs[i]));
  }
}

static void expect_same_graphs(both *b) {
  cr_assert_eq(arena_protect(&b->printed->arena, read, b), SHAPE_OK);
  const char *difference = graph_difference(&b->graphs[0], &b->graphs[1]);
  cr_expect_null(difference, "%s of\n%.2000s", difference, b->printed->text.text);
}

static void open_both(both *b, const char *text) {
  b->printed = reprint_open(text, false);
  b->printing = b->printed->text.statements;
  expect_same_graphs(b);
}

// The line with a number after each name of a value, so that lines of one kind differ.
static void put_line(shape_strbuf *out, const char *line, int number) {
  bool quoted = false;
  for (const char *at = line; *at; at++) {
    if (*at == '"' && (at == line || at[-1] != '\\')) quoted = !quoted;
    strbuf_putc(out, *at);
    if (*at != '%' || quoted) continue;
    strbuf_putc(out, *++at);
    if (*at != 'x' && *at != 'w') strbuf_int(out, number);
  }
  strbuf_putc(out, '\n');
}

static const char *program(shape_arena *arena, const char *last) {
  shape_strbuf text;
  strbuf_init(&text, arena);
  strbuf_puts(&text, HEAD);
  for (int b = 0; b < BLOCKS; b++) {
    for (uint32_t i = 0; i < sizeof LINES / sizeof *LINES; i++) put_line(&text, LINES[i], b * 37);
  }
  strbuf_printf(&text, "%s%s", last, TAIL);
  return strbuf_text(&text);
}

Test(mlir_printed, statements_that_repeat_are_as_if_read) {
  shape_arena arena;
  both b;
  uint32_t kinds = 0;
  arena_init(&arena, 0);
  open_both(&b, program(&arena, ""));
  for (uint32_t i = 0; i < b.printing.count; i++) kinds += b.printing.items[i].kind != 0;
  cr_expect_gt(kinds, b.printing.count / 2);
  reprint_close(b.printed);
  arena_destroy(&arena);
}

Test(mlir_printed, no_statement_after_an_error_is_added_unread) {
  static const char TWICE[] =
      "\"x.region\"() ({\n"
      "\"func.func\"() <{function_type = () -> (), sym_name = \"i\"}> ({\n"
      "%z0 = \"x.y\"() : () -> i32\n%z1 = \"x.y\"() : () -> i32\n%z2 = \"x.y\"() : () -> i32\n"
      "}) : () -> ()\n}) : () -> ()\n";
  shape_arena arena;
  both b;
  arena_init(&arena, 0);
  open_both(&b, program(&arena, TWICE));
  cr_expect(b.graphs[0].diags.errors, "the names of a function in an operation are those around");
  reprint_close(b.printed);
  arena_destroy(&arena);
}

// A count of values that is not that of the graph: the statement is read.
Test(mlir_printed, what_is_counted_otherwise_is_read) {
  shape_arena arena;
  both b;
  arena_init(&arena, 0);
  open_both(&b, program(&arena, ""));
  mlir_printed *items = malloc(b.printing.count * sizeof *items);
  cr_assert(items);
  memcpy(items, b.printing.items, b.printing.count * sizeof *items);
  for (uint32_t i = 0; i < b.printing.count; i += 2) items[i].values++;
  b.printing.items = items;
  expect_same_graphs(&b);
  free(items);
  reprint_close(b.printed);
  arena_destroy(&arena);
}
