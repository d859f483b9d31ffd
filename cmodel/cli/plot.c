/* SPDX-License-Identifier: Apache-2.0
 * plot.c - `fatfly plot DB`: curves of a sweep, drawn by gnuplot.
 *
 * Points that belong to one curve differ only in x.  What tells curves apart is either said
 * (--series) or found: the settings that vary.  A saturated point has no latency; it is a triangle
 * at the top edge, where its curve goes, and never a number.
 */
#include "plot.h"

#include "export.h"
#include "gg.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_NAME = 48, MAX_POINTS = 5000, MAX_SERIES = 24, MAX_SPLIT = 12, MAX_TICS = 12,
       MODEL_STEPS = 240 };

static const char help[] =
    "usage: fatfly plot DB --output FILE.svg|FILE.png [OPTION]...\n"
    "Draws curves of a sweep's results file with gnuplot: points with 99 % intervals.\n"
    "\n"
    "  --x NAME           a setting or column of numbers; default load, nodes or length,\n"
    "                     whichever varies\n"
    "  --y NAME           a column of numbers; default latency_mean\n"
    "  --series A,B       a curve for each value of these; default: all settings that vary\n"
    "  --where NAME=VALUE only points with that value; may be given again\n"
    "  --log x|y|xy|none  logarithmic axes; default x if it is nodes, else none\n"
    "  --title TEXT       default: the sweep file's\n"
    "  --model gg         the model of Greenberg and Guan over the points; x must be load\n"
    "  --output FILE      .svg or .png\n"
    "\n"
    "exit codes: 0 drawn, 2 usage, 3 not a results file, damaged or of another version, 4 gnuplot\n"
    "is missing or FILE cannot be written\n";

struct options {
    const char *db, *x, *y, *series, *log, *title, *model, *output;
    struct arg_list where;
    bool help;
};

struct dot {
    double x, y, ci; /* ci: 0 if there is none */
    bool saturated;  /* and so without y */
};

struct series {
    char label[160];
    const struct results_row *row; /* one of it */
    struct dot *dot;
    size_t count;
};

struct plot {
    const struct options *o;
    const struct results_table *t;
    const struct results_row **row;
    size_t rows;
    char x[MAX_NAME], y[MAX_NAME];
    char split[MAX_SPLIT][MAX_NAME]; /* settings that tell curves apart */
    unsigned splits;
    struct series series[MAX_SERIES];
    unsigned count;
    bool log_x, log_y, svg, open; /* open: open loop */
    double low_x, high_x, low_y, high_y;
    unsigned marks; /* curves that end in saturation */
};

/* Okabe and Ito: told apart with every common colour blindness, and in print by their shapes. */
static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00",
                                      "#56B4E9", "#222222", "#8C6D00"};
static const int shapes[] = {7, 5, 13, 11, 4, 6, 12, 10};
enum { COLOURS = sizeof colours / sizeof *colours };

/* -- values ---------------------------------------------------------------------------------- */

/* Of the key, where settings are complete; a column such as cycles may be called as a setting. */
static const char *setting_of(const struct results_row *row, const char *name, char *text,
                              size_t size)
{
    const struct results_table none = {.columns = 0};
    const char *v = results_value(&none, row, name, text, size);
    return v ? v : "";
}

/* A word such as load = none is no number: NaN. */
static double number(const char *text)
{
    char *end;
    double v = strtod(text, &end);
    return end == text || *end || !isfinite(v) ? NAN : v;
}

static bool is_setting(const struct plot *p, const char *name)
{
    char text[512];
    const struct results_table none = {.columns = 0};
    return p->rows && results_value(&none, p->row[0], name, text, sizeof text);
}

static const char *value_of(const struct plot *p, const struct results_row *row, const char *name,
                            char *text, size_t size)
{
    const char *v = is_setting(p, name) && strcmp(name, p->y) != 0
                        ? setting_of(row, name, text, size)
                        : results_value(p->t, row, name, text, size);
    return v ? v : "";
}

static double number_of(const struct plot *p, const struct results_row *row, const char *name)
{
    char text[512];
    return number(value_of(p, row, name, text, sizeof text));
}

static bool same(const struct plot *p, const struct results_row *a, const struct results_row *b,
                 const char *name)
{
    char x[512], y[512];
    return strcmp(value_of(p, a, name, x, sizeof x), value_of(p, b, name, y, sizeof y)) == 0;
}

static bool varies(const struct plot *p, const char *name)
{
    for (size_t k = 1; k < p->rows; k++)
        if (!same(p, p->row[0], p->row[k], name))
            return true;
    return false;
}

static bool same_series(const struct plot *p, const struct results_row *a,
                        const struct results_row *b)
{
    for (unsigned k = 0; k < p->splits; k++)
        if (!same(p, a, b, p->split[k]))
            return false;
    return true;
}

/* -- which curves ---------------------------------------------------------------------------- */

