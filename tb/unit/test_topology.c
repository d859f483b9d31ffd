/* SPDX-License-Identifier: Apache-2.0
 * test_topology.c - the links of the topologies, shortest paths, and which routing can deadlock.
 */
#include "topology.h"

#include "dependency.h"

#include <stdlib.h>
#include <string.h>

#include "unit.h"

static const char *const cube_paths[] = {"e-cube", "north-last", "positive-hop", "negative-hop",
                                         "minimal-adaptive", "loose-hop", "balanced-e-cube"};

static void must_open(struct topology *t, const char *name, unsigned radix, unsigned dimensions,
                      const char *path, unsigned classes)
{
    char why[200] = "";
    struct topology_params p = {.radix = radix, .dimensions = dimensions, .path = path,
                                .classes = classes};
    if (topology_open(t, name, &p, why, sizeof why))
        fail_msg("%s: %s", name, why);
}

/* Links between two nodes of a cube, counted apart from the code under test. */
static unsigned distance(const struct topology *t, uint32_t a, uint32_t b)
{
    unsigned sum = 0;
    for (unsigned d = 0; d < t->params.dimensions; d++) {
        unsigned k = t->params.radix, x = a % k, y = b % k, far = x > y ? x - y : y - x;
        if (t->wraps && k - far < far)
            far = k - far;
        sum += far;
        a /= k;
        b /= k;
    }
    return sum;
}

/* Every link has one that leads back; in a torus each node has 2n. */
static void links(void **state)
{
    (void)state;
    for (unsigned k = 2; k <= 6; k++)
        for (unsigned n = 1; n <= 3; n++)
            for (unsigned torus = 0; torus < 2; torus++) {
                struct topology t;
                uint32_t missing = 0, faces = 2 * n;
                must_open(&t, torus ? "torus" : "mesh", k, n, "e-cube", 0);
                for (uint32_t a = 0; a < t.nodes; a++)
                    for (unsigned p = 0; p < t.ports; p++) {
                        uint32_t b = t.kind->far(&t, a, p);
                        if (b == TOPOLOGY_NONE) {
                            missing++;
                            continue;
                        }
                        CHECK_AT(a, t.kind->far(&t, b, p ^ 1), a);
                        CHECK_AT(a, distance(&t, a, b), 1);
                    }
                for (unsigned d = 1; d < n; d++)
                    faces *= k; /* nodes on the faces of a mesh lack a link */
                CHECK_AT(k, missing, torus ? 0 : faces);
                topology_close(&t);
            }
}

/* 2d: up in dimension d, 2d + 1: down.  A digit goes up by one, from the highest round to 0; a bit goes up to 1.  Behind the
 * dimensions come the links from processors, which lead up, and to them. */
static unsigned group_between(const struct topology *t, uint32_t a, uint32_t b)
{
    unsigned k = t->params.radix ? t->params.radix : 2, d = 0;
    if (a >= t->processors && t->params.processor_links)
        return 2 * t->params.dimensions;
    if (b >= t->processors && t->params.processor_links)
        return 2 * t->params.dimensions + 1;
    for (; a % k == b % k; d++, a /= k, b /= k)
        ;
    CHECK_EQ(a / k, b / k);
    return 2 * d + (k > 2 ? b % k != (a + 1) % k : !(b % k));
}

static void levels_of_links(void **state)
{
    static const char *const names[] = {"torus", "mesh", "hypercube"};
    (void)state;
    for (unsigned kind = 0; kind < ROWS(names); kind++)
        for (unsigned k = 3; k <= 6; k++)
            for (unsigned n = 1; n <= 4; n++)
                for (unsigned apart = 0; apart < 2; apart++) {
                    struct topology t;
                    bool cube = kind < 2;
                    struct topology_params p = {.radix = cube ? k : 0, .dimensions = cube ? n : 0, .path = "e-cube",
                                                .processors = cube ? 0 : 1u << (k + n), .processor_links = cube && apart};
                    char why[200] = "";
                    uint32_t there = 0;
                    assert_int_equal(topology_open(&t, names[kind], &p, why, sizeof why), 0);
                    for (uint32_t link = 0; link < t.links; link++) {
                        struct topology_link l = topology_link(&t, link);
                        if (l.to == TOPOLOGY_NONE)
                            continue;
                        CHECK_AT(link, l.group, group_between(&t, l.from, l.to));
                        there++;
                    }
                    uint32_t all = t.processors * (cube ? 2 * n : t.ports);
                    all -= kind == 1 ? 2 * n * t.processors / k : 0; /* those over the edges */
                    CHECK_AT(k, there, all + (cube && apart ? 2 * t.processors : 0));
                    topology_close(&t);
                }
}

