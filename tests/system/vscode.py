#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The extension in a real editor: VS Code as code-server brings it, the packaged .vsix, and a browser that opens a
program and does what a person would: reads hints, hovers, looks names up, renames, completes, formats, types an error and
takes it back, applies a code action, opens the view and the graph, and a model. The server is that of the package.

What it needs comes from npm into build/editor, once: code-server with its native parts built, and playwright-core. It
is skipped, and says why, where something cannot be had: node 20, npm, chromium, packages, shape-lsp. EDITOR_TEST=no
skips it too, EDITOR_PATIENCE=SECONDS is the longest wait for one thing. SCREENSHOTS=FOLDER keeps the pictures (default
build/editor/screenshots).

Reads SHAPE and SHAPE_LSP (default in build/). The last line is `N passed, N failed[, N skipped]`.
"""
import concurrent.futures
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import Skipped  # noqa: E402

BUILD = os.path.join(ROOT, 'build')
SHAPE = os.environ.get('SHAPE', os.path.join(BUILD, 'shape'))
SERVER = os.environ.get('SHAPE_LSP', os.path.join(BUILD, 'shape-lsp'))
EDITOR = os.path.join(BUILD, 'editor')
PACKAGES = {'code-server': '4.99.4', 'playwright-core': '1.49.1'}
NATIVE = ('@vscode/spdlog', 'native-watchdog')  # node-pty too wants a compiler; only the terminal needs it
SECONDS = 240  # for all that has to be fetched and built; a quiet machine of two cores needs about 60
NPM = ['npm', '--no-audit', '--no-fund', '--loglevel=error']


def run(command, folder, what, deadline, **env):
    """Its output; a failure is a reason to skip, as the machine may be without network or compiler."""
    env = dict(os.environ, **env)
    env.pop('MAKEFLAGS', None)
    child = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True, env=env, start_new_session=True)
    try:
        output = child.communicate(timeout=max(1, deadline - time.monotonic()))[0]
    except subprocess.TimeoutExpired as late:
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
        raise Skipped('%s within %d s; what is there is kept for the next run' % (what, SECONDS)) from late
    if child.returncode != 0:
        raise Skipped('%s: %s' % (what, output.strip()[-400:]))
    return output


def install_editor(deadline):
    """code-server and playwright-core in build/editor; does nothing when they are there."""
    mark = os.path.join(EDITOR, 'installed')
    wanted = json.dumps(PACKAGES, sort_keys=True)
    if os.path.exists(mark):
        with open(mark, encoding='utf-8') as f:
            if f.read() == wanted:
                return
    os.makedirs(EDITOR, exist_ok=True)
    with open(os.path.join(EDITOR, 'package.json'), 'w', encoding='utf-8') as f:
        json.dump({'private': True, 'dependencies': PACKAGES}, f)
    run(NPM + ['install', '--ignore-scripts', '--no-package-lock'], EDITOR, 'code-server cannot be had from npm', deadline)
    vscode = os.path.join(EDITOR, 'node_modules', 'code-server', 'lib', 'vscode')

    # Their speed is not measured; without optimising they build in half the time.
    quick = {'CFLAGS': '-O0', 'CXXFLAGS': '-O0'}

    def argon2():
        run(NPM + ['rebuild', 'argon2'], EDITOR, 'argon2 cannot be built', deadline, **quick)

    def natives():
        run(NPM + ['install', '--ignore-scripts', '--omit=dev'], vscode, 'what code-server needs cannot be had from npm', deadline)
        for package in NATIVE:
            run(NPM + ['rebuild', package], vscode, package + ' cannot be built', deadline, **quick)

    with concurrent.futures.ThreadPoolExecutor() as pool:
        for job in [pool.submit(argon2), pool.submit(natives)]:
            job.result()
    with open(mark, 'w', encoding='utf-8') as f:
        f.write(wanted)


def package_extension(deadline):
    """The .vsix, which brings the programs where it can; once its packages are there, a failure is the extension's own."""
    try:
        run(['make', '--no-print-directory', '-C', ROOT, 'vscode', 'DEPS=no'], ROOT, 'the extension cannot be packaged', deadline)
    except Skipped as why:
        assert not os.path.exists(os.path.join(BUILD, 'vscode', 'node_modules', '.installed')), why
        raise
    folder = os.path.join(BUILD, 'vscode')
    own = [name for name in sorted(os.listdir(folder)) if re.fullmatch(r'shaped-linux-\w+\.vsix', name)]
    named = 'SHAPE_LSP' in os.environ or not own  # then that server is tried, not the one in the package
    return os.path.join(folder, 'shaped.vsix' if named else own[0])


def check_machine():
    if os.environ.get('EDITOR_TEST') == 'no':
        raise Skipped('EDITOR_TEST=no')
    for program in 'node', 'npm', 'chromium':
        if not shutil.which(program):
            raise Skipped('%s is not installed' % program)
    version = subprocess.run(['node', '--version'], capture_output=True, text=True, check=True).stdout.strip()
    # 4.99.4 is made for node 20 and refuses others.
    if not re.match(r'v20\.', version):
        raise Skipped('code-server %s runs on node 20, here is %s' % (PACKAGES['code-server'], version))
    for program in SHAPE, SERVER:
        if not os.access(program, os.X_OK):
            raise Skipped('%s is not built' % os.path.relpath(program, ROOT))


