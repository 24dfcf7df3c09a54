# SPDX-License-Identifier: Apache-2.0
"""What the product defines and nothing in it uses: functions, constants, members of structs.

Only the product counts: what tests, benches and fuzz targets alone use is not used. The names of installed headers are
used by programs that are not here, and functions that check invariants (`*_check`, `check_debug_*`) by debug builds.
"""
import collections
import os
import re
import shutil
import subprocess

import c_scan

PRODUCT = ('solver', 'proto', 'server', 'clients', 'deploy')
# Whose functions are called by others.
# The core that the public header is written on has callers there.
INSTALLED = ('solver/shape.h', 'solver/api/', 'solver/analysis/run.h', 'solver/emit/emitter.h',
             'clients/c/shape_client.h', 'clients/c/shape_remote.h', 'clients/mlir/')
DEBUG = re.compile(r'_check$|_verify$|^check_debug_')
# The rest of what has no reader that can be seen here, with the reason.
KEPT = {
    'align': 'gives a union of bytes the alignment of what they hold',
    'files': 'the kernel reads it (Landlock)',
    'network': 'the kernel reads it (Landlock)',
    'ordinal': 'read with all of symbol_key, as bytes',
    'store_consistent': 'contexts of the public API ask it',
    'spell_term': 'debug builds compare what is spelled with the term',
    'KEEP_FORM': 'what comes after KEEP_NOTHING, by arithmetic',
}

WORD = re.compile(r'[A-Za-z_]\w*')
INLINE = re.compile(r'^static inline [^;{]*?\b(\w+)\(', re.MULTILINE)
DEFINE = re.compile(r'^[ \t]*#[ \t]*define[ \t]+(\w+)', re.MULTILINE)
ENUM = re.compile(r'\benum\b(?:\s+\w+)?\s*\{([^{}]*)\}')
PASTE = re.compile(r'(\w+)\s*##|##\s*(\w+)')
STRUCT = re.compile(r'\b(?:struct|union)\b(?:\s+\w+)?\s*\{')
# A member that is assigned, or an array whose element is; `*x->end = y` reads x->end.
WRITTEN = re.compile(r'(?<![*\w.>\])])(?:\w+(?:\[[^][]*\])*(?:\.|->))*(?:\w+(?:\[[^][]*\])*)?(?:\.|->)\s*(\w+)(?:\[[^][]*\])?'
                     r'\s*(?:=(?!=)|[-+*/|&^]=|<<=|>>=)')
COUNTED = re.compile(r'(?:^|[;{}),])\s*(?:\w+(?:\[\w+\])?(?:\.|->))+(\w+)(?:\[\w+\])?\s*(?:\+\+|--)\s*;', re.MULTILINE)
MEMBER = re.compile(r'(?:\.|->)\s*(\w+)')


def product(tree):
    """The files whose text is the product's: {path: text without comments}."""
    return {path: c_scan.without_comments(tree.text(path)) for path in tree.files
            if path.split('/')[0] in PRODUCT and path.endswith(('.c', '.h', '.def', '.cpp', '.hpp'))
            and '/examples/' not in path}


def installed(tree):
    return {word for path in tree.files if path.startswith(INSTALLED) and path.endswith(('.h', '.hpp', '.cpp'))
            for word in WORD.findall(c_scan.code_only(tree.text(path)))}


def objects(tree):
    """[(source, object)] of the product's sources that are built."""
    found = []
    for path in tree.files:
        if path.endswith('.c') and path.split('/')[0] in PRODUCT and '/examples/' not in path:
            name = os.path.join(tree.build, 'obj', path[:-2] + '.o')
            if os.path.exists(name):
                found.append((path, name))
    return found


def symbols(names):
    """[(object, symbol, type)] of what objects define and need, as nm tells."""
    done = subprocess.run(['nm', '-P', '-A'] + names, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                          universal_newlines=True)
    rows = (re.match(r'(.*?): (\S+) (\S)', line) for line in done.stdout.split('\n'))
    return [row.groups() for row in rows if row]


