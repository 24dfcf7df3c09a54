#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`shape check` as a user meets it: answers, invalid input, exit statuses. Reads SHAPE (default build/shape).

Every answer in JSON is held against proto/schema/check-answer.json. The last line is `N passed, N failed`.
"""
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import main  # noqa: E402
from schema import Schema  # noqa: E402

SHAPE = os.environ.get('SHAPE', os.path.join(ROOT, 'build', 'shape'))
ANSWER = Schema(os.path.join(ROOT, 'proto', 'schema', 'check-answer.json'))

GOOD = '''func.func @main(%arg0: tensor<?x4xf32>, %arg1: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.add %arg0, %arg1 : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
'''
CONFLICT = '''func.func @main(%arg0: tensor<3xf32>, %arg1: tensor<4xf32>) -> tensor<?xf32> {
  %0 = "stablehlo.concatenate"(%arg0, %arg1) {dimension = 0 : i64} : (tensor<3xf32>, tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
'''


JSON = json.dumps({
    'symbols': [{'name': 'batch', 'min': 1, 'max': 64, 'likely': [8, 16]}, {'name': 'H', 'divisible_by': 8}],
    'functions': [{
        'name': 'main',
        'arguments': ['x', {'dtype': 'f32', 'dims': ['batch', 'H']}, 'y', {'dtype': 'f32', 'dims': [None, 'H']},
                      'z', 'tensor<?xf32>'],
        'ops': [{'name': 'stablehlo.add', 'operands': ['x', 'y'], 'results': ['s', 'tensor<?x?xf32>']},
                {'name': 'stablehlo.reshape', 'operands': ['z'], 'results': ['r', 'tensor<2x3xf32>']}],
        'returns': ['s']}]})


class Run:
    def __init__(self, arguments, stdin=b'', env=None, timeout=20):
        done = subprocess.run([SHAPE] + arguments, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=timeout, env=dict(os.environ, **(env or {})), check=False)
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr.decode('utf-8', 'replace')

    def text(self):
        return self.out.decode('utf-8')

    def answer(self):
        """The one JSON object of the output, valid by the schema."""
        document = json.loads(self.text())
        problems = ANSWER.problems(document)
        assert not problems, 'schema: ' + '; '.join(problems[:3])
        assert self.out.endswith(b'\n') and self.out.count(b'\n') == 1, 'not one line'
        return document


def check(text, *options, **more):
    data = text.encode('utf-8') if isinstance(text, str) else text
    return Run(['check', '--json', *options, '-'], data, **more)


def errors(document):
    return [d for d in document['diagnostics'] if d['severity'] == 'error']


def expect_error(text, message=None, line=None, status=1):
    """The text is refused with an error that has a location, on stdout and in both forms of the answer."""
    run = check(text)
    assert run.status == status, 'status %d, expected %d: %s' % (run.status, status, run.err)
    document = run.answer()
    found = errors(document)
    assert document['status'] == 'error' and found, 'no error'
    if message:
        assert any(message in d['message'] for d in found), found[0]['message']
    if line:
        assert any(d['line'] == line for d in found), 'line %s' % [d['line'] for d in found]
    plain = Run(['check', '-'], text.encode('utf-8') if isinstance(text, str) else text)
    assert plain.status == status and b'error' in plain.out, plain.out[:200]


# ---------------------------------------------------------------- what works

def test_good_program():
    run = check(GOOD)
    assert run.status == 0, run.err
    document = run.answer()
    main = document['functions'][0]
    assert document['status'] == 'ok' and main['name'] == 'main'
    assert main['results'] == ['tensor<?x4xf32>']
    assert main['argument_dims'] == [['S0', 4], ['S0', 4]], main['argument_dims']
    assert main['ops'] == [{'line': 2, 'name': 'stablehlo.add', 'results': ['tensor<?x4xf32>'], 'dims': [['S0', 4]]}]
    symbol = document['symbols'][0]
    assert symbol['name'] == 'S0' and symbol['min'] == 0 and symbol['max'] is None
    assert symbol['origin'] == {'kind': 'argument_size', 'function': 'main', 'argument': 0, 'axis': 0, 'line': 1}


def test_same_bytes_twice():
    assert check(GOOD).out == check(GOOD).out
    assert check(CONFLICT).out == check(CONFLICT).out


def test_text_answer():
    run = Run(['check', '-'], GOOD.encode())
    assert run.status == 0
    assert 'function @main' in run.text() and '[S0, 4]' in run.text(), run.text()
    assert '\033' not in run.text()
    assert all(len(line) <= 80 for line in run.text().split('\n')), max(run.text().split('\n'), key=len)


def test_a_conflict_is_shown_with_its_location():
    run = Run(['check', '-'], CONFLICT.encode())
    assert run.status == 1
    assert '<stdin>:2:' in run.text() and 'error:' in run.text() and '^' in run.text(), run.text()


def test_several_files():
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, text in (('a.mlir', GOOD), ('b.mlir', CONFLICT), ('c.mlir', GOOD)):
            paths.append(os.path.join(folder, name))
            with open(paths[-1], 'w', encoding='utf-8') as handle:
                handle.write(text)
        run = Run(['check', '--json', *paths])
        assert run.status == 1
        assert [json.loads(x)['status'] for x in run.text().splitlines()] == ['ok', 'error', 'ok']
        run = Run(['check', '--json', paths[0], os.path.join(folder, 'none.mlir'), paths[1]])
        assert run.status == 3, run.status
        assert len(run.text().splitlines()) == 2 and 'none.mlir' in run.err


def test_argument_types():
    run = check(GOOD, '--arg-types', 'tensor<3x4xf32>,tensor<3x4xf32>')
    assert run.status == 0
    assert run.answer()['functions'][0]['results'] == ['tensor<3x4xf32>']
    run = check(GOOD, '--arg-types', 'tensor<3x4xf32>,tensor<5x4xf32>')
    assert run.status == 1 and errors(run.answer())


def test_bindings():
    run = check(GOOD, '--bind', 'arg0.0=7')
    assert run.status == 0
    assert run.answer()['functions'][0]['result_dims'] == [[7, 4]]
    assert check(GOOD, '--bind=arg0.0=7').out == run.out


def test_assumptions():
    run = check(GOOD, '--assume', 'arg0.0 % 8 == 0')
    document = run.answer()
    if run.status == 0:
        assert document['assumptions'] == ['arg0.0 % 8 == 0'], document['assumptions']
    document = check(JSON, '--assume', 'H % 16 == 0').answer()
    assert document['status'] == 'ok' and 'H % 16 == 0' in document['assumptions']
    assert [s['divisible_by'] for s in document['symbols'] if s['name'] == 'H'] == [16]
    assert check(JSON, '--assume', 'H == 17').status == 1


def test_json_graph():
    run = check(JSON)
    assert run.status == 0, run.text()
    document = run.answer()
    main = document['functions'][0]
    assert main['argument_dims'] == [['batch', 'H'], ['batch', 'H'], [6]], main['argument_dims']
    assert main['values']['r'] == {'type': 'float32', 'dims': [2, 3]}
    batch = document['symbols'][0]
    assert (batch['name'], batch['min'], batch['max'], batch['likely']) == ('batch', 1, 64, [8, 16])
    assert batch['origin'] == {'kind': 'declared', 'function': 'main', 'argument': 0, 'axis': 0, 'line': 1}
    assert check(JSON, '--bind', 'batch=4,H=32').answer()['functions'][0]['result_dims'] == [[4, 32]]
    assert check(JSON, '--bind', 'batch=65').status == 1


# ---------------------------------------------------------------- invalid input

def test_empty():
    expect_error('', 'empty', 1)
    expect_error('   \n\n\t ', 'empty', 1)


def test_binary():
    expect_error(bytes(range(256)) * 16, 'binary')
    expect_error(b'\x7fELF\x02\x01\x01' + bytes(64), 'binary')


def test_bytecode():
    expect_error(b'ML\xefR\x0dMLIR17.0.0\x00' + bytes(40), 'bytecode')
    expect_error(b'ML\xefR\x0dStableHLO_v1.0.0\x00' + bytes(40), 'byte ')


def test_bytecode_from_standard_input_and_by_any_name():
    path = os.path.join(ROOT, 'tests', 'golden', 'check', 'bytecode', 'program.mlirbc')
    with open(path, 'rb') as f:
        data = f.read()
    piped = Run(['check', '--json', '-'], data)
    assert piped.status == 0 and len(piped.answer()['functions'][0]['ops']) == 3
    with tempfile.NamedTemporaryFile(suffix='.onnx') as other:
        other.write(data)
        other.flush()
        assert Run(['check', '--json', other.name]).answer() == piped.answer()


def test_truncated():
    for n in range(1, len(GOOD) - 3, 7):
        run = check(GOOD[:n])
        assert run.status in (0, 1), 'status %d at %d' % (run.status, n)
        run.answer()
    expect_error(GOOD[:60])
    expect_error(GOOD[:-3])


def test_no_type():
    expect_error(GOOD.replace('tensor<?x4xf32> {', 'tensor<?x4xq77> {'), None, 1)
    expect_error(GOOD.replace('%arg1 : tensor<?x4xf32>', '%arg1 : tensor<?x>'), None, 2)


def test_undefined_value():
    expect_error(GOOD.replace('%arg0, %arg1 :', '%arg0, %nothing :'), 'nothing', 2)


def test_use_before_definition():
    text = '''func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %1, %arg0 : tensor<2xf32>
  %1 = stablehlo.add %arg0, %arg0 : tensor<2xf32>
  return %0 : tensor<2xf32>
}
'''
    expect_error(text, None, 2)


def test_deep_nesting():
    expect_error('module {' * 10000)
    expect_error('func.func @main(%arg0: ' + 'tuple<' * 10000 + 'f32' + '>' * 10000 + ') { return }')
    expect_error('"a.b"() {x = ' + '[' * 10000 + ']' * 10000 + '} : () -> ()')
    expect_error('"a.b"() ({' * 10000 + '}) : () -> ()' * 10000)
    expect_error('[' * 10000)
    expect_error('{"functions": ' + '[' * 10000)


def test_spaces():
    run = check(b' ' * 100_000_000, timeout=60)
    assert run.status == 1 and 'empty' in errors(run.answer())[0]['message']


def test_long_integer():
    digits = '9' * 10000
    run = check(GOOD.replace('?x4xf32> {', '?x%sxf32> {' % digits))
    assert run.status == 1
    run.answer()
    run = check('func.func @main() -> tensor<i64> {\n  %%0 = stablehlo.constant dense<%s> : tensor<i64>\n'
                '  return %%0 : tensor<i64>\n}\n' % digits)
    assert run.status == 1, run.status
    run.answer()
    assert Run(['check', '--bind', 'arg0.0=' + digits, '-'], GOOD.encode()).status == 2


def test_cycle_of_calls():
    text = '''func.func @main(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @other(%arg0) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @other(%arg0: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @main(%arg0) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
'''
    run = check(text)
    assert run.status in (0, 1), run.status
    run.answer()


def test_dense_of_wrong_length():
    expect_error('func.func @main() -> tensor<3xi64> {\n  %0 = stablehlo.constant dense<[1, 2]> : tensor<3xi64>\n'
                 '  return %0 : tensor<3xi64>\n}\n', None, 2)


def test_no_json():
    expect_error('{', 'found the end of the text', 1)
    expect_error('{"a": 1,}', 'expected a key', 1)
    expect_error('{\n"a": 1,\n"a": 2}', 'twice', 3)
    expect_error('{"a": tru}', None, 1)
    expect_error(b'{"a": "\xff"}', 'UTF-8', 1)
    expect_error('{} {}', 'end of the text', 1)


def test_json_with_a_wrong_type():
    expect_error('{"functions": 3}', 'functions')
    expect_error('{"functions": [{"name": 7, "ops": []}]}', 'functions[0].name')


# ---------------------------------------------------------------- usage

def test_usage():
    for arguments in ([], ['nothing'], ['check'], ['check', '--nothing', '-'], ['check', '--bind'],
                      ['check', '--bind', 'x', '-'], ['check', '--bind', 'arg0.0=z', '-'],
                      ['check', '--arg-types', 'tensor<', '-'], ['check', '--json=1', '-'],
                      ['check', '--steps', 'many', '-']):
        run = Run(arguments, GOOD.encode())
        assert run.status == 2, '%s: status %d' % (arguments, run.status)
        assert 'hint:' in run.err and not run.out, (arguments, run.err, run.out)
    assert "did you mean '--json'" in Run(['check', '--jsno', '-']).err


def test_unreadable():
    run = Run(['check', '/nonexistent/file.mlir'])
    assert run.status == 3 and '/nonexistent/file.mlir' in run.err
    assert Run(['check', '--json', ROOT]).status == 3
    # Offsets have 32 bits: what is larger is not read, but where it is a model whose data is left out.
    with tempfile.NamedTemporaryFile() as large:
        large.write(b'ML\xefR')
        large.truncate(5 << 30)
        run = Run(['check', large.name])
        assert run.status == 3 and 'File too large' in run.err, run.err


def test_help_fits_a_terminal():
    with open(os.path.join(ROOT, 'clients', 'cli', 'commands.def'), encoding='utf-8') as file:
        commands = re.findall(r'^X\("([\w-]+)"', file.read(), re.M)
    assert len(commands) > 8
    texts = [Run([c, '--help']).text() for c in commands] + [Run(['--help']).text()]
    for program in ('shaped', 'shape-lsp'):
        path = os.path.join(os.path.dirname(SHAPE), program)
        texts.append(subprocess.run([path, '--help'], stdout=subprocess.PIPE, check=True).stdout.decode())
    wide = [line for text in texts for line in text.splitlines() if len(line) > 80]
    assert not wide, wide


def test_help_and_version():
    for arguments in (['--help'], ['-h'], ['help'], ['check', '--help'], ['check', '-h'], ['help', 'check']):
        run = Run(arguments)
        assert run.status == 0 and run.out.startswith(b'usage: shape'), arguments
    assert Run(['--version']).text().startswith('shape ')


def test_budget():
    run = check(GOOD, '--memory', '1')
    assert run.status in (0, 4)
    run.answer()


def test_werror():
    assert check(GOOD, '--werror').status == 0


def test_refinable():
    assert check(GOOD, '--refinable').status == 0


def large(lines):
    """A program whose file is mapped."""
    body = ''.join('  %%%d = stablehlo.add %%%s, %%arg0 : tensor<?x4xf32>\n' % (i, i - 1 if i else 'arg0')
                   for i in range(lines))
    text = GOOD[:GOOD.index('\n') + 1] + body + '  return %%%d : tensor<?x4xf32>\n}' % (lines - 1)
    return text.encode() + b'\n'


def test_large_file():
    for over in (0, 1, 4095):  # bytes over whole pages
        text = large(30000)
        text += b' ' * ((over - len(text)) % 4096)
        assert len(text) > 1 << 20
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'large.mlir')
            with open(path, 'wb') as file:
                file.write(text)
            mapped = Run(['check', '--json', path]).text()
        read = Run(['check', '--json', '-'], text).text()
        assert mapped == read.replace('<stdin>', path)


def test_large_file_that_changes():
    """The answer is that of the file as it was, also where others write to it meanwhile; they need not wait for the end. What
    refine writes is copied from the text while its reader waits."""
    text = large(30000)
    for command, change in itertools.product((['check', '--json'], ['refine']), ('truncate', 'overwrite', 'remove')):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'large.mlir')
            with open(path, 'wb') as file:
                file.write(text)
            expected = Run(command + [path]).out
            assert len(expected) > 1 << 20
            with subprocess.Popen([SHAPE] + command + [path], stdout=subprocess.PIPE) as run:
                first = run.stdout.read(1)  # it waits for its reader from now on
                if change == 'remove':
                    os.remove(path)
                else:
                    with open(path, 'wb' if change == 'truncate' else 'r+b') as file:
                        file.write(b'' if change == 'truncate' else b'x' * len(text))
                assert first + run.stdout.read() == expected, (command, change)
            assert run.returncode == 0, (command, change)


def test_closed_output():
    with open('/dev/full', 'wb') as full:
        done = subprocess.run([SHAPE, 'check', '-'], input=GOOD.encode(), stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode != 0


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
