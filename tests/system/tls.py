#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""TLS and credentials: who is let in, who is not, and that the log says so. Reads SHAPED (default: in build/).

The last line is `N passed, N failed`.
"""
import fcntl
import os
import pty
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import termios

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
import certificates  # noqa: E402
from cases import main  # noqa: E402
from certificates import TOKEN, at, openssl  # noqa: E402
from shaped import ADD, PATIENCE, SHAPE, SHAPED, Client, Daemon, exchange, long_program, valid  # noqa: E402

BASE = ('--tls', '127.0.0.1:0', '--tls-cert', at('server.pem'), '--tls-key', at('server.key'))
BY_CERTIFICATE = BASE + ('--tls-client-ca', at('authority.pem'))
BY_TOKEN = BASE + ('--token-file', at('tokens'))


def settings(certificate=None, version=None):
    context = ssl.create_default_context(cafile=at('authority.pem'))
    if version:
        context.minimum_version = context.maximum_version = version
    if certificate:
        context.load_cert_chain(at(certificate + '.pem'), at(certificate + '.key'))
    return context


class SecureClient(Client):
    def __init__(self, d, certificate=None, version=None):  # pylint: disable=super-init-not-called
        plain = socket.create_connection(('127.0.0.1', d.port('tls')), PATIENCE)
        self.socket = settings(certificate, version).wrap_socket(plain, server_hostname='127.0.0.1')
        self.headers, self.data, self.last = False, b'', 0


def refused(d, why, **options):
    """The client gets nothing but an end, and the log says why."""
    try:
        with SecureClient(d, **options) as c:
            reply = c.call('server/ping', {})
        raise AssertionError('it was let in: %r' % reply)
    except (EOFError, OSError):
        pass
    d.wait(lambda: any('event=deny' in line and why in line for line in d.said().splitlines()), 'a line: ' + why)


# ---------------------------------------------------------------- certificates

def test_a_client_with_a_certificate_is_served():
    with Daemon(*BY_CERTIFICATE) as d:
        with SecureClient(d, 'client') as c:
            assert c.result('analyze', {'text': ADD})['status'] == 'ok'
            large = {'text': 'x' * 3000000}
            assert c.result('server/ping', large) == large
        assert 'event=admit' in d.said() and '/CN=client' in d.said()


def test_certificates_that_do_not_do():
    with Daemon(*BY_CERTIFICATE) as d:
        refused(d, 'did not return a certificate')
        refused(d, 'unable to get local issuer certificate', certificate='foreign')
        refused(d, 'certificate has expired', certificate='late')
        with SecureClient(d, 'client') as c:
            assert c.result('server/stats')['connections']['open'] == 1


def test_older_protocols_are_refused():
    with Daemon(*BY_CERTIFICATE) as d:
        refused(d, 'unsupported protocol', certificate='client', version=ssl.TLSVersion.TLSv1_2)
        for text in (b'{"jsonrpc": "2.0", "id": 1, "method": "server/ping"}\n', b'GET / HTTP/1.1\r\n\r\n', b'\0' * 100):
            assert b'jsonrpc' not in exchange(('127.0.0.1', d.port('tls')), text)
        d.wait(lambda: d.said().count('event=deny') == 4, 'four lines')


def test_clients_that_show_nothing_are_closed():
    with Daemon(*BY_TOKEN, '--login', '300ms') as d:
        silent = socket.create_connection(('127.0.0.1', d.port('tls')), PATIENCE)
        assert silent.recv(100) == b''
        with SecureClient(d) as c:
            assert c.ended()
        assert d.said().count('no credentials in time') == 2
        silent.close()


# ---------------------------------------------------------------- tokens

def test_a_token_opens():
    with Daemon(*BY_TOKEN) as d:
        for token in (TOKEN, 'another-token-of-some-length'):
            with SecureClient(d) as c:
                assert 'methods' in c.result('initialize', {'token': token})
                assert c.result('analyze', {'text': ADD})['status'] == 'ok'
        assert TOKEN not in d.said()


def test_tokens_that_do_not_do():
    with Daemon(*BY_TOKEN, '--log-level', 'debug') as d:
        for params in ({'token': TOKEN + 'x'}, {'token': TOKEN[:-1]}, {'token': ''}, {'token': 3}, {}, None, [TOKEN],
                       {'token': '# tokens of the test'}):
            with SecureClient(d) as c:
                assert c.error('initialize', params, 'unauthorized')['code'] == -32007
                assert c.ended()
        assert d.said().count('why="wrong token"') == 8
        with SecureClient(d) as c:  # another method first, whatever follows it
            c.send([{'jsonrpc': '2.0', 'id': 1, 'method': 'server/ping'},
                    {'jsonrpc': '2.0', 'id': 2, 'method': 'initialize', 'params': {'token': TOKEN}}])
            replies = c.read()
            assert [r['error']['data']['code'] for r in replies] == ['unauthorized'] * 2 and c.ended()
        with SecureClient(d) as c:  # much, before anything is known of the client
            try:
                c.raw(b'[' * 200000)
                assert valid(c.read())['error']['data']['value'] == 65536
            except OSError:
                pass
        assert TOKEN[:-1] not in d.said()


def test_both_are_needed_where_both_are_asked_for():
    with Daemon(*BY_CERTIFICATE, '--token-file', at('tokens')) as d:
        refused(d, 'did not return a certificate')
        with SecureClient(d, 'client') as c:
            c.error('server/ping', {}, 'unauthorized')
        with SecureClient(d, 'client') as c:
            c.result('initialize', {'token': TOKEN})
            assert c.result('server/ping', {}) == {}


# ---------------------------------------------------------------- clients

def shape(d, *words, host='127.0.0.1', **settings):
    """(status, output, complaint) of the command line, which finds its credentials in the environment."""
    names = {'ca': 'SHAPED_TLS_CA', 'cert': 'SHAPED_TLS_CERT', 'key': 'SHAPED_TLS_KEY', 'tokens': 'SHAPED_TOKEN_FILE'}
    env = dict(os.environ, SHAPED_SOCKET='tls://%s:%d' % (host, d.port('tls')))
    env.update({names[key]: at(name) for key, name in settings.items()})
    done = subprocess.run([SHAPE, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE, check=False,
                          env=env, universal_newlines=True)
    return done.returncode, done.stdout, done.stderr


def test_the_command_line_reaches_a_daemon_elsewhere():
    with open(at('add.mlir'), 'w', encoding='utf-8') as file:
        file.write(ADD)
    alone = subprocess.run([SHAPE, 'check', at('add.mlir')], stdout=subprocess.PIPE, check=True, timeout=PATIENCE).stdout
    with Daemon(*BY_CERTIFICATE, '--token-file', at('tokens')) as d:
        good = {'ca': 'authority.pem', 'cert': 'client.pem', 'key': 'client.key', 'tokens': 'tokens'}
        address = 'tls://127.0.0.1:%d' % d.port('tls')
        assert shape(d, 'call', 'server/ping', '[1]', **good) == (0, '[1]\n', '')
        assert shape(d, 'check', at('add.mlir'), '--connect', address, **good) == (0, alone.decode(), '')
        for change, why in (({'ca': 'stranger.pem'}, 'self-signed'), ({'cert': 'foreign.pem', 'key': 'foreign.key'}, 'unknown ca'),
                            ({'cert': 'late.pem', 'key': 'late.key'}, 'expired'), ({'tokens': 'other'}, 'valid token'),
                            ({'ca': 'none'}, 'cannot use'), ({'tokens': 'none'}, 'cannot read'), ({'key': 'late.key'}, 'key')):
            with open(at('other'), 'w', encoding='utf-8') as file:
                file.write('# none of the daemon\n\nxxxxxxxxxxxxxxxxxxxxxx\n')
            status, out, said = shape(d, 'ping', **dict(good, **change))
            assert status == 6 and not out and why in said and 'Sanitizer' not in said, (change, said)
        status, _, said = shape(d, 'ping', host='localhost', **good)
        assert status == 6 and 'mismatch' in said, said


def test_python_reaches_a_daemon_elsewhere():
    program = """
