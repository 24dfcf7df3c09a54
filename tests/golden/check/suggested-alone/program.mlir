// Only the equality is suggested: that %n has an element was tried, proves nothing, and is not assumed of the result.
func.func @main(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>, %n: tensor<?xf32>) -> tensor<?xf32> {
  %s = shape.shape_of %x : tensor<?x8xf32> -> tensor<2xindex>
  %t = shape.shape_of %y : tensor<?x8xf32> -> tensor<2xindex>
  %w = shape.cstr_broadcastable %s, %t : tensor<2xindex>, tensor<2xindex>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %n, %c0 : tensor<?xf32>
  %m = arith.maxsi %d, %c1 : index
  %p = arith.addi %m, %c1 : index
  %r = tensor.empty(%p) : tensor<?xf32>
  return %r : tensor<?xf32>
}
