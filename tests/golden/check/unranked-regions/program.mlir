// What regions and calls hand over may have no rank where the type has one.
func.func private @f(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }
func.func @main(%u: tensor<*xf32>, %a: tensor<?x?xf32>, %p: tensor<i32>, %q: tensor<i1>) -> (tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>) {
  %r = func.call @f(%u) : (tensor<*xf32>) -> tensor<?xf32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %i:2 = stablehlo.while(%k = %p, %x = %a) : tensor<i32>, tensor<?x?xf32>
   cond { %c = stablehlo.compare GT, %k, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1> } do {
    %n = stablehlo.subtract %k, %one : tensor<i32>
    stablehlo.return %n, %u : tensor<i32>, tensor<*xf32>
  }
  %b = "stablehlo.if"(%q) ({ stablehlo.return %u : tensor<*xf32> }, { stablehlo.return %a : tensor<?x?xf32> }) : (tensor<i1>) -> tensor<?x?xf32>
  return %r, %i#1, %b : tensor<?xf32>, tensor<?x?xf32>, tensor<?x?xf32>
}
