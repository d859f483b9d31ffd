/* SPDX-License-Identifier: Apache-2.0
 * estimate.c - `fatfly estimate`: networks of every design in the table of `make synth`, with what
 * they cost, how fast they run and what the simulator says they carry; and which one to build.
 */
#include "commands.h"
#include "estimate.h"
#include "fatfly.h"
#include "gnuplot.h"
#include "hardware.h"
#include "outfile.h"
#include "point.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_DESIGNS = 4096, MAX_THREADS = 256, WORMS = 2000, WINDOW = 20000 };

/* -- the command line ------------------------------------------------------------------------- */

#define AT(field) .at = offsetof(struct estimate, field)

static const char *const figures[BEST_FIGURES] = {"area", "throughput", "latency", "per-lut"};

static const struct arg args[] = {
    {"nodes", "N", ARG_NODES, AT(nodes), "processors, 4^n with n = 1 to 10; default 64",
     "the network and its traffic"},
    {"length", "L", ARG_WHOLE, AT(length), "flits of a worm, 1 to 4096; default 32", .low = 1,
     .high = FATFLY_MAX_LENGTH},
    {"pattern", "PATTERN", ARG_NAME, AT(pattern), "random, complement, transpose, ...; default random",
     .names = fatfly_pattern_names, .count = FATFLY_HOTSPOT},
    {"seed", "S", ARG_WHOLE, AT(seed), "of the simulations; default 1", .high = UINT64_MAX},
    {"family", "FAMILY", ARG_TEXT, AT(family), "of the table, such as ice40 or ecp5; default ice40",
     "which designs"},
    {"topology", "LIST", ARG_TEXT, AT(kind_list),
     "networks to compare, of fat-tree, torus, mesh; default fat-tree", .words = "words fat-tree torus mesh"},
    {"cost", "FILE", ARG_INPUT, AT(cost_text),
     "the table; default docs/results/fpga.csv, or what was installed"},
    {"vcs", "LIST", ARG_TEXT, AT(vcs_list),
     "virtual channels, such as 1,2; default all in the table", .words = "words 1 2 4"},
    {"depth", "LIST", ARG_TEXT, AT(depth_list), "flits a queue holds", .words = "words 1 2 4 8 16"},
    {"flit-bits", "LIST", ARG_TEXT, AT(bits_list), "payload bits of a flit"},
    {"path", "LIST", ARG_TEXT, AT(path_list), "path selections; e-cube, negative-hop of a torus or mesh", .words = "words fp rp gp rg rw e-cube negative-hop"},
    {"scan", "LIST", ARG_TEXT, AT(scan_list), "scan orders", .words = "words rr fo ff rot fcfs"},
    {"min-throughput", "X", ARG_POSITIVE, AT(min_throughput),
     "flits per ns and processor at saturation, at least", "what is wanted"},
    {"max-latency", "NS", ARG_POSITIVE, AT(max_latency),
     "mean latency of a worm in an idle network, at most"},
    {"max-lut", "COUNT", ARG_POSITIVE, AT(max_lut), "LUTs of the network, at most"},
    {"best", "FIGURE", ARG_NAME, AT(best),
     "area, throughput, latency or per-lut: of the designs that meet all, which is named; default area",
     .names = figures, .count = BEST_FIGURES},
    {"format", "FORMAT", ARG_NAME, AT(format), "table, csv or json; default table", "output",
     .names = format_names, .count = FORMATS},
    {"plot", "FILE", ARG_OUTPUT, AT(plot), "the designs and their front as .svg or .png"},
    {"threads", "COUNT", ARG_WHOLE, AT(threads), "simulations at once, 1 to 256; default one per core",
     .low = 1, .high = MAX_THREADS},
};

static int play(int argc, char *const argv[], struct fail *f);

const struct command estimate_command = {
    "estimate", "area and clock on an FPGA beside latency and throughput", "[OPTION]...",
    "What networks built of the switch cost on an FPGA and what they carry: area and clock of every "
    "design in the table of `make synth`, latency and saturation from the simulator, in cycles and "
    "in time.  Marked are designs that no other beats in both area and throughput, the Pareto "
    "front.",
    "Saturation is the largest load, to 1 %, at which latency is bounded (docs/simulator.md); the "
    "latency of an idle network is that at 1 % of it.  Area is the sum of the switches and clock "
    "that of the slowest, each placed alone, unless the table has the network itself; basis says "
    "which.\n\n"
    "exit codes: 0 done, 1 no design meets what is wanted, 2 usage, 3 bad table, 4 the output cannot "
    "be written, gnuplot is missing, or interrupted",
    NULL, args, sizeof args / sizeof *args, NULL, NULL, .play = play};

