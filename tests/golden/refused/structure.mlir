// SPDX-License-Identifier: Apache-2.0
func.func @tuple_c1(%a: tensor<2xf32>) {
  // refused: operand #0 is tensor<2xf32>, element #0 of the tuple is tensor<3xf32>
  %r = "stablehlo.tuple"(%a) : (tensor<2xf32>) -> tuple<tensor<3xf32>>
  return
}

func.func @tuple_count(%a: tensor<2xf32>) {
  // refused: 1 operands make a tuple of 2 elements
  %r = "stablehlo.tuple"(%a) : (tensor<2xf32>) -> tuple<tensor<2xf32>, tensor<2xf32>>
  return
}

func.func @gte_c1(%a: tuple<tensor<2xf32>>) {
  // refused: index 1 is not one of a tuple of 1 elements
  %r = "stablehlo.get_tuple_element"(%a) {index = 1 : i32} : (tuple<tensor<2xf32>>) -> tensor<2xf32>
  return
}

func.func @gte_c2(%a: tuple<tensor<2xf32>>) {
  // refused: element #0 of the tuple is tensor<2xf32>, the result is tensor<3xf32>
  // refused: result #0 has the shape [2], its declared type is tensor<3xf32>
  %r = "stablehlo.get_tuple_element"(%a) {index = 0 : i32} : (tuple<tensor<2xf32>>) -> tensor<3xf32>
  return
}

func.func @barrier_c1(%a: tensor<2xf32>) {
  // refused: operand #0 is tensor<2xf32>, result #0 is tensor<3xf32>
  // refused: result #0 has the shape [2], its declared type is tensor<3xf32>
  %r = "stablehlo.optimization_barrier"(%a) : (tensor<2xf32>) -> tensor<3xf32>
  return
}

func.func @if_legal(%p: tensor<i1>) {
  %r = "stablehlo.if"(%p) ({%c = stablehlo.constant dense<1.0> : tensor<2xf32> "stablehlo.return"(%c) : (tensor<2xf32>) -> ()}, {%c = stablehlo.constant dense<1.0> : tensor<2xf32> "stablehlo.return"(%c) : (tensor<2xf32>) -> ()}) : (tensor<i1>) -> tensor<2xf32>
  return
}

func.func @if_c2(%p: tensor<i1>) {
  // refused: branch #1 returns tensor<3xf32> as value #0, branch #0 returns tensor<2xf32>
  // refused: a branch must return the declared dim: found 3 and 2
  %r = "stablehlo.if"(%p) ({%c = stablehlo.constant dense<1.0> : tensor<2xf32> "stablehlo.return"(%c) : (tensor<2xf32>) -> ()}, {%c = stablehlo.constant dense<1.0> : tensor<3xf32> "stablehlo.return"(%c) : (tensor<3xf32>) -> ()}) : (tensor<i1>) -> tensor<2xf32>
  return
}

func.func @if_c3(%p: tensor<i1>) {
  // refused: branch #0 returns tensor<2xf32> as value #0, the result is tensor<3xf32>
  // refused: a branch must return the declared dim: found 2 and 3
  %r = "stablehlo.if"(%p) ({%c = stablehlo.constant dense<1.0> : tensor<2xf32> "stablehlo.return"(%c) : (tensor<2xf32>) -> ()}, {%c = stablehlo.constant dense<1.0> : tensor<2xf32> "stablehlo.return"(%c) : (tensor<2xf32>) -> ()}) : (tensor<i1>) -> tensor<3xf32>
  return
}

func.func @if_i1(%p: tensor<2xi1>) {
  // refused: the pred has rank 1, a scalar is needed
  %r = "stablehlo.if"(%p) ({%c = stablehlo.constant dense<1.0> : tensor<2xf32> "stablehlo.return"(%c) : (tensor<2xf32>) -> ()}, {%c = stablehlo.constant dense<1.0> : tensor<2xf32> "stablehlo.return"(%c) : (tensor<2xf32>) -> ()}) : (tensor<2xi1>) -> tensor<2xf32>
  return
}

