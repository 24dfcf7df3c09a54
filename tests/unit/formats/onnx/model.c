// SPDX-License-Identifier: Apache-2.0
// The outermost message: what looks like a model, operator sets, and what is wrong with a file as a whole.
#include "solver/formats/onnx/reader.h"

#include "tests/unit/formats/onnx/reading.h"

enum { IR_VERSION = 1, PRODUCER = 2, GRAPH = 7, IMPORT = 8 };

static wire_out graph, model;

static void put_import(const char *domain, int64_t version) {
  wire_out import = {.size = 0};
  if (domain) put_text(&import, 1, domain);
  put_int(&import, 2, version);
  put_message(&model, IMPORT, &import);
}

static void put_graph(void) {
  graph.size = 0;
  put_value(&graph, 11, "x", 1, "N");
  put_value(&graph, 12, "x", 1, "N");
  put_message(&model, GRAPH, &graph);
}

static bool recognised(size_t length) { return onnx_recognise((const char *)model.data, length); }

Test(onnx_model, what_is_recognised) {
  model.size = 0;
  cr_expect_not(recognised(0));
  put_int(&model, IR_VERSION, 8);
  put_text(&model, PRODUCER, "p");
  cr_expect_not(recognised(model.size));  // it ends well, and has no graph
  size_t before = model.size;
  put_graph();
  cr_expect(recognised(model.size));
  cr_expect(recognised(model.size - 1));  // cut in its graph
  cr_expect(recognised(before + 1));      // after two fields
  put_int(&model, 31, 1);
  cr_expect(recognised(model.size));  // of a later version
  model.size = 0;
  put_text(&model, IR_VERSION, "8");  // another wire type
  put_graph();
  cr_expect_not(recognised(model.size));
  static const char *const TEXTS[] = {"func.func @main() {}", "{\"a\": 1}", "PK\3\4", "\n\n\n"};
  for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++)
    cr_expect_not(onnx_recognise(TEXTS[i], strlen(TEXTS[i])), "%s", TEXTS[i]);
}

Test(onnx_model, the_operator_set_is_that_of_the_default_domain) {
  static const struct {
    const char *domain;
    int64_t version;
    uint32_t opset;
    const char *error;
  } cases[] = {
      {NULL, 1, 1, ""},
      {"", 17, 17, ""},
      {"ai.onnx", 28, 28, ""},
      {"", 1000, 1000,
       "expected an operator set of at most 28, found 1000: convert the model to it"},
      {"ai.onnx.ml", 3, 0, ""},
      {NULL, 29, 29, "expected an operator set of at most 28, found 29: convert the model to it"},
      {NULL, INT64_MAX, UINT32_MAX,
       "expected an operator set of at most 28, found 4294967295: convert the model to it"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    onnx_reading r;
    model.size = 0;
    put_import(cases[i].domain, cases[i].version);
    put_graph();
    onnx_reading_open(&r, &model, NULL);
    cr_expect_eq(r.graph.onnx_opset, cases[i].opset, "%zu: %u", i, r.graph.onnx_opset);
    cr_expect_str_eq(onnx_reading_error(&r), cases[i].error);
    onnx_reading_close(&r);
  }
}

static void expect_error(const char *want) {
  onnx_reading r;
  onnx_reading_open(&r, &model, NULL);
  cr_expect(strstr(onnx_reading_error(&r), want), "%s", onnx_reading_error(&r));
  onnx_reading_close(&r);
}

// Before version 3 there were no operator sets: it is the first.
Test(onnx_model, a_version_or_an_operator_set) {
  onnx_reading r;
  model.size = 0;
  put_int(&model, IR_VERSION, 2);
  put_graph();
  onnx_reading_open(&r, &model, NULL);
  cr_expect_eq(r.graph.onnx_opset, 1);
  cr_expect_str_eq(onnx_reading_error(&r), "");
  onnx_reading_close(&r);
  model.size = 0;
  put_graph();
  expect_error("the model has no ir_version and imports no operator set: expected one of both");
}

Test(onnx_model, a_file_that_is_no_model) {
  model.size = 0;
  put_int(&model, IR_VERSION, 8);
  put_import(NULL, 17);
  expect_error("expected a graph in the model, found none");
  put_graph();
  model.size -= 2;
  expect_error("the model is not well-formed");
  expect_error("the file is cut short or is no ONNX model");
  model.size = 0;
  put_int(&model, IR_VERSION, 8);
  put_varint(&model, 5 << 3 | 3);  // a group
  expect_error("at byte 3");
}

// A name is cut for a message, and a part has its bytes of the file.
Test(onnx_model, parts_of_the_file) {
  onnx_reading r;
  model.size = 0;
  put_int(&model, IR_VERSION, 8);
  put_import(NULL, 17);
  put_graph();
  onnx_reading_open(&r, &model, NULL);
  char text[300];
  memset(text, 'a', sizeof text);
  onnx_reader reader = {.graph = &r.graph, .base = (const uint8_t *)text, .length = sizeof text};
  const wire_span all = {reader.base, sizeof text}, some = {reader.base + 7, 3}, none = {0};
  cr_expect_eq(strlen(onnx_text(&reader, all)), 200);
  cr_expect_str_eq(onnx_text(&reader, some), "aaa");
  source_span span = onnx_span(&reader, some);
  cr_expect(span.begin == 7 && span.end == 10);
  cr_expect(span_is_none(onnx_span(&reader, none)));
  cr_expect_eq(intern_length(&r.graph.names, onnx_name(&reader, all)), 300);
  onnx_reading_close(&r);
}
