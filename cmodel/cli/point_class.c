/* SPDX-License-Identifier: Apache-2.0
 * point_class.c - what a point says of classes of worms, and of requests and replies.
 */
#include "point_own.h"

#include "traffic.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static bool any(const struct settings *s)
{
    return traffic_classes(&s->config) > 1;
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

static double mean_of(const struct fatfly_of_class *k)
{
    return ratio((double)k->latency_sum, (double)k->measured);
}

/* A request's way there, the delay, and its reply's way back, by requests. */
double point_round_trip(const struct settings *s, const struct point *p)
{
    const struct fatfly_config *c = &s->config;
    double cycles = 0, requests = 0;
    for (unsigned k = 0; k < c->classes && c->reply[0]; k++) {
        const struct fatfly_of_class *there = &p->sum.by_class[k], *back = &p->sum.by_class[c->classes + k];
        if (!there->measured || !back->measured)
            continue;
        cycles += (double)there->measured * (mean_of(there) + c->reply_delay + mean_of(back));
        requests += (double)there->measured;
    }
    return ratio(cycles, requests);
}

void point_class_text(unsigned number, enum of_class what, const struct settings *s, const struct point *p, char *text,
                      size_t size)
{
    const struct fatfly_of_class *r = &p->sum.by_class[number];
    if (number >= traffic_classes(&s->config))
        return;
    if (what == OF_MEASURED)
        point_whole_text(text, size, r->measured);
    else if (what == OF_ACCEPTED)
        point_real_text(text, size, p->class_accepted[number]);
    else if (!r->measured)
        return;
    else if (what == OF_MEAN)
        point_real_text(text, size, mean_of(r));
    else if (what == OF_MAX)
        point_whole_text(text, size, r->latency_max);
    else
        point_whole_text(text, size, fatfly_class_quantile(&p->sum, number, what == OF_P50 ? 0.5 : 0.99));
}

/* -- the table --------------------------------------------------------------------------------- */

void point_table_classes(const struct settings *s, FILE *out)
{
    const struct fatfly_config *c = &s->config;
    if (!any(s))
        return;
    fprintf(out, "classes      %u", c->classes);
    if (s->class_length[0])
        fprintf(out, " of %s flits", s->class_length);
    if (s->class_pattern[0])
        fprintf(out, ", patterns %s", s->class_pattern);
    if (s->class_pattern[0] && traffic_has(c, FATFLY_HOTSPOT))
        fprintf(out, " (%g to %u)", c->hotspot, c->hotspot_node);
    if (s->class_pattern[0] && traffic_has(c, FATFLY_PERMUTATION))
        fprintf(out, ", permutation %s", s->permutation);
    if (s->class_pattern[0] && traffic_has(c, FATFLY_MATRIX))
        fprintf(out, ", matrix %s", s->matrix);
    if (s->class_share[0])
        fprintf(out, ", shares of the load %s", s->class_share);
    if (c->reply[0])
        fprintf(out, ", replies of %s flits after %u cycle%s", s->reply, c->reply_delay, c->reply_delay == 1 ? "" : "s");
    if (c->outstanding)
        fprintf(out, ", at most %u request%s of a processor without replies", c->outstanding,
                c->outstanding == 1 ? "" : "s");
    if (s->class_priority[0])
        fprintf(out, ", priorities %s", s->class_priority);
    if (c->class_channels == FATFLY_RESERVED)
        fprintf(out, ", %u channels for each%s", c->vcs / traffic_parts(c), c->reply[0] ? ": requests, replies" : "");
    fputc('\n', out);
}

void point_table_of_classes(const struct settings *s, const struct point *p, FILE *out)
{
    const struct fatfly_config *c = &s->config;
    double trip = point_round_trip(s, p);
    if (!any(s) || p->partial)
        return;
    for (unsigned k = 0; k < traffic_classes(c); k++) {
        const struct fatfly_of_class *r = &p->sum.by_class[k];
        fprintf(out, "class %u      %s", k, !c->reply[0] ? "" : k < c->classes ? "requests; " : "replies; ");
        if (point_has_latency(p) && r->measured)
            fprintf(out, "latency mean %.1f, p50 %" PRIu64 ", p99 %" PRIu64 ", largest %" PRIu64 "; ", mean_of(r),
                    fatfly_class_quantile(&p->sum, k, 0.5), fatfly_class_quantile(&p->sum, k, 0.99), r->latency_max);
        if (isnan(p->class_accepted[k]))
            fprintf(out, "not measured\n");
        else
            fprintf(out, "accepts %.4g, %" PRIu64 " worms\n", p->class_accepted[k], r->measured);
    }
    if (point_has_latency(p) && !isnan(trip))
        fprintf(out, "round trip   %.1f cycles, mean, from a request being ready to the tail of its reply\n", trip);
}
