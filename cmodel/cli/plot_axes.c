/* SPDX-License-Identifier: Apache-2.0
 * plot_axes.c - the axes of a plot: names, ranges, tics.
 */
#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const logs[] = {"none", "x", "y", "xy"};

struct axis_label {
    const char *name, *text;
};

/* Ends of intervals and the like: "latency p99 low (cycles)". */
static const char *label_of_end(const char *name, char *text, size_t size)
{
    bool cycles = strstr(name, "latency") || strstr(name, "arrival");
    snprintf(text, size, "%s%s", name, cycles ? " (cycles)" : "");
    for (char *c = text; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    return text;
}

const char *plot_label(const char *name, char *text, size_t size)
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
        {"latency_mean", "mean latency of a worm (cycles)"},
        {"last_arrival_mean", "last arrival (cycles)"},
        {"last_arrival_max", "the latest last arrival (cycles)"},
        {"latency_max", "largest latency of a worm (cycles)"},
        {"latency_p50", "median latency (cycles)"},
        {"latency_p95", "95 % quantile of latency (cycles)"},
        {"latency_p99", "99 % quantile of latency (cycles)"},
        {"latency_p999", "99.9 % quantile of latency (cycles)"},
        {"congestion_mean", "congestion c (worms over one link)"},
        {"latency_per_congestion", "last arrival / congestion (cycles)"},
        {"accepted_load", "accepted load (flits per cycle and processor)"},
        {"source_wait_mean", "wait in the source queue (cycles a worm)"},
        {"blocked_mean", "blocked in the network (cycles a worm)"},
        {"flit_hops", "flits over links"},
        {"cycles", "cycles simulated"},
        {"cpu_s", "processor time (s)"},
        {"wall_s", "time (s)"},
        {"dilation", "dilation d (links)"},
        {"link_latency", "latency of a link (cycles)"},
        {"router_latency", "latency of a router (cycles)"},
        {"head_latency", "latency of a head (cycles)"},
        {"link_bandwidth", "bandwidth of a link (flits per cycle)"},
        {"input_bandwidth", "bandwidth of an input (flits per cycle)"},
        {"utilisation", "utilisation of links (share of cycles)"},
        {"wait_mean", "latency beyond that of a worm alone (cycles)"},
        {"round_trip_mean", "mean round trip (cycles)"},
        {"load_factor", "load factor (worms to a link)"},
        {"measured", "worms measured"},
        {"batches", "batches"},
        {"cycles_needed", "cycles needed for a verdict (cycles)"},
        {"warmup", "warm-up (cycles)"},
        {"runs", "runs"},
        {"radix", "radix k (nodes of a dimension)"},
        {"dimensions", "dimensions n"},
        {"density", "density (share of the processors that send)"},
        {"overhead", "overhead (share of the flits)"},
        {"length_min", "shortest worm (flits)"},
        {"length_mean", "mean length before the cut (flits)"},
        {"short_share", "share of the shortest worms"},
        {"reply_delay", "delay of a reply (cycles)"},
        {"outstanding", "requests outstanding (a processor)"},
        {"burst_on", "mean length of a burst (cycles)"},
        {"burst_off", "mean pause between bursts (cycles)"},
        {"phases", "phases of delay"},
        {"phase_length", "length of a phase (cycles)"},
        {"max_cycles", "longest run (cycles)"},
        {"cycles_per_us", "cycles of a recorded microsecond"},
        {"seed", "seed"},
    };
    static const struct axis_label of_class[] = {
        {"measured", "worms measured"}, {"accepted_load", "accepted load (flits per cycle and processor)"},
        {"latency_mean", "mean latency of a worm (cycles)"}, {"latency_p50", "median latency (cycles)"},
        {"latency_p99", "99 % quantile of latency (cycles)"}, {"latency_max", "largest latency of a worm (cycles)"}};
    bool class = strncmp(name, "class", 5) == 0 && name[5] >= '0' && name[5] <= '9' && name[6] == '_';
    for (size_t k = 0; k < sizeof labels / sizeof *labels; k++)
        if (strcmp(name, labels[k].name) == 0)
            return labels[k].text;
    for (size_t k = 0; class && k < sizeof of_class / sizeof *of_class; k++)
        if (strcmp(name + 7, of_class[k].name) == 0) {
            snprintf(text, size, "class %c: %s", name[5], of_class[k].text);
            return text;
        }
    return label_of_end(name, text, size);
}

static void widen(double *low, double *high, double v)
{
    *low = v < *low ? v : *low;
    *high = v > *high ? v : *high;
}

