// SPDX-License-Identifier: Apache-2.0
// Collective operations, and those that cross the border of the program.
#include "tests/unit/ops/rules.h"

#define GROUPS4 "replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>"
#define GATHER(rest, a, out)                                                                       \
  "%a: " a,                                                                                        \
      "%r = \"stablehlo.all_gather\"(%a) {all_gather_dim = 1 : i64, " rest "} : (" a ") -> " out

Test(rules_collective, all_gather) {
  expect_sizes(GATHER(GROUPS4, "tensor<?x?xf32>", "tensor<?x?xf32>"), "[S0, 4*S1]");
  expect_arguments(GATHER(GROUPS4, "tensor<?x?xf32>", "tensor<?x12xf32>"), "[S0, 3]");
  // With a channel and without global ids the group has the partitions of each replica, and it is not known how many.
  expect_error(GATHER(GROUPS4 ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>",
                      "tensor<8x2xf32>", "tensor<8x16xf32>"),
               NULL);
  expect_error(GATHER(GROUPS4 ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>",
                      "tensor<8x2xf32>", "tensor<8x15xf32>"),
               "shape-mismatch");
  // Another multiple than that of the group: only the specification refuses it. 0 is refused, and never allowed.
  expect_error(GATHER(GROUPS4, "tensor<8x2xf32>", "tensor<8x16xf32>"), NULL);
  expect_error(GATHER(GROUPS4, "tensor<8x2xf32>", "tensor<8x15xf32>"), "declared-type");
  expect_guards(GATHER(GROUPS4, "tensor<8x?xf32>", "tensor<8x?xf32>"), "S0 >= 1");
  expect_error(GATHER(GROUPS4, "tensor<8x2xf32>", "tensor<7x8xf32>"), "declared-type");
  expect_error(GATHER(GROUPS4, "tensor<8xf32>", "tensor<8xf32>"), "axis");
  expect_error(GATHER(GROUPS4, "tensor<8x0xf32>", "tensor<8x0xf32>"), "axis");
  expect_error(GATHER(GROUPS4, "tensor<8x2xf32>", "tensor<8x8xf64>"), "element-type");
  expect_error("%a: tensor<8x2xf32>",
               "%r:2 = \"stablehlo.all_gather\"(%a) {all_gather_dim = 1 : i64, " GROUPS4
               "} : (tensor<8x2xf32>) -> "
               "(tensor<8x8xf32>, tensor<8x8xf32>)",
               "operands");
}

Test(rules_collective, replica_groups) {
#define GROUPS(value) GATHER("replica_groups = " value, "tensor<8x2xf32>", "tensor<8x?xf32>")
  expect_error(GROUPS("dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>"), NULL);
  expect_error(GROUPS("dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>"), "attribute");
  expect_error(GROUPS("dense<[[0, 1], [2, 4]]> : tensor<2x2xi64>"), "attribute");
  expect_error(GROUPS("dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>"), "attribute");
  expect_error(GROUPS("dense<0> : tensor<1xi64>"), "attribute");
  expect_error(GROUPS("dense<0> : tensor<0x2xi64>"), NULL);
  expect_error(GROUPS("dense<0> : tensor<0x2xi64>, use_global_device_ids"), "attribute");
  expect_error(GROUPS("dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids, channel_handle = "
                      "#stablehlo.channel_handle<handle = -1, type = 0>"),
               "attribute");
}

#define REDUCE(op, rest, type, a, out)                                                             \
  "%a: " a, "%r = \"stablehlo." op "\"(%a) " ADDS(type) " {" rest "} : (" a ") -> " out

Test(rules_collective, all_reduce) {
  expect_sizes(REDUCE("all_reduce", GROUPS4, "f32", "tensor<?x3xf32>", "tensor<?x?xf32>"),
               "[S0, 3]");
  expect_error(REDUCE("all_reduce", "replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>",
                      "f32", "tensor<3xf32>", "tensor<3xf32>"),
               NULL);
  expect_error(REDUCE("all_reduce", GROUPS4, "i32", "tensor<3xf32>", "tensor<3xi32>"), "region");
  expect_error(REDUCE("all_reduce", GROUPS4, "f64", "tensor<3xf32>", "tensor<3xf32>"),
               "element-type");
  expect_error(REDUCE("all_reduce", GROUPS4 ", use_global_device_ids", "f32", "tensor<3xf32>",
                      "tensor<3xf32>"),
               "attribute");
  expect_sizes("%a: tensor<?xf32>",
               "%r = \"stablehlo.cross-replica-sum\"(%a) {" GROUPS4
               "} : (tensor<?xf32>) -> tensor<?xf32>",
               "[S0]");
}

