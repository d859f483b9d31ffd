/* SPDX-License-Identifier: Apache-2.0
 * gaps.c - two bursts of worms with a long gap between them, for tb/long/test_gaps.sh.
 *
 * Usage: gaps KIND fast|cycle|auto PATH-SCAN GAP.  Prints what happened less the gap: latencies, waits,
 * the last arrival of each burst; then the digest, which has the gap in it.  KIND: worm, worm2, worm4 (two
 * and four channels), parts (one channel, in two parts), single (worms of one flit, in
 * 16 phases, each as long as the gap, or in 1024 if it is longer than 2^20), single-as-worm (the same worms in the engine
 * for any length), store and split on the butterfly fat-tree; mesh and mesh-store on a mesh of 4 x 4, torus on a
 * torus of 4 x 4, by e-cube whatever PATH-SCAN says.
 */
#include "fatfly.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 16, EACH = 8, BURST = NODES * EACH };

/* Number of the name with which the text begins, up to its end or a dash. */
static unsigned named(const char *text, const char *const *name, unsigned count)
{
    size_t size = strcspn(text, "-");
    unsigned k = 0;
    while (k < count && (strncmp(text, name[k], size) != 0 || name[k][size]))
        k++;
    if (k == count)
        exit(2);
    return k;
}

int main(int argc, char **argv)
{
    static struct fatfly_message message[2 * BURST];
    static struct fatfly_result r;
    struct fatfly_config c;
    char why[256];

    if (argc != 5 || !strchr(argv[3], '-'))
        return 2;
    const bool single = strncmp(argv[1], "single", 6) == 0;
    uint64_t gap = strtoull(argv[4], NULL, 10), histogram = 0, waited = 0;
    for (uint32_t k = 0; k < 2 * BURST; k++) {
        uint32_t src = k % NODES, dst = (src + 1 + k * 7 % (NODES - 1)) % NODES;
        uint64_t later = k % BURST / NODES * 4; /* a processor's worms one after the other */
        message[k] = (struct fatfly_message){.ready = (k < BURST ? 0 : gap) + later, .src = src, .dst = dst,
                                             .length = 8};
    }
    fatfly_defaults(&c);
    bool torus = strcmp(argv[1], "torus") == 0, mesh = torus || strncmp(argv[1], "mesh", 4) == 0;
    if (mesh)
        fatfly_defaults_of(&c, torus ? "torus" : "mesh", strcmp(argv[1], "mesh-store") == 0 ? FATFLY_STORE : FATFLY_WORM);
    c.nodes = NODES;
    c.radix = 4;
    c.length = 8;
    c.pattern = FATFLY_MESSAGES;
    c.messages = message;
    c.message_count = 2 * BURST;
    if (!mesh) {
        c.discipline = strcmp(argv[1], "store") == 0 ? FATFLY_STORE : strcmp(argv[1], "split") == 0 ? FATFLY_SPLIT : FATFLY_WORM;
        c.vcs = strcmp(argv[1], "worm2") == 0 ? 2 : strcmp(argv[1], "worm4") == 0 ? 4 : 1;
        c.depth = c.discipline == FATFLY_STORE ? 1 : 2;
        c.path = (enum fatfly_path)named(argv[3], fatfly_path_names, FATFLY_TREE_PATHS);
        c.scan = (enum fatfly_scan)named(strchr(argv[3], '-') + 1, fatfly_scan_names, FATFLY_SCANS);
        c.parts = strcmp(argv[1], "parts") == 0 ? 2 : 1;
    }
    if (single) {
        c.discipline = FATFLY_PHASED;
        c.pattern = FATFLY_RANDOM;
        c.message_count = 0;
        c.length = 1;
        c.rounds = gap > 1 << 20 ? 1024 : EACH; /* most of so many in the last phases */
        c.phases = gap > 1 << 20 ? 1024 : 16;
        c.phase_length = gap;
        c.class_length[0] = strcmp(argv[1], "single-as-worm") == 0;
    }
    for (unsigned k = 0; k < FATFLY_ENGINES; k++)
        if (strcmp(argv[2], fatfly_engine_names[k]) == 0)
            c.engine = (enum fatfly_engine)k;
    if (fatfly_run(&c, NULL, &r, why, sizeof why)) {
        fprintf(stderr, "gaps: %s\n", why);
        return 1;
    }
    for (unsigned k = 0; k < FATFLY_BUCKETS; k++)
        histogram = histogram * UINT64_C(0x9E3779B97F4A7C15) + r.histogram[k];
    for (unsigned k = 0; k < FATFLY_MAX_STAGES; k++)
        waited += r.up[k].waited + r.down[k].waited;
    printf("worms %" PRIu64 " latencies %" PRIu64 " max %" PRIu64 " histogram %016" PRIx64
           " source %" PRIu64 " blocked %" PRIu64 " waited %" PRIu64 " last %" PRIu64 "\n%016" PRIx64 "\n",
           r.worms, r.latency_sum, r.latency_max, histogram, r.source_wait, r.blocked, waited,
           single ? r.last_arrival % gap : r.last_arrival - gap, r.digest);
    return 0;
}
