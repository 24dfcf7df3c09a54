// get_dimension_size takes tensors of numbers only.
func.func @main(%m: tensor<2x?xindex>, %q: tensor<?x!quant.uniform<i8:f32, 0.1>>, %s: tensor<?xindex>) -> (index, tensor<?xindex>) {
  %c1 = arith.constant 1 : index
  %two = tensor.extract %m[%c1, %c1] : tensor<2x?xindex>
  %r = arith.addi %s, %s : tensor<?xindex>
  %z = tensor.extract %s[%c1] : tensor<?xindex>
  %i = "stablehlo.add"(%q, %q) : (tensor<?x!quant.uniform<i8:f32, 0.1>>, tensor<?x!quant.uniform<i8:f32, 0.1>>) -> tensor<4x!quant.uniform<i8:f32, 0.1>>
  return %two, %r : index, tensor<?xindex>
}
