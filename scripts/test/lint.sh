#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# lint.sh - every module as its own top under Verilator -Wall, Icarus -Wall and Yosys; the scripts under shellcheck
# and the C sources under clang-tidy where these are there.  Ends with `N passed, N failed`.
#
# usage: lint.sh [modules]   modules: without the shapes of switches and networks
set -u
cd "$(dirname "$0")/../.." || exit 4
build=${BUILD:-build}
mkdir -p "$build/lint"
rm -f "$build"/lint/*.log
# What `verilator` calls, without that Perl script, which takes 0.05 s of each of 200 calls.
verilator=${VERILATOR:-verilator}
if command -v "${verilator}_bin" >/dev/null 2>&1; then
  VERILATOR_ROOT=$("$verilator" --getenv VERILATOR_ROOT)
  export VERILATOR_ROOT
  verilator=${verilator}_bin
fi
number=0

# As many at once as there are processors; a line as each ends.
try() { # NAME COMMAND...
  number=$((number + 1))
  [ "$(jobs -rp | wc -l)" -lt "${JOBS:-$(nproc)}" ] || wait -n
  attempt "$build/lint/$number.log" "$@" &
}

attempt() { # LOG NAME COMMAND...
  local log=$1 name=$2
  shift 2
  if "$@" >"$log" 2>&1 && ! [ -s "$log" ]; then
    echo "PASS $name"
    rm "$log"
  else
    printf 'FAIL %s: %s\n%s\n' "$name" "$*" "$(head -n 20 "$log")"
  fi
}

quiet_yosys() { ${YOSYS:-yosys} -q -p "$1" 2>&1; }

# Names before their declarations, which none of these tools minds; one that is planted is seen.
try "declared before use" python3 -B tb/rtl/declared.py rtl/*.v rtl/*/*.v tb/formal/*.v tb/axis/*.v tb/board/*.v docs/template.v constraints/*/*.v
late() {
  sed '/^  wire \[31:0\]  *random;/d; s/^  wire unused = .*/&\n  wire [31:0] random;/' rtl/fast/switch_fast.v >"$build/lint/late.v"
  python3 -B tb/rtl/declared.py "$build/lint/late.v" | grep -q ': random is declared further down$'
}
try "planted: a name before its declaration" late
# What a synthesizer reads otherwise than a simulator; each kind is seen where it is planted.
try "the same to simulators and synthesizers" python3 -B tb/rtl/alike.py rtl/*.v rtl/*.vh rtl/*/*.v rtl/*/*.vh constraints/*/*.v docs/template.v
other() { # KIND LINE
  local file=$build/lint/other.$BASHPID.v
  { cat rtl/route.v && printf '%s\n' "$2"; } >"$file"
  python3 -B tb/rtl/alike.py "$file" >"$file.out"
  grep -qF "$file:$(wc -l <"$file"): $1: " "$file.out"
}
while IFS='|' read -r kind line; do
  try "planted: $kind: $line" other "$kind" "$line"
