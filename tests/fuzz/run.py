#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs fuzz targets and says what came of it; the last line is `N passed, N failed`.

usage: tests/fuzz/run.py --build DIR [--seconds N] [--jobs N] [--seed N] TARGET...

Each target starts from tests/fuzz/corpus/<target>/, from what seeds.py takes from the other tests, and from what earlier
runs found (DIR/found/<target>/, where new inputs go). An input that fails is kept as DIR/found/<target>-crash-..., its
report as DIR/found/<target>.log. Dictionaries are made by words.py. --seed 0 takes another random seed each time.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import time

import seeds
import words

HERE = os.path.dirname(os.path.abspath(__file__))
SETTINGS = ['-timeout=20', '-rss_limit_mb=2048', '-verbosity=0', '-print_final_stats=1']


def run(target, opt):
    """(target, whether it passed, line that says so)"""
    name = os.path.basename(target)
    found = os.path.join(opt.build, 'found')
    folders = [os.path.join(found, name), os.path.join(HERE, 'corpus', name), os.path.join(opt.build, 'seeds', name)]
    os.makedirs(folders[0], exist_ok=True)
    log = os.path.join(found, name + '.log')
    start = time.monotonic()
    with open(log, 'wb') as handle:
        status = subprocess.call([target, '-max_total_time=%d' % opt.seconds, '-seed=%d' % opt.seed,
                                  '-dict=' + os.path.join(opt.build, 'words', name + '.dict'),
                                  '-artifact_prefix=' + os.path.join(found, name + '-')] + SETTINGS
                                 + [f for f in folders if os.path.isdir(f)], stdout=handle, stderr=handle)
    with open(log, encoding='utf-8', errors='replace') as handle:
        text = handle.read()
    runs = re.findall(r'number_of_executed_units: (\d+)', text)
    line = '%-20s %-6s %9s inputs in %d s' % (name, 'FAILED' if status else 'ok', runs[-1] if runs else '?',
                                              time.monotonic() - start)
    if status:
        line += '\n' + '\n'.join(text.rstrip().split('\n')[-40:]) + '\nstatus %d' % status
    return name, not status, line


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--build', required=True, help='folder for what is found')
    ap.add_argument('--seconds', type=int, default=20, help='for each target (default 20)')
    ap.add_argument('--jobs', type=int, default=1, help='targets at a time (default 1)')
    ap.add_argument('--seed', type=int, default=0, help='of the random numbers (default 0: another one each time)')
    ap.add_argument('targets', nargs='+')
    opt = ap.parse_args()
    seeds.write(os.path.join(opt.build, 'seeds'))
    words.write(os.path.join(opt.build, 'words'))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=max(1, opt.jobs)) as pool:
        for job in concurrent.futures.as_completed([pool.submit(run, t, opt) for t in opt.targets]):
            _, good, line = job.result()
            failed += not good
            print(line, flush=True)
    print('%d passed, %d failed' % (len(opt.targets) - failed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
