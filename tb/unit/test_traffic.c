/* SPDX-License-Identifier: Apache-2.0
 * test_traffic.c - worms of static runs, open loops and message lists: order, numbers, delays,
 * loads and lengths.
 *
 * Limits of statistics are 5.5 standard deviations or chances below 10^-7, so that any seed passes.
 */
#include "fat_tree.h"
#include "flit.h"
#include "pattern.h"
#include "rng.h"
#include "traffic.h"

#include "unit.h" /* last: cmocka has a macro fail() */

#include <math.h>
#include <string.h>

static struct fatfly_config config_of(uint32_t nodes, enum fatfly_pattern pattern)
{
    struct fatfly_config c = {.nodes = nodes, .pattern = pattern, .depth = 2, .vcs = 1, .classes = 1,
                              .path = FATFLY_RP, .length = 32, .length_min = 32, .rounds = 1,
                              .delay_range = 1, .seed = unit_seed};
    return c;
}

static struct traffic *open_traffic(const struct fatfly_config *c)
{
    struct traffic *t = traffic_new(c);
    assert_non_null(t);
    return t;
}

static unsigned levels_of(uint32_t nodes)
{
    unsigned levels = 1;
    while (fat_tree_nodes(levels) < nodes)
        levels++;
    return levels;
}

static void near(double got, double mean, double variance, const char *what)
{
    bool is = (got - mean) * (got - mean) <= 5.5 * 5.5 * variance;
    if (!is)
        print_error("%s: %g, want %g, variance %g (seed %llu)\n", what, got, mean, variance,
                    (unsigned long long)unit_seed);
    assert_true(is);
}

static bool alike(const struct traffic_worm *a, const struct traffic_worm *b)
{
    return a->ready == b->ready && a->index == b->index && a->number == b->number &&
           a->src == b->src && a->dst == b->dst && a->length == b->length && a->path == b->path;
}

/* FP: a bit for each level but the root's, as often 0 as 1, in the largest network, too, and of replies. */
static void bits_of_a_path(void **state)
{
    enum { LEVELS = 12, SENDERS = 1000 };
    (void)state;
    for (unsigned levels = 2; levels <= LEVELS; levels++) {
        uint32_t senders = UINT32_C(1) << 2 * levels < SENDERS ? UINT32_C(1) << 2 * levels : SENDERS;
        struct fatfly_config c = config_of(UINT32_C(1) << 2 * levels, FATFLY_RANDOM);
        unsigned ones[32] = {0}, of_replies[32] = {0}, worms = 0;
        c.path = FATFLY_FP;
        c.rounds = SENDERS / senders;
        c.reply[0] = 1;
        struct traffic *t = traffic_new_some(&c, 0, senders);
        assert_non_null(t);
        for (uint32_t a = 0; a < senders; a++)
            for (struct traffic_worm w; traffic_next(t, a, &w); worms++) {
                struct traffic_worm back = traffic_reply(t, &w, worms, 0);
                for (unsigned b = 0; b < 32; b++) {
                    ones[b] += w.path >> b & 1;
                    of_replies[b] += back.path >> b & 1;
                }
            }
        CHECK_AT(levels, worms, senders * c.rounds);
        for (unsigned k = 0; k < 64; k++) {
            unsigned b = k / 2, n = k % 2 ? of_replies[b] : ones[b];
            if (b + 1 < levels ? n < 0.42 * worms || n > 0.58 * worms : n != 0) /* five standard errors */
                fail_msg("%u levels: bit %u of %u of %u paths", levels, b, n, worms);
        }
        traffic_free(t);
    }
}

/* Every processor sends its rounds and no more, in whatever order they are asked. */
static void static_rounds(void **state)
{
    (void)state;
    for (unsigned path = 0; path < FATFLY_TREE_PATHS; path++) {
        struct fatfly_config c = config_of(64, FATFLY_RANDOM);
        struct traffic_worm row[64][5], w;
        uint32_t ors = 0;
        c.rounds = 5;
        c.path = path;
        struct traffic *t = open_traffic(&c);
        for (uint32_t a = 0; a < 64; a++) {
            for (unsigned k = 0; k < 5; k++) {
                assert_true(traffic_next(t, a, &row[a][k]));
                w = row[a][k];
                CHECK_AT(a, w.ready, 0);
                CHECK_AT(a, w.index, k);
                CHECK_AT(a, w.number, k * 64 + a + 1);
                CHECK_AT(a, w.src, a);
                CHECK_AT(a, w.length, 32);
                assert_true(w.dst < 64 && w.dst != a);
                ors |= w.path;
            }
            assert_false(traffic_next(t, a, &w));
            assert_false(traffic_next(t, a, &w));
        }
        CHECK_EQ(ors, path == FATFLY_FP ? 3 : 0); /* a bit for each level but the root's */
        CHECK_EQ(traffic_self_worms(t), 0);
        traffic_free(t);
        t = open_traffic(&c);
        for (unsigned k = 0; k < 5; k++)
            for (uint32_t a = 64; a-- > 0;) {
                assert_true(traffic_next(t, a, &w));
                assert_true(alike(&w, &row[a][k]));
            }
        traffic_free(t);
        c.seed++;
        t = open_traffic(&c);
        unsigned same = 0;
        for (uint32_t a = 0; a < 64; a++)
            same += traffic_next(t, a, &w) && w.dst == row[a][0].dst;
        assert_true(same < 20);
        traffic_free(t);
    }
}

