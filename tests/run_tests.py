#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the parts of the test suite, prints the result of each, and closes with `N passed, N failed`.

A part is a program. Its last summary line counts: `N passed, N failed[, N skipped]`, or Criterion's synthesis. A part
that exits with another status than 0 and admits no failure counts as one failure; one that prints no summary counts
as one test. The whole output of each part is kept in <build>/logs/. Parts run side by side, --jobs at a time; those that
build in this tree, or measure, or use all processors themselves come last and alone.

Programs under test are found by tests through the environment: SHAPE, SHAPED, SHAPE_LSP and BUILD_DIR, all absolute.
PATIENCE_FACTOR is what their time limits are multiplied with; builds with sanitizers get one of their own.

examples:
  tests/run_tests.py                                everything, programs from build/
  tests/run_tests.py --only unit,golden             two kinds of parts
  tests/run_tests.py --build build/asan --only system --match drain
  PROPERTY_CASES=100000 tests/run_tests.py --only property
"""
import argparse
import concurrent.futures
import glob
import os
import re
import signal
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KINDS = ['unit', 'property', 'golden', 'conformance', 'system', 'lint']
SUMMARY = re.compile(r'^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$', re.MULTILINE)
CRITERION = re.compile(r'Synthesis: Tested: (\d+) \| Passing: (\d+) \| Failing: (\d+) \| Crashing: (\d+)')
# A leak is found when a worker of Criterion exits, after its test has passed; so what sanitizers print counts as well.
SANITIZER = re.compile(r'^(?:==\d+==\s*ERROR: \w+Sanitizer|WARNING: ThreadSanitizer|\S+: runtime error: )', re.MULTILINE)
ESCAPE = re.compile(r'\x1b\[[0-9;]*m')
ALONE = ('conformance', 'findings', 'attack', 'deb.py', 'install.py', 'vscode.py', 'vscode_web.py', 'web_types.py', 'lsp_speed.py', 'onnx_growth.py', 'fresh-machine.sh')
PATIENCE = {'asan': 4, 'tsan': 20, 'coverage': 4}  # how much slower programs are: by the last folder of the build
TAIL = 200  # lines of a failed part that are shown; the log has the rest


def executables(pattern):
    return [p for p in sorted(glob.glob(pattern)) if os.path.isfile(p) and os.access(p, os.X_OK)]


def scripts(*pattern):
    """The tests among the sources; one that cannot be run is an error of the tree, not a test less."""
    found = sorted(glob.glob(os.path.join(ROOT, 'tests', *pattern)))
    for path in found:
        if not os.access(path, os.X_OK):
            sys.exit('%s is a test and not executable: chmod +x it' % os.path.relpath(path, ROOT))
    return found


def parts_of(build, sanitized_unit, unit):
    """(kind, name, command) of everything that can be run here, in order."""
    def under(*path):
        return os.path.join(ROOT, *path)

    parts = []
    for name, path in (('unit', os.path.join(build, 'unit')), ('unit (ASan, UBSan)', sanitized_unit)):
        if path and os.path.exists(path):
            parts.append(('unit', name, [path, '--verbose=0', '--filter', unit]))
    for path in executables(os.path.join(build, 'property', '*')):
        parts.append(('property', 'property/' + os.path.basename(path), [path]))
    for path in scripts('property', '*', 'run.py'):
        parts.append(('property', 'property/' + os.path.basename(os.path.dirname(path)), [path]))
    for path in scripts('golden', 'run.*'):
        parts.append(('golden', 'golden', [path]))
    parts.append(('conformance', 'conformance', [sys.executable, under('tests', 'conformance', 'run.py'),
                                                '--tool', os.path.join(build, 'shape')]))
    parts.append(('conformance', 'seeds', [sys.executable, under('tests', 'conformance', 'seeds', 'run.py')]))
    parts.append(('conformance', 'findings', [sys.executable, under('tests', 'conformance', 'findings.py'),
                                              '--tool', os.path.join(build, 'shape')]))
    parts.append(('conformance', 'attack', [sys.executable, under('tests', 'conformance', 'attack.py'), '--build', build]))
    for path in scripts('system', '*.sh') + scripts('system', '*.py'):
        parts.append(('system', 'system/' + os.path.basename(path), [path]))
    parts.append(('system', 'memcheck', [sys.executable, under('tests', 'memcheck', 'run.py')]))
    parts.append(('lint', 'lint self-checks', [sys.executable, under('tests', 'lint', 'test_lint.py')]))
    return parts


def counts(output, status):
    """(passed, failed, skipped) of a part, from what it printed and how it ended."""
    text = ESCAPE.sub('', output)
    criterion = CRITERION.findall(text)
    summary = SUMMARY.findall(text)
    if criterion:
        tested, passing, failing, crashing = map(int, criterion[-1])
        passed, failed, skipped = passing, failing + crashing, 0
        if tested == 0:
            failed = 1  # a test binary without tests is an error of the build
    elif summary:
        passed, failed, skipped = (int(n or 0) for n in summary[-1])
        if not passed + failed + skipped:
            failed = 1  # it tests nothing, and does not say why
    else:
        passed, failed, skipped = (1, 0, 0) if status == 0 else (0, 1, 0)
    failed = max(failed, len(SANITIZER.findall(text)))
    if status != 0 and failed == 0:
        failed = 1
    return passed, failed, skipped


def run(command, env, timeout):
    """(output, status, seconds); a part that runs out of time ends with its whole process group."""
    start = time.monotonic()
    proc = subprocess.Popen(command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, start_new_session=True)
    try:
        output = proc.communicate(timeout=timeout)[0]
        status = proc.returncode
    except subprocess.TimeoutExpired:
        os.killpg(proc.pid, signal.SIGKILL)
        output = proc.communicate()[0] + b'\nstopped: over %d seconds\n' % timeout
        status = -1
    return output.decode('utf-8', 'replace'), status, time.monotonic() - start


def is_alone(name):
    return name.startswith('unit') or name.rpartition('/')[2] in ALONE


def results(parts, env, timeout, jobs):
    """(name, output, status, seconds) of each part, in order: those that may run side by side first."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        beside = [(name, pool.submit(run, command, env, timeout)) for name, command in parts if not is_alone(name)]
        for name, future in beside:
            yield (name, *future.result())
    for name, command in parts:
        if is_alone(name):
            yield (name, *run(command, env, timeout))


