#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Code actions of the language server: which are offered, and that their edits keep a right program right.

Reads SHAPE_LSP, SHAPE (default: in build/). At the end every message is held against the protocol's own types. The last line is
`N passed, N failed`.
"""
import json
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
import lsp_types  # noqa: E402
from cases import main  # noqa: E402
from lsp import shown, span  # noqa: E402
from lsp_session import ADD, CONFLICT, DECLARED, HEADS, SAID, URI, Session, applied, at, checked, edits_of, fails  # noqa: E402


def test_actions_make_programs_that_are_right():
    with Session() as s:
        for text in (HEADS, ADD, DECLARED):
            s.open(URI, text)
            titles = {}
            for line, rest in enumerate(text.split('\n')):
                for character in (0, max(rest.find('%'), 0), max(rest.find('?'), 0)):
                    here = {'diagnostics': [d for d in s.diagnostics(URI) if d['range']['start']['line'] == line]}
                    for action in s.on('codeAction', URI, range=span(line, character, line, character), context=here):
                        titles[action['title']] = action
            for title, action in titles.items():
                assert 'edit' not in action
                new = applied(text, edits_of(s.ask('codeAction/resolve', action)['edit']))
                answer = checked(new)
                assert answer['status'] == 'ok' and new != text, (title, answer['diagnostics'], new)
                if title.startswith(('Insert', 'Guard')):
                    assert 'shape_assertion' in new and answer['guards'] != []
                if title == 'Write all refined types':
                    assert '?' not in new or text == DECLARED
                if title.startswith('Name'):
                    name = title.split("'")[1]
                    assert name in [x['name'] for x in answer['symbols']], answer['symbols']
                    assert len([1 for a, b in zip(text.split('\n'), new.split('\n')) if a != b]) == 1, new
                if title.startswith('Specialise'):
                    assert 'tensor<8x' in new or 'tensor<16x' in new, new
            wanted = {HEADS: 6, ADD: 3, DECLARED: 2}[text]
            assert len(titles) == wanted, sorted(titles)
        wrong = ADD.replace('-> tensor<?x?xf32>\n', '-> tensor<9x?xf32>\n').replace('return %0 : tensor<?x?xf32>', 'return')
        wrong = wrong.replace('-> tensor<?x?xf32> {', '{')
        s.open(URI, wrong)
        found = s.diagnostics(URI)
        (fix,) = s.on('codeAction', URI, range=span(1, 4, 1, 4), context={'diagnostics': found})
        assert fix['kind'] == 'quickfix' and fix['diagnostics'], fix
        new = applied(wrong, edits_of(s.ask('codeAction/resolve', fix)['edit']))
        assert checked(new)['status'] == 'ok' and '9' not in new, new
        assert s.on('codeAction', URI, range=span(1, 4, 1, 4), context={'diagnostics': found, 'only': ['refactor']}) == []
        s.open(URI, CONFLICT)
        assert s.on('codeAction', URI, range=span(1, 0, 1, 0), context={'diagnostics': []}) == []
        s.open(URI, HEADS)
        only = s.on('codeAction', URI, range=span(9, 7, 9, 7), context={'diagnostics': [], 'only': ['quickfix']})
        assert only == [], only
        guards = s.diagnostics(URI)
        only = s.on('codeAction', URI, range=span(9, 7, 9, 7), context={'diagnostics': guards, 'only': ['quickfix']})
        assert [a['diagnostics'] for a in only] == [guards, guards], only


def actions_of(s, text, **context):
    """All actions that are offered anywhere, by title and kind."""
    s.open(URI, text)
    found, diagnostics = {}, s.diagnostics(URI)
    for line, rest in enumerate(text.splitlines()):
        here = {'diagnostics': [d for d in diagnostics if d['range']['start']['line'] == line], **context}
        for character in sorted({0} | {i for i, c in enumerate(rest) if c in '%?'}):
            for action in s.on('codeAction', URI, range=span(line, character, line, character), context=here):
                found[action['title'], action['kind']] = action
    return found


def test_lines_end_as_those_of_the_text():
    """What is inserted is the same whatever the text's lines end with, also in the text of a command."""
    texts = [HEADS, ADD, DECLARED, HEADS.replace('stablehlo.', 'mhlo.'), HEADS.replace('\n', ' // größe 😀\n', 4)]
    with Session(options={'specialise': ['arg0.0=8']}) as s:
        for text in texts:
            plain = {title: applied(text, edits_of(s.ask('codeAction/resolve', action)['edit']))
                     for title, action in actions_of(s, text).items()}
            windows = text.replace('\n', '\r\n')
            actions = actions_of(s, windows)
            assert set(actions) == set(plain) and actions, (set(actions), set(plain))
            for title, action in actions.items():
                for edit in edits_of(s.ask('codeAction/resolve', action)['edit']):
                    assert edit['newText'].count('\n') == edit['newText'].count('\r\n'), (title, edit)
                # The lines of the edits are those of the text: one that ends in two bytes is one line.
                new = applied(windows.replace('\r', ' '), [
                    {**e, 'newText': e['newText'].replace('\r', ' ')} for e in edits_of(s.ask('codeAction/resolve', action)['edit'])])
                assert new == plain[title].replace('\n', ' \n'), (title, new)