/* Whatever choice is taken, each hop brings a head nearer, so it arrives; and an adaptive routing
 * offers every shortest way. */
static void choices_are_minimal(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 400; round++) {
        struct topology t;
        bool torus = draw(2);
        unsigned path = draw(ROWS(cube_paths)), n = path == 1 ? 2 : 1 + draw(3);
        unsigned k = 2 + draw(path == 3 ? 3 : 6);
        k += path == 3 && k % 2;
        must_open(&t, torus ? "torus" : "mesh", k, n, cube_paths[path], 0);
        for (unsigned walk = 0; walk < 20; walk++) {
            uint32_t dst = draw(t.nodes);
            struct topology_place at = {.node = draw(t.nodes), .from = TOPOLOGY_NONE};
            struct topology_choice choice[TOPOLOGY_MAX_PORTS];
            while (at.node != dst) {
                unsigned count = t.kind->route(&t, &at, dst, choice), differ = 0, ties = 0;
                for (unsigned d = 0, a = at.node, b = dst; d < n; d++, a /= k, b /= k) {
                    differ += a % k != b % k;
                    ties += torus && 2 * ((a + k - b % k) % k) == k;
                }
                if (path == 0 || path == 6)
                    CHECK_AT(walk, count, 1);
                else if (path == 1)
                    assert_true(count >= 1 && count <= differ + 1);
                else
                    CHECK_AT(walk, count, differ + ties);
                struct topology_choice c = choice[draw(count)];
                assert_true(c.low <= c.high && c.high < t.classes);
                uint32_t next = t.kind->far(&t, at.node, c.port);
                CHECK_AT(walk, distance(&t, next, dst), distance(&t, at.node, dst) - 1);
                at = (struct topology_place){next, at.node, c.port,
                                             c.low + draw(c.high - c.low + 1u), 0};
            }
            CHECK_AT(walk, t.kind->route(&t, &at, dst, choice), 0);
        }
        topology_close(&t);
    }
}

/* e-cube on rings: floor(V / 2) channels before and on the link between k - 1 and 0, the others after it or without it. */
static void halves(void **state)
{
    const unsigned k = 5;

    (void)state;
    for (unsigned vcs = 2; vcs <= TOPOLOGY_MAX_CLASSES; vcs++) {
        struct topology t;
        must_open(&t, "torus", k, 2, "e-cube", vcs);
        for (uint32_t pair = 0; pair < t.nodes * t.nodes; pair++) {
            uint32_t dst = pair % t.nodes;
            struct topology_place at = {.node = pair / t.nodes, .from = TOPOLOGY_NONE};
            struct topology_choice choice[TOPOLOGY_MAX_PORTS];
            while (at.node != dst) {
                CHECK_AT(vcs, t.kind->route(&t, &at, dst, choice), 1);
                struct topology_choice c = choice[0];
                unsigned x = c.port < 2 ? at.node % k : at.node / k, y = c.port < 2 ? dst % k : dst / k;
                bool over = c.port % 2 ? y > x : y < x;
                CHECK_AT(vcs, c.low, over ? 0 : vcs / 2);
                CHECK_AT(vcs, c.high, (over ? vcs / 2 : vcs) - 1);
                at = (struct topology_place){t.kind->far(&t, at.node, c.port), at.node, c.port, c.low, 0};
            }
        }
        topology_close(&t);
    }
}

/* From every digit of a ring of every radix to every other one: half way round a path goes up from even digits and down from odd
 * ones, whatever selects it.  Of balanced e-cube all that an odd number of hops does without the link between k - 1 and 0 is in the
 * upper half of the channels, an even number in the lower one. */
