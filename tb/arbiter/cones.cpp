// SPDX-License-Identifier: Apache-2.0
// cones.cpp - what an output of the arbiter looks at: its cone, and that nothing outside it counts.
#include "parts.h"

#include "Varb_fp.h"
#include "Varb_gp.h"
#include "Varb_rg.h"
#include "Varb_rp.h"
#include "Varbiter_top.h"

constexpr uint64_t column(unsigned o)
{
    return UINT64_C(0x041041041) << o;
}

// Both sides on inputs that need not be ones that a switch can make.
template <class Rtl> struct Both {
    Rtl rtl;
    path_select path;
    uint64_t req = 0;
    unsigned pref = 0;
    std::array<std::array<uint8_t, PORTS>, PORTS> ahead{};

    explicit Both(path_select p) : path(p)
    {
        for (unsigned o = 0; o < PORTS; o++)
            order(o, 0);
    }

    void order(unsigned o, unsigned bits)
    {
        ahead[o] = ahead_of(bits);
        put_before(rtl.before_i, o, bits);
    }

    void flip_pair(unsigned o, unsigned i, unsigned j)
    {
        unsigned bit = PAIRS * o + pair_bit(i, j);
        rtl.before_i[bit / 32] ^= 1u << bit % 32;
        ahead[o][i] = static_cast<uint8_t>(ahead[o][i] ^ 1u << j);
        ahead[o][j] = static_cast<uint8_t>(ahead[o][j] ^ 1u << i);
    }

    // Grants in the columns of mask.
    void eval(uint64_t mask, uint64_t &c, uint64_t &r)
    {
        uint8_t row[PORTS], gnt[PORTS];
        arbiter_order by;
        unpack(req, row);
        for (unsigned o = 0; o < PORTS; o++)
            by[o] = ahead[o].data();
        arbiter_eval(path, false, row, pref, by, gnt);
        c = pack(gnt) & mask;
        rtl.req_i = req;
        rtl.pref_i = static_cast<uint8_t>(pref);
        rtl.eval();
        r = rtl.gnt_o & mask;
    }
};

// One case of a cone, and then every input bit outside it turned over, alone and all at once: the
// grants in the cone stay what they were.
template <class Rtl>
static void check_cone(Part &part, Both<Rtl> &both, uint64_t mask, uint64_t inside_req,
                unsigned outputs, unsigned inputs, bool pref_inside, uint64_t want)
{
    auto same = [&](const char *what, unsigned a, unsigned b) {
        uint64_t c, r;
        both.eval(mask, c, r);
        if (!part.check(c == want && r == want)) {
            Matrix m{};
            unpack(both.req, m.row);
            m.pref = static_cast<uint8_t>(both.pref);
            tell_grants(m, c, r, want);
            printf(", path %s, columns %" PRIx64 ", outside bit turned: %s %u %u\n",
                   path_names[both.path], mask, what, a, b);
        }
    };
    same("none", 0, 0);
    auto pairs_outside = [&](auto &&visit) {
        for (unsigned o = 0; o < PORTS; o++)
            for (unsigned i = 0; i < PORTS; i++)
                for (unsigned j = i + 1; j < PORTS; j++)
                    if (!(outputs >> o & 1) || !(inputs >> i & 1) || !(inputs >> j & 1))
                        visit(o, i, j);
    };
    uint64_t outside = ~inside_req & ((UINT64_C(1) << 36) - 1);
    for (uint64_t rest = outside; rest; rest &= rest - 1) {
        both.req ^= rest & (0 - rest);
        same("request", static_cast<unsigned>(__builtin_ctzll(rest)), 0);
        both.req ^= rest & (0 - rest);
    }
    pairs_outside([&](unsigned o, unsigned i, unsigned j) {
        both.flip_pair(o, i, j);
        same("pair", o, pair_bit(i, j));
        both.flip_pair(o, i, j);
    });
    for (unsigned i = 0; i < 4 && !pref_inside; i++) {
        both.pref ^= 1u << i;
        same("preference", i, 0);
        both.pref ^= 1u << i;
    }
    for (unsigned turn = 0; turn < 2; turn++) {
        both.req ^= outside;
        pairs_outside([&](unsigned o, unsigned i, unsigned j) { both.flip_pair(o, i, j); });
        if (!pref_inside)
            both.pref ^= 15;
        if (turn == 0)
            same("all", 0, 0);
    }
}

