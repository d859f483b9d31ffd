/* SPDX-License-Identifier: Apache-2.0
 * test_channel.c - worms on tori and meshes: exact latencies, a queue whose mean is known, a
 * simulator that looks at every channel in every cycle, and deadlock where it must come.
 */
#include "digest.h"
#include "engine.h"
#include "topology.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

static struct fatfly_config config_of(const char *name, unsigned radix, unsigned dimensions,
                                      enum fatfly_path path)
{
    struct fatfly_config c;
    fatfly_defaults(&c);
    c.topology = name;
    c.radix = radix;
    c.dimensions = dimensions;
    c.nodes = 1;
    for (unsigned d = 0; d < dimensions; d++)
        c.nodes *= radix;
    c.path = path;
    c.vcs = 0;
    c.length = 4;
    c.seed = unit_seed;
    return c;
}

static int run(const struct fatfly_config *c, struct fatfly_result *r, char *why, size_t size)
{
    int status = fatfly_run(c, NULL, r, why, size);
    if (status && status != FATFLY_DEADLOCK)
        fail_msg("%s %u^%u: %s", c->topology, c->radix, c->dimensions, why);
    return status;
}

/* -- alone -------------------------------------------------------------------------------------- */

/* A worm over d links that meets nobody takes (d + L - 1) flit times of V cycles (BC 2.1), and d times what links
 * and routers add, if queues have room for what is under way. */
static void alone(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 300; k++) {
        static const enum fatfly_path paths[] = {FATFLY_E_CUBE, FATFLY_NORTH_LAST,
                                                 FATFLY_POSITIVE_HOP, FATFLY_NEGATIVE_HOP};
        struct fatfly_config c = config_of(draw(2) ? "torus" : "mesh", 2 + 2 * draw(4), 2,
                                           paths[draw(4)]);
        struct fatfly_message m = {.ready = draw(100), .src = draw(c.nodes), .length = 1 + draw(20)};
        struct fatfly_result r;
        struct topology t;
        char why[400];
        m.dst = (m.src + 1 + draw(c.nodes - 1)) % c.nodes;
        c.pattern = FATFLY_MESSAGES;
        c.messages = &m;
        c.message_count = 1;
        c.depth = 2 + draw(3);
        c.bandwidth = (enum fatfly_bandwidth)draw(2);
        c.processor_links = draw(2);
        if (k % 3 == 0) {
            c.depth = FATFLY_UNBOUNDED;
            c.link_latency = 1 + draw(64);
            c.router_latency = draw(65);
        }
        c.head_latency = k % 3 == 0 ? draw(65) : 0;
        c.channels_in_turn = draw(2);
        unsigned extra = c.link_latency - 1 + c.router_latency;
        assert_int_equal(topology_of(&c, &t, why, sizeof why), 0);
        c.vcs = t.classes * (1 + draw(FATFLY_MAX_CHANNELS / t.classes));
        c.link_bandwidth = 1 + draw(64);
        c.force = true; /* without a search, which takes long with many channels */
        unsigned step = c.bandwidth == FATFLY_ON_DEMAND ? 1 : (c.vcs + c.link_bandwidth - 1) / c.link_bandwidth;
        topology_close(&t);
        CHECK_AT(k, run(&c, &r, why, sizeof why), FATFLY_OK);
        CHECK_AT(k, r.latency_sum, (r.dilation + m.length - 1) * step + r.dilation * extra + (r.dilation - 1) * c.head_latency);
        CHECK_AT(k, r.wait_sum, 0);
        CHECK_AT(k, r.blocked, 0);
        CHECK_AT(k, r.flit_hops, r.dilation * m.length);
        /* Of two alike one waits, and all that it takes beyond a worm alone counts. */
        const struct fatfly_message both[] = {m, m};
        uint64_t one = r.latency_sum;
        c.messages = both;
        c.message_count = 2;
        CHECK_AT(k, run(&c, &r, why, sizeof why), FATFLY_OK);
        CHECK_AT(k, r.wait_sum, r.latency_sum - 2 * one);
    }
}

/* A place in a queue is kept from a flit's sending to its credit's coming back, 2 C + R cycles: with fewer places links stand
 * still, with as many they do not. */
static void round_trips(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 60; k++) {
        struct fatfly_config c = config_of("mesh", 16, 1, FATFLY_E_CUBE);
        const struct fatfly_message m = {.src = 0, .dst = 2 + draw(14), .length = 40};
        struct fatfly_result r;
        char why[400];
        c.pattern = FATFLY_MESSAGES;
        c.messages = &m;
        c.message_count = 1;
        c.bandwidth = FATFLY_ON_DEMAND;
        c.link_latency = 1 + draw(5);
        c.router_latency = draw(6);
        unsigned places = 2 * c.link_latency + c.router_latency;
        uint64_t want = m.dst * (c.link_latency + c.router_latency) + m.length - 1;
        c.depth = places;
        CHECK_AT(k, run(&c, &r, why, sizeof why), FATFLY_OK);
        CHECK_AT(k, r.latency_sum, want);
        c.depth = places - 1;
        CHECK_AT(k, run(&c, &r, why, sizeof why), FATFLY_OK);
        if (r.latency_sum <= want)
            fail_msg("link latency %u, router latency %u: %u places are enough", c.link_latency, c.router_latency, c.depth);
    }
}

/* Between two nodes a link is a queue with one server: geometric arrivals of chance p, service of L
 * cycles.  Its mean wait is p L (L - 1) / (2 (1 - p L)) (Geo/D/1). */