static void ways_round_a_ring(void **state)
{
    static const char *const paths[] = {"e-cube", "balanced-e-cube", "north-last"};
    (void)state;
    for (unsigned k = 2; k <= TOPOLOGY_MAX_RADIX; k++)
        for (unsigned path = 0; path < ROWS(paths); path++)
            for (unsigned d = 0; d < 2; d++) {
                struct topology t;
                must_open(&t, "torus", k, 2, paths[path], 4);
                for (unsigned pair = 0; pair < k * k; pair++) {
                    unsigned x = pair / k, y = pair % k, weight = d ? k : 1, far = (y + k - x) % k;
                    bool up = 2 * far < k || (2 * far == k && x % 2 == 0), over = up ? y < x : y > x;
                    struct topology_place at = {.node = x * weight, .from = TOPOLOGY_NONE};
                    struct topology_choice choice[TOPOLOGY_MAX_PORTS];
                    for (unsigned hops = 0, all = up ? far : k - far; x != y && hops < all; hops++) {
                        unsigned before = at.node / weight % k;
                        unsigned count = t.kind->route(&t, &at, y * weight, choice);
                        for (unsigned j = 0; j < count; j++)
                            CHECK_AT(k, choice[j].port, 2 * d + !up);
                        if (path == 1) { /* the link over the end and all before it, in the lower half, too */
                            bool upper = over ? up ? before < x : before > x : all % 2;
                            CHECK_AT(k, choice[0].low, upper ? 2 : 0);
                            CHECK_AT(k, choice[0].high, upper ? 3 : 1);
                        }
                        at = (struct topology_place){t.kind->far(&t, at.node, choice[0].port), at.node, choice[0].port, choice[0].low, 0};
                    }
                    CHECK_AT(k, at.node, y * weight);
                }
                topology_close(&t);
            }
}

/* Length of a cycle of dependencies, 0: there is none; the cycle is followed link by link. */
static uint32_t cycle_of(const struct topology *t)
{
    struct dependency d;
    struct topology_place bad;
    uint32_t from, to;
    assert_int_equal(dependency_topology(t, &d, &bad), 0);
    uint32_t *rank = calloc(d.channels, sizeof *rank), *cycle = calloc(d.channels, sizeof *cycle);
    assert_true(rank && cycle);
    uint32_t length = dependency_order(&d, rank, cycle);
    if (!length)
        assert_true(dependency_check(&d, rank, &from, &to));
    for (uint32_t k = 0; k < length; k++) {
        uint32_t link = cycle[k] / t->classes, after = cycle[(k + 1) % length] / t->classes;
        CHECK_AT(k, t->kind->far(t, link / t->ports, link % t->ports), after / t->ports);
    }
    free(rank);
    free(cycle);
    dependency_free(&d);
    return length;
}

static uint32_t cycle_in(const char *name, unsigned radix, unsigned dimensions, const char *path,
                         unsigned classes)
{
    struct topology t;
    must_open(&t, name, radix, dimensions, path, classes);
    uint32_t length = cycle_of(&t);
    topology_close(&t);
    return length;
}

/* BC's algorithms cannot deadlock with the channels that they ask for. */
static void no_deadlock(void **state)
{
    (void)state;
    for (unsigned k = 2; k <= 8; k++)
        for (unsigned n = 1; n <= 3 && (n < 3 || k <= 4); n++)
            for (unsigned path = 0; path < ROWS(cube_paths); path++) {
                if (path == 4 || path == 5) /* those can */
                    continue;
                if ((path == 1 && n != 2) || (path == 3 && k % 2))
                    continue;
                CHECK_AT(k, cycle_in("torus", k, n, cube_paths[path], 0), 0);
                CHECK_AT(k, cycle_in("mesh", k, n, cube_paths[path], 0), 0);
            }
    CHECK_EQ(cycle_in("torus", 16, 2, "e-cube", 2), 0);
    CHECK_EQ(cycle_in("torus", 16, 2, "north-last", 2), 0);
    CHECK_EQ(cycle_in("torus", 16, 2, "negative-hop", 9), 0);
}

/* Channels beyond those that e-cube needs share its work: all of them on a mesh, halves on a torus. */
static void spare_channels(void **state)
{
    (void)state;
    for (unsigned torus = 0; torus < 2; torus++) {
        struct topology t;
        struct topology_choice choice[TOPOLOGY_MAX_PORTS];
        struct topology_place at = {.node = 5, .from = TOPOLOGY_NONE};
        must_open(&t, torus ? "torus" : "mesh", 8, 1, "e-cube", 5);
        CHECK_EQ(t.kind->route(&t, &at, 7, choice), 1); /* up, not round the end */
        CHECK_AT(torus, choice[0].low, torus ? 2 : 0);
        CHECK_AT(torus, choice[0].high, 4);
        CHECK_EQ(t.kind->route(&t, &at, 0, choice), 1); /* on a torus round the end */
        CHECK_AT(torus, choice[0].low, 0);
        CHECK_AT(torus, choice[0].high, torus ? 1 : 4);
        CHECK_EQ(cycle_of(&t), 0);
        topology_close(&t);
    }
}

