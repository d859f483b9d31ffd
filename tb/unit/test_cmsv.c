/* SPDX-License-Identifier: Apache-2.0
 * test_cmsv.c - the universal algorithms: worked examples, the rules of contention looked up in what
 * crossed each link, another implementation of algorithm 2, and the theorems' bounds.
 */
#include "cmsv.h"

#include "rng.h"

#include <math.h>
#include <string.h>

#include "collections.h"

static char why[300];
static const double e = 2.71828182845904523536;

/* -- what happened ------------------------------------------------------------------------------ */

struct event {
    uint64_t cycle;
    uint32_t link, worm, place, flit;
    bool cut;
};

enum { MOST_EVENTS = 1 << 20, MOST_WORMS = 400 };

struct journal {
    const struct paths *p;
    struct event *event; /* [MOST_EVENTS] */
    size_t events;
    uint64_t injected[MOST_WORMS], head[MOST_WORMS], tail[MOST_WORMS], acknowledged[MOST_WORMS];
    unsigned deliveries[MOST_WORMS], acknowledgements[MOST_WORMS];
    uint64_t digest, stop_at, stopped_at;
};

static struct journal j;

static void note(void *context, uint64_t cycle, uint32_t worm, uint32_t place, uint32_t flit, bool cut)
{
    struct journal *to = context;
    assert_true(to->events < MOST_EVENTS && worm < to->p->count && place < paths_length(to->p, worm));
    to->event[to->events++] = (struct event){cycle, to->p->link[to->p->first[worm] + place], worm,
                                             place, flit, cut};
}

static void crosses(void *context, uint64_t cycle, uint32_t worm, uint32_t place, uint32_t flit)
{
    note(context, cycle, worm, place, flit, false);
}

static void cut(void *context, uint64_t cycle, uint32_t worm, uint32_t place, uint32_t flit)
{
    note(context, cycle, worm, place, flit, true);
}

static void delivered(void *context, uint32_t worm, uint64_t injected, uint64_t head, uint64_t tail,
                      uint64_t digest)
{
    struct journal *to = context;
    to->deliveries[worm]++;
    to->injected[worm] = injected;
    to->head[worm] = head;
    to->tail[worm] = tail;
    to->digest += digest;
}

static void acknowledged(void *context, uint64_t cycle, uint32_t worm)
{
    struct journal *to = context;
    to->acknowledgements[worm]++;
    to->acknowledged[worm] = cycle;
}

static const struct cmsv_watch watch = {&j, crosses, cut, delivered, acknowledged};

static void run(const struct paths *p, const struct cmsv_params *c, struct cmsv_result *r)
{
    struct event *event = j.event ? j.event : malloc(MOST_EVENTS * sizeof *event);
    assert_true(event && p->count <= MOST_WORMS);
    uint64_t stop_at = j.stop_at;
    memset(&j, 0, sizeof j);
    j.p = p;
    j.event = event;
    j.stop_at = stop_at;
    struct cmsv *at;
    uint64_t now = 0;
    assert_int_equal(cmsv_open(&at, p, c, &watch, r), FATFLY_OK);
    while (!cmsv_over(at) && !(j.stop_at && cmsv_now(at) >= j.stop_at)) {
        size_t before = j.events;
        now = cmsv_now(at);
        assert_int_equal(cmsv_step(at), FATFLY_OK);
        for (size_t k = before; k < j.events; k++) /* what moves in a step moves in its cycles */
            assert_true(j.event[k].cycle >= now && j.event[k].cycle < cmsv_now(at));
    }
    j.stopped_at = cmsv_now(at);
    cmsv_close(at);
}

/* Events of that kind at that place, in that cycle. */
static unsigned happened(uint64_t cycle, uint32_t worm, uint32_t place, uint32_t flit, bool is_cut)
{
    unsigned n = 0;
    for (size_t k = 0; k < j.events; k++)
        n += j.event[k].cycle == cycle && j.event[k].worm == worm && j.event[k].place == place &&
             j.event[k].flit == flit && j.event[k].cut == is_cut;
    return n;
}

/* -- worked examples ---------------------------------------------------------------------------- */

