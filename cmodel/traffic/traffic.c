/* SPDX-License-Identifier: Apache-2.0
 * traffic.c - the worms of a run, processor by processor, made when they are asked for.
 */
#include "traffic.h"

#include "cuts.h"
#include "discipline.h"
#include "geometric.h"
#include "matrix.h"
#include "pattern.h"
#include "fatfly_plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A Poisson stream is a geometric one on a grid of 2^16 slots a cycle: two worms of a processor in
 * one slot, which the grid rules out, would come once in 2^17 worms at most. */
enum { POISSON_BITS = 16 };

/* ON_OFF: so many periods in a row without a worm, and those until the run is over, are drawn for a worm. */
enum { EMPTY_PERIODS = 1 << 16 };

struct source {
    struct rng rng;
    uint64_t when;  /* open loop: the first slot for its next worm; static: of its last worm */
    uint64_t index; /* of its next worm */
    uint32_t home;  /* worms in a row for the source itself, of a plug-in */
    uint32_t same;  /* worms in a row of one cycle, of a plug-in */
    uint64_t until; /* ON_OFF: first cycle after the present or last period with worms */
};

struct traffic {
    const struct fatfly_config *config;
    struct source *source;   /* [nodes] */
    uint32_t *table;         /* pattern_table(), where there is one */
    size_t *first;           /* MESSAGES: [nodes + 1], where those of a source begin in order[] */
    size_t *order;           /* [message_count] */
    struct geometric gap;    /* open loop: slots without a worm */
    struct geometric length; /* TRUNCATED */
    uint64_t short_chance;   /* BIMODAL, in 2^53 */
    uint64_t mix[FATFLY_MAX_MIX]; /* MIX: sums of the shares, in 2^53 */
    uint64_t class_chance[FATFLY_MAX_CLASSES]; /* sums, in 2^53 */
    struct geometric on, off;/* ON_OFF: cycles of a period, less one */
    uint64_t over;           /* ... and a cycle that no run lasts to */
    uint64_t *sums;          /* MATRIX, of all worms or of a class: matrix_sums() */
    struct geometric *gaps;  /* MATRIX: [nodes], in place of gap; of no digits: sends nothing */
    double *part;            /* MATRIX: [nodes], of the load */
    bool *sends;             /* MATRIX: [nodes] */
    const struct fatfly_plugin *plugin; /* NULL: none */
    struct fatfly_plug_network network; /* what it sees */
    char fault[200];         /* what was wrong with an answer of its */
    uint64_t delays;         /* static: how many there are to draw from, 0: none */
    uint64_t delay_unit;     /* cycles */
    uint64_t self_worms;
    enum fatfly_pattern pattern[FATFLY_MAX_CLASSES]; /* of each class */
    unsigned levels;         /* of a butterfly fat-tree with so many processors */
    unsigned bits;           /* of an address */
    bool apart;
    bool usual;              /* an open loop of one class of worms of one length, each to a processor drawn from all or from all others */
    unsigned slot_bits;      /* log2 of slots a cycle */
};

static bool open_loop(const struct fatfly_config *c)
{
    return c->load > 0 && c->pattern != FATFLY_MESSAGES;
}

static uint64_t source_seed(const struct fatfly_config *c, uint32_t src)
{
    return rng_hash(c->seed ^ rng_hash((uint64_t)src + 1));
}

/* 0 .. n - 1; of more than 2^32 values some are likelier by 2^-20 at most. */
static uint64_t below(struct rng *r, uint64_t n)
{
    return n <= UINT32_MAX ? rng_below(r, (uint32_t)n) : rng_next(r) % n;
}

/* Delay of worm `index`: numbers of their own, so that where worms go does not depend on R. */
static uint64_t delay(const struct traffic *t, uint32_t src, uint64_t index)
{
    struct rng r = {rng_hash(~source_seed(t->config, src)) + index};
    return below(&r, t->delays) * t->delay_unit;
}

