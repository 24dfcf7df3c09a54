#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The extension in an editor without a machine, as on vscode.dev: VS Code's pages as code-server brings them, served as
static files, so that the language server is the WebAssembly module in a worker. The features are those of vscode.py but for
the constraint graph, which Graphviz lays out.

Skipped, with the reason, as vscode.py, and where the module was not built (`make wasm`). The last line is
`N passed, N failed[, N skipped]`.
"""
import functools
import html
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import vscode  # noqa: E402
from vscode import BUILD, EDITOR, ROOT, SECONDS, SHAPE, Skipped  # noqa: E402

PAGES = os.path.join(EDITOR, 'node_modules', 'code-server', 'lib', 'vscode')
SCRIPT = 'out/vs/code/browser/workbench/workbench.js'
WASM = os.path.join(BUILD, 'wasm', 'web', 'libshape.wasm')
PROGRAMS = ('heads.mlir', 'mismatch.mlir')
TABLE = {'.wasm': 'application/wasm', '.js': 'text/javascript', '.mjs': 'text/javascript'}


class Handler(http.server.SimpleHTTPRequestHandler):
    """The page of the workbench, VS Code below static/, and the two extensions below extensions/."""
    extensions_map = dict(http.server.SimpleHTTPRequestHandler.extensions_map, **TABLE)

    def log_message(self, *_):
        pass

    def translate_path(self, path):
        path = path.split('?')[0].split('#')[0].lstrip('/')
        top, _, rest = path.partition('/')
        return super().translate_path('/' + rest) if top == 'extensions' else os.path.join(PAGES, rest) if top == 'static' else os.devnull

    def do_GET(self):
        path = self.path.split('?')[0]
        if path not in ('/', '/static/' + SCRIPT):
            return super().do_GET()
        page = workbench(self.headers['Host']).encode() if path == '/' else script()
        self.send_response(200)
        self.send_header('Content-Type', 'text/html' if path == '/' else 'text/javascript')
        self.send_header('Content-Length', str(len(page)))
        self.end_headers()
        self.wfile.write(page)
        return None


@functools.lru_cache(maxsize=None)
def script():
    """The script of the page without what code-server put into it: that the machine which serves it runs the extensions."""
    with open(os.path.join(PAGES, SCRIPT), encoding='utf-8') as f:
        text = f.read()
    for pattern, replacement in (r'remoteAuthority:location\.host', 'remoteAuthority:undefined'), (
            r'(get userRoamingDataHome\(\)\{return \w+\(\w+\.file\(this\.userDataPath\)\.with\(\{scheme:\w+)\.vscodeRemote', r'\1.vscodeUserData'):
        text, count = re.subn(pattern, replacement, text)
        assert count == 1, (pattern, count)
    return text.encode()


def workbench(authority):
    with open(os.path.join(PAGES, 'out', 'vs', 'code', 'browser', 'workbench', 'workbench.html'), encoding='utf-8') as f:
        page = f.read()
    settings = {'workbench.startupEditor': 'none', 'editor.minimap.enabled': False, 'security.workspace.trust.enabled': False,
                'telemetry.telemetryLevel': 'off', 'workbench.colorTheme': 'Default Light Modern', 'files.autoSave': 'off',
                'editor.wordBasedSuggestions': 'off', 'editor.hover.delay': 100}
    product = {'nameShort': 'Code', 'nameLong': 'Code', 'applicationName': 'code', 'dataFolderName': '.code', 'version': '1.99.3',
               'enableTelemetry': False,
               'webviewContentExternalBaseUrlTemplate': 'http://%s/static/out/vs/workbench/contrib/webview/browser/pre/' % authority}
    config = {'userDataPath': '/user', 'isEnabledFileDownloads': False, 'isEnabledFileUploads': False, 'isEnabledCoderGettingStarted': False,
              'folderUri': {'scheme': 'programs', 'path': '/'}, 'productConfiguration': product, 'configurationDefaults': settings,
              'additionalBuiltinExtensions': [{'scheme': 'http', 'authority': authority, 'path': '/extensions/' + name}
                                              for name in ('shaped', 'files')]}
    values = {'WORKBENCH_WEB_CONFIGURATION': html.escape(json.dumps(config)), 'WORKBENCH_AUTH_SESSION': '', 'WORKBENCH_WEB_BASE_URL': '/static',
              'WORKBENCH_NLS_URL': '/static/out/nls.messages.js', 'WORKBENCH_NLS_FALLBACK_URL': '/static/out/nls.messages.js',
              'BASE': '/static', 'VS_BASE': '/static'}
    for name, value in values.items():
        page = page.replace('{{%s}}' % name, value)
    return page


def lay_out(home, vsix):
    """The folders of the two extensions."""
    with zipfile.ZipFile(vsix) as archive:
        archive.extractall(os.path.join(home, 'unpacked'))
    shutil.move(os.path.join(home, 'unpacked', 'extension'), os.path.join(home, 'shaped'))
    files = os.path.join(home, 'files')
    shutil.copytree(os.path.join(ROOT, 'tests', 'editor', 'files'), files)
    for name in PROGRAMS:
        shutil.copy(os.path.join(ROOT, 'deploy', 'demo', name), files)
    with open(os.path.join(files, 'heads.mlirbc'), 'wb') as f:
        f.write(subprocess.run([SHAPE, 'refine', '--emit', 'bytecode', os.path.join(files, 'heads.mlir')], capture_output=True, check=True).stdout)
    with open(os.path.join(files, 'list.json'), 'w', encoding='utf-8') as f:
        json.dump([*PROGRAMS, 'heads.mlirbc'], f)


def drive_all(home):
    if not os.path.exists(WASM):
        raise Skipped('%s is not there (make wasm)' % os.path.relpath(WASM, ROOT))
    deadline = time.monotonic() + SECONDS
    vscode.package_extension(deadline)
    vscode.install_editor(deadline)
    lay_out(home, os.path.join(BUILD, 'vscode', 'shaped.vsix'))
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(Handler, directory=home))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return vscode.run_driver('http://127.0.0.1:%d/' % server.server_port, home, 'web')


if __name__ == '__main__':
    sys.exit(vscode.in_folder('shape-vscode-web-', drive_all))
