#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Replaces `shape check --json FILE [--arg-types LIST]`: refines to text first, and checks that text, without types.

What `shape refine` refuses is answered by `shape check`, so that errors have their locations in the source. Reads SHAPE
(default build/shape). The exit status is that of the last tool that ran.
"""
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHAPE = os.environ.get('SHAPE', os.path.join(ROOT, 'build', 'shape'))


def main():
    arguments = sys.argv[1:]
    if arguments[:2] != ['check', '--json'] or len(arguments) not in (3, 5):
        print('usage: refined.py check --json FILE [--arg-types LIST]', file=sys.stderr)
        return 2
    refined = subprocess.run([SHAPE, 'refine'] + arguments[2:], capture_output=True, check=False)
    if refined.returncode:
        return subprocess.run([SHAPE] + arguments, check=False).returncode
    return subprocess.run([SHAPE, 'check', '--json', '-'], input=refined.stdout, check=False).returncode


if __name__ == '__main__':
    sys.exit(main())
