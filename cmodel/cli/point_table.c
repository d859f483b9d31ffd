/* SPDX-License-Identifier: Apache-2.0
 * point_table.c - a point as a table for people.
 */
#include "point_own.h"

#include "discipline.h"
#include "pattern.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

const char point_old_name_text[] =
    "latency_mean is the mean over worms; the last arrival of a run, which old versions called latency_mean, "
    "is last_arrival_mean";
const char point_half_rate_text[] = "q = 1: a stream flows at half rate";

bool point_half_rate(const struct settings *s)
{
    const struct fatfly_config *c = &s->config;
    return c->depth == 1 && c->length > 1 && c->vcs == 1 &&
           (c->discipline == FATFLY_WORM || c->discipline == FATFLY_PHASED);
}

static void say_network(const struct settings *s, FILE *out)
{
    const struct fatfly_config *c = &s->config;
    char path[64], scan[64];
    bool stages = c->discipline == FATFLY_CMSV_STORE || c->discipline == FATFLY_CMSV_PROTOCOL;
    bool packets = c->discipline == FATFLY_STORE || c->discipline == FATFLY_UNIV || stages;
    fprintf(out, "network      %u processors; ", c->nodes);
    if (point_is_cube(c))
        fprintf(out, "%s of %u^%u%s; ", c->topology, c->radix, c->dimensions,
                c->processor_links ? ", links to processors" : "");
    else if (c->topology)
        fprintf(out, "%s; ", s->topology);
    fprintf(out, "%s, path %s, scan %s, ", fatfly_discipline_names[c->discipline],
            point_path_name(c, path), point_scan_name(c, scan));
    if (discipline_of(c)->rounds && !stages)
        fprintf(out, "no queues");
    else if (c->depth == FATFLY_UNBOUNDED)
        fprintf(out, stages ? "queues as the theorem asks" : "unbounded queues");
    else
        fprintf(out, "queues of %u %s%s", c->depth, packets ? "packet" : "flit",
                c->depth == 1 ? "" : "s");
    if (c->vcs > 1)
        fprintf(out, ", %u virtual channels", c->vcs);
    if (c->topology && (c->vcs > 1 || c->bandwidth == FATFLY_ON_DEMAND))
        fprintf(out, ", bandwidth %s", fatfly_bandwidth_names[c->bandwidth]);
    if (c->injection == FATFLY_PER_CHANNEL)
        fprintf(out, ", one source queue per channel");
    if (c->channel_release == FATFLY_TAIL_SENT)
        fprintf(out, ", a channel is free when the tail was sent");
    if (c->channels_in_turn)
        fprintf(out, ", channels in turn");
    if (c->input_bandwidth)
        fprintf(out, ", input bandwidth %u", c->input_bandwidth);
    if (c->link_bandwidth > 1)
        fprintf(out, ", link bandwidth %u", c->link_bandwidth);
    if (c->link_latency > 1 || c->router_latency)
        fprintf(out, ", latency of a link %u, of a router %u", c->link_latency, c->router_latency);
    if (c->head_latency)
        fprintf(out, ", of a head %u", c->head_latency);
    if (s->rtl)
        fprintf(out, "; the Verilog");
    fputc('\n', out);
    if (point_half_rate(s))
        fprintf(out, "             %s\n", point_half_rate_text);
}

static void say_worms(const struct settings *s, FILE *out)
{
    const struct fatfly_config *c = &s->config;
    char pattern[64];
    fprintf(out, "worms        ");
    if (c->load <= 0 && c->pattern != FATFLY_MESSAGES)
        fprintf(out, "%u per processor, ", c->rounds);
    if (c->pattern == FATFLY_MESSAGES)
        fprintf(out, "%zu of the messages in %s, at most %u flits", c->message_count, s->trace,
                c->length);
    else if (c->lengths == FATFLY_FIXED)
        fprintf(out, "%u flit%s, pattern %s", c->length, c->length == 1 ? "" : "s",
                point_pattern_name(c, pattern));
    else
        fprintf(out, "%u to %u flits (%s), pattern %s", c->length_min, c->length,
                fatfly_length_names[c->lengths], point_pattern_name(c, pattern));
    if (c->pattern == FATFLY_HOTSPOT)
        fprintf(out, " (%g to %u)", c->hotspot, c->hotspot_node);
    if (pattern_is_partial(c->pattern))
        fprintf(out, " (density %g)", c->density);
    if (c->pattern == FATFLY_PERMUTATION)
        fprintf(out, " %s", s->permutation);
    if (c->pattern == FATFLY_MATRIX)
        fprintf(out, " %s", s->matrix);
    if (c->lengths == FATFLY_MIX)
        fprintf(out, ", lengths %s", s->length_mix);
    if (c->self_traffic)
        fprintf(out, ", own source included");
    if (c->load <= 0 && c->delay_range > 1 && c->pattern != FATFLY_MESSAGES)
        fprintf(out, ", %s R = %u", c->discipline == FATFLY_UNIV ? "ranks" : "delays",
                c->delay_range);
    fputc('\n', out);
}

