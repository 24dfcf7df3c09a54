#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Models whose dims grow with each layer: time stays near linear, dims stay right, guards stay whole.

Every kind of tests/bench/gen_onnx.py is analysed symbolically. Its dims, evaluated at several inputs through the definitions
in the answer, must be those of the same model analysed with these numbers; its guards as Python code must accept inputs
exactly where that run finds no error. `shape generalize` comes to an end, too. Ten times the layers may take thirty times the CPU time at most, start-up and noise
left out. Reads SHAPE (default build/shape). The last line is `N passed, N failed`.
"""
import json
import os
import resource
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'bench'))
import gen_onnx  # noqa: E402

SHAPE = os.environ.get('SHAPE', os.path.join(ROOT, 'build', 'shape'))
LAYERS, FEW, MANY = 12, 40, 400
LAYERS_FREED = 100  # a walk over expressions that meets each part once for each way to it never ends
NOISE = 0.05  # seconds of CPU that say nothing
RUNS = 3  # the least of them counts: what else the machine does makes a run slower, never faster
FUNCTIONS = {
    'floordiv': lambda a, b: a // b, 'ceildiv': lambda a, b: -(-a // b), 'mod': lambda a, b: a % b,
    'bcast': lambda a, b: b if a == 1 else a, 'min': min, 'max': max, 'select': lambda c, a, b: a if c else b,
    'is_zero': lambda a: int(a == 0), 'is_neg': lambda a: int(a < 0), '__builtins__': {}}


class Names(dict):
    """Values of symbols: those that are given, and those that the answer defines."""

    def __init__(self, given, symbols):
        super().__init__(given)
        self.definitions = {s['name']: s['def'] for s in symbols if s.get('def') is not None}

        self.texts = {}

    def size(self, text):
        if text not in self.texts:
            self.texts[text] = evaluate(text, self)
        return self.texts[text]

    def __missing__(self, name):
        if name in FUNCTIONS:
            raise KeyError(name)
        self[name] = value = evaluate(self.definitions.pop(name), self)
        return value


def evaluate(text, names):
    return text if isinstance(text, int) else eval(text, FUNCTIONS, names)


def check(path, *options):
    """(answer, seconds of CPU)"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run([SHAPE, 'check', '--json', path, *options], capture_output=True, timeout=120)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode not in (0, 1):
        raise AssertionError('exit status %d: %s' % (run.returncode, run.stderr.decode()[-300:]))
    return json.loads(run.stdout), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def write(folder, kind, layers):
    path = os.path.join(folder, '%s-%d.onnx' % (kind, layers))
    with open(path, 'wb') as f:
        f.write(gen_onnx.chain(kind, layers)[0])
    return path


def guards(path):
    code = subprocess.run([SHAPE, 'refine', '--guards', 'python', path], capture_output=True, timeout=120, check=True).stdout
    scope = {}
    exec(code.decode(), scope)
    return scope[next(n for n in scope if n.startswith('check_'))], scope['COMPLETE']


def inputs_of(names, seed):
    """Dims by name; all of the same length in one of them, so that broadcasts run."""
    if seed in (0, 2):
        return {n: 224 if seed == 0 else 3 << 19 for n in names}
    if seed == 1:
        return {n: 3000 + 7 * i for i, n in enumerate(names)}
    return {n: (i * seed) % 5 + 1 for i, n in enumerate(names)}


def same_sizes(folder, kind):
    path = write(folder, kind, LAYERS)
    answer, _ = check(path)
    if answer['status'] != 'ok':
        return 'it is refused: %r' % answer['diagnostics']
    guard, complete = guards(path)
    function, ran = answer['functions'][0], 0
    for seed in (0, 1, 2, 3):
        given = inputs_of([s['name'] for s in answer['symbols'] if s['origin']['kind'] == 'declared'], seed)
        names = Names(given, answer['symbols'])
        extents = [[names.size(d) for d in dims] for dims in function['argument_dims']]
        concrete, _ = check(path, '--bind', ','.join('%s=%d' % item for item in sorted(given.items())))
        refused = concrete['status'] == 'error'
        said = guard(extents, [[] for _ in extents])
        if complete and (said is not None) != refused:
            return 'the guards say %r of %r, which is %s' % (said, seed, concrete['status'])
        if refused:
            continue
        ran += 1
        for name, value in concrete['functions'][0]['values'].items():
            symbolic = function['values'][name]['dims']
            for i, true in enumerate(value['dims'] or []):
                got = names.size(symbolic[i])
                if got >= 1 << 63:  # "shape arithmetic in i64 does not overflow" is assumed, and here it does
                    return None
                if got != true:
                    return '%s[%d] is %s, so %r, and should be %r' % (name, i, symbolic[i][:200], got, true)
    return None if ran else 'none of the inputs fits it'


def is_linear(folder, kind):
    """Ten times the layers may cost sixty times as much: expressions grow until they get names of their own, which makes a
    layer up to three times as dear, and the machine may be twice as slow the next moment. Squares would be a hundred."""
    few, many = (min(check(write(folder, kind, n))[1] for _ in range(RUNS)) for n in (FEW, MANY))
    if many > NOISE and many - NOISE > 60 * max(few, 0.002):
        return '%d layers take %.3f s, %d take %.3f s' % (FEW, few, MANY, many)
    return None


def is_generalized(folder, kind):
    """0, or 4 where the conditions are too long."""
    try:
        run = subprocess.run([SHAPE, 'generalize', write(folder, kind, LAYERS_FREED)], capture_output=True, timeout=120)
    except subprocess.TimeoutExpired:
        return 'generalize does not end'
    return None if run.returncode in (0, 4) else 'generalize: exit status %d: %s' % (run.returncode, run.stderr.decode()[-300:])


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind in gen_onnx.KINDS:
            for test in (same_sizes, is_linear, is_generalized):
                problem = test(folder, kind)
                passed, failed = passed + (problem is None), failed + (problem is not None)
                if problem:
                    print('FAIL %s, %s: %s' % (kind, test.__name__, problem))
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
