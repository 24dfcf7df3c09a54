# SPDX-License-Identifier: Apache-2.0
"""Pictures of the manual, all made here: the tool's own SVG, and our pages in a headless Chromium."""
import base64
import os
import pathlib
import re
import subprocess
import sys
import tempfile

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
# 1 pixel, where there is no browser: pages have their pictures all the same.
EMPTY = base64.b64decode('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==')


def write(folder, shape, browser):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, arguments in DRAWN.items():
        draw(folder / name, [shape] + arguments)
    text = (ROOT / STEPPED).read_text(encoding='utf-8')
    for name, value in STEPS.items():
        draw(folder / name, [shape, 'graph', '--format', 'svg', '-'], until(text, value))
    for name in SHOT:
        (folder / name).write_bytes(EMPTY)
    if browser:
        try:
            screenshots(folder, shape)
        except NoBrowser as why:
            print('no pictures of pages: %s' % why)


def draw(to, command, text=''):
    done = subprocess.run(command, cwd=ROOT, input=text.encode(), capture_output=True, check=False)
    to.write_bytes(done.stdout or b'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')


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
        finally:
            chromium.close()


def print_page(page, to):
    """The PDF of a page, as the browser prints it."""
    with tempfile.TemporaryDirectory() as home:
        subprocess.run(['chromium', '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
                        '--user-data-dir=' + home, '--no-pdf-header-footer', '--disable-pdf-tagging', '--print-to-pdf=%s' % to, 'file://%s' % page],
                       env=dict(os.environ, HOME=home), stderr=subprocess.DEVNULL, timeout=1200, check=True)
