#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the bill of materials of a release as SPDX 2.3 JSON to standard output.

usage: deploy/release/sbom.py --version V --created TIME --archive FILE --lock PACKAGE-LOCK

It lists the source archive with a checksum of every file in it, the C libraries that the programs link (with the
versions that pkg-config reports on the machine that builds) and the npm packages that the extension for VS Code bundles.
The same archive and the same libraries give the same bytes.
"""
import argparse
import hashlib
import json
import re
import subprocess
import sys
import tarfile

LICENCE = 'Apache-2.0'
# name in pkg-config | Debian source package | licence | optional
LIBRARIES = [
    ('libuv', 'libuv1', 'MIT', False),
    ('libcjson', 'cjson', 'MIT', False),
    ('gmp', 'gmp', 'LGPL-3.0-or-later OR GPL-2.0-or-later', False),
    ('libssl', 'openssl', 'Apache-2.0', True),
    ('sqlite3', 'sqlite3', 'blessing', True),
]


def spdx_id(text):
    return 'SPDXRef-' + re.sub(r'[^A-Za-z0-9.-]+', '-', text)


def checksums(data):
    return [{'algorithm': name.upper(), 'checksumValue': hashlib.new(name, data).hexdigest()}
            for name in ('sha1', 'sha256')]


def files_of(archive):
    """Every regular file of the archive as SPDX describes it, in order of its name."""
    found = []
    with tarfile.open(archive) as tar:
        for member in sorted((m for m in tar if m.isfile()), key=lambda m: m.name):
            name = member.name.split('/', 1)[1]
            found.append({
                'SPDXID': 'SPDXRef-File-' + hashlib.sha1(name.encode()).hexdigest()[:16],
                'fileName': './' + name,
                'checksums': checksums(tar.extractfile(member).read()),
                'licenseConcluded': LICENCE,
                'licenseInfoInFiles': [LICENCE],
                'copyrightText': 'NOASSERTION',
            })
    return found


def verification_code(files):
    """SPDX 2.3, 7.9: the SHA1 of the sorted SHA1 values of all files, joined."""
    sums = sorted(f['checksums'][0]['checksumValue'] for f in files)
    return hashlib.sha1(''.join(sums).encode()).hexdigest()


def package(name, version, licence, locator=None, **more):
    entry = {
        'SPDXID': spdx_id('Package-' + name),
        'name': name,
        'versionInfo': version,
        'downloadLocation': 'NOASSERTION',
        'filesAnalyzed': False,
        'licenseConcluded': licence,
        'licenseDeclared': licence,
        'copyrightText': 'NOASSERTION',
    }
    if locator:
        entry['externalRefs'] = [{'referenceCategory': 'PACKAGE-MANAGER', 'referenceType': 'purl',
                                  'referenceLocator': locator}]
    entry.update(more)
    return entry


def libraries():
    """(package, whether it is optional) of each C library that is installed."""
    for name, source, licence, optional in LIBRARIES:
        done = subprocess.run(['pkg-config', '--modversion', name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              check=False)
        version = done.stdout.decode().strip()
        if done.returncode == 0:
            yield package(name, version, licence, 'pkg:deb/debian/%s@%s' % (source, version)), optional
        elif not optional:
            raise SystemExit('sbom.py: pkg-config does not know %s: run deploy/install-deps.sh build' % name)


def npm_packages(lock):
    """The packages that the extension bundles: all of the lock file that are not for development only."""
    with open(lock, encoding='utf-8') as handle:
        entries = json.load(handle)['packages']
    for path in sorted(entries):
        entry = entries[path]
        if path and not entry.get('dev'):
            name = path.rpartition('node_modules/')[2]
            yield package(name, entry['version'], entry.get('license', 'NOASSERTION'),
                          'pkg:npm/%s@%s' % (name.replace('@', '%40'), entry['version']))


def relation(left, kind, right):
    return {'spdxElementId': left, 'relationshipType': kind, 'relatedSpdxElement': right}


def document(opt):
    files = files_of(opt.archive)
    with open(opt.archive, 'rb') as handle:
        archive = handle.read()
    shaped = package('shaped', opt.version, LICENCE, filesAnalyzed=True, packageFileName=opt.archive.rpartition('/')[2],
                     packageVerificationCode={'packageVerificationCodeValue': verification_code(files)},
                     licenseInfoFromFiles=[LICENCE], checksums=checksums(archive),
                     hasFiles=[f['SPDXID'] for f in files])
    packages, relations = [shaped], [relation('SPDXRef-DOCUMENT', 'DESCRIBES', shaped['SPDXID'])]
    for entry, optional in libraries():
        packages.append(entry)
        if optional:
            relations.append(relation(entry['SPDXID'], 'OPTIONAL_DEPENDENCY_OF', shaped['SPDXID']))
        else:
            relations.append(relation(shaped['SPDXID'], 'DEPENDS_ON', entry['SPDXID']))
    for entry in npm_packages(opt.lock):
        packages.append(entry)
        relations.append(relation(shaped['SPDXID'], 'CONTAINS', entry['SPDXID']))
    return {
        'spdxVersion': 'SPDX-2.3',
        'dataLicense': 'CC0-1.0',
        'SPDXID': 'SPDXRef-DOCUMENT',
        'name': 'shaped-' + opt.version,
        'documentNamespace': 'https://spdx.org/spdxdocs/shaped-%s-%s' % (
            opt.version, hashlib.sha256(archive).hexdigest()[:32]),
        'creationInfo': {'created': opt.created, 'creators': ['Tool: shaped-sbom']},
        'packages': packages,
        'files': files,
        'relationships': relations,
    }


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('--version', required=True, help='of the release')
    ap.add_argument('--created', required=True, help='time of the release, such as 2026-01-31T12:00:00Z')
    ap.add_argument('--archive', required=True, help='the source archive, with one folder at the top')
    ap.add_argument('--lock', required=True, help='package-lock.json of the extension')
    json.dump(document(ap.parse_args()), sys.stdout, indent=1, sort_keys=True)
    print()


if __name__ == '__main__':
    main()
