// Values by their SSA names: an integer, a dim, a result of several.
func.func @main(%t: tensor<?x?xf32>, %n: index) -> (index, index) {
  %c1 = arith.constant 1 : index
  %d = tensor.dim %t, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%d, %n) : tensor<?x?xf32>
  %q:2 = affine.delinearize_index %n into (8) : index, index
  return %q#0, %q#1 : index, index
}
