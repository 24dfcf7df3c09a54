#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rows of torch.def and the reader of FX graphs against PyTorch: random calls and programs with legal and illegal dims,
which PyTorch runs.

    run.py [--tool PATH] [--python PATH] [--seed N] [--cases N] [--only WORD] [--calls FILE] [--texts N]

An answer is unsound where PyTorch runs a call and the answer has other dims or excludes them, and where PyTorch refuses dims that
every guard accepts and no requirement is listed as unchecked. Without a Python that has PyTorch nothing is tested. The last
line: `N passed, N failed[, N skipped]`.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
TABLE = os.path.join(ROOT, 'solver', 'ops', 'torch.def')


def operators(only):
    with open(TABLE, encoding='utf-8') as handle:
        names = re.findall(r'^X\("(torch\.aten\.[^"]*)"', handle.read(), re.MULTILINE)
    return [n for n in names if re.search(only, n)]


AT_A_TIME = 50  # operators of one process, which keeps what it has allocated


def cases_of(command, given):
    """(cases that a generator writes, what it began last, whether it ended well)"""
    run = subprocess.run(command, input=given, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    out, last = [], None
    for line in run.stdout.splitlines():
        try:
            doc = json.loads(line)
        except ValueError:
            continue
        if 'begin' in doc:
            last = doc['begin']
        else:
            out.append(doc)
    return out, last, run.returncode == 0


def calls(python, names, seed, cases):
    """Cases of all operators; one at which PyTorch itself dies is left out."""
    out, left = [], list(names)
    while left:
        some = left[:AT_A_TIME]
        found, last, good = cases_of([python, os.path.join(HERE, 'random_calls.py'), str(seed), str(cases)], '\n'.join(some))
        out += found
        left = left[AT_A_TIME if good or last is None else left.index(last) + 1:]
    return out


def texts(python, seed, count):
    """Programs of random statements; one at which PyTorch itself dies is left out."""
    out, at = [], 0
    while at < count:
        end = min(count, at + 1000)
        found, last, good = cases_of([python, os.path.join(HERE, 'random_texts.py'), str(seed), str(at), str(end)], '')
        out += found
        at = end if good or last is None else last + 1
    return out


class Value(Exception):
    """An expression that the dims of the arguments do not determine."""


def evaluate(expression, env):
    if isinstance(expression, int):
        return expression
    if expression is None:
        raise Value
    names = {'floordiv': lambda a, b: a // b, 'ceildiv': lambda a, b: -(-a // b), 'mod': lambda a, b: a % b,
             'max': max, 'min': min, 'bcast': lambda a, b: b if a == 1 else a, 'select': lambda c, a, b: a if c else b,
             'is_zero': lambda a: int(a == 0), 'is_neg': lambda a: int(a < 0)}
    try:
        return eval(expression.replace('^', '**'), {'__builtins__': {}}, dict(names, **env))  # the answer of our own tool
    except NameError:
        raise Value from None
    except ZeroDivisionError:
        raise Value from None


def side(text, env):
    product = 1
    for factor in text if isinstance(text, list) else [text]:
        product *= evaluate(factor, env)
    return product


def holds(predicate, env):
    l, r = side(predicate['lhs'], env), side(predicate['rhs'], env)
    return {'ne': l != r, 'lt': l < r, 'le': l <= r, 'divisible': (l % r == 0) if r else l == 0}.get(predicate['kind'], l == r)


def binding(doc, dims):
    """Symbols of the answer at these dims; False: they are excluded. An argument's dim may be an expression by what was found."""
    env, later = {}, []
    for row, have in zip(doc['functions'][0]['argument_dims'], dims):
        if row is None or len(row) != len(have):
            return False
        for said, size in zip(row, have):
            if isinstance(said, int):
                if said != size:
                    return False
            elif re.fullmatch(r'\w+', said):
                if env.setdefault(said, size) != size:
                    return False
            else:
                later.append((said, size))
    for said, size in later:
        try:
            if evaluate(said, env) != size:
                return False
        except Value:
            pass
    for symbol in doc['symbols']:
        value = env.get(symbol['name'])
        if value is None:
            continue
        if (symbol.get('min') is not None and value < int(symbol['min'])) or (
                symbol.get('max') is not None and value > int(symbol['max'])):
            return False
    return env


def excluded(doc, dims):
    """Whether the answer says that no run has these dims; None: it leaves something unchecked."""
    if doc['status'] != 'ok':
        return True
    env = binding(doc, dims)
    if env is False:
        return True
    unsure = bool(doc.get('unchecked')) or any(d['code'] == 'unknown-operation' for d in doc['diagnostics'])
    for predicate in doc['constraints'] + doc['guards']:
        try:
            if not holds(predicate, env):
                return True
        except Value:
            unsure = True
        except KeyError:
            unsure = True
    return None if unsure else False


def judge(case, doc):
    """What is unsound about an answer, and how many dims it does not have."""
    rows = not case.get('is_text')
    if any(d['code'] == 'syntax' or (rows and d['code'] == 'unknown-operation') for d in doc['diagnostics']):
        return ['not understood: %s' % doc['diagnostics'][0]['message']], 0
    found, open_dims = [], 0
    for point in case['points']:
        out = excluded(doc, point['dims'])
        if 'error' in point:
            if out is False:
                found.append('%s is accepted, PyTorch: %s' % (point['dims'], point['error']))
            continue
        if out and not rows and doc['status'] != 'ok' and any(0 in row for row in point['dims']):
            continue  # 1.13 has few checks for tensors without elements
        if out:
            why = [d['message'] for d in doc['diagnostics'] if d['severity'] == 'error'] or doc['guards']
            found.append('%s is excluded, PyTorch gives %s: %s' % (point['dims'], point['results'], why))
            continue
        env = binding(doc, point['dims'])
        results = doc['functions'][0]['result_dims']
        for said, have in zip(results, point['results']):
            if said is None:
                open_dims += 1
            elif len(said) != len(have):
                found.append('%s: rank %s, PyTorch gives %s' % (point['dims'], said, have))
            else:
                for s, h in zip(said, have):
                    try:
                        if evaluate(s, env) != h:
                            found.append('%s: %s, PyTorch gives %s' % (point['dims'], said, have))
                            break
                    except Value:
                        open_dims += 1
    return found, open_dims


def answers(shape, cases):
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for i, case in enumerate(cases):
            paths.append(os.path.join(folder, '%d.py' % i))
            with open(paths[-1], 'w', encoding='utf-8') as handle:
                handle.write(case['text'])
        for at in range(0, len(paths), 200):
            run = subprocess.run([shape, 'check', '--json'] + paths[at:at + 200], stdout=subprocess.PIPE, text=True, check=False)
            yield from (json.loads(line) for line in run.stdout.splitlines())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--tool', default=os.environ.get('SHAPE', os.path.join(ROOT, 'build', 'shape')))
    parser.add_argument('--python', default='/usr/bin/python3')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--cases', type=int, default=3, help='calls of each operator')
    parser.add_argument('--only', default='', help='operators whose name matches')
    parser.add_argument('--every', type=int, default=int(os.environ.get('PROPERTY_TORCH', 60)),
                        help='one operator in N; $PROPERTY_TORCH, else 60')
    parser.add_argument('--texts', type=int, help='programs of random statements (default: ten for each operator)')
    parser.add_argument('--calls', help='take calls from this file, which is written where it is not there')
    o = parser.parse_args()
    if not shutil.which(o.python) or subprocess.run([o.python, '-c', 'import torch'], stderr=subprocess.DEVNULL).returncode:
        print('%s has no PyTorch: rows of torch.def are not compared with it' % o.python)
        print('0 passed, 0 failed, 1 skipped')
        return 0
    if o.calls and os.path.exists(o.calls):
        with open(o.calls, encoding='utf-8') as handle:
            cases = [json.loads(line) for line in handle]
        cases = [c for c in cases if 'op' in c and re.search(o.only, c['op'])]
    else:
        chosen = operators(o.only)[o.seed % o.every::o.every]
        cases = calls(o.python, chosen, o.seed, o.cases)
        cases += cases_of([o.python, os.path.join(HERE, 'random_recurrent.py'), str(o.seed), '8'], '')[0]
        cases += texts(o.python, o.seed, 10 * len(chosen) if o.texts is None else o.texts)
        if o.calls:
            with open(o.calls, 'w', encoding='utf-8') as handle:
                handle.writelines(json.dumps(c) + '\n' for c in cases)
    failed, open_dims, points = 0, 0, 0
    for case, doc in zip(cases, answers(o.tool, cases)):
        found, unknown = judge(case, doc)
        open_dims += unknown
        points += len(case['points'])
        if found:
            failed += 1
            print('FAIL %s: %s\n%s' % (case['op'], found[0], case['text']))
    print('%d operators, %d points, %d dims not known' % (len({c['op'] for c in cases}), points, open_dims))
    print('%d passed, %d failed' % (len(cases) - failed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
