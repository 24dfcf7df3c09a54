# SPDX-License-Identifier: Apache-2.0
"""Programs whose constraint graphs are large, or have hostile names."""
import zoo_models

HOSTILE = ['<script>document.title="owned"</script>', '"quoted\\"', "it's", '</script><!--', 'a\nb', 'ünïcødé', 'x' * 200,
           ']]>&amp;', '\\N{lb}', '%s%n']


def cells(count):
    """MLIR with 4 symbols a cell, neighbours linked by products, remainders and bounds."""
    body = []

    def size(value, axis):
        name = '%sd%d' % (value, axis)
        body.append('%%%s_ = stablehlo.get_dimension_size %%%s, dim = %d : (tensor<?x?xf32>) -> tensor<i32>' % (name, value, axis))
        body.append('%%%s = stablehlo.reshape %%%s_ : (tensor<i32>) -> tensor<1xi32>' % (name, name))

    def reshape(name, value, first, second, result='tensor<?x?xf32>'):
        body.append('%%%s_ = stablehlo.concatenate %%%s, %%%s, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>'
                    % (name, first, second))
        body.append('%%%s = stablehlo.dynamic_reshape %%%s, %%%s_ : (tensor<?x?xf32>, tensor<2xi32>) -> %s'
                    % (name, value, name, result))

    for i in range(count):
        for value in ('a%d' % i, 'b%d' % i):
            size(value, 0)
            size(value, 1)
    body.append('%four = stablehlo.constant dense<4> : tensor<1xi32>')
    for i in range(count):
        a, b = 'a%d' % i, 'b%d' % i
        reshape('r%d' % i, a, b + 'd0', b + 'd1')
        if i + 1 < count and i % 3:
            reshape('l%d' % i, b, 'a%dd1' % (i + 1), b + 'd0')
        if i % 2:
            body.append('%%q%d = stablehlo.slice %%%s [0:8, 0:2] : (tensor<?x?xf32>) -> tensor<8x2xf32>' % (i, a))
        if i % 4 == 0:
            body.append('%%h%d = stablehlo.divide %%%sd0, %%four : tensor<1xi32>' % (i, b))
            body.append('%%m%d = stablehlo.multiply %%h%d, %%%sd1 : tensor<1xi32>' % (i, i, b))
            reshape('d%d' % i, b, 'four', 'm%d' % i, 'tensor<4x?xf32>')
    arguments = ', '.join('%%a%d: tensor<?x?xf32>, %%b%d: tensor<?x?xf32>' % (i, i) for i in range(count))
    return 'func.func @main(%s) -> tensor<?x?xf32> {\n  %s\n  return %%r0 : tensor<?x?xf32>\n}\n' % (arguments, '\n  '.join(body))


def hostile():
    """An ONNX model whose symbols and values are named to break out of DOT, XML, HTML and JSON."""
    count = len(HOSTILE)
    inputs = [('v' + name, [name + '0', name + '1']) for name in HOSTILE]
    nodes = []
    for i, name in enumerate(HOSTILE):
        nodes.append(zoo_models.node('Shape', ['v' + HOSTILE[(i + 1) % count]], ['s%d' % i]))
        nodes.append(zoo_models.node('Reshape', ['v' + name, 's%d' % i], ['r' + name]))
    return zoo_models.model(nodes, inputs, ['r' + name for name in HOSTILE])
