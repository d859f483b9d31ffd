/* SPDX-License-Identifier: Apache-2.0
 * digest.c - runs of all kinds, a line each with the digest and the main figures: test_digest.sh
 * compares what programs made by different compilers print.
 */
#include "fatfly.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 256, MESSAGES = 300, NARROW = 2400, WIDE_NODES = 1024 };

static uint32_t map[WIDE_NODES];
static struct fatfly_message messages[MESSAGES];
static struct fatfly_result result;
static unsigned lines;
static bool refused; /* a run may end in words */

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
    for (unsigned l = 0; l < FATFLY_MAX_STAGES; l++) {
        const uint64_t word[] = {level[l].links, level[l].flits, level[l].worms, level[l].waited,
                                 level[l].occupancy};
        h = sum(h, word, sizeof word / sizeof *word);
    }
    return h;
}

static uint64_t sum_class(uint64_t h, const struct fatfly_of_class *k)
{
    const uint64_t word[] = {k->worms, k->flits, k->measured, k->latency_sum, k->latency_max, k->offered_flits,
                             k->accepted_flits};
    return sum(sum(h, word, sizeof word / sizeof *word), k->histogram, FATFLY_BUCKETS);
}

/* All that is not printed as such. */
static uint64_t sum_rest(const struct fatfly_result *r)
{
    const uint64_t word[] = {r->source_wait, r->blocked, r->measure_from, r->measure_cycles,
                             r->offered_flits, r->warmed_up, r->samples, r->flits, r->wait_sum, r->backlog_from,
                             r->backlog_to, r->generated_in, r->algorithm_rounds, r->classes};
    uint64_t h = sum(UINT64_C(0xcbf29ce484222325), word, sizeof word / sizeof *word);
    h = sum(h, r->histogram, FATFLY_BUCKETS);
    h = sum(h, r->batch_sum, FATFLY_BATCHES);
    h = sum(h, r->batch_count, FATFLY_BATCHES);
    h = sum(h, r->series_sum, FATFLY_SERIES);
    h = sum(h, r->series_count, FATFLY_SERIES);
    for (unsigned k = 0; k < r->classes && r->classes > 1; k++)
        h = sum_class(h, &r->by_class[k]);
    h = sum(h, r->occupied, FATFLY_MAX_DEPTH + 1);
    return sum_levels(sum_levels(h, r->up), r->down);
}

static uint64_t state = 1;

/* 0 .. n - 1 */
static unsigned draw(unsigned n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((state >> 33) % n);
}

static bool in_steps; /* runs are sessions, see by_session() */
static bool wide;     /* drawn runs after the first NARROW ones: up to 1024 processors, long worms, many channels, messages
                         with gaps of up to 2^40 cycles between them */

/* Cycles of a step, up to so many; of wide runs some are longer than a gap. */
static uint64_t draw_step(unsigned most)
{
    return 1 + (wide && draw(3) == 0 ? UINT64_C(1) << draw(42) : draw(most));
}

/* The same run as a session, in steps of any number of cycles; where it can be saved it goes on a while and comes back
 * to where it was, again and again. */
static int by_session(const struct fatfly_config *c, char *why, size_t size)
{
    struct fatfly_session *s;
    int status = fatfly_open_run(&s, c, why, size);

    while (status == FATFLY_OK && !fatfly_over(s)) {
        struct fatfly_snapshot *p = NULL;
        status = fatfly_advance(s, fatfly_now(s) + draw_step(draw(2) ? 10 : 400), draw(2), why, size);
        if (status != FATFLY_OK || fatfly_over(s) || draw(4) || fatfly_save(s, &p, NULL, 0) != FATFLY_OK)
            continue;
        status = fatfly_advance(s, fatfly_now(s) + draw_step(800), draw(2), why, size);
        if (status == FATFLY_OK || status == FATFLY_DEADLOCK)
            status = fatfly_restore(s, p, why, size);
        fatfly_snapshot_free(p);
    }
    if (status == FATFLY_OK)
        fatfly_statistics(s, &result);
    if (s)
        fatfly_close(s);
    return status;
}

