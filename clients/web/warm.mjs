// SPDX-License-Identifier: Apache-2.0
// A program of the operations that models have most, for `warmUp`.

const BLOCKS = 12;

/** One layer of attention on %x, whose result is %`to`. */
function block(n, x, to) {
  const t = 'tensor<?x?x96xf32>', s = 'tensor<?x?x6x16xf32>', m = 'tensor<?x6x?x16xf32>', one = 'tensor<1xi32>';
  const head = (name) => `
    %${name}${n}p = stablehlo.dot_general %${x}, %${name}, contracting_dims = [2] x [0] : (${t}, tensor<96x96xf32>) -> ${t}
    %${name}${n}r = stablehlo.dynamic_reshape %${name}${n}p, %s${n} : (${t}, tensor<4xi32>) -> ${s}
    %${name}${n} = stablehlo.transpose %${name}${n}r, dims = [0, 2, 1, 3] : (${s}) -> ${m}`;
  return `
    %b${n}d = stablehlo.get_dimension_size %${x}, dim = 0 : (${t}) -> tensor<i32>
    %b${n} = stablehlo.reshape %b${n}d : (tensor<i32>) -> ${one}
    %l${n}d = stablehlo.get_dimension_size %${x}, dim = 1 : (${t}) -> tensor<i32>
    %l${n} = stablehlo.reshape %l${n}d : (tensor<i32>) -> ${one}
    %h${n} = stablehlo.constant dense<6> : ${one}
    %w${n} = stablehlo.constant dense<16> : ${one}
    %s${n} = stablehlo.concatenate %b${n}, %l${n}, %h${n}, %w${n}, dim = 0 : (${one}, ${one}, ${one}, ${one}) -> tensor<4xi32>
    ${head('q')}${head('k')}${head('v')}
    %a${n} = stablehlo.dot_general %q${n}, %k${n}, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (${m}, ${m}) -> tensor<?x6x?x?xf32>
    %o${n} = stablehlo.dot_general %a${n}, %v${n}, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<?x6x?x?xf32>, ${m}) -> ${m}
    %t${n} = stablehlo.transpose %o${n}, dims = [0, 2, 1, 3] : (${m}) -> ${s}
    %e${n} = stablehlo.constant dense<96> : ${one}
    %f${n} = stablehlo.concatenate %b${n}, %l${n}, %e${n}, dim = 0 : (${one}, ${one}, ${one}) -> tensor<3xi32>
    %g${n} = stablehlo.dynamic_reshape %t${n}, %f${n} : (${s}, tensor<3xi32>) -> ${t}
    %i${n} = stablehlo.add %${x}, %g${n} : ${t}
    %z${n} = stablehlo.constant dense<0.0> : tensor<f32>
    %j${n} = stablehlo.reduce(%i${n} init: %z${n}) applies stablehlo.add across dimensions = [2] : (${t}, tensor<f32>) -> tensor<?x?xf32>
    %y${n} = stablehlo.dynamic_broadcast_in_dim %j${n}, %f${n}, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> ${t}
    %${to} = stablehlo.multiply %i${n}, %y${n} : ${t}`;
}

export function warmProgram() {
  let text = 'func.func @main(%x0: tensor<?x?x96xf32>, %q: tensor<96x96xf32>, %k: tensor<96x96xf32>, %v: tensor<96x96xf32>) -> tensor<?x?x96xf32> {';
  for (let n = 0; n < BLOCKS; n++) text += block(n, `x${n}`, `x${n + 1}`);
  return `${text}\n    return %x${BLOCKS} : tensor<?x?x96xf32>\n}\n`;
}