/* Worms that stay at home are counted, keep their index and are skipped. */
static void worms_at_home(void **state)
{
    (void)state;
    for (unsigned load = 0; load < 2; load++) {
        struct fatfly_config c = config_of(16, FATFLY_TRANSPOSE);
        struct traffic_worm w;
        unsigned home = 0;
        c.rounds = 3;
        c.load = 0.1 * load;
        struct traffic *t = open_traffic(&c);
        for (uint32_t a = 0; a < 16; a++) {
            bool stays = a % 4 == a / 4;
            home += stays;
            CHECK_AT(a, traffic_next(t, a, &w), !stays);
            CHECK_AT(a, stays && traffic_next(t, a, &w), 0);
        }
        CHECK_EQ(home, 4);
        CHECK_EQ(traffic_self_worms(t), load ? home : 3 * home);
        traffic_free(t);

        c = config_of(4, FATFLY_RANDOM);
        c.self_traffic = true;
        c.rounds = 40000;
        c.load = 0.1 * load;
        t = open_traffic(&c);
        uint64_t last = 0, others = 0;
        for (unsigned k = 0; k < 20000 && traffic_next(t, 2, &w); k++) {
            assert_true(w.dst != 2 && w.dst < 4);
            assert_true(others == 0 || w.index > last);
            last = w.index;
            others++;
        }
        CHECK_EQ(traffic_self_worms(t), last + 1 - others);
        near((double)(last + 1 - others), 0.25 * (double)(last + 1), 3.0 / 16 * (double)(last + 1),
             "worms at home");
        traffic_free(t);
    }
}

/* Where worms go is the same for every R; delays are multiples of their unit, evenly spread. */
static void initial_delays(void **state)
{
    static const struct { enum fatfly_discipline discipline; unsigned unit; } row[] = {
        {FATFLY_WORM, 32 * 6}, {FATFLY_STORE, 32}, {FATFLY_SPLIT, 1}, {FATFLY_UNIV, 0}};
    (void)state;
    for (size_t k = 0; k < ROWS(row); k++)
        for (unsigned range = 1; range <= 10; range += 3) {
            struct fatfly_config c = config_of(64, FATFLY_RANDOM), still;
            struct traffic_worm w, v;
            unsigned found[10] = {0};
            c.discipline = row[k].discipline;
            c.rounds = 2;
            still = c;
            c.delay_range = range;
            double sum = 0;
            for (unsigned run = 0; run < 50; run++, c.seed += 1000, still.seed += 1000) {
                struct traffic *t = open_traffic(&c), *u = open_traffic(&still);
                for (uint32_t a = 0; a < 64; a++) {
                    assert_true(traffic_next(t, a, &w) && traffic_next(u, a, &v));
                    CHECK_AT(a, v.ready, 0);
                    v.ready = w.ready;
                    assert_true(alike(&v, &w));
                    unsigned unit = row[k].unit ? row[k].unit : 1;
                    CHECK_AT(a, w.ready % unit, 0);
                    assert_true(w.ready / unit < (row[k].unit ? range : 1));
                    found[w.ready / unit]++;
                    assert_true(traffic_next(t, a, &v) && v.ready >= w.ready);
                    CHECK_AT(a, v.ready % unit, 0);
                }
                traffic_free(t);
                traffic_free(u);
            }
            unsigned cells = row[k].unit ? range : 1;
            for (unsigned i = 0; i < cells; i++) {
                double want = 50.0 * 64 / cells;
                sum += (found[i] - want) * (found[i] - want) / want;
            }
            assert_true(sum <= 55);
        }
}

/* Congestion by following every worm over the wires. */
static uint32_t congestion(const struct fatfly_config *c)
{
    unsigned levels = levels_of(c->nodes);
    uint32_t switches = fat_tree_switches(levels), most = 0;
    uint32_t *to = calloc(6 * (size_t)switches, sizeof *to);
    uint32_t *worms = calloc(6 * (size_t)switches + c->nodes, sizeof *worms);
    struct traffic *t = open_traffic(c);
    struct traffic_worm w;
    fat_tree_wire(levels, to);
    for (uint32_t a = 0; a < c->nodes; a++)
        while (traffic_next(t, a, &w)) {
            unsigned height = worm_height(w.src, w.dst);
            uint32_t link = 6 * (a / 4) + a % 4; /* injection */
            worms[link]++;
            for (unsigned step = 1; step < 2 * height; step++) {
                unsigned l = step < height ? step : 2 * height - step;
                unsigned port = step < height ? 4 + (w.path >> (l - 1) & 1)
                                              : w.dst >> 2 * (l - 1) & 3;
                link = to[6 * (link / 6) + port];
                worms[link]++;
            }
            CHECK_EQ(link, 6 * switches + w.dst);
        }
    for (uint32_t k = 0; k < 6 * switches + c->nodes; k++)
        most = worms[k] > most ? worms[k] : most;
    traffic_free(t);
    free(worms);
    free(to);
    return most;
}

