#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random expressions in dim_param of ONNX inputs have the values that exact rationals give.

    tests/property/dim_param/run.py              2000 expressions (or $PROPERTY_DIMS), seeds from 1
    tests/property/dim_param/run.py --seed 4711  one again: its text, what is printed, what is wrong

Each is a tree of operators and functions, in the spellings of SymPy, JAX, onnx-light, paddle2onnx and ONNX's proposal 0010,
with random white space. At each point where it has a value:
    an integer     that is >= 0: the dim that is printed has that value, and no constraint is violated
    no integer     a constraint that says so is violated, or the text is still a name
Every third text gets a random edit: it is an expression, or a name. The last line is
`N passed, N failed`.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
from fractions import Fraction
from math import ceil, floor

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / 'programs'), str(HERE.parents[1] / 'support')]
import expressions  # noqa: E402
import zoo_models as onnx  # noqa: E402

NAMES = ('a', 'b', 'seq_len', 's0.x')
POINTS = 40
NAMES_AT_MOST = 0.1  # of expressions may stay names: maxima of quotients by expressions, whose sign is not known
NAME = 'it is a name'
TOO_LARGE = 1 << 60


class NoValue(Exception):
    """A division by 0, or a number that is too large to be a dim."""


def divide(a, b):
    if b == 0:
        raise NoValue
    return a / b


def modulo(a, b):
    return a - b * floor(divide(a, b))


# name -> (value of the arguments, how many there may be, spellings)
CALLS = {
    'max': (lambda *x: max(x), (1, 3), ('max', 'Max')), 'min': (lambda *x: min(x), (1, 3), ('min', 'Min')),
    'mod': (modulo, (2, 2), ('mod', 'Mod', 'PythonMod')),
    'floordiv': (lambda a, b: Fraction(floor(divide(a, b))), (2, 2), ('floordiv', 'FloorDiv')),
    'ceildiv': (lambda a, b: Fraction(ceil(divide(a, b))), (2, 2), ('CeilDiv', 'ceildiv', 'CeilToInt')),
    'floor': (lambda a: Fraction(floor(a)), (1, 1), ('floor', 'FloorToInt')),
    'ceil': (lambda a: Fraction(ceil(a)), (1, 1), ('ceil', 'ceiling', 'CeilToInt')),
    'abs': (abs, (1, 1), ('abs', 'Abs')),
    'add': (lambda *x: sum(x, Fraction(0)), (1, 3), ('Add',)),
    'mul': (lambda a, b: a * b, (2, 2), ('Mul',)), 'sub': (lambda a, b: a - b, (2, 2), ('Sub',)),
}
# token -> (level, value)
OPERATORS = {
    '^': (0, max), '&': (1, min), '+': (2, lambda a, b: a + b), '-': (2, lambda a, b: a - b),
    '*': (3, lambda a, b: a * b), '/': (3, divide), '//': (3, lambda a, b: Fraction(floor(divide(a, b)))),
    '%': (3, modulo), '/:': (3, divide),
}


def space(rng):
    return rng.choice(['', '', ' ', '  '])


def made(rng, depth):
    """(text, level, function of an environment)"""
    kind = rng.random() if depth else 0
    if kind < .35:
        if rng.random() < .6:
            name = rng.choice(NAMES)
            return name, 5, lambda env: Fraction(env[name])
        number = rng.choice(['0', '1', '2', '3', '7', '16', '0.5', '1.0', '0.125', '2.50', str(rng.randint(0, 1000))])
        return number, 5, lambda env: Fraction(number)
    if kind < .42:
        text, level, value = made(rng, depth - 1)
        k = rng.randint(0, 3)
        return (text if level >= 5 else '(%s)' % text) + space(rng) + '**' + str(k), 4, lambda env: value(env) ** k
    if kind < .5:
        text, level, value = made(rng, depth - 1)
        return '-' + (text if level >= 4 else '(%s)' % text), 4, lambda env: -value(env)
    if kind < .72:
        function, (least, most), spellings = CALLS[rng.choice(sorted(CALLS))]
        spelling = rng.choice(spellings)
        parts = [made(rng, depth - 1) for _ in range(rng.randint(least, most))]
        text = spelling + '(' + (',' + space(rng)).join(p[0] for p in parts) + space(rng) + ')'
        return text, 5, lambda env: function(*[p[2](env) for p in parts])
    token = rng.choice(sorted(OPERATORS))
    level, function = OPERATORS[token]
    left, right = made(rng, depth - 1), made(rng, depth - 1)
    text = (left[0] if left[1] >= level else '(%s)' % left[0]) + space(rng) + token + space(rng)
    text += right[0] if right[1] > level else '(%s)' % right[0]
    return text, level, lambda env: function(left[2](env), right[2](env))


def edited(rng, text):
    at = rng.randrange(len(text) + 1)
    new = rng.choice(['', '(', ')', '*', '^', '.', ',', ' ', '-', '"', '\\', '\0', 'é', 'x', '9', '//', '::'])
    return text[:at] + new + text[at + rng.randint(0, 2):]


