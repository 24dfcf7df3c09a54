# SPDX-License-Identifier: Apache-2.0
"""Runs the cases of a system test: the functions of a module whose names begin with test_."""
import os
import sys
import time


def patience(seconds):
    """This number of seconds, times PATIENCE_FACTOR: programs with sanitizers are slower by that, and so are their tests."""
    return seconds * float(os.environ.get('PATIENCE_FACTOR', '1'))


class Skipped(Exception):
    """The test cannot be made on this machine; the text says why."""


def main(tests, words, *arguments):
    """Calls each case that contains one of the words (all, if there are none) with the arguments; the exit status.

    tests is the module's globals(). The last line is `N passed, N failed`, with the skipped if there are any.
    CASE_TIMES=1 prints the seconds of each.
    """
    passed = failed = skipped = 0
    for name, function in sorted(tests.items()):
        if not name.startswith('test_') or not callable(function) or (words and not any(w in name for w in words)):
            continue
        begin = time.monotonic()
        try:
            function(*arguments)
            passed += 1
        except Skipped as why:
            skipped += 1
            print('skipped: %s: %s' % (name, why))
        except Exception as error:  # pylint: disable=broad-except
            failed += 1
            print('FAILED %s: %s: %s' % (name, type(error).__name__, str(error)[:1500]))
        if os.environ.get('CASE_TIMES'):
            print('%6.2f s  %s' % (time.monotonic() - begin, name))
        sys.stdout.flush()
    print('%d passed, %d failed%s' % (passed, failed, ', %d skipped' % skipped if skipped else ''))
    return 1 if failed else 0
