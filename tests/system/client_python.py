#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Python clients against a real daemon, and the example of their page. Reads SHAPED (default: in build/).

The last line is `N passed, N failed[, N skipped]`. Arguments: words; only tests whose names contain one of them run.
"""
import asyncio
import importlib.util
import io
import json
import contextlib
import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, 'clients', 'python'), os.path.join(ROOT, 'tests', 'support')]
import cases  # noqa: E402
import shaped  # noqa: E402


def load_support():
    """tests/support/shaped.py, whose name the client's package has too."""
    spec = importlib.util.spec_from_file_location('daemons', os.path.join(ROOT, 'tests', 'support', 'shaped.py'))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


daemons = load_support()
Daemon, ADD, GRAPH, PATIENCE = daemons.Daemon, daemons.ADD, daemons.GRAPH, daemons.PATIENCE


def raises(kind, function, *arguments, **options):
    try:
        function(*arguments, **options)
    except kind as error:
        return error
    raise AssertionError('%s was not raised' % kind.__name__)


# ---------------------------------------------------------------- sessions

PROGRAM = '''func.func @main(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %a, %b : tensor<?x4xf32>
  %n = tensor.collapse_shape %0 [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>
  return %n : tensor<?xf32>
}
'''


def check_session(s):
    assert s.same_elements('%0', '%n') is True and s.same_shape('%a', '%b') is True
    assert s.same_dim('%n.0', '4*%a.0') is True and s.divisible('%n.0', 4) is True
    assert s.divisible('%n.0', 8) is None and s.at_most('%a.1', 3) is False
    assert s.same_product(['%a.0', '%a.1'], ['%n.0']) is True and s.same_product([], []) is True
    assert s.shape('%0') == shaped.Shape('tensor<?x4xf32>', ('S0', 4)) == s.shape('2:3')
    assert s.bounds('%a.0') == (0, None) and s.bounds('%a.1') == (4, 4) and s.simplify('%a.1 + 1') == 5
    with s.assuming('%a.0 <= 8'):
        assert s.bounds('%n.0') == (0, 32)
    assert s.bounds('%n.0') == (0, None)
    changes = s.edit({'insert': ['stablehlo.abs', ['%0'], ['t', 'tensor<?x4xf32>']], 'after': '%0'})
    made = changes.inserted[0]['values'][0]
    assert s.shape(made) == changes.values[made][1] == s.shape('%t')
    assert s.edit({'retype': '%a', 'with': 'tensor<2x4xf32>'}).values[0][1].dims == (2, 4)
    for wrong in (lambda: s.holds('%none.0 == 1'), lambda: s.shape('%none'), lambda: s.shape(999), lambda: s.pop(),
                  lambda: s.edit({'remove': '%none'}), lambda: s.same_shape('%a', '%a.0')):
        raises(shaped.ShapedError, wrong)


def test_sessions_of_the_daemon():
    with Daemon() as d, shaped.Client(d.path) as c:
        with c.session(PROGRAM, names=True) as s:
            assert {'value': 2, 'name': '%0', 'op': 0, 'line': 2, 'column': 3} in s.names
            check_session(s)
        raises(shaped.InvalidError, s.holds, '1 == 1')
        raises(shaped.ShapedError, c.session, 'func.func @main(')


def test_sessions_in_this_process():
    library = os.path.join(os.environ.get('BUILD_DIR', os.path.join(ROOT, 'build')), 'libshape.so.1')
    if not os.path.exists(library):
        print('skipped: %s is not there (make shared)' % library)
        return
    os.environ['SHAPED_LIBRARY'] = library
    with shaped.open(PROGRAM) as s:
        check_session(s)
    raises(shaped.InvalidError, s.holds, '1 == 1')
    raises(shaped.ShapedError, shaped.open, 'func.func @main(')
    with shaped.open(GRAPH, assume=('arg0.0 >= 2',)) as s:
        assert s.holds('v0.0 >= 1') is True
    os.environ['SHAPED_LIBRARY'] = '/nowhere.so'
    raises(shaped.ShapedError, shaped.open, PROGRAM)
    del os.environ['SHAPED_LIBRARY']


# ---------------------------------------------------------------- blocking

def test_every_form_of_a_program():
    class Exported:  # as jax.export gives it
        def mlir_module(self):
            return ADD

    with Daemon() as d, shaped.Client(d.path) as c, tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, 'add.mlir')
        path.write_text(ADD, encoding='utf-8')
        for program in (ADD, GRAPH, ADD.encode(), path, Exported()):
            report = c.analyze(program)
            assert report.status == 'ok' and report.functions[0].result_dims == [['S0', 4]], program
            assert isinstance(report.symbols[0], shaped.Symbol) and report.symbols[0].min == 0
        raises(TypeError, c.analyze, 7)


