#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The man pages: groff and mandoc find nothing to warn of, and every option that a program's help lists is there.

Reads SHAPE, SHAPED and BUILD_DIR (default: build/). The last line is `N passed, N failed[, N skipped]`.
"""
import glob
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import Skipped, main  # noqa: E402
from shaped import SHAPE, SHAPED  # noqa: E402

BUILD = os.path.join(ROOT, os.environ.get('BUILD_DIR', 'build'))


def pages():
    found = sorted(glob.glob(os.path.join(BUILD, 'man', '*.[1-8]')))
    if not found:
        raise Skipped('no man pages in %s: make pages' % os.path.relpath(BUILD, ROOT))
    templates = glob.glob(os.path.join(ROOT, 'deploy', 'man', '*.in'))
    assert {os.path.basename(p) for p in found} == {os.path.basename(t)[:-3] for t in templates}
    return found


def page(name):
    return [p for p in pages() if os.path.basename(p) == name][0]


def run(*command):
    env = dict(os.environ, LC_ALL='C.UTF-8', MANWIDTH='100')
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=False, env=env,
                          universal_newlines=True)


def rendered(name):
    """The page as text, every run of blanks as one."""
    if not shutil.which('mandoc'):
        raise Skipped('there is no mandoc')
    done = run('mandoc', '-T', 'utf8', '-O', 'width=900', page(name))
    assert done.returncode == 0, done.stderr
    return ' '.join(re.sub('.\b', '', done.stdout).split())


def help_of(*command):
    """What --help says, with the lines of one option as one."""
    return re.sub(r'\n {12,}(?=\S)', ' ', run(*command).stdout)


def test_groff_has_no_warnings():
    if not shutil.which('groff'):
        raise Skipped('there is no groff')
    for path in pages():
        done = run('groff', '-man', '-Tutf8', '-ww', '-rCHECKSTYLE=2', path)
        assert done.returncode == 0 and not done.stderr, (path, done.stderr)


def test_mandoc_has_no_warnings():
    if not shutil.which('mandoc'):
        raise Skipped('there is no mandoc')
    for path in pages():
        done = run('mandoc', '-T', 'lint', '-W', 'warning', path)
        assert not done.stdout and not done.stderr, (path, done.stdout, done.stderr)


def holds_each(name, lines, least):
    text, count = rendered(name), 0
    for option, said in lines:
        # In a column of its own an option is followed by what help says of it, word for word.
        assert '%s %s' % (' '.join(option.split()), ' '.join(said.split())) in text, (name, option, said)
        count += 1
    assert count >= least, (name, count)


def test_the_page_of_shape_has_every_option():
    commands = re.findall(r'^  (\w+) +\S', help_of(SHAPE, '--help').split('commands:')[1].split('options:')[0], re.M)
    assert len(commands) >= 10, commands
    lines = []
    for command in commands:
        options = help_of(SHAPE, command, '--help').split('options:\n')[1].split('\nexamples:')[0]
        lines += [(a, b) for a, b in re.findall(r'^ +((?:-\w, )?--\S+(?: [A-Z]\S*)?)  +(.*)$', options, re.M)]
    holds_each('shape.1', lines, 70)


def test_the_page_of_the_language_server_has_every_option_and_setting():
    said = help_of(os.path.join(os.path.dirname(SHAPE), 'shape-lsp'), '--help')
    options, settings = said.split('options:\n')[1].split('\nexamples:')[0].split('\nsettings,')
    lines = re.findall(r'^ +((?:-\w, )?--\S+(?: [A-Z]\S*)?)  +(.*)$', options, re.M)
    holds_each('shape-lsp.1', lines + re.findall(r'^  (\w+)  +(.*)$', settings, re.M), 13)


def test_the_pages_of_shaped_have_every_option():
    options = help_of(SHAPED, '--help').split('with their defaults:\n')[1]
    lines = re.findall(r'^  --(\S+) *(.*) \[\S*\]$', options, re.M)
    assert len(lines) >= 30, options
    for name, dashes, equals in (('shaped.8', '--', ''), ('shaped.conf.5', '', '= ')):
        text = rendered(name)
        for option, said in lines:
            said = ' '.join(said.split())
            assert re.search(re.escape(dashes + option) + ' ' + equals + '[A-Z]+ ' + re.escape(said), text), (name, option)


def test_the_page_of_the_protocol_has_every_method_and_error():
    with open(os.path.join(ROOT, 'proto', 'methods.def'), encoding='utf-8') as file:
        methods = re.findall(r'^X\("([^"]+)", \w+, \w+, "([^"]+)"\)', file.read(), re.M)
    assert len(methods) >= 10
    holds_each('shape-protocol.7', methods, 10)
    with open(os.path.join(ROOT, 'proto', 'PROTOCOL.md'), encoding='utf-8') as file:
        table = file.read().split('| data.code |')[1].split('\n\n')[0]
    names = re.findall(r'`([a-z-]+)`', table)
    text = rendered('shape-protocol.7')
    assert len(names) >= 20 and all(' %s ' % name in text for name in names), names


def test_see_also_leads_somewhere():
    names = {os.path.basename(p) for p in pages()}
    for path in pages():
        with open(path, encoding='utf-8') as file:
            also = file.read().split('.SH SEE ALSO\n')[1]
        for name, section in re.findall(r'^\.BR (\S+) \((\d)\)', also, re.M):
            assert '%s.%s' % (name.replace('\\-', '-'), section) in names, (path, name)


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
