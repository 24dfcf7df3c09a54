#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`shape-mlir-opt`, and the pass in it: what it says of a module in memory is what `shape check` says of its text, refined
modules verify, assertions stop what they must, and the example of clients/mlir/README.md prints what is written there.

Needs what `make mlir` builds (BUILD_DIR, default build) and mlir-opt-22 (MLIR_OPT); says that it skips otherwise. Programs of
../shared/corpus/compiler are read where they are. The last line is `N passed, N failed[, N skipped]`.
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get('BUILD_DIR', os.path.join(ROOT, 'build'))
SHAPE = os.environ.get('SHAPE', os.path.join(BUILD, 'shape'))
TOOL = os.path.join(BUILD, 'shape-mlir-opt')
PLAN = os.path.join(BUILD, 'examples', 'shape-mlir-plan')
MLIR_OPT = os.environ.get('MLIR_OPT') or shutil.which('mlir-opt-22')
CORPUS = os.path.join(ROOT, '..', 'shared', 'corpus', 'compiler', 'dims')
PROGRAMS = 60

OWN = {
    'branches': '''func.func @main(%flag: i1, %x: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  cf.cond_br %flag, ^bb1(%x : tensor<?x4xf32>), ^bb2
^bb1(%y: tensor<?x4xf32>):
  return %y : tensor<?x4xf32>
^bb2:
  %e = tensor.empty(%n) : tensor<?x4xf32>
  cf.br ^bb1(%e : tensor<?x4xf32>)
}
''',
    'switch': '''func.func @main(%k: i32, %x: tensor<?xf32>, %y: tensor<8xf32>) -> tensor<?xf32> {
  %c = tensor.cast %y : tensor<8xf32> to tensor<?xf32>
  cf.switch %k : i32, [
    default: ^bb1(%x : tensor<?xf32>),
    3: ^bb2,
    4: ^bb1(%c : tensor<?xf32>)
  ]
^bb1(%r: tensor<?xf32>):
  return %r : tensor<?xf32>
^bb2:
  return %c : tensor<?xf32>
}
''',
    'destinations': '''func.func @main(%a: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %0 = "my.op"(%a, %o) {shaped.destinations = 1 : i64} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = "my.op"(%a, %o) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}
''',
    'while': '''func.func @main(%t: tensor<7xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.cast %t : tensor<7xf32> to tensor<?xf32>
  %r:2 = scf.while (%x = %a, %i = %c0) : (tensor<?xf32>, index) -> (index, tensor<?xf32>) {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i, %x : index, tensor<?xf32>
  } do {
  ^bb0(%j: index, %y: tensor<?xf32>):
    %k = arith.addi %j, %c1 : index
    %e = tensor.empty(%n) : tensor<?xf32>
    scf.yield %e, %k : tensor<?xf32>, index
  }
  return %r#1 : tensor<?xf32>
}
''',
    'calls': '''module {
  func.func private @outside(tensor<?xf32>) -> tensor<?xf32>
  func.func @twice(%x: tensor<?xf32>) -> tensor<?xf32> {
    %0 = arith.addf %x, %x : tensor<?xf32>
    return %0 : tensor<?xf32>
  }
  func.func @main(%a: tensor<6xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
    %c = tensor.cast %a : tensor<6xf32> to tensor<?xf32>
    %0 = call @twice(%c) : (tensor<?xf32>) -> tensor<?xf32>
    %1 = call @outside(%0) : (tensor<?xf32>) -> tensor<?xf32>
    return %0, %1 : tensor<?xf32>, tensor<?xf32>
  }
}
''',
    'loop': '''func.func @main(%x: tensor<4x?xf32>, %n: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = tensor.cast %x : tensor<4x?xf32> to tensor<?x?xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%a = %i) -> (tensor<?x?xf32>) {
    %s = arith.addf %a, %a : tensor<?x?xf32>
    scf.yield %s : tensor<?x?xf32>
  }
  return %r : tensor<?x?xf32>
}
''',
    'types': '''func.func @main(%a: tensor<?x2xf32, "sparse">, %b: memref<?x4xf32, strided<[4, 1], offset: ?>>, %c: vector<[4]xf32>,
    %d: !shape.shape, %e: tuple<i1, f32>, %f: complex<f64>, %g: tensor<*xi8>, %h: i77, %u: ui16) -> tensor<?x2xf32, "sparse"> {
  return %a : tensor<?x2xf32, "sparse">
}
''',
    'attributes': '''func.func @main(%x: tensor<?x3xf32>) -> tensor<3xi64> {
  %0 = arith.constant {a = [1, [unit, true], {b = "c", d = @main}], e = #arith.fastmath<fast>, f = affine_map<(d0) -> (d0 + 1)>,
    g = 0.5 : f64, h = i32, i = array<i1: true, false>, j = dense<1> : tensor<9999xi8>, k = dense_resource<z> : tensor<4xi64>,
    l = 123456789012345678901234567890 : i128, m = dense<[1.0, 2.0]> : tensor<2xf32>, n = 200 : ui8}
    dense<[1, -2, 9223372036854775807]> : tensor<3xi64>
  return %0 : tensor<3xi64>
}
''',
}
# The expected positions and names are of a text, or of none.
DROPPED = ('line', 'column', 'end_line', 'end_column', 'because', 'locations', 'related', 'loc')


