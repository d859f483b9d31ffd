/* SPDX-License-Identifier: Apache-2.0
 * page.c - what the co-simulation writes for a browser.
 */
#include "page.h"

#include "fatfly.h"
#include "outfile.h"
#include "text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BEFORE = 8, AFTER = 6, COLUMNS = BEFORE + 1 + AFTER };

/* -- HTML ------------------------------------------------------------------------------------------ */

static void head(FILE *out, const char *title)
{
    fputs("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>", out);
    text_xml(out, title);
    fputs("</title>\n<style>\n"
          ":root { color-scheme: light dark; --line: #8884; --soft: #888; --bad: #d55e00; }\n"
          "body { font: 14px/1.4 system-ui, sans-serif; margin: 1.5rem; }\n"
          "table { border-collapse: collapse; font: 12px ui-monospace, monospace; }\n"
          "td, th { padding: 1px 7px; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }\n"
          "th:first-child, td:first-child { text-align: left; position: sticky; left: 0; background: Canvas; }\n"
          "thead th { position: sticky; top: 0; background: Canvas; z-index: 1; }\n"
          ".bad { background: var(--bad); color: #fff; font-weight: 600; } .at { border-left: 2px solid var(--bad); border-right: 2px solid var(--bad); }\n"
          ".soft { color: var(--soft); } .wide { overflow-x: auto; max-height: 80vh; } pre { font-size: 12px; }\n"
          "</style>\n<h1>", out);
    text_xml(out, title);
    fputs("</h1>\n", out);
}

/* A link to a file beside the page, if it is there. */
static void beside(FILE *out, const char *folder, const char *name, const char *ending)
{
    char file[800];
    snprintf(file, sizeof file, "%s/%s.%s", folder, name, ending);
    if (access(file, R_OK) != 0)
        return;
    fputs(" <a href=\"", out);
    text_xml(out, name);
    fprintf(out, ".%s\">%s</a>", ending, ending);
}

/* -- the regression -------------------------------------------------------------------------------- */

static void report_row(FILE *out, const struct report_row *r, const char *folder)
{
    fputs("<tr><td>", out);
    text_xml(out, r->name);
    fprintf(out, "</td><td%s</td><td>%" PRIu64 "</td><td>%" PRIu64 "</td><td>%" PRIu64 "</td><td>%" PRIu64
            "</td><td>%016" PRIx64 "</td><td>%" PRIu64 "</td><td>%.2f</td><td>",
            r->passed ? ">passed" : " class=\"bad\">FAILED", r->cycles, r->worms, r->flits, r->links,
            r->digest, r->seed, r->seconds);
    beside(out, folder, r->name, "log");
    if (!r->passed) {
        beside(out, folder, r->name, "html");
        beside(out, folder, r->name, "worms");
        beside(out, folder, r->name, "fst");
        fputs("</td><td style=\"text-align: left\">", out);
        text_xml(out, r->why);
    }
    fputs("</td></tr>\n", out);
}

/* First line of what a command prints, or that NAME is not there. */
static void version(FILE *out, const char *name, const char *command)
{
    char line[200];
    bool asked = report_first_line(command, line);
    fputs("<li>", out);
    text_xml(out, line[0] ? line : name);
    if (!line[0])
        fprintf(out, ": %s", asked ? "not found" : "not known: no process for it");
    fputs("</li>\n", out);
}

int page_report(const struct report_row *row, size_t count, const char *folder, const char *part,
                struct fail *f)
{
    char file[700];
    struct outfile o;
    size_t failed = 0;
    double seconds = 0;
    uint64_t switch_cycles = 0;

    snprintf(file, sizeof file, "%s/report%s.html", folder, part);
    if (outfile_open(&o, file, f))
        return -1;
    for (size_t k = 0; k < count; k++) {
        failed += !row[k].passed;
        seconds += row[k].seconds;
        switch_cycles += row[k].switch_cycles;
    }
    head(o.out, "Co-simulation");
    fprintf(o.out, "<p><b%s>%zu passed, %zu failed</b>; %" PRIu64 " switch-cycles compared; %.1f s of "
            "processor time.</p>\n<ul>\n<li>fatfly %s, C model by %s</li>\n", failed ? " class=\"bad\"" : "",
            count - failed, failed, switch_cycles, seconds, FATFLY_VERSION, __VERSION__);
    version(o.out, "verilator", REPORT_VERILATOR);
    version(o.out, "g++", "g++ --version 2>/dev/null");
    fputs("</ul>\n<div class=\"wide\"><table>\n<thead><tr><th>case</th><th>verdict</th><th>cycles</th><th>worms</th>"
          "<th>flits</th><th>links</th><th>digest</th><th>seed</th><th>seconds</th><th>files</th></tr></thead>\n", o.out);
    for (int passed = 0; passed < 2; passed++) /* failures first */
        for (size_t k = 0; k < count; k++)
            if (row[k].passed == passed)
                report_row(o.out, &row[k], folder);
    fputs("</table></div>\n", o.out);
    return outfile_close(&o, f);
}

