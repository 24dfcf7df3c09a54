#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""libshape-client.so against a real daemon: the shared library is loaded and called as a program would.

Reads BUILD_DIR (default: build/). The last line is `N passed, N failed[, N skipped]`. Arguments: words; only tests whose
names contain one of them run.
"""
import ctypes as ct
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
import cases  # noqa: E402
from shaped import ADD, Daemon, PATIENCE, long_program  # noqa: E402

BUILD = os.environ.get('BUILD_DIR', os.path.join(ROOT, 'build'))
LIBRARY = os.path.join(BUILD, 'libshape-client.so.1')
OK, REFUSED, AGAIN, DEADLINE, ABSENT, BROKEN, INVALID, MEMORY = range(8)
READ, WRITE = 1, 2


class Json(ct.Structure):
    _fields_ = [('text', ct.c_void_p), ('length', ct.c_size_t)]

    def value(self):
        return json.loads(ct.string_at(self.text, self.length)) if self.length else None


class Options(ct.Structure):
    _fields_ = [('address', ct.c_char_p), ('timeout_ms', ct.c_int), ('max_reply', ct.c_size_t), ('reconnect', ct.c_bool)]


class Reply(ct.Structure):
    _fields_ = [('id', ct.c_uint64), ('result', Json), ('error', Json)]


class Error(ct.Structure):
    _fields_ = [('code', ct.c_int), ('name', ct.c_char * 40), ('path', ct.c_char * 160), ('message', ct.c_char * 1024),
                ('retryable', ct.c_bool)]


def load():
    library = ct.CDLL(LIBRARY)
    client = ct.c_void_p
    for name, result, *arguments in (
            ('open', ct.c_int, ct.POINTER(Options), ct.POINTER(client)), ('close', None, client),
            ('reconnect', ct.c_int, client), ('message', ct.c_char_p, client), ('address', ct.c_char_p, client),
            ('call', ct.c_int, client, ct.c_char_p, Json, ct.c_int, ct.POINTER(Reply)),
            ('send', ct.c_int, client, ct.c_char_p, Json, ct.POINTER(ct.c_uint64)),
            ('cancel', ct.c_int, client, ct.c_uint64), ('fd', ct.c_int, client), ('wants', ct.c_uint, client),
            ('work', ct.c_int, client), ('next', ct.c_int, client, ct.POINTER(Reply)),
            ('read_error', None, Json, ct.POINTER(Error))):
        function = getattr(library, 'shape_client_' + name)
        function.restype, function.argtypes = result, arguments
    return library


class Client:
    library = None

    def __init__(self, address, **options):
        if Client.library is None:
            Client.library = load()
        self.handle = ct.c_void_p()
        self.reply = Reply()
        given = Options(address=None if address is None else address.encode(), **options)
        self.opened = self.library.shape_client_open(given, ct.byref(self.handle))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.library.shape_client_close(self.handle)

    def params(self, value):
        """None: no parameters; bytes as they are. The text stays alive until the next request."""
        if value is None:
            return Json(None, 0)
        self.kept = value if isinstance(value, bytes) else json.dumps(value).encode()
        return Json(ct.cast(ct.c_char_p(self.kept), ct.c_void_p), len(self.kept))

    def call(self, method, value=None, timeout_ms=0):
        return self.library.shape_client_call(self.handle, method.encode(), self.params(value), timeout_ms, self.reply)

    def send(self, method, value=None):
        ident = ct.c_uint64()
        status = self.library.shape_client_send(self.handle, method.encode(), self.params(value), ident)
        assert status == OK, self.message()
        return ident.value

    def wait(self):
        wants = self.library.shape_client_wants(self.handle)
        fd = self.library.shape_client_fd(self.handle)
        select.select([fd] if wants & READ else [], [fd] if wants & WRITE else [], [], PATIENCE)
        return self.library.shape_client_work(self.handle)

    def next(self):
        return self.library.shape_client_next(self.handle, self.reply)

    def replies(self, count):
        """{id: (status, result or error)} of that many replies."""
        got = {}
        while len(got) < count:
            status = self.next()
            if status == AGAIN:
                assert self.wait() == OK, self.message()
                continue
            assert self.reply.id not in got
            got[self.reply.id] = (status, (self.reply.result if status == OK else self.reply.error).value())
        return got

    def error(self):
        error = Error()
        self.library.shape_client_read_error(self.reply.error, error)
        return error

    def message(self):
        return self.library.shape_client_message(self.handle).decode()


# ---------------------------------------------------------------- blocking

def test_a_call_gets_its_result():
    with Daemon() as d, Client(d.path) as c:
        assert c.opened == OK
        assert c.call('analyze', {'text': ADD}) == OK
        assert c.reply.result.value()['functions'][0]['result_dims'] == [['S0', 4]]
        assert c.call('server/ping', {'x': 'é' * 300000}) == OK
        assert c.reply.result.value() == {'x': 'é' * 300000}


def test_refusals_say_why():
    with Daemon() as d, Client(d.path) as c:
        assert c.call('analyze', {'text': ADD, 'options': {'assume': 3}}) == REFUSED
        error = c.error()
        assert (error.name, error.path, error.code, error.retryable) == (b'invalid', b'params.options.assume', -32602, False)
        assert c.call('nope') == REFUSED and c.error().name == b'method-not-found'
        assert c.call('no"pe') == INVALID and c.call('server/ping', b'{\n}') == INVALID
        assert c.call('server/ping') == OK


def test_a_message_over_the_limit_is_refused_with_its_reason():
    with Daemon('--max-message', '64k') as d, Client(d.path) as c:
        assert c.call('server/ping', {'x': 'y' * 5000000}) == REFUSED, c.message()
        assert c.error().name == b'size'


def test_addresses():
    for address, status in (('/nowhere/at/all', ABSENT), ('x' * 200, INVALID), ('', INVALID), ('127.0.0.1:0', INVALID),
                            ('example:80', INVALID), ('[::1:80', INVALID), ('127.0.0.1:99999', INVALID)):
        with Client(address) as c:
            assert c.opened == status and c.message(), (address, c.opened)
            assert c.call('server/ping') in (BROKEN, INVALID)
    with Daemon('--tcp', '127.0.0.1:0') as d:
        with Client('127.0.0.1:%d' % d.port('clients')) as c:
            assert c.opened == OK and c.call('server/ping', [1]) == OK and c.reply.result.value() == [1]


def test_the_default_address():
    with Daemon() as d:
        os.environ['SHAPED_SOCKET'] = d.path
        try:
            with Client(None) as c:
                assert c.opened == OK and c.call('server/ping') == OK
        finally:
            del os.environ['SHAPED_SOCKET']


def test_a_deadline_ends_a_call_and_the_connection_goes_on():
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
        listener.bind(folder + '/s')
        listener.listen()
        with Client(folder + '/s', timeout_ms=100) as c:  # nobody ever answers here
            began = time.monotonic()
            assert c.call('server/ping') == DEADLINE
            assert time.monotonic() - began < PATIENCE
    with Daemon('--workers', '1') as d, Client(d.path) as c:
        assert c.call('analyze', {'text': long_program(20000)}, 1) == DEADLINE
        assert c.call('server/ping', {'n': 1}) == OK and c.reply.result.value() == {'n': 1}


def test_reconnecting():
    with Daemon() as d, Client(d.path, reconnect=True) as c, Client(d.path) as plain:
        assert c.call('server/ping') == OK and plain.call('server/ping') == OK
        d.stop(signal.SIGKILL)
        assert c.call('server/ping') in (ABSENT, BROKEN)
        d.start()
        assert c.call('server/ping') == OK, c.message()
        d.stop()
        d.start()
        assert c.call('server/ping') == OK, c.message()  # the break shows in the call itself
        assert plain.call('server/ping') == BROKEN and plain.call('server/ping') == BROKEN
        assert plain.library.shape_client_reconnect(plain.handle) == OK and plain.call('server/ping') == OK


def test_a_reply_over_the_limit_of_the_client():
    with Daemon() as d, Client(d.path, max_reply=100000) as c:
        assert c.call('server/ping', {'x': 'y' * 1000000}) == BROKEN
        assert 'limit' in c.message()


# ---------------------------------------------------------------- poll-driven

def test_a_thousand_requests_at_once():
    with Daemon() as d, Client(d.path) as c:
        sent = {c.send('server/ping', {'n': n}): n for n in range(900)}
        sent.update({c.send('query', {'symbols': {'a': {'min': 0}}, 'queries': [{'bounds': 'a + %d' % n}]}): n
                     for n in range(900, 1000)})
        for ident, (status, result) in c.replies(1000).items():
            assert status == OK, result
            n = result['n'] if 'n' in result else result['answers'][0]['min']
            assert n == sent[ident]
        assert c.next() == AGAIN


def test_cancelling():
    with Daemon('--workers', '1') as d, Client(d.path) as c:
        first = c.send('analyze', {'text': long_program(20000)})
        second = c.send('analyze', {'text': ADD})
        assert c.library.shape_client_cancel(c.handle, second) == OK
        replies = c.replies(2)
        assert replies[first][0] == OK
        assert replies[second][0] == REFUSED and replies[second][1]['data']['code'] == 'cancelled'


def test_a_blocking_call_refuses_to_mix():
    with Daemon() as d, Client(d.path) as c:
        ident = c.send('server/ping', {'a': 1})
        assert c.call('server/ping') == INVALID
        assert c.replies(1) == {ident: (OK, {'a': 1})}
        assert c.call('server/ping') == OK


def test_replies_before_the_end_can_still_be_had():
    with Daemon() as d, Client(d.path) as c:
        sent = [c.send('server/ping', {'n': n}) for n in range(10)]
        while c.next() == AGAIN:
            assert c.wait() == OK
        d.stop()
        got = {c.reply.id}
        while True:
            status = c.next()
            if status == OK:
                got.add(c.reply.id)
            elif c.wait() == BROKEN and c.next() == AGAIN:
                break
        assert got == set(sent), got
        d.start()


def main():
    if not os.path.exists(LIBRARY):
        print('libshape-client.so.1 is not in the build folder: skipped')
        print('0 passed, 0 failed, 1 skipped')
        return 0
    return cases.main(globals(), sys.argv[1:])


if __name__ == '__main__':
    sys.exit(main())