func.func @if_c1_args(%p: tensor<i1>) {
  // refused: branch #0 takes 1 values, a branch takes none
  %r = "stablehlo.if"(%p) ({^bb0(%x: tensor<f32>): "stablehlo.return"(%x) : (tensor<f32>) -> ()}, {%c = stablehlo.constant dense<1.0> : tensor<f32> "stablehlo.return"(%c) : (tensor<f32>) -> ()}) : (tensor<i1>) -> tensor<f32>
  return
}

func.func @if_count(%p: tensor<i1>) {
  // refused: branch #0 returns 1 values, there are 2 results
  %r:2 = "stablehlo.if"(%p) ({%c = stablehlo.constant dense<1.0> : tensor<f32> "stablehlo.return"(%c) : (tensor<f32>) -> ()}, {%c = stablehlo.constant dense<1.0> : tensor<f32> "stablehlo.return"(%c) : (tensor<f32>) -> ()}) : (tensor<i1>) -> (tensor<f32>, tensor<f32>)
  return
}

func.func @case_c1(%p: tensor<i32>) {
  // refused: there is no branch
  %r = "stablehlo.case"(%p) : (tensor<i32>) -> tensor<f32>
  return
}

func.func @case_c3(%p: tensor<i32>) {
  // refused: branch #1 returns tensor<3xf32> as value #0, branch #0 returns tensor<2xf32>
  // refused: a branch must return the declared dim: found 3 and 2
  %r = "stablehlo.case"(%p) ({%c = stablehlo.constant dense<1.0> : tensor<2xf32> "stablehlo.return"(%c) : (tensor<2xf32>) -> ()}, {%c = stablehlo.constant dense<1.0> : tensor<3xf32> "stablehlo.return"(%c) : (tensor<3xf32>) -> ()}) : (tensor<i32>) -> tensor<2xf32>
  return
}

func.func @case_i1(%p: tensor<i64>) {
  // refused: operand #0 is tensor<i64>: i32 needed
  %r = "stablehlo.case"(%p) ({%c = stablehlo.constant dense<1.0> : tensor<2xf32> "stablehlo.return"(%c) : (tensor<2xf32>) -> ()}, {%c = stablehlo.constant dense<1.0> : tensor<2xf32> "stablehlo.return"(%c) : (tensor<2xf32>) -> ()}) : (tensor<i64>) -> tensor<2xf32>
  return
}