/* Links 0: 0 to 2, 1: 1 to 2, 2: 2 to 3, 3: 3 to 4; worm 0 takes 0, 2, 3, worm 1 takes 1, 2. */
static void meet_at_a_link(struct paths *p, uint32_t length)
{
    const size_t first[] = {0, 3, 5};
    assert_int_equal(paths_given(p, 5, 4, (uint32_t[]){0, 1, 2, 3}, (uint32_t[]){2, 2, 3, 4}, 2, first,
                                 (uint32_t[]){0, 2, 3, 1, 2}, length, why, sizeof why), FATFLY_OK);
    CHECK_EQ(p->congestion, 2);
    CHECK_EQ(p->dilation, 3);
}

/* Worm 1, a step later, has the lower rank: worm 0 has sent one flit over link 2 when it comes, and
 * loses with its second.  The first goes on and arrives; the third is discarded at link 2.  A round
 * has 2D + L = 9 steps and 2D = 6 back. */
static void algorithm_2_by_hand(void **state)
{
    (void)state;
    struct paths p;
    struct cmsv_result r;
    meet_at_a_link(&p, 3);
    struct cmsv_params c = {.kind = CMSV_2, .bandwidth = 1, .length = 3, .seed = 1,
                            .rank = (uint32_t[]){1, 0}, .delay = (uint32_t[]){0, 1}};
    run(&p, &c, &r);
    CHECK_EQ(r.rounds, 2);
    CHECK_EQ(r.cycles, 30);
    CHECK_EQ(r.delivered[0], 1);
    CHECK_EQ(r.delivered[1], 1);
    CHECK_EQ(happened(2, 0, 1, 1, true), 1);  /* flit 1 is cut at place 1 in step 2 */
    CHECK_EQ(happened(1, 0, 1, 0, false), 1); /* flit 0 had passed, ... */
    CHECK_EQ(happened(2, 0, 2, 0, false), 1); /* ... and arrives in step 2 */
    CHECK_EQ(happened(2, 0, 0, 2, false), 1); /* flit 2 still crosses link 0, ... */
    CHECK_EQ(happened(3, 0, 1, 2, false) + happened(3, 0, 1, 2, true), 0); /* ... and no more */
    CHECK_EQ(j.injected[1], 1);
    CHECK_EQ(j.head[1], 2);
    CHECK_EQ(j.tail[1], 4);
    /* its head crossed link 2 in step 2 and link 1 in step 1; back in 5 - 2 and 5 - 1 of 6 */
    CHECK_EQ(j.acknowledged[1], 9 + 4);
    CHECK_EQ(j.tail[0], 15 + 4);
    CHECK_EQ(j.acknowledged[0], 15 + 9 + 5);
    CHECK_EQ(r.flit_hops, 6 + 3 + 1 + 1 + 9); /* worm 1; worm 0 on links 0, 2, 3; again */

    /* Equal ranks: the order of the worms; worm 1 loses with its head. */
    c.rank = (uint32_t[]){0, 0};
    run(&p, &c, &r);
    CHECK_EQ(r.rounds, 2);
    CHECK_EQ(happened(2, 1, 1, 0, true), 1);
    CHECK_EQ(j.tail[0], 4);
    CHECK_EQ(j.tail[1], 15 + 4);

    /* Later by more than a worm's length they do not meet. */
    c.rank = (uint32_t[]){1, 0};
    c.delay = (uint32_t[]){0, 3};
    c.delay_range = 4;
    run(&p, &c, &r);
    CHECK_EQ(r.rounds, 1);
    CHECK_EQ(r.cycles, (4 + 3 + 3) + (4 + 3));

    /* Two may share a link. */
    c.bandwidth = 2;
    c.delay = (uint32_t[]){0, 1};
    c.delay_range = 0;
    run(&p, &c, &r);
    CHECK_EQ(r.rounds, 1);
    CHECK_EQ(r.cycles, 15);
    CHECK_EQ(r.flit_hops, 15);
    CHECK_EQ(happened(2, 0, 1, 1, false) + happened(2, 1, 1, 0, false), 2);
    paths_free(&p);
}

