/* SPDX-License-Identifier: Apache-2.0
 * test_paths.c - path collections: that paths are paths, what crosses each link, and the checks that
 * theorems need.
 */
#include "paths.h"

#include "fat_tree.h"
#include "rng.h"

#include <string.h>

#include "collections.h"

static char why[300];

/* Every link of a path begins where the one before ends, none comes twice; counts what finish() does
 * in another way. */
static void check_paths(const struct paths *p)
{
    uint32_t most = 0, longest = 0;
    for (uint32_t k = 0; k < p->count; k++) {
        assert_true(p->first[k] < p->first[k + 1]);
        for (size_t j = p->first[k]; j < p->first[k + 1]; j++) {
            assert_true(p->link[j] < p->links && p->from[p->link[j]] < p->nodes);
            if (j > p->first[k])
                CHECK_AT(k, p->from[p->link[j]], p->to[p->link[j - 1]]);
            for (size_t i = p->first[k]; i < j; i++)
                assert_true(p->link[i] != p->link[j]);
        }
        longest = paths_length(p, k) > longest ? paths_length(p, k) : longest;
    }
    for (uint32_t link = 0; link < p->links; link++) {
        uint32_t n = 0;
        for (size_t j = 0; j < p->first[p->count]; j++)
            n += p->link[j] == link;
        most = n > most ? n : most;
    }
    CHECK_EQ(p->congestion, most);
    CHECK_EQ(p->dilation, longest);
}

static struct fatfly_config config_of(const char *topology, uint32_t nodes, enum fatfly_path path)
{
    struct fatfly_config c;
    fatfly_defaults(&c);
    c.topology = topology;
    c.nodes = nodes;
    c.path = path;
    c.seed = 1 + draw(1000);
    c.rounds = 1 + draw(3);
    return c;
}

static void must_make(struct paths *p, struct topology *t, const struct fatfly_config *c)
{
    if (topology_of(c, t, why, sizeof why) || paths_of(p, c, t, why, sizeof why))
        fail_msg("%s: %s", c->topology, why);
    uint64_t hops;
    assert_true(paths_memory(c, t, &hops) > 4 * hops);
    CHECK_EQ(hops, p->first[p->count]);
}

static void of_cubes(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 40; round++) {
        struct fatfly_config c = config_of(round % 2 ? "torus" : "mesh", 0, FATFLY_E_CUBE);
        struct topology t;
        struct paths p;
        c.dimensions = 1 + draw(3);
        c.radix = 2 + draw(4);
        c.nodes = 1;
        for (unsigned d = 0; d < c.dimensions; d++)
            c.nodes *= c.radix;
        c.vcs = 0;
        must_make(&p, &t, &c);
        check_paths(&p);
        for (uint32_t k = 0; k < p.count; k++) {
            unsigned hops = 0;
            uint32_t a = p.worm[k].src, b = p.worm[k].dst;
            CHECK_AT(k, p.from[p.link[p.first[k]]], a);
            CHECK_AT(k, p.to[p.link[p.first[k + 1] - 1]], b);
            for (unsigned d = 0; d < c.dimensions; d++) {
                unsigned x = a % c.radix, y = b % c.radix, far = x > y ? x - y : y - x;
                hops += round % 2 && c.radix - far < far ? c.radix - far : far;
                a /= c.radix;
                b /= c.radix;
            }
            CHECK_AT(k, paths_length(&p, k), hops);
        }
        CHECK_EQ(paths_shortcut_free(&p, why, sizeof why), FATFLY_OK);
        paths_free(&p);
        topology_close(&t);
    }
}

/* One path of log N links to every row, at every level one link; two worms for one row meet. */
static void of_butterflies(void **state)
{
    (void)state;
    for (unsigned bits = 1; bits <= 6; bits++) {
        struct fatfly_config c = config_of("butterfly", 1u << bits, FATFLY_GREEDY);
        struct topology t;
        struct paths p;
        uint32_t start[64 * 3];
        c.vcs = 0;
        must_make(&p, &t, &c);
        check_paths(&p);
        CHECK_AT(bits, p.dilation, bits);
        CHECK_AT(bits, paths_leveled(&p, start), FATFLY_OK);
        CHECK_AT(bits, paths_shortcut_free(&p, why, sizeof why), FATFLY_OK);
        for (uint32_t k = 0; k < p.count; k++) {
            CHECK_AT(k, start[k], 0);
            CHECK_AT(k, paths_length(&p, k), bits);
        }
        paths_free(&p);
        c.pattern = FATFLY_HOTSPOT;
        c.hotspot = 1;
        c.self_traffic = true;
        assert_int_equal(paths_of(&p, &c, &t, why, sizeof why), FATFLY_OK);
        CHECK_AT(bits, p.congestion, c.rounds << (bits - 1)); /* half of them by each last link */
        paths_free(&p);
        topology_close(&t);
    }
}

