// SPDX-License-Identifier: Apache-2.0
// fatfly.f - the sources for `verilator -f` and `iverilog -f` in the root of the repository.
// From elsewhere, with P the path of the repository:
//   sed -e "s|rtl/|$P/rtl/|" -e "s|+rtl\$|+$P/rtl|" $P/rtl/fatfly.f > fatfly.f
// Tops: fatfly_switch and fatfly_switch_lanes (AXI4-Stream), switch, network; cube, cube_network.
+incdir+rtl
+incdir+rtl/axis
rtl/arbiter.v
rtl/fifo.v
rtl/lfsr.v
rtl/network.v
rtl/order.v
rtl/pick.v
rtl/port.v
rtl/route.v
rtl/scan.v
rtl/switch.v
rtl/switch_ref.v
rtl/fast/fifo_fast.v
rtl/fast/gate.v
rtl/fast/gather.v
rtl/fast/keep.v
rtl/fast/lead.v
rtl/fast/link.v
rtl/fast/link_one.v
rtl/fast/parents.v
rtl/fast/pick_apart.v
rtl/fast/port_fast.v
rtl/fast/port_one.v
rtl/fast/port_pair.v
rtl/fast/reach.v
rtl/fast/scan_fast.v
rtl/fast/switch_fast.v
rtl/axis/fatfly_switch.v
rtl/axis/fatfly_switch_lanes.v
rtl/cube/cube.v
rtl/cube/cube_network.v
rtl/cube/cube_one.v
rtl/cube/cube_port.v
rtl/cube/cube_route.v
