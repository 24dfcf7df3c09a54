// SPDX-License-Identifier: Apache-2.0
// Attributes of stablehlo and chlo by the forms of codes.def: in any order, without what is empty, or as assembly text.
#include "tests/unit/formats/bytecode/writing.h"

Test(bytecode_write_codes, forms_come_back) {
  static const char *const SAME[] = {
      "#stablehlo<comparison_direction LT>",
      "#stablehlo<comparison_type TOTALORDER>",
      "#stablehlo<fft_type IRFFT>",
      "#stablehlo<rng_algorithm PHILOX>",
      "#stablehlo<transpose ADJOINT>",
      "#stablehlo.dot<>",
      "#stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1]>",
      "#stablehlo.scatter<index_vector_dim = -1>",
      "#stablehlo.conv<[b, f]x[o, i]->[b, f]>",
      "#stablehlo.conv<[b, 1, 0, f]x[0, 1, i, o]->[f, 0, 1, b]>",
      "#stablehlo.bounds<>",
      "#stablehlo.bounds<0, ?, 9223372036854775807>",
      "#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, "
      "operand_tuple_indices = [1]>",
      "#stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = bf16, "
      "accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 2, "
      "num_primitive_operations = 3, allow_imprecise_accumulation = true>",
      "#stablehlo.mesh_axis<name = \"x\", size = 4>",
      "#chlo<comparison_direction NE>"};
  for (size_t i = 0; i < sizeof SAME / sizeof *SAME; i++) expect_same(SAME[i]);
}

// What has no code, a word that there is none of, or another form: as it is spelled.
Test(bytecode_write_codes, what_has_no_code_is_text) {
  static const char *const SAME[] = {"#stablehlo<comparison_direction XX>", "#stablehlo.new<a = 1>",
                                     "#stablehlo.dot<other = [1]>", "#chlo<precision HIGH>",
                                     "#mhlo<comparison_direction LT>"};
  for (size_t i = 0; i < sizeof SAME / sizeof *SAME; i++) expect_same(SAME[i]);
}

Test(bytecode_write_codes, entries_come_in_any_order) {
  expect_attribute("#stablehlo.dot<rhs_contracting_dimensions = [0], lhs_contracting_dimensions = "
                   "[1]>",
                   "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = "
                   "[0]>");
  expect_attribute("#stablehlo.gather<offset_dims=[ 0 ,1 ],index_vector_dim=1>",
                   "#stablehlo.gather<offset_dims = [0, 1], index_vector_dim = 1>");
}
