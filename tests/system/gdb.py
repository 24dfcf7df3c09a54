#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""deploy/gdb in a real gdb: terms, predicates, numbers and facts of a running analysis. Reads SHAPE (default: in build/).

The last line is `N passed, N failed[, N skipped]`.
"""
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import Skipped, main  # noqa: E402
from shaped import SHAPE  # noqa: E402

SCRIPT = os.path.join(ROOT, 'deploy', 'gdb', 'shaped-gdb.py')
HEADS = os.path.join(ROOT, 'deploy', 'demo', 'heads.mlir')


def gdb(program, *commands):
    if not shutil.which('gdb'):
        raise Skipped('there is no gdb')
    words = ['gdb', '--batch', '-nx', '-ex', 'set debuginfod enabled off', '-ex', 'set style enabled off',
             '-ex', 'source ' + SCRIPT]
    for command in commands:
        words += ['-ex', command]
    done = subprocess.run([*words, '--args', *program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120,
                          check=False, universal_newlines=True, cwd=ROOT, env=dict(os.environ, ASAN_OPTIONS='detect_leaks=0'))
    if 'Could not trace the inferior' in done.stdout or 'ptrace: Operation not permitted' in done.stdout:
        raise Skipped('gdb may not trace here')
    return done.stdout


def test_facts_and_terms_of_a_program():
    # Where the report begins everything is known.
    said = gdb([SHAPE, 'check', HEADS], 'break report_make', 'run', 'shape-facts infer->store', 'print infer->store->facts.items[0]',
               'print infer->store->facts.items[0].p', 'shape-term infer->store->facts.items[0].p.left', 'shape-term 0 infer->terms',
               'shape-term 4294967295 infer->terms', 'shape-term 123456 infer->terms')
    assert '0  768*s0*s1 == 768*s0*s3, in scope 0: reshape: the number of elements stays the same' in said, said
    assert '$1 = 768*s0*s1 == 768*s0*s3, in scope 0' in said and '$2 = 768*s0*s1 == 768*s0*s3\n' in said, said
    assert said.endswith('768*s0*s1\n0\nnone\n#123456 (not in the table)\n'), said


def test_every_kind_of_term():
    claim = '5*floordiv(a + 2*b, 3) + min(a, b*b*b) == 100000000000000000000000000000000000000'
    said = gdb([SHAPE, 'decide', '-s', 'a,b', '--assume', claim, 'a >= 3'], 'break query_ask', 'run', 'print q->premises[0]')
    assert '$1 = ' in said and '5*floordiv(' in said and 'min(' in said and '^3' in said, said
    assert '100000000000000000000000000000000000000' in said, said


def test_errors_are_reported():
    said = gdb([SHAPE, 'check', HEADS], 'shape-term', 'shape-term 1', 'break report_make', 'run', 'shape-facts infer')
    assert 'shape-term ID [TABLE]' in said and 'shape-facts STORE' in said and 'Traceback' not in said, said


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
