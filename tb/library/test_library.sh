#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_library.sh - libfatfly as its users meet it: installed, compiled against, linked both ways;
# and what it promises: no other names, no printing, no exit, no globals, threads.
#
# usage: test_library.sh   BUILD=build, CC=gcc, CXX=g++
# Prints a line a check and `N passed, N failed`.  Writes in a temporary folder and in BUILD.
# shellcheck disable=SC2016 # the $ of awk
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
cc=${CC:-gcc}
cxx=${CXX:-g++}
warn=(-Wall -Wextra -Wconversion -Wshadow -Wpedantic -Werror)
scratch

# nothing COMMAND...: prints nothing.
nothing() {
  local out
  out=$("$@") || return
  [ -z "$out" ] || { echo "$out" && return 1; }
}

to_install() { make BUILD="${BUILD:-build}" install "$@"; }

# -- installed ---------------------------------------------------------------------------------

# The viewer's page is there where it can be built.
page=
scripts/view/page.py --can && page=$'\n'share/fatfly/view.html
prefix=$t/usr
check "make install" to_install PREFIX="$prefix"
[ -e "$prefix/lib/libfatfly.so" ] || { echo "$passed passed, $((failed + 1)) failed"; exit 1; }
version=$(sed -n 's/.*define FATFLY_VERSION "\(.*\)"/\1/p' cmodel/fatfly.h)
files="bin/fatfly
include/fatfly.h
include/fatfly_plugin.h
lib/libfatfly.a
lib/libfatfly.so
lib/libfatfly.so.0
lib/libfatfly.so.$version
lib/libfatfly_switch.a
lib/pkgconfig/fatfly-systemc.pc
lib/pkgconfig/fatfly.pc
share/bash-completion/completions/fatfly
share/doc/fatfly/example.c
share/doc/fatfly/systemc_example.cpp
share/doc/fatfly/tlm_example.cpp
share/fatfly/fpga.csv
share/fatfly/systemc/dut.h
share/fatfly/systemc/fatfly_systemc.cpp
share/fatfly/systemc/fatfly_systemc.h
share/fatfly/systemc/fatfly_tlm.cpp
share/fatfly/systemc/fatfly_tlm.h
share/fatfly/systemc/flit.h
share/fatfly/systemc/params.h$page
share/man/man1/fatfly.1"
tree() { (cd "$1" && find . -not -type d | sed 's|^\./||' | LC_ALL=C sort); }
check "the files that are installed" diff <(echo "$files") <(tree "$prefix")
check "the shared library's links" test "$(readlink -f "$prefix/lib/libfatfly.so")" = \
  "$(readlink -f "$prefix/lib/libfatfly.so.$version")"
check "the shared library's name" grep -q 'SONAME.*\[libfatfly\.so\.0\]' \
  <(LC_ALL=C readelf -d "$prefix/lib/libfatfly.so")
check "the command runs" "$prefix/bin/fatfly" --help
check "install again" to_install PREFIX="$prefix"
check "install into DESTDIR" to_install DESTDIR="$t/stage" PREFIX=/opt/fatfly
check "the files in DESTDIR" diff <(echo "$files") <(tree "$t/stage/opt/fatfly")
check "DESTDIR is in no file" nothing sed -n "\|$t|p" "$t/stage/opt/fatfly/lib/pkgconfig/fatfly.pc"
echo >"$t/file"
check "a prefix that cannot be" not to_install PREFIX="$t/file/x"
check "a relative prefix" not to_install PREFIX=usr/local
to_install PREFIX=usr/local >"$t/out" 2>&1
check "a relative prefix, why" grep -q "PREFIX='usr/local' is no absolute path; allowed: " "$t/out"

# -- compiled against ---------------------------------------------------------------------------

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
flags() { pkg-config "$@" fatfly; }
check "pkg-config knows the version" test "$(flags --modversion)" = "$version"
# shellcheck disable=SC2046 # flags are words
example() { # OUT LIBRARY...
  $cc -std=c11 "${warn[@]}" $(flags --cflags) docs/example.c "${@:2}" -o "$1"
}
# shellcheck disable=SC2046
check "the example, shared" example "$t/shared" $(flags --libs)
check "the example, static" example "$t/static" "$prefix/lib/libfatfly.a" -lm
# shellcheck disable=SC2046
check "the example, all static" example "$t/alone" -static $(flags --libs --static)
check "the example has 30 lines" test "$(wc -l <docs/example.c)" -le 30
check "the shared one needs the installed library" grep -q "libfatfly.so.0 => $prefix/lib" \
  <(LD_LIBRARY_PATH=$prefix/lib ldd "$t/shared")
