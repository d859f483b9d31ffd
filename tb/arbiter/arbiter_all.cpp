// SPDX-License-Identifier: Apache-2.0
// arbiter_all.cpp - the arbiter, C against Verilator, for every case that there is.
//
// docs/arbiter.md says why these parts make the whole.  Each part asks three for an answer: the C
// model, the RTL, and an oracle written here from the specification and from neither of them.
// C++ because Verilator's classes are; the C model is called as C.
//
// usage: arbiter_all [--only PART] [--list]    exit 0 all agree, 1 a mismatch, 2 wrong usage
#include "parts.h"

#include <chrono>

static const struct {
    const char *name;
    void (*run)(Part &);
} parts[] = {
    {"pick", part_pick},
    {"arbiter-fp", part_arbiter_fp},
    {"arbiter-rp", part_arbiter_rp},
    {"arbiter-gp", part_arbiter_gp},
    {"arbiter-rg", part_arbiter_rg},
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