static void two_nodes(void **state)
{
    (void)state;
    for (unsigned length = 2; length <= 8; length += 3) {
        struct fatfly_config c = config_of("mesh", 2, 1, FATFLY_E_CUBE);
        struct fatfly_result r;
        char why[400];
        double p = 0.6 / length, want = length + p * length * (length - 1) / (2 * (1 - p * length));
        c.length = length;
        c.load = 0.6;
        c.warmup = 10000;
        c.cycles = 400000;
        CHECK_EQ(run(&c, &r, why, sizeof why), FATFLY_OK);
        CHECK_EQ(r.wait_sum, r.latency_sum - r.measured * length); /* alone it takes L cycles */
        double got = (double)r.latency_sum / (double)r.measured;
        if (got < 0.98 * want || got > 1.02 * want)
            fail_msg("length %u: mean latency %g, theory %g", length, got, want);
    }
}

/* -- a simulator that is slow and plain --------------------------------------------------------- */

enum { MOST_CHANNELS = 6000, MOST_WORMS = 600, MOST_LATER = 80, NOBODY = UINT32_MAX };

/* Cycles in which something will be, in order. */
struct plain_times {
    uint64_t at[MOST_LATER];
    unsigned count;
};

struct plain_flit {
    uint32_t worm, place;
    uint64_t comes;     /* to the far end */
};

/* Under way to the far end or in the queue there, in order. */
struct plain_queue {
    struct plain_flit *flit;
    unsigned count, room;
};

struct plain_channel {
    uint32_t worm, from; /* who has it */
    uint64_t until;      /* a flit crosses until this cycle; 0: none does */
    unsigned crossed;
    struct plain_queue behind;    /* all that has crossed and is there yet */
    struct plain_times credits;
};

struct plain_worm {
    struct traffic_worm is;
    uint64_t front;
    uint32_t at, node;  /* where the head asks */
    bool asks, asked, over; /* asked: for the channel after `at` */
    unsigned queue;     /* at its source */
};

struct plain {
    struct topology t, part; /* part: what a class sees that has channels for itself */
    unsigned own;            /* channels of a link that it has; 0: all are everyone's */
    const struct fatfly_config *c;
    struct plain_channel channel[MOST_CHANNELS];
    struct plain_worm worm[MOST_WORMS];
    unsigned turn[MOST_CHANNELS];
    unsigned next[MOST_CHANNELS]; /* of a link: the class after the one that a head took last */
    unsigned sent[MOST_CHANNELS]; /* in this cycle: by link whose queues they leave, then by node of sources */
    uint32_t worms;
    uint64_t digest, hops, now, last;
};

static void plain_ask(struct plain *s, uint32_t k, uint32_t at, uint32_t node)
{
    struct plain_worm *w = &s->worm[k];
    w->asks = w->asked = true;
    w->at = at;
    w->node = node;
    w->front = s->now > w->is.ready ? s->now : w->is.ready;
}

static void plain_later(struct plain_times *t, uint64_t at)
{
    assert_true(t->count < MOST_LATER);
    t->at[t->count++] = at;
}

static bool plain_now(struct plain_times *t, uint64_t now)
{
    if (!t->count || t->at[0] != now)
        return false;
    memmove(t->at, t->at + 1, --t->count * sizeof *t->at);
    return true;
}

static uint32_t plain_far(const struct plain *s, uint32_t k)
{
    uint32_t link = k / s->t.classes;
    return s->t.kind->far(&s->t, link / s->t.ports, link % s->t.ports);
}

static void plain_push(struct plain_queue *q, struct plain_flit f)
{
    if (q->count == q->room) {
        q->room = q->room ? 2 * q->room : 8;
        q->flit = realloc(q->flit, q->room * sizeof *q->flit);
        assert_non_null(q->flit);
    }
    q->flit[q->count++] = f;
}

static struct plain_flit plain_pop(struct plain_queue *q)
{
    struct plain_flit f = q->flit[0];
    memmove(q->flit, q->flit + 1, --q->count * sizeof *q->flit);
    return f;
}

static void plain_cross(struct plain *s, uint32_t k)
{
    struct plain_channel *ch = &s->channel[k];
    bool tail = ch->crossed + 1 == s->worm[ch->worm].is.length, sent = s->c->channel_release == FATFLY_TAIL_SENT;

    ch->until = 0;
    plain_push(&ch->behind, (struct plain_flit){ch->worm, ch->crossed++,
                                                s->now + s->c->link_latency - 1 + s->c->router_latency});
    s->hops++;
    if (ch->from != NOBODY) {
        struct plain_flit f = plain_pop(&s->channel[ch->from].behind);
        assert_true(f.worm == ch->worm && f.place + 1 == ch->crossed);
        plain_later(&s->channel[ch->from].credits, s->now + s->c->link_latency - 1);
        if (tail && !sent)
            s->channel[ch->from].worm = NOBODY;
    }
    if (tail && sent)
        ch->worm = NOBODY;
}

/* The first flit in the queue of channel k, if one is there. */
static const struct plain_flit *plain_first(const struct plain *s, uint32_t k)
{
    const struct plain_queue *q = &s->channel[k].behind;
    return q->count && q->flit[0].comes <= s->now ? &q->flit[0] : NULL;
}

/* Who is first in a queue is consumed at once, or its head asks. */
static void plain_come(struct plain *s, uint32_t k)
{
    struct plain_channel *ch = &s->channel[k];
    const struct plain_flit *f;
    uint32_t far = plain_far(s, k);

    while ((f = plain_first(s, k)) && topology_leave(&s->t, s->worm[f->worm].is.dst) == far) {
        struct plain_worm *w = &s->worm[f->worm];
        unsigned place = plain_pop(&ch->behind).place;
        bool tail = place + 1 == w->is.length;
        s->digest += digest_flit(flit_payload((uint64_t)w->is.dst << 32 | w->is.src, w->is.number, place,
                                              UINT64_MAX),
                                 (place == 0 ? FLIT_HEAD : 0u) | (tail ? FLIT_TAIL : 0u), s->now - 1,
                                 w->is.dst, k % s->t.classes);
        s->last = s->now - 1;
        w->over |= tail;
        if (tail && s->c->channel_release == FATFLY_TAIL_GONE)
            ch->worm = NOBODY;
    }
    if (f && f->place == 0 && !(s->worm[f->worm].asked && s->worm[f->worm].at == k)) {
        plain_ask(s, f->worm, k, far);
        s->worm[f->worm].front += s->c->head_latency;
    }
}

