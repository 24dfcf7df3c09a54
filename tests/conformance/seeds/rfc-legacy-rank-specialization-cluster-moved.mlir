// SPDX-License-Identifier: Apache-2.0
// chlo_legacy.rank_specialization_cluster returns what its region makes of the operands.
// run: check FILE
// has: in b [S0, 4] f32
// has: out result 0 [S0, 4] f32
// not: no rule
// not: unchecked
func.func @main(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = "chlo_legacy.rank_specialization_cluster"(%a, %b) ({
  ^bb0(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>):
    %1 = stablehlo.add %x, %y : tensor<?x4xf32>
    "chlo_legacy.rank_specialization_cluster_yield"(%1) : (tensor<?x4xf32>) -> ()
  }) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
