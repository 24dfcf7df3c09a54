#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Programs as shape constraint IR and guards as code, over whole corpora.

Reads SHAPE (default build/shape), ../shared/corpus where it is there, and the programs of the golden cases and the demo.
    disc-shape   analyse, emit, read, analyse: sizes, constraints, guards and ranges of symbols stay; emitting again gives
                 the same text. Then every operation that computes data is replaced by one that nobody knows: what the
                 constraint graph says of the arguments still holds
    json         the same, by way of the JSON graph
    guards       the checks in Python and C compile
A difference counts against FLOOR: what is known may grow when types become static, and values without a size lose their
name. The last line is `N passed, N failed, N skipped`.
"""
import collections
import concurrent.futures
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHAPE = os.environ.get('SHAPE', os.path.join(ROOT, 'build', 'shape'))
CORPUS = os.path.join(os.path.dirname(ROOT), 'shared', 'corpus')
FLOOR = {'disc-shape': 0.992, 'stable': 0.983, 'json': 0.994, 'guards': 1.0, 'rewritten': 0.999}
# The programs of the golden cases alone: few, and chosen for being hard.
FLOOR_ALONE = {'disc-shape': 0.92, 'stable': 0.89, 'json': 0.96, 'guards': 1.0, 'rewritten': 0.98}
GRAPH = 'shape_constraint_graph'


def programs():
    own = glob.glob(os.path.join(ROOT, 'tests', 'golden', '*', '*', '*.mlir'))
    own += glob.glob(os.path.join(ROOT, 'deploy', 'demo', '*.mlir'))
    return sorted(own) + sorted(glob.glob(os.path.join(CORPUS, '*', '**', '*.mlir'), recursive=True))


def shape(*arguments):
    done = subprocess.run([SHAPE, *arguments], capture_output=True, timeout=120, check=False)
    return done.returncode, done.stdout


def check(path):
    return json.loads(shape('check', '--json', path)[1])


def sorted_factors(text):
    """Products name their factors, and equations their sides, in the order in which symbols came to be."""
    text = re.sub(r'[\w.]+(?:\*[\w.]+)+', lambda m: '*'.join(sorted(m.group(0).split('*'))), text)
    return ' == '.join(sorted(text.split(' == ')))


def predicates(answer, key):
    return {sorted_factors(c['expr']) for c in answer[key]}


def no_less(was, now):
    """Whether a list of elements says at least as much."""
    return was is None or was == now or (isinstance(was, list) and isinstance(now, list) and len(was) == len(now) and
                                         all(no_less(a, b) for a, b in zip(was, now)))


def difference(was, now):
    """What a second answer says otherwise, or None."""
    after = {f['name']: f for f in now['functions']}
    for f in was['functions']:
        if f['name'] in ('', GRAPH):
            continue
        g = after.get(f['name'])
        if g is None:
            return '@%s is gone' % f['name']
        for key in ('argument_dims', 'result_dims'):
            if f[key] != g[key]:
                return '@%s: %s %s are now %s' % (f['name'], key, f[key], g[key])
        for key in ('argument_values', 'result_values'):
            if not no_less(f[key], g[key]):
                return '@%s: %s %s are now %s' % (f['name'], key, f[key], g[key])
        dims = [o['dims'] for o in g['ops'] if o['name'] != 'disc_shape.bind_dim']
        if [o['dims'] for o in f['ops']] != dims:
            return '@%s: the sizes of operations differ' % f['name']
    for key in ('constraints', 'guards'):
        lost, new = predicates(was, key) - predicates(now, key), predicates(now, key) - predicates(was, key)
        if lost or (new and key == 'guards'):
            return '%s: lost %s, new %s' % (key, sorted(lost), sorted(new))
    ranges = {s['name']: (s['min'], s['max'], s['divisible_by']) for s in now['symbols']}
    for s in was['symbols']:
        if s['name'] in ranges and ranges[s['name']] != (s['min'], s['max'], s['divisible_by']):
            return 'the range of %s is %s' % (s['name'], ranges[s['name']])
    return None


# Operations of whose operands and results nothing is left when their name is gone; those that pass sizes on stay.
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
    if mains[0][0]['argument_dims'] != mains[1][0]['argument_dims']:
        return ['the sizes of the arguments']
    return sorted(predicates(was, 'constraints') - predicates(now, 'constraints'))


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


def try_program(number, path, folder):
    """{part: None or what is wrong}"""
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
    good, bad, shown = collections.Counter(), collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, found in zip(files, pool.map(lambda x: try_program(*x, folder), enumerate(files))):
            for part, problem in found.items():
                (bad if problem else good)[part] += 1
                shown[part] += bool(problem)
                if problem and (shown[part] <= 5 or len(sys.argv) > 1):
                    print('%s %s: %s' % (part, os.path.relpath(path, ROOT), problem))
    failed = 0
    floors = FLOOR if os.path.isdir(CORPUS) else FLOOR_ALONE
    for part in sorted(good + bad):
        share = good[part] / (good[part] + bad[part])
        floor = floors.get(part, 0.0)
        failed += share < floor
        print('%s: %d of %d (%.4f, floor %.4f)' % (part, good[part], good[part] + bad[part], share, floor))
    if not good['disc-shape']:
        failed += 1
        print('no program was tried')
    print('%d passed, %d failed, %d skipped' % (sum(good.values()), failed, 0 if os.path.isdir(CORPUS) else 1))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
