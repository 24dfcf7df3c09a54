// SPDX-License-Identifier: Apache-2.0
// ONNX among the formats: models as bytes and in their text forms, and where a text is wrong.
#include "solver/formats/formats.h"
#include "tests/unit/formats/onnx/reading.h"

static const char SYNTAX[] = "<ir_version: 8, opset_import: [\"\" : 17]>\n"
                             "g (float[N] x) => (float[N] y) {\n  y = Relu(x)\n}\n";
static const char PROTO[] =
    "ir_version: 8\nopset_import { version: 17 }\ngraph {\n  node { input: \"x\" output: \"y\" "
    "op_type: \"Relu\" }\n  input { name: \"x\" type { tensor_type { elem_type: 1 shape { dim { "
    "dim_param: \"N\" } } } } }\n  output { name: \"y\" }\n}\n";

static format_match match(const char *text, size_t length, size_t start, bool is_text) {
  const format_bytes b = {.text = text, .length = length, .start = start, .is_text = is_text};
  return FORMAT_READERS[GRAPH_ONNX]->match(&b);
}

Test(onnx_format, models_are_recognised_in_each_form) {
  static wire_out graph, model;
  graph.size = 0;
  put_value(&graph, 11, "x", 1, "N");
  model_of(&model, &graph, 17);
  cr_expect_eq(match((const char *)model.data, model.size, 0, false), FORMAT_SURE);
  cr_expect_eq(match(SYNTAX, sizeof SYNTAX - 1, 0, true), FORMAT_SURE);
  cr_expect_eq(match(PROTO, sizeof PROTO - 1, 0, true), FORMAT_SURE);
  static const char *const OTHERS[] = {"func.func @main() {}", "{\"a\": 1}", "<html>"};
  for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
    cr_expect_eq(match(OTHERS[i], strlen(OTHERS[i]), 0, true), FORMAT_NO, "%s", OTHERS[i]);
}

typedef struct format_reading {
  shape_arena arena;
  shape_budget budget;
  shape_graph graph;
  const char *text;
} format_reading;

static void read_body(void *data) {
  format_reading *r = data;
  graph_init(&r->graph, &r->arena, GRAPH_ONNX, r->text, strlen(r->text));
  r->graph.budget = &r->budget;
  FORMAT_READERS[GRAPH_ONNX]->read(&r->graph, &(format_options){0});
}

static void open(format_reading *r, const char *text) {
  *r = (format_reading){.text = text};
  arena_init(&r->arena, 0);
  budget_init(&r->budget, &r->arena, 1 << 20, NULL);
  cr_assert_eq(arena_protect(&r->arena, read_body, r), SHAPE_OK);
}

// The bytes that say the same are the source then.
Test(onnx_format, both_text_forms_are_one_model) {
  static const char *const TEXTS[] = {SYNTAX, PROTO};
  for (int i = 0; i < 2; i++) {
    format_reading r;
    open(&r, TEXTS[i]);
    cr_assert_eq(r.graph.diags.errors, 0, "%s", r.graph.diags.items[0].message);
    cr_expect_str_eq(graph_op_name(&r.graph, 0), "onnx.Relu");
    cr_expect_eq(r.graph.onnx_opset, 17);
    cr_expect(r.graph.source.text != TEXTS[i] &&
              onnx_recognise(r.graph.source.text, r.graph.source.length));
    arena_destroy(&r.arena);
  }
}

// Lines and columns are those of the text, from 1 on.
Test(onnx_format, an_error_of_syntax_has_its_line) {
  static const char *const CASES[][2] = {
      {"<ir_version: 8, opset_import: [\"\" : 17]>\ng (float[N] x) => (float[N] y) {\n  y = "
       "Relu(x\n}\n",
       "line 4, column 1: "},
      {"ir_version: 8\ngraph {\n  node { input: }\n}\n", "line 3, column 17: "}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    format_reading r;
    open(&r, CASES[i][0]);
    cr_assert_eq(r.graph.diags.count, 1);
    const char *message = r.graph.diags.items[0].message;
    cr_expect_eq(strncmp(message, CASES[i][1], strlen(CASES[i][1])), 0, "%s", message);
    arena_destroy(&r.arena);
  }
}
