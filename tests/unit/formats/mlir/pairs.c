// SPDX-License-Identifier: Apache-2.0
// Pretty and generic form of each operation give the same graph.
#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/unit/formats/mlir/reading.h"

typedef struct pair {
  const char *arguments, *pretty, *generic;
} pair;

// Both in the body of a function with these arguments.
static void check(const pair *pairs, unsigned count) {
  enum { ROOM = 1 << 13 };
  static char pretty[ROOM], generic[ROOM];
  for (unsigned i = 0; i < count; i++) {
    snprintf(pretty, ROOM, "func.func @main(%s) {\n  %s\n  return\n}\n", pairs[i].arguments,
             pairs[i].pretty);
    snprintf(generic, ROOM, "func.func @main(%s) {\n  %s\n  \"func.return\"() : () -> ()\n}\n",
             pairs[i].arguments, pairs[i].generic);
    expect_same(pretty, generic);
  }
}
#define CHECK(pairs) check(pairs, sizeof pairs / sizeof *pairs)

#define AB "%a: tensor<?x4xf32>, %b: tensor<?x4xf32>"
#define T  "tensor<?x4xf32>"

Test(mlir_pairs, elementwise) {
  static const pair PAIRS[] = {
      {AB, "%0 = stablehlo.add %a, %b : " T,
       "%0 = \"stablehlo.add\"(%a, %b) : (" T ", " T ") -> " T},
      {AB, "%0 = mhlo.multiply %a, %b : " T,
       "%0 = \"mhlo.multiply\"(%a, %b) : (" T ", " T ") -> " T},
      {AB, "%0 = stablehlo.add %a, %b : (" T ", " T ") -> tensor<2x4xf32>",
       "%0 = \"stablehlo.add\"(%a, %b) : (" T ", " T ") -> tensor<2x4xf32>"},
      {AB, "%0 = stablehlo.exponential %a {result_accuracy = 1 : i64} : " T,
       "%0 = \"stablehlo.exponential\"(%a) <{result_accuracy = 1 : i64}> : (" T ") -> " T},
      {AB, "%0 = stablehlo.convert %a : (" T ") -> tensor<?x4xi32>",
       "%0 = \"stablehlo.convert\"(%a) : (" T ") -> tensor<?x4xi32>"},
      {AB, "%0 = stablehlo.clamp %a, %b, %a : " T,
       "%0 = \"stablehlo.clamp\"(%a, %b, %a) : (" T ", " T ", " T ") -> " T},
      {"%p: tensor<i1>, " AB, "%0 = stablehlo.select %p, %a, %b : tensor<i1>, " T,
       "%0 = \"stablehlo.select\"(%p, %a, %b) : (tensor<i1>, " T ", " T ") -> " T},
      {AB, "%0 = stablehlo.compare LT, %a, %b : (" T ", " T ") -> tensor<?x4xi1>",
       "%0 = \"stablehlo.compare\"(%a, %b) {comparison_direction = #stablehlo<comparison_direction"
       " LT>} : (" T ", " T ") -> tensor<?x4xi1>"},
      {AB, "%0 = stablehlo.compare  GE, %a, %b,  TOTALORDER : (" T ", " T ") -> tensor<?x4xi1>",
       "%0 = \"stablehlo.compare\"(%a, %b) {compare_type = #stablehlo<comparison_type TOTALORDER>,"
       " comparison_direction = #stablehlo<comparison_direction GE>} : (" T ", " T
       ") -> tensor<?x4xi1>"},
      {AB, "%0 = stablehlo.complex %a, %b : tensor<?x4xcomplex<f32>>",
       "%0 = \"stablehlo.complex\"(%a, %b) : (" T ", " T ") -> tensor<?x4xcomplex<f32>>"},
      {AB, "%0 = stablehlo.reduce_precision %a, format = e5m10 : " T,
       "%0 = \"stablehlo.reduce_precision\"(%a) {exponent_bits = 5 : i32, mantissa_bits = 10 : i32}"
       " : (" T ") -> " T},
      {AB, "%0 = chlo.broadcast_add %a, %b : (" T ", " T ") -> " T,
       "%0 = \"chlo.broadcast_add\"(%a, %b) : (" T ", " T ") -> " T},
      {AB, "%0 = chlo.erf_inv %a : " T " -> " T, "%0 = \"chlo.erf_inv\"(%a) : (" T ") -> " T},
  };
  CHECK(PAIRS);
}

