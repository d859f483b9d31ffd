/* SPDX-License-Identifier: Apache-2.0
 * channel_open.c - what the engine of channel.c has in memory, and how long its links take.
 */
#include "channel.h"

#include "plug.h"

#include <stdlib.h>
#include <string.h>

void channels_close(struct run *r)
{
    struct channels *e = (struct channels *)r;
    for (unsigned k = 0; e->wheel && k < WHEELS * e->spokes; k++)
        free(e->wheel[k].item);
    if (e->own)
        topology_close(&e->part);
    free(e->wheel);
    free(e->worm);
    free(e->first);
    free(e->last);
    free(e->channel);
    free(e->rest);
    free(e->stay);
    free(e->far);
    free(e->node);
    free(e->looks.item);
    free(e->links.item);
    free(e->ready);
    free(e->turn);
    free(e->taken);
    free(e->input);
    free(e->asking);
    free(e->sharing.item);
}

static void fill_tables(struct channels *e)
{
    const struct topology *t = e->t;
    size_t channels = topology_channels(t);

    for (size_t q = 0; q < (size_t)t->processors * e->queues; q++)
        e->first[q] = NONE;
    for (uint32_t a = 0; a < t->nodes; a++) {
        e->node[a] = (struct channel_node){.first = NONE, .last = NONE};
        for (unsigned p = 0; p < t->ports; p++) {
            e->far[a * t->ports + p] = t->kind->far(t, a, p);
        }
    }
    for (size_t c = 0; c < channels; c++) {
        struct channel *ch = &e->channel[c];
        uint32_t link = (uint32_t)(c / t->classes);
        *ch = (struct channel){.worm = NONE, .front = {.worm = NONE, .next = NONE}, .link = link,
                               .class = (uint8_t)(c % t->classes)};
        e->rest[c] = (struct channel_rest){.newest = NONE};
        if (e->far[link] != TOPOLOGY_NONE)
            ch->group = (uint8_t)t->kind->group(t, link / t->ports, link % t->ports);
    }
}

unsigned channels_link_cycles(const struct fatfly_config *c, const struct topology *t)
{
    return c->bandwidth == FATFLY_ON_DEMAND ? 1
                                            : (t->classes + c->link_bandwidth - 1) / c->link_bandwidth;
}

unsigned channels_at_once(const struct fatfly_config *c, const struct topology *t)
{
    bool narrow = c->bandwidth == FATFLY_ON_DEMAND && c->link_bandwidth < t->classes;
    return narrow ? c->link_bandwidth : t->classes; /* a channel sends one */
}

static unsigned longest(const struct channels *e)
{
    unsigned more = e->extra > e->back ? e->extra : e->back;
    more = more > e->head ? more : e->head;
    return more > e->step ? more : e->step;
}

/* A class with channels for itself sees a network that has no others. */
static int open_classes(struct channels *e)
{
    struct fatfly_config own = *e->run.config;
    char why[1];

    for (unsigned k = 1; k < traffic_classes(&own); k++)
        e->ranked |= own.class_priority[k] != own.class_priority[0];
    if (traffic_parts(&own) == 1)
        return 0;
    e->own = own.vcs = e->t->classes / traffic_parts(&own);
    return topology_of(&own, &e->part, why, sizeof why);
}

/* As struct channels says it. */
static enum channels_kind kind_of(const struct channels *e)
{
    if (e->reuse || e->extra || e->head || e->taken || e->inputs || e->own || e->ranked || e->mixed || e->words > 1)
        return ANY;
    return e->demand ? DEMAND : FIXED;
}

int channels_open(struct run *r)
{
    struct channels *e = (struct channels *)r;
    const struct fatfly_config *c = r->config;
    const struct topology *t = e->t = r->topology;
    size_t links = t->links;

    if (PLUGGED(c, before)) {
        e->order = c->plugin;
        e->network = plug_network(t);
    }
    e->depth = c->depth;
    e->step = channels_link_cycles(c, t);
    e->extra = (unsigned)r->m.hop;
    e->back = c->link_latency - 1;
    e->head = c->head_latency;
    e->demand = c->bandwidth == FATFLY_ON_DEMAND;
    e->lanes = c->link_bandwidth;
    e->words = (t->classes + 63) / 64;
    e->pool.unused = e->stays.unused = NONE;
    e->reuse = c->channel_release == FATFLY_TAIL_SENT;
    e->queues = c->injection == FATFLY_PER_CHANNEL ? t->classes : traffic_classes(c);
    e->mixed = e->order || (c->injection == FATFLY_PER_CHANNEL && traffic_classes(c) > 1);
    if (open_classes(e))
        return FATFLY_NO_MEMORY;
    e->first = malloc((size_t)t->processors * e->queues * sizeof *e->first);
    e->last = malloc((size_t)t->processors * e->queues * sizeof *e->last);
    e->channel = calloc(links * t->classes, sizeof *e->channel);
    e->rest = malloc(links * t->classes * sizeof *e->rest);
    e->far = malloc(links * sizeof *e->far);
    e->node = malloc(t->nodes * sizeof *e->node);
    e->spokes = 1 + longest(e);
    e->wheel = calloc((size_t)WHEELS * e->spokes, sizeof *e->wheel);
    e->ready = calloc(links * e->words, sizeof *e->ready);
    e->turn = calloc(links, 1);
    e->taken = c->channels_in_turn ? malloc(links) : NULL;
    e->inputs = c->input_bandwidth;
    e->input = calloc(links + t->nodes, sizeof *e->input);
    e->asking = calloc(t->nodes, sizeof *e->asking);
    if (!e->first || !e->last || !e->channel || !e->rest || !e->far || !e->node || !e->wheel ||
        !e->ready || !e->turn || (c->channels_in_turn && !e->taken) || !e->input || !e->asking)
        return FATFLY_NO_MEMORY;
    if (e->taken)
        memset(e->taken, UINT8_MAX, links); /* none: the lowest is first */
    e->soon = e->step;
    e->kind = kind_of(e);
    fill_tables(e);
    return FATFLY_OK;
}

uint64_t channels_memory(const struct fatfly_config *c, const struct topology *t)
{
    uint64_t links = t->links;
    uint64_t queues = c->injection == FATFLY_PER_CHANNEL ? t->classes : traffic_classes(c);
    return links * (t->classes * (sizeof(struct channel) + sizeof(struct channel_rest)) + 15 + (uint64_t)8 * ((t->classes + 63) / 64)) +
           t->nodes * (sizeof(struct channel_node) + 10) + (uint64_t)t->processors * (100 + 8 * queues) +
           pool_places(measure_worms(t, c)) * sizeof(struct channel_worm);
}
