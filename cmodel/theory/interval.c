/* SPDX-License-Identifier: Apache-2.0
 * interval.c - 99 % confidence intervals, and whether a run says enough for one.
 *
 * Values that are not independent are made so by batches (Law and Carson 1979; Skart, Tafazzoli et al. 2011,
 * from which the adjustments for skewness and for what correlation is left; Willink 2005).
 */
#include "interval.h"

#include <math.h>
#include <string.h>

enum {
    MEMORY = 256,        /* memories of the network that a run must last, all runs together ... */
    MEMORY_EACH = 40,    /* ... and each of several */
    BATCH_MEMORY = 16,   /* that a batch should last */
    MOST = 64,           /* batches */
    LEAST = 16,
    LEAST_WORMS = 10,    /* of a batch, in the mean */
    PIECE_MEMORY = 8,    /* memories of a piece ... */
    PIECES_BEYOND = 5    /* ... of which so many must lie beyond a quantile far out, and one beyond others */
};

static const double tail99 = 0.005;
static const double margin = 1.25;        /* on the cycles that are said to be enough */
static const double correlated = 1.64;    /* standard deviations: one-sided, 5 % */
static const double crowded = 5;          /* deviation of a mean of waits alone, times the root of the memories */
static const double tail_power = 1.5;     /* of the mean's upper end, by which a quantile's is further out */
static const double usual_tail = 0.95;    /* quantiles above are far out */
static const double growing = 2.33;       /* likewise, 1 %: not clearly stable */
static const double grown = 4;            /* likewise, 0.003 %: saturated ... */
static const double grown_share = 0.0025; /* ... beyond this share of the worms */
static const double slow_share = 0.0075;  /* of the worms, below which an overrun proves nothing */

/* -- Student's t ------------------------------------------------------------------------------- */

/* P(|T| < t), Abramowitz and Stegun 26.7.3 and 26.7.4. */
static double student_within(double t, unsigned degrees)
{
    double angle = atan(t / sqrt(degrees)), s = sin(angle), c = cos(angle);
    double term = degrees % 2 ? c : 1, sum = 0;

    for (unsigned k = degrees % 2 ? 3 : 2; k <= degrees; k += 2) {
        sum += term;
        term *= c * c * (k - 1) / k;
    }
    return degrees % 2 ? 2 / acos(-1) * (angle + s * sum) : s * sum;
}

