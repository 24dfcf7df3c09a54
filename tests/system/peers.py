#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Peers of a real daemon: what one of them holds, keeps and sees is no other's. Reads SHAPED (default: in build/).

The other peer is another address of loopback, so that the tests need no second user. The last line is `N passed, N failed`.
"""
import contextlib
import json
import os
import socket
import sqlite3
import stat
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import main  # noqa: E402
from shaped import ADD, PATIENCE, SHAPED, Client, Daemon, hard_queries, long_program, valid  # noqa: E402

TCP = ('--tcp', '127.0.0.1:0')


class Other(Client):
    """A client of another peer than those of the Unix socket."""

    def __init__(self, d, host='127.0.0.2', kind='clients'):  # pylint: disable=super-init-not-called
        self.socket = socket.socket()
        self.socket.settimeout(PATIENCE)
        self.socket.bind((host, 0))
        self.socket.connect(('127.0.0.1', d.port(kind)))
        self.headers, self.data, self.last = False, b'', 0


def seen(dims):
    return [{'sizes': dims, 'count': 1}]


# ---------------------------------------------------------------- how many

def test_a_peer_has_so_many_connections():
    with Daemon(*TCP, '--max-connections', '4', '--max-peer-connections', '3') as d, contextlib.ExitStack() as stack:
        mine = [stack.enter_context(d.client()) for _ in range(3)]
        for c in mine:
            c.result('server/ping')
        with d.client() as c:
            error = valid(c.read())['error']['data']
            assert (error['code'], error['limit'], error['value']) == ('too-many-connections', 'max-peer-connections', 3)
            assert c.ended()
        # The fourth of all, and one for each peer that has none; not a second one.
        for host in ('127.0.0.2', '127.0.0.3', '127.0.0.4'):
            assert stack.enter_context(Other(d, host)).result('server/ping') == {}
        with Other(d) as c:
            assert valid(c.read())['error']['data']['limit'] == 'max-connections'
        assert mine[0].result('server/stats')['peers'] == 4
        mine.pop().socket.close()
        with d.client() as probe:
            d.wait(lambda: mine[0].result('server/stats')['connections']['open'] <= 6, 'the end of one')
            probe.socket.close()


def test_a_peer_has_so_many_requests():
    with Daemon(*TCP, '--workers', '1', '--max-peer-in-flight', '3', '--max-queue', '3') as d, Other(d) as other, \
            d.client() as a, d.client() as b:
        for k, c in enumerate((a, a, b)):
            c.send({'jsonrpc': '2.0', 'id': k, 'method': 'query', 'params': hard_queries(25)})
            d.wait(lambda k=k: other.result('server/stats')['in_flight'] == k + 1, 'a request')
        d.wait(lambda: other.result('server/stats')['in_flight'] == 3, 'three requests')
        error = b.error('analyze', {'text': ADD}, 'too-many-in-flight')['data']
        assert (error['limit'], error['value']) == ('max-peer-in-flight', 3)
        assert other.result('query', {'queries': [{'query': '1 == 1'}]})['answers']
    # A queue that one peer has filled is not full for another's first request.
    with Daemon(*TCP, '--workers', '1', '--max-queue', '1') as d, Other(d) as other, d.client() as a:
        for k, what in enumerate(('running', 'queued')):
            a.send({'jsonrpc': '2.0', 'id': k, 'method': 'query', 'params': hard_queries(25)})
            d.wait(lambda what=what: other.result('server/stats')[what] == 1, what)
        for k in range(2, 6):  # one may be tried beside the worker just now, and is not in the queue then
            a.send({'jsonrpc': '2.0', 'id': k, 'method': 'query', 'params': hard_queries(25)})
        assert valid(a.read())['error']['data']['code'] == 'queue-full'
        assert other.result('query', {'queries': [{'query': '1 == 1'}]})['answers']


def test_who_says_nothing_keeps_no_one_from_metrics():
    def get(port):
        with socket.create_connection(('127.0.0.1', port), PATIENCE) as s:
            s.sendall(b'GET /healthz HTTP/1.1\r\n\r\n')
            return s.makefile('rb').read()
    with Daemon('--http', '127.0.0.1:0', '--max-http', '4', '--max-peer-http', '3') as d, contextlib.ExitStack() as stack:
        idle = [stack.enter_context(Other(d, host, 'http')) for host in ['127.0.0.2'] * 5 + ['127.0.0.3'] * 5]
        for _ in range(5):
            assert b'200 OK' in get(d.port('http'))
        ended = 0
        for c in idle:
            c.socket.settimeout(0.05)
            with contextlib.suppress(TimeoutError):
                ended += c.ended()
        assert 6 <= ended < len(idle), ended


# ---------------------------------------------------------------- sessions and profiles

def test_sessions_are_of_the_peer_that_made_them():
    with Daemon(*TCP, '--max-sessions', '3') as d, d.client() as mine, Other(d) as other:
        kept = mine.result('session/open', {'text': ADD})['session']
        for _ in range(10):
            other.result('session/open', {'text': ADD})
        mine.result('session/query', {'session': kept, 'queries': []})
        for method, more in (('query', {'queries': []}), ('edit', {'edits': []}), ('analyze', {}), ('push', {'assume': []}),
                             ('pop', {}), ('close', {})):
            other.error('session/' + method, dict(more, session=kept), 'session-unknown')
        with d.client() as same:  # another connection of the same peer
            same.result('session/query', {'session': kept, 'queries': []})
        assert mine.result('server/stats')['sessions']['open'] == 4
        # Why a session ended is for its owner as well.
        for _ in range(3):
            mine.result('session/open', {'text': ADD})
        mine.error('session/close', {'session': kept}, 'session-evicted')
        other.error('session/close', {'session': kept}, 'session-unknown')


def test_sessions_are_shared_where_that_was_asked_for():
    with Daemon(*TCP) as d, d.client() as mine, Other(d) as other:
        both = mine.result('session/open', {'text': ADD, 'shared': True})['session']
        own = mine.result('session/open', {'text': ADD, 'shared': False})['session']
        other.result('session/query', {'session': both, 'queries': []})
        other.error('session/query', {'session': own, 'queries': []}, 'session-unknown')
        error = mine.error('session/open', {'text': ADD, 'shared': 1}, 'invalid')
        assert error['data']['path'] == 'params.shared'
        other.result('session/close', {'session': both})


def test_memory_of_sessions_is_made_free_by_their_owner():
    large = {'text': long_program(8000)}
    with Daemon(*TCP, '--session-memory', '12M', '--peer-session-memory', '8M') as d, d.client() as mine, Other(d) as other:
        kept = mine.result('session/open', {'text': ADD})['session']
        ids = [other.result('session/open', large)['session'] for _ in range(8)]
        gone = other.error('session/close', {'session': ids[0]}, 'session-evicted')
        assert gone['data']['limit'] == 'peer-session-memory', gone
        mine.result('session/query', {'session': kept, 'queries': []})
        # What others leave is not enough: it is this peer's own that go.
        ids = [mine.result('session/open', large)['session'] for _ in range(8)]
        gone = mine.error('session/close', {'session': ids[0]}, 'session-evicted')
        assert gone['data']['limit'] in ('session-memory', 'peer-session-memory'), gone
        assert mine.result('server/stats')['sessions']['bytes'] <= 12 << 20


def test_profiles_are_of_the_peer_that_made_them():
    def counts(c, name):
        return [(s['name'], s['count']) for s in c.result('profile/observe', {'profile': name})['symbols']]
    with Daemon(*TCP, '--max-profiles', '2') as d, d.client() as mine, Other(d) as other:
        mine.result('profile/observe', {'profile': 'p', 'observations': seen({'B': 8})})
        mine.result('profile/observe', {'profile': 'shared/p', 'observations': seen({'B': 8})})
        other.result('profile/observe', {'profile': 'shared/p', 'observations': seen({'B': 8})})
        assert counts(mine, 'shared/p') == [('B', 2)]
        assert counts(other, 'p') == []
        for k in range(5):
            other.result('profile/observe', {'profile': 'q%d' % k, 'observations': seen({'B': 1})})
        assert counts(mine, 'p') == [('B', 1)] and counts(other, 'q4') == [('B', 1)] and counts(other, 'q1') == []
        mine.result('profile/observe', {'profile': 'own', 'observations': seen({'arg0.0': 64})})
        mine.result('profile/observe', {'profile': 'shared/own', 'observations': seen({'arg0.0': 32})})

        def likely(c, name):
            return c.result('analyze', {'text': ADD, 'options': {'profile': name}})['symbols'][0].get('likely', [])
        assert [likely(c, 'own') for c in (mine, other)] == [[64], []]
        assert [likely(c, 'shared/own') for c in (mine, other)] == [[32], [32]]


def test_profiles_of_all_peers_are_bounded():
    with Daemon(*TCP, '--all-profiles', '3') as d, d.client() as mine, Other(d) as other:
        for name in 'abcd':
            mine.result('profile/observe', {'profile': name, 'observations': seen({'B': 1})})
        assert mine.result('profile/observe', {'profile': 'd'})['symbols']
        error = other.error('profile/observe', {'profile': 'x', 'observations': seen({'B': 1})}, 'queue-full')['data']
        assert (error['limit'], error['value'], error['retryable']) == ('all-profiles', 3, True)


def test_profiles_of_before_are_shared_ones_and_private_files():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'db')
        with contextlib.closing(sqlite3.connect(path)) as db:
            with Daemon('--profile-db', os.path.join(folder, 'new')) as d, d.client() as c:
                c.result('profile/observe', {'profile': 'p', 'observations': seen({'B': 8})})
            with contextlib.closing(sqlite3.connect(os.path.join(folder, 'new'))) as new:
                state = new.execute('SELECT state FROM owned').fetchone()[0]
            db.execute('CREATE TABLE profile (name TEXT PRIMARY KEY, state TEXT NOT NULL, written INTEGER NOT NULL)')
            db.execute("INSERT INTO profile VALUES ('p', ?, 1)", (state,))
            db.commit()
        os.chmod(path, 0o644)
        old = os.umask(0)
        try:
            for _ in range(2):
                with Daemon('--profile-db', path) as d, d.client() as c:
                    assert c.result('profile/observe', {'profile': 'shared/p'})['symbols'][0]['count'] == 1
                    assert not c.result('profile/observe', {'profile': 'p'})['symbols']
                    for name in os.listdir(folder):
                        if name.startswith('db'):
                            assert not stat.S_IMODE(os.stat(os.path.join(folder, name)).st_mode) & 0o077, name
        finally:
            os.umask(old)


# ---------------------------------------------------------------- bytes

MB = 1 << 20
HALF = b'{"jsonrpc": "2.0", "id": 1, "method": "server/ping", "params": {"k": "'
SMALL = ('--max-buffered', '12M', '--max-peer-buffered', '8M', '--max-message', '2M', '--workers', '1')


def pour(c, data, seconds=0.1):
    """Sends what the daemon takes in that time, and no error where it ends the connection."""
    c.socket.settimeout(seconds)
    with contextlib.suppress(OSError):
        c.raw(data)
    c.socket.settimeout(PATIENCE)


def buffered(c):
    return c.result('server/stats')['buffered_bytes']


def test_bytes_of_all_kinds_are_bounded():
    """The table filled from all sides: half messages, queued requests, replies that are not read; by three peers."""
    with Daemon(*TCP, *SMALL, '--max-in-flight', '10000') as d, contextlib.ExitStack() as stack:
        honest = stack.enter_context(Other(d, '127.0.0.9'))
        most, connections = 0, 0
        for host in ('127.0.0.2', '127.0.0.3', '127.0.0.4'):
            for k in range(12):
                c = stack.enter_context(Other(d, host))
                connections += 1
                if k % 3 == 0:
                    pour(c, HALF + b'x' * (2 * MB - 1000))
                elif k % 3 == 1:
                    c.send({'jsonrpc': '2.0', 'id': 0, 'method': 'query', 'params': hard_queries(3)})
                    pour(c, b''.join(b'{"jsonrpc": "2.0", "id": %d, "method": "analyze", "params": {"text": "%s"}}\n' % (
                        i, b' ' * MB) for i in range(4)))
                else:
                    pour(c, HALF + b'y' * MB + b'"}}\n', 1)
                    pour(c, (HALF + b'z' * MB + b'"}}\n') * 8)
                most = max(most, buffered(honest))
                assert honest.result('query', {'queries': [{'query': '1 == 1'}]})['answers']
        # What is granted to each connection, a message and a reply come on top.
        assert 6 * MB < most <= 12 * MB + connections * MB // 4 + 4 * MB, most
        assert honest.result('server/stats')['peers'] == 4
        stack.pop_all().close()
        with d.client() as c:
            d.wait(lambda: buffered(c) < MB, 'the memory')


def test_what_was_paused_goes_on():
    """Many large messages at once, more than may be held: all are answered, in the end, and each once."""
    body, wrong, count = 'x' * 100000, [], 60

    def exchange(d):
        with d.client() as c:
            messages = b''.join(b'{"jsonrpc": "2.0", "id": %d, "method": "server/ping", "params": {"k": "%s"}}\n' % (
                k, body.encode()) for k in range(count))
            sender = threading.Thread(target=c.raw, args=(messages,))
            sender.start()
            for _ in range(count):
                reply = valid(c.read())
                if reply.get('result') != {'k': body}:
                    wrong.append(json.dumps(reply)[:200])
            sender.join()
    with Daemon('--max-buffered', '48M', '--max-peer-buffered', '32M', '--workers', '1') as d:
        clients = [threading.Thread(target=exchange, args=(d,)) for _ in range(10)]
        for c in clients:
            c.start()
        for c in clients:
            c.join()
        assert not wrong, wrong
        with d.client() as c:
            assert c.result('server/stats')['connections']['cut'] == 0
            d.wait(lambda: buffered(c) < MB, 'the memory')


def test_replies_that_are_not_read_hold_up_requests():
    with Daemon(*SMALL, '--workers', '2') as d, d.client() as c, d.client() as other:
        count = 3000
        sender = threading.Thread(target=c.raw, args=(b'{"jsonrpc": "2.0", "id": 1, "method": "rpc.discover"}\n' * count,))
        sender.start()
        d.wait(lambda: buffered(other) > MB, 'replies')
        dims = [buffered(other) for _ in range(50)]
        assert max(dims) < 8 * MB, max(dims)
        first = c.read()
        for _ in range(count - 1):
            assert c.read() == first
        sender.join()
        c.result('server/ping')


def test_who_stalls_is_cut():
    with Daemon(*SMALL, '--stall', '1500ms') as d, d.client() as quiet, d.client() as half, d.client() as slow, d.client() as unread:
        quiet.result('server/ping')
        half.raw(HALF)
        pour(unread, b'{"jsonrpc": "2.0", "id": 1, "method": "rpc.discover"}\n' * 3000, 1)
        for c in HALF + b'"}}\n':
            slow.raw(bytes([c]))
            time.sleep(0.025)  # longer than that in all
        assert valid(slow.read())['result'] == {'k': ''}
        error = valid(half.read())['error']['data']
        assert (error['code'], error['limit'], error['value']) == ('queue-full', 'stall', 1500) and half.ended()
        assert unread.ended()
        assert quiet.result('server/stats')['connections']['cut'] == 2
        assert quiet.result('server/ping', {'a': 1}) == {'a': 1}


def test_a_message_that_could_never_be_held_is_refused():
    with Daemon('--max-peer-buffered', '4M') as d, d.client() as c:
        c.raw(HALF + b'x' * (3 * MB) + b'"}}\n')
        assert valid(c.read())['error']['data']['code'] == 'size'
        assert c.result('server/ping', {'x': 'y' * 500000})


def test_promises_of_headers_hold_nothing():
    with Daemon(*TCP, *SMALL) as d, contextlib.ExitStack() as stack:
        for _ in range(40):
            c = stack.enter_context(Other(d))
            c.raw(b'Content-Length: %d\r\n\r\n{' % (2 * MB - 1))
        with d.client() as c:
            assert buffered(c) < 4 * MB
            assert c.result('server/ping', {'x': 'y' * MB})


# ---------------------------------------------------------------- the log

def test_a_log_that_is_not_read_stops_nothing():
    r, w = os.pipe()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 's')
        with subprocess.Popen([SHAPED, '--socket', path, '--log-level', 'info'], stderr=w) as process:
            os.close(w)
            os.read(r, 1 << 16)  # it listens
            with Client(path) as c:
                for k in range(2000):
                    assert c.result('server/ping', {'k': k}) == {'k': k}
                lost = c.result('server/stats')['log_dropped']
                assert lost > 100
                assert b'log-dropped' not in os.read(r, 1 << 16)
                c.result('server/ping', {})
                said = os.read(r, 1 << 16).decode()
                assert int(said.split(' level=warning event=log-dropped lines=')[1].split()[0]) >= lost
            process.terminate()
            assert process.wait(PATIENCE) == 0
        os.close(r)


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
