#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the editor offers while a program is typed: completion and signature help, on programs in which all that is in scope is
known.

Reads SHAPE_LSP and SHAPE (default: in build/). A program has one | where the cursor is. Each runs as it is, with \\r\\n, and after
letters beyond the BMP. At the end every message is held against the protocol's own types. The last line is
`N passed, N failed`.
"""
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
import lsp_types  # noqa: E402
from cases import main  # noqa: E402
from lsp import Failed, Server  # noqa: E402
from shaped import SHAPE  # noqa: E402

URI = 'file:///p/typed.mlir'
SAID = []
SNIPPETS = {'textDocument': {'completion': {'completionItem': {'snippetSupport': True}}}}
OFFSETS = {'textDocument': {'signatureHelp': {'signatureInformation': {'parameterInformation': {'labelOffsetSupport': True}}}}}
PROGRAM = '''// "größe" 😀 %no @no ^no
!t = tensor<?x4xf32>
#map = affine_map<(d0) -> (d0)>
"disc_shape.SymbolicDim"() {sym_name = "S0", value = -1 : i64} : () -> ()
func.func private @g(%a: tensor<4xf32>, %ab: !t) -> !t {
  %only = stablehlo.abs %ab : !t
  return %only : !t
}
func.func @f(%a: tensor<4xf32>, %b: !t, %c: tensor<?x4xf32, [@S0, @S0]>) -> tensor<4xf32> attributes {n = "%no 😀"} {
  %5:2 = "o.two"(%a) ({
  ^bb0(%x: tensor<f32>):
    %y = stablehlo.abs %x : tensor<f32>
    INNER
    "o.e"(%y) : (tensor<f32>) -> ()
  }, {
  ^bb0(%x: tensor<f32>):
    %z = stablehlo.abs %x : tensor<f32>
    "o.e"(%z) : (tensor<f32>) -> ()
  }) : (tensor<4xf32>) -> (tensor<4xf32>, !t)
  CUT
  %late = stablehlo.abs %a : tensor<4xf32>
  return %a : tensor<4xf32>
}
'''
BLOCKS = '''func.func @f(%a: tensor<4xf32>, %p: i1) -> tensor<4xf32> {
  %0 = stablehlo.abs %a : tensor<4xf32>
  cf.cond_br %p, ^left(%a : tensor<4xf32>), ^right
^left(%l: tensor<4xf32>):
  %1 = stablehlo.abs %l : tensor<4xf32>
  cf.br ^end(%1 : tensor<4xf32>)
^right:
  %2 = stablehlo.abs %0 : tensor<4xf32>
  cf.br ^end(%2 : tensor<4xf32>)
^end(%e: tensor<4xf32>):
  %3 = stablehlo.abs %| : tensor<4xf32>
  return %3 : tensor<4xf32>
}
'''


class Session(Server):
    def __exit__(self, kind, *rest):
        super().__exit__(kind, *rest)
        SAID.append((self.methods, self.messages))


def program(cut='', inner=''):
    return PROGRAM.replace('CUT', cut).replace('INNER', inner)


def spot(text, offset):
    head = text[:offset]
    return head.count('\n'), len(head[head.rfind('\n') + 1:].encode('utf-16-le')) // 2


def variants(text):
    yield text
    yield text.replace('\n', '\r\n')
    line = text.rfind('\n', 0, text.index('|')) + 1
    indent = line
    while text[indent] == ' ':
        indent += 1
    if text[indent] not in '^':
        yield text[:indent] + '"o.s"() {n = "😀ü"} : () -> () ' + text[indent:]


def offset_of(text, position):
    lines = text.split('\n')
    head = lines[position['line']].encode('utf-16-le')[:2 * position['character']].decode('utf-16-le')
    return sum(len(line) + 1 for line in lines[:position['line']]) + len(head)


def inserted(text, item):
    edit = item['textEdit']
    begin, end = offset_of(text, edit['range']['start']), offset_of(text, edit['range']['end'])
    return text[:begin] + edit['newText'] + text[end:]


def ask(s, marked, method='completion'):
    """(text, answer), for a program with one mark."""
    at = marked.index('|')
    text = marked[:at] + marked[at + 1:]
    s.open(URI, text)
    return text, s.on(method, URI, *spot(text, at))


def offered(s, marked):
    text, got = ask(s, marked)
    items = sorted(got['items'], key=lambda item: item['sortText'])
    at = marked.index('|')
    for item in items:
        edit = item['textEdit']
        begin, end = offset_of(text, edit['range']['start']), offset_of(text, edit['range']['end'])
        assert begin <= at <= end, (marked, item)
        assert '\n' not in text[begin:end] and not set(' (,') & set(text[begin:end]), (text[begin:end], item)
    return text, items


def labels(s, marked):
    return [item['label'] for item in offered(s, marked)[1]]


def test_capabilities():
    with Session() as s:
        assert set(s.capabilities['completionProvider']['triggerCharacters']) == set('%@^!#."{<'), s.capabilities
        assert s.capabilities['completionProvider']['resolveProvider'] is True
        assert s.capabilities['signatureHelpProvider']['triggerCharacters'] == ['(', ',']


def test_values_in_scope():
    outer = {'%a', '%b', '%c', '%5#0', '%5#1'}
    with Session() as s:
        for cut in ('%0 = stablehlo.add %|', '%0 = stablehlo.add %a, %|', '%0 = "stablehlo.add"(%a, %|)', '"o.x"(%|) : (!t) -> ()',
                    '%0 = stablehlo.add %5#|', '%0 = stablehlo.add %a|, %b : !t', '%0:2 = "o.x"(%a, %5|#1) : (!t, !t) -> (!t, !t)'):
            for text in variants(program(cut)):
                got = labels(s, text)
                assert set(got) == outer and len(got) == len(outer), (cut, got)
        for inner in ('%0 = stablehlo.add %|', '"o.e"(%|'):
            for text in variants(program(inner=inner)):
                got = labels(s, text)
                assert set(got) == {'%a', '%b', '%c', '%x', '%y'}, (inner, got)
        for text in variants(BLOCKS):
            assert set(labels(s, text)) == {'%a', '%p', '%0', '%e'}
        left = BLOCKS.replace('abs %|', 'abs %e').replace('abs %l', 'abs %|')
        assert set(labels(s, left)) == {'%a', '%p', '%0', '%l'}


def test_values_that_fit_come_first():
    with Session() as s:
        for cut, first in (('%0 = "stablehlo.add"(%a, %|) : (tensor<4xf32>, !t) -> !t', {'%b', '%5#1'}),
                           ('%0 = stablehlo.add %|, %c : tensor<4xf32>', {'%a', '%5#0'}),
                           ('%0 = stablehlo.add %b, %|', {'%b', '%5#1'}),
                           ('%0 = call @g(%a, %|', {'%b', '%5#1'})):
            got = labels(s, program(cut))
            assert set(got[:2]) == first, (cut, got)


def test_nothing_where_nothing_can_be():
    with Session() as s:
        for cut in ('// %|', '// stablehlo.|', '%0 = "o.x"() {n = "%|"} : () -> ()', '%|', '^|', 'stablehlo.custom_call @|',
                    '%0 = "o.x"() {n = "stablehlo.|"} : () -> ()'):
            assert labels(s, program(cut)) == [], cut
            assert ask(s, program(cut), 'signatureHelp')[1] is None, cut
        assert labels(s, program('}\nfunc.func @|')) == []


def test_operations():
    with Session() as s:
        known = {json.loads(line)['name'] for line in
                 subprocess.run([SHAPE, 'ops', '--json'], stdout=subprocess.PIPE, check=True).stdout.decode().split('\n') if line}
        assert known <= set(labels(s, program('|'))) and known <= set(labels(s, program('%0 = "|')))
        for cut, name, line in (('%0 = stablehlo.dynamic_res|', 'stablehlo.dynamic_reshape', '  %0 = stablehlo.dynamic_reshape'),
                                ('shape.cstr_e|', 'shape.cstr_eq', '  shape.cstr_eq'),
                                ('%0, %1 = "stablehlo.tr|"(%a)', 'stablehlo.transpose', '  %0, %1 = "stablehlo.transpose"(%a)'),
                                ('%0 = "stablehlo.tr|', 'stablehlo.transpose', '  %0 = "stablehlo.transpose"'),
                                ('%0 = stablehlo.ad|d %a, %a : tensor<4xf32>', 'stablehlo.add', '  %0 = stablehlo.add %a, %a : tensor<4xf32>'),
                                ('mhlo.tan|', 'mhlo.tanh', '  mhlo.tanh'), ('ret|', 'return', '  return')):
            for marked in variants(program(cut)) if '.' in cut else [program(cut)]:
                text, items = offered(s, marked)
                item = next(i for i in items if i['label'] == name)
                assert line.strip() in [part.strip()[-len(line.strip()):] for part in inserted(text, item).split('\n')], (cut, item)
                documentation = s.ask('completionItem/resolve', item)['documentation']['value']
                assert name.split('.')[-1] in documentation, documentation
        text, items = offered(s, program('%0 = stablehlo.compar|'))
        said = s.ask('completionItem/resolve', items[0])['documentation']['value']
        for part in ('`lhs`', '`comparison_direction`', '`LT`', 'https://openxla.org/stablehlo/spec#compare'):
            assert part in said, said
        assert not any(i.get('insertTextFormat') == 2 for i in items)
    with Session(capabilities=SNIPPETS) as s:
        (whole,) = [i for i in offered(s, program('%0 = stablehlo.compar|'))[1] if i.get('insertTextFormat') == 2]
        new = whole['textEdit']['newText']
        assert new.startswith('"stablehlo.compare"(${1:%lhs}, ${2:%rhs}) <{comparison_direction = ') and 'LT' in new, new


def test_attributes():
    with Session() as s:
        for cut in ('%0 = "stablehlo.compare"(%a, %a) <{|', '%0 = "stablehlo.compare"(%a, %a) {|}', '%0 = "stablehlo.compare"(%a, %a) {comp|'):
            got = labels(s, program(cut))
            assert {'comparison_direction', 'compare_type', 'comparison_direction = #stablehlo<comparison_direction LT>'} <= set(got), got
        got = labels(s, program('%0 = "stablehlo.compare"(%a, %a) <{compare_type = #stablehlo<comparison_type SIGNED>, |}>'))
        assert 'comparison_direction' in got and 'compare_type' not in got, got
        got = labels(s, program('%0 = "stablehlo.pad"(%a, %a) <{edge_padding_low = array<i64: 1>, |'))
        assert got == ['edge_padding_high', 'interior_padding'], got
        assert labels(s, program('%0 = "stablehlo.pad"(%a, %a) <{x = {|')) == []
        values = ['EQ', 'NE', 'GE', 'GT', 'LE', 'LT']
        for cut in ('%0 = stablehlo.compare L|', '%0 = stablehlo.compare L|, %a, %a : (!t, !t) -> !t',
                    '%0 = "stablehlo.compare"(%a, %a) <{comparison_direction = #stablehlo<comparison_direction |'):
            got = labels(s, program(cut))
            assert got == values, (cut, got)
        assert set(values) < set(labels(s, program('%0 = stablehlo.compare |')))
        assert labels(s, program('%0 = stablehlo.fft %a, type = |')) == ['FFT', 'IFFT', 'RFFT', 'IRFFT']
        got = labels(s, program('%0 = "stablehlo.compare"(%a, %a) <{comparison_direction = |'))
        assert got == ['#stablehlo<comparison_direction %s>' % v for v in values], got


def test_names():
    with Session() as s:
        assert set(labels(s, program('%0 = call @|'))) == {'@f', '@g'}
        assert labels(s, program('%0 = stablehlo.abs %c : tensor<?x4xf32, [@|')) == ['@S0']
        assert labels(s, program('%0 = stablehlo.abs %b : !|')) == ['!t']
        assert labels(s, program('"o.x"() {m = #|} : () -> ()')) == ['#map']
        assert set(labels(s, BLOCKS.replace('%|', '%e').replace('br ^end(%2', 'br ^|(%2'))) == {'^left', '^right', '^end'}
        item = offered(s, program('%0 = call @|'))[1][0]
        assert 'func' in s.ask('completionItem/resolve', item)['documentation']['value']


def test_types():
    with Session() as s:
        for cut, wanted in (('%0 = stablehlo.add %a, %a : |', 'tensor<4xf32>'), ('%0 = "stablehlo.add"(%b, %b) : |', '(!t, !t) -> !t'),
                            ('%0 = stablehlo.transpose %b, dims = [1, 0] : |', '(!t) -> tensor<4x?xf32>'),
                            ('%0 = stablehlo.compare LT, %a, %a : |', '(tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>'),
                            ('%0 = stablehlo.transpose %b, dims = [1, 0] : (!t) -> |', 'tensor<4x?xf32>'),
                            ('%0 = stablehlo.transpose %b, dims = [1, 0] : (|', '!t'),
                            ('%0 = call @g(%a, %b) : |', '(tensor<4xf32>, !t) -> !t'),
                            ('%0 = stablehlo.concatenate %a, %5#0, dim = 0 : |', '(tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>')):
            for marked in variants(program(cut)):
                got = labels(s, marked)
                assert got and got[0] == wanted, (cut, got)
        assert 'tensor<4xf32>' in labels(s, program('}\nfunc.func @h(%q: |'))


def test_signatures():
    def shown(cut, capabilities=None):
        with Session(capabilities=capabilities) as s:
            for marked in variants(program(cut)):
                got = ask(s, marked, 'signatureHelp')[1]
            if got is None:
                return None
            (signature,) = got['signatures']
            names = [p['label'] if isinstance(p['label'], str) else signature['label'][p['label'][0]:p['label'][1]]
                     for p in signature['parameters']]
            return names, got['activeParameter']
    for cut, wanted in (('%0 = stablehlo.add |', (['lhs', 'rhs'], 0)), ('%0 = stablehlo.add %a, |', (['lhs', 'rhs'], 1)),
                        ('%0 = stablehlo.add %|a, %b : !t', (['lhs', 'rhs'], 0)), ('%0 = stablehlo.add %a, %b| : !t', (['lhs', 'rhs'], 1)),
                        ('%0 = stablehlo.compare LT, %a, |', (['lhs', 'rhs'], 1)),
                        ('%0 = "stablehlo.pad"(|', (['operand', 'padding_value'], 0)),
                        ('%0 = "stablehlo.pad"(%a,|', (['operand', 'padding_value'], 1)), ('%0 = "stablehlo.pad"(%a, %a)|', None),
                        ('%0 = stablehlo.pad %a, %a, low = [|', None), ('%0 = stablehlo.add %a, %a : (|', None),
                        ('%0 = stablehlo.reduce(%a init: |', (['inputs...', 'init_values...'], 1)),
                        ('%0 = "torch.aten.cat"(%a, |', (['tensors', 'dim'], 1)),
                        ('%0 = call @g(|', (['%a: tensor<4xf32>', '%ab: !t'], 0)),
                        ('%0 = func.call @g(%a, |%b) : (tensor<4xf32>, !t) -> !t', (['%a: tensor<4xf32>', '%ab: !t'], 1)),
                        ('// stablehlo.add(|', None), ('%0 = "o.x"() {n = "stablehlo.add(|"} : () -> ()', None)):
        assert shown(cut) == wanted, (cut, shown(cut))
        assert shown(cut, OFFSETS) == wanted, cut


def test_invalid_params():
    with Session() as s:
        s.open(URI, program('%0'))
        for method, params in (('textDocument/completion', {'textDocument': {'uri': URI}}),
                               ('textDocument/completion', {'textDocument': {'uri': URI}, 'position': {'line': 'x', 'character': 0}}),
                               ('textDocument/signatureHelp', {'position': {'line': 0, 'character': 0}}),
                               ('completionItem/resolve', {'kind': 1})):
            try:
                got = s.ask(method, params)
            except Failed as why:
                assert why.code == -32602, why
            else:
                raise AssertionError(got)


def test_messages_are_those_of_the_protocol():
    lsp_types.check(SAID)


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
