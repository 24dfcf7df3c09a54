// A body that squares a value on each trip, and one that nests a choice: neither is followed to the end.
func.func @main(%x: tensor<i32>, %rows: tensor<?x4xf32>) -> (tensor<i32>, tensor<?x4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %trips = stablehlo.constant dense<500> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<i32>
    cond {
      %c = stablehlo.compare LT, %i, %trips : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %n = stablehlo.add %i, %one : tensor<i32>
      %s = stablehlo.multiply %v, %v : tensor<i32>
      stablehlo.return %n, %s : tensor<i32>, tensor<i32>
    }
  return %r#1, %rows : tensor<i32>, tensor<?x4xf32>
}
