# SPDX-License-Identifier: Apache-2.0
"""The tables of the project as lists: rows of `.def` files, declarations of shape.h, rules with their comments."""
import pathlib
import re
from collections import namedtuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOKEN = re.compile(r'"((?:\\.|[^"\\])*)"|//[^\n]*|([(),])|([^\s(),"]+)')
ESCAPES = {'n': '\n', 't': '\t'}


def text(path):
    return (ROOT / path).read_text(encoding='utf-8')


def rows(path):
    """The arguments of each X(...) of a table, as texts; literals that follow each other are one."""
    found = []
    for start in re.finditer(r'^X\(', text(path), re.M):
        row, parts, depth = [], [], 1
        for token in TOKEN.finditer(text(path), start.end()):
            literal, mark, word = token.groups()
            if mark == '(':
                depth += 1
            elif mark == ')':
                depth -= 1
            if depth == 0 or (mark == ',' and depth == 1):
                row.append(''.join(parts))
                parts = []
                if depth == 0:
                    break
            elif literal is not None:
                parts.append(re.sub(r'\\(.)', lambda m: ESCAPES.get(m.group(1), m.group(1)), literal))
            else:
                parts.append(mark or word or '')
        found.append(row)
    return found


Declaration = namedtuple('Declaration', 'names code comment')


def uncomment(lines):
    return '\n'.join(re.sub(r'^// ?', '', line) for line in lines)


def api():
    """[(section, comment that opens it, [Declaration])] of shape.h, in its order."""
    parts = re.split(r'^// -{20,} (.*)$', text('solver/shape.h').split('#ifdef __cplusplus\n}\n')[0], flags=re.M)
    parts = ['', 'version and structs', parts[0][parts[0].index('// The version of the library and'):]] + parts[1:]
    sections = []
    for title, body in zip(parts[1::2], parts[2::2]):
        opening, found, first = '', [], True
        for block in re.split(r'\n\s*\n', body.strip('\n')):
            lines = [line for line in block.split('\n') if not re.match(r'#(?:ifn?def|endif|else|define SHAPE_STATUS_DECL)', line)]
            if not lines:
                continue
            if all(line.startswith('//') for line in lines):
                opening += ('\n\n' if opening else '') + uncomment(lines)
                continue
            count = next(i for i, line in enumerate(lines) if not line.startswith('//'))
            code = '\n'.join(lines[count:])
            # Each declaration at the left margin, with the comment above it, is one.
            names = re.findall(r'^(?!//)[^\n]*?\b(shape_\w+)\(', code, re.M)
            names += re.findall(r'^\} (shape_\w+);', code, re.M) + re.findall(r'^typedef [^{\n]*?\b(shape_\w+)(?:\([^)]*\))?;', code, re.M)
            names += re.findall(r'^#define (SHAPE_\w+)', code, re.M)
            found.append(Declaration(list(dict.fromkeys(names)), code, uncomment(lines[:count])))
        sections.append((title, opening, found))
    return sections


def rules():
    """{rule: what the comment at its definition, or that of its file, says of it}."""
    said = {}
    for path in sorted((ROOT / 'solver/ops/rules').rglob('*.c')):
        source = path.read_text(encoding='utf-8')
        opening = re.match(r'// SPDX[^\n]*\n((?://[^\n]*\n)*)', source).group(1)
        for match in re.finditer(r'((?:^//[^\n]*\n)*)^rule_status rule_(\w+)\(', source, re.M):
            comment = match.group(1) or opening
            said[match.group(2)] = ' '.join(uncomment(comment.strip().split('\n')).split())
    return said
