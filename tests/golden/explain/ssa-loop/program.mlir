// A value in a loop is asked in every trip.
func.func @main(%t: tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  scf.for %i = %c0 to %n step %c16 {
    %m = affine.min affine_map<(d0)[s0] -> (16, s0 - d0)>(%i)[%n]
    %s = tensor.extract_slice %t[%i] [%m] [1] : tensor<?xf32> to tensor<?xf32>
  }
  return
}
