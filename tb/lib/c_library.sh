#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# c_library.sh - the C model as a library that stands in for the Verilog: fatfly cosim --rtl, --c.
#
# Usage: c_library.sh OUT cmodel|cube [SWITCH]   of fat-trees, or of tori and meshes; SWITCH: a folder in place of cmodel/switch
set -eu
cd "$(dirname "$0")/../.."
switch=${3:-cmodel/switch}
${CC:-gcc} -std=c11 -D_POSIX_C_SOURCE=200809L -DDUT_LIBRARY -O1 -w -shared -fPIC -Wl,-Bsymbolic -I"$switch" -Icmodel/network -Icmodel/base -Isim \
  "$switch"/*.c cmodel/network/*.c sim/dut.c "sim/dut_$2.c" -o "$1"
