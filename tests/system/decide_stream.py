#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`shape decide` as a stream and by its own examples. Reads SHAPE (default build/shape).

Nothing in a line may make the next line's answer wrong or late: hard, huge and invalid lines are between plain ones,
whose answers must be the bytes that they get alone, in their order. The last line is `N passed, N failed`.
"""
import json
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import main  # noqa: E402

SHAPE = os.environ.get('SHAPE', os.path.join(ROOT, 'build', 'shape'))
LATE = 60  # seconds for one hard line: hundreds of times what it takes


def ask(lines):
    run = subprocess.run([SHAPE, 'decide', '--jsonl'], input='\n'.join(lines) + '\n', capture_output=True, text=True,
                         timeout=LATE * len(lines))
    assert run.returncode == 0, (run.returncode, run.stderr[-300:])
    return run.stdout.splitlines()


def line(kind, text, assume=(), symbols='abc', **limits):
    return json.dumps({'id': 'x', 'symbols': {s: dict(limits) for s in symbols}, 'assume': list(assume), kind: text})


PLAIN = [line('query', 'a <= c', ['a <= b', 'b <= c']), line('query', 'a*b == a*c', ['b == c']),
         line('bounds', 'mod(a, 7)*mod(b, 3)'), line('simplify', 'floordiv(a*8 + 3, 8) + max(b, b - 1)'),
         line('query', 'a == 3', ['2*a == 4', '3*a == 9']), line('query', 'divisible(a*b, 16)', ['mod(a, 16) == 0'], min=0)]
MANY = ['s%d' % i for i in range(2000)]
HARD = {
    'no JSON': '{wrong', 'empty object': '{}', 'two queries': '{"query": "a==a", "bounds": "a"}',
    'unknown symbol': line('query', 'a <= unknown'),
    'division by zero': line('query', 'floordiv(a, 0) == 1'),
    'division by what may be zero': line('bounds', 'floordiv(a, b) + mod(c, a - b)'),
    'exponent over the limit': line('query', 'a^65 == 1'),
    'exponent at the limit': line('bounds', '(a + b)^64 - (a - b)^63', min=0),
    'powers of powers': line('query', '((((a^64)^64)^64)^64) >= 0'),
    'nested too deep': line('query', '(' * 5000 + 'a' + ')' * 5000 + ' >= 0'),
    'nested at the limit': line('query', 'max(' * 150 + 'a' + ', b)' * 150 + ' >= a'),
    'huge coefficients': line('query', '%s*a == %s*b' % ('9' * 4000, '8' * 4000)),
    'a number with 200,000 digits': line('query', 'a <= ' + '7' * 200000),
    'many symbols': line('query', MANY[0] + ' < ' + MANY[-1], ['%s < %s' % p for p in zip(MANY, MANY[1:])], MANY),
    'a long sum': line('bounds', ' + '.join(MANY), (), MANY, min=1),
    'contradictory assumptions': line('query', 'a == 0', ['a < b', 'b < c', 'c < a']),
    'a quadratic with no answer': line('query', 'a*a*a + b*b*b == c*c*c', ['a*b*c != 0', 'a != b'], min=1),
    'a web of products': line('query', 'a*b*c == 7', ['a*b - c*c == 1', 'b*c - a*a == 2', 'mod(a*b*c, 11) == 5']),
    'a modulus below zero': line('bounds', 'mod(a, -7)*mod(b, -3) - mod(c, 0 - 5)'),
    'many minima': line('simplify', 'min(' + ', '.join('max(%d*a - %d*b, %d*c)' % (i, i * i, 7 - i)
                                                       for i in range(1, 20)) + ')'),
}


def test_lines_are_apart():
    alone = [ask([p])[0] for p in PLAIN]
    assert ask(PLAIN) == alone
    for name, hard in HARD.items():
        start = time.monotonic()
        got = ask([PLAIN[0], hard] + PLAIN)
        took = time.monotonic() - start
        assert len(got) == len(PLAIN) + 2, (name, got)
        assert [got[0]] + got[2:] == [alone[0]] + alone, name
        json.loads(got[1])
        assert took < LATE, (name, took)


def test_hard_lines_repeat():
    lines = list(HARD.values())
    first = ask(lines)
    assert len(first) == len(lines)
    assert ask(list(reversed(lines))) == list(reversed(first))


def test_errors_are_reported():
    got = json.loads(ask([line('query', 'a <= unknown', ['a >= 1'])])[0])['error']
    assert got['field'] == 'query' and got['at'] == 5 and "'unknown'" in got['message'], got
    got = json.loads(ask([line('query', 'a <= 1', ['a >= 1', 'b + * 2 == 3'])])[0])['error']
    assert got['field'] == 'assume[1]' and got['at'] == 4, got


def test_small_budgets_are_never_wrong():
    """What a query answers with few steps is what it answers with many, or unknown; dims below, at and above 0."""
    asked = [([], 'mod(a, b) != 5'), (['b != 0'], 'floordiv(a*a + 7, b) + mod(a*b, 7) != 9'),
             (['b > 0'], 'mod(a*a, b) + mod(b*b, 5) <= 9'), (['b > 0'], 'floordiv(100, b) + mod(a*a, 7) != 14')]
    lines = [line('query', text, assume, 'ab', min=low, max=high)
             for low, high in ((-3, 9), (0, 12), (1, 13), (-1, 1), (0, 0)) for assume, text in asked]

    def answers(steps):
        run = subprocess.run([SHAPE, 'decide', '--jsonl', '--steps', str(steps)], input='\n'.join(lines) + '\n',
                             stdout=subprocess.PIPE, text=True, check=True, timeout=LATE)
        return [json.loads(reply) for reply in run.stdout.splitlines()]

    whole = answers(1000000)
    for steps in list(range(1, 600, 13)) + list(range(600, 9000, 97)):
        for text, full, few in zip(lines, whole, answers(steps)):
            assert few['answer'] in ('unknown', full['answer']) and few['conflict'] <= full['conflict'], (steps, text, full, few)


def test_small_budgets_never_narrow_bounds():
    """What few steps leave of bounds holds what many find."""
    asked = ['min(mod(a, b) - max(a, b), max(1, 8*b))', 'mod(a*a, b)', 'floordiv(a*b, a + 1)']
    lines = [line('bounds', text, [], 'ab', min=low, max=high) for low, high in ((1, 6), (0, 9), (3, 8)) for text in asked]
    whole = [json.loads(reply) for reply in ask(lines)]
    for steps in range(1, 900, 3):
        run = subprocess.run([SHAPE, 'decide', '--jsonl', '--steps', str(steps)], input='\n'.join(lines) + '\n',
                             stdout=subprocess.PIPE, text=True, check=True, timeout=LATE)
        for text, full, few in zip(lines, whole, map(json.loads, run.stdout.splitlines())):
            assert few['min'] is None or few['min'] <= full['min'], (steps, text, full, few)
            assert few['max'] is None or few['max'] >= full['max'], (steps, text, full, few)


def test_examples_of_help():
    run = subprocess.run([SHAPE, 'decide', '--help'], capture_output=True, text=True, timeout=LATE)
    examples = run.stdout.split('examples:\n')[1].splitlines()
    assert len(examples) >= 4, examples
    env = dict(os.environ, PATH=os.path.dirname(os.path.abspath(SHAPE)) + os.pathsep + os.environ['PATH'])
    for example in examples:
        done = subprocess.run(['sh', '-c', example], capture_output=True, text=True, timeout=LATE, env=env)
        assert done.stdout and not done.stderr and done.returncode in (0, 1), (example, done)
        assert 'unknown' not in done.stdout and 'error' not in done.stdout, (example, done.stdout)


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
