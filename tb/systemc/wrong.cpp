// SPDX-License-Identifier: Apache-2.0
// wrong.cpp - modules that are used wrongly; each ends with one message.  usage: wrong WHAT
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
    else if (is("right"))
        bench<fat_switch<>>().send(1, 2);
    else
        return 2;
    return 0;
}
