/* SPDX-License-Identifier: Apache-2.0
 * point_text.c - a point as CSV and JSON for programs.
 */
#include "point_own.h"

#include "pattern.h"
#include "plug.h"
#include "topology.h"
#include "traffic.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum {
    NODES, LENGTH, DEPTH, VCS, DISCIPLINE, PATH, SCAN, PATTERN, LOAD, RUNS, SEED,
    LATENCY_MEAN, LATENCY_CI99, LATENCY_MAX, CONGESTION_MEAN, LATENCY_PER_CONGESTION,
    ACCEPTED_LOAD, SATURATED, CYCLES, FLIT_HOPS, CPU_S, WALL_S, DIGEST,
    ARRIVALS, WARMUP, MEASURED, LATENCY_P50, LATENCY_P95, LATENCY_P99, LATENCY_P999,
    SOURCE_WAIT_MEAN, BLOCKED_MEAN, DILATION, LOAD_FACTOR,
    LENGTHS, SELF_TRAFFIC, ROUNDS, DELAY_RANGE,
    START, OVERHEAD, LENGTH_MIN, HOTSPOT,
    TOPOLOGY, UTILISATION, WAIT_MEAN, RADIX, DIMENSIONS, BANDWIDTH, LINK_BANDWIDTH, DENSITY,
    INJECTION, LAST_ARRIVAL_MEAN, LAST_ARRIVAL_CI99, LAST_ARRIVAL_MAX, END,
    VERDICT, CYCLES_NEEDED, BATCHES, LATENCY_LOW, LATENCY_HIGH, LAST_ARRIVAL_LOW, LAST_ARRIVAL_HIGH,
    P50_LOW, P50_HIGH, P95_LOW, P95_HIGH, P99_LOW, P99_HIGH, P999_LOW, P999_HIGH, LINK_LATENCY, ROUTER_LATENCY,
    CHANNEL_RELEASE, INPUT_BANDWIDTH, PROCESSOR_LINKS, HEAD_LATENCY, CHANNELS_IN_TURN, ON_CLASSES, COLUMNS = ON_CLASSES + CLASS_COLUMNS
};

