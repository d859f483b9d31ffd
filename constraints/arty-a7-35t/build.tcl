# SPDX-License-Identifier: Apache-2.0
# build.tcl - the bitstream by Vivado, from the project's root:
#   vivado -mode batch -source constraints/arty-a7-35t/build.tcl
# Never run by this project's tests: Vivado is not an open tool.
set out build/bitstream/arty-a7-35t
file mkdir $out
read_verilog [concat [glob rtl/*.v] [glob rtl/fast/*.v] [glob rtl/board/*.v] constraints/arty-a7-35t/top.v]
read_xdc constraints/arty-a7-35t/board.xdc
synth_design -top top -part xc7a35ticsg324-1L -include_dirs {rtl rtl/fast}
opt_design
place_design
route_design
report_utilization -file $out/utilization.txt
report_timing_summary -file $out/timing.txt
if {[get_property SLACK [get_timing_paths]] < 0} { error "timing is missed: $out/timing.txt" }
write_bitstream -force $out/top.bit
