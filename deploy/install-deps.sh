#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs the Debian packages that Shaped is built and tested with, and says what it does.
set -euo pipefail

usage() {
  cat <<'END'
usage: deploy/install-deps.sh [--if-needed] [PROFILE...]

Installs what is missing, as root, with passwordless sudo, or with CI=true.
Otherwise, and always with DEPS=no, it prints the apt-get line for you to run
and exits with status 2. Does nothing when nothing is missing.

PROFILE   build   compiler and libraries
          test    build, and what `make test` uses
          lint    build, and what `make lint` uses
          fuzz    build, and what `make fuzz` uses
          deploy  build, and what `make deb` and the tests of packages use
          all     everything (default)

--if-needed   leave optional packages alone unless a required one is missing
              (this is how make calls it)

examples:
  deploy/install-deps.sh              everything for work on Shaped
  deploy/install-deps.sh build        only what `make` needs
  DEPS=no deploy/install-deps.sh      what is missing, as a line to copy
END
}

profiles=
if_needed=no
for arg in "$@"; do
  case $arg in
    -h | --help) usage; exit 0 ;;
    --if-needed) if_needed=yes ;;
    build | test | lint | fuzz | deploy | all) profiles+=" $arg" ;;
    *) usage >&2; exit 2 ;;
  esac
done

profiles=${profiles:- all}

# profile | required or optional | package | how to see that it is there | why
packages='
build | required | gcc                | command gcc          | the compiler
build | required | libc6-dev          | header stdio.h       | the C library
build | required | make               | command make         | the build
build | required | pkg-config         | command pkg-config   | finds the libraries and their versions
build | required | libuv1-dev         | library libuv        | event loop of the daemon
build | required | libcjson-dev       | library libcjson     | JSON reading, after our own validation
build | required | libgmp-dev         | library gmp          | integers beyond 64 bits
build | required | zlib1g-dev         | library zlib         | deflated members of .pt2 archives
build | optional | libssl-dev         | library libssl       | TLS for the daemon and its clients in C
build | optional | graphviz           | command dot          | the pictures of shape graph
build | optional | libsqlite3-dev     | library sqlite3      | the database of shape batch
test  | required | python3            | command python3      | test driver and system tests
test  | optional | nodejs             | command node         | the client of the daemon in JavaScript
test  | optional | openssl            | command openssl      | certificates for the tests of TLS
test  | optional | curl               | command curl         | the guide of operators asks for metrics
test  | optional | sqlite3            | command sqlite3      | the guide of zoos asks the database
test  | optional | valgrind           | command valgrind     | memcheck of the command line, instruction counts of the bench
test  | optional | systemd            | command systemd-analyze | the check of the units
test  | required | libcriterion-dev   | library criterion    | unit tests
test  | optional | chromium           | command chromium     | the page of shape batch, in a browser
test  | optional | chromium-driver    | command chromedriver | drives it
test  | optional | python3-sphinx     | command sphinx-build | make manual
test  | optional | python3-myst-parser | sphinx myst_parser  | its pages, which are Markdown
test  | optional | furo               | sphinx furo          | its theme
test  | optional | python3-onnx       | python onnx          | random ONNX models, run by its reference evaluator too
test  | optional | libonnx-testdata   | folder share/libonnx-testdata | the models of ONNX with the tensors that they give
test  | optional | python3-torch      | python torch         | random calls of its operators, run by it
test  | optional | python3-distributed | command dask-scheduler | shaped.dask, with a real scheduler
test  | optional | mandoc             | command mandoc       | the check of the man pages
test  | optional | groff              | command groff        | a second one
test  | optional | zsh                | command zsh          | its completions, in zsh itself
test  | optional | fish               | command fish         | its completions, in fish itself
test  | optional | neovim             | command nvim         | a second client of the language server
test  | optional | z3                 | command z3           | a second opinion for property tests
test  | optional | haproxy            | command haproxy      | several daemons at one address
test  | optional | dpkg-dev           | command dpkg-shlibdeps | make deb
deploy | required | dpkg-dev          | command dpkg-shlibdeps | make deb
deploy | optional | lintian           | command lintian      | the check of the packages
deploy | optional | prometheus        | command promtool     | the check of the alerts
test  | optional | gdb                | command gdb          | the pretty-printers of deploy/gdb
deploy | optional | debootstrap       | command debootstrap  | tests/system/fresh-machine.sh
lint  | required | python3            | command python3      | the lint itself
lint  | required | clang-format       | command clang-format | formatting
fuzz  | required | clang              | command clang        | libFuzzer, and the second compiler
fuzz  | required | libclang-rt-14-dev | fuzzer               | the runtime of libFuzzer and the sanitizers
'

trim() {
  local text=$1
  text=${text#"${text%%[![:space:]]*}"}
  printf '%s' "${text%"${text##*[![:space:]]}"}"
}

present() {
  case $1 in
    command) command -v "$2" >/dev/null ;;
    library) pkg-config --exists "$2" 2>/dev/null ;;
    header) [ -f "/usr/include/$2" ] || echo "#include <$2>" | gcc -E - >/dev/null 2>&1 ;;
    folder) [ -d "/usr/$2" ] ;;
    python) python3 -c "import $2" >/dev/null 2>&1 ;;
    sphinx) command -v sphinx-build >/dev/null && "$(sed -n '1s/^#!//p' "$(command -v sphinx-build)")" -c "import $2" >/dev/null 2>&1 ;;
    fuzzer) compgen -G '/usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a' >/dev/null ;;
  esac
}

wanted() {
  case "$1 in $profiles " in build* | *" all "* | *" $1 "*) ;; *) return 1 ;; esac
}

missing=()
reasons=()
required=no
while IFS='|' read -r group need package probe why; do
  group=$(trim "$group")
  package=$(trim "$package")
  [ -n "$package" ] && wanted "$group" || continue
  # shellcheck disable=SC2086 # the probe is a word or two
  present $probe && continue
  case " ${missing[*]-} " in *" $package "*) continue ;; esac
  missing+=("$package")
  reasons+=("  $package: $(trim "$why")")
  [ "$(trim "$need")" = optional ] || required=yes
done <<<"$packages"

[ ${#missing[@]} -gt 0 ] || exit 0
[ "$if_needed" = no ] || [ "$required" = yes ] || exit 0

echo "Missing on this machine (for$profiles):"
printf '%s\n' "${reasons[@]}"
line="apt-get install -y --no-install-recommends ${missing[*]}"

refuse() {
  echo "$1; as root, run:"
  echo "  apt-get update && $line"
  exit 2
} >&2

[ "${DEPS:-}" != no ] || refuse "DEPS=no: nothing is installed"
command -v apt-get >/dev/null || refuse "There is no apt-get here; install the same for your system, on Debian 12"
if [ "$(id -u)" = 0 ]; then
  as_root=()
elif command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ "${CI:-}" = true ]; }; then
  as_root=(sudo -n)
elif [ "${CI:-}" = true ]; then
  as_root=()
else
  refuse "Not root, and sudo would ask for a password"
fi

run() {
  echo "+ $*"
  DEBIAN_FRONTEND=noninteractive "$@" </dev/null
}
# Package lists may be missing or old (as in a container image); an update that fails leaves the install to decide.
run ${as_root[@]+"${as_root[@]}"} apt-get update -q || echo "apt-get update failed; trying with the lists that are there"
# shellcheck disable=SC2086 # the line is a list of words
run ${as_root[@]+"${as_root[@]}"} $line
