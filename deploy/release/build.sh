#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes the files of a release from the commit that is checked out.
#
#   deploy/release/build.sh VERSION OUT [FILE...]     FILE: added as they are (Debian packages)
#
#   OUT/shaped-VERSION.tar.gz      the sources, as `git archive` writes them
#   OUT/shaped-VERSION.spdx.json   the bill of materials (SPDX 2.3)
#   OUT/SHA256SUMS                 checksums of everything there; `sha256sum -c SHA256SUMS` verifies them
#
# The same commit and libraries give the same bytes: times are those of the commit. `make release` calls it.
set -euo pipefail
export LC_ALL=C TZ=UTC
umask 022

version=$1
mkdir -p "$2"
out=$(cd "$2" && pwd)
shift 2
[ -z "$(ls -A "$out")" ] || { echo "$out is not empty: remove it first" >&2; exit 2; }
for file in "$@"; do cp "$file" "$out/"; done
cd "$(dirname "$0")/../.."
if [ -n "$(git status --porcelain)" ]; then
  echo "note: a release has what is committed; there are changes that are not" >&2
fi

archive=$out/shaped-$version.tar.gz
git archive --format=tar --prefix="shaped-$version/" HEAD | gzip -9n >"$archive"
created=$(date -u -d "@$(git log -1 --format=%ct)" +%Y-%m-%dT%H:%M:%SZ)
python3 deploy/release/sbom.py --version "$version" --created "$created" --archive "$archive" \
  --lock clients/vscode/package-lock.json >"$out/shaped-$version.spdx.json"
cd "$out"
sha256sum -- * >SHA256SUMS.new
mv SHA256SUMS.new SHA256SUMS
echo "made $out"