/* The next worm in the queue of the source of worm k; NOBODY.  Those of a source stand together. */
static uint32_t plain_next(const struct plain *s, uint32_t k)
{
    uint32_t next = k + 1;
    while (next < s->worms && s->worm[next].is.src == s->worm[k].is.src &&
           s->worm[next].queue != s->worm[k].queue)
        next++;
    return next < s->worms && s->worm[next].is.src == s->worm[k].is.src ? next : NOBODY;
}

/* What a head may take: of the channels of its class. */
static unsigned plain_route(const struct plain *s, const struct plain_worm *w, struct topology_place at,
                            struct topology_choice choice[TOPOLOGY_MAX_PORTS])
{
    unsigned first = s->own * w->is.of_class;
    if (!s->own)
        return s->t.kind->route(&s->t, &at, w->is.dst, choice);
    if (at.from != TOPOLOGY_NONE) {
        assert_true(at.class / s->own == w->is.of_class);
        at.class %= s->own;
    }
    unsigned count = s->part.kind->route(&s->part, &at, w->is.dst, choice);
    for (unsigned k = 0; k < count; k++) {
        choice[k].low = (uint8_t)(choice[k].low + first);
        choice[k].high = (uint8_t)(choice[k].high + first);
    }
    return count;
}

static unsigned plain_rank(const struct plain *s, uint32_t worm)
{
    return s->c->class_priority[s->worm[worm].is.of_class];
}

/* Returns the worm that now asks in its place at the source; NOBODY. */
static uint32_t plain_try(struct plain *s, uint32_t k)
{
    struct plain_worm *w = &s->worm[k];
    struct topology_place at = {.node = w->node, .from = TOPOLOGY_NONE};
    struct topology_choice choice[TOPOLOGY_MAX_PORTS];

    if (w->at != NOBODY) {
        at.from = w->at / s->t.classes / s->t.ports;
        at.port = w->at / s->t.classes % s->t.ports;
        at.class = w->at % s->t.classes;
    }
    unsigned count = plain_route(s, w, at, choice);
    unsigned first = count > 1
                         ? (unsigned)(rng_hash((uint64_t)w->is.number << 32 | w->node) % count) : 0;
    for (unsigned j = 0; j < count; j++) {
        struct topology_choice c = choice[(first + j) % count];
        unsigned *next_class = &s->next[w->node * s->t.ports + c.port], many = c.high - c.low + 1u;
        for (unsigned i = 0; i < many; i++) {
            unsigned from = s->c->channels_in_turn && *next_class >= c.low && *next_class <= c.high ? *next_class - c.low : 0;
            unsigned class = c.low + (from + i) % many;
            uint32_t to = topology_channel(&s->t, w->node, c.port, class);
            if (s->channel[to].worm != NOBODY)
                continue;
            *next_class = class + 1;
            s->channel[to].worm = k;
            s->channel[to].from = w->at;
            s->channel[to].crossed = 0;
            w->asks = false;
            uint32_t next = w->at == NOBODY ? plain_next(s, k) : NOBODY;
            if (next != NOBODY)
                plain_ask(s, next, NOBODY, topology_enter(&s->t, w->is.src));
            return next;
        }
    }
    return NOBODY;
}

static bool plain_can_send(const struct plain *s, uint32_t k)
{
    const struct plain_channel *ch = &s->channel[k];
    if (ch->worm == NOBODY || ch->until || ch->crossed == s->worm[ch->worm].is.length)
        return false;
    bool alone = true; /* nothing of another worm is in the queue or on the way there */
    for (unsigned j = 0; j < ch->behind.count; j++)
        alone &= ch->behind.flit[j].worm == ch->worm;
    bool consumed = alone && plain_far(s, k) == topology_leave(&s->t, s->worm[ch->worm].is.dst);
    if (!consumed && ch->behind.count + ch->credits.count >= s->c->depth)
        return false;
    const struct plain_flit *f = ch->from == NOBODY ? NULL : plain_first(s, ch->from);
    return ch->from == NOBODY || (f && f->worm == ch->worm);
}

/* Flits that the input of channel k has sent in this cycle. */
static unsigned *plain_input(struct plain *s, uint32_t k)
{
    const struct plain_channel *ch = &s->channel[k];
    uint32_t links = s->t.nodes * s->t.ports;
    return &s->sent[ch->from == NOBODY ? links + k / s->t.classes / s->t.ports : ch->from / s->t.classes];
}

/* On demand: the class that sends next, of those that go before the others the first from the turn on. */
static unsigned plain_turn(struct plain *s, uint32_t link)
{
    unsigned classes = s->t.classes, best = NOBODY, most = s->c->input_bandwidth;
    for (unsigned j = 0; j < classes; j++) {
        unsigned class = (s->turn[link] + j) % classes;
        uint32_t k = link * classes + class;
        if (plain_can_send(s, k) && (!most || *plain_input(s, k) < most) && (best == NOBODY || plain_rank(s, s->channel[k].worm) >
                                                           plain_rank(s, s->channel[link * classes + best].worm)))
            best = class;
    }
    return best;
}

