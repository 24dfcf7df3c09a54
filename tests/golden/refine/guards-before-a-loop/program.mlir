// The loop only ends where %n, in steps of %k, reaches %k: with steps of 0 nowhere but at %n == %k. The branch before it,
// which runs where %k is 0, needs %n to be within %a all the same.
func.func @main(%k: tensor<i32>, %n: tensor<i32>, %a: tensor<?xf32>) -> (tensor<?xf32>, tensor<i32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %z1 = stablehlo.constant dense<0> : tensor<1xi32>
  %s1 = stablehlo.constant dense<1> : tensor<1xi32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %k1 = stablehlo.reshape %k : (tensor<i32>) -> tensor<1xi32>
  %y = stablehlo.dynamic_broadcast_in_dim %z, %k1, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  %p = stablehlo.compare LT, %k, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %r = "stablehlo.if"(%p) ({
    %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
    %x = stablehlo.real_dynamic_slice %a, %z1, %n1, %s1 : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
    stablehlo.return %x : tensor<?xf32>
  }, {
    stablehlo.return %a : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  %e = stablehlo.while(%i = %n) : tensor<i32>
   cond {
    %q = stablehlo.compare NE, %k, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %q : tensor<i1>
  } do {
    %i1 = stablehlo.add %i, %k : tensor<i32>
    stablehlo.return %i1 : tensor<i32>
  }
  return %r, %e : tensor<?xf32>, tensor<i32>
}
