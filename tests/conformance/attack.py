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
import os
import re
import sys

import known
from known import ROOT, run


def main():
    ap = known.arguments(__doc__, 'known_attacks.txt', '--build', default=os.path.join(ROOT, 'build'),
                         help='folder of the programs (default build)')
    ap.add_argument('--only', default='', metavar='NAMES', help='names of checks, or their beginnings, with commas between')
    opt = ap.parse_args()
    runner = os.path.abspath(os.path.join(opt.shared, 'findings', 'attack', 'attack.py'))
    if known.absent(runner, os.path.join(opt.build, 'shaped')):
        return 0
    only = ['--only', opt.only] if opt.only else []
    every, names = (re.findall(r'^(\S+) ', run(runner, '--list', *o), re.MULTILINE) for o in ([], only))
    text = run(runner, '--build', os.path.abspath(opt.build), *only)
    said = {n: ('FAIL', 'the attack did not finish: ' + text[-300:].strip()) for n in names}
    for outcome, name, why in re.findall(r'^(ok|FAIL|skip) ([^:\s]+): (.*)$', text, re.MULTILINE):
        said[name] = ('' if outcome == 'ok' else outcome.upper(), why)
    return known.settle(opt, 'check', every, names, said)


if __name__ == '__main__':
    sys.exit(main())
