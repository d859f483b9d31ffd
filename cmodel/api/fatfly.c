/* SPDX-License-Identifier: Apache-2.0
 * fatfly.c - the public functions of the library: names, defaults, limits, and the choice of an
 * engine.
 */
#include "fatfly.h"

#include "engine.h"
#include "fat_tree.h"
#include "flit.h"
#include "pattern.h"
#include "rng.h"
#include "universal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)FATFLY_RG == (int)PATH_RG && (int)FATFLY_GREEDY == (int)PATH_COUNT, "paths");
_Static_assert((int)FATFLY_FCFS == (int)SCAN_FCFS && (int)FATFLY_SCANS == (int)SCAN_COUNT, "scans");
_Static_assert((int)FATFLY_MAX_LEVELS == (int)MAX_LEVELS && (int)FATFLY_MAX_DEPTH == (int)MAX_DEPTH,
               "limits");

const char *const fatfly_discipline_names[FATFLY_DISCIPLINES] = {
    "worm", "store", "univ", "split", "phased", "cmsv1", "cmsv2", "cmsv-store", "cmsv-protocol",
    "cmsv-butterfly"};
const char *const fatfly_path_names[FATFLY_PATHS] = {
    "fp", "rp", "gp", "rg", "greedy", "e-cube", "north-last", "positive-hop", "negative-hop",
    "minimal-adaptive", "loose-hop", "balanced-e-cube", "walk"};
const char *const fatfly_bandwidth_names[FATFLY_BANDWIDTHS] = {"fixed-share", "on-demand"};
const char *const fatfly_injection_names[FATFLY_INJECTIONS] = {"one-queue", "per-channel"};
const char *const fatfly_scan_names[FATFLY_SCANS] = {"rr", "fo", "ff", "rot", "fcfs"};
const char *const fatfly_start_names[FATFLY_STARTS] = {"any", "waiting"};
const char *const fatfly_pattern_names[FATFLY_PATTERNS] = {
    "random", "complement", "many-to-1", "transpose", "bit-reversal", "bit-complement",
    "shuffle", "neighbour", "hotspot", "permutation", "identity", "random-permutation", "packing",
    "spreading", "monotone", "trace"};
const char *const fatfly_arrival_names[FATFLY_ARRIVALS] = {"geometric", "poisson"};
const char *const fatfly_length_names[FATFLY_LENGTHS] = {"fixed", "uniform", "geometric",
                                                         "bimodal"};
const char *const fatfly_engine_names[FATFLY_ENGINES] = {"auto", "fast", "cycle"};

static unsigned levels_of(uint32_t nodes)
{
    unsigned n = 1;
    while (n <= MAX_LEVELS && fat_tree_nodes(n) != nodes)
        n++;
    return n;
}

static bool packets(const struct fatfly_config *c)
{
    return c->discipline != FATFLY_WORM && c->discipline != FATFLY_PHASED;
}

void fatfly_defaults(struct fatfly_config *c)
{
    memset(c, 0, sizeof *c);
    c->nodes = 64;
    c->radix = 16;
    c->dimensions = 2;
    c->link_bandwidth = 1;
    c->depth = 2;
    c->vcs = 1;
    c->path = FATFLY_RP;
    c->length = 32;
    c->length_min = 1;
    c->length_mean = 16;
    c->short_share = 0.5;
    c->hotspot = 0.04;
    c->density = 0.5;
    c->rounds = 1;
    c->delay_range = 1;
    c->detect_warmup = true;
    c->warmup = 200000;
    c->cycles = 100000;
    c->seed = 1;
}

