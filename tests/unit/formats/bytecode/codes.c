// SPDX-License-Identifier: Apache-2.0
// Attributes of stablehlo, chlo and vhlo by the forms of codes.def: what is empty is left out, what is wrong is refused.
#include "tests/unit/formats/bytecode/reading.h"

Test(bytecode_codes, enumerations_lists_and_numbers) {
  expect_attr("stablehlo", FIELDS(2, 0), "#stablehlo<comparison_direction EQ>");
  expect_attr("stablehlo", FIELDS(10, 1), "#stablehlo<rng_distribution UNIFORM>");
  expect_attr("stablehlo", FIELDS(16, 2), "#stablehlo.result_accuracy_mode<TOLERANCE>");
  expect_attr("stablehlo", FIELDS(1, SIGNED(-1), SIGNED(2)),
              "#stablehlo.channel_handle<handle = -1, type = 2>");
  expect_attr("stablehlo", FIELDS(13, 2, SIGNED(INT64_MIN), SIGNED(4)), "#stablehlo.bounds<?, 4>");
  expect_attr("stablehlo", FIELDS(5, 0, 0, 0, 0), "#stablehlo.dot<>");
  expect_attr(
      "stablehlo", FIELDS(5, 1, SIGNED(2), 0, 0, 2, SIGNED(0), SIGNED(-3)),
      "#stablehlo.dot<lhs_batching_dimensions = [2], rhs_contracting_dimensions = [0, -3]>");
  expect_attr("stablehlo", FIELDS(14, 0, SIGNED(1), 1, SIGNED(2)),
              "#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, "
              "operand_tuple_indices = [2]>");
  expect_attr("stablehlo", FIELDS(19, SIGNED(2), SIGNED(4)), "#stablehlo.sub_axis_info<(2)4>");
  expect_attr("stablehlo", FIELDS(18, A_STRING, 1, A_STRING),
              "#stablehlo.replica_group_mesh_axes<mesh = \"main\", axes = [\"main\"]>");
}

// Writers before the batching dims wrote three lists.
Test(bytecode_codes, scatter_has_five_lists_or_three) {
  expect_attr("stablehlo", FIELDS(11, 1, SIGNED(1), 0, 0, 0, 1, SIGNED(2), SIGNED(3)),
              "#stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [2], "
              "index_vector_dim = 3>");
  expect_attr("stablehlo", FIELDS(11, 1, SIGNED(1), 0, 1, SIGNED(2), SIGNED(3)),
              "#stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [2], "
              "index_vector_dim = 3>");
}

// Numbers that are no permutation are kept as they are.
Test(bytecode_codes, convolutions_have_labels_or_numbers) {
  expect_attr("stablehlo",
              FIELDS(4, SIGNED(0), SIGNED(1), 0, SIGNED(1), SIGNED(0), 0, SIGNED(0), SIGNED(1), 0),
              "#stablehlo.conv<[b, f]x[o, i]->[b, f]>");
  sample s;
  begin_sample(&s, 6, false);
  bytes file = with_attr(&s, add_attr(&s.w, "stablehlo",
                                      FIELDS(4, SIGNED(0), SIGNED(0), 0, SIGNED(1), SIGNED(0), 0,
                                             SIGNED(0), SIGNED(1), 0)));
  expect_text(&file, "#stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 0, "
                     "input_spatial_dimensions = [], ");
}

Test(bytecode_codes, what_is_wrong_is_refused) {
  expect_attr_error("stablehlo", FIELDS(99), "the dialect stablehlo has no attribute 99");
  expect_attr_error("chlo", FIELDS(2), "the dialect chlo has no attribute 2");
  expect_attr_error("stablehlo", FIELDS(2, 6), "expected a value of the enumeration, found 6");
  expect_attr_error("stablehlo", FIELDS(10, 0), "expected a value of the enumeration, found 0");
  expect_attr_error("vhlo", FIELDS(2, 2), "expected a boolean of 0 or 1, found 2");
  expect_attr_error("stablehlo", FIELDS(5, 99, 0, 0, 0), "99");
  expect_attr_error("stablehlo", FIELDS(2, 0, 0), "expected the end after attribute");
}
