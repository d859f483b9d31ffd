// SPDX-License-Identifier: Apache-2.0
// booksim_updown.cpp - routing of the butterfly fat-tree for BookSim2, linked beside its own files
// by bench_booksim.sh, and a count of what the run did.
//
// anynet's own routing sends all worms to a processor over one chain of links from the roots, so
// half of the links, and half of the load that the network can take, would stay unused.  This one
// goes up by either parent (GG 3.1: RG), as the network is meant to be used.
#include <cstdint>
#include <cstdio>
#include <sys/resource.h>

#include "booksim.hpp"
#include "flit.hpp"
#include "outputset.hpp"
#include "random_utils.hpp"
#include "routefunc.hpp"
#include "router.hpp"

int GetSimTime();

namespace {

struct rusage usage()
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u;
}

double cpu_seconds()
{
    struct rusage u = usage();
    return double(u.ru_utime.tv_sec) + double(u.ru_utime.tv_usec) / 1e6;
}

// A head is routed once at every switch of its path; the other flits cross the same links.
struct Count {
    uint64_t routed = 0;  // at switches, so links but the injecting one
    uint64_t ejected = 0; // of them, to a processor: worms, each injected once, too
    double start = 0;     // CPU seconds when the first was routed: the network is built
    int end = 0;

    ~Count()
    {
        std::fprintf(stderr, "updown: links %llu worms %llu cycles %d cpu %.3f mb %ld\n",
                     (unsigned long long)(routed + ejected), (unsigned long long)ejected, end,
                     cpu_seconds() - start, usage().ru_maxrss / 1024);
    }
} count;

void route(const Router *r, const Flit *f, int, OutputSet *out, bool inject)
{
    out->Clear();
    if (inject) { // asked for the channel to begin with
        out->AddRange(-1, 0, gNumVCs - 1);
        return;
    }
    unsigned level = 1, a = unsigned(r->GetID()), nodes = unsigned(gNodes);
    for (unsigned wide = nodes / 4; a >= wide; wide /= 2, level++)
        a -= wide;
    unsigned dst = unsigned(f->dest);
    if (count.routed++ == 0)
        count.start = cpu_seconds();
    count.end = GetSimTime();
    if (dst >> 2 * level == a >> (level - 1)) {
        out->AddRange(int(dst >> 2 * (level - 1) & 3), 0, gNumVCs - 1);
        count.ejected += level == 1;
        return;
    }
    // An OutputSet takes one port for each priority.
    int first = RandomInt(1);
    out->AddRange(4 + first, 0, gNumVCs - 1, 1);
    out->AddRange(5 - first, 0, gNumVCs - 1, 0);
}

} // namespace

// The linker puts this in place of BookSim's own (--wrap), which it calls.
extern "C" void __real__Z20InitializeRoutingMapRK13Configuration(const Configuration &config);
extern "C" void __wrap__Z20InitializeRoutingMapRK13Configuration(const Configuration &config)
{
    __real__Z20InitializeRoutingMapRK13Configuration(config);
    gRoutingFunctionMap["updown_anynet"] = &route;
}