/* What the butterfly fat-tree's network may be. */
static const char *network_out_of_range(const struct fatfly_config *c, char *why, size_t size)
{
    if (levels_of(c->nodes) > MAX_LEVELS)
        snprintf(why, size, "nodes = %u; allowed: 4^n for n = 1 to 10: 4, 16, 64, 256, 1024, "
                 "4096, 16384, 65536, 262144, 1048576", c->nodes);
    else if (c->vcs != 1 && c->vcs != 2 && c->vcs != 4)
        snprintf(why, size, "vcs = %u; allowed: 1, 2 or 4", c->vcs);
    else if ((unsigned)c->path >= FATFLY_GREEDY)
        snprintf(why, size, "path = %s; allowed on a fat-tree: fp, rp, gp, rg",
                 (unsigned)c->path < FATFLY_PATHS ? fatfly_path_names[c->path] : "?");
    else if (c->bandwidth != FATFLY_FIXED_SHARE && c->bandwidth != FATFLY_ON_DEMAND)
        snprintf(why, size, "bandwidth = %u; allowed: 0 or 1", (unsigned)c->bandwidth);
    else if (c->injection != FATFLY_ONE_QUEUE)
        snprintf(why, size, "injection = %u; allowed on a fat-tree: 0", (unsigned)c->injection);
    else if (c->link_bandwidth != 1 && !universal_is(c))
        snprintf(why, size, "link_bandwidth = %u; allowed on a fat-tree: 1", c->link_bandwidth);
    else
        return NULL;
    return why;
}

static const char *out_of_range(const struct fatfly_config *c, char *why, size_t size)
{
#define WITHIN(field, low, high, unit)                                                         \
    if (c->field < (low) || c->field > (high)) {                                               \
        snprintf(why, size, #field " = %llu%s; allowed: %llu to %llu",                         \
                 (unsigned long long)c->field, unit, (unsigned long long)(low),                \
                 (unsigned long long)(high));                                                  \
        return why;                                                                            \
    }
#define AT_MOST(field, high)                                                                   \
    if (c->field > (high)) {                                                                   \
        snprintf(why, size, #field " = %llu; allowed: 0 to %llu",                              \
                 (unsigned long long)c->field, (unsigned long long)(high));                    \
        return why;                                                                            \
    }
#define SHARE(field, low, high)                                                                \
    if (!(c->field >= (low) && c->field <= (high))) {                                          \
        snprintf(why, size, #field " = %g; allowed: %g to %g", c->field, (double)(low),        \
                 (double)(high));                                                              \
        return why;                                                                            \
    }
#define NAMED(field, count)                                                                    \
    if ((unsigned)c->field >= (unsigned)(count)) {                                             \
        snprintf(why, size, #field " = %u; allowed: 0 to %u", (unsigned)c->field,              \
                 (unsigned)(count)-1);                                                         \
        return why;                                                                            \
    }
    if (!topology_is_other(c) && network_out_of_range(c, why, size))
        return why;
    WITHIN(link_bandwidth, 1, FATFLY_MAX_BANDWIDTH, "")
    if (!topology_is_other(c) || c->depth != FATFLY_UNBOUNDED)
        WITHIN(depth, 1, FATFLY_MAX_DEPTH, packets(c) && c->discipline != FATFLY_SPLIT ? " packets"
                                                                                   : " flits")
    NAMED(bandwidth, FATFLY_BANDWIDTHS)
    NAMED(injection, FATFLY_INJECTIONS)
    if (c->flit_bits)
        WITHIN(flit_bits, 16, 64, " bits")
    NAMED(discipline, FATFLY_DISCIPLINES)
    NAMED(path, FATFLY_PATHS)
    NAMED(scan, FATFLY_SCANS)
    NAMED(start, FATFLY_STARTS)
    NAMED(lengths, FATFLY_LENGTHS)
    NAMED(pattern, FATFLY_PATTERNS)
    NAMED(arrivals, FATFLY_ARRIVALS)
    NAMED(engine, FATFLY_ENGINES)
    WITHIN(length, 1, FATFLY_MAX_LENGTH, " flits")
    if (c->lengths != FATFLY_FIXED)
        WITHIN(length_min, 1, c->length, " flits")
    if (c->lengths == FATFLY_TRUNCATED)
        SHARE(length_mean, c->length_min, FATFLY_MAX_LENGTH)
    if (c->lengths == FATFLY_BIMODAL)
        SHARE(short_share, 0, 1)
    SHARE(hotspot, 0, 1)
    AT_MOST(hotspot_node, c->nodes - 1)
    SHARE(density, 0, 1)
    SHARE(load, 0, 1)
    WITHIN(rounds, 1, 1000000, " worms")
    WITHIN(delay_range, 1, 1000000, "")
    AT_MOST(phases, UINT64_C(1) << 32)
    AT_MOST(phase_length, UINT64_C(1) << 24)
    SHARE(overhead, 0, 100)
#undef WITHIN
#undef AT_MOST
#undef SHARE
#undef NAMED
    return NULL;
}