Test(mlir_pairs, shapes) {
  static const pair PAIRS[] = {
      {"", "%0 = stablehlo.iota dim = 1 : tensor<2x3xi32>",
       "%0 = \"stablehlo.iota\"() {iota_dimension = 1 : i64} : () -> tensor<2x3xi32>"},
      {"%s: tensor<2xi32>", "%0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi32>) -> " T,
       "%0 = \"stablehlo.dynamic_iota\"(%s) {iota_dimension = 0 : i64} : (tensor<2xi32>) -> " T},
      {AB, "%0 = stablehlo.get_dimension_size %a, dim = 0 : (" T ") -> tensor<i32>",
       "%0 = \"stablehlo.get_dimension_size\"(%a) {dimension = 0 : i64} : (" T ") -> tensor<i32>"},
      {"%a: tensor<10xf32>, %n: tensor<i32>",
       "%0 = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<10xf32>, tensor<i32>) -> "
       "tensor<?xf32, #stablehlo.bounds<10>>",
       "%0 = \"stablehlo.set_dimension_size\"(%a, %n) {dimension = 0 : i64} : (tensor<10xf32>, "
       "tensor<i32>) -> tensor<?xf32, #stablehlo.type_extensions<bounds = [10]>>"},
      {AB, "%0 = stablehlo.reshape %a : (" T ") -> tensor<?xf32>",
       "%0 = \"stablehlo.reshape\"(%a) : (" T ") -> tensor<?xf32>"},
      {AB, "%0 = stablehlo.transpose %a, dims = [1, 0] : (" T ") -> tensor<4x?xf32>",
       "%0 = \"stablehlo.transpose\"(%a) {permutation = array<i64: 1, 0>} : (" T
       ") -> tensor<4x?xf32>"},
      {AB, "%0 = stablehlo.reverse %a, dims = [1] : " T,
       "%0 = \"stablehlo.reverse\"(%a) {dimensions = array<i64: 1>} : (" T ") -> " T},
      {AB, "%0 = stablehlo.broadcast %a, sizes = [2] : (" T ") -> tensor<2x?x4xf32>",
       "%0 = \"stablehlo.broadcast\"(%a) {broadcast_sizes = array<i64: 2>} : (" T
       ") -> tensor<2x?x4xf32>"},
      {"%v: tensor<4xf32>",
       "%0 = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>",
       "%0 = \"stablehlo.broadcast_in_dim\"(%v) {broadcast_dimensions = array<i64: 1>} : "
       "(tensor<4xf32>) -> tensor<2x4xf32>"},
      {"%v: tensor<4xf32>, %s: tensor<2xi32>",
       "%0 = stablehlo.dynamic_broadcast_in_dim %v, %s, dims = [1] {known_expanding_dimensions = "
       "array<i64>} : (tensor<4xf32>, tensor<2xi32>) -> " T,
       "%0 = \"stablehlo.dynamic_broadcast_in_dim\"(%v, %s) {broadcast_dimensions = array<i64: 1>,"
       " known_expanding_dimensions = array<i64>} : (tensor<4xf32>, tensor<2xi32>) -> " T},
      {AB, "%0 = stablehlo.concatenate %a, %b, dim = 0 : (" T ", " T ") -> " T,
       "%0 = \"stablehlo.concatenate\"(%a, %b) {dimension = 0 : i64} : (" T ", " T ") -> " T},
      {AB, "%0 = stablehlo.slice %a [2:6:2, 0:4] : (" T ") -> tensor<2x4xf32>",
       "%0 = \"stablehlo.slice\"(%a) {limit_indices = array<i64: 6, 4>, start_indices = array<i64: "
       "2, 0>, strides = array<i64: 2, 1>} : (" T ") -> tensor<2x4xf32>"},
      {"%v: tensor<f32>", "%0 = stablehlo.slice %v [] : (tensor<f32>) -> tensor<f32>",
       "%0 = \"stablehlo.slice\"(%v) {limit_indices = array<i64>, start_indices = array<i64>, "
       "strides = array<i64>} : (tensor<f32>) -> tensor<f32>"},
      {"%a: " T ", %i: tensor<i32>",
       "%0 = stablehlo.dynamic_slice %a, %i, %i, sizes = [1, 4] : (" T
       ", tensor<i32>, tensor<i32>) -> tensor<1x4xf32>",
       "%0 = \"stablehlo.dynamic_slice\"(%a, %i, %i) {slice_sizes = array<i64: 1, 4>} : (" T
       ", tensor<i32>, tensor<i32>) -> tensor<1x4xf32>"},
      {"%a: " T ", %z: tensor<f32>",
       "%0 = stablehlo.pad %a, %z, low = [0, -1], high = [1, 2], interior = [0, 3] : (" T
       ", tensor<f32>) -> tensor<?x14xf32>",
       "%0 = \"stablehlo.pad\"(%a, %z) {edge_padding_high = array<i64: 1, 2>, edge_padding_low = "
       "array<i64: 0, -1>, interior_padding = array<i64: 0, 3>} : (" T
       ", tensor<f32>) -> tensor<?x14xf32>"},
  };
  CHECK(PAIRS);
}

