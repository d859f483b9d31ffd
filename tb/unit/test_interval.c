/* SPDX-License-Identifier: Apache-2.0
 * test_interval.c - 99 % intervals: against tables, every rule on results made up for it, and how many of
 * a thousand cover; with the rules that they replace, which do not.
 */
#include "interval.h"

#include "unit.h"

#include <math.h>
#include <string.h>

static void near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-6 * fabs(want)))
        fail_msg("%.12g is not %.12g", got, want);
}

/* About normal: twelve uniform ones. */
static double normal(void)
{
    double sum = -6;
    for (unsigned k = 0; k < 12; k++)
        sum += draw(1 << 24) / 0x1p24;
    return sum;
}

static void student(void **state)
{
    static const struct {
        unsigned degrees;
        double t995, t95;
    } table[] = {{1, 63.6567411629, 6.3137515148}, {2, 9.9248432009, 2.9199855804}, {3, 5.8409093097, 2.3533634348},
                 {10, 3.1692726726, 1.8124611228}, {31, 2.7440419193, 1.6955187825}, {100, 2.6258905214, 1.6602343261},
                 {1000, 2.5807546981, 1.6463788173}, {99999, 2.5758780172, 1.6448688609}};
    (void)state;
    for (size_t k = 0; k < ROWS(table); k++) {
        near(interval_student(0.005, table[k].degrees), table[k].t995);
        near(interval_student(0.05, table[k].degrees), table[k].t95);
    }
}

/* -- runs -------------------------------------------------------------------------------------- */

static void of_runs(void **state)
{
    double value[40] = {100, 110, 120}, unit = 10;
    (void)state;
    struct interval i = interval_of_runs(value, 3, 0);
    near(110 - i.low, 9.9248432009 * 10 / sqrt(3));
    near(i.high - 110, 9.9248432009 * 10 / sqrt(3));
    i = interval_of_runs(value, 3, unit); /* and two that were not seen */
    near(i.high - 110, 9.9248432009 * sqrt((100 + 2 * unit * unit / 3) / 3));
    assert_true(isnan(interval_of_runs(value, 1, unit).low));
    assert_true(isnan(interval_of_runs(value, 0, unit).high));
    for (unsigned k = 0; k < 40; k++)
        value[k] = 7;
    assert_true(isnan(interval_of_runs(value, 40, unit).low)); /* all the same: no sample says more */
    assert_true(interval_of_runs(value, 40, 0).low == value[0] && interval_of_runs(value, 40, 0).high == value[0]); /* of loops */
    value[39] = 47;
    i = interval_of_runs(value, INTERVAL_SKEWED_FROM - 1, 1);
    assert_true(isnan(i.low));
    value[0] = 47;
    i = interval_of_runs(value, INTERVAL_SKEWED_FROM - 1, 1);
    near((i.low + i.high) / 2, 7 + 40.0 / (INTERVAL_SKEWED_FROM - 1)); /* even */
    i = interval_of_runs(value, INTERVAL_SKEWED_FROM, 1);
    double mean = 7 + 40.0 / INTERVAL_SKEWED_FROM;
    assert_true(i.high - mean > 1.5 * (mean - i.low)); /* what is rare lies above */
}

/* Of a thousand samples how many cover. */
static unsigned covered(unsigned count, double unit, double (*sample)(void), double mean)
{
    double value[100];
    unsigned hits = 0;
    for (unsigned n = 0; n < 1000; n++) {
        for (unsigned k = 0; k < count; k++)
            value[k] = sample();
        struct interval i = interval_of_runs(value, count, unit);
        hits += i.low <= mean && mean <= i.high;
    }
    return hits;
}

/* As complement at N = 64, L = 32: about one run in eleven has an obstacle less. */
static double two_kinds(void)
{
    return draw(11) ? 165 + normal() : 138 + normal();
}

static double one_kind(void)
{
    return 100 + 20 * normal();
}

