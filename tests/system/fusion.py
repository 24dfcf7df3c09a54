#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The passes of clients/c/examples and clients/python/examples: both decide the same about every program at hand, and
what they put into one loop has the same number of elements, divisible by its vectors, at every size tried.

Reads SHAPED and SHAPE (default: in build/) and BUILD_DIR. The last line is `N passed, N failed[, N skipped]`.
"""
import contextlib
import glob
import importlib.util
import io
import json
import math
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get('BUILD_DIR', os.path.join(ROOT, 'build'))
PYTHON = os.path.join(ROOT, 'clients', 'python')
FUSION_C = os.path.join(BUILD, 'examples', 'fusion')
FUSION_PY = os.path.join(PYTHON, 'examples', 'fusion.py')
sys.path[:0] = [PYTHON, os.path.join(ROOT, 'tests', 'support')]
import cases  # noqa: E402
from shaped import Client, InvalidError, ServerError  # noqa: E402


def load(name, *path):
    spec = importlib.util.spec_from_file_location(name, os.path.join(*path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


daemons = load('daemons', ROOT, 'tests', 'support', 'shaped.py')  # a name that the client's package has too
fusion = load('fusion', FUSION_PY)
Daemon, PATIENCE = daemons.Daemon, daemons.PATIENCE


def graph_of(path):
    done = subprocess.run([daemons.SHAPE, 'refine', '--emit', 'json', path], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, timeout=PATIENCE, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def graphs():
    """(path, graph) of the programs of the demo and of the golden cases that have no errors."""
    paths = glob.glob(os.path.join(ROOT, 'deploy', 'demo', '*.mlir'))
    paths += glob.glob(os.path.join(ROOT, 'tests', 'golden', '**', '*.mlir'), recursive=True)
    found = [(path, graph_of(path)) for path in sorted(paths)]
    return [(path, graph) for path, graph in found if graph]


def run_c(graph, socket):
    with tempfile.NamedTemporaryFile('w', suffix='.json') as file:
        json.dump(graph, file, indent=1)
        file.flush()
        return subprocess.run([FUSION_C, file.name, socket], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=PATIENCE, check=False)


def run_python(graph, client):
    """What the pass prints, without a process of its own; None where the daemon refuses."""
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            fusion.show(*fusion.plan_of(client, graph))
    except ServerError:
        return None
    return said.getvalue().encode()


def groups(graph, client):
    read, plan, _, _ = fusion.plan_of(client, graph)
    return [[read.names[plan.ops[i].results[0]] for i in members] for g, members in enumerate(plan.members)
            if plan.groups[g] == g and plan.ops[g].fusible]


def test_both_passes_decide_the_same():
    if not os.path.exists(FUSION_C):
        raise cases.Skipped('examples/fusion is not in the build folder')
    programs = graphs()
    assert len(programs) > 50, len(programs)
    said, groups_of_several = 0, 0
    with Daemon() as d, Client(d.path) as client:
        for path, graph in programs:
            here, there = run_c(graph, d.path), run_python(graph, client)
            assert (here.stdout if here.returncode == 0 else None) == there, (path, here, there)
            said += here.returncode == 0
            groups_of_several += here.stdout.count(b' = ') > here.stdout.count(b' over ')
    assert said > len(programs) * 3 // 4 and groups_of_several > 5, (said, groups_of_several, len(programs))


def test_what_is_fused_has_the_same_number_of_elements():
    choice, checked, at_zero = random.Random(1), 0, 0
    with Daemon() as d, Client(d.path) as client:
        for path, graph in graphs():
            try:
                read, plan, _, widths = fusion.plan_of(client, graph)
            except InvalidError:  # a form that sessions do not have
                continue
            several = [members for g, members in enumerate(plan.members) if plan.groups[g] == g and plan.ops[g].fusible]
            dims = client.analyze(graph).functions[0].argument_dims
            for size_of in ((0,), (1,), (2, 3, 7), (2, 3, 7), (0, 1, 2, 3, 7, 16)):
                extents = {}
                bind = {'arg%d.%d' % (a, axis): extents.setdefault(size, choice.choice(size_of))
                        for a, shape in enumerate(dims) for axis, size in enumerate(shape or [])
                        if isinstance(size, str) and size.isidentifier()}
                try:
                    opened = client.call('session/open', {'graph': graph, 'all': True, 'options': {'bind': bind}})
                except InvalidError:
                    continue
                client.call('session/close', {'session': opened['session']})
                if any(row.get('severity') == 'error' for row in opened['appeared']):
                    continue  # it does not run at these dims
                shapes = {row['value']: row['after']['dims'] for row in opened['values']}
                for members in several:
                    known = [shapes[plan.ops[i].results[0]] for i in members]
                    if any(s is None or not all(isinstance(size, int) for size in s) for s in known):
                        continue  # null: in a region that cannot run at these dims
                    counts = {math.prod(s) for s in known}
                    assert len(counts) == 1 and min(counts) % widths.get(members[0], 1) == 0, (path, bind, known)
                    assert members[0] in plan.flat or len({tuple(s) for s in known}) == 1, (path, bind, known)
                    checked += len(members) > 1
                    at_zero += len(members) > 1 and 0 in counts
    assert checked > 30 and at_zero > 3, (checked, at_zero)


def test_no_loop_waits_for_itself():
    with Daemon() as d, Client(d.path) as client:
        graph = {'functions': [{'name': 'main', 'arguments': [['a', 'tensor<?xf32>']], 'returns': ['e'], 'ops': [
            ['stablehlo.abs', ['a'], ['b', 'tensor<?xf32>']],
            ['stablehlo.sort', ['b'], ['s', 'tensor<?xf32>'], {'dimension': 0, 'is_stable': False}, [[
                ['x', 'tensor<f32>', 'y', 'tensor<f32>'],
                ['stablehlo.compare', ['x', 'y'], ['lt', 'tensor<i1>'], {'comparison_direction': 'LT'}],
                ['stablehlo.return', ['lt']]]]],
            ['stablehlo.negate', ['b'], ['c', 'tensor<?xf32>']],
            ['stablehlo.add', ['c', 's'], ['e', 'tensor<?xf32>']]]}]}
        assert groups(graph, client) == [['b', 'c'], ['e']], groups(graph, client)
        # k is made from s, which is made from b: k must not join b once m, which waits for k's group, has.
        graph['functions'][0]['ops'][3:] = [
            ['stablehlo.exponential', ['s'], ['k', 'tensor<?xf32>']],
            ['stablehlo.add', ['b', 'k'], ['m', 'tensor<?xf32>']],
            ['stablehlo.multiply', ['m', 'c'], ['e', 'tensor<?xf32>']]]
        assert groups(graph, client) == [['b', 'c'], ['k', 'm', 'e']], groups(graph, client)
        here = run_c(graph, d.path)
        assert here.stdout == run_python(graph, client) and here.returncode == 0, here


def test_what_a_region_uses_of_outside_is_waited_for():
    with Daemon() as d, Client(d.path) as client:
        tensor, branch = 'tensor<?xf32>', lambda value: [[], ['stablehlo.negate', ['b'], [value, 'tensor<?xf32>']],
                                                         ['stablehlo.return', [value]]]
        arguments = [['a', tensor], ['p', 'tensor<i1>']]
        graph = {'functions': [{'name': 'main', 'arguments': arguments, 'returns': ['c'], 'ops': [
            ['stablehlo.abs', ['a'], ['b', tensor]],
            ['stablehlo.if', ['p'], ['i', tensor], {}, [branch('x'), branch('y')]],
            ['stablehlo.add', ['b', 'i'], ['c', tensor]]]}]}
        assert groups(graph, client) == [['b'], ['c']], groups(graph, client)
        here = run_c(graph, d.path)
        assert here.stdout == run_python(graph, client) and here.stdout.count(b' over ') == 2, here


def test_wrong_calls_say_what_is_wrong():
    for program in ([FUSION_C], [sys.executable, FUSION_PY]):
        if not os.path.exists(program[-1]):
            continue
        env = dict(os.environ, PYTHONPATH=PYTHON)
        done = subprocess.run(program, stderr=subprocess.PIPE, env=env, check=False)
        assert done.returncode and b'usage' in done.stderr, program
        with tempfile.NamedTemporaryFile('w') as file:
            file.write(json.dumps(daemons.GRAPH))
            file.flush()
            done = subprocess.run(program + [file.name, '/nowhere'], stderr=subprocess.PIPE, env=env, check=False)
            assert done.returncode and b'/nowhere' in done.stderr, (program, done)


if __name__ == '__main__':
    sys.exit(cases.main(globals(), sys.argv[1:]))