/* Rank of a channel by BC's lemma 1: of the class and, with negative-hop, the colour of the node
 * whose buffer it stands for. */
static uint32_t bc_rank(const struct topology *t, uint32_t c)
{
    uint32_t node = c / t->classes / t->ports, class = c % t->classes, sum = 0;
    if (t->path == FATFLY_POSITIVE_HOP)
        return class;
    for (unsigned d = 0; d < t->params.dimensions; d++, node /= t->params.radix)
        sum += node % t->params.radix;
    return 2 * class + sum % 2;
}

/* Every dependency goes to a higher rank (BC, lemma 1); with a class too few it does not. */
static void ranks(void **state)
{
    (void)state;
    for (unsigned k = 2; k <= 8; k += 2)
        for (unsigned n = 1; n <= 2; n++)
            for (unsigned path = 2; path <= 3; path++) {
                struct topology t;
                struct dependency d;
                struct topology_place bad;
                uint32_t from, to;
                must_open(&t, "torus", k, n, cube_paths[path], 0);
                assert_int_equal(dependency_topology(&t, &d, &bad), 0);
                uint32_t *rank = calloc(d.channels, sizeof *rank);
                assert_non_null(rank);
                for (uint32_t c = 0; c < d.channels; c++)
                    rank[c] = bc_rank(&t, c);
                assert_true(dependency_check(&d, rank, &from, &to));
                bool none = d.first[d.channels] == 0; /* and not by other ones */
                for (uint32_t c = 0; c < d.channels; c++)
                    rank[c] = UINT32_MAX - rank[c];
                CHECK_AT(k, dependency_check(&d, rank, &from, &to), none);
                memset(rank, 0, d.channels * sizeof *rank);
                CHECK_AT(k, dependency_check(&d, rank, &from, &to), none);
                free(rank);
                dependency_free(&d);
                topology_close(&t);
            }
}

/* A binary n-cube: links lead there and back, ways are as long as there are bits that differ. */
static void hypercube(void **state)
{
    static const char *const paths[] = {"e-cube", "negative-hop", "minimal-adaptive"};
    (void)state;
    for (unsigned n = 1; n <= 6; n++)
        for (unsigned path = 0; path < ROWS(paths); path++) {
            struct topology t;
            struct topology_params p = {.processors = 1u << n, .path = paths[path]};
            struct topology_choice choice[TOPOLOGY_MAX_PORTS];
            char why[200];
            assert_int_equal(topology_open(&t, "hypercube", &p, why, sizeof why), 0);
            for (uint32_t a = 0; a < t.nodes; a++)
                for (uint32_t b = 0; b < t.nodes; b++) {
                    struct topology_place at = {.node = a, .from = TOPOLOGY_NONE};
                    unsigned hops = 0, count;
                    for (; (count = t.kind->route(&t, &at, b, choice)); hops++) {
                        struct topology_choice c = choice[draw(count)];
                        uint32_t next = t.kind->far(&t, at.node, c.port);
                        assert_true(c.low <= c.high && c.high < t.classes);
                        CHECK_AT(a, t.kind->far(&t, next, c.port), at.node);
                        at = (struct topology_place){next, at.node, c.port, c.high, 0};
                    }
                    CHECK_AT(a, at.node, b);
                    CHECK_AT(a, hops, (unsigned)__builtin_popcount(a ^ b));
                }
            if (path < 2)
                CHECK_AT(n, cycle_of(&t), 0);
            else
                CHECK_AT(n, cycle_of(&t) > 0, n > 1);
            topology_close(&t);
        }
}

/* Digits that add up to an odd number. */
static bool coloured(const struct topology *t, uint32_t node)
{
    unsigned k = t->params.radix ? t->params.radix : 2, sum = 0;
    for (; node; node /= k)
        sum += node % k;
    return sum % 2;
}

/* Links from a node of a cube or hypercube that bring a head nearer to another: an adaptive path selection may take any of them. */
static unsigned ways_nearer(const struct topology *t, uint32_t node, uint32_t b)
{
    unsigned count = 0;
    for (unsigned port = 0; port < t->ports; port++) {
        uint32_t next = t->kind->far(t, node, port);
        if (next != TOPOLOGY_NONE)
            count += t->params.radix ? distance(t, next, b) < distance(t, node, b)
                                     : __builtin_popcount(next ^ b) < __builtin_popcount(node ^ b);
    }
    return count;
}

