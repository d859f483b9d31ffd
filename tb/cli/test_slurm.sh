#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_slurm.sh - the scripts of `fatfly sweep --slurm`: run by a stand-in for sbatch that reads what Slurm would
# read, and by Slurm itself on this machine where it is installed (scripts/setup.sh slurm; by root).
#
# usage: test_slurm.sh [FILTER]   FATFLY=build/fatfly-san runs the sanitized command.  Prints a line a check and
# `N passed, N failed`.  Nothing is written outside a temporary folder; only programs started here are ended.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
the_command
scratch
started=()
stop() {
  local p
  for p in ${started[@]+"${started[@]}"}; do kill -9 "$p" && wait "$p"; done 2>/dev/null
  rm -rf "$t"
}
trap stop EXIT
cd "$t" || exit 4
mkdir local bin
export TMPDIR=$t/local
RANDOM=${SEED:-1}
sweep() { run "$fatfly" sweep "$@"; }
table() { "$fatfly" export "$1" 2>/dev/null; }
same_table() { table "$1" >"$t/table" && [ -s "$t/table" ] && cmp -s "$t/table" "$2"; }
array() { sed -n 's/^#SBATCH --array=//p' "$1"; }

file s.cfg 'nodes = [16, 64];' 'path = ["rp", "fp"];' 'load = [0.02, 0.05, 0.1];' 'cycles = [3000, 20000, 30000, 40000];'
sweep s.cfg --db one.sqlite
works 'one run' '48 points, 48 run now'
table one.sqlite >one.csv

# -- what is written ----------------------------------------------------------------------------------

sweep s.cfg --slurm --tasks 16
works '--slurm' 's: 48 points, 48 left to run, by 16 of 16 tasks' "$t/build/sweeps/s.slurm" "$t/build/sweeps/s.merge.slurm"
check '--slurm: nothing is run' test "$(find build -type f | sort | xargs)" = 'build/sweeps/s.merge.slurm build/sweeps/s.slurm'
check '--slurm: scripts that a shell takes' sh -n build/sweeps/s.slurm
check '--slurm: an array of all tasks' test "$(array build/sweeps/s.slurm)" = 1-16
# A sweep whose name begins with this one's and a dot has shares beside.
file two.cfg 'nodes = 16;' 'load = [0.02, 0.05];' 'cycles = 1000;'
file two.2.cfg 'nodes = 64;' 'load = [0.02, 0.05];' 'cycles = 1000;'
for name in two two.2; do
  sweep $name.cfg --slurm --tasks 2
  for k in 1 2; do sweep $name.cfg --task $k/2; done
done
run sh build/sweeps/two.merge.slurm
check '--slurm: the merging job takes the shares of its own sweep' test "$code,$(table build/sweeps/two.sqlite | wc -l)" = 0,3
rm -f build/sweeps/two*
sweep s.cfg --slurm
works '--slurm: short points are one task' '48 left to run, by 1 of 1 tasks'
# 200 points of about 10^8 flits over links a second and 45 s each.
file long.cfg 'nodes = 1024;' 'load = 0.02;' 'cycles = 20000000;' "seed = ($(seq -s , 200));"
sweep long.cfg --slurm --db long.sqlite
check '--slurm: a task takes some minutes' grep -qE 'by (2[0-9]|3[0-9]) of ' out
# As many as there are minutes of work for, but one at least, no more than points, and no more than an array of Slurm holds.
while read -r points cycles tasks; do
  file ends.cfg 'nodes = 1024;' 'load = 0.02;' "cycles = $cycles;" "seed = ($(seq -s , "$points"));"
  sweep ends.cfg --slurm --db ends.sqlite
  works "--slurm: $points points of $cycles cycles" "$points points, $points left to run, by $tasks of $tasks tasks"
  check "--slurm: $points points of $cycles cycles: the array" test "$(array ends.slurm)" = "$([ "$tasks" = 1 ] || echo 1-)$tasks"
done <<'END'
3 1000 1
4 9000000000 4
999 9000000000 999
1000 9000000000 1000
1001 9000000000 1000
3000 9000000000 1000
END
mkdir few && ln -s "$(command -v sh)" few/sh
run env PATH="$t/few" "$fatfly" sweep s.cfg --slurm --submit
check 'no Slurm: exit code 4, one line' test "$code,$(wc -l <err)" = 4,1
check 'no Slurm: what to do' grep -q 'no sbatch here: --submit needs Slurm; .*/s.slurm is written' err
for o in '--submit' '--tasks 4'; do
  # shellcheck disable=SC2086 # an option with its value
  sweep s.cfg $o
  complains "$o alone" 2 "${o% *} without --slurm; allowed: together"