def environment(build):
    env = dict(os.environ, BUILD_DIR=build)
    for name, program in (('SHAPE', 'shape'), ('SHAPED', 'shaped'), ('SHAPE_LSP', 'shape-lsp')):
        env[name] = os.path.join(build, program)
    env.setdefault('UBSAN_OPTIONS', 'print_stacktrace=1')
    env.setdefault('TSAN_OPTIONS', 'suppressions=' + os.path.join(ROOT, 'tests', 'support', 'tsan.supp'))
    env.setdefault('PATIENCE_FACTOR', str(PATIENCE.get(os.path.basename(build), 1)))
    return env


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--build', default='build', help='folder with the programs (default build)')
    ap.add_argument('--sanitized-unit', metavar='PROGRAM', help='a second unit test program to run')
    ap.add_argument('--only', metavar='KINDS', help='comma list of ' + ', '.join(KINDS))
    ap.add_argument('--unit', default='*', metavar='SUITE/TEST', help='which unit tests, as in Test(suite, test)')
    ap.add_argument('--match', default='', metavar='TEXTS', help='only parts whose name contains one of this comma list')
    ap.add_argument('--timeout', type=float, default=1200, help='seconds for a part (default 1200)')
    ap.add_argument('--jobs', type=int, default=os.cpu_count() or 1, help='parts at a time (default one per processor)')
    opt = ap.parse_args()
    kinds = opt.only.split(',') if opt.only else KINDS
    unknown = [k for k in kinds if k not in KINDS]
    if unknown:
        ap.error('unknown: ' + ', '.join(unknown))

    build = os.path.abspath(opt.build)
    sanitized = os.path.abspath(opt.sanitized_unit) if opt.sanitized_unit else None
    logs = os.path.join(build, 'logs')
    os.makedirs(logs, exist_ok=True)
    total = [0, 0, 0]
    parts = [(name, command) for kind, name, command in parts_of(build, sanitized, opt.unit)
             if kind in kinds and any(text in name for text in opt.match.split(','))]
    for name, output, status, seconds in results(parts, environment(build), opt.timeout, opt.jobs):
        log = os.path.join(logs, re.sub(r'[^\w.-]+', '-', name).strip('-') + '.log')
        with open(log, 'w', encoding='utf-8') as handle:
            handle.write(output)
        result = counts(output, status)
        total = [a + b for a, b in zip(total, result)]
        if result[1]:
            lines = output.rstrip().split('\n')
            if len(lines) > TAIL:
                print('... (all of it in %s)' % os.path.relpath(log, ROOT))
            print('\n'.join(lines[-TAIL:]))
        for line in (l for l in output.split('\n') if l.startswith('skipped:')):
            print('%-32s %s' % (name, line))
        print('%-32s %s  %5d passed, %d failed%s   %.1f s' % (
            name, 'FAIL' if result[1] else 'ok  ', result[0], result[1],
            ', %d skipped' % result[2] if result[2] else '', seconds), flush=True)
    if total[2]:
        print('skipped in all: %d' % total[2])
    if total[0] + total[1] == 0 and total[2] == 0:
        print('no tests were run')
        total[1] = 1
    print('%d passed, %d failed' % (total[0], total[1]))
    return 1 if total[1] else 0


if __name__ == '__main__':
    sys.exit(main())
