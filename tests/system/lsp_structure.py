#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The structure of programs in the editor: folding, selection ranges, outline, symbols of the workspace, calls, links.

Reads SHAPE_LSP (default: in build/). At the end every message is held against the protocol's own types. The last line is
`N passed, N failed`.
"""
import os
import pathlib
import sys
import tempfile
import urllib.parse

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
import lsp_types  # noqa: E402
from cases import main  # noqa: E402
from lsp import Failed, Server, span  # noqa: E402

URI = 'file:///p/dir%20a/parts.mlir'
SAID = []
PROGRAM = '''// "😀" one
// two

module @outer {
  func.func private @leaf(%a: tensor<?xf32>) -> tensor<?xf32> { return %a : tensor<?xf32> }
  module {
    func.func @leaf(%a: tensor<?xf32>) -> tensor<?xf32> {
      return %a : tensor<?xf32>
    }
    func.func @inner(%a: tensor<?xf32>) -> tensor<?xf32> {
      %0 = call @leaf(%a) : (tensor<?xf32>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    }
  }
  func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
    // alone
    "o.s"() {n = "😀@leaf"} : () -> () %0 = func.call @leaf(%a) : (tensor<?xf32>) -> tensor<?xf32> loc("model.py":12:7)
    %1 = "stablehlo.reduce_window"(%0, %0) ({
    ^bb0(%s: tensor<f32>, %t: tensor<f32>):
      %2 = "stablehlo.add"(%s, %t) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%2) : (tensor<f32>) -> ()
    }) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> loc(callsite("a b.py":3:1 at "/abs/c.py":4:2))
    %3 = call @leaf(%1) : (tensor<?xf32>) -> tensor<?xf32> loc("no link")
    %4 = stablehlo.custom_call @leaf(%3) : (tensor<?xf32>) -> tensor<?xf32>
    return %4 : tensor<?xf32> // "x.py":1:2
  }
}
'''


class Session(Server):
    def __exit__(self, kind, *rest):
        super().__exit__(kind, *rest)
        SAID.append((self.methods, self.messages))


def texts():
    yield PROGRAM
    yield PROGRAM.replace('\n', '\r\n')


def spot(text, needle, skip=0, nth=0):
    """Line and character of the nth piece of the text."""
    at = -1
    for _ in range(nth + 1):
        at = text.index(needle, at + 1)
    at += skip
    return text.count('\n', 0, at), len(text[text.rfind('\n', 0, at) + 1:at].encode('utf-16-le')) // 2


def piece(text, range_):
    lines = text.split('\n')
    def offset(p):
        head = lines[p['line']].encode('utf-16-le')[:2 * p['character']].decode('utf-16-le')
        return sum(len(line) + 1 for line in lines[:p['line']]) + len(head)
    return text[offset(range_['start']):offset(range_['end'])]


def fails(code, function, *arguments, **named):
    try:
        result = function(*arguments, **named)
    except Failed as why:
        assert why.code == code, why
    else:
        raise AssertionError('no error but %r' % (result,))


def test_folding():
    with Session() as s:
        for text in texts():
            s.open(URI, text)
            folds = sorted((f['startLine'], f['endLine'], f.get('kind')) for f in s.on('foldingRange', URI))
            assert folds == [(0, 1, 'comment'), (3, 25, None), (5, 12, None), (6, 7, None), (9, 11, None), (14, 24, None),
                             (17, 20, None)], folds


def test_selection_ranges():
    with Session() as s:
        for text in texts():
            s.open(URI, text)
            spots = [spot(text, '%s, %t)', 1), spot(text, '// alone', 4)]
            got = s.on('selectionRange', URI, positions=[{'line': line, 'character': c} for line, c in spots])
            chains = []
            for item in got:
                chain = []
                while item:
                    chain.append(piece(text, item['range']))
                    item = item.get('parent')
                assert all(a in b and len(a) < len(b) for a, b in zip(chain, chain[1:])), chain
                chains.append(chain)
            name, operation, body, outer, function_body, function, module_body, module, whole = chains[0]
            assert name == '%s' and operation.startswith('%2 = ') and operation.endswith('-> tensor<f32>'), chains[0]
            assert body.startswith('{') and body.endswith('}') and outer.startswith('%1 = '), chains[0]
            assert function_body.startswith('{') and function.startswith('func.func @main') and function.endswith('}')
            assert module_body.startswith('{') and module.startswith('module @outer') and whole == text
            assert chains[1] == [function_body, function, module_body, module, whole], chains[1]
        fails(-32602, s.ask, 'textDocument/selectionRange', {'textDocument': {'uri': URI}})
        fails(-32602, s.on, 'selectionRange', URI, positions=[{'line': 1}])


def test_outline():
    with Session() as s:
        for text in texts():
            s.open(URI, text)
            (outer,) = s.on('documentSymbol', URI)
            shown = [(c['name'], c['kind'], [k['name'] for k in c['children']]) for c in outer['children']]
            assert shown == [('leaf', 12, ['%a']), ('module', 2, ['leaf', 'inner']), ('main', 12, ['%a'])], shown
            assert piece(text, outer['range']).endswith('}') and piece(text, outer['selectionRange']) == '@outer', outer
            main_ = outer['children'][2]
            assert piece(text, main_['range']).startswith('func.func @main') and piece(text, main_['selectionRange']) == '@main'


def test_workspace_symbols():
    with tempfile.TemporaryDirectory(prefix='a b') as folder:
        root = pathlib.Path(folder)
        (root / 'sub').mkdir()
        (root / '.hidden').mkdir()
        for name, function in (('sub/one.mlir', 'file_one'), ('two.mlir', 'file_two'), ('.hidden/no.mlir', 'file_no'), ('no.txt', 'file_no')):
            (root / name).write_text('func.func @%s() { return }\n' % function, encoding='utf-8')
        with Session(start=False) as s:
            s.ask('initialize', {'processId': None, 'rootUri': None, 'capabilities': {},
                                 'workspaceFolders': [{'uri': root.as_uri(), 'name': 'w'}]})
            s.notify('initialized', {})
            s.open(URI, PROGRAM)
            s.open((root / 'two.mlir').as_uri(), '// 😀\nfunc.func @file_open() { return }\n')
            for query, names in (('leaf', ['leaf', 'leaf']), ('FILE', ['file_one', 'file_open']), ('nothing', []),
                                 ('', ['file_one', 'file_open', 'inner', 'leaf', 'leaf', 'main'])):
                got = s.ask('workspace/symbol', {'query': query})
                assert sorted(g['name'] for g in got) == names, (query, got)
            (one,) = s.ask('workspace/symbol', {'query': 'one'})
            assert one['location'] == {'uri': (root / 'sub' / 'one.mlir').as_uri(), 'range': span(0, 10, 0, 19)}, one
            (leaf, _) = s.ask('workspace/symbol', {'query': 'leaf'})
            assert leaf['containerName'] == 'outer', leaf
            s.notify('workspace/didChangeWorkspaceFolders',
                     {'event': {'added': [], 'removed': [{'uri': root.as_uri(), 'name': 'w'}]}})
            assert s.ask('workspace/symbol', {'query': 'one'}) == []
            fails(-32602, s.ask, 'workspace/symbol', {})


def test_texts_of_models():
    model = pathlib.Path(ROOT) / 'tests' / 'golden' / 'check' / 'torch-export' / 'model.pt2'
    with Session() as s:
        assert s.capabilities['workspace']['textDocumentContent'] == {'schemes': ['shaped']}
        text = s.ask('workspace/textDocumentContent', {'uri': model.as_uri().replace('file:', 'shaped:')})['text']
        assert 'function' in text and '[' in text, text
        # A URI without an authority is the same one, with // and without (RFC 3986, section 3; clients of VS Code write it so).
        assert s.ask('workspace/textDocumentContent', {'uri': 'shaped:' + urllib.parse.quote(str(model))})['text'] == text
        for uri in model.as_uri(), 'shaped:', 'shaped:model.pt2', 'shaped://host':
            fails(-32602, s.ask, 'workspace/textDocumentContent', {'uri': uri})
        fails(-32803, s.ask, 'workspace/textDocumentContent', {'uri': 'shaped:///no/such.onnx'})


def test_calls():
    with Session() as s:
        for text in texts():
            s.open(URI, text)
            (leaf,) = s.on('prepareCallHierarchy', URI, *spot(text, 'func.call @leaf', 12))
            assert leaf['name'] == 'leaf' and piece(text, leaf['range']).startswith('func.func private @leaf'), leaf
            (call,) = s.ask('callHierarchy/incomingCalls', {'item': leaf})
            assert call['from']['name'] == 'main', call
            starts = sorted((r['start']['line'], r['start']['character']) for r in call['fromRanges'])
            assert starts == [spot(text, 'func.call @leaf', 10), spot(text, 'call @leaf(%1', 5)], starts
            (same,) = s.on('prepareCallHierarchy', URI, *spot(text, '@main', 2))
            (out,) = s.ask('callHierarchy/outgoingCalls', {'item': same})
            assert out['to'] == leaf and len(out['fromRanges']) == 2, out
            assert s.ask('callHierarchy/incomingCalls', {'item': same}) == []
            (inner,) = s.on('prepareCallHierarchy', URI, *spot(text, '@inner', 2))
            (out,) = s.ask('callHierarchy/outgoingCalls', {'item': inner})
            assert out['to']['range']['start']['line'] == 6, out
            assert s.on('prepareCallHierarchy', URI, *spot(text, 'custom_call @leaf', 14)) is None
            assert s.on('prepareCallHierarchy', URI, *spot(text, '%1 =')) is None
            fails(-32602, s.ask, 'callHierarchy/incomingCalls', {})
            s.change(URI, {'text': text})
            fails(-32801, s.ask, 'callHierarchy/incomingCalls', {'item': leaf})


def test_links():
    with Session() as s:
        for text in texts():
            s.open(URI, text)
            links = [(piece(text, link['range']), link['target']) for link in s.on('documentLink', URI)]
            assert links == [('"model.py":12:7', 'file:///p/dir%20a/model.py#L12,7'),
                             ('"a b.py":3:1', 'file:///p/dir%20a/a%20b.py#L3,1'), ('"/abs/c.py":4:2', 'file:///abs/c.py#L4,2')], links


def test_messages_are_those_of_the_protocol():
    lsp_types.check(SAID)


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
