"builtin.module"() ({
"func.func"() <{arg_attrs = [{jax.x = "y"}], function_type = (tensor<2x3xf32>) -> (), sym_name = "main"}> ({
^bb0(%a: tensor<2x3xf32>):
  %0 = "stablehlo.transpose"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = "stablehlo.dot_general"(%a, %0) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %2 = "stablehlo.custom_call"(%1) <{api_version = 4 : i32, backend_config = {a = 1 : i64}, call_target_name = "t", called_computations = [@f], operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = "stablehlo.all_gather"(%2) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  "func.return"() : () -> ()
}) : () -> ()
}) : () -> ()