static void runs_cover(void **state)
{
    static const unsigned counts[] = {3, 5, 10, 20, 30, 60, 100};
    (void)state;
    for (size_t k = 0; k < ROWS(counts); k++) {
        unsigned hits = covered(counts[k], 32, two_kinds, 165 - 27 / 11.0);
        unsigned even = covered(counts[k], 32, one_kind, 100);
        if (hits < 974 || even < 974) /* 991 at least, less 6 sigma */
            fail_msg("%u runs: %u and %u of 1000 cover", counts[k], hits, even);
    }
    assert_true(covered(30, 0, two_kinds, 165 - 27 / 11.0) < 980); /* 942 + 5 sigma: what these rules are for */
}

/* -- one open loop ----------------------------------------------------------------------------- */

static struct fatfly_result r;

/* 1024 batches of worms; latencies are mean above and below by turns, sign(k); alone they take alone. */
static void loop(uint64_t cycles, uint64_t worms_each, uint64_t mean, uint64_t alone, double (*sign)(unsigned))
{
    memset(&r, 0, sizeof r);
    r.measure_cycles = cycles;
    for (unsigned k = 0; k < FATFLY_SERIES; k++) {
        r.series_count[k] = worms_each;
        r.series_sum[k] = (uint64_t)((double)worms_each * ((double)mean + sign(k)));
        r.latency_sum += r.series_sum[k];
        r.measured += worms_each;
    }
    r.wait_sum = r.latency_sum - alone * r.measured;
    r.generated_in = r.measured;
}

static double by_turns(unsigned k)
{
    return (k / 16) % 2 ? 1 : -1;
}

static enum fatfly_verdict judged(struct fatfly_judgement *j)
{
    fatfly_judge(&r, j);
    assert_true((j->verdict == FATFLY_STABLE) == !isnan(j->low) && isnan(j->low) == isnan(j->high));
    return j->verdict;
}

/* The network forgets in 20 x 20 / 4 = 100 cycles. */
static void long_enough(void **state)
{
    struct fatfly_judgement j;
    (void)state;
    loop(25599, 1, 20, 4, by_turns);
    CHECK_EQ(judged(&j), FATFLY_UNDECIDED);
    CHECK_EQ(j.cycles, 32000); /* 256 times, and a quarter more */
    loop(25600, 1, 20, 4, by_turns);
    CHECK_EQ(judged(&j), FATFLY_STABLE);
    CHECK_EQ(j.batches, 16);
    loop(51199, 1, 20, 4, by_turns);
    CHECK_EQ(judged(&j), FATFLY_STABLE);
    CHECK_EQ(j.batches, 16);
    loop(102399, 1, 20, 4, by_turns);
    CHECK_EQ(judged(&j), FATFLY_STABLE);
    CHECK_EQ(j.batches, 32);
    loop(102400, 1, 20, 4, by_turns);
    CHECK_EQ(judged(&j), FATFLY_STABLE);
    CHECK_EQ(j.batches, 64);
    near(j.mean, 20);
    double t = interval_student(0.005, 63), half = t * sqrt(64 / 63.0 / 64);
    near(20 - j.low, half);
    near(j.high, 20 / (1 - t * 5 * 0.8 * 0.8 * 0.8 / 32)); /* four fifths are waits, 1024 memories */
    loop(640000000, 1, 20, 4, by_turns);
    CHECK_EQ(judged(&j), FATFLY_STABLE);
    CHECK_EQ(j.batches, 64);
    near(j.high, 20 / (1 - half / 20)); /* the end of the reciprocal's interval is the higher one */
}

/* An open loop of so few worms, spread evenly; the latencies of every other `run` of them, or of the places of the series, are one more. */
static void few(unsigned worms, unsigned run, bool by_place)
{
    loop(1000000, 0, 20, 4, by_turns);
    for (unsigned k = 0; k < worms; k++) {
        unsigned at = k * FATFLY_SERIES / worms, latency = 20 + (by_place ? at : k) / run % 2;
        r.series_count[at]++;
        r.series_sum[at] += latency;
        r.latency_sum += latency;
    }
    r.measured = r.generated_in = worms;
    r.wait_sum = r.latency_sum - 4 * (uint64_t)worms;
}

