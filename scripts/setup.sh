#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# setup.sh - installs the Debian packages of packages.txt that are missing; asks nothing.
#
# Silent when all are there.  Exit codes: 0 all there, 2 wrong option, 4 something is missing.
# A tool of your own that its probe finds counts as there, so that it is not installed twice.
set -u

usage() {
    cat <<'END'
usage: scripts/setup.sh [--check] [GROUP ...]
  --check  list what is missing, install nothing
  GROUP    core, extra, fpga, formal or wasm (scripts/packages.txt); without one, these five;
           what else stands there, such as python, is installed when it is named
END
}

fail() { # code, line
    code=$1
    shift
    echo "setup: $*" >&2
    exit "$code"
}

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd) || exit 4
list=$here/packages.txt
build=${BUILD:-$here/../build}

# The groups that the list has, in its order, and the modules of Python.
known=
modules=
while read -r package group probe _; do
    case $package in '' | '#'*) continue ;; esac
    case $probe in python:*) modules="${modules:+$modules, }${probe#python:}" ;; esac
    case " $known " in *" $group "*) ;; *) known="${known:+$known }$group" ;; esac
done <"$list" || fail 4 "cannot read $list"

check=
groups=
for arg; do
    case $arg in
    --check) check=yes ;;
    -h | --help) usage && exit 0 ;;
    *)
        case " $known " in
        *" $arg "*) groups="$groups $arg " ;;
        *)
            usage >&2
            fail 2 "unknown argument '$arg'; allowed: --check, $(echo "$known" | sed 's/ /, /g')"
            ;;
        esac
        ;;
    esac
done
[ -n "$groups" ] || groups=" core  extra  fpga  formal  wasm "

has_probe() { # - for what only Debian installs, a path, a command, a header that the C compiler finds, or a module: one Python must have all of them
    case $1 in
    -) [ -z "$debian" ] ;;
    /*) [ -e "$1" ] ;;
    python:*) python3 -c "import $modules" >/dev/null 2>&1 ;;
    *.h) echo "#include <$1>" | "${CC:-cc}" -E -x c - >/dev/null 2>&1 ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
    esac
}

# The wanted packages, space-separated.
wanted=
while read -r package group _; do
    case $package in '' | '#'*) continue ;; esac
    case $groups in *" $group "*) wanted="$wanted $package" ;; esac
done <"$list"
[ -n "$wanted" ] || fail 4 "$list names no package"

debian=
if command -v dpkg-query >/dev/null 2>&1 && command -v apt-get >/dev/null 2>&1; then
    debian=yes
fi

# Sets missing to the wanted packages that are neither installed nor found by their probe.
find_missing() {
    installed=
    if [ -n "$debian" ]; then
        # One call for all; it complains about those that it has never heard of.
        # shellcheck disable=SC2086  # one argument a package
        installed=" $(dpkg-query -W -f '${db:Status-Status}:${Package} ' $wanted 2>/dev/null)"
    fi
    missing=
    for package in $wanted; do
        case $installed in *" installed:$package "*) continue ;; esac
        missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    absent=
    while read -r package _ probe _; do
        case " $missing " in *" $package "*) has_probe "$probe" || absent="$absent $package" ;; esac
    done <"$list"
    missing=$absent
}

find_missing
[ -n "$missing" ] || exit 0

if [ -n "$check" ]; then
    while read -r package _ _ purpose; do
        case " $missing " in *" $package "*) echo "missing: $package - $purpose" ;; esac
    done <"$list"
    exit 4
fi

if [ -z "$debian" ]; then
    fail 4 "no apt-get here; install what Debian calls:$missing (scripts/packages.txt says what for)"
fi

install="apt-get install -y --no-install-recommends"
as_root=
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null 2>&1 || ! sudo -n true >/dev/null 2>&1; then
        fail 4 "not root, and no sudo without a password; run as root: $install$missing"
    fi
    as_root="sudo -n"
fi

log=$build/setup.log
# Tried in a child first: a redirection that fails in exec would end this shell without a word.
if ! mkdir -p "$build" 2>/dev/null || ! (true >>"$build/setup.lock" && true >>"$log") 2>/dev/null; then
    fail 4 "cannot write to $build"
fi
exec 9>>"$build/setup.lock"
# Two at once, as parallel make may start them: the second waits, then finds nothing missing.
# Without flock the lock of dpkg still keeps them apart, at worst with a failure.
if command -v flock >/dev/null 2>&1; then
    flock -w 900 9 || fail 4 "another setup.sh has been at work for 15 minutes; gave up"
    find_missing
    [ -n "$missing" ] || exit 0
fi

apt() { # descriptor 9 stays ours: a service that a package starts must not keep the lock
    # shellcheck disable=SC2086  # as_root is empty or two words
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@" \
        </dev/null >>"$log" 2>&1 9>&-
}

echo "setup: installing$missing"
: >"$log"
apt update || echo "setup: apt-get update failed, trying the lists that are there; see $log" >&2
# shellcheck disable=SC2086  # one argument a package
apt install -y --no-install-recommends $missing || {
    code=$?
    why=$(sed -n 's/^E: //p' "$log" | tail -n 1)
    fail 4 "apt-get install failed ($code): ${why:-no reason given}; see $log"
}
find_missing
[ -z "$missing" ] || fail 4 "apt-get reported success, but these are still missing:$missing"
