# SPDX-License-Identifier: Apache-2.0
# fatfly.bash - completion for bash; written by scripts/docs/man.py from what the program prints, do not edit.
# shellcheck shell=bash disable=SC2207 # words of the program, without spaces

# Options of a command, then how to complete the value of one.
_fatfly_options() {
  case $1 in
  run) echo "--topology --nodes --radix --dimensions --processor-links --depth --vcs --bandwidth --injection --channel-release --channels-in-turn --link-bandwidth --input-bandwidth --link-latency --router-latency --head-latency --plugin --plugin-seconds --force --flit-bits --discipline --path --scan --start --pattern --self-traffic --hotspot --hotspot-node --density --permutation --matrix --length --lengths --length-min --length-mean --short-share --length-mix --classes --class-length --class-pattern --class-share --class-priority --class-channels --reply --reply-delay --outstanding --rounds --delay-range --phases --phase-length --overhead --load --arrivals --burst-on --burst-off --warmup --cycles --whole --fail-saturated --trace --cycles-per-us --max-bytes --max-messages --runs --precision --seed --threads --parts --max-cycles --engine --config --format --output --histogram --links --events --perfetto --waves --from --to --watch --build --help" ;;
  saturation) echo "--topology --nodes --radix --dimensions --processor-links --depth --vcs --bandwidth --injection --channel-release --channels-in-turn --link-bandwidth --input-bandwidth --link-latency --router-latency --head-latency --plugin --plugin-seconds --force --flit-bits --discipline --path --scan --start --pattern --self-traffic --hotspot --hotspot-node --density --permutation --matrix --length --lengths --length-min --length-mean --short-share --length-mix --classes --class-length --class-pattern --class-share --class-priority --class-channels --reply --reply-delay --overhead --arrivals --burst-on --burst-off --warmup --cycles --runs --precision --seed --threads --max-cycles --engine --config --format --output --help" ;;
  sweep) echo "--db --threads --task --local --slurm --submit --tasks --format --dry-run --fail-saturated --help" ;;
  merge) echo "--list --help" ;;
  export) echo "--format --columns --where --timing --all --output --help" ;;
  plot) echo "--x --y --series --where --log --xrange --yrange --title --model --output --help" ;;
  model) echo "--topology --nodes --radix --dimensions --processor-links --vcs --path --bandwidth --link-bandwidth --force --length --load --loads --levels --format --fail-saturated --help" ;;
  estimate) echo "--nodes --length --pattern --seed --family --topology --cost --vcs --depth --flit-bits --path --scan --min-throughput --max-latency --max-lut --best --format --plot --threads --help" ;;
  import) echo "--output --pipeline --help" ;;
  view) echo "--topology --nodes --radix --dimensions --depth --vcs --bandwidth --injection --channel-release --channels-in-turn --input-bandwidth --link-latency --router-latency --head-latency --force --flit-bits --discipline --path --scan --pattern --self-traffic --hotspot --hotspot-node --density --length --lengths --length-min --length-mean --short-share --rounds --delay-range --phases --phase-length --load --arrivals --burst-on --burst-off --warmup --cycles --whole --seed --max-cycles --config --output --build --help" ;;
  events) echo "--worm --help" ;;
  cosim) echo "--case --config --list --full --task --seed --worms --side --max-cycles --outputs-only --jobs --waves --from --to --watch --shrink --cover --build --sim --rtl --c --shapes --help" ;;
  esac
}