done <<'END'
an attribute|(* parallel_case *) case (1'b1)
an attribute|(* full_case, keep_hierarchy *)
an order to a synthesizer|// synthesis translate_off
an order to a synthesizer|case (x) /* synopsys full_case */
casex or casez|casez (x) 2'b1?: y = 1;
a comparison with x|assign y = x === 1'b1;
a digit x or z|assign y = x ? 4'bx0 : 4'd1;
initial|initial y = 1;
a delay|always @(posedge clk_i) y <= #1 x;
a system task|always @* if ($test$plusargs("x")) y = 1;
a condition|`ifdef SYNTHESIS
a condition|`ifndef YOSYS
END
for module in rtl/*.v rtl/fast/*.v; do
  top=$(basename "$module" .v)
  try "verilator $top" "$verilator" --lint-only -Wall -Irtl -Irtl/fast --top-module "$top" "$module"
  try "iverilog $top" "${IVERILOG:-iverilog}" -g2005 -Wall -Irtl -Irtl/fast -y rtl -y rtl/fast -s "$top" -o "$build/lint/$top.vvp" "$module"
  try "yosys $top" quiet_yosys \
    "read_verilog -defer -Irtl -Irtl/fast rtl/*.v rtl/fast/*.v; hierarchy -check -top $top; proc; check -assert; select -assert-none t:\$dlatch t:\$_DLATCH_*"
done

for module in rtl/cube/*.v; do
  top=$(basename "$module" .v)
  try "verilator $top" "$verilator" --lint-only -Wall -Irtl -Irtl/fast -Irtl/cube --top-module "$top" "$module"
  try "iverilog $top" "${IVERILOG:-iverilog}" -g2005 -Wall -Irtl -Irtl/fast -y rtl -y rtl/fast -y rtl/cube -s "$top" -o "$build/lint/$top.vvp" "$module"
  try "yosys $top" quiet_yosys \
    "read_verilog -defer -Irtl -Irtl/fast rtl/*.v rtl/fast/*.v rtl/cube/*.v; hierarchy -check -top $top; proc; check -assert; select -assert-none t:\$dlatch t:\$_DLATCH_*"
done

for f in tb/formal/*_formal.v; do
  top=$(basename "$f" .v)
  try "verilator $top" "$verilator" --lint-only -Wall -Irtl -Irtl/fast -Irtl/cube -Itb/formal --top-module "$top" "$f"
done

shapes() {
  # The parameters that change the structure, with and without the debug bundle.
  for vcs in 1 2 4; do
    for scan in 0 1 2 3 4; do
      for path in 0 1 2 3 4; do # RW, 4, has the reference alone
        level=$(((scan + path + vcs) % 3 + 1)) depth=$(((scan + vcs) % 4 + 1)) width=$((16 + 16 * (path % 4)))
        probe=$(((scan + path) % 2))
        set -- -GVCS=$vcs -GSCAN=$scan -GPATH=$path -GLEVEL=$level -GDEPTH=$depth -GFLIT_W=$width -GPROBE=$probe
        try "verilator switch_ref $*" "$verilator" --lint-only -Wall -Irtl --top-module switch_ref "$@" rtl/switch_ref.v
        case $vcs:$path:$scan in # the others have the reference
          [12]:[0-3]:* | 4:1:0) try "verilator switch $*" "$verilator" --lint-only -Wall -Irtl -Irtl/fast --top-module switch "$@" rtl/switch.v ;;
        esac
      done
    done
  done
  for shape in '2 1 0 2 1' '3 1 0 3 3' '3 0 1 3 2' '4 1 1 3 2' '5 0 0 1 4' '5 0 1 5 2' '8 1 1 5 1' '16 1 1 9 2' '16 0 0 9 16'; do
    read -r k torus nhop vcs depth <<<"$shape"
    set -- "-GK=$k" "-GTORUS=$torus" "-GNHOP=$nhop" "-GVCS=$vcs" "-GDEPTH=$depth" "-GSCAN=$((depth % 2))" \
      "-GPROBE=$((k % 2))" "-GFLIT_W=$((15 + k))"
    try "verilator cube $*" "$verilator" --lint-only -Wall -Irtl -Irtl/fast -Irtl/cube --top-module cube "$@" rtl/cube/cube.v
    [ $((k * k * vcs)) -gt 48 ] || try "verilator cube_network $*" "$verilator" --lint-only -Wall -Irtl -Irtl/fast -Irtl/cube \
      --top-module cube_network "$@" rtl/cube/cube_network.v
  done
  for levels in 1 2 3; do
    try "verilator network LEVELS=$levels" "$verilator" --lint-only -Wall -Irtl -Irtl/fast --top-module network -GLEVELS=$levels rtl/network.v
  done
  # Of N = 256 network.v itself, with switches that are empty: full ones take half a minute.
  { sed '/^);$/q' rtl/switch.v && echo '  assign {in_room_o, out_valid_o, out_flit_o, probe_o} = 0;' && echo endmodule; } >"$build/lint/empty.v"
  printf '`verilator_config\nlint_off -file "*/empty.v"\n' >"$build/lint/empty.vlt"
  try "verilator network LEVELS=4, empty switches" "$verilator" --lint-only -Wall -Irtl --top-module network -GLEVELS=4 \
    "$build/lint/empty.vlt" "$build/lint/empty.v" rtl/network.v
  try "iverilog network N=64" "${IVERILOG:-iverilog}" -g2005 -Wall -Irtl -Irtl/fast -y rtl -y rtl/fast -s network \
    -Pnetwork.LEVELS=3 -o "$build/lint/n64.vvp" rtl/network.v
  try "yosys network N=16, V=2, FCFS" quiet_yosys \
    "read_verilog -defer -Irtl -Irtl/fast rtl/*.v rtl/fast/*.v; hierarchy -check -top network -chparam LEVELS 2 -chparam VCS 2 -chparam SCAN 4; proc; check -assert"

  # Of N = 1024 the switches; Yosys takes 12 s for network.v, which the step wiring has it check.
  printf 'module levels;\n' >"$build/lint/levels.v"
  for level in 1 2 3 4 5; do echo "  switch #(.LEVEL($level), .LEVELS(5)) u$level ();" >>"$build/lint/levels.v"; done
  echo endmodule >>"$build/lint/levels.v"
  try "yosys switches of N=1024" quiet_yosys \
    "read_verilog -defer -Irtl -Irtl/fast rtl/*.v rtl/fast/*.v $build/lint/levels.v; hierarchy -check -top levels; proc; check -assert"
}
[ "${1:-}" = modules ] || shapes

