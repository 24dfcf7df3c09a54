func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, index) {
  %0 = shape.shape_of %x : tensor<?xf32> -> !shape.shape
  %1 = shape.shape_of %y : tensor<?xf32> -> tensor<1xindex>
  %2 = shape.cstr_broadcastable %0, %1 : !shape.shape, tensor<1xindex>
  %3 = shape.assuming %2 -> (tensor<?xf32>) {
    // both as the broadcast is
    %b = shape.broadcast %0, %1 : !shape.shape, tensor<1xindex> -> !shape.shape
    %4 = shape.to_extent_tensor %b : !shape.shape -> tensor<1xindex>
    %5 = stablehlo.dynamic_broadcast_in_dim %x, %4, dims = [0] : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
    %6 = stablehlo.dynamic_broadcast_in_dim %y, %4, dims = [0] : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>
    %7 = stablehlo.add %5, %6 : tensor<?xf32>
    shape.assuming_yield %7 : tensor<?xf32>
  }
  %4 = shape.num_elements %0 : !shape.shape -> !shape.size
  %5 = shape.const_size 2
  %6 = shape.div %4, %5 : !shape.size, !shape.size -> !shape.size
  %7 = shape.size_to_index %6 : !shape.size
  return %3, %7 : tensor<?xf32>, index
}
