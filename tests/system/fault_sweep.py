#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fault sweeps: the n-th allocation, read, write or fsync (ftruncate) fails, for every n; a disk is full at every byte.

tests/faults/inject.c is in front of the C library. A command ends with a documented status and never by a signal; what
it writes is the whole answer or an error. A daemon replies to every request or closes the connection, and answers the
next client. A batch that ran into a fault is completed by --resume. FAULT_SWEEP=1 takes each n where it may be many
hundred; otherwise about 40 of them, spread out. The last line is `N passed, N failed[, N skipped]`.
"""
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
import shaped  # noqa: E402
from cases import Skipped, main, patience  # noqa: E402

BUILD = os.environ.get('BUILD_DIR', os.path.join(ROOT, 'build'))
INJECT = os.path.join(BUILD, 'inject.so')
DEMO = os.path.join(ROOT, 'deploy', 'demo')
MODEL = os.path.join(ROOT, 'tests', 'fuzz', 'corpus', 'fuzz_onnx', 'matmul')
STATUSES = range(7)  # shape --help
KINDS = [('alloc', {}), ('read', {'FAULT_ERROR': '4'}), ('read', {'FAULT_ERROR': '5'}), ('read', {'FAULT_ERROR': '0'}),
         ('write', {'FAULT_ERROR': '28'}), ('write', {'FAULT_ERROR': '4'}), ('write', {'FAULT_ERROR': '0'}),
         ('sync', {'FAULT_ERROR': '5'})]
ALL_FROM_THERE = {'FAULT_LAST': '1000000000'}
EINTR, SHORT = '4', '0'


def demo(name):
    return os.path.join(DEMO, name + '.mlir')


COMMANDS = [
    ['check', demo('heads')], ['check', '--json', demo('attention')], ['check', MODEL], ['check', '--certify', demo('exported')],
    ['refine', demo('heads')], ['refine', '--bind', 'arg0.0=8', '--cleanup', demo('heads')], ['refine', MODEL],
    ['refine', '--guards', 'c', demo('heads')], ['refine', '--emit', 'disc-shape', demo('heads')],
    ['explain', '--that', 'arg0.0 == arg1.0', demo('heads')], ['diff', demo('heads'), demo('attention')],
    ['graph', demo('heads')], ['decide', '-s', 'a>=1,b>=1', '--assume', 'a*b == 12', 'a <= 12', 'a == b'],
]


def available():
    if os.path.basename(BUILD) in ('asan', 'tsan'):
        raise Skipped('sanitizers have an allocator of their own')
    if not os.path.exists(INJECT):
        raise Skipped('%s is not built' % os.path.relpath(INJECT, ROOT))


def environment(call, at, more, folder):
    env = dict(os.environ, LD_PRELOAD=INJECT, FAULT_CALL=call, FAULT_AT=str(at), **more)
    if folder:
        env['FAULT_COUNT'] = os.path.join(folder, 'count')
    return env


def run(command, env=None, limit=None, stdout=subprocess.PIPE):
    def prepare():
        if limit is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    return subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE,
                          preexec_fn=prepare, timeout=patience(120), check=False)


def spread(count, most=40):
    """1 to count; without FAULT_SWEEP some of them, the first and last ones among those."""
    if os.environ.get('FAULT_SWEEP') or count <= most:
        return list(range(1, count + 1))
    return sorted({1 + i * (count - 1) // (most - 1) for i in range(most)})


def count_calls(command, call, folder):
    path = os.path.join(folder, 'count')
    done = run(command, environment(call, 0, {}, folder))
    assert os.path.exists(path), (command, done)
    with open(path, encoding='ascii') as handle:
        count = int(handle.read())
    os.remove(path)
    return count


def documented(done, what):
    assert done.returncode in STATUSES, '%s: status %d: %s' % (what, done.returncode, done.stderr[-300:])


def test_commands():
    available()
    tried = 0
    with tempfile.TemporaryDirectory() as folder:
        for arguments in COMMANDS:
            command = [shaped.SHAPE] + arguments
            whole = run(command)
            for call, more in KINDS:
                for last in (False, True):  # one call, or all from there on
                    for at in spread(count_calls(command, call, folder)):
                        extra = dict(more, **ALL_FROM_THERE) if last and more.get('FAULT_ERROR') != EINTR else more
                        done = run(command, environment(call, at, extra, None))
                        what = '%s, %s %d %s' % (' '.join(arguments), call, at, extra)
                        documented(done, what)
                        same = (done.returncode, done.stdout) == (whole.returncode, whole.stdout)
                        if more.get('FAULT_ERROR') in (EINTR, SHORT):
                            assert same, what + ': a call that is only to be made again changes the answer'
                        assert same or ((done.stderr or done.stdout) and done.returncode not in (0, 1)), (
                            what, done.returncode, done.stdout[-300:], done.stderr[-300:])
                        tried += 1
    assert tried > 300, tried


def test_files_are_whole_or_absent():
    available()
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, 'out')
        for arguments in (['refine', demo('heads')], ['refine', MODEL], ['refine', '--emit', 'json', demo('attention')]):
            command = [shaped.SHAPE] + arguments + ['-o', out]
            assert run(command).returncode == 0
            with open(out, 'rb') as handle:
                whole = handle.read()
            for limit in [0] + spread(len(whole)):
                with open(out, 'wb') as handle:
                    handle.write(b'old')
                done = run(command, limit=limit)
                documented(done, arguments)
                with open(out, 'rb') as handle:
                    now = handle.read()
                assert now == (whole if done.returncode == 0 else b'old'), (arguments, limit, len(now))
                assert os.listdir(folder) == ['out'], os.listdir(folder)


def test_full_output():
    """Standard output that takes nothing is an error, never a success."""
    for arguments in COMMANDS:
        with open('/dev/full', 'wb') as full:
            done = run([shaped.SHAPE] + arguments, stdout=full)
        documented(done, arguments)
        assert done.returncode and done.stderr, (arguments, done.returncode, done.stderr)


def test_closed_pipes():
    """Output that is not read, or only a part of it, ends a command: by SIGPIPE or with an error, and soon."""
    for arguments in COMMANDS:
        for taken in (0, 1, 100):
            process = subprocess.Popen([shaped.SHAPE] + arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL)
            if taken:
                process.stdout.read(taken)
            process.stdout.close()
            status = process.wait(patience(60))
            assert status in STATUSES or status == -signal.SIGPIPE, (arguments, taken, status)


def batch(folder, *options, **how):
    names = [demo(name) for name in ('attention', 'exported', 'feedforward', 'heads', 'mismatch')] + [MODEL]
    jsonl = os.path.join(folder, 'all.jsonl')
    command = [shaped.SHAPE, 'batch', '--jobs', '1', '--journal', os.path.join(folder, 'journal'), '--jsonl', jsonl,
               *options, *names]
    done = run(command, **how)
    documented(done, 'batch')
    return done, jsonl


def rows(path):
    found = []
    with open(path, encoding='utf-8') as handle:
        for line in handle:
            row = json.loads(line)
            found.append({k: row[k] for k in row if k not in ('ms', 'version')})
    return found


def batch_allocations(folder):
    batch(folder, env=environment('alloc', 0, {}, folder))
    with open(os.path.join(folder, 'count'), encoding='ascii') as handle:
        return int(handle.read())


def test_batch_resumes():
    available()
    with tempfile.TemporaryDirectory() as folder:
        _, path = batch(folder)
        whole, size = rows(path), os.path.getsize(os.path.join(folder, 'journal'))
    for kind in ('disk', 'disk, nothing is cut off', 'alloc'):
        with tempfile.TemporaryDirectory() as folder:
            count = batch_allocations(folder) if kind == 'alloc' else size
        for at in spread(count, 25):
            with tempfile.TemporaryDirectory() as folder:
                if kind == 'disk':
                    batch(folder, limit=at)
                elif kind != 'alloc':
                    batch(folder, limit=at, env=environment('sync', 1, dict(ALL_FROM_THERE, FAULT_ERROR='5'), None))
                else:
                    batch(folder, env=environment(kind, at, {'FAULT_ERROR': '28'}, None))
                done, path = batch(folder, '--resume')
                assert rows(path) == whole, (kind, at, done.stderr[-300:])


REQUESTS = [
    ('server/ping', {'n': 1}),
    ('analyze', {'text': shaped.ADD}),
    ('refine', {'text': shaped.ADD}),
    ('query', {'symbols': {'a': {'min': 1}}, 'assume': ['a % 2 == 0'], 'queries': [{'query': 'a >= 2'}]}),
    ('session/open', {'graph': shaped.GRAPH}),
    ('session/push', {'assume': ['arg0.0 >= 2']}),
    ('session/query', {'queries': [{'query': 'S0 >= 1'}]}),
    ('session/edit', {'edits': [{'insert': ['stablehlo.abs', ['c'], ['d', 'tensor<?x4xf32>']], 'before': 1}]}),
    ('session/analyze', {}),
    ('session/pop', {}),
    ('session/close', {}),
    ('profile/observe', {'profile': 'p', 'text': shaped.ADD, 'observations': [{'sizes': {'S0': 8}, 'count': 2}]}),
]


def ask(daemon, profile):
    """The replies, None for one that did not come because the connection ended; a new connection goes on."""
    replies, client, session = [], None, 'none'
    for method, params in REQUESTS:
        try:
            client = client or daemon.client()
            if method.startswith('session/') and method != 'session/open':
                params = dict(params, session=session)
            if 'profile' in params:
                params = dict(params, profile=profile)
            reply = client.call(method, params)
            reply.pop('id', None)
            if method == 'session/open':
                session = reply.get('result', {}).get('session', session)
            replies.append(json.dumps(reply, sort_keys=True).replace(session, 'SESSION'))
        except (OSError, EOFError, AssertionError, ValueError):
            replies.append(None)
            client = None
    return replies


def serve(folder, call, at, more, log):
    path = os.path.join(folder, 's.sock')
    with open(log, 'wb') as err:
        process = subprocess.Popen([shaped.SHAPED, '--socket', path, '--workers', '1', '--profile-db',
                                    os.path.join(folder, 'profiles.db')],
                                   env=environment(call, at, more, folder), stderr=err, stdin=subprocess.DEVNULL)
    return process, path


class Peer:
    """What ask() wants of a daemon."""

    def __init__(self, path):
        self.path = path

    def client(self):
        return shaped.Client(self.path)


def listens(path):
    try:
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(path)
        return True
    except OSError:
        return False


def one_daemon(call, at, more):
    """(replies or None where it did not start, replies afterwards, exit status, log, calls)"""
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, 'log')
        process, path = serve(folder, call, at, more, log)
        try:
            while process.poll() is None and not listens(path):
                time.sleep(0.005)
            replies = after = None
            if process.poll() is None:
                replies, after = ask(Peer(path), 'first'), ask(Peer(path), 'second')
                process.send_signal(signal.SIGTERM)
            process.wait(patience(60))
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        with open(log, encoding='utf-8', errors='replace') as handle:
            said = handle.read()
        count = os.path.join(folder, 'count')
        calls = 0
        if os.path.exists(count):
            with open(count, encoding='ascii') as handle:
                calls = int(handle.read())
        return replies, after, process.returncode, said, calls


def test_daemon():
    available()
    for call, more in KINDS:
        whole, second, status, said, calls = one_daemon(call, 0, more)
        assert status == 0 and None not in whole + second, (status, whole, said[-500:])
        assert not any('"error"' in reply for reply in whole), whole
        for at in spread(calls, 25):
            replies, after, status, said, _ = one_daemon(call, at, more)
            what = '%s %d %s' % (call, at, more)
            if replies is None and call == 'alloc' and status == -signal.SIGABRT:
                continue  # libuv ends the process so where it has no memory for its first loop
            if status == -signal.SIGTERM and said and not any(replies + after):
                continue  # it was about to end with what it says when the signal came: it no longer watches signals
            assert status in (0, 1, 2, 3), '%s: the daemon ends with %d: %s' % (what, status, said[-800:])
            if replies is None:
                assert status and said, what + ': the daemon does not start and says nothing'
                continue
            # One fault spoils one round at most; there, what comes after an error may differ with the session.
            rounds = [(replies, whole), (after, second)]
            for got, right in rounds:
                for reply, expected in zip(got, right):
                    if reply is None or '"error"' in reply or '"status": "memory"' in reply:
                        break
                    assert reply == expected, '%s: %s instead of %s' % (what, reply[:300], expected[:300])
            assert any(got == right for got, right in rounds), '%s: %s, then %s' % (what, replies, after)


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
