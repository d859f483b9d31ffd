/* SPDX-License-Identifier: Apache-2.0
 * saturation.c - `fatfly saturation`: the load at which a network saturates, between one that was judged
 * stable and one that was judged saturated.
 */
#include "commands.h"
#include "outfile.h"
#include "point.h"
#include "search.h"

#include "rng.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int play(int argc, char *const argv[], struct fail *f);

const struct command saturation_command = {
    "saturation", "the load at which a network saturates, between two ends", "[OPTION]...",
    "Finds the load at which a network saturates: runs open loops of it at several loads, until the highest "
    "that was judged stable and the lowest that was judged saturated are close enough: apart by a share of --precision, "
    "0.02 unless it is given.  A load that is undecided is tried again, longer.",
    "Every trial is a point of fatfly run with the same seed: --load and --cycles as --format json has them give "
    "the digest that stands beside them.\n\n"
    "Columns: those of fatfly run that say what was run; saturation_low and saturation_high in flits per cycle "
    "and processor; precision, their difference over their mean; end: found, limit (saturation_high is "
    "the most that can be offered, and not judged saturated), undecided (more cycles are needed, about "
    "cycles_needed) or interrupted; latency_mean, latency_low, latency_high at saturation_low; "
    "accepted_load at saturation_high; trials; cycles, cpu_s and digest of all.\n\n"
    "exit codes: 0 done, 1 a check failed, 2 usage, and a network that cannot saturate, 3 bad input file, "
    "4 missing memory or disk space, or interrupted: what is known is written",
    NULL, NULL, 0, settings_help_saturation, NULL, .play = play};

static const double usual_precision = 0.02;

struct work {
    struct settings *s;
    struct search search;
    uint64_t digest;   /* of all trials */
    uint64_t cycles;   /* simulated */
    double cpu_s;
    bool terminal;     /* of standard error */
};

/* -- the trials -------------------------------------------------------------------------------- */

/* The most that can be offered: 1, less where a matrix or bursts leave less room. */
static double most_load(const struct settings *s)
{
    struct fatfly_config c = s->config;
    char why[300];
    double low = c.load, high = 1;

    c.load = high;
    if (fatfly_check(&c, why, sizeof why) == FATFLY_OK)
        return high;
    for (unsigned k = 0; k < 40; k++) {
        c.load = (low + high) / 2;
        if (fatfly_check(&c, why, sizeof why) == FATFLY_OK)
            low = c.load;
        else
            high = c.load;
    }
    return low;
}

/* A trial on standard error: on a terminal in one line while it runs, else a line when it is over. */
static void show(const struct work *w, double load, uint64_t cycles, const struct probe *p)
{
    const struct search *s = &w->search;

    if (w->terminal && !p)
        fprintf(stderr, "\r\033[K[%.4g to %.4g] trial %u: load %.4g, %" PRIu64 " cycles", search_low(s),
                search_high(s), s->probes + 1, load, cycles);
    else if (w->terminal)
        fprintf(stderr, "\r\033[K");
    else if (p)
        fprintf(stderr, "fatfly saturation: trial %u: load %.6g, %" PRIu64 " cycles: %s; between %.6g and %.6g\n",
                s->probes, load, cycles, point_verdict_names[p->verdict], search_low(s), search_high(s));
}

static struct probe probe_of(const struct settings *s, const struct point *p)
{
    bool mean = point_has_latency(p);

    return (struct probe){.load = s->config.load, .cycles = s->config.cycles, .verdict = p->verdict,
                          .needed = p->cycles_needed, .latency = mean ? p->latency.mean : NAN,
                          .low = mean ? p->within.low : NAN, .high = mean ? p->within.high : NAN,
                          .accepted = p->accepted.mean, .digest = p->digest, .simulated = p->sum.cycles,
                          .cpu_s = p->cpu_s};
}

