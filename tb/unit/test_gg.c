/* SPDX-License-Identifier: Apache-2.0
 * test_gg.c - the model against its printed equations, the paper's figures, closed forms, counting
 * by hand, and the fat-tree as one of many networks against the fat-tree's own equations.
 */
#include "fat_tree.h"
#include "gg_paths.h"

#include "unit.h" /* last: cmocka has a macro fail() */

#include <math.h>
#include <string.h>

static void near(double got, double want, double within, const char *what)
{
    if (fabs(got - want) <= within)
        return;
    print_error("%s is %.15g, want %.15g +- %g (seed %llu)\n", what, got, want, within,
                (unsigned long long)unit_seed);
    assert_true(false);
}

static void same(double got, double want, const char *what)
{
    near(got, want, 1e-12 * fabs(want), what);
}

static double fraction(void)
{
    return (draw(1000000) + 0.5) / 1e6;
}

/* -- the queues ----------------------------------------------------------------------------- */

/* Hokstad's formula as it is printed in gg.h. */
static double hokstad(unsigned m, double rate, double x, double c2)
{
    double a = rate * x, sum = 0, term = 1; /* a^k / k! */
    for (unsigned k = 0; k < m; k++) {
        sum += term;
        term *= a / (k + 1);
    }
    term *= m; /* a^m / (m-1)! */
    sum += term / (m - a);
    return term * x * (1 + c2) / (2 * (m - a) * (m - a) * sum);
}

static void waits(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 20000; k++) {
        double length = 1 + draw(100), x = length * (1 + 3 * fraction());
        double c2 = gg_variation(x, length), part = fraction(), rate = part / x;
        same(c2, (x - length) * (x - length) / (x * x), "C_b^2 (GG 5)");
        double want = rate * x * x / (2 * (1 - part)) * (1 + c2);
        near(gg_wait(1, rate, x, c2), want, 1e-9 * want, "M/G/1 (GG 4, 6)");
        rate = 2 * part / x;
        want = rate * rate * x * x * x / (2 * (4 - rate * rate * x * x)) * (1 + c2);
        near(gg_wait(2, rate, x, c2), want, 1e-9 * want, "M/G/2 (GG 7, 8)");
        unsigned m = 1 + draw(40);
        rate = m * part / x;
        want = hokstad(m, rate, x, c2);
        near(gg_wait(m, rate, x, c2), want, 1e-9 * want, "M/G/m (Hokstad)");
    }
    /* Tables of Erlang's C: two erlangs on three and four servers; C^2 = 1 is M/M/m. */
    same(gg_wait(3, 0.5, 4, 1), 4.0 / 9 * 4 / (3 - 2), "M/M/3");
    same(gg_wait(4, 0.5, 4, 1), 4.0 / 23 * 4 / (4 - 2), "M/M/4");
    same(gg_wait(1, 0, 5, 0), 0, "no arrivals");
    same(gg_wait(7, 0, 5, 0), 0, "no arrivals");
    for (unsigned m = 1; m < 100; m++) {
        assert_true(isinf(gg_wait(m, m * 0.25, 4, 0)));
        assert_true(isinf(gg_wait(m, m * 0.26, 4, 0)));
        assert_true(isfinite(gg_wait(m, m * 0.2499, 4, 0)));
        assert_true(isinf(gg_wait(m, 1, INFINITY, NAN)));
    }
}

static void blocking(void **state)
{
    (void)state;
    same(gg_blocking(1, 0.1, 0.1, 1), 0, "one link into one");
    same(gg_blocking(1, 0.1, 0.3, 1), 2.0 / 3, "three links into one (GG 20)");
    same(gg_blocking(1, 0.2, 0.1, 0.25), 0.5, "GG 18");
    same(gg_blocking(2, 0.1, 0.3, 0.75), 0.5, "two servers");
    same(gg_blocking(3, 0.2, 0.3, 0.4), 0.2, "three servers");
    same(gg_blocking(2, 0.2, 0.2, 0.9), 0, "never below zero");
}

/* -- the fat-tree --------------------------------------------------------------------------- */

