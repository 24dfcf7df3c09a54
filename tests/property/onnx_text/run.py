#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random models in ONNX's text syntax have the answer of the bytes that ONNX's own parser makes of them.

    tests/property/onnx_text/run.py              300 models (or $PROPERTY_TEXTS), seeds from 1
    tests/property/onnx_text/run.py --seed 4711  one again: its text, and both answers

Models have initializers, value infos, functions with attributes, subgraphs, all kinds of attributes, names in quotes or not,
comments and random white space. Every second one gets a random edit: what both readers take then has one answer too,
and what one refuses is no crash. The last line is `N passed, N failed`.
"""
import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

try:
    import onnx.parser
except ImportError:  # Debian's package is for Debian's Python
    if sys.executable != '/usr/bin/python3' and os.path.exists('/usr/lib/python3/dist-packages/onnx'):
        os.execv('/usr/bin/python3', ['/usr/bin/python3'] + sys.argv)
    print('skipped: no python3-onnx here\n0 passed, 0 failed')
    sys.exit(0)

SHAPE = os.environ.get('SHAPE', str(pathlib.Path(__file__).resolve().parents[3] / 'build' / 'shape'))
SPACES = ('', ' ', ' ', ' ', '\n', '\t', ' # a comment, "with ] } in it\n', '  ')


class Writer:
    """A model as a list of tokens."""

    def __init__(self, rng):
        self.rng, self.count, self.edited = rng, 0, False

    def fresh(self):
        self.count += 1
        return self.rng.choice(('v%d', '_v%d', 'V_%d')) % self.count

    def dims(self):
        choice = self.rng.choice
        return [choice(('N', 'M', '?', '2', '8', '"N + 1"', '0')) for _ in range(self.rng.randint(1, 3))]

    def separated(self, items):
        return [token for i, item in enumerate(items) for token in ([','] if i else []) + item]

    def type(self):
        kind = self.rng.choice(('float', 'float', 'int64', 'bool', 'double', 'float16'))
        form = self.rng.randrange(5)
        return [kind] if form == 0 else [kind, '[', ']'] if form == 1 else [kind, '['] + self.separated([[d] for d in self.dims()]) + [']']

    def tensor(self, kind=None):
        kind = kind or self.rng.choice(('float', 'int64', 'int32', 'double', 'uint8', 'string', 'uint64'))
        count = self.rng.randint(1, 3)
        number = {'float': '-1.5e1', 'double': '0.25', 'string': '"a \\" b"'}.get(kind) or str(self.rng.randint(0, 5))
        return kind, ['[', str(count), ']'], ['{'] + self.separated([[number]] * count) + ['}']

    def attribute(self, values):
        name = self.fresh()
        form = self.rng.randrange(9)
        if form == 0:
            return [name, '=', str(self.rng.randint(-3, 3))]
        if form == 1:
            return [name, ':', 'ints', '=', '[', '1', ',', '-2', ']']
        if form == 2:
            return [name, '=', '[', '1.5', ',', '2.0', ']']
        if form == 3:
            return [name, ':', 'float', '=', self.rng.choice(('1.5', '2.0', '-1e-3'))]
        if form == 4:
            return [name, '=', '"text"']
        if form == 5:
            return [name, '=', '[', '"a"', ',', '"b"', ']']
        if form == 6:
            kind, dims, data = self.tensor()
            return [name, '=', kind] + dims + data
        return [name, '=', self.fresh(), '(', ')', '=>', '(', 'float', 'y', ')', '{'] + self.node(values, ['y'], False) + ['}']

    def node(self, values, outputs, nested=True):
        pick = lambda: self.rng.choice(values)  # noqa: E731
        out = self.separated([[o] for o in outputs]) + ['=']
        form = self.rng.randrange(9)
        if form == 0:
            return out + ['Transpose', '<', 'perm', '=', '[', '1', ',', '0', ']', '>', '(', pick(), ')']
        if form == 1:
            return out + ['Concat', '(', pick(), ',', pick(), ')', '<', 'axis', '=', '0', '>']
        if form == 2:
            return out + ['MatMul', '(', pick(), ',', pick(), ')']
        if form == 3:
            return out + ['Constant', '<', 'value', '=', 'int64', '[', '2', ']', '{', '2', ',', '3', '}', '>', '(', ')']
        if form == 4:
            return out + ['Clip', '(', pick(), ',', ',', pick(), ')']
        if form == 5:
            return out + ['local.twice', '(', pick(), ')']
        if form == 6 and nested:
            attributes = self.separated([self.attribute(values) for _ in range(self.rng.randint(1, 3))])
            return out + ['other.domain.Op', '<'] + attributes + ['>', '(', pick(), ')']
        return out + [self.rng.choice(('Add', 'Mul', 'Sub')), '(', pick(), ',', pick(), ')']

    def model(self):
        inputs, others = [], []
        values = []
        for _ in range(self.rng.randint(1, 3)):
            values.append(self.fresh())
            inputs.append(self.type() + [values[-1]])
        for _ in range(self.rng.randint(0, 2)):
            kind, dims, data = self.tensor()
            values.append(self.fresh())
            others.append([kind] + dims + [values[-1], '='] + data)
        nodes = []
        for _ in range(self.rng.randint(1, 5)):
            name = self.fresh()
            nodes += self.node(values, [name])
            values.append(name)
            if self.rng.random() < 0.2:
                others.append(self.type() + [name])
        text = ['<', 'ir_version', ':', '8', ',', 'opset_import', ':', '[', '""', ':', str(self.rng.randint(11, 17)), ',',
                '"local"', ':', '1', ']', ',', 'doc_string', ':', '"a"', '>', 'agraph', '('] + self.separated(inputs) + [
                    ')', '=>', '('] + self.separated([self.type() + [values[-1]]]) + [')']
        if others:
            text += ['<'] + self.separated(others) + ['>']
        text += ['{'] + nodes + ['}']
        return text + ['<', 'domain', ':', '"local"', ',', 'opset_import', ':', '[', '""', ':', '17', ']', '>', 'twice', '<',
                       'alpha', '>', '(', 'x', ')', '=>', '(', 'y', ')', '{', 'y', '=', 'Add', '(', 'x', ',', 'x', ')', '}']

    def text(self):
        tokens = self.model()
        self.edited = self.rng.random() < 0.5
        if self.edited:
            at = self.rng.randrange(len(tokens))
            edit = self.rng.randrange(3)
            if edit == 0:
                del tokens[at]
            elif edit == 1:
                tokens.insert(at, self.rng.choice(tokens))
            else:
                tokens[at] = self.rng.choice(tokens)
        word = lambda t: t[0].isalnum() or t[0] in '_"-'  # noqa: E731
        out = ''
        for before, token in zip([''] + tokens, tokens):
            space = self.rng.choice(SPACES)
            out += (space or (' ' if before and word(before) and word(token) else '')) + token
        return out


def answer(path):
    """What is said of a file, without bytes of it: those of the text are not those of the bytes, and messages have their order."""
    done = subprocess.run([SHAPE, 'check', '--json', str(path)], capture_output=True, text=True, timeout=60)
    said = re.sub(r'"(end_)?column": \d+', '', done.stdout)
    listed = re.search(r'(?<="diagnostics": \[)\{.*?\}(?=\], ")', said)
    if listed:
        said = said.replace(listed[0], ', '.join(sorted(re.split(r', (?=\{"severity")', listed[0]))), 1)
    return done.returncode, said, done.stderr.replace(str(path), 'FILE')


def check(seed, folder, verbose):
    writer = Writer(random.Random(seed))
    text = writer.text()
    try:
        model = onnx.parser.parse_model(text).SerializeToString()
    except Exception:  # ParseError, and what a wrong number raises
        model = None
    (folder / 'a.onnxtxt').write_text(text)
    got = answer(folder / 'a.onnxtxt')
    if verbose:
        print(text, got, sep='\n')
    if got[0] not in (0, 1):
        return 'exit status %d: %s' % (got[0], got[2][:200])
    # Of edited texts older parsers take some that later ones refuse, and (x,) for two names.
    refused = '"code": "syntax"' in got[1] or re.search(r',(\s|#.*)*\)', text)
    if model is None or (writer.edited and refused):
        return None
    (folder / 'a.onnx').write_bytes(model)
    expected = answer(folder / 'a.onnx')
    if verbose:
        print(expected)
    return None if got[:2] == expected[:2] or expected[0] == 3 else 'the answers differ'


def main():
    options = argparse.ArgumentParser()
    options.add_argument('--seed', type=int)
    options = options.parse_args()
    count = int(os.environ.get('PROPERTY_TEXTS', 300))
    seeds = [options.seed] if options.seed else range(1, count + 1)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            wrong = check(seed, pathlib.Path(folder), bool(options.seed))
            if wrong:
                failed += 1
                print('seed %d: %s' % (seed, wrong))
    print('%d passed, %d failed' % (len(seeds) - failed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
