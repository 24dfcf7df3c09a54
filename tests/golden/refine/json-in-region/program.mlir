// With 4 elements the loop in the branch that need not run cannot reshape to three rows: nothing may say 4 there.
func.func @main(%a: tensor<?xf32>, %p: tensor<i1>) {
  %n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  "stablehlo.if"(%p) ({
    stablehlo.return
  }, {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %down = stablehlo.constant dense<-1> : tensor<i32>
    %end = stablehlo.while(%i = %zero) : tensor<i32>
     cond {
      %two = stablehlo.constant dense<2> : tensor<i32>
      %h = stablehlo.divide %n, %two : tensor<i32>
      %h1 = stablehlo.reshape %h : (tensor<i32>) -> tensor<1xi32>
      %t1 = stablehlo.reshape %two : (tensor<i32>) -> tensor<1xi32>
      %s = stablehlo.concatenate %t1, %h1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
      %halves = stablehlo.dynamic_reshape %a, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %three = stablehlo.constant dense<3> : tensor<i32>
      %h = stablehlo.divide %n, %three : tensor<i32>
      %h1 = stablehlo.reshape %h : (tensor<i32>) -> tensor<1xi32>
      %t1 = stablehlo.reshape %three : (tensor<i32>) -> tensor<1xi32>
      %s = stablehlo.concatenate %t1, %h1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
      %thirds = stablehlo.dynamic_reshape %a, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
      %j = stablehlo.add %i, %down : tensor<i32>
      stablehlo.return %j : tensor<i32>
    }
    stablehlo.return
  }) : (tensor<i1>) -> ()
  func.return
}