/* A worm that is cut twice: in front by one, later, nearer to its source, by another. */
static void a_worm_is_cut_twice(void **state)
{
    (void)state;
    struct paths p;
    struct cmsv_result r;
    const size_t first[] = {0, 3, 4, 5};
    assert_int_equal(paths_given(&p, 4, 3, (uint32_t[]){0, 1, 2}, (uint32_t[]){1, 2, 3}, 3, first,
                                 (uint32_t[]){0, 1, 2, 2, 0}, 4, why, sizeof why), FATFLY_OK);
    const struct cmsv_params c = {.kind = CMSV_2, .bandwidth = 1, .length = 4,
                                  .rank = (uint32_t[]){2, 0, 1}, .delay = (uint32_t[]){0, 0, 2}};
    run(&p, &c, &r);
    /* worm 1 is on link 2 in steps 0 .. 3: worm 0's head comes there in step 2, flit 2 meets worm 2
     * on link 0 in step 2; flit 1 crosses links 0 and 1 behind the head and is discarded */
    CHECK_EQ(happened(2, 0, 2, 0, true), 1);
    CHECK_EQ(happened(2, 0, 0, 2, true), 1);
    CHECK_EQ(happened(2, 0, 1, 1, false), 1);
    CHECK_EQ(happened(3, 0, 2, 1, false) + happened(3, 0, 0, 3, false), 0);
    CHECK_EQ(r.delivered[0], 2);
    CHECK_EQ(r.rounds, 2);
    paths_free(&p);
}

/* All are discarded where more than B meet; 2^r copies come the next time. */
static void algorithm_1_by_hand(void **state)
{
    (void)state;
    struct paths p;
    struct cmsv_result r;
    meet_at_a_link(&p, 1);
    struct cmsv_params c = {.kind = CMSV_1, .bandwidth = 1, .length = 1, .seed = 3,
                            .delay = (uint32_t[]){0, 0}, .delay_range = 5};
    run(&p, &c, &r); /* the same delays for ever: they never get through */
    assert_true(r.given_up);
    CHECK_EQ(r.rounds, cmsv_terms(&p, &c).last + CMSV_MOST_ROUNDS + 1);
    CHECK_EQ(r.cycles, 2 * (2 + 3) + (r.rounds - 1) * 2 * (5 + 3));
    CHECK_EQ(happened(1, 0, 1, 0, true) + happened(1, 1, 1, 0, true), 2);
    CHECK_EQ(happened(10, 0, 0, 0, false), 0); /* two copies in round 1: link 0 takes one */
    CHECK_EQ(happened(10, 0, 0, 0, true), 2);
    for (unsigned round = 1; round < r.rounds; round++) { /* 2^round copies, 2^k at most */
        unsigned last = cmsv_terms(&p, &c).last;
        CHECK_AT(round, happened(10 + (round - 1) * 16, 0, 0, 0, true),
                 1u << (round < last ? round : last));
    }
    static const uint64_t ranges[] = {UINT32_MAX - 4, UINT32_MAX - 3, UINT64_C(1) << 32, UINT64_C(1) << 40};
    for (unsigned k = 0; k < ROWS(ranges); k++) { /* a pass has D = 3 steps more, and less than 2^32 - 1 */
        c.delay_range = ranges[k];
        run(&p, &c, &r);
        CHECK_AT(k, r.given_up, true);
        CHECK_AT(k, r.rounds, k ? 2 : cmsv_terms(&p, &c).last + CMSV_MOST_ROUNDS + 1);
        CHECK_AT(k, r.cycles, 10 + (k ? 0 : (r.rounds - 1) * 2 * (c.delay_range + 3)));
    }
    c.bandwidth = 2;
    run(&p, &c, &r);
    CHECK_EQ(r.rounds, 1);
    CHECK_EQ(r.cycles, 10);
    CHECK_EQ(j.tail[0], 2);
    CHECK_EQ(j.tail[1], 1);
    CHECK_EQ(j.acknowledged[0], 5 + 4);
    c.delay = NULL; /* at random they get through with B = 1, too */
    c.bandwidth = 1;
    run(&p, &c, &r);
    assert_false(r.given_up);
    paths_free(&p);
}

