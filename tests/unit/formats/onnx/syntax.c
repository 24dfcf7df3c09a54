// SPDX-License-Identifier: Apache-2.0
// Models in ONNX's text syntax: the bytes that come out, and where a text that is no model is refused.
// tests/property/onnx_text compares with ONNX's own parser.
#include "solver/formats/onnx/syntax.h"

#include "solver/formats/onnx/fields.h"
#include "tests/unit/formats/onnx/conversion.h"

static void convert(conversion *c, const char *text) {
  convert_by(c, onnx_syntax_read, text);
  cr_assert(c->ok, "%s, byte %zu: %s", text, c->error.at, c->error.message);
}

static uint32_t count(wire_span message, uint32_t field) {
  wire_reader r = wire_open(message);
  wire_field f;
  uint32_t found = 0;
  while (wire_next(&r, &f)) found += f.number == field;
  return found;
}

Test(onnx_syntax, models_have_properties_graphs_and_functions) {
  conversion c;
  convert(&c,
          "<ir_version: 8, opset_import: [\"\": 17, \"l\": 1], metadata_props: [\"k\": \"v\"]>\n"
          "\"a graph\" (float[3] x = [\"location\": \"w\"], int64 i) => (y) { y = l.f (x) }\n"
          "<domain: \"l\", overload: \"o\">\n"
          "f <a, b: float = 2> (float[3] x) => (y) <float[3] t> { t = A (x) y = B (t) }");
  cr_expect_eq(field_at(&c, (uint32_t[]){MODEL_IR_VERSION, 0}).value, 8);
  cr_expect_eq(count(whole(&c), MODEL_OPSET_IMPORT), 2);
  expect_bytes(field_at(&c, (uint32_t[]){14, 2, 0}), "v", 1);
  wire_span graph = field_at(&c, (uint32_t[]){MODEL_GRAPH, 0}).bytes;
  cr_expect_eq(count(graph, GRAPH_INPUT), 2);
  arena_destroy(&c.arena);
}

Test(onnx_syntax, values_of_tensors_have_the_field_of_their_type) {
  conversion c;
  convert(&c,
          "g () => () <float[2] a = {1, -inf}, int64[1] b = {-1}, string[1] c = {\"\\\"\"},\n"
          "float[3] d = [\"location\": \"w\", \"offset\": \"8\"], int4[2] e = ..., float[N] f> {}");
  wire_span graph = field_at(&c, (uint32_t[]){MODEL_GRAPH, 0}).bytes;
  cr_expect_eq(count(graph, GRAPH_INITIALIZER), 5);
  cr_expect_eq(count(graph, GRAPH_VALUE_INFO), 1);
  wire_reader r = wire_open(graph);
  wire_field tensor[5], f;
  for (uint32_t n = 0; n < 5 && wire_next(&r, &f);)
    if (f.number == GRAPH_INITIALIZER) tensor[n++] = f;
  cr_expect_eq(count(tensor[0].bytes, TENSOR_FLOAT_DATA), 2);
  cr_assert(wire_find(tensor[1].bytes, TENSOR_INT64_DATA, &f));
  cr_expect_eq((int64_t)f.value, -1);
  cr_assert(wire_find(tensor[2].bytes, TENSOR_STRING_DATA, &f));
  expect_bytes(f, "\"", 1);
  cr_expect_eq(count(tensor[3].bytes, TENSOR_EXTERNAL_DATA), 2);
  for (uint32_t n = 3; n < 5; n++) {
    cr_assert(wire_find(tensor[n].bytes, TENSOR_DATA_LOCATION, &f));
    cr_expect_eq(f.value, 1);
  }
  arena_destroy(&c.arena);
}

// The one attribute of the one node.
static wire_span attribute_of(conversion *c, const char *attribute) {
  char text[512];
  snprintf(text, sizeof text, "g () => () { y = A <%s> () }", attribute);
  convert(c, text);
  return field_at(c, (uint32_t[]){MODEL_GRAPH, GRAPH_NODE, NODE_ATTRIBUTE, 0}).bytes;
}

