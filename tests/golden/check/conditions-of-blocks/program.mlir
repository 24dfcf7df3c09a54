// What a block requires counts where it runs; the last one runs in any case.
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %three = arith.constant 3 : index
  %many = arith.cmpi sge, %n, %three : index
  cf.cond_br %many, ^sum, ^other
^sum:
  %s = stablehlo.add %a, %b : tensor<?xf32>
  cf.br ^end(%s : tensor<?xf32>)
^other:
  %zero = arith.constant 0 : index
  %x = tensor.extract_slice %a[0] [2] [1] : tensor<?xf32> to tensor<2xf32>
  %y = stablehlo.reshape %x : (tensor<2xf32>) -> tensor<2xf32>
  %positive = arith.cmpi sge, %n, %zero : index
  cf.assert %positive, "n >= 0"
  cf.br ^end(%a : tensor<?xf32>)
^end(%r: tensor<?xf32>):
  %t = stablehlo.add %r, %r : tensor<?xf32>
  return %t : tensor<?xf32>
}