static double truncated_p(const struct fatfly_config *c)
{
    double above = c->length_mean - c->length_min;
    return above > 0 ? 1 / (1 + above) : 1;
}

static double mix_mean(const struct fatfly_config *c)
{
    double flits = 0, weights = 0;
    for (unsigned k = 0; k < c->mix_count; k++) {
        flits += c->mix[k].length * c->mix[k].weight;
        weights += c->mix[k].weight;
    }
    return flits / weights;
}

/* Of a worm whose class says nothing. */
static double mean_length(const struct fatfly_config *c)
{
    double low = c->length_min;
    double high = c->length;
    double sum = low;
    double reach = 1; /* chance that a length is more than length_min + k */

    switch (c->lengths) {
    case FATFLY_UNIFORM:
        return (low + high) / 2;
    case FATFLY_BIMODAL:
        return c->short_share * low + (1 - c->short_share) * high;
    case FATFLY_TRUNCATED:
        for (unsigned k = c->length_min; k < c->length; k++) {
            reach *= 1 - truncated_p(c);
            sum += reach;
        }
        return sum;
    case FATFLY_MIX:
        return mix_mean(c);
    default:
        return high;
    }
}

/* Flits of a class's worm and its reply. */
static double class_flits(const struct fatfly_config *c, unsigned k)
{
    return (c->class_length[k] ? c->class_length[k] : mean_length(c)) + c->reply[k];
}

/* Worms of a class for each flit of the load, to a common factor. */
static double class_weight(const struct fatfly_config *c, unsigned k)
{
    double shares = 0;
    for (unsigned j = 0; j < c->classes; j++)
        shares += c->class_share[j];
    return (shares > 0 ? c->class_share[k] : 1) / class_flits(c, k);
}

double traffic_mean_length(const struct fatfly_config *c)
{
    double flits = 0, worms = 0;
    if (c->classes <= 1 && !c->reply[0] && !c->class_length[0])
        return mean_length(c);
    for (unsigned k = 0; k < c->classes; k++) {
        flits += class_weight(c, k) * class_flits(c, k);
        worms += class_weight(c, k);
    }
    return flits / worms;
}

double traffic_rate(const struct fatfly_config *c)
{
    return c->load > 0 ? c->load / traffic_mean_length(c) : 0;
}

uint32_t traffic_longest(const struct fatfly_config *c)
{
    uint32_t most = c->classes > 1 ? 0 : c->length;
    for (unsigned k = 0; k < c->classes; k++) {
        uint32_t request = c->class_length[k] ? c->class_length[k] : c->length;
        most = most > request ? most : request;
        most = most > c->reply[k] ? most : c->reply[k];
    }
    return most;
}

static double class_weights(const struct fatfly_config *c)
{
    double weights = 0;
    for (unsigned k = 0; k < c->classes; k++)
        weights += class_weight(c, k);
    return weights;
}

double traffic_worms_of_class(const struct fatfly_config *c, unsigned k)
{
    return class_weight(c, k) / class_weights(c);
}

static void classes_init(struct traffic *t)
{
    const struct fatfly_config *c = t->config;
    double weights = class_weights(c), so_far = 0;
    for (unsigned k = 0; k < c->classes; k++) {
        so_far += class_weight(c, k);
        t->class_chance[k] = (uint64_t)(so_far / weights * 0x1p53);
        t->pattern[k] = traffic_pattern(c, k);
    }
}

static unsigned draw_class(const struct traffic *t, struct rng *r)
{
    uint64_t x = rng_next(r) >> 11;
    unsigned k = 0;
    while (k + 1 < t->config->classes && x >= t->class_chance[k])
        k++;
    return k;
}

static uint32_t draw_mix(const struct traffic *t, uint64_t x)
{
    unsigned k = 0;
    while (k + 1 < t->config->mix_count && x >= t->mix[k])
        k++;
    return t->config->mix[k].length;
}

