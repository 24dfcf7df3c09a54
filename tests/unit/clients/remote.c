// SPDX-License-Identifier: Apache-2.0
// The typed client without a daemon: what is written of programs and edits, and replies read as structs, also where they
// are cut at any byte.
#include "clients/c/remote.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void expect_json(const params_writer *w, const char *wanted) {
  shape_json got = params_of(w);
  cr_assert_eq(w->status, SHAPE_CLIENT_OK);
  cr_assert(shape_json_is(got, wanted), "%.*s", (int)got.length, got.text);
}

Test(client_remote, writes_graphs) {
  static const int64_t ints[] = {1, -2};
  const shape_remote_attribute items[] = {
      {.name = "lhs_contracting_dimensions", .kind = SHAPE_REMOTE_INTS, .ints = ints, .count = 1},
      {.name = "direction", .kind = SHAPE_REMOTE_ENUM, .text = "LT"}};
  const shape_remote_attribute attributes[] = {
      {.name = "d", .kind = SHAPE_REMOTE_DENSE, .ints = ints, .count = 2, .text = "tensor<2xi64>"},
      {.name = "m",
       .kind = SHAPE_REMOTE_DICT,
       .text = "stablehlo.dot",
       .items = items,
       .item_count = 2},
      {.name = "i", .kind = SHAPE_REMOTE_INT, .ints = ints, .count = 1, .text = "i32"},
      {.name = "f", .kind = SHAPE_REMOTE_FLOAT, .number = 0.5},
      {.name = "u", .kind = SHAPE_REMOTE_UNIT}};
  const shape_remote_op inner = {.name = "g.op"};
  const shape_remote_block block = {
      .ops = &inner, .op_count = 1, .returns = (const char *[]){"x"}, .return_count = 1};
  const shape_remote_value x = {"x", "tensor<?xf32>"}, y = {"y\"", NULL};
  shape_remote_graph *g = shape_remote_graph_new();
  params_writer w = {0};
  shape_remote_graph_symbol(
      g, &(shape_remote_symbol){.name = "B", .min = 1, .max = INT64_MAX, .divisible_by = 8});
  shape_remote_graph_constraint(g, "B <= 64");
  shape_remote_graph_function(g, "main", &x, 1);
  shape_remote_graph_op(g, &(shape_remote_op){.name = "a.op",
                                              .operands = (const char *[]){"x", NULL},
                                              .operand_count = 2,
                                              .results = &y,
                                              .result_count = 1,
                                              .attributes = attributes,
                                              .attribute_count = 5,
                                              .regions = &block,
                                              .region_count = 1});
  shape_remote_graph_return(g, NULL, 0);
  shape_remote_graph_function(g, "declared", NULL, 0);
  remote_write_graph(&w, g);
  expect_json(
      &w,
      "{\"functions\": [{\"name\": \"main\", \"arguments\": [[\"x\", \"tensor<?xf32>\"]], \"ops\": "
      "[{\"name\": \"a.op\", \"operands\": [\"x\", null], \"results\": [[\"y\\\"\", null]], "
      "\"attributes\": {\"d\": {\"dense\": [1, -2], \"type\": \"tensor<2xi64>\"}, "
      "\"m\": {\"#stablehlo.dot\": {\"lhs_contracting_dimensions\": [1], \"direction\": {\"enum\": "
      "\"LT\"}}}, "
      "\"i\": {\"int\": 1, \"type\": \"i32\"}, \"f\": 0.5, \"u\": null}, "
      "\"regions\": [{\"arguments\": [], \"ops\": [{\"name\": \"g.op\", \"operands\": [], "
      "\"results\": []}], "
      "\"returns\": [\"x\"]}]}], \"returns\": []}, "
      "{\"name\": \"declared\", \"arguments\": [], \"ops\": []}], "
      "\"symbols\": [{\"name\": \"B\", \"min\": 1, \"divisible_by\": 8}], \"constraints\": [\"B <= "
      "64\"]}");
  params_free(&w);
  shape_remote_graph_free(g);
}

Test(client_remote, refuses_what_is_no_graph) {
  shape_remote_graph *g = shape_remote_graph_new();
  params_writer w = {0};
  shape_remote_graph_op(g, &(shape_remote_op){.name = "a.op"});
  remote_write_graph(&w, g);
  cr_assert_eq(w.status, SHAPE_CLIENT_INVALID);
  params_free(&w);
  shape_remote_graph_free(g);
}

Test(client_remote, writes_edits) {
  const shape_remote_target x = {.address = "%x"}, seven = {.id = 7};
  shape_remote_edits *e = shape_remote_edits_new();
  shape_remote_insert(e, &(shape_remote_op){.name = "a.op"}, SHAPE_REMOTE_BEFORE, seven);
  shape_remote_remove(e, x);
  shape_remote_rewire(e, x, seven);
  shape_remote_insert_argument(e, &(shape_remote_value){"p", "i1"}, SHAPE_REMOTE_LAST, x);
  shape_remote_retract(e, "B <= 64");
  expect_json(
      &e->items,
      "{\"insert\": {\"name\": \"a.op\", \"operands\": [], \"results\": []}, \"before\": 7}, "
      "{\"remove\": \"%x\"}, {\"rewire\": \"%x\", \"with\": 7}, "
      "{\"insert_argument\": \"i1\", \"name\": \"p\"}, {\"retract\": \"B <= 64\"}");
  shape_remote_insert(e, &(shape_remote_op){.name = "a.op"}, SHAPE_REMOTE_LAST, x);
  cr_assert_eq(e->items.status, SHAPE_CLIENT_INVALID);
  shape_remote_edits_free(e);
}