/* The links that the simulator's heads cross are those of the collection. */
static void of_fat_trees(void **state)
{
    (void)state;
    for (uint32_t nodes = 4; nodes <= 256; nodes *= 4)
        for (unsigned round = 0; round < 5; round++) {
            struct fatfly_config c = config_of(NULL, nodes, FATFLY_FP);
            struct topology t;
            struct paths p;
            static struct fatfly_result r;
            static uint32_t worms[6 * 120 + 256];
            struct fatfly_hooks hooks = {.link_worms = worms};
            c.length = 3;
            assert_int_equal(topology_of(&c, &t, why, sizeof why), 0);
            assert_int_equal(paths_of(&p, &c, &t, why, sizeof why), FATFLY_OK);
            check_paths(&p);
            assert_int_equal(fatfly_run(&c, &hooks, &r, why, sizeof why), FATFLY_OK);
            CHECK_AT(nodes, r.worms, p.count);
            CHECK_AT(nodes, r.congestion, p.congestion);
            CHECK_AT(nodes, r.dilation, p.dilation);
            for (size_t j = 0; j < p.first[p.count]; j++)
                worms[p.link[j]]--;
            for (uint32_t k = 0; k < p.links; k++)
                CHECK_AT(k, worms[k], 0);
            for (uint32_t k = 0; k < p.count; k++) {
                uint32_t switches = p.nodes - nodes;
                CHECK_AT(k, p.from[p.link[p.first[k]]], switches + p.worm[k].src);
                CHECK_AT(k, p.to[p.link[p.first[k + 1] - 1]], switches + p.worm[k].dst);
            }
            paths_free(&p);
        }
}

/* Links 0: 0 to 1, 1: 1 to 2, 2: 2 to 3, 3: 0 to 2, 4: 3 to 0. */
static const uint32_t from[] = {0, 1, 2, 0, 3}, to[] = {1, 2, 3, 2, 0};

static int give(struct paths *p, uint32_t count, const size_t *first, const uint32_t *link)
{
    *why = '\0';
    return paths_given(p, 4, 5, from, to, count, first, link, 8, why, sizeof why);
}

static void what_is_no_path_is_refused(void **state)
{
    (void)state;
    struct paths p;
    char said[64];
    const size_t first[] = {0, 2, 4};
    assert_int_equal(give(&p, 2, first, (uint32_t[]){0, 1, 1, 2}), FATFLY_OK);
    check_paths(&p);
    CHECK_EQ(p.congestion, 2);
    CHECK_EQ(p.worm[1].number, 2);
    CHECK_EQ(p.worm[1].length, 8);
    paths_free(&p);
    assert_int_equal(give(&p, 2, first, (uint32_t[]){0, 1, 1, 3}), FATFLY_BAD_CONFIG);
    assert_string_equal(why, "path 1: link 3 (0 to 2) does not begin where the last one ends");
    const size_t round[] = {0, 5};
    assert_int_equal(give(&p, 1, round, (uint32_t[]){3, 2, 4, 3, 2}), FATFLY_BAD_CONFIG);
    assert_string_equal(why, "path 0: link 3 (0 to 2) is in it twice");
    assert_int_equal(give(&p, 2, first, (uint32_t[]){0, 1, 1, 5}), FATFLY_BAD_CONFIG);
    assert_string_equal(why, "path 1: link 5; allowed: 0 to 4");
    for (uint32_t empty = 0; empty < 3; empty++) {
        const size_t around[] = {0, empty > 0, 1 + (empty > 1), 2};
        assert_int_equal(give(&p, 3, around, (uint32_t[]){0, 1}), FATFLY_BAD_CONFIG);
        snprintf(said, sizeof said, "path %u: no link; allowed: at least one", empty);
        assert_string_equal(why, said);
    }
}

