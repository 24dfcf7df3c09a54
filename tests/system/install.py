#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`make install` into an empty folder, programs built against what is there, and `make uninstall`.

The last line is `N passed, N failed[, N skipped]`.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'support'))
import cases  # noqa: E402
import shaped  # noqa: E402

PROGRAM = r'''
#include <shape_client.h>
#include <shape.h>
#include <stdio.h>
int main(void) {
  shape_client_options options = {"/nowhere", 0, 0, false};
  shape_client *client = NULL;
  shape_client_status status = shape_client_open(&options, &client);
  printf("%s %s %d\n", SHAPE_VERSION, shape_status_name(SHAPE_OK), status == SHAPE_CLIENT_ABSENT);
  shape_client_close(client);
  return 0;
}
'''


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=ROOT, check=False, **options)
    assert done.returncode == 0, '%s: %s' % (' '.join(command), done.stdout.decode()[-1500:])
    return done.stdout.decode()


def make(target, folder, *options):
    env = {k: v for k, v in os.environ.items() if k not in ('MAKEFLAGS', 'MAKELEVEL', 'MFLAGS', 'BUILD', 'ASSERTS')}
    run('make', target, 'PREFIX=/usr', 'DESTDIR=' + folder, *options, env=env)


def check_hardening(path):
    """What readelf says of a program: position independent, read-only relocations, protector, FORTIFY, CET."""
    said = run('readelf', '-W', '-h', '-l', '-d', '-s', '-n', path)
    for wanted in ('DYN (', 'GNU_RELRO', 'Flags: NOW', '__stack_chk_fail', '_chk@'):
        assert wanted in said.replace('__stack_chk_guard', ''), (path, wanted)
    assert [line for line in said.split('\n') if 'GNU_STACK' in line and 'RWE' not in line], path
    if os.uname().machine == 'x86_64':
        assert re.search('x86 feature:.*IBT.*SHSTK', said), path


def asserts_of(path):
    """Whether the code in a program, shared library or archive can fail an assert."""
    return '__assert_fail' in run('nm', '--undefined-only', *(['-D'] if not path.endswith('.a') else []), path)


def test_releases_hold_no_assert():
    """Programs and libraries that are installed; the daemon that tests run holds asserts, so the look finds them."""
    build = os.path.join(ROOT, 'build')
    assert asserts_of(os.path.join(build, 'shaped')) and asserts_of(os.path.join(build, 'libshape.a'))
    with tempfile.TemporaryDirectory(prefix='shaped-install.') as folder:
        make('install', folder)
        usr = os.path.join(folder, 'usr')
        for name in ('bin/shape', 'bin/shaped', 'bin/shape-lsp', 'lib/libshape.so.1', 'lib/libshape-client.so.1',
                     'lib/libshape.a', 'lib/libshape-client.a'):
            assert not asserts_of(os.path.join(usr, name)), name


def check_units(usr):
    """The units are installed as the packages have them, with the path of the programs."""
    units = os.path.join(usr, 'lib', 'systemd', 'system')
    source = os.path.join(ROOT, 'deploy', 'systemd')
    names = sorted(name for name in os.listdir(source) if name.endswith(('.service', '.socket')))
    assert sorted(os.listdir(units)) == names and 'shaped.service' in names
    for name in names:
        assert os.stat(os.path.join(units, name)).st_mode & 0o777 == 0o644
        with open(os.path.join(units, name), encoding='utf-8') as f, open(os.path.join(source, name), encoding='utf-8') as g:
            assert f.read() == g.read()  # the prefix is /usr
    assert os.path.getsize(os.path.join(usr, 'lib', 'sysusers.d', 'shaped.conf'))


