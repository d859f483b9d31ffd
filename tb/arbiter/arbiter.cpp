// SPDX-License-Identifier: Apache-2.0
// arbiter.cpp - pick and arbiter: every request matrix that ports can make x every order.
#include "parts.h"

#include "Varb_fp.h"
#include "Varb_gp.h"
#include "Varb_rg.h"
#include "Varb_rp.h"
#include "Varbiter_top.h"

// ---- pick ------------------------------------------------------------------------------------

// All 2^15 settings of the pair bits, orders or not, times 64 requests: the module's whole input.
void part_pick(Part &part)
{
    Varbiter_top rtl;
    std::vector<int> order_of(1u << PAIRS, -1);
    std::vector<Order> orders = orders_of(0x3f);
    for (size_t k = 0; k < orders.size(); k++)
        order_of[orders[k].bits] = static_cast<int>(k);

    size_t transitive = 0;
    for (unsigned bits = 0; bits < 1u << PAIRS; bits++) {
        std::array<uint8_t, PORTS> ahead = ahead_of(bits);
        bool order = true; // whoever is ahead of one that is ahead of i is ahead of i
        for (unsigned i = 0; i < PORTS; i++)
            for (unsigned j = 0; j < PORTS; j++)
                if ((ahead[i] >> j & 1) && (ahead[j] & ~ahead[i]))
                    order = false;
        transitive += order;
        if (!part.check(order == (order_of[bits] >= 0)))
            tell("pairs %04x: transitive %d, one of the 720 orders %d\n", bits, order,
                 order_of[bits] >= 0);
        rtl.pick_before_i = static_cast<uint16_t>(bits);
        for (unsigned req = 0; req < 64; req++) {
            rtl.pick_req_i = static_cast<uint8_t>(req);
            rtl.eval();
            unsigned c = pick(static_cast<uint8_t>(req), ahead.data());
            unsigned want = c; // nobody need come first where the pairs run in a circle
            if (order_of[bits] >= 0) {
                want = 0;
                for (uint8_t i : orders[static_cast<size_t>(order_of[bits])].port)
                    if (!want && (req >> i & 1))
                        want = 1u << i;
            }
            if (!part.check(c == want && rtl.pick_o == want))
                tell("req %02x pairs %04x: c %02x rtl %02x oracle %02x\n", req, bits, c, rtl.pick_o,
                     want);
        }
    }
    if (!part.check(transitive == 720))
        tell("%zu of the pair settings are orders, not 720\n", transitive);
}

// Every request matrix that ports can make.  A child asks for nothing, one of the other three,
// parent 0, parent 1 or, under GP and RG, both; only then does its preference count (RG).
static std::vector<Matrix> all_matrices(enum path_select path, bool root)
{
    std::vector<Matrix> all(1, Matrix{});
    for (unsigned i = 0; i < (root ? 4u : PORTS); i++) {
        std::vector<unsigned> rows(1, 0); // bit 6: prefers parent 1
        for (unsigned o = 0; o < 4; o++)
            if (o != i)
                rows.push_back(1u << o);
        if (i < 4 && !root) {
            rows.insert(rows.end(), {0x10, 0x20});
            if (path == PATH_GP || path == PATH_RG)
                rows.push_back(0x30);
            if (path == PATH_RG)
                rows.push_back(0x70);
        }
        std::vector<Matrix> next;
        next.reserve(all.size() * rows.size());
        for (const Matrix &m : all)
            for (unsigned r : rows) {
                Matrix n = m;
                n.row[i] = static_cast<uint8_t>(r & 0x3f);
                n.req |= static_cast<uint64_t>(r & 0x3f) << 6 * i;
                n.pref = static_cast<uint8_t>(n.pref | (r >> 6 & 1) << i);
                next.push_back(n);
            }
        all.swap(next);
    }
    return all;
}

// The specification's scan: each input in turn takes what it wants if that is still free.
template <path_select PATH> uint64_t scan_once(const Order &order, const Matrix &m)
{
    unsigned free = 0x3f;
    uint64_t gnt = 0;
    for (uint8_t i : order.port) {
        unsigned can = m.row[i] & free;
        unsigned take = can;
        if (PATH == PATH_GP)
            take = can & (0u - can); // the lowest-numbered
        else if (PATH == PATH_RG && can == 0x30)
            take = m.pref >> i & 1 ? 0x20 : 0x10;
        free &= ~take;
        gnt |= static_cast<uint64_t>(take) << 6 * i;
    }
    return gnt;
}

template <class Rtl, path_select PATH> static void every_matrix(Part &part)
{
    Rtl rtl;
    const std::vector<Matrix> all = all_matrices(PATH, false);
    for (const Order &r : orders_of(0x3f)) {
        arbiter_order order;
        same_order(order, r);
        for (unsigned o = 0; o < PORTS; o++)
            put_before(rtl.before_i, o, r.bits);
        for (const Matrix &m : all) {
            uint8_t gnt[PORTS];
            rtl.req_i = m.req;
            rtl.pref_i = m.pref;
            rtl.eval();
            arbiter_eval(PATH, false, m.row, m.pref, order, gnt);
            uint64_t c = pack(gnt), want = scan_once<PATH>(r, m);
            if (!part.check(c == want && rtl.gnt_o == want)) {
                tell_grants(m, c, rtl.gnt_o, want);
                printf(", order %d%d%d%d%d%d\n", r.port[0], r.port[1], r.port[2], r.port[3],
                       r.port[4], r.port[5]);
            }
        }
    }
}

void part_root(Part &part)
{
    Varbiter_top rtl;
    const std::vector<Matrix> all = all_matrices(PATH_FP, true);
    for (const Order &r : orders_of(0x3f)) {
        arbiter_order order;
        same_order(order, r);
        for (unsigned o = 0; o < PORTS; o++)
            put_before(rtl.before_i, o, r.bits);
        for (const Matrix &m : all) {
            rtl.req_i = m.req;
            rtl.eval();
            uint64_t side[PATH_COUNT] = {rtl.fp_o, rtl.rp_o, rtl.gp_o, rtl.rg_o};
            uint64_t want = scan_once<PATH_FP>(r, m);
            for (unsigned path = 0; path < ARBITER_PATHS; path++) {
                uint8_t gnt[PORTS];
                arbiter_eval(static_cast<path_select>(path), true, m.row, m.pref, order, gnt);
                if (!part.check(pack(gnt) == want && side[path] == want)) {
                    tell_grants(m, pack(gnt), side[path], want);
                    printf(", root, path %s, order %d%d%d%d%d%d\n", path_names[path], r.port[0],
                           r.port[1], r.port[2], r.port[3], r.port[4], r.port[5]);
                }
            }
        }
    }
}

void part_arbiter_fp(Part &part)
{
    every_matrix<Varb_fp, PATH_FP>(part);
}

void part_arbiter_rp(Part &part)
{
    every_matrix<Varb_rp, PATH_RP>(part);
}

void part_arbiter_gp(Part &part)
{
    every_matrix<Varb_gp, PATH_GP>(part);
}

void part_arbiter_rg(Part &part)
{
    every_matrix<Varb_rg, PATH_RG>(part);
}
