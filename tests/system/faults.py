#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What clients do to a daemon by accident or malice, all at once, for FAULT_SECONDS (default 50) in all.

Every request gets exactly one answer, or its connection ends, and that only where the client or the test gave a
reason: no other client may notice. At the end the memory is what it was (5 %), and so are the files that are open. Reads
SHAPED; where a build with AddressSanitizer is beside it the same runs there, half of the time. With a sanitizer
(SHAPED may also be that of ThreadSanitizer) allocations fail one after the other. FAULT_SEED repeats a run.

The last line is `N passed, N failed`. Arguments: words; only tests whose names contain one of them run.
"""
import collections
import json
import os
import random
import signal
import socket
import struct
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
import shaped  # noqa: E402
from cases import Skipped, main  # noqa: E402
from shaped import ADD, GRAPH, Client, Daemon, long_program, valid  # noqa: E402

SECONDS = float(os.environ.get('FAULT_SECONDS', '50'))
SEED = int(os.environ.get('FAULT_SEED', '0')) or random.randrange(1 << 30)
CLIENTS = 10
ALLOCATIONS = 2000
RESIDENT_NOISE = 512 << 10  # bytes; between two rests of a daemon of 7.7 MB there were up to 250 kB
MESSAGE = 1 << 21  # --max-message of the daemons here
WIDE = 'func.func @main(%%a: tensor<%s>) -> tensor<%s> {\n  return %%a : tensor<%s>\n}\n'


def sanitized():
    """The daemon that finds errors of memory, or of threads, if one was built."""
    if has_sanitizer(shaped.SHAPED):
        return shaped.SHAPED
    beside = os.path.join(ROOT, 'build', 'asan', 'shaped')
    return beside if os.path.exists(beside) else None


def has_sanitizer(program):
    return os.path.basename(os.path.dirname(program)) in ('asan', 'tsan')


class Count:
    """What all clients saw, in all."""

    def __init__(self):
        self.lock = threading.Lock()
        self.kinds = collections.Counter()
        self.answers = collections.Counter()
        self.problems = []
        self.unrest = 0  # while it is not 0, connections may end at any time: the daemon is being replaced

    def answer(self, reply):
        with self.lock:
            self.answers[reply['error']['data']['code'] if 'error' in reply else 'ok'] += 1

    def problem(self, text):
        with self.lock:
            self.problems.append(text)


# ---------------------------------------------------------------- requests

def request(ident, method, params):
    return {'jsonrpc': '2.0', 'id': ident, 'method': method, 'params': params}


def poison(rng):
    """A program that exhausts something; whatever it is, there is an answer."""
    power = '*'.join(['(S0 + 3)'] * 40)
    choice = rng.randrange(8)
    if choice == 0:
        return {'text': long_program(2000), 'options': {'steps': rng.randrange(1, 3000)}}
    if choice == 1:
        return {'text': long_program(3000), 'options': {'memory': rng.randrange(1, 1 << 20)}}
    if choice == 2:
        return {'text': ADD, 'options': {'assume': ['%s == %s' % (power, power.replace('3', '4'))]}}
    if choice == 3:
        dims = 'x'.join(['?'] * rng.randrange(1, 4000)) + 'xf32'
        return {'text': WIDE % (dims, dims, dims)}
    if choice == 4:
        digits = '9' * rng.randrange(1, 3000)
        return {'text': WIDE % ((digits + 'xi8',) * 3)}
    if choice == 5:
        return {'text': 'func.func @main() {\n' + '"a.b"() ({\n' * 500}
    if choice == 6:
        return {'text': ADD, 'options': {'assume': ['mod(S0^%d, 10^%d) == 7' % (rng.randrange(64), rng.randrange(64))]}}
    graph = json.loads(json.dumps(GRAPH))
    node = graph['functions'][0]
    for _ in range(rng.randrange(5)):  # cut or repeat something at random
        key = rng.choice(list(node))
        node[key] = rng.choice([None, [], {}, 'x', -1, [node.get(key)]])
    return {'graph': graph}


def some_request(rng, ident):
    choice = rng.randrange(10)
    if choice < 4:
        return request(ident, 'analyze', {'text': ADD, 'options': {'bind': {'arg0.0': rng.randrange(100)}}})
    if choice < 6:
        return request(ident, 'analyze', poison(rng))
    if choice == 6:
        return request(ident, 'refine', {'text': long_program(rng.randrange(500))})
    if choice == 7:
        return request(ident, 'query', {'symbols': {'a': {'min': 0}}, 'queries': [{'query': 'a*a %% %d == 3' % k}
                                                                                  for k in range(1, 30)]})
    if choice == 8:
        return request(ident, 'profile/observe', {'profile': 'p%d' % rng.randrange(5), 'text': ADD, 'observations': [
            {'sizes': {'S0': rng.randrange(-2, 50)}}]})
    return request(ident, rng.choice(['server/ping', 'server/stats', 'initialize', 'nope']), {'a': [1]})


# ---------------------------------------------------------------- clients

def collect(c, count, wanted):
    """Reads until each of the ids has its answer; a second one, or one that was not asked for, is an error."""
    open_ids = collections.Counter(wanted)
    while +open_ids:
        reply = c.read()
        for one in reply if isinstance(reply, list) else [reply]:
            if one.get('method') == '$/progress':
                continue
            valid(one)
            assert open_ids[one['id']] > 0, 'an answer to nothing: %r' % one
            open_ids[one['id']] -= 1
            count.answer(one)


def well_behaved(c, rng, count):
    requests = [some_request(rng, k) for k in range(rng.randrange(1, 30))]
    if rng.random() < 0.3:
        c.send(requests)
    else:
        for r in requests:
            c.send(r)
    collect(c, count, [r['id'] for r in requests])


def of_a_session(c, rng, count):
    """Edits, assumptions and queries; or requests of a session that ended with its daemon, or was evicted."""
    opened = c.call('session/open', {'text': long_program(rng.randrange(1, 400))})
    session = opened['result']['session'] if 'result' in opened else 'x' * 32
    edit = {'insert': ['stablehlo.abs', ['#0'], ['', 'tensor<?x4xf32>']], 'before': 0}
    for k in range(rng.randrange(1, 8)):
        method, more = rng.choice([('edit', {'edits': [edit]}), ('edit', {'edits': [{'remove': 0}]}),
                                   ('push', {'assume': ['arg0.0 == %d' % k]}), ('pop', {}), ('analyze', {}),
                                   ('query', {'queries': [{'query': 'v0.0 %% %d == 0' % (k + 1)}, {'value': 1}]})])
        count.answer(valid(c.call('session/' + method, dict({'session': session}, **more)), 'session/' + method))
    if rng.random() < 0.7:
        count.answer(c.call('session/close', {'session': session}))


def killed_in_a_message(c, rng, _):
    data = json.dumps(some_request(rng, 1)).encode()
    if rng.random() < 0.5:
        c.send(some_request(rng, 0))
    c.raw(data[:rng.randrange(len(data))])
    if rng.random() < 0.5:
        c.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
    c.socket.close()


def half_open(c, rng, count):
    requests = [some_request(rng, k) for k in range(rng.randrange(5))]
    for r in requests:
        c.send(r)
    c.socket.shutdown(socket.SHUT_WR)
    collect(c, count, [r['id'] for r in requests])
    assert c.ended()


def slow_loris(c, rng, count):
    data = json.dumps(some_request(rng, 7)).encode() + b'\n'
    step = max(1, len(data) // 20)
    for k in range(0, len(data), step):
        c.raw(data[k:k + step])
        time.sleep(0.01)
    collect(c, count, [7])


def oversize(c, rng, count):
    c.raw(b'{"x": "' + b'x' * (MESSAGE + rng.randrange(1000)) + b'"}\n')
    reply = valid(c.read())
    assert reply['error']['data']['code'] == 'size', reply
    count.answer(reply)
    well_behaved(c, rng, count)


def large(c, rng, count):
    """Messages that are taken apart beside the loop: what comes after them waits, and some clients do not."""
    padding = 'x' * rng.randrange(1 << 20, MESSAGE - 1000)
    if rng.random() < 0.5:
        c.send([request(0, 'server/ping', {'n': 0}), request('x', 'analyze', {'text': ADD}), {'x': padding}])
        wanted = [0, 'x', None]
    else:
        c.send(request(0, 'server/ping', {'x': padding}))
        wanted = [0]
    end = rng.randrange(4)
    if end == 0:
        return  # gone before it is read
    for k in (1, 2):
        c.send(request(k, 'server/ping', {'n': k}))
    if end == 1:
        c.socket.shutdown(socket.SHUT_WR)
    collect(c, count, wanted + [1, 2])


def garbage(c, rng, _):
    data = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 3000)))
    try:
        c.raw(data + b'\n')
        c.socket.shutdown(socket.SHUT_WR)
        c.ended()
    except OSError:
        pass


def invalid_json(c, rng, count):
    data = bytearray(json.dumps(some_request(rng, 3)).encode())
    for _ in range(rng.randrange(1, 5)):
        data[rng.randrange(1, len(data))] = rng.choice(b'{}[]",:x0\\ ')
    c.raw(bytes(data).replace(b'\n', b' ') + b'\n')
    c.socket.shutdown(socket.SHUT_WR)
    c.ended()
    for line in c.data.split(b'\n'):
        if line:
            count.answer(valid(json.loads(line)))


def deep(c, rng, count):
    depth = rng.randrange(150, 100000)
    c.raw(b'{"jsonrpc":"2.0","id":1,"method":"%s","params":{"graph":' % rng.choice([b'server/ping', b'analyze']) +
          b'[' * depth + b']' * depth + b'}}\n')
    collect(c, count, [1])


def cancelling(c, rng, count):
    hard = {'text': long_program(rng.randrange(1000, 8000))}
    wanted = list(range(rng.randrange(1, 6)))
    for k in wanted:
        c.send(request(k, 'analyze', hard))
    for k in rng.sample(wanted + [99, 'x'], 3 if len(wanted) > 1 else 2):
        c.send({'jsonrpc': '2.0', 'method': '$/cancelRequest', 'params': {'id': k}})
    collect(c, count, wanted)


def expiring(c, rng, count):
    for k in range(3):
        c.send(request(k, 'analyze', {'text': long_program(4000), 'progress_token': k,
                                      'options': {'deadline': rng.randrange(1, 50)}}))
    collect(c, count, range(3))


def never_reading(c, rng, _):
    c.socket.settimeout(1)
    data = json.dumps(request(1, 'server/ping', {'x': 'y' * 60000})).encode() + b'\n'
    try:
        for _ in range(rng.randrange(1, 400)):
            c.raw(data)
    except OSError:
        pass
    c.socket.close()


KINDS = [well_behaved] * 6 + [killed_in_a_message] * 2 + [of_a_session] * 2 + [
    half_open, slow_loris, oversize, large, garbage, invalid_json, deep, cancelling, expiring, never_reading]


def run_client(target, count, seed, end):
    rng = random.Random(seed)
    while time.monotonic() < end:
        kind = rng.choice(KINDS)
        unrest, epoch = count.unrest, target.epoch
        try:
            with Client(target.path, headers=rng.random() < 0.2 and kind is well_behaved) as c:
                kind(c, rng, count)
            with count.lock:
                count.kinds[kind.__name__] += 1
        except (EOFError, OSError) as error:
            # An end without a reason that the test knows is one too many.
            if unrest == 0 and count.unrest == 0 and epoch == target.epoch:
                count.problem('%s: %r' % (kind.__name__, error))
            time.sleep(0.02)
        except Exception as error:  # pylint: disable=broad-except
            count.problem('%s: %s: %s' % (kind.__name__, type(error).__name__, str(error)[:500]))


def traffic(target, count, seconds, disturb=None):
    """Clients of all kinds for so long, while disturb(elapsed share) is called again and again."""
    start = time.monotonic()
    end = start + seconds
    seeds = random.Random(SEED + int(seconds))
    threads = [threading.Thread(target=run_client, args=(target, count, seeds.random(), end)) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    while time.monotonic() < end:
        if disturb:
            disturb((time.monotonic() - start) / seconds)
        time.sleep(0.2)
    for thread in threads:
        thread.join()
    assert not count.problems, 'FAULT_SEED=%d: %d problems: %s' % (SEED, len(count.problems), count.problems[:3])
    missing = {k.__name__ for k in KINDS} - set(count.kinds)
    # Kinds are drawn: of few exchanges on a slow machine one may be missing by chance.
    assert not missing or sum(count.kinds.values()) < 600, 'never came to an end: %s' % missing


# ---------------------------------------------------------------- the daemon

OPTIONS = ('--max-message', str(MESSAGE), '--max-backlog', '16M', '--workers', '3', '--log-level', 'error',
           '--deadline', '20s', '--session-idle', '1s')


def settle(d, c):
    """(bytes allocated, bytes resident, open files) once nothing is under way any more and all clients but this one are gone."""
    def quiet():
        stats = c.result('server/stats')
        return not (stats['in_flight'] or stats['sessions']['open']) and stats['connections']['open'] == 1
    d.wait(quiet, 'peace')
    time.sleep(1.5)  # memory of a burst goes back half a second after its end
    stats = c.result('server/stats')
    return stats['heap_bytes'], stats['resident_bytes'], len(os.listdir('/proc/%d/fd' % d.process.pid))


class Target:
    """Where the daemon of now is."""

    def __init__(self, path):
        self.path, self.epoch = path, 0


def watch_memory(program, seconds):
    count = Count()
    count.epoch = 0
    # Chunks that each thread of glibc keeps for itself count as allocated, and more kinds of them come up with time.
    exact = {'GLIBC_TUNABLES': 'glibc.malloc.tcache_count=0'}
    with Daemon(*OPTIONS, program=program, env=exact) as d, d.client() as c:
        target = Target(d.path)
        traffic(target, count, seconds / 2)
        heap, memory, files = settle(d, c)
        for rounds in range(3, -1, -1):
            traffic(target, count, seconds / 2)
            heap_after, after, files_after = settle(d, c)
            assert files_after == files, '%d files were open, %d are' % (files, files_after)
            # What is allocated is the same but for caches. What is resident varies with how many pages of programs and
            # stacks were touched: RESIDENT_NOISE. A sanitizer keeps what was freed.
            if has_sanitizer(program) or (heap_after <= heap * 1.05 + 65536 and after <= memory * 1.05 + RESIDENT_NOISE):
                break
            # On a busy machine few requests came before the first rest. A leak grows in each round.
            assert rounds, '%d allocated before, %d after; %d resident, %d after' % (heap, heap_after, memory, after)
            heap, memory = heap_after, after
        print('%s: %d exchanges, %s; %d kB allocated, then %d; %d kB resident, then %d' % (
            os.path.relpath(program, ROOT), sum(count.kinds.values()), dict(count.answers.most_common(6)),
            heap >> 10, heap_after >> 10, memory >> 10, after >> 10))


def replace_daemons(program, seconds):
    """Reloads, drains and kills under load; the socket stays, profiles do, and requests of the dead end."""
    count = Count()
    count.epoch = 0
    with tempfile.TemporaryDirectory() as folder:
        config, database = os.path.join(folder, 'conf'), os.path.join(folder, 'db')
        with open(config, 'w', encoding='utf-8') as file:
            file.write('max-batch = 500\n')
        options = OPTIONS + ('--config', config, '--profile-db', database)
        state = {'d': Daemon(*options, path=os.path.join(folder, 's'), program=program), 'next': 0.2, 'kills': 0}
        target = Target(state['d'].path)

        def disturb(share):
            d = state['d']
            assert d.process.poll() is None, 'it ended with status %d: %s' % (d.process.poll(), d.said()[-2000:])
            with open(config, 'w', encoding='utf-8') as file:
                file.write('max-batch = %d\n' % random.randrange(400, 500) if random.random() < 0.7 else 'nonsense\n')
            d.process.send_signal(signal.SIGHUP)
            if share < state['next']:
                return
            state['next'] += 0.2
            state['kills'] += 1
            count.unrest += 1
            if state['kills'] % 2:
                d.process.kill()
                d.process.wait()
                d.discard()
            else:
                d.process.send_signal(signal.SIGTERM)
                status = d.process.wait(shaped.PATIENCE)
                assert status == 0, 'status %d: %s' % (status, d.said()[-2000:])
                d.discard()
            with open(config, 'w', encoding='utf-8') as file:
                file.write('max-batch = 500\n')
            state['d'] = Daemon(*options, path=target.path, program=program)
            assert state['d'].process.poll() is None, state['d'].said()
            count.epoch += 1
            target.epoch = count.epoch
            count.unrest -= 1

        try:
            traffic(target, count, seconds, disturb)
        except BaseException:
            state['d'].process.kill()
            raise
        with state['d'] as d, d.client() as c:
            assert c.result('profile/observe', {'profile': 'p0'})['symbols'], 'the profile is gone'
        assert state['kills'] >= 3
        print('%s: %d exchanges over %d restarts' % (os.path.relpath(program, ROOT), sum(count.kinds.values()),
                                                     state['kills']))


def share(program):
    return SECONDS / (4 if sanitized() and sanitized() != program else 2)


def test_memory_and_files_come_back():
    watch_memory(shaped.SHAPED, share(shaped.SHAPED))


def test_restarts_under_load():
    replace_daemons(shaped.SHAPED, share(shaped.SHAPED))


def test_the_same_under_sanitizers():
    program = sanitized()
    if not program:
        raise Skipped('there is no sanitizer build')
    if program == shaped.SHAPED:
        return
    watch_memory(program, SECONDS / 4)
    replace_daemons(program, SECONDS / 4)


def test_each_allocation_of_a_request_fails():
    program = sanitized()
    if not program:
        raise Skipped('there is no sanitizer build')
    path = os.path.join(ROOT, 'deploy', 'demo', 'attention.mlir')
    with open(path, encoding='utf-8') as file:
        text = file.read() + long_program(1200).replace('@main', '@chain')
    asked = {'analyze': {'text': text}, 'refine': {'text': text},
             'diff': {'old': {'text': ADD}, 'new': {'text': ADD.replace('f32', 'f16')}}}
    with Daemon('--log-level', 'error', program=program) as d, d.client() as c:
        plain = {m: c.result(m, params) for m, params in asked.items()}
        for method, key, most in (('analyze', 'fail_allocation', ALLOCATIONS), ('refine', 'fail_allocation', 300),
                                  ('diff', 'fail_allocation', 500), ('analyze', 'fail_reply', 50)):
            failed = 0
            for first in range(1, most, 100):
                for n in range(first, first + 100):
                    c.send(request(n, method, dict(asked[method], **{key: n})))
                for _ in range(100):
                    reply = valid(c.read(), method)
                    if 'error' in reply:
                        assert reply['error']['data']['code'] in ('memory', 'reply-too-large'), reply
                        failed += 1
                    elif method != 'refine':
                        assert reply['result'] == plain[method], 'a failed allocation changed the answer'
                    else:
                        failed += reply['result']['status'] == 'memory'
            print('%s, %s: %d of %d end with an error' % (method, key, failed, most))
            least = {'analyze': 1500, 'refine': 250, 'diff': 100}[method] if key == 'fail_allocation' else 1
            assert failed >= least, failed


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
