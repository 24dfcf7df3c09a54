func.func private @size(!shape.shape) -> !shape.size
func.func @main(%x: tensor<?x3000000000xi8>, %p: i1, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = shape.shape_of %x : tensor<?x3000000000xi8> -> !shape.shape
  %a = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (!shape.shape) {
    scf.yield %t : !shape.shape
  }
  %b = call @size(%a) : (!shape.shape) -> !shape.size
  %c = scf.while (%t = %b) : (!shape.size) -> !shape.size {
    scf.condition(%p) %t : !shape.size
  } do {
  ^bb0(%t: !shape.size):
    scf.yield %t : !shape.size
  }
  %r = shape.size_to_index %c : !shape.size
  return %r : index
}