/* LOW:HIGH, either of which may be left out: as it was chosen. */
static int read_range(const char *option, const char *text, bool logarithmic, double *low, double *high,
                      struct fail *f)
{
    char word[2][40];
    double *to[2] = {low, high};
    const char *colon = text ? strchr(text, ':') : NULL;
    if (!text)
        return 0;
    if (colon) {
        snprintf(word[0], sizeof *word, "%.*s", (int)(colon - text < 39 ? colon - text : 39), text);
        snprintf(word[1], sizeof *word, "%.39s", colon + 1);
    }
    for (unsigned k = 0; k < 2 && colon; k++) {
        char *end;
        double v = strtod(word[k], &end);
        bool number = end != word[k] && !*end && isfinite(v) && strspn(word[k], "0123456789.eE+-") == strlen(word[k]);
        if (*word[k] && !number)
            colon = NULL;
        else if (*word[k])
            *to[k] = v;
    }
    if (colon && !(*low < *high) && (!*word[0] || !*word[1]))
        return fail(f, EXIT_USAGE, "%s %.60s with %s = %.6g, as the points are; allowed: LOW below HIGH", option, text,
                    *word[0] ? "HIGH" : "LOW", *word[0] ? *high : *low);
    if (!colon || !(*low < *high))
        return fail(f, EXIT_USAGE, "%s %.60s; allowed: LOW:HIGH, two numbers, LOW below HIGH; either may be left "
                    "out", option, text);
    if (logarithmic && *low <= 0)
        return fail(f, EXIT_USAGE, "%s %.60s with a logarithmic axis; allowed: above 0", option, text);
    return 0;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A point near saturation may have ten times the latency of the others, which it would squeeze: the axis
 * ends at the largest y within SQUEEZE medians. */
static double highest(const struct plot *p, double high)
{
    enum { SQUEEZE = 6, FEWEST = 5 };
    bool time = strstr(p->y, "latency_m") || strstr(p->y, "latency_p") || strstr(p->y, "wait_mean") ||
                strstr(p->y, "blocked_mean") || strstr(p->y, "round_trip");
    double *y = calloc(p->rows + 1, sizeof *y), cut = high;
    size_t count = 0;
    for (unsigned k = 0; k < p->count && y; k++)
        for (size_t j = 0; j < p->series[k].count && count <= p->rows; j++)
            if (!p->series[k].dot[j].saturated)
                y[count++] = fmax(p->series[k].dot[j].y, p->series[k].dot[j].high); /* NaN is no number */
    if (y && count >= FEWEST && time && p->open) {
        qsort(y, count, sizeof *y, by_size);
        while (count > 1 && y[count - 1] > SQUEEZE * y[count / 2])
            count--;
        cut = y[count - 1];
    }
    free(y);
    return cut;
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

size_t plot_marked(const struct plot *p, const struct series *s)
{
    size_t j = 0;
    while (j < s->count && !s->dot[j].saturated)
        j++;
    return j < s->count && s->dot[j].x >= p->low_x && s->dot[j].x <= p->high_x ? j : s->count;
}

int plot_ranges(struct plot *p, struct fail *f)
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
            if (!isnan(d->low)) { /* the whole bar */
                widen(&p->low_y, &p->high_y, d->high);
                widen(&p->low_y, &p->high_y, d->low > 0 ? d->low : p->log_y ? d->y : 0);
            }
        }
        p->marks += saturated;
    }
    if (!any)
        return fail(f, EXIT_USAGE, "no point has %s%s", p->y,
                    p->marks ? ": all are saturated; allowed: --y accepted_load" : "");
    if ((p->log_x && p->low_x <= 0) || (p->log_y && p->low_y <= 0))
        return fail(f, EXIT_USAGE, "--log %s: %s is %g in a point; allowed: above 0",
                    p->o->log_given ? logs[p->o->log] : "x", p->log_x && p->low_x <= 0 ? p->x : p->y,
                    p->log_x && p->low_x <= 0 ? p->low_x : p->low_y);
    if (!p->log_y && !p->o->yrange)
        p->high_y = highest(p, p->high_y);
    set_range(&p->low_x, &p->high_x, p->log_x, 0);
    set_range(&p->low_y, &p->high_y, p->log_y, p->marks ? 0.15 : 0.05);
    if (read_range("--xrange", p->o->xrange, p->log_x, &p->low_x, &p->high_x, f) ||
        read_range("--yrange", p->o->yrange, p->log_y, &p->low_y, &p->high_y, f))
        return -1;
    p->broken = !p->log_y && p->low_y > 0;
    p->marks = 0; /* those that are in the picture */
    for (unsigned k = 0; k < p->count; k++)
        p->marks += plot_marked(p, &p->series[k]) < p->series[k].count;
    for (unsigned k = 0; k < p->count; k++)
        for (size_t j = 0; j < p->series[k].count; j++) {
            struct dot *d = &p->series[k].dot[j];
            d->beyond = !d->saturated && d->y > p->high_y && d->x >= p->low_x && d->x <= p->high_x;
            p->beyond += d->beyond;
        }
    return 0;
}

/* A few numbers of x, each with its tic: 16, 64, 256. */
static void say_x_tics(const struct plot *p, FILE *out)
{
    double tic[12];
    unsigned count = 0;
    for (unsigned k = 0; k < p->count && count < 12; k++)
        for (size_t j = 0; j < p->series[k].count && count < 12; j++) {
            unsigned i = 0;
            while (i < count && tic[i] != p->series[k].dot[j].x)
                i++;
            if (i == count)
                tic[count++] = p->series[k].dot[j].x;
        }
    bool whole = count > 0 && count < 12;
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

void plot_tics(const struct plot *p, FILE *out)
{
    say_x_tics(p, out);
    say_y_tics(p, out);
}