static int choose_x(struct plot *p, struct fail *f)
{
    static const char *const usual[] = {"load", "nodes", "length", "depth", "vcs", "rounds"};
    if (p->o->x)
        return export_name(p->t, "--x", p->o->x, p->x, sizeof p->x, f);
    for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
        if (varies(p, usual[k])) {
            snprintf(p->x, sizeof p->x, "%s", usual[k]);
            return 0;
        }
    return fail(f, EXIT_USAGE, "neither load, nodes nor length varies in %s; allowed: --x NAME",
                p->o->db);
}

/* Points of one curve so far that agree in one more setting. */
struct class {
    const struct results_row *row; /* one of them */
    bool two;                      /* they have more than one x */
};

/* Whether curves for each value of a setting would say more: not if it is the same in each curve,
 * nor if it goes along with x, as log2 N does with N. */
static bool splits_more(const struct plot *p, const char *name, struct class *class)
{
    size_t count = 0;
    for (size_t k = 0; k < p->rows; k++) {
        size_t j = 0;
        while (j < count && !(same(p, class[j].row, p->row[k], name)
                              && same_series(p, class[j].row, p->row[k])))
            j++;
        if (j == count)
            class[count++] = (struct class){.row = p->row[k]};
        else
            class[j].two = class[j].two || !same(p, class[j].row, p->row[k], p->x);
    }
    for (size_t k = 0; k < count; k++)
        for (size_t j = 0; j < count && class[k].two; j++)
            if (j != k && same_series(p, class[j].row, class[k].row))
                return true;
    return false;
}

static void add_split(struct plot *p, const char *name)
{
    bool there = strcmp(name, p->x) == 0 || p->splits == MAX_SPLIT;
    for (unsigned k = 0; k < p->splits && !there; k++)
        there = strcmp(p->split[k], name) == 0;
    if (!there)
        snprintf(p->split[p->splits++], MAX_NAME, "%s", name);
}

/* Names of settings in a key, in its order; false after the last. */
static bool next_setting(const char **key, char *name)
{
    if (!**key)
        return false;
    snprintf(name, MAX_NAME, "%.*s", (int)strcspn(*key, "=;"), *key);
    *key += strcspn(*key, ";");
    *key += **key == ';';
    return true;
}

static int find_series(struct plot *p, struct fail *f)
{
    /* First what people call curves by; numbers that follow from these then say nothing more. */
    static const char *const first[] = {"discipline", "pattern", "path", "scan", "nodes", "length"};
    const char *key = p->row[0]->key;
    char name[MAX_NAME];
    struct class *class = calloc(p->rows, sizeof *class);
    if (!class)
        return fail(f, EXIT_SYSTEM, "no memory for %zu points", p->rows);
    for (size_t k = 0; k < sizeof first / sizeof *first; k++)
        if (strcmp(first[k], p->x) != 0 && varies(p, first[k]) && splits_more(p, first[k], class))
            add_split(p, first[k]);
    while (next_setting(&key, name))
        if (strcmp(name, p->x) != 0 && varies(p, name) && splits_more(p, name, class))
            add_split(p, name);
    free(class);
    return 0;
}

static int read_series(struct plot *p, struct fail *f)
{
    char name[MAX_NAME], plain[MAX_NAME];
    for (const char *c = p->o->series; c;) {
        size_t n = strcspn(c, ",");
        if (n == 0 || n >= sizeof name)
            return fail(f, EXIT_USAGE, "--series %s; allowed: names with commas between them",
                        p->o->series);
        snprintf(name, sizeof name, "%.*s", (int)n, c);
        if (export_name(p->t, "--series", name, plain, sizeof plain, f))
            return -1;
        if (strcmp(plain, p->x) == 0)
            return fail(f, EXIT_USAGE, "--series %s is the x axis; allowed: another", plain);
        add_split(p, plain);
        c = c[n] ? c + n + 1 : NULL;
    }
    return 0;
}

