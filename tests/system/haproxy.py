#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""deploy/haproxy: three daemons and one proxy with TLS, under load, while one is killed, ends, and comes back.

Reads SHAPED (default: in build/). The last line is `N passed, N failed[, N skipped]`.
"""
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import Skipped, main  # noqa: E402
from shaped import PATIENCE, Daemon, long_program  # noqa: E402

# The package of the Python client has the same name as the support of the tests: now the name is that of the package.
del sys.modules['shaped']
sys.path[0] = os.path.join(ROOT, 'clients', 'python')
from shaped import Client  # noqa: E402
from shaped.errors import ServerError  # noqa: E402

CONFIG = os.path.join(ROOT, 'deploy', 'haproxy', 'haproxy.cfg')
CLIENTS = 9


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


class Farm:
    """Three daemons and haproxy with the configuration of the project; only addresses and paths are others."""

    def __init__(self):
        if not shutil.which('haproxy'):
            raise Skipped('there is no haproxy')
        self.folder = tempfile.mkdtemp(prefix='shaped-haproxy.')
        self.daemons, self.ports, self.process, self.log = [], [], None, None
        try:
            self.begin()
        except BaseException:
            self.close()
            raise

    def begin(self):
        subprocess.run(['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes',
                        '-days', '2', '-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout',
                        'key', '-out', 'cert'], cwd=self.folder, check=True, stderr=subprocess.DEVNULL)
        with open(self.at('shaped.pem'), 'w', encoding='utf-8') as out:
            for name in ('cert', 'key'):
                with open(self.at(name), encoding='utf-8') as file:
                    out.write(file.read())
        for _ in range(3):
            self.ports.append((free_port(), free_port()))
            self.daemons.append(self.daemon(len(self.daemons)))
        self.port, metrics = free_port(), free_port()
        with open(CONFIG, encoding='utf-8') as file:
            text = file.read()
        for number, ports in enumerate(self.ports, 1):
            old = '127.0.0.1:700%d port 710%d' % (number, number)
            assert old in text
            text = text.replace(old, '127.0.0.1:%d port %d' % ports)
        text = text.replace('0.0.0.0:9443', '127.0.0.1:%d' % self.port).replace('127.0.0.1:8405', '127.0.0.1:%d' % metrics)
        text = text.replace('/etc/haproxy/shaped.pem', self.at('shaped.pem'))
        with open(self.at('haproxy.cfg'), 'w', encoding='utf-8') as out:
            out.write(text)
        checked = subprocess.run(['haproxy', '-c', '-f', self.at('haproxy.cfg')], stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, check=False, universal_newlines=True)
        assert checked.returncode == 0 and 'WARNING' not in checked.stdout, checked.stdout
        self.metrics = metrics
        self.log = open(self.at('log'), 'wb')
        self.process = subprocess.Popen(['haproxy', '-db', '-f', self.at('haproxy.cfg')], stdout=self.log,
                                        stderr=subprocess.STDOUT)
        self.wait(lambda: self.up() == 3, 'three daemons that are up')

    def at(self, name):
        return os.path.join(self.folder, name)

    def daemon(self, number):
        tcp, http = self.ports[number]
        started = Daemon('--tcp', '127.0.0.1:%d' % tcp, '--http', '127.0.0.1:%d' % http, '--workers', '2')
        assert started.process.poll() is None, started.said()
        return started

    def wait(self, condition, what):
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, what + ' took too long'
            time.sleep(0.02)

    def page(self, port):
        try:
            with socket.create_connection(('127.0.0.1', port), PATIENCE) as s:
                s.sendall(b'GET /metrics HTTP/1.0\r\n\r\n')
                data = b''
                while more := s.recv(65536):
                    data += more
        except OSError:
            return ''
        return data.decode()

    def up(self):
        """How many daemons haproxy takes for good."""
        return len(re.findall(r'^haproxy_server_status\{proxy="daemons",server="\w+",state="UP"\} 1', self.page(self.metrics), re.M))

    def answered(self, number):
        found = re.search(r'^shaped_request_seconds_count\{method="analyze"\} (\d+)', self.page(self.ports[number][1]), re.M)
        return int(found.group(1)) if found else 0

    def in_flight(self, number):
        found = re.search(r'^shaped_requests_in_flight (\d+)', self.page(self.ports[number][1]), re.M)
        return int(found.group(1)) if found else 0

    def close(self):
        if self.process:
            self.process.terminate()
            self.process.wait(PATIENCE)
            self.log.close()
        for daemon in self.daemons:
            if daemon.process.poll() is None:
                daemon.stop()
            daemon.discard()
        shutil.rmtree(self.folder)


class Load:
    """Clients that ask one query after the other, each with an answer of its own."""

    def __init__(self, farm):
        self.context = ssl.create_default_context(cafile=farm.at('cert'))
        self.farm, self.ending = farm, threading.Event()
        self.right, self.refused, self.lost = [0] * CLIENTS, [], []
        self.threads = [threading.Thread(target=self.ask, args=(i,)) for i in range(CLIENTS)]
        for thread in self.threads:
            thread.start()

    def client(self):
        return Client(('127.0.0.1', self.farm.port), timeout=PATIENCE, tls=self.context)

    def ask(self, number):
        client = self.client()
        while not self.ending.is_set():
            width = 1000000 * number + self.right[number]
            try:
                report = client.analyze(long_program(400).replace('?x4x', '?x%dx' % width))
                if report.functions[0].result_dims != [['S0', width]]:
                    self.lost.append('the answer of another query: %s' % report.functions[0].result_dims)
                self.right[number] += 1
            except ServerError as error:  # the request was not accepted
                if error.code != 'draining':
                    self.lost.append(repr(error))
                self.refused.append(number)
                client.close()
            except Exception as error:  # pylint: disable=broad-except
                self.lost.append('%s: %s' % (type(error).__name__, error))
                client.close()
        client.close()

    def more(self, count):
        """Waits until every client has that many answers more."""
        want = [n + count for n in self.right]
        self.farm.wait(lambda: all(a >= b for a, b in zip(self.right, want)) or self.lost, 'answers')

    def end(self):
        self.ending.set()
        for thread in self.threads:
            thread.join(PATIENCE)
            assert not thread.is_alive()
        assert not self.lost, (len(self.lost), self.lost[:3])
        assert sum(self.right) > 10 * CLIENTS


def test_no_answer_is_lost_when_a_daemon_is_killed():
    farm = Farm()
    try:
        load = Load(farm)
        load.more(5)
        before = [farm.answered(i) for i in range(3)]
        assert all(before), before  # each daemon has its part of the load
        farm.wait(lambda: farm.in_flight(1) > 0, 'a request in the daemon that is to be killed')
        farm.daemons[1].stop(signal.SIGKILL)
        load.more(5)
        farm.wait(lambda: farm.up() == 2, 'one daemon that is down')
        farm.daemons[1].discard()
        farm.daemons[1] = farm.daemon(1)
        farm.wait(lambda: farm.up() == 3, 'the daemon that came back')
        with load.client() as fresh:  # leastconn: it has no connections yet
            assert fresh.ping({'x': 1}) == {'x': 1}
        load.end()
        assert not load.refused
    finally:
        farm.close()


def test_no_answer_is_lost_when_a_daemon_ends():
    farm = Farm()
    try:
        load = Load(farm)
        load.more(5)
        assert farm.daemons[0].stop(signal.SIGTERM) == 0
        load.more(5)
        farm.wait(lambda: farm.up() == 2, 'one daemon that is down')
        load.end()
        # A refused request may be asked again; each of its clients had one at most.
        assert len(load.refused) <= CLIENTS
    finally:
        farm.close()


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
