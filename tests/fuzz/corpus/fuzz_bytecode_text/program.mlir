#map = affine_map<(d0) -> (d0)>
!t = tensor<?x4xf32>
#loc1 = loc("a.py":3:4)
"builtin.module"() ({
  "func.func"() <{function_type = (!t, i1) -> !t, sym_name = "main"}> ({
  ^bb0(%arg0: !t loc("x"), %p: i1):
    %0 = "stablehlo.tanh"(%arg0) <{result_accuracy = #stablehlo.result_accuracy<ulps = 0, mode = #stablehlo.result_accuracy_mode<DEFAULT>>}> {a.b = [1, "c"]} : (!t) -> !t
    %1 = "stablehlo.constant"() <{value = dense<[[1.0, 0x7FC00000]]> : tensor<1x2xf32>}> : () -> tensor<1x2xf32>
    "cf.cond_br"(%p, %arg0)[^bb2, ^bb1] <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (i1, !t) -> ()
  ^bb1(%late: !t):
    "func.return"(%use) : (!t) -> () loc(#loc1)
  ^bb2:
    %use, %other = "t.two"(%arg0) ({
      %inner:2 = "t.in"(%use) {m = #map, n = dense_resource<r> : tensor<2xi8>} : (!t) -> (i32, i32)
      "t.end"(%inner#1) : (i32) -> () loc(callsite("f"(#loc1) at fused<1 : i8>["b":1:2 to :5, unknown]))
    }, {}) : (!t) -> (!t, i32)
    "cf.br"(%use)[^bb1] : (!t) -> ()
  }) {a.b = 1 : i32} : () -> ()
}) : () -> ()
{-#
  dialect_resources: {
    builtin: {
      r: "0x040000000102"
    }
  }
#-}
