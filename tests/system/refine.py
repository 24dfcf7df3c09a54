#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`shape refine` over whole corpora. Reads SHAPE (default build/shape) and ../shared/corpus where it is there.

Of each program the refined text must parse, analysing it must give the same refined types, refining it again must
change nothing, and what it refuses `shape check` refuses too. With z3, every constraint of --emit smt2 is confirmed:
its negation is never satisfiable. The last line is `N passed, N failed, N skipped`.
"""
import concurrent.futures
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHAPE = os.environ.get('SHAPE', os.path.join(ROOT, 'build', 'shape'))
CORPUS = os.path.join(os.path.dirname(ROOT), 'shared', 'corpus')
FOLDERS = ['symbolic', 'bladedisc'] + [os.path.join('stablehlo', k)
                                       for k in ('symbolic', 'specialize', 'refine', 'infer', 'verify')]
ANSWERED_BY_Z3 = int(os.environ.get('Z3_PROGRAMS', '60'))


def run(arguments, text=b''):
    return subprocess.run([SHAPE] + arguments, input=text, capture_output=True, timeout=60, check=False)


def types_of(answer):
    document = json.loads(answer)
    return [(f['name'], f['arguments'], f['results'], [(o['name'], o['results']) for o in f['ops']])
            for f in document['functions']]


def round_trip(path):
    """What is wrong with refining a program, or None."""
    arguments = []
    case = os.path.splitext(path)[0] + '.json'
    if os.path.exists(case):
        with open(case, encoding='utf-8') as f:
            wanted = json.load(f).get('args')
        if isinstance(wanted, list):
            arguments = ['--arg-types', ','.join(wanted)]
    once = run(['refine', path] + arguments)
    check = run(['check', '--json', path] + arguments)
    if once.returncode != check.returncode:
        return 'refine ends with %d, check with %d' % (once.returncode, check.returncode)
    if once.returncode:
        return None if once.stderr and not once.stdout else 'an error without a message, or with an answer'
    twice = run(['refine', '-'], once.stdout)
    if twice.returncode:
        return 'the refined text is refused: ' + twice.stderr.decode('utf-8', 'replace')[:300]
    if twice.stdout != once.stdout:
        return 'refining again changes the text'
    again = run(['check', '--json', '-'], once.stdout)
    if types_of(again.stdout) != types_of(check.stdout):
        return 'the refined text has other types'
    graph = run(['refine', '--emit', 'json', path] + arguments)
    if graph.returncode:
        return '--emit json ends with %d' % graph.returncode
    json.loads(graph.stdout)
    return None


def confirmed(path):
    """What z3 says against the constraints of a program, or None."""
    text = run(['refine', '--emit', 'smt2', path])
    if text.returncode:
        return None
    done = subprocess.run(['z3', '-t:500', '-T:20', '-in'], input=text.stdout, capture_output=True, check=False)
    lines = done.stdout.decode('utf-8', 'replace').split('\n')
    if any('error' in line for line in lines):
        return 'z3: ' + ' '.join(lines)[:300]
    if lines[0] == 'unsat':
        return 'the facts of a program without errors cannot be met'
    return 'a constraint does not follow from the facts' if 'sat' in lines[1:] else None


def own_programs():
    return sorted(glob.glob(os.path.join(ROOT, 'tests', 'golden', 'refine', '*', 'program.mlir')))


def output_file():
    """-o writes the text; after an error nothing is written."""
    good = own_programs()[0]
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, 'out.mlir')
        if run(['refine', good, '-o', out]).returncode:
            return 'status'
        with open(out, 'rb') as f:
            if f.read() != run(['refine', good]).stdout:
                return 'the file differs from standard output'
        bad = run(['refine', '-', '-o', out + '2'], b'func.func @main(')
        if bad.returncode != 1 or not bad.stderr or os.path.exists(out + '2'):
            return 'a file after an error'
    return None


def main():
    passed = failed = skipped = 0
    work = [(output_file, None)]
    programs = own_programs()
    for folder in FOLDERS:
        programs += sorted(glob.glob(os.path.join(CORPUS, folder, '*.mlir')))
    work += [(round_trip, p) for p in programs]
    if not os.path.isdir(CORPUS):
        print('skipped: no corpus beside the checkout')
        skipped += 1
    if shutil.which('z3'):
        symbolic = [p for p in programs if os.sep + 'symbolic' + os.sep in p or 'golden' in p]
        work += [(confirmed, p) for p in symbolic[:ANSWERED_BY_Z3]]
    else:
        print('skipped: z3 is not there')
        skipped += 1
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        jobs = [(f, p, pool.submit(f, p) if p else pool.submit(f)) for f, p in work]
        for function, path, job in jobs:
            try:
                problem = job.result()
            except (subprocess.TimeoutExpired, ValueError, KeyError, OSError) as e:
                problem = repr(e)
            passed += problem is None
            failed += problem is not None
            if problem:
                print('FAILED %s %s: %s' % (function.__name__, path and os.path.basename(path), problem))
    print('%d passed, %d failed, %d skipped' % (passed, failed, skipped))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
