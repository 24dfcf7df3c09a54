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
import certificates  # noqa: E402
from certificates import TOKEN, at  # noqa: E402
from shaped import ADD, Daemon, PATIENCE, long_program  # noqa: E402

BUILD = os.environ.get('BUILD_DIR', os.path.join(ROOT, 'build'))
LIBRARY = os.path.join(BUILD, 'libshape-client.so.1')
OK, REFUSED, AGAIN, DEADLINE, ABSENT, LOST, INVALID, MEMORY, DENIED = range(9)
READ, WRITE = 1, 2


class Json(ct.Structure):
    _fields_ = [('text', ct.c_void_p), ('length', ct.c_size_t)]

    def value(self):
        return json.loads(ct.string_at(self.text, self.length)) if self.length else None


class Options(ct.Structure):
    _fields_ = [('address', ct.c_char_p), ('timeout_ms', ct.c_int), ('max_reply', ct.c_size_t), ('reconnect', ct.c_bool)]


class Tls(ct.Structure):
    _fields_ = [(name, ct.c_char_p) for name in ('ca', 'certificate', 'key', 'token', 'name')]


class Reply(ct.Structure):
    _fields_ = [('id', ct.c_uint64), ('result', Json), ('error', Json)]


class Error(ct.Structure):
    _fields_ = [('code', ct.c_int), ('name', ct.c_char * 40), ('path', ct.c_char * 160), ('message', ct.c_char * 1024),
                ('retryable', ct.c_bool)]


