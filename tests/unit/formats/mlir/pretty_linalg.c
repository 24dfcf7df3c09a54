// SPDX-License-Identifier: Apache-2.0
// Structured operations in their own syntax.
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/formats/mlir/reading.h"

#define T "tensor<?x?xf32>"
#define HEAD                                                                                       \
  "func.func @f(%a: " T ", %b: " T ", %o: " T ", %z: f32, %n: index, %p: tensor<?x?x2x?xf32>) {\n"
#define TAIL           "  return\n}\n"
#define SEGMENTS(a, b) "operandSegmentSizes = array<i32: " #a ", " #b ">"

Test(pretty_linalg, named) {
  expect_same(HEAD "%r = linalg.matmul ins(%a, %b : " T ", " T ") outs(%o : " T ") -> " T "\n" TAIL,
              HEAD "%r = \"linalg.matmul\"(%a, %b, %o) {" SEGMENTS(2, 1) "} : (" T ", " T ", " T
                                                                         ") -> " T "\n" TAIL);
  // Operations that do not write their results have the types of outs.
  expect_same(HEAD "%r = linalg.transpose ins(%a : " T ") outs(%o : " T
                   ") permutation = [1, 0]\n" TAIL,
              HEAD "%r = \"linalg.transpose\"(%a, %o) {permutation = [1, 0], " SEGMENTS(
                  1, 1) "} : (" T ", " T ") -> " T "\n" TAIL);
  expect_reads(HEAD "%r = linalg.map { arith.addf } ins(%a, %b : " T ", " T ") outs(%o : " T
                    ")\n" TAIL);
  expect_reads(HEAD "%r = linalg.reduce ins(%p : tensor<?x?x2x?xf32>) outs(%o : " T
                    ") dimensions = [2, 3] (%i: f32, %j: f32) {\nlinalg.yield %i : f32\n}\n" TAIL);
  expect_reads(HEAD "%r = linalg.softmax dimension(1) ins(%a : " T ") outs(%o : " T ") -> " T
                    "\n" TAIL);
}

Test(pretty_linalg, generic) {
  expect_reads(HEAD "%r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, "
                    "affine_map<(i, j) -> (j, i)>], iterator_types = [\"parallel\", \"parallel\"]} "
                    "ins(%a : " T ") outs(%o : " T
                    ") attrs = {k = 1 : i32} {\n^bb0(%x: f32, %y: f32):\n"
                    "  linalg.yield %x : f32\n} -> " T "\n"
                    "%s = arith.addf %r, %r : " T "\n" TAIL);
  expect_mlir_error(HEAD "%r = linalg.matmul ins(%a, %q : " T ", " T ") outs(%o : " T ") -> " T
                         "\n" TAIL,
                    2, 28, "undeclared");
}

Test(pretty_linalg, pack) {
  expect_same(HEAD "%r = linalg.pack %a padding_value(%z : f32) outer_dims_perm = [1, 0] "
                   "inner_dims_pos = [0, 1] inner_tiles = [2, %n] into %p : " T
                   " -> tensor<?x?x2x?xf32>\n" TAIL,
              HEAD "%r = \"linalg.pack\"(%a, %p, %z, %n) {outer_dims_perm = [1, 0], "
                   "inner_dims_pos = [0, 1], static_inner_tiles = array<i64: 2, "
                   "-9223372036854775808>, operandSegmentSizes = array<i32: 1, 1, 1, 1>} : (" T
                   ", tensor<?x?x2x?xf32>, f32, index) -> tensor<?x?x2x?xf32>\n" TAIL);
  expect_same(HEAD "%r = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [2, %n] into %a : "
                   "tensor<?x?x2x?xf32> -> " T "\n" TAIL,
              HEAD "%r = \"linalg.unpack\"(%p, %a, %n) {inner_dims_pos = [0, 1], "
                   "static_inner_tiles = array<i64: 2, -9223372036854775808>} : "
                   "(tensor<?x?x2x?xf32>, " T ", index) -> " T "\n" TAIL);
}

// Operations of dialects that are not known.
Test(pretty_linalg, destinations) {
  expect_same(HEAD "%r = my.op {k = 1 : i64} axes = [0] ins(%a, %b : " T ", " T ") outs(%o : " T
                   ") {l} -> " T "\n" TAIL,
              HEAD
              "%r = \"my.op\"(%a, %b, %o) {k = 1 : i64, axes = [0], l, shaped.destinations = 1 "
              ": i64} : (" T ", " T ", " T ") -> " T "\n" TAIL);
  expect_same(HEAD "%r:2 = my.op dimension(1) outs(%o, %z : " T ", f32) -> " T ", index "
                   "loc(\"x\")\n" TAIL,
              HEAD
              "%r:2 = \"my.op\"(%o, %z) {dimension = 1 : i64, shaped.destinations = 2 : i64} : "
              "(" T ", f32) -> (" T ", index)\n" TAIL);
  expect_same(HEAD "%r = my.op ins(%a : " T ") outs(%o : " T ") {\n^bb0(%x: f32):\n"
                   "  my.yield %x : f32\n} -> " T "\n" TAIL,
              HEAD "%r = \"my.op\"(%a, %o) ({\n^bb0(%x: f32):\n  my.yield %x : f32\n}) "
                   "{shaped.destinations = 1 : i64} : (" T ", " T ") -> " T "\n" TAIL);
}

// What is not written so is passed over, as before.
Test(pretty_linalg, no_destinations) {
  static const char *const PLAIN[] = {
      "%r = my.op ins(%a : " T ") outs(%o : " T ") -> tensor<2x?xf32>",
      "%r = my.op ins(%a : " T ") outs(%o : " T ") -> " T " to " T,
      "%r = my.op ins(%a : " T ") outs(%o : " T ") into %b -> " T,
      "%r = my.op ins(%a : " T ")\n  outs(%o : " T ")",
      "%r = my.op ins(%a : " T ") -> " T,
      "%r = my.op outs(%o : " T ") ins(%a : " T ") -> " T,
      "%r = my.op outs(%o : tensor<3xf32>) -> tensor<3xf32>",
      "%r = my.op outs(%o) -> " T,
      "%r = my.op ins(%a : " T ") outs(%o : " T ") {\n  my.yield\n} with [%b] -> " T,
      "my.op ins(%a : " T ") outs(%o : " T ")",
      "my.op\n  my.word ins(%a : " T ") outs(%o : " T ")",
      "my.op {\n  my.word outs(%o : " T ")\n}",
  };
  for (unsigned i = 0; i < sizeof PLAIN / sizeof *PLAIN; i++) {
    reading r;
    char text[1000];
    snprintf(text, sizeof text, "%s%s\n%s", HEAD, PLAIN[i], TAIL);
    reading_of(&r, text);
    cr_expect_str_empty(reading_errors(&r), "%s: %s", PLAIN[i], reading_errors(&r));
    cr_expect(!strstr(reading_dump(&r), "destinations"), "%s", PLAIN[i]);
    for (op_id op = 0; op < r.graph.op_count; op++) cr_expect(!r.graph.ops[op].unread);
    reading_destroy(&r);
  }
}
