#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`shape refine model.onnx`: what is written back, and that nothing else changes. Reads SHAPE (default build/shape).

The last line is `N passed, N failed`.
"""
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import main  # noqa: E402
import zoo_models  # noqa: E402
from zoo_models import graph, integer, ints, make_zoo, model, node, num, sub, tensor, value, varint  # noqa: E402

SHAPE = os.environ.get('SHAPE', os.path.join(ROOT, 'build', 'shape'))
HOME = tempfile.mkdtemp(prefix='shape-refine-test-')


def fields(data):
    """[(number, value)] of a message: bytes or int, in order."""
    return [(number, value_) for number, _, value_ in zoo_models.fields(data)]


def get(data, *path):
    for p in path:
        found = [v for n, v in fields(data) if n == p]
        data = found[-1] if found else b''
    return data


def extents(info):
    """Dims of a ValueInfoProto: ints, names, or None; None where it has no shape."""
    kind = get(info, 2, 1)
    if not any(n == 2 for n, _ in fields(kind)):
        return None
    out = []
    for n, d in fields(get(kind, 2)):
        assert n == 1
        parts = dict(fields(d))
        out.append(parts[1] if 1 in parts else parts[2].decode() if 2 in parts else None)
    return out


def values(data):
    """name -> dims of everything that a graph declares."""
    return {get(v, 1).decode(): extents(v) for n, v in fields(data) if n in (11, 12, 13)}


def formulas(data):
    return {get(m, 1).decode(): get(m, 2).decode() for n, m in fields(data) if n == 14}


CALLS = {'floordiv': lambda a, b: a // b, 'ceildiv': lambda a, b: -(-a // b), 'mod': lambda a, b: a % b, 'min': min, 'max': max}


def same_size(infix, size):
    """Whether a dim_param says the same as a dim of an answer: it has its value for some dims."""
    if not isinstance(infix, str) or not isinstance(size, str) or '"' in size:
        return infix == size
    names = sorted(set(re.findall(r'[A-Za-z_]\w*', size)) - set(CALLS))
    points = [dict(zip(names, range(n, n + 7 * len(names), 7))) for n in (1, 2, 5, 64)]
    return all(eval(infix, dict(CALLS), p) == eval(size, dict(CALLS), p) for p in points)  # pylint: disable=eval-used


def refine(data, *options, status=0):
    path, out = os.path.join(HOME, 'in.onnx'), os.path.join(HOME, 'out.onnx')
    with open(path, 'wb') as f:
        f.write(data)
    if os.path.exists(out):
        os.unlink(out)
    run = subprocess.run([SHAPE, 'refine', path, '-o', out, *options], stderr=subprocess.PIPE, timeout=60, check=False)
    assert run.returncode == status, 'status %d: %s' % (run.returncode, run.stderr.decode())
    if status:
        assert not os.path.exists(out) and not os.path.exists(out + '.part'), 'a file in spite of an error'
        return run.stderr
    with open(out, 'rb') as f:
        return f.read()


def untouched(before, after):
    """Everything but types of values and formulas is what it was, in its order."""
    def rest(data):
        return [(n, v) for n, v in fields(data) if n not in (7, 14)]

    def graph_rest(data):
        out = []
        for n, v in fields(data):
            if n == 1:
                v = [(k, graph_rest(get(a, 6)) if k == 5 and get(a, 6) else a) for k, a in fields(v)]
                out.append((n, v))
            elif n in (11, 12):
                out.append((n, [(k, x) for k, x in fields(v) if k != 2]))
            elif n != 13:
                out.append((n, v))
        return out
    assert rest(before) == rest(after)
    assert graph_rest(get(before, 7)) == graph_rest(get(after, 7))


WEIGHT = tensor('w', [8, 3, 3, 3], raw=bytes(i % 251 for i in range(8 * 27 * 4)), dtype=1)
CONV = model([node('Conv', ['x', 'w'], ['c'], ints('strides', [2, 2]) + ints('pads', [1, 1, 1, 1])), node('Relu', ['c'], ['y'])],
             [('x', ['batch size', 3, 'H', 'W'])], ['y'], extra=sub(5, WEIGHT),
             tail=sub(14, sub(1, 'author') + sub(2, 'author-1')) + sub(99, 'a field of tomorrow'))


def test_values_get_sizes():
    out = refine(CONV)
    untouched(CONV, out)
    found = values(get(out, 7))
    assert found['x'] == ['batch size', 3, 'H', 'W']
    batch, channels, height, width = found['y']
    assert (batch, channels) == ('batch size', 8) and found['c'] == found['y']
    entries = formulas(out)
    assert entries['author'] == 'author-1'
    assert (height, width) == ('-(-H//2)', '-(-W//2)') and not any(k.startswith('shape.dim.') for k in entries), entries
    other = refine(model([node('MaxPool', ['in'], ['out'], ints('kernel_shape', [1, 1]) + ints('strides', [2, 2]))],
                         [('in', [1, 1, 'H', 4])], ['out']))
    assert values(get(other, 7))['out'][2] == height, 'the same expression has another text'
    assert get([v for n, v in fields(get(other, 7)) if n == 12][0], 2, 1, 1) == 1, 'no element type'


def test_again_changes_nothing():
    out = refine(CONV)
    assert refine(out) == out


def test_formulas_explain_one_another():
    """Large dims are written over names of large dims: each of those has a formula too."""
    sys.path.insert(0, os.path.join(ROOT, 'tests', 'bench'))
    from gen_onnx import chain
    for kind in ('grow_shrink', 'dense', 'crop_pad'):
        entries = formulas(refine(chain(kind, 30)[0]))
        known = {key[len('shape.dim.'):] for key in entries} | {'N', 'H', 'W'}
        words = {w for text in entries.values() for w in re.findall(r'[A-Za-z_][\w.]*', text)}
        missing = words - known - {'floordiv', 'ceildiv', 'mod', 'min', 'max', 'bcast', 'select', 'is_zero', 'is_neg'}
        assert len(entries) > 30 and not missing, (kind, missing)


def test_bind_specialises():
    out = refine(CONV, '--bind', 'H=224', '--bind', 'batch size=2')
    untouched(CONV, out)
    found = values(get(out, 7))
    assert found['x'] == [2, 3, 224, 'W'] and found['y'][:3] == [2, 8, 112], found
    assert found['y'][3] == '-(-W//2)', found
    again = refine(refine(CONV), '--bind', 'H=224')
    assert values(get(again, 7))['y'][:3] == ['batch size', 8, 112]
    assert len(formulas(again)) == 1, 'a formula that nothing uses is kept'
    assert b'must stay the same' in refine(model([node('Reshape', ['x', 's'], ['y'])], [('x', ['N'])], ['y'],
                                            extra=sub(5, tensor('s', [2], [4, 4]))), '--bind', 'N=15', status=1)


def test_declared_parts_stay():
    dims = sub(1, num(1, 4) + sub(3, 'DATA_BATCH')) + sub(1, sub(3, 'DATA_CHANNEL')) + sub(1, b'')
    info = sub(1, 'y') + sub(2, sub(1, num(1, 1) + sub(2, dims)) + sub(6, 'IMAGE')) + sub(3, 'what it is')
    before = model([node('Transpose', ['x'], ['y'], ints('perm', [1, 0, 2]))], [('x', [7, 'B', 'L'])], [info])
    after = refine(before)
    out = [v for n, v in fields(get(after, 7)) if n == 12][0]
    assert extents(out) == [4, 7, 'L'] and get(out, 3) == b'what it is' and get(out, 2, 6) == b'IMAGE'
    denotations = [get(d, 3) for _, d in fields(get(out, 2, 1, 2))]
    assert denotations == [b'DATA_BATCH', b'DATA_CHANNEL', b''], denotations
    assert values(get(after, 7))['x'] == [7, 4, 'L'], 'the output says what B is'


def test_unknown_stays_unknown():
    before = model([node('Mystery', ['x'], ['m'], domain='com.example'), node('Relu', ['m'], ['y'])], [('x', None)], ['y'])
    after = refine(before)
    untouched(before, after)
    assert values(get(after, 7)) == {'x': None, 'y': None}
    nonzero = refine(model([node('NonZero', ['x'], ['i'])], [('x', ['A', 'B'])], [value('i', ['r', 'found'], 7)]))
    assert values(get(nonzero, 7))['i'] == [2, 'found']


def test_values_below_zero():
    """Names of a dim_param are those of dims, which are not negative: an expression over other values is a formula's."""
    three = sub(5, tensor('three', [], [3])) + sub(5, tensor('two', [], [2]))
    before = model([node('Range', ['n', 'three', 'three'], ['r']), node('Gather', ['r', 'two'], ['y'])], [('n', [], 7)], ['y'],
                   extra=three)
    after = refine(before)
    untouched(before, after)
    name, = values(get(after, 7))['r']
    assert re.fullmatch(r'\w+', name) and '3' in formulas(after)['shape.dim.' + name], (name, formulas(after))
    assert refine(after) == after


