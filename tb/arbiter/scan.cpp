// SPDX-License-Identifier: Apache-2.0
// scan.cpp - the orders of the scans, register for register.
#include "parts.h"

#include "Vscan_top.h"

// ---- scan ------------------------------------------------------------------------------------

struct Scans {
    Vscan_top rtl;
    scan c{};
    switch_params params{};
    scan_in in{};

    Scans(scan_order kind, unsigned vcs)
    {
        params.vcs = vcs;
        params.depth = 2;
        params.flit_w = 64;
        params.scan = kind;
        params.level = 1;
        params.levels = 3;
        in.asks = 0x3f;
        reset();
    }

    void clock()
    {
        rtl.clk_i = 1;
        rtl.eval();
        rtl.clk_i = 0;
        rtl.eval();
    }

    void reset()
    {
        rtl.rst_i = 1;
        rtl.clk_i = 0;
        rtl.eval(); // an edge is one only after a level
        clock();
        rtl.rst_i = 0;
        scan_reset(&c);
    }

    void fresh(uint32_t heads)
    {
        in.fresh = heads;
        rtl.fresh1_i = params.vcs == 1 ? static_cast<uint8_t>(heads) : 0;
        rtl.fresh2_i = params.vcs == 2 ? static_cast<uint16_t>(heads) : 0;
        rtl.fresh4_i = params.vcs == 4 ? heads : 0;
    }

    // The clock edge on both sides.
    void tick(unsigned rand, const uint8_t gnt[PORTS])
    {
        rtl.rand_i = static_cast<uint8_t>(rand);
        rtl.gnt_i = pack(gnt);
        rtl.eval();
        scan_tick(&c, &params, rand, gnt, in.fresh);
        clock();
    }

    void arrive(uint32_t heads)
    {
        static const uint8_t none[PORTS] = {0};
        fresh(heads);
        tick(0, none);
    }

    // The channel that port i offers, or -1.
    void offer(const std::array<int, PORTS> &channel)
    {
        uint32_t bits = 0;
        in.asks = 0;
        for (unsigned i = 0; i < PORTS; i++) {
            in.channel[i] = channel[i] < 0 ? 0 : static_cast<uint8_t>(channel[i]);
            if (channel[i] < 0)
                continue;
            in.asks = static_cast<uint8_t>(in.asks | 1u << i);
            bits |= 1u << (params.vcs * i + static_cast<unsigned>(channel[i]));
        }
        rtl.offer2_i = params.vcs == 2 ? static_cast<uint16_t>(bits) : 0;
        rtl.offer4_i = params.vcs == 4 ? bits : 0;
    }

    // One case: on every output, the ports in in.asks are in this order on both sides.  To agree
    // with a list of ports in every pair, and in C in both directions, is to be a total order.
    void check(Part &part, const VlWide<3> &before, const Order *const want[PORTS])
    {
        arbiter_order order;
        uint8_t masks[PORTS];
        scan_eval(&c, &params, &in, order, masks);
        unsigned asked = 0;
        for (unsigned i = 0; i < PORTS; i++)
            for (unsigned j = i + 1; j < PORTS; j++)
                if ((in.asks >> i & 1) && (in.asks >> j & 1))
                    asked |= 1u << pair_bit(i, j);
        unsigned wrong = PORTS, c_bits = 0, back = 0;
        for (unsigned o = 0; o < PORTS && wrong == PORTS; o++) {
            if (o > 0 && order[o] == order[o - 1] && want[o] == want[o - 1]) {
                if ((get_before(before, o) ^ want[o]->bits) & asked)
                    wrong = o;
                continue;
            }
            c_bits = back = 0;
            for (unsigned i = 0; i < PORTS; i++)
                for (unsigned j = i + 1; j < PORTS; j++) {
                    c_bits |= static_cast<unsigned>(order[o][j] >> i & 1) << pair_bit(i, j);
                    back |= static_cast<unsigned>(order[o][i] >> j & 1) << pair_bit(i, j);
                }
            if (((get_before(before, o) ^ want[o]->bits) | (c_bits ^ want[o]->bits) |
                 (back ^ ~c_bits)) & asked)
                wrong = o;
        }
        if (!part.check(wrong == PORTS))
            tell("output %u, asking %02x, start %u, pointers %u%u%u%u%u%u, heights %u%u%u%u%u%u, "
                 "fresh %x: pairs c %04x, c reversed %04x, rtl %04x, oracle %04x\n",
                 wrong, in.asks, c.start_q, c.rot_q[0], c.rot_q[1], c.rot_q[2], c.rot_q[3],
                 c.rot_q[4], c.rot_q[5], in.height[0], in.height[1], in.height[2], in.height[3],
                 in.height[4], in.height[5], in.fresh, c_bits & asked, back & asked,
                 get_before(before, wrong) & asked, want[wrong]->bits & asked);
    }