static void say_runs(const struct settings *s, const struct point *p, FILE *out)
{
    const struct fatfly_config *c = &s->config;
    char arrivals[64];
    fprintf(out, "runs         %" PRIu64 " %s, seed %" PRIu64, p->runs,
            c->load > 0 ? "open loop" : "static", c->seed);
    if (c->load > 0) {
        fprintf(out, "; load %g flits per cycle and processor, %s arrivals\n", c->load,
                point_arrival_name(c, arrivals));
        if (!p->sum.measure_cycles) {
            fprintf(out, "             not measured: ended in the warm-up\n");
            return;
        }
        fprintf(out, "             measured from cycle %" PRIu64, p->sum.measure_from);
        if (p->runs == 1)
            fprintf(out, " for %" PRIu64 " cycles", p->sum.measure_cycles);
        if (!p->sum.warmed_up)
            fprintf(out, "; until then latencies had not settled, or too few worms had come to tell");
    }
    fputc('\n', out);
}

static void say_no_latency(const struct settings *s, const struct point *p, FILE *out)
{
    if (p->cut && discipline_of(&s->config)->rounds && s->config.max_cycles == 0)
        fprintf(out, "latency      none: %" PRIu64 " of %" PRIu64 " runs did not end within %u "
                "rounds\n", p->cut, p->runs, p->sum.algorithm_rounds);
    else if (p->cut && discipline_of(&s->config)->rounds)
        fprintf(out, "cut          %" PRIu64 " of %" PRIu64 " runs did not end within %u rounds or %" PRIu64
                " cycles (max-cycles); latencies have no mean\n", p->cut, p->runs, p->sum.algorithm_rounds, s->config.max_cycles);
    else if (p->cut)
        fprintf(out, "cut          %" PRIu64 " of %" PRIu64 " runs did not end within %"
                PRIu64 " cycles (max-cycles); latencies have no mean\n", p->cut, p->runs,
                s->config.max_cycles);
    if (p->deadlocked)
        point_circle(s, p, out);
    if (!p->saturated)
        return;
    if (p->verdict == FATFLY_UNDECIDED)
        fprintf(out, "undecided    too many worms wait, but they came slowly, as they do about 1 %% below and "
                "above saturation (--whole measures on)\n");
    fprintf(out, "%s    accepts %.4g of %.4g flits per cycle and processor",
            p->verdict == FATFLY_UNDECIDED ? "         " : "saturated", p->accepted.mean, s->config.load);
    if (p->runs > 1)
        fprintf(out, " (%" PRIu64 " of %" PRIu64 " runs)", p->saturated, p->runs);
    fprintf(out, "; latencies have no mean\n");
}

/* "59.0 cycles, 58.4 to 59.8 (99 %, 64 batches)" */
static void say_figure(const struct point *p, const struct figure *g, const struct interval *i, FILE *out)
{
    fprintf(out, "%.1f cycles", g->mean);
    if (!isnan(i->low))
        fprintf(out, ", %.1f to %.1f (99 %%, %" PRIu64 " %s)", i->low, i->high,
                p->runs == 1 ? p->batches : p->runs, p->runs == 1 ? "batches" : "runs");
    if (p->runs > 1 && g->low < g->high)
        fprintf(out, ", runs %.1f to %.1f", g->low, g->high);
    else if (p->runs > 1 && isnan(i->low))
        fprintf(out, " in each of %" PRIu64 " runs", p->runs);
}

/* A mean that an open loop has not earned. */
static void say_warning(const struct settings *s, const struct point *p, FILE *out)
{
    if (s->config.load > 0 && p->verdict == FATFLY_UNDECIDED && !p->partial)
        fprintf(out, "             undecided: too short for an interval, and to tell it from saturation; "
                "run about %" PRIu64 " cycles (--cycles)\n", p->cycles_needed);
    else if (point_imprecise(s, p))
        fprintf(out, "             not within %g %% of the mean but %.3g %% after %" PRIu64 " cycles (--max-cycles)\n",
                100 * s->precision, 100 * p->apart, p->shortest);
}

static void say_quantiles(const struct point *p, FILE *out)
{
    static const char *const name[QUANTILES] = {"p50", "p95", "p99", "p99.9"};
    unsigned said = 0;
    for (unsigned k = 0; k < QUANTILES; k++)
        if (!isnan(p->quantile[k].low))
            fprintf(out, "%s %s %.0f to %.0f", said++ ? "," : "             99 %:", name[k],
                    p->quantile[k].low, p->quantile[k].high);
    fputs(said ? "\n" : "", out);
}

