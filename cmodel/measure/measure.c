/* SPDX-License-Identifier: Apache-2.0
 * measure.c - what all engines count in the same way, and when a run is over.
 *
 * An open loop is judged only at cycles that follow from the configuration and from what was
 * delivered before, so that every engine ends in the same cycle.  Rules that need fractions use
 * doubles and + - * / alone.
 */
#include "measure.h"

#include "cuts.h"
#include "discipline.h"
#include "gg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    POLL_CYCLES = 4096,
    FIRST_SPAN = 2048,    /* the first look at the warm-up; then after each doubling */
    FEWEST = 100,         /* worms that a quarter must have delivered to be judged */
    SHORTER = FATFLY_SERIES / FATFLY_BATCHES,
    DRAIN_CYCLES = 128,   /* after the measurement: how often to see whether all have arrived */
    DRAIN_FACTOR = 4,     /* and for how many times its length, or the time of the longest worm alone */
    OVERRUN_CYCLES = 4096 /* after an overrun accepted load is measured for so long */
};

static const double warm_change = 0.03;  /* of the mean latency, from quarter to quarter */
static const double growth_share = 0.01; /* of the worms generated, that the backlog may grow by */

unsigned fatfly_bucket(uint64_t latency)
{
    unsigned octave = 0; /* above 64 .. 127 */
    if (latency < 128)
        return (unsigned)latency;
    while (latency >> octave >= 128)
        octave++;
    unsigned bucket = 64 * (octave + 1) + (unsigned)(latency >> octave) - 64;
    return bucket < FATFLY_BUCKETS ? bucket : FATFLY_BUCKETS - 1;
}

uint64_t fatfly_bucket_low(unsigned bucket)
{
    if (bucket < 128)
        return bucket;
    return (uint64_t)(64 + bucket % 64) << (bucket / 64 - 1);
}

static uint64_t quantile(const uint64_t *histogram, uint64_t measured, double p)
{
    uint64_t seen = 0;
    uint64_t low = 0;
    for (unsigned k = 0; k < FATFLY_BUCKETS; k++) {
        if (!histogram[k])
            continue;
        seen += histogram[k];
        low = fatfly_bucket_low(k);
        if (!((double)seen < p * (double)measured))
            break;
    }
    return low;
}

uint64_t fatfly_quantile(const struct fatfly_result *r, double p)
{
    return quantile(r->histogram, r->measured, p);
}

uint64_t fatfly_class_quantile(const struct fatfly_result *r, unsigned k, double p)
{
    return k < r->classes ? quantile(r->by_class[k].histogram, r->by_class[k].measured, p) : 0;
}

static void ask_again(struct measure *m)
{
    uint64_t last = m->config->max_cycles;
    m->check = m->poll < m->decide ? m->poll : m->decide;
    if (last && last < m->check)
        m->check = last;
}

/* The measured cycles begin. */
static void measure_from(struct measure *m, uint64_t cycle, uint64_t cycles)
{
    /* Packets off the fat-tree move a step at a time, which counts as a whole: it is measured or not. */
    uint64_t unit = !m->topology->levels && discipline_of(m->config)->steps ? m->step : 1;

    cycle = (cycle + unit - 1) / unit * unit;
    m->from = cycle;
    m->to = cycle + cycles;
    m->backlog = m->generated - m->delivered;
    m->decide = m->to < cycle + POLL_CYCLES ? m->to : cycle + POLL_CYCLES;
}

bool measure_start(struct measure *m, const struct topology *t, unsigned step,
                   const struct fatfly_config *c, const struct fatfly_hooks *h,
                   struct fatfly_result *result, uint32_t *link_worms)
{
    bool cuts = c->load <= 0 && t->levels;

