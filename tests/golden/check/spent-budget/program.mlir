// A requirement that is stated when no step is left is a guard all the same.
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?xf32>, %c: tensor<?xf32>, %p: tensor<i1>) -> tensor<?xf32> {
  %s = stablehlo.get_dimension_size %b, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %n = stablehlo.reshape %s : (tensor<i32>) -> tensor<1xi32>
  %flat = stablehlo.dynamic_reshape %a, %n : (tensor<?x?xf32>, tensor<1xi32>) -> tensor<?xf32>
  %r = "stablehlo.if"(%p) ({
    %0 = stablehlo.slice %flat [1:4] : (tensor<?xf32>) -> tensor<3xf32>
    %1 = stablehlo.concatenate %flat, %b, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
    %2 = stablehlo.add %1, %c : tensor<?xf32>
    stablehlo.return %2 : tensor<?xf32>
  }, {
    stablehlo.return %b : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}
