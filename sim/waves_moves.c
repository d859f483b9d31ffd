/* SPDX-License-Identifier: Apache-2.0
 * waves_moves.c - waves of what crosses the links of a run, on any network and with any discipline.
 *
 * An observer is told of moves in the order of the cycles of each link, not of all.  So they are kept, put into
 * the order of their cycles and played.  As every move takes as long as every other, four readers go through
 * that one list: flits that begin to cross, have left their queue, have crossed, and are in the next queue.
 */
#include "waves_moves.h"

#include "discipline.h"
#include "grow.h"
#include "waves_own.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX };

/* A flit, or a packet, on a link. */
struct step_of {
    uint64_t cycle;
    uint32_t worm, flit;
    uint32_t place;   /* link * channels + channel */
    uint32_t left;    /* place whose queue it was in; NONE: it came from its source, or is a packet */
    uint32_t order;   /* in which it was told */
    bool tail, last;
};

struct worm_of {
    uint32_t number, src, dst;
    uint32_t place;   /* the last that its head has crossed */
};

/* What crosses a link, or a channel of it. */
struct lane {
    uint64_t past;    /* cycle after the flit's; 0: there was none */
    uint32_t at;      /* of the flit, in step[] */
    bool turn;        /* parity of the heads that have crossed */
    bool busy;
};

struct channel {
    uint32_t holder, fill;
};

/* First variables of what a link, a lane and a channel have. */
enum { LINK_FAR, LINK_VALID, LINK_VARS };
enum { LANE_TRACK, LANE_FLIT, LANE_WORM, LANE_PLACE, LANE_VARS };
enum { CHANNEL_HOLDER, CHANNEL_FILL, CHANNEL_VARS };

struct moves {
    const char *file;
    const struct fatfly_config *config;
    uint64_t first, last;       /* cycles of the window */
    struct fatfly_shape shape;
    struct fatfly_ends *ends;   /* [shape.links] */
    uint32_t link_cycles, hop_cycles, lanes, there; /* lanes of a link; links that are there */
    bool queues;                /* worms have virtual channels and queues behind them */
    bool inward;                /* links are numbered by the nodes that they enter: on a butterfly fat-tree */
    bool sent;                  /* a channel is free when the tail has crossed */
    bool stop;                  /* more than a wave file is for, or no memory: f says */
    struct fail *f;
    struct step_of *step;
    uint32_t steps, step_room;
    struct worm_of *worm;
    uint32_t worms, worm_room;
    uint32_t *slot, slots;      /* worm + 1 by number; slots is a power of two */
    uint32_t *before;           /* [places], the queue that the worm there comes from */
    struct waves *w;
    struct lane *lane;          /* [links * lanes] */
    struct channel *channel;    /* [places] */
    uint64_t *valid;            /* [links] */
    uint32_t *var_link, *var_lane, *var_channel; /* first variables */
};

/* -- what the run tells ------------------------------------------------------------------------ */

static void no_memory(struct moves *m)
{
    if (!m->stop)
        fail(m->f, EXIT_SYSTEM, "%s: no memory for waves", m->file);
    m->stop = true;
}

static void *zeros(struct moves *m, size_t count, size_t size)
{
    void *p = m->stop ? NULL : calloc(count + 1, size);

    if (!p)
        no_memory(m);
    return p;
}

/* The first that is too large for a wave file says so. */
static void limit(struct moves *m, const char *what, uint64_t has, uint64_t most)
{
    if (m->stop || has <= most)
        return;
    fail(m->f, EXIT_USAGE, "--waves %s: %" PRIu64 " %s; allowed: at most %" PRIu64 "%s", m->file, has, what, most,
         m->last == UINT64_MAX && m->config->load > 0 && m->steps ? "; --to C ends them sooner" : "");
    m->stop = true;
}