def free_port():
    with socket.socket() as s:
        s.bind(('127.0.0.1', 0))
        return s.getsockname()[1]


class Editor:
    """A running code-server with the extension and a folder of programs."""

    def __init__(self, home, vsix, bundled):
        self.home = home
        self.folder = os.path.join(home, 'programs')
        data, extensions = os.path.join(home, 'data'), os.path.join(home, 'extensions')
        os.makedirs(os.path.join(data, 'User'))
        os.makedirs(self.folder)
        for name in 'heads.mlir', 'mismatch.mlir':
            shutil.copy(os.path.join(ROOT, 'deploy', 'demo', name), self.folder)
        with open(os.path.join(self.folder, 'heads.mlirbc'), 'wb') as f:
            f.write(subprocess.run([SHAPE, 'refine', '--emit', 'bytecode', 'heads.mlir'], cwd=self.folder, capture_output=True, check=True).stdout)
        settings = {'editor.inlayHints.enabled': 'on', 'editor.minimap.enabled': False, 'editor.codeLens': True,
                    'workbench.startupEditor': 'none', 'workbench.tips.enabled': False, 'files.autoSave': 'off',
                    'workbench.colorTheme': 'Default Light Modern', 'security.workspace.trust.enabled': False,
                    'telemetry.telemetryLevel': 'off', 'extensions.autoCheckUpdates': False, 'update.mode': 'none',
                    'extensions.ignoreRecommendations': True, 'chat.commandCenter.enabled': False,
                    'editor.wordBasedSuggestions': 'off', 'editor.hover.delay': 100}
        if not bundled:
            settings.update({'shaped.server.path': os.path.abspath(SERVER), 'shaped.graph.path': os.path.abspath(SHAPE)})
        with open(os.path.join(data, 'User', 'settings.json'), 'w', encoding='utf-8') as f:
            json.dump(settings, f)
        self.env = dict(os.environ, HOME=home, XDG_CONFIG_HOME=os.path.join(home, 'config'))
        self.env.pop('VSCODE_IPC_HOOK_CLI', None)
        entry = os.path.join(EDITOR, 'node_modules', 'code-server', 'out', 'node', 'entry.js')
        self.command = ['node', entry, '--user-data-dir', data, '--extensions-dir', extensions]
        done = subprocess.run(self.command + ['--install-extension', vsix], env=self.env, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=300, check=False)
        assert done.returncode == 0 and 'successfully installed' in done.stdout, done.stdout + done.stderr
        self.log = open(os.path.join(home, 'server.log'), 'wb')
        self.port = free_port()
        self.process = subprocess.Popen(
            self.command + ['--auth', 'none', '--bind-addr', '127.0.0.1:%d' % self.port, '--disable-telemetry',
                            '--disable-update-check', '--disable-workspace-trust', '--disable-getting-started-override'],
            env=self.env, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, start_new_session=True)

    def wait(self):
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        end = time.monotonic() + 120
        while time.monotonic() < end:
            try:
                with opener.open('http://127.0.0.1:%d/healthz' % self.port, timeout=10):
                    return
            except OSError:
                assert self.process.poll() is None, 'code-server ended'
                time.sleep(0.2)
        raise AssertionError('code-server does not answer')

    def close(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        self.log.close()


def run_driver(url, home, kind):
    """What a person does in the editor at an address; kind: 'machine', or 'web', which has no programs to start."""
    screenshots = os.environ.get('SCREENSHOTS', os.path.join(EDITOR, 'screenshots' if kind == 'machine' else 'screenshots-web'))
    os.makedirs(screenshots, exist_ok=True)
    config = {'url': url, 'kind': kind, 'screenshots': screenshots, 'home': home,
              'chromium': shutil.which('chromium'), 'modules': os.path.join(EDITOR, 'node_modules')}
    done = subprocess.run(['node', os.path.join(ROOT, 'tests', 'editor', 'vscode.mjs'), json.dumps(config)],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600, check=False)
    print(done.stdout, end='')
    return done.returncode


def drive(home, vsix):
    editor = Editor(home, vsix, bundled=not vsix.endswith('shaped.vsix'))
    try:
        editor.wait()
        status = run_driver('http://127.0.0.1:%d/?folder=%s' % (editor.port, urllib.parse.quote(editor.folder, '')), home, 'machine')
        if status != 0:
            with open(os.path.join(home, 'server.log'), encoding='utf-8', errors='replace') as f:
                print('--- end of the log of code-server\n' + f.read()[-2000:])
        return status
    finally:
        editor.close()


def in_folder(prefix, test):
    """The exit status of `test`, given a folder of its own; what it needs and is not there skips it."""
    home = tempfile.mkdtemp(prefix=prefix)
    try:
        check_machine()
        return test(home)
    except Skipped as why:
        print('skipped: the editor test: %s' % why)
        print('0 passed, 0 failed, 1 skipped')
        return 0
    finally:
        shutil.rmtree(home, ignore_errors=True)


def drive_all(home):
    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        installed, packaged = pool.submit(install_editor, begin + SECONDS), pool.submit(package_extension, begin + SECONDS)
        vsix = packaged.result()
        installed.result()
    print('prepared in %.0f s' % (time.monotonic() - begin))
    return drive(home, vsix)


if __name__ == '__main__':
    sys.exit(in_folder('shape-vscode-test-', drive_all))
