// A slice needs 16 elements of the last dim; the table has 12 rows.
func.func @main(%x: tensor<4x12x20xf32>) -> tensor<4x12x16xf32> {
  %table = stablehlo.constant dense<1.0> : tensor<12x16xf32>
  %0 = stablehlo.slice %x [0:4, 0:12, 0:16] : (tensor<4x12x20xf32>) -> tensor<4x12x16xf32>
  %1 = stablehlo.broadcast_in_dim %table, dims = [1, 2] : (tensor<12x16xf32>) -> tensor<4x12x16xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x12x16xf32>
  return %2 : tensor<4x12x16xf32>
}
