// SPDX-License-Identifier: Apache-2.0
// chlo_legacy.cstr_reshapable is read.
// run: check FILE
// not: no rule
// not: not known
func.func @main(%n: index, %s: tensor<2xi32>) -> !shape.witness {
  %0 = "chlo_legacy.cstr_reshapable"(%n, %s) : (index, tensor<2xi32>) -> !shape.witness
  return %0 : !shape.witness
}