/* A stage of A = 2 packets of 4 flits lasts 8 cycles; 2D + 1 = 7 stages there, 6 back. */
static void stages_by_hand(void **state)
{
    (void)state;
    struct paths p;
    struct cmsv_result r;
    meet_at_a_link(&p, 4);
    struct cmsv_params c = {.kind = CMSV_STORE, .bandwidth = 2, .length = 4,
                            .rank = (uint32_t[]){1, 0}, .delay = (uint32_t[]){0, 0}};
    run(&p, &c, &r);
    CHECK_EQ(r.rounds, 1);
    CHECK_EQ(r.cycles, (7 + 6) * 8);
    CHECK_EQ(happened(8, 1, 1, 0, false), 1);  /* stage 1: the lower rank first ... */
    CHECK_EQ(happened(12, 0, 1, 0, false), 1); /* ... and the other behind it */
    CHECK_EQ(j.tail[1], 11);
    CHECK_EQ(j.tail[0], 19);
    CHECK_EQ(j.acknowledged[1], 56 + 6 * 8 - 1);
    CHECK_EQ(r.flit_hops, 5 * 4);
    c.bandwidth = 1;
    run(&p, &c, &r);
    CHECK_EQ(r.rounds, 2);
    CHECK_EQ(r.cycles, 2 * (7 + 6) * 4);
    CHECK_EQ(happened(4, 0, 1, 0, true), 1);

    /* Theorem 1.8: C + D stages both ways, of A packets in round 0 and of one later. */
    c = (struct cmsv_params){.kind = CMSV_PROTOCOL, .bandwidth = 2, .length = 4,
                             .delay = (uint32_t[]){0, 0}};
    run(&p, &c, &r);
    CHECK_EQ(r.rounds, 1);
    CHECK_EQ(r.cycles, 2 * (2 + 3) * 8);
    c.bandwidth = 1;
    c.delay = NULL;
    c.delay_range = 10;
    run(&p, &c, &r);
    CHECK_EQ(r.cycles, 2 * (2 + 3) * 4 + (r.rounds - 1) * 2 * (10 + 3) * 4);
    paths_free(&p);
}

/* -- rules, looked up in the journal ------------------------------------------------------------ */

static int by_link(const void *x, const void *y)
{
    const struct event *a = x, *b = y;
    if (a->link != b->link)
        return a->link < b->link ? -1 : 1;
    return a->cycle < b->cycle ? -1 : a->cycle > b->cycle;
}

/* Cycles of a link's stage, whatever packet of it; 1: every cycle is a step. */
static bool together(const struct event *a, const struct event *b, uint64_t stage)
{
    return a->link == b->link && a->cycle / stage == b->cycle / stage;
}

/* Places and steps where the rule is broken: more than B cross; somebody is cut although no more
 * than B are there; with `all`, somebody crosses where somebody is cut; else fewer than B cross, or
 * one with a higher rank than one that is cut. */
static unsigned rule_broken(uint32_t bandwidth, bool all, const uint32_t *rank, uint64_t stage)
{
    unsigned bad = 0;
    qsort(j.event, j.events, sizeof *j.event, by_link);
    for (size_t k = 0, end; k < j.events; k = end) {
        uint32_t crossed = 0, lost = 0, highest = 0, lowest = UINT32_MAX;
        for (end = k; end < j.events && together(&j.event[end], &j.event[k], stage); end++) {
            const struct event *x = &j.event[end];
            uint32_t own = rank ? rank[x->worm] * MOST_WORMS + x->worm : 0;
            lost += x->cut;
            crossed += !x->cut;
            if (x->cut)
                lowest = own < lowest ? own : lowest;
            else
                highest = own > highest ? own : highest;
        }
        bool good = crossed <= bandwidth;
        if (lost)
            good = lost + crossed > bandwidth && (all ? crossed == 0 : crossed == bandwidth) &&
                   (all || !rank || highest < lowest);
        bad += !good;
    }
    return bad;
}

