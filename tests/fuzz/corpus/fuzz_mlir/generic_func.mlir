"builtin.module"() ({
  "func.func"() <{function_type = (tensor<?xf32, #stablehlo.bounds<4>>) -> i32, sym_name = "f"}> ({
  ^bb0(%x: tensor<?xf32, #stablehlo.bounds<4>>):
    %0 = "stablehlo.gather"(%x) {dimension_numbers = #stablehlo.gather<offset_dims = [0], index_vector_dim = 1>, s = array<i64: 1>} : (tensor<?xf32, #stablehlo.bounds<4>>) -> i32
    "cf.br"(%0)[^bb1] : (i32) -> ()
  ^bb1(%y: i32):
    "func.return"(%y) : (i32) -> ()
  }) : () -> ()
}) : () -> ()