def test_units_follow_the_options():
    with tempfile.TemporaryDirectory(prefix='shaped-install.') as folder:
        make('install', folder, 'PREFIX=/opt/s', 'SYSTEMD_DIR=/etc/systemd/system')
        with open(os.path.join(folder, 'etc/systemd/system/shaped.service'), encoding='utf-8') as unit:
            starts = [line for line in unit.read().split('\n') if line.startswith('ExecStart')]
        assert starts and all('=/opt/s/bin/shaped ' in line for line in starts), starts
        make('uninstall', folder, 'PREFIX=/opt/s', 'SYSTEMD_DIR=/etc/systemd/system')
        left = [os.path.join(top, name) for top, _, names in os.walk(folder) for name in names]
        assert not left, left
        make('install', folder, 'SYSTEMD_DIR=')
        assert not os.path.exists(os.path.join(folder, 'usr/lib/systemd'))
        assert not os.path.exists(os.path.join(folder, 'usr/lib/sysusers.d'))


def test_install_use_uninstall():
    folder = tempfile.mkdtemp(prefix='shaped-install.')
    try:
        make('install', folder)
        usr = os.path.join(folder, 'usr')
        check_units(usr)
        for name in ('shape', 'shaped', 'shape-lsp'):
            check_hardening(os.path.join(usr, 'bin', name))
        release = run(os.path.join(usr, 'bin', 'shape'), '--version').split()[1]
        env = dict(os.environ, PKG_CONFIG_PATH=os.path.join(usr, 'lib', 'pkgconfig'),
                   LD_LIBRARY_PATH=os.path.join(usr, 'lib'))
        flags = run('pkg-config', '--define-prefix', '--cflags', '--libs', 'shape', 'shape-client', env=env).split()
        assert run('pkg-config', '--modversion', 'shape-client', env=env).strip() == release
        for name in ('man/man1/shape.1', 'man/man8/shaped.8', 'man/man5/shaped.conf.5', 'man/man7/shape-protocol.7',
                     'bash-completion/completions/shape', 'bash-completion/completions/shaped',
                     'fish/vendor_completions.d/shape.fish', 'zsh/site-functions/_shape', 'shaped/openrpc.json',
                     'shaped/schema/analyze.json'):
            assert os.path.getsize(os.path.join(usr, 'share', name)) > 500, name
        source, program = os.path.join(folder, 'use.c'), os.path.join(folder, 'use')
        with open(source, 'w', encoding='utf-8') as out:
            out.write(PROGRAM)
        compilers = [(os.environ.get('CC', 'cc').split(), ['-std=c17'])]
        if shutil.which('g++'):
            compilers.append((['g++'], ['-x', 'c++']))
        for compiler, options in compilers:
            run(*compiler, '-Wall', '-Werror', *options, source, *flags, '-o', program, env=env)
            assert run(program, env=env) == release + ' OK 1\n', compiler
        for name in ('shape', 'shape-client'):
            said = run('objdump', '-p', os.path.join(usr, 'lib', 'lib%s.so' % name))
            version = name.upper().replace('-', '_') + '_1'
            assert re.search(r'SONAME +lib%s\.so\.1$' % name, said, re.M) and version in said, said
            exported = run('nm', '-D', '--defined-only', os.path.join(usr, 'lib', 'lib%s.so.1' % name)).split('\n')
            assert len(exported) > 10 and all(line.endswith(version) for line in exported if line), exported
        flags_static = run('pkg-config', '--static', '--define-prefix', '--cflags', '--libs', 'shape', 'shape-client',
                           env=env).split()
        alone = dict(os.environ)
        alone.pop('LD_LIBRARY_PATH', None)
        run(*compilers[0][0], '-std=c17', '-static', source, *flags_static, '-o', program, env=env)
        assert run(program, env=alone) == release + ' OK 1\n'
        example = os.path.join(ROOT, 'clients', 'c', 'examples', 'fusion.c')  # as its page says, with what is installed
        run(*os.environ.get('CC', 'cc').split(), '-std=c17', '-Wall', '-Werror', example, *flags, '-o', program, env=env)
        make('uninstall', folder)
        left = [os.path.join(top, name) for top, _, names in os.walk(usr) for name in names]
        assert not left, left
        folders = {os.path.relpath(top, usr) for top, _, _ in os.walk(usr)}
        assert folders <= {'.', 'bin', 'include', 'lib', 'share', 'share/man'}, folders  # those of a bare system
    finally:
        shutil.rmtree(folder)


if __name__ == '__main__':
    sys.exit(cases.main(globals(), sys.argv[1:]))
