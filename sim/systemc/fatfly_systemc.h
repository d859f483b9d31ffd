// SPDX-License-Identifier: Apache-2.0
// fatfly_systemc.h - the switch and the network as SystemC modules around the C model, cycle-true.
//
// fat_switch has the pins of rtl/switch.v and network those of rtl/network.v: names, order of the bits,
// parameters with their defaults, and the types that `verilator --sc` gives them, so that one can stand
// where the other stood.  docs/systemc.md has an example and what is tested.
//
// Registers change at rising edges of clk_i; out_valid_o and out_flit_o follow out_room_i within a cycle.
// Until the first reset all outputs are zero.  What is wrong is an SC_ERROR with one line: parameters that
// no switch has, and at a rising edge a flit where there is no room or on two channels of a link at once.
#ifndef FATFLY_SYSTEMC_H
#define FATFLY_SYSTEMC_H

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <type_traits>
#include <vector>

namespace fatfly {

// The parent that a head which goes up wants, and who of several inputs gets an output, as in rtl/flit.vh.
enum path { FP, RP, GP, RG, RW };
enum scan { RR, FO, FF, ROT, FCFS };

// The type of a pin of so many bits.
template <int BITS>
using pin = std::conditional_t<
    BITS <= 1, bool,
    std::conditional_t<BITS <= 32, uint32_t,
                       std::conditional_t<BITS <= 64, uint64_t, sc_dt::sc_bv<(BITS > 64 ? BITS : 65)>>>>;

struct parameters {
    bool network; // else a switch
    int vcs, depth, flit_w, path, scan, level, levels;
};

using words = std::vector<uint32_t>; // of a pin, bit 0 first

inline void take(words &to, bool from) { to[0] = from; }
inline void take(words &to, uint32_t from) { to[0] = from; }
inline void take(words &to, uint64_t from)
{
    to[0] = static_cast<uint32_t>(from);
    to[1] = static_cast<uint32_t>(from >> 32);
}
template <int BITS> void take(words &to, const sc_dt::sc_bv<BITS> &from)
{
    for (int k = 0; k < from.size(); k++)
        to[static_cast<size_t>(k)] = from.get_word(k);
}

inline void give(bool &to, const words &from) { to = from[0] & 1; }
inline void give(uint32_t &to, const words &from) { to = from[0]; }
inline void give(uint64_t &to, const words &from) { to = from[0] | static_cast<uint64_t>(from[1]) << 32; }
template <int BITS> void give(sc_dt::sc_bv<BITS> &to, const words &from)
{
    for (int k = 0; k < to.size(); k++)
        to.set_word(k, from[static_cast<size_t>(k)]);
}

template <class PIN, class PORT> void write(PORT &port, const words &from)
{
    PIN value{};
    give(value, from);
    port.write(value);
}

// A device of the C model behind pins; its clock, its reset, and the way to a VCD file.
class device : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk_i;
    sc_core::sc_in<bool> rst_i;      // synchronous, active high
    sc_core::sc_in<uint32_t> seed_i; // of the random bits, read while rst_i is high

    ~device() override;

    // All pins go to a VCD file, as <name of the module>.<name of the pin>; before sc_start().
    void trace(sc_core::sc_trace_file *file) const { m_file = file; }

protected:
    device(const sc_core::sc_module_name &name, const parameters &p);

    // What happened since the last call: a clock edge, or new values of in and room alone.
    void step();
    void widths(size_t valid, size_t flit, size_t probe); // of the pins, bits

    // Each pin is traced by its own width; uint32_t and uint64_t would be shown whole.
    template <int BITS, class PORT> void trace_pin(const PORT &port, const char *pin_name) const
    {
        const std::string full = std::string(name()) + "." + pin_name;
        if constexpr (BITS > 1 && BITS <= 64)
            sc_core::sc_trace(m_file, port->read(), full, BITS);
        else
            sc_core::sc_trace(m_file, port->read(), full);
    }
    bool traced() const { return m_file; }
    void trace_common() const;

    words m_in_valid, m_in_flit, m_out_room;  // into the device
    words m_in_room, m_out_valid, m_out_flit; // out of it
    words m_probe;

private:
    struct inside;
    void fault(const std::string &text) const;
    void arrive();
    void refuse();
    void show();

    mutable sc_core::sc_trace_file *m_file = nullptr;
    std::unique_ptr<inside> m_inside; // nullptr: wrong parameters
    bool m_ready = false;             // there was a reset
};

// rtl/switch.v.  PROBE = 1 shows links and registers on probe_o, else it is zero.
template <int VCS = 1, int DEPTH = 2, int FLIT_W = 32, int PATH = RP, int SCAN = RR, int LEVEL = 1,
          int LEVELS = 3, int PROBE = 0>
class fat_switch : public device {
public:
    static constexpr int PROBE_W = 32 * (3 + (SCAN == FCFS ? (3 * VCS * (6 * VCS - 1) + 31) / 32 : 0) +
                                         6 * (1 + (FLIT_W + 33) / 32 + VCS * (1 + DEPTH * ((FLIT_W + 33) / 32))));
    static constexpr int VALID_W = 6 * VCS, WIDE = 6 * (FLIT_W + 2);

