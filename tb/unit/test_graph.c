/* SPDX-License-Identifier: Apache-2.0
 * test_graph.c - networks from a text: what they mean, and what is refused.
 */
#include "fatfly.h"

#include "topology.h"

#include <string.h>

#include "unit.h"

static int open_text(struct topology *t, const char *text, char *why, size_t size)
{
    struct topology_params p = {.text = text, .text_name = "net", .path = "greedy"};
    return topology_open(t, "graph", &p, why, size);
}

static void must_open(struct topology *t, const char *text)
{
    char why[300] = "";
    if (open_text(t, text, why, sizeof why))
        fail_msg("%s", why);
}

/* The node that a head comes to next; class -1: any of the link's. */
static uint32_t hop(const struct topology *t, struct topology_place *at, uint32_t dst, int class)
{
    struct topology_choice choice[TOPOLOGY_MAX_PORTS];
    CHECK_EQ(t->kind->route(t, at, dst, choice), 1);
    if (class >= 0) {
        CHECK_EQ(choice[0].low, class);
        CHECK_EQ(choice[0].high, class);
    }
    *at = (struct topology_place){.node = t->kind->far(t, at->node, choice[0].port),
                                  .from = at->node, .port = choice[0].port,
                                  .class = choice[0].high};
    return at->node;
}

/* -- shortest paths --------------------------------------------------------------------------- */

enum { MOST = 24 };

struct random_graph {
    uint32_t nodes;
    bool link[MOST][MOST];
    char text[4000];
};

/* A ring and random links. */
static void make(struct random_graph *g)
{
    unsigned out[MOST] = {0};
    memset(g, 0, sizeof *g);
    g->nodes = 2 + draw(MOST - 1);
    size_t n = (size_t)snprintf(g->text, sizeof g->text, "# ring and more\n\nnodes %u\n", g->nodes);
    for (unsigned k = 0; k < g->nodes + draw(3 * g->nodes); k++) {
        uint32_t a = k < g->nodes ? k : draw(g->nodes);
        uint32_t b = k < g->nodes ? (k + 1) % g->nodes : draw(g->nodes);
        if (a == b || g->link[a][b] || out[a]++ == TOPOLOGY_MAX_PORTS)
            continue;
        g->link[a][b] = true;
        n += (size_t)snprintf(g->text + n, sizeof g->text - n, "link %u\t%u # %u\n", a, b, k);
    }
}

/* Floyd and Warshall. */
static void all_distances(const struct random_graph *g, unsigned far[MOST][MOST])
{
    for (uint32_t a = 0; a < g->nodes; a++)
        for (uint32_t b = 0; b < g->nodes; b++)
            far[a][b] = a == b ? 0 : g->link[a][b] ? 1 : 1000;
    for (uint32_t k = 0; k < g->nodes; k++)
        for (uint32_t a = 0; a < g->nodes; a++)
            for (uint32_t b = 0; b < g->nodes; b++)
                if (far[a][k] + far[k][b] < far[a][b])
                    far[a][b] = far[a][k] + far[k][b];
}

static void shortest(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 200; round++) {
        struct random_graph g;
        struct topology t;
        unsigned far[MOST][MOST];
        make(&g);
        must_open(&t, g.text);
        all_distances(&g, far);
        CHECK_AT(round, t.nodes, g.nodes);
        CHECK_AT(round, t.processors, g.nodes);
        for (uint32_t pair = 0; pair < g.nodes * g.nodes; pair++) {
            uint32_t src = pair / g.nodes, dst = pair % g.nodes, hops = 0;
            struct topology_place at = {.node = src, .from = TOPOLOGY_NONE};
            for (; at.node != dst; hops++) {
                uint32_t before = at.node, port = at.port;
                struct topology_choice choice[TOPOLOGY_MAX_PORTS];
                t.kind->route(&t, &at, dst, choice);
                port = choice[0].port;
                for (unsigned p = 0; p < port; p++) /* no lower link would do */
                    assert_true(far[t.kind->far(&t, before, p)][dst] >= far[before][dst]);
                assert_true(g.link[before][hop(&t, &at, dst, -1)]);
            }
            CHECK_AT(pair, hops, far[src][dst]);
        }
        topology_close(&t);
    }
}

/* Links are counted by their distance from the nearest processor, all from the last level on as of that one: rings in which
 * each node is linked to both neighbours, up to twice as long as there are levels, with two or three processors. */
