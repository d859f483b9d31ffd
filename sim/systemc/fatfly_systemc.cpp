// SPDX-License-Identifier: Apache-2.0
// fatfly_systemc.cpp - the C model behind the pins of a SystemC module.  Bits are moved; what a cycle does
// is in cmodel/switch and cmodel/network, behind the seam of sim/dut.h.
#include "fatfly_systemc.h"

#include "dut.h"

#include <algorithm>
#include <cstdio>

namespace fatfly {

static_assert(static_cast<int>(FP) == PATH_FP && static_cast<int>(RW) == PATH_RW && static_cast<int>(RR) == SCAN_RR &&
                  static_cast<int>(FCFS) == SCAN_FCFS,
              "numbers of rtl/flit.vh");

namespace {

uint64_t get(const words &w, size_t at, unsigned bits)
{
    uint64_t value = 0;
    for (unsigned done = 0; done < bits;) {
        const unsigned shift = static_cast<unsigned>(at + done) % 32;
        const unsigned some = std::min(32 - shift, bits - done);
        const uint64_t part = w[(at + done) / 32] >> shift & ((UINT64_C(1) << some) - 1);
        value |= part << done;
        done += some;
    }
    return value;
}

void put(words &w, size_t at, unsigned bits, uint64_t value)
{
    for (unsigned done = 0; done < bits;) {
        const unsigned shift = static_cast<unsigned>(at + done) % 32;
        const unsigned some = std::min(32 - shift, bits - done);
        const uint32_t mask = static_cast<uint32_t>(((UINT64_C(1) << some) - 1) << shift);
        uint32_t &word = w[(at + done) / 32];
        word = (word & ~mask) | (static_cast<uint32_t>(value >> done << shift) & mask);
        done += some;
    }
}

} // namespace

struct device::inside {
    dut_shape shape;
    unsigned ends, vcs, flit_w;
    dut *model;
    std::vector<link> in, out;        // [ends]
    std::vector<uint16_t> room, exit; // [ends]: in the device, behind it

    inside(const dut_shape &s, dut *opened)
        : shape(s), ends(dut_endpoints(&s)), vcs(s.params.vcs), flit_w(s.params.flit_w), model(opened), in(ends),
          out(ends), room(ends), exit(ends)
    {
    }
    inside(const inside &) = delete;
    inside &operator=(const inside &) = delete;
    ~inside() { dut_cmodel.close(model); }
};

device::device(const sc_core::sc_module_name &name, const parameters &p)
    : sc_module(name), clk_i("clk_i"), rst_i("rst_i"), seed_i("seed_i")
{
    const auto n = [](int k) { return static_cast<unsigned>(k); };
    const dut_shape shape = {p.network, false, false,
                             {n(p.vcs), n(p.depth), n(p.flit_w), static_cast<path_select>(p.path),
                              static_cast<scan_order>(p.scan), n(p.level), n(p.levels)},
                             {}};
    char why[200];

    if (p.network && (p.levels < 1 || p.levels > 5)) {
        fault("levels = " + std::to_string(p.levels) + "; allowed: 1 to 5");
        return;
    }
    dut *model = dut_cmodel.open(&shape, why, sizeof why);
    if (!model) {
        fault(why);
        return;
    }
    m_inside = std::make_unique<inside>(shape, model);
}

void device::widths(size_t valid, size_t flit, size_t probe)
{
    for (words *w : {&m_in_valid, &m_out_room, &m_in_room, &m_out_valid})
        w->resize(valid / 32 + 1);
    m_in_flit.resize(flit / 32 + 1);
    m_out_flit.resize(flit / 32 + 1);
    m_probe.resize(probe / 32);
}

device::~device() = default;

void device::fault(const std::string &text) const
{
    SC_REPORT_ERROR("fatfly", (std::string(name()) + ": " + text).c_str());
}

void device::trace_common() const
{
    trace_pin<1>(clk_i, "clk_i");
    trace_pin<1>(rst_i, "rst_i");
    trace_pin<32>(seed_i, "seed_i");
}

void device::arrive()
{
    inside &d = *m_inside;
    const bool root = !d.shape.network && d.shape.params.level == d.shape.params.levels;
    for (unsigned e = 0; e < d.ends; e++) {
        d.exit[e] = static_cast<uint16_t>(get(m_out_room, e * d.vcs, d.vcs));
        d.in[e] = {};
        const unsigned valid = static_cast<unsigned>(get(m_in_valid, e * d.vcs, d.vcs));
        if (!valid || (root && e >= SWITCH_CHILDREN)) // it has no parents
            continue;
        d.in[e].valid = static_cast<uint16_t>(valid);
        d.in[e].flit.payload = get(m_in_flit, e * (d.flit_w + 2), d.flit_w);
        d.in[e].flit.kind = static_cast<uint8_t>(get(m_in_flit, e * (d.flit_w + 2) + d.flit_w, 2));
    }
}

// What the C model must not be given is reported, and does not arrive.
void device::refuse()
{
    inside &d = *m_inside;
    dut_cmodel.room(d.model, d.room.data());
    for (unsigned e = 0; e < d.ends; e++) {
        const unsigned valid = d.in[e].valid;
        if (!(valid & ~d.room[e]) && !(valid & (valid - 1)))
            continue;
        char text[200];
        snprintf(text, sizeof text, "%s %u: %s_valid_i = 0x%x; allowed: one channel of a link, only with room (0x%x)",
                 d.shape.network ? "processor" : "port", e, d.shape.network ? "inj" : "in", valid, d.room[e]);
        d.in[e] = {};
        fault(text);
    }
}

void device::show()
{
    inside &d = *m_inside;
    dut_cmodel.room(d.model, d.room.data());
    dut_cmodel.drive(d.model, d.in.data(), d.exit.data());
    dut_cmodel.sample(d.model, d.out.data());
    for (unsigned e = 0; e < d.ends; e++) {
        const link &out = d.out[e];
        put(m_in_room, e * d.vcs, d.vcs, d.room[e]);
        put(m_out_valid, e * d.vcs, d.vcs, out.valid);
        put(m_out_flit, e * (d.flit_w + 2), d.flit_w, out.valid ? out.flit.payload : 0);
        put(m_out_flit, e * (d.flit_w + 2) + d.flit_w, 2, out.valid ? out.flit.kind : 0);
    }
    if (!m_probe.empty())
        std::copy_n(dut_cmodel.state(d.model), m_probe.size(), m_probe.begin());
}

void device::step()
{
    if (!m_inside)
        return;
    arrive();
    if (clk_i.posedge()) {
        if (rst_i.read()) {
            dut_cmodel.reset(m_inside->model, seed_i.read());
            m_ready = true;
        } else if (m_ready) {
            refuse();
            dut_cmodel.drive(m_inside->model, m_inside->in.data(), m_inside->exit.data());
            dut_cmodel.tick(m_inside->model);
        }
    }
    if (m_ready)
        show();
}

} // namespace fatfly