    memset(m, 0, sizeof *m);
    memset(result, 0, sizeof *result);
    m->config = c;
    m->hooks = h;
    m->observer = h ? h->observer : NULL;
    m->result = result;
    m->link_worms = link_worms;
    m->topology = t;
    m->open = c->load > 0;
    result->classes = traffic_classes(c);
    m->poll = h && h->poll ? POLL_CYCLES : UINT64_MAX;
    m->step = step;
    m->hop = c->link_latency - 1 + c->router_latency;
    m->head = c->head_latency;
    m->last = t->levels ? step - 1 : 0; /* the fat-tree's packet engines */
    m->to = UINT64_MAX;
    m->decide = UINT64_MAX;
    result->warmed_up = !m->open || !c->detect_warmup;
    if (cuts) {
        m->leave = calloc(2 * (size_t)cuts_count(t->levels), sizeof *m->leave);
        m->enter = m->leave ? m->leave + cuts_count(t->levels) : NULL;
    } else if (m->open && c->warmup == 0) {
        measure_from(m, 0, c->cycles);
    } else if (m->open) {
        m->from = UINT64_MAX;
        m->span = FIRST_SPAN;
        m->decide = c->detect_warmup && m->span < c->warmup ? m->span : c->warmup;
        m->decide = m->decide < POLL_CYCLES ? m->decide : POLL_CYCLES;
    }
    ask_again(m);
    return m->leave || !cuts;
}

void measure_visit(struct measure *m, struct visitor *v)
{
    VISIT(v, m->leave, m->leave ? 2 * (size_t)cuts_count(m->topology->levels) : 0);
}

void measure_free(struct measure *m)
{
    free(m->leave);
    m->leave = m->enter = NULL;
}

uint64_t measure_memory(const struct topology *t, const struct fatfly_config *c)
{
    return c->load > 0 || !t->levels ? 0 : 2 * sizeof(uint32_t) * (uint64_t)cuts_count(t->levels);
}

/* measure_overrun(), which of more than 2^22 processors is none; of them one. */
static uint64_t most_under_way(const struct fatfly_config *c)
{
    uint64_t most = measure_overrun(c->nodes);
    return most ? most : 1;
}

/* Cycles that a head which meets no other takes for a link. */
static uint64_t link_time(const struct measure *m)
{
    return m->step + m->hop + m->head;
}

/* Worms that may be under way before it is an overrun: twice those that only travel, where that is more.  How far they go is
 * what those that have arrived say. */
static double overrun_from(const struct measure *m)
{
    const struct fatfly_config *c = m->config;
    double most = (double)most_under_way(c), flits = traffic_mean_length(c);
    double time = m->result->dilation * (double)link_time(m) + flits * (double)m->step;
    double travel = 2 * c->load / flits * time;

    return (travel > most ? travel : most) * c->nodes;
}

/* Worms of a processor that wait when an overrun is seen: it is looked for at the end of the first span, and then
 * within POLL_CYCLES of the last time, when fewer waited. */
static double backlog(const struct fatfly_config *c, double rate)
{
    double allowed = (double)most_under_way(c), first = c->detect_warmup ? FIRST_SPAN : POLL_CYCLES;
    double grows = rate < allowed / first ? rate : allowed / first; /* in a cycle, where it was not seen at once */
    double later = allowed + grows * POLL_CYCLES;
    return later > rate * first ? later : rate * first;
}

/* An open loop below the load at which the network saturates, a tenth above what the model says,
 * keeps few worms; above it, up to the overrun, or, measured whole, half of all: more than twice what
 * a network carries is hardly offered to it. */
uint64_t measure_worms(const struct topology *t, const struct fatfly_config *c)
{
    uint64_t nodes = c->nodes;
    struct gg_result r;

    if (c->pattern == FATFLY_MESSAGES)
        return c->message_count;
    if (c->load <= 0) /* replies take the places of their requests, but for a few that are ready before a place is */
        return nodes * ((c->outstanding && c->outstanding < c->rounds ? c->outstanding : c->rounds) + (c->reply[0] > 0));
    if (t->levels && c->pattern == FATFLY_RANDOM && !c->class_patterns && (c->discipline == FATFLY_WORM || c->discipline == FATFLY_SPLIT) &&
        gg_fat_tree(t->levels, 1, c->load / 1.1, &r) == GG_OK)
        return 4 * nodes;
    if (c->whole) {
        double half = (double)nodes * ((double)c->warmup + (double)c->cycles) * c->load /
                      traffic_mean_length(c) / 2;
        return half < 0x1p40 ? 4 * nodes + (uint64_t)half : UINT64_C(1) << 40;
    }
    double rate = traffic_rate(c);
    double generated = ((double)c->warmup + 5 * (double)c->cycles) * rate;
    double most = backlog(c, rate) + (double)measure_overrun_more(c->nodes);
    return nodes * (4 + (uint64_t)(generated < most ? generated : most));
}

