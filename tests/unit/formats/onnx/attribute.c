// SPDX-License-Identifier: Apache-2.0
// Attributes of each kind, with and without a type, as old files have them.
#include "tests/unit/formats/onnx/reading.h"

enum { F = 2, I = 3, S = 4, T = 5, FLOATS = 7, INTS = 8, STRINGS = 9, TP = 14, TYPE = 20 };

static wire_out graph, model, node, attribute;

static void begin(int type) {
  attribute.size = 0;
  put_text(&attribute, 1, "k");
  if (type) put_int(&attribute, TYPE, type);
}

static void put_single(uint32_t field, float value) {
  put_varint(&attribute, field << 3 | 5);
  memcpy(attribute.data + attribute.size, &value, 4);
  attribute.size += 4;
}

static void open(onnx_reading *r) {
  graph.size = 0;
  node_begin(&node, "Relu", "x", "y");
  put_message(&node, 5, &attribute);
  put_message(&graph, 1, &node);
  put_value(&graph, 11, "x", 1, "N 3");
  put_value(&graph, 12, "y", 1, NULL);
  model_of(&model, &graph, 17);
  onnx_reading_open(r, &model, NULL);
}

static void put_item(shape_strbuf *out, const shape_graph *g, attr_id id) {
  const graph_attr *a = graph_attr_get(g, id);
  cr_assert_eq(a->kind, ATTR_STRING);
  strbuf_printf(out, " '%s'", intern_text(&g->names, a->text));
}

// "ints 1 2", or the error; "none": the node has no attribute.
static const char *read_attribute(void) {
  static const char *const KINDS[] = {
      [ATTR_INT] = "int",   [ATTR_FLOAT] = "float", [ATTR_STRING] = "string",
      [ATTR_INTS] = "ints", [ATTR_ARRAY] = "array", [ATTR_DENSE] = "dense",
      [ATTR_TYPE] = "type"};
  static char text[256];
  onnx_reading r;
  open(&r);
  shape_strbuf out;
  strbuf_init(&out, &r.arena);
  attr_id id = graph_attr_named(&r.graph, 0, "k");
  const graph_attr *a = graph_attr_get(&r.graph, id);
  if (r.graph.diags.errors || !a) {
    strbuf_puts(&out, r.graph.diags.errors ? onnx_reading_error(&r) : "none");
  } else {
    uint32_t ints = 0, floats = 0, items = 0;
    const int64_t *some = attr_held_ints(a, &ints);
    const double *reals = attr_held_floats(a, &floats);
    const attr_id *parts = a->kind == ATTR_ARRAY ? attr_items(a, &items) : NULL;
    strbuf_puts(&out, KINDS[a->kind]);
    for (uint32_t i = 0; some && i < ints; i++) strbuf_printf(&out, " %lld", (long long)some[i]);
    for (uint32_t i = 0; reals && i < floats; i++) strbuf_printf(&out, " %g", reals[i]);
    for (uint32_t i = 0; i < items; i++) put_item(&out, &r.graph, parts[i]);
    if (a->kind == ATTR_STRING) put_item(&out, &r.graph, id);
    if (a->kind == ATTR_TYPE || a->kind == ATTR_DENSE) {
      strbuf_putc(&out, ' ');
      type_print(&r.graph.types, &out, a->type);
    }
  }
  snprintf(text, sizeof text, "%s", strbuf_text(&out));
  onnx_reading_close(&r);
  return text;
}

// The field says the kind, whether there is a type or not.
Test(onnx_attribute, scalars) {
  for (int typed = 0; typed < 2; typed++) {
    begin(typed ? 2 : 0);
    put_int(&attribute, I, INT64_MIN);
    cr_expect_str_eq(read_attribute(), "int -9223372036854775808");
    begin(typed ? 1 : 0);
    put_single(F, -0.25f);
    cr_expect_str_eq(read_attribute(), "float -0.25");
    begin(typed ? 3 : 0);
    put_text(&attribute, S, "a b");
    cr_expect_str_eq(read_attribute(), "string 'a b'");
  }
}

Test(onnx_attribute, lists_packed_or_not) {
  begin(0);
  put_int(&attribute, INTS, -1);
  put_int(&attribute, INTS, INT64_MAX);
  cr_expect_str_eq(read_attribute(), "ints -1 9223372036854775807");
  begin(7);
  put_bytes(&attribute, INTS, "\x01\x80\x01\x00", 4);
  cr_expect_str_eq(read_attribute(), "ints 1 128 0");
  begin(6);
  put_single(FLOATS, 0.5f);
  put_single(FLOATS, -2);
  cr_expect_str_eq(read_attribute(), "dense 0.5 -2 tensor<2xf32>");
  begin(8);
  put_text(&attribute, STRINGS, "a");
  put_text(&attribute, STRINGS, "");
  cr_expect_str_eq(read_attribute(), "array 'a' ''");
}

// What is at its default value may be left out of the bytes: then only the type says what it is.
Test(onnx_attribute, a_type_alone) {
  static const struct {
    int type;
    const char *want;
  } cases[] = {{1, "float 0"}, {2, "int 0"}, {3, "string ''"}, {6, "dense tensor<0xf32>"},
               {7, "ints"},    {8, "array"}, {0, "none"},      {5, "none"},
               {4, "none"},    {99, "none"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    begin(cases[i].type);
    cr_expect_str_eq(read_attribute(), cases[i].want, "type %d: %s", cases[i].type,
                     read_attribute());
  }
}

// As a reader of the wire format takes the last field of a number: of two lists the last.
Test(onnx_attribute, the_last_counts) {
  begin(0);
  put_int(&attribute, I, 1);
  put_int(&attribute, I, 2);
  cr_expect_str_eq(read_attribute(), "int 2");
  begin(0);
  put_int(&attribute, INTS, 1);
  put_text(&attribute, STRINGS, "a");
  cr_expect_str_eq(read_attribute(), "array 'a'");
}

Test(onnx_attribute, types_and_tensors) {
  wire_out tensor = {.size = 0}, type = {.size = 0}, proto = {.size = 0};
  begin(0);
  put_int(&tensor, 1, 2);
  put_int(&tensor, 2, 7);
  put_int(&tensor, 7, 4);
  put_int(&tensor, 7, 5);
  put_message(&attribute, T, &tensor);
  cr_expect_str_eq(read_attribute(), "dense 4 5 tensor<2xi64>");
  begin(0);
  put_int(&type, 1, 1);
  put_message(&proto, 1, &type);
  put_message(&attribute, TP, &proto);
  cr_expect_str_eq(read_attribute(), "type tensor<*xf32>");
}

Test(onnx_attribute, what_is_cut_is_an_error) {
  begin(7);
  put_bytes(&attribute, INTS, "\x01\x80", 2);
  cr_expect(strstr(read_attribute(), "attribute 'k' is not well-formed"), "%s", read_attribute());
  begin(6);
  put_bytes(&attribute, FLOATS, "\0\0\0\0\0", 5);
  cr_expect(strstr(read_attribute(), "attribute 'k' is not well-formed"), "%s", read_attribute());
  begin(2);
  put_varint(&attribute, I << 3);  // and no number
  cr_expect(strstr(read_attribute(), "attribute 'k' is not well-formed"), "%s", read_attribute());
}
