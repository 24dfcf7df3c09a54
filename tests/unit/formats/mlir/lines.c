// SPDX-License-Identifier: Apache-2.0
// Texts with an error whose lines say what is inside of what: one error, on the line where something is missing, and all
// other operations are read.
#include <criterion/criterion.h>
#include <string.h>

#include "tests/unit/formats/mlir/reading.h"

typedef struct state {
  const char *text;
  uint32_t line;  // of the only error
  const char *part;
  uint32_t ops, unread;  // all operations, and those with an error or a use of what is not known
} state;

static uint32_t unread_of(const shape_graph *g) {
  uint32_t n = 0;
  for (op_id op = 0; op < g->op_count; op++) n += g->ops[op].unread;
  return n;
}

static void expect_state(const state *s) {
  reading r;
  reading_of(&r, s->text);
  cr_assert_eq(r.graph.diags.errors, 1u, "%s\n%s", s->text, reading_errors(&r));
  const diag *d = &r.graph.diags.items[0];
  cr_expect_eq(graph_position(&r.graph, d->span).line, s->line, "%s\n%s", s->text,
               reading_errors(&r));
  cr_expect(strstr(d->message, s->part), "%s: %s", s->part, d->message);
  cr_expect_eq(r.graph.op_count, s->ops, "%s\n%u", s->text, r.graph.op_count);
  cr_expect_eq(unread_of(&r.graph), s->unread, "%s\n%u", s->text, unread_of(&r.graph));
  reading_destroy(&r);
}

#define T                "tensor<?xf32>"
#define MAIN(lines)      "func.func @main(%a: " T ") -> " T " {\n" lines "  return %a : " T "\n}\n"
#define OTHER            "func.func @other(%a: " T ") {\n  return\n}\n"
#define ABS(name, value) "  %" name " = stablehlo.abs %" value " : " T "\n"
#define REDUCE(open, close)                                                                        \
  "  %r = \"stablehlo.reduce\"(%a, %a) " open "\n  ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"      \
  "    %s = stablehlo.add %x, %y : tensor<f32>\n"                                                  \
  "    stablehlo.return %s : tensor<f32>\n" close "\n"
#define CLOSE "  }) {dimensions = array<i64: 0>} : (" T ", " T ") -> tensor<f32>"

#define UNEVEN                                                                                     \
  "      %r = \"foo.bar\"(%a) ({\n  ^bb0(%x: " T "):\n    foo.end %x : " T "\n  }) : (" T          \
  ") -> " T "\n"