def test_subgraphs():
    branch = graph([node('MatMul', ['x', 'v'], ['inner'])], [], ['inner'], extra=sub(5, tensor('v', [5, 6], raw=b'1' * 120, dtype=1)))
    other = graph([node('MatMul', ['x', 'u'], ['inner'])], [], ['inner'], extra=sub(5, tensor('u', [5, 9], raw=b'2' * 180, dtype=1)))
    attributes = (sub(5, sub(1, 'else_branch') + sub(6, other) + num(20, 5)) + sub(5, sub(1, 'then_branch') + sub(6, branch) + num(20, 5)))
    before = model([node('If', ['c'], ['y'], attributes)], [('x', ['N', 5]), ('c', [], 9)], ['y'])
    after = refine(before)
    untouched(before, after)
    found = {}
    for n, a in fields([v for n, v in fields(get(after, 7)) if n == 1][0]):
        if n == 5:
            found[get(a, 1)] = values(get(a, 6))
    assert found == {b'then_branch': {'inner': ['N', 6]}, b'else_branch': {'inner': ['N', 9]}}, found
    assert refine(after) == after


def test_loop_body_and_calls():
    body = graph([node('Add', ['s', 'one'], ['s2']), node('Identity', ['c'], ['c2'])], [('i', [], 7), ('c', [], 9), ('s', ['N', 4])],
                 ['c2', 's2'], extra=sub(5, tensor('one', [4], raw=b'1' * 16, dtype=1)))
    function = (sub(1, 'Twice') + sub(4, 'a') + sub(5, 'b') + sub(7, node('Concat', ['a', 'a'], ['b'], integer('axis', 0))) +
                sub(9, num(2, 17)) + sub(10, 'local'))
    before = model([node('Loop', ['n', '', 'x'], ['z'], sub(5, sub(1, 'body') + sub(6, body) + num(20, 5))),
                    node('Twice', ['z'], ['y'], domain='local')],
                   [('x', ['N', 4]), ('n', [], 7)], ['y'], tail=sub(25, function) + sub(8, sub(1, 'local') + num(2, 1)))
    after = refine(before)
    untouched(before, after)
    found = values(get(after, 7))
    assert found['z'] == ['N', 4] and found['y'] == ['2*N', 4], found


