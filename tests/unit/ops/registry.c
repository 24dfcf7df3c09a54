// SPDX-License-Identifier: Apache-2.0
// The tables of operations and their look-up.
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "solver/ops/registry.h"

Test(registry, finds_every_row) {
  for (uint32_t i = 0; i < registry_count(); i++) {
    const op_row *row = registry_row(i);
    cr_assert_not_null(row);
    cr_expect_not_null(row->rule, "%s", row->name);
    cr_expect_not_null(row->source, "%s", row->name);
    const op_row *found = registry_find(row->name, strlen(row->name), row->since);
    cr_expect_eq(found, row, "%s since %d", row->name, row->since);
  }
  cr_expect_null(registry_row(registry_count()));
}

// Programs without a version, as those of onnx-mlir, have operations of the newest.
Test(registry, is_of_the_newest_version_without_one) {
  for (uint32_t i = 0; i < registry_count(); i++) {
    const op_row *row = registry_row(i), *found = registry_find(row->name, strlen(row->name), 0);
    cr_assert_not_null(found, "%s", row->name);
    cr_expect(!found->until, "%s until %d", found->name, found->until);
  }
}

Test(registry, mhlo_spells_stablehlo) {
  const op_row *row = registry_find("mhlo.add", 8, 0);
  cr_assert_not_null(row);
  cr_expect_str_eq(row->name, "stablehlo.add");
  row = registry_find("mhlo.compute_reshape_shape", 26, 0);
  cr_assert_not_null(row);
  cr_expect_str_eq(row->name, "mhlo.compute_reshape_shape");
}

Test(registry, knows_no_strangers) {
  cr_expect_null(registry_find("stablehlo.", 10, 0));
  cr_expect_null(registry_find("stablehlo.ad", 12, 0));
  cr_expect_null(registry_find("stablehlo.addd", 14, 0));
  cr_expect_null(registry_find("add", 3, 0));
  cr_expect_null(registry_find("", 0, 0));
  cr_expect_null(registry_find("stablehlo.add\0", 14, 0));
  cr_expect_null(registry_find("stablehlo.add\0x", 15, 0));
  cr_expect_null(registry_find("stablehlo.\0", 11, 0));
}

// Every operation of the StableHLO specification ("Ops"), and those that its dialect has beside it.
static const char *const SPECIFICATION[] = {"abs",
                                            "add",
                                            "after_all",
                                            "all_gather",
                                            "all_reduce",
                                            "all_to_all",
                                            "and",
                                            "async_done",
                                            "async_start",
                                            "atan2",
                                            "batch_norm_grad",
                                            "batch_norm_inference",
                                            "batch_norm_training",
                                            "bitcast_convert",
                                            "broadcast_in_dim",
                                            "case",
                                            "cbrt",
                                            "ceil",
                                            "cholesky",
                                            "clamp",
                                            "collective_broadcast",
                                            "collective_permute",
                                            "compare",
                                            "complex",
                                            "composite",
                                            "concatenate",
                                            "constant",
                                            "convert",
                                            "convolution",
                                            "cosine",
                                            "count_leading_zeros",
                                            "custom_call",
                                            "divide",
                                            "dot_general",
                                            "dynamic_broadcast_in_dim",
                                            "dynamic_conv",
                                            "dynamic_gather",
                                            "dynamic_iota",
                                            "dynamic_pad",
                                            "dynamic_reshape",
                                            "dynamic_slice",
                                            "dynamic_update_slice",
                                            "exponential",
                                            "exponential_minus_one",
                                            "fft",
                                            "floor",
                                            "gather",
                                            "get_dimension_size",
                                            "get_tuple_element",
                                            "if",
                                            "imag",
                                            "infeed",
                                            "iota",
                                            "is_finite",
                                            "log",
                                            "log_plus_one",
                                            "logistic",
                                            "map",
                                            "maximum",
                                            "minimum",
                                            "multiply",
                                            "negate",
                                            "not",
                                            "optimization_barrier",
                                            "or",
                                            "outfeed",
                                            "pad",
                                            "partition_id",
                                            "popcnt",
                                            "power",
                                            "real",
                                            "recv",
                                            "reduce",
                                            "reduce_precision",
                                            "reduce_scatter",
                                            "reduce_window",
                                            "remainder",
                                            "replica_id",
                                            "reshape",
                                            "reverse",
                                            "rng",
                                            "rng_bit_generator",
                                            "round_nearest_afz",
                                            "round_nearest_even",
                                            "rsqrt",
                                            "scatter",
                                            "select",
                                            "select_and_scatter",
                                            "send",
                                            "shift_left",
                                            "shift_right_arithmetic",
                                            "shift_right_logical",
                                            "sign",
                                            "sine",
                                            "slice",
                                            "sort",
                                            "sqrt",
                                            "subtract",
                                            "tan",
                                            "tanh",
                                            "transpose",
                                            "triangular_solve",
                                            "tuple",
                                            "uniform_dequantize",
                                            "uniform_quantize",
                                            "while",
                                            "xor",
                                            "broadcast",
                                            "create_token",
                                            "cross-replica-sum",
                                            "dot",
                                            "einsum",
                                            "real_dynamic_slice",
                                            "return",
                                            "set_dimension_size",
                                            "torch_index_select",
                                            "unary_einsum"};

Test(registry, knows_the_whole_specification) {
  for (size_t i = 0; i < sizeof SPECIFICATION / sizeof *SPECIFICATION; i++) {
    char name[64];
    int length = snprintf(name, sizeof name, "stablehlo.%s", SPECIFICATION[i]);
    const op_row *row = registry_find(name, (size_t)length, 0);
    cr_expect_not_null(row, "%s has no row", name);
    if (row) cr_expect(strcmp(row->rule_name, "unknown") != 0, "%s has no rule", name);
  }
}
