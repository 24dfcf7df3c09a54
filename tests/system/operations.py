#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The daemon as its operators meet it: metrics, health, logs, service manager. Reads SHAPED (default: in build/).

The last line is `N passed, N failed`. Arguments: words; only tests whose names contain one of them run.
"""
import json
import os
import re
import signal
import socket
import sys
import tempfile
import time
import urllib.error
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import main  # noqa: E402
from shaped import ADD, PATIENCE, SHAPED, Daemon, exchange, hard_queries, long_program, valid  # noqa: E402

SAMPLE = re.compile(r'^(shaped_[a-z_]+)((?:\{[a-z]+="[^"{}]*"(?:,[a-z]+="[^"{}]*")*\})?) (\d+(?:\.\d+)?)$')


def get(d, path):
    """(status, body) of the page."""
    try:
        with urllib.request.urlopen('http://127.0.0.1:%d%s' % (d.port('http'), path), timeout=PATIENCE) as reply:
            return reply.status, reply.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def metrics(d):
    """The page as {name with labels: number}, held against the text format."""
    status, text = get(d, '/metrics')
    assert status == 200 and text.endswith('\n')
    values, types = {}, {}
    for line in text.splitlines():
        if line.startswith('# TYPE '):
            name, kind = line.split()[2:]
            assert name not in types and kind in ('counter', 'gauge', 'histogram'), line
            types[name] = kind
        elif not line.startswith('# HELP '):
            match = SAMPLE.match(line)
            assert match, line
            base = re.sub(r'_(bucket|sum|count)$', '', match.group(1))
            assert match.group(1) in types or types.get(base) == 'histogram', line
            assert match.group(1) + match.group(2) not in values, line
            values[match.group(1) + match.group(2)] = float(match.group(3))
    return values


# ---------------------------------------------------------------- metrics and health

def test_a_worker_for_each_processor_that_it_may_use():
    mine = os.sched_getaffinity(0)
    for allowed in (mine, {min(mine)}):
        os.sched_setaffinity(0, allowed)  # a child has it too
        try:
            with Daemon('--http', '127.0.0.1:0') as d:
                assert metrics(d)['shaped_workers'] == len(allowed)
        finally:
            os.sched_setaffinity(0, mine)


def test_metrics_count_what_happened():
    with Daemon('--http', '127.0.0.1:0') as d, d.client() as c:
        before = metrics(d)
        for _ in range(3):
            c.result('analyze', {'text': ADD})
        c.error('analyze', {}, 'invalid')
        c.result('query', {'queries': [{'query': '1 < 2'}]})
        c.error('nope', {}, 'method-not-found')
        c.send(b'{')
        valid(c.read())
        after = metrics(d)
        grown = {k: after[k] - before[k] for k in after if after[k] != before[k]}
        assert grown['shaped_request_seconds_count{method="analyze"}'] == 4, grown
        assert grown['shaped_request_seconds_bucket{method="analyze",le="+Inf"}'] == 4
        assert grown['shaped_failed_requests_total{method="analyze"}'] == 1
        assert 1 <= grown['shaped_queue_seconds_count'] <= 5  # the others were answered on the loop
        for code in ('invalid', 'method-not-found', 'parse-error'):
            assert grown['shaped_errors_total{code="%s"}' % code] == 1, grown
        assert grown['shaped_messages_total'] == 7 and after['shaped_connections'] == 1
        assert after['shaped_resident_memory_bytes'] > 1e6 and after['shaped_requests_in_flight'] == 0


def test_buckets_of_histograms_only_grow():
    with Daemon('--http', '127.0.0.1:0') as d, d.client() as c:
        for i in range(20):
            c.result('analyze', {'text': long_program(i * 50)})
        values = metrics(d)
        buckets = [(k, v) for k, v in values.items() if k.startswith('shaped_request_seconds_bucket{method="analyze"')]
        ends = [float(re.search(r'le="([^"]*)"', k).group(1).replace('+Inf', 'inf')) for k, _ in buckets]
        assert ends == sorted(ends) and [v for _, v in buckets] == sorted(v for _, v in buckets)
        assert buckets[-1][1] == values['shaped_request_seconds_count{method="analyze"}'] == 20
        assert values['shaped_request_seconds_sum{method="analyze"}'] > 0


def test_health_and_readiness():
    with Daemon('--http', '127.0.0.1:0', '--workers', '1', '--drain', '60s') as d:
        assert get(d, '/healthz') == (200, 'alive\n') and get(d, '/readyz') == (200, 'ready\n')
        assert get(d, '/readyz?verbose=1')[0] == 200 and get(d, '/nothing')[0] == 404
        with d.client() as c:
            c.send({'jsonrpc': '2.0', 'id': 1, 'method': 'query', 'params': hard_queries(5000)})
            d.wait(lambda: metrics(d)['shaped_workers_busy'] == 1, 'the request')
            d.process.send_signal(signal.SIGTERM)
            d.wait(lambda: 'state=begin' in d.said(), 'the drain')
            # Still alive, and no longer ready, until the last request is answered.
            assert get(d, '/readyz') == (503, 'draining\n') and get(d, '/healthz') == (200, 'alive\n')
            assert metrics(d)['shaped_draining'] == 1
            d.process.send_signal(signal.SIGTERM)
            d.process.wait(PATIENCE)


def test_a_full_queue_is_not_ready():
    with Daemon('--http', '127.0.0.1:0', '--workers', '1', '--max-queue', '1') as d, d.client() as c:
        c.send({'jsonrpc': '2.0', 'id': 0, 'method': 'query', 'params': hard_queries(5000)})
        d.wait(lambda: metrics(d)['shaped_workers_busy'] == 1, 'the request')  # else the second is one too many
        c.send({'jsonrpc': '2.0', 'id': 1, 'method': 'query', 'params': hard_queries(5000)})
        d.wait(lambda: get(d, '/readyz') == (503, 'the queue is full\n'), 'the full queue')
        c.socket.close()
        d.wait(lambda: get(d, '/readyz')[0] == 200, 'the empty queue')


def test_http_that_is_none():
    with Daemon('--http', '127.0.0.1:0') as d:
        address = ('127.0.0.1', d.port('http'))
        for text, status in ((b'\r\n\r\n', b'400'), (b'GET\r\n\r\n', b'400'), (b'GET /metrics\r\n\r\n', b'400'),
                             (b'POST /metrics HTTP/1.1\r\n\r\n', b'405'), (b'\x16\x03\x01 \n\n', b'400'),
                             (b'GET /' + b'x' * 5000, b'431'), (b'HEAD /metrics HTTP/1.0\n\n', b'200'),
                             (b'POST /metrics HTTP/1.1\r\n\r\n' + b'x' * 500000, b'405'),
                             (b'GET /healthz HTTP/1.1\r\n\r\n' * 3, b'200'), (b'GET /' + b'x' * 500000, b'431')):
            reply = exchange(address, text)  # all of it is taken, so that no reset takes the answer away
            assert reply.startswith(b'HTTP/1.1 ' + status), (text[:40], reply[:200])
            assert not text.startswith(b'HEAD') or reply.endswith(b'\r\n\r\n')
        # One that goes on for ever is closed.
        with socket.create_connection(address, PATIENCE) as s:
            try:
                for _ in range(1000):
                    s.sendall(b'GET /healthz HTTP/1.1\r\n\r\n' + b'x' * 65536)
                raise AssertionError('it takes anything')
            except (BrokenPipeError, ConnectionResetError):
                pass
        # Clients that say nothing cost a connection for a while, and hold up neither others nor the end.
        silent = [socket.create_connection(address, PATIENCE) for _ in range(20)]
        assert get(d, '/healthz')[0] == 200
        d.process.send_signal(signal.SIGTERM)
        assert d.process.wait(PATIENCE) == 0
        for s in silent:
            s.close()


def test_http_on_a_unix_socket():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'http')
        with Daemon('--http', path) as d, socket.socket(socket.AF_UNIX) as s:
            d.wait(lambda: os.path.exists(path))
            s.connect(path)
            s.sendall(b'GET /healthz HTTP/1.1\r\n\r\n')
            assert s.recv(1000).startswith(b'HTTP/1.1 200')
        assert not os.path.exists(path)


# ---------------------------------------------------------------- fairness

def cpu_seconds(pid):
    """What all threads of a process have used, so far as the kernel has counted it."""
    total = 0
    for task in os.listdir('/proc/%d/task' % pid):
        with open('/proc/%d/task/%s/schedstat' % (pid, task), encoding='ascii') as file:
            total += int(file.read().split()[0])
    return total * 1e-9


def test_a_cancelled_request_ends_at_once():
    """The loop looks every 5 ms, the solver every 1024 steps. The bound is held against what the daemon still computes, not
    against the clock, which other programs of this machine move as well."""
    with Daemon('--workers', '1') as d, d.client() as c:
        times, used = [], []
        for i in range(20):
            c.send({'jsonrpc': '2.0', 'id': i, 'method': 'query', 'params': hard_queries(5000)})
            time.sleep(0.02 + 0.005 * i)
            start, before = time.monotonic(), cpu_seconds(d.process.pid)
            c.send({'jsonrpc': '2.0', 'method': '$/cancelRequest', 'params': {'id': i}})
            assert valid(c.read())['error']['data']['code'] == 'cancelled'
            times.append(time.monotonic() - start)
            used.append(cpu_seconds(d.process.pid) - before)
        print('cancelled after %.1f ms of work (median), %.1f ms (longest); by the clock %.1f ms (median)' % (
            1000 * sorted(used)[10], 1000 * max(used), 1000 * sorted(times)[10]))
        assert sorted(used)[10] < 0.1, used


def test_every_method_is_cancelled_at_once():
    """At many points of reading, solving, reporting and writing. A push is some 25 ms of work: a later request to cancel it
    finds it answered."""
    text = long_program(100000)
    with Daemon('--workers', '1') as d, d.client() as c:
        session = c.result('session/open', {'text': text})['session']
        asked = {'analyze': {'text': text}, 'refine': {'text': text}, 'explain': {'text': text, 'options': {'that': 'S0 >= 1'}},
                 'diff': {'old': {'text': text}, 'new': {'text': text}}, 'session/open': {'text': text},
                 'session/push': {'session': session, 'assume': ['arg0.0 == 3']}, 'session/analyze': {'session': session}}
        for method, params in asked.items():
            used, step = [], 0.001 if method == 'session/push' else 0.01
            for i in range(8):
                c.send({'jsonrpc': '2.0', 'id': i, 'method': method, 'params': params})
                c.send({'jsonrpc': '2.0', 'id': 'in', 'method': 'server/ping'})  # it is under way when this is answered
                assert c.read()['id'] == 'in'
                time.sleep(step * i)
                before = cpu_seconds(d.process.pid)
                c.send({'jsonrpc': '2.0', 'method': '$/cancelRequest', 'params': {'id': i}})
                reply = valid(c.read(), method)
                if 'error' in reply:
                    assert reply['error']['data']['code'] == 'cancelled', reply
                    used.append(cpu_seconds(d.process.pid) - before)
                elif method == 'session/push':
                    c.result('session/pop', {'session': session})
            assert used, method + ' was never cancelled'
            used.sort()
            print('%s: cancelled after %.1f ms of work (median of %d), %.1f ms (most)' % (
                method, 1000 * used[len(used) // 2], len(used), 1000 * used[-1]))
            assert used[len(used) // 2] < 0.1, (method, used)


def test_many_requests_of_one_do_not_delay_another():
    with Daemon('--workers', '1') as d, d.client() as greedy, d.client() as modest:
        for i in range(500):
            greedy.send({'jsonrpc': '2.0', 'id': i, 'method': 'query', 'params': hard_queries(5)})
        d.wait(lambda: modest.result('server/stats')['in_flight'] > 400, 'the queue')
        for _ in range(3):
            assert modest.result('analyze', {'text': ADD})['status'] == 'ok'
        # Each had to wait for one request of the other, not for all.
        assert modest.result('server/stats')['in_flight'] > 100


# ---------------------------------------------------------------- logs

def test_one_line_per_request_as_json_too():
    with Daemon('--log-format', 'json') as d, d.client() as c:
        c.result('analyze', {'text': ADD})
        c.call('server/ping', {}, 'a"\\\x01b')
        c.error('no\nsuch', {})
        d.wait(lambda: 'no-' in d.said() or 'method-not-found' in d.said())
        lines = [json.loads(line) for line in d.said().splitlines()]
        assert all(set(line) >= {'ts', 'level', 'event'} for line in lines)
        requests = [line for line in lines if line['event'] == 'request']
        assert [r['method'] for r in requests] == ['analyze', 'server/ping', 'no\nsuch'], requests
        assert requests[0]['outcome'] == 'ok' and requests[0]['ms'] > 0 and requests[0]['id'] == '1'
        accepted = [line for line in lines if line['event'] == 'accept']
        assert accepted[0]['uid'] == os.getuid() and accepted[0]['pid'] == os.getpid(), accepted


def test_lines_tell_the_bytes_of_every_reply():
    with Daemon('--workers', '1', '--max-queue', '1') as d, d.client() as c:
        said = []
        for message in (b'{"jsonrpc": "2.0", "id": 1, "method": "server/ping"}', b'{"jsonrpc": "2.0", "id": 2, "method": "no"}',
                        b'{"jsonrpc": "2.0", "id": 3}', b'3', b'{', b'[]', json.dumps(
                            {'jsonrpc': '2.0', 'id': 4, 'method': 'analyze', 'params': {'text': ADD}}).encode(),
                        b'{"jsonrpc": "2.0", "id": 5, "method": "analyze"}',
                        b'{"jsonrpc": "2.0", "id": 6, "method": "$/cancelRequest"}',
                        b'{"jsonrpc": "2.0", "id": 7, "method": "server/stats", "params": ["' + b'x' * 70000 + b'"]}'):
            c.send(message)
            if b'$/' in message:
                continue
            while b'\n' not in c.data:
                c.more()
            said.append(c.data.index(b'\n'))
            valid(c.read())
        d.wait(lambda: d.said().count(' reply=') == len(said), 'a line for each')
        lines = [line for line in d.said().splitlines() if ' reply=' in line]
        assert [int(re.search(r' reply=(\d+)', line).group(1)) for line in lines] == said, lines


def test_slow_requests_are_warnings():
    with Daemon('--slow', '1ms', '--log-level', 'warning') as d, d.client() as c:
        c.result('analyze', {'text': long_program(20000)})
        d.wait(lambda: 'event=slow' in d.said())
        assert 'level=warning' in d.said() and 'event=request' not in d.said()


# ---------------------------------------------------------------- the service manager

def test_the_manager_is_told():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'notify')
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(path)
            manager.settimeout(PATIENCE)
            config = os.path.join(folder, 'conf')
            with open(config, 'w', encoding='utf-8') as file:
                file.write('max-batch = 5\n')
            said = []

            def hear(word):
                while True:
                    said.append(manager.recv(200).decode())
                    if word in said[-1]:
                        return said[-1]

            with Daemon('--config', config, env={'NOTIFY_SOCKET': path, 'WATCHDOG_USEC': '100000'}) as d:
                hear('READY=1')
                hear('WATCHDOG=1')
                hear('WATCHDOG=1')
                d.process.send_signal(signal.SIGHUP)
                assert re.search(r'MONOTONIC_USEC=\d+', hear('RELOADING=1')), said
                hear('READY=1')
                d.process.send_signal(signal.SIGTERM)
                hear('STOPPING=1')
                assert d.process.wait(PATIENCE) == 0


if __name__ == '__main__':
    assert SHAPED
    sys.exit(main(globals(), sys.argv[1:]))
