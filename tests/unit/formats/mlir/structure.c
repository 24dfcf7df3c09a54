// SPDX-License-Identifier: Apache-2.0
// Modules, functions, regions, aliases, locations, spans; names and where they are seen.
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/formats/mlir/reading.h"

#define BODY "{\n  return\n}\n"

Test(mlir_structure, modules) {
  reading r;
  reading_of(&r,
             "func.func @a() " BODY "module @m attributes {x.y = 1 : i32} {\n  func.func @a() " BODY
             "  module {\n    func.func private @a()\n  }\n}\n// -----\nfunc.func @a() " BODY
             "// ----- again\nbuiltin.module {\n}\n");
  cr_assert_str_empty(reading_errors(&r), "%s", reading_errors(&r));
  cr_assert_eq(r.graph.func_count, 4u);
  for (uint32_t i = 0; i < 4; i++) cr_expect_eq(r.graph.funcs[i].module, i);
  for (uint32_t i = 0; i < 4; i++) cr_expect_eq(graph_find_func(&r.graph, i, "a", 1), i);
  cr_expect(r.graph.funcs[2].is_declaration && r.graph.funcs[2].is_private);
  cr_expect_eq(graph_find_func(&r.graph, 7, "a", 1), ID_NONE);
  reading_destroy(&r);
}

// Operations of a module that are no functions are in one function without a name.
Test(mlir_structure, module_operations) {
  reading r;
  reading_of(&r, "func.func @f() " BODY "%0 = \"x.y\"() : () -> i32\n\"x.z\"(%0) : (i32) -> ()\n"
                 "sdy.mesh @mesh = <[\"a\"=2]>\n");
  cr_assert_str_empty(reading_errors(&r), "%s", reading_errors(&r));
  cr_assert_eq(r.graph.func_count, 2u);
  const graph_func *func = &r.graph.funcs[1];
  cr_assert_eq(func->name, NAME_NONE);
  const graph_block *block = &r.graph.blocks[r.graph.regions[func->body].first_block];
  cr_expect_str_eq(graph_op_name(&r.graph, block->first), "x.y");
  cr_expect_str_eq(graph_op_name(&r.graph, block->last), "sdy.mesh");
  reading_destroy(&r);
}

Test(mlir_structure, functions_see_only_their_own) {
  expect_mlir_error(
      "%0 = \"x.y\"() : () -> i32\nfunc.func @f() {\n  \"x.z\"(%0) : (i32) -> ()\n  return\n}", 3,
      9, "use of undeclared value '%0'");
  expect_reads("%0 = \"x.y\"() : () -> i32\nfunc.func @f() {\n  %0 = \"x.z\"() : () -> f32\n"
               "  return\n}\n\"x.z\"(%0) : (i32) -> ()\n");
  expect_reads("func.func @f(%a: i32) " BODY "func.func @g(%a: f32) " BODY);
}

Test(mlir_structure, regions_see_what_is_around) {
  expect_reads("func.func @f(%a: i32) {\n  \"x.y\"() ({\n    %b = \"x.z\"(%a) : (i32) -> f32\n"
               "    \"x.y\"() ({ \"x.z\"(%a, %b) : (i32, f32) -> () }) : () -> ()\n  }, {\n"
               "    %b = \"x.z\"() : () -> i64\n    \"x.z\"(%b) : (i64) -> ()\n  }) : () -> ()\n"
               "  return\n}");
  expect_mlir_error(
      "\"x.y\"() ({\n  %b = \"x.z\"() : () -> f32\n}) : () -> ()\n\"x.z\"(%b) : (f32) -> ()", 4, 7,
      "use of undeclared value '%b'");
  expect_mlir_error(
      "\"x.y\"() ({\n  %5 = \"x.z\"() : () -> f32\n}) : () -> ()\n\"x.z\"(%5) : (f32) -> ()", 4, 7,
      "use of undeclared value '%5'");
}

