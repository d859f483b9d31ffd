#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_trials.sh - what `make soak` tries of the C side: some trials of each kind agree, and one of each is noticed in which
# the program, a unit test or the C model gives a wrong answer in one of the ways that are compared.  Ends with `N passed, N failed`.
# shellcheck disable=SC2016  # sed's $ and the stand-ins' own
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
scratch
needs "$build/fatfly" "$build/spec/drive" "$build/unit/test_fifo" "$build/judge/faulty.so"

trials() { python3 -B scripts/sim/trials.py "$@" >"$t/out" 2>"$t/err"; }

# Turn 0 is none of a soak's.
for kind in run sweep judge spec; do
  trials --kind $kind --most 8 0
  check "$kind: eight trials agree" [ $? = 0 -a "$(grep -c "^0,.*,$kind,[^r]" "$t/out")" -ge 6 ]
done
cp "$t/out" "$t/before"
trials --most 0 1
check "no trial is none that agrees" [ $? = 2 -a ! -s "$t/out" ]
trials --kind spec --most 8 0
alike "the same numbers, the same trials" "$(cat "$t/before")" "$(cat "$t/out")"

# A program that bends what it writes where its arguments have WHEN, and does DONE where it is asked for ASKED.
mkdir -p "$t"/faulty/{unit,spec,judge}
ln -s "$build/judge/faulty.so" "$t/faulty/judge"
real=$build/fatfly
cat >"$t/faulty/fatfly" <<END
#!/bin/bash
[ -z "\$FAULTY_MAY" ] || FAULTY="none 0 0 0 0"
if [ -n "\$ASKED" ]; then
  for word; do [[ \$word != *.cfg ]] || sed -i "s/\$ASKED/\$DONE/" "\$word"; done
  set -- "\${@/\$ASKED/\$DONE}"
