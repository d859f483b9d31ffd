/* SPDX-License-Identifier: Apache-2.0
 * stimulus.c - the worms that go through a device and the stalls that they meet.
 */
#include "stimulus.h"

#include "cube_router.h"
#include "fat_tree.h"
#include "grow.h"
#include "outfile.h"
#include "pattern.h"
#include "rng.h"
#include "trace.h"
#include "traffic.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
    struct worm *worm;
    size_t count;
    size_t room;
};

static int add(struct list *l, const struct worm *w)
{
    if (!GROW(l->worm, l->count, l->room, 1024))
        return -1;
    l->worm[l->count++] = *w;
    return 0;
}

/* What a cube's router will do with a head for dst that comes in by a port; the channel matters only to
 * the channels. */
static struct cube_ways ways(const struct dut_shape *shape, uint32_t dst, unsigned port)
{
    struct cube_params p;
    dut_cube_params(shape, &p);
    return cube_route(&p, shape->cube.node, dst, port, 0);
}

/* Negative-hop: from the last channel a hop into an even node leads to none. */
static uint16_t barred(const struct dut_shape *shape, const struct worm *w)
{
    unsigned k = shape->cube.radix, node = shape->cube.node;
    bool counts = shape->cube.negative_hop && w->entry != CUBE_PROCESSOR && w->dst != node &&
                  (node % k + node / k) % 2 == 0;
    return (uint16_t)(counts ? 1u << (shape->params.vcs - 1) : 0);
}

static void complete_cube(struct worm *w, const struct dut_shape *shape)
{
    unsigned bits = 2 * dut_address_bits(shape), free = shape->params.flit_w - bits;
    uint64_t mask = free < 32 ? (UINT64_C(1) << free) - 1 : UINT32_MAX;

    w->path = 0;
    w->head = cube_head(shape->cube.radix, w->dst, w->src);
    w->head |= free ? (w->number & mask) << bits : 0;
    w->exit_first = w->exit_last = w->dst;
    if (!shape->network) {
        unsigned want = ways(shape, w->dst, w->entry).want;
        w->exit_first = (unsigned)__builtin_ctz(want);
        w->exit_last = 31 - (unsigned)__builtin_clz(want);
        w->barred = barred(shape, w);
    }
}

/* The height that a head says.  Under FF a switch alone is told any up to its own level by every fourth worm
 * that turns here or has turned above: true ones never tie there between a child and a parent, so that a
 * switch could take a tie wrongly and never be found out.  Equal worms say the same: shrinking counts anew. */
static unsigned said_height(const struct worm *w, const struct dut_shape *shape)
{
    const struct switch_params *p = &shape->params;
    unsigned height = worm_height(w->src, w->dst);
    bool down = w->entry >= SWITCH_CHILDREN || height <= p->level;
    uint64_t lot = rng_hash((uint64_t)w->src << 40 ^ (uint64_t)w->dst << 16 ^ w->length);

    if (shape->network || p->scan != SCAN_FF || !down || lot % 4)
        return height;
    return (unsigned)(lot / 4 % (p->level + 1));
}

/* Fills what follows from entry, src, dst, length, path and number.  The free bits of the head
 * carry the low bits of the number. */
static void complete_in_tree(struct worm *w, const struct dut_shape *shape)
{
    const struct switch_params *p = &shape->params;
    unsigned height = worm_height(w->src, w->dst);
    unsigned bits = head_bits(p->levels, p->path);

    w->path &= p->path == PATH_FP ? (1u << (p->levels - 1)) - 1 : 0; /* one bit a level but the root */
    w->head = head_pack(p->levels, w->dst, w->src, said_height(w, shape), w->path);
    if (bits < p->flit_w) {
        uint64_t mask = p->flit_w - bits < 32 ? (UINT64_C(1) << (p->flit_w - bits)) - 1 : UINT32_MAX;
        w->head |= (w->number & mask) << bits;
    }
    if (shape->network) {
        w->exit_first = w->exit_last = w->dst;
    } else if (p->level < p->levels && w->entry < SWITCH_CHILDREN && height > p->level) {
        w->exit_first = p->path == PATH_FP ? 4 + (w->path >> (p->level - 1) & 1) : 4;
        w->exit_last = p->path == PATH_FP ? w->exit_first : 5;
    } else {
        w->exit_first = w->exit_last = w->dst >> 2 * (p->level - 1) & 3;
    }
}

