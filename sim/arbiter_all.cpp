// SPDX-License-Identifier: Apache-2.0
// arbiter_all.cpp - the arbiter, C against Verilator, for every case that there is.
//
// docs/arbiter.md says why these parts make the whole.  Each part asks three for an answer: the C
// model, the RTL, and an oracle written here from the specification and from neither of them.
// C++ because Verilator's classes are; the C model is called as C.
//
// usage: arbiter_all [--only PART] [--list]    exit 0 all agree, 1 a mismatch, 2 wrong usage
#include "Varb_fp.h"
#include "Varb_gp.h"
#include "Varb_rg.h"
#include "Varb_rp.h"
#include "Varbiter_top.h"
#include "Vport_top1.h"
#include "Vport_top2.h"
#include "Vscan_top.h"

extern "C" {
#include "arbiter.h"
#include "pick.h"
#include "port.h"
#include "scan.h"
}

#include <algorithm>
#include <array>
#include <bitset>
#include <chrono>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <vector>

namespace {

constexpr unsigned PORTS = SWITCH_PORTS;
constexpr unsigned PAIRS = 15;

// Bit of the pair i < j in an output's 15 order bits.
constexpr unsigned pair_bit(unsigned i, unsigned j)
{
    return i * (11 - i) / 2 + j - i - 1;
}

struct Part {
    uint64_t cases = 0;
    uint64_t mismatches = 0;