def test_every_method():
    with Daemon() as d, shaped.Client(d.path) as c:
        assert 'analyze' in c.initialize().methods
        assert c.ping({'a': 'é'}) == {'a': 'é'}
        assert c.stats()['connections']['open'] == 1
        assert any(op.name == 'stablehlo.add' and op.rule for op in c.ops_list())
        refined = c.refine(ADD, bind={'arg0.0': 8})
        assert 'tensor<8x4xf32>' in refined.text and refined.errors == 0
        profile = c.check_profiles(ADD, ['arg0.0=1:2:4,arg1.0=1:2:4']).profiles[0]
        assert profile.verdict == 'illegal' and profile.box == {'arg0.0': [2, 2], 'arg1.0': [2, 2]}, profile
        cost = c.cost(ADD, point='arg0.0=2,arg1.0=2')
        assert cost.legal is True and cost.functions[0].at['flops'] == 8, cost
        explained = c.explain(ADD, 'arg0.0 == arg1.0')
        assert explained.answer == 'yes' and explained.because[0].line == 2, explained
        refuted = c.explain(ADD, 'arg0.0 == 3')
        assert refuted.answer == 'no' or refuted.run, refuted
        yes, bounds, simple = c.query(['a % 2 == 0', {'bounds': 'a + 1'}, {'simplify': '2*a - a'}],
                                      symbols={'a': {'min': 0}}, assume=['a % 4 == 0'])
        assert (yes.answer, bounds.min, bounds.max, simple.simplified) == ('true', 1, None, 'a')
        seen = c.observe('p', [{'sizes': {'arg0.0': 8, 'arg1.0': 8}, 'count': 3}], program=ADD)
        assert seen['accepted'] == 1, seen


def test_errors_have_types():
    with Daemon('--max-message', '64k') as d, shaped.Client(d.path) as c:
        error = raises(shaped.InvalidError, c.analyze, ADD, assume=3)
        assert (error.code, error.path, error.retryable) == ('invalid', 'params.options.assume', False)
        assert raises(shaped.ServerError, c.call, 'nope').code == 'method-not-found'
        assert raises(shaped.LimitError, c.ping, 'x' * 5000000).data['limit'] == 'max-message'
        assert c.analyze('func.func @main(').status == 'error'  # an error of the program, not the request's
        assert c.ping({}) == {}
    raises(shaped.ConnectionLost, shaped.Client('/nowhere').ping)


def test_a_timeout_and_what_comes_after():
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
        listener.bind(folder + '/s')
        listener.listen()  # no answer ever comes
        raises(shaped.RequestTimeout, shaped.Client(folder + '/s', timeout=0.1).ping)
    with Daemon() as d, shaped.Client(d.path) as c:
        raises(shaped.RequestTimeout, c.call, 'analyze', {'text': daemons.long_program(20000)}, 0.001)
        assert c.ping({'n': 1}) == {'n': 1}


def test_a_daemon_that_comes_back():
    with Daemon() as d, shaped.Client(d.path) as c:
        c.ping()
        d.stop(signal.SIGKILL)
        raises(shaped.ConnectionLost, c.ping)
        d.start()
        c.ping()
        d.stop()
        d.start()
        raises(shaped.ConnectionLost, c.observe, 'p', [])  # what changes something is not asked twice
        c.ping()


def test_integers_are_exact():
    with Daemon() as d, shaped.Client(d.path) as c:
        answer, = c.query([{'bounds': 'a'}], symbols={'a': {'min': 2**70, 'max': '%d' % 2**80}})
        assert (int(answer.min), int(answer.max)) == (2**70, 2**80)


# ---------------------------------------------------------------- asyncio

def test_many_requests_on_one_connection():
    async def run(path):
        async with shaped.AsyncClient(path, in_flight=50) as c:
            pongs = await asyncio.gather(*(c.ping({'n': n}) for n in range(500)))
            assert [p['n'] for p in pongs] == list(range(500))
            reports = await asyncio.gather(*(c.analyze(ADD) for _ in range(20)))
            assert all(r.functions[0].result_dims == [['S0', 4]] for r in reports)
            assert (await c.stats())['connections']['open'] == 1
            assert (await c.explain(ADD, 'arg0.0 == arg1.0')).answer == 'yes'
            assert 'tensor' in (await c.refine(ADD)).text

    with Daemon() as d:
        asyncio.run(run(d.path))


