/* SPDX-License-Identifier: Apache-2.0
 * test_point.c - runs on several threads, what they say together, and how that is written down.
 */
#include "point.h"
#include "rng.h"

#include "unit.h"

#include <math.h>
#include <string.h>

static struct settings s;
static struct fail f;

static void settings(const char *line)
{
    char *argv[UNIT_WORDS];
    int argc = words_of(line, argv);
    if (settings_parse(&s, IN_RUN, argc, argv, &f) || settings_finish(&s, &f))
        fail_msg("%s: %s", line, f.text);
}

static const char *cell(const struct point *p, const char *name)
{
    static char text[64];
    unsigned k = 0;
    while (k < columns_count && strcmp(columns[k].name, name) != 0)
        k++;
    assert_true(k < columns_count);
    column_text(k, &s, p, text, sizeof text);
    return text;
}

#define CELL(p, name, want) assert_string_equal(cell(p, name), want)

/* What print writes, to be freed. */
static char *printed(void (*print)(const struct settings *, const struct point *, FILE *),
                     const struct point *p)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    print(&s, p, out);
    fclose(out);
    return text;
}

static void near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-6 * fabs(want)))
        fail_msg("%.12g is not %.12g", got, want);
}

/* -- results that are given -------------------------------------------------------------------- */

struct given {
    const struct fatfly_result *r; /* of one run after the other */
    unsigned next;
    bool bad;
};

static int hand_out(void *context, const struct fatfly_config *c, const struct fatfly_hooks *h,
                    struct fatfly_result *r, struct fail *why)
{
    struct given *g = context;
    (void)h;
    assert_true(c->seed == fatfly_run_seed(s.config.seed, g->next));
    if (g->bad && g->next == 1)
        return (fail)(why, EXIT_CHECK, "run 1 went wrong"); /* not the macro of cmocka */
    *r = g->r[g->next++];
    return 0;
}

static struct point given_point(const struct fatfly_result *r)
{
    struct given g = {.r = r};
    struct runner by = {hand_out, &g};
    struct point p;
    assert_int_equal(point_run_by(&s, &by, NULL, NULL, &p, &f), 0);
    CHECK_EQ(g.next, s.runs);
    return p;
}

/* What runs say together: every word of a result is a sum, or what is named here. */
static void every_field_of_runs_adds_up(void **state)
{
    enum { RUNS = 3, WORDS = sizeof(struct fatfly_result) / sizeof(uint64_t) };
    static struct fatfly_result r[RUNS];
    static uint64_t of[RUNS][WORDS], sum[WORDS];
    static const size_t largest[] = {offsetof(struct fatfly_result, last_arrival), offsetof(struct fatfly_result, latency_max),
                                     offsetof(struct fatfly_result, measure_from)};
    const size_t from = offsetof(struct fatfly_result, congestion) / sizeof(uint64_t),
                 to = offsetof(struct fatfly_result, measure_from) / sizeof(uint64_t); /* no words of 64 bits between */
    (void)state;
    settings("--runs 3 --nodes 16 --load 0.1");
    for (unsigned round = 0; round < 8; round++) { /* warmed up: a bit a run */
        for (unsigned k = 0; k < RUNS; k++) {
            uint64_t *word = of[k];
            for (size_t w = 0; w < WORDS; w++)
                word[w] = rng_hash(unit_seed + 1000 * (RUNS * round + k) * WORDS + w) >> (round % 2 ? 3 : 54); /* small and large */
            memcpy(&r[k], word, sizeof r[k]);
            r[k].end = FATFLY_DONE;
            r[k].congestion = r[k].dilation = r[k].algorithm_rounds = 10 + k * 7 % RUNS;
            r[k].load_factor = 0.5 * r[k].congestion;
            r[k].warmed_up = round >> k & 1;
            r[k].classes = FATFLY_MAX_CLASSES;
            r[k].latency_max = (UINT64_C(1) << 60) + k; /* so all of the histograms count */
            for (unsigned c = 0; c < FATFLY_MAX_CLASSES; c++)
                r[k].by_class[c].latency_max = (UINT64_C(1) << 60) + (k + c) % RUNS;
            memcpy(word, &r[k], sizeof r[k]);
        }
        struct point p = given_point(r);
        memcpy(sum, &p.sum, sizeof p.sum);
        for (size_t w = 0; w < WORDS; w++) {
            size_t at = w * sizeof(uint64_t), class = offsetof(struct fatfly_result, by_class);
            bool max = at == largest[0] || at == largest[1] || at == largest[2];
            for (unsigned c = 0; c < FATFLY_MAX_CLASSES; c++)
                max |= at == class + c * sizeof r->by_class[0] + offsetof(struct fatfly_of_class, latency_max);
            if (at == offsetof(struct fatfly_result, end) || at == offsetof(struct fatfly_result, digest) ||
                (w >= from && w < to) || at / 8 == offsetof(struct fatfly_result, warmed_up) / 8 ||
                at / 8 == offsetof(struct fatfly_result, classes) / 8)
                continue;
            const size_t up = offsetof(struct fatfly_result, up), each = sizeof r->up[0];
            uint64_t want = 0;
            if (at >= up && at < up + sizeof r->up + sizeof r->down && (at - up) % each == offsetof(struct fatfly_level, links))
                continue; /* the same in all runs */
            for (unsigned k = 0; k < RUNS; k++)
                want = !max ? want + of[k][w] : of[k][w] > want ? of[k][w] : want;
            CHECK_AT(w, sum[w], want);
        }
        CHECK_AT(round, p.sum.warmed_up, round == 7);
        CHECK_AT(round, p.sum.classes, FATFLY_MAX_CLASSES);
        CHECK_AT(round, p.sum.congestion, 12);
        CHECK_AT(round, p.sum.dilation, 12);
        CHECK_AT(round, p.sum.algorithm_rounds, 12);
        near(p.sum.load_factor, 6);
        point_free(&p);
    }
}

