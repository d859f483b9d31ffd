#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# test_setup.sh - scripts/setup.sh against a made-up machine: its dpkg-query, apt-get, sudo and id
# are scripts in a temporary PATH, so nothing is ever installed.
# shellcheck disable=SC2016  # the fakes expand their own variables
set -u

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd) || exit 1
setup=$root/scripts/setup.sh
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM
passed=0
failed=0

check() { # what, command that must succeed
    what=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $case_name: $what" >&2
        sed 's/^/    out: /' "$m/out" >&2
        sed 's/^/    err: /' "$m/err" >&2
        sed 's/^/    apt: /' "$m/calls" >&2
    fi
}

all=$(awk '!/^#/ && NF { print $1 }' "$root/scripts/packages.txt")
core=$(awk '!/^#/ && $2 == "core" { print $1 }' "$root/scripts/packages.txt")

# A machine: a PATH of its own with fakes; what is installed is a file name in $m/installed.
machine() { # name
    case_name=$1
    m=$tmp/$1
    mkdir -p "$m/bin" "$m/installed"
    : >"$m/calls"
    for tool in sh dirname cat mkdir sed tail flock env sleep; do
        ln -s "$(command -v "$tool")" "$m/bin/$tool"
    done
    for package in $all; do : >"$m/installed/$package"; done
    fake id 'echo "${FAKE_UID:-0}"'
    fake cc 'exit 1'
    fake dpkg-query '
        shift 3
        echo "dpkg-query" >>"$M/calls"
        code=0
        for p; do
            if [ -e "$M/installed/$p" ]; then printf "installed:%s " "$p"; else code=1; fi
        done
        exit $code'
    fake apt-get '
        echo "$DEBIAN_FRONTEND $*" >>"$M/calls"
        verb= packages=
        for a; do
            case $a in
            update | install) verb=$a ;;
            -* | DPkg::*) ;;
            *) packages="$packages $a" ;;
            esac
        done
        if [ -e "$M/fail-$verb" ]; then echo "E: Unable to locate package gizmo"; exit 100; fi
        [ ! -e "$M/slow" ] || sleep 0.3
        [ ! -e "$M/lies" ] || exit 0
        for p in $packages; do : >"$M/installed/$p"; done'
}

fake() { # command, its script
    printf '#!/bin/sh\n%s\n' "$2" >"$m/bin/$1"
    chmod +x "$m/bin/$1"
}

lose() {
    for package; do rm "$m/installed/$package"; done
}

run() { # arguments of setup.sh; FAKE_UID from the caller
    M=$m PATH=$m/bin BUILD=$m/build CC=cc "$m/bin/sh" "$setup" "$@" >"$m/out" 2>"$m/err"
    code=$?
}

lines() { wc -l <"$1" | tr -d ' '; }
says() { grep -q -e "$2" "$m/$1"; }
calls() { grep -c -e " $1\( \|\$\)" "$m/calls"; }

machine nothing_missing
run
check "exit 0" [ "$code" = 0 ]
check "no output" [ ! -s "$m/out" ] && check "no error" [ ! -s "$m/err" ]
check "one call, of dpkg-query" [ "$(cat "$m/calls")" = dpkg-query ]
check "no build folder" [ ! -e "$m/build" ]

machine missing_as_root
lose verilator gtkwave
run
check "exit 0" [ "$code" = 0 ]
check "names them" says out '^setup: installing verilator gtkwave$'
check "no error" [ ! -s "$m/err" ]
check "updates once" [ "$(calls update)" = 1 ]
check "installs once" [ "$(calls install)" = 1 ]
check "just these, asking nothing" says calls \
    '^noninteractive .*install -y --no-install-recommends verilator gtkwave$'
check "verilator is there" [ -e "$m/installed/verilator" ]
: >"$m/calls"
run
check "then does nothing" [ "$code$(cat "$m/calls")" = 0dpkg-query ]

machine groups
lose verilator nextpnr-ice40
run core
check "exit 0" [ "$code" = 0 ]
check "core only" says out '^setup: installing verilator$'
check "nextpnr-ice40 still missing" [ ! -e "$m/installed/nextpnr-ice40" ]
run extra core
check "nothing left in extra and core" [ "$code" = 0 ] && check "quiet" [ ! -s "$m/out" ]
run fpga
check "fpga" [ -e "$m/installed/nextpnr-ice40" ]
lose chromium
run
check "large groups by name alone" [ "$code" = 0 ] && check "nothing is done" [ ! -e "$m/installed/chromium" ]
run view
check "view" [ -e "$m/installed/chromium" ]

machine on_demand
lose python3-cffi
run
check "not unless it is named" [ "$code" = 0 ] && check "quiet" [ ! -s "$m/out" ]
run python
check "when it is named" says out '^setup: installing python3-cffi$'

