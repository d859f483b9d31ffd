/* SPDX-License-Identifier: Apache-2.0
 * check.c - what a configuration may be: ranges, and what contradicts what.
 */
#include "check.h"

#include "discipline.h"
#include "flit.h"
#include "matrix.h"
#include "parallel.h"
#include "pattern.h"
#include "plug.h"
#include "traffic.h"
#include "tree.h"

#include <stdio.h>
#include <string.h>

static bool packets(const struct fatfly_config *c)
{
    return discipline_of(c)->packets;
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
    const struct topology_kind *kind = topology_kind_of(c);
    if (c->parts > PARTS_MOST || c->parts & (c->parts - 1)) {
        snprintf(why, size, "parts = %u; allowed: 1, 2, 4, 8, 16, 32 or 64", c->parts);
        return why;
    }
    WITHIN(link_bandwidth, 1, FATFLY_MAX_BANDWIDTH, "")
    WITHIN(link_latency, 1, FATFLY_MAX_LATENCY, " cycles")
    AT_MOST(router_latency, FATFLY_MAX_LATENCY)
    AT_MOST(head_latency, FATFLY_MAX_LATENCY)
    NAMED(discipline, FATFLY_DISCIPLINES)
    if ((kind && kind->bounded) || c->depth != FATFLY_UNBOUNDED)
        WITHIN(depth, 1, FATFLY_MAX_DEPTH, packets(c) && c->discipline != FATFLY_SPLIT ? " packets"
                                                                                   : " flits")
    NAMED(bandwidth, FATFLY_BANDWIDTHS)
    NAMED(injection, FATFLY_INJECTIONS)
    NAMED(channel_release, FATFLY_RELEASES)
    AT_MOST(input_bandwidth, FATFLY_MAX_BANDWIDTH)
    if (c->flit_bits)
        WITHIN(flit_bits, 16, 64, " bits")
    NAMED(path, FATFLY_PATHS)
    NAMED(scan, FATFLY_SCANS)
    NAMED(start, FATFLY_STARTS)
    NAMED(lengths, FATFLY_LENGTHS)
    NAMED(pattern, FATFLY_PATTERNS)
    NAMED(arrivals, FATFLY_ARRIVALS)
    NAMED(engine, FATFLY_ENGINES)
    WITHIN(length, 1, FATFLY_MAX_LENGTH, " flits")
    if (c->lengths != FATFLY_FIXED)
        WITHIN(length_min, 1, FATFLY_MAX_LENGTH, " flits")
    if (c->lengths == FATFLY_TRUNCATED)
        SHARE(length_mean, 1, FATFLY_MAX_LENGTH)
    if (c->lengths == FATFLY_BIMODAL)
        SHARE(short_share, 0, 1)
    if (c->lengths == FATFLY_MIX)
        WITHIN(mix_count, 1, FATFLY_MAX_MIX, " lengths")
    if (c->arrivals == FATFLY_ON_OFF) {
        SHARE(burst_on, 1, 1e9)
        SHARE(burst_off, 1, 1e9)
    }
    SHARE(hotspot, 0, 1)
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

bool check_contradiction(const struct fatfly_config *c, struct contradiction *is)
{
    const struct discipline *d = discipline_of(c);
    const struct topology_kind *kind = topology_kind_of(c);
    bool tree = kind && kind->bounded, open = c->load > 0, messages = c->pattern == FATFLY_MESSAGES;
    bool waiting = c->start == FATFLY_WAITING, split = c->discipline == FATFLY_SPLIT;
    bool stages = c->discipline == FATFLY_CMSV_STORE || c->discipline == FATFLY_CMSV_PROTOCOL;
    const struct {
        bool holds;
        struct contradiction is;
    } rules[] = {
        {open && messages, {"load", "pattern", NULL}},
        {open && d->static_only, {"load", "discipline", "worm, store or split"}},
        {c->lengths != FATFLY_FIXED && d->packets && !split,
         {"lengths", "discipline", "worm, split or phased"}},
        {(d->rounds || c->discipline == FATFLY_PHASED) && messages, {"discipline", "pattern", NULL}},
        {!open && c->arrivals == FATFLY_ON_OFF, {"arrivals", "load", "0.000001 to 1"}},
        {c->link_latency > 1 && d->packets, {"link_latency", "discipline", "worm or phased"}},
        {c->router_latency > 0 && d->packets, {"router_latency", "discipline", "worm or phased"}},
        {c->head_latency > 0 && d->packets, {"head_latency", "discipline", "worm or phased"}},
        {c->channels_in_turn && d->packets, {"channels_in_turn", "discipline", "worm or phased"}},
        {c->processor_links && kind != &topology_torus && kind != &topology_mesh,
         {"processor_links", "topology", "torus or mesh"}},
        {c->input_bandwidth && d->packets, {"input_bandwidth", "discipline", "worm or phased"}},
        {c->input_bandwidth && c->bandwidth != FATFLY_ON_DEMAND, {"input_bandwidth", "bandwidth", "on-demand"}},
        {c->channel_release != FATFLY_TAIL_GONE && d->packets,
         {"channel_release", "discipline", "worm or phased"}},
        {stages && c->link_bandwidth > 1, {"link_bandwidth", "discipline", NULL}},
        {d->packets && c->path == FATFLY_RW, {"path", "discipline", "worm or phased"}},
        {d->rounds && tree && c->path != FATFLY_FP, {"path", "discipline", NULL}},
        {c->discipline == FATFLY_CMSV_BUTTERFLY && kind && !strstr(kind->name, "butterfly"),
         {"topology", "discipline", NULL}},
        {waiting && c->discipline != FATFLY_STORE && !split, {"start", "discipline", "store or split"}},
        {waiting && c->scan != FATFLY_RR && c->scan != FATFLY_FF, {"start", "scan", "rr or ff"}},
        {c->engine != FATFLY_AUTO && d->packets, {"engine", "discipline", "worm or phased"}},
        {tree && c->vcs > 1 && d->packets, {"vcs", "discipline", "worm or phased"}},
    };
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
        if (rules[k].holds) {
            *is = rules[k].is;
            return true;
        }
    return false;
}

bool check_beyond(const struct fatfly_config *c, struct beyond *is)
{
    if (c->hotspot_node > c->nodes - 1) /* of no nodes something else is said */
        *is = (struct beyond){"hotspot_node", "nodes", 0, c->nodes - 1};
    else if (c->lengths != FATFLY_FIXED && c->length_min > c->length)
        *is = (struct beyond){"length_min", "length", 1, c->length};
    else if (c->lengths == FATFLY_TRUNCATED && c->length_mean < c->length_min)
        *is = (struct beyond){"length_mean", "length_min", c->length_min, FATFLY_MAX_LENGTH};
    else
        return false;
    return true;
}

/* "load = 0.1": a field that a contradiction names. */
static const char *spell(const struct fatfly_config *c, const char *field, char text[80])
{
    const struct topology_kind *kind = topology_kind_of(c);
    const struct { const char *field, *value; } named[] = {
        {"discipline", fatfly_discipline_names[c->discipline]},
        {"pattern", fatfly_pattern_names[c->pattern]}, {"arrivals", fatfly_arrival_names[c->arrivals]},
        {"lengths", fatfly_length_names[c->lengths]}, {"start", fatfly_start_names[c->start]},
        {"scan", fatfly_scan_names[c->scan]}, {"path", fatfly_path_names[c->path]},
        {"engine", fatfly_engine_names[c->engine]},
        {"channel_release", fatfly_release_names[c->channel_release]},
        {"bandwidth", fatfly_bandwidth_names[c->bandwidth]}, {"topology", kind ? kind->name : "?"}};
    for (size_t k = 0; k < sizeof named / sizeof *named; k++)
        if (strcmp(named[k].field, field) == 0)
            snprintf(text, 80, "%s = %s", field, named[k].value);
    const struct { const char *field; double value; } numbers[] = {
        {"load", c->load}, {"length_mean", c->length_mean}, {"length_min", c->length_min}, {"length", c->length},
        {"nodes", c->nodes}, {"hotspot_node", c->hotspot_node}, {"vcs", c->vcs}, {"processor_links", c->processor_links},
        {"input_bandwidth", c->input_bandwidth}, {"link_bandwidth", c->link_bandwidth}, {"link_latency", c->link_latency},
        {"router_latency", c->router_latency}, {"head_latency", c->head_latency}, {"channels_in_turn", c->channels_in_turn}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (strcmp(numbers[k].field, field) == 0)
            snprintf(text, 80, "%s = %.10g", field, numbers[k].value);
    return text;
}

/* Worms that walk at random end where they end, at a processor. */
static const char *walk_contradiction(const struct fatfly_config *c, const struct topology *t,
                                      char *why, size_t size)
{
    uint32_t a = 0;

    while (a < t->processors && topology_enter(t, a) == a && topology_leave(t, a) == a)
        a++;
    if (!discipline_of(c)->rounds)
        snprintf(why, size, "path = walk contradicts discipline = %s; allowed: with cmsv1, cmsv2, "
                 "cmsv-store (paths that are known before)", fatfly_discipline_names[c->discipline]);
    else if (c->pattern != FATFLY_RANDOM)
        snprintf(why, size, "pattern = %s contradicts path = walk; allowed: random",
                 fatfly_pattern_names[c->pattern]);
    else if (c->self_traffic)
        snprintf(why, size, "self_traffic = true contradicts path = walk; allowed: false");
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

/* What a network needs that has more levels than the switch of the Verilog is for. */
static bool may_be_large(const struct fatfly_config *c)
{
    return c->vcs == 1 && !discipline_of(c)->packets && !c->plugin && !c->reply[0] && c->nodes;
}

/* Of a butterfly fat-tree. */
static const char *fat_tree_contradiction(const struct fatfly_config *c, char *why, size_t size)
{
    struct switch_params p;

    if (c->injection != FATFLY_ONE_QUEUE)
        snprintf(why, size, "injection = %u; allowed on a fat-tree: 0", (unsigned)c->injection);
    else if (c->channel_release != FATFLY_TAIL_GONE)
        snprintf(why, size, "channel_release = %s; allowed on a fat-tree: tail-gone",
                 fatfly_release_names[c->channel_release]);
    else if (c->link_bandwidth != 1 && !discipline_of(c)->rounds)
        snprintf(why, size, "link_bandwidth = %u; allowed on a fat-tree: 1", c->link_bandwidth);
    else if (c->link_latency != 1)
        snprintf(why, size, "link_latency = %u; allowed on a fat-tree: 1", c->link_latency);
    else if (c->router_latency != 0)
        snprintf(why, size, "router_latency = %u; allowed on a fat-tree: 0", c->router_latency);
    else if (c->channels_in_turn)
        snprintf(why, size, "channels_in_turn = 1; allowed on a fat-tree: 0");
    else if (c->head_latency != 0)
        snprintf(why, size, "head_latency = %u; allowed on a fat-tree: 0", c->head_latency);
    else if (c->discipline == FATFLY_UNIV && c->rounds > 10000)
        snprintf(why, size, "rounds = %u contradicts discipline = univ, which keeps a processor's "
                 "packets sorted; allowed: 1 to 10000", c->rounds);
    else if (tree_params(c, &p), p.flit_w < head_bits(p.levels, p.path))
        snprintf(why, size, "flit_bits = %u; a head of %u processors with path = %s needs %u",
                 p.flit_w, c->nodes, fatfly_path_names[c->path], head_bits(p.levels, p.path));
    else if (p.levels > FATFLY_MAX_LEVELS && !may_be_large(c))
        snprintf(why, size, "nodes = %u; allowed: up to 1048576, and only with discipline = worm or phased, vcs = 1, "
                 "no replies and no plug-in up to 16777216", c->nodes);
    else if (p.levels = p.levels > MAX_LEVELS ? MAX_LEVELS : p.levels, switch_params_check(&p, why, size))
        return why;
    else
        return NULL;
    return why;
}

static const char *contradiction(const struct fatfly_config *c, char *why, size_t size)
{
    struct contradiction is;
    struct beyond past;
    char a[80], b[80];
    const char *pattern = c->class_patterns ? "class_pattern" : "pattern";
    if (c->load > 0 && (c->load < 1e-6 || c->cycles < 64 || c->cycles > UINT64_C(1) << 40 ||
                        c->warmup > UINT64_C(1) << 40))
        snprintf(why, size, "an open loop needs a load of 1e-6 to 1, 64 to 2^40 cycles and a "
                 "warm-up of at most 2^40; got load = %g, cycles = %llu, warmup = %llu", c->load,
                 (unsigned long long)c->cycles, (unsigned long long)c->warmup);
    else if (check_contradiction(c, &is))
        snprintf(why, size, "%s with %s; allowed: only with %s%s%s%s", spell(c, is.field, a),
                 spell(c, is.with, b), is.only ? "" : "another ", is.with,
                 is.only ? " = " : "", is.only ? is.only : "");
    else if (check_beyond(c, &past))
        snprintf(why, size, "%s with %s; allowed: %llu to %llu", spell(c, past.field, a), spell(c, past.of, b),
                 (unsigned long long)past.low, (unsigned long long)past.high);
    else if (traffic_has(c, FATFLY_PERMUTATION) && !c->permutation)
        snprintf(why, size, "%s = permutation needs a table of %u destinations", pattern, c->nodes);
    else if (traffic_has(c, FATFLY_MATRIX) && (!MATRIX_THERE || !c->matrix || c->nodes > FATFLY_MAX_MATRIX))
        snprintf(why, size, "%s = matrix needs a table of %u times %u weights; allowed: at most %d "
                 "processors", pattern, c->nodes, c->nodes, FATFLY_MAX_MATRIX);
    else if (c->pattern == FATFLY_ASYMMETRIC && c->nodes % 2)
        snprintf(why, size, "nodes = %u with pattern = asymmetric; allowed: an even number", c->nodes);
    else if (c->pattern == FATFLY_MESSAGES && !c->messages && c->message_count)
        snprintf(why, size, "pattern = trace needs messages");
    else
        return NULL;
    return why;
}

static const char *bad_mix(const struct fatfly_config *c, char *why, size_t size)
{
    for (unsigned k = 0; c->lengths == FATFLY_MIX && k < c->mix_count; k++)
        if (c->mix[k].length < c->length_min || c->mix[k].length > c->length ||
            !(c->mix[k].weight > 0 && c->mix[k].weight <= 1e12)) {
            snprintf(why, size, "mix[%u] = %u flits with weight %g; allowed: %u to %u flits, a weight "
                     "above 0", k, c->mix[k].length, c->mix[k].weight, c->length_min, c->length);
            return why;
        }
    return NULL;
}

/* Of a row of a matrix, for others: they are found by drawing again and again. */
#define LEAST_LEAVES 1e-6

/* Weights, and that no processor is asked for more than a link carries. */
static const char *bad_matrix(const struct fatfly_config *c, char *why, size_t size)
{
    double all = 0, most = 0, first = 0, share = 1; /* of all worms those that draw from it */
    uint32_t at = 0;

    if (c->class_patterns)
        share = 0;
    for (unsigned k = 0; c->class_patterns && k < c->classes; k++)
        share += c->class_pattern[k] == FATFLY_MATRIX ? traffic_worms_of_class(c, k) : 0;
    for (uint32_t src = 0; src < c->nodes; src++) {
        double sum = 0, others = 0;
        for (uint32_t dst = 0; dst < c->nodes; dst++) {
            double weight = c->matrix[(size_t)src * c->nodes + dst];
            if (!(weight >= 0 && weight <= 1e12)) {
                snprintf(why, size, "matrix[%u][%u] = %g; allowed: 0 to 1e12", src, dst, weight);
                return why;
            }
            sum += weight;
            others += dst == src ? 0 : weight;
        }
        if (c->load > 0 && others > 0 && others * share < LEAST_LEAVES * sum) {
            snprintf(why, size, "matrix: row %u has weights of %g for others and of %g for itself; allowed with a "
                     "load: none for others, or %g of the row, as a worm for itself is drawn again", src, others,
                     sum - others, LEAST_LEAVES);
            return why;
        }
        first = src ? first : sum;
        if (c->class_patterns && !(sum > 0 && sum <= first * (1 + 1e-9) && sum >= first * (1 - 1e-9))) {
            snprintf(why, size, "matrix: row %u has weights of %.10g, row 0 of %.10g; allowed with class_pattern: the "
                     "same above 0 in all rows, as processors make worms of all classes", src, sum, first);
            return why;
        }
        all += sum;
        at = sum > most ? src : at;
        most = sum > most ? sum : most;
    }
    if (!(all > 0))
        snprintf(why, size, "matrix: all weights are 0; allowed: at least one above 0");
    else if (c->load * most * c->nodes > all * (1 + 1e-9))
        snprintf(why, size, "load = %g with pattern = matrix: row %u asks for %g flits per cycle; allowed: "
                 "a load of at most %g", c->load, at, c->load * most * c->nodes / all,
                 all / (most * c->nodes));
    else
        return NULL;
    return why;
}

/* The worms of a period must fit into it, one a cycle at most. */
static const char *bad_bursts(const struct fatfly_config *c, char *why, size_t size)
{
    double most = 1, share = c->burst_on / (c->burst_on + c->burst_off), all = 0;
    if (c->load <= 0 || c->arrivals != FATFLY_ON_OFF)
        return NULL;
    for (uint32_t src = 0; MATRIX_THERE && c->pattern == FATFLY_MATRIX && src < c->nodes; src++) {
        double sum = 0;
        for (uint32_t dst = 0; dst < c->nodes; dst++)
            sum += c->matrix[(size_t)src * c->nodes + dst];
        most = src == 0 || sum > most ? sum : most;
        all += sum;
    }
    most /= all > 0 ? all / c->nodes : 1;
    double high = traffic_mean_length(c) * share / most;
    if (c->load <= high * (1 + 1e-9))
        return NULL;
    snprintf(why, size, "load = %g with arrivals = on-off, %g cycles on and %g off; allowed: at most %g, "
             "a worm a cycle while on", c->load, c->burst_on, c->burst_off, high);
    return why;
}

static const char *bad_list(const struct fatfly_config *c, char *why, size_t size)
{
    if (bad_mix(c, why, size) || (MATRIX_THERE && traffic_has(c, FATFLY_MATRIX) && bad_matrix(c, why, size)) ||
        bad_bursts(c, why, size))
        return why;
    if (traffic_has(c, FATFLY_PERMUTATION))
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

/* What a plug-in's callbacks stand in for must not be asked for, too. */
static const char *bad_plugin(const struct fatfly_config *c, char *why, size_t size)
{
    const struct fatfly_plugin *p = c->plugin;
    const struct topology_kind *kind = topology_kind_of(c);
    bool chooses = p && (p->route || p->before);
    if (!p)
        return NULL;
    if (plug_check(p, why, size))
        return why;
    if (chooses && kind && kind->bounded)
        snprintf(why, size, "plugin = %s: %s() with topology = fat-tree; allowed: with another, this one's "
                 "switch is the Verilog's", p->name, p->route ? "route" : "before");
    else if (chooses && c->discipline != FATFLY_WORM)
        snprintf(why, size, "plugin = %s: %s() with discipline = %s; allowed: worm", p->name,
                 p->route ? "route" : "before", fatfly_discipline_names[c->discipline]);
    else if (p->route && c->processor_links)
        snprintf(why, size, "plugin = %s: route() with processor_links = 1; allowed: one of them", p->name);
    else if (p->destination && c->pattern != FATFLY_RANDOM)
        snprintf(why, size, "plugin = %s: destination() with pattern = %s; allowed: one of them", p->name,
                 fatfly_pattern_names[c->pattern]);
    else if (p->gap && c->load <= 0)
        snprintf(why, size, "plugin = %s: gap() in a static run; allowed: with a load", p->name);
    else if (p->gap && c->arrivals != FATFLY_GEOMETRIC)
        snprintf(why, size, "plugin = %s: gap() with arrivals = %s; allowed: one of them", p->name,
                 fatfly_arrival_names[c->arrivals]);
    else if (p->route && p->channels && c->vcs && c->vcs < p->channels)
        snprintf(why, size, "vcs = %u; allowed: %u or more, which plugin = %s needs", c->vcs, p->channels,
                 p->name);
    else
        return NULL;
    return why;
}

int check_open(const struct fatfly_config *c, struct topology *t, char *why, size_t size)
{
    t->kind = NULL;
    t->plug = NULL;
    if (bad_plugin(c, why, size) || out_of_range(c, why, size) || contradiction(c, why, size))
        return FATFLY_BAD_CONFIG;
    if (topology_of(c, t, why, size)) {
        t->kind = NULL;
        t->plug = NULL;
        return FATFLY_BAD_CONFIG;
    }
    if (check_classes(c, t, why, size) ||
        (t->levels ? fat_tree_contradiction(c, why, size) : other_contradiction(c, t, why, size)) ||
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
    int status = check_open(c, &t, why ? why : own, why ? size : sizeof own);

    topology_close(&t);
    return status;
}
