/* SPDX-License-Identifier: Apache-2.0
 * estimate_show.c - what `fatfly estimate` found, as text, CSV, JSON and a plot.
 */
#include "estimate.h"
#include "gnuplot.h"
#include "hardware.h"
#include "point.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { SERIES_CHANNELS = 10, SERIES = NETWORK_KINDS * SERIES_CHANNELS };

const char *const network_kinds[NETWORK_KINDS] = {"fat-tree", "torus", "mesh"};

unsigned estimate_kind(const struct hardware_design *d)
{
    return d->radix == 0 ? 0 : d->torus ? 1 : 2;
}

const char *estimate_name(const struct hardware_design *d, char text[64])
{
    char full[64];
    hardware.name(d, full, sizeof full);
    snprintf(text, 64, "%s%s", d->radix ? network_kinds[estimate_kind(d)] : "", strchr(full, '-') + !d->radix);
    return text;
}

/* -- which is best ---------------------------------------------------------------------------- */

static double gbits(const struct candidate *c)
{
    return c->throughput * c->design.params.flit_w;
}

/* What a network carries for its area: Gbit/s of all processors for 1000 LUTs. */
static double per_lut(const struct estimate *e, const struct candidate *c)
{
    return gbits(c) * (double)e->nodes / (c->cost.lut / 1000);
}

static bool better(const struct estimate *e, const struct candidate *a, const struct candidate *b)
{
    if (e->best == BEST_THROUGHPUT)
        return a->throughput > b->throughput;
    if (e->best == BEST_LATENCY)
        return a->latency_ns < b->latency_ns;
    if (e->best == BEST_PER_LUT)
        return per_lut(e, a) > per_lut(e, b);
    return a->cost.lut < b->cost.lut;
}

const struct candidate *estimate_choose(const struct estimate *e)
{
    const struct candidate *best = NULL;
    for (size_t k = 0; k < e->count; k++)
        if (e->candidate[k].meets && (!best || better(e, &e->candidate[k], best)))
            best = &e->candidate[k];
    return best;
}

/* -- the output ------------------------------------------------------------------------------- */

static const char *const basis_names[COST_BASES] = {"network", "switches", "bound"};

static void print_table(const struct estimate *e)
{
    const char *device;
    char name[64];
    unsigned luts = cost_device(e->family, &device);
    const struct candidate *best = estimate_choose(e);
    int width = 20;

    for (size_t k = 0; k < e->count; k++) {
        int length = (int)strlen(estimate_name(&e->candidate[k].design, name));
        width = length > width ? length : width;
    }
    printf("%llu processors, worms of %llu flits, %s; %s by %s\n\n",
           (unsigned long long)e->nodes, (unsigned long long)e->length,
           fatfly_pattern_names[e->pattern], device, e->file);
    printf("%-*s %8s %7s %8s %6s %9s %9s %11s %9s %7s  %s\n", width + 2, "design", "LUT", "device", "FF",
           "MHz", "latency", "latency", "saturation", "flits/ns", "Gbit/s", "basis");
    printf("%-*s %8s %7s %8s %6s %9s %9s %11s %9s %7s\n", width + 2, "", "", "", "", "", "cycles", "ns",
           "flits/cycle", "a node", "a node");
    for (size_t k = 0; k < e->count; k++) {
        const struct candidate *c = &e->candidate[k];
        const struct carried *s = &e->carried[c->carried];
        char part[16] = "", ff[24] = "-"; /* which a table may lack */
        if (!isnan(c->cost.ff))
            snprintf(ff, sizeof ff, "%.0f", c->cost.ff);
        if (luts)
            snprintf(part, sizeof part, "%.0f %%", ceil(100 * c->cost.lut / luts));
        printf("%-*s %c%c %7.0f %7s %8s %6.1f %9.1f %9.1f %11.4f %9.5f %7.3f  %s\n", width,
               estimate_name(&c->design, name), c->front ? '*' : ' ', c == best ? '<' : ' ', c->cost.lut,
               part, ff, c->cost.mhz, s->latency, c->latency_ns, s->saturation,
               c->throughput, gbits(c), basis_names[c->cost.basis]);
    }
    printf("\n* no other design is both smaller and faster; basis: docs/fpga.md\n");
}

