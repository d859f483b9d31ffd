/* SPDX-License-Identifier: Apache-2.0
 * model.c - `fatfly model`: what the analytical model (GG) says of a butterfly fat-tree, and of other networks.
 */
#include "cells.h"
#include "channel.h"
#include "commands.h"
#include "gg_paths.h"
#include "settings.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LOADS = 10000, DEFAULT_LOADS = 10, MOST_NODES = 16384 };

struct query {
    struct settings s; /* the network */
    struct gg_paths paths;  /* of another network than the fat-tree */
    struct gg_state *state; /* [paths.network.channels] */
    double flit_cycles;     /* that a flit takes on a channel */
    uint64_t nodes, length;
    unsigned levels;   /* n, nodes = 4^n; 0: no fat-tree */
    double from, to;   /* loads, flits per cycle and processor */
    unsigned loads;    /* how many, evenly spaced, both ends among them; 0: none asked for */
    unsigned format;   /* enum format */
    bool links, fail_saturated;
    double saturation;
};

/* One load and what the model says of it. */
struct answer {
    bool first, last; /* of all loads */
    bool saturated;
    struct gg_result r;
};

/* Options that are settings of fatfly run. */
enum { SET_TOPOLOGY, SET_NODES, SET_RADIX, SET_DIMENSIONS, SET_VCS, SET_PATH, SET_BANDWIDTH, SET_LINK_BANDWIDTH, SETS };

struct options {
    const char *set[SETS]; /* NULL: not given */
    bool processor_links, force;
    uint64_t length;
    const char *load, *loads;
    unsigned format; /* enum format */
    bool links, fail_saturated;
};

#define AT(field) .at = offsetof(struct options, field)

static const struct arg args[] = {
    {"topology", "NAME", ARG_TEXT, AT(set[SET_TOPOLOGY]),
     "fat-tree, or one of fatfly run with one way for each pair of processors: torus, mesh, hypercube, butterfly, .., "
     "graph:FILE; default fat-tree",
     .words = "words fat-tree torus mesh butterfly reverse-butterfly wrapped-butterfly hypercube graph:"},
    {"nodes", "N", ARG_TEXT, AT(set[SET_NODES]), "processors; fat-tree 4^n with n = 1 to 10, default 1024; else as in fatfly run, 2 to 16384",
     .words = "words 4 16 64 256 1024 4096 16384 65536 262144 1048576"},
    {"radix", "K", ARG_TEXT, AT(set[SET_RADIX]), "torus and mesh, as in fatfly run"},
    {"dimensions", "n", ARG_TEXT, AT(set[SET_DIMENSIONS]), "torus and mesh, as in fatfly run"},
    {"processor-links", "", ARG_FLAG, AT(processor_links), "torus and mesh, as in fatfly run"},
    {"vcs", "V", ARG_TEXT, AT(set[SET_VCS]), "virtual channels of a link, not of a fat-tree; default what the path needs"},
    {"path", "e-cube|balanced-e-cube|greedy", ARG_TEXT, AT(set[SET_PATH]), "path selection, not of a fat-tree; default the topology's",
     .words = "words e-cube balanced-e-cube greedy"},
    {"bandwidth", "fixed-share|on-demand", ARG_TEXT, AT(set[SET_BANDWIDTH]),
     "as in fatfly run; on-demand only with a link bandwidth of V or more; default fixed-share",
     .words = "words fixed-share on-demand"},
    {"link-bandwidth", "B", ARG_TEXT, AT(set[SET_LINK_BANDWIDTH]), "as in fatfly run: a flit takes V / B cycles, rounded up; default 1"},
    {"force", "", ARG_FLAG, AT(force), "channels may lead to each other in circles, where worms can deadlock"},
    {"length", "L", ARG_WHOLE, AT(length), "flits of a worm, 1 to 4096; default 32", .low = 1,
     .high = FATFLY_MAX_LENGTH},
    {"load", "F", ARG_TEXT, AT(load), "one load, flits per cycle and processor, 0 to 1"},
    {"loads", "FROM:TO:STEPS", ARG_TEXT, AT(loads),
     "this many loads, 2 to 10000, evenly spaced, both ends included; default: 10 loads up to 95 % "
     "of the saturation load"},
    {"levels", "", ARG_FLAG, AT(links),
     "fat-tree: arrival rate, service time and wait of the links of every level"},
    {"format", "table|csv|json", ARG_NAME, AT(format), "default table", .names = format_names,
     .count = FORMATS},
    {"fail-saturated", "", ARG_FLAG, AT(fail_saturated),
     "end with exit code 5 if a load is above saturation"},
};