/* Student's t by the table: 99 %, two-sided, 2 degrees of freedom: 9.92484. */
static void three_runs(void **state)
{
    static struct fatfly_result r[3];
    (void)state;
    for (unsigned k = 0; k < 3; k++) {
        r[k].last_arrival = 100 + 10 * k;
        r[k].latency_max = 50;
        r[k].measured = 64;
        r[k].latency_sum = 640;
        r[k].flits = 2048;
        r[k].congestion = 4 + k;
        r[k].dilation = 6 - k;
        r[k].load_factor = 2.5 + k;
        r[k].digest = 77 * (k + 1);
        r[k].cycles = 101 + 10 * k;
        r[k].flit_hops = 1000;
        r[k].histogram[10] = 64;
        r[k].source_wait = 128;
        r[k].blocked = 64 * k;
    }
    settings("--runs 3");
    struct point p = given_point(r);
    near(p.last_arrival.mean, 110);
    near(p.last_arrival.ci99, 9.92484320 * 10 / sqrt(3));
    near(p.last_arrival.low, 100);
    near(p.last_arrival.high, 120);
    near(p.latency.mean, 10);
    near(p.latency.ci99, 0);
    near(p.last_within.high, 110 + 9.92484320 * sqrt((100 + 2 * 32 * 32 / 3.0) / 3)); /* interval.h */
    near(p.last_within.low, 110 - 9.92484320 * sqrt((100 + 2 * 32 * 32 / 3.0) / 3));
    near(p.congestion.mean, 5);
    near(p.blocked.mean, 1);
    near(p.source_wait.mean, 2);
    near(p.accepted.mean, (32 / 101.0 + 32 / 111.0 + 32 / 121.0) / 3);
    CHECK_EQ(p.sum.last_arrival, 120);
    CHECK_EQ(p.digest, rng_hash(rng_hash(rng_hash(77) ^ 154) ^ 231));
    CHECK_EQ(p.sum.dilation, 6);
    CHECK_EQ(p.sum.measured, 192);
    near(p.sum.load_factor, 4.5);
    CELL(&p, "latency_mean", "10");
    CELL(&p, "latency_ci99", "0");
    CELL(&p, "latency_max", "50");
    CELL(&p, "last_arrival_mean", "110");
    CELL(&p, "last_arrival_ci99", "57.30110894");
    CELL(&p, "last_arrival_max", "120");
    CELL(&p, "end", "done");
    CELL(&p, "latency_per_congestion", "22");
    CELL(&p, "cycles", "333");
    CELL(&p, "flit_hops", "3000");
    CELL(&p, "latency_p50", "10");
    CELL(&p, "saturated", "0");
    CELL(&p, "verdict", "");
    CELL(&p, "batches", "");
    CELL(&p, "load", "0");
    CELL(&p, "warmup", "");
    CELL(&p, "arrivals", "");
}

/* Waits and what classes accept are means over runs, like the latency and what all accept, so that they add up though
 * runs have more or fewer worms and cycles. */
