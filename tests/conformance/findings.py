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
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TIMED = '12-growth'  # measures times, so it runs alone


def run(runner, *arguments):
    return subprocess.run([sys.executable, runner, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False).stdout.decode('utf-8', 'replace')


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


def read_known(path):
    with open(path, encoding='utf-8') as handle:
        lines = handle.read().split('\n')
    return [line for line in lines if line and not line.startswith('#')]


def write_known(path, gone):
    with open(path, encoding='utf-8') as handle:
        lines = [line for line in handle.read().split('\n') if line not in gone]
    with open(path, 'w', encoding='utf-8') as handle:
        handle.write('\n'.join(lines))


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--tool', default=os.path.join(ROOT, 'build', 'shape'), help='the program (default build/shape)')
    ap.add_argument('--shared', default=os.path.join(ROOT, '..', 'shared'), help='where findings/ is')
    ap.add_argument('--known', default=os.path.join(HERE, 'known.txt'), help='file with the list')
    ap.add_argument('--filter', default='', metavar='RE', help='only findings whose name matches')
    ap.add_argument('--update', action='store_true', help='take what passes off the list')
    opt = ap.parse_args()
    runner = os.path.abspath(os.path.join(opt.shared, 'findings', 'findings.py'))
    for needed, why in ((runner, '../shared/findings is not there'), (opt.tool, 'there is no %s' % opt.tool)):
        if not os.path.exists(needed):
            print('skipped: ' + why)
            print('0 passed, 0 failed, 1 skipped')
            return 0
    listed, known = names_of(runner), read_known(opt.known)
    names = [n for n in listed if re.search(opt.filter, n)]
    said = outcomes(runner, os.path.abspath(opt.tool), names)
    passed = skipped = 0
    gone, failures = [], ['FAIL %s is in the list of known ones and is no finding' % n for n in known if n not in listed]
    for name in names:
        line = said.get(name, '')
        if line.startswith('SKIP'):
            print('skipped: ' + line[5:])
            skipped += 1
        elif bool(line) == (name in known):
            passed += 1
        elif line:
            failures.append(line)
        else:
            gone.append(name)
    if opt.update:
        write_known(opt.known, gone)
        passed += len(gone)
    else:
        failures += ['FAIL %s passes: take it off %s' % (n, os.path.relpath(opt.known, ROOT)) for n in gone]
    print('\n'.join(failures), end='\n' if failures else '')
    print('%d of %d findings are known to fail' % (len(set(known) & set(names)) - (len(gone) if opt.update else 0), len(names)))
    print('%d passed, %d failed, %d skipped' % (passed, len(failures), skipped))
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