/* Ready cycles are multiples of T below phases * T, and come within a hair of the end. */
static void check_phases(const struct fatfly_config *c, uint64_t phases, uint64_t t_cycles)
{
    struct traffic *t = open_traffic(c);
    struct traffic_worm w;
    uint64_t most = 0, worms = 0;
    for (uint32_t a = 0; a < c->nodes; a++)
        while (traffic_next(t, a, &w)) {
            CHECK_AT(a, w.ready % t_cycles, 0);
            assert_true(w.ready / t_cycles < phases);
            most = w.ready / t_cycles > most ? w.ready / t_cycles : most;
            worms++;
        }
    /* Chance that all of n draws miss the last 20 / n: e^-20. */
    assert_true((double)(most + 1) >= (double)phases * (1 - 20.0 / (double)worms));
    traffic_free(t);
}

static void algorithm_a(void **state)
{
    struct fatfly_config c = config_of(64, FATFLY_RANDOM);
    (void)state;
    c.discipline = FATFLY_PHASED;
    c.rounds = 200;
    c.phases = 1000;
    c.phase_length = 77;
    check_phases(&c, 1000, 77);
    for (unsigned bits = 10; bits <= 56; bits++) /* as many as worms to one place can need, and more */
        for (unsigned more = 0; more <= 2; more++) {
            c.phases = (UINT64_C(1) << bits) - 1 + more;
            c.phase_length = 1 + bits % 4;
            check_phases(&c, c.phases, c.phase_length);
        }
    c.phase_length = 77;
    c.phases = 0;
    c.path = FATFLY_FP;
    check_phases(&c, 2 * 32 * (uint64_t)congestion(&c), 77);
    c.phase_length = 0; /* a lone worm's L + 2 log4 N - 2, and one */
    check_phases(&c, 2 * 32 * (uint64_t)congestion(&c), 32 + 6 - 1);
    /* Switches choose the path: what the busiest channel must carry. */
    c.pattern = FATFLY_MANY_TO_1;
    c.path = FATFLY_RP;
    check_phases(&c, 2 * 32 * (uint64_t)(32 * 200), 37);
    c.pattern = FATFLY_COMPLEMENT; /* 16 processors over 4 links */
    check_phases(&c, 2 * 32 * (uint64_t)(4 * 200), 37);
    for (unsigned levels = 1; levels <= 5; levels++) { /* FP at every size */
        c = config_of(fat_tree_nodes(levels), FATFLY_RANDOM);
        c.discipline = FATFLY_PHASED;
        c.path = FATFLY_FP;
        c.rounds = 20000 / c.nodes;
        check_phases(&c, 2 * 32 * (uint64_t)congestion(&c), 32 + 2 * levels - 1);
    }
}

/* Flits of worms ready in `cycles` cycles against the load, for every distribution of lengths.  A
 * sum over n worms of lengths with mean m and square q has variance n (q - p m^2) per chance p. */
static void offered_load(void **state)
{
    static const struct { enum fatfly_lengths kind; unsigned low, high; double mean, share; }
        row[] = {{FATFLY_FIXED, 1, 32, 0, 0},     {FATFLY_FIXED, 1, 1, 0, 0},
                 {FATFLY_UNIFORM, 3, 17, 0, 0},   {FATFLY_BIMODAL, 2, 20, 0, 0.7},
                 {FATFLY_TRUNCATED, 2, 12, 8, 0}, {FATFLY_TRUNCATED, 4, 4, 8, 0},
                 {FATFLY_TRUNCATED, 4, 90, 4, 0}};
    static const double load[] = {0.000001, 0.00003, 0.003, 0.2, 0.95}; /* the least that is allowed: gaps of up to 2^32 cycles */
    (void)state;
    for (size_t k = 0; k < ROWS(row); k++)
        for (size_t j = 0; j < ROWS(load); j++)
            for (unsigned arrivals = 0; arrivals <= FATFLY_POISSON; arrivals++) {
                struct fatfly_config c = config_of(16, FATFLY_RANDOM);
                uint64_t cycles = load[j] < 0.1 ? 400000 : 20000;
                if (load[j] < 0.001)
                    cycles = (uint64_t)(200 * row[k].high / load[j]);
                double worms = 0, flits = 0, square = 0;
                c.lengths = row[k].kind;
                c.length = row[k].high;
                c.length_min = row[k].low;
                c.length_mean = row[k].mean;
                c.short_share = row[k].share;
                c.load = load[j];
                c.arrivals = arrivals;
                struct traffic *t = open_traffic(&c);
                for (uint32_t a = 0; a < 16; a++) {
                    struct traffic_worm w;
                    uint64_t last = 0;
                    for (unsigned n = 0; traffic_next(t, a, &w) && w.ready < cycles; n++) {
                        assert_true(n == 0 || w.ready > last || (arrivals && w.ready == last));
                        CHECK_AT(n, w.index, n);
                        assert_true(w.length <= c.length);
                        assert_true(w.length >= (c.lengths ? c.length_min : c.length));
                        last = w.ready;
                        worms++;
                        flits += w.length;
                        square += (double)w.length * w.length;
                    }
                }
                traffic_free(t);
                double slots = 16.0 * (double)cycles, mean = traffic_mean_length(&c);
                double p = load[j] / mean;
                near(worms, slots * p, slots * p * (arrivals ? 1 : 1 - p), "worms");
                near(flits, slots * load[j],
                     square - (arrivals ? 0 : slots * load[j] * load[j]) + 1e-9 * square, "flits");
            }
}

