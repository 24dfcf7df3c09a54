#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The types of the playground and of the npm package, by TypeScript (`make web-types`); no WebAssembly is needed.

Skipped, with the reason, where node or npm is missing, or the packages cannot be had. The last line is
`N passed, N failed[, N skipped]`.
"""
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import Skipped, main  # noqa: E402

MODULES = os.path.join(ROOT, 'build', 'wasm', 'playground', 'node_modules')
SECONDS = 120


def test_types():
    for program in 'node', 'npm':
        if not shutil.which(program):
            raise Skipped('%s is not installed' % program)
    env = dict(os.environ, DEPS='no')
    env.pop('MAKEFLAGS', None)
    try:
        done = subprocess.run(['make', '--no-print-directory', '-C', ROOT, 'web-types'], stdin=subprocess.DEVNULL, env=env, timeout=SECONDS,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, check=False)
    except subprocess.TimeoutExpired as late:
        raise Skipped('not within %d s; what npm brought is kept for the next run' % SECONDS) from late
    if done.returncode != 0 and not os.path.exists(os.path.join(MODULES, '.installed')):
        raise Skipped('the packages cannot be had from npm: ' + done.stdout.strip()[-300:])
    assert done.returncode == 0, done.stdout[-2000:]


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
