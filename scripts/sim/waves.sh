#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# waves.sh - waves of a case in GTKWave; without a display, as a PNG.
#
# Usage: waves.sh [CASE [SIDE [TO]]]   default: exact-n16-l8 c 66 (cycles)
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
case_=${1:-exact-n16-l8} side=${2:-c} to=${3:-66}
out=$build/waves/$case_
mkdir -p "$build/waves"
"$build/fatfly" cosim --build "$build" --case "$case_" --side "$side" --waves "$out.fst" --to "$to" \
  --max-cycles $((to + 1)) >"$out.log" || { cat "$out.log" >&2; exit 1; }
echo "waves: $out.fst, save file: $out.gtkw"
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  command -v gtkwave >/dev/null 2>&1 || { echo "waves.sh: no gtkwave; scripts/setup.sh installs it" >&2; exit 4; }
  exec gtkwave "$out.gtkw"
fi
echo "no display: drawing $out.png"
exec scripts/sim/waves_png.sh "$out.fst" "$out.gtkw" "$out.png"