static void begin(void *context, const struct fatfly_wires *w)
{
    struct moves *m = context;
    size_t places = (size_t)w->shape->links * w->shape->channels;

    m->shape = *w->shape;
    m->link_cycles = w->link_cycles;
    m->hop_cycles = w->hop_cycles;
    m->lanes = w->at_once == 1 ? 1 : m->queues ? m->shape.channels : w->at_once;
    for (uint32_t k = 0; k < m->shape.links; k++)
        m->there += w->ends[k].to != FATFLY_NOWHERE;
    limit(m, "channels of a link", m->shape.channels, WAVES_MAX_CHANNELS);
    limit(m, "signals",
          m->there * (LINK_VARS + (uint64_t)m->lanes * LANE_VARS + (m->queues ? m->shape.channels * CHANNEL_VARS : 0)),
          WAVES_MAX_SIGNALS);
    m->slots = 1024;
    m->slot = zeros(m, m->slots, sizeof *m->slot);
    m->ends = zeros(m, m->shape.links, sizeof *m->ends);
    m->before = zeros(m, places, sizeof *m->before);
    if (!m->stop)
        memcpy(m->ends, w->ends, m->shape.links * sizeof *m->ends);
}

static uint32_t *slot_of(const struct moves *m, uint32_t number)
{
    uint32_t k = number * UINT32_C(2654435769) & (m->slots - 1);

    while (m->slot[k] && m->worm[m->slot[k] - 1].number != number)
        k = (k + 1) & (m->slots - 1);
    return &m->slot[k];
}

static void ready(void *context, uint32_t number, const struct fatfly_worm *is)
{
    struct moves *m = context;

    if (m->stop)
        return;
    if (!GROW(m->worm, m->worms, m->worm_room, 1024))
        no_memory(m);
    if (!m->stop && 2 * m->worms >= m->slots) {
        uint32_t *wide = zeros(m, 4 * (size_t)m->slots, sizeof *wide);
        if (wide) {
            free(m->slot);
            m->slot = wide;
            m->slots *= 4;
            for (uint32_t k = 0; k < m->worms; k++)
                *slot_of(m, m->worm[k].number) = k + 1;
        }
    }
    if (m->stop)
        return;
    m->worm[m->worms] = (struct worm_of){number, is->src, is->dst, NONE};
    uint32_t *slot = slot_of(m, number);
    *slot = ++m->worms;
}

static void move(void *context, const struct fatfly_move *x)
{
    struct moves *m = context;

    if (m->stop || x->cycle > m->last)
        return;
    limit(m, "moves", m->steps + UINT64_C(1), WAVES_MAX_MOVES);
    limit(m, "cycles", x->cycle + x->cycles + m->hop_cycles + 1, WAVES_MAX_CYCLES);
    if (!GROW(m->step, m->steps, m->step_room, 1024))
        no_memory(m);
    uint32_t at = m->stop ? 0 : *slot_of(m, x->worm);
    if (!at)
        return;
    struct worm_of *worm = &m->worm[at - 1];
    uint32_t place = x->link * m->shape.channels + x->channel;
    if (m->queues && x->flit == 0) { /* the others of the worm follow it */
        m->before[place] = x->first ? NONE : worm->place;
        worm->place = place;
    }
    m->step[m->steps] = (struct step_of){x->cycle, x->worm, x->flit, place, m->queues ? m->before[place] : NONE,
                                         m->steps, x->tail, x->last};
    m->steps++;
}

static bool go_on(void *context, uint64_t cycle, uint64_t delivered)
{
    const struct moves *m = context;

    (void)delivered;
    return !m->stop && (cycle <= m->last || cycle - m->last <= (uint64_t)m->link_cycles + m->hop_cycles);
}

/* -- the signals ------------------------------------------------------------------------------- */

static void declare_lane(struct moves *m, uint32_t lane)
{
    m->var_lane[lane] = waves_declare(m->w, "track", 0);
    waves_declare(m->w, "link_flit", 4);
    waves_declare(m->w, "link_worm", 32);
    waves_declare(m->w, "flit", 32);
}