/* -- a mismatch ------------------------------------------------------------------------------------ */

struct film {
    const struct probe *probe;
    unsigned at, sides, columns;
    bool outputs_only; /* what is inside is shown of the first side alone */
    uint64_t first, cycle[COLUMNS];
    unsigned exits;
    uint64_t *value;   /* [COLUMNS][2][count] */
    struct link *exit; /* [COLUMNS][2][exits], links out of the device */
};

static uint64_t *seen(const struct film *m, unsigned column, unsigned side)
{
    return m->value + ((size_t)column * 2 + side) * m->probe->count;
}

static struct link *left(const struct film *m, unsigned column, unsigned side)
{
    return m->exit + ((size_t)column * 2 + side) * m->exits;
}

static void record(void *context, uint64_t cycle, const struct lockstep_view *view)
{
    struct film *m = context;

    if (cycle < m->first || m->columns == COLUMNS)
        return;
    m->cycle[m->columns] = cycle;
    for (unsigned side = 0; side < 2; side++) {
        unsigned from = side < m->sides ? side : 0, shows = m->outputs_only ? 0 : from;
        for (unsigned k = 0; k < m->probe->count; k++)
            seen(m, m->columns, side)[k] = probe_get(m->probe, view->state[shows], m->at, &m->probe->signal[k]);
        memcpy(left(m, m->columns, side), view->out[from]->link, m->exits * sizeof(struct link));
    }
    m->columns++;
}

static void name_of(const struct probe_signal *g, char *name, size_t size)
{
    if (g->port == PROBE_NO_PORT)
        snprintf(name, size, "%s", g->name);
    else if (g->vc == PROBE_NO_VC)
        snprintf(name, size, "port%u.%s", g->port, g->name);
    else
        snprintf(name, size, "port%u.vc%u.%s", g->port, g->vc, g->name);
}

/* Whether the two sides differ somewhere in row k; *some: it is not always 0. */
static bool differs(const struct film *m, unsigned k, bool *some)
{
    bool differ = false;
    *some = false;
    for (unsigned j = 0; j < m->columns; j++) {
        differ |= seen(m, j, 0)[k] != seen(m, j, 1)[k];
        *some |= seen(m, j, 0)[k] || seen(m, j, 1)[k];
    }
    return differ;
}

static void value(FILE *out, const struct probe_signal *g, uint64_t v)
{
    static const char *const kinds[] = {"body", "tail", "head", "single"};
    if (g->what == PROBE_KIND)
        fputs(kinds[v & 3], out);
    else
        fprintf(out, g->width > 8 ? "0x%" PRIx64 : "%" PRIu64, v);
}

static void film_row(FILE *out, const struct film *m, unsigned k, uint64_t cycle)
{
    const struct probe_signal *g = &m->probe->signal[k];
    char name[48];

    name_of(g, name, sizeof name);
    fprintf(out, "<tr><td>%s</td>", name);
    for (unsigned j = 0; j < m->columns; j++) {
        uint64_t one = seen(m, j, 0)[k], two = seen(m, j, 1)[k];
        fprintf(out, "<td class=\"%s%s\">", one != two ? "bad" : one ? "" : "soft",
                m->cycle[j] == cycle ? " at" : "");
        value(out, g, one);
        if (one != two) {
            fputs(" | ", out);
            value(out, g, two);
        }
        fputs("</td>", out);
    }
    fputs("</tr>\n", out);
}

static bool same_link(const struct link *a, const struct link *b)
{
    return a->valid == b->valid && (!a->valid || (a->flit.kind == b->flit.kind && a->flit.payload == b->flit.payload));
}

static void link_value(FILE *out, const struct link *l)
{
    static const char *const kinds[] = {"body", "tail", "head", "single"};
    if (l->valid)
        fprintf(out, "%s 0x%" PRIx64 " c%d", kinds[l->flit.kind & 3], l->flit.payload, __builtin_ctz(l->valid));
    else
        fputs("-", out);
}

