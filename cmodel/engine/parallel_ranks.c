/* SPDX-License-Identifier: Apache-2.0
 * parallel_ranks.c - the parts of a run in processes that share no memory (struct fatfly_ranks): a letter to
 * every other process each cycle, and at the end of a section what all have counted.
 *
 * Every process goes through the same run: what it decides follows from sums over all of them.  Arrays have
 * places for the whole network, but only a part's own pages are ever touched.
 */
#include "parallel.h"

#include "cuts.h"

#include <stddef.h>

/* Of a letter of so many words. */
static size_t bytes_of(uint32_t words)
{
    return offsetof(struct letter, word) + words * sizeof(uint32_t);
}

int ranks_open(struct parallel *e)
{
    struct part *p = e->part[e->first];

    for (unsigned k = 0; k < e->parts; k++) {
        struct fatfly_letter *l = &e->letter[k];
        if (k == e->first)
            continue;
        l->room = bytes_of(part_words(p, k));
        l->in = calloc(1, sizeof(struct letter) + l->room);
        if (!l->in)
            return FATFLY_NO_MEMORY;
        p->in[k] = l->in;
    }
    return FATFLY_OK;
}

void ranks_close(struct parallel *e)
{
    for (unsigned k = 0; k < e->parts; k++)
        free(e->letter[k].in);
}

/* The letters of a cycle.  One that says that it is longer than it can be is none. */
static bool exchange(struct parallel *e, const struct part *p)
{
    for (unsigned k = 0; k < e->parts; k++) {
        const struct letter *out = p->out[p->turn][k];
        if (k == e->first)
            continue;
        e->letter[k].out = out;
        e->letter[k].size = bytes_of(out->count);
    }
    if (!e->ranks->exchange(e->ranks->context, e->letter))
        return false;
    for (unsigned k = 0; k < e->parts; k++)
        if (k != e->first && bytes_of(p->in[k]->count) > e->letter[k].room)
            return false;
    return true;
}

static int each(struct parallel *e, int (*act)(struct parallel *e, unsigned k))
{
    return act(e, e->first);
}

static void play(struct parallel *e)
{
    struct part *p = e->part[e->first];

    do {
        part_compute(p);
        e->cut_off = !exchange(e, p);
    } while (!e->cut_off && !part_conclude(p));
}

const struct transport transport_ranks = {.each = each, .play = play};

/* -- at the end of a section, and of the run -------------------------------------------------- */

bool ranks_gather(struct parallel *e)
{
    return e->ranks->gather(e->ranks->context, &e->section[e->first], e->section, sizeof *e->section);
}

/* to[count]: the sums of mine[count] of all processes; they may be one array. */
static bool sum_words(struct parallel *e, uint32_t *to, const uint32_t *mine, size_t count)
{
    const uint32_t *all = (const uint32_t *)e->section;
    size_t most = sizeof *e->section / sizeof *all;

    for (size_t at = 0, some; at < count; at += some) {
        some = count - at < most ? count - at : most;
        if (!e->ranks->gather(e->ranks->context, mine + at, e->section, some * sizeof *all))
            return false;
        memset(to + at, 0, some * sizeof *to);
        for (unsigned k = 0; k < e->parts; k++)
            for (size_t j = 0; j < some; j++)
                to[at + j] += all[k * some + j];
    }
    return true;
}

static bool sum_arrays(struct parallel *e, const struct part *p)
{
    struct measure *m = &e->run.m;
    const struct fatfly_hooks *h = m->hooks;

    return (!h->link_worms || sum_words(e, m->link_worms, m->link_worms, e->run.topology->links)) &&
           (!m->leave || sum_words(e, m->leave, p->leave, 2 * (size_t)cuts_count(e->run.topology->levels))) &&
           (!h->histograms || sum_words(e, *h->histograms, *p->histograms, (size_t)FATFLY_BATCHES * FATFLY_BUCKETS));
}

/* What this process alone counted. */
static void end_section(struct parallel *e, struct part *p, struct section *s)
{
    const uint32_t *worms = e->run.m.link_worms;

    part_finish(p);
    part_end_section(s, p);
    if (e->run.m.hooks->link_worms) /* they have been added up */
        return;
    s->ends = measure_ends(e->run.topology, worms);
    for (uint32_t k = 0; k < e->run.topology->links; k++)
        if (worms[k] > s->result.congestion)
            s->result.congestion = worms[k];
}

void ranks_finish(struct parallel *e)
{
    struct part *p = e->part[e->first];
    struct measure *m = &e->run.m;

    bool together = sum_arrays(e, p);
    if (together) {
        end_section(e, p, &e->section[e->first]);
        together = ranks_gather(e);
    }
    if (!together) {
        parallel_cut_off(&e->run);
        e->run.broken = true;
        return;
    }
    for (unsigned k = 0; k < e->parts; k++) {
        const struct section *s = &e->section[k];
        parallel_add(e, s);
        if (s->result.congestion > m->result->congestion)
            m->result->congestion = s->result.congestion;
        m->elsewhere.into += k == e->first ? 0 : s->ends.into;
        m->elsewhere.out += k == e->first ? 0 : s->ends.out;
    }
}