static void declare_link(struct moves *m, uint32_t link)
{
    m->var_link[link] = waves_declare(m->w, m->inward ? "from" : "to", 32);
    waves_declare(m->w, "link_valid", m->shape.channels);
    if (m->lanes == 1)
        declare_lane(m, link);
    for (uint32_t k = 0; m->lanes > 1 && !m->queues && k < m->lanes; k++) {
        waves_into(m->w, "lane", (int)k);
        declare_lane(m, link * m->lanes + k);
        waves_up(m->w);
    }
    for (uint32_t v = 0; m->queues && v < m->shape.channels; v++) {
        waves_into(m->w, "vc", (int)v);
        if (m->lanes > 1)
            declare_lane(m, link * m->lanes + v);
        m->var_channel[link * m->shape.channels + v] = waves_declare(m->w, "holder", 32);
        waves_declare(m->w, "fill", 32);
        waves_up(m->w);
    }
}

/* Where a link stands: as in --events. */
static struct waves_link stand(const struct moves *m, uint32_t link)
{
    struct fatfly_ends e = m->ends[link];

    if (!m->inward)
        return (struct waves_link){e.from, link % m->shape.ports, e.to};
    return (struct waves_link){e.to, e.to < m->shape.switches ? link % m->shape.ports : 0, e.from};
}

static void declare_all(struct moves *m)
{
    struct waves *w = m->w;
    uint32_t node = NONE;

    waves_into(w, "fatfly", -1);
    w->clk = waves_declare(w, "clk", 1);
    w->cycle_var = waves_declare(w, "cycle", 64);
    for (uint32_t k = 0; k < m->shape.links; k++) {
        if (m->ends[k].to == FATFLY_NOWHERE)
            continue;
        struct waves_link at = stand(m, k);
        if (at.node != node) {
            if (node != NONE)
                waves_up(w);
            node = at.node;
            waves_into(w, "node", (int)node);
        }
        waves_into(w, m->inward ? "in" : "port", (int)at.port);
        declare_link(m, k);
        waves_up(w);
    }
    if (node != NONE)
        waves_up(w);
    waves_up(w);
}

/* -- the play ---------------------------------------------------------------------------------- */

static int by_cycle(const void *a, const void *b)
{
    const struct step_of *x = a, *y = b;

    return x->cycle != y->cycle ? (x->cycle > y->cycle) - (x->cycle < y->cycle)
                                : (x->order > y->order) - (x->order < y->order);
}

static void put_channel(struct moves *m, uint32_t place)
{
    waves_put(m->w, m->var_channel[place] + CHANNEL_HOLDER, m->channel[place].holder);
    waves_put(m->w, m->var_channel[place] + CHANNEL_FILL, m->channel[place].fill);
}

static void put_lane(struct moves *m, uint32_t at)
{
    const struct lane *l = &m->lane[at];
    const struct step_of *x = l->busy ? &m->step[l->at] : NULL;
    const struct worm_of *worm = x ? &m->worm[*slot_of(m, x->worm) - 1] : NULL;
    char text[TEXT_SIZE] = {0};
    unsigned kind = 0;

    if (x) {
        kind = 4u | (x->flit == 0 ? 2u : 0u) | (x->tail ? 1u : 0u) | (l->turn ? 0u : 8u);
        snprintf(text, sizeof text, "w%" PRIu32 ":%u>%u", x->worm, worm->src & 0xfffff, worm->dst & 0xfffff);
    }
    waves_put_text(m->w, m->var_lane[at] + LANE_TRACK, text);
    waves_put(m->w, m->var_lane[at] + LANE_FLIT, kind);
    waves_put(m->w, m->var_lane[at] + LANE_WORM, x ? x->worm : 0);
    waves_put(m->w, m->var_lane[at] + LANE_PLACE, x ? x->flit : 0);
}

/* The lane of a link that a flit takes, or has. */
static uint32_t lane_of(const struct moves *m, const struct step_of *x, bool has)
{
    uint32_t link = x->place / m->shape.channels, first = link * m->lanes, k = 0;

    if (m->lanes == 1)
        return first;
    if (m->queues)
        return first + x->place % m->shape.channels;
    while (k + 1 < m->lanes && (has ? !m->lane[first + k].busy || &m->step[m->lane[first + k].at] != x
                                    : m->lane[first + k].busy))
        k++;
    return first + k;
}

