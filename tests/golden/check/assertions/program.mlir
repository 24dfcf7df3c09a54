// What assertions say is required, and after each it is a fact: the operands of the addition have one size.
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>, %k: tensor<i32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %m = tensor.dim %a, %c0 : tensor<?xf32>
  %n = tensor.dim %b, %c0 : tensor<?xf32>
  %same = arith.cmpi eq, %m, %n : index
  cf.assert %same, "the lengths differ"
  %r = arith.remui %m, %c3 : index
  %whole = arith.cmpi eq, %r, %c0 : index
  cf.assert %whole, "no multiple of 3"
  %s = stablehlo.add %a, %b : tensor<?xf32>
  return %s : tensor<?xf32>
}