/* Lengths one by one: chances by Pearson's test, the sum at the truncation included. */
static void length_chances(void **state)
{
    enum { DRAWS = 200000, HIGH = 12 };
    (void)state;
    for (enum fatfly_lengths kind = FATFLY_UNIFORM; kind < FATFLY_LENGTHS; kind++) {
        struct fatfly_config c = config_of(16, FATFLY_RANDOM);
        double sum = 0, rest = 1, mean = 0;
        unsigned found[HIGH + 1] = {0};
        struct traffic_worm w;
        c.lengths = kind;
        c.length = HIGH;
        c.length_min = 3;
        c.length_mean = 7;
        c.short_share = 0.7;
        c.mix_count = 3; /* shares 0.25, 0.625 and 0.125, in this order */
        c.mix[0] = (struct fatfly_size){7, 2};
        c.mix[1] = (struct fatfly_size){3, 5};
        c.mix[2] = (struct fatfly_size){HIGH, 1};
        c.rounds = DRAWS;
        struct traffic *t = open_traffic(&c);
        while (traffic_next(t, 5, &w)) {
            assert_true(w.length >= 3 && w.length <= HIGH);
            found[w.length]++;
        }
        traffic_free(t);
        for (unsigned l = 3; l <= HIGH; l++) {
            double chance = kind == FATFLY_UNIFORM ? 0.1 : rest * 0.2; /* 1 / (1 + 7 - 3) */
            if (kind == FATFLY_BIMODAL)
                chance = l == 3 ? 0.7 : 0;
            if (kind == FATFLY_MIX)
                chance = l == 3 ? 0.625 : l == 7 ? 0.25 : 0;
            if (l == HIGH)
                chance = rest;
            rest -= chance;
            mean += l * chance;
            if (chance > 0)
                sum += (found[l] - DRAWS * chance) * (found[l] - DRAWS * chance) /
                       (DRAWS * chance);
            else
                CHECK_AT(l, found[l], 0);
        }
        if (sum > 55)
            print_error("lengths %d: chi square %g\n", (int)kind, sum);
        assert_true(sum <= 55);
        assert_true(fabs(traffic_mean_length(&c) - mean) < 1e-9);
    }
}

/* Worms of a processor in one cycle: 0 or 1 if geometric, else e^-x x^k / k! of them. */
static void worms_of_a_cycle(void **state)
{
    enum { CYCLES = 400000, CELLS = 6 };
    (void)state;
    for (unsigned arrivals = 0; arrivals <= FATFLY_POISSON; arrivals++) {
        struct fatfly_config c = config_of(4, FATFLY_NEIGHBOUR);
        double want[CELLS] = {0.2, 0.8}, sum = 0, rest = 1, chance = exp(-0.8);
        unsigned found[CELLS] = {0}, in_cycle = 0;
        uint64_t cycle = 0;
        struct traffic_worm w;
        c.length = 1;
        c.load = 0.8;
        c.arrivals = arrivals;
        for (unsigned k = 0; k < CELLS && arrivals == FATFLY_POISSON; k++) {
            want[k] = k == CELLS - 1 ? rest : chance;
            rest -= chance;
            chance *= 0.8 / (k + 1);
        }
        struct traffic *t = open_traffic(&c);
        while (cycle < CYCLES) {
            assert_true(traffic_next(t, 1, &w));
            while (cycle < w.ready && cycle < CYCLES) {
                found[in_cycle < CELLS ? in_cycle : CELLS - 1]++;
                in_cycle = 0;
                cycle++;
            }
            in_cycle++;
        }
        traffic_free(t);
        for (unsigned k = 0; k < CELLS; k++) {
            if (want[k] > 0)
                sum += (found[k] - CYCLES * want[k]) * (found[k] - CYCLES * want[k]) /
                       (CYCLES * want[k]);
            else
                CHECK_AT(k, found[k], 0);
        }
        if (sum > 55)
            print_error("arrivals %u: chi square %g\n", arrivals, sum);
        assert_true(sum <= 55);
    }
}

/* Cycles with a worm, and pairs of them m cycles apart, of a chain of two states that is left with
 * chances 1 / on and 1 / off: after m cycles it is on again with chance share + (1 - share) (1 - 1 / on
 * - 1 / off)^m.  The standard error is that of independent sources. */