_fatfly_value() {
  case $1:$2 in
  run:--plugin | run:--permutation | run:--matrix | run:--trace | run:--config | run:--output | run:--histogram | run:--links | run:--events | run:--perfetto | run:--waves) echo "files" ;;
  run:--build) echo "folders" ;;
  run:--radix | run:--dimensions | run:--link-bandwidth | run:--input-bandwidth | run:--link-latency | run:--router-latency | run:--head-latency | run:--plugin-seconds | run:--flit-bits | run:--hotspot | run:--hotspot-node | run:--density | run:--length | run:--length-min | run:--length-mean | run:--short-share | run:--length-mix | run:--classes | run:--class-length | run:--class-pattern | run:--class-share | run:--class-priority | run:--reply | run:--reply-delay | run:--outstanding | run:--rounds | run:--delay-range | run:--phases | run:--phase-length | run:--overhead | run:--load | run:--burst-on | run:--burst-off | run:--cycles | run:--cycles-per-us | run:--max-bytes | run:--max-messages | run:--runs | run:--precision | run:--seed | run:--threads | run:--parts | run:--max-cycles | run:--from | run:--to | run:--watch) echo "nothing" ;;
  run:--vcs) echo "words 1 2 4" ;;
  run:--depth) echo "words 1 2 4 8 16 unbounded" ;;
  run:--nodes) echo "words 4 16 64 256 1024 4096 16384 65536 262144 1048576" ;;
  run:--start) echo "words any waiting" ;;
  run:--warmup) echo "words auto" ;;
  run:--engine) echo "words auto fast cycle rtl" ;;
  run:--topology) echo "words fat-tree torus mesh butterfly reverse-butterfly wrapped-butterfly hypercube graph:" ;;
  run:--lengths) echo "words fixed uniform geometric bimodal mix" ;;
  run:--bandwidth) echo "words fixed-share on-demand" ;;
  run:--path) echo "words fp rp gp rg rw greedy e-cube north-last positive-hop negative-hop minimal-adaptive loose-hop balanced-e-cube walk" ;;
  run:--arrivals) echo "words geometric poisson on-off" ;;
  run:--injection) echo "words one-queue per-channel" ;;
  run:--pattern) echo "words random complement many-to-1 transpose bit-reversal bit-complement shuffle neighbour hotspot permutation identity random-permutation packing spreading monotone trace tornado digit-neighbour diagonal asymmetric matrix" ;;
  run:--scan) echo "words rr fo ff rot fcfs" ;;
  run:--class-channels) echo "words shared reserved" ;;
  run:--format) echo "words table csv json" ;;
  run:--channel-release) echo "words tail-gone tail-sent" ;;
  run:--discipline) echo "words worm store univ split phased cmsv1 cmsv2 cmsv-store cmsv-protocol cmsv-butterfly" ;;
  saturation:--plugin | saturation:--permutation | saturation:--matrix | saturation:--config | saturation:--output) echo "files" ;;
  saturation:--radix | saturation:--dimensions | saturation:--link-bandwidth | saturation:--input-bandwidth | saturation:--link-latency | saturation:--router-latency | saturation:--head-latency | saturation:--plugin-seconds | saturation:--flit-bits | saturation:--hotspot | saturation:--hotspot-node | saturation:--density | saturation:--length | saturation:--length-min | saturation:--length-mean | saturation:--short-share | saturation:--length-mix | saturation:--classes | saturation:--class-length | saturation:--class-pattern | saturation:--class-share | saturation:--class-priority | saturation:--reply | saturation:--reply-delay | saturation:--overhead | saturation:--burst-on | saturation:--burst-off | saturation:--cycles | saturation:--runs | saturation:--precision | saturation:--seed | saturation:--threads | saturation:--max-cycles) echo "nothing" ;;
  saturation:--vcs) echo "words 1 2 4" ;;
  saturation:--depth) echo "words 1 2 4 8 16 unbounded" ;;
  saturation:--nodes) echo "words 4 16 64 256 1024 4096 16384 65536 262144 1048576" ;;
  saturation:--start) echo "words any waiting" ;;
  saturation:--warmup) echo "words auto" ;;
  saturation:--engine) echo "words auto fast cycle rtl" ;;
  saturation:--topology) echo "words fat-tree torus mesh butterfly reverse-butterfly wrapped-butterfly hypercube graph:" ;;
  saturation:--lengths) echo "words fixed uniform geometric bimodal mix" ;;
  saturation:--bandwidth) echo "words fixed-share on-demand" ;;
  saturation:--path) echo "words fp rp gp rg rw greedy e-cube north-last positive-hop negative-hop minimal-adaptive loose-hop balanced-e-cube walk" ;;
  saturation:--arrivals) echo "words geometric poisson on-off" ;;
  saturation:--injection) echo "words one-queue per-channel" ;;
  saturation:--pattern) echo "words random complement many-to-1 transpose bit-reversal bit-complement shuffle neighbour hotspot permutation identity random-permutation packing spreading monotone trace tornado digit-neighbour diagonal asymmetric matrix" ;;
  saturation:--scan) echo "words rr fo ff rot fcfs" ;;
  saturation:--class-channels) echo "words shared reserved" ;;
  saturation:--format) echo "words table csv json" ;;
  saturation:--channel-release) echo "words tail-gone tail-sent" ;;
  saturation:--discipline) echo "words worm store univ split phased cmsv1 cmsv2 cmsv-store cmsv-protocol cmsv-butterfly" ;;
  sweep:--db | sweep:--local) echo "files" ;;
  sweep:--threads | sweep:--task | sweep:--tasks) echo "nothing" ;;
  sweep:--format) echo "words table csv json" ;;
  export:--output) echo "files" ;;
  export:--columns | export:--where) echo "nothing" ;;
  export:--format) echo "words table csv json" ;;
  plot:--output) echo "files" ;;
  plot:--x | plot:--y | plot:--series | plot:--where | plot:--xrange | plot:--yrange | plot:--title) echo "nothing" ;;
  plot:--model) echo "words gg" ;;
  plot:--log) echo "words none x y xy" ;;
  model:--radix | model:--dimensions | model:--vcs | model:--link-bandwidth | model:--length | model:--load | model:--loads) echo "nothing" ;;
  model:--nodes) echo "words 4 16 64 256 1024 4096 16384 65536 262144 1048576" ;;
  model:--path) echo "words e-cube balanced-e-cube greedy" ;;
  model:--topology) echo "words fat-tree torus mesh butterfly reverse-butterfly wrapped-butterfly hypercube graph:" ;;
  model:--bandwidth) echo "words fixed-share on-demand" ;;
  model:--format) echo "words table csv json" ;;
  estimate:--cost | estimate:--plot) echo "files" ;;
  estimate:--length | estimate:--seed | estimate:--family | estimate:--flit-bits | estimate:--min-throughput | estimate:--max-latency | estimate:--max-lut | estimate:--threads) echo "nothing" ;;
  estimate:--vcs) echo "words 1 2 4" ;;
  estimate:--depth) echo "words 1 2 4 8 16" ;;
  estimate:--nodes) echo "words 4 16 64 256 1024 4096 16384 65536 262144 1048576" ;;
  estimate:--best) echo "words area throughput latency per-lut" ;;
  estimate:--topology) echo "words fat-tree torus mesh" ;;
  estimate:--path) echo "words fp rp gp rg rw e-cube negative-hop" ;;
  estimate:--pattern) echo "words random complement many-to-1 transpose bit-reversal bit-complement shuffle neighbour" ;;
  estimate:--scan) echo "words rr fo ff rot fcfs" ;;
  estimate:--format) echo "words table csv json" ;;
  import:--output) echo "files" ;;
  view:--config | view:--output) echo "files" ;;
  view:--build) echo "folders" ;;
  view:--radix | view:--dimensions | view:--input-bandwidth | view:--link-latency | view:--router-latency | view:--head-latency | view:--flit-bits | view:--hotspot | view:--hotspot-node | view:--density | view:--length | view:--length-min | view:--length-mean | view:--short-share | view:--rounds | view:--delay-range | view:--phases | view:--phase-length | view:--load | view:--burst-on | view:--burst-off | view:--cycles | view:--seed | view:--max-cycles) echo "nothing" ;;
  view:--vcs) echo "words 1 2 4" ;;
  view:--depth) echo "words 1 2 4 8 16 unbounded" ;;
  view:--nodes) echo "words 4 16 64 256 1024 4096 16384 65536 262144 1048576" ;;
  view:--warmup) echo "words auto" ;;
  view:--topology) echo "words fat-tree torus mesh butterfly reverse-butterfly wrapped-butterfly hypercube graph:" ;;
  view:--lengths) echo "words fixed uniform geometric bimodal" ;;
  view:--bandwidth) echo "words fixed-share on-demand" ;;
  view:--path) echo "words fp rp gp rg rw greedy e-cube north-last positive-hop negative-hop minimal-adaptive loose-hop balanced-e-cube" ;;
  view:--arrivals) echo "words geometric poisson on-off" ;;
  view:--injection) echo "words one-queue per-channel" ;;
  view:--pattern) echo "words random complement many-to-1 transpose bit-reversal bit-complement shuffle neighbour hotspot identity random-permutation packing spreading monotone tornado digit-neighbour diagonal asymmetric" ;;
  view:--scan) echo "words rr fo ff rot fcfs" ;;
  view:--channel-release) echo "words tail-gone tail-sent" ;;
  view:--discipline) echo "words worm phased" ;;
  events:--worm) echo "nothing" ;;
  cosim:--case) echo "cases" ;;
  cosim:--config | cosim:--worms | cosim:--waves | cosim:--cover | cosim:--rtl | cosim:--c) echo "files" ;;
  cosim:--build | cosim:--sim) echo "folders" ;;
  cosim:--task | cosim:--seed | cosim:--max-cycles | cosim:--jobs | cosim:--from | cosim:--to | cosim:--watch | cosim:--shrink) echo "nothing" ;;
  cosim:--side) echo "words both c rtl" ;;
  esac
}

_fatfly() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} how kind
  local command=${COMP_WORDS[1]}
  how=''
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W "run saturation sweep merge export plot model estimate import view events cosim --help --version" -- "$cur"))
    return
  fi
  # bash takes --name=value for three words.
  [ "$cur" = = ] && cur=''
  [ "$prev" = = ] && prev=${COMP_WORDS[COMP_CWORD - 2]}
  [[ $prev == --* ]] && how=$(_fatfly_value "$command" "$prev")
  if [[ -z $how && $cur == -* ]]; then
    how="words $(_fatfly_options "$command")"
  elif [ -z "$how" ]; then
    how=files
  fi
  kind=${how%% *}
  case $kind in
  words) COMPREPLY=($(compgen -W "${how#words }" -- "$cur")) ;;
  cases) COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" cosim --list 2>/dev/null)" -- "$cur")) ;;
  files) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
  folders) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
  esac
}
complete -F _fatfly fatfly
