# SPDX-License-Identifier: Apache-2.0
"""Authorities, certificates and tokens for tests of TLS, made with openssl in a folder that goes with the process."""
import atexit
import os
import shutil
import subprocess
import tempfile

from shaped import SHAPED

FOLDER = tempfile.mkdtemp(prefix='shaped-tls.')
atexit.register(shutil.rmtree, FOLDER)
TOKEN = 'correct-horse-battery-staple'


def at(name):
    return os.path.join(FOLDER, name)


def openssl(*arguments):
    subprocess.run(['openssl', *arguments], check=True, cwd=FOLDER, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def make_authority(name):
    openssl('req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2',
            '-subj', '/CN=' + name, '-keyout', name + '.key', '-out', name + '.pem')


def make_certificate(name, authority, *, expired=False, of='IP:127.0.0.1'):
    openssl('req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=' + name,
            '-addext', 'subjectAltName=' + of, '-keyout', name + '.key', '-out', name + '.csr')
    if not expired:
        openssl('x509', '-req', '-in', name + '.csr', '-CA', authority + '.pem', '-CAkey', authority + '.key',
                '-CAcreateserial', '-days', '2', '-copy_extensions', 'copy', '-out', name + '.pem')
        return
    # `openssl ca` is the one command of OpenSSL 3.0 that sets both dates.
    for file, text in (('index', ''), ('serial', '1000\n'), ('ca.conf', '[ca]\ndefault_ca=a\n[a]\nnew_certs_dir=.\n'
                       'database=index\nserial=serial\ndefault_md=sha256\npolicy=p\nunique_subject=no\ncopy_extensions=copy\n'
                       '[p]\ncommonName=supplied\n')):
        with open(at(file), 'w', encoding='utf-8') as handle:
            handle.write(text)
    openssl('ca', '-batch', '-config', 'ca.conf', '-cert', authority + '.pem', '-keyfile', authority + '.key',
            '-startdate', '20200101000000Z', '-enddate', '20200102000000Z', '-in', name + '.csr', '-out', name + '.pem',
            '-notext')


def make_all():
    make_authority('authority')
    make_authority('stranger')
    make_certificate('server', 'authority')
    make_certificate('elsewhere', 'authority', of='IP:127.0.0.2,DNS:elsewhere.example')
    make_certificate('named', 'authority', of='DNS:localhost')
    make_certificate('old', 'authority', expired=True)
    make_certificate('client', 'authority')
    make_certificate('late', 'authority', expired=True)
    make_certificate('foreign', 'stranger')
    with open(at('tokens'), 'w', encoding='utf-8') as file:
        file.write('# tokens of the test\n\nanother-token-of-some-length\n%s\n' % TOKEN)
    os.chmod(at('tokens'), 0o640)


def missing():
    """Why there can be no TLS here; None: there can."""
    if not shutil.which('openssl'):
        return 'there is no openssl command'
    done = subprocess.run([SHAPED, '--tls', '127.0.0.1:0', '--check-config'], stderr=subprocess.PIPE, check=False)
    return 'the daemon was built without OpenSSL' if b'without OpenSSL' in done.stderr else None