static void release(struct moves *m, uint32_t place, uint32_t worm)
{
    if (m->channel[place].holder == worm)
        m->channel[place].holder = 0;
}

/* It is at the far end: in the queue there, or consumed. */
static void come(struct moves *m, const struct step_of *x)
{
    m->channel[x->place].fill += !x->last;
    if (x->last && x->tail && !m->sent)
        release(m, x->place, x->worm);
}

/* It has left its queue. */
static void leave(struct moves *m, const struct step_of *x)
{
    if (x->left == NONE)
        return;
    m->channel[x->left].fill--;
    if (x->tail && !m->sent)
        release(m, x->left, x->worm);
}

/* Has crossed the link. */
static void end_crossing(struct moves *m, const struct step_of *x)
{
    m->lane[lane_of(m, x, true)].busy = false;
    m->valid[x->place / m->shape.channels] &= ~(UINT64_C(1) << x->place % m->shape.channels);
    if (m->queues && x->tail && m->sent)
        release(m, x->place, x->worm);
}

static void begin_crossing(struct moves *m, const struct step_of *x)
{
    struct lane *l = &m->lane[lane_of(m, x, false)];

    l->busy = true;
    l->at = (uint32_t)(x - m->step);
    l->turn ^= x->flit == 0; /* of a packet, too */
    m->valid[x->place / m->shape.channels] |= UINT64_C(1) << x->place % m->shape.channels;
    if (m->queues && x->flit == 0)
        m->channel[x->place].holder = x->worm;
}

/* What a flit has changed. */
static void show(struct moves *m, const struct step_of *x)
{
    uint32_t link = x->place / m->shape.channels;

    waves_put(m->w, m->var_link[link] + LINK_VALID, m->valid[link]);
    if (m->lanes == 1 || m->queues)
        put_lane(m, lane_of(m, x, true));
    for (uint32_t k = 0; m->lanes > 1 && !m->queues && k < m->lanes; k++)
        put_lane(m, link * m->lanes + k);
    if (m->queues) {
        put_channel(m, x->place);
        if (x->left != NONE)
            put_channel(m, x->left);
    }
}

static void put_first(struct moves *m)
{
    for (uint32_t k = 0; k < m->shape.links; k++) {
        if (m->ends[k].to == FATFLY_NOWHERE)
            continue;
        waves_put(m->w, m->var_link[k] + LINK_FAR, stand(m, k).far);
        waves_put(m->w, m->var_link[k] + LINK_VALID, m->valid[k]);
        for (uint32_t j = 0; j < m->lanes; j++)
            put_lane(m, k * m->lanes + j);
        for (uint32_t v = 0; m->queues && v < m->shape.channels; v++)
            put_channel(m, k * m->shape.channels + v);
    }
}

/* The readers of the list, in the order in which what they read is done in a cycle. */
enum { COME, LEAVE, CROSSED, CROSS, READERS };

/* The last cycle in which something changes. */
static uint64_t end_of(const struct moves *m)
{
    uint64_t end = m->steps ? m->step[m->steps - 1].cycle + m->link_cycles + m->hop_cycles : 0;

    return end < m->last ? end : m->last;
}

/* From cycle 0 on, as queues and channels are what was done to them; told is the window. */
static void play(struct moves *m)
{
    static void (*const act[READERS])(struct moves *, const struct step_of *) = {come, leave, end_crossing,
                                                                                 begin_crossing};
    const uint64_t after[READERS] = {m->link_cycles + m->hop_cycles, 1, m->link_cycles, 0};
    uint32_t at[READERS] = {0}, from[READERS];
    uint64_t end = end_of(m);

    for (uint64_t cycle = 0; cycle <= end; cycle++) {
        if (cycle >= m->first)
            waves_begin(m->w, cycle);
        for (unsigned k = 0; k < READERS; k++) {
            from[k] = at[k];
            while (at[k] < m->steps && m->step[at[k]].cycle + after[k] <= cycle) {
                if (m->queues || k >= CROSSED)
                    act[k](m, &m->step[at[k]]);
                at[k]++;
            }
        }
        if (cycle == m->first)
            put_first(m);
        for (unsigned k = 0; cycle > m->first && k < READERS; k++)
            for (uint32_t j = from[k]; j < at[k]; j++)
                show(m, &m->step[j]);
    }
}

