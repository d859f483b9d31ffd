/* SPDX-License-Identifier: Apache-2.0
 * point_circle.c - a deadlock for people: who waits for whom.
 */
#include "discipline.h"
#include "point.h"

#include <inttypes.h>

static void print_wait(const struct fatfly_wait *w, bool packets, FILE *out)
{
    const struct fatfly_ends *at = &w->at_ends, *to = &w->link_ends;

    if (packets)
        fprintf(out, "  packet %u from %u to %u, first before link %u->%u, waits for room before %u->%u, where "
                "packet %u is first\n", w->worm, w->src, w->dst, at->from, at->to, to->from, to->to, w->holder);
    else if (w->behind)
        fprintf(out, "  worm %u from %u to %u, its head behind link %u->%u channel %u, waits in the queue of %u->%u "
                "channel %u, where worm %u is first\n", w->worm, w->src, w->dst, at->from, at->to, w->at_channel,
                to->from, to->to, w->channel, w->holder);
    else
        fprintf(out, "  worm %u from %u to %u, its head behind link %u->%u channel %u, waits for %u->%u channel %u, "
                "which worm %u has\n", w->worm, w->src, w->dst, at->from, at->to, w->at_channel, to->from, to->to,
                w->channel, w->holder);
}

void point_circle(const struct settings *s, const struct point *p, FILE *out)
{
    bool packets = discipline_of(&s->config)->packets;

    fprintf(out, "deadlock     in %" PRIu64 " of %" PRIu64 " runs; latencies have no mean\n", p->deadlocked,
            p->runs);
    if (!p->circle_length)
        return;
    fprintf(out, "  run %" PRIu64 ", cycle %" PRIu64 ": %u %s wait for each other:\n", p->first_deadlock + 1,
            p->circle[0].cycle, p->circle_worms, packets ? "packets" : "worms");
    for (uint32_t k = 0; k < p->circle_length; k++)
        print_wait(&p->circle[k], packets, out);
    if (p->circle_length < p->circle_worms)
        fprintf(out, "  and %u more\n", p->circle_worms - p->circle_length);
}