/* Rates and distance against all pairs of processors. */
static void counted_by_hand(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 5; n++) {
        uint32_t nodes = fat_tree_nodes(n);
        double pairs = (double)nodes * (nodes - 1), links = 0, above[GG_MAX_LEVELS] = {0};
        struct gg_result r;
        for (uint32_t a = 0; a < nodes; a++)
            for (uint32_t b = 0; b < nodes; b++)
                for (unsigned l = 0; l < n && a >> 2 * l != b >> 2 * l; l++) {
                    links += 2;
                    above[l]++; /* it crosses <l, l+1> and <l+1, l> */
                }
        CHECK_EQ(gg_fat_tree(n, 8, 0.4 / nodes, &r), GG_OK);
        same(r.distance, links / pairs, "distance");
        for (unsigned l = 0; l < n; l++) {
            double wires = (double)(nodes >> l), sent = 0.4 / nodes / 8 * nodes;
            same(r.up[l].rate, sent * above[l] / pairs / wires, "rate up (GG 14)");
            same(r.down[l].rate, r.up[l].rate, "rate down (GG 15)");
            same(gg_goes_up(n, l), above[l] / pairs, "goes up (GG 12)");
        }
    }
}

/* The numbers of GG's figure 3 that a trial implementation gave (spec, section 7). */
static void figure_3(void **state)
{
    static const struct { double length, load, latency; } point[] = {
        {16, 0.02, 28.2}, {32, 0.02, 48.1}, {64, 0.02, 87.9},
        {16, 0.03, 33.7}, {32, 0.03, 59.0}, {64, 0.03, 109.6},
    };
    struct gg_result r;
    (void)state;
    for (size_t k = 0; k < ROWS(point); k++) {
        CHECK_AT(k, gg_fat_tree(5, point[k].length, point[k].load, &r), GG_OK);
        near(r.latency, point[k].latency, 0.0501, "latency, N = 1024");
    }
    near(gg_saturation(5), 0.0391, 0.00005, "saturation, N = 1024");
}

/* N = 4 has no links between switches: x = L + (2/3) W and rho x / L = 1 give a quadratic. */
static void four_processors(void **state)
{
    struct gg_result r;
    double load = 0.4, length = 10, rate = load / length;
    (void)state;
    same(gg_saturation(1), (3 - sqrt(3)) / 2, "saturation, N = 4");
    CHECK_EQ(gg_fat_tree(1, length, load, &r), GG_OK);
    double w = rate * length * length / (2 * (1 - load)), x = length + w * 2 / 3;
    double w0 = rate * x * x / (2 * (1 - rate * x)) * (1 + (x - length) * (x - length) / (x * x));
    same(r.down[0].service, length, "x_{1,0}");
    same(r.down[0].wait, w, "W_{1,0}");
    same(r.down[0].from_below, 2.0 / 3, "P of siblings");
    same(r.down[0].from_above, 0, "nothing from above");
    same(r.up[0].service, x, "x_{0,1}");
    same(r.up[0].wait, w0, "W_{0,1}: one server, although it goes up");
    same(r.distance, 2, "distance");
    same(r.latency, w0 + x + 1, "latency");
}

/* N = 16, each equation once, by hand: P_1 = 12/15. */
static void sixteen_processors(void **state)
{
    struct gg_result r;
    double length = 20, rate = 0.01, top = rate * 0.8 * 2;
    (void)state;
    CHECK_EQ(gg_fat_tree(2, length, rate * length, &r), GG_OK);
    double w10 = gg_wait(1, rate, length, 0);
    double x21 = length + (1 - top / rate / 4) * w10;
    double w21 = gg_wait(1, top, x21, gg_variation(x21, length));
    double x12 = x21 + w21 * 2 / 3;
    double w12 = gg_wait(2, 2 * top, x12, gg_variation(x12, length)); /* with the correction */
    double x01 = (x12 + (1 - rate / top * 0.8) * w12) * 0.8 + (length + (1 - 0.2 / 3) * w10) * 0.2;
    same(r.down[1].service, x21, "x_{2,1} (GG 18)");
    same(r.down[1].wait, w21, "W_{2,1} (GG 19)");
    same(r.up[1].service, x12, "x_{1,2} (GG 20)");
    same(r.up[1].wait, w12, "W_{1,2} (GG 21)");
    same(r.up[0].service, x01, "x_{0,1} (GG 22)");
    same(r.wait, gg_wait(1, rate, x01, gg_variation(x01, length)), "W_{0,1} (GG 24)");
    same(r.up[0].from_below, 1, "all wait at the source");
    same(r.up[1].from_below, 0.5, "P up");
    same(r.down[0].from_below, 1 - 0.2 / 3, "P of siblings");
    same(r.down[0].from_above, 0.6, "P from above");
}