// A child output looks at its own column and order: 32 columns x 120 orders, for each output and
// path, in surroundings of all zeros and all ones.
template <class Rtl> void child_cones(Part &part, path_select path)
{
    Both<Rtl> both(path);
    for (unsigned o = 0; o < 4; o++) {
        unsigned inputs = 0x3fu & ~(1u << o);
        uint64_t inside = column(o) & ~(UINT64_C(1) << 7 * o);
        for (const Order &r : orders_of(inputs))
            for (unsigned ask = 0; ask < 64; ask++) {
                if (ask >> o & 1)
                    continue;
                uint64_t want = 0;
                for (uint8_t i : r.port)
                    if (!want && (ask >> i & 1))
                        want = UINT64_C(1) << (6u * i + o);
                uint64_t own = 0;
                for (unsigned i = 0; i < PORTS; i++)
                    own |= static_cast<uint64_t>(ask >> i & 1) << (6 * i + o);
                for (unsigned ones = 0; ones < 2; ones++) {
                    both.req = own | (ones ? ~inside & ((UINT64_C(1) << 36) - 1) : 0);
                    both.pref = ones ? 15 : 0;
                    for (unsigned k = 0; k < PORTS; k++)
                        both.order(k, k == o ? r.bits : ones ? 0x7fff : 0);
                    check_cone(part, both, column(o), inside, 1u << o, inputs, false, want);
                }
            }
    }
}

void part_child_cones(Part &part)
{
    child_cones<Varb_fp>(part, PATH_FP);
    child_cones<Varb_rp>(part, PATH_RP);
    child_cones<Varb_gp>(part, PATH_GP);
    child_cones<Varb_rg>(part, PATH_RG);
}

// What the parents do when each has an order of its own (ROT), by turns instead of by picks:
// parent 0's order is gone through first.
static uint64_t parents_by_turns(path_select path, const uint8_t row[PORTS], unsigned pref,
                          const Order &first, const Order &second)
{
    uint64_t gnt = 0;
    unsigned taken = 0, done = 0;
    for (uint8_t i : first.port) {
        unsigned want = row[i] & 0x30u;
        if (path == PATH_RG) {
            // The first to come takes one; whoever comes next has to be looked at per parent.
            if (!want || taken)
                continue;
            want = want != 0x30 ? want : pref >> i & 1 ? 0x20 : 0x10;
        } else {
            want &= 0x10;
            if (!want || (taken & want))
                continue;
        }
        taken |= want;
        done |= 1u << i;
        gnt |= static_cast<uint64_t>(want) << 6 * i;
    }
    unsigned left = path == PATH_RG ? (taken == 0x20 ? 0x10 : 0x20) : 0x20;
    const Order &by = left == 0x10 ? first : second;
    bool one_each = path == PATH_GP || path == PATH_RG;
    for (uint8_t i : by.port) {
        if (!(row[i] & left) || (taken & left) || (one_each && (done >> i & 1)))
            continue;
        taken |= left;
        gnt |= static_cast<uint64_t>(left) << 6 * i;
    }
    return gnt;
}

// The parents look at their two columns, two orders and, under RG, the preferences: 4^4 columns x
// 24 x 24 orders x 16, in surroundings of all zeros; and of all ones with each bit turned over for
// the orders that both parents share.
template <class Rtl> void parent_cones(Part &part, path_select path)
{
    Both<Rtl> both(path);
    const std::vector<Order> orders = orders_of(0x0f);
    const uint64_t mask = column(4) | column(5), inside = mask & 0xffffff;
    const bool rg = path == PATH_RG;
    for (const Order &first : orders)
        for (const Order &second : orders) {
            const bool shared = &first == &second;
            for (unsigned ones = 0; ones < 2; ones++) {
                uint64_t around = ones ? ~inside & ((UINT64_C(1) << 36) - 1) : 0;
                unsigned away = 0; // pairs that a parent's requesters do not make
                for (unsigned i = 0; i < PORTS; i++)
                    for (unsigned j = std::max(i + 1, 4u); j < PORTS; j++)
                        away |= 1u << pair_bit(i, j);
                for (unsigned o = 0; o < 4; o++)
                    both.order(o, ones ? 0x7fff : 0);
                both.order(4, (first.bits & ~away) | (ones ? away : 0));
                both.order(5, (second.bits & ~away) | (ones ? away : 0));
                for (unsigned ask = 0; ask < 256; ask++) {
                    uint8_t row[PORTS] = {0};
                    for (unsigned i = 0; i < 4; i++)
                        row[i] = static_cast<uint8_t>((ask >> 2 * i & 3) << 4);
                    for (unsigned pref = 0; pref < (rg ? 16u : 1u); pref++) {
                        both.req = pack(row) | around;
                        both.pref = rg ? pref : ones ? 15 : 0;
                        uint64_t want = parents_by_turns(path, row, pref, first, second);
                        if (shared && ones) {
                            check_cone(part, both, mask, inside, 0x30, 0x0f, rg, want);
                            continue;
                        }
                        uint64_t c, r;
                        both.eval(mask, c, r);
                        if (!part.check(c == want && r == want)) {
                            Matrix m{};
                            unpack(both.req, m.row);
                            m.pref = static_cast<uint8_t>(both.pref);
                            tell_grants(m, c, r, want);
                            printf(", path %s, order of parent 0 %d%d%d%d, of parent 1 %d%d%d%d\n",
                                   path_names[path], first.port[0], first.port[1], first.port[2],
                                   first.port[3], second.port[0], second.port[1], second.port[2],
                                   second.port[3]);
                        }
                    }
                }
            }
        }
}

