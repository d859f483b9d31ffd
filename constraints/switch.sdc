# SPDX-License-Identifier: Apache-2.0
# switch.sdc - the clock of a switch or network alone (rtl/switch.v, rtl/network.v), for any tool that reads SDC.
# Set `period` to yours.  All ports belong to clk_i; in_room_o and the inputs of the queues are registers'
# own, out_room_i to out_valid_o and out_flit_o is the one path that goes through, so a link's two ends
# share the cycle: 70 % of it for the switch, 30 % outside.
set period 10.0
create_clock -name clk -period $period [get_ports clk_i]
set_input_delay  [expr 0.3 * $period] -clock clk [get_ports {rst_i seed_i* *_valid_i* *_flit_i* *_room_i*}]
set_output_delay [expr 0.3 * $period] -clock clk [get_ports {*_valid_o* *_flit_o* *_room_o*}]
