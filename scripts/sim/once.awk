# SPDX-License-Identifier: Apache-2.0
# once.awk - leaves out of Verilator's C++ what is done twice a cycle, with -v falling=K, K the trigger of the
# falling edge.  Inputs are held from one falling edge to the next (held.awk), so:
# - a wire that depends on both an input and a register is computed at the falling edge alone, which comes before
#   anybody looks at it or a register takes it; what depends on registers alone is computed at the rising edge as before;
# - wires need not be computed before the first edge: every run begins with a reset, that is with both edges;
# - clk_i is the only clock and no register drives it, so that an evaluation looks for an edge once, not until none is
#   left; and nobody prints, so that no messages are passed on after it.
/^VL_ATTR_COLD void .*___stl_(sequent|comb)__.*\) \{$/ { print $0 "}"; skip = 1; next }
skip { if (/^}/) skip = 0; next }
# Two triggers, those of clk_i, and no loop for inputs.
/^void .*___eval\(.*\) \{$/ { text = ""; loops = 0; held = 1 }
held {
  text = text $0 "\n"
  if (/VlTriggerVec<2> __VpreTriggered;/) loops++
  if (/_ico/) loops = 9
  if (!/^}/) next
  held = 0
  root = text
  sub(/___eval\(.*/, "", root)
  sub(/^void /, "", root)
  if (loops != 1)
    printf "%s", text
  else
    printf "void %s___eval(%s* vlSelf) {\n    %s___eval_triggers__act(vlSelf);\n    vlSelf->__VnbaTriggered = vlSelf->__VactTriggered;\n" \
           "    if (vlSelf->__VnbaTriggered.any()) %s___eval_nba(vlSelf);\n}\n", root, root, root, root
  next
}
/^ *Verilated::(mtaskId\(0\)|endOfThreadMTask\(.*\)|endOfEval\(.*\));$/ { next }
/if \(\(vlSelf->__VnbaTriggered\.at\(0U\) \| vlSelf->__VnbaTriggered\.at\(1U\)\)\) \{/ {
  sub(/if .*/, "if (vlSelf->__VnbaTriggered.at(" falling "U)) {")
}
{ print }
