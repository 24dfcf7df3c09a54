# SPDX-License-Identifier: Apache-2.0
"""Makes folders of small models, and ONNX files field by field (no ONNX library is needed)."""
import json
import os
import random


def varint(n):
    n &= (1 << 64) - 1
    out = b''
    while n >= 0x80:
        out += bytes([n & 0x7f | 0x80])
        n >>= 7
    return out + bytes([n])


def varint_at(data, at):
    """(number, where it ends)"""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """(number, wire type, value) of each field of a message, in order: an unsigned int, or bytes."""
    at = 0
    while at < len(data):
        key, at = varint_at(data, at)
        wire = key & 7
        if wire == 0:
            value, at = varint_at(data, at)
        else:
            size, at = varint_at(data, at) if wire == 2 else ({1: 8, 5: 4}[wire], at)
            assert at + size <= len(data), 'cut short'
            value, at = data[at:at + size], at + size
        yield key >> 3, wire, value


def num(field, value):
    return varint(field << 3) + varint(value)


def sub(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def value(name, dims, dtype=1):
    """A ValueInfoProto; dims None: nothing is declared but the element type."""
    shape = b'' if dims is None else sub(2, b''.join(sub(1, num(1, d) if isinstance(d, int) else sub(2, d)) for d in dims))
    return sub(1, name) + sub(2, sub(1, num(1, dtype) + shape))


def ints(name, values):
    return sub(5, sub(1, name) + b''.join(num(8, v) for v in values) + num(20, 7))


def integer(name, number):
    return sub(5, sub(1, name) + num(3, number) + num(20, 2))


def node(op, inputs, outputs, attributes=b'', domain=''):
    return (b''.join(sub(1, i) for i in inputs) + b''.join(sub(2, o) for o in outputs) + sub(4, op) + attributes +
            (sub(7, domain) if domain else b''))


def tensor(name, dims, values=None, raw=None, dtype=7):
    """A TensorProto of i64 values, or with raw bytes."""
    out = b''.join(num(1, d) for d in dims) + num(2, dtype)
    if values is not None:
        out += sub(7, b''.join(varint(v) for v in values))
    out += sub(8, name)
    return out + (sub(9, raw) if raw is not None else b'')


def graph(nodes, inputs, outputs, extra=b'', name='g'):
    out = b''.join(sub(1, n) for n in nodes) + sub(2, name) + extra
    out += b''.join(sub(11, value(*i)) for i in inputs)
    return out + b''.join(sub(12, o if isinstance(o, bytes) else sub(1, o)) for o in outputs)


def model(nodes, inputs, outputs, opset=17, extra=b'', tail=b''):
    imports = sub(8, num(2, opset)) if opset is not None else b''
    return num(1, 8) + imports + sub(7, graph(nodes, inputs, outputs, extra)) + tail


# ---------------------------------------------------------------- a zoo

def onnx_model(rng):
    """A chain of operations over [N, C, H, W], now and then one that breaks or that is unknown."""
    channels, nodes, extra, at = rng.choice([3, 8, 16]), [], b'', 'x'
    for i in range(rng.randint(2, 12)):
        out = 't%d' % i
        kind = rng.random()
        if kind < 0.35:
            wanted = channels + 1 if rng.random() < 0.03 else channels
            channels = rng.choice([4, 8, 16])
            weight = 'w%d' % i
            extra += sub(5, tensor(weight, [channels, wanted, 3, 3], raw=b'\0' * (channels * wanted * 36), dtype=1))
            nodes.append(node('Conv', [at, weight], [out], ints('pads', [1, 1, 1, 1]) + ints('strides', [rng.choice([1, 2])] * 2)))
        elif kind < 0.5:
            nodes.append(node('MaxPool', [at], [out], ints('kernel_shape', [2, 2]) + ints('strides', [2, 2])))
        elif kind < 0.53:
            nodes.append(node('Mystery', [at], [out], domain='com.example'))
            return model(nodes, [('x', ['N', 'C', 'H', 'W'])], [out], extra=extra)
        elif kind < 0.6:
            nodes.append(node('NonZero', [at], [out + 'n']))
            nodes.append(node('Relu', [at], [out]))
        else:
            nodes.append(node(rng.choice(['Relu', 'Sigmoid', 'Tanh']), [at], [out]))
        at = out
    return model(nodes, [('x', ['N', 'C', 'H', 'W'])], [at], extra=extra)


def mlir_model(rng):
    width = rng.choice([4, 8, 16])
    other = width + 1 if rng.random() < 0.1 else width
    lines = ['func.func @main(%%a: tensor<?x%dxf32>, %%b: tensor<?x%dxf32>) -> tensor<?x%dxf32> {' % (width, other, width)]
    lines.append('  %%0 = "stablehlo.add"(%%a, %%b) : (tensor<?x%dxf32>, tensor<?x%dxf32>) -> tensor<?x%dxf32>' % (width, other, width))
    for i in range(rng.randint(1, 10)):
        lines.append('  %%%d = stablehlo.%s %%%d : tensor<?x%dxf32>' % (i + 1, rng.choice(['abs', 'tanh', 'sine']), i, width))
    lines.append('  return %%%d : tensor<?x%dxf32>\n}' % (i + 1, width))
    return '\n'.join(lines).encode()


def json_model(rng):
    extents = [rng.choice(['batch', 'H', None, 4]) for _ in range(2)]
    return json.dumps({'functions': [{
        'name': 'main',
        'arguments': ['x', {'dtype': 'f32', 'dims': ['batch', extents[0]]}, 'y', {'dtype': 'f32', 'dims': ['batch', extents[1]]}],
        'ops': [{'name': 'stablehlo.add', 'operands': ['x', 'y'], 'results': ['s', 'tensor<?x?xf32>']}],
        'returns': ['s']}], 'symbols': [{'name': 'batch', 'min': 1}, {'name': 'H', 'divisible_by': rng.choice([2, 8])}]}).encode()


def make_zoo(folder, count, seed=1):
    """`count` models below the folder; the same ones for the same seed. Returns their paths, sorted."""
    rng = random.Random(seed)
    makers = [('onnx', onnx_model)] * 6 + [('mlir', mlir_model)] * 3 + [('json', json_model)]
    paths = []
    for i in range(count):
        ending, make = rng.choice(makers)
        path = os.path.join(folder, 'part%02d' % (i % 20), 'model%05d.%s' % (i, ending))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        # A text of its own in each file, so that contents differ.
        data = make(rng)
        data += sub(3, 'model %d' % i) if ending == 'onnx' else b'\n// %d\n' % i if ending == 'mlir' else b'\n' * (i % 50 + 1)
        with open(path, 'wb') as f:
            f.write(data)
        paths.append(path)
    return sorted(paths)
