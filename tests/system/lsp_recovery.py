#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""States of programs while they are typed: an operation that is cut after one of its tokens, or a token that is missing.

The hints outside of the edited operation and of what depends on it stay: those that the program has where nothing is known
of that operation. And there is exactly one error, which begins on the line of the edit. Reads SHAPE_LSP (default: in build/), LSP_STATES (how many, default 600) and LSP_SEED;
LSP_SHOW=1 lists the states that miss. Programs: those below, golden cases, and those of ../shared where it is beside.
The last line is `N passed, N failed`.
"""
import collections
import glob
import os
import random
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from lsp import Server, shown  # noqa: E402

STATES = int(os.environ.get('LSP_STATES', '600'))
SEED = int(os.environ.get('LSP_SEED', '1'))
SHOW = os.environ.get('LSP_SHOW')
SHARED = os.path.join(os.path.dirname(ROOT), 'shared', 'corpus')
PATTERNS = [os.path.join(ROOT, 'tests', 'golden', 'check', '**', '*.mlir'), os.path.join(SHARED, '*', '**', '*.mlir')]
URI = 'file:///a.mlir'
STAY, EXACT = 0.985, 0.99  # of hints; of states

TOKEN = re.compile(r'''(?P<skip>\s+|//[^\n]*)|"(?:\\.|[^"\\\n])*"|->|::|[%^@#!][\w$.\-]*(?:[:#]\d+)?|[A-Za-z_][\w$.]*|\d+(?:x[\d?x]*[a-z]\w*)?|
                       \?(?:x[\d?x]*[a-z]\w*)?|.''', re.X)
BEGINS = re.compile(r'\s*(%[\w$.\-]+(:\d+)?(\s*,\s*%[\w$.\-]+(:\d+)?)*\s*=|"[\w.$]+"\(|[a-z_]\w*\.[\w.]+|return\b|call\b)')
VALUE = re.compile(r'%[\w$.\-]+')
CLOSES = {')': '(', ']': '[', '}': '{'}


class Token:
    def __init__(self, begin, end, text):
        self.begin, self.end, self.text, self.op = begin, end, text, None


class Operation:
    """An operation that begins a line; `outer` is the one around it."""

    def __init__(self, first, outer, name):
        self.first, self.last, self.outer, self.name = first, first, outer, name

    @property
    def is_function(self):
        return self.name in ('func.func', 'util.func', '"func.func"')

    def around(self):
        op = self
        while op:
            yield op
            op = op.outer

    @property
    def function(self):
        return next((op for op in self.around() if op.is_function), None)


def tokens_of(text):
    found, at = [], 0
    while at < len(text):
        m = TOKEN.match(text, at)
        if m.lastgroup != 'skip':
            found.append(Token(m.start(), m.end(), m.group()))
        at = m.end()
    return found


class Program:
    def __init__(self, text):
        self.text, self.tokens, self.ops = text, tokens_of(text), []
        self.line_of = lambda at: text.count('\n', 0, at)
        stack, depth, depths = [], 0, []  # operations that are open, and the depth of brackets at which each began
        for i, t in enumerate(self.tokens):
            begin = text.rfind('\n', 0, t.begin) + 1
            starts = not text[begin:t.begin].strip()
            # `}` and `)` continue what is open; a line as deep as an operation began ends it.
            if starts and t.text not in CLOSES:
                m = BEGINS.match(text, begin) or re.match(r'\s*(module|func)\b', text[begin:begin + 80])
                if m:
                    while depths and depths[-1] >= depth:
                        stack.pop()
                        depths.pop()
                    name = re.match(r'\s*(?:%[^=]*=\s*)?("?[\w.$]+"?)', text[begin:begin + 300])
                    op = Operation(i, stack[-1] if stack else None, name.group(1) if name else '')
                    self.ops.append(op)
                    stack.append(op)
                    depths.append(depth)
                elif t.text.startswith('^'):
                    while depths and depths[-1] >= depth:
                        stack.pop()
                        depths.pop()
            if t.text in CLOSES.values():
                depth += 1
            if t.text in CLOSES:
                depth -= 1
                while depths and depths[-1] > depth:
                    stack.pop()
                    depths.pop()
            t.op = stack[-1] if stack else None
            for op in stack:
                op.last = i

    def span(self, op):
        return self.tokens[op.first].begin, self.tokens[op.last].end

    def defined(self, op):
        """Names of the operation's results, and of arguments of its blocks when the operation is what is edited."""
        begin, end = self.span(op)
        head = re.match(r'(%[^=\n]*)=(?!=)', self.text[begin:end])
        return set(VALUE.findall(head.group(1))) if head else set()

    def depends(self, edited):
        """Operations that are edited or depend on it: results, uses of them, operations around, calls of its function."""
        begin, end = self.span(edited)
        tainted = set(edited.around()) - {op for op in edited.around() if op.is_function or op.name == 'module'}
        tainted.add(edited)
        names = collections.defaultdict(set)
        function = edited.function
        for op in tainted:
            names[function] |= self.defined(op)
        # Arguments of blocks that the edited line defines.
        inner = self.text[begin:end]
        names[function] |= set(VALUE.findall(' '.join(re.findall(r'\^[^\n]*', inner))))
        symbol = None
        if function:
            m = re.search(r'@[\w$.\-]+|sym_name\s*=\s*"([\w.$]+)"', self.text[self.span(function)[0]:][:2000])
            symbol = m and ('@' + m.group(1) if m.group(1) else m.group())
        for op in self.ops:
            if op in tainted or op.is_function or op.name == 'module':
                continue
            b, e = self.span(op)
            text = self.text[b:e]
            used = set(VALUE.findall(text)) & names[op.function]
            if used or (symbol and re.search(re.escape(symbol) + r'\b', text)):
                for o in op.around():
                    if not o.is_function and o.name != 'module':
                        tainted.add(o)
                        names[op.function] |= self.defined(o)
        return tainted

    def without(self, op):
        """The program in which nothing is known of the operation, as its dialect is none; where that is, and how it grew."""
        begin, end = self.span(op)
        m = re.match(r'\s*(?:%[^=]*=\s*)?"?([\w.$]+)', self.text[begin:end])
        if op.is_function or op.name == 'module' or not m:
            return self.text, 0, 0
        at = begin + m.start(1)
        name = m.group(1)
        other = 'unknown.' + name.split('.')[-1]
        return self.text[:at] + other + self.text[at + len(name):], at, len(other) - len(name)

    def states(self, rng):
        """(text, operation, line of the edit, a word for it)"""
        if rng.random() < 0.5:
            ops = [op for op in self.ops if op.last > op.first and not op.is_function and op.name != 'module']
            if not ops:
                return None
            op = rng.choice(ops)
            k = rng.randrange(op.first, op.last)
            at, end = self.tokens[k].end, self.span(op)[1]
            return self.text[:at] + self.text[end:], op, self.line_of(at), ('cut', at, end)
        t = rng.choice(self.tokens)
        if not t.op:
            return None
        return self.text[:t.begin] + self.text[t.end:], t.op, self.line_of(t.begin), ('lost', t.begin, t.end)