static void parts_add_up(void **state)
{
    static struct fatfly_result r[3];
    (void)state;
    for (unsigned k = 0; k < 3; k++) {
        r[k].measured = 10u << k;
        r[k].last_arrival = 99 + 50 * k;
        r[k].latency_max = 50;
        r[k].source_wait = 20 * (k + 1);
        r[k].blocked = 30 + 7 * k;
        r[k].wait_sum = r[k].source_wait + r[k].blocked;
        r[k].classes = 3;
        for (unsigned c = 0; c < 3; c++)
            r[k].flits += r[k].by_class[c].flits = 1000 * (1 + (k + c) % 3);
    }
    settings("--runs 3 --nodes 16");
    struct point p = given_point(r);
    near(p.wait.mean, ((20 + 30) / 10.0 + (40 + 37) / 20.0 + (60 + 44) / 40.0) / 3);
    near(p.wait.mean, p.source_wait.mean + p.blocked.mean);
    near(p.class_accepted[1], (2000 / 100.0 + 3000 / 150.0 + 1000 / 200.0) / 16 / 3);
    near(p.class_accepted[0] + p.class_accepted[1] + p.class_accepted[2], p.accepted.mean);
    CELL(&p, "wait_mean", "3.816666667");
    point_free(&p);
    /* Of packets, which move in steps, the last step counts whole: 31 cycles more than its first. */
    settings("--runs 3 --nodes 16 --discipline store --length 32");
    p = given_point(r);
    near(p.class_accepted[1], (2000 / 131.0 + 3000 / 181.0 + 1000 / 231.0) / 16 / 3);
    near(p.class_accepted[0] + p.class_accepted[1] + p.class_accepted[2], p.accepted.mean);
    point_free(&p);
    settings("--runs 3 --nodes 16 --discipline split --length 32"); /* flits as packets: steps of one cycle */
    p = given_point(r);
    near(p.class_accepted[1], (2000 / 100.0 + 3000 / 150.0 + 1000 / 200.0) / 16 / 3);
    point_free(&p);
}

static void same(struct interval got, struct interval want)
{
    assert_true(isnan(got.low) == isnan(want.low) && isnan(got.high) == isnan(want.high));
    if (!isnan(want.low)) {
        near(got.low, want.low);
        near(got.high, want.high);
    }
}

/* What intervals are of, for each number of static runs at which something changes: of a mean, the runs with the obstacle that
 * docs/intervals.md names; of a quantile, up to 32 parts of the runs, one after the other, where one run is expected beyond it. */
static void numbers_of_runs(void **state)
{
    enum { MOST = 101 };
    static struct fatfly_result r[MOST];
    static uint32_t part[FATFLY_BATCHES][FATFLY_BUCKETS];
    static const unsigned counts[] = {2, 9, 10, 19, 20, 31, 32, 33, 63, 65, 99, 100, MOST};
    double mean[MOST], last[MOST];
    (void)state;
    for (unsigned k = 0; k < MOST; k++) {
        for (unsigned b = 20; b < 120; b++) {
            unsigned worms = draw(2 + k % 3 * 4) + b / (80 + draw(20));
            r[k].histogram[b] = worms;
            r[k].measured += worms;
            r[k].latency_sum += worms * b;
        }
        r[k].latency_max = 119;
        r[k].last_arrival = 100 + draw(20) * draw(20);
        mean[k] = (double)r[k].latency_sum / (double)r[k].measured;
        last[k] = (double)r[k].last_arrival;
    }
    for (unsigned n = 0; n < ROWS(counts); n++) {
        char line[60];
        unsigned runs = counts[n], most = runs < 32 ? runs : 32, parts = 0;
        snprintf(line, sizeof line, "--runs %u --nodes 16 --length 20", runs);
        settings(line);
        struct point p = given_point(r);
        same(p.within, interval_of_runs(mean, runs, 5));
        same(p.last_within, interval_of_runs(last, runs, 20));
        memset(part, 0, sizeof part);
        for (unsigned k = 0; k < runs; k++) {
            parts += k * most >= parts * runs; /* the next begins */
            for (unsigned b = 0; b < FATFLY_BUCKETS; b++)
                part[parts - 1][b] += (uint32_t)r[k].histogram[b];
        }
        static const unsigned fewest[QUANTILES] = {2, 20, 100, 1000};
        for (unsigned q = 0; q < QUANTILES; q++) {
            struct interval want = {NAN, NAN};
            if (runs >= fewest[q])
                want = interval_of_quantile(part, most, FATFLY_BUCKETS, false, point_quantile[q]);
            same(p.quantile[q], want);
        }
        point_free(&p);
    }
}

/* The same of long open loops, of which some are worse than others: parts alone, and the upper end of a quantile beyond the
 * mean is no nearer to it than the mean's interval to the power of 1.5 says (docs/intervals.md). */
