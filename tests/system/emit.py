#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs as shape constraint IR and guards as code, over whole corpora.

Reads SHAPE (default build/shape), ../shared/corpus where it is there, and the programs of the golden cases and the demo.
    disc-shape   analyse, emit, read, analyse: dims, constraints, guards and ranges of symbols stay; emitting again gives
                 the same text. Then every operation that computes data is replaced by one that is unknown: what the
                 constraint graph says of the arguments still holds
    json         the same, by way of the JSON graph
    guards       the checks in Python and C compile
What is known may grow when types become static. A difference counts against FLOOR. The last line is `N passed, N failed, N skipped`.
"""
import collections
import concurrent.futures
import functools
import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHAPE = os.environ.get('SHAPE', os.path.join(ROOT, 'build', 'shape'))
CORPUS = os.path.join(os.path.dirname(ROOT), 'shared', 'corpus')
FLOOR = {'disc-shape': 1.0, 'stable': 0.998, 'json': 1.0, 'guards': 1.0, 'rewritten': 1.0}
# The programs of the golden cases alone: few, and chosen for being hard.
FLOOR_ALONE = {'disc-shape': 1.0, 'stable': 0.97, 'json': 1.0, 'guards': 1.0, 'rewritten': 1.0}
# Corpora with dialects that are not read in full have floors of their own.
FLOOR_OF = {'torch': {'disc-shape': 1.0, 'stable': 1.0, 'json': 1.0, 'guards': 1.0, 'rewritten': 1.0},
            'compiler': {'disc-shape': 1.0, 'stable': 0.993, 'json': 0.998, 'guards': 1.0, 'rewritten': 1.0}}
GRAPH = 'shape_constraint_graph'


def floors_of(path):
    """(a name, floors) of the programs with which this one is counted"""
    folder = os.path.relpath(path, CORPUS).split(os.sep)[0]
    if os.path.basename(os.path.dirname(path)).startswith('torch-'):
        folder = 'torch'
    if folder in FLOOR_OF:
        return folder, FLOOR_OF[folder]
    return 'others', FLOOR if os.path.isdir(CORPUS) else FLOOR_ALONE


def programs():
    own = glob.glob(os.path.join(ROOT, 'tests', 'golden', '*', '*', '*.mlir'))
    own += glob.glob(os.path.join(ROOT, 'deploy', 'demo', '*.mlir'))
    return sorted(own) + sorted(glob.glob(os.path.join(CORPUS, '*', '**', '*.mlir'), recursive=True))


def shape(*arguments):
    done = subprocess.run([SHAPE, *arguments], capture_output=True, timeout=120, check=False)
    return done.returncode, done.stdout


def check(path):
    return json.loads(shape('check', '--json', path)[1])


class Renaming:
    """Names S0, S1, ... count what a report mentions, so a second one has others; a name from the source stays.

    A symbol of the first answer denotes an expression of the second: the one that is found where the symbol alone
    was a size. Under that everything else has to be the same, which is tried at points. What an answer computes has the
    value that its definition there gives it.
    """
    NAME = re.compile(r'(?<![\w.])[A-Za-z_][\w.]*(?!\w*\()')
    FUNCTIONS = {'floordiv': lambda a, b: a // b, 'ceildiv': lambda a, b: -(-a // b), 'mod': lambda a, b: a % b,
                 'min': min, 'max': max, 'bcast': lambda a, b: b if a == 1 else a, 'select': lambda c, a, b: a if c else b,
                 'is_zero': lambda a: int(a == 0), 'is_neg': lambda a: int(a < 0)}

    def __init__(self, pairs, was=(), now=()):
        self.map = {}
        self.defined, self.defined_now = ({s['name']: str(s['def']) for s in symbols if 'def' in s} for symbols in (was, now))
        for was, now in pairs:
            if isinstance(was, str) and re.fullmatch(r'S\d+', was) and now is not None:
                self.map.setdefault(was, str(now))

    GLOBALS = dict(FUNCTIONS, __builtins__={})

    @staticmethod
    @functools.lru_cache(maxsize=1 << 14)
    def code(expression):
        """As code of Python, made once for all points; None where it is too deep for Python: it is not compared."""
        try:
            return compile(Renaming.NAME.sub(lambda m: 'N[%r]' % m.group(0), expression), 'expression', 'eval')
        except RecursionError:
            return None

    @staticmethod
    def value(expression, values):
        """The number (or truth) of it, None where it has none there."""
        code = Renaming.code(str(expression))
        try:
            return code and eval(code, Renaming.GLOBALS, {'N': values})
        except (ZeroDivisionError, RecursionError):
            return None

    def look_up(self, name, meanings, values):
        """The value of a name by its meaning, which may mention others; None where it has none."""
        if name not in values:
            values[name] = None  # not defined by itself
            for other in self.NAME.findall(meanings[name]):
                self.look_up(other, meanings, values)
            if all(values[other] is not None for other in self.NAME.findall(meanings[name])):
                values[name] = self.value(meanings[name], values)
        return values[name]

    def points(self, number, *expressions):
        """Values of the names of both answers, where those of the first are what they denote."""
        names, todo = set(), [str(e) for e in expressions]
        while todo:
            for name in set(self.NAME.findall(todo.pop())) - names:
                names.add(name)
                todo += [m[name] for m in (self.map, self.defined, self.defined_now) if name in m]
        for seed in range(number):
            rng = random.Random(seed)
            drawn = {name: rng.randrange(7 if seed % 2 else 50) for name in sorted(names)}
            now = {name: value for name, value in drawn.items() if name not in self.defined_now}
            for name in sorted(names):
                self.look_up(name, self.defined_now, now)
            was = {name: self.value(self.map[name], now) for name in names if name in self.map}
            was.update((name, now[name]) for name in names if name not in self.map and name not in self.defined)
            for name in sorted(names):
                self.look_up(name, self.defined, was)
            yield was, now

    def same(self, was, now):
        if was == now and all(self.map.get(name, name) == name for name in self.NAME.findall(str(was))):
            return True
        if was is None or now is None:
            return False
        for before, after in self.points(12, was, now):
            if None not in before.values() and self.value(was, before) != self.value(now, after):
                return False
        return True

    def keeps(self, was, predicates):
        """Whether a predicate is among others, or holds whatever the dims are."""
        if was in predicates and not self.map:
            return True
        before = [(p, q) for p, q in self.points(160, was, *predicates) if None not in p.values()]
        truth = [self.value(was, p) for p, _ in before]
        return all(truth) or any(truth == [self.value(now, q) for _, q in before] for now in predicates)


def no_less(was, now, names):
    """Whether a list of elements says at least as much."""
    if was is None or not isinstance(was, list):
        return was is None or names.same(was, now)
    return isinstance(now, list) and len(was) == len(now) and all(no_less(a, b, names) for a, b in zip(was, now))


def flat(was, now):
    if isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for pair in zip(was, now):
            yield from flat(*pair)
    elif not isinstance(was, list) and not isinstance(now, list):
        yield was, now


def is_graph(function):
    """Whether a function holds facts alone: a graph of constraints, of which the emitter writes one for all functions."""
    ops = {o['name'] for o in function['ops']}  # those with results
    return function['name'] in ('', GRAPH) or 'disc_shape.dim' in ops <= {'disc_shape.dim', 'arith.constant'}


def functions(was, now):
    """Functions of both, with the dims of operations, those that the emitter adds left out."""
    after = collections.defaultdict(list)  # modules of one file may have functions of the same name
    for f in now['functions']:
        after[f['name']].append(f)
    for f in was['functions']:
        if is_graph(f):
            continue
        g = after[f['name']].pop(0) if after[f['name']] else None
        yield f, g, [o['dims'] for o in f['ops']], g and [o['dims'] for o in g['ops'] if o['name'] != 'disc_shape.bind_dim']


def range_of(symbol):
    """A value of 64 bits has the range of its type, which a declaration leaves out."""
    ends = {-2 ** 63: None, 2 ** 63 - 1: None}
    return ends.get(symbol['min'], symbol['min']), ends.get(symbol['max'], symbol['max']), symbol['divisible_by']


def difference(was, now):
    """What a second answer says otherwise, or None."""
    pairs = []
    for f, g, dims, sizes_now in functions(was, now):
        if g is None:
            return '@%s is gone' % f['name']
        if len(dims) != len(sizes_now):
            return '@%s: operations are gone' % f['name']
        for key in ('argument_dims', 'result_dims', 'argument_values', 'result_values'):
            pairs += flat(f[key], g[key])
        pairs += flat(dims, sizes_now)
    names = Renaming(pairs, was['symbols'], now['symbols'])
    for f, g, dims, sizes_now in functions(was, now):
        for key in ('argument_dims', 'result_dims', 'argument_values', 'result_values'):
            if not no_less(f[key], g[key], names):
                return '@%s: %s %s are now %s' % (f['name'], key, f[key], g[key])
        for a, b in zip(dims, sizes_now):
            if not no_less(a, b, names):
                return '@%s: the dims of operations differ: %s %s' % (f['name'], a, b)
    for key in ('constraints', 'guards'):
        before, after = [c['expr'] for c in was[key]], [c['expr'] for c in now[key]]
        lost = [p for p in before if not names.keeps(p, after)]
        if key == 'guards' and len(now['unchecked']) > len(was['unchecked']):
            # The constraint graph has no guards of regions; what they require may then be listed as unchecked.
            regions = {c['expr'] for c in was[key] if '/' in c['scope']}
            lost = [p for p in lost if p not in regions]
        # The other way round it is the names of the second answer that denote something.
        back = Renaming([(b, a) for a, b in pairs], now['symbols'], was['symbols'])
        new = [p for p in after if not back.keeps(p, before)]
        if lost or (new and key == 'guards'):
            return '%s: lost %s, new %s' % (key, lost, new)
    ranges = {s['name']: range_of(s) for s in now['symbols']}
    for s in was['symbols']:
        other = names.map.get(s['name'], '' if re.fullmatch(r'S\d+', s['name']) else s['name'])
        if other in ranges and ranges[other] != range_of(s):
            return 'the range of %s is %s' % (s['name'], ranges[other])
    return None


# Operations of whose operands and results nothing is left when their name is gone; those that pass dims on stay.
DATA = re.compile(r'"(?:stablehlo|mhlo|chlo)\.(?:add|multiply|subtract|dot_general|dynamic_reshape|reshape|transpose|'
                  r'convolution|tanh|abs|exponential|broadcast_in_dim|dynamic_broadcast_in_dim|concatenate)"\(')


def rewritten(text):
    """The program after a pass that lowered its data computation to something else."""
    return DATA.sub('"lowered.op"(', text)


def still_implied(was, path, folder, name):
    """The facts over arguments that the program without its operations does not imply any more."""
    status, text = shape('refine', '--emit', 'disc-shape', path)
    if status:
        return None
    lowered = os.path.join(folder, name + '.lowered.mlir')
    with open(lowered, 'w', encoding='utf-8') as handle:
        handle.write(rewritten(text.decode('utf-8', 'replace')))
    now = check(lowered)
    if now['status'] != 'ok':
        return None  # the operation was more than data to the text around it
    mains = [[f for f in a['functions'] if f['name'] not in ('', GRAPH)][:1] for a in (was, now)]
    if not all(mains):
        return None
    before, after = (main[0]['argument_dims'] for main in mains)
    names = Renaming(flat(before, after), was['symbols'], now['symbols'])
    if len(before) != len(after) or not all(no_less(a, b, names) for a, b in zip(before, after)):
        return ['the dims of the arguments']
    after = [c['expr'] for c in now['constraints']]
    return [c['expr'] for c in was['constraints'] if not names.keeps(c['expr'], after)]


def compiles(path, folder, name):
    status, text = shape('refine', '--guards', 'python', path)
    if status:
        return False
    compile(text, path, 'exec')
    compiler = shutil.which('gcc') or shutil.which('cc') or shutil.which('clang')
    status, text = shape('refine', '--guards', 'c', path)
    if status or not compiler:
        return status == 0
    source = os.path.join(folder, name + '.c')
    with open(source, 'wb') as handle:
        handle.write(text)
    return subprocess.run([compiler, '-std=c11', '-Wall', '-Wextra', '-Werror', '-fsyntax-only', source],
                          capture_output=True, timeout=60, check=False).returncode == 0


def try_program(folder, numbered):
    """{part: None or what is wrong}"""
    number, path = numbered
    was = check(path)
    if was['status'] != 'ok':
        return {}
    found, name = {}, 'p%d' % number
    emitted = os.path.join(folder, name + '.mlir')
    status, text = shape('refine', '--emit', 'disc-shape', path)
    with open(emitted, 'wb') as handle:
        handle.write(text)
    now = check(emitted) if status == 0 else None
    if now is None or now['status'] != 'ok':
        found['disc-shape'] = 'the text is not accepted'
    else:
        found['disc-shape'] = difference(was, now)
        found['stable'] = None if shape('refine', '--emit', 'disc-shape', emitted)[1] == text else 'emitted otherwise'
    graph = os.path.join(folder, name + '.json')
    status, text = shape('refine', '--emit', 'json', path)
    with open(graph, 'wb') as handle:
        handle.write(text)
    now = check(graph) if status == 0 else None
    found['json'] = 'not accepted' if not now or now['status'] != 'ok' else difference(was, now)
    if number % 10 == 0:
        found['guards'] = None if compiles(path, folder, name) else 'does not compile'
    lost = still_implied(was, path, folder, name)
    if lost is not None:
        found['rewritten'] = '%s do not hold any more' % lost if lost else None
    return found


def main():
    files = [p for p in programs() if len(sys.argv) < 2 or sys.argv[1] in p]
    good, wrong, shown = collections.Counter(), collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ProcessPoolExecutor() as pool:
        for path, found in zip(files, pool.map(functools.partial(try_program, folder), enumerate(files), chunksize=16)):
            group = floors_of(path)[0]
            for part, problem in found.items():
                (wrong if problem else good)[group, part] += 1
                shown[part] += bool(problem)
                if problem and (shown[part] <= 5 or len(sys.argv) > 1):
                    print('%s %s: %s' % (part, os.path.relpath(path, ROOT), problem))
    failed = 0
    floors = dict(floors_of(path) for path in files)
    for group, part in sorted(good + wrong):
        right, tried = good[group, part], good[group, part] + wrong[group, part]
        floor = floors[group].get(part, 0.0)
        failed += right < floor * tried
        print('%s: %s: %d of %d (%.4f, floor %.4f)' % (group, part, right, tried, right / tried, floor))
    if not any(part == 'disc-shape' for _, part in good):
        failed += 1
        print('no program was tried')
    print('%d passed, %d failed, %d skipped' % (sum(good.values()), failed, 0 if os.path.isdir(CORPUS) else 1))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
