#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`make deb`: the packages are what lintian accepts, the same bytes twice, and can be installed, used and removed.

They are installed into a copy of this system that only this test sees (an overlay in a mount namespace of its own), so
nothing here changes; that needs root. The last line is `N passed, N failed[, N skipped]`.
"""
import glob
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
from cases import Skipped, main  # noqa: E402

OUT = os.path.join(ROOT, 'build', 'deb')
NAMES = ['libshape-dev', 'libshape1', 'python3-shaped', 'shape', 'shaped']
MADE = []

# What happens inside of the copy. Each line must succeed.
SCRIPT = r'''
set -eu
cd /
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
dpkg -i "$@" >/tmp/dpkg.log 2>&1 || { cat /tmp/dpkg.log; exit 1; }
[ -z "$(dpkg --verify shaped shape libshape1 libshape-dev python3-shaped)" ]
getent passwd shaped
test "$(dpkg-query -W -f '${Conffiles}' shaped | awk '{print $1}')" = /etc/shaped/shaped.conf
test -f /lib/systemd/system/shaped.socket
test -L /etc/systemd/system/sockets.target.wants/shaped.socket
shaped --config /etc/shaped/shaped.conf --check-config
echo 'workers = 2' >> /etc/shaped/shaped.conf
cat > /tmp/add.mlir <<'END'
func.func @main(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c = stablehlo.add %a, %b : tensor<?x4xf32>
  return %c : tensor<?x4xf32>
}
END
chmod 644 /tmp/add.mlir
cat > /tmp/ask.py <<'END'
import shaped
with shaped.Client('/tmp/nobody/s.sock', timeout=30) as client:
    print(client.analyze(open('/tmp/add.mlir').read()).functions[0].result_dims)
END
cat > /tmp/use.c <<'END'
#include <shape_client.h>
#include <shape.h>
#include <stdio.h>
int main(void) { shape_client *c; shape_client_options o = {"/tmp/nobody/s.sock", 0, 0, false};
  const char *p = shape_status_name(SHAPE_OK);
  int status = shape_client_open(&o, &c); puts(p && status == SHAPE_CLIENT_OK ? "client ok" : "no client");
  shape_client_close(c); return 0; }
END
! command -v cmake >/dev/null || (mkdir /tmp/found && cd /tmp/found && printf '%s\n' 'cmake_minimum_required(VERSION 3.16)' \
  'project(x C)' 'find_package(shape REQUIRED)' > CMakeLists.txt && cmake . >/tmp/cmake.log || { cat /tmp/cmake.log; exit 1; })
test -f "$(pkg-config --variable=libdir shape)/cmake/shape/shape-config.cmake"
cc /tmp/use.c $(pkg-config --cflags --libs shape shape-client) -o /tmp/use
chmod 755 /tmp/use /tmp/ask.py
mkdir /tmp/nobody && chown nobody /tmp/nobody
setpriv --reuid nobody --clear-groups env -i PATH=/usr/bin:/bin sh -ec '
  cd /tmp/nobody
  shape check /tmp/add.mlir
  shaped --config /dev/null --socket /tmp/nobody/s.sock 2>log & pid=$!
  for i in $(seq 300); do test -S s.sock && break; sleep 0.1; done
  python3 /tmp/ask.py
  /tmp/use
  kill $pid; wait $pid'
# the socket of the service is asked by itself
mkdir /run/shaped && chown nobody /run/shaped
setpriv --reuid nobody --clear-groups env -i PATH=/usr/bin:/bin sh -ec '
  cd /tmp/nobody
  ! shape ping
  shaped --config /dev/null --socket /run/shaped/shaped.sock 2>log & pid=$!
  for i in $(seq 300); do test -S /run/shaped/shaped.sock && break; sleep 0.1; done
  shape ping
  python3 -c "import shaped; print(shaped.Client().ping({}))"
  kill $pid; wait $pid'
man -w shaped shape shaped.conf shape-protocol >/dev/null 2>&1 || test ! -x /usr/bin/man
dpkg --remove libshape-dev libshape1 python3-shaped shape shaped >/tmp/dpkg.log 2>&1 || { cat /tmp/dpkg.log; exit 1; }
test -f /etc/shaped/shaped.conf
dpkg --purge libshape-dev libshape1 python3-shaped shape shaped >/tmp/dpkg.log 2>&1 || { cat /tmp/dpkg.log; exit 1; }
! ls -d /etc/shaped /var/lib/shaped /usr/bin/shape /usr/bin/shaped /usr/lib/python3/dist-packages/shaped \
  /usr/lib/*/libshape* /usr/include/shaped /lib/systemd/system/shaped* /etc/systemd/system/*/shaped* 2>/dev/null
echo ALL-DONE
'''


def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=ROOT, check=False,
                          universal_newlines=True, **options)


def make():
    """The paths of the packages, made once."""
    for tool in ('dpkg-deb', 'dpkg-shlibdeps', 'dpkg-gensymbols'):
        if not shutil.which(tool):
            raise Skipped('there is no %s (dpkg-dev)' % tool)
    env = {k: v for k, v in os.environ.items() if k not in ('MAKEFLAGS', 'MAKELEVEL', 'MFLAGS', 'BUILD')}
    done = run('make', 'deb', env=env)
    assert done.returncode == 0, done.stdout[-3000:]
    return sorted(glob.glob(os.path.join(OUT, '*.deb')))


def made():
    if not MADE:
        MADE.extend(make())
    return MADE


def digests(paths):
    out = {}
    for path in paths:
        with open(path, 'rb') as file:
            out[os.path.basename(path)] = hashlib.sha256(file.read()).hexdigest()
    return out


def test_there_is_every_package():
    assert [os.path.basename(p).split('_')[0] for p in made()] == NAMES


def test_two_builds_give_the_same_bytes():
    first = digests(made())
    assert digests(make()) == first


def test_lintian_has_nothing_to_say():
    if not shutil.which('lintian'):
        raise Skipped('there is no lintian')
    # No package changes anything of others: only what is in the packages is judged.
    done = run('lintian', '--allow-root', '--fail-on', 'error,warning', *made())
    said = [line for line in done.stdout.split('\n') if line[:2] in ('E:', 'W:')]
    assert done.returncode == 0 and not said, done.stdout


def test_installs_works_and_goes():
    paths = made()
    if os.geteuid() != 0 or run('unshare', '--mount', 'true').returncode != 0:
        raise Skipped('only root can make a copy of this system')
    with tempfile.TemporaryDirectory(prefix='shaped-deb.') as folder, \
            tempfile.TemporaryDirectory(prefix='shaped-copy.') as copy:
        for path in paths:
            shutil.copy(path, folder)
        with open(os.path.join(folder, 'script'), 'w', encoding='utf-8') as file:
            file.write(SCRIPT)
        outer = '''set -e
            cd {0}
            mount -t tmpfs tmpfs {0} 2>/dev/null || exit 77
            mkdir up work all
            mount -t overlay overlay -o lowerdir=/,upperdir=up,workdir=work all || exit 77
            mount -t proc proc all/proc || exit 77
            mount --bind /dev all/dev
            mount -t tmpfs tmpfs all/tmp && chmod 1777 all/tmp
            mount -t tmpfs tmpfs all/run
            mkdir all/tmp/debs && cp /proc/self/fd/3/* all/tmp/debs/
            chroot all sh /tmp/debs/script {1}'''.format(
                copy, ' '.join('/tmp/debs/' + os.path.basename(p) for p in paths))
        done = run('unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c',
                   'exec 3<%s; %s' % (folder, outer), timeout=300)
        if done.returncode == 77:
            raise Skipped('no overlay can be mounted here')
        assert done.returncode == 0 and done.stdout.endswith('ALL-DONE\n'), done.stdout[-3000:]
        assert "[['S0', 4]]" in done.stdout and 'client ok' in done.stdout, done.stdout


if __name__ == '__main__':
    sys.exit(main(globals(), sys.argv[1:]))
