// SPDX-License-Identifier: Apache-2.0
// Bytecode as a graph: its source is the text, and what is wrong names the byte.
#include "tests/unit/formats/bytecode/reading.h"

typedef struct read_case {
  shape_arena arena;
  shape_graph graph;
  mlir_uses uses;
  const bytes *from;
  bool with_uses;
} read_case;

static void read_body(void *data) {
  read_case *c = data;
  graph_init(&c->graph, &c->arena, GRAPH_BYTECODE, (const char *)c->from->at, c->from->length);
  bytecode_read(&c->graph, c->with_uses ? &c->uses : NULL, false);
}

static void open(read_case *c, const bytes *from, bool with_uses) {
  memset(c, 0, sizeof *c);
  c->from = from;
  c->with_uses = with_uses;
  arena_init(&c->arena, 0);
  cr_assert_eq(arena_protect(&c->arena, read_body, c), SHAPE_OK);
}

Test(bytecode_read, the_source_becomes_the_text) {
  bytes file = unary(6, "stablehlo", "tanh", 0, 1);
  for (int uses = 0; uses < 2; uses++) {
    read_case c;
    open(&c, &file, uses);
    cr_expect(c.graph.diags.count == 0 && c.graph.format == GRAPH_MLIR);
    cr_expect(strstr(c.graph.source.text, "\"stablehlo.tanh\"(%arg0)"));
    cr_expect_eq(c.uses.count > 0, uses);
    arena_destroy(&c.arena);
  }
}

// One message: of the bytes, or of the operation that the text does not allow.
Test(bytecode_read, an_error_names_a_byte) {
  read_case c;
  bytes cut = unary(6, "stablehlo", "tanh", 0, 1);
  cut.length -= 3;
  open(&c, &cut, false);
  cr_assert_eq(c.graph.diags.count, 1);
  cr_expect(strstr(c.graph.diags.items[0].message, "MLIR bytecode, byte "), "%s",
            c.graph.diags.items[0].message);
  cr_expect(span_is_none(c.graph.diags.items[0].span));
  arena_destroy(&c.arena);
  // Assembly text that is balanced, and no type.
  sample s;
  bytes body = {.length = 0};
  begin_sample(&s, 6, false);
  bytes text = {.length = 0};
  put_raw(&text, "f32 x", 6);
  s.tensor = add_type(&s.w, "mine", text);
  s.w.types[s.tensor].assembly = true;
  put_unary(&s, &body, add_op(&s.w, "stablehlo", "abs", true), UINT32_MAX, 0);
  put_return(&s, &body, 1);
  bytes file = end_sample(&s, &body, 2, 2, false);
  open(&c, &file, false);
  cr_assert_eq(c.graph.diags.count, 1);
  cr_expect(strstr(c.graph.diags.items[0].message, "MLIR bytecode, operation at byte "), "%s",
            c.graph.diags.items[0].message);
  arena_destroy(&c.arena);
}
