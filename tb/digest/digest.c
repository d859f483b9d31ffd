/* SPDX-License-Identifier: Apache-2.0
 * digest.c - runs of all kinds, a line each with the digest and the main figures: test_digest.sh
 * compares what programs made by different compilers print.
 */
#include "fatfly.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 256, MESSAGES = 300 };

static uint32_t map[MOST_NODES];
static struct fatfly_message messages[MESSAGES];
static struct fatfly_result result;
static unsigned lines;

/* -- printing ------------------------------------------------------------------------------- */

/* FNV-1a by words. */
static uint64_t sum(uint64_t h, const uint64_t *word, size_t count)
{
    for (size_t k = 0; k < count; k++)
        h = (h ^ word[k]) * UINT64_C(0x100000001b3);
    return h;
}

static uint64_t sum_levels(uint64_t h, const struct fatfly_level *level)
{
    for (unsigned l = 0; l < FATFLY_MAX_LEVELS; l++) {
        const uint64_t word[] = {level[l].links, level[l].flits, level[l].worms, level[l].waited,
                                 level[l].occupancy};
        h = sum(h, word, sizeof word / sizeof *word);
    }
    return h;
}

/* All that is not printed as such. */
static uint64_t sum_rest(const struct fatfly_result *r)
{
    const uint64_t word[] = {r->source_wait, r->blocked, r->measure_from, r->measure_cycles,
                             r->offered_flits, r->warmed_up, r->samples, r->flits};
    uint64_t h = sum(UINT64_C(0xcbf29ce484222325), word, sizeof word / sizeof *word);
    h = sum(h, r->histogram, FATFLY_BUCKETS);
    h = sum(h, r->batch_sum, FATFLY_BATCHES);
    h = sum(h, r->batch_count, FATFLY_BATCHES);
    h = sum(h, r->occupied, FATFLY_MAX_DEPTH + 1);
    return sum_levels(sum_levels(h, r->up), r->down);
}

static void run(const struct fatfly_config *c)
{
    const struct fatfly_result *r = &result;
    char why[200];

    if (fatfly_run(c, NULL, &result, why, sizeof why) != FATFLY_OK) {
        fprintf(stderr, "digest: line %u: %s\n", lines + 1, why);
        exit(1);
    }
    printf("%u %s %s %s %s %s N=%" PRIu32 " q=%u V=%u L=%u load=%g:", ++lines,
           fatfly_discipline_names[c->discipline], fatfly_path_names[c->path],
           fatfly_scan_names[c->scan], fatfly_pattern_names[c->pattern],
           fatfly_engine_names[c->engine], c->nodes, c->depth, c->vcs, c->length, c->load);
    printf(" %016" PRIx64 " end=%d cycles=%" PRIu64 " hops=%" PRIu64 " worms=%" PRIu64
           " self=%" PRIu64 " last=%" PRIu64 " sum=%" PRIu64 " max=%" PRIu64 " c=%" PRIu32
           " d=%" PRIu32 " factor=%a accepted=%" PRIu64 " rest=%016" PRIx64 "\n",
           r->digest, (int)r->end, r->cycles, r->flit_hops, r->worms, r->self_worms,
           r->last_arrival, r->latency_sum, r->latency_max, r->congestion, r->dilation,
           r->load_factor, r->accepted_flits, sum_rest(r));
}

/* -- what is run ---------------------------------------------------------------------------- */

static struct fatfly_config config_of(uint32_t nodes)
{
    struct fatfly_config c;
    fatfly_defaults(&c);
    c.nodes = nodes;
    c.seed = lines + 1;
    c.permutation = map;
    c.messages = messages;
    c.message_count = MESSAGES;
    return c;
}

/* Every path with every scan; channels, queues and lengths go along. */
static void paths_and_scans(void)
{
    static const unsigned vcs[] = {1, 2, 4}, depths[] = {1, 2, 3, 5, 16}, lengths[] = {1, 2, 7, 40};
    for (unsigned k = 0; k < FATFLY_TREE_PATHS * FATFLY_SCANS; k++) {
        struct fatfly_config c = config_of(k & 1 ? 16 : 64);
        c.path = (enum fatfly_path)(k % FATFLY_TREE_PATHS);
        c.scan = (enum fatfly_scan)(k / FATFLY_TREE_PATHS);
        c.vcs = vcs[k % 3];
        c.depth = depths[k % 5];
        c.length = lengths[k % 7 % 4];
        c.rounds = 1 + k % 3;
        run(&c);
    }
}

static void disciplines(void)
{
    for (unsigned d = FATFLY_STORE; d <= FATFLY_PHASED; d++)
        for (unsigned path = 0; path < (d == FATFLY_PHASED ? FATFLY_TREE_PATHS : FATFLY_RW); path++) {
            struct fatfly_config c = config_of(64);
            c.discipline = (enum fatfly_discipline)d;
            c.path = (enum fatfly_path)path;
            c.scan = (enum fatfly_scan)((path + d) % FATFLY_SCANS);
            c.depth = 1 + path % 2;
            c.length = 12;
            c.rounds = 2;
            c.delay_range = 1 + 5 * (path & 1);
            if ((d == FATFLY_STORE || d == FATFLY_SPLIT) &&
                (c.scan == FATFLY_RR || c.scan == FATFLY_FF))
                c.start = FATFLY_WAITING;
            c.overhead = 0.3 * path;
            c.phases = path == 3 ? 0 : 1 + path;
            run(&c);
        }
}

static void patterns(void)
{
    for (unsigned k = 0; k <= FATFLY_MESSAGES; k++) {
        struct fatfly_config c = config_of(64);
        c.pattern = (enum fatfly_pattern)k;
        c.self_traffic = k == FATFLY_RANDOM;
        c.hotspot = 0.37;
        c.hotspot_node = 21;
        c.discipline = k % 4 == 3 ? FATFLY_STORE : FATFLY_WORM;
        run(&c);
    }
}