static void numbers_of_loops(void **state)
{
    enum { MOST = 40 };
    static struct fatfly_result r[MOST];
    static uint32_t part[FATFLY_BATCHES][FATFLY_BUCKETS];
    static const unsigned counts[] = {3, 20, 32, MOST};
    double mean[MOST];
    unsigned raised = 0;
    (void)state;
    for (unsigned k = 0; k < MOST; k++) {
        for (unsigned b = 20; b < 120; b++) {
            r[k].histogram[b] = 20 + (b > 20 + draw(100) ? 0 : draw(30)) + (b > 60 && k % 5 == 0) * 300u;
            r[k].measured += r[k].histogram[b];
            r[k].latency_sum += r[k].histogram[b] * b;
        }
        r[k].generated_in = r[k].measured;
        r[k].latency_max = 119;
        r[k].measure_cycles = UINT64_C(1) << 40;
        mean[k] = (double)r[k].latency_sum / (double)r[k].measured;
    }
    for (unsigned n = 0; n < ROWS(counts); n++) {
        char line[60];
        unsigned runs = counts[n], most = runs < 32 ? runs : 32, parts = 0;
        uint64_t all[FATFLY_BUCKETS] = {0}, worms = 0;
        snprintf(line, sizeof line, "--runs %u --nodes 16 --length 20 --load 0.1", runs);
        settings(line);
        struct point p = given_point(r);
        same(p.within, interval_of_runs(mean, runs, 0));
        memset(part, 0, sizeof part);
        for (unsigned k = 0; k < runs; k++) {
            parts += k * most >= parts * runs;
            for (unsigned b = 0; b < FATFLY_BUCKETS; b++) {
                part[parts - 1][b] += (uint32_t)r[k].histogram[b];
                all[b] += r[k].histogram[b];
                worms += r[k].histogram[b];
            }
        }
        for (unsigned q = 0; q < QUANTILES; q++) {
            struct interval want = interval_of_quantile(part, most, FATFLY_BUCKETS, false, point_quantile[q]);
            unsigned at = 0;
            for (uint64_t seen = all[0]; (double)seen < point_quantile[q] * (double)worms; seen += all[++at]) {}
            double end = (double)fatfly_bucket_low(at) * pow(p.within.high / p.latency.mean, 1.5);
            if ((double)fatfly_bucket_low(at) > p.latency.mean && ceil(end) > want.high) {
                want.high = ceil(end);
                raised++;
            }
            same(p.quantile[q], want);
        }
        point_free(&p);
    }
    assert_true(raised >= ROWS(counts));
}

/* Quantiles of runs with many worms, and their intervals, are those of runs with few in the same shares. */
static void many_worms(void **state)
{
    enum { RUNS = 40 };
    static struct fatfly_result r[RUNS];
    static const char *const cells[] = {"latency_p50", "latency_p50_low", "latency_p50_high",
                                        "latency_p99", "latency_p99_low", "latency_p99_high"};
    char few[ROWS(cells)][32];
    (void)state;
    settings("--runs 40");
    static const uint64_t factors[] = {1009, 50021, 400000007};
    for (unsigned n = 0; n < ROWS(factors); n++) {
        for (unsigned k = 0; k < RUNS; k++) {
            memset(&r[k], 0, sizeof r[k]);
            for (unsigned b = 10 + k / 4; b < 30; b++) {
                r[k].histogram[b] = factors[n] * (1 + (k * b + b / 3) % 7);
                r[k].measured += r[k].histogram[b];
                r[k].latency_sum += b * r[k].histogram[b];
            }
            r[k].latency_max = 29;
            r[k].last_arrival = r[k].cycles = 100;
            r[k].flits = 32 * r[k].measured;
        }
        struct point p = given_point(r);
        for (unsigned c = 0; c < ROWS(cells); c++) {
            if (n == 0)
                snprintf(few[c], sizeof few[c], "%s", cell(&p, cells[c]));
            assert_true(strlen(few[c]) > 0 || c > 3); /* so far out 40 runs do not know */
            CELL(&p, cells[c], few[c]);
        }
        point_free(&p);
    }
}

/* How long a run may become that is to be precise, and a trial of a saturation load. */
static void limit_of_cycles(void **state)
{
    static const struct { const char *line; uint64_t limit; } row[] = {
        {"--load 0.1", 40000000}, {"--load 0.1 --cycles 64 --precision 0.1", 25600},
        {"--load 0.1 --cycles 1000 --precision 0.1 --max-cycles 2500", 2500}, {"--load 0.1 --cycles 1099511627776", UINT64_C(1) << 40},
        {"--load 0.1 --cycles 2748779069 --precision 0.01", UINT64_C(1099511627600)},
        {"--load 0.1 --precision 0.1 --max-cycles 4611686018427387904", UINT64_C(1) << 40}};
    (void)state;
    for (unsigned k = 0; k < ROWS(row); k++) {
        settings(row[k].line);
        CHECK_AT(k, point_limit(&s), row[k].limit);
    }
}

