sdy.mesh @mesh = <["a"=2]>
func.func @f(%x: i32) {
  %r:2 = a.b(%x, %x) [1, (2)] {k = "}"} : (i32) -> (i32, !u.v<1, "x">)
  a.for %i = %x to %x iter_args(%j = %x) -> (i32) {
    a.yield %i : i32
  }
  return
}
