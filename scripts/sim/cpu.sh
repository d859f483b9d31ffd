#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cpu.sh - where the CPU time of a command goes: cpu.sh LOG COMMAND...
#
# Runs COMMAND with the compilers, Verilator and what else builds replaced by calls that note what they used.  LOG gets a
# line a call: tool, CPU seconds, wall seconds, what it makes.  At the end a line a tool, then all of the command.
# What a tool calls is a part of it.  Example: scripts/sim/cpu.sh build/cpu.txt make cosim BUILD=build/fresh
set -u
[ $# -ge 2 ] || { echo "usage: cpu.sh LOG COMMAND..." >&2; exit 2; }
log=$(realpath -m "$1")
shift
mkdir -p "$(dirname "$log")" && : >"$log" || exit 4
bin=$(mktemp -d) || exit 4
trap 'rm -rf "$bin"' EXIT
for tool in gcc g++ verilator verilator_bin ar awk python3; do
  real=$(command -v $tool) || continue
  cat >"$bin/$tool" <<EOS
#!/bin/bash
for a; do case \${last:-} in -o | --prefix) out=\$a ;; esac; last=\$a; done
PATH=\${PATH//"$bin:"/}
TIMEFORMAT='%U %S %R'
{ time "$real" "\$@" 2>&3; } 3>&2 2>"$bin/\$\$.time"
code=\$?
read -r user system wall <"$bin/\$\$.time"
rm -f "$bin/\$\$.time"
printf '%s %s %s %s %s\n' $tool "\$user" "\$system" "\$wall" "\${out:-?}" >>"$log"
exit \$code
EOS
  chmod +x "$bin/$tool"
done
TIMEFORMAT='%U %S %R'
{ time PATH=$bin:$PATH "$@" 2>&3; } 3>&2 2>"$bin/all"
code=$?
awk -v log_name="$log" '
  FILENAME == log_name { n[$1]++; cpu[$1] += $2 + $3; known += $2 + $3; print $1, $2 + $3, $4, $5 > log_name ".part"; next }
  { for (t in n) printf "%-10s %8.1f s of CPU in %d calls\n", t, cpu[t], n[t] | "sort -k2nr"
    close("sort -k2nr")
    printf "%-10s %8.1f s\n%-10s %8.1f s of CPU, %.1f s by the clock\n", "the rest", $1 + $2 - known, "all", $1 + $2, $3 }' \
  "$log" "$bin/all"
mv "$log.part" "$log"
exit $code
