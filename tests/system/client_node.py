#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The client of the daemon for Node, clients/web/daemon.mjs, against a real daemon; its types, where a TypeScript 5 is found
(TSC names it). The last line is `N passed, N failed[, N skipped]`.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
import certificates  # noqa: E402
from cases import Skipped, main  # noqa: E402
from certificates import TOKEN, at  # noqa: E402
from shaped import Daemon, PATIENCE, long_program  # noqa: E402

WEB = os.path.join(ROOT, 'clients', 'web')
PLAYGROUND_TSC = os.path.join(ROOT, 'build', 'wasm', 'playground', 'node_modules', '.bin', 'tsc')

ADD = '''func.func @main(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c = stablehlo.add %a, %b : tensor<?x4xf32>
  return %c : tensor<?x4xf32>
}'''

BEGIN = '''
import { connect, ConnectionLost, DaemonError } from %s;
const found = [], add = %s, path = process.argv[2];
const failure = async (promise) => { try { await promise; return 'none'; } catch (e) { return [e.constructor.name, e.code, e.path]; } };
'''

SESSION = '''
const client = await connect(path, { timeout: 60000 });
const s = await client.session(add);
found.push(await s.sameShape('%a', '%c'), await s.sameElements('%a', '%c'), (await s.shape('%c')).dims, await s.simplify('%a.0 + %b.0'));
found.push((await s.bounds('%a.0')).min === 0n, (await s.bounds('%a.0')).max, (await s.why('%a.0 == %b.0')).because.length > 0);
const pushed = await s.push('%a.0 % 8 == 0');
found.push(await s.divisible('%c.0', 8), (await s.pop()).version > pushed.version - 1, await s.divisible('%c.0', 8), await s.atMost('%c.1', 4));
const changes = await s.edit({ insert: ['stablehlo.tanh', ['c'], ['t', 'tensor<?x4xf32>']], after: '%c' });
found.push(changes.inserted[0].values.length, (await s.shape('%t')).dims);
found.push(await failure(s.shape('%zz')), await failure(s.edit({ remove: '%a' })), (await s.ask([{ value: '%zz' }]))[0].error.code);
await s.close();
found.push((await failure(s.holds('1 == 1')))[0], (await client.call('server/stats')).sessions.open);
found.push((await client.analyze(add)).functions[0].result_dims, await failure(client.call('nope')));
const echoed = await Promise.all(Array.from({ length: 900 }, (_, n) => client.call('server/ping', { n, x: 'é'.repeat(n) })));
found.push(echoed.every((r, n) => r.n === n && r.x === 'é'.repeat(n)), (await client.call('server/ping', { x: 'y'.repeat(3e6) })).x.length);
client.close();
found.push((await failure(client.call('server/ping')))[0], (await failure(connect('/nowhere/at/all')))[0]);
console.log(JSON.stringify(found));
'''
SESSION_FOUND = [
    True, True, ['S0', 4], '2*S0', True, None, True, True, True, None, True, 1, ['S0', 4], ['DaemonError', 'invalid', ''],
    ['DaemonError', 'invalid', 'params.edits'], 'invalid', 'ConnectionLost', 0, [['S0', 4]],
    ['DaemonError', 'method-not-found', ''], True, 3000000, 'ConnectionLost', 'ConnectionLost']

CANCEL = '''
const client = await connect(path);
const long = %s, abort = new AbortController();
const first = failure(client.call('analyze', { text: long }, { timeout: 1 })), second =
  client.call('analyze', { text: long }, { signal: abort.signal }).then(() => 'answered', (e) => e.message);
abort.abort(new Error('enough'));
found.push((await first)[1], await second, await client.call('server/ping', { n: 1 }));
client.close();
console.log(JSON.stringify(found));
'''

LOST = '''
const client = await connect(path);
const waiting = failure(client.call('analyze', { text: %s }));
process.stdout.write('waiting\\n');
found.push((await waiting)[0], (await failure(client.call('server/ping')))[0]);
console.log(JSON.stringify(found));
'''

TLS = '''
const tls = { ca: %s };
const client = await connect(path, { tls, token: %s });
found.push((await client.analyze(add)).status);
client.close();
found.push((await failure(connect(path, { tls, token: 'wrong' })))[0], (await failure(connect(path, { token: 'x' })))[0]);
console.log(JSON.stringify(found));
'''

