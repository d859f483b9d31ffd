/* SPDX-License-Identifier: Apache-2.0
 * test_calendar.c - the calendar hands out worms by cycle, of one cycle by processor, each source's
 * in its own order, and ends when all sources have.
 */
#include "calendar.h"

#include "unit.h" /* last: cmocka has a macro fail() */

#include <string.h>

enum { NODES = 16, MESSAGES = 400 };

static struct fatfly_config config_of(enum fatfly_pattern pattern)
{
    struct fatfly_config c;
    fatfly_defaults(&c);
    c.nodes = NODES;
    c.pattern = pattern;
    c.seed = unit_seed;
    return c;
}

struct opened {
    struct traffic *t;
    struct calendar c;
};

static struct opened open_calendar(const struct fatfly_config *c)
{
    struct opened o = {.t = traffic_new(c)};
    assert_non_null(o.t);
    CHECK_EQ(calendar_open(&o.c, o.t, c->nodes), 0);
    return o;
}

static void close_calendar(struct opened *o)
{
    calendar_close(&o->c);
    traffic_free(o->t);
}

/* Each processor that has a worm stands in one place, which is that of its cycle: among the late ones, of which every
 * parent is earlier than its children, or as early and of a lower processor, the due ones or a row of the wheels. */
static void check_places(const struct calendar *c)
{
    unsigned seen[NODES] = {0}, all = 0;
    for (uint32_t k = 0; k < c->late; k++) {
        uint32_t a = c->heap[k], above = c->heap[(k ? k - 1 : 0) / 2];
        seen[a]++;
        assert_true(c->coming[a].ready < c->time);
        assert_true(c->coming[above].ready < c->coming[a].ready ||
                    (c->coming[above].ready == c->coming[a].ready && above <= a));
    }
    for (uint32_t a = 0; a < NODES; a++)
        if (c->due[0] >> a & 1) {
            seen[a]++;
            assert_true(c->coming[a].ready == c->time && c->some[0] == 1);
        }
    for (unsigned row = 0; row < DIGITS; row++) {
        assert_int_equal(c->rows >> row & 1, c->under[row] != 0);
        for (unsigned digit = 0; digit < DIGIT; digit++)
            for (uint32_t a = c->under[row] >> digit & 1 ? c->slot[row][digit] : POOL_NONE; a != POOL_NONE; a = c->next[a]) {
                uint64_t ready = c->coming[a].ready;
                seen[a]++;
                assert_true(ready > c->time && ready >> 6 * row != c->time >> 6 * row);
                assert_int_equal(ready >> 6 * row & 63, digit);
                assert_true(row + 1 == DIGITS || ready >> 6 * (row + 1) == c->time >> 6 * (row + 1));
            }
    }
    for (uint32_t a = 0; a < NODES; a++) {
        assert_true(seen[a] <= 1);
        all += seen[a];
    }
    assert_int_equal(all, c->count);
    assert_true(c->late == c->count || c->due_count);
}

/* Random lists: few cycles and many messages, so that most are ready with others, from one source
 * and from several; some processors send nothing. */
static size_t make_messages(struct fatfly_message *m)
{
    uint64_t cycle = draw(3);
    uint32_t sources = 1 + draw(NODES);
    size_t count = draw(MESSAGES);
    for (size_t k = 0; k < count; k++) {
        cycle += draw(4) ? 0 : draw(50);
        m[k].ready = cycle;
        m[k].src = draw(sources);
        m[k].dst = (m[k].src + 1 + draw(NODES - 1)) % NODES;
        m[k].length = 1 + (uint32_t)k; /* tells messages apart */
    }
    return count;
}

/* The message that must come next: the first of those that are left by cycle, then by processor,
 * then by place in the list.  count: none. */
static size_t want_next(const struct fatfly_message *m, const bool *taken, size_t count)
{
    size_t best = count;
    for (size_t k = 0; k < count; k++)
        if (!taken[k] && (best == count || m[k].ready < m[best].ready ||
                          (m[k].ready == m[best].ready && m[k].src < m[best].src)))
            best = k;
    return best;
}

