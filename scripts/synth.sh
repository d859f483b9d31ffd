#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# synth.sh - one switch on iCE40: cells by Yosys, clock by nextpnr in a harness, over several seeds.
#
# Usage: synth.sh [NAME=VALUE]... [option]...
#   NAME=VALUE     a parameter of rtl/switch.v: VCS DEPTH FLIT_W PATH SCAN LEVEL LEVELS, as numbers
#   --seeds N      placements, seeds 1 to N (default 8; 0: cells only)
#   --yosys OPTS   options of synth_ice40 (default none: abc, which makes fewer cells than -abc9)
#   --rtl DIR      sources (default rtl)
#   --name NAME    files go to build/synth/NAME (default: from the parameters)
# Prints the cells of the switch alone, the cells of harness and switch together, and the median and
# the range of the clock, register to register, on an HX8K.  Exit codes: 0 done, 1 the harness lost
# or won a cell, 2 usage, 4 a tool is missing or failed.
set -u
here=$(cd "$(dirname "$0")/.." && pwd) || exit 4
build=${BUILD:-$here/build}
rtl=$here/rtl
seeds=8
opts=
name=
declare -A param=([VCS]=1 [DEPTH]=2 [FLIT_W]=32 [PATH]=1 [SCAN]=0 [LEVEL]=1 [LEVELS]=3)

fail() { # CODE TEXT
  echo "synth.sh: $2" >&2
  exit "$1"
}

while [ $# -gt 0 ]; do
  case $1 in
    *=*)
      [ -n "${param[${1%%=*}]+set}" ] || fail 2 "no parameter ${1%%=*}; allowed: ${!param[*]}"
      [[ ${1#*=} =~ ^[0-9]+$ ]] || fail 2 "$1: not a number"
      param[${1%%=*}]=${1#*=}
      shift
      ;;
    --seeds | --yosys | --rtl | --name)
      [ $# -gt 1 ] || fail 2 "$1 wants a value"
      case $1 in
        --seeds) [[ $2 =~ ^[0-9]+$ ]] || fail 2 "--seeds $2: not a number"; seeds=$2 ;;
        --yosys) opts=$2 ;;
        --rtl) rtl=$(cd "$2" 2>/dev/null && pwd) || fail 2 "--rtl $2: no such directory" ;;
        --name) name=$2 ;;
      esac
      shift 2
      ;;
    *) fail 2 "unknown argument $1" ;;
  esac
done

p() { echo "${param[$1]}"; }
: "${name:=s$(p LEVEL)of$(p LEVELS)-v$(p VCS)-q$(p DEPTH)-w$(p FLIT_W)-p$(p PATH)-s$(p SCAN)}"
dir=$build/synth/$name
mkdir -p "$dir" || fail 4 "cannot make $dir"
rm -f "$dir"/*.report "$dir"/top.json

command -v "${YOSYS:-yosys}" >/dev/null || fail 4 "no yosys; scripts/setup.sh fpga installs it"
[ "$seeds" = 0 ] || command -v "${NEXTPNR:-nextpnr-ice40}" >/dev/null ||
  fail 4 "no nextpnr-ice40; scripts/setup.sh fpga installs it"

chparam=
for k in "${!param[@]}"; do chparam+=" -chparam $k ${param[$k]}"; done

# The switch and the harness are mapped apart: the harness sees a black box.
cat >"$dir/synth.ys" <<END
read_verilog -I$rtl $rtl/*.v
hierarchy -check -top switch $chparam
synth_ice40 $opts -top switch
setattr -mod -unset keep_hierarchy *
flatten
tee -q -o $dir/switch.stat stat
write_rtlil $dir/switch.il
blackbox switch
write_rtlil $dir/box.il
design -reset
read_rtlil $dir/box.il
read_verilog $here/tb/synth/switch_harness.v
hierarchy -check -top switch_harness -chparam VCS $(p VCS) -chparam FLIT_W $(p FLIT_W)
synth_ice40 -top switch_harness
tee -q -o $dir/harness.stat stat switch_harness
delete =switch
read_rtlil $dir/switch.il
hierarchy -check -top switch_harness
flatten
tee -q -o $dir/top.stat stat
write_json $dir/top.json
END
"${YOSYS:-yosys}" -q -l "$dir/yosys.log" "$dir/synth.ys" >"$dir/yosys.err" 2>&1 ||
  fail 4 "yosys: $(grep -m 1 ERROR "$dir/yosys.err")"

cells() { # FILE PATTERN
  awk -v want="$2" '$1 ~ "^(" want ")$" { n += $2 } END { print n + 0 }' "$1"
}
for kind in SB_LUT4 'SB_DFF.*' SB_CARRY 'SB_RAM.*'; do
  [ "$(cells "$dir/top.stat" "$kind")" = $(($(cells "$dir/switch.stat" "$kind") +
    $(cells "$dir/harness.stat" "$kind"))) ] || fail 1 "cells $kind changed in the harness"
done
printf '%s: %d LUT4, %d FF, %d carry, %d RAM; with the harness %d LUT4, %d FF\n' "$name" \
  "$(cells "$dir/switch.stat" SB_LUT4)" "$(cells "$dir/switch.stat" 'SB_DFF.*')" \
  "$(cells "$dir/switch.stat" SB_CARRY)" "$(cells "$dir/switch.stat" 'SB_RAM.*')" \
  "$(cells "$dir/top.stat" SB_LUT4)" "$(cells "$dir/top.stat" 'SB_DFF.*')"
[ "$seeds" = 0 ] && exit 0

for ((seed = 1; seed <= seeds; seed++)); do
  # shellcheck disable=SC2086 # PNR_OPTS are words
  "${NEXTPNR:-nextpnr-ice40}" --hx8k --package ct256 --json "$dir/top.json" --seed "$seed" --freq 150 \
    --timing-allow-fail --pcf-allow-unconstrained --quiet --report "$dir/$seed.report" \
    ${PNR_OPTS:-} >"$dir/$seed.log" 2>&1 || fail 4 "nextpnr, seed $seed: $(grep -m 1 ERROR "$dir/$seed.log")"
done
python3 -B - "$dir" "$seeds" <<'END'
import json, statistics, sys
clocks = []
for seed in range(1, int(sys.argv[2]) + 1):
    with open(f"{sys.argv[1]}/{seed}.report") as f:
        clocks += [c["achieved"] for c in json.load(f)["fmax"].values()]
print(f"Fmax MHz, {len(clocks)} seeds: median {statistics.median(clocks):.1f}, "
      f"{min(clocks):.1f} to {max(clocks):.1f}")
END