machine own_python
lose python3-cffi python3-numpy
fake python3 'case $2 in *numpy*) exit 1 ;; esac'
run python
check "a Python that lacks a module does not count" says out '^setup: installing python3-cffi python3-numpy$'
lose python3-cffi python3-numpy
fake python3 'exit 0'
run python
check "one that has them all does" [ "$code" = 0 ] && check "quiet" [ ! -s "$m/out" ]

machine own_build
lose verilator zlib1g-dev
fake verilator 'exit 0'
fake cc 'grep -q "^#include <zlib.h>$"'
ln -s "$(command -v grep)" "$m/bin/grep"
run
check "exit 0" [ "$code" = 0 ]
check "a tool and a header of one's own count" [ "$(cat "$m/calls")" = dpkg-query ]

machine no_venv
lose python3-venv
fake python3 'exit 0'
run fpga
check "a Python without venv does not count for python3-venv" says out '^setup: installing python3-venv$'

machine user_with_sudo
lose yosys
fake sudo 'echo "sudo $*" >>"$M/calls"; [ "$1" = -n ] || exit 1; shift; FAKE_UID=0 exec "$@"'
fake true 'exit 0'
FAKE_UID=1000
export FAKE_UID
run
check "exit 0" [ "$code" = 0 ]
check "sudo never asks" says calls '^sudo -n env DEBIAN_FRONTEND=noninteractive apt-get'
check "yosys is there" [ -e "$m/installed/yosys" ]

machine sudo_wants_a_password
lose yosys
fake sudo 'exit 1'
run
check "exit 4" [ "$code" = 4 ]
check "says which command" says err 'run as root: apt-get install -y --no-install-recommends yosys$'
check "one line" [ "$(lines "$m/err")" = 1 ]
check "apt is not called" [ "$(cat "$m/calls")" = dpkg-query ]

machine no_sudo
lose yosys iverilog
run
check "exit 4" [ "$code" = 4 ]
check "says which command" says err \
    'run as root: apt-get install -y --no-install-recommends iverilog yosys$'
unset FAKE_UID

machine not_debian
rm "$m/bin/apt-get" "$m/bin/dpkg-query"
for tool in gcc g++ make python3 verilator gtkwave; do fake "$tool" 'exit 0'; done
run core
check "exit 4" [ "$code" = 4 ]
check "one line" [ "$(lines "$m/err")" = 1 ]
check "names what is missing" says err \
    'iverilog yosys libcmocka-dev libconfig-dev zlib1g-dev libgsl-dev libsqlite3-dev pkg-config gnuplot-nox patch git (scripts/packages.txt'
check "not what is there" [ "$(grep -c -e verilator -e gtkwave "$m/err")" = 0 ]

machine not_debian_all_there
rm "$m/bin/apt-get" "$m/bin/dpkg-query"
for tool in gcc g++ make python3 verilator iverilog yosys pkg-config gnuplot patch git; do fake "$tool" 'exit 0'; done
fake cc 'exit 0'
run core
check "exit 0" [ "$code" = 0 ] && check "quiet" [ ! -s "$m/err" ]

machine install_fails
lose verilator
: >"$m/fail-install"
run
check "exit 4" [ "$code" = 4 ]
check "one line with the reason" [ "$(cat "$m/err")" = \
    "setup: apt-get install failed (100): Unable to locate package gizmo; see $m/build/setup.log" ]

machine update_fails
lose verilator
: >"$m/fail-update"
run
check "installs all the same" [ "$code" = 0 ] && check "says so" says err 'apt-get update failed'

machine apt_lies
lose verilator
: >"$m/lies"
run
check "exit 4" [ "$code" = 4 ]
check "names it" says err 'still missing: verilator$'

machine check_only
lose verilator fpga-icestorm
run --check
check "exit 4" [ "$code" = 4 ]
check "two lines" [ "$(lines "$m/out")" = 2 ]
check "says what for" says out '^missing: verilator - lint'
check "apt is not called" [ "$(cat "$m/calls")" = dpkg-query ]
run --check extra
check "nothing missing in extra" [ "$code" = 0 ]

machine bad_option
run --chek
check "exit 2" [ "$code" = 2 ]
check "says what is allowed" says err "unknown argument '--chek'; allowed: --check, core"

machine build_is_a_file
lose verilator
: >"$m/build"
run
check "exit 4" [ "$code" = 4 ]
check "one line" [ "$(cat "$m/err")" = "setup: cannot write to $m/build" ]

