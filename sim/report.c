/* SPDX-License-Identifier: Apache-2.0
 * report.c - what a regression found: a table for people, JUnit XML for CI, a JSON manifest.
 */
#include "report.h"

#include "outfile.h"
#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

void report_table(const struct report_row *row, size_t count, FILE *out)
{
    uint64_t switch_cycles = 0, reference_cycles = 0;
    size_t width = 4, reference = 0;

    for (size_t k = 0; k < count; k++)
        if (strlen(row[k].name) > width)
            width = strlen(row[k].name);
    fprintf(out, "%-*s %10s %9s %10s %12s  %-16s %10s\n", (int)width, "case", "cycles", "worms",
            "flits", "links", "digest", "cycles/s");
    for (size_t k = 0; k < count; k++) {
        const struct report_row *r = &row[k];
        size_t length = strlen(r->name);
        switch_cycles += r->switch_cycles;
        if (length > 4 && strcmp(r->name + length - 4, "-ref") == 0) {
            reference++;
            reference_cycles += r->switch_cycles;
        }
        fprintf(out, "%-*s %10" PRIu64 " %9" PRIu64 " %10" PRIu64 " %12" PRIu64 "  %016" PRIx64
                " %10.0f%s\n", (int)width, r->name, r->cycles, r->worms, r->flits, r->links,
                r->digest, r->seconds > 0 ? (double)r->cycles / r->seconds : 0.0,
                r->passed ? "" : "  FAILED");
    }
    fprintf(out, "%" PRIu64 " switch-cycles compared\n", switch_cycles);
    if (reference)
        fprintf(out, "of these %" PRIu64 " with the reference switch, in the %zu cases NAME-ref; "
                "the others with what rtl/switch.v chooses, or with routers\n", reference_cycles, reference);
}

int report_junit(const struct report_row *row, size_t count, const char *file, struct fail *f)
{
    struct outfile o;
    size_t failed = 0;
    double seconds = 0;

    if (outfile_open(&o, file, f))
        return -1;
    FILE *out = o.out;
    for (size_t k = 0; k < count; k++) {
        failed += !row[k].passed;
        seconds += row[k].seconds;
    }
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"cosim\" "
            "tests=\"%zu\" failures=\"%zu\" time=\"%.2f\">\n", count, failed, seconds);
    for (size_t k = 0; k < count; k++) {
        fprintf(out, "  <testcase classname=\"cosim\" name=\"");
        text_xml(out, row[k].name);
        fprintf(out, "\" time=\"%.2f\"", row[k].seconds);
        if (row[k].passed) {
            fprintf(out, "/>\n");
        } else {
            fprintf(out, ">\n    <failure message=\"");
            text_xml(out, row[k].why);
            fprintf(out, "\"/>\n  </testcase>\n");
        }
    }
    fprintf(out, "</testsuite>\n");
    return outfile_close(&o, f);
}

bool report_first_line(const char *command, char line[200])
{
    FILE *p = popen(command, "r");
    line[0] = '\0';
    if (p) {
        if (fgets(line, 200, p))
            line[strcspn(line, "\n")] = 0;
        pclose(p);
    }
    return p;
}

/* First line that a command prints, or "not found". */
static void version(FILE *out, const char *name, const char *command)
{
    char line[200];
    bool asked = report_first_line(command, line);
    fprintf(out, "    ");
    text_json(out, name);
    fprintf(out, ": ");
    if (asked)
        text_json(out, line[0] ? line : "not found");
    else
        fprintf(out, "\"not known: %s\"", strerror(errno));
}

int report_manifest(const struct report_row *row, size_t count, bool whole, const char *file, struct fail *f)
{
    struct outfile o;

    if (outfile_open(&o, file, f))
        return -1;
    FILE *out = o.out;
    fprintf(out, "{\n  \"tools\": {\n");
    version(out, "verilator", REPORT_VERILATOR);
    fprintf(out, ",\n");
    version(out, "g++", "g++ --version 2>/dev/null");
    fprintf(out, ",\n    \"compiler of the C model\": ");
    text_json(out, __VERSION__);
    fprintf(out, "\n  },\n  \"whole\": %s,\n  \"cases\": [\n", whole ? "true" : "false");
    for (size_t k = 0; k < count; k++) {
        const struct report_row *r = &row[k];
        fprintf(out, "    {\"name\": ");
        text_json(out, r->name);
        fprintf(out, ", \"passed\": %s, \"seed\": %" PRIu64 ", \"cycles\": %" PRIu64
                ", \"worms\": %" PRIu64 ", \"flits\": %" PRIu64 ", \"links_compared\": %" PRIu64
                ", \"switch_cycles\": %" PRIu64 ", \"latency_max\": %" PRIu64
                ", \"last_arrival\": %" PRIu64 ", \"digest\": \"%016" PRIx64
                "\", \"cpu_seconds\": %.3f", r->passed ? "true" : "false", r->seed, r->cycles,
                r->worms, r->flits, r->links, r->switch_cycles, r->latency_max, r->last, r->digest,
                r->seconds);
        if (!r->passed) {
            fprintf(out, ", \"why\": ");
            text_json(out, r->why);
        }
        fprintf(out, "}%s\n", k + 1 < count ? "," : "");
    }
    fprintf(out, "  ]\n}\n");
    return outfile_close(&o, f);
}
