func.func private @f(tensor<?xf32>)
func.func @main(%a: tensor<?xf32>) {
  return
}