/* A list of numbers or, with names, of names; each sets its bit. */
static int read_list(const char *name, const char *text, const char *const *names, unsigned count,
                     uint64_t *bits, struct fail *f)
{
    for (const char *rest = text; rest;) {
        char word[64];
        size_t n = strcspn(rest, ",");
        uint64_t v = 0;
        unsigned k = 0;
        snprintf(word, sizeof word, "%.*s", n < 60 ? (int)n : 60, rest);
        if (names ? args_name(name, word, names, count, &k, f)
                  : args_whole(name, word, 1, 64, &v, f))
            return -1;
        *bits |= UINT64_C(1) << (names ? k : v % 64);
        rest = rest[n] ? rest + n + 1 : NULL;
    }
    return 0;
}

static bool allowed(uint64_t bits, unsigned value)
{
    return bits == 0 || (bits >> value % 64 & 1);
}

static int parse(struct estimate *e, struct fail *f)
{
    e->levels = (unsigned)__builtin_ctzll(e->nodes) / 2;
    if (read_list("--vcs", e->vcs_list, NULL, 0, &e->vcs, f) ||
        read_list("--depth", e->depth_list, NULL, 0, &e->depth, f) ||
        read_list("--flit-bits", e->bits_list, NULL, 0, &e->flit_bits, f) ||
        read_list("--path", e->path_list, fatfly_path_names, FATFLY_PATHS, &e->path, f) ||
        read_list("--scan", e->scan_list, fatfly_scan_names, FATFLY_SCANS, &e->scan, f) ||
        read_list("--topology", e->kind_list, network_kinds, NETWORK_KINDS, &e->kinds, f))
        return -1;
    e->kinds = e->kinds ? e->kinds : 1;
    return e->plot ? gnuplot_format("--plot", e->plot, &e->svg, f) : 0;
}

/* -- the table -------------------------------------------------------------------------------- */

/* Beside the program, in a checkout or installed, if not where the user is. */
static void find_table(struct estimate *e)
{
    static const char *const places[] = {"../docs/results/fpga.csv", "../share/fatfly/fpga.csv"};
    char self[500];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

    snprintf(e->file, sizeof e->file, "%s", e->cost_text ? e->cost_text : "docs/results/fpga.csv");
    if (e->cost_text || access(e->file, R_OK) == 0 || n <= 0)
        return;
    self[n] = '\0';
    *strrchr(self, '/') = '\0';
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        char place[600];
        snprintf(place, sizeof place, "%s/%s", self, places[k]);
        if (access(place, R_OK) == 0)
            memcpy(e->file, place, sizeof place);
    }
}

/* Adds a name to a list of names, once. */
static void list_name(const char **names, unsigned *n, char *list, size_t size, const char *name)
{
    unsigned j = 0;
    size_t used = strlen(list);
    while (j < *n && strcmp(names[j], name) != 0)
        j++;
    if (j < *n || *n == 32)
        return;
    names[(*n)++] = name;
    snprintf(list + used, size - used, "%s%s", used ? ", " : "", name);
}

/* A family of which a switch has area and clock. */
static int check_family(const struct estimate *e, struct fail *f)
{
    const char *names[32] = {NULL};
    char list[200] = "";
    unsigned n = 0;
    bool there = false;
    for (size_t k = 0; k < e->table.count; k++) {
        const struct cost_row *r = &e->table.row[k];
        bool works = !isnan(r->lut) && !isnan(r->mhz);
        there = there || strcmp(r->family, e->family) == 0;
        if (works && strcmp(r->family, e->family) == 0)
            return 0;
        if (works)
            list_name(names, &n, list, sizeof list, r->family);
    }
    const char *near = nearest(e->family, names, n);
    return fail(f, EXIT_USAGE, "--family %.40s%s; allowed, from %s: %s%s%s", e->family,
                there ? " has no clock there" : "", e->file, list, near ? "; nearest: " : "",
                near ? near : "");
}

static bool kind_wanted(const struct estimate *e, const struct hardware_design *d)
{
    return e->kinds >> estimate_kind(d) & 1;
}

static enum fatfly_path path_of(const struct hardware_design *d)
{
    return d->radix == 0 ? (enum fatfly_path)d->params.path : d->negative_hop ? FATFLY_NEGATIVE_HOP : FATFLY_E_CUBE;
}

