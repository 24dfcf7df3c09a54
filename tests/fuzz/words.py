# SPDX-License-Identifier: Apache-2.0
"""Dictionaries for libFuzzer and AFL++, made from the tables that the programs are made of, and words.dict for each target.

usage: tests/fuzz/words.py FOLDER    writes FOLDER/<target>.dict for each target of this folder
"""
import glob
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
FIRST_TEXT = re.compile(r'^X\w*\([^"\n]*"([^"\n]+)"', re.M)
SECOND_TEXT = re.compile(r'^X\("[^"]+", "([^"]+)"', re.M)
FIRST_WORD = re.compile(r'^X\w*\((\w+)', re.M)


def rows(pattern, found=FIRST_TEXT):
    """What comes first in the rows of the tables; a table that moved must not leave its words out without a word."""
    words = []
    for path in sorted(glob.glob(os.path.join(ROOT, pattern))):
        with open(path, encoding='utf-8') as handle:
            words += found.findall(handle.read())
    if not words:
        raise SystemExit('%s: no table, or no rows in it' % pattern)
    return words


def keys():
    """Names of members in the schemas of the protocol, as they are in JSON."""
    found = set()

    def walk(node):
        if isinstance(node, dict):
            found.update(node.get('properties', {}))
            for value in node.values():
                walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)
    for path in glob.glob(os.path.join(ROOT, 'proto', 'schema', '*.json')):
        with open(path, encoding='utf-8') as handle:
            walk(json.load(handle))
    if not found:
        raise SystemExit('proto/schema: no members')
    return ['"%s":' % k for k in sorted(found)]


def programs():
    return rows('solver/ops/[!o]*.def') + rows('solver/graph/dtype.def') + rows('solver/formats/mlir/keys.def', FIRST_WORD)


def graphs():
    return ['"%s"' % w for w in programs()]


def models():
    return [w.rpartition('.')[2] for w in rows('solver/ops/onnx*.def')]


def functions():
    return rows('solver/formats/fx/fx.def') + ['torch.', '.view(', 'slice(', 'forward(self, ', 'None', 'self.',
            'True', '...', 'out=', 'dim=', ' and ', ' if ', 'is not None', '[:, ', '-> ', '*']


def exported():
    words = ['as_tensor', 'as_tensors', 'as_int', 'as_ints', 'as_sym_int', 'as_sym_ints', 'as_name', 'as_graph', 'as_expr',
             'expr_str', 'graph_module', 'graph', 'inputs', 'outputs', 'nodes', 'tensor_values', 'sym_int_values', 'sizes', 'dtype',
             'target', 'arg', 'name', 'kind', 'range_constraints', 'min_val', 'max_val', 'metadata', 'guards_code']
    return ['"%s": ' % w for w in words] + ['"torch.ops.%s"' % w for w in ('aten.view.default', 'higher_order.cond', 'higher_order.map_impl')]


def requests():
    return ['"%s"' % w for w in rows('proto/methods.def')] + keys()


def options():
    return (['--' + w for w in rows('server/options.def')] + ['%s = ' % w for w in rows('server/options.def')] +
            rows('clients/cli/commands.def') + ['--' + w for w in rows('clients/cli/options.def', SECOND_TEXT)])


def journal():
    return ['"%s"' % w for w in rows('clients/cli/batch/status.def')] + keys()


def editor():
    return rows('clients/lsp/methods.def')


TARGETS = {
    'fuzz_analyze': [programs], 'fuzz_mlir': [programs], 'fuzz_refine': [programs], 'fuzz_graph_json': [graphs, keys],
    'fuzz_session': [graphs, keys], 'fuzz_session_api': [programs, graphs], 'fuzz_onnx': [models],
    'fuzz_rpc': [requests], 'fuzz_connection': [requests], 'fuzz_http': [requests],
    'fuzz_reply': [requests], 'fuzz_worker': [requests], 'fuzz_decide': [keys],
    'fuzz_options': [options], 'fuzz_journal': [journal], 'fuzz_lsp': [editor],
    'fuzz_session_api': [programs], 'fuzz_torch': [functions, exported], 'fuzz_frame': [], 'fuzz_json_validate': [], 'fuzz_bytecode': [programs],
    'fuzz_bytecode_text': [programs],
}


def targets():
    return sorted(os.path.basename(p)[:-2] for p in glob.glob(os.path.join(HERE, 'fuzz_*.c')))


def escaped(word):
    return ''.join(c if ' ' <= c < '\x7f' and c not in '"\\' else ''.join('\\x%02x' % b for b in c.encode()) for c in word)


def write(folder):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(HERE, 'words.dict'), encoding='utf-8') as handle:
        fixed = handle.read()
    for target in targets():
        if target not in TARGETS:
            raise SystemExit('%s has no words in words.py' % target)
        words = dict.fromkeys(w for part in TARGETS[target] for w in part() if 1 < len(w) <= 64)
        with open(os.path.join(folder, target + '.dict'), 'w', encoding='utf-8') as handle:
            handle.write(fixed + ''.join('"%s"\n' % escaped(w) for w in words))


if __name__ == '__main__':
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    write(sys.argv[1])
