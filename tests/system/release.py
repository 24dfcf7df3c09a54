#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The files of a release: checksums that verify, the same bytes twice, a bill of materials that SPDX 2.3 allows.

The last line is `N passed, N failed[, N skipped]`.
"""
import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import Skipped, main  # noqa: E402

VERSION = '9.8.7'


def release(folder, *extra):
    if not os.path.exists(os.path.join(ROOT, '.git')):
        raise Skipped('a release is made from a git checkout')
    out = os.path.join(folder, 'release')
    done = subprocess.run(['deploy/release/build.sh', VERSION, out, *extra], cwd=ROOT, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False)
    assert done.returncode == 0, done.stdout.decode()
    return {name: open(os.path.join(out, name), 'rb').read() for name in sorted(os.listdir(out))}, out


def test_checksums_and_same_bytes():
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        extra = os.path.join(one, 'a package.deb')
        with open(extra, 'wb') as handle:
            handle.write(b'package')
        first, out = release(one, extra)
        second, _ = release(two, extra)
        assert first == second
        stem = 'shaped-' + VERSION
        assert sorted(first) == ['SHA256SUMS', 'a package.deb', stem + '.spdx.json', stem + '.tar.gz'], sorted(first)
        check = subprocess.run(['sha256sum', '-c', '--strict', 'SHA256SUMS'], cwd=out, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, check=False)
        assert check.returncode == 0 and check.stdout.count(b': OK') == 3, check.stdout
        again = subprocess.run(['deploy/release/build.sh', VERSION, out], cwd=ROOT, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, check=False)
        assert again.returncode == 2 and b'is not empty' in again.stdout, again.stdout


def test_bill_of_materials():
    with tempfile.TemporaryDirectory() as folder:
        files, out = release(folder)
        stem = 'shaped-' + VERSION
        bill = json.loads(files[stem + '.spdx.json'])
        assert (bill['spdxVersion'], bill['dataLicense'], bill['SPDXID']) == ('SPDX-2.3', 'CC0-1.0', 'SPDXRef-DOCUMENT')
        assert re.fullmatch(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ', bill['creationInfo']['created'])
        elements = bill['packages'] + bill['files']
        ids = [e['SPDXID'] for e in elements] + ['SPDXRef-DOCUMENT']
        assert len(set(ids)) == len(ids) and all(re.fullmatch(r'SPDXRef-[A-Za-z0-9.-]+', i) for i in ids)
        for relation in bill['relationships']:
            assert relation['spdxElementId'] in ids and relation['relatedSpdxElement'] in ids, relation
        names = {p['name']: p for p in bill['packages']}
        assert {'shaped', 'libuv', 'libcjson', 'gmp', 'vscode-languageclient'} <= set(names), sorted(names)
        assert 'typescript' not in names  # needed to build the extension, not part of it
        # Every file of the archive with the checksum that its bytes have, and nothing else.
        listed = {f['fileName']: f['checksums'] for f in bill['files']}
        with tarfile.open(os.path.join(out, stem + '.tar.gz')) as tar:
            members = [m for m in tar if m.isfile()]
            assert {'./' + m.name.split('/', 1)[1] for m in members} == set(listed)
            for member in members:
                data = tar.extractfile(member).read()
                for sum_ in listed['./' + member.name.split('/', 1)[1]]:
                    assert hashlib.new(sum_['algorithm'].lower(), data).hexdigest() == sum_['checksumValue'], member.name
        sha1 = sorted(c['checksumValue'] for sums in listed.values() for c in sums if c['algorithm'] == 'SHA1')
        code = names['shaped']['packageVerificationCode']['packageVerificationCodeValue']
        assert code == hashlib.sha1(''.join(sha1).encode()).hexdigest()
        whole = {c['algorithm']: c['checksumValue'] for c in names['shaped']['checksums']}
        assert whole['SHA256'] == hashlib.sha256(files[stem + '.tar.gz']).hexdigest()


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