/* Ten worms a batch in the mean. */
static void worms_enough(void **state)
{
    struct fatfly_judgement j;
    (void)state;
    for (unsigned worms = 159; worms <= 160; worms++) {
        few(worms, 10, false);
        CHECK_AT(worms, judged(&j), worms == 160 ? FATFLY_STABLE : FATFLY_UNDECIDED);
    }
    for (unsigned worms = 160; worms <= 1300; worms++) { /* as many batches as have ten, less if they are uneven */
        few(worms, 16, true);
        bool stable = judged(&j) == FATFLY_STABLE;
        assert_true(!stable || 10 * j.batches <= worms);
        if (worms == 160 || worms == 320 || worms == 640)
            CHECK_AT(worms, stable ? j.batches : 0, worms / 10);
    }
    memset(&r, 0, sizeof r);
    r.measure_cycles = 1000;
    CHECK_EQ(judged(&j), FATFLY_UNDECIDED);
    CHECK_EQ(j.cycles, 2000);
    assert_true(isnan(j.mean));
}

/* 64 batches, +1 or -1, whose sign changes so often: von Neumann's statistic is 1 - changes / 32, and
 * 1.64 standard deviations of it are 0.205. */
static unsigned changes;

static double some_changes(unsigned k)
{
    unsigned batch = k / 16, longer = 64 - changes;
    unsigned before = batch < longer ? 0 : batch - longer + 1;
    if (batch < longer) /* one half as long on each side of zero */
        before = batch >= longer / 2 ? 1 : 0;
    else
        before++;
    return before % 2 ? 1 : -1;
}

static void uncorrelated(void **state)
{
    struct fatfly_judgement j;
    (void)state;
    for (changes = 24; changes < 34; changes += 2) {
        unsigned seen = 0;
        double sum = some_changes(0);
        for (unsigned k = 16; k < FATFLY_SERIES; k += 16) {
            seen += some_changes(k) * some_changes(k - 1) < 0;
            sum += some_changes(k);
        }
        loop(640000, 1, 20, 4, some_changes);
        judged(&j);
        if (fabs(sum) < 2)
            CHECK_AT(changes, j.batches == 64, 1 - seen / 32.0 <= 0.205);
    }
    changes = 1; /* a step in the middle is no stable network's */
    loop(640000, 1, 20, 4, some_changes);
    CHECK_EQ(judged(&j), FATFLY_UNDECIDED);
    CHECK_EQ(j.cycles, 1280000 / 100000 * 100000 + 100000); /* two digits, upwards */
}

static double a_rise(unsigned k)
{
    return k / 16;
}

static double slower(unsigned k) /* rises 6 from the first to the second quarter, 4 in the last two */
{
    static const double at[] = {0, 6, 11, 15};
    return at[k / 256];
}

static double hardly(unsigned k) /* 5 and 4 */
{
    static const double at[] = {0, 5, 9, 13};
    return at[k / 256];
}

static void saturation(void **state)
{
    struct fatfly_judgement j;
    (void)state;
    /* 102400 worms: 0.25 % are 256, their square root 320 */
    loop(64000, 100, 20, 4, by_turns);
    r.backlog_to = 745;
    CHECK_EQ(judged(&j), FATFLY_STABLE);
    r.backlog_to = 746;
    CHECK_EQ(judged(&j), FATFLY_UNDECIDED);
    r.backlog_from = 1;
    CHECK_EQ(judged(&j), FATFLY_STABLE);
    loop(64000, 100, 20, 4, a_rise);
    r.backlog_to = 1535;
    CHECK_EQ(judged(&j), FATFLY_UNDECIDED);
    r.backlog_to = 1537;
    CHECK_EQ(judged(&j), FATFLY_UNSTABLE);
    CHECK_EQ(j.cycles, 0);
    loop(64000, 100, 20, 4, hardly);
    r.backlog_to = 1537;
    CHECK_EQ(judged(&j), FATFLY_UNSTABLE);
    loop(64000, 100, 20, 4, slower); /* it fills, more and more slowly */
    r.backlog_to = 1537;
    CHECK_EQ(judged(&j), FATFLY_UNDECIDED);
    loop(64000, 100, 20, 4, by_turns);
    r.end = FATFLY_SATURATED;
    r.cycles = r.measure_cycles + 1; /* not all arrived for a long time */
    CHECK_EQ(judged(&j), FATFLY_UNSTABLE);
}