static bool wanted(const struct estimate *e, const struct hardware_design *d)
{
    return kind_wanted(e, d) && allowed(e->vcs, d->params.vcs) && allowed(e->depth, d->params.depth)
        && allowed(e->flit_bits, d->params.flit_w) && allowed(e->path, path_of(d))
        && allowed(e->scan, d->params.scan);
}

/* The simulator's network of a design.  On a torus and a mesh as near to the router of docs/cube.md as the
 * engine gets: channels share a link, a port sends a flit a cycle, a channel is free behind the tail. */
static struct fatfly_config config_of(const struct estimate *e, const struct hardware_design *d)
{
    struct fatfly_config c;
    fatfly_defaults(&c);
    c.nodes = (uint32_t)e->nodes;
    c.length = (unsigned)e->length;
    c.pattern = (enum fatfly_pattern)e->pattern;
    c.seed = e->seed;
    c.vcs = d->params.vcs;
    c.depth = d->params.depth;
    c.flit_bits = d->params.flit_w;
    c.path = path_of(d);
    if (d->radix) {
        c.topology = network_kinds[estimate_kind(d)];
        c.radix = 1U << e->levels;
        c.dimensions = 2;
        c.bandwidth = FATFLY_ON_DEMAND;
        c.input_bandwidth = 1;
        c.channel_release = FATFLY_TAIL_SENT;
    } else
        c.scan = (enum fatfly_scan)d->params.scan;
    c.warmup = WINDOW;
    c.cycles = WINDOW;
    c.detect_warmup = true;
    c.load = 0.01;
    return c;
}

/* The simulation that serves a design: that of the same one with flits of another width, too. */
static size_t carried_of(struct estimate *e, const struct fatfly_config *c)
{
    for (size_t k = 0; k < e->runs; k++) {
        const struct fatfly_config *o = &e->carried[k].config;
        if (o->topology == c->topology && o->vcs == c->vcs && o->depth == c->depth && o->path == c->path
            && o->scan == c->scan)
            return k;
    }
    e->carried[e->runs].config = *c;
    return e->runs++;
}

static bool is_new(const struct estimate *e, const struct hardware_design *d)
{
    for (size_t k = 0; k < e->count; k++)
        if (cost_same_design(&e->candidate[k].design, d))
            return false;
    return true;
}

/* What the table has of a family, as much as fits. */
static void list_designs(const struct estimate *e, char *text, size_t size)
{
    const char *names[32];
    char name[32][64];
    unsigned n = 0;
    for (size_t k = 0; k < e->table.count && n < 32; k++) {
        const struct cost_row *r = &e->table.row[k];
        if (strcmp(r->family, e->family) != 0 || isnan(r->mhz) || !kind_wanted(e, &r->design)
            || strlen(text) + 40 >= size)
            continue;
        hardware.name(&r->design, name[n], sizeof name[n]);
        list_name(names, &n, text, size, name[n]);
    }
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", used ? ", ..." : "none");
}

/* Every number of a list must be that of a design: one that is in none would be passed over. */
static int check_list(const struct estimate *e, const char *name, uint64_t bits, size_t at, struct fail *f)
{
    char there[160] = "";
    for (unsigned b = 0; b < 64; b++) {
        bool used = !(bits >> b & 1);
        for (size_t k = 0; k < e->count && !used; k++)
            used = *(const unsigned *)((const char *)&e->candidate[k].design.params + at) % 64 == b;
        if (used)
            continue;
        list_designs(e, there, sizeof there);
        return fail(f, EXIT_USAGE, "%s %u: no design of %s in %s has it; there are: %s; make synth CONFIG=NAME "
                    "adds one", name, b ? b : 64, e->family, e->file, there);
    }
    return 0;
}

static int check_lists(const struct estimate *e, struct fail *f)
{
    return check_list(e, "--vcs", e->vcs, offsetof(struct switch_params, vcs), f) ||
           check_list(e, "--depth", e->depth, offsetof(struct switch_params, depth), f) ||
           check_list(e, "--flit-bits", e->flit_bits, offsetof(struct switch_params, flit_w), f) ? -1 : 0;
}

/* Every network of a list must have a design, or nothing is compared with it. */
static int check_kinds(struct estimate *e, struct fail *f)
{
    uint64_t there = 0;
    char list[160] = "";
    for (size_t k = 0; k < e->count; k++)
        there |= UINT64_C(1) << estimate_kind(&e->candidate[k].design);
    for (unsigned k = 0; k < NETWORK_KINDS; k++)
        if ((e->kinds & ~there) >> k & 1) {
            e->kinds = UINT64_C(1) << k;
            list_designs(e, list, sizeof list);
            return fail(f, EXIT_USAGE, "--topology %s: no design of %s in %s has area and clock for %llu processors "
                        "and what is asked for; there are: %s; make synth CONFIG=NAME adds one", network_kinds[k],
                        e->family, e->file, (unsigned long long)e->nodes, list);
        }
    return 0;
}