/* Flits over all links but those of processors: of a fat-tree the lowest level, of a torus or mesh with links to
 * processors the one behind its dimensions. */
static void utilisation_of_levels(void **state)
{
    static const struct { const char *line; unsigned from, to; double most; } row[] = {
        {"--runs 1 --nodes 256", 1, 4, 1}, {"--runs 1 --topology mesh --radix 4 --dimensions 2", 0, 2, 1},
        {"--runs 1 --topology mesh --radix 4 --dimensions 2 --processor-links", 0, 2, 1},
        {"--runs 1 --topology torus --radix 3 --dimensions 3 --processor-links --vcs 6 --link-bandwidth 4", 0, 3, 3},
        {"--runs 1 --topology torus --radix 3 --dimensions 1 --processor-links --vcs 2 --link-bandwidth 4 --bandwidth on-demand", 0, 1, 2}};
    static struct fatfly_result r;
    (void)state;
    for (unsigned k = 0; k < ROWS(row); k++) {
        double flits = 0, links = 0;
        settings(row[k].line);
        memset(&r, 0, sizeof r);
        r.end = FATFLY_DONE;
        r.measure_cycles = r.cycles = 1000;
        for (unsigned l = 0; l < 4; l++) {
            bool there = l < row[k].to || (l == row[k].to && s.config.processor_links);
            r.up[l] = (struct fatfly_level){.links = there ? 16 + draw(16) : 0, .flits = there ? draw(10000) : 0};
            r.down[l] = (struct fatfly_level){.links = there ? 16 + draw(16) : 0, .flits = there ? draw(10000) : 0};
            if (l < row[k].from || l >= row[k].to)
                continue;
            flits += (double)(r.up[l].flits + r.down[l].flits);
            links += (double)(r.up[l].links + r.down[l].links);
        }
        struct point p = given_point(&r);
        near(strtod(cell(&p, "utilisation"), NULL), flits / (links * row[k].most * 1000));
        point_free(&p);
    }
}

/* One open loop: the interval is over 64 batches, 63 degrees of freedom: 2.656145. */
static void batches(void **state)
{
    static struct fatfly_result r[1];
    (void)state;
    for (unsigned k = 0; k < FATFLY_SERIES; k++) {
        r->series_count[k] = 10;
        r->series_sum[k] = k / 16 % 2 ? 410 : 390;
    }
    r->measured = r->generated_in = 10240;
    r->latency_sum = 10240 * 40;
    r->latency_max = 99;
    r->measure_cycles = 100000;
    r->accepted_flits = 640000;
    r->measure_from = 123;
    r->histogram[40] = 10240;
    settings("--load 0.1");
    struct point p = given_point(r);
    near(p.latency.mean, 40);
    double half = 2.656145 * sqrt(64 / 63.0 / 64);
    near(p.within.low, 40 - half);
    near(p.within.high, 40 / (1 - half / 40)); /* of the reciprocal's interval */
    near(p.latency.ci99, (p.within.high - p.within.low) / 2);
    CHECK_EQ(p.sum.latency_max, 99);
    CELL(&p, "last_arrival_mean", "");
    CELL(&p, "last_arrival_ci99", "");
    CELL(&p, "last_arrival_max", "");
    near(p.accepted.mean, 0.1);
    CELL(&p, "warmup", "123");
    CELL(&p, "arrivals", "geometric");
    CELL(&p, "latency_per_congestion", "");
    CELL(&p, "delay_range", "");
    CELL(&p, "verdict", "stable");
    CELL(&p, "batches", "64");
    CELL(&p, "cycles_needed", "13000"); /* 256 times 40, and a quarter */
    CELL(&p, "latency_low", "39.66535718");
    CELL(&p, "latency_high", "40.33746608");
    char *text = printed(point_table, &p);
    assert_non_null(strstr(text, "40.0 cycles, 39.7 to 40.3 (99 %, 64 batches); mean per worm"));
    free(text);
    /* Too short: a mean with a warning, and no interval. */
    r->measure_cycles = 6000;
    p = given_point(r);
    CELL(&p, "latency_mean", "40");
    CELL(&p, "latency_ci99", "");
    CELL(&p, "latency_low", "");
    CELL(&p, "latency_p50_low", "");
    CELL(&p, "verdict", "undecided");
    CELL(&p, "cycles_needed", "13000");
    CELL(&p, "saturated", "0");
    text = printed(point_table, &p);
    assert_non_null(strstr(text, "undecided: too short for an interval"));
    assert_non_null(strstr(text, "run about 13000 cycles (--cycles)"));
    free(text);
    /* A backlog that grows and latencies that rise with it: no mean at all. */
    for (unsigned k = 0; k < FATFLY_SERIES; k++)
        r->series_sum[k] = 10 * k;
    r->backlog_to = 10240;
    p = given_point(r);
    CELL(&p, "latency_mean", "");
    CELL(&p, "verdict", "saturated");
    CELL(&p, "saturated", "1");
    CELL(&p, "cycles_needed", "");
}

