# SPDX-License-Identifier: Apache-2.0
# once.awk - leaves out of Verilator's C++ what computes a wire twice a cycle, with -v falling=K, K the trigger of the
# falling edge.  Inputs are held from one falling edge to the next (held.awk), so:
# - a wire that depends on both an input and a register is computed at the falling edge alone, which comes before
#   anybody looks at it or a register takes it; what depends on registers alone is computed at the rising edge as before;
# - wires need not be computed before the first edge: every run begins with a reset, that is with both edges.
/^VL_ATTR_COLD void .*___stl_(sequent|comb)__.*\) \{$/ { print $0 "}"; skip = 1; next }
skip { if (/^}/) skip = 0; next }
/if \(\(vlSelf->__VnbaTriggered\.at\(0U\) \| vlSelf->__VnbaTriggered\.at\(1U\)\)\) \{/ {
  sub(/if .*/, "if (vlSelf->__VnbaTriggered.at(" falling "U)) {")
}
{ print }