Test(onnx_syntax, attributes_have_the_type_of_their_value) {
  static const struct {
    const char *text;
    uint64_t type;
    uint32_t field, values;
  } CASES[] = {{"a = 1", 2, ATTRIBUTE_I, 1},
               {"a: float = 1", 1, ATTRIBUTE_F, 1},
               {"a = -nan", 1, ATTRIBUTE_F, 1},
               {"a = \"s\"", 3, ATTRIBUTE_S, 1},
               {"a = [1, 2]", 7, ATTRIBUTE_INTS, 2},
               {"a: floats = [1, 2.5]", 6, ATTRIBUTE_FLOATS, 2},
               {"a: ints = []", 7, ATTRIBUTE_INTS, 0},
               {"a = [\"s\"]", 8, ATTRIBUTE_STRINGS, 1},
               {"a = float[1] {1}", 4, ATTRIBUTE_T, 1},
               {"a = float[1] name = {1}", 4, ATTRIBUTE_T, 1},
               {"a = float[\"]\", # ]\n 2]", 13, ATTRIBUTE_TP, 1},
               {"a = seq(float)", 13, ATTRIBUTE_TP, 1},
               {"a = b () => (y) { y = C () }", 5, ATTRIBUTE_G, 1},
               {"a: graph = \"b c\" () => () {}", 5, ATTRIBUTE_G, 1},
               {"a = [b () => () {}, c () => () {}]", 10, 11, 2},
               {"a: ints = @b", 7, ATTRIBUTE_REF_NAME, 1}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    conversion c;
    wire_field f;
    wire_span attribute = attribute_of(&c, CASES[i].text);
    cr_assert(wire_find(attribute, ATTRIBUTE_TYPE, &f), "%s", CASES[i].text);
    cr_expect_eq(f.value, CASES[i].type, "%s", CASES[i].text);
    cr_expect_eq(count(attribute, CASES[i].field), CASES[i].values, "%s", CASES[i].text);
    arena_destroy(&c.arena);
  }
}

Test(onnx_syntax, nodes_may_have_names_domains_and_missing_inputs) {
  conversion c;
  convert(&c, "g () => () { [\"n 1\"] a, b = com.x.Op:o (, a, \"\",) <k = 1> = B () }");
  wire_span graph = field_at(&c, (uint32_t[]){MODEL_GRAPH, 0}).bytes;
  wire_reader r = wire_open(graph);
  wire_field node, f;
  while (wire_next(&r, &node) && node.number != GRAPH_NODE) {}
  cr_assert(wire_find(node.bytes, NODE_NAME, &f));
  expect_bytes(f, "n 1", 3);
  cr_assert(wire_find(node.bytes, NODE_DOMAIN, &f));
  expect_bytes(f, "com.x", 5);
  cr_assert(wire_find(node.bytes, NODE_OVERLOAD, &f));
  cr_expect_eq(count(node.bytes, NODE_OUTPUT), 2);
  cr_expect_eq(count(node.bytes, NODE_INPUT), 3);
  cr_expect_eq(count(node.bytes, NODE_ATTRIBUTE), 1);
  arena_destroy(&c.arena);
}

Test(onnx_syntax, what_is_no_model_is_refused_where_it_ends) {
  static const refused_text CASES[] = {
      {"<ir_version 8> g () => () {}", "expected ':', found '8'", 12},
      {"<overload: \"a\"> g () => () {}",
       "expected a property of a model, such as ir_version, found 'overload'", 1},
      {"g () = > () {}", "expected '=>', found '='", 5},
      {"g () => () { y = A (x)", "expected '}', found the end of the text", 22},
      {"g () => () { y = (x) }", "expected an operator such as Relu, found '('", 17},
      {"g () => () { y = A <a = []> () }", "expected a value, found ']': an empty list has no type",
       25},
      {"g () => () { y = A <a = [1, 2.5]> () }",
       "expected a value of the type of the first, found '2.5'", 28},
      {"g () => () { y = A <a: int = \"s\"> () }",
       "expected a value of the type that is named, found '\"'", 29},
      {"g () => () { y = A <a: num = 1> () }",
       "expected a type of attributes, such as int or floats, found 'num'", 23},
      {"g () => () <int64[1] a = {1.5}> {}", "expected an integer, found '1.5'", 26},
      {"g () => () <int64[N] a = {1}> {}",
       "expected a number, found 'N': dims of a tensor with values are known", 18},
      {"g () => () <seq(float) a = {1}> {}",
       "expected an element type such as float, found 'seq': only a tensor has values", 12},
      {"g () => () <string[1] a = {\"b}> {}",
       "expected the end of the string, found the end of the text", 34},
      {"g () => () {} f (x) => {}", "expected '(', found '{'", 23}};
  expect_refused(onnx_syntax_read, CASES, sizeof CASES / sizeof *CASES);
}

Test(onnx_syntax, nesting_of_graphs_ends) {
  expect_nesting_ends(onnx_syntax_read, "", "g () => () {y = A <a = ", 1000, "graphs", 100);
}

Test(onnx_syntax, is_recognised_by_its_beginning) {
  static const char *const YES[] = {"<ir_version: 8", "# text\n < opset_import : [",
                                    "g (float",       "\"a b\" (seq",
                                    "g () => ()",     NULL};
  static const char *const NO[] = {
      "",         "<a: 1", "<overload: 1", "def f(x)", "graph(%x : Tensor)",
      "module {", "g (x)", "g ()",         "\"a",      NULL};
  expect_recognised(onnx_syntax_recognise, YES, NO);
}