/* "N = 64", "rp": how a setting is called in a legend. */
static void call(const struct plot *p, const struct results_row *row, const char *name, char *text,
                 size_t size)
{
    static const char *const letters[][2] = {{"nodes", "N"}, {"length", "L"}, {"depth", "q"},
                                             {"vcs", "V"}, {"delay_range", "R"}};
    static const char *const bare[] = {"discipline", "path", "scan", "pattern", "arrivals"};
    char value[512], spaced[MAX_NAME];
    const char *v = value_of(p, row, name, value, sizeof value);
    for (size_t k = 0; k < sizeof bare / sizeof *bare; k++)
        if (strcmp(name, bare[k]) == 0) {
            snprintf(text, size, "%s", v);
            return;
        }
    snprintf(spaced, sizeof spaced, "%s", name);
    for (char *c = spaced; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    const char *shown = spaced;
    for (size_t k = 0; k < sizeof letters / sizeof *letters; k++)
        if (strcmp(name, letters[k][0]) == 0)
            shown = letters[k][1];
    snprintf(text, size, "%s = %.*s", shown, (int)strcspn(v, "#"), v);
}

static void append(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", used ? ", " : "", more);
}

static int by_x(const void *a, const void *b)
{
    const struct dot *x = a, *y = b;
    return (x->x > y->x) - (x->x < y->x);
}

static struct series *series_of(struct plot *p, const struct results_row *row, struct fail *f)
{
    char text[120];
    for (unsigned k = 0; k < p->count; k++)
        if (same_series(p, p->series[k].row, row))
            return &p->series[k];
    if (p->count == MAX_SERIES) {
        fail(f, EXIT_USAGE, "more than %d curves; allowed: fewer, with --where or --series",
             MAX_SERIES);
        return NULL;
    }
    struct series *s = &p->series[p->count];
    *s = (struct series){.row = row, .dot = calloc(p->rows, sizeof *s->dot)};
    if (!s->dot) {
        fail(f, EXIT_SYSTEM, "no memory for %zu points", p->rows);
        return NULL;
    }
    p->count++;
    for (unsigned k = 0; k < p->splits; k++) {
        call(p, row, p->split[k], text, sizeof text);
        append(s->label, sizeof s->label, text);
    }
    return s;
}

/* latency_mean has latency_ci99. */
static double interval_of(const struct plot *p, const struct results_row *row)
{
    char name[MAX_NAME], text[512];
    size_t n = strlen(p->y);
    if (n < 5 || strcmp(p->y + n - 5, "_mean") != 0)
        return 0;
    snprintf(name, sizeof name, "%.*sci99", (int)(n - 4), p->y);
    const char *v = results_value(p->t, row, name, text, sizeof text);
    double ci = v ? number(v) : 0;
    return ci > 0 ? ci : 0;
}

static int add_dot(struct plot *p, const struct results_row *row, struct fail *f)
{
    char text[512];
    const char *y = value_of(p, row, p->y, text, sizeof text);
    struct dot d = {.x = number_of(p, row, p->x), .y = number(y), .ci = interval_of(p, row)};
    struct series *s = series_of(p, row, f);
    if (!s)
        return -1;
    if (*y && isnan(d.y))
        return fail(f, EXIT_USAGE, "--y %s: '%.40s' is not a number; allowed: a column of numbers",
                    p->y, y);
    if (isnan(d.x)) {
        const char *x = value_of(p, row, p->x, text, sizeof text);
        return fail(f, EXIT_USAGE, "--x %s: '%.40s' is not a number; allowed: a setting or column "
                    "of numbers, with --where to choose points that have it", p->x, x);
    }
    d.saturated = !*y && number_of(p, row, "saturated") > 0;
    if (*y || d.saturated)
        s->dot[s->count++] = d;
    return 0;
}

/* Two points of a curve over one x: the curve is not one. */
static int check_series(const struct plot *p, struct fail *f)
{
    for (unsigned k = 0; k < p->count; k++) {
        struct series *s = (struct series *)&p->series[k];
        qsort(s->dot, s->count, sizeof *s->dot, by_x);
        for (size_t j = 1; j < s->count; j++)
            if (!(s->dot[j].x > s->dot[j - 1].x))
                return fail(f, EXIT_USAGE, "two points of curve '%s' at %s = %.6g; allowed: more "
                            "names in --series, or fewer points with --where", s->label, p->x,
                            s->dot[j].x);
    }
    return 0;
}

/* -- axes ------------------------------------------------------------------------------------ */

struct axis_label {
    const char *name, *text;
};

static const char *label_of(const struct plot *p, const char *name, char *text, size_t size)
{
    static const struct axis_label labels[] = {
        {"load", "offered load (flits per cycle and processor)"},
        {"nodes", "processors N"},
        {"length", "worm length L (flits)"},
        {"depth", "queue depth q (flits)"},
        {"vcs", "virtual channels V"},
        {"rounds", "worms sent by each processor"},
        {"delay_range", "range of initial delays R"},
        {"hotspot", "share of the traffic that goes to the hot spot"},
        {"latency_max", "largest latency (cycles)"},
        {"latency_p50", "median latency (cycles)"},
        {"latency_p95", "95 % quantile of latency (cycles)"},
        {"latency_p99", "99 % quantile of latency (cycles)"},
        {"latency_p999", "99.9 % quantile of latency (cycles)"},
        {"congestion_mean", "congestion c (worms over one link)"},
        {"latency_per_congestion", "latency / congestion (cycles)"},
        {"accepted_load", "accepted load (flits per cycle and processor)"},
        {"source_wait_mean", "wait in the source queue (cycles a worm)"},
        {"blocked_mean", "blocked in the network (cycles a worm)"},
        {"flit_hops", "flits over links"},
        {"cycles", "cycles simulated"},
        {"cpu_s", "processor time (s)"},
        {"wall_s", "time (s)"},
        {"dilation", "dilation d (links)"},
    };
    if (strcmp(name, "latency_mean") == 0)
        return p->open ? "mean latency of a worm (cycles)" : "latency: last arrival (cycles)";
    for (size_t k = 0; k < sizeof labels / sizeof *labels; k++)
        if (strcmp(name, labels[k].name) == 0)
            return labels[k].text;
    snprintf(text, size, "%s", name);
    for (char *c = text; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    return text;
}

static void widen(double *low, double *high, double v)
{
    *low = v < *low ? v : *low;
    *high = v > *high ? v : *high;
}

/* From zero where that does not hide what there is to see. */
static void set_range(double *low, double *high, bool logarithmic, double above)
{
    if (logarithmic) {
        double part = *high > *low ? pow(*high / *low, 0.06) : 2;
        part = part < 1.15 ? 1.15 : part;
        *low /= part;
        *high *= part * (1 + above);
        return;
    }
    double span = *high - *low;
    if (*low >= 0 && *low < 0.5 * *high)
        *low = 0;
    else
        *low -= span > 0 ? 0.05 * span : 1;
    *high += (above > 0.05 ? above : 0.05) * (*high - *low > 0 ? *high - *low : 1);
}

static int choose_ranges(struct plot *p, struct fail *f)
{
    bool any = false;
    p->low_x = p->low_y = INFINITY;
    p->high_x = p->high_y = -INFINITY;
    for (unsigned k = 0; k < p->count; k++) {
        bool saturated = false;
        for (size_t j = 0; j < p->series[k].count; j++) {
            const struct dot *d = &p->series[k].dot[j];
            if (d->saturated && saturated)
                continue; /* the first says it */
            saturated = saturated || d->saturated;
            widen(&p->low_x, &p->high_x, d->x);
            if (d->saturated)
                continue;
            any = true;
            widen(&p->low_y, &p->high_y, d->y);
            if (d->ci < d->y)
                widen(&p->low_y, &p->high_y, d->y + d->ci);
        }
        p->marks += saturated;
    }
    if (!any)
        return fail(f, EXIT_USAGE, "no point has %s%s", p->y,
                    p->marks ? ": all are saturated; allowed: --y accepted_load" : "");
    if ((p->log_x && p->low_x <= 0) || (p->log_y && p->low_y <= 0))
        return fail(f, EXIT_USAGE, "--log %s: %s is %g in a point; allowed: above 0",
                    p->o->log ? p->o->log : "x", p->log_x && p->low_x <= 0 ? p->x : p->y,
                    p->log_x && p->low_x <= 0 ? p->low_x : p->low_y);
    set_range(&p->low_x, &p->high_x, p->log_x, 0);
    set_range(&p->low_y, &p->high_y, p->log_y, p->marks ? 0.15 : 0.05);
    return 0;
}

/* -- the script ------------------------------------------------------------------------------ */

/* In single quotes gnuplot takes all as it is, but a quote itself. */
static void quote(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++) {
        fputc((unsigned char)*text < 0x20 ? ' ' : *text, out);
        if (*text == '\'')
            fputc('\'', out);
    }
    fputc('\'', out);
}

/* What all points share, as a second line of the title. */
static void say_constants(const struct plot *p, char *text, size_t size)
{
    static const char *const names[] = {"nodes", "length", "depth", "vcs", "discipline", "path",
                                        "scan", "pattern", "load", "runs"};
    char one[120];
    *text = '\0';
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (varies(p, names[k]) || strcmp(names[k], p->x) == 0)
            continue;
        if (strcmp(names[k], "load") == 0 && !p->open)
            continue;
        call(p, p->row[0], names[k], one, sizeof one);
        double runs = strcmp(names[k], "runs") == 0 ? number_of(p, p->row[0], "runs") : 0;
        bool named = strcmp(names[k], "path") == 0 || strcmp(names[k], "scan") == 0;
        char more[140];
        if (runs > 0)
            snprintf(more, sizeof more, "%g run%s", runs, runs > 1 ? "s" : "");
        else
            snprintf(more, sizeof more, "%s%s%s", named ? names[k] : "", named ? " " : "", one);
        append(text, size, more);
    }
    for (unsigned k = 0; k < p->count; k++)
        for (size_t j = 0; j < p->series[k].count; j++)
            if (p->series[k].dot[j].ci > 0) {
                append(text, size, "99 % intervals");
                return;
            }
}