static void levels_of_rings(void **state)
{
    (void)state;
    for (uint32_t nodes = 3; nodes <= 4 * FATFLY_MAX_STAGES; nodes++) {
        char text[9000];
        struct topology t;
        uint32_t first = draw(nodes), at[3] = {first, (first + 1) % nodes, (first + 2 + draw(nodes - 2)) % nodes}, count = 2 + draw(2);
        size_t n = (size_t)snprintf(text, sizeof text, "nodes %u\n", nodes);
        for (uint32_t a = 0; a < count; a++)
            n += (size_t)snprintf(text + n, sizeof text - n, "processor %u\n", at[a]);
        for (uint32_t a = 0; a < nodes; a++)
            n += (size_t)snprintf(text + n, sizeof text - n, "link %u %u\nlink %u %u\n", a, (a + 1) % nodes, (a + 1) % nodes, a);
        must_open(&t, text);
        for (uint32_t link = 0; link < t.links; link++) {
            struct topology_link l = topology_link(&t, link);
            uint32_t far = nodes;
            for (uint32_t a = 0; a < count && l.to != TOPOLOGY_NONE; a++) {
                uint32_t way = (l.from + nodes - at[a]) % nodes;
                way = way < nodes - way ? way : nodes - way;
                far = way < far ? way : far;
            }
            if (l.to != TOPOLOGY_NONE)
                CHECK_AT(nodes, l.group, 2 * (far < FATFLY_MAX_STAGES ? far : FATFLY_MAX_STAGES - 1));
        }
        topology_close(&t);
    }
}

/* -- tables and paths ------------------------------------------------------------------------- */

/* A ring of four with two classes: clockwise by the table, though the other way is there. */
static void table(void **state)
{
    static const char text[] =
        "nodes 4\nlink 0 1 2\nlink 1 2 2\nlink 2 3 2\nlink 3 0 2\nlink 1 0\nlink 2 1\n"
        "next 0 1 1\nnext 0 2 1\nnext 0 3 1.1\nnext 1 0 2.0\nnext 1 2 2\nnext 1 3 2\n"
        "next 2 0 3\nnext 2 1 3\nnext 2 3 3\nnext 3 0 0\nnext 3 1 0\nnext 3 2 0.1\n";
    struct topology t;
    struct topology_place at = {.node = 0, .from = TOPOLOGY_NONE};
    (void)state;
    must_open(&t, text);
    CHECK_EQ(t.classes, 2);
    CHECK_EQ(hop(&t, &at, 3, 1), 1);
    CHECK_EQ(hop(&t, &at, 3, -1), 2);
    CHECK_EQ(hop(&t, &at, 3, -1), 3);
    at = (struct topology_place){.node = 1, .from = TOPOLOGY_NONE};
    CHECK_EQ(hop(&t, &at, 0, 0), 2);
    CHECK_EQ(hop(&t, &at, 0, -1), 3);
    CHECK_EQ(hop(&t, &at, 0, -1), 0);
    topology_close(&t);
}

/* Paths hold from where they begin, by the classes they name; all else goes the shortest way.  Two
 * paths to one processor part where they come by different classes. */
static void given_paths(void **state)
{
    static const char text[] =
        "nodes 6\nlink 0 1\nlink 1 2 2\nlink 2 3\nlink 3 4\nlink 4 5\nlink 5 0\nlink 2 4\nlink 3 5\n"
        "path 0 4 0 1 2.1 3 4\npath 1 4 1 2.0 4\n";
    static const uint32_t long_way[] = {1, 2, 3, 4}, short_way[] = {2, 4};
    struct topology t;
    struct topology_place at = {.node = 0, .from = TOPOLOGY_NONE};
    (void)state;
    must_open(&t, text);
    for (unsigned k = 0; k < ROWS(long_way); k++)
        CHECK_AT(k, hop(&t, &at, 4, k == 1 ? 1 : 0), long_way[k]);
    at = (struct topology_place){.node = 1, .from = TOPOLOGY_NONE};
    for (unsigned k = 0; k < ROWS(short_way); k++)
        CHECK_AT(k, hop(&t, &at, 4, 0), short_way[k]);
    at = (struct topology_place){.node = 2, .from = TOPOLOGY_NONE};
    CHECK_EQ(hop(&t, &at, 4, 0), 4);
    topology_close(&t);
}

/* Paths of all to those up to three links on, in a network of more processors than have a table: none is taken for another,
 * whatever places and processors have in common. */
static void thousands_of_paths(void **state)
{
    enum { RING = 2100 };
    static char text[300000];
    struct topology t;
    size_t n = (size_t)snprintf(text, sizeof text, "nodes %d\n", RING);
    (void)state;
    for (unsigned a = 0; a < RING; a++)
        n += (size_t)snprintf(text + n, sizeof text - n, "link %u %u 2\nlink %u %u 2\n", a, (a + 1) % RING, a, (a + 2) % RING);
    for (unsigned a = 0; a < RING; a++) { /* by single steps, where one of two is shorter */
        n += (size_t)snprintf(text + n, sizeof text - n, "path %u %u %u %u.1 %u.1\n", a, (a + 2) % RING, a, (a + 1) % RING, (a + 2) % RING);
        n += (size_t)snprintf(text + n, sizeof text - n, "path %u %u %u %u.0 %u.0 %u.0\n", a, (a + 3) % RING, a, (a + 1) % RING,
                              (a + 2) % RING, (a + 3) % RING);
    }
    must_open(&t, text);
    for (unsigned a = 0; a < RING; a++)
        for (unsigned far = 2; far <= 3; far++) {
            struct topology_place at = {.node = a, .from = TOPOLOGY_NONE};
            for (unsigned k = 1; k <= far; k++)
                CHECK_AT(a, hop(&t, &at, (a + far) % RING, far == 2), (a + k) % RING);
        }
    topology_close(&t);
}

