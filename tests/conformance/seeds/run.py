#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the documents say that the project implements, statement by statement. README.md lists statement, section, file.

    tests/conformance/seeds/run.py [WORD]    the files whose name has WORD; SHAPE (default build/shape) is the tool

A file is a program whose first lines say what must be true of it:
    // run: OPTIONS      the arguments of `shape`, as in a shell; FILE is this file. What follows is about this run
    // status: N         its exit status (default 0)
    // has: TEXT         what it prints, without comments, has TEXT; // not: TEXT: it has not. Several blanks count as one
The last line is `N passed, N failed`, over runs.
"""
import os
import re
import shlex
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
SHAPE = os.environ.get('SHAPE', os.path.join(ROOT, 'build', 'shape'))


def runs(path):
    """[(options, status, has, not)] of a file"""
    found = []
    with open(path, encoding='utf-8') as file:
        for line in file:
            asked = re.match(r'// (run|status|has|not): (.*)$', line)
            if not asked:
                continue
            word, text = asked.groups()
            if word == 'run':
                found.append({'run': text, 'status': 0, 'has': [], 'not': []})
            elif word == 'status':
                found[-1]['status'] = int(text)
            else:
                found[-1][word].append(' '.join(text.split()))
    return found


def problem_of(name, asked):
    words = [name if w == 'FILE' else w for w in shlex.split(asked['run'])]
    done = subprocess.run([SHAPE, *words], cwd=HERE, capture_output=True, text=True, timeout=60, check=False)
    lines = (done.stdout + done.stderr).split('\n')
    said = ' '.join(' '.join(line for line in lines if not line.startswith('// ')).split())
    if done.returncode != asked['status']:
        return 'exit status %d, expected %d: %s' % (done.returncode, asked['status'], said[:300])
    for text in asked['has']:
        if text not in said:
            return 'has not `%s`: %s' % (text, said[:600])
    for text in asked['not']:
        if text in said:
            return 'has `%s`: %s' % (text, said[:600])
    return None


def main():
    word = sys.argv[1] if len(sys.argv) > 1 else ''
    passed = failed = 0
    with open(os.path.join(HERE, 'README.md'), encoding='utf-8') as file:
        listed = set(re.findall(r'\(([\w-]+\.mlir)\)', file.read()))
    names = sorted(name for name in os.listdir(HERE) if name.endswith('.mlir'))
    for name in sorted(listed ^ set(names)):
        print('FAILED %s: %s' % (name, 'it is not listed' if name in names else 'it is listed and not there'))
        failed += 1
    for name in names:
        if word not in name:
            continue
        asked = runs(os.path.join(HERE, name))
        problems = [p for p in (problem_of(name, one) for one in asked) if p]
        if not asked:
            problems = ['it has no run']
        for problem in problems:
            print('FAILED %s: %s' % (name, problem))
        failed += len(problems)
        passed += len(asked) - len(problems) if asked else 0
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
