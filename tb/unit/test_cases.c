/* SPDX-License-Identifier: Apache-2.0
 * test_cases.c - what each case of the regression is, from the lists and from docs/cosim-cases.md: its traffic, its
 * stalls, its seed, and what is left of a case that runs again on another Verilog.  Run in the project's root.
 */
#include "cases.h"

#include "unit.h"

#include "fat_tree.h"

#include <fnmatch.h>

static struct case_list all;

static int read_all(void **state)
{
    struct fail f = {.text = ""};
    (void)state;
    if (cases_read(&all, "sim", &f)) {
        print_error("%s\n", f.text);
        return -1;
    }
    return 0;
}

static int free_all(void **state)
{
    (void)state;
    cases_free(&all);
    return 0;
}

static const struct cosim_case *the(const char *name)
{
    struct fail f;
    const struct cosim_case *c = cases_find(&all, name, &f);
    if (!c)
        fail_msg("no case %s", name);
    return c;
}

/* What is the same in all cases but those of files. */
static void check_common(const struct cosim_case *c, const char *shape, unsigned line)
{
    char name[64];

    dut_shape_name(&c->config.shape, name, sizeof name);
    assert_string_equal(name, shape);
    assert_false(c->exact);
    assert_null(c->bench);
    CHECK_EQ(c->config.set.config.seed, line);
    CHECK_EQ(c->config.set.reset_every, 0);
    CHECK_EQ(c->config.set.config.length, 9);
}

/* An open loop of worms of 1 to 9 flits at a load of 0.6, in so many cycles. */
static void check_open(const struct cosim_case *c, unsigned cycles)
{
    assert_true(c->config.set.config.load == 0.6);
    CHECK_EQ(c->config.set.config.length_min, 1);
    CHECK_EQ(c->config.set.config.cycles, cycles);
    CHECK_EQ(c->config.set.config.pattern, FATFLY_RANDOM);
}

/* Of a list of cases the lines, without what begins with #. */
static void each_line(const char *file, void (*look)(const char *text, unsigned number))
{
    char line[300];
    unsigned number = 0;
    FILE *in = fopen(file, "r");

    assert_non_null(in);
    while (fgets(line, sizeof line, in)) {
        number++;
        *(strchr(line, '#') ? strchr(line, '#') : strchr(line, '\n')) = 0;
        if (strtok(line, " "))
            look(line, number);
    }
    fclose(in);
    assert_true(number > 20);
}

static void a_switch(const char *shape, unsigned number)
{
    char name[80];
    snprintf(name, sizeof name, "switch-%s", shape);
    const struct cosim_case *c = the(name);
    check_common(c, shape, number);
    check_open(c, 262144);
    CHECK_EQ(c->config.set.stall, 40);
    assert_false(c->slow);
}

/* Exits of a router alone stall as those of a switch, those of a network in a tenth of the cycles. */
static void a_cube(const char *shape, unsigned number)
{
    const char *traffic = strtok(NULL, " "), *size = strtok(NULL, " ");
    bool alone = strpbrk(shape, "-") > strchr(shape + 4, 'n') && strchr(shape + 4, 'n');
    bool open = strcmp(traffic, "open") == 0;
    char name[80];

    snprintf(name, sizeof name, "%s-%s%s%s", alone ? "router" : "cube", shape, open ? "" : "-", open ? "" : traffic);
    const struct cosim_case *c = the(name);
    check_common(c, shape, number);
    CHECK_EQ(c->config.set.stall, alone ? 40 : 10);
    CHECK_EQ(c->slow, !alone && atoi(strpbrk(shape, "0123456789")) > 8);
    if (open) {
        check_open(c, (unsigned)atoi(size));
        return;
    }
    assert_true(c->config.set.config.load == 0);
    assert_string_equal(fatfly_pattern_names[c->config.set.config.pattern], traffic);
    CHECK_EQ(c->config.set.config.rounds, atoi(size));
    CHECK_EQ(c->config.set.config.length_min, 9);
    CHECK_EQ(c->config.set.config.cycles, 0);
}

static void lists(void **state)
{
    (void)state;
    each_line("sim/matrix.txt", a_switch);
    each_line("sim/cubes.txt", a_cube);
}

/* Many-to-1 takes cL + d - 2 cycles: c = N/2 worms of L flits, d = 2 levels. */
static void exact_cells(void **state)
{
    unsigned found = 0;
    (void)state;
    for (size_t k = 0; k < all.count; k++) {
        const struct cosim_case *c = &all.item[k];
        unsigned n, length;
        if (sscanf(c->name, "exact-n%u-l%u", &n, &length) != 2)
            continue;
        found++;
        assert_true(c->exact);
        CHECK_EQ(fat_tree_nodes(c->config.shape.params.levels), n);
        CHECK_EQ(c->config.set.config.pattern, FATFLY_MANY_TO_1);
        CHECK_EQ(c->config.set.config.length, length);
        CHECK_EQ(c->config.set.config.length_min, length);
        CHECK_EQ(c->config.set.stall, 0);
        CHECK_EQ(c->expect, n / 2 * length + 2 * c->config.shape.params.levels - 2);
    }
    assert_true(found >= 8);
}

static void same_but_verilog(const struct cosim_case *c, const struct cosim_case *other, bool bare)
{
    struct dut_shape shape = c->config.shape;
    const struct settings *s = &c->config.set, *o = &other->config.set;
    char want[64], name[64];

    shape.bare = bare;
    shape.reference = !bare;
    dut_shape_name(&shape, want, sizeof want);
    dut_shape_name(&other->config.shape, name, sizeof name);
    assert_string_equal(name, want);
    CHECK_EQ(other->slow, c->slow);
    CHECK_EQ(other->exact, c->exact);
    CHECK_EQ(other->expect, c->expect);
    CHECK_EQ(o->stall, s->stall);
    CHECK_EQ(o->reset_every, s->reset_every);
    CHECK_EQ(o->config.seed, s->config.seed);
    CHECK_EQ(o->config.pattern, s->config.pattern);
    CHECK_EQ(o->config.rounds, s->config.rounds);
    CHECK_EQ(o->config.cycles, s->config.cycles);
    CHECK_EQ(o->config.length, s->config.length);
    CHECK_EQ(o->config.length_min, s->config.length_min);
    assert_true(o->config.load == s->config.load);
    assert_string_equal(o->trace, s->trace);
}

/* A case that runs again is the case, but for the Verilog, and each that a line of reference.txt names is there. */
static void again(const char *pattern, unsigned number)
{
    const char *word = strtok(NULL, " ");
    unsigned found = 0;

    (void)number;
    for (size_t k = 0; k < all.count; k++) {
        const struct dut_shape *shape = &all.item[k].config.shape;
        char name[90];
        if (all.item[k].bench || shape->reference || shape->bare || fnmatch(pattern, all.item[k].name, 0) != 0)
            continue;
        found++;
        snprintf(name, sizeof name, "%s-%s", all.item[k].name, word ? "bare" : "ref");
        same_but_verilog(&all.item[k], the(name), word != NULL);
    }
    assert_true(found > 0);
}

static void other_verilog(void **state)
{
    (void)state;
    each_line("sim/reference.txt", again);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists),
        cmocka_unit_test(exact_cells),
        cmocka_unit_test(other_verilog),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, read_all, free_all);
}
