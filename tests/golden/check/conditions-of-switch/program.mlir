// What a block after a switch requires counts where the switch goes on there; two cases may share a block.
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: i32) -> tensor<?xf32> {
  cf.switch %n : i32, [
    default: ^other,
    1: ^sum,
    -7: ^sum,
    5: ^end(%a : tensor<?xf32>)
  ]
^sum:
  %s = stablehlo.add %a, %b : tensor<?xf32>
  cf.br ^end(%s : tensor<?xf32>)
^other:
  %x = tensor.extract_slice %a[0] [2] [1] : tensor<?xf32> to tensor<2xf32>
  cf.br ^end(%a : tensor<?xf32>)
^end(%r: tensor<?xf32>):
  %t = stablehlo.add %r, %r : tensor<?xf32>
  return %t : tensor<?xf32>
}

// A value that the type does not have: nothing is known of the choice, and the requirement counts everywhere.
func.func @outside(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: i8) -> tensor<?xf32> {
  "cf.switch"(%n)[^end, ^sum] <{case_operand_segments = array<i32: 0>, case_values = dense<300> : tensor<1xi16>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i8) -> ()
^sum:
  %s = stablehlo.add %a, %b : tensor<?xf32>
  cf.br ^end
^end:
  return %a : tensor<?xf32>
}
