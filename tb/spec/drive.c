/* SPDX-License-Identifier: Apache-2.0
 * drive.c - runs a device on random traffic and writes as text what it was given and what it did,
 * for tb/spec/compare.py.
 *
 * Usage: drive SHAPE SEED CYCLES [LIBRARY]; without LIBRARY (build/rtl/<shape>.so, or a C model as
 * one) it is the C model.  The run begins with a reset, in the midst of the same traffic.
 * Lines: `worm ready entry channel src dst said path length`; then, for each cycle, `cycle REGISTERS STALLS MOVES`: the random
 * registers, for each exit a hexadecimal digit (V > 4: numbers with commas) with its stalled channels,
 * `link:channel:kind:payload` for each flit.  Link 6s + p enters port p of switch s, link 6 * switches + e leaves by exit e.
 */
#include "cube_route.h"
#include "dut.h"
#include "probe.h"
#include "rng.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct worm {
    uint64_t ready;
    uint32_t src, dst;
    unsigned entry, channel, said, height, path, length;
};

/* The worms of an entry's channel that still have to enter, and the next flit of the first. */
struct lane {
    const uint32_t *worm;
    size_t count;
    unsigned flit;
};

struct run {
    struct dut_shape shape;
    struct probe probe;
    const struct dut_ops *ops;
    struct dut *dut;
    struct rng rng;
    unsigned endpoints, vcs;
    uint64_t cycles;
    struct worm *worm;
    size_t worms;
    uint32_t *order;       /* worm numbers by entry and channel */
    struct lane *lane;     /* [endpoints * vcs] */
    unsigned *turn;        /* [endpoints] channel that sends first */
    uint16_t *room, *stall; /* [endpoints] */
    struct link *in, *out;
};

static void fail(const char *why)
{
    fprintf(stderr, "drive: %s\n", why);
    exit(2);
}

static void *get(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size);
    if (!p)
        fail("out of memory");
    return p;
}

/* Traffic changes every 256 cycles: worms that wait at every port, nearly all to one place, few. */
static unsigned phase(uint64_t cycle)
{
    return (unsigned)(cycle >> 8) & 3;
}

static uint32_t random_address(struct run *r, unsigned levels)
{
    return rng_below(&r->rng, UINT32_C(1) << 2 * levels);
}

/* Source and destination of a worm that enters a single switch by a port. */
static void ends_at_switch(struct run *r, struct worm *w, unsigned hot)
{
    unsigned l = r->shape.params.level, above = r->shape.params.levels - l;
    uint32_t block = random_address(r, above), other = block;
    unsigned child = hot ? 1 : rng_below(&r->rng, 4), up = w->entry >= SWITCH_CHILDREN;

    while (above && other == block)
        other = random_address(r, above);
    w->src = (up ? other : block) << 2 * l | random_address(r, l);
    if (!up) { /* from child `entry`, and either up or to another child */
        w->src = block << 2 * l | w->entry << 2 * (l - 1) | random_address(r, l - 1);
        if (child == w->entry)
            child = (child + 1) % 4;
    }
    w->dst = block << 2 * l | child << 2 * (l - 1) | random_address(r, l - 1);
    if (!up && above && rng_below(&r->rng, 5) < 2)
        w->dst = other << 2 * l | random_address(r, l);
    w->height = worm_height(w->src, w->dst);
    /* True heights never tie between a child and a parent; any height up to the level goes down. */
    if (r->shape.params.scan == SCAN_FF && (up || w->height == l) && rng_below(&r->rng, 4) == 0)
        w->said = 1 + rng_below(&r->rng, l);
}

static void ends_in_network(struct run *r, struct worm *w, unsigned hot)
{
    unsigned n = r->shape.params.levels;
    bool cube = r->shape.cube.radix;

    w->src = w->entry;
    do
        w->dst = hot ? rng_below(&r->rng, 2) * (r->endpoints / 2)
                 : cube ? rng_below(&r->rng, r->endpoints) : random_address(r, n);
    while (w->dst == w->src);
    w->height = worm_height(w->src, w->dst);
}

static unsigned random_length(struct run *r)
{
    unsigned kind = rng_below(&r->rng, 8);
    return kind == 0 ? 1 : kind == 1 ? 20 : 2 + rng_below(&r->rng, 6);
}