/* A few numbers of x, each with its tic: 16, 64, 256. */
static void say_x_tics(const struct plot *p, FILE *out)
{
    double tic[MAX_TICS];
    unsigned count = 0;
    for (unsigned k = 0; k < p->count && count < MAX_TICS; k++)
        for (size_t j = 0; j < p->series[k].count && count < MAX_TICS; j++) {
            unsigned i = 0;
            while (i < count && tic[i] != p->series[k].dot[j].x)
                i++;
            if (i == count)
                tic[count++] = p->series[k].dot[j].x;
        }
    bool whole = count > 0 && count < MAX_TICS;
    for (unsigned i = 0; i < count; i++)
        whole = whole && tic[i] == floor(tic[i]);
    if (!whole || (!p->log_x && p->high_x > 20))
        return;
    fprintf(out, "set xtics (");
    for (unsigned i = 0; i < count; i++)
        fprintf(out, "%s%.10g", i ? ", " : "", tic[i]);
    fprintf(out, ")\n");
}

/* Within two and a half decades 1, 2, 5, 10, ..: powers of ten alone would be too few. */
static void say_y_tics(const struct plot *p, FILE *out)
{
    static const double steps[] = {1, 2, 5};
    if (!p->log_y || p->high_y / p->low_y > 300)
        return;
    fprintf(out, "set ytics (");
    bool first = true;
    for (double d = pow(10, floor(log10(p->low_y))); d < p->high_y; d *= 10)
        for (unsigned k = 0; k < 3; k++)
            if (d * steps[k] >= p->low_y && d * steps[k] <= p->high_y) {
                fprintf(out, "%s%.6g", first ? "" : ", ", d * steps[k]);
                first = false;
            }
    fprintf(out, ")\n");
}

