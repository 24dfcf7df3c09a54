// What the product needs tells sizes of both arguments, and of the bias that is added to it.
func.func @main(%x: tensor<?x?xf32>, %w: tensor<?x16xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x16xf32>) -> tensor<?x16xf32>
  %1 = "stablehlo.add"(%0, %b) : (tensor<?x16xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
