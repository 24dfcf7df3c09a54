#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Connections that cannot be taken, for want of memory or descriptors, and the daemon that goes on afterwards.

Reads SHAPED (default: in build/). Arguments: words; only tests whose names contain one of them run. The last line is
`N passed, N failed`.
"""
import os
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import Skipped, main  # noqa: E402
from shaped import PATIENCE, SHAPED, Client, Daemon, valid  # noqa: E402

NO_FILES = resource.RLIMIT_NOFILE
# All calls of calloc fail in the loop's thread while the file exists.
SHIM = '''#define _GNU_SOURCE 1
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
extern void *__libc_calloc(size_t count, size_t size);
void *calloc(size_t count, size_t size) {
  const char *flag = getenv("FAIL_CALLOC");
  if (!flag || gettid() != getpid() || access(flag, F_OK) != 0) return __libc_calloc(count, size);
  errno = ENOMEM;
  return NULL;
}
'''


def files_of(d):
    return len(os.listdir('/proc/%d/fd' % d.process.pid))


def http(d, page):
    with socket.create_connection(('127.0.0.1', d.port('http')), PATIENCE) as s:
        s.sendall(b'GET /%s HTTP/1.1\r\n\r\n' % page)
        answer = b''
        while data := s.recv(65536):
            answer += data
    return answer.decode()


def test_without_descriptors_clients_are_told():
    with Daemon('--http', '127.0.0.1:0') as d, d.client() as first:
        assert first.result('server/ping') == {}
        limit = files_of(d) + 4
        hard = resource.prlimit(d.process.pid, NO_FILES)[1]
        resource.prlimit(d.process.pid, NO_FILES, (limit, hard))
        served = [Client(d.path) for _ in range(4)]
        assert all(c.result('server/ping') == {} for c in served)
        for _ in range(20):
            with Client(d.path) as late:
                error = valid(late.read())['error']
                assert error['data'] == {'code': 'too-many-connections', 'retryable': True}, error
                assert 'files' in error['message'] and late.ended()
        assert 'ready' in http(d, b'readyz')  # what watches the daemon still can
        assert all(c.result('server/ping') == {} for c in served)
        assert d.said().count('event=accept-failed') <= 2, d.said()  # one a listener, not one a client
        assert 'why=EMFILE' in d.said()
        served.pop().socket.close()
        d.wait(lambda: first.result('server/stats')['connections']['open'] == 4, 'the end of one')
        with Client(d.path) as late:
            assert late.result('server/ping', {'n': 1}) == {'n': 1}
        resource.prlimit(d.process.pid, NO_FILES, (limit + 20, hard))
        assert 'ready' in http(d, b'readyz')
        assert 'shaped_accept_failures_total 21\n' in http(d, b'metrics')
        for c in served:
            c.socket.close()


def test_those_who_wait_are_taken_later():
    """Where not even the reserve helps, clients stay in the queue of the system."""
    with Daemon() as d, d.client() as first:
        assert first.result('server/ping') == {}
        soft, hard = resource.prlimit(d.process.pid, NO_FILES)
        resource.prlimit(d.process.pid, NO_FILES, (3, hard))
        waiting = [Client(d.path) for _ in range(5)]
        for k, c in enumerate(waiting):
            c.send({'jsonrpc': '2.0', 'id': k, 'method': 'server/ping'})
        d.wait(lambda: 'event=accept-failed' in d.said(), 'a line')
        begin = os.times()
        time.sleep(1)
        assert first.result('server/ping') == {}
        with open('/proc/%d/stat' % d.process.pid, encoding='utf-8') as file:
            ticks = sum(int(n) for n in file.read().rsplit(')', 1)[1].split()[11:13])
        assert ticks < 50 * (os.times().elapsed - begin.elapsed), 'it spins: %d ticks' % ticks
        resource.prlimit(d.process.pid, NO_FILES, (soft, hard))
        for k, c in enumerate(waiting):
            assert valid(c.read())['id'] == k
            c.socket.close()


def test_as_many_files_as_connections_need():
    def few():
        resource.setrlimit(NO_FILES, (64, resource.getrlimit(NO_FILES)[1]))

    if resource.getrlimit(NO_FILES)[1] < 500:
        raise Skipped('the limit of files is low')
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 's')
        process = subprocess.Popen([SHAPED, '--socket', path, '--max-connections', '300'], stderr=subprocess.DEVNULL,
                                   preexec_fn=few)
        clients = []
        try:
            end = time.monotonic() + PATIENCE
            while not os.path.exists(path) and time.monotonic() < end:
                time.sleep(0.01)
            while len(clients) < 300:
                clients.append(Client(path))
            assert all(c.result('server/ping') == {} for c in clients)
        finally:
            for c in clients:
                c.socket.close()
            process.terminate()
            assert process.wait(PATIENCE) == 0


def test_without_memory_for_a_connection():
    compiler = shutil.which('cc') or shutil.which('gcc')
    if not compiler:
        raise Skipped('there is no compiler')
    if os.path.basename(os.path.dirname(SHAPED)) in ('asan', 'tsan'):
        raise Skipped('a sanitizer has a malloc of its own')
    with tempfile.TemporaryDirectory() as folder:
        shim, flag = os.path.join(folder, 'shim.so'), os.path.join(folder, 'fail')
        subprocess.run([compiler, '-shared', '-fPIC', '-x', 'c', '-', '-o', shim], input=SHIM.encode(), check=True)
        with Daemon('--http', '127.0.0.1:0', env={'LD_PRELOAD': shim, 'FAIL_CALLOC': flag}) as d:
            with d.client() as c:
                assert c.result('server/ping') == {}
            port = d.port('http')
            with open(flag, 'w', encoding='utf-8'):
                pass
            for _ in range(10):
                with d.client() as c:
                    assert c.ended() and not c.data
            with socket.create_connection(('127.0.0.1', port), PATIENCE) as s:
                try:
                    assert s.recv(100) == b''
                except ConnectionResetError:
                    pass
            os.remove(flag)
            with d.client() as c:
                assert c.result('server/ping', {'n': 2}) == {'n': 2}
            assert 'shaped_accept_failures_total 11\n' in http(d, b'metrics')
            assert d.said().count('why=ENOMEM') == 2, d.said()


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