/* From one processor to another by random choices; channels are counted where the path selection counts hops. */
static void walk(const struct topology *t, const char *path, uint32_t a, uint32_t b, unsigned hops)
{
    struct topology_place at = {.node = topology_enter(t, a), .from = TOPOLOGY_NONE, .parents = draw(1u << 9)};
    struct topology_choice choice[TOPOLOGY_MAX_PORTS];
    bool positive = strcmp(path, "positive-hop") == 0, negative = strcmp(path, "negative-hop") == 0;
    unsigned made = 0, count, class = 0;

    for (; made <= hops && (count = t->kind->route(t, &at, b, choice)); made++) {
        struct topology_choice c = choice[draw(count)];
        assert_true(count <= t->ports && c.low <= c.high && c.high < t->classes);
        if (positive || negative || strcmp(path, "minimal-adaptive") == 0)
            CHECK_AT(a, count, ways_nearer(t, at.node, b));
        if (positive || negative) {
            CHECK_AT(a, c.low, class);
            CHECK_AT(a, c.high, class);
        }
        class += positive || coloured(t, at.node);
        at = (struct topology_place){t->kind->far(t, at.node, c.port), at.node, c.port, c.high, at.parents};
        assert_true(at.node < t->nodes);
    }
    CHECK_AT(a, at.node, topology_leave(t, b));
    CHECK_AT(a, made, hops);
}

/* The node of a cube whose digits are all half of the radix: of a torus one of those farthest from node 0. */
static uint32_t middle(const struct topology *t)
{
    uint32_t sum = 0, weight = t->params.radix / 2;
    for (unsigned d = 0; d < t->params.dimensions; d++, weight *= t->params.radix)
        sum += weight;
    return sum;
}

/* Every topology at the largest size that it has, and cubes of most dimensions: the first and last processors and some. */
static void largest(void **state)
{
    static const struct {
        const char *name, *path;
        uint32_t processors;
        unsigned radix, dimensions;
    } row[] = {
        {"hypercube", "e-cube", 1 << 16, 0, 0},        {"hypercube", "negative-hop", 1 << 16, 0, 0},
        {"hypercube", "minimal-adaptive", 1 << 16, 0, 0}, {"torus", "e-cube", 0, 64, 3},
        {"torus", "balanced-e-cube", 0, 64, 2},        {"torus", "positive-hop", 0, 64, 3},
        {"torus", "negative-hop", 0, 64, 3},           {"torus", "negative-hop", 0, 16, 4},
        {"mesh", "e-cube", 0, 64, 3},                  {"mesh", "positive-hop", 0, 64, 2},
        {"mesh", "negative-hop", 0, 64, 2},            {"mesh", "north-last", 0, 64, 2},
        {"mesh", "minimal-adaptive", 0, 16, 4},        {"butterfly", "greedy", 1 << 20, 0, 0},
        {"reverse-butterfly", "greedy", 1 << 20, 0, 0}, {"wrapped-butterfly", "greedy", 1 << 20, 0, 0},
        {"fat-tree", "fp", 1 << 20, 0, 0},             {"fat-tree", "rp", 1 << 20, 0, 0},
    };
    (void)state;
    for (unsigned k = 0; k < ROWS(row); k++) {
        struct topology t;
        struct topology_params p = {.processors = row[k].processors, .radix = row[k].radix,
                                    .dimensions = row[k].dimensions, .path = row[k].path,
                                    .classes = row[k].name[0] == 'f'};
        char why[200] = "";
        if (topology_open(&t, row[k].name, &p, why, sizeof why))
            fail_msg("%s: %s", row[k].name, why);
        for (unsigned n = 0; n < 2000; n++) {
            uint32_t a = n == 0 || n == 2 ? 0 : n == 1 ? t.processors - 1 : draw(t.processors);
            uint32_t b = n == 0 ? t.processors - 1 : n == 1 ? 0 : n == 2 && row[k].radix ? middle(&t) : draw(t.processors);
            unsigned hops = row[k].radix ? distance(&t, a, b) : (unsigned)__builtin_popcount(a ^ b);
            for (unsigned l = 1; strcmp(row[k].name, "fat-tree") == 0; l++)
                if (a >> 2 * l == b >> 2 * l) {
                    hops = 2 * l;
                    break;
                }
            if (strstr(row[k].name, "butterfly"))
                hops = 20; /* log2 of the rows */
            if (a != b)
                walk(&t, row[k].path, a, b, hops);
        }
        topology_close(&t);
    }
}

