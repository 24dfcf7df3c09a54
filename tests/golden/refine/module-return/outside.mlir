// SPDX-License-Identifier: Apache-2.0
%0 = stablehlo.constant dense<1> : tensor<i32>
func.return %0 : tensor<i32>
