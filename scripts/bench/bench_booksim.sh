#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench_booksim.sh - speed of BookSim2 on the butterfly fat-tree with N = 1024, to set ours beside.
#
# Fetches BookSim2 into build/peers/, never into the sources, and builds it there with -O3.  It has
# the wiring (booksim_net.py) and goes up by either parent (booksim_updown.cpp): worms of 32 flits,
# one channel, uniform traffic, its shortest pipeline, 8- and 2-flit buffers.  Prints a table in
# Markdown, or CSV lines with FORMAT=csv; with FORMAT=torus, "traversals seconds" on a torus alone, of the best run.  Without network or a tool: "skipped: ...", exit code 0.
#
#   BOOKSIM=DIR  a copy of BookSim2 (sources or a git repository) in place of the network
#   CYCLES=N     cycles of a run, default 10000
#   ROUNDS=N     runs of each line, the best counts; default 1
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
peers=$build/peers
cycles=${CYCLES:-10000}
rounds=${ROUNDS:-1}
format=${FORMAT:-table}
url=https://github.com/booksim/booksim2
commit=28f43299
# 0.0391 is GG's saturation load.  Buffers of 2 flits pass 0.4 flits a cycle: the credit loop of
# BookSim2's shortest pipeline is 5 cycles.
saturation=0.0391

skip() {
  echo "skipped: $*"
  exit 0
}
wrong() { # EXIT_CODE MESSAGE...
  local code=$1
  shift
  echo "bench_booksim: $*" >&2
  exit "$code"
}
case $cycles$rounds in *[!0-9]* | '') wrong 2 "CYCLES=$cycles ROUNDS=$rounds; allowed: whole numbers" ;; esac
if [ "$cycles" -lt 100 ] || [ "$rounds" -lt 1 ]; then
  wrong 2 "CYCLES=$cycles ROUNDS=$rounds; allowed: at least 100 cycles, at least 1 round"
fi
case $format in table | csv | torus) ;; *) wrong 2 "FORMAT=$format; allowed: table, csv, torus" ;; esac

for tool in git make python3 "${CXX:-g++}" "${LEX:-flex}" "${YACC:-bison}"; do
  command -v "${tool%% *}" >/dev/null || skip "BookSim2 needs ${tool%% *}; apt-get install git make g++ python3 flex bison"
done
mkdir -p "$peers"
peers=$(cd "$peers" && pwd)
log=$peers/booksim2.log

# A copy of the sources in $peers/booksim2; a half-made one never gets that name.
fetch() {
  local part=$peers/booksim2.part
  rm -rf "$part"
  if [ -n "${BOOKSIM:-}" ] && [ -f "$BOOKSIM/src/booksim_config.cpp" ]; then
    cp -R "$BOOKSIM" "$part"
    (cd "$part/src" && rm -f booksim ./*.o ./*/*.o ./*.d ./*/*.d)
  elif [ -n "${BOOKSIM:-}" ]; then
    git clone -q "$BOOKSIM" "$part" >>"$log" 2>&1 || wrong 3 "BOOKSIM=$BOOKSIM; allowed: sources of BookSim2 or a git repository of it"
  else
    GIT_TERMINAL_PROMPT=0 timeout 120 git clone -q $url "$part" >>"$log" 2>&1 || skip "cannot clone $url (BOOKSIM=DIR takes a copy)"
  fi
  # Sources without history are taken as they are.
  if [ -d "$part/.git" ]; then
    git -C "$part" checkout -q $commit >>"$log" 2>&1 || wrong 3 "${BOOKSIM:-$url} has no commit $commit"
  fi
  [ -f "$part/src/booksim_config.cpp" ] || wrong 3 "BOOKSIM=$BOOKSIM; there is no src/booksim_config.cpp"
  rm -rf "$peers/booksim2"
  mv "$part" "$peers/booksim2"
  echo "${BOOKSIM:-}" >"$peers/booksim2.from"
}
: >"$log"
if [ ! -d "$peers/booksim2" ] || { [ -n "${BOOKSIM:-}" ] && [ "$BOOKSIM" != "$(cat "$peers/booksim2.from" 2>/dev/null)" ]; }; then
  fetch
fi

src=$peers/booksim2/src
include="-I. -Iarbiters -Iallocators -Irouters -Inetworks -Ipower"
updown=$peers/booksim_updown.o
program=$src/booksim
if [ ! -x "$program" ] || [ scripts/bench/booksim_updown.cpp -nt "$program" ]; then
  echo "building BookSim2" >&2
  rm -f "$program"
  here=$PWD
  # shellcheck disable=SC2086  # words
  (cd "$src" && ${CXX:-g++} -O3 -w $include -c "$here/scripts/bench/booksim_updown.cpp" -o "$updown" &&
    make -j"${JOBS:-$(nproc)}" CXX="${CXX:-g++}" LEX="${LEX:-flex}" YACC="${YACC:-bison} -y" CPPFLAGS="-O3 -w $include" \
      LFLAGS="-Wl,--wrap=_Z20InitializeRoutingMapRK13Configuration $updown") >>"$log" 2>&1 ||
    skip "BookSim2 does not build here; see $log"
