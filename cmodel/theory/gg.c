/* SPDX-License-Identifier: Apache-2.0
 * gg.c - the analytical model of Greenberg and Guan, for the fat-tree and for any network.
 */
#include "gg.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* -- the queues ----------------------------------------------------------------------------- */

double gg_variation(double service, double length)
{
    double part = (service - length) / service;
    return part * part;
}

double gg_wait(unsigned servers, double rate, double service, double variation)
{
    double busy = rate * service, lost = 1;

    if (!(busy < servers))
        return INFINITY;
    /* Erlang's B, the chance that all servers are busy if nobody waits; its recursion keeps the
     * powers and factorials of Hokstad's formula small. */
    for (unsigned k = 1; k <= servers; k++)
        lost = busy * lost / (k + busy * lost);
    double waits = servers * lost / (servers - busy * (1 - lost)); /* Erlang's C */
    return waits * service / (servers - busy) * (1 + variation) / 2;
}

double gg_blocking(unsigned servers, double rate_in, double rate_out, double share)
{
    double p = 1 - servers * rate_in / rate_out * share;
    return p > 0 ? p : 0;
}

/* -- any network ---------------------------------------------------------------------------- */

static bool is_share(double x)
{
    return x >= 0 && x <= 1;
}

static bool is_network(const struct gg_network *g)
{
    double injects = 0;

    if (!(g->distance >= 1) || !isfinite(g->distance))
        return false;
    for (unsigned c = 0; c < g->channels; c++) {
        const struct gg_channel *h = &g->channel[c];
        double goes = h->nexts ? h->ends : 1;
        if (h->servers == 0 || !(h->rate > 0) || !isfinite(h->rate) || !is_share(h->injects) || !is_share(h->ends))
            return false;
        for (unsigned k = 0; k < h->nexts; k++) {
            const struct gg_next *next = &h->next[k];
            if (next->to >= g->channels || !is_share(next->share))
                return false;
            goes += next->ways * next->share;
        }
        if (!(fabs(goes - 1) < 1e-9))
            return false;
        injects += h->injects;
    }
    return fabs(injects - 1) < 1e-9;
}

static bool is_traffic(double length, double load)
{
    return length >= 1 && isfinite(length) && load >= 0 && isfinite(load);
}

/* Service time of a channel from what the next ones do (GG 11). */
static double service_of(const struct gg_network *g, const struct gg_channel *c, double length,
                         const struct gg_state *state)
{
    double service = c->nexts ? c->ends * length : length;

    for (unsigned k = 0; k < c->nexts; k++) {
        const struct gg_next *next = &c->next[k];
        const struct gg_channel *to = &g->channel[next->to];
        double p = gg_blocking(to->servers, c->rate, to->servers * to->rate, next->share);
        service += next->ways * next->share * (state[next->to].service + p * state[next->to].wait);
    }
    return service;
}

/* The sweeps; *settled false: they were too few. */
static enum gg_status sweeps(const struct gg_network *g, double length, double load,
                             struct gg_state *state, bool *settled)
{
    double each = load / length;

    *settled = false;
    /* From below: services only grow from sweep to sweep, towards the least solution. */
    for (unsigned c = 0; c < g->channels; c++)
        state[c] = (struct gg_state){.service = length};
    for (unsigned sweep = 0; sweep < GG_SWEEPS && !*settled; sweep++) {
        *settled = true;
        for (unsigned c = 0; c < g->channels; c++) {
            const struct gg_channel *h = &g->channel[c];
            double rate = each * h->rate, service = service_of(g, h, length, state);
            /* At an injecting channel this is GG 26. */
            if (!(rate * service < 1)) {
                *settled = true;
                return GG_SATURATED;
            }
            double wait = gg_wait(h->servers, h->servers * rate, service,
                                  gg_variation(service, length));
            *settled &= fabs(service - state[c].service) <= 1e-13 * service &&
                       fabs(wait - state[c].wait) <= 1e-13 * wait;
            state[c] = (struct gg_state){service, wait};
        }
    }
    return *settled ? GG_OK : GG_SATURATED;
}

enum gg_status gg_solve(const struct gg_network *g, double length, double load,
                        struct gg_state *state, struct gg_total *total)
{
    bool settled;

    memset(total, 0, sizeof *total);
    if (!is_network(g) || !is_traffic(length, load))
        return GG_BAD;
    if (sweeps(g, length, load, state, &settled) != GG_OK)
        return GG_SATURATED;
    for (unsigned c = 0; c < g->channels; c++) {
        total->service += g->channel[c].injects * state[c].service;
        total->wait += g->channel[c].injects * state[c].wait;
    }
    total->latency = total->wait + total->service + g->distance - 1;
    return GG_OK;
}

double gg_network_saturation(const struct gg_network *g, struct gg_state *state)
{
    double low = 0, high = 0, most = 0;
    bool settled = true;

    if (!is_network(g))
        return 0;
    /* No service is shorter than the worm: a link is full at the latest when its flits fill it. */
    for (unsigned c = 0; c < g->channels; c++)
        most = g->channel[c].rate > most ? g->channel[c].rate : most;
    high = 1 / most;
    while (settled && high - low > GG_TOLERANCE * high) {
        double load = low + (high - low) / 2;
        if (sweeps(g, 1, load, state, &settled) == GG_OK)
            low = load;
        else
            high = load;
    }
    return low;
}

/* -- the butterfly fat-tree ----------------------------------------------------------------- */

