/* SPDX-License-Identifier: Apache-2.0
 * test_plot.c - what stands at the axes of plots, where their legends go, and the room that these have.
 */
#define _GNU_SOURCE /* strcasestr() */
#include "gnuplot.h"
#include "plot.h"
#include "point.h"

#include <string.h>

#include "unit.h"

/* Words, and numbers that are counts of what they name. */
static bool has_no_unit(const char *name)
{
    static const char *const names[] = {
        "discipline", "path", "scan", "pattern", "saturated", "digest", "arrivals", "lengths", "self_traffic", "start",
        "topology", "bandwidth", "injection", "end", "verdict", "channel_release", "processor_links", "channels_in_turn",
        "classes", "class_length", "class_pattern", "class_share", "class_priority", "class_channels", "reply", "runs",
        "seed", "nodes", "vcs", "rounds", "delay_range", "dimensions", "batches", "hotspot", "measured", "flit_hops",
        "congestion", "cycles"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(name, names[k]) == 0 || (strncmp(name, "class", 5) == 0 && name[6] == '_' && strcmp(name + 7, names[k]) == 0))
            return true;
    return false;
}

/* Every column of numbers says what it is counted in. */
static void units(void **state)
{
    char text[80];
    (void)state;
    for (unsigned k = 0; k < columns_count; k++) {
        const char *label = plot_label(columns[k].name, text, sizeof text);
        if (!has_no_unit(columns[k].name) && !strchr(label, '('))
            fail_msg("%s: '%s' has no unit", columns[k].name, label);
        assert_null(strchr(label, '_'));
    }
    assert_string_equal(plot_label("class3_latency_p99", text, sizeof text), "class 3: 99 % quantile of latency (cycles)");
    assert_string_equal(plot_label("latency_p99_low", text, sizeof text), "latency p99 low (cycles)");
    assert_string_equal(plot_label("no_such", text, sizeof text), "no such");
}

/* What stands for a name, or for a word of one, where it is not the word itself. */
static const char *in_words(const char *name)
{
    static const char *const table[][2] = {
        {"nodes", "processors"}, {"vcs", "virtual channels"}, {"rounds", "worms sent by each"}, {"hotspot", "hot spot"},
        {"p50", "median"}, {"p95", "95 % quantile"}, {"p99", "99 % quantile"}, {"p999", "99.9 % quantile"}, {"mean", ""},
        {"hops", "over links"}, {"cpu", "processor time"}, {"wall", "time ("}, {"warmup", "warm-up"}, {"wait_mean", "beyond that of a worm alone"},
        {"latency_per_congestion", "last arrival / congestion"}, {"last_arrival_max", "latest last arrival"}, {"latency_max", "largest latency"},
        {"length_min", "shortest worm"}, {"burst_on", "length of a burst"}, {"burst_off", "pause between bursts"},
        {"max_cycles", "longest run"}, {"cycles_per_us", "cycles of a recorded microsecond"}};
    for (size_t k = 0; k < ROWS(table); k++)
        if (strcmp(name, table[k][0]) == 0)
            return table[k][1];
    return NULL;
}

/* The label of an axis has the words of its name, or what stands for them: those of two names are not exchanged. */
static void says(const char *name)
{
    char own[80], text[80], class[12] = "", begin[8];
    const char *label = plot_label(name, text, sizeof text);

    if (strncmp(name, "class", 5) == 0 && name[6] == '_') {
        snprintf(class, sizeof class, "class %c: ", name[5]);
        if (strncmp(label, class, strlen(class)) != 0)
            fail_msg("%s: '%s' does not begin with '%s'", name, label, class);
        name += 7;
    }
    const char *whole = in_words(name);
    snprintf(own, sizeof own, "%s", whole ? "" : name);
    if (whole && !strstr(label, whole))
        fail_msg("%s: '%s' does not say '%s'", name, label, whole);
    for (const char *word = strtok(own, "_"); word; word = strtok(NULL, "_")) {
        snprintf(begin, sizeof begin, "%.6s", word);
        if (!strcasestr(label, begin) && (!in_words(word) || !strcasestr(label, in_words(word))))
            fail_msg("%s: '%s' has no '%s'", name, label, word);
    }
}

static void names(void **state)
{
    char name[80], a[80], b[80];

    (void)state;
    for (unsigned k = 0; k < columns_count; k++) {
        says(columns[k].name);
        for (unsigned j = 0; j < k; j++)
            if (strcmp(plot_label(columns[j].name, a, sizeof a), plot_label(columns[k].name, b, sizeof b)) == 0)
                fail_msg("%s and %s are both '%s'", columns[j].name, columns[k].name, a);
    }
    for (unsigned k = 0; k < settings_count; k++) {
        snprintf(name, sizeof name, "%s", settings_table[k].name);
        for (char *c = name; *c; c++)
            *c = *c == '-' ? '_' : *c;
        says(name);
    }
}

/* Height of a picture, and its margin below the axis in lines of text. */
static unsigned height_of(bool svg, struct gnuplot_key key, double *margin)
{
    char *text = NULL;
    size_t size = 0;
    unsigned width, height;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    gnuplot_head(out, "x.part", svg, "title", "second", "x", "y", key);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(sscanf(strstr(text, " size "), " size %u,%u ", &width, &height), 2);
    assert_int_equal(sscanf(strstr(text, "set bmargin "), "set bmargin %lf", margin), 1);
    CHECK_EQ(width, svg ? 960 : 1440);
    assert_non_null(strstr(text, svg ? "set terminal svg " : "set terminal pngcairo "));
    free(text);
    return height;
}

/* The picture grows by each row of the legend, by as many lines of text as the margin does, and not by columns. */
static void room_of_legends(void **state)
{
    double none, one, margin;

    (void)state;
    for (unsigned svg = 0; svg < 2; svg++) {
        unsigned least = height_of(svg, (struct gnuplot_key){0, 1}, &none), row = height_of(svg, (struct gnuplot_key){1, 1}, &one) - least;
        assert_true(row >= (svg ? 17 : 25)); /* of a text of 14 points, or of 16 at 1.5 pixels */
        assert_true(one > none + 1);
        for (unsigned rows = 0; rows < 25; rows++)
            for (unsigned wide = 1; wide < 10; wide++) {
                CHECK_AT(rows, height_of(svg, (struct gnuplot_key){rows, wide}, &margin), least + rows * row);
                assert_true(margin > none + rows * (one - none) - 0.05 && margin < none + rows * (one - none) + 0.05 + 0.005 * rows);
            }
    }
}

/* A legend at the right as long as it takes little of the width; else below, all of it. */
static void legends(void **state)
{
    (void)state;
    assert_int_equal(gnuplot_layout(4, 20).rows, 0);
    assert_int_equal(gnuplot_layout(20, 32).rows, 0);
    assert_int_equal(gnuplot_layout(21, 32).rows, 11); /* in two columns */
    assert_int_equal(gnuplot_layout(3, 33).rows, 2);
    assert_int_equal(gnuplot_layout(18, 70).rows, 18);
    assert_int_equal(gnuplot_layout(2, 500).columns, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(units), cmocka_unit_test(names), cmocka_unit_test(legends),
                                       cmocka_unit_test(room_of_legends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
