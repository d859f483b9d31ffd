/* SPDX-License-Identifier: Apache-2.0
 * settings_finish.c - what settings say about each other, the files that they name, and the memory
 * that they need.
 */
#include "rows.h"

#include "args.h"
#include "check.h"
#include "discipline.h"
#include "outfile.h"
#include "pattern.h"
#include "shared.h"
#include "text.h"
#include "trace.h"
#include "traffic.h"
#include "tree.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LARGEST_WAVES = 256 }; /* processors; beyond, files and names of signals get unwieldy */

/* -- what settings say about each other ------------------------------------------------------ */

const char *row_spell_own(char text[SPELLED], const struct origin *o, const struct settings *s,
                          enum row row)
{
    char value[300];
    settings_get(s, row, value, sizeof value);
    if (settings_table[row].kind == SET_TRUTH) {
        bool yes = strcmp(value, "yes") == 0;
        return row_spell(text, o, row, o->file ? yes ? "true" : "false" : yes ? "" : "no");
    }
    return row_spell(text, o, row, value);
}

/* "--hotspot-node 3 with --pattern random; allowed: only with --pattern hotspot"; only NULL: with
 * any other value. */
static int clash(const struct settings *s, enum row row, enum row with, const char *only,
                 struct fail *f)
{
    struct origin o = row_origin(s, row_given(s, row) ? row : with);
    char a[SPELLED], b[SPELLED], c[SPELLED];
    row_spell_own(a, &o, s, row);
    if (row == TOPOLOGY && !s->topology[0])
        row_spell(a, &o, TOPOLOGY, "fat-tree");
    if (row == LOAD && s->place == IN_SATURATION) /* which nobody gave */
        snprintf(a, sizeof a, "fatfly saturation");
    if (with == LOAD && s->place == IN_SATURATION)
        return row_refuse(f, &o, "%s with fatfly saturation; allowed: only in fatfly run", a);
    row_spell(c, &o, with, only);
    if (with == LOAD && s->config.load <= 0)
        return row_refuse(f, &o, "%s without %s; allowed: only in an open loop, with %s", a,
                          row_spell(b, &o, LOAD, NULL), b);
    row_spell_own(b, &o, s, with);
    if (with == LOAD)
        return row_refuse(f, &o, "%s with %s; allowed: only in a static run, without %s", a, b,
                          row_spell(c, &o, LOAD, NULL));
    return row_refuse(f, &o, "%s with %s; allowed: only with %s%s", a, b,
                      only ? "" : "another ", c);
}

static bool packets(const struct fatfly_config *c)
{
    return discipline_of(c)->packets;
}

/* Of the library's table (check.h). */
static int refuse_contradiction(const struct settings *s, struct fail *f)
{
    struct contradiction is;
    return check_contradiction(&s->config, &is)
               ? clash(s, (enum row)settings_find(is.field), (enum row)settings_find(is.with), is.only,
                       f) : 0;
}

/* What a plug-in stands in for is not asked for, too. */
static int refuse_beside_plugin(const struct settings *s, struct fail *f)
{
    const struct fatfly_plugin *p = s->config.plugin;
    const struct { enum row row; bool has; const char *callback; } rules[] = {
        {PATH, p && p->route, "route"},         {PATTERN, p && p->destination, "destination"},
        {HOTSPOT, p && p->destination, "destination"}, {MATRIX, p && p->destination, "destination"},
        {PERMUTATION, p && p->destination, "destination"}, {TRACE, p && p->destination, "destination"},
        {SELF_TRAFFIC, p && p->destination, "destination"},
        {TRACE, p && p->gap, "gap"}, {ARRIVALS, p && p->gap, "gap"}, {BURST_ON, p && p->gap, "gap"},
        {BURST_OFF, p && p->gap, "gap"}, {SCAN, p && p->before, "before"},
        {PLUGIN_SECONDS, !p, NULL}};
    char a[SPELLED], b[SPELLED];
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        struct origin o = row_origin(s, rules[k].row);
        if (!rules[k].has || !row_given(s, rules[k].row))
            continue;
        row_spell_own(a, &o, s, rules[k].row);
        if (!rules[k].callback)
            return row_refuse(f, &o, "%s without a plugin; allowed: with %s", a,
                              row_spell(b, &o, PLUGIN, "FILE.so"));
        return row_refuse(f, &o, "%s with %s, whose %s() says that; allowed: one of them", a,
                          row_spell(b, &o, PLUGIN, s->plugin), rules[k].callback);
    }
    return 0;
}

