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

/* What a point must be for a cell to have a value. */
enum {
    OPEN = 1 << 0,      /* an open loop */
    STATIC = 1 << 1,
    DRAWN = 1 << 2,     /* no recorded messages */
    OTHER = 1 << 3,     /* another topology than the fat-tree */
    CUBE = 1 << 4,      /* torus or mesh */
    TREE = 1 << 5,
    SPLIT = 1 << 6,     /* discipline split */
    QUEUED = 1 << 7,    /* store or split */
    VARIED = 1 << 8,    /* lengths vary */
    HOTSPOT = 1 << 9,   /* a pattern with one */
    PARTIAL = 1 << 10,  /* a pattern in which some are silent */
    CLASSED = 1 << 11,  /* several classes */
    REPLIED = 1 << 12,
    LIMITED = 1 << 13,  /* outstanding requests */
    WHOLE = 1 << 14,    /* not the Verilog's, of which latencies are all that is known */
    TIMED = 1 << 15,    /* its latencies may be shown */
    MEASURED = 1 << 16, /* and there are some */
    UNCUT = 1 << 17
};

static unsigned conditions(const struct settings *s, const struct point *p)
{
    const struct fatfly_config *c = &s->config;
    const bool holds[] = {c->load > 0, c->load <= 0, c->pattern != FATFLY_MESSAGES, c->topology, point_is_cube(c),
                          !c->topology, c->discipline == FATFLY_SPLIT,
                          c->discipline == FATFLY_STORE || c->discipline == FATFLY_SPLIT,
                          c->lengths != FATFLY_FIXED, traffic_has(c, FATFLY_HOTSPOT),
                          pattern_is_partial(c->pattern), traffic_classes(c) > 1, c->reply[0] > 0,
                          c->outstanding > 0, !p->partial, point_has_latency(p),
                          point_has_latency(p) && !isnan(p->latency.mean), !p->cut && !p->deadlocked};
    unsigned all = 0;
    for (unsigned k = 0; k < sizeof holds / sizeof *holds; k++)
        all |= (unsigned)holds[k] << k;
    return all;
}

#define FIELD(field) .offset = offsetof(struct point, field), .size = sizeof(((struct point *)NULL)->field)
#define SETTING .cell = CELL_SETTING /* of the column's name */
#define WORD .cell = CELL_SETTING, .text = true
#define COUNT(field) .cell = CELL_COUNT, FIELD(field)
#define TOTAL(field) COUNT(sum.field), .total = true /* of all runs */
#define REAL(field) .cell = CELL_REAL, FIELD(field)
#define SECONDS(field) .cell = CELL_SECONDS, FIELD(field), .timing = true
#define SAID(what) .cell = CELL_SAID, .of = what
#define WORD_SAID(what) .cell = CELL_SAID, .of = what, .text = true
#define ENDS(name, help, interval, when) {name "_low", help, when, REAL(interval.low)}, \
                                         {name "_high", "... upper end, cycles", when, REAL(interval.high)}