static void mix_init(struct traffic *t)
{
    const struct fatfly_config *c = t->config;
    double weights = 0, so_far = 0;
    for (unsigned k = 0; k < c->mix_count; k++)
        weights += c->mix[k].weight;
    for (unsigned k = 0; k < c->mix_count; k++) {
        so_far += c->mix[k].weight;
        t->mix[k] = (uint64_t)(so_far / weights * 0x1p53);
    }
}

/* TRUNCATED sets what is longer to the longest length. */
static uint32_t draw_length(const struct traffic *t, struct rng *r)
{
    const struct fatfly_config *c = t->config;
    uint64_t more;

    switch (c->lengths) {
    case FATFLY_UNIFORM:
        return c->length_min + rng_below(r, c->length - c->length_min + 1);
    case FATFLY_BIMODAL:
        return rng_next(r) >> 11 < t->short_chance ? c->length_min : c->length;
    case FATFLY_TRUNCATED:
        more = geometric_next(&t->length, r);
        return more < c->length - c->length_min ? c->length_min + (uint32_t)more : c->length;
    case FATFLY_MIX:
        return draw_mix(t, rng_next(r) >> 11);
    default:
        return c->length;
    }
}

static void draw_path(const struct traffic *t, struct rng *r, struct traffic_worm *w)
{
    w->path = 0;
    if (t->config->path == FATFLY_FP)
        w->path = (uint32_t)rng_next(r) & ((UINT32_C(1) << (t->levels - 1)) - 1);
}

/* Of worm j of a source: with replies a source's requests have even places, its replies odd ones. */
static void set_number(const struct traffic *t, uint64_t j, bool reply, struct traffic_worm *w)
{
    w->index = t->config->reply[0] ? 2 * j + reply : j;
    w->number = (uint32_t)w->index * t->config->nodes + w->src + 1;
}

struct traffic_worm traffic_reply(const struct traffic *t, const struct traffic_worm *request, uint64_t j,
                                  uint64_t ready)
{
    const struct fatfly_config *c = t->config;
    struct traffic_worm w = {.ready = ready, .src = request->dst, .dst = request->src,
                             .length = c->reply[request->of_class], .of_class = c->classes + request->of_class};
    set_number(t, j, true, &w);
    struct rng r = {rng_hash(source_seed(c, w.src) + w.index)};
    draw_path(t, &r, &w);
    return w;
}

/* -- of a plug-in ------------------------------------------------------------------------------ */

/* A processor that draws itself so often, or so many worms in a cycle, would do so for ever. */
enum { MOST_IN_A_ROW = 65536 };

static void plug_init(struct traffic *t)
{
    const struct fatfly_config *c = t->config;
    bool cube = c->topology && (strcmp(c->topology, "torus") == 0 || strcmp(c->topology, "mesh") == 0);
    t->plugin = c->plugin;
    if (c->plugin)
        t->network = (struct fatfly_plug_network){
            .context = c->plugin->context, .processors = c->nodes, .radix = cube ? c->radix : 0,
            .dimensions = cube ? c->dimensions : 0, .rate = traffic_rate(c)};
}

const char *traffic_fault(const struct traffic *t)
{
    return t->fault[0] ? t->fault : NULL;
}

static uint32_t plugged_destination(struct traffic *t, struct source *s, uint32_t src)
{
    uint64_t index = s->index - 1;
    uint32_t dst = t->plugin->destination(&t->network, src, index, rng_next(&s->rng));
    if (dst < t->config->nodes)
        return dst;
    if (!t->fault[0])
        snprintf(t->fault, sizeof t->fault, "plugin = %s: destination() of worm %llu of processor %u returns "
                 "%u; allowed: 0 to %u", t->plugin->name, (unsigned long long)index, src, dst,
                 t->config->nodes - 1);
    return src;
}

