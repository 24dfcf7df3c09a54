#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Worker processes (`isolate = yes`): the same answers, no rights, and a kill costs one request. Reads SHAPED (default: in
build/); ISOLATE_KILLS (default 60) is how many workers are killed during load, ISOLATE_SEED repeats when.

The last line is `N passed, N failed`. Arguments: words; only tests whose names contain one of them run.
"""
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
import certificates  # noqa: E402
from cases import Skipped, main  # noqa: E402
from shaped import ADD, GRAPH, PATIENCE, SHAPED, Daemon, hard_queries, long_program  # noqa: E402

KILLS = int(os.environ.get('ISOLATE_KILLS', '60'))
SEED = int(os.environ.get('ISOLATE_SEED', '0')) or random.randrange(1 << 30)
INVALID = ADD.replace('tensor<?x4xf32>)', 'tensor<?x5xf32>)', 1)


def isolated(*options, **more):
    return Daemon('--isolate', 'yes', *options, **more)


def children(pid):
    found = []
    for thread in os.listdir('/proc/%d/task' % pid):
        with contextlib.suppress(OSError), open('/proc/%d/task/%s/children' % (pid, thread), encoding='ascii') as f:
            found += [int(p) for p in f.read().split()]
    return found


def template(d):
    """The process that forks workers."""
    found = children(d.process.pid)
    assert len(found) == 1, found
    return found[0]


def workers(d):
    with contextlib.suppress(OSError):
        return children(template(d))
    return []


def kill(pid, how=signal.SIGKILL):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, how)


def alive(pid):
    try:
        with open('/proc/%d/stat' % pid, encoding='ascii') as f:
            return f.read().rsplit(')', 1)[1].split()[0] != 'Z'
    except OSError:
        return False


def code_of(reply):
    return reply['error']['data']['code'] if 'error' in reply else 'ok'


def slow_query():
    """A request that takes seconds."""
    return {'jsonrpc': '2.0', 'id': 'slow', 'method': 'query', 'params': hard_queries(400)}


def ticks(pid):
    """Of CPU that a process has used."""
    with contextlib.suppress(OSError), open('/proc/%d/stat' % pid, encoding='ascii') as f:
        return sum(map(int, f.read().rsplit(')', 1)[1].split()[11:13]))
    return 0


def busy(d, c):
    """Sends a request that takes seconds; returns the worker that has it. One that began it for the loop, which waits for
    a few thousand steps only, uses less than a fifth of a second of CPU."""
    before, found = {pid: ticks(pid) for pid in workers(d)}, []
    c.send(slow_query())

    def runs():
        found[:] = [pid for pid in workers(d) if ticks(pid) > before.get(pid, 0) + 20]
        return found
    d.wait(runs, 'that it runs')
    assert len(found) == 1, found
    return found[0]


def d_stats(d):
    with d.client() as c:
        return c.result('server/stats')


# ---------------------------------------------------------------- the same answers

def conversation(*options):
    """Replies to requests of every method, as lines; ids of sessions and times are taken out."""
    lines, session = [], [None]

    def ask(c, method, params):
        c.send({'jsonrpc': '2.0', 'id': 'é' + method, 'method': method, 'params': params})
        while b'\n' not in c.data:
            c.more()
        line, c.data = c.data.split(b'\n', 1)
        if method == 'session/open' and b'"result"' in line:
            session[0] = json.loads(line)['result']['session']
        lines.append(line.replace(session[0].encode(), b'SESSION') if session[0] else line)

    with Daemon(*options, '--max-elements', '64') as d, d.client() as c:
        for text in (ADD, INVALID, long_program(500), 'no program', '', ADD + '\0'):
            for method in ('analyze', 'refine', 'session/open'):
                ask(c, method, {'text': text})
        ask(c, 'analyze', {'graph': GRAPH})
        ask(c, 'analyze', {'text': ADD, 'options': {'steps': 1}})
        ask(c, 'analyze', {'text': long_program(300), 'options': {'memory': 1 << 20}})
        ask(c, 'analyze', {'text': ADD, 'render': True})
        ask(c, 'explain', {'text': ADD, 'options': {'that': 'arg0.0 == arg1.0'}})
        ask(c, 'diff', {'before': {'text': ADD}, 'after': {'text': INVALID}})
        ask(c, 'query', hard_queries(1))
        ask(c, 'query', {'queries': 7})
        ask(c, 'ops/list', {})
        for dims in ({'S0': 8}, {'S0': 16}, {'S0': 16}):
            ask(c, 'profile/observe', {'profile': 'p', 'text': ADD, 'observations': [{'sizes': dims, 'count': 1}]})
        ask(c, 'analyze', {'text': ADD, 'profile': 'p'})
        ask(c, 'session/open', {'graph': GRAPH, 'all': True})
        edit = {'insert': ['stablehlo.transpose', ['c'], ['t', 'tensor<4x?xf32>'], {'permutation': [1, 0]}], 'before': 1}
        for method, params in (('edit', {'edits': [edit]}), ('edit', {'edits': [{'remove': 77}]}), ('push', {'assume': ['S0 == 8']}),
                               ('query', {'queries': [{'shape': 3}]}), ('analyze', {}), ('pop', {}), ('pop', {}),
                               ('edit', {'version': 99, 'edits': [edit]}), ('close', {}), ('close', {})):
            ask(c, 'session/' + method, dict(params, session=session[0]))
        ask(c, 'session/query', {'session': 'x' * 32, 'queries': []})
        ask(c, 'session/query', {'session': 7, 'queries': []})
    return lines


def test_answers_are_the_same_bytes():
    here, apart = conversation('--isolate', 'no'), conversation('--isolate', 'yes')
    assert len(here) == len(apart) > 40
    for a, b in zip(here, apart):
        assert a == b, '%r\n%r' % (a[:600], b[:600])
    assert sum(b'"result"' in line for line in here) > 25, [line[:200] for line in here if b'"result"' not in line]


def test_suites_of_the_daemon_pass_with_worker_processes():
    env = dict(os.environ, SHAPED_OPTIONS='--isolate yes')
    for name in ('sessions', 'profile'):
        done = subprocess.run([sys.executable, os.path.join(ROOT, 'tests', 'system', name + '.py')], env=env, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
        assert done.returncode == 0, '%s: %s' % (name, done.stdout.decode()[-3000:])


def test_ids_and_names_may_be_longer_than_a_reply():
    with isolated('--max-reply', '65536', '--max-memory', '1M') as d, d.client() as c:
        for length in (32, 128, 129, 100000, 2000000):
            c.error('session/query', {'session': 'x' * length, 'queries': []}, 'session-unknown')
        for length in (128, 129, 100000):
            c.result('analyze', {'text': ADD, 'options': {'profile': 'x' * length}})
        assert d_stats(d)['worker_deaths'] == 0, d_stats(d)


def test_auto_isolates_where_others_than_users_of_this_machine_can_connect():
    for options, wanted in (((), False), (('--tcp', '127.0.0.1:0'), True), (('--http', '127.0.0.1:0'), False),
                            (('--tcp', '127.0.0.1:0', '--isolate', 'no'), False), (('--isolate', 'yes'), True)):
        with Daemon(*options) as d:
            assert d_stats(d)['isolated'] is wanted, options
            assert ('event=isolate' in d.said()) is wanted
    done = subprocess.run([SHAPED, '--isolate', 'maybe', '--check-config'], stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2 and b'not auto, yes or no' in done.stderr, done.stderr


# ---------------------------------------------------------------- limits hold

def test_requests_are_cancelled_and_tell_of_their_progress():
    with isolated('--workers', '1', '--progress', '20') as d, d.client() as c:
        c.send({'jsonrpc': '2.0', 'id': 'slow', 'method': 'analyze',
                'params': {'text': long_program(400000), 'progress_token': 'tök"en'}})
        note = c.read()
        assert note['method'] == '$/progress' and note['params']['token'] == 'tök"en', note
        while not note['params']['value']['steps']:
            note = c.read()
        c.send({'jsonrpc': '2.0', 'method': '$/cancelRequest', 'params': {'id': 'slow'}})
        while 'method' in note:
            note = c.read()
        assert code_of(note) == 'cancelled', note
        assert d_stats(d)['worker_deaths'] == 0


def test_deadlines_hold_for_workers_that_do_not_listen():
    with isolated('--workers', '1', '--deadline', '300ms') as d, d.client() as c:
        c.send(slow_query())
        reply = c.read()
        assert reply['error']['data'] == {'code': 'deadline', 'retryable': True, 'limit': 'deadline', 'value': 300}, reply
        [worker] = workers(d)
        kill(worker, signal.SIGSTOP)
        c.send({'jsonrpc': '2.0', 'id': 'stopped', 'method': 'refine', 'params': {'text': ADD}})
        reply = c.read()
        assert reply['id'] == 'stopped' and reply['error']['data']['code'] == 'deadline', reply
        d.wait(lambda: not alive(worker), 'the end of the worker')
        d.wait(lambda: 'result' in c.call('refine', {'text': ADD}), 'an answer within the deadline')


def test_a_drain_waits_for_workers_and_leaves_none():
    for how in (signal.SIGTERM, signal.SIGKILL):
        d = isolated('--workers', '2', '--drain', '10m')
        with d.client() as c:
            c.send({'jsonrpc': '2.0', 'id': 1, 'method': 'query', 'params': hard_queries(10)})
            d.wait(lambda: d_stats(d)['running'] == 1, 'that it runs')
            family = [template(d)] + workers(d)
            assert len(family) == 3
            # As a terminal and a service manager do: everybody gets the signal.
            for pid in family:
                if how == signal.SIGTERM:
                    kill(pid, how)
            d.process.send_signal(how)
            if how == signal.SIGTERM:
                assert 'result' in c.read()
        status = d.process.wait(PATIENCE)
        assert status == (0 if how == signal.SIGTERM else -9), status
        d.wait(lambda: not any(alive(pid) for pid in family), 'the end of every process')
        if how == signal.SIGKILL:
            os.remove(d.path)
        d.discard()


def test_workers_of_small_requests_stay_beside_the_loop():
    if os.cpu_count() < 2:
        raise Skipped('there is one processor')
    everywhere = status(os.getpid())['Cpus_allowed_list']
    with isolated('--workers', '1') as d, d.client() as c:
        [worker] = workers(d)
        assert status(worker)['Cpus_allowed_list'] == everywhere

        def stays():
            c.result('analyze', {'text': ADD})
            return status(worker)['Cpus_allowed_list'].isdigit()

        def loop_stays():
            c.result('analyze', {'text': ADD})
            return status(d.process.pid)['Cpus_allowed_list'].isdigit()
        d.wait(stays, 'that it is beside the loop')
        d.wait(loop_stays, 'that the loop stays, too')
        d.wait(lambda: status(d.process.pid)['Cpus_allowed_list'] == everywhere, 'that the loop may go again')
        c.result('analyze', {'text': long_program(3000)})  # of more than the loop waits for
        assert status(worker)['Cpus_allowed_list'] == everywhere

        def stays_beside_a_thread():
            c.result('query', hard_queries(0))  # which a thread waits for; on a slow machine not always beside the process
            return status(worker)['Cpus_allowed_list'].isdigit()
        d.wait(stays_beside_a_thread, 'that it is beside a thread')
        d.wait(loop_stays, 'that the loop stays again')
        c.result('query', hard_queries(0))
        assert status(d.process.pid)['Cpus_allowed_list'] == everywhere, 'threads have work'
        d.wait(stays, 'that it is beside the loop again')
        # The loop does not wait for one that is late: others are served.
        right = c.result('analyze', {'text': ADD})
        kill(worker, signal.SIGSTOP)
        c.send({'jsonrpc': '2.0', 'id': 'late', 'method': 'analyze', 'params': {'text': ADD}})
        with d.client() as other:
            d.wait(lambda: other.result('server/stats')['running'] == 1, 'that a thread waits for it')
        assert status(worker)['Cpus_allowed_list'] == everywhere
        kill(worker, signal.SIGCONT)
        assert c.read()['result'] == right
        assert d_stats(d)['worker_deaths'] == 0


def test_threads_for_large_messages_run_anywhere():
    if os.cpu_count() < 2:
        raise Skipped('there is one processor')
    everywhere = status(os.getpid())['Cpus_allowed_list']
    with isolated('--workers', '1') as d, d.client() as c:
        def threads():
            return os.listdir('/proc/%d/task' % d.process.pid)

        def loop_stays():
            c.result('analyze', {'text': ADD})
            return status(d.process.pid)['Cpus_allowed_list'].isdigit()
        before = len(threads())
        d.wait(loop_stays, 'that the loop stays')
        c.result('server/ping', {'text': 'x' * 3000000})  # which a thread takes apart
        assert len(threads()) > before, 'the first such message makes threads'
        for thread in threads():
            assert status('%d/task/%s' % (d.process.pid, thread))['Cpus_allowed_list'] == everywhere, thread


# ---------------------------------------------------------------- a kill costs one request

def test_a_killed_worker_costs_its_request():
    with isolated('--workers', '1') as d, d.client() as c, d.client() as other:
        for k in range(10):
            worker = busy(d, c)
            # Another worker may have this one already: it is not killed.
            other.send({'jsonrpc': '2.0', 'id': k, 'method': 'analyze', 'params': {'text': ADD}})
            kill(worker)
            reply = c.read()
            assert reply['id'] == 'slow' and code_of(reply) == 'worker-died', reply
            reply = other.read()
            assert reply['id'] == k and 'result' in reply, reply
        assert d_stats(d)['worker_deaths'] == 10, d_stats(d)
        for pid in workers(d):  # without a request that costs nothing
            kill(pid)
            d.wait(lambda pid=pid: not alive(pid), 'its end')
        for _ in range(3):
            c.result('refine', {'text': ADD})
        assert d_stats(d)['worker_deaths'] == 10, d_stats(d)


def test_the_template_is_replaced():
    with isolated('--workers', '2') as d, d.client() as c:
        for _ in range(5):
            kill(template(d))
            d.wait(lambda: not workers(d), 'the end of the workers')
            c.result('refine', {'text': ADD})
            assert c.result('session/open', {'graph': GRAPH})['session']


def test_a_process_serves_one_peer():
    if os.geteuid() != 0:
        raise Skipped('only root can be two users')
    other = '''import os, sys
sys.path.insert(0, sys.argv[1])
from shaped import ADD, Client
os.setgid(65534)
os.setuid(65534)
with Client(sys.argv[2]) as c:
    print(c.result('refine', {'text': ADD})['text'])
'''
    with isolated('--workers', '1', '--socket-mode', '0666') as d, d.client() as c:
        os.chmod(d.folder, 0o755)
        mine = c.result('refine', {'text': ADD})['text']
        [first] = workers(d)
        for _ in range(3):
            done = subprocess.run([sys.executable, '-c', other, os.path.join(ROOT, 'tests', 'support'), d.path], check=False,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=ROOT)
            assert done.stdout.decode().rstrip('\n') == mine.rstrip('\n'), done.stdout.decode()[-800:]
            c.result('refine', {'text': ADD})
            assert len(workers(d)) == 2 and first in workers(d), 'each has its own, and keeps it'


def test_memory_goes_back():
    with isolated('--workers', '1') as d, d.client() as c:
        if sanitized(d):
            raise Skipped('a sanitizer keeps what is freed for a while')
        c.result('analyze', {'text': ADD})
        [worker] = workers(d)
        c.send({'jsonrpc': '2.0', 'id': 'large', 'method': 'analyze', 'params': {'text': long_program(100000)}})
        assert 'result' in c.read()
        d.wait(lambda: int(status(worker)['VmRSS'].split()[0]) < 30000, 'that its memory goes back')
        c.result('analyze', {'text': ADD})
        assert workers(d) == [worker]


def test_a_session_ends_with_its_process_and_others_stay():
    with isolated('--workers', '2') as d, d.client() as c:
        before = set(workers(d))
        first = c.result('session/open', {'graph': GRAPH})['session']
        [process] = set(workers(d)) - before
        second = c.result('session/open', {'graph': GRAPH})['session']
        assert len(workers(d)) == 4, 'a process for each session'
        kill(process)
        d.wait(lambda: not alive(process), 'its end')
        c.error('session/query', {'session': first, 'queries': []}, 'session-unknown')
        c.result('session/query', {'session': second, 'queries': []})
        c.result('session/close', {'session': second})
        d.wait(lambda: len(workers(d)) == 2, 'the end of their processes')
        stats = d_stats(d)
        assert stats['sessions']['open'] == 0 and stats['worker_deaths'] == 0, stats


def test_workers_killed_during_load_cost_what_they_had():
    print('ISOLATE_SEED=%d' % SEED)
    rng = random.Random(SEED)
    requests = [('analyze', {'text': ADD}), ('refine', {'text': long_program(200)}), ('analyze', {'text': INVALID}),
                ('query', hard_queries(1))]
    with isolated('--workers', '2') as d:
        with d.client() as c:
            right = [c.result(*request) for request in requests]
        wrong, codes, stop = [], {'ok': 0, 'worker-died': 0}, threading.Event()
        lock = threading.Lock()

        def ask(seed):
            mine = random.Random(seed)
            try:
                with d.client() as c:
                    while not stop.is_set():
                        which = mine.randrange(len(requests))
                        reply = c.call(*requests[which])
                        with lock:
                            codes[code_of(reply)] += 1
                            if 'result' in reply and reply['result'] != right[which]:
                                wrong.append(reply)
            except Exception as error:  # pylint: disable=broad-except
                wrong.append(repr(error))
        threads = [threading.Thread(target=ask, args=(SEED + k,)) for k in range(8)]
        for thread in threads:
            thread.start()
        kills, end = 0, time.monotonic() + 10 * PATIENCE
        while time.monotonic() < end and not wrong:
            time.sleep(rng.uniform(0, .03))
            found = workers(d)
            if found and kills < KILLS:
                kill(rng.choice(found))
                kills += 1
            with lock:
                if kills == KILLS and codes['ok'] > KILLS:
                    break
        stop.set()
        for thread in threads:
            thread.join()
        assert not wrong, wrong[0]
        print('%d kills: %d requests died with their worker, %d were answered' % (kills, codes['worker-died'], codes['ok']))
        assert kills == KILLS and codes['worker-died'] <= kills, (kills, codes)
        deaths = d_stats(d)['worker_deaths']
        assert codes['worker-died'] == deaths, (codes, deaths)
        assert codes['worker-died'] and codes['ok'] > KILLS, codes


# ---------------------------------------------------------------- no rights, no secrets

def status(pid):
    with open('/proc/%s/status' % pid, encoding='ascii') as f:
        return dict(line.rstrip('\n').split(':\t', 1) for line in f if ':\t' in line)


def sanitized(d):
    """Whether programs have a sanitizer: it maps terabytes for what it notes of memory."""
    return int(status(d.process.pid)['VmPeak'].split()[0]) > 1 << 30


def test_workers_have_no_rights_and_no_descriptors_but_their_own():
    with isolated('--workers', '2', '--tcp', '127.0.0.1:0', '--http', '127.0.0.1:0') as d, d.client() as c:
        c.result('session/open', {'graph': GRAPH})
        seccomp = 'seccomp=yes' in d.said()
        found = workers(d)
        assert len(found) == 3
        # A worker gives its rights up before it reads anything, which those without a request may have before them.
        assert any(status(pid)['NoNewPrivs'] == '1' for pid in found)
        d.wait(lambda: all(status(pid)['Seccomp' if seccomp else 'NoNewPrivs'] != '0' for pid in found), 'the end of all rights')
        for pid in found:
            s = status(pid)
            assert s['NoNewPrivs'] == '1' and (s['Seccomp'] == '2' or not seccomp), s
            files = {int(fd): os.readlink('/proc/%d/fd/%s' % (pid, fd)) for fd in os.listdir('/proc/%d/fd' % pid)}
            assert sorted(files) == [2, 3] and files[3].startswith('socket:'), files
            assert s['Threads'] == '1' or sanitized(d), s  # ThreadSanitizer has a thread in each process


def test_workers_know_no_secrets():
    certificates.make_authority('authority')
    certificates.make_certificate('server', 'authority')
    at, token = certificates.at, 'FirstToken_9f8e7d6c5b4a39281706'
    with open(at('secret-tokens'), 'w', encoding='ascii') as f:
        f.write(token + '\n')
    os.chmod(at('secret-tokens'), 0o600)
    with open(at('server.key'), 'rb') as f:
        secrets = [token.encode(), f.read().split(b'\n')[1], b'of-the-environment']
    with isolated('--workers', '2', '--tls', '127.0.0.1:0', '--tls-cert', at('server.pem'), '--tls-key', at('server.key'),
                  '--token-file', at('secret-tokens'), env={'SOME_PASSWORD': 'of-the-environment'}) as d, d.client() as c:
        if sanitized(d):
            raise Skipped('all memory is read, and with a sanitizer there are terabytes of it')
        c.result('session/open', {'graph': GRAPH})
        c.result('refine', {'text': ADD})
        for pid in [template(d)] + workers(d):
            held = b''
            with open('/proc/%d/maps' % pid, encoding='utf-8') as f:
                areas = [line.split()[0].split('-') for line in f if line.split()[1].startswith('rw')]
            with open('/proc/%d/mem' % pid, 'rb') as f:
                for start, end in ((int(a, 16), int(b, 16)) for a, b in areas):
                    with contextlib.suppress(OSError, ValueError, OverflowError):
                        f.seek(start)
                        held += f.read(min(end - start, 1 << 26))
            assert len(held) > 1 << 14
            assert not [s for s in secrets if s in held]


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