def run(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=120)


def generic(text):
    """The program in generic form, or None where mlir-opt does not take it."""
    done = run(MLIR_OPT, '--mlir-print-op-generic', '--allow-unregistered-dialect', text=text)
    return done.stdout if done.returncode == 0 else None


def plain(value):
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items() if k not in DROPPED}
    return [plain(v) for v in value] if isinstance(value, list) else value


def answer(output):
    data = json.loads(output)
    functions = [{k: f[k] for k in ('name', 'argument_dims', 'result_dims', 'argument_values', 'result_values')}
                 for f in data['functions']]
    guards = sorted(g['expr'] for g in data['guards'])
    return data['status'], functions, guards, sorted(c['expr'] for c in data['constraints'])


class Test:
    def __init__(self):
        self.passed = self.failed = self.skipped = 0

    def expect(self, good, what, detail=''):
        if good:
            self.passed += 1
        else:
            self.failed += 1
            print('FAILED %s\n%s' % (what, detail))

    def same_answer(self, name, text):
        """A module in memory against its text."""
        whole = generic(text)
        if whole is None:
            self.expect(False, name, 'mlir-opt does not read it')
            return
        said = run(TOOL, '--allow-unregistered-dialect', '--emit', 'json', text=whole)
        wanted = run(SHAPE, 'check', '--json', '-', text=whole)
        try:
            a, b = answer(said.stdout), answer(wanted.stdout)
        except (ValueError, KeyError) as e:
            self.expect(False, name, '%s\n%s\n%s' % (e, said.stderr, wanted.stderr))
            return
        self.expect(a == b, name + ': the answer', '%s\n%s' % (a, b))

    def verifies(self, name, text, *options):
        """What is written is read by MLIR, verifies, and says the same again."""
        first = run(TOOL, '--allow-unregistered-dialect', *options, text=text)
        if first.returncode:
            return first
        check = run(MLIR_OPT, '--allow-unregistered-dialect', text=first.stdout)
        self.expect(check.returncode == 0, '%s %s: verifies' % (name, options), check.stderr[:2000] + first.stdout[:2000])
        return first


def own_programs(test):
    for name, text in OWN.items():
        test.same_answer(name, text)
        for options in (('--refine',), ('--dims',), ('--guards',), ('--refine', '--guards', '--dims')):
            done = test.verifies(name, text, *options)
            # The checks need a type of the argument that they are about; "types" has one that arith has no operation for.
            test.expect(done.returncode == 0, '%s %s' % (name, options), done.stderr)


def refined(test):
    done = run(TOOL, '--refine', text=OWN['loop'])
    test.expect('tensor<4x?xf32>' in done.stdout.split('scf.for', 1)[1], 'the loop carries 4 rows', done.stdout)
    again = run(TOOL, '--refine', text=done.stdout)
    test.expect(again.stdout.count('tensor.cast') <= done.stdout.count('tensor.cast') + 1, 'casts do not pile up', again.stdout)