/* A link out of the device, where the two sides differ on it. */
static void exit_row(FILE *out, const struct film *m, unsigned e, uint64_t cycle)
{
    bool differ = false;
    for (unsigned j = 0; j < m->columns; j++)
        differ |= !same_link(&left(m, j, 0)[e], &left(m, j, 1)[e]);
    if (!differ)
        return;
    fprintf(out, "<tr><td>exit%u</td>", e);
    for (unsigned j = 0; j < m->columns; j++) {
        const struct link *one = &left(m, j, 0)[e], *two = &left(m, j, 1)[e];
        bool same = same_link(one, two);
        fprintf(out, "<td class=\"%s%s\">", same ? one->valid ? "" : "soft" : "bad", m->cycle[j] == cycle ? " at" : "");
        link_value(out, one);
        if (!same) {
            fputs(" | ", out);
            link_value(out, two);
        }
        fputs("</td>", out);
    }
    fputs("</tr>\n", out);
}

static void film_table(FILE *out, const struct film *m, uint64_t cycle)
{
    fputs("<div class=\"wide\"><table>\n<thead><tr><th>cycle</th>", out);
    for (unsigned j = 0; j < m->columns; j++)
        fprintf(out, "<th%s>%" PRIu64 "</th>", m->cycle[j] == cycle ? " class=\"at\"" : "", m->cycle[j]);
    fputs("</tr></thead>\n", out);
    for (int part = 0; part < 2; part++) { /* what differs first */
        for (unsigned k = 0; k < m->probe->count; k++) {
            bool some, differ = differs(m, k, &some);
            if (part == 0 ? differ : !differ && some)
                film_row(out, m, k, cycle);
        }
        for (unsigned e = 0; e < m->exits && part == 0; e++)
            exit_row(out, m, e, cycle);
        if (part == 0)
            fprintf(out, "<tr><th colspan=\"%u\" style=\"text-align: left\">the same on both sides, and not always 0</th></tr>\n",
                    m->columns + 1);
    }
    fputs("</table></div>\n", out);
}

/* The shrunk case, which explain.c has written. */
static void worms(FILE *out, const struct mismatch *x)
{
    char line[400];
    FILE *in = *x->small ? fopen(x->small, "r") : NULL;
    if (!in)
        return;
    fputs("<h2>The smallest failing case that was found</h2>\n<pre>", out);
    for (unsigned n = 0; n < 60 && fgets(line, sizeof line, in); n++)
        text_xml(out, line);
    fprintf(out, "</pre>\n<p>Alone: <code>");
    text_xml(out, x->alone);
    fputs("</code></p>\n", out);
    fclose(in);
}

int page_mismatch(const struct mismatch *x, struct fail *f)
{
    const struct probe *p = x->probe;
    uint64_t cycle = x->cycle;
    unsigned at = x->at;
    struct film m = {.probe = p, .at = at, .sides = x->ops[1] ? 2 : 1, .exits = dut_endpoints(&p->shape),
                     .outputs_only = x->options->outputs_only, .first = cycle > BEFORE ? cycle - BEFORE : 0};
    struct lockstep_options lo = *x->options;
    struct lockstep_result r;
    struct outfile o;
    char file[700], place[32], title[200];

    snprintf(file, sizeof file, "%s/%s.html", x->folder, x->name);
    m.value = calloc((size_t)COLUMNS * 2 * p->count, sizeof *m.value);
    m.exit = calloc((size_t)COLUMNS * 2 * m.exits, sizeof *m.exit);
    if (!m.value || !m.exit) {
        free(m.value);
        free(m.exit);
        return fail(f, EXIT_SYSTEM, "%s: memory is short", file);
    }
    lo.watch = record;
    lo.context = &m;
    lo.after = AFTER;
    lo.max_cycles = cycle + AFTER + 1;
    lockstep_run(x->ops, x->stimulus, &lo, &r);
    int bad = outfile_open(&o, file, f);
    if (!bad) {
        probe_switch_name(p, at, place, sizeof place);
        snprintf(title, sizeof title, "%s, cycle %" PRIu64, x->name, cycle);
        head(o.out, title);
        fputs("<p><b>", o.out);
        text_xml(o.out, x->why);
        fprintf(o.out, "</b></p>\n<p>Repeat it: <code>");
        text_xml(o.out, x->repeat);
        fprintf(o.out, "</code></p>\n<p>Beside this page:");
        beside(o.out, x->folder, x->name, "log");
        beside(o.out, x->folder, x->name, "worms");
        beside(o.out, x->folder, x->name, "fst");
        fprintf(o.out, "</p>\n<h2>%s in the cycles around it%s</h2>\n", place,
                m.sides == 2 ? ": C | Verilog where they differ" : "");
        film_table(o.out, &m, cycle);
        worms(o.out, x);
        bad = outfile_close(&o, f);
    }
    free(m.value);
    free(m.exit);
    return bad;
}