static double nodes_below(unsigned l)
{
    return (double)(1ull << 2 * l);
}

static bool is_fat_tree(unsigned levels)
{
    return levels >= 1 && levels <= GG_MAX_LEVELS;
}

double gg_goes_up(unsigned levels, unsigned l)
{
    return (nodes_below(levels) - nodes_below(l)) / (nodes_below(levels) - 1);
}

/* Rate of <l, l+1> and <l+1, l> if every processor sends one worm per cycle (GG 14, 15). */
static double link_rate(unsigned levels, unsigned l)
{
    return gg_goes_up(levels, l) * (double)(1ull << l);
}

/* Of the worms, 3 * 4^(h-1) / (N - 1) turn at level h after h links and have as many to go. */
static double mean_distance(unsigned levels)
{
    double sum = 0;
    for (unsigned h = 1; h <= levels; h++)
        sum += 2 * h * 3 * nodes_below(h - 1);
    return sum / (nodes_below(levels) - 1);
}

static void wait_for(struct gg_link *k, unsigned servers, double length)
{
    k->wait = gg_wait(servers, servers * k->rate, k->service, gg_variation(k->service, length));
}

/* From the last link of a path to the first (GG 16 to 24). */
static void solve_links(struct gg_result *r)
{
    unsigned n = r->levels;

    for (unsigned l = 0; l < n; l++) {
        struct gg_link *k = &r->down[l], *on = l ? k - 1 : NULL;
        k->service = r->length;                                         /* GG 16 */
        if (on) {
            on->from_above = 1 - link_rate(n, l) / link_rate(n, l - 1) / 4;
            k->service = on->service + on->from_above * on->wait;       /* GG 18 */
        }
        wait_for(k, 1, r->length);                                      /* GG 17, 19 */
    }
    for (unsigned l = n; l >= 1; l--) { /* <l-1, l> */
        struct gg_link *k = &r->up[l - 1], *turn = &r->down[l - 1];
        double goes_up = gg_goes_up(n, l), goes_down = 1 - goes_up;     /* GG 12, 13 */
        turn->from_below = 1 - goes_down / 3;
        k->service = (turn->service + turn->from_below * turn->wait) * goes_down; /* GG 20 */
        if (l < n) {
            struct gg_link *on = k + 1;
            on->from_below = 1 - link_rate(n, l - 1) / link_rate(n, l) * goes_up;
            k->service += (on->service + on->from_below * on->wait) * goes_up;    /* GG 22 */
        }
        wait_for(k, l > 1 ? 2 : 1, r->length);                          /* GG 21, 23, 24 */
    }
    r->up[0].from_below = 1;
}

static void forget(struct gg_link *k)
{
    *k = (struct gg_link){.rate = k->rate};
}

enum gg_status gg_fat_tree(unsigned levels, double length, double load, struct gg_result *r)
{
    memset(r, 0, sizeof *r);
    if (!is_fat_tree(levels) || !is_traffic(length, load))
        return GG_BAD;
    r->levels = levels;
    r->length = length;
    r->load = load;
    r->distance = mean_distance(levels);
    for (unsigned l = 0; l < levels; l++)
        r->up[l].rate = r->down[l].rate = load / length * link_rate(levels, l);
    solve_links(r);
    /* A wait without end somewhere makes x_{0,1} endless, too. */
    if (!(r->up[0].rate * r->up[0].service < 1)) { /* GG 26 */
        for (unsigned l = 0; l < levels; l++) {
            forget(&r->up[l]);
            forget(&r->down[l]);
        }
        return GG_SATURATED;
    }
    r->service = r->up[0].service;
    r->wait = r->up[0].wait;
    r->latency = r->wait + r->service + r->distance - 1; /* GG 25 */
    return GG_OK;
}

double gg_saturation(unsigned levels)
{
    struct gg_result r;
    double low = 0, high = 1;

    if (!is_fat_tree(levels))
        return 0;
    while (high - low > GG_TOLERANCE * high) {
        double load = low + (high - low) / 2;
        if (gg_fat_tree(levels, 1, load, &r) == GG_OK)
            low = load;
        else
            high = load;
    }
    return low;
}

bool gg_describe(struct gg_description *d, unsigned levels)
{
    memset(d, 0, sizeof *d);
    if (!is_fat_tree(levels))
        return false;
    d->network = (struct gg_network){2 * levels, d->channel, mean_distance(levels)};
    for (unsigned l = 0; l < levels; l++) {
        unsigned down = l, up = 2 * levels - 1 - l;
        double goes_up = gg_goes_up(levels, l + 1);
        struct gg_next *next = d->next[down];
        /* Arriving at level l: one of four children. */
        next[0] = (struct gg_next){.to = down - 1, .ways = 4, .share = 0.25};
        d->channel[down] = (struct gg_channel){
            .servers = 1, .rate = link_rate(levels, l), .nexts = l > 0, .next = next};
        /* Arriving at level l + 1: one of three siblings, or either parent. */
        next = d->next[up];
        next[0] = (struct gg_next){.to = down, .ways = 3, .share = (1 - goes_up) / 3};
        next[1] = (struct gg_next){.to = up - 1, .ways = 1, .share = goes_up};
        d->channel[up] = (struct gg_channel){
            .servers = l ? 2 : 1, .rate = link_rate(levels, l), .injects = l == 0,
            .nexts = l + 1 < levels ? 2 : 1, .next = next};
    }
    return true;
}