/* One trial; 0, or -1 with f filled. */
static int try_load(struct work *w, double load, uint64_t cycles, struct fail *f)
{
    struct point p;

    w->s->config.load = load;
    w->s->config.cycles = cycles;
    if (settings_fits(w->s, f)) /* the first trial offers the most, and so mostly needs the most */
        return -1;
    show(w, load, cycles, NULL);
    int bad = point_run(w->s, (unsigned)w->s->threads, NULL, NULL, &p, f);
    if (!bad) {
        struct probe probe = probe_of(w->s, &p);
        if (p.deadlocked)
            bad = fail(f, EXIT_CHECK, "load %.6g: %s", load, p.why);
        else if (!p.sum.worms && p.sum.end == FATFLY_DONE && load >= w->search.most)
            bad = fail(f, EXIT_USAGE, "no worm entered the network at load %.6g: it cannot saturate; allowed: a "
                       "pattern that sends worms to others", load);
        w->digest = rng_hash(w->digest ^ probe.digest);
        w->cycles += probe.simulated;
        w->cpu_s += probe.cpu_s;
        if (!bad)
            search_take(&w->search, &probe);
        if (!bad && !(load >= w->search.most && probe.verdict == FATFLY_STABLE)) /* which is refused in a line */
            show(w, load, cycles, &probe);
        point_free(&p);
    }
    if (bad && w->terminal)
        fprintf(stderr, "\r\033[K");
    return bad;
}

static int search_all(struct work *w, struct fail *f)
{
    double load;
    uint64_t cycles;

    while (search_next(&w->search, &load, &cycles))
        if (try_load(w, load, cycles, f)) {
            if (!point_interrupted || f->code != EXIT_SYSTEM)
                return -1;
            w->search.end = SEARCH_STOPPED;
            return 0;
        }
    if (w->search.end == SEARCH_NEVER)
        return fail(f, EXIT_USAGE, "stable at load %.6g, the most that can be offered: it cannot saturate; "
                    "allowed: a network whose links are shared", w->search.most);
    return 0;
}

/* -- the results ------------------------------------------------------------------------------- */

static const char *const end_names[] = {"", "found", "limit", "", "undecided", "interrupted"};

/* Columns of fatfly run that say what was run. */
static const char *const said[] = {
    "nodes", "length", "depth", "vcs", "discipline", "path", "scan", "pattern", "runs", "seed", "arrivals",
    "lengths", "self_traffic", "start", "overhead", "length_min", "hotspot", "topology", "radix",
    "dimensions", "bandwidth", "link_bandwidth", "density", "injection", "link_latency", "router_latency",
    "channel_release", "input_bandwidth", "processor_links", "head_latency", "channels_in_turn", "classes", "class_length",
    "class_pattern", "class_share", "class_priority", "class_channels", "reply", "reply_delay"};

static void cells_said(const struct settings *s, struct cells *r)
{
    static const struct point none;
    char text[CELL_TEXT];

    for (size_t k = 0; k < sizeof said / sizeof *said; k++)
        for (unsigned c = 0; c < columns_count; c++)
            if (strcmp(columns[c].name, said[k]) == 0) {
                column_text(c, s, &none, text, sizeof text);
                cells_add(r, column_kind(c, text), said[k], "%s", text);
            }
}

static double apart(const struct search *s)
{
    double low = search_low(s), high = search_high(s);
    return 2 * (high - low) / (high + low);
}