#define SCATTER(rest, a, out)                                                                      \
  REDUCE("reduce_scatter", "scatter_dimension = 1 : i64, " rest, "f32", a, out)

Test(rules_collective, reduce_scatter) {
  expect_sizes(SCATTER(GROUPS4, "tensor<?x16xf32>", "tensor<?x?xf32>"), "[S0, 4]");
  expect_arguments(SCATTER(GROUPS4, "tensor<?x?xf32>", "tensor<?x3xf32>"), "[S0, 12]");
  expect_fact(SCATTER(GROUPS4, "tensor<?x?xf32>", "tensor<?x?xf32>"), "mod(S1, 4) == 0");
  expect_error(SCATTER(GROUPS4 ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>",
                       "tensor<4x16xf32>", "tensor<4x2xf32>"),
               NULL);
  expect_error(SCATTER(GROUPS4 ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>",
                       "tensor<4x16xf32>", "tensor<4x5xf32>"),
               "shape-mismatch");
  expect_error(SCATTER(GROUPS4 ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>",
                       "tensor<4x?xf32>", "tensor<4x?xf32>"),
               NULL);
  expect_error(SCATTER(GROUPS4, "tensor<4x15xf32>", "tensor<4x?xf32>"), "shape-mismatch");
  expect_error(SCATTER(GROUPS4, "tensor<4x16xf32>", "tensor<4x0xf32>"), "axis");
  expect_error(SCATTER(GROUPS4, "tensor<4x0xf32>", "tensor<4x4xf32>"), "axis");
  expect_error(SCATTER(GROUPS4, "tensor<4xf32>", "tensor<4xf32>"), "axis");
}

#define EXCHANGE(split, concat, count, a, out)                                                     \
  "%a: " a, "%r = \"stablehlo.all_to_all\"(%a) {split_dimension = " split                          \
            " : i64, concat_dimension = " concat " : i64, split_count = " count " : i64, " GROUPS4 \
            "} : (" a ") -> " out

Test(rules_collective, all_to_all) {
  expect_sizes(EXCHANGE("1", "0", "4", "tensor<?x16xf32>", "tensor<?x?xf32>"), "[4*S0, 4]");
  expect_sizes(EXCHANGE("1", "1", "4", "tensor<?x16xf32>", "tensor<?x?xf32>"), "[S0, 16]");
  expect_fact(EXCHANGE("1", "0", "4", "tensor<?x?xf32>", "tensor<?x?xf32>"), "mod(S1, 4) == 0");
  expect_sizes(EXCHANGE("1", "0", "4", "tensor<*xf32>", "tensor<*xf32>"), "*");
  expect_error(EXCHANGE("1", "0", "5", "tensor<4x20xf32>", "tensor<?x?xf32>"), "attribute");
  expect_error(EXCHANGE("1", "0", "4", "tensor<4x18xf32>", "tensor<?x?xf32>"), "shape-mismatch");
  expect_error(EXCHANGE("2", "0", "4", "tensor<4x16xf32>", "tensor<?x?xf32>"), "axis");
  expect_error(EXCHANGE("0", "2", "4", "tensor<4x16xf32>", "tensor<?x?xf32>"), "axis");
}

#define PERMUTE(pairs)                                                                             \
  "%a: tensor<?xf32>", "%r = \"stablehlo.collective_permute\"(%a) {source_target_pairs = " pairs   \
                       "} : (tensor<?xf32>) -> tensor<?xf32>"