/* Worms that walk at random end where they end, at a processor. */
static const char *walk_contradiction(const struct fatfly_config *c, const struct topology *t,
                                      char *why, size_t size)
{
    uint32_t a = 0;

    while (a < t->processors && topology_enter(t, a) == a && topology_leave(t, a) == a)
        a++;
    if (!universal_is(c))
        snprintf(why, size, "path = walk contradicts discipline = %s; allowed: with cmsv1, cmsv2, "
                 "cmsv-store (paths that are known before)", fatfly_discipline_names[c->discipline]);
    else if (c->pattern != FATFLY_RANDOM)
        snprintf(why, size, "pattern = %s contradicts path = walk; allowed: random",
                 fatfly_pattern_names[c->pattern]);
    else if (a < t->nodes)
        snprintf(why, size, "path = walk; allowed: where every node has the processor of its number");
    else
        return NULL;
    return why;
}

/* Of a topology that is not the butterfly fat-tree. */
static const char *other_contradiction(const struct fatfly_config *c, const struct topology *t,
                                       char *why, size_t size)
{
    uint32_t n = c->nodes;

    if (c->path == FATFLY_WALK && walk_contradiction(c, t, why, size))
        return why;
    if (topology_channels(t) >= UINT32_MAX)
        snprintf(why, size, "nodes = %u with topology = %s has more than 2^32 virtual channels", n,
                 c->topology);
    else if (n != t->processors)
        snprintf(why, size, "nodes = %u; allowed: %u, which is what topology = %s has", n,
                 t->processors, c->topology);
    else if (pattern_needs_bits(c->pattern) && n & (n - 1))
        snprintf(why, size, "nodes = %u with pattern = %s; allowed: a power of two", n,
                 fatfly_pattern_names[c->pattern]);
    else if (c->discipline == FATFLY_UNIV || c->discipline == FATFLY_SPLIT)
        snprintf(why, size, "discipline = %s with topology = %s; allowed: only on a fat-tree",
                 fatfly_discipline_names[c->discipline], c->topology);
    else if (c->engine != FATFLY_AUTO)
        snprintf(why, size, "engine = %s with topology = %s; allowed: auto",
                 fatfly_engine_names[c->engine], c->topology);
    else
        return NULL;
    return why;
}

/* Of a butterfly fat-tree. */
static const char *fat_tree_contradiction(const struct fatfly_config *c, char *why, size_t size)
{
    struct switch_params p;

    if (c->vcs > 1 && packets(c))
        snprintf(why, size, "vcs = %u contradicts discipline = %s; allowed: 1 (worm and phased "
                 "alone have virtual channels)", c->vcs, fatfly_discipline_names[c->discipline]);
    else if (c->vcs > 1 && c->engine == FATFLY_FAST)
        snprintf(why, size, "engine = fast contradicts vcs = %u; allowed: auto or cycle", c->vcs);
    else if (c->start == FATFLY_WAITING &&
             ((c->discipline != FATFLY_STORE && c->discipline != FATFLY_SPLIT) ||
              (c->scan != FATFLY_RR && c->scan != FATFLY_FF)))
        snprintf(why, size, "start = waiting contradicts discipline = %s with scan = %s; allowed: "
                 "store or split with rr or ff", fatfly_discipline_names[c->discipline],
                 fatfly_scan_names[c->scan]);
    else if (c->engine != FATFLY_AUTO && packets(c))
        snprintf(why, size, "engine = %s contradicts discipline = %s; allowed: auto",
                 fatfly_engine_names[c->engine], fatfly_discipline_names[c->discipline]);
    else if (c->discipline == FATFLY_UNIV && c->rounds > 10000)
        snprintf(why, size, "rounds = %u contradicts discipline = univ, which keeps a processor's "
                 "packets sorted; allowed: 1 to 10000", c->rounds);
    else if (engine_params(c, &p), p.flit_w < head_bits(p.levels, p.path))
        snprintf(why, size, "flit_bits = %u; a head of %u processors with path = %s needs %u",
                 p.flit_w, c->nodes, fatfly_path_names[c->path], head_bits(p.levels, p.path));
    else if (switch_params_check(&p, why, size))
        return why;
    else
        return NULL;
    return why;
}

