/* SPDX-License-Identifier: Apache-2.0
 * export.c - `fatfly export DB`: the table of a sweep as CSV, JSON or text.
 */
#include "export.h"

#include "commands.h"
#include "outfile.h"
#include "point.h"
#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NAME = 48, MAX_SHOWN = 96, MAX_KEY_NAMES = 64 };

/* -- names ----------------------------------------------------------------------------------- */

/* The settings in a key, at most MAX_KEY_NAMES, after the columns. */
static unsigned all_names(const struct results_table *t, char (*name)[MAX_NAME], unsigned room)
{
    unsigned count = 0;
    for (unsigned k = 0; k < t->columns && count < room; k++)
        snprintf(name[count++], MAX_NAME, "%s", t->name[k]);
    for (const char *s = t->count ? t->row[0].key : ""; *s && count < room;) {
        snprintf(name[count], MAX_NAME, "%.*s", (int)strcspn(s, "=;"), s);
        unsigned k = 0;
        while (strcmp(name[k], name[count]) != 0)
            k++;
        count += k == count;
        s += strcspn(s, ";");
        s += *s == ';';
    }
    return count;
}

int export_name(const struct results_table *t, const char *option, const char *name, char *plain,
                size_t size, struct fail *f)
{
    enum { ROOM = 256 }; /* twice as many as there are */
    char all[ROOM][MAX_NAME];
    const char *names[ROOM];
    unsigned count = all_names(t, all, ROOM);
    snprintf(plain, size, "%s", name);
    for (char *c = plain; *c; c++)
        *c = *c == '-' ? '_' : *c;
    for (unsigned k = 0; k < count; k++) {
        names[k] = all[k];
        if (strcmp(plain, all[k]) == 0)
            return 0;
    }
    const char *near = nearest(plain, names, count);
    return fail(f, EXIT_USAGE, "%s %s: no such column or setting%s%s", option, name,
                near ? "; nearest: " : "; allowed: those of fatfly export --format csv",
                near ? near : "");
}

/* -- rows ------------------------------------------------------------------------------------ */

static bool is_whole(const char *text)
{
    return *text && strspn(text, "0123456789") == strlen(text);
}

static bool equal(const char *a, const char *b)
{
    char *end_a, *end_b;
    if (strcmp(a, b) == 0)
        return true;
    if (is_whole(a) && is_whole(b)) /* a double would round seeds of 17 digits and more */
        return strtoull(a, NULL, 10) == strtoull(b, NULL, 10);
    double x = strtod(a, &end_a), y = strtod(b, &end_b);
    if (end_a != a && end_b != b && !*end_a && !*end_b)
        return x == y && isfinite(x); /* 0.10 is 0.1; a digest may look like 1e99999 */
    return false;
}

/* FILE#SUM, with the sum of what was in it, of a file that is called by its name alone; a key has no ';' (sweep_key()). */
static bool is_file(const char *value, const char *file)
{
    size_t n = 0;
    while (file[n] && value[n] == (file[n] == ';' ? ':' : file[n]))
        n++;
    return n && !file[n] && value[n] == '#' && strspn(value + n + 1, "0123456789abcdef") == 16 &&
           !value[n + 17];
}

struct condition {
    char name[MAX_NAME];
    const char *value;
};

static bool matches(const struct results_table *t, const struct results_row *row,
                    const struct condition *c)
{
    char text[512];
    const char *v = results_value(t, row, c->name, text, sizeof text);
    return v && (equal(v, c->value) || is_file(v, c->value));
}

/* "nodes is 16, 64": what these rows have, which the conditions before left. */
static int nothing_matches(const struct results_table *t, const struct results_row *const *row, size_t count,
                           const struct condition *c, struct fail *f)
{
    char shown[MAX_SHOWN + 64] = "", text[512];
    size_t used = 0;
    for (size_t k = 0; k < count && used < MAX_SHOWN; k++) {
        const char *v = results_value(t, row[k], c->name, text, sizeof text);
        char listed[80];
        snprintf(listed, sizeof listed, "%s%.60s", used ? ", " : "", v && *v ? v : "empty");
        bool again = false;
        for (size_t j = 0; j < k && !again; j++) {
            char other[512];
            const char *w = results_value(t, row[j], c->name, other, sizeof other);
            again = v && w && strcmp(v, w) == 0;
        }
        if (!again)
            used += (size_t)snprintf(shown + used, sizeof shown - used, "%s", listed);
        if (used > sizeof shown - 1)
            used = sizeof shown - 1;
    }
    return fail(f, EXIT_USAGE, "--where %s=%s: no point; %s is %s%s", c->name, c->value, c->name,
                shown, used >= MAX_SHOWN ? ", ..." : "");
}