UNWRITABLE = '''func.func @main(%arg0: tensor<?x?x?xf32>, %arg1: index) -> tensor<?x?x?xf32> {
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %shape = tensor.from_elements %arg1, %c3, %c4 : tensor<3xindex>
  %0 = "mhlo.dynamic_reshape"(%arg0, %shape) : (tensor<?x?x?xf32>, tensor<3xindex>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}
'''


def test_what_cannot_be_written_is_not_offered():
    # No operation of MHLO takes an index as an element: the guard cannot be asserted there.
    for lazy in ({}, {'textDocument': {'codeAction': {'resolveSupport': {'properties': []}}}}):
        with Session(capabilities=lazy, options={'specialise': ['arg7.0=8', 'arg0.0=-1', 'nothing=3', 'arg0.0=8']}) as s:
            titles = {title for title, _ in actions_of(s, UNWRITABLE)}
            assert [d['code'] for d in s.diagnostics(URI)] == ['guard'], s.diagnostics(URI)
            assert not [t for t in titles if t.startswith(('Insert', 'Guard'))], titles
            assert [t for t in titles if t.startswith('Specialise')] == ['Specialise to arg0.0 = 8'], titles
            others = UNWRITABLE.replace('"mhlo.dynamic_reshape"(%arg0, %shape)', 'tensor.reshape %arg0(%shape)')
            assert [t for t, _ in actions_of(s, others) if t.startswith('Guard')], actions_of(s, others)
    # More is known of the result than its type says, and the type cannot change: the operation is handed the dim.
    text = ('func.func @main() -> tensor<?xf32> {\n  %c8 = arith.constant 8 : index\n'
            '  %e = tensor.empty(%c8) : tensor<?xf32>\n  return %e : tensor<?xf32>\n}\n')
    with Session() as s:
        assert not actions_of(s, text), actions_of(s, text)
        assert shown(s.hints(URI)) == [(2, 4, '[8]')], s.hints(URI)


def test_only_the_kinds_that_are_asked_for():
    with Session(options={'specialise': ['arg0.0=8'], 'commands': {'nameSymbol': 'my.name', 'specialise': 'my.dims'}}) as s:
        for text in (HEADS, ADD, CONFLICT):
            everything = actions_of(s, text)
            for only in ([], ['quickfix'], ['refactor'], ['refactor.rewrite'], ['source'], ['refactor.extract'], ['quick'], ['quickfix', 'source']):
                got = actions_of(s, text, only=only)
                assert all(any(a['kind'] == k or a['kind'].startswith(k + '.') for k in only) for a in got.values()), (only, got)
                wanted = {key for key in everything if any(key[1] == k or key[1].startswith(k + '.') for k in only)}
                assert set(got) == wanted, (only, set(got) ^ wanted)