    void check(Part &part, const VlWide<3> &before, const Order &want)
    {
        const Order *const all[PORTS] = {&want, &want, &want, &want, &want, &want};
        check(part, before, all);
    }
};

const uint8_t no_grants[PORTS] = {0};

// Every random byte after every other one.
void part_rr(Part &part)
{
    Scans s(SCAN_RR, 1);
    unsigned drawn[PORTS] = {0};
    s.check(part, s.rtl.rr_o, from_start(0)); // after reset
    for (unsigned last = 0; last < 256; last++)
        for (unsigned byte = 0; byte < 256; byte++) {
            s.tick(last, no_grants);
            s.tick(byte, no_grants);
            unsigned start = 6 * byte / 256;
            s.check(part, s.rtl.rr_o, from_start(start));
            if (last == 0)
                drawn[start]++;
        }
    for (unsigned k = 0; k < PORTS; k++)
        if (!part.check(drawn[k] == 42 || drawn[k] == 43))
            tell("start %u is drawn by %u bytes of 256\n", k, drawn[k]);
}

// The root draws among its four ports.
void part_rr_root(Part &part)
{
    Scans s(SCAN_RR, 1);
    s.params.level = s.params.levels;
    for (unsigned byte = 0; byte < 256; byte++) {
        s.tick(byte, no_grants);
        s.check(part, s.rtl.rr_root_o, from_start(4 * byte / 256));
    }
}

void part_fo(Part &part)
{
    Scans s(SCAN_FO, 1);
    for (unsigned byte = 0; byte < 256; byte++) {
        s.tick(byte, no_grants);
        s.check(part, s.rtl.fo_o, from_start(0));
    }
}

Order by_height(unsigned start, const uint8_t height[PORTS])
{
    std::array<uint8_t, PORTS> port = from_start(start).port;
    std::stable_sort(port.begin(), port.end(),
                     [&](uint8_t a, uint8_t b) { return height[a] > height[b]; });
    return make_order(port);
}

// Calls visit(value) for every vector of six numbers below limit.
template <class Visit> void vectors(unsigned limit, Visit visit)
{
    uint8_t value[PORTS] = {0};
    for (;;) {
        visit(value);
        unsigned i = 0;
        while (i < PORTS && ++value[i] == limit)
            value[i++] = 0;
        if (i == PORTS)
            return;
    }
}

// Each way to arrange six in ranks with ties, as the rank of each; no rank is left out.  4683.
template <class Visit> void weak_orders(Visit visit)
{
    vectors(PORTS, [&](const uint8_t value[PORTS]) {
        unsigned used = 0;
        for (unsigned i = 0; i < PORTS; i++)
            used |= 1u << value[i];
        if ((used & (used + 1)) == 0)
            visit(value);
    });
}

void part_ff(Part &part)
{
    Scans s(SCAN_FF, 1);
    for (unsigned start = 0; start < PORTS; start++) {
        s.tick(start * 256 / 6 + 1, no_grants);
        auto with = [&](const uint8_t value[PORTS], unsigned above, bool two_bits) {
            uint32_t bits = 0;
            for (unsigned i = 0; i < PORTS; i++) {
                s.in.height[i] = static_cast<uint8_t>(value[i] + above);
                bits |= static_cast<uint32_t>(s.in.height[i]) << 4 * i;
            }
            s.rtl.height_i = bits;
            s.rtl.eval();
            Order want = by_height(start, s.in.height);
            s.check(part, s.rtl.ff4_o, want);
            if (two_bits)
                s.check(part, s.rtl.ff2_o, want);
        };
        // What two bits can say, 0 included, although no worm has that height.
        vectors(4, [&](const uint8_t value[PORTS]) { with(value, 0, true); });
        // Up to ten levels: every arrangement of the six, from either end of 1..10.
        weak_orders([&](const uint8_t value[PORTS]) {
            with(value, 1, false);
            with(value, 5, false);
        });
        // Every two heights on every two ports; the others are below, among and above them.
        for (unsigned i = 0; i < PORTS; i++)
            for (unsigned j = i + 1; j < PORTS; j++)
                for (unsigned both = 0; both < 100; both++)
                    for (uint8_t rest = 0; rest < 10; rest++) {
                        uint8_t value[PORTS] = {rest, rest, rest, rest, rest, rest};
                        value[i] = static_cast<uint8_t>(both % 10);
                        value[j] = static_cast<uint8_t>(both / 10);
                        with(value, 1, false);
                    }
    }
}

