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
#include <solver/shape.h>
#include <stdio.h>
int main(void) {
  shape_client_options options = {"/nowhere", 0, 0, false};
  shape_client *client = NULL;
  shape_program *program = shape_program_new("", 0, NULL);
  shape_client_status status = shape_client_open(&options, &client);
  printf("%s %s %d\n", SHAPE_VERSION, program ? "program" : "none", status == SHAPE_CLIENT_ABSENT);
  shape_client_close(client);
  shape_program_free(program);
  return 0;
}
'''


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=ROOT, check=False, **options)
    assert done.returncode == 0, '%s: %s' % (' '.join(command), done.stdout.decode()[-1500:])
    return done.stdout.decode()


def make(target, folder):
    env = {k: v for k, v in os.environ.items() if k not in ('MAKEFLAGS', 'MAKELEVEL', 'MFLAGS', 'BUILD')}
    run('make', target, 'PREFIX=/usr', 'DESTDIR=' + folder, env=env)


def test_install_use_uninstall():
    folder = tempfile.mkdtemp(prefix='shaped-install.')
    try:
        make('install', folder)
        usr = os.path.join(folder, 'usr')
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
            assert run(program, env=env) == release + ' program 1\n', compiler
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
        assert run(program, env=alone) == release + ' program 1\n'
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