static const state STATES[] = {
    // An operation that is cut.
    {MAIN("  %0\n" ABS("1", "a") ABS("2", "0")), 2, "expected '='", 4, 1},
    {MAIN("  %0 =\n" ABS("1", "a") ABS("2", "0")), 2, "expected an operation", 4, 1},
    {MAIN("  %0 = stablehlo.add %a,\n" ABS("1", "a")), 2, "expected ':' and the types", 3, 1},
    {MAIN("  %0 = stablehlo.abs %a : tensor<?x\n" ABS("1", "a")), 2, "before the end of", 3, 1},
    {MAIN("  %0 = \"x.y\"(%a) : (" T ")\n" ABS("1", "a")), 2, "expected '->'", 3, 1},
    {MAIN(REDUCE("({", "") ABS("1", "a")), 5, "expected '}'", 5, 1},
    {MAIN("  %0 = unknown.op %a,\n" ABS("1", "a")), 2, "the rest of the operation", 3, 1},
    // A token that is missing.
    {MAIN("   = stablehlo.abs %a : " T "\n" ABS("1", "0")), 2, "expected an operation", 2, 1},
    {MAIN("  %0 = stablehlo.convert %a : " T ") -> " T "\n" ABS("1", "0")), 2, "the end of", 3, 1},
    {MAIN(REDUCE("(", CLOSE) ABS("1", "a")), 2, "expected '{'", 3, 1},
    {MAIN(REDUCE("({", "  ) {dimensions = array<i64: 0>} : (" T ", " T ") -> tensor<f32>")), 6,
     "expected '}'", 4, 0},
    {"func.func @main(%a: " T ") -> " T "\n" ABS("0", "a") "  return %a : " T "\n}\n" OTHER, 1,
     "expected '{'", 3, 0},
    {"func.func @main(%a: " T ") -> " T " {\n  return %a : " T "\n\n\n" OTHER, 3, "expected '}'", 2,
     0},
    {"func.func @main(%a " T ") -> " T " {\n  return %a : " T "\n}\n" OTHER, 1, "expected ':'", 2,
     0},
    {MAIN("  foo.bar %a [ (%a\n" ABS("1", "a")), 2, "close a bracket", 3, 1},
    {MAIN("  \"foo.bar\"(%a) ({\n  ^bb0(%x: " T ",\n    %y: " T "):\n    foo.end %x %y\n  }) : (" T
          ") -> ()\n  %0 = stablehlo.abs %a :\n" ABS("1", "a")),
     7, "expected", 5, 1},
    // It is the only one after which nothing is deeper.
    {MAIN("  %0 = \"x.y\"(%a) {\n" ABS("1", "a")), 2, "expected", 3, 1},
    // A token of a line that goes on with the one before, and one that the line before has lost.
    {MAIN("  \"foo.bar\"(%a) {\n     = 1 : i64,\n    b = 2\n  } : (" T ") -> ()\n" ABS("1", "a")),
     3, "expected an attribute name, found '='", 3, 1},
    {MAIN("  \"foo.bar\"(%a) {\n    a = #x<y\n    b = #x<y>\n  } : (" T ") -> ()\n" ABS("1", "a")),
     3, "expected '>' before the end of the line", 3, 1},
    {"func.func @main(%a: " T ", %b: memref<?xf32, strided<[?]>) -> " T
     " {\n" ABS("0", "a") "  return %0 : " T "\n}\n",
     1, "expected", 2, 0},
    // A bracket that is not closed on its line, a type without elements, a list that goes on however deep it is.
    {MAIN("  foo.bar [#x<(d0>,\n           #x<(d0)>] (%a\n" ABS("1", "a")), 2, "expected", 3, 1},
    {MAIN("  %0 = stablehlo.constant dense<\n    [[1.0], 2.0]]> : tensor<2x1xf32>\n" ABS("1", "a")),
     3, "expected", 3, 1},
    {MAIN("  %0 = stablehlo.constant dense<\n    [[1.0], [2.0]] : tensor<2x1xf32>\n" ABS("1", "a")),
     3, "expected '>'", 3, 1},
    {MAIN("  %0 = \"x.y\"(%a) : (" T ") -> memref<>\n" ABS("1", "a")), 2, "an element type", 3, 1},
    {MAIN("  foo.if {\n    foo.bar outs(\n  %a : " T ") {\n      foo.baz\n    }\n  }\n  %0 =\n"), 8,
     "expected an operation", 5, 1},
    // Blanks that braces disprove: before a region, after it, and in it.
    {MAIN("  %0 = stablehlo.abs\n      " ABS("1", "a") UNEVEN ABS("2", "r")), 2, "expected", 6, 1},
    {MAIN(ABS("1", "a") UNEVEN "    %2 = stablehlo.abs %r :\n" ABS("3", "r")), 7, "expected", 6, 1},
    {MAIN(UNEVEN "  %0 = stablehlo.abs %a " T "\n" ABS("1", "r")), 6, "expected ':'", 5, 1},
    {MAIN("      foo.if [%a\n      %b = foo.if {\n  ^bb0(%x: " T
          "):\n  foo.bar [#x,\n#y]\n  ^bb1(%y: " T "):\n    foo.end %y\n  }\n"),
     2, "close a bracket", 5, 1},
    // Modules that hold what is as deep as they are, a brace that is as deep as nothing, a line with a tab.
    {"module {\nmodule {\n  func.func @main(%a: " T
     ") {\n    %0 = stablehlo.abs %a :\n    return\n  }\n}\n}\n",
     4, "expected", 2, 1},
    {"module attributes {\n  a.b = [i32,\n         i64]\n} {\n" OTHER "func.func @main(%a: " T
     ") {\n  return %a :\n}\n}\n",
     9, "expected a type", 2, 1},
    {"foo.module {\n   func.func @odd(%a: " T ") {\n    return\n  }\n}\n" MAIN("  %0 =\n"), 7,
     "expected an operation", 4, 1},
    {MAIN("    %0 = foo.bar %a :\n\t foo.bar\n    foo.baz\n"), 2, "the rest of", 4, 1},
    // Brackets of several lines: comments after them, one that is alone on its line, one that is not opened.
    {MAIN("  foo.pack slices({\n    [0, 1] = %a,  // one\n    [1, 2] = %a  // two\n   )\n"), 5,
     "expected '}'", 2, 1},
    {MAIN("  foo.bar\n      [\n        #a,\n        #b\n      \n      ins(%a)\n"), 6,
     "close a bracket", 2, 1},
    {MAIN("  foo.bind(\n    (%a)[%a],\n    (%a)[%a]\n  ])\n"), 2, "expected '['", 2, 1},
    {MAIN("  foo.bind[(\n    (%a)[%a],\n    (%a)%a]\n  )]\n"), 4, "that ']' closes", 2, 1},
    {MAIN("  foo.copy %a : !x<y>%a} -> !x<y>\n" ABS("1", "a")), 2, "that '}' closes", 3, 1},
    {MAIN("  foo.bar(%a : T%a}) -> T\n" ABS("1", "a")), 2, "that '}' closes", 3, 1},
    {MAIN("  foo.bar ins(%a)\n    k = #x,\n    l = #y\n  } : " T "\n"), 2, "expected '{'", 2, 1},
    // A statement without a part of its first tokens, after one that could hold anything.
    {MAIN("  foo.bar %a : T\n   = foo.baz %a : T\n"), 3, "expected an operation", 2, 0},
    {MAIN("  foo.bar %a : T\n  %0 foo.baz %a : T\n"), 3, "expected '='", 3, 1},
    {"func.func @main(%a: " T " {\n  foo.end \"a\", %a\n}\n" OTHER, 1, "expected ')'", 2, 0},
    // A brace at the end of a text, after which comes an empty line or none.
    {"foo.module @m {\n  foo.end\n", 2, "expected '}'", 2, 0},
    {"foo.module @m {\n  foo.end\n\n", 3, "expected '}'", 2, 0},
    {OTHER "\nfoo.module @m {\n  foo.end\n\n" MAIN(""), 6, "expected '}'", 4, 0},
    {OTHER "\nfoo.module @m {\n  foo.end\n\n\n" MAIN(""), 7, "expected '}'", 4, 0},
    {OTHER "foo.module @m {\n  // It holds one.\n  foo.end\n\n" MAIN(""), 7, "expected '}'", 4, 0},
    {MAIN("  foo.bar %a : T\n  %0\n" ABS("1", "a")), 3, "expected '='", 4, 1},
    {"func.func @main(%a: " T ") {\n  linalg.fill {a.b {\n  // c", 2, "expected", 2, 2},
    // Its part of the file ends with it.
    {"func.func @main(%a: " T ") " T " {\n  return %a : " T "\n}\n// -----\n" MAIN(""), 1,
     "expected an operation", 1, 0},
    {"module {\n  func.func @main(%a: " T ") {\n    return\n  \n}\n", 4, "expected '}'", 1, 0},
    {"module \n  func.func @main(%a: " T ") {\n    return\n  }\n}\n", 1, "expected '{'", 1, 0},
};

Test(mlir_lines, one_error_where_something_is_missing) {
  for (unsigned i = 0; i < sizeof STATES / sizeof *STATES; i++) expect_state(&STATES[i]);
}

// Two statements with an error have one each, and a name that is not defined has its own.
Test(mlir_lines, other_errors_are_reported) {
  reading r;
  reading_of(&r, MAIN("  %0 = stablehlo.abs %a :\n" ABS("1", "nowhere") "  %2 = stablehlo. %a\n"));
  cr_expect_eq(r.graph.diags.errors, 3u, "%s", reading_errors(&r));
  reading_destroy(&r);
}

// Where nothing is deeper after a brace, brackets say where to go on.
Test(mlir_lines, lines_that_say_nothing_are_not_gone_by) {
  reading r;
  reading_of(&r, "func.func @main(%a: " T ") {\n%0 = stablehlo.abs %a : tensor<\n"
                 "%1 = stablehlo.abs %a : " T "\nreturn\n}\n");
  cr_expect_eq(r.graph.diags.errors, 1u, "%s", reading_errors(&r));
  cr_expect(strstr(reading_errors(&r), "2:31: "), "%s", reading_errors(&r));
  reading_destroy(&r);
}
