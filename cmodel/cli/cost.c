/* SPDX-License-Identifier: Apache-2.0
 * cost.c - what a switch and a network of switches cost on an FPGA.
 */
#include "cost.h"

#include "fat_tree.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINE = 4096, MAX_FIELDS = 64, MAX_ROWS = 100000 };

enum field { CONFIG, FAMILY, LUT, FF, RAM, FMAX, FIELDS };
static const char *const field_names[FIELDS] = {"config", "family", "lut", "ff", "ram", "fmax_mhz"};

/* -- the file --------------------------------------------------------------------------------- */

/* Cuts a line of CSV into fields where it stands; a field in quotes may hold commas, and a quote as
 * two.  The count, MAX_FIELDS + 1 if there are more, or -1 if a quote does not end. */
static int cut(char *line, char *field[MAX_FIELDS])
{
    int n = 0;
    char *to = line;
    for (;;) {
        if (n == MAX_FIELDS)
            return MAX_FIELDS + 1;
        bool quoted = *line == '"', open = quoted;
        field[n++] = to;
        line += quoted;
        while (*line && (open || (!quoted && *line != ','))) {
            open = open && (*line != '"' || *++line == '"');
            if (open || !quoted)
                *to++ = *line++;
        }
        if (open || (*line && *line != ','))
            return -1;
        char end = *line++;
        *to++ = '\0';
        if (!end)
            return n;
    }
}

struct reader {
    const char *file;
    unsigned line;
    int column[FIELDS]; /* of the file */
    int columns;
};

static int read_header(struct reader *r, char *field[], int n, struct fail *f)
{
    r->columns = n;
    for (unsigned k = 0; k < FIELDS; k++) {
        r->column[k] = -1;
        for (int j = 0; j < n; j++)
            if (strcmp(field[j], field_names[k]) == 0)
                r->column[k] = j;
        if (r->column[k] < 0)
            return fail_at(f, r->file, r->line, "no column %s; allowed: the table that `make "
                           "synth` writes, with config, family, lut, ff, ram, fmax_mhz", field_names[k]);
    }
    return 0;
}

/* A number from 0 on; NaN for nothing. */
static int read_number(const struct reader *r, char *field[], enum field k, double *v,
                       struct fail *f)
{
    const char *text = field[r->column[k]];
    char *end;
    *v = NAN;
    if (!*text)
        return 0;
    *v = strtod(text, &end);
    bool above = k == LUT || k == FMAX;
    if (*end || strspn(text, "0123456789.") != strlen(text) || !(*v < 1e9) || (above && !(*v > 0)))
        return fail_at(f, r->file, r->line, "%s = %.40s; allowed: a number %s, or nothing",
                       field_names[k], text, above ? "above 0" : "from 0 on");
    return 0;
}

static int read_row(const struct reader *r, char *field[], int n, struct cost_table *t,
                    struct fail *f)
{
    struct cost_row row;
    char why[200];
    if (n != r->columns)
        return fail_at(f, r->file, r->line, "%d fields; allowed: %d, as in the first line", n,
                       r->columns);
    const char *config = field[r->column[CONFIG]], *family = field[r->column[FAMILY]];
    if (strncmp(config, "arbiter-", 8) == 0)
        return 0;
    if (hardware.parse(config, &row.design, why, sizeof why))
        return fail_at(f, r->file, r->line, "config = %.60s: %s", config, why);
    if (!*family || strlen(family) >= sizeof row.family)
        return fail_at(f, r->file, r->line, "family = %.40s; allowed: 1 to %zu letters", family,
                       sizeof row.family - 1);
    snprintf(row.family, sizeof row.family, "%s", family);
    if (read_number(r, field, LUT, &row.lut, f) || read_number(r, field, FF, &row.ff, f) ||
        read_number(r, field, RAM, &row.ram, f) || read_number(r, field, FMAX, &row.mhz, f))
        return -1;
    if (t->count == MAX_ROWS)
        return fail_at(f, r->file, r->line, "more than %d rows; allowed: at most %d", MAX_ROWS, MAX_ROWS);
    if ((t->count & (t->count - 1)) == 0) {
        size_t room = t->count ? 2 * t->count : 1;
        struct cost_row *more = realloc(t->row, room * sizeof *more);
        if (!more)
            return fail(f, EXIT_SYSTEM, "no memory for %zu rows", room);
        t->row = more;
    }
    t->row[t->count++] = row;
    return 0;
}

static int read_lines(struct reader *r, FILE *in, struct cost_table *t, struct fail *f)
{
    char line[MAX_LINE], *field[MAX_FIELDS];
    int got;
    while ((got = plain_line(in, line, sizeof line, r->file, &r->line, f)) > 0) {
        for (size_t n = strlen(line); n && line[n - 1] == '\r'; n--)
            line[n - 1] = '\0';
        if (!*line)
            continue;
        int count = cut(line, field);
        if (count < 0)
            return fail_at(f, r->file, r->line, "a quoted field does not end, or not at a comma");
        if (count > MAX_FIELDS)
            return fail_at(f, r->file, r->line, "more than %d fields; allowed: at most %d", MAX_FIELDS, MAX_FIELDS);
        if (r->columns ? read_row(r, field, count, t, f) : read_header(r, field, count, f))
            return -1;
    }
    if (got < 0)
        return -1;
    if (ferror(in))
        return errno == EISDIR ? fail(f, EXIT_INPUT, "%s: Is a directory; allowed: a readable file", r->file)
                               : fail(f, EXIT_SYSTEM, "%s: cannot read: %s", r->file, strerror(errno));
    if (!t->count)
        return fail_at(f, r->file, r->line ? r->line : 1, "no row of a switch or network; allowed: a table that `make synth` wrote, with at least one");
    return 0;
}

