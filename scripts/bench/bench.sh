#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench.sh - speed, as ratios within one run: the machine is shared, so absolute figures drift.
#
# Prints a table in Markdown.  Each figure is the best of ROUNDS (default 3), the rounds of all
# lines taken in turn; processor time of the run, traffic and checks included on every line.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
rounds=${ROUNDS:-3}
switch=s1of3-v1-q2-w32-rp-rr
net=n64-v1-q2-w32-rp-rr

mkdir -p "$build/bench"
make -s BUILD="$build" "$build/rtl/$switch.so" "$build/rtl/$net.so" "$build/verilated.o" "$build/verilated_threads.o" >&2
# The Verilog alone, as a user of it would build it: without the debug bundle.
if [ ! -f "$build/bench/$net.so" ] || [ -n "$(find rtl scripts/sim/verilate.sh sim/dut_rtl.cpp -type f -newer "$build/bench/$net.so")" ]; then
  RTL_OPT=-O2 VERILATED="$build/verilated.o $build/verilated_threads.o" scripts/sim/verilate.sh $net "$build/bench/$net.so" rtl 0
fi

printf 'nodes = 64;\nload = 0.3;\ncycles = 400000;\n' >"$build/bench/saturated.cfg"

rate() { # OPTION... -> cycles per second
  "$build/fatfly" cosim --build "$build" "$@" | awk '$6 ~ /^[0-9a-f]+$/ && NF == 7 { print $7 }'
}
# shellcheck source=scripts/bench/lib.sh
. scripts/bench/lib.sh
for ((k = 0; k < rounds; k++)); do
  keep switch "$(rate --case switch-$switch)"
  keep lock "$(rate --case fat64-open-load --max-cycles 100000)"
  keep c "$(rate --case fat64-open-load --side c --outputs-only --max-cycles 400000)"
  keep csat "$(rate --config "$build/bench/saturated.cfg" --side c --outputs-only --max-cycles 400000)"
  keep rtlsat "$(rate --config "$build/bench/saturated.cfg" --side rtl --outputs-only --rtl "$build/bench/$net.so" --max-cycles 100000)"
  keep rtl "$(rate --case fat64-open-load --side rtl --outputs-only --rtl "$build/bench/$net.so" --max-cycles 100000)"
done
echo "| what, one core | cycles/s | ratio |"
echo "| --- | --- | --- |"
echo "| one switch in lock-step, everything compared | ${best[switch]} | |"
echo "| N = 64 in lock-step, everything compared | ${best[lock]} | $(awk "BEGIN { printf \"%.2f\", ${best[lock]} / ${best[rtl]} }") of the Verilog alone |"
echo "| N = 64, Verilated Verilog alone | ${best[rtl]} | 1 |"
echo "| N = 64, C model alone | ${best[c]} | $(awk "BEGIN { printf \"%.1f\", ${best[c]} / ${best[rtl]} }") times the Verilog alone |"
echo "| N = 64 saturated, Verilated Verilog alone | ${best[rtlsat]} | 1 |"
echo "| N = 64 saturated, C model alone | ${best[csat]} | $(awk "BEGIN { printf \"%.1f\", ${best[csat]} / ${best[rtlsat]} }") times the Verilog alone |"
echo
echo "Uniform open-loop traffic, worms of 32 flits, 0.1 flits a cycle and processor offered (saturated: 0.3); best of $rounds."
system=$(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release 2>/dev/null)
echo "$(nproc) cores, ${system:-unknown system}, $("${VERILATOR:-verilator}" --version), g++ $(g++ -dumpfullversion)."
