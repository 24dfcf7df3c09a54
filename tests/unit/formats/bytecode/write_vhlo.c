// SPDX-License-Identifier: Apache-2.0
// Operations of StableHLO as those of VHLO: defaults spelled out, groups taken apart, releases.
#include "tests/unit/formats/bytecode/writing.h"

Test(bytecode_write_vhlo, what_means_nothing_comes_back_left_out) {
  static const char *const RELEASES[] = {"0.9.0", "1.0.0", "1.20.0"};
  for (int i = 0; i < 3; i++) {
    const char *release = RELEASES[i];
    expect_part(OP("stablehlo.cholesky", "<{lower = false}>"), release,
                "\"stablehlo.cholesky\"(%arg0) :");
    expect_part(OP("stablehlo.cholesky", "<{lower = true}>"), release,
                "\"stablehlo.cholesky\"(%arg0) <{lower = true}> :");
    expect_part(OP("stablehlo.cholesky", ""), release, "\"stablehlo.cholesky\"(%arg0) :");
    expect_part(OP("stablehlo.reverse", "<{dimensions = array<i64: 0>}>"), release,
                "<{dimensions = array<i64: 0>}>");
    expect_part(OP("stablehlo.fft", "<{fft_length = array<i64: 2>, fft_type = "
                                    "#stablehlo<fft_type RFFT>}>"),
                release, "fft_type = #stablehlo<fft_type RFFT>");
  }
}

Test(bytecode_write_vhlo, what_is_not_there_is_refused_by_name) {
  static const struct {
    const char *name, *attributes, *release, *error;
  } cases[] = {{"t.a", "", "1.20.0", "only operations of stablehlo and func have a form in VHLO"},
               {"stablehlo.new", "", "1.20.0", "VHLO has no such operation"},
               {"stablehlo.tan", "", "1.3.9", "it came with release 1.4"},
               {"stablehlo.reverse", "", "1.20.0", "its attribute dimensions is missing"},
               {"stablehlo.gather", "<{dimension_numbers = 7, slice_sizes = array<i64>}>", "1.20.0",
                "dimension_numbers"},
               {"stablehlo.reverse", "<{dimensions = array<i64: 0>}> {a.b = #t.c<d>}", "1.20.0",
                "VHLO has no form for the attribute #t.c<d>"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[512];
    snprintf(text, sizeof text,
             "\"builtin.module\"() ({\n\"func.func\"() <{function_type = () -> (), sym_name = "
             "\"main\"}> ({\n^bb0(%%a: tensor<2xf32>):\n%%0 = \"%s\"(%%a) %s : (tensor<2xf32>) -> "
             "tensor<2xf32>\n\"func.return\"() : () -> ()\n}) : () -> ()\n}) : () -> ()\n",
             cases[i].name, cases[i].attributes);
    expect_refused(text, cases[i].release, cases[i].error);
    expect_refused(text, cases[i].release, cases[i].name);
  }
}

// Writers before release 1.1 had no batching dims: a list that is empty is no reason to refuse.
Test(bytecode_write_vhlo, groups_are_taken_apart) {
  expect_part(GATHER("collapsed_slice_dims = [0], index_vector_dim = 1, "), "1.0.0",
              "#stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], "
              "index_vector_dim = 1>");
  expect_part(GATHER("offset_dims = [0, 1], operand_batching_dims = [0], "), "1.20.0",
              "#stablehlo.gather<offset_dims = [0, 1], operand_batching_dims = [0], "
              "start_index_map = [0], index_vector_dim = 0>");
}
