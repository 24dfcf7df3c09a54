// SPDX-License-Identifier: Apache-2.0
// Walking over JSON: each error has the path of the value that it is about.
#include <stdio.h>

#include "tests/unit/formats/json/rows.h"

Test(json_walk, an_error_says_where_it_is) {
  static const json_row ROWS[] = {
      {"3", "expected an object, found a number"},
      {"{\"functions\":3}", "functions: expected an array, found a number"},
      {"{\"functions\":[3]}", "functions[0]: expected an object, found a number"},
      {"{\"functions\":[{\"name\":3}]}", "functions[0].name: expected a string, found a number"},
      {MAIN("[\"a\",[],[],{\"k\":{\"symbol\":[]}}]"),
       "functions[0].ops[0][3].k.symbol: expected a string, found an array"},
      {"{\"symbols\":[{\"name\":\"B\"},{\"name\":\"C\",\"value\":\"yes\"}]}",
       "symbols[1].value: expected a boolean, found a string"},
  };
  EXPECT_JSON(ROWS);
}

// A number or a text, exact, of 64 bits.
Test(json_walk, integers) {
  static const struct {
    const char *text;
    int64_t value;
    const char *error;
  } cases[] = {{"0", 0, NULL},
               {"9223372036854775807", INT64_MAX, NULL},
               {"\"7\"", 7, NULL},
               {"9223372036854775808", 0, "the integer does not fit in 64 bits"},
               {"\"9223372036854775808\"", 0, "the integer does not fit in 64 bits"},
               {"1.5", 0, "expected an integer, found a number"},
               {"\"x\"", 0, "expected an integer, found a string"},
               {"true", 0, "expected an integer, found a boolean"},
               {"[1]", 0, "expected an integer, found an array"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[128];
    json_graph g;
    snprintf(text, sizeof text, "{\"functions\":[],\"symbols\":[{\"name\":\"B\",\"max\":%s}]}",
             cases[i].text);
    json_graph_read(&g, text);
    if (cases[i].error) {
      cr_assert_gt(g.graph.diags.count, 0, "%s", cases[i].text);
      cr_expect(strstr(g.graph.diags.items[0].message, cases[i].error), "%s: %s", cases[i].text,
                g.graph.diags.items[0].message);
    } else {
      cr_assert_eq(g.graph.diags.count, 0, "%s", cases[i].text);
      cr_expect_eq(g.graph.declared.symbols[0].max, cases[i].value);
    }
    arena_destroy(&g.arena);
  }
}

// What is wrong is passed over, and what follows it is read.
Test(json_walk, reading_goes_on_after_a_wrong_value) {
  json_graph g;
  json_graph_read(&g, "{\"functions\":[],\"symbols\":[{\"name\":3},{\"name\":\"C\",\"max\":{\"a\":["
                      "1]},\"min\":2}]}");
  cr_expect_eq(g.graph.diags.count, 3);  // of the name, that there is none, and of the maximum
  name_id c = intern_find(&g.graph.names, "C", 1);
  cr_assert_neq(c, NAME_NONE);
  uint32_t row = graph_find_symbol(&g.graph, c);
  cr_assert_neq(row, ID_NONE);
  cr_expect_eq(g.graph.declared.symbols[row].min, 2);
  arena_destroy(&g.arena);
}

// An object or an array in another, one more than is read; nothing is said of what is left then.
Test(json_walk, depth_is_bounded) {
  static char text[4096];
  for (int more = 0; more < 2; more++) {
    // The object, "functions", the function, "ops", the operation and its attributes are around.
    int depth = GRAPH_JSON_DEPTH - 6 + more;
    json_graph g;
    size_t n = (size_t)snprintf(text, sizeof text, "%s",
                                "{\"functions\":[{\"name\":\"main\",\"arguments\":[],\"ops\":["
                                "[\"a\",[],[],{\"k\":");
    memset(text + n, '[', (size_t)depth);
    memset(text + n + depth, ']', (size_t)depth);
    snprintf(text + n + 2 * depth, sizeof text - n - 2 * (size_t)depth, "}]]}]}");
    json_graph_read(&g, text);
    cr_expect_eq(g.graph.diags.count, (uint32_t)more, "%s",
                 g.graph.diags.count ? g.graph.diags.items[0].message : "");
    if (more) cr_expect_str_eq(g.graph.diags.items[0].message, "nested more than 200 levels deep");
    arena_destroy(&g.arena);
  }
}

typedef struct stopped {
  json_graph g;
  const char *text;
} stopped;

static void read_stopped(void *data) {
  stopped *s = data;
  budget_init(&s->g.budget, &s->g.arena, 3000, NULL);
  graph_init(&s->g.graph, &s->g.arena, GRAPH_JSON, s->text, strlen(s->text));
  graph_json_decode(&s->g.graph, &s->g.budget);
}

// Each item is a step: a long list ends for want of them.
Test(json_walk, steps_are_taken) {
  enum { ITEMS = 10000 };
  static char text[2 * ITEMS + 256];
  stopped s = {.text = text};
  size_t n = (size_t)snprintf(text, sizeof text, "{\"functions\":[],\"x\":{},\"symbols\":[");
  for (int i = 0; i < ITEMS; i++)
    n += (size_t)snprintf(text + n, sizeof text - n, "%s3", i ? "," : "");
  snprintf(text + n, sizeof text - n, "]}");
  arena_init(&s.g.arena, 0);
  cr_expect_neq(arena_protect(&s.g.arena, read_stopped, &s), SHAPE_OK);
  arena_destroy(&s.g.arena);
}
