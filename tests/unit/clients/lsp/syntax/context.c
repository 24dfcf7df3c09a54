// SPDX-License-Identifier: Apache-2.0
// What is expected at a byte: for some texts, and for each byte of texts that are cut.
#include <criterion/criterion.h>
#include <string.h>

#include "clients/lsp/syntax/context.h"

// The text has one | where the byte is.
static syn_context at(shape_arena *arena, const char *marked, syn_index **x) {
  const char *mark = strchr(marked, '|');
  uint32_t offset = (uint32_t)(mark - marked), length = (uint32_t)strlen(marked) - 1;
  char *text = arena_alloc(arena, length + 1);
  memcpy(text, marked, offset);
  memcpy(text + offset, mark + 1, length - offset + 1);
  *x = syn_make(arena, text, length);
  return syn_context_at(*x, offset);
}

Test(lsp_context, texts) {
  static const struct {
    const char *text;
    syn_expects expects;
    uint32_t operand;
    const char *word;
  } ROWS[] = {
      {"|", SYN_EXPECTS_OP, 0, ""},
      {"// |", SYN_EXPECTS_NOTHING, 0, ""},
      {"func.func @f() {\n  sta|\n}", SYN_EXPECTS_OP, 0, "sta"},
      {"%0 = \"sta|", SYN_EXPECTS_OP, 0, "\"sta"},
      {"%0 = \"sta|\"()", SYN_EXPECTS_OP, 0, "\"sta\""},
      {"\"a.b\"() {x = \"sta|\"}", SYN_EXPECTS_NOTHING, 0, "\"sta\""},
      {"%0 = a.b %x, %|y", SYN_EXPECTS_OPERAND, 1, "%y"},
      {"%0 = a.b %x, %y#|", SYN_EXPECTS_OPERAND, 1, "%y#"},
      {"%0 = a.b %x, dim = |", SYN_EXPECTS_SETTING, 1, ""},
      {"\"a.b\"(%x, %y) {|}", SYN_EXPECTS_ATTRIBUTE, 0, ""},
      {"\"a.b\"(%x, %y) <{c = 1, d|", SYN_EXPECTS_ATTRIBUTE, 1, "d"},
      {"\"a.b\"(%x) {c = |", SYN_EXPECTS_SETTING, 0, ""},
      {"a.b %x : |", SYN_EXPECTS_TYPE, 0, ""},
      {"a.b %x : tensor<4xf32, [@|", SYN_EXPECTS_DIM, 0, "@"},
      {"call @|", SYN_EXPECTS_SYMBOL, 0, "@"},
      {"func.func @|", SYN_EXPECTS_NOTHING, 0, "@"},
      {"cf.br ^|", SYN_EXPECTS_BLOCK, 0, "^"},
      {"a.b %x {m = #|", SYN_EXPECTS_ALIAS, 0, "#"},
      {"  %|", SYN_EXPECTS_NOTHING, 0, "%"},
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    shape_arena arena;
    syn_index *x;
    arena_init(&arena, 0);
    syn_context c = at(&arena, ROWS[i].text, &x);
    cr_expect_eq(c.expects, ROWS[i].expects, "%s: %d", ROWS[i].text, (int)c.expects);
    cr_expect_eq(c.end - c.begin, strlen(ROWS[i].word), "%s", ROWS[i].text);
    cr_expect(memcmp(x->text + c.begin, ROWS[i].word, c.end - c.begin) == 0, "%s", ROWS[i].text);
    if (c.expects == SYN_EXPECTS_OPERAND)
      cr_expect_eq(c.operand, ROWS[i].operand, "%s: %u", ROWS[i].text, c.operand);
    arena_destroy(&arena);
  }
}

static const char PROGRAM[] =
    "!t = tensor<?xf32>\nfunc.func @f(%a: !t, %p: i1) -> !t {\n  %0:2 = \"a.b\"(%a) ({\n  ^bb0(%x: "
    "f32):\n"
    "    \"a.c\"(%x)[^bb0] : (f32) -> ()\n  }) {k = [1, {l = \"m\"}]} : (!t) -> (!t, i1)\n"
    "  %1:2 = stablehlo.while(%i = %0#0, %j = %p) : !t, i1 cond { stablehlo.return %j : i1 } do {\n"
    "    stablehlo.return %i, %j : !t, i1 }\n  return %1#0 : !t // %z\n}\n";

// No byte of a text that is cut anywhere is read beyond its end, and words hold the byte.
Test(lsp_context, any_byte_of_any_cut) {
  for (uint32_t cut = 0; cut < sizeof PROGRAM; cut += 3) {
    shape_arena arena;
    arena_init(&arena, 0);
    syn_index *x = syn_make(&arena, PROGRAM, cut);
    uint32_t names[64];
    for (uint32_t offset = 0; offset <= cut; offset++) {
      syn_context c = syn_context_at(x, offset);
      cr_assert(c.begin <= offset && offset <= c.end && c.end <= cut, "%u of %u", offset, cut);
      if (x->region_count) cr_assert(c.region < x->region_count);
      (void)syn_values_at(x, &arena, &c, names, 64);
    }
    arena_destroy(&arena);
  }
}

Test(lsp_context, types) {
  static const struct {
    const char *name;
    uint32_t number;
    const char *type;
  } ROWS[] = {{"%a: !t", 0, "tensor<?xf32>"},
              {"%p: i1", 0, "i1"},
              {"%0:2", 1, "i1"},
              {"%0:2", 0, "tensor<?xf32>"},
              {"%x: f32", 0, "f32"},
              {"%j =", 0, "i1"},
              {"%1:2", 1, "i1"},
              {"%i =", 0, "tensor<?xf32>"}};
  shape_arena arena;
  arena_init(&arena, 0);
  syn_index *x = syn_make(&arena, PROGRAM, sizeof PROGRAM - 1);
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    shape_strbuf out;
    strbuf_init(&out, &arena);
    uint32_t name = syn_name_at(x, (uint32_t)(strstr(PROGRAM, ROWS[i].name) - PROGRAM));
    syn_type_text(x, syn_type_of(x, name, ROWS[i].number), &out);
    cr_expect_str_eq(strbuf_text(&out), ROWS[i].type, "%s", ROWS[i].name);
  }
  arena_destroy(&arena);
}
