#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the reproducers of known defects beside the repository, and holds the result against the list of open ones.

The reproducers and their runner are in ../shared/findings, which not everyone has: without it everything is skipped.
known.txt lists, one name a line, the findings that fail as yet. The list only shrinks: a finding that is not listed must
pass, and one that is listed and passes is a failure, too: take its line off, or let `--update` do it.

Each finding is one test; the last line is `N passed, N failed, N skipped`.

examples:
  tests/conformance/findings.py                    all against build/shape
  tests/conformance/findings.py --filter '^05'     those whose name matches
  tests/conformance/findings.py --update           take off the list what passes
"""
import concurrent.futures
import os
import re
import sys

import known
from known import ROOT, run

TIMED = '12-growth'  # measures times, so it runs alone


def names_of(runner):
    return re.findall(r'^- `([^`]+)`', run(runner, '--list'), re.MULTILINE)


def outcomes(runner, tool, names):
    """name -> what was printed of it, for those that fail or are skipped. A group that gives no summary fails whole."""
    groups = sorted({n.split('/')[0] for n in names})

    def run_group(group):
        wanted = [n for n in names if n.startswith(group + '/')]
        pattern = '^(%s)$' % '|'.join(map(re.escape, wanted))
        text = run(runner, '--tool', tool, '--filter', pattern)
        said = {m.group(1): m.group(0) for m in re.finditer(r'^(?:FAIL|SKIP) ([^:\s]+): .*$', text, re.MULTILINE)}
        counts = re.findall(r'^(\d+) passed, (\d+) failed$', text, re.MULTILINE)
        skipped = sum(line.startswith('SKIP') for line in said.values())
        if not counts or sum(map(int, counts[-1])) + skipped != len(wanted):
            said.update({n: 'FAIL %s: its group did not finish: %s' % (n, text[-300:].strip()) for n in wanted})
        return said

    result = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for said in pool.map(run_group, [g for g in groups if g != TIMED]):
            result.update(said)
    if TIMED in groups:
        result.update(run_group(TIMED))
    return result


def main():
    ap = known.arguments(__doc__, 'known.txt', '--tool', default=os.path.join(ROOT, 'build', 'shape'),
                         help='the program (default build/shape)')
    ap.add_argument('--filter', default='', metavar='RE', help='only findings whose name matches')
    opt = ap.parse_args()
    runner = os.path.abspath(os.path.join(opt.shared, 'findings', 'findings.py'))
    if known.absent(runner, opt.tool):
        return 0
    listed = names_of(runner)
    names = [n for n in listed if re.search(opt.filter, n)]
    lines = outcomes(runner, os.path.abspath(opt.tool), names)
    said = {n: (line[:4], line.partition(': ')[2]) for n, line in lines.items()}
    return known.settle(opt, 'finding', listed, names, said)


if __name__ == '__main__':
    sys.exit(main())
