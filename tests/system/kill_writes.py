#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`kill -9` in the middle of writes: nothing that was acknowledged is lost, of batches and of profiles.

tests/faults/inject.c kills the process at a write that is chosen at random: before it, after some of its bytes, or after it.
KILLS=200 takes that number of each; otherwise 12. The last line is `N passed, N failed[, N skipped]`.
"""
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
import shaped  # noqa: E402
import zoo_models  # noqa: E402
from cases import Skipped, main, patience  # noqa: E402

BUILD = os.environ.get('BUILD_DIR', os.path.join(ROOT, 'build'))
INJECT = os.path.join(BUILD, 'inject.so')
KILLS = int(os.environ.get('KILLS', '12'))
MODELS = 120


def available():
    if os.path.basename(BUILD) in ('asan', 'tsan'):
        raise Skipped('sanitizers do not run after another library')
    if not os.path.exists(INJECT):
        raise Skipped('%s is not built' % os.path.relpath(INJECT, ROOT))


def killed_at(at, count=None, part=100):
    env = dict(os.environ, LD_PRELOAD=INJECT, FAULT_CALL='write', FAULT_AT=str(at), FAULT_ERROR='-1', FAULT_PART=str(part))
    return dict(env, FAULT_COUNT=count) if count else env


def number(path):
    with open(path, encoding='ascii') as handle:
        return int(handle.read())


def whole_lines(path):
    """The bytes of the journal up to the first line without its end or with another digest."""
    if not os.path.exists(path):
        return b''
    with open(path, 'rb') as handle:
        data = handle.read()
    end = 0
    for line in data.split(b'\n')[:-1]:
        text, tab, digits = line.partition(b'\t')
        if not tab or hashlib.sha256(text).hexdigest()[:16].encode() != digits:
            break
        end += len(line) + 1
    return data[:end]


def rows(path):
    with open(path, encoding='utf-8') as handle:
        return [{k: v for k, v in json.loads(line).items() if k != 'ms'} for line in handle]


def batch(folder, name, env=None):
    """The run's status; its journal and its results are NAME.journal and NAME.jsonl."""
    out = os.path.join(folder, name)
    command = [shaped.SHAPE, 'batch', os.path.join(folder, 'models'), '-q', '--jobs', '1', '--no-times', '--resume',
               '--journal', out + '.journal', '--jsonl', out + '.jsonl']
    return subprocess.run(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          timeout=patience(120), check=False).returncode


def test_batch():
    available()
    rng = random.Random(os.environ.get('KILL_SEED', '1'))
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, 'models'))
        paths = zoo_models.make_zoo(os.path.join(folder, 'models'), MODELS)
        count = os.path.join(folder, 'count')
        status = batch(folder, 'whole', killed_at(0, count))
        assert status in (0, 1), status
        whole, calls, kills, runs = rows(os.path.join(folder, 'whole.jsonl')), number(count), 0, 0
        assert [row['path'] for row in whole] == paths and calls >= 4, (calls, len(whole))
        while kills < KILLS:
            name, before = 'run%d' % runs, b''
            runs += 1
            journal = os.path.join(folder, name + '.journal')
            for _ in range(3):  # a run that was killed is gone on with, and killed again
                ended = batch(folder, name, killed_at(rng.randint(1, calls), part=rng.choice([0, 100, rng.randint(1, 99)])))
                now = whole_lines(journal)
                assert now.startswith(before), 'results were lost: %r, then %r' % (before[-300:], now[-300:])
                before = now
                if ended != -signal.SIGKILL:
                    break
                kills += 1
            assert batch(folder, name) == status
            now = whole_lines(journal)
            assert now.startswith(before) and rows(os.path.join(folder, name + '.jsonl')) == whole, name
            done = sorted(json.loads(line.split(b'\t')[0])['path'] for line in now.split(b'\n')[:-1])
            assert done == paths, 'models are twice in the journal, or not: %s' % done
            assert runs < 4 * KILLS + 10, 'only %d of %d runs were killed' % (kills, runs)


def observe(path, at, folder, part=100):
    """The count of the last reply of a daemon that is killed at a write, 0 for none, and how it ended."""
    log = os.path.join(folder, 'log')
    env = killed_at(at, os.path.join(folder, 'count'), part)
    socket_path = os.path.join(folder, 's.sock')
    with open(log, 'wb') as err:
        process = subprocess.Popen([shaped.SHAPED, '--socket', socket_path, '--workers', '1', '--isolate', 'no', '--profile-db', path],
                                   env=env, stdin=subprocess.DEVNULL, stderr=err)
    reported = 0
    try:
        client = None
        while process.poll() is None and not client:
            try:
                client = shaped.Client(socket_path)
            except OSError:
                client = None
        for _ in range(6 if client else 0):
            reported = client.result('profile/observe', {'profile': 'p', 'observations': [{'sizes': {'S0': 8}, 'count': 1}]})
            reported = reported['symbols'][0]['count']
        process.send_signal(signal.SIGTERM)
    except (OSError, EOFError, AssertionError, ValueError):
        pass
    try:
        return reported, process.wait(patience(60))
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def test_profiles():
    available()
    rng = random.Random(os.environ.get('KILL_SEED', '2'))
    with tempfile.TemporaryDirectory() as folder:
        reported, ended = observe(os.path.join(folder, 'whole'), 0, folder)
        assert (reported, ended) == (6, 0), (reported, ended)
        calls, kills, runs = number(os.path.join(folder, 'count')), 0, 0
        while kills < KILLS:
            path = os.path.join(folder, 'db%d' % runs)
            runs += 1
            at = rng.randint(1, calls)
            part = rng.choice([0, 100, rng.randint(1, 99)])
            reported, ended = observe(path, at, folder, part)
            kills += ended == -signal.SIGKILL
            after, ended = observe(path, 0, folder)
            # What was under way may have been kept without its reply.
            assert ended == 0 and after - 6 in (reported, reported + 1), 'killed at write %d, %d %%: %d was reported, then %d' % (at, part, reported, after - 6)
            assert runs < 4 * KILLS + 10, 'only %d of %d daemons were killed' % (kills, runs)


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
