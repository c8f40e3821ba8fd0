#!/bin/sh
# Installs from Debian what some tests use besides Rust and a C compiler:
#   csmith         random C programs for the front end, with libcsmith-dev for their headers
#   gcc-multilib   32-bit headers and libraries, for harnesses of ILP32 programs
#   chromium       opens the HTML reports
# Does nothing where they are there already. Needs root and apt-get. What cannot be installed is named and
# left out: the tests that need it say so and skip. Where CI is true that is an error, so that nothing is
# skipped where it counts.
set -u

wanted=
need() {
    wanted="$wanted $1"
}
command -v csmith >/dev/null 2>&1 || need csmith
[ -d /usr/include/csmith ] || need libcsmith-dev
command -v chromium >/dev/null 2>&1 || need chromium
# The package has no program of its own; a program of 32 bits links only with it.
case $(uname -m) in
x86_64) echo 'int main(void) { return 0; }' | cc -m32 -x c -o /dev/null - 2>/dev/null || need gcc-multilib ;;
esac
[ -z "$wanted" ] && exit 0

failed() {
    echo "WARNING: not installed:$wanted ($1); the tests that need them are skipped" >&2
    [ "${CI:-}" = true ] && exit 1
    exit 0
}
command -v apt-get >/dev/null 2>&1 || failed "there is no apt-get"
[ "$(id -u)" = 0 ] || failed "only root may install packages"

log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "installing$wanted" >&2
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086 # a list
install() {
    apt-get install -y --no-install-recommends $wanted >"$log" 2>&1
}
if ! install; then
    # The lists may be missing or old.
    apt-get update >"$log" 2>&1 && install || {
        sed 's/^/    /' "$log" >&2
        failed "apt-get failed"
    }
fi
exit 0
