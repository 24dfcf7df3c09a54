#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Small programs that are made to do harm: to replies, to other clients, to a batch. Reads SHAPE and SHAPED (default: in build/).

The last line is `N passed, N failed`. Arguments: words; only tests whose names contain one of them run.
"""
import base64
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import main, patience  # noqa: E402
from shaped import Daemon  # noqa: E402

SHAPE = os.environ.get('SHAPE', os.path.join(ROOT, 'build', 'shape'))
NAMES = ['a": 0}}}\n{"jsonrpc": "2.0"}\n{"x', '", "forged": {"y', '\\', '"', '\r\n', '\x7f', '\u2028', '</script>']


def varint(n):
    out = b''
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def number(field, n):
    return varint(field << 3) + varint(n)


def field(number_of, data):
    data = data.encode() if isinstance(data, str) else data
    return varint(number_of << 3 | 2) + varint(len(data)) + data


def node(op, inputs, outputs, domain=''):
    return b''.join(field(1, i) for i in inputs) + b''.join(field(2, o) for o in outputs) + field(4, op) + field(7, domain)


def value(name, dims):
    shape = b''.join(field(1, field(2, d)) for d in dims)
    return field(1, name) + field(2, field(1, number(1, 1) + field(2, shape)))


def model(nodes, inputs, outputs, functions=()):
    graph = b''.join(field(1, n) for n in nodes) + field(2, 'g') + b''.join(field(11, i) for i in inputs)
    graph += b''.join(field(12, field(1, o)) for o in outputs)
    return (number(1, 8) + field(7, graph) + field(8, field(1, '') + number(2, 17)) + field(8, field(1, 'd') + number(2, 1)) +
            b''.join(field(25, f) for f in functions))


def named(name):
    """A product whose dims have that name."""
    return model([node('MatMul', ['x', 'w'], ['y'])], [value('x', ['M' + name, name]), value('w', ['K' + name, 'N'])], ['y'])


def blob(data):
    return {'blob': base64.b64encode(data).decode()}


def unique(pairs):
    keys = [k for k, _ in pairs]
    assert len(set(keys)) == len(keys), 'a key twice: %s' % keys
    return dict(pairs)


def test_names_forge_no_reply():
    """One line with the id of the request, and nothing in it that the model says to be there."""
    with Daemon('--log-level', 'error') as d, d.client() as c:
        for k, name in enumerate(NAMES):
            for method, options in (('analyze', {}), ('analyze', {'render': 'text'}), ('explain', {'that': 'arg0.1 == arg1.0'}),
                                    ('explain', {'that': 'arg0.0 >= 1'}), ('refine', {'emit': 'json'}), ('refine', {'emit': 'smt2'})):
                c.send({'jsonrpc': '2.0', 'id': 'id%d' % k, 'method': method, 'params': dict(blob(named(name)), options=options)})
                line = b''
                while not line.endswith(b'\n'):
                    line += c.socket.recv(1 << 20)
                assert line.count(b'\n') == 1, (name, line)
                reply = json.loads(line, object_pairs_hook=unique)
                assert reply['id'] == 'id%d' % k and set(reply) == {'jsonrpc', 'id', 'result'}, reply
                assert 'forged' not in reply['result'], reply


def test_a_name_with_a_zero_costs_no_other_model_its_row():
    with tempfile.TemporaryDirectory() as folder:
        for k, name in enumerate(['', '\0', 'b\0c', '\\u0000']):
            with open(os.path.join(folder, 'm%d.onnx' % k), 'wb') as f:
                f.write(named(name))
        out = os.path.join(folder, 'rows')
        done = subprocess.run([SHAPE, 'batch', '-q', '--jsonl', out, folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with open(out, encoding='utf-8') as f:
            rows = [json.loads(line) for line in f]
        assert len(rows) == 4 and all(r['status'] == 'ok' for r in rows), (done.stderr, rows)
        assert '\\\\u0000' in json.dumps(rows[3]) or '\\u0000' in json.dumps(rows[3]), 'a name that spells an escape is kept'


def nested(depth):
    """Functions that each call the one before twice."""
    def function(name, nodes):
        imports = field(9, field(1, '') + number(2, 17)) + field(9, field(1, 'd') + number(2, 1))
        return field(1, name) + field(4, 'i') + field(5, 'o') + b''.join(field(7, n) for n in nodes) + imports + field(10, 'd')
    made = [function('f0', [node('Relu', ['i'], ['o'])])]
    for k in range(1, depth + 1):
        made.append(function('f%d' % k, [node('f%d' % (k - 1), ['i'], ['t'], 'd'), node('f%d' % (k - 1), ['t'], ['o'], 'd')]))
    return model([node('f%d' % depth, ['x'], ['y'], 'd')], [value('x', ['N'])], ['y'], made)


def test_functions_that_call_one_another_stop_no_loop():
    """The event loop hands what takes long to a worker, which the deadline ends."""
    with Daemon('--log-level', 'error', '--workers', '1', '--deadline', '500ms') as d, d.client() as c, d.client() as other:
        for attempt in range(3):
            c.send({'jsonrpc': '2.0', 'id': 1, 'method': 'analyze', 'params': blob(nested(22))})
            reply = c.read()
            assert 'result' in reply or reply['error']['data']['code'] == 'deadline', reply
            most = other.result('server/stats')['loop_max_us']
            if most < 20000 * patience(5):
                return
        raise AssertionError('the loop was busy for %d us' % most)


def test_repeated_elements_hold_no_other_memory():
    with Daemon('--log-level', 'error') as d, d.client() as c:
        t = 'tensor<4096xi64>'
        graph = {'functions': [{'name': 'main', 'arguments': [], 'returns': ['c'], 'ops': [
            ['onnx.Constant', [], ['c', t], {'value': {'dense': 7, 'type': t}}]]}]}
        for _ in range(3):
            c.result('analyze', {'text': '// ' + 'secret' * 5000})
            values = c.result('analyze', {'graph': graph})['functions'][0]['result_values'][0]
            assert values == [7] * 4096, [v for v in values if v != 7][:3]


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
