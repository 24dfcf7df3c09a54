#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""solver/shape.h as it is installed: from C11, C++17, CMake and Python (cffi), linked shared and static.

The last line is `N passed, N failed[, N skipped]`.
"""
import atexit
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
import cases  # noqa: E402

FOLDER = tempfile.mkdtemp(prefix='shaped-api.')
atexit.register(shutil.rmtree, FOLDER, True)
USR = os.path.join(FOLDER, 'usr')
CC = os.environ.get('CC', 'cc').split()
MAX_BYTES = 700 * 1000  # of a program that reasons, linked static, without its symbol table


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **options)
    assert done.returncode == 0, '%s: %s' % (' '.join(command), done.stdout.decode()[-2000:])
    return done.stdout.decode()


def installed():
    """The folder of an installation, made once."""
    if not os.path.exists(USR):
        env = {k: v for k, v in os.environ.items() if k not in ('MAKEFLAGS', 'MAKELEVEL', 'MFLAGS', 'BUILD')}
        run('make', 'install', 'PREFIX=/usr', 'DESTDIR=' + FOLDER, cwd=ROOT, env=env)
    return USR


def environment():
    lib = os.path.join(installed(), 'lib')
    return dict(os.environ, PKG_CONFIG_PATH=os.path.join(lib, 'pkgconfig'), LD_LIBRARY_PATH=lib)


def flags(*options):
    return run('pkg-config', '--define-prefix', *options, '--cflags', '--libs', 'shape', env=environment()).split()


def build(source, name, compiler, *options):
    program = os.path.join(FOLDER, name)
    run(*compiler, source, *options, '-o', program, env=environment())
    return program


def header():
    with open(os.path.join(installed(), 'include', 'shaped', 'shape.h'), encoding='utf-8') as file:
        return file.read()


def declared():
    """Names of the functions that the header declares."""
    text = re.sub(r'typedef void[^;]*;', '', re.sub(r'//[^\n]*', '', header()))
    return set(re.findall(r'\b(shape_\w+)\s*\([^()]*\)\s*;', text))


def test_the_library_exports_what_the_header_declares():
    said = run('nm', '-D', '--defined-only', os.path.join(installed(), 'lib', 'libshape.so.1'))
    exported = {line.split()[2].split('@')[0] for line in said.strip().split('\n')} - {'SHAPE_1'}
    assert declared() == exported, (declared() ^ exported)


def test_the_header_includes_nothing_of_the_library():
    includes = re.findall(r'#\s*include\s*(\S+)', header())
    assert includes == ['<stdbool.h>', '<stddef.h>', '<stdint.h>'], includes
    source = os.path.join(FOLDER, 'alone.c')
    with open(source, 'w', encoding='utf-8') as out:
        out.write('#include <shape.h>\nint main(void) { return shape_version()[0] == 0; }\n')
    strict = ['-Wall', '-Wextra', '-Wpedantic', '-Wshadow', '-Wstrict-prototypes', '-Werror']
    for standard in ('c11', 'c17'):
        run(build(source, 'alone', CC, '-std=' + standard, *strict, *flags()), env=environment())
    strict.remove('-Wstrict-prototypes')
    run(build(source, 'alone', ['c++', '-x', 'c++'], '-std=c++17', *strict, *flags()), env=environment())


EXPECTED = '''\
past + seq == total          Unknown
... after unify              True
past <= total                True
simplify(past + seq)         total
seq divisible by 4           True
unify(seq, total + 1)        contradiction
... after rollback           Unknown
tiles(past + seq) == itself  True
tiles(..) == tiles(total)    True
total < past                 False
'''


def test_the_reasoning_service_of_onnx():
    source = os.path.join(ROOT, 'clients', 'c', 'examples', 'onnx_reasoning.cpp')
    with open(source, encoding='utf-8') as file:
        assert len(file.readlines()) < 150
    options = ['-std=c++17', '-Wall', '-Wextra', '-Werror']
    assert run(build(source, 'onnx', ['c++'], *options, *flags()), env=environment()) == EXPECTED


def page_programs():
    """The programs of the `c` blocks that open clients/c/README.md."""
    with open(os.path.join(ROOT, 'clients', 'c', 'README.md'), encoding='utf-8') as file:
        return re.findall(r'```c\n(.*?)```', file.read(), re.S)[:2]


MLIR = '''func.func @main(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c = stablehlo.concatenate %a, %b, dim = 0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %c : tensor<?x4xf32>
}
'''


def mlir_file():
    path = os.path.join(FOLDER, 'x.mlir')
    with open(path, 'w', encoding='utf-8') as out:
        out.write(MLIR)
    return path


def test_the_programs_of_the_page():
    first, second = page_programs()
    assert first.count('\n') <= 20 and second.count('\n') <= 30, (first.count('\n'), second.count('\n'))
    mlir = mlir_file()
    for text in (first, second):
        assert re.findall(r'#include <(shape[^>]*)>', text) == ['shape.h']
    for number, (text, argument, expected) in enumerate((
            (first, [mlir], 'a [S0, 4]\nb [S1, 4]\nc [S0 + S1, 4]\n'),
            (second, [], '[length, 64, batch]\nsame number of elements: yes\n'))):
        source = os.path.join(FOLDER, 'page%d.c' % number)
        with open(source, 'w', encoding='utf-8') as out:
            out.write(text)
        for compiler in (['cc', '-std=c11'], ['c++', '-std=c++17', '-x', 'c++']):
            program = build(source, 'page%d' % number, compiler, '-Wall', '-Werror', *flags())
            said = run(program, *argument, env=environment())
            assert said == expected, said
        static = build(source, 'static%d' % number, ['cc'], '-std=c11', '-static', *flags('--static'))
        assert run(static, *argument) == expected


def test_the_program_of_the_manual():
    with open(os.path.join(ROOT, 'deploy', 'manual', 'how-to', 'cpp.md'), encoding='utf-8') as file:
        text = re.search(r'```cpp\n(.*?)```', file.read(), re.S).group(1)
    source = os.path.join(FOLDER, 'manual.cpp')
    with open(source, 'w', encoding='utf-8') as out:
        out.write(text)
    assert run(build(source, 'manual', ['c++'], '-std=c++17', '-Wall', '-Werror', *flags()), env=environment()) == 'even\n'


def header_examples():
    """The code that sections of the header begin with: comments that are indented, up to the first blank line."""
    with open(os.path.join(ROOT, 'solver', 'shape.h'), encoding='utf-8') as file:
        sections = re.split(r'^// -{60,} .*$', file.read(), flags=re.M)[1:]
    blocks = [re.findall(r'^//   (.*)$', section.strip('\n').partition('\n\n')[0], flags=re.M) for section in sections]
    return [[line for line in block if not line.startswith('{"')] for block in blocks if block]


def test_the_examples_of_the_header_compile():
    known = ('shape_program *p, const void *bytes, size_t length, shape_token *token, shape_analysis *a, shape_context *c, '
             'shape_value x, shape_value y, shape_program *before, shape_program *after, FILE *file, shape_write *write, '
             'void *to, shape_decider *d, const char *request')
    text = '#include <shape.h>\n#include <stdio.h>\n#include <string.h>\nvoid share_a_buffer(shape_value x, shape_value y);\n'
    examples = header_examples()
    assert len(examples) >= 11, len(examples)
    text += ''.join(line + '\n' for block in examples for line in block if line.startswith('static '))
    for number, block in enumerate(examples):
        body = '\n'.join('    ' + line for line in block if not line.startswith('static '))
        text += 'void example_%d(%s);\nvoid example_%d(%s) {\n  {\n%s\n  }\n}\n' % (number, known, number, known, body)
    source = os.path.join(FOLDER, 'header.c')
    with open(source, 'w', encoding='utf-8') as out:
        out.write(text)
    run('cc', '-std=c11', '-Wall', '-Werror', '-Wno-unused', '-c', source, '-o', source + '.o', *flags())


SESSION = '''
#include <shape.hpp>
#include <cstdio>
int main() {
  static const char text[] = "func.func @main(%a: tensor<?x4xf32>) -> tensor<?x4xf32> {\\n"
                             "  %x = stablehlo.abs %a : tensor<?x4xf32>\\n  return %x : tensor<?x4xf32>\\n}\\n";
  shape_program *p = shape_program_new(nullptr);
  shape_program_load(p, text, sizeof text - 1, nullptr);
  shape::Session s(p);
  shape_program_free(p);
  s.push({"arg0.0 == 5"});
  std::printf("%s ", s.changed()[1].after.dims[0]);
  s.pop();
  shape_edit e{};
  e.kind = SHAPE_EDIT_RETYPE;
  e.value = s.find("a");
  e.text = "\\"tensor<6x4xf32>\\"";
  try {
    s.edit({e});
    shape_session_shape shape;
    s.shape(s.find("x"), shape);
    std::printf("%u %d ", shape.rank, s.same_shape(s.find("a"), s.find("x")));
    e.value = 77;
    s.edit({e});
  } catch (const shape::Error &error) {
    std::printf("%d %s\\n", error.status == SHAPE_INVALID, error.what());
  }
  return s.op_of(s.find("x")) != 0 || s.prove("1 == 1") != SHAPE_YES;
}
'''


def test_sessions_from_cxx():
    source = os.path.join(FOLDER, 'session.cpp')
    with open(source, 'w', encoding='utf-8') as out:
        out.write(SESSION)
    program = build(source, 'session', ['c++'], '-std=c++17', '-Wall', '-Wextra', '-Werror', *flags())
    said = run(program, env=environment())
    assert said == '5 2 1 1 there is no value 77\n', said


REASON = '''
#include <shape.h>
#include <stdio.h>
int main(void) {
  shape_context *c = shape_context_new(NULL);
  shape_expr n = shape_context_dim(c, "N"), m = shape_context_dim(c, "M");
  shape_context_assume_text(c, "M == 4*N", "reshape", NULL);
  printf("%d", shape_context_prove(c, SHAPE_DIVISIBLE, m, shape_context_integer(c, 2)));
  shape_expr values[2] = {n, m};
  int64_t at[2];
  shape_bounds b;
  shape_reason why[2];
  uint32_t count;
  shape_checkpoint k = shape_context_checkpoint(c);
  printf("%d", shape_context_unify(c, shape_context_simplify(c, m), n, "x", NULL));
  printf("%d", shape_context_model(c, values, 2, at) == SHAPE_YES && at[0] == 0);
  printf("%d", shape_context_bounds(c, m, &b));
  printf("%d", shape_context_reasons(c, SHAPE_EQ, n, shape_context_integer(c, 0), why, 2, &count));
  printf("%u%d\\n", count, shape_context_rollback(c, k));
  shape_context_free(c);
  return 0;
}
'''


def test_reasoning_alone_is_small_and_links_no_reader():
    source = os.path.join(FOLDER, 'reason.c')
    with open(source, 'w', encoding='utf-8') as out:
        out.write(REASON)
    include = os.path.join(installed(), 'include', 'shaped')
    archive = os.path.join(installed(), 'lib', 'libshape.a')
    gmp = '-l:libgmp.a' if 'libgmp.a' in run(*CC, '-print-file-name=libgmp.a') else '-lgmp'
    program = build(source, 'reason', CC, '-std=c11', '-O2', '-I' + include, archive, gmp, '-Wl,--gc-sections')
    assert run(program) == '1010020\n', run(program)
    names = run('nm', program)
    for part in ('graph_init', 'infer_run', 'report_make', 'onnx_', 'mlir_', 'graph_json', 'json_'):
        assert not re.search(r' [tT] %s' % part, names), part
    run('strip', program)
    size = os.path.getsize(program)
    assert size < MAX_BYTES, size
    print('       a program that reasons, linked static (with GMP, without libc): %d bytes' % size)


PYTHON = r'''
import re, sys
import cffi
ffi = cffi.FFI()
text = open(sys.argv[1]).read()
text = re.sub(r'//[^\n]*', '', text)
text = re.sub(r'#ifdef __cplusplus.*?(#else.*?)?#endif', '', text, flags=re.S)
text = re.sub(r'^[ \t]*#.*?(?<!\\)$', '', text, flags=re.M | re.S)
text = re.sub(r'\bSHAPE_(?:GIVE|TAKE|KEEP)\b', '', text)
ffi.cdef(text)
lib = ffi.dlopen(sys.argv[2])
c = lib.shape_context_new(ffi.NULL)
n, m = lib.shape_context_dim(c, b'N'), lib.shape_context_dim(c, b'M')
outcome = ffi.new('shape_answer *')
assert lib.shape_context_assume_text(c, b'M == 4*N + 2', b'node 7', outcome) == lib.SHAPE_OK
assert outcome[0] == lib.SHAPE_UNKNOWN
assert lib.shape_context_prove(c, lib.SHAPE_DIVISIBLE, m, lib.shape_context_integer(c, 2)) == lib.SHAPE_YES
reasons, count = ffi.new('shape_reason[4]'), ffi.new('uint32_t *')
assert lib.shape_context_reasons(c, lib.SHAPE_GE, m, lib.shape_context_integer(c, 2), reasons, 4, count) == lib.SHAPE_OK
assert ffi.string(reasons[0].origin) == b'node 7' and count[0] == 1
limits = ffi.new('shape_limits *', {'struct_size': ffi.sizeof('shape_limits'), 'steps': 5})
program, data = lib.shape_program_new(ffi.NULL), open(sys.argv[3], 'rb').read()
assert lib.shape_program_load(program, ffi.from_buffer(data), len(data), b'x.mlir') == lib.SHAPE_OK
analysis = lib.shape_program_analyze(program, ffi.NULL)
shapes = [ffi.string(lib.shape_analysis_shape(analysis, v)) for v in range(lib.shape_analysis_value_count(analysis))]
assert shapes == [b'[S0, 4]', b'[S1, 4]', b'[S0 + S1, 4]'], shapes
written = []
write = ffi.callback('shape_write', lambda to, text, length: written.append(ffi.unpack(text, length)))
assert lib.shape_analysis_emit(analysis, b'summary', write, ffi.NULL) == lib.SHAPE_OK and b''.join(written)[:1] == b'{'
lib.shape_analysis_free(analysis)
lib.shape_program_free(program)
p = lib.shape_program_new(ffi.NULL)
n = lib.shape_program_symbol(p, b'N', 0, 2**63 - 1, 1)
types = [lib.shape_program_tensor(p, b'f32', dims, 2) for dims in ([n, 4], [4, -2**63])]
body = lib.shape_program_body(p, lib.shape_program_add_function(p, b'main', types[:1], 1))
order = ffi.new('int64_t[]', [1, 0])
keep = [ffi.new('char[]', t) for t in (b'permutation', b'stablehlo.transpose', b'func.return')]
attribute = ffi.new('shape_attribute[1]', [{'name': keep[0], 'kind': lib.SHAPE_ATTRIBUTE_INTS, 'ints': order, 'count': 2}])
operand, result = ffi.new('shape_value[]', [lib.shape_program_argument(p, body, 0)]), ffi.new('shape_type[]', types[1:])
spec = {'struct_size': ffi.sizeof('shape_op_spec'), 'name': keep[1], 'operands': operand, 'operand_count': 1,
        'results': result, 'result_count': 1, 'attributes': attribute, 'attribute_count': 1}
y = lib.shape_program_result(p, lib.shape_program_add_op(p, body, ffi.new('shape_op_spec *', spec)), 0)
end = ffi.new('shape_value[]', [y])
spec = {'struct_size': ffi.sizeof('shape_op_spec'), 'name': keep[2], 'operands': end, 'operand_count': 1}
lib.shape_program_add_op(p, body, ffi.new('shape_op_spec *', spec))
a = lib.shape_program_analyze(p, ffi.NULL)
assert lib.shape_analysis_same_element_count(a, operand[0], y) == lib.SHAPE_YES
lib.shape_analysis_free(a)
lib.shape_program_free(p)
lib.shape_context_free(c)
lib.shape_context_free(lib.shape_context_new(limits))
print('ok')
'''


def test_python_uses_the_header_by_cffi():
    try:
        import cffi  # noqa: F401
    except ImportError:
        raise cases.Skipped('python3-cffi is not installed')
    said = run(sys.executable, '-c', PYTHON, os.path.join(installed(), 'include', 'shaped', 'shape.h'),
               os.path.join(installed(), 'lib', 'libshape.so.1'), mlir_file())
    assert said == 'ok\n', said


def test_cmake_finds_the_package():
    if not shutil.which('cmake'):
        raise cases.Skipped('cmake is not installed')
    folder = os.path.join(FOLDER, 'cmake')
    os.mkdir(folder)
    with open(os.path.join(folder, 'main.c'), 'w', encoding='utf-8') as out:
        out.write(REASON)
    with open(os.path.join(folder, 'CMakeLists.txt'), 'w', encoding='utf-8') as out:
        out.write('cmake_minimum_required(VERSION 3.13)\nproject(x C)\nfind_package(shape 0.1 REQUIRED)\n'
                  'add_executable(shared main.c)\ntarget_link_libraries(shared shape::shape)\n'
                  'add_executable(static main.c)\ntarget_link_libraries(static shape::static)\n')
    run('cmake', '-S', folder, '-B', folder + '/build', '-DCMAKE_PREFIX_PATH=' + installed())
    run('cmake', '--build', folder + '/build')
    assert run(folder + '/build/shared', env=environment()) == run(folder + '/build/static')


if __name__ == '__main__':
    sys.exit(cases.main(globals(), sys.argv[1:]))
