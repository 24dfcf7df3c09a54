// With 2 elements the branch that counts to 2 - 6 does not run: that number is no constant, for it is no dimension.
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c6 = stablehlo.constant dense<6> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %d = stablehlo.subtract %n, %c6 : tensor<i32>
  %long = stablehlo.compare GE, %n, %c6 : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %r = "stablehlo.if"(%long) ({
    %v = stablehlo.reshape %d : (tensor<i32>) -> tensor<1xi32>
    %i = stablehlo.dynamic_iota %v, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
    stablehlo.return %i : tensor<?xf32>
  }, {
    %t = stablehlo.tanh %x : tensor<?xf32>
    stablehlo.return %t : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
