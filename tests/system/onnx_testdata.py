#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ONNX's own models as Debian ships them (libonnx-testdata), with the tensors that each of them gives.

`shape batch` reads all as they are, and again without the types that they declare of results and of values between: every
dim that it says must be that of the tensor beside the model. States how many there are, the causes of errors, and how many
dims are known. Without the package the test is skipped. Reads SHAPE (default build/shape), ONNX_TESTDATA (the folder).
The last line is `N passed, N failed[, N skipped]`.
"""
import collections
import glob
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from zoo_models import fields, num, sub, varint, varint_at  # noqa: E402

SHAPE = os.environ.get('SHAPE', os.path.join(ROOT, 'build', 'shape'))
DATA = os.environ.get('ONNX_TESTDATA', '/usr/share/libonnx-testdata/data')
GRAPH, NAME, OUTPUT, BETWEEN = 7, 1, 12, 13  # fields of ModelProto, ValueInfoProto and GraphProto
WRONG_MODELS = 5  # as many are printed at most


def put(number, wire, value):
    if wire == 0:
        return num(number, value)
    return sub(number, value) if wire == 2 else varint(number << 3 | wire) + value


def without_types(data):
    """The model with the names of its results alone, and nothing of the values between."""
    out = b''
    for number, wire, value in fields(data):
        if number == GRAPH:
            body = b''
            for inner, kind, item in fields(value):
                if inner == OUTPUT:
                    item = b''.join(put(*f) for f in fields(item) if f[0] == NAME)
                if inner != BETWEEN:
                    body += put(inner, kind, item)
            value = body
        out += put(number, wire, value)
    return out


def dims_of(path):
    """Of a TensorProto; None for what else the tests hold (sequences, optionals)."""
    dims, dtype = [], None
    with open(path, 'rb') as f:
        data = f.read()
    for number, wire, value in fields(data):
        if number == 1 and wire == 0:
            dims.append(value)
        elif number == 1 and wire == 2:
            at = 0
            while at < len(value):
                dim, at = varint_at(value, at)
                dims.append(dim)
        elif number == 2:
            dtype = value if wire == 0 else None
    return dims if dtype else None


def batch(folder):
    """path inside the folder -> the line about it"""
    run = subprocess.run([SHAPE, 'batch', folder, '--quiet', '--no-times', '--jsonl', '-'], capture_output=True, text=True)
    lines = [json.loads(line) for line in run.stdout.split('\n') if line.startswith('{')]
    return {os.path.relpath(line['path'], folder): line for line in lines if 'path' in line}


def causes(answers):
    said = collections.Counter()
    for answer in answers.values():
        found = [d.get('code', d['message']) for d in (answer['summary'] or {}).get('diagnostics', []) if d['severity'] == 'error']
        if answer['status'] != 'ok':
            said['%s: %s' % (answer['status'], (found or [answer['message']])[0])] += 1
    return said


def compare(answers):
    """(dims that agree, dims that are not numbers, what is wrong)"""
    agree, unknown, wrong = 0, 0, []
    for path, answer in sorted(answers.items()):
        for k, output in enumerate((answer['summary'] or {}).get('outputs', [])):
            tensor = os.path.join(DATA, os.path.dirname(path), 'test_data_set_0', 'output_%d.pb' % k)
            real = dims_of(tensor) if os.path.exists(tensor) else None
            if real is None:
                continue
            said = output.get('dims')
            if said is None:
                unknown += len(real)
                continue
            fits = len(said) == len(real) and all(s == r for s, r in zip(said, real) if isinstance(s, int))
            if not fits:
                wrong.append('%s: %s is %s, its tensor has %s' % (path, output['name'], said, real))
            agree += sum(isinstance(s, int) for s in said)
            unknown += sum(not isinstance(s, int) for s in said)
    return agree, unknown, wrong


def main():
    models = sorted(glob.glob(os.path.join(DATA, '**', '*.onnx'), recursive=True))
    if not models:
        print('skipped: libonnx-testdata is not installed (deploy/install-deps.sh test)')
        print('0 passed, 0 failed, 1 skipped')
        return 0
    passed = failed = 0
    with tempfile.TemporaryDirectory() as bare:
        for path in models:
            copy = os.path.join(bare, os.path.relpath(path, DATA))
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            with open(path, 'rb') as source, open(copy, 'wb') as out:
                out.write(without_types(source.read()))
        for what, folder in (('as they are', DATA), ('without declared types', bare)):
            answers = batch(folder)
            said = causes(answers)
            agree, unknown, wrong = compare(answers)
            print('%s: %d models, %d ok, %d dims agree with the data, %d are not numbers' %
                  (what, len(answers), sum(a['status'] == 'ok' for a in answers.values()), agree, unknown))
            for cause, count in sorted(said.items()):
                print('  %d %s' % (count, cause))
            for line in wrong[:WRONG_MODELS]:
                print('  wrong: %s' % line)
            fine = len(answers) == len(models) and not said and not wrong and agree > unknown
            passed, failed = passed + fine, failed + (not fine)
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
