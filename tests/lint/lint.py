#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The rules of the repository that a compiler does not know.

  layers     a folder includes only folders to its left: base, num, term, graph, facts, certify, decide, value, ops,
             infer, report, session, formats, transform, analysis, cost, profile, emit, generalize, shape.h, proto,
             {server, clients}; server and clients stay apart; certify sees base, num and term alone; folders of formats, rules, proto and clients have an order of
             their own (INNER); nothing includes tests or deploy
  api        what is outside of solver/ includes solver/shape.h alone; INNER_HEADERS lists, folder by folder, which other
             headers of it are included as yet, and only shrinks
  cycles     no two files include each other, directly or round a circle; a .c and its .h count as one
  pure       no libuv and no cJSON under solver/
  globals    no writable data in the objects of our libraries (asks nm, so `make build` comes first)
  lines      a .c or .h has at most 800 lines; the public header, which is one file, 1200
  functions  a function has at most 80 lines
  structs    a struct of the product has at most 25 members
  units      each .c of UNIT_FOLDERS has a unit test of its path in tests/unit, or is in no_logic.txt with a reason, or in
             without_unit_test.txt, which only shrinks
  goto       the only label is `cleanup`
  private    a member that only its header may touch is touched by no other file (the payload of attributes)
  spdx       every .c and .h begins with the licence line, every other file that takes a comment has it near the top
  format     clang-format 14 changes nothing
  callers    a function that a file exports is called by another of the product, one of a header by any (asks nm, as above)
  constants  every enumerator and macro is used
  members    every member of a struct is read
  opnames    no names of operations are compared outside formats/ and the tables of solver/ops
  order      no two arguments of a call change the same thing, as compilers evaluate them in different orders (order.py)
  codes      nothing is decided by the code of a diagnostic
  picture    the picture of .github/ARCHITECTURE.md is that of the includes
  asserts    each folder of solver/ and the server has its share of `assert`s (ASSERTS)
  limits     the numbers that bound the decision procedure are rows of solver/term/limits.def (limits.py)
  files      a file that a comment names is there, by its name or the end of its path
  machine    no absolute path of one machine, no package registry or mirror
  words      documents, names, comments and messages use one word per concept (words.py has the table)

Each check counts as one test; the last line is `N passed, N failed[, N skipped]`.

examples:
  tests/lint/lint.py                     all checks on this repository
  tests/lint/lint.py --only layers,goto  two of them
  tests/lint/lint.py --list              the names of the checks
