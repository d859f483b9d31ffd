/* SPDX-License-Identifier: Apache-2.0
 * test_cover.c - functional coverage: the list of points, what a few worms meet, the file.
 */
#include "cover.h"
#include "lockstep.h"

#include "unit.h" /* last: cmocka has a macro fail() */

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/test_cover_XXXXXX";
static char path[64];

static uint64_t count_of(const uint64_t *hits, const char *name)
{
    int slot = cover_find(name);
    if (slot < 0)
        print_error("no point %s\n", name);
    assert_true(slot >= 0);
    return hits[slot];
}

static void write_file(const char *text)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
}

/* Every point has a name of its own, by which it is found. */
static void every_point_has_a_name(void **state)
{
    unsigned points = 0;
    unsigned crosspoints = 0;
    unsigned contests = 0;
    unsigned last = 0;
    char name[80];
    (void)state;

    for (unsigned s = 0; s < 2 * COVER_SLOTS; s++) {
        if (!cover_name(s, name, sizeof name))
            continue;
        CHECK_AT(s, cover_find(name), s);
        points++;
        crosspoints += strncmp(name, "crosspoint.", 11) == 0;
        contests += strncmp(name, "contend.", 8) == 0;
        last = s;
    }
    CHECK_EQ(points, cover_met(NULL));
    assert_true(last < COVER_SLOTS);
    CHECK_EQ(crosspoints, 28 + 12);
    /* Pairs of inputs an output, both winners: a child has 10 pairs, a parent 6, a root's child 3. */
    CHECK_EQ(contests, 2 * (4 * 10 + 2 * 6) + 2 * (4 * 3));
    CHECK_EQ(cover_find("crosspoint.inner.in0.out0"), -1);
    CHECK_EQ(cover_find("crosspoint.root.in0.out4"), -1);
    CHECK_EQ(cover_find("queue-full.v2.inner.port0.channel2"), -1);
}

/* Runs worms through one switch of level 1 of 3, both sides the C model. */
static struct cover *run_worms(const char *shape, const char *worms)
{
    const struct dut_ops *const ops[2] = {&dut_cmodel, &dut_cmodel};
    struct config config;
    struct stimulus stimulus;
    struct lockstep_result result;
    struct fail f = {.code = EXIT_OK};
    char why[200];

    config_default(&config);
    assert_null(dut_shape_parse(shape, &config.shape, why, sizeof why));
    write_file(worms);
    assert_int_equal(stimulus_read(&stimulus, &config, path, &f), 0);
    struct cover *c = cover_new(&config.shape);
    assert_non_null(c);
    struct lockstep_options o = {.watch = cover_look, .context = c};
    lockstep_run(ops, &stimulus, &o, &result);
    CHECK_EQ(result.end, END_DONE);
    stimulus_free(&stimulus);
    return c;
}

#define WORMS "ready,entry,src,dst,length,path\n"

static void one_flit(void **state)
{
    struct cover *c = run_worms("s1of3-v1-q2-w32-fp-fo", WORMS "0,0,0,1,1,0\n");
    const uint64_t *hits = cover_hits(c);
    (void)state;

    CHECK_EQ(count_of(hits, "crosspoint.inner.in0.out1"), 1);
    CHECK_EQ(count_of(hits, "queue-emptied.v1.inner.port0.channel0"), 1);
    CHECK_EQ(count_of(hits, "height.n64.level1.height1.turn"), 1);
    CHECK_EQ(count_of(hits, "worm-of-one.v1.inner"), 1);
    CHECK_EQ(count_of(hits, "reset.v1"), 1);
    CHECK_EQ(cover_met(hits), 5);
    cover_free(c);
}

/* The two worms of the second table in docs/timing.md. */
static void two_worms_for_one_output(void **state)
{
    struct cover *c = run_worms("s1of3-v1-q2-w32-fp-fo", WORMS "0,0,0,1,4,0\n0,2,2,1,4,0\n");
    const uint64_t *hits = cover_hits(c);
    (void)state;

    CHECK_EQ(count_of(hits, "crosspoint.inner.in0.out1"), 4);
    CHECK_EQ(count_of(hits, "crosspoint.inner.in2.out1"), 4);
    CHECK_EQ(count_of(hits, "contend.inner.out1.won0.lost2"), 1);
    CHECK_EQ(count_of(hits, "decided.inner.fo-lower"), 1);
    CHECK_EQ(count_of(hits, "queue-full.v1.inner.port2.channel0"), 4);
    CHECK_EQ(count_of(hits, "queue-emptied.v1.inner.port0.channel0"), 1);
    CHECK_EQ(count_of(hits, "waits-as-channel-frees.v1.inner.out1"), 1);
    CHECK_EQ(count_of(hits, "back-to-back.v1.inner.out1.channel0"), 1);
    CHECK_EQ(count_of(hits, "worm-of-one.v1.inner"), 0);
    cover_free(c);
}