/* -- random paths ------------------------------------------------------------------------------ */

enum { FEW = 12, WIDE = 4 };

/* What a head does for each destination that came by each channel of each link, or (row `from` = its node) was put there: the node
 * that it goes on to, and by which class, ANY of the link's; NOWHERE: no path says it. */
enum { NOWHERE = -1, ANY = -1 };

struct onward {
    int to, class;
};

struct written {
    unsigned channels[FEW][FEW];  /* of the link; 0: there is none */
    unsigned port[FEW][FEW];
    struct onward on[FEW][FEW][WIDE][FEW]; /* [from][node][class][dst] */
    char text[16000];
};

/* A path from src to dst along links at random, with a class or without: nodes and classes; how many, 0 if it ran aground. */
static unsigned wander(const struct written *w, unsigned src, unsigned dst, struct onward path[FEW])
{
    bool been[FEW] = {false};
    unsigned n = 0, at = src;
    while (at != dst) {
        unsigned open[FEW], ways = 0;
        been[at] = true;
        for (unsigned b = 0; b < FEW; b++)
            if (w->channels[at][b] && !been[b])
                open[ways++] = b;
        if (!ways)
            return 0;
        unsigned to = open[draw(ways)];
        path[n++] = (struct onward){(int)to, draw(2) ? ANY : (int)draw(w->channels[at][to])};
        at = to;
    }
    return n;
}

/* Notes a path, unless a head would have to go on by two: then nothing, and false. */
static bool note(struct written *w, unsigned src, unsigned dst, const struct onward *path, unsigned n)
{
    struct written before = *w;
    unsigned from = src, at = src;
    int class = 0; /* of the place where a head is put, which is one */
    for (unsigned k = 0; k < n; k++) {
        for (int c = 0; c < (from == at ? 1 : (int)w->channels[from][at]); c++) {
            struct onward *on = &w->on[from][at][c][dst];
            if (class != ANY && c != class)
                continue;
            if (on->to != NOWHERE && (on->to != path[k].to || on->class != path[k].class)) {
                *w = before;
                return false;
            }
            *on = path[k];
        }
        from = at;
        at = (unsigned)path[k].to;
        class = path[k].class;
    }
    return true;
}

/* A ring and random links of one to four channels, half of them from node 0, which then has more than eight; the text of it, and paths between half of the pairs; how many of these were
 * refused. */
static unsigned write_paths(struct written *w)
{
    unsigned out[FEW] = {0}, lines = 1, refused = 0;
    size_t n = (size_t)sprintf(w->text, "nodes %d\n", FEW);
    memset(w->channels, 0, sizeof w->channels);
    memset(w->on, 0xff, sizeof w->on); /* NOWHERE */
    for (unsigned k = 0; k < 5 * FEW; k++) {
        unsigned a = k < FEW || draw(2) ? k % FEW : 0, b = k < FEW ? (a + 1) % FEW : draw(FEW);
        if (a == b || w->channels[a][b])
            continue;
        w->channels[a][b] = 1 + draw(WIDE);
        w->port[a][b] = out[a]++;
        n += (size_t)sprintf(w->text + n, "link %u %u %u\n", a, b, w->channels[a][b]);
        lines++;
    }
    for (unsigned pair = 0; pair < FEW * FEW; pair++) {
        unsigned src = pair / FEW, dst = pair % FEW;
        struct onward path[FEW];
        unsigned hops = draw(2) ? wander(w, src, dst, path) : 0;
        size_t end = n;
        if (!hops)
            continue;
        end += (size_t)sprintf(w->text + end, "path %u %u %u", src, dst, src);
        for (unsigned k = 0; k < hops; k++)
            end += (size_t)sprintf(w->text + end, path[k].class == ANY ? " %d" : " %d.%d", path[k].to, path[k].class);
        end += (size_t)sprintf(w->text + end, "\n");
        if (note(w, src, dst, path, hops)) {
            n = end;
            lines++;
        } else { /* with that line the text is refused */
            struct topology t;
            char why[300] = "", want[60];
            CHECK_EQ(open_text(&t, w->text, why, sizeof why), -1);
            snprintf(want, sizeof want, "net:%u: this path to %u parts from that of line ", lines + 1, dst);
            if (strncmp(why, want, strlen(want)) != 0)
                fail_msg("%s, not %s", why, want);
            w->text[n] = '\0';
            refused++;
        }
    }
    return refused;
}

