#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`--trace`: every tag prints something, and no trace changes an answer. Reads SHAPE (default: in build/).

The last line is `N passed, N failed`.
"""
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import main  # noqa: E402
from shaped import SHAPE  # noqa: E402

PROGRAMS = sorted(glob.glob(os.path.join(ROOT, 'deploy', 'demo', '*.mlir'))
                  + glob.glob(os.path.join(ROOT, 'tests', 'golden', '*', '*', '*.mlir'))[:150])
LINE = re.compile(r'^(\w+): \S.*$')


def run(*arguments):
    done = subprocess.run([SHAPE, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr.decode('utf-8', 'replace')


def tags():
    with open(os.path.join(ROOT, 'solver', 'base', 'trace.def'), encoding='utf-8') as file:
        return re.findall(r'^X\((\w+), "', file.read(), re.M)


def test_answers_are_the_same_and_every_tag_speaks():
    assert len(PROGRAMS) >= 20, len(PROGRAMS)
    heard = {}
    for path in PROGRAMS:
        plain = run('check', '--json', path)
        traced = run('check', '--json', '--trace=all', path)
        assert plain[:2] == traced[:2], path
        for line in traced[2].splitlines():
            match = LINE.match(line)
            if match:
                heard[match.group(1)] = heard.get(match.group(1), 0) + 1
    path = os.path.join(ROOT, 'deploy', 'demo', 'heads.mlir')
    for that in ('arg0.0*arg0.1 == arg0.0*arg1.1', 'arg0.1 == arg1.1', 'arg0.0 >= 3'):
        plain, traced = run('explain', '--that', that, path), run('explain', '--trace=query', '--that', that, path)
        assert plain[:2] == traced[:2], that
        heard['query'] = heard.get('query', 0) + len(re.findall('^query: .*[?] ', traced[2], re.M))
    assert all(heard.get(tag, 0) >= 3 for tag in tags()), heard


def test_only_what_is_wanted_comes():
    path = os.path.join(ROOT, 'deploy', 'demo', 'heads.mlir')
    status, _, said = run('check', '--trace=fact,phase', path)
    kinds = {line.split(':')[0] for line in said.splitlines()}
    assert status == 0 and kinds == {'fact', 'phase'}, said
    assert '768*s0*s1 == 768*s0*s3' in said
    assert run('check', path)[2] == ''


def test_wrong_tags_are_refused():
    for wrong in ('', 'facts', 'op,,fact'):
        assert run('check', '--trace=' + wrong, os.devnull)[0] == 2, wrong
    assert run('decide', '--trace=facts', 'a == a')[0] == 2
    assert run('check', '--trace=op', '--connect', '/nowhere', os.devnull)[0] == 2


def test_decide_tells_what_answering_does():
    query = ('decide', '-s', 'b>=1,a>=1,c', '--assume', 'a*b == 12', '--assume', 'mod(a, b) == 0', 'a <= 12',
                'floordiv(a, c) >= 1', '--bounds', 'a', '--simplify', 'a - b + b')
    for more in ((), ('--json',), ('--certify',)):
        plain, traced = run(*query, *more), run(*query, *more, '--trace=all')
        assert plain[:2] == traced[:2] and not plain[2], more
    said = traced[2].splitlines()
    assert 'call: a query over s0 = a, s1 = b, s2 = c' in said, said
    assert 'fact: s0*s1 == 12, assumed' in said and any('where the query is defined' in line for line in said), said
    assert any(line.startswith('query: s0 <= 12? yes, under ') for line in said), said
    assert sum(line.startswith('phase: bounds ended at step ') for line in said) == 1, said
    assert {line.split(':')[0] for line in said} == {'call', 'fact', 'query', 'phase'}
    assert not run(*query, '--trace=scope')[2]
    stream = b''.join(b'{"id": %d, "symbols": {"n": {"min": 0}}, "query": "n >= %d"}\n' % (n, n) for n in range(50))

    def answer(*more):
        done = subprocess.run([SHAPE, 'decide', '--jsonl', *more], input=stream, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return done.returncode, done.stdout, done.stderr

    plain, traced = answer(), answer('--trace=phase')
    assert plain[:2] == traced[:2] and traced[2].count(b'phase: query ended') == 50, traced[2]


def test_help_lists_the_tags():
    for command, kept in (('check', tags()), ('explain', tags()), ('decide', ['phase', 'call', 'fact', 'query'])):
        assert ','.join(kept) in run(command, '--help')[1].decode(), command


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
