#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Attacks a running daemon and the command line by the checks beside the repository, against the list of open ones.

The checks and their runner are in ../shared/findings/attack, which not everyone has: without it everything is skipped.
known_attacks.txt lists, one name a line, the checks that fail as yet. The list only shrinks: a check that is not listed
must pass, and one that is listed and passes is a failure, too: take its line off, or let `--update` do it.

Each check is one test; the last line is `N passed, N failed, N skipped`.

examples:
  tests/conformance/attack.py                      all against the programs in build/
  tests/conformance/attack.py --only peer-,memory- those whose names begin so
  tests/conformance/attack.py --update             take off the list what passes
"""
import argparse
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
from findings import read_known, write_known  # noqa: E402


def run(runner, *arguments):
    return subprocess.run([sys.executable, runner, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False).stdout.decode('utf-8', 'replace')


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--build', default=os.path.join(ROOT, 'build'), help='folder of the programs (default build)')
    ap.add_argument('--shared', default=os.path.join(ROOT, '..', 'shared'), help='where findings/ is')
    ap.add_argument('--known', default=os.path.join(HERE, 'known_attacks.txt'), help='file with the list')
    ap.add_argument('--only', default='', metavar='NAMES', help='names of checks, or their beginnings, with commas between')
    ap.add_argument('--update', action='store_true', help='take what passes off the list')
    opt = ap.parse_args()
    runner = os.path.abspath(os.path.join(opt.shared, 'findings', 'attack', 'attack.py'))
    daemon = os.path.join(opt.build, 'shaped')
    for needed, why in ((runner, '../shared/findings/attack is not there'), (daemon, 'there is no %s' % daemon)):
        if not os.path.exists(needed):
            print('skipped: ' + why)
            print('0 passed, 0 failed, 1 skipped')
            return 0
    only = ['--only', opt.only] if opt.only else []
    every, names = (re.findall(r'^(\S+) ', run(runner, '--list', *o), re.MULTILINE) for o in ([], only))
    known = read_known(opt.known)
    text = run(runner, '--build', os.path.abspath(opt.build), *only)
    said = {m.group(2): m.groups() for m in re.finditer(r'^(ok|FAIL|skip) ([^:\s]+): (.*)$', text, re.MULTILINE)}
    passed = skipped = 0
    gone, failures = [], ['FAIL %s is in the list of known ones and is no check' % n for n in known if n not in every]
    for name in names:
        outcome, _, why = said.get(name, ('FAIL', name, 'the attack did not finish: ' + text[-300:].strip()))
        if outcome == 'skip':
            print('skipped: %s: %s' % (name, why))
            skipped += 1
        elif (outcome == 'FAIL') == (name in known):
            passed += 1
        elif outcome == 'FAIL':
            failures.append('FAIL %s: %s' % (name, why))
        else:
            gone.append(name)
    if opt.update:
        write_known(opt.known, gone)
        passed += len(gone)
    else:
        failures += ['FAIL %s passes: take it off %s' % (n, os.path.relpath(opt.known, ROOT)) for n in gone]
    print('\n'.join(failures), end='\n' if failures else '')
    open_ones = len(set(known) & set(names)) - (len(gone) if opt.update else 0)
    print('%d of %d checks are known to fail' % (open_ones, len(names)))
    print('%d passed, %d failed, %d skipped' % (passed, len(failures), skipped))
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