static void levels_and_shortcuts(void **state)
{
    (void)state;
    struct paths p;
    uint32_t start[2];
    const size_t first[] = {0, 3, 4}, second[] = {0, 3, 5};
    /* 0-1-2-3 alone has levels 0, 1, 2 */
    assert_int_equal(give(&p, 1, first, (uint32_t[]){0, 1, 2}), FATFLY_OK);
    CHECK_EQ(paths_leveled(&p, start), FATFLY_OK);
    CHECK_EQ(start[0], 0);
    CHECK_EQ(paths_shortcut_free(&p, why, sizeof why), FATFLY_OK);
    paths_free(&p);
    /* 1-2-3 begins a level above it */
    assert_int_equal(give(&p, 2, second, (uint32_t[]){0, 1, 2, 1, 2}), FATFLY_OK);
    CHECK_EQ(paths_leveled(&p, start), FATFLY_OK);
    CHECK_EQ(start[1], 1);
    paths_free(&p);
    /* 0-2 is shorter than 0-1-2, but link 3 takes part in no chain, so levels there are */
    assert_int_equal(give(&p, 2, first, (uint32_t[]){0, 1, 2, 3}), FATFLY_OK);
    CHECK_EQ(paths_leveled(&p, start), FATFLY_OK);
    CHECK_EQ(paths_shortcut_free(&p, why, sizeof why), FATFLY_BAD_CONFIG);
    assert_string_equal(why, "worm 1 takes 3 links from node 0 to 3, and parts of paths make one of 2");
    paths_free(&p);
    /* 0-1-2-1-3 and 0-1-3 ask the last link to be at two levels */
    const size_t loop[] = {0, 4, 6};
    assert_int_equal(paths_given(&p, 4, 4, (uint32_t[]){0, 1, 2, 1}, (uint32_t[]){1, 2, 1, 3}, 2, loop,
                                 (uint32_t[]){0, 1, 2, 3, 0, 3}, 1, why, sizeof why), FATFLY_OK);
    CHECK_EQ(paths_leveled(&p, start), FATFLY_BAD_CONFIG);
    paths_free(&p);
    /* round in a ring: 2-3-0-1 and 0-1-2 ask 0 to be before and behind */
    const size_t ring[] = {0, 3, 6};
    assert_int_equal(paths_given(&p, 4, 4, (uint32_t[]){0, 1, 2, 3}, (uint32_t[]){1, 2, 3, 0}, 2, ring,
                                 (uint32_t[]){2, 3, 0, 0, 1, 2}, 1, why, sizeof why), FATFLY_OK);
    CHECK_EQ(paths_leveled(&p, start), FATFLY_BAD_CONFIG);
    CHECK_EQ(paths_shortcut_free(&p, why, sizeof why), FATFLY_OK);
    paths_free(&p);
}

static void of_random_graphs(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 100; round++) {
        struct paths p;
        uint32_t nodes = 2 + draw(30), degree = 1 + draw(4), count = draw(60), start[60];
        random_collection(&p, unit_seed + round, nodes, degree, count, 1 + draw(12), 4);
        CHECK_EQ(p.count, count);
        check_paths(&p);
        paths_free(&p);
        uint32_t levels = 1 + draw(8);
        leveled_collection(&p, unit_seed + round, nodes, levels, degree, count, 4);
        check_paths(&p);
        CHECK_EQ(paths_leveled(&p, start), FATFLY_OK);
        CHECK_EQ(paths_shortcut_free(&p, why, sizeof why), FATFLY_OK);
        for (uint32_t k = 0; k < count; k++) {
            CHECK_AT(k, start[k], 0);
            CHECK_AT(k, paths_length(&p, k), levels);
        }
        paths_free(&p);
    }
}

/* Rows of nodes with three links from each: two to the next row and one anywhere.  Paths of up to five links from any row, which
 * take one of the last kind once in `odd` links. */
static void paths_through_rows(struct paths *p, uint32_t rows, uint32_t width, uint32_t count, unsigned odd)
{
    uint32_t nodes = rows * width, links = 3 * nodes;
    struct tables t;

    tables_make(&t, links, count, 5);
    for (uint32_t k = 0; k < links; k++) {
        uint32_t a = k / 3, anywhere = (a + 1 + draw(nodes - 1)) % nodes;
        t.from[k] = a;
        t.to[k] = k % 3 == 2 || a + width >= nodes ? anywhere : (a / width + 1) * width + draw(width);
    }
    for (uint32_t k = 0; k < count; k++) {
        uint32_t at = draw(nodes - width), hops = 0, *path = &t.link[t.first[k]];
        for (uint32_t left = 1 + draw(5); left && (!hops || at < nodes - width); left--) {
            uint32_t link = 3 * at + (draw(odd) ? draw(2) : 2);
            bool again = false;
            for (uint32_t j = 0; j < hops; j++)
                again = again || path[j] == link;
            if (again)
                break;
            path[hops++] = link;
            at = t.to[link];
        }
        t.first[k + 1] = t.first[k] + hops;
    }
    tables_give(&t, p, nodes, links, count, 4);
}

/* The level of each path's first link above the lowest link that it has to do with, and so on, found by going from neighbour to
 * neighbour; false: some link would have two. */
