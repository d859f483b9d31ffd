/* SPDX-License-Identifier: Apache-2.0
 * plot.c - `fatfly plot DB`: curves of a sweep, drawn by gnuplot.
 *
 * Points that belong to one curve differ only in x.  What tells curves apart is either said
 * (--series) or found: the settings that vary.  A saturated point has no latency; it is a triangle
 * at the top edge, where its curve goes, and never a number.
 */
#include "commands.h"
#include "export.h"
#include "gg.h"
#include "gnuplot.h"
#include "plot.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AT(field) .at = offsetof(struct plot_options, field)
#define GIVEN(field) .given = offsetof(struct plot_options, field)

static const char *const logs[] = {"none", "x", "y", "xy"};
static const char *const models[] = {"gg"};
static const char MODEL[] = "model GG: V = 1, path rg, scan fcfs";

static const struct arg args[] = {
    {"x", "NAME", ARG_TEXT, AT(x),
     "a setting or column of numbers; default load, nodes or length, whichever varies"},
    {"y", "NAME", ARG_TEXT, AT(y), "a column of numbers; default latency_mean, of static points last_arrival_mean"},
    {"series", "A,B", ARG_TEXT, AT(series),
     "a curve for each value of these; default: all settings that vary"},
    {"where", "NAME=VALUE", ARG_LIST, AT(where), "only points with that value; may be given again"},
    {"log", "none|x|y|xy", ARG_NAME, AT(log),
     "logarithmic axes; default x if it is nodes, else none", .names = logs, .count = 4,
     GIVEN(log_given)},
    {"xrange", "LOW:HIGH", ARG_TEXT, AT(xrange), "ends of the x axis, either may be left out; default: all points"},
    {"yrange", "LOW:HIGH", ARG_TEXT, AT(yrange),
     "ends of the y axis; default: all points, but of latencies those within six medians: what lies above is marked "
     "at the edge"},
    {"title", "TEXT", ARG_TEXT, AT(title), "default: the sweep file's"},
    {"model", "gg", ARG_NAME, AT(models),
     "the model of Greenberg and Guan over the points; x must be load", .names = models, .count = 1,
     GIVEN(model)},
    {"output", "FILE", ARG_OUTPUT, AT(output), ".svg or .png"},
};

static int play(int argc, char *const argv[], struct fail *f);

const struct command plot_command = {
    "plot", "draw the curves of a sweep", "DB --output FILE.svg|FILE.png [OPTION]...",
    "Draws curves of a sweep's results file with gnuplot: points with 99 % intervals.",
    "exit codes: 0 drawn, 2 usage, 3 not a results file, damaged or of another version, 4 gnuplot is "
    "missing or FILE cannot be written", "results file", args, sizeof args / sizeof *args, NULL, NULL, .play = play};

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

