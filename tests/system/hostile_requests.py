#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Requests of every method with random parameters, limits and bytes: the daemon lives, and each reply is one it may give.

Programs are those of other tests (tests/golden, tests/fuzz/corpus). Requests go out in batches of 30; then the daemon must
run, every line that it wrote must be a valid reply, each request that is JSON must have exactly one, and another client's
ping an answer. What a batch did wrong is printed, and the first request of it that does so alone. Where a build with
AddressSanitizer is beside the programs (or SHAPED is of one), it is asked as well, and there the n-th allocation of a
request and all later ones fail. The requests are the same in each run: HOSTILE_SEED makes others, HOSTILE_SECONDS goes on
with further seeds for so long.

Reads SHAPED. The last line is `N passed, N failed`. Arguments: words; only tests whose names contain one of them run.
"""
import base64
import glob
import json
import os
import random
import re
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'fuzz'))
import seeds  # noqa: E402
import shaped  # noqa: E402
from cases import Skipped, main  # noqa: E402
from shaped import ADD, GRAPH, Daemon, hard_queries, long_program, valid  # noqa: E402

SEED = int(os.environ.get('HOSTILE_SEED', '1'))
SECONDS = float(os.environ.get('HOSTILE_SECONDS', '0'))
BATCHES = 40  # of each daemon and seed; a sanitizer takes a quarter
EVERY = 2  # of the programs of a sweep; a sanitizer takes a third
LARGEST = 6000  # bytes of a program
TIGHT = ('--max-bits', '80', '--max-rank', '3', '--max-nodes', '30', '--max-elements', '4', '--max-depth', '12', '--max-reply',
         '65536', '--max-steps', '20000', '--max-memory', '1M', '--deadline', '300ms', '--session-memory', '3M',
         '--max-sessions', '3', '--max-profiles', '2')
DAEMONS = {'wide': ('--isolate', 'no'), 'isolated': ('--isolate', 'yes'), 'tight': ('--isolate', 'no') + TIGHT,
           'isolated_tight': ('--isolate', 'yes') + TIGHT}

WEIRD = [0, 1, -1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64, -2**63, 10**400, 0.5, 1e300, '', 'x', '0', '7' * 400, None,
         True, False, [], {}, [[]], [None], {'a': None}, '\0', '\ud800', 'é' * 70000]
EMIT = ['mlir', 'json', 'smt2', 'disc-shape', 'guards-mlir', 'guards-function', 'guards-c', 'guards-python', 'nothing']
PREDICATES = ['arg0.0 == arg1.0', 'arg0.0 >= 1', 'arg0.1 != 4', 'S0 * S0 == 49', 'mod(S0, 3) == 0', 'S0 < 0', 'arg9.9 == 1',
              'floordiv(arg0.0, S0) <= 7', '1 == 2', 'S0^64 == 3', '((', 'arg0', 'a == b']
TYPES = ['tensor<?x4xf32>', 'tensor<*xf32>', 'tensor<4x?xf32>', 'tensor<0xi64>', 'tensor<?x?x?x?xi1>', 'tensor<2xi64>', 'f32', 'x']
OPS = ['stablehlo.abs', 'stablehlo.add', 'stablehlo.transpose', 'stablehlo.reshape', 'onnx.Unique', 'onnx.NonZero', 'onnx.Reshape',
       'stablehlo.dynamic_reshape', 'shape.shape_of', 'tensor.dim', 'no.op']


def inputs():
    """Programs as parameters of a request, the same in each run."""
    found = [{'text': text} for _, text in seeds.programs() if len(text) < LARGEST]
    for path in sorted(glob.glob(os.path.join(ROOT, 'tests', 'fuzz', 'corpus', 'fuzz_onnx', '*'))):
        with open(path, 'rb') as handle:
            data = handle.read(LARGEST)
        found.append({'blob': base64.b64encode(data).decode()})
    for path in sorted(glob.glob(os.path.join(ROOT, 'tests', 'fuzz', 'corpus', 'fuzz_graph_json', '*'))):
        with open(path, encoding='utf-8') as handle:
            found.append({'graph': json.load(handle)})
    return found + [{'graph': GRAPH}, {'text': ADD}, {'text': long_program(300)}, {'text': ADD.replace('%arg1 :', '%none :')}, {}]


INPUTS = inputs()
GRAPHS = [i for i in INPUTS if 'graph' in i]
SESSIONS = [{'graph': GRAPH, 'all': True}, {'text': ADD}, {'text': long_program(20)}]
QUERIES = [json.loads(line) for _, line in seeds.queries()]


# ---------------------------------------------------------------- requests

def damage(rng, value):
    """A copy of a JSON value in which a part is another."""
    if not isinstance(value, (dict, list)) or not value or rng.random() < .25:
        if isinstance(value, str) and value and rng.random() < .5:
            at = rng.randrange(len(value))
            return value[:at] + rng.choice(['', '?', '0', '%', '"', '\0', '<', value[:at]]) + value[at + 1:]
        return rng.choice(WEIRD)
    if isinstance(value, dict):
        key = rng.choice(list(value))
        if rng.random() < .2:
            return {k: value[k] for k in value if k != key}
        return dict(value, **{key: damage(rng, value[key])})
    at = rng.randrange(len(value))
    how = rng.randrange(5)
    if how == 0:
        return value[:at] + value[at + 1:]
    if how == 1:
        return value[:at + 1] + value[at:]
    return value[:at] + [damage(rng, value[at])] + value[at + 1:]


def decoded(text):
    try:
        return base64.b64decode(text.encode('ascii', 'ignore') + b'==')
    except ValueError:
        return b'no base64'


def program(rng):
    given = rng.choice(INPUTS)
    if rng.random() < .3:
        given = damage(rng, given)
        given = given if isinstance(given, dict) else {'graph': given}
    if 'blob' in given and isinstance(given['blob'], str) and rng.random() < .3:
        data = bytearray(decoded(given['blob']))
        for _ in range(rng.randrange(1, 4)):
            if data:
                data[rng.randrange(len(data))] = rng.randrange(256)
        given = {'blob': base64.b64encode(bytes(data)).decode()}
    if isinstance(given.get('text'), str) and rng.random() < .2:  # tables by line are large
        given = dict(given, text='\n' * rng.randrange(30000) + given['text'])
    return dict(given, name=rng.choice(['p', '', 'a"b\n'])) if rng.random() < .1 else given


def limits(rng):
    found = {}
    if rng.random() < .5:
        found['memory'] = int(2000 * 5000 ** rng.random())
    if rng.random() < .3:
        found['steps'] = int(10 ** (6 * rng.random()))
    if rng.random() < .2:
        found['deadline'] = rng.randrange(51)
    return found


def options(rng):
    """Of a program: some of all there are, and limits."""
    line = {'line': rng.randrange(1, 12), 'column': rng.randrange(1, 80)}
    texts = [rng.choice(PREDICATES) for _ in range(rng.randrange(4))]
    dims = {rng.choice(['arg0.0', 'arg0.0', 'arg0.1', 'arg1.0', 'S0']): rng.choice([0, 1, 4, 8, -1, 2**40]) for _ in range(2)}
    every = {'arg_types': rng.choice(TYPES) + ', ' + rng.choice(TYPES), 'entry': rng.choice(['main', 'main', 'none', '']), 'assume': texts,
             'bind': rng.choice([dims, ['arg0.0=8'], ['S0']]), 'bound': rng.choice([dims, ['arg0.0=8']]),
             'that': rng.choice(PREDICATES), 'at': line, 'render': rng.choice(['text', 'colour', 'json']), 'emit': rng.choice(EMIT),
             'dynamism': rng.choice(['bounded', 'unbounded']), 'profile': rng.choice('pq')}
    for key in ('werror', 'refinable', 'certify', 'cleanup', 'generic', 'require_static'):
        every[key] = rng.random() < .7
    found = {key: every[key] for key in every if rng.random() < .1}
    found.update(limits(rng))
    for key in list(found):
        if rng.random() < .04:
            found[key] = damage(rng, found[key])
    return found


def query(rng):
    asked = dict(rng.choice(QUERIES)) if rng.random() < .7 else None
    if not asked:
        found = hard_queries(3)
    else:
        head = {key: asked.pop(key) for key in ('symbols', 'assume')}
        found = dict(head, queries=[asked] * rng.randrange(1, 4))
    return dict(found, **limits(rng))


def edit(rng):
    node = [rng.choice(OPS), [rng.choice(['a', 'b', 'c', '#0', 0, 1, 'd'])], [rng.choice('cdxyz'), rng.choice(TYPES)]]
    number = rng.choice([0, 0, 1, 1, 2, 3, 99])
    return rng.choice([
        {'insert': node, 'before': number}, {'insert': node, 'after': number}, {'insert': node}, {'remove': number},
        {'replace': number, 'with': node}, {'retype': number, 'with': rng.choice(TYPES)}, {'rewire': number, 'with': number + 1},
        {'symbol': {'name': 'S0', 'min': 1, 'max': 9}}, {'symbol': 'Q'}, {'remove_symbol': rng.choice(['S0', 'Q'])},
        {'insert_argument': rng.choice(TYPES), 'name': 'n'}, {'insert_argument': rng.choice(TYPES), 'before': 0},
        {'remove_argument': number}, {'assume': rng.choice(PREDICATES)}, {'retract': rng.choice(PREDICATES)}])


def about_session(rng, session):
    method, more = rng.choice([
        ('edit', {'edits': [edit(rng) for _ in range(rng.randrange(1, 4))]}),
        ('edit', {'edits': [edit(rng)]}), ('push', {'assume': [rng.choice(PREDICATES)]}), ('pop', {}), ('analyze', {}),
        ('query', {'queries': [{'query': rng.choice(PREDICATES)}, {'value': rng.randrange(5)}, {'bounds': 'S0'}, {'simplify': 'S0*2'},
                               {'same_shape': [0, rng.randrange(5)]}, {'same_elements': [1, 2]}]})] * 4 + [('close', {})])
    params = dict(more, session=session)
    if rng.random() < .1:
        params['version'] = rng.randrange(3)
    return 'session/' + method, params


def observed(rng):
    seen = [{'dims': {rng.choice(['S0', 'arg0.0', 'x']): rng.choice([1, 8, -2, 2**63, 3])}, 'count': rng.choice([1, 5, 0, 2**62])}
            for _ in range(rng.randrange(5))]
    return dict(program(rng), profile=rng.choice('pqr'), observations=seen, options=limits(rng))


def request(rng, ident, session, faults):
    kind = rng.randrange(20)
    if kind < 4:
        method, params = 'analyze', dict(program(rng), options=options(rng))
    elif kind < 7:
        method, params = 'refine', dict(program(rng), options=options(rng))
    elif kind < 9:
        chosen = options(rng)
        if 'that' not in chosen and 'at' not in chosen:
            chosen['that'] = rng.choice(PREDICATES)
        method, params = 'explain', dict(program(rng), options=chosen)
    elif kind == 9:
        method, params = 'diff', {'old': program(rng), 'new': program(rng), 'options': options(rng)}
    elif kind < 12:
        method, params = 'query', query(rng)
    elif kind == 12:
        method, params = 'profile/observe', observed(rng)
    elif kind == 13:
        given = rng.choice(GRAPHS) if rng.random() < .5 else program(rng)
        method, params = 'session/open', dict(given, options=options(rng) if rng.random() < .5 else limits(rng), all=True)
    elif kind < 19:
        method, params = about_session(rng, session)
    else:
        method, params = rng.choice(['ops/list', 'server/ping', 'rpc.discover', 'initialize', 'nope']), {'a': [1]}
    if rng.random() < .05:
        params = damage(rng, params)
    if isinstance(params, dict) and rng.random() < .1:
        params = dict(params, progress_token=ident)
    if isinstance(params, dict) and faults and rng.random() < .5:
        params = dict(params, fail_allocation=int(300 ** rng.random()))
    return {'jsonrpc': '2.0', 'id': ident, 'method': method, 'params': params}


def lines(rng, session, faults):
    """(the bytes, the ids that must be answered): requests, lists of them, changed bytes and cancellations."""
    found, wanted = [], {}
    for ident in range(30):
        one = request(rng, ident, session, faults)
        how = rng.random()
        if how < .07:
            second = request(rng, ident + 100, session, faults)
            wanted[ident], wanted[ident + 100] = one['method'], second['method']
            one = [one, second]
        elif how < .8:
            wanted[ident] = one['method']
        data = bytearray(json.dumps(one, ensure_ascii=rng.random() < .5).encode('utf-8', 'surrogatepass'))
        for _ in range(rng.randrange(1, 5) if how >= .8 else 0):
            data[rng.randrange(1, len(data))] = rng.choice(b'{}[]",:x0\\ \0\xff')
        found.append(bytes(data).replace(b'\n', b' ') + b'\n')
        if rng.random() < .1:
            cancel = {'jsonrpc': '2.0', 'method': '$/cancelRequest', 'params': {'id': rng.randrange(30)}}
            found.append(json.dumps(cancel).encode() + b'\n')
    return found, wanted


# ---------------------------------------------------------------- a daemon

def collect(c, wanted):
    """Reads replies until that to `end` came and all others did; a reply to a line that is no request may be any."""
    left = dict(wanted, end='server/ping')
    while left:
        given = c.read()
        for reply in given if isinstance(given, list) else [given]:
            if reply.get('method') == '$/progress':
                continue
            method = left.pop(reply.get('id'), None) if isinstance(reply.get('id'), (int, str)) else None
            valid(reply, method if method != 'nope' else None)
            code = reply['error']['data']['code'] if 'error' in reply else 'ok'
            assert code not in ('worker-died', 'internal'), reply


def exchange(d, batch, wanted):
    with d.client() as c, d.client() as other:
        for line in batch:
            c.raw(line)
        c.send({'jsonrpc': '2.0', 'id': 'end', 'method': 'server/ping', 'params': {}})
        collect(c, wanted)
        assert other.result('server/ping', {'n': 1}) == {'n': 1}
        assert other.result('server/stats')['worker_deaths'] == 0
    assert d.process.poll() is None


def shown(lines_of):
    """For a message: many ends of lines as their number."""
    text = lines_of.decode('utf-8', 'replace')
    return re.sub(r'(?:\\n){9,}', lambda found: '<%d line ends>' % (len(found.group()) // 2), text)


def first_alone(program_of, how, batch, wanted):
    """The first line of a batch that ends a daemon, or a worker, by itself; or that none does."""
    for line in batch:
        d = Daemon('--log-level', 'error', *how, program=program_of)
        try:
            exchange(d, [line], {k: method for k, method in wanted.items() if b'"id": %d,' % k in line})
        except (OSError, EOFError, AssertionError, ValueError):
            return '%s alone: %s' % (d.said()[-1500:], shown(line)[:4000])
        finally:
            d.process.kill()
            d.process.wait()
    return 'no line does alone: %s' % shown(b''.join(batch))


def exchange_all(d, how, batch, wanted, which):
    """A batch; an error says which it was, how the daemon is, and what request alone does the same to one with `how`."""
    try:
        exchange(d, batch, wanted)
    except (OSError, EOFError, AssertionError, ValueError) as error:
        time.sleep(.5)
        raise AssertionError('%s, status %s: %s: %s: %s: %s' % (
            which, d.process.poll(), type(error).__name__, str(error)[:500], d.said()[-1500:],
            first_alone(d.program, how, batch, wanted))) from None


def hold(program_of, name, seed):
    how, faults = DAEMONS[name], is_sanitized(program_of)
    rng = random.Random('%d %s %s' % (seed, name, faults))
    with Daemon('--log-level', 'error', '--workers', '2', *how, program=program_of) as d:
        for k in range(BATCHES // 4 if faults else BATCHES):
            with d.client() as c:
                session = c.result('session/open', rng.choice(SESSIONS))['session']
            batch, wanted = lines(rng, session, faults)
            exchange_all(d, how, batch, wanted, 'HOSTILE_SEED=%d, %s, batch %d' % (seed, name, k))


def sweep(rng, index, faults):
    """One request with more and more memory, or with a failure of each of the first allocations."""
    given = INPUTS[index]
    if 'text' in given:
        text = given['text']
        at = rng.randrange(len(text))
        given = {'text': '\n' * rng.choice([0, 3000, 30000]) + (text if index % 2 else text[:at] + text[at + 1:])}
    method = rng.choice(['analyze', 'refine', 'explain', 'session/open', 'diff', 'profile/observe'])
    chosen = {'that': rng.choice(PREDICATES)} if method == 'explain' else {'emit': rng.choice(EMIT)} if method == 'refine' else {}
    if method == 'analyze' and rng.random() < .5:
        chosen = {rng.choice(['certify', 'refinable', 'werror']): True, 'render': rng.choice(['text', 'json'])}
    params = {'old': given, 'new': given} if method == 'diff' else dict(given, profile='p', observations=[{'dims': {'S0': 8}}])
    batch = []
    for k in range(36):
        limited = dict(params, options=dict(chosen, memory=int(3000 * 1.2 ** k)))
        if faults:
            limited = dict(params, options=chosen, fail_allocation=k + 1 if k < 30 else 30 * 2 ** (k - 30))
        batch.append(json.dumps({'jsonrpc': '2.0', 'id': k, 'method': method, 'params': limited}).encode() + b'\n')
    return batch, dict.fromkeys(range(len(batch)), method)


def hold_sweep(program_of):
    rng, faults = random.Random(SEED), is_sanitized(program_of)
    with Daemon('--log-level', 'error', '--workers', '2', '--isolate', 'no', '--max-sessions', '4', program=program_of) as d:
        for index in range(0, len(INPUTS), EVERY * 3 if faults else EVERY):
            batch, wanted = sweep(rng, index, faults)
            exchange_all(d, DAEMONS['wide'], batch, wanted, 'program %d' % index)


def is_sanitized(program_of):
    return os.path.basename(os.path.dirname(program_of)) in ('asan', 'tsan')


def run(name, program_of):
    hold(program_of, name, SEED)
    end, seed = time.monotonic() + SECONDS, SEED
    while time.monotonic() < end:
        seed += 1
        hold(program_of, name, seed)


def test_all_methods():
    run('wide', shaped.SHAPED)


def test_all_methods_with_small_limits():
    run('tight', shaped.SHAPED)


def test_all_methods_in_processes():
    run('isolated', shaped.SHAPED)


def test_all_methods_in_processes_with_small_limits():
    run('isolated_tight', shaped.SHAPED)


def test_each_program_with_every_memory():
    hold_sweep(shaped.SHAPED)


def test_all_methods_under_a_sanitizer():
    beside = os.path.join(ROOT, 'build', 'asan', 'shaped')
    if is_sanitized(shaped.SHAPED):
        return
    if not os.path.exists(beside):
        raise Skipped('there is no sanitizer build')
    hold_sweep(beside)
    for name in DAEMONS:
        run(name, beside)


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