/* Cycle of the next worm; UINT64_MAX: there is none. */
static uint64_t plugged_slot(struct traffic *t, struct source *s, uint32_t src)
{
    uint64_t gap = t->plugin->gap(&t->network, src, s->index, rng_next(&s->rng));
    s->same = gap ? 0 : s->same + 1;
    if (s->same > MOST_IN_A_ROW && !t->fault[0])
        snprintf(t->fault, sizeof t->fault, "plugin = %s: gap() of processor %u returns 0 more than %d times "
                 "in a row; allowed: a worm in a later cycle some time", t->plugin->name, src, MOST_IN_A_ROW);
    return t->fault[0] || gap > (UINT64_C(1) << 62) - s->when ? UINT64_MAX : s->when + gap;
}

/* Destination of a worm of class k. */
static uint32_t destination(const struct traffic *t, unsigned k, uint32_t src, struct rng *r)
{
    if (t->table && pattern_has_table(t->pattern[k]))
        return t->table[src];
    if (MATRIX_THERE && t->pattern[k] == FATFLY_MATRIX)
        return matrix_dst(t->sums, t->config->nodes, src, r);
    return pattern_dst_of(t->config, t->pattern[k], t->bits, src, r);
}

/* What is drawn of the next worm of usual traffic; draw() does the same in more instructions. */
static inline __attribute__((always_inline)) void draw_usual(const struct traffic *t, struct source *s, uint32_t src,
                                                             struct traffic_worm *w)
{
    w->src = src;
    w->index = s->index++;
    w->number = (uint32_t)w->index * t->config->nodes + src + 1;
    w->dst = pattern_uniform(t->config, src, &s->rng);
    w->length = t->config->length;
    w->path = w->of_class = 0;
}

/* All but the ready cycle of the next worm. */
static void draw(struct traffic *t, struct source *s, uint32_t src, struct traffic_worm *w)
{
    w->src = src;
    set_number(t, s->index++, false, w);
    w->of_class = t->config->classes > 1 ? draw_class(t, &s->rng) : 0;
    if (t->plugin && t->plugin->destination)
        w->dst = plugged_destination(t, s, src);
    else if (t->sends && !t->sends[src])
        w->dst = PATTERN_NOBODY;
    else
        w->dst = destination(t, w->of_class, src, &s->rng);
    w->length = t->config->class_length[w->of_class] ? t->config->class_length[w->of_class]
                                                     : draw_length(t, &s->rng);
    draw_path(t, &s->rng, w);
}

static bool next_message(struct traffic *t, uint32_t src, struct traffic_worm *w)
{
    struct source *s = &t->source[src];
    while (s->index < t->first[src + 1] - t->first[src]) {
        const struct fatfly_message *m = &t->config->messages[t->order[t->first[src] + s->index]];
        w->ready = m->ready;
        w->index = s->index++;
        w->number = (uint32_t)w->index * t->config->nodes + src + 1;
        w->src = src;
        w->dst = m->dst;
        w->length = m->length;
        w->of_class = 0;
        draw_path(t, &s->rng, w);
        if (m->dst != src || t->apart)
            return true;
        t->self_worms++;
    }
    return false;
}

static bool next_static(struct traffic *t, uint32_t src, struct traffic_worm *w)
{
    struct source *s = &t->source[src];
    while (s->index < t->config->rounds) {
        uint64_t wait = t->delays ? delay(t, src, s->index) : 0;
        s->when = wait > s->when ? wait : s->when; /* a source's worms leave in order */
        draw(t, s, src, w);
        w->ready = s->when;
        if (w->dst != src || t->apart)
            return true;
        t->self_worms++;
    }
    return false;
}

/* The first cycle at or after `at` with a worm, of a source whose periods with worms and without
 * follow one another; UINT64_MAX: none that a run sees. */
