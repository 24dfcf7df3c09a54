#map = affine_map<(d0) -> (d0)>
!t = tensor<?xf32>
module @m attributes {a.b = #stablehlo.dot<lhs_batching_dimensions = [0]>} {
  func.func public @main(%x: !t {s = ""}, %z: tensor<f32>, %w: tensor<?x4xi32, [@S0, @C4]>) -> (!t, tensor<f32>) attributes {k} {
    %c = stablehlo.constant dense<[[1, -2], [0x3, 4]]> : tensor<2x2xi32>
    %h = stablehlo.constant dense<"0x0102"> : tensor<2xi8> loc("a":1:2)
    %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (!t, tensor<f32>) -> tensor<f32>
    %1:2 = stablehlo.while(%i = %c, %v = %x) : tensor<2x2xi32>, !t cond {
      %p = "a.b"() <{q = array<i64: 1>}> ({ ^bb0(%y: i32): a.c %y : i32 }) {r} : () -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      stablehlo.return %i, %v : tensor<2x2xi32>, !t
    }
    %s = stablehlo.slice %c [0:1, 1:2:1] : (tensor<2x2xi32>) -> tensor<1x1xi32>
    %k = stablehlo.convolution(%x, %x) dim_numbers = [b, f]x[i, o]->[b, f], window = {pad = []} : (!t, !t) -> !t
    %d = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0], precision = [DEFAULT] : (!t, !t) -> tensor<f32>
    return %1#1, %0 : !t, tensor<f32>
  }
}
"disc_shape.SymbolicDim"() {sym_name = "S0", value = -9223372036854775808 : i64} : () -> ()
{-# dialect_resources: {} #-}
// -----
module {}