machine two_at_once
lose verilator
: >"$m/slow"
M=$m PATH=$m/bin BUILD=$m/build "$m/bin/sh" "$setup" core >"$m/out2" 2>&1 &
run core
wait $!
check "both succeed" [ "$code$?" = 00 ]
check "one installs" [ "$(calls install)" = 1 ]

machine whole_list
# shellcheck disable=SC2086  # one argument a package
lose $all
run --check core
listed() { sed 's/missing: \([^ ]*\) .*/\1/' "$m/out"; }
check "core is what --check core lists" [ "$(listed)" = "$core" ]
# Without a group all that the help names there, and each group alone is what the list has of it; a path may be here.
listed_of() { # GROUP...
    while read -r package group probe _; do
        case $package in '' | '#'*) continue ;; esac
        case $probe in /*) [ ! -e "$probe" ] || continue ;; esac
        case " $* " in *" $group "*) echo "$package" ;; esac
    done <"$root/scripts/packages.txt"
}
run --help
named=$(tr '\n' ' ' <"$m/out" | sed 's/.*GROUP  *\(.*\) (scripts.packages.txt).*/\1/; s/,//g; s/ or / /')
run --check
# shellcheck disable=SC2086  # one argument a group
check "without a group: $named" [ "$(listed)" = "$(listed_of $named)" ]
groups=$(awk '!/^#/ && NF && !seen[$2]++ { print $2 }' "$root/scripts/packages.txt")
for group in $groups; do
    run --check "$group"
    check "group $group" [ "$(listed)" = "$(listed_of "$group")" ]
done

# A folder with a blank in its name: what Verilator cannot build there is refused at once, in one line.
case_name=blank
mkdir -p "$tmp/a blank/cmodel" "$tmp/a blank/tb/systemc" "$tmp/a blank/tb/coverage"
touch "$tmp/a blank/cmodel/fatfly.h" "$tmp/a blank/tb/systemc/systemc.mk" "$tmp/a blank/tb/coverage/coverage.mk"
for goal in cosim test check; do
    make -s -C "$tmp/a blank" -f "$root/Makefile" $goal >"$m/out" 2>"$m/err"
    check "make $goal is refused" [ "$?" = 2 ]
    check "make $goal: in one line" [ "$(grep -c "a blank' has a blank in its name, .*; allowed here: lib, wheel, run, unit, view.  Stop.$" "$m/err")$(wc -l <"$m/err")" = 11 ]
done
for goal in lib wheel run unit view build/unit/test_fifo build/lib/libfatfly.a; do # and what these make in their turn
    make -s -C "$tmp/a blank" -f "$root/Makefile" -n "$goal" >"$m/out" 2>"$m/err"
    check "make $goal is not" [ -z "$(grep 'has a blank' "$m/out" "$m/err")" ]
done

# awk, printf and messages of tools follow the locale, which may have a comma for the point.
case_name="a locale"
mkdir -p "$tmp/locale"
cd "$root" || exit 1
# shellcheck disable=SC2016
printf 'include %s/Makefile\nsay:\n\t@echo "$$LC_ALL,$$LANGUAGE"\n' "$root" >"$tmp/locale/Makefile"
check "make has its own" [ "$(LC_ALL=de_DE.UTF-8 LANGUAGE=de make -s -f "$tmp/locale/Makefile" say 2>&1)" = C.UTF-8, ]
# shellcheck disable=SC2016
printf '. tb/lib/checks.sh\necho "$LC_ALL,$LANGUAGE"\n' >"$tmp/locale/test.sh"
check "so have tests" [ "$(LC_ALL=de_DE.UTF-8 LANGUAGE=de bash "$tmp/locale/test.sh" 2>/dev/null)" = C.UTF-8, ]

# What else the caller's environment says to tools: services for tests set CI, and pytest prints something else then.
case_name="surroundings"
printf '. tb/lib/checks.sh\nenv >"$1"; shopt -qo posix || echo plain\n' >"$tmp/locale/test.sh"
check "bash is not bound to POSIX" [ "$(POSIXLY_CORRECT=1 bash "$tmp/locale/test.sh" "$tmp/locale/env" 2>/dev/null)" = plain ]
for variable in CI BUILD_NUMBER PYTEST_ADDOPTS PYTEST_PLUGINS PYTHONOPTIMIZE PYTHONWARNINGS COLUMNS LINES FORCE_COLOR PY_COLORS CLICOLOR_FORCE \
    GREP_OPTIONS TZ CDPATH BASH_ENV ENV MAKEFILES GNUTERM POSIXLY_CORRECT; do
    env "$variable=/" bash "$tmp/locale/test.sh" "$tmp/locale/env" >/dev/null 2>&1
    check "$variable does not reach tests, the rest does" [ "$(grep -E "^($variable|PATH)=" "$tmp/locale/env")" = "PATH=$PATH" ]
done

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