import asyncio, shaped
with shaped.Client() as c:
    print(c.ping([1]))
async def ask():
    async with shaped.AsyncClient() as c:
        print(await c.ping([2]))
asyncio.run(ask())
"""
    def ask(d, **settings):
        env = dict(os.environ, PYTHONPATH=os.path.join(ROOT, 'clients', 'python'), SHAPED_TLS_CA=at('authority.pem'),
                   SHAPED_SOCKET='tls://127.0.0.1:%d' % d.port('tls'), SHAPED_TOKEN_FILE=at('tokens'), **settings)
        done = subprocess.run([sys.executable, '-c', program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env,
                              timeout=PATIENCE, check=False, universal_newlines=True)
        return done.stdout, done.stderr.rstrip().split('\n')[-1]

    with Daemon(*BY_CERTIFICATE, '--token-file', at('tokens')) as d:
        assert ask(d, SHAPED_TLS_CERT=at('client.pem'), SHAPED_TLS_KEY=at('client.key')) == ('[1]\n[2]\n', '')
        for settings, why in (({}, 'ConnectionLost'), ({'SHAPED_TLS_CERT': at('client.pem')}, 'go together'),
                              ({'SHAPED_TLS_CERT': at('foreign.pem'), 'SHAPED_TLS_KEY': at('foreign.key')}, 'ConnectionLost')):
            out, said = ask(d, **settings)
            assert not out and why in said, said


# ---------------------------------------------------------------- options

def test_options_that_would_let_anybody_in():
    def start(*options):
        with tempfile.TemporaryDirectory() as folder:
            return subprocess.run([SHAPED, '--socket', os.path.join(folder, 's'), *options], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, timeout=PATIENCE, check=False, universal_newlines=True)

    with open(at('short'), 'w', encoding='utf-8') as file:
        file.write('short\n')
    os.chmod(at('short'), 0o600)
    shutil.copy(at('tokens'), at('open'))
    os.chmod(at('open'), 0o644)
    for options, message in ((BASE, 'clients need a credential'), (BASE[:2], 'tls-cert'),
                             (BASE + ('--token-file', at('none')), 'cannot read'),
                             (BASE + ('--token-file', at('short')), 'a token has'),
                             (BASE + ('--token-file', at('open')), 'others may read'),
                             (BASE + ('--tls-client-ca', at('tokens')), 'tls-client-ca'),
                             (BASE[:4] + ('--tls-key', at('client.key'), '--token-file', at('tokens')), 'tls-key'),
                             (('--tcp', '0.0.0.0:0') + BY_TOKEN[2:], 'not a loopback')):
        done = start(*options)
        assert done.returncode == 1 and message in done.stderr, (options, done)
        if '--tls' in options:
            done = start(*options, '--check-config')
            assert done.returncode == 2 and message in done.stderr, (options, done)
    assert start(*BY_TOKEN, '--check-config').returncode == 0


def at_a_terminal(*words):
    """Like subprocess.run, with a terminal where a program could ask, and no one there to answer."""
    ours, theirs = pty.openpty()

    def take_terminal():
        os.setsid()
        fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)

    try:
        return subprocess.run(words, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE,
                              check=False, universal_newlines=True, preexec_fn=take_terminal)
    finally:
        os.close(ours)
        os.close(theirs)


def test_keys_with_a_pass_phrase_are_refused():
    openssl('ec', '-in', 'server.key', '-aes256', '-passout', 'pass:secret', '-out', 'locked-old.key')
    openssl('pkcs8', '-topk8', '-in', 'server.key', '-passout', 'pass:secret', '-out', 'locked-new.key')
    for name in ('locked-old.key', 'locked-new.key'):
        options = ('--socket', at('unused'), *BASE[:4], '--tls-key', at(name), '--token-file', at('tokens'))
        for more, status in (((), 1), (('--check-config',), 2)):
            done = at_a_terminal(SHAPED, *options, *more)
            assert done.returncode == status and 'needs a pass phrase' in done.stderr, done
            assert 'openssl pkey' in done.stderr and 'secret' not in done.stderr, done


def test_beyond_loopback():
    with Daemon('--tls', '0.0.0.0:0', *BY_CERTIFICATE[2:]) as d, SecureClient(d, 'client') as c:
        assert c.result('server/ping', {}) == {}


def test_reload_takes_new_certificates_and_tokens_or_none():
    def reload(d, outcome):
        count = d.said().count('event=reload')
        d.process.send_signal(signal.SIGHUP)
        d.wait(lambda: d.said().count('event=reload') > count, 'the reload')
        assert 'outcome=' + outcome in d.said().splitlines()[-1], d.said()

    for name in ('server.pem', 'server.key', 'tokens'):
        shutil.copy(at(name), at('live-' + name))
    with Daemon('--tls', '127.0.0.1:0', '--tls-cert', at('live-server.pem'), '--tls-key', at('live-server.key'),
                '--token-file', at('live-tokens')) as d, SecureClient(d) as before:
        before.result('initialize', {'token': TOKEN})
        with open(at('live-tokens'), 'w', encoding='utf-8') as file:
            file.write('a-token-that-is-all-new\n')
        shutil.copy(at('client.pem'), at('live-server.pem'))  # its key is another
        reload(d, 'refused')
        with SecureClient(d) as c:
            c.result('initialize', {'token': TOKEN})
        shutil.copy(at('client.key'), at('live-server.key'))
        reload(d, 'ok')
        with SecureClient(d) as c:
            assert ('commonName', 'client') in c.socket.getpeercert()['subject'][0]
            c.error('initialize', {'token': TOKEN}, 'unauthorized')
        with SecureClient(d) as c:
            c.result('initialize', {'token': 'a-token-that-is-all-new'})
        assert before.ended()  # its token is none any more


def revoked(*names):
    """The file with the list of the authority, of those certificates; none of them: an empty list."""
    for file, text in (('revoked.index', ''), ('revoked.number', '1000\n'), ('revoked.conf', '[ca]\ndefault_ca=a\n[a]\n'
                       'database=revoked.index\ncrlnumber=revoked.number\ndefault_md=sha256\nunique_subject=no\n')):
        with open(at(file), 'w', encoding='utf-8') as handle:
            handle.write(text)
    who = ('ca', '-config', 'revoked.conf', '-cert', 'authority.pem', '-keyfile', 'authority.key')
    for name in names:
        openssl(*who, '-revoke', name + '.pem')
    openssl(*who, '-gencrl', '-crldays', '2', '-out', 'revoked.pem')


def reloaded(d):
    before = d.said().count('event=reload')
    d.process.send_signal(signal.SIGHUP)
    d.wait(lambda: d.said().count('event=reload') > before, 'the reload')


def test_certificates_that_are_revoked_end_their_connections():
    certificates.make_certificate('second', 'authority')
    revoked()
    with Daemon(*BY_CERTIFICATE, '--tls-crl', at('revoked.pem')) as d:
        with SecureClient(d, 'client') as c, SecureClient(d, 'second') as other:
            assert c.result('server/ping', {}) == {} and other.result('server/ping', {}) == {}
            revoked('client')
            reloaded(d)
            assert c.ended()
            assert other.result('server/stats')['connections']['open'] == 1
        refused(d, 'certificate revoked', certificate='client')
        with open(at('revoked.pem'), 'w', encoding='utf-8') as file:
            file.write('none\n')
        reloaded(d)
        assert 'outcome=refused' in d.said()
        refused(d, 'certificate revoked', certificate='client')
    revoked()
    for options in (BY_TOKEN, BASE):
        done = subprocess.run([SHAPED, *options, '--tls-crl', at('revoked.pem'), '--check-config'], stderr=subprocess.PIPE,
                              check=False)
        assert done.returncode == 2 and b'tls-c' in done.stderr, done.stderr


def test_a_reload_asks_open_and_waiting_connections_again():
    with tempfile.TemporaryDirectory() as folder:
        path, tokens = os.path.join(folder, 'conf'), os.path.join(folder, 'tokens')

        def write(names, *lines):
            with open(tokens, 'w', encoding='utf-8') as file:
                file.write('\n'.join(names) + '\n')
            os.chmod(tokens, 0o600)
            with open(path, 'w', encoding='utf-8') as file:
                file.write('\n'.join(lines) + '\n')
        first, second = 'first-token-of-the-test', 'second-token-of-the-test'
        by_token, by_certificate = 'token-file = ' + tokens, 'tls-client-ca = ' + at('authority.pem')
        write((first, second), by_token)
        with Daemon(*BASE, '--config', path) as d, SecureClient(d) as a, SecureClient(d) as b, SecureClient(d) as waiting, \
                SecureClient(d) as known:
            assert a.result('initialize', {'token': first}) and b.result('initialize', {'token': second})
            assert known.result('initialize', {'token': second})
            assert a.result('server/stats')['peers'] >= 3  # two tokens, a certificate, and the address of who waits
            write((second,), by_token)
            reloaded(d)
            assert a.ended()
            assert b.result('server/ping', {}) == {}
            waiting.error('initialize', {'token': first}, 'unauthorized')
            write((second,), by_token, by_certificate)
            reloaded(d)
            assert b.ended() and known.ended()  # no certificate was asked for then
            # What a connection had to show when it came it has to show still.
            with SecureClient(d, 'client') as late:
                write((second,), by_certificate)
                reloaded(d)
                late.error('analyze', {'text': ADD}, 'unauthorized')
            with SecureClient(d, 'client') as c:
                assert c.result('server/ping', {}) == {}
            assert first not in d.said() and second not in d.said()


def test_large_replies_over_tls():
    """They are encrypted in pieces, those of a batch and of many requests, too; who does not read them is cut off."""
    def request(ident, length):
        return {'jsonrpc': '2.0', 'id': ident, 'method': 'server/ping', 'params': {'x': chr(97 + ident % 26) * length}}

    with Daemon(*BY_CERTIFICATE) as d, SecureClient(d, 'client') as c:
        batch = [request(i, 20000 + i) for i in range(200)]
        c.send(batch)
        replies = {r['id']: r['result'] for r in c.read()}
        assert replies == {r['id']: r['params'] for r in batch}
        for i in range(500):
            c.send(request(i, 3000))
        assert [c.read()['id'] for _ in range(500)] == list(range(500))
    with Daemon(*BY_CERTIFICATE, '--max-backlog', '1M') as d, d.client() as other:
        with SecureClient(d, 'client') as c:
            try:
                for i in range(3000):
                    c.send(request(i, 50000))
            except OSError:
                pass
            d.wait(lambda: other.result('server/stats')['connections']['cut'] == 1, 'the cut')


def test_many_replies_and_the_end_over_tls():
    with Daemon(*BY_CERTIFICATE) as d, SecureClient(d, 'client') as c:
        text = long_program(2000)
        for i in range(20):
            c.send({'jsonrpc': '2.0', 'id': i, 'method': 'analyze', 'params': {'text': text}})
        assert sorted(valid(c.read(), 'analyze')['id'] for _ in range(20)) == list(range(20))
        c.send({'jsonrpc': '2.0', 'id': 99, 'method': 'analyze', 'params': {'text': long_program(100000)}})
        with d.client() as other:
            d.wait(lambda: other.result('server/stats')['in_flight'] == 1, 'the request')
        d.process.send_signal(signal.SIGTERM)
        assert valid(c.read(), 'analyze')['id'] == 99 and c.ended()
        assert d.process.wait(PATIENCE) == 0


if __name__ == '__main__':
    reason = certificates.missing()
    if reason:
        print('skipped: TLS: ' + reason)
        print('0 passed, 0 failed, 1 skipped')
        sys.exit(0)
    certificates.make_all()
    sys.exit(main(globals(), sys.argv[1:]))
