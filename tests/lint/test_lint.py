#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows each check of the lint a small tree with an error in it, and one without: no check can pass everything.

  tests/lint/test_lint.py     ends in `N passed, N failed[, N skipped]`
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import c_scan  # noqa: E402
import lint  # noqa: E402
import words  # noqa: E402

SPDX = lint.SPDX + '\n'


class LintTest(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp(prefix='shape-lint-')
        self.addCleanup(shutil.rmtree, self.root)

    def problems(self, check, files):
        """What a check says of a tree with just these files."""
        for path, text in files.items():
            whole = os.path.join(self.root, path)
            os.makedirs(os.path.dirname(whole), exist_ok=True)
            with open(whole, 'w', encoding='utf-8') as handle:
                handle.write(text)
        return lint.CHECKS[check](lint.Tree(self.root))

    def refuses(self, check, files, *words):
        found = self.problems(check, files)
        self.assertEqual(len(found), 1, found)
        for word in words:
            self.assertIn(word, found[0])

    def accepts(self, check, files):
        self.assertEqual(self.problems(check, files), [])

    # private

    def test_private_accepts_the_header_and_accessors(self):
        self.accepts('private', {
            'solver/graph/attr.h': 'static inline int one(const graph_attr *a) { return a->payload.ints[0]; }\n',
            'solver/formats/json/encode.c': 'int f(payload *payload) { return attr_one_int(payload->a); }\n'})

    def test_private_refuses_any_other_file(self):
        self.refuses('private', {'solver/ops/rules/pad.c': 'int f(const graph_attr *a) { return a->payload.ints[0]; }\n'},
                     'solver/ops/rules/pad.c:1', 'solver/graph/attr.h')
        self.refuses('private', {'solver/ops/rules/pad.c': 'graph_attr a = {.payload.ints = values};\n'}, 'pad.c:1')

    # limits

    def test_limits_accepts_rows_and_tags(self):
        table = 'LIMIT(A_DEPTH, 1 << 4, "levels", "nesting",\n      "unknown",\n      "halved: 1 answer weaker")\n'
        table = '// --- decide: a\n' + table
        self.accepts('limits', {
            'solver/term/limits.def': table, 'solver/LIMITS.md': lint.limits.page(table),
            'solver/decide/a.c': 'enum side { LEFT = 1, RIGHT = 2 };\nint f(int n) { return n < A_DEPTH && n << 9 && n > 7; }\n'})

    def test_limits_refuses_numbers_of_their_own(self):
        for text in ('enum { DEPTH = 4 };', 'enum {\n  A,\n  DEPTH = (1 << 3) };', '#define DEPTH 40',
                     'static const int64_t DEPTH = (int64_t)1 << 24;', 'int f(int n) { return n <= 8; }',
                     'void f(void) { for (int i = 0; i < 3; i++) g(); }'):
            self.refuses('limits', {'solver/facts/a.c': text + '\n'}, 'solver/facts/a.c:')

    def test_limits_refuses_rows_without_use_and_another_page(self):
        table = '// --- decide: a\nLIMIT(A_DEPTH, 4, "levels", "nesting", "unknown", "")\n'
        found = self.problems('limits', {'solver/term/limits.def': table, 'solver/LIMITS.md': '# Limits\n'})
        self.assertEqual([sum(word in problem for problem in found) for word in ('empty', 'nowhere', 'update')], [1, 1, 1])

    # layers

    def test_layers_accepts_the_arrow(self):
        self.accepts('layers', {
            'solver/base/vec.h': '', 'solver/term/table.c': '#include "solver/base/vec.h"\n',
            'solver/term/term.h': '#include "solver/term/kinds.def"\n#include <stdint.h>\n', 'solver/term/kinds.def': '',
            'solver/shape.h': '', 'solver/shape.c': '#include "solver/term/term.h"\n#include "solver/shape.h"\n',
            'proto/rpc/rpc.c': '#include "solver/shape.h"\n', 'proto/rpc/rpc.h': '',
            'server/main.c': '#include "proto/rpc/rpc.h"\n', 'clients/c/client.h': '',
            'clients/cli/main.c': '#include "clients/c/client.h"\n',
            'tests/unit/test_a.c': '#include "solver/term/term.h"\n#include <criterion/criterion.h>\n'})

    def test_layers_refuses_upwards(self):
        self.refuses('layers', {'solver/term/term.h': '', 'solver/base/vec.c': '#include "solver/term/term.h"\n'},
                     'solver/base/vec.c:1', 'base may not include term')

    def test_layers_refuses_every_upward_pair(self):
        order = lint.LAYERS + ['server']
        for i, low in enumerate(order):
            for high in order[i + 1:]:
                self.assertEqual(lint.may_include(high, low), low in lint.SEES.get(high, order), (high, low))
                self.assertFalse(lint.may_include(low, high), (low, high))

    def test_layers_refuses_checker_to_what_it_checks(self):
        self.accepts('layers', {'solver/term/query.h': '', 'solver/certify/a.c': '#include "solver/term/query.h"\n'})
        self.refuses('layers', {'solver/facts/store.h': '', 'solver/certify/b.c': '#include "solver/facts/store.h"\n'},
                     'b.c:1', 'certify may not include facts')

    def test_layers_refuses_solver_to_public_header(self):
        self.refuses('layers', {'solver/shape.h': '', 'solver/ops/op.h': '\n#include "solver/shape.h"\n'}, 'op.h:2')

    def test_layers_refuses_angle_form(self):
        self.refuses('layers', {'proto/a.h': '', 'solver/ops/op.h': '#include <proto/a.h>\n'}, 'may not include proto')

    def test_layers_refuses_clients_to_server_and_back(self):
        self.refuses('layers', {'server/a.h': '', 'clients/cli/b.c': '#include "server/a.h"\n'}, 'clients/cli/b.c')
        self.refuses('layers', {'clients/cli/b.c': '', 'clients/cli/b.h': '',
                                'server/c.c': '#include "clients/cli/b.h"\n'}, 'server/c.c')

    def test_layers_refuses_tests_in_sources(self):
        self.refuses('layers', {'tests/support/x.h': '', 'server/c.c': '#include "tests/support/x.h"\n'}, 'server/c.c')

    def test_layers_refuses_relative_and_absent(self):
        self.refuses('layers', {'solver/base/vec.h': '', 'solver/base/vec.c': '#include "vec.h"\n'}, 'no path')
        self.refuses('layers', {'solver/base/vec.c': '#include "solver/base/../base/vec.h"\n'}, 'no path')

    def test_layers_refuses_unknown_folder(self):
        self.refuses('layers', {'solver/misc/a.h': ''}, 'no place')

    def test_layers_reads_def_files_and_skips_comments(self):
        self.refuses('layers', {'proto/a.h': '', 'solver/ops/x.def': '#include "proto/a.h"\n'}, 'x.def:1')
        self.accepts('layers', {'proto/a.h': '', 'solver/ops/x.def': '// #include "proto/a.h"\n/*\n#include "no"\n*/\n'})

    def test_layers_holds_the_order_within_a_folder(self):
        self.accepts('layers', {
            'solver/formats/mlir/a.h': '', 'solver/formats/json/b.h': '#include "solver/formats/mlir/a.h"\n',
            'solver/formats/formats.c': '#include "solver/formats/json/b.h"\n#include "solver/formats/mlir/a.h"\n',
            'proto/errors.def': '', 'proto/rpc/c.c': '#include "proto/errors.def"\n',
            'solver/ops/rules/onnx/d.c': '#include "solver/ops/rules/common/e.h"\n', 'solver/ops/rules/common/e.h': '',
            'clients/cli/batch/f.c': '#include "clients/cli/g.h"\n', 'clients/cli/g.h': ''})

    def test_layers_refuses_against_the_order_within_a_folder(self):
        for source, target in (('solver/formats/mlir/a.c', 'solver/formats/json/b.h'),
                               ('solver/formats/onnx/a.c', 'solver/formats/mlir/b.h'),
                               ('solver/formats/json/a.c', 'solver/formats/formats.h'),
                               ('solver/ops/rules/common/a.c', 'solver/ops/rules/onnx/b.h'),
                               ('proto/rpc/a.c', 'proto/methods/b.h'), ('clients/cli/a.c', 'clients/lsp/b.h')):
            with self.subTest(source):
                self.refuses('layers', {source: '#include "%s"\n' % target, target: ''}, source, 'may not include')
                os.remove(os.path.join(self.root, source))

    def test_layers_refuses_unknown_folder_within_a_folder(self):
        self.refuses('layers', {'solver/formats/xml/a.c': '#include "solver/base/vec.h"\n', 'solver/base/vec.h': ''},
                     'solver/formats/xml has no place')

    # api

    def test_api(self):
        header = {'solver/shape.h': '', 'solver/term/term.h': '', 'solver/base/wrap.h': ''}
        with unittest.mock.patch.object(lint, 'INNER_HEADERS', {'clients/cli': ('base/wrap.h',)}):
            self.accepts('api', {**header, 'clients/cli/a.c': '#include "solver/base/wrap.h"\n#include "solver/shape.h"\n',
                                 'solver/term/b.c': '#include "solver/term/term.h"\n',
                                 'tests/unit/c.c': '#include "solver/term/term.h"\n'})
            self.refuses('api', {'clients/cli/deep/d.c': '#include "solver/term/term.h"\n'}, 'd.c:1', 'clients/cli')
            self.refuses('api', {'clients/cli/deep/d.c': '#include <solver/term/term.h>\n'}, 'd.c:1')
            os.remove(os.path.join(self.root, 'clients/cli/deep/d.c'))
            self.refuses('api', {'server/e.c': '#include "solver/base/wrap.h"\n'}, 'e.c:1', 'only solver/shape.h is for server')

    def test_api_lists_only_what_is_included(self):
        with unittest.mock.patch.object(lint, 'INNER_HEADERS', {'clients/cli': ('base/wrap.h',), 'proto/rpc': ('a.h',)}):
            self.refuses('api', {'solver/base/wrap.h': '', 'clients/cli/a.c': ''}, 'clients/cli', 'base/wrap.h', 'any more')

    # cycles

    def test_cycles_accepts_a_diamond(self):
        self.accepts('cycles', {
            'solver/base/a.h': '', 'solver/base/b.h': '#include "solver/base/a.h"\n',
            'solver/base/c.h': '#include "solver/base/a.h"\n', 'solver/base/b.c': '#include "solver/base/b.h"\n',
            'solver/base/d.c': '#include "solver/base/b.h"\n#include "solver/base/c.h"\n'})

    def test_cycles_refuses_two_that_include_each_other(self):
        self.refuses('cycles', {'solver/base/a.h': '#include "solver/base/b.h"\n',
                                'solver/base/b.h': '\n#include "solver/base/a.h"\n'},
                     'b.h:2', 'solver/base/a -> solver/base/b -> solver/base/a')

    def test_cycles_refuses_a_circle_through_sources(self):
        self.refuses('cycles', {'server/a.h': '', 'server/a.c': '#include "server/b.h"\n',
                                'server/b.h': '#include "server/c.def"\n', 'server/c.def': '#include "server/a.h"\n'},
                     'server/a -> server/b -> server/c.def -> server/a')

    # pure

    def test_pure(self):
        for header in ('<uv.h>', '<cjson/cJSON.h>', '"cJSON.h"', '<uv/unix.h>'):
            self.refuses('pure', {'solver/base/a.c': '#include %s\n' % header}, 'a.c:1')
        self.accepts('pure', {'solver/base/a.c': '#include <gmp.h>\n', 'server/main.c': '#include <uv.h>\n'})

    # globals

    def archive(self, source):
        if not shutil.which('gcc'):
            self.skipTest('gcc is not installed')
        build = os.path.join(self.root, 'build')
        os.makedirs(build, exist_ok=True)
        path = os.path.join(build, 'x.c')
        with open(path, 'w', encoding='utf-8') as handle:
            handle.write(source)
        subprocess.run(['gcc', '-O0', '-fPIE', '-c', 'x.c'], cwd=build, check=True)
        library = os.path.join(build, 'libshape.a')
        if os.path.exists(library):
            os.remove(library)
        subprocess.run(['ar', 'rcs', library, 'x.o'], cwd=build, check=True)

    def test_globals_refuses_writable(self):
        for source in ('int counter;', 'static int seen = 1; int *at(void) { return &seen; }',
                       'int next(void) { static int calls; return ++calls; }', '_Thread_local int mine;',
                       'const char *const_is_elsewhere = "text";', '__attribute__((common)) int shared;'):
            self.archive(source)
            found = self.problems('globals', {})
            self.assertEqual(len(found), 1, (source, found))

    def test_globals_accepts_constants(self):
        self.archive('int f(void); static const char *const names[] = {"a", "b"}; static int (*const t[])(void) = {f};'
                     'const int limit = 3; const char *name(int i) { return t[0]() ? names[i] : names[0]; }')
        self.assertEqual(self.problems('globals', {}), [])

    def test_globals_without_libraries_is_no_success(self):
        with self.assertRaises(lint.Skip):
            self.problems('globals', {})

    # sizes

    def test_lines(self):
        self.accepts('lines', {'solver/a.c': '\n' * 800, 'solver/shape.h': '\n' * 1200})
        self.refuses('lines', {'solver/a.c': '\n' * 801}, '801')
        self.refuses('lines', {'solver/a.c': '', 'solver/shape.h': '\n' * 1201}, '1201')

    def test_functions(self):
        def function(lines):
            return 'int f(void) {\n' + '  g();\n' * (lines - 2) + '}\n'
        self.accepts('functions', {'solver/a.c': function(80)})
        self.refuses('functions', {'solver/a.c': 'int x;\n' + function(81)}, 'solver/a.c:2', 'f has 81 lines')

    def test_functions_are_told_from_data_and_types(self):
        text = ('#define M(x) do { \\\n  x; \\\n'
                '}\nstruct s {\n  int a;\n};\nstatic const int t[] = {\n  1, 2,\n};\n'
                'int f(int a,\n      char b) {\n  char c = \'{\'; // }\n  const char *d = "}}\\"{";\n  if (a) {\n  }\n}\n'
                'Test(suite, name) {\n}\n')
        self.assertEqual([(n, k) for _, n, k in c_scan.functions(text)], [('f', 7), ('Test', 2)])

    def test_structs(self):
        def struct(members):
            return 'typedef struct s {\n' + '  int a;  // one; two\n' * (members - 3) + \
                '  int b, *c;\n  void (*f)(int x, int y);\n} s;\n'
        self.accepts('structs', {'solver/graph/a.h': struct(25), 'tests/unit/a.c': struct(90)})
        self.refuses('structs', {'solver/graph/a.h': struct(26)}, 'a.h:1', 's has 26 members')
        text = 'struct a { struct { int x, y; } in[2]; union { int u; } v; int z; };'
        self.assertEqual([(n, k) for _, n, k in c_scan.structs(text)], [('a', 3), ('in', 2)])

    def test_units(self):
        files = {'solver/facts/bus.c': '', 'server/pool.c': '', 'solver/ops/a.c': '', 'tests/unit/server/pool.c': ''}
        self.refuses('units', files, 'solver/facts/bus.c', 'tests/unit/facts/bus.c')
        self.accepts('units', dict(files, **{lint.WITHOUT_UNIT_TEST: 'solver/facts/bus.c\n'}))
        self.refuses('units', dict(files, **{lint.WITHOUT_UNIT_TEST: 'solver/facts/bus.c\nserver/pool.c\n'}), 'off the list')
        self.accepts('units', dict(files, **{lint.WITHOUT_UNIT_TEST: 'solver/facts/\n'}))
        self.accepts('units', dict(files, **{lint.NO_LOGIC: 'solver/facts/bus.c: a table\n'}))
        self.refuses('units', dict(files, **{lint.NO_LOGIC: 'solver/facts/bus.c\n'}), 'and a reason')
        self.refuses('units', dict(files, **{lint.NO_LOGIC: 'solver/facts/bus.c: a table\nserver/pool.c: another\n'}), 'pool.c')

    def test_goto(self):
        self.refuses('goto', {'solver/a.c': 'int f(void) {\n  goto fail;\nfail:\n  return 1;\n}\n'}, 'a.c:2', 'fail')
        self.refuses('goto', {'solver/a.c': 'void f(void *p) { goto *p; }\n'}, '*p')
        self.accepts('goto', {'solver/a.c': '// goto fail;\nint f(void) { goto cleanup; cleanup: return "goto x;"[0]; }\n'})

    def test_order(self):
        declared = 'term_id add(term_table *t, term_id a, term_id b);\nterm_id one(term_table *t);\nbool has(const term_table *t);\n'
        call = declared + 'void f(term_table *t) { add(t, %s, %s); }\n'
        self.refuses('order', {'solver/a.c': call % ('one(t)', 'add(t, one(t), 0)')}, 'a.c:4', 'add', 'term_table')
        self.accepts('order', {'solver/a.c': call % ('one(t)', 'has(t)')})
        self.accepts('order', {'solver/a.c': call % ('(1)', '(2)')})
        # A function of one file has the name of another's.
        other = 'static term_id one(int t) { return t; }\nvoid g(term_table *t) { add(t, one(1), one(2)); }\n'
        self.accepts('order', {'solver/a.c': call % ('one(t)', '2'), 'solver/b.c': other})

    # text

    def test_spdx(self):
        self.accepts('spdx', {'solver/a.c': SPDX})
        self.refuses('spdx', {'solver/b.h': '#pragma once\n' + SPDX}, 'solver/b.h')
        os.remove(os.path.join(self.root, 'solver/b.h'))
        self.refuses('spdx', {'solver/c.h': ''}, 'solver/c.h')

    def test_spdx_of_files_that_take_a_comment(self):
        self.accepts('spdx', {'a.json': '{}', 'LICENSE': '', 'tests/golden/check/a/options': 'x',
                              'b.md': '<!-- %s -->\n' % SPDX[3:-1]})
        self.refuses('spdx', {'.ignore': 'build/\n'}, '.ignore')

    def need_formatter(self):
        try:
            lint.formatter()
        except lint.Skip as why:
            self.skipTest(str(why))

    def test_format(self):
        self.need_formatter()
        shutil.copy(os.path.join(lint.ROOT, '.clang-format'), self.root)
        self.accepts('format', {'solver/a.c': 'int f(int a);\n'})
        self.refuses('format', {'solver/a.c': 'int  f( int a );\n'}, 'solver/a.c:1')

    def test_format_reports_a_broken_configuration(self):
        self.need_formatter()
        self.assertNotEqual(self.problems('format', {'.clang-format': 'Nonsense: [', 'solver/a.c': 'int a;\n'}), [])

    def test_files(self):
        there = {'solver/facts/store.h': '', 'solver/facts/a.c': '// see store.h, facts/store.h, <stdio.h>, *.c; gmp-impl.h\n'}
        self.accepts('files', there)
        self.refuses('files', {'solver/facts/a.c': 'int a;  // (see old.c)\n'}, 'a.c:1', 'old.c')
        self.refuses('files', {'solver/facts/a.c': '// term/store.h\n', 'solver/facts/store.h': ''}, 'a.c:1', 'term/store.h')

    def test_machine(self):
        for text in ('/ho' 'me/someone/x', 'see "/Us' 'ers/x/y"', '-I/wo' 'rk/main', 'https://regis' 'try.example.org/x',
                     'http://mir' 'ror.example.com/debian', 'https://user:pw@py' 'pi.example.com/simple'):
            with self.subTest(text):
                self.assertEqual(len(self.problems('machine', {'README.md': 'a\n%s\n' % text})), 1)
        self.accepts('machine', {'README.md': 'usr/ho' 'me/x ../wo' 'rk/x https://example.org/wo' 'rk/x /usr/bin/env\n'})

    # words

    def test_words_of_every_row(self):
        texts = {'clash': 'int refine_clash(void);', 'gate': '// the gate of JSON', 'cone': 'uint32_t cones;',
                 'turn': '// once in each turn of the loop', 'place': 'struct check_place {', 'nobody': '// nobody asks',
                 'tell': '// the caller is told', 'stand': '// what stands there', 'behind': '// behind the loop',
                 'question': 'f("a question");', 'mistake': '// a mistake', 'broken': 'bool broken;',
                 'bad': 'return "bad value";', 'demand': 'int demands;', 'granted': '// taken for granted',
                 'look at': '// looks at each', 'so much': '// so many bytes', 'most': 'enum { BYTES_MOST = 3 };',
                 'run time': '// made by the program', 'sizes': '// the sizes of a tensor',
                 'size of axis': '// size 0 of argument 1'}
        self.assertEqual(set(texts), {rule.word for rule in words.TABLE + words.PROSE})
        for word, text in texts.items():
            with self.subTest(word):
                self.refuses('words', {'solver/a.c': 'int a;\n' + text + '\n'}, 'solver/a.c:2', 'write ')

    def test_words_accepts_what_is_right(self):
        self.accepts('words', {
            'solver/a.c': '// At most N bytes, on demand, in place of two; returned in turn. A symbol denotes a dim.\n'
                          'size_t sizes[2]; int innermost, at_most, placement, aggregate; replace(a); "slice_sizes";\n',
            'README.md': 'A standalone file behind a proxy.\n', 'CHANGELOG.md': 'Rename `sizes` to `dims`.\n',
            'tests/golden/check/a/args': 'a question\n'})

    def test_words_list_only_shrinks(self):
        self.accepts('words', {'solver/old/a.c': '// a clash\n', words.TODO: '# not yet\nsolver/old\n'})
        self.refuses('words', {'solver/old/a.c': '// a conflict\n'}, words.TODO, 'solver/old', 'remove')
        self.assertEqual(len(self.problems('words', {'solver/older.c': '// a clash\n'})), 2)

    # asserts

    def asserts(self, folder, count):
        """A tree of one folder with so many asserts in a thousand lines of two files."""
        return {folder + '/a.c': '  assert(count <= room);\n' * count + '\n' * (600 - count), folder + '/b.c': '\n' * 400}

    def test_asserts_floor_of_a_folder(self):
        with unittest.mock.patch.dict(lint.ASSERTS, {'solver/old': 6}):
            self.accepts('asserts', self.asserts('solver/old', 6))
            self.refuses('asserts', self.asserts('solver/old', 5), 'solver/old: 5.0', 'at least 6')
            self.refuses('asserts', self.asserts('solver/old', 10), 'solver/old: 10.0', 'raise the floor of 6')

    def test_asserts_goal_is_the_floor_of_any_other(self):
        self.accepts('asserts', self.asserts('solver/new', lint.ASSERTS_GOAL))
        self.accepts('asserts', self.asserts('solver/new', 100))
        self.refuses('asserts', self.asserts('solver/new', lint.ASSERTS_GOAL - 1), 'solver/new: 14.0', 'at least 15')

    def test_asserts_counts_code_alone(self):
        self.refuses('asserts', {'solver/new/a.c': '// assert(a)\nchar s[] = "assert(b)";\n#define A assert(c)\n'
                                                   '_Static_assert(1, "");\nstatic_assert(1, "");\n'}, 'solver/new: 0.0')

    # the lint itself

    def test_main_counts_and_fails(self):
        self.problems('spdx', {'solver/base/a.c': 'int a;\n'})
        done = subprocess.run([sys.executable, lint.__file__, '--root', self.root, '--only', 'spdx,lines'],
                              stdout=subprocess.PIPE, check=False, universal_newlines=True)
        self.assertEqual((done.returncode, done.stdout.split('\n')[-2]), (1, '1 passed, 1 failed'))

    def test_picture(self):
        import picture  # pylint: disable=import-outside-toplevel
        found = {('proto', 'infer'), ('infer', 'base'), ('proto', 'base'), ('infer', 'term'), ('term', 'base')}
        self.assertEqual(picture.reduced(found), [('infer', 'term'), ('proto', 'infer'), ('term', 'base')])
        have = picture.edges(lint.ROOT)
        self.assertIn(('term', 'num'), have)
        self.assertFalse({(b, a) for a, b in have} & have)

    def test_opnames(self):
        tables = {'solver/ops/a.def': 'X("stablehlo.add", binary)\n', 'solver/ops/b.def': 'X("func.call", call)\n'}
        for bad in ('bool f(const char *n) { return strcmp(n, "func.call") == 0; }\n',
                    'bool f(const char *n) { return strncmp(n, "stablehlo.", 10) == 0; }\n',
                    'bool f(g *x) { return strcmp(strchr(graph_op_name(x, 1), 0), ".add") == 0; }\n',
                    'bool f(g *x) { return graph_op_name(x, 1)[0] == 1; }\n'):
            self.refuses('opnames', dict(tables, **{'solver/transform/t.c': bad}), 'solver/transform/t.c:1')
        self.accepts('opnames', dict(tables, **{
            'solver/transform/t.c': 'static const row ROWS[] = {{"func.call", 1}};\n// strcmp(n, "func.call")\n',
            'solver/formats/mlir/op.c': 'bool f(const char *n) { return strcmp(n, "func.call") == 0; }\n',
            'solver/term/parse.c': 'bool f(const char *n) { return strcmp(n, "add") == 0; }\n'}))

    def test_codes(self):
        self.refuses('codes', {'solver/report/a.c': 'bool f(diag *d) { return !strcmp(d->code, "call"); }\n'}, 'a.c:1')
        self.refuses('codes', {'solver/report/a.c': 'bool f(diag *d) { return strcmp(d->code, CALL) == 0; }\n'}, 'a.c:1')
        self.accepts('codes', {'solver/report/a.c': 'bool f(diag *d, diag *e) { return !strcmp(d->code, e->code); }\n'})

    def test_keys(self):
        table = {'proto/methods/keys.def': 'KEY(OPTIONS, "steps", VALUE, NONE)\n'}
        self.refuses('keys', dict(table, **{'proto/methods/a.c': 'bool f(void) { return option_bool(r, &o, "inputs"); }\n'}),
                     'proto/methods/a.c', '"inputs"')
        self.accepts('keys', dict(table, **{'proto/methods/a.c': 'bool f(void) { return option_bool(r, &o, "steps"); }\n'}))

    # callers, constants, members

    def built(self, sources):
        """The sources, and their objects where a build puts them."""
        if not shutil.which('gcc'):
            self.skipTest('gcc is not installed')
        for path, text in sources.items():
            for name in (path, os.path.join('build', 'obj', path)):
                os.makedirs(os.path.dirname(os.path.join(self.root, name)), exist_ok=True)
            with open(os.path.join(self.root, path), 'w', encoding='utf-8') as handle:
                handle.write(text)
            if path.endswith('.c'):
                subprocess.run(['gcc', '-c', os.path.join(self.root, path), '-o',
                                os.path.join(self.root, 'build', 'obj', path[:-2] + '.o')], check=True)
        return lint.CHECKS['callers'](lint.Tree(self.root))

    def test_callers_refuses_what_no_other_file_uses(self):
        found = self.built({'solver/base/a.c': 'int used(void) { return 1; }\nint alone(void) { return 2; }\n'
                                               'int mine(void) { return alone(); }\n',
                            'server/main.c': 'int used(void);\nint mine(void);\nint main(void) { return used() + mine(); }\n',
                            'tests/unit/a.c': 'int alone(void);\nint test(void) { return alone(); }\n'})
        self.assertEqual(len(found), 1, found)
        self.assertIn('solver/base/a.c: no other file of the product uses alone', found[0])

    def test_callers_refuses_tables_and_functions_of_headers(self):
        found = self.built({'proto/a.c': 'const int table[] = {1};\n',
                            'proto/a.h': 'static inline int twice(int x) { return 2 * x; }\n'})
        self.assertEqual([problem.split(' ')[-1] for problem in found], ['it', 'twice'], found)

    def test_callers_accepts_the_public_header_and_debug_checks(self):
        self.assertEqual(self.built({'solver/shape.h': 'int shape_open(void);\n',
                                     'solver/shape.c': 'int shape_open(void) { return 1; }\n',
                                     'solver/graph/verify.c': 'int graph_verify(void) { return 1; }\n'}), [])

    def test_callers_needs_a_build(self):
        with self.assertRaises(lint.Skip):
            self.problems('callers', {'solver/base/a.c': ''})

    def test_constants(self):
        self.refuses('constants', {'solver/base/a.h': 'enum { ROOM = 4, LEFT = 2 };\n',
                                   'solver/base/a.c': 'int a[ROOM]; // LEFT\n'}, 'a.h:1: nothing uses LEFT')
        self.refuses('constants', {'solver/base/a.h': '#define FAR 3\n', 'solver/base/a.c': 'int a = NEAR;\n'}, 'FAR')
        self.accepts('constants', {'solver/base/a.h': '#ifndef A_H\n#define A_H\n#define PUT(x) KIND_##x\n'
                                                      'typedef enum kind { NOTHING, KIND_ONE } kind;\n#endif\n',
                                   'solver/base/a.c': 'kind a = PUT(ONE);\n'})

    def test_members(self):
        header = 'typedef struct s { int read, *end; unsigned count; struct { int inner; } sub; } s;\n'
        use = 'int f(s *x) { *x->end = 1; return x->read + x->sub.inner; }\n'
        self.refuses('members', {'solver/a.h': header, 'solver/a.c': use + 'void g(s *x) { x->count++; x->count = 2; }\n'},
                     'a.h:1: nothing reads count')
        self.accepts('members', {'solver/a.h': header, 'solver/a.c': use + 'int g(s *x) { return x->count++; }\n'})
        unnamed = 'typedef struct s { union { int read; struct { int inner; }; }; } s;\n'
        self.accepts('members', {'solver/a.h': unnamed, 'solver/a.c': 'int f(s *x) { return x->read + x->inner; }\n'})

    def test_every_check_has_a_test(self):
        for name in lint.CHECKS:
            self.assertTrue(any(t.startswith('test_' + name) for t in dir(self)), name)


def main():
    if len(sys.argv) > 1:
        print(__doc__)
        return 0 if sys.argv[1] in ('-h', '--help') else 2
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=1).run(
        unittest.defaultTestLoader.loadTestsFromTestCase(LintTest))
    failed = len({id(test) for test, _ in result.failures + result.errors})
    skipped = len(result.skipped)
    print('%d passed, %d failed%s' % (result.testsRun - failed - skipped, failed,
                                      ', %d skipped' % skipped if skipped else ''))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
