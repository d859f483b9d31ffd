/* SPDX-License-Identifier: Apache-2.0
 * large.c - a few worms in the largest networks of an engine, for tb/long/test_large.sh: numbers of processors, switches and
 * places that smaller networks do not have.
 *
 * Usage: large ENGINE LENGTH.  ENGINE, of 4^11 processors (4^12 would take four times the memory): fronts (one flit each,
 * the usual switch), single (one flit, queues of four flits), worm (any length), parts (the same, cut into four).  Of 4^10, the most
 * that they take: lanes (two channels), store, split (queues of four), split-fronts (the usual switch).
 *
 * Pairs of processors, as far apart as every height allows, send a worm to each other, all at once; nobody else sends.  With
 * this seed no two worms wait for each other, so each takes 2h + L - 1 cycles, under STORE 2hL.  It crosses a link of its
 * source's subtree on every level below h, and one of its destination's.  Prints the digest, or what is otherwise.
 */
#include "fatfly.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 11, PAIRS = 5 * MOST, WORMS = 2 * PAIRS };

struct sent {
    uint32_t src, dst;
    unsigned height;
};

static int wrong(const char *what, uint64_t is, uint64_t must)
{
    printf("%s: %" PRIu64 ", not %" PRIu64 "\n", what, is, must);
    return 1;
}

/* Worms of w[] that must cross the links between level l and l + 1 of that subtree. */
static uint32_t through(const struct sent *w, bool up, unsigned l, uint32_t subtree)
{
    uint32_t count = 0;
    for (unsigned k = 0; k < WORMS; k++)
        count += w[k].height > l && (up ? w[k].src : w[k].dst) >> 2 * l == subtree;
    return count;
}

/* Whether so many crossed them.  On level l there are 2^(l - 1) switches a subtree. */
static int links(unsigned levels, const struct sent *w, const uint32_t *worms, uint32_t count, uint32_t each)
{
    static uint32_t crossed[2][MOST][WORMS];
    uint64_t all = 0, hops = 0;

    for (uint32_t k = 0; k < count; k++) {
        if (!worms[k])
            continue;
        struct fatfly_link x = fatfly_link_at(1u << 2 * levels, k);
        uint32_t subtree = x.level ? x.lower >> (x.level - 1) : x.lower;
        if (!x.exists)
            return wrong("a link that does not exist has worms", worms[k], 0);
        all += worms[k];
        for (unsigned j = 0; j < WORMS; j++)
            crossed[x.up][x.level][j] += (x.up ? w[j].src : w[j].dst) >> 2 * x.level == subtree ? worms[k] : 0;
    }
    for (unsigned j = 0; j < WORMS; j++) {
        hops += 2 * w[j].height * each;
        for (unsigned l = 0; l < levels; l++)
            for (unsigned up = 0; up < 2; up++) {
                uint32_t must = each * through(w, up, l, (up ? w[j].src : w[j].dst) >> 2 * l);
                if (crossed[up][l][j] != must) {
                    printf("worm from %" PRIu32 " to %" PRIu32 ", level %u, %s: ", w[j].src, w[j].dst, l, up ? "up" : "down");
                    return wrong("worms", crossed[up][l][j], must);
                }
            }
    }
    return all == hops ? 0 : wrong("worms over links", all, hops);
}

int main(int argc, char **argv)
{
    static uint32_t to[1 << 2 * MOST];
    static struct fatfly_result r;
    struct sent w[WORMS];
    struct fatfly_config c;
    uint64_t sum = 0, longest = 0, level[MOST] = {0};
    char why[256];

    if (argc != 3)
        return 2;
    const char *engine = argv[1];
    bool split = strncmp(engine, "split", 5) == 0, store = strcmp(engine, "store") == 0, lanes = strcmp(engine, "lanes") == 0;
    bool parts = strcmp(engine, "parts") == 0, any = parts || strcmp(engine, "worm") == 0;
    unsigned levels = split || store || lanes ? MOST - 1 : MOST;
    for (uint32_t a = 0; a < 1u << 2 * levels; a++)
        to[a] = a;
    for (uint32_t k = 0, n = 0; k < PAIRS; n++) {
        unsigned height = 1 + k % levels;
        /* The upper digits from a hash, so that all of their bits are there; the pair differs in digit `height`, and in others below. */
        uint32_t hash = (n + 1) * UINT32_C(2654435761), a = hash >> (32 - 2 * levels);
        uint32_t b = a ^ (1 + n % 3) << 2 * (height - 1) ^ (hash * UINT32_C(2246822519) >> 8 & ((1u << 2 * (height - 1)) - 1));
        if (to[a] != a || to[b] != b)
            continue;
        to[a] = b;
        to[b] = a;
        w[2 * k] = (struct sent){a, b, height};
        w[2 * k + 1] = (struct sent){b, a, height};
        k++;
    }
    fatfly_defaults(&c);
    c.nodes = 1u << 2 * levels;
    c.length = (unsigned)atoi(argv[2]);
    c.pattern = FATFLY_PERMUTATION;
    c.permutation = to;
    c.discipline = split ? FATFLY_SPLIT : store ? FATFLY_STORE : FATFLY_WORM;
    c.engine = split || store ? FATFLY_AUTO : FATFLY_FAST;
    c.vcs = lanes ? 2 : 1;
    c.seed = 4; /* no two meet */
    c.depth = strcmp(engine, "single") == 0 || strcmp(engine, "split") == 0 ? 4 : 2;
    c.parts = parts ? 4 : 1;
    c.class_length[0] = any ? c.length : 0; /* not for the engines of worms of one flit */
    uint32_t each = split ? c.length : 1; /* SPLIT: flits go their own ways */
    uint32_t count = fatfly_links(&c), *worms = calloc(count, sizeof *worms);
    struct fatfly_hooks hooks = {.link_worms = worms};
    if (!worms || fatfly_run(&c, &hooks, &r, why, sizeof why)) {
        printf("%s\n", worms ? why : "no memory");
        return 1;
    }
    for (unsigned k = 0; k < WORMS; k++) {
        uint64_t alone = store ? 2 * w[k].height * c.length : 2 * w[k].height + c.length - 1;
        sum += alone;
        longest = alone > longest ? alone : longest;
        for (unsigned l = 0; l < w[k].height; l++)
            level[l] += each;
    }
    int bad = links(levels, w, worms, count, each);
    free(worms);
    if (r.worms != WORMS)
        bad |= wrong("worms", r.worms, WORMS);
    if (r.source_wait + r.blocked)
        bad |= wrong("cycles that heads waited", r.source_wait + r.blocked, 0);
    if (r.latency_sum != sum)
        bad |= wrong("latencies", r.latency_sum, sum);
    if (r.latency_max != longest)
        bad |= wrong("longest latency", r.latency_max, longest);
    if (r.dilation != 2 * levels)
        bad |= wrong("dilation", r.dilation, 2 * levels);
    for (unsigned l = 0; l < levels; l++)
        if (r.up[l].worms != level[l] || r.down[l].worms != level[l])
            bad |= wrong("worms over links of a level", r.up[l].worms, level[l]) | wrong("and down", r.down[l].worms, level[l]);
    if (!bad)
        printf("%016" PRIx64 "\n", r.digest);
    return bad;
}