def load():
    library = ct.CDLL(LIBRARY)
    client = ct.c_void_p
    for name, result, *arguments in (
            ('open', ct.c_int, ct.POINTER(Options), ct.POINTER(client)),
            ('open_tls', ct.c_int, ct.POINTER(Options), ct.POINTER(Tls), ct.POINTER(client)), ('close', None, client),
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

    def __init__(self, address, tls=None, **options):
        if Client.library is None:
            Client.library = load()
        self.handle = ct.c_void_p()
        self.reply = Reply()
        given = Options(address=None if address is None else address.encode(), **options)
        if tls is None:
            self.opened = self.library.shape_client_open(given, ct.byref(self.handle))
        else:
            texts = {key: value.encode() for key, value in tls.items()}
            self.opened = self.library.shape_client_open_tls(given, Tls(**texts), ct.byref(self.handle))

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
            assert c.call('server/ping') in (LOST, INVALID)
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
        with Client(folder + '/s', timeout_ms=100) as c:  # no answer ever comes
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
        assert c.call('server/ping') in (ABSENT, LOST)
        d.start()
        assert c.call('server/ping') == OK, c.message()
        d.stop()
        d.start()
        assert c.call('server/ping') == OK, c.message()  # the break shows in the call itself
        assert plain.call('server/ping') == LOST and plain.call('server/ping') == LOST
        assert plain.library.shape_client_reconnect(plain.handle) == OK and plain.call('server/ping') == OK


def test_a_reply_over_the_limit_of_the_client():
    with Daemon() as d, Client(d.path, max_reply=100000) as c:
        assert c.call('server/ping', {'x': 'y' * 1000000}) == LOST
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
            elif c.wait() == LOST and c.next() == AGAIN:
                break
        assert got == set(sent), got
        d.start()


# ---------------------------------------------------------------- typed

REMOTE = """%y is [S1, 64, S0]
same number of elements: yes
%z.0 is at least 0 and at most -
%nothing: '%nothing': there is no such value
new value 3: tensor<?x64x?xf32>
%z.0 is divisible by 8: yes, because
  assumed
argument 0 is [S0]
argument 1 is [S0]
guard mod(S0, 2) == 0, as line 1 says: the number of elements stays the same
"""


def test_a_program_is_built_asked_edited_and_explained():
    program = os.path.join(BUILD, 'examples', 'remote')
    with Daemon() as d:
        ran = subprocess.run([program, d.path], capture_output=True, text=True, timeout=PATIENCE)
        assert (ran.returncode, ran.stdout) == (0, REMOTE), (ran.stdout, ran.stderr)
        with Client(d.path) as c:  # the sessions are closed
            assert c.call('server/stats') == OK and c.reply.result.value()['sessions']['open'] == 0
    ran = subprocess.run([program, '/nowhere/at/all'], capture_output=True, text=True, timeout=PATIENCE)
    assert ran.returncode == 1 and '/nowhere/at/all' in ran.stderr


# ---------------------------------------------------------------- TLS

def own(name):
    return {'certificate': at(name + '.pem'), 'key': at(name + '.key')}


TRUST = {'ca': at('authority.pem')}
CA = ('--tls-client-ca', at('authority.pem'))
TOKENS = ('--token-file', at('tokens'))


def tls_daemon(*credentials, certificate='server'):
    reason = certificates.missing()
    if reason:
        raise cases.Skipped(reason)
    if not os.path.exists(at('authority.pem')):
        certificates.make_all()
    return Daemon('--tls', '127.0.0.1:0', '--tls-cert', at(certificate + '.pem'), '--tls-key', at(certificate + '.key'),
                  *credentials)


def sealed(d, host='127.0.0.1'):
    return 'tls://%s:%d' % (host, d.port('tls'))


def test_calls_over_tls():
    for credentials, tls in ((CA, dict(TRUST, **own('client'))), (TOKENS, dict(TRUST, token=TOKEN)),
                             (CA + TOKENS, dict(TRUST, token=TOKEN, **own('client')))):
        with tls_daemon(*credentials) as d, Client(sealed(d), tls) as c:
            assert c.opened == OK, c.message()
            assert c.call('analyze', {'text': ADD}) == OK
            assert c.call('server/ping', {'x': 'é' * 2000000}) == OK
            assert c.reply.result.value() == {'x': 'é' * 2000000}


def test_many_requests_at_once_over_tls():
    with tls_daemon(*TOKENS) as d, Client(sealed(d), dict(TRUST, token=TOKEN)) as c:
        sent = {c.send('server/ping', {'n': n, 'x': 'y' * 5000}): n for n in range(900)}
        for ident, (status, result) in c.replies(900).items():
            assert status == OK and result['n'] == sent[ident]
        assert c.next() == AGAIN
        late = c.send('analyze', {'text': long_program(20000)})
        assert c.library.shape_client_cancel(c.handle, late) == OK
        status, error = c.replies(1)[late]
        assert status == REFUSED and error['data']['code'] == 'cancelled'


def test_daemons_that_are_not_trusted():
    for certificate, tls, why in (('server', {'ca': at('stranger.pem')}, 'unable to get local issuer'),
                                  ('server', {'ca': ''}, 'unable to get local issuer'),  # that of no system
                                  ('foreign', TRUST, 'unable to get local issuer'), ('old', TRUST, 'expired'),
                                  ('elsewhere', TRUST, 'IP address mismatch'),
                                  ('named', dict(TRUST, name='elsewhere.example'), 'hostname mismatch')):
        with tls_daemon(*TOKENS, certificate=certificate) as d, Client(sealed(d), dict(tls, token=TOKEN)) as c:
            assert c.opened == DENIED and why in c.message(), (certificate, c.opened, c.message())
            assert c.call('server/ping') == LOST
            d.wait(lambda d=d: 'event=deny' in d.said(), 'a line')
            assert 'event=admit' not in d.said()  # the token never left


def test_names_in_certificates():
    with tls_daemon(*TOKENS, certificate='named') as d, Client(sealed(d, 'localhost'), dict(TRUST, token=TOKEN)) as c:
        assert c.opened == OK and c.call('server/ping') == OK, c.message()
    with tls_daemon(*TOKENS, certificate='elsewhere') as d:
        for name in ('elsewhere.example', '127.0.0.2'):
            with Client(sealed(d), dict(TRUST, token=TOKEN, name=name)) as c:
                assert c.opened == OK and c.call('server/ping') == OK, c.message()


def test_clients_that_are_not_trusted():
    with tls_daemon(*CA, *TOKENS) as d:
        for tls, why in (({}, 'certificate required'), (own('foreign'), 'unknown ca'), (own('late'), 'expired'),
                         (dict(own('client'), token='x' * 20), 'valid token'), (own('client'), 'valid token')):
            with Client(sealed(d), dict(TRUST, **tls), reconnect=True) as c:
                assert c.opened == DENIED and why in c.message(), (tls, c.opened, c.message())
                assert c.call('server/ping') == DENIED


def test_settings_that_cannot_be_used():
    with tls_daemon(*TOKENS) as d:
        with open(at('hidden.key'), 'w', encoding='utf-8') as file:
            file.write(subprocess.run(['openssl', 'ec', '-in', at('client.key'), '-aes128', '-passout', 'pass:secret'],
                                      check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout.decode())
        hidden = {'certificate': at('client.pem'), 'key': at('hidden.key')}
        for tls, why in (({'ca': at('none')}, 'authorities'), ({'certificate': at('client.pem')}, 'needs its key'),
                         (dict(own('client'), key=at('late.key')), 'key'), (hidden, 'key'),
                         (dict(TRUST, token='x' * 5000), 'at most')):
            with Client(sealed(d), tls) as c:
                assert c.opened == INVALID and why in c.message(), (tls, c.message())
                assert c.library.shape_client_reconnect(c.handle) == INVALID
    for address in ('tls://', 'tls://host', 'tls://host:0', 'tls://host:70000', 'tls://:80', 'tls://a/b:1', 'tls://::1:80',
                    'tls://' + 'x' * 300 + ':1', 'tls://host:1x'):
        with Client(address, {}) as c:
            assert c.opened == INVALID and 'tls://HOST:PORT' in c.message(), address
    with Client('tls://127.0.0.1:9', TRUST) as c:
        assert c.opened == ABSENT, c.message()


def test_tls_with_somebody_else():
    with tempfile.TemporaryDirectory() as folder, socket.create_server(('127.0.0.1', 0)) as listener:
        del folder
        with Client('tls://127.0.0.1:%d' % listener.getsockname()[1], {}, timeout_ms=100) as c:
            assert c.opened == ABSENT and 'timed out' in c.message(), c.message()
    with Daemon('--tcp', '127.0.0.1:0') as d:  # one without TLS
        with Client('tls://127.0.0.1:%d' % d.port('clients'), {}, timeout_ms=30000) as c:
            assert c.opened in (DENIED, ABSENT), c.opened


def test_reconnecting_over_tls():
    with tls_daemon(*TOKENS) as d:
        port = d.port('tls')
        d.options = ('--tls', '127.0.0.1:%d' % port) + d.options[2:]
        with Client(sealed(d), dict(TRUST, token=TOKEN), reconnect=True) as c:
            assert c.call('server/ping') == OK
            d.stop()
            assert c.call('server/ping') == ABSENT, c.message()
            d.start()
            assert c.call('server/ping') == OK, c.message()
            assert d.stop() == 0
            d.start()
            assert c.call('server/ping') == OK, c.message()  # the break shows in the call itself


def main():
    if not os.path.exists(LIBRARY):
        print('libshape-client.so.1 is not in the build folder: skipped')
        print('0 passed, 0 failed, 1 skipped')
        return 0
    return cases.main(globals(), sys.argv[1:])


if __name__ == '__main__':
    sys.exit(main())
