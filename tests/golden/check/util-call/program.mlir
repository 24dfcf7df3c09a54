util.func public @g(%a: tensor<?xf32>) -> tensor<?xf32> {
  util.return %a : tensor<?xf32>
}
util.func public @f(%a: tensor<?xf32>, %s: index) -> tensor<?xf32> {
  %0 = util.call @g(%a) : (tensor<?xf32>) -> tensor<?xf32>
  util.optimization_barrier %0 : tensor<?xf32>
  %1 = util.optimization_barrier %0 : tensor<?xf32>
  util.return %1 : tensor<?xf32>
}
