# SPDX-License-Identifier: Apache-2.0
# once.awk - leaves out of Verilator's C++ the statements that set every variable to zero, hundreds of them: the object
# is filled with zeros at once, which takes an eighth less time to compile.  A statement that sets anything else stays.
#
# With -v falling=K, K the trigger of the falling edge, it leaves out what is done twice a cycle, too.
# Inputs are held from one falling edge to the next (held.awk), so:
# - a wire that depends on both an input and a register is computed at the falling edge alone, which comes before
#   anybody looks at it or a register takes it; what depends on registers alone is computed at the rising edge as before;
# - wires need not be computed before the first edge: every run begins with a reset, that is with both edges;
# - clk_i is the only clock and no register drives it, so that an evaluation looks for an edge once, not until none is
#   left; and nobody prints, so that no messages are passed on after it.
/^VL_ATTR_COLD void .*___ctor_var_reset(_[0-9]+)?\(.*\* vlSelf\) \{$/ {
  print
  if (!/___ctor_var_reset_/)
    print "    char* const from = reinterpret_cast<char*>(vlSelf) + sizeof(VerilatedModule);\n" \
          "    memset(from, 0, reinterpret_cast<const char*>(&vlSelf->vlSymsp) - from);"
  zero = 1
  next
}
zero && (/^ *vlSelf->[A-Za-z0-9_]+(\[[A-Za-z0-9_]+\])* = 0;$/ || /^ *VL_ZERO_(RESET_)?W\([0-9]+, vlSelf->[A-Za-z0-9_]+(\[[A-Za-z0-9_]+\])*\);$/) { next }
zero && /^}/ { zero = 0 }
falling == "" { print; next }
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