// Gives one output to one input on both sides.
static void grant_one(Scans &s, unsigned input, unsigned output)
{
    uint8_t gnt[PORTS] = {0};
    gnt[input] = static_cast<uint8_t>(1u << output);
    s.tick(0, gnt);
}

void part_rot(Part &part)
{
    Scans s(SCAN_ROT, 1);
    Order from[PORTS];
    for (unsigned k = 0; k < PORTS; k++)
        from[k] = from_start(k);
    const Order *want[PORTS];
    uint8_t now[PORTS] = {0};
    auto set = [&](const uint8_t pointer[PORTS]) {
        for (unsigned o = 0; o < PORTS; o++) {
            if (now[o] != pointer[o])
                grant_one(s, (pointer[o] + 5u) % PORTS, o);
            now[o] = pointer[o];
            want[o] = &from[pointer[o]];
        }
    };

    // Every six pointers.
    vectors(PORTS, [&](const uint8_t pointer[PORTS]) {
        set(pointer);
        s.check(part, s.rtl.rot_o, want);
    });
    // Every set of grants that one cycle can give, from every pointer.
    std::vector<std::array<uint8_t, PORTS>> grants;
    vectors(PORTS + 1, [&](const uint8_t value[PORTS]) {
        std::array<uint8_t, PORTS> gnt{};
        unsigned used = 0;
        for (unsigned i = 0; i < PORTS; i++) {
            if (value[i] == PORTS)
                continue;
            if (value[i] == i || (i > 3 && value[i] > 3) || (used >> value[i] & 1))
                return;
            used |= 1u << value[i];
            gnt[i] = static_cast<uint8_t>(1u << value[i]);
        }
        grants.push_back(gnt);
    });
    for (unsigned k = 0; k < PORTS; k++)
        for (const auto &gnt : grants) {
            const uint8_t start[PORTS] = {uint8_t(k), uint8_t(k), uint8_t(k),
                                          uint8_t(k), uint8_t(k), uint8_t(k)};
            set(start);
            s.tick(0, gnt.data());
            for (unsigned i = 0; i < PORTS; i++)
                for (unsigned o = 0; o < PORTS; o++)
                    if (gnt[i] >> o & 1) {
                        now[o] = static_cast<uint8_t>((i + 1) % PORTS);
                        want[o] = &from[now[o]];
                    }
            s.check(part, s.rtl.rot_o, want);
        }
}

// One channel a port: every age order x every set of new heads, for all askers; the order of the
// next cycle, so that no other order can come up; and all arrivals, ties included, after a reset.
void part_fcfs(Part &part)
{
    Scans s(SCAN_FCFS, 1);
    s.check(part, s.rtl.fcfs1_o, make_order({5, 4, 3, 2, 1, 0}));
    for (const Order &old : orders_of(0x3f))
        for (unsigned heads = 0; heads < 64; heads++) {
            for (uint8_t i : old.port)
                s.arrive(1u << i);
            s.fresh(heads);
            s.rtl.eval();
            std::array<uint8_t, PORTS> port{};
            size_t n = 0;
            for (uint8_t i : old.port)
                if (!(heads >> i & 1))
                    port[n++] = i;
            for (unsigned i = 0; i < PORTS; i++)
                if (heads >> i & 1)
                    port[n++] = static_cast<uint8_t>(i);
            Order want = make_order(port);
            for (unsigned asks = 0; asks < 64; asks++) {
                s.in.asks = static_cast<uint8_t>(asks);
                s.check(part, s.rtl.fcfs1_o, want);
            }
            s.arrive(heads);
            s.fresh(0);
            s.rtl.eval();
            s.check(part, s.rtl.fcfs1_o, want);
        }
    weak_orders([&](const uint8_t rank[PORTS]) {
        s.reset();
        std::array<uint8_t, PORTS> port{};
        size_t n = 0;
        for (unsigned r = 0; r < PORTS; r++) {
            uint32_t heads = 0;
            for (unsigned i = 0; i < PORTS; i++)
                if (rank[i] == r) {
                    heads |= 1u << i;
                    port[n++] = static_cast<uint8_t>(i);
                }
            if (heads)
                s.arrive(heads);
        }
        s.fresh(0);
        s.rtl.eval();
        s.check(part, s.rtl.fcfs1_o, make_order(port));
    });
}