static uint64_t next_of_bursts(const struct traffic *t, struct source *s, const struct geometric *gap,
                               uint64_t at)
{
    for (unsigned empty = 0; at < t->over || empty < EMPTY_PERIODS; empty += empty < EMPTY_PERIODS) {
        if (at >= s->until) {
            at = s->until + 1 + geometric_next(&t->off, &s->rng);
            s->until = at + 1 + geometric_next(&t->on, &s->rng);
        }
        uint64_t slot = at + geometric_next(gap, &s->rng);
        if (slot < s->until)
            return slot;
        at = s->until;
    }
    return UINT64_MAX;
}

static bool is_usual(const struct traffic *t)
{
    const struct fatfly_config *c = t->config;
    return open_loop(c) && c->arrivals != FATFLY_ON_OFF && c->pattern == FATFLY_RANDOM && c->classes <= 1 &&
           !c->class_patterns && !c->class_length[0] && !c->reply[0] && c->lengths == FATFLY_FIXED && c->path != FATFLY_FP && !t->table && !t->sends && !t->gaps && !c->plugin;
}

/* Whether another draw may leave the source: of a class by chance, or of one whose worms do. */
static bool may_leave(const struct traffic *t, struct source *s, uint32_t src)
{
    if (t->plugin && t->plugin->destination)
        return !t->fault[0] && ++s->home < MOST_IN_A_ROW;
    for (unsigned k = 0; k < t->config->classes; k++) {
        struct rng none = {0}; /* not drawn from */
        if (MATRIX_THERE && t->pattern[k] == FATFLY_MATRIX ? matrix_leaves(t->config, src)
                                           : pattern_may_stay(t->pattern[k]) || destination(t, k, src, &none) != src)
            return true;
    }
    return false;
}

/* The slot of the next worm, UINT64_MAX if there is none; moves s->when past it. */
static uint64_t next_slot(struct traffic *t, struct source *s, uint32_t src)
{
    const struct geometric *gap = t->gaps ? &t->gaps[src] : &t->gap;
    if (t->plugin && t->plugin->gap)
        return s->when = plugged_slot(t, s, src);
    uint64_t slot = t->config->arrivals == FATFLY_ON_OFF ? next_of_bursts(t, s, gap, s->when)
                                                         : s->when + geometric_next(gap, &s->rng);
    s->when = slot == UINT64_MAX ? slot : slot + 1;
    return slot;
}

static bool next_open(struct traffic *t, uint32_t src, struct traffic_worm *w)
{
    struct source *s = &t->source[src];
    while (s->when != UINT64_MAX) {
        uint64_t slot = next_slot(t, s, src);
        if (slot == UINT64_MAX)
            break;
        draw(t, s, src, w);
        w->ready = slot >> t->slot_bits;
        if (w->dst != src || t->apart) {
            s->home = 0;
            return true;
        }
        t->self_worms++;
        if (!may_leave(t, s, src))
            s->when = UINT64_MAX; /* a fixed point: it would draw itself for ever */
    }
    return false;
}

/* The same of usual traffic. */
static bool next_usual(struct traffic *t, uint32_t src, struct traffic_worm *w)
{
    struct source *s = &t->source[src];
    for (;;) {
        uint64_t slot = s->when + geometric_next(&t->gap, &s->rng);
        s->when = slot + 1;
        draw_usual(t, s, src, w);
        w->ready = slot >> t->slot_bits;
        if (w->dst != src || t->apart)
            return true;
        t->self_worms++;
    }
}

/* Whether processor src sends nothing at all. */
static bool silent(const struct traffic *t, uint32_t src)
{
    return (t->table && t->table[src] == PATTERN_NOBODY) || (t->sends && !t->sends[src]);
}

bool traffic_next(struct traffic *t, uint32_t src, struct traffic_worm *w)
{
    if (t->usual)
        return next_usual(t, src, w);
    if (silent(t, src))
        return false;
    if (t->config->pattern == FATFLY_MESSAGES)
        return next_message(t, src, w);
    return open_loop(t->config) ? next_open(t, src, w) : next_static(t, src, w);
}

struct traffic *traffic_share(const struct traffic *t)
{
    struct traffic *part = malloc(sizeof *part);
    if (part)
        *part = *t;
    return part;
}

