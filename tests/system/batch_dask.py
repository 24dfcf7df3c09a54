#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A zoo over a real Dask scheduler and two workers, one of which is killed midway: every model has exactly one record.

Needs Debian's python3-distributed, in this Python or in the system's; without it the test is skipped. Reads SHAPE (default
build/shape). The last line is `N passed, N failed[, N skipped]`.
"""
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
sys.path.insert(0, os.path.join(ROOT, 'clients', 'python'))
SHAPE = os.path.abspath(os.environ.get('SHAPE', os.path.join(ROOT, 'build', 'shape')))
MODELS = 250


def find_python():
    for python in (sys.executable, '/usr/bin/python3'):
        if subprocess.run([python, '-c', 'import distributed'], stderr=subprocess.DEVNULL, check=False).returncode == 0:
            return python
    return None


def start(home, command, ready):
    """A process, once its log says that it is ready."""
    log = open(os.path.join(home, command[2].replace('.', '-') + str(time.monotonic()) + '.log'), 'w+', encoding='utf-8')
    process = subprocess.Popen(command, stdout=log, stderr=log, cwd=home, env=dict(os.environ, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES='5'))
    end = time.monotonic() + 120
    while True:
        log.seek(0)
        text = log.read()
        if ready in text:
            return process, text
        assert process.poll() is None and time.monotonic() < end, text[-2000:]
        time.sleep(0.1)


def assert_missing_program(client, analyse_zoo, folder, home):
    part = os.path.join(folder, 'part00')
    wrong = os.path.join(home, 'wrong-shape')
    with open(wrong, 'w', encoding='utf-8') as f:
        # Fails for tasks, works for the caller, who only merges.
        f.write('#!/bin/sh\n[ "$2" = merge ] && exec "%s" "$@"\nexit 9\n' % SHAPE)
    os.chmod(wrong, 0o755)
    database = os.path.join(home, 'wrong.sqlite')
    counts = analyse_zoo(client, [part], database, shape=wrong, retries=1)
    assert counts == {'crashed': len(os.listdir(part))}, counts
    db = sqlite3.connect(database)
    messages = db.execute('SELECT DISTINCT message FROM models').fetchall()
    db.close()
    assert len(messages) == 1 and 'status 9' in messages[0][0], messages


def check_database(path, folder):
    """Every model once, with what `shape batch` says of it."""
    plain = subprocess.run([SHAPE, 'batch', folder, '--no-times', '-q', '--jsonl', '-'], stdout=subprocess.PIPE, check=False).stdout
    expected = {r['path']: r for r in map(json.loads, filter(None, plain.split(b'\n')))}
    db = sqlite3.connect(path)
    rows = db.execute('SELECT path, status, record FROM models').fetchall()
    db.close()
    assert len(rows) == len(expected) == len({r[0] for r in rows}), (len(rows), len(expected))
    for name, status, record in rows:
        record = json.loads(record)
        assert status == expected[name]['status'] and record['summary'] == expected[name]['summary'], name
    return len(rows)


def run_tests(home):
    import zoo_models
    from distributed import Client
    from shaped.dask import analyse_zoo
    processes = []
    folder = os.path.join(home, 'zoo')
    zoo_models.make_zoo(folder, MODELS, seed=21)
    try:
        scheduler, text = start(home, [sys.executable, '-m', 'distributed.cli.dask_scheduler', '--host', '127.0.0.1', '--port', '0',
                                       '--no-dashboard'], 'Scheduler at:')
        processes.append(scheduler)
        address = text[text.index('tcp://'):].split()[0]
        for _ in range(2):
            worker, _ = start(home, [sys.executable, '-m', 'distributed.cli.dask_worker', address, '--no-nanny', '--nthreads', '2',
                                     '--no-dashboard', '--local-directory', home], 'Registered to:')
            processes.append(worker)
        with Client(address, timeout=60) as client:
            assert len(client.scheduler_info()['workers']) == 2
            database, victims = os.path.join(home, 'zoo.sqlite'), [processes[1]]

            def progress(done, total):
                assert total == MODELS
                if done == MODELS // 4 and victims:
                    victims.pop().send_signal(signal.SIGKILL)

            counts = analyse_zoo(client, [folder], database, shape=SHAPE, timeout=60, progress=progress)
            assert not victims and processes[1].wait() == -signal.SIGKILL, 'no process was killed'
            assert len(client.scheduler_info()['workers']) == 1, 'the worker is still there'
            assert sum(counts.values()) == MODELS and set(counts) == {'ok', 'error'}, counts
            assert check_database(database, folder) == MODELS
            # Several models in a task, into the same database: rows are replaced.
            analyse_zoo(client, [folder], database, shape=SHAPE, per_task=20)
            assert check_database(database, folder) == MODELS
            # A program that is not there: each model has a record that says so.
            assert_missing_program(client, analyse_zoo, folder, home)
    finally:
        for process in processes:
            if process.poll() is None:
                process.kill()
            process.wait()


def main():
    python = find_python()
    if not python:
        print('skipped: no distributed in python3 here (deploy/install-deps.sh test)')
        print('0 passed, 0 failed, 1 skipped')
        return 0
    if python != sys.executable:
        return subprocess.run([python, *sys.argv], check=False).returncode
    home = tempfile.mkdtemp(prefix='shape-dask-test-')
    try:
        run_tests(home)
        print('1 passed, 0 failed')
        return 0
    except (AssertionError, OSError, ImportError, ValueError, sqlite3.Error, subprocess.SubprocessError) as problem:
        print('FAIL %s: %s' % (type(problem).__name__, problem))
        print('0 passed, 1 failed')
        return 1
    finally:
        shutil.rmtree(home, ignore_errors=True)


if __name__ == '__main__':
    sys.exit(main())