bool settings_probed(const struct settings *s)
{
    const struct fatfly_config *c = &s->config;
    return !c->topology && c->load <= 0 && !packets(c) && c->nodes <= LARGEST_WAVES && traffic_classes(c) == 1;
}

bool settings_watched(const struct settings *s)
{
    return s->events[0] || s->perfetto[0] || ((s->waves[0] || s->watch) && !settings_probed(s));
}

/* Runs in parts take turns, and the Verilog has none. */
static int refuse_parts(const struct settings *s, struct fail *f)
{
    if (s->config.parts > 1 && s->rtl)
        return clash(s, PARTS, ENGINE, "auto or fast", f);
    return s->config.parts > 1 && s->threads > 1 ? clash(s, THREADS, PARTS, "1", f) : 0;
}

/* A window of waves that there are not, or not of moves. */
static int refuse_window(const struct settings *s, struct fail *f)
{
    enum row row = row_given(s, WAVES_FROM) ? WAVES_FROM : WAVES_TO;
    struct origin o = row_origin(s, row);
    char a[SPELLED], b[SPELLED], c[SPELLED];
    if (!row_given(s, row))
        return 0;
    row_spell_own(a, &o, s, row);
    if (!s->waves[0])
        return row_refuse(f, &o, "%s without %s; allowed: with %s", a, row_spell(b, &o, WAVES, NULL),
                          row_spell(c, &o, WAVES, "FILE"));
    if (settings_probed(s))
        return row_refuse(f, &o, "%s in a static run of a fat-tree, whose waves are of registers; allowed: in an open loop, "
                          "with another topology, or in fatfly cosim", a);
    if (s->waves_to && s->waves_to < s->waves_from)
        return row_refuse(f, &o, "%s with %s; the window ends before it begins", a, row_spell_own(b, &o, s, WAVES_TO));
    return 0;
}

