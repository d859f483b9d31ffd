#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench_import.sh - the same mesh in BookSim2 and, imported, in fatfly: latency of an almost idle network
# and the load at which each calls itself saturated, as CSV.
#
# usage: bench_import.sh >docs/results/from-booksim.csv
#        bench_import.sh TEXT   only rows with TEXT
#        bench_import.sh --rules [TEXT] >docs/results/from-booksim-rules.csv   one rule changed in one of the two
#   BOOKSIM_QUEUES=PROGRAM  BookSim2 with a queue of its own for replies (docs/from-booksim.md); default: no such row
#   BOOKSIM=PROGRAM  default: the one that bench_booksim.sh builds; without it: "skipped: ...", exit code 0
#   FATFLY=build/fatfly
# 8 x 8 mesh, 4 channels with 8 flits each, dimension order, uniform traffic, worms of 8 flits and of 1.
# Latencies and saturation here without and with --pipeline.
# Three times more with one rule of BookSim2's changed, which says how much it is worth.
# With use_read_write half of the requests read and half write: a request to read and the reply to a write have 1 flit, the
# other two PACKET_SIZE; requests have channels 0 and 1 and replies 2 and 3, or both have all.
# With two classes each has half the load; one goes anywhere, the other round its rows and columns (tornado).
# A load is found by halving 0.1 .. 0.8 seven times: to 0.006.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
booksim=${BOOKSIM:-$build/peers/booksim2/src/booksim}
fatfly=${FATFLY:-$build/fatfly}
[ -x "$booksim" ] || { echo "skipped: $booksim is not there; scripts/bench/bench_booksim.sh builds it" && exit 0; }
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT

more='' # lines more for BookSim2
classes=1
share=1 # of the load that a class has: one part of so many
config() { # PACKET_SIZE LOAD
  printf '%s;\n' 'topology = mesh' 'k = 8' 'n = 2' 'routing_function = dor' 'num_vcs = 4' 'vc_buf_size = 8' \
    'traffic = uniform' "packet_size = $1" 'injection_rate_uses_flits = 1' "injection_rate = $(awk -v x="$2" -v n=$share 'BEGIN { print x / n }')" \
    'warmup_periods = 3' 'sample_period = 2000' 'max_samples = 10' 'seed = 1' ${more:+"$more"} >"$t/c"
}

without=NONE # a setting of ours that is taken out
# Mean latency of a packet, or "saturated".
by_booksim() { # PACKET_SIZE LOAD
  config "$1" "$2"
  "$booksim" "$t/c" >"$t/out" 2>&1 || true
  if grep -qa 'unstable' "$t/out"; then echo saturated; else
    awk -v n=$classes '/^Packet latency average/ { v[++k] = $5 } END { for (j = 0; j < n; j++) sum += v[k - j]; if (k >= n) print sum / n }' "$t/out"
  fi
}
by_fatfly() { # PACKET_SIZE LOAD [OPTION]
  config "$1" "$2"
  "$fatfly" import booksim "$t/c" ${3:+"$3"} | grep -v "^$without = " >"$t/c.cfg"
  "$fatfly" run --config "$t/c.cfg" --format csv >"$t/out"
  awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k }
    NR == 2 { print $at["saturated"] ? "saturated" : $at["latency_mean"] }' "$t/out"
}

by_pipeline() { by_fatfly "$1" "$2" --pipeline; }

saturation() { # PROGRAM PACKET_SIZE
  local low=0.1 high=0.8 middle found
  for _ in 1 2 3 4 5 6 7; do
    middle=$(awk -v a="$low" -v b="$high" 'BEGIN { printf "%.5f", (a + b) / 2 }')
    found=$("$1" "$2" "$middle")
    case $found in
      saturated) high=$middle ;;
      [0-9]*) low=$middle ;;
      *) echo "bench_import.sh: no answer of $1 at load $middle" >&2 && exit 1 ;;
    esac
  done
  awk -v a="$low" -v b="$high" 'BEGIN { printf "%.3f", (a + b) / 2 }'
}

# Channels FROM to TO for requests or replies of both kinds.
channels() { # request|reply FROM TO
  printf '%s; ' "read_$1_begin_vc = $2" "read_$1_end_vc = $3" "write_$1_begin_vc = $2" "write_$1_end_vc = $3"
}