#define ENDS(row, name, help) [row##_LOW] = {name "_low", false, false, help}, \
                              [row##_HIGH] = {name "_high", false, false, "... upper end, cycles"}
/* On classes; of class k. */
#define ON(row) [ON_CLASSES + row]
#define OF(k)                                                                                             \
    ON(OF_CLASS_MEASURED + (k)*OF_CLASS) = {"class" #k "_measured", false, false,                         \
                                            "class " #k ": worms whose latency was measured, all runs"},  \
    ON(OF_CLASS_ACCEPTED + (k)*OF_CLASS) = {"class" #k "_accepted_load", false, false,                    \
                                            "... flits delivered per cycle and processor"},               \
    ON(OF_CLASS_MEAN + (k)*OF_CLASS) = {"class" #k "_latency_mean", false, false, "... cycles of a worm"}, \
    ON(OF_CLASS_P50 + (k)*OF_CLASS) = {"class" #k "_latency_p50", false, false, "... that half do not exceed"}, \
    ON(OF_CLASS_P99 + (k)*OF_CLASS) = {"class" #k "_latency_p99", false, false, "... 99 %"},              \
    ON(OF_CLASS_MAX + (k)*OF_CLASS) = {"class" #k "_latency_max", false, false, "... the largest"}

const struct column columns[] = {
    [NODES] = {"nodes", false, false, "N, processors"},
    [LENGTH] = {"length", false, false, "L, flits of a worm, the longest if they vary"},
    [DEPTH] = {"depth", false, false, "q, flits (store, univ: packets) of a queue"},
    [VCS] = {"vcs", false, false, "V, virtual channels of a link"},
    [DISCIPLINE] = {"discipline", true, false, "how packets move"},
    [PATH] = {"path", true, false, "path selection"},
    [SCAN] = {"scan", true, false, "scan order"},
    [PATTERN] = {"pattern", true, false, "where worms go"},
    [LOAD] = {"load", false, false, "offered, flits per cycle and processor; 0: static runs"},
    [RUNS] = {"runs", false, false, "independent runs"},
    [SEED] = {"seed", false, false, "from which the seeds of the runs follow"},
    [LATENCY_MEAN] = {"latency_mean", false, false,
                      "cycles of a worm, ready to tail consumed, both counted; empty unless end is "
                      "done"},
    [LATENCY_CI99] = {"latency_ci99", false, false,
                      "cycles; several runs: half-width of its 99 % interval by Student's t, nothing adjusted; one "
                      "open loop: half of latency_low to latency_high"},
    [LATENCY_MAX] = {"latency_max", false, false,
                     "cycles, the largest of a worm, all runs"},
    [CONGESTION_MEAN] = {"congestion_mean", false, false,
                         "c, the most worms over one link, mean over runs"},
    [LATENCY_PER_CONGESTION] = {"latency_per_congestion", false, false,
                                "static: last_arrival_mean / congestion_mean (GO, table II), cycles a "
                                "worm"},
    [ACCEPTED_LOAD] = {"accepted_load", false, false,
                       "flits delivered per cycle and processor, mean over runs; static: until the "
                       "last arrival"},
    [SATURATED] = {"saturated", false, false, "1 if a run was saturated, else 0"},
    [CYCLES] = {"cycles", false, false, "simulated, all runs"},
    [FLIT_HOPS] = {"flit_hops", false, false,
                   "flits over links, injection and ejection included, all runs"},
    [CPU_S] = {"cpu_s", false, true, "processor time of the runs, seconds"},
    [WALL_S] = {"wall_s", false, true, "time, seconds"},
    [DIGEST] = {"digest", true, false, "of every flit delivered in all runs, 16 hex digits"},
    [ARRIVALS] = {"arrivals", true, false, "open loop: times between worms"},
    [WARMUP] = {"warmup", false, false, "open loop: cycles before the measurement, the longest"},
    [MEASURED] = {"measured", false, false, "worms whose latency was measured, all runs"},
    [LATENCY_P50] = {"latency_p50", false, false, "that half of the worms do not exceed, cycles"},
    [LATENCY_P95] = {"latency_p95", false, false, "... 95 %"},
    [LATENCY_P99] = {"latency_p99", false, false, "... 99 %"},
    [LATENCY_P999] = {"latency_p999", false, false, "... 99.9 %"},
    [SOURCE_WAIT_MEAN] = {"source_wait_mean", false, false,
                          "cycles from generated to the head's injection, a worm"},
    [BLOCKED_MEAN] = {"blocked_mean", false, false,
                      "cycles that the head stood still inside, a worm"},
    [DILATION] = {"dilation", false, false, "d, the longest path, links"},
    [LOAD_FACTOR] = {"load_factor", false, false,
                     "static: largest ratio of worms to links over all subtrees, of all runs"},
    [LENGTHS] = {"lengths", true, false, "how lengths vary"},
    [SELF_TRAFFIC] = {"self_traffic", false, false, "1 if the source itself may be drawn, else 0"},
    [ROUNDS] = {"rounds", false, false,
                "static: worms of each processor; of an algorithm that works in rounds, how many it "
                "took, the most of all runs"},
    [DELAY_RANGE] = {"delay_range", false, false, "static: R, of initial delays or ranks"},
    [START] = {"start", true, false, "store, split: inputs that rr and ff may start from"},
    [OVERHEAD] = {"overhead", false, false, "split: share of flits that addresses add"},
    [LENGTH_MIN] = {"length_min", false, false, "flits of the shortest worm, if lengths vary"},
    [HOTSPOT] = {"hotspot", false, false, "pattern hotspot: share that goes to one processor"},
    [TOPOLOGY] = {"topology", true, false, "how switches are connected"},
    [UTILISATION] = {"utilisation", false, false,
                     "share of the link cycles in which a flit crosses, links of processors left "
                     "out (BC, equation 1)"},
    [WAIT_MEAN] = {"wait_mean", false, false,
                   "latency less what the same worm takes alone, cycles a worm (BC's w)"},
    [RADIX] = {"radix", false, false, "torus, mesh: k, nodes of a dimension"},
    [DIMENSIONS] = {"dimensions", false, false, "torus, mesh: n"},
    [BANDWIDTH] = {"bandwidth", true, false, "torus, mesh, ..: how virtual channels share a link"},
    [LINK_BANDWIDTH] = {"link_bandwidth", false, false,
                        "torus, mesh, ..: B, flits that cross a link in a cycle"},
    [DENSITY] = {"density", false, false,
                 "packing, spreading, monotone: share of the processors that send"},
    [INJECTION] = {"injection", true, false,
                   "torus, mesh, ..: one queue at a source, or one for each virtual channel"},
    [LAST_ARRIVAL_MEAN] = {"last_arrival_mean", false, false,
                           "static and trace: cycle of a run's last tail, from 0, mean over runs (GO's "
                           "latency)"},
    [LAST_ARRIVAL_CI99] = {"last_arrival_ci99", false, false,
                           "cycles, half-width of its 99 % confidence interval, Student's t over runs"},
    [LAST_ARRIVAL_MAX] = {"last_arrival_max", false, false, "cycle, the latest of all runs"},
    [END] = {"end", true, false,
             "how the runs ended, the worst: done, saturated, cut (max-cycles), stopped (by the caller "
             "of the library), deadlock"},
    [VERDICT] = {"verdict", true, false,
                 "open loop: stable, undecided (run longer) or saturated; of a mean that is not stable "
                 "nothing is promised"},
    [CYCLES_NEEDED] = {"cycles_needed", false, false,
                       "open loop: measured cycles (--cycles) that are about enough for a verdict and an "
                       "interval; empty if saturated"},
    [BATCHES] = {"batches", false, false, "one open loop: uncorrelated batches behind its interval"},
    ENDS(LATENCY, "latency", "cycles, lower end of the 99 % interval of latency_mean, adjusted for skewness; "
         "empty where nothing honest can be said"),
    ENDS(LAST_ARRIVAL, "last_arrival", "cycles, likewise of last_arrival_mean"),
    ENDS(P50, "latency_p50", "cycles, lower end of the 99 % interval of latency_p50"),
    ENDS(P95, "latency_p95", "cycles, likewise of latency_p95"),
    ENDS(P99, "latency_p99", "cycles, likewise of latency_p99"),
    ENDS(P999, "latency_p999", "cycles, likewise of latency_p999"),
    [LINK_LATENCY] = {"link_latency", false, false, "torus, mesh, ..: cycles; 1: a flit has come when it has crossed"},
    [ROUTER_LATENCY] = {"router_latency", false, false, "torus, mesh, ..: cycles from a flit's coming to where it can go on"},
    [CHANNEL_RELEASE] = {"channel_release", true, false,
                         "torus, mesh, ..: when a worm gives up a virtual channel: its tail has left the queue, or "
                         "has crossed the link"},
    [INPUT_BANDWIDTH] = {"input_bandwidth", false, false,
                         "torus, mesh, ..: flits that the queues behind a link send on in a cycle; 0: any"},
    [PROCESSOR_LINKS] = {"processor_links", false, false, "torus, mesh: 1 if processors have links of their own, else 0"},
    [HEAD_LATENCY] = {"head_latency", false, false,
                      "torus, mesh, ..: cycles of a head at the front of a queue before it asks for a channel"},
    [CHANNELS_IN_TURN] = {"channels_in_turn", false, false,
                          "torus, mesh, ..: 1 if a head takes the next free channel, 0 if the lowest"},
    ON(CLASSES) = {"classes", false, false, "K, without those of replies; empty: one, and no replies"},
    ON(CLASS_LENGTH) = {"class_length", true, false, "flits of the worms of each class, / between them"},
    ON(CLASS_PATTERN) = {"class_pattern", true, false, "where worms of each class go; empty: as pattern says"},
    ON(CLASS_SHARE) = {"class_share", true, false, "share of the load of each class, replies included"},
    ON(CLASS_PRIORITY) = {"class_priority", true, false, "of each class, then of their replies"},
    ON(CLASS_CHANNELS) = {"class_channels", true, false, "torus, mesh, ..: shared or reserved"},
    ON(REPLY) = {"reply", true, false, "flits of the reply to a worm of each class"},
    ON(REPLY_DELAY) = {"reply_delay", false, false, "cycles between a request's tail and its reply"},
    ON(OUTSTANDING) = {"outstanding", false, false, "requests that a processor may have without replies"},
    ON(ROUND_TRIP_MEAN) = {"round_trip_mean", false, false,
                           "cycles from a request's being ready to its reply's tail: both mean latencies and "
                           "reply_delay"},
    OF(0),
    OF(1),
    OF(2),
    OF(3),
};
const unsigned columns_count = COLUMNS;

void point_real_text(char *text, size_t size, double x)
{
    if (isnan(x))
        *text = '\0';
    else
        snprintf(text, size, "%.10g", x);
}

const char *const point_verdict_names[] = {"stable", "undecided", "saturated"};

void point_whole_text(char *text, size_t size, uint64_t x)
{
    snprintf(text, size, "%" PRIu64, x);
}

bool point_is_cube(const struct fatfly_config *c)
{
    return c->topology && (strcmp(c->topology, "torus") == 0 || strcmp(c->topology, "mesh") == 0);
}

/* "plugin:NAME" where a callback stands in for a name. */
static const char *or_plugin(const struct fatfly_config *c, bool stands_in, const char *name,
                             char text[64])
{
    if (!c->plugin || !stands_in)
        return name;
    snprintf(text, 64, "plugin:%.32s", c->plugin->name);
    return text;
}

const char *point_path_name(const struct fatfly_config *c, char text[64])
{
    return or_plugin(c, PLUGGED(c, route), fatfly_path_names[c->path], text);
}

const char *point_scan_name(const struct fatfly_config *c, char text[64])
{
    return or_plugin(c, PLUGGED(c, before), fatfly_scan_names[c->scan], text);
}

const char *point_pattern_name(const struct fatfly_config *c, char text[64])
{
    return or_plugin(c, PLUGGED(c, destination),
                     c->class_patterns ? "by-class" : fatfly_pattern_names[c->pattern], text);
}

const char *point_arrival_name(const struct fatfly_config *c, char text[64])
{
    return or_plugin(c, PLUGGED(c, gap), fatfly_arrival_names[c->arrivals], text);
}

/* Of networks other than the butterfly fat-tree. */
static void network_text(unsigned k, const struct fatfly_config *c, char *text, size_t size)
{
    bool other = c->topology, cube = point_is_cube(c);

    if (cube && (k == RADIX || k == DIMENSIONS || k == PROCESSOR_LINKS))
        point_whole_text(text, size, k == RADIX ? c->radix : k == DIMENSIONS ? c->dimensions : c->processor_links);
    else if (other && (k == BANDWIDTH || k == INJECTION))
        snprintf(text, size, "%s", (k == BANDWIDTH ? fatfly_bandwidth_names[c->bandwidth] : fatfly_injection_names[c->injection]));
    else if (other && k == CHANNEL_RELEASE)
        snprintf(text, size, "%s", fatfly_release_names[c->channel_release]);
    else if (other && k == INPUT_BANDWIDTH)
        point_whole_text(text, size, c->input_bandwidth);
    else if (other && (k == HEAD_LATENCY || k == CHANNELS_IN_TURN))
        point_whole_text(text, size, k == HEAD_LATENCY ? c->head_latency : c->channels_in_turn);
    else if (other && k == LINK_BANDWIDTH)
        point_whole_text(text, size, c->link_bandwidth);
    else if (other && (k == LINK_LATENCY || k == ROUTER_LATENCY))
        point_whole_text(text, size, k == LINK_LATENCY ? c->link_latency : c->router_latency);
}

/* Of what people ask for and what the run found; empty if the Verilog does not tell. */
static void setting_text(unsigned k, const struct settings *s, char *text, size_t size)
{
    const struct fatfly_config *c = &s->config;
    char name[64];
    bool open = c->load > 0, trace = c->pattern == FATFLY_MESSAGES;
    switch (k) {
    case NODES: point_whole_text(text, size, c->nodes); break;
    case LENGTH: point_whole_text(text, size, c->length); break;
    case DEPTH:
        if (c->depth == FATFLY_UNBOUNDED)
            snprintf(text, size, "unbounded");
        else
            point_whole_text(text, size, c->depth);
        break;
    case VCS: point_whole_text(text, size, c->vcs); break;
    case DISCIPLINE: snprintf(text, size, "%s", fatfly_discipline_names[c->discipline]); break;
    case PATH: snprintf(text, size, "%s", point_path_name(c, name)); break;
    case SCAN: snprintf(text, size, "%s", point_scan_name(c, name)); break;
    case PATTERN: snprintf(text, size, "%s", point_pattern_name(c, name)); break;
    case LOAD: point_real_text(text, size, c->load); break;
    case RUNS: point_whole_text(text, size, s->runs); break;
    case SEED: point_whole_text(text, size, c->seed); break;
    case ARRIVALS: snprintf(text, size, "%s", open ? point_arrival_name(c, name) : ""); break;
    case LENGTHS: snprintf(text, size, "%s", fatfly_length_names[c->lengths]); break;
    case SELF_TRAFFIC: point_whole_text(text, size, c->self_traffic); break;
    case ROUNDS: case DELAY_RANGE:
        if (!open && !trace)
            point_whole_text(text, size, k == ROUNDS ? c->rounds : c->delay_range);
        break;
    case START:
        if (c->discipline == FATFLY_STORE || c->discipline == FATFLY_SPLIT)
            snprintf(text, size, "%s", fatfly_start_names[c->start]);
        break;
    case OVERHEAD:
        if (c->discipline == FATFLY_SPLIT)
            point_real_text(text, size, c->overhead);
        break;
    case LENGTH_MIN:
        if (c->lengths != FATFLY_FIXED)
            point_whole_text(text, size, c->length_min);
        break;
    case HOTSPOT:
        if (traffic_has(c, FATFLY_HOTSPOT))
            point_real_text(text, size, c->hotspot);
        break;
    case DENSITY: point_real_text(text, size, pattern_is_partial(c->pattern) ? c->density : NAN); break;
    case TOPOLOGY: snprintf(text, size, "%s", c->topology ? c->topology : "fat-tree"); break;
    default: network_text(k, c, text, size);
    }
}

static void latency_text(unsigned k, const struct settings *s, const struct point *p, char *text,
                         size_t size)
{
    static const double share[] = {[LATENCY_P50] = 0.5, [LATENCY_P95] = 0.95, [LATENCY_P99] = 0.99,
                                   [LATENCY_P999] = 0.999};
    if (!point_has_latency(p) || isnan(p->latency.mean))
        return;
    switch (k) {
    case LATENCY_MEAN: point_real_text(text, size, p->latency.mean); break;
    case LATENCY_CI99: point_real_text(text, size, p->latency.ci99); break;
    case LATENCY_MAX: point_whole_text(text, size, p->sum.latency_max); break;
    case LAST_ARRIVAL_MEAN: point_real_text(text, size, p->last_arrival.mean); break;
    case LAST_ARRIVAL_CI99: point_real_text(text, size, p->last_arrival.ci99); break;
    case LAST_ARRIVAL_MAX:
        if (s->config.load <= 0)
            point_whole_text(text, size, p->sum.last_arrival);
        break;
    case LATENCY_PER_CONGESTION:
        if (!p->partial && s->config.load <= 0)
            point_real_text(text, size, p->last_arrival.mean / p->congestion.mean);
        break;
    case SOURCE_WAIT_MEAN:
        if (!p->partial)
            point_real_text(text, size, p->source_wait.mean);
        break;
    case BLOCKED_MEAN:
        if (!p->partial)
            point_real_text(text, size, p->blocked.mean);
        break;
    case WAIT_MEAN:
        if (!p->partial)
            point_real_text(text, size, (double)p->sum.wait_sum / (double)p->sum.measured);
        break;
    default:
        if (!p->partial)
            point_whole_text(text, size, fatfly_quantile(&p->sum, share[k]));
        break;
    }
}

static void interval_text(unsigned k, const struct point *p, char *text, size_t size)
{
    bool quantile = k >= P50_LOW, last = !quantile && k >= LAST_ARRIVAL_LOW;
    const struct interval *i = quantile ? &p->quantile[(k - P50_LOW) / 2] : last ? &p->last_within : &p->within;
    unsigned from = quantile ? P50_LOW : last ? LAST_ARRIVAL_LOW : LATENCY_LOW;
    if (point_has_latency(p) && !(quantile && p->partial))
        point_real_text(text, size, (k - from) % 2 ? i->high : i->low);
}

/* Of an open loop that was not cut. */
static void verdict_text(unsigned k, const struct settings *s, const struct point *p, char *text,
                         size_t size)
{
    if (s->config.load <= 0 || p->partial || p->cut)
        return;
    if (k == VERDICT)
        snprintf(text, size, "%s", point_verdict_names[p->verdict]);
    else if (k == BATCHES ? p->batches > 0 : p->verdict != FATFLY_UNSTABLE)
        point_whole_text(text, size, k == BATCHES ? p->batches : p->cycles_needed);
}

/* Of the links between switches; NaN if there are none. */
static double utilisation(const struct settings *s, const struct point *p)
{
    double flits = 0, links = 0;
    unsigned most = s->config.processor_links ? s->config.dimensions : FATFLY_MAX_STAGES;
    for (unsigned l = s->config.topology ? 0 : 1; l < most; l++) {
        flits += (double)p->sum.up[l].flits + (double)p->sum.down[l].flits;
        links += (double)p->sum.up[l].links + (double)p->sum.down[l].links;
    }
    return flits / (links * (double)p->sum.measure_cycles);
}

void column_text(unsigned k, const struct settings *s, const struct point *p, char *text,
                 size_t size)
{
    *text = '\0';
    if (k >= LATENCY_LOW && k <= P999_HIGH) {
        interval_text(k, p, text, size);
        return;
    }
    if (k >= ON_CLASSES) {
        point_class_text(k - ON_CLASSES, s, p, text, size);
        return;
    }
    switch (k) {
    case LATENCY_MEAN: case LATENCY_CI99: case LATENCY_MAX: case LATENCY_PER_CONGESTION:
    case LATENCY_P50: case LATENCY_P95: case LATENCY_P99: case LATENCY_P999:
    case SOURCE_WAIT_MEAN: case BLOCKED_MEAN: case WAIT_MEAN:
    case LAST_ARRIVAL_MEAN: case LAST_ARRIVAL_CI99: case LAST_ARRIVAL_MAX:
        latency_text(k, s, p, text, size);
        break;
    case VERDICT: case CYCLES_NEEDED: case BATCHES: verdict_text(k, s, p, text, size); break;
    case ACCEPTED_LOAD: point_real_text(text, size, p->accepted.mean); break;
    case SATURATED: point_whole_text(text, size, p->saturated > 0); break;
    case END: snprintf(text, size, "%s", fatfly_end_names[p->sum.end]); break;
    case CYCLES: point_whole_text(text, size, p->sum.cycles); break;
    case CPU_S: snprintf(text, size, "%.6f", p->cpu_s); break;
    case WALL_S: snprintf(text, size, "%.6f", p->wall_s); break;
    case DIGEST: snprintf(text, size, "%016" PRIx64, p->digest); break;
    case MEASURED: point_whole_text(text, size, p->sum.measured); break;
    case WARMUP:
        if (s->config.load > 0)
            point_whole_text(text, size, p->sum.measure_from);
        break;
    case CONGESTION_MEAN:
        if (!p->partial)
            point_real_text(text, size, p->congestion.mean);
        break;
    case FLIT_HOPS:
        if (!p->partial)
            point_whole_text(text, size, p->sum.flit_hops);
        break;
    case DILATION:
        if (!p->partial)
            point_whole_text(text, size, p->sum.dilation);
        break;
    case UTILISATION:
        if (!p->partial)
            point_real_text(text, size, utilisation(s, p));
        break;
    case ROUNDS:
        if (p->sum.algorithm_rounds)
            point_whole_text(text, size, p->sum.algorithm_rounds);
        else
            setting_text(k, s, text, size);
        break;
    case LOAD_FACTOR:
        if (!p->partial && s->config.load <= 0 && !s->config.topology)
            point_real_text(text, size, p->sum.load_factor);
        break;
    default: setting_text(k, s, text, size); break;
    }
}

/* -- CSV and JSON ------------------------------------------------------------------------------ */

void point_csv_header(FILE *out)
{
    for (unsigned k = 0; k < COLUMNS; k++)
        fprintf(out, "%s%s", k ? "," : "", columns[k].name);
    fputc('\n', out);
}

void point_csv(const struct settings *s, const struct point *p, FILE *out)
{
    char text[64];
    for (unsigned k = 0; k < COLUMNS; k++) {
        column_text(k, s, p, text, sizeof text);
        fprintf(out, "%s%s", k ? "," : "", text);
    }
    fputc('\n', out);
}

unsigned point_levels(const struct point *p)
{
    unsigned levels = FATFLY_MAX_STAGES;
    while (levels && !p->sum.up[levels - 1].links && !p->sum.down[levels - 1].links)
        levels--;
    return levels;
}

static double share(uint64_t a, double b)
{
    return b > 0 ? (double)a / b : 0;
}

struct level point_level(const struct point *p, bool up, unsigned level)
{
    const struct fatfly_level *l = up ? &p->sum.up[level] : &p->sum.down[level];
    double links = (double)l->links;
    struct level v = {up ? "up" : "down", level, l->links,
                      share(l->flits, links * (double)p->sum.measure_cycles),
                      share(l->waited, (double)l->worms),
                      share(l->occupancy, links * (double)p->sum.samples)};
    return v;
}

static void json_levels(const struct point *p, FILE *out)
{
    unsigned levels = p->sum.measure_cycles ? point_levels(p) : 0;
    fprintf(out, "  \"levels\": [");
    for (unsigned k = 0; k < 2 * levels && !p->partial; k++) {
        struct level v = point_level(p, k < levels, k % levels);
        fprintf(out, "%s\n    {\"level\": %u, \"direction\": \"%s\", \"links\": %" PRIu64
                ", \"utilisation\": %.10g, \"wait_mean\": %.10g, \"queued_mean\": %.10g}",
                k ? "," : "", v.level, v.direction, v.links, v.use, v.wait, v.queued);
    }
    fprintf(out, "],\n");
}

/* Queues found with 0, 1, .. flits, as shares of all that were looked at. */
static void json_queues(const struct settings *s, const struct point *p, FILE *out)
{
    double all = 0;
    for (unsigned k = 0; k <= FATFLY_MAX_DEPTH; k++)
        all += (double)p->sum.occupied[k];
    fprintf(out, "  \"queue_shares\": [");
    for (unsigned k = 0; k <= s->config.depth && k <= FATFLY_MAX_DEPTH && !p->partial; k++)
        fprintf(out, "%s%.10g", k ? ", " : "", share(p->sum.occupied[k], all));
    fprintf(out, "],\n");
}

static void json_histogram(const struct point *p, FILE *out)
{
    bool first = true;
    fprintf(out, "  \"histogram\": [");
    for (unsigned k = 0; k < FATFLY_BUCKETS; k++)
        if (p->sum.histogram[k]) {
            fprintf(out, "%s[%" PRIu64 ", %" PRIu64 "]", first ? "" : ", ", fatfly_bucket_low(k),
                    p->sum.histogram[k]);
            first = false;
        }
    fprintf(out, "]\n");
}

void point_json(const struct settings *s, const struct point *p, FILE *out)
{
    char text[64];
    fprintf(out, "{\n");
    for (unsigned k = 0; k < COLUMNS; k++) {
        column_text(k, s, p, text, sizeof text);
        bool word = columns[k].text || (k == DEPTH && s->config.depth == FATFLY_UNBOUNDED);
        const char *quote = word ? "\"" : "";
        if (*text)
            fprintf(out, "  \"%s\": %s%s%s,\n", columns[k].name, quote, text, quote);
        else
            fprintf(out, "  \"%s\": null,\n", columns[k].name);
    }
    json_levels(p, out);
    json_queues(s, p, out);
    json_histogram(p, out);
    fprintf(out, "}\n");
}

void point_histogram(const struct point *p, FILE *out)
{
    fprintf(out, "latency,count\n");
    for (unsigned k = 0; k < FATFLY_BUCKETS; k++)
        if (p->sum.histogram[k])
            fprintf(out, "%" PRIu64 ",%" PRIu64 "\n", fatfly_bucket_low(k), p->sum.histogram[k]);
}

/* Of another topology: a link leads up from its lower end, down from its upper end. */
static void other_links(const struct settings *s, const struct point *p, FILE *out)
{
    struct topology t;
    char why[200];
    if (topology_of(&s->config, &t, why, sizeof why))
        return; /* it was opened before the run */
    for (uint32_t k = 0; k < t.nodes * t.ports; k++) {
        uint32_t node = k / t.ports, far = t.kind->far(&t, node, k % t.ports);
        if (far == TOPOLOGY_NONE)
            continue;
        unsigned group = t.kind->group(&t, node, k % t.ports);
        bool down = group & 1;
        fprintf(out, "%u,%s,%u,%u,%u,%u\n", k, down ? "down" : "up", group / 2, down ? far : node,
                down ? node : far, p->link_worms[k]);
    }
    topology_close(&t);
}

void point_links(const struct settings *s, const struct point *p, FILE *out)
{
    uint32_t count = fatfly_links(&s->config);
    fprintf(out, "link,direction,level,lower,upper,worms\n");
    if (s->config.topology)
        other_links(s, p, out);
    for (uint32_t k = 0; k < count && !s->config.topology; k++) {
        struct fatfly_link l = fatfly_link_at(s->config.nodes, k);
        if (l.exists)
            fprintf(out, "%u,%s,%u,%u,%u,%u\n", k, l.up ? "up" : "down", l.level, l.lower, l.upper,
                    p->link_worms[k]);
    }
}
