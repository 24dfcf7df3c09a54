#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What a stranger does, on a Debian 12 that has nothing but git, make and apt: clone, the two commands of README.md, make
# install, make deb, install the packages, the demo as an ordinary user, remove. The machine is a root made by debootstrap
# in a folder, with mounts and processes of its own.
#
#   FRESH_MACHINE=1 tests/system/fresh-machine.sh      needs root, a network, some 3 GB and half an hour
#   FRESH_MACHINE=1 FRESH_TEST=unit ...                `make unit` in place of `make test`
#   FRESH_MIRROR=URL                                   where debootstrap gets Debian (default: deb.debian.org)
#   FRESH_LOG=FILE                                     keeps all that the steps say; else only the end of one that fails is shown
#
# The last line is `N passed, N failed[, N skipped]`.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
name='fresh-machine'
passed=0
failed=0

skip() {
  echo "skipped: $name: $1"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
}

if [ "${FRESH_INSIDE:-}" != 1 ]; then
  [ -n "${FRESH_MACHINE:-}" ] || skip "it takes half an hour: FRESH_MACHINE=1 runs it, as make test-long does"
  [ "$(id -u)" = 0 ] || skip "only root can make a machine"
  command -v debootstrap >/dev/null || skip "there is no debootstrap"
  unshare --mount --pid --fork true 2>/dev/null || skip "no mounts of its own can be had here"
  folder=$(mktemp -d "${TMPDIR:-/var/tmp}/shaped-fresh.XXXXXX")
  trap 'rm -rf --one-file-system "$folder"' EXIT
  FRESH_INSIDE=1 FRESH_FOLDER=$folder unshare --mount --pid --fork --kill-child "$0"
  exit
fi

machine=$FRESH_FOLDER/machine
log=$FRESH_FOLDER/log
kept=${FRESH_LOG:-/dev/null}

# step TITLE COMMAND...: one thing that must work; what it says is shown when it does not.
step() {
  local title=$1 start=$SECONDS status=0
  shift
  "$@" >"$log" 2>&1 </dev/null || status=$?
  { echo "== $title" && cat "$log"; } >>"$kept"
  if [ "$status" = 0 ]; then
    passed=$((passed + 1))
    printf 'ok      %-50s %4d s\n' "$title" $((SECONDS - start))
  else
    failed=$((failed + 1))
    printf 'FAILED  %-50s %4d s\n' "$title" $((SECONDS - start))
    tail -n "${FRESH_TAIL:-40}" "$log" | sed 's/^/        /'
    finish
  fi
}

finish() {
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
  exit
}

# in_machine USER COMMAND: a line of shell there, with an environment of its own.
in_machine() {
  chroot "$machine" setpriv --reuid "$1" --regid "$1" --init-groups env -i HOME="$(home "$1")" USER="$1" TERM=dumb LANG=C.UTF-8 \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin bash -ec "cd; $2"
}
home() { [ "$1" = root ] && echo /root || echo "/home/$1"; }

mounts() {
  mount -t proc proc "$machine/proc" && mount --rbind /dev "$machine/dev" && mount -t sysfs -o ro sysfs "$machine/sys" &&
    mount -t tmpfs tmpfs "$machine/run" && mkdir -p "$machine/src" && mount --bind "$root" "$machine/src" &&
    mount -o remount,bind,ro "$machine/src"
}

network() {
  cp -L /etc/resolv.conf "$machine/etc/resolv.conf"
  cp -L /etc/hosts "$machine/etc/hosts"
  # Where this machine goes through a proxy or has authorities of its own, so does that one.
  for path in /etc/apt/apt.conf.d /etc/apt/auth.conf.d /etc/ssl/certs /usr/local/share/ca-certificates; do
    [ ! -d "$path" ] || { mkdir -p "$machine$path" && cp -rLn "$path/." "$machine$path/" 2>/dev/null || true; }
  done
  in_machine root 'apt-get update -q'
}

demo_as_user='SHAPE=/usr/bin/shape SHAPED=/usr/bin/shaped ./demo/run.sh | tee demo.log; grep -q "^  \$ shape" demo.log'
gone='! ls /usr/bin/shape* /usr/lib/*/libshape* /usr/include/shaped /etc/shaped /usr/local/bin/shape* 2>/dev/null'

step 'debootstrap: a bare Debian 12' debootstrap --variant=minbase --include=git,make,ca-certificates bookworm "$machine" \
  "${FRESH_MIRROR:-http://deb.debian.org/debian}"
step 'its mounts' mounts
step 'its network' network
step 'an ordinary user' in_machine root 'useradd --create-home --shell /bin/bash stranger; git config --system safe.directory "*"'
step 'git clone' in_machine root 'git clone -q file:///src shaped'
step 'the first command: make demo' in_machine root 'cd shaped; make demo'
step "git clone, of an ordinary user" in_machine stranger 'git clone -q file:///src mine'
step "the second command: make ${FRESH_TEST:-test}" in_machine root "cd shaped; CI=${FRESH_CI:-} make ${FRESH_TEST:-test}"
grep -E '^(skipped in all|[0-9]+ passed)' "$log" | sed 's/^/        /'
step 'make install' in_machine root 'cd shaped; make install; ldconfig; shape --version; man -w shape 2>/dev/null || test -f /usr/local/share/man/man1/shape.1'
step 'the installed program, as an ordinary user' in_machine stranger 'shape check mine/deploy/demo/heads.mlir'
step 'make uninstall' in_machine root "cd shaped; make uninstall; ldconfig; ! command -v shape"
step 'make deb' in_machine root 'cd shaped; CI=true deploy/install-deps.sh deploy; make deb; ls build/deb/*.deb'
step 'lintian' in_machine root 'cd shaped; ! lintian --allow-root --fail-on error,warning build/deb/*.deb | grep "^[EW]:"'
step 'the packages install' in_machine root 'apt-get install -y --no-install-recommends ./shaped/build/deb/*.deb; dpkg --verify shaped shape libshape1'
step 'the demo, as an ordinary user, with the packages' in_machine stranger "cp -r mine/deploy/demo .; $demo_as_user"
step 'the packages go' in_machine root "apt-get purge -y shaped shape libshape1 libshape-dev python3-shaped; $gone"
step 'the clone was left clean' in_machine root 'cd shaped; test -z "$(git status --porcelain)"'
finish