def inside(program, ops, at):
    return any(begin <= at <= end for begin, end in map(program.span, ops))


class Renaming:
    """Symbols are numbered as they appear: two labels are alike where one renaming makes all of them equal."""

    def __init__(self):
        self.there, self.back = {}, {}

    def matches(self, label, other):
        if other is None or re.sub(r'\bS\d+', 'S', label) != re.sub(r'\bS\d+', 'S', other):
            return False
        return all(self.there.setdefault(a, b) == b and self.back.setdefault(b, a) == a
                   for a, b in zip(re.findall(r'\bS\d+', label), re.findall(r'\bS\d+', other)))


def offsets(text):
    starts = [0]
    for i, c in enumerate(text):
        if c == '\n':
            starts.append(i + 1)
    return lambda line, character: starts[line] + character


class Count:
    def __init__(self):
        self.expected = self.kept = self.states = self.exact = self.valid = 0
        self.why = collections.Counter()


def errors_of(server, uri):
    return [d for d in server.diagnostics(uri) if d['severity'] == 1]


def measure(server, program, rng, count, name):
    state = program.states(rng)
    if not state:
        return
    text, op, line, (kind, begin, end) = state
    server.change(URI, {'text': text})
    errors = errors_of(server, URI)
    if not errors:
        count.valid += 1
        if SHOW:
            print('%s:%d: %s %r of %s: no error' % (os.path.relpath(name, ROOT), line + 1, kind, program.text[begin:end][:60], op.name))
        return
    count.states += 1
    lines = sorted({d['range']['start']['line'] for d in errors})
    exact = len(errors) == 1 and lines == [line]
    count.exact += exact
    tainted, whole, now = program.depends(op), offsets(program.text), offsets(text)
    # Hints of the state by their offset in the whole text.
    seen = {}
    for h in shown(server.hints(URI)):
        at = now(h[0], h[1])
        seen[at if at <= begin else at + end - begin] = h[2]
    other, named, grown = program.without(op)
    server.change(URI, {'text': other})
    lost, same = [], Renaming()
    at_of = offsets(other)
    for h in shown(server.hints(URI)):
        at = at_of(h[0], h[1])
        at = at if at <= named else at - grown
        if inside(program, tainted, at):
            continue
        count.expected += 1
        if same.matches(h[2], seen.get(at)):
            count.kept += 1
        else:
            lost.append((h, seen.get(at)))
    if SHOW and (lost or not exact):
        print('%s:%d: %s %r of %s: errors %s%s' % (
            os.path.relpath(name, ROOT), line + 1, kind, program.text[max(begin, end - 30) if kind == 'cut' else begin:end][:40],
            op.name, [(d['range']['start']['line'] + 1, d['message']) for d in errors[:3]],
            '; lost %d, first %s' % (len(lost), lost[0]) if lost else ''))


def main():
    rng = random.Random(SEED)
    files = sorted(f for p in PATTERNS for f in glob.glob(p, recursive=True) if 200 < os.path.getsize(f) < 60000)
    count = Count()
    with Server(options={'hints': 'dynamic', 'guards': False}) as server:
        opened = False
        tries = 0
        while count.states < STATES and tries < STATES * 4:
            tries += 1
            name = rng.choice(files)
            with open(name, encoding='utf-8') as handle:
                text = handle.read()
            if not opened:
                server.open(URI, text)
                opened = True
            else:
                server.change(URI, {'text': text})
            if errors_of(server, URI):
                continue
            program = Program(text)
            for _ in range(5):
                measure(server, program, rng, count, name)
    stay, exact = count.kept / max(1, count.expected), count.exact / max(1, count.states)
    print('%d states, %d others without an error; %d of %d hints stay (%.2f %%); one error on the line: %d (%.2f %%)' % (
        count.states, count.valid, count.kept, count.expected, 100 * stay, count.exact, 100 * exact))
    failed = (stay < STAY) + (exact < EXACT) + (count.states < STATES)
    print('%d passed, %d failed' % (3 - failed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