Test(mlir_structure, names) {
  expect_mlir_error(
      "func.func @f() {\n  %0 = \"x.y\"(%1) : (i32) -> i32\n  %1 = \"x.y\"(%0) : (i32) -> "
      "i32\n  return\n}",
      2, 14, "use of undeclared value '%1'");
  expect_mlir_error("func.func @f(%a: i32) {\n  %a = \"x.y\"() : () -> i32\n  return\n}", 2, 3,
                    "redefinition of value '%a'");
  expect_mlir_error(
      "func.func @f(%a: i32) {\n  \"x.y\"() ({\n  %a = \"x.y\"() : () -> i32\n}) : () -> ()\n"
      "  return\n}",
      3, 3, "redefinition of value '%a'");
  expect_mlir_error("func.func @f(%a: i32, %a: i32) " BODY, 1, 23, "redefinition of value '%a'");
  expect_mlir_error("func.func @f() " BODY "func.func @f() " BODY, 4, 11,
                    "redefinition of function '@f'");
  expect_mlir_error("%0:2 = \"x.y\"() : () -> (i32, i32)\n\"x.z\"(%0#2) : (i32) -> ()", 2, 7,
                    "no result number 2");
  expect_mlir_error("%0:2 = \"x.y\"() : () -> i32", 1, 1, "defines 1 results but was provided 2");
  expect_mlir_error("%0:0 = \"x.y\"() : () -> i32", 1, 4, "expected a number of results");
  expect_mlir_error("#a = 1 : i32\n#a = 2 : i32", 2, 1, "redefinition of attribute alias");
  expect_mlir_error("!a = i32\n!a = i64", 2, 1, "redefinition of type alias");
  expect_reads("%x-1, %y.z:2, %007 = \"x.y\"() : () -> (i32, i32, i32, f32)\n"
               "\"x.z\"(%x-1, %y.z#0, %y.z#1, %007) : (i32, i32, i32, f32) -> ()");
  expect_mlir_error("%7 = \"x.y\"() : () -> i32\n\"x.z\"(%07) : (i32) -> ()", 2, 7, "undeclared");
  expect_reads("%4294967295 = \"x.y\"() : () -> i32\n\"x.z\"(%4294967295) : (i32) -> ()");
}

// The error goes to the use and points at the definition.
Test(mlir_structure, types_of_uses) {
  const char *text = "func.func @f(%a: tensor<2xf32>) {\n"
                     "  %0 = stablehlo.add %a, %a : tensor<3xf32>\n  return\n}";
  reading r;
  reading_of(&r, text);
  cr_assert_eq(r.graph.diags.count, 1u);  // one for an operation
  const diag *d = &r.graph.diags.items[0];
  cr_expect_str_eq(d->message, "use of value '%a' expects different type than prior uses: "
                               "'tensor<3xf32>' vs 'tensor<2xf32>'");
  cr_expect_str_eq(d->code, "type-mismatch");
  cr_expect_eq(graph_position(&r.graph, d->span).column, 22u);
  cr_expect_eq(d->span.end - d->span.begin, 2u);
  cr_assert_eq(d->related_count, 1u);
  cr_expect_eq(graph_position(&r.graph, d->related[0].span).line, 1u);
  reading_destroy(&r);
  expect_mlir_error("func.func @f(%a: i32) {\n  \"x.y\"(%a) : (i64) -> ()\n  return\n}", 2, 9,
                    "'i64' vs 'i32'");
  expect_mlir_error("func.func @f(%a: i32) {\n  \"x.y\"(%a) : () -> ()\n  return\n}", 2, 15,
                    "expected 1 operand types but had 0");
  expect_mlir_error("func.func @f(%a: i32) {\n  return %a : i32, i32\n}", 2, 15,
                    "expected 1 operand types but had 2");
  expect_mlir_error("func.func @f(%a: i32) {\n  return %a : f32\n}", 2, 10, "'f32' vs 'i32'");
}

