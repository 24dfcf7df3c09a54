#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""deploy/k8s against the schemas of Kubernetes, deploy/docker against a linter (both from npm), and both against us.

Reads SHAPED (default: in build/). The last line is `N passed, N failed[, N skipped]`.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import Skipped, main  # noqa: E402
from shaped import SHAPED  # noqa: E402

DOCKERFILE = os.path.join(ROOT, 'deploy', 'docker', 'Dockerfile')
FILES = sorted(glob.glob(os.path.join(ROOT, 'deploy', 'k8s', '*.yaml')))
NODE = os.path.join(ROOT, 'build', 'npm', 'deploy')


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def run(*command):
    return subprocess.run(command, cwd=NODE if os.path.isdir(NODE) else ROOT, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=300, check=False, universal_newlines=True)


def tools():
    """The folder with what npm has installed; made once, and again when the list of packages changes."""
    if not shutil.which('npm'):
        raise Skipped('there is no npm')
    os.makedirs(NODE, exist_ok=True)
    source = os.path.join(ROOT, 'tests', 'support', 'node')
    listed, done = os.path.join(NODE, 'package.json'), os.path.join(NODE, 'done')
    fresh = not os.path.exists(done) or read(done) != read(os.path.join(source, 'package.json'))
    for name in os.listdir(source):
        shutil.copy(os.path.join(source, name), NODE)
    if fresh:
        installed = run('npm', 'install', '--no-audit', '--no-fund', '--no-package-lock')
        if installed.returncode:
            raise Skipped('npm cannot install: ' + installed.stdout.strip().split('\n')[-1])
        shutil.copy(listed, done)
    return NODE


def check(paths):
    return run('node', os.path.join(tools(), 'k8s.mjs'), *paths)


def test_manifests_are_what_kubernetes_takes():
    done = check(FILES)
    kinds = set(re.findall(r'^ok (\w+)', done.stdout, re.M))
    assert done.returncode == 0, done.stdout
    assert kinds == {'ConfigMap', 'Deployment', 'HorizontalPodAutoscaler', 'Job', 'NetworkPolicy', 'PodDisruptionBudget',
                     'Service'}, kinds


def test_the_check_of_manifests_finds_errors():
    tools()
    deployment = read(os.path.join(ROOT, 'deploy', 'k8s', 'deployment.yaml'))
    for good, wrong in (('replicas: 3', 'replicas: three'), ('containers:', 'container:'), ('path: /readyz, port: http', 'path: /readyz')):
        assert good in deployment
        with tempfile.NamedTemporaryFile('w', suffix='.yaml') as file:
            file.write(deployment.replace(good, wrong))
            file.flush()
            assert check([file.name]).returncode == 1, wrong


def test_a_linter_accepts_the_dockerfile():
    lint = os.path.join(tools(), 'node_modules', '.bin', 'dockerfile-utils')
    done = run(lint, 'lint', DOCKERFILE)
    assert done.returncode == 0 and not re.search(r'^(Line|error|warning)', done.stdout, re.M | re.I), done.stdout
    with tempfile.TemporaryDirectory() as folder:
        wrong = os.path.join(folder, 'Dockerfile')
        with open(wrong, 'w', encoding='utf-8') as file:
            file.write(read(DOCKERFILE).replace('HEALTHCHECK --interval=10s', 'HEALTHCHECK --intervall=10s'))
        done = run(lint, 'lint', wrong)
        assert done.returncode != 0 or 'intervall' in done.stdout, done.stdout


def test_the_image_has_two_stages_a_user_and_a_check():
    text = read(DOCKERFILE)
    stages = re.split(r'^FROM ', text, flags=re.M)[1:]
    assert len(stages) == 2 and 'make ' not in stages[1] and 'COPY --from=build' in stages[1]
    assert re.search(r'^USER 10001:10001$', stages[1], re.M) and re.search(r'^HEALTHCHECK .* CMD ', stages[1], re.M)
    # The libraries that the second stage installs are those that the programs need.
    packages = {re.sub(r'\d+$', '', p) for p in re.findall(r'\blib[a-z0-9-]+', stages[1])}
    needed = run('objdump', '-p', SHAPED).stdout
    names = {'libuv.so': 'libuv', 'libcjson.so': 'libcjson', 'libgmp.so': 'libgmp', 'libsqlite3.so': 'libsqlite3-',
             'libssl.so': 'libssl'}
    for soname, package in names.items():
        if soname in needed:
            assert package in packages or package + '0' in packages, (soname, packages)


def test_the_configuration_is_valid():
    text = read(os.path.join(ROOT, 'deploy', 'k8s', 'config.yaml')).split('shaped.conf: |\n')[1]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    options = subprocess.run([SHAPED, '--help'], stdout=subprocess.PIPE, timeout=60, check=True).stdout.decode()
    for line in lines:
        assert '--%s ' % line.split(' = ')[0] in options, line
    deployment = read(os.path.join(ROOT, 'deploy', 'k8s', 'deployment.yaml'))
    for path in re.findall(r'= (/etc/[\w-]+)/', text):  # the files are those of mounted secrets
        assert 'mountPath: %s,' % path in deployment, path
    with tempfile.NamedTemporaryFile('w', suffix='.conf') as file:
        file.write('\n'.join(line for line in lines if not line.startswith(('tls', 'token'))))
        file.flush()
        done = subprocess.run([SHAPED, '--config', file.name, '--check-config'], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
    grace = int(re.search(r'terminationGracePeriodSeconds: (\d+)', deployment).group(1))
    pause = int(re.search(r'sleep, "(\d+)"', deployment).group(1))
    assert grace > pause + int(re.search(r'drain = (\d+)s', text).group(1))


def test_the_metric_of_the_autoscaler_exists():
    metric = re.search(r'name: shaped_(\w+)}', read(os.path.join(ROOT, 'deploy', 'k8s', 'hpa.yaml'))).group(1)
    assert '"%s"' % metric in read(os.path.join(ROOT, 'server', 'metrics.def')), metric


def test_labels_agree():
    for path in FILES:
        for name in re.findall(r'(?:matchLabels|selector|labels): \{app.kubernetes.io/name: ([\w-]+)\}', read(path)):
            assert name == ('shape-zoo' if 'zoo' in path else 'shaped'), (path, name)


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