USE = '''
import { connect, type Truth } from './daemon.mjs';
const client = await connect('/path', { timeout: 5000 });
const session = await client.session('func.func @main() { return }');
const same: Truth = await session.sameShape('%a', 7), least: bigint | null = (await session.bounds('%a.0')).min;
const version: number = (await session.edit({ assume: '%a.0 % 8 == 0' })).version;
const open: number = (await client.call('server/stats')).sessions.open;
const graph = { functions: [{ name: 'main', arguments: [], ops: [], returns: [] }] };
const status: 'ok' | 'error' = (await client.analyze(graph)).status;
// @ts-expect-error there is no such method
await client.call('no/such');
// @ts-expect-error a number is no predicate
await session.holds(7);
console.log(same, least, version, open, status);
'''


def node():
    program = shutil.which('node')
    if not program or int(subprocess.run([program, '-p', 'process.versions.node'], capture_output=True, text=True).stdout.split('.')[0]) < 18:
        raise Skipped('node 18 is not here')
    return program


def script(folder, text):
    name = os.path.join(folder, 'test.mjs')
    with open(name, 'w', encoding='utf-8') as f:
        f.write(BEGIN % (json.dumps(os.path.join(WEB, 'daemon.mjs')), json.dumps(ADD)) + text)
    return name


def run(text, path):
    with tempfile.TemporaryDirectory() as folder:
        ran = subprocess.run([node(), script(folder, text), path], capture_output=True, text=True, timeout=PATIENCE)
        assert ran.returncode == 0, ran.stderr
        return json.loads(ran.stdout)


def test_sessions_and_calls():
    node()
    with Daemon() as d:
        found = run(SESSION, d.path)
        assert found == SESSION_FOUND, [pair for pair in zip(found, SESSION_FOUND) if pair[0] != pair[1]]


def test_deadlines_and_signals_cancel():
    node()
    with Daemon('--workers', '1') as d:
        assert run(CANCEL % json.dumps(long_program(20000)), d.path) == ['deadline', 'enough', {'n': 1}]


def test_a_lost_daemon_ends_what_waits():
    program = node()
    with tempfile.TemporaryDirectory() as folder, Daemon('--workers', '1') as d:
        with subprocess.Popen([program, script(folder, LOST % json.dumps(long_program(200000))), d.path], stdout=subprocess.PIPE,
                              text=True) as client:
            assert client.stdout.readline() == 'waiting\n'
            d.stop(9)
            assert json.loads(client.communicate(timeout=PATIENCE)[0]) == ['ConnectionLost', 'ConnectionLost']


def test_tls():
    node()
    if certificates.missing():
        raise Skipped(certificates.missing())
    if not os.path.exists(at('authority.pem')):
        certificates.make_all()
    with Daemon('--tls', '127.0.0.1:0', '--tls-cert', at('server.pem'), '--tls-key', at('server.key'), '--token-file', at('tokens')) as d:
        found = run(TLS % (json.dumps(at('authority.pem')), json.dumps(TOKEN)), 'tls://127.0.0.1:%d' % d.port('tls'))
        assert found[0] == 'ok' and found[1] in ('DaemonError', 'ConnectionLost') and found[2] == 'ConnectionLost', found


def test_types():
    tsc = os.environ.get('TSC') or (PLAYGROUND_TSC if os.path.exists(PLAYGROUND_TSC) else shutil.which('tsc'))
    version = tsc and subprocess.run([tsc, '--version'], capture_output=True, text=True).stdout.split()[-1]
    if not version or int(version.split('.')[0]) < 5:
        raise Skipped('no TypeScript 5: TSC names it')
    with tempfile.TemporaryDirectory() as folder:
        for name in ('daemon.d.ts', 'daemon.mjs'):
            shutil.copy(os.path.join(WEB, name), folder)
        shutil.copy(os.path.join(WEB, 'daemon.d.ts'), os.path.join(folder, 'daemon.d.mts'))
        types = subprocess.run([sys.executable, os.path.join(WEB, 'types.py'), 'methods'], capture_output=True, text=True, check=True).stdout
        for name, text in (('methods.d.ts', types), ('use.mts', USE), ('package.json', '{"type": "module"}')):
            with open(os.path.join(folder, name), 'w', encoding='utf-8') as f:
                f.write(text)
        ran = subprocess.run([tsc, '--noEmit', '--strict', '--target', 'es2022', '--module', 'node16', '--lib',
                              'es2022,esnext.disposable,dom', 'use.mts'], cwd=folder, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stdout


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
