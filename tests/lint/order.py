# SPDX-License-Identifier: Apache-2.0
"""Calls whose answer may depend on the compiler: C leaves open in which order arguments are evaluated, and gcc takes
the last one first, clang the first one. Where two arguments of one call change the same thing, as both make terms, the
order shows: in numbers, names, steps.

A function changes what its parameters point to, unless they say `const`; one that returns a pointer makes something new
or reads, which is the same in any order. BUDGETS are changed by sums alone.
"""
import collections
import re

import c_scan

BUDGETS = ('shape_budget', 'shape_arena')
DECLARED = re.compile(r'\b([A-Za-z_]\w*)\s*\(([^;{}()]*(?:\([^()]*\)[^;{}()]*)*)\)\s*[;{]')
POINTER = re.compile(r'\s*(?!.*\bconst\b)(?:struct\s+)?([a-z_]\w*)\s*\*\s*\w+\s*')
COMMA = re.compile(r',(?![^()]*\))')
CALL = re.compile(r'\b([A-Za-z_]\w*)\s*\(')
BRACE = re.compile(r'[{}]')
BRACKET = re.compile(r'[][(){},]')


def declarations(text):
    """The text outside of bodies: each of them is `{}`."""
    parts, depth, begin = [], 0, 0
    for m in BRACE.finditer(text):
        if m.group() == '{':
            if depth == 0:
                parts.append(text[begin:m.end()])
            depth += 1
        else:
            depth = max(0, depth - 1)
            begin = m.start() if depth == 0 else begin
    return ''.join(parts + [text[begin:]])


def changes(text):
    """{function: (static, types that it changes)} of a file."""
    found, flat = {}, declarations(text)
    for m in DECLARED.finditer(flat):
        head = re.split(r'[;{}]', flat[max(0, m.start() - 200):m.start()])[-1]
        types = set()
        if not head.rstrip().endswith('*'):
            types = {p.group(1) for p in map(POINTER.fullmatch, COMMA.split(m.group(2))) if p} - set(BUDGETS)
        found[m.group(1)] = (bool(re.search(r'\bstatic\b', head)), types)
    return found


def arguments(text, begin):
    """The arguments of the call whose bracket ends at `begin`."""
    depth, parts = 0, []
    for m in BRACKET.finditer(text, begin):
        c = m.group()
        if depth == 0 and c in ',)':
            parts.append(text[begin:m.start()])
            begin = m.end()
            if c == ')':
                break
        elif c in '([{':
            depth += 1
        elif c in ')]}':
            depth -= 1
    return parts


def check(tree):
    texts = {path: c_scan.code_only(tree.text(path)) for path in tree.c_files() if not path.startswith('tests/')}
    everywhere, own = {}, {path: changes(text) for path, text in texts.items()}
    for path, found in own.items():
        for name, (static, types) in found.items():
            if not static or path.endswith('.h'):
                everywhere.setdefault(name, set()).update(types)
    problems = []
    for path, text in texts.items():
        here = {name: types for name, (static, types) in own[path].items() if static}
        for call in CALL.finditer(text):
            parts = arguments(text, call.end())
            if len(parts) < 2 or sum('(' in part for part in parts) < 2:
                continue
            changed = collections.Counter(
                t for part in parts
                for t in set().union(*(here.get(n, everywhere.get(n, ())) for n in CALL.findall(part))))
            for name in sorted(t for t, count in changed.items() if count > 1):
                problems.append('%s:%d: two arguments of %s change a %s: name what the last of them gives first' %
                                (path, c_scan.line_of(text, call.start()), call.group(1), name))
    return problems
