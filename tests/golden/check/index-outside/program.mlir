// A number that is no index of a dim is undefined at run time, and not an error of the program.
func.func @main(%s: tensor<3xindex>, %m: tensor<2x?xindex>) -> (index, index, index) {
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %one = tensor.extract %s[%c4] : tensor<3xindex>
  %two = tensor.extract %m[%c4, %c1] : tensor<2x?xindex>
  %three = tensor.extract %s[%c1] : tensor<3xindex>
  return %one, %two, %three : index, index, index
}
