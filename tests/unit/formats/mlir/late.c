// SPDX-License-Identifier: Apache-2.0
// Names that are used in front of the line that defines them: where it is legal, and that any other use is an error.
#include "tests/unit/formats/mlir/rows.h"

#define ABS(to, of) "%" to " = stablehlo.abs %" of " : tensor<?x4xf32>\n"

Test(mlir_late, reads_or_says_what_is_wrong) {
  static const mlir_row ROWS[] = {
      // A block that comes first, directly and by way of another; a result of several; an argument.
      {FN("cf.br ^d\n^u:\n  " ABS("y", "x") "  cf.br ^e\n^d:\n  " ABS("x", "a") "  cf.br ^u\n^e:"),
       0, 0, NULL},
      {FN("cf.br ^d\n^u:\n  " ABS("y", "x") "  cf.br ^e\n^m:\n  cf.br ^u\n^d:\n  " ABS(
           "x", "a") "  cf.br ^m\n^e:"),
       0, 0, NULL},
      {FN("cf.br ^d\n^u:\n  " ABS("y", "x#1") "  cf.br ^e\n^d:\n  %x:2 = \"x.y\"() : () -> (i1, "
                                              "tensor<?x4xf32>)\n  cf.br ^u\n^e:"),
       0, 0, NULL},
      {FN("cf.br ^d(%a : tensor<?x4xf32>)\n^u:\n  " ABS(
           "y", "x") "  cf.br ^e\n"
                     "^d(%x: tensor<?x4xf32>):\n  cf.br ^u\n^e:"),
       0, 0, NULL},
      // In a region of the use's block.
      {FN("cf.br ^d\n^u:\n  \"x.y\"() ({\n  " ABS(
           "y", "x") "  }) : () -> ()\n  cf.br ^e\n^d:\n  " ABS("x", "a") "  cf.br ^u\n^e:"),
       0, 0, NULL},
      // Operations that nothing is known of have no order; others have one.
      {FN("\"x.y\"() ({\n  " ABS("y", "x") "  " ABS("x", "a") "  }) : () -> ()"), 0, 0, NULL},
      {FN(ABS("y", "x") "  " ABS("x", "a")), 2, 22, "use of undeclared value '%x'"},
      {FN("\"x.y\"() ({\n  " ABS("y", "x") "  cf.br ^b\n^b:\n  " ABS("x", "a") "  }) : () -> ()"),
       3, 22, "use of undeclared value '%x'"},
      {FN("%x = \"x.y\"() ({\n  \"x.z\"(%x) : (i1) -> ()\n  }) : () -> i1"), 3, 9,
       "use of undeclared value '%x'"},
      // Not every way to the use leads past the definition; or none leads to it.
      {FN("cf.cond_br %c, ^d, ^u\n^u:\n  " ABS("y", "x") "  cf.br ^e\n^d:\n  " ABS(
           "x", "a") "  cf.br ^u\n^e:"),
       4, 22, "use of undeclared value '%x'"},
      // What a region defines is not seen outside of it, nor what another function does.
      {FN("cf.br ^d\n^u:\n  " ABS("y", "x") "  cf.br ^e\n^d:\n  \"x.y\"() ({\n  " ABS(
           "x", "a") "  }) : () -> ()\n  cf.br ^u\n^e:"),
       4, 22, "use of undeclared value '%x'"},
      {FN(ABS("y", "x")) "func.func @g() {\n  %x = \"x.y\"() : () -> i32\n  return\n}\n", 2, 22,
       "use of undeclared value '%x'"},
      {FN("cf.br ^d\n^u:\n  " ABS("y", "x#2") "  cf.br ^e\n^d:\n  %x:2 = \"x.y\"() : () -> (i1, "
                                              "tensor<?x4xf32>)\n  cf.br ^u\n^e:"),
       4, 22, "use of undeclared value '%x'"},
      {FN("cf.br ^d\n^u:\n  " ABS("y", "x") "  cf.br ^e\n^d:\n  %x = \"x.y\"() : () -> i1\n"
                                            "  cf.br ^u\n^e:"),
       4, 22, "expects different type than prior uses"},
  };
  EXPECT_ROWS(ROWS);
}

// Which block comes first is not known where one of them is not read to its end.
Test(mlir_late, blocks_with_an_error_hide_no_definition) {
  reading r;
  reading_of(
      &r, FN("cf.br\n^u:\n  " ABS("y", "x") "  cf.br ^e\n^d:\n  " ABS("x", "a") "  cf.br ^u\n^e:"));
  cr_expect_eq(r.graph.diags.errors, 1u, "%s", reading_errors(&r));
  cr_expect_eq(graph_position(&r.graph, r.graph.diags.items[0].span).line, 2u);
  reading_destroy(&r);
}

// An error is where it is read: in front of those after it.
Test(mlir_late, errors_keep_their_order) {
  expect_mlir_error(FN("\"x.y\"(%q) : (i32) -> ()\n  stablehlo.abs\n  \"x.y\"(%r) : (i32) -> ()"),
                    2, 9, "'%q'");
}
