/* SPDX-License-Identifier: Apache-2.0
 * test_glue.c - what the page of the viewer calls (sim/view/glue.c), without a browser: what it hands over is
 * what the library says, for every node, link and worm, with as many channels and places as there can be.
 */
#include "fatfly.h"

#include <stdio.h>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wattributes" /* exports of WebAssembly, which has no header */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#ifdef __clang__
#pragma clang diagnostic ignored "-Wunknown-attributes"
#pragma clang diagnostic ignored "-Wignored-attributes"
#endif
#ifndef GLUE /* another one: a planted bug */
#define GLUE "../../sim/view/glue.c"
#endif
#include GLUE
#pragma GCC diagnostic pop

#include "unit.h" /* last: cmocka has a macro fail() */

static const struct {
    const char *lines;
    double cycle; /* looked at */
} cases[] = {
    {"nodes=16\nload=0.3\nlength=8\nvcs=1\ndepth=2", 150},
    {"nodes=64\nload=0.4\nlength=20\nvcs=4\ndepth=16\nscan=fcfs", 400},
    {"nodes=16\nload=0.4\nlength=20\nvcs=2\ndepth=3\npath=rg\nscan=ff", 300},
    {"topology=torus\nnodes=36\nradix=6\nvcs=2\ndepth=2\nload=0.3\nlength=8\npath=e-cube", 150},
    {"topology=mesh\nnodes=64\nradix=4\ndimensions=3\nvcs=1\ndepth=16\nload=0.3\nlength=20\npath=e-cube", 150},
    {"topology=mesh\nnodes=16\nradix=4\ndimensions=2\nvcs=129\ndepth=16\nload=0.4\nlength=20\npath=e-cube", 200},
    {"topology=hypercube\nnodes=16\nvcs=64\ndepth=2\nload=0.3\nlength=20\npath=e-cube", 200},
    {"nodes=256\nload=0.2\nlength=8\nvcs=4\ndepth=16", 60},
};

/* Both sessions of the page, and one of the test's own beside the first. */
static struct fatfly_session *beside(unsigned k)
{
    struct fatfly_session *own = NULL;
    char why[300];

    snprintf(text, sizeof text, "%s", cases[k].lines);
    if (v_configure())
        fail_msg("case %u: %s", k, text);
    for (int j = 0; j < SESSIONS; j++)
        if (v_open(j))
            fail_msg("case %u: %s", k, text);
    struct fatfly_config c = config;
    if (!c.topology)
        c.engine = FATFLY_CYCLE;
    assert_int_equal(fatfly_open_run(&own, &c, why, sizeof why), 0);
    assert_int_equal(v_advance(0, cases[k].cycle), 0);
    assert_int_equal(fatfly_advance(own, (uint64_t)cases[k].cycle, false, why, sizeof why), 0);
    CHECK_AT(k, v_now(0), cases[k].cycle);
    return own;
}

/* Line after line is a register of this node, and there is no other. */
static void same_registers(unsigned k, struct fatfly_session *own, uint32_t node)
{
    static struct fatfly_register all[1 << 16];
    uint32_t count = fatfly_read_switch(own, node, all, ROWS(all));
    const char *at = v_switch(node);

    assert_true(at && count > 0 && count < ROWS(all));
    for (uint32_t j = 0; j < count; j++) {
        char line[100];
        int n = snprintf(line, sizeof line, "%s %d %d %d %llu\n", all[j].name, all[j].port, all[j].channel, all[j].index,
                         (unsigned long long)all[j].value);
        if (strncmp(at, line, (size_t)n) != 0)
            fail_msg("case %u, node %u, register %u of %u: %.40s, want %s", k, node, j, count, at, line);
        at += n;
    }
    CHECK_AT(k, *at, 0);
}

static void same_queues(unsigned k, struct fatfly_session *own)
{
    struct fatfly_shape is;
    uint64_t flits = 0;

    fatfly_read_shape(own, &is);
    const uint32_t *x = v_queues(1);
    for (uint32_t l = 0; l < is.links; l++)
        for (uint32_t v = 0; v < is.channels; v++) {
            struct fatfly_queue q;
            fatfly_read_queue(own, l, v, &q);
            CHECK_AT(k, x[0], q.holder);
            CHECK_AT(k, x[1], q.count);
            for (uint32_t j = 0; j < FATFLY_MAX_DEPTH; j++, flits += j <= q.count) {
                CHECK_AT(k, x[2 + 2 * j], q.worm[j]);
                CHECK_AT(k, x[3 + 2 * j], q.kind[j]);
            }
            x += 2 + 2 * FATFLY_MAX_DEPTH;
        }
    if (!flits)
        fail_msg("case %u: no flit", k);
    x = v_queues(0);
    for (uint32_t l = 0; l < is.links; l++)
        for (uint32_t v = 0; v < is.channels; v++, x += 2) {
            struct fatfly_queue q;
            fatfly_read_queue(own, l, v, &q);
            CHECK_AT(k, x[0], q.holder);
            CHECK_AT(k, x[1], q.count);
        }
}

static void same_worms(unsigned k, struct fatfly_session *own)
{
    static struct fatfly_worm_state all[1 << 16];
    uint32_t count = fatfly_read_worms(own, all, ROWS(all));
    const uint32_t *x = v_worms();

    assert_true(count > 0 && count < ROWS(all));
    CHECK_AT(k, *x++, count);
    for (uint32_t j = 0; j < count; j++, x += 14) {
        const struct fatfly_worm_state *w = &all[j];
        const uint64_t want[14] = {w->worm, w->src, w->dst, w->length, w->sent, w->arrived, w->head_link, w->head_channel,
                                   w->tail_link, w->tail_channel, w->wants, w->blocked_by, w->ready, w->ready >> 32};
        for (unsigned n = 0; n < 14; n++)
            CHECK_AT(k, x[n], (uint32_t)want[n]);
    }
}

