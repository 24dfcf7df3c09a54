// A block in which an operation always fails must not run: a guard where the arguments determine that, also from a
// region inside of the block and in a function that is called.
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: i32, %x: tensor<i1>) -> tensor<?xf32> {
  %c = stablehlo.concatenate %a, %a, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  cf.switch %n : i32, [
    default: ^other,
    5: ^always,
    7: ^sometimes
  ]
^other:
  return %b : tensor<?xf32>
^always:
  %one = stablehlo.constant dense<[1.0]> : tensor<1xf32>
  %d = stablehlo.concatenate %c, %one, dim = 0 : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  %e = stablehlo.add %c, %d : tensor<?xf32>
  return %e : tensor<?xf32>
^sometimes:
  %r = "stablehlo.if"(%x) ({
    %f = func.call @callee(%a, %c, %n) : (tensor<?xf32>, tensor<?xf32>, i32) -> tensor<?xf32>
    stablehlo.return %f : tensor<?xf32>
  }, {
    stablehlo.return %b : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func private @callee(%a: tensor<?xf32>, %c: tensor<?xf32>, %n: i32) -> tensor<?xf32> {
  cf.switch %n : i32, [
    default: ^fails,
    9: ^end
  ]
^fails:
  %one = stablehlo.constant dense<[1.0]> : tensor<1xf32>
  %d = stablehlo.concatenate %c, %one, dim = 0 : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  %e = stablehlo.add %c, %d : tensor<?xf32>
  cf.br ^end
^end:
  return %c : tensor<?xf32>
}
