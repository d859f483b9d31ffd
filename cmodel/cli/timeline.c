/* SPDX-License-Identifier: Apache-2.0
 * timeline.c - worms and links as tracks of a Perfetto trace.
 */
#include "timeline.h"

#include "discipline.h"
#include "fat_tree.h"
#include "grow.h"
#include "outfile.h"
#include "perfetto.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = PERFETTO_MAX_NAME + 1, END = 24 };

/* Numbers of tracks; those of lanes and worms are added to the last two. */
static const uint64_t LINKS_TRACK = 1, WORMS_TRACK = 2, FIRST_LANE = UINT64_C(1) << 40,
                      FIRST_WORM = UINT64_C(2) << 40;

struct life {
    struct fatfly_worm is;
    uint64_t past;    /* cycle after the head's last one on a link */
    uint32_t number;
    uint32_t at;      /* node that its head is in */
    uint32_t links;   /* crossed by its head */
    uint32_t lanes;   /* lane + 1 that it is on, the first of a list */
    uint32_t whole;   /* flits from the head on that are not discarded before links to come */
    bool begun, lost; /* lost: its head is discarded, and not yet sent again */
    bool there, done; /* its head, its tail has arrived */
};

/* A virtual channel, or one of those who cross it at once: a track. */
struct lane {
    uint64_t past;    /* cycle after the last flit's */
    uint32_t holder;  /* life + 1 on it; 0: none */
    uint32_t next;    /* lane + 1 that its holder is on, too */
    uint32_t flit;    /* the last that has crossed */
    uint32_t whole;   /* flits of its holder that will cross */
    bool named;       /* its track has been written */
};

struct timeline {
    struct fatfly_observer observer;
    const struct fatfly_config *config;
    struct outfile file;
    struct perfetto p;
    struct fatfly_shape shape;
    struct fatfly_ends *ends; /* [shape.links] */
    uint32_t lanes;           /* of a virtual channel */
    bool apart;               /* the flits of a worm go their own ways */
    struct lane *lane;        /* [shape.links * shape.channels * lanes] */
    struct life *life;
    uint32_t count, room;
    uint32_t *slot;           /* [slots], life + 1 by number; 0: none */
    uint32_t slots;           /* a power of two, at least twice the lives */
    bool short_of_memory;
    bool crowded;             /* there was no lane for a flit: internal check */
};

/* -- names ------------------------------------------------------------------------------------- */

/* A node of a butterfly fat-tree: switches level by level from the leaves, then processors. */
static void name_node(const struct timeline *t, uint32_t node, char text[END])
{
    unsigned level;
    uint32_t at;

    if (!t->shape.levels) {
        snprintf(text, END, "node %u", node);
    } else if (node >= t->shape.switches) {
        snprintf(text, END, "processor %u", node - t->shape.switches);
    } else {
        fat_tree_place(t->shape.levels, node, &level, &at);
        snprintf(text, END, "S(%u,%u)", level, at);
    }
}

static void name_link(const struct timeline *t, uint32_t link, char text[TEXT])
{
    char from[END], to[END];

    name_node(t, t->ends[link].from, from);
    name_node(t, t->ends[link].to, to);
    if (t->shape.levels)
        snprintf(text, TEXT, "%s to %s", from, to);
    else
        snprintf(text, TEXT, "%s port %u to %s", from, link % t->shape.ports, to);
}

static void name_worm(const struct life *l, char text[TEXT])
{
    snprintf(text, TEXT, "worm %u: %u to %u", l->number, l->is.src, l->is.dst);
}

/* -- worms by number --------------------------------------------------------------------------- */

static uint32_t *slot_of(const struct timeline *t, uint32_t number)
{
    uint32_t k = number * UINT32_C(2654435769) & (t->slots - 1);
    while (t->slot[k] && t->life[t->slot[k] - 1].number != number)
        k = (k + 1) & (t->slots - 1);
    return &t->slot[k];
}

