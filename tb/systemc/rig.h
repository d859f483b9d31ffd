// SPDX-License-Identifier: Apache-2.0
// rig.h - one shape on both sides of a SystemC simulation: the same pins into the C model and the Verilog,
// the worms of a case, and the comparison of all pins out of them in every cycle.
//
// At falling edges of the clock the rig compares the room, then drives what enters and what room there is
// behind; at rising edges it compares what the two sides sent, before the registers change.
#ifndef FATFLY_RIG_H
#define FATFLY_RIG_H

#include "fatfly_systemc.h"
#include "player.h"

#include <cinttypes>
#include <cstdio>
#include <iostream>
#include <sstream>

namespace rigs {

using fatfly::words;

// What does not depend on the widths.
class rig_base : public sc_core::sc_module {
public:
    sc_core::sc_in<bool> clk_i;
    sc_core::sc_signal<bool> rst;
    sc_core::sc_signal<uint32_t> seed;

    rig_base(const sc_core::sc_module_name &name, const char *shape, const char *what, unsigned cycles,
             const std::string &folder)
        : sc_module(name), clk_i("clk_i"), rst("rst"), seed("seed"), m_title(std::string(shape) + " " + what)
    {
        char why[300];
        const std::string file = folder + "/" + shape + ".csv";
        m_player = player_open(shape, what, cycles, file.c_str(), why, sizeof why);
        if (!m_player) {
            std::cout << "equal: " << why << "\n";
            exit(3);
        }
        const dut_shape *s = player_shape(m_player);
        m_root = !s->network && s->params.level == s->params.levels;
        m_ends = dut_endpoints(s);
        m_vcs = s->params.vcs;
        m_wide = s->params.flit_w + 2;
        m_links.resize(m_ends);
        m_room.resize(m_ends);
    }
    ~rig_base() override { player_close(m_player); }

    bool done() const { return m_failed || player_done(m_player); }
    bool failed() const { return m_failed; }
    void print() const
    {
        printf("%-40s %8" PRIu64 " cycles %8" PRIu64 " flits %016" PRIx64 "\n", m_title.c_str(), player_cycles(m_player),
               player_flits(m_player), player_digest(m_player));
    }

protected:
    void wrong(const std::string &text)
    {
        if (!m_failed)
            std::cout << m_title << ": cycle " << player_cycles(m_player) << ": " << text << "\n";
        m_failed = true;
    }

    static uint64_t get(const words &w, size_t at, unsigned bits)
    {
        uint64_t value = 0;
        for (unsigned k = 0; k < bits; k++)
            value |= static_cast<uint64_t>(w[(at + k) / 32] >> (at + k) % 32 & 1) << k;
        return value;
    }
    static void put(words &w, size_t at, unsigned bits, uint64_t value)
    {
        for (unsigned k = 0; k < bits; k++) {
            const uint32_t one = UINT32_C(1) << (at + k) % 32;
            uint32_t &word = w[(at + k) / 32];
            word = (word & ~one) | (value >> k & 1 ? one : 0);
        }
    }

