# SPDX-License-Identifier: Apache-2.0
"""What system tests of the language server share: sessions whose messages are validated, programs, edits."""
import json
import os
import subprocess
import tempfile

from lsp import Failed, Server
from shaped import ROOT, SHAPE

URI = 'file:///p/program.mlir'
SAID = []  # messages of all servers
with open(os.path.join(ROOT, 'deploy', 'demo', 'heads.mlir'), encoding='utf-8') as handle:
    HEADS = handle.read()
ADD = '''func.func @main(%a: tensor<8x?xf32>, %b: tensor<?x4xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.add %a, %b : (tensor<8x?xf32>, tensor<?x4xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
'''
ADD_OF_SOURCE = '''func.func @main(%x: tensor<3xf32>, %y: tensor<4xf32>) -> tensor<3xf32> {
  %0 = "stablehlo.add"(%x, %y) : (tensor<3xf32>, tensor<4xf32>) -> tensor<3xf32> loc(callsite("net a.py":12:7 at "/abs/train.py":3:1))
  return %0 : tensor<3xf32>
}
'''
CONFLICT = '''func.func @main(%a: tensor<3xf32>, %b: tensor<4xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %a, %b : (tensor<3xf32>, tensor<4xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
'''
DECLARED = '''"disc_shape.SymbolicDim"() {sym_name = "batch", value = -9223372036854775808 : i64, knownNonNegative = true, knownNegativeOne = false, knownNonSizeOne = false, knownNonSizeZero = false, ranges = array<i64: 8, 64>, divisible_by = 8 : i64, likely_values = array<i64: 8, 16>} : () -> ()
func.func @main(%a: tensor<?x4xf32, [@batch, @C4]>) -> tensor<?x4xf32> {
  %0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<?x4xf32, [@batch, @C4]>, tensor<?x4xf32, [@batch, @C4]>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
"disc_shape.SymbolicDim"() {sym_name = "C4", value = 4 : i64, knownNonNegative = true, knownNegativeOne = false, knownNonSizeOne = true, knownNonSizeZero = true} : () -> ()
'''
THREE = '''func.func @one(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.add %x, %y : tensor<?x4xf32>
  %1 = "stablehlo.reduce_window"(%0, %0) ({
    ^bb0(%s: tensor<f32>, %t: tensor<f32>):
      "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

func.func @two(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.abs %x : tensor<?xf32>
  %1 = stablehlo.negate %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}

func.func @three(%x: tensor<?x2xf32>) -> tensor<2x?xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<?x2xf32>) -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}
'''


class Session(Server):
    """A server whose messages are validated at the end. Its hints are those of all types with a ?, where a test does not say."""

    def __init__(self, arguments=(), capabilities=None, options=None, **more):
        shown = options or {}
        super().__init__(arguments, capabilities, shown if 'shaped' in shown else {'hints': 'dynamic', **shown}, **more)

    def __exit__(self, kind, *rest):
        super().__exit__(kind, *rest)
        SAID.append((self.methods, self.messages))


def fails(code, function, *arguments, **named):
    try:
        result = function(*arguments, **named)
    except Failed as why:
        assert why.code == code, why
        return
    raise AssertionError('no error but %r' % (result,))


def offset(text, location):
    lines = text.split('\n')
    return sum(len(line) + 1 for line in lines[:location['line']]) + location['character']


def applied(text, edits):
    """The text with all edits made; they must not overlap."""
    spans = sorted((offset(text, e['range']['start']), offset(text, e['range']['end']), e['newText']) for e in edits)
    out, at = [], 0
    for begin, end, new in spans:
        assert begin >= at, 'edits overlap'
        out += [text[at:begin], new]
        at = end
    return ''.join(out + [text[at:]])


def checked(text):
    """The answer of `shape check`."""
    with tempfile.NamedTemporaryFile('w', suffix='.mlir', encoding='utf-8') as file:
        file.write(text)
        file.flush()
        return json.loads(subprocess.run([SHAPE, 'check', '--json', file.name], stdout=subprocess.PIPE, check=False).stdout)


def at(text, needle, skip=0):
    """(line, character) of a piece of the text."""
    i = text.index(needle) + skip
    return text.count('\n', 0, i), i - (text.rfind('\n', 0, i) + 1)


def edits_of(workspace_edit):
    (change,) = workspace_edit['documentChanges']
    return change['edits']
