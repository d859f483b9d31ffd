/* SPDX-License-Identifier: Apache-2.0
 * test_report.c - what a regression writes of its cases, read back: the table, JUnit's file, the manifest and the page.
 */
#include "page.h"
#include "report.h"

#include "unit.h" /* last: cmocka has a macro fail() */

#include <inttypes.h>
#include <unistd.h>

enum { MOST = 6 };

static struct report_row row[MOST];
static char text[1 << 16];

/* Names of different lengths, some of cases of the reference switch; numbers of up to 40 bits. */
static void draw_rows(size_t count, unsigned passed)
{
    memset(row, 0, sizeof row);
    for (size_t k = 0; k < count; k++) {
        uint64_t *number[] = {&row[k].seed, &row[k].cycles, &row[k].worms, &row[k].flits, &row[k].links, &row[k].switch_cycles,
                              &row[k].latency_max, &row[k].last, &row[k].digest};
        for (size_t j = 0; j < ROWS(number); j++)
            *number[j] = (uint64_t)draw(1u << 31) << draw(10);
        snprintf(row[k].name, sizeof row[k].name, "%.*s%zu%s", (int)draw(30), "switch-s1of3-v1-q2-w32-rp-rr-0", k, draw(2) ? "-ref" : "");
        row[k].seconds = draw(10000) / 100.0;
        row[k].passed = passed >> k & 1;
        if (!row[k].passed)
            snprintf(row[k].why, sizeof row[k].why, "cycle %zu: exit 3", 100 + k);
    }
}

static void read_back(const char *file)
{
    FILE *in = fopen(file, "r");
    assert_non_null(in);
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    unlink(file);
}

static const char *after(const char *from, const char *what)
{
    const char *found = strstr(from, what);
    if (!found)
        fail_msg("'%s' is not in: %s", what, from);
    return found + strlen(what);
}

/* Which of up to six cases have failed, all ways. */
static void junit(void **state)
{
    (void)state;
    for (size_t count = 1; count <= MOST; count++)
        for (unsigned passed = 0; passed < 1u << count; passed++) {
            char file[] = "/tmp/report.XXXXXX", want[200];
            struct fail f;
            double seconds = 0;
            close(mkstemp(file));
            draw_rows(count, passed);
            for (size_t k = 0; k < count; k++)
                seconds += row[k].seconds;
            CHECK_EQ(report_junit(row, count, file, &f), 0);
            read_back(file);
            snprintf(want, sizeof want, "<testsuite name=\"cosim\" tests=\"%zu\" failures=\"%zu\" time=\"%.2f\">\n", count,
                     count - (size_t)__builtin_popcount(passed), seconds);
            const char *at = after(text, want);
            for (size_t k = 0; k < count; k++) {
                int n = snprintf(want, sizeof want, "  <testcase classname=\"cosim\" name=\"%s\" time=\"%.2f\"%s", row[k].name,
                                 row[k].seconds, row[k].passed ? "/>\n" : "");
                if (!row[k].passed)
                    snprintf(want + n, sizeof want - (size_t)n, ">\n    <failure message=\"%s\"/>\n  </testcase>\n", row[k].why);
                assert_int_equal(strncmp(at, want, strlen(want)), 0);
                at += strlen(want);
            }
            assert_string_equal(at, "</testsuite>\n");
        }
}

static void table(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 200; round++) {
        size_t count = 1 + draw(MOST), references = 0;
        uint64_t all = 0, reference = 0;
        FILE *out = tmpfile();
        assert_non_null(out);
        draw_rows(count, draw(1u << count));
        report_table(row, count, out);
        rewind(out);
        text[fread(text, 1, sizeof text - 1, out)] = '\0';
        fclose(out);
        const char *at = after(text, "cycles/s\n");
        for (size_t k = 0; k < count; k++, at = after(at, "\n")) {
            char name[81], failed[8] = "";
            uint64_t n[5];
            double rate;
            int fields = sscanf(at, "%80s %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNx64 " %lf", name, &n[0], &n[1], &n[2],
                                &n[3], &n[4], &rate);
            CHECK_EQ(fields, 7);
            sscanf(strchr(at, '\n') - 6, "%7s", failed);
            assert_string_equal(name, row[k].name);
            CHECK_EQ(n[0], row[k].cycles);
            CHECK_EQ(n[1], row[k].worms);
            CHECK_EQ(n[2], row[k].flits);
            CHECK_EQ(n[3], row[k].links);
            CHECK_EQ(n[4], row[k].digest);
            double want = row[k].seconds > 0 ? (double)row[k].cycles / row[k].seconds : 0;
            assert_true(rate >= want - 0.5001 && rate <= want + 0.5001);
            CHECK_EQ(strcmp(failed, "FAILED") != 0, row[k].passed);
            all += row[k].switch_cycles;
            if (strstr(row[k].name, "-ref")) {
                references++;
                reference += row[k].switch_cycles;
            }
        }
        uint64_t got[2];
        size_t cases = 0;
        CHECK_EQ(sscanf(at, "%" SCNu64 " switch-cycles compared of these %" SCNu64 " with the reference switch, in the %zu cases", &got[0],
                        &got[1], &cases), references ? 3 : 1);
        CHECK_EQ(got[0], all);
        CHECK_EQ(cases, references);
        if (references)
            CHECK_EQ(got[1], reference);
    }
}