static void saturation(void **state)
{
    static const double length[] = {1, 2, 7, 16, 31, 32, 64, 100, 4096};
    double before = 1;
    (void)state;
    for (unsigned n = 1; n <= GG_MAX_LEVELS; n++) {
        double most = gg_saturation(n);
        assert_true(most > 0.45 * before && most < before);
        before = most;
        for (size_t k = 0; k < ROWS(length); k++) {
            struct gg_result r;
            double last = 0;
            /* The same for every L. */
            CHECK_AT(n, gg_fat_tree(n, length[k], most * (1 + 1e-10), &r), GG_SATURATED);
            same(r.latency + r.service + r.wait + r.up[0].service + r.down[n - 1].wait, 0,
                 "no number when saturated");
            assert_true(r.up[0].rate > 0);
            CHECK_AT(n, gg_fat_tree(n, length[k], most * (1 - 1e-10), &r), GG_OK);
            near(r.service * r.up[0].rate, 1, 1e-3, "x lambda at saturation (GG 26)");
            CHECK_AT(n, gg_fat_tree(n, length[k], 1e6, &r), GG_SATURATED);
            for (unsigned p = 0; p <= 99; p++) {
                CHECK_AT(p, gg_fat_tree(n, length[k], most * p / 100, &r), GG_OK);
                if (p == 0)
                    same(r.latency, length[k] + r.distance - 1, "latency at no load");
                assert_true(isfinite(r.latency) && r.latency > last);
                last = r.latency;
            }
        }
    }
}

static void bad_input(void **state)
{
    static const struct { unsigned levels; double length, load; } bad[] = {
        {0, 32, 0.1}, {11, 32, 0.1}, {4000000000u, 32, 0.1}, {5, 0, 0.1}, {5, 0.5, 0.1},
        {5, -1, 0.1}, {5, 32, -0.1}, {5, NAN, 0.1}, {5, 32, NAN}, {5, INFINITY, 0.1},
        {5, 32, INFINITY},
    };
    struct gg_result r;
    struct gg_description d;
    (void)state;
    for (size_t k = 0; k < ROWS(bad); k++)
        CHECK_AT(k, gg_fat_tree(bad[k].levels, bad[k].length, bad[k].load, &r), GG_BAD);
    assert_true(gg_saturation(0) == 0 && gg_saturation(11) == 0);
    assert_false(gg_describe(&d, 0));
    assert_false(gg_describe(&d, 11));
}

/* -- any network ---------------------------------------------------------------------------- */

static void fat_tree_as_a_network(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= GG_MAX_LEVELS; n++) {
        struct gg_description d;
        struct gg_state s[2 * GG_MAX_LEVELS];
        struct gg_total t;
        struct gg_result r;
        assert_true(gg_describe(&d, n));
        double most = gg_saturation(n);
        near(gg_network_saturation(&d.network, s), most, 4 * GG_TOLERANCE * most, "saturation");
        for (unsigned p = 0; p <= 120; p += 4) {
            double length = 1 + draw(100), load = most * p / 100;
            enum gg_status want = gg_fat_tree(n, length, load, &r);
            CHECK_AT(p, gg_solve(&d.network, length, load, s, &t), want);
            CHECK_AT(p, want, p < 100 ? GG_OK : p > 100 ? GG_SATURATED : want);
            if (want != GG_OK)
                continue;
            same(t.latency, r.latency, "latency");
            same(t.service, r.service, "service");
            same(t.wait, r.wait, "wait");
            for (unsigned l = 0; l < n; l++) {
                same(s[l].service, r.down[l].service, "service down");
                same(s[l].wait, r.down[l].wait, "wait down");
                same(s[2 * n - 1 - l].service, r.up[l].service, "service up");
                same(s[2 * n - 1 - l].wait, r.up[l].wait, "wait up");
            }
        }
    }
}

