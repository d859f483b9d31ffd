#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_tee.sh - several look on at one run: a log and a trace written together are those of two runs.
#
# usage: test_tee.sh [FILTER]   FATFLY=build/fatfly-san runs the sanitized command.
# Prints a line a check and `N passed, N failed`.  Nothing is written outside a temporary folder.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
the_command
scratch
runner=("$fatfly" run --runs 1)

# said FILE: keeps what the run said, without its times.
said() { { echo "$code" && sed 's/ in [0-9.]* s of CPU.*//' "$t/out" && cat "$t/err"; } >"$t/$1"; }

same() { # FILE...: two by two, and there is something in them
  while [ $# -gt 0 ]; do
    [ -s "$t/$1" ] && cmp "$t/$1" "$t/$2" || return 1
    shift 2
  done
}

# An open loop, all that a worm can do, a deadlock, what is cut, replies.
while read -r options; do
  # shellcheck disable=SC2086 # the words of the line
  {
    run $options --events "$t/log" && said by-log
    run $options --perfetto "$t/trace" && said by-trace
    run $options --events "$t/log-2" --perfetto "$t/trace-2" && said by-both
  }
  check "both as each alone: $options" same log log-2 trace trace-2 by-log by-both by-trace by-both
  cut -d, -f 1 "$t/log-2" | sort -u >>"$t/rows"
  rm -f "$t"/log* "$t"/trace*
done <<'END'
--nodes 16 --length 8
--nodes 64 --load 0.2 --warmup 100 --cycles 500
--nodes 16 --vcs 2 --max-cycles 30
--nodes 16 --discipline split
--nodes 16 --reply 4 --load 0.1 --warmup 0 --cycles 300
--topology butterfly --nodes 64 --discipline cmsv1
--topology torus --nodes 16 --discipline store --load 0.2 --warmup 0 --cycles 300
--topology torus --radix 4 --path minimal-adaptive --vcs 1 --length 32 --rounds 8 --force
END
check 'there were rows of each kind' test "$(grep -cxE 'ready|move|lost|arrived' <(sort -u "$t/rows"))" = 4

run --nodes 16 --length 4 --watch 3 --events "$t/log" --perfetto "$t/trace"
works 'a worm is watched beside them' 'worm 3: '
run --nodes 16 --length 4 --events "$t/log-2"
run --nodes 16 --length 4 --perfetto "$t/trace-2"
check '... and they are the same' same log log-2 trace trace-2
run --nodes 16 --length 4 --events "$t/log.gz" --perfetto "$t/trace"
check 'a compressed log beside a trace' cmp -s <(zcat "$t/log.gz") "$t/log-2"
check 'a compressed log: the trace' same trace trace-2

run --nodes 16 --events "$t/x" --perfetto "$t/x"
complains 'one name for both' 2 'are one file; allowed: two'
if [ -e /dev/full ]; then
  run --nodes 16 --events /dev/full --perfetto "$t/x"
  complains 'no room for the log' 4 '/dev/full: cannot write'
  check 'no room for the log: no trace is left' absent "$t"/x{,.part}
  run --nodes 16 --events "$t/y" --perfetto /dev/full
  complains 'no room for the trace' 4 '/dev/full: cannot write'
  check 'no room for the trace: no half of a log is left' absent "$t/y.part"
fi
"$fatfly" run --nodes 1024 --load 0.02 --cycles 100000000 --events "$t/z.gz" --perfetto "$t/z" >"$t/out" 2>"$t/err" &
at_work $!
kill -TERM $!
wait $!
code=$?
complains 'interrupted' 4 'interrupted'
check 'interrupted: neither is left' absent "$t"/z{,.gz}{,.part}

ends
