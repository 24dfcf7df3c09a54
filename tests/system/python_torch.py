#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""shaped.torch: FX text, archives of torch.export and GraphModules, with the command line and with a real daemon.

Reads SHAPED and SHAPE (default: in build/). GraphModules need a Python with PyTorch (/usr/bin/python3 where Debian's is
installed). The last line is `N passed, N failed[, N skipped]`.
"""
import importlib.util
import io
import json
import os
import subprocess
import sys
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CLIENT = os.path.join(ROOT, 'clients', 'python')
sys.path[:0] = [CLIENT, os.path.join(ROOT, 'tests', 'support')]
os.environ.setdefault('SHAPE', os.path.join(ROOT, 'build', 'shape'))
import cases  # noqa: E402
import shaped.torch  # noqa: E402
from shaped import Client  # noqa: E402

SPEC = importlib.util.spec_from_file_location('daemons', os.path.join(ROOT, 'tests', 'support', 'shaped.py'))
daemons = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(daemons)

TEXT = '''import torch
class GraphModule(torch.nn.Module):
    def forward(self, q, k, n: torch.SymInt):
        scores = q @ k.transpose(1, 2)
        heads = q.view(-1, 4, 128)
        return (scores, heads, torch.zeros(n))
'''
INPUTS = ['q:f32[B,T,64]', 'k:f32[B,S,64]', 'n=S']

FUSED = '''import sys
import torch
import shaped.torch
from torch.fx.experimental.proxy_tensor import make_fx

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(4, 5))
    def forward(self, x):
        return (x @ self.weight).sum(1)

module = torch.fx.symbolic_trace(Model())
program = shaped.torch.analyze(module, inputs=['x:f32[B,4]'])
assert program.ok and program.values['sum_1'].dims == ['B'], program.values
module = make_fx(lambda x, y: torch.mm(x, y).relu())(torch.zeros(3, 4), torch.zeros(4, 2))
program = shaped.torch.analyze(module)
assert program.values['relu'].dims == [3, 2], program.values
print('fine')
'''


def archive():
    size = {'as_expr': {'expr_str': 's0', 'hint': None}}
    graph = {'inputs': [{'as_tensor': {'name': 'x'}}], 'outputs': [{'as_tensor': {'name': 'y'}}],
             'nodes': [{'target': 'torch.ops.aten.view.default', 'metadata': {},
                        'inputs': [{'name': 'self', 'arg': {'as_tensor': {'name': 'x'}}, 'kind': 1},
                                   {'name': 'size', 'arg': {'as_ints': [-1, 4]}, 'kind': 1}],
                        'outputs': [{'as_tensor': {'name': 'y'}}]}],
             'tensor_values': {'x': {'dtype': 7, 'sizes': [size]},
                               'y': {'dtype': 7, 'sizes': [{'as_expr': {'expr_str': '(s0//4)', 'hint': None}}, {'as_int': 4}]}},
             'sym_int_values': {}}
    doc = {'schema_version': {'major': 8, 'minor': 2}, 'graph_module': {'graph': graph},
           'range_constraints': {'s0': {'min_val': 2, 'max_val': None}}}
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w') as made:
        made.writestr('m/archive_format', 'pt2')
        made.writestr('m/models/model.json', json.dumps(doc))
    return out.getvalue()


def check_answer(program):
    assert program.ok, program.report
    assert program.values['scores'].dims == ['B', 'T', 'S'], program.values
    assert program.arguments['q'] == ['B', 'T', 64], program.arguments
    assert program.guards == ['(q.shape[0]*q.shape[1] % 8) == 0'], program.guards
    assert program.dynamic_shapes_text().startswith('dynamic_shapes={"q": {0: Dim("B", min=1), 1: Dim("T", min=1)}'), \
        program.dynamic_shapes_text()


def test_text():
    check_answer(shaped.torch.analyze(TEXT, INPUTS))


def test_text_with_a_daemon():
    with daemons.Daemon() as daemon, Client(daemon.path) as client:
        check_answer(shaped.torch.analyze(TEXT, INPUTS, client=client))


def test_errors_are_in_the_report():
    program = shaped.torch.analyze(TEXT, ['q:f32[B,T,64]', 'k:f32[B,S,32]'])
    assert not program.ok and program.report.diagnostics[0].line == 4, program.report


def test_what_is_no_program():
    for wrong in (3, '', b'PK'):
        try:
            program = shaped.torch.analyze(wrong)
        except shaped.torch.ProgramError:
            continue
        assert not program.ok, program


def test_archive():
    program = shaped.torch.analyze(archive())
    assert program.values['y'].dims[1] == 4, program.values


def test_compare():
    found = shaped.torch.compare(archive())
    assert found.needless == ['x.shape[0] >= 2'], found
    assert any('% 4' in d for d in found.dropped), found


def test_graph_modules():
    python = '/usr/bin/python3'
    if not os.path.exists(python) or subprocess.run([python, '-c', 'import torch'], stderr=subprocess.DEVNULL).returncode:
        raise cases.Skipped('%s has no PyTorch' % python)
    run = subprocess.run([python, '-c', FUSED], env=dict(os.environ, PYTHONPATH=CLIENT), stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, check=False)
    assert run.stdout == 'fine\n', run.stderr


if __name__ == '__main__':
    sys.exit(cases.main(globals(), sys.argv[1:]))