static void say_head(const struct plot *p, const char *part, FILE *out)
{
    char text[400], label[MAX_NAME];
    const char *title = p->o->title ? p->o->title
                      : p->t->meta.title[0] ? p->t->meta.title : p->t->meta.name;
    fprintf(out, "set encoding utf8\n");
    if (p->svg)
        fprintf(out, "set terminal svg size 960,600 name 'fatfly' font 'sans-serif,14' "
                     "background rgb 'white'\n");
    else
        fprintf(out, "set terminal pngcairo size 1440,900 font 'sans,16' linewidth 1.5 "
                     "pointscale 1.4 background rgb 'white'\n");
    fprintf(out, "set output ");
    quote(out, part);
    fprintf(out, "\nset tmargin 4.5\nset bmargin 4.3\nset label 1 ");
    quote(out, title);
    fprintf(out, " at graph 0, graph 1 left offset 0, 2.3 font ',%d' noenhanced\nset label 2 ",
            p->svg ? 18 : 21);
    say_constants(p, text, sizeof text);
    quote(out, text);
    fprintf(out, " at graph 0, graph 1 left offset 0, 0.9 font ',%d' noenhanced "
                 "textcolor rgb '#555555'\n", p->svg ? 12 : 14);
    fprintf(out, "set xlabel ");
    quote(out, label_of(p, p->x, label, sizeof label));
    fprintf(out, " noenhanced\nset ylabel ");
    quote(out, label_of(p, p->y, label, sizeof label));
    fprintf(out, " noenhanced\n"
                 "set border 3 linecolor rgb '#555555'\n"
                 "set tics nomirror out textcolor rgb '#222222'\n"
                 "set grid linetype 1 linecolor rgb '#E0E0E0' linewidth 0.8\n"
                 "set pointintervalbox 0\nset errorbars 0.8\n"
                 "set key outside right top Left reverse samplen 2.5 spacing 1.25 noenhanced\n");
    if (p->count == 1 && !p->marks && !p->o->model)
        fprintf(out, "unset key\n");
    if (p->log_x)
        fprintf(out, "set logscale x\n");
    if (p->log_y)
        fprintf(out, "set logscale y\n");
    fprintf(out, "set xrange [%.10g:%.10g]\nset yrange [%.10g:%.10g]\n", p->low_x, p->high_x,
            p->low_y, p->high_y);
    say_x_tics(p, out);
    say_y_tics(p, out);
}

/* The curves that end in saturation at the same x have their triangles one below the other. */
static void say_marks(const struct plot *p, FILE *out)
{
    double at[MAX_SERIES];
    unsigned marks = 0;
    for (unsigned k = 0; k < p->count; k++) {
        const struct series *s = &p->series[k];
        size_t j = 0;
        while (j < s->count && !s->dot[j].saturated)
            j++;
        if (j == s->count)
            continue;
        unsigned lower = 0;
        for (unsigned i = 0; i < marks; i++)
            lower += at[i] == s->dot[j].x;
        at[marks++] = s->dot[j].x;
        double height = 0.975 - 0.04 * lower;
        const char *colour = colours[k % COLOURS];
        if (j > 0)
            fprintf(out, "set arrow from %.10g,%.10g to %.10g,graph %.4g nohead dashtype 3 "
                         "linewidth 1.2 linecolor rgb '%s' back\n",
                    s->dot[j - 1].x, s->dot[j - 1].y, s->dot[j].x, height, colour);
        fprintf(out, "set label '' at %.10g,graph %.4g point pointtype 9 pointsize 1.1 "
                     "linecolor rgb '%s' front\n", s->dot[j].x, height, colour);
    }
}

