func.func @main(%a: tensor<?x4xf32> {shaped.dims = ["n", "n", "m"]}, %b: tensor<?xf32> {shaped.dims = [1]},
                %c: tensor<3x4xf32> {shaped.dims = ["k", "k"]}, %d: tensor<*xf32> {shaped.dims = []},
                %e: tensor<?xf32> {shaped.dims = "n"}) {
  return
}
