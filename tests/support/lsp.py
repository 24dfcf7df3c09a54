# SPDX-License-Identifier: Apache-2.0
"""A client of the language server, for system tests: a real process over stdio. Reads SHAPE_LSP (default: in build/)."""
import json
import os
import queue
import subprocess
import threading

from cases import patience

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHAPE_LSP = os.environ.get('SHAPE_LSP', os.path.join(ROOT, 'build', 'shape-lsp'))
# A program with one error, a conflict of 3 and 4.
CONFLICT = '''func.func @main(%a: tensor<3xf32>, %b: tensor<4xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %a, %b : (tensor<3xf32>, tensor<4xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
'''
PATIENCE = patience(120)  # seconds that any one step may take

CAPABILITIES = {
    'general': {'positionEncodings': ['utf-16']},
    'workspace': {'applyEdit': True, 'configuration': False, 'workspaceEdit': {'documentChanges': True}},
    'textDocument': {
        'hover': {'contentFormat': ['markdown', 'plaintext']},
        'publishDiagnostics': {'relatedInformation': True, 'versionSupport': True},
        'documentSymbol': {'hierarchicalDocumentSymbolSupport': True},
        'codeAction': {'codeActionLiteralSupport': {'codeActionKind': {'valueSet': ['', 'quickfix', 'refactor']}},
                       'resolveSupport': {'properties': ['edit']}},
        'inlayHint': {'resolveSupport': {'properties': ['tooltip', 'textEdits', 'label.tooltip', 'label.location']}},
    },
}


def merged(base, more):
    out = dict(base)
    for key, value in more.items():
        out[key] = merged(base[key], value) if isinstance(value, dict) and isinstance(base.get(key), dict) else value
    return out


class Failed(Exception):
    """The server answered a request with an error."""

    def __init__(self, error):
        super().__init__('%s (%d)' % (error['message'], error['code']))
        self.code = error['code']


class Server:
    """One process of shape-lsp. `messages` keeps all that was said, as (from the server?, message)."""

    def __init__(self, arguments=(), capabilities=None, options=None, start=True, env=None):
        self.process = subprocess.Popen([SHAPE_LSP, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
        self.inbox, self.messages, self.notes, self.requests, self.replies = queue.Queue(), [], [], [], {}
        self.methods = {}  # id -> method, of the client's requests
        self.answers = {}  # method -> function(params) -> result, for requests of the server
        self.last, self.versions = 0, {}
        threading.Thread(target=self._read, daemon=True).start()
        if start:
            params = {'processId': os.getpid(), 'rootUri': None, 'capabilities': merged(CAPABILITIES, capabilities or {})}
            if options is not None:
                params['initializationOptions'] = options
            self.capabilities = self.ask('initialize', params)['capabilities']
            self.notify('initialized', {})

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if self.process.poll() is None and kind is None:
            self.ask('shutdown', None)
            self.notify('exit', None)
            assert self.process.wait(PATIENCE) == 0
        elif self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def _read(self):
        out = self.process.stdout
        while True:
            length = None
            while True:
                line = out.readline()
                if not line:
                    self.inbox.put(None)
                    return
                if line == b'\r\n':
                    break
                if line.lower().startswith(b'content-length:'):
                    length = int(line.split(b':')[1])
            self.inbox.put(out.read(length))

    def raw(self, data):
        self.process.stdin.write(b'Content-Length: %d\r\n\r\n%s' % (len(data), data))
        self.process.stdin.flush()

    def send(self, message):
        message = dict(message, jsonrpc='2.0')
        self.messages.append((False, message))
        self.raw(json.dumps(message).encode())

    def notify(self, method, params):
        self.send({'method': method, **({} if params is None else {'params': params})})

    def begin(self, method, params):
        self.last += 1
        self.methods[self.last] = method
        self.send({'id': self.last, 'method': method, **({} if params is None else {'params': params})})
        return self.last

    def step(self, timeout=PATIENCE):
        """Takes one message of the server."""
        data = self.inbox.get(timeout=timeout)
        if data is None:
            raise EOFError('the server ended with status %r' % self.process.wait(PATIENCE))
        message = json.loads(data)
        self.messages.append((True, message))
        if 'method' not in message:
            self.replies[message['id']] = message
        elif 'id' in message:
            self.requests.append(message)
            answer = self.answers.get(message['method'])
            if message['method'] in self.answers:
                self.send({'id': message['id'], 'result': answer(message.get('params')) if answer else None})
        else:
            self.notes.append(message)
        return message

    def finish(self, number):
        while number not in self.replies:
            self.step()
        reply = self.replies.pop(number)
        if 'error' in reply:
            raise Failed(reply['error'])
        return reply['result']

    def ask(self, method, params):
        return self.finish(self.begin(method, params))

    # --- texts

    def open(self, uri, text):
        self.versions[uri] = self.versions.get(uri, 0) + 1
        self.notify('textDocument/didOpen',
                  {'textDocument': {'uri': uri, 'languageId': 'mlir', 'version': self.versions[uri], 'text': text}})

    def change(self, uri, *changes):
        self.versions[uri] += 1
        self.notify('textDocument/didChange', {'textDocument': {'uri': uri, 'version': self.versions[uri]},
                                             'contentChanges': list(changes)})

    def close(self, uri):
        self.notify('textDocument/didClose', {'textDocument': {'uri': uri}})

    def on(self, method, uri, line=None, character=None, **more):
        params = {'textDocument': {'uri': uri}, **more}
        if line is not None:
            params['position'] = {'line': line, 'character': character}
        return self.ask('textDocument/' + method, params)

    def hints(self, uri, first=0, last=1 << 30):
        return self.on('inlayHint', uri, range=span(first, 0, last, 0))

    def diagnostics(self, uri):
        """Those published last for the text as it is; waits for them."""
        while True:
            for note in reversed(self.notes):
                params = note.get('params') or {}
                if note['method'] == 'textDocument/publishDiagnostics' and params.get('uri') == uri:
                    if params.get('version', self.versions[uri]) == self.versions[uri]:
                        return params['diagnostics']
                    break
            self.step()


def span(line, character, end_line, end_character):
    return {'start': {'line': line, 'character': character}, 'end': {'line': end_line, 'character': end_character}}


def label(hint):
    """The text of a hint's label."""
    return hint['label'] if isinstance(hint['label'], str) else ''.join(p['value'] for p in hint['label'])


def shown(hints):
    """(line, character, text) of hints."""
    return [(h['position']['line'], h['position']['character'], label(h)) for h in hints]
