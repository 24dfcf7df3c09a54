// SPDX-License-Identifier: Apache-2.0
// The JSON form of a graph: what is written is this text, and read again it is the same program.
#include <stdio.h>

#include "tests/unit/formats/json/rows.h"

#include "solver/formats/mlir/mlir.h"

// What is read of `text`, written.
static void expect_encoded(const char *text, const char *want) {
  json_graph g;
  json_graph_read(&g, text);
  cr_assert_eq(g.graph.diags.errors, 0, "%s: %s", text,
               g.graph.diags.count ? g.graph.diags.items[0].message : "");
  cr_expect_str_eq(json_graph_text(&g, graph_json_encode), want);
  arena_destroy(&g.arena);
}

// That function with other operations, as it is written.
#define WRITTEN(ops)                                                                               \
  "{\"functions\":[{\"name\":\"main\",\"arguments\":[{\"name\":\"x\",\"type\":\"tensor<?xf32>\"}"  \
  "],\"results\":[],\"ops\":[" ops "]}]}\n"

// What is empty at the end is left out, and what is written is read as it is.
Test(json_encode, operations_are_lists_without_their_empty_end) {
  static const char *const OPS[] = {
      "[\"a\"]",
      "[\"a\",[\"x\",null,\"x\"]]",
      "[\"a\",[],[\"p\",\"f32\",\"q\",null]]",
      "[\"a\",[],[],{\"k\":1}]",
      "[\"a\",[],[],{},[[[]],[[\"u\",\"i32\"],[\"b\",[\"u\"]]]]]",
      "{\"unread\":\"a\",\"operands\":[\"x\"],\"results\":[\"p\",\"f32\"]}"};
  for (size_t i = 0; i < sizeof OPS / sizeof *OPS; i++) {
    char text[512], want[512];
    snprintf(text, sizeof text, MAIN("%s,[\"func.return\"]"), OPS[i]);
    snprintf(want, sizeof want, WRITTEN("%s,[\"func.return\"]"), OPS[i]);
    expect_encoded(text, want);
  }
}

// Each as it is read and as it is written; NULL: the same.
Test(json_encode, attributes) {
  static const char *const CASES[][2] = {
      {"null", NULL},
      {"true", NULL},
      {"-9223372036854775808", NULL},
      {"0.1", NULL},
      {"1.0", NULL},
      {"1e300", "1e+300"},
      {"-0.0", NULL},
      {"0.30000000000000004", NULL},
      {"{\"float\":\"nan\"}", NULL},
      {"{\"float\":\"-inf\"}", NULL},
      {"\"a\\\"b\\n\"", NULL},
      {"[1,-2]", NULL},
      {"[1,\"a\",[]]", NULL},
      {"{\"type\":\"tensor<4xi1>\"}", NULL},
      {"{\"symbol\":\"f\"}", NULL},
      {"{\"enum\":\"EQ\"}", NULL},
      {"{\"opaque\":\"#a.b<c>\"}", NULL},
      {"{\"a\":1,\"b\":[]}", NULL},
      {"{\"dict\":{\"int\":1}}", NULL},
      {"{\"dict\":{\"#a\":1}}", NULL},
      {"{\"int\":1,\"a\":2,\"b\":3}", NULL},
      {"{\"#stablehlo.dot\":{\"a\":[0]}}", NULL},
      {"{\"dense\":[1,2],\"type\":\"tensor<2xi64>\"}", NULL},
      {"{\"dense\":7,\"type\":\"tensor<1000xi8>\"}", NULL},
      {"{\"dense\":[true,false],\"type\":\"tensor<2xi1>\"}",
       "{\"dense\":[1,0],\"type\":\"tensor<2xi1>\"}"},
      {"{\"dense\":[\"18446744073709551615\"],\"type\":\"tensor<1xui64>\"}",
       "{\"dense\":[18446744073709551615],\"type\":\"tensor<1xui64>\"}"},
      {"{\"dense\":[0.5,\"inf\"],\"type\":\"tensor<2xf32>\"}", NULL},
      {"{\"dense\":[],\"type\":\"tensor<0xf32>\"}", NULL},
      {"{\"dense\":null,\"type\":\"tensor<4xf32>\"}", NULL}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    char text[512], want[512];
    snprintf(text, sizeof text, MAIN("[\"a\",[],[],{\"k\":%s}]"), CASES[i][0]);
    snprintf(want, sizeof want, WRITTEN("[\"a\",[],[],{\"k\":%s}]"),
             CASES[i][1] ? CASES[i][1] : CASES[i][0]);
    expect_encoded(text, want);
  }
}