static void plain_send(struct plain *s)
{
    unsigned classes = s->t.classes, b = s->c->link_bandwidth, most = s->c->input_bandwidth;
    memset(s->sent, 0, sizeof s->sent);
    for (uint32_t at = 0; at < s->t.nodes * s->t.ports; at++) {
        uint32_t link = at - at % s->t.ports + (uint32_t)((at + s->now) % s->t.ports);
        if (!most)
            link = at;
        bool demand = s->c->bandwidth == FATFLY_ON_DEMAND;
        for (unsigned class = 0; !demand && class < classes; class++)
            if (plain_can_send(s, link * classes + class))
                s->channel[link * classes + class].until = s->now + (classes + b - 1) / b;
        for (unsigned sent = 0; demand && sent < b; sent++) {
            unsigned class = plain_turn(s, link);
            if (class == NOBODY)
                break;
            ++*plain_input(s, link * classes + class);
            s->channel[link * classes + class].until = s->now + 1;
            s->turn[link] = (class + 1) % classes;
        }
    }
}

static const struct plain *plain_of; /* for qsort() */

static int by_wait(const void *x, const void *y)
{
    const struct plain_worm *a = &plain_of->worm[*(const uint32_t *)x];
    const struct plain_worm *b = &plain_of->worm[*(const uint32_t *)y];
    unsigned p = plain_rank(plain_of, *(const uint32_t *)x), q = plain_rank(plain_of, *(const uint32_t *)y);
    if (p != q)
        return p > q ? -1 : 1;
    if (a->front != b->front)
        return a->front < b->front ? -1 : 1;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return (a->is.number > b->is.number) - (a->is.number < b->is.number);
}

/* Heads choose in order; queues of sources that have sent one off come back with the next. */
static void plain_heads(struct plain *s)
{
    uint32_t list[MOST_WORMS], count = 0;
    plain_of = s;
    for (uint32_t k = 0; k < s->worms; k++)
        if (s->worm[k].asks && s->worm[k].front <= s->now)
            list[count++] = k;
    qsort(list, count, sizeof *list, by_wait);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t next = plain_try(s, list[k]);
        if (next != NOBODY && s->worm[next].is.ready <= s->now) {
            list[count++] = next;
            qsort(list + k + 1, count - k - 1, sizeof *list, by_wait);
        }
    }
}

static void plain_cycle(struct plain *s)
{
    for (uint32_t k = 0; k < topology_channels(&s->t); k++)
        if (s->channel[k].until == s->now && s->now)
            plain_cross(s, k);
    for (uint32_t k = 0; k < topology_channels(&s->t); k++) {
        plain_come(s, k);
        plain_now(&s->channel[k].credits, s->now);
    }
    plain_heads(s);
    plain_send(s);
    s->now++;
}

static bool plain_over(const struct plain *s)
{
    for (uint32_t k = 0; k < s->worms; k++)
        if (!s->worm[k].over)
            return false;
    return true;
}

static void plain_open(struct plain *s, const struct fatfly_config *c)
{
    char why[300];
    struct traffic *traffic = traffic_new(c);

    memset(s, 0, sizeof *s);
    s->c = c;
    assert_int_equal(topology_of(c, &s->t, why, sizeof why), 0);
    assert_true(topology_channels(&s->t) <= MOST_CHANNELS && c->nodes <= 256);
    if (topology_apart(&s->t))
        traffic_apart(traffic);
    if (c->class_channels == FATFLY_RESERVED) {
        struct fatfly_config part = *c;
        s->own = part.vcs = s->t.classes / c->classes;
        assert_int_equal(topology_of(&part, &s->part, why, sizeof why), 0);
    }
    for (uint32_t k = 0; k < topology_channels(&s->t); k++)
        s->channel[k].worm = NOBODY;
    for (uint32_t a = 0; a < c->nodes; a++) {
        const struct topology_place at = {.node = topology_enter(&s->t, a), .from = TOPOLOGY_NONE};
        struct topology_choice choice[TOPOLOGY_MAX_PORTS];
        bool asked[FATFLY_MAX_CHANNELS] = {false};
        for (struct traffic_worm is; traffic_next(traffic, a, &is); s->worms++) {
            assert_true(s->worms < MOST_WORMS);
            struct plain_worm *w = &s->worm[s->worms];
            w->is = is;
            plain_route(s, w, at, choice);
            w->queue = c->injection == FATFLY_PER_CHANNEL ? choice[0].low : is.of_class;
            if (!asked[w->queue])
                plain_ask(s, s->worms, NOBODY, at.node);
            asked[w->queue] = true;
        }
    }
    traffic_free(traffic);
}

static void plain_close(struct plain *s)
{
    for (uint32_t k = 0; k < topology_channels(&s->t); k++)
        free(s->channel[k].behind.flit);
    topology_close(&s->t);
    if (s->own)
        topology_close(&s->part);
}

/* Classes of worms, in channels of their own or not, and some before others. */
static void some_classes(struct fatfly_config *c)
{
    char why[400];
    struct topology t;
    c->classes = 1 + draw(4);
    for (unsigned k = 0; k < c->classes; k++)
        c->class_length[k] = draw(2) ? 1 + draw(8) : 0;
    assert_int_equal(topology_of(c, &t, why, sizeof why), 0);
    c->vcs = t.classes * (topology_channels(&t) * c->classes <= MOST_CHANNELS ? c->classes : 1);
    if (c->classes > 1 && c->vcs > t.classes && draw(2))
        c->class_channels = FATFLY_RESERVED;
    topology_close(&t);
    for (unsigned k = 0; k < c->classes && c->injection == FATFLY_ONE_QUEUE; k++)
        c->class_priority[k] = draw(draw(2) ? 3 : 1001);
    c->class_patterns = c->classes > 1 && c->pattern == FATFLY_RANDOM && draw(2);
    for (unsigned k = 0; k < c->classes && c->class_patterns; k++)
        c->class_pattern[k] = draw(2) ? FATFLY_TORNADO : draw(2) ? FATFLY_NEIGHBOUR : FATFLY_RANDOM;
}

