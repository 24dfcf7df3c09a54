šfunc.func @main(%a: tensor<?xf32>) {
  return
}
