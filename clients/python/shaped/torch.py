# SPDX-License-Identifier: Apache-2.0
"""PyTorch programs: FX graphs as text or as GraphModule, torch.export's programs as objects or .pt2 files.

`analyze` needs no PyTorch for text and archives. The work is done by a daemon (`client`), or by the command `shape` ($SHAPE, or
of the PATH).
"""
from __future__ import annotations

import ast
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from .client import Client
from .errors import ShapedError
from .types import Dim, Record, Report

_PROGRAM = re.compile(r'(^|/)(models/[^/]*\.json|serialized_exported_program\.json)$')
Inputs = Union[None, Mapping[str, Any], Sequence[str]]


class ProgramError(ShapedError, ValueError):
    """What was given is not a program, or cannot be analysed."""


@dataclass
class Value(Record):
    """A value of the program: the dims of a tensor, None where they are not known; or what an integer is."""
    type: Optional[str] = None
    dims: Optional[List[Optional[Dim]]] = None
    value: Union[int, str, None] = None
    extra: Dict[str, Any] = field(default_factory=dict)


@dataclass
class Program:
    """The answer about a PyTorch program: `report` is that of `Client.analyze`."""
    report: Report
    names: List[str]  # of the parameters, in order

    @property
    def ok(self) -> bool:
        return self.report.status == 'ok'

    @property
    def values(self) -> Dict[str, Value]:
        """By the name of the node."""
        found = self.report.functions[0].extra.get('values', {}) if self.report.functions else {}
        return {name: Value.from_dict(v) for name, v in found.items()}

    @property
    def arguments(self) -> Dict[str, Optional[List[Dim]]]:
        dims = self.report.functions[0].argument_dims if self.report.functions else []
        return dict(zip(self.names, dims))

    def _axes(self) -> Dict[str, Tuple[str, int]]:
        """The first axis of an argument that is each symbol."""
        out: Dict[str, Tuple[str, int]] = {}
        for name, dims in self.arguments.items():
            for axis, dim in enumerate(dims or []):
                if isinstance(dim, str) and dim.isidentifier():
                    out.setdefault(dim, (name, axis))
        return out

    @property
    def guards(self) -> List[str]:
        """What a run requires of its arguments, as conditions of Python over their shapes."""
        axes = self._axes()
        return [_python(g.expr, axes) for g in self.report.guards]

    def dynamic_shapes(self) -> Dict[str, Dict[int, str]]:
        """For torch.export.export(dynamic_shapes=...), with `Dim(...)` as text; see `dynamic_shapes_text`."""
        ranges = {s.name: s for s in self.report.symbols}
        out: Dict[str, Dict[int, str]] = {}
        for name, dims in self.arguments.items():
            for axis, dim in enumerate(dims or []):
                if isinstance(dim, str):
                    out.setdefault(name, {})[axis] = _dim(dim, ranges)
        return out

    def dynamic_shapes_text(self) -> str:
        """Ready to paste."""
        parts = ('"%s": {%s}' % (name, ', '.join('%d: %s' % pair for pair in axes.items()))
                 for name, axes in self.dynamic_shapes().items())
        return 'dynamic_shapes={%s}' % ', '.join(parts)


@dataclass
class Comparison:
    """What PyTorch checks and what the program needs. Conditions are Python over shapes of the arguments."""
    needless: List[str] = field(default_factory=list)  # PyTorch holds them, the program runs without
    dropped: List[str] = field(default_factory=list)   # the program needs them, PyTorch does not check them
    program: Optional[Program] = None


def _python(text: str, axes: Mapping[str, Tuple[str, int]]) -> str:
    def shown(found: 're.Match[str]') -> str:
        name = found.group(0)
        return '%s.shape[%d]' % axes[name] if name in axes else name
    text = re.sub(r'(?<![\w.])[A-Za-z_]\w*', shown, text)
    text = re.sub(r'divisible\((.*), (\w+(?:\.shape\[\d+\])?)\)$', r'(\1) % \2 == 0', text)
    for name, sign in (('floordiv', '//'), ('mod', '%')):
        text = re.sub(name + r'\(([^(),]+), ([^(),]+)\)', r'(\1 %s \2)' % sign, text)
    return text.replace('^', '**')