/* Channels in any order give the same: only the number of sweeps differs. */
static void order_of_channels(void **state)
{
    (void)state;
    for (unsigned n = 2; n <= 6; n++) {
        struct gg_description d;
        struct gg_state s[2 * GG_MAX_LEVELS], mixed[2 * GG_MAX_LEVELS];
        struct gg_channel channel[2 * GG_MAX_LEVELS];
        struct gg_next next[2 * GG_MAX_LEVELS][2];
        struct gg_total t, u;
        unsigned place[2 * GG_MAX_LEVELS], count = 2 * n;
        assert_true(gg_describe(&d, n));
        double load = 0.7 * gg_saturation(n);
        for (unsigned c = 0; c < count; c++) {
            unsigned j = draw(c + 1);
            place[c] = place[j];
            place[j] = c;
        }
        for (unsigned c = 0; c < count; c++) {
            channel[place[c]] = d.channel[c];
            channel[place[c]].next = next[c];
            for (unsigned k = 0; k < d.channel[c].nexts; k++) {
                next[c][k] = d.next[c][k];
                next[c][k].to = place[next[c][k].to];
            }
        }
        struct gg_network g = {count, channel, d.network.distance};
        CHECK_EQ(gg_solve(&d.network, 32, load, s, &t), GG_OK);
        CHECK_EQ(gg_solve(&g, 32, load, mixed, &u), GG_OK);
        same(u.latency, t.latency, "latency");
        for (unsigned c = 0; c < count; c++)
            same(mixed[place[c]].service, s[c].service, "service");
    }
}

/* A ring of links, as in a torus: a worm goes on with chance 3/4, leaves with 1/4.  Its service is
 * the solution of x = (3/4)(x + P W(x)) + (1/4)(x_out + P_out W_out). */
static void ring(void **state)
{
    static const struct gg_next on[] = {{.to = 1, .ways = 1, .share = 0.75},
                                        {.to = 2, .ways = 1, .share = 0.25}};
    static const struct gg_next in[] = {{.to = 1, .ways = 1, .share = 1}};
    static const struct gg_channel channel[] = {
        {.servers = 1, .rate = 1, .injects = 1, .nexts = 1, .next = in},
        {.servers = 1, .rate = 4, .nexts = 2, .next = on},
        {.servers = 1, .rate = 1},
    };
    struct gg_network g = {3, channel, 6};
    struct gg_state s[3];
    struct gg_total t;
    (void)state;
    double most = gg_network_saturation(&g, s);
    assert_true(most > 0.01 && most < 0.25);
    CHECK_EQ(gg_solve(&g, 16, 0.6 * most, s, &t), GG_OK);
    double rate = 0.6 * most / 16, x = s[1].service;
    same(s[2].service, 16, "ejection");
    same(s[2].wait, gg_wait(1, rate, 16, 0), "ejection");
    same(s[1].wait, gg_wait(1, 4 * rate, x, gg_variation(x, 16)), "wait in the ring");
    near(x, 0.75 * (x + (1 - 0.75) * s[1].wait) + 0.25 * (16 + (1 - 4 * 0.25) * s[2].wait),
         1e-10, "service in the ring");
    same(t.service, x + 0.75 * s[1].wait, "injection");
    same(t.latency, t.service + t.wait + 5, "latency");
    CHECK_EQ(gg_solve(&g, 16, 1.01 * most, s, &t), GG_SATURATED);
    CHECK_EQ(gg_solve(&g, 16, 0.99 * most, s, &t), GG_OK);
}

