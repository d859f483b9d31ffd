#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# icarus.sh - benches under Icarus Verilog; sourced by tests, at the root of the tree.

# thinned FILE WORD...: Icarus compiles WORD... to FILE, without what costs time and changes nothing (thin.awk).
thinned() {
  "${IVERILOG:-iverilog}" -g2005 -o "$1.all" "${@:2}" && awk -f tb/lib/thin.awk "$1.all" "$1.all" >"$1" && rm "$1.all"
}