def test_invalid_models_are_not_written():
    conflict = model([node('Add', ['x', 'z'], ['y'])], [('x', [2]), ('z', [3])], ['y'])
    assert b'error' in refine(conflict, status=1)
    assert b'cut short' in refine(CONV[:-5], status=1)
    assert b'batch size is not given' in refine(CONV, '--require-static', status=1)
    mlir = subprocess.run([SHAPE, 'refine', '--emit', 'onnx', '-'], input=b'func.func @main() { return }', stderr=subprocess.PIPE, check=False)
    assert mlir.returncode == 2 and b'ONNX' in mlir.stderr


def test_same_file_and_by_pipe():
    expected, path = refine(CONV), os.path.join(HOME, 'same.onnx')
    with open(path, 'wb') as f:
        f.write(CONV)
    subprocess.run([SHAPE, 'refine', path, '-o', path], check=True)
    with open(path, 'rb') as f:
        assert f.read() == expected
    assert subprocess.run([SHAPE, 'refine', '-'], input=CONV, stdout=subprocess.PIPE, check=True).stdout == expected
    run = subprocess.run([SHAPE, 'refine', path, '-o', os.path.join(HOME, 'no', 'folder.onnx')], stderr=subprocess.PIPE, check=False)
    assert run.returncode == 3 and b'cannot write' in run.stderr


