# SPDX-License-Identifier: Apache-2.0
"""Daemons and their clients, for system tests: real processes, real sockets. Reads SHAPED and SHAPE (default: in build/).

Every reply that `valid` sees is held against proto/schema/reply.json, every result against the schema of its method.
"""
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

from cases import patience
from schema import Schema

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

SHAPE = os.environ.get('SHAPE', os.path.join(ROOT, 'build', 'shape'))
SHAPED = os.environ.get('SHAPED', os.path.join(ROOT, 'build', 'shaped'))
SCHEMAS = os.path.join(ROOT, 'proto', 'schema')
REPLY = Schema(os.path.join(SCHEMAS, 'reply.json'))
RESULTS = {}
EXTRA = os.environ.get('SHAPED_OPTIONS', '').split()  # for every daemon, before its own options
PATIENCE = patience(30)  # seconds that any one step may take

ADD = '''func.func @main(%arg0: tensor<?x4xf32>, %arg1: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.add %arg0, %arg1 : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
'''
GRAPH = {'functions': [{'name': 'main', 'arguments': [['a', 'tensor<?x4xf32>'], ['b', 'tensor<?x4xf32>']],
                        'ops': [['stablehlo.add', ['a', 'b'], ['c', 'tensor<?x4xf32>']]], 'returns': ['c']}]}


def long_program(ops):
    """One that takes a while: a chain of operations."""
    lines = ['func.func @main(%a0: tensor<?x4xf32>) -> tensor<?x4xf32> {']
    lines += ['  %%a%d = stablehlo.add %%a%d, %%a%d : tensor<?x4xf32>' % (i + 1, i, i) for i in range(ops)]
    return '\n'.join(lines + ['  return %%a%d : tensor<?x4xf32>' % ops, '}', ''])


def hard_queries(count):
    """Parameters of query that take some 40 ms a query in a release build, and are small."""
    assume = ['mod(a*%d + b*%d + c*%d + d*%d + e, %d) <= floordiv(f*%d + g, %d)' % (
        i, i * i, i * 7 % 13, i * 5 % 11, i + 50, i, i + 3) for i in range(1, 31)]
    return {'symbols': {s: {'min': 0} for s in 'abcdefgh'}, 'assume': assume,
            'queries': [{'query': 'a + b + c <= f*g + h + %d' % i} for i in range(count)]}


def result_schema(method):
    if method not in RESULTS:
        name = method.replace('/', '-') + '.json'
        with open(os.path.join(SCHEMAS, name), encoding='utf-8') as handle:
            document = json.load(handle)
        schema = Schema(os.path.join(SCHEMAS, name))
        schema.top = schema.files[name] = dict(document, **{'$ref': '#/$defs/result'})
        RESULTS[method] = schema
    return RESULTS[method]


def valid(reply, method=None):
    """The reply, when it is one and its result is what its method promises."""
    problems = REPLY.problems(reply)
    if not problems and method and 'result' in reply:
        problems = result_schema(method).problems(reply['result'])
    assert not problems, '; '.join(problems[:3]) + ': ' + json.dumps(reply)[:300]
    return reply


def exchange(address, text):
    """What a listener sends to one who says this and no more, until it closes; it need not read all of it."""
    heard = b''
    with socket.create_connection(address, PATIENCE) as s:
        s.sendall(text)
        try:
            while data := s.recv(65536):
                heard += data
        except ConnectionResetError:
            pass
    return heard


class Client:
    def __init__(self, address, headers=False):
        family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
        self.socket = socket.socket(family)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(address)
        self.headers, self.data, self.last = headers, b'', 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def raw(self, data):
        self.socket.sendall(data)

    def send(self, message):
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.raw(b'Content-Length: %d\r\n\r\n%s' % (len(data), data) if self.headers else data + b'\n')

    def more(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise EOFError('the connection was closed')
        self.data += data

    def read(self):
        if not self.headers:
            while b'\n' not in self.data:
                self.more()
            line, self.data = self.data.split(b'\n', 1)
            return json.loads(line)
        while b'\r\n\r\n' not in self.data:
            self.more()
        head, self.data = self.data.split(b'\r\n\r\n', 1)
        length = int(head.split(b':')[1])
        while len(self.data) < length:
            self.more()
        body, self.data = self.data[:length], self.data[length:]
        return json.loads(body)

    def ended(self):
        """True when the daemon closes the connection; what it says before is kept in data."""
        try:
            while True:
                self.more()
        except (EOFError, ConnectionResetError):
            return True

    def call(self, method, params=None, ident=None):
        self.last += 1
        request = {'jsonrpc': '2.0', 'id': self.last if ident is None else ident, 'method': method}
        if params is not None:
            request['params'] = params
        self.send(request)
        reply = valid(self.read(), method)
        assert reply['id'] == request['id'], reply
        return reply

    def result(self, method, params=None):
        reply = self.call(method, params)
        assert 'result' in reply, reply
        return reply['result']

    def error(self, method, params=None, code=None):
        reply = self.call(method, params)
        assert 'error' in reply, reply
        assert code is None or reply['error']['data']['code'] == code, reply
        return reply['error']


class Daemon:
    def __init__(self, *options, path=None, env=None, program=SHAPED):
        self.program = program
        self.folder = tempfile.mkdtemp(prefix='shaped-test.')
        self.path = path or os.path.join(self.folder, 's')
        self.log = os.path.join(self.folder, 'log')
        self.options, self.env = options, dict(os.environ, **(env or {}))
        self.start()

    def start(self):
        """Again, too, after stop()."""
        with open(self.log, 'wb') as log:
            self.process = subprocess.Popen([self.program, '--socket', self.path, *EXTRA, *self.options], stderr=log,
                                            stdout=subprocess.DEVNULL, env=self.env)
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None and not self.listens() and time.monotonic() < end:
            time.sleep(0.01)

    def listens(self):
        if not {'warning', 'error'} & set(self.options):
            return re.search(r'event(=|": ?")listen\b', self.said()) is not None
        try:  # it does not say so
            Client(self.path).socket.close()
            return True
        except OSError:
            return False

    def stop(self, how=signal.SIGTERM):
        """The exit status."""
        self.process.send_signal(how)
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError('it did not end after the signal') from None

    def __enter__(self):
        assert self.process.poll() is None, 'it did not start: ' + self.said()
        return self

    def __exit__(self, kind, *_):
        if self.process.poll() is None:
            status = self.stop()
            assert kind or status == 0, 'exit status %d: %s' % (status, self.said()[-2000:])
        self.discard()

    def discard(self):
        """Of one that has ended: its log, which must report no error, and its folder."""
        said = self.said()
        assert 'Sanitizer' not in said and 'runtime error' not in said, said[-4000:]
        os.remove(self.log)
        for name in os.listdir(self.folder):
            os.remove(os.path.join(self.folder, name))
        os.rmdir(self.folder)

    def said(self):
        with open(self.log, encoding='utf-8', errors='replace') as log:
            return log.read()

    def client(self, **options):
        return Client(self.path, **options)

    def wait(self, condition, what='it'):
        """Waits until the condition holds; it is asked again and again."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, '%s did not happen: %s' % (what, self.said()[-1500:])
            time.sleep(0.005)

    def port(self, kind):
        """The port of the listener for clients, tls or http."""
        pattern = re.compile(r'event=listen on="[^"]*:(\d+)" for=%s ' % kind)
        self.wait(lambda: pattern.search(self.said()), 'listening for ' + kind)
        return int(pattern.search(self.said()).group(1))
