/* SPDX-License-Identifier: Apache-2.0
 * test_dependency.c - the order of the channels: certificate of the fat-tree for N = 4 to 4^10, and
 * cycles that are there.
 */
#include "dependency.h"

#include "fat_tree.h"
#include "flit.h"

#include <string.h>

#include "unit.h"

/* The crosspoints of a switch that has `ports` ports: not back, not from parent to parent. */
static bool crosses(unsigned i, unsigned o, unsigned ports)
{
    return i != o && i < ports && o < ports && (i < SWITCH_CHILDREN || o < SWITCH_CHILDREN);
}

static unsigned ports_at(unsigned levels, uint32_t s)
{
    return s >= fat_tree_base(levels, levels) ? SWITCH_CHILDREN : SWITCH_PORTS;
}

/* The butterfly fat-tree's, over every crosspoint of every switch: a channel for each link as
 * fat_tree_wire() numbers them, 6 * switches + N (the virtual channels of a link depend alike). */
static void of_fat_tree(unsigned levels, struct dependency *d)
{
    uint32_t switches = fat_tree_switches(levels), links = SWITCH_PORTS * switches, n = 0;
    uint32_t *to = calloc(links, sizeof *to);

    d->channels = links + fat_tree_nodes(levels);
    d->first = calloc((size_t)d->channels + 1, sizeof *d->first);
    d->next = calloc((size_t)links * (SWITCH_PORTS - 1), sizeof *d->next);
    assert_true(to && d->first && d->next);
    fat_tree_wire(levels, to);
    for (uint32_t link = 0; link < links; link++) {
        uint32_t s = link / SWITCH_PORTS;
        unsigned i = link % SWITCH_PORTS, ports = ports_at(levels, s);
        d->first[link] = n;
        for (unsigned o = 0; o < ports; o++)
            if (crosses(i, o, ports))
                d->next[n++] = to[SWITCH_PORTS * s + o];
    }
    for (uint32_t c = links; c <= d->channels; c++)
        d->first[c] = n; /* a processor consumes and waits for nobody */
    free(to);
}

/* Rank of a link of the butterfly fat-tree, 0 .. 2 * levels - 1: the links that a worm has crossed
 * before it on a longest path.  The root's parent ports, which have no link, have rank 0. */
static uint32_t fat_tree_rank(unsigned levels, uint32_t link)
{
    uint32_t s = link / SWITCH_PORTS, a;
    unsigned l;

    if (s >= fat_tree_switches(levels))
        return 2 * levels - 1;
    fat_tree_place(levels, s, &l, &a);
    if (link % SWITCH_PORTS < SWITCH_CHILDREN)
        return l - 1;
    return l == levels ? 0 : 2 * levels - 1 - l;
}

/* The closed form is a certificate for every size that the model takes, and what is found without
 * it is as short. */
static void fat_tree_is_ordered(void **state)
{
    (void)state;
    for (unsigned levels = 1; levels <= 10; levels++) {
        struct dependency d;
        uint32_t from = 0, to = 0, top = 0;
        of_fat_tree(levels, &d);
        uint32_t *rank = calloc(d.channels, sizeof *rank);
        uint32_t *list = calloc(d.channels, sizeof *list);
        assert_true(rank && list);
        for (uint32_t c = 0; c < d.channels; c++)
            rank[c] = fat_tree_rank(levels, c);
        assert_true(dependency_check(&d, rank, &from, &to));
        CHECK_AT(levels, dependency_order(&d, rank, list), 0);
        assert_true(dependency_check(&d, rank, &from, &to));
        for (uint32_t c = 0; c < d.channels; c++) {
            CHECK_AT(c, rank[c], fat_tree_rank(levels, c));
            top = rank[c] > top ? rank[c] : top;
        }
        CHECK_AT(levels, top, 2 * levels - 1);
        /* 28 crosspoints, 12 at a root */
        uint32_t roots = fat_tree_switches(levels) - fat_tree_base(levels, levels);
        CHECK_AT(levels, d.first[d.channels], 28 * fat_tree_base(levels, levels) + 12 * roots);
        free(rank);
        free(list);
        dependency_free(&d);
    }
}