Test(mlir_pairs, products) {
  static const pair PAIRS[] = {
      {"%x: tensor<2x?x3xf32>, %y: tensor<2x3x5xf32>",
       "%0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1],"
       " precision = [DEFAULT, HIGHEST] : (tensor<2x?x3xf32>, tensor<2x3x5xf32>) -> "
       "tensor<2x?x5xf32>",
       "%0 = \"stablehlo.dot_general\"(%x, %y) {dot_dimension_numbers = #stablehlo.dot<"
       "lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = "
       "[2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, "
       "#stablehlo<precision HIGHEST>]} : (tensor<2x?x3xf32>, tensor<2x3x5xf32>) -> "
       "tensor<2x?x5xf32>"},
      {"%x: tensor<2x3xf32>, %y: tensor<3x5xf32>",
       "%0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], precision = [DEFAULT, "
       "DEFAULT], algorithm = <lhs_precision_type = tf32, allow_imprecise_accumulation = false> : "
       "(tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>",
       "%0 = \"stablehlo.dot_general\"(%x, %y) {algorithm = #stablehlo.dot_algorithm<"
       "lhs_precision_type = tf32, allow_imprecise_accumulation = false>, dot_dimension_numbers = "
       "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, "
       "precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : "
       "(tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>"},
      {"%x: tensor<2x3xf32>, %y: tensor<3x5xf32>",
       "%0 = stablehlo.dot %x, %y, precision = [HIGH, HIGH] : (tensor<2x3xf32>, tensor<3x5xf32>) "
       "-> tensor<2x5xf32>",
       "%0 = \"stablehlo.dot\"(%x, %y) {precision_config = [#stablehlo<precision HIGH>, "
       "#stablehlo<precision HIGH>]} : (tensor<2x3xf32>, tensor<3x5xf32>) -> tensor<2x5xf32>"},
      {"%x: tensor<2x3xf32>, %y: tensor<3x5xf32>",
       "%0 = stablehlo.einsum %x, %y, config = \"ab,bc->ac\" : (tensor<2x3xf32>, tensor<3x5xf32>) "
       "-> tensor<2x5xf32>",
       "%0 = \"stablehlo.einsum\"(%x, %y) {einsum_config = \"ab,bc->ac\"} : (tensor<2x3xf32>, "
       "tensor<3x5xf32>) -> tensor<2x5xf32>"},
      {"%x: tensor<1x8x8x3xf32>, %k: tensor<3x3x3x16xf32>",
       "%0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
       "window = {stride = [2, 1], pad = [[1, 1], [0, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, "
       "2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} "
       ": (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x?x?x16xf32>",
       "%0 = \"stablehlo.convolution\"(%x, %k) {batch_group_count = 1 : i64, dimension_numbers = "
       "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, "
       "lhs_dilation = array<i64: 1, 1>, padding = dense<[[1, 1], [0, 2]]> : tensor<2x2xi64>, "
       "rhs_dilation = array<i64: 1, 2>, window_reversal = array<i1: false, true>, window_strides "
       "= "
       "array<i64: 2, 1>} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<1x?x?x16xf32>"},
      {"%x: tensor<1x8x8x3xf32>, %k: tensor<3x3x3x16xf32>",
       "%0 = stablehlo.convolution(%x, %k) dim_numbers = [f, 1, b, 0]x[o, 1, 0, i]->[0, b, 1, f] : "
       "(tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<?x?x?x16xf32>",
       "%0 = \"stablehlo.convolution\"(%x, %k) {dimension_numbers = #stablehlo.conv<raw "
       "input_batch_dimension = 2, input_feature_dimension = 0, input_spatial_dimensions = [3, 1], "
       "kernel_input_feature_dimension = 3, kernel_output_feature_dimension = 0, "
       "kernel_spatial_dimensions = [2, 1], output_batch_dimension = 1, output_feature_dimension = "
       "3, output_spatial_dimensions = [0, 2]>} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> "
       "tensor<?x?x?x16xf32>"},
  };
  CHECK(PAIRS);
}