static const char ANSWERS[] =
    "{\"version\": 1, \"answers\": [{\"answer\": \"true\", \"because\": [{\"op\": 3, \"rule\": "
    "\"add\", "
    "\"message\": \"operands \\u00e4qual\"}, {\"message\": \"assumed\"}]}, {\"min\": "
    "\"9007199254740993\", "
    "\"max\": null}, {\"shape\": {\"type\": \"tensor<?x4xf32>\", \"dims\": [\"2*B\", 4, null]}}, "
    "{\"error\": {\"code\": \"invalid\", \"message\": \"no value\"}}]}";

Test(client_remote, reads_answers) {
  answer_pool pool = {0};
  shape_remote_answer a[5];
  cr_assert(remote_read_answers(&pool, (shape_json){ANSWERS, sizeof ANSWERS - 1}, 5, a));
  cr_assert_eq(a[0].truth, SHAPE_REMOTE_TRUE);
  cr_assert_eq(a[0].because_count, 2);
  cr_assert_eq(a[0].because[0].op, 3);
  cr_assert_str_eq(a[0].because[0].message, "operands \xc3\xa4qual");
  cr_assert_eq(a[0].because[1].op, -1);
  cr_assert_str_eq(a[1].min, "9007199254740993");
  cr_assert_null(a[1].max);
  cr_assert_eq(a[2].shape.rank, 3);
  cr_assert_str_eq(a[2].shape.dims[0], "2*B");
  cr_assert_str_eq(a[2].shape.dims[1], "4");
  cr_assert_null(a[2].shape.dims[2]);
  cr_assert_str_eq(a[3].error, "no value");
  cr_assert_eq(a[4].truth, SHAPE_REMOTE_UNKNOWN);
  remote_pool_free(&pool);
}

static const char CHANGES[] = "{\"session\": \"s\", \"version\": 2, \"visited\": 5, \"whole\": "
                              "false, \"inserted\": [null, {\"op\": null, "
                              "\"values\": [7, 8]}], \"values\": [{\"value\": 7, \"before\": null, "
                              "\"after\": {\"type\": \"i1\", \"dims\": "
                              "null}}], \"appeared\": [{\"severity\": \"error\", \"code\": "
                              "\"dims\", \"op\": 1, \"message\": \"m\"}], "
                              "\"vanished\": [], \"answer\": {\"guards\": [{\"kind\": \"eq\", "
                              "\"expr\": \"A == B\", \"because\": []}], "
                              "\"unchecked\": [{}], \"functions\": [{\"arguments\": "
                              "[\"tensor<?xf32>\"], \"argument_dims\": [[\"A\"]]}]}}";

Test(client_remote, reads_changes_and_guards) {
  answer_pool pool = {0};
  shape_remote_changes c;
  shape_remote_guards g;
  shape_json json = {CHANGES, sizeof CHANGES - 1};
  cr_assert(remote_read_changes(&pool, json, &c));
  cr_assert(c.version == 2 && c.visited == 5 && !c.whole);
  cr_assert(c.inserted_count == 2 && !c.inserted[0].is_there && c.inserted[1].op == -1);
  cr_assert(c.inserted[1].value_count == 2 && c.inserted[1].values[1] == 8);
  cr_assert(c.value_count == 1 && !c.values[0].before.type && !c.values[0].after.ranked);
  cr_assert(c.appeared_count == 1 && c.vanished_count == 0);
  cr_assert_str_eq(c.appeared[0].message, "m");
  cr_assert(remote_read_guards(&pool, json, &g));
  cr_assert(g.count == 1 && g.unchecked == 1 && g.argument_count == 1);
  cr_assert_str_eq(g.guards[0].message, "");
  cr_assert_str_eq(g.arguments[0].dims[0], "A");
  remote_pool_free(&pool);
}

// Under the sanitizers a read beyond the end is an error: each prefix is a block of its own.
Test(client_remote, reads_replies_that_are_cut) {
  static const shape_json whole[] = {{ANSWERS, sizeof ANSWERS - 1}, {CHANGES, sizeof CHANGES - 1}};
  for (size_t i = 0; i < 2; i++) {
    for (size_t length = 0; length < whole[i].length; length++) {
      char *bytes = malloc(length + 1);
      memcpy(bytes, whole[i].text, length);
      answer_pool pool = {0};
      shape_remote_answer answers[4];
      shape_remote_changes changes;
      shape_remote_guards guards;
      shape_json cut = {bytes, length};
      remote_read_answers(&pool, cut, 4, answers);
      remote_read_changes(&pool, cut, &changes);
      remote_read_guards(&pool, cut, &guards);
      cr_assert_leq(changes.inserted_count, 2);
      remote_pool_free(&pool);
      free(bytes);
    }
  }
}
