// An element too large to be written out stands as a name; that an assertion makes it a number is a guard still.
module {
  func.func @main(%a0: tensor<i32>, %a1: tensor<i32>) -> tensor<i1> {
    %v2 = "stablehlo.case"(%a0) ({
      stablehlo.return %a1 : tensor<i32>
    }, {
      stablehlo.return %a0 : tensor<i32>
    }, {
      stablehlo.return %a0 : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    %v3 = "stablehlo.case"(%v2) ({
      stablehlo.return %v2 : tensor<i32>
    }, {
      stablehlo.return %v2 : tensor<i32>
    }, {
      stablehlo.return %v2 : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    %v9 = stablehlo.constant dense<3> : tensor<i32>
    %v10 = stablehlo.compare EQ, %v3, %v9 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%v10) {api_version = 2 : i32, error_message = "no", has_side_effect = true} : (tensor<i1>) -> ()
    return %v10 : tensor<i1>
  }
}
