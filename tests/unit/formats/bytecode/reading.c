// SPDX-License-Identifier: Apache-2.0
// MLIR bytecode as text: programs of each version of the format, operations of VHLO, and what is said of invalid bytes.
#include "tests/unit/formats/bytecode/reading.h"

Test(bytecode, every_version_reads_the_same) {
  for (uint32_t version = 0; version <= 6; version++) {
    bytes file = unary(version, "stablehlo", "tanh", 0, 1);
    expect_text(&file, "^bb0(%arg0: tensor<?xf32>):\n"
                       "    %1 = \"stablehlo.tanh\"(%arg0) : (tensor<?xf32>) -> tensor<?xf32>\n"
                       "    \"func.return\"(%1) : (tensor<?xf32>) -> ()\n");
    expect_text(&file, "function_type = (tensor<?xf32>) -> tensor<?xf32>");
    expect_text(&file, "sym_name = \"main\"");
  }
}

Test(bytecode, vhlo_is_read_as_stablehlo) {
  bytes file = unary(6, "vhlo", "abs_v1", 0, 1);
  expect_text(&file, "%1 = \"stablehlo.abs\"(%arg0) : (tensor<?xf32>) -> tensor<?xf32>\n");
  expect_text(&file, "\"func.return\"(%1)");
  expect_text(&file, "<{function_type = (tensor<?xf32>) -> tensor<?xf32>, sym_name = \"main\"}>");
  bytes unknown = unary(6, "vhlo", "no_such_v1", 0, 1);
  expect_error(&unknown, 0, unknown.length, "'vhlo.no_such_v1' is not known");
}

Test(bytecode, defaults_of_vhlo_are_left_out_and_groups_put_together) {
  sample s;
  bytes body = {.length = 0};
  begin_sample(&s, 6, true);
  uint32_t i64 = add_type(&s.w, "vhlo", FIELDS(14));
  bytes shape = FIELDS(20, 1);
  put_signed(&shape, 1);
  put(&shape, i64);
  uint32_t list_type = add_type(&s.w, "vhlo", shape);
  bytes one = FIELDS(15, list_type, 8), number = FIELDS(9, i64);
  put_raw(&one, "\1\0\0\0\0\0\0\0", 8);
  put_signed(&number, -7);
  uint32_t list = add_attr(&s.w, "vhlo", one), no = add_attr(&s.w, "vhlo", FIELDS(2, 0));
  uint32_t value = add_attr(&s.w, "vhlo", number);
  uint32_t gather = add_op(&s.w, "vhlo", "gather_v1", true);
  // collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims slice_sizes start_index_map
  put_unary(&s, &body, gather, add_blob(&s.w, FIELDS(list, value, no, list, list, list)), 0);
  put_return(&s, &body, 1);
  bytes file = end_sample(&s, &body, 2, 2, true);
  expect_text(
      &file,
      "\"stablehlo.gather\"(%arg0) <{slice_sizes = array<i64: 1>, dimension_numbers = "
      "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1], start_index_map = [1], "
      "index_vector_dim = -7>}>");
}

Test(bytecode, casts_between_equal_types_vanish) {
  sample s;
  bytes body = {.length = 0};
  begin_sample(&s, 6, true);
  uint32_t cast = add_op(&s.w, "builtin", "unrealized_conversion_cast", true);
  uint32_t abs = add_op(&s.w, "vhlo", "abs_v1", true);
  put_unary(&s, &body, cast, UINT32_MAX, 0);
  put_unary(&s, &body, abs, UINT32_MAX, 1);
  put_return(&s, &body, 2);
  bytes file = end_sample(&s, &body, 3, 3, true);
  expect_text(&file, "%2 = \"stablehlo.abs\"(%arg0)");
}

Test(bytecode, a_use_may_come_before_the_definition) {
  sample s;
  bytes body = {.length = 0};
  begin_sample(&s, 6, false);
  uint32_t op = add_op(&s.w, "stablehlo", "abs", true);
  put_unary(&s, &body, op, UINT32_MAX, 2);  // %1 = abs %2
  put_unary(&s, &body, op, UINT32_MAX, 0);  // %2 = abs %arg0
  put_return(&s, &body, 1);
  bytes file = end_sample(&s, &body, 3, 3, false);
  expect_text(&file, "%1 = \"stablehlo.abs\"(%2) : (tensor<?xf32>) -> tensor<?xf32>\n");
  bytes none = unary(6, "stablehlo", "abs", 1, 1);
  expect_text(&none, "%1 = \"stablehlo.abs\"(%1)");
  sample t;
  bytes short_body = {.length = 0};
  begin_sample(&t, 6, false);
  put_return(&t, &short_body, 1);
  bytes missing = end_sample(&t, &short_body, 1, 2, false);
  expect_error(&missing, 0, missing.length, "value 1 is used and never defined");
}

