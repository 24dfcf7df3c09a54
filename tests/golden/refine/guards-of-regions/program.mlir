// What a branch, the body of a loop and a function that a branch calls require counts only where they run.
func.func private @halves(%x: tensor<?xf32>) -> tensor<?x2xf32> {
  %two = stablehlo.constant dense<2> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %h = stablehlo.divide %n, %two : tensor<i32>
  %h1 = stablehlo.reshape %h : (tensor<i32>) -> tensor<1xi32>
  %t1 = stablehlo.reshape %two : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %h1, %t1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %r = stablehlo.dynamic_reshape %x, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x2xf32>
  return %r : tensor<?x2xf32>
}
func.func @main(%p: tensor<i1>, %k: tensor<i32>, %a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = "stablehlo.if"(%p) ({
    %h = func.call @halves(%a) : (tensor<?xf32>) -> tensor<?x2xf32>
    stablehlo.return %a : tensor<?xf32>
  }, {
    stablehlo.return %a : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  %1 = stablehlo.add %0, %a : tensor<?xf32>
  %2 = "stablehlo.case"(%k) ({
    %s = stablehlo.add %a, %b : tensor<?xf32>
    stablehlo.return %b : tensor<?xf32>
  }, {
    stablehlo.return %b : tensor<?xf32>
  }) : (tensor<i32>) -> tensor<?xf32>
  %3 = stablehlo.while(%i = %zero) : tensor<i32>
   cond {
    %c = stablehlo.compare LT, %i, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %h = func.call @halves(%b) : (tensor<?xf32>) -> tensor<?x2xf32>
    %l = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
    %w = stablehlo.dynamic_reshape %a, %l : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j : tensor<i32>
  }
  return %1, %3 : tensor<?xf32>, tensor<i32>
}
