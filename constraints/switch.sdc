# SPDX-License-Identifier: Apache-2.0
# switch.sdc - the clock of a switch or network alone (rtl/switch.v, rtl/network.v), for any tool that reads SDC.
# Set `period` to yours.  All ports belong to clk_i.  The ends of a link share the cycle, so that two switches that
# both keep this file can be joined: a flit has 70 % of it in the switch that sends it and 30 % in the one that takes
# it, in_room_o 30 % in its switch, and out_room_i 70 % at the far end, of which the one path that goes through, from
# out_room_i to out_valid_o and out_flit_o, has 40 %.
set period 10.0
create_clock -name clk -period $period [get_ports clk_i]
set_input_delay  [expr 0.7 * $period] -clock clk [get_ports {*_valid_i* *_flit_i*}]
set_input_delay  [expr 0.3 * $period] -clock clk [get_ports {rst_i seed_i* *_room_i*}]
set_output_delay [expr 0.3 * $period] -clock clk [get_ports {*_valid_o* *_flit_o*}]
set_output_delay [expr 0.7 * $period] -clock clk [get_ports {*_room_o*}]
