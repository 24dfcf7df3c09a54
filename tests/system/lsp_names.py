#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Names in the editor: references, highlight, definition, rename, and formatting, on programs in which every definition and use is known.

Reads SHAPE_LSP (default: in build/) and LSP_SEED. Programs are written as text with marks: each name is followed by the thing
it means in «», which the test takes out again. The last line is `N passed, N failed`.
"""
import os
import random
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import main  # noqa: E402
from lsp import Failed, Server  # noqa: E402

SEED = int(os.environ.get('LSP_SEED', '1'))
URI = 'file:///p/names.mlir'
MARK = re.compile('([%@^!#](?:"[^"]*"|[\\w$.-]+)|(?<=sym_name = ")\\w+)((?::\\d+|#\\d+)?)«(=?)([^»]*)»')
REQUEST_FAILED = -32803

# «=thing»: a definition of it; «thing»: a use.
PROGRAM = '''// %a @main !t "größe 😀
!t«=t» = tensor<?x4xf32>
#m«=m» = affine_map<(d0) -> (d0)>
module @m«=mod» {
  "disc_shape.SymbolicDim"() {sym_name = "S0«=S0»", value = -1 : i64} : () -> ()
  func.func private @f«=f»(%a«=f.a»: !t«t», %ab«=f.ab»: tensor<?x4xf32, [@S0«S0», @S1]>) -> !t«t» { // @f %a
    %0«=f.0» = stablehlo.add %a«f.a», %a«f.a» {note = "%a 😀"} : !t«t»
    return %0«f.0» : !t«t»
  }
  func.func @main«=main»(%a«=main.a»: !t«t», %n«=main.n»: tensor<i32>) -> !t«t» attributes {x.s = "@f", map = #m«m»} {
    /* %a */ %0«=main.0» = func.call @f«f»(%a«main.a», %a«main.a») : (!t«t», !t«t») -> !t«t»
    %5:2«=five» = "other.two"(%0«main.0») ({
    ^bb0«=bb0»(%x«=one.x»: tensor<f32>):
      %y«=one.y» = stablehlo.abs %x«one.x» : tensor<f32>
      "other.br"(%y«one.y»)[^bb1«bb1»] : (tensor<f32>) -> ()
    ^bb1«=bb1»:
      "other.end"(%y«one.y») : (tensor<f32>) -> ()
    }, {
    ^bb0«=bb0 two»(%x«=two.x»: tensor<f32>):
      %y«=two.y» = stablehlo.abs %x«two.x» : tensor<f32>
      "other.end"(%y«two.y», %a«main.a») : (tensor<f32>, !t«t») -> ()
    }) : (!t«t») -> (!t«t», !t«t»)
    %6«=six» = "é😀.op"(%5#1«five 1», %5#0«five 0», %5«five 0») : (!t«t», !t«t», !t«t») -> !t«t»
    %7:2«=seven» = stablehlo.while(%i«=i» = %n«main.n», %v«=v» = %6«six») : tensor<i32>, !t«t»
     cond {
      %c«=cond.c» = stablehlo.compare LT, %i«i», %n«main.n» : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c«cond.c» : tensor<i1>
    } do {
      %c«=do.c» = stablehlo.add %i«i», %i«i» : tensor<i32>
      stablehlo.return %c«do.c», %v«v» : tensor<i32>, !t«t»
    }
    %8«=eight» = stablehlo.reduce(%7#1«seven 1» init: %n«main.n») across dimensions = [0] : (!t«t», tensor<i32>) -> tensor<f32>
     reducer(%p«=p»: tensor<f32>, %q«=q»: tensor<f32>) {
      %r«=r» = stablehlo.add %p«p», %q«q» : tensor<f32>
      stablehlo.return %r«r» : tensor<f32>
    }
    %9«=nine» = stablehlo.custom_call @main(%8«eight») : (tensor<f32>) -> !t«t»
    return %9«nine» : !t«t»
  }
}
'''


class Marked:
    """A program without its marks, and where each thing is: {thing: [(begin, end, defines)]}, by characters of Python."""

    def __init__(self, marked):
        marked = marked.replace('/* %a */ ', '')
        self.text, self.spots, at = '', {}, 0
        for m in MARK.finditer(marked):
            self.text += marked[at:m.start()]
            begin = len(self.text)
            self.text += m.group(1) + m.group(2)
            self.spots.setdefault(m.group(4), []).append((begin, begin + len(m.group(1)), bool(m.group(3))))
            at = m.end()
        self.text += marked[at:]

    def position(self, offset):
        line = self.text.count('\n', 0, offset)
        from_ = self.text.rfind('\n', 0, offset) + 1
        return {'line': line, 'character': len(self.text[from_:offset].encode('utf-16-le')) // 2}

    def span(self, begin, end):
        return {'start': self.position(begin), 'end': self.position(end)}

    def offset(self, position):
        lines = self.text.split('\n')
        head = lines[position['line']].encode('utf-16-le')[:2 * position['character']].decode('utf-16-le')
        return sum(len(line) + 1 for line in lines[:position['line']]) + len(head)

    def meant(self, thing):
        """All spots that mean what a use of the thing means: with the definition, and for one of several only its own."""
        name, _, number = thing.partition(' ')
        whole = self.spots.get(thing, [])
        if number.isdigit():
            return whole + [p for p in self.spots[name] if p[2]]
        return [p for t, list_ in self.spots.items() if t == thing or (t.startswith(thing + ' ') and t[len(thing) + 1:].isdigit())
                for p in list_]


def applied(marked, edits):
    out, at = [], 0
    for begin, end, new in sorted((marked.offset(e['range']['start']), marked.offset(e['range']['end']), e['newText']) for e in edits):
        assert begin >= at, 'edits overlap'
        out += [marked.text[at:begin], new]
        at = end
    return ''.join(out + [marked.text[at:]])


def programs():
    """The program as it is, with other line ends, after other letters, and with names that begin others or are numbers."""
    yield Marked(PROGRAM)
    yield Marked(PROGRAM.replace('\n', '\r\n'))
    rng = random.Random(SEED)
    for _ in range(4):
        names = ['a', 'ab', 'abc', 'x', 'x1', 'x_', '_', 'a.b', 'a$', 'a-b']
        rng.shuffle(names)
        to = dict(zip(['a', 'ab', 'n', 'x', 'y', 'i', 'v', 'c', 'p', 'q'], names))
        yield Marked(re.sub('%([a-z]+)(?=«)', lambda m: '%' + to.get(m.group(1), m.group(1)), PROGRAM))


def ranges(locations):
    return sorted((r['start']['line'], r['start']['character'], r['end']['character']) for r in locations)


def wanted(program, spots):
    return ranges([program.span(b, e) for b, e, _ in spots])


def each():
    """(server, program, thing, spot) for every name of every program."""
    for program in programs():
        with Server() as s:
            s.open(URI, program.text)
            for thing, spots in program.spots.items():
                for spot in spots:
                    yield s, program, thing, spot


def on(s, method, program, spot, **more):
    p = program.position(spot[0])
    return s.on(method, URI, p['line'], p['character'], **more)


def test_references():
    for s, program, thing, spot in each():
        meant = program.meant(thing)
        got = on(s, 'references', program, spot, context={'includeDeclaration': True})
        assert got is not None, (thing, spot)
        assert ranges([g['range'] for g in got]) == wanted(program, meant), (thing, spot, ranges([g['range'] for g in got]))
        got = on(s, 'references', program, spot, context={'includeDeclaration': False})
        assert ranges([g['range'] for g in got]) == wanted(program, [p for p in meant if not p[2]]), (thing, spot)


def test_highlight():
    for s, program, thing, spot in each():
        got = on(s, 'documentHighlight', program, spot)
        for kind, defines in ((3, True), (2, False)):
            spots = [p for p in program.meant(thing) if p[2] == defines]
            assert ranges([g['range'] for g in got if g['kind'] == kind]) == wanted(program, spots), (thing, spot, got)


def test_definition():
    for s, program, thing, spot in each():
        (got,) = on(s, 'definition', program, spot)
        assert [ranges([got['range']])] == [wanted(program, [p for p in program.meant(thing) if p[2]])], (thing, spot, got)


def test_nothing_in_comments_and_strings():
    program = Marked(PROGRAM)
    with Server() as s:
        s.open(URI, program.text)
        for needle in ('%a @main', '@main !t', '!t "gr', '@f %a', '%a 😀', '@f", map', '@S1', '@main(%8', 'größe'):
            at = program.text.index(needle)
            p = program.position(at)
            assert s.on('references', URI, p['line'], p['character'], context={'includeDeclaration': True}) is None, needle
            assert s.on('prepareRename', URI, p['line'], p['character']) is None, needle
            try:
                s.on('rename', URI, p['line'], p['character'], newName='zzz')
                raise AssertionError(needle)
            except Failed as why:
                assert why.code == REQUEST_FAILED, why


def test_rename_round_trip():
    for s, program, thing, spot in each():
        prepared = on(s, 'prepareRename', program, spot)
        assert prepared['range'] == program.span(spot[0], spot[1]), (thing, spot, prepared)
        old = program.text[spot[0]:spot[1]].lstrip('%@^!#')
        edit = on(s, 'rename', program, spot, newName='fresh')
        (change,) = edit['documentChanges']
        text = applied(program, change['edits'])
        base = program.meant(thing.split(' ')[0] if thing.split(' ')[-1].isdigit() else thing)
        expected, at = [], 0
        for begin, end, _ in sorted(base):
            sigil = program.text[begin] if program.text[begin] in '%@^!#' else ''
            expected += [program.text[at:begin], sigil + 'fresh']
            at = end
        assert text == ''.join(expected + [program.text[at:]]), (thing, spot)
        if spot[2] and old:
            again = Marked('')
            again.text = text
            s.open('file:///p/again.mlir', text)
            p = again.position(text.index('fresh'))
            back = s.on('rename', 'file:///p/again.mlir', p['line'], p['character'], newName=old)
            assert applied(again, back['documentChanges'][0]['edits']) == program.text, thing
            s.close('file:///p/again.mlir')


def test_refusals():
    program = Marked(PROGRAM)
    refused = [('f.a', 'ab'), ('f.a', '0'), ('f.a', 'a b'), ('f.a', ''), ('f.a', '@x'), ('f.a', '1x'), ('f.a', '%'), ('f.0', 'a'),
               ('one.x', 'a'), ('one.x', 'n'), ('one.x', '0'), ('one.x', 'y'), ('main.a', 'x'), ('main.0', '8'), ('p', '7'),
               ('i', 'v'), ('i', 'c'), ('f', 'main'), ('f', 'S0'), ('S0', 'f'), ('S0', 'S1'), ('bb0', 'bb1'), ('t', 'a.b'),
               ('mod', '7'), ('m', '%m')]
    free = [('f.a', 'n'), ('f.a', '%5'), ('one.x', '5'), ('one.x', '9'), ('one.y', 'i'), ('one.x', 'p'), ('two.y', 'r'),
            ('five', 'x'), ('bb0 two', 'bb1'), ('f', '@g'), ('S0', 'batch'), ('t', 'm'), ('p', '8'), ('f.a', 'a'), ('m', 't'), ('f.a', '-')]
    with Server() as s:
        s.open(URI, program.text)
        for thing, new in refused:
            spot = next(p for p in program.spots[thing] if p[2])
            try:
                on(s, 'rename', program, spot, newName=new)
            except Failed as why:
                assert why.code == REQUEST_FAILED and (not new or new in str(why)), why
            else:
                raise AssertionError('%s may not be called %s' % (thing, new))
        for thing, new in free:
            on(s, 'rename', program, next(p for p in program.spots[thing] if p[2]), newName=new)


def test_type_definition():
    program = Marked(PROGRAM)
    (alias,) = [p for p in program.spots['t'] if p[2]]
    with Server() as s:
        s.open(URI, program.text)
        for thing in ('f.a', 'f.0', 'main.a', 'main.0', 'five', 'five 1', 'six', 'nine', 'seven 1', 't'):
            got = on(s, 'typeDefinition', program, program.spots[thing][0])
            assert got and got['range'] == program.span(alias[0], alias[1]), (thing, got)
        for thing in ('f.ab', 'main.n', 'eight', 'one.x', 'f', 'bb0'):
            assert on(s, 'typeDefinition', program, program.spots[thing][0]) is None, thing


def test_half_typed_texts_keep_their_names():
    """An operation that is cut after any token changes no name outside of it and of what it defines."""
    text = ('func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {\n  %0 = stablehlo.abs %a : tensor<?xf32>\n'
            '  CUT\n  %2 = stablehlo.add %0, %a : tensor<?xf32>\n  return %2 : tensor<?xf32>\n}\n'
            'func.func @g(%a: tensor<?xf32>) -> tensor<?xf32> {\n  return %a : tensor<?xf32>\n}\n')
    for op in ('%1 = stablehlo.add %0, %a {x = [1, 2]} : tensor<?xf32>',
               '%1 = "stablehlo.add"(%0, %a) <{x = array<i64: 1>}> : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>'):
        tokens = re.findall(r'%?[\w.]+|"[^"]*"|->|.', op)
        with Server() as s:
            for n in range(len(tokens)):
                cut = text.replace('CUT', ''.join(tokens[:n]))
                s.open(URI, cut)
                program = Marked('')
                program.text = cut
                for needle, skip, least in (('%a:', 0, 3), ('%2 =', 0, 2), ('%0 =', 0, 2), ('@g(', 0, 1), ('return %a', 7, 2)):
                    p = program.position(cut.index(needle) + skip)
                    got = s.on('references', URI, p['line'], p['character'], context={'includeDeclaration': True})
                    lines = [g['range']['start']['line'] for g in got or []]
                    assert len([line for line in lines if line != 2]) == least, (needle, cut, lines)


def test_formatting():
    """White space from the text alone; a range changes its own lines and nothing else, and as the whole does."""
    options = {'tabSize': 2, 'insertSpaces': True}
    for program in programs():
        loose = Marked('')
        loose.text = re.sub('(?<=[,(]) ?(?=%)', '  ', program.text.replace('  %', '\t%')).replace(' = stable', '=stable')
        with Server() as s:
            whole = {}
            for p in (program, loose):
                s.open(URI, p.text)
                edits = s.on('formatting', URI, options=options)
                whole[p] = applied(p, edits)
                assert re.sub(r'\s', '', whole[p]) == re.sub(r'\s', '', p.text)
                assert whole[p].count('\r') == p.text.count('\r') * (whole[p].count('\n') / p.text.count('\n'))
                last = p.text.count('\n')
                for line in range(0, last, 3):
                    part = s.on('rangeFormatting', URI, options=options, range={'start': {'line': line, 'character': 1},
                                                                              'end': {'line': line, 'character': 3}})
                    assert all(e['range']['start']['line'] == line == e['range']['end']['line'] for e in part), part
                    assert all(e in edits for e in part), part
            assert whole[program] == whole[loose]
            s.open(URI, whole[program])
            assert s.on('formatting', URI, options=options) == []
            for wrong in ({}, {'tabSize': 'x', 'insertSpaces': True}):
                try:
                    s.on('formatting', URI, options=wrong)
                    raise AssertionError(wrong)
                except Failed as why:
                    assert why.code == -32602, why


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