/* A run is that of the plain simulator. */
static void as_the_plain_one(unsigned k, struct plain *s, const struct fatfly_config *c)
{
    struct fatfly_result r;
    char why[400];
    while (!plain_over(s) && s->now < 100000)
        plain_cycle(s);
    CHECK_AT(k, run(c, &r, why, sizeof why), FATFLY_OK);
    CHECK_AT(k, r.worms, s->worms);
    CHECK_AT(k, r.last_arrival, s->last);
    CHECK_AT(k, r.cycles, s->last + 1);
    CHECK_AT(k, r.flit_hops, s->hops);
    CHECK_AT(k, r.digest, s->digest);
    plain_close(s);
}

/* More channels than a word has bits, most of them taken: all send to one; then some worms go before others, and inputs are narrow. */
static void many_channels(void **state)
{
    static struct plain s;
    (void)state;
    for (unsigned k = 0; k < 6; k++) {
        struct fatfly_config c = config_of("mesh", 16, 1, FATFLY_E_CUBE);
        c.vcs = FATFLY_MAX_CHANNELS;
        c.bandwidth = FATFLY_ON_DEMAND;
        c.link_bandwidth = k < 4 ? 1 : 1 + draw(64);
        c.pattern = FATFLY_MANY_TO_1;
        c.length = 8;
        c.rounds = 10;
        c.classes = k & 1 ? 3 : c.classes;
        c.class_priority[1] = k & 1 ? 2 : 0;
        c.class_priority[2] = k & 1;
        c.input_bandwidth = k < 4 ? k & 2 : 1 + draw(c.link_bandwidth);
        plain_open(&s, &c);
        as_the_plain_one(k, &s, &c);
    }
    /* Nodes of nine links, with the processors', behind narrow inputs. */
    for (unsigned k = 0; k < 2; k++) {
        struct fatfly_config c = config_of("mesh", 3, 4, FATFLY_E_CUBE);
        c.bandwidth = FATFLY_ON_DEMAND;
        c.processor_links = true;
        c.input_bandwidth = 1;
        c.vcs = 1 + k;
        c.length = 3;
        c.rounds = 2;
        plain_open(&s, &c);
        as_the_plain_one(6 + k, &s, &c);
    }
}

/* Links to processors, in some of the runs in which the plain simulator has room for their channels. */
static unsigned some_links(struct fatfly_config *c)
{
    char why[400];
    struct topology t;
    c->processor_links = draw(2);
    assert_int_equal(topology_of(c, &t, why, sizeof why), 0);
    c->processor_links &= topology_channels(&t) <= MOST_CHANNELS;
    topology_close(&t);
    return c->processor_links;
}

static void against_the_plain_one(void **state)
{
    static struct plain s;
    unsigned reserved = 0, ranked = 0, linked = 0, bare = 0;
    (void)state;
    unsigned apart = 0; /* runs in which a source had worms in two queues */
    for (unsigned k = 0; k < 400; k += UNIT_EACH(3)) {
        static const enum fatfly_path paths[] = {
            FATFLY_E_CUBE, FATFLY_NORTH_LAST, FATFLY_POSITIVE_HOP, FATFLY_NEGATIVE_HOP,
            FATFLY_BALANCED_E_CUBE};
        struct fatfly_config c = config_of(draw(2) ? "torus" : "mesh", 2 + 2 * draw(3), 2,
                                           paths[draw(5)]);
        c.length = 1 + draw(8);
        c.lengths = draw(2) ? FATFLY_UNIFORM : FATFLY_FIXED;
        c.depth = draw(4) ? 1 + draw(4) : (unsigned)FATFLY_UNBOUNDED;
        c.bandwidth = (enum fatfly_bandwidth)draw(2);
        c.injection = (enum fatfly_injection)draw(2);
        bool is_bare = draw(3) == 0; /* the engine has ways of its own for such runs: kind_of() */
        c.link_bandwidth = 1 + draw(is_bare || draw(3) ? 3 : 64);
        if (!is_bare && draw(2)) {
            c.link_latency = 1 + draw(4);
            c.router_latency = draw(4);
        }
        c.head_latency = is_bare || draw(3) ? 0 : draw(5);
        c.channels_in_turn = draw(2);
        c.rounds = 1 + draw(5);
        c.delay_range = 1 + draw(3);
        c.pattern = draw(2) ? FATFLY_RANDOM : FATFLY_COMPLEMENT;
        if (!is_bare)
            c.channel_release = (enum fatfly_release)draw(2);
        bare += is_bare && c.bandwidth == FATFLY_ON_DEMAND && k % 2 == 0;
        if (k % 2)
            some_classes(&c);
        if (is_bare && draw(2))
            memset(c.class_priority, 0, sizeof c.class_priority);
        reserved += c.class_channels == FATFLY_RESERVED;
        ranked += c.class_priority[0] != c.class_priority[1] && c.classes > 1;
        c.input_bandwidth = !is_bare && c.bandwidth == FATFLY_ON_DEMAND ? draw(3) : 0;
        linked += some_links(&c);
        c.self_traffic = c.pattern == FATFLY_RANDOM && c.processor_links;
        plain_open(&s, &c);
        for (uint32_t w = 0, last = apart; w + 1 < s.worms && apart == last; w++)
            apart += s.worm[w].is.src == s.worm[w + 1].is.src && s.worm[w].queue != s.worm[w + 1].queue;
        as_the_plain_one(k, &s, &c);
    }
    if (reserved < 10 || ranked < 10 || linked < 10 || bare < 5)
        fail_msg("channels of their own in %u runs, priorities in %u, links to processors in %u, on demand and nothing else in %u alone",
                 reserved, ranked, linked, bare);
    if (apart < 3)
        fail_msg("sources had worms in several queues in %u runs alone", apart);
}

