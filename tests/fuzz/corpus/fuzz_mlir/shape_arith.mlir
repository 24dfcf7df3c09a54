func.func @f(%a: tensor<?x4xf32>, %p: i1, %i: index) -> index {
  %c0 = arith.constant 0 : index
  %0 = tensor.dim %a, %c0 : tensor<?x4xf32>
  %1 = arith.cmpi slt, %0, %i : index
  %2 = arith.select %1, %0, %i : index
  %3 = tensor.from_elements %2, %c0 : tensor<2xindex>
  %4 = tensor.extract %3[%c0] : tensor<2xindex>
  %5 = shape.shape_of %a : tensor<?x4xf32> -> tensor<2xindex>
  %6 = shape.cstr_broadcastable %5, %3 : tensor<2xindex>, tensor<2xindex>
  %7 = shape.assuming %6 -> (index) {
    shape.assuming_yield %4 : index
  }
  %8 = scf.if %p -> (index) {
    scf.yield %7 : index
  } else {
    scf.yield %i : index
  }
  return %8 : index
}