/* Are the latencies of the last quarter of the span those of the quarter before?  They may differ
 * by a share of the mean and by twice the standard error of such a difference.  That comes from the
 * differences of neighbouring eighths, taken about their own mean, so that a steady rise does not
 * excuse itself: if an eighth's mean has variance v, each of the four differences has 2 v, and the
 * difference of two quarters has v. */
static bool steady(const struct measure *m)
{
    uint64_t count[4] = {0};
    double mean[8], rise[4], common = 0, spread = 0;

    for (unsigned k = 0; k < 8; k++) {
        count[k / 2] += m->eighth_count[k];
        mean[k] = (double)m->eighth_sum[k] / (double)(m->eighth_count[k] ? m->eighth_count[k] : 1);
    }
    if (count[2] < FEWEST || count[3] < FEWEST)
        return false;
    for (unsigned k = 0; k < 4; k++) {
        rise[k] = mean[2 * (size_t)k + 1] - mean[2 * (size_t)k];
        common += rise[k] / 4;
    }
    for (unsigned k = 0; k < 4; k++)
        spread += (rise[k] - common) * (rise[k] - common) / 6;
    double before = (double)(m->eighth_sum[4] + m->eighth_sum[5]) / (double)count[2];
    double last = (double)(m->eighth_sum[6] + m->eighth_sum[7]) / (double)count[3];
    double change = last > before ? last - before : before - last;
    double excess = change - warm_change * before;
    return excess <= 0 || excess * excess <= 4 * spread;
}

/* Has the backlog grown over the measured cycles by more than chance lets it? */
static bool grown(const struct measure *m)
{
    double generated = (double)m->generated_in;
    double growth = (double)(m->generated - m->delivered) - (double)m->backlog;
    double excess = growth - growth_share * generated;
    return excess > 0 && excess * excess > 16 * generated;
}

/* More worms wait than any stable network keeps: saturated.  The measured cycles are cut short. */
static void overrun(struct measure *m, uint64_t cycle)
{
    const struct fatfly_config *c = m->config;
    uint64_t cycles = c->cycles / 4;

    if (c->whole || m->overrun ||
        (double)(m->generated - m->delivered) <= overrun_from(m))
        return;
    m->overrun = true;
    if (cycles < OVERRUN_CYCLES)
        cycles = c->cycles < OVERRUN_CYCLES ? c->cycles : OVERRUN_CYCLES;
    double most = (double)measure_overrun_more(c->nodes) * traffic_mean_length(c) / c->load;
    if ((double)cycles > most) /* sources go on: no more than memory can bear */
        cycles = (uint64_t)most;
    if (m->from == UINT64_MAX) {
        measure_from(m, cycle, cycles);
    } else if (cycle < m->to) {
        uint64_t to = cycle - m->from < cycles ? m->from + cycles : cycle;
        m->to = to < m->to ? to : m->to;
    }
}

static void warm_up(struct measure *m, uint64_t cycle)
{
    const struct fatfly_config *c = m->config;
    uint64_t next;

    if (c->detect_warmup && cycle == m->span) {
        m->result->warmed_up = steady(m);
        m->span *= 2;
        memset(m->eighth_sum, 0, sizeof m->eighth_sum);
        memset(m->eighth_count, 0, sizeof m->eighth_count);
    }
    if (cycle >= c->warmup || (c->detect_warmup && m->result->warmed_up)) {
        measure_from(m, cycle, c->cycles);
        return;
    }
    next = c->detect_warmup && m->span < c->warmup ? m->span : c->warmup;
    m->decide = next < cycle + POLL_CYCLES ? next : cycle + POLL_CYCLES;
}