/* A session that is sent worms of its own; if it goes back, others are sent to it now and then and forgotten. */
static int send_some(const struct fatfly_config *c, bool back, char *why, size_t size)
{
    struct fatfly_session *s;
    struct fatfly_snapshot *p;
    uint64_t at = 0;
    int status = fatfly_open(&s, c, why, size);
    unsigned ways = 1; /* parents of all levels, on a fat-tree */

    while (!c->topology && ways * ways * 4 < c->nodes)
        ways *= 2;

    for (unsigned k = 0; k < 40 && status == FATFLY_OK; k++) {
        struct fatfly_worm w[2];
        at += draw(3) ? draw(5) : draw(300);
        for (unsigned j = 0; j < 2; j++) {
            w[j] = (struct fatfly_worm){.ready = at + 500 * j, .src = draw(c->nodes)};
            w[j].dst = (w[j].src + 1 + draw(c->nodes - 1)) % c->nodes;
            w[j].length = 1 + draw(20);
            w[j].parents = draw(ways);
            w[j].of_class = draw(c->classes > 1 ? c->classes : 1);
        }
        if (back && k % 4 == 1) {
            status = fatfly_save(s, &p, why, size);
            for (unsigned j = 2; j-- > 0 && status == FATFLY_OK;) {
                w[j].ready += 500;
                fatfly_send(s, &w[j], NULL, 0);
                w[j].ready -= 500;
                fatfly_advance(s, at + 700, false, NULL, 0);
            }
            if (status == FATFLY_OK)
                status = fatfly_restore(s, p, why, size);
            fatfly_snapshot_free(p);
        }
        if (status == FATFLY_OK)
            status = fatfly_send(s, &w[0], why, size);
        if (status == FATFLY_OK)
            status = fatfly_advance(s, at, false, why, size);
    }
    if (status == FATFLY_OK)
        status = fatfly_advance(s, at + 100000, false, why, size);
    if (status == FATFLY_OK)
        fatfly_statistics(s, &result);
    if (s)
        fatfly_close(s);
    return status;
}

static void send_to(const struct fatfly_config *c, bool back)
{
    char why[300] = "";
    bool can = c->discipline == FATFLY_WORM || (c->discipline == FATFLY_PHASED && !c->topology);

    if (!can)
        return;
    if (send_some(c, back, why, sizeof why) == FATFLY_OK)
        printf("%u sent: %016" PRIx64 " hops=%" PRIu64 " worms=%" PRIu64 " rest=%016" PRIx64 "\n", lines, result.digest,
               result.flit_hops, result.worms, sum_rest(&result));
    else
        printf("%u sent: %s\n", lines, why);
}