// --- attributes

Test(bytecode, attributes_are_written_as_text) {
  expect_attr("builtin", FIELDS(7), "unit");
  expect_attr("builtin", FIELDS(0, 0), "[]");
  expect_attr("builtin", FIELDS(6, 0), "f32");
  expect_attr("stablehlo", FIELDS(2, 5), "#stablehlo<comparison_direction LT>");
  expect_attr("stablehlo", FIELDS(3, 1), "#stablehlo<comparison_type FLOAT>");
  expect_attr("stablehlo", FIELDS(8, 2), "#stablehlo<precision HIGHEST>");
  expect_attr("chlo", FIELDS(0, 1), "#chlo<comparison_direction NE>");
  expect_attr("stablehlo", FIELDS(1, 2, 4), "#stablehlo.channel_handle<handle = 1, type = 2>");
  expect_attr("stablehlo", FIELDS(5, 0, 0, 1, 2, 1, 0),
              "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>");
  // Five lists, and three as writers before the batching dims had them.
  expect_attr("stablehlo", FIELDS(7, 1, 2, 0, 0, 0, 0, 2),
              "#stablehlo.gather<offset_dims = [1], index_vector_dim = 1>");
  expect_attr("stablehlo", FIELDS(7, 1, 2, 0, 1, 4, 2),
              "#stablehlo.gather<offset_dims = [1], start_index_map = [2], index_vector_dim = 1>");
  expect_attr("stablehlo", FIELDS(4, 0, 2, 1, 4, 0, 2, 1, 4, 4, 0, 1, 2),
              "#stablehlo.conv<[b, f, 0]x[i, o, 0]->[f, 0, b]>");
  expect_attr("mine", FIELDS(1, 2, 3), "#mine.e<3>");
}

Test(bytecode, dense_elements) {
  expect_dense(32, 2, "\1\0\0\0\377\377\377\377", 8, "[1, -1]");
  expect_dense(32, 3, "\7\0\0\0", 4, "7");
  expect_dense(32, 3, "\7\0\0", 3, NULL);
  expect_dense(8, 2, "\200\177", 2, "[-128, 127]");
  expect_dense(4, 2, "\7\17", 2, "[7, -1]");
  expect_dense(1, 3, "\5", 1, "[true, false, true]");
  expect_dense(1, 9, "\377", 1, "true");
  expect_dense(1, 9, "\377\1", 2, "[true, true, true, true, true, true, true, true, true]");
  expect_dense(0, 2, "\0\0\300\77\0\0\200\177", 8, "[1.500000e+00, 0x7F800000]");
  expect_dense(0, 1, "\315\314\314\75", 4, "[1.000000e-01]");
  expect_dense(32, 0, "", 0, "");
  expect_dense(32, 1000000, "\1\0\0\0\2\0\0\0", 8, NULL);
}

// What an analysis does not keep is not written, unless the program is.
Test(bytecode, large_constants_are_elided) {
  enum { COUNT = 2000 };
  static char data[2 * COUNT];
  sample s;
  begin_sample(&s, 6, false);
  uint32_t element = add_type(&s.w, "builtin", FIELDS(0, 2 << 2));
  bytes tensor = FIELDS(TENSOR, 1), dense = {.length = 0};
  put_signed(&tensor, 2 * COUNT);
  put(&tensor, element);
  put(&dense, DENSE);
  put(&dense, add_type(&s.w, "builtin", tensor));
  data[1] = 1;
  put(&dense, 2 * COUNT);
  put_raw(&dense, data, 64);
  bytes file = with_attr(&s, add_attr(&s.w, "builtin", dense));
  expect_error(&file, 0, file.length, "bytes are announced");
}

// --- invalid bytes

