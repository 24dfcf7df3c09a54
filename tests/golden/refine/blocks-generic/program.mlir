// SPDX-License-Identifier: Apache-2.0
func.func @main(%f: i32, %a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  cf.switch %f : i32, [
    default: ^one(%a, %b : tensor<?xf32>, tensor<?xf32>),
    42: ^two,
    43: ^one(%b, %b : tensor<?xf32>, tensor<?xf32>)
  ]
^one(%x: tensor<?xf32>, %y: tensor<?xf32>):
  %s = stablehlo.add %x, %y : tensor<?xf32>
  cf.br ^end(%s : tensor<?xf32>) {note = "kept"}
^two:
  %t = "stablehlo.sort"(%a) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %l = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %l : tensor<i1>
  }) : (tensor<?xf32>) -> tensor<?xf32>
  "cf.br"(%a)[^end] : (tensor<?xf32>) -> ()
^end(%r: tensor<?xf32>):
  cf.br ^last
^last:
  %c = arith.cmpi eq, %f, %f : i32
  cf.assert %c, "never"
  return %r : tensor<?xf32>
}