into() { "${@:2}" >"$1"; } # FILE COMMAND...
check "the example runs, shared" into "$t/out.shared" env LD_LIBRARY_PATH="$prefix/lib" "$t/shared"
check "the example runs, static" into "$t/out.static" "$t/static"
check "the example runs, all static" into "$t/out.alone" "$t/alone"
check "all print the same" diff "$t/out.shared" "$t/out.static"
check "all static, too" diff "$t/out.shared" "$t/out.alone"
# A subtree of 4^l processors sends all its 4^l worms over 2^l links: with l = 3, 8 a link.
check "what it prints" grep -qE '^congestion (8|9|1[0-9]), dilation 8, load factor 8$' \
  "$t/out.shared"
shown() { sed -n '/^    worm, /,/^    digest /s/^    //p' docs/library.md; }
check "docs/library.md shows what it prints" diff <(shown) "$t/out.shared"
# result_size: what docs/library.md says of struct fatfly_result, in kB.
result_size() {
  printf '#include <fatfly.h>\n#include <stdio.h>\nint main(void) { return printf("%%zu", sizeof(struct fatfly_result)) < 0; }\n' >"$t/size.c"
  "$cc" -I"$prefix/include" "$t/size.c" -o "$t/size" &&
    grep -q "struct fatfly_result. | $((($("$t/size") + 500) / 1000)) kB" docs/library.md
}
check "docs/library.md says how large a result is" result_size
check "the digest" grep -qE '^digest [0-9a-f]{16}$' "$t/out.shared"
printf '#include <fatfly.h>\n#include <fatfly_plugin.h>\n' >"$t/header.c"
cp "$t/header.c" "$t/header.cpp"
for std in c99 c11 c17; do
  check "the header alone, $std" "$cc" -std=$std "${warn[@]}" -fsyntax-only -I"$prefix/include" \
    "$t/header.c"
done
check "the header alone, C++" "$cxx" -std=c++11 "${warn[@]}" -fsyntax-only -I"$prefix/include" \
  "$t/header.cpp"
printf '#include <fatfly.h>\nint main() { fatfly_config c; fatfly_defaults(&c); return !c.nodes; }\n' \
  >"$t/use.cpp"
# shellcheck disable=SC2046
check "a C++ program" "$cxx" -std=c++11 "${warn[@]}" "$t/use.cpp" $(flags --cflags --libs) -o "$t/use"

# -- SystemC and the viewer, away from the source tree ---------------------------------------------

# shellcheck disable=SC2046
systemc_example() { # NAME COUNT TEXT: the installed example, as its user compiles it
  (cd "$t" && "$cxx" -std=c++17 "$prefix/share/doc/fatfly/$1.cpp" $(pkg-config --variable=sources fatfly-systemc) \
    $(pkg-config --cflags --libs fatfly-systemc) -o "$1" && LD_LIBRARY_PATH=$prefix/lib "./$1" >"$1.out" 2>&1) || return 1
  [ "$(grep -c "$3" "$t/$1.out")" = "$2" ] || { cat "$t/$1.out"; return 1; }
}
if echo '#include <systemc>' | "$cxx" -E -x c++ - >/dev/null 2>&1; then
  check "SystemC, the switch" systemc_example systemc_example 8 '^cycle .* processor 2 has flit'
  check "SystemC, the network with TLM-2.0 sockets" systemc_example tlm_example 6 'TLM_OK_RESPONSE'
else
  echo "SKIP SystemC against what is installed: its headers are not there; scripts/setup.sh systemc installs them"
fi
check "the C half for SystemC shows the seam alone" nothing awk 'NF == 3 && $2 ~ /[A-Z]/ && $3 !~ /^(dut|fatfly)_/' \
  <(nm --defined-only "$prefix/lib/libfatfly_switch.a")
if [ -n "$page" ]; then
  check "fatfly view, installed, away from the sources" env -C "$t" "$prefix/bin/fatfly" view --nodes 16 --load 0.1
  check "the page is a viewer with this configuration" grep -q '"nodes":16,' "$t/fatfly.html"
  check "the build folder that is named comes first" not env -C "$t" "$prefix/bin/fatfly" view --build none
else
  echo "SKIP the installed viewer: no compiler for WebAssembly; scripts/setup.sh wasm installs it"
fi

# -- names ---------------------------------------------------------------------------------------

check "the shared library shows fatfly_ names alone" nothing awk '$NF !~ /^fatfly_/' \
  <(nm -D --defined-only "$prefix/lib/libfatfly.so")
