#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_mpi.sh - one run shared among 1, 2 and 4 processes of mpirun, more than cores if need be, is the run of one
# thread in every figure; a process holds its part's memory alone; one that is killed or has no memory ends all with
# one line; what cannot be shared is refused.  Skipped where MPI is not installed.  Ends with `N passed, N failed`.
#
# usage: test_mpi.sh [TEXT]   checks with TEXT in their names
# Wants fatfly and fatfly-mpi (make mpi) in BUILD=build.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
kept_folder mpi

{ command -v mpicc && command -v mpirun; } >/dev/null ||
  skip MPI "mpicc or mpirun is not there; scripts/setup.sh mpi installs them"
needs "$build/fatfly" "$build/fatfly-mpi"
# A container's root is not somebody's account.
[ "$(id -u)" != 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

ranks() { # COUNT ARGUMENT...: without mpirun's own words
  local count=$1
  shift
  timeout 60 mpirun -q --oversubscribe -n "$count" "$build/fatfly-mpi" "$@"
}
# Each row less what a clock says.
untimed() {
  awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) clock[k] = $k ~ /^(cpu|wall)_s$/ }
           { for (k = 1; k <= NF; k++) if (!clock[k]) printf "%s,", $k; print "" }' "$1"
}
same() { # COUNT OPTION...: as one thread has it, worms of every link and histogram too
  local count=$1 file
  shift
  "$build/fatfly" run "$@" --format csv --links "$t/one.links" --histogram "$t/one.histogram" >"$t/one" 2>"$t/err" || return 1
  ranks "$count" run "$@" --format csv --links "$t/all.links" --histogram "$t/all.histogram" >"$t/all" 2>>"$t/err" ||
    { cat "$t/err"; return 1; }
  if [ "$(wc -l <"$t/one")" != 2 ] || [ ! -s "$t/one.links" ]; then
    echo "no result"
    return 1
  fi
  for file in links histogram; do
    cmp "$t/one.$file" "$t/all.$file" || return 1
  done
  diff <(untimed "$t/one") <(untimed "$t/all")
}
# Without --links no process has counters for the whole network.
lean() { # COUNT OPTION...
  local count=$1
  shift
  "$build/fatfly" run "$@" --format csv >"$t/one" 2>"$t/err" && ranks "$count" run "$@" --format csv >"$t/all" 2>>"$t/err" &&
    [ "$(wc -l <"$t/one")" = 2 ] && diff <(untimed "$t/one") <(untimed "$t/all")
}
refused() { # CODE TEXT COUNT ARGUMENT...: one line that has TEXT
  local code=$1 text=$2
  shift 2
  ranks "$@" >"$t/out" 2>"$t/err"
  local got=$?
  cat "$t/err"
  [ $got = "$code" ] && [ ! -s "$t/out" ] && [ "$(wc -l <"$t/err")" = 1 ] && grep -qE "$text" "$t/err"
}

# -- equal to one thread --------------------------------------------------------------------------

for n in 1 2 4; do
  check "$n: static, 2 runs" same $n --nodes 256 --runs 2 --seed 7
  check "$n: open loop" same $n --nodes 64 --length 6 --load 0.15 --cycles 2000 --warmup 500
  check "$n: fixed paths, FF, queues of 5" lean $n --nodes 256 --path fp --scan ff --depth 5 --length 9 --pattern complement --runs 1
