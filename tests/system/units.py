#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The units of deploy/systemd, held against systemd-analyze. Reads SHAPED (default: in build/).

The last line is `N passed, N failed`.
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

UNITS = os.path.join(ROOT, 'deploy', 'systemd')
MOST = 2.0  # exposure, of 10


def analyze(*arguments):
    if not shutil.which('systemd-analyze'):
        raise Skipped('there is no systemd-analyze')
    done = subprocess.run(['systemd-analyze', *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60,
                          check=False, universal_newlines=True)
    if 'unrecognized option' in done.stdout or 'Unknown' in done.stdout.split('\n', 1)[0]:
        raise Skipped('this systemd-analyze is too old')
    return done.returncode, done.stdout


def test_the_units_are_valid():
    with tempfile.TemporaryDirectory() as folder:
        copies = []
        for path in glob.glob(os.path.join(UNITS, '*.service')) + glob.glob(os.path.join(UNITS, '*.socket')):
            with open(path, encoding='utf-8') as file:
                text = file.read()
            # Where it will be installed it is not yet.
            copies.append(os.path.join(folder, os.path.basename(path)))
            with open(copies[-1], 'w', encoding='utf-8') as file:
                file.write(text.replace('/usr/bin/shaped', os.path.abspath(SHAPED)))
        assert len(copies) == 3
        status, said = analyze('verify', '--man=no', *copies)
        assert status == 0 and not said.strip(), said


def test_the_service_is_exposed_little():
    status, said = analyze('security', '--offline=yes', os.path.join(UNITS, 'shaped.service'))
    match = re.search(r'exposure level for shaped.service: ([\d.]+)', said)
    assert status == 0 and match, said
    assert float(match.group(1)) < MOST, match.group(0)
    assert analyze('security', '--offline=yes', '--threshold=20', os.path.join(UNITS, 'shaped.service'))[0] == 0


def test_options_of_the_unit_are_options():
    with open(os.path.join(UNITS, 'shaped.service'), encoding='utf-8') as file:
        text = file.read()
    with tempfile.NamedTemporaryFile('w', suffix='.conf') as config:
        for line in re.findall(r'^ExecStart(?:Pre)?=/usr/bin/shaped (.*)$', text, re.MULTILINE):
            words = line.replace('/etc/shaped/shaped.conf', config.name).split()
            done = subprocess.run([SHAPED, *words, '--check-config'], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  timeout=60, check=False)
            assert done.returncode == 0, (words, done.stderr)


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