/* Two kinds of processors: one behind a link of its own, two behind a pair of links. */
static void two_kinds_of_sources(void **state)
{
    static const struct gg_channel channel[] = {
        {.servers = 1, .rate = 1, .injects = 0.25},
        {.servers = 3, .rate = 0.5, .injects = 0.75},
    };
    struct gg_network g = {2, channel, 1};
    struct gg_state s[2];
    struct gg_total t;
    (void)state;
    CHECK_EQ(gg_solve(&g, 8, 0.5, s, &t), GG_OK);
    same(t.wait, 0.25 * gg_wait(1, 0.5 / 8, 8, 0) + 0.75 * gg_wait(3, 1.5 * 0.5 / 8, 8, 0), "wait");
    same(t.service, 8, "service");
    same(t.latency, t.wait + 8, "latency");
    near(gg_network_saturation(&g, s), 1, 1e-9, "saturation");
}

static void bad_networks(void **state)
{
    enum { CHANNELS, SERVERS, RATE, NAN_RATE, TO, SHARE, MORE, INJECTS, DISTANCE, ENDLESS, BADS };
    (void)state;
    for (unsigned k = 0; k <= BADS; k++) {
        struct gg_description d;
        struct gg_state s[2 * GG_MAX_LEVELS];
        struct gg_total t;
        assert_true(gg_describe(&d, 3));
        switch (k) {
        case CHANNELS: d.network.channels = 0; break;
        case SERVERS: d.channel[2].servers = 0; break;
        case RATE: d.channel[2].rate = 0; break;
        case NAN_RATE: d.channel[2].rate = NAN; break;
        case TO: d.next[4][1].to = 6; break;
        case SHARE:
            d.next[4][0].share = 1.1 / 3;
            d.next[4][1].share = -0.1;
            break;
        case MORE: d.next[4][1].share += 0.001; break;
        case INJECTS: d.channel[5].injects = 0.5; break;
        case DISTANCE: d.network.distance = NAN; break;
        case ENDLESS: d.network.distance = INFINITY; break;
        default: break; /* a good one */
        }
        CHECK_AT(k, gg_solve(&d.network, 32, 0.01, s, &t), k == BADS ? GG_OK : GG_BAD);
        CHECK_AT(k, gg_network_saturation(&d.network, s) > 0, k == BADS);
    }
}

/* -- from the paths of a topology ----------------------------------------------------------- */

static void opens(struct topology *t, const char *name, struct topology_params p)
{
    char why[300] = "";
    if (topology_open(t, name, &p, why, sizeof why)) {
        print_error("%s: %s\n", name, why);
        assert_true(false);
    }
}

/* What GG 1 to 11 in Python have for the same paths, counted pair by pair: with scripts/paper/judge_gg_general.py,
 *     channels, distance = of_paths(list(paths_of(NETWORKS[name]).values()), 64, servers)
 * and then saturation(channels, distance) and solve(channels, 32, load, distance). */
static void as_in_python(void **state)
{
    static const struct { unsigned classes; double saturation, load, latency; } mesh[] = {
        {1, 0.1885620331604514, 0.15084962652836112, 71.39940763812416},
        {4, 1, 0.7999999999992724, 39.23612802242213}, /* Python ends at 1 */
    };
    (void)state;
    for (size_t k = 0; k < ROWS(mesh); k++) {
        struct topology t;
        struct gg_paths p;
        struct gg_total total;
        opens(&t, "mesh", (struct topology_params){.radix = 8, .dimensions = 2, .processor_links = true, .classes = mesh[k].classes});
        CHECK_AT(k, gg_paths_open(&p, &t), GG_PATHS_OK);
        struct gg_state *s = calloc(p.network.channels, sizeof *s);
        same(p.network.distance, 7.333333333333333, "distance");
        CHECK_AT(k, p.longest, 16);
        assert_false(p.circles);
        double most = gg_network_saturation(&p.network, s);
        assert_true(mesh[k].classes > 1 ? most > mesh[k].saturation : fabs(most - mesh[k].saturation) < 1e-11);
        CHECK_AT(k, gg_solve(&p.network, 32, mesh[k].load, s, &total), GG_OK);
        near(total.latency, mesh[k].latency, 1e-9 * mesh[k].latency, "latency");
        free(s);
        gg_paths_close(&p);
        topology_close(&t);
    }
}