/* Any class of any link, in paths and in next hops: a head goes on by that class alone. */
static void every_class(void **state)
{
    (void)state;
    for (unsigned channels = 1; channels <= TOPOLOGY_MAX_CLASSES; channels++)
        for (unsigned class = channels > 3 && channels < 126 ? channels - 1 : 0; class < channels; class++)
            for (unsigned next = 0; next < 2; next++) {
                unsigned then = channels - 1 - class;
                struct topology t;
                char text[300];
                size_t n = (size_t)snprintf(text, sizeof text, "nodes 3\nlink 0 1 %u\nlink 1 2 %u\nlink 2 0 %u\n", channels, channels, channels);
                if (next)
                    snprintf(text + n, sizeof text - n, "next 1 0 2\nnext 2 0 0\nnext 0 1 1\nnext 2 1 0\nnext 0 2 1.%u\nnext 1 2 2.%u\n", class, then);
                else
                    snprintf(text + n, sizeof text - n, "path 0 2 0 1.%u 2.%u\n", class, then);
                must_open(&t, text);
                CHECK_AT(channels, t.classes, channels);
                struct topology_place at = {.node = 0, .from = TOPOLOGY_NONE};
                CHECK_AT(class, hop(&t, &at, 2, (int)class), 1);
                CHECK_AT(class, hop(&t, &at, 2, (int)then), 2);
                topology_close(&t);
            }
}

/* Every head in every place goes on as the paths say, or else by the lowest link of the shortest ways, in any of its channels. */
static void random_paths(void **state)
{
    static struct written w;
    unsigned refused = 0;
    (void)state;
    for (unsigned round = 0; round < 100; round++) {
        struct topology t;
        struct random_graph g = {.nodes = FEW};
        unsigned far[MOST][MOST];
        refused += write_paths(&w);
        must_open(&t, w.text);
        for (unsigned k = 0; k < FEW * FEW; k++)
            g.link[k / FEW][k % FEW] = w.channels[k / FEW][k % FEW];
        all_distances(&g, far);
        for (unsigned k = 0; k < FEW * FEW * WIDE * FEW; k++) {
            unsigned dst = k % FEW, class = k / FEW % WIDE, node = k / FEW / WIDE % FEW, from = k / FEW / WIDE / FEW;
            struct topology_place at = {.node = node, .from = TOPOLOGY_NONE};
            struct topology_choice choice[TOPOLOGY_MAX_PORTS];
            struct onward on = w.on[from][node][class][dst];
            if (node == dst || class >= (from == node ? 1 : w.channels[from][node]))
                continue;
            if (from != node)
                at = (struct topology_place){.node = node, .from = from, .port = w.port[from][node], .class = class};
            for (unsigned b = FEW; b-- > 0 && w.on[from][node][class][dst].to == NOWHERE;) {
                bool nearer = w.channels[node][b] && far[b][dst] < far[node][dst];
                if (nearer && (on.to == NOWHERE || w.port[node][b] < w.port[node][on.to]))
                    on.to = (int)b;
            }
            unsigned channels = w.channels[node][on.to];
            CHECK_AT(k, t.kind->route(&t, &at, dst, choice), 1);
            CHECK_AT(k, choice[0].port, w.port[node][on.to]);
            CHECK_AT(k, choice[0].low, on.class == ANY ? 0 : on.class);
            CHECK_AT(k, choice[0].high, on.class == ANY ? (int)channels - 1 : on.class);
        }
        topology_close(&t);
    }
    assert_true(refused > 100);
}

/* Next hops to each of two or three processors, of which some are left out or lead elsewhere: a table is taken if all worms arrive,
 * those of a processor for itself, too, where they have links to cross. */