/* A setting that does nothing beside another is refused: whoever gave it believes that it does. */
static int refuse_useless(const struct settings *s, struct fail *f)
{
    const struct fatfly_config *c = &s->config;
    bool open = c->load > 0;
    bool trace = c->pattern == FATFLY_MESSAGES;
    bool hotspot = traffic_has(c, FATFLY_HOTSPOT);
    enum row pattern = c->class_patterns ? CLASS_PATTERN : PATTERN;
    bool partial = pattern_is_partial(c->pattern), vary = c->lengths != FATFLY_FIXED;
    bool of_one_run = s->waves[0] || s->watch;
    bool waves = s->waves[0]; /* of one run */
    bool universal = discipline_of(c)->rounds;
    bool stages = c->discipline == FATFLY_CMSV_STORE || c->discipline == FATFLY_CMSV_PROTOCOL;
    const struct {
        enum row row;
        bool wrong;
        enum row with;
        const char *only;
    } rules[] = {
        {ROUNDS, open, LOAD, NULL},
        {DELAY_RANGE, open, LOAD, NULL},
        {WARMUP, !open, LOAD, NULL},
        {CYCLES, !open && !(trace && s->place == IN_CASE), LOAD, NULL},
        {PATTERN, s->place == IN_CASE && open && c->pattern != FATFLY_RANDOM, LOAD, NULL},
        {HOTSPOT, s->place == IN_CASE && open, LOAD, NULL},
        {HOTSPOT_NODE, s->place == IN_CASE && open, LOAD, NULL},
        {LENGTHS, s->place == IN_CASE && !open && vary, LOAD, NULL},
        {ARRIVALS, !open, LOAD, NULL},
        {WHOLE, !open && c->whole, LOAD, NULL},
        {PRECISION, !open, LOAD, NULL},
        {FAIL_SATURATED, !open && s->fail_saturated, LOAD, NULL},
        {TRACE, !trace, PATTERN, "trace"},
        {CYCLES_PER_US, !trace, PATTERN, "trace"},
        {MAX_BYTES, !trace, PATTERN, "trace"},
        {MAX_MESSAGES, !trace, PATTERN, "trace"},
        {PERMUTATION, !traffic_has(c, FATFLY_PERMUTATION), pattern, "permutation"},
        {HOTSPOT, !hotspot, pattern, "hotspot"},
        {HOTSPOT_NODE, !hotspot, pattern, "hotspot"},
        {MATRIX, !traffic_has(c, FATFLY_MATRIX), pattern, "matrix"},
        {BURST_ON, c->arrivals != FATFLY_ON_OFF, ARRIVALS, "on-off"},
        {BURST_OFF, c->arrivals != FATFLY_ON_OFF, ARRIVALS, "on-off"},
        {LENGTH_MIX, c->lengths != FATFLY_MIX, LENGTHS, "mix"},
        {LENGTH, c->lengths == FATFLY_MIX, LENGTHS, NULL},
        {DENSITY, !partial, PATTERN, "packing, spreading or monotone"},
        {SELF_TRAFFIC, c->self_traffic && !hotspot && !traffic_has(c, FATFLY_RANDOM), pattern,
         "random or hotspot"},
        {LENGTHS, vary && trace, PATTERN, NULL},
        {LENGTH_MIN, !vary || c->lengths == FATFLY_MIX, LENGTHS, "uniform, geometric or bimodal"},
        {LENGTH_MEAN, c->lengths != FATFLY_TRUNCATED, LENGTHS, "geometric"},
        {SHORT_SHARE, c->lengths != FATFLY_BIMODAL, LENGTHS, "bimodal"},
        {ROUNDS, trace, PATTERN, NULL}, {DELAY_RANGE, trace, PATTERN, NULL},
        {DELAY_RANGE, c->discipline == FATFLY_PHASED || c->discipline == FATFLY_CMSV_BUTTERFLY,
         DISCIPLINE, NULL},
        {DEPTH, universal && !stages, DISCIPLINE, NULL},
        {SCAN, universal || c->discipline == FATFLY_UNIV, DISCIPLINE, "worm, phased, store or split"},
        {PHASES, c->discipline != FATFLY_PHASED, DISCIPLINE, "phased"},
        {PHASE_LENGTH, c->discipline != FATFLY_PHASED, DISCIPLINE, "phased"},
        {PHASES, trace, PATTERN, NULL}, {PHASE_LENGTH, trace, PATTERN, NULL},
        {OVERHEAD, c->discipline != FATFLY_SPLIT, DISCIPLINE, "split"},
        {VCS, c->vcs > 1 && packets(c), DISCIPLINE, "worm or phased"},
        {BANDWIDTH, packets(c), DISCIPLINE, "worm or phased"},
        {INJECTION, packets(c), DISCIPLINE, "worm or phased"},
        {CHANNEL_RELEASE, packets(c), DISCIPLINE, "worm or phased"},
        {ENGINE, s->rtl && packets(c), DISCIPLINE, "worm or phased"},
        {ENGINE, s->rtl && open, LOAD, NULL},
        {HISTOGRAM, s->rtl, ENGINE, "auto, fast or cycle"},
        {LINKS, s->rtl, ENGINE, "auto, fast or cycle"},
        {EVENTS, s->rtl || c->engine == FATFLY_FAST, ENGINE, "auto or cycle"},
        {PERFETTO, s->rtl || c->engine == FATFLY_FAST, ENGINE, "auto or cycle"},
        {WAVES, waves && !settings_probed(s) && (s->rtl || c->engine == FATFLY_FAST), ENGINE, "auto or cycle"},
        {WATCH, s->watch && !waves && (s->rtl || c->engine == FATFLY_FAST) && !settings_probed(s), ENGINE, "auto or cycle"},
        {WAVES, waves && s->precision > 0, PRECISION, "none"},
        {waves ? WAVES : WATCH, of_one_run && s->runs > 1, RUNS, "1"},
    };
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
        if (rules[k].wrong && row_given(s, rules[k].row))
            return clash(s, rules[k].row, rules[k].with, rules[k].only, f);
    return 0;
}