/* Two processors over more links than 16 bits count, all but the first and the last of which both use: as over nine links. */
static void a_long_chain(void **state)
{
    enum { SHORT = 10, NODES = 70000 };
    static char chain[NODES * 20];
    struct gg_total total[2];
    double saturation[2];
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        const int nodes = k ? NODES : SHORT, links = nodes - 1;
        struct topology t;
        struct gg_paths p;
        int n = sprintf(chain, "nodes %d\nprocessor 0 %d\nprocessor 1 %d\n", nodes, nodes - 1, nodes - 2);
        for (int a = 0; a < links; a++)
            n += sprintf(chain + n, "link %d %d\n", a, a + 1);
        opens(&t, "graph", (struct topology_params){.text = chain});
        CHECK_AT(k, gg_paths_open(&p, &t), GG_PATHS_OK);
        CHECK_AT(k, p.network.channels, (unsigned)links);
        CHECK_AT(k, p.longest, (unsigned)links - 1);
        same(p.network.distance, links - 1, "distance");
        assert_false(p.circles);
        struct gg_state *s = calloc(p.network.channels, sizeof *s);
        CHECK_AT(k, gg_solve(&p.network, 100, 0.1, s, &total[k]), GG_OK);
        same(total[k].latency, total[k].service + total[k].wait + links - 2, "latency (GG 2)");
        saturation[k] = gg_network_saturation(&p.network, s);
        free(s);
        gg_paths_close(&p);
        topology_close(&t);
    }
    same(total[1].service, total[0].service, "service");
    same(total[1].wait, total[0].wait, "wait");
    near(saturation[1], saturation[0], 1e-9, "saturation");
}

/* Three in a ring, one way; class 1 after the link from 2 to 0.  A worm for the next processor but one holds two links. */
static void ring_of_three(void **state)
{
    struct topology t;
    struct gg_paths p;
    struct gg_state s[4];
    struct gg_total total;
    const double load = 0.3, length = 12, rate = load / length;
    (void)state;
    opens(&t, "graph", (struct topology_params){.text =
          "nodes 3\nlink 0 1 2\nlink 1 2 2\nlink 2 0 2\npath 0 1 0 1.0\npath 0 2 0 1.0 2.0\npath 1 2 1 2.0\n"
          "path 1 0 1 2.0 0.0\npath 2 0 2 0.0\npath 2 1 2 0.0 1.1\n"});
    CHECK_EQ(gg_paths_open(&p, &t), GG_PATHS_OK);
    CHECK_EQ(p.network.channels, 4);
    CHECK_EQ(p.longest, 2);
    same(p.network.distance, 1.5, "distance");
    CHECK_EQ(gg_solve(&p.network, length, load, s, &total), GG_OK);
    /* 1.1 carries those of 2 for 1 alone, half a worm; 0.0, 2.0 and 1.0 begin for two each. */
    double w11 = gg_wait(1, rate / 2, length, 0), x00 = length + (1 - 1) * w11 / 2;
    /* 0.0: from 2 for 0 and 1, from 1 for 0: of three halves one goes on to 1.1, where nobody else is. */
    double w00 = gg_wait(1, 1.5 * rate, x00, gg_variation(x00, length));
    /* 2.0: from 1 for 2 and 0, from 0 for 2: of three one goes on to 0.0, of whose three it is one. */
    double x20 = length * 2 / 3 + (x00 + (1 - 1.0 / 3) * w00) / 3, w20 = gg_wait(1, 1.5 * rate, x20, gg_variation(x20, length));
    /* 1.0: from 0 for 1 and 2: of two one goes on to 2.0. */
    double x10 = length / 2 + (x20 + (1 - 1.0 / 3) * w20) / 2, w10 = gg_wait(1, rate, x10, gg_variation(x10, length));
    same(total.service, (x00 + x20 + x10) / 3, "service (GG 11)");
    same(total.wait, (w00 + w20 + w10) / 3, "wait (GG 4)");
    same(total.latency, total.service + total.wait + 0.5, "latency (GG 2)");
    gg_paths_close(&p);
    topology_close(&t);
}

