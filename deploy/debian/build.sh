#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes the Debian packages of deploy/debian/control from what `make install` has put into a folder.
#
#   deploy/debian/build.sh STAGE OUT     STAGE: a DESTDIR with PREFIX=/usr and the library folder of this architecture
#
# The same input gives the same bytes: times are those of the changelog (or SOURCE_DATE_EPOCH), owners are root, and the
# order of files is that of their names. `make deb` calls it.
set -euo pipefail
export LC_ALL=C
umask 022

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
stage=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
for tool in dpkg-deb dpkg-shlibdeps strip; do
  command -v $tool >/dev/null || { echo "there is no $tool: install dpkg-dev and binutils" >&2; exit 2; }
done

version=$(dpkg-parsechangelog -l "$here/changelog" -S Version)
arch=$(dpkg --print-architecture)
lib=usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
: "${SOURCE_DATE_EPOCH:=$(dpkg-parsechangelog -l "$here/changelog" -S Timestamp)}"
export SOURCE_DATE_EPOCH

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# put PACKAGE PATH...: moves what the patterns name from the stage into the package.
put() {
  local package=$work/$1 path
  shift
  for path in "$@"; do
    mkdir -p "$package/$(dirname "$path")"
    cp -a "$stage/"$path "$package/$(dirname "$path")/"
  done
}

put shaped usr/bin/shaped 'usr/share/man/man[578]' usr/share/shaped
for completion in bash-completion/completions/shaped fish/vendor_completions.d/shaped.fish \
  zsh/vendor-completions/_shaped; do
  put shaped "usr/share/$completion"
  put shape "usr/share/${completion/shaped/shape}"
done
rm "$work/shaped/usr/share/bash-completion/completions/shaped"  # a link, to what is in the other package
cp "$stage/usr/share/bash-completion/completions/shape" "$work/shaped/usr/share/bash-completion/completions/shaped"
put shaped lib/systemd/system usr/lib/sysusers.d
install -D -m 644 "$here/shaped.conf" "$work/shaped/etc/shaped/shaped.conf"
put shape 'usr/bin/shape*' usr/share/man/man1
rm "$work/shape/usr/bin/shaped"
put libshape1 "$lib/*.so.1"
put libshape-dev usr/include "$lib/*.so" "$lib/*.a" "$lib/pkgconfig" "$lib/cmake"
python=$work/python3-shaped/usr/lib/python3/dist-packages
install -D -m 644 -t "$python/shaped" "$root"/clients/python/shaped/*.py "$root/clients/python/shaped/py.typed"
mkdir "$python/shaped-$version.egg-info"
printf 'Metadata-Version: 2.1\nName: shaped\nVersion: %s\nLicense: Apache-2.0\nRequires-Python: >=3.9\nSummary: %s\n' \
  "$version" "Client of shaped, the service that analyses tensor shapes" >"$python/shaped-$version.egg-info/PKG-INFO"

printf 'libshape 1 libshape1 (>= %s)\nlibshape-client 1 libshape1 (>= %s)\n' "$version" "$version" >"$work/shlibs"

# shlibs PACKAGE: the packages of the libraries that its programs need.
shlibs() {
  local programs
  programs=$(find "$work/$1" -type f \( -path '*/bin/*' -o -name '*.so.*' \))
  mkdir -p "$work/scratch/debian"
  printf 'Source: shaped\n\nPackage: %s\nArchitecture: any\n' "$1" >"$work/scratch/debian/control"
  # shellcheck disable=SC2086 # paths below mktemp have no blanks
  (cd "$work/scratch" && dpkg-shlibdeps -O --ignore-missing-info $programs 2>/dev/null) | sed -n 's/^shlibs:Depends=//p'
}

# control PACKAGE FOLDER: its paragraph of deploy/debian/control, completed.
control() {
  local size depends=
  size=$(du -k -s --apparent-size "$2" | cut -f 1)
  if grep -q '^Architecture: any' <<<"$3" && grep -q '@SHLIBS@' <<<"$3"; then depends=$(shlibs "$1"); fi
  sed -e "s/@VERSION@/$version/; s/@SHLIBS@/$depends/; s/^Architecture: any/Architecture: $arch/" \
    -e "s/^Package: .*/&\nSource: shaped\nVersion: $version\nMaintainer: $maintainer\nInstalled-Size: $size\nPriority: optional/" \
    <<<"$3" | sed "s/^Source: shaped$/$([ "$1" = shaped ] && echo '' || echo '&')/; /^$/d"
}

maintainer=$(dpkg-parsechangelog -l "$here/changelog" -S Maintainer)
find "$work" -path '*/bin/*' -type f -exec strip --strip-unneeded -R .comment -R .note {} +
find "$work" -name '*.so.*' -type f -exec strip --strip-unneeded -R .comment -R .note {} +
find "$work" -name '*.a' -exec strip --strip-debug -D -R .comment {} +

for package in $(sed -n 's/^Package: //p' "$here/control"); do
  tree=$work/$package
  doc=$tree/usr/share/doc/$package
  install -D -m 644 "$here/copyright" "$doc/copyright"
  gzip -9n <"$here/changelog" >"$doc/changelog.gz"
  find "$tree/usr/share/man" -type f -exec gzip -9n {} + 2>/dev/null || true
  mkdir "$tree/DEBIAN"
  control "$package" "$tree" "$(awk -v RS= -v name="$package" '$0 ~ "(^|\n)Package: " name "\n"' "$here/control" |
    grep -v '^#')" >"$tree/DEBIAN/control"
  for script in postinst prerm postrm; do
    [ ! -f "$here/$package.$script" ] || install -m 755 "$here/$package.$script" "$tree/DEBIAN/$script"
  done
  [ ! -f "$here/$package.triggers" ] || install -m 644 "$here/$package.triggers" "$tree/DEBIAN/triggers"
  if [ "$package" = libshape1 ]; then
    install -m 644 "$work/shlibs" "$tree/DEBIAN/shlibs"
    (cd "$work/scratch" && dpkg-gensymbols -p"$package" -P"$tree" -v"$version" -O"$tree/DEBIAN/symbols" >/dev/null)
  fi
  [ ! -d "$tree/etc" ] || (cd "$tree" && find etc -type f -printf '/%p\n' | sort) >"$tree/DEBIAN/conffiles"
  (cd "$tree" && find . -path ./DEBIAN -prune -o -path ./etc -prune -o -type f -printf '%P\0' | sort -z |
    xargs -0 md5sum) >"$tree/DEBIAN/md5sums"
  find "$tree" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  name=${package}_${version}_$(sed -n 's/^Architecture: //p' "$tree/DEBIAN/control").deb
  dpkg-deb --root-owner-group -Zxz --build "$tree" "$out/$name" >/dev/null
  echo "$out/$name"
done