static const char *contradiction(const struct fatfly_config *c, char *why, size_t size)
{
    if (c->load > 0 && (c->load < 1e-6 || c->cycles < 64 || c->cycles > UINT64_C(1) << 40 ||
                        c->warmup > UINT64_C(1) << 40))
        snprintf(why, size, "an open loop needs a load of 1e-6 to 1, 64 to 2^40 cycles and a "
                 "warm-up of at most 2^40; got load = %g, cycles = %llu, warmup = %llu", c->load,
                 (unsigned long long)c->cycles, (unsigned long long)c->warmup);
    else if (c->load > 0 && (c->discipline == FATFLY_UNIV || c->discipline == FATFLY_PHASED ||
                             universal_is(c)))
        snprintf(why, size, "load = %g contradicts discipline = %s, which is for static runs",
                 c->load, fatfly_discipline_names[c->discipline]);
    else if (c->load > 0 && c->pattern == FATFLY_MESSAGES)
        snprintf(why, size, "load = %g contradicts pattern = trace, which has times of its own",
                 c->load);
    else if (c->lengths != FATFLY_FIXED &&
             (c->discipline == FATFLY_STORE || c->discipline == FATFLY_UNIV))
        snprintf(why, size, "lengths = %s contradicts discipline = %s; allowed: fixed (all packets "
                 "take one packet-step)", fatfly_length_names[c->lengths],
                 fatfly_discipline_names[c->discipline]);
    else if (universal_is(c) && universal_refuse(c, why, size))
        return why;
    else if (c->pattern == FATFLY_PERMUTATION && !c->permutation)
        snprintf(why, size, "pattern = permutation needs a table of %u destinations", c->nodes);
    else if (c->pattern == FATFLY_MESSAGES && !c->messages && c->message_count)
        snprintf(why, size, "pattern = trace needs messages");
    else
        return NULL;
    return why;
}

static const char *bad_list(const struct fatfly_config *c, char *why, size_t size)
{
    if (c->pattern == FATFLY_PERMUTATION)
        for (uint32_t a = 0; a < c->nodes; a++)
            if (c->permutation[a] >= c->nodes) {
                snprintf(why, size, "permutation[%u] = %u; allowed: 0 to %u", a, c->permutation[a],
                         c->nodes - 1);
                return why;
            }
    if (c->pattern == FATFLY_MESSAGES)
        for (size_t k = 0; k < c->message_count; k++) {
            const struct fatfly_message *m = &c->messages[k];
            if (m->src >= c->nodes || m->dst >= c->nodes || !m->length ||
                m->length > FATFLY_MAX_LENGTH || m->ready >= UINT64_C(1) << 62 ||
                (k && m->ready < m[-1].ready)) {
                snprintf(why, size, "message %zu: ready %llu, %u to %u, %u flits; allowed: sorted by "
                         "ready < 2^62, processors 0 to %u, 1 to %d flits", k,
                         (unsigned long long)m->ready, m->src, m->dst, m->length, c->nodes - 1,
                         FATFLY_MAX_LENGTH);
                return why;
            }
        }
    return NULL;
}

int engine_check(const struct fatfly_config *c, struct topology *t, char *why, size_t size)
{
    bool other = topology_is_other(c);

    t->kind = NULL;
    if (out_of_range(c, why, size) || contradiction(c, why, size))
        return FATFLY_BAD_CONFIG;
    if (other && topology_of(c, t, why, size)) {
        t->kind = NULL;
        return FATFLY_BAD_CONFIG;
    }
    if ((other ? other_contradiction(c, t, why, size) : fat_tree_contradiction(c, why, size)) ||
        bad_list(c, why, size)) {
        topology_close(t);
        return FATFLY_BAD_CONFIG;
    }
    return FATFLY_OK;
}

