#!/bin/sh
# Gets from PyPI what some tests use: hyperqueue (clusters), benchexec (competitions), pandas (tables), playwright (reports in Debian's
# Chromium), jsonschema and xmlschema (what is written for others). They go into a folder of their own, target/python, and with them
# the schemas, from packages that carry them: that of SARIF 2.1.0 by OASIS (crate serde-sarif), and of JUnit's format that of Jenkins'
# xUnit plugin (junit-10.xsd, in the sources of pytest). Does nothing where they are there already; what cannot be had is named,
# and the tests that need it say so and skip. Where CI is true that is an error.
set -u
cd "$(dirname "$0")/.."
folder=${CARGO_TARGET_DIR:-target}/python
packages="hyperqueue==0.27.0 benchexec==3.35 pandas playwright==1.65.2 jsonschema==4.26.0 xmlschema==4.3.2"
schemas=$folder/schemas
"$folder/bin/python" -c 'import hyperqueue, benchexec, pandas, playwright, jsonschema, xmlschema' 2>/dev/null &&
    [ -s "$schemas/sarif-2.1.0.json" ] && [ -s "$schemas/junit-10.xsd" ] && exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
log=$work/log
echo "installing $packages, and schemas" >&2

pip() {
    "$folder/bin/python" -m pip "$@" >>"$log" 2>&1
}
junit() {
    pip download -q --no-deps --no-binary pytest -d "$work" pytest==9.2.0 &&
        tar -xzOf "$work"/pytest-*.tar.gz --wildcards '*/junit-10.xsd' >"$schemas/junit-10.xsd"
}
sarif() {
    mkdir -p "$work/sarif/src" && : >"$work/sarif/src/lib.rs" &&
        printf '[package]\nname = "schemas"\nedition = "2024"\n[workspace]\n[dependencies]\nserde-sarif = "=0.8.0"\n' >"$work/sarif/Cargo.toml" &&
        cargo metadata --quiet --format-version 1 --manifest-path "$work/sarif/Cargo.toml" >"$work/metadata" 2>>"$log" &&
        "$folder/bin/python" - "$work/metadata" "$schemas/sarif-2.1.0.json" <<'END' 2>>"$log"
import json, pathlib, shutil, sys
packages = json.load(open(sys.argv[1]))["packages"]
[crate] = [p for p in packages if p["name"] == "serde-sarif"]
shutil.copy(pathlib.Path(crate["manifest_path"]).parent / "src/schema.json", sys.argv[2])
END
}
# shellcheck disable=SC2086 # a list
if python3 -m venv "$folder" >"$log" 2>&1 && pip install -q $packages && mkdir -p "$schemas" && junit && sarif; then
    exit 0
fi
sed 's/^/    /' "$log" >&2
echo "WARNING: not installed: $packages, or schemas; the tests that need them are skipped" >&2
[ "${CI:-}" = true ] && exit 1
exit 0
