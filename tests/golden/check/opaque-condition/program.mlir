// A body that fails in every run that reaches it, where a custom call decides whether one does: it is unchecked.
func.func @main(%a0: tensor<?xf32, #stablehlo.bounds<1>>, %p: tensor<i1>, %a1: tensor<?xf32>, %a2: tensor<i32>, %a3: tensor<i32>) -> tensor<?xf32> {
    %q = stablehlo.custom_call @f(%a2) : (tensor<i32>) -> tensor<i32>
    %n = stablehlo.get_dimension_size %a1, dim = 0 : (tensor<?xf32>) -> tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %r = stablehlo.while(%i = %n) : tensor<i32>
     cond {
      %c = stablehlo.compare NE, %i, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %s = stablehlo.get_dimension_size %a0, dim = 0 : (tensor<?xf32, #stablehlo.bounds<1>>) -> tensor<i32>
      %three = stablehlo.constant dense<3> : tensor<i32>
      %d = stablehlo.divide %s, %three : tensor<i32>
      %d1 = stablehlo.reshape %d : (tensor<i32>) -> tensor<1xi32>
      %t1 = stablehlo.reshape %three : (tensor<i32>) -> tensor<1xi32>
      %to = stablehlo.concatenate %t1, %d1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
      %w = stablehlo.dynamic_reshape %a0, %to : (tensor<?xf32, #stablehlo.bounds<1>>, tensor<2xi32>) -> tensor<?x?xf32>
      %j = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %j : tensor<i32>
    }
    %z = stablehlo.slice %a0 [0:1:1] : (tensor<?xf32, #stablehlo.bounds<1>>) -> tensor<?xf32>
    return %z : tensor<?xf32>
}
