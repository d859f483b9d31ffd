# SPDX-License-Identifier: Apache-2.0
# held.awk - writes TOP_held around the module TOP that it reads: inputs change at the falling edge of clk_i.
#
# An input of a Verilated top may change at any time, so Verilator makes what depends on inputs twice, once for
# inputs and once for the rising edge, and works out both at each of its two evaluations a cycle.  Inputs that
# change at an edge, too, are like registers: a fifth less code, and 10 to 30 % less time, of those measured.
!on && /^`include/ { print }
/^module / {
  on = 1
  top = $2
  sub("module " top, "module " top "_held")
}
on == 1 { print }
on == 1 && /^ *parameter/ {
  line = $0
  sub(/ *=.*/, "", line)
  n = split(line, word, / +/)
  parameters = parameters (parameters ? ", ." : ".") word[n] "(" word[n] ")"
}
on == 1 && /^ *(input|output) / {
  line = $0
  sub(/ *\/\/.*/, "", line)
  sub(/,? *$/, "", line)
  n = split(line, word, / +/)
  name = word[n]
  from = name
  if (line ~ /input/ && name != "clk_i") {
    from = name "_q"
    range = match(line, /\[.*\]/) ? substr(line, RSTART, RLENGTH) " " : ""
    held = held "  reg " range from ";\n  always @(negedge clk_i) " from " <= " name ";\n"
  }
  ports = ports (ports ? ", ." : ".") name "(" from ")"
}
on == 1 && /^\);/ {
  on = 2
  printf "%s  %s #(%s) u_top (%s);\nendmodule\n`default_nettype wire\n", held, top, parameters, ports
}