static void cells_of(const struct estimate *e, const struct candidate *c, struct cells *r)
{
    const struct carried *s = &e->carried[c->carried];
    char name[64];

    r->count = 0;
    cells_add(r, CELL_WORD, "design", "%s", estimate_name(&c->design, name));
    cells_add(r, CELL_WORD, "family", "%s", e->family);
    cells_add(r, CELL_NUMBER, "nodes", "%" PRIu64, e->nodes);
    cells_add(r, CELL_NUMBER, "length", "%" PRIu64, e->length);
    cells_add(r, CELL_WORD, "pattern", "%s", fatfly_pattern_names[e->pattern]);
    cells_add(r, CELL_NUMBER, "lut", "%.0f", c->cost.lut);
    cells_add(r, CELL_NUMBER, "ff", "%.0f", c->cost.ff);
    cells_add(r, CELL_NUMBER, "ram", "%.0f", isnan(c->cost.ram) ? 0 : c->cost.ram);
    cells_add(r, CELL_NUMBER, "mhz", "%.2f", c->cost.mhz);
    cells_add(r, CELL_NUMBER, "latency_cycles", "%.3f", s->latency);
    cells_add(r, CELL_NUMBER, "latency_ns", "%.3f", c->latency_ns);
    cells_add(r, CELL_NUMBER, "saturation_load", "%.5f", s->saturation);
    cells_add(r, CELL_NUMBER, "flits_per_ns", "%.6f", c->throughput);
    cells_add(r, CELL_NUMBER, "gbit_per_s", "%.4f", gbits(c));
    cells_add(r, CELL_TRUTH, "front", "%d", c->front);
    cells_add(r, CELL_TRUTH, "meets", "%d", c->meets);
    cells_add(r, CELL_WORD, "basis", "%s", basis_names[c->cost.basis]);
    cells_add(r, CELL_WORD, "topology", "%s", network_kinds[estimate_kind(&c->design)]);
    cells_add(r, CELL_NUMBER, "gbit_per_s_per_klut", "%.4f", per_lut(e, c));
}

static void print_cells(const struct estimate *e)
{
    struct cells r;

    for (size_t k = 0; k < e->count; k++) {
        cells_of(e, &e->candidate[k], &r);
        if (e->format == FORMAT_CSV) {
            if (k == 0)
                cells_csv_names(&r, stdout);
            cells_csv(&r, stdout);
        } else {
            fputs(k ? ",\n  {" : "[\n  {", stdout);
            cells_json(&r, " ", stdout);
            putchar('}');
        }
    }
    if (e->format == FORMAT_JSON)
        puts("\n]");
}

static bool asked(const struct estimate *e)
{
    return !isnan(e->min_throughput) || !isnan(e->max_latency) || !isnan(e->max_lut);
}

/* In the table's last line: the answer. */
static void print_answer(const struct estimate *e)
{
    static const char *const words[] = {"smallest", "most throughput", "least latency", "most for its area"};
    const struct candidate *c = estimate_choose(e);
    char name[64];
    if (c)
        printf("%s%s: %s, %.0f LUT, %.5f flits/ns a node, %.1f ns", words[e->best],
               asked(e) ? " of those that meet what is wanted" : "", estimate_name(&c->design, name),
               c->cost.lut, c->throughput, c->latency_ns);
    if (c && e->best == BEST_PER_LUT)
        printf(", %.3f Gbit/s for 1000 LUT", per_lut(e, c));
    if (c)
        putchar('\n');
}

int estimate_none_meets(const struct estimate *e, struct fail *f)
{
    const struct candidate *fast = e->candidate, *quick = e->candidate;
    char a[64], b[64], c[64];
    for (size_t k = 0; k < e->count; k++) {
        fast = e->candidate[k].throughput > fast->throughput ? &e->candidate[k] : fast;
        quick = e->candidate[k].latency_ns < quick->latency_ns ? &e->candidate[k] : quick;
    }
    return fail(f, EXIT_CHECK, "none of %zu designs meets what is wanted; most throughput: %.5f "
                "flits/ns a node (%s), least latency: %.1f ns (%s), least area: %.0f LUT (%s)",
                e->count, fast->throughput, estimate_name(&fast->design, a), quick->latency_ns,
                estimate_name(&quick->design, b), e->candidate[0].cost.lut,
                estimate_name(&e->candidate[0].design, c));
}

void estimate_print(const struct estimate *e)
{
    if (e->format != FORMAT_TABLE) {
        print_cells(e);
        return;
    }
    print_table(e);
    if (estimate_choose(e))
        print_answer(e);
}