/* -- heads that cross their last link ------------------------------------------------------------- */

enum { MOST_NUMBERS = 20000 };

/* What the moves and deliveries of a run say of its worms, by number. */
struct told {
    uint32_t step, hop;
    uint64_t worms, behind; /* delivered; that stood behind others where they were consumed */
    struct told_worm {
        uint64_t ready, waited;
        uint64_t head, tail; /* cycles in which both came to the end of the last link */
        uint64_t rest;       /* cycles by which its tail was consumed later than its head let it */
        bool over;
    } worm[MOST_NUMBERS];
};

static void told_begin(void *context, const struct fatfly_wires *w)
{
    struct told *t = context;
    t->step = w->link_cycles;
    t->hop = w->hop_cycles;
}

static void told_move(void *context, const struct fatfly_move *m)
{
    struct told *t = context;
    assert_true(m->worm < MOST_NUMBERS);
    struct told_worm *w = &t->worm[m->worm];
    uint64_t end = m->cycle + m->cycles - 1 + t->hop;
    w->waited += m->first ? 0 : m->waited;
    w->head = m->last && m->flit == 0 ? end : w->head;
    w->tail = m->last && m->tail ? end : w->tail;
}

static void told_arrived(void *context, uint32_t number, const struct fatfly_delivery *d)
{
    struct told *t = context;
    struct told_worm *w = &t->worm[number];
    uint64_t soonest = d->head + (uint64_t)(d->length - 1) * t->step;
    CHECK_AT(number, d->head, w->head);
    if (d->tail < soonest || d->tail < w->tail)
        fail_msg("worm %u: %u flits, head %llu, tail %llu", number, d->length, (unsigned long long)d->head,
                 (unsigned long long)d->tail);
    w->ready = d->ready;
    w->rest = d->tail - soonest;
    w->over = true;
    t->worms++;
    t->behind += d->tail > w->tail;
}

/* A network, its links and its traffic: static, or an open loop that is far from saturated. */
static struct fatfly_config any_traffic(void)
{
    static const char *const names[] = {"torus", "mesh", "hypercube", "butterfly"};
    static const enum fatfly_path paths[] = {FATFLY_E_CUBE, FATFLY_NORTH_LAST, FATFLY_NEGATIVE_HOP};
    struct fatfly_config c;
    unsigned name = draw(4);

    fatfly_defaults_of(&c, names[name], FATFLY_WORM);
    if (name < 2)
        c = config_of(names[name], 2 + 2 * draw(2), 2, paths[draw(3)]);
    else
        c.nodes = 8;
    if (name == 3 || (name == 1 && c.path == FATFLY_E_CUBE))
        c.vcs = 1 + draw(5);
    c.seed = unit_seed + draw(1000000);
    c.depth = draw(4) ? 1 + draw(16) : (unsigned)FATFLY_UNBOUNDED;
    c.length = 1 + draw(draw(2) ? 6 : 20);
    c.lengths = draw(2) ? FATFLY_UNIFORM : FATFLY_FIXED;
    c.bandwidth = (enum fatfly_bandwidth)draw(2);
    c.link_bandwidth = 1 + draw(3);
    c.input_bandwidth = c.bandwidth == FATFLY_ON_DEMAND ? draw(3) : 0;
    c.injection = (enum fatfly_injection)draw(2);
    c.link_latency = draw(2) ? 1 : 1 + draw(7);
    c.router_latency = draw(2) ? 0 : draw(4);
    c.head_latency = draw(3) ? 0 : draw(5);
    c.channels_in_turn = draw(2);
    c.pattern = draw(3) ? FATFLY_RANDOM : FATFLY_MANY_TO_1;
    c.rounds = 1 + draw(6);
    if (draw(2)) {
        c.pattern = FATFLY_RANDOM;
        c.load = 0.02 + 0.02 * draw(5);
        c.warmup = draw(2) * 200;
        c.cycles = 1000;
    }
    return c;
}

/* The sums of a run are those of its worms: all that a worm takes beyond the same alone it is at the source, its head
 * stands still, or its tail follows later.  No head stands still for less than it waited at the front of its queues,
 * and where queues have one worm only, for no more. */
static void told_sums(unsigned k, const struct fatfly_config *c, const struct told *t, const struct fatfly_result *r)
{
    uint64_t measured = 0, rest = 0, waited = 0;
    for (uint32_t n = 0; n < MOST_NUMBERS; n++) {
        const struct told_worm *w = &t->worm[n];
        if (!w->over || w->ready < r->measure_from || w->ready - r->measure_from >= r->measure_cycles)
            continue;
        measured++;
        rest += w->rest;
        waited += w->waited;
    }
    CHECK_AT(k, r->measured, measured);
    CHECK_AT(k, r->wait_sum, r->source_wait + r->blocked + rest);
    if (c->channel_release == FATFLY_TAIL_GONE)
        CHECK_AT(k, r->blocked, waited);
    else
        assert_true(r->blocked >= waited);
}

/* A worm's head is told in the cycle in which it crosses its last link, not in that in which it is consumed: behind
 * another worm that may be when its tail is. */