Test(mlir_pairs, regions) {
  static const pair PAIRS[] = {
      {"%x: tensor<?x4xf32>, %z: tensor<f32>",
       "%0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : "
       "(tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>",
       "%0 = \"stablehlo.reduce\"(%x, %z) ({\n  ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n"
       "  %s = \"stablehlo.add\"(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>\n"
       "  \"stablehlo.return\"(%s) : (tensor<f32>) -> ()\n  }) {dimensions = array<i64: 1>} : "
       "(tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>"},
      {"%x: tensor<?xf32>, %y: tensor<?xi32>, %z: tensor<f32>, %w: tensor<i32>",
       "%0:2 = stablehlo.reduce(%x init: %z), (%y init: %w) across dimensions = [0] : "
       "(tensor<?xf32>, tensor<?xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)\n"
       "   reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<i32>, %d: tensor<i32>)  {\n"
       "    stablehlo.return %a, %d : tensor<f32>, tensor<i32>\n  }",
       "%0:2 = \"stablehlo.reduce\"(%x, %y, %z, %w) <{dimensions = array<i64: 0>}> ({\n"
       "  ^bb0(%a: tensor<f32>, %c: tensor<i32>, %b: tensor<f32>, %d: tensor<i32>):\n"
       "    \"stablehlo.return\"(%a, %d) : (tensor<f32>, tensor<i32>) -> ()\n  }) : "
       "(tensor<?xf32>, tensor<?xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)"},
      {"%i: tensor<i32>, %x: tensor<?xf32>",
       "%0:2 = stablehlo.while(%k = %i, %v = %x) : tensor<i32>, tensor<?xf32> attributes {tag = 1 "
       ": i64}\n   cond {\n    %c = stablehlo.compare LT, %k, %i : (tensor<i32>, tensor<i32>) -> "
       "tensor<i1>\n    stablehlo.return %c : tensor<i1>\n  } do {\n    stablehlo.return %k, %v : "
       "tensor<i32>, tensor<?xf32>\n  }",
       "%0:2 = \"stablehlo.while\"(%i, %x) ({\n  ^bb0(%k: tensor<i32>, %v: tensor<?xf32>):\n"
       "    %c = \"stablehlo.compare\"(%k, %i) {comparison_direction = #stablehlo<"
       "comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
       "    \"stablehlo.return\"(%c) : (tensor<i1>) -> ()\n  }, {\n"
       "  ^bb0(%k: tensor<i32>, %v: tensor<?xf32>):\n    \"stablehlo.return\"(%k, %v) : "
       "(tensor<i32>, tensor<?xf32>) -> ()\n  }) {tag = 1 : i64} : (tensor<i32>, tensor<?xf32>) -> "
       "(tensor<i32>, tensor<?xf32>)"},
      {"", "stablehlo.while() cond {\n stablehlo.return\n } do {\n stablehlo.return\n }",
       "\"stablehlo.while\"() ({\n \"stablehlo.return\"() : () -> ()\n }, {\n "
       "\"stablehlo.return\"() : () -> ()\n }) : () -> ()"},
      {"%w: !shape.witness, %x: tensor<?xf32>",
       "%0 = shape.assuming %w -> (tensor<?xf32>) {\n    shape.assuming_yield %x : tensor<?xf32>\n"
       "  }",
       "%0 = \"shape.assuming\"(%w) ({\n  \"shape.assuming_yield\"(%x) : (tensor<?xf32>) -> ()\n"
       "  }) : (!shape.witness) -> tensor<?xf32>"},
      {"%p: i1, %x: index",
       "%0 = scf.if %p -> (index) {\n scf.yield %x : index\n } else {\n scf.yield %x : index\n }",
       "%0 = \"scf.if\"(%p) ({\n \"scf.yield\"(%x) : (index) -> ()\n }, {\n \"scf.yield\"(%x) : "
       "(index) -> ()\n }) : (i1) -> index"},
      {"%n: index, %x: index",
       "%0 = tensor.generate %n {\n ^bb0(%i: index):\n tensor.yield %i : index\n } : "
       "tensor<?xindex>",
       "%0 = \"tensor.generate\"(%n) ({\n ^bb0(%i: index):\n \"tensor.yield\"(%i) : (index) -> "
       "()\n "
       "}) : (index) -> tensor<?xindex>"},
  };
  CHECK(PAIRS);
}

