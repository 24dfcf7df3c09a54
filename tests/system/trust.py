#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Default sockets: clients ask only what is their user's, or the service's. Reads SHAPE and SHAPED (default: in build/).

The last line is `N passed, N failed`.
"""
import asyncio
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
sys.path.insert(0, os.path.join(ROOT, 'clients', 'python'))
import shaped  # noqa: E402
from cases import main  # noqa: E402
from shaped.errors import ConnectionLost  # noqa: E402

SHAPE = os.environ.get('SHAPE', os.path.join(ROOT, 'build', 'shape'))
SHAPED = os.environ.get('SHAPED', os.path.join(ROOT, 'build', 'shaped'))
PATIENCE = 30


@contextlib.contextmanager
def environment(**variables):
    """The variables of this process; None: not set."""
    before = dict(os.environ)
    os.environ.pop('SHAPED_SOCKET', None)
    for name, value in variables.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@contextlib.contextmanager
def daemon(path, *options):
    """A daemon at its default path, which is this."""
    with subprocess.Popen([SHAPED, *options], stderr=subprocess.PIPE) as process:
        try:
            end = time.monotonic() + PATIENCE
            while not os.path.exists(path) and process.poll() is None and time.monotonic() < end:
                time.sleep(0.01)
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate()


@contextlib.contextmanager
def forger(path, uid=None):
    """Something else that listens there: what it was sent."""
    got, server = [], socket.socket(socket.AF_UNIX)
    with contextlib.suppress(OSError):
        os.unlink(path)
    server.bind(path)
    os.chmod(path, 0o777)
    if uid is not None:
        os.seteuid(uid)
    try:
        server.listen(5)
    finally:
        if uid is not None:
            os.seteuid(0)
    server.settimeout(0.05)
    stop = threading.Event()

    def serve():
        while not stop.is_set():
            with contextlib.suppress(OSError):
                client, _ = server.accept()
                with client:
                    client.settimeout(5)
                    got.append(client.recv(1 << 16))
    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield got
    finally:
        stop.set()
        thread.join()
        server.close()
        os.unlink(path)


def ping_by_command():
    done = subprocess.run([SHAPE, 'ping'], capture_output=True, text=True, check=False, timeout=PATIENCE)
    return '' if done.returncode == 0 else done.stderr


def ping_by_python():
    try:
        with shaped.Client(timeout=PATIENCE) as c:
            c.ping({})
        return ''
    except ConnectionLost as error:
        return str(error)


def ping_at_once():
    async def ask():
        c = shaped.AsyncClient()
        try:
            await c.ping({})
        finally:
            await c.close()
    try:
        asyncio.run(ask())
        return ''
    except ConnectionLost as error:
        return str(error)


CLIENTS = (ping_by_command, ping_by_python, ping_at_once)


def test_a_folder_of_our_own():
    with tempfile.TemporaryDirectory() as folder, environment(XDG_RUNTIME_DIR=folder):
        path = os.path.join(folder, 'shaped.sock')
        with daemon(path):
            assert [ping() for ping in CLIENTS] == [''] * len(CLIENTS)
            os.chmod(folder, 0o777)
            for ping in CLIENTS:
                assert 'can be written to by others' in ping()
            with environment(SHAPED_SOCKET=path):  # it was named
                assert [ping() for ping in CLIENTS] == [''] * len(CLIENTS)
        with daemon(path) as process:
            assert process.wait(PATIENCE) == 1
            assert b'others than this user can write to' in process.stderr.read()
            assert not os.path.exists(path)


def test_the_folder_that_the_daemon_makes():
    folder = '/tmp/shaped-%d' % os.geteuid()
    if os.path.exists(folder + '/shaped.sock'):
        print('skipped: a daemon is there')
        return
    there = os.path.exists(folder)
    with environment(XDG_RUNTIME_DIR=None), daemon(folder + '/shaped.sock'):
        assert os.stat(folder).st_mode & 0o777 == 0o700
        assert [ping() for ping in CLIENTS] == [''] * len(CLIENTS)
    if not there:
        shutil.rmtree(folder)


def test_who_listens():
    with tempfile.TemporaryDirectory() as folder, environment(XDG_RUNTIME_DIR=folder):
        path = os.path.join(folder, 'shaped.sock')
        with forger(path) as got:  # it is of our user, so it is asked
            assert [ping() for ping in CLIENTS[:1]] != ['']
            assert b'server/ping' in got[0]
        if os.geteuid():
            print('skipped: another user is needed')
            return
        with forger(path, 65534) as got:
            for ping in CLIENTS:
                assert 'belongs to another user' in ping(), ping()
            assert not any(got), got
        os.chown(folder, 65534, 65534)
        with forger(path) as got:
            for ping in CLIENTS:
                assert 'belongs to another user' in ping(), ping()
            assert not got


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