// What failed defines its results all the same: one error, not one for each use.
Test(mlir_structure, one_error_for_one_cause) {
  reading r;
  reading_of(&r, "func.func @f(%a: i32) -> i32 {\n  %0 = stablehlo.add %a, %a : tensor<<2xf32>\n"
                 "  %1 = \"x.y\"(%0) : (i32) -> i32\n  %2 = stablehlo.sub %1 % : i32\n"
                 "  %3 = \"x.y\"(%2, %nowhere) : (i32, i32) -> i32\n  return %3 : i32\n}\n"
                 "func.func @g(%a: nothing) " BODY "func.func @h() -> (i32 " BODY
                 "func.func @i() " BODY);
  cr_expect_str_eq(reading_errors(&r), "2:38: expected a type, found '<'\n"
                                       "4:25: expected ':' and the types, found '%'\n"
                                       "5:18: use of undeclared value '%nowhere'\n"
                                       "8:18: expected a type, found 'nothing'\n"
                                       "11:24: expected ')', found '{'\n");
  cr_expect_neq(graph_find_func(&r.graph, 0, "i", 1), ID_NONE);
  reading_destroy(&r);
}

Test(mlir_structure, aliases_and_locations) {
  expect_reads(
      "#map = affine_map<(d0) -> (d0)>\n!t = tensor<?xf32>\n#n = 7 : i64\n"
      "#loc = loc(unknown)\nmodule {\n  func.func @f(%a: !t loc(\"a\"), %b: !t loc(#loc4)) -> !t"
      " {\n    %0 = stablehlo.add %a, %b : !t loc(callsite(\"f\" at \"x.py\":1:2))\n"
      "    %1 = \"x.y\"(%0) {m = #map, n = #n} : (!t) -> !t loc(fused<\"p\">[\"a\", #loc1])\n"
      "    %2 = stablehlo.reduce(%1 init: %1) applies stablehlo.add across dimensions = [0] : "
      "(!t, !t) -> !t loc(#loc1)\n    return %2 : !t loc(#loc)\n  } loc(#loc2)\n} loc(#loc)\n"
      "#loc1 = loc(\"x.py\":3:4)\n#loc2 = loc(\"name\"(#loc1))\n");
}

Test(mlir_structure, alias_of_each_part) {
  expect_dump("!t = i32\nfunc.func private @f(tensor<2x!t>)\n// -----\n!t = i64\nfunc.func private "
              "@g(tensor<2x!t>)\n",
              "(tensor<2xi64>) -> ()");
  expect_mlir_error("!t = i32\n// -----\nfunc.func private @g(!t)\n", 3, 22,
                    "undefined type alias '!t'");
}

Test(mlir_structure, comments_and_resources) {
  expect_reads(
      "// first\nfunc.func @f() { // second\n  return // third\n  // }\n}\n{-#\n  "
      "dialect_resources: {\n    builtin: {\n      blob: \"0x0400000001\"\n    }\n  }\n#-}\n");
  expect_mlir_error("{-#\n  dialect_resources: {}\n", 1, 1, "expected '#-}'");
  expect_mlir_error("func.func @f() " BODY "/ x", 4, 1, "expected an operation, found '/'");
}

Test(mlir_structure, blocks) {
  reading r;
  reading_of(&r,
             "func.func @f(%p: i1, %a: i32) -> i32 {\n  cf.cond_br %p, ^bb1(%a : i32), ^bb2\n"
             "^bb1(%x: i32 loc(unknown)):\n  \"x.y\"() ({ \"x.z\"(%x) : (i32) -> () }) : () -> ()\n"
             "  \"cf.br\"()[^bb2] : () -> ()\n^bb2:  // 2 preds\n  return %a : i32\n}");
  cr_assert_str_empty(reading_errors(&r), "%s", reading_errors(&r));
  const graph_region *body = &r.graph.regions[r.graph.funcs[0].body];
  cr_assert_eq(body->block_count, 3u);
  cr_expect_eq(r.graph.blocks[body->first_block].argument_count, 2u);
  cr_expect_eq(r.graph.blocks[body->first_block + 1].argument_count, 1u);
  cr_expect_str_eq(graph_op_name(&r.graph, graph_terminator(&r.graph, body->first_block + 2)),
                   "func.return");
  uint32_t count;
  op_id branch = graph_terminator(&r.graph, body->first_block);
  const graph_successor *to = graph_successors(&r.graph, branch, &count);
  cr_assert_eq(count, 2u);
  cr_expect(to[0].block == 1 && to[0].first == 1 && to[0].count == 1);
  cr_expect(to[1].block == 2 && to[1].count == 0);
  reading_destroy(&r);
}

