func.func @main(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %o: memref<?x?xf32>, %t: memref<?x?xf32>, %s: memref<2xi32>, %r: memref<?x4xf32>, %z: memref<f32>, %u: memref<?xf32>, %k: memref<?x?xf32>) {
  "lmhlo.dot_general"(%a, %b, %o) {dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>} : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  "lmhlo.transpose"(%o, %t) {permutation = dense<[1, 0]> : tensor<2xi64>} : (memref<?x?xf32>, memref<?x?xf32>) -> ()
  "lmhlo.dynamic_reshape"(%t, %s, %r) : (memref<?x?xf32>, memref<2xi32>, memref<?x4xf32>) -> ()
  "lmhlo.reduce"(%o, %z, %u) ({
  ^bb0(%x: memref<f32>, %y: memref<f32>, %w: memref<f32>):
    "lmhlo.add"(%x, %y, %w) : (memref<f32>, memref<f32>, memref<f32>) -> ()
    "lmhlo.terminator"() : () -> ()
  }) {dimensions = dense<1> : tensor<1xi64>} : (memref<?x?xf32>, memref<f32>, memref<?xf32>) -> ()
  "lmhlo.concatenate"(%a, %o, %k) {dimension = 1 : i64} : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  return
}
