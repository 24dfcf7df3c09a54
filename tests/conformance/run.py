#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the conformance corpora beside the repository and holds each score against its floor.

The corpora and their runners are in ../shared, which not everyone has: without it everything is skipped. Floors are in
floors.json: a plain key is the least that must be reached, a key that ends in `_max` the most that is allowed. A floor
only rises: `--raise` writes what was reached where that is better, and never lowers anything.

Each floor is one test; the last line is `N passed, N failed, N skipped`.

examples:
  tests/conformance/run.py                           all corpora against build/shape
  tests/conformance/run.py --only stablehlo,symbolic corpora whose name begins so
  tests/conformance/run.py --raise                   keep what was reached as the new floors
  tests/conformance/run.py --verbose                 with the whole output of the runners
"""
import argparse
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


# Runners that use one processor for minutes: they run beside all others.
ONE_PROCESSOR = ('generalize',)


def corpora(shared):
    """name -> (runner, its arguments); the tool is added."""
    def corpus(*path):
        return os.path.join(shared, 'corpus', *path)

    table = {'stablehlo/' + kind: ('run_stablehlo.py', [corpus('stablehlo'), '--kind', kind, '--max-list', '20'])
             for kind in ('symbolic', 'specialize', 'refine', 'infer', 'verify')}
    # The same answers from text: what `shape refine` writes, checked without the types that made it.
    for kind in ('specialize', 'refine'):
        runner, arguments = table['stablehlo/' + kind]
        table['refined/' + kind] = (runner, arguments + ['--timeout', '60'])  # three processes for each case
    table['expressed'] = ('run_expressed.py', [corpus('stablehlo')])
    table['symbolic'] = ('run_symbolic.py', [corpus('symbolic'), '--jobs', str(os.cpu_count() or 1)])
    table['bladedisc'] = ('run_symbolic.py', [corpus('bladedisc'), '--jobs', str(os.cpu_count() or 1)])
    table['decision'] = ('run_decision.py', ['--cases', corpus('decision', 'cases.jsonl')])
    # What the independent checker derives again of the reports.
    folders = [corpus('stablehlo', kind) for kind in ('symbolic', 'refine', 'infer', 'verify')]
    table['certified'] = (os.path.join(HERE, 'certify.py'), folders + [corpus('symbolic'), corpus('bladedisc')])
    # Only what the independent checker confirms counts.
    table['decision/certified'] = ('run_decision.py', ['--args', 'decide --jsonl --certify'] + table['decision'][1])
    # Facts that other engines test, and how readable the dims of models are under what the answer suggests.
    table['reason'] = ('run_reason.py', ['--corpus', corpus('reason'), '--show', '0'])
    table['readable'] = ('run_readable.py', ['--corpus', corpus('onnx', 'zoo'), '--show', '0', '--suggested', 'yes'])
    for kind in ('aten', 'bound', 'fx', 'onnx', 'pt2'):
        table['torch/' + kind] = ('run_torch.py', ['--corpus', corpus('torch'), '--kind', kind])
    for kind in ('infer', 'node', 'zoo'):
        table['onnx/' + kind] = ('run_onnx.py', ['--root', corpus('onnx'), '--corpus', kind])
    for kind in ('generalize', 'cost', 'profile'):
        table[kind] = ('run_questions.py', ['--corpus', corpus("questions"), '--kind', kind, '--show', '0'])
    for kind in ('dims', 'bounds', 'illegal', 'parse'):
        table['compiler/' + kind] = ('run_compiler.py', [corpus('compiler'), '--kind', kind, '--show', '0'])
    table['bytecode'] = ('run_bytecode.py', ['--corpus', corpus('bytecode')])
    table['bytecode/write'] = ('run_bytecode.py', ['--corpus', corpus('bytecode'), '--write'])
    return table


def scores(name, text):
    """What a runner's last lines say, by the keys of floors.json."""
    def find(pattern, kind=int):
        hits = re.findall(pattern, text, re.MULTILINE)
        return kind(hits[-1]) if hits else None

    found = {'passed': find(r'^(\d+) passed, \d+ failed\s*$')}
    if name == 'certified':
        found['unconfirmed_max'] = find(r'^\d+ passed, (\d+) failed\s*$')
    if name.startswith(('stablehlo/', 'refined/')):
        # The row of the kind: cases, passed, failed, crash. Rows of cases tagged "other" end in that word.
        rows = re.findall(r'^%s\S*(?: \S+)?\s+\d+\s+\d+\s+\d+\s+(\d+)\s' % name.split('/')[1], text, re.MULTILINE)
        found['crash_max'] = sum(map(int, rows)) if rows else None
    elif name.startswith('compiler/'):
        found['unsound_max'] = find(r'^UNSOUND (\d+)')
        found['crash_max'] = find(r'^CRASH (\d+)')
    elif name.startswith('torch/'):
        # The row of the kind ends in the numbers of unsound answers and of crashes.
        found['unsound_max'] = find(r'^%s .*\s(\d+)\s+\d+$' % name.split('/')[1])
        found['crash_max'] = find(r'^%s .*\s(\d+)$' % name.split('/')[1])
    elif name == 'expressed':
        found['expressed_percent'] = find(r'^expressed ([\d.]+) %', float)
        found['caught_percent'] = find(r'^caught ([\d.]+) %', float)
        found['wrong_max'] = find(r'WRONG (\d+); refused')
        found['refused_max'] = find(r'refused (\d+);')
    elif name == 'readable':
        found['fine_percent'] = find(r'fine ([\d.]+) %', float)
        found['wrong_max'] = find(r'WRONG (\d+),')
    elif name in ('generalize', 'cost', 'profile'):
        found['wrong_max'] = find(r'WRONG (\d+)$')
    elif name == 'reason':
        found['unsound_max'] = find(r'^UNSOUND (\d+),')
    elif name.startswith('decision'):
        found['correct'] = find(r'correct (\d+)$')
        found['unsound_max'] = find(r'^UNSOUND (\d+),')
        found['missing_max'] = find(r'missing (\d+),')
    return {key: value for key, value in found.items() if value is not None}