func.func @while_legal(%a: tensor<2xf32>) {
  %r = "stablehlo.while"(%a) ({^bb0(%x: tensor<2xf32>): %c = stablehlo.constant dense<true> : tensor<i1> "stablehlo.return"(%c) : (tensor<i1>) -> ()}, {^bb0(%x: tensor<2xf32>): %y = stablehlo.constant dense<0.0> : tensor<2xf32> "stablehlo.return"(%y) : (tensor<2xf32>) -> ()}) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

func.func @while_c1_cond(%a: tensor<2xf32>) {
  // refused: parameter of the condition #0 is tensor<3xf32>, operand #0 is tensor<2xf32>
  %r = "stablehlo.while"(%a) ({^bb0(%x: tensor<3xf32>): %c = stablehlo.constant dense<true> : tensor<i1> "stablehlo.return"(%c) : (tensor<i1>) -> ()}, {^bb0(%x: tensor<2xf32>): %y = stablehlo.constant dense<0.0> : tensor<2xf32> "stablehlo.return"(%y) : (tensor<2xf32>) -> ()}) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

func.func @while_c1_ret(%a: tensor<2xf32>) {
  // refused: the condition returns tensor<i32>, tensor<i1> is needed
  %r = "stablehlo.while"(%a) ({^bb0(%x: tensor<2xf32>): %c = stablehlo.constant dense<1> : tensor<i32> "stablehlo.return"(%c) : (tensor<i32>) -> ()}, {^bb0(%x: tensor<2xf32>): %y = stablehlo.constant dense<0.0> : tensor<2xf32> "stablehlo.return"(%y) : (tensor<2xf32>) -> ()}) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

func.func @while_c1_rank(%a: tensor<2xf32>) {
  // refused: the condition returns tensor<2xi1>, tensor<i1> is needed
  %r = "stablehlo.while"(%a) ({^bb0(%x: tensor<2xf32>): %c = stablehlo.constant dense<true> : tensor<2xi1> "stablehlo.return"(%c) : (tensor<2xi1>) -> ()}, {^bb0(%x: tensor<2xf32>): %y = stablehlo.constant dense<0.0> : tensor<2xf32> "stablehlo.return"(%y) : (tensor<2xf32>) -> ()}) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

func.func @while_c2_body(%a: tensor<2xf32>) {
  // refused: parameter of the body #0 is tensor<3xf32>, operand #0 is tensor<2xf32>
  %r = "stablehlo.while"(%a) ({^bb0(%x: tensor<2xf32>): %c = stablehlo.constant dense<true> : tensor<i1> "stablehlo.return"(%c) : (tensor<i1>) -> ()}, {^bb0(%x: tensor<3xf32>): %y = stablehlo.constant dense<0.0> : tensor<2xf32> "stablehlo.return"(%y) : (tensor<2xf32>) -> ()}) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

func.func @while_c2_ret(%a: tensor<2xf32>) {
  // refused: result of the body #0 is tensor<3xf32>, operand #0 is tensor<2xf32>
  // refused: the body must return the declared dim: found 3 and 2
  %r = "stablehlo.while"(%a) ({^bb0(%x: tensor<2xf32>): %c = stablehlo.constant dense<true> : tensor<i1> "stablehlo.return"(%c) : (tensor<i1>) -> ()}, {^bb0(%x: tensor<2xf32>): %y = stablehlo.constant dense<0.0> : tensor<3xf32> "stablehlo.return"(%y) : (tensor<3xf32>) -> ()}) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

func.func @while_c3(%a: tensor<2xf32>) {
  // refused: result #0 has the shape [2], its declared type is tensor<3xf32>
  // refused: the body must return the declared dim: found 2 and 3
  %r = "stablehlo.while"(%a) ({^bb0(%x: tensor<2xf32>): %c = stablehlo.constant dense<true> : tensor<i1> "stablehlo.return"(%c) : (tensor<i1>) -> ()}, {^bb0(%x: tensor<2xf32>): %y = stablehlo.constant dense<0.0> : tensor<2xf32> "stablehlo.return"(%y) : (tensor<2xf32>) -> ()}) : (tensor<2xf32>) -> tensor<3xf32>
  return
}

func.func @uniform_quantize_legal(%a: tensor<2x3xf32>) {
  %r = "stablehlo.uniform_quantize"(%a) : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>
  return
}

func.func @uniform_quantize_c1(%a: tensor<2x3xf32>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4x!quant.uniform<i8:f32, 0.5:1>>
  %r = "stablehlo.uniform_quantize"(%a) : (tensor<2x3xf32>) -> tensor<2x4x!quant.uniform<i8:f32, 0.5:1>>
  return
}

func.func @uniform_quantize_c2(%a: tensor<2x3xf64>) {
  // refused: the operand is tensor<2x3xf64>, the result is tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>: the types that they express differ
  %r = "stablehlo.uniform_quantize"(%a) : (tensor<2x3xf64>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>
  return
}

func.func @uniform_dequantize_c1(%a: tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>) {
  // refused: result #0 has the shape [2, 3], its declared type is tensor<2x4xf32>
  %r = "stablehlo.uniform_dequantize"(%a) : (tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x4xf32>
  return
}

func.func @uniform_dequantize_c2(%a: tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>) {
  // refused: the operand is tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>, the result is tensor<2x3xf64>: the types that they express differ
  %r = "stablehlo.uniform_dequantize"(%a) : (tensor<2x3x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x3xf64>
  return
}

func.func @uniform_quantize_axis_scales(%a: tensor<2x3xf32>) {
  // refused: result #0 is tensor<2x3x!quant.uniform<i8:f32:1, {0.5:1, 0.5}>>: it has 2 scales for 3 elements along axis 1
  %r = "stablehlo.uniform_quantize"(%a) : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32:1, {0.5:1, 0.5}>>
  return
}

func.func @uniform_quantize_axis_range(%a: tensor<2x3xf32>) {
  // refused: result #0 is tensor<2x3x!quant.uniform<i8:f32:2, {0.5:1, 0.5, 0.5}>>: it is quantized along axis 2 and has rank 2
  %r = "stablehlo.uniform_quantize"(%a) : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32:2, {0.5:1, 0.5, 0.5}>>
  return
}