void part_parent_cones(Part &part)
{
    parent_cones<Varb_fp>(part, PATH_FP);
    parent_cones<Varb_rp>(part, PATH_RP);
    parent_cones<Varb_gp>(part, PATH_GP);
    parent_cones<Varb_rg>(part, PATH_RG);
}

// The arbiters with one order for all outputs, and all of the root: every column of a child output
// x 720 orders, and every column pair of the parents x 24 orders x the preferences, in surroundings
// of zeros and of ones.  Where there are six orders the others' are all zeros or all ones, too.
void part_shared(Part &part)
{
    Varbiter_top rtl;
    const uint64_t every = (UINT64_C(1) << 36) - 1;
    auto same = [&](unsigned path, unsigned kind, const arbiter_order order, uint64_t side,
                    uint64_t mask, uint64_t want) {
        static const char *const kinds[] = {"inner, one order", "root, one order",
                                            "root, six orders"};
        Matrix m{};
        uint8_t gnt[PORTS];
        unpack(rtl.req_i, m.row);
        m.pref = rtl.pref_i;
        arbiter_eval(static_cast<path_select>(path), kind > 0, m.row, m.pref, order, gnt);
        if (!part.check((pack(gnt) & mask) == want && (side & mask) == want)) {
            tell_grants(m, pack(gnt) & mask, side & mask, want);
            printf(", %s, path %s, columns %" PRIx64 "\n", kinds[kind], path_names[path], mask);
        }
    };
    for (unsigned o = 0; o < 4; o++)
        for (const Order &r : orders_of(0x3f))
            for (unsigned ask = 0; ask < 64; ask++)
                for (unsigned ones = 0; ones < 2; ones++) {
                    uint64_t want[2] = {0, 0}; // inner, root: inputs 4 and 5 do not exist there
                    for (unsigned root = 0; root < 2; root++)
                        for (uint8_t i : r.port)
                            if (!want[root] && (ask >> i & 1) && i != o && (i < 4 || !root))
                                want[root] = UINT64_C(1) << (6u * i + o);
                    uint64_t own = 0;
                    for (unsigned i = 0; i < PORTS; i++)
                        own |= static_cast<uint64_t>(ask >> i & 1) << (6 * i + o);
                    rtl.req_i = own | (ones ? every & ~column(o) : 0);
                    rtl.pref_i = ones ? 15 : 0;
                    rtl.before_one_i = r.bits;
                    const Order around = make_order(
                        ones ? std::array<uint8_t, PORTS>{0, 1, 2, 3, 4, 5}
                             : std::array<uint8_t, PORTS>{5, 4, 3, 2, 1, 0});
                    arbiter_order shared, own_order;
                    same_order(shared, r);
                    same_order(own_order, around);
                    own_order[o] = r.ahead.data();
                    for (unsigned k = 0; k < PORTS; k++)
                        put_before(rtl.before_i, k, k == o ? r.bits : around.bits);
                    rtl.eval();
                    const uint64_t side[3][PATH_COUNT] = {
                        {rtl.fp_one_o, rtl.rp_one_o, rtl.gp_one_o, rtl.rg_one_o},
                        {rtl.fp_root_one_o, rtl.rp_root_one_o, rtl.gp_root_one_o,
                         rtl.rg_root_one_o},
                        {rtl.fp_o, rtl.rp_o, rtl.gp_o, rtl.rg_o}};
                    for (unsigned path = 0; path < ARBITER_PATHS; path++)
                        for (unsigned kind = 0; kind < 3; kind++)
                            same(path, kind, kind == 2 ? own_order : shared, side[kind][path],
                                 column(o), want[kind > 0]);
                }
    for (const Order &r : orders_of(0x0f))
        for (unsigned ask = 0; ask < 256; ask++) {
            uint8_t row[PORTS] = {0};
            for (unsigned i = 0; i < 4; i++)
                row[i] = static_cast<uint8_t>((ask >> 2 * i & 3) << 4);
            for (unsigned pref = 0; pref < 16; pref++)
                for (unsigned ones = 0; ones < 2; ones++) {
                    const uint64_t mask = column(4) | column(5);
                    arbiter_order shared;
                    same_order(shared, r);
                    rtl.req_i = pack(row) | (ones ? every & ~(mask & 0xffffff) : 0);
                    rtl.pref_i = static_cast<uint8_t>(pref);
                    rtl.before_one_i = r.bits;
                    rtl.eval();
                    const uint64_t inner[] = {rtl.fp_one_o, rtl.rp_one_o, rtl.gp_one_o,
                                              rtl.rg_one_o};
                    const uint64_t root[] = {rtl.fp_root_one_o, rtl.rp_root_one_o,
                                             rtl.gp_root_one_o, rtl.rg_root_one_o};
                    for (unsigned path = 0; path < ARBITER_PATHS; path++) {
                        same(path, 0, shared, inner[path], mask,
                             parents_by_turns(static_cast<path_select>(path), row, pref, r, r));
                        same(path, 1, shared, root[path], mask, 0); // it has no parents
                    }
                }
        }
}