/* A switch that turned worms from parent to parent: planted, so that the check is seen to fail. */
static void a_turn_too_many_is_caught(void **state)
{
    (void)state;
    struct dependency d;
    uint32_t from = 0, to = 0;
    of_fat_tree(3, &d);
    uint32_t *rank = calloc(d.channels, sizeof *rank);
    uint32_t *list = calloc(d.channels, sizeof *list);
    assert_true(rank && list);
    for (uint32_t c = 0; c < d.channels; c++)
        rank[c] = fat_tree_rank(3, c);
    /* Switch 0 turns from parent 0 to parent 1, not to child 0: no certificate, but no cycle yet.
     * Switch 1 meets the same parents the other way round and turns worms back. */
    uint32_t *to_wire = calloc(6 * fat_tree_switches(3), sizeof *to_wire);
    assert_non_null(to_wire);
    fat_tree_wire(3, to_wire);
    d.next[d.first[4]] = to_wire[5];
    assert_false(dependency_check(&d, rank, &from, &to));
    CHECK_EQ(from, 4);
    CHECK_EQ(to, to_wire[5]);
    CHECK_EQ(dependency_order(&d, rank, list), 0);
    d.next[d.first[6 + 4]] = to_wire[6 + 5];
    uint32_t length = dependency_order(&d, rank, list);
    CHECK_EQ(length, 4);
    for (uint32_t k = 0; k < length; k++) {
        bool there = false;
        for (uint32_t j = d.first[list[k]]; j < d.first[list[k] + 1]; j++)
            there |= d.next[j] == list[(k + 1) % length];
        assert_true(there);
    }
    free(rank);
    free(list);
    free(to_wire);
    dependency_free(&d);
}

/* Random graphs: either ranks that check, or a cycle that is one, each vertex once. */
static void random_graphs(void **state)
{
    enum { MOST = 30 };
    unsigned cyclic = 0, ordered = 0;

    (void)state;
    for (unsigned round = 0; round < 2000; round++) {
        uint32_t first[MOST + 1], next[MOST * 4], rank[MOST], list[MOST], n = 0, from, to;
        struct dependency d = {.channels = 1 + draw(MOST), .first = first, .next = next};
        bool down = draw(2); /* only to lower numbers: no cycle */
        for (uint32_t c = 0; c < d.channels; c++) {
            first[c] = n;
            for (unsigned k = draw(3); k > 0; k--)
                if (!down)
                    next[n++] = draw(d.channels);
                else if (c > 0)
                    next[n++] = draw(c);
        }
        first[d.channels] = n;
        uint32_t length = dependency_order(&d, rank, list);
        if (length == 0) {
            assert_true(dependency_check(&d, rank, &from, &to));
            ordered++;
            continue;
        }
        assert_false(down);
        cyclic++;
        uint32_t seen = 0;
        for (uint32_t k = 0; k < length; k++) {
            bool there = false;
            for (uint32_t j = first[list[k]]; j < first[list[k] + 1]; j++)
                there |= next[j] == list[(k + 1) % length];
            assert_true(there);
            assert_false(seen >> list[k] & 1);
            seen |= UINT32_C(1) << list[k];
        }
    }
    assert_true(cyclic > 100 && ordered > 100);
}

/* Longest chain of all channels of a configuration, searched one by one; 0: some wait in a circle. */
static uint32_t longest_of(const struct fatfly_config *c)
{
    struct topology t;
    struct topology_place bad;
    struct dependency d;
    char why[300];
    uint32_t most = 0;

    CHECK_EQ(topology_of(c, &t, why, sizeof why), 0);
    CHECK_EQ(dependency_topology(&t, &d, &bad), 0);
    uint32_t *rank = calloc(d.channels, sizeof *rank), *cycle = calloc(d.channels, sizeof *cycle);
    assert_true(rank && cycle);
    if (dependency_order(&d, rank, cycle) == 0)
        for (uint32_t k = 0; k < d.channels; k++)
            most = rank[k] >= most ? rank[k] + 1 : most;
    free(rank);
    free(cycle);
    dependency_free(&d);
    topology_close(&t);
    return most;
}