/* The two worms of the third table: V = 2, ROT. */
static void two_channels_of_one_output(void **state)
{
    struct cover *c = run_worms("s1of3-v2-q2-w32-fp-rot", WORMS "0,0,0,1,4,0\n0,2,2,1,4,0\n");
    const uint64_t *hits = cover_hits(c);
    (void)state;

    CHECK_EQ(count_of(hits, "all-channels-held.v2.inner.out1"), 5); /* cycles 3 to 7 */
    CHECK_EQ(count_of(hits, "queue-full.v2.inner.port2.channel0"), 3);
    CHECK_EQ(count_of(hits, "rotate.inner.out1.port1"), 3); /* port 0 came last, both ask */
    CHECK_EQ(count_of(hits, "rotate.inner.out1.port3"), 3);
    CHECK_EQ(count_of(hits, "offered-again.v2.inner.port2"), 4);
    cover_free(c);
}

/* A head that goes up under each path. */
static void up(void **state)
{
    struct cover *c = run_worms("s1of3-v1-q2-w32-gp-rr",
                                WORMS "0,0,0,16,8,0\n0,1,1,17,8,0\n0,2,2,18,1,0\n");
    const uint64_t *hits = cover_hits(c);
    uint64_t parent[2] = {0, 0};
    uint64_t blocked = 0;
    (void)state;

    for (unsigned i = 0; i < 3; i++) {
        char name[40];
        for (unsigned k = 0; k < 2; k++) {
            snprintf(name, sizeof name, "up.gp.in%u.parent%u", i, k);
            parent[k] += count_of(hits, name);
        }
        snprintf(name, sizeof name, "both-busy.gp.in%u", i);
        blocked += count_of(hits, name);
    }
    CHECK_EQ(parent[0] + parent[1], 3);
    assert_true(parent[0] && parent[1] && blocked);
    cover_free(c);
}

/* Worms that are alone in a switch, with room wherever they go: of all families only those that one worm is enough for. */
static void a_lone_worm_meets_nobody(void **state)
{
    static const char *const alone[] = {"crosspoint.", "up.", "queue-emptied.", "queue-in-and-out.", "worm-of-one.", "height.", "reset.",
                                        "longest", "rg-takes-other."};
    static const char *const paths[] = {"fp", "rp", "gp", "rg", "rw"}, *const scans[] = {"rr", "fo", "ff", "rot", "fcfs"};
    static const char *const rules[] = {"s1of3-v1-q2-w32", "s1of3-v2-q3-w32", "s1of3-v4-q2-w32"};
    char shape[40], name[80], worms[1000];
    (void)state;

    for (unsigned k = 0; k < 3 * 5 * 5; k++) {
        size_t used = (size_t)snprintf(worms, sizeof worms, WORMS);
        for (unsigned w = 0; w < 24; w++) /* up and to another child, of one to six flits */
            used += (size_t)snprintf(worms + used, sizeof worms - used, "%u,%u,%u,%u,%u,%u\n", 40 * (w / 4) + 10 * (w % 4), w % 4, w % 4,
                                     w % 3 ? 16 + w : (w + 1) % 4, 1 + w % 6, w % 4);
        snprintf(shape, sizeof shape, "%s-%s-%s", rules[k / 25], paths[k % 5], scans[k / 5 % 5]);
        struct cover *c = run_worms(shape, worms);
        for (unsigned s = 0; s < COVER_SLOTS; s++) {
            bool one = !cover_hits(c)[s] || !cover_name(s, name, sizeof name);
            for (unsigned f = 0; f < sizeof alone / sizeof *alone; f++)
                one = one || strncmp(name, alone[f], strlen(alone[f])) == 0;
            if (!one)
                print_error("%s: %s\n", shape, name);
            assert_true(one);
        }
        assert_true(cover_met(cover_hits(c)) > 10);
        cover_free(c);
    }
}

/* What the sides do not agree on is not counted. */
static void a_difference_counts_nothing(void **state)
{
    struct dut_shape shape = {.params = {.vcs = 1, .depth = 2, .flit_w = 32, .level = 1,
                                         .levels = 3}};
    struct cover *c = cover_new(&shape);
    struct lockstep_view view = {.differ = true};
    (void)state;

    assert_non_null(c);
    cover_look(c, 0, &view);
    CHECK_EQ(cover_met(cover_hits(c)), 0);
    cover_free(c);
}