static bool ends(struct measure *m, enum fatfly_end end)
{
    m->result->end = end;
    return true;
}

/* Cycles that the longest worm takes if it meets no other: over the longest way so far, or, before the first arrival, by
 * every processor. */
static uint64_t longest_alone(const struct measure *m)
{
    const struct fatfly_config *c = m->config;
    uint64_t links = m->delivered ? m->result->dilation : c->nodes;
    uint64_t behind = discipline_of(c)->steps ? 0 : measure_flits(c, traffic_longest(c));
    uint64_t room = c->depth ? (m->step + 2 * m->hop) / c->depth : 0; /* that the next flit waits for */
    return links * link_time(m) + behind * (m->step + room);
}

/* Has what was measured been waited for long enough? */
static bool drained(const struct measure *m, uint64_t cycle)
{
    uint64_t span = m->to - m->from, alone = longest_alone(m);
    return (cycle - m->to) / DRAIN_FACTOR >= (span > alone ? span : alone);
}

/* What is due in cycle m->decide of an open loop.  An engine that has nothing to do until later may
 * ask then: it finds what it would have found. */
static bool open_over(struct measure *m)
{
    uint64_t cycle = m->decide;

    if (m->from == UINT64_MAX)
        warm_up(m, cycle);
    overrun(m, cycle);
    if (cycle >= m->to) {
        if (!m->closed)
            m->result->backlog_to = m->generated - m->delivered;
        m->closed = true;
        if (m->overrun || (cycle == m->to && grown(m)))
            return ends(m, FATFLY_SATURATED);
        /* Packets move in steps: one that is ready within a step is generated after it. */
        if (m->pending == 0 && cycle >= m->to + m->step)
            return ends(m, FATFLY_DONE);
        if (drained(m, cycle))
            return ends(m, FATFLY_SATURATED);
        m->decide = cycle + DRAIN_CYCLES;
    } else if (m->from != UINT64_MAX) {
        m->decide = m->to < cycle + POLL_CYCLES ? m->to : cycle + POLL_CYCLES;
    }
    return false;
}

bool measure_over(struct measure *m, uint64_t cycle)
{
    uint64_t last = m->config->max_cycles;

    if (!m->open && m->all_generated && m->delivered == m->generated)
        return ends(m, FATFLY_DONE);
    while (cycle >= m->decide)
        if (open_over(m))
            return true;
    if (last && cycle >= last)
        return ends(m, FATFLY_CUT);
    if (cycle >= m->poll) {
        if (!m->hooks->poll(m->hooks->context, cycle, m->delivered))
            return ends(m, FATFLY_STOPPED);
        m->poll = cycle + POLL_CYCLES;
    }
    ask_again(m);
    return false;
}

static void tell_ready(const struct fatfly_observer *o, const struct traffic_worm *w)
{
    const struct fatfly_worm is = {.ready = w->ready, .tag = w->index, .src = w->src, .dst = w->dst,
                                   .length = w->length, .parents = w->path, .of_class = w->of_class};
    if (o->ready)
        o->ready(o->context, w->number, &is);
}

void measure_generated(struct measure *m, const struct traffic_worm *w)
{
    m->generated++;
    if (m->observer)
        tell_ready(m->observer, w);
    if (!m->open && m->leave) {
        cuts_add(m->leave, m->enter, m->topology->levels, w->src, w->dst);
    } else if (m->open && !measure_window(m, w->ready)) {
        return;
    }
    m->generated_in++;
    m->pending++;
    m->result->offered_flits += w->length;
    if (m->result->classes > 1)
        m->result->by_class[w->of_class].offered_flits += w->length;
}

/* The eighth of the present span in which the tail arrived, if it is in the later half. */
static void warming(struct measure *m, uint64_t tail, uint64_t latency)
{
    uint64_t half = m->span / 2;
    if (tail < half || tail >= m->span)
        return;
    uint64_t k = (tail - half) * 8 / half;
    m->eighth_sum[k] += latency;
    m->eighth_count[k]++;
}

