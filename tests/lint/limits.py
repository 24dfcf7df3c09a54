#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The limits of the decision procedure: one table, solver/term/limits.def, and the page that is made from it.

    tests/lint/limits.py             reports whether solver/LIMITS.md is that of the table; the exit status, too
    tests/lint/limits.py --update    writes it

In the folders of the table no other number bounds a loop or a size: no constant with a number but the tags of an enum with
a name, and no number of its own in the head of a loop or, from 8 on, in a comparison.
"""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import c_scan  # noqa: E402

TABLE, PAGE = 'solver/term/limits.def', 'solver/LIMITS.md'
FOLDERS = ('solver/facts/', 'solver/certify/', 'solver/decide/')
CELL = r'"((?:[^"\\]|\\.)*)"'
ROW = re.compile(r'^LIMIT\((\w+),\s*([^,]+),\s*' + r',\s*'.join([CELL] * 4) + r'\)$', re.M)
GROUP = re.compile(r'^// --- (.*)$', re.M)
NUMBER = r'\(?(?:\([\w ]+\))?\s*\d'
CONSTANTS = (re.compile(r'\benum\s*\{[^{}]*=\s*' + NUMBER),
             re.compile(r'^[ \t]*static const \w+ [A-Z_0-9]+ = ' + NUMBER, re.M))
DEFINE = re.compile(r'^[ \t]*#[ \t]*define[ \t]+[A-Z_0-9]+[ \t]+' + NUMBER + r'(?!x)', re.M)
COMPARED = re.compile(r'(?<![<>-])[<>]=?\s*(\d+)\b(?!\s*<<)')
LOOP = re.compile(r'\b(?:for|while)\s*\(')
FIRST_IN_LOOP, FIRST = 3, 8

HEAD = """<!-- SPDX-License-Identifier: Apache-2.0 -->
# Limits of the decision procedure

Made from [term/limits.def](term/limits.def) by `tests/lint/limits.py --update`; do not edit. Every limit is a constant
of the library. What happens at a limit is sound: something stays unknown, or an answer is weaker, and the same on every
machine. Limits of a request (`--steps`, `--memory`, `limits` of a method) are others: they end with an error.

"Halved" and "doubled" say what `tests/bench/limits.py` finds with another value, over 5,674 queries (4,000 random ones
and the decision corpus) and about 430 programs. They say how many queries are answered less or more exactly, and how
many have another text of the same worth (other witnesses). They say how many answers about programs differ, and how
many steps of reasoning all queries take. What is not named did not change; limits of the checker were measured with
`--certify`. A value that changes nothing here was chosen for inputs that no corpus has, and is only known to be large
enough.
"""


def rows(text):
    """[(group, [(name, value, unit, bounds, at, chosen)])]"""
    groups = [(m.start(), m.group(1)) for m in GROUP.finditer(text)]
    found = []
    for number, (start, group) in enumerate(groups):
        end = groups[number + 1][0] if number + 1 < len(groups) else len(text)
        found.append((group, [m.groups() for m in ROW.finditer(text, start, end)]))
    return found


def page(text):
    out = [HEAD]
    for group, members in rows(text):
        out += ['## ' + group[0].upper() + group[1:], '', '| name | value | what it bounds | what happens at it | how it was chosen |',
                '|---|---|---|---|---|']
        out += ['| `%s` | %s %s | %s | %s | %s |' % (name, '{:,}'.format(eval(value, {})), unit, bounds, at, chosen)
                for name, value, unit, bounds, at, chosen in members]
        out.append('')
    return '\n'.join(out).rstrip('\n') + '\n'


def bare_numbers(path, text):
    problems = []
    for number, line in enumerate(text.split('\n'), 1):
        first = FIRST_IN_LOOP if LOOP.search(line) else FIRST
        problems += ['%s:%d: %s bounds something; give it a row in %s' % (path, number, m.group(1), TABLE)
                     for m in COMPARED.finditer(line) if int(m.group(1)) >= first]
    return problems


def check(tree):
    problems, used = [], set()
    for path in tree.files:
        if not path.startswith(FOLDERS) or not path.endswith(('.c', '.h')):
            continue
        code, text = c_scan.code_only(tree.text(path)), c_scan.without_comments(tree.text(path))
        used |= set(re.findall(r'\b[A-Z][A-Z_0-9]+\b', text))
        found = [m for rule in CONSTANTS for m in rule.finditer(code)] + list(DEFINE.finditer(text))
        problems += ['%s:%d: a limit belongs in %s; tags have an enum with a name' % (path, c_scan.line_of(code, m.start()), TABLE)
                     for m in found]
        problems += bare_numbers(path, code)
    if not tree.has(TABLE):
        return problems
    text = tree.text(TABLE)
    names = [row[0] for _, members in rows(text) for row in members]
    problems += ['%s:1: %d rows can be read, %d are there' % (TABLE, len(names), len(re.findall(r'^LIMIT\(', text, re.M)))
                 for _ in [0] if len(names) != len(re.findall(r'^LIMIT\(', text, re.M))]
    problems += ['%s:1: %s has an empty cell' % (TABLE, row[0]) for _, members in rows(text) for row in members
                 if not all(cell.strip() for cell in row)]
    problems += ['%s:1: %s is used nowhere' % (TABLE, name) for name in names if name not in used]
    if (tree.text(PAGE) if tree.has(PAGE) else '') != page(text):
        problems.append('%s:1: not that of the table; run tests/lint/limits.py --update' % PAGE)
    return problems


def main():
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    with open(os.path.join(root, TABLE), encoding='utf-8') as file:
        wanted = page(file.read())
    target = os.path.join(root, PAGE)
    if '--update' in sys.argv[1:]:
        with open(target, 'w', encoding='utf-8') as file:
            file.write(wanted)
        return 0
    with open(target, encoding='utf-8') as file:
        same = file.read() == wanted
    print('%s is %sthat of %s' % (PAGE, '' if same else 'not ', TABLE))
    return 0 if same else 1


if __name__ == '__main__':
    sys.exit(main())