// More channels.  A pair of ports looks at no other port: every two ports x every order of their
// channels x every set of new heads among them x every offer of the two.
static void fcfs_pairs(Part &part, Scans &s, const VlWide<3> &before)
{
    const unsigned vcs = s.params.vcs;
    std::vector<unsigned> use; // of four channels a port the first and the last stand for all
    use = vcs == 2 ? std::vector<unsigned>{0, 1} : std::vector<unsigned>{0, 3};
    for (unsigned i = 0; i < PORTS; i++)
        for (unsigned j = i + 1; j < PORTS; j++) {
            std::array<unsigned, 4> channel = {vcs * i + use[0], vcs * i + use[1],
                                               vcs * j + use[0], vcs * j + use[1]};
            std::array<unsigned, 4> age = channel; // oldest first
            do {
                for (unsigned set = 0; set < 16; set++) {
                    s.fresh(0);
                    for (unsigned a : age)
                        s.arrive(1u << a);
                    std::vector<unsigned> now;
                    uint32_t heads = 0;
                    for (unsigned k = 0; k < 4; k++)
                        if (set >> k & 1)
                            heads |= 1u << channel[k];
                    for (unsigned a : age)
                        if (!(heads >> a & 1))
                            now.push_back(a);
                    for (unsigned a : channel)
                        if (heads >> a & 1)
                            now.push_back(a);
                    s.fresh(heads);
                    for (unsigned offers = 0; offers < 9; offers++) {
                        std::array<int, PORTS> offer;
                        offer.fill(-1);
                        if (offers % 3)
                            offer[i] = static_cast<int>(use[offers % 3 - 1]);
                        if (offers / 3)
                            offer[j] = static_cast<int>(use[offers / 3 - 1]);
                        s.offer(offer);
                        s.rtl.eval();
                        unsigned a = vcs * i + static_cast<unsigned>(std::max(offer[i], 0));
                        unsigned b = vcs * j + static_cast<unsigned>(std::max(offer[j], 0));
                        bool i_first = std::find(now.begin(), now.end(), a) <
                                       std::find(now.begin(), now.end(), b);
                        std::array<uint8_t, PORTS> port{};
                        size_t n = 0;
                        port[n++] = static_cast<uint8_t>(i_first ? i : j);
                        port[n++] = static_cast<uint8_t>(i_first ? j : i);
                        for (unsigned k = 0; k < PORTS; k++)
                            if (k != i && k != j)
                                port[n++] = static_cast<uint8_t>(k);
                        s.check(part, before, make_order(port));
                    }
                }
            } while (std::next_permutation(age.begin(), age.end()));
        }
}

// Two channels: beside the pairs, every choice of what the six ports offer x every age order of it.
void part_fcfs2(Part &part)
{
    Scans s(SCAN_FCFS, 2);
    fcfs_pairs(part, s, s.rtl.fcfs2_o);
    s.fresh(0);
    const std::vector<Order> orders = orders_of(0x3f);
    for (unsigned choice = 0; choice < 64; choice++) {
        std::array<int, PORTS> offer;
        for (unsigned i = 0; i < PORTS; i++)
            offer[i] = static_cast<int>(choice >> i & 1);
        for (const Order &r : orders) {
            for (uint8_t i : r.port) {
                s.arrive(1u << (2 * i + (choice >> i & 1)));
                // Its other channel comes later than all that are offered so far.
                s.arrive(1u << (2 * i + (~choice >> i & 1)));
            }
            s.fresh(0);
            s.offer(offer);
            s.rtl.eval();
            s.check(part, s.rtl.fcfs2_o, r);
        }
    }
}

void part_fcfs4(Part &part)
{
    Scans s(SCAN_FCFS, 4);
    fcfs_pairs(part, s, s.rtl.fcfs4_o);
}