static void manifest(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 4; round++) {
        char file[] = "/tmp/report.XXXXXX", want[700];
        size_t count = round + 2;
        struct fail f;
        close(mkstemp(file));
        draw_rows(count, draw(1u << count));
        CHECK_EQ(report_manifest(row, count, round % 2, file, &f), 0);
        read_back(file);
        const char *at = after(text, round % 2 ? "\"whole\": true,\n  \"cases\": [\n" : "\"whole\": false,\n  \"cases\": [\n");
        for (size_t k = 0; k < count; k++) {
            const struct report_row *r = &row[k];
            int n = snprintf(want, sizeof want, "    {\"name\": \"%s\", \"passed\": %s, \"seed\": %" PRIu64 ", \"cycles\": %" PRIu64
                             ", \"worms\": %" PRIu64 ", \"flits\": %" PRIu64 ", \"links_compared\": %" PRIu64 ", \"switch_cycles\": %" PRIu64
                             ", \"latency_max\": %" PRIu64 ", \"last_arrival\": %" PRIu64 ", \"digest\": \"%016" PRIx64
                             "\", \"cpu_seconds\": %.3f", r->name, r->passed ? "true" : "false", r->seed, r->cycles, r->worms, r->flits,
                             r->links, r->switch_cycles, r->latency_max, r->last, r->digest, r->seconds);
            if (!r->passed)
                snprintf(want + n, sizeof want - (size_t)n, ", \"why\": \"%s\"", r->why);
            assert_int_equal(strncmp(at, want, strlen(want)), 0);
            at += strlen(want);
            assert_int_equal(strncmp(at, k + 1 < count ? "},\n" : "}\n", k + 1 < count ? 3 : 2), 0);
            at = after(at, "\n");
        }
        assert_string_equal(at, "  ]\n}\n");
    }
}

/* Under each head of the page's table stands what it names; cases that failed come first. */
static void page(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 4; round++) {
        char folder[] = "/tmp/report.XXXXXX", file[100], want[400];
        size_t count = 1 + round, failed = 0;
        unsigned passed = draw(1u << count);
        struct fail f;
        assert_non_null(mkdtemp(folder));
        draw_rows(count, passed);
        CHECK_EQ(page_report(row, count, folder, "", &f), 0);
        snprintf(file, sizeof file, "%s/report.html", folder);
        read_back(file);
        rmdir(folder);
        for (size_t k = 0; k < count; k++)
            failed += !row[k].passed;
        snprintf(want, sizeof want, ">%zu passed, %zu failed</b>", count - failed, failed);
        (void)after(text, want);
        const char *at = after(text, "<tr><th>case</th><th>verdict</th><th>cycles</th><th>worms</th><th>flits</th><th>links</th>"
                                     "<th>digest</th><th>seed</th><th>seconds</th><th>files</th></tr></thead>\n");
        for (unsigned good = 0; good < 2; good++)
            for (size_t k = 0; k < count; k++) {
                const struct report_row *r = &row[k];
                if (r->passed != good)
                    continue;
                snprintf(want, sizeof want, "<tr><td>%s</td><td%s</td><td>%" PRIu64 "</td><td>%" PRIu64 "</td><td>%" PRIu64 "</td><td>%" PRIu64
                         "</td><td>%016" PRIx64 "</td><td>%" PRIu64 "</td><td>%.2f</td><td>", r->name,
                         good ? ">passed" : " class=\"bad\">FAILED", r->cycles, r->worms, r->flits, r->links, r->digest, r->seed, r->seconds);
                assert_int_equal(strncmp(at, want, strlen(want)), 0);
                at = after(at, "</td></tr>\n");
                if (!good && !strstr(strstr(text, want), r->why))
                    fail_msg("%s is not told", r->why);
            }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(junit),
        cmocka_unit_test(table),
        cmocka_unit_test(manifest),
        cmocka_unit_test(page),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