/* -- the plot --------------------------------------------------------------------------------- */

/* Designs of one kind of network and number of virtual channels have a mark: the colour says the channels,
 * the shape the network. */
static unsigned series(const struct candidate *c)
{
    return SERIES_CHANNELS * estimate_kind(&c->design) + c->design.params.vcs;
}

static void plot_points(const struct estimate *e, FILE *out)
{
    for (unsigned v = 0; v < SERIES; v++) {
        bool any = false;
        for (size_t k = 0; k < e->count; k++)
            if (series(&e->candidate[k]) == v) {
                if (!any)
                    fprintf(out, "$v%u << EOD\n", v);
                any = true;
                fprintf(out, "%.10g %.10g\n", e->candidate[k].cost.lut, e->candidate[k].throughput);
            }
        if (any)
            fprintf(out, "EOD\n");
    }
}

static void plot_legend(const struct estimate *e, FILE *out)
{
    static const unsigned mark[SERIES_CHANNELS] = {[1] = 0, [2] = 1, [4] = 2, [3] = 3, [5] = 4, [6] = 5, [7] = 6, [8] = 7, [9] = 7};
    bool mixed = e->kinds & (e->kinds - 1);
    for (unsigned v = 0; v < SERIES; v++) {
        bool any = false;
        unsigned channels = v % SERIES_CHANNELS, kind = v / SERIES_CHANNELS;
        for (size_t k = 0; k < e->count; k++)
            any |= series(&e->candidate[k]) == v;
        if (any)
            fprintf(out, ", $v%u using 1:2 with points pointtype %d pointsize 0.9 linecolor rgb '%s' title '%s%sV = %u'", v,
                    gnuplot_shapes[kind ? 2 + kind : mark[channels]], gnuplot_colours[mark[channels]],
                    mixed ? network_kinds[kind] : "", mixed ? ", " : "", channels);
    }
}

/* The front is a line of steps. */
void estimate_plot(const void *context, const char *part, FILE *out)
{
    const struct estimate *e = context;
    const char *device;
    char name[64], title[120], second[200];

    unsigned luts = cost_device(e->family, &device);
    snprintf(title, sizeof title, "Area and throughput, N = %llu, %s", (unsigned long long)e->nodes,
             device);
    if (luts)
        snprintf(title + strlen(title), sizeof title - strlen(title), " of %u LUTs", luts);
    snprintf(second, sizeof second, "L = %llu, %s, saturation by simulation, area and clock by "
             "synthesis", (unsigned long long)e->length, fatfly_pattern_names[e->pattern]);
    gnuplot_head(out, part, e->svg, title, second, "LUTs of the network",
                 "throughput at saturation (flits per ns and processor)", (struct gnuplot_key){0, 1});
    fprintf(out, "set yrange [0:*]\nset offsets graph 0.04, graph 0.1, graph 0.22, 0\n");
    double most = 0, least = HUGE_VAL;
    for (size_t k = 0; k < e->count; k++) {
        most = fmax(most, e->candidate[k].cost.lut);
        least = fmin(least, e->candidate[k].cost.lut);
    }
    if (luts && luts < least) /* else the line would be outside */
        fprintf(out, "set xrange [0:*]\n");
    if (luts && luts < most) /* what is to the right of it does not fit */
        fprintf(out, "set arrow from %u,graph 0 to %u,graph 1 nohead dashtype 2 linewidth 1.4 linecolor rgb "
                "'#D55E00'\n", luts, luts);
    fprintf(out, "$front << EOD\n");
    for (size_t k = 0; k < e->count; k++)
        if (e->candidate[k].front)
            fprintf(out, "%.10g %.10g \"%s\"\n", e->candidate[k].cost.lut,
                    e->candidate[k].throughput, estimate_name(&e->candidate[k].design, name));
    fprintf(out, "EOD\n");
    plot_points(e, out);
    fprintf(out, "plot $front using 1:2 with steps linewidth 1.4 linecolor rgb '#888888' "
                 "title 'Pareto front'");
    plot_legend(e, out);
    if (luts && luts < most)
        fprintf(out, ", keyentry with lines dashtype 2 linewidth 1.4 linecolor rgb '#D55E00' title 'the device: "
                "%u LUTs'", luts);
    fprintf(out, ", $front using 1:2:3 with labels left rotate by 35 offset 0.3, 0.5 font ',10' "
                 "textcolor rgb '#222222' noenhanced notitle\n");
}

