// SPDX-License-Identifier: Apache-2.0
// Users give ranges and relations of dims.
// run: check --assume "arg0.0 <= 512" --assume "arg0.0 == arg1.0" FILE
// has: ..512
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  return %y : tensor<?xf32>
}