/* An overrun ends with the measured cycles; it is saturated if 0.75 % of the worms were left. */
static void overrun(void **state)
{
    struct fatfly_judgement j;
    (void)state;
    loop(64000, 100, 20, 4, by_turns);
    r.end = FATFLY_SATURATED;
    r.cycles = r.measure_cycles;
    r.worms = 9925;
    r.backlog_from = r.backlog_to = 75;
    CHECK_EQ(judged(&j), FATFLY_UNSTABLE);
    r.worms = 9926;
    CHECK_EQ(judged(&j), FATFLY_UNDECIDED);
    assert_true(isnan(j.low));
    CHECK_EQ(j.cycles, 260000);
    r.backlog_to = 75 + 768; /* 0.75 % of the 102400 that were generated meanwhile */
    r.worms = 10000000;
    CHECK_EQ(judged(&j), FATFLY_UNSTABLE);
    r.backlog_to = 75 + 767;
    CHECK_EQ(judged(&j), FATFLY_UNDECIDED);
}

/* By sixteen blocks, up and down. */
static double wide;
static double by_blocks(unsigned k)
{
    return (k / 64) % 2 ? wide : -wide;
}

/* Batches of any width, and waits of any share: the upper end is Student's, or that of the reciprocal, which is twice the mean at
 * most, where that is higher. */
static void ends_of_any_width(void **state)
{
    struct fatfly_judgement j;
    unsigned capped = 0;
    (void)state;
    for (unsigned round = 0; round < 400; round++) {
        unsigned alone = 1 + draw(19);
        uint64_t cycles = (256 + draw(230)) * 400 / alone + 400;
        double t = interval_student(0.005, 15), waits = 1 - alone / 20.0, memories = (double)cycles * alone / 400;
        wide = 1 + draw(19);
        loop(cycles, 10, 20, alone, by_blocks);
        CHECK_EQ(judged(&j), FATFLY_STABLE);
        CHECK_EQ(j.batches, 16);
        double error = wide / sqrt(15), part = fmax(error / 20, 5 * pow(waits, 3) / sqrt(memories));
        near(j.low, 20 - t * error);
        near(j.high, fmax(20 + t * error, 20 / (1 - fmin(0.5, t * part))));
        capped += t * part > 0.5;
    }
    assert_true(capped > 40 && capped < 360);
}

/* Cycles that are said to be enough, two digits of them, a quarter more than is needed: until the network has forgotten 256 times and
 * 160 worms have come; where the backlog grows, until that growth is 4 standard deviations above 0.25 % of the worms, if that is
 * sooner; and twice what has been measured where more of the same would not have done. */