/* row's value is beyond what `of` leaves. */
static int beyond(const struct settings *s, enum row row, enum row of, uint64_t low, uint64_t high,
                  struct fail *f)
{
    enum row at = row_given(s, row) ? row : of;
    struct origin o = row_origin(s, at);
    char a[SPELLED], b[SPELLED];
    return row_refuse(f, &o, "%s with %s; allowed: %llu to %llu", row_spell_own(a, &o, s, row),
                      row_spell_own(b, &o, s, of), (unsigned long long)low, (unsigned long long)high);
}

static int refuse_beyond(const struct settings *s, struct fail *f)
{
    const struct fatfly_config *c = &s->config;
    struct beyond is;
    if (check_beyond(c, &is))
        return beyond(s, (enum row)settings_find(is.field), (enum row)settings_find(is.of), is.low, is.high, f);
    if ((s->precision > 0 || s->place == IN_SATURATION) && c->max_cycles && c->max_cycles < c->cycles)
        return beyond(s, MAX_CYCLES, CYCLES, c->cycles, UINT64_C(1) << 62, f);
    if (c->lengths == FATFLY_TRUNCATED && c->length_mean > c->length)
        return beyond(s, LENGTH_MEAN, LENGTH, c->length_min, c->length, f);
    /* The bytes of a message travel behind the head. */
    if (c->pattern == FATFLY_MESSAGES && c->length < 2)
        return beyond(s, LENGTH, PATTERN, 2, FATFLY_MAX_LENGTH, f);
    return 0;
}

static int refuse_absent(const struct settings *s, struct fail *f)
{
    static const struct { enum fatfly_pattern pattern; enum row file; } of_files[] = {
        {FATFLY_PERMUTATION, PERMUTATION}, {FATFLY_MATRIX, MATRIX}, {FATFLY_MESSAGES, TRACE}};
    enum row row = s->config.class_patterns ? CLASS_PATTERN : PATTERN;
    struct origin o = row_origin(s, row);
    char a[SPELLED], b[SPELLED];
    if (s->config.lengths == FATFLY_MIX && !s->length_mix[0]) {
        o = row_origin(s, LENGTHS);
        return row_refuse(f, &o, "%s without its list; allowed: with %s", row_spell_own(a, &o, s, LENGTHS),
                          row_spell(b, &o, LENGTH_MIX, "1:4,5:1"));
    }
    for (size_t k = 0; k < sizeof of_files / sizeof *of_files; k++)
        if (traffic_has(&s->config, of_files[k].pattern) && !*(const char *)row_place(s, of_files[k].file))
            return row_refuse(f, &o, "%s without its file; allowed: with %s", row_spell_own(a, &o, s, row),
                              row_spell(b, &o, of_files[k].file, "FILE"));
    return 0;
}

/* What is written first, then what is read. */
static const enum row files[] = {OUTPUT, HISTOGRAM, LINKS, EVENTS, PERFETTO, WAVES, CONFIG, TRACE, PERMUTATION,
                                 MATRIX, PLUGIN, TOPOLOGY};
enum { WRITTEN = 6, ALL = sizeof files / sizeof *files };

/* The name of files[j]; "": there is none. */
static const char *name_of_file(const struct settings *s, size_t j)
{
    const char *name = row_place(s, files[j]);
    int at = files[j] == TOPOLOGY ? settings_file(TOPOLOGY, name) : 0;
    return at >= 0 ? name + at : "";
}

/* What is written beside a wave file is written, too. */
static int refuse_beside(const struct settings *s, struct fail *f)
{
    char beside[OUTFILE_NAME], a[SPELLED], b[SPELLED];
    struct origin o = row_origin(s, WAVES);
    for (unsigned i = 0; s->waves[0] && outfile_of_waves(s->waves, i, beside); i++)
        for (size_t j = 0; j < ALL; j++)
            if (*name_of_file(s, j) && args_same_file(beside, name_of_file(s, j)))
                return row_refuse(f, &o, "%s writes %.200s, too, which is %s; allowed: another file",
                                  row_spell_own(a, &o, s, WAVES), beside, row_spell(b, &o, files[j], NULL));
    return 0;
}

/* Two results in one file would leave one of them, and what is written over what is read neither.  Until it is
 * whole a file has another name, which is no other's either. */