static void make_worms(struct run *r)
{
    static const unsigned gaps[] = {2, 6, 12, 80};
    bool root = !r->shape.network && r->shape.params.level == r->shape.params.levels;
    unsigned entries = root ? SWITCH_CHILDREN : r->endpoints;
    size_t room = 0;

    for (unsigned e = 0; e < entries; e++)
        for (uint64_t t = rng_below(&r->rng, 4); t < r->cycles;) {
            if (r->worms == room) {
                room = room ? 2 * room : 1024;
                r->worm = realloc(r->worm, room * sizeof *r->worm);
                if (!r->worm)
                    fail("out of memory");
            }
            struct worm *w = &r->worm[r->worms++];
            unsigned at = phase(t), hot = at == 1 && rng_below(&r->rng, 8) != 0;
            *w = (struct worm){.ready = t, .entry = e, .channel = rng_below(&r->rng, r->vcs),
                               .length = random_length(r)};
            if (r->shape.network)
                ends_in_network(r, w, hot);
            else
                ends_at_switch(r, w, hot);
            w->path = r->shape.cube.radix ? 0 : rng_below(&r->rng, 1u << (r->shape.params.levels - 1));
            t += w->length + rng_below(&r->rng, gaps[at] * (r->shape.network ? 4 : 1));
        }
    r->order = get(r->worms, sizeof *r->order);
    r->lane = get((size_t)r->endpoints * r->vcs, sizeof *r->lane);
    size_t at = 0;
    for (unsigned k = 0; k < r->endpoints * r->vcs; k++) {
        r->lane[k].worm = r->order + at;
        for (size_t n = 0; n < r->worms; n++)
            if (r->worm[n].entry * r->vcs + r->worm[n].channel == k) {
                r->order[at++] = (uint32_t)n;
                r->lane[k].count++;
            }
    }
    for (size_t n = 0; n < r->worms; n++) {
        const struct worm *w = &r->worm[n];
        printf("worm %llu %u %u %u %u %u %u %u\n", (unsigned long long)w->ready, w->entry,
               w->channel, w->src, w->dst, w->said, w->path, w->length);
    }
}

static struct flit make_flit(const struct run *r, uint32_t number, unsigned index)
{
    const struct worm *w = &r->worm[number];
    const struct switch_params *p = &r->shape.params;
    struct flit f = {.kind = (uint8_t)(2 * (index == 0) + (index + 1 == w->length)), .tag = number};

    if (index == 0 && r->shape.cube.radix)
        f.payload = cube_head(r->shape.cube.radix, w->dst, w->src);
    else if (index == 0)
        f.payload = head_pack(p->levels, w->dst, w->src, w->said ? w->said : w->height,
                              p->path == PATH_FP ? w->path : 0);
    else
        f.payload = ((number + UINT64_C(1)) * UINT64_C(0x9E3779B97F4A7C15) +
                     index * UINT64_C(0xBF58476D1CE4E5B9)) >> (64 - p->flit_w);
    return f;
}

/* A source sends where room is shown, a flit a cycle, channels in turn. */
static void inject(struct run *r, uint64_t now, unsigned e)
{
    for (unsigned k = 0; k < r->vcs; k++) {
        unsigned v = (r->turn[e] + k) % r->vcs;
        struct lane *lane = &r->lane[e * r->vcs + v];
        if (!lane->count || r->worm[*lane->worm].ready > now || !(r->room[e] >> v & 1))
            continue;
        r->in[e] = (struct link){.flit = make_flit(r, *lane->worm, lane->flit),
                                 .valid = (uint16_t)(1u << v)};
        r->turn[e] = (v + 1) % r->vcs;
        if (++lane->flit == r->worm[*lane->worm].length) {
            lane->flit = 0;
            lane->worm++;
            lane->count--;
        }
        return;
    }
}

/* Long runs begin with closed exits, so that the first choice is among worms at all ports and channels. */
static void stall(struct run *r, uint64_t now)
{
    static const unsigned percent[] = {0, 30, 60, 10};
    unsigned part = now < 12 && r->cycles > 100 ? 100 : percent[phase(now + 128)];

    for (unsigned e = 0; e < r->endpoints; e++) {
        r->stall[e] = 0;
        for (unsigned v = 0; v < r->vcs; v++)
            if (rng_below(&r->rng, 100) < part)
                r->stall[e] |= (uint16_t)(1u << v);
    }
}

static void print_move(unsigned link, uint64_t valid, uint64_t kind, uint64_t payload)
{
    if (valid)
        printf(" %u:%d:%u:%llx", link, valid & (valid - 1) ? -1 : __builtin_ctzll(valid),
               (unsigned)kind, (unsigned long long)payload);
}

