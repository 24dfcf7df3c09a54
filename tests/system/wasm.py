#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""libshape.wasm in Node (`make wasm`): the bytes of its answers are those of the native tool.

WASM_PROGRAMS: how many programs of the golden tests and of ../shared are compared (default 300). Skipped where there is no
build/wasm/web or no Node. The last line is `N passed, N failed[, N skipped]`.
"""
import base64
import json
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
import zoo_models  # noqa: E402
from cases import Skipped, main  # noqa: E402

WEB = os.path.join(ROOT, 'build', 'wasm', 'web')
SHAPE = os.environ.get('SHAPE', os.path.join(ROOT, 'build', 'shape'))
ENDINGS = ('.mlir', '.onnx', '.onnx.gz', '.mlirbc', '.bc', '.pt2', '.json')
BYTES_MAX = 300000

# Of the system: Debian's emscripten lacks some, and none can work in a browser.
HEADERS = re.compile(r'#include <(?:fts|pthread|threads|uv|poll|spawn|netdb|sys/(?:socket|un|mman|wait))\.h>')

ANSWERS = '''
import { load, ShapeError } from './index.mjs';
import { readFileSync } from 'node:fs';
for (const path of readFileSync(0, 'utf8').split('\\n').filter(Boolean)) {
  const program = await load(readFileSync(path), { name: path });
  process.stdout.write(JSON.stringify(Buffer.from(program.emitBytes('json')).toString('base64')) + '\\n');
  program.close();
}
'''

CALLS = '''
import { load, ShapeError } from './index.mjs';
const text = 'func.func @main(%x: tensor<?x128xf32> {shaped.dims = ["B", ""]}) -> tensor<?xf32> {' +
  '%n = stablehlo.constant dense<-1> : tensor<1xi32>\\n' +
  '%y = stablehlo.dynamic_reshape %x, %n : (tensor<?x128xf32>, tensor<1xi32>) -> tensor<?xf32>\\n' +
  'return %y : tensor<?xf32> }';
const found = [];
const program = await load(text, { name: 'm.mlir' });
found.push(program.analyze().results[0].dims, program.analyze({ bind: ['B=3'] }).results[0].dims);
found.push(program.analyze({ assume: ['B <= 64'] }).symbols.find((s) => s.name === 'B').max);
found.push(program.explain('128*B <= 8192').answer, program.explain('B >= 1').answer);
found.push(program.analyze({ assume: ['B <='] }).status);
for (const wrong of [() => program.analyze({ assume: [7] }), () => program.emit('no-such-format')]) {
  try { wrong(); found.push('taken'); } catch (error) { found.push(error instanceof ShapeError && error.message !== ''); }
}
const huge = await load('func.func @main(%x: tensor<18446744073709551616x170141183460469231731687303715884105728xf32>) ' +
  '{ return }');
found.push(huge.analyze().status);
found.push(typeof (huge.analyze().arguments[0] ?? { dims: ['x'] }).dims[0]);
huge.close();
program.analyze();
found.push(program.same('elements', '%x', '%y').answer, program.same('shape', '%x', '%y').answer, program.format);
program.close();
try { program.analyze(); found.push('taken'); } catch (error) { found.push(error.message); }
for (let i = 0; i < 300; i++) { const p = await load(text); p.analyze(); p.close(); }
console.log(JSON.stringify(found));
'''


def node(script, stdin=''):
    path = shutil.which('node')
    if not path:
        raise Skipped('there is no node')
    if not os.path.exists(os.path.join(WEB, 'libshape.wasm')):
        raise Skipped('%s is not there (make wasm)' % os.path.relpath(WEB, ROOT))
    data = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run([path, '--input-type=module', '-e', script], cwd=WEB, input=data, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=1800, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def programs():
    """Some of each folder, always the same."""
    paths = []
    for top in (os.path.join(ROOT, 'tests', 'golden'), os.path.join(ROOT, '..', 'shared', 'corpus')):
        for folder, _, names in os.walk(top):
            paths += [os.path.join(folder, n) for n in names if n.endswith(ENDINGS)]
    paths = sorted(os.path.abspath(p) for p in paths if os.path.getsize(p) <= BYTES_MAX)
    count = int(os.environ.get('WASM_PROGRAMS', 300))
    return paths[::max(1, len(paths) // count)]


def test_answers_are_those_of_the_native_tool():
    paths = programs()
    lines = node(ANSWERS, '\n'.join(paths)).splitlines()
    assert len(lines) == len(paths), (len(lines), len(paths))
    differing = []
    for path, line in zip(paths, lines):
        native = subprocess.run([SHAPE, 'check', '--json', path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                check=False).stdout
        if native != base64.b64decode(json.loads(line)):
            differing.append(path)
    assert not differing, (len(differing), len(paths), differing[:5])


def test_sources_ask_nothing_of_the_system():
    # Without emscripten, too: what cannot be built there is found here.
    done = subprocess.run(['make', '-s', '--eval', 'wasm-sources:;@echo $(SRC_wasm)', 'wasm-sources'], cwd=ROOT, stdout=subprocess.PIPE,
                          env=dict(os.environ, DEPS='no', MAKEFLAGS=''), universal_newlines=True, check=True)
    paths = done.stdout.splitlines()[-1].split()
    assert len(paths) > 300, done.stdout[-500:]
    for path in paths:
        with open(os.path.join(ROOT, path), encoding='utf-8') as file:
            found = HEADERS.search(file.read())
        assert not found, '%s: %s: leave it out of SRC_wasm' % (path, found.group())


def test_calls_and_their_errors():
    found = json.loads(node(CALLS))
    assert found[:6] == [['128*B'], [384], 64, 'yes', 'no', 'error'], found
    assert found[6:8] == [True, True], found
    assert found[8] in ('ok', 'error') and found[9] == 'string', found
    assert found[10] == 'yes' and found[11] in ('no', 'unknown') and found[12] == 'mlir', found
    assert found[13] == 'the program is closed', found


WEIGHTS = '''
import { load } from './index.mjs';
import { readFileSync } from 'node:fs';
const bytes = readFileSync(0), read = [];
const program = await load({ length: bytes.length, read: (begin, end) => { read.push(end - begin); return bytes.subarray(begin, end); } });
console.log(JSON.stringify([program.analyze().results[0].dims, read.reduce((a, b) => a + b, 0), program.format]));
'''


def test_weights_are_not_read():
    weight = zoo_models.tensor('w', [1024, 1024], raw=bytes(4 << 20), dtype=1)
    model = zoo_models.model([zoo_models.node('MatMul', ['x', 'w'], ['y'])], [('x', ['B', 1024])], ['y'],
                             extra=zoo_models.sub(5, weight))
    dims, read, form = json.loads(node(WEIGHTS, model))
    assert dims == ['B', 1024] and form == 'onnx' and read < 200000, (dims, read, form)


WARM = '''
import { load, warmUp } from './index.mjs';
import { warmProgram } from './warm.mjs';
let turns = 0;
await warmUp({ between: () => ++turns < 3 });
const program = await load(warmProgram());
const { status, results, functions } = program.analyze();
console.log(JSON.stringify([turns, status, results[0].dims, functions[0].ops.length]));
'''


def test_warming_up_ends_and_analyses_a_program_without_errors():
    turns, status, dims, count = json.loads(node(WARM))
    assert turns == 3 and status == 'ok' and dims == ['S0', 'S1', 96] and count > 300, (turns, status, dims, count)


LANGUAGE = '''
import { serve } from './language.mjs';
const sent = [];
const server = await serve((message) => sent.push(message));
const ask = (id, method, params) => server.handle({ jsonrpc: '2.0', id, method, params });
ask(1, 'initialize', { capabilities: {} });
server.handle({ jsonrpc: '2.0', method: 'initialized', params: {} });
const text = 'func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\\n%y = stablehlo.abs %x : tensor<?xf32>\\nreturn %z : tensor<?xf32>\\n}';
server.handle({ jsonrpc: '2.0', method: 'textDocument/didOpen', params: { textDocument: { uri: 'file:///m.mlir', languageId: 'mlir', version: 1, text } } });
ask(2, 'textDocument/hover', { textDocument: { uri: 'file:///m.mlir' }, position: { line: 1, character: 1 } });
await new Promise((done) => setTimeout(done, 500));
const published = sent.find((m) => m.method === 'textDocument/publishDiagnostics');
console.log(JSON.stringify([sent.find((m) => m.id === 1).result.serverInfo.name, published.params.diagnostics.length,
  JSON.stringify(sent.find((m) => m.id === 2).result)]));
server.close();
process.exit(0);
'''


def test_the_language_server_answers():
    name, diagnostics, hover = json.loads(node(LANGUAGE))
    assert name and diagnostics >= 1 and 'S0' in hover, (name, diagnostics, hover)


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
