# SPDX-License-Identifier: Apache-2.0
# The 27 MHz oscillator of the Tang Nano 9K.
create_clock -name clk27 -period 37.037 [get_ports {clk27_i}]