if command -v shellcheck >/dev/null 2>&1; then
  for script in scripts/*.sh scripts/*/*.sh tb/*/*.sh .ci/run; do
    try "shellcheck $script" shellcheck -x "$script"
  done
fi

# What .clang-tidy names: most of all, products that are computed in too few bits.
tidy() { # FILE...
  local d
  local -a in=(-Icmodel -Isim -isystem "${VERILATOR_ROOT:-$("$verilator" --getenv VERILATOR_ROOT)}/include/gtkwave")
  for d in cmodel/*/; do in+=("-I$d"); done
  clang-tidy --quiet --config-file=.clang-tidy "$@" -- -std=c11 -D_POSIX_C_SOURCE=200809L "${in[@]}" 2>/dev/null
}
found() { # RULE LINE
  local file=$build/lint/planted.$BASHPID.c
  printf '#include <stdint.h>\n%s\n' "$2" >"$file"
  tidy "$file" | grep -q "\[$1,"
}
if command -v clang-tidy >/dev/null 2>&1; then
  for folder in cmodel/*/ sim/ sim/view/; do
    ! compgen -G "$folder*.c" >/dev/null || try "clang-tidy $folder" tidy "$folder"*.c
  done
  while read -r rule line; do
    try "clang-tidy finds $line" found "$rule" "$line"
  done <<'END'
bugprone-implicit-widening-of-multiplication-result uint64_t f(uint32_t a, uint32_t b) { return 2 * a * b; }
bugprone-implicit-widening-of-multiplication-result uint64_t f(uint32_t a, uint64_t b) { uint32_t c = (uint32_t)b; return a * c / (b + 1); }
bugprone-implicit-widening-of-multiplication-result double *f(double *x, unsigned a, unsigned b) { return &x[a * b]; }
bugprone-too-small-loop-variable int f(uint32_t n) { int s = 0; for (uint8_t k = 0; k < n; k++) s += k; return s; }
bugprone-misplaced-widening-cast uint64_t f(uint32_t a, uint32_t b) { return (uint64_t)(a * b); }
bugprone-integer-division double f(int a, int b) { return a / b; }
END
else
  echo 'SKIP clang-tidy: not installed; scripts/setup.sh extra installs it'
fi
wait
failed=$(find "$build/lint" -name '*.log' | wc -l)
echo "$((number - failed)) passed, $failed failed"
[ "$failed" = 0 ]