/* -- the file ---------------------------------------------------------------------------------- */

static int save(struct moves *m)
{
    size_t stem = strlen(m->file) - 4;
    char *name = zeros(m, stem + 6, 1);
    struct waves_link *line = zeros(m, m->there, sizeof *line);
    uint32_t count = 0;
    int bad = -1;

    for (uint32_t k = 0; line && k < m->shape.links; k++)
        if (m->ends[k].to != FATFLY_NOWHERE)
            line[count++] = stand(m, k);
    if (name && line) {
        snprintf(name, stem + 6, "%.*s.gtkw", (int)stem, m->file);
        bad = waves_save_links(name, m->file, line, count, m->inward, m->lanes, m->queues ? m->shape.channels : 0,
                               m->shape.channels, m->f);
    }
    free(name);
    free(line);
    return bad;
}

static int write_file(struct moves *m)
{
    size_t links = m->shape.links, places = links * m->shape.channels;

    if (m->steps)
        qsort(m->step, m->steps, sizeof *m->step, by_cycle);
    if (m->first > end_of(m))
        return fail(m->f, EXIT_USAGE, "--from %" PRIu64 ": nothing moves after cycle %" PRIu64 "; allowed: 0 to %" PRIu64,
                    m->first, end_of(m), end_of(m));
    m->lane = zeros(m, links * m->lanes, sizeof *m->lane);
    m->channel = zeros(m, places, sizeof *m->channel);
    m->valid = zeros(m, links, sizeof *m->valid);
    m->var_link = zeros(m, links, sizeof *m->var_link);
    m->var_lane = zeros(m, links * m->lanes, sizeof *m->var_lane);
    m->var_channel = zeros(m, places, sizeof *m->var_channel);
    m->w = m->stop ? NULL : waves_new(m->file, m->f);
    if (!m->w)
        return -1;
    if (!m->w->short_of_memory)
        declare_all(m);
    if (!waves_start(m->w, m->file, m->f))
        return -1;
    play(m);
    return waves_close(m->w, m->f) ? -1 : save(m);
}

int waves_moves_run(const struct fatfly_config *c, const char *file, uint64_t first, uint64_t last, struct fail *f)
{
    struct moves m = {.file = file, .config = c, .first = first, .last = last, .queues = !discipline_of(c)->packets,
                      .inward = !c->topology,
                      .sent = !c->topology || c->channel_release == FATFLY_TAIL_SENT, .f = f};
    const struct fatfly_observer observer = {&m, begin, ready, move, NULL, NULL};
    const struct fatfly_hooks hooks = {.poll = go_on, .context = &m, .observer = &observer};
    struct fatfly_result *r = calloc(1, sizeof *r);
    char why[400] = "";
    int status = r ? fatfly_run(c, &hooks, r, why, sizeof why) : FATFLY_NO_MEMORY;
    int bad = -1;

    if (!r)
        fail(f, EXIT_SYSTEM, "%s: no memory for waves", file);
    else if (!m.stop && status && r->end != FATFLY_DEADLOCKED)
        fail(f, status == FATFLY_NO_MEMORY ? EXIT_SYSTEM : status == FATFLY_BAD_CONFIG ? EXIT_USAGE : EXIT_CHECK, "%s",
             why);
    else if (!m.stop)
        bad = write_file(&m);
    free(r);
    free(m.ends);
    free(m.step);
    free(m.worm);
    free(m.slot);
    free(m.before);
    free(m.lane);
    free(m.channel);
    free(m.valid);
    free(m.var_link);
    free(m.var_lane);
    free(m.var_channel);
    return bad;
}
