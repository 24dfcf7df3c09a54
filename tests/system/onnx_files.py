#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`shape check` on ONNX files that are invalid or odd: located errors and exit status 1, never a crash.

Reads SHAPE (default build/shape). The last line is `N passed, N failed`.
"""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from zoo_models import graph, ints, model, node, num, sub, tensor  # noqa: E402

SHAPE = os.environ.get('SHAPE', os.path.join(ROOT, 'build', 'shape'))


def function(nodes, outputs):
    """local.F(a, b), called with a only."""
    body = sub(1, 'F') + sub(4, 'a') + sub(4, 'b') + b''.join(sub(5, o) for o in outputs) + b''.join(sub(7, n) for n in nodes)
    return sub(25, body + sub(9, num(2, 17)) + sub(10, 'local')) + sub(8, sub(1, 'local') + num(2, 1))


def external(location, count, length=None):
    """An i64 tensor whose data is in another file."""
    entries = [('location', location)] + ([('length', str(length))] if length else [])
    return tensor('w', [count]) + b''.join(sub(13, sub(1, k) + sub(2, v)) for k, v in entries) + num(14, 1)


def nested(depth, leaf, call):
    """Functions local.f0 to local.f<depth>(a, b): f0 is the nodes `leaf`, each other one calls that before it twice; `call` is
    what the calls add to (callee, input, output), and gives the attributes they hand on."""
    def body(name, nodes, attributes):
        return sub(25, sub(1, name) + sub(4, 'a') + sub(4, 'b') + sub(5, 'o') + sub(6, attributes) + b''.join(sub(7, n) for n in nodes) +
                   sub(9, num(2, 17)) + sub(10, 'local'))
    functions = [body('f0', leaf, 'order')]
    for k in range(1, depth + 1):
        functions.append(body('f%d' % k, [call('f%d' % (k - 1), 'a', 't'), call('f%d' % (k - 1), 't', 'o')], 'order'))
    return b''.join(functions) + sub(8, sub(1, 'local') + num(2, 1))


REFERENCE = sub(5, sub(1, 'order') + sub(21, 'order') + num(20, 7))  # what the function around the node was given as `order`
TURN = [node('Transpose', ['a'], ['o'], sub(5, sub(1, 'perm') + sub(21, 'order') + num(20, 7)))]


def hand_on(name, at, to):
    return node(name, [at, 'b'], [to], REFERENCE, domain='local')


def turned(depth, order):
    """x turned 2 ** depth times by `order`."""
    top = node('f%d' % depth, ['x'], ['y'], ints('order', order), domain='local')
    return model([top], [('x', ['N', 3, 'K'])], ['y'], tail=nested(depth, TURN, hand_on))


BRANCHES = b''.join(sub(5, sub(1, name) + sub(6, graph([], [], ['b'])) + num(20, 5)) for name in ('then_branch', 'else_branch'))
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
    ('no opset', model([node('Relu', ['x'], ['y'])], [('x', [2])], ['y'], None), 0, 'operator set'),
    ('no opset and no ir_version', model([node('Relu', ['x'], ['y'])], [('x', [2])], ['y'], None)[2:], 1, 'no ir_version'),
    ('data of the wrong length',
     model([node('Identity', ['w'], ['y'])], [], ['y'], extra=sub(5, TENSOR)), 1, 'times 8 bytes of tensor'),
    ('an absent input handed on', model([node('F', ['x'], ['y', 'z'], domain='local'), node('Clip', ['y', 'z'], ['w'])],
                                        [('x', ['N', 4])], ['w', 'z'], tail=function([node('Relu', ['a'], ['c'])], ['c', 'b'])), 0, ''),
    ('an absent input out of branches', model([node('F', ['x'], ['y'], domain='local')], [('x', [], 9)], ['y'],
                                              tail=function([node('If', ['a'], ['c'], BRANCHES)], ['c'])), 0, ''),
    ('external data elsewhere', model([node('Relu', ['w'], ['y'])], [], ['y'], extra=sub(5, external('../w', 2))), 1, 'below the model'),
    ('external data at the root', model([node('Relu', ['w'], ['y'])], [], ['y'], extra=sub(5, external('/etc/passwd', 2))), 1,
     'below the model'),
    ('external data with a length that lies', model([node('Relu', ['w'], ['y'])], [], ['y'], extra=sub(5, external('w', 2, 17))), 1,
     'times 8 bytes of tensor'),
    ('external data that is absent', model([node('Relu', ['w'], ['y'])], [], ['y'], extra=sub(5, external('no/such', 2))), 0, ''),
    ('an input without an element type', model([node('Relu', ['x'], ['y'])], [('x', [2], 0)], ['y']), 1, 'expected an element type of input'),
    ('dims that conflict', model([node('Add', ['x', 'z'], ['y'])], [('x', [2]), ('z', [3])], ['y']),
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


def beside(name, file, offset):
    """An i64 tensor [2] whose data is at an offset of another file."""
    entries = (('location', file), ('offset', str(offset)), ('length', '16'))
    return num(1, 2) + num(2, 7) + sub(8, name) + b''.join(sub(13, sub(1, k) + sub(2, v)) for k, v in entries) + num(14, 1)


def check_external():
    """Dims that are in a file beside the model are read; through a link out of the folder they are not."""
    with tempfile.TemporaryDirectory() as home:
        os.mkdir(os.path.join(home, 'm'))
        for path in ('m/dims', 'outside'):
            with open(os.path.join(home, path), 'wb') as f:
                f.write(b'?' * 8 + (3).to_bytes(8, 'little') + (-1).to_bytes(8, 'little', signed=True))
        os.symlink('../outside', os.path.join(home, 'm', 'link'))
        os.mkfifo(os.path.join(home, 'm', 'fifo'))
        for name, expected in (('dims', [3, 2]), ('./dims', [3, 2]), ('link', None), ('fifo', None)):
            path = os.path.join(home, 'm', 'model.onnx')
            with open(path, 'wb') as f:
                f.write(model([node('Reshape', ['x', 's'], ['y'])], [('x', [6])], ['y'], extra=sub(5, beside('s', name, 8))))
            run = subprocess.run([SHAPE, 'check', '--json', path], capture_output=True, timeout=20)
            dims = json.loads(run.stdout)['functions'][0]['values']['y']['dims']
            if (dims == expected) != (expected is not None):
                return '%s: %r' % (name, dims)
        # Tensors of one file, of several in turn, beyond an end, and of files that are not there.
        os.mkdir(os.path.join(home, 'm', 'sub'))
        with open(os.path.join(home, 'm', 'sub', 'b'), 'wb') as f:
            f.write((2).to_bytes(8, 'little') + (-1).to_bytes(8, 'little', signed=True))
        where = [('dims', 8, [3, 2]), ('dims', 8, [3, 2]), ('none', 0, None), ('none', 0, None), ('sub/b', 0, [2, 3]), ('sub/b', 8, None),
                 ('link', 8, None), ('dims', 8, [3, 2]), ('sub/b', 0, [2, 3]), ('sub', 0, None), ('fifo', 0, None), ('dims', 8, [3, 2])]
        with open(path, 'wb') as f:
            f.write(model([node('Reshape', ['x', 's%d' % i], ['y%d' % i]) for i in range(len(where))], [('x', [6])],
                          ['y%d' % i for i in range(len(where))],
                          extra=b''.join(sub(5, beside('s%d' % i, name, at)) for i, (name, at, _) in enumerate(where))))
        run = subprocess.run([SHAPE, 'check', '--json', path], capture_output=True, timeout=20)
        values = json.loads(run.stdout)['functions'][0]['values']
        for i, (name, at, expected) in enumerate(where):
            dims = values['y%d' % i]['dims']
            if (dims == expected) != (expected is not None):
                return '%s at %d: %r' % (name, at, dims)
    return None


def check_functions():
    """Functions that call others twice are read once per signature, and the answer is that of all the copies."""
    def answer(data):
        with tempfile.NamedTemporaryFile(suffix='.onnx') as f:
            f.write(data)
            f.flush()
            run = subprocess.run([SHAPE, 'check', '--json', f.name], capture_output=True, timeout=60)
        found = json.loads(run.stdout)
        return found, found['functions'][0]['values'] if found['functions'] else {}, found['diagnostics']
    size = ['N', 3, 'K']
    for depth in (1, 4, 13, 24, 40):
        times = 2 ** depth % 3
        for order in ([1, 2, 0], [2, 0, 1], [0, 1, 2]):
            found, values, said = answer(turned(depth, order))
            expected = size
            for _ in range(times):
                expected = [expected[i] for i in order]
            if said or values['y']['dims'] != expected:
                return 'depth %d, order %r: %r, %r' % (depth, order, values, said)
            # Copies stay within 16 bytes for each of the file and 256 KB more; a node has 30 bytes and more.
            if found['stats']['ops'] > 10000 + 100 * depth:
                return 'depth %d: %d operations' % (depth, found['stats']['ops'])
    # What is written of it is read again.
    with tempfile.NamedTemporaryFile(suffix='.onnx') as f:
        f.write(turned(24, [1, 2, 0]))
        f.flush()
        for arguments in (['refine', '--emit', 'json'], ['refine']):
            written = subprocess.run([SHAPE, *arguments, f.name], capture_output=True, timeout=60).stdout
            found, _, said = answer(written)
            if found['functions'][0]['result_dims'] != [[3, 'K', 'N']] or said:
                return '%s: %r, %r' % (arguments, found['functions'][:1], said)
    # Two signatures of one function in one model, and two element types.
    other = node('f24', ['w'], ['v'], ints('order', [2, 1, 0]), domain='local')
    both = model([node('f24', ['x'], ['y'], ints('order', [1, 2, 0]), domain='local'), other, node('Shape', ['v'], ['s']),
                  node('Reshape', ['w', 's'], ['r'])], [('x', ['N', 3, 'K']), ('w', [2, 3, 'P'], 7)], ['y', 'r'],
                 tail=nested(24, TURN, hand_on))
    _, values, said = answer(both)
    if said or values['y']['dims'] != [3, 'K', 'N'] or values['v']['dims'] != [2, 3, 'P'] or values['r']['dims'] != [2, 3, 'P']:
        return 'two signatures: %r, %r' % (values, said)
    # What is wrong inside is found, and so is what a call does with the result.
    _, _, said = answer(turned(24, [0, 1]))
    if not any(d['severity'] == 'error' for d in said):
        return 'an order of another rank: %r' % said
    _, _, said = answer(model([node('f24', ['x'], ['y'], domain='local')], [('x', ['N'])], ['y'],
                              tail=nested(24, [node('Relu', ['nothing'], ['o'])], hand_on)))
    if not any('nothing' in d['message'] for d in said):
        return 'an input that nothing makes: %r' % said
    # A function that hands on an input which its calls leave out.
    absent = nested(24, [node('Relu', ['a'], ['o'])], lambda name, at, to: node(name, [at], [to], REFERENCE, domain='local'))
    _, values, said = answer(model([node('f24', ['x'], ['y'], domain='local')], [('x', ['N'])], ['y'], tail=absent))
    if said or values['y']['dims'] != ['N']:
        return 'inputs left out: %r, %r' % (values, said)
    return None


def main():
    failed = 0
    for what, test in (('external data', check_external), ('functions', check_functions)):
        problem = test()
        if problem:
            failed += 1
            print('FAIL %s: %s' % (what, problem))
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
    print('%d passed, %d failed' % (2 + len(CASES) + len(RELU) - failed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
