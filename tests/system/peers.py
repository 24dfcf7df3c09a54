#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Peers of a real daemon: what one of them holds, keeps and sees is no other's. Reads SHAPED (default: in build/).

The other peer is another address of loopback, so that the tests need no second user. The last line is `N passed, N failed`.
"""
import contextlib
import os
import socket
import sqlite3
import stat
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import main  # noqa: E402
from shaped import ADD, PATIENCE, SHAPED, Client, Daemon, hard_questions, long_program, valid  # noqa: E402

TCP = ('--tcp', '127.0.0.1:0')


class Other(Client):
    """A client of another peer than those of the Unix socket."""

    def __init__(self, d, host='127.0.0.2', kind='clients'):  # pylint: disable=super-init-not-called
        self.socket = socket.socket()
        self.socket.settimeout(PATIENCE)
        self.socket.bind((host, 0))
        self.socket.connect(('127.0.0.1', d.port(kind)))
        self.headers, self.data, self.last = False, b'', 0


def seen(sizes):
    return [{'sizes': sizes, 'count': 1}]


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
            c.send({'jsonrpc': '2.0', 'id': k, 'method': 'query', 'params': hard_questions(25)})
            d.wait(lambda k=k: other.result('server/stats')['in_flight'] == k + 1, 'a request')
        d.wait(lambda: other.result('server/stats')['in_flight'] == 3, 'three requests')
        error = b.error('analyze', {'text': ADD}, 'too-many-in-flight')['data']
        assert (error['limit'], error['value']) == ('max-peer-in-flight', 3)
        assert other.result('query', {'queries': [{'query': '1 == 1'}]})['answers']
    # A queue that one peer has filled is not full for another's first request.
    with Daemon(*TCP, '--workers', '1', '--max-queue', '1') as d, Other(d) as other, d.client() as a:
        for k, what in enumerate(('running', 'queued')):
            a.send({'jsonrpc': '2.0', 'id': k, 'method': 'query', 'params': hard_questions(25)})
            d.wait(lambda what=what: other.result('server/stats')[what] == 1, what)
        a.send({'jsonrpc': '2.0', 'id': 2, 'method': 'query', 'params': hard_questions(5)})
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
                told = os.read(r, 1 << 16).decode()
                assert int(told.split(' level=warning event=log-dropped lines=')[1].split()[0]) >= lost
            process.terminate()
            assert process.wait(PATIENCE) == 0
        os.close(r)


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