static int read_condition(const struct results_table *t, const char *text, struct condition *c,
                          struct fail *f)
{
    char name[MAX_NAME];
    const char *value = strchr(text, '=');
    if (!value || value == text || value - text >= MAX_NAME)
        return fail(f, EXIT_USAGE, "--where %s; allowed: NAME=VALUE", text);
    snprintf(name, sizeof name, "%.*s", (int)(value - text), text);
    c->value = value + 1;
    return export_name(t, "--where", name, c->name, sizeof c->name, f);
}

int export_choose(const struct results_table *t, const struct arg_list *where, bool all,
                  const struct results_row ***chosen, size_t *count, struct fail *f)
{
    struct condition c[ARGS_LIST];
    *count = 0;
    *chosen = calloc(t->count ? t->count : 1, sizeof **chosen);
    if (!*chosen)
        return fail(f, EXIT_SYSTEM, "no memory for %zu points", t->count);
    for (size_t k = 0; k < t->count; k++)
        if (all || t->row[k].position >= 0)
            (*chosen)[(*count)++] = &t->row[k];
    int bad = 0;
    for (unsigned i = 0; i < where->count && !bad && t->count; i++) {
        size_t kept = 0, before = *count;
        bad = read_condition(t, where->item[i], &c[i], f);
        for (size_t k = 0; k < before && !bad; k++)
            if (matches(t, (*chosen)[k], &c[i]))
                (*chosen)[kept++] = (*chosen)[k];
        *count = kept;
        if (!bad && kept == 0) /* then none of them was moved */
            bad = nothing_matches(t, *chosen, before, &c[i], f);
    }
    if (bad) {
        free(*chosen);
        *chosen = NULL;
    }
    return bad;
}

/* -- columns --------------------------------------------------------------------------------- */

struct shown {
    char (*name)[MAX_NAME];
    bool *text;    /* quoted in JSON */
    unsigned count;
};

static const struct column *column_called(const char *name)
{
    for (unsigned k = 0; k < columns_count; k++)
        if (strcmp(columns[k].name, name) == 0)
            return &columns[k];
    return NULL;
}

static bool is_text(const char *name)
{
    const struct column *c = column_called(name);
    int row = c ? -1 : settings_find(name);
    if (row < 0)
        return !c || c->text;
    /* A number may be a word: "auto". */
    return settings_table[row].kind != SET_WHOLE && settings_table[row].kind != SET_REAL;
}

static int add_column(const struct results_table *t, struct shown *s, const char *name,
                      struct fail *f)
{
    char *plain = s->name[s->count];
    if (export_name(t, "--columns", name, plain, MAX_NAME, f))
        return -1;
    for (unsigned k = 0; k < s->count; k++)
        if (strcmp(s->name[k], plain) == 0)
            return fail(f, EXIT_USAGE, "--columns: %s twice; allowed: once", plain);
    s->text[s->count++] = is_text(plain);
    return 0;
}

static int choose_columns(const struct results_table *t, const struct export *e, struct shown *s,
                          struct fail *f)
{
    unsigned room = t->columns;
    for (const char *c = e->columns; c && *c; c++)
        room += *c == ',';
    s->count = 0;
    s->name = calloc(room + 1, sizeof *s->name);
    s->text = calloc(room + 1, sizeof *s->text);
    if (!s->name || !s->text)
        return fail(f, EXIT_SYSTEM, "no memory for %u columns", room);
    for (unsigned k = 0; k < t->columns && !e->columns; k++) {
        const struct column *c = column_called(t->name[k]);
        if (e->timing || !c || !c->timing)
            if (add_column(t, s, t->name[k], f))
                return -1;
    }
    for (const char *c = e->columns; c;) {
        char name[MAX_NAME];
        size_t n = strcspn(c, ",");
        if (n == 0 || n >= MAX_NAME)
            return fail(f, EXIT_USAGE, "--columns %s; allowed: names with commas between them",
                        e->columns);
        snprintf(name, sizeof name, "%.*s", (int)n, c);
        if (add_column(t, s, name, f))
            return -1;
        c = c[n] ? c + n + 1 : NULL;
    }
    return 0;
}