void traffic_visit(struct traffic **t, struct visitor *v)
{
    VISIT(v, *t, 1);
    VISIT(v, (*t)->source, (*t)->config->nodes);
}

uint64_t traffic_self_worms(const struct traffic *t)
{
    return t->self_worms;
}

/* Adds a worm to worms[6 * switches + nodes], by the link's near end: 6s + p leaves switch s by
 * port p; returns the most that any of its links now carries.  The way down needs no choice: child
 * i of S(l, a) is the S(l - 1, b) with the same low bits. */
static uint32_t add_path(uint32_t *worms, unsigned levels, const struct traffic_worm *w)
{
    unsigned height = worm_height(w->src, w->dst);
    uint32_t a = w->src / 4;
    uint32_t most = ++worms[6 * fat_tree_switches(levels) + w->src];

    for (unsigned l = 1; l < height; l++) {
        unsigned p = w->path >> (l - 1) & 1;
        uint32_t n = ++worms[6 * (fat_tree_base(levels, l) + a) + 4 + p];
        most = n > most ? n : most;
        a = fat_tree_parent(l, a, p);
    }
    for (unsigned l = height; l >= 1; l--) {
        uint32_t child = w->dst >> 2 * (l - 1) & 3;
        uint32_t n = ++worms[6 * (fat_tree_base(levels, l) + a) + child];
        most = n > most ? n : most;
        if (l > 1) {
            uint32_t low = UINT32_C(1) << (l - 2);
            a = a / (2 * low) * (4 * low) + child * low + a % low;
        }
    }
    return most;
}

/* Counters that congestion() needs. */
static size_t congestion_count(const struct fatfly_config *c, unsigned levels)
{
    return c->path == FATFLY_FP ? 6 * (size_t)fat_tree_switches(levels) + c->nodes
                                : 2 * (size_t)cuts_count(levels);
}

/* Congestion of the static instance, 1 at least: of the fixed paths, or, where switches choose
 * them, what a channel's busiest link carries at least.  0 if memory is short. */
static uint64_t congestion(struct traffic *t)
{
    const struct fatfly_config *c = t->config;
    uint32_t cuts = cuts_count(t->levels);
    uint32_t *worms = calloc(congestion_count(c, t->levels), sizeof *worms);
    uint64_t most = 1;

    if (!worms)
        return 0;
    for (uint32_t src = 0; src < c->nodes; src++) {
        struct source s = {.rng = {source_seed(c, src)}};
        for (unsigned round = 0; round < c->rounds; round++) {
            struct traffic_worm w;
            uint32_t n = 0;
            draw(t, &s, src, &w);
            if (w.dst == src || w.dst == PATTERN_NOBODY)
                continue;
            if (c->path == FATFLY_FP)
                n = add_path(worms, t->levels, &w);
            else
                cuts_add(worms, worms + cuts, t->levels, src, w.dst);
            most = n > most ? n : most;
        }
    }
    for (unsigned way = 0; c->path != FATFLY_FP && way < 2; way++) {
        double factor = cuts_factor(worms + (size_t)way * cuts, t->levels);
        uint64_t whole = (uint64_t)factor;
        whole += (double)whole < factor;
        most = whole > most ? whole : most;
    }
    free(worms);
    return most;
}

/* Initial delays (GO II, III.B.2). */
static bool delays_init(struct traffic *t)
{
    const struct fatfly_config *c = t->config;

    if (discipline_of(c)->own_delays)
        return true;
    t->delays = c->delay_range > 1 ? c->delay_range : 0;
    switch (c->discipline) {
    case FATFLY_STORE:
        t->delay_unit = c->length; /* a packet-step */
        return true;
    case FATFLY_SPLIT:
        t->delay_unit = 1; /* packets of one flit */
        return true;
    case FATFLY_WORM:
        t->delay_unit = (uint64_t)c->length * t->bits; /* L log2 N */
        return true;
    default:
        break;
    }
    t->delay_unit = c->phase_length ? c->phase_length : c->length + 2 * t->levels - 1;
    t->delays = c->phases;
    if (t->delays == 0)
        t->delays = 2 * (uint64_t)c->length * congestion(t);
    return t->delays != 0;
}