static void say_data(const struct plot *p, FILE *out)
{
    for (unsigned k = 0; k < p->count; k++) {
        fprintf(out, "$s%u << EOD\n", k);
        for (size_t j = 0; j < p->series[k].count; j++) {
            const struct dot *d = &p->series[k].dot[j];
            if (!d->saturated)
                fprintf(out, "%.10g %.10g %.10g\n", d->x, d->y, d->ci);
        }
        fprintf(out, "EOD\n");
    }
}

/* -- the model ------------------------------------------------------------------------------- */

static unsigned levels_of(double nodes)
{
    unsigned levels = 0;
    for (; nodes > 1.5; nodes /= 4)
        levels++;
    return levels;
}

static bool same_model(const struct plot *p, unsigned a, unsigned b)
{
    return same(p, p->series[a].row, p->series[b].row, "nodes")
        && same(p, p->series[a].row, p->series[b].row, "length");
}

/* Whether the curve of series k is drawn with it, and not with another of the same N and L. */
static bool has_model(const struct plot *p, unsigned k, bool *shared)
{
    *shared = false;
    for (unsigned j = 0; j < p->count; j++) {
        if (j < k && same_model(p, j, k))
            return false;
        *shared = *shared || (j != k && same_model(p, j, k));
    }
    return true;
}

static void say_model(const struct plot *p, FILE *out)
{
    struct gg_result r;
    bool shared;
    for (unsigned k = 0; k < p->count; k++) {
        if (!has_model(p, k, &shared))
            continue;
        unsigned levels = levels_of(number_of(p, p->series[k].row, "nodes"));
        double length = number_of(p, p->series[k].row, "length"), top = gg_saturation(levels);
        fprintf(out, "$m%u << EOD\n", k);
        for (int j = 1; j < MODEL_STEPS; j++) {
            double rest = 1 - (double)j / MODEL_STEPS, load = top * (1 - rest * rest);
            if (load >= p->low_x && load <= p->high_x
                && gg_fat_tree(levels, length, load, &r) == GG_OK && r.latency <= p->high_y)
                fprintf(out, "%.10g %.10g\n", load, r.latency);
        }
        fprintf(out, "%.10g %.10g\nEOD\n", p->high_x, NAN); /* never empty */
    }
}

static void say_plots(const struct plot *p, FILE *out)
{
    bool shared, first = true;
    fprintf(out, "plot ");
    for (unsigned k = 0; k < p->count && p->o->model; k++) {
        if (!has_model(p, k, &shared))
            continue;
        fprintf(out, "%s$m%u using 1:2 with lines dashtype 2 linewidth 1.6 linecolor rgb '%s' "
                     "notitle", first ? "" : ", ", k, shared ? "#555555" : colours[k % COLOURS]);
        first = false;
    }
    for (unsigned k = 0; k < p->count; k++) {
        const char *c = colours[k % COLOURS];
        int dash = k < COLOURS ? 1 : k < 2 * COLOURS ? 4 : 5, shape = shapes[k % COLOURS];
        bool bars = false;
        for (size_t j = 0; j < p->series[k].count; j++)
            bars = bars || p->series[k].dot[j].ci > 0;
        if (bars) /* below the points */
            fprintf(out, "%s$s%u using 1:2:3 with yerrorbars pointtype 0 linewidth 1.2 "
                         "linecolor rgb '%s' notitle", first ? "" : ", ", k, c);
        first = first && !bars;
        fprintf(out, "%s$s%u using 1:2 with linespoints linewidth 1.6 dashtype %d pointtype %d "
                     "pointsize 0.7 linecolor rgb '%s' title ", first ? "" : ", ", k, dash, shape,
                c);
        quote(out, p->series[k].label);
        first = false;
    }
    if (p->o->model)
        fprintf(out, ", keyentry with lines dashtype 2 linewidth 1.6 linecolor rgb '#555555' "
                     "title 'model (GG)'");
    if (p->marks)
        fprintf(out, ", keyentry with points pointtype 9 pointsize 1.1 linecolor rgb '#555555' "
                     "title 'saturated'");
    fprintf(out, "\n");
}

static char *make_script(const struct plot *p, const char *part, size_t *size, struct fail *f)
{
    char *script = NULL;
    FILE *out = open_memstream(&script, size);
    if (out) {
        say_head(p, part, out);
        say_marks(p, out);
        say_data(p, out);
        if (p->o->model)
            say_model(p, out);
        say_plots(p, out);
    }
    if (!out || fclose(out) || !script) {
        fail(f, EXIT_SYSTEM, "no memory for the plot");
        return NULL;
    }
    return script;
}

/* -- gnuplot --------------------------------------------------------------------------------- */