static void saturated(void **state)
{
    static struct fatfly_result r[2];
    static const char *const none[] = {"latency_mean", "latency_ci99", "latency_max",
                                       "latency_p50", "latency_p999", "source_wait_mean",
                                       "blocked_mean", "latency_per_congestion"};
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        r[k].measured = 10;
        r[k].latency_sum = 5000;
        r[k].measure_cycles = 100;
        r[k].accepted_flits = 640;
        r[k].histogram[100] = 10;
    }
    r[1].end = FATFLY_SATURATED;
    settings("--load 0.5 --runs 2");
    struct point p = given_point(r);
    CHECK_EQ(p.saturated, 1);
    CHECK_EQ(point_has_latency(&p), false);
    for (size_t k = 0; k < ROWS(none); k++)
        CELL(&p, none[k], "");
    CELL(&p, "saturated", "1");
    CELL(&p, "end", "saturated");
    CELL(&p, "accepted_load", "0.1");
    char *text = printed(point_table, &p);
    assert_non_null(strstr(text, "saturated    accepts 0.1 of 0.5 flits per cycle and processor (1 "
                                 "of 2 runs); latencies have no mean"));
    assert_null(strstr(text, "latency  "));
    free(text);
    text = printed(point_json, &p);
    assert_non_null(strstr(text, "\"latency_mean\": null,"));
    free(text);

    settings("--runs 2 --max-cycles 10");
    r[1].end = FATFLY_CUT;
    p = given_point(r);
    CHECK_EQ(p.cut, 1);
    CELL(&p, "latency_mean", "");
    CELL(&p, "last_arrival_mean", "");
    CELL(&p, "saturated", "0");
    CELL(&p, "end", "cut");
    text = printed(point_table, &p);
    assert_non_null(strstr(text, "cut          1 of 2 runs did not end within 10 cycles (max-cycles); latencies have no mean"));
    free(text);
}

static void nothing_sent(void **state)
{
    static struct fatfly_result r[2];
    (void)state;
    settings("--runs 2");
    struct point p = given_point(r);
    CELL(&p, "latency_mean", "");
    CELL(&p, "latency_ci99", "");
    CELL(&p, "accepted_load", "");
    CELL(&p, "blocked_mean", "");
    r[1].measured = 1; /* a run that has one is enough for a mean, not for an interval */
    r[1].latency_sum = 6;
    r[1].last_arrival = 5;
    p = given_point(r);
    CELL(&p, "latency_mean", "6");
    CELL(&p, "latency_ci99", "");
    CELL(&p, "last_arrival_mean", "5");
    CELL(&p, "last_arrival_ci99", "");
}

/* Of n runs of which some have measured none, the interval is that of the others: Student's t of as many. */
static void some_without_worms(void **state)
{
    static struct fatfly_result r[40];
    const double t99[] = {63.65674116, 9.92484320, 5.84090931}; /* 1, 2 and 3 degrees of freedom, by the table */
    const double of[] = {sqrt(2), 1, sqrt(5 / 3.0)};        /* standard deviation of 6, 8; 6, 7, 8; 6, 7, 8, 9 */
    (void)state;
    for (unsigned with = 2; with <= 4; with++)
        for (unsigned runs = with; runs <= 40; runs += 1 + runs / 4) {
            char line[40];
            snprintf(line, sizeof line, "--runs %u", runs);
            settings(line);
            memset(r, 0, sizeof r);
            for (unsigned k = 0; k < with; k++) {
                r[k * (runs - 1) / (with - 1)].measured = 1;
                r[k * (runs - 1) / (with - 1)].latency_sum = with == 2 ? 6 + 2 * k : 6 + k;
            }
            struct point p = given_point(r);
            near(p.latency.ci99, t99[with - 2] * of[with - 2] / sqrt(with));
            near(p.latency.mean, with == 4 ? 7.5 : 7);
        }
}

static void a_run_fails(void **state)
{
    static struct fatfly_result r[3];
    struct given g = {.r = r, .bad = true};
    struct runner by = {hand_out, &g};
    struct point p;
    (void)state;
    settings("--runs 3");
    CHECK_EQ(point_run_by(&s, &by, NULL, NULL, &p, &f), -1);
    CHECK_EQ(f.code, EXIT_CHECK);
    assert_string_equal(f.text, "run 1 went wrong");
}

/* -- results of the library -------------------------------------------------------------------- */