done
check "4: reads a parent twice, FCFS" same 4 --nodes 1024 --path rw --scan fcfs --depth 1 --length 5 --runs 1
check "4: phased" same 4 --nodes 256 --discipline phased --length 4 --runs 1
check "4: cut short" same 4 --nodes 256 --max-cycles 90 --runs 1
check "4: worms of one flit, FO, ROT" lean 4 --nodes 256 --path gp --scan rot --length 1 --rounds 5 --runs 1
check "8: more than pairs" same 8 --nodes 1024 --length 8 --scan fo --path rg --runs 1
check "2: classes, hotspot" same 2 --nodes 64 --load 0.1 --classes 2 --class-length 3,9 --pattern hotspot --cycles 1500 --warmup 500
printf 't_ns,src,dst,bytes\n0,0,1,0\n1000000000000000,1,0,64\n' >"$t/gap.csv"
check "2: a trace with a gap of 10^15 cycles" lean 2 --nodes 16 --pattern trace --trace "$t/gap.csv" --runs 1
check "2: N = 16384" lean 2 --nodes 16384 --length 8 --runs 1

# -- memory ---------------------------------------------------------------------------------------

said() { # each process of four says less than half of what one needs
  ranks 4 run --nodes 65536 --length 1 --runs 1 --max-cycles 3 --output "$t/none" 2>&1 | tee "$t/said"
  grep -qE '^fatfly run: 4 processes, of [0-9.e-]+ GB each, about$' "$t/said"
}
check "memory is said before" said
# Less what the smallest run takes, a quarter of N = 262144 is less than 0.7 of a half.  A number begins a line of its own, since
# mpirun may write the end of a process's line after what another says.
peak() { # COUNT NODES: the largest of the processes, in KiB
  timeout 100 mpirun -q --oversubscribe -n "$1" python3 -B -c '
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(f"\n{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss}")' "$build/fatfly-mpi" run --nodes "$2" --length 1 --runs 1 \
    --max-cycles 3 --output "$t/none" | sort -n | tail -n 1
}
part_alone() {
  local none two four
  none=$(peak 2 64)
  two=$(peak 2 262144)
  four=$(peak 4 262144)
  echo "least $none KiB, one of two $two KiB, one of four $four KiB"
  [ -n "$none" ] && [ -n "$two" ] && [ "${four:-0}" -gt "$none" ] && [ $((10 * (four - none))) -lt $((7 * (two - none))) ]
}
check "a process holds its part alone" part_alone

# -- what is refused ------------------------------------------------------------------------------

check "3 processes" refused 2 '^fatfly run: 3 processes for a run with N = 256; allowed: 1, 2, 4 or 8$' 3 run --nodes 256
check "too many" refused 2 '^fatfly run: 8 processes for a run with N = 16; allowed: 1 or 2$' 8 run --nodes 16
check "too small" refused 2 '^fatfly run: 2 processes for a run with N = 4; allowed: 1$' 2 run --nodes 4
check "several channels" refused 2 '^fatfly run: 2 processes for a run that cannot be shared; allowed: 1, or worm' 2 run --vcs 2
check "another engine" refused 2 'cannot be shared; allowed: 1, or' 2 run --engine cycle
check "another topology" refused 2 'cannot be shared; allowed: 1, or' 2 run --topology torus
check "packets" refused 2 'cannot be shared; allowed: 1, or' 2 run --discipline store
check "waves" refused 2 '^fatfly run: --waves in a run of 2 processes; allowed: only in a run of one$' 2 run --waves "$t/x.vcd"
check "events" refused 2 '^fatfly run: --events in a run of 2' 2 run --events "$t/x.csv" --runs 1
check "threads" refused 2 '^fatfly run: --threads of more than 1 in a run of 2' 2 run --threads 2
check "parts" refused 2 '^fatfly run: --parts of more than 1 in a run of 2' 2 run --parts 2
check "another command" refused 2 '^fatfly-mpi: sweep: .* allowed: run' 1 sweep x
check "an unknown option" refused 2 "^fatfly run: .*--nodez" 2 run --nodez 16
check "a file that is not there" refused 3 "^fatfly run: $t/none.cfg: " 2 run --config "$t/none.cfg"
check "a file that cannot be written" refused 4 "$t/no/such" 2 run --output "$t/no/such"
other_settings() {
  timeout 60 mpirun -q --oversubscribe -n 1 "$build/fatfly-mpi" run --nodes 64 : -n 1 "$build/fatfly-mpi" run --nodes 64 --depth 3 \
    >"$t/out" 2>"$t/err"
  [ $? = 2 ] && [ ! -s "$t/out" ] && [ "$(wc -l <"$t/err")" = 1 ] &&
    grep -q '^fatfly run: process 1 has other settings, files or another version than process 0; allowed: ' "$t/err"
}
check "other settings" other_settings