"""
import argparse
import glob
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import c_scan  # noqa: E402
import limits  # noqa: E402
import order  # noqa: E402
import unused  # noqa: E402
import words  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

LAYERS = ['base', 'num', 'term', 'graph', 'facts', 'certify', 'decide', 'value', 'ops', 'infer', 'report', 'session',
          'formats', 'transform', 'analysis', 'cost', 'profile', 'emit', 'generalize', 'shape.h', 'proto']
# A layer that sees less than all to its left: the checker shares nothing with what it checks but terms and numbers.
SEES = {'certify': ('base', 'num', 'term')}
OUTER = ('server', 'clients')
# Within a folder: groups of its folders, each of which sees those to its left, and none of its own group. Files of the
# folder itself ('') stand where they are listed; else all see them, as tables.
INNER = {
    'solver/formats': (('archive', 'mlir', 'onnx'), ('bytecode', 'json'), ('torch',), ('fx',), ('',)),
    'solver/ops/rules': (('common', 'verify'), ('linalg',), ('stablehlo', 'shape', 'onnx'), ('torch',)),
    'proto': (('json',), ('frame', 'process', 'rpc'), ('methods',)),
    'clients': (('c', 'mlir'), ('cli', 'lsp'), ('web',)),
}
# The headers of solver/ besides shape.h that folders outside of it include as yet, by folder.
INNER_HEADERS = {
    'clients/lsp': ('analysis/run.h', 'decide/store_query.h', 'emit/explain_at.h', 'formats/formats.h', 'formats/mlir/uses.h', 'ops/registry.h',
                    'ops/traits.h', 'report/report.h', 'transform/types.h'),
    'proto': ('base/status.def',),
    'proto/json': ('base/nearest.h', 'formats/json/cursor.h', 'formats/json/utf8.h', 'formats/json/validate.h',
                   'formats/json/write.h', 'num/num.h'),
}
FOREIGN = re.compile(r'(?:^|/)(?:uv|cJSON|cJSON_Utils)\.h$|^uv/|^cjson/')
MAX_FILE_LINES = 800
MAX_HEADER_LINES = 1200  # of PUBLIC_HEADER: what is installed is one file, and its comments are the reference
PUBLIC_HEADER = 'solver/shape.h'
MAX_FUNCTION_LINES = 80
MAX_MEMBERS = 25
UNIT_FOLDERS = tuple('%s/' % folder for folder in (
    'solver/facts', 'solver/decide', 'solver/certify', 'solver/transform', 'solver/formats', 'solver/session', 'proto/methods',
    'server'))
WITHOUT_UNIT_TEST = 'tests/lint/without_unit_test.txt'
NO_LOGIC = 'tests/lint/no_logic.txt'
SOURCES = ('.c', '.h', '.def', '.cc', '.cpp', '.hpp')
SPDX = '// SPDX-License-Identifier: Apache-2.0'
FORMATTER = 14
# Files that take no comment, or whose bytes are what a test is about: they have the licence of the whole.
NO_COMMENT = re.compile(r'\.(?:json|log|typed|png|svg)$|(?:^|/)LICENSE$|^deploy/debian/(?:changelog|copyright)$|'
                        r'^tests/(?:golden|fuzz/corpus)/')

# Symbols that may be writable, with the reason why each must be.
ALLOWED_GLOBALS = {}

# Members that are read and written by the functions of one header alone, which know what they hold.
PRIVATE = {'payload': 'solver/graph/attr.h'}

# The words are put together from halves so that this file does not find itself.
MACHINE = re.compile(r'(?:(?<![\w.])|(?<=-[IL]))/(?:ho' r'me|Us' r'ers|ro' r'ot|wo' r'rk)/[\w.-]+')
REGISTRY = re.compile(r'https?://(?:[^/\s"\']*@)?[\w.-]*(?:regis' r'try|artifac' r'tory|nex' r'us|mir' r'ror|py' r'pi|'
                      r'gopro' r'xy|pro' r'xy\.)[\w.-]*', re.IGNORECASE)

# Asserts per thousand lines of .c, by folder: what has been reached and is not given up. 15 is the goal, and what a folder
# that is not listed here has to have.
ASSERTS_GOAL = 15
ASSERTS_SLACK = 3  # a floor that lies more than that below what is reached has to rise
ASSERTS = {}
# A path with one of these ends, not a part of a longer word, a pattern or an include of the system.
FILE_NAME = re.compile(r'(?<![\w./*<>-])((?:[\w-]+/)*[\w-]+\.(?:c|h|def))(?![\w(])')
FOREIGN_FILES = ('gmp-impl.h', 'search.h', 'sys/socket.h')
ASSERT = re.compile(r'\bassert\s*\(')


class Skip(Exception):
    """The check cannot be made on this machine; the text says why."""


class Tree:
    """The files of a repository, by path from its root."""

    def __init__(self, root, build=None):
        self.root = os.path.abspath(root)
        self.build = os.path.abspath(build) if build else os.path.join(self.root, 'build')
        self.files = self._list()

    def _list(self):
        """What git would have, untracked files included; every file where there is no git."""
        if os.path.exists(os.path.join(self.root, '.git')):
            done = subprocess.run(['git', '-C', self.root, 'ls-files', '-co', '--exclude-standard', '-z'],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            if done.returncode == 0:
                names = done.stdout.decode('utf-8', 'surrogateescape').split('\0')
                return sorted(n for n in set(names) if n and os.path.isfile(os.path.join(self.root, n)))
        found = []
        for folder, folders, names in os.walk(self.root):
            folders[:] = [f for f in folders if f not in ('.git', 'build', '__pycache__', 'node_modules')]
            found += [os.path.relpath(os.path.join(folder, n), self.root) for n in names]
        return sorted(found)

    def c_files(self):
        return [f for f in self.files if f.endswith(('.c', '.h'))]

    def data(self, path):
        with open(os.path.join(self.root, path), 'rb') as handle:
            return handle.read()

    def text(self, path):
        return self.data(path).decode('utf-8', 'replace')

    def has(self, path):
        return os.path.isfile(os.path.join(self.root, path))


# ---------------------------------------------------------------- checks: Tree -> ['path:line: what is wrong']

def layer_of(path):
    """The layer that a path from the root belongs to; None for one that has no place in the order."""
    top, _, rest = path.partition('/')
    if top == 'solver':
        folder = rest.split('/')[0] if '/' in rest else 'shape.h'
        folder = 'shape.h' if folder == 'api' else folder  # what implements the header
        return folder if folder in LAYERS else None
    return top if top in ('proto', 'deploy', 'tests') + OUTER else None


def may_include(layer, target):
    if layer in ('tests', 'deploy'):
        return True
    if target in ('tests', 'deploy'):
        return False
    if layer == target:
        return True
    if target in OUTER:
        return False
    if layer in SEES:
        return target in SEES[layer]
    return layer in OUTER or LAYERS.index(target) < LAYERS.index(layer)


def inner_of(path, folder):
    """The number of the group within `folder` that a path belongs to, and its name; None where it has no place."""
    name = path[len(folder) + 1:].rpartition('/')[0].split('/')[0]
    for number, group in enumerate(INNER[folder]):
        if name in group:
            return number, name
    return None


def inner_problem(path, target):
    """Why a file may not include another one of the same layer; None: it may."""
    for folder in INNER:
        if not path.startswith(folder + '/'):
            continue
        here = inner_of(path, folder)
        if here is None and '/' in path[len(folder) + 1:]:
            return '%s has no place in the order within %s' % (os.path.dirname(path), folder)
        there = inner_of(target, folder) if target.startswith(folder + '/') else None
        if here and there and there[1] != here[1] and there[0] >= here[0]:
            return '%s/%s may not include %s/%s ("%s")' % (folder, here[1], folder, there[1], target)
    return None


def check_layers(tree):
    problems = []
    for path in tree.files:
        if not path.endswith(('.c', '.h', '.def')):
            continue
        layer = layer_of(path)
        if layer is None:
            problems.append('%s:1: this folder has no place in the order of layers' % path)
            continue
        for line, form, target in c_scan.includes(tree.text(path)):
            ours = target.split('/')[0] in ('solver', 'proto', 'deploy', 'tests') + OUTER
            if form == 'angle' and not ours:
                continue
            if not tree.has(target) or os.path.normpath(target) != target:
                problems.append('%s:%d: "%s" is no path from the root of the repository' % (path, line, target))
            elif layer_of(target) is None:
                problems.append('%s:%d: "%s" is in no layer' % (path, line, target))
            elif not may_include(layer, layer_of(target)):
                problems.append('%s:%d: %s may not include %s ("%s")' % (path, line, layer, layer_of(target), target))
            elif inner_problem(path, target):
                problems.append('%s:%d: %s' % (path, line, inner_problem(path, target)))
    return problems


def folder_outside(path):
    """The folder of INNER_HEADERS that a path belongs to; None for one inside of solver/, or in tests or deploy."""
    parts = path.split('/')[:-1]
    return '/'.join(parts[:2]) if parts and parts[0] in ('proto',) + OUTER else None


def check_api(tree):
    problems, used = [], {}
    for path in tree.files:
        folder = folder_outside(path)
        if folder is None or not path.endswith(SOURCES):
            continue
        for line, _, target in c_scan.includes(tree.text(path)):
            if not target.startswith('solver/') or target == 'solver/shape.h':
                continue
            header = target[len('solver/'):]
            used.setdefault(folder, set()).add(header)
            if header not in INNER_HEADERS.get(folder, ()):
                problems.append('%s:%d: only solver/shape.h is for %s ("%s")' % (path, line, folder, target))
    for folder, headers in INNER_HEADERS.items():
        if not any(f.startswith(folder + '/') for f in tree.files):
            continue
        for header in sorted(set(headers) - used.get(folder, set())):
            problems.append('tests/lint/lint.py:1: nothing in %s includes solver/%s any more: INNER_HEADERS loses it' %
                            (folder, header))
    return problems


def unit_of(path):
    """A .c and its .h are one unit; any other file is one by itself."""
    return path[:-2] if path.endswith(('.c', '.h')) else path


def check_cycles(tree):
    """One problem for each circle that a walk meets; each edge is looked at once."""
    after = {}
    for path in tree.files:
        if path.endswith(('.c', '.h', '.def')):
            edges = after.setdefault(unit_of(path), {})
            for line, _, target in c_scan.includes(tree.text(path)):
                if tree.has(target) and unit_of(target) != unit_of(path):
                    edges.setdefault(unit_of(target), '%s:%d' % (path, line))
    problems, state = [], {}
    for first in sorted(after):
        if first in state:
            continue
        state[first], trail = 'open', [(first, iter(sorted(after[first])))]
        while trail:
            unit, rest = trail[-1]
            follow = next(rest, None)
            if follow is None:
                state[unit] = 'done'
                trail.pop()
            elif state.get(follow) == 'open':
                circle = [name for name, _ in trail]
                circle = circle[circle.index(follow):] + [follow]
                problems.append('%s: a circle of includes: %s' % (after[unit][follow], ' -> '.join(circle)))
            elif follow not in state:
                state[follow] = 'open'
                trail.append((follow, iter(sorted(after.get(follow, ())))))
    return problems


def check_pure(tree):
    return ['%s:%d: <%s> has no place in the solver' % (path, line, target)
            for path in tree.files if path.startswith('solver/') and path.endswith(('.c', '.h', '.def'))
            for line, _, target in c_scan.includes(tree.text(path)) if FOREIGN.search(target)]


def writable(section):
    """Whether a program can write there. Tables of constants with addresses are in .data.rel.ro, which it cannot."""
    if re.match(r'\.data\.rel\.ro(\.|$)', section):
        return False
    return section == '*COM*' or bool(re.match(r'\.(data|bss|tdata|tbss|sdata|sbss)(\.|$)', section))


def globals_of(archive):
    """[(object, symbol, section)] of the writable symbols of an archive."""
    done = subprocess.run(['nm', '--format=sysv', '--defined-only', archive], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False, universal_newlines=True)
    if done.returncode != 0:
        raise Skip('nm: ' + done.stderr.strip())
    found, member = [], ''
    for line in done.stdout.split('\n'):
        head = re.match(r'^Symbols from [^\[]*\[(.*)\]:$', line)
        if head:
            member = head.group(1)
        cells = [c.strip() for c in line.split('|')]
        if len(cells) == 7 and writable(cells[6]):
            found.append((member, cells[0], cells[6]))
    return found


def check_globals(tree):
    if not shutil.which('nm'):
        raise Skip('nm is not installed')
    archives = sorted(glob.glob(os.path.join(tree.build, 'lib*.a')))
    if not archives:
        raise Skip('there are no libraries in %s; build first' % os.path.relpath(tree.build, tree.root))
    return ['%s: %s in %s is writable (%s)' % (os.path.basename(archive), symbol, member, section)
            for archive in archives for member, symbol, section in globals_of(archive)
            if re.sub(r'\.\d+$', '', symbol) not in ALLOWED_GLOBALS]


def check_lines(tree):
    sizes = ((path, tree.text(path).count('\n'), MAX_HEADER_LINES if path == PUBLIC_HEADER else MAX_FILE_LINES)
             for path in tree.c_files())
    return ['%s:1: %d lines, at most %d' % (path, n, most) for path, n, most in sizes if n > most]


def check_functions(tree):
    return ['%s:%d: %s has %d lines, at most %d' % (path, line, name, n, MAX_FUNCTION_LINES)
            for path in tree.c_files() for line, name, n in c_scan.functions(tree.text(path))
            if n > MAX_FUNCTION_LINES]


def check_structs(tree):
    return ['%s:%d: %s has %d members, at most %d' % (path, line, name, members, MAX_MEMBERS)
            for path in tree.c_files() if layer_of(path) not in (None, 'tests', 'deploy')
            for line, name, members in c_scan.structs(tree.text(path)) if members > MAX_MEMBERS]


def unit_test_of(path):
    """solver/facts/bus.c: tests/unit/facts/bus.c, server/pool.c: tests/unit/server/pool.c"""
    return 'tests/unit/' + (path[len('solver/'):] if path.startswith('solver/') else path)


def listed_in(tree, path):
    lines = tree.text(path).split('\n') if tree.has(path) else []
    return [line for line in lines if line and not line.startswith('#')]


def check_units(tree):
    problems = []
    listed = listed_in(tree, WITHOUT_UNIT_TEST)
    reasons = dict(line.partition(': ')[::2] for line in listed_in(tree, NO_LOGIC))
    for path, reason in reasons.items():
        if not reason or not tree.has(path) or path in listed or tree.has(unit_test_of(path)):
            problems.append('%s:1: %s: expected a file without a unit test, in this list alone, and a reason' % (NO_LOGIC, path))
    for path in tree.c_files():
        if not path.endswith('.c') or not path.startswith(UNIT_FOLDERS) or path in reasons:
            continue
        if tree.has(unit_test_of(path)) and path in listed:
            problems.append('%s:1: %s has a unit test: take it off the list' % (WITHOUT_UNIT_TEST, path))
        elif not tree.has(unit_test_of(path)) and not {path, path.rpartition('/')[0] + '/'} & set(listed):
            problems.append('%s:1: there is no unit test %s' % (path, unit_test_of(path)))
    return problems


def check_goto(tree):
    return ['%s:%d: goto %s; the only label is cleanup' % (path, line, label)
            for path in tree.c_files() for line, label in c_scan.gotos(tree.text(path)) if label != 'cleanup']


def check_private(tree):
    problems = []
    for path in tree.c_files():
        for member, home in PRIVATE.items():
            if path == home:
                continue
            for number, line in enumerate(tree.text(path).split('\n'), 1):
                if re.search(r'(?:\.|->)\s*%s\b' % member, line):
                    problems.append('%s:%d: %s belongs to %s' % (path, number, member, home))
    return problems


def check_spdx(tree):
    problems = ['%s:1: the first line is not `%s`' % (path, SPDX)
                for path in tree.c_files() if tree.text(path).split('\n', 1)[0].rstrip() != SPDX]
    for path in tree.files:
        if not path.endswith(('.c', '.h')) and not NO_COMMENT.search(path):
            if not any('SPDX-License-Identifier: Apache-2.0' in line for line in tree.text(path).split('\n')[:4]):
                problems.append('%s:1: no licence line within the first four lines' % path)
    return problems


def formatter():
    """The command of clang-format in the version that the project uses; others format differently."""
    for name in ('clang-format-%d' % FORMATTER, 'clang-format'):
        if shutil.which(name):
            said = subprocess.run([name, '--version'], stdout=subprocess.PIPE, check=False, universal_newlines=True)
            version = re.search(r'version (\d+)', said.stdout)
            if version and int(version.group(1)) == FORMATTER:
                return name
    raise Skip('clang-format %d is not installed' % FORMATTER)


def check_format(tree):
    command, files, problems = formatter(), tree.c_files(), []
    for first in range(0, len(files), 100):
        done = subprocess.run([command, '--dry-run', '-style=file'] + files[first:first + 100], cwd=tree.root,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, universal_newlines=True)
        warnings = re.findall(r'^(\S+?:\d+):\d+: warning: code should be clang-formatted', done.stdout, re.MULTILINE)
        if done.returncode != 0 and not warnings:
            problems.append(done.stdout.strip() or 'clang-format ended with status %d' % done.returncode)
        problems += ['%s: not as clang-format has it (make format)' % place for place in dict.fromkeys(warnings)]
    return problems


def check_picture(tree):
    if tree.root != ROOT or not os.path.exists(os.path.join(ROOT, '.git')):
        raise Skip('the picture is of this repository')
    done = subprocess.run([sys.executable, os.path.join(ROOT, 'tests', 'lint', 'picture.py')], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    return done.stdout.decode().strip().split('\n') if done.returncode else []


OP_NAME = re.compile(r'^[ \t]*(?:X|DIALECT)\("([\w.-]+)"', re.MULTILINE)
# What custom calls call, which are no operations.
TARGETS = {'stablehlo.shape_refinement_operand_wrapper'}
COMPARED = re.compile(r'\b(?:str|strn|mem|strcase)cmp\s*\(|\bstrstr\s*\(|\b(?:begins|starts|ends)\w*\s*\(')
READS_NAMES = re.compile(r'\b(?:graph_op_name|registry_find)\s*\(|\bops\[[^;]*\]\.name\b')
LETTER = re.compile(r'graph_op_name\([^;]*\)\s*\[')


def check_opnames(tree):
    names = {'func.func'}
    for path in tree.files:
        if re.match(r'solver/ops/\w+\.def$', path):
            names |= set(OP_NAME.findall(tree.text(path)))
    dialects = {name.split('.')[0] for name in names if '.' in name}
    parts = {name.rsplit('.', 1)[1] for name in names if '.' in name} - {''}
    problems = []
    for path in tree.files:
        if not re.match(r'(?:solver|proto|server|clients)/.*\.[ch]$', path) or '/examples/' in path \
                or path.startswith('solver/formats/') or path == 'clients/mlir/import.c' or path.startswith('solver/ops/registry') or path.startswith('solver/ops/traits'):
            continue
        text = c_scan.without_comments(tree.text(path))
        reads = bool(READS_NAMES.search(text))
        for number, line in enumerate(text.split('\n'), 1):
            if LETTER.search(line):
                problems.append('%s:%d: a letter of an operation\'s name decides; ask a trait' % (path, number))
            for word in re.findall(r'"([^"]*)"', line) if COMPARED.search(line) else []:
                whole = word not in TARGETS and (word in names or (word.split('.')[0] in dialects and '.' in word))
                if whole or (reads and word.lstrip('.') in parts):
                    problems.append('%s:%d: "%s" is compared with an operation\'s name; use op_row.structure or '
                                    'solver/ops/traits.def' % (path, number, word))
    return problems


# With a text, or with the name of a constant one.
CODE = re.compile(r'\bstrn?cmp\s*\([^;]*(?:->|\.)code\b(?:[^;]*"|, *[A-Z][A-Z_]+\b)')


def check_codes(tree):
    return ['%s:%d: the code of a diagnostic decides; record what it is made from' % (path, number)
            for path in tree.files if re.match(r'(?:solver|proto|server|clients/lsp)/.*\.[ch]$', path)
            for number, line in enumerate(c_scan.without_comments(tree.text(path)).split('\n'), 1) if CODE.search(line)]


KEY_ROW = re.compile(r'^KEY\(\w+, "(\w+)"', re.M)
KEY_READ = re.compile(r'\b(?:json_get|option_\w+|read_bindings)\([^;"]*"(\w+)"')


def check_keys(tree):
    known = set(KEY_ROW.findall(tree.text('proto/methods/keys.def')))
    return ['%s: reads the key "%s", which no row of proto/methods/keys.def has' % (path, key)
            for path in tree.files if re.match(r'proto/methods/.*\.c$', path)
            for key in sorted(set(KEY_READ.findall(c_scan.without_comments(tree.text(path)))) - known)]


def check_callers(tree):
    return unused.functions_without_caller(tree, Skip) + unused.inline_functions(tree)


def assert_density(tree):
    """{folder: asserts per thousand lines of .c} of the folders of solver/ and of the server."""
    asserts, lines = {}, {}
    for path in tree.files:
        folder = re.match(r'(server|solver/[^/]+)/.*\.c$', path)
        if folder:
            text = tree.text(path)
            lines[folder.group(1)] = lines.get(folder.group(1), 0) + text.count('\n')
            asserts[folder.group(1)] = asserts.get(folder.group(1), 0) + len(ASSERT.findall(c_scan.code_only(text)))
    return {folder: 1000.0 * asserts[folder] / lines[folder] for folder in lines if lines[folder]}


def check_asserts(tree):
    problems = []
    for folder, reached in sorted(assert_density(tree).items()):
        floor = ASSERTS.get(folder, ASSERTS_GOAL)
        if reached < floor:
            problems.append('%s: %.1f asserts per thousand lines, at least %d' % (folder, reached, floor))
        elif folder in ASSERTS and floor < ASSERTS_GOAL and reached > floor + ASSERTS_SLACK:
            problems.append('%s: %.1f asserts per thousand lines; raise the floor of %d (ASSERTS in tests/lint/lint.py)'
                            % (folder, reached, floor))
    return problems


def check_files(tree):
    known = {}
    for path in tree.files:
        known.setdefault(path.rpartition('/')[2], []).append('/' + path)
    problems = []
    for path in tree.files:
        if not path.endswith(SOURCES) or path.startswith('tests/'):
            continue
        for line, text in enumerate(tree.text(path).split('\n'), 1):
            for name in FILE_NAME.findall(text.partition('//')[2]):
                paths = known.get(name.rpartition('/')[2], ())
                if name not in FOREIGN_FILES and not any(p.endswith('/' + name) for p in paths):
                    problems.append('%s:%d: there is no file %s' % (path, line, name))
    return problems


def check_machine(tree):
    problems = []
    for path in tree.files:
        data = tree.data(path)
        if b'\0' in data:
            continue
        for number, line in enumerate(data.decode('utf-8', 'replace').split('\n'), 1):
            for match in list(MACHINE.finditer(line)) + list(REGISTRY.finditer(line)):
                problems.append('%s:%d: %s belongs to one machine or network' % (path, number, match.group()))
    return problems


CHECKS = {'layers': check_layers, 'api': check_api, 'cycles': check_cycles, 'pure': check_pure, 'globals': check_globals,
          'lines': check_lines, 'functions': check_functions, 'structs': check_structs, 'units': check_units, 'goto': check_goto,
          'private': check_private, 'spdx': check_spdx, 'format': check_format, 'picture': check_picture,
          'callers': check_callers, 'opnames': check_opnames, 'codes': check_codes, 'order': order.check, 'keys': check_keys,
          'constants': unused.unused_constants, 'members': unused.members_without_reader,
          'asserts': check_asserts, 'files': check_files, 'limits': limits.check, 'machine': check_machine, 'words': words.check}
SHOWN = 40  # problems of one check


def report(name, problems):
    print('%-10s %s' % (name, 'FAIL, %d' % len(problems) if problems else 'ok'))
    for problem in problems[:SHOWN]:
        print('  ' + problem)
    if len(problems) > SHOWN:
        print('  ... and %d more' % (len(problems) - SHOWN))


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--root', default=ROOT, help='the repository (default: the one of this script)')
    ap.add_argument('--build', help='folder with the libraries (default: build/ in the repository)')
    ap.add_argument('--only', metavar='CHECKS', help='comma list of checks')
    ap.add_argument('--list', action='store_true', help='print the names of the checks')
    opt = ap.parse_args()
    if opt.list:
        print('\n'.join(CHECKS))
        return 0
    names = opt.only.split(',') if opt.only else list(CHECKS)
    unknown = [n for n in names if n not in CHECKS]
    if unknown:
        ap.error('unknown: ' + ', '.join(unknown))

    tree = Tree(opt.root, opt.build)
    passed = failed = skipped = 0
    for name in names:
        try:
            problems = CHECKS[name](tree)
        except Skip as why:
            print('%-10s skipped: %s' % (name, why))
            skipped += 1
            continue
        report(name, problems)
        passed, failed = passed + (not problems), failed + bool(problems)
    print('%d passed, %d failed%s' % (passed, failed, ', %d skipped' % skipped if skipped else ''))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