static int refuse_same_file(const struct settings *s, struct fail *f)
{
    char a[SPELLED], b[SPELLED], part[OUTFILE_NAME];
    for (size_t k = 0; k < WRITTEN; k++)
        for (size_t j = 0; j < ALL && *name_of_file(s, k); j++) {
            const char *x = name_of_file(s, k), *y = name_of_file(s, j);
            struct origin o = row_origin(s, files[k]);
            snprintf(part, sizeof part, "%.600s.part", x);
            bool late = j < WRITTEN && j != k && *y && args_same_file(part, y);
            if (late || ((j < k || j >= WRITTEN) && *y && args_same_file(x, y)))
                return row_refuse(f, &o, "%s and %s are one file%s; allowed: two", row_spell_own(a, &o, s, files[k]),
                                  row_spell(b, &o, files[j], NULL), late ? " until it is whole" : "");
        }
    return refuse_beside(s, f);
}

/* Greedy routing of a fixed problem: nothing is random, so one run says all. */
static bool all_alike(const struct fatfly_config *c)
{
    static const bool drawn[FATFLY_PATTERNS] = {
        [FATFLY_RANDOM] = true, [FATFLY_HOTSPOT] = true, [FATFLY_RANDOM_PERMUTATION] = true,
        [FATFLY_PACKING] = true, [FATFLY_SPREADING] = true, [FATFLY_MONOTONE] = true,
        [FATFLY_DIAGONAL] = true, [FATFLY_ASYMMETRIC] = true, [FATFLY_MATRIX] = true};
    return c->topology && c->discipline == FATFLY_STORE && c->delay_range <= 1 && !drawn[c->pattern];
}

/* What depends on other settings and was not set. */
static void fill(struct settings *s)
{
    struct fatfly_config *c = &s->config, usual;
    unsigned log2 = 0;
    fatfly_defaults(&usual);
    while (UINT32_C(1) << log2 < c->nodes)
        log2++;
    if (c->class_patterns)
        ; /* they say all */
    else if (!row_given(s, PATTERN) && s->trace[0])
        c->pattern = FATFLY_MESSAGES;
    else if (!row_given(s, PATTERN) && s->permutation[0])
        c->pattern = FATFLY_PERMUTATION;
    else if (!row_given(s, PATTERN) && s->matrix[0])
        c->pattern = FATFLY_MATRIX;
    else if (!row_given(s, PATTERN) && (row_given(s, HOTSPOT) || row_given(s, HOTSPOT_NODE)))
        c->pattern = FATFLY_HOTSPOT;
    if (!row_given(s, LENGTHS) && s->length_mix[0])
        c->lengths = FATFLY_MIX;
    if (!row_given(s, DEPTH) && !c->topology) /* GO III.B.3 */
        c->depth = c->discipline == FATFLY_STORE ? 1 : usual.depth;
    if (!row_given(s, DELAY_RANGE)) /* GO, figure 2 */
        c->delay_range = c->discipline == FATFLY_UNIV ? log2 : usual.delay_range;
    if (!row_given(s, LENGTH_MEAN))
        c->length_mean = (c->length + c->length_min) / 2.0;
    if (!row_given(s, RUNS))
        s->runs = c->load > 0 || c->pattern == FATFLY_MESSAGES || s->waves[0] || s->watch ||
                  all_alike(c) ? 1 : 30;
    c->detect_warmup = s->detect_warmup;
    if (s->detect_warmup)
        c->warmup = usual.warmup;
}

/* -- files and memory ------------------------------------------------------------------------ */

/* A container's limit, where there is one. */
static double container_memory(void)
{
    double limit = HUGE_VAL;
    FILE *in = fopen("/sys/fs/cgroup/memory.max", "r");
    if (!in)
        return limit;
    if (fscanf(in, "%lf", &limit) != 1 || !(limit > 0)) /* "max" */
        limit = HUGE_VAL;
    fclose(in);
    return limit;
}

static double known_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    double most = container_memory();
    struct rlimit limit;
    if (pages > 0 && size > 0 && (double)pages * (double)size < most)
        most = (double)pages * (double)size;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        (double)limit.rlim_cur < most)
        most = (double)limit.rlim_cur;
    return most;
}