static int play(int argc, char *const argv[], struct fail *f);

const struct command model_command = {
    "model", "the analytical model of Greenberg and Guan", "[OPTION]...",
    "Latency and saturation load of the butterfly fat-tree by the analytical model of Greenberg and "
    "Guan (1997, equations 1 to 26): wormhole, uniform Poisson traffic, scan fcfs, path rg.  With --topology: "
    "of another network by their general model (equations 1 to 11), over the paths of all pairs.",
    "Columns: load and saturation_load in flits per cycle and processor; latency = wait in the "
    "source queue + service at the injecting link + (mean distance - 1) times the cycles that a flit takes for a link, all in cycles.  Above "
    "saturation there is no latency: the fields are empty and saturated is 1.  With --levels: rate "
    "in worms per cycle over one link; below and above are the chances that a worm which comes from "
    "there has to wait for worms of other links (equation 10).\n\n"
    "Of other networks a channel of the model is a virtual channel, or those of a link of which a head takes any: m of "
    "them are m servers.  Worms that begin in a router queue for their first channel, as with --injection "
    "per-channel.\n\n"
    "exit codes: 0 done, 2 usage, 3 bad input file, 4 missing memory, or the output cannot be written, 5 saturated "
    "(--fail-saturated)",
    NULL, args, sizeof args / sizeof *args, NULL, NULL, .play = play};

/* -- the command line ----------------------------------------------------------------------- */

/* A number up to the character stop; 0 or -1. */
static int read_load(const char **text, char stop, double *load)
{
    char *end;
    size_t length = strspn(*text, "0123456789.+-eE"); /* no nan, inf, hexadecimals */

    *load = strtod(*text, &end) + 0.0; /* -0 is 0 */
    if (!length || end != *text + length || *end != stop || !(*load >= 0 && *load <= 1))
        return -1;
    *text = end + (stop != 0);
    return 0;
}

static int read_loads(struct query *q, const char *text, struct fail *f)
{
    const char *rest = text;
    uint64_t steps = 0;

    if (read_load(&rest, ':', &q->from) || read_load(&rest, ':', &q->to) || !(q->from < q->to) ||
        args_whole("", rest, 2, MAX_LOADS, &steps, f))
        return fail(f, EXIT_USAGE,
                    "--loads %s; allowed: FROM:TO:STEPS with 0 <= FROM < TO <= 1, STEPS from 2 to "
                    "%d, as in 0.005:0.035:7", text, MAX_LOADS);
    q->loads = (unsigned)steps;
    return 0;
}

static int read_one_load(struct query *q, const char *text, struct fail *f)
{
    const char *rest = text;

    if (read_load(&rest, 0, &q->from))
        return fail(f, EXIT_USAGE, "--load %s; allowed: a number, 0 to 1", text);
    q->to = q->from;
    q->loads = 1;
    return 0;
}

