// What loc says of operations: a file, an alias of one, a name, a call site, and several at once.
#inner = loc("layers.py":30:5)
#outer = loc("model.py":12:7)
#both = loc(callsite("dense"(#inner) at #outer))
#loop = loc(fused[#loop, #loop, #loop])
func.func @main(%a: tensor<2xf32> loc("a"), %b: tensor<3xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.add"(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32> loc(#outer)
  %1 = stablehlo.multiply %a, %b : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32> loc(#both)
  %2 = "stablehlo.subtract"(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32> loc(fused<"pass: a ] b">["f.py":1:2, unknown, "x"])
  %3 = "stablehlo.divide"(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32> loc(#loop)
  %4 = "stablehlo.power"(%a, %b) : (tensor<2xf32>, tensor<3xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32> loc("model.py":20:1)
} loc(unknown)