/* The same channels from every pair's path by itself, those that lead to others first. */
enum { MOST_CHANNELS = 1024 };
struct pairs {
    double worms[MOST_CHANNELS], begins[MOST_CHANNELS], on[MOST_CHANNELS][MOST_CHANNELS];
    unsigned servers[MOST_CHANNELS];
    uint32_t of[1 << 16]; /* channel + 1 */
    unsigned channels, longest;
    double hops;
};

static void walk_pair(struct pairs *q, const struct topology *t, uint32_t src, uint32_t dst)
{
    struct topology_place at = {.node = topology_enter(t, src), .from = TOPOLOGY_NONE};
    unsigned last = UINT32_MAX;
    for (unsigned count, links = 0; ; q->hops++, links++) {
        struct topology_choice by[TOPOLOGY_MAX_PORTS];
        q->longest = links > q->longest ? links : q->longest;
        count = t->kind->route(t, &at, dst, by);
        if (!count || at.node == topology_leave(t, dst))
            return;
        uint32_t *of = &q->of[topology_channel(t, at.node, by->port, by->low)];
        *of = *of ? *of : ++q->channels;
        unsigned c = *of - 1;
        assert_true(count == 1 && c < MOST_CHANNELS);
        q->servers[c] = by->high - by->low + 1u;
        q->worms[c]++;
        if (last == UINT32_MAX)
            q->begins[c]++;
        else
            q->on[last][c]++;
        last = c;
        at = (struct topology_place){t->kind->far(t, at.node, by->port), at.node, by->port, by->high, 0};
    }
}

static void pair_by_pair(void **state)
{
    static const struct { const char *name; struct topology_params p; } network[] = {
        {"torus", {.radix = 5, .dimensions = 2}}, {"torus", {.radix = 4, .dimensions = 2, .processor_links = true}},
        {"torus", {.radix = 6, .dimensions = 2, .path = "balanced-e-cube", .classes = 6}},
        {"torus", {.radix = 5, .dimensions = 1, .classes = 1}}, {"mesh", {.radix = 3, .dimensions = 3, .classes = 2}},
        {"mesh", {.radix = 7, .dimensions = 1, .path = "positive-hop"}}, {"hypercube", {.processors = 32}},
        {"butterfly", {.processors = 16}}, {"reverse-butterfly", {.processors = 16}}, {"wrapped-butterfly", {.processors = 16}},
    };
    static struct pairs q;
    (void)state;
    for (size_t n = 0; n < ROWS(network); n++) {
        struct topology t;
        struct gg_paths p;
        struct gg_total one, other;
        opens(&t, network[n].name, network[n].p);
        memset(&q, 0, sizeof q);
        assert_true(topology_channels(&t) <= ROWS(q.of));
        const double others = t.processors - 1, pairs = t.processors * others;
        for (uint32_t a = 0; a < t.processors; a++)
            for (uint32_t b = 0; b < t.processors; b++)
                if (a != b)
                    walk_pair(&q, &t, a, b);
        struct gg_channel *h = calloc(q.channels, sizeof *h);
        struct gg_next *next = calloc((size_t)q.channels * q.channels, sizeof *next);
        struct gg_state *s = calloc(q.channels, sizeof *s);
        for (unsigned c = 0; c < q.channels; c++) {
            struct gg_next *to = &next[(size_t)c * q.channels];
            h[c] = (struct gg_channel){q.servers[c], q.worms[c] / others / q.servers[c], q.begins[c] / pairs, 0, to, 1};
            for (unsigned d = 0; d < q.channels; d++)
                if (q.on[c][d] > 0) {
                    to[h[c].nexts++] = (struct gg_next){d, 1, q.on[c][d] / q.worms[c]};
                    h[c].ends -= q.on[c][d] / q.worms[c];
                }
            h[c].ends = h[c].ends < 1e-12 ? 0 : h[c].ends;
        }
        struct gg_network g = {q.channels, h, q.hops / pairs};
        CHECK_AT(n, gg_paths_open(&p, &t), GG_PATHS_OK);
        CHECK_AT(n, p.network.channels, q.channels);
        CHECK_AT(n, p.longest, q.longest);
        CHECK_AT(n, p.circles, t.classes == 1 && t.wraps && t.kind == &topology_torus);
        double most = gg_network_saturation(&g, s);
        near(gg_network_saturation(&p.network, s), most, (p.circles ? 1e-6 : 1e-10) * most, "saturation");
        for (unsigned k = 0; k < 95; k += 19) {
            CHECK_AT(n, gg_solve(&g, 20, most * k / 100, s, &one), GG_OK);
            CHECK_AT(n, gg_solve(&p.network, 20, most * k / 100, s, &other), GG_OK);
            near(other.latency, one.latency, 1e-9 * one.latency, "latency");
            near(other.wait, one.wait, 1e-9 * one.latency, "wait");
        }
        for (unsigned c = 0; c < p.network.channels && !p.circles; c++)
            for (unsigned k = 0; k < p.channel[c].nexts; k++)
                assert_true(p.channel[c].next[k].to < c);
        free(h);
        free(next);
        free(s);
        gg_paths_close(&p);
        topology_close(&t);
    }
}