Test(rules_collective, same_sizes) {
  expect_sizes(PERMUTE("dense<[[0, 1], [1, 2], [2, 0], [4, 3], [3, 4]]> : tensor<5x2xi64>"),
               "[S0]");
  expect_error(PERMUTE("dense<[[0, 1], [1, 1]]> : tensor<2x2xi64>"), "attribute");
  expect_error(PERMUTE("dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>"), "attribute");
  expect_error(PERMUTE("dense<[[0, 1], [-1, 2]]> : tensor<2x2xi64>"), "attribute");
  expect_error(PERMUTE("dense<[0, 1]> : tensor<2xi64>"), "attribute");
  expect_error(PERMUTE("dense<[[0, 1, 2]]> : tensor<1x3xi64>"), "attribute");
  expect_sizes("%a: tensor<?xf32>",
               "%r = \"stablehlo.collective_broadcast\"(%a) {replica_groups = dense<[[4, 7]]> : "
               "tensor<1x2xi64>} : "
               "(tensor<?xf32>) -> tensor<?xf32>",
               "[S0]");
  expect_sizes(
      "%a: tensor<?xf32>, %root: tensor<1xi32>",
      "%r = \"stablehlo.collective_broadcast\"(%a, %root) {replica_groups = dense<[[4, 7]]> : "
      "tensor<1x2xi64>, has_dynamic_root} : "
      "(tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>",
      "[S0]");
  expect_error("%a: tensor<?xf32>",
               "%r = \"stablehlo.collective_broadcast\"(%a) {replica_groups = dense<[[4, 7]]> : "
               "tensor<1x2xi64>, has_dynamic_root} : "
               "(tensor<?xf32>) -> tensor<?xf32>",
               "operands");
  expect_sizes("", "%r = \"stablehlo.partition_id\"() : () -> tensor<ui32>", "[]");
}

// --- the border

#define RECV(type, host, out)                                                                      \
  "%t: !stablehlo.token",                                                                          \
      "%r:2 = \"stablehlo.recv\"(%t) {channel_handle = #stablehlo.channel_handle<handle = 5, "     \
      "type = " type ">, is_host_transfer = " host "} : (!stablehlo.token) -> (" out ")"
#define SEND(type, host, last)                                                                     \
  "%a: tensor<?xf32>, %t: !stablehlo.token",                                                       \
      "%r = \"stablehlo.send\"(%a" last                                                            \
      ") {channel_handle = #stablehlo.channel_handle<handle = 5, type = " type                     \
      ">, is_host_transfer = " host "} : "

Test(rules_channel, send_and_recv) {
  expect_sizes(RECV("3", "true", "tensor<4xf32>, !stablehlo.token"), "[4] *");
  expect_error(RECV("1", "false", "tensor<4xf32>, !stablehlo.token"), NULL);
  expect_error(RECV("1", "true", "tensor<4xf32>, !stablehlo.token"), "attribute");
  expect_error(RECV("3", "true", "!stablehlo.token, !stablehlo.token"), "element-type");
  expect_error(RECV("3", "true", "tensor<4xf32>, tensor<4xf32>"), "element-type");
  expect_error(SEND("1", "false", ", %t") "(tensor<?xf32>, !stablehlo.token) -> !stablehlo.token",
               NULL);
  expect_error(SEND("2", "false", ", %t") "(tensor<?xf32>, !stablehlo.token) -> !stablehlo.token",
               "attribute");
  expect_error(SEND("2", "true", "") "(tensor<?xf32>) -> !stablehlo.token", "element-type");
  expect_error("%t: !stablehlo.token", "\"stablehlo.recv\"(%t) : (!stablehlo.token) -> ()",
               "operands");
}

#define INFEED(layout, out)                                                                        \
  "%t: !stablehlo.token",                                                                          \
      "%r:2 = \"stablehlo.infeed\"(%t) {infeed_config = \"x\", layout = " layout                   \
      "} : (!stablehlo.token) -> (" out ")"

Test(rules_channel, infeed_and_outfeed) {
  expect_sizes(INFEED("[[0, 1]]", "tensor<3x4xi32>, !stablehlo.token"), "[3, 4] *");
  expect_error(INFEED("[[0, 1]]", "tensor<3x?xi32>, !stablehlo.token"), "rank");
  expect_error(INFEED("[]", "tensor<3x3xi32>, !stablehlo.token"), "attribute");
  expect_error(INFEED("[[0, []]]", "tensor<3x3xi32>, !stablehlo.token"), "attribute");
  expect_error(INFEED("[0]", "tensor<3xi32>, !stablehlo.token"), "attribute");
  expect_error(INFEED("[[]]", "tensor<i32>, !stablehlo.token"), NULL);
  expect_error(INFEED("\"no\"", "tensor<i32>, !stablehlo.token"), "attribute");
  expect_error(
      "%a: tensor<?xf32>, %t: !stablehlo.token",
      "%r = \"stablehlo.outfeed\"(%a, %t) : (tensor<?xf32>, !stablehlo.token) -> !stablehlo.token",
      NULL);
  expect_error(
      "%a: tensor<?xf32>, %t: !stablehlo.token",
      "%r = \"stablehlo.outfeed\"(%t, %a) : (!stablehlo.token, tensor<?xf32>) -> !stablehlo.token",
      "element-type");
}
