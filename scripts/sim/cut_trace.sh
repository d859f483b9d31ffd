#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cut_trace.sh - cuts a run of messages out of a recorded trace; the same cut gives the same bytes.
# usage: scripts/sim/cut_trace.sh IN FIRST COUNT OUT
#   IN, OUT  traces (.csv.gz); FIRST  number of the first message, from 1; COUNT  how many
set -eu

usage() {
    echo "usage: $0 IN FIRST COUNT OUT (got: $1)" >&2
    exit 2
}

[ $# -eq 4 ] || usage "$# arguments"
in=$1 first=$2 count=$3 out=$4
for number in "$first" "$count"; do
    case $number in
    '' | 0* | *[!0-9]*) usage "'$number'; FIRST and COUNT are whole numbers from 1" ;;
    esac
done

part=$out.part
tmp=$(mktemp -d)
trap 'rm -rf "$tmp" "$part"' EXIT
trap 'exit 3' HUP INT TERM

# Each step by itself: a pipe would hide a damaged input behind the exit status of its last part.
gzip -dc "$in" > "$tmp/all" || exit 3
awk -v first="$first" -v count="$count" \
    'NR == 1 || (NR > first && NR <= first + count)' "$tmp/all" > "$tmp/cut"
rows=$(($(wc -l < "$tmp/cut") - 1))
if [ "$rows" -ne "$count" ]; then
    echo "$in: $rows messages from number $first on; allowed: a COUNT that the trace has" >&2
    exit 3
fi
gzip -n -9 < "$tmp/cut" > "$part"
mv "$part" "$out"