/* Every worm once, told once, after it was there. */
static void check_ends(const struct paths *p, const struct cmsv_result *r)
{
    uint32_t sum = 0;
    for (uint32_t k = 0; k < p->count; k++) {
        CHECK_AT(k, j.deliveries[k], 1);
        CHECK_AT(k, j.acknowledgements[k], 1);
        assert_true(j.injected[k] <= j.head[k] && j.head[k] <= j.tail[k]);
        assert_true(j.tail[k] < j.acknowledged[k] && j.acknowledged[k] < r->cycles);
    }
    for (unsigned k = 0; k < CMSV_LOOK; k++)
        sum += r->delivered[k];
    CHECK_EQ(sum, p->count);
}

static uint32_t ranks[MOST_WORMS], delays[MOST_WORMS];

static void random_paths(struct paths *p, unsigned round, uint32_t length)
{
    if (round % 2)
        random_collection(p, unit_seed * 1000 + round, 3 + draw(40), 1 + draw(3), 1 + draw(120),
                          1 + draw(14), length);
    else
        leveled_collection(p, unit_seed * 1000 + round, 1 + draw(16), 1 + draw(8), 1 + draw(2),
                           1 + draw(120), length);
    for (uint32_t k = 0; k < p->count; k++) {
        ranks[k] = draw(10); /* many ties */
        delays[k] = draw(p->dilation);
    }
}

/* -- another implementation of algorithm 2 ------------------------------------------------------ */

enum { MOST_LENGTH = 24, MOST_HOPS = 16 };

struct other {
    bool gone[MOST_WORMS][MOST_LENGTH]; /* flits */
    bool lost[MOST_WORMS][MOST_HOPS];   /* the worm lost at this link of its path */
    bool done[MOST_WORMS];
    uint32_t rounds;
    uint64_t crossed; /* sum of hashes */
};

static uint64_t hash_of(uint64_t cycle, uint32_t worm, uint32_t place, uint32_t flit)
{
    return rng_hash(cycle << 32 ^ (uint64_t)worm << 16 ^ place << 8 ^ flit);
}

/* How many worms with a flit for `link` in this step are before this one. */
static unsigned before(const struct other *o, const struct paths *p, uint32_t length, uint32_t link,
                       uint32_t step, uint32_t worm)
{
    unsigned n = 0;
    for (uint32_t k = 0; k < p->count; k++)
        for (uint32_t place = 0; place < paths_length(p, k) && !o->done[k]; place++) {
            uint32_t flit = step - delays[k] - place;
            if (p->link[p->first[k] + place] == link && flit < length && !o->gone[k][flit])
                n += ranks[k] < ranks[worm] || (ranks[k] == ranks[worm] && k < worm);
        }
    return n;
}

static void other_step(struct other *o, const struct paths *p, uint32_t length, unsigned bandwidth,
                       uint32_t step, uint64_t start)
{
    static bool loses[MOST_WORMS][MOST_HOPS];
    for (uint32_t k = 0; k < p->count; k++) /* what its worm lost before */
        for (uint32_t place = 0; place < paths_length(p, k); place++)
            if (step - delays[k] - place < length && o->lost[k][place])
                o->gone[k][step - delays[k] - place] = true;
    for (uint32_t k = 0; k < p->count; k++)
        for (uint32_t place = 0; place < paths_length(p, k); place++) {
            uint32_t flit = step - delays[k] - place, link = p->link[p->first[k] + place];
            bool there = !o->done[k] && flit < length && !o->gone[k][flit];
            loses[k][place] = there && before(o, p, length, link, step, k) >= bandwidth;
            if (there && !loses[k][place])
                o->crossed += hash_of(start + step, k, place, flit);
        }
    for (uint32_t k = 0; k < p->count; k++)
        for (uint32_t place = 0; place < paths_length(p, k); place++)
            if (loses[k][place])
                o->lost[k][place] = o->gone[k][step - delays[k] - place] = true;
}

static void other_run(struct other *o, const struct paths *p, uint32_t length, unsigned bandwidth)
{
    uint32_t left = p->count, d = p->dilation;
    memset(o, 0, sizeof *o);
    for (; left; o->rounds++) {
        memset(o->gone, 0, sizeof o->gone);
        memset(o->lost, 0, sizeof o->lost);
        for (uint32_t step = 0; step < 2 * d + length; step++)
            other_step(o, p, length, bandwidth, step, o->rounds * (uint64_t)(4 * d + length));
        for (uint32_t k = 0; k < p->count; k++)
            if (!o->done[k] && !o->gone[k][length - 1]) {
                o->done[k] = true;
                left--;
            }
    }
}