static void random_tables(void **state)
{
    unsigned opened = 0, all = 3000;
    (void)state;
    for (unsigned round = 0; round < all; round++) {
        bool link[FEW][FEW] = {{false}}, apart = draw(2), arrive = true;
        unsigned processors = 2 + draw(2), next[FEW];
        char text[4000], why[300] = "";
        struct topology t;
        size_t n = (size_t)sprintf(text, "nodes %d\n", FEW);
        for (unsigned a = 0; a < processors; a++)
            n += (size_t)sprintf(text + n, apart ? "processor %u %u\n" : "processor %u\n", a, FEW - 1 - a);
        for (unsigned k = 0; k < 4 * FEW; k++) {
            unsigned a = k % FEW, b = k < FEW ? (a + 1) % FEW : draw(FEW);
            if (a != b && !link[a][b])
                n += (size_t)sprintf(text + n, "link %u %u\n", a, b);
            link[a][b] = a != b;
        }
        for (unsigned dst = 0; dst < processors; dst++) {
            unsigned end = apart ? FEW - 1 - dst : dst, left = FEW - 1;
            for (unsigned a = 0; a < FEW; a++)
                next[a] = a == end ? end : FEW;
            while (left) { /* from any node to any one that gets there */
                unsigned a = draw(FEW), b = draw(FEW);
                if (next[a] == FEW && link[a][b] && next[b] < FEW) {
                    next[a] = b;
                    left--;
                }
            }
            for (unsigned k = draw(4); k < 2; k++) {
                unsigned a = draw(FEW), b = draw(FEW);
                next[a] = a == end || link[a][b] ? b : FEW;
            }
            for (unsigned a = 0; a < FEW; a++)
                if (a != end && next[a] < FEW)
                    n += (size_t)sprintf(text + n, "next %u %u %u\n", a, dst, next[a]);
            for (unsigned src = 0; src < processors; src++) {
                unsigned at = src, hops = 0;
                while (at != end && at < FEW && hops++ <= FEW)
                    at = next[at];
                arrive = arrive && (at == end || (src == dst && !apart));
            }
        }
        CHECK_AT(round, open_text(&t, text, why, sizeof why), arrive ? 0 : -1);
        opened += arrive;
        if (arrive)
            topology_close(&t);
    }
    assert_true(opened > all / 10 && opened < 9 * all / 10);
}

/* Processors that enter in one node and leave by another; those on other nodes than their number. */
static void places(void **state)
{
    struct topology t;
    (void)state;
    must_open(&t, "nodes 6\nprocessor 0 4\nprocessor 1 5\nlink 0 2\nlink 1 2\nlink 2 3\nlink 3 4\n"
                  "link 3 5\n");
    CHECK_EQ(t.processors, 2);
    CHECK_EQ(topology_leave(&t, 0), 4);
    CHECK_EQ(topology_enter(&t, 1), 1);
    assert_true(topology_apart(&t));
    CHECK_EQ(t.kind->group(&t, 2, 0), 2); /* one link from the nearest processor */
    CHECK_EQ(t.kind->group(&t, 3, 1), 4);
    topology_close(&t);
    must_open(&t, "nodes 4\nprocessor 3\nprocessor 1\nlink 3 0\nlink 0 1\nlink 1 3\n");
    CHECK_EQ(topology_enter(&t, 0), 3);
    CHECK_EQ(topology_leave(&t, 1), 1);
    assert_false(topology_apart(&t));
    topology_close(&t);
}

/* The butterfly, written down: every packet takes the same time. */
static void butterfly_as_text(void **state)
{
    static char text[100000];
    static struct fatfly_result r[2];
    size_t n = 0;
    (void)state;
    n += (size_t)snprintf(text + n, sizeof text - n, "nodes %u\n", 7 * 64);
    for (unsigned a = 0; a < 64; a++)
        n += (size_t)snprintf(text + n, sizeof text - n, "processor %u %u\n", a, 6 * 64 + a);
    for (unsigned a = 0; a < 6 * 64; a++)
        n += (size_t)snprintf(text + n, sizeof text - n, "link %u %u\nlink %u %u\n", a, a + 64, a,
                              (a + 64) ^ 32u >> a / 64);
    for (unsigned discipline = 0; discipline < 2; discipline++)
        for (unsigned load = 0; load < 2; load++) {
            for (unsigned k = 0; k < 2; k++) {
                struct fatfly_config c;
                char why[300] = "";
                fatfly_defaults(&c);
                c.topology = k ? "graph" : "butterfly";
                c.graph = k ? text : NULL;
                c.path = FATFLY_GREEDY;
                c.nodes = 64;
                c.length = 4;
                c.rounds = 8;
                c.load = load ? 0.3 : 0;
                c.discipline = discipline ? FATFLY_STORE : FATFLY_WORM;
                c.depth = discipline ? FATFLY_UNBOUNDED : 2;
                if (fatfly_run(&c, NULL, &r[k], why, sizeof why))
                    fail_msg("%s", why);
            }
            assert_true(r[0].worms >= 8 * 64);
            assert_memory_equal(&r[0], &r[1], sizeof r[0]);
        }
}

