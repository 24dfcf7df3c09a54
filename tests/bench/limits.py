#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the limits of the decision procedure (solver/term/limits.def) are worth: each is halved and doubled, and the answers
and the steps of reasoning are compared with those of the table.

    python3 tests/bench/limits.py --build build                        all limits
    python3 tests/bench/limits.py --build build --only SEARCH_,ROWS_   those whose names begin so
    python3 tests/bench/limits.py --build build --json FILE            the figures as JSON, too

Queries are 4,000 random ones of tests/support/random_case.c, the last 1,000 with reasons, and those of --queries (files for
`shape decide --jsonl`); programs are those of tests/golden and --programs (folders). Limits of the checker are measured
with --certify. Only the sources that name a limit are compiled again, with another table before them, and linked with
the library of the build.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TABLE = 'solver/term/limits.def'
ROW = re.compile(r'^LIMIT\((\w+), ([^,]+), "(\w+)"', re.M)
FOLDERS = {'FACTS': 'facts', 'CERTIFY': 'certify'}  # the others are those of decide
DRIVER = r'''
#include <stdio.h>
#include "tests/support/random_case.h"
int main(void) {
  static char line[1 << 16];
  for (int i = 1; i <= 4000; i++) {
    query_case q;
    case_make(&q, (uint64_t)i);
    case_print(&q, false, i > 3000, 15, line, sizeof line);
    printf("%s\n", line);
  }
}
'''


def limits():
    """[(name, value)] of the table."""
    return [(name, int(eval(value, {}))) for name, value, _ in ROW.findall((ROOT / TABLE).read_text(encoding='utf-8'))]


def sources(name):
    """The sources that use a limit: those that name it, and those of a folder whose header does."""
    folder = ROOT / 'solver' / FOLDERS.get(name.split('_')[0], 'decide')
    word = re.compile(r'\b%s\b' % name)
    named = [f for f in sorted(folder.iterdir()) if f.suffix in ('.c', '.h') and word.search(f.read_text(encoding='utf-8'))]
    if any(f.suffix == '.h' for f in named):
        named = sorted(folder.glob('*.c'))
    return [str(f.relative_to(ROOT)) for f in named]


def recipe(target, changed, pattern):
    """The command by which make would make the target."""
    said = subprocess.run(['make', '-n', '-W', changed, target], cwd=ROOT, stdout=subprocess.PIPE, check=True,
                          universal_newlines=True).stdout.replace('\\\n', ' ')
    return [line for line in said.split('\n') if re.search(pattern, line) and 'printf' not in line][-1].strip().lstrip('@')


class Builder:
    def __init__(self, build, folder):
        self.folder = pathlib.Path(folder)
        self.build = build
        first = 'solver/decide/ask.c'
        self.compile = recipe('%s/obj/solver/decide/ask.o' % build, first, r' -c ')
        self.link = recipe('%s/shape' % build, first, r' -o %s/shape( |$)' % re.escape(build))

    def variant(self, name, value):
        """A `shape` in which one limit has another value; None: it does not build."""
        table = re.sub(r'(?m)^(LIMIT\(%s, )[^,]+' % name, r'\g<1>%d' % value, (ROOT / TABLE).read_text(encoding='utf-8'))
        (self.folder / 'solver/term').mkdir(parents=True, exist_ok=True)
        (self.folder / TABLE).write_text(table, encoding='utf-8')
        objects = []
        for source in sources(name):
            target = str(self.folder / source.replace('/', '_')) + '.o'
            command = self.compile.replace('-I. ', '-I%s -I. ' % self.folder, 1).replace('-MMD -MP', '').replace(' -O2 -g ', ' -O1 ')
            command = command.replace('solver/decide/ask.c', source).replace('%s/obj/solver/decide/ask.o' % self.build, target)
            if subprocess.run(shlex.split(command), cwd=ROOT, stderr=subprocess.DEVNULL, check=False).returncode:
                return None
            objects.append(target)
        tool = str(self.folder / 'shape')
        words = shlex.split(self.link)
        words[words.index('-o') + 1] = tool
        at = next(i for i, word in enumerate(words) if word.endswith('.o'))
        subprocess.run(words[:at] + ['-s'] + objects + words[at:], cwd=ROOT, check=True)
        return tool


