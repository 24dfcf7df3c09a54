#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`shape refine --cleanup` of real ONNX models: how many nodes go, and what the models compute before and after.

Reads SHAPE (default build/shape) and ../shared/corpus/onnx/zoo. ORT_WEB is the folder of the npm package onnxruntime-web,
which runs both models on the same inputs at each of the dims that the corpus lists. The corpus has no weights: those that are
left out are numbers by the name of the initializer. A model with more than WEIGHTS megabytes of them is cleaned and counted
alone. The last line is `N passed, N failed, N skipped`.
"""
import glob
import gzip
import json
import math
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from zoo_models import fields, varint, varint_at  # noqa: E402

SHAPE = os.environ.get('SHAPE', os.path.join(ROOT, 'build', 'shape'))
ZOO = os.path.join(os.path.dirname(ROOT), 'shared', 'corpus', 'onnx', 'zoo')
RUNNER = os.path.join(ROOT, 'tests', 'support', 'node', 'zoo_cleaned.mjs')
WEIGHTS = float(os.environ.get('WEIGHTS', '6'))
# Bytes of an element of each type of onnx.proto that a weight has.
BYTES = {1: 4, 2: 1, 3: 1, 4: 2, 5: 2, 6: 4, 7: 8, 9: 1, 10: 2, 11: 8, 12: 4, 13: 8}
FLOATS = {1: 'f', 10: 'e', 11: 'd'}
BLOCK = 1021


def field(number, wire, value):
    return varint(number << 3 | wire) + (varint(value) if wire == 0 else varint(len(value)) * (wire == 2) + value)


def varints(data):
    at = 0
    while at < len(data):
        value, at = varint_at(data, at)
        yield value


def weight(data):
    """A TensorProto with the data that the corpus left out."""
    dims, kind, name, has = [], 0, b'', False
    for number, wire, value in fields(data):
        if number == 1:
            dims += [value] if wire == 0 else varints(value)
        elif number == 2:
            kind = value
        elif number == 8:
            name = value
        has |= number in (4, 5, 6, 7, 9, 10, 11) and len(value) > 0
    # 13 and 14 say that the data is in another file.
    data = b''.join(field(*f) for f in fields(data) if f[0] not in (13, 14))
    count = math.prod(dims)
    if has or not count:
        return data
    rng, raw = random.Random(name), bytes(count * BYTES[kind])
    if kind in FLOATS:
        block = struct.pack('<%d%s' % (BLOCK, FLOATS[kind]), *[rng.uniform(-.2, .2) for _ in range(BLOCK)])
        raw = (block * (count // BLOCK + 1))[:len(raw)]
    return data + field(9, 2, raw)


# The messages in which there are nodes and weights, as {number: message}.
TENSOR, ATTRIBUTE, NODE, GRAPH, MODEL = 'tensor', 'attribute', 'node', 'graph', 'model'
INSIDE = {MODEL: {7: GRAPH}, GRAPH: {1: NODE, 5: TENSOR}, NODE: {5: ATTRIBUTE},
          ATTRIBUTE: {5: TENSOR, 6: GRAPH, 10: TENSOR, 11: GRAPH}}


def count_nodes(message, data):
    """Those of a message and of the graphs in it."""
    inner = INSIDE.get(message, {})
    return (message == NODE) + sum(count_nodes(inner[n], v) for n, _, v in fields(data) if n in inner and inner[n] != TENSOR)


def filled(message, data):
    if message == TENSOR:
        return weight(data)
    inner = INSIDE[message]
    return b''.join(field(n, w, filled(inner[n], v) if n in inner else v) for n, w, v in fields(data))


def clean(path, folder):
    """(nodes before, nodes after, what is to be run or None), or what is wrong"""
    name = os.path.basename(path)[:-len('.onnx.gz')]
    with gzip.open(path) as handle:
        model = handle.read()
    with gzip.open(path[:-len('.onnx.gz')] + '.json.gz') as handle:
        case = json.load(handle)
    done = subprocess.run([SHAPE, 'refine', '--cleanup', '-'], input=model, capture_output=True, timeout=120, check=False)
    if done.returncode:
        return '%s: %s' % (name, done.stderr.decode('utf-8', 'replace')[:200])
    again = subprocess.run([SHAPE, 'check', '-'], input=done.stdout, capture_output=True, timeout=120, check=False)
    if again.returncode:
        return '%s: the cleaned model is refused: %s' % (name, again.stdout.decode('utf-8', 'replace')[:200])
    run = None
    if case['raw_mb'] <= WEIGHTS:
        run = {'name': name, 'inputs': case['inputs'], 'sizes': case['sizes'], 'models': []}
        for kind, text in (('before', model), ('after', done.stdout)):
            run['models'].append(os.path.join(folder, '%s.%s.onnx' % (name, kind)))
            with open(run['models'][-1], 'wb') as handle:
                handle.write(filled(MODEL, text))
    return count_nodes(MODEL, model), count_nodes(MODEL, done.stdout), run


def main():
    package = os.environ.get('ORT_WEB')
    paths = sorted(glob.glob(os.path.join(ZOO, '*.onnx.gz')))
    why = None if paths else '../shared/corpus/onnx/zoo is not there'
    if not package or not shutil.which('node'):
        why = 'ORT_WEB is no folder of onnxruntime-web, or node is not there'
    if why:
        print('skipped: %s\n0 passed, 0 failed, 1 skipped' % why)
        return 0
    before = after = passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        runs = []
        for path in paths:
            found = clean(path, folder)
            if isinstance(found, str):
                failed += 1
                print(found)
                continue
            before, after = before + found[0], after + found[1]
            runs += [found[2]] if found[2] else []
        print('%d models: %d nodes before, %d after' % (len(paths), before, after))
        cases = os.path.join(folder, 'cases.json')
        with open(cases, 'w', encoding='utf-8') as handle:
            json.dump(runs, handle)
        done = subprocess.run(['node', RUNNER, os.path.abspath(package), cases], capture_output=True, timeout=600, check=False)
        for line in done.stdout.decode('utf-8', 'replace').splitlines():
            answer = json.loads(line) if line.startswith('{') else {}
            passed += answer.get('equal', False)
            failed += 'other' in answer
            if 'equal' not in answer:
                print(line)
        failed += done.returncode != 0
    print('%d passed, %d failed, 0 skipped' % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())