/* Where a head may take any channel of a link one channel is searched (deadlock.c): what that says is so of all. */
static void channels_that_are_alike(void **state)
{
    static const struct { const char *topology; enum fatfly_path path; } row[] = {
        {"hypercube", FATFLY_E_CUBE}, {"hypercube", FATFLY_NEGATIVE_HOP}, {"hypercube", FATFLY_MINIMAL_ADAPTIVE},
        {"butterfly", FATFLY_GREEDY}, {"reverse-butterfly", FATFLY_GREEDY}, {"wrapped-butterfly", FATFLY_GREEDY},
        {"torus", FATFLY_E_CUBE}, {"torus", FATFLY_MINIMAL_ADAPTIVE}, {"mesh", FATFLY_E_CUBE}, {"mesh", FATFLY_MINIMAL_ADAPTIVE}};
    unsigned circles = 0;
    (void)state;
    for (size_t k = 0; k < ROWS(row); k++)
        for (unsigned vcs = 2; vcs < 6; vcs++) {
            struct fatfly_config c;
            char why[300];
            uint32_t longest = 0, want;
            fatfly_defaults(&c);
            c.topology = row[k].topology;
            c.path = row[k].path;
            c.nodes = 16;
            c.radix = 4;
            c.dimensions = 2;
            c.vcs = vcs;
            if (row[k].path == FATFLY_NEGATIVE_HOP && vcs < 3) /* takes 3 and more */
                continue;
            want = longest_of(&c);
            CHECK_AT(k, fatfly_deadlock_free(&c, &longest, NULL, why, sizeof why), want ? FATFLY_OK : FATFLY_DEADLOCK);
            if (want)
                CHECK_AT(k, longest, want);
            circles += !want;
        }
    CHECK_EQ(circles, 12); /* minimal-adaptive */
}

/* Channels that classes, or requests and replies, have for themselves: each part is a network of its own, and of that is what is said. */
static void channels_in_parts(void **state)
{
    static const struct { const char *topology; enum fatfly_path path; unsigned need; } row[] = {
        {"torus", FATFLY_E_CUBE, 1}, {"torus", FATFLY_NORTH_LAST, 2}, {"torus", FATFLY_NEGATIVE_HOP, 3}, {"mesh", FATFLY_E_CUBE, 1},
        {"mesh", FATFLY_MINIMAL_ADAPTIVE, 1}, {"hypercube", FATFLY_E_CUBE, 1}, {"hypercube", FATFLY_NEGATIVE_HOP, 3}, {"butterfly", FATFLY_GREEDY, 1}};
    (void)state;
    for (size_t k = 0; k < ROWS(row); k++)
        for (unsigned parts = 2; parts <= FATFLY_MAX_CLASSES; parts++)
            for (unsigned each = row[k].need; each < row[k].need + 3; each++) {
                struct fatfly_config c, part;
                char why[400];
                uint32_t longest = 0;
                fatfly_defaults_of(&part, row[k].topology, FATFLY_WORM);
                part.path = row[k].path;
                part.nodes = 16;
                part.radix = 4;
                part.vcs = each;
                c = part;
                c.vcs = parts * each;
                c.class_channels = FATFLY_RESERVED;
                c.classes = parts == 2 ? 1 : parts;
                c.reply[0] = parts == 2;
                uint32_t want = longest_of(&part);
                CHECK_AT(k, fatfly_deadlock_free(&c, &longest, NULL, why, sizeof why), want ? FATFLY_OK : FATFLY_DEADLOCK);
                if (want)
                    CHECK_AT(k, longest, want);
            }
}

/* A hypercube's e-cube is not searched: that its longest chain has a link of each dimension is what a search says of
 * those that can be searched. */
