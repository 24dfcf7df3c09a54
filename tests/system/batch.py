#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`shape batch` on a generated zoo: outputs, order, shards, and what it survives. Reads SHAPE (default build/shape).

BATCH_MODELS is the size of the zoo (default 1500; `make test-long` takes 10000). The last line is `N passed, N failed[,
N skipped]`.
"""
import csv
import glob
import gzip
import hashlib
import json
import os
import pty
import random
import re
import resource
import select
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
import zoo_models  # noqa: E402
from cases import Skipped, main  # noqa: E402
from schema import Schema  # noqa: E402

SHAPE = os.environ.get('SHAPE', os.path.join(ROOT, 'build', 'shape'))
MODELS = int(os.environ.get('BATCH_MODELS', '1500'))
RECORD = Schema(os.path.join(ROOT, 'proto', 'schema', 'batch-record.json'))
STREAMS = ('jsonl', 'csv', 'sarif', 'html')


def batch(*arguments, status=None, stdin=None, **more):
    run = subprocess.run([SHAPE, 'batch', *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         timeout=300, input=stdin, check=False, **more)
    if status is not None:
        assert run.returncode == status, 'exit status %d, expected %d: %s' % (run.returncode, status, run.stderr[-500:])
    return run


def read(path):
    with open(path, 'rb') as f:
        return f.read()


def lines(path):
    return [json.loads(l) for l in read(path).split(b'\n') if l]


class Zoo:
    """The models, and the results of one undisturbed run."""

    def __init__(self):
        self.home = tempfile.mkdtemp(prefix='shape-batch-test-')
        os.chmod(self.home, 0o755)
        self.folder = os.path.join(self.home, 'zoo')
        self.paths = zoo_models.make_zoo(self.folder, MODELS)
        batch(self.folder, '--no-times', '-j', 2, *self.outputs('plain'), status=1)
        self.records = lines(self.at('plain.jsonl'))

    def at(self, name):
        return os.path.join(self.home, name)

    def outputs(self, name):
        return [x for form in STREAMS for x in ('--' + form, self.at('%s.%s' % (name, form)))]

    def same(self, name, forms=STREAMS):
        for form in forms:
            assert read(self.at('%s.%s' % (name, form))) == read(self.at('plain.' + form)), form + ' differs'


# ---------------------------------------------------------------- what it says

def test_every_model_has_one_record(zoo):
    assert [r['path'] for r in zoo.records] == zoo.paths
    for r in zoo.records[:300]:
        problems = RECORD.problems(r)
        assert not problems, '%s: %s' % (r['path'], problems[:3])
    assert {r['format'] for r in zoo.records} == {'onnx', 'mlir', 'json'}
    for r in zoo.records[:50]:
        assert r['hash'] == hashlib.sha256(read(r['path'])).hexdigest()


def test_records_agree_with_check(zoo):
    for r in random.Random(3).sample(zoo.records, 60):
        answer = json.loads(subprocess.run([SHAPE, 'check', '--json', r['path']], stdout=subprocess.PIPE, check=False).stdout)
        assert r['status'] == answer['status'], r['path']
        main = answer['functions'][0]
        assert [i['dims'] for i in r['summary']['inputs']] == main['argument_dims'], r['path']
        assert [o['dims'] for o in r['summary']['outputs']] == main['result_dims'], r['path']
        assert [g['expr'] for g in r['summary']['guards']] == [g['expr'] for g in answer['guards']]
        assert [d['message'] for d in r['summary']['diagnostics']] == [d['message'] for d in answer['diagnostics']]


def test_forms_agree(zoo):
    with open(zoo.at('plain.csv'), newline='', encoding='utf-8') as f:
        table = list(csv.DictReader(f))
    assert [t['path'] for t in table] == zoo.paths
    assert [t['status'] for t in table] == [r['status'] for r in zoo.records]
    sarif = json.loads(read(zoo.at('plain.sarif')))
    invalid = {r['path'] for r in zoo.records if r['status'] == 'error'}
    results = sarif['runs'][0]['results']
    rules = {r['id']: r for r in sarif['runs'][0]['tool']['driver']['rules']}
    assert all(rules[r['ruleId']]['help']['text'] for r in results), 'each code has a remedy'
    uris = {r['locations'][0]['physicalLocation']['artifactLocation']['uri'] for r in results if r['level'] == 'error'}
    assert invalid and {u[len('file://'):] for u in uris} == invalid
    assert not any('helpUri' in r for r in rules.values())
    linked = json.loads(batch(zoo.folder, '-q', '--sarif', '-', '--manual', 'https://docs.example/m', status=1).stdout)
    assert {r['id']: r['helpUri'] for r in linked['runs'][0]['tool']['driver']['rules']} == {
        code: 'https://docs.example/m/reference/diagnostics/%s.html' % code for code in rules}
    page = read(zoo.at('plain.html')).decode()
    data = page[page.index('id="results">') + 13:]
    data = json.loads(data[:data.index('</script>')])
    assert [m['p'] for m in data['models']] == zoo.paths
    assert {o['n'] for o in data['ops'] if not o['r']} == {'com.example.Mystery'}
    assert 'http://' not in page.replace('http://www.w3.org/2000/svg', '') and 'https://' not in page


def test_database(zoo):
    path = zoo.at('zoo.sqlite')
    for _ in range(2):  # the second run replaces the rows of the first
        batch(zoo.folder, '--db', path, '-q', status=1)
    db = sqlite3.connect(path)
    assert db.execute('PRAGMA journal_mode').fetchone()[0] == 'wal'
    rows = db.execute('SELECT path, status, hash FROM models ORDER BY path').fetchall()
    assert rows == [(r['path'], r['status'], r['hash']) for r in zoo.records]
    for table, key in (('guards', 'guards'), ('inputs', 'inputs'), ('diagnostics', 'diagnostics'), ('ops', 'op_counts')):
        count = db.execute('SELECT count(*) FROM ' + table).fetchone()[0]
        assert count == sum(len((r['summary'] or {}).get(key, [])) for r in zoo.records), table
    db.close()


def test_a_database_without_its_library(zoo):
    folder = zoo.at('no-library')
    os.mkdir(folder)
    with open(os.path.join(folder, 'libsqlite3.so.0'), 'wb'):
        pass
    done = subprocess.run([SHAPE, 'batch', zoo.paths[0], '-q', '--db', zoo.at('none.sqlite')], stderr=subprocess.PIPE,
                          env=dict(os.environ, LD_LIBRARY_PATH=folder), timeout=60, check=False)
    assert done.returncode == 3 and b': a database needs SQLite 3: ' in done.stderr, done
    assert not os.path.exists(zoo.at('none.sqlite'))


# A Relu whose operand no node defines: ir_version, graph (node, name), operator set 17.
UNDEFINED = bytes.fromhex('0808 3a11 0a0c 0a01 78 1201 79 2204 52656c75 1201 67 4204 0a00 1011')


def test_what_is_no_text_has_no_lines(zoo):
    path, old = zoo.at('undefined.onnx'), zoo.at('earlier.jsonl')
    with open(path, 'wb') as f:
        f.write(UNDEFINED)
    out = {form: zoo.at('lines.' + form) for form in ('jsonl', 'sarif', 'db')}
    batch(path, '-q', *(x for form, at in out.items() for x in ('--' + form, at)), status=1)
    (record,) = lines(out['jsonl'])
    (found,) = record['summary']['diagnostics']
    assert 'line' not in found and found['offset'] > 0 and not RECORD.problems(record), record
    # What earlier versions wrote.
    found['line'], found['column'] = 1, found.pop('offset') + 1
    with open(old, 'w', encoding='utf-8') as f:
        f.write(json.dumps(record) + '\n')
    assert not RECORD.problems(record)
    regions = []
    for results in (out['jsonl'], old):
        sarif = json.loads(batch('report', results, '--sarif', '-', status=0).stdout)
        regions.append(sarif['runs'][0]['results'][0]['locations'][0]['physicalLocation']['region'])
    assert regions[0] == regions[1] and set(regions[0]) == {'byteOffset'}, regions
    # A database of an earlier version requires lines.
    db = sqlite3.connect(out['db'])
    (sql,) = db.execute("SELECT sql FROM sqlite_master WHERE name = 'diagnostics'").fetchone()
    assert db.execute('SELECT line, column FROM diagnostics').fetchall() == [(None, None)]
    db.execute('DROP TABLE diagnostics')
    db.execute(sql.replace('line INTEGER', 'line INTEGER NOT NULL').replace('column INTEGER', 'column INTEGER NOT NULL'))
    db.execute('INSERT INTO models SELECT "other", status, hash, tool, options, format, bytes, message, ops, known, symbolic, '
               'opaque, symbols, guards, constraints, ms, record, free_dims, peak_bytes, flops FROM models')
    db.execute("INSERT INTO diagnostics VALUES ('other', 0, 'error', 'syntax', 1, 7, 'm', '[]')")
    db.execute('CREATE VIEW of_users AS SELECT path, line FROM diagnostics')
    db.commit()
    db.close()
    batch(path, '-q', '--db', out['db'], status=1)
    db = sqlite3.connect(out['db'])
    assert db.execute('SELECT path, line FROM of_users ORDER BY path').fetchall() == [(path, None), ('other', 1)]
    db.close()


def test_unchecked_rows_are_in_every_form(zoo):
    path = zoo.at('data.mlir')
    with open(path, 'w', encoding='utf-8') as f:
        f.write('func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {\n'
                '  %s = stablehlo.custom_call @shape() : () -> tensor<1xi32>\n'
                '  %r = stablehlo.dynamic_reshape %a, %s : (tensor<?xf32>, tensor<1xi32>) -> tensor<?xf32>\n'
                '  return %r : tensor<?xf32>\n}\n')
    out = {form: zoo.at('data.' + form) for form in ('jsonl', 'html', 'db')}
    batch(path, *(x for form, to in out.items() for x in ('--' + form, to)))
    (record,) = lines(out['jsonl'])
    rows = record['summary']['unchecked']
    assert rows and record['summary']['unchecked_count'] == len(rows)
    page = read(out['html']).decode()
    data = page[page.index('id="results">') + 13:]
    (shown,) = json.loads(data[:data.index('</script>')])['models']
    assert shown['x'] == rows and shown['xc'] == len(rows)
    db = sqlite3.connect(out['db'])
    kept = db.execute('SELECT op, requirement, reason FROM unchecked ORDER BY position').fetchall()
    assert kept == [(r['op'], r['requirement'], r['reason']) for r in rows]
    db.close()


def test_bytecode_is_a_model_too(zoo):
    folder = zoo.at('bytecode')
    for case in ('bytecode', 'bytecode-cut'):
        for path in glob.glob(os.path.join(ROOT, 'tests', 'golden', 'check', case, 'program.*')):
            os.makedirs(os.path.join(folder, case), exist_ok=True)
            shutil.copy(path, os.path.join(folder, case, 'program.mlirbc'))
    batch(folder, '-q', '--jsonl', zoo.at('bytecode.jsonl'), status=1)
    cut, good = lines(zoo.at('bytecode.jsonl'))
    assert (good['status'], good['format'], good['summary']['ops']) == ('ok', 'bytecode', 4), good
    assert (cut['status'], cut['format']) == ('error', 'bytecode'), cut
    assert not RECORD.problems(good) and not RECORD.problems(cut)


def test_records_name_every_format(zoo):
    table = read(os.path.join(ROOT, 'solver', 'graph', 'formats.def')).decode()
    names = re.findall(r'^X\(\w+, (\w+),', table, re.M)
    listed = json.loads(read(os.path.join(ROOT, 'proto', 'schema', 'batch-record.json')))['properties']['format']['enum']
    assert listed == names + [None], '%s, not %s' % (listed, names)
    path = zoo.at('model.py')
    with open(path, 'w', encoding='utf-8') as f:
        f.write('class GraphModule(torch.nn.Module):\n    def forward(self, x: "f32[s0, 4]"):\n        return x.view(-1)\n')
    batch(path, '-q', '--jsonl', zoo.at('fx.jsonl'), status=0)
    (record,) = lines(zoo.at('fx.jsonl'))
    assert record['format'] == 'fx' and not RECORD.problems(record), record


def test_folders_as_exporters_lay_them_out(zoo):
    folder = zoo.at('exported')
    model = os.path.join(ROOT, 'tests', 'golden', 'check', 'bytecode', 'program.mlirbc')
    program = {'functions': [{'name': 'main', 'arguments': [], 'ops': [], 'results': []}]}
    for path, content in (('a/config.json', '{"model_type": "bert", "sub": {"functions": 1}}'),
                          ('a/tokenizer.json', '{"vocab": ["functions"], "list": "functions"}'), ('a/list.json', '["functions", 1]'),
                          ('a/empty.json', ''), ('a/graph.json', '{"symbols": [], ' + json.dumps(program)[1:]),
                          ('a/llvm.bc', 'BC\xc0\xde'), ('a/x.txt', 'text'),
                          ('a/net.prototxt', 'layer { name: "x" }'), ('a/x.pbtxt', 'ir_version: 8 graph { name: "g" }'),
                          ('a/x.onnxtxt', 'g () => () {}')):
        os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
        with open(os.path.join(folder, path), 'w', encoding='latin-1') as out:
            out.write(content)
    os.makedirs(os.path.join(folder, 'b', 'c'))
    for name in ('model.mlirbc.gz', 'data.csv.gz'):
        with open(model, 'rb') as source, gzip.open(os.path.join(folder, 'b', name), 'wb') as out:
            out.write(source.read())
    for path in ('a/model.mlir.bc', 'b/c/model.bc', 'b/model.mlirbc'):
        shutil.copy(model, os.path.join(folder, path))

    def found(*operands):
        batch(*operands, '-q', '--jsonl', zoo.at('exported.jsonl'), status=None)
        return [os.path.relpath(r['path'], folder) for r in lines(zoo.at('exported.jsonl'))]

    assert found(folder) == ['a/graph.json', 'a/model.mlir.bc', 'a/x.onnxtxt', 'a/x.pbtxt', 'b/c/model.bc', 'b/model.mlirbc',
                             'b/model.mlirbc.gz'], found(folder)
    assert found(folder + '/**/*.bc') == ['a/llvm.bc', 'a/model.mlir.bc', 'b/c/model.bc']
    assert found(folder + '/b/**/model.*') == ['b/c/model.bc', 'b/model.mlirbc', 'b/model.mlirbc.gz']
    assert found(folder + '/**/c/**/*.bc') == ['b/c/model.bc']
    assert len(found(folder + '/**/*.none')) == 1


def test_order_and_bytes_do_not_depend_on_processes(zoo):
    batch(zoo.folder, '--no-times', '-j', 7, *zoo.outputs('seven'), status=1)
    zoo.same('seven')
    some = zoo.paths[:100]
    batch(*reversed(some), '--no-times', '--isolate', '--jsonl', zoo.at('some.jsonl'))
    assert lines(zoo.at('some.jsonl')) == zoo.records[:100]


def test_ways_to_name_models(zoo):
    part = os.path.join(zoo.folder, 'part03')
    expected = [p for p in zoo.paths if p.startswith(part + '/')]

    def named(*arguments, **more):
        out = batch(*arguments, '--jsonl', '-', '-q', **more)
        return [json.loads(l)['path'] for l in out.stdout.split(b'\n') if l]

    assert named(part) == expected
    assert named(part + '/*', part) == expected
    assert named('--files-from', '-', stdin='\r\n'.join(expected).encode()) == expected
    assert named('--files-from', '-', stdin='\0'.join(expected).encode()) == expected
    assert named(part + '/*.onnx') == [p for p in expected if p.endswith('.onnx')]
    odd = zoo.at('a [1] *.mlir')
    with open(odd, 'wb') as f:
        f.write(read([p for p in expected if p.endswith('.mlir')][0]))
    assert named(odd) == [odd]
    assert batch(part + '/*.none', '-q', status=3).stdout.startswith(b'unreadable')
    assert b'no PATH' in batch(status=2).stderr
    assert b'--shard' in batch(part, '--shard', '3/2', status=2).stderr


def test_shards_are_stable_and_merge(zoo):
    files = []
    for k in (1, 2, 3):
        files.append(zoo.at('shard%d.jsonl' % k))
        batch(zoo.folder, '--shard', '%d/3' % k, '--no-times', '--jsonl', files[-1])
    parts = [{r['path'] for r in lines(f)} for f in files]
    assert sum(map(len, parts)) == len(zoo.paths) and set.union(*parts) == set(zoo.paths)
    assert all(len(p) > len(zoo.paths) // 5 for p in parts), [len(p) for p in parts]
    half = os.path.join(zoo.folder, 'part01')
    batch(half, '--shard', '2/3', '--jsonl', zoo.at('half.jsonl'))
    assert {r['path'] for r in lines(zoo.at('half.jsonl'))} == {p for p in parts[1] if p.startswith(half + '/')}
    batch('merge', *files, files[0], *zoo.outputs('merged'), status=0)
    zoo.same('merged')
    batch('report', zoo.at('plain.jsonl'), '--html', zoo.at('again.html'), status=0)
    assert read(zoo.at('again.html')) == read(zoo.at('plain.html'))


def test_progress_on_a_terminal_and_elsewhere(zoo):
    master, slave = pty.openpty()
    with subprocess.Popen([SHAPE, 'batch', zoo.folder], stdout=subprocess.DEVNULL, stderr=slave,
                          env=dict(os.environ, TERM='xterm')) as run:
        os.close(slave)
        text = b''
        while select.select([master], [], [], 60)[0]:
            try:
                text += os.read(master, 65536)
            except OSError:
                break
        run.wait()
    os.close(master)
    assert b'#' in text and b'a second' in text and b'%d of %d' % (MODELS, MODELS) in text, text[-200:]
    run = batch(zoo.folder)
    assert b'\r' not in run.stderr and b'\x1b' not in run.stderr and b'#' not in run.stderr
    assert b' error\nerrors by cause: ' in run.stdout and b'%d models' % MODELS in run.stdout


# ---------------------------------------------------------------- what it survives

def whole_lines(journal):
    """Paths of the whole lines of a journal, each checked against its digits."""
    paths = []
    for line in read(journal).split(b'\n')[:-1]:
        text, digits = line.split(b'\t')
        assert hashlib.sha256(text).hexdigest()[:16].encode() == digits, 'a damaged line'
        paths.append(json.loads(text)['path'])
    return paths


def test_kill_at_random_moments(zoo):
    """However often it is killed, the run that comes to its end has every model once, and the journal too."""
    journal, rng, kills = zoo.at('killed.journal'), random.Random(7), 0
    command = [SHAPE, 'batch', zoo.folder, '--no-times', '-j', '2', '-q', '--journal', journal, '--resume', *zoo.outputs('killed')]
    dims = [0]
    for _ in range(400):
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        before, wanted = dims[-1], rng.randint(0, MODELS * 100)
        while run.poll() is None:
            size = os.path.getsize(journal) if os.path.exists(journal) else 0
            if size >= before + wanted and kills < 25:
                run.send_signal(signal.SIGKILL)
                kills += 1
            else:
                time.sleep(rng.random() / 500)
        error = run.stderr.read()
        run.stderr.close()
        dims.append(os.path.getsize(journal))
        assert dims[-1] >= before - 100000, 'results were lost'
        if run.returncode != -signal.SIGKILL:
            assert run.returncode == 1, error
            break
    assert kills >= 3, 'it was killed %d times only' % kills
    paths = whole_lines(journal)
    assert sorted(paths) == zoo.paths, 'lost %d, twice %d' % (len(set(zoo.paths) - set(paths)), len(paths) - len(set(paths)))
    zoo.same('killed')


def test_a_journal_cut_at_any_byte(zoo):
    part, journal = os.path.join(zoo.folder, 'part05'), zoo.at('cut.journal')
    batch(part, '--no-times', '-q', '--journal', journal, '--jsonl', zoo.at('part.jsonl'))
    whole = read(journal)
    last = whole.rindex(b'\n', 0, -1) + 1
    for cut in {last, last + 1, len(whole) - 1, len(whole) - 2, len(whole) - 18, *random.Random(5).sample(range(len(whole)), 15)}:
        with open(journal, 'wb') as f:
            f.write(whole[:cut])
        batch(part, '--no-times', '-q', '--journal', journal, '--resume', '--jsonl', zoo.at('cut.jsonl'))
        assert read(zoo.at('cut.jsonl')) == read(zoo.at('part.jsonl')), 'cut at %d' % cut
        assert sorted(whole_lines(journal)) == [r['path'] for r in lines(zoo.at('part.jsonl'))]
    # A damaged line in the middle is one result less, no more.
    with open(journal, 'wb') as f:
        f.write(whole[:200] + b'!' + whole[201:])
    batch(part, '--no-times', '-q', '--journal', journal, '--resume', '--jsonl', zoo.at('cut.jsonl'))
    assert read(zoo.at('cut.jsonl')) == read(zoo.at('part.jsonl'))


def test_resume_looks_at_contents(zoo):
    folder, journal = zoo.at('changing'), zoo.at('changing.journal')
    paths = zoo_models.make_zoo(folder, 30, seed=9)
    batch(folder, '-q', '--journal', journal)
    batch(folder, '-q', '--journal', journal, status=3)  # not without --resume
    assert len(whole_lines(journal)) == 30
    batch(folder, '-q', '--journal', journal, '--resume')
    assert len(whole_lines(journal)) == 30, 'something was done twice'
    with open(paths[4], 'ab') as f:
        f.write(b'\n')
    os.rename(paths[5], paths[5] + '.renamed.onnx')
    batch(folder, '-q', '--journal', journal, '--resume', '--jsonl', zoo.at('changing.jsonl'))
    assert len(whole_lines(journal)) == 32
    assert len(lines(zoo.at('changing.jsonl'))) == 30
    batch(folder, '-q', '--journal', journal, '--resume', '--steps', 1000)  # other options, other answers
    assert len(whole_lines(journal)) == 62


def test_one_run_for_one_journal(zoo):
    journal = zoo.at('locked.journal')
    fifo_free = slow_model(zoo)
    first = subprocess.Popen([SHAPE, 'batch', fifo_free, '-q', '--journal', journal], stdout=subprocess.DEVNULL)
    until(lambda: os.path.exists(journal) and children(first.pid))
    assert b'another run' in batch(zoo.folder, '--journal', journal, '--resume', status=3).stderr
    first.send_signal(signal.SIGKILL)
    first.wait()
    # What the killed one started must not go on.
    until(lambda: not any(fifo_free.encode() in c for c in command_lines()))


def until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, 'it did not come to that'
        time.sleep(0.005)


def children(pid):
    try:
        return read('/proc/%d/task/%d/children' % (pid, pid)).split()
    except OSError:
        return []


def command_lines():
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            yield read('/proc/%s/cmdline' % pid)
        except OSError:
            pass


def slow_model(zoo, count=250000):
    """A model that takes a while: that many operations."""
    path = zoo.at('slow%d.mlir' % count)
    if not os.path.exists(path):
        with open(path, 'w', encoding='utf-8') as f:
            f.write('func.func @main(%0: tensor<?xf32>) -> tensor<?xf32> {\n')
            f.write(''.join(['  %%%d = stablehlo.abs %%%d : tensor<?xf32>\n' % (i + 1, i) for i in range(count)]))
            f.write('  return %%%d : tensor<?xf32>\n}\n' % count)
    return path


def one(*arguments):
    out = batch(*arguments, '--jsonl', '-', '-q').stdout
    return [(r['status'], r['message']) for r in map(json.loads, filter(None, out.split(b'\n')))]


def test_a_model_that_takes_too_long_or_too_much(zoo):
    slow = slow_model(zoo)
    assert one(slow, '--timeout', '0.01') == [('timeout', 'the time limit is spent')]
    assert one(slow, '--memory', '1')[0][0] == 'memory'
    assert one(slow, '--memory', '20')[0][0] == 'memory'
    assert one(slow, '--timeout', '300') == [('ok', None)]
    assert batch(slow, '--timeout', '0.01', '-q').returncode == 4


def at_the_slow_one(run, act):
    """Calls act(pid) for a worker that has worked for a while: it is at the slow model."""
    def hit():
        for pid in map(int, children(run.pid)):
            try:
                ticks = sum(map(int, read('/proc/%d/stat' % pid).rsplit(b')', 1)[1].split()[11:13]))
            except OSError:
                continue
            if ticks >= 5 * os.sysconf('SC_CLK_TCK') // 100:
                act(pid)
                return True
        return run.poll() is not None
    until(hit)


def test_a_poison_model_costs_one_result(zoo):
    slow, good = slow_model(zoo, 1000000), zoo.paths[:40]
    for isolate in ([], ['--isolate']):
        out = zoo.at('poison.jsonl')
        run = subprocess.Popen([SHAPE, 'batch', slow, *good, '-j', '1', '-q', '--no-times', '--jsonl', out, *isolate],
                               stdout=subprocess.DEVNULL)
        # The slow model comes first in order of bytes or last.
        at_the_slow_one(run, lambda pid: os.kill(pid, signal.SIGKILL))
        run.wait()
        records = {r['path']: r for r in lines(out)}
        assert records[slow]['status'] == 'crashed' and 'signal 9' in records[slow]['message'], records[slow]
        assert [records[p] for p in good] == zoo.records[:40]


def in_the_middle(zoo):
    """A folder of 20 models, the slow one, and 20 more, in this order; the 40 records."""
    folder = zoo.at('middle')
    if not os.path.exists(folder):
        os.mkdir(folder)
        for i in range(40):
            ending = os.path.splitext(zoo.paths[i])[1]
            shutil.copy(zoo.paths[i], os.path.join(folder, '%s%02d%s' % ('az'[i // 20], i, ending)))
        os.symlink(slow_model(zoo, 1000000), os.path.join(folder, 'm.mlir'))
    return folder, without_names(zoo.records[:40])


def without_names(records):
    return [{k: v for k, v in r.items() if k not in ('path', 'options')} for r in records]


def test_what_ends_one_model_in_the_middle(zoo):
    """A crash, a hang and a limit are of that model alone: those before and after it, of the same process, have their results."""
    folder, others = in_the_middle(zoo)

    def check(out, status, text):
        records = lines(out)
        assert [os.path.basename(r['path'])[0] for r in records] == ['a'] * 20 + ['m'] + ['z'] * 20, [r['path'] for r in records]
        assert records[20]['status'] == status and text in records[20]['message'], records[20]
        for r, other in zip(without_names(records[:20] + records[21:]), others):
            assert r == other, (r, other)

    out = zoo.at('middle.jsonl')
    for jobs in (1, 3):
        for send, status, text in ((signal.SIGKILL, 'crashed', 'signal 9'), (signal.SIGSEGV, 'crashed', 'signal 11'),
                                   (signal.SIGSTOP, 'timeout', 'time limit')):
            options = ['--timeout', '1'] if send == signal.SIGSTOP else []
            run = subprocess.Popen([SHAPE, 'batch', folder, '-j', str(jobs), '-q', '--no-times', '--jsonl', out, *options],
                                   stdout=subprocess.DEVNULL)
            at_the_slow_one(run, lambda pid: os.kill(pid, send))
            assert run.wait(60) == 4, (jobs, send, run.returncode, lines(out)[20])
            check(out, status, text)
    # Nothing is kept: what is said is the same.
    run = subprocess.Popen([SHAPE, 'batch', folder, '-j', '1', '-q'], stdout=subprocess.PIPE)
    at_the_slow_one(run, lambda pid: os.kill(pid, signal.SIGKILL))
    said = run.communicate(timeout=60)[0].decode()
    errors = sum(r['status'] == 'error' for r in others)
    assert 'crashed     %s/m.mlir: the process was ended by signal 9\n' % folder in said, said
    assert '41 models, %d ok, %d error, 1 crashed\n' % (40 - errors, errors) in said, said
    said = batch(folder, '-j', '1', '-q', '--memory', '20', status=4).stdout.decode()
    assert 'memory      %s/m.mlir: ' % folder in said and '%d ok, %d error, 1 memory\n' % (40 - errors, errors) in said, said


def test_workers_that_are_killed_all_the_time(zoo):
    """Each kill costs one result at most, and every model has one."""
    out, kills = zoo.at('hunted.jsonl'), 0
    run = subprocess.Popen([SHAPE, 'batch', zoo.folder, '-j', '2', '-q', '--no-times', '--jsonl', out], stdout=subprocess.DEVNULL)
    rng = random.Random(11)
    while run.poll() is None and kills < 60:
        for pid in rng.sample(children(run.pid), k=len(children(run.pid)) > 0):
            try:
                os.kill(int(pid), signal.SIGKILL)
                kills += 1
            except OSError:
                pass
        time.sleep(rng.random() / 200)
    assert run.wait(60) in (1, 4)
    records = lines(out)
    assert [r['path'] for r in records] == zoo.paths
    lost = [r for r, whole in zip(records, zoo.records) if r != whole]
    assert len(lost) <= kills and {r['status'] for r in lost} <= {'crashed'}, lost[:3]


def test_workers_end_with_the_command(zoo):
    """Killed or ended, it leaves none that goes on with its model."""
    for send in (signal.SIGKILL, signal.SIGTERM):
        run = subprocess.Popen([SHAPE, 'batch', slow_model(zoo, 1000000), '-j', '1', '-q'], stdout=subprocess.DEVNULL)
        at_work = []
        at_the_slow_one(run, at_work.append)
        run.send_signal(send)
        assert run.wait() == -send and at_work, run.returncode
        # Where no process waits for those whose parent is gone it stays as a zombie.
        until(lambda: not os.path.exists('/proc/%d' % at_work[0]) or not os.listdir('/proc/%d/task' % at_work[0])
              or b') Z ' in read('/proc/%d/stat' % at_work[0]))


def test_workers_that_cannot_begin(zoo):
    """Each model is given up once; the run ends."""
    def few_files():
        resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8))
    run = batch(*zoo.paths[:20], '-j', '1', '-q', '--jsonl', zoo.at('none-began.jsonl'), status=4, preexec_fn=few_files)
    records = lines(zoo.at('none-began.jsonl'))
    assert [r['path'] for r in records] == zoo.paths[:20], run
    assert {(r['status'], r['message']) for r in records} == {('crashed', 'the process ended with status 2')}, records[0]


def test_as_many_files_as_workers_need(zoo):
    """Whether all workers begin or the command says that it cannot start one, no model is lost."""
    for limit in range(14, 24):
        run = batch(*zoo.paths[:60], '-q', '--no-times', '-j', 12, '--isolate',
                    preexec_fn=lambda n=limit: resource.setrlimit(resource.RLIMIT_NOFILE, (n, n)))
        assert b'crashed' not in run.stdout, (limit, run.stdout[-500:])
        assert run.returncode in (0, 1) or b'cannot start a process' in run.stderr, (limit, run.stderr[-500:])


def test_workers_are_in_a_sandbox(zoo):
    """Of what the kernel has: no new privileges, system calls filtered, and no descriptor but the pipes and stderr."""
    run = subprocess.Popen([SHAPE, 'batch', slow_model(zoo), '-j', '1', '-q', '--journal', zoo.at('sandbox.journal')],
                           stdout=subprocess.DEVNULL)
    seen = []

    def sandboxed():
        for pid in children(run.pid):
            try:
                status = dict(l.split(':\t', 1) for l in read('/proc/%d/status' % int(pid)).decode().split('\n') if ':\t' in l)
                names = [os.readlink('/proc/%d/fd/%s' % (int(pid), fd)) for fd in os.listdir('/proc/%d/fd' % int(pid))]
            except OSError:
                continue
            if status['NoNewPrivs'] == '1' and status['Seccomp'] == '2':
                seen.append(names)
        return seen or run.poll() is not None
    until(sandboxed)
    assert run.wait() == 0 and seen, 'no worker was in a sandbox'
    assert not [name for names in seen for name in names if 'journal' in name], seen


def test_what_is_no_file(zoo):
    folder = zoo.at('odd')
    os.makedirs(os.path.join(folder, 'folder.onnx'))
    os.mkfifo(os.path.join(folder, 'fifo.onnx'))
    os.symlink('nowhere', os.path.join(folder, 'gone.mlir'))
    os.symlink('.', os.path.join(folder, 'circle'))
    os.symlink(zoo.paths[0], os.path.join(folder, 'link' + os.path.splitext(zoo.paths[0])[1]))
    open(os.path.join(folder, 'empty.onnx'), 'wb').close()
    with open(os.path.join(folder, 'noise.onnx'), 'wb') as f:
        f.write(bytes(range(256)) * 10)
    out = batch(folder, '-q', '--jsonl', '-', status=3).stdout
    records = {os.path.basename(r['path']): r['status'] for r in map(json.loads, filter(None, out.split(b'\n')))}
    link = [n for n in records if n.startswith('link')][0]
    assert records.pop(link) == zoo.records[0]['status']
    assert records == {'fifo.onnx': 'unreadable', 'gone.mlir': 'unreadable', 'empty.onnx': 'error', 'noise.onnx': 'error'}


def test_why_there_is_no_answer(zoo):
    folder = zoo.at('nothing')
    os.makedirs(folder)
    run = batch(folder, zoo.at('no\nfile'), zoo.at('*.none'), '-', '-q', status=3)
    out = run.stdout.decode().splitlines()
    assert [l.replace(zoo.home, '').split('  ', 1)[1] for l in out[:-1]] == [
        '-: standard input is not a model of a batch: --files-from - reads paths from it',
        '/*.none: no file matches this pattern', '/no?file: No such file or directory'], out
    assert (folder + ' has no .json').encode() in run.stderr, run.stderr
    run = subprocess.run([SHAPE, 'check', folder], stderr=subprocess.PIPE, stdout=subprocess.PIPE, check=False)
    assert run.returncode == 3 and ('hint: shape batch %s analyses' % folder).encode() in run.stderr, run.stderr


def test_a_folder_without_permission(zoo):
    folder = zoo.at('closed')
    zoo_models.make_zoo(folder, 40, seed=4)
    os.chmod(os.path.join(folder, 'part07'), 0)
    # The user nobody may not be able to reach the build, so the program comes along.
    program = shutil.copy(SHAPE, zoo.at('shape'))
    run = subprocess.run([program, 'batch', folder, '-q', '--jsonl', '-'], stdout=subprocess.PIPE, timeout=60, check=False,
                         **({'user': 65534} if os.geteuid() == 0 else {}))
    assert run.returncode == 3, run.returncode
    os.chmod(os.path.join(folder, 'part07'), 0o755)
    records = [json.loads(l) for l in run.stdout.split(b'\n') if l]
    closed = [r for r in records if r['status'] == 'unreadable']
    assert len(records) == 39 and [os.path.basename(r['path']) for r in closed] == ['part07'], closed


def limited_run(zoo, journal, output, limit, status):
    """Files of this run cannot grow beyond `limit` bytes, as on a full disk."""
    def prepare():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    return batch(zoo.folder, '-q', '--no-times', '--journal', journal, '--resume', '--jsonl', output, preexec_fn=prepare,
                 status=status)


def test_files_that_cannot_grow(zoo):
    journal, output = zoo.at('small.journal'), zoo.at('small.jsonl')
    for limit in (0, 1000, 50001, 300000):
        run = limited_run(zoo, journal, output, limit, 3)
        assert b'cannot write' in run.stderr and b'--resume' in run.stderr, run.stderr
        assert os.path.getsize(journal) <= limit
        assert len(set(whole_lines(journal))) == len(whole_lines(journal))
        assert not os.path.exists(output) and not os.path.exists(output + '.part')
    batch(zoo.folder, '-q', '--no-times', '--journal', journal, '--resume', '--jsonl', output, status=1)
    assert read(output) == read(zoo.at('plain.jsonl')) and sorted(whole_lines(journal)) == zoo.paths


def test_a_full_disk(zoo):
    disk = zoo.at('disk')
    os.makedirs(disk)
    if subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk], stderr=subprocess.DEVNULL, check=False).returncode:
        raise Skipped('a small disk cannot be mounted here')
    try:
        journal, output = os.path.join(disk, 'journal'), zoo.at('full.jsonl')
        command = [zoo.folder, '-q', '--no-times', '--journal', journal, '--resume']
        run = batch(*command, '--jsonl', output, status=3)
        assert b'No space left' in run.stderr, run.stderr
        done = whole_lines(journal)
        assert 0 < len(done) < MODELS and not os.path.exists(output)
        assert b'No space left' in batch(*command, '--jsonl', output, status=3).stderr
        subprocess.run(['mount', '-o', 'remount,size=256m', disk], check=True)
        batch(*command, '--jsonl', output, status=1)
        assert read(output) == read(zoo.at('plain.jsonl')) and sorted(whole_lines(journal)) == zoo.paths
        # An output on a disk that is full: no half file.
        subprocess.run(['mount', '-o', 'remount,size=%dk' % (os.path.getsize(journal) // 1024 + 64), disk], check=True)
        for form in (*STREAMS, 'db'):
            there = os.path.join(disk, 'out.' + form)
            run = batch('merge', zoo.at('plain.jsonl'), '--' + form, there, status=3)
            assert run.stderr and not (form != 'db' and os.path.exists(there)), form
            for name in os.listdir(disk):
                if name.startswith('out.'):
                    os.unlink(os.path.join(disk, name))
    finally:
        subprocess.run(['umount', disk], check=False)


if __name__ == '__main__':
    zoo = Zoo()
    try:
        status = main(globals(), sys.argv[1:], zoo)
    finally:
        shutil.rmtree(zoo.home, ignore_errors=True)
    sys.exit(status)
