# SPDX-License-Identifier: Apache-2.0
"""Lists of known failures: what findings.py and attack.py hold the checks beside the repository against.

A list has one name a line, and only shrinks: a check that is not listed must pass, and one that is listed and passes is a
failure, too, until its line is taken off (--update does it).
"""
import argparse
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def arguments(doc, known, program, **how):
    """A parser with the options that all have; `program` is the one that names what is tested."""
    ap = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument(program, **how)
    ap.add_argument('--shared', default=os.path.join(ROOT, '..', 'shared'), help='where findings/ is')
    ap.add_argument('--known', default=os.path.join(HERE, known), help='file with the list')
    ap.add_argument('--update', action='store_true', help='take what passes off the list')
    return ap


def run(runner, *options):
    return subprocess.run([sys.executable, runner, *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False).stdout.decode('utf-8', 'replace')


def absent(*needed):
    """Whether one of the files is not there; then it was said, with a summary."""
    for path in needed:
        if not os.path.exists(path):
            print('skipped: there is no %s' % os.path.relpath(path, ROOT))
            print('0 passed, 0 failed, 1 skipped')
            return True
    return False


def read(path):
    with open(path, encoding='utf-8') as handle:
        lines = handle.read().split('\n')
    return [line for line in lines if line and not line.startswith('#')]


def write(path, gone):
    with open(path, encoding='utf-8') as handle:
        lines = [line for line in handle.read().split('\n') if line not in gone]
    with open(path, 'w', encoding='utf-8') as handle:
        handle.write('\n'.join(lines))


def settle(opt, what, every, names, said):
    """Prints the outcome; the exit status. said: name -> (FAIL or SKIP, why), of those of `names` that did not pass."""
    known = read(opt.known)
    passed = skipped = 0
    gone, failures = [], ['FAIL %s is in the list of known ones and is no %s' % (n, what) for n in known if n not in every]
    for name in names:
        outcome, why = said.get(name, ('', ''))
        if outcome == 'SKIP':
            print('skipped: %s: %s' % (name, why))
            skipped += 1
        elif bool(outcome) == (name in known):
            passed += 1
        elif outcome:
            failures.append('FAIL %s: %s' % (name, why))
        else:
            gone.append(name)
    if opt.update:
        write(opt.known, gone)
        passed += len(gone)
    else:
        failures += ['FAIL %s passes: take it off %s' % (n, os.path.relpath(opt.known, ROOT)) for n in gone]
    print('\n'.join(failures), end='\n' if failures else '')
    left = len(set(known) & set(names)) - (len(gone) if opt.update else 0)
    print('%d of %d %ss are known to fail' % (left, len(names), what))
    print('%d passed, %d failed, %d skipped' % (passed, len(failures), skipped))
    return 1 if failures else 0