static void cycles_that_are_enough(void **state)
{
    unsigned found[4] = {0};
    (void)state;
    for (unsigned round = 0; round < 4000; round++) {
        struct fatfly_judgement j;
        unsigned alone = 1 + draw(19);
        uint64_t cycles = (1 + draw(999)) * (draw(2) ? 1000 : 100);
        loop(cycles, 1 + draw(100), 20, alone, by_turns);
        double worms = (double)r.measured, noise = sqrt(worms), memory = 400.0 / alone, digits;
        uint64_t growth = (uint64_t)(draw(2) * draw(700) / 100.0 * noise + draw(2) * draw(100) / 10000.0 * worms);
        r.backlog_from = draw(1000);
        r.backlog_to = r.backlog_from + growth;
        double want = 1.25 * fmax(256 * memory, 160 / worms * (double)cycles), beyond = (double)growth - 0.0025 * worms;
        bool grows = (double)growth > 2.33 * noise, stable = (double)cycles >= 256 * memory && !grows;
        bool decided = grows && beyond > 0 && 1.25 * 16 * worms / beyond / beyond * (double)cycles < want;
        if (decided)
            want = 1.25 * 16 * worms / beyond / beyond * (double)cycles;
        if (grows)
            want = fmax(want, 2 * (double)cycles);
        CHECK_AT(round, judged(&j), stable ? FATFLY_STABLE : FATFLY_UNDECIDED);
        if (!((double)j.cycles >= want * (1 - 1e-9) && (double)j.cycles <= 1.1 * want + 1))
            fail_msg("%llu cycles, not %.12g", (unsigned long long)j.cycles, want);
        for (digits = (double)j.cycles; digits >= 100 && fmod(digits, 10) == 0; digits /= 10)
            ;
        assert_true(digits < 100);
        found[2 * grows + decided]++;
    }
    assert_true(found[0] > 100 && found[2] > 100 && found[3] > 100);
}

static double level, kept;

static double autoregressive(unsigned k)
{
    if (k == 0)
        level = normal();
    level = kept * level + sqrt(1 - kept * kept) * normal();
    return 30 * level;
}

/* The rule before: 32 batches, whatever they are. */
static bool batches_of_old(double mean)
{
    double batch[32] = {0};
    for (unsigned k = 0; k < FATFLY_SERIES; k++)
        batch[k / 32] += (double)r.series_sum[k] / (double)r.series_count[k] / 32;
    struct interval i = interval_of_runs(batch, 32, 0);
    return i.low <= mean && mean <= i.high;
}

/* Correlated latencies: an interval that is given covers; where there is too little for one, none is
 * given, and the old one does not cover.  Of 1024 batches 1 / (1 - kept) remember. */
static void loops_cover(void **state)
{
    static const struct {
        double kept;
        uint64_t alone; /* cycles of a worm alone, so that the network forgets in 40000 / alone */
    } kinds[] = {{0, 200}, {0.5, 200}, {0.8, 200}, {0.95, 50}};
    struct fatfly_judgement j;
    (void)state;
    for (size_t n = 0; n < ROWS(kinds); n++) {
        unsigned given = 0, hits = 0, old = 0;
        kept = kinds[n].kept;
        for (unsigned k = 0; k < 1000; k++) {
            loop(64000, 1000, 200, kinds[n].alone, autoregressive);
            old += batches_of_old(200);
            if (judged(&j) != FATFLY_STABLE)
                continue;
            given++;
            hits += j.low <= 200 && 200 <= j.high;
        }
        if (n < 3 && (given < 900 || hits < 0.98 * given))
            fail_msg("%g: of 1000 loops %u have an interval, %u cover", kept, given, hits);
        if (n == 3 && (given > 0 || old > 965))
            fail_msg("%g: of 1000 loops %u have an interval; of the old ones %u cover", kept, given, old);
    }
}

/* -- several open loops ------------------------------------------------------------------------ */