Test(bytecode, what_is_invalid_is_refused_with_its_byte) {
  bytes good = unary(6, "stablehlo", "tanh", 0, 1), invalid = good;
  for (size_t length = 4; length < good.length; length++) {
    invalid.length = length;
    expect_error(&invalid, 0, length, "byte ");
  }
  invalid = good;
  invalid.at[4] = 7 << 1 | 1;
  expect_error(&invalid, 4, 4, "expected a version of the format of at most 6, found 7");
  invalid = good;
  put_byte(&invalid, 9);
  put(&invalid, 0);
  expect_error(&invalid, good.length, good.length + 1, "expected a section of 0 to 8, found 9");
  invalid = good;
  put_byte(&invalid, 4);
  put(&invalid, 0);
  expect_error(&invalid, good.length, good.length + 1, "section 4 (operations) is there twice");
  bytes operand = unary(6, "stablehlo", "tanh", 2, 1);
  expect_error(&operand, 0, operand.length, "index 2 of 2 values");
}

Test(bytecode, entries_that_hold_themselves) {
  sample s;
  begin_sample(&s, 6, false);
  uint32_t self = s.w.attr_count;
  bytes circle = with_attr(&s, add_attr(&s.w, "builtin", FIELDS(0, 1, self)));
  expect_error(&circle, 0, circle.length, "holds itself");
  begin_sample(&s, 6, false);
  uint32_t type = s.w.type_count;
  add_type(&s.w, "builtin", FIELDS(15, 1, type));
  bytes tuple = with_attr(&s, add_attr(&s.w, "builtin", FIELDS(TYPE, type)));
  expect_error(&tuple, 0, tuple.length, "holds itself");
}

// Each holds the one before twice: the text would double at every step.
Test(bytecode, entries_that_grow_are_bounded) {
  sample s;
  begin_sample(&s, 6, false);
  uint32_t last = add_attr(&s.w, "builtin", FIELDS(7));
  for (int i = 0; i < 40; i++) last = add_attr(&s.w, "builtin", FIELDS(0, 2, last, last));
  bytes file = with_attr(&s, last);
  printed *p = open_print(&file, false);
  cr_expect_not(p->ok);
  cr_expect(strstr(p->error.message, "too long"), "%s", p->error.message);
  cr_expect(p->arena.peak < (64u << 20));
  close_print(p);
}

Test(bytecode, assembly_text_stays_in_its_brackets) {
  static const char *const INVALID[] = {"#mine.a<", "#mine.a>",    "1, x = 2",
                                        "\"",       "#mine.a<(>)", ""};
  for (size_t i = 0; i < sizeof INVALID / sizeof *INVALID; i++) {
    sample s;
    begin_sample(&s, 6, false);
    bytes file = with_attr(&s, add_text(&s.w, "mine", INVALID[i]));
    expect_error(&file, 0, file.length, "assembly text");
  }
  sample s;
  begin_sample(&s, 6, false);
  bytes file = with_attr(&s, add_text(&s.w, "mine", "#mine.a<\"<\", (d0) -> (d0)>"));
  expect_text(&file, "value = #mine.a<\"<\", (d0) -> (d0)>");
}

// --- the graph

static void read_graph(void *data) {
  printed *p = data;
  shape_graph *g = arena_zalloc(&p->arena, sizeof *g);
  graph_init(g, &p->arena, GRAPH_BYTECODE, (const char *)p->from->at, p->from->length);
  bytecode_read(g, NULL, true);
  if (p->whole) {
    cr_assert_eq(g->diags.count, 1u);
    cr_expect(strstr(g->diags.items[0].message, "byte "), "%s", g->diags.items[0].message);
    return;
  }
  cr_assert_eq(g->diags.count, 0u);
  cr_assert_eq(g->func_count, 1u);
  cr_expect_eq(g->op_count, 2u);
  cr_expect_str_eq(graph_op_name(g, 0), "stablehlo.tanh");
}

Test(bytecode, a_graph_is_made_of_the_text) {
  bytes good = unary(6, "stablehlo", "tanh", 0, 1), cut = good;
  cut.length--;
  for (int invalid = 0; invalid < 2; invalid++) {
    printed p = {.from = invalid ? &cut : &good, .whole = invalid};
    arena_init(&p.arena, 0);
    cr_assert_eq(arena_protect(&p.arena, read_graph, &p), SHAPE_OK);
    arena_destroy(&p.arena);
  }
}
