#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""deploy/prometheus: promtool accepts it, alerts fire where their tests say, and every metric is one that a daemon has.

Reads SHAPED (default: in build/). The last line is `N passed, N failed[, N skipped]`.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import Skipped, main  # noqa: E402
from shaped import ADD, PATIENCE, Daemon  # noqa: E402

FOLDER = os.path.join(ROOT, 'deploy', 'prometheus')
# NAME or NAME{labels}, in an expression
METRIC = re.compile(r'\b(shaped_\w+)(?:\{([^}]*)\})?')
LABEL = re.compile(r'(\w+)(=~|=)"([^"]*)"')


def read(name):
    with open(os.path.join(FOLDER, name), encoding='utf-8') as file:
        return file.read()


def promtool(*arguments, given=None):
    if not shutil.which('promtool'):
        raise Skipped('there is no promtool')
    return subprocess.run(['promtool', *arguments], cwd=FOLDER, input=given, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=60, check=False, universal_newlines=True)


def page():
    """/metrics of a daemon that has answered something."""
    with Daemon('--http', '127.0.0.1:0') as daemon:
        with daemon.client() as client:
            client.result('analyze', {'text': ADD})
        url = 'http://127.0.0.1:%d/metrics' % daemon.port('http')
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
            return answer.read().decode()


def test_promtool_accepts_the_configuration():
    done = promtool('check', 'config', 'prometheus.yml')
    assert done.returncode == 0 and 'FAILED' not in done.stdout, done.stdout


def test_alerts_fire_where_they_should():
    done = promtool('test', 'rules', 'alerts_test.yml')
    assert done.returncode == 0 and 'SUCCESS' in done.stdout, done.stdout


def test_every_alert_has_a_test_and_advice():
    alerts = re.findall(r'- alert: (\w+)', read('alerts.yml'))
    assert len(alerts) >= 8
    fired = set(re.findall(r'alertname: (\w+)\n +exp_alerts:\n +- exp_labels', read('alerts_test.yml')))
    advice = set(re.findall(r'`(Shaped\w+)`', read('README.md')))
    assert fired == set(alerts), set(alerts) ^ fired
    assert advice == set(alerts), set(alerts) ^ advice


def test_promtool_accepts_the_page():
    done = promtool('check', 'metrics', given=page())
    # Of style: histograms, and a name that ends in _max, are as they should be.
    assert done.returncode in (0, 3) and 'error' not in done.stdout.lower(), done.stdout


def expressions():
    for line in re.findall(r'^ +expr: (?:>-\n +)?(.*)$', read('alerts.yml'), re.M):
        yield line
    board = json.loads(read('dashboard.json'))
    assert len(board['panels']) >= 8
    for panel in board['panels']:
        assert panel['title'] and panel['description'] and panel['targets']
        for target in panel['targets']:
            yield target['expr']
    for variable in board['templating']['list']:
        yield variable['query']


def test_every_metric_is_one_of_the_daemon():
    have = {}
    for name, labels in re.findall(r'^(shaped_\w+)(?:\{([^}]*)\})? ', page(), re.M):
        values = have.setdefault(name, {})
        for label, _, value in LABEL.findall(labels):
            values.setdefault(label, set()).add(value)
    used = 0
    for expression in expressions():
        for name, labels in METRIC.findall(expression):
            assert name in have, (name, expression)
            used += 1
            for label, how, value in LABEL.findall(labels):
                if label in ('instance', 'job'):
                    continue
                for one in value.split('|') if how == '=~' else [value]:
                    assert one in have[name][label], (one, expression)
        for label in re.findall(r'by \(([^)]*)\)', expression):
            names = METRIC.findall(expression)
            for one in label.replace(' ', '').split(','):
                assert one == 'instance' or all(one in have[n] for n, _ in names), (one, expression)
    assert used >= 25, used


def test_every_metric_of_the_table_is_in_the_manual():
    path = os.path.join(ROOT, os.environ.get('BUILD_DIR', 'build'), 'man', 'shaped.8')
    if not os.path.exists(path):
        raise Skipped('no man pages: make pages')
    with open(path, encoding='utf-8') as file:
        manual = file.read()
    names = set(re.findall(r'^# TYPE (shaped_\w+)', page(), re.M))
    assert len(names) >= 20 and all(name in manual for name in names), [n for n in names if n not in manual]


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
