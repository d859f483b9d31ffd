#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# verilate.sh - builds the Verilated library of one shape: SHAPE OUT.so [RTL_DIR [PROBE]]
#
# A shape is n64-v1-q2-w32-rp-rr (a network), s2of3-v2-q4-w24-gp-ff (one switch), either with -ref at its
# end for the reference switch (rtl/switch_ref.v) where rtl/switch.v would choose a fast one, any with -bare at
# its end for PROBE = 0, as it is synthesized,
# torus4-v2-q2-w32-ecube-rot or mesh4-v4-q2-w32-nhop-rr (a cube), or torus4n9-.. (its router 9).  RTL_DIR is
# where the Verilog lies (a planted bug lives in a copy), PROBE=0 leaves the debug bundle out.
# With COVERAGE=1 the library counts lines, for $FATFLY_COVERAGE, and traces into $FATFLY_VCD.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
shape=$1 out=$2 rtl=${3:-$here/rtl} probe=${4:-1}

die() { echo "verilate.sh: $1" >&2; exit "$2"; }
command -v "${VERILATOR:-verilator}" >/dev/null 2>&1 ||
  die "no Verilator on this machine; scripts/setup.sh installs it (Debian package verilator)" 4

# What n is set to: the place of a name in a list.  Programs are not called where the shell will do: most shapes are small.
number() { n=0; for name in $1; do [ "$name" = "$2" ] && return; n=$((n + 1)); done
  # shellcheck disable=SC2086,SC2116 # a list in one line
  die "shape $shape: $2 is none of: $(echo $1)" 2; }
# The names that flit.vh numbers, after the heading that they stand under, /path or /scan, and before another /.
names=$(sed -n 's/^.define FATFLY_\([A-Z]*\) .*/\1/; t name
  s|^// \([A-Z]*\):.*|/\1|; t name
  s|^$|/|p
  b
  : name
  y/ABCDEFGHIJKLMNOPQRSTUVWXYZ/abcdefghijklmnopqrstuvwxyz/; p' "$here/rtl/flit.vh")
log4() { l=1; n=4; while [ $n -lt "$1" ]; do n=$((n * 4)); l=$((l + 1)); done; }

IFS=- read -r place v q w path scan impl <<END
$shape
END
case $impl in bare | *-bare) probe=0 impl=${impl%bare} impl=${impl%-} ;; esac
[ -n "$scan" ] || die "shape $shape; allowed: n64-v1-q2-w32-rp-rr or s1of3-v1-q2-w32-rp-rr" 2
wrong() { die "shape $shape; allowed: $1" 2; }
number_to() { # TEXT MOST: a number from 1 on, plainly written
  case $1 in '' | 0* | *[!0-9]* | ????????*) return 1 ;; esac
  [ "$1" -le "$2" ]
}
case $place$v in
  torus*v[1-9] | mesh*v[1-9]) ;;
  torus* | mesh*) wrong "v1 to v9" ;;
  *v1 | *v2 | *v4) ;;
  *) wrong "v1, v2 or v4" ;;
esac
if [ "$q" = "${q#q}" ] || ! number_to "${q#q}" 16; then wrong "q1 to q16"; fi
if [ "$w" = "${w#w}" ] || ! number_to "${w#w}" 64 || [ "${w#w}" -lt 16 ]; then
  wrong "w16 to w64"
fi
params="-GVCS=${v#v} -GDEPTH=${q#q} -GFLIT_W=${w#w} -GPROBE=$probe"
case $place in
  torus* | mesh*) number 'ecube nhop' "$path" && params="$params -GNHOP=$n" ;;
  *) list=${names#*/path} && number "${list%%/*}" "$path" && params="$params -GPATH=$n" ;;
esac
case $place.$impl in
  torus*. | mesh*. | [ns]*.) ;;
  [ns]*.ref) params="$params -GIMPL=1" ;;
  *) wrong "nothing behind the scan, or -bare, or for a fat-tree -ref" ;;