static void several_loops(void **state)
{
    uint64_t cycles;
    (void)state;
    loop(1, 100, 20, 4, by_turns); /* sums over the runs: only the counts matter */
    CHECK_EQ(interval_judge_runs(&r, 10, 4000, false, &cycles), FATFLY_STABLE); /* 40 times 100 */
    CHECK_EQ(interval_judge_runs(&r, 10, 3999, false, &cycles), FATFLY_UNDECIDED);
    CHECK_EQ(cycles, 5000);
    CHECK_EQ(interval_judge_runs(&r, 2, 12799, false, &cycles), FATFLY_UNDECIDED);
    CHECK_EQ(interval_judge_runs(&r, 2, 12800, false, &cycles), FATFLY_STABLE);
    r.backlog_to = 746;
    CHECK_EQ(interval_judge_runs(&r, 10, 4000, false, &cycles), FATFLY_UNDECIDED);
    CHECK_EQ(cycles, 8000);
    loop(1, 100, 20, 4, a_rise);
    r.backlog_to = 1537;
    CHECK_EQ(interval_judge_runs(&r, 10, 4000, false, &cycles), FATFLY_UNSTABLE);
    r.end = FATFLY_SATURATED;
    r.backlog_to = 0;
    CHECK_EQ(interval_judge_runs(&r, 10, 4000, false, &cycles), FATFLY_UNSTABLE);
    CHECK_EQ(interval_judge_runs(&r, 10, 4000, true, &cycles), FATFLY_UNDECIDED); /* worms gathered slowly */
    CHECK_EQ(cycles, 16000);
    r.backlog_to = 1537;
    CHECK_EQ(interval_judge_runs(&r, 10, 4000, true, &cycles), FATFLY_UNSTABLE);
    memset(&r, 0, sizeof r);
    CHECK_EQ(interval_judge_runs(&r, 10, 4000, false, &cycles), FATFLY_UNDECIDED);
    for (uint64_t worms = 1; worms <= 320; worms++) { /* as one loop, they need 160 in all */
        loop(1, 100, 20, 4, by_turns);
        r.latency_sum = r.latency_sum * worms / r.measured;
        r.wait_sum = r.wait_sum * worms / r.measured;
        r.measured = r.generated_in = worms;
        CHECK_EQ(interval_judge_runs(&r, 10, 4000, false, &cycles), worms < 160 ? FATFLY_UNDECIDED : FATFLY_STABLE);
        if (worms == 100)
            CHECK_EQ(cycles, 8000);
    }
}

/* -- quantiles --------------------------------------------------------------------------------- */

static uint32_t part[FATFLY_BATCHES][FATFLY_BUCKETS];

static void quantiles_cover(void **state)
{
    static const double share[] = {0.5, 0.95, 0.99};
    static const unsigned parts[] = {FATFLY_BATCHES, 10};
    (void)state;
    for (unsigned n = 0; n < 2; n++) {
        unsigned hits[3] = {0}, given[3] = {0};
        for (unsigned k = 0; k < 500; k++) {
            memset(part, 0, sizeof part);
            for (unsigned worm = 0; worm < 3200; worm++)
                part[worm % parts[n]][draw(100)]++;
            for (unsigned q = 0; q < 3; q++) {
                struct interval i = interval_of_quantile(part, parts[n], n ? 100 : FATFLY_BUCKETS, n == 0, share[q]);
                double want = 100 * share[q] - 1; /* buckets 0 to 99 */
                given[q] += isnan(i.low) ? 0 : 1;
                hits[q] += i.low <= want && want <= i.high ? 1 : 0;
            }
        }
        for (unsigned q = 0; q < 3; q++)
            if (given[q] < 400 || hits[q] < 0.98 * given[q])
                fail_msg("%u parts, %g: of 500 %u have an interval, %u cover", parts[n], share[q], given[q],
                         hits[q]);
    }
    assert_true(isnan(interval_of_quantile(part, 32, FATFLY_BUCKETS, true, 0.9999).low)); /* nobody saw so much */
    /* Half of the parts, one after the other, are slower than the rest: too correlated to say anything. */
    memset(part, 0, sizeof part);
    for (unsigned k = 0; k < 32; k++)
        for (unsigned worm = 0; worm < 100; worm++)
            part[k][k < 16 ? 10 : worm < 96 ? 60 : 90]++;
    assert_true(isnan(interval_of_quantile(part, 32, FATFLY_BUCKETS, true, 0.5).low));
    struct interval apart = interval_of_quantile(part, 32, FATFLY_BUCKETS, false, 0.5); /* in any order they say something */
    CHECK_EQ((uint64_t)apart.low, 10);
    CHECK_EQ((uint64_t)apart.high, 60);
    assert_true(isnan(interval_of_quantile(part, 1, FATFLY_BUCKETS, true, 0.5).low));
    assert_true(isnan(interval_of_quantile(part, FATFLY_BATCHES + 1, FATFLY_BUCKETS, true, 0.5).low));
    memset(part, 0, sizeof part);
    assert_true(isnan(interval_of_quantile(part, 32, FATFLY_BUCKETS, true, 0.5).low));
}

