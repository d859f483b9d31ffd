// SPDX-License-Identifier: Apache-2.0
// cube_route_all.cpp - the routes of k-ary 2-cubes, for every case that there is: the Verilog, its C
// twin, and the network simulator's own route(), which was written apart from both.
//
// A case is a radix, a topology, a way of routing, a number of channels, a node, the port and channel
// that a head came in by, and its destination.  usage: cube_route_all    exit 0 all agree, 1 a mismatch
#include "Vcube_route_top10.h"
#include "Vcube_route_top16.h"
#include "Vcube_route_top2.h"
#include "Vcube_route_top3.h"
#include "Vcube_route_top4.h"
#include "Vcube_route_top5.h"
#include "Vcube_route_top6.h"
#include "Vcube_route_top7.h"
#include "Vcube_route_top8.h"
#include "Vcube_route_top9.h"

#define class class_ // a name in C
extern "C" {
#include "cube_route.h"
#include "topology.h"
}
#undef class

#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <vector>

namespace {

constexpr unsigned KINDS = 4 * MAX_CUBE_VCS;

struct Part {
    uint64_t cases = 0;
    uint64_t mismatches = 0;
};

// What the network simulator says, in the terms of the switch.
cube_ways expected(const topology &t, const topology_place &at, uint32_t dst)
{
    topology_choice choice[TOPOLOGY_MAX_PORTS];
    unsigned count = t.kind->route(&t, &at, dst, choice), want = 0, mask = 0;

    if (!count)
        return {1 << CUBE_PROCESSOR, (uint16_t)((1u << t.classes) - 1)};
    for (unsigned k = 0; k < count; k++) {
        want |= 1u << choice[k].port;
        for (unsigned v = choice[k].low; v <= choice[k].high && v < t.classes; v++)
            mask |= 1u << v;
        if (choice[k].low != choice[0].low || choice[k].high != choice[0].high)
            mask = 0xffff; // the switch has no word for that
    }
    // Where both ways round are shortest adaptive heads may take either; the router takes one of them.
    const unsigned k = t.params.radix, digit[2] = {at.node % k, at.node / k};
    for (unsigned d = 0; d < 2; d++)
        if ((want >> 2 * d & 3) == 3)
            want &= ~((digit[d] % 2 ? 1u : 2u) << 2 * d);
    return {(uint8_t)want, (uint16_t)mask};
}

// Bits of a wide port.
unsigned bits(const uint32_t *word, unsigned at, unsigned n)
{
    uint64_t two = word[at / 32] | (at % 32 + n > 32 ? (uint64_t)word[at / 32 + 1] << 32 : 0);
    return (unsigned)(two >> at % 32) & ((1u << n) - 1);
}

// The kinds of a radix: 9 * (2 * torus + negative-hop) + channels - 1.
struct Kinds {
    topology t[KINDS];
    cube_params p[KINDS];
    std::vector<unsigned> there;

    Kinds(unsigned k, bool few)
    {
        for (unsigned kind = 0; kind < KINDS; kind++) {
            bool torus = kind / 18, nhop = kind / 9 % 2;
            topology_params says = {};
            char why[200];
            says.radix = k;
            says.dimensions = 2;
            says.path = nhop ? "negative-hop" : "e-cube";
            says.classes = kind % 9 + 1;
            p[kind] = {k, torus, nhop, says.classes, 2, 32, SCAN_ROT};
            if (few && says.classes != 2 && says.classes != 9)
                continue;
            // Refused: negative-hop with too few channels, or where a ring has no two colours.
            if (!topology_open(&t[kind], torus ? "torus" : "mesh", &says, why, sizeof why))
                there.push_back(kind);
        }
    }
};

void differs(const cube_params &p, const topology_place &at, unsigned port, uint32_t dst,
             const cube_ways &s, const cube_ways &c, unsigned want, unsigned mask)
{
    printf("%s of radix %u, %s, %u channels: node %u, in by port %u channel %u, to %u: outputs and "
           "channels 0x%x 0x%x by cube.c, 0x%x 0x%x by cube_route.h, 0x%x 0x%x by cube_route.v\n",
           p.torus ? "torus" : "mesh", p.radix, p.negative_hop ? "negative-hop" : "e-cube", p.vcs,
           at.node, port, at.class_, dst, s.want, s.mask, c.want, c.mask, want, mask);
}

template <class V> void one(V &top, const Kinds &kinds, const topology_place &at, unsigned port,
                            uint32_t dst, Part &part)
{
    for (unsigned kind : kinds.there) {
        const cube_params &p = kinds.p[kind];
        if (at.class_ >= p.vcs)
            continue;
        topology_place mine = at;
        if (port != CUBE_PROCESSOR)
            mine.from = kinds.t[kind].kind->far(&kinds.t[kind], at.node, port);
        if (port != CUBE_PROCESSOR && mine.from == TOPOLOGY_NONE)
            continue; // the edge of a mesh
        cube_ways s = expected(kinds.t[kind], mine, dst);
        cube_ways c = cube_route(&p, at.node, dst, port, at.class_);
        c.mask &= (1u << p.vcs) - 1;
        unsigned want = bits(top.want_o.data(), 5 * kind, 5), mask = bits(top.mask_o.data(), 9 * kind, 9);
        part.cases++;
        if (s.want != c.want || s.mask != c.mask || s.want != want || s.mask != mask)
            if (!part.mismatches++)
                differs(p, mine, port, dst, s, c, want, mask);
    }
}

template <class V> void radix(unsigned k, Part &total)
{
    V top;
    Part part;
    Kinds kinds(k, k > 10);
    auto begin = std::chrono::steady_clock::now();

    for (uint32_t node = 0; node < k * k; node++)
        for (unsigned port = 0; port < CUBE_PORTS; port++)
            for (unsigned channel = 0; channel < MAX_CUBE_VCS; channel++)
                for (uint32_t dst = 0; dst < k * k; dst++) {
                    topology_place at = {};
                    at.node = node;
                    at.from = TOPOLOGY_NONE;
                    at.port = port ^ 1;
                    at.class_ = channel;
                    top.node_i = (uint8_t)cube_address(k, node);
                    top.dst_i = (uint8_t)cube_address(k, dst);
                    top.link_i = port != CUBE_PROCESSOR;
                    top.chan_i = (uint8_t)channel;
                    top.eval();
                    one(top, kinds, at, port, dst, part);
                }
    double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    printf("radix %u, %" PRIu64 ", %" PRIu64 ", %.2f\n", k, part.cases, part.mismatches, took);
    fflush(stdout);
    total.cases += part.cases;
    total.mismatches += part.mismatches;
}

} // namespace

int main()
{
    Part total;

    printf("part, cases, mismatches, seconds\n");
    radix<Vcube_route_top2>(2, total);
    radix<Vcube_route_top3>(3, total);
    radix<Vcube_route_top4>(4, total);
    radix<Vcube_route_top5>(5, total);
    radix<Vcube_route_top6>(6, total);
    radix<Vcube_route_top7>(7, total);
    radix<Vcube_route_top8>(8, total);
    radix<Vcube_route_top9>(9, total);
    radix<Vcube_route_top10>(10, total);
    radix<Vcube_route_top16>(16, total);
    printf("total, %" PRIu64 ", %" PRIu64 "\n", total.cases, total.mismatches);
    return total.mismatches ? 1 : 0;
}