static void bursts(void **state)
{
    enum { CYCLES = 3000, SOURCES = 16, SEEDS = 60, APART = 40, FIRST = 20 };
    static const double on[] = {1, 8, 60}, off[] = {30, 4, 90}, load[] = {0.02, 0.6, 0.2};
    (void)state;
    for (size_t k = 0; k < ROWS(on); k++) {
        struct fatfly_config c = config_of(SOURCES, FATFLY_NEIGHBOUR);
        double share = on[k] / (on[k] + off[k]), rate = load[k] / share, n = SOURCES * SEEDS;
        double sum[APART + 1] = {0}, square[APART + 1] = {0};
        c.length = 1;
        c.load = load[k];
        c.arrivals = FATFLY_ON_OFF;
        c.burst_on = on[k];
        c.burst_off = off[k];
        for (unsigned seed = 0; seed < SEEDS; seed++, c.seed += 1000) {
            struct traffic *t = open_traffic(&c);
            for (uint32_t a = 0; a < SOURCES; a++) {
                bool worm[CYCLES] = {false};
                unsigned found[APART + 1] = {0};
                struct traffic_worm w;
                while (traffic_next(t, a, &w) && w.ready < CYCLES) {
                    assert_false(worm[w.ready]);
                    worm[w.ready] = true;
                }
                for (unsigned i = 0; i < CYCLES; i++)
                    for (unsigned m = 1; m <= APART && i >= m; m++)
                        found[m] += worm[i] && worm[i - m];
                for (unsigned i = 0; i < FIRST; i++) /* as often as ever: no start from silence */
                    found[0] += worm[i];
                for (unsigned m = 0; m <= APART; m++) {
                    sum[m] += found[m];
                    square[m] += (double)found[m] * found[m];
                }
            }
            traffic_free(t);
        }
        for (unsigned m = 0; m <= APART; m++) {
            double again = share + (1 - share) * pow(1 - 1 / on[k] - 1 / off[k], m), mean = sum[m] / n;
            double want = m ? (CYCLES - m) * share * rate * rate * again : FIRST * load[k];
            near(mean, want, (square[m] / n - mean * mean) / n + 1e-6, "pairs of worms");
        }
    }
}

/* Periods of up to 10^9 cycles on average, the most that is allowed: silences of more than 2^32 are among them. */
static void bursts_of_any_length(void **state)
{
    enum { SOURCES = 16, SEEDS = 30, PERIODS = 40 };
    static const struct { double on, off, load; uint32_t length; } row[] = {{1e3, 1e9, 1e-6, 64}, {1e9, 1e9, 1e-6, 100}};
    (void)state;
    for (size_t k = 0; k < ROWS(row); k++) {
        struct fatfly_config c = config_of(SOURCES, FATFLY_NEIGHBOUR);
        double cycles = PERIODS * (row[k].on + row[k].off), sum = 0, square = 0, n = SOURCES * SEEDS;
        c.length = row[k].length;
        c.load = row[k].load;
        c.arrivals = FATFLY_ON_OFF;
        c.burst_on = row[k].on;
        c.burst_off = row[k].off;
        for (unsigned seed = 0; seed < SEEDS; seed++, c.seed += 1000) {
            struct traffic *t = open_traffic(&c);
            for (uint32_t a = 0; a < SOURCES; a++) {
                struct traffic_worm w;
                double worms = 0;
                while (traffic_next(t, a, &w) && (double)w.ready < cycles)
                    worms++;
                sum += worms;
                square += worms * worms;
            }
            traffic_free(t);
        }
        near(sum / n, cycles * row[k].load / row[k].length, (square / n - sum * sum / n / n) / n, "worms of long bursts");
    }
}

/* Worms so rare that there are 400,000 periods between two: those that come while a run can last are those of one that
 * lasts a thousand times as long, and then there are no more. */
static void rare_in_bursts(void **state)
{
    enum { SOURCES = 16, OVER = 1 << 24 };
    unsigned come = 0;
    (void)state;
    for (uint32_t a = 0; a < SOURCES; a++) {
        struct fatfly_config c = config_of(SOURCES, FATFLY_NEIGHBOUR), longer;
        struct traffic_worm w, same;
        c.length = 16;
        c.load = 1e-6;
        c.arrivals = FATFLY_ON_OFF;
        c.burst_on = c.burst_off = 20;
        c.warmup = 0;
        c.cycles = 64;
        longer = c;
        longer.cycles = UINT64_C(1) << 34;
        struct traffic *t = open_traffic(&c), *all = open_traffic(&longer);
        while (traffic_next(t, a, &w)) {
            assert_true(w.ready < 2 * OVER && traffic_next(all, a, &same) && alike(&w, &same));
            come++;
        }
        assert_false(traffic_next(t, a, &w));
        assert_true(a || (traffic_next(all, a, &same) && same.ready > OVER));
        traffic_free(all);
        traffic_free(t);
    }
    assert_true(come > 2);
}

/* The longest worm there can be: of any class, requests and replies. */
static void longest(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 2000; n++) {
        struct fatfly_config c = config_of(16, FATFLY_RANDOM);
        uint32_t most = 0;
        c.length = 1 + draw(50);
        c.classes = 1 + draw(FATFLY_MAX_CLASSES);
        for (unsigned k = 0; k < c.classes; k++) {
            c.class_length[k] = draw(2) * draw(99);
            c.reply[k] = draw(2) * draw(99);
            most = most > c.reply[k] ? most : c.reply[k];
            most = most > c.class_length[k] ? most : c.class_length[k];
            most = c.class_length[k] || most > c.length ? most : c.length;
        }
        if (c.classes == 1 && most < c.length)
            most = c.length;
        CHECK_AT(n, traffic_longest(&c), most);
    }
}