// What a printer leaves out is in the graph all the same.
Test(mlir_pairs, implicit_parts) {
  static const pair PAIRS[] = {
      {"%p: i1", "scf.if %p {\n \"a.b\"() : () -> ()\n }",
       "\"scf.if\"(%p) ({\n \"a.b\"() : () -> ()\n \"scf.yield\"() : () -> ()\n }, {}) : (i1) -> "
       "()"},
      {"%p: i1", "scf.if %p {\n } else {\n }",
       "\"scf.if\"(%p) ({\n \"scf.yield\"() : () -> ()\n }, {\n \"scf.yield\"() : () -> ()\n }) : "
       "(i1) -> ()"},
      {"%w: !shape.witness", "shape.assuming %w {\n }",
       "\"shape.assuming\"(%w) ({\n \"shape.assuming_yield\"() : () -> ()\n }) : (!shape.witness) "
       "-> "
       "()"},
      {"%s: tensor<?xindex>, %i: index",
       "%0 = shape.reduce(%s, %i) : tensor<?xindex> -> index {\n ^bb0(%k: index, %d: index, %a: "
       "index):\n "
       "shape.yield %d : index\n }",
       "%0 = \"shape.reduce\"(%s, %i) ({\n ^bb0(%k: index, %d: index, %a: index):\n "
       "\"shape.yield\"(%d) : (index) -> ()\n }) : (tensor<?xindex>, index) -> index"},
      {"%x: tensor<?xf32>, %s: !shape.shape",
       "%0 = shape.with_shape %x, %s : tensor<?xf32>, !shape.shape\n"
       "%1 = shape.value_of %0 : tensor<?xf32>",
       "%0 = \"shape.with_shape\"(%x, %s) : (tensor<?xf32>, !shape.shape) -> !shape.value_shape\n"
       "%1 = \"shape.value_of\"(%0) : (!shape.value_shape) -> tensor<?xf32>"},
      {"%x: tensor<4xi32>, %z: tensor<i32>",
       "%0:2 = chlo.scan(%x) inits(%z) dimension=0 attributes {is_reverse = true} {\n ^bb0(%p: "
       "tensor<i32>, %q: tensor<i32>):\n stablehlo.return %p, %q : tensor<i32>, tensor<i32>\n } : "
       "(tensor<4xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<i32>)",
       "%0:2 = \"chlo.scan\"(%x, %z) ({\n ^bb0(%p: tensor<i32>, %q: tensor<i32>):\n "
       "\"stablehlo.return\"(%p, %q) : (tensor<i32>, tensor<i32>) -> ()\n }) {dimension = 0 : i64, "
       "is_reverse = true} : (tensor<4xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<i32>)"},
      {"", "%0 = func.constant @f : (i32) -> i32",
       "%0 = \"func.constant\"() {value = @f} : () -> ((i32) -> i32)"},
      {AB, "stablehlo.trace %a, \"text\" : " T,
       "\"stablehlo.trace\"(%a) {tag = \"text\"} : (" T ") -> ()"},
      {AB, "%0 = tensor.collapse_shape %a [[0, 1]] : " T " into tensor<?xf32>",
       "%0 = \"tensor.collapse_shape\"(%a) {reassociation = [[0, 1]]} : (" T ") -> tensor<?xf32>"},
      {"", "%0 = stablehlo.tuple : tuple<>\n%1 = stablehlo.after_all : !stablehlo.token",
       "%0 = \"stablehlo.tuple\"() : () -> tuple<>\n%1 = \"stablehlo.after_all\"() : () -> "
       "!stablehlo.token"},
      {"%i: index, %s: tensor<?xi32>",
       "%0 = mhlo.compute_reshape_shape %i, %s : (index, tensor<?xi32>) -> tensor<?xi32>\n"
       "%1 = mhlo.cstr_reshapable %i, %s : (index, tensor<?xi32>) -> !shape.witness",
       "%0 = \"mhlo.compute_reshape_shape\"(%i, %s) : (index, tensor<?xi32>) -> tensor<?xi32>\n"
       "%1 = \"mhlo.cstr_reshapable\"(%i, %s) : (index, tensor<?xi32>) -> !shape.witness"},
  };
  CHECK(PAIRS);
}

