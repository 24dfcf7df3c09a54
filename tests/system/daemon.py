#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The daemon as clients meet it, but for its limits (limits.py): real processes, real sockets. Reads SHAPED and SHAPE (default: in build/).

Every reply is held against proto/schema/reply.json, every result against the schema of its method.
The last line is `N passed, N failed`. Arguments: words; only tests whose names contain one of them run.
"""
import base64
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from schema import Schema  # noqa: E402
from cases import main  # noqa: E402
from shaped import ADD, GRAPH, PATIENCE, SHAPE, SHAPED, Client, Daemon, hard_queries, long_program, valid  # noqa: E402


# ---------------------------------------------------------------- the protocol

def test_initialize_says_what_there_is():
    with Daemon('--max-batch', '7') as d, d.client() as c:
        result = c.result('initialize', {'anything': 1})
        assert 'analyze' in result['methods'] and 'stablehlo' in result['dialects']
        assert result['limits']['max-batch'] == 7


def test_ping_returns_its_parameters():
    with Daemon() as d, d.client() as c:
        assert c.result('server/ping', {'a': [1, {'b': None}]}) == {'a': [1, {'b': None}]}
        assert c.result('server/ping') == {}
        large = {'text': 'x' * 200000}  # over what the loop answers itself
        assert c.result('server/ping', large) == large


def test_analyze_takes_text_graph_and_blob():
    with Daemon() as d, d.client() as c:
        by_text = c.result('analyze', {'text': ADD})
        assert by_text['status'] == 'ok' and by_text['functions'][0]['argument_dims'][0][0] == 'S0'
        by_graph = c.result('analyze', {'graph': GRAPH})
        assert by_graph['functions'][0]['argument_dims'] == by_text['functions'][0]['argument_dims']
        by_blob = c.result('analyze', {'blob': base64.b64encode(ADD.encode()).decode()})
        assert by_blob == by_text
        with open(os.path.join(ROOT, 'tests', 'golden', 'check', 'bytecode', 'program.mlirbc'), 'rb') as f:
            bytecode = c.result('analyze', {'blob': base64.b64encode(f.read()).decode()})
        assert [op['name'] for op in bytecode['functions'][0]['ops']] == [
            'stablehlo.abs', 'stablehlo.reverse', 'stablehlo.add']


def test_analyze_takes_options():
    with Daemon() as d, d.client() as c:
        result = c.result('analyze', {'text': ADD, 'options': {'bind': {'arg0.0': 8}}})
        assert result['functions'][0]['arguments'] == ['tensor<8x4xf32>', 'tensor<8x4xf32>']
        again = c.result('analyze', {'text': ADD, 'options': {'bind': ['arg0.0=8'], 'assume': []}})
        assert result == again
        typed = c.result('analyze', {'text': ADD, 'options': {'arg_types': 'tensor<8x4xf32>,tensor<8x4xf32>'}})
        assert typed['functions'][0]['results'] == ['tensor<8x4xf32>']


def test_refine_returns_the_program():
    with Daemon() as d, d.client() as c:
        result = c.result('refine', {'text': ADD, 'options': {'bind': {'arg0.0': 8}}})
        assert result['status'] == 'ok' and 'tensor<8x4xf32>' in result['text'] and '?' not in result['text'], result
        graph = json.loads(c.result('refine', {'graph': GRAPH, 'options': {'emit': 'json', 'bind': ['arg0.0=8']}})['text'])
        assert c.result('analyze', {'graph': graph})['functions'][0]['arguments'] == ['tensor<8x4xf32>'] * 2
        assert '(assert' in c.result('refine', {'text': ADD, 'options': {'emit': 'smt2'}})['text']
        for form in ('mlir', 'c', 'python'):
            assert c.result('refine', {'text': ADD, 'options': {'emit': 'guards-' + form}})['text']
        whole = {'bound': {'arg0.0': 8}, 'generic': True, 'cleanup': True}
        bounded = c.result('refine', {'text': ADD, 'options': whole})['text']
        assert '"func.func"() (' in bounded and '#stablehlo.bounds<8, ?>' in bounded, bounded
        wrong = c.result('refine', {'text': ADD.replace('return %0', 'return %9')})
        assert wrong['errors'] == 1 and 'error' in wrong['text'], wrong
        dynamic = c.result('refine', {'text': ADD, 'options': {'require_static': True}})
        assert dynamic['errors'] > 0
        for options, path in (({'emit': 'pdf'}, 'params.options.emit'), ({'emit': 3}, 'params.options.emit'),
                              ({'bind': ['x']}, 'params.options')):
            assert c.error('refine', {'text': ADD, 'options': options}, 'invalid')['data']['path'] == path
        typed = {'arg_types': 'tensor<?x4xf32>,tensor<?x4xf32>'}
        reply = valid(c.call('refine', {'text': ADD, 'options': dict(typed, bind={'arg0.0': 8})}), 'refine')
        assert reply['result']['dynamic'] == [], reply
        bound = valid(c.call('refine', {'text': ADD, 'options': typed}), 'refine')
        with tempfile.NamedTemporaryFile('w', suffix='.mlir') as file:
            file.write(ADD)
            file.flush()
            said = shape('refine', '--arg-types', typed['arg_types'], file.name)[2].decode().splitlines()
            assert said == ['%s:%d:%d: note: %s stays %s: %s' % tuple([file.name] + [v[k] for k in (
                'line', 'column', 'what', 'type', 'reason')]) for v in bound['result']['dynamic']] and said, said
        assert 'dynamic' not in c.result('refine', {'text': ADD})
        for kind, op in (('bounded', 'set_dimension_size'), ('unbounded', 'real_dynamic_slice')):
            case = os.path.join(ROOT, 'tests', 'golden', 'refine', 'unbounded', 'program.mlir')
            with open(case, encoding='utf-8') as file:
                text = file.read()
            done = c.result('refine', {'text': text, 'options': {'dynamism': kind}})
            assert done['errors'] or op in done['text'], done
        c.error('refine', {'text': ADD, 'options': {'dynamism': 'none'}}, 'invalid')
        c.error('refine', {'graph': GRAPH}, 'invalid')  # a graph has no MLIR text to write into


def test_progress_is_told_to_those_who_ask():
    with Daemon('--progress', '10ms', '--deadline', '10m') as d, d.client() as c:
        schema = Schema(os.path.join(ROOT, 'proto', 'schema', 'progress.json'))
        for method, params, token in (('analyze', {'text': long_program(400000)}, 'a "quoted" token'),
                                      ('analyze', {'text': long_program(400000)}, 17), ('query', hard_queries(10), 'q')):
            c.send({'jsonrpc': '2.0', 'id': 1, 'method': method, 'params': dict(params, progress_token=token)})
            notes = []
            while 'id' not in (message := c.read()):
                assert not schema.problems(message), (message, schema.problems(message))
                notes.append(message['params'])
            assert ('answers' if method == 'query' else 'functions') in message['result'] and notes, 'no progress'
            assert all(note['token'] == token for note in notes)
            times = [note['value']['elapsed_ms'] for note in notes]
            steps = [note['value']['steps'] for note in notes]
            assert times == sorted(times) and steps == sorted(steps) and steps[-1] > 0
        assert c.result('server/ping', {}) == {}  # nothing comes after a reply
        for token in (None, True, [], {}, 'x' * 300):
            for method, params in (('analyze', {'text': ADD}), ('query', {'queries': []})):
                error = c.error(method, dict(params, progress_token=token), 'invalid')
                assert error['data']['path'] == 'params.progress_token'


def test_wrong_parameters_are_named_by_path():
    with Daemon() as d, d.client() as c:
        for params, path in ((None, 'params'), ([], 'params'), ({}, 'params'), ({'text': 3}, 'params.text'),
                             ({'graph': 3}, 'params.graph'), ({'blob': '???'}, 'params.blob'),
                             ({'text': ADD, 'graph': GRAPH}, 'params'),
                             ({'text': ADD, 'options': 3}, 'params.options'),
                             ({'text': ADD, 'options': {'assume': 3}}, 'params.options.assume'),
                             ({'text': ADD, 'options': {'assume': [3]}}, 'params.options.assume[0]'),
                             ({'text': ADD, 'options': {'steps': 'many'}}, 'params.options.steps'),
                             ({'text': ADD, 'options': {'werror': 1}}, 'params.options.werror')):
            error = c.error('analyze', params, 'invalid')
            assert error['data'].get('path') == path, (params, error)


def test_a_wrong_graph_is_an_answer_with_paths():
    with Daemon() as d, d.client() as c:
        graph = json.loads(json.dumps(GRAPH))
        graph['functions'][0]['ops'][0][1][1] = 'unknown'
        answer = c.result('analyze', {'graph': graph})
        assert answer['status'] == 'error'
        assert answer['diagnostics'][0]['message'].startswith('functions[0].ops[0][1][1]: ')


def test_large_integers_are_exact():
    with Daemon() as d, d.client() as c:
        text = 'func.func @main(%a: tensor<9007199254740993xi8>) -> tensor<9007199254740993xi8> {\n  return %a : ' \
               'tensor<9007199254740993xi8>\n}\n'
        answer = c.result('analyze', {'text': text})
        assert answer['functions'][0]['argument_dims'] == [['9007199254740993']], answer['functions']
        graph = {'functions': [{'name': 'main', 'arguments': [['a', {'dtype': 'i8', 'dims': ['9007199254740993']}]],
                                'returns': ['a']}]}
        assert c.result('analyze', {'graph': graph})['functions'][0]['argument_dims'] == [['9007199254740993']]
        c.send(b'{"jsonrpc":"2.0","id":9,"method":"analyze","params":{"graph":{"functions":[{"name":"main",'
               b'"arguments":[["a",{"dtype":"i8","dims":[9007199254740993]}]],"returns":["a"]}]}}}')
        assert valid(c.read())['result']['functions'][0]['argument_dims'] == [['9007199254740993']]


def test_query_ops_stats_and_discover():
    with Daemon() as d, d.client() as c:
        answers = c.result('query', {'symbols': {'a': {'min': 0}}, 'assume': ['a % 4 == 0'], 'queries': [
            {'query': 'a % 2 == 0'}, {'query': 'a == 3'}, {'query': 'a > 5'}, {'nothing': 1}]})['answers']
        assert [a.get('answer') for a in answers] == ['true', 'false', 'unknown', None], answers
        assert any(row['name'] == 'stablehlo.add' for row in c.result('ops/list')['ops'])
        stats = c.result('server/stats')
        assert stats['connections']['open'] == 1 and stats['methods']['query']['answered'] == 1
        described = c.result('rpc.discover')
        for method in described['methods']:
            name = method['result']['schema']['$ref'].split('#')[0]
            assert os.path.exists(os.path.join(ROOT, 'proto', name)), name
        assert {m['name'] for m in described['methods']} == set(c.result('initialize')['methods'])
        built = os.path.join(os.environ.get('BUILD_DIR', os.path.join(ROOT, 'build')), 'openrpc.json')
        with open(built, encoding='utf-8') as file:
            assert json.load(file) == described


def test_ids_come_back_as_they_were():
    with Daemon() as d, d.client() as c:
        for ident in (0, -1, 12345678901234567890, 'a', 'ä"\\\n', ''):
            assert c.call('server/ping', {}, ident)['id'] == ident
        c.send(b'{"jsonrpc":"2.0","id":null,"method":"server/ping"}')
        assert valid(c.read())['id'] is None


def test_requests_that_are_none():
    with Daemon() as d, d.client() as c:
        for text, code, ident in ((b'{}', 'invalid-request', None), (b'3', 'invalid-request', None),
                                  (b'[]', 'invalid-request', None), (b'{"jsonrpc":"2.0","id":4}', 'invalid-request', 4),
                                  (b'{"jsonrpc":"1.0","id":4,"method":"server/ping"}', 'invalid-request', 4),
                                  (b'{"jsonrpc":"2.0","id":[],"method":"server/ping"}', 'invalid-request', None),
                                  (b'{"jsonrpc":"2.0","id":4,"method":7}', 'invalid-request', 4),
                                  (b'{"jsonrpc":"2.0","id":4,"method":"server/ping","params":3}', 'invalid-request', 4),
                                  (b'{"jsonrpc":"2.0","id":4,"method":"nope"}', 'method-not-found', 4),
                                  (b'{"jsonrpc":"2.0","id":4,"method":"server/ping","params":{]}', 'parse-error', 4),
                                  (b'{"jsonrpc":"2.0","id":4,"method":"server/ping","params":{"a":01}}', 'parse-error', 4),
                                  (b'{"jsonrpc":"2.0","id":4,"method":"server/ping","params":{"a":1,"a":2}}', None, 4),
                                  (b'{"jsonrpc":"2.0","id":4,"method":"server/ping","params":["\xff"]}', 'parse-error', 4),
                                  (b'{"jsonrpc":"2.0","id":4,"method":"server/ping"} x', 'parse-error', None),
                                  (b'{"jsonrpc":"2.0"', 'parse-error', None), (b'!!', None, None),
                                  (b'[' * 100000, 'parse-error', None)):
            c.send(text)
            reply = valid(c.read())
            assert 'error' in reply and reply['id'] == ident, (text[:80], reply)
            assert code is None or reply['error']['data']['code'] == code, (text[:80], reply)
        assert c.result('server/ping', {}) == {}


def test_batches():
    with Daemon('--max-batch', '4') as d, d.client() as c:
        def ping(**more):
            return dict({'jsonrpc': '2.0', 'method': 'server/ping'}, **more)

        c.send([ping(id=1), ping(), {'other': 1}, {'jsonrpc': '2.0', 'id': 'x', 'method': 'analyze', 'params': {'text': ADD}}])
        replies = c.read()
        for reply in replies:
            valid(reply)
        assert sorted(str(r['id']) for r in replies) == ['1', 'None', 'x'], replies
        c.send([ping(), ping()])  # nothing but notifications: no reply at all
        c.send([ping(id=i) for i in range(5)])
        error = valid(c.read())['error']['data']
        assert error['code'] == 'size' and error['limit'] == 'max-batch'
        assert c.result('server/ping', {}) == {}


def test_notifications_get_no_reply():
    with Daemon() as d, d.client() as c:
        c.send({'jsonrpc': '2.0', 'method': 'server/ping'})
        c.send({'jsonrpc': '2.0', 'method': 'nope'})
        c.send({'jsonrpc': '2.0', 'method': '$/whatever'})
        c.send({'jsonrpc': '2.0', 'method': 'analyze', 'params': {'text': ADD}})
        assert c.call('server/ping', {}, 'mine')['id'] == 'mine'


def test_large_messages_keep_their_order():
    """They are taken apart beside the loop; what the same client sent after them waits, and others do not notice."""
    padding = 'x' * 3000000
    for headers in (False, True):
        with Daemon('--workers', '1') as d, d.client(headers=headers) as c, d.client() as other:
            c.send({'jsonrpc': '2.0', 'id': 1, 'method': 'analyze', 'params': {'text': long_program(100000)}})
            c.send({'jsonrpc': '2.0', 'method': '$/cancelRequest', 'params': {'id': 1}})
            assert valid(c.read())['error']['data']['code'] == 'cancelled'
            assert other.result('server/ping', {}) == {}
            c.send([{'jsonrpc': '2.0', 'id': 2, 'method': 'nope'}, {'x': padding}])
            c.send({'jsonrpc': '2.0', 'id': 3, 'method': 'server/ping', 'params': [padding]})
            c.send({'jsonrpc': '2.0', 'id': 4, 'method': 'nope', 'params': [padding]})
            c.send({'jsonrpc': '2.0', 'id': 5, 'method': 'server/ping'})
            c.socket.shutdown(socket.SHUT_WR)
            assert [r['error']['data']['code'] for r in c.read()] == ['method-not-found', 'invalid-request']
            seen = [valid(c.read())['id'] for _ in range(3)]  # 3 is a worker's
            assert sorted(seen) == [3, 4, 5] and seen.index(4) < seen.index(5), seen
            assert c.ended()
            with d.client() as invalid:
                invalid.send(b'{"x": "' + b'x' * 3000000)
                assert valid(invalid.read())['error']['data']['code'] == 'parse-error'
                invalid.send(b'[' * 3000000)
                assert valid(invalid.read())['error']['data']['code'] == 'parse-error'
                assert invalid.result('server/ping', {}) == {}
            for _ in range(20):  # gone while it is taken apart
                with d.client() as gone:
                    gone.send({'jsonrpc': '2.0', 'id': 1, 'method': 'server/ping', 'params': [padding]})
            d.wait(lambda: other.result('server/stats')['connections']['open'] == 1, 'their ends')
            d.process.send_signal(signal.SIGTERM)
            assert d.process.wait(PATIENCE) == 0


def test_the_end_while_a_large_message_is_taken_apart():
    for how in (1, 2):
        with Daemon() as d, d.client() as c:
            c.send({'jsonrpc': '2.0', 'id': 1, 'method': 'server/ping', 'params': ['x' * 20000000]})
            for _ in range(how):
                d.process.send_signal(signal.SIGTERM)
            assert d.process.wait(PATIENCE) == 0


# ---------------------------------------------------------------- framing

def test_headers_frame_both_ways():
    with Daemon() as d, d.client(headers=True) as c:
        assert c.result('analyze', {'text': ADD})['status'] == 'ok'
        body = b'{"jsonrpc":"2.0","id":1,"method":"server/ping"}'
        c.raw(b'content-type: x\r\ncontent-length:%d\r\n\r\n' % len(body) + body + b'Content-Length: 47\r\n\r\n' + body)
        assert c.read()['id'] == 1 and c.read()['id'] == 1


def test_messages_in_pieces_and_in_one():
    body = b'{"jsonrpc":"2.0","id":1,"method":"server/ping","params":{"a":"b"}}'
    with Daemon() as d:
        for data in (body + b'\n', b'Content-Length: %d\r\n\r\n' % len(body) + body):
            with d.client(headers=data[:1] == b'C') as c:
                for i in range(len(data)):
                    c.raw(data[i:i + 1])
                assert c.read()['id'] == 1
                c.raw(data * 50)
                for _ in range(50):
                    assert c.read()['result'] == {'a': 'b'}
        with d.client() as c:  # the last line may lack its end
            c.raw(b'\r\n \n' + body)
            c.socket.shutdown(socket.SHUT_WR)
            assert c.read()['id'] == 1 and c.ended()


def test_headers_that_make_no_sense_end_the_connection():
    with Daemon() as d:
        for head in (b'GET / HTTP/1.1\r\nHost: x\r\n\r\n', b'Content-Length: x\r\n\r\n', b'Content-Length: -1\r\n\r\n',
                     b'Content-Length: 99999999999999999999999\r\n\r\n', b'Foo: 1\r\n\r\n', b'A' * 5000,
                     b'\x16\x03\x01\x02\x00', b'\xff\xfe', b'\x00'):
            with d.client() as c:
                c.raw(head)
                assert c.ended(), head
                assert b'parse-error' in c.data, (head, c.data)
        with d.client() as c:
            assert c.result('server/ping') == {}


# ---------------------------------------------------------------- clients that come and go

def test_half_a_message_and_gone():
    with Daemon() as d:
        for _ in range(20):
            c = d.client()
            c.raw(b'{"jsonrpc":"2.0","id":1,"method":"analyze","params":{"text":"fun')
            c.socket.close()
            c = d.client(headers=True)
            c.raw(b'Content-Length: 1000\r\n\r\n{"json')
            c.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
            c.socket.close()
        with d.client() as c:
            end = time.monotonic() + PATIENCE
            while c.result('server/stats')['connections']['open'] > 1 and time.monotonic() < end:
                time.sleep(0.01)
            stats = c.result('server/stats')
            assert stats['connections']['open'] == 1 and stats['in_flight'] == 0, stats


def test_a_client_that_leaves_ends_its_work():
    with Daemon('--workers', '1') as d:
        text = long_program(20000)
        c = d.client()
        for i in range(8):
            c.send({'jsonrpc': '2.0', 'id': i, 'method': 'analyze', 'params': {'text': text}})
        c.socket.close()
        with d.client() as other:
            assert other.result('analyze', {'text': ADD})['status'] == 'ok'
            end = time.monotonic() + PATIENCE
            while other.result('server/stats')['in_flight'] and time.monotonic() < end:
                time.sleep(0.01)
            assert other.result('server/stats')['in_flight'] == 0


def test_cancel():
    with Daemon('--workers', '1') as d, d.client() as c:
        text = long_program(60000)
        for ident in ('a', 'b'):
            c.send({'jsonrpc': '2.0', 'id': ident, 'method': 'analyze', 'params': {'text': text}})
        for ident in ('b', 'a', 'unknown'):
            c.send({'jsonrpc': '2.0', 'method': '$/cancelRequest', 'params': {'id': ident}})
        replies = {}
        while len(replies) < 2:
            reply = valid(c.read())
            replies[reply['id']] = reply
        assert replies['b']['error']['code'] == -32800, replies['b']  # it was still waiting
        assert 'result' in replies['a'] or replies['a']['error']['code'] == -32800
        assert c.result('server/ping', {}) == {}


def test_many_clients_get_their_own_answers():
    failures = []

    def work(d, number):
        try:
            with d.client(headers=number % 2 == 1) as c:
                for i in range(10):
                    c.send({'jsonrpc': '2.0', 'id': i, 'method': 'analyze',
                            'params': {'text': ADD, 'options': {'bind': {'arg0.0': number * 100 + i}}}})
                seen = {}
                for _ in range(10):
                    reply = valid(c.read(), 'analyze')
                    seen[reply['id']] = reply['result']['functions'][0]['argument_dims'][1][0]
                assert seen == {i: number * 100 + i for i in range(10)}, seen
        except Exception as error:  # pylint: disable=broad-except
            failures.append(repr(error))

    with Daemon() as d:
        threads = [threading.Thread(target=work, args=(d, n)) for n in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not failures, failures[0]


# ---------------------------------------------------------------- the process

def test_socket_has_its_mode_and_goes_at_the_end():
    d = Daemon()
    with d:
        assert os.stat(d.path).st_mode & 0o777 == 0o660
        path = d.path
        d.process.send_signal(signal.SIGTERM)
        assert d.process.wait(PATIENCE) == 0
        assert not os.path.exists(path)


def start(*options):
    return subprocess.run([SHAPED, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE,
                          check=False, universal_newlines=True)


def test_a_socket_in_use_is_refused():
    with Daemon() as d:
        done = start('--socket', d.path)
        assert done.returncode == 1 and 'already in use' in done.stderr, done
        with d.client() as c:
            assert c.result('server/ping') == {}


def test_a_stale_socket_is_replaced():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 's')
        first = Daemon(path=path)
        first.process.kill()
        first.process.wait()
        assert os.path.exists(path)
        with Daemon(path=path) as d, d.client() as c:
            assert c.result('server/ping') == {}


def test_sockets_that_cannot_be_bound():
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, 'file')
        with open(file, 'w', encoding='utf-8') as handle:
            handle.write('precious')
        for path, message in ((file, 'is not a socket'), (os.path.join(folder, 'no', 's'), 'cannot'),
                              (os.path.join(folder, 'x' * 120), 'bytes long')):
            done = start('--socket', path)
            assert done.returncode == 1 and message in done.stderr, done
        with open(file, encoding='utf-8') as handle:
            assert handle.read() == 'precious'


def test_usage_and_configuration():
    for options in (('--nope', '1'), ('--workers',), ('--workers', 'x'), ('--max-depth', '5'), ('--deadline', '1 day'),
                    ('extra',), ('--log-level', 'loud'), ('--config', '/nonexistent')):
        done = start(*options)
        assert done.returncode == 2 and done.stderr, (options, done)
    for options in (('--tcp', '0.0.0.0:0'), ('--tcp', 'example.org:1'), ('--tcp', 'x')):
        with tempfile.TemporaryDirectory() as folder:
            done = start('--socket', os.path.join(folder, 's'), *options)
            assert done.returncode == 1 and 'tcp' in done.stderr, (options, done)
    assert '--max-message' in start('--help').stdout and start('--version').stdout.startswith('shaped ')
    with tempfile.NamedTemporaryFile('w', suffix='.conf') as config:
        config.write('# limits\nworkers = 1\n\n deadline=5s # no\n')
        config.flush()
        done = start('--config', config.name, '--check-config')
        assert done.returncode == 2 and ':4: ' in done.stderr, done
        config.seek(0)
        config.truncate()
        config.write('workers = 1\ndeadline = 5s\n')
        config.flush()
        assert start('--config', config.name, '--check-config').returncode == 0
        with Daemon('--config', config.name) as d, d.client() as c:
            assert c.result('initialize')['limits']['deadline'] == 5000
            assert c.result('server/stats')['workers'] == 1
    # An address that could not be listened on is found by the check, too.
    for option, wrong in (('tcp', '7000'), ('tcp', '0.0.0.0:7000'), ('tcp', 'host:7000'), ('http', 'http.sock'),
                          ('http', '127.0.0.1:70000')):
        done = start('--' + option, wrong, '--check-config')
        assert done.returncode == 2 and option + ': ' in done.stderr, (option, wrong, done)
    for option, right in (('tcp', 'localhost:0'), ('tcp', '[::1]:0'), ('http', '0.0.0.0:9464'), ('http', '/run/http')):
        assert start('--' + option, right, '--check-config').returncode == 0, (option, right)


def test_reload_is_all_or_nothing():
    with tempfile.NamedTemporaryFile('w', suffix='.conf') as config:
        def write(text):
            config.seek(0)
            config.truncate()
            config.write(text)
            config.flush()

        def reload(d, outcome):
            count = d.said().count('event=reload')
            d.process.send_signal(signal.SIGHUP)
            end = time.monotonic() + PATIENCE
            while d.said().count('event=reload') == count and time.monotonic() < end:
                time.sleep(0.01)
            assert 'outcome=' + outcome in d.said().splitlines()[-1], d.said()

        write('max-batch = 5\n')
        with Daemon('--config', config.name) as d, d.client() as c:
            write('max-batch = 6\n')
            reload(d, 'ok')
            assert c.result('initialize')['limits']['max-batch'] == 6
            write('max-batch = 7\nworkers = 9\n')
            reload(d, 'refused')
            write('max-batch = 8\nnonsense\n')
            reload(d, 'refused')
            os.rename(config.name, config.name + '.file')
            os.mkfifo(config.name)  # to open it waits for a writer
            reload(d, 'refused')
            os.rename(config.name + '.file', config.name)
            assert c.result('initialize')['limits']['max-batch'] == 6


def test_a_manager_that_does_not_listen_holds_nothing_up():
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(os.path.join(folder, 'n'))
        env = {'NOTIFY_SOCKET': os.path.join(folder, 'n'), 'WATCHDOG_USEC': '2000'}
        with Daemon(env=env) as d, d.client() as c:
            filler = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            filler.setblocking(False)
            try:
                while True:
                    filler.sendto(b'x', os.path.join(folder, 'n'))
            except BlockingIOError:
                pass
            filler.close()
            for k in range(20):
                assert c.result('server/ping', {'n': k}) == {'n': k}
                time.sleep(0.01)
            d.process.send_signal(signal.SIGHUP)
            assert c.result('server/ping') == {}


def test_drain_answers_what_is_under_way():
    with Daemon('--workers', '1') as d, d.client() as c:
        text = long_program(20000)
        for i in range(3):
            c.send({'jsonrpc': '2.0', 'id': i, 'method': 'analyze', 'params': {'text': text}})
        time.sleep(0.05)
        d.process.send_signal(signal.SIGTERM)
        assert sorted(valid(c.read())['id'] for _ in range(3)) == [0, 1, 2]
        assert c.ended() and d.process.wait(PATIENCE) == 0


def test_drain_has_a_deadline_and_a_second_signal_is_now():
    with Daemon('--workers', '1', '--drain', '50ms') as d, d.client() as c:
        for i in range(2):  # minutes of work each: neither has a reply that is being written when the time is over
            c.send({'jsonrpc': '2.0', 'id': i, 'method': 'query', 'params': hard_queries(5000)})
        with d.client() as other:
            d.wait(lambda: other.result('server/stats')['in_flight'] == 2, 'two requests')
        d.process.send_signal(signal.SIGTERM)
        assert [valid(c.read()).get('error', {}).get('code') for _ in range(2)] == [-32800, -32800]
        assert d.process.wait(PATIENCE) == 0
    with Daemon('--workers', '1', '--drain', '60m') as d, d.client() as c:
        for i in range(20):  # minutes of work each
            c.send({'jsonrpc': '2.0', 'id': i, 'method': 'query', 'params': hard_queries(5000)})
        with d.client() as other:
            d.wait(lambda: other.result('server/stats')['in_flight'] == 20, 'twenty requests')
        d.process.send_signal(signal.SIGTERM)
        time.sleep(0.1)
        d.process.send_signal(signal.SIGTERM)
        assert d.process.wait(PATIENCE) == 0


def test_tcp_on_loopback():
    with Daemon('--tcp', '127.0.0.1:0') as d:
        port = int(d.said().split('127.0.0.1:')[1].split('"')[0])
        with Client(('127.0.0.1', port)) as c:
            assert c.result('analyze', {'text': ADD})['status'] == 'ok'


def test_sockets_that_are_handed_over():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 's')
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen(8)
        notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        notify.bind(os.path.join(folder, 'n'))
        notify.settimeout(PATIENCE)
        number = listener.fileno()
        code = ('import os,sys; os.dup2(%d, 3); os.set_inheritable(3, True); os.environ["LISTEN_PID"] = str(os.getpid());'
                'os.environ["LISTEN_FDS"] = "1"; os.environ["NOTIFY_SOCKET"] = %r; os.execv(%r, ["shaped"])'
                % (number, os.path.join(folder, 'n'), SHAPED))
        process = subprocess.Popen([sys.executable, '-c', code], pass_fds=[number], stderr=subprocess.DEVNULL)
        try:
            assert notify.recv(100) == b'READY=1'
            with Client(path) as c:
                assert c.result('server/ping') == {}
            process.send_signal(signal.SIGTERM)
            assert notify.recv(100) == b'STOPPING=1'
            assert process.wait(PATIENCE) == 0 and os.path.exists(path)
        finally:
            process.kill()
            process.wait()
            listener.close()
            notify.close()


def test_the_log_has_no_names_of_programs():
    with Daemon('--log-level', 'debug') as d, d.client() as c:
        text = ADD.replace('main', 'secret_name').replace('arg0', 'secret_value')
        c.result('analyze', {'text': text, 'name': 'secret_file'})
        lines = [line for line in d.said().splitlines() if 'method="analyze"' in line]
        assert len(lines) == 1 and 'outcome=ok' in lines[0], lines
        assert 'secret' not in d.said()


# ---------------------------------------------------------------- the command line as a client

def shape(*arguments, stdin=b''):
    done = subprocess.run([SHAPE, *arguments], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=PATIENCE, check=False)
    return done.returncode, done.stdout, done.stderr


def test_connect_prints_what_the_library_prints():
    demo = os.path.join(ROOT, 'deploy', 'demo')
    files = [os.path.join(demo, name) for name in sorted(os.listdir(demo)) if name.endswith('.mlir')]
    inputs = [ADD.encode(), b'', b'\x00\x01binary', b'func.func @main(', json.dumps(GRAPH).encode(), b'{"a": [}',
              'func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> { // ä\n  return %b : tensor<?xf32>\n}'.encode(),
              b'func.func @main(%a: tensor<?xf32>) { // \xff\n  "x"(%\xff) : () -> ()\n  return\n}',
              b'ML\xefR\x0dStableHLO_v1.0.0\x00']
    with Daemon() as d:
        for options in ((), ('--json',), ('--bind', 'arg0.0=8'), ('--bind', 'nonsense'), ('--assume', 'arg0.0 % 8 == 0'),
                        ('--arg-types', 'tensor<3x4xf32>,tensor<3x4xf32>'), ('--werror', '--json'), ('--refinable',)):
            for file in files:
                here, there = shape('check', *options, file), shape('check', *options, '--connect', d.path, file)
                assert here == there, (options, file, here, there)
            for text in inputs:
                here = shape('check', *options, '-', stdin=text)
                there = shape('check', *options, '--connect', d.path, '-', stdin=text)
                assert here == there, (options, text, here, there)
        for that in ('arg0.0 == arg1.0', 'arg0.0 == 3', 'arg0.0 ==', 'zz > 0'):
            here = shape('explain', '--that', that, files[0])
            assert here == shape('explain', '--that', that, '--connect', d.path, files[0]), that
        for at in (('1:1',), ('10:3',), ('10:120', '--json'), ('99:1',), ('4:1', '--bind', 'arg0.0=8')):
            here = shape('explain', '--at', *at, files[0])
            assert here == shape('explain', '--at', *at, '--connect', d.path, files[0]), at


def test_explain():
    text = open(os.path.join(ROOT, 'deploy', 'demo', 'heads.mlir'), encoding='utf-8').read()
    with Daemon() as d, d.client() as c:
        claims = ['arg0.0*arg0.1 == arg0.0*arg1.1', 'arg0.1 == arg1.1']
        yes, no = [valid(c.call("explain", {"text": text, "options": {"that": that}}), "explain")["result"]
                   for that in claims]
        assert yes['answer'] == 'yes' and len(yes['because']) == 1 and 'run' not in yes, yes
        run = {name: int(value) for name, value in no['run'].items()}
        assert no['answer'] == 'no' and run['arg0.1'] != run['arg1.1'], no
        assert run['arg0.0'] * run['arg0.1'] == run['arg0.0'] * run['arg1.1'], no
        at = valid(c.call('explain', {'text': text, 'options': {'at': {'line': 10, 'column': 3}}}), 'explain')['result']
        assert [s['dim'] for s in at['dims']] == ['arg0.0', 'arg1.1'], at
        assert [b['line'] for b in at['dims'][1]['because']] == [5, 7, 9, 10], at
        for wrong in ({'line': 1}, {'line': 0, 'column': 1}, '10:3', {'line': 2, 'column': 1}):
            c.error('explain', {'text': text, 'options': {'at': wrong}}, 'invalid')
        c.error('explain', {'text': text, 'options': {'at': {'line': 10, 'column': 3}, 'that': '1 == 1'}}, 'invalid')
        c.error('explain', {'text': text}, 'invalid')
        c.error('explain', {'text': text, 'options': {'that': 'arg0.1 =='}}, 'invalid')
        invalid = c.result('explain', {'text': 'func.func @main(', 'options': {'that': 'S0 == 1'}})
        assert invalid['status'] == 'error', invalid


def test_profiles_and_cost():
    case = os.path.join(ROOT, 'tests', 'golden', 'check', 'profile-illegal', 'program.mlir')
    text, profile = open(case, encoding='utf-8').read(), 'arg0.0=1:8:64,arg0.1=128:128:512,arg1.0=8:8:64'
    with Daemon() as d, d.client() as c:
        asked = {'text': text, 'name': case, 'options': {'profiles': [profile]}}
        for method in 'profile/check', 'analyze':
            result = valid(c.call(method, asked), method)['result']
            status, printed, _ = shape('check', '--json', '--profile', profile, case)
            assert status == 1 and result == json.loads(printed), result
        rendered = dict(asked, options={'profiles': [profile], 'render': 'text'})
        assert valid(c.call('profile/check', rendered), 'profile/check')['result']['answer'] == 'no'
        for options in {}, {'profiles': []}:
            c.error('profile/check', {'text': text, 'options': options}, 'invalid')
        c.error('profile/check', {'text': text, 'options': {'profiles': ['arg0.0=1']}}, 'invalid')
        options = {'point': 'arg0.0=8,arg0.1=128,arg1.0=8', 'over': 'arg0.0=1:8:64,arg0.1=128,arg1.0=8', 'reuse': True,
                   'flops_per_byte': 4.5}
        result = valid(c.call('cost', {'text': text, 'name': case, 'options': options}), 'cost')['result']
        status, printed, _ = shape('cost', '--json', '--at', options['point'], '--profile', options['over'], '--reuse',
                                   '--flops-per-byte', '4.5', case)
        assert status == 0 and result == json.loads(printed) and result['legal'] is True, result
        assert valid(c.call('cost', {'text': 'func.func @main('}), 'cost')['result']['status'] == 'error'
        c.error('cost', {'text': text, 'options': {'point': 'arg0.0=8'}}, 'invalid')
        c.error('cost', {'text': text, 'options': {'flops_per_byte': 0}}, 'invalid')


def test_diff():
    case = os.path.join(ROOT, 'tests', 'golden', 'diff', 'changed')
    old, new = (open(os.path.join(case, name), encoding='utf-8').read() for name in ('old.mlir', 'new.mlir'))
    with Daemon() as d, d.client() as c:
        both = {'old': {'text': old, 'name': 'old.mlir'}, 'new': {'text': new, 'name': 'new.mlir'}}
        result = valid(c.call('diff', both), 'diff')['result']
        status, printed, _ = shape('diff', '--json', os.path.join(case, 'old.mlir'), os.path.join(case, 'new.mlir'))
        assert status == 1 and result == json.loads(printed) and result['differences'], result
        rendered = valid(c.call('diff', dict(both, options={'render': 'text'})), 'diff')['result']
        with open(os.path.join(case, 'expected.out'), encoding='utf-8') as f:
            assert rendered['text'] == f.read()
        assert c.result('diff', {'old': {'text': ADD}, 'new': {'graph': GRAPH}})['status'] == 'ok'
        blob = {'blob': base64.b64encode(old.encode()).decode()}
        assert c.result('diff', {'old': {'text': old}, 'new': blob})['differences'] == []
        bound = c.result('diff', dict(both, options={'bind': {'arg0.0': 8}}))['differences']
        assert 0 < len(bound) < len(result['differences']), bound
        invalid = valid(c.call('diff', {'old': {'text': old}, 'new': {'text': 'func.func @main('}}), 'diff')['result']
        assert invalid == {'status': 'error', 'errors': [0, 1], 'differences': []}, invalid
        odd = base64.b64encode(b'func.func @"\xff"(%\xff: tensor<?xf32>) { return }').decode()
        valid(c.call('diff', {'old': {'blob': odd}, 'new': {'text': new}}), 'diff')
        for params, path in ((None, 'params'), ([], 'params'), ({'old': {'text': ADD}}, 'params.new'),
                             ({'old': 3, 'new': {'text': ADD}}, 'params.old'), (dict(both, old={}), 'params.old'),
                             (dict(both, new={'text': 3}), 'params.new.text'),
                             (dict(both, new={'text': ADD, 'options': {}}), 'params.new.options'),
                             (dict(both, options=[]), 'params.options'),
                             (dict(both, options={'bind': ['x']}), 'params.options')):
            error = c.error('diff', params, 'invalid')
            assert error['data'].get('path') == path, (params, error)
        c.error('diff', {'old': {'text': ADD}, 'new': {'text': long_program(100000)}, 'options': {'deadline': 1}}, 'deadline')


def test_commands_of_a_client():
    with Daemon() as d:
        status, out, _ = shape('ping', '--connect', d.path)
        assert status == 0 and b'answers' in out
        status, out, _ = shape('stats', '--connect', d.path)
        assert status == 0 and json.loads(out)['draining'] is False
        status, out, _ = shape('call', 'server/ping', '{"a":\n1}', '--connect', d.path)
        assert status == 0 and json.loads(out) == {'a': 1}
        status, out, err = shape('call', 'nope', '--connect', d.path)
        assert status == 2 and b'no method' in err
        status, _, err = shape('call', 'server/ping', '{', '--connect', d.path)
        assert status == 2 and err
        path = d.path
    for command in (('ping',), ('stats',), ('call', 'server/ping'), ('check', '-')):
        status, out, err = shape(*command, '--connect', path, stdin=ADD.encode())
        assert status == 6 and err and not out, (command, status, out, err)
    status, _, err = shape('ping', '--connect', '/' + 'x' * 200)
    assert status == 6 and err


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
