/* SPDX-License-Identifier: Apache-2.0
 * test_store_any.c - packets in queues: against a simulator that looks at every link in every step, and
 * what happens where queues are full.
 */
#include "fatfly.h"

#include "topology.h"

#include <string.h>

#include "unit.h"

enum { NODES = 12, PORTS = 4, MESSAGES = 300, MOST_LINKS = NODES * PORTS };

/* -- a simulator of its own ------------------------------------------------------------------- */

struct item {
    uint32_t message, came;
    unsigned class;
};

struct fifo {
    struct item item[MESSAGES];
    unsigned count;
};

struct outcome {
    uint64_t cycles, latencies, longest, hops;
};

static uint32_t next_link(const struct topology *t, const struct topology_place *at, uint32_t dst)
{
    struct topology_choice choice[TOPOLOGY_MAX_PORTS];
    CHECK_EQ(t->kind->route(t, at, dst, choice), 1);
    return at->node * t->ports + choice[0].port;
}

static struct item pop(struct fifo *f)
{
    struct item first = f->item[0];
    memmove(f->item, f->item + 1, --f->count * sizeof *f->item);
    return first;
}

/* Room goes to who came first, then to the lower link; those who join a queue do so in the order of
 * their links, and of lanes first. */
static bool has_room(const struct topology *t, const struct fifo *queue, const struct fatfly_config *c,
                     const uint32_t *to, const unsigned *room, uint32_t link)
{
    unsigned before = 0;
    for (uint32_t other = 0; other < t->nodes * t->ports; other++)
        if (other != link && to[other] == to[link] &&
            (queue[other].item[0].came < queue[link].item[0].came ||
             (queue[other].item[0].came == queue[link].item[0].came && other < link)))
            before++;
    return c->depth == FATFLY_UNBOUNDED || before < room[to[link]];
}

static struct outcome simulate(const struct topology *t, const struct fatfly_config *c)
{
    static struct fifo queue[MOST_LINKS];
    struct outcome o = {0};
    uint32_t links = t->nodes * t->ports, arrived = 0;
    bool inside[MESSAGES] = {false};

    memset(queue, 0, sizeof queue);
    for (uint64_t now = 0; arrived < c->message_count; now += c->length) {
        bool waits[NODES] = {false};
        struct item joins[MESSAGES];
        uint32_t joins_at[MESSAGES], joined = 0;
        unsigned room[MOST_LINKS];
        bool may[MOST_LINKS];

        for (uint32_t k = 0; k < c->message_count; k++) {
            const struct fatfly_message *m = &c->messages[k];
            struct topology_place at = {.node = topology_enter(t, m->src), .from = TOPOLOGY_NONE};
            if (inside[k] || m->ready > now || waits[m->src])
                continue;
            struct fifo *q = &queue[next_link(t, &at, m->dst)];
            waits[m->src] = q->count >= c->depth;
            if (waits[m->src])
                continue;
            inside[k] = true;
            q->item[q->count++] = (struct item){k, (uint32_t)now, 0};
        }
        for (uint32_t k = 0; k < links; k++) {
            room[k] = c->depth - queue[k].count;
            may[k] = true;
        }
        for (unsigned lane = 0; lane < c->link_bandwidth; lane++) {
            uint32_t to[MOST_LINKS];
            bool goes[MOST_LINKS] = {false};
            for (uint32_t k = 0; k < links; k++) {
                to[k] = TOPOLOGY_NONE;
                if (!may[k] || queue[k].count == 0)
                    continue;
                uint32_t far = t->kind->far(t, k / t->ports, k % t->ports);
                uint32_t dst = c->messages[queue[k].item[0].message].dst;
                struct topology_place at = {.node = far, .from = k / t->ports, .port = k % t->ports};
                to[k] = far == topology_leave(t, dst) ? links : next_link(t, &at, dst);
            }
            for (uint32_t k = 0; k < links; k++)
                goes[k] = to[k] == links ||
                          (to[k] != TOPOLOGY_NONE && has_room(t, queue, c, to, room, k));
            for (uint32_t k = 0; k < links; k++) {
                may[k] = goes[k];
                if (!goes[k])
                    continue;
                struct item it = pop(&queue[k]);
                o.hops += c->length;
                it.came = (uint32_t)(now + c->length);
                if (to[k] == links) {
                    uint64_t latency = now + c->length - c->messages[it.message].ready;
                    o.latencies += latency;
                    o.longest = latency > o.longest ? latency : o.longest;
                    o.cycles = now + c->length;
                    arrived++;
                } else {
                    room[to[k]]--;
                    joins[joined] = it;
                    joins_at[joined++] = to[k];
                }
            }
        }
        for (uint32_t k = 0; k < joined; k++)
            queue[joins_at[k]].item[queue[joins_at[k]].count++] = joins[k];
    }
    return o;
}