static void heads_cross_last_links(void **state)
{
    static struct told t;
    const struct fatfly_observer o = {.context = &t, .begin = told_begin, .move = told_move, .arrived = told_arrived};
    const struct fatfly_hooks hooks = {.observer = &o};
    unsigned behind[2] = {0}, loops = 0;
    (void)state;
    for (unsigned k = 0; k < 600; k++) {
        struct fatfly_config c = any_traffic();
        struct fatfly_result r;
        char why[600];
        c.channel_release = k % 4 ? FATFLY_TAIL_SENT : FATFLY_TAIL_GONE;
        memset(&t, 0, sizeof t);
        int status = fatfly_run(&c, &hooks, &r, why, sizeof why);
        if (status)
            fail_msg("%u: %s", k, why);
        CHECK_AT(k, t.worms, r.worms);
        if (r.end == FATFLY_DONE)
            told_sums(k, &c, &t, &r);
        behind[c.channel_release == FATFLY_TAIL_SENT] += t.behind > 0;
        loops += c.load > 0 && r.end == FATFLY_DONE;
    }
    if (behind[0] || behind[1] < 25 || loops < 100)
        fail_msg("worms behind others in %u and %u runs, %u open loops", behind[0], behind[1], loops);
    print_message("worms behind others in %u runs, %u open loops\n", behind[1], loops);
}

/* -- links to processors ------------------------------------------------------------------------- */

static void add_line(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add_line(char **text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    *text += vsprintf(*text, format, list);
    va_end(list);
}

/* A k x k mesh as a graph: routers, behind them a node that each processor begins at, and one that it ends at; the
 * first dimension first. */
static const char *mesh_as_graph(unsigned k, unsigned classes)
{
    static char text[400000];
    char *at = text;
    unsigned n = k * k;

    add_line(&at, "nodes %u\n", 3 * n);
    for (unsigned a = 0; a < n; a++)
        add_line(&at, "processor %u %u\n", n + a, 2 * n + a);
    for (unsigned a = 0; a < n; a++) {
        const struct { bool is; unsigned to; } ways[] = {
            {a % k + 1 < k, a + 1}, {a % k > 0, a - 1}, {a / k + 1 < k, a + k}, {a / k > 0, a - k}, {true, 2 * n + a}};
        for (unsigned j = 0; j < 5; j++)
            if (ways[j].is)
                add_line(&at, "link %u %u %u\n", a, ways[j].to, classes);
        add_line(&at, "link %u %u %u\n", n + a, a, classes);
        for (unsigned b = 0; b < n; b++) {
            unsigned x = a % k, y = a / k, u = b % k, v = b / k;
            add_line(&at, "next %u %u %u\nnext %u %u %u\n", n + a, b, a, a, b,
                     x < u ? a + 1 : x > u ? a - 1 : y < v ? a + k : y > v ? a - k : 2 * n + b);
        }
    }
    return text;
}

/* A mesh with links to processors is that graph; a worm takes two links more than without, also to its own processor. */
static void as_the_graph(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 24; k++) {
        struct fatfly_config c = config_of("mesh", 2 + draw(5), 2, FATFLY_E_CUBE), g;
        struct fatfly_result r, of_graph;
        char why[400];
        c.vcs = 1 + draw(3);
        c.processor_links = true;
        c.self_traffic = true;
        c.bandwidth = (enum fatfly_bandwidth)draw(2);
        c.channel_release = (enum fatfly_release)draw(2);
        c.length = 1 + draw(8);
        c.depth = 1 + draw(8);
        c.rounds = 1 + draw(6);
        c.link_latency = 1 + draw(2);
        c.head_latency = draw(3);
        c.channels_in_turn = draw(2);
        g = c;
        g.topology = "graph";
        g.graph = mesh_as_graph(c.radix, c.vcs);
        g.processor_links = false;
        g.path = FATFLY_GREEDY;
        CHECK_AT(k, run(&c, &r, why, sizeof why), FATFLY_OK);
        CHECK_AT(k, run(&g, &of_graph, why, sizeof why), FATFLY_OK);
        CHECK_AT(k, r.digest, of_graph.digest);
        CHECK_AT(k, r.flit_hops, of_graph.flit_hops);
        CHECK_AT(k, r.worms, c.nodes * c.rounds);
        CHECK_AT(k, r.up[2].flits, (uint64_t)c.nodes * c.rounds * c.length);
        CHECK_AT(k, r.down[2].flits, r.up[2].flits);
        CHECK_AT(k, r.up[2].links, c.nodes);
    }
}

/* -- what users see ------------------------------------------------------------------------------ */

/* A channel that is idle lends its share: on demand is never slower alone, and light traffic takes
 * about 1/V of the time. */
static void on_demand(void **state)
{
    struct fatfly_config c = config_of("torus", 8, 2, FATFLY_NEGATIVE_HOP);
    struct fatfly_result fixed, demand;
    char why[400];
    (void)state;
    c.load = 0.02;
    c.warmup = 5000;
    c.cycles = 50000;
    CHECK_EQ(run(&c, &fixed, why, sizeof why), FATFLY_OK);
    c.bandwidth = FATFLY_ON_DEMAND;
    CHECK_EQ(run(&c, &demand, why, sizeof why), FATFLY_OK);
    double ratio = (double)fixed.latency_sum / (double)fixed.measured /
                   ((double)demand.latency_sum / (double)demand.measured);
    assert_true(ratio > 4.5 && ratio < 5.5); /* 5 channels */
}

/* Refused; forced, the circle that worms really wait in is shown, and it is one. */
static void deadlock(void **state)
{
    struct fatfly_config c = config_of("torus", 8, 1, FATFLY_E_CUBE);
    struct fatfly_result r;
    char why[600];
    uint32_t longest;
    (void)state;
    c.vcs = 1;
    c.length = 32;
    c.rounds = 100; /* with 10 there was a seed without a deadlock */
    CHECK_EQ(fatfly_run(&c, NULL, &r, why, sizeof why), FATFLY_DEADLOCK);
    assert_non_null(strstr(why, "can deadlock: 8 channels (from->to.class) wait in a circle:"));
    CHECK_EQ(fatfly_run(&c, NULL, &r, NULL, 0), FATFLY_DEADLOCK);
    c.force = true;
    CHECK_EQ(fatfly_run(&c, NULL, &r, why, sizeof why), FATFLY_DEADLOCK);
    assert_non_null(strstr(why, "deadlock in cycle"));
    CHECK_EQ(fatfly_run(&c, NULL, &r, NULL, 100), FATFLY_DEADLOCK);
    unsigned first, held, steps = 0;
    const char *at = strstr(why, "worm ");
    assert_true(at && sscanf(at, "worm %u", &first) == 1);
    for (held = first; (at = strstr(at, "held by worm ")); at += 5, steps++)
        assert_true(sscanf(at, "held by worm %u", &held) == 1);
    CHECK_EQ(held, first);
    assert_true(steps >= 2);
    c.vcs = 2;
    CHECK_EQ(fatfly_run(&c, NULL, &r, why, sizeof why), FATFLY_OK);
    c.force = false;
    CHECK_EQ(fatfly_deadlock_free(&c, &longest, NULL, why, sizeof why), FATFLY_OK);
    assert_true(longest >= 4 && longest <= 16);
}