static bool levels_one_by_one(const struct paths *p, uint32_t *start)
{
    int64_t *level = malloc(p->links * sizeof *level), *low = malloc(p->links * sizeof *low);
    uint32_t *root = malloc(p->links * sizeof *root);
    bool good = true;

    assert_true(level && low && root);
    memset(root, 0xff, p->links * sizeof *root);
    for (size_t begin = 0; begin < p->first[p->count]; begin++) {
        uint32_t of = p->link[begin];
        bool more = root[of] == UINT32_MAX;
        if (more) {
            root[of] = of;
            level[of] = low[of] = 0;
        }
        while (more) {
            more = false;
            for (uint32_t k = 0; k < p->count; k++)
                for (size_t j = p->first[k] + 1; j < p->first[k + 1]; j++) {
                    uint32_t a = p->link[j - 1], b = p->link[j];
                    if ((root[a] == of) == (root[b] == of))
                        continue;
                    uint32_t fresh = root[a] == of ? b : a;
                    level[fresh] = root[a] == of ? level[a] + 1 : level[b] - 1;
                    root[fresh] = of;
                    low[of] = level[fresh] < low[of] ? level[fresh] : low[of];
                    more = true;
                }
        }
    }
    for (uint32_t k = 0; k < p->count; k++) {
        uint32_t link = p->link[p->first[k]];
        start[k] = (uint32_t)(level[link] - low[root[link]]);
        for (size_t j = p->first[k] + 1; j < p->first[k + 1]; j++)
            good = good && level[p->link[j]] == level[p->link[j - 1]] + 1;
    }
    free(level);
    free(low);
    free(root);
    return good;
}

/* Links that the shortest way takes over those of all paths between the ends of each path, a circle without its last link: none is
 * shorter. */
static bool none_is_shorter(const struct paths *p)
{
    enum { MOST = 40 };
    unsigned far[MOST][MOST];
    bool good = true;
    assert_true(p->nodes <= MOST);
    for (unsigned k = 0; k < MOST * MOST; k++)
        far[k / MOST][k % MOST] = k / MOST == k % MOST ? 0 : 1000;
    for (size_t j = 0; j < p->first[p->count]; j++)
        far[p->from[p->link[j]]][p->to[p->link[j]]] = 1;
    for (unsigned k = 0; k < p->nodes; k++)
        for (unsigned a = 0; a < p->nodes; a++)
            for (unsigned b = 0; b < p->nodes; b++)
                far[a][b] = far[a][k] + far[k][b] < far[a][b] ? far[a][k] + far[k][b] : far[a][b];
    for (uint32_t k = 0; k < p->count; k++) {
        unsigned length = paths_length(p, k), a = p->from[p->link[p->first[k]]], b = p->to[p->link[p->first[k + 1] - 1]];
        unsigned last = p->from[p->link[p->first[k + 1] - 1]];
        good = good && (a == b ? far[a][last] == length - 1 : far[a][b] == length);
    }
    return good;
}

/* Paths that begin and end in any row, joined in any order. */
static void levels_of_any_paths(void **state)
{
    unsigned found[2][2] = {{0}};
    (void)state;
    for (unsigned round = 0; round < 400; round++) {
        struct paths p;
        uint32_t want[150], got[150], count = 1 + draw(150), small = 1 + draw(12);
        paths_through_rows(&p, 12, 8, count, draw(2) ? 1000 : 40);
        bool leveled = levels_one_by_one(&p, want);
        CHECK_AT(round, paths_leveled(&p, got), leveled ? FATFLY_OK : FATFLY_BAD_CONFIG);
        for (uint32_t k = 0; k < count && leveled; k++)
            CHECK_AT(k, got[k], want[k]);
        found[0][leveled]++;
        paths_free(&p);
        random_collection(&p, unit_seed + round, 2 + draw(8), 1 + draw(2), small, 1 + draw(4), 4);
        bool shortest = none_is_shorter(&p);
        CHECK_AT(round, paths_shortcut_free(&p, why, sizeof why), shortest ? FATFLY_OK : FATFLY_BAD_CONFIG);
        found[1][shortest]++;
        paths_free(&p);
    }
    for (unsigned k = 0; k < 4; k++)
        assert_true(found[k / 2][k % 2] > 50);
}

int main(int argc, char **argv)
{
    unit_args(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_cubes),
        cmocka_unit_test(of_butterflies),
        cmocka_unit_test(of_fat_trees),
        cmocka_unit_test(what_is_no_path_is_refused),
        cmocka_unit_test(levels_and_shortcuts),
        cmocka_unit_test(of_random_graphs),
        cmocka_unit_test(levels_of_any_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