int fatfly_check(const struct fatfly_config *c, char *why, size_t size)
{
    struct topology t;
    char own[1]; /* the caller need not want to know why */
    int status = engine_check(c, &t, why ? why : own, why ? size : sizeof own);

    topology_close(&t);
    return status;
}

void engine_params(const struct fatfly_config *c, struct switch_params *p)
{
    unsigned levels = levels_of(c->nodes);
    unsigned bits = head_bits(levels, (enum path_select)c->path);

    *p = (struct switch_params){.vcs = c->vcs, .depth = c->depth, .flit_w = c->flit_bits,
                                .path = (enum path_select)c->path,
                                .scan = (enum scan_order)c->scan, .level = 1, .levels = levels};
    if (!p->flit_w)
        p->flit_w = bits <= 32 ? 32 : 64;
}

uint64_t engine_head(const struct switch_params *p, const struct traffic_worm *w)
{
    unsigned bits = head_bits(p->levels, p->path);
    uint64_t head = head_pack(p->levels, w->dst, w->src, worm_height(w->src, w->dst), w->path);

    if (bits < p->flit_w) {
        uint64_t mask = p->flit_w - bits < 32 ? (UINT64_C(1) << (p->flit_w - bits)) - 1 : UINT32_MAX;
        head |= (w->number & mask) << bits;
    }
    return head;
}

uint64_t fatfly_run_seed(uint64_t seed, uint64_t k)
{
    return rng_hash(seed + rng_hash(k));
}

static bool fast(const struct fatfly_config *c)
{
    return c->vcs == 1 && c->engine != FATFLY_CYCLE;
}

uint64_t fatfly_memory(const struct fatfly_config *c)
{
    uint64_t own = 0, links = 0;
    struct topology t;
    char why[1];

    if (!topology_is_other(c)) {
        links = fatfly_config_links(c);
        own = universal_is(c) ? universal_memory(c, NULL)
              : packets(c)    ? store_memory(c)
              : fast(c)       ? worm_memory(c)
                              : cycle_memory(c);
    } else if (topology_of(c, &t, why, sizeof why) == 0) {
        own = universal_is(c)                  ? universal_memory(c, &t)
              : c->discipline == FATFLY_STORE ? greedy_memory(&t, c)
                                               : channel_memory(&t, c);
        links = (uint64_t)t.nodes * t.ports;
        topology_close(&t);
    }
    return own + traffic_memory(c) + measure_memory(c) + 4 * links;
}

/* A run in a butterfly fat-tree. */
static int run_fat_tree(const struct fatfly_config *c, struct traffic *t, struct measure *m)
{
    struct switch_params p;

    engine_params(c, &p);
    return packets(c) ? store_run(&p, t, m) : fast(c) ? worm_run(&p, t, m) : cycle_run(&p, t, m);
}

/* Cycles in which a flit crosses a link of another topology; STORE: a packet. */
static unsigned other_step(const struct topology *o, const struct fatfly_config *c)
{
    return c->discipline == FATFLY_STORE ? c->length : channel_step(o, c);
}

static int run_other(const struct topology *o, struct traffic *t, struct measure *m, char *why,
                     size_t size)
{
    return m->config->discipline == FATFLY_STORE ? greedy_run(o, t, m, why, size)
                                                 : channel_run(o, t, m, why, size);
}