fi
scripts/bench/booksim_net.py 1024 >"$peers/fat1024.net"

run() { # DEPTH LOAD -> links worms cycles cpu mb
  cat >"$peers/bench.cfg" <<END
topology = anynet;
network_file = fat1024.net;
routing_function = updown;
num_vcs = 1;
vc_buf_size = $1;
routing_delay = 0;
speculative = 1;
packet_size = 32;
injection_rate_uses_flits = 1;
injection_rate = $2;
traffic = uniform;
sim_type = throughput;
warmup_periods = 1;
max_samples = 2;
sample_period = $((cycles / 2));
END
  # It ends with 255 when all is well.
  (cd "$peers" && timeout 600 "$program" bench.cfg >bench.out 2>bench.err) || true
  awk '$1 == "updown:" && $5 > 0 { print $3, $5, $7, $9, $11 }' "$peers/bench.err"
}

# Its own torus of 16 x 16 at half of saturation: dimension order, 2 channels, messages of 4 flits.
# Links on the way of a flit: 8.03 on average; fatfly's torus has no links of processors either.  Utilisation 0.085 (BC).
torus() { # -> traversals cpu of one run
  local user
  cat >"$peers/torus.cfg" <<END
topology = torus;
k = 16;
n = 2;
routing_function = dim_order;
num_vcs = 2;
vc_buf_size = 4;
packet_size = 4;
injection_rate_uses_flits = 1;
injection_rate = 0.0423;
traffic = uniform;
sim_type = throughput;
warmup_periods = 1;
max_samples = 2;
sample_period = $((2 * cycles));
END
  user=$( (cd "$peers" && TIMEFORMAT=%U && { time timeout 600 "$program" torus.cfg >torus.out 2>torus.err || true; } 2>&1) )
  awk -v user="$user" '/^Time taken is/ { cycles = $4 }
    /^Accepted flit rate average/ { rate = $6 }
    END { if (cycles && rate) print cycles * rate * 256 * 8 * 256 / 255, user }' "$peers/torus.out"
}
if [ "$format" = torus ]; then
  for ((k = 0; k < rounds; k++)); do torus; done |
    awk 'NF == 2 && $2 > 0 && $1 / $2 > best { best = $1 / $2; line = $0 } END { print line }'
  exit 0
fi

lines=
for line in "8 0.8 1" "8 0.2 1" "2 0.8 0.4" "2 0.2 0.4"; do
  read -r depth share rate <<<"$line"
  load=$(awk "BEGIN { printf \"%.5f\", $saturation * $rate * $share }")
  best=
  for ((k = 0; k < rounds; k++)); do
    got=$(run "$depth" "$load")
    [ -n "$got" ] || wrong 1 "BookSim2 ended without a result; see $peers/bench.out and $peers/bench.err"
    best=$(printf '%s\n%s\n' "$got" "$best" | awk 'NF && (!cpu || $4 / $1 < cpu) { cpu = $4 / $1; line = $0 } END { print line }')
  done
  lines+="$depth $share $load $best"$'\n'
done
printf '%s' "$lines" | awk -v format="$format" '
  BEGIN {
    if (format == "csv")
      print "depth,share,load,accepted,cycles,traversals,cpu_s,traversals_per_cpu_s,cycles_per_cpu_s,memory_mb"
    else {
      print "| BookSim2, N = 1024, one core | load, flits/cycle/processor (of saturation) | accepted | link traversals | CPU s | traversals / CPU s | cycles / CPU s | memory |"
      print "| --- | --- | --- | --- | --- | --- | --- | --- |"
    }
  }
  {
    hops = 32 * $4; accepted = 32 * $5 / 1024 / $6
    if (format == "csv")
      printf "%d,%s,%s,%.5f,%d,%d,%.3f,%.0f,%.0f,%d\n", $1, $2, $3, accepted, $6, hops, $7, hops / $7, $6 / $7, $8
    else
      printf "| %d-flit buffers | %s (%.0f %%) | %.4f | %d | %.2f | %.0f | %.0f | %d MB |\n", $1, $3, 100 * $2, accepted, hops, $7, hops / $7, $6 / $7, $8
  }'
if [ "$format" = table ]; then
  version="from $(cat "$peers/booksim2.from")"
  # Without this git would find the repository that build/ lies in.
  if [ -d "$peers/booksim2/.git" ]; then
    version=$(git -C "$peers/booksim2" rev-parse --short=8 HEAD)
  fi
  echo
  echo "BookSim2 $version, ${CXX:-g++} $("${CXX:-g++}" -dumpfullversion) -O3; user CPU time from the first worm on, without building the network; best of $rounds."
fi
