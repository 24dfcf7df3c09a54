#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`shape refine` over whole corpora. Reads SHAPE (default build/shape) and ../shared/corpus where it is there.

Of each program the refined text must parse, analysing it must give the same refined types, refining it again must
change nothing, and what it refuses `shape check` refuses too. With z3, every constraint of --emit smt2 is confirmed:
its negation is never satisfiable. With mlir-opt 19 or newer, every program in generic form is read by it. The last line is `N passed, N failed, N skipped`.
"""
import concurrent.futures
import functools
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
FOLDERS = ['symbolic', 'bladedisc'] + [os.path.join('stablehlo', k)
                                       for k in ('symbolic', 'specialize', 'refine', 'infer', 'verify')]
ANSWERED_BY_Z3 = int(os.environ.get('Z3_PROGRAMS', '60'))


def run(arguments, text=b''):
    return subprocess.run([SHAPE] + arguments, input=text, capture_output=True, timeout=60, check=False)


# Operations that only speak to shape refinement go: assertions, which have no results, and wrappers, which are calls.
MAY_GO = ('stablehlo.custom_call', 'mhlo.custom_call')


def functions_of(answer):
    return {f['name']: f for f in json.loads(answer)['functions']}


def differences(was, now):
    """What an answer says otherwise of the functions and lines of an earlier one, or None."""
    was, now = functions_of(was), functions_of(now)
    for name, before in was.items():
        if name not in now:
            return '@%s is gone' % name
        if len(now[name]['ops']) < len([op for op in before['ops'] if op['name'] not in MAY_GO]):
            return '@%s: operations are gone' % name
        after = now[name]
        for key in ('arguments', 'results'):
            if before[key] != after[key]:
                return '@%s: %s are %s, were %s' % (name, key, after[key], before[key])
        lines = {}
        for op in after['ops']:
            lines.setdefault(op['line'], []).append(op['results'])
        for op in before['ops']:
            if op['results'] in lines.get(op['line'], []) or op['name'] in MAY_GO:
                continue
            return '@%s, line %d: %s is %s, now %s' % (name, op['line'], op['name'], op['results'],
                                                       lines.get(op['line']))
    return None


def arguments_of(path):
    case = os.path.splitext(path)[0] + '.json'
    if not os.path.exists(case):
        return []
    with open(case, encoding='utf-8') as f:
        wanted = json.load(f).get('args')
    return ['--arg-types', ','.join(wanted)] if isinstance(wanted, list) else []


def round_trip(path):
    """What is wrong with refining a program, or None."""
    arguments = arguments_of(path)
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
    other = differences(check.stdout, again.stdout)
    if other:
        return 'the refined text has other types: ' + other
    graph = run(['refine', '--emit', 'json', path] + arguments)
    if graph.returncode:
        return '--emit json ends with %d' % graph.returncode
    json.loads(graph.stdout)
    return None


@functools.lru_cache(None)
def mlir_opt():
    """An mlir-opt of version 19 or newer: that of the path, or one of Debian's packages; None: there is none."""
    names = ['mlir-opt', 'mlir-opt-19'] + sorted(glob.glob('/usr/lib/llvm-*/bin/mlir-opt'), reverse=True)
    for tool in filter(None, map(shutil.which, names)):
        said = subprocess.run([tool, '--version'], capture_output=True, check=False).stdout
        version = re.search(rb'LLVM version (\d+)', said)
        if version and int(version.group(1)) >= 19:
            return tool
    return None


# Element types that MLIR 19 does not have yet.
NEWER = re.compile(rb'f4E|f6E|f8E3M4|f8E4M3\b|f8E8M0')


def written(path, option):
    """(what is wrong, the text, functions of the program, of the text); no text where there is none."""
    arguments = arguments_of(path)
    once = run(['refine', option, path] + arguments)
    check = run(['check', '--json', path] + arguments)
    wrong = None
    if b'cannot be written in the generic form: its syntax is not known' in once.stderr:
        return None, None, None, None  # an operation of another dialect
    if once.returncode != check.returncode:
        wrong = 'refine %s ends with %d: %s' % (option, once.returncode, once.stderr.decode('utf-8', 'replace')[:300])
    if once.returncode or wrong:
        return wrong, None, None, None
    again = run(['check', '--json', '-'], once.stdout)
    if again.returncode:
        return 'the text is refused: ' + again.stdout.decode('utf-8', 'replace')[:300], None, None, None
    return None, once.stdout, functions_of(check.stdout), functions_of(again.stdout)