static unsigned count_of(const char *text, const char *word)
{
    unsigned count = 0;
    while ((text = strstr(text, word))) {
        text++;
        count++;
    }
    return count;
}

/* A text of any size names as much of a circle as it has room for, says how much is left, and ends with who was first: a ring
 * in which each worm waits for the next one. */
static void texts_of_deadlocks(void **state)
{
    static char all[4000], part[sizeof all + 200];
    (void)state;
    for (unsigned radix = 8; radix <= 64; radix *= 2) {
        struct fatfly_config c = config_of("torus", radix, 1, FATFLY_E_CUBE);
        struct fatfly_result r;
        unsigned left;
        char first[20];
        c.vcs = 1;
        c.length = 400;
        c.pattern = FATFLY_TORNADO;
        c.force = true;
        CHECK_AT(radix, fatfly_run(&c, NULL, &r, all, sizeof all), FATFLY_DEADLOCK);
        CHECK_AT(radix, count_of(all, ", held by worm "), radix);
        snprintf(first, sizeof first, "held by %.10s", strstr(all, "worm "));
        *strstr(first + 13, " ") = '\0';
        for (size_t size = 1; size < strlen(all) + 200; size += 1 + size / 50) {
            CHECK_AT(size, fatfly_run(&c, NULL, &r, part, size), FATFLY_DEADLOCK);
            const char *more = strstr(part, " more, held by");
            assert_true(strlen(part) < size);
            if (size < 80) /* no room for a link, nor to end */
                continue;
            assert_string_equal(part + strlen(part) - strlen(first), first);
            if (!more) {
                assert_string_equal(part, all);
                continue;
            }
            while (more[-1] != ' ')
                more--;
            CHECK_AT(size, sscanf(more, "%u", &left), 1);
            CHECK_AT(size, count_of(part, ", held by") - 1 + left, radix);
            assert_memory_equal(part, all, (size_t)(more - part));
            assert_true(strlen(part) + 120 > size); /* room for the longest link, and the number of those left */
        }
    }
}

/* Worms that wait for worms that move are no deadlock, however many there are. */
static void no_false_alarm(void **state)
{
    struct fatfly_config c = config_of("torus", 8, 2, FATFLY_E_CUBE);
    struct fatfly_result r;
    char why[600];
    (void)state;
    c.load = 0.12; /* nearly saturated */
    c.warmup = 0;
    c.cycles = 70000; /* the watchdog looks every 16384 */
    c.max_cycles = 70000;
    CHECK_EQ(fatfly_run(&c, NULL, &r, why, sizeof why), FATFLY_OK);
    assert_true(r.cycles > 2 * 16384);
}

/* Few worms that travel for much longer than is measured, whatever part of a link is slow, are no saturation. */
static void slow_links(void **state)
{
    (void)state;
    for (unsigned part = 0; part < 3; part++) {
        struct fatfly_config c = config_of("mesh", 64, 1, FATFLY_E_CUBE);
        struct fatfly_result r;
        char why[400];
        *(part == 0 ? &c.link_latency : part == 1 ? &c.router_latency : &c.head_latency) = 64;
        c.length = 1;
        c.vcs = 16; /* heads that wait for their router hold none up */
        c.bandwidth = FATFLY_ON_DEMAND;
        c.load = 0.001;
        c.detect_warmup = false;
        c.warmup = 20000;
        c.cycles = 500; /* over all 63 links a worm takes 4,000 and more */
        CHECK_AT(part, run(&c, &r, why, sizeof why), FATFLY_OK);
        CHECK_AT(part, r.end, FATFLY_DONE);
        assert_true(r.measured > 5 && r.latency_max > 4 * c.cycles);
    }
}

/* Networks too large to search in a second are searched by a smaller one of their kind. */
static void large_networks(void **state)
{
    struct fatfly_config c = config_of("torus", 64, 2, FATFLY_NEGATIVE_HOP);
    unsigned radix;
    char why[400];
    (void)state;
    CHECK_EQ(fatfly_deadlock_free(&c, NULL, &radix, why, sizeof why), FATFLY_OK);
    assert_true(radix >= 4 && radix < 64 && radix % 2 == 0);
    c.path = FATFLY_LOOSE_HOP;
    CHECK_EQ(fatfly_deadlock_free(&c, NULL, &radix, why, sizeof why), FATFLY_DEADLOCK);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone),
        cmocka_unit_test(round_trips),
        cmocka_unit_test(two_nodes),
        cmocka_unit_test(as_the_graph), cmocka_unit_test(against_the_plain_one),
        cmocka_unit_test(many_channels),
        cmocka_unit_test(heads_cross_last_links),
        cmocka_unit_test(on_demand),
        cmocka_unit_test(deadlock), cmocka_unit_test(texts_of_deadlocks),
        cmocka_unit_test(no_false_alarm), cmocka_unit_test(slow_links),
        cmocka_unit_test(large_networks),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
