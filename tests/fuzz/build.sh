#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds every fuzz target as OSS-Fuzz and ClusterFuzzLite ask for it, for any engine and sanitizer.
#
#   CC=clang CFLAGS="-O1 -g -fsanitize=address,fuzzer-no-link" LIB_FUZZING_ENGINE=-fsanitize=fuzzer \
#     OUT=out tests/fuzz/build.sh
#
#   CC, CFLAGS            compiler and flags, sanitizers among them (clang; -O1 -g with address and undefined)
#   LIB_FUZZING_ENGINE    what links the engine (-fsanitize=fuzzer)
#   OUT                   TARGET, TARGET.dict, TARGET.options and TARGET_seed_corpus.zip of each target go there
#
# The libraries come from deploy/install-deps.sh build, which the image of the fuzzing service runs once.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${OUT:?is the folder for the targets}"
mkdir -p "$OUT"
out=$(cd "$OUT" && pwd)
export CC=${CC:-clang}
export CFLAGS=${CFLAGS:--O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all}
engine=${LIB_FUZZING_ENGINE:--fsanitize=fuzzer}

# Objects of another compiler or other flags are rebuilt: make keeps a stamp of both.
make -j"$(nproc)" BUILD=fuzz DEPS=no FLAGS_fuzz=-DSHAPE_DEBUG=1 FUZZ_ENGINE="$engine" fuzzers

seeds=$(mktemp -d)
trap 'rm -rf "$seeds"' EXIT
python3 -c 'import sys; sys.path.insert(0, "tests/fuzz"); import seeds; seeds.write(sys.argv[1])' "$seeds"
python3 tests/fuzz/words.py "$out"
for target in build/fuzz/fuzzers/fuzz_*; do
  name=${target##*/}
  install -m 755 "$target" "$out/$name"
  printf '[libfuzzer]\ntimeout = 20\nrss_limit_mb = 2048\n' >"$out/$name.options"
  python3 - "$out/${name}_seed_corpus.zip" "tests/fuzz/corpus/$name" "$seeds/$name" <<'END'
import os
import sys
import zipfile

with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as out:
    number = 0
    for folder in (f for f in sys.argv[2:] if os.path.isdir(f)):
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), 'rb') as handle:
                out.writestr(zipfile.ZipInfo('%05d' % number), handle.read())
            number += 1
END
done
echo "$(find "$out" -maxdepth 1 -name 'fuzz_*' -perm -100 -type f | wc -l) targets in $out"