def test_a_suggested_name_is_free():
    text = ('func.func @main(%a: tensor<?x?xf32> {shaped.dims = ["a_1", ""]}) -> tensor<?x?xf32> {\n'
            '  %0 = stablehlo.abs %a : tensor<?x?xf32>\n  return %0 : tensor<?x?xf32>\n}\n')
    with Session() as s:
        (title,) = [t for t, _ in actions_of(s, text) if t.startswith('Name the dim S')]
        assert title.endswith("'a_1_2'"), title


def test_what_is_suggested_can_be_asserted():
    text = ('func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x8xf32>, %z: tensor<?xf32>) -> tensor<?x?xf32> {\n'
            '  %0 = chlo.broadcast_add %x, %y : (tensor<?x?xf32>, tensor<?x8xf32>) -> tensor<?x?xf32>\n'
            '  %1 = chlo.broadcast_add %0, %z : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>\n'
            '  return %1 : tensor<?x?xf32>\n}\n')
    with Session() as s:
        s.open(URI, text)
        guards = [d for d in s.diagnostics(URI) if d['code'] == 'guard']
        assert len(guards) == 3, guards
        (action,) = [a for a in s.on('codeAction', URI, range=span(1, 3, 1, 3), context={'diagnostics': guards[:1]})
                     if a['title'].startswith('Assert that')]
        assert action['kind'] == 'quickfix' and action['title'] == 'Assert that S2 == S0, and insert the guards that are left', action
        new = applied(text, edits_of(s.ask('codeAction/resolve', action)['edit']))
        answer = checked(new)
        assert answer['status'] == 'ok' and 'cf.assert' in new, answer
        assert len(answer['guards']) == 2 and answer['functions'][0]['result_dims'] == [['S0', 8]], answer
        # What is suggested for the text has been asserted.
        s.open(URI, new)
        assert not [a for a in s.on('codeAction', URI, range=span(1, 3, 1, 3), context={'diagnostics': []}) if 'Assert that' in a['title']]


def test_an_operation_can_be_guarded():
    types = '(tensor<?x?xf32>) -> tensor<6x7xf32>'
    text = ('func.func @main(%t: tensor<?x?xf32>, %p: tensor<i1>, %u: tensor<?x?xf32>) -> tensor<6x7xf32> {\n'
            '  %0 = stablehlo.slice %t [2:4, 0:3] : (tensor<?x?xf32>) -> tensor<2x3xf32>\n'
            '  %1 = "stablehlo.if"(%p) ({\n'
            '    %2 = stablehlo.reshape %t : ' + types + '\n'
            '    stablehlo.return %2 : tensor<6x7xf32>\n'
            '  }, {\n'
            '    %3 = stablehlo.constant dense<0.0> : tensor<6x7xf32>\n'
            '    stablehlo.return %3 : tensor<6x7xf32>\n'
            '  }) : (tensor<i1>) -> tensor<6x7xf32>\n'
            '  %4 = func.call @f(%u) : ' + types + '\n'
            '  return %1 : tensor<6x7xf32>\n}\n'
            'func.func private @f(%x: tensor<?x?xf32>) -> tensor<6x7xf32> {\n'
            '  %0 = stablehlo.reshape %x : ' + types + '\n'
            '  return %0 : tensor<6x7xf32>\n}\n')
    with Session() as s:
        s.open(URI, text)
        guards = {json.dumps(d['range']): d for d in s.diagnostics(URI) if d['code'] == 'guard'}

        def offered(line):
            context = {'diagnostics': [d for d in guards.values() if d['range']['start']['line'] == line]}
            return [a for a in s.on('codeAction', URI, range=span(line, 8, line, 8), context=context) if 'Guard' in a['title']]
        (action,) = offered(1)
        assert action['title'] == 'Guard this operation: assert its 2 guards in front of it', action
        new = applied(text, edits_of(s.ask('codeAction/resolve', action)['edit']))
        lines = new.split('\n')
        added = [line for line in lines if line not in text.split('\n')]
        assert len([line for line in added if '@shape_assertion' in line]) == 2, new
        # In front of the operation, and nothing else changes.
        assert lines[0] + '\n' + '\n'.join(lines[1 + len(added):]) == text, new
        assert checked(new)['status'] == 'ok', checked(new)
        # In a branch that may not run, the condition is part of what is asserted, in front of the branches.
        (action,) = offered(3)
        new = applied(text, edits_of(s.ask('codeAction/resolve', action)['edit']))
        lines = new.split('\n')
        assert 'stablehlo.or' in new and '@shape_assertion' in lines[lines.index('  %1 = "stablehlo.if"(%p) ({') - 1], new
        assert checked(new)['status'] == 'ok', checked(new)
        assert [a['title'] for a in offered(2)] == [a['title'] for a in offered(3)]
        # The arguments of the entry are not visible in another function, and an assertion is none that needs one.
        assert offered(6) == offered(9) == offered(13) == [], (offered(6), offered(9), offered(13))
        s.open(URI, new)
        at = next(i for i, line in enumerate(new.split('\n')) if '@shape_assertion' in line)
        assert offered(at) == [], offered(at)