/* Destinations and rates of a matrix, row by row; a row of zeros sends nothing. */
static void matrix_by(enum fatfly_arrivals arrivals)
{
    enum { N = 9, CYCLES = 200000 };
    double weight[N * N], all = 0, row[N] = {0};
    struct fatfly_config c = config_of(N, FATFLY_MATRIX);
    struct traffic_worm w;
    for (unsigned k = 0; k < N * N; k++)
        all += weight[k] = k / N == 4 || draw(3) == 0 ? 0 : 0.5 + draw(1000) / 500.0;
    weight[0] = weight[N * N - 1] = 2; /* to themselves, and to others */
    weight[1] = weight[N * N - 2] = 1;
    for (unsigned k = 0; k < N * N; k++)
        row[k / N] += weight[k];
    all = 0;
    for (unsigned a = 0; a < N; a++)
        all += row[a];
    c.matrix = weight;
    c.length = 4;
    c.load = 0.3;
    c.arrivals = arrivals;
    c.burst_on = c.burst_off = 2; /* on or off by chance in every cycle */
    struct traffic *t = open_traffic(&c);
    for (uint32_t a = 0; a < N; a++) {
        double found[N] = {0}, worms = 0;
        double rate = 0.3 / 4 * row[a] / (all / N) * (1 - weight[a * N + a] / (row[a] > 0 ? row[a] : 1));
        while (traffic_next(t, a, &w) && w.ready < CYCLES) {
            found[w.dst]++;
            worms++;
        }
        near(worms, CYCLES * rate, CYCLES * rate * (arrivals == FATFLY_POISSON ? 1 : 1 - rate) + 1e-9, "worms of a row");
        for (uint32_t b = 0; b < N && row[a] > 0; b++) {
            double chance = b == a ? 0 : weight[a * N + b] / (row[a] - weight[a * N + a]);
            near(found[b], worms * chance, worms * chance * (1 - chance) + 1e-9, "worms to one");
        }
        assert_true(a != 4 || !traffic_next(t, a, &w));
    }
    traffic_free(t);
    for (unsigned k = 0; k < 5; k++) { /* no unit: the same worms */
        static const int power[] = {38, -955, -962, -970, -1000};
        double scaled[N * N];
        struct fatfly_config other = c;
        struct traffic_worm v;
        for (unsigned j = 0; j < N * N; j++)
            scaled[j] = ldexp(weight[j], power[k]);
        other.matrix = scaled;
        struct traffic *one = open_traffic(&c), *two = open_traffic(&other);
        for (uint32_t a = 0; a < N; a++)
            for (unsigned j = 0; j < 100 && traffic_next(one, a, &v); j++) {
                assert_true(traffic_next(two, a, &w));
                CHECK_EQ(w.ready, v.ready);
                CHECK_EQ(w.dst, v.dst);
            }
        traffic_free(one);
        traffic_free(two);
    }
}

static void matrix(void **state)
{
    (void)state;
    for (unsigned arrivals = 0; arrivals < FATFLY_ARRIVALS; arrivals++)
        matrix_by((enum fatfly_arrivals)arrivals);
}

/* The largest load in bursts: a worm of the busiest processor in each cycle that it is on; what is more is refused. */
static void largest_load_of_bursts(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 300; round++) {
        enum { N = 16 };
        double weight[N * N], row[N] = {0}, all = 0, most = 1;
        struct fatfly_config c;
        bool by_row = draw(2);
        fatfly_defaults(&c);
        for (unsigned k = 0; k < N * N; k++) {
            weight[k] = draw(3) ? draw(1000) / 100.0 : 0;
            row[k / N] += weight[k] += k % N == 15 - k / N ? 0.5 : 0; /* none is for itself alone */
        }
        for (unsigned a = 0; a < N; a++)
            all += row[a];
        for (unsigned a = 0; a < N && by_row; a++)
            most = a == 0 || row[a] * N / all > most ? row[a] * N / all : most;
        c.nodes = N;
        c.matrix = weight;
        c.pattern = by_row ? FATFLY_MATRIX : (enum fatfly_pattern)draw(FATFLY_PERMUTATION);
        c.arrivals = FATFLY_ON_OFF;
        c.burst_on = 1 + draw(100);
        c.burst_off = 1 + draw(100);
        c.lengths = draw(2) ? FATFLY_UNIFORM : FATFLY_FIXED;
        c.length = 1 + draw(3);
        double mean = c.lengths == FATFLY_FIXED ? c.length : (1 + c.length) / 2.0;
        double high = mean * c.burst_on / (c.burst_on + c.burst_off) / most, rows = 1 / most;
        high = high < rows ? high : rows; /* nor more than a flit a cycle */
        c.load = high * (1 - 1e-6);
        CHECK_AT(round, fatfly_check(&c, NULL, 0), FATFLY_OK);
        c.load = high * (1 + 1e-6);
        CHECK_AT(round, fatfly_check(&c, NULL, 0), FATFLY_BAD_CONFIG);
    }
}