/* Asked for every point of a sweep: it is looked up once. */
double settings_memory(void)
{
    static _Atomic double known;
    if (known <= 0)
        known = known_memory();
    return known;
}

static int refuse_memory(const char *what, double need, struct fail *f)
{
    return fail(f, EXIT_SYSTEM, "%s needs %.1f GB of memory; %.1f GB are there", what, need * 1e-9,
                settings_memory() * 1e-9);
}

/* One destination a line, each processor once. */
static int read_permutation(const struct settings *s, FILE *in, uint32_t *map, struct fail *f)
{
    const char *file = s->permutation;
    uint32_t nodes = s->config.nodes;
    char line[64];
    size_t n = 0, length;
    uint32_t *from = calloc(nodes, sizeof *from); /* line of each destination */
    int bad = from ? 0 : fail(f, EXIT_SYSTEM, "no memory to read %s", file);
    while (!bad && text_line(in, line, sizeof line, &length)) {
        bool whole = line[length - 1] == '\n', text = strlen(line) == length;
        n++;
        if (whole)
            line[--length] = '\0';
        if (whole && length && line[length - 1] == '\r')
            line[--length] = '\0';
        unsigned long v = length && length < 10 && strspn(line, "0123456789") == length
                              ? strtoul(line, NULL, 10) : ULONG_MAX;
        if (n > nodes)
            bad = fail_at(f, file, n, "a line more; allowed: %u lines, a destination for each "
                          "processor", nodes);
        else if (!text)
            bad = fail_at(f, file, n, "a zero byte; allowed: text");
        else if (v >= nodes || (!whole && !feof(in)))
            bad = fail_at(f, file, n, "'%.40s'; allowed: a processor, 0 to %u", line, nodes - 1);
        else if (from[v])
            bad = fail_at(f, file, n, "%lu again, after line %u; allowed: each processor once", v,
                          from[v]);
        else
            from[map[n - 1] = (uint32_t)v] = (uint32_t)n;
    }
    if (!bad && ferror(in))
        bad = fail_at(f, file, 0, "%s; allowed: a readable file", strerror(errno));
    if (!bad && n < nodes)
        bad = fail_at(f, file, n + 1, "%zu lines; allowed: %u, a destination for each processor", n,
                      nodes);
    free(from);
    return bad;
}

static int load_permutation(struct settings *s, struct fail *f)
{
    if (row_refuse_missing(s, PERMUTATION, f))
        return -1;
    FILE *in = fopen(s->permutation, "r");
    if (!in)
        return fail_at(f, s->permutation, 0, "%s; allowed: a readable file", strerror(errno));
    s->permutation_map = malloc(s->config.nodes * sizeof *s->permutation_map);
    int bad = s->permutation_map ? read_permutation(s, in, s->permutation_map, f)
                                 : fail(f, EXIT_SYSTEM, "no memory to read %s", s->permutation);
    fclose(in);
    s->config.permutation = s->permutation_map;
    return bad;
}

static int cut_messages(struct settings *s, const struct trace *t, struct fail *f)
{
    struct switch_params p = {.flit_w = s->config.flit_bits ? s->config.flit_bits : 32};
    if (!s->config.topology)
        tree_params(&s->config, &p);
    const struct trace_cut cut = {s->cycles_per_us, s->max_bytes, p.flit_w, s->config.length};
    uint64_t count = 0; /* below 2^40 messages of 2^40 bytes each: no overflow before the check */
    const uint64_t most = UINT32_MAX - 1;
    const double memory = settings_memory();
    for (size_t k = 0; k < t->count; k++) {
        count += trace_worms(&cut, &t->message[k]);
        double need = (double)count * sizeof *s->messages;
        if (need > memory)
            return refuse_memory(s->trace, need, f);
        if (count > most)
            return fail(f, EXIT_INPUT, "%s: more than %llu worms; allowed: longer worms (length) "
                        "or fewer bytes (max-bytes, max-messages)", s->trace,
                        (unsigned long long)most);
    }
    struct fatfly_message *to = malloc((size_t)count * sizeof *to);
    if (!to)
        return refuse_memory(s->trace, (double)count * sizeof *to, f);
    s->messages = to;
    for (size_t k = 0; k < t->count; k++) {
        const struct trace_message *m = &t->message[k];
        double cycle = trace_cycle(&cut, t, k);
        if (cycle >= 0x1p62)
            return trace_too_long(&cut, cycle, s->trace, f);
        for (uint64_t worm = 0, of = trace_worms(&cut, m); worm < of; worm++)
            *to++ = (struct fatfly_message){.ready = (uint64_t)cycle, .src = m->src, .dst = m->dst,
                                            .length = trace_flits(&cut, m, worm)};
    }
    s->config.messages = s->messages;
    s->config.message_count = (size_t)count;
    return 0;
}

