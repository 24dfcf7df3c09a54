// A table of 384 rows limits T, and rows of 4 need H to be a multiple of 4.
func.func @main(%x: tensor<?x?xf32>, %h: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?x4xf32>) {
  %t = stablehlo.constant dense<0.0> : tensor<384xf32>
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %o = stablehlo.constant dense<1> : tensor<1xi32>
  %l = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.real_dynamic_slice %t, %z, %l, %o : (tensor<384xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %br = stablehlo.reshape %b : (tensor<i32>) -> tensor<1xi32>
  %bt = stablehlo.concatenate %br, %l, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %w = stablehlo.dynamic_broadcast_in_dim %s, %bt, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %y = stablehlo.add %x, %w : tensor<?x?xf32>
  %c = stablehlo.constant dense<4> : tensor<i32>
  %k = stablehlo.get_dimension_size %h, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %q = stablehlo.divide %k, %c : tensor<i32>
  %qr = stablehlo.reshape %q : (tensor<i32>) -> tensor<1xi32>
  %cr = stablehlo.reshape %c : (tensor<i32>) -> tensor<1xi32>
  %d = stablehlo.concatenate %qr, %cr, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %r = stablehlo.dynamic_reshape %h, %d : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  return %y, %r : tensor<?x?xf32>, tensor<?x4xf32>
}