def test_large_model_redirected_to_standard_input():
    """What is not read at first is read again when the model is written: from a file without a name."""
    path = os.path.join(HOME, 'redirected.onnx')
    with open(path, 'wb') as f:
        f.write(CONV + b'\x32\x80\x80\x80\x01' + b' ' * (1 << 21))  # doc_string
    with open(path, 'rb') as f:
        out = subprocess.run([SHAPE, 'refine', '-'], stdin=f, stdout=subprocess.PIPE, check=True).stdout
    assert out == subprocess.run([SHAPE, 'refine', path], stdout=subprocess.PIPE, check=True).stdout and len(out) > 1 << 21


def test_zoo_round_trip():
    """Answers for the refined model are those for the model, by value; dims are said by dim_params or by formulas."""
    folder, seen = os.path.join(HOME, 'zoo'), 0

    def check(path):
        out = subprocess.run([SHAPE, 'check', '--json', path], stdout=subprocess.PIPE, check=False).stdout
        return json.loads(out)['functions'][0]['values']
    for path in make_zoo(folder, 150, seed=11):
        if not path.endswith('.onnx'):
            continue
        with open(path, 'rb') as f:
            before = f.read()
        out = path + '.refined.onnx'
        status = subprocess.run([SHAPE, 'refine', path, '-o', out], stderr=subprocess.DEVNULL, check=False).returncode
        if status:
            assert status == 1 and not os.path.exists(out)
            continue
        with open(out, 'rb') as f:
            after = f.read()
        untouched(before, after)
        assert check(path) == check(out), path
        assert refine(after) == after, path
        declared = values(get(after, 7))
        for name, known in check(path).items():
            if known['dims'] is None or name.startswith('w'):
                continue
            for have, size in zip(declared[name], known['dims']):
                said = formulas(after).get('shape.dim.%s' % have)
                assert said == size if said else same_size(have, size), (path, name, have, size)
                seen += 1
    assert seen > 500, seen


def test_weights_cost_nothing():
    """A model of 3 GB of weights (a sparse file), in memory that cannot hold a tenth of them."""
    count = 375000000
    head = b''.join(num(1, d) for d in (count,)) + num(2, 1) + sub(8, 'w') + varint(9 << 3 | 2) + varint(4 * count)
    before = sub(1, node('Add', ['x', 'w'], ['s'])) + sub(1, node('Relu', ['s'], ['y'])) + sub(2, 'g')
    before += varint(5 << 3 | 2) + varint(len(head) + 4 * count) + head
    after = sub(11, value('x', ['N', count])) + sub(12, sub(1, 'y'))
    path, out = os.path.join(HOME, 'large.onnx'), os.path.join(HOME, 'large-out.onnx')
    with open(path, 'wb') as f:
        f.write(num(1, 8) + sub(8, num(2, 17)) + varint(7 << 3 | 2) + varint(len(before) + 4 * count + len(after)) + before)
        f.seek(4 * count, 1)
        f.write(after)
    small = {'preexec_fn': lambda: resource.setrlimit(resource.RLIMIT_CPU, (20, 20))}
    run = subprocess.Popen([SHAPE, 'check', path], stdout=subprocess.PIPE, **small)
    text = run.stdout.read()
    run.stdout.close()
    _, status, usage = os.wait4(run.pid, 0)
    run.returncode = status
    assert status == 0 and b'[N, 375000000]' in text, text
    limit = 200000 if 'asan' in SHAPE or 'tsan' in SHAPE else 30000
    assert usage.ru_maxrss < limit, '%d KiB' % usage.ru_maxrss
    statistics = os.statvfs(HOME)
    if statistics.f_bavail * statistics.f_frsize < 5 << 30 or not os.environ.get('REFINE_LARGE'):
        return  # the copy is not sparse
    run = subprocess.Popen([SHAPE, 'refine', path, '-o', out], **small)
    _, run.returncode, usage = os.wait4(run.pid, 0)
    assert run.returncode == 0 and usage.ru_maxrss < limit, usage
    assert os.path.getsize(out) > os.path.getsize(path)


if __name__ == '__main__':
    try:
        status = main(globals(), sys.argv[1:])
    finally:
        shutil.rmtree(HOME, ignore_errors=True)
    sys.exit(status)