# -- a process that ends, or has no memory --------------------------------------------------------

# killed RANK: that one is killed in the middle.  One line, and mpirun's code for the signal.
killed() {
  # shellcheck disable=SC2016 # the processes' own
  timeout 60 mpirun -q --oversubscribe -n 2 bash -c \
    'echo $$ >"$1.$OMPI_COMM_WORLD_RANK" && exec "${@:2}"' - "$t/pid" "$build/fatfly-mpi" run --nodes 65536 \
    --cycles 100000000 --load 0.01 --output "$t/killed" >"$t/out" 2>"$t/err" &
  local job=$! k
  rm -f "$t"/pid.*
  for ((k = 0; k < 200; k++)); do
    grep -q 'processes, of' "$t/err" 2>/dev/null && [ -s "$t/pid.$1" ] && break
    sleep 0.1
  done
  sleep 0.5
  kill -KILL "$(cat "$t/pid.$1")" || return 1
  wait $job
  local code=$?
  cat "$t/err"
  [ $code = 137 ] && [ ! -s "$t/out" ] && [ ! -e "$t/killed" ] &&
    [ "$(grep -cx 'fatfly run: a process of the run has gone, or was interrupted; nothing was written' "$t/err")" = 1 ] &&
    [ "$(wc -l <"$t/err")" = 2 ]
}
check "the second process is killed" killed 1
check "the first process is killed" killed 0

# short RANK: that one has less address space than it needs, but for what is said of it before.
short() {
  # shellcheck disable=SC2016
  timeout 60 mpirun -q --oversubscribe -n 2 bash -c \
    '[ "$OMPI_COMM_WORLD_RANK" != "$1" ] || ulimit -v "$2"; exec "${@:3}"' - "$1" "$2" "$build/fatfly-mpi" run \
    --nodes 65536 --length 1 --rounds 20 --runs 1 --output "$t/short" >"$t/out" 2>"$t/err"
  local code=$?
  cat "$t/err"
  [ $code = 4 ] && [ ! -e "$t/short" ] && [ ! -s "$t/out" ] && grep -qE "$3" "$t/err" && [ "$(wc -l <"$t/err")" -le 2 ]
}
check "a process is out of memory, known before" short 1 400000 '^fatfly run: process 1: .* GB.* of memory'

# alone RANK LINES: that one alone cannot go on, in the middle.  All end; the line says who.
alone() {
  ranks_broken "$1" run --nodes 1024 --length 8 --rounds 50 --runs 1 --output "$t/alone" >"$t/out" 2>"$t/err"
  local code=$?
  cat "$t/err"
  [ $code = 1 ] && [ ! -s "$t/out" ] && [ ! -e "$t/alone" ] && grep -qE "$2" "$t/err" && [ "$(wc -l <"$t/err")" -le 3 ]
}
ranks_broken() { # RANK ARGUMENT...
  timeout 60 mpirun -q --oversubscribe -n 4 -x BROKEN="$1:300" -x LD_PRELOAD="$t/broken.so" "$build/fatfly-mpi" "${@:2}"
}
check "an MPI that fails alone is built" mpicc -std=c11 -Wall -Werror -shared -fPIC tb/mpi/broken.c -o "$t/broken.so"
check "the first process fails alone" alone 0 '^fatfly run: .*the other processes of the run cannot be reached'
check "the third process fails alone" alone 2 '^fatfly run: process 2 has ended alone: the other processes of the run cannot be reached$'

ends
