// SPDX-License-Identifier: Apache-2.0
// equal.cpp - the modules of sim/systemc and `verilator --sc` of the Verilog in one simulation, compared in every cycle.
//
// usage: equal FOLDER [CYCLES]   FOLDER: where files go; CYCLES of random worms, 10000.  Writes FOLDER/c.vcd and FOLDER/rtl.vcd,
// both sides of the first switch.  EQUAL_ONE: another switch alone, for planted bugs.
#include "Vtwo.h"
#ifndef EQUAL_ONE
#include "Vfive.h"
#include "Vfour.h"
#include "Vnet.h"
#include "Vsw.h"
#endif
#include "rig.h"

#include <cstdlib>
#include <memory>
#include <verilated_vcd_sc.h>

using namespace fatfly;

namespace {

std::vector<std::unique_ptr<sc_core::sc_module>> modules;
std::vector<rigs::rig_base *> all;

template <class M, class... ARGS> M &make(const std::string &name, ARGS... args)
{
    auto owned = std::make_unique<M>(name.c_str(), args...);
    M &m = *owned;
    modules.push_back(std::move(owned));
    return m;
}

std::string numbered(const char *name)
{
    static unsigned count;
    return std::string(name) + std::to_string(count++);
}

struct settings {
    std::string folder;
    unsigned cycles;
    sc_core::sc_clock &clock;
};

// A switch or network of its own Verilated class, on the cases named.
template <class C, class V> std::pair<C *, V *> pair(const settings &s, const char *shape, std::initializer_list<const char *> cases)
{
    std::pair<C *, V *> last;
    for (const char *what : cases) {
        auto &r = make<rigs::rig<C::VALID_W, C::WIDE, C::PROBE_W>>(numbered("rig"), shape, what, s.cycles, s.folder);
        auto &c = make<C>(numbered("c"));
        auto &v = make<V>(numbered("rtl"));
        r.clk_i(s.clock);
        r.bind(c, r.c);
        r.bind(v, r.rtl);
        all.push_back(&r);
        last = {&c, &v};
    }
    return last;
}

#ifndef EQUAL_ONE
const char *const path_names_[] = {"fp", "rp", "gp", "rg", "rw"};
const char *const scan_names_[] = {"rr", "fo", "ff", "rot", "fcfs"};

// The switch of that path selection, with the scan that it has there.
template <int PATH> void one_path(const settings &s, Vfive &v, const char *what)
{
    constexpr int SCAN = (PATH + 2) % 5;
    using C = fat_switch<1, 2, 32, PATH, SCAN, 2, 3>;
    const std::string shape = std::string("s2of3-v1-q2-w32-") + path_names_[PATH] + "-" + scan_names_[SCAN];
    auto &r = make<rigs::rig<C::VALID_W, C::WIDE, C::PROBE_W>>(numbered("rig"), shape.c_str(), what, s.cycles, s.folder);
    auto &c = make<C>(numbered("c"));
    r.clk_i(s.clock);
    r.bind(c, r.c);
    r.bind_array(v.rst_i[PATH], v.seed_i[PATH], v.in_valid_i[PATH], v.in_flit_i[PATH], v.in_room_o[PATH],
                 v.out_valid_o[PATH], v.out_flit_o[PATH], v.out_room_i[PATH], r.rtl);
    all.push_back(&r);
}

// Each path selection and each scan once (switches.sv).
void five(const settings &s)
{
    for (const char *what : {"directed", "random"}) {
        auto &v = make<Vfive>(numbered("rtl"));
        v.clk_i(s.clock);
        one_path<FP>(s, v, what);
        one_path<RP>(s, v, what);
        one_path<GP>(s, v, what);
        one_path<RG>(s, v, what);
        one_path<RW>(s, v, what);
    }
}

// The pins of both sides of one switch, each by its own means.
struct traces {
    sc_core::sc_trace_file *c;
    VerilatedVcdSc rtl;

    traces(const std::string &folder, const fat_switch<1, 2, 32, RP, RR, 1, 3, 1> &sw, Vsw &v)
        : c(sc_core::sc_create_vcd_trace_file((folder + "/c").c_str()))
    {
        c->set_time_unit(1, sc_core::SC_PS);
        sw.trace(c);
        sc_core::sc_start(sc_core::SC_ZERO_TIME); // the Verilated trace begins after the elaboration
        v.trace(&rtl, 1);
        rtl.open((folder + "/rtl.vcd").c_str());
    }
    void close()
    {
        sc_core::sc_close_vcd_trace_file(c);
        rtl.close();
    }
};
#endif

} // namespace

int sc_main(int argc, char **argv)
{
    if (argc < 2) {
        std::cout << "usage: equal FOLDER [CYCLES]\n";
        return 2;
    }
    sc_core::sc_clock clock("clock", 10, sc_core::SC_NS);
    const settings s{argv[1], argc > 2 ? static_cast<unsigned>(strtoul(argv[2], nullptr, 10)) : 10000, clock};
    bool failed = false;

    Verilated::traceEverOn(true);
#ifdef EQUAL_ONE
    pair<fat_switch<2, 3, 40, RG, FCFS, 2, 3>, Vtwo>(s, "s2of3-v2-q3-w40-rg-fcfs", {"random"});
#else
    const auto first = pair<fat_switch<1, 2, 32, RP, RR, 1, 3, 1>, Vsw>(s, "s1of3-v1-q2-w32-rp-rr", {"random", "directed"});
    pair<fat_switch<2, 3, 40, RG, FCFS, 2, 3>, Vtwo>(s, "s2of3-v2-q3-w40-rg-fcfs", {"directed", "random"});
    pair<fat_switch<4, 1, 64, GP, ROT, 3, 3>, Vfour>(s, "s3of3-v4-q1-w64-gp-rot", {"directed", "random"});
    five(s);
    pair<network<2>, Vnet>(s, "n16-v1-q2-w32-rp-rr", {"random", "fat16-random", "fat16-many-to-1", "fat16-complement"});
    traces waves(s.folder, *first.first, *first.second);
#endif

    for (bool running = true; running && !failed;) {
        sc_core::sc_start(1000, sc_core::SC_NS);
        running = false;
        for (const rigs::rig_base *r : all) {
            running |= !r->done();
            failed |= r->failed();
        }
        if (sc_core::sc_time_stamp() > sc_core::sc_time(1, sc_core::SC_MS)) {
            std::cout << "equal: no end after 10^5 cycles\n";
            failed = true;
        }
    }
#ifndef EQUAL_ONE
    waves.close();
#endif
    for (const rigs::rig_base *r : all)
        r->print();
    std::cout << (failed ? "the sides differ\n" : "the sides are equal\n");
    modules.clear();
    return failed;
}