    sc_core::sc_in<pin<VALID_W>> in_valid_i;
    sc_core::sc_in<pin<WIDE>> in_flit_i;
    sc_core::sc_out<pin<VALID_W>> in_room_o;
    sc_core::sc_out<pin<VALID_W>> out_valid_o;
    sc_core::sc_out<pin<WIDE>> out_flit_o; // zero while not valid
    sc_core::sc_in<pin<VALID_W>> out_room_i;
    sc_core::sc_out<pin<PROBE_W>> probe_o;

    SC_HAS_PROCESS(fat_switch);
    explicit fat_switch(const sc_core::sc_module_name &name)
        : device(name, {false, VCS, DEPTH, FLIT_W, PATH, SCAN, LEVEL, LEVELS}), in_valid_i("in_valid_i"),
          in_flit_i("in_flit_i"), in_room_o("in_room_o"), out_valid_o("out_valid_o"), out_flit_o("out_flit_o"),
          out_room_i("out_room_i"), probe_o("probe_o")
    {
        widths(VALID_W, WIDE, PROBE ? PROBE_W : 0);
        SC_METHOD(move);
        sensitive << clk_i.pos() << out_room_i;
        if (PROBE) // it shows what arrives
            sensitive << in_valid_i << in_flit_i;
        dont_initialize();
    }

private:
    void move()
    {
        take(m_in_valid, in_valid_i.read());
        take(m_in_flit, in_flit_i.read());
        take(m_out_room, out_room_i.read());
        step();
        write<pin<VALID_W>>(in_room_o, m_in_room);
        write<pin<VALID_W>>(out_valid_o, m_out_valid);
        write<pin<WIDE>>(out_flit_o, m_out_flit);
        if (PROBE)
            write<pin<PROBE_W>>(probe_o, m_probe);
    }
    void end_of_elaboration() override
    {
        if (!traced())
            return;
        trace_common();
        trace_pin<VALID_W>(in_valid_i, "in_valid_i");
        trace_pin<WIDE>(in_flit_i, "in_flit_i");
        trace_pin<VALID_W>(in_room_o, "in_room_o");
        trace_pin<VALID_W>(out_valid_o, "out_valid_o");
        trace_pin<WIDE>(out_flit_o, "out_flit_o");
        trace_pin<VALID_W>(out_room_i, "out_room_i");
        trace_pin<PROBE_W>(probe_o, "probe_o");
    }
};

// rtl/network.v: the butterfly fat-tree of N = 4^LEVELS processors, bit VCS * a + v of processor a, channel v.
template <int LEVELS = 2, int VCS = 1, int DEPTH = 2, int FLIT_W = 32, int PATH = RP, int SCAN = RR,
          int PROBE = 0>
class network : public device {
public:
    static constexpr int N = 1 << 2 * LEVELS, SWITCHES = (N >> 1) - (N >> (LEVELS + 1));
    static constexpr int PROBE_W = fat_switch<VCS, DEPTH, FLIT_W, PATH, SCAN>::PROBE_W * SWITCHES;
    static constexpr int VALID_W = N * VCS, WIDE = N * (FLIT_W + 2);

    sc_core::sc_in<pin<VALID_W>> inj_valid_i;
    sc_core::sc_in<pin<WIDE>> inj_flit_i;
    sc_core::sc_out<pin<VALID_W>> inj_room_o;
    sc_core::sc_out<pin<VALID_W>> ej_valid_o;
    sc_core::sc_out<pin<WIDE>> ej_flit_o;
    sc_core::sc_in<pin<VALID_W>> ej_room_i;
    sc_core::sc_out<pin<PROBE_W>> probe_o;

    SC_HAS_PROCESS(network);
    explicit network(const sc_core::sc_module_name &name)
        : device(name, {true, VCS, DEPTH, FLIT_W, PATH, SCAN, 1, LEVELS}), inj_valid_i("inj_valid_i"),
          inj_flit_i("inj_flit_i"), inj_room_o("inj_room_o"), ej_valid_o("ej_valid_o"), ej_flit_o("ej_flit_o"),
          ej_room_i("ej_room_i"), probe_o("probe_o")
    {
        widths(VALID_W, WIDE, PROBE ? PROBE_W : 0);
        SC_METHOD(move);
        sensitive << clk_i.pos() << ej_room_i;
        if (PROBE)
            sensitive << inj_valid_i << inj_flit_i;
        dont_initialize();
    }

private:
    void move()
    {
        take(m_in_valid, inj_valid_i.read());
        take(m_in_flit, inj_flit_i.read());
        take(m_out_room, ej_room_i.read());
        step();
        write<pin<VALID_W>>(inj_room_o, m_in_room);
        write<pin<VALID_W>>(ej_valid_o, m_out_valid);
        write<pin<WIDE>>(ej_flit_o, m_out_flit);
        if (PROBE)
            write<pin<PROBE_W>>(probe_o, m_probe);
    }
    void end_of_elaboration() override
    {
        if (!traced())
            return;
        trace_common();
        trace_pin<VALID_W>(inj_valid_i, "inj_valid_i");
        trace_pin<WIDE>(inj_flit_i, "inj_flit_i");
        trace_pin<VALID_W>(inj_room_o, "inj_room_o");
        trace_pin<VALID_W>(ej_valid_o, "ej_valid_o");
        trace_pin<WIDE>(ej_flit_o, "ej_flit_o");
        trace_pin<VALID_W>(ej_room_i, "ej_room_i");
        trace_pin<PROBE_W>(probe_o, "probe_o");
    }
};

} // namespace fatfly

#endif