/* -- random networks and messages ------------------------------------------------------------- */

/* A ring, so that all reach all, and links at random. */
static void random_graph(char *text, size_t size)
{
    bool has[NODES][NODES] = {{false}};
    unsigned out[NODES] = {0};
    size_t n = (size_t)snprintf(text, size, "nodes %d\n", NODES);

    for (unsigned k = 0; k < NODES + draw(2 * NODES); k++) {
        unsigned a = k < NODES ? k : draw(NODES), b = k < NODES ? (k + 1) % NODES : draw(NODES);
        if (a == b || has[a][b] || out[a] == PORTS)
            continue;
        has[a][b] = true;
        out[a]++;
        n += (size_t)snprintf(text + n, size - n, "link %u %u\n", a, b);
    }
}

static void random_messages(struct fatfly_message *m, unsigned spread)
{
    uint64_t ready = 0;
    for (unsigned k = 0; k < MESSAGES; k++) {
        uint32_t src = draw(NODES), dst = (src + 1 + draw(NODES - 1)) % NODES;
        ready += draw(spread);
        m[k] = (struct fatfly_message){.ready = ready, .src = src, .dst = dst, .length = 1};
    }
}

static struct fatfly_config store_on(const char *topology, const char *graph)
{
    struct fatfly_config c;
    fatfly_defaults(&c);
    c.topology = topology;
    c.graph = graph;
    c.discipline = FATFLY_STORE;
    c.path = FATFLY_GREEDY;
    c.depth = FATFLY_UNBOUNDED;
    c.length = 1;
    c.force = true;
    return c;
}

/* The same packets take the same time; bounded queues may deadlock in both. */
static void against_the_simulator(void **state)
{
    unsigned dead = 0, bounded = 0;
    (void)state;
    for (unsigned round = 0; round < 400; round++) {
        static struct fatfly_message messages[MESSAGES];
        static struct fatfly_result r;
        struct topology t;
        char text[2000], why[400] = "";
        struct fatfly_config c = store_on("graph", text);

        random_graph(text, sizeof text);
        random_messages(messages, 1 + draw(4));
        c.nodes = NODES;
        c.pattern = FATFLY_MESSAGES;
        c.messages = messages;
        c.message_count = 1 + draw(MESSAGES);
        c.length = 1 + draw(3);
        for (unsigned k = 0; k < MESSAGES; k++)
            messages[k].length = c.length;
        c.link_bandwidth = 1 + draw(3);
        c.depth = draw(2) ? FATFLY_UNBOUNDED : 1 + draw(8);
        bounded += c.depth != FATFLY_UNBOUNDED;
        int status = fatfly_run(&c, NULL, &r, why, sizeof why);
        if (status == FATFLY_DEADLOCK) {
            assert_true(c.depth != FATFLY_UNBOUNDED && strstr(why, "deadlock in cycle"));
            dead++;
            continue;
        }
        if (status)
            fail_msg("%s", why);
        assert_int_equal(topology_of(&c, &t, why, sizeof why), 0);
        struct outcome o = simulate(&t, &c);
        topology_close(&t);
        CHECK_AT(round, r.worms, c.message_count);
        CHECK_AT(round, r.cycles, o.cycles);
        CHECK_AT(round, r.latency_sum, o.latencies);
        CHECK_AT(round, r.latency_max, o.longest);
        CHECK_AT(round, r.flit_hops, o.hops);
    }
    assert_true(bounded > 100 && dead < bounded / 2);
}

/* -- full queues ------------------------------------------------------------------------------ */

static const char ring[] = "nodes 4\nlink 0 1\nlink 1 2\nlink 2 3\nlink 3 0\n";