done
sweep s.cfg --slurm --task 1/2
complains '--slurm with --task' 2 '--slurm with --task; allowed: with --db, --tasks and --submit'
sweep s.cfg --slurm --tasks 0
complains '--slurm: no task' 2 '--tasks 0; allowed: a whole number, 1 to 100000'
mkdir 'a b'
sweep s.cfg --slurm --db 'a b/s.sqlite'
complains '--slurm: a name that Slurm does not take' 2 "has ' ', which Slurm takes for something else"
sweep k.cfg --slurm
complains '--slurm: no sweep file' 3 'k.cfg: No such file'
# Names that a shell takes apart: of the program, of the folder where it is called, of the sweep file.  The scripts are run elsewhere.
odd_names() { # NAME
  local -x TMPDIR=$t/local
  rm -rf "$t/odd" "${t:?}/$1" && mkdir -p "$t/odd" "$t/$1" && cp "$fatfly" "$t/$1/fatfly" && cp s.cfg "$t/$1/$1.cfg" || return
  sed -i '1i name = "s";' "$t/$1/$1.cfg" && : >"$t/$1/another.cfg"
  (cd "$t/$1" && ./fatfly sweep "$1.cfg" --slurm --tasks 2 --db "$t/odd/s.sqlite") >out 2>err || { cat err; return 1; }
  (cd / && for k in 1 2; do SLURM_ARRAY_TASK_ID=$k sh "$t/odd/s.slurm" || exit; done && sh "$t/odd/s.merge.slurm") >out 2>err || { cat err; return 1; }
  same_table odd/s.sqlite one.csv
}
for name in 'my sweeps' "it's" 'a"b' "\$HOME \`id\`" '*' 'a;b&c' '#a' "''" 'a\b'; do
  check "--slurm: files and folders called $name" odd_names "$name"
