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

// More kinds of operations than there are patterns, some in an order that repeats, several of one name: what is made of them
// is what is made of them where each is read.
Test(json_decode_pattern, mixed_operations_are_as_read) {
  enum { MIXED = 700, KINDS = 90, LONGEST_OP = 120 };
  static const char *const TYPES[] = {"f32", "i8", "i32", "tensor<?xf32>", "tensor<4xi8>"};
  static char texts[2][MIXED * LONGEST_OP];
  json_graph graphs[2];
  for (int spaced = 0; spaced < 2; spaced++) {
    uint32_t random = 7;
    char *at = texts[spaced];
    at += sprintf(at,
                  "{\"functions\":[{\"name\":\"main\",\"arguments\":[[\"v0\",\"f32\"]],\"ops\":[");
    for (int i = 0; i < MIXED; i++) {
      random = random * 1664525 + 1013904223;
      // Two blocks that alternate, then blocks with changes, then no order.
      unsigned kind = i < 200 ? (unsigned)(i % 20 + i / 40 % 2 * 20) : random >> 16;
      if (i >= 200 && i < 450) kind = random >> 29 ? (unsigned)(i % 50) : kind;
      kind %= KINDS;
      at += sprintf(at, "%s[%*s\"op%u\",[\"v%d\"],[\"v%d\",\"%s\"]", i ? "," : "", spaced, "",
                    kind % 7, i * (kind % 3 > 0), i + 1, TYPES[kind % 5]);
      if (kind % 4) at += sprintf(at, ",{\"a\":%u}", kind % 4);
      at += sprintf(at, "]");
    }
    strcpy(at, "]}]}");
    json_graph_read(&graphs[spaced], texts[spaced]);
    cr_assert_eq(graphs[spaced].graph.diags.errors, 0);
    cr_assert_eq(graphs[spaced].graph.op_count, MIXED);
  }
  cr_expect_str_eq(json_graph_text(&graphs[0], graph_dump),
                   json_graph_text(&graphs[1], graph_dump));
  cr_expect_eq(graphs[0].budget.steps_used, graphs[1].budget.steps_used);
  for (int i = 0; i < 2; i++) arena_destroy(&graphs[i].arena);
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