static void cells_of(const struct work *w, struct cells *r)
{
    const struct search *s = &w->search;
    const struct probe *low = s->stable, *high = s->saturated;

    r->count = 0;
    cells_said(w->s, r);
    cells_add(r, CELL_NUMBER, "saturation_low", "%.10g", search_low(s));
    cells_add(r, CELL_NUMBER, "saturation_high", "%.10g", search_high(s));
    cells_add(r, CELL_NUMBER, "precision", "%.10g", low ? apart(s) : NAN);
    cells_add(r, CELL_WORD, "end", "%s", end_names[s->end]);
    cells_add(r, CELL_NUMBER, "cycles_needed", "%.17g", s->end == SEARCH_UNDECIDED ? (double)search_needed(s) : NAN);
    cells_add(r, CELL_NUMBER, "latency_mean", "%.10g", low ? low->latency : NAN);
    cells_add(r, CELL_NUMBER, "latency_low", "%.10g", low ? low->low : NAN);
    cells_add(r, CELL_NUMBER, "latency_high", "%.10g", low ? low->high : NAN);
    cells_add(r, CELL_NUMBER, "accepted_load", "%.10g", high ? high->accepted : NAN);
    cells_add(r, CELL_NUMBER, "trials", "%u", s->probes);
    cells_add(r, CELL_NUMBER, "cycles", "%" PRIu64, w->cycles);
    cells_add(r, CELL_NUMBER, "cpu_s", "%.6f", w->cpu_s);
    cells_add(r, CELL_WORD, "digest", "%016" PRIx64, w->digest);
}

static void print_csv(const struct work *w, FILE *out)
{
    struct cells r;

    cells_of(w, &r);
    cells_csv_names(&r, out);
    cells_csv(&r, out);
}

static void json_trial(const struct probe *p, FILE *out)
{
    struct cells r = {.count = 0};

    cells_add(&r, CELL_NUMBER, "load", "%.17g", p->load); /* that --load takes for the same */
    cells_add(&r, CELL_NUMBER, "cycles", "%" PRIu64, p->cycles);
    cells_add(&r, CELL_WORD, "verdict", "%s", point_verdict_names[p->verdict]);
    cells_add(&r, CELL_NUMBER, "cycles_needed", "%.17g", p->verdict == FATFLY_UNDECIDED ? (double)p->needed : NAN);
    cells_add(&r, CELL_NUMBER, "latency_mean", "%.10g", p->latency);
    cells_add(&r, CELL_NUMBER, "latency_low", "%.10g", p->low);
    cells_add(&r, CELL_NUMBER, "latency_high", "%.10g", p->high);
    cells_add(&r, CELL_NUMBER, "accepted_load", "%.10g", p->accepted);
    cells_add(&r, CELL_WORD, "digest", "%016" PRIx64, p->digest);
    fputs("\n    {", out);
    cells_json(&r, " ", out);
    fputc('}', out);
}

static void print_json(const struct work *w, FILE *out)
{
    struct cells r;

    cells_of(w, &r);
    fputs("{\n  ", out);
    cells_json(&r, "\n  ", out);
    fputs(",\n  \"steps\": [", out);
    for (unsigned k = 0; k < w->search.probes; k++) {
        fputs(k ? "," : "", out);
        json_trial(&w->search.probe[k], out);
    }
    fputs("\n  ]\n}\n", out);
}

static void say_trials(const struct search *s, FILE *out)
{
    fprintf(out, "\n      load        cycles  verdict       latency          99 %%          accepted\n");
    for (unsigned k = 0; k < s->probes; k++) {
        const struct probe *p = &s->probe[k];
        char within[40] = "";
        if (!isnan(p->low))
            snprintf(within, sizeof within, "%.1f to %.1f", p->low, p->high);
        fprintf(out, "%10.6f %13" PRIu64 "  %-9s", p->load, p->cycles, point_verdict_names[p->verdict]);
        if (isnan(p->latency))
            fprintf(out, "%33s", "");
        else
            fprintf(out, " %11.1f  %19s", p->latency, within);
        fprintf(out, "  %10.6f\n", p->accepted);
    }
    fputc('\n', out);
}