def _dim(dim: str, ranges: Mapping[str, Any]) -> str:
    symbol = ranges.get(dim)
    if symbol is None:
        return 'Dim.AUTO' if not re.fullmatch(r'[\w*+\- ]+', dim) else dim  # 2*B: derived from another Dim
    by = int(symbol.divisible_by or 1)
    least, most = symbol.min, symbol.max
    if by > 1:
        least = None if least is None else -(-int(least) // by)
        most = None if most is None else int(most) // by
    bounds = ''.join(', %s=%s' % (k, v) for k, v in (('min', least), ('max', most)) if v is not None and (k, v) != ('min', 0))
    return '%sDim("%s%s"%s)' % ('%d*' % by if by > 1 else '', dim, '_%d' % by if by > 1 else '', bounds)


# --- programs of every kind to bytes and inputs

def _exported(program: Any) -> bytes:
    export = sys.modules.get('torch.export')
    if export is None:
        raise ProgramError('an exported program needs torch.export, which is not loaded')
    buffer = io.BytesIO()
    export.save(program, buffer)
    return buffer.getvalue()


_SHORT = {'float32': 'f32', 'float64': 'f64', 'float16': 'f16', 'bfloat16': 'bf16', 'int64': 'si64', 'int32': 'si32',
          'int16': 'si16', 'int8': 'si8', 'uint8': 'ui8', 'bool': 'i1', 'complex64': 'complex<f32>'}


def _tensor(name: str, tensor: Any, whole: bool = False) -> Dict[str, Any]:
    dims = [int(d) if whole or isinstance(d, int) else str(d) for d in tensor.shape]
    entry = {'name': name, 'dims': dims}
    short = _SHORT.get(str(tensor.dtype).replace('torch.', ''))
    return dict(entry, dtype=short) if short else entry


def _attribute(module: Any, path: str) -> Any:
    for part in path.split('.'):
        module = getattr(module, part, None)
    return module


def _graph_module(module: Any, inputs: Inputs) -> Tuple[bytes, Any]:
    """The text of a GraphModule; dims of its parameters from its nodes, where the caller gives none, and those of weights."""
    given = dict(inputs) if isinstance(inputs, Mapping) else {'inputs': [_entry(t) for t in inputs or []], 'symbols': {}}
    named = {e['name'] for e in given.setdefault('inputs', [])}
    given['inputs'] = list(given['inputs'])
    for node in module.graph.nodes:
        if node.op == 'placeholder' and str(node.target).lstrip('*') not in named:
            seen = node.meta.get('val', node.meta.get('tensor_meta'))
            if hasattr(seen, 'shape'):
                given['inputs'].append(_tensor(node.name, seen))
        elif node.op == 'get_attr' and 'self.' + node.target not in named:
            value = _attribute(module, node.target)
            if hasattr(value, 'shape'):
                named.add('self.' + node.target)
                given['inputs'].append(_tensor('self.' + node.target, value, whole=True))
    return ('import torch\n' + module.code).encode(), given


def _entry(text: str) -> Dict[str, Any]:
    """x:f32[B,3] or n=B as an entry of the file of inputs."""
    found = re.fullmatch(r'([^:=]+)=(.*)', text)
    if found:
        return {'name': found.group(1), 'int': found.group(2)}
    found = re.fullmatch(r'([^:=]+):([^\[]*)(?:\[(.*)\])?', text)
    if not found:
        raise ProgramError("%r: expected NAME:TYPE[DIMS] or NAME=N" % text)
    name, dtype, dims = found.groups()
    entry: Dict[str, Any] = {'name': name}
    if dtype:
        entry['dtype'] = dtype
    if dims is not None:
        parts = [d.strip() for d in dims.split(',')] if dims.strip() else []
        entry['dims'] = [int(d) if d.isdigit() else None if d == '?' else d for d in parts]
    return entry


def _source(program: Any, inputs: Inputs) -> Tuple[bytes, Any]:
    if isinstance(program, (bytes, bytearray)):
        return bytes(program), inputs
    if isinstance(program, os.PathLike):
        return pathlib.Path(program).read_bytes(), inputs
    if isinstance(program, str):
        return program.encode(), inputs
    if hasattr(program, 'graph_signature'):
        return _exported(program), inputs
    if hasattr(program, 'graph') and hasattr(program, 'code'):
        return _graph_module(program, inputs)
    raise ProgramError('expected FX text, bytes, a path, a GraphModule or an ExportedProgram, found %s' %
                       type(program).__name__)


def _parameters(source: bytes) -> List[str]:
    """Names of what the program takes, in order."""
    if source[:2] == b'PK':
        return _archive_names(source)
    try:
        tree = ast.parse(source.decode())
    except (SyntaxError, ValueError):
        return []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == 'forward':
            a = node.args
            return [p.arg for p in a.posonlyargs + a.args + ([a.vararg] if a.vararg else []) + a.kwonlyargs if p.arg != 'self']
    return []


def _archive(source: bytes) -> Dict[str, Any]:
    try:
        with zipfile.ZipFile(io.BytesIO(source)) as archive:
            names = [n for n in archive.namelist() if _PROGRAM.search(n)]
            return dict(json.loads(archive.read(names[0]))) if names else {}
    except (zipfile.BadZipFile, ValueError):
        return {}  # the analysis says what is wrong with it


def _archive_names(source: bytes) -> List[str]:
    graph = _archive(source).get('graph_module', {}).get('graph', {})
    return [str(next(iter(i.values()), {}).get('name', '')) if isinstance(next(iter(i.values()), None), dict) else ''
            for i in graph.get('inputs', [])]


def _check(source: bytes, inputs: Any, options: Mapping[str, Any]) -> Dict[str, Any]:
    tool = os.environ.get('SHAPE', 'shape')
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'model.pt2' if source[:2] == b'PK' else 'model.py')
        with open(path, 'wb') as handle:
            handle.write(source)
        command = [tool, 'check', '--json', path]
        if isinstance(inputs, Mapping):
            listed = os.path.join(folder, 'inputs.json')
            with open(listed, 'w', encoding='utf-8') as text:
                json.dump(inputs, text)
            command += ['--inputs', listed]
        else:
            command += [word for i in inputs or [] for word in ('--input', i)]
        command += [word for a in options.get('assume', ()) for word in ('--assume', a)]
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if not run.stdout:
        raise ProgramError(run.stderr.strip() or '%s ended with %d' % (tool, run.returncode))
    return dict(json.loads(run.stdout))


