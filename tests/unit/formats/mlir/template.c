// SPDX-License-Identifier: Apache-2.0
// Statements that repeat are what reading them makes: a comment at the end of a line keeps it from being compared.
#include <criterion/criterion.h>

#include "solver/formats/mlir/uses.h"
#include "solver/graph/verify.h"
#include "tests/unit/formats/mlir/reading.h"

enum { BLOCKS = 60 };

static const char *const LINES[] = {
    "%%c%d = stablehlo.constant dense<[4, 2]> : tensor<2xi32>",
    "%%n%d = stablehlo.get_dimension_size %%x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>",
    "%%a%d = stablehlo.add %%x, %%x : tensor<?x4xf32>",
    "%%d%d = stablehlo.dot_general %%a%d, %%w, contracting_dims = [1] x [0], precision = [DEFAULT, "
    "DEFAULT] : "
    "(tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>",
    "%%z%d = stablehlo.constant dense<0.0> : tensor<f32>",
    "%%r%d = stablehlo.reduce(%%d%d init: %%z%d) applies stablehlo.maximum across dimensions = [1] "
    ": "
    "(tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>",
    "%%t%d = stablehlo.transpose %%a%d, dims = [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32>",
    "%%m%d = stablehlo.compare LT, %%a%d, %%d%d : (tensor<?x4xf32>, tensor<?x4xf32>) -> "
    "tensor<?x4xi1>",
    "%%q%d:2 = \"x.pair\"() : () -> (i32, i32)",
    "%%s%d = stablehlo.slice %%w [0:2, 1:4:2] : (tensor<4x4xf32>) -> tensor<2x2xf32>",
    "%%ga%d = \"stablehlo.add\"(%%a%d, %%d%d) : (tensor<?x4xf32>, tensor<?x4xf32>) -> "
    "tensor<?x4xf32>",
    "%%gc%d = \"stablehlo.constant\"() <{value = dense<[4, 2]> : tensor<2xi32>}> : () -> "
    "tensor<2xi32>",
    "%%gd%d = \"stablehlo.dot_general\"(%%a%d, %%w) <{dot_dimension_numbers = "
    "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, "
    "precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGH>]}> : "
    "(tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>",
    "%%gx%d = \"x.y\"(%%gd%d) {list = [1, [\"a\\22b\", {k = 3 : i8}], unit], to = !x.t<3>, z} : "
    "(tensor<?x4xf32>) -> !x.t<?>",
    "%%gz%d = \"x.z\"(%%gx%d) {rate = \"100%%x\", alias = #seven} : (!x.t<?>) -> !two",
    "%%gt%d = \"torch.symbolic_int\"() {symbol_name = \"s0\", min_val = 2 : i64} : () -> "
    "!torch.int",
};

static const char *program(shape_arena *arena, const char *after, const char *last) {
  shape_strbuf text;
  strbuf_init(&text, arena);
  strbuf_puts(
      &text,
      "#seven = 7 : i32\n!two = i32\nfunc.func @f(%x: tensor<?x4xf32>, %w: tensor<4x4xf32>) {\n");
  for (int b = 0; b < BLOCKS; b++) {
    int k = b * 37;  // names of one to four letters
    for (uint32_t i = 0; i < sizeof LINES / sizeof *LINES; i++) {
      if (i == 8 && b % 7) continue;
      strbuf_puts(&text, "  ");
      strbuf_printf(&text, LINES[i], k, k, k);
      strbuf_printf(&text, "%s\n", after);
    }
  }
  strbuf_printf(&text, "%s  return\n}\n", last);
  return strbuf_text(&text);
}

static void expect_span(const reading *x, source_span a, const reading *y, source_span b) {
  cr_assert_eq(a.end - a.begin, b.end - b.begin);
  if (a.end == a.begin || a.begin >= x->graph.source.length) return;
  cr_assert(
      memcmp(x->graph.source.text + a.begin, y->graph.source.text + b.begin, a.end - a.begin) == 0);
}

Test(mlir_template, repeated_statements_are_as_if_read) {
  shape_arena arena;
  reading repeated, read;
  arena_init(&arena, 0);
  reading_of(&repeated, program(&arena, "", ""));
  reading_of(&read, program(&arena, " // read", ""));
  cr_expect_str_eq(reading_errors(&repeated), "");
  cr_expect_str_eq(reading_dump(&repeated), reading_dump(&read));
  const shape_graph *g = &repeated.graph, *h = &read.graph;
  cr_assert_eq(g->op_count, h->op_count);
  cr_assert_lt(g->attributes.count, h->attributes.count / 4);  // they are shared
  for (op_id op = 0; op < g->op_count; op++) {
    expect_span(&repeated, g->ops[op].span, &read, h->ops[op].span);
    expect_span(&repeated, g->ops[op].name_span, &read, h->ops[op].name_span);
  }
  cr_assert(graph_verify(g) == NULL);
  for (op_id op = 0; op < g->op_count; op++) {
    const attr_entry *x = graph_attr_entries(g, g->ops[op].attrs);
    const attr_entry *y = graph_attr_entries(h, h->ops[op].attrs);
    cr_assert_eq(g->ops[op].attr_count, h->ops[op].attr_count);
    for (uint32_t i = 0; i < g->ops[op].attr_count; i++)
      expect_span(&repeated, graph_attr_get(g, x[i].value)->span, &read,
                  graph_attr_get(h, y[i].value)->span);
  }
  reading_destroy(&repeated);
  reading_destroy(&read);
  arena_destroy(&arena);
}

