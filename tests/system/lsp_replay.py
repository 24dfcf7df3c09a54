#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Recorded sessions again: every message that the server sent then it sends now.

    tests/system/lsp_replay.py                         all of tests/system/lsp_sessions/*.log
    tests/system/lsp_replay.py --clean FILE > NEW      makes a recording (shape-lsp --log FILE) one that is kept: without
                                                       paths, process ids and times
    tests/system/lsp_replay.py --record                writes features.log anew, from the requests below

A line `-> {...}` is a message of the client, `<- {...}` one of the server. Before a message of the client is sent, all that
came before it in the recording must have come; diagnostics of texts that were edited meanwhile may come besides. Every
message is held against the types of the protocol as well. The last line is `N passed, N failed`.
"""
import glob
import json
import os
import queue
import re
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
import lsp_types  # noqa: E402
from lsp import PATIENCE, Server, span  # noqa: E402
from cases import Skipped  # noqa: E402

SESSIONS = os.path.join(ROOT, 'tests', 'system', 'lsp_sessions')
URI = 'file:///p/program.mlir'


def lines_of(path):
    with open(path, encoding='utf-8') as handle:
        for line in handle:
            yield line[:2], json.loads(line[3:])


def take(server, pool):
    """One message of the server into the pool."""
    data = server.inbox.get(timeout=PATIENCE)
    if data is None:
        raise AssertionError('the server ended')
    pool.append(json.loads(data))


def wait_for(server, pool, expected):
    while expected:
        hit = next((m for m in expected if m in pool), None)
        if hit is None:
            try:
                take(server, pool)
            except queue.Empty:
                raise AssertionError('never came: %s\nbut: %s' % (json.dumps(expected[0])[:800], json.dumps(pool)[:1500])) from None
            continue
        pool.remove(hit)
        expected.remove(hit)


def replay(path):
    """(methods by id, messages) for the types."""
    pool, expected, said, methods = [], [], [], {}
    server = Server(start=False)
    try:
        for arrow, message in lines_of(path):
            if arrow == '<-':
                expected.append(message)
                said.append((True, message))
                continue
            wait_for(server, pool, expected)
            if 'method' in message and 'id' in message:
                methods[message['id']] = message['method']
            said.append((False, message))
            server.raw(json.dumps(message).encode())
        wait_for(server, pool, expected)
        assert server.process.wait(PATIENCE) == 0
        besides = [m for m in pool if m.get('method') not in ('textDocument/publishDiagnostics', '$/progress')]
        assert not besides, 'unexpected: ' + json.dumps(besides)[:800]
    finally:
        if server.process.poll() is None:
            server.process.kill()
            server.process.wait()
        server.process.stdin.close()
        server.process.stdout.close()
    return methods, said


def clean(path):
    text = ''.join('%s %s\n' % (arrow, json.dumps(message)) for arrow, message in lines_of(path))
    uri = re.search(r'"uri": ?"(file:[^"]*\.mlir)"', text).group(1)
    folder = os.path.dirname(uri[len('file://'):])
    text = text.replace(uri, URI).replace('file://' + folder, 'file:///p').replace(folder, '/p')
    text = re.sub(r'"processId": ?\d+', '"processId":null', text)
    sys.stdout.write(text)


def record():
    os.makedirs(SESSIONS, exist_ok=True)
    with open(os.path.join(ROOT, 'deploy', 'demo', 'heads.mlir'), encoding='utf-8') as handle:
        text = handle.read()
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, 'log')
        with Server(['--log', log]) as s:
            s.open(URI, text)
            s.diagnostics(URI)
            for hint in s.hints(URI):
                s.ask('inlayHint/resolve', hint)
            for line, character in ((2, 18), (2, 32), (8, 3), (9, 3), (9, 62), (10, 22)):
                for method in ('hover', 'definition', 'documentHighlight'):
                    s.on(method, URI, line, character)
            for method in ('documentSymbol', 'foldingRange', 'codeLens', 'semanticTokens/full'):
                s.on(method, URI)
            for action in s.on('codeAction', URI, range=span(9, 3, 9, 3), context={'diagnostics': s.diagnostics(URI)}):
                s.ask('codeAction/resolve', action)
            s.ask('shaped/symbols', {'textDocument': {'uri': URI}})
            for change in ({'range': span(9, 7, 9, 7), 'text': '"'}, {'range': span(9, 7, 9, 8), 'text': ''},
                           {'range': span(3, 0, 4, 0), 'text': ''}, {'text': text}):
                s.change(URI, change)
                s.diagnostics(URI)
                s.hints(URI)
            s.close(URI)
        with open(log, encoding='utf-8') as handle:
            lines = handle.read()
    with open(os.path.join(SESSIONS, 'features.log'), 'w', encoding='utf-8') as handle:
        handle.write(re.sub(r'"processId": ?\d+', '"processId": null', lines))


def main():
    if sys.argv[1:2] == ['--clean']:
        clean(sys.argv[2])
        return 0
    if sys.argv[1:] == ['--record']:
        record()
        return 0
    passed = failed = skipped = 0
    said = []
    for path in sorted(glob.glob(os.path.join(SESSIONS, '*.log'))):
        try:
            said.append(replay(path))
            passed += 1
        except Exception as why:  # pylint: disable=broad-except
            failed += 1
            print('FAILED %s: %s' % (os.path.basename(path), why))
    try:
        lsp_types.check(said)
        passed += 1
    except Skipped as why:
        skipped += 1
        print('skipped: types: %s' % why)
    except AssertionError as why:
        failed += 1
        print('FAILED types: %s' % why)
    if not said:
        failed += 1
        print('FAILED: no session was replayed')
    print('%d passed, %d failed%s' % (passed, failed, ', %d skipped' % skipped if skipped else ''))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