double interval_student(double tail, unsigned degrees)
{
    double low = 0, high = 1;

    while (student_within(high, degrees) < 1 - 2 * tail)
        high *= 2;
    for (unsigned k = 0; k < 60; k++) {
        double middle = (low + high) / 2;
        if (student_within(middle, degrees) < 1 - 2 * tail)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* Willink's transformation of t by the skewness of the mean. */
static double skewed(double t, double b)
{
    return fabs(b) < 1e-6 ? t : (cbrt(1 + 6 * b * (t - b)) - 1) / (2 * b);
}

/* From the mean, its standard error, and the third moment of a value over the cube of its deviation. */
static struct interval around(double mean, double error, double skewness, size_t count)
{
    double t = interval_student(tail99, (unsigned)count - 1);
    double b = skewness / (6 * sqrt((double)count));
    return (struct interval){mean - skewed(t, b) * error, mean - skewed(-t, b) * error};
}

/* -- independent values ------------------------------------------------------------------------ */

struct moments {
    double mean, square, cube; /* square: unbiased variance; cube: third moment */
};

static struct moments moments(const double *value, size_t count)
{
    struct moments m = {0, 0, 0};
    double n = (double)count;

    for (size_t k = 0; k < count; k++)
        m.mean += value[k] / n;
    for (size_t k = 0; k < count; k++) {
        double d = value[k] - m.mean;
        m.square += d * d / (n - 1);
        m.cube += d * d * d * n / ((n - 1) * (n - 2));
    }
    return m;
}

struct interval interval_of_runs(const double *value, size_t count, double unit)
{
    struct interval none = {NAN, NAN};
    bool same = true;

    for (size_t k = 1; k < count; k++)
        same = same && value[k] == value[0];
    if (count < 2 || (same && unit > 0))
        return none;
    if (same)
        return (struct interval){value[0], value[0]};
    struct moments m = moments(value, count);
    double variance = m.square + 2 * unit * unit / (double)count;
    double skewness = count < INTERVAL_SKEWED_FROM ? 0 : m.cube / (variance * sqrt(variance));
    return around(m.mean, sqrt(variance / (double)count), skewness, count);
}

/* -- batches of one run ------------------------------------------------------------------------ */

/* Of neighbours: sums of squares about the mean, of products, of squares of steps. */
struct neighbours {
    double all, pairs, steps;
};

static struct neighbours neighbours(const double *z, unsigned count)
{
    struct neighbours n = {0, 0, 0};
    double mean = 0;

    for (unsigned k = 0; k < count; k++)
        mean += z[k] / count;
    for (unsigned k = 0; k < count; k++) {
        n.all += (z[k] - mean) * (z[k] - mean);
        n.pairs += k ? (z[k] - mean) * (z[k - 1] - mean) : 0;
        n.steps += k ? (z[k] - z[k - 1]) * (z[k] - z[k - 1]) : 0;
    }
    return n;
}

/* Correlation of neighbours that says how much wider the interval must be: only a positive one. */
static double lag_one(const double *z, unsigned count)
{
    struct neighbours n = neighbours(z, count);
    double r = n.all > 0 ? n.pairs / n.all + 1.0 / count : 0;
    return r < 0 ? 0 : r > 0.9 ? 0.9 : r;
}

/* Von Neumann's test: do neighbours differ less than values in any order do? */
static bool is_correlated(const double *z, unsigned count)
{
    struct neighbours n = neighbours(z, count);
    return n.all > 0 && 1 - n.steps / (2 * n.all) > correlated / sqrt(count);
}

/* Latencies of each of count batches above what so many worms of the mean latency would sum up to:
 * a ratio of two sums, since batches differ in their worms. */
static void excess(const struct fatfly_result *r, double mean, unsigned count, double *z)
{
    for (unsigned k = 0; k < count; k++)
        z[k] = 0;
    for (unsigned k = 0; k < FATFLY_SERIES; k++)
        z[k / (FATFLY_SERIES / count)] += (double)r->series_sum[k] - mean * (double)r->series_count[k];
}

/* Near saturation the deviation of a mean latency goes with its square (heavy traffic; Whitt, Planning
 * queueing simulations, 1989), so a run that was quiet by chance finds itself too exact.  The deviation
 * of the reciprocal does not depend on the mean: the upper end of the reciprocal's interval. */
static double reciprocal_end(double mean, double share)
{
    return mean / (1 - (share < 0.5 ? share : 0.5));
}

/* floor: what the deviation of the mean is at least, a share of it. */
static struct interval of_batches(const double *z, unsigned count, double mean, double worms, double floor)
{
    double y[MOST];

    for (unsigned k = 0; k < count; k++)
        y[k] = z[k] / worms;
    struct moments m = moments(y, count);
    if (!(m.square > 0))
        return (struct interval){mean, mean};
    double left = lag_one(y, count);
    double error = sqrt((1 + left) / (1 - left) * m.square / count);
    struct interval i = around(mean, error, m.cube / (m.square * sqrt(m.square)), count);
    double share = error / mean > floor ? error / mean : floor;
    double high = reciprocal_end(mean, interval_student(tail99, count - 1) * share);
    i.high = i.high > high ? i.high : high;
    return i;
}

/* Cycles in which a network forgets, about: in one queue that is its service over (1 - load)^2, and
 * the latency its service over 1 - load. */
static double memory_of(double latency, double alone)
{
    return alone > 0 ? latency * latency / alone : 0;
}

static uint64_t cycles_of(double x)
{
    double two = 1; /* two digits are enough */
    while (x / two >= 100)
        two *= 10;
    x = ceil(x / two) * two;
    return x < 0x1p62 ? (uint64_t)x : UINT64_C(1) << 62;
}

/* Halves the batches until they are no longer correlated; false: they are to the end. */
static bool batches_of(const struct fatfly_result *r, double memory, struct fatfly_judgement *j)
{
    double z[MOST], worms = (double)r->measured, cycles = (double)r->measure_cycles;
    double waits = r->latency_sum > 0 ? (double)r->wait_sum / (double)r->latency_sum : 0;
    double floor = crowded * waits * waits * waits / sqrt(cycles / memory);
    unsigned count = MOST;

    while (count > LEAST && cycles / count < BATCH_MEMORY * memory)
        count /= 2;
    for (; count >= LEAST; count /= 2) {
        excess(r, j->mean, count, z);
        if (worms / count < LEAST_WORMS || is_correlated(z, count))
            continue;
        struct interval i = of_batches(z, count, j->mean, worms / count, floor);
        j->low = i.low;
        j->high = i.high;
        j->batches = count;
        return true;
    }
    return false;
}

static double growth_of(const struct fatfly_result *r)
{
    return (double)r->backlog_to - (double)r->backlog_from;
}

/* A network that is offered less than it carries has a rise, too, while it fills; that slows down.
 * Latencies of worms that came later and later: does their rise go on? */
static bool rises_on(const struct fatfly_result *r)
{
    double sum[4] = {0}, count[4] = {0};

    for (unsigned k = 0; k < FATFLY_SERIES; k++) {
        sum[4 * k / FATFLY_SERIES] += (double)r->series_sum[k];
        count[4 * k / FATFLY_SERIES] += (double)r->series_count[k];
    }
    for (unsigned k = 0; k < 4; k++)
        if (!(count[k] > 0))
            return false;
    double early = sum[1] / count[1] - sum[0] / count[0], late = sum[3] / count[3] - sum[2] / count[2];
    return late > 0.75 * early && sum[2] / count[2] > sum[1] / count[1];
}

/* More worms wait than the run keeps, but they are few of all: sources at 99 % of what their links carry
 * gather as many by and by.  Such a run ends with its measured cycles; others that are saturated end
 * later, or have grown by 1 %. */
static bool gathered_slowly(const struct fatfly_result *r)
{
    double all = (double)r->worms + (double)r->backlog_to;

    return r->cycles <= r->measure_from + r->measure_cycles && (double)r->backlog_to < slow_share * all &&
           growth_of(r) < slow_share * (double)r->generated_in;
}

bool interval_slowly(const struct fatfly_result *r)
{
    return r->end == FATFLY_SATURATED && gathered_slowly(r);
}

/* Twice as many cycles at least. */
static uint64_t more_than(uint64_t cycles, const struct fatfly_result *r)
{
    uint64_t twice = cycles_of(2 * (double)r->measure_cycles);
    return cycles > twice ? cycles : twice;
}

/* The cycles after which growth at the rate that was seen is called saturation, if they are fewer than
 * those that a stable network needs. */
static uint64_t decided_by(const struct fatfly_result *r, double need)
{
    double all = (double)r->generated_in, beyond = growth_of(r) - grown_share * all;
    double root = beyond > 0 ? grown * sqrt(all) / beyond : HUGE_VAL;
    double then = margin * root * root * (double)r->measure_cycles;
    return more_than(cycles_of(then < need ? then : need), r);
}

void fatfly_judge(const struct fatfly_result *r, struct fatfly_judgement *j)
{
    double worms = (double)r->measured, cycles = (double)r->measure_cycles;
    double all = (double)r->generated_in, noise = sqrt(all), growth = growth_of(r);

    memset(j, 0, sizeof *j);
    j->mean = worms > 0 ? (double)r->latency_sum / worms : NAN;
    j->low = j->high = NAN;
    j->verdict = FATFLY_UNDECIDED;
    bool slowly = interval_slowly(r);
    if ((r->end == FATFLY_SATURATED && !slowly) ||
        (growth > grown_share * all + grown * noise && rises_on(r))) {
        j->verdict = FATFLY_UNSTABLE;
        return;
    }
    if (slowly) { /* its worms have not all arrived: no mean */
        j->cycles = cycles_of(4 * cycles);
        return;
    }
    if (!(worms > 0)) {
        j->cycles = cycles_of(2 * cycles);
        return;
    }
    double memory = memory_of(j->mean, ((double)r->latency_sum - (double)r->wait_sum) / worms);
    double need = margin * MEMORY * memory, few = LEAST * LEAST_WORMS / worms * cycles;
    need = need > margin * few ? need : margin * few;
    j->cycles = growth > growing * noise ? decided_by(r, need) : cycles_of(need);
    if (cycles < MEMORY * memory || few > cycles)
        return;
    if (growth > growing * noise || !batches_of(r, memory, j))
        j->cycles = more_than(j->cycles, r);
    else
        j->verdict = FATFLY_STABLE;
}

/* -- several runs ------------------------------------------------------------------------------ */

enum fatfly_verdict interval_judge_runs(const struct fatfly_result *sum, uint64_t runs,
                                        uint64_t shortest, bool slowly, uint64_t *cycles)
{
    double worms = (double)sum->measured, each = MEMORY_EACH;
    double growth = growth_of(sum), all = (double)sum->generated_in, noise = sqrt(all);

    *cycles = 0;
    if ((sum->end == FATFLY_SATURATED && !slowly) || (growth > grown_share * all + grown * noise && rises_on(sum)))
        return FATFLY_UNSTABLE;
    *cycles = cycles_of((sum->end == FATFLY_SATURATED ? 4 : 2) * (double)shortest);
    if (sum->end == FATFLY_SATURATED || !(worms > 0))
        return FATFLY_UNDECIDED;
    double memory = memory_of((double)sum->latency_sum / worms,
                              ((double)sum->latency_sum - (double)sum->wait_sum) / worms);
    if (each * (double)runs < MEMORY)
        each = (double)MEMORY / (double)runs;
    double few = LEAST * LEAST_WORMS / worms * (double)shortest; /* as of one open loop */
    double least = each * memory > few ? each * memory : few;
    bool enough = (double)shortest >= least;
    if (!enough || growth <= growing * noise)
        *cycles = cycles_of(margin * least);
    return enough && growth <= growing * noise ? FATFLY_STABLE : FATFLY_UNDECIDED;
}

/* -- quantiles --------------------------------------------------------------------------------- */

double interval_pieces(const struct fatfly_result *sum, uint64_t cycles)
{
    double worms = (double)sum->measured;
    if (!(worms > 0))
        return 0;
    double memory = memory_of((double)sum->latency_sum / worms,
                              ((double)sum->latency_sum - (double)sum->wait_sum) / worms);
    return memory > 0 ? (double)cycles / memory / PIECE_MEMORY : 0;
}

bool interval_knows_quantile(double pieces, double p, bool open)
{
    return (1 - p) * pieces >= (open && p > usual_tail ? PIECES_BEYOND : 1) - 1e-9;
}

double interval_tail_end(double quantile, double mean, double high)
{
    return quantile > mean && mean > 0 ? quantile * pow(high / mean, tail_power) : NAN;
}

/* The latency that a share p of all worms does not exceed; NaN if p is no share. */
static double quantile(const uint64_t all[FATFLY_BUCKETS], unsigned buckets, double worms, double p)
{
    double seen = 0, low = NAN;

    if (!(p >= 0 && p <= 1))
        return NAN;
    for (unsigned b = 0; b < buckets; b++) {
        if (!all[b])
            continue;
        seen += (double)all[b];
        low = (double)fatfly_bucket_low(b);
        if (!(seen < p * worms))
            break;
    }
    return low;
}

/* Woodruff's: an interval of the share of worms that do not exceed the quantile found, from the parts'
 * shares, and the latencies that those shares do not exceed. */
struct interval interval_of_quantile(uint32_t (*histogram)[FATFLY_BUCKETS], unsigned parts, unsigned buckets,
                                     bool ordered, double p)
{
    struct interval none = {NAN, NAN};
    double below[FATFLY_BATCHES] = {0}, worms[FATFLY_BATCHES] = {0}, all = 0, sum = 0;
    uint64_t together[FATFLY_BUCKETS] = {0};

    if (parts < 2 || parts > FATFLY_BATCHES)
        return none;
    for (unsigned k = 0; k < parts; k++) {
        uint64_t count = 0;
        for (unsigned b = 0; b < buckets; b++) {
            count += histogram[k][b];
            together[b] += histogram[k][b];
        }
        worms[k] = (double)count;
        all += worms[k];
    }
    double found = quantile(together, buckets, all, p);
    if (isnan(found))
        return none;
    unsigned bucket = fatfly_bucket((uint64_t)found);
    for (unsigned k = 0; k < parts; k++) {
        for (unsigned b = 0; b <= bucket; b++)
            below[k] += histogram[k][b];
        sum += below[k];
    }
    for (unsigned k = 0; k < parts; k++)
        below[k] = (below[k] - sum / all * worms[k]) / (all / parts);
    struct moments m = moments(below, parts);
    double left = ordered ? lag_one(below, parts) : 0;
    double variance = (1 + left) / (1 - left) * m.square / parts, least = p * (1 - p) / all;
    double skewness = parts >= INTERVAL_SKEWED_FROM / 2 && m.square > 0 ? m.cube / (m.square * sqrt(m.square)) : 0;
    struct interval share = around(0, sqrt(variance > least ? variance : least), skewness, parts);
    struct interval i = {quantile(together, buckets, all, p - share.high > 0 ? p - share.high : 0),
                         quantile(together, buckets, all, p - share.low)};
    return isnan(i.high) ? none : i;
}
