// The loop does not run; its body would carry the second vector on in place of the first, which has another size.
func.func @main(%n: tensor<i32>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = stablehlo.constant dense<0> : tensor<i32>
  %c1 = stablehlo.constant dense<1> : tensor<i32>
  %r:3 = stablehlo.while(%k = %n, %u = %x, %v = %y) : tensor<i32>, tensor<?xf32>, tensor<?xf32>
    cond {
      %go = stablehlo.compare LT, %c0, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      %left = stablehlo.subtract %k, %c1 : tensor<i32>
      stablehlo.return %left, %v, %u : tensor<i32>, tensor<?xf32>, tensor<?xf32>
    }
  return %r#1, %r#2 : tensor<?xf32>, tensor<?xf32>
}