static void the_file_adds_up(void **state)
{
    uint64_t hits[COVER_SLOTS] = {0};
    struct fail f = {.code = EXIT_OK};
    (void)state;

    unlink(path);
    assert_int_equal(cover_read(hits, path, &f), 0); /* none yet */
    CHECK_EQ(cover_met(hits), 0);
    int first = cover_find("crosspoint.inner.in0.out1");
    int last = cover_find("reset.v4");
    hits[first] = 3;
    hits[last] = UINT64_C(1) << 40;
    assert_int_equal(cover_writable(path, &f), 0);
    assert_int_equal(cover_write(hits, path, &f), 0);
    assert_int_equal(cover_read(hits, path, &f), 0);
    CHECK_EQ(hits[first], 6);
    CHECK_EQ(hits[last], UINT64_C(2) << 40);
    CHECK_EQ(cover_met(hits), 2);
}

static void check_refused(int line, const char *text, const char *want)
{
    uint64_t hits[COVER_SLOTS] = {0};
    struct fail f = {.code = EXIT_OK};

    write_file(text);
    CHECK_AT(line, cover_read(hits, path, &f), -1);
    CHECK_AT(line, f.code, EXIT_INPUT);
    if (!strstr(f.text, want))
        print_error("line %d: \"%s\" does not say \"%s\"\n", line, f.text, want);
    assert_non_null(strstr(f.text, want));
}

#define FIRST "fatfly cover 1\ncrosspoint.inner.in0.out1 1\n"

static void other_files_are_refused(void **state)
{
    (void)state;
    check_refused(__LINE__, "", "an empty file");
    check_refused(__LINE__, "PNG\n", ":1: \"PNG\"; allowed: the header");
    check_refused(__LINE__, FIRST, ":2: ends here; allowed: crosspoint.inner.in0.out2");
    check_refused(__LINE__, FIRST "reset.v4 1\n", ":3: \"reset.v4 1\"; allowed: crosspoint.inner.in0");
    check_refused(__LINE__, FIRST "crosspoint.inner.in0.out2 x\n", ":3:");
    check_refused(__LINE__, FIRST "crosspoint.inner.in0.out2 1 1\n", ":3:");
    check_refused(__LINE__, FIRST "crosspoint.inner.in0.out2 -1\n", ":3:");
    check_refused(__LINE__, FIRST "crosspoint.inner.in0.out2 18446744073709551617\n", ":3:");
}

static void more_than_all_is_refused(void **state)
{
    uint64_t hits[COVER_SLOTS] = {0};
    struct fail f = {.code = EXIT_OK};
    (void)state;

    assert_int_equal(cover_write(hits, path, &f), 0);
    FILE *out = fopen(path, "a");
    assert_non_null(out);
    fputs("reset.v8 1\n", out);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(cover_read(hits, path, &f), -1);
    CHECK_EQ(f.code, EXIT_INPUT);
    assert_non_null(strstr(f.text, "after the last point"));
}

static void places_where_nothing_can_be_written(void **state)
{
    uint64_t hits[COVER_SLOTS] = {0};
    struct fail f = {.code = EXIT_OK};
    (void)state;

    assert_int_equal(cover_writable("/proc/none/cover", &f), -1);
    CHECK_EQ(f.code, EXIT_SYSTEM);
    f.code = EXIT_OK;
    assert_int_equal(cover_write(hits, "/proc/none/cover", &f), -1);
    CHECK_EQ(f.code, EXIT_SYSTEM);
    f.code = EXIT_OK;
    assert_int_equal(cover_read(hits, folder, &f), -1); /* a folder */
    CHECK_EQ(f.code, EXIT_INPUT);
    char name[80];
    snprintf(name, sizeof name, "%s/sub", folder); /* a folder stands where the file goes */
    assert_int_equal(mkdir(name, 0777), 0);
    f.code = EXIT_OK;
    assert_int_equal(cover_write(hits, name, &f), -1);
    CHECK_EQ(f.code, EXIT_SYSTEM);
    rmdir(name);
}

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/file", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_point_has_a_name),
        cmocka_unit_test(one_flit),
        cmocka_unit_test(two_worms_for_one_output),
        cmocka_unit_test(two_channels_of_one_output),
        cmocka_unit_test(up),
        cmocka_unit_test(a_lone_worm_meets_nobody), cmocka_unit_test(a_difference_counts_nothing),
        cmocka_unit_test(the_file_adds_up),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(more_than_all_is_refused),
        cmocka_unit_test(places_where_nothing_can_be_written),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