/* Chance of a worm in a slot, of a source with a part of the load. */
static double slot_chance(const struct fatfly_config *c, double part)
{
    double p = traffic_rate(c) * part;

    if (c->arrivals == FATFLY_POISSON) {
        double x = p / (1 << POISSON_BITS);
        p = x - x * x / 2 + x * x * x / 6 - x * x * x * x / 24; /* 1 - exp(-x) */
    }
    if (c->arrivals == FATFLY_ON_OFF)
        p *= (c->burst_on + c->burst_off) / c->burst_on;
    return p < 1 ? p : 1; /* by rounding alone: check.c */
}

/* Each source begins in a period with worms as often as it is in one. */
static void bursts_init(struct traffic *t, uint32_t from, uint32_t to)
{
    const struct fatfly_config *c = t->config;
    uint64_t share = (uint64_t)(c->burst_on / (c->burst_on + c->burst_off) * 0x1p53);

    t->over = 16 * (c->warmup + c->cycles) + (UINT64_C(1) << 24);
    geometric_init(&t->on, 1 / c->burst_on);
    geometric_init(&t->off, 1 / c->burst_off);
    for (uint32_t src = from; src < to; src++) {
        struct source *s = &t->source[src];
        s->until = rng_next(&s->rng) >> 11 < share ? 1 + geometric_next(&t->on, &s->rng) : 0;
    }
}

static bool open_init(struct traffic *t, uint32_t from, uint32_t to)
{
    const struct fatfly_config *c = t->config;

    t->slot_bits = c->arrivals == FATFLY_POISSON ? POISSON_BITS : 0;
    geometric_init(&t->gap, slot_chance(c, 1));
    if (c->arrivals == FATFLY_ON_OFF)
        bursts_init(t, from, to);
    if (!MATRIX_THERE || c->pattern != FATFLY_MATRIX)
        return true;
    t->gaps = calloc(c->nodes, sizeof *t->gaps);
    for (uint32_t src = 0; t->gaps && src < c->nodes; src++)
        if (t->sends[src])
            geometric_init(&t->gaps[src], slot_chance(c, t->part[src]));
    return t->gaps;
}

static bool matrix_init(struct traffic *t)
{
    const struct fatfly_config *c = t->config;

    t->sums = matrix_sums(c);
    if (c->class_patterns) /* all send alike: check.c */
        return t->sums;
    t->part = matrix_parts(c);
    t->sends = calloc(c->nodes, sizeof *t->sends);
    for (uint32_t src = 0; t->sends && t->part && src < c->nodes; src++)
        t->sends[src] = t->part[src] > 0;
    return t->sums && t->sends && t->part;
}

/* Messages by source, those of a source in the order of the list. */
static bool messages_init(struct traffic *t)
{
    const struct fatfly_config *c = t->config;

    t->first = calloc((size_t)c->nodes + 2, sizeof *t->first);
    t->order = malloc((c->message_count + 1) * sizeof *t->order);
    if (!t->first || !t->order)
        return false;
    /* Counted two places up: filling order[] moves each count to the end of its own part. */
    for (size_t k = 0; k < c->message_count; k++)
        t->first[c->messages[k].src + 2]++;
    for (uint32_t a = 0; a < c->nodes; a++)
        t->first[a + 2] += t->first[a + 1];
    for (size_t k = 0; k < c->message_count; k++)
        t->order[t->first[c->messages[k].src + 1]++] = k;
    return true;
}

/* Whether a table says where worms go, of some class at least. */
static bool has_table(const struct fatfly_config *c)
{
    return pattern_has_table(c->pattern) || traffic_has(c, FATFLY_RANDOM_PERMUTATION);
}