int cost_read(struct cost_table *t, const char *file, struct fail *f)
{
    struct reader r = {.file = file};
    FILE *in = fopen(file, "r");
    *t = (struct cost_table){.count = 0};
    if (!in)
        return fail(f, errno == ENOMEM ? EXIT_SYSTEM : EXIT_INPUT, "%s: cannot read: %s", file, strerror(errno));
    int bad = read_lines(&r, in, t, f);
    fclose(in);
    if (bad)
        cost_free(t);
    return bad;
}

void cost_free(struct cost_table *t)
{
    free(t->row);
    *t = (struct cost_table){.count = 0};
}

/* -- networks --------------------------------------------------------------------------------- */

bool cost_same_design(const struct hardware_design *x, const struct hardware_design *y)
{
    const struct switch_params *a = &x->params, *b = &y->params;
    return (x->radix == 0) == (y->radix == 0) && x->torus == y->torus && x->negative_hop == y->negative_hop
        && a->vcs == b->vcs && a->depth == b->depth && a->flit_w == b->flit_w && a->path == b->path
        && a->scan == b->scan;
}

/* What a switch has besides its design: a root has no parents, an inner one parents' worms. */
static unsigned kind(unsigned level, unsigned levels)
{
    return level == levels ? 2 : level > 1;
}

/* The row of a switch like the one at this level, from the network nearest in size, or NULL. */
static const struct cost_row *find(const struct cost_table *t, const char *family,
                                   const struct hardware_design *d, unsigned level, unsigned levels)
{
    const struct cost_row *best = NULL;
    unsigned best_off = 0;
    for (size_t k = 0; k < t->count; k++) {
        const struct cost_row *r = &t->row[k];
        const struct switch_params *p = &r->design.params;
        unsigned off = p->levels > levels ? p->levels - levels : levels - p->levels;
        off = 32 * off + (p->level > level ? p->level - level : level - p->level);
        if (r->design.network || strcmp(r->family, family) != 0 || !cost_same_design(&r->design, d)
            || kind(p->level, p->levels) != kind(level, levels) || isnan(r->lut) || isnan(r->mhz))
            continue;
        if (!best || off < best_off) {
            best = r;
            best_off = off;
        }
    }
    return best;
}

static void add(struct cost *c, const struct cost_row *r, double count)
{
    c->lut += count * r->lut;
    c->ff += count * r->ff;
    c->ram += count * r->ram;
    c->mhz = r->mhz < c->mhz ? r->mhz : c->mhz;
}

static bool whole(const struct cost_table *t, const char *family, const struct hardware_design *d,
                  unsigned levels, struct cost *c)
{
    for (size_t k = 0; k < t->count; k++) {
        const struct cost_row *r = &t->row[k];
        bool size = r->design.radix ? r->design.radix == 1U << levels : r->design.params.levels == levels;
        if (r->design.network && size && strcmp(r->family, family) == 0
            && cost_same_design(&r->design, d) && !isnan(r->lut) && !isnan(r->mhz)) {
            add(c, r, 1);
            c->basis = COST_NETWORK;
            return true;
        }
    }
    return false;
}

/* Of routers: the smallest that is one of k nodes a line or of more, of which there are k * k. */
static bool routers(const struct cost_table *t, const char *family, const struct hardware_design *d, unsigned k,
                    struct cost *c)
{
    const struct cost_row *best = NULL;
    for (size_t j = 0; j < t->count; j++) {
        const struct cost_row *r = &t->row[j];
        if (!r->design.network && r->design.radix >= k && strcmp(r->family, family) == 0
            && cost_same_design(&r->design, d) && !isnan(r->lut) && !isnan(r->mhz)
            && (!best || r->design.radix < best->design.radix))
            best = r;
    }
    if (!best)
        return false;
    c->basis = d->torus && best->design.radix == k ? COST_SWITCHES : COST_BOUND;
    add(c, best, (double)k * k);
    return true;
}

bool cost_network(const struct cost_table *t, const char *family, const struct hardware_design *d,
                  unsigned levels, struct cost *c)
{
    *c = (struct cost){.mhz = INFINITY, .basis = COST_SWITCHES};
    if (whole(t, family, d, levels, c))
        return true;
    if (d->radix)
        return routers(t, family, d, 1U << levels, c);
    const struct cost_row *leaf = find(t, family, d, 1, levels);
    for (unsigned l = 1; l <= levels && leaf; l++) {
        const struct cost_row *r = find(t, family, d, l, levels);
        if (!r)
            c->basis = COST_BOUND;
        add(c, r ? r : leaf, fat_tree_base(levels, l + 1) - fat_tree_base(levels, l));
    }
    return leaf != NULL;
}

unsigned cost_device(const char *family, const char **name)
{
    static const struct {
        const char *family, *name;
        unsigned luts;
    } devices[] = {{"ice40", "iCE40 HX8K", 7680}, {"ecp5", "ECP5 LFE5U-85F", 83640}};
    for (size_t k = 0; k < sizeof devices / sizeof *devices; k++)
        if (strcmp(family, devices[k].family) == 0) {
            *name = devices[k].name;
            return devices[k].luts;
        }
    *name = family;
    return 0;
}
