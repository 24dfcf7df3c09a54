#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`shape check` on ONNX files that are broken: each gives a located error and exit status 1, never a crash.

Reads SHAPE (default build/shape). The last line is `N passed, N failed`.
"""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHAPE = os.environ.get('SHAPE', os.path.join(ROOT, 'build', 'shape'))


def varint(n):
    out = b''
    while n >= 0x80:
        out += bytes([n & 0x7f | 0x80])
        n >>= 7
    return out + bytes([n])


def num(field, value):
    return varint(field << 3) + varint(value)


def sub(field, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(field << 3 | 2) + varint(len(data)) + data


def value(name, dims):
    shape = b''.join(sub(1, num(1, d) if isinstance(d, int) else sub(2, d)) for d in dims)
    return sub(1, name) + sub(2, sub(1, num(1, 1) + sub(2, shape)))


def node(op, inputs, outputs):
    return b''.join(sub(1, i) for i in inputs) + b''.join(sub(2, o) for o in outputs) + sub(4, op)


def model(nodes, inputs, outputs, opset=17, extra=b''):
    graph = b''.join(sub(1, n) for n in nodes) + sub(2, 'g') + extra
    graph += b''.join(sub(11, value(*i)) for i in inputs)
    graph += b''.join(sub(12, sub(1, o)) for o in outputs)
    imports = sub(8, num(2, opset)) if opset is not None else b''
    return num(1, 8) + imports + sub(7, graph)


RELU = model([node('Relu', ['x'], ['y'])], [('x', ['N', 3])], ['y'])
TENSOR = num(1, 4) + num(2, 7) + sub(8, 'w') + sub(9, b'\0' * 12)
CASES = [
    ('good', RELU, 0, ''),
    ('cut in the graph', RELU[:-5], 1, 'cut short'),
    ('cut in the opset', RELU[:5], 1, ''),
    ('a length that lies', RELU[:6] + b'\x3a\xff\xff\xff\xff\x0f' + RELU[8:], 1, ''),
    ('a cycle', model([node('Add', ['x', 'b'], ['a']), node('Relu', ['a'], ['b'])],
                      [('x', [2])], ['b']), 1, 'cycle'),
    ('a name twice', model([node('Relu', ['x'], ['y']), node('Neg', ['x'], ['y'])],
                           [('x', [2])], ['y']), 1, 'twice'),
    ('an input that nothing makes', model([node('Relu', ['nothing'], ['y'])], [('x', [2])], ['y']),
     1, 'nothing'),
    ('an unknown opset', model([node('Relu', ['x'], ['y'])], [('x', [2])], ['y'], 999), 1, '999'),
    ('no opset', model([node('Relu', ['x'], ['y'])], [('x', [2])], ['y'], None), 1, 'operator set'),
    ('data of the wrong length',
     model([node('Identity', ['w'], ['y'])], [], ['y'], extra=sub(5, TENSOR)), 1, 'bytes of data'),
    ('sizes that clash', model([node('Add', ['x', 'z'], ['y'])], [('x', [2]), ('z', [3])], ['y']),
     1, ''),
]


def check(name, data, status, text):
    with tempfile.NamedTemporaryFile(suffix='.onnx') as f:
        f.write(data)
        f.flush()
        run = subprocess.run([SHAPE, 'check', '--json', f.name], capture_output=True, timeout=20)
    if run.returncode != status:
        return 'exit status %d, expected %d' % (run.returncode, status)
    answer = json.loads(run.stdout)
    errors = [d for d in answer['diagnostics'] if d['severity'] == 'error']
    if bool(errors) != bool(status):
        return 'errors: %r' % errors
    if status and not any(text in d['message'] for d in errors):
        return 'no error says %r: %r' % (text, [d['message'] for d in errors])
    return None


def main():
    failed = 0
    for case in CASES:
        problem = check(*case)
        if problem:
            failed += 1
            print('FAIL %s: %s' % (case[0], problem))
    # Cut anywhere, the file is refused or read, and never crashes.
    for length in range(len(RELU)):
        with tempfile.NamedTemporaryFile(suffix='.onnx') as f:
            f.write(RELU[:length])
            f.flush()
            run = subprocess.run([SHAPE, 'check', '--json', f.name], capture_output=True, timeout=20)
        if run.returncode not in (0, 1, 3):
            failed += 1
            print('FAIL cut at %d: exit status %d' % (length, run.returncode))
    print('%d passed, %d failed' % (len(CASES) + len(RELU) - failed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