/* Beyond MAX_SPLIT there are too many curves already. */
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
    static const char *const first[] = {"topology", "discipline", "pattern", "path", "scan", "nodes", "length"};
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
        if (p->splits == MAX_SPLIT)
            return fail(f, EXIT_USAGE, "--series %s: more than %d names; allowed: fewer", p->o->series, MAX_SPLIT);
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
    static const char *const bare[] = {"discipline", "path",     "scan",
                                       "pattern",    "arrivals", "topology"};
    char value[512], spaced[MAX_NAME];
    const char *v = value_of(p, row, name, value, sizeof value);
    for (size_t k = 0; k < sizeof bare / sizeof *bare; k++)
        if (strcmp(name, bare[k]) == 0) {
            if (!*v && strcmp(name, "topology") == 0)
                v = "fat-tree"; /* not in a key */
            snprintf(text, size, "%.*s", (int)strcspn(v, "#"), v);
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

static void append_named(const struct plot *p, const struct results_row *row, const char *name, char *label, size_t size)
{
    char text[120];
    bool named = strcmp(name, "path") == 0 || strcmp(name, "scan") == 0;
    int used = named ? snprintf(text, sizeof text, "%s ", name) : 0;
    call(p, row, name, text + used, sizeof text - (size_t)used);
    append(label, size, text);
}

/* What differs between curves and not within one, but was not needed to tell them apart: V of torus and fat-tree. */
static void name_the_rest(struct plot *p)
{
    static const char *const rest[] = {"topology", "discipline", "pattern", "path", "scan", "nodes", "length", "depth", "vcs"};
    for (size_t i = 0; i < sizeof rest / sizeof *rest && !p->o->series; i++) {
        bool within = strcmp(rest[i], p->x) == 0 || !varies(p, rest[i]);
        for (unsigned k = 0; k < p->splits && !within; k++)
            within = strcmp(p->split[k], rest[i]) == 0;
        for (unsigned k = 0; k < p->count && !within; k++)
            for (size_t j = 0; j < p->rows && !within; j++)
                within = same_series(p, p->series[k].row, p->row[j]) && !same(p, p->series[k].row, p->row[j], rest[i]);
        for (unsigned k = 0; k < p->count && !within; k++)
            append_named(p, p->series[k].row, rest[i], p->series[k].label, sizeof p->series[k].label);
    }
}

static struct series *series_of(struct plot *p, const struct results_row *row, struct fail *f)
{
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
    for (unsigned k = 0; k < p->splits; k++)
        append_named(p, row, p->split[k], s->label, sizeof s->label);
    return s;
}

/* latency_mean has latency_low and latency_high, and in older files latency_ci99; latency_p99 has latency_p99_low. */
static void read_interval(const struct plot *p, const struct results_row *row, struct dot *d)
{
    static const char *const end[] = {"low", "high", "ci99"};
    char name[MAX_NAME + 8], text[512];
    double value[3] = {NAN, NAN, NAN};
    size_t n = strlen(p->y);
    bool mean = n > 5 && strcmp(p->y + n - 5, "_mean") == 0, there = true;
    for (unsigned k = 0; k < 3; k++) {
        snprintf(name, sizeof name, "%.*s_%s", (int)(mean ? n - 5 : n), p->y, end[k]);
        const char *v = results_value(p->t, row, name, text, sizeof text);
        value[k] = v ? number(v) : NAN;
        there = there && (v || k != 0);
    }
    bool old = !there && mean && value[2] > 0; /* of a file without the ends */
    d->low = old ? d->y - value[2] : value[0];
    d->high = old ? d->y + value[2] : value[1];
    if (isnan(d->low) || isnan(d->high) || !(d->low < d->high))
        d->low = d->high = NAN;
}

static int add_dot(struct plot *p, const struct results_row *row, struct fail *f)
{
    char text[512];
    const char *y = value_of(p, row, p->y, text, sizeof text);
    struct dot d = {.x = number_of(p, row, p->x), .y = number(y), .low = NAN, .high = NAN};
    read_interval(p, row, &d);
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
    if (d.saturated && !strcmp(value_of(p, row, "verdict", text, sizeof text), "undecided"))
        p->undecided = true;
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

/* -- the script ------------------------------------------------------------------------------ */

/* What all points share, as a second line of the title. */
static void say_constants(const struct plot *p, char *text, size_t size)
{
    static const char *const names[] = {"topology", "nodes", "length", "depth", "vcs", "discipline",
                                        "path", "scan", "pattern", "load", "runs"};
    char one[120];
    *text = '\0';
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (varies(p, names[k]) || strcmp(names[k], p->x) == 0)
            continue;
        if (strcmp(names[k], "load") == 0 && !p->open)
            continue;
        call(p, p->row[0], names[k], one, sizeof one);
        if (!*one || strcmp(one, "fat-tree") == 0) /* which is not said */
            continue;
        double runs = strcmp(names[k], "runs") == 0 ? number_of(p, p->row[0], "runs") : 0;
        bool named = strcmp(names[k], "path") == 0 || strcmp(names[k], "scan") == 0;
        char more[140];
        if (runs > 0)
            snprintf(more, sizeof more, "%g run%s", runs, runs > 1 ? "s" : "");
        else
            snprintf(more, sizeof more, "%s%s%s", named ? names[k] : "", named ? " " : "", one);
        append(text, size, more);
    }
    bool some = false, all = true;
    for (unsigned k = 0; k < p->count; k++)
        for (size_t j = 0; j < p->series[k].count; j++) {
            const struct dot *d = &p->series[k].dot[j];
            some = some || !isnan(d->low);
            all = all && (d->saturated || !isnan(d->low));
        }
    if (some)
        append(text, size, all ? "bars: 99 % intervals" : "bars: 99 % intervals, where there is one");
}

static void say_head(const struct plot *p, const char *part, FILE *out)
{
    char text[400];
    const char *title = p->o->title ? p->o->title
                      : p->t->meta.title[0] ? p->t->meta.title : p->t->meta.name;
    char x[80], y[80];
    say_constants(p, text, sizeof text);
    size_t longest = p->o->model ? strlen(MODEL) : 0;
    for (unsigned k = 0; k < p->count; k++)
        longest = strlen(p->series[k].label) > longest ? strlen(p->series[k].label) : longest;
    unsigned entries = p->count + p->o->model + (p->marks ? 2 : 0) + (p->beyond ? 1 : 0);
    gnuplot_head(out, part, p->svg, title, text, plot_label(p->x, x, sizeof x), plot_label(p->y, y, sizeof y),
                 gnuplot_layout(entries, (unsigned)longest));
    if (p->count == 1 && !p->marks && !p->beyond && !p->o->model)
        fprintf(out, "unset key\n");
    if (p->log_x)
        fprintf(out, "set logscale x\n");
    if (p->log_y)
        fprintf(out, "set logscale y\n");
    if (p->broken) /* the sign of an axis that is cut */
        fprintf(out, "set label '//' at graph 0, graph 0.03 center font ',16' front\nset label 'axis from %.4g' at "
                "graph 0, graph 0.03 left offset 1, 0 font ',11' textcolor rgb '#555555' front\n", p->low_y);
    fprintf(out, "set xrange [%.10g:%.10g]\nset yrange [%.10g:%.10g]\n", p->low_x, p->high_x,
            p->low_y, p->high_y);
    plot_tics(p, out);
}

/* Whether a dotted line leads to a curve's first saturated point j. */
static bool is_dotted(const struct plot *p, const struct series *s, size_t j)
{
    return j > 0 && !s->dot[j - 1].beyond && s->dot[j - 1].x >= p->low_x;
}

static bool any_dotted(const struct plot *p)
{
    for (unsigned k = 0; k < p->count; k++) {
        size_t j = plot_marked(p, &p->series[k]);
        if (j < p->series[k].count && is_dotted(p, &p->series[k], j))
            return true;
    }
    return false;
}

/* The curves that end in saturation at the same x have their triangles one below the other. */
static void say_marks(const struct plot *p, FILE *out)
{
    double at[MAX_SERIES];
    unsigned marks = 0;
    for (unsigned k = 0; k < p->count; k++) {
        const struct series *s = &p->series[k];
        size_t j = plot_marked(p, s);
        if (j == s->count)
            continue;
        unsigned lower = 0;
        for (unsigned i = 0; i < marks; i++)
            lower += at[i] == s->dot[j].x;
        at[marks++] = s->dot[j].x;
        double height = 0.945 - 0.04 * lower;
        const char *colour = gnuplot_colours[k % GNUPLOT_COLOURS];
        if (is_dotted(p, s, j))
            fprintf(out, "set arrow from %.10g,%.10g to %.10g,graph %.4g nohead dashtype 3 "
                         "linewidth 1.2 linecolor rgb '%s' back\n",
                    s->dot[j - 1].x, s->dot[j - 1].y, s->dot[j].x, height, colour);
        fprintf(out, "set label '' at %.10g,graph %.4g point pointtype 9 pointsize 1.1 "
                     "linecolor rgb '%s' front\n", s->dot[j].x, height, colour);
    }
}

/* Points above the axis: open triangles at the edge. */
static void say_beyond(const struct plot *p, FILE *out)
{
    for (unsigned k = 0; k < p->count; k++)
        for (size_t j = 0; j < p->series[k].count; j++)
            if (p->series[k].dot[j].beyond)
                fprintf(out, "set label '' at %.10g,graph 0.985 point pointtype 8 pointsize 1.1 linecolor rgb '%s' "
                        "front\n", p->series[k].dot[j].x, gnuplot_colours[k % GNUPLOT_COLOURS]);
}

static void say_data(const struct plot *p, FILE *out)
{
    for (unsigned k = 0; k < p->count; k++) {
        fprintf(out, "$s%u << EOD\n", k);
        for (size_t j = 0; j < p->series[k].count; j++) {
            const struct dot *d = &p->series[k].dot[j];
            if (!d->saturated)
                fprintf(out, "%.10g %.10g\n", d->x, d->y);
        }
        fprintf(out, "EOD\n$e%u << EOD\n", k);
        for (size_t j = 0; j < p->series[k].count; j++) {
            const struct dot *d = &p->series[k].dot[j];
            if (!isnan(d->low))
                fprintf(out, "%.10g %.10g %.10g %.10g\n", d->x, d->y, d->low, d->high);
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
                     "notitle", first ? "" : ", ", k,
                shared ? "#555555" : gnuplot_colours[k % GNUPLOT_COLOURS]);
        first = false;
    }
    for (unsigned k = 0; k < p->count; k++) {
        const char *c = gnuplot_colours[k % GNUPLOT_COLOURS];
        int dash = k < GNUPLOT_COLOURS ? 1 : k < 2 * GNUPLOT_COLOURS ? 4 : 5;
        int shape = gnuplot_shapes[k % GNUPLOT_COLOURS];
        bool bars = false;
        for (size_t j = 0; j < p->series[k].count; j++)
            bars = bars || !isnan(p->series[k].dot[j].low);
        if (bars) /* below the points */
            fprintf(out, "%s$e%u using 1:2:3:4 with yerrorbars pointtype 0 linewidth 1.2 "
                         "linecolor rgb '%s' notitle", first ? "" : ", ", k, c);
        first = first && !bars;
        fprintf(out, "%s$s%u using 1:2 with linespoints linewidth 1.6 dashtype %d pointtype %d "
                     "pointsize 0.7 linecolor rgb '%s' title ", first ? "" : ", ", k, dash, shape,
                c);
        gnuplot_quote(out, !*p->series[k].label && p->o->model ? "simulation" : p->series[k].label);
        first = false;
    }
    if (p->o->model)
        fprintf(out, ", keyentry with lines dashtype 2 linewidth 1.6 linecolor rgb '#555555' "
                     "title '%s'", MODEL);
    if (p->marks)
        fprintf(out, ", keyentry with points pointtype 9 pointsize 1.1 linecolor rgb '#555555' "
                     "title '%s'", p->undecided ? "saturated or undecided" : "saturated");
    if (any_dotted(p))
        fprintf(out, ", keyentry with lines dashtype 3 linewidth 1.2 linecolor rgb '#555555' "
                     "title 'on the way there'");
    if (p->beyond)
        fprintf(out, ", keyentry with points pointtype 8 pointsize 1.1 linecolor rgb '#555555' "
                     "title 'above the axis'");
    fprintf(out, "\n");
}

static void say(const void *context, const char *part, FILE *out)
{
    const struct plot *p = context;
    say_head(p, part, out);
    say_marks(p, out);
    say_beyond(p, out);
    say_data(p, out);
    if (p->o->model)
        say_model(p, out);
    say_plots(p, out);
}

/* -- the command ----------------------------------------------------------------------------- */

static int check_model(const struct plot *p, struct fail *f)
{
    if (!p->o->model)
        return 0;
    if (strcmp(p->x, "load") != 0 || strcmp(p->y, "latency_mean") != 0)
        return fail(f, EXIT_USAGE, "--model gg with --x %s --y %s; allowed: --x load --y "
                    "latency_mean", p->x, p->y);
    for (size_t j = 0; j < p->rows; j++)
        for (unsigned k = 0; k < 4; k++) {
            static const char *const name[] = {"topology", "discipline", "pattern", "lengths"},
                              *const only[] = {"fat-tree", "worm", "random", "fixed"};
            char text[512];
            const char *is = results_value(p->t, p->row[j], name[k], text, sizeof text);
            if (is && *is && strcmp(is, only[k]) != 0)
                return fail(f, EXIT_USAGE, "--model gg with a point whose %s is %s; allowed: only %s, which the model is of; "
                            "--where %s=%s leaves others out", name[k], is, only[k], name[k], only[k]);
        }
    for (unsigned k = 0; k < p->count; k++)
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
    const struct plot_options *o = p->o;
    if (!p->rows)
        return fail(f, EXIT_USAGE, "%s has no points yet", o->db);
    if (p->rows > MAX_POINTS)
        return fail(f, EXIT_USAGE, "%zu points; allowed: at most %d, with --where", p->rows,
                    MAX_POINTS);
    for (size_t k = 0; k < p->rows; k++)
        p->open = p->open || number_of(p, p->row[k], "load") > 0;
    if (export_name(p->t, "--y", o->y ? o->y : p->open ? "latency_mean" : "last_arrival_mean", p->y,
                    sizeof p->y, f)
        || choose_x(p, f))
        return -1;
    if (strcmp(p->x, p->y) == 0)
        return fail(f, EXIT_USAGE, "--x %s --y %s; allowed: two different ones", p->x, p->y);
    p->log_x = o->log_given ? o->log & 1 : strcmp(p->x, "nodes") == 0;
    p->log_y = o->log & 2;
    if (o->series ? read_series(p, f) : find_series(p, f))
        return -1;
    for (size_t k = 0; k < p->rows; k++)
        if (add_dot(p, p->row[k], f))
            return -1;
    name_the_rest(p);
    return check_series(p, f) || check_model(p, f) || plot_ranges(p, f)
               ? -1 : gnuplot_draw(o->output, say, p, f);
}

static int run(const struct plot_options *o, struct fail *f)
{
    struct results_table t;
    struct plot *p = calloc(1, sizeof *p);
    if (!p)
        return fail(f, EXIT_SYSTEM, "no memory for the plot");
    p->o = o;
    p->t = &t;
    p->svg = o->svg;
    int bad = results_load(&t, o->db, f);
    if (!bad) {
        bad = export_choose(&t, &o->where, false, &p->row, &p->rows, f) || make_plot(p, f);
        if (!bad)
            export_old_names("plot", &t, o->db, p->y);
        bad = bad || results_damaged(&t, o->db, f);
        results_free(&t);
    }
    for (unsigned k = 0; k < p->count; k++)
        free(p->series[k].dot);
    free(p->row);
    free(p);
    return bad ? -1 : 0;
}

static int play(int argc, char *const argv[], struct fail *f)
{
    struct plot_options o = {.db = NULL};
    int bad = args_parse(&plot_command, argc, argv, &o, &o.db, f);
    if (!bad && !o.output)
        bad = fail(f, EXIT_USAGE, "no --output; allowed: --output FILE.svg or FILE.png");
    return bad < 0 || (!bad && (gnuplot_format("--output", o.output, &o.svg, f) || run(&o, f))) ? -1 : 0;
}
