#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Real programs formatted by the language server: the answer stays, formatting again changes nothing, and the white space
in front of lines does not matter.

Reads SHAPE_LSP (default: in build/), LSP_FILES (how many, default 300) and LSP_SEED. Programs: golden cases, and those of
../shared where it is beside; every second one with \\r\\n. The last line is `N passed, N failed`.
"""
import glob
import os
import random
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from lsp import Server  # noqa: E402

FILES = int(os.environ.get('LSP_FILES', '300'))
SEED = int(os.environ.get('LSP_SEED', '1'))
PATTERNS = [os.path.join(ROOT, 'tests', 'golden', '**', '*.mlir'),
            os.path.join(os.path.dirname(ROOT), 'shared', 'corpus', '*', '**', '*.mlir')]
MOST = 15000  # bytes
URI = 'file:///p/formatted.mlir'
OPTIONS = {'tabSize': 2, 'insertSpaces': True}


def formatted(server, text):
    """The text with the edits of the server, and what is known of it as it was."""
    server.notes.clear()
    server.messages.clear()
    server.open(URI, text)
    known = [(d['severity'], re.sub(r'\bline \d+|\d+:\d+', '', d['message'])) for d in server.diagnostics(URI)]
    starts = [0] + [m.end() for m in re.finditer(r'\r\n|\n|\r', text)]

    def offset(position):
        line = text[starts[position['line']]:(starts + [len(text)])[position['line'] + 1]]
        return starts[position['line']] + len(line.encode('utf-16-le')[:2 * position['character']].decode('utf-16-le'))
    out, at = [], 0
    for begin, end, new in sorted((offset(e['range']['start']), offset(e['range']['end']), e['newText'])
                                  for e in server.on('formatting', URI, options=OPTIONS)):
        assert begin >= at, 'edits overlap'
        out += [text[at:begin], new]
        at = end
    return ''.join(out + [text[at:]]), known


def what_is_wrong(server, text, rng):
    once, before = formatted(server, text)
    twice, after = formatted(server, once)
    if twice != once:
        return 'formatted again it is another text'
    if before != after:
        return 'the answer is %s, was %s' % (after[:2], before[:2])
    if re.sub(r'\s', '', once) != re.sub(r'\s', '', text):
        return 'tokens differ'
    if re.search(r'[ \t]\r?(\n|$)', once) or ('\r' in text and re.search(r'(?<!\r)\n', once)):
        return 'a line ends in white space, or as those of the text do not'
    if '//' in text:
        return None  # a comment stays where it is
    other = '\n'.join(' ' * rng.randrange(9) + line.lstrip(' \t') for line in text.split('\n'))
    return None if formatted(server, other)[0] == once else 'it depends on white space'


def main():
    rng = random.Random(SEED)
    files = sorted(f for p in PATTERNS for f in glob.glob(p, recursive=True) if os.path.getsize(f) < MOST)
    rng.shuffle(files)
    failed = passed = 0
    with Server(options={'hints': 'off'}) as server:
        for i, name in enumerate(files[:FILES]):
            with open(name, encoding='utf-8', errors='replace') as handle:
                text = handle.read()
            if '\ufffd' in text:
                continue  # no text
            wrong = what_is_wrong(server, text.replace('\n', '\r\n') if i % 2 else text, rng)
            passed += not wrong
            if wrong:
                failed += 1
                print('%s: %s' % (os.path.relpath(name, ROOT), wrong))
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
