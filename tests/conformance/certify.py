#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Has the independent checker derive again what `check` reports of every program of a corpus.

    tests/conformance/certify.py --tool build/shape FOLDER...      all *.mlir files in the folders

Each constraint, each guard, and each requirement that the guards must imply counts once. What the checker cannot confirm
is listed. The last line is `N passed, N failed`; a program without an answer, or a claim that a point contradicts, is
counted as failed too. The exit status is 1 when something failed.
"""
import argparse
import glob
import json
import os
import shlex
import subprocess
import sys

LISTS = ('constraints', 'guards', 'scoped_constraints')


def certify(tool, path):
    """(confirmed, what is not confirmed) of one program."""
    done = subprocess.run(tool + ['check', '--json', '--certify', path], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, timeout=120, check=False)
    try:
        answer = json.loads(done.stdout.decode('utf-8', 'replace'))
    except ValueError:
        return 0, ['no answer']
    sums = answer.get('certificate')
    if not sums:  # a program that could not be analysed claims nothing
        return 0, [] if answer['status'] == 'error' else ['no certificate']
    failed = ['%s: %s in %s' % (name, c['expr'], c['scope']) for name in LISTS
              for c in answer[name] if not c['confirmed']]
    if len(failed) != sums['constraints'] - sums['confirmed']:
        failed.append('the counts are not those of the lists')
    failed += ['a requirement that the guards should imply'] * (sums['implications'] - sums['implied'])
    failed += ['contradicted'] * sums['contradicted']
    return sums['confirmed'] + sums['implied'], failed


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--tool', default='build/shape')
    ap.add_argument('folders', nargs='+')
    opt = ap.parse_args()
    passed = failed = 0
    for folder in opt.folders:
        paths = sorted(glob.glob(os.path.join(folder, '*.mlir')))
        if not paths:
            ap.error('no *.mlir in ' + folder)
        for path in paths:
            confirmed, wrong = certify(shlex.split(opt.tool), path)
            passed += confirmed
            failed += len(wrong)
            for line in wrong:
                print('%s: %s' % (os.path.basename(path), line))
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