static void hypercubes_of_any_size(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 16; n++) {
        struct fatfly_config c;
        char why[300];
        uint32_t longest = 0;
        fatfly_defaults_of(&c, "hypercube", FATFLY_WORM);
        c.nodes = UINT32_C(1) << n;
        c.vcs = 1 + n % 2;
        CHECK_AT(n, fatfly_deadlock_free(&c, &longest, NULL, why, sizeof why), FATFLY_OK);
        CHECK_AT(n, longest, n);
        if (n <= 8)
            CHECK_AT(n, longest_of(&c), n);
    }
}

/* Which queue waits for which, if the channels of a link are one. */
static bool *joined(const struct topology *t, uint32_t links)
{
    struct topology_place bad;
    struct dependency d;
    bool *after = calloc((size_t)links * links, sizeof *after);
    assert_non_null(after);
    CHECK_EQ(dependency_topology(t, &d, &bad), 0);
    for (uint32_t c = 0; c < d.channels; c++)
        for (uint32_t k = d.first[c]; k < d.first[c + 1]; k++)
            after[(size_t)(c / t->classes) * links + d.next[k] / t->classes] = true;
    dependency_free(&d);
    return after;
}

/* Length of the longest chain of those that wait for each other; 0: some wait in a circle. */
static uint32_t longest_chain(const bool *after, uint32_t links)
{
    uint32_t *rank = calloc(links, sizeof *rank), most = 0;
    assert_non_null(rank);
    for (bool more = true; more && most < links;) {
        more = false;
        for (size_t pair = 0; pair < (size_t)links * links; pair++)
            if (after[pair] && rank[pair % links] <= rank[pair / links]) {
                rank[pair % links] = rank[pair / links] + 1;
                most = rank[pair % links] > most ? rank[pair % links] : most;
                more = true;
            }
    }
    free(rank);
    return most < links ? most + 1 : 0;
}

/* Packets wait for queues, one of each link whatever its channels: what is said of a network is so of them, and a circle that
 * is named is one. */
static void queues_of_packets(void **state)
{
    static const struct { const char *topology; enum fatfly_path path; unsigned radix, dimensions, vcs; } row[] = {
        {"torus", FATFLY_E_CUBE, 3, 2, 2}, {"torus", FATFLY_E_CUBE, 5, 1, 2}, {"torus", FATFLY_BALANCED_E_CUBE, 6, 1, 2},
        {"torus", FATFLY_NEGATIVE_HOP, 4, 2, 3}, {"torus", FATFLY_POSITIVE_HOP, 3, 2, 3}, {"torus", FATFLY_NORTH_LAST, 5, 2, 2},
        {"mesh", FATFLY_E_CUBE, 4, 2, 2}, {"mesh", FATFLY_NORTH_LAST, 3, 2, 2}, {"mesh", FATFLY_NEGATIVE_HOP, 4, 2, 4},
        {"mesh", FATFLY_POSITIVE_HOP, 4, 1, 4}, {"hypercube", FATFLY_NEGATIVE_HOP, 4, 2, 3}};
    unsigned circles = 0, orders = 0;
    (void)state;
    for (unsigned k = 0; k < 3 * ROWS(row); k++) {
        struct fatfly_config c;
        struct topology t;
        char why[4000] = "";
        uint32_t longest = 0, from, to, first = 0, last = 0, class, seen = 0;
        int n;
        fatfly_defaults_of(&c, row[k / 3].topology, FATFLY_STORE);
        c.path = row[k / 3].path;
        c.radix = row[k / 3].radix;
        c.dimensions = row[k / 3].dimensions;
        c.nodes = c.dimensions == 2 ? c.radix * c.radix : c.radix;
        c.vcs = row[k / 3].vcs + k % 3;
        c.depth = 2;
        CHECK_AT(k, topology_of(&c, &t, why, sizeof why), 0);
        const uint32_t links = t.nodes * t.ports;
        bool *after = joined(&t, links);
        uint32_t want = longest_chain(after, links);
        CHECK_AT(k, fatfly_deadlock_free(&c, &longest, NULL, why, sizeof why), want ? FATFLY_OK : FATFLY_DEADLOCK);
        if (want)
            CHECK_AT(k, longest, want);
        *(want ? &orders : &circles) += 1;
        for (const char *at = want ? "" : strstr(why, "in a circle: ") + 12; sscanf(at, " %u->%u.%u%n", &from, &to, &class, &n) == 3; at += n) {
            uint32_t link = from * t.ports;
            while (link < links && t.kind->far(&t, from, link % t.ports) != to)
                link++;
            assert_true(link / t.ports == from && class == 0);
            assert_true(!seen++ || after[(size_t)last * links + link]);
            first = seen == 1 ? link : first;
            last = link;
        }
        assert_true(want || (seen > 1 && after[(size_t)last * links + first]));
        free(after);
        topology_close(&t);
    }
    assert_true(circles > 5 && orders > 5);
}

