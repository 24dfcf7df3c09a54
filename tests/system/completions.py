#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The completions, in the shells that are here: what bash, zsh and fish offer for a line that is half written.

Reads SHAPE and BUILD_DIR (default: build/). The last line is `N passed, N failed[, N skipped]`.
"""
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import Skipped, main  # noqa: E402
from shaped import PATIENCE, SHAPE  # noqa: E402

FOLDER = os.path.join(ROOT, os.environ.get('BUILD_DIR', 'build'), 'completions')

# A line up to the cursor, words that must be offered, words that must not.
LINES = [
    ('shape ', ['check', 'refine', 'batch', 'decide', 'call'], ['model.mlir']),
    ('shape ref', ['refine'], ['check']),
    ('shape check --', ['--arg-types', '--bind', '--certify', '--help'], ['--emit', '--jobs']),
    ('shape refine --e', ['--emit', '--entry'], ['--cleanup']),
    ('shape refine --emit ', ['mlir', 'onnx', 'smt2', 'disc-shape'], ['c', 'model.mlir']),
    ('shape refine --guards ', ['mlir', 'c', 'python'], ['onnx']),
    ('shape check mod', ['model.mlir'], ['other.mlir']),
    ('shape check --connect so', ['socket'], ['model.mlir']),
    ('shape call ses', ['session/open', 'session/close'], ['analyze']),
    ('shaped --max-q', ['--max-queue'], ['--max-reply']),
    ('shaped --log-level ', ['error', 'warning', 'info', 'debug'], ['json']),
    ('shaped --config sh', ['shaped.conf'], ['model.mlir']),
]


def workspace(folder):
    for name in ('model.mlir', 'other.mlir', 'socket', 'shaped.conf'):
        with open(os.path.join(folder, name), 'w', encoding='utf-8'):
            pass


def need(shell):
    if not os.path.isdir(FOLDER):
        raise Skipped('no completions in %s: make pages' % os.path.relpath(FOLDER, ROOT))
    if not shutil.which(shell):
        raise Skipped('there is no ' + shell)


def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE, check=False,
                          universal_newlines=True, errors='replace', **options)


def judge(offered):
    """Holds what a shell offers for each of LINES against what it must; `offered` is a function of the line."""
    for line, wanted, unwanted in LINES:
        words = offered(line)
        assert all(w in words for w in wanted), (line, wanted, words)
        assert not any(w in words for w in unwanted), (line, unwanted, words)


def test_bash():
    need('bash')
    script = '''
      source %s/shape.bash
      COMP_WORDS=("${@:2}"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE="$1"; COMP_POINT=${#1}
      _shaped_complete "${COMP_WORDS[0]}" "${COMP_WORDS[$COMP_CWORD]}" "${COMP_WORDS[$((COMP_CWORD - 1))]}"
      printf '%%s\\n' "${COMPREPLY[@]}"''' % FOLDER
    with tempfile.TemporaryDirectory() as folder:
        workspace(folder)

        def offered(line):
            done = run('bash', '--norc', '-c', script, 'bash', line, *re.split('[ ]', line), cwd=folder)
            assert not done.stderr, done.stderr
            return done.stdout.split('\n')
        judge(offered)
        # bash hands '=' over as a word of its own
        done = run('bash', '--norc', '-c', script, 'bash', 'x', 'shape', 'refine', '--emit', '=', 'sm', cwd=folder)
        assert done.stdout.split() == ['smt2'], done.stdout


def test_bash_knows_the_function():
    need('bash')
    done = run('bash', '--norc', '-c', 'source %s/shape.bash && complete -p shape shaped' % FOLDER)
    assert done.stdout.count('_shaped_complete') == 2, done.stdout + done.stderr


def test_fish():
    need('fish')
    with tempfile.TemporaryDirectory() as folder:
        workspace(folder)

        def offered(line):
            script = 'source %s/shape.fish; source %s/shaped.fish; complete -C %s' % (FOLDER, FOLDER, repr(line))
            env = dict(os.environ, HOME=folder, XDG_CONFIG_HOME=folder, XDG_DATA_HOME=folder)
            done = run('fish', '--no-config', '-c', script, cwd=folder, env=env)
            assert done.returncode == 0 and not done.stderr, done.stderr
            return [word.split('\t')[0] for word in done.stdout.split('\n')]
        judge(offered)


class Zsh:
    """zsh at a terminal, as a person has it: keys in, screen out."""

    def __init__(self, folder):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            env = dict(os.environ, TERM='dumb', HOME=folder, ZDOTDIR=folder)
            os.execvpe('zsh', ['zsh', '-f', '-i'], env)
        self.type("stty -echo columns 400 rows 400; PS1='READY> '; fpath=(%s $fpath); autoload -U compinit; "
                  "compinit -u -D; zstyle ':completion:*' verbose no; "
                  "show() { zle list-choices; zle -R; print; print L'ISTE'D }; zle -N show; bindkey '^T' show; "
                  "bindkey '^U' kill-whole-line; print L'OAD'ED\n" % FOLDER)
        self.until('LOADED\r?\n')

    def type(self, text):
        os.write(self.fd, text.encode())

    def until(self, pattern):
        """What came up to `pattern`."""
        seen, end = '', time.monotonic() + PATIENCE
        while not re.search(pattern, seen):
            assert select.select([self.fd], [], [], max(0, end - time.monotonic()))[0], (pattern, seen)
            seen += os.read(self.fd, 65536).decode('utf-8', 'replace')
        return seen

    def offered(self, line):
        # ^T lists and says when the list is there; nothing is typed ahead, which would keep zsh from listing.
        self.type(line + '\x14')
        screen = self.until('LISTED\r?\n')
        self.type('\x15')
        return re.sub('\x1b\\[[0-9;?]*[A-Za-z]', ' ', screen).split()

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.fd)


def test_zsh():
    need('zsh')
    with tempfile.TemporaryDirectory() as folder:
        workspace(folder)
        shell = Zsh(folder)
        try:
            judge(shell.offered)
        finally:
            shell.close()


def test_values_are_those_that_programs_take():
    """Every word that is offered after an option is one that the program accepts."""
    with open(os.path.join(ROOT, 'deploy', 'tables', 'values.def'), encoding='utf-8') as file:
        rows = re.findall(r'^X\("shape", "(\w+)", "([\w-]+)", "([^"@]+)"\)', file.read(), re.M)
    assert len(rows) >= 3
    for command, option, words in rows:
        for word in words.split():
            more = {'explain': ('--that', 'arg0.0 >= 0'), 'refine': ('--target', '1.0.0') * (word == 'vhlo')}.get(command, ())
            done = run(SHAPE, command, '--' + option, word, *more, os.path.join(ROOT, 'deploy', 'demo', 'heads.mlir'))
            wrong_here = word == 'onnx' and done.returncode == 2 and 'ONNX' in done.stderr  # the program is not one
            assert done.returncode == 0 or wrong_here, (command, option, word, done.returncode, done.stderr)
        done = run(SHAPE, command, '--' + option, 'nonsense', os.path.join(ROOT, 'deploy', 'demo', 'heads.mlir'))
        assert done.returncode == 2, (option, done.returncode)


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
