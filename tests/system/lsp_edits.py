#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random edits: after each one the language server shows what a server shows that sees the text for the first time.

Reads SHAPE_LSP (default: in build/), LSP_EDITS (how many, default 10000), LSP_SEED, and LSP_PROGRAMS, a folder of programs
(default: those of the golden cases, one in four). Edits are those of people and of machines: letters typed into words, lines
taken out, put in and moved, brackets lost, pieces pasted, several at once, line ends of three kinds, letters beyond ASCII; in
each of the three encodings of positions. In programs, tokens are lost, operations cut, names and types changed, lines moved,
and most of it undone; and all that is known of the text is compared. The last line is `N passed, N failed`.
"""
import glob
import json
import os
import random
import re
import subprocess
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


TOKEN = re.compile(r'%[\w$.-]+(?:#\d+)?|[@^!#][\w$.]+|[\w$.]+|"[^"\n]*"|->|\S')


def program_edits(rng, text):
    """[(begin, end, new)], each of the text that the one before leaves."""
    tokens = list(TOKEN.finditer(text))
    token, other, kind = rng.choice(tokens), rng.choice(tokens), rng.random()
    names = [t for t in tokens if t.group()[0] == '%']
    if kind < 0.2:
        return [(token.start(), token.end(), '')]
    if kind < 0.35:  # an operation ends after a token
        end = text.find('\n', token.end())
        return [(token.end(), len(text) if end < 0 else end, '')]
    if kind < 0.55 and names:
        return [(*rng.choice(names).span(), rng.choice(names).group() if rng.random() < 0.6 else '%new')]
    dims = list(re.finditer(r'(?<=[<x])[0-9?]+(?=x)', text))
    if kind < 0.7 and dims:
        return [(*rng.choice(dims).span(), rng.choice(['?', '4', '1', '7']))]
    begin, end = line_span(text, rng)
    if kind < 0.8:  # a line goes elsewhere
        rest = text[:begin] + text[end:]
        to = line_span(rest, rng)[0] if rest else 0
        return [(begin, end, ''), (to, to, text[begin:end])]
    if kind < 0.85:
        return [(begin, begin, text[begin:end])]
    if kind < 0.95:
        at = rng.randrange(len(text) + 1)
        return [(at, at, rng.choice(PIECES))]
    return [(*token.span(), other.group())]


def everything(server, uri, positions):
    """All that is known of a text, without its name and version."""
    said = [server.diagnostics(uri), server.hints(uri)]
    said += [server.on(what, uri) for what in ('codeLens', 'documentSymbol', 'semanticTokens/full')]
    said.append(server.ask('shaped/symbols', {'textDocument': {'uri': uri}}))
    said += [server.on('hover', uri, *position) for position in positions]
    said += [server.on('documentHighlight', uri, *position) for position in positions]
    return re.sub(r'"version": \d+', '', json.dumps(said).replace(uri, ''))


def generated(kind, ops):
    generator = os.path.join(ROOT, 'tests', 'bench', 'gen_program.py')
    return subprocess.run([sys.executable, generator, '--ops', str(ops), '--kind', kind], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=True).stdout.decode()


def run_programs(edits, seed):
    """Returns how many texts were compared."""
    rng, count = random.Random(seed), 0
    folder = os.environ.get('LSP_PROGRAMS')
    paths = sorted(glob.glob(os.path.join(folder or os.path.join(ROOT, 'tests', 'golden'), '**', '*.mlir'), recursive=True))
    programs = [generated(kind, ops) for kind, ops in (('blocks', 120), ('chain', 60), ('arguments', 40))]
    for path in paths if folder else paths[seed % 4::4]:
        with open(path, encoding='utf-8', errors='replace', newline='') as handle:
            programs.append(handle.read())
    with Server(options={'hints': 'everywhere'}) as edited, Server(options={'hints': 'everywhere'}) as fresh:
        for number, text in enumerate(programs):
            uri, doc = 'file:///a%d.mlir' % number, Text(text, 'utf-16')
            if len(text) > 50000 or not text.strip():
                continue
            edited.open(uri, text)
            for _ in range(edits):
                before = doc.text
                for step in program_edits(rng, doc.text) if doc.text.strip() else [(0, 0, text)]:
                    change = doc.edit(*step)
                    if change:
                        edited.change(uri, change)
                name = 'file:///b%d.mlir' % count
                fresh.open(name, doc.text)
                positions = [doc.position(rng.randrange(len(doc.text) + 1)) for _ in range(3)]
                got, want = everything(edited, uri, positions), everything(fresh, name, positions)
                at = next((i for i, pair in enumerate(zip(got, want)) if pair[0] != pair[1]), 0)
                assert got == want, 'program %d, seed %d: ...%s is not ...%s of\n%s' % (
                    number, seed, got[max(0, at - 200):at + 200], want[max(0, at - 200):at + 200], doc.text)
                fresh.close(name)
                count += 1
                if rng.random() < 0.6 and before != doc.text:
                    edited.change(uri, doc.edit(0, len(doc.text), before) or {'text': before})
                    doc.text = before
                for server in (edited, fresh):
                    server.messages.clear()
                    del server.notes[:-4]
            edited.close(uri)
    return count


def main():
    passed = failed = 0
    try:
        print('everything is the same of %d texts' % run_programs(max(2, EDITS // 600), SEED))
        passed += 1
    except Exception:  # pylint: disable=broad-except
        failed += 1
        traceback.print_exc()
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