static void measure_latency(struct measure *m, uint64_t ready, uint64_t latency)
{
    struct fatfly_result *r = m->result;

    r->measured++;
    r->latency_sum += latency;
    if (latency > r->latency_max)
        r->latency_max = latency;
    r->histogram[fatfly_bucket(latency)]++;
    if (m->open) {
        uint64_t batch = (ready - m->from) * FATFLY_SERIES / (m->to - m->from);
        r->series_sum[batch] += latency;
        r->series_count[batch]++;
        if (m->hooks && m->hooks->histograms)
            m->hooks->histograms[batch / SHORTER][fatfly_bucket(latency)]++;
    }
}

static void tell_arrived(const struct fatfly_observer *o, const struct traffic_worm *w,
                         uint64_t injected, uint64_t head, uint64_t tail, unsigned links)
{
    const struct fatfly_delivery is = {.tag = w->index, .ready = w->ready, .injected = injected,
                                       .head = head, .tail = tail, .src = w->src, .dst = w->dst,
                                       .length = w->length, .links = links, .of_class = w->of_class};
    if (o->arrived)
        o->arrived(o->context, w->number, &is);
}

/* The same of the worm's class. */
static void measure_class(struct measure *m, const struct traffic_worm *w, uint64_t tail, uint64_t latency)
{
    struct fatfly_of_class *k = &m->result->by_class[w->of_class];

    k->worms++;
    k->flits += w->length;
    if (measure_window(m, tail))
        k->accepted_flits += w->length;
    if (!measure_window(m, w->ready))
        return;
    k->measured++;
    k->latency_sum += latency;
    if (latency > k->latency_max)
        k->latency_max = latency;
    k->histogram[fatfly_bucket(latency)]++;
}

void measure_delivered(struct measure *m, const struct traffic_worm *w, uint64_t injected,
                       uint64_t head, uint64_t tail, unsigned links)
{
    struct fatfly_result *r = m->result;
    bool steps = discipline_of(m->config)->steps;
    uint64_t beside = links * m->hop + (links - 1) * m->head;
    uint64_t free_run = links * m->step - (steps ? m->step : 1) + beside; /* to the last cycle of a head's last link */
    uint64_t latency = tail + m->last - w->ready + 1; /* the last cycle counts, too (GG eq. 1) */
    uint64_t alone = beside + (steps ? links : links + measure_flits(m->config, w->length) - 1) * m->step;

    m->delivered++;
    if (m->arrived)
        m->arrived(m->context, w, injected, head, tail + m->last, links);
    if (m->observer)
        tell_arrived(m->observer, w, injected, head, tail + m->last, links);
    r->worms++;
    r->flits += w->length;
    if (tail > r->last_arrival)
        r->last_arrival = tail;
    if (links > r->dilation)
        r->dilation = links;
    if (r->classes > 1)
        measure_class(m, w, tail, latency);
    if (m->delivery)
        m->delivery(m->run, w, tail + m->last);
    if (m->from == UINT64_MAX)
        warming(m, tail, latency);
    if (measure_window(m, tail))
        r->accepted_flits += w->length;
    if (!measure_window(m, w->ready))
        return;
    m->pending--;
    measure_latency(m, w->ready, latency);
    r->wait_sum += latency > alone ? latency - alone : 0;
    r->source_wait += injected - w->ready;
    r->blocked += head - injected > free_run ? head - injected - free_run : 0;
}

void measure_sum(struct measure *m, uint64_t cycle)
{
    struct fatfly_result *r = m->result;
    const struct topology *t = m->topology;

    r->cycles = cycle;
    r->backlog_from = m->backlog;
    r->generated_in = m->open ? m->generated_in : 0;
    for (unsigned k = 0; k < FATFLY_SERIES; k++) {
        r->batch_sum[k / SHORTER] += r->series_sum[k];
        r->batch_count[k / SHORTER] += r->series_count[k];
    }
    if (m->from < cycle) {
        r->measure_from = m->from;
        r->measure_cycles = (m->to < cycle ? m->to : cycle) - m->from;
    }
    for (uint32_t k = 0; k < t->links; k++) {
        struct topology_link l = topology_link(t, k);
        if (m->link_worms[k] > r->congestion)
            r->congestion = m->link_worms[k];
        if (l.to != TOPOLOGY_NONE)
            measure_level(m, !(l.group & 1), l.group / 2)->links++;
    }
    if (m->leave) {
        double leave = cuts_factor(m->leave, t->levels);
        double enter = cuts_factor(m->enter, t->levels);
        r->load_factor = leave > enter ? leave : enter;
    }
}

