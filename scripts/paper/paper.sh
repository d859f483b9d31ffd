#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# paper.sh - repeats the published experiments from scratch and writes docs/results.md (make paper).
#
# Usage: paper.sh [--quick | --redraw]
#   --quick   N up to 256 and the exact cells, under a minute; writes build/paper/quick.md alone
#   --redraw  runs nothing: judges and draws what is in build/paper
# The sweeps are sim/paper/*.cfg, their results build/paper/*.sqlite.  Interrupted, the same command
# goes on where it was; once all is written, or with another build/fatfly, it begins from scratch.
# It takes 40 minutes of CPU time and 1 GB (two networks of 4^10 processors).
# Exit codes: 0 written, 2 usage, 4 a tool is missing or it was interrupted.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
sweeps=sim/paper
folder=$build/paper
page=docs/results.md
quick=
redraw=
case ${1-} in
  "") ;;
  --quick)
    quick=--quick
    sweeps=sim/paper/quick
    folder=$build/paper/quick
    page=$build/paper/quick.md
    ;;
  --redraw) redraw=yes ;;
  *) set -- usage more ;;
esac
if [ $# -gt 1 ]; then
  echo "usage: paper.sh [--quick | --redraw]" >&2
  exit 2
fi
for tool in python3 gnuplot "$build/fatfly"; do
  if ! command -v "$tool" >/dev/null; then
    echo "paper.sh: $tool is missing; run make setup and make $build/fatfly" >&2
    exit 4
  fi
done

mkdir -p "$folder"
made_by=$(sha256sum <"$build/fatfly")
if [ -z "$redraw" ]; then
  if [ "$(cat "$folder/made-by" 2>/dev/null)" != "$made_by" ] || [ -e "$folder/written" ]; then
    rm -f "$folder"/*.sqlite "$folder"/*.sqlite-* "$folder/written"
    printf '%s\n' "$made_by" >"$folder/made-by"
  fi
  for file in "$sweeps"/*.cfg; do
    "$build/fatfly" sweep "$file" --db "$folder/$(basename "$file" .cfg).sqlite" >/dev/null
  done
fi
BUILD=$build python3 -B scripts/paper/paper.py $quick "$folder" "$page"
[ -n "$quick" ] || BUILD=$build python3 -B scripts/paper/readings_gg.py "$folder"
[ -n "$quick" ] || python3 -B scripts/paper/statements.py page
touch "$folder/written"
echo "wrote $page"