/* -- printing -------------------------------------------------------------------------------- */

static const char *cell(const struct results_table *t, const struct results_row *row,
                        const struct shown *s, unsigned k, char *text, size_t size)
{
    const char *v = results_value(t, row, s->name[k], text, size);
    return v ? v : "";
}

struct printing {
    const struct results_table *t;
    const struct results_row **row;
    size_t rows;
    struct shown s;
    FILE *out;
};

static void print_csv(const struct printing *p)
{
    char text[512];
    for (unsigned k = 0; k < p->s.count; k++)
        fprintf(p->out, "%s%s", k ? "," : "", p->s.name[k]);
    fputc('\n', p->out);
    for (size_t r = 0; r < p->rows; r++) {
        for (unsigned k = 0; k < p->s.count; k++) {
            if (k)
                fputc(',', p->out);
            text_csv(p->out, cell(p->t, p->row[r], &p->s, k, text, sizeof text));
        }
        fputc('\n', p->out);
    }
}

static void print_json(const struct printing *p)
{
    char text[512];
    fputc('[', p->out);
    for (size_t r = 0; r < p->rows; r++) {
        fputs(r ? ",\n {" : "\n {", p->out);
        for (unsigned k = 0; k < p->s.count; k++) {
            fprintf(p->out, "%s\"%s\": ", k ? ", " : "", p->s.name[k]);
            const char *is = cell(p->t, p->row[r], &p->s, k, text, sizeof text);
            cell_json(p->s.text[k] && *is ? CELL_WORD : CELL_NUMBER, is, p->out); /* nothing is null */
        }
        fputc('}', p->out);
    }
    fputs(p->rows ? "\n]\n" : "]\n", p->out);
}

/* Columns as wide as they must be, numbers to the right. */
static void print_table(const struct printing *p)
{
    char text[512];
    size_t *width = calloc(p->s.count, sizeof *width);
    for (size_t r = 0; width && r <= p->rows; r++)
        for (unsigned k = 0; k < p->s.count; k++) {
            const char *v = r ? cell(p->t, p->row[r - 1], &p->s, k, text, sizeof text)
                              : p->s.name[k];
            width[k] = strlen(v) > width[k] ? strlen(v) : width[k];
        }
    for (size_t r = 0; r <= p->rows; r++) {
        for (unsigned k = 0; k < p->s.count; k++) {
            const char *v = r ? cell(p->t, p->row[r - 1], &p->s, k, text, sizeof text)
                              : p->s.name[k];
            int w = width ? (int)width[k] : 0;
            bool left = p->s.text[k];
            fprintf(p->out, "%s%*s", k ? "  " : "",
                    !left ? w : k + 1 == p->s.count ? 0 : -w, *v ? v : "-");
        }
        fputc('\n', p->out);
    }
    free(width);
}

int export_print(const struct results_table *t, const struct export *e, FILE *out, struct fail *f)
{
    struct printing p = {.t = t, .out = out};
    int bad = export_choose(t, &e->where, e->all, &p.row, &p.rows, f)
           || choose_columns(t, e, &p.s, f);
    if (!bad && e->format == FORMAT_CSV)
        print_csv(&p);
    else if (!bad && e->format == FORMAT_JSON)
        print_json(&p);
    else if (!bad)
        print_table(&p);
    free(p.row);
    free(p.s.name);
    free(p.s.text);
    return bad ? -1 : 0;
}

/* "a,b" has a name. */
static bool lists(const char *names, const char *name)
{
    size_t n = strlen(name);
    for (const char *c = names; *c; c += strcspn(c, ","), c += *c == ',')
        if (strncmp(c, name, n) == 0 && (c[n] == ',' || !c[n]))
            return true;
    return false;
}