Test(mlir_pairs, calls_and_tuples) {
  static const pair PAIRS[] = {
      {AB, "%0 = call @f(%a) : (" T ") -> " T,
       "%0 = \"func.call\"(%a) {callee = @f} : (" T ") -> " T},
      {AB, "%0 = func.call @f(%a) : (" T ") -> " T,
       "%0 = \"func.call\"(%a) <{callee = @f}> : (" T ") -> " T},
      {AB,
       "%0:2 = stablehlo.custom_call @\"a b\"(%a, %b) {api_version = 2 : i32} : (" T ", " T
       ") -> (" T ", " T ")",
       "%0:2 = \"stablehlo.custom_call\"(%a, %b) {api_version = 2 : i32, call_target_name = \"a "
       "b\"} : (" T ", " T ") -> (" T ", " T ")"},
      {"", "stablehlo.custom_call @f() : () -> ()",
       "\"stablehlo.custom_call\"() {call_target_name = \"f\"} : () -> ()"},
      {AB,
       "%0 = stablehlo.composite \"my.op\" %a, %b {decomposition = @f, version = 1 : i32} : (" T
       ", " T ") -> " T,
       "%0 = \"stablehlo.composite\"(%a, %b) {decomposition = @f, name = \"my.op\", version = 1 : "
       "i32} : (" T ", " T ") -> " T},
      {AB,
       "%0 = stablehlo.tuple %a, %b : tuple<" T ", " T ">\n"
       "%1 = stablehlo.get_tuple_element %0[1] : (tuple<" T ", " T ">) -> " T,
       "%0 = \"stablehlo.tuple\"(%a, %b) : (" T ", " T ") -> tuple<" T ", " T ">\n"
       "%1 = \"stablehlo.get_tuple_element\"(%0) {index = 1 : i32} : (tuple<" T ", " T ">) -> " T},
      {AB, "%0:2 = stablehlo.optimization_barrier %a, %b : " T ", " T,
       "%0:2 = \"stablehlo.optimization_barrier\"(%a, %b) : (" T ", " T ") -> (" T ", " T ")"},
      {"", "stablehlo.optimization_barrier()", "\"stablehlo.optimization_barrier\"() : () -> ()"},
      {"",
       "%0 = stablehlo.create_token : !stablehlo.token\n"
       "%1 = stablehlo.after_all %0, %0 : !stablehlo.token",
       "%0 = \"stablehlo.create_token\"() : () -> !stablehlo.token\n%1 = \"stablehlo.after_all\""
       "(%0, %0) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token"},
      {"", "%0 = stablehlo.partition_id : tensor<ui32>",
       "%0 = \"stablehlo.partition_id\"() : () -> tensor<ui32>"},
      {"%m: tensor<f32>, %s: tensor<1xi64>",
       "%0 = stablehlo.rng %m, %m, %s, distribution = NORMAL : (tensor<f32>, tensor<f32>, "
       "tensor<1xi64>) -> tensor<?xf32>",
       "%0 = \"stablehlo.rng\"(%m, %m, %s) {rng_distribution = #stablehlo<rng_distribution NORMAL>}"
       " : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<?xf32>"},
      {"%s: tensor<2xui64>",
       "%0:2 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> "
       "(tensor<2xui64>, tensor<4xui32>)",
       "%0:2 = \"stablehlo.rng_bit_generator\"(%s) {rng_algorithm = #stablehlo<rng_algorithm "
       "PHILOX>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)"},
      {"%x: tensor<?x9xcomplex<f32>>",
       "%0 = stablehlo.fft %x, type = FFT, length = [9] : (tensor<?x9xcomplex<f32>>) -> "
       "tensor<?x9xcomplex<f32>>",
       "%0 = \"stablehlo.fft\"(%x) {fft_length = array<i64: 9>, fft_type = #stablehlo<fft_type "
       "FFT>} : (tensor<?x9xcomplex<f32>>) -> tensor<?x9xcomplex<f32>>"},
      {"%x: tensor<3x3xf32>", "%0 = stablehlo.cholesky %x, lower = true : tensor<3x3xf32>",
       "%0 = \"stablehlo.cholesky\"(%x) {lower = true} : (tensor<3x3xf32>) -> tensor<3x3xf32>"},
      {AB, "%0:2 = chlo.top_k(%a, k = 2) : " T " -> (tensor<?x2xf32>, tensor<?x2xi32>)",
       "%0:2 = \"chlo.top_k\"(%a) {k = 2 : i64} : (" T ") -> (tensor<?x2xf32>, tensor<?x2xi32>)"},
  };
  CHECK(PAIRS);
}