static void algorithm_2_is_the_other(void **state)
{
    (void)state;
    static struct other o;
    unsigned partly = 0, busy = 0, wrong_rule = 0;
    for (unsigned round = 0; round < 150; round++) {
        struct paths p;
        struct cmsv_result r;
        uint32_t length = 1 + draw(MOST_LENGTH);
        const unsigned bandwidth = 1 + draw(3);
        uint64_t crossed = 0;
        random_paths(&p, round, length);
        const struct cmsv_params c = {.kind = CMSV_2, .bandwidth = bandwidth, .length = length,
                                      .rank = ranks, .delay = delays};
        run(&p, &c, &r);
        check_ends(&p, &r);
        other_run(&o, &p, length, bandwidth);
        CHECK_AT(round, r.rounds, o.rounds);
        CHECK_AT(round, r.cycles, (uint64_t)o.rounds * (4 * p.dilation + length));
        for (size_t k = 0; k < j.events; k++) {
            const struct event *x = &j.event[k];
            if (!x->cut)
                crossed += hash_of(x->cycle, x->worm, x->place, x->flit);
            partly += x->cut && x->flit > 0;
        }
        CHECK_AT(round, crossed, o.crossed);
        CHECK_AT(round, rule_broken(bandwidth, false, ranks, 1), 0);
        /* ... and the check sees what it must see */
        busy += r.rounds > 1;
        wrong_rule += r.rounds > 1 && rule_broken(bandwidth + 1, false, ranks, 1) > 0 &&
                      rule_broken(bandwidth, true, ranks, 1) > 0;
        paths_free(&p);
    }
    assert_true(partly > 100 && busy > 50);
    CHECK_EQ(wrong_rule, busy);
}

/* -- the others against the rules --------------------------------------------------------------- */

static void all_are_discarded(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 100; round++) {
        struct paths p;
        struct cmsv_result r;
        static uint32_t start[MOST_WORMS];
        bool leveled = round % 2 == 0;
        struct cmsv_params c = {.kind = CMSV_1, .bandwidth = 2 + draw(6), .seed = round,
                                .length = leveled ? 1 + draw(9) : 1, .start = start};
        random_paths(&p, round, c.length);
        if (leveled)
            assert_int_equal(paths_leveled(&p, start), FATFLY_OK);
        else
            c.start = NULL;
        uint64_t l = c.length, range = cmsv_terms(&p, &c).range;
        run(&p, &c, &r);
        assert_false(r.given_up);
        check_ends(&p, &r);
        CHECK_AT(round, rule_broken(c.bandwidth, true, NULL, 1), 0);
        CHECK_AT(round, r.cycles, 2 * (p.congestion * l + p.dilation) +
                                      2 * (r.rounds - 1) * (range * l + p.dilation));
        for (size_t k = 0; k < j.events; k++) /* worms meet with their heads alone */
            assert_true(!j.event[k].cut || j.event[k].flit == 0);
        paths_free(&p);
    }
}

static void in_stages(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 100; round++) {
        struct paths p;
        struct cmsv_result r;
        const unsigned a = 1 + draw(4);
        const uint32_t length = 1 + draw(4);
        random_paths(&p, round, length);
        const struct cmsv_params c = {.kind = CMSV_STORE, .bandwidth = a, .length = length,
                                      .rank = ranks, .delay = delays};
        run(&p, &c, &r);
        check_ends(&p, &r);
        CHECK_AT(round, r.cycles, (uint64_t)r.rounds * (4 * p.dilation + 1) * a * length);
        CHECK_AT(round, rule_broken(a, false, ranks, (uint64_t)a * length), 0);
        CHECK_AT(round, rule_broken(a + 1, false, ranks, (uint64_t)a * length) > 0, r.rounds > 1);
        for (size_t k = 1; k < j.events; k++) /* sorted; one packet of a stage after the other */
            assert_true(j.event[k].cut || j.event[k - 1].cut || j.event[k].link != j.event[k - 1].link ||
                        j.event[k].cycle >= j.event[k - 1].cycle + length);
        paths_free(&p);
    }
}

