// Operators of ONNX in torch-mlir: attributes have a prefix, an operand that is left out is %none, and rank 0 is written
// where the model says nothing of a shape.
func.func @main(%x: !torch.vtensor<[?,3,?,?],f32>, %w: !torch.vtensor<[8,3,3,3],f32>, %axes: !torch.vtensor<[1],si64>) -> !torch.vtensor<[?,?,?],f32> attributes {torch.onnx_meta.opset_version = 18 : si64} {
  %none = torch.constant.none
  %0 = torch.operator "onnx.Conv"(%x, %w, %none) {torch.onnx.pads = [1 : si64, 1 : si64, 1 : si64, 1 : si64], torch.onnx.strides = [2 : si64, 2 : si64]} : (!torch.vtensor<[?,3,?,?],f32>, !torch.vtensor<[8,3,3,3],f32>, !torch.none) -> !torch.vtensor<[?,8,?,?],f32>
  %1 = torch.operator "onnx.Constant"() {torch.onnx.value = dense<[1]> : tensor<1xsi64>} : () -> !torch.vtensor<[1],si64>
  %2 = torch.operator "onnx.ReduceMean"(%0, %1) {torch.onnx.keepdims = 0 : si64} : (!torch.vtensor<[?,8,?,?],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[?,?,?],f32>
  %3 = torch.operator "onnx.ReduceSum"(%2, %axes) {torch.onnx.keepdims = 0 : si64} : (!torch.vtensor<[?,?,?],f32>, !torch.vtensor<[1],si64>) -> !torch.vtensor<[],f32>
  return %2 : !torch.vtensor<[?,?,?],f32>
}
