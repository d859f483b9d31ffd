/* SPDX-License-Identifier: Apache-2.0
 * readings.c - a small simulator of BC's torus alone, to try what their text leaves open (2.1).
 *
 * Usage: readings DEPTH VACATE RELEASE SOURCES INJECT TIES PATH HOTSPOT UTILISATION CYCLES
 *   VACATE   ends | begins   a flit's place in a queue is free when its next crossing does
 *   RELEASE  leaves | crosses   a channel is free when its worm's tail has left the queue, or crossed
 *   SOURCES  fifo | last     heads of sources choose by their wait as all do, or after the others
 *   INJECT   one | channel | all   of a source the first worm asks, or the first of those that would
 *            begin in the same virtual channel, or all that wait do
 *   TIES     parity | up | fixed   where both ways round are shortest, negative-hop takes either, the
 *            others go up from even digits, or always; fixed: all go up from even digits
 * Prints the utilisation, and 1 if the backlog grew.  All flits cross in step: 16 x 16, fixed shares,
 * messages of 4.  It shares no code with the model, and readings.sh holds the two together.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { K = 16, NODES = K * K, LINKS = 4 * NODES, L = 4, MOST = 9, NONE = -1 };

static unsigned depth, classes;
static bool begins, crosses, last_sources;
static unsigned inject; /* ONE, CHANNEL, ALL */
enum { ONE, CHANNEL, ALL };
static unsigned ties; /* PARITY, UP, FIXED */
enum { PARITY, UP, FIXED };
static unsigned path; /* E_CUBE, NORTH_LAST, NEGATIVE_HOP */
enum { E_CUBE, NORTH_LAST, NEGATIVE_HOP };

struct worm {
    int src, dst, at, next, behind; /* at: channel whose queue the head stands in */
    unsigned queue;                 /* at its source */
    long front;
    int choice[4], choices; /* channels */
};

struct channel {
    int worm, from, crossed;             /* on the link */
    int queued, first, present, to;      /* at the far end: the first worm and its flits there */
    int waits, waits_end;                /* worms behind it */
    bool sending;
};

static struct worm *worm;
static int worms, unused = NONE;
static struct channel channel[LINKS * MOST];
static int moving[2][LINKS * MOST], moves[2], side;
static int node_first[NODES], node_last[NODES], source_first[NODES][MOST], source_last[NODES][MOST];
static int dirty[NODES], dirties, dirty_at; /* a ring: each node is in it once */
static bool listed[NODES];
static long now, flits, made, delivered;
static uint64_t seed = 12345;

