/* SPDX-License-Identifier: Apache-2.0
 * gg.h - the analytical model of wormhole networks and of the butterfly fat-tree (GG, equations 1
 * to 26, with the corrections printed beside 21 and 23: the two-server waits take 2 lambda).
 *
 * Units: loads in the interface are flits per cycle and processor, GG's lambda_0 times the L flits
 * of a worm (GG's s/f).  Rates are worms per cycle over one link; service times x and waits W are
 * cycles.  Services and waits are in proportion to L at a given load, so no saturation load depends
 * on L.  GG assumes worms longer than the diameter, 2n links; shorter ones give numbers, too.
 */
#ifndef FATFLY_GG_H
#define FATFLY_GG_H

#include <stdbool.h>

enum { GG_MAX_LEVELS = 10 };

enum gg_status {
    GG_OK = 0,
    GG_SATURATED = 1, /* a link would have to carry more than it can: there is no latency */
    GG_BAD = -1       /* no such network, length or load */
};

/* Bisection for the saturation load ends when its ends differ by less than this part. */
#define GG_TOLERANCE 1e-12

enum { GG_SWEEPS = 10000 }; /* of gg_solve(), at most */

/* -- the queues ----------------------------------------------------------------------------- */

/* C_b^2, squared coefficient of variation of the service time (GG 5). */
double gg_variation(double service, double length);

/* Mean wait for one of m servers, INFINITY if they cannot keep up.  rate: worms per cycle for all m
 * together; variation: C_b^2.  Hokstad's approximation for M/G/m (GG's [7]),
 *
 *         lambda^m x^(m+1) (1 + C^2)           m-1  (lambda x)^k       (lambda x)^m
 *   W = ------------------------------ ,   S = sum  ------------ + -----------------------,
 *       2 (m - 1)! (m - lambda x)^2 S          k=0       k!        (m - 1)! (m - lambda x)
 *
 * which is the M/M/m wait times (1 + C^2) / 2; GG 4 for m = 1, GG 7 for m = 2. */
double gg_wait(unsigned servers, double rate, double service, double variation);

/* P, the chance that a worm has to wait for others than those of its own link (GG 10): 1 - m
 * rate_in / rate_out * share, at least 0.  rate_out: for all m servers together; share: of the
 * worms of the incoming link that take this way. */
double gg_blocking(unsigned servers, double rate_in, double rate_out, double share);

/* -- any network (GG 2) --------------------------------------------------------------------- */

/* Where the worms of a channel go next. */
struct gg_next {
    unsigned to;   /* channel */
    unsigned ways; /* how many such channels there are, alike */
    double share;  /* of the worms that take one of them; shares times ways and ends add up to 1 */
};

/* Links that are alike, because of symmetry. */
struct gg_channel {
    unsigned servers; /* m: a worm takes whichever of so many links is free */
    double rate;      /* worms over one link for each worm that a processor sends */
    double injects;   /* share of all worms that begin here; they add up to 1 */
    unsigned nexts;   /* 0: to a processor, which takes a flit per cycle */
    const struct gg_next *next;
    double ends;      /* share of its worms that end here, though others go on */
};

struct gg_network {
    unsigned channels;
    const struct gg_channel *channel;
    double distance; /* mean path, links, injection and ejection included */
};

struct gg_state {
    double service; /* x */
    double wait;    /* W */
};

struct gg_total {
    double service; /* x at the injecting channels, averaged (GG 2) */
    double wait;    /* W there: time in the source queue */
    double latency; /* GG 2 */
};

/* Solves GG 3 to 11 by sweeps over the channels until nothing changes; one sweep does it if every
 * channel stands behind those that it leads to.  Rings of channels are allowed.  state has a place
 * for each channel.  GG_SATURATED, too, if GG_SWEEPS sweeps do not settle it. */
enum gg_status gg_solve(const struct gg_network *g, double length, double load,
                        struct gg_state *state, struct gg_total *total);

/* Highest load that is not saturated (GG 26), 0 if g is no network.  state as above.  With rings of channels the search ends
 * at the first load that is not settled: on a torus of 8 x 8 with one class 5e-6 of it too low. */
double gg_network_saturation(const struct gg_network *g, struct gg_state *state);

/* -- the butterfly fat-tree (GG 3) ---------------------------------------------------------- */

struct gg_link {
    double rate;       /* lambda (GG 14, 15) */
    double service;    /* x (GG 16, 18, 20, 22) */
    double wait;       /* W (GG 17, 19, 21, 23, 24) */
    double from_below; /* P for worms that come up from level l - 1; 1 at the source */
    double from_above; /* P for worms that come down; 0 if none do */
};

/* up[l] is <l, l+1> and down[l] is <l+1, l>, l = 0 .. levels - 1. */
struct gg_result {
    unsigned levels; /* n, N = 4^n */
    double length, load;
    double distance; /* mean path, links */
    double service;  /* x_{0,1} */
    double wait;     /* W_{0,1} */
    double latency;  /* GG 25 */
    struct gg_link up[GG_MAX_LEVELS], down[GG_MAX_LEVELS];
};

/* P_l, share of all worms that go up from level l (GG 12).  GG 22 takes it for the worms that have
 * come up to level l, of which a few more go on, (4^n - 4^l) / (4^n - 4^(l-1)); so do we. */
double gg_goes_up(unsigned levels, unsigned l);

/* Equations 12 to 25 as they stand.  GG_SATURATED: services, waits, latency are 0. */
enum gg_status gg_fat_tree(unsigned levels, double length, double load, struct gg_result *r);

/* GG 26: the highest load that is not saturated; 0 if there is no such network. */
double gg_saturation(unsigned levels);

/* The same network for gg_solve(): channel l is down[l], channel 2 levels - 1 - l is up[l]. */
struct gg_description {
    struct gg_network network;
    struct gg_channel channel[2 * GG_MAX_LEVELS];
    struct gg_next next[2 * GG_MAX_LEVELS][2];
};
bool gg_describe(struct gg_description *d, unsigned levels);

#endif
