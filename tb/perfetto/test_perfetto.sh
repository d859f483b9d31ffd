#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_perfetto.sh - traces of fatfly run --perfetto say what the run says; damaged ones are seen.
# Ends with `N passed, N failed`.  BUILD=build
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
kept_folder perfetto
the_command

agrees() { tb/perfetto/trace_check.py "$fatfly" "$@" && { ! command -v protoc >/dev/null || grep -q 'protoc agrees' "$t/check"; }; }
# refuses CODE TEXT OPTION...: one line, no file.
refuses() {
  local code=$1 text=$2
  shift 2
  [[ " $* " == *" --perfetto"* ]] || set -- --nodes 16 --perfetto "$t/x" "$@"
  "$fatfly" run "$@" >"$t/out" 2>"$t/err"
  [ $? = "$code" ] && [ "$(wc -l <"$t/err")" = 1 ] && grep -qF -- "$text" "$t/err" && [ ! -e "$t/x" ] && [ ! -e "$t/x.part" ]
}

command -v protoc >/dev/null || echo "SKIP the second opinion of protoc: scripts/setup.sh perfetto installs it"

while read -r line; do
  read -ra options <<<"$line"
  check "trace of $line" agrees "${options[@]}"
done <<'END'
--nodes 16 --length 8
--nodes 64 --vcs 2 --length 5 --path fp
--nodes 16 --vcs 4 --length 1 --rounds 3
--nodes 64 --discipline phased
--nodes 64 --discipline store
--nodes 16 --discipline split
--nodes 64 --discipline univ
--nodes 16 --load 0.3 --cycles 2000 --warmup 200
--nodes 16 --max-cycles 30
--topology torus --nodes 64 --dimensions 3 --vcs 4 --load 0.2 --warmup 100 --cycles 500
--topology torus --nodes 16 --path minimal-adaptive --vcs 1 --depth 1 --force --rounds 5
--topology mesh --nodes 16 --bandwidth on-demand --vcs 2
--topology butterfly --nodes 64
--topology wrapped-butterfly --nodes 16 --discipline store
--topology hypercube --nodes 16 --path e-cube --length 1
--topology butterfly --nodes 64 --discipline cmsv1
--topology butterfly --nodes 64 --discipline cmsv2 --link-bandwidth 2
--topology torus --nodes 64 --discipline cmsv-store
--topology mesh --nodes 16 --discipline cmsv-protocol
--topology butterfly --nodes 16 --discipline cmsv-butterfly
END

printf '%s\n' t_ns,src,dst,bytes 0,100000,100001,64 0,262143,9,40 1000,12,262143,40 >"$t/far.csv"
check "names of processors and switches in a network of 4^9" agrees --nodes 262144 --pattern trace --trace "$t/far.csv"
check "planted: a bit, a piece, the end, a packet of a trace" tb/perfetto/trace_check.py "$fatfly" --damage 100 --nodes 16 --length 8
alike "the digest is that of a run without" \
  "$("$fatfly" run --nodes 64 --runs 2 --perfetto "$t/two" | grep ^digest)" "$("$fatfly" run --nodes 64 --runs 2 | grep ^digest)"
check "... and the trace is of the first run" cmp "$t/two" <("$fatfly" run --nodes 64 --runs 1 --perfetto /dev/stdout --output "$t/table")

check "with --engine fast" refuses 2 "with --engine fast; allowed: only with --engine auto or cycle" --engine fast
check "with --engine rtl" refuses 2 "with --engine rtl; allowed: only with --engine auto or cycle" --engine rtl
check "over another output" refuses 2 'are one file; allowed: two' --output "$t/x"
printf 'nodes = 16;\n' >"$t/own.cfg"
check "over its input" refuses 2 'are one file; allowed: two' --config "$t/own.cfg" --perfetto "$t/own.cfg"
check "... which is as it was" grep -qx 'nodes = 16;' "$t/own.cfg"
check "in a folder that is not there" refuses 4 'none/x: cannot write' --nodes 16 --perfetto "$t/none/x"
check "a full disk" refuses 4 '/dev/full: cannot write' --nodes 16 --perfetto /dev/full
check "a name without a file" refuses 2 'perfetto' --perfetto
check "fatfly view" bash -c "$fatfly view --nodes 16 --perfetto $t/x 2>&1 | grep -qF -- '--perfetto is no option of fatfly view; allowed: in fatfly run'"
check "the picture of docs/perfetto.md" scripts/docs/trace_picture.py --check "$fatfly"

ends
