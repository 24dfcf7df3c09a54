// SPDX-License-Identifier: Apache-2.0
// Texts that are invalid, huge, or no texts: an error with its location, in little time and memory, and nothing else.
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/formats/mlir/reading.h"

static char *repeat(const char *head, const char *unit, size_t count, const char *tail) {
  size_t a = strlen(head), b = strlen(unit), c = strlen(tail);
  char *text = malloc(a + b * count + c + 1);
  cr_assert_not_null(text);
  memcpy(text, head, a);
  for (size_t i = 0; i < count; i++) memcpy(text + a + i * b, unit, b);
  memcpy(text + a + b * count, tail, c + 1);
  return text;
}

static void expect_repeated(const char *head, const char *unit, size_t count, const char *tail,
                            const char *part) {
  char *text = repeat(head, unit, count, tail);
  reading r;
  reading_init(&r, text, strlen(text), 64u << 20);
  cr_assert_eq(r.status, SHAPE_OK);
  cr_assert(r.graph.diags.count > 0, "%s...", head);
  cr_expect(strstr(r.graph.diags.items[0].message, part), "%.60s: %s", text,
            r.graph.diags.items[0].message);
  cr_expect(r.graph.diags.count <= r.graph.diags.limit);
  reading_destroy(&r);
  free(text);
}

static void expect_bytes(const char *bytes, size_t length, const char *part) {
  reading r;
  reading_init(&r, bytes, length, 0);
  cr_assert_eq(r.graph.diags.count, 1u);
  cr_expect(strstr(r.graph.diags.items[0].message, part), "%s", r.graph.diags.items[0].message);
  reading_destroy(&r);
}

Test(mlir_hostile, no_text) {
  expect_bytes("", 0, "the file is empty");
  expect_bytes(" \n// nothing\n", 12, "only spaces and comments");
  expect_bytes("ML\xefR\x0dMLIR22.1.0\0....", 20, "MLIR bytecode");
  expect_bytes("ML\xefR\x0dStableHLO_v1.13.8\0....", 28, "StableHLO portable artifact");
  expect_bytes("ML\xefR\x0dStableHLO_v1.13.8\0....", 28, "stablehlo-translate --deserialize");
  expect_bytes("module {\0}", 10, "byte 0x00 at offset 8");
  expect_bytes("\x7f"
               "ELF\x02\x01\x01\0",
               8, "byte 0x00 at offset 7");
  expect_bytes("module {} // caf\xe9 au lait, and more to be beyond thirty-two bytes", 66,
               "no UTF-8");
  expect_bytes("// \xed\xa0\x80", 6, "no UTF-8");
  expect_bytes("// \xc0\xaf", 5, "no UTF-8");
  expect_bytes("// \xf4\x90\x80\x80", 7, "no UTF-8");
  expect_bytes("// \xe2\x82", 5, "no UTF-8");
  expect_reads("// caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\nmodule {}");
  expect_mlir_error("module { \xc3\xa9 }", 1, 10, "expected an operation, found '\xc3\xa9'");
  expect_bytes("{\"graph\": []}", 13, "expected");
  expect_bytes("hello world", 11, "expected an operation, found 'hello'");
}

Test(mlir_hostile, nesting) {
  expect_repeated("", "module {", 10000, "", "nested deeper than 200");
  expect_repeated("", "\"a.b\"() ({\n", 10000, "", "nested deeper than 200");
  expect_repeated("", "\"builtin.module\"() ({", 10000, "", "nested deeper than 200");
  expect_repeated("func.func @f() {", "a.b {\n a.b\n", 10000, "", "nested deeper than 200");
  expect_repeated("func.func @f() {", "scf.if %c {", 10000, "", "undeclared");
  expect_repeated("a.b ", "(", 10000, "", "nested deeper than 200");
  expect_repeated("a.b ", "{", 10000, "", "nested deeper than 200");
  expect_repeated("\"a.b\"() {a = ", "[", 10000, "", "nested deeper than 200");
  expect_repeated("\"a.b\"() {a = ", "{a = ", 10000, "", "nested deeper than 200");
  expect_repeated("\"a.b\"() {a = ", "#a.b<a = ", 10000, "", "nested deeper than 200");
  expect_repeated("\"a.b\"() {a = ", "#a.b<[", 10000, "", "nested deeper than 200");
  expect_repeated("\"a.b\"() {a = ", "tuple<", 10000, "", "nested deeper than 200");
  expect_repeated("\"a.b\"() {a = ", "() -> (", 10000, "", "nested deeper than 200");
  expect_repeated("\"a.b\"() {a = ", "!a.b<", 10000, "", "nested deeper than 200");
  expect_repeated("\"a.b\"() {a = ", "tensor<2x", 10000, "", "nested deeper than 200");
  expect_repeated("\"a.b\"() {a = ", "tensor<2xf32, ", 10000, "", "nested deeper than 200");
  expect_repeated("\"a.b\"() {a = dense<", "[", 10000, "", "nested deeper than 200");
  expect_repeated("\"a.b\"() {a = dense<", "[", 100, "> : tensor<2xi32>} : () -> ()", "expected");
  expect_repeated("\"a.b\"() : () -> () loc", "(", 10000, "", "nested deeper than 200");
}