Test(json_encode, types) {
  static const char *const CASES[][2] = {
      {"null", NULL},
      {"\"f32\"", NULL},
      {"\"tensor<*xf32>\"", NULL},
      {"\"tensor<0x?xcomplex<f64>>\"", NULL},
      {"\"tuple<tensor<f32>, index>\"", NULL},
      {"\"!my.type<a>\"", NULL},
      {"{\"dtype\":\"f32\",\"dims\":[4,null]}", "\"tensor<4x?xf32>\""},
      {"{\"dtype\":\"f32\",\"dims\":null}", "\"tensor<*xf32>\""},
      {"{\"dtype\":\"f32\",\"dims\":[\"x\",4,\"x\"]}", NULL},
      {"{\"sequence\":\"tensor<4xf32>\"}", NULL},
      {"{\"optional\":{\"sequence\":{\"dtype\":\"f32\",\"dims\":[\"x\"]}}}", NULL},
      {"{\"map\":[\"i64\",\"tensor<f32>\"]}", NULL},
      {"{\"tuple\":[{\"dtype\":\"f32\",\"dims\":[\"x\"]},\"i1\"]}", NULL}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    char text[512], want[512];
    static const char HEAD[] = "{\"symbols\":[{\"name\":\"x\"}],\n";
    snprintf(text, sizeof text, "%s%s", HEAD, MAIN("[\"a\",[],[\"p\",@]]") + 1);
    snprintf(want, sizeof want, "%s%s", HEAD, WRITTEN("[\"a\",[],[\"p\",@]]") + 1);
    const char *as = CASES[i][1] ? CASES[i][1] : CASES[i][0];
    char full[1024], full_want[1024];
    char *at = strchr(text, '@'), *end = strchr(want, '@');
    snprintf(full, sizeof full, "%.*s%s%s", (int)(at - text), text, CASES[i][0], at + 1);
    snprintf(full_want, sizeof full_want, "%.*s%s%s", (int)(end - want), want, as, end + 1);
    expect_encoded(full, full_want);
  }
}

// What says nothing is left out: a range from 0, a divisor of 1.
Test(json_encode, symbols_and_constraints) {
  static const char *const CASES[][2] = {
      {"{\"name\":\"B\",\"min\":0,\"divisible_by\":1}", "{\"name\":\"B\"}"},
      {"{\"name\":\"B\",\"min\":1,\"max\":9223372036854775806,\"divisible_by\":8}", NULL},
      {"{\"name\":\"B\",\"min\":null}", NULL},
      {"{\"name\":\"B\",\"value\":true}", NULL},
      {"{\"name\":\"B\",\"value\":true,\"min\":0}", NULL},
      {"{\"name\":\"B\",\"ranges\":[[0,2],[5,null]]}", NULL},
      {"{\"name\":\"B\",\"likely\":[1,128]}", NULL},
      {"{\"name\":\"a \\\"b\\\"\"}", NULL}};
  char text[512], want[512];
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    snprintf(text, sizeof text, "{\"symbols\":[%s],\n\"functions\":[]}\n", CASES[i][0]);
    snprintf(want, sizeof want, "{\"symbols\":[%s],\n\"functions\":[]}\n",
             CASES[i][1] ? CASES[i][1] : CASES[i][0]);
    expect_encoded(text, want);
  }
  static const char BOTH[] = "{\"symbols\":[{\"name\":\"B\"}],\n\"constraints\":[\"B % 8 == 0\","
                             "{\"expr\":\"B <= 512\",\"required\":true}],\n\"functions\":[]}\n";
  expect_encoded(BOTH, BOTH);
}

// A declaration has arguments without names: they get some.
Test(json_encode, functions) {
  static const char *const CASES[] = {
      "{\"functions\":[{\"name\":\"f\",\"private\":true,\"arguments\":[{\"name\":\"arg0\",\"type\":"
      "\"tensor<4xf32>\",\"attributes\":{\"a\":1}}],\"results\":[{\"type\":\"i1\",\"attributes\":{"
      "\"b\":2}},\"i32\"],\"attributes\":{\"c\":null}}]}\n",
      "{\"functions\":[{\"name\":null,\"arguments\":[],\"ops\":[[\"a\"]]},\n"
      "{\"module\":1,\"name\":\"g\",\"arguments\":[],\"results\":[],\"ops\":[]}]}\n",
      "{\"opset\":17,\n\"functions\":[]}\n"};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) expect_encoded(CASES[i], CASES[i]);
}

// Of MLIR: results of one operation share a name, values without one are distinguished by their numbers, and a block comes after the
// one that dominates it.
Test(json_encode, a_program_of_mlir) {
  static const char TEXT[] =
      "func.func @main(%c: i1) {\n  %p:2 = \"my.two\"() : () -> (i1, i1)\n  cf.br ^d\n"
      "^u:\n  \"my.use\"(%q, %p#1) : (i1, i1) -> ()\n  return\n"
      "^d:\n  %q = \"my.one\"() : () -> i1\n  cf.br ^u\n}\n";
  json_graph g;
  arena_init(&g.arena, 0);
  budget_init(&g.budget, &g.arena, UINT64_MAX, NULL);
  graph_init(&g.graph, &g.arena, GRAPH_MLIR, TEXT, sizeof TEXT - 1);
  g.graph.budget = &g.budget;
  cr_assert_eq(mlir_read(&g.graph), SHAPE_OK);
  cr_assert_eq(g.graph.diags.errors, 0);
  cr_expect_str_eq(
      json_graph_text(&g, graph_json_encode),
      "{\"functions\":[{\"name\":\"main\",\"arguments\":[{\"name\":\"c\",\"type\":\"i1\"}],"
      "\"results\":[],\"blocks\":[[[\"c\",\"i1\"],[\"my.two\",[],[\"p#0\",\"i1\",\"p#1\",\"i1\"]],"
      "[\"cf.br\",[],[],{},[],[[1,0,0]]]],"
      "[[],[\"my.one\",[],[\"q\",\"i1\"]],[\"cf.br\",[],[],{},[],[[2,0,0]]]],"
      "[[],[\"my.use\",[\"q\",\"p#1\"]],[\"func.return\"]]]}]}\n");
  arena_destroy(&g.arena);
}