/* The settings of the network; 0, or -1 with f filled. */
static int read_network(struct settings *s, const struct options *o, struct fail *f)
{
    static const char *const names[SETS] = {"topology", "nodes", "radix", "dimensions", "vcs", "path", "bandwidth",
                                            "link-bandwidth"};
    bool other = o->set[SET_TOPOLOGY] && strcmp(o->set[SET_TOPOLOGY], "fat-tree") != 0;

    for (unsigned k = 0; k < SETS; k++)
        if (o->set[k] && settings_set(s, names[k], o->set[k], f))
            return -1;
    if (!other && !o->set[SET_NODES] && settings_set(s, "nodes", "1024", f))
        return -1;
    if ((o->processor_links && settings_set(s, "processor-links", "yes", f)) ||
        (o->force && settings_set(s, "force", "yes", f)))
        return -1;
    for (unsigned k = SET_VCS; k <= SET_PATH && !other; k++)
        if (o->set[k])
            return fail(f, EXIT_USAGE, "--%s %s with --topology fat-tree; allowed: only with torus, mesh or another",
                        names[k], o->set[k]);
    if (other && o->links)
        return fail(f, EXIT_USAGE, "--levels with --topology %s; allowed: only with fat-tree", o->set[SET_TOPOLOGY]);
    return settings_finish(s, f);
}

/* The channels of another network; 0, or -1 with f filled. */
static int open_paths(struct query *q, struct fail *f)
{
    const struct fatfly_config *c = &q->s.config;
    const char *path = fatfly_path_names[c->path], *name = q->s.topology;
    struct topology t;
    char why[300];

    if (c->nodes > MOST_NODES)
        return fail(f, EXIT_USAGE, "--topology %s of %" PRIu32 " processors; allowed: 2 to %d", name, c->nodes, MOST_NODES);
    if (topology_of(c, &t, why, sizeof why))
        return fail(f, EXIT_SYSTEM, "%s", why);
    unsigned classes = t.classes;
    q->flit_cycles = channels_link_cycles(c, &t);
    enum gg_paths_status status = gg_paths_open(&q->paths, &t);
    topology_close(&t);
    if (c->bandwidth == FATFLY_ON_DEMAND && classes > c->link_bandwidth)
        return fail(f, EXIT_USAGE, "--bandwidth on-demand with %u channels and --link-bandwidth %u; allowed: fixed-share, or "
                    "a link bandwidth of %u to 64", classes, c->link_bandwidth, classes);
    switch (status) {
    case GG_PATHS_OK:
        q->state = calloc(q->paths.network.channels, sizeof *q->state);
        return q->state ? 0 : fail(f, EXIT_SYSTEM, "no memory for %u channels", q->paths.network.channels);
    case GG_PATHS_CHOICE:
        return fail(f, EXIT_USAGE, "--topology %s with --path %s: a head may take one of several links; allowed: one way for "
                    "each pair of processors, as with e-cube, balanced-e-cube, greedy", name, path);
    case GG_PATHS_OVERLAP:
        return fail(f, EXIT_USAGE, "--topology %s: some worms take any channel of a link and others a certain one; allowed: "
                    "of each link the same for all", name);
    default:
        return fail(f, EXIT_SYSTEM, "no memory for the channels of %" PRIu32 " processors", c->nodes);
    }
}

static int read_query(struct query *q, const struct options *o, struct fail *f)
{
    q->length = o->length;
    q->format = o->format;
    q->links = o->links;
    q->fail_saturated = o->fail_saturated;
    if (o->load && o->loads)
        return fail(f, EXIT_USAGE, "--load %s contradicts --loads %s; give one", o->load, o->loads);
    if ((o->load && read_one_load(q, o->load, f)) || (o->loads && read_loads(q, o->loads, f)) ||
        read_network(&q->s, o, f))
        return -1;
    q->nodes = q->s.config.nodes;
    if (!q->s.config.topology) {
        q->levels = (unsigned)__builtin_ctzll(q->nodes) / 2;
        q->saturation = gg_saturation(q->levels);
    } else {
        if (open_paths(q, f))
            return -1;
        q->saturation = gg_network_saturation(&q->paths.network, q->state) / q->flit_cycles;
    }
    if (!q->loads) {
        q->loads = DEFAULT_LOADS;
        q->to = fmin(0.95 * q->saturation, 1);
        q->from = q->to / DEFAULT_LOADS;
    }
    return 0;
}