static bool grow(struct timeline *t)
{
    uint32_t room = GROWN(t->room, 64);
    if (!grow_to(&t->life, sizeof *t->life, room))
        return false;
    uint32_t *slot = calloc(2 * (size_t)room, sizeof *slot);
    if (!slot)
        return false;
    free(t->slot);
    t->slot = slot;
    t->slots = 2 * room;
    t->room = room;
    for (uint32_t k = 0; k < t->count; k++)
        *slot_of(t, t->life[k].number) = k + 1;
    return true;
}

static struct life *find(struct timeline *t, uint32_t number)
{
    uint32_t k = t->count && !t->short_of_memory ? *slot_of(t, number) : 0;
    return k ? &t->life[k - 1] : NULL;
}

static void ready(void *context, uint32_t worm, const struct fatfly_worm *is)
{
    struct timeline *t = context;

    if (t->short_of_memory || (t->count == t->room && !grow(t))) {
        t->short_of_memory = true;
        return;
    }
    t->life[t->count] = (struct life){.is = *is, .number = worm, .at = FATFLY_NOWHERE, .whole = is->length};
    *slot_of(t, worm) = ++t->count;
}

/* -- the track of a worm ------------------------------------------------------------------------ */

static void slice(struct timeline *t, const struct life *l, uint64_t from, uint64_t past, const char *name,
                  const struct perfetto_note *notes, unsigned count)
{
    uint64_t track = FIRST_WORM + l->number;

    if (from >= past)
        return;
    perfetto_begin(&t->p, from, track, name, notes, count);
    perfetto_end(&t->p, past, track, NULL, 0);
}

/* The track, the slice of the worm's life, and its time at the source, which ends in cycle `until`. */
static void begin_life(struct timeline *t, struct life *l, uint64_t until)
{
    const struct perfetto_note notes[] = {{.name = "source", .value = l->is.src},
                                          {.name = "destination", .value = l->is.dst},
                                          {.name = "flits", .value = l->is.length}};
    uint64_t track = FIRST_WORM + l->number;
    char name[TEXT];

    name_worm(l, name);
    perfetto_track(&t->p, &(struct perfetto_track){.id = track, .parent = WORMS_TRACK, .name = name});
    perfetto_begin(&t->p, l->is.ready, track, name, notes, 3);
    slice(t, l, l->is.ready, until, "queued", NULL, 0);
    l->begun = true;
    l->past = until;
}

/* What its head has done since it crossed a link, until `past`. */
static void stand(struct timeline *t, const struct life *l, uint64_t past)
{
    char in[END];

    bool whole = l->whole == l->is.length;
    if (l->there || l->lost) {
        slice(t, l, l->past, past, l->there && whole ? "arrives" : "discarded", NULL, 0);
    } else if (l->at != FATFLY_NOWHERE) {
        name_node(t, l->at, in);
        slice(t, l, l->past, past, "waits", (struct perfetto_note[]){{.name = "in", .text = in}}, 1);
    }
}

static void cross(struct timeline *t, struct life *l, const struct fatfly_move *m)
{
    char link[TEXT];

    if (!l->begun)
        begin_life(t, l, m->cycle);
    else
        stand(t, l, m->cycle);
    name_link(t, m->link, link);
    slice(t, l, m->cycle, m->cycle + m->cycles, link,
          (struct perfetto_note[]){{.name = "link", .value = m->link}, {.name = "channel", .value = m->channel}},
          2);
    l->past = m->cycle + m->cycles;
    l->at = t->ends[m->link].to;
    l->links++;
    l->lost = false;
    l->there = m->last;
}

static void end_life(struct timeline *t, struct life *l, uint64_t past, bool whole)
{
    const struct perfetto_note notes[] = {{.name = "end", .text = whole ? "delivered" : "under way"},
                                          {.name = "links", .value = l->links},
                                          {.name = "latency", .value = past - l->is.ready}};
    stand(t, l, past);
    perfetto_end(&t->p, past, FIRST_WORM + l->number, notes, whole ? 3 : 2);
    l->done = true;
}

/* -- the tracks of a link ------------------------------------------------------------------------ */

