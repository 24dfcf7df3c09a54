#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`shape batch --baseline`: each kind of change for the worse is reported, and nothing else. Reads SHAPE (default build/shape).

The last line is `N passed, N failed[, N skipped]`.
"""
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import main  # noqa: E402

SHAPE = os.environ.get('SHAPE', os.path.join(ROOT, 'build', 'shape'))

ADD = '''func.func @main(%%a: tensor<%s>, %%b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %%c = stablehlo.add %%a, %%b : (tensor<%s>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %%c : tensor<?x4xf32>
}
'''
GOOD = ADD % (('?x4xf32',) * 2)
CONFLICT = ADD % (('?x5xf32',) * 2)
# One guard, S0*S1 == S0*S3; and a program with the same inputs and none.
with open(os.path.join(ROOT, 'deploy', 'demo', 'heads.mlir'), encoding='utf-8') as demo:
    GUARDED = demo.read()
FREE = GUARDED.replace('stablehlo.dynamic_reshape %tokens, %shape', 'stablehlo.custom_call @f(%tokens, %shape)')


class Zoo:
    """A folder of models; then() keeps the results as the baseline, now() compares with it."""

    def __init__(self, models):
        self.home = tempfile.TemporaryDirectory(prefix='shape-baseline-')
        self.folder = os.path.join(self.home.name, 'zoo')
        self.before = os.path.join(self.home.name, 'before.jsonl')
        os.mkdir(self.folder)
        for name, text in models.items():
            self.put(name, text)
        self.run('--jsonl', self.before)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.home.cleanup()

    def put(self, name, text):
        with open(os.path.join(self.folder, name + '.mlir'), 'w', encoding='utf-8') as file:
            file.write(text)

    def remove(self, name):
        os.remove(os.path.join(self.folder, name + '.mlir'))

    def run(self, *options):
        return subprocess.run([SHAPE, 'batch', 'zoo', '-q', '--no-times', *options], cwd=self.home.name, timeout=60,
                              capture_output=True, text=True, check=False)

    def now(self, *options):
        """(exit status, what got worse)"""
        done = self.run('--baseline', self.before, *options)
        worse = [line.split(None, 1)[1] for line in done.stdout.splitlines() if line.startswith('worse ')]
        end = '%d change%s for the worse since %s' % (len(worse), '' if len(worse) == 1 else 's', self.before)
        assert done.stdout.splitlines()[-1] == end and not done.stderr, done
        return done.returncode, worse

    def edit(self, change):
        """Rewrites the records of the baseline."""
        with open(self.before, encoding='utf-8') as file:
            records = [json.loads(line) for line in file]
        for record in records:
            change(record)
        with open(self.before, 'w', encoding='utf-8') as file:
            file.writelines(json.dumps(r) + '\n' for r in records)


def test_what_was_wrong_before_is_no_news():
    with Zoo({'good': GOOD, 'conflict': CONFLICT, 'invalid': 'not a program'}) as zoo:
        assert zoo.now() == (0, [])


def test_status():
    with Zoo({'a': GOOD, 'b': CONFLICT, 'c': GOOD}) as zoo:
        zoo.put('a', CONFLICT)
        zoo.put('b', GOOD)  # better
        status, worse = zoo.now()
        assert status == 1 and worse[0] == 'zoo/a.mlir: the status was ok, is error', worse
        assert worse[1].startswith('zoo/a.mlir: new error "stablehlo.add: '), worse
        assert not [w for w in worse if w.startswith('zoo/b.mlir') and 'put 0 was' not in w], worse
        zoo.put('b', CONFLICT)
        zoo.remove('c')
        os.symlink('nowhere', os.path.join(zoo.folder, 'c.mlir'))
        assert 'zoo/c.mlir: the status was ok, is unreadable' in zoo.now()[1]


def test_models_that_come_and_go():
    with Zoo({'a': GOOD, 'b': GOOD}) as zoo:
        zoo.remove('a')
        zoo.put('new', GOOD)
        assert zoo.now() == (1, ['zoo/a.mlir: the baseline has it, this run has not'])
        zoo.put('newer', CONFLICT)
        assert zoo.now()[1][1:] == ['zoo/newer.mlir: the status is error, and the baseline does not have it']
        shards = [zoo.now('--shard', '%d/2' % k) for k in (1, 2)]  # a part of the models misses the others
        assert sorted(w for _, worse in shards for w in worse) == [
            'zoo/newer.mlir: the status is error, and the baseline does not have it'], shards


def test_requirements():
    with Zoo({'a': FREE, 'b': GUARDED}) as zoo:
        zoo.put('a', GUARDED)
        zoo.put('b', FREE)
        status, worse = zoo.now()
        assert status == 1 and [w for w in worse if 'output 0' not in w] == [
            'zoo/a.mlir: new guard "S0*S1 == S0*S3"', 'zoo/b.mlir: opaque dims were 0, are 2'], worse


def test_inputs_and_outputs():
    with Zoo({'a': GOOD, 'b': GOOD}) as zoo:
        zoo.put('a', GOOD.replace('%a', '%first'))
        zoo.put('b', GOOD.replace('tensor<?x4xf32> {', '(tensor<?x4xf32>, tensor<?x4xf32>) {').replace(
            'return %c : tensor<?x4xf32>', 'return %c, %c : tensor<?x4xf32>, tensor<?x4xf32>'))
        assert zoo.now() == (1, [
            'zoo/a.mlir: input 0 was {"name":"a","type":"tensor<?x4xf32>","dims":["S0",4]}, '
            'is {"name":"first","type":"tensor<?x4xf32>","dims":["S0",4]}', 'zoo/b.mlir: outputs were 1, are 2'])


def test_less_is_known_of_the_same_file():
    with Zoo({'a': GOOD}) as zoo:
        zoo.edit(lambda r: r['summary']['dims'].update(known=9))
        assert zoo.now() == (1, ['zoo/a.mlir: known dims were 9, are 1'])
        zoo.edit(lambda r: r.update(hash='0' * 64))  # another file: less may be known
        assert zoo.now() == (0, [])
        zoo.edit(lambda r: r['summary']['inputs'][0].update(dims=['S0', 12345678901234567891]))
        assert '"dims":["S0","12345678901234567891"]' in zoo.now()[1][0]


def test_lists_that_were_cut_count():
    with Zoo({'a': GUARDED}) as zoo:
        zoo.edit(lambda r: r['summary'].update(guards=[], guard_count=1))
        assert zoo.now() == (0, [])
        zoo.edit(lambda r: r['summary'].update(guards=[], guard_count=0))
        assert zoo.now()[0] == 1


def test_requirements_that_no_guard_covers():
    unchecked = ('func.func private @f(tensor<?xf32>)\nfunc.func @main(%a: tensor<?xf32>) {\n'
                 '  func.call @f(%a) : (tensor<?xf32>) -> ()\n  return\n}\n')
    with Zoo({'a': unchecked}) as zoo:
        assert zoo.now() == (0, [])
        zoo.edit(lambda r: r['summary'].update(unchecked=[], unchecked_count=0))
        assert zoo.now() == (1, ['zoo/a.mlir: new unchecked requirement "the requirements of the function hold"'])
        zoo.edit(lambda r: r['summary'].pop('unchecked'))  # of an older version
        assert zoo.now() == (0, [])


def test_texts_cannot_write_to_the_terminal():
    with Zoo({'a': GOOD}) as zoo:
        zoo.put('a', GOOD.replace('%a', '"\x1b[31m').replace('stablehlo.add', 'x.\x1b[31my'))
        assert '\x1b' not in zoo.run('--baseline', zoo.before).stdout


def test_other_ways_to_give_it():
    with Zoo({'a': GOOD, 'b': CONFLICT}) as zoo:
        done = zoo.run('--baseline', zoo.before, '--jsonl', '-')
        assert done.returncode == 0 and done.stderr == '0 changes for the worse since %s\n' % zoo.before
        assert len(done.stdout.splitlines()) == 2
        assert zoo.run('--journal', 'j', '--baseline', zoo.before).returncode == 0
        assert zoo.now('--jsonl', zoo.before) == (0, [])  # written anew after it was read
        zoo.put('a', CONFLICT)
        assert zoo.run('--baseline', 'j').returncode == 1
        zoo.run('--jsonl', 'now.jsonl')

        def merge(*options):
            return subprocess.run([SHAPE, 'batch', 'merge', *options], cwd=zoo.home.name, capture_output=True, text=True,
                                  timeout=60, check=False)
        assert merge('now.jsonl', '--baseline', zoo.before).returncode == 1
        assert merge('now.jsonl', '--baseline', 'now.jsonl').returncode == 0


def test_no_baseline():
    with Zoo({'a': GOOD}) as zoo:
        for name, text in (('none', None), ('text', 'what is this\n'), ('zoo', None)):
            if text:
                with open(os.path.join(zoo.home.name, name), 'w', encoding='utf-8') as file:
                    file.write(text)
            done = zoo.run('--baseline', name)
            assert done.returncode == 3 and name in done.stderr and not done.stdout, (name, done)


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