def better(key, value, floor):
    return value < floor if key.endswith('_max') else value > floor


# ---------------------------------------------------------------- what the tool can do

def field(number, payload):
    """One length-delimited field of a protocol buffer."""
    return bytes([number << 3 | 2, len(payload)]) + payload


def smallest_onnx():
    """x: float[1] -> Identity -> y, opset 13."""
    def value(name):
        tensor_type = b'\x08\x01' + field(2, field(1, b'\x08\x01'))
        return field(1, name) + field(2, field(1, tensor_type))

    node = field(1, b'x') + field(2, b'y') + field(4, b'Identity')
    graph = field(1, node) + field(2, b'g') + field(11, value(b'x')) + field(12, value(b'y'))
    return b'\x08\x08' + field(7, graph) + field(8, b'\x10\x0d')


def accepts_onnx(tool):
    with tempfile.TemporaryDirectory(prefix='shape-conformance-') as folder:
        path = os.path.join(folder, 'identity.onnx')
        with open(path, 'wb') as handle:
            handle.write(smallest_onnx())
        try:
            done = subprocess.run(shlex.split(tool) + ['check', '--json', path], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, timeout=20, check=False)
            return json.loads(done.stdout.decode('utf-8', 'replace')).get('status') == 'ok'
        except (OSError, ValueError, AttributeError, subprocess.TimeoutExpired):
            return False


def accepts_decide(tool):
    """`decide` of nothing is fine; a tool that does not know the word exits with the status for wrong usage."""
    try:
        done = subprocess.run(shlex.split(tool) + ['decide', '--jsonl'], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=20, check=False)
        return done.returncode != 2
    except (OSError, subprocess.TimeoutExpired):
        return False


def reason_to_skip(name, tool, probes):
    """Why a corpus cannot be run with this tool, or None. Nothing is skipped that has a floor already."""
    if name.startswith('onnx/') and not probes.setdefault('onnx', accepts_onnx(tool)):
        return 'the tool does not accept ONNX yet'
    if name.startswith('decision') and not probes.setdefault('decide', accepts_decide(tool)):
        return 'the tool has no `decide` yet'
    return None


# ---------------------------------------------------------------- running