    // One case; the first that differs is printed.
    bool check(bool same)
    {
        cases++;
        return same || mismatches++ != 0;
    }
};

__attribute__((format(printf, 1, 2))) void tell(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("  ", stdout);
    vprintf(format, args);
    va_end(args);
}

// A total order of the ports in the three forms that the sides want.
struct Order {
    std::array<uint8_t, PORTS> port{};  // first to last
    std::array<uint8_t, PORTS> ahead{}; // of port i: the ports before it, a bit each
    uint16_t bits = 0;                  // a bit per pair
};

Order make_order(const std::array<uint8_t, PORTS> &port)
{
    Order r;
    unsigned seen = 0;
    r.port = port;
    for (uint8_t i : port) {
        r.ahead[i] = static_cast<uint8_t>(seen);
        seen |= 1u << i;
    }
    for (unsigned i = 0; i < PORTS; i++)
        for (unsigned j = i + 1; j < PORTS; j++)
            if (r.ahead[j] >> i & 1)
                r.bits = static_cast<uint16_t>(r.bits | 1u << pair_bit(i, j));
    return r;
}

Order from_start(unsigned start)
{
    std::array<uint8_t, PORTS> port{};
    for (unsigned k = 0; k < PORTS; k++)
        port[k] = static_cast<uint8_t>((start + k) % PORTS);
    return make_order(port);
}

// Every order that moves only the ports in who; the others stay behind them, lowest first.
std::vector<Order> orders_of(unsigned who)
{
    std::vector<uint8_t> moving;
    for (unsigned i = 0; i < PORTS; i++)
        if (who >> i & 1)
            moving.push_back(static_cast<uint8_t>(i));
    std::vector<Order> all;
    do {
        std::array<uint8_t, PORTS> port{};
        size_t n = 0;
        for (uint8_t i : moving)
            port[n++] = i;
        for (unsigned i = 0; i < PORTS; i++)
            if (!(who >> i & 1))
                port[n++] = static_cast<uint8_t>(i);
        all.push_back(make_order(port));
    } while (std::next_permutation(moving.begin(), moving.end()));
    return all;
}

// ahead[] of any pair bits, whether they are an order or not.
std::array<uint8_t, PORTS> ahead_of(unsigned bits)
{
    std::array<uint8_t, PORTS> ahead{};
    for (unsigned i = 0; i < PORTS; i++)
        for (unsigned j = i + 1; j < PORTS; j++) {
            bool first = bits >> pair_bit(i, j) & 1;
            unsigned later = first ? j : i;
            ahead[later] = static_cast<uint8_t>(ahead[later] | 1u << (first ? i : j));
        }
    return ahead;
}

// 15 bits of output o in the RTL's 90.
void put_before(VlWide<3> &w, unsigned o, unsigned bits)
{
    unsigned at = PAIRS * o % 32, word = PAIRS * o / 32;
    uint64_t mask = UINT64_C(0x7fff) << at, value = static_cast<uint64_t>(bits) << at;
    w[word] = (w[word] & ~static_cast<uint32_t>(mask)) | static_cast<uint32_t>(value);
    if (mask >> 32)
        w[word + 1] = (w[word + 1] & ~static_cast<uint32_t>(mask >> 32)) |
                      static_cast<uint32_t>(value >> 32);
}

unsigned get_before(const VlWide<3> &w, unsigned o)
{
    unsigned at = PAIRS * o % 32, word = PAIRS * o / 32;
    uint64_t both = w[word] | (word < 2 ? static_cast<uint64_t>(w[word + 1]) << 32 : 0);
    return static_cast<unsigned>(both >> at) & 0x7fff;
}

uint64_t pack(const uint8_t row[PORTS])
{
    uint64_t all = 0;
    for (unsigned i = 0; i < PORTS; i++)
        all |= static_cast<uint64_t>(row[i]) << 6 * i;
    return all;
}

void unpack(uint64_t all, uint8_t row[PORTS])
{
    for (unsigned i = 0; i < PORTS; i++)
        row[i] = static_cast<uint8_t>(all >> 6 * i & 0x3f);
}

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

// ---- arbiter ---------------------------------------------------------------------------------

struct Matrix {
    uint64_t req;
    uint8_t row[PORTS];
    uint8_t pref;
};

// Every request matrix that ports can make.  A child asks for nothing, one of the other three,
// parent 0, parent 1 or, under GP and RG, both; only then does its preference count (RG).
std::vector<Matrix> all_matrices(enum path_select path, bool root)
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

void same_order(arbiter_order order, const Order &r)
{
    for (unsigned o = 0; o < PORTS; o++)
        order[o] = r.ahead.data();
}

void tell_grants(const Matrix &m, uint64_t c, uint64_t rtl, uint64_t oracle)
{
    tell("pref %x, rows (input 0 first) ask/c/rtl/oracle:", m.pref);
    for (unsigned i = 0; i < PORTS; i++)
        printf(" %02x/%02x/%02x/%02x", m.row[i], static_cast<unsigned>(c >> 6 * i & 0x3f),
               static_cast<unsigned>(rtl >> 6 * i & 0x3f),
               static_cast<unsigned>(oracle >> 6 * i & 0x3f));
}

template <class Rtl, path_select PATH> void part_arbiter(Part &part)
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
            for (unsigned path = 0; path < PATH_COUNT; path++) {
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
void check_cone(Part &part, Both<Rtl> &both, uint64_t mask, uint64_t inside_req,
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
uint64_t parents_by_turns(path_select path, const uint8_t row[PORTS], unsigned pref,
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
                    for (unsigned path = 0; path < PATH_COUNT; path++)
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
                    for (unsigned path = 0; path < PATH_COUNT; path++) {
                        same(path, 0, shared, inner[path], mask,
                             parents_by_turns(static_cast<path_select>(path), row, pref, r, r));
                        same(path, 1, shared, root[path], mask, 0); // it has no parents
                    }
                }
        }
}

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
void grant_one(Scans &s, unsigned input, unsigned output)
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
void fcfs_pairs(Part &part, Scans &s, const VlWide<3> &before)
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

// ---- port ------------------------------------------------------------------------------------

constexpr unsigned PLACES = 7;

// tb/rtl/port_top.v names the places.
struct Place {
    path_select path;
    unsigned level;
    bool parent;
};

const Place places[PLACES] = {{PATH_FP, 2, false}, {PATH_RP, 2, false}, {PATH_GP, 2, false},
                              {PATH_RG, 2, false}, {PATH_FP, 2, true},  {PATH_FP, 3, false},
                              {PATH_FP, 1, false}};

// What stands at the front of a channel.
struct Front {
    enum { EMPTY, HEAD, BODY } what;
    uint16_t payload;
    uint8_t tail;   // HEAD: a worm of one flit; BODY: the last flit
    uint8_t output; // BODY: number of the output held
    uint8_t chan;   // BODY: number of the channel held there
};

// A head for three levels: all digits of the destination the same.
uint16_t head_of(unsigned digit, unsigned height, unsigned path)
{
    return static_cast<uint16_t>(digit * 0x15 | height << 12 | path << 14);
}

template <class Rtl, unsigned V> struct Ports {
    Rtl rtl;
    port c[PLACES];
    switch_params params[PLACES];
    flit mem[PLACES][V];
    std::array<uint8_t, PORTS> room{}, free{}; // per output, a bit per channel
    std::bitset<64> seen[PLACES];              // rows that the RTL asked for

    Ports()
    {
        for (unsigned k = 0; k < PLACES; k++) {
            params[k] = {V, 2, 16, places[k].path, SCAN_RR, places[k].level, 3};
            port_init(&c[k], &params[k], mem[k]);
        }
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
        rtl.valid_i = 0;
        rtl.gnt_i = 0;
        rtl.rst_i = 1;
        clock();
        rtl.rst_i = 0;
        for (unsigned k = 0; k < PLACES; k++)
            port_reset(&c[k], &params[k]);
    }

    void view(const std::array<uint8_t, PORTS> &r, const std::array<uint8_t, PORTS> &f)
    {
        uint32_t rooms = 0, frees = 0;
        for (unsigned o = 0; o < PORTS; o++) {
            rooms |= static_cast<uint32_t>(r[o]) << V * o;
            frees |= static_cast<uint32_t>(f[o]) << V * o;
        }
        room = r;
        free = f;
        rtl.room_i = static_cast<std::remove_reference_t<decltype(rtl.room_i)>>(rooms);
        rtl.free_i = static_cast<std::remove_reference_t<decltype(rtl.free_i)>>(frees);
    }

    void open_all()
    {
        std::array<uint8_t, PORTS> all;
        all.fill((1u << V) - 1);
        view(all, all);
    }

    uint8_t c_asks(unsigned k, unsigned rand, int *channel) const
    {
        port_view v = {};
        for (unsigned o = 0; o < PORTS; o++) {
            v.room[o] = room[o];
            v.free[o] = free[o];
            v.room_any = static_cast<uint8_t>(v.room_any | (room[o] != 0) << o);
            v.free_any = static_cast<uint8_t>(v.free_any | (free[o] != 0) << o);
        }
        return port_eval(&c[k], &params[k], places[k].parent, rand, &v, channel);
    }

    // A clock edge: a flit enters, or what is offered leaves for chan of an output.
    void push(unsigned channel, uint16_t payload, unsigned kind)
    {
        struct link in{{payload, static_cast<uint8_t>(kind), 0},
                       static_cast<uint8_t>(1u << channel)};
        rtl.valid_i = static_cast<uint8_t>(1u << channel);
        rtl.flit_i = kind << 16 | payload;
        clock();
        rtl.valid_i = 0;
        for (unsigned k = 0; k < PLACES; k++)
            port_tick(&c[k], &params[k], &in, 0, 0, 0);
    }

    // The same by what a place has: from a parent port and at the root a head can only go down.
    static unsigned at(const Place &place, unsigned output)
    {
        return output > 3 && (place.parent || place.level == 3) ? 0 : output;
    }

    void leave(unsigned output, unsigned chan)
    {
        struct link none{};
        rtl.gnt_i = static_cast<uint8_t>(1u << output);
        rtl.chan_i = static_cast<uint8_t>(1u << chan);
        rtl.eval();
        for (unsigned k = 0; k < PLACES; k++) {
            int channel;
            if (c_asks(k, 0, &channel))
                port_tick(&c[k], &params[k], &none, static_cast<uint8_t>(1u << at(places[k], output)),
                          static_cast<unsigned>(channel), static_cast<uint8_t>(1u << chan));
        }
        clock();
        rtl.gnt_i = 0;
    }

    // Brings the fronts about by what a switch does: a body is there because its head has left.
    void set(const std::array<Front, V> &front, unsigned next)
    {
        reset();
        open_all();
        rtl.rand_i = 0;
        unsigned bodies = 0, now = 0;
        for (unsigned v = 0; v < V; v++)
            bodies |= static_cast<unsigned>(front[v].what == Front::BODY) << v;
        for (unsigned n = 0; n < V; n++) {
            unsigned v = (next + n) % V; // the last to leave is the one before next
            if (!(bodies >> v & 1))
                continue;
            unsigned o = front[v].output;
            rtl.rand_i = o == 5;
            push(v, o < 4 ? head_of(o, 1, 0) : head_of(0, 3, o == 5 ? 3 : 0), FLIT_HEAD);
            leave(o, front[v].chan);
            now = (v + 1) % V;
        }
        if (now != next) {
            push((next + V - 1) % V, head_of(0, 1, 0), FLIT_SINGLE);
            leave(0, 0);
        }
        for (unsigned v = 0; v < V; v++)
            if (front[v].what != Front::EMPTY)
                push(v, front[v].payload,
                     front[v].tail | (front[v].what == Front::HEAD ? 2u : 0u));
    }

    // What the specification says that this front can ask for in this cycle.
    unsigned wants(const Front &f, const Place &place, unsigned rand) const
    {
        if (f.what == Front::EMPTY)
            return 0;
        if (f.what == Front::BODY)
            return room[at(place, f.output)] >> f.chan & 1 ? 1u << at(place, f.output) : 0;
        unsigned height = f.payload >> 12 & 3, ask;
        if (place.parent || place.level == 3 || height <= place.level)
            ask = 1u << (f.payload >> 2 * (place.level - 1) & 3);
        else if (place.path == PATH_FP)
            ask = f.payload >> (14 + place.level - 1) & 1 ? 0x20 : 0x10;
        else if (place.path == PATH_RP)
            ask = rand ? 0x20 : 0x10;
        else
            ask = 0x30;
        for (unsigned o = 0; o < PORTS; o++)
            if (!free[o])
                ask &= ~(1u << o);
        return ask;
    }

    void check(Part &part, const std::array<Front, V> &front, unsigned next, unsigned rand)
    {
        rtl.rand_i = static_cast<uint8_t>(rand); // of the next cycle
        clock();
        for (unsigned k = 0; k < PLACES; k++) {
            unsigned want = 0, offer = V == 1;
            for (unsigned n = 0; n < V && !want; n++) {
                unsigned v = (next + n) % V;
                want = wants(front[v], places[k], rand);
                if (want)
                    offer = 1u << v;
            }
            int channel;
            unsigned cm = c_asks(k, rand, &channel);
            unsigned c_offer = channel < 0 ? V == 1 : 1u << channel;
            unsigned r = static_cast<unsigned>(rtl.req_o >> 6 * k & 0x3f);
            unsigned r_offer = rtl.offer_o >> V * k & ((1u << V) - 1);
            seen[k][r] = true;
            if (part.check(cm == want && r == want && c_offer == offer && r_offer == offer))
                continue;
            tell("place %u, next %u, rand %u, request/offer: c %02x/%x rtl %02x/%x oracle %02x/%x",
                 k, next, rand, cm, c_offer, r, r_offer, want, offer);
            printf(", room %x%x%x%x%x%x free %x%x%x%x%x%x (output 0 first)", room[0], room[1],
                   room[2], room[3], room[4], room[5], free[0], free[1], free[2], free[3], free[4],
                   free[5]);
            for (const Front &f : front)
                printf(", front %s payload %04x held %u.%u",
                       f.what == Front::EMPTY ? "none" : f.what == Front::HEAD ? "head" : "body",
                       f.payload, f.output, f.chan);
            printf("\n");
        }
    }

    // The rows that ports can make are those that the arbiter parts go through.
    void check_rows(Part &part)
    {
        for (unsigned k = 0; k < PLACES; k++) {
            std::bitset<64> want;
            want[0] = want[1] = want[2] = want[4] = want[8] = true;
            want[0x10] = want[0x20] = !places[k].parent && places[k].level < 3;
            want[0x30] = places[k].path == PATH_GP || places[k].path == PATH_RG;
            if (!part.check(seen[k] == want))
                tell("place %u asks for other rows than the arbiter parts go through\n", k);
        }
    }
};

// Every state of the outputs in list (no room; room, but held; free), V channels each, the others
// as given.
template <unsigned V, class Visit>
void availabilities(const std::vector<unsigned> &list, unsigned others, Visit visit)
{
    std::array<uint8_t, PORTS> room, free;
    room.fill(static_cast<uint8_t>(others));
    free.fill(static_cast<uint8_t>(others));
    uint64_t count = 1;
    for (size_t k = 0; k < list.size() * V; k++)
        count *= 3;
    for (uint64_t n = 0; n < count; n++) {
        uint64_t rest = n;
        for (unsigned o : list) {
            unsigned r = 0, f = 0;
            for (unsigned v = 0; v < V; v++, rest /= 3) {
                r |= static_cast<unsigned>(rest % 3 > 0) << v;
                f |= static_cast<unsigned>(rest % 3 == 2) << v;
            }
            room[o] = static_cast<uint8_t>(r);
            free[o] = static_cast<uint8_t>(f);
        }
        visit(room, free);
    }
}

void part_port1(Part &part)
{
    Ports<Vport_top1, 1> s;
    auto each_view = [&](const Front &f) {
        s.set({f}, 0);
        availabilities<1>({0, 1, 2, 3, 4, 5}, 0, [&](const auto &room, const auto &free) {
            s.view(room, free);
            for (unsigned rand = 0; rand < 2; rand++)
                s.check(part, {f}, 0, rand);
        });
    };
    each_view({Front::EMPTY, 0, 0, 0, 0});
    for (uint8_t tail = 0; tail < 2; tail++) {
        for (unsigned k = 0; k < 64; k++)
            each_view({Front::HEAD, head_of(k & 3, k >> 2 & 3, k >> 4), tail, 0, 0});
        for (uint8_t o = 0; o < PORTS; o++)
            for (unsigned payload : {0u, 0xffffu})
                each_view({Front::BODY, static_cast<uint16_t>(payload), tail, o, 0});
        // Every head that 16 bits can say.
        for (unsigned payload = 0; payload < 0x10000; payload++) {
            Front f{Front::HEAD, static_cast<uint16_t>(payload), tail, 0, 0};
            s.set({f}, 0);
            for (unsigned rand = 0; rand < 2; rand++)
                s.check(part, {f}, 0, rand);
        }
    }
    s.check_rows(part);
}

// Two channels: every two fronts x which goes first x every state of the channels that they or
// either could take, all others shut and all others free.
void part_port2(Part &part)
{
    Ports<Vport_top2, 2> s;
    struct Choice {
        Front front;
        unsigned outputs; // that matter to it in some place
    };
    std::vector<Choice> choices;
    choices.push_back({{Front::EMPTY, 0, 0, 0, 0}, 0});
    for (uint8_t d = 0; d < 4; d++)
        choices.push_back({{Front::HEAD, head_of(d, 1, d), uint8_t(d & 1), 0, 0}, 1u << d});
    for (unsigned path : {0u, 3u})
        choices.push_back({{Front::HEAD, head_of(0, 3, path), 0, 0, 0}, 0x31});
    for (uint8_t o = 0; o < PORTS; o++)
        for (uint8_t w = 0; w < 2; w++)
            choices.push_back({{Front::BODY, 0xffff, w, o, w}, 1u << o});
    for (const Choice &a : choices)
        for (const Choice &b : choices) {
            std::vector<unsigned> list;
            for (unsigned o = 0; o < PORTS; o++)
                if ((a.outputs | b.outputs) >> o & 1)
                    list.push_back(o);
            for (unsigned next = 0; next < 2; next++) {
                std::array<Front, 2> front = {a.front, b.front};
                s.set(front, next);
                for (unsigned others : {0u, 3u})
                    availabilities<2>(list, others, [&](const auto &room, const auto &free) {
                        s.view(room, free);
                        for (unsigned rand = 0; rand < 2; rand++)
                            s.check(part, front, next, rand);
                    });
            }
        }
    s.check_rows(part);
}

// ----------------------------------------------------------------------------------------------

const struct {
    const char *name;
    void (*run)(Part &);
} parts[] = {
    {"pick", part_pick},
    {"arbiter-fp", part_arbiter<Varb_fp, PATH_FP>},
    {"arbiter-rp", part_arbiter<Varb_rp, PATH_RP>},
    {"arbiter-gp", part_arbiter<Varb_gp, PATH_GP>},
    {"arbiter-rg", part_arbiter<Varb_rg, PATH_RG>},
    {"arbiter-root", part_root},
    {"child-cones", part_child_cones},
    {"parent-cones", part_parent_cones},
    {"shared-order", part_shared},
    {"scan-rr", part_rr},
    {"scan-rr-root", part_rr_root},
    {"scan-fo", part_fo},
    {"scan-ff", part_ff},
    {"scan-rot", part_rot},
    {"scan-fcfs", part_fcfs},
    {"scan-fcfs-v2", part_fcfs2},
    {"scan-fcfs-v4", part_fcfs4},
    {"port-v1", part_port1},
    {"port-v2", part_port2},
};

} // namespace

