// SPDX-License-Identifier: Apache-2.0
// fatfly.f - the sources for `verilator -f` and `iverilog -f` in the root of the repository.
// From elsewhere, with P the path of the repository:
//   sed -e "s|rtl/|$P/rtl/|" -e "s|+rtl\$|+$P/rtl|" $P/rtl/fatfly.f > fatfly.f
// Tops: fatfly_switch (AXI4-Stream), switch, network; cube, cube_network.
+incdir+rtl
+incdir+rtl/axis
rtl/arbiter.v
rtl/fifo.v
rtl/gate.v
rtl/gather.v
rtl/keep.v
rtl/lead.v
rtl/lfsr.v
rtl/link.v
rtl/link_one.v
rtl/network.v
rtl/order.v
rtl/pick.v
rtl/pick_apart.v
rtl/port.v
rtl/port_one.v
rtl/port_pair.v
rtl/reach.v
rtl/route.v
rtl/scan.v
rtl/switch.v
rtl/axis/fatfly_switch.v
rtl/cube/cube.v
rtl/cube/cube_network.v
rtl/cube/cube_one.v
rtl/cube/cube_port.v
rtl/cube/cube_route.v
