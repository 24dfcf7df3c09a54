// An index that an argument gives is a guard, one that is computed from data is unchecked, and so is what a function
// without a body requires beyond the types of its arguments.
func.func private @elsewhere(tensor<?x4xf32>) -> tensor<?xf32>
func.func @main(%x: tensor<?x?xf32>, %s: tensor<?xindex>, %h: !shape.shape, %i: index, %data: tensor<?xi32>) -> (index, index, !shape.size, index, tensor<?xf32>) {
  %dim = tensor.dim %x, %i : tensor<?x?xf32>
  %one = tensor.extract %s[%i] : tensor<?xindex>
  %extent = shape.get_extent %h, %i : !shape.shape, index -> !shape.size
  %c0 = arith.constant 0 : index
  %k = tensor.extract %data[%c0] : tensor<?xi32>
  %j = arith.index_cast %k : i32 to index
  %two = tensor.dim %x, %j : tensor<?x?xf32>
  %r = func.call @elsewhere(%x) : (tensor<?x?xf32>) -> tensor<?xf32>
  return %dim, %one, %extent, %two, %r : index, index, !shape.size, index, tensor<?xf32>
}
