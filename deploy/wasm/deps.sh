#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the libraries that libshape.wasm is linked with, from Debian's source packages: GMP with limbs of 32 bits and no
# assembly, the inflating half of zlib, cJSON. Needs emscripten, dpkg-dev and Debian's archive; does nothing where they
# are built already. With --limbs32: GMP alone, for this machine, with limbs of 32 bits too.
set -euo pipefail

limbs32=no
[ "${1-}" != --limbs32 ] || { limbs32=yes; shift; }
if [ $# != 1 ] || [ "$1" = --help ]; then
  echo "usage: deploy/wasm/deps.sh [--limbs32] FOLDER     makes FOLDER/lib/lib{gmp,z,cjson}.a and FOLDER/include"
  exit $(($# != 1 ? 2 : 0))
fi
mkdir -p "$1"
folder=$(cd "$1" && pwd)
[ ! -e "$folder/done" ] || exit 0
for tool in $([ $limbs32 = yes ] || echo emcc) dpkg-source apt-get; do
  command -v $tool > /dev/null || {
    echo "$tool is not there: apt-get install emscripten dpkg-dev" >&2
    exit 2
  }
done

# Lists of source packages of our own: the machine's need not have any.
mkdir -p "$folder/lists/partial" "$folder/src" "$folder/lib" "$folder/include/cjson"
release=$(. /etc/os-release && echo "${VERSION_CODENAME:?}")
echo "deb-src http://deb.debian.org/debian $release main" > "$folder/sources.list"
cat > "$folder/apt.conf" <<END
Dir::Etc::sourcelist "$folder/sources.list";
Dir::Etc::sourceparts "-";
Dir::State::lists "$folder/lists";
APT::Sandbox::User "";
END
export APT_CONFIG=$folder/apt.conf
unset MAKEFLAGS MFLAGS MAKELEVEL  # a compiler on the command line of make is not for these libraries
cd "$folder/src"
apt-get -q update > "$folder/log" 2>&1
apt-get -q source gmp $([ $limbs32 = yes ] || echo zlib cjson) >> "$folder/log" 2>&1
# Debian's emscripten looks for the JavaScript it uses in the folder of Debian's Node.
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}

cd "$folder/src"/gmp-*/
mkdir -p doc
touch doc/Makefile.in  # the documents are not in Debian's package, and configure wants one
if [ $limbs32 = yes ]; then
  {
    ./configure --disable-assembly --host none --disable-shared CFLAGS="-O2 -D__GMP_SHORT_LIMB"
    make -j"$(nproc)" SUBDIRS="mpn mpz mpq mpf printf scanf rand"
  } >> "$folder/log" 2>&1
  cp .libs/libgmp.a "$folder/lib/"
  cp gmp.h "$folder/include/"
  touch "$folder/done"
  exit 0
fi
{
  emconfigure ./configure --disable-assembly --host none --disable-shared CFLAGS="-O2"
  emmake make -j"$(nproc)" SUBDIRS="mpn mpz mpq mpf printf scanf rand"
} >> "$folder/log" 2>&1
cp .libs/libgmp.a "$folder/lib/"
cp gmp.h "$folder/include/"

cd "$folder/src"/zlib-*/
for part in adler32 crc32 inflate inffast inftrees zutil; do emcc -O2 -c $part.c; done
emar rcs "$folder/lib/libz.a" adler32.o crc32.o inflate.o inffast.o inftrees.o zutil.o
cp zlib.h zconf.h "$folder/include/"

cd "$folder/src"/cjson-*/
emcc -O2 -c cJSON.c
emar rcs "$folder/lib/libcjson.a" cJSON.o
cp cJSON.h "$folder/include/cjson/"
touch "$folder/done"