Test(mlir_hostile, deep_enough) {
  char *head = repeat("", "\"a.b\"() ({\n", 150, "");
  char *text = repeat(head, "}) : () -> ()\n", 150, "");
  expect_reads(text);
  free(head);
  free(text);
}

Test(mlir_hostile, length) {
  expect_repeated("\"a.b\"() {a = ", "9", 10000, "} : () -> ()", "does not fit");
  expect_repeated("func.func private @f(tensor<", "9", 10000, "xf32>)", "does not fit");
  expect_repeated("\"a.b\"() {a = dense<", "9", 10000, "> : tensor<i32>} : () -> ()",
                  "does not fit");
  expect_repeated("%0:", "9", 10000, " = \"a.b\"() : () -> ()", "does not fit");
  expect_repeated("%0 = stablehlo.iota dim = ", "9", 10000, " : tensor<i32>", "does not fit");
  expect_repeated("\"a.b\"(%", "9", 10000, ") : () -> ()", "use of undeclared value");
  expect_repeated("\"a.b\"(%0#", "9", 10000, ") : () -> ()", "does not fit");
  expect_repeated("\"", "a", 100000, "", "to end the string");
  expect_repeated("func.func private @f(tensor<", "2x", 100000, "", "expected a type");
  expect_repeated("func.func private @f(tensor<2xf32, [", "@S, ", 10000, "]>)",
                  "expected a symbol");
  expect_repeated("", "\"a.b\"(%x) : () -> ()\n", 5000, "", "use of undeclared value");
  expect_repeated("", ")\n", 100000, "", "expected an operation");
  expect_repeated("", "}", 100000, "", "unexpected '}'");
  expect_repeated("", "#", 100000, "", "expected an alias name");
  expect_repeated("", "%", 100000, "", "expected a value name");
  expect_repeated("", "\"a\"", 100000, "", "expected '('");
  expect_repeated("", "(((\n%x = \n", 20000, "", "expected an operation");
}

// Comments in front of a statement that is not complete, and comments and empty lines after it.
Test(mlir_hostile, comments_around_what_is_not_complete, .timeout = 60) {
  enum { COUNT = 400000 };
  char *before = repeat("func.func @a() {\n  return\n}\n", "// c\n", COUNT,
                        "\nfunc.func @b(%a: i32) {\n  %0 = \"x.y\"(%a) {a = [1, 2 : i32\n");
  expect_repeated(before, " // c\n\n", COUNT, "", "expected ','");
  free(before);
}

Test(mlir_hostile, empty_lines_of_two_bytes, .timeout = 60) {
  expect_repeated("func.func @f(a.b module {\nfunc.func @f(affine_map<(d0) -> (!x.y<(", "\r\n",
                  600000, "", "expected a type");
}

// Floats have no limit of digits.
Test(mlir_hostile, long_float) {
  char *text = repeat("\"a.b\"() {a = 0.", "3", 10000, "} : () -> ()");
  expect_reads(text);
  free(text);
}

Test(mlir_hostile, a_hundred_megabytes_of_spaces) {
  size_t length = 100u << 20;
  char *text = malloc(length);
  memset(text, ' ', length);
  reading r;
  reading_init(&r, text, length, 1u << 20);
  cr_assert_eq(r.status, SHAPE_OK);
  cr_expect(strstr(r.graph.diags.items[0].message, "only spaces"));
  reading_destroy(&r);
  free(text);
}

Test(mlir_hostile, memory_runs_out) {
  char *text = repeat("func.func @f(%a: i32) {\n",
                      "  %b = \"a.b\"(%a) {x = [1, 2]} : (i32) -> i32\n", 20000, "}");
  for (size_t limit = 1 << 10; limit < 4u << 20; limit *= 2) {
    reading r;
    reading_init(&r, text, strlen(text), limit);
    cr_expect(r.status == SHAPE_MEMORY || r.status == SHAPE_OK);
    reading_destroy(&r);
  }
  free(text);
}