static void end_lane(struct timeline *t, struct lane *lane)
{
    uint32_t place = (uint32_t)(lane - t->lane);
    uint32_t *at = &t->life[lane->holder - 1].lanes;

    while (*at != place + 1)
        at = &t->lane[*at - 1].next;
    *at = lane->next;
    lane->holder = 0;
    perfetto_end(&t->p, lane->past, FIRST_LANE + place, NULL, 0);
}

/* Of a virtual channel, the lane that a worm is on; NULL: none. */
static struct lane *lane_of(struct timeline *t, const struct life *l, const struct fatfly_move *m)
{
    struct lane *lane = &t->lane[((size_t)m->link * t->shape.channels + m->channel) * t->lanes];

    for (uint32_t k = 0; k < t->lanes; k++)
        if (lane[k].holder == (uint32_t)(l - t->life) + 1)
            return &lane[k];
    return NULL;
}

/* The first lane that is free from a cycle on. */
static struct lane *free_lane(struct timeline *t, const struct fatfly_move *m)
{
    struct lane *lane = &t->lane[((size_t)m->link * t->shape.channels + m->channel) * t->lanes];

    for (uint32_t k = 0; k < t->lanes; k++)
        if (!lane[k].holder && lane[k].past <= m->cycle)
            return &lane[k];
    return NULL;
}

static void begin_lane(struct timeline *t, struct lane *lane, struct life *l, const struct fatfly_move *m)
{
    const struct perfetto_note notes[] = {
        {.name = "worm", .value = l->number},   {.name = "source", .value = l->is.src},
        {.name = "destination", .value = l->is.dst}, {.name = "flits", .value = l->is.length},
        {.name = "link", .value = m->link},     {.name = "channel", .value = m->channel},
        {.name = "flit", .value = m->flit}};
    uint64_t place = (uint64_t)(lane - t->lane);
    char name[TEXT];

    if (!lane->named) {
        name_link(t, m->link, name);
        size_t used = strlen(name);
        if (t->shape.channels > 1)
            used += (size_t)snprintf(name + used, TEXT - used, ", channel %u", m->channel);
        if (t->lanes > 1 && used < TEXT)
            snprintf(name + used, TEXT - used, " (%u)", (unsigned)(place % t->lanes));
        perfetto_track(&t->p, &(struct perfetto_track){.id = FIRST_LANE + place, .parent = LINKS_TRACK,
                                                       .name = name, .rank = (uint32_t)place});
        lane->named = true;
    }
    name_worm(l, name);
    perfetto_begin(&t->p, m->cycle, FIRST_LANE + place, name, notes, t->apart ? 7 : 6);
    lane->holder = (uint32_t)(l - t->life) + 1;
    lane->whole = l->whole;
    lane->next = l->lanes;
    l->lanes = (uint32_t)place + 1;
}

static void move(void *context, const struct fatfly_move *m)
{
    struct timeline *t = context;
    struct life *l = find(t, m->worm);

    if (!l || !t->lane)
        return;
    if (m->first && m->flit == 0)
        l->whole = l->is.length;
    if (m->flit == 0 && !l->done) /* a copy that is sent once it has arrived is on links alone */
        cross(t, l, m);
    struct lane *lane = t->apart ? NULL : lane_of(t, l, m);
    if (!lane) {
        lane = free_lane(t, m);
        if (!lane) { /* more at once than the run said */
            t->crowded = true;
            return;
        }
        begin_lane(t, lane, l, m);
    }
    lane->past = m->cycle + m->cycles;
    lane->flit = m->flit;
    if (m->tail || t->apart || m->flit + 1 == lane->whole)
        end_lane(t, lane);
}