done
# What a task is called with: its number of all, and as many threads as it has cores.
words_of() { (eval "$(sed "s/^exec '[^']*'/printf '<%s>'/" build/sweeps/s.slurm)"); }
sweep s.cfg --slurm --tasks 16
alike '--slurm: the words of a task' "$(SLURM_ARRAY_TASK_ID=7 words_of)" '<sweep><s.cfg><--db><build/sweeps/s.sqlite><--task><7/16><--threads><1>'
alike '--slurm: ... of several cores' "$(SLURM_ARRAY_TASK_ID=16 SLURM_CPUS_PER_TASK=12 words_of)" \
  '<sweep><s.cfg><--db><build/sweeps/s.sqlite><--task><16/16><--threads><12>'

# -- a stand-in ---------------------------------------------------------------------------------------

# It obeys what it finds in the script: the array, the log, the dependency; it runs tasks in a folder of their
# own with nothing in their environment, and kills those in $KILLED while they run.
cat >bin/sbatch <<'EOS'
#!/bin/bash
[ -z "${REFUSED:-}" ] || { echo 'sbatch: error: Batch job submission failed: Invalid account' >&2; exit 1; }
job=$(($(cat "$T/job" 2>/dev/null || echo 100) + 1)) && echo $job >"$T/job"
for a; do script=$a; done
echo "$*" >>"$T/submitted"
array=$(sed -n 's/^#SBATCH --array=//p' "$script") log=$(sed -n 's/^#SBATCH --output=//p' "$script")
for range in ${array//,/ }; do
  for ((k = ${range%-*}; k <= ${range#*-}; k++)); do
    (cd / && exec env -i PATH=/usr/bin:/bin TMPDIR="$TMPDIR" SLURM_ARRAY_TASK_ID=$k sh "$script") >"${log//%a/$k}" 2>&1 &
    case " ${KILLED:-} " in *" $k "*) kill -9 $! ;; esac
    wait $!
  done
done 2>/dev/null
[ -n "$array" ] || (cd / && exec env -i PATH=/usr/bin:/bin sh "$script") >"$log" 2>&1
echo "$job;here"
EOS
chmod +x bin/sbatch
export T=$t
before=$PATH
PATH=$t/bin:$PATH
KILLED='3 7 8 16' sweep s.cfg --slurm --submit --tasks 16
works '--submit' 'submitted: job 101, the tasks; job 102, which merges after any end of them'
check '--submit: the merging job comes after any end' test "$(cat submitted)" = \
  "--parsable $t/build/sweeps/s.slurm
--parsable --dependency=afterany:101 $t/build/sweeps/s.merge.slurm"
check 'four tasks are killed: the others left theirs' test "$(find build/sweeps -name 's.*-of-16.sqlite' | wc -l)" = 12
check 'four tasks are killed: the merging job lists what is missing' grep -q '^missing: nodes = ' build/sweeps/s.merge.log
n=$(table build/sweeps/s.sqlite | tail -n +2 | wc -l)
check 'four tasks are killed: what is there is merged' test "$n" -gt 20 -a "$n" -lt 48
KILLED=8 sweep s.cfg --slurm --submit --tasks 16
works 'submitted again: what is missing alone' "48 points, $((48 - n)) left to run, by 4 of 16 tasks"
check 'submitted again: those four' test "$(array build/sweeps/s.slurm)" = 3,7-8,16
sweep s.cfg --slurm --submit --tasks 16
check 'submitted again: the last one' test "$(array build/sweeps/s.slurm)" = 8
check 'all is there' same_table build/sweeps/s.sqlite one.csv
sweep s.cfg --slurm --submit --tasks 16
works 'submitted again: nothing is left' '48 points, none is left to run'
REFUSED=1 sweep s.cfg --slurm --submit --db other.sqlite
check 'Slurm refuses: exit code 4, one line' test "$code,$(wc -l <err)" = 4,1
check 'Slurm refuses: why' grep -q 'sbatch did not take .*/other.slurm: sbatch: error: .*Invalid account' err
file s.cfg "$(sed 's/3000,/3001,/' s.cfg)"
sweep s.cfg --slurm --tasks 16
complains 'a changed sweep file: its shares' 3 's.1-of-16.sqlite: a share of another sweep file'
file s.cfg "$(sed 's/3001,/3000,/' s.cfg)"
PATH=$before

# -- Slurm itself -------------------------------------------------------------------------------------

start() { # LOG COMMAND...
  "${@:2}" >"$1" 2>&1 &
  started+=($!)
}
until_() { # SECONDS COMMAND...
  local end=$((SECONDS + $1))
  while [ $SECONDS -lt $end ]; do
    "${@:2}" >/dev/null 2>&1 && return
    sleep 0.2
  done
  return 1
}
start_slurm() {
  local d=$t/slurm host
  host=$(hostname -s)
  mkdir -p "$d/state" "$d/spool"
  head -c 1024 /dev/urandom >"$d/key" && chmod 400 "$d/key"
  cat >"$d/slurm.conf" <<EOS
ClusterName=here
SlurmctldHost=$host(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=$d/munge
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$d/state
SlurmdSpoolDir=$d/spool
SlurmctldPidFile=$d/ctld.pid
SlurmdPidFile=$d/d.pid
SlurmctldPort=$((20000 + $$ % 20000))
SlurmdPort=$((20001 + $$ % 20000))
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
KillWait=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=here Nodes=ALL Default=YES State=UP
EOS
  export SLURM_CONF=$d/slurm.conf
  chmod 755 "$t" "$d"
  start "$d/munged.log" munged --foreground --force --key-file="$d/key" --socket="$d/munge" --pid-file="$d/munged.pid" \
    --seed-file="$d/seed" --log-file="$d/munged.log"
  until_ 10 test -S "$d/munge" || return
  start "$d/ctld.log" slurmctld -D
  start "$d/d.log" slurmd -D
  until_ 30 sh -c 'sinfo -h -o %T | grep -q idle'
}
jobs_left() { [ -n "$(squeue -h 2>/dev/null)" ]; }
none_left() { ! jobs_left; }

if ! command -v slurmctld >/dev/null || ! command -v munged >/dev/null || [ "$(id -u)" != 0 ]; then
  echo "SKIPPED Slurm itself: it needs slurmctld and munged (scripts/setup.sh slurm), and root"
elif ! start_slurm; then
  tail -n 3 "$t"/slurm/*.log >"$t/out" 2>&1
  : >"$t/err"
  bad 'Slurm starts' "it does not; its logs:"
else
  # A second or so a task, so that it can be met.
  file r.cfg 'nodes = [64, 256];' 'load = [0.02, 0.03];' 'cycles = 300000;' "seed = ($(seq -s , 16));"
  sweep r.cfg --db rone.sqlite
  table rone.sqlite >rone.csv
  sweep r.cfg --slurm --submit --tasks 16 --db r.sqlite
  works 'Slurm: an array of 16 tasks' 'r: 64 points, 64 left to run, by 16 of 16 tasks' 'submitted: job '
  job=$(sed -n 's/^submitted: job \([0-9]*\),.*/\1/p' out)
  for ((k = 0; k < 8; k++)); do
    sleep 0.4
    if ((k % 2)); then
      scancel "${job}_$((RANDOM % 16 + 1))"
      continue
    fi
    for p in /proc/[0-9]*; do # a program dies on its own
      [ "$p/exe" -ef "$fatfly" ] && [ "$p/cwd" -ef "$t" ] && kill -9 "${p#/proc/}" && break
    done
  done 2>/dev/null
  scancel "${job}_16" "${job}_5" 2>/dev/null
  check 'Slurm: all ends' until_ 90 none_left
  check 'Slurm: the merging job ran after tasks that were killed' test -s r.merge.log
  n=$(table r.sqlite | tail -n +2 | wc -l)
  check "Slurm: tasks were killed, and $n of 64 points are there" test "$n" -gt 0 -a "$n" -lt 64
  check 'Slurm: what is missing is listed' grep -q "^r: 64 points, $n there, $((64 - n)) missing" r.merge.log
  sweep r.cfg --slurm --submit --tasks 16 --db r.sqlite
  works 'Slurm: submitted again' 'left to run, by ' 'submitted: job '
  check 'Slurm: submitted again: not all tasks' test "$(array r.slurm)" != 1-16
  check 'Slurm: all ends again' until_ 90 none_left
  check 'Slurm: the table of one run, byte for byte' same_table r.sqlite rone.csv
  scontrol shutdown >/dev/null 2>&1
  sleep 0.5
fi

ends