/* What can is found: a ring without a second channel, turns without an order. */
static void deadlocks_are_found(void **state)
{
    (void)state;
    for (unsigned k = 5; k <= 8; k++)
        CHECK_AT(k, cycle_in("torus", k, 1, "e-cube", 1), k);
    for (unsigned k = 4; k <= 8; k++)
        assert_true(cycle_in("torus", k, 2, "loose-hop", 0) > 0);
    assert_true(cycle_in("torus", 8, 2, "e-cube", 1) > 0);
    CHECK_EQ(cycle_in("torus", 3, 1, "e-cube", 1), 0); /* one hop at most: nobody waits */
    CHECK_EQ(cycle_in("mesh", 4, 2, "minimal-adaptive", 1), 4);
    assert_true(cycle_in("torus", 4, 2, "minimal-adaptive", 4) > 0);
}

/* BC's footnote: a message that has made i hops may take any class up to i.  Fine for packets that
 * are stored, not for worms. */
static unsigned any_class_below(const struct topology *t, const struct topology_place *at,
                                uint32_t dst, struct topology_choice choice[TOPOLOGY_MAX_PORTS])
{
    unsigned count = topology_torus.route(t, at, dst, choice);
    for (unsigned k = 0; k < count; k++)
        choice[k].low = 0;
    return count;
}

static unsigned class_too_high(const struct topology *t, const struct topology_place *at,
                               uint32_t dst, struct topology_choice choice[TOPOLOGY_MAX_PORTS])
{
    unsigned count = topology_torus.route(t, at, dst, choice);
    choice[0].high = (uint8_t)(at->node == 5 ? t->classes : choice[0].high);
    return count;
}

static void the_footnote(void **state)
{
    struct topology t;
    struct topology_kind kind = topology_torus;
    struct dependency d;
    struct topology_place bad;

    (void)state;
    must_open(&t, "torus", 4, 2, "positive-hop", 0);
    CHECK_EQ(cycle_of(&t), 0);
    kind.route = any_class_below;
    t.kind = &kind;
    assert_true(cycle_of(&t) > 0);
    kind.route = class_too_high;
    CHECK_EQ(dependency_topology(&t, &d, &bad), -2);
    CHECK_EQ(bad.node, 5);
    topology_close(&t);
}

static void wrong_parameters(void **state)
{
    static const struct {
        const char *name;
        unsigned radix, dimensions;
        const char *path;
        unsigned classes;
        const char *says;
    } cases[] = {
        {"tours", 4, 2, NULL, 0, "topology = tours; allowed: fat-tree, torus, mesh"},
        {"torus", 4, 2, "ecube", 0, "path = ecube; allowed on a torus: e-cube, north-last"},
        {"torus", 1, 2, NULL, 0, "radix = 1; allowed: 2 to 64"},
        {"torus", 65, 2, NULL, 0, "radix = 65; allowed: 2 to 64"},
        {"mesh", 4, 0, NULL, 0, "dimensions = 0; allowed: 1 to 4"},
        {"mesh", 4, 5, NULL, 0, "dimensions = 5; allowed: 1 to 4"},
        {"torus", 5, 2, "negative-hop", 0, "radix = 5 with path = negative-hop; allowed: an even one"},
        {"torus", 4, 3, "north-last", 0, "dimensions = 3 with path = north-last; allowed: 2"},
        {"torus", 16, 2, "negative-hop", 8, "vcs = 8; allowed: path = negative-hop takes 9 to 129"},
        {"torus", 16, 2, "positive-hop", 16, "takes 17 to 129"},
        {"torus", 16, 2, "e-cube", 130, "vcs = 130; allowed: path = e-cube takes 1 to 129"},
        {"mesh", 64, 4, "positive-hop", 0, "path = positive-hop takes 253 virtual channels; allowed: up to 129"},
    };
    struct topology t;
    char why[200];

    (void)state;
    for (unsigned k = 0; k < ROWS(cases); k++) {
        struct topology_params p = {.radix = cases[k].radix, .dimensions = cases[k].dimensions,
                                    .path = cases[k].path, .classes = cases[k].classes};
        CHECK_AT(k, topology_open(&t, cases[k].name, &p, why, sizeof why), -1);
        if (!strstr(why, cases[k].says))
            fail_msg("case %u: '%s' lacks '%s'", k, why, cases[k].says);
    }
}

