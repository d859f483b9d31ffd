/* SPDX-License-Identifier: Apache-2.0
 * interval.h - 99 % confidence intervals: of means over runs and over batches of one run, and of
 * quantiles.  docs/intervals.md says why so and what they cover.
 */
#ifndef FATFLY_INTERVAL_H
#define FATFLY_INTERVAL_H

#include "fatfly.h"

/* An interval has no ends (NaN) where nothing honest can be said. */
struct interval {
    double low, high;
};

/* The value that Student's t with so many degrees of freedom exceeds with chance tail, below 1/2. */
double interval_student(double tail, unsigned degrees);

/* Of the mean of independent values, whose third moment counts from SKEWED_FROM of them on.  unit: by
 * what a run differs that has one obstacle more or less, 0: unknown.  Two imagined runs, one unit above
 * and one below, stand for what so few runs have not shown.  None for fewer than two values; nor, with
 * a unit, for values that are all the same, and without one that value. */
enum { INTERVAL_SKEWED_FROM = 20 };
struct interval interval_of_runs(const double *value, size_t count, double unit);

/* Of the quantile p of all latencies, from the histograms of parts of them, in order of time or
 * independent (ordered false); none is beyond the first so many buckets.  The third moment of their shares counts from half of
 * SKEWED_FROM parts on. */
struct interval interval_of_quantile(uint32_t (*histogram)[FATFLY_BUCKETS], unsigned parts, unsigned buckets,
                                     bool ordered, double p);

/* Pieces of open loops, with so many measured cycles in all, that know little of each other; of static
 * runs every run is one. */
double interval_pieces(const struct fatfly_result *sum, uint64_t cycles);

/* Whether enough of so many pieces lie beyond the quantile p: one, but of open loops five beyond one above 0.95, so
 * that in a run of 150 none is seen.  If not, an interval would be given where by chance the worst was seen, or
 * nothing bad was, and so too often wrong. */
bool interval_knows_quantile(double pieces, double p, bool open);

/* Upper end of a quantile of an open loop that lies beyond the mean: a run that was quiet by chance finds it too exact, as
 * it does the mean, whose interval knows that.  NaN if the quantile does not lie there, or no interval is. */
double interval_tail_end(double quantile, double mean, double high);

/* What fatfly_judge() says of one open loop, of several independent ones: their counts added, and the
 * fewest cycles that one of them measured.  slowly: all that ended saturated are of interval_slowly(). */
enum fatfly_verdict interval_judge_runs(const struct fatfly_result *sum, uint64_t runs,
                                        uint64_t shortest, bool slowly, uint64_t *cycles);

/* An open loop that ended saturated, but only since few of its worms gathered, as sources do near what their links
 * carry: fatfly_judge() does not call it saturated. */
bool interval_slowly(const struct fatfly_result *r);

#endif
