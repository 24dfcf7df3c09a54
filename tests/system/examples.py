#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every example of `shape COMMAND --help` is run, with a daemon at hand, and says what it is there for.

Reads SHAPE and SHAPED (default: in build/). The last line is `N passed, N failed[, N skipped]`.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import main  # noqa: E402
from shaped import SHAPE, Daemon  # noqa: E402

# What the examples of a command print, in their order. decide and graph have tests of their own for theirs.
MARKS = {
    'check': ('program.mlir: ok', '"status": "ok"', r'in +tokens +\[8, '),
    'explain': ('always holds', 'always holds', '"answer": "no"', 'none of which'),
    'refine': (r'tensor<8x64x768xf32>(?![\s\S]*\?)', 'tensor<8x', 'def '),
    'batch': ('3 models, 3 ok', '3 models, 3 ok', '"path": ', '^path,status,'),
    'diff': ('tensor<8x', '"differences"'),
    'decide': None,
    'graph': None,
    'generalize': ('^pinned\n  tokens.2 = 768', '^pinned'),
    'view': ('', ''),
    'cost': (r'= 3147800$', 'buffers: [1-9]'),
    'ops': ('^stablehlo.dynamic_reshape +reshape', r'^[1-9]\d'),
    'help': ('^What an answer promises', '^shape-mismatch'),
    'ping': ('the daemon answers', 'the daemon answers'),
    'stats': ('"resident_bytes"',),
    'call': (r'\{"n": 1\}', '"status": "ok"'),
}


def help_of(*command):
    return subprocess.run([SHAPE, *command, '--help'], capture_output=True, text=True, timeout=60, check=True).stdout


def test_every_command_has_examples():
    commands = re.findall(r'^  (\w+) +\S', help_of().split('commands:')[1].split('options:')[0], re.M)
    assert set(commands) == set(MARKS), commands
    for command in commands:
        assert '\nexamples:\n' in help_of(command), command


def test_examples():
    golden = os.path.join(ROOT, 'tests', 'golden')
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(os.path.join(golden, 'explain', 'holds', 'program.mlir'), folder)
        for name in ('old.mlir', 'new.mlir'):
            shutil.copy(os.path.join(golden, 'diff', 'changed', name), folder)
        env = dict(os.environ, PATH=os.path.dirname(os.path.abspath(SHAPE)) + os.pathsep + os.environ['PATH'],
                   XDG_RUNTIME_DIR=folder)
        env.pop('SHAPED_SOCKET', None)
        with Daemon(path=os.path.join(folder, 'shaped.sock')):
            for command, marks in MARKS.items():
                examples = help_of(command).split('examples:\n')[1].splitlines()
                assert marks is None or len(examples) == len(marks), examples
                for example, mark in zip(examples, marks or ()):
                    done = subprocess.run(['sh', '-c', example], capture_output=True, text=True, timeout=60, env=env,
                                          cwd=folder, check=False)
                    assert done.returncode in (0, 1) and 'error' not in done.stderr, (example, done)
                    assert re.search(mark, done.stdout, re.M), (example, done.stdout)


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