/* The channels that numbers of hops take, from the farthest nodes: a class for each hop and one for who has arrived (docs/topologies.md);
 * of negative hops half of that, rounded up. */
static void classes_of_hops(void **state)
{
    static const char *const by_hops[] = {"positive-hop", "loose-hop", "negative-hop"};
    (void)state;
    for (unsigned k = 2; k <= 9; k++)
        for (unsigned n = 1; n <= (k < 6 ? 4 : 3); n++)
            for (unsigned torus = 0; torus < 2; torus++)
                for (unsigned path = 0; path < ROWS(by_hops); path++) {
                    struct topology t;
                    uint32_t most = 0;
                    if (path == 2 && torus && k % 2)
                        continue;
                    must_open(&t, torus ? "torus" : "mesh", k, n, by_hops[path], 0);
                    for (uint32_t b = 0; b < t.processors; b++)
                        most = distance(&t, 0, b) > most ? distance(&t, 0, b) : most;
                    CHECK_AT(100 * k + n, t.classes, path == 2 ? (most + 1) / 2 + 1 : most + 1);
                    topology_close(&t);
                }
    for (unsigned n = 1; n <= 16; n++) { /* a hypercube's way has n hops at most */
        struct topology t;
        struct topology_params p = {.processors = 1u << n, .path = "negative-hop"};
        char why[200] = "";
        assert_int_equal(topology_open(&t, "hypercube", &p, why, sizeof why), 0);
        CHECK_AT(n, t.classes, (n + 1) / 2 + 1);
        topology_close(&t);
    }
}

/* Which channels a head may take on any way, by the hops behind it: their number, those from odd nodes, or up to one above the last
 * hop's. */
static void channels_by_hops(void **state)
{
    static const struct { const char *name, *path; unsigned radix, dimensions; } row[] = {
        {"torus", "positive-hop", 5, 2}, {"torus", "positive-hop", 8, 3}, {"mesh", "positive-hop", 7, 2},  {"torus", "negative-hop", 6, 2},
        {"torus", "negative-hop", 4, 3}, {"mesh", "negative-hop", 5, 2},  {"mesh", "negative-hop", 4, 3},  {"torus", "loose-hop", 6, 2},
        {"torus", "loose-hop", 5, 3},    {"mesh", "loose-hop", 7, 2},     {"hypercube", "negative-hop", 0, 7},
        {"hypercube", "negative-hop", 0, 4}};
    (void)state;
    for (size_t k = 0; k < ROWS(row); k++) {
        struct topology t;
        struct topology_params p = {.radix = row[k].radix, .dimensions = row[k].dimensions, .path = row[k].path,
                                    .processors = row[k].radix ? 0 : 1u << row[k].dimensions};
        char why[200] = "";
        if (topology_open(&t, row[k].name, &p, why, sizeof why))
            fail_msg("%s", why);
        for (unsigned walk = 0; walk < 300; walk++) {
            struct topology_place at = {.node = draw(t.nodes), .from = TOPOLOGY_NONE};
            struct topology_choice choice[TOPOLOGY_MAX_PORTS];
            uint32_t dst = draw(t.nodes);
            unsigned hops = 0, odd = 0, count;
            while ((count = t.kind->route(&t, &at, dst, choice))) {
                bool loose = row[k].path[0] == 'l';
                unsigned high = row[k].path[0] == 'p' ? hops : row[k].path[0] == 'n' ? odd : hops ? at.class + 1 : 0;
                for (unsigned j = 0; j < count; j++) {
                    CHECK_AT(k, choice[j].low, loose ? 0 : high);
                    CHECK_AT(k, choice[j].high, high);
                }
                struct topology_choice c = choice[draw(count)];
                hops++;
                odd += coloured(&t, at.node);
                at = (struct topology_place){t.kind->far(&t, at.node, c.port), at.node, c.port,
                                             c.low + draw(c.high - c.low + 1u), 0};
            }
        }
        topology_close(&t);
    }
}

struct walked {
    const struct topology *t;
    uint32_t dst, end, channels;
    bool *seen;  /* [channels], on the way to dst */
    bool *after; /* [channels * channels]: a worm may hold the first and ask for the second */
};