esac
list=${names#*/scan} && number "${list%%/*}" "$scan" && params="$params -GSCAN=$n"
folder=$rtl block='switch'
case $place in
  torus* | mesh*) folder=$rtl/cube block='cube' torus=0 network=1 top=cube_network
    k=${place#mesh} node=
    [ "$place" = "${place#torus}" ] || k=${place#torus} torus=1
    case $k in *n*) node=${k#*n} k=${k%n*} network=0 top=cube_one ;; esac
    if ! number_to "$k" 16 || [ "$k" = 1 ]; then wrong "a radix of 2 to 16"; fi
    if [ "$node" ] && [ "$node" != 0 ] && ! number_to "$node" $((k * k - 1)); then
      wrong "router 0 to $((k * k - 1))"
    fi
    params="$params -GTORUS=$torus -GK=$k ${node:+-GNODE=$node}" ;;
  n*) network=1 top=network
    case ${place#n} in
      4 | 16 | 64 | 256 | 1024) ;;
      *) wrong "n4, n16, n64, n256 or n1024" ;;
    esac
    log4 "${place#n}" && params="$params -GLEVELS=$l" ;;
  s*of*) network=0 top=switch
    levels=${place#*of} level=${place%of*}
    if ! number_to "$levels" 10 || ! number_to "${level#s}" "$levels"; then
      wrong "s<level>of<levels>, levels 1 to 10, level 1 to levels"
    fi
    params="$params -GLEVELS=$levels -GLEVEL=${level#s}" ;;
  *) wrong "n64-v1-q2-w32-rp-rr or s1of3-v1-q2-w32-rp-rr" ;;
esac

# MUTANTS: RTL_DIR holds a netlist of scripts/mutate/mutate.py, which has no parameters and no blocks, but an
# input more.
mutants=
[ -n "${MUTANTS:-}" ] && mutants=-DDUT_MUTANTS params=-Wno-fatal folder=$rtl