static void run(const struct fatfly_config *c)
{
    const struct fatfly_result *r = &result;
    char why[200];

    int status = in_steps ? by_session(c, why, sizeof why) : fatfly_run(c, NULL, &result, why, sizeof why);
    if (refused && (status == FATFLY_DEADLOCK || status == FATFLY_BAD_CONFIG)) {
        printf("%u %s\n", ++lines, why);
        return;
    }
    if (status != FATFLY_OK) {
        fprintf(stderr, "digest: line %u: %s\n", lines + 1, why);
        exit(1);
    }
    printf("%u %s%s%s %s %s %s %s N=%" PRIu32 " q=%u V=%u L=%u load=%g:", ++lines, c->topology ? c->topology : "",
           c->topology ? "-" : "", fatfly_discipline_names[c->discipline], fatfly_path_names[c->path],
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
    for (uint32_t a = 0; a < WIDE_NODES; a++)
        map[a] = (a * 13 + 5) % 64;
    for (unsigned k = 0; k < MESSAGES; k++) {
        x = x * 1664525 + 1013904223;
        messages[k].ready = 3 * k + (k > 200 ? 5000 : 0);
        messages[k].src = x >> 26;
        messages[k].dst = x >> 20 & 63;
        messages[k].length = 1 + (x >> 8 & 31);
    }
}

/* -- drawn configurations ------------------------------------------------------------------- */

static bool is_cube(const struct fatfly_config *c)
{
    return c->topology && (strcmp(c->topology, "torus") == 0 || strcmp(c->topology, "mesh") == 0);
}

static void size_of(struct fatfly_config *c)
{
    if (!is_cube(c)) {
        c->nodes = c->topology ? 4u << draw(wide ? 9 : 4) : 4u << 2 * draw(wide ? 5 : 4);
        return;
    }
    c->radix = 2 + draw(wide ? 9 : 5);
    c->dimensions = 1 + draw(c->radix > 4 ? 2 : 3);
    for (unsigned k = c->nodes = 1; k <= c->dimensions; k++)
        c->nodes *= c->radix;
}

/* Another value of setting k. */
static void change_traffic(struct fatfly_config *c, unsigned k)
{
    switch (k) {
    case 0: c->pattern = (enum fatfly_pattern)draw(FATFLY_PATTERNS); break;
    case 1: c->length = draw(3) ? 1 + draw(draw(2) ? 6 : wide ? 300 : 40) : 1; break;
    case 2: c->lengths = (enum fatfly_lengths)draw(FATFLY_LENGTHS); break;
    case 3: c->arrivals = (enum fatfly_arrivals)draw(FATFLY_ARRIVALS); break;
    case 4: c->load = draw(3) ? 0.02 + 0.01 * draw(30) : 0; break;
    case 5: c->rounds = 1 + draw(6); break;
    case 6: c->delay_range = 1 + draw(9); break;
    case 7: c->overhead = 0.25 * draw(4); break;
    case 8: c->phases = draw(20); break;
    case 9: c->self_traffic = draw(2); break;
    case 10: c->classes = 1 + draw(FATFLY_MAX_CLASSES); break;
    case 11: c->class_length[draw(2)] = 1 + draw(wide ? 90 : 9); break;
    case 12: c->class_priority[draw(FATFLY_MAX_CLASSES)] = draw(3); break;
    case 13: c->reply[0] = c->reply[1] = 1 + draw(9); break;
    case 14: c->outstanding = 1 + draw(3); break;
    case 15: c->class_channels = FATFLY_RESERVED; break;
    case 16: c->reply_delay = 1 + draw(20); break;
    case 17: c->detect_warmup = draw(2); break;
    case 18: c->whole = draw(2); break;
    default: c->class_share[draw(2)] = 0.5 * (1 + draw(3)); break;
    }
}

static void change_network(struct fatfly_config *c, unsigned k)
{
    static const unsigned depths[] = {1, 2, 3, 4, 5, 7, 8, 16, FATFLY_UNBOUNDED},
                          vcs[] = {1, 2, 4, 3, 5, 9, 13, 33, 64, 65, 100, 128, 129, 129, 129};
    switch (k) {
    case 0: c->path = (enum fatfly_path)draw(c->topology ? FATFLY_PATHS : FATFLY_TREE_PATHS); break;
    case 1: c->scan = (enum fatfly_scan)draw(FATFLY_SCANS); break;
    case 2: c->vcs = vcs[draw(!c->topology ? 3 : wide ? 15 : 7)]; break;
    case 3: c->depth = depths[draw(9)]; break;
    case 4: c->start = FATFLY_WAITING; break;
    case 5: c->bandwidth = FATFLY_ON_DEMAND; break;
    case 6: c->injection = FATFLY_PER_CHANNEL; break;
    case 7: c->channel_release = FATFLY_TAIL_SENT; break;
    case 8: c->channels_in_turn = true; break;
    case 9: c->link_bandwidth = 1 + draw(4); break;
    case 10: c->input_bandwidth = 1 + draw(3); break;
    case 11: c->link_latency = 1 + draw(4); break;
    case 12: c->router_latency = draw(4); break;
    case 13: c->head_latency = draw(4); break;
    case 14: c->processor_links = true; break;
    case 15: c->parts = 2; break;
    default: c->engine = FATFLY_CYCLE; break;
    }
}

/* A chain, a tree or a ring of nodes, links both ways; all have processors, or some, or the first and the last. */
static void draw_graph(struct fatfly_config *c)
{
    static char text[8000];
    unsigned kind = draw(3), long_one = kind == 0 && draw(2);
    unsigned nodes = 3 + draw(long_one ? 68 : 18), each = long_one ? nodes : 1 + draw(3), processors = 0, n;

    n = (unsigned)sprintf(text, "nodes %u\n", nodes);
    for (unsigned a = 0; a < nodes; a++)
        if (a % each == 0 || a + 1 == nodes) {
            n += (unsigned)sprintf(text + n, "processor %u\n", a);
            processors++;
        }
    for (unsigned a = 1; a < nodes; a++) {
        unsigned b = kind == 1 ? draw(a) : a - 1, channels = 1 + draw(4);
        n += (unsigned)sprintf(text + n, "link %u %u %u\nlink %u %u %u\n", a, b, channels, b, a, 1 + draw(4));
    }
    if (kind == 2)
        n += (unsigned)sprintf(text + n, "link %u 0 2\nlink 0 %u 2\n", nodes - 1, nodes - 1);
    c->graph = text;
    c->graph_name = "drawn";
    c->nodes = processors;
    c->force = kind == 2;
}

/* Three bursts of messages with a gap between them; the later ones begin a few cycles before a power of two, or after. */
static void draw_bursts(struct fatfly_config *c)
{
    static const uint64_t gaps[] = {1 << 16, UINT64_C(1) << 32, (UINT64_C(1) << 33) + 12345, UINT64_C(1) << 40};
    static struct fatfly_message late[MESSAGES];
    uint64_t gap = gaps[draw(4)];
    unsigned each = 1 + draw(MESSAGES / 3), apart = draw(4), most = draw(2) ? 8 : 200;

    c->pattern = FATFLY_MESSAGES;
    c->messages = late;
    c->message_count = 3 * each;
    c->load = 0;
    c->classes = 1;
    c->reply[0] = 0;
    c->engine = FATFLY_AUTO;
    c->max_cycles = 4 * gap;
    for (unsigned k = 0; k < 3 * each; k++) {
        uint64_t at = k / each * gap;
        late[k] = (struct fatfly_message){.ready = at - (at ? 30 : 0) + k % each * apart, .src = draw(c->nodes), .length = 1 + draw(most)};
        late[k].dst = (late[k].src + 1 + draw(c->nodes - 1)) % c->nodes;
    }
}

/* An open loop of the least load, measured after 2^32 cycles. */
static void draw_rare(struct fatfly_config *c)
{
    c->load = 1e-6;
    c->warmup = UINT64_C(1) << 32;
    c->cycles = UINT64_C(1) << 24;
    c->max_cycles = UINT64_C(1) << 33;
    c->detect_warmup = false;
    c->engine = FATFLY_AUTO;
    c->parts = 1; /* sections of 4096 cycles, and bursts that are drawn cycle by cycle, take too long */
    c->arrivals = FATFLY_GEOMETRIC;
    c->length = draw(2) ? 1 : c->length;
}

/* What a run would be is refused in words: then the value before stays. */
static void draw_config(struct fatfly_config *c)
{
    static double weights[WIDE_NODES * WIDE_NODES];
    char why[300];
    enum fatfly_discipline discipline = draw(5) < 2 ? FATFLY_WORM : (enum fatfly_discipline)draw(FATFLY_DISCIPLINES);
    const char *name = NULL;
    do { /* one of the topologies on which that is done */
        name = draw(5) < 2 ? NULL : fatfly_topology_name(1 + draw(10));
        fatfly_defaults_of(c, name, discipline);
        if (is_cube(c))
            size_of(c);
        if (name && strcmp(name, "graph") == 0)
            draw_graph(c);
    } while (fatfly_check(c, why, sizeof why) != FATFLY_OK);
    for (unsigned k = 0; k < WIDE_NODES * WIDE_NODES && (k == 0 || !weights[WIDE_NODES * WIDE_NODES - 1]); k++)
        weights[k] = 0.1 * (k * 7919 % 13) + (k == 0);
    c->permutation = map;
    c->matrix = weights;
    c->messages = messages;
    c->message_count = MESSAGES;
    c->seed = lines + 1;
    c->length = 8;
    c->length_min = 2;
    c->length_mean = 4.5;
    c->short_share = 0.6;
    c->hotspot = 0.3;
    c->hotspot_node = 1;
    c->density = 0.7;
    c->burst_on = 17.5;
    c->burst_off = 40.25;
    c->warmup = 512;
    c->cycles = 1500;
    c->max_cycles = 200000;
    c->mix_count = 2;
    c->mix[0] = (struct fatfly_size){2, 0.6};
    c->mix[1] = (struct fatfly_size){8, 0.4};
    if (!c->graph)
        size_of(c);
    for (unsigned k = 0; k < 60; k++) {
        const struct fatfly_config before = *c;
        bool network = draw(2);
        if (draw(2))
            (network ? change_network : change_traffic)(c, draw(network ? 17 : 20));
        if (fatfly_check(c, why, sizeof why) != FATFLY_OK)
            *c = before;
    }
    const struct fatfly_config before = *c;
    unsigned kind = wide ? draw(5) : 4;
    if (kind < 2)
        draw_bursts(c);
    if (kind == 2 && c->nodes <= 16)
        draw_rare(c);
    /* Else a hundred runs would take two thirds of the time of all; what waits long keeps its cycles. */
    if (c->nodes * (c->vcs ? c->vcs : 1) >= 1024) {
        c->rounds = 1;
        c->warmup = c->warmup < 256 || c->warmup > 512 ? c->warmup : 256;
        c->cycles = c->cycles > 1500 ? c->cycles : 400;
        c->length = c->nodes * c->vcs > 1u << 16 && c->length > 8 ? 8 : c->length;
    }
    if (c->discipline == FATFLY_CMSV1 && c->nodes > 64 && !c->topology)
        c->nodes = 64;
    if (fatfly_check(c, why, sizeof why) != FATFLY_OK)
        *c = before;
}

/* A line each, which does not depend on those before it: what digests.txt has a sum of.  As sessions every second wide run alone:
 * they take two thirds of the time. */
static void drawn(unsigned first, unsigned last, bool sends)
{
    struct fatfly_config c;
    refused = true;
    for (lines = first - 1; lines < last;) {
        state = lines;
        wide = lines >= NARROW;
        if (in_steps && wide && lines % 2) {
            lines++;
            continue;
        }
        draw(1);
        draw(1);
        draw_config(&c);
        uint64_t before = state;
        run(&c);
        state = before;
        if (sends && (!wide || lines % 4 == 0))
            send_to(&c, in_steps);
    }
}

int main(int argc, char **argv)
{
    fill_lists();
    if (argc == 3 || argc == 4) { /* FIRST LAST [once | sessions]: of those that are drawn; and what is sent to sessions */
        in_steps = argc == 4 && strcmp(argv[3], "sessions") == 0;
        drawn((unsigned)atoi(argv[1]), (unsigned)atoi(argv[2]), argc == 4);
        return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
    }
    paths_and_scans();
    disciplines();
    patterns();
    open_loops();
    universal();
    sizes();
    more_traffic();
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
