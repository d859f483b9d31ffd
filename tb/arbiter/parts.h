// SPDX-License-Identifier: Apache-2.0
// parts.h - what the parts of arbiter_all share: how a case is counted, orders of the ports, packed bits.
#pragma once

extern "C" {
#include "arbiter.h"
#include "pick.h"
#include "port.h"
#include "scan.h"
}

#include <verilated.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <vector>

constexpr unsigned PORTS = SWITCH_PORTS;
constexpr unsigned PAIRS = 15;
constexpr unsigned ARBITER_PATHS = PATH_RG + 1; // that the arbiter knows: RW asks it as RG does

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

inline __attribute__((format(printf, 1, 2))) void tell(const char *format, ...)
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

inline Order make_order(const std::array<uint8_t, PORTS> &port)
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

inline Order from_start(unsigned start)
{
    std::array<uint8_t, PORTS> port{};
    for (unsigned k = 0; k < PORTS; k++)
        port[k] = static_cast<uint8_t>((start + k) % PORTS);
    return make_order(port);
}

// Every order that moves only the ports in who; the others stay behind them, lowest first.
inline std::vector<Order> orders_of(unsigned who)
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
inline std::array<uint8_t, PORTS> ahead_of(unsigned bits)
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
inline void put_before(VlWide<3> &w, unsigned o, unsigned bits)
{
    unsigned at = PAIRS * o % 32, word = PAIRS * o / 32;
    uint64_t mask = UINT64_C(0x7fff) << at, value = static_cast<uint64_t>(bits) << at;
    w[word] = (w[word] & ~static_cast<uint32_t>(mask)) | static_cast<uint32_t>(value);
    if (mask >> 32)
        w[word + 1] = (w[word + 1] & ~static_cast<uint32_t>(mask >> 32)) |
                      static_cast<uint32_t>(value >> 32);
}

inline unsigned get_before(const VlWide<3> &w, unsigned o)
{
    unsigned at = PAIRS * o % 32, word = PAIRS * o / 32;
    uint64_t both = w[word] | (word < 2 ? static_cast<uint64_t>(w[word + 1]) << 32 : 0);
    return static_cast<unsigned>(both >> at) & 0x7fff;
}

inline uint64_t pack(const uint8_t row[PORTS])
{
    uint64_t all = 0;
    for (unsigned i = 0; i < PORTS; i++)
        all |= static_cast<uint64_t>(row[i]) << 6 * i;
    return all;
}

inline void unpack(uint64_t all, uint8_t row[PORTS])
{
    for (unsigned i = 0; i < PORTS; i++)
        row[i] = static_cast<uint8_t>(all >> 6 * i & 0x3f);
}

// What the inputs ask of the outputs, packed and by rows, and what they prefer.
struct Matrix {
    uint64_t req;
    uint8_t row[PORTS];
    uint8_t pref;
};

inline void same_order(arbiter_order order, const Order &r)
{
    for (unsigned o = 0; o < PORTS; o++)
        order[o] = r.ahead.data();
}

inline void tell_grants(const Matrix &m, uint64_t c, uint64_t rtl, uint64_t oracle)
{
    tell("pref %x, rows (input 0 first) ask/c/rtl/oracle:", m.pref);
    for (unsigned i = 0; i < PORTS; i++)
        printf(" %02x/%02x/%02x/%02x", m.row[i], static_cast<unsigned>(c >> 6 * i & 0x3f),
               static_cast<unsigned>(rtl >> 6 * i & 0x3f),
               static_cast<unsigned>(oracle >> 6 * i & 0x3f));
}

// The parts, by what they are about; docs/arbiter.md says why they make the whole.
// arbiter.cpp
void part_pick(Part &part);
void part_root(Part &part);
void part_arbiter_fp(Part &part);
void part_arbiter_rp(Part &part);
void part_arbiter_gp(Part &part);
void part_arbiter_rg(Part &part);
// cones.cpp
void part_child_cones(Part &part);
void part_parent_cones(Part &part);
void part_shared(Part &part);
// scan.cpp
void part_rr(Part &part);
void part_rr_root(Part &part);
void part_fo(Part &part);
void part_ff(Part &part);
void part_rot(Part &part);
void part_fcfs(Part &part);
void part_fcfs2(Part &part);
void part_fcfs4(Part &part);
// port.cpp
void part_port1(Part &part);
void part_port2(Part &part);
