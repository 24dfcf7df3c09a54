// SPDX-License-Identifier: Apache-2.0
// One block of self-attention with 8 heads, for any batch and any length. No type says how the dims of the four
// arguments are related: query, key, value and mask come with dims of their own.
func.func @main(%query: tensor<?x?x512xf32>, %key: tensor<?x?x512xf32>, %value: tensor<?x?x512xf32>,
                %mask: tensor<?x1x?x?xf32>) -> tensor<?x?x512xf32> {
  %c8 = stablehlo.constant dense<8> : tensor<1xi32>
  %c64 = stablehlo.constant dense<64> : tensor<1xi32>
  %c512 = stablehlo.constant dense<512> : tensor<1xi32>

  // split the heads: [batch, length, 512] -> [batch, 8, length, 64]
  %qb = stablehlo.get_dimension_size %query, dim = 0 : (tensor<?x?x512xf32>) -> tensor<i32>
  %qn = stablehlo.get_dimension_size %query, dim = 1 : (tensor<?x?x512xf32>) -> tensor<i32>
  %qb1 = stablehlo.reshape %qb : (tensor<i32>) -> tensor<1xi32>
  %qn1 = stablehlo.reshape %qn : (tensor<i32>) -> tensor<1xi32>
  %qs = stablehlo.concatenate %qb1, %qn1, %c8, %c64, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  %q4 = stablehlo.dynamic_reshape %query, %qs : (tensor<?x?x512xf32>, tensor<4xi32>) -> tensor<?x?x?x?xf32>
  %q = stablehlo.transpose %q4, dims = [0, 2, 1, 3] : (tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %kb = stablehlo.get_dimension_size %key, dim = 0 : (tensor<?x?x512xf32>) -> tensor<i32>
  %kn = stablehlo.get_dimension_size %key, dim = 1 : (tensor<?x?x512xf32>) -> tensor<i32>
  %kb1 = stablehlo.reshape %kb : (tensor<i32>) -> tensor<1xi32>
  %kn1 = stablehlo.reshape %kn : (tensor<i32>) -> tensor<1xi32>
  %ks = stablehlo.concatenate %kb1, %kn1, %c8, %c64, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  %k4 = stablehlo.dynamic_reshape %key, %ks : (tensor<?x?x512xf32>, tensor<4xi32>) -> tensor<?x?x?x?xf32>
  %k = stablehlo.transpose %k4, dims = [0, 2, 1, 3] : (tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %vb = stablehlo.get_dimension_size %value, dim = 0 : (tensor<?x?x512xf32>) -> tensor<i32>
  %vn = stablehlo.get_dimension_size %value, dim = 1 : (tensor<?x?x512xf32>) -> tensor<i32>
  %vb1 = stablehlo.reshape %vb : (tensor<i32>) -> tensor<1xi32>
  %vn1 = stablehlo.reshape %vn : (tensor<i32>) -> tensor<1xi32>
  %vs = stablehlo.concatenate %vb1, %vn1, %c8, %c64, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  %v4 = stablehlo.dynamic_reshape %value, %vs : (tensor<?x?x512xf32>, tensor<4xi32>) -> tensor<?x?x?x?xf32>
  %v = stablehlo.transpose %v4, dims = [0, 2, 1, 3] : (tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>

  // softmax(q . k + mask)
  %scores = stablehlo.dot_general %q, %k, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %ss = stablehlo.concatenate %qb1, %c8, %qn1, %kn1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  %m = stablehlo.dynamic_broadcast_in_dim %mask, %ss, dims = [0, 1, 2, 3] : (tensor<?x1x?x?xf32>, tensor<4xi32>) -> tensor<?x?x?x?xf32>
  %masked = stablehlo.add %scores, %m : tensor<?x?x?x?xf32>
  %e = stablehlo.exponential %masked : tensor<?x?x?x?xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [3] : (tensor<?x?x?x?xf32>, tensor<f32>) -> tensor<?x?x?xf32>
  %sumb = stablehlo.dynamic_broadcast_in_dim %sum, %ss, dims = [0, 1, 2] : (tensor<?x?x?xf32>, tensor<4xi32>) -> tensor<?x?x?x?xf32>
  %p = stablehlo.divide %e, %sumb : tensor<?x?x?x?xf32>

  // join the heads: [batch, 8, length, 64] -> [batch, length, 512], and add the residual
  %o4 = stablehlo.dot_general %p, %v, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %ot = stablehlo.transpose %o4, dims = [0, 2, 1, 3] : (tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %os = stablehlo.concatenate %qb1, %qn1, %c512, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %o = stablehlo.dynamic_reshape %ot, %os : (tensor<?x?x?x?xf32>, tensor<3xi32>) -> tensor<?x?x512xf32>
  %out = stablehlo.add %query, %o : tensor<?x?x512xf32>
  return %out : tensor<?x?x512xf32>
}