# Large networks: the switches of a level are compiled once and called (hierarchical verilation).
# It runs at a sixth of the speed of the flat N = 64, but Verilator takes more than linear time for flat ones.
# Such a block hides that its room comes from registers alone, hence the loop that is none.  All routers
# of a cube are alike, so that even one of 16 compiles in less time than flat; dfg would join their
# probes in a chain of ever wider vectors, for which a stack is too small with 256 of them.
hier=
case $network$place in
  1n*) [ $((${place#n} * ${v#v})) -le 128 ] || hier='--hierarchical -Wno-UNOPTFLAT' ;;
  1*) hier='--hierarchical -Wno-UNOPTFLAT -fno-dfg' ;;
esac

# A block that is compiled once leaves no trace, so what is traced is flat.
[ -n "$mutants" ] && hier=''
cover=
if [ "${COVERAGE:-0}" = 1 ]; then
  hier=''
  cover='--coverage-line --trace --trace-max-width 4096 --trace-max-array 4096'
fi

# Verilator takes and gives back small pieces of memory all the time: 7 to 28 % less time with another allocator on four
# shapes; used where it is installed.
for quick in /usr/lib/*/libtcmalloc_minimal.so.4; do [ -e "$quick" ] || quick=; done

# In a flat network each switch is a function of its own, one for all of a level: a tenth of the code, which
# then fits the cache of instructions.  They are alike only if their links are wires of their own, which Verilator
# would replace by those of the network, did it not have to show them.
# The probe is one wide vector: without the limit raised it is copied word by word, quadratically.
# Functions are split because g++ takes more than linear time for long ones.
dir=${out%.so}.dir
prefix=V$place IFS=-
for name in ${shape#"$place-"}; do prefix=${prefix}_$name; done
unset IFS
[ ! -e "$dir" ] || rm -rf "$dir"
mkdir -p "$dir"
# What counts lines and toggles is the Verilog as it is; else inputs are held from edge to edge, and gates are
# tables (rtl/fast/gate.v).
source=$folder/$top.v
if [ -z "$mutants$cover" ]; then
  top=${top}_held params="$params -DFATFLY_GATE_TABLE"
  awk -f "$here/scripts/sim/held.awk" "$source" >"$dir/$top.v"
  source=$dir/$top.v
fi
blocks=
if [ "$network" = 1 ] && [ -z "$hier" ]; then
  blocks=$dir/blocks.vlt
  printf '`verilator_config\nno_inline -module "%s"\n' "$block" >"$blocks"
  [ -n "$mutants$cover" ] || for port in in_valid_i in_flit_i out_room_i seed_i probe_o; do
    printf 'public_flat_rd -module "%s" -var "%s"\n' "$block" "$port"
  done >>"$blocks"
fi
root=${VERILATED_ROOT:-$("${VERILATOR:-verilator}" --getenv VERILATOR_ROOT)}
# What `verilator` calls, without that Perl script, which takes a fifth of the time of one switch; blocks need the script.
program=${VERILATOR:-verilator} bare=
[ -n "$hier" ] || ! command -v "${program}_bin" >/dev/null 2>&1 || bare=1 program=${program}_bin
# shellcheck disable=SC2086,SC3045 # params, cover and hier are lists of words, blocks may be none; Debian's sh has ulimit -s
(ulimit -s unlimited 2>/dev/null || :
[ -z "$bare" ] || export VERILATOR_ROOT="$root"
[ -z "$quick" ] || export LD_PRELOAD="$quick${LD_PRELOAD:+:$LD_PRELOAD}"
exec "$program" -O3 --expand-limit 8000 --output-split-cfuncs 500 --x-assign fast --x-initial fast --no-timing \
  --cc $hier $cover --prefix "$prefix" -Mdir "$dir" $params -I"$rtl" -I"$rtl/fast" -I"$folder" --top-module $top \
  $blocks "$source") >"$dir/verilator.log" 2>&1 || { cat "$dir/verilator.log" >&2; exit 1; }

headers=
if [ -n "$hier" ]; then
  make -C "$dir" -f "${prefix}_hier.mk" hier_verilation >"$dir/make.log" 2>&1 ||
    { tail -n 20 "$dir/make.log" >&2; exit 1; }
  for f in "$dir/V${block}_"*/; do headers="$headers -I$f"; done
fi
# Wires that depend on inputs and registers are computed once a cycle; with a Verilator that writes another C++, twice.
falling=
[ -n "$hier$mutants$cover" ] ||
  falling=$(sed -n 's/.*VactTriggered\.at(\([01]\)U) = ((~ (IData)(vlSelf->clk_i)) *$/\1/p' "$dir/$prefix"*.cpp)
case $falling in [01]) ;; *) falling= ;; esac
# Small files one by one cost more in headers than in code, so all are one translation unit: of a block V<block>*/,
# where there are blocks, what Verilator makes of it and what calls it.
{
  echo '#include "dut_rtl.h"'
  [ -z "$hier" ] || awk -v falling= -f "$here/scripts/sim/once.awk" "$dir/V${block}_"*/*.cpp
  if [ -n "$mutants$cover" ]; then cat "$dir/$prefix"*.cpp
  else awk -v falling="$falling" -f "$here/scripts/sim/once.awk" "$dir/$prefix"*.cpp; fi
  echo "#include \"dut_rtl.cpp\""
} >"$dir/all.cpp"
# -Og takes the least time in all, but for the networks that run in most cases and the switch of make bench: faster with -O2.
opt=${RTL_OPT:-}
[ -n "$opt" ] || case $rtl:$shape in
  "$here/rtl:n16-v1-q2-w32-rp-rr" | "$here/rtl:n64-v1-q2-w32-rp-rr" | "$here/rtl:s1of3-v1-q2-w32-rp-rr") opt=-O2 ;;
esac
# VERILATED: the runtime, compiled once by the Makefile; else it is compiled here.  VERILATED_ROOT: where its
# headers lie.  Beside the runtime may lie dut_rtl.h.gch, made with -Og: g++ crashes if it takes that with -O2.
[ -z "${VERILATED:-}" ] || [ -n "$opt" ] || compiled=${VERILATED%% *} compiled=${compiled%/*}
# Of two linkers the one that takes a third of the time.
gold=
command -v ld.gold >/dev/null 2>&1 && gold=-fuse-ld=gold
# shellcheck disable=SC2086 # options and objects are lists of words
${CXX:-g++} -std=c++14 ${opt:--Og} -fPIC -shared -fvisibility=hidden $gold \
  -DDUT_SHAPE="$shape" -DVTOP="$prefix" -DVHEADER="\"$prefix.h\"" -DDUT_NETWORK=$network $mutants ${cover:+-DVM_COVERAGE=1 -DVM_TRACE=1} \
  -I"$dir" $headers ${compiled:+-I"$compiled"} -I"$here/sim" -I"$here/cmodel/switch" -isystem "$root/include" \
  -isystem "$root/include/vltstd" "$dir/all.cpp" \
  ${VERILATED:-$root/include/verilated.cpp $root/include/verilated_threads.cpp
  ${cover:+$root/include/verilated_cov.cpp $root/include/verilated_vcd_c.cpp}} \
  -o "$out.part" -lpthread
rm -rf "$dir"
mv "$out.part" "$out"