/* Algorithm 2 draws ranks and delays once: a worm begins in the same step of every round, and its
 * delay is below D. */
static void check_delays(const struct paths *p, uint32_t length)
{
    static uint64_t begins[MOST_WORMS];
    memset(begins, 0xff, sizeof begins);
    for (size_t k = 0; k < j.events; k++) {
        const struct event *x = &j.event[k];
        uint64_t step = x->cycle % (4 * p->dilation + length);
        if (x->place || x->flit)
            continue;
        assert_true(step < p->dilation && (begins[x->worm] == step || begins[x->worm] == UINT64_MAX));
        begins[x->worm] = step;
    }
}

/* Lemma 3.4 with alpha = 1 fails with probability 1 / n. */
static void bounds_hold(void **state)
{
    (void)state;
    unsigned worse = 0;
    for (unsigned round = 0; round < 120; round++) {
        struct paths p;
        struct cmsv_result r;
        const struct cmsv_params c = {.kind = CMSV_2, .bandwidth = 1u << draw(3), .seed = round,
                                      .length = 1 + draw(16)};
        random_paths(&p, round, c.length);
        run(&p, &c, &r);
        check_delays(&p, c.length);
        double b = c.bandwidth, d = p.dilation, l = 2.0 * c.length < d ? 2.0 * c.length : d;
        double bound = fmax(4 * e * l * p.congestion * pow(d, 1 / b) / d, 2 * log2(p.count)) / b;
        uint64_t terms = cmsv_terms(&p, &c).range; /* R = T B */
        assert_true(fabs((double)terms - ceil(fmax(bound * b, 1))) <= 1e-6);
        worse += r.rounds > ceil(fmax(bound, 1));
        paths_free(&p);
    }
    CHECK_EQ(worse, 0);
}

/* With the bandwidth of theorem 1 its k + 1 rounds do; the numbers are those of 2.2. */
static void theorem_1_holds(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 60; round++) {
        struct paths p;
        struct cmsv_result r;
        random_paths(&p, round, 1);
        struct cmsv_params c = {.kind = CMSV_1, .bandwidth = 0, .length = 1, .seed = round};
        struct cmsv_terms t = cmsv_terms(&p, &c);
        double cd = fmax(p.congestion * (double)p.dilation, 16), n = p.count, ll = log(log(cd));
        CHECK_AT(round, t.bandwidth, ceil(10 * log(cd) / ll));
        CHECK_AT(round, t.range, fmax(ceil(30 * log(n) / ll), 1));
        CHECK_AT(round, t.last, fmax(ceil(log2(fmax(15 * log(n) / ll, 1))), 1) + 1);
        run(&p, &c, &r);
        assert_true(r.rounds <= t.last + 1);
        check_ends(&p, &r);
        c.kind = CMSV_PROTOCOL;
        t = cmsv_terms(&p, &c);
        CHECK_AT(round, t.range, fmax(ceil(720 * e * e * log2(n)), 1));
        paths_free(&p);
    }
}

static void the_seed_decides(void **state)
{
    (void)state;
    static const enum cmsv_kind kinds[] = {CMSV_1, CMSV_2, CMSV_STORE, CMSV_PROTOCOL};
    for (unsigned k = 0; k < ROWS(kinds); k++) {
        struct paths p;
        struct cmsv_result r;
        leveled_collection(&p, 7, 16, 6, 2, 200, 1);
        struct cmsv_params c = {.kind = kinds[k], .bandwidth = 3, .length = 1, .seed = 5};
        run(&p, &c, &r);
        uint64_t digest = j.digest, cycles = r.cycles;
        run(&p, &c, &r);
        CHECK_AT(k, j.digest, digest);
        CHECK_AT(k, r.cycles, cycles);
        c.seed = 6;
        run(&p, &c, &r);
        assert_true(j.digest != digest);
        j.stop_at = 7; /* and it can be left */
        run(&p, &c, &r);
        assert_true(j.stopped_at >= 7 && j.stopped_at < cycles && r.cycles < cycles);
        j.stop_at = 0;
        paths_free(&p);
    }
}