static void print_cycle(struct run *r)
{
    const struct probe *p = &r->probe;
    const uint32_t *state = r->ops->state(r->dut);
    const struct probe_signal *bits = probe_find(p, "lfsr_q", PROBE_NO_PORT, PROBE_NO_VC);

    printf("cycle ");
    for (unsigned s = 0; s < p->switches; s++)
        printf("%s%llx", s ? "," : "", (unsigned long long)probe_get(p, state, s, bits));
    putchar(' ');
    for (unsigned e = 0; e < r->endpoints; e++)
        printf("%s%x", r->vcs > 4 && e ? "," : "", r->stall[e]); /* a digit, or numbers */
    for (unsigned port = 0; port < SWITCH_PORTS; port++) {
        const struct probe_signal *valid = probe_find(p, "link_valid", port, PROBE_NO_VC);
        const struct probe_signal *kind = probe_find(p, "link_kind", port, PROBE_NO_VC);
        const struct probe_signal *payload = probe_find(p, "link_payload", port, PROBE_NO_VC);
        for (unsigned s = 0; s < p->switches; s++)
            print_move(6 * s + port, probe_get(p, state, s, valid), probe_get(p, state, s, kind),
                       probe_get(p, state, s, payload));
    }
    for (unsigned e = 0; e < r->endpoints; e++)
        print_move(6 * p->switches + e, r->out[e].valid, r->out[e].flit.kind, r->out[e].flit.payload);
    putchar('\n');
}

static void cycle(struct run *r, uint64_t now, bool shown)
{
    r->ops->room(r->dut, r->room);
    memset(r->in, 0, r->endpoints * sizeof *r->in);
    for (unsigned e = 0; e < r->endpoints; e++)
        inject(r, now, e);
    stall(r, now);
    for (unsigned e = 0; e < r->endpoints; e++)
        r->room[e] = (uint16_t)(~r->stall[e] & ((1u << r->vcs) - 1));
    r->ops->drive(r->dut, r->in, r->room);
    r->ops->sample(r->dut, r->out);
    if (shown)
        print_cycle(r);
    r->ops->tick(r->dut);
}

/* Nothing of what a device did may be left after a reset. */
static void run_and_reset(struct run *r, uint32_t seed)
{
    size_t size = (size_t)r->endpoints * r->vcs * sizeof *r->lane;
    struct lane *lane = get(size, 1);

    memcpy(lane, r->lane, size);
    r->ops->reset(r->dut, ~seed);
    for (uint64_t now = 0; now < r->cycles && now < 50; now++)
        cycle(r, now, false);
    memcpy(r->lane, lane, size);
    memset(r->turn, 0, r->endpoints * sizeof *r->turn);
    free(lane);
    r->ops->reset(r->dut, seed);
}

static void run(struct run *r, uint32_t seed)
{
    r->turn = get(r->endpoints, sizeof *r->turn);
    r->room = get(r->endpoints, sizeof *r->room);
    r->stall = get(r->endpoints, sizeof *r->stall);
    r->in = get(r->endpoints, sizeof *r->in);
    r->out = get(r->endpoints, sizeof *r->out);
    run_and_reset(r, seed);
    for (uint64_t now = 0; now < r->cycles; now++)
        cycle(r, now, true);
}

int main(int argc, char **argv)
{
    struct run r = {0};
    char why[256];

    if (argc < 4 || argc > 5)
        fail("usage: drive SHAPE SEED CYCLES [LIBRARY]");
    if (dut_shape_parse(argv[1], &r.shape, why, sizeof why))
        fail(why);
    if (r.shape.cube.radix && !r.shape.network)
        fail("a router; allowed: switches, and networks of any kind");
    uint32_t seed = (uint32_t)strtoul(argv[2], NULL, 10);
    r.cycles = strtoull(argv[3], NULL, 10);
    r.rng.state = seed;
    r.endpoints = dut_endpoints(&r.shape);
    r.vcs = r.shape.params.vcs;
    r.ops = dut_model(&r.shape);
    if (argc == 5) {
        void *library = dlopen(argv[4], RTLD_NOW | RTLD_LOCAL);
        dut_entry *entry = NULL;
        if (library)
            *(void **)&entry = dlsym(library, DUT_ENTRY);
        if (!entry)
            fail(dlerror());
        r.ops = entry();
        if (r.ops->seam != DUT_SEAM)
            fail("the library has another seam");
    }
    r.dut = r.ops->open(&r.shape, why, sizeof why);
    if (!r.dut || probe_init(&r.probe, &r.shape))
        fail(r.dut ? "out of memory" : why);
    make_worms(&r);
    run(&r, seed);
    r.ops->close(r.dut);
    probe_free(&r.probe);
    free(r.worm);
    free(r.order);
    free(r.lane);
    free(r.turn);
    free(r.room);
    free(r.stall);
    free(r.in);
    free(r.out);
    return fflush(stdout) ? 2 : 0;
}
