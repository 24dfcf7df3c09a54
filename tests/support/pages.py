# SPDX-License-Identifier: Apache-2.0
"""Runs the cases of a system test of pages: functions test_* of a folder of files, page_* of it and a browser."""
import os
import subprocess
import tempfile

from browser import Browser, NoBrowser


class Folder:
    """Where the programs of the tests are."""

    def __init__(self, home):
        self.home = home

    def path(self, name):
        return os.path.join(self.home, name)

    def write(self, name, data):
        with open(self.path(name), 'wb') as f:
            f.write(data if isinstance(data, bytes) else data.encode())


def main(tests, folder, missing=lambda name: None):
    """Calls the cases among the module's globals(); the exit status. missing(name) says why a case cannot be made here."""
    count = {'passed': 0, 'failed': 0, 'skipped': 0}

    def attempt(name, *arguments):
        why = missing(name)
        if why:
            count['skipped'] += 1
            print('skipped: %s: %s' % (name, why))
            return
        try:
            tests[name](*arguments)
            count['passed'] += 1
        except (AssertionError, OSError, KeyError, ValueError, subprocess.SubprocessError) as problem:
            count['failed'] += 1
            print('FAIL %s: %s: %s' % (name, type(problem).__name__, problem))

    with tempfile.TemporaryDirectory(prefix='shape-pages-test-') as home:
        files = folder(home)
        for name in [n for n in tests if n.startswith('test_')]:
            attempt(name, files)
        pages, browser = [n for n in tests if n.startswith('page_')], None
        try:
            browser = Browser()
            for name in pages:
                attempt(name, files, browser)
        except NoBrowser as why:
            count['skipped'] += len(pages)
            print('skipped: the pages: %s' % why)
        finally:
            if browser:
                browser.close()
    print('%(passed)d passed, %(failed)d failed, %(skipped)d skipped' % count)
    return 1 if count['failed'] else 0