def guarded(test):
    text = '''func.func @main(%x: tensor<?x?xf32>, %y: tensor<?xf32>) -> tensor<?x8xf32> {
  %0 = tensor.cast %x : tensor<?x?xf32> to tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}
'''
    done = run(TOOL, '--guards', text=text)
    test.expect(done.stdout.count('cf.assert') == 1 and 'must be 8' in done.stdout, 'one assertion', done.stdout + done.stderr)
    buffers = '''func.func @main(%a: memref<?x?xf32, strided<[?, 1], offset: ?>>, %b: memref<?x?xf32>, %c: memref<*xf32>) {
  linalg.copy ins(%a : memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%b : memref<?x?xf32>)
  %u = memref.cast %c : memref<*xf32> to memref<3xf32>
  return
}
'''
    done = test.verifies('buffers', buffers, '--guards')
    test.expect(done.stdout.count('memref.dim') == 4 and done.stdout.count('cf.assert') == 2, 'dims of buffers',
                done.stdout + done.stderr)


def errors(test):
    wrong = '''func.func @main(%x: tensor<2xf32>) -> tensor<?xf32> {
  %c = "tensor.cast"(%x) : (tensor<2xf32>) -> tensor<?xf32>
  %d = tensor.cast %c : tensor<?xf32> to tensor<3xf32>
  %e = tensor.cast %d : tensor<3xf32> to tensor<?xf32>
  return %e : tensor<?xf32>
}
'''
    done = run(TOOL, '--refine', text=wrong)
    test.expect(done.returncode == 1 and 'error' in done.stderr and ':3:' in done.stderr and not done.stdout,
                'an error is at its operation', done.stderr)
    for arguments, status in ((['--help'], 0), (['--nothing'], 2), (['--entry'], 2), (['/nowhere.mlir'], 3),
                              (['--emit', 'nothing'], 1), (['a', 'b'], 2)):
        done = run(TOOL, *arguments, text=OWN['calls'])
        test.expect(done.returncode == status, 'exit status of %s' % arguments, done.stderr)
    done = run(TOOL, text='')
    test.expect(done.returncode in (0, 1), 'an empty file', done.stderr)
    done = run(TOOL, text='module { func.func @f(')
    test.expect(done.returncode == 1 and 'error' in done.stderr, 'a syntax error', done.stderr)


def deep(test):
    """Regions in one another, far more than any program has: an error, no crash."""
    for depth in (50, 2000):
        text = 'func.func @main(%p: i1) {\n' + 'scf.if %p {\n' * depth + '}\n' * depth + 'return\n}\n'
        done = run(TOOL, '--emit', 'summary', text=text)
        test.expect(done.returncode in (0, 1), '%d regions in one another' % depth, done.stderr[:500])


def corpus(test):
    files = sorted(glob.glob(os.path.join(CORPUS, '*.mlir')))
    if not files:
        test.skipped += 1
        print('skipped: ../shared/corpus/compiler is not here')
        return
    taken = 0
    for path in files[::max(1, len(files) // (2 * PROGRAMS))]:
        with open(path) as f:
            text = f.read()
        if taken == PROGRAMS or generic(text) is None:
            continue
        taken += 1
        test.same_answer(os.path.basename(path), text)
        if taken % 3 == 0:
            test.verifies(os.path.basename(path), text, '--refine', '--guards')
    test.expect(taken == PROGRAMS, '%d programs of the corpus' % PROGRAMS, 'only %d' % taken)


def example(test):
    """The program of the README, before and after."""
    with open(os.path.join(ROOT, 'clients', 'mlir', 'README.md')) as f:
        blocks = re.findall(r'```mlir\n(.*?)```', f.read(), re.S)
    test.expect(len(blocks) == 2, 'the README has a program before and after')
    path = os.path.join(BUILD, 'plan.mlir')
    with open(path, 'w') as f:
        f.write(blocks[0])
    done = run(PLAN, path)
    test.expect(done.returncode == 0 and done.stdout.split() == blocks[1].split(), 'the plan of the README',
                done.stdout + done.stderr)


def main():
    test = Test()
    if not os.path.exists(TOOL) or not MLIR_OPT:
        print('skipped: %s is not there' % ('mlir-opt-22' if os.path.exists(TOOL) else TOOL + ' (make mlir)'))
        print('0 passed, 0 failed, 1 skipped')
        return 0
    own_programs(test)
    refined(test)
    guarded(test)
    errors(test)
    deep(test)
    corpus(test)
    example(test)
    print('%d passed, %d failed%s' % (test.passed, test.failed, ', %d skipped' % test.skipped if test.skipped else ''))
    return 1 if test.failed else 0


if __name__ == '__main__':
    sys.exit(main())
