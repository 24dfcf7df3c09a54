# SPDX-License-Identifier: Apache-2.0
"""Writes the inputs of the other tests as seeds for the fuzz targets: FOLDER/<target>/<name>.

Programs of tests/golden go to the targets that read MLIR, as text and as the parameters of requests, and to sessions;
queries of tests/golden/decide to fuzz_decide.
"""
import glob
import json
import os
import re
import shlex
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MOST = 20000  # bytes: what is longer slows a fuzzer down more than it finds


def read(path):
    with open(path, encoding='utf-8', errors='surrogateescape') as handle:  # some programs are no UTF-8
        return handle.read()


def programs():
    paths = glob.glob(os.path.join(ROOT, 'tests', 'golden', '*', '*', '*.mlir'))
    paths += glob.glob(os.path.join(ROOT, 'deploy', 'demo', '*.mlir'))
    for path in sorted(paths):
        yield os.path.relpath(path, ROOT).replace('/', '-'), read(path)


def queries():
    """(name, request line) of each query that a golden case of `shape decide` asks."""
    for path in sorted(glob.glob(os.path.join(ROOT, 'tests', 'golden', 'decide', '*', 'options'))):
        words = shlex.split(read(path))[1:]
        symbols, assume, asked = {}, [], []
        takes = {'--bounds': 'bounds', '--simplify': 'simplify'}
        while words:
            word = words.pop(0)
            if word == '-s':
                for item in words.pop(0).split(','):
                    found = re.match(r'\s*(\w+)\s*(?:>=\s*(-?\d+))?', item)
                    if found:
                        symbols[found.group(1)] = {'min': int(found.group(2))} if found.group(2) else {}
            elif word == '--assume':
                assume.append(words.pop(0))
            elif word in takes:
                asked.append({takes[word]: words.pop(0)})
            elif not word.startswith('-'):
                asked.append({'query': word})
        for i, query in enumerate(asked):
            line = dict({'id': i, 'symbols': symbols, 'assume': assume, 'explain': True}, **query)
            yield '%s-%d' % (os.path.basename(os.path.dirname(path)), i), json.dumps(line)


def exported():
    """(name, text) of FX graphs, and of programs of torch.export: the JSON of each."""
    for path in sorted(glob.glob(os.path.join(ROOT, 'tests', 'golden', '*', '*', '*.p[yt]*'))):
        name = os.path.relpath(path, ROOT).replace('/', '-')
        if path.endswith('.py'):
            yield name, read(path)
        elif zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                for member in archive.namelist():
                    if member.endswith('.json'):
                        yield '%s-%s' % (name, os.path.basename(member)), archive.read(member).decode('utf-8', 'replace')


def write(top):
    def put(target, name, data):
        if len(data) > MOST:
            return
        folder = os.path.join(top, target)
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, name), 'wb') as handle:
            handle.write(data.encode('utf-8', 'surrogateescape'))

    for name, text in programs():
        put('fuzz_mlir', name, text)
        put('fuzz_bytecode_text', name, text)
        put('fuzz_analyze', name, text)
        for form in range(8):  # the first byte of fuzz_refine.c: each form of the output, other flags each
            put('fuzz_refine', '%s-%d' % (name, form), chr(form | (form * 37 & 0x78)) + '\0\4\4' + text)
        put('fuzz_session', name, 'm%s\n' % json.dumps(text)[1:-1])
        for method in ('analyze', 'refine'):
            request = {'jsonrpc': '2.0', 'id': 1, 'method': method, 'params': {'text': text}}
            put('fuzz_rpc', method + '-' + name, json.dumps(request))
            put('fuzz_connection', method + '-' + name, '@%s\n' % json.dumps(request))
    for name, line in queries():
        put('fuzz_decide', name, line)
    for name, text in exported():
        put('fuzz_torch', name, text)