static void order_of_messages(void **state)
{
    static struct fatfly_message m[MESSAGES];
    static bool taken[MESSAGES];
    (void)state;
    for (unsigned round = 0; round < 60; round++) {
        struct fatfly_config c = config_of(FATFLY_MESSAGES);
        struct traffic_worm w;
        c.messages = m;
        c.message_count = make_messages(m);
        memset(taken, 0, sizeof taken);
        struct opened o = open_calendar(&c);
        for (size_t k = want_next(m, taken, c.message_count); k < c.message_count;
             k = want_next(m, taken, c.message_count)) {
            check_places(&o.c);
            CHECK_AT(k, calendar_next(&o.c), m[k].ready);
            if (m[k].ready) /* not a cycle too early */
                assert_false(calendar_take(&o.c, m[k].ready - 1, &w));
            /* A late question gets the same worm. */
            assert_true(calendar_take(&o.c, m[k].ready + draw(2) * draw(100), &w));
            CHECK_AT(k, w.ready, m[k].ready);
            CHECK_AT(k, w.src, m[k].src);
            CHECK_AT(k, w.length, m[k].length);
            taken[k] = true;
        }
        CHECK_EQ(o.c.count, 0);
        CHECK_EQ(calendar_next(&o.c), UINT64_MAX);
        assert_false(calendar_take(&o.c, UINT64_MAX, &w));
        assert_false(calendar_take(&o.c, UINT64_MAX, &w)); /* it stays empty */
        close_calendar(&o);
    }
}

/* All are ready in cycle 0: processor after processor, all rounds of one before the next. */
static void ties(void **state)
{
    struct fatfly_config c = config_of(FATFLY_NEIGHBOUR);
    struct traffic_worm w;
    (void)state;
    c.rounds = 3;
    struct opened o = open_calendar(&c);
    for (uint32_t k = 0; k < 3 * NODES; k++) {
        assert_true(calendar_take(&o.c, 0, &w));
        CHECK_AT(k, w.src, k / 3);
        CHECK_AT(k, w.index, k % 3);
    }
    assert_false(calendar_take(&o.c, 0, &w));
    close_calendar(&o);
}

/* Sources that never send: fixed points of the pattern.  Static runs and open loops. */
static void silent_sources(void **state)
{
    uint32_t map[NODES];
    (void)state;
    for (unsigned load = 0; load < 2; load++)
        for (uint32_t senders = 0; senders <= NODES; senders++) {
            struct fatfly_config c = config_of(FATFLY_PERMUTATION);
            struct traffic_worm w;
            for (uint32_t a = 0; a < NODES; a++)
                map[a] = a < senders ? (a + 1) % NODES : a;
            c.permutation = map;
            c.load = 0.5 * load;
            struct opened o = open_calendar(&c);
            CHECK_AT(senders, o.c.count, senders);
            if (load && senders) { /* never ends, and nobody else speaks up */
                for (unsigned k = 0; k < 200; k++) {
                    assert_true(calendar_take(&o.c, UINT64_MAX, &w));
                    assert_true(w.src < senders);
                }
                CHECK_AT(senders, o.c.count, senders);
            }
            for (uint32_t a = 0; !load && a < senders; a++) {
                assert_true(calendar_take(&o.c, 0, &w));
                CHECK_AT(senders, w.src, a);
                CHECK_AT(senders, o.c.count, senders - a - 1);
            }
            if (!load)
                assert_false(calendar_take(&o.c, UINT64_MAX, &w));
            close_calendar(&o);
        }
}

/* An open loop: the worms are those that the sources draw, whatever the order in which they are
 * asked, and come by cycle and processor. */
static void open_loop(void **state)
{
    (void)state;
    for (unsigned arrivals = 0; arrivals < FATFLY_ARRIVALS; arrivals++) {
        struct fatfly_config c = config_of(FATFLY_RANDOM);
        struct traffic_worm w, own, last = {0};
        c.load = 0.8;
        c.length = 4;
        c.arrivals = (enum fatfly_arrivals)arrivals;
        struct opened o = open_calendar(&c);
        struct traffic *again = traffic_new(&c);
        assert_non_null(again);
        for (unsigned k = 0; k < 3000; k++) {
            uint64_t next = calendar_next(&o.c);
            assert_true(calendar_take(&o.c, next, &w));
            CHECK_AT(k, w.ready, next);
            assert_true(k == 0 || last.ready < w.ready ||
                        (last.ready == w.ready && last.src <= w.src));
            assert_true(traffic_next(again, w.src, &own));
            CHECK_AT(k, own.ready, w.ready);
            CHECK_AT(k, own.index, w.index);
            CHECK_AT(k, own.dst, w.dst);
            check_places(&o.c);
            last = w;
        }
        traffic_free(again);
        close_calendar(&o);
    }
}

/* Below 2^reach, reach at least 1: sixteen random bits at most. */
static uint64_t gap_to(unsigned reach)
{
    return (uint64_t)draw(1u << 16) << 48 >> (64 - reach);
}