/* -- the butterfly of 4.4.1 --------------------------------------------------------------------- */

/* Worms whose ranks differ by m meet at no level before log N - delta(m), where delta counts zeros at
 * the end of m; and with the bits the other way round they do. */
static void ranks_of_the_butterfly(void **state)
{
    (void)state;
    for (unsigned bits = 1; bits <= 4; bits++) {
        unsigned rows = 1u << bits, early = 0, tight = 0;
        uint8_t order[4], other[4];
        for (unsigned k = 0; k < bits; k++) {
            order[k] = (uint8_t)(bits - 1 - k); /* L: the most significant bit is corrected first */
            other[k] = (uint8_t)k;
        }
        for (uint32_t a = 0; a < rows; a++)
            for (uint32_t b = 0; b < rows; b++)
                for (uint32_t pair = 0; pair < rows * rows && a != b; pair++) {
                    uint32_t x = a, y = b, to_x = pair % rows, to_y = pair / rows;
                    unsigned level = 0; /* of the first link that both take */
                    for (; level < bits; level++) {
                        uint32_t bit = 1u << order[level];
                        bool meet = x == y;
                        x = (x & ~bit) | (to_x & bit);
                        y = (y & ~bit) | (to_y & bit);
                        if (meet && x == y)
                            break;
                    }
                    uint32_t m = cmsv_butterfly_rank(a, order, bits) ^
                                 cmsv_butterfly_rank(b, order, bits);
                    uint32_t wrong = cmsv_butterfly_rank(a, other, bits) ^
                                     cmsv_butterfly_rank(b, other, bits);
                    assert_true(level >= bits - (unsigned)__builtin_ctz(m) || level == bits);
                    tight += level == bits - (unsigned)__builtin_ctz(m) && level < bits;
                    early += level < bits - (unsigned)__builtin_ctz(wrong);
                }
        assert_true(bits == 1 || tight > 0);
        assert_true(bits < 3 || early > 0);
    }
    CHECK_EQ(cmsv_butterfly_rank(6, (uint8_t[]){0, 1, 2}, 3), 3);
    CHECK_EQ(cmsv_butterfly_rank(6, (uint8_t[]){2, 1, 0}, 3), 6);
}

static void passes_of_the_butterfly(void **state)
{
    (void)state;
    for (unsigned bits = 1; bits <= 10; bits++)
        for (uint32_t length = 1; length <= 12; length++)
            for (uint32_t q = 1; q <= 12; q++) {
                uint32_t passes = bits / (length < bits ? length : bits), delay, number, most = 0;
                uint32_t used[12][12] = {{0}};
                for (uint32_t i = 0; i < q; i++) {
                    cmsv_butterfly_pass(i, q, length, bits, &delay, &number);
                    assert_true(delay % length == 0 && delay / length < passes);
                    assert_true(number < (q + passes - 1) / passes);
                    used[delay / length][number]++;
                    most = delay > most ? delay : most;
                }
                for (unsigned k = 0; k < 144; k++)
                    assert_true(used[k / 12][k % 12] <= 1);
                assert_true(most + bits + length - 1 <= 2 * bits + length - 1); /* a round's time */
            }
}

static int close_journal(void **state)
{
    (void)state;
    free(j.event);
    return 0;
}

int main(int argc, char **argv)
{
    unit_args(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(algorithm_2_by_hand),
        cmocka_unit_test(a_worm_is_cut_twice),
        cmocka_unit_test(algorithm_1_by_hand),
        cmocka_unit_test(stages_by_hand),
        cmocka_unit_test(algorithm_2_is_the_other),
        cmocka_unit_test(all_are_discarded),
        cmocka_unit_test(in_stages),
        cmocka_unit_test(bounds_hold),
        cmocka_unit_test(theorem_1_holds),
        cmocka_unit_test(the_seed_decides),
        cmocka_unit_test(ranks_of_the_butterfly),
        cmocka_unit_test(passes_of_the_butterfly),
    };
    return cmocka_run_group_tests(tests, NULL, close_journal);
}