void measure_finish(struct measure *m, uint64_t cycle)
{
    measure_sum(m, cycle);
    measure_free(m);
}

static bool differ(uint64_t a, const char *what, uint64_t b, const char *other, char *why, size_t size)
{
    if (a != b)
        snprintf(why, size, "internal check failed: %llu %s, but %llu %s", (unsigned long long)a, what,
                 (unsigned long long)b, other);
    return a != b;
}

/* Of a butterfly fat-tree: what went in came out. */
static bool check_ends(const struct fatfly_config *c, const struct fatfly_result *r,
                       const struct measure_ends *ends, char *why, size_t size)
{
    return !(differ(ends->into, "worms injected", ends->out, "ejected", why, size) ||
             (c->discipline != FATFLY_SPLIT &&
              differ(ends->out, "worms ejected", r->worms, "delivered", why, size)) ||
             (!discipline_of(c)->rounds && /* flits of worms that are discarded cross links, too */
              (differ(r->up[0].flits, "flits injected", r->down[0].flits, "ejected", why, size) ||
               (c->discipline != FATFLY_SPLIT &&
                differ(r->down[0].flits, "flits ejected", r->flits, "delivered", why, size)))));
}

#define SUM(field)                                                                               \
    for (unsigned k = 0; k < r->classes; k++)                                                     \
        sum += r->by_class[k].field;                                                               \
    if (differ(r->field, #field, sum, #field " of all classes", why, size))                        \
        return false;                                                                              \
    sum = 0;

/* The classes add up to the whole, and who asked was answered once. */
static bool check_classes(const struct fatfly_config *c, const struct fatfly_result *r, char *why, size_t size)
{
    uint64_t sum = 0;

    SUM(worms)
    SUM(flits)
    SUM(measured)
    SUM(latency_sum)
    SUM(offered_flits)
    SUM(accepted_flits)
    for (unsigned k = 0; k < c->classes && c->reply[0] && c->load <= 0 && r->end == FATFLY_DONE; k++)
        if (differ(r->by_class[k].worms, "requests", r->by_class[c->classes + k].worms, "replies", why, size))
            return false;
    return true;
}

#undef SUM

struct measure_ends measure_ends(const struct topology *t, const uint32_t *link_worms)
{
    struct measure_ends ends = {0, 0};

    for (uint32_t a = 0; a < t->processors && t->levels; a++) {
        ends.into += link_worms[SWITCH_PORTS * (a >> 2) + (a & 3)];
        ends.out += link_worms[t->links - t->processors + a];
    }
    return ends;
}

bool measure_check_ends(const struct topology *t, const struct fatfly_config *c, const struct fatfly_result *r,
                        const struct measure_ends *ends, char *why, size_t size)
{
    uint64_t bars = 0, flits = 0;

    for (unsigned k = 0; k < FATFLY_BUCKETS; k++)
        bars += r->histogram[k];
    if (differ(bars, "worms in the histogram", r->measured, "measured", why, size))
        return false;
    if (r->classes > 1 && !check_classes(c, r, why, size))
        return false;
    for (unsigned l = 0; l < FATFLY_MAX_STAGES; l++)
        flits += r->up[l].flits + r->down[l].flits;
    if (c->load <= 0 &&
        differ(r->flit_hops, "flits over links", flits, "over the links of all levels", why, size))
        return false;
    if (c->load > 0 || r->end != FATFLY_DONE)
        return true; /* worms are still under way */
    return !(differ(r->worms, "worms delivered", r->measured, "measured", why, size)) &&
           (!t->levels || check_ends(c, r, ends, why, size));
}