/* From 0 to 1 by any of two channels, from 1 to 2 by the link of that channel. */
static uint32_t from_0_to_2(const struct topology *t, uint32_t a)
{
    (void)t;
    (void)a;
    return 0;
}

static uint32_t at_2(const struct topology *t, uint32_t a)
{
    (void)t;
    (void)a;
    return 2;
}

static uint32_t next_node(const struct topology *t, uint32_t node, unsigned port)
{
    (void)t;
    return node == 1 || (node == 0 && port == 0) ? node + 1 : (uint32_t)TOPOLOGY_NONE;
}

static unsigned by_class(const struct topology *t, const struct topology_place *at, uint32_t dst,
                         struct topology_choice choice[TOPOLOGY_MAX_PORTS])
{
    (void)t;
    (void)dst;
    choice[0] = (struct topology_choice){at->node == 1 ? (uint8_t)at->class : 0, 0, at->node == 0};
    return at->node < 2;
}

static void bad_paths(void **state)
{
    static const struct { const char *name; struct topology_params p; enum gg_paths_status want; } bad[] = {
        {"torus", {.radix = 4, .dimensions = 2, .path = "negative-hop"}, GG_PATHS_CHOICE},
        {"hypercube", {.processors = 8, .path = "minimal-adaptive"}, GG_PATHS_CHOICE},
        {"mesh", {.radix = 3, .dimensions = 1, .path = "loose-hop"}, GG_PATHS_OVERLAP},
        /* From 0 to 1 some take either channel and others class 0. */
        {"graph", {.text = "nodes 3\nlink 0 1 2\nlink 1 2 2\nlink 2 0\npath 0 1 0 1\npath 0 2 0 1.0 2.0\n"}, GG_PATHS_OVERLAP},
    };
    (void)state;
    for (size_t k = 0; k < ROWS(bad); k++) {
        struct topology t;
        struct gg_paths p;
        opens(&t, bad[k].name, bad[k].p);
        CHECK_AT(k, gg_paths_open(&p, &t), bad[k].want);
        assert_null(p.channel);
        assert_null(p.next);
        gg_paths_close(&p);
        topology_close(&t);
    }
    const struct topology_kind kind = {.enter = from_0_to_2, .leave = at_2, .far = next_node, .route = by_class};
    const struct topology apart = {.kind = &kind, .nodes = 3, .processors = 2, .ports = 2, .classes = 2};
    struct gg_paths p;
    CHECK_EQ(gg_paths_open(&p, &apart), GG_PATHS_CHOICE);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits),
        cmocka_unit_test(blocking),
        cmocka_unit_test(counted_by_hand),
        cmocka_unit_test(figure_3),
        cmocka_unit_test(four_processors),
        cmocka_unit_test(sixteen_processors),
        cmocka_unit_test(saturation),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(fat_tree_as_a_network),
        cmocka_unit_test(order_of_channels),
        cmocka_unit_test(ring),
        cmocka_unit_test(two_kinds_of_sources),
        cmocka_unit_test(bad_networks),
        cmocka_unit_test(as_in_python),
        cmocka_unit_test(a_long_chain), cmocka_unit_test(ring_of_three),
        cmocka_unit_test(pair_by_pair),
        cmocka_unit_test(bad_paths),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