static void all_is_handed_over(void **state)
{
    (void)state;
    for (unsigned k = 0; k < ROWS(cases); k++) {
        struct fatfly_session *own = beside(k);
        struct fatfly_shape is;
        fatfly_read_shape(own, &is);
        const uint32_t *x = v_shape();
        const uint32_t want[10] = {is.nodes, is.switches, is.processors, is.links, is.ports, is.channels, is.depth, is.levels,
                                  is.link_cycles, is.hop_cycles};
        for (unsigned j = 0; j < 10; j++)
            CHECK_AT(k, x[j], want[j]);
        for (uint32_t l = 0; l < is.links; l++) {
            struct fatfly_ends e = fatfly_read_ends(own, l);
            CHECK_AT(k, x[10 + 2 * l], e.from);
            CHECK_AT(k, x[11 + 2 * l], e.to);
        }
        for (uint32_t node = 0; node < is.switches; node += 1 + is.switches / 10)
            same_registers(k, own, node);
        same_registers(k, own, is.switches - 1);
        same_queues(k, own);
        same_worms(k, own);
        fatfly_close(own);
    }
}

/* Back to what was saved, whatever was since, and on from there as before. */
static void there_and_back(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 5; k++) {
        fatfly_close(beside(k));
        assert_int_equal(v_save(3), 0);
        assert_int_equal(v_advance(0, cases[k].cycle + 100), 0);
        assert_int_equal(v_save(SNAPSHOTS - 1), 0);
        double *x = v_figures(0), later[16];
        char digest[20];
        memcpy(later, x, sizeof later);
        memcpy(digest, text, 17);
        assert_int_equal(v_restore(3), 0);
        CHECK_AT(k, v_now(0), cases[k].cycle);
        assert_int_equal(v_advance(0, cases[k].cycle + 100), 0);
        x = v_figures(0);
        assert_memory_equal(x, later, sizeof later);
        assert_string_equal(text, digest);
        v_forget(3);
        assert_int_equal(v_restore(SNAPSHOTS - 1), 0);
        CHECK_AT(k, v_now(0), cases[k].cycle + 100);
    }
}

/* The second session plays the run to its end: the figures of fatfly_run(). */
static void figures_are_the_runs(void **state)
{
    static struct fatfly_result r;
    (void)state;
    for (unsigned k = 0; k < 4; k++) {
        char why[300], digest[20];
        fatfly_close(beside(k));
        struct fatfly_config c = config;
        assert_int_equal(fatfly_run(&c, NULL, &r, why, sizeof why), 0);
        while (!v_over(1)) {
            assert_int_equal(v_advance(1, v_now(1) + 256), 0);
            if (draw(12) == 0)
                v_figures(1);
        }
        const double *x = v_figures(1);
        const double want[16] = {r.end, (double)r.cycles, (double)r.flit_hops, (double)r.worms, (double)r.flits, (double)r.measured,
                                 (double)r.latency_sum / (double)r.measured, (double)r.accepted_flits, (double)r.measure_cycles,
                                 (double)r.last_arrival, (double)r.source_wait, (double)r.blocked, r.congestion, r.dilation,
                                 (double)fatfly_quantile(&r, 0.99), (double)r.latency_max};
        for (unsigned j = 0; j < 16; j++)
            if (x[j] < want[j] || x[j] > want[j])
                fail_msg("case %u, figure %u: %.17g, want %.17g", k, j, x[j], want[j]);
        snprintf(digest, sizeof digest, "%016llx", (unsigned long long)rng_hash(r.digest));
        assert_string_equal(text, digest);
    }
}

/* What the page does not know is one sentence. */
static void unknown_lines(void **state)
{
    static const char *const wrong[] = {"lode=0.1", "path=upwards", "nodes"};
    (void)state;
    for (unsigned k = 0; k < ROWS(wrong); k++) {
        snprintf(text, sizeof text, "%s", wrong[k]);
        assert_int_equal(v_configure(), -1);
        assert_non_null(strstr(text, "the page does not know it"));
    }
    snprintf(text, sizeof text, "nodes=17");
    assert_int_equal(v_configure(), 0);
    assert_int_not_equal(v_open(0), 0);
    assert_non_null(strstr(text, "nodes = 17"));
}

/* The theory is tested elsewhere; these two hand it over. */
static void model(void **state)
{
    struct gg_result r;
    (void)state;
    assert_int_equal(gg_fat_tree(2, 8, 0.1, &r), GG_OK);
    CHECK_EQ(v_model(2, 8, 0.1) * 1e6, r.latency * 1e6);
    CHECK_EQ(v_model(2, 8, 0.99) < 0, true);
    CHECK_EQ(v_saturation(3) * 1e9, gg_saturation(3) * 1e9);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_handed_over), cmocka_unit_test(there_and_back), cmocka_unit_test(figures_are_the_runs),
        cmocka_unit_test(unknown_lines),      cmocka_unit_test(model),
    };
    unit_args(argc, argv);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (int k = 0; k < SESSIONS; k++)
        v_close(k);
    free(numbers);
    free(worm);
    free(registers);
    free(lines);
    return failed;
}
