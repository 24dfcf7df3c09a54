#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sessions as clients meet them: a real daemon, every reply against its schema. Reads SHAPED (default: in build/).

The last line is `N passed, N failed`. Arguments: words; only tests whose names contain one of them run.
"""
import base64
import json
import os
import signal
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import main  # noqa: E402
from zoo_models import model, node, value  # noqa: E402
from shaped import ADD, GRAPH, PATIENCE, Daemon, long_program  # noqa: E402

WIDE = 'tensor<?x4xf32>'


def opened(client, **params):
    return client.result('session/open', params or {'graph': GRAPH})['session']


def changes(reply):
    return {v['value']: (v['before'] and v['before']['dims'], v['after'] and v['after']['dims']) for v in reply['values']}


def test_edits_tell_what_changed():
    with Daemon() as d, d.client() as c:
        first = c.result('session/open', {'graph': GRAPH, 'all': True})
        s = first['session']
        assert changes(first) == {0: (None, ['S0', 4]), 1: (None, ['S0', 4]), 2: (None, ['S0', 4])}, first
        edit = {'insert': ['stablehlo.transpose', ['c'], ['t', 'tensor<4x?xf32>'], {'permutation': [1, 0]}], 'before': 1}
        reply = c.result('session/edit', {'session': s, 'edits': [edit]})
        assert reply['inserted'] == [{'op': 2, 'values': [3]}] and changes(reply) == {3: (None, [4, 'S0'])}, reply
        reply = c.result('session/edit', {'session': s, 'edits': [{'replace': 0, 'with': ['stablehlo.abs', ['b'], ['x', WIDE]]}]})
        assert not reply['whole'] and changes(reply), reply  # a and b need not agree any more
        assert changes(reply)[1][1] != changes(first)[0][1]
        reply = c.result('session/edit', {'session': s, 'edits': [{'remove': 2}]})
        assert changes(reply) == {3: ([4, reply['values'][0]['before']['dims'][1]], None)}
        assert c.result('session/close', {'session': s})['edits'] == 3
        c.error('session/query', {'session': s, 'queries': []}, 'session-unknown')


def test_arguments_come_and_go():
    with Daemon() as d, d.client() as c:
        s = opened(c)
        edit = {'insert_argument': 'tensor<?x7xf32>', 'name': 'd', 'before': 0}
        reply = c.result('session/edit', {'session': s, 'edits': [edit]})
        assert reply['inserted'] == [{'op': None, 'values': [3]}] and changes(reply) == {3: (None, ['S1', 7])}, reply
        use = {'insert': ['stablehlo.abs', ['d'], ['t', 'tensor<?x7xf32>']], 'after': 0}
        op = c.result('session/edit', {'session': s, 'edits': [use]})['inserted'][0]['op']
        c.error('session/edit', {'session': s, 'edits': [{'remove_argument': 3}]}, 'invalid')
        both = [{'remove': op}, {'remove_argument': 3}]
        reply = c.result('session/edit', {'session': s, 'edits': both})
        assert reply['ops'] == 2 and [v['value'] for v in reply['values'] if not v['after']] == [3, 4], reply
        whole = c.result('session/analyze', {'session': s})['answer']
        assert [len(f['arguments']) for f in whole['functions']] == [2], whole


def test_affected_operations_are_followed():
    with Daemon() as d, d.client() as c:
        s = opened(c, text=long_program(5000))
        before = {'insert': ['stablehlo.abs', ['#0'], ['t', WIDE]], 'before': 4999}
        reply = c.result('session/edit', {'session': s, 'edits': [before]})
        assert not reply['whole'] and reply['visited'] < 5, reply
        op, value = reply['inserted'][0]['op'], reply['inserted'][0]['values'][0]
        with_other = {'replace': op, 'with': ['stablehlo.transpose', ['#0'], ['t', 'tensor<4x?xf32>'], {'permutation': [1, 0]}]}
        reply = c.result('session/edit', {'session': s, 'edits': [with_other]})
        assert not reply['whole'] and changes(reply) == {value: (['S0', 4], [4, 'S0'])}, reply


def test_the_whole_answer_is_that_of_a_fresh_analysis():
    with Daemon() as d, d.client() as c:
        s = opened(c, text=ADD, options={'bind': ['arg0.0=8'], 'assume': ['arg1.0 >= 1']})
        c.result('session/push', {'session': s, 'assume': ['arg1.0 <= 8']})
        both = c.result('session/analyze', {'session': s, 'all': True})
        fresh = c.result('analyze', {'text': both['program'], 'options': {'bind': ['arg0.0=8'], 'assume': ['arg1.0 <= 8']}})
        assert json.dumps(both['answer']) == json.dumps(fresh)
        assert c.result('session/pop', {'session': s})['depth'] == 0
        c.error('session/pop', {'session': s}, 'invalid')


def test_contradictions_come_and_go():
    with Daemon() as d, d.client() as c:
        s = opened(c)
        typed = {'retype': 0, 'with': 'tensor<3x4xf32>'}
        assert c.result('session/edit', {'session': s, 'edits': [typed]})['appeared'] == []
        reply = c.result('session/edit', {'session': s, 'edits': [{'retype': 1, 'with': 'tensor<5x4xf32>'}]})
        assert [a['op'] for a in reply['appeared'] if a['severity'] == 'error'] == [0], reply
        reply = c.result('session/edit', {'session': s, 'edits': [{'retype': 1, 'with': 'tensor<3x4xf32>'}]})
        assert not reply['appeared'] and [v['op'] for v in reply['vanished']] == [0], reply


def test_queries():
    with Daemon() as d, d.client() as c:
        s = opened(c)
        c.result('session/push', {'session': s, 'assume': ['arg0.0 % 8 == 0', 'arg0.0 <= 64']})
        asked = [{'query': 'v0.0 % 4 == 0'}, {'query': 'v0.0 == 3'}, {'query': 'v1.0 == v2.0'}, {'query': 'S0 == 8'}, {'bounds': 'S0'},
                 {'simplify': 'v0.0 + v1.0 - S0'}, {'value': 2}, {'value': 99}, {'same_shape': [0, 2]},
                 {'same_elements': [0, 1]}, {'query': 'unknown == 1'}, {'query': 'arg0.0 % 8 == 0'}, {'query': 'arg0.0 == v0.0'},
                 {'bounds': 'arg0.0'}, {'query': 'arg9.0 == 1'}]
        answers = c.result('session/query', {'session': s, 'queries': asked})['answers']
        assert [a.get('answer') for a in answers[:4]] == ['true', 'false', 'true', 'unknown'], answers
        assert (answers[4]['min'], answers[4]['max']) == (0, 64) and answers[5]['simplified'] == 'S0', answers
        assert answers[6]['shape']['dims'][1] == 4 and 'error' in answers[7], answers
        assert answers[8]['answer'] == answers[9]['answer'] == 'true' and 'error' in answers[10], answers
        # As assumptions name dims.
        assert answers[11]['answer'] == answers[12]['answer'] == 'true' and answers[13]['max'] == 64 and 'error' in answers[14], answers


def test_edits_that_leave_no_program_change_nothing():
    with Daemon() as d, d.client() as c:
        s = opened(c)
        before = json.dumps(c.result('session/analyze', {'session': s, 'all': True}))
        good = {'insert': ['stablehlo.abs', ['c'], ['t', WIDE]], 'before': 1}
        for wrong in ({'remove': 0}, {'remove': 1}, {'remove': 77}, {'insert': ['stablehlo.abs', ['c'], ['t', WIDE]], 'before': 0},
                    {'insert': ['stablehlo.abs', ['zz'], ['t', WIDE]], 'before': 1},
                    {'insert': ['stablehlo.abs', ['a'], ['c', WIDE]], 'before': 1},
                    {'insert': ['stablehlo.abs', ['a'], ['t', WIDE]], 'after': 1}, {'retype': 0, 'with': 'tensor<'},
                    {'replace': 0, 'with': ['stablehlo.abs', ['c'], ['c', WIDE]]}, {'replace': 0, 'with': ['func.return', ['a']]},
                    {'rewire': 0, 'with': 2}, {'retract': 'B == 1'}, {'remove_symbol': 'B'}, {'symbol': {'min': 1}}, {},
                    {'remove': -1}, {'insert': 5, 'before': 0}, {'remove': 0, 'replace': 0}):
            c.error('session/edit', {'session': s, 'edits': [good, wrong]}, 'invalid')
            assert json.dumps(c.result('session/analyze', {'session': s, 'all': True})) == before, wrong
        c.error('session/edit', {'session': s, 'version': 7, 'edits': [good]}, 'session-stale')
        c.error('session/edit', {'session': s, 'edits': []}, 'invalid')
        c.error('session/edit', {'session': 'x' * 32, 'edits': [good]}, 'session-unknown')
        c.error('session/open', {'text': 'func.func @main( {'}, 'syntax')
        swap = [{'insert': ['stablehlo.subtract', ['a', 'b'], ['d', WIDE]], 'before': 1}, {'rewire': 2, 'with': 3}]
        c.error('session/edit', {'session': s, 'edits': swap}, 'invalid')  # the id of the new value is not known before


def test_models_in_onnx_are_refused():
    add = model([node('Add', ['a', 'b'], ['c'])], [('a', ['n', 4]), ('b', ['n', 4])], [value('c', ['n', 4])])
    blob = base64.b64encode(add).decode()
    with Daemon() as d, d.client() as c:
        assert c.result('analyze', {'blob': blob})['status'] == 'ok'
        error = c.error('session/open', {'blob': blob}, 'unsupported')
        assert 'analyze' in error['message'] and len(error['message']) < 200, error
        assert c.result('server/stats')['sessions']['open'] == 0
        opened(c, text=ADD)


def test_sessions_are_bounded():
    with Daemon('--max-sessions', '3') as d, d.client() as c:
        ids = [opened(c) for _ in range(3)]
        c.result('session/query', {'session': ids[0], 'queries': []})
        ids.append(opened(c))
        gone = c.error('session/query', {'session': ids[1], 'queries': []}, 'session-evicted')
        assert (gone['data']['limit'], gone['data']['value']) == ('max-sessions', 3), gone
        for kept in (ids[0], ids[2], ids[3]):
            c.result('session/query', {'session': kept, 'queries': []})
        assert c.result('server/stats')['sessions']['open'] == 3
    with Daemon('--session-idle', '300ms') as d, d.client() as c:
        s = opened(c)
        end = time.monotonic() + PATIENCE
        while c.result('server/stats')['sessions']['open'] and time.monotonic() < end:
            time.sleep(0.05)
        gone = c.error('session/query', {'session': s, 'queries': []}, 'session-expired')
        assert (gone['data']['limit'], gone['data']['value']) == ('session-idle', 300), gone
    with Daemon('--session-memory', '1M') as d, d.client() as c:
        s = opened(c, text=long_program(20000))
        gone = c.error('session/query', {'session': s, 'queries': []}, 'session-evicted')
        assert (gone['data']['limit'], gone['data']['value']) == ('session-memory', 1 << 20), gone


def test_limits_of_a_session_leave_it_alive():
    with Daemon() as d, d.client() as c:
        s = opened(c, text=long_program(2000))
        c.send({'jsonrpc': '2.0', 'id': 'x', 'method': 'session/push', 'params': {'session': s, 'assume': ['arg0.0 == 1']}})
        c.send({'jsonrpc': '2.0', 'method': '$/cancelRequest', 'params': {'id': 'x'}})
        c.read()
        depth = c.result('session/push', {'session': s, 'assume': []})['depth']
        assert depth in (1, 2)
        shape = c.result('session/query', {'session': s, 'queries': [{'value': 2000}]})['answers'][0]['shape']
        assert shape['dims'] == ([1, 4] if depth == 2 else ['S0', 4]), shape


def test_pops_take_up_what_was_before():
    with Daemon() as d, d.client() as c:
        s = opened(c, text=long_program(2000))
        pushed = c.result('session/push', {'session': s, 'assume': ['arg0.0 == 7']})
        assert len(pushed['values']) == 2001 and not pushed['whole'], pushed['visited']
        popped = c.result('session/pop', {'session': s})
        assert not popped['whole'] and popped['visited'] == pushed['visited'], popped['visited']
        assert [(v['value'], v['after'], v['before']) for v in popped['values']] == \
            [(v['value'], v['before'], v['after']) for v in pushed['values']]


def test_sessions_are_gone_after_kill():
    d = Daemon()
    with d.client() as c:
        s = opened(c)
        d.stop(signal.SIGKILL)
    d.start()
    with d, d.client() as c:
        for method, more in (('query', {'queries': []}), ('edit', {'edits': [{'remove': 0}]}), ('analyze', {}), ('close', {})):
            reply = c.error('session/' + method, dict({'session': s}, **more), 'session-unknown')
            assert not reply['data']['retryable'], reply
        assert opened(c) != s


def test_many_clients_share_the_table():
    with Daemon('--max-sessions', '8', '--workers', '4') as d:
        wrong = []

        def work():
            with d.client() as c:
                for _ in range(10):
                    s = opened(c)
                    for i in range(5):
                        edit = {'insert': ['stablehlo.abs', ['c'], ['t%d' % i, WIDE]], 'before': 1}
                        reply = c.call('session/edit', {'session': s, 'edits': [edit]})
                        if 'error' in reply and reply['error']['data']['code'] != 'session-evicted':
                            wrong.append(reply)
        threads = [threading.Thread(target=work) for _ in range(12)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert not wrong, wrong[:3]


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