def test_a_cancelled_task_cancels_its_request():
    async def run(path):
        async with shaped.AsyncClient(path) as c:
            task = asyncio.ensure_future(c.analyze(daemons.long_program(100000)))
            await asyncio.sleep(0.01)
            task.cancel()
            try:
                await task
                raise AssertionError('it was not cancelled')
            except asyncio.CancelledError:
                pass
            assert await c.ping({'n': 1}) == {'n': 1}
            try:
                await c.call('analyze', {'text': daemons.long_program(100000)}, timeout=0.01)
                raise AssertionError('it had time enough')
            except shaped.RequestTimeout:
                pass
            end = time.monotonic() + PATIENCE
            while (await c.stats())['in_flight'] > 0 and time.monotonic() < end:
                await asyncio.sleep(0.01)

    with Daemon('--workers', '1') as d:
        asyncio.run(run(d.path))


def test_asyncio_survives_a_restart():
    async def run(d):
        async with shaped.AsyncClient(d.path) as c:
            await c.ping()
            d.stop()
            d.start()
            assert await c.ping({'a': 1}) == {'a': 1}
            d.stop(signal.SIGKILL)
            try:
                await c.ping()
                raise AssertionError('no listener is there')
            except shaped.ConnectionLost:
                pass
            d.start()

    with Daemon() as d:
        asyncio.run(run(d))


# ---------------------------------------------------------------- elsewhere

def test_tls_with_a_token():
    with tempfile.TemporaryDirectory() as folder:
        key, certificate, token = (os.path.join(folder, name) for name in ('key', 'certificate', 'token'))
        made = subprocess.run(['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes',
                               '-keyout', key, '-out', certificate, '-days', '2', '-subj', '/CN=localhost', '-addext',
                               'subjectAltName=IP:127.0.0.1'], stderr=subprocess.PIPE, check=False)
        if made.returncode:
            raise cases.Skipped('openssl makes no certificate here')
        with open(token, 'w', encoding='utf-8') as out:
            out.write('a-secret-of-some-length-0123456789\n')
        os.chmod(token, 0o600)
        os.chmod(key, 0o600)
        with Daemon('--tls', '127.0.0.1:0', '--tls-cert', certificate, '--tls-key', key, '--token-file', token) as d:
            address, trust = ('127.0.0.1', d.port('tls')), ssl.create_default_context(cafile=certificate)
            with shaped.Client(address, tls=trust, token='a-secret-of-some-length-0123456789') as c:
                assert c.ping({'a': 1}) == {'a': 1} and c.analyze(ADD).status == 'ok'
            with shaped.Client(address, tls=trust, token='wrong') as c:
                raises(shaped.UnauthorizedError, c.ping)

            async def run():
                async with shaped.AsyncClient(address, tls=trust, token='a-secret-of-some-length-0123456789') as c:
                    assert await c.ping({'a': 1}) == {'a': 1}

            asyncio.run(run())


def test_a_login_without_an_answer_is_begun_again():
    """The first connection hears nothing, as from a daemon that hangs; the next call logs in on one of its own."""
    async def run(path):
        heard = []

        async def serve(reader, writer):
            number = len(heard)
            heard.append([])
            async for line in reader:
                heard[number].append(json.loads(line))
                if number:
                    writer.write(b'{"jsonrpc": "2.0", "id": %d, "result": {}}\n' % heard[number][-1]['id'])

        async with await asyncio.start_unix_server(serve, path):
            async with shaped.AsyncClient(path, token='a-secret-of-some-length') as c:
                try:
                    await c.call('server/ping', {}, timeout=0.2)
                except shaped.RequestTimeout:
                    pass
                else:
                    raise AssertionError('a daemon that says nothing was heard')
                assert await c.ping() == {}
        methods = [[m['method'] for m in messages if m['method'] != '$/cancelRequest'] for messages in heard]
        assert methods == [['initialize'], ['initialize', 'server/ping']], methods

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(os.path.join(folder, 's')))


def test_the_examples_of_the_page():
    with open(os.path.join(ROOT, 'clients', 'python', 'README.md'), encoding='utf-8') as page:
        examples = re.findall(r'```python\n(.*?)```', page.read(), re.DOTALL)
    assert len(examples) == 4
    os.chdir(ROOT)
    os.environ['PATH'] = os.path.dirname(os.path.abspath(daemons.SHAPE)) + os.pathsep + os.environ['PATH']
    for code in examples:
        wanted = [line.split('  # ')[1] for line in code.splitlines() if '  # ' in line]
        with Daemon() as d:
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                exec(code.replace('shaped.sock', d.path), {})
            assert said.getvalue().splitlines() == wanted, said.getvalue()


if __name__ == '__main__':
    sys.exit(cases.main(globals(), sys.argv[1:]))