def analyze(program: Any, inputs: Inputs = None, *, client: Optional[Client] = None, **options: Any) -> Program:
    """What is known of a program: FX text, its bytes or path, a .pt2, a GraphModule or an ExportedProgram.

    inputs: dims of parameters, ["x:f32[B,3]", "n=B"] or the contents of the command line's --inputs. options: those of
    `Client.analyze`; without a client `assume` alone. ProgramError: the program is none, or the options are invalid; a program with
    errors is a Program whose report says so.
    """
    source, given = _source(program, inputs)
    if client is not None:
        if given:
            options['inputs'] = json.dumps(given) if isinstance(given, Mapping) else list(given)
        report = client.analyze(source if source[:2] == b'PK' else source.decode(), **options)
    else:
        if set(options) - {'assume'}:
            raise ProgramError('options other than assume need a client')
        report = Report.from_dict(_check(source, given, options))
    return Program(report, _parameters(source))


# --- what PyTorch checks

def _size_axes(program: Mapping[str, Any]) -> Dict[str, Tuple[str, int]]:
    """The argument and axis where each symbol of PyTorch is a dim."""
    graph = program.get('graph_module', {}).get('graph', {})
    tensors, out = graph.get('tensor_values', {}), {}
    for entry in graph.get('inputs', []):
        name = entry.get('as_tensor', {}).get('name') if isinstance(entry.get('as_tensor'), dict) else None
        for axis, size in enumerate(tensors.get(name, {}).get('sizes', [])):
            text = size.get('as_expr', {}).get('expr_str', '') if isinstance(size.get('as_expr'), dict) else ''
            found = re.match(r"Symbol\('(\w+)'", text) or re.fullmatch(r'(\w+)', text)
            if found:
                out.setdefault(found.group(1), (name, axis))
    return out


def _held(program: Mapping[str, Any]) -> List[str]:
    axes, out = _size_axes(program), []
    for symbol, bounds in program.get('range_constraints', {}).items():
        if symbol not in axes:
            continue
        where = '%s.shape[%d]' % axes[symbol]
        if isinstance(bounds.get('min_val'), int) and bounds['min_val'] > 0:
            out.append('%s >= %d' % (where, bounds['min_val']))
        if isinstance(bounds.get('max_val'), int) and bounds['max_val'] < 2**62:
            out.append('%s <= %d' % (where, bounds['max_val']))
    for guard in program.get('guards_code') or []:
        out.append(re.sub(r"L\['(\w+)'\]\.size\(\)\[(\d+)\]", r'\1.shape[\2]', guard))
    return out


def _without_facts(source: bytes) -> bytes:
    """The archive without what PyTorch says of the ranges of its symbols."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(source)) as old, zipfile.ZipFile(out, 'w', zipfile.ZIP_STORED) as new:
        for name in old.namelist():
            data = old.read(name)
            if _PROGRAM.search(name):
                doc = json.loads(data)
                doc['range_constraints'] = {}
                doc.pop('guards_code', None)
                text = json.dumps(doc)
                data = text.replace('positive=True', 'nonnegative=True').encode()
            new.writestr(name, data)
    return out.getvalue()


def _normal(condition: str) -> str:
    return re.sub(r'[\s()]', '', condition)


def compare(program: Any, *, client: Optional[Client] = None) -> Comparison:
    """Guards of an ExportedProgram, or of the bytes or path of its .pt2, beside what the program needs: analysed without them."""
    source, _ = _source(program, None)
    if source[:2] != b'PK':
        raise ProgramError('compare takes an exported program or its .pt2')
    found = analyze(_without_facts(source), client=client)
    axes = found._axes()
    held = _held(_archive(source))
    needs = list(found.guards)
    for symbol in found.report.symbols:
        if symbol.name not in axes:
            continue
        where = '%s.shape[%d]' % axes[symbol.name]
        if symbol.min not in (None, 0):
            needs.append('%s >= %s' % (where, symbol.min))
        if symbol.max is not None:
            needs.append('%s <= %s' % (where, symbol.max))
        if int(symbol.divisible_by or 1) > 1:
            needs.append('%s %% %s == 0' % (where, symbol.divisible_by))
    needs = list(dict.fromkeys(needs))
    known_needs, known_held = {_normal(n) for n in needs}, {_normal(h) for h in held}
    return Comparison(needless=[h for h in held if _normal(h) not in known_needs],
                      dropped=[n for n in needs if _normal(n) not in known_held], program=found)


__all__ = ['Comparison', 'Program', 'ProgramError', 'Value', 'analyze', 'compare']
