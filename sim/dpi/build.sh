#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# build.sh - the example bench with the C model as golden reference, by Verilator.
#
# usage: build.sh FOLDER [VERILATOR OPTION]...   makes FOLDER/Vexample; RTL=rtl, DPI=sim/dpi, CC, VERILATOR
# OBJECTS: the C model and its calls, where they are compiled already.
set -eu
cd "$(dirname "$0")/../.."
folder=$(realpath -m "$1")
shift
rtl=${RTL:-rtl}
dpi=${DPI:-sim/dpi}
verilator=${VERILATOR:-verilator}
include=$("$verilator" --getenv VERILATOR_ROOT)/include
mkdir -p "$folder"
objects=${OBJECTS-}
[ -n "$objects" ] || for c in sim/dpi/fatfly_dpi.c cmodel/switch/*.c; do
  o=$folder/$(basename "$c" .c).o
  ${CC:-gcc} -std=c11 -O2 -Wall -Wextra -Icmodel/switch -isystem "$include/vltstd" -c "$c" -o "$o"
  objects+=" $o"
done
# All in one file: the headers cost more than the code.
"$verilator" --binary --build-jobs "${JOBS:-1}" -Wall -Wno-TIMESCALEMOD -Wno-DECLFILENAME -Wno-UNUSED -Wno-PINCONNECTEMPTY -Wno-BLKSEQ -Wno-INITIALDLY \
  --top-module example -Mdir "$folder" -I"$rtl" -I"$rtl/fast" -MAKEFLAGS "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0 VM_PARALLEL_BUILDS=0" -LDFLAGS "$objects" "$@" \
  "$dpi/example.sv" "$dpi/fatfly_checker.sv"