struct traffic *traffic_new(const struct fatfly_config *c)
{
    return traffic_new_some(c, 0, c->nodes);
}

struct traffic *traffic_new_some(const struct fatfly_config *c, uint32_t from, uint32_t to)
{
    struct traffic *t = calloc(1, sizeof *t);
    bool ready;

    if (!t)
        return NULL;
    t->config = c;
    plug_init(t);
    t->source = calloc(c->nodes, sizeof *t->source);
    for (t->levels = 1; fat_tree_nodes(t->levels) < c->nodes;)
        t->levels++;
    t->bits = pattern_bits(c->nodes);
    if (has_table(c))
        t->table = pattern_table(c);
    if (!t->source || (has_table(c) && !t->table)) {
        traffic_free(t);
        return NULL;
    }
    for (uint32_t src = from; src < to; src++)
        t->source[src].rng.state = source_seed(c, src);
    if (c->lengths == FATFLY_BIMODAL)
        t->short_chance = (uint64_t)(c->short_share * 0x1p53);
    if (c->lengths == FATFLY_TRUNCATED)
        geometric_init(&t->length, truncated_p(c));
    if (c->lengths == FATFLY_MIX)
        mix_init(t);
    classes_init(t);
    ready = !MATRIX_THERE || !traffic_has(c, FATFLY_MATRIX) || matrix_init(t);
    if (c->pattern == FATFLY_MESSAGES)
        ready = messages_init(t);
    else if (ready)
        ready = open_loop(c) ? open_init(t, from, to) : delays_init(t);
    if (!ready) {
        traffic_free(t);
        return NULL;
    }
    t->usual = is_usual(t);
    return t;
}

uint64_t traffic_head(const struct switch_params *p, const struct traffic_worm *w)
{
    unsigned bits = head_bits(p->levels, p->path);
    uint64_t head = head_pack(p->levels, w->dst, w->src, worm_height(w->src, w->dst), w->path);

    if (bits < p->flit_w) {
        uint64_t mask = p->flit_w - bits < 32 ? (UINT64_C(1) << (p->flit_w - bits)) - 1 : UINT32_MAX;
        head |= (w->number & mask) << bits;
    }
    return head;
}

void traffic_apart(struct traffic *t)
{
    t->apart = true;
}

void traffic_free(struct traffic *t)
{
    if (!t)
        return;
    free(t->source);
    free(t->table);
    free(t->sums);
    free(t->part);
    free(t->sends);
    free(t->gaps);
    free(t->first);
    free(t->order);
    free(t);
}

uint64_t traffic_memory(const struct fatfly_config *c)
{
    return traffic_memory_some(c, c->nodes);
}

uint64_t traffic_memory_some(const struct fatfly_config *c, uint32_t sources)
{
    uint64_t bytes = sizeof(struct traffic) + (uint64_t)sources * sizeof(struct source);
    unsigned levels = 1;

    while (levels < FATFLY_LARGEST_LEVELS && fat_tree_nodes(levels) < c->nodes)
        levels++;
    if (c->reply[0]) /* replies.c */
        bytes += (uint64_t)c->nodes * (sizeof(struct traffic_worm) + 24);
    if (has_table(c))
        bytes += 3 * sizeof(uint32_t) * (uint64_t)c->nodes;
    if (MATRIX_THERE && traffic_has(c, FATFLY_MATRIX))
        bytes += (uint64_t)c->nodes * (c->nodes * sizeof(uint64_t) + sizeof(struct geometric));
    if (c->pattern == FATFLY_MESSAGES)
        bytes += ((uint64_t)c->nodes + 2 + c->message_count + 1) * sizeof(size_t);
    else if (c->discipline == FATFLY_PHASED && c->phases == 0)
        bytes += congestion_count(c, levels) * sizeof(uint32_t); /* while it starts */
    return bytes;
}
