#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The language server as editors meet it: real processes over stdio. Reads SHAPE_LSP, SHAPE, SHAPED (default: in build/).

The last line is `N passed, N failed`. Arguments: words; only tests whose names contain one of them run. At the end every
message of these tests, both ways, is held against the protocol's own types (tests/support/lsp_types.py).
"""
import os
import pathlib
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
import lsp_types  # noqa: E402
from lsp import PATIENCE, Failed, label, shown, span  # noqa: E402
from cases import Skipped, main  # noqa: E402
from lsp_session import ADD, ADD_OF_SOURCE, CONFLICT, DECLARED, HEADS, SAID, THREE, URI, Session, applied, at, checked, fails  # noqa: E402
from shaped import Daemon, long_program  # noqa: E402


# --- the life of a server

def test_a_life():
    with Session(start=False) as s:
        fails(-32002, s.ask, 'textDocument/hover', {'textDocument': {'uri': URI}, 'position': {'line': 0, 'character': 0}})
        s.ask('initialize', {'processId': None, 'rootUri': None, 'capabilities': {}})
        fails(-32600, s.ask, 'initialize', {'processId': None, 'rootUri': None, 'capabilities': {}})
        s.notify('initialized', {})
        fails(-32601, s.ask, 'no/such', None)
        s.notify('$/unknown', {})
        fails(-32602, s.on, 'hover', URI, 0, 0)  # not open
        s.open(URI, ADD)
        fails(-32602, s.ask, 'textDocument/hover', {'textDocument': {'uri': URI}})
        fails(-32602, s.ask, 'textDocument/inlayHint', {'textDocument': {'uri': URI}, 'range': {'start': 1}})
        assert s.on('hover', URI, 1, 2)['contents']['kind'] == 'plaintext'
        s.ask('shutdown', None)
        fails(-32600, s.on, 'hover', URI, 1, 2)
        s.notify('exit', None)
        assert s.process.wait(60) == 0


def test_exit_without_shutdown():
    with Session() as s:
        s.notify('exit', None)
        assert s.process.wait(60) == 1


def test_messages_that_make_no_sense():
    with Session() as s:
        for data in (b'{', b'[]', b'null', b'{"a": 1, "a": 2}', b'"\xff"', b'{}'):
            s.raw(data)
            assert s.step()['error']['code'] in (-32700, -32600), data
        s.replies.clear()
        s.open(URI, ADD)
        for change in ({'text': 5}, {'range': 1, 'text': 'x'}):
            s.change(URI, change)
            while s.step()['method'] != 'window/showMessage':
                pass
            s.open(URI, ADD)  # it was given up, and comes back
        assert len(s.hints(URI)) == 3
        # Beyond the end, the wrong way round, negative: locations are what the protocol makes of them.
        s.change(URI, {'range': span(100, 5, 200, 7), 'text': '// end'})
        assert shown(s.hints(URI))


def test_options():
    for arguments, status in ((['--help'], 0), (['--version'], 0), (['--nonsense'], 2), (['--connect'], 2), (['file'], 2)):
        done = subprocess.run([os.environ.get('SHAPE_LSP', os.path.join(ROOT, 'build', 'shape-lsp')), *arguments],
                              stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=60)
        assert done.returncode == status, (arguments, done)
        assert done.stdout if status == 0 else done.stderr


def test_a_text_with_what_json_can_only_escape():
    with Session() as s:
        s.open(URI, ADD)
        for line in ('// \\u0000 \\ud83d \\udc00\\ud83d \\ud83d\\ude00 \\\\u0000', '// \\udfff'):
            s.raw(('{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {"textDocument": {"uri": "%s", "version": 7}, '
                   '"contentChanges": [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, '
                   '"text": "%s\\n"}]}}' % (URI, line)).encode())
        lines = [h['position']['line'] for h in s.hints(URI)]
        assert lines == [2, 2, 3], lines


# --- pulled diagnostics

def test_diagnostics_are_pulled():
    pulls = {'textDocument': {'diagnostic': {}}}
    unknown = '  "%s.x"(%%a) : (tensor<3xf32>) -> ()\n'
    text = CONFLICT.replace('  return', ''.join(unknown % d for d in ('foo', 'foo.y', 'bar', 'foo')) + '  return')
    with Session(capabilities=pulls) as s:
        assert s.capabilities['diagnosticProvider']['interFileDependencies'] is False
        s.open(URI, text)
        got = s.on('diagnostic', URI)
        assert got['kind'] == 'full' and [d['severity'] for d in got['items']].count(1) == 1, got
        notes = [d for d in got['items'] if d['severity'] == 3]
        assert [(d['message'].split(':')[0], d['range']['start']['line']) for d in notes] == [('foo', 2), ('bar', 4)], notes
        again = s.on('diagnostic', URI, previousResultId=got['resultId'])
        assert again == {'kind': 'unchanged', 'resultId': got['resultId']}, again
        s.change(URI, {'text': text.replace('tensor<4xf32>', 'tensor<3xf32>')})
        got = s.on('diagnostic', URI, previousResultId=got['resultId'])
        assert got['kind'] == 'full' and not [d for d in got['items'] if d['severity'] == 1], got
        fails(-32602, s.ask, 'textDocument/diagnostic', {})
        s.close(URI)
        fails(-32602, s.on, 'diagnostic', URI)
        assert not s.notes, s.notes
    refreshed = {'workspace': {'diagnostics': {'refreshSupport': True}}, **pulls}
    with Session(capabilities=refreshed) as s:
        s.answers = {'workspace/diagnostic/refresh': None}
        s.notify('workspace/didChangeConfiguration', {'settings': {'shaped': {'assume': ['arg0.0 >= 1']}}})
        while not any(r['method'] == 'workspace/diagnostic/refresh' for r in s.requests):
            s.step()


# --- hints

def test_hints_show_dims():
    with Session() as s:
        s.open(URI, HEADS)
        got = shown(s.hints(URI))
        assert got == [(2, 23, '[S0, S1, 768]'), (2, 51, '[S2, S3]'), (9, 4, '[S0, S3, 12, 64]')], got
        assert shown(s.hints(URI, 5, 11)) == got[2:]
        whole = s.ask('inlayHint/resolve', s.hints(URI)[2])
        assert 'dim 1' in whole['tooltip']['value'] and 'line 5' in whole['tooltip']['value'], whole
        part = [p for p in whole['label'] if p['value'] == 'S3'][0]
        line, character = at(HEADS, '%mask: tensor<?x', len('%mask: tensor<?x'))
        assert part['location']['range']['start'] == {'line': line, 'character': character}, part


def test_hints_inform():
    """By default: dims that no operand has and that are not written, one hint a line, and none where nothing is known."""
    same = 'func.func @same(%a: tensor<?x4xf32>, %b: tensor<?xf32>) -> tensor<?x4xf32> {\n' \
           '  %0 = stablehlo.abs %a : tensor<?x4xf32>\n  return %0 : tensor<?x4xf32>\n}\n'
    with Session(options={'hints': 'changes'}) as s:
        for text, wanted in ((HEADS, [(2, 51, '%tokens [S0, S1, 768], %mask [S2, S3]'), (9, 4, '[S0, S3, 12, 64]')]),
                             (same, []), (ADD, [(0, 39, '%a [8, 4], %b [8, 4]')]),
                             (same.replace('abs %a :', 'transpose %a, dims = [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32> //'),
                              [(0, 39, '%a [S0, 4], %b [S1]'), (1, 4, '[4, S0]')]), (DECLARED, [(2, 4, '[2*batch, 4]')])):
            s.open(URI, text)
            hints = s.hints(URI)
            got = shown(hints)
            assert got == wanted, (text, got)
            assert shown(s.ask('inlayHint/resolve', h) for h in hints) == got
            assert all(s.ask('inlayHint/resolve', h)['tooltip']['value'] for h in hints)
            assert [h for n in range(text.count('\n')) for h in shown(s.on('inlayHint', URI, range=span(n, 0, n, 999)))] == got


def test_hints_write_types():
    text = ADD
    with Session() as s:
        s.open(URI, text)
        hints = s.hints(URI)
        assert [label(h) for h in hints] == ['[8, 4]', '[8, 4]', '[8, 4]'], hints
        # One after the other, as a user would click on them; each leaves a program that is right.
        while True:
            whole = [s.ask('inlayHint/resolve', h) for h in s.hints(URI)]
            whole = [h for h in whole if h.get('textEdits')]
            if not whole:
                break
            text = applied(text, whole[0]['textEdits'])
            assert checked(text)['status'] == 'ok', text
            s.change(URI, {'text': text})
        assert '?' not in text, text


def test_settings_choose_hints():
    text = THREE.replace('-> tensor<2x?xf32> {', '-> tensor<2x?xf32> {\n  %c = stablehlo.constant dense<1.0> : tensor<3xf32>')
    counts = {}
    for which in ('everywhere', 'dynamic', 'changes', 'off'):
        with Session(options={'hints': which}) as s:
            s.open(URI, text)
            counts[which] = len(s.hints(URI))
    assert counts['everywhere'] == counts['dynamic'] + 1 and counts['off'] == 0 and 0 < counts['changes'] < counts['dynamic'], counts
    with Session(options={'shaped': {'hints': 'dynamic', 'hintForm': 'type'}}) as s:
        s.open(URI, ADD)
        assert [label(h) for h in s.hints(URI)] == ['tensor<8x4xf32>'] * 3


def test_codes_link_to_the_manual():
    with Session(options={'shaped': {'manual': 'https://docs.example/m'}}) as s:
        s.open(URI, CONFLICT)
        (wrong,) = s.diagnostics(URI)
        assert wrong['codeDescription'] == {'href': 'https://docs.example/m/reference/diagnostics/%s.html' % wrong['code']}, wrong
        s.open(URI + '2', ADD.replace('stablehlo.add', 'stablehlo.add 1'))
        (wrong,) = s.diagnostics(URI + '2')
        assert wrong['codeDescription']['href'].endswith('/%s.html' % wrong['code']), wrong


def test_settings_are_asked_for():
    capabilities = {'workspace': {'configuration': True, 'inlayHint': {'refreshSupport': True}}}
    with Session(capabilities=capabilities, start=False) as s:
        s.answers = {'workspace/configuration': lambda p: [{'hints': 'off', 'guards': False} for _ in p['items']],
                     'workspace/inlayHint/refresh': None}
        s.ask('initialize', {'processId': None, 'rootUri': None, 'capabilities': capabilities})
        s.notify('initialized', {})
        while not any(r['method'] == 'workspace/inlayHint/refresh' for r in s.requests):
            s.step()
        s.open(URI, HEADS)
        assert s.hints(URI) == [] and s.diagnostics(URI) == []
        s.answers['workspace/configuration'] = lambda p: [{'hints': 'everywhere'}]
        s.requests.clear()
        s.notify('workspace/didChangeConfiguration', {'settings': None})
        while not any(r['method'] == 'workspace/inlayHint/refresh' for r in s.requests):
            s.step()
        assert len(s.hints(URI)) > 3
    with Session() as s:
        s.open(URI, HEADS)
        s.notify('workspace/didChangeConfiguration', {'settings': {'shaped': {'hints': 'some'}}})
        while s.step().get('method') != 'window/logMessage':
            pass
        s.notify('workspace/didChangeConfiguration', {'settings': {'shaped': {'assume': ['arg0.0 >= 1']}}})
        assert label(s.hints(URI)[2]) == '[S0, S1, 12, 64]'


def test_encodings():
    text = '// 😀 ü\nfunc.func @main(%a: tensor<?xf32>) -> tensor<?xf32> attributes {n = "😀ü"} {\n' \
           '  "t.u"(%a) {n = "😀ü"} : (tensor<?xf32>) -> () %0 = stablehlo.abs %a : tensor<?xf32>\n' \
           '  return %0 : tensor<?xf32>\n}\n'
    lines = text.split('\n')
    for offered, chosen, measure in ((['utf-8'], 'utf-8', lambda t: len(t.encode())), (None, 'utf-16', None),
                                     (['utf-16', 'utf-8'], 'utf-8', lambda t: len(t.encode())),
                                     (['utf-32'], 'utf-32', len), (['utf-7'], 'utf-16', None)):
        measure = measure or (lambda t: len(t.encode('utf-16-le')) // 2)
        with Session(start=False) as s:
            general = {} if offered is None else {'general': {'positionEncodings': offered}}
            got = s.ask('initialize', {'processId': None, 'rootUri': None, 'capabilities': general,
                                       'initializationOptions': {'hints': 'dynamic'}})
            assert got['capabilities']['positionEncoding'] == chosen, got
            s.notify('initialized', {})
            s.open(URI, text)
            last = s.hints(URI)[-1]['position']
            line = lines[last['line']]
            assert last['character'] == measure(line[:line.index('%0') + 2]), (chosen, last)


# --- hover, definition, highlight

def test_hover():
    with Session() as s:
        s.open(URI, HEADS)
        said = s.on('hover', URI, *at(HEADS, '%0'))['contents']['value']
        for part in ('tensor<?x?x12x64xf32>', '`S3`', 'dim 1 of argument 1', '%shape[1] == arg1.1', 'S0*S1 == S0*S3', '#L9,3)'):
            assert part in said, (part, said)
        assert 'dim 0 is `S2`' in s.on('hover', URI, *at(HEADS, '%mask: tensor<?', 14))['contents']['value']
        assert 'guard' in s.on('hover', URI, *at(HEADS, '@main', 1))['contents']['value']
        assert '(%tokens: [S0, S1, 768], %mask: [S2, S3]) -> ([S0, S3, 12, 64])' in s.on('hover', URI, *at(HEADS, '@main', 1))['contents']['value']
        assert '`3072*S0*S3`' in said, said
        flow = s.on('hover', URI, *at(HEADS, '%mask: tensor<?x', 16))['contents']['value']
        assert 'Flows to `%0` dim 1' in flow and '0..' in flow, flow
        named = s.on('hover', URI, *at(HEADS, 'stablehlo.dynamic_reshape', 3))
        for part in ('`output_shape`', '2 operands', 'https://openxla.org/stablehlo/spec#dynamic_reshape'):
            assert part in named['contents']['value'], named
        assert named['range']['end']['character'] - named['range']['start']['character'] == len('stablehlo.dynamic_reshape')
        assert s.on('hover', URI, 0, 0) is None and s.on('hover', URI, 1 << 20, 1 << 20) is None
        s.open(URI, DECLARED)
        said = s.on('hover', URI, *at(DECLARED, '@batch, @C4]>)', 2))['contents']['value']
        for part in ('8..64', 'divisible by `8`', 'likely `8, 16`'):
            assert part in said, (part, said)
        said = s.on('hover', URI, *at(DECLARED, '%0'))['contents']['value']
        for part in ('2*batch', '16..128', 'divisible by `16`'):
            assert part in said, (part, said)


def test_hover_on_an_alias():
    """A dim of an alias is what it is for the values that are written with it."""
    text = ('!t = tensor<?x4xf32>\n!u = !t\n!none = tensor<?xf32>\n'
            'func.func @main(%a: !t, %b: tensor<?x4xf32>, %c: !u) -> !t {\n  %0 = stablehlo.abs %a : !t\n'
            '  %1 = stablehlo.concatenate %a, %c, dim = 0 : (!t, !u) -> !t\n  return %0 : !t\n}\n')
    with Session() as s:
        for variant in (text, text.replace('\n', '\r\n'), '// !t größe 😀\n' + text):
            s.open(URI, variant)
            line = 0 if variant[0] == '!' else 1
            got = s.on('hover', URI, line, 12)
            said = got['contents']['value']
            assert got['range'] == span(line, 12, line, 13) and said.startswith('dim 0 of `!t`, `tensor<?x4xf32>`'), got
            first, second, third = said.split('\n')[2:]
            assert first.startswith('- `S0`: `%a` ([line') and '`%0`' in first and '%b' not in said, said
            assert second.startswith('- `S2`: `%c`') and third.startswith('- `S0 + S2`: `%1`'), said
            assert '- `[S0, 4]`: `%a`' in s.on('hover', URI, line, 1)['contents']['value']
            assert '`%c`' in s.on('hover', URI, line + 1, 1)['contents']['value']
            assert 'no value' in s.on('hover', URI, line + 2, 15)['contents']['value']
            assert s.on('hover', URI, line, 6) is None


def test_definition_and_highlight():
    with Session() as s:
        s.open(URI, HEADS)
        (location,) = s.on('definition', URI, *at(HEADS, '%0 :', 1))
        assert (location['range']['start']['line'], location['range']['start']['character']) == at(HEADS, '%0')
        (location,) = s.on('definition', URI, *at(HEADS, '-> tensor<?x?x12', 12))
        assert (location['range']['start']['line'], location['range']['start']['character']) == at(HEADS, '%mask: tensor<?x?', 16)
        uses = s.on('documentHighlight', URI, *at(HEADS, '%tokens', 3))
        assert [u['kind'] for u in uses] == [3, 2, 2], uses
        lines = HEADS.split('\n')
        dims = s.on('documentHighlight', URI, *at(HEADS, '%mask: tensor<?x?', 16))
        columns = sorted((u['range']['start']['line'], u['range']['start']['character']) for u in dims)
        assert len(columns) == 5 and all(lines[line][c] == '?' for line, c in columns), columns
        assert at(HEADS, '-> tensor<?x?x12', 12) in columns
        call = THREE.replace('%1 = stablehlo.negate %0 : tensor<?xf32>', '%1 = call @two2(%0) : (tensor<?xf32>) -> tensor<?xf32>')
        call += 'func.func private @two2(%x: tensor<?xf32>) -> tensor<?xf32>\n'
        s.open(URI, call)
        (location,) = s.on('definition', URI, *at(call, '@two2', 2))
        assert location['range']['start']['line'] == call.count('\n') - 1


def test_outline():
    with Session(options={'commands': {'showSymbols': 'my.show'}}) as s:
        text = 'module @m {\n' + THREE + '}\n'
        s.open(URI, text)
        (module,) = s.on('documentSymbol', URI)
        assert (module['name'], module['kind']) == ('m', 2), module
        names = [(f['name'], [c['name'] for c in f['children']]) for f in module['children']]
        assert names == [('one', ['%x', '%y']), ('two', ['%x']), ('three', ['%x'])], names
        folds = [(f['startLine'], f['endLine']) for f in s.on('foldingRange', URI)]
        assert (0, 19) in folds and (1, 7) in folds and (3, 5) in folds, folds
        lenses = s.on('codeLens', URI)
        assert [x['command']['command'] for x in lenses] == ['my.show'] * 3
        assert lenses[1]['command']['arguments'] == [URI, 'two']
        assert lenses[1]['command']['title'] == '1 symbol · 0 constraints · 0 guards · refinable', lenses[1]
        s.notify('workspace/didChangeConfiguration', {'settings': {'shaped': {'lenses': False}}})
        assert s.on('codeLens', URI) == []
    with Session(capabilities={'textDocument': {'documentSymbol': {'hierarchicalDocumentSymbolSupport': False}}}) as s:
        s.open(URI, THREE)
        assert [f['location']['range']['start']['line'] for f in s.on('documentSymbol', URI)] == [0, 9, 15]


def test_semantic_tokens():
    with Session() as s:
        s.open(URI, ADD)
        data = s.on('semanticTokens/full', URI)['data']
        lines, line, character, seen = ADD.split('\n'), 0, 0, 0
        for i in range(0, len(data), 5):
            character = data[i + 1] + (0 if data[i] else character)
            line += data[i]
            assert lines[line][character] == '?' and data[i + 2:] [:3] == [1, 0, 6], data[i:i + 5]  # each is a number
            seen += 1
        assert seen == ADD.count('?')
        part = s.on('semanticTokens/range', URI, range=span(2, 0, 3, 0))['data']
        assert len(part) == 10 and part[0] == 2


# --- diagnostics and actions

def test_diagnostics_come_and_go():
    with Session() as s:
        s.open(URI, CONFLICT)
        (wrong,) = s.diagnostics(URI)
        assert wrong['severity'] == 1 and wrong['source'] == 'shaped' and '3' in wrong['message'] and '4' in wrong['message']
        locations = [r['location']['range']['start'] for r in wrong['relatedInformation']]
        assert locations and all(p['line'] <= 1 for p in locations), wrong
        s.change(URI, {'range': span(*at(CONFLICT, '4xf32'), *at(CONFLICT, '4xf32', 1)), 'text': '3'})
        s.change(URI, {'range': span(1, CONFLICT.split('\n')[1].index('4'), 1, CONFLICT.split('\n')[1].index('4') + 1), 'text': '3'})
        assert s.diagnostics(URI) == []
        s.change(URI, {'text': CONFLICT + 'func.func @x('})
        assert 'syntax' in [d['code'] for d in s.diagnostics(URI)]
        s.close(URI)
        while s.notes[-1]['params'] != {'uri': URI, 'diagnostics': []}:
            s.step()


def test_diagnostics_link_to_the_source_of_the_model():
    text = ADD_OF_SOURCE
    with Session() as s:
        s.open(URI, text)
        (wrong,) = s.diagnostics(URI)
        last = [r for r in wrong['relatedInformation'] if r['location']['uri'] != URI]
        assert [r['location']['uri'] for r in last] == [URI.rsplit('/', 1)[0] + '/net%20a.py', 'file:///abs/train.py'], last
        assert last[0]['location']['range']['start'] == {'line': 11, 'character': 6}, last


def test_errors_of_what_a_region_returns_are_at_its_return():
    for returned in ('%p : tensor<i1>', '%a, %a : tensor<?xf32>, tensor<?xf32>'):
        text = ('func.func @main(%a: tensor<?xf32>, %p: tensor<i1>) -> tensor<?xf32> {\n'
                '  %0 = "stablehlo.if"(%p) ({\n    stablehlo.return %a : tensor<?xf32>\n  }, {\n'
                '    stablehlo.return ' + returned + '\n  }) : (tensor<i1>) -> tensor<?xf32>\n'
                '  %1 = stablehlo.while(%i = %a) : tensor<?xf32>\n  cond {\n    stablehlo.return %i : tensor<?xf32>\n'
                '  } do {\n    stablehlo.return %p : tensor<i1>\n  }\n  return %0 : tensor<?xf32>\n}\n')
        with Session() as s:
            s.open(URI, text)
            found = {d['range']['start']['line'] for d in s.diagnostics(URI) if 'branch #1' in d['message'] or 'while' in d['message']}
            assert found == {4, 8, 10}, s.diagnostics(URI)
    for loop in ('scf.for %i = %lo to %hi step %lo iter_args(%v = %a) -> (tensor<?xf32>)', 'scf.if %p -> (tensor<?xf32>)'):
        with Session() as s:
            s.open(URI, 'func.func @main(%a: tensor<?xf32>, %lo: index, %hi: index, %p: i1) -> tensor<?xf32> {\n  %r = ' + loop + ' {\n'
                   '    scf.yield\n  }' + (' else {\n    scf.yield %a : tensor<?xf32>\n  }' if 'if' in loop else '') +
                   '\n  return %r : tensor<?xf32>\n}\n')
            (wrong,) = [d for d in s.diagnostics(URI) if d['severity'] == 1]
            assert wrong['range']['start']['line'] == 2 and 'returns 0 values' in wrong['message'], wrong


def test_errors_of_an_attribute_are_at_it():
    text = ('func.func @main(%a: tensor<4x5xf32>, %i: tensor<2x1xi64>, %u: tensor<2x5xf32>) -> tensor<4x5xf32> {\n'
            '  %0 = "stablehlo.scatter"(%a, %i, %u) <{\n'
            '    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 0], inserted_window_dims = [0],\n'
            '      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>\n  }> ({\n'
            '  ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n    stablehlo.return %y : tensor<f32>\n'
            '  }) : (tensor<4x5xf32>, tensor<2x1xi64>, tensor<2x5xf32>) -> tensor<4x5xf32>\n  return %0 : tensor<4x5xf32>\n}\n')
    with Session() as s:
        s.open(URI, text)
        assert {d['range']['start']['line'] for d in s.diagnostics(URI)} == {2}, s.diagnostics(URI)


def test_graphs_in_python():
    uri, text = URI.replace('.mlir', '.py'), pathlib.Path(ROOT, 'deploy/manual/models/pinned.py').read_text(encoding='utf-8')
    lines = text.split('\n')
    with Session(options={'shaped': {'hints': 'changes'}}) as s:
        s.open(uri, text)
        (guard,) = s.diagnostics(uri)
        row = next(i for i, line in enumerate(lines) if 'y = torch.ops.aten.add' in line)
        assert (guard['code'], guard['range']['start']['line']) == ('guard', row), guard
        # What the text says itself needs no hint.
        assert [label(h) for h in s.hints(uri)] == ['[128, 64]', '[B, 128, 64]'], s.hints(uri)
        at = lines[row].index('(x') + 1
        hover = s.on('hover', uri, row, lines[row].index('y '))
        assert 'y : tensor<?x128x64xf32>' in hover['contents']['value'], hover
        # Nothing that speaks of MLIR's syntax, and no edit.
        for method in 'completion', 'definition', 'references', 'documentHighlight', 'foldingRange', 'formatting', 'codeAction':
            more = {'context': {'diagnostics': [guard], 'includeDeclaration': True}, 'range': span(row, at, row, at), 'options': {}}
            assert not s.on(method, uri, row, at, **more), method
        s.change(uri, {'range': span(row, at, row, at + 1), 'text': 'absent'})
        (wrong,) = s.diagnostics(uri)
        assert wrong['severity'] == 1 and wrong['range']['start']['line'] == row and 'absent' in wrong['message'], wrong
        s.open(uri, 'class GraphModule(torch.nn.Module):\n    def forward(self, x: "f32[s0, 768]"):\n'
               '        é = torch.cat([x, x])\n        return é\n')
        (hint,) = s.hints(uri)
        assert (label(hint), hint['position']) == ('[2*s0, 768]', {'line': 2, 'character': 9}), hint
        for other in 'import os\nprint(1)\n', '', 'class A:\n':
            s.open(uri, other)
            assert s.diagnostics(uri) == [] and s.hints(uri) == [], other


def test_what_no_guard_checks_is_a_hint():
    text = ('func.func private @f(tensor<?xf32>)\nfunc.func @main(%a: tensor<?xf32>) {\n'
            '  func.call @f(%a) : (tensor<?xf32>) -> ()\n  return\n}\n')
    with Session() as s:
        s.open(URI, text)
        (hint,) = s.diagnostics(URI)
        assert (hint['code'], hint['severity'], hint['range']['start']['line']) == ('unchecked', 4, 2), hint
        assert hint['message'] == 'no guard checks this: the requirements of the function hold (it has no body)'


def test_the_view():
    with Session() as s:
        s.open(URI, HEADS)
        view = s.ask('shaped/symbols', {'textDocument': {'uri': URI}})
        assert [x['name'] for x in view['symbols']] == ['S0', 'S1', 'S2', 'S3'] and view['complete'] and view['entry'] == 'main'
        (guard,) = view['guards']
        assert guard['expr'] == 'S0*S1 == S0*S3' and guard['function'] == 'main'
        assert guard['because'][0]['range']['start']['line'] == 9


def test_the_graph():
    with Session() as s:
        s.open(URI, HEADS)
        graph = s.ask('shaped/graph', {'textDocument': {'uri': URI}})
        assert graph['format'] == 'dot' and 'graph' in graph['text'] and 'S0*S1' in graph['text'], graph
        part = s.ask('shaped/graph', {'textDocument': {'uri': URI}, 'symbols': ['S2']})
        assert len(part['text']) < len(graph['text'])
        fails(-32803, s.ask, 'shaped/graph', {'textDocument': {'uri': URI}, 'symbols': ['S99']})
        s.open(URI, CONFLICT)
        fails(-32803, s.ask, 'shaped/graph', {'textDocument': {'uri': URI}})


# --- invalid texts

BREAKS = ('}', '{', '(', '"', '<', 'x', '%9', 'func.func @', 'tensor<', '/*', '//', '->', '^', 'stablehlo.add %', '= =', '\n}\n', ']')


def test_an_invalid_function_hides_no_other():
    with Session(options={'hints': 'everywhere'}) as s:
        s.open(URI, THREE)
        whole = shown(s.hints(URI))
        first = [h for h in whole if h[0] < 8]
        rest = [(line - 8, c, t) for line, c, t in whole if line >= 9]
        lines = THREE.split('\n')
        kept = lost = 0
        for line in range(7):
            for character in range(0, len(lines[line]) + 1, 3):
                for piece in BREAKS:
                    if (piece == '"' and lines[line].count('"') % 2 == 0) or piece == '/*':
                        continue  # a string that does not end takes its line, a comment the rest of the text
                    s.open(URI, THREE)
                    s.change(URI, {'range': span(line, character, line, character), 'text': piece})
                    got = shown(s.hints(URI))
                    grown = piece.count('\n') + 8
                    others = [(at_line - grown, c, t) for at_line, c, t in got if at_line >= grown + 1]
                    names = [(at_line, c) for at_line, c, _ in others]
                    if names == [(at_line, c) for at_line, c, _ in rest]:
                        kept += 1
                    else:
                        lost += 1
                        print('lost at %d:%d %r: %r' % (line, character, piece, got))
        assert lost == 0, '%d of %d' % (lost, kept + lost)
        assert first


def test_what_is_before_the_error_is_shown():
    with Session() as s:
        text = THREE.replace('%1 = stablehlo.negate %0', '%1 = stablehlo.negate %%')
        s.open(URI, text)
        lines = [h[0] for h in shown(s.hints(URI))]
        assert 9 in lines and 10 in lines and 11 not in lines, lines
        assert s.diagnostics(URI)[0]['severity'] == 1
        lens = s.on('codeLens', URI)[1]['command']['title']
        assert lens.endswith('as far as it can be read'), lens
        assert not s.ask('shaped/symbols', {'textDocument': {'uri': URI}})['complete']


# --- cancellation and progress

def slow(ops=60000):
    return long_program(ops)


def ends_of_cancelled(s):
    """How requests end of which all but the first are cancelled: 0: with a result."""
    last = [s.begin('textDocument/inlayHint', {'textDocument': {'uri': URI}, 'range': span(0, 0, 9, 0)}) for _ in range(4)]
    for number in last[1:]:
        s.notify('$/cancelRequest', {'id': number})
    s.notify('$/cancelRequest', {'id': 'never'})
    ended = []
    for number in last:
        try:
            s.finish(number)
            ended.append(0)
        except Failed as why:
            ended.append(why.code)
    return ended


def test_cancellation():
    with Session() as s:
        s.open(URI, slow())
        for _ in range(20):
            ended = ends_of_cancelled(s)
            assert set(ended) <= {0, -32800}, ended
            if -32800 in ended:
                break
            # All came to their end before the word reached them: this machine does other things.
            s.change(URI, {'range': span(0, 0, 0, 0), 'text': '//\n'})
        assert -32800 in ended, ended
        assert len(s.hints(URI, 0, 30)) > 2


def test_edits_end_an_analysis():
    with Session() as s:
        s.open(URI, slow())
        outdated = 0
        for _ in range(20):
            number = s.begin('textDocument/inlayHint', {'textDocument': {'uri': URI}, 'range': span(0, 0, 9, 0)})
            time.sleep(0.005)
            s.change(URI, {'range': span(0, 0, 0, 0), 'text': '//\n'})
            try:
                s.finish(number)
            except Failed as why:
                assert why.code == -32801, why
                outdated += 1
        assert outdated, 'no analysis was ended'
        assert s.hints(URI, 0, 30)[0]['position']['line'] == 20


def test_progress():
    with Session(['--progress-after', '0'], capabilities={'window': {'workDoneProgress': True}}) as s:
        s.answers['window/workDoneProgress/create'] = None
        kinds = []
        for ops in (60000, 120000, 240000, 480000):
            s.notes.clear()
            s.open(URI, slow(ops))
            s.hints(URI, 0, 5)
            s.diagnostics(URI)
            # Two seconds for it to begin, as it may be over before; what has begun has its end.
            begin = time.monotonic()
            while time.monotonic() < begin + (PATIENCE if kinds else 2) and 'end' not in kinds:
                kinds = [n['params']['value']['kind'] for n in s.notes if n['method'] == '$/progress']
                try:
                    s.step(0.2)
                except Exception:  # pylint: disable=broad-except
                    pass
            if kinds:
                break
        assert kinds and kinds[0] == 'begin' and kinds[-1] == 'end' and set(kinds) <= {'begin', 'report', 'end'}, kinds


# --- daemons

def test_a_daemon_gives_the_same():
    with Daemon() as d, Session(['--connect', d.path]) as far, Session() as near:
        for text in (HEADS, ADD, DECLARED, THREE, CONFLICT, THREE + 'func.func @invalid('):
            answers = []
            for s in (far, near):
                s.open(URI, text)
                line, character = at(text, '%0')
                answers.append([s.hints(URI), s.diagnostics(URI), s.ask('shaped/symbols', {'textDocument': {'uri': URI}}),
                                s.on('codeLens', URI), s.on('documentSymbol', URI), s.on('semanticTokens/full', URI),
                                s.on('documentHighlight', URI, line, character),
                                s.on('codeAction', URI, range=span(line, character, line, character),
                                     context={'diagnostics': []}),
                                [s.ask('inlayHint/resolve', h) for h in s.hints(URI)] if text in (HEADS, ADD) else None])
            for mine, theirs in zip(*answers):
                assert mine == theirs, (text, mine, theirs)
    with Session(['--connect', '/nonexistent/socket']) as s:
        s.open(URI, ADD)
        (missing,) = s.diagnostics(URI)
        assert missing['code'] == 'daemon' and s.hints(URI) == []


def test_zz_messages_are_those_of_the_protocol():
    if not SAID:
        raise Skipped('no other test ran')
    count = lsp_types.check(SAID)
    print('%d messages are those of the protocol' % count)


if __name__ == '__main__':
    sys.exit(main(dict(globals()), sys.argv[1:]))
