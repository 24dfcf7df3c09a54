// Quotients, minima, products and values of arguments of each kind.
func.func @main(%x: tensor<?x?xf32>, %n: index, %k: i32, %s: tensor<2xi32>, %t: tensor<index>, %l: i64) -> (tensor<6x8xf32>, tensor<?x?xf32>) {
  %c3 = arith.constant 3 : index
  %q = arith.floordivsi %n, %c3 : index
  %a = tensor.empty(%q) : tensor<?xf32>
  %k64 = arith.extsi %k : i32 to i64
  %ki = arith.index_cast %k64 : i64 to index
  %b = tensor.empty(%ki) : tensor<?xf32>
  %li = arith.index_cast %l : i64 to index
  %m = arith.minsi %li, %n : index
  %c = tensor.empty(%m) : tensor<?xf32>
  %v = tensor.extract %t[] : tensor<index>
  %d = tensor.empty(%v) : tensor<?xf32>
  %0 = stablehlo.add %a, %b : tensor<?xf32>
  %1 = stablehlo.add %c, %d : tensor<?xf32>
  %2 = stablehlo.reshape %x : (tensor<?x?xf32>) -> tensor<6x8xf32>
  %3 = stablehlo.dynamic_reshape %x, %s : (tensor<?x?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %2, %3 : tensor<6x8xf32>, tensor<?x?xf32>
}