fi
"$real" "\$@"
code=\$?
if [[ " \$* " =~ \$WHEN ]]; then
  [ \$code != 2 ] || echo -n "\$MORE" >&2
  while [ \$# -gt 1 ]; do
    if [ "\$1" = "\$FILE" ] && [ -s "\$2" ]; then sed -i "\$BEND" "\$2"; fi
    shift
  done
  exit \${CODE:-\$code}
fi
exit \$code
END
chmod +x "$t/faulty/fatfly"
digest='s/"digest": "./&f/'

# noticed NAME KIND TEXT: within some trials one fails, and says so.
noticed() {
  trials --build "$t/faulty" --kind "$2" --most 40 0
  local code=$?
  check "noticed: $1" [ $code = 1 ]
  check "... and what: $3" grep -qE "^FAILED turn 0 trial [0-9]*: .*$3" "$t/out"
  check "... and kept" [ -e "$(sed -n 's/^kept: //p' "$t/out")" ]
}
export WHEN BEND FILE=--output
BEND=$digest
WHEN='--engine cycle' noticed "another digest of the cycle engine" run 'the cycle engine: .*digest is'
WHEN='--engine fast' noticed "... of the fast engine" run 'the fast engine: .*digest is'
WHEN='--threads 1' noticed "... of one thread" run 'one thread: .*digest is'
WHEN='--threads [234]' noticed "... of several threads" run '[2-4] threads: .*digest is'
WHEN='--parts' noticed "... of parts" run 'two parts: .*digest is'
WHEN='--config' noticed "... of a configuration file" run 'a configuration file: .*digest is'
WHEN='--events' noticed "... of a run with a log" run 'with a log: .*digest is'
WHEN='--engine' BEND='s/{"level": 0, /{"level": 9, /' noticed "a level of an engine" run 'engine: .*levels is'
FILE=--events WHEN='--events' BEND='$s/measured=/measured=1/' noticed "a log that contradicts itself" run 'the log contradicts itself: .*measured'
WHEN='--runs 1 ' BEND='s/"latency_p50": \([0-9]*[0-8]\)\?\([0-9]\),/"latency_p50": \11\2,/' \
  noticed "a median that does not follow from the log" run 'latency_p50 .* of the rows, .* of the result'
WHEN='--runs 1 ' BEND='s/"congestion_mean": \([0-9]\)/"congestion_mean": 1\1/' noticed "... a congestion" run 'congestion_mean .* of the rows, .* of the result'
WHEN='--runs 1 ' BEND='s/"source_wait_mean": \([0-9]\)/"source_wait_mean": 1\1/' noticed "... cycles at the source" run 'source_wait_mean .* of the rows, .* of the result'
WHEN=none ASKED=complement DONE=many-to-1 noticed "another pattern, by all engines alike" run 'where: worm .* goes to'
WHEN='--threads 1' CODE=1 noticed "another exit code" run 'exit code 1, was 0'
WHEN='--threads 1' BEND='$d' noticed "a result that is cut" run 'what run wrote cannot be read: '
WHEN=run MORE=$'a second line\n' noticed "a refusal that is not one line" run 'a refusal that is not one line: .*a second line'
WHEN='run.*--seed' CODE=139 noticed "a crash" run 'exit code 139'
bend_row='2s/,\([0-9]\)\([0-9]*\.\)/,\1\1\2/'
WHEN='export .*merged' BEND=$bend_row noticed "another table of merged shares" sweep 'shares that are merged'
WHEN='export .*killed' BEND=$bend_row noticed "... of a sweep that was killed" sweep 'killed and went on'
WHEN='run .*--format csv' BEND=$bend_row noticed "... of a point alone" sweep 'a point of the sweep: '
WHEN='merge ' CODE=3 noticed "a merge that refuses" sweep 'exit code 3: '
WHEN='cosim .*case.cfg' FAULTY_MAY=none noticed "a co-simulation that does not see a fault" judge 'of [0-9]* cycles, .*exit code 0, not seen'
WHEN='cosim .*case.cfg' CODE=1 noticed "... that sees one where none is" judge 'without a fault: exit code 1'
printf '#!/bin/sh\necho "[  ERROR   ] --- x.c:7: error: $1"; exit 1\n' >"$t/faulty/unit/test_fifo"
chmod +x "$t/faulty/unit/test_fifo"
WHEN=none noticed "a unit test that fails" unit 'test_fifo [0-9]*: exit code 1: .*x.c:7'
printf '#!/bin/sh\n"%s" "$@" | sed "/^cycle/s/:1:/:2:/"\n' "$build/spec/drive" >"$t/faulty/spec/drive"
chmod +x "$t/faulty/spec/drive"
WHEN=none noticed "a C model that the specification does not foretell" spec 'specification .*; C .*seed [0-9]'

# In a soak: counted in the record, a failure kept.
runner=(scripts/sim/soak.py --folder "$t/soak" --record "$t/soak.csv" --jobs 2 --room 1 --shape trials)
run --build "$build" --time 4 --turn 2
works "a soak of trials" " trials; " "this soak: " "0 switch-cycles compared, "
check "its trials are in the record" [ "$(sed -n '2s/.*,0,0,\([0-9]*\),.*/\1/p' "$t/soak.csv")" -gt 3 ]
WHEN='--engine cycle' BEND=$digest run --build "$t/faulty" --time 60
check "a soak in which one differs: exit code 1" [ "$code" = 1 ]
check "... and it is kept, with how to repeat it" grep -qE '^kept: .*; again: scripts/sim/trials.py [0-9]+ [0-9]+$' "$t/out"

# A run that hangs.
printf '#!/bin/sh\nexec sleep 60\n' >"$t/faulty/fatfly"
python3 -B -c "import sys; sys.path.append('scripts/sim'); import trials; trials.LONGEST = 1; sys.exit(trials.main())" \
  --build "$t/faulty" --kind run 0 1 >"$t/out" 2>"$t/err"
check "noticed: a run that hangs" [ $? = 1 ]
check "... and what" grep -q '^FAILED turn 0 trial 1: it takes more than 1 s: .*/fatfly run ' "$t/out"

# Nothing to run is no success.
rm -r "$t"/faulty/{unit,spec,judge}
for kind in unit judge spec; do
  WHEN=none trials --build "$t/faulty" --kind $kind 0
  check "$kind: nothing to run is said" [ $? = 4 -a "$(wc -l <"$t/err")" = 1 ]
done
trials --build "$t/none" --kind run 0
check "no program is said" [ $? = 4 -a "$(wc -l <"$t/err")" = 1 ]
trials --kind wrong 0
check "a kind that is none" [ $? = 2 ]

ends
