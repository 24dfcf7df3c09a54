// Nothing uses the slice, and its end is -1 where it runs: without it the program would run where it was refused.
func.func @main(%a: tensor<?xf32>, %i: tensor<i32>, %end: tensor<i32>, %n: tensor<i32>) -> tensor<i32> {
  %step = stablehlo.constant dense<-1> : tensor<i32>
  %r = stablehlo.while(%k = %i) : tensor<i32>
   cond {
    %more = stablehlo.compare GT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %limit = stablehlo.reshape %end : (tensor<i32>) -> tensor<1xi32>
    %start = stablehlo.constant dense<0> : tensor<1xi32>
    %one = stablehlo.constant dense<1> : tensor<1xi32>
    %part = stablehlo.real_dynamic_slice %a, %start, %limit, %one : (tensor<?xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xf32>
    %next = stablehlo.add %k, %step : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  return %r : tensor<i32>
}
