// SPDX-License-Identifier: Apache-2.0
// A feed-forward block: bias and GELU over [batch, length, 3072], then normalised over all tokens as [tokens, 3072].
func.func @main(%x: tensor<?x?x3072xf32>, %bias: tensor<?x?x3072xf32>,
                %scale: tensor<?x3072xf32>) -> tensor<?x3072xf32> {
  %h = stablehlo.add %x, %bias : tensor<?x?x3072xf32>
  %t = stablehlo.tanh %h : tensor<?x?x3072xf32>
  %g = stablehlo.multiply %h, %t : tensor<?x?x3072xf32>
  %b = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?x3072xf32>) -> tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?x3072xf32>) -> tensor<i32>
  %c = stablehlo.constant dense<3072> : tensor<1xi32>
  %bn = stablehlo.multiply %b, %n : tensor<i32>
  %bn1 = stablehlo.reshape %bn : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.concatenate %bn1, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %tokens = stablehlo.dynamic_reshape %g, %s : (tensor<?x?x3072xf32>, tensor<2xi32>) -> tensor<?x3072xf32>
  %scaled = stablehlo.multiply %tokens, %scale : tensor<?x3072xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%scaled init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<?x3072xf32>, tensor<f32>) -> tensor<?xf32>
  %root = stablehlo.sqrt %sum : tensor<?xf32>
  %all = stablehlo.dynamic_broadcast_in_dim %root, %s, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x3072xf32>
  %out = stablehlo.divide %scaled, %all : tensor<?x3072xf32>
  return %out : tensor<?x3072xf32>
}