def test_commands_and_clients_that_can_do_less():
    def take(params):
        SEEN.append(params['edit'])
        return {'applied': True}
    SEEN = []  # pylint: disable=invalid-name
    options = {'specialise': ['arg0.0=8'], 'commands': {'nameSymbol': 'my.name', 'specialise': 'my.dims'}}
    with Session(options=options, capabilities={'textDocument': {'codeAction': {'resolveSupport': {'properties': []}}}}) as s:
        s.answers['workspace/applyEdit'] = take
        s.open(URI, HEADS)
        actions = s.on('codeAction', URI, range=span(2, 18, 2, 18), context={'diagnostics': []})
        assert {a['command']['command'] for a in actions if 'command' in a} == {'my.name', 'my.dims'}, actions
        assert all('edit' in a for a in actions if 'command' not in a)
        s.ask('workspace/executeCommand', {'command': 'shaped.nameSymbol',
                                           'arguments': [{'uri': URI, 'symbol': 'S0', 'name': 'batch'}]})
        s.ask('workspace/executeCommand', {'command': 'shaped.specialise',
                                           'arguments': [{'uri': URI, 'bindings': ['arg0.0=8', 'arg0.1=16']}]})
        while len(SEEN) < 2:
            s.step()
        named, special = (applied(HEADS, edits_of(e)) for e in SEEN)
        assert 'batch' in [x['name'] for x in checked(named)['symbols']]
        assert 'tensor<8x16x12x64xf32>' in special and checked(special)['status'] == 'ok'
        for command, argument in (('shaped.nameSymbol', {'uri': URI, 'symbol': 'S0', 'name': '1 2'}),
                                  ('shaped.nameSymbol', {'uri': URI, 'symbol': 'S0', 'name': 'S1'}),
                                  ('shaped.nameSymbol', {'uri': URI, 'symbol': 'S9', 'name': 'b'}),
                                  ('shaped.specialise', {'uri': URI}), ('shaped.other', {'uri': URI})):
            fails(-32602, s.ask, 'workspace/executeCommand', {'command': command, 'arguments': [argument]})
        fails(-32803, s.ask, 'workspace/executeCommand',
              {'command': 'shaped.specialise', 'arguments': [{'uri': URI, 'bindings': ['arg7.0=8']}]})
    less = {'workspace': {'workspaceEdit': {'documentChanges': False}},
            'textDocument': {'codeAction': {'codeActionLiteralSupport': None}, 'inlayHint': {'resolveSupport': {'properties': []}}}}
    with Session(capabilities=less, options={}) as s:
        s.open(URI, HEADS)
        assert any('location' in p for h in s.hints(URI) for p in h['label'])
        s.answers['workspace/applyEdit'] = take
        (first, *_) = s.on('codeAction', URI, range=span(2, 18, 2, 18), context={'diagnostics': []})
        s.ask('workspace/executeCommand', {'command': first['command'], 'arguments': first['arguments']})
        while len(SEEN) < 3:
            s.step()
        assert list(SEEN[2]['changes']) == [URI]


def test_messages_are_those_of_the_protocol():
    lsp_types.check(SAID)


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
