// SPDX-License-Identifier: Apache-2.0
// wrong.cpp - modules that are used wrongly; each ends with one message.  usage: wrong WHAT
#include "dut.h"
#include "fatfly_systemc.h"

#include <cstring>

using namespace fatfly;

namespace {

// A module with all its pins bound, but those that leave_out says, for a few cycles.
template <class M> struct bench {
    sc_core::sc_clock clk{"clk", 10, sc_core::SC_NS};
    sc_core::sc_signal<bool> rst{"rst"};
    sc_core::sc_signal<uint32_t> seed{"seed"};
    sc_core::sc_signal<pin<M::VALID_W>> in_valid{"in_valid"}, in_room{"in_room"}, out_valid{"out_valid"}, out_room{"out_room"};
    sc_core::sc_signal<pin<M::WIDE>> in_flit{"in_flit"}, out_flit{"out_flit"};
    sc_core::sc_signal<pin<M::PROBE_W>> probe{"probe"};
    M dut{"dut"};

    explicit bench(bool leave_out = false)
    {
        dut.clk_i(clk);
        dut.rst_i(rst);
        dut.seed_i(seed);
        dut.in_valid_i(in_valid);
        if (!leave_out)
            dut.in_flit_i(in_flit);
        dut.in_room_o(in_room);
        dut.out_valid_o(out_valid);
        dut.out_flit_o(out_flit);
        dut.out_room_i(out_room);
        dut.probe_o(probe);
    }
    void send(pin<M::VALID_W> valid, int cycles)
    {
        rst = true;
        sc_core::sc_start(20, sc_core::SC_NS);
        rst = false;
        in_valid = valid;
        sc_core::sc_start(10 * cycles, sc_core::SC_NS);
    }
};

// As many bits of probe_o as the C model shows: of one switch, and of networks of one to three levels.
template <int VCS, int DEPTH, int FLIT_W, int SCAN> bool same_widths()
{
    const auto same = [](bool whole, unsigned levels, int bits) {
        dut_shape shape = {};
        shape.network = whole;
        shape.params = {VCS, DEPTH, FLIT_W, static_cast<path_select>(RP), static_cast<scan_order>(SCAN), 1, levels};
        const bool right = dut_probe_words(&shape) * 32 == static_cast<unsigned>(bits);
        if (!right)
            std::cout << (whole ? "network" : "switch") << ", V = " << VCS << ", scan " << SCAN << ": " << bits << " bits\n";
        return right;
    };
    return same(false, 3, fat_switch<VCS, DEPTH, FLIT_W, RP, SCAN>::PROBE_W) &&
           same(true, 1, network<1, VCS, DEPTH, FLIT_W, RP, SCAN>::PROBE_W) && same(true, 2, network<2, VCS, DEPTH, FLIT_W, RP, SCAN>::PROBE_W) &&
           same(true, 3, network<3, VCS, DEPTH, FLIT_W, RP, SCAN>::PROBE_W);
}
template <int SCAN> bool same_widths_of()
{
    return same_widths<1, 2, 32, SCAN>() && same_widths<2, 3, 17, SCAN>() && same_widths<4, 16, 64, SCAN>();
}

} // namespace

int sc_main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    const auto is = [what](const char *name) { return strcmp(what, name) == 0; };

    if (is("unbound"))
        bench<fat_switch<>>(true).send(0, 1);
    else if (is("vcs"))
        bench<fat_switch<3>>().send(0, 1);
    else if (is("depth"))
        bench<fat_switch<1, 17>>().send(0, 1);
    else if (is("narrow"))
        bench<fat_switch<1, 2, 16, FP, RR, 1, 5>>().send(0, 1);
    else if (is("path"))
        bench<fat_switch<1, 2, 32, 5>>().send(0, 1);
    else if (is("levels"))
        network<6> too_large("network");
    else if (is("room"))
        bench<fat_switch<>>().send(1, 4); // the third flit
    else if (is("two"))
        bench<fat_switch<2>>().send(3, 1);
    else if (is("widths"))
        return same_widths_of<RR>() && same_widths_of<FO>() && same_widths_of<FF>() && same_widths_of<ROT>() && same_widths_of<FCFS>() ? 0 : 1;
    else if (is("right"))
        bench<fat_switch<>>().send(1, 2);
    else
        return 2;
    return 0;
}
