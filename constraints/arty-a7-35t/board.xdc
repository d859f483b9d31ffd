# SPDX-License-Identifier: Apache-2.0
# Digilent Arty A7-35T, XC7A35TICSG324-1L.  Pins: Digilent/digilent-xdc
# Arty-A7-35-Master.xdc; leds 0 to 3 are LD4 to LD7.
set_property -dict {PACKAGE_PIN E3 IOSTANDARD LVCMOS33} [get_ports clk100_i]
create_clock -name clk100 -period 10.000 [get_ports clk100_i]
create_generated_clock -name clk25 -source [get_ports clk100_i] -divide_by 4 [get_pins u_clk25/O]
set_property -dict {PACKAGE_PIN D9 IOSTANDARD LVCMOS33} [get_ports btn0_i]
set_false_path -from [get_ports btn0_i]
set_property -dict {PACKAGE_PIN H5 IOSTANDARD LVCMOS33} [get_ports {led_o[0]}]
set_property -dict {PACKAGE_PIN J5 IOSTANDARD LVCMOS33} [get_ports {led_o[1]}]
set_property -dict {PACKAGE_PIN T9 IOSTANDARD LVCMOS33} [get_ports {led_o[2]}]
set_property -dict {PACKAGE_PIN T10 IOSTANDARD LVCMOS33} [get_ports {led_o[3]}]
set_false_path -to [get_ports led_o*]
set_property CFGBVS VCCO [current_design]
set_property CONFIG_VOLTAGE 3.3 [current_design]