/* A network written down, link by link and path by path. */
static void write_down(const struct topology *t, char *text, size_t size)
{
    size_t n = (size_t)snprintf(text, size, "nodes %u\n", t->nodes);
    for (unsigned a = 0; a < t->processors; a++)
        n += (size_t)snprintf(text + n, size - n, topology_apart(t) ? "processor %u %u\n" : "processor %u\n", topology_enter(t, a),
                              topology_leave(t, a));
    for (unsigned k = 0; k < t->nodes * t->ports; k++)
        if (t->kind->far(t, k / t->ports, k % t->ports) != TOPOLOGY_NONE)
            n += (size_t)snprintf(text + n, size - n, "link %u %u %u\n", k / t->ports, t->kind->far(t, k / t->ports, k % t->ports),
                                  t->classes);
    for (unsigned pair = 0; pair < t->processors * t->processors; pair++) {
        unsigned src = pair / t->processors, dst = pair % t->processors;
        struct topology_place at = {.node = topology_enter(t, src), .from = TOPOLOGY_NONE};
        struct topology_choice choice[TOPOLOGY_MAX_PORTS];
        if (at.node == topology_leave(t, dst))
            continue;
        n += (size_t)snprintf(text + n, size - n, "path %u %u %u", src, dst, at.node);
        while (t->kind->route(t, &at, dst, choice)) {
            bool any = choice[0].low == 0 && choice[0].high == t->classes - 1;
            assert_true(any || choice[0].low == choice[0].high);
            at = (struct topology_place){.node = t->kind->far(t, at.node, choice[0].port), .from = at.node, .port = choice[0].port,
                                         .class = choice[0].low};
            n += (size_t)snprintf(text + n, size - n, any ? " %u" : " %u.%u", at.node, choice[0].low);
        }
        n += (size_t)snprintf(text + n, size - n, "\n");
    }
    assert_true(n < size);
}

/* Networks with one path between two processors, written down with it: every flit comes when it does there. */
static void networks_as_text(void **state)
{
    static const struct { const char *name; enum fatfly_path path; unsigned vcs; } kinds[] = {
        {"torus", FATFLY_E_CUBE, 2}, {"torus", FATFLY_BALANCED_E_CUBE, 2}, {"mesh", FATFLY_E_CUBE, 1},
        {"mesh", FATFLY_E_CUBE, 3}, {"hypercube", FATFLY_E_CUBE, 2}, {"butterfly", FATFLY_GREEDY, 2},
        {"reverse-butterfly", FATFLY_GREEDY, 1}, {"wrapped-butterfly", FATFLY_GREEDY, 0}};
    static char text[100000];
    static struct fatfly_result r[2];
    (void)state;
    for (unsigned k = 0; k < 4 * ROWS(kinds); k++) {
        struct fatfly_config c;
        struct topology t;
        char why[300] = "";
        fatfly_defaults(&c);
        c.topology = kinds[k / 4].name;
        c.path = kinds[k / 4].path;
        c.vcs = k & 1 ? 1 : kinds[k / 4].vcs;
        c.nodes = 16;
        c.radix = 4;
        c.length = 5;
        c.rounds = 8;
        c.load = k & 2 ? 0.2 : 0;
        c.cycles = 1000;
        c.warmup = 100;
        c.discipline = k & 1 ? FATFLY_STORE : FATFLY_WORM;
        c.depth = k & 1 ? FATFLY_UNBOUNDED : 2;
        if (topology_of(&c, &t, why, sizeof why))
            fail_msg("%s: %s", c.topology, why);
        write_down(&t, text, sizeof text);
        topology_close(&t);
        for (unsigned n = 0; n < 2; n++) {
            if (fatfly_run(&c, NULL, &r[n], why, sizeof why))
                fail_msg("%s: %s", kinds[k / 4].name, why);
            c.topology = "graph";
            c.path = FATFLY_GREEDY;
            c.graph = text;
        }
        assert_true(r[0].worms >= 8 * 15);
        if (r[0].digest != r[1].digest || r[0].last_arrival != r[1].last_arrival || r[0].latency_sum != r[1].latency_sum)
            fail_msg("%s, %u: not the same as a text", kinds[k / 4].name, k % 4);
    }
}

/* -- what is refused -------------------------------------------------------------------------- */

#define RING "nodes 4\nlink 0 1 2\nlink 1 2\nlink 2 3\nlink 3 0\n"