/* Writes the script and reads what gnuplot complains of; neither side can block the other. */
static void talk(int in, int err, const char *script, size_t size, char *said, size_t room)
{
    size_t sent = 0, got = 0;
    struct pollfd fd[2] = {{.fd = in, .events = POLLOUT}, {.fd = err, .events = POLLIN}};
    fcntl(in, F_SETFL, O_NONBLOCK);
    while (fd[1].fd >= 0 && poll(fd, 2, -1) >= 0) {
        if (fd[0].fd >= 0 && fd[0].revents) {
            ssize_t n = write(in, script + sent, size - sent);
            sent += n > 0 ? (size_t)n : 0;
            if (sent == size || (n < 0 && errno != EAGAIN && errno != EINTR)) {
                close(in);
                fd[0].fd = -1;
            }
        }
        if (fd[1].revents) {
            char more[512];
            ssize_t n = read(err, more, sizeof more);
            for (ssize_t k = 0; k < n && got + 1 < room; k++)
                said[got++] = more[k];
            if (n == 0 || (n < 0 && errno != EINTR))
                fd[1].fd = -1;
        }
    }
    said[got] = '\0';
    if (fd[0].fd >= 0)
        close(in);
    close(err);
}

extern char **environ;

static int start(pid_t *child, int *in, int *err, struct fail *f)
{
    static const char *const argv[] = {"gnuplot", "--default-settings", "-", NULL};
    int to[2], from[2] = {-1, -1};
    posix_spawn_file_actions_t actions;
    if (pipe(to) || pipe(from) || posix_spawn_file_actions_init(&actions))
        return fail(f, EXIT_SYSTEM, "gnuplot: cannot start it: %s", strerror(errno));
    posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, from[1], STDERR_FILENO);
    posix_spawn_file_actions_addclose(&actions, to[1]);
    posix_spawn_file_actions_addclose(&actions, from[0]);
    int error = posix_spawnp(child, argv[0], &actions, NULL, (char *const *)argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(to[0]);
    close(from[1]);
    *in = to[1];
    *err = from[0];
    if (!error)
        return 0;
    close(*in);
    close(*err);
    if (error == ENOENT)
        return fail(f, EXIT_SYSTEM, "gnuplot is not there; install the package gnuplot-nox");
    return fail(f, EXIT_SYSTEM, "gnuplot: cannot start it: %s", strerror(error));
}

/* gnuplot does not tell when the disk is full; the end of a picture does. */
static bool is_whole(const char *picture, bool svg)
{
    char tail[17] = "";
    FILE *in = fopen(picture, "rb");
    bool whole = in && fseek(in, -16, SEEK_END) == 0 && fread(tail, 1, 16, in) == 16;
    if (in)
        fclose(in);
    for (unsigned k = 0; k < 16; k++)
        tail[k] = tail[k] ? tail[k] : ' ';
    return whole && strstr(tail, svg ? "</svg>" : "IEND");
}

static int run_gnuplot(const char *script, size_t size, const char *part, bool svg, struct fail *f)
{
    char said[600];
    int in = -1, err = -1, status = 0;
    pid_t child = 0;
    signal(SIGPIPE, SIG_IGN); /* a gnuplot that ends early says why */
    if (start(&child, &in, &err, f))
        return -1;
    talk(in, err, script, size, said, sizeof said);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    bool ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (ended && is_whole(part, svg))
        return 0;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return fail(f, EXIT_SYSTEM, "gnuplot is not there; install the package gnuplot-nox");
    if (ended)
        return fail(f, EXIT_SYSTEM, "%s is not whole; is the disk full?", part);
    const char *last = said;
    for (const char *s = said; *s; s++) /* the last line has the reason */
        if (*s == '\n' && s[1] && s[1] != '\n')
            last = s + 1;
    return fail(f, EXIT_SYSTEM, "gnuplot drew nothing: %.*s", (int)strcspn(last, "\n"),
                *last ? last : "it did not say why");
}

/* A picture that is there is replaced only by a whole one. */
static int draw(const struct plot *p, struct fail *f)
{
    char part[600];
    size_t size = 0;
    int n = snprintf(part, sizeof part, "%s.part", p->o->output);
    if (n < 0 || (size_t)n >= sizeof part)
        return fail(f, EXIT_USAGE, "--output has %zu characters; allowed: at most %zu",
                    strlen(p->o->output), sizeof part - 6);
    FILE *try = fopen(part, "w");
    if (!try || fclose(try))
        return fail(f, EXIT_SYSTEM, "%s: cannot write: %s", p->o->output, strerror(errno));
    char *script = make_script(p, part, &size, f);
    int bad = !script || run_gnuplot(script, size, part, p->svg, f);
    free(script);
    if (!bad && rename(part, p->o->output))
        bad = fail(f, EXIT_SYSTEM, "%s: cannot write: %s", p->o->output, strerror(errno));
    if (bad)
        unlink(part);
    return bad ? -1 : 0;
}

/* -- the command ----------------------------------------------------------------------------- */