// Which is read a second time, by its lines.
Test(mlir_template, repeated_statements_around_an_error) {
  static const char *const LAST[] = {
      "  %new = stablehlo.add %x,\n",
      "  %new = stablehlo.add %x, %x : tensor<?x4xf32\n  %a0 = stablehlo.abs %new : "
      "tensor<?x4xf32>\n",
      "  %new = \"x.y\"(%x) ({\n    %k = stablehlo.abs %x : tensor<?x4xf32>\n",
      "  = stablehlo.add %x, %x : tensor<?x4xf32>\n"};
  shape_arena arena;
  arena_init(&arena, 0);
  for (uint32_t i = 0; i < sizeof LAST / sizeof *LAST; i++) {
    reading repeated, read;
    reading_of(&repeated, program(&arena, "", LAST[i]));
    reading_of(&read, program(&arena, " // read", LAST[i]));
    cr_expect_str_not_empty(reading_errors(&repeated));
    cr_expect_str_eq(reading_errors(&repeated), reading_errors(&read));
    cr_expect_str_eq(reading_dump(&repeated), reading_dump(&read));
    reading_destroy(&repeated);
    reading_destroy(&read);
  }
  arena_destroy(&arena);
}

typedef struct used {
  reading r;
  mlir_uses uses;
  const char *text;
} used;

static void read_used(void *data) {
  used *u = data;
  graph_init(&u->r.graph, &u->r.arena, GRAPH_MLIR, u->text, strlen(u->text));
  mlir_read_uses(&u->r.graph, &u->uses);
}

static void used_of(used *u, const char *text) {
  *u = (used){.text = text};
  arena_init(&u->r.arena, 0);
  cr_assert_eq(arena_protect(&u->r.arena, read_used, u), SHAPE_OK);
  cr_assert_str_empty(reading_errors(&u->r));
}

// Bytes of a text are those of the other text without the comments.
static void expect_at(const used *x, uint32_t a, const used *y, uint32_t b) {
  const char *from = x->r.graph.source.text + a, *to = y->r.graph.source.text + b;
  cr_assert(strncmp(from, to, 3) == 0 || strncmp(to, " //", 3) == 0, "%.20s vs %.20s", from, to);
}

Test(mlir_template, uses_of_repeated_statements) {
  shape_arena arena;
  used repeated, read;
  arena_init(&arena, 0);
  used_of(&repeated, program(&arena, "", ""));
  used_of(&read, program(&arena, " // read", ""));
  const mlir_uses *u = &repeated.uses, *v = &read.uses;
  cr_assert(u->count == v->count && u->op_count == v->op_count && u->whole == v->whole);
  cr_assert_eq(u->operand_count, v->operand_count);
  cr_assert_gt(u->count, 20 * BLOCKS);
  for (uint32_t i = 0; i < u->count; i++) {
    const mlir_type_use *a = &u->items[i], *b = &v->items[i];
    cr_assert(a->kind == b->kind && a->subject == b->subject && a->index == b->index, "%u", i);
    expect_span(&repeated.r, a->span, &read.r, b->span);
  }
  for (op_id op = 0; op < u->op_count; op++) {
    const mlir_op_use *a = &u->ops[op], *b = &v->ops[op];
    cr_assert(a->opaque == b->opaque && a->hides == b->hides && a->properties == b->properties);
    cr_assert_eq(!a->end, !b->end);
    if (a->end) expect_at(&repeated, a->end, &read, b->end);
  }
  for (uint32_t i = 0; i < u->operand_count; i++) {
    cr_assert_eq(u->operands[i] == UINT32_MAX, v->operands[i] == UINT32_MAX);
    if (u->operands[i] != UINT32_MAX) expect_at(&repeated, u->operands[i], &read, v->operands[i]);
  }
  arena_destroy(&repeated.r.arena);
  arena_destroy(&read.r.arena);
  arena_destroy(&arena);
}

// Errors of an attribute are shown at it.
Test(mlir_template, attributes_are_where_their_operation_is_written) {
  shape_arena arena;
  used repeated;
  uint32_t count = 0;
  arena_init(&arena, 0);
  used_of(&repeated, program(&arena, "", ""));
  const shape_graph *g = &repeated.r.graph;
  const uint32_t body = g->ops[0].span.begin;
  for (op_id op = 0; op < g->op_count; op++) {
    const graph_op *o = &g->ops[op];
    for (uint32_t i = 0; i < o->attr_count; i++) {
      source_span at = g->attributes.items[g->attributes.entries[o->attrs + i].value].span;
      if (span_is_none(at) || at.begin < body) continue;  // an alias is in front
      cr_expect(at.begin >= o->span.begin && at.end <= o->span.end, "operation %u", op);
      count++;
    }
  }
  cr_expect_gt(count, 10 * BLOCKS);
  arena_destroy(&repeated.r.arena);
  arena_destroy(&arena);
}

Test(mlir_template, what_repeats_may_be_wrong) {
  static const char *const LAST[][2] = {
      {"  %a0 = stablehlo.add %x, %x : tensor<?x4xf32>\n", "redefinition of value '%a0'"},
      {"  %new = stablehlo.add %w, %x : tensor<?x4xf32>\n", "use of value '%w' expects"},
      {"  %new = stablehlo.add %x, %none : tensor<?x4xf32>\n", "undeclared"},
  };
  shape_arena arena;
  arena_init(&arena, 0);
  for (uint32_t i = 0; i < sizeof LAST / sizeof *LAST; i++) {
    reading r;
    reading_of(&r, program(&arena, "", LAST[i][0]));
    cr_expect(strstr(reading_errors(&r), LAST[i][1]), "%s", reading_errors(&r));
    reading_destroy(&r);
  }
  arena_destroy(&arena);
}
