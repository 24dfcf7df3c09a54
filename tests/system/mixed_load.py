#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hostile clients of several peers beside twenty honest ones, for MIXED_SECONDS (default 10; `make test-long`: 600).

No request of an honest client is lost or wrongly answered, memory stays within the bound of server/README.md and comes
back afterwards. How long honest requests took is printed. Reads SHAPED (default: in build/). The last line is
`N passed, N failed`.
"""
import collections
import contextlib
import json
import os
import random
import socket
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import main  # noqa: E402
from shaped import ADD, PATIENCE, SHAPED, Client, Daemon, hard_questions, long_program  # noqa: E402

SECONDS = float(os.environ.get('MIXED_SECONDS', '10'))
SEED = int(os.environ.get('MIXED_SEED', '1'))
HONEST, MB = 20, 1 << 20
HALF = b'{"jsonrpc": "2.0", "id": 1, "method": "analyze", "params": {"text": "'
# The sum of server/README.md, and what runs: one analysis for each worker, of the programs here, and sessions.
BOUND = (957 + 512) * MB


class Hostile(Client):
    def __init__(self, d, host):  # pylint: disable=super-init-not-called
        self.socket = socket.socket()
        self.socket.settimeout(0.2)
        self.socket.bind((host, 0))
        self.socket.connect(('127.0.0.1', d.port('clients')))
        self.headers, self.data, self.last = False, b'', 0


def request(method, params, ident=1):
    return json.dumps({'jsonrpc': '2.0', 'id': ident, 'method': method, 'params': params}).encode() + b'\n'


def half_messages(d, host, rng):
    clients = [Hostile(d, host) for _ in range(20)]
    for c in clients:
        with contextlib.suppress(OSError):
            c.raw(HALF + b'x' * rng.randrange(30 * MB))
    return clients


def floods(d, host, rng):
    clients = [Hostile(d, host) for _ in range(10)]
    data = request('query', hard_questions(rng.randrange(1, 6))) * 50
    for c in clients:
        with contextlib.suppress(OSError):
            c.raw(data)
    time.sleep(1)
    return clients


def unread(d, host, rng):
    clients = [Hostile(d, host) for _ in range(8)]
    for _ in range(5):
        for c in clients:
            with contextlib.suppress(OSError):
                c.raw(b'{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}\n' * rng.randrange(1, 1000))
    return clients


def connections(d, host, rng):
    clients = []
    with contextlib.suppress(OSError):
        for _ in range(rng.randrange(600)):
            clients.append(Hostile(d, host))
    return clients


def keepers(d, host, rng):
    """Sessions and profiles."""
    c = Hostile(d, host)
    text = long_program(rng.randrange(1, 2000))
    with contextlib.suppress(OSError):
        for k in range(100):
            c.raw(request('session/open', {'text': text}))
            c.raw(request('profile/observe', {'profile': 'p%d' % rng.randrange(9999), 'observations': [
                {'sizes': {'B': k}, 'count': 1 << 60}]}))
            c.socket.recv(1 << 20)
    return [c]


def garbage(d, host, rng):
    clients = [Hostile(d, host) for _ in range(10)]
    for c in clients:
        with contextlib.suppress(OSError):
            c.raw(bytes(rng.randrange(256) for _ in range(rng.randrange(2000))) + b'\n' + b'[' * rng.randrange(100000))
    return clients


def drips(d, host, rng):
    clients = [Hostile(d, host) for _ in range(50)]
    for k in range(20):
        for c in clients:
            with contextlib.suppress(OSError):
                c.raw(HALF[k:k + 1])
        time.sleep(0.01 * rng.random())
    return clients


KINDS = (half_messages, floods, unread, connections, keepers, garbage, drips)


def attack(d, host, seed, end, count):
    rng = random.Random(seed)
    while time.monotonic() < end:
        kind = rng.choice(KINDS)
        clients = []
        with contextlib.suppress(OSError, EOFError):
            clients = kind(d, host, rng)
            count[kind.__name__] += 1
        for c in clients:
            c.socket.close()


def ask(d, rights, end, times, wrong):
    try:
        with d.client() as c:
            k = 0
            while time.monotonic() < end:
                k += 1
                method, params, right = rights[k % len(rights)]
                start = time.monotonic()
                reply = c.call(method, params)
                times.append(time.monotonic() - start)
                if reply.get('result') != right:
                    wrong.append(json.dumps(reply)[:300])
                time.sleep(0.02)
    except (OSError, EOFError, AssertionError) as error:
        wrong.append('%s: %s' % (type(error).__name__, error))


def resident(pid):
    """Bytes of the process and those below it that are theirs."""
    total, waiting = 0, [pid]
    while waiting:
        p = waiting.pop()
        with contextlib.suppress(OSError, IndexError):
            for task in os.listdir('/proc/%d/task' % p):
                with open('/proc/%d/task/%s/children' % (p, task), encoding='ascii') as file:
                    waiting += [int(word) for word in file.read().split()]
            with open('/proc/%d/status' % p, encoding='ascii') as file:
                total += sum(int(line.split()[1]) for line in file if line.startswith('RssAnon')) << 10
    return total


def test_honest_clients_beside_hostile_ones():
    with Daemon('--tcp', '127.0.0.1:0', '--workers', '2', '--session-memory', '128M', program=SHAPED) as d:
        with d.client() as c:
            asked = (('analyze', {'text': ADD}), ('server/ping', {'k': 'v'}), ('query', {'queries': [{'query': '1 == 1'}]}),
                     ('analyze', {'text': long_program(20)}), ('refine', {'text': ADD}))
            rights = [(method, params, c.result(method, params)) for method, params in asked]
            before, end = resident(d.process.pid), time.monotonic() + SECONDS
            times, wrong, count = [], [], collections.Counter()
            threads = [threading.Thread(target=ask, args=(d, rights, end, times, wrong)) for _ in range(HONEST)]
            threads += [threading.Thread(target=attack, args=(d, '127.0.0.%d' % (k + 2), SEED + k, end, count))
                        for k in range(6)]
            for thread in threads:
                thread.start()
            most = 0
            while time.monotonic() < end:
                most = max(most, resident(d.process.pid))
                time.sleep(0.1)
            for thread in threads:
                thread.join()
            times.sort()
            print('%d honest requests: median %.1f ms, p99 %.1f ms, longest %.1f ms; loop %.1f ms; %d MiB at most, %d before; attacks: %s' % (
                len(times), times[len(times) // 2] * 1000, times[len(times) * 99 // 100] * 1000, times[-1] * 1000,
                c.result('server/stats')['loop_max_us'] / 1000,
                most >> 20, before >> 20, dict(count)))
            assert not wrong, '%d of %d: %s' % (len(wrong), len(times), wrong[:3])
            assert len(count) >= min(len(KINDS), 4), count
            assert most < BOUND, most

            def over():
                stats = c.result('server/stats')
                return stats['connections']['open'] == 1 and not stats['in_flight'] and stats['buffered_bytes'] < MB
            d.wait(over, 'the end of the others')
            limit = time.monotonic() + PATIENCE
            while resident(d.process.pid) > before + 256 * MB and time.monotonic() < limit:
                time.sleep(0.2)  # sessions are kept: at most 128 MB
            after = resident(d.process.pid)
            assert after <= before + 256 * MB, '%d MiB before, %d MiB after' % (before >> 20, after >> 20)


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