static void refused(void **state)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"", "net:1: nothing; allowed: nodes N, then processor, link, next, path"},
        {"# only\n\n  # this\n", "net:3: nothing; allowed: nodes N, then processor, link, next, path"},
        {"nodes 4\n", "net:1: no link; allowed: at least one"},
        {"link 0 1\n", "net:1: 'link' comes first; allowed: nodes N before all else"},
        {"nodes 4\nnodes 4\n", "net:2: nodes again; allowed: once"},
        {"nodes 1\n", "net:1: nodes: count 1; allowed: 2 to 1048576"},
        {"nodes 2000000\n", "net:1: nodes: count 2000000; allowed: 2 to 1048576"},
        {"nodes four\n", "net:1: nodes: count four; allowed: 2 to 1048576"},
        {"nodes 4 5\n", "net:1: '5' at the end of the line; allowed: nodes N"},
        {"nodes 4\nedge 0 1\n", "net:2: 'edge'; allowed: nodes, processor, link, next, path"},
        {"nodes 4\nlink 0 1\nlink 2 9\n", "net:3: link: to node 9; allowed: 0 to 3"},
        {"nodes 4\nlink 0\n", "net:2: link: no to node; allowed: 0 to 3"},
        {"nodes 4\nlink -1 2\n", "net:2: link: from node -1; allowed: 0 to 3"},
        {"nodes 4\nlink 2 2\n", "net:2: link 2 2; allowed: between two nodes"},
        {"nodes 4\nlink 0 1\nlink 0 1\n", "net:3: link 0 1 again, it is in line 2; allowed: once "
         "(channels and link bandwidth make it wider)"},
        {"nodes 4\nlink 0 1 130\n", "net:2: link: virtual channels 130; allowed: 1 to 129"},
        {"nodes 4\nlink 0 1 1 1\n",
         "net:2: '1' at the end of the line; allowed: link FROM TO [CHANNELS]"},
        {"nodes 18\nlink 0 1\nlink 0 2\nlink 0 3\nlink 0 4\nlink 0 5\nlink 0 6\nlink 0 7\nlink 0 8\n"
         "link 0 9\nlink 0 10\nlink 0 11\nlink 0 12\nlink 0 13\nlink 0 14\nlink 0 15\nlink 0 16\n"
         "link 0 17\n",
         "net:18: link 0 17: too many links leave node 0; allowed: 16"},
        {RING "processor 7\n", "net:6: processor: node 7; allowed: 0 to 3"},
        {RING "processor 1\nprocessor 1\n", "net:7: node 1 has a processor already; allowed: one"},
        {RING "processor 1 2\nprocessor 2 3\n", "net:7: node 2 has a processor already; allowed: one"},
        {RING "processor 1 2\nprocessor 3\n", "net:7: processor 1 enters and leaves the network in one "
         "node, processor 0 does not; allowed: all alike"},
        {RING "processor 1\n", "net:6: 1 processor; allowed: at least 2"},
        {"nodes 4\nlink 0 1\nlink 1 2\nlink 2 0\nlink 0 3\n", "net: no links lead from processor 3 "
         "(node 3) to processor 0 (node 0); allowed: all can reach all"},
        {"nodes 1000000\nlink 0 1\n", "net:2: 1000000 nodes and 1000000 processors; allowed: up to "
         "16777216 nodes times processors"},
        {RING "next 0 2 2\n", "net:6: no link leads from 0 to 2; allowed: what has a line 'link'"},
        {RING "next 0 2 1.2\n",
         "net:6: '1.2': the link from 0 to 1 has no class 2; allowed: 0 to 1"},
        {RING "next 0 2 1.x\n", "net:6: '1.x'; allowed: NODE or NODE.CLASS"},
        {RING "next 0 2 7\n", "net:6: node 7; allowed: 0 to 3"},
        {RING "next 0 2\n", "net:6: no next hop; allowed: next NODE PROCESSOR HOP"},
        {RING "next 0 4 1\n", "net:6: next: processor 4; allowed: 0 to 3"},
        {RING "next 2 2 3\n",
         "net:6: next 2 2: node 2 is where processor 2 is; allowed: other nodes"},
        {RING "next 0 2 1\nnext 0 2 1\n", "net:7: next 0 2 again; allowed: one hop"},
        {RING "next 1 0 2\nnext 2 0 3\n", "net: node 3 has no next hop to processor 0, and worms of "
         "processor 1 come there; allowed: a line 'next 3 0 HOP'"},
        {"nodes 3\nlink 0 1\nlink 1 0\nlink 1 2\nlink 2 0\nlink 2 1\nnext 1 0 2\nnext 2 0 1\n"
         "next 0 1 1\nnext 2 1 1\nnext 0 2 1\nnext 1 2 2\n",
         "net: next hops from processor 1 to processor 0 go round through node 1; allowed: they "
         "arrive"},
        {RING "path 0 2 0 1 3\n", "net:6: no link leads from 1 to 3; allowed: what has a line 'link'"},
        {RING "path 0 2 1 2\n", "net:6: the path begins in 1; allowed: in 0, where processor 0 is"},
        {RING "path 0 2 0 1\n",
         "net:6: the path from 0 ends in 1; allowed: in 2, where processor 2 is"},
        {RING "path 0 2 0 1 2 3\n", "net:6: the path goes on from 2, where processor 2 is; allowed: it "
         "ends there"},
        {RING "path 0 0 0 1 2 3 0\n", "net:6: path 0 0; allowed: between two processors"},
        {RING "link 1 0\nlink 2 0\npath 0 3 0 1 0 1 2 3\n",
         "net:8: the path comes to node 0 twice; allowed: once"},
        {RING "path 0 2 0 1.2 2\n",
         "net:6: '1.2': the link from 0 to 1 has no class 2; allowed: 0 to 1"},
        {RING "path 0 2 0 1 2\npath 0 2 0 1 2\n",
         "net:7: path 0 2 again, it is in line 6; allowed: once"},
        {RING "link 1 3\npath 0 3 0 1.0 2 3\npath 2 3 2 3\npath 1 3 1 3\nlink 0 2\n",
         NULL},
        {RING "link 1 3\nlink 2 0\npath 2 3 2 0 1 3\npath 0 3 0 1 2 3\n", "net:9: this path to 3 parts "
         "from that of line 8, with which it shares a virtual channel; allowed: paths to one processor "
         "stay together, or go by other classes"},
        {RING "path 0 2 0 1 2\nnext 0 2 1\n",
         "net:7: next hops beside paths; allowed: one of them"},
        {RING "next 0 2 1\npath 0 2 0 1 2\n",
         "net:7: paths beside next hops; allowed: one of them"},
    };
    (void)state;
    for (size_t k = 0; k < ROWS(cases); k++) {
        struct topology t;
        char why[300] = "";
        int status = open_text(&t, cases[k].text, why, sizeof why);
        assert_string_equal(why, cases[k].why ? cases[k].why : "");
        CHECK_AT(k, status, cases[k].why ? -1 : 0);
        if (!status)
            topology_close(&t);
    }
}