Test(mlir_structure, labels) {
  expect_mlir_error("func.func @f() {\n  cf.br ^no\n}", 2, 9,
                    "reference to an undefined block '^no'");
  expect_mlir_error("func.func @f() {\n  cf.br ^a\n^a:\n  cf.br ^a\n^a:\n  return\n}", 5, 1,
                    "redefinition of block '^a'");
  // MLIR LangRef, "Regions": what the entry block takes comes from around the region.
  expect_mlir_error(
      "func.func @f() {\n  \"x.y\"() ({\n  ^a:\n    \"cf.br\"()[^a] : () -> ()\n  }) : () -> ()\n"
      "  return\n}",
      4, 15, "the entry block of a region may not be branched to");
  expect_mlir_error(
      "func.func @f(%a: i32) {\n  cf.switch %a : i32, [default: ^b, 1: ]\n^b:\n  return\n}", 2, 40,
      "expected a block such as ^bb1, found ']'");
  // A label denotes blocks of its own region alone.
  expect_mlir_error(
      "func.func @f() {\n  cf.br ^a\n^a:\n  \"x.y\"() ({ \"cf.br\"()[^a] : () -> () }) : () -> ()\n"
      "  return\n}",
      4, 24, "reference to an undefined block '^a'");
}

// The time is a hundred times what it takes.
Test(mlir_structure, many_labels, .timeout = 60) {
  enum { BLOCKS = 100000 };
  shape_arena arena;
  shape_strbuf text;
  arena_init(&arena, 0);
  strbuf_init(&text, &arena);
  strbuf_puts(&text, "func.func @f() {\n  cf.br ^b1\n");
  for (int i = 1; i < BLOCKS; i++) strbuf_printf(&text, "^b%d:\n  cf.br ^b%d\n", i, i + 1);
  strbuf_printf(&text, "^b%d:\n  return\n}", BLOCKS);
  reading r;
  reading_of(&r, strbuf_text(&text));
  cr_assert_str_empty(reading_errors(&r), "%s", reading_errors(&r));
  cr_assert_eq(r.graph.successors.count, BLOCKS);
  for (uint32_t i = 0; i < BLOCKS; i++) cr_assert_eq(r.graph.successors.items[i].block, i + 1);
  reading_destroy(&r);
  arena_destroy(&arena);
}

static source_span span_of(const reading *r, op_id op) { return r->graph.ops[op].span; }

Test(mlir_structure, spans) {
  const char *text = "func.func @f(%a: i32) -> (tensor<2xf32>,\n  i32) {\n"
                     "  %x,\n  %y = \"x.y\"(%a)  : (i32) -> (i32, i32)  \n\n  "
                     "return // (no)\n  // }\n}\n";
  reading r;
  reading_of(&r, text);
  source_span span = span_of(&r, 0);
  cr_expect_eq(graph_position(&r.graph, span).line, 3u);
  cr_expect_eq(memcmp(text + span.end - 10, "(i32, i32)", 10), 0);
  cr_expect_eq(memcmp(text + r.graph.ops[0].name_span.begin, "\"x.y\"", 5), 0);
  value_id y = graph_result(&r.graph, 0, 1);
  cr_expect_eq(memcmp(text + r.graph.values[y].at, "%y", 2), 0);
  uint32_t length;
  cr_expect_eq(memcmp(graph_value_text(&r.graph, y, &length), "y", 1), 0);
  cr_expect_eq(length, 1u);
  const graph_func *f = &r.graph.funcs[0];
  cr_expect_eq(memcmp(text + f->name_span.begin, "@f", 2), 0);
  cr_expect_eq(memcmp(text + f->result_spans[0].begin, "tensor<2xf32>", 13), 0);
  cr_expect_eq(memcmp(text + f->result_spans[1].begin, "i32)", 4), 0);
  cr_expect_eq(text[f->span.end - 1], '}');
  span = span_of(&r, 1);
  cr_expect_eq(span.end - span.begin, 6u);
  cr_expect_eq(memcmp(text + span.begin, "return", 6), 0);
  reading_destroy(&r);
}

