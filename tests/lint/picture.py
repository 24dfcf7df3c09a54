#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The picture of .github/ARCHITECTURE.md, made from the includes of the sources, so that it cannot lie.

    tests/lint/picture.py             says whether the picture is that of the includes; the exit status, too
    tests/lint/picture.py --update    writes it

An arrow points from a folder to one that it includes. An arrow that other arrows imply is left out.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import lint  # noqa: E402

PAGE = os.path.join(lint.ROOT, '.github', 'ARCHITECTURE.md')
BLOCK = re.compile(r'```mermaid\n.*?```\n', re.S)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def edges(root):
    """{(from, to)} between layers, from the sources that git knows."""
    listed = subprocess.run(['git', '-C', root, 'ls-files', '*.c', '*.h', '*.def'], stdout=subprocess.PIPE, check=True)
    found = set()
    for path in listed.stdout.decode().split():
        source = lint.layer_of(path)
        if source in (None, 'tests', 'deploy') or not os.path.exists(os.path.join(root, path)):
            continue
        with open(os.path.join(root, path), encoding='utf-8', errors='replace') as file:
            for target in INCLUDE.findall(file.read()):
                layer = lint.layer_of(target)
                if layer and layer != source:
                    found.add((source, layer))
    return found


def reduced(found):
    """Without the arrows that longer ways imply; the layers have no cycles."""
    after = {}
    for a, b in found:
        after.setdefault(a, set()).add(b)

    def reaches(a, b, direct):
        return any((c != b or not direct) and (c == b or reaches(c, b, False)) for c in after.get(a, ()))
    return sorted((a, b) for a, b in found if not reaches(a, b, True))


def picture(root):
    name = {'shape.h': 'solver/shape.h', 'proto': 'proto', 'server': 'server', 'clients': 'clients'}
    node = lambda layer: layer.replace('.', '_')  # noqa: E731
    found = edges(root)
    layers = sorted({l for edge in found for l in edge}, key=lambda l: (lint.LAYERS + list(lint.OUTER)).index(l))
    lines = ['```mermaid', 'flowchart BT']
    lines += ['  %s["%s"]' % (node(l), name.get(l, 'solver/' + l)) for l in layers]
    lines += ['  %s --> %s' % (node(a), node(b)) for a, b in reduced(found)]
    return '\n'.join(lines) + '\n```\n'


def main():
    with open(PAGE, encoding='utf-8') as file:
        text = file.read()
    new = BLOCK.sub(lambda _: picture(lint.ROOT), text)
    if '--update' in sys.argv[1:]:
        with open(PAGE, 'w', encoding='utf-8') as file:
            file.write(new)
    elif new != text or not BLOCK.search(text):
        print('the picture of .github/ARCHITECTURE.md is not that of the includes: tests/lint/picture.py --update')
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
