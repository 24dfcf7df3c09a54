#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Commands cost about twice as much for twice the arguments: instructions are counted, so that the machine does not matter.

Each command runs on a function of FEW and of MANY vectors, which is two doublings, and may cost 2.6 times as much for each.
Without valgrind everything is skipped.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHAPE = os.environ.get('SHAPE', os.path.join(ROOT, 'build', 'shape'))
FEW, MANY, MOST = 1000, 4000, 2.6 ** 2
COMMANDS = [['diff'], ['explain', '--that', 'arg0.0 == arg1.0'], ['refine', '--guards', 'c'], ['refine', '--guards', 'mlir'],
            ['refine', '--emit', 'disc-shape']]


def program(kind, count):
    """Each vector is put after the one before it, or all are added: that many dimensions, or that many guards."""
    arguments = ', '.join('%%v%d: tensor<?xi8>' % k for k in range(count))
    lines, last = [], 'v0'
    for k in range(1, count):
        if kind == 'chain':
            lines.append('  %%r%d = stablehlo.concatenate %%v%d, %%v%d, dim = 0 : (tensor<?xi8>, tensor<?xi8>) -> tensor<?xi8>'
                         % (k, k - 1, k))
        else:
            lines.append('  %%r%d = stablehlo.add %%%s, %%v%d : tensor<?xi8>' % (k, last, k))
        last = 'r%d' % k
    return 'func.func @main(%s) -> tensor<?xi8> {\n%s\n  return %%%s : tensor<?xi8>\n}\n' % (arguments, '\n'.join(lines), last)


def instructions(command, path):
    """How many a command takes, and its status."""
    files = [path] * (2 if command[0] == 'diff' else 1)
    done = subprocess.run(['valgrind', '--tool=callgrind', '--callgrind-out-file=/dev/null', SHAPE] + command + files,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    found = re.search(rb'Collected : (\d+)', done.stderr)
    return int(found.group(1)) if found else None


def main():
    if not shutil.which('valgrind') or os.path.basename(os.environ.get('BUILD_DIR', '')) in ('asan', 'tsan'):
        print('skipped: it needs valgrind, and programs without sanitizers')
        print('0 passed, 0 failed, 1 skipped')
        return 0
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind in ('chain', 'sum'):
            paths = []
            for count in (FEW, MANY):
                paths.append(os.path.join(folder, '%s%d.mlir' % (kind, count)))
                with open(paths[-1], 'w', encoding='utf-8') as handle:
                    handle.write(program(kind, count))
            for command in COMMANDS:
                few, many = (instructions(command, path) for path in paths)
                fine = few and many and many <= MOST * few
                passed += bool(fine)
                failed += not fine
                print('%s %-5s %-32s %s and %s instructions' % ('ok  ' if fine else 'FAIL', kind, ' '.join(command), few, many))
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
