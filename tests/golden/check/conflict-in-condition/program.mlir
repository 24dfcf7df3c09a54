// The condition is evaluated at least once: what conflicts in it is an error wherever the loop is reached.
func.func @condition(%a: tensor<?xf32>, %one: tensor<1xf32>, %i: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.concatenate %a, %one, dim = 0 : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  %r = stablehlo.while(%k = %i) : tensor<i32>
    cond {
      %s = stablehlo.add %a, %c : tensor<?xf32>
      %n = stablehlo.constant dense<7> : tensor<i32>
      %t = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %t : tensor<i1>
    } do {
      stablehlo.return %k : tensor<i32>
    }
  return %r : tensor<i32>
}

// The body runs once at least where the condition holds of what the loop starts with.
func.func @first_trip(%a: tensor<?xf32>, %one: tensor<1xf32>, %m: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %c = stablehlo.concatenate %a, %one, dim = 0 : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  %r = stablehlo.while(%k = %zero) : tensor<i32>
    cond {
      %n = stablehlo.constant dense<7> : tensor<i32>
      %t = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %t : tensor<i1>
    } do {
      %s = stablehlo.add %a, %c : tensor<?xf32>
      %next = stablehlo.add %k, %m : tensor<i32>
      stablehlo.return %next : tensor<i32>
    }
  return %r : tensor<i32>
}

// It may run or not: the run that enters it ends.
func.func @body(%a: tensor<?xf32>, %one: tensor<1xf32>, %i: tensor<i32>) -> tensor<i32> {
  %c = stablehlo.concatenate %a, %one, dim = 0 : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  %r = stablehlo.while(%k = %i) : tensor<i32>
    cond {
      %n = stablehlo.constant dense<7> : tensor<i32>
      %t = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %t : tensor<i1>
    } do {
      %s = stablehlo.add %a, %c : tensor<?xf32>
      stablehlo.return %k : tensor<i32>
    }
  return %r : tensor<i32>
}

// In a branch both are warnings.
func.func @branch(%a: tensor<?xf32>, %one: tensor<1xf32>, %i: tensor<i32>, %p: tensor<i1>) -> tensor<i32> {
  %c = stablehlo.concatenate %a, %one, dim = 0 : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  %q = "stablehlo.if"(%p) ({
    %r = stablehlo.while(%k = %i) : tensor<i32>
      cond {
        %s = stablehlo.add %a, %c : tensor<?xf32>
        %n = stablehlo.constant dense<7> : tensor<i32>
        %t = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %t : tensor<i1>
      } do {
        stablehlo.return %k : tensor<i32>
      }
    stablehlo.return %r : tensor<i32>
  }, {
    stablehlo.return %i : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return %q : tensor<i32>
}
