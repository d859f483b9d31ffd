/* SPDX-License-Identifier: Apache-2.0
 * test_plot.c - what stands at the axes of plots, and where their legends go.
 */
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(units), cmocka_unit_test(legends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
