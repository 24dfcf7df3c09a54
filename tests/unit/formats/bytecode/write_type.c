// SPDX-License-Identifier: Apache-2.0
// Types as entries: spellings that become one, what VHLO has no form for, and depth.
#include "tests/unit/formats/bytecode/writing.h"

Test(bytecode_write_type, types_come_back) {
  static const char *const SAME[] = {"i1",
                                     "si64",
                                     "ui7",
                                     "f8E4M3FN",
                                     "tf32",
                                     "f128",
                                     "tensor<i32>",
                                     "tensor<0x?x9223372036854775807xi1>",
                                     "tensor<*xcomplex<f32>>",
                                     "tensor<2xf32, {a = 1 : i8}>",
                                     "vector<1x[2]xindex>",
                                     "memref<?xf32, 1>",
                                     "memref<2xf32, affine_map<(d0) -> (d0 + 1)>>",
                                     "() -> ()",
                                     "(tensor<*xf32>, i1) -> ((i1) -> (), i8)",
                                     "tuple<tuple<i1>, none>",
                                     "!stablehlo.token",
                                     "!t.type",
                                     "!t.type<(a, [b]), \"]\">"};
  for (size_t i = 0; i < sizeof SAME / sizeof *SAME; i++) expect_same(SAME[i]);
  expect_attribute("( i32 )->i1", "(i32) -> i1");
}

Test(bytecode_write_type, what_is_nested_is_read_again_or_refused) {
  static char text[4096];
  for (int depth = 120; depth <= 132; depth++) {
    size_t n = 0;
    n += (size_t)snprintf(text + n, sizeof text - n, "\"t.a\"() : () -> ");
    for (int i = 0; i < depth; i++) n += (size_t)snprintf(text + n, sizeof text - n, "tuple<");
    n += (size_t)snprintf(text + n, sizeof text - n, "i1");
    for (int i = 0; i < depth; i++) n += (size_t)snprintf(text + n, sizeof text - n, ">");
    if (depth < 127)
      expect_part(text, NULL, "tuple<tuple<i1>>");
    else if (depth > 128)
      expect_refused(text, NULL, "expected a type to be nested at most 128 deep, found more");
  }
}

// In a portable artifact of a release, or in bytecode (NULL): what it has and since when.
Test(bytecode_write_type, releases_have_types) {
  static const struct {
    const char *type, *release, *error;
  } cases[] = {{"tensor<?x4xbf16>", "0.9.0", NULL},
               {"tensor<2xcomplex<f64>>", "0.9.0", NULL},
               {"tuple<tensor<i1>, !stablehlo.token>", "0.9.0", NULL},
               {"tensor<2xf8E3M4>", "1.7.0", NULL},
               {"tensor<2xf8E3M4>", "1.6.9", "the type f8E3M4 came with release 1.7"},
               {"vector<2xf32>", "1.20.0", "VHLO has no form for the type vector<2xf32>"},
               {"tensor<2xi7>", "1.20.0", "VHLO has no form for the type i7"},
               {"!t.type", "1.20.0", "VHLO has no form for the type !t.type"},
               {"vector<1xf32>", NULL, NULL},
               {"vector<2x0xf32>", NULL,
                "expected a vector whose dims are numbers of at least 1, found 'vector'"},
               {"vector<?xf32>", NULL,
                "expected a vector whose dims are numbers of at least 1, found 'vector'"},
               {"tensor<0x?xf32>", NULL, NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[512], part[64];
    snprintf(part, sizeof part, "^bb0(%%arg0: %s)", cases[i].type);
    snprintf(text, sizeof text,
             "\"builtin.module\"() ({\n\"func.func\"() <{function_type = () -> (), sym_name = "
             "\"main\"}> ({\n^bb0(%%a: %s):\n\"func.return\"() : () -> ()\n}) : () -> ()\n}) : () "
             "-> ()\n",
             cases[i].type);
    if (cases[i].error)
      expect_refused(text, cases[i].release, cases[i].error);
    else
      expect_part(text, cases[i].release, part);
  }
}