def functions_without_caller(tree, skip):
    """Functions of .c files that no other object of the product refers to; the objects come from a build."""
    if not shutil.which('nm'):
        raise skip('nm is not installed')
    built = objects(tree)
    if not built:
        raise skip('there are no objects in %s; build first' % os.path.relpath(tree.build, tree.root))
    source, used, made = {name: path for path, name in built}, collections.Counter(), []
    for name, symbol, kind in symbols([name for _, name in built]):
        if kind == 'U':
            used[symbol] += 1
        elif kind in 'TDRB' and symbol != 'main':
            made.append((source[name], symbol))
    public = installed(tree)
    return ['%s: no other file of the product uses %s: make it static, or delete it' % (path, symbol)
            for path, symbol in made if not used[symbol] and symbol not in public and symbol not in KEPT
            and not DEBUG.search(symbol)]


def inline_functions(tree):
    """Functions that a header defines and nothing calls."""
    texts = product(tree)
    count = collections.Counter(word for text in texts.values() for word in WORD.findall(text))
    return ['%s:%d: nothing calls %s' % (path, c_scan.line_of(text, m.start(1)), m.group(1))
            for path, text in texts.items() if path.endswith('.h') and path not in INSTALLED
            for m in INLINE.finditer(text) if count[m.group(1)] < 2 and not DEBUG.search(m.group(1))]


def constants(text):
    """[(position, name)] of the macros and enumerators that a text defines, but for those of value 0 that begin an enum
    (the state that memory of zeros has) and the guards of includes."""
    for m in DEFINE.finditer(text):
        if not text[m.end():].split('\n', 1)[0].strip() == '':
            yield m.start(1), m.group(1)
    for m in ENUM.finditer(text):
        position = m.start(1)
        for index, part in enumerate(re.split(r'(,)', m.group(1))):
            name = re.match(r'\s*([A-Z_][A-Z0-9_]*)\s*(=|$)', part)
            if name and (index or name.group(2) == '='):
                yield position + name.start(1), name.group(1)
            position += len(part)


def unused_constants(tree):
    texts = product(tree)
    count = collections.Counter(word for text in texts.values() for word in WORD.findall(text))
    pasted = tuple({a for text in texts.values() for a, _ in PASTE.findall(text) if len(a) > 2})
    public = installed(tree)
    return ['%s:%d: nothing uses %s' % (path, c_scan.line_of(text, position), name)
            for path, text in texts.items() for position, name in constants(text)
            if count[name] < 2 and name not in public and name not in KEPT and not (pasted and name.startswith(pasted))]


def members(text):
    """[(position, name)] of the members of the structs that a text defines."""
    for m in STRUCT.finditer(text):
        depth, end = 1, m.end()
        while end < len(text) and depth:
            depth += {'{': 1, '}': -1}.get(text[end], 0)
            end += 1
        body, position = text[m.end():end - 1], m.end()
        while re.search(r'\{[^{}]*\}', body):  # inner structs have a match of their own
            body = re.sub(r'\{[^{}]*\}', lambda inner: c_scan.blank(inner.group()), body)
        for part in re.split(r'(;)', body):
            declared = re.sub(r'\[[^]]*\]', lambda inner: c_scan.blank(inner.group()), part)
            pointer = re.search(r'\(\s*\*\s*(\w+)\s*\)', declared)
            names = [pointer] if pointer else list(re.finditer(r'(\w+)\s*(?::\s*\d+\s*)?(?=,|$|\s*$)', declared))
            for name in names if part.strip() else []:
                if name.group(1) in ('struct', 'union'):  # without a name: its members are read as those outside
                    continue
                yield position + name.start(1), name.group(1)
            position += len(part)


def members_without_reader(tree):
    """Members that are set at most. A name that any struct reads counts as read."""
    texts = {path: c_scan.code_only(tree.text(path)) for path in product(tree)}
    read = collections.Counter()
    for path in texts:
        text = c_scan.without_comments(tree.text(path))
        for name in MEMBER.findall(text):
            read[name] += 1
        for pattern in (WRITTEN, COUNTED):
            for m in pattern.finditer(text):
                read[m.group(1)] -= 1
    return ['%s:%d: nothing reads %s' % (path, c_scan.line_of(text, position), name)
            for path, text in texts.items() if not path.startswith(INSTALLED)
            for position, name in members(text) if read[name] <= 0 and name not in KEPT]