def worth(line):
    """How much an answer says: more is better; of two equal ones the texts may still differ."""
    try:
        x = json.loads(line)
    except ValueError:
        return 0
    if 'simplified' in x:
        return -len(re.findall(r'\w+', x['simplified']))
    if 'min' in x:
        return sum(x[k] is not None for k in ('min', 'max')) * 1e30 - ((x['max'] or 0) - (x['min'] or 0))
    decided = x.get('conflict') or x.get('answer') in ('true', 'false')
    score = 2 if decided else 1 if x.get('reason') == 'contingent' else 0
    return score + (0.5 if x.get('certified') else 0) - 0.001 * len(x.get('because', []))


class Corpus:
    def __init__(self, queries, programs):
        self.queries, self.programs = queries, programs

    def run(self, tool, certify):
        """({corpus: lines}, the steps that queries took)."""
        more = ['--certify'] if certify else []
        got = subprocess.run([tool, 'decide', '--jsonl', '--trace', 'query'] + more, input=self.queries, check=False,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        out = {'queries': got.stdout.split('\n'), 'programs': []}
        for first in range(0, len(self.programs), 100):
            out['programs'] += subprocess.run([tool, 'check', '--json'] + more + self.programs[first:first + 100],
                                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False,
                                              universal_newlines=True).stdout.split('\n')
        return out, sum(map(int, re.findall(r'in (\d+) steps?$', got.stderr, re.M)))


def compare(base, other):
    """What became of the answers of each corpus."""
    found = {}
    for kind, lines in base[0].items():
        pairs = [(a, b) for a, b in zip(lines, other[0][kind]) if a != b]
        found[kind] = {'differ': len(pairs) + abs(len(lines) - len(other[0][kind]))}
        if kind != 'programs':
            found[kind]['weaker'] = sum(worth(b) < worth(a) for a, b in pairs)
            found[kind]['stronger'] = sum(worth(b) > worth(a) for a, b in pairs)
    found['steps'] = round(100.0 * (other[1] - base[1]) / base[1], 2)
    return found


def corpus_of(opt, folder):
    driver = os.path.join(folder, 'driver')
    subprocess.run(['cc', '-std=c17', '-I.', '-x', 'c', '-', '-x', 'none', 'tests/support/random_case.c', '-o', driver],
                   cwd=ROOT, input=DRIVER, check=True, universal_newlines=True)
    queries = subprocess.run([driver], stdout=subprocess.PIPE, check=True, universal_newlines=True).stdout
    for name in opt.queries:
        queries += pathlib.Path(name).read_text(encoding='utf-8')
    folders = [ROOT / 'tests/golden'] + [pathlib.Path(f) for f in opt.programs]
    return Corpus(queries, sorted(str(f) for folder in folders for f in folder.rglob('*.mlir')))


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--build', default='build')
    ap.add_argument('--only', default='', help='comma list of beginnings of names')
    ap.add_argument('--queries', action='append', default=[], help='a file of lines for `shape decide --jsonl`')
    ap.add_argument('--programs', action='append', default=[], help='a folder of .mlir files')
    ap.add_argument('--json', help='where the figures go')
    opt = ap.parse_args()
    wanted = tuple(opt.only.split(','))
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        builder, corpus = Builder(opt.build, folder), corpus_of(opt, folder)
        base = [corpus.run(str(ROOT / opt.build / 'shape'), certify) for certify in (False, True)]
        print('%d queries, %d programs, %d steps' % (corpus.queries.count('\n'), len(corpus.programs), base[0][1]), flush=True)
        for name, value in limits():
            if not name.startswith(wanted):
                continue
            certify = name.startswith(('CERTIFY_', 'CORE_'))
            figures[name] = {}
            for word, other in (('halved', max(value // 2, 1)), ('doubled', value * 2)):
                tool = builder.variant(name, other)
                figures[name][word] = compare(base[certify], corpus.run(tool, certify)) if tool else None
                print(name, word, other, json.dumps(figures[name][word]), flush=True)
            if opt.json:
                pathlib.Path(opt.json).write_text(json.dumps(figures, indent=1), encoding='utf-8')
    return 0


if __name__ == '__main__':
    sys.exit(main())