def model(text):
    inputs = [('in%d' % i, [name]) for i, name in enumerate(NAMES)] + [('x', [text])]
    return onnx.model([onnx.node('Identity', ['x'], ['y'])], inputs, ['y'])


def outside(symbol, value):
    least, most = symbol['min'], symbol['max']
    return value < least or (most is not None and value > most) or value % symbol['divisible_by'] != 0


def legal(value, rng):
    """Whether the expression is a dim at some point."""
    for _ in range(POINTS):
        try:
            true = value({name: rng.randint(1, 20) for name in NAMES})
        except NoValue:
            continue
        if true.denominator == 1 and true >= 0:
            return True
    return False


def wrong(text, value, answer, rng):
    """What is wrong with the answer, or None."""
    if answer['status'] == 'error':
        never = value is None or not legal(value, rng)
        if never and all(d['code'] == 'assumption' for d in answer['diagnostics']):
            return None  # it is an integer at no point
        return 'an error: %s' % answer['diagnostics']
    dim = answer['functions'][0]['argument_dims'][len(NAMES)][0]
    if isinstance(dim, str) and (dim.startswith('"') or dim == text and text not in NAMES
                                 and text in [s['name'] for s in answer['symbols']]):
        return NAME if value is not None and legal(value, rng) else None
    if value is None:
        return None
    dim = dim.replace('s0.x', 's0_x') if isinstance(dim, str) else dim
    for _ in range(POINTS):
        env = {name: rng.choice([0, 1, 2, 3, 7, 16, rng.randint(0, 1000)]) for name in NAMES}
        try:
            true = value(env)
        except NoValue:
            continue
        if abs(true) > TOO_LARGE:
            continue
        env = {name.replace('.', '_'): v for name, v in env.items()}
        violated = [c for c in answer['constraints'] if expressions.holds(
            {k: [x.replace('s0.x', 's0_x') if isinstance(x, str) else x for x in v] if k in ('lhs', 'rhs') else v
             for k, v in c.items()}, env) is False]
        violated += [s for s in answer['symbols'] if s['name'] in NAMES and outside(s, env[s['name'].replace('.', '_')])]
        if true.denominator == 1 and true >= 0 and violated:
            return 'it is %s at %s, which breaks %s' % (true, env, violated)
        said = any(b['message'] == 'the declared dim is an integer' for c in answer['constraints'] for b in c['because'])
        if true.denominator != 1 and not violated and not said:
            return 'it is %s at %s, and no constraint is violated' % (true, env)
        if true.denominator == 1 and true >= 0:
            try:
                found = expressions.evaluate(dim, env)
            except expressions.Unbound:
                return NAME  # too large to be printed
            if found != true:
                return '%s is %s at %s, not %s' % (dim, found, env, true)
    return None


def case(seed):
    """(text, its value or None where it may be anything)"""
    rng = random.Random(seed)
    text, _, value = made(rng, rng.randint(1, 4))
    return (edited(rng, text), None) if seed % 3 == 0 else (space(rng) + text + space(rng), value)


def answers(tool, texts):
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for i, text in enumerate(texts):
            names.append(os.path.join(folder, '%05d.onnx' % i))
            with open(names[-1], 'wb') as handle:
                handle.write(model(text))
        done = subprocess.run([tool, 'check', '--json', *names], stdout=subprocess.PIPE, check=False)
    lines = done.stdout.decode('utf-8', 'replace').splitlines()
    assert done.returncode in (0, 1) and len(lines) == len(texts), (done.returncode, len(lines))
    return [json.loads(line) for line in lines]


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--tool', default=os.environ.get('SHAPE', 'build/shape'))
    ap.add_argument('--first', type=int, default=1)
    ap.add_argument('--count', type=int, default=int(os.environ.get('PROPERTY_DIMS', 2000)))
    ap.add_argument('--seed', type=int)
    opt = ap.parse_args()
    seeds = [opt.seed] if opt.seed is not None else range(opt.first, opt.first + opt.count)
    failed = names = 0
    for begin in range(0, len(seeds), 500):
        part = seeds[begin:begin + 500]
        cases = [case(seed) for seed in part]
        for seed, (text, value), answer in zip(part, cases, answers(opt.tool, [text for text, _ in cases])):
            error = wrong(text, value, answer, random.Random(seed))
            if opt.seed is not None:
                print(repr(text), json.dumps(answer, indent=1), sep='\n')
            names += error == NAME
            if error not in (None, NAME):
                failed += 1
                print('FAILED seed %d: %r: %s' % (seed, text, error))
    if names > max(10, NAMES_AT_MOST * len(seeds)):
        failed += 1
        print('FAILED: %d of %d expressions stay names' % (names, len(seeds)))
    print('%d passed, %d failed' % (len(seeds) - failed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