/* Four packets on a ring with room for four, each two links from its end: none can ever move. */
static void full_ring(void **state)
{
    static const uint32_t across[] = {2, 3, 0, 1};
    static struct fatfly_result r;
    struct fatfly_config c = store_on("graph", ring);
    char why[400] = "";
    (void)state;
    c.nodes = 4;
    c.pattern = FATFLY_PERMUTATION;
    c.permutation = across;
    c.depth = 1;
    assert_int_equal(fatfly_run(&c, NULL, &r, why, sizeof why), FATFLY_DEADLOCK);
    assert_string_equal(why, "deadlock in cycle 1: packet 4 in 3 waits for room before 0->1, held by "
                        "packet 1 in 0 waits for room before 1->2, held by packet 2 in 1 waits for room "
                        "before 2->3, held by packet 3 in 2 waits for room before 3->0, held by packet 4");
    c.depth = 2;
    assert_int_equal(fatfly_run(&c, NULL, &r, why, sizeof why), FATFLY_OK);
    CHECK_EQ(r.cycles, 2);
    c.depth = FATFLY_UNBOUNDED;
    assert_int_equal(fatfly_run(&c, NULL, &r, why, sizeof why), FATFLY_OK);
    CHECK_EQ(r.cycles, 2);
}

/* A ring that stands still while packets elsewhere go on for ever is found, too. */
static void stuck_in_part(void **state)
{
    static struct fatfly_message messages[4 + 9000];
    static struct fatfly_result r;
    struct fatfly_config c = store_on("graph", "nodes 6\nlink 0 1\nlink 1 2\nlink 2 3\nlink 3 0\n"
                                      "link 3 4\nlink 4 5\nlink 5 0\nlink 5 4\n");
    char why[400] = "";
    (void)state;
    c.nodes = 6;
    c.pattern = FATFLY_MESSAGES;
    c.messages = messages;
    c.message_count = ROWS(messages);
    c.depth = 1;
    for (uint32_t k = 0; k < ROWS(messages); k++)
        messages[k] = k < 4 ? (struct fatfly_message){0, k, (k + 2) % 4, 1}
                            : (struct fatfly_message){k - 4, 4, 5, 1};
    assert_int_equal(fatfly_run(&c, NULL, &r, why, sizeof why), FATFLY_DEADLOCK);
    assert_non_null(strstr(why, "deadlock in cycle 4096: packet"));
}

/* Where queues can wait in a circle the run is refused, unless forced. */
static void refused_before(void **state)
{
    struct fatfly_config c = store_on("torus", NULL);
    char why[400] = "";
    uint32_t longest;
    (void)state;
    c.radix = 5;
    c.nodes = 25;
    c.vcs = 0;
    c.path = FATFLY_E_CUBE;
    c.depth = 2;
    c.force = false;
    assert_int_equal(fatfly_deadlock_free(&c, &longest, NULL, why, sizeof why), FATFLY_DEADLOCK);
    assert_non_null(strstr(why, "wait in a circle"));
    c.depth = FATFLY_UNBOUNDED;
    assert_int_equal(fatfly_deadlock_free(&c, &longest, NULL, why, sizeof why), FATFLY_OK);
    c.depth = 2;
    c.topology = "mesh";
    assert_int_equal(fatfly_deadlock_free(&c, &longest, NULL, why, sizeof why), FATFLY_OK);
    CHECK_EQ(longest, 8); /* of a worm from corner to corner */
    c = store_on("butterfly", NULL);
    c.nodes = 16;
    c.depth = 1;
    assert_int_equal(fatfly_deadlock_free(&c, &longest, NULL, why, sizeof why), FATFLY_OK);
    CHECK_EQ(longest, 4);
}

/* Networks too large to search: leveled ones are safe, others are refused. */
static void too_large_to_search(void **state)
{
    struct fatfly_config c = store_on("butterfly", NULL);
    char why[400] = "";
    uint32_t longest;
    (void)state;
    c.discipline = FATFLY_WORM;
    c.depth = 2;
    c.nodes = 1 << 16;
    assert_int_equal(fatfly_deadlock_free(&c, &longest, NULL, why, sizeof why), FATFLY_OK);
    CHECK_EQ(longest, 16);
    c.topology = "wrapped-butterfly";
    assert_int_equal(fatfly_deadlock_free(&c, &longest, NULL, why, sizeof why), FATFLY_DEADLOCK);
    assert_string_equal(why, "topology = wrapped-butterfly with 1048576 nodes has circles of links and "
                        "is too large to look for deadlocks; allowed: with force, or at most 20000000 "
                        "channels times processors");
    c.nodes = 512;
    assert_int_equal(fatfly_deadlock_free(&c, &longest, NULL, why, sizeof why), FATFLY_OK);
    CHECK_EQ(longest, 9);
}

