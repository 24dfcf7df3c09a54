func.func @main() -> (tensor<*xi64>, tensor<*xi64>, tensor<*xi64>, tensor<*xi64>, tensor<*xf32>, tensor<*xi64>, tensor<*xi64>) {
  %0 = "onnx.Constant"() {value_ints = [1, 2, 3]} : () -> tensor<*xi64>
  %1 = "onnx.Constant"() {value_ints = ["a", "b", "c", "d"]} : () -> tensor<*xi64>
  %2 = "onnx.Constant"() {value_ints = {a = 1}} : () -> tensor<*xi64>
  %3 = "onnx.Constant"() {value_int = dense<7.5> : tensor<40xf32>} : () -> tensor<*xi64>
  %4 = "onnx.Constant"() {value_floats = [1.5, 2.5]} : () -> tensor<*xf32>
  %5 = "onnx.Constant"() {value_int = 1.5 : f64} : () -> tensor<*xi64>
  %6 = "onnx.Constant"() {value_int = dense<[1, 2]> : tensor<2xi64>} : () -> tensor<*xi64>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<*xi64>, tensor<*xi64>, tensor<*xi64>, tensor<*xi64>, tensor<*xf32>, tensor<*xi64>, tensor<*xi64>
}
