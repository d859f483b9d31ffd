#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# paper.sh - repeats the published experiments from scratch and writes docs/results.md (make paper).
#
# Usage: paper.sh [--quick | --gg | --redraw] [--task K/T | --merge]
#   --quick   N up to 256 and the exact cells, 24 s of CPU time (two cores of AMD EPYC); writes build/paper/quick.md alone (make paper FAST=1)
#   --gg      the sweeps of GG alone, 5 minutes; of docs/results.md that chapter alone is written anew
#   --redraw  runs nothing: judges and draws what is in build/paper
#   --task    runs the share K of T of each sweep and ends (docs/cluster.md)
#   --merge   joins the shares that are in build/paper, lists what is missing, and ends; then comes --redraw
# The sweeps are sim/paper/*.cfg, their results build/paper/*.sqlite.  Interrupted, the same command
# goes on where it was; once all is written, or with another build/fatfly, it begins from scratch.
# --gg keeps its own marks of this, made-by-gg and written-gg; another build's results of GG are never taken.
# It takes 40 minutes of CPU time and 1 GB (two networks of 4^10 processors).
# Exit codes: 0 written, 1 shares differ, 2 usage, 3 a damaged share, 4 a tool or a share is missing or it was interrupted.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
sweeps=sim/paper
folder=$build/paper
page=docs/results.md
quick=
chapter=
redraw=
task=
merge=
last=("${@: -1}")
[ $# = 0 ] || case ${last[0]} in
  --merge) merge=yes && set -- "${@:1:$#-1}" ;;
  *) if [ $# -ge 2 ] && [ "${*: -2:1}" = --task ]; then
    task=${last[0]}
    python3 -B scripts/lib/tasks.py "$task" || exit 2
    set -- "${@:1:$#-2}"
  fi ;;
esac
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
if [ $# -gt 1 ] || { [ -n "$redraw" ] && [ -n "$task$merge" ]; }; then
  echo "usage: paper.sh [--quick | --gg | --redraw] [--task K/T | --merge]" >&2
  exit 2
fi
for tool in python3 gnuplot "$build/fatfly"; do
  if ! command -v "$tool" >/dev/null; then
    echo "paper.sh: $tool is missing; run make setup and make $build/fatfly" >&2
    exit 4
  fi
done

mkdir -p "$folder"
# Each sweep's file of one name; after --task, each its share.
sweep_files() {
  if [ -n "$chapter" ]; then echo "$sweeps"/*gg.cfg; else echo "$sweeps"/*.cfg; fi
}
if [ -n "$merge" ]; then
  worst=0
  for file in $(sweep_files); do
    name=$(basename "$file" .cfg)
    shares=("$folder/$name".*-of-*.sqlite)
    if [ ! -e "${shares[0]}" ]; then
      echo "paper.sh: $name: no share in $folder"
      [ $worst != 0 ] || worst=4
      continue
    fi
    code=0
    "$build/fatfly" merge "$folder/$name.sqlite" "${shares[@]}" || code=$?
    [ $code = 0 ] || [ $worst = 1 ] || worst=$code
  done
  exit $worst
fi
made_by=$(sha256sum <"$build/fatfly")
mark=${chapter:+-gg}
no_gg() { rm -f "$folder"/*gg.sqlite "$folder"/*gg.sqlite-* "$folder/made-by-gg" "$folder/written-gg"; }
if [ -z "$redraw" ]; then
  if [ "$(cat "$folder/made-by$mark" 2>/dev/null)" != "$made_by" ] || [ -e "$folder/written$mark" ]; then
    no_gg
    [ -n "$chapter" ] || rm -f "$folder"/*.sqlite "$folder"/*.sqlite-* "$folder/written" # --gg: the others stay, for --redraw
    printf '%s\n' "$made_by" >"$folder/made-by$mark"
  elif [ -z "$chapter" ] && [ -e "$folder/made-by-gg" ] && [ "$(cat "$folder/made-by-gg")" != "$made_by" ]; then
    no_gg
  fi
  # shellcheck disable=SC2046 # names without spaces
  set -- $(sweep_files)
  count=0
  for file; do
    count=$((count + 1))
    echo "paper.sh: sweep $count of $#: $(basename "$file" .cfg)" >&2
    "$build/fatfly" sweep "$file" --db "$folder/$(basename "$file" .cfg).sqlite" ${task:+--task "$task"} >/dev/null
  done
fi
if [ -n "$task" ]; then
  echo "share $task is in $folder"
  exit 0
fi
[ -n "$quick" ] || BUILD=$build python3 -B scripts/paper/readings_gg.py ${redraw:+--redraw} "$folder"    # results.md quotes its page
BUILD=$build python3 -B scripts/paper/paper.py $quick $chapter "$folder" "$page"
[ -n "$quick" ] || python3 -B scripts/paper/statements.py page
touch "$folder/written$mark"
echo "wrote $page"
