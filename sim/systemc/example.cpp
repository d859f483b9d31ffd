// SPDX-License-Identifier: Apache-2.0
// example.cpp - a leaf switch of N = 16 in SystemC: two worms from processors 0 and 1 to processor 2, which waits for two
// cycles.  Prints what arrives and writes example.vcd.  docs/systemc.md has the command.
#include "fatfly_systemc.h"

#include <cstdio>

using namespace sc_core;

using leaf = fatfly::fat_switch<1, 2, 32, fatfly::RP, fatfly::RR, 1, 2>;

enum { LENGTH = 4, CHILDREN = 4, FLIT = 34 };

SC_MODULE(bench)
{
    sc_clock clk{"clk", 10, SC_NS};
    sc_signal<bool> rst{"rst"};
    sc_signal<uint32_t> seed{"seed"}, in_valid{"in_valid"}, in_room{"in_room"}, out_valid{"out_valid"}, out_room{"out_room"};
    sc_signal<sc_dt::sc_bv<leaf::WIDE>> in_flit{"in_flit"}, out_flit{"out_flit"};
    sc_signal<sc_dt::sc_bv<leaf::PROBE_W>> probe{"probe"};
    leaf sw{"switch"};
    int sent[CHILDREN] = {};

    SC_CTOR(bench)
    {
        sw.clk_i(clk);
        sw.rst_i(rst);
        sw.seed_i(seed);
        sw.in_valid_i(in_valid);
        sw.in_flit_i(in_flit);
        sw.in_room_o(in_room);
        sw.out_valid_o(out_valid);
        sw.out_flit_o(out_flit);
        sw.out_room_i(out_room);
        sw.probe_o(probe);
        SC_METHOD(send);
        sensitive << clk.negedge_event();
        SC_METHOD(receive);
        sensitive << clk.posedge_event();
        dont_initialize();
    }

    int cycle() const { return static_cast<int>(sc_time_stamp() / clk.period()); }

    // A flit where there is room: {kind, payload}; a head says dst, src and height (docs/switch.md).
    void send()
    {
        sc_dt::sc_bv<leaf::WIDE> flit;
        uint32_t valid = 0;
        rst.write(cycle() == 0);
        seed.write(7);
        out_room.write(cycle() == 5 || cycle() == 6 ? 0 : 0x3f);
        for (int a = 0; a < 2 && cycle() > 0; a++) {
            if (sent[a] == LENGTH || !(in_room.read() >> a & 1))
                continue;
            const unsigned head = 2u | static_cast<unsigned>(a) << 4 | 1u << 8;
            const unsigned kind = (sent[a] == 0 ? 2u : 0u) | (sent[a] == LENGTH - 1 ? 1u : 0u);
            flit.range(FLIT * a + 31, FLIT * a) = sent[a] == 0 ? head : static_cast<unsigned>(16 * a + sent[a]);
            flit.range(FLIT * a + 33, FLIT * a + 32) = kind;
            valid |= 1u << a;
            sent[a]++;
        }
        in_valid.write(valid);
        in_flit.write(flit);
    }

    void receive()
    {
        if (out_valid.read() >> 2 & 1)
            printf("cycle %2d: processor 2 has flit 0x%02x\n", cycle(), out_flit.read().range(FLIT * 2 + 31, FLIT * 2).to_uint());
    }
};

int sc_main(int, char **)
{
    bench b("bench");
    sc_trace_file *file = sc_create_vcd_trace_file("example");
    file->set_time_unit(1, SC_NS);
    b.sw.trace(file);
    sc_start(140, SC_NS);
    sc_close_vcd_trace_file(file);
    return 0;
}