/* Arrivals and lengths come from doubles: every kind of both, below and above saturation. */
static void open_loops(void)
{
    enum { ARRIVALS = FATFLY_ON_OFF, LENGTHS = FATFLY_MIX }; /* the others are in more_traffic() */
    for (unsigned k = 0; k < ARRIVALS * LENGTHS * 2; k++) {
        struct fatfly_config c = config_of(k & 1 ? 16 : 64);
        c.arrivals = (enum fatfly_arrivals)(k % ARRIVALS);
        c.lengths = (enum fatfly_lengths)(k / 2 % LENGTHS);
        c.discipline = k / 8 ? FATFLY_SPLIT : FATFLY_WORM;
        c.length = 19;
        c.length_min = 3;
        c.length_mean = 7.3;
        c.short_share = 0.61;
        c.load = 0.03 + 0.017 * k;
        c.warmup = 4096;
        c.cycles = 3000;
        c.detect_warmup = k & 2;
        c.scan = (enum fatfly_scan)(k % FATFLY_SCANS);
        run(&c);
    }
    struct fatfly_config c = config_of(16);
    c.load = 0.21;
    c.warmup = 1000;
    c.cycles = 3000;
    c.discipline = FATFLY_STORE;
    run(&c);
    c.discipline = FATFLY_WORM;
    c.vcs = 4;
    c.pattern = FATFLY_HOTSPOT;
    c.arrivals = FATFLY_POISSON;
    run(&c);
    c.load = 1;
    c.max_cycles = 2500;
    run(&c);
}

/* The universal algorithms, whose counts come from logarithms and roots. */
static void universal(void)
{
    for (unsigned d = FATFLY_PHASED; d < FATFLY_DISCIPLINES; d++)
        for (unsigned k = 0; k < 3; k++) {
            struct fatfly_config c = config_of(64);
            c.topology = d == FATFLY_CMSV_BUTTERFLY || k == 2 ? "butterfly" : "torus";
            c.path = c.topology[0] == 'b' ? FATFLY_GREEDY : FATFLY_E_CUBE;
            c.vcs = 0;
            c.radix = 8;
            c.discipline = (enum fatfly_discipline)d;
            c.length = d == FATFLY_CMSV1 && k < 2 ? 1 : 5;
            c.depth = k ? 2 : FATFLY_UNBOUNDED;
            c.depth = d == FATFLY_PHASED ? 2 : c.depth;
            bool stages = d == FATFLY_CMSV_STORE || d == FATFLY_CMSV_PROTOCOL;
            c.link_bandwidth = stages ? 1 : 1 + k;
            c.rounds = 1 + k;
            run(&c);
        }
}

/* Both engines, of one seed: test_digest.sh looks at pairs of lines. */
static void sizes(void)
{
    for (uint32_t nodes = 4; nodes <= MOST_NODES; nodes *= 4)
        for (unsigned e = FATFLY_FAST; e < FATFLY_ENGINES; e++) {
            struct fatfly_config c = config_of(nodes);
            c.engine = (enum fatfly_engine)e;
            c.seed = nodes;
            c.length = 16;
            run(&c);
        }
}

/* Patterns of other simulators, arrivals in bursts, a mix of lengths, weights from a matrix. */
static void more_traffic(void)
{
    static const enum fatfly_pattern patterns[] = {FATFLY_TORNADO, FATFLY_DIGIT_NEIGHBOUR, FATFLY_DIAGONAL,
                                                   FATFLY_ASYMMETRIC, FATFLY_MATRIX};
    static double weights[64 * 64];
    for (unsigned k = 0; k < 64 * 64; k++)
        weights[k] = 0.1 * (k * 7919 % 13);
    for (unsigned k = 0; k < 2 * sizeof patterns / sizeof *patterns; k++) {
        struct fatfly_config c = config_of(64);
        c.pattern = patterns[k / 2];
        c.matrix = weights;
        c.topology = k % 4 == 1 ? "torus" : k % 4 == 3 ? "mesh" : NULL;
        c.radix = 8;
        c.vcs = c.topology ? 0 : 1;
        c.path = c.topology ? FATFLY_E_CUBE : FATFLY_RP;
        c.lengths = k & 1 ? FATFLY_MIX : FATFLY_FIXED;
        c.length = 21;
        c.length_min = 1;
        c.mix_count = 3;
        c.mix[0] = (struct fatfly_size){1, 0.61};
        c.mix[1] = (struct fatfly_size){21, 0.1};
        c.mix[2] = (struct fatfly_size){9, 0.27};
        c.load = 0.05 + 0.01 * k;
        c.arrivals = k % 3 ? FATFLY_ON_OFF : FATFLY_GEOMETRIC;
        c.burst_on = 17.3;
        c.burst_off = 40.1;
        c.warmup = 4096;
        c.cycles = 3000;
        run(&c);
    }
}

/* Some of a few sources in every cycle, others after a while. */
static void fill_lists(void)
{
    uint32_t x = 1;
    for (uint32_t a = 0; a < MOST_NODES; a++)
        map[a] = (a * 13 + 5) % 64;
    for (unsigned k = 0; k < MESSAGES; k++) {
        x = x * 1664525 + 1013904223;
        messages[k].ready = 3 * k + (k > 200 ? 5000 : 0);
        messages[k].src = x >> 26;
        messages[k].dst = x >> 20 & 63;
        messages[k].length = 1 + (x >> 8 & 31);
    }
}

int main(void)
{
    fill_lists();
    paths_and_scans();
    disciplines();
    patterns();
    open_loops();
    universal();
    sizes();
    more_traffic();
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