static void say_latency(const struct settings *s, const struct point *p, FILE *out)
{
    const struct fatfly_result *r = &p->sum;
    bool open = s->config.load > 0;
    if (isnan(p->latency.mean)) {
        fprintf(out, "latency      none: no worm %s\n",
                r->worms ? "that arrived was ready in the measured cycles" : "entered the network");
        return;
    }
    if (!open) {
        fprintf(out, "last arrival ");
        say_figure(p, &p->last_arrival, &p->last_within, out);
        fprintf(out, "; a run's last tail, from cycle 0\n");
    }
    fprintf(out, "latency      ");
    say_figure(p, &p->latency, &p->within, out);
    fprintf(out, "; mean per worm\n");
    say_warning(s, p, out);
    if (p->partial)
        return;
    fprintf(out, "per worm     mean %.1f, p50 %" PRIu64 ", p95 %" PRIu64 ", p99 %" PRIu64
            ", p99.9 %" PRIu64 ", largest %" PRIu64 "\n",
            (double)r->latency_sum / (double)r->measured, fatfly_quantile(r, 0.5),
            fatfly_quantile(r, 0.95), fatfly_quantile(r, 0.99), fatfly_quantile(r, 0.999),
            r->latency_max);
    say_quantiles(p, out);
    fprintf(out, "             of which %.1f at the source and %.1f blocked in the network; %.1f above "
            "zero load\n", p->source_wait.mean, p->blocked.mean, p->wait.mean);
}

static void say_instance(const struct settings *s, const struct point *p, FILE *out)
{
    if (!isnan(p->accepted.mean) && !p->saturated)
        fprintf(out, "accepted     %.4g flits per cycle and processor\n", p->accepted.mean);
    if (p->partial)
        return;
    fprintf(out, "congestion   %.2f worms over one link", p->congestion.mean);
    if (s->config.load <= 0 && point_has_latency(p) && p->congestion.mean > 0)
        fprintf(out, ", last arrival / congestion %.2f", p->last_arrival.mean / p->congestion.mean);
    fprintf(out, "\ndilation     %u links", p->sum.dilation);
    if (p->sum.algorithm_rounds)
        fprintf(out, ", at most %u rounds", p->sum.algorithm_rounds);
    if (s->config.load <= 0 && !s->config.topology)
        fprintf(out, ", load factor %.2f", p->sum.load_factor);
    fputc('\n', out);
}

/* By dimension and direction or by level; of a butterfly fat-tree up level by level, then down. */
static void say_levels(const struct settings *s, const struct point *p, FILE *out)
{
    const struct fatfly_config *c = &s->config;
    const char *name = !c->topology ? "between levels" : point_is_cube(c) ? "by dimension" : "by level";
    unsigned levels = point_levels(p);
    if (p->partial)
        return;
    if (!p->sum.measure_cycles) {
        fprintf(out, "links        %s\n", p->sum.cycles ? "not measured" : "no cycle was simulated");
        return;
    }
    bool near_end = c->topology && discipline_of(c)->steps; /* packets wait where a link begins */
    fprintf(out, "\nlinks %-14s   links  in use       head wait %20s\n", name,
            near_end ? "queued at near end" : "queued at far end");
    for (unsigned k = 0; k < 2 * levels; k++) {
        bool up = c->topology ? k % 2 == 0 : k < levels;
        struct level v = point_level(s, p, up, c->topology ? k / 2 : up ? k : 2 * levels - 1 - k);
        char what[32];
        if (!c->topology)
            snprintf(what, sizeof what, "%-4s %2u to %-2u", v.direction, v.level + !up, v.level + up);
        else if (c->processor_links && v.level == c->dimensions)
            snprintf(what, sizeof what, "%s processor", up ? "from" : "to");
        else
            snprintf(what, sizeof what, "%-9s %2u %-4s", name + 3, v.level, v.direction);
        if (v.links)
            fprintf(out, "%-17s %11" PRIu64 " %6.1f %% %15.2f %20.3f\n", what, v.links, 100 * v.use, v.wait, v.queued);
    }
    fputc('\n', out);
}

void point_table_network(const struct settings *s, FILE *out)
{
    say_network(s, out);
    say_worms(s, out);
    point_table_classes(s, out);
}

void point_table(const struct settings *s, const struct point *p, FILE *out)
{
    point_table_network(s, out);
    say_runs(s, p, out);
    if (point_has_latency(p))
        say_latency(s, p, out);
    else
        say_no_latency(s, p, out);
    point_table_of_classes(s, p, out);
    say_instance(s, p, out);
    say_levels(s, p, out);
    fprintf(out, "digest       %016" PRIx64 "\n", p->digest);
    fprintf(out, "simulated    %" PRIu64 " cycles", p->sum.cycles);
    if (!p->partial)
        fprintf(out, ", %" PRIu64 " flit hops", p->sum.flit_hops);
    fprintf(out, " in %.3f s of CPU time", p->cpu_s);
    if (!p->partial && p->cpu_s > 0)
        fprintf(out, ", %.3g million per second", (double)p->sum.flit_hops / p->cpu_s * 1e-6);
    fputc('\n', out);
}