/* Why the bracket is no narrower. */
static void say_end(const struct work *w, FILE *out)
{
    const struct search *s = &w->search;

    if (!s->stable)
        fprintf(out, "             no load was judged stable\n");
    if (!s->saturated)
        fprintf(out, "             no load was judged saturated; %.4g is the most that can be offered\n", s->most);
    if (s->end == SEARCH_UNDECIDED)
        fprintf(out, "             undecided: not within %.3g %%; the loads between need about %" PRIu64
                " cycles (--max-cycles, now %" PRIu64 ")\n", 100 * s->precision, search_needed(s), s->limit);
    if (s->end == SEARCH_STOPPED)
        fprintf(out, "             interrupted: not within %.3g %%\n", 100 * s->precision);
}

static void print_table(const struct work *w, FILE *out)
{
    const struct search *s = &w->search;

    point_table_network(w->s, out);
    fprintf(out, "trials       %u; %" PRIu64 " open loop%s each, seed %" PRIu64 "\n", s->probes, w->s->runs,
            w->s->runs == 1 ? "" : "s", w->s->config.seed);
    say_trials(s, out);
    if (s->stable)
        fprintf(out, "saturation   %.5g to %.5g flits per cycle and processor, %.2g %% apart\n", search_low(s),
                search_high(s), 100 * apart(s));
    else
        fprintf(out, "saturation   at most %.5g flits per cycle and processor\n", search_high(s));
    say_end(w, out);
    fprintf(out, "digest       %016" PRIx64 "\n", w->digest);
    fprintf(out, "simulated    %" PRIu64 " cycles in %.3f s of CPU time\n", w->cycles, w->cpu_s);
}

static void print_all(const struct work *w, FILE *out)
{
    if (w->s->format == FORMAT_CSV)
        print_csv(w, out);
    else if (w->s->format == FORMAT_JSON)
        print_json(w, out);
    else
        print_table(w, out);
}

/* -- the command ------------------------------------------------------------------------------- */

/* The file that the results go to, if one was asked for, is tried before the search. */
static int try_output(const struct settings *s, struct fail *f)
{
    struct outfile o;

    if (!s->output[0])
        return 0;
    if (outfile_open(&o, s->output, f))
        return -1;
    outfile_drop(&o);
    return 0;
}

static int write_all(const struct work *w, struct fail *f)
{
    struct outfile o;

    if (!w->s->output[0]) {
        print_all(w, stdout);
        return 0;
    }
    if (outfile_open(&o, w->s->output, f))
        return -1;
    print_all(w, o.out);
    return outfile_close(&o, f);
}

/* What a search needs and no run does; 0, or -1 with f filled. */
static int finish(struct settings *s, double *precision, uint64_t *limit, struct fail *f)
{
    s->config.load = 1e-6; /* an open loop, whatever else is said */
    if (settings_finish(s, f))
        return -1;
    *precision = s->precision > 0 ? s->precision : usual_precision;
    *limit = point_limit(s);
    s->precision = 0; /* of latencies, which are as they come */
    s->config.max_cycles = 0;
    return 0;
}

static int saturation(struct settings *s, struct fail *f)
{
    struct work w = {.s = s, .terminal = isatty(STDERR_FILENO)};
    uint64_t limit;
    double precision;

    if (finish(s, &precision, &limit, f) || try_output(s, f))
        return -1;
    search_start(&w.search, precision, most_load(s), s->config.cycles, limit);
    point_catch_signals();
    if (search_all(&w, f) || write_all(&w, f))
        return -1;
    if (w.search.end == SEARCH_STOPPED)
        return fail(f, EXIT_SYSTEM, "interrupted after %u trials; saturation is between %.5g and %.5g",
                    w.search.probes, search_low(&w.search), search_high(&w.search));
    return 0;
}

static int play(int argc, char *const argv[], struct fail *f)
{
    struct settings s;
    if (args_help(&saturation_command, argc, argv))
        return 0;
    int bad = settings_parse(&s, IN_SATURATION, argc, argv, f) || saturation(&s, f);
    settings_free(&s);
    return bad ? -1 : 0;
}
