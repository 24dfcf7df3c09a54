// Two operations that never run have no room for the sizes of the others: they keep the types of their own results, and
// the argument has the size that it was given, which is why the second branch cannot run.
module {
  func.func @main(%a: tensor<?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
    %n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %is_three = stablehlo.compare EQ, %n, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %x = "stablehlo.if"(%is_three) ({
      %two = stablehlo.constant dense<2> : tensor<i32>
      %half = stablehlo.divide %n, %two : tensor<i32>
      %pair = stablehlo.constant dense<2> : tensor<1xi32>
      %rows = stablehlo.reshape %half : (tensor<i32>) -> tensor<1xi32>
      %sizes = stablehlo.concatenate %rows, %pair, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
      %matrix = stablehlo.dynamic_reshape %a, %sizes : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %sums = stablehlo.reduce(%matrix init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
      stablehlo.return %sums : tensor<?xf32>
    }, {
      stablehlo.return %a : tensor<?xf32>
    }) : (tensor<i1>) -> tensor<?xf32>
    %none = "stablehlo.broadcast"(%x) {broadcast_sizes = array<i64: 0>} : (tensor<?xf32>) -> tensor<0x?xf32>
    %limit = stablehlo.constant dense<2> : tensor<i32>
    %is_small = stablehlo.compare LT, %n, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %y = "stablehlo.if"(%is_small) ({
      %kept = stablehlo.tanh %none : (tensor<0x?xf32>) -> tensor<?x?xf32>
      stablehlo.return %kept : tensor<?x?xf32>
    }, {
      %row = stablehlo.slice %none [0:1:1, 0:1:1] : (tensor<0x?xf32>) -> tensor<?x?xf32>
      stablehlo.return %row : tensor<?x?xf32>
    }) : (tensor<i1>) -> tensor<?x?xf32>
    return %x, %y : tensor<?xf32>, tensor<?x?xf32>
  }
}