/* A run with what it needs: worms over each link, traffic, and the topology if it is another one. */
static int run(const struct fatfly_config *given, const struct topology *o,
               const struct fatfly_hooks *hooks, uint32_t *worms, struct fatfly_result *r,
               char *why, size_t size)
{
    struct measure m;
    struct fatfly_config own = *given;
    const struct fatfly_config *c = &own;
    int status = o && c->discipline == FATFLY_PHASED
                     ? universal_phases(&own, o, channel_step(o, c), why, size) : FATFLY_OK;
    if (status)
        return status;
    struct traffic *t = traffic_new(c);
    status = FATFLY_NO_MEMORY;

    if (t && (o ? measure_start_on(&m, o, other_step(o, c), c, hooks, r, worms)
                : measure_start(&m, c, hooks, r, worms))) {
        if (o && topology_apart(o))
            traffic_apart(t);
        status = o ? run_other(o, t, &m, why, size) : run_fat_tree(c, t, &m);
        r->self_worms = traffic_self_worms(t);
        if (status)
            measure_free(&m);
        else if (!measure_check(c, r, worms, why, size))
            status = FATFLY_BROKEN;
    }
    traffic_free(t);
    return status;
}

int fatfly_run(const struct fatfly_config *c, const struct fatfly_hooks *hooks,
               struct fatfly_result *r, char *why, size_t size)
{
    struct topology other;
    char none[1];

    if (!why) {
        why = none;
        size = sizeof none;
    }
    int status = engine_check(c, &other, why, size);
    const struct topology *o = other.kind ? &other : NULL;
    if (!status && o && !c->force)
        status = deadlock_look(c, o, NULL, NULL, why, size);
    if (status) {
        topology_close(&other);
        return status;
    }
    uint32_t links = o ? o->nodes * o->ports : fatfly_links(c->nodes);
    uint32_t *own = hooks && hooks->link_worms ? NULL : calloc(links, sizeof *own);
    uint32_t *worms = own ? own : hooks ? hooks->link_worms : NULL;
    if (worms)
        memset(worms, 0, links * sizeof *worms);
    status = !worms           ? FATFLY_NO_MEMORY
             : universal_is(c) ? universal_run(c, o, hooks, worms, r, why, size)
                               : run(c, o, hooks, worms, r, why, size);
    if (status == FATFLY_NO_MEMORY)
        snprintf(why, size, "memory is short: %.3g GB are needed", (double)fatfly_memory(c) * 1e-9);
    free(own);
    topology_close(&other);
    return status;
}

uint32_t fatfly_config_links(const struct fatfly_config *c)
{
    struct topology t;
    char why[1];
    uint32_t links = 0;

    if (!topology_is_other(c))
        return levels_of(c->nodes) <= MAX_LEVELS ? fatfly_links(c->nodes) : 0;
    if (topology_of(c, &t, why, sizeof why) == 0) {
        links = t.nodes * t.ports;
        topology_close(&t);
    }
    return links;
}

uint32_t fatfly_links(uint32_t nodes)
{
    return SWITCH_PORTS * fat_tree_switches(levels_of(nodes)) + nodes;
}

struct fatfly_link fatfly_link_at(uint32_t nodes, uint32_t k)
{
    unsigned levels = levels_of(nodes);
    uint32_t switches = fat_tree_switches(levels);
    struct fatfly_link link = {.exists = true};
    unsigned l;

    if (k >= SWITCH_PORTS * switches) { /* to a processor */
        link.lower = k - SWITCH_PORTS * switches;
        link.upper = link.lower >> 2;
        return link;
    }
    unsigned port = k % SWITCH_PORTS;
    fat_tree_place(levels, k / SWITCH_PORTS, &l, &link.upper);
    if (port >= SWITCH_CHILDREN) { /* down from a parent */
        link.exists = l < levels;
        link.level = l;
        link.lower = link.upper;
        link.upper = link.exists ? fat_tree_parent(l, link.lower, port - SWITCH_CHILDREN) : 0;
        return link;
    }
    link.up = true;
    link.level = l - 1;
    if (l == 1) {
        link.lower = 4 * link.upper + port;
        return link;
    }
    /* The lower switch is one of those below whose parent 0 or 1 this is, at child `port`. */
    uint32_t width = UINT32_C(1) << (l - 1);
    uint32_t block = link.upper / width * 2 * width;
    for (uint32_t a = block + port * (width / 2); a < block + (port + 1) * (width / 2); a++)
        if (fat_tree_parent(l - 1, a, 0) == link.upper || fat_tree_parent(l - 1, a, 1) == link.upper)
            link.lower = a;
    return link;
}