/* Every column but the timings, every level and bucket: the same whatever the threads. */
static void threads(void **state)
{
    static const char *const lines[] = {
        "--nodes 16 --runs 40", "--nodes 64 --runs 9 --discipline store",
        "--nodes 16 --load 0.2 --cycles 3000 --runs 11", "--nodes 64 --load 0.3 --cycles 3000",
        "--nodes 16 --vcs 2 --runs 6"};
    static const unsigned counts[] = {1, 2, 8, 0};
    (void)state;
    for (size_t k = 0; k < ROWS(lines); k++) {
        struct point first, p;
        settings(lines[k]);
        assert_int_equal(point_run(&s, 1, NULL, NULL, &first, &f), 0);
        for (size_t t = 0; t < ROWS(counts); t++) {
            assert_int_equal(point_run(&s, counts[t], NULL, NULL, &p, &f), 0);
            for (unsigned c = 0; c < columns_count; c++) {
                char a[64], b[64];
                column_text(c, &s, &first, a, sizeof a);
                column_text(c, &s, &p, b, sizeof b);
                if (!columns[c].timing)
                    assert_string_equal(a, b);
            }
            assert_memory_equal(&first.sum, &p.sum, sizeof p.sum);
        }
    }
}

/* A request's way there, the delay and the way back: by requests, however many replies were measured, of the classes that have both. */
static void round_trips(void **state)
{
    static struct fatfly_result r;
    (void)state;
    settings("--nodes 16 --classes 2 --class-length 2,3 --reply 4,5 --reply-delay 7 --load 0.1 --runs 1");
    memset(&r, 0, sizeof r);
    r.classes = 4;
    r.by_class[0] = (struct fatfly_of_class){.measured = 3, .latency_sum = 30};
    r.by_class[1] = (struct fatfly_of_class){.measured = 1, .latency_sum = 50};
    r.by_class[2] = (struct fatfly_of_class){.measured = 5, .latency_sum = 100};
    r.by_class[3] = (struct fatfly_of_class){.measured = 2, .latency_sum = 60};
    struct point p = given_point(&r);
    CELL(&p, "round_trip_mean", "49.5"); /* (3 (10 + 7 + 20) + 1 (50 + 7 + 30)) / 4 */
    r.by_class[3] = (struct fatfly_of_class){.measured = 0};
    p = given_point(&r);
    CELL(&p, "round_trip_mean", "37");
    r.by_class[0].measured = 0;
    p = given_point(&r);
    CELL(&p, "round_trip_mean", "");
}

/* The point is what its runs are, one by one. */
static void runs_one_by_one(void **state)
{
    uint64_t digest = 0, hops = 0, late = 0, buckets = 0;
    static struct fatfly_result r;
    struct point p;
    char why[200];
    (void)state;
    settings("--nodes 16 --runs 7 --seed 5");
    assert_int_equal(point_run(&s, 2, NULL, NULL, &p, &f), 0);
    for (unsigned k = 0; k < 7; k++) {
        struct fatfly_config c = s.config;
        c.seed = fatfly_run_seed(5, k);
        assert_int_equal(fatfly_run(&c, NULL, &r, why, sizeof why), 0);
        digest = rng_hash(digest ^ r.digest);
        hops += r.flit_hops;
        late += r.last_arrival;
    }
    CHECK_EQ(p.digest, digest);
    CHECK_EQ(p.sum.flit_hops, hops);
    near(p.last_arrival.mean, (double)late / 7);
    for (unsigned k = 0; k < FATFLY_BUCKETS; k++)
        buckets += p.sum.histogram[k];
    CHECK_EQ(buckets, p.sum.measured);
}

/* Without randomness: cL + d - 2, and no interval to speak of (spec, section 7). */
static void exact(void **state)
{
    struct point p;
    (void)state;
    settings("--nodes 64 --pattern many-to-1");
    assert_int_equal(point_run(&s, 0, NULL, NULL, &p, &f), 0);
    CELL(&p, "last_arrival_mean", "1028");
    CELL(&p, "last_arrival_ci99", "0");
    CELL(&p, "last_arrival_max", "1028");
    CELL(&p, "congestion_mean", "32");
    CELL(&p, "dilation", "6");
}

static uint64_t progressed;

static void progress(void *context, uint64_t done)
{
    assert_ptr_equal(context, &progressed);
    CHECK_EQ(done, progressed + 1); /* under a lock: one after the other */
    progressed = done;
}

static void interrupted(void **state)
{
    struct point p;
    (void)state;
    settings("--nodes 16 --runs 20");
    progressed = 0;
    assert_int_equal(point_run(&s, 2, progress, &progressed, &p, &f), 0);
    CHECK_EQ(progressed, 20);
    point_interrupted = 1;
    CHECK_EQ(point_run(&s, 2, NULL, NULL, &p, &f), -1);
    point_interrupted = 0;
    CHECK_EQ(f.code, EXIT_SYSTEM);
    assert_string_equal(f.text, "interrupted after 0 of 20 runs; nothing was written");
}

