// For 5 rows the first branch does not run: its window would start at 5 and end at 3: it stays dynamic.
func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x?xf32> {
  %c3 = stablehlo.constant dense<3> : tensor<i32>
  %ends = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %zero = stablehlo.constant dense<0> : tensor<1xi32>
  %zeros = stablehlo.constant dense<0> : tensor<2xi32>
  %rows = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %first = stablehlo.reshape %rows : (tensor<i32>) -> tensor<1xi32>
  %starts = stablehlo.concatenate %first, %zero, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %few = stablehlo.compare LE, %rows, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %r = "stablehlo.if"(%few) ({
    %w = stablehlo.real_dynamic_slice %x, %starts, %ends, %ones : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
    stablehlo.return %w : tensor<?x?xf32>
  }, {
    %s = stablehlo.real_dynamic_slice %y, %zeros, %ends, %ones : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
    stablehlo.return %s : tensor<?x?xf32>
  }) : (tensor<i1>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
