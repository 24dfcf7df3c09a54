// SPDX-License-Identifier: Apache-2.0
// An index that is read from data has a name in the constraint graph, which is bound where the operation makes it; that
// of the loop has facts too, and the flag, of which nothing is known, has no name.
func.func @main(%x: tensor<?x?xf32>, %data: tensor<?xi32>, %flag: tensor<i1>, %end: index) -> (index, index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %k = tensor.extract %data[%zero] : tensor<?xi32>
  %j = arith.index_cast %k : i32 to index
  %dim = tensor.dim %x, %j : tensor<?x?xf32>
  %sum = scf.for %i = %zero to %end step %one iter_args(%c = %one) -> (index) {
    %d = arith.addi %c, %dim : index
    scf.yield %d : index
  }
  %e = tensor.empty(%sum) : tensor<?xf32>
  return %dim, %sum : index, index
}