static int find_candidates(struct estimate *e, struct fail *f)
{
    char why[300] = "", there[160] = "";
    bool small = false;
    e->candidate = calloc(MAX_DESIGNS + 1, sizeof *e->candidate); /* and one that is too many */
    e->carried = calloc(MAX_DESIGNS, sizeof *e->carried);
    if (!e->candidate || !e->carried)
        return fail(f, EXIT_SYSTEM, "no memory for the designs");
    for (size_t k = 0; k < e->table.count; k++) {
        const struct cost_row *r = &e->table.row[k];
        struct candidate *c = &e->candidate[e->count];
        const struct hardware_design *d = &r->design;
        if (strcmp(r->family, e->family) != 0 || !wanted(e, d) || !is_new(e, d) ||
            !cost_network(&e->table, e->family, d, e->levels, &c->cost))
            continue;
        struct fatfly_config config = config_of(e, d);
        if (fatfly_check(&config, why, sizeof why)) { /* such as a head that does not fit */
            small = true;
            continue;
        }
        if (e->count == MAX_DESIGNS)
            return fail(f, EXIT_USAGE, "more than %d designs of %s in %s can be built; allowed: fewer, with lists such as --vcs 1,2",
                        MAX_DESIGNS, e->family, e->file);
        c->design = *d;
        c->place = k;
        c->carried = carried_of(e, &config);
        e->count++;
    }
    if (e->count)
        return check_lists(e, f) || check_kinds(e, f) ? -1 : 0;
    list_designs(e, there, sizeof there);
    return fail(f, EXIT_USAGE, "no design of %s in %s has area and clock and what is asked for%s%s; "
                "there are: %s; make synth CONFIG=NAME adds one", e->family, e->file,
                small ? "; the last one left out: " : "", small ? why : "", there);
}

/* -- what they carry -------------------------------------------------------------------------- */

static bool go_on(void *context, uint64_t cycle, uint64_t delivered)
{
    (void)context;
    (void)cycle;
    (void)delivered;
    return !point_interrupted;
}

/* One run; 0, or -1 with f filled. */
static int simulate(const struct fatfly_config *c, struct fatfly_result *r, struct fail *f)
{
    struct fatfly_hooks hooks = {.poll = go_on};
    char why[300] = "";
    int status = fatfly_run(c, &hooks, r, why, sizeof why);
    if (status)
        return fail(f, status == FATFLY_NO_MEMORY ? EXIT_SYSTEM : EXIT_CHECK, "%s", why);
    if (r->end == FATFLY_STOPPED)
        return fail(f, EXIT_SYSTEM, "interrupted; nothing was written");
    return 0;
}

/* Between a load that is carried, or of which so few cycles say nothing, and one that is not; no more than what the
 * network accepts there.  fatfly saturation finds it with an interval, in a hundred times the cycles. */
static int find_saturation(struct carried *k, struct fatfly_result *r, struct fail *f)
{
    double low = 0, high = 1, accepted = 1;
    while (high - low > 0.01 * high) {
        struct fatfly_config c = k->config;
        c.load = low > 0 ? (low + high) / 2 : high / 2;
        if (simulate(&c, r, f))
            return -1;
        if (r->end == FATFLY_SATURATED) {
            high = c.load;
            accepted = (double)r->accepted_flits / ((double)r->measure_cycles * c.nodes);
        } else
            low = c.load;
        if (high < 1e-5)
            return fail(f, EXIT_CHECK, "no load is carried by vcs %u, depth %u", c.vcs, c.depth);
    }
    k->saturation = low < accepted ? low : accepted;
    return 0;
}

static int find_latency(struct carried *k, struct fatfly_result *r, struct fail *f)
{
    struct fatfly_config c = k->config;
    c.load = 0.01 * k->saturation;
    c.detect_warmup = false;
    c.warmup = WINDOW / 10;
    c.cycles = (uint64_t)(WORMS * (double)c.length / (c.load * c.nodes)) + WINDOW;
    if (simulate(&c, r, f))
        return -1;
    if (!r->measured)
        return fail(f, EXIT_CHECK, "no worm was measured at load %g", c.load);
    k->latency = (double)r->latency_sum / (double)r->measured;
    return 0;
}

