// SPDX-License-Identifier: Apache-2.0
// What is written as an operation before is read as if it were new: with a space in it it is none, and says the same.
#include <stdio.h>

#include "tests/unit/formats/json/rows.h"

enum { ROOM = 4096, OPS = 6 };

// `first`, with an operand and a result that are new each time: ^ is the number of the one before, $ its own. spaced: each
// has a space more than the one before.
static void write_ops(char *out, const char *op, bool spaced) {
  char *at = out;
  at +=
      sprintf(at, "{\"functions\":[{\"name\":\"main\",\"arguments\":[[\"v0\",\"tensor<?x?xf32>\"],"
                  "[\"y\",\"tensor<?x?xf32>\"]],\"ops\":[");
  for (int i = 0; i < OPS; i++) {
    at += sprintf(at, "%s[", i ? "," : "");
    for (int k = 0; spaced && k < i; k++) *at++ = ' ';
    for (const char *c = op; *c; c++) {
      if (*c != '^' && *c != '$')
        *at++ = *c;
      else
        at += sprintf(at, "%d", i + (*c == '$'));
    }
  }
  strcpy(at, "]}]}");
}

// Of the last operation, the text that its spans mark.
static void expect_spans(const json_graph *g, const char *name) {
  const graph_op *op = &g->graph.ops[OPS - 1];
  const char *text = g->graph.source.text;
  cr_assert_eq(g->graph.op_count, OPS);
  cr_expect_eq(text[op->span.begin], '[');
  cr_expect_str_eq(text + op->span.end, "]}]}");
  cr_expect_eq(op->name_span.end - op->name_span.begin, strlen(name));
  cr_expect_eq(memcmp(text + op->name_span.begin, name, strlen(name)), 0);
}

static void expect_same(const char *op, const char *name) {
  char patterned[ROOM], read[ROOM];
  json_graph a, b;
  write_ops(patterned, op, false);
  write_ops(read, op, true);
  json_graph_read(&a, patterned);
  json_graph_read(&b, read);
  cr_assert_eq(a.graph.diags.errors, b.graph.diags.errors, "%s", op);
  for (uint32_t i = 0; i < a.graph.diags.count; i++)
    cr_expect_str_eq(a.graph.diags.items[i].message, b.graph.diags.items[i].message, "%s", op);
  if (!a.graph.diags.errors)
    cr_expect_str_eq(json_graph_text(&a, graph_dump), json_graph_text(&b, graph_dump), "%s", op);
  cr_expect_eq(a.budget.steps_used, b.budget.steps_used, "%s", op);
  expect_spans(&a, name);
  expect_spans(&b, name);
  if (!a.graph.diags.errors) cr_expect_null(graph_verify(&a.graph));
  arena_destroy(&a.arena);
  arena_destroy(&b.arena);
}

Test(json_decode_pattern, what_repeats_is_as_read) {
  static const char *const PARTS[] = {
      "[\"v^\"],[\"v$\",\"tensor<?x?xf32>\"]]",
      "[\"v^\",\"y\",\"v0\"],[\"v$\",\"tensor<?x?xf32>\"]]", "[],[\"v$\",\"tensor<?x?xf32>\"]]",
      "[\"v^\", \"y\"] , [\"v$\", \"tensor<?x?xf32>\"], {\"a\": [1, {\"b\": \"c]\"}]} ]",
      "[\"v^\"],[\"v$\",\"tensor<?x?xf32>\"],{}]",
      "[\"v^\"],[\"v$\",\"tensor<?x?xf32>\"],{\"p\":{\"dense\":[1,0],\"type\":\"tensor<2xi64>\"}}]",
      // None that is compared: more results, other forms of them, operands beyond those of a pattern, other parts.
      "[\"v^\"],[\"v$\",\"tensor<?x?xf32>\",\"w$\",\"f32\"]]",
      "[\"v^\"],[[\"v$\",\"tensor<?x?xf32>\"]]]",
      "[\"v^\"],[{\"name\":\"v$\",\"type\":\"tensor<?x?xf32>\"}]]",
      "[\"y\",\"y\",\"y\",\"y\",\"v^\"],[\"v$\",\"tensor<?x?xf32>\"]]",
      "[\"v^\"],[\"v$\",\"tensor<?x?xf32>\"],{},[]]", "[\"v^\"],[\"v$\",\"tensor<?x?xf32>\"],null]",
      "[\"v^\"],[\"n_$_n\",\"tensor<?x?xf32>\"]]",
      "[\"\\u0076^\"],[\"\\u0076$\",\"tensor<?x?xf32>\"]]",
      "[\"v^\",null],[\"v$\",\"tensor<?x?xf32>\"]]", "[\"v^\"],[\"v$\",\"no type\"]]",
      "[\"v$\"],[\"v$\",\"tensor<?x?xf32>\"]]",  // its own result
      "[\"v0\"],[\"y\",\"tensor<?x?xf32>\"]]",   // defined already
  };
  char op[ROOM];
  for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
    snprintf(op, sizeof op, "\"stablehlo.abs\",%s", PARTS[i]);
    expect_same(op, "\"stablehlo.abs\"");
    snprintf(op, sizeof op, "\"stabl\\u0065hlo.abs\",%s", PARTS[i]);
    expect_same(op, "\"stabl\\u0065hlo.abs\"");
  }
}

// Where a name, an attribute or a type differs, or the text ends, nothing is taken from what was before.
Test(json_decode_pattern, reads_or_says_what_is_wrong) {
  static const json_row ROWS[] = {
      {MAIN("[\"a\",[\"x\"],[\"p\",\"f32\"]],[\"a\",[\"q\"],[\"r\",\"f32\"]]"),
       "functions[0].ops[1][1][0]: value \"q\" is not defined here (a value is defined before it "
       "is "
       "used)"},
      {MAIN("[\"a\",[\"x\"],[\"p\",\"f32\"]],[\"a\",[\"x\"],[\"p\",\"f32\"]]"),
       "functions[0].ops[1][2]: value \"p\" is defined already"},
      {MAIN("[\"a\",[\"x\"],[\"p\",\"f32\"]],[\"a\",[\"x\"],[\"q\",\"i8\"]]"), NULL},
      {MAIN("[\"a\",[\"x\"],[\"p\",\"f32\"]],[\"ab\",[\"x\"],[\"q\",\"f32\"]]"), NULL},
      {MAIN("[\"a\",[\"x\"],[\"p\",\"f32\"],{\"v\":1}],[\"a\",[\"x\"],[\"q\",\"f32\"],{\"v\":2}],"
            "[\"a\",[\"x\"],[\"r\",\"f32\"],{\"v\":2}],[\"a\",[\"x\"],[\"s\",\"f32\"]]"),
       NULL},
      {MAIN("[\"a\",[\"x\"],[\"p\",\"f32\"]],[\"a\",[\"x\"],[\"q\",\"f32\"],{\"v\":1}]"), NULL},
  };
  EXPECT_JSON(ROWS);
}
