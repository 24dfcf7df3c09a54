func.func @main(%a: tensor<?xf32>, %p: tensor<i1>) {
  %n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  "stablehlo.if"(%p) ({
    "other.yield"() : () -> ()
  }, {
    %three = stablehlo.constant dense<3> : tensor<i32>
    %h = stablehlo.divide %n, %three : tensor<i32>
    %h1 = stablehlo.reshape %h : (tensor<i32>) -> tensor<1xi32>
    %t1 = stablehlo.reshape %three : (tensor<i32>) -> tensor<1xi32>
    %s = stablehlo.concatenate %t1, %h1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %thirds = stablehlo.dynamic_reshape %a, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
    stablehlo.return
  }) : (tensor<i1>) -> ()
  func.return
}