/* One piece must lie beyond, five beyond what is far out in an open loop. */
static void quantiles_known(void **state)
{
    (void)state;
    memset(&r, 0, sizeof r);
    r.measured = 100;
    r.latency_sum = 4000;
    r.wait_sum = 2000;
    near(interval_pieces(&r, 64000), 100); /* 40 cycles, 20 alone: a memory of 80, and 8 of them a piece */
    r.measured = 0;
    near(interval_pieces(&r, 64000), 0);
    for (unsigned open = 0; open < 2; open++) {
        assert_true(interval_knows_quantile(20, 0.95, open));
        assert_false(interval_knows_quantile(19, 0.95, open));
        assert_true(interval_knows_quantile(open ? 500 : 100, 0.99, open));
        assert_false(interval_knows_quantile(open ? 499 : 99, 0.99, open));
    }
}

/* The mean's upper end a fifth above it: 1.2^1.5 for what lies beyond the mean. */
static void quantiles_stretched(void **state)
{
    (void)state;
    near(interval_tail_end(400, 100, 120), 400 * 1.2 * sqrt(1.2));
    near(interval_tail_end(101, 100, 100), 101);
    assert_true(isnan(interval_tail_end(100, 100, 120)));
    assert_true(isnan(interval_tail_end(50, 100, 120)));
    assert_true(isnan(interval_tail_end(400, 100, NAN)));
}

/* -- skewness ---------------------------------------------------------------------------------- */

/* The distance from the mean, in standard errors, that Johnson's transformation (1978) turns into t, of count values whose
 * skewness is that; without one t itself. */
static double undone(double t, double skewness, unsigned count)
{
    double a = skewness / (6 * sqrt(count)), low = -1000, high = 1000;
    for (unsigned k = 0; k < 60; k++) {
        double x = (low + high) / 2;
        *(a + x + 2 * a * x * x + 4 / 3.0 * a * a * x * x * x < t ? &low : &high) = x;
    }
    return low;
}

/* A few values, most of them 0; their mean, its standard error, and their skewness. */
struct few {
    double value[40], mean, error, skewness;
};

static struct few draw_few(unsigned count, double unit)
{
    struct few f = {.mean = 0};
    double square = 0, cube = 0, n = count;
    for (unsigned k = 0; k < count; k++) {
        f.value[k] = k == 0 ? 50 : k == 1 ? 3 : draw(4) ? 0 : draw(60);
        f.mean += f.value[k] / n;
    }
    for (unsigned k = 0; k < count; k++) {
        square += pow(f.value[k] - f.mean, 2) / (n - 1);
        cube += pow(f.value[k] - f.mean, 3);
    }
    square += 2 * unit * unit / n;
    f.error = sqrt(square / n);
    f.skewness = n * cube / (n - 1) / (n - 2) / pow(square, 1.5); /* none of two, of which it is not asked */
    return f;
}

/* From 2 runs to 40: skewness counts from 20 on. */
static void skewed_runs(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 10; round++)
        for (unsigned count = 2; count <= 40; count++) {
            double unit = draw(2) ? 8 : 0, t = interval_student(0.005, count - 1);
            struct few f = draw_few(count, unit);
            struct interval i = interval_of_runs(f.value, count, unit);
            double skewness = count < 20 ? 0 : f.skewness;
            near(f.mean - i.low, undone(t, skewness, count) * f.error);
            near(i.high - f.mean, -undone(-t, skewness, count) * f.error);
        }
}

/* `part` has HALF buckets with `quick` worms each and HALF with `slow`, all parts together; p lies in the last of the quick ones.
 * The interval of its share is that of a mean with `error` and `skewness`: do the ends lie in the buckets where such shares do? */
