#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What programs hold in their names cannot write to the terminal of those who read them: no control, no change of the
direction of text, no byte that is not UTF-8. Reads SHAPE (default build/shape).

The last line is `N passed, N failed[, N skipped]`.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import unicodedata

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import main  # noqa: E402

SHAPE = os.environ.get('SHAPE', os.path.join(ROOT, 'build', 'shape'))
RAW = '\x1b[31m\x7f\u009b32m\u202e\u2066é→'          # as it is in a text
ESCAPED = r'\1B[31m\7F\C2\9B32m\E2\80\AE\E2\81\A6\0Aé→\FF'  # as MLIR spells it

FORM = 'func.func @%s(%%a: tensor<?x4xf32>) -> tensor<?x4xf32> {\n  %s\n  return %%c : tensor<?x4xf32>\n}\n'
ADD = '%c = stablehlo.add %a, %a : tensor<?x4xf32>'
SYMBOL = '''"disc_shape.SymbolicDim"() {sym_name="x~", value=-9223372036854775808:i64} : () -> ()
func.func @main(%a: tensor<?x4xf32, [@"x~", @C4]>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c = stablehlo.add %a, %b : (tensor<?x4xf32, [@"x~", @C4]>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %c : tensor<?x4xf32>
}
'''
PROGRAMS = {  # ~ is where the text goes
    'function': FORM % ('"f~"', ADD),
    'symbol': SYMBOL,
    'operation': FORM % ('main', '%c = "foo.~"(%a) : (tensor<?x4xf32>) -> tensor<?x4xf32>'),
    'called': FORM % ('main', '%c = func.call @"g~"(%a) : (tensor<?x4xf32>) -> tensor<?x4xf32>'),
    'custom call': FORM % ('main', '%c = stablehlo.custom_call @"g~"(%a) : (tensor<?x4xf32>) -> tensor<?x4xf32>'),
    'type': 'func.func @main(%a: !x.y<"~">) -> !x.y<"~"> { return %a : !x.y<"~"> }\n',
    'syntax': FORM % ('main', '"~"'),
}
OTHER = FORM % ('main', ADD.replace('4', '5'))
COMMANDS = (['check'], ['check', '--certify'], ['check', '--refinable'], ['check', '--trace=all'],
            ['explain', '--that', 'arg0.0 == 3'], ['explain', '--at', '2:9'], ['diff', 'other.mlir'],
            ['refine', '--require-static', '-o', 'out'], ['refine', '--bind', 'arg0.0=3', '-o', 'out'],
            ['refine', '--guards', 'c'], ['refine', '--guards', 'python'], ['refine', '--emit', 'smt2'], ['batch', '-q'])


def wrong(data):
    """What a terminal would obey, of the bytes of an output."""
    text = data.decode('utf-8')  # fails where it is none
    return sorted({hex(ord(c)) for c in text if c != '\n' and (unicodedata.category(c) in ('Cc', 'Zl', 'Zp') or
                                                               unicodedata.bidirectional(c) in (
        'LRE', 'RLE', 'LRO', 'RLO', 'PDF', 'LRI', 'RLI', 'FSI', 'PDI') or c in '\u200e\u200f\u061c')})


def shape(folder, *arguments):
    return subprocess.run([SHAPE, *arguments], cwd=folder, capture_output=True, timeout=60, check=False)


def test_names_cannot_write_to_the_terminal():
    shown = 0
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 'other.mlir'), 'w', encoding='utf-8') as file:
            file.write(OTHER)
        for name, program in PROGRAMS.items():
            for spelling in RAW, ESCAPED:
                with open(os.path.join(folder, 'program.mlir'), 'w', encoding='utf-8') as file:
                    file.write(program.replace('~', spelling))
                for command in COMMANDS:
                    done = shape(folder, *command, 'program.mlir')
                    found = wrong(done.stdout) + wrong(done.stderr)
                    assert not found and done.returncode >= 0, (name, command, found, done)
                    assert name != 'symbol' or command != ['check'] or 'é→' in done.stdout.decode(), done
                    shown += 'é→'.encode() in done.stdout + done.stderr
    assert shown > 30, shown  # other characters stay


def test_names_stay_in_what_is_written():
    """A name with a line end asserts nothing in SMT-LIB, names that it cannot spell stay apart, and JSON can be read."""
    with open(os.path.join(ROOT, 'deploy', 'demo', 'heads.mlir'), encoding='utf-8') as file:
        heads = file.read().replace('tensor<?x?x768xf32>', 'tensor<?x?x768xf32, [@"~", @a_b, @C768]>')
    declared = '"disc_shape.SymbolicDim"() {sym_name="%s", value=-9223372036854775808:i64} : () -> ()\n'
    with tempfile.TemporaryDirectory() as folder:
        for name in 'a|b', r'a\0A(assert false)\0A', 'a b':
            with open(os.path.join(folder, 'p.mlir'), 'w', encoding='utf-8') as file:
                file.write((declared % '~' + declared % 'a_b' + heads).replace('~', name))
            facts = shape(folder, 'refine', '--emit', 'smt2', 'p.mlir').stdout.decode()
            assert facts.count('(declare-const') == 3 == len(set(re.findall(r'declare-const (\|[^|]*\|)', facts))), facts
            assert not re.search(r'^\(assert false', facts, re.M), facts
            shape(folder, 'refine', '--emit', 'json', '-o', 'p.json', 'p.mlir')
            answers = [json.loads(shape(folder, 'check', '--json', p).stdout)['functions'] for p in ('p.mlir', 'p.json')]
            assert answers[0][0]['argument_dims'] == answers[1][0]['argument_dims'], answers


def test_names_of_files():
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 'a\x1b[31m\nb\u202e.mlir'), 'w', encoding='utf-8') as file:
            file.write('no program')
        for command in (['batch', '-q', '.'], ['check', 'a\x1b[31m\nb\u202e.mlir']):
            done = shape(folder, *command)
            assert not wrong(done.stdout) and b'a?[31m?b?.mlir' in done.stdout, done


def test_carets_stand_below_characters():
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 'p.mlir'), 'w', encoding='utf-8') as file:
            file.write('func.func @main() {\n  "é→é.op"() : () -> () oops\n}\n')
        lines = shape(folder, 'check', 'p.mlir').stdout.decode().split('\n')
        assert lines[1].index('oops') == lines[2].index('^') and lines[2].strip() == '^~~~', lines
        with open(os.path.join(folder, 'long.mlir'), 'w', encoding='utf-8') as file:  # cut on both sides, by characters
            file.write('func.func @main() {\n  "%s.op"() : () -> () oops "%s"\n}\n' % ('é→' * 40, '→é' * 40))
        lines = shape(folder, 'check', 'long.mlir').stdout.decode().split('\n')
        assert lines[1].index('oops') == lines[2].index('^') and '→' in lines[1], lines


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
