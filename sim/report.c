/* SPDX-License-Identifier: Apache-2.0
 * report.c - what a regression found: a table for people, JUnit XML for CI, a JSON manifest.
 */
#include "report.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

void report_table(const struct report_row *row, size_t count, FILE *out)
{
    uint64_t switch_cycles = 0, reference_cycles = 0;
    size_t wide = 4, reference = 0;

    for (size_t k = 0; k < count; k++)
        if (strlen(row[k].name) > wide)
            wide = strlen(row[k].name);
    fprintf(out, "%-*s %10s %9s %10s %12s  %-16s %10s\n", (int)wide, "case", "cycles", "worms",
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
                " %10.0f%s\n", (int)wide, r->name, r->cycles, r->worms, r->flits, r->links,
                r->digest, r->seconds > 0 ? (double)r->cycles / r->seconds : 0.0,
                r->passed ? "" : "  FAILED");
    }
    fprintf(out, "%" PRIu64 " switch-cycles compared\n", switch_cycles);
    if (reference)
        fprintf(out, "of these %" PRIu64 " with the reference switch, in the %zu cases NAME-ref; "
                "the others with what rtl/switch.v chooses, or with routers\n", reference_cycles, reference);
}

/* Text with the characters that XML and JSON reserve written as both understand them. */
static void xml(FILE *out, const char *s)
{
    for (; *s; s++)
        switch (*s) {
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '&': fputs("&amp;", out); break;
        case '"': fputs("&quot;", out); break;
        default: fputc((unsigned char)*s < 32 ? ' ' : *s, out);
        }
}

static void json(FILE *out, const char *s)
{
    fputc('"', out);
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            fputc('\\', out);
        fputc((unsigned char)*s < 32 ? ' ' : *s, out);
    }
    fputc('"', out);
}

static FILE *begin(const char *file, char *part, size_t size, struct fail *f)
{
    snprintf(part, size, "%s.part", file);
    FILE *out = fopen(part, "w");
    if (!out)
        fail(f, EXIT_SYSTEM, "%s: %s", part, strerror(errno));
    return out;
}

static int end(FILE *out, const char *part, const char *file, struct fail *f)
{
    int bad = fflush(out) != 0 || ferror(out);
    if ((fclose(out) != 0) | bad || rename(part, file) != 0) {
        fail(f, EXIT_SYSTEM, "%s: cannot write: %s", file, strerror(errno));
        remove(part);
        return -1;
    }
    return 0;
}

int report_junit(const struct report_row *row, size_t count, const char *file, struct fail *f)
{
    char part[600];
    FILE *out = begin(file, part, sizeof part, f);
    size_t failed = 0;
    double seconds = 0;

    if (!out)
        return -1;
    for (size_t k = 0; k < count; k++) {
        failed += !row[k].passed;
        seconds += row[k].seconds;
    }
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"cosim\" "
            "tests=\"%zu\" failures=\"%zu\" time=\"%.2f\">\n", count, failed, seconds);
    for (size_t k = 0; k < count; k++) {
        fprintf(out, "  <testcase classname=\"cosim\" name=\"");
        xml(out, row[k].name);
        fprintf(out, "\" time=\"%.2f\"", row[k].seconds);
        if (row[k].passed) {
            fprintf(out, "/>\n");
        } else {
            fprintf(out, ">\n    <failure message=\"");
            xml(out, row[k].why);
            fprintf(out, "\"/>\n  </testcase>\n");
        }
    }
    fprintf(out, "</testsuite>\n");
    return end(out, part, file, f);
}

/* First line that a command prints, or "not found". */
static void version(FILE *out, const char *name, const char *command)
{
    char line[200] = "";
    FILE *p = popen(command, "r");
    if (p) {
        if (fgets(line, sizeof line, p))
            line[strcspn(line, "\n")] = 0;
        pclose(p);
    }
    fprintf(out, "    ");
    json(out, name);
    fprintf(out, ": ");
    if (p)
        json(out, line[0] ? line : "not found");
    else
        fprintf(out, "\"not known: %s\"", strerror(errno));
}

int report_manifest(const struct report_row *row, size_t count, const char *file, struct fail *f)
{
    char part[600];
    FILE *out = begin(file, part, sizeof part, f);

    if (!out)
        return -1;
    fprintf(out, "{\n  \"tools\": {\n");
    version(out, "verilator", "verilator --version 2>/dev/null");
    fprintf(out, ",\n");
    version(out, "g++", "g++ --version 2>/dev/null");
    fprintf(out, ",\n    \"compiler of the C model\": ");
    json(out, __VERSION__);
    fprintf(out, "\n  },\n  \"cases\": [\n");
    for (size_t k = 0; k < count; k++) {
        const struct report_row *r = &row[k];
        fprintf(out, "    {\"name\": ");
        json(out, r->name);
        fprintf(out, ", \"passed\": %s, \"seed\": %" PRIu64 ", \"cycles\": %" PRIu64
                ", \"worms\": %" PRIu64 ", \"flits\": %" PRIu64 ", \"links_compared\": %" PRIu64
                ", \"switch_cycles\": %" PRIu64 ", \"latency_max\": %" PRIu64
                ", \"last_arrival\": %" PRIu64 ", \"digest\": \"%016" PRIx64
                "\", \"cpu_seconds\": %.3f", r->passed ? "true" : "false", r->seed, r->cycles,
                r->worms, r->flits, r->links, r->switch_cycles, r->latency_max, r->last, r->digest,
                r->seconds);
        if (!r->passed) {
            fprintf(out, ", \"why\": ");
            json(out, r->why);
        }
        fprintf(out, "}%s\n", k + 1 < count ? "," : "");
    }
    fprintf(out, "  ]\n}\n");
    return end(out, part, file, f);
}