/* Whatever is written over a good text: a network, or one line that begins with the file. */
static void any_text(void **state)
{
    static const char good[] = RING "processor 0\nprocessor 2 # two\npath 0 1 0 1.1 2\npath 1 0 2 3 0\n";
    static const char some[] = "0123456789 \n\t#.-xnodelinkpathcsr\r\x80";
    unsigned opened = 0;
    (void)state;
    for (unsigned round = 0; round < 20000; round++) {
        struct topology t;
        char text[sizeof good], why[300] = "";
        memcpy(text, good, sizeof good);
        for (unsigned k = 0; k < 1 + draw(4); k++)
            text[draw(sizeof good - 1)] = some[draw(sizeof some - 1)];
        if (open_text(&t, text, why, sizeof why)) {
            assert_true(strncmp(why, "net:", 4) == 0 && !strchr(why, '\n'));
            continue;
        }
        topology_close(&t);
        opened++;
    }
    assert_true(opened > 100 && opened < 15000);
}

/* What the configuration says beside the text. */
static void contradictions(void **state)
{
    struct fatfly_config c;
    char why[300] = "";
    (void)state;
    fatfly_defaults(&c);
    c.topology = "graph";
    c.path = FATFLY_GREEDY;
    c.nodes = 4;
    c.vcs = 0;
    CHECK_EQ(fatfly_check(&c, why, sizeof why), FATFLY_BAD_CONFIG);
    assert_string_equal(why, "topology = graph; allowed: graph:FILE");
    c.graph = RING;
    CHECK_EQ(fatfly_check(&c, why, sizeof why), FATFLY_OK);
    c.vcs = 3;
    CHECK_EQ(fatfly_check(&c, why, sizeof why), FATFLY_BAD_CONFIG);
    assert_string_equal(why, "vcs = 3; allowed: 2, which graph has");
    c.vcs = 2;
    c.nodes = 5;
    CHECK_EQ(fatfly_check(&c, why, sizeof why), FATFLY_BAD_CONFIG);
    assert_string_equal(why, "nodes = 5; allowed: 4, the processors of graph");
}

/* A ring deadlocks with one channel; a dateline by classes, written down, mends it. */
static void deadlock(void **state)
{
    static const char dateline[] =
        "nodes 3\nlink 0 1 2\nlink 1 2 2\nlink 2 0 2\n"
        "path 0 1 0 1.0\npath 0 2 0 1.0 2.0\npath 1 2 1 2.0\npath 1 0 1 2.0 0.0\npath 2 0 2 0.0\n"
        "path 2 1 2 0.0 1.1\n";
    struct fatfly_config c;
    char why[400] = "";
    uint32_t longest;
    (void)state;
    fatfly_defaults(&c);
    c.topology = "graph";
    c.path = FATFLY_GREEDY;
    c.nodes = 3;
    c.vcs = 0;
    c.graph = "nodes 3\nlink 0 1\nlink 1 2\nlink 2 0\n";
    CHECK_EQ(fatfly_deadlock_free(&c, &longest, NULL, why, sizeof why), FATFLY_DEADLOCK);
    assert_non_null(strstr(why, "3 channels (from->to.class) wait in a circle"));
    c.graph = dateline;
    CHECK_EQ(fatfly_deadlock_free(&c, &longest, NULL, why, sizeof why), FATFLY_OK);
    CHECK_EQ(longest, 4); /* 0->1.0, 1->2.0, 2->0.0, 0->1.1 */
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shortest), cmocka_unit_test(table),
        cmocka_unit_test(given_paths), cmocka_unit_test(every_class), cmocka_unit_test(random_paths), cmocka_unit_test(thousands_of_paths), cmocka_unit_test(random_tables),
        cmocka_unit_test(places),
        cmocka_unit_test(levels_of_rings), cmocka_unit_test(butterfly_as_text), cmocka_unit_test(networks_as_text), cmocka_unit_test(refused),
        cmocka_unit_test(any_text), cmocka_unit_test(contradictions),
        cmocka_unit_test(deadlock),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