Test(mlir_structure, numbered_names) {
  reading r;
  reading_of(&r, "%12:2, %x = \"x.y\"() : () -> (i32, i32, i32)\n");
  uint32_t length;
  const char *name = graph_value_text(&r.graph, 1, &length);
  cr_expect(length == 2 && memcmp(name, "12", 2) == 0);
  cr_expect_eq(graph_value_index(&r.graph, 1), 1u);
  name = graph_value_text(&r.graph, 2, &length);
  cr_expect(length == 1 && *name == 'x');
  reading_destroy(&r);
}

Test(mlir_structure, argument_attributes) {
  reading r;
  reading_of(
      &r, "func.func @f(%n: tensor<i64> {jax.global_constant = \"b\"}, %x: tensor<?xf32>) " BODY);
  cr_assert_not_null(r.graph.funcs[0].argument_attrs);
  attr_id dict = r.graph.funcs[0].argument_attrs[0];
  cr_expect_str_eq(
      graph_attr_text(&r.graph, graph_attr_entry(&r.graph, dict, "jax.global_constant")), "b");
  cr_expect_eq(r.graph.funcs[0].argument_attrs[1], ATTR_NONE);
  reading_destroy(&r);
}

Test(mlir_structure, unknown_operations) {
  static const char *const TEXTS[] = {
      "\"a.b\"(%x) <{p = 1 : i32}> ({^bb0(%q: i32): \"a.c\"() : () -> ()}) {q} : (i32) -> ()",
      "a.b %x, %x {c = [1, 2]} : i32",
      "%r = a.b %x : i32",
      "%r = a.b(%x, %x) [1, (2)] {k = \"}\"} -> i32",
      "%r:2 = a.b %x : (i32) -> (i32, f32)",
      "%r = a.b %x : i32 to f32",
      "%r = a.b @sym<\"x\"> %x {\n    c = 1\n  } : i32 -> f32",
      "a.b",
      ("a.for %i = %x to %x step %x iter_args(%j = %x) -> (i32) {\n    %k = \"a.c\"(%i, %j) : "
       "(i32, "
       "i32) -> i32\n    a.yield %k : i32\n  }"),
      "%r = a.b %x {\n  ^bb0(%q: i32):\n    a.yield %q : i32\n  } : i32",
      "%c = arith.addi %x, %x overflow<nsw, nuw> : i32",
      "%e = tensor.extract_slice %t[0] [%x] [1] : tensor<?xf32> to tensor<?xf32>",
  };
  for (unsigned i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++) {
    char text[1024];
    snprintf(text, sizeof text,
             "func.func @f(%%x: i32, %%t: tensor<?xf32>) {\n  %s\n  %%z = \"a.end\"() : () -> i32\n"
             "  return\n}",
             TEXTS[i]);
    expect_dump(text, " = a.end()");
    expect_dump(text, "\n  func.return()\n}");
  }
  expect_dump("func.func @f(%x: i32) {\n  %r = a.b %x : (i32) -> f32\n  return\n}",
              "%1: f32 = a.b(%0)");
  expect_dump("func.func @f(%x: i32) {\n  %r:2 = a.b %x : (i32) -> f32\n  return\n}",
              "%1: <<unknown>>, %2: <<unknown>> = a.b(%0)");
}