/* The model's answer at a load.  In another network than the fat-tree its time is counted in flits of a channel. */
static bool solve(const struct query *q, double load, struct gg_result *r)
{
    struct gg_total total;

    if (q->levels)
        return gg_fat_tree(q->levels, (double)q->length, load, r) == GG_OK;
    bool ok = gg_solve(&q->paths.network, (double)q->length, load * q->flit_cycles, q->state, &total) == GG_OK;
    *r = (struct gg_result){.length = (double)q->length, .load = load, .distance = q->paths.network.distance,
                            .service = total.service * q->flit_cycles, .wait = total.wait * q->flit_cycles,
                            .latency = total.latency * q->flit_cycles};
    return ok;
}

/* -- the output ----------------------------------------------------------------------------- */

static double load_of(const struct query *q, unsigned k)
{
    return k + 1 == q->loads ? q->to : q->from + (q->to - q->from) * k / (q->loads - 1);
}

static void cells_of_link(const struct answer *a, unsigned from, unsigned to, struct cells *r)
{
    const struct gg_link *k = from < to ? &a->r.up[from] : &a->r.down[to];

    cells_add(r, CELL_NUMBER, "from", "%u", from);
    cells_add(r, CELL_NUMBER, "to", "%u", to);
    cells_add(r, CELL_NUMBER, "rate", "%.10g", k->rate);
    cells_add(r, CELL_NUMBER, "service", "%.10g", a->saturated ? NAN : k->service);
    cells_add(r, CELL_NUMBER, "wait", "%.10g", a->saturated ? NAN : k->wait);
    cells_add(r, CELL_NUMBER, "below", "%.10g", a->saturated ? NAN : k->from_below);
    cells_add(r, CELL_NUMBER, "above", "%.10g", a->saturated || k->from_above <= 0 ? NAN : k->from_above);
}

static void cells_of(const struct query *q, const struct answer *a, struct cells *r)
{
    r->count = 0;
    cells_add(r, CELL_NUMBER, "nodes", "%" PRIu64, q->nodes);
    cells_add(r, CELL_NUMBER, "length", "%" PRIu64, q->length);
    cells_add(r, CELL_NUMBER, "load", "%.10g", a->r.load);
    if (q->links && q->format == FORMAT_CSV)
        return;
    cells_add(r, CELL_NUMBER, "latency", "%.10g", a->saturated ? NAN : a->r.latency);
    cells_add(r, CELL_NUMBER, "service", "%.10g", a->saturated ? NAN : a->r.service);
    cells_add(r, CELL_NUMBER, "wait", "%.10g", a->saturated ? NAN : a->r.wait);
    cells_add(r, CELL_TRUTH, "saturated", "%d", a->saturated);
    cells_add(r, CELL_NUMBER, "saturation_load", "%.10g", q->saturation);
}

/* Link k of a worm's way, up and down again. */
static void levels_of(const struct query *q, unsigned k, unsigned *from, unsigned *to)
{
    *from = k < q->levels ? k : 2 * q->levels - k;
    *to = k < q->levels ? k + 1 : *from - 1;
}

static void csv(const struct query *q, const struct answer *a)
{
    struct cells r;
    unsigned from, to;

    for (unsigned k = 0; k < (q->links ? 2 * q->levels : 1); k++) {
        cells_of(q, a, &r);
        if (q->links) {
            levels_of(q, k, &from, &to);
            cells_of_link(a, from, to, &r);
            cells_add(&r, CELL_TRUTH, "saturated", "%d", a->saturated);
        }
        if (a->first && k == 0)
            cells_csv_names(&r, stdout);
        cells_csv(&r, stdout);
    }
}

static void json(const struct query *q, const struct answer *a)
{
    struct cells r;
    unsigned from, to;

    cells_of(q, a, &r);
    fputs(a->first ? "[\n  {" : ",\n  {", stdout);
    cells_json(&r, " ", stdout);
    for (unsigned k = 0; q->links && k < 2 * q->levels; k++) {
        r.count = 0;
        levels_of(q, k, &from, &to);
        cells_of_link(a, from, to, &r);
        fputs(k ? ",\n    {" : ", \"levels\": [\n    {", stdout);
        cells_json(&r, " ", stdout);
        putchar('}');
    }
    fputs(q->links ? "\n  ]}" : "}", stdout);
    fputs(a->last ? "\n]\n" : "", stdout);
}

