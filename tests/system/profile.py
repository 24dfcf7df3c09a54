#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Profiles: what was seen at run time, checked, kept and said again. Reads SHAPED (default: in build/).

The last line is `N passed, N failed`. Arguments: words; only tests whose names contain one of them run.
"""
import os
import signal
import subprocess
import sys
import tempfile
import threading

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import main  # noqa: E402
from shaped import PATIENCE, SHAPED, Daemon  # noqa: E402

ADD = '''func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %z = stablehlo.add %x, %y : tensor<?x4xf32>
  %w = stablehlo.concatenate %z, %z, dim = 0 : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %w : tensor<?x4xf32>
}
'''
GRAPH = {'functions': [{'name': 'main', 'arguments': [['a', {'dtype': 'f32', 'dims': ['B', 4]}]], 'returns': ['a']}],
         'symbols': [{'name': 'B', 'min': 2, 'max': 64, 'divisible_by': 2, 'ranges': [[2, 8], [32, 64]]}]}


def seen(*dims, count=1):
    return [{'dims': d, 'count': count} for d in dims]


def test_the_key_of_version_0_1_is_still_read():
    with Daemon() as d, d.client() as c:
        for key in 'sizes', 'dims':
            answer = c.result('profile/observe', {'profile': key, 'observations': [{key: {'B': 8}, 'count': 3}]})
            assert answer['accepted'] == 1, answer
        error = c.call('profile/observe', {'profile': 'p', 'observations': [{'sizes': {'B': 8}, 'dims': {'B': 8}}]})
        assert error['error']['data']['path'] == 'params.observations.dims', error


def test_likely_values_of_symbols_and_derived_dims():
    with Daemon() as d, d.client() as c:
        answer = c.result('profile/observe', {'profile': 'p', 'text': ADD, 'observations': [
            {'dims': {'arg0.0': 8, 'arg1.0': 8}, 'count': 5}, {'dims': {'S0': 3}}, {'dims': {'S0': 16}, 'count': 2}]})
        assert answer['violated'] == [] and answer['accepted'] == 3, answer
        said = c.result('analyze', {'text': ADD, 'options': {'profile': 'p'}})
        assert said['symbols'][0]['likely'] == [8, 16, 3], said['symbols']
        assert {'expr': '2*S0', 'values': [16, 32, 6]} in said['likely'], said['likely']
        plain = c.result('analyze', {'text': ADD})
        assert 'likely' not in plain and plain['symbols'][0]['likely'] == []
        said.pop('likely')
        said['symbols'][0]['likely'] = []
        assert said == plain  # a profile changes nothing else
        assert c.result('analyze', {'text': ADD, 'options': {'profile': 'unknown'}}) == plain


def test_observations_that_cannot_be_are_reported_and_left_out():
    with Daemon() as d, d.client() as c:
        answer = c.result('profile/observe', {'profile': 'p', 'text': ADD, 'observations': seen(
            {'arg0.0': 8, 'arg1.0': 9}, {'arg0.0': -1}, {'unknown': 1}, {'arg0.1': 5}, {'arg0.1': 4, 'S0': 0})})
        assert [b['observation'] for b in answer['violated']] == [0, 1, 2, 3], answer
        assert answer['violated'][2]['unknown'] == 'unknown' and answer['accepted'] == 1
        assert [s['name'] for s in answer['symbols']] == ['S0', 'arg0.1'], answer
        for size, fine in ((2, True), (3, False), (0, False), (8, True), (10, False), (32, True), (66, False)):
            answer = c.result('profile/observe', {'profile': 'g', 'graph': GRAPH, 'observations': seen({'B': size})})
            assert (answer['violated'] == []) == fine, (size, answer)
        assert c.result('analyze', {'graph': GRAPH, 'options': {'profile': 'g'}})['symbols'][0]['likely'] == [2, 8, 32]
        with open(os.path.join(ROOT, 'deploy', 'demo', 'heads.mlir'), encoding='utf-8') as file:
            heads = file.read()  # S0*S1 == S0*S3 remains to be checked
        answer = c.result('profile/observe', {'profile': 'h', 'text': heads, 'observations': seen(
            {'S0': 2, 'S1': 5, 'S3': 5}, {'S0': 2, 'S1': 5, 'S3': 6}, {'S0': 0, 'S1': 5, 'S3': 6}, {'S1': 5, 'S3': 6})})
        assert {b['observation'] for b in answer['violated']} == {1} and answer['accepted'] == 3, answer
        assert answer['violated'][0]['expr'] == 'S0*S1 == S0*S3'


def test_histograms_are_bounded_and_keep_what_is_frequent():
    with Daemon() as d, d.client() as c:
        for start in range(0, 1000, 250):
            answer = c.result('profile/observe', {'profile': 'p', 'observations':
                              seen(*({'n': 10000 + i} for i in range(start, start + 249))) + seen({'n': 7}, count=50)})
        n = answer['symbols'][0]
        assert len(n['values']) == 32 and [7, 200] in n['values'], n
        assert n['min'] == 7 and n['max'] == 10998 and n['count'] == 996 + 200
        assert n['other'] + sum(count for _, count in n['values']) == n['count']
        many = c.result('profile/observe', {'profile': 'q', 'observations': seen(*({'s%d' % i: i} for i in range(100)))})
        assert many['accepted'] == 64 and many['dropped'] == 36
        large = c.result('profile/observe', {'profile': 'r', 'observations': seen({'n': 2 ** 62}, count=2 ** 62) * 3})
        assert large['symbols'][0]['count'] == str(2 ** 63 - 1) and large['symbols'][0]['max'] == str(2 ** 62)


def test_wrong_parameters():
    with Daemon() as d, d.client() as c:
        for params, path in (({}, 'params.profile'), ({'profile': ''}, 'params.profile'), ({'profile': 3}, 'params.profile'),
                             ({'profile': 'x' * 129}, 'params.profile'), ({'profile': 'p', 'observations': 1},
                                                                          'params.observations'),
                             ({'profile': 'p', 'observations': [1]}, 'params.observations'),
                             ({'profile': 'p', 'observations': [{}]}, 'params.observations.dims'),
                             ({'profile': 'p', 'observations': seen({'a': 1.5})}, 'params.observations.dims'),
                             ({'profile': 'p', 'observations': seen({'a': 2 ** 64})}, 'params.observations.dims'),
                             ({'profile': 'p', 'observations': seen({'': 1})}, 'params.observations.dims'),
                             ({'profile': 'p', 'observations': seen({'a': 1}, count=0)}, 'params.observations.count'),
                             ({'profile': 'p', 'observations': seen({'a': 1}) * 257}, 'params.observations'),
                             ({'profile': 'p', 'text': 3}, 'params.text')):
            assert c.error('profile/observe', params, 'invalid')['data']['path'] == path, params
        error = c.error('profile/observe', {'profile': 'p', 'text': 'nonsense', 'observations': seen({'a': 1})}, 'invalid')
        assert 'errors' in error['message']
        assert c.result('profile/observe', {'profile': 'p'})['symbols'] == []


def test_profiles_survive_the_daemon_and_kill():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'profiles.sqlite')
        with Daemon('--profile-db', path) as d, d.client() as c:
            c.result('profile/observe', {'profile': 'p', 'observations': seen({'S0': 8}, count=3)})
        d = Daemon('--profile-db', path)
        said = 0

        def write():
            nonlocal said
            try:
                with d.client() as c:
                    while True:
                        said = c.result('profile/observe', {'profile': 'p', 'observations': seen({'S0': 8})})
                        said = said['symbols'][0]['count']
            except (OSError, EOFError):
                pass

        writer = threading.Thread(target=write)
        writer.start()
        d.wait(lambda: said > 50, 'observations')
        d.process.kill()  # in the middle of it
        d.process.wait()
        writer.join()
        with Daemon('--profile-db', path) as d, d.client() as c:
            count = c.result('profile/observe', {'profile': 'p'})['symbols'][0]['count']
            assert count in (said, said + 1), (count, said)  # whatever was answered is there
            assert c.result('analyze', {'text': ADD, 'options': {'profile': 'p'}})['symbols'][0]['likely'] == [8]


def test_profiles_are_bounded_in_number():
    with Daemon('--max-profiles', '3') as d, d.client() as c:
        for name in 'abcd':
            c.result('profile/observe', {'profile': name, 'observations': seen({'n': 1})})
        kept = [bool(c.result('profile/observe', {'profile': n})['symbols']) for n in 'd']
        assert kept == [True] and not c.result('profile/observe', {'profile': 'a'})['symbols']


def test_observations_of_many_clients_add_up():
    with Daemon('--workers', '4') as d:
        def work():
            with d.client() as c:
                for _ in range(25):
                    c.result('profile/observe', {'profile': 'p', 'observations': seen({'n': 1})})

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        with d.client() as c:
            assert c.result('profile/observe', {'profile': 'p'})['symbols'][0]['count'] == 200


def test_a_file_that_is_none():
    with tempfile.NamedTemporaryFile() as file, tempfile.TemporaryDirectory() as folder:
        file.write(b'this is no database' * 100)
        file.flush()
        for path in (file.name, '/nonexistent/folder/db'):
            done = subprocess.run([SHAPED, '--socket', os.path.join(folder, 's'), '--profile-db', path],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=PATIENCE, check=False)
            assert done.returncode == 1 and b'profile-db' in done.stderr, done


if __name__ == '__main__':
    assert signal
    with Daemon() as probe, probe.client() as client:
        if 'error' in client.call('profile/observe', {'profile': 'p'}):
            print('skipped: profiles: the daemon was built without SQLite')
            print('0 passed, 0 failed, 1 skipped')
            sys.exit(0)
    sys.exit(main(globals(), sys.argv[1:]))
