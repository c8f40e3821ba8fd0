#!/bin/sh
# Makes a root with nothing but the C library and, with `cpp`, a C preprocessor with the headers of the C library, from Debian's packages:
#   bare-root.sh DIR [cpp]
# Needs apt-get and dpkg-deb.
set -eu
dir=$1
packages="libc6 libgcc-s1"
[ "${2:-}" = cpp ] && packages="$packages cpp cpp-12 libgmp10 libmpc3 libmpfr6 libisl23 zlib1g libzstd1 libstdc++6 libc6-dev linux-libc-dev libgcc-12-dev libcrypt-dev gcc-12-base"
mkdir -p "$dir/debs" "$dir/root/tmp" "$dir/root/proc" "$dir/root/dev"
(cd "$dir/debs" && apt-get download $packages >/dev/null)
for deb in "$dir"/debs/*.deb; do
    dpkg-deb -x "$deb" "$dir/root"
done
: >"$dir/root/dev/null"
rm -rf "$dir/debs"