static void table_header(const struct query *q)
{
    struct gg_result r;
    unsigned longest = q->levels ? 2 * q->levels : q->paths.longest;
    solve(q, 0, &r);
    printf("Model of Greenberg and Guan: N = %llu, worms of %llu flits, mean distance %.3f links\n",
           (unsigned long long)q->nodes, (unsigned long long)q->length, r.distance);
    if (!q->levels)
        printf("%s, path %s, %u channels in use, %.0f cycle%s for a flit\n", q->s.topology, fatfly_path_names[q->s.config.path],
               q->paths.network.channels, q->flit_cycles, q->flit_cycles > 1 ? "s" : "");
    printf("Saturation at %.6g flits per cycle and processor\n", q->saturation);
    if (q->length <= longest)
        printf("Note: the model assumes worms longer than the longest path, %u links\n", longest);
    if (q->paths.circles)
        printf("Note: channels lead to each other in circles, where worms can deadlock, which the model leaves out;\n"
               "a load at which waits do not settle in %d rounds counts as saturated\n", GG_SWEEPS);
    if (!q->links)
        printf("\n       load  of saturation     latency     service        wait\n");
}

static void table_link(const struct answer *a, unsigned from, unsigned to)
{
    const struct gg_link *k = from < to ? &a->r.up[from] : &a->r.down[to];
    printf("  %2u to %2u  %10.4g", from, to, k->rate);
    if (a->saturated)
        printf("%12s%11s%12s", "-", "-", "-");
    else
        printf("%10.1f %%%11.2f%12.3f", 100 * k->rate * k->service, k->service, k->wait);
    for (unsigned below = 1; below < 2; below--) { /* below, then above */
        double p = below ? k->from_below : k->from_above;
        if (p > 0)
            printf("%8.3f", p);
        else
            printf("%8s", "-");
    }
    printf("\n");
}

static void table(const struct query *q, const struct answer *a)
{
    if (q->links)
        printf("\nLoad ");
    printf("%11.5g%13.1f %%", a->r.load, 100 * a->r.load / q->saturation);
    if (a->saturated)
        printf("   saturated\n");
    else
        printf("%12.2f%12.2f%12.2f\n", a->r.latency, a->r.service, a->r.wait);
    if (!q->links)
        return;
    printf("  levels          rate        busy    service        wait   below   above\n");
    for (unsigned k = 0, from, to; k < 2 * q->levels; k++) {
        levels_of(q, k, &from, &to);
        table_link(a, from, to);
    }
}

static bool print(const struct query *q)
{
    bool saturated = false;
    if (q->format == FORMAT_TABLE)
        table_header(q);
    for (unsigned k = 0; k < q->loads; k++) {
        struct answer a = {.first = k == 0, .last = k + 1 == q->loads};
        a.saturated = !solve(q, load_of(q, k), &a.r);
        saturated |= a.saturated;
        if (q->format == FORMAT_TABLE)
            table(q, &a);
        else if (q->format == FORMAT_CSV)
            csv(q, &a);
        else
            json(q, &a);
    }
    return saturated;
}

static int play(int argc, char *const argv[], struct fail *f)
{
    struct options o = {.length = 32};
    struct query q = {.levels = 0};
    const char *none;
    int bad = args_parse(&model_command, argc, argv, &o, &none, f);
    if (bad)
        return bad < 0 ? bad : 0;
    settings_default(&q.s);
    q.s.place = IN_SATURATION; /* up to 4^10 processors, as gg.h has them */
    bad = read_query(&q, &o, f) ? -1 : 0;
    if (!bad && print(&q) && q.fail_saturated)
        bad = fail(f, EXIT_SATURATED, "a load is above saturation");
    gg_paths_close(&q.paths);
    free(q.state);
    settings_free(&q.s);
    return bad;
}