check "so does the static one" nothing awk 'NF == 3 && $2 ~ /[A-Z]/ && $3 !~ /^fatfly_/' \
  <(nm --defined-only "$prefix/lib/libfatfly.a")
# Every function and table of the header is there.
sed -n 's/^\(extern \)\{0,1\}[a-z].*[ *]\(fatfly_[a-z_]*\)[[(].*/\2/p' cmodel/fatfly.h |
  LC_ALL=C sort >"$t/declared"
nm -D --defined-only "$prefix/lib/libfatfly.so" | awk '{ print $NF }' | LC_ALL=C sort >"$t/shown"
check "all that the header declares is there" diff "$t/declared" "$t/shown"

# A list of what is allowed: whatever prints, exits, opens, reads the clock or the environment is not
# on it.  Results must not hang on libm, so what lies in cmodel/theory alone may use it: models, intervals.
libc='aligned_alloc|calloc|free|malloc|realloc|memcpy|memmove|memset|memcmp|snprintf|qsort|strlen|strcmp|strncmp|strchr|strspn|strcspn|strstr|strtoul|vsnprintf|madvise'
libm='exp|log|pow|sqrt|fabs|floor|ceil|expm1|log1p|log2|exp2|isfinite|atan|acos|cbrt|sin|cos|sincos'
threads='pthread_create|pthread_join|sched_yield' # of libc, too; parallel_threads.c
compiler='__cpu_model|__popcountdi2|__clzdi2|__ctzdi2|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail|_ITM_.*|__gmon_start__|__cxa_finalize'
check "the library calls what it may" nothing awk '$1 == "U"' \
  <(nm -u "$prefix/lib/libfatfly.a" | grep -vE " ($libc|$threads|$libm|$compiler|__(memcpy|memset|memmove|snprintf)_chk)\$")
objects() { find "$build/lib/obj" -name '*.o' -path "${1:-*}" | LC_ALL=C sort; }
check "there are objects to look at" test "$(objects | wc -l)" -ge 15
# shellcheck disable=SC2046
results() { nm -u $(objects '*/cmodel/*/*' | grep -v /theory/) | awk '{ print $NF }' | sort -u; }
check "results do not hang on libm" nothing awk "/^($libm)\$/" <(results)

# Data that can be written; .data.rel.ro holds pointers that the linker fills in once.
# shellcheck disable=SC2046
writable() {
  size -A $(objects) | awk '$2 > 0 && $1 ~ /^(\.data|\.bss|\.tdata|\.tbss|COMMON)/ &&
                            $1 !~ /^\.data\.rel\.ro/ { print $1, $2 }'
}
check "the library has no variables" nothing writable

# -- threads --------------------------------------------------------------------------------------

cat >"$t/threads.c" <<'END'
/* Runs of all disciplines, alone and then all at once: the same results. */
#include <fatfly.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { RUNS = 20 };
static struct run { struct fatfly_config c; struct fatfly_result r; int status; } run[2][RUNS];

static void *work(void *context)
{
    struct run *x = context;
    char why[100];
    x->status = fatfly_run(&x->c, NULL, &x->r, why, sizeof why);
    return NULL;
}

