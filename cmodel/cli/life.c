/* SPDX-License-Identifier: Apache-2.0
 * life.c - the life of a worm as text.
 */
#include "life.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool life_has(const struct event_row *x, uint64_t worm)
{
    return x->worm == worm && (x->event != EVENT_MOVE || x->head || x->tail);
}

static const char *node_name(uint32_t node, uint32_t switches, char text[32])
{
    if (!switches)
        snprintf(text, 32, "node %u", node);
    else if (node < switches)
        snprintf(text, 32, "switch %u", node);
    else
        snprintf(text, 32, "processor %u", node - switches);
    return text;
}

void life_print(const struct event_row *x, uint32_t switches, FILE *out)
{
    const char *what = x->packet ? "packet" : x->head && x->tail ? "single flit"
                     : x->head ? "head" : x->tail ? "tail" : "body";
    char from[32], to[32];

    node_name(x->from, switches, from);
    node_name(x->to, switches, to);
    fprintf(out, "cycle %" PRIu64 ": ", x->cycle);
    switch (x->event) {
    case EVENT_READY:
        fprintf(out, "worm %u is made: %u flits from %u to %u\n", x->worm, x->flits, x->src, x->dst);
        break;
    case EVENT_MOVE:
        fprintf(out, "%s crosses link %u from %s to %s, channel %u", what, x->link, from, to, x->channel);
        if (x->waited)
            fprintf(out, ", after %" PRIu64 " cycles at the front", x->waited);
        fprintf(out, "%s\n", x->last && !switches ? ", and is consumed" : "");
        break;
    case EVENT_LOST:
        fprintf(out, "flit %u and those behind it are discarded before link %u from %s to %s\n", x->flit, x->link,
                from, to);
        break;
    default:
        fprintf(out, "worm %u has arrived: latency %" PRIu64 "\n", x->worm, x->latency);
    }
}

/* -- while it is simulated ----------------------------------------------------------------------- */

struct life {
    uint32_t worm, switches;
    struct fatfly_ends *ends; /* [links] */
    bool short_of_memory;
    uint64_t made;            /* worms, all of the run */
    bool there, arrived;      /* this one */
    uint64_t moves, at_source, inside; /* its flits over links; cycles that its head waited */
    FILE *out;
};

static void begin(void *context, const struct fatfly_wires *w)
{
    struct life *l = context;

    l->switches = w->shape->levels ? w->shape->switches : 0;
    l->ends = malloc((size_t)w->shape->links * sizeof *l->ends + 1);
    if (l->ends)
        memcpy(l->ends, w->ends, (size_t)w->shape->links * sizeof *l->ends);
    l->short_of_memory = !l->ends;
}

static void show(const struct life *l, const struct event_row *x)
{
    if (life_has(x, l->worm))
        life_print(x, l->switches, l->out);
}

static void ready(void *context, uint32_t worm, const struct fatfly_worm *w)
{
    struct life *l = context;

    l->made++;
    l->there |= worm == l->worm;
    show(l, &(struct event_row){.event = EVENT_READY, .cycle = w->ready, .worm = worm, .flits = w->length,
                                .src = w->src, .dst = w->dst});
}

static void move(void *context, const struct fatfly_move *m)
{
    struct life *l = context;

    if (m->worm != l->worm || !l->ends)
        return;
    l->moves += m->flits;
    *(m->first ? &l->at_source : &l->inside) += m->flit == 0 ? m->waited : 0;
    show(l, &(struct event_row){.event = EVENT_MOVE, .cycle = m->cycle, .waited = m->waited, .worm = m->worm,
                                .link = m->link, .channel = m->channel, .from = l->ends[m->link].from,
                                .to = l->ends[m->link].to, .head = m->flit == 0, .tail = m->tail,
                                .packet = m->flits > 1, .last = m->last});
}

static void lost(void *context, uint64_t cycle, uint32_t worm, uint32_t flit, uint32_t link)
{
    const struct life *l = context;

    if (l->ends)
        show(l, &(struct event_row){.event = EVENT_LOST, .cycle = cycle, .worm = worm, .flit = flit, .link = link,
                                    .from = l->ends[link].from, .to = l->ends[link].to});
}

static void arrived(void *context, uint32_t worm, const struct fatfly_delivery *d)
{
    struct life *l = context;

    l->arrived |= worm == l->worm;
    show(l, &(struct event_row){.event = EVENT_ARRIVED, .cycle = d->tail, .worm = worm,
                                .latency = d->tail - d->ready + 1});
}

int life_run(const struct fatfly_config *c, uint32_t worm, FILE *out, struct fail *f)
{
    struct life l = {.worm = worm, .out = out};
    const struct fatfly_observer observer = {&l, begin, ready, move, lost, arrived};
    const struct fatfly_hooks hooks = {.observer = &observer};
    struct fatfly_result *r = calloc(1, sizeof *r);
    char why[400] = "";
    int bad = 0;
    int status = r ? fatfly_run(c, &hooks, r, why, sizeof why) : FATFLY_NO_MEMORY;

    if (!r || l.short_of_memory)
        bad = fail(f, EXIT_SYSTEM, "no memory to watch a worm");
    else if (status && r->end != FATFLY_DEADLOCKED)
        bad = fail(f, status == FATFLY_NO_MEMORY ? EXIT_SYSTEM : status == FATFLY_BAD_CONFIG ? EXIT_USAGE
                                                                                          : EXIT_CHECK, "%s", why);
    else if (!l.there)
        bad = fail(f, EXIT_USAGE, "--watch %u; allowed: one of the %" PRIu64 " worms that this run makes: 1 + "
                   "source + %u * those before it%s", worm, l.made, c->nodes * (c->reply[0] ? 2 : 1),
                   c->reply[0] ? "; of replies, counted by themselves, half of that more" : "");
    else
        fprintf(out, "worm %u: %" PRIu64 " flits over links; its head waited %" PRIu64 " cycles at its source, %" PRIu64
                " inside%s\n", worm, l.moves, l.at_source, l.inside, l.arrived ? "" : "; it has not arrived");
    free(l.ends);
    free(r);
    return bad;
}