    // The pins of the cycle that begins, from the room that the Verilog shows.
    void drive(const words &in_room, words &valid, words &flit, words &exit_room)
    {
        uint32_t fresh = 0;
        std::vector<uint16_t> behind(m_ends);
        m_resets = player_resets(m_player, &fresh);
        rst.write(m_resets);
        if (m_resets)
            seed.write(fresh);
        for (unsigned e = 0; e < m_ends; e++)
            m_room[e] = static_cast<uint16_t>(get(in_room, e * m_vcs, m_vcs));
        for (struct link &l : m_links)
            l = {};
        if (m_resets)
            std::fill(behind.begin(), behind.end(), UINT16_MAX);
        else
            player_drive(m_player, m_room.data(), m_links.data(), behind.data());
        for (unsigned e = 0; e < m_ends; e++) {
            const struct link &l = m_links[e];
            m_noise = m_noise * UINT64_C(6364136223846793005) + 1; // on links with no flit
            put(valid, e * m_vcs, m_vcs, m_root && e >= SWITCH_CHILDREN ? m_noise >> 40 : l.valid); // a root has no parents
            put(flit, e * m_wide, m_wide - 2, l.valid ? l.flit.payload : m_noise >> 8);
            put(flit, e * m_wide + m_wide - 2, 2, l.valid ? l.flit.kind : m_noise >> 60);
            put(exit_room, e * m_vcs, m_vcs, behind[e]);
        }
    }
    void consume(const words &valid, const words &flit)
    {
        char why[240];
        if (m_resets) // what leaves at this edge is lost
            return;
        for (unsigned e = 0; e < m_ends; e++) {
            m_links[e] = {};
            m_links[e].valid = static_cast<uint16_t>(get(valid, e * m_vcs, m_vcs));
            m_links[e].flit.payload = get(flit, e * m_wide, m_wide - 2);
            m_links[e].flit.kind = static_cast<uint8_t>(get(flit, e * m_wide + m_wide - 2, 2));
        }
        if (player_consume(m_player, m_links.data(), why, sizeof why))
            wrong(why);
    }
    bool was_reset() const { return m_compare; }
    void note_reset() { m_compare |= m_resets; }

private:
    std::string m_title;
    struct player *m_player;
    bool m_root;
    unsigned m_ends, m_vcs, m_wide;
    std::vector<struct link> m_links;
    std::vector<uint16_t> m_room;
    uint64_t m_noise = 1;
    bool m_resets = false;  // this is the cycle of a reset
    bool m_compare = false; // there was one
    bool m_failed = false;
};

// VALID_W, WIDE, PROBE_W: bits of the pins.
template <int VALID_W, int WIDE, int PROBE_W> class rig : public rig_base {
public:
    template <int BITS> using wire = sc_core::sc_signal<fatfly::pin<BITS>>;
    wire<VALID_W> in_valid, out_room;
    wire<WIDE> in_flit;
    struct side {
        wire<VALID_W> in_room, out_valid;
        wire<WIDE> out_flit;
        wire<PROBE_W> probe;
    } c, rtl;

    SC_HAS_PROCESS(rig);
    rig(const sc_core::sc_module_name &name, const char *shape, const char *what, unsigned cycles,
        const std::string &folder)
        : rig_base(name, shape, what, cycles, folder), m_valid(VALID_W / 32 + 1), m_room_behind(VALID_W / 32 + 1),
          m_flit(WIDE / 32 + 1)
    {
        SC_METHOD(fall);
        sensitive << clk_i.neg();
        dont_initialize();
        SC_METHOD(rise);
        sensitive << clk_i.pos();
        dont_initialize();
    }

    // A fat_switch or network, or the class that `verilator --sc` makes of switch.v or network.v.
    template <class DUT> auto bind(DUT &d, side &s) -> decltype(d.in_valid_i, void())
    {
        bind_array(d.rst_i, d.seed_i, d.in_valid_i, d.in_flit_i, d.in_room_o, d.out_valid_o, d.out_flit_o, d.out_room_i, s);
        d.clk_i(clk_i);
        d.probe_o(s.probe);
    }
    template <class DUT> auto bind(DUT &d, side &s) -> decltype(d.inj_valid_i, void())
    {
        bind_array(d.rst_i, d.seed_i, d.inj_valid_i, d.inj_flit_i, d.inj_room_o, d.ej_valid_o, d.ej_flit_o, d.ej_room_i, s);
        d.clk_i(clk_i);
        d.probe_o(s.probe);
    }
    template <class A, class B, class C, class D, class E, class F, class G, class H>
    void bind_array(A &rst_i, B &seed_i, C &valid_i, D &flit_i, E &room_o, F &valid_o, G &flit_o, H &room_i, side &s)
    {
        rst_i(rst);
        seed_i(seed);
        valid_i(in_valid);
        flit_i(in_flit);
        room_o(s.in_room);
        valid_o(s.out_valid);
        flit_o(s.out_flit);
        room_i(out_room);
    }

private:
    template <class WIRE> void same(const WIRE &golden, const WIRE &got, const char *pin_name)
    {
        if (golden.read() == got.read())
            return;
        std::ostringstream text;
        text << pin_name << " is " << std::hex << got.read() << ", the C model has " << golden.read();
        wrong(text.str());
    }
    void fall()
    {
        if (done())
            return;
        words room(VALID_W / 32 + 1);
        if (was_reset())
            same(c.in_room, rtl.in_room, "in_room_o");
        fatfly::take(room, rtl.in_room.read());
        drive(room, m_valid, m_flit, m_room_behind);
        fatfly::write<fatfly::pin<VALID_W>>(in_valid, m_valid);
        fatfly::write<fatfly::pin<WIDE>>(in_flit, m_flit);
        fatfly::write<fatfly::pin<VALID_W>>(out_room, m_room_behind);
    }
    void rise()
    {
        if (done())
            return;
        if (was_reset()) {
            words valid(VALID_W / 32 + 1), flit(WIDE / 32 + 1);
            same(c.in_room, rtl.in_room, "in_room_o");
            same(c.out_valid, rtl.out_valid, "out_valid_o");
            same(c.out_flit, rtl.out_flit, "out_flit_o");
            same(c.probe, rtl.probe, "probe_o");
            fatfly::take(valid, rtl.out_valid.read());
            fatfly::take(flit, rtl.out_flit.read());
            consume(valid, flit);
        }
        note_reset();
    }

    words m_valid, m_room_behind, m_flit;
};

} // namespace rigs

#endif
