#!/bin/sh
# Gets from PyPI what some tests use: hyperqueue (clusters), benchexec (competitions), pandas (tables). They go into a folder of
# their own, target/python. Does nothing where they are there already; what cannot be had is named, and the tests
# that need it say so and skip. Where CI is true that is an error.
set -u
cd "$(dirname "$0")/.."
folder=${CARGO_TARGET_DIR:-target}/python
packages="hyperqueue==0.27.0 benchexec==3.35 pandas"
"$folder/bin/python" -c 'import hyperqueue, benchexec, pandas' 2>/dev/null && exit 0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "installing $packages" >&2
# shellcheck disable=SC2086 # a list
if python3 -m venv "$folder" >"$log" 2>&1 && "$folder/bin/pip" install -q $packages >"$log" 2>&1; then
    exit 0
fi
sed 's/^/    /' "$log" >&2
echo "WARNING: not installed: $packages; the tests that need them are skipped" >&2
[ "${CI:-}" = true ] && exit 1
exit 0
