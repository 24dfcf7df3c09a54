#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The daemon's limits, at real daemons: each ends one request or one connection, with its name and value, and nothing else.

Arguments: words; only tests whose names contain one of them run. The last line is `N passed, N failed`.
"""
import json
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import main  # noqa: E402
from shaped import ADD, PATIENCE, SHAPE, Daemon, long_program, valid  # noqa: E402


def test_requests_have_limits_of_their_own():
    with Daemon('--max-steps', '100000000', '--deadline', '60s') as d, d.client() as c:
        text = long_program(100000)
        c.error('analyze', {'text': text, 'options': {'deadline': 1}}, 'deadline')
        error = c.error('analyze', {'text': text, 'options': {'memory': 1 << 20}}, 'memory')
        assert error['data']['limit'] == 'max-memory'
        for key in ('deadline', 'memory', 'steps'):
            assert c.result('analyze', {'text': ADD, 'options': {key: 1 << 60}})['status'] == 'ok'
            for value in (0, -1, 'many', 1.5):
                error = c.error('analyze', {'text': ADD, 'options': {key: value}}, 'invalid')
                assert error['data']['path'] == 'params.options.' + key, error


def plain(answer):
    """Integers that came as texts, because they are large, as integers."""
    if isinstance(answer, dict):
        return {key: plain(value) for key, value in answer.items() if key != 'id'}
    if isinstance(answer, list):
        return [plain(value) for value in answer]
    return int(answer) if isinstance(answer, str) and answer.lstrip('-').isdigit() else answer


def test_queries_have_the_limits_of_decide():
    """A query under the same limits gets the same answer from `decide --jsonl` and from the daemon."""
    symbols = {name: {'min': 0} for name in 'abcd'}
    hard = {'symbols': symbols, 'assume': ['a*b + c*d == 1000003*a + 17', 'mod(a*c, 7) != mod(b*d, 5)']}
    asked = [{'query': 'a*b*c != d*d + 11', 'explain': True}, {'bounds': 'a*c - b'}, {'simplify': 'max(a*b, mod(a*c, 3), 0)'}]
    with Daemon() as d, d.client() as c:
        for limits in ({}, {'steps': 1}, {'steps': 5000}, {'memory': 1 << 20}, {'memory': 8 << 20}):
            options = [text for name, value in limits.items()
                       for text in ('--' + name, str(value >> 20 if name == 'memory' else value))]
            lines = ''.join(json.dumps(dict(hard, **q)) + '\n' for q in asked)
            done = subprocess.run([SHAPE, 'decide', '--jsonl'] + options, input=lines, capture_output=True, text=True)
            ours = [json.loads(line) for line in done.stdout.splitlines()]
            theirs = c.result('query', dict(hard, queries=asked, **limits))['answers']
            assert [plain(a) for a in ours] == [plain(a) for a in theirs], (limits, ours, theirs)
            assert limits.get('steps') != 1 or all(a.get('reason') == 'budget' for a in ours), ours
        assert c.result('query', dict(hard, queries=asked, deadline=1 << 40))
        many = dict(hard, queries=asked * 2000, deadline=1)
        c.error('query', many, 'deadline')
        for key in ('deadline', 'memory', 'steps'):
            for value in (0, -1, 'many', 1.5, None):
                error = c.error('query', dict(hard, queries=asked, **{key: value}), 'invalid')
                assert error['data']['path'] == 'params.' + key, error


def test_deep_parameters_hit_a_limit():
    with Daemon() as d, d.client() as c:
        c.send(b'{"jsonrpc":"2.0","id":1,"method":"server/ping","params":' + b'[' * 5000 + b']' * 5000 + b'}')
        error = valid(c.read())['error']['data']
        assert error['code'] == 'depth' and error['limit'] == 'max-depth' and error['value'] == 200


def test_limits_of_programs():
    """Each is refused with the limit, its value and whether a retry helps; what is within it, and everybody else, goes on."""
    wide = 'func.func @main(%a: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {\n  return %a : tensor<?x?x?x?xf32>\n}\n'
    insert = {'insert': ['stablehlo.abs', ['#0'], ['', 'tensor<?x4xf32>']], 'before': 0}
    with Daemon('--max-nodes', '5', '--max-rank', '3', '--max-bits', '64') as d, d.client() as c:
        def refused(method, params, code, limit, value):
            error = c.error(method, params, code)
            assert error['data'] == {'code': code, 'retryable': False, 'limit': limit, 'value': value}, error

        limits = c.result('initialize')['limits']
        assert [limits['max-' + name] for name in ('nodes', 'rank', 'bits', 'elements')] == [5, 3, 64, 4096]
        assert c.result('analyze', {'text': long_program(4)})['status'] == 'ok'
        long = {'text': long_program(5)}  # and the return
        for method, params in (('analyze', long), ('session/open', long), ('diff', {'old': {'text': ADD}, 'new': long})):
            refused(method, params, 'size', 'max-nodes', 5)
        assert c.result('refine', long)['status'] == 'size'
        refused('analyze', {'text': wide}, 'size', 'max-rank', 3)
        refused('session/open', {'text': wide}, 'size', 'max-rank', 3)
        power = '*'.join(['1000000007'] * 6)
        refused('analyze', {'text': ADD, 'options': {'assume': ['arg0.0 == ' + power]}}, 'bits', 'max-bits', 64)
        answer = c.result('query', {'symbols': {'a': {}}, 'queries': [{'query': 'a == ' + power}]})['answers'][0]
        assert answer['error']['code'] == 'BITS', answer
        session = c.result('session/open', {'text': long_program(3)})['session']
        c.result('session/edit', {'session': session, 'edits': [insert]})
        refused('session/edit', {'session': session, 'edits': [insert]}, 'size', 'max-nodes', 5)
        assert c.result('session/analyze', {'session': session})['answer']['status'] == 'ok'
        # The program that the edits make is what counts: the operation goes that came.
        swap = [{'remove': 4}, {'insert': insert['insert'], 'after': 0}]
        c.result('session/edit', {'session': session, 'edits': swap})
        block = [[], ['stablehlo.add', ['#0', '#0'], ['i', 'tensor<?x4xf32>']], ['stablehlo.return', ['i']]]
        branches = ['stablehlo.if', ['#1'], ['', 'tensor<?x4xf32>'], {}, [block, block]]
        wider = '"tensor<?x?x?x?xf32>"'
        for edit, limit, value in (
                ({'replace': 1, 'with': branches}, 'max-nodes', 5),  # with what is in its regions
                ({'retype': 2, 'with': json.loads(wider)}, 'max-rank', 3),
                ({'retype': 0, 'with': json.loads(wider)}, 'max-rank', 3),
                ({'insert_argument': json.loads(wider)}, 'max-rank', 3),
                ({'replace': 1, 'with': ['stablehlo.abs', ['#0'], ['', json.loads(wider)]]}, 'max-rank', 3)):
            before = c.result('session/analyze', {'session': session})
            refused('session/edit', {'session': session, 'edits': [edit]}, 'size', limit, value)
            assert c.result('session/analyze', {'session': session}) == before, edit
        power = 'arg0.0 == ' + '*'.join(['1000000007'] * 6)
        refused('session/edit', {'session': session, 'edits': [{'assume': power}]}, 'bits', 'max-bits', 64)
        refused('session/push', {'session': session, 'assume': [power]}, 'bits', 'max-bits', 64)
        assert c.result('session/analyze', {'session': session})['answer']['status'] == 'ok'
    tracked = '''func.func @main(%a: tensor<?xf32>) -> tensor<?x?xf32> {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %0 = stablehlo.dynamic_reshape %a, %s : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
'''
    for most, dims in (('2', [2, 3]), ('1', ['S1', 'S2'])):
        with Daemon('--max-elements', most) as d, d.client() as c:
            assert c.result('analyze', {'text': tracked})['functions'][0]['result_dims'] == [dims], most
            # The shape as an edit brings it, in a program that had none.
            other = tracked.replace('dense<[2, 3]>', 'dense<[3, 2]>')
            session = c.result('session/open', {'text': other})['session']
            shape = {'dense': [2, 3], 'type': 'tensor<2xi32>'}
            edit = {'replace': 0, 'with': ['stablehlo.constant', [], ['', 'tensor<2xi32>'], {'value': shape}]}
            c.result('session/edit', {'session': session, 'edits': [edit]})
            answer = c.result('session/analyze', {'session': session})['answer']
            assert answer['functions'][0]['result_dims'] == [dims], (most, answer)


def test_errors_name_the_limit_that_was_hit():
    with Daemon('--deadline', '2ms') as d, d.client() as c:
        data = c.error('analyze', {'text': long_program(30000)}, 'deadline')['data']
        assert data['limit'] == 'deadline' and data['value'] == 2 and data['retryable'], data
    with Daemon('--max-reply', '64k') as d, d.client() as c:
        data = c.error('server/ping', ['x' * 70000], 'reply-too-large')['data']
        assert data['limit'] == 'max-reply' and data['value'] == 65536 and not data['retryable'], data
    with Daemon() as d, d.client() as c:
        data = c.error('analyze', {'text': long_program(30000), 'options': {'deadline': 1}}, 'deadline')['data']
        assert data['limit'] == 'deadline' and data['value'] == 1, data


def test_replies_of_a_batch_are_bounded_together():
    with Daemon('--max-reply', '1M') as d, d.client() as c:
        for length in (50000, 104700):  # answered by the loop, and by workers
            c.send([{'jsonrpc': '2.0', 'id': k, 'method': 'server/ping', 'params': ['x' * length]} for k in range(30)] +
                   [{'jsonrpc': '2.0', 'method': 'server/ping', 'params': ['x' * length]}])
            replies = c.read()
            assert sorted(r['id'] for r in replies) == list(range(30))
            errors = [r['error']['data'] for r in replies if 'error' in r]
            assert len(errors) == 30 - (1 << 20) // (length + 50), len(errors)
            assert all(e == {'code': 'reply-too-large', 'retryable': False, 'limit': 'max-reply', 'value': 1 << 20}
                       for e in errors), errors[0]
            assert c.result('server/ping', {'n': 1}) == {'n': 1}


def test_a_message_over_the_limit_costs_only_itself():
    with Daemon('--max-message', '64k') as d:
        for headers in (False, True):
            with d.client(headers=headers) as c:
                c.send(b'{"jsonrpc":"2.0","id":1,"method":"server/ping","params":["' + b'x' * 300000 + b'"]}')
                reply = valid(c.read())
                data = reply['error']['data']
                assert data['code'] == 'size' and data['limit'] == 'max-message' and data['value'] == 65536, reply
                assert c.result('server/ping', {'a': 1}) == {'a': 1}


def test_deadlines():
    # The program takes at least ten times the deadline on any machine.
    with Daemon('--workers', '1', '--deadline', '2ms') as d, d.client() as c:
        text = long_program(60000)
        for ident in range(3):
            c.send({'jsonrpc': '2.0', 'id': ident, 'method': 'analyze', 'params': {'text': text}})
        for _ in range(3):
            data = valid(c.read())['error']['data']
            assert data['code'] == 'deadline' and data['retryable'], data


def test_budgets_of_one_request():
    with Daemon('--max-memory', '1M') as d, d.client() as c:
        error = c.error('analyze', {'text': long_program(20000)}, 'memory')
        assert error['data']['limit'] == 'max-memory' and error['data']['value'] == 1 << 20
        assert c.result('analyze', {'text': ADD})['status'] == 'ok'


def test_in_flight_limit_is_an_error_of_one_request():
    with Daemon('--workers', '1', '--max-in-flight', '2') as d, d.client() as c:
        # One long request, and three short ones right after it in the same write: while the only worker is busy with
        # the first, the second waits and the others are one too many.
        texts = [long_program(200000)] + [long_program(1)] * 3
        requests = [{'jsonrpc': '2.0', 'id': k, 'method': 'analyze', 'params': {'text': t}} for k, t in enumerate(texts)]
        c.raw(b''.join(json.dumps(r).encode() + b'\n' for r in requests))
        replies = [valid(c.read()) for _ in range(4)]
        codes = sorted(r['error']['data']['code'] if 'error' in r else 'ok' for r in replies)
        assert codes == ['ok', 'ok', 'too-many-in-flight', 'too-many-in-flight'], codes


def test_connection_limit():
    with Daemon('--max-connections', '2') as d, d.client() as a, d.client() as b:
        assert a.result('server/ping') == {} and b.result('server/ping') == {}
        with d.client() as c:
            reply = valid(c.read())
            assert reply['error']['data']['code'] == 'too-many-connections' and c.ended()
        assert a.result('server/ping') == {}


def test_a_reader_that_does_not_read_is_cut():
    with Daemon('--max-backlog', '64k') as d, d.client() as c:
        message = json.dumps({'jsonrpc': '2.0', 'id': 1, 'method': 'server/ping', 'params': ['x' * 50000]}).encode()
        try:
            for _ in range(200):
                c.raw(message + b'\n')
        except (BrokenPipeError, ConnectionResetError):
            pass
        with d.client() as other:
            end = time.monotonic() + PATIENCE
            while not other.result('server/stats')['connections']['cut'] and time.monotonic() < end:
                time.sleep(0.01)
            assert other.result('server/stats')['connections']['cut'] == 1


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
