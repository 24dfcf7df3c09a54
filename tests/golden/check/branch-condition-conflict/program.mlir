// What conflicts by the condition of a branch alone leaves the other runs legal: warnings, and the condition is excluded.
func.func @numbers(%b: tensor<i1>, %x: tensor<2xf32>) -> tensor<?xf32> {
  %two = stablehlo.constant dense<[2]> : tensor<1xi32>
  %three = stablehlo.constant dense<[3]> : tensor<1xi32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %n = "stablehlo.if"(%b) ({
    stablehlo.return %three : tensor<1xi32>
  }, {
    stablehlo.return %two : tensor<1xi32>
  }) : (tensor<i1>) -> tensor<1xi32>
  %z = stablehlo.dynamic_broadcast_in_dim %one, %n, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  %r = "stablehlo.if"(%b) ({
    %0 = chlo.broadcast_add %x, %z : (tensor<2xf32>, tensor<?xf32>) -> tensor<?xf32>
    stablehlo.return %0 : tensor<?xf32>
  }, {
    stablehlo.return %z : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// Both branches conflict, each by its condition: no run is legal.
func.func @both(%b: tensor<i1>, %x: tensor<4xf32>) -> tensor<?xf32> {
  %two = stablehlo.constant dense<[2]> : tensor<1xi32>
  %three = stablehlo.constant dense<[3]> : tensor<1xi32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %n = "stablehlo.if"(%b) ({
    stablehlo.return %three : tensor<1xi32>
  }, {
    stablehlo.return %two : tensor<1xi32>
  }) : (tensor<i1>) -> tensor<1xi32>
  %z = stablehlo.dynamic_broadcast_in_dim %one, %n, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
  %r = "stablehlo.if"(%b) ({
    %0 = chlo.broadcast_add %x, %z : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
    stablehlo.return %0 : tensor<?xf32>
  }, {
    %0 = chlo.broadcast_add %x, %z : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
    stablehlo.return %0 : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// Numbers that conflict whatever chooses the branch are an error as before.
func.func @alone(%b: tensor<i1>, %x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<?xf32> {
  %r = "stablehlo.if"(%b) ({
    %0 = chlo.broadcast_add %x, %y : (tensor<2xf32>, tensor<3xf32>) -> tensor<?xf32>
    stablehlo.return %0 : tensor<?xf32>
  }, {
    %1 = tensor.cast %x : tensor<2xf32> to tensor<?xf32>
    stablehlo.return %1 : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