static const char PROGRAM[] =
    "#map = affine_map<(d0) -> (d0)>\n!t = tensor<?xf32>\n"
    "module @m attributes {a.b = #stablehlo.dot<lhs_batching_dimensions = [0]>} {\n"
    "  func.func public @main(%x: !t {s = \"\"}, %z: tensor<f32>, %w: tensor<?x4xi32, [@S0, @C4]>) "
    "-> (!t, "
    "tensor<f32>) attributes {k} {\n"
    "    %c = stablehlo.constant dense<[[1, -2], [0x3, 4]]> : tensor<2x2xi32>\n"
    "    %h = stablehlo.constant dense<\"0x0102\"> : tensor<2xi8> loc(\"a\":1:2)\n"
    "    %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (!t, "
    "tensor<f32>) -> tensor<f32>\n"
    "    %1:2 = stablehlo.while(%i = %c, %v = %x) : tensor<2x2xi32>, !t cond {\n"
    "      %p = \"a.b\"() <{q = array<i64: 1>}> ({ ^bb0(%y: i32): a.c %y : i32 }) {r} : () -> "
    "tensor<i1>\n"
    "      stablehlo.return %p : tensor<i1>\n    } do {\n"
    "      stablehlo.return %i, %v : tensor<2x2xi32>, !t\n    }\n"
    "    %s = stablehlo.slice %c [0:1, 1:2:1] : (tensor<2x2xi32>) -> tensor<1x1xi32>\n"
    "    %k = stablehlo.convolution(%x, %x) dim_numbers = [b, f]x[i, o]->[b, f], window = {pad = "
    "[]} : (!t, "
    "!t) -> !t\n"
    "    %d = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0], precision = [DEFAULT] : "
    "(!t, !t) -> "
    "tensor<f32>\n"
    "    %q = arith.cmpi eq, %w, %w : tensor<?x4xi32, [@S0, @C4]>\n"
    "    return %1#1, %0 : !t, tensor<f32>\n  }\n}\n"
    "\"disc_shape.SymbolicDim\"() {sym_name = \"S0\", value = -9223372036854775808 : i64} : () -> "
    "()\n"
    "{-# dialect_resources: {} #-}\n// -----\nmodule {}\n";

Test(mlir_hostile, whole_program) { expect_reads(PROGRAM); }

// Whether it is read without an error. The buffer ends where the text does, so that the sanitizer sees every byte read
// beyond it.
static bool read_exact(const char *text, size_t length) {
  char *copy = malloc(length ? length : 1);
  memcpy(copy, text, length);
  reading r;
  reading_init(&r, copy, length, 16u << 20);
  cr_assert(r.status == SHAPE_OK || r.status == SHAPE_MEMORY);
  bool good = r.status == SHAPE_OK && !r.graph.diags.errors;
  reading_destroy(&r);
  free(copy);
  return good;
}

Test(mlir_hostile, truncated_anywhere) {
  const char *first = strchr(PROGRAM, '{'), *last = strstr(PROGRAM, "\n}\n") + 1;
  for (size_t i = 0; i < sizeof PROGRAM; i++) {
    bool good = read_exact(PROGRAM, i), open = PROGRAM + i > first && PROGRAM + i <= last;
    cr_expect(!good || !open, "%zu bytes", i);
  }
  cr_expect(read_exact(PROGRAM, sizeof PROGRAM - 1));
  for (size_t i = 0; i < sizeof PROGRAM; i++) read_exact(PROGRAM + i, sizeof PROGRAM - 1 - i);
}

Test(mlir_hostile, one_byte_wrong) {
  static const char BYTES[] = "(){}[]<>\"%@#!^:,=-x0. \n/?";
  char text[sizeof PROGRAM];
  for (size_t i = 0; i < sizeof PROGRAM - 1; i++) {
    for (size_t b = i % 3; b < sizeof BYTES - 1; b += 3) {
      memcpy(text, PROGRAM, sizeof PROGRAM);
      text[i] = BYTES[b];
      read_exact(text, sizeof PROGRAM - 1);
    }
  }
}

Test(mlir_hostile, one_allocation_fails) {
  reading r;
  uint64_t n = 1;
  do {
    arena_init(&r.arena, 0);
    r.arena.fault.fail_at = n++;
    reading_run(&r, PROGRAM, sizeof PROGRAM - 1);
    cr_assert(r.status == SHAPE_MEMORY || r.status == SHAPE_OK);
    reading_destroy(&r);
  } while (r.status == SHAPE_MEMORY);
  cr_expect(n > 4);
}