def run_corpus(name, shared, tool, verbose):
    """(scores, output) of one corpus."""
    runner, arguments = corpora(shared)[name]  # an absolute path stays what it is
    path = os.path.join(shared, 'conformance', runner)
    environment = dict(os.environ)
    if name.startswith('refined/'):
        environment['SHAPE'] = shlex.split(tool)[0]
        tool = shlex.join([sys.executable, os.path.join(HERE, 'refined.py')])
    done = subprocess.run([sys.executable, path, '--tool', tool] + arguments, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment, check=False)
    output = done.stdout.decode('utf-8', 'replace')
    if verbose:
        print(output)
    return scores(name, output), output


def compare(name, floor, got, output):
    """(passed, failed) over the floors of one corpus, printed."""
    passed = failed = 0
    for key, least in floor.items():
        bound = 'at most' if key.endswith('_max') else 'floor'
        value = got.get(key)
        if value is None or better(key, least, value):
            print('FAIL %-22s %-18s %s, %s %s' % (name, key, 'no score' if value is None else value, bound, least))
            failed += 1
        else:
            hint = '   better than its floor: --raise keeps it' if better(key, value, least) else ''
            print('ok   %-22s %-18s %s, %s %s%s' % (name, key, value, bound, least, hint))
            passed += 1
    if failed:
        print('\n'.join('     | ' + line for line in output.rstrip().split('\n')[-25:]))
    return passed, failed


def write_floors(path, floors):
    rows = ['  %s: %s' % (json.dumps(name), json.dumps(floor)) for name, floor in floors.items()]
    with open(path, 'w', encoding='utf-8') as handle:
        handle.write('{\n' + ',\n'.join(rows) + '\n}\n')


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--tool', default=os.path.join(ROOT, 'build', 'shape'), help='the program (default build/shape)')
    ap.add_argument('--shared', default=os.path.join(ROOT, '..', 'shared'), help='where corpus/ and conformance/ are')
    ap.add_argument('--only', default='', metavar='NAMES', help='comma list of beginnings of corpus names')
    ap.add_argument('--floors', default=os.path.join(HERE, 'floors.json'), help='file with the floors')
    ap.add_argument('--raise', dest='keep', action='store_true', help='write what is better than its floor')
    ap.add_argument('--verbose', action='store_true', help='print what the runners print')
    opt = ap.parse_args()

    with open(opt.floors, encoding='utf-8') as handle:
        floors = json.load(handle)
    names = [n for n in floors if n.startswith(tuple(opt.only.split(',')))]
    unknown = [n for n in names if n not in corpora('')]
    if unknown or not names:
        ap.error('no such corpus: %s' % (', '.join(unknown) or opt.only))
    why = None
    if not os.path.isdir(os.path.join(opt.shared, 'conformance')):
        why = '../shared is not there'
    elif not os.path.exists(shlex.split(opt.tool)[0]):
        why = 'there is no %s' % opt.tool
    if why:
        print('skipped: ' + why)
        print('0 passed, 0 failed, %d skipped' % len(names))
        return 0

    passed = failed = skipped = 0
    probes = {}
    shared = os.path.abspath(opt.shared)
    pool = concurrent.futures.ThreadPoolExecutor()
    long = {name: pool.submit(run_corpus, name, shared, opt.tool, opt.verbose) for name in names if name in ONE_PROCESSOR}
    for name in names:
        has_floor = any(least > 0 for key, least in floors[name].items() if not key.endswith('_max'))
        why = None if has_floor else reason_to_skip(name, opt.tool, probes)
        if why:
            print('skipped: %s, %s' % (name, why))
            skipped += 1
            continue
        got, output = long[name].result() if name in long else run_corpus(name, shared, opt.tool, opt.verbose)
        ok, wrong = compare(name, floors[name], got, output)
        passed, failed = passed + ok, failed + wrong
        sys.stdout.flush()
        for key, least in floors[name].items():
            if opt.keep and key in got and better(key, got[key], least):
                floors[name][key] = got[key]
    if opt.keep:
        write_floors(opt.floors, floors)
        print('wrote ' + os.path.relpath(opt.floors, ROOT))
    print('%d passed, %d failed, %d skipped' % (passed, failed, skipped))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