static double seconds_since(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

static void progress(const struct estimate *e)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%zu of %zu designs simulated, %.0f s%s", e->done, e->runs, seconds_since(&e->began),
                e->done == e->runs ? "\r\033[K" : "");
}

static void *work(void *context)
{
    struct estimate *e = context;
    struct fatfly_result *r = malloc(sizeof *r);
    struct fail f = {.code = EXIT_OK};
    for (bool more = true; more;) {
        pthread_mutex_lock(&e->lock);
        size_t k = e->next;
        more = k < e->runs && !e->failed;
        e->next += more;
        pthread_mutex_unlock(&e->lock);
        if (!more)
            break;
        struct carried *c = &e->carried[k];
        int bad = !r ? fail(&f, EXIT_SYSTEM, "no memory for a run")
                     : find_saturation(c, r, &f) || find_latency(c, r, &f);
        pthread_mutex_lock(&e->lock);
        if (bad && !e->failed)
            e->fail = f;
        e->failed |= bad != 0;
        e->done++;
        progress(e);
        pthread_mutex_unlock(&e->lock);
    }
    free(r);
    return NULL;
}

static int run_all(struct estimate *e, struct fail *f)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t threads = e->threads ? e->threads : cores > 0 ? (size_t)cores : 1, count = 0;
    pthread_t other[MAX_THREADS];
    pthread_mutex_init(&e->lock, NULL);
    clock_gettime(CLOCK_MONOTONIC, &e->began);
    while (count + 1 < threads && count + 1 < e->runs && count < MAX_THREADS
           && pthread_create(&other[count], NULL, work, e) == 0)
        count++;
    work(e);
    for (size_t k = 0; k < count; k++)
        pthread_join(other[k], NULL);
    pthread_mutex_destroy(&e->lock);
    if (e->failed)
        *f = e->fail;
    return e->failed ? -1 : 0;
}

/* -- which is best ---------------------------------------------------------------------------- */

static int by_area(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->cost.lut != y->cost.lut)
        return x->cost.lut < y->cost.lut ? -1 : 1;
    if (x->throughput != y->throughput)
        return x->throughput > y->throughput ? -1 : 1;
    return x->place < y->place ? -1 : 1;
}

static void judge(struct estimate *e)
{
    double most = 0;
    for (size_t k = 0; k < e->count; k++) {
        struct candidate *c = &e->candidate[k];
        const struct carried *s = &e->carried[c->carried];
        c->latency_ns = s->latency * 1000 / c->cost.mhz;
        c->throughput = s->saturation * c->cost.mhz / 1000;
        c->meets = !(c->throughput < e->min_throughput) && !(c->latency_ns > e->max_latency)
                && !(c->cost.lut > e->max_lut);
    }
    qsort(e->candidate, e->count, sizeof *e->candidate, by_area);
    for (size_t k = 0; k < e->count; k++) {
        struct candidate *c = &e->candidate[k];
        bool same = k && c[-1].cost.lut == c->cost.lut && c[-1].throughput == c->throughput; /* neither beats the other */
        c->front = c->throughput > most || (same && c[-1].front);
        most = c->throughput > most ? c->throughput : most;
    }
}

/* -- the command ------------------------------------------------------------------------------ */

static int find_and_run(struct estimate *e, struct fail *f)
{
    struct outfile o;
    find_table(e);
    if (e->plot) { /* better known before the simulations than after them */
        if (outfile_open(&o, e->plot, f))
            return -1;
        outfile_drop(&o);
    }
    if (cost_read(&e->table, e->file, f) || check_family(e, f) || find_candidates(e, f) ||
        run_all(e, f))
        return -1;
    judge(e);
    return e->plot ? gnuplot_draw(e->plot, estimate_plot, e, f) : 0;
}

static int run(struct estimate *e, struct fail *f)
{
    if (find_and_run(e, f))
        return -1;
    estimate_print(e);
    if (!estimate_choose(e))
        return estimate_none_meets(e, f);
    return 0;
}

static int play(int argc, char *const argv[], struct fail *f)
{
    struct estimate e = {.nodes = 64, .length = 32, .seed = 1, .family = "ice40",
                         .min_throughput = NAN, .max_latency = NAN, .max_lut = NAN};
    const char *none;
    point_catch_signals();
    int bad = args_parse(&estimate_command, argc, argv, &e, &none, f);
    if (!bad)
        bad = parse(&e, f) || run(&e, f) ? -1 : 0;
    free(e.candidate);
    free(e.carried);
    cost_free(&e.table);
    return bad < 0 ? bad : 0;
}