static void lost(void *context, uint64_t cycle, uint32_t worm, uint32_t flit, uint32_t link)
{
    struct timeline *t = context;
    struct life *l = find(t, worm);

    (void)link;
    if (!l)
        return;
    if (flit < l->whole)
        l->whole = flit;
    for (uint32_t k = l->lanes, next; k; k = next) { /* those that it has not reached */
        struct lane *lane = &t->lane[k - 1];
        next = lane->next;
        if (lane->flit < flit && flit < lane->whole)
            lane->whole = flit;
        if (lane->flit + 1 == lane->whole)
            end_lane(t, lane);
    }
    if (flit > 0 || l->lost || l->done)
        return;
    if (!l->begun)
        begin_life(t, l, cycle);
    else
        stand(t, l, cycle);
    l->past = cycle > l->past ? cycle : l->past;
    l->there = false;
    l->lost = true;
}

static void arrived(void *context, uint32_t worm, const struct fatfly_delivery *d)
{
    struct timeline *t = context;
    struct life *l = find(t, worm);

    if (!l)
        return;
    l->there = true;
    l->links = d->links;
    end_life(t, l, d->tail + 1, true);
}

/* -- the file ---------------------------------------------------------------------------------- */

static void begin(void *context, const struct fatfly_wires *w)
{
    struct timeline *t = context;

    t->shape = *w->shape;
    /* Where worms are discarded, one that comes may be told before one that it takes the place of. */
    t->lanes = w->at_once * (discipline_of(t->config)->rounds ? 2 : 1);
    t->ends = malloc((size_t)t->shape.links * sizeof *t->ends);
    t->lane = calloc((size_t)t->shape.links * t->shape.channels * t->lanes, sizeof *t->lane);
    if (!t->ends || !t->lane) {
        t->short_of_memory = true;
        return;
    }
    memcpy(t->ends, w->ends, (size_t)t->shape.links * sizeof *t->ends);
    perfetto_track(&t->p, &(struct perfetto_track){.id = LINKS_TRACK, .name = "links",
                                                   .order = PERFETTO_BY_RANK, .rank = 1});
    perfetto_track(&t->p, &(struct perfetto_track){.id = WORMS_TRACK, .name = "worms",
                                                   .order = PERFETTO_BY_TIME, .rank = 2});
}

static void free_all(struct timeline *t)
{
    free(t->ends);
    free(t->lane);
    free(t->life);
    free(t->slot);
    free(t);
}

struct timeline *timeline_open(const char *file, const struct fatfly_config *c, struct fail *f)
{
    struct timeline *t = calloc(1, sizeof *t);

    if (!t) {
        fail(f, EXIT_SYSTEM, "no memory to write %s", file);
        return NULL;
    }
    if (outfile_open(&t->file, file, f)) {
        free(t);
        return NULL;
    }
    t->config = c;
    t->apart = c->discipline == FATFLY_SPLIT;
    t->p.out = t->file.out;
    t->observer = (struct fatfly_observer){t, begin, ready, move, lost, arrived};
    return t;
}

const struct fatfly_observer *timeline_observer(const struct timeline *t)
{
    return &t->observer;
}

int timeline_close(struct timeline *t, const struct fatfly_result *r, struct fail *f)
{
    size_t lanes = t->lane ? (size_t)t->shape.links * t->shape.channels * t->lanes : 0;
    int bad;

    for (size_t k = 0; k < lanes; k++)
        if (t->lane[k].holder)
            end_lane(t, &t->lane[k]);
    for (uint32_t k = 0; k < t->count; k++) {
        struct life *l = &t->life[k];
        if (!l->begun && l->is.ready < r->cycles)
            begin_life(t, l, r->cycles);
        if (l->begun && !l->done)
            end_life(t, l, r->cycles > l->past ? r->cycles : l->past, false);
    }
    if (t->short_of_memory) {
        bad = fail(f, EXIT_SYSTEM, "no memory to write %s", t->file.file);
        outfile_drop(&t->file);
    } else if (t->crowded) {
        bad = fail(f, EXIT_CHECK, "internal check failed: a link in %s carries more at once than it can",
                   t->file.file);
        outfile_drop(&t->file);
    } else {
        bad = outfile_close(&t->file, f);
    }
    free_all(t);
    return bad;
}

void timeline_drop(struct timeline *t)
{
    if (!t)
        return;
    outfile_drop(&t->file);
    free_all(t);
}