/* Free bits of a head from bit 32 of the flit on: the number of a worm is small, so each is set in some heads. */
static uint64_t above(const struct worm *w, unsigned bits, unsigned flit_w)
{
    unsigned from = bits < 32 ? 32 : bits;
    return from < flit_w ? rng_hash(w->number) >> (64 - flit_w + from) << from : 0;
}

static void complete(struct worm *w, const struct stimulus *s)
{
    const struct switch_params *p = &s->shape.params;
    bool cube = s->shape.cube.radix;

    if (cube)
        complete_cube(w, &s->shape);
    else
        complete_in_tree(w, &s->shape);
    if (!s->of_engine)
        w->head |= above(w, cube ? 2 * dut_address_bits(&s->shape) : head_bits(p->levels, p->path), p->flit_w);
}

uint64_t worm_payload(const struct worm *w, uint32_t k, unsigned flit_w)
{
    return k ? rng_hash((uint64_t)w->number << 32 | k) & flit_mask(flit_w) : w->head;
}

static int by_entry(const void *a, const void *b)
{
    const struct worm *x = a;
    const struct worm *y = b;
    if (x->entry != y->entry)
        return x->entry < y->entry ? -1 : 1;
    if (x->ready != y->ready)
        return x->ready < y->ready ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

void stimulus_complete(struct stimulus *s)
{
    s->flits = 0;
    s->last = 0;
    for (size_t k = 0; k < s->count; k++) {
        complete(&s->worm[k], s);
        s->flits += s->worm[k].length;
        if (s->worm[k].ready > s->last)
            s->last = s->worm[k].ready;
    }
}

/* Takes the worms over and completes them; if reading or making them went bad, drops them. */
static int finish(struct stimulus *s, struct list *l, bool numbered, int bad, struct fail *f)
{
    if (!bad && l->count >= UINT32_MAX)
        bad = fail(f, EXIT_INPUT, "%zu worms; allowed: fewer than 2^32", l->count);
    if (bad) {
        free(l->worm);
        return -1;
    }
    s->worm = l->worm;
    s->count = l->count;
    for (size_t k = 0; k < l->count && !numbered; k++)
        s->worm[k].number = (uint32_t)(k + 1);
    stimulus_complete(s);
    size_t sorted = 1; /* worms of open load are made in order */
    while (sorted < s->count && by_entry(&s->worm[sorted - 1], &s->worm[sorted]) <= 0)
        sorted++;
    if (sorted < s->count)
        qsort(s->worm, s->count, sizeof *s->worm, by_entry);
    return 0;
}

static int make_static(struct list *l, const struct config *c, struct rng *r)
{
    uint32_t n = dut_endpoints(&c->shape);
    struct fatfly_config to = c->set.config;
    to.nodes = n;
    for (unsigned round = 0; round < to.rounds; round++)
        for (uint32_t a = 0; a < n; a++) {
            struct worm w = {.length = to.length, .entry = a, .src = a};
            w.dst = pattern_dst(&to, dut_address_bits(&c->shape), a, r);
            w.path = (uint32_t)rng_next(r);
            if (w.dst != a && add(l, &w)) /* fixed points stay at home */
                return -1;
        }
    return 0;
}

/* What a single switch is made to do, phase after phase of so many cycles: the corners that uniform
 * traffic rarely meets. */
enum { PHASE = 4096 };
enum directed { EVEN, ONE_CHILD, SINGLES, LONG, SPARSE, UPWARD, TWO_PORTS, FULL, DIRECTED };

/* A worm that may legally enter this port of S(level, 0), which covers processors 0 .. 4^level-1. */
static struct worm through_switch(const struct switch_params *p, unsigned port, enum directed what,
                                  struct rng *r)
{
    uint32_t under = UINT32_C(1) << 2 * p->level;
    uint32_t nodes = fat_tree_nodes(p->levels);
    unsigned shift = 2 * (p->level - 1);
    uint32_t low = rng_below(r, UINT32_C(1) << shift);
    unsigned child = what == ONE_CHILD && port != 2 ? 2 : rng_below(r, 4);
    struct worm w = {.entry = port};

    if (port >= SWITCH_CHILDREN) {
        w.src = under + rng_below(r, nodes - under);
        w.dst = (uint32_t)child << shift | low;
        return w;
    }
    w.src = (uint32_t)port << shift | rng_below(r, UINT32_C(1) << shift);
    if (p->level < p->levels && what != ONE_CHILD && (what == UPWARD || rng_below(r, 2))) {
        w.dst = under + rng_below(r, nodes - under);
        return w;
    }
    if (child == port)
        child = (port + 1 + rng_below(r, 3)) & 3;
    w.dst = (uint32_t)child << shift | low;
    return w;
}

/* The same for port `port` of a cube's router: a head that comes in there and does not go back. */
static struct worm through_router(const struct dut_shape *shape, unsigned port, enum directed what,
                                  struct rng *r)
{
    uint32_t node = shape->cube.node, nodes = shape->cube.radix * shape->cube.radix;
    bool home = port != CUBE_PROCESSOR;
    struct worm w = {.entry = port, .src = node, .dst = node};

    for (unsigned tries = 0; tries < 64; tries++) {
        uint32_t dst = rng_below(r, nodes);
        unsigned want = ways(shape, dst, port).want;
        bool two = want & (want - 1);
        if (want >> port & 1 || (what == ONE_CHILD && home) || (what == UPWARD && !two && tries < 32))
            continue;
        w.dst = dst;
        if (what != ONE_CHILD || want == 1)
            break;
    }
    if (home)
        w.src = (node + 1 + rng_below(r, nodes - 1)) % nodes;
    return w;
}

/* False at the edge of a mesh, where no link enters. */
static bool is_port(const struct dut_shape *shape, unsigned port)
{
    unsigned k = shape->cube.radix, node = shape->cube.node, at = port < 2 ? node % k : node / k;
    return shape->cube.torus || port == CUBE_PROCESSOR || at != (port % 2 ? 0 : k - 1);
}

/* A worm that becomes ready in cycle t at end e, or enters port e of a switch alone. */
static struct worm open_worm(const struct config *c, uint32_t e, uint64_t t, enum directed what, struct rng *r)
{
    const struct fatfly_config *run = &c->set.config;
    struct worm w = {.entry = e, .src = e};

    if (c->shape.network) {
        w.dst = rng_below(r, dut_endpoints(&c->shape) - 1);
        w.dst += w.dst >= e;
    } else {
        w = c->shape.cube.radix ? through_router(&c->shape, e, what, r) : through_switch(&c->shape.params, e, what, r);
    }
    w.ready = t;
    w.length = run->length_min + rng_below(r, run->length - run->length_min + 1);
    if (what == SINGLES || what == LONG)
        w.length = what == LONG ? run->length : run->length_min;
    w.path = (uint32_t)rng_next(r);
    return w;
}

/* The first cycle from t on in which a worm becomes ready, or end.  Geometric gaps, in integers: every libm gives the
 * same. */
static uint64_t next_ready(uint64_t t, uint64_t end, uint64_t chance, struct rng *r)
{
    struct rng drawn = *r;

    while (t < end && rng_next(&drawn) >> 11 >= chance)
        t++;
    *r = drawn;
    return t;
}

static int make_open(struct list *l, const struct config *c, struct rng *r)
{
    const struct switch_params *p = &c->shape.params;
    const struct fatfly_config *run = &c->set.config;
    double mean = (run->length + run->length_min) / 2.0;
    bool alone = !c->shape.network, router = alone && c->shape.cube.radix;
    uint32_t endpoints = alone && !router && p->level == p->levels ? SWITCH_CHILDREN : dut_endpoints(&c->shape);

    for (uint32_t e = 0; e < endpoints; e++)
        for (uint64_t t = 0, end; t < run->cycles; t = end) {
            enum directed what = alone ? (enum directed)(t / PHASE % DIRECTED) : EVEN;
            double load = what == SPARSE ? run->load / 8 : what == FULL ? 1 : run->load;
            uint64_t chance = (uint64_t)(load / (what == SINGLES ? 1 : mean) * 0x1p53);
            end = t + PHASE < run->cycles ? t + PHASE : run->cycles;
            if ((what == TWO_PORTS && e % 3 != 0) || (router && !is_port(&c->shape, e)))
                continue;
            for (t = next_ready(t, end, chance, r); t < end; t = next_ready(t + 1, end, chance, r)) {
                struct worm w = open_worm(c, e, t, what, r);
                if (add(l, &w))
                    return -1;
            }
        }
    return 0;
}

static int make_trace(struct list *l, const struct config *c, struct rng *r, struct fail *f)
{
    struct settings read = c->set;
    read.config.nodes = fat_tree_nodes(c->shape.params.levels);
    read.config.flit_bits = c->shape.params.flit_w;
    int bad = settings_trace(&read, f);
    for (size_t k = 0; k < read.config.message_count && !bad; k++) {
        const struct fatfly_message *m = &read.messages[k];
        if (read.config.cycles && m->ready >= read.config.cycles)
            break;
        struct worm w = {.ready = m->ready, .entry = m->src, .src = m->src, .dst = m->dst, .length = m->length,
                         .path = (uint32_t)rng_next(r)};
        if (add(l, &w))
            bad = fail(f, EXIT_SYSTEM, "%s: no memory for %zu worms", read.trace, l->count);
    }
    settings_free(&read);
    return bad;
}

/* All but the worms.  Stalls are percent on average; a single switch meets none to nearly all in
 * turn. */
static void begin(struct stimulus *s, const struct config *c)
{
    static const uint8_t eighths[STALL_PHASES] = {0, 4, 8, 16, 2, 12, 6, 16};

    memset(s, 0, sizeof *s);
    s->shape = c->shape;
    s->seed = c->set.config.seed;
    s->switch_seed = (uint32_t)rng_hash(s->seed);
    s->phase = 4096;
    s->reset_every = c->set.reset_every;
    for (unsigned k = 0; k < STALL_PHASES; k++) {
        unsigned percent = c->shape.network ? c->set.stall : c->set.stall * eighths[k] / 8;
        s->stall[k] = (uint8_t)((percent < 90 ? percent : 90) * 256 / 100);
    }
}

int stimulus_make(struct stimulus *s, const struct config *c, struct fail *f)
{
    struct list l = {.worm = NULL};
    const struct fatfly_config *run = &c->set.config;
    struct rng r = {run->seed};
    int bad;

    begin(s, c);
    if (run->pattern == FATFLY_MESSAGES) {
        bad = make_trace(&l, c, &r, f);
    } else {
        bad = run->load > 0 ? make_open(&l, c, &r) : make_static(&l, c, &r);
        if (bad)
            fail(f, EXIT_SYSTEM, "no memory for %zu worms", l.count);
    }
    return finish(s, &l, false, bad, f);
}

/* Worms of one processor.  An open loop has no end of its own: it is cut where its measurement
 * ends. */
static int add_source(struct list *l, struct traffic *t, uint32_t src,
                      const struct fatfly_config *c)
{
    struct traffic_worm from;
    uint64_t end = c->load > 0 ? c->warmup + c->cycles : UINT64_MAX;

    while (traffic_next(t, src, &from) && from.ready < end) {
        struct worm w = {.ready = from.ready, .number = from.number, .length = from.length,
                         .entry = src, .src = src, .dst = from.dst, .path = from.path};
        if (add(l, &w))
            return -1;
    }
    return 0;
}

int stimulus_traffic(struct stimulus *s, const struct dut_shape *shape,
                     const struct fatfly_config *c, struct fail *f)
{
    struct config calm = {.shape = *shape, .set.config.seed = c->seed};
    struct list l = {.worm = NULL};
    struct traffic *t = traffic_new(c);
    int bad = !t;

    begin(s, &calm);
    s->of_engine = true;
    for (uint32_t src = 0; src < c->nodes && !bad; src++)
        bad = add_source(&l, t, src, c);
    traffic_free(t);
    if (bad)
        fail(f, EXIT_SYSTEM, "no memory for %zu worms", l.count);
    return finish(s, &l, true, bad, f);
}

static const char worm_header[] = "ready,entry,src,dst,length,path"; /* and, as written here, ",number" */

int stimulus_write(const struct stimulus *s, const char *file, struct fail *f)
{
    struct outfile o;
    if (outfile_open(&o, file, f))
        return -1;
    fprintf(o.out, "%s,number\n", worm_header);
    for (size_t k = 0; k < s->count; k++) {
        const struct worm *w = &s->worm[k];
        fprintf(o.out, "%llu,%u,%u,%u,%u,%u,%u\n", (unsigned long long)w->ready, w->entry, w->src,
                w->dst, w->length, w->path, w->number);
    }
    return outfile_close(&o, f);
}

/* True if a worm from src to dst can come in by this port of the device. */
static bool enters(const struct dut_shape *shape, const struct worm *w)
{
    const struct switch_params *p = &shape->params;
    unsigned k = shape->cube.radix;
    uint32_t nodes = k ? k * k : fat_tree_nodes(p->levels);
    uint32_t under = UINT32_C(1) << 2 * p->level;

    if (w->src >= nodes || w->dst >= nodes || w->src == w->dst)
        return false;
    if (shape->network)
        return w->entry == w->src;
    if (k)
        return w->entry < CUBE_PORTS && is_port(shape, w->entry) &&
               !(ways(shape, w->dst, w->entry).want >> w->entry & 1);
    if (w->entry >= SWITCH_CHILDREN)
        return w->entry < SWITCH_PORTS && p->level < p->levels && w->src >= under && w->dst < under;
    return w->src < under && w->src >> 2 * (p->level - 1) == w->entry &&
           worm_height(w->src, w->dst) >= p->level;
}

/* Whether the header has a column of numbers, *numbered; -1: it is no header. */
static int header(const char *line, bool *numbered)
{
    size_t length = strlen(worm_header);

    *numbered = strncmp(line, worm_header, length) == 0 && strcmp(line + length, ",number") == 0;
    return *numbered || strcmp(line, worm_header) == 0 ? 0 : -1;
}

/* One line of a worm file.  False: it is none. */
static bool take_worm(const char *line, bool numbered, struct worm *w)
{
    unsigned long long ready = 0, path = 0;
    int end = 0;

    if (strspn(line, "0123456789,") != strlen(line) ||
        sscanf(line, "%19llu,%9u,%9u,%9u,%5u,%10llu%n", &ready, &w->entry, &w->src, &w->dst, &w->length, &path,
               &end) != 6 || path > UINT32_MAX)
        return false;
    w->ready = ready;
    w->path = (uint32_t)path;
    line += end;
    end = 0;
    return !*line || (numbered && sscanf(line, ",%9u%n", &w->number, &end) == 1 && !line[end]);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = ((const struct worm *)a)->number, y = ((const struct worm *)b)->number;
    return x < y ? -1 : x > y;
}

/* A number that two worms have, or 0.  Leaves them in the order of their numbers. */
static uint32_t twice(struct list *l)
{
    if (l->count)
        qsort(l->worm, l->count, sizeof *l->worm, by_number);
    for (size_t k = 1; k < l->count; k++)
        if (l->worm[k].number == l->worm[k - 1].number)
            return l->worm[k].number;
    return 0;
}

int stimulus_read(struct stimulus *s, const struct config *c, const char *file, struct fail *f)
{
    struct list l = {.worm = NULL};
    char line[200];
    unsigned n = 0;
    int bad = 0, got = 0;
    bool numbered = false;
    FILE *in = fopen(file, "r");

    if (!in)
        return fail(f, EXIT_INPUT, "%s: %s; allowed: a readable file", file, strerror(errno));
    begin(s, c);
    while (!bad && (got = plain_line(in, line, sizeof line, file, &n, f)) > 0) {
        struct worm w = {.entry = 0};
        if (n == 1) {
            if (header(line, &numbered))
                bad = fail(f, EXIT_INPUT, "%s:1: \"%s\"; allowed: the header %s", file, line,
                           worm_header);
            continue;
        }
        if (!take_worm(line, numbered, &w))
            bad = fail(f, EXIT_INPUT, "%s:%u: \"%.60s\"; allowed: %s numbers, %s%s", file, n, line,
                       numbered ? "seven" : "six", worm_header, numbered ? ",number" : "");
        else if (w.length < 1 || w.length > 4096)
            bad = fail(f, EXIT_INPUT, "%s:%u: length = %u flits; allowed: 1 to 4096", file, n,
                       w.length);
        else if (!enters(&s->shape, &w))
            bad = fail(f, EXIT_INPUT, "%s:%u: no worm from processor %u to %u enters endpoint %u; "
                       "allowed: a shortest path through the device", file, n, w.src, w.dst,
                       w.entry);
        else if (numbered && !w.number)
            bad = fail(f, EXIT_INPUT, "%s:%u: a worm without a number above 0; allowed: 1 to 999999999", file, n);
        if (!bad && add(&l, &w))
            bad = fail(f, EXIT_SYSTEM, "%s: no memory", file);
    }
    bad = bad || got < 0 ? -1 : 0;
    if (!bad && ferror(in))
        bad = fail(f, EXIT_INPUT, "%s: %s; allowed: a readable file", file, strerror(errno));
    fclose(in);
    /* No worm at all is what shrinking leaves of a difference that no flit causes. */
    if (!bad && n == 0)
        bad = fail(f, EXIT_INPUT, "%s:1: an empty file; allowed: the header %s and a line a worm",
                   file, worm_header);
    uint32_t two = !bad && numbered ? twice(&l) : 0;
    if (two)
        bad = fail(f, EXIT_INPUT, "%s: two worms with number %u; allowed: each number once", file, two);
    return finish(s, &l, numbered, bad, f);
}

int stimulus_subset(struct stimulus *to, const struct stimulus *s, const bool *keep)
{
    *to = *s;
    to->count = 0;
    to->flits = 0;
    to->last = 0;
    to->worm = malloc((s->count + 1) * sizeof *to->worm);
    if (!to->worm)
        return -1;
    for (size_t k = 0; k < s->count; k++)
        if (keep[k]) {
            to->worm[to->count++] = s->worm[k];
            to->flits += s->worm[k].length;
            if (s->worm[k].ready > to->last)
                to->last = s->worm[k].ready;
        }
    return 0;
}

void stimulus_free(struct stimulus *s)
{
    free(s->worm);
    s->worm = NULL;
    s->count = 0;
}

bool stimulus_stalls(const struct stimulus *s)
{
    for (unsigned k = 0; k < STALL_PHASES; k++)
        if (s->stall[k])
            return true;
    return false;
}

void stimulus_room(const struct stimulus *s, uint64_t cycle, unsigned endpoints, uint16_t *room)
{
    unsigned vcs = s->shape.params.vcs;
    uint16_t all = (uint16_t)((1u << vcs) - 1);
    unsigned chance = s->stall[cycle / s->phase % STALL_PHASES];
    uint64_t bytes = 0;
    unsigned left = 0;
    uint64_t draw = s->seed ^ cycle << 20;

    for (unsigned e = 0; e < endpoints; e++)
        room[e] = all;
    if (!chance)
        return;
    for (unsigned e = 0; e < endpoints; e++)
        for (unsigned v = 0; v < vcs; v++) {
            if (!left) {
                bytes = rng_hash(draw++);
                left = 8;
            }
            if ((bytes & 255) < chance)
                room[e] &= (uint16_t)~(1u << v);
            bytes >>= 8;
            left--;
        }
}
