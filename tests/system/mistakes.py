#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Errors at the command line, and what is said of each: what is wrong, with what, and what helps. Nothing is written.

Reads SHAPE and SHAPED (default: in build/). The last line is `N passed, N failed[, N skipped]`.
"""
import os
import pty
import select
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import main  # noqa: E402
from shaped import PATIENCE, SHAPE, SHAPED  # noqa: E402

PROGRAM = os.path.join(ROOT, 'deploy', 'demo', 'heads.mlir')
# arguments of shape, exit status, a part of what is said
OF_SHAPE = (
    ([], 2, 'no command is given'),
    (['chekc', 'p.mlir'], 2, "unknown command 'chekc', did you mean 'check'?"),
    (['p.mlir'], 2, "'p.mlir' is a file, not a command: shape check FILE"),
    (['frobnicate'], 2, "unknown command 'frobnicate'\nhint: shape --help"),
    (['--versio'], 2, "unknown option '--versio' before the command"),
    (['check'], 2, 'no FILE is given; - is standard input'),
    (['check', '--jsno', 'p.mlir'], 2, "unknown option '--jsno', did you mean '--json'?"),
    (['check', '--steps', 'many', 'p.mlir'], 2, "the value of '--steps' is 'many', expected a number between"),
    (['check', '--arg-types'], 2, "'--arg-types' needs a value, LIST"),
    (['check', 'none.mlir'], 3, 'cannot read none.mlir: No such file or directory'),
    (['check', 'folder'], 3, 'cannot read folder: Is a directory'),
    (['check', 'loop'], 3, 'cannot read loop: Too many levels of symbolic links'),
    (['check', 'empty'], 1, 'empty:1:1: error: the input is empty: expected a program as MLIR, ONNX, PyTorch'),
    (['check', 'binary'], 1, 'binary:1:1: error: this is a binary file: expected a program as MLIR, ONNX, PyTorch'),
    (['check', 'text'], 1, "text:1:1: error: expected an operation, found 'what'"),
    (['check', '--connect', 'none', 'p.mlir'], 6, 'no daemon answers at none: No such file or directory'),
    (['check', '--connect', 'text', 'p.mlir'], 6, 'no daemon answers at text: Connection refused'),
    (['graph', 'p.mlir', '-o', 'p.png'], 2, "'p.png' names no form: .svg, .dot or .html, or give --format"),
    (['refine', 'p.mlir', '-o', 'none/p.mlir'], 3, "shape: cannot write none/p.mlir: No such file or directory"),
    (['refine', 'p.mlir', '-o', 'folder'], 3, "cannot write folder: Is a directory"),
    (['explain', 'p.mlir'], 2, 'give --that or --at'),
    (['refine', '--emit', 'llvm', 'p.mlir'], 2, "the value of '--emit' is 'llvm', expected mlir, bytecode"),
    (['refine', '--passes', 'cleanup,refine-shape', 'p.mlir'], 2, "no pass 'refine-shape', did you mean 'refine-shapes'?"),
    (['refine', '--passes', 'foo', 'p.mlir'], 2, "there is no pass 'foo'\nhint: shape refine --help"),
    (['help', 'chekc'], 2, "unknown topic 'chekc', did you mean 'check'?"),
    (['help', 'soundnes'], 2, "unknown topic 'soundnes', did you mean 'soundness'?"),
    (['help', 'shape-mismtach'], 2, "unknown topic 'shape-mismtach', did you mean 'shape-mismatch'?"),
    (['help', 'foo'], 2, "unknown topic 'foo'\nhint: shape help"),
    (['cost', '--at', 'eight', 'p.mlir'], 2, "point: 'eight': expected NAME=N, or"),
    (['decide', '--jsonl', '-s', 'a'], 2, 'give no QUERY, symbols or assumptions'),
    (['explain', '--at', '900:1', 'p.mlir'], 2, 'the text has no location 900:1'),
    (['diff', 'p.mlir'], 2, 'two files are needed: OLD NEW'),
    (['call', 'analyze', '{text}'], 2, 'PARAMS is not JSON'),
    (['ops', 'no-such-operation'], 1, "no operation or rule is called 'no-such-operation'"),
    (['batch'], 2, 'no PATH is given'),
    (['batch', 'folder'], 0, 'shape batch: folder has no .json, .mlir, .mlirbc, .onnx, .gz, .pt2 or .py file'),
    (['batch', '--files-from', 'folder'], 3, 'cannot read folder: Is a directory'),
    (['batch', 'p.mlir', '--db', 'text'], 3, 'text: file is not a database'),
    (['batch', 'p.mlir', '--journal', 'text', '--resume'], 3, 'text is not a journal, and stays as it is'),
    (['batch', 'p.mlir', '--journal', 'binary', '--resume'], 3, 'binary is not a journal, and stays as it is'),
    (['batch', 'p.mlir', '--journal', 'text'], 3, 'text holds the results of an earlier run'),
    (['batch', 'merge', 'text', '--jsonl', '-'], 3, 'text holds no results'),
)
OF_SHAPED = (
    (['stop'], 2, "unknown option 'stop'"),
    (['--frob', '3'], 2, "unknown option '--frob'\nhint: shaped --help"),
    (['--worker=3'], 2, "unknown option '--worker=3', did you mean '--workers'?"),
    (['--chekc-config'], 2, "unknown option '--chekc-config', did you mean '--check-config'?"),
    (['--config', 'misspelt'], 2, "misspelt:1: unknown option 'worker', did you mean 'workers'?"),
    (['--workers', 'many'], 2, "workers: 'many' is not a number"),
    (['--config', 'none'], 2, 'cannot read none: No such file or directory'),
    (['--config', 'folder'], 2, 'cannot read folder: Is a directory'),
    (['--config', 'folder', '--check-config'], 2, 'cannot read folder: Is a directory'),
    (['--config', 'text'], 2, 'text:1: expected NAME = VALUE'),
    (['--socket', 'none/s'], 1, 'cannot bind none/s: there is no such folder'),
    (['--socket', 'folder'], 1, 'folder'),
    (['--tcp', '0.0.0.0:7000'], 1, '0.0.0.0:7000 is not a loopback address; use the option tls'),
    (['--socket', 's', '--tls', '127.0.0.1:0'], 1, ('tls-cert and tls-key are needed', 'built without OpenSSL')),
    (['--socket', 's', '--tls', '127.0.0.1:0', '--tls-cert', 'none', '--tls-key', 'none', '--token-file', 'none'], 1,
     ("tls-cert: cannot use 'none': No such file or directory", 'built without OpenSSL')),
)


def each(program, rows):
    """Runs the rows in a folder of errors; what is in it stays as it was."""
    with tempfile.TemporaryDirectory(prefix='shape-errors-') as folder:
        shutil.copy(PROGRAM, os.path.join(folder, 'p.mlir'))
        os.mkdir(os.path.join(folder, 'folder'))
        os.symlink('loop', os.path.join(folder, 'loop'))
        for name, data in (('empty', b''), ('text', b'what is this\nno newline'), ('binary', bytes(range(256))),
                           ('misspelt', b'worker = 3\n')):
            with open(os.path.join(folder, name), 'wb') as file:
                file.write(data)

        def content():
            out = {}
            for name in sorted(os.listdir(folder)):
                path = os.path.join(folder, name)
                if os.path.isfile(path):
                    with open(path, 'rb') as file:
                        out[name] = file.read()
            return out
        before = content()
        for arguments, status, said in rows:
            done = subprocess.run([program, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=PATIENCE, check=False, text=True, errors='replace')
            wanted = (said,) if isinstance(said, str) else said
            assert done.returncode == status and any(w in done.stdout for w in wanted), (arguments, done)
            assert max(map(len, done.stdout.splitlines())) < 200, (arguments, done.stdout)
            assert content() == before, arguments


def test_errors_with_shape():
    each(SHAPE, OF_SHAPE)


def test_errors_with_the_daemon():
    each(SHAPED, OF_SHAPED)


def test_the_language_server_at_a_terminal_says_what_it_is():
    program = os.path.join(os.path.dirname(SHAPE), 'shape-lsp')
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(program, [program])
    said = b''
    try:
        while b'^D ends it' not in said:
            assert select.select([terminal], [], [], PATIENCE)[0], said
            said += os.read(terminal, 4096)
        os.write(terminal, b'\x04')
    finally:
        os.waitpid(pid, 0)
        os.close(terminal)


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
