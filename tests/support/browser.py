# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium over WebDriver (W3C, 2018), with nothing but Debian's chromium and chromium-driver."""
import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import urllib.request

ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'


class NoBrowser(Exception):
    """There is no chromium, or no driver for it."""


class Browser:
    def __init__(self, width=1440, height=1000):
        self.driver = None
        driver, chromium = shutil.which('chromedriver'), shutil.which('chromium')
        if not driver or not chromium:
            raise NoBrowser('no chromium with chromium-driver here (deploy/install-deps.sh test)')
        self.home = tempfile.mkdtemp(prefix='shape-browser-')
        self.driver = subprocess.Popen([driver, '--port=0'], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                       env=dict(os.environ, HOME=self.home))
        for line in self.driver.stdout:
            found = re.search(r'started successfully on port (\d+)', line)
            if found:
                self.base = 'http://127.0.0.1:%s/session' % found.group(1)
                break
        else:
            raise NoBrowser('chromedriver does not start')
        options = {'binary': chromium, 'args': ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
                                                '--user-data-dir=' + os.path.join(self.home, 'data'),
                                                '--window-size=%d,%d' % (width, height), '--hide-scrollbars']}
        answer = self.call('POST', '', {'capabilities': {'alwaysMatch': {'browserName': 'chrome', 'goog:chromeOptions': options,
                                                                        'goog:loggingPrefs': {'browser': 'ALL'}}}})
        self.base += '/' + answer['sessionId']

    def call(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.base + path, data=data, method=method, headers={'Content-Type': 'application/json'})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=120) as reply:
            return json.load(reply)['value']

    def open(self, url):
        self.call('POST', '/url', {'url': url})

    def until_ready(self, seconds=60):
        """Waits for a page of ours, whose script says when it is through. The driver may answer an open before that."""
        end = time.monotonic() + seconds
        while self.run('return document.documentElement.dataset.ready') != 'yes':
            state = self.run('return [document.readyState, location.href]')
            assert time.monotonic() < end, 'the page is not ready: %s, errors: %s' % (state, self.errors())
            time.sleep(0.05)

    def run(self, script, *arguments):
        return self.call('POST', '/execute/sync', {'script': script, 'args': list(arguments)})

    def find(self, selector):
        return self.call('POST', '/element', {'using': 'css selector', 'value': selector})[ELEMENT]

    def click(self, selector):
        self.call('POST', '/element/%s/click' % self.find(selector), {})

    def type(self, selector, text):
        self.call('POST', '/element/%s/value' % self.find(selector), {'text': text})

    def screenshot(self):
        return base64.b64decode(self.call('GET', '/screenshot'))

    def errors(self):
        """What the page wrote to the console as errors."""
        return [e['message'] for e in self.call('POST', '/se/log', {'type': 'browser'}) if e['level'] == 'SEVERE']

    def close(self):
        if not self.driver:
            return
        try:
            self.call('DELETE', '')
        except OSError:
            pass
        self.driver.terminate()
        self.driver.wait()
        self.driver.stdout.close()
        shutil.rmtree(self.home, ignore_errors=True)