/* Those for their own source are worms where they have links to cross. */
static void messages_of(bool apart)
{
    enum { COUNT = 500 };
    static struct fatfly_message m[COUNT];
    struct fatfly_config c = config_of(64, FATFLY_MESSAGES);
    struct traffic_worm w;
    uint64_t seen = 0, home = 0;
    for (unsigned k = 0; k < COUNT; k++) {
        m[k].ready = (k ? m[k - 1].ready : 0) + draw(3);
        m[k].src = draw(63) / 2 * 2; /* odd ones send nothing */
        m[k].dst = draw(4) ? draw(64) : m[k].src;
        m[k].length = 1 + draw(4096);
    }
    c.messages = m;
    c.message_count = COUNT;
    c.path = FATFLY_FP;
    c.delay_range = 9; /* messages have times of their own */
    struct traffic *t = open_traffic(&c);
    if (apart)
        traffic_apart(t);
    for (uint32_t a = 0; a < 64; a++) {
        uint64_t index = 0;
        for (unsigned k = 0; k < COUNT; k++) {
            if (m[k].src != a)
                continue;
            if (m[k].dst == a && !apart) {
                home++;
                index++;
                continue;
            }
            assert_true(traffic_next(t, a, &w));
            CHECK_AT(k, w.ready, m[k].ready);
            CHECK_AT(k, w.index, index);
            CHECK_AT(k, w.number, index * 64 + a + 1);
            CHECK_AT(k, w.src, a);
            CHECK_AT(k, w.dst, m[k].dst);
            CHECK_AT(k, w.length, m[k].length);
            CHECK_AT(k, w.path >> 2, 0);
            index++;
            seen++;
        }
        assert_false(traffic_next(t, a, &w));
    }
    CHECK_EQ(seen + home, COUNT);
    CHECK_EQ(traffic_self_worms(t), home);
    traffic_free(t);
    c.message_count = 0;
    c.messages = NULL;
    t = open_traffic(&c);
    assert_false(traffic_next(t, 0, &w));
    traffic_free(t);
}

static void messages(void **state)
{
    (void)state;
    messages_of(false);
    messages_of(true);
}

/* Whether worms of a pattern may leave their source. */
static bool leaves(const struct fatfly_config *c, enum fatfly_pattern pattern, const uint32_t *permutation, uint32_t src)
{
    struct rng r = {unit_seed};
    bool does = pattern == FATFLY_MATRIX ? src % 2 : pattern == FATFLY_RANDOM_PERMUTATION && permutation[src] != src;
    for (unsigned n = 0; n < 100 && pattern != FATFLY_MATRIX && pattern != FATFLY_RANDOM_PERMUTATION; n++)
        does = does || pattern_dst_of(c, pattern, pattern_bits(c->nodes), src, &r) != src;
    return does;
}

/* A source of which some worms leave it sends for ever, whatever it has drawn; one of which none does sends nothing.  Of every
 * pattern, alone and beside every other one. */
static void who_falls_silent(void **state)
{
    enum { N = 16, WORMS = 40 };
    double weight[N * N] = {0};
    uint32_t map[N];
    (void)state;
    for (unsigned a = 0; a < N; a++) {
        map[a] = a < N / 2 ? a : N - 1; /* half of them to themselves */
        weight[a * N + a] = 3;
        weight[a * N + (a + 5) % N] = a % 2;
    }
    for (unsigned pair = 0; pair < FATFLY_PATTERNS * FATFLY_PATTERNS; pair++) {
        enum fatfly_pattern one = pair / FATFLY_PATTERNS, two = pair % FATFLY_PATTERNS;
        struct fatfly_config c = config_of(N, FATFLY_RANDOM);
        if (!pattern_may_be_of_class(one) || !pattern_may_be_of_class(two))
            continue;
        c.load = 0.5;
        c.self_traffic = pair & 1;
        c.hotspot = 0.9;
        c.permutation = map;
        c.matrix = weight;
        c.classes = one == two ? 1 : 2;
        c.class_patterns = one != two;
        c.class_pattern[0] = one;
        c.class_pattern[1] = two;
        c.pattern = one == two ? one : FATFLY_RANDOM;
        struct traffic *t = open_traffic(&c);
        uint32_t *permutation = pattern_table(&c);
        for (uint32_t a = 0; a < N; a++) {
            unsigned sent = 0;
            for (struct traffic_worm w; sent < WORMS && traffic_next(t, a, &w); sent++)
                ;
            CHECK_AT(pair, sent, leaves(&c, one, permutation, a) || leaves(&c, two, permutation, a) ? WORMS : 0);
        }
        free(permutation);
        traffic_free(t);
    }
}

static uint64_t digest_of(const struct fatfly_config *c)
{
    struct traffic *t = open_traffic(c);
    struct traffic_worm w;
    uint64_t digest = 0;
    for (uint32_t a = 0; a < c->nodes; a++)
        for (unsigned k = 0; k < 100 && traffic_next(t, a, &w); k++)
            digest = rng_hash(digest ^ w.ready) + rng_hash((uint64_t)w.dst << 32 | w.number) +
                     rng_hash((uint64_t)w.length << 32 | w.path);
    traffic_free(t);
    return digest;
}