int main(int argc, char **argv)
{
    const char *only = nullptr;
    for (int k = 1; k < argc; k++) {
        if (!strcmp(argv[k], "--list")) {
            for (const auto &p : parts)
                puts(p.name);
            return 0;
        }
        if (strcmp(argv[k], "--only") || k + 1 == argc) {
            fprintf(stderr, "arbiter_all: %s; usage: arbiter_all [--only PART] [--list]\n",
                    strcmp(argv[k], "--only") ? argv[k] : "--only needs the name of a part");
            return 2;
        }
        only = argv[++k];
    }
    using clock = std::chrono::steady_clock;
    Part total;
    unsigned ran = 0;
    double seconds = 0;
    printf("part, cases, mismatches, seconds\n");
    for (const auto &p : parts) {
        if (only && strcmp(only, p.name))
            continue;
        Part part;
        auto begin = clock::now();
        p.run(part);
        double took = std::chrono::duration<double>(clock::now() - begin).count();
        printf("%s, %" PRIu64 ", %" PRIu64 ", %.2f\n", p.name, part.cases, part.mismatches, took);
        fflush(stdout);
        ran++;
        seconds += took;
        total.cases += part.cases;
        total.mismatches += part.mismatches;
    }
    if (!ran) {
        fprintf(stderr, "arbiter_all: no part is called %s; --list names them\n", only);
        return 2;
    }
    printf("total, %" PRIu64 ", %" PRIu64 ", %.2f\n", total.cases, total.mismatches, seconds);
    return total.mismatches ? 1 : 0;
}
