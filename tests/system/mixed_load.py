#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hostile clients of several peers beside twenty honest ones, for MIXED_SECONDS (default 10; `make test-long`: 600).

No request of an honest client is lost or wrongly answered, memory stays within the bound of server/README.md and comes
back afterwards. How long honest requests take is printed, and how long without the hostile ones: for a fifth of the time
before them. An echo of a process that does nothing else, asked by the same clients, shows what of it is the machine's.
MIXED_P99, in milliseconds, makes a longer p99 a failure. Reads SHAPED (default: in build/). The last line is
`N passed, N failed`.
"""
import collections
import contextlib
import json
import os
import random
import selectors
import socket
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import main  # noqa: E402
from shaped import ADD, PATIENCE, SHAPED, Client, Daemon, hard_queries, long_program  # noqa: E402

SECONDS = float(os.environ.get('MIXED_SECONDS', '10'))
SEED = int(os.environ.get('MIXED_SEED', '1'))
P99 = float(os.environ.get('MIXED_P99', 'inf'))
HONEST, PAUSE, PEERS, MB = 20, 0.02, 6, 1 << 20
HALF = b'{"jsonrpc": "2.0", "id": 1, "method": "analyze", "params": {"text": "'
# The sum of server/README.md, and what runs: one analysis for each worker, of the programs here, and sessions.
BOUND = (957 + 512) * MB
ASKED = (('analyze', {'text': ADD}), ('server/ping', {'k': 'v'}), ('query', {'queries': [{'query': '1 == 1'}]}),
         ('analyze', {'text': long_program(20)}), ('refine', {'text': ADD}))


class Hostile(Client):
    def __init__(self, port, host):  # pylint: disable=super-init-not-called
        self.socket = socket.socket()
        self.socket.settimeout(0.2)
        self.socket.bind((host, 0))
        self.socket.connect(('127.0.0.1', port))
        self.headers, self.data, self.last = False, b'', 0


def request(method, params, ident=1):
    return json.dumps({'jsonrpc': '2.0', 'id': ident, 'method': method, 'params': params}).encode() + b'\n'


def send_all(clients, make):
    """What `make` returns, to each of them; the daemon may have ended some."""
    for c in clients:
        with contextlib.suppress(OSError):
            c.raw(make())


def half_messages(port, host, rng):
    clients = [Hostile(port, host) for _ in range(20)]
    send_all(clients, lambda: HALF + b'x' * rng.randrange(30 * MB))
    return clients


def floods(port, host, rng):
    clients = [Hostile(port, host) for _ in range(10)]
    data = request('query', hard_queries(rng.randrange(1, 6))) * 50
    send_all(clients, lambda: data)
    time.sleep(1)
    return clients


def unread(port, host, rng):
    clients = [Hostile(port, host) for _ in range(8)]
    for _ in range(5):
        send_all(clients, lambda: b'{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}\n' * rng.randrange(1, 1000))
    return clients


def connections(port, host, rng):
    clients = []
    with contextlib.suppress(OSError):
        for _ in range(rng.randrange(600)):
            clients.append(Hostile(port, host))
    return clients


def keepers(port, host, rng):
    """Sessions and profiles."""
    c = Hostile(port, host)
    text = long_program(rng.randrange(1, 2000))
    with contextlib.suppress(OSError):
        for k in range(100):
            c.raw(request('session/open', {'text': text}))
            c.raw(request('profile/observe', {'profile': 'p%d' % rng.randrange(9999), 'observations': [
                {'sizes': {'B': k}, 'count': 1 << 60}]}))
            c.socket.recv(1 << 20)
    return [c]


def garbage(port, host, rng):
    clients = [Hostile(port, host) for _ in range(10)]
    send_all(clients, lambda: (bytes(rng.randrange(256) for _ in range(rng.randrange(2000))) + b'\n' +
                               b'[' * rng.randrange(100000)))
    return clients


def drips(port, host, rng):
    clients = [Hostile(port, host) for _ in range(50)]
    for k in range(20):
        send_all(clients, lambda: HALF[k:k + 1])
        time.sleep(0.01 * rng.random())
    return clients


KINDS = (half_messages, floods, unread, connections, keepers, garbage, drips)


def attack(port, host, seed, end, count):
    rng = random.Random(seed)
    while time.monotonic() < end:
        kind = rng.choice(KINDS)
        clients = []
        with contextlib.suppress(OSError, EOFError):
            clients = kind(port, host, rng)
            count[kind.__name__] += 1
        for c in clients:
            c.socket.close()


def be_hostile(port, seed, seconds):
    """A process of its own, as honest clients must not wait for its interpreter."""
    count, end = collections.Counter(), time.monotonic() + seconds
    threads = [threading.Thread(target=attack, args=(port, '127.0.0.%d' % (k + 2), seed + k, end, count)) for k in range(PEERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(json.dumps(count))


class Honest:
    """One request after the other, each with a pause before it."""

    def __init__(self, sock, rights, at):
        self.socket, self.rights, self.due, self.data, self.asked, self.times = sock, rights, at, b'', at, []

    def ask(self, now):
        self.asked, self.due = now, None
        self.socket.sendall(self.rights[0][0])

    def hear(self, now):
        """What is wrong with the reply, or None."""
        data = self.socket.recv(1 << 16)
        if not data:
            return 'the connection was closed'
        self.data += data
        if not self.data.endswith(b'\n'):
            return None
        right, self.data, data = self.rights[0][1], b'', self.data
        self.rights = self.rights[1:] + self.rights[:1]
        self.times.append((self.asked, now - self.asked))
        self.due = now + PAUSE
        return None if data == right else data.decode(errors='replace')[:300]


def reply_to(c, data):
    c.raw(data)
    while not c.data.endswith(b'\n'):
        c.more()
    reply, c.data = c.data, b''
    assert b'"result"' in reply, reply[:300]
    return reply


def echo(ours, theirs):
    """A process that returns what comes over a pair of sockets."""
    pid = os.fork()
    if pid:
        ours.close()
        return pid
    theirs.close()
    while True:
        data = ours.recv(1 << 16)
        if not data:
            os._exit(0)
        ours.sendall(data)


def be_honest(path, quiet, seconds):
    """Times of requests of HONEST clients and of the echo, before and after `quiet` seconds, and what was wrong."""
    one, other = socket.socketpair()
    child = echo(other, one)
    with Client(path) as c:
        requests = [json.dumps({'jsonrpc': '2.0', 'id': 7, 'method': method, 'params': params}).encode() + b'\n'
                    for method, params in ASKED]
        rights = [(data, reply_to(c, data)) for data in requests]
    begin, wrong, selector = time.monotonic(), [], selectors.DefaultSelector()
    clients = [Honest(Client(path).socket, rights[k % 5:] + rights[:k % 5], begin + PAUSE * k / HONEST) for k in range(HONEST)]
    clients.append(Honest(one, [(requests[0], requests[0])], begin))
    for c in clients:
        c.socket.setblocking(True)
        selector.register(c.socket, selectors.EVENT_READ, c)
    now = begin
    while now < begin + quiet + seconds or any(c.due is None for c in clients):
        for c in clients:
            if c.due is not None and c.due <= now and now < begin + quiet + seconds:
                c.ask(now)
        soon = min([c.due for c in clients if c.due is not None], default=now + 1)
        for key, _ in selector.select(max(0, min(soon - time.monotonic(), 1))):
            why = key.data.hear(time.monotonic())
            if why:
                wrong.append(why)
            if why == 'the connection was closed':
                selector.unregister(key.fileobj)
                clients.remove(key.data)
        now = time.monotonic()
        if now > begin + quiet + seconds + PATIENCE:
            wrong += ['no answer'] * sum(c.due is None for c in clients)
            break
    one.close()
    os.waitpid(child, 0)

    def times(of, since, until):
        return sorted(took for c in of for asked, took in c.times if since <= asked - begin < until)
    honest, echoes = clients[:-1], clients[-1:]
    print(json.dumps({'wrong': wrong[:3], 'wrongs': len(wrong), 'before': times(honest, 0, quiet), 'echo before': times(echoes, 0, quiet),
                      'beside': times(honest, quiet, 1e9), 'echo beside': times(echoes, quiet, 1e9)}))


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


def beside(role, *arguments):
    return subprocess.Popen([sys.executable, os.path.abspath(__file__), '--' + role, *map(str, arguments)],
                            stdout=subprocess.PIPE, universal_newlines=True)


def result_of(process):
    text, _ = process.communicate(timeout=2 * PATIENCE + SECONDS)
    assert process.returncode == 0, text[-1000:]
    return json.loads(text)


def summary(times):
    return 'median %.1f ms, p99 %.1f ms, longest %.1f ms of %d' % (
        times[len(times) // 2] * 1000, times[len(times) * 99 // 100] * 1000, times[-1] * 1000, len(times))


def test_honest_clients_beside_hostile_ones():
    quiet = SECONDS / 5
    with Daemon('--tcp', '127.0.0.1:0', '--workers', '2', '--session-memory', '128M', program=SHAPED) as d:
        with d.client() as c:
            before = resident(d.process.pid)
            honest = beside('honest', d.path, quiet, SECONDS)
            time.sleep(quiet + 0.5)
            alone = c.result('server/stats')['loop_max_us']
            hostile = beside('hostile', d.port('clients'), SEED, SECONDS - 0.5)
            most, end = 0, time.monotonic() + SECONDS
            while time.monotonic() < end:
                most = max(most, resident(d.process.pid))
                time.sleep(0.1)
            count, said = result_of(hostile), result_of(honest)
            for name in ('before', 'echo before', 'beside', 'echo beside'):
                print('%-12s %s' % (name, summary(said[name])))
            stats = c.result('server/stats')
            print('loop %.1f ms before, %.1f ms, of the processor %.1f ms; %d MiB before, %d MiB at most; attacks: %s; '
                  'load %.1f' % (alone / 1000, stats['loop_max_us'] / 1000, stats['loop_cpu_max_us'] / 1000,
                                 before >> 20, most >> 20, count, os.getloadavg()[0]))
            assert not said['wrongs'], '%d wrong: %s' % (said['wrongs'], said['wrong'])
            assert len(count) >= min(len(KINDS), 4), count
            assert most < BOUND, most
            times = said['beside']
            assert times[len(times) * 99 // 100] < P99 / 1000, 'p99 is over %g ms' % P99

            def over():
                stats = c.result('server/stats')
                return stats['connections']['open'] == 1 and not stats['in_flight'] and stats['buffered_bytes'] < MB
            limit = time.monotonic() + 4 * PATIENCE  # one reply of each connection shows that its client is gone
            while not over():
                assert time.monotonic() < limit, 'the others did not end'
                time.sleep(0.1)
            while resident(d.process.pid) > before + 256 * MB and time.monotonic() < limit:
                time.sleep(0.2)  # sessions are kept: at most 128 MB
            after = resident(d.process.pid)
            assert after <= before + 256 * MB, '%d MiB before, %d MiB after' % (before >> 20, after >> 20)


if __name__ == '__main__':
    if sys.argv[1:2] == ['--honest']:
        be_honest(sys.argv[2], float(sys.argv[3]), float(sys.argv[4]))
    elif sys.argv[1:2] == ['--hostile']:
        be_hostile(int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))
    else:
        sys.exit(main(globals(), sys.argv[1:]))