/* Networks too large to search, whose links lead to higher nodes alone: the longest way is that of all links, counted from
 * node to node. */
static void longest_ways(void **state)
{
    enum { ENDS = 60, MIDDLE = 100, NODES = 2 * ENDS + MIDDLE };
    struct fatfly_config c;
    char why[300];
    uint32_t longest = 0;
    (void)state;
    for (unsigned round = 0; round < 20; round++) {
        static char text[20000];
        uint32_t way[NODES] = {0}, most = 0;
        size_t n = (size_t)sprintf(text, "nodes %d\n", NODES);
        for (uint32_t a = 0; a < NODES; a++) {
            uint32_t links = a == 0 ? TOPOLOGY_MAX_PORTS : a >= ENDS && a < NODES - ENDS ? 1 + draw(4) : 1, last = a;
            if (a < ENDS)
                n += (size_t)sprintf(text + n, "processor %u %u\n", a, NODES - ENDS + a);
            for (uint32_t k = 0; k < links && a + 1 < NODES; k++) { /* to the middle, on in it by some nodes, and along the exits */
                uint32_t to = a < ENDS ? ENDS + k : a >= NODES - ENDS ? a + 1 : last + 1 + draw(9);
                to = a < NODES - ENDS && to > NODES - ENDS ? NODES - ENDS : to;
                if (to == last)
                    break;
                n += (size_t)sprintf(text + n, "link %u %u %d\n", a, to, a ? 1 : TOPOLOGY_MAX_CLASSES);
                way[to] = way[a] + 1 > way[to] ? way[a] + 1 : way[to];
                most = way[to] > most ? way[to] : most;
                last = to;
            }
        }
        fatfly_defaults_of(&c, "graph", FATFLY_WORM);
        c.graph = text;
        c.nodes = ENDS;
        if (fatfly_deadlock_free(&c, &longest, NULL, why, sizeof why))
            fail_msg("%s", why);
        CHECK_AT(round, longest, most);
        sprintf(text + n, "link %d %d\n", NODES - 1, ENDS); /* too large, as it says where there is a circle */
        CHECK_AT(round, fatfly_deadlock_free(&c, &longest, NULL, why, sizeof why), FATFLY_DEADLOCK);
        assert_non_null(strstr(why, "too large to look for deadlocks"));
    }
    for (unsigned n = 1; n <= 28; n++) { /* a butterfly has a link of each level, whether it is searched or not */
        fatfly_defaults_of(&c, n % 2 ? "butterfly" : "reverse-butterfly", FATFLY_WORM);
        c.nodes = UINT32_C(1) << (n + 1) / 2;
        CHECK_AT(n, fatfly_deadlock_free(&c, &longest, NULL, why, sizeof why), FATFLY_OK);
        CHECK_AT(n, longest, (n + 1) / 2);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fat_tree_is_ordered),
        cmocka_unit_test(a_turn_too_many_is_caught),
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(channels_that_are_alike),
        cmocka_unit_test(channels_in_parts),
        cmocka_unit_test(hypercubes_of_any_size),
        cmocka_unit_test(queues_of_packets),
        cmocka_unit_test(longest_ways),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