/* -- more lanes, bounded queues, open loop ---------------------------------------------------- */

/* Bit reversal with B lanes: the middle edge's sqrt(N/2) packets take sqrt(N/2) / B steps. */
static void lanes(void **state)
{
    static struct fatfly_result r;
    char why[400] = "";
    (void)state;
    for (unsigned b = 1; b <= 16; b *= 2) {
        struct fatfly_config c = store_on("butterfly", NULL);
        c.nodes = 512;
        c.pattern = FATFLY_BIT_REVERSAL;
        c.link_bandwidth = b;
        assert_int_equal(fatfly_run(&c, NULL, &r, why, sizeof why), FATFLY_OK);
        assert_true(r.cycles >= 16 / b + 8);
        if (b == 1 || b == 16)
            CHECK_AT(b, r.cycles, 16 / b + 8);
    }
}

/* Bounded queues are never faster (L 3.4.2), and one that is never full changes nothing. */
static void depths(void **state)
{
    static struct fatfly_result r;
    char why[400] = "";
    uint64_t before = UINT64_MAX, digest = 0;
    static const unsigned depth[] = {1, 2, 4, 16, FATFLY_UNBOUNDED};
    (void)state;
    for (unsigned k = 0; k < ROWS(depth); k++) {
        struct fatfly_config c = store_on("butterfly", NULL);
        c.nodes = 512;
        c.pattern = FATFLY_BIT_REVERSAL;
        c.depth = depth[k];
        c.force = false;
        assert_int_equal(fatfly_run(&c, NULL, &r, why, sizeof why), FATFLY_OK);
        assert_true(r.cycles <= before);
        before = r.cycles;
        if (k == 3)
            digest = r.digest;
    }
    CHECK_EQ(r.cycles, 24);
    CHECK_EQ(r.digest, digest); /* sqrt(N/2) = 16 packets pass the middle */
}

/* One packet a queue: every other step, the one after it left, a queue has room. */
static void every_other_step(void **state)
{
    static struct fatfly_result r;
    char why[400] = "";
    (void)state;
    for (unsigned n = 3; n <= 11; n += 2) {
        struct fatfly_config c = store_on("butterfly", NULL);
        c.nodes = UINT32_C(1) << n;
        c.pattern = FATFLY_BIT_REVERSAL;
        c.depth = 1;
        assert_int_equal(fatfly_run(&c, NULL, &r, why, sizeof why), FATFLY_OK);
        CHECK_AT(n, r.cycles, 2 * (1u << (n - 1) / 2) + n - 2);
    }
}

/* Below saturation, packets a step and processor: an M/D/1-like wait, and all that is offered is
 * accepted; above one packet a step it cannot be. */
static void open_loop(void **state)
{
    static struct fatfly_result r;
    char why[400] = "";
    double latency = 0;
    (void)state;
    for (unsigned k = 1; k <= 3; k++) {
        struct fatfly_config c = store_on("butterfly", NULL);
        c.nodes = 64;
        c.length = 4;
        c.load = 0.25 * k;
        c.self_traffic = true;
        assert_int_equal(fatfly_run(&c, NULL, &r, why, sizeof why), FATFLY_OK);
        assert_int_equal(r.end, FATFLY_DONE);
        assert_true((double)r.accepted_flits > 0.98 * c.load * 64 * (double)r.measure_cycles);
        double mean = (double)r.latency_sum / (double)r.measured;
        assert_true(mean > latency && mean > 6 * 4);
        assert_true(r.samples > 0 && r.self_worms == 0);
        CHECK_AT(k, r.dilation, 6);
        latency = mean;
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_the_simulator), cmocka_unit_test(full_ring),
        cmocka_unit_test(stuck_in_part),         cmocka_unit_test(refused_before),
        cmocka_unit_test(too_large_to_search),   cmocka_unit_test(lanes),
        cmocka_unit_test(depths),                cmocka_unit_test(every_other_step),
        cmocka_unit_test(open_loop),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