Test(mlir_pairs, shape_arithmetic) {
  static const pair PAIRS[] = {
      {"", "%0 = arith.constant 4 : index",
       "%0 = \"arith.constant\"() {value = 4 : index} : () -> index"},
      {"", "%0 = arith.constant true", "%0 = \"arith.constant\"() {value = true} : () -> i1"},
      {"", "%c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>",
       "%c = \"stablehlo.constant\"() <{value = dense<[1, 2]> : tensor<2xi32>}> : () -> "
       "tensor<2xi32>"},
      {"", "%c = stablehlo.constant() {value = dense<7> : tensor<i32>} : () -> tensor<i32>",
       "%c = \"stablehlo.constant\"() {value = dense<7> : tensor<i32>} : () -> tensor<i32>"},
      {"%i: index", "%0 = arith.addi %i, %i : index",
       "%0 = \"arith.addi\"(%i, %i) : (index, index) -> index"},
      {"%i: index", "%0 = arith.cmpi slt, %i, %i : index",
       "%0 = \"arith.cmpi\"(%i, %i) {predicate = 2 : i64} : (index, index) -> i1"},
      {"%i: tensor<2xi32>", "%0 = arith.cmpi eq, %i, %i : tensor<2xi32>",
       "%0 = \"arith.cmpi\"(%i, %i) {predicate = 0 : i64} : (tensor<2xi32>, tensor<2xi32>) -> "
       "tensor<2xi1>"},
      {"%p: i1, %i: index", "%0 = arith.select %p, %i, %i : index",
       "%0 = \"arith.select\"(%p, %i, %i) : (i1, index, index) -> index"},
      {"%i: index", "%0 = arith.index_cast %i : index to i32",
       "%0 = \"arith.index_cast\"(%i) : (index) -> i32"},
      {AB ", %i: index", "%0 = tensor.dim %a, %i : " T,
       "%0 = \"tensor.dim\"(%a, %i) : (" T ", index) -> index"},
      {AB ", %i: index", "%0 = tensor.extract %a[%i, %i] : " T,
       "%0 = \"tensor.extract\"(%a, %i, %i) : (" T ", index, index) -> f32"},
      {"%i: index", "%0 = tensor.from_elements %i, %i : tensor<2xindex>",
       "%0 = \"tensor.from_elements\"(%i, %i) : (index, index) -> tensor<2xindex>"},
      {AB, "%0 = tensor.cast %a : " T " to tensor<2x4xf32>",
       "%0 = \"tensor.cast\"(%a) : (" T ") -> tensor<2x4xf32>"},
      {AB, "%0 = shape.shape_of %a : " T " -> tensor<2xindex>",
       "%0 = \"shape.shape_of\"(%a) : (" T ") -> tensor<2xindex>"},
      {"", "%0 = shape.const_shape [1, 2] : tensor<2xindex>",
       "%0 = \"shape.const_shape\"() {shape = dense<[1, 2]> : tensor<2xindex>} : () -> "
       "tensor<2xindex>"},
      {"%s: tensor<?xindex>", "%0 = shape.num_elements %s : tensor<?xindex> -> index",
       "%0 = \"shape.num_elements\"(%s) : (tensor<?xindex>) -> index"},
      {"%s: tensor<?xindex>",
       "%0 = shape.broadcast %s, %s : tensor<?xindex>, tensor<?xindex> -> tensor<?xindex>",
       "%0 = \"shape.broadcast\"(%s, %s) : (tensor<?xindex>, tensor<?xindex>) -> tensor<?xindex>"},
      {"%s: tensor<?xindex>",
       "%0 = shape.cstr_broadcastable %s, %s : tensor<?xindex>, tensor<?xindex>",
       "%0 = \"shape.cstr_broadcastable\"(%s, %s) : (tensor<?xindex>, tensor<?xindex>) -> "
       "!shape.witness"},
      {"%p: i1", "%0 = shape.cstr_require %p, \"why\"",
       "%0 = \"shape.cstr_require\"(%p) {msg = \"why\"} : (i1) -> !shape.witness"},
      {"", "%0 = shape.const_witness true\n%1 = shape.assuming_all %0, %0",
       "%0 = \"shape.const_witness\"() {passing = true} : () -> !shape.witness\n"
       "%1 = \"shape.assuming_all\"(%0, %0) : (!shape.witness, !shape.witness) -> !shape.witness"},
      {"", "%0 = shape.const_size 7\n%1 = shape.size_to_index %0 : !shape.size",
       "%0 = \"shape.const_size\"() {value = 7 : index} : () -> !shape.size\n"
       "%1 = \"shape.size_to_index\"(%0) : (!shape.size) -> index"},
      {AB ", %i: index", "%0 = disc_shape.tie_shape %a, %i, %i : " T,
       "%0 = \"disc_shape.tie_shape\"(%a, %i, %i) : (" T ", index, index) -> " T},
  };
  CHECK(PAIRS);
}

Test(mlir_pairs, functions) {
  expect_same(
      "module @m {\n  func.func private @f(%x: tensor<?xf32> {a.b = 1 : i64}, %y: i32) -> "
      "(tensor<?xf32> {r = \"s\"}) attributes {c = @f} {\n    return %x : tensor<?xf32>\n"
      "  }\n  func.func private @g(i32) -> i32\n}",
      "\"builtin.module\"() <{sym_name = \"m\"}> ({\n  \"func.func\"() <{arg_attrs = [{a.b = "
      "1 : i64}, {}], function_type = (tensor<?xf32>, i32) -> tensor<?xf32>, res_attrs = [{r "
      "= \"s\"}], sym_name = \"f\", sym_visibility = \"private\"}> ({\n  ^bb0(%x: "
      "tensor<?xf32>, %y: i32):\n    \"func.return\"(%x) : (tensor<?xf32>) -> ()\n  }) {c = "
      "@f} : () -> ()\n  \"func.func\"() <{function_type = (i32) -> i32, sym_name = \"g\", "
      "sym_visibility = \"private\"}> ({\n  }) : () -> ()\n}) : () -> ()");
}
