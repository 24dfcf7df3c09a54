// No operation of StableHLO: the assertions are of cf.
func.func @main(%a: tensor<?x4xf32>, %n: index, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c2 = arith.constant 2 : index
  %m = arith.muli %n, %c2 : index
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %0 = tensor.cast %c : tensor<?x?xf32> to tensor<?x8xf32>
  %1 = linalg.matmul ins(%a, %c : tensor<?x4xf32>, tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