/* Worms that are added while others are taken, and sources that may have two on their way: as if all those that are
 * there were looked through each time.  Gaps of a cycle to 2^55, so that every row of the wheels has some. */
enum { WORMS = 60 };
struct naive {
    struct traffic_worm worm[NODES][WORMS];
    uint32_t added[NODES], taken[NODES], back[NODES];
    bool limited;
};

static bool naive_take(struct naive *n, uint64_t cycle, struct traffic_worm *w)
{
    uint32_t best = NODES;
    for (uint32_t a = 0; a < NODES; a++)
        if (n->taken[a] < n->added[a] && !(n->limited && n->taken[a] - n->back[a] == 2) &&
            (best == NODES || n->worm[a][n->taken[a]].ready < n->worm[best][n->taken[best]].ready))
            best = a;
    if (best == NODES || n->worm[best][n->taken[best]].ready > cycle)
        return false;
    *w = n->worm[best][n->taken[best]++];
    if (n->limited && w->ready < cycle)
        w->ready = cycle;
    return true;
}

static void added_and_resumed(void **state)
{
    static struct naive n;
    uint32_t rows = 0;
    (void)state;
    for (unsigned round = 0; round < 400; round++) {
        struct calendar c;
        uint64_t now = 0;
        unsigned reach = 1 + draw(55);
        memset(&n, 0, sizeof n);
        n.limited = round % 2;
        assert_int_equal(calendar_open(&c, NULL, NODES), 0);
        if (n.limited)
            assert_int_equal(calendar_limit(&c, NODES, 2), 0);
        for (unsigned k = 0; k < 200; k++) {
            struct traffic_worm w = {.src = draw(NODES)}, is;
            uint32_t j = n.added[w.src], a = draw(NODES);
            w.ready = now + (draw(3) ? draw(4) : gap_to(reach));
            if (j && n.worm[w.src][j - 1].ready > w.ready)
                w.ready = n.worm[w.src][j - 1].ready;
            w.number = k;
            if (j < WORMS && (!n.limited || j > n.taken[w.src] || n.taken[w.src] - n.back[w.src] < 2)) {
                assert_int_equal(calendar_add(&c, &w), 0);
                n.worm[w.src][n.added[w.src]++] = w;
            }
            if (n.limited && n.back[a] < n.taken[a]) {
                calendar_resume(&c, a);
                n.back[a]++;
            }
            check_places(&c);
            rows |= c.rows;
            while (draw(2) && naive_take(&n, now, &w)) {
                assert_true(calendar_take(&c, now, &is));
                CHECK_AT(k, is.number, w.number);
                CHECK_AT(k, is.ready, w.ready);
            }
            now += draw(2) ? draw(3) : gap_to(reach);
        }
        calendar_close(&c);
    }
    CHECK_EQ(rows, (1u << DIGITS) - 1);
}

/* More processors than a word has bits, and than bits of a word have words, in few cycles. */
static void many_processors(void **state)
{
    enum { MANY = 3 * 4096 };
    static uint64_t ready[MANY];
    struct traffic_worm w;
    (void)state;
    for (unsigned round = 0; round < 5; round++) {
        struct calendar c;
        assert_int_equal(calendar_open(&c, NULL, MANY), 0);
        for (uint32_t k = 0; k < MANY; k++) {
            uint32_t a = k * 5 % MANY;
            w = (struct traffic_worm){.src = a, .ready = ready[a] = draw(3) ? 7 : draw(2 + 500 * (round % 2))};
            assert_int_equal(calendar_add(&c, &w), 0);
        }
        for (uint64_t cycle = 0; cycle < 502; cycle++)
            for (uint32_t a = 0; a < MANY; a++)
                if (ready[a] == cycle) {
                    assert_true(calendar_take(&c, cycle, &w));
                    CHECK_AT(a, w.src, a);
                }
        CHECK_EQ(c.count, 0);
        calendar_close(&c);
    }
}

/* Closing twice, and closing what was never filled, do no harm. */
static void closing(void **state)
{
    struct fatfly_config c = config_of(FATFLY_RANDOM);
    struct calendar empty = {0};
    (void)state;
    struct opened o = open_calendar(&c);
    calendar_close(&o.c);
    CHECK_EQ(calendar_next(&o.c), UINT64_MAX);
    close_calendar(&o);
    calendar_close(&empty);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_of_messages), cmocka_unit_test(ties),
        cmocka_unit_test(silent_sources),    cmocka_unit_test(open_loop),
        cmocka_unit_test(added_and_resumed), cmocka_unit_test(many_processors), cmocka_unit_test(closing),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