static uint64_t draw(void) /* splitmix64 */
{
    uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static double chance(void)
{
    return (double)(draw() >> 11) * 0x1p-53;
}

/* -- the torus ---------------------------------------------------------------------------------- */

static int digit(int node, int d)
{
    return d ? node / K : node % K;
}

static int far_of(int link)
{
    int node = link / 4, d = link % 4 / 2, up = link % 2 == 0, x = digit(node, d);
    int y = (x + (up ? 1 : K - 1)) % K;
    return d ? y * K + node % K : node / K * K + y;
}

/* Port on a shortest way; ties as asked. */
static int towards(int d, int x, int y)
{
    int hops = (y - x + K) % K;
    bool up = 2 * hops < K || (2 * hops == K && (ties == UP || x % 2 == 0));
    return 2 * d + !up;
}

static bool wraps(int port, int x, int y)
{
    return port % 2 == 0 ? y < x : y > x;
}

static void may_take(struct worm *w, int node, int port, unsigned class)
{
    w->choice[w->choices++] = (node * 4 + port) * (int)classes + (int)class;
}

/* As cmodel/topology/cube.c has it: see there why this has no circles. */
static void north_last(struct worm *w, int node, const int *x, const int *y, const int *port)
{
    int from = w->at == NONE ? NONE : w->at / (int)classes, by = from % 4;
    bool lower = from == NONE || (w->at % (int)classes == 0 &&
                                  !wraps(by, digit(from / 4, by / 2), x[by / 2]));
    bool first = from == NONE || (lower && by < 2);
    int before = w->choices;

    for (int d = 0; d < 2; d++)
        if (x[d] != y[d] && wraps(port[d], x[d], y[d])) {
            may_take(w, node, port[d == 1 && x[0] != y[0] && first ? 0 : d], 0);
            return;
        }
    for (int d = 0; d < 2; d++)
        if (x[d] != y[d] && !(port[d] == 3 && w->choices > before))
            may_take(w, node, port[d], 1);
    if (lower && (first || x[0] == y[0]))
        may_take(w, node, port[x[0] == y[0]], 0);
}

static void route(struct worm *w, int node)
{
    int x[2], y[2], port[2];
    for (int d = 0; d < 2; d++) {
        x[d] = digit(node, d);
        y[d] = digit(w->dst, d);
        port[d] = towards(d, x[d], y[d]);
    }
    w->choices = 0;
    if (path == NORTH_LAST) {
        north_last(w, node, x, y, port);
        return;
    }
    unsigned class = 0;
    if (path == NEGATIVE_HOP && w->at != NONE) {
        int from = w->at / (int)classes / 4;
        class = (unsigned)w->at % classes + (unsigned)(digit(from, 0) + digit(from, 1)) % 2;
    }
    for (int d = 0; d < 2; d++) {
        if (x[d] == y[d])
            continue;
        if (path == E_CUBE) {
            may_take(w, node, port[d], !wraps(port[d], x[d], y[d]));
            return;
        }
        may_take(w, node, port[d], class);
        if (ties != FIXED && (y[d] - x[d] + K) % K * 2 == K)
            may_take(w, node, port[d] ^ 1, class);
    }
}

/* -- heads -------------------------------------------------------------------------------------- */

static void look(int node)
{
    if (!listed[node])
        dirty[(dirty_at + dirties++) % NODES] = node;
    listed[node] = true;
}

static bool before(const struct worm *a, const struct worm *b)
{
    if (last_sources && (a->at == NONE) != (b->at == NONE))
        return b->at == NONE;
    return a->front != b->front ? a->front < b->front : (unsigned)a->at < (unsigned)b->at;
}

static void ask(int k, int node, long front)
{
    struct worm *w = &worm[k];
    w->front = front;
    route(w, node);
    look(node);
    if (node_first[node] == NONE || !before(w, &worm[node_last[node]])) {
        w->behind = NONE;
        if (node_first[node] == NONE)
            node_first[node] = k;
        else
            worm[node_last[node]].behind = k;
        node_last[node] = k;
        return;
    }
    int *link = &node_first[node];
    while (!before(w, &worm[*link]))
        link = &worm[*link].behind;
    w->behind = *link;
    *link = k;
}

static void try_send(int c);

/* The place that the next flit of channel c has in the queue it comes from is free. */
static void vacate(int c, bool tail)
{
    int from = channel[c].from;
    if (from == NONE)
        return;
    struct channel *f = &channel[from];
    f->queued--;
    f->present--;
    if (tail) {
        int k = f->waits;
        f->first = k;
        f->to = NONE;
        if (!crosses) {
            f->worm = NONE;
            look(from / (int)classes / 4);
        }
        if (k != NONE) {
            f->waits = worm[k].next;
            f->present = f->worm == k ? f->crossed : L;
            worm[k].at = from;
            ask(k, far_of(from / (int)classes), now);
        }
    }
    if (f->worm != NONE)
        try_send(from);
}

static void try_send(int c)
{
    struct channel *ch = &channel[c];
    bool end = far_of(c / (int)classes) == worm[ch->worm].dst;
    if (ch->sending || ch->crossed == L || (!end && ch->queued >= (int)depth) ||
        (ch->from != NONE && (channel[ch->from].first != ch->worm || channel[ch->from].present == 0)))
        return;
    ch->sending = true;
    moving[side][moves[side]++] = c;
    if (begins)
        vacate(c, ch->crossed == L - 1);
}

static void ask_first(int src, unsigned queue)
{
    if (source_first[src][queue] != NONE)
        ask(source_first[src][queue], src, now);
}

/* Worm k joins the others that wait at its source. */
static void wait_at_source(int k)
{
    int src = worm[k].src;
    unsigned queue = 0;
    if (inject == ALL) {
        ask(k, src, now);
        return;
    }
    if (inject == CHANNEL) {
        route(&worm[k], src);
        queue = (unsigned)worm[k].choice[0] % classes;
    }
    worm[k].queue = queue;
    bool alone = source_first[src][queue] == NONE;
    *(alone ? &source_first[src][queue] : &worm[source_last[src][queue]].next) = k;
    source_last[src][queue] = k;
    if (alone)
        ask_first(src, queue);
}

static void take(int k, int c)
{
    struct worm *w = &worm[k];
    channel[c].worm = k;
    channel[c].from = w->at;
    channel[c].crossed = 0;
    if (w->at != NONE)
        channel[w->at].to = c;
    try_send(c);
    if (channel[c].from == NONE && inject != ALL) {
        source_first[w->src][w->queue] = w->next;
        ask_first(w->src, w->queue);
    }
}

static int free_choice(const struct worm *w)
{
    int start = w->choices > 1 ? (int)(draw() % (unsigned)w->choices) : 0;
    for (int j = 0; j < w->choices; j++) {
        int c = w->choice[(start + j) % w->choices];
        if (channel[c].worm == NONE)
            return c;
    }
    return NONE;
}

static void look_at(int node)
{
    int stays = NONE;
    listed[node] = false;
    for (int k = node_first[node]; k != NONE;) {
        int c = free_choice(&worm[k]);
        if (c == NONE) {
            stays = k;
            k = worm[k].behind;
            continue;
        }
        int next = worm[k].behind;
        *(stays == NONE ? &node_first[node] : &worm[stays].behind) = next;
        if (next == NONE)
            node_last[node] = stays;
        take(k, c); /* heads may join the list; begin again where it was changed */
        stays = NONE;
        k = node_first[node];
        if (listed[node])
            return;
        while (k != NONE && k != next) {
            stays = k;
            k = worm[k].behind;
        }
    }
}

/* -- flits -------------------------------------------------------------------------------------- */

static void set_free(int c)
{
    channel[c].worm = NONE;
    look(c / (int)classes / 4);
}

static void arrive(int c)
{
    struct channel *ch = &channel[c];
    int k = ch->worm, node = far_of(c / (int)classes), place = ch->crossed++;
    bool tail = ch->crossed == L;

    ch->sending = false;
    flits++;
    if (!begins)
        vacate(c, tail);
    if (worm[k].dst == node) {
        if (tail) {
            delivered++;
            worm[k].next = unused;
            unused = k;
            set_free(c);
        } else {
            try_send(c);
        }
        return;
    }
    ch->queued++;
    if (place == 0 && ch->first == NONE) {
        ch->first = k;
        ch->present = 1;
        worm[k].at = c;
        ask(k, node, now);
    } else if (place == 0) {
        worm[k].next = NONE;
        *(ch->waits == NONE ? &ch->waits : &worm[ch->waits_end].next) = k;
        ch->waits_end = k;
    } else if (ch->first == k) {
        ch->present++;
    }
    if (tail && crosses)
        set_free(c);
    if (ch->first == k && ch->to != NONE)
        try_send(ch->to);
    if (!tail)
        try_send(c);
}

static void generate(double load, double hotspot)
{
    for (int src = 0; src < NODES; src++)
        for (unsigned v = 0; v < classes; v++) {
            if (chance() >= load / L)
                continue;
            int k = unused, dst = NODES - 1;
            if (chance() >= hotspot || src == dst)
                for (dst = src; dst == src;)
                    dst = (int)(draw() % NODES);
            if (k == NONE) {
                if (worms % 4096 == 0 && !(worm = realloc(worm, ((size_t)worms + 4096) * sizeof *worm)))
                    exit(4);
                k = worms++;
            } else {
                unused = worm[k].next;
            }
            worm[k] = (struct worm){.src = src, .dst = dst, .at = NONE, .next = NONE};
            made++;
            wait_at_source(k);
        }
}

static void step(double load, double hotspot)
{
    int old = side;
    side = !side;
    moves[side] = 0;
    for (int j = 0; j < moves[old]; j++)
        arrive(moving[old][j]);
    generate(load, hotspot);
    while (dirties) {
        int node = dirty[dirty_at];
        dirty_at = (dirty_at + 1) % NODES;
        dirties--;
        look_at(node);
    }
    now++;
}

/* Number of a word among those allowed, NULL at the end. */
static unsigned word(const char *text, const char *const *allowed)
{
    unsigned k = 0;
    while (allowed[k] && strcmp(text, allowed[k]))
        k++;
    if (allowed[k])
        return k;
    fprintf(stderr, "readings: %s; allowed:", text);
    for (k = 0; allowed[k]; k++)
        fprintf(stderr, " %s", allowed[k]);
    fprintf(stderr, "\n");
    exit(2);
}

int main(int argc, char **argv)
{
    static const char *const words[6][4] = {{"ends", "begins"}, {"leaves", "crosses"},
        {"fifo", "last"}, {"one", "channel", "all"}, {"parity", "up", "fixed"},
        {"e-cube", "north-last", "negative-hop"}};
    static const char *const depths[] = {"1", "2", "3", "4", "5", "6", "7", "8", NULL};
    if (argc != 11) {
        fprintf(stderr, "usage: readings DEPTH VACATE RELEASE SOURCES INJECT TIES PATH HOTSPOT "
                        "UTILISATION CYCLES\n");
        return 2;
    }
    depth = 1 + word(argv[1], depths);
    begins = word(argv[2], words[0]);
    crosses = word(argv[3], words[1]);
    last_sources = word(argv[4], words[2]);
    inject = word(argv[5], words[3]);
    ties = word(argv[6], words[4]);
    path = word(argv[7], words[5]);
    classes = path == NEGATIVE_HOP ? 9 : 2;
    double hotspot = atof(argv[8]), load = atof(argv[9]) * 4 * 255 / (8.0 * 256); /* BC, equation 1 */
    long steps = atol(argv[10]) / (long)classes;

    for (int c = 0; c < LINKS * MOST; c++)
        channel[c] = (struct channel){.worm = NONE, .first = NONE, .to = NONE, .waits = NONE};
    for (int a = 0; a < NODES; a++) {
        node_first[a] = NONE;
        for (unsigned queue = 0; queue < MOST; queue++)
            source_first[a][queue] = NONE;
    }
    while (now < steps + steps / 2) {
        if (now == steps / 2) {
            flits = made = delivered = 0;
        }
        step(load, hotspot);
    }
    printf("%.4f %d\n", (double)flits / ((double)LINKS * (double)(steps * classes)),
           made - delivered > made / 100 + 20);
    return 0;
}