static void walk_on(struct walked *w, const struct topology_place *at, uint32_t held)
{
    struct topology_choice choice[TOPOLOGY_MAX_PORTS];
    if (at->node == w->end && held != TOPOLOGY_NONE)
        return;
    unsigned count = w->t->kind->route(w->t, at, w->dst, choice);
    for (unsigned k = 0; k < count; k++)
        for (unsigned class = choice[k].low; class <= choice[k].high; class++) {
            uint32_t c = topology_channel(w->t, at->node, choice[k].port, class);
            struct topology_place next = {.node = w->t->kind->far(w->t, at->node, choice[k].port), .from = at->node,
                                          .port = choice[k].port, .class = class};
            if (held != TOPOLOGY_NONE)
                w->after[(size_t)held * w->channels + c] = true;
            if (!w->seen[c]) {
                w->seen[c] = true;
                walk_on(w, &next, c);
            }
        }
}

/* Who waits for whom, walked worm by worm, where the channels of a node are about a word or two of bits, or more. */
static void dependencies_of_wide_nodes(void **state)
{
    static const struct wide {
        const char *name, *path;
        unsigned radix, dimensions, classes, links;
    } wide[] = {
        {"torus", "e-cube", 3, 2, 12, 1}, {"torus", "e-cube", 3, 2, 13, 1}, {"torus", "minimal-adaptive", 3, 2, 13, 1},
        {"torus", "e-cube", 3, 2, 16, 0}, {"mesh", "minimal-adaptive", 3, 2, 26, 1}, {"mesh", "e-cube", 2, 3, 9, 1},
        {"mesh", "north-last", 3, 2, 17, 0}, {"torus", "positive-hop", 3, 2, 33, 1}, {"mesh", "e-cube", 3, 1, 43, 1},
        {"torus", "loose-hop", 2, 1, 63, 1}, {"torus", "e-cube", 3, 1, 64, 0}, {"mesh", "minimal-adaptive", 2, 2, 1, 0}};
    (void)state;
    for (unsigned k = 0; k < sizeof wide / sizeof *wide; k++) {
        struct topology t;
        struct topology_place bad;
        struct dependency d;
        char why[200] = "";
        struct topology_params p = {.radix = wide[k].radix, .dimensions = wide[k].dimensions, .path = wide[k].path,
                                    .classes = wide[k].classes, .processor_links = wide[k].links};
        if (topology_open(&t, wide[k].name, &p, why, sizeof why))
            fail_msg("%u: %s", k, why);
        struct walked w = {.t = &t, .channels = (uint32_t)topology_channels(&t)};
        w.seen = malloc(w.channels * sizeof *w.seen);
        w.after = calloc((size_t)w.channels * w.channels, sizeof *w.after);
        for (w.dst = 0; w.dst < t.processors; w.dst++) {
            w.end = topology_leave(&t, w.dst);
            memset(w.seen, 0, w.channels * sizeof *w.seen);
            for (uint32_t src = 0; src < t.processors; src++)
                if (topology_enter(&t, src) != w.end)
                    walk_on(&w, &(struct topology_place){.node = topology_enter(&t, src), .from = TOPOLOGY_NONE}, TOPOLOGY_NONE);
        }
        CHECK_AT(k, dependency_topology(&t, &d, &bad), 0);
        for (uint32_t c = 0; c < w.channels; c++) {
            uint32_t j = d.first[c];
            for (uint32_t next = 0; next < w.channels; next++) {
                bool there = j < d.first[c + 1] && d.next[j] == next;
                CHECK_AT(k, there, w.after[(size_t)c * w.channels + next]);
                j += there;
            }
            CHECK_AT(k, j, d.first[c + 1]);
        }
        dependency_free(&d);
        free(w.seen);
        free(w.after);
        topology_close(&t);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dependencies_of_wide_nodes),
        cmocka_unit_test(links),
        cmocka_unit_test(classes_of_hops),
        cmocka_unit_test(levels_of_links),
        cmocka_unit_test(choices_are_minimal),
        cmocka_unit_test(halves),
        cmocka_unit_test(ways_round_a_ring),
        cmocka_unit_test(no_deadlock),
        cmocka_unit_test(spare_channels),
        cmocka_unit_test(ranks),
        cmocka_unit_test(hypercube),
        cmocka_unit_test(channels_by_hops),
        cmocka_unit_test(largest),
        cmocka_unit_test(deadlocks_are_found),
        cmocka_unit_test(the_footnote),
        cmocka_unit_test(wrong_parameters),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