/* The common case has a way of its own; a class that says the length that all have anyway is enough to leave it. */
static void both_ways_of_drawing(void **state)
{
    (void)state;
    for (unsigned at = 0; at < 60; at++) {
        struct fatfly_config c = config_of(4 + at % 7 * 43, FATFLY_RANDOM), other;
        struct traffic *t[2];
        c.load = at % 5 ? 0.01 + at % 5 * 0.2 : at % 2 ? 0.000001 : 0.01;
        c.length = 1 + at % 3;
        c.self_traffic = at & 1;
        c.arrivals = at & 2 ? FATFLY_POISSON : FATFLY_GEOMETRIC;
        c.seed += at;
        other = c;
        other.class_length[0] = c.length;
        t[0] = open_traffic(&c);
        t[1] = open_traffic(&other);
        for (unsigned j = 0; j < 2 && at % 4 == 3; j++)
            traffic_apart(t[j]);
        for (unsigned k = 0; k < 400; k++) {
            struct traffic_worm w[2];
            uint32_t src = k % c.nodes;
            assert_true(traffic_next(t[0], src, &w[0]) && traffic_next(t[1], src, &w[1]));
            assert_true(alike(&w[0], &w[1]) && w[0].of_class == 0 && w[1].of_class == 0);
        }
        CHECK_AT(at, traffic_self_worms(t[0]), traffic_self_worms(t[1]));
        traffic_free(t[0]);
        traffic_free(t[1]);
    }
}

/* The same worms on every compiler and machine: these numbers were written down once. */
static void same_everywhere(void **state)
{
    static const uint64_t want[FATFLY_LENGTHS][FATFLY_ARRIVALS] = {
        {UINT64_C(0xb925291446a649c3), UINT64_C(0x670f378dda540f72), UINT64_C(0x800dfb952e838732)},
        {UINT64_C(0xcf5aa03042a3acf1), UINT64_C(0xb945afc265b942da), UINT64_C(0x7549dbaf7f63c94d)},
        {UINT64_C(0x42646524db3a0268), UINT64_C(0x93f51be6d7417f1a), UINT64_C(0xd5f0152a68a74e89)},
        {UINT64_C(0xdd238fd75a3e0119), UINT64_C(0x263c9d77f9264733), UINT64_C(0x45bc69324cd06e07)},
        {UINT64_C(0x5724cafaec2871b8), UINT64_C(0xdb8cb3e13fd8473d), UINT64_C(0xda446a391782ed6d)}};
    (void)state;
    for (unsigned lengths = 0; lengths < FATFLY_LENGTHS; lengths++)
        for (unsigned arrivals = 0; arrivals < FATFLY_ARRIVALS; arrivals++) {
            struct fatfly_config c = config_of(64, FATFLY_HOTSPOT);
            c.seed = 7;
            c.path = FATFLY_FP;
            c.lengths = lengths;
            c.length = 40;
            c.length_min = 5;
            c.length_mean = 17.3;
            c.short_share = 0.3;
            c.hotspot = 0.04;
            c.hotspot_node = 11;
            c.load = 0.037;
            c.arrivals = arrivals;
            c.burst_on = 30;
            c.burst_off = 70.5;
            c.mix_count = 2;
            c.mix[0] = (struct fatfly_size){5, 0.3};
            c.mix[1] = (struct fatfly_size){40, 0.11};
            CHECK_AT(lengths * FATFLY_ARRIVALS + arrivals, digest_of(&c), want[lengths][arrivals]);
        }
}

static void memory(void **state)
{
    struct fatfly_config c = config_of(4096, FATFLY_RANDOM);
    (void)state;
    assert_true(traffic_memory(&c) >= 4096 * 16 && traffic_memory(&c) < 4096 * 64);
    c.discipline = FATFLY_PHASED;
    uint64_t cuts = traffic_memory(&c);
    c.path = FATFLY_FP;
    assert_true(traffic_memory(&c) > cuts);
    c.phases = 5;
    assert_true(traffic_memory(&c) < cuts);
    c.pattern = FATFLY_MESSAGES;
    c.message_count = 1000000;
    assert_true(traffic_memory(&c) > 8000000);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_of_a_path),
        cmocka_unit_test(static_rounds),
        cmocka_unit_test(worms_at_home),
        cmocka_unit_test(initial_delays),
        cmocka_unit_test(algorithm_a),
        cmocka_unit_test(offered_load),
        cmocka_unit_test(length_chances),
        cmocka_unit_test(worms_of_a_cycle),
        cmocka_unit_test(bursts), cmocka_unit_test(bursts_of_any_length), cmocka_unit_test(rare_in_bursts),
        cmocka_unit_test(longest),
        cmocka_unit_test(matrix),
        cmocka_unit_test(largest_load_of_bursts),
        cmocka_unit_test(messages),
        cmocka_unit_test(who_falls_silent),
        cmocka_unit_test(both_ways_of_drawing),
        cmocka_unit_test(same_everywhere),
        cmocka_unit_test(memory),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
