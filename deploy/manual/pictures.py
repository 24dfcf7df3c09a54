# SPDX-License-Identifier: Apache-2.0
"""Pictures of the manual, all made here: the tool's own SVG, and our pages in a headless Chromium."""
import functools
import http.server
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

from tables import ROOT

sys.path.insert(0, str(ROOT / 'tests' / 'support'))
from browser import Browser, NoBrowser  # noqa: E402

# name: arguments of shape, whose output is the picture
DRAWN = {'heads.svg': ['graph', '--format', 'svg', 'deploy/demo/heads.mlir']}
# name: the value that a program ends with: what is known when the walk has come to it
STEPS = {'facts-1.svg': '%h', 'facts-2.svg': '%tokens', 'facts-3.svg': '%out'}
STEPPED = 'deploy/demo/feedforward.mlir'
# name: (arguments of shape that write a page to the path after them, dark, what to click)
SHOT = {
    'view.png': (['view', 'deploy/demo/attention.mlir', '-o'], False, None),
    'view-dark.png': (['view', 'deploy/demo/attention.mlir', '-o'], True, None),
    'zoo.png': (['batch', 'deploy/demo', '--quiet', '--no-times', '--html'], False, None),
}
# Those of VS Code, which its test takes, as the page of the extension names them.
VSCODE = {name: ROOT / 'build' / 'editor' / 'screenshots' / name for name in ('hints.png', 'hover.png')}
PACKAGE = ROOT / 'build' / 'vscode' / 'shaped.vsix'
# The playground is an editor in a page; it is there after `make web`.
EDITOR, PLAYGROUND = 'editor.png', ROOT / 'build' / 'web'


def write(folder, shape, browser):
    """Those that this machine can make; pages leave out the others."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, arguments in DRAWN.items():
        draw(folder / name, [shape] + arguments)
    text = (ROOT / STEPPED).read_text(encoding='utf-8')
    for name, value in STEPS.items():
        draw(folder / name, [shape, 'graph', '--format', 'svg', '-'], until(text, value))
    if browser:
        try:
            screenshots(folder, shape)
        except NoBrowser as why:
            print('no pictures of pages: %s' % why)
        of_vscode(folder.parent / 'how-to' / 'media')


def of_vscode(folder):
    """Once an editor was prepared, which takes a minute and the network; the test says why it takes none."""
    taken = all(p.exists() and PACKAGE.exists() and p.stat().st_mtime > PACKAGE.stat().st_mtime for p in VSCODE.values())
    if not taken and (ROOT / 'build' / 'editor' / 'node_modules').exists():
        subprocess.run([sys.executable, str(ROOT / 'tests' / 'system' / 'vscode.py')], stdout=subprocess.DEVNULL, check=False)
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in VSCODE.items():
        if picture.exists():
            shutil.copy(picture, folder / name)


def draw(to, command, text=''):
    done = subprocess.run(command, cwd=ROOT, input=text.encode(), capture_output=True, check=False)
    if done.stdout:
        to.write_bytes(done.stdout)


def until(text, value):
    """The program up to the operation that makes the value, which it returns."""
    head = re.match(r'.*?(?=^  %s = [^\n]*\n)' % value, text, re.S | re.M).group()
    line = re.search(r'^  %s = [^\n]*\n' % value, text, re.M).group()
    kind = re.search(r'(?:->|:) ([^:>]*>)$', line.rstrip()).group(1)
    return re.sub(r'(\) -> )[^{]*\{', lambda m: m.group(1) + kind + ' {', head, count=1) + line + '  return %s : %s\n}\n' % (value, kind)


def screenshots(folder, shape):
    with tempfile.TemporaryDirectory() as home:
        chromium = Browser(1280, 800)
        try:
            for name, (arguments, dark, click) in SHOT.items():
                page = os.path.join(home, name + '.html')
                subprocess.run([shape] + arguments + [page], cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
                chromium.call('POST', '/goog/cdp/execute', {'cmd': 'Emulation.setEmulatedMedia', 'params': {
                    'features': [{'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}]}})
                chromium.open('about:blank')
                chromium.open('file://' + page)
                chromium.until_ready()
                if click:
                    chromium.click(click)
                (folder / name).write_bytes(chromium.screenshot())
            if (PLAYGROUND / 'index.html').exists():
                (folder / EDITOR).write_bytes(editor(chromium))
        finally:
            chromium.close()


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):  # pylint: disable=arguments-differ
        pass


def editor(chromium):
    """The playground, from a server of its files, when the analysis of its first program has ended."""
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(Files, directory=str(PLAYGROUND)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        chromium.open('http://127.0.0.1:%d/' % server.server_port)
        chromium.until_ready()
        for _ in range(600):
            if chromium.run("const s = document.getElementById('status'); return s.textContent && !s.classList.contains('busy')"):
                break
            time.sleep(0.1)
        time.sleep(1)
        return chromium.screenshot()
    finally:
        server.shutdown()
        server.server_close()


def print_page(page, to):
    """The PDF of a page, as the browser prints it."""
    with tempfile.TemporaryDirectory() as home:
        subprocess.run(['chromium', '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
                        '--user-data-dir=' + home, '--no-pdf-header-footer', '--disable-pdf-tagging', '--print-to-pdf=%s' % to, 'file://%s' % page],
                       env=dict(os.environ, HOME=home), stderr=subprocess.DEVNULL, timeout=1200, check=True)