enum { HALF = 1000 };
static void ends_are(unsigned parts, double quick, double slow, double error, double skewness)
{
    double all = HALF * (quick + slow), p = quick * (HALF - 0.5) / all, t = interval_student(0.005, parts - 1);
    struct interval i = interval_of_quantile(part, parts, FATFLY_BUCKETS, false, p);
    for (unsigned end = 2; end-- > 0;) { /* the upper one first */
        double share = p + undone(end ? t : -t, skewness, parts) * error;
        double want = share <= quick * HALF / all ? share * all / quick : HALF + (share * all - HALF * quick) / slow;
        if (share >= 1) {
            assert_true(isnan(i.low));
            break;
        }
        double got = fatfly_bucket((uint64_t)(end ? i.high : i.low));
        if (!(fabs(got + 0.5 - (want > 0 ? want : 0.5)) < 1.5))
            fail_msg("%u parts: the %s end is in bucket %g, not %g", parts, end ? "upper" : "lower", got, want);
    }
}

/* From 2 parts to 32, some of which have more worms in the lower half of the buckets than others: skewness counts from 10 on. */
static void skewed_parts(void **state)
{
    enum { EACH = 200 };
    (void)state;
    for (unsigned round = 0; round < 10; round++)
        for (unsigned parts = 2; parts <= FATFLY_BATCHES; parts++) {
            struct few f = draw_few(parts, 0);
            double quick = 0;
            memset(part, 0, sizeof part);
            for (unsigned k = 0; k < parts; k++) {
                quick += 60 + f.value[k];
                for (unsigned b = 0; b < HALF; b++) {
                    part[k][b] = 60 + (uint32_t)f.value[k];
                    part[k][HALF + b] = EACH - part[k][b];
                }
            }
            ends_are(parts, quick, EACH * (double)parts - quick, f.error / EACH, parts < 10 ? 0 : f.skewness);
        }
}

/* Parts with up to a hundred times as many worms as others count as much more: the share is a ratio of sums. */
static void uneven_parts(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 10; round++)
        for (unsigned parts = 5; parts <= FATFLY_BATCHES; parts++) {
            double quick = 0, slow = 0, square = 0, cube = 0;
            memset(part, 0, sizeof part);
            for (unsigned k = 0; k < parts; k++) {
                unsigned size = draw(3) ? 1 + draw(4) : 100, few = 1 + draw(3 * size), many = 1 + draw(3 * size);
                for (unsigned b = 0; b < HALF; b++) {
                    part[k][b] = few;
                    part[k][HALF + b] = many;
                }
                quick += few;
                slow += many;
            }
            for (unsigned k = 0; k < parts; k++) { /* what a part has too many, in shares of a mean part */
                double apart = part[k][0] - quick / (quick + slow) * (part[k][0] + part[k][HALF]);
                square += pow(apart / (quick + slow) * parts, 2) / (parts - 1);
                cube += pow(apart / (quick + slow) * parts, 3);
            }
            ends_are(parts, quick, slow, sqrt(square / parts),
                     parts < 10 ? 0 : parts * cube / (parts - 1) / (parts - 2) / pow(square, 1.5));
        }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(student),      cmocka_unit_test(of_runs),
        cmocka_unit_test(runs_cover),   cmocka_unit_test(long_enough),
        cmocka_unit_test(worms_enough), cmocka_unit_test(uncorrelated),
        cmocka_unit_test(saturation),   cmocka_unit_test(overrun),
        cmocka_unit_test(loops_cover), cmocka_unit_test(ends_of_any_width), cmocka_unit_test(cycles_that_are_enough),
        cmocka_unit_test(several_loops), cmocka_unit_test(quantiles_cover), cmocka_unit_test(quantiles_known),
        cmocka_unit_test(quantiles_stretched), cmocka_unit_test(skewed_runs), cmocka_unit_test(skewed_parts),
        cmocka_unit_test(uneven_parts),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
