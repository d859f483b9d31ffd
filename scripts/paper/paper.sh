#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# paper.sh - repeats the published experiments from scratch and writes docs/results.md (make paper).
#
# Usage: paper.sh [--quick | --gg | --redraw]
#   --quick   N up to 256 and the exact cells, 24 s of CPU time (two cores of AMD EPYC); writes build/paper/quick.md alone (make paper FAST=1)
#   --gg      the sweeps of GG alone, 5 minutes; of docs/results.md that chapter alone is written anew
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
chapter=
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
  --gg) chapter=--gg ;;
  *) set -- usage more ;;
esac
if [ $# -gt 1 ]; then
  echo "usage: paper.sh [--quick | --gg | --redraw]" >&2
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
  if [ -n "$chapter" ]; then
    set -- "$sweeps"/*gg.cfg
  else
    set -- "$sweeps"/*.cfg
  fi
  count=0
  for file; do
    count=$((count + 1))
    echo "paper.sh: sweep $count of $#: $(basename "$file" .cfg)" >&2
    "$build/fatfly" sweep "$file" --db "$folder/$(basename "$file" .cfg).sqlite" >/dev/null
  done
fi
[ -n "$quick" ] || BUILD=$build python3 -B scripts/paper/readings_gg.py "$folder"    # results.md quotes its page
BUILD=$build python3 -B scripts/paper/paper.py $quick $chapter "$folder" "$page"
[ -n "$quick" ] || python3 -B scripts/paper/statements.py page
touch "$folder/written"
echo "wrote $page"
