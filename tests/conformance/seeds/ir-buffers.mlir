// SPDX-License-Identifier: Apache-2.0
// Facts stay at buffer level: an operation on buffers says of them what its twin says of tensors.
// run: check -v FILE
// has: in a [S0, 4] f32
// has: in b [S0, 4] f32
// has: in out [S0, 4] f32
func.func @main(%a: memref<?x4xf32>, %b: memref<?x4xf32>, %out: memref<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %d = memref.dim %a, %c0 : memref<?x4xf32>
  %t = memref.alloc(%d) : memref<?x4xf32>
  "lmhlo.add"(%a, %b, %t) : (memref<?x4xf32>, memref<?x4xf32>, memref<?x4xf32>) -> ()
  "lmhlo.tanh"(%t, %out) : (memref<?x4xf32>, memref<?x4xf32>) -> ()
  return
}