def generic(path):
    """What is wrong with a program in generic form, or None: mlir-opt reads it, and so do we, with the same types."""
    wrong, text, was, now = written(path, '--generic')
    if text is None:
        return wrong
    for name, before in was.items():
        if name not in now or any(before[key] != now[name][key] for key in ('arguments', 'results')):
            return '@%s has other types: %s' % (name, now.get(name))
    if b'// -----' in text:
        command = [mlir_opt(), '--allow-unregistered-dialect', '--split-input-file']
    else:
        command = [mlir_opt(), '--allow-unregistered-dialect']
    read = subprocess.run(command, input=text, capture_output=True, timeout=60, check=False)
    if read.returncode and NEWER.search(text):
        return None
    return None if read.returncode == 0 else 'mlir-opt: ' + read.stderr.decode('utf-8', 'replace')[:300]


def cleaned(path):
    """What is wrong with a program without what it does not need, or None: its functions keep their types."""
    wrong, text, was, now = written(path, '--cleanup')
    if text is None:
        return wrong
    for name, after in now.items():
        if name in was and any(was[name][key] != after[key] for key in ('arguments', 'results')):
            return '@%s has other types' % name
    twice = run(['refine', '--cleanup', '-'], text)
    if twice.returncode or twice.stdout != text:
        return 'cleaning up again changes the text'
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


def conflict(path):
    """What is wrong with how dims that cannot fit are refused, or None."""
    done = run(['refine', path] + arguments_of(path))
    said = done.stderr.decode('utf-8', 'replace')
    if done.returncode != 1 or done.stdout:
        return 'status %d' % done.returncode
    if not re.search(r': error: [a-z]+\.\w+: .*\d', said.split('\n')[0]):
        return 'no operation in: ' + said.split('\n')[0]
    if not re.search(r': note: the program needs .*; given are arg\d+\.\d+ = \d+', said):
        return 'no argument dims in: ' + said[:300]
    return None


def bounded(path):
    """What is wrong with a program whose every argument size is at most 4096, or None."""
    answer = json.loads(run(['check', '--json', path]).stdout)
    extents = []
    for f in answer['functions'][:1]:
        for k, argument in enumerate(f['arguments']):
            dims = re.match(r'tensor<((?:[?\d]+x)*)', argument)
            extents += ['%d.%d' % (k, a) for a, d in enumerate(dims.group(1).split('x')) if d == '?'] if dims else []
    if answer['status'] != 'ok' or not extents:
        return None
    once = run(['refine', path] + [word for size in extents for word in ('--bound', 'arg%s=4096' % size)])
    if once.returncode:
        return 'refine --bound ends with %d: %s' % (once.returncode, once.stderr.decode('utf-8', 'replace')[:300])
    if b'#stablehlo.bounds<' not in once.stdout:
        return 'a size has no bound'
    twice = run(['refine', '-'], once.stdout)
    return None if twice.stdout == once.stdout else 'refining the bounded program changes it'


def misfits():
    for path in sorted(glob.glob(os.path.join(CORPUS, 'stablehlo', 'specialize', '*.mlir'))):
        with open(os.path.splitext(path)[0] + '.json', encoding='utf-8') as f:
            if json.load(f)['expect']['status'] == 'error':
                yield path


def own_programs():
    """The golden programs that need no options of their own."""
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
        refused = run(['refine', '-', '-o', out + '2'], b'func.func @main(')
        if refused.returncode != 1 or not refused.stderr or os.path.exists(out + '2'):
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
    work += [(conflict, p) for p in misfits()]
    work += [(bounded, p) for p in programs if os.path.join('stablehlo', 'symbolic') in p]
    # The third and later specialisations of a program only differ in numbers.
    few = [p for p in programs if not re.search(r'\.run[3-9]\.mlir$', p)]
    work += [(cleaned, p) for p in few]
    if mlir_opt():
        work += [(generic, p) for p in few]
    else:
        print('skipped: no mlir-opt (package mlir-19-tools) to read the generic form')
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