/* Of class k. */
#define CLASS(k, what) .cell = CELL_CLASS, .of = (k)*OF_CLASS + (what)
#define OF(k) \
    {"class" #k "_measured", "class " #k ": worms whose latency was measured, all runs", CLASSED, CLASS(k, OF_MEASURED)}, \
    {"class" #k "_accepted_load", "... flits delivered per cycle and processor, mean over runs", CLASSED, CLASS(k, OF_ACCEPTED)}, \
    {"class" #k "_latency_mean", "... cycles of a worm, mean over those of all runs", CLASSED | TIMED, CLASS(k, OF_MEAN)}, \
    {"class" #k "_latency_p50", "... that half do not exceed", CLASSED | TIMED, CLASS(k, OF_P50)}, \
    {"class" #k "_latency_p99", "... 99 %", CLASSED | TIMED, CLASS(k, OF_P99)}, \
    {"class" #k "_latency_max", "... the largest", CLASSED | TIMED, CLASS(k, OF_MAX)}

enum said {
    PATH_NAME, SCAN_NAME, PATTERN_NAME, ARRIVAL_NAME, TOPOLOGY_NAME, HOW_IT_ENDED, DIGEST, VERDICT, IS_SATURATED,
    CYCLES_NEEDED, BATCHES, ROUNDS, P50, P95, P99, P999, PER_CONGESTION, UTILISATION, ROUND_TRIP
};

const struct column columns[] = {
    {"nodes", "N, processors", 0, SETTING},
    {"length", "L, flits of a worm, the longest if they vary", 0, SETTING},
    {"depth", "q, flits (store, univ: packets) of a queue", 0, SETTING},
    {"vcs", "V, virtual channels of a link", 0, SETTING},
    {"discipline", "how packets move", 0, WORD},
    {"path", "path selection", 0, WORD_SAID(PATH_NAME)},
    {"scan", "scan order", 0, WORD_SAID(SCAN_NAME)},
    {"pattern", "where worms go", 0, WORD_SAID(PATTERN_NAME)},
    {"load", "offered load, flits per cycle and processor; 0: static runs", 0, SETTING},
    {"runs", "independent runs", 0, SETTING},
    {"seed", "seed from which the seeds of the runs follow", 0, SETTING},
    {"latency_mean", "cycles of a worm, ready to tail consumed, both counted; empty unless end is done", MEASURED,
     REAL(latency.mean)},
    {"latency_ci99", "cycles; several runs: half-width of its 99 % interval by Student's t, nothing adjusted; one "
     "open loop: half of latency_low to latency_high", MEASURED, REAL(latency.ci99)},
    {"latency_max", "cycles, the largest of a worm, all runs", MEASURED, COUNT(sum.latency_max)},
    {"congestion_mean", "c, the most worms over one link, mean over runs", WHOLE, REAL(congestion.mean)},
    {"latency_per_congestion", "static: last_arrival_mean / congestion_mean (GO, table II), cycles a worm",
     STATIC | WHOLE | MEASURED, SAID(PER_CONGESTION)},
    {"accepted_load", "flits delivered per cycle and processor, mean over runs; static: until the last arrival", 0,
     REAL(accepted.mean)},
    {"saturated", "1 if a run was saturated, else 0", 0, SAID(IS_SATURATED)},
    {"cycles", "simulated, all runs", 0, TOTAL(cycles)},
    {"flit_hops", "flits over links, those of processors where they have any, all runs", WHOLE, TOTAL(flit_hops)},
    {"cpu_s", "processor time of the runs, seconds", 0, SECONDS(cpu_s)},
    {"wall_s", "time, seconds", 0, SECONDS(wall_s)},
    {"digest", "of every flit delivered in all runs, 16 hex digits", 0, WORD_SAID(DIGEST)},
    {"arrivals", "open loop: times between worms", OPEN, WORD_SAID(ARRIVAL_NAME)},
    {"warmup", "open loop: cycles before the measurement, the longest", OPEN, COUNT(sum.measure_from)},
    {"measured", "worms whose latency was measured, all runs", 0, TOTAL(measured)},
    {"latency_p50", "cycles that half of the worms do not exceed; from 128 on rounded down to 1/64", WHOLE | MEASURED, SAID(P50)},
    {"latency_p95", "... 95 %", WHOLE | MEASURED, SAID(P95)},
    {"latency_p99", "... 99 %", WHOLE | MEASURED, SAID(P99)},
    {"latency_p999", "... 99.9 %", WHOLE | MEASURED, SAID(P999)},
    {"source_wait_mean", "cycles per worm, from its generation to the injection of its head, mean over runs", WHOLE | MEASURED, REAL(source_wait.mean)},
    {"blocked_mean", "cycles per worm in which its head stood still in the network, mean over runs", WHOLE | MEASURED, REAL(blocked.mean)},
    {"dilation", "d, the longest path, links", WHOLE, COUNT(sum.dilation)},
    {"load_factor", "static: largest ratio of worms to links over all subtrees, of all runs", WHOLE | STATIC | TREE,
     REAL(sum.load_factor)},
    {"lengths", "how lengths vary", 0, WORD},
    {"self_traffic", "1 if the source itself may be drawn, else 0", 0, SETTING},
    {"rounds", "static: worms of each processor; of an algorithm that works in rounds, how many it took, the most of "
     "all runs", 0, SAID(ROUNDS)},
    {"delay_range", "static: R, of initial delays or ranks", STATIC | DRAWN, SETTING},
    {"start", "store, split: inputs that rr and ff may start from", QUEUED, WORD},
    {"overhead", "split: share of flits that addresses add", SPLIT, SETTING},
    {"length_min", "flits of the shortest worm, if lengths vary", VARIED, SETTING},
    {"hotspot", "pattern hotspot: share that goes to one processor", HOTSPOT, SETTING},
    {"topology", "how switches are connected", 0, WORD_SAID(TOPOLOGY_NAME)},
    {"utilisation", "share of the flits that could cross the links in so many cycles, links of processors left out (BC, equation 1)",
     WHOLE, SAID(UTILISATION)},
    {"wait_mean", "cycles per worm, latency less what the same worm takes alone with deep queues (BC's w), mean over runs", WHOLE | MEASURED, REAL(wait.mean)},
    {"radix", "torus, mesh: k, nodes of a dimension", CUBE, SETTING},
    {"dimensions", "torus, mesh: n", CUBE, SETTING},
    {"bandwidth", "torus, mesh, ..: how virtual channels share a link", OTHER, WORD},
    {"link_bandwidth", "torus, mesh, ..: B, flits that cross a link in a cycle", OTHER, SETTING},
    {"density", "packing, spreading, monotone: share of the processors that send", PARTIAL, SETTING},
    {"injection", "torus, mesh, ..: one queue at a source, or one for each virtual channel", OTHER, WORD},
    {"last_arrival_mean", "static and trace: cycle of a run's last tail, from 0, mean over runs (GO's latency); of packets on a fat-tree the first of its step", MEASURED,
     REAL(last_arrival.mean)},
    {"last_arrival_ci99", "cycles, half-width of its 99 % confidence interval, Student's t over runs", MEASURED,
     REAL(last_arrival.ci99)},
    {"last_arrival_max", "cycle, the latest of all runs", STATIC | MEASURED, COUNT(sum.last_arrival)},
    {"end", "how the runs ended, the worst: done, saturated, cut (max-cycles), stopped (by the caller of the library), "
     "deadlock", 0, WORD_SAID(HOW_IT_ENDED)},
    {"verdict", "open loop: stable, undecided (run longer) or saturated; without stable the mean is unreliable",
     OPEN | WHOLE | UNCUT, WORD_SAID(VERDICT)},
    {"cycles_needed", "open loop: measured cycles (--cycles) that are about enough for a verdict and an interval; empty "
     "if saturated", OPEN | WHOLE | UNCUT, SAID(CYCLES_NEEDED)},
    {"batches", "one open loop: uncorrelated batches behind its interval", OPEN | WHOLE | UNCUT, SAID(BATCHES)},
    ENDS("latency", "cycles, lower end of the 99 % interval of latency_mean, adjusted for skewness; empty if the runs are "
         "too short for one", within, TIMED),
    ENDS("last_arrival", "cycles, likewise of last_arrival_mean", last_within, TIMED),
    ENDS("latency_p50", "cycles, lower end of the 99 % interval of latency_p50", quantile[0], TIMED | WHOLE),
    ENDS("latency_p95", "cycles, likewise of latency_p95", quantile[1], TIMED | WHOLE),
    ENDS("latency_p99", "cycles, likewise of latency_p99", quantile[2], TIMED | WHOLE),
    ENDS("latency_p999", "cycles, likewise of latency_p999", quantile[3], TIMED | WHOLE),
    {"link_latency", "torus, mesh, ..: cycles; 1: a flit has come when it has crossed", OTHER, SETTING},
    {"router_latency", "torus, mesh, ..: cycles from a flit's coming to where it can go on", OTHER, SETTING},
    {"channel_release", "torus, mesh, ..: when a worm gives up a virtual channel: its tail has left the queue, or has "
     "crossed the link", OTHER, WORD},
    {"input_bandwidth", "torus, mesh, ..: flits that the queues behind a link send on in a cycle; 0: any", OTHER, SETTING},
    {"processor_links", "torus, mesh: 1 if processors have links of their own, else 0", CUBE, SETTING},
    {"head_latency", "torus, mesh, ..: cycles of a head at the front of a queue before it asks for a channel", OTHER, SETTING},
    {"channels_in_turn", "torus, mesh, ..: 1 if a head takes the next free channel, 0 if the lowest", OTHER, SETTING},
    {"classes", "K, without those of replies; empty: one, and no replies", CLASSED, SETTING},
    {"class_length", "flits of the worms of each class, / between them", CLASSED, WORD},
    {"class_pattern", "where worms of each class go; empty: as pattern says", CLASSED, WORD},
    {"class_share", "share of the load of each class, replies included", CLASSED, WORD},
    {"class_priority", "of each class, then of their replies", CLASSED, WORD},
    {"class_channels", "torus, mesh, ..: shared or reserved", CLASSED | OTHER, WORD},
    {"reply", "flits of the reply to a worm of each class", CLASSED, WORD},
    {"reply_delay", "cycles between a request's tail and its reply", CLASSED | REPLIED, SETTING},
    {"outstanding", "requests that a processor may have without replies", CLASSED | LIMITED, SETTING},
    {"round_trip_mean", "cycles from a request being ready to the tail of its reply: both mean latencies and reply_delay",
     CLASSED | TIMED, SAID(ROUND_TRIP)},
    OF(0),
    OF(1),
    OF(2),
    OF(3),
};
const unsigned columns_count = sizeof columns / sizeof *columns;

void columns_add(struct fatfly_result *to, const struct fatfly_result *run)
{
    for (unsigned k = 0; k < columns_count; k++)
        if (columns[k].total) {
            size_t at = columns[k].offset - offsetof(struct point, sum);
            *(uint64_t *)((char *)to + at) += *(const uint64_t *)((const char *)run + at);
        }
}

/* -- cells -------------------------------------------------------------------------------------- */

const char *const point_verdict_names[] = {"stable", "undecided", "saturated"};

void point_real_text(char *text, size_t size, double x)
{
    bool whole = x == floor(x) && fabs(x) < 0x1p53;
    if (isnan(x))
        *text = '\0';
    else
        snprintf(text, size, whole ? "%.0f" : "%.10g", x);
}

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

/* Flits that can cross a link in a cycle: on demand no more than one of each channel; with fixed shares a flit takes ceil(V / B)
 * cycles on its channel. */
static double most_of_link(const struct fatfly_config *c)
{
    unsigned v = c->vcs, b = c->link_bandwidth, cycles = (v + b - 1) / b;

    if (!c->topology || (c->discipline != FATFLY_WORM && c->discipline != FATFLY_PHASED))
        return b;
    return c->bandwidth == FATFLY_ON_DEMAND ? (v < b ? v : b) : (double)v / cycles;
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
    return flits / (links * most_of_link(&s->config) * (double)p->sum.measure_cycles);
}

/* Of an algorithm that works in rounds, those that it took. */
static void rounds_text(const struct settings *s, const struct point *p, char *text, size_t size)
{
    const struct fatfly_config *c = &s->config;
    if (p->sum.algorithm_rounds)
        point_whole_text(text, size, p->sum.algorithm_rounds);
    else if (c->load <= 0 && c->pattern != FATFLY_MESSAGES)
        point_whole_text(text, size, c->rounds);
}

static void word_text(enum said what, const struct settings *s, const struct point *p, char *text, size_t size)
{
    const struct fatfly_config *c = &s->config;
    char own[64];
    const char *word = what == PATH_NAME      ? point_path_name(c, own)
                       : what == SCAN_NAME    ? point_scan_name(c, own)
                       : what == PATTERN_NAME ? point_pattern_name(c, own)
                       : what == ARRIVAL_NAME ? point_arrival_name(c, own)
                       : what == HOW_IT_ENDED ? fatfly_end_names[p->sum.end]
                       : what == VERDICT      ? point_verdict_names[p->verdict]
                       : c->topology          ? c->topology : "fat-tree";
    snprintf(text, size, "%s", word);
}

static void said_text(enum said what, const struct settings *s, const struct point *p, char *text, size_t size)
{
    const struct fatfly_result *r = &p->sum;
    switch (what) {
    case DIGEST: snprintf(text, size, "%016" PRIx64, p->digest); break;
    case IS_SATURATED: point_whole_text(text, size, p->saturated > 0); break;
    case CYCLES_NEEDED:
        if (p->verdict != FATFLY_UNSTABLE)
            point_whole_text(text, size, p->cycles_needed);
        break;
    case BATCHES:
        if (p->batches)
            point_whole_text(text, size, p->batches);
        break;
    case ROUNDS: rounds_text(s, p, text, size); break;
    case P50: case P95: case P99: case P999:
        point_whole_text(text, size, fatfly_quantile(r, point_quantile[what - P50]));
        break;
    case PER_CONGESTION: point_real_text(text, size, p->last_arrival.mean / p->congestion.mean); break;
    case UTILISATION: point_real_text(text, size, utilisation(s, p)); break;
    case ROUND_TRIP: point_real_text(text, size, point_round_trip(s, p)); break;
    default: word_text(what, s, p, text, size);
    }
}

static void field_text(const struct column *c, const struct point *p, char *text, size_t size)
{
    const char *at = (const char *)p + c->offset;
    double real = NAN;
    uint64_t whole = 0;
    unsigned narrow = 0;
    if (c->cell != CELL_COUNT)
        memcpy(&real, at, sizeof real);
    else if (c->size == sizeof whole)
        memcpy(&whole, at, sizeof whole);
    else
        memcpy(&narrow, at, sizeof narrow);
    if (c->cell == CELL_COUNT)
        point_whole_text(text, size, whole + narrow);
    else if (c->cell == CELL_REAL)
        point_real_text(text, size, real);
    else
        snprintf(text, size, "%.6f", real);
}

void column_text(unsigned k, const struct settings *s, const struct point *p, char *text,
                 size_t size)
{
    const struct column *c = &columns[k];
    *text = '\0';
    if (c->when && (c->when & ~conditions(s, p)))
        return;
    if (c->cell == CELL_SETTING)
        settings_cell(s, (unsigned)settings_find(c->name), text, size);
    else if (c->cell == CELL_SAID)
        said_text((enum said)c->of, s, p, text, size);
    else if (c->cell == CELL_CLASS)
        point_class_text(c->of / OF_CLASS, (enum of_class)(c->of % OF_CLASS), s, p, text, size);
    else
        field_text(c, p, text, size);
}

/* -- CSV and JSON ------------------------------------------------------------------------------ */

enum cell_kind column_kind(unsigned k, const char *text)
{
    return columns[k].text || strcmp(text, "unbounded") == 0 ? CELL_WORD : CELL_NUMBER;
}

static void cells_of(const struct settings *s, const struct point *p, struct cells *r)
{
    char text[CELL_TEXT] = "";
    r->count = 0;
    for (unsigned k = 0; k < columns_count; k++) {
        if (p)
            column_text(k, s, p, text, sizeof text);
        cells_add(r, column_kind(k, text), columns[k].name, "%s", text);
    }
}

void point_csv_header(FILE *out)
{
    struct cells r;
    cells_of(NULL, NULL, &r);
    cells_csv_names(&r, out);
}

void point_csv(const struct settings *s, const struct point *p, FILE *out)
{
    struct cells r;
    cells_of(s, p, &r);
    cells_csv(&r, out);
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

struct level point_level(const struct settings *s, const struct point *p, bool up, unsigned level)
{
    const struct fatfly_level *l = up ? &p->sum.up[level] : &p->sum.down[level];
    double links = (double)l->links;
    struct level v = {up ? "up" : "down", level, l->links,
                      share(l->flits, links * most_of_link(&s->config) * (double)p->sum.measure_cycles),
                      share(l->waited, (double)l->worms),
                      share(l->occupancy, links * (double)p->sum.samples)};
    return v;
}

static void json_levels(const struct settings *s, const struct point *p, FILE *out)
{
    unsigned levels = p->sum.measure_cycles ? point_levels(p) : 0;
    fprintf(out, "  \"levels\": [");
    for (unsigned k = 0; k < 2 * levels && !p->partial; k++) {
        struct level v = point_level(s, p, k < levels, k % levels);
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
    struct cells r;
    cells_of(s, p, &r);
    fputs("{\n  ", out);
    cells_json(&r, "\n  ", out);
    fputs(",\n", out);
    json_levels(s, p, out);
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

/* A link of another topology leads up from its lower end, down from its upper end. */
void point_links(const struct settings *s, const struct point *p, FILE *out)
{
    struct topology t;
    char why[200];
    fprintf(out, "link,direction,level,lower,upper,worms\n");
    if (topology_of(&s->config, &t, why, sizeof why))
        return; /* it was opened before the run */
    for (uint32_t k = 0; k < t.links; k++) {
        struct topology_link at = topology_link(&t, k);
        bool up = !(at.group & 1);
        struct fatfly_link l = t.levels ? fatfly_link_at(t.processors, k)
                                        : (struct fatfly_link){true, up, at.group / 2, up ? at.from : at.to,
                                                               up ? at.to : at.from};
        if (at.to != TOPOLOGY_NONE)
            fprintf(out, "%u,%s,%u,%u,%u,%u\n", k, l.up ? "up" : "down", l.level, l.lower, l.upper, p->link_worms[k]);
    }
    topology_close(&t);
}