int settings_trace(struct settings *s, struct fail *f)
{
    struct trace t;
    if (row_refuse_missing(s, TRACE, f))
        return -1;
    if (trace_read(&t, s->trace, s->config.nodes, s->max_messages, f))
        return -1;
    int bad = cut_messages(s, &t, f);
    trace_free(&t);
    return bad;
}

/* fatfly_check() begins with `name = value`: if a file set it, its line is where to look. */
static int check(const struct settings *s, struct fail *f)
{
    struct fatfly_config c = s->config;
    char why[300], name[64];
    c.load = s->place == IN_CASE ? 0 : c.load; /* a case has an open loop of its own */
    if (fatfly_check(&c, why, sizeof why) == FATFLY_OK)
        return 0;
    if (s->plugin[0] && strncmp(why, "plugin", 6) == 0)
        return fail_at(f, s->plugin, 0, "%s", why);
    size_t length = strcspn(why, " ");
    snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), why);
    int row = settings_find(name);
    struct origin o = {NULL, 0};
    if (row >= 0) /* a head that does not fit may be the network's fault */
        o = row_origin(s, row == FLIT_BITS && !row_given(s, FLIT_BITS) ? NODES : (enum row)row);
    return row_refuse(f, &o, "%s", why);
}

/* Whether a file says where worms go, of some class at least. */
static bool has_table(const struct settings *s)
{
    return traffic_has(&s->config, FATFLY_PERMUTATION) || traffic_has(&s->config, FATFLY_MATRIX);
}

int settings_agree(struct settings *s, struct fail *f)
{
    settings_free(s);
    if (refuse_same_file(s, f) || settings_classes(s, f) || settings_network(s, f))
        return -1;
    fill(s);
    if (refuse_beside_plugin(s, f) || refuse_contradiction(s, f) || refuse_useless(s, f) || refuse_window(s, f) || refuse_parts(s, f) || refuse_absent(s, f) ||
        (s->config.lengths == FATFLY_MIX && settings_mix(s, f)) || refuse_beyond(s, f))
        return -1;
    /* A trace may be long; what is wrong without it is said first. */
    return has_table(s) ? 0 : check(s, f);
}

int settings_fits(const struct settings *s, struct fail *f)
{
    char what[SPELLED];
    double need = shared_memory(s) + (double)s->config.message_count * sizeof *s->messages;

    if (need <= settings_memory())
        return 0;
    snprintf(what, sizeof what, "a network of %u processors", s->config.nodes);
    return refuse_memory(what, need, f);
}

int settings_finish(struct settings *s, struct fail *f)
{
    if (settings_agree(s, f) ||
        (traffic_has(&s->config, FATFLY_PERMUTATION) && load_permutation(s, f)) ||
        (traffic_has(&s->config, FATFLY_MATRIX) && settings_matrix(s, f)) || (has_table(s) && check(s, f)) ||
        (s->config.pattern == FATFLY_MESSAGES && (settings_trace(s, f) || check(s, f))))
        return -1;
    return settings_fits(s, f) ? -1 : settings_deadlock(s, f);
}

void settings_free(struct settings *s)
{
    free(s->permutation_map);
    free(s->weights);
    s->weights = NULL;
    s->config.matrix = NULL;
    free(s->messages);
    free(s->graph);
    s->permutation_map = NULL;
    s->messages = NULL;
    s->graph = NULL;
    s->config.graph = NULL;
    s->config.permutation = NULL;
    s->config.messages = NULL;
    s->config.message_count = 0;
}