static int check_model(const struct plot *p, struct fail *f)
{
    static const char *const models[] = {"gg"};
    unsigned k = 0;
    if (!p->o->model)
        return 0;
    if (args_name("--model", p->o->model, models, 1, &k, f))
        return -1;
    if (strcmp(p->x, "load") != 0 || strcmp(p->y, "latency_mean") != 0)
        return fail(f, EXIT_USAGE, "--model gg with --x %s --y %s; allowed: --x load --y "
                    "latency_mean", p->x, p->y);
    for (k = 0; k < p->count; k++)
        for (size_t j = 0; j < p->rows; j++)
            if (same_series(p, p->series[k].row, p->row[j])
                && (!same(p, p->series[k].row, p->row[j], "nodes")
                    || !same(p, p->series[k].row, p->row[j], "length")))
                return fail(f, EXIT_USAGE, "--model gg: curve '%s' has several nodes or lengths; "
                            "allowed: one of each", p->series[k].label);
    return 0;
}

static int make_plot(struct plot *p, struct fail *f)
{
    const struct options *o = p->o;
    const char *log = o->log;
    if (!p->rows)
        return fail(f, EXIT_USAGE, "%s has no points yet", o->db);
    if (p->rows > MAX_POINTS)
        return fail(f, EXIT_USAGE, "%zu points; allowed: at most %d, with --where", p->rows,
                    MAX_POINTS);
    if (export_name(p->t, "--y", o->y ? o->y : "latency_mean", p->y, sizeof p->y, f)
        || choose_x(p, f))
        return -1;
    if (strcmp(p->x, p->y) == 0)
        return fail(f, EXIT_USAGE, "--x %s --y %s; allowed: two different ones", p->x, p->y);
    p->log_x = log ? strchr(log, 'x') != NULL : strcmp(p->x, "nodes") == 0;
    p->log_y = log && strchr(log, 'y');
    for (size_t k = 0; k < p->rows; k++)
        p->open = p->open || number_of(p, p->row[k], "load") > 0;
    if (o->series ? read_series(p, f) : find_series(p, f))
        return -1;
    for (size_t k = 0; k < p->rows; k++)
        if (add_dot(p, p->row[k], f))
            return -1;
    return check_series(p, f) || check_model(p, f) || choose_ranges(p, f) ? -1 : draw(p, f);
}

static int parse(struct options *o, int argc, char *const argv[], struct fail *f)
{
    static const char *const logs[] = {"x", "y", "xy", "none"};
    const struct arg table[] = {
        {"--x", .value = &o->x},
        {"--y", .value = &o->y},
        {"--series", .value = &o->series},
        {"--where", .list = &o->where},
        {"--log", .value = &o->log},
        {"--title", .value = &o->title},
        {"--model", .value = &o->model},
        {"--output", .value = &o->output},
        {"--help", .flag = &o->help},
    };
    unsigned k;
    memset(o, 0, sizeof *o);
    if (args_parse("plot", table, sizeof table / sizeof *table, argc, argv, &o->db, f))
        return -1;
    if (o->help)
        return 0;
    if (!o->db)
        return fail(f, EXIT_USAGE, "no results file; usage: fatfly plot DB --output FILE.svg");
    if (!o->output)
        return fail(f, EXIT_USAGE, "no --output; allowed: --output FILE.svg or FILE.png");
    const char *dot = strrchr(o->output, '.');
    if (!dot || (strcmp(dot, ".svg") != 0 && strcmp(dot, ".png") != 0))
        return fail(f, EXIT_USAGE, "--output %s; allowed: a file that ends in .svg or .png",
                    o->output);
    return o->log ? args_name("--log", o->log, logs, 4, &k, f) : 0;
}

static int run(const struct options *o, struct fail *f)
{
    struct results r;
    struct results_table t;
    struct plot *p = calloc(1, sizeof *p);
    if (!p)
        return fail(f, EXIT_SYSTEM, "no memory for the plot");
    if (results_open(&r, o->db, f)) {
        free(p);
        return -1;
    }
    p->o = o;
    p->t = &t;
    p->svg = strcmp(strrchr(o->output, '.'), ".svg") == 0;
    int bad = results_read(&r, &t, f);
    results_close(&r);
    if (!bad) {
        bad = export_choose(&t, &o->where, false, &p->row, &p->rows, f) || make_plot(p, f);
        results_free(&t);
    }
    for (unsigned k = 0; k < p->count; k++)
        free(p->series[k].dot);
    free(p->row);
    free(p);
    return bad ? -1 : 0;
}

int plot_main(int argc, char *const argv[])
{
    struct options o;
    struct fail f = {.code = EXIT_OK, .text = ""};
    int code = EXIT_OK;
    signal(SIGXFSZ, SIG_IGN); /* a file too large for its limit is a full disk, not a crash */
    if (parse(&o, argc, argv, &f) == 0 && o.help)
        fputs(help, stdout);
    else if (f.code != EXIT_OK || run(&o, &f))
        code = (int)f.code;
    return args_finish("plot", code, &f);
}
