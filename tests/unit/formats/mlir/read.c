// SPDX-License-Identifier: Apache-2.0
// What is a text, what is said of other bytes, and types and attributes on their own.
#include "solver/formats/mlir/parser.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/formats/mlir/rows.h"

// UTF-8 as of Unicode 15, table 3-7, at each offset from a word of eight bytes.
Test(mlir_read, a_text_is_well_formed_utf_8_without_a_0) {
  static const struct {
    const char *bytes;
    size_t length;
    bool text;
  } cases[] = {{"", 0, true},
               {"a\t\n\x01\x7f", 5, true},
               {"\0", 1, false},
               {"\xc2\x80", 2, true},
               {"\xc1\xbf", 2, false},
               {"\xc2", 1, false},
               {"\x80", 1, false},
               {"\xe0\xa0\x80", 3, true},
               {"\xe0\x9f\xbf", 3, false},
               {"\xed\x9f\xbf", 3, true},
               {"\xed\xa0\x80", 3, false},
               {"\xf0\x90\x80\x80", 4, true},
               {"\xf0\x8f\xbf\xbf", 4, false},
               {"\xf4\x8f\xbf\xbf", 4, true},
               {"\xf4\x90\x80\x80", 4, false},
               {"\xf5\x80\x80\x80", 4, false},
               {"\xe2\x82", 2, false},
               {"\xff", 1, false}};
  char text[80];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (size_t before = 0; before <= 40; before += 1) {
      memset(text, 'x', sizeof text);
      memcpy(text + before, cases[i].bytes, cases[i].length);
      cr_assert_eq(mlir_is_text(text, before + cases[i].length), cases[i].text, "%zu after %zu", i,
                   before);
      if (cases[i].text) cr_assert(mlir_is_text(text, sizeof text), "%zu after %zu", i, before);
    }
  }
}

static void expect_refused(const char *bytes, size_t length, uint32_t offset, const char *part) {
  reading r;
  reading_init(&r, bytes, length, 0);
  cr_assert_eq(r.graph.diags.count, 1);
  const diag *d = r.graph.diags.items;
  cr_expect_eq(d->span.begin, offset);
  cr_expect(strstr(d->message, part), "%s", d->message);
  reading_destroy(&r);
}

Test(mlir_read, bytes_that_are_no_program) {
  expect_refused("", 0, 0, "expected a module or a function, the file is empty");
  expect_refused(" // a\n", 6, 0, "found only spaces and comments");
  expect_refused("ML\xefR\x0dMLIR", 9, 0, "this is MLIR bytecode, not MLIR text");
  expect_refused("ML\xefR\x0dStableHLO_v1.0.0", 21, 0, "StableHLO portable artifact");
  expect_refused("func\0", 5, 4, "byte 0x00 at offset 4 is never part of a text");
  expect_refused("func\xff", 5, 4, "byte 0xff at offset 4 is no UTF-8");
}

typedef struct parsed {
  shape_arena arena;
  shape_graph graph;
} parsed;

static void open(parsed *p) {
  arena_init(&p->arena, 0);
  graph_init(&p->graph, &p->arena, GRAPH_MLIR, "", 0);
}

Test(mlir_read, one_type_and_nothing_after_it) {
  static const struct {
    const char *text, *error;
    size_t at;
  } cases[] = {{"f32", NULL, 0},
               {"tensor<?x4xf32>", NULL, 0},
               {" tensor<0xi1> ", NULL, 0},
               {"!my.type<a, b>", NULL, 0},
               {"", "expected a type", 0},
               {"tensor<4xf32", "expected", 12},
               {"tensor<4xf32> x", "expected the end of the type", 14},
               {"f32, f32", "expected the end of the type", 3},
               {"tensor<9223372036854775808xf32>", "", 7}};
  parsed p;
  open(&p);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    type_id type;
    const char *error = NULL;
    size_t at = 0;
    bool ok = mlir_parse_type(&p.graph, cases[i].text, strlen(cases[i].text), &type, &error, &at);
    cr_expect_eq(ok, !cases[i].error, "%s", cases[i].text);
    if (ok) continue;
    cr_expect(error && strstr(error, cases[i].error), "%s: %s", cases[i].text, error);
    cr_expect_eq(at, cases[i].at, "%s: %zu", cases[i].text, at);
  }
  type_id type;
  const char *error;
  size_t at;
  cr_expect_not(mlir_parse_type(&p.graph, "f32\0", 4, &type, &error, &at));
  cr_expect_eq(p.graph.diags.count, 0);  // what is wrong is not said of the program
  arena_destroy(&p.arena);
}

Test(mlir_read, lists_of_types) {
  static const struct {
    const char *text;
    int count;  // -1: an error
  } cases[] = {{"", 0},      {" \t\n", 0}, {"f32", 1},    {"f32,tensor<2xi8> , i1", 3},
               {"f32,", -1}, {",f32", -1}, {"f32 i1", -1}};
  parsed p;
  open(&p);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const type_id *types;
    uint32_t count;
    const char *error;
    size_t at;
    bool ok = mlir_parse_type_list(&p.graph, cases[i].text, strlen(cases[i].text), &types, &count,
                                   &error, &at);
    cr_expect_eq(ok, cases[i].count >= 0, "%s", cases[i].text);
    if (ok) cr_expect_eq((int)count, cases[i].count, "%s", cases[i].text);
    if (ok && count) cr_expect_eq(types[0], type_scalar(&p.graph.types, DTYPE_F32));
  }
  arena_destroy(&p.arena);
}

// What is not understood is kept as it is spelled.
Test(mlir_read, attributes_alone) {
  static const struct {
    const char *text;
    attr_kind kind;
    const char *kept;
  } cases[] = {{"3 : i32", ATTR_INT, NULL},
               {"\"a\"", ATTR_STRING, NULL},
               {"[1, 2]", ATTR_ARRAY, NULL},
               {"dense<1> : tensor<4xi8>", ATTR_DENSE, NULL},
               {"tensor<4xi8>", ATTR_TYPE, NULL},
               {"3 : i32 x", ATTR_OPAQUE, "3 : i32 x"},
               {"#my.attr<[>", ATTR_OPAQUE, "#my.attr<[>"},
               {"", ATTR_OPAQUE, ""}};
  parsed p;
  open(&p);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const graph_attr *a =
        graph_attr_get(&p.graph, mlir_parse_attr(&p.graph, cases[i].text, strlen(cases[i].text)));
    cr_assert_not_null(a, "%s", cases[i].text);
    cr_expect_eq(a->kind, cases[i].kind, "%s: %d", cases[i].text, a->kind);
    cr_expect(span_is_none(a->span));
    if (cases[i].kept) cr_expect_str_eq(intern_text(&p.graph.names, a->text), cases[i].kept);
  }
  arena_destroy(&p.arena);
}