int main(void)
{
    pthread_t thread[RUNS];
    int bad = 0;
    for (int k = 0; k < 2 * RUNS; k++) {
        struct fatfly_config *c = &run[k / RUNS][k % RUNS].c;
        fatfly_defaults(c);
        c->discipline = (enum fatfly_discipline)(k % RUNS % (FATFLY_CMSV_PROTOCOL + 1));
        if (c->discipline >= FATFLY_CMSV1) {
            c->path = FATFLY_FP;
            c->length = 1;
        }
        c->phases = 2;
        c->rounds = 4;
        c->seed = (uint64_t)(k % RUNS) / (FATFLY_CMSV_PROTOCOL + 1);
        if (k % RUNS == FATFLY_WORM) { /* and one by itself in four threads */
            c->nodes = FATFLY_SMALLEST_SHARED;
            c->parts = k < RUNS ? 1 : 4;
            c->rounds = 1;
            c->length = 8;
        }
    }
    for (int k = 0; k < RUNS; k++)
        work(&run[0][k]);
    for (int k = 0; k < RUNS; k++)
        if (pthread_create(&thread[k], NULL, work, &run[1][k]))
            return 1;
    for (int k = 0; k < RUNS; k++) {
        pthread_join(thread[k], NULL);
        if (run[0][k].status || run[1][k].status ||
            memcmp(&run[0][k].r, &run[1][k].r, sizeof run[0][k].r) != 0)
            bad += printf("run %d differs\n", k) > 0;
    }
    return bad != 0;
}
END
# The library's sources, for programs that build it their own way.
model=(-Icmodel -Icmodel/{switch,network,topology,traffic,theory,measure,engine,api}
  cmodel/{switch,network,topology,traffic,theory,measure,engine,api}/*.c)
# shellcheck disable=SC2046
check "a program with threads" "$cc" -std=c11 -O2 "${warn[@]}" "$t/threads.c" \
  $(flags --cflags) "$prefix/lib/libfatfly.a" -lm -lpthread -o "$t/threads"
check "20 runs at once" "$t/threads"
# shellcheck disable=SC2046
check "the same, watched by ThreadSanitizer" "$cc" -std=c11 -D_POSIX_C_SOURCE=200809L -O1 -g -w \
  -fsanitize=thread -ffp-contract=off "${model[@]}" "$t/threads.c" \
  -lm -lpthread -o "$t/tsan"
check "no races" "$t/tsan"

# -- memory that is not there --------------------------------------------------------------------

# The objects of the unit tests: the library with these sanitizers.
check "a program that starves the library" "$cc" -std=c11 -D_POSIX_C_SOURCE=200809L -O1 -g -w -Icmodel \
  -fsanitize=address,undefined -fno-sanitize-recover=all \
  -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc tb/library/starve.c "$build/san/model.a" -lm -o "$t/starve"
check "every allocation fails in turn" "$t/starve"

# -- manual page and completion -----------------------------------------------------------------

page=$prefix/share/man/man1/fatfly.1
check "man.py: both files say what the program says" python3 -B scripts/docs/man.py --check \
  "$build/fatfly"
if command -v groff >/dev/null; then
  groff -man -Tutf8 -ww "$page" >"$t/page" 2>"$t/warned"
  check "the manual page has no mistakes" nothing cat "$t/warned"
fi
# Every option of every command is in the page.
for command in run saturation sweep merge export plot model estimate import view events cosim; do
  run "$prefix/bin/fatfly" "$command" --help
  printed | grep -oE '^  --[a-z-]+' | tr -d ' ' >"$t/options"
  missing() {
    [ -s "$t/options" ] || echo 'no option in its --help'
    while read -r option; do
      grep -qF -- "\\fB${option//-/\\-}\\fR" "$page" || echo "$option"
    done <"$t/options"
  }
  check "options of fatfly $command in the manual page" nothing missing
done
# completes WANT WORD...: the last word is completed.
completes() {
  local want=$1
  shift
  # shellcheck disable=SC2016 # for the other shell
  diff <(echo "$want") <(PATH=$prefix/bin:$PATH bash --norc -c '. "$0"
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) && _fatfly 2>/dev/null; echo "${COMPREPLY[*]}"' \
    "$prefix/share/bash-completion/completions/fatfly" "$@")
}
check "complete a command" completes "run" fatfly r
check "complete all commands" completes "run saturation sweep merge export plot model estimate import view events cosim --help --version" fatfly ''
check "complete an option" completes "--discipline" fatfly run --disc
check "complete options" completes "--length --lengths --length-min --length-mean --length-mix" fatfly run --leng
check "complete a name" completes "rp rg rw" fatfly run --nodes 64 --path r
check "complete a name after =" completes "rp rg rw" fatfly run --path = r
check "complete all names" completes "rr fo ff rot fcfs" fatfly run --scan ''
check "complete names after =" completes "rr fo ff rot fcfs" fatfly run --scan =
check "complete numbers" completes "16 16384" fatfly run --nodes 16
check "no completion of a free value" completes "" fatfly run --seed ''
check "complete a file" completes "$t/file" fatfly run --config "$t/fil"
check "complete a sweep file" completes "$t/file" fatfly sweep "$t/fil"
mkdir "$t/my sweeps" && : >"$t/my sweeps/a b.cfg"
check "complete a name with a blank" completes "$t/my sweeps" fatfly sweep "$t/my"
replies() { # COUNT WORD...: so many completions of the last word
  # shellcheck disable=SC2016 # for the other shell
  [ "$(bash --norc -c '. "$0"; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) && _fatfly 2>/dev/null; echo "${#COMPREPLY[@]}"' \
    "$prefix/share/bash-completion/completions/fatfly" "${@:2}")" = "$1" ]
}
check "... which is one file" replies 1 fatfly sweep "$t/my sweeps/a"
check "... which is one folder" replies 1 fatfly run --build "$t/my"
check "complete a case" completes "fat16-complement fat16-complement-ref" fatfly cosim --case fat16-com
check "complete an option of sweep" completes "--dry-run" fatfly sweep x.cfg --dr
check "no such command" completes "" fatfly ruin --no

ends