void export_old_names(const char *command, const struct results_table *t, const char *file,
                      const char *names)
{
    static const char *const old[] = {"latency_mean", "latency_ci99", "latency_max"};
    bool is_static = false, named = !names;
    char text[64];
    for (size_t k = 0; k < t->count && !is_static; k++) {
        const char *load = results_value(t, &t->row[k], "load", text, sizeof text);
        is_static = load && strcmp(load, "0") == 0;
    }
    for (size_t k = 0; k < sizeof old / sizeof *old; k++)
        named = named || lists(names, old[k]);
    if (is_static && t->old)
        fprintf(stderr, "fatfly %s: %s was written when latency_mean of static runs was the last arrival "
                "of a run; it is shown as last_arrival_mean (so with _ci99 and _max); the next version "
                "will not read it\n", command, file);
    else if (is_static && named)
        fprintf(stderr, "fatfly %s: %s\n", command, point_old_name_text);
}

/* -- the command ----------------------------------------------------------------------------- */

struct options {
    struct export e;
    const char *output;
};

#define AT(field) .at = offsetof(struct options, field)

static const struct arg args[] = {
    {"format", "FORMAT", ARG_NAME, AT(e.format), "csv (default), json or table",
     .names = format_names, .count = FORMATS},
    {"columns", "A,B,C", ARG_TEXT, AT(e.columns),
     "these columns; any setting of a point can be one; default all"},
    {"where", "NAME=VALUE", ARG_LIST, AT(e.where),
     "only points with that value; may be given again"},
    {"timing", "", ARG_FLAG, AT(e.timing), "cpu_s and wall_s, too, which differ from run to run"},
    {"all", "", ARG_FLAG, AT(e.all), "points that the sweep file has no more, too, at the end"},
    {"output", "FILE", ARG_OUTPUT, AT(output), "write to FILE; default standard output"},
};

static void say_columns(FILE *out, bool list)
{
    if (!list)
        fprintf(out, "\ncolumns, of fatfly run --format csv and json, too\n");
    for (unsigned k = 0; k < columns_count; k++)
        if (list)
            fprintf(out, "column\t%s\t%s\n", columns[k].name, columns[k].help);
        else
            args_help_name(out, columns[k].name, columns[k].help);
}

static int play(int argc, char *const argv[], struct fail *f);

const struct command export_command = {
    "export", "results of a sweep as CSV or JSON", "DB [OPTION]...",
    "Prints the points of a sweep's results file, in the order of the sweep file.",
    "exit codes: 0 printed, 2 usage, 3 not a results file, damaged or of another version, 4 cannot "
    "write", "results file", args, sizeof args / sizeof *args, NULL, say_columns, .play = play};

static int print_to(const struct results_table *t, const struct options *o, struct fail *f)
{
    struct outfile to = {.out = stdout};
    if (o->output && outfile_open(&to, o->output, f))
        return -1;
    int bad = export_print(t, &o->e, to.out, f);
    if (bad && o->output)
        outfile_drop(&to);
    else if (o->output)
        bad = outfile_close(&to, f);
    else if (!bad && (fflush(stdout) || ferror(stdout)))
        bad = fail(f, EXIT_SYSTEM, "standard output: cannot write: %s", strerror(errno));
    return bad;
}

static int run(const struct options *o, const char *db, struct fail *f)
{
    struct results_table t;
    size_t there = 0;
    if (results_load(&t, db, f))
        return -1;
    int bad = print_to(&t, o, f);
    if (!bad)
        export_old_names("export", &t, db, o->e.columns || o->e.format == FORMAT_TABLE
                                                ? o->e.columns ? o->e.columns : "" : NULL);
    for (size_t k = 0; k < t.count; k++)
        there += t.row[k].position >= 0;
    if (!bad && !t.damaged && there < t.meta.planned)
        fprintf(stderr, "fatfly export: %zu of %" PRIu64 " points of the sweep are done\n", there,
                t.meta.planned);
    bad = bad || results_damaged(&t, db, f);
    results_free(&t);
    return bad ? -1 : 0;
}

static int play(int argc, char *const argv[], struct fail *f)
{
    struct options o = {.e = {.format = FORMAT_CSV}};
    const char *db;
    int bad = args_parse(&export_command, argc, argv, &o, &db, f);
    return bad < 0 || (!bad && run(&o, db, f)) ? -1 : 0;
}
