#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random edits: after each one the language server shows what a server shows that sees the text for the first time.

Reads SHAPE_LSP (default: in build/), LSP_EDITS (how many, default 10000) and LSP_SEED. Edits are those of people and of
machines: letters typed into words, lines taken out, put in and moved, brackets lost, pieces pasted, several at once, line
ends of three kinds, letters beyond ASCII; in each of the three encodings of positions. The last line is `N passed, N failed`.
"""
import os
import random
import sys
import traceback

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from lsp import Server, shown, span  # noqa: E402

EDITS = int(os.environ.get('LSP_EDITS', '10000'))
SEED = int(os.environ.get('LSP_SEED', '1'))

PROGRAM = '''// größe 😀 of things
func.func private @helper(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.add %a, %b : tensor<?x4xf32>
  %1 = stablehlo.abs %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>, %n: tensor<?xf32>) -> tensor<?x4xf32> {
  %0 = call @helper(%x, %y) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32> // 数
  %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
  %3 = stablehlo.constant dense<4> : tensor<1xi32>
  %4 = stablehlo.concatenate %2, %3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %5 = stablehlo.dynamic_reshape %n, %4 : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %6 = "stablehlo.add"(%0, %5) {note = "é"} : (tensor<?x4xf32>, tensor<?x?xf32>) -> tensor<?x4xf32>
  %7:2 = "other.thing"(%6) ({
    ^bb0(%t: tensor<?xf32>):
      %u = stablehlo.abs %t : tensor<?xf32>
      "other.end"(%u) : (tensor<?xf32>) -> ()
  }) : (tensor<?x4xf32>) -> (tensor<?xf32>, tensor<4x?xf32>)
  return %6 : tensor<?x4xf32>
}

func.func @other(%q: tensor<8x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.transpose %q, dims = [1, 0] : (tensor<8x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
'''
PIECES = ['?', '4', 'x', '%', '%0', '%x', '{', '}', '(', ')', '<', '>', '"', '//', ' ', '\n', '\r\n', '\r', '@main', ':', '->',
          'é', '😀', '数', 'tensor<?xf32>', 'tensor<8x4xf32>', '  %9 = stablehlo.abs %x : tensor<?x4xf32>\n', 'func.func @',
          'stablehlo.', ',', '=', '#', '\t', '0', '\u2028', '\x01', 'dense<', '^bb0:', 'module {\n', '}\n}\n']
UNITS = {'utf-8': lambda s: len(s.encode()), 'utf-16': lambda s: len(s.encode('utf-16-le')) // 2, 'utf-32': len}


class Text:
    """The client's side: positions by Python's own means."""

    def __init__(self, text, encoding):
        self.text, self.units = text, UNITS[encoding]

    def position(self, at):
        before = self.text[:at]
        # Lines end with \\n, \\r\\n or \\r.
        lines = before.replace('\r\n', '\n').replace('\r', '\n').split('\n')
        if before.endswith('\r') and self.text[at:at + 1] == '\n':
            # Between the two bytes of an end of line: the protocol has no such position; it is the end of the line before.
            return len(lines) - 2, self.units(lines[-2])
        return len(lines) - 1, self.units(lines[-1])

    def edit(self, begin, end, new):
        between = [i for i in (begin, end) if i and self.text[i - 1] == '\r' and self.text[i:i + 1] == '\n']
        if between:
            return None
        change = {'range': span(*self.position(begin), *self.position(end)), 'text': new}
        self.text = self.text[:begin] + new + self.text[end:]
        return change


def line_span(text, rng):
    begin = text.rfind('\n', 0, rng.randrange(len(text) + 1)) + 1
    end = text.find('\n', begin)
    return begin, len(text) if end < 0 else end + 1


def random_edit(rng, doc):
    """(begin, end, new)"""
    text, kind = doc.text, rng.random()
    at = rng.randrange(len(text) + 1)
    if kind < 0.35:  # typing
        return at, at, rng.choice(PIECES)
    if kind < 0.55:  # rubbing out
        return at, min(len(text), at + rng.randrange(1, 4)), ''
    if kind < 0.7:  # a letter for another
        return at, min(len(text), at + 1), rng.choice(PIECES)
    begin, end = line_span(text, rng)
    if kind < 0.8:  # a line goes
        return begin, end, ''
    if kind < 0.95:  # a line of the text as it was comes
        lines = PROGRAM.splitlines(keepends=True)
        return begin, begin, rng.choice(lines)
    other = line_span(text, rng)
    return begin, begin, text[other[0]:other[1]]


def steps(rng, doc):
    """Changes of one message: mostly one, and now and then the program comes back, whole or by undoing."""
    if rng.random() < 0.12:
        whole = PROGRAM if rng.random() < 0.8 else PROGRAM.replace('\n', '\r\n')
        if rng.random() < 0.5:
            doc.text = whole
            return [{'text': whole}]
        change = doc.edit(0, len(doc.text), whole)
        return [change] if change else []
    out = []
    for _ in range(1 if rng.random() < 0.9 else rng.randrange(2, 5)):
        change = doc.edit(*random_edit(rng, doc))
        if change:
            out.append(change)
    return out


def run(encoding, edits, seed):
    rng = random.Random(seed)
    capabilities = {'general': {'positionEncodings': [encoding]}}
    options = {'hints': 'everywhere'}
    uri, count = 'file:///edited.mlir', 0
    doc = Text(PROGRAM, encoding)
    with Server(capabilities=capabilities, options=options) as edited, \
            Server(capabilities=capabilities, options=options) as fresh:
        assert edited.capabilities['positionEncoding'] == encoding
        edited.open(uri, doc.text)
        seen = set()
        while count < edits:
            changes = steps(rng, doc)
            if not changes:
                continue
            edited.change(uri, *changes)
            count += 1
            name = 'file:///%d.mlir' % count
            fresh.open(name, doc.text)
            got, want = shown(edited.hints(uri)), shown(fresh.hints(name))
            assert got == want, 'seed %d, edit %d: %r is not %r of\n%s' % (seed, count, got, want, doc.text)
            seen.add(tuple(want))
            if count % 16 == 0:
                got, want = edited.diagnostics(uri), fresh.diagnostics(name)
                text = repr(want).replace(name, uri)
                assert repr(got) == text, 'seed %d, edit %d: %r is not %s' % (seed, count, got, text)
            fresh.close(name)
            for server in (edited, fresh):
                server.messages.clear()
                del server.notes[:-4]
        # An empty text has no hints: what is compared must say something.
        assert len(seen) > edits // 20 and max(map(len, seen)) > 15, (len(seen), max(map(len, seen)))


def main():
    passed = failed = 0
    for i, encoding in enumerate(UNITS):
        share = EDITS * (2 if encoding == 'utf-16' else 1) // 4
        try:
            run(encoding, share, SEED + i)
            passed += 1
            print('%s: the same hints after each of %d edits' % (encoding, share))
        except Exception:  # pylint: disable=broad-except
            failed += 1
            traceback.print_exc()
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