static void links(void **state)
{
    struct point p;
    char *text = NULL;
    size_t size = 0;
    unsigned sum = 0, lines = 0, most = 0;
    (void)state;
    settings("--nodes 16 --pattern many-to-1 --runs 2 --links x");
    assert_int_equal(point_run(&s, 2, NULL, NULL, &p, &f), 0);
    FILE *out = open_memstream(&text, &size);
    point_links(&s, &p, out);
    fclose(out);
    point_free(&p);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        unsigned link, level, lower, upper, worms;
        char direction[8];
        if (lines++ == 0) {
            assert_string_equal(line, "link,direction,level,lower,upper,worms");
            continue;
        }
        CHECK_AT(lines, sscanf(line, "%u,%7[a-z],%u,%u,%u,%u", &link, direction, &level, &lower,
                               &upper, &worms), 6);
        assert_true(level < 2 && lower < 16 && upper < 4);
        sum += worms;
        most = worms > most ? worms : most;
    }
    free(text);
    CHECK_EQ(lines, 1 + 2 * (16 + 8)); /* both ways: 16 to processors, 8 between the levels */
    CHECK_EQ(most, 8);
    CHECK_EQ(sum, 16 * 4);             /* all worms but none go to the other half: 4 links each */
}

/* -- writing ----------------------------------------------------------------------------------- */

/* The contract's columns, in its order. */
static void csv(void **state)
{
    static const char contract[] =
        "nodes,length,depth,vcs,discipline,path,scan,pattern,load,runs,seed,latency_mean,"
        "latency_ci99,latency_max,congestion_mean,latency_per_congestion,accepted_load,saturated,"
        "cycles,flit_hops,cpu_s,wall_s,digest,";
    char *text = NULL;
    size_t size = 0;
    (void)state;
    FILE *out = open_memstream(&text, &size);
    point_csv_header(out);
    fclose(out);
    assert_int_equal(strncmp(text, contract, strlen(contract)), 0);
    CHECK_EQ(text[size - 1], '\n');
    free(text);
}

/* No NaN or infinity anywhere, as many cells as columns, brackets that match. */
static void well_formed(void **state)
{
    static const char *const lines[] = {
        "--nodes 4 --runs 1", "--nodes 4 --pattern many-to-1 --runs 1 --length 1",
        "--nodes 4 --pattern transpose", "--nodes 16 --load 0.000001 --cycles 64 --warmup 0",
        "--nodes 16 --load 1 --cycles 2000", "--nodes 16 --max-cycles 1",
        "--nodes 16 --discipline store", "--nodes 16 --lengths uniform --load 0.1 --cycles 500"};
    (void)state;
    for (size_t k = 0; k < ROWS(lines); k++) {
        struct point p;
        settings(lines[k]);
        assert_int_equal(point_run(&s, 1, NULL, NULL, &p, &f), 0);
        char *text[3] = {printed(point_csv, &p), printed(point_json, &p), printed(point_table, &p)};
        unsigned commas = 0;
        int depth = 0;
        for (const char *c = text[0]; *c; c++)
            commas += *c == ',';
        CHECK_AT(k, commas, columns_count - 1);
        for (const char *c = text[1]; *c; c++)
            depth += (*c == '{' || *c == '[') - (*c == '}' || *c == ']');
        CHECK_AT(k, depth, 0);
        for (unsigned n = 0; n < 3; n++) {
            const char *wrong = strstr(text[n], "nan");
            if (wrong || strstr(text[n], "inf") || strstr(text[n], ": ,"))
                fail_msg("%s:\n%s", lines[k], text[n]);
            free(text[n]);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_of_runs_adds_up),
        cmocka_unit_test(three_runs),  cmocka_unit_test(numbers_of_runs), cmocka_unit_test(numbers_of_loops), cmocka_unit_test(many_worms), cmocka_unit_test(parts_add_up),
        cmocka_unit_test(batches),     cmocka_unit_test(limit_of_cycles), cmocka_unit_test(utilisation_of_levels),
        cmocka_unit_test(saturated),   cmocka_unit_test(nothing_sent), cmocka_unit_test(some_without_worms),
        cmocka_unit_test(a_run_fails), cmocka_unit_test(threads),
        cmocka_unit_test(runs_one_by_one), cmocka_unit_test(exact), cmocka_unit_test(round_trips),
        cmocka_unit_test(interrupted), cmocka_unit_test(links),
        cmocka_unit_test(csv),         cmocka_unit_test(well_formed),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