# What a row's name stands for: lines of BookSim2's.
lines_of() { # PACKET_SIZE NAME
  case $2 in
    'use_read_write = 1 with '*)
      printf '%s; ' 'use_read_write = 1' 'read_request_size = 1' "read_reply_size = $1" "write_request_size = $1" \
        'write_reply_size = 1'
      case $2 in
        *'with halves'*) channels request 0 1 && channels reply 2 3 ;;
        *) channels request 0 3 && channels reply 0 3 ;;
      esac
      case $2 in *'; '*) echo "${2#*; }" ;; *) echo 'classes = 1' ;; esac
      ;;
    'classes = 2') echo 'classes = 2; traffic = {uniform,tornado}' ;;
    *) echo "$2" ;;
  esac
}

# rule SIZE TRAFFIC CHANGE WHERE: saturation before and after a rule is changed; TRAFFIC and CHANGE as lines_of() takes them.
rule() {
  local size=$1 traffic=$2 change=$3 where=$4 before after program=$booksim
  [[ "$*" == *"$text"* ]] || return 0
  more=$(lines_of "$size" "$traffic")
  case $where in
    BookSim2)
      before=$(saturation by_booksim "$size")
      more="$more${more:+; }$change"
      if [ "$change" = 'a queue for replies' ]; then
        [ -n "${BOOKSIM_QUEUES:-}" ] || return 0
        more="$(lines_of "$size" "$traffic" | sed 's/classes = 1$//')classes = 2"
        booksim=$BOOKSIM_QUEUES classes=2
      fi
      after=$(saturation by_booksim "$size")
      booksim=$program classes=1
      ;;
    here)
      before=$(saturation by_fatfly "$size")
      case $change in
        'vc_'*) more="$more${more:+; }$change"
          after=$(saturation by_fatfly "$size") ;;
        --pipeline) after=$(saturation by_pipeline "$size") ;;
        'without '*) without=${change#without } after=$(saturation by_fatfly "$size") without=NONE ;;
      esac
      ;;
  esac
  awk -v s="$size,$traffic,$change,$where" -v a="$before" -v b="$after" 'BEGIN { printf "%s,%s,%s,%.3f\n", s, a, b, b / a }'
}
if [ "${1:-}" = --rules ]; then
  text=${2:-}
  echo packet_flits,traffic,changed,in,before,after,ratio
  best='sw_allocator = max_size; vc_allocator = max_size'
  for row in 8 1 '8 use_read_write = 1 with halves'; do
    size=${row%% *} name=${row#"${row%% *}"}
    rule "$size" "${name# }" 'without processor_links' here
    rule "$size" "${name# }" --pipeline here
    rule "$size" "${name# }" "$best" BookSim2
  done
  rule 8 '' 'vc_buf_size = 16' here
  rule 8 '' 'vc_buf_size = 16' BookSim2
  rule 1 '' 'routing_delay = 0' BookSim2
  rule 8 'use_read_write = 1 with halves' 'a queue for replies' BookSim2
  exit 0
fi

echo packet_flits,changed,idle_booksim,idle_fatfly,idle_pipeline,saturation_booksim,saturation_fatfly,saturation_pipeline,ratio,ratio_pipeline
for row in 8 1 '8 input_speedup = 4' '8 wait_for_tail_credit = 1' '1 wait_for_tail_credit = 1' \
  '8 use_read_write = 1 with halves' '1 use_read_write = 1 with halves' '8 use_read_write = 1 with all' \
  '8 use_read_write = 1 with halves; input_speedup = 4' \
  '8 use_read_write = 1 with halves; routing_delay = 0; speculative = 1' '8 classes = 2'; do
  [[ $row == *"${1:-}"* ]] || continue
  size=${row%% *} name=${row#"${row%% *}"}
  name=${name# }
  more=$(lines_of "$size" "$name")
  classes=1 share=1
  [ "$name" != 'classes = 2' ] || classes=2 share=2
  idle=$(by_booksim "$size" 0.02),$(by_fatfly "$size" 0.02),$(by_pipeline "$size" 0.02)
  a=$(saturation by_booksim "$size")
  b=$(saturation by_fatfly "$size")
  c=$(saturation by_pipeline "$size")
  awk -v s="$size,$name" -v i="$idle" -v a="$a" -v b="$b" -v c="$c" \
    'BEGIN { printf "%s,%s,%s,%s,%s,%.3f,%.3f\n", s, i, a, b, c, b / a, c / a }'
done
