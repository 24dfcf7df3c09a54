# SPDX-License-Identifier: Apache-2.0
"""A real daemon for a system test: started on a socket of its own, ended and looked over at the end."""
import os
import shutil
import signal
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get('BUILD_DIR', os.path.join(ROOT, 'build'))
SHAPED = os.environ.get('SHAPED', os.path.join(BUILD, 'shaped'))
PATIENCE = 60  # seconds that any one step may take


class Daemon:
    def __init__(self, *options):
        self.folder = tempfile.mkdtemp(prefix='shaped-test.')
        self.path = os.path.join(self.folder, 's')
        self.options = options
        self.process = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.folder)

    def said(self):
        with open(os.path.join(self.folder, 'log'), encoding='utf-8', errors='replace') as log:
            return log.read()

    def start(self):
        """Also again, after stop()."""
        with open(os.path.join(self.folder, 'log'), 'wb') as log:
            self.process = subprocess.Popen([SHAPED, '--socket', self.path, *self.options], stderr=log)
        end = time.monotonic() + PATIENCE
        while 'event=listen' not in self.said():
            assert self.process.poll() is None and time.monotonic() < end, 'it did not start: ' + self.said()
            time.sleep(0.01)

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        status = self.process.wait(PATIENCE)
        assert status == (0 if how == signal.SIGTERM else -how), (status, self.said()[-2000:])
        assert 'Sanitizer' not in self.said(), self.said()[-4000:]
