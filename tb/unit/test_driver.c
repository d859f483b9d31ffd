/* SPDX-License-Identifier: Apache-2.0
 * test_driver.c - sources and scoreboard, fed by hand: every way to lose, double or bend a flit.
 */
#include "digest.h"
#include "driver.h"

#include "unit.h" /* last: cmocka has a macro fail() */

#include <string.h>

enum { MAX_WORMS = 64, MAX_ENDPOINTS = 1024 };

struct bench {
    struct worm worm[MAX_WORMS];
    struct stimulus s;
    struct driver *d;
    uint64_t cycle;
    uint16_t room[MAX_ENDPOINTS];
    struct link in[MAX_ENDPOINTS];
    struct link out[MAX_ENDPOINTS];
    char why[240];
};

static void begin(struct bench *b, unsigned levels, unsigned vcs, unsigned flit_w,
                  enum path_select path)
{
    memset(b, 0, sizeof *b);
    b->s = (struct stimulus){
        .shape = {.network = true,
                  .params = {.vcs = vcs, .depth = 2, .flit_w = flit_w, .path = path,
                             .scan = SCAN_RR, .level = 1, .levels = levels}},
        .worm = b->worm, .seed = 1, .switch_seed = 1, .phase = 4096,
    };
    for (unsigned e = 0; e < MAX_ENDPOINTS; e++)
        b->room[e] = (uint16_t)((1u << vcs) - 1);
}

/* Worms are added by entry, then by ready. */
static void add_worm(struct bench *b, uint32_t src, uint32_t dst, uint32_t length, uint64_t ready)
{
    const struct switch_params *p = &b->s.shape.params;
    struct worm *w = &b->worm[b->s.count++];
    *w = (struct worm){.ready = ready, .number = (uint32_t)b->s.count, .length = length,
                       .entry = src, .exit_first = dst, .exit_last = dst, .src = src, .dst = dst};
    w->head = head_pack(p->levels, dst, src, worm_height(src, dst), 0);
    if (p->flit_w > head_bits(p->levels, p->path))
        w->head |= (uint64_t)w->number << head_bits(p->levels, p->path);
    b->s.flits += length;
}

static void start(struct bench *b)
{
    b->d = driver_new(&b->s);
    assert_non_null(b->d);
}

/* All flits cross into a device that takes everything and sends nothing. */
static void inject(struct bench *b, unsigned cycles)
{
    for (unsigned t = 0; t < cycles; t++)
        driver_drive(b->d, b->cycle++, b->room, b->in);
}

static struct flit flit_of(const struct bench *b, unsigned number, uint32_t k)
{
    const struct worm *w = &b->worm[number - 1];
    return (struct flit){.payload = worm_payload(w, k, b->s.shape.params.flit_w),
                         .kind = (uint8_t)worm_kind(w, k)};
}

/* One flit leaves in this cycle.  What the scoreboard says. */
static const char *leave(struct bench *b, unsigned exit, uint8_t valid, const struct flit *f)
{
    memset(b->out, 0, sizeof b->out);
    b->out[exit] = (struct link){.flit = *f, .valid = valid};
    return driver_consume(b->d, b->cycle++, b->out, b->why, sizeof b->why);
}

/* Worms of N = 16, V = 2. */
static void three_worms(struct bench *b)
{
    begin(b, 2, 2, 32, PATH_RP);
    add_worm(b, 0, 5, 3, 0);
    add_worm(b, 1, 5, 3, 0);
    add_worm(b, 2, 6, 1, 0);
    add_worm(b, 3, 7, 1, 1000); /* not in flight when the others are */
    start(b);
    inject(b, 3);
    CHECK_EQ(driver_totals(b->d)->flits_injected, 7);
    CHECK_EQ(driver_totals(b->d)->worms_injected, 3);
}

struct step {
    uint8_t worm, flit, exit, valid;
    uint64_t flip; /* payload bits */
    uint8_t kind;  /* kind bits */
};

/* The last step is refused with these words. */
static const struct refused {
    const char *words;
    struct step step[8]; /* up to worm 0 */
} refused[] = {
    /* doubled */
    {"exit 5 channel 0: worm 1: flit 2 of 3 is kind 0", {{1, 0, 5, 1, 0, 0}, {1, 1, 5, 1, 0, 0},
                                                         {1, 1, 5, 1, 0, 0}}},
    {"exit 5 channel 0: a head inside worm 1, of which 1 of 3 flits have arrived",
     {{1, 0, 5, 1, 0, 0}, {1, 0, 5, 1, 0, 0}}},
    {"exit 5 channel 0: a flit without a head",
     {{1, 0, 5, 1, 0, 0}, {1, 1, 5, 1, 0, 0}, {1, 2, 5, 1, 0, 0}, {1, 2, 5, 1, 0, 0}}},
    {"exit 6 channel 0: head 0x", {{3, 0, 6, 1, 0, 0}, {3, 0, 6, 1, 0, 0}}},
    {"belongs to no worm in flight that may leave here", {{1, 0, 5, 1, 0, 0}, {1, 0, 5, 2, 0, 0}}},
    /* out of order */
    {"worm 1: flit 1 of 3 is kind 1", {{1, 0, 5, 1, 0, 0}, {1, 2, 5, 1, 0, 0}}},
    {"exit 5 channel 0: a flit without a head", {{1, 1, 5, 1, 0, 0}}},
    {"exit 5 channel 1: a flit without a head", {{1, 2, 5, 2, 0, 0}}},
    {"a head inside worm 1, of which 2 of 3",
     {{1, 0, 5, 1, 0, 0}, {1, 1, 5, 1, 0, 0}, {2, 0, 5, 1, 0, 0}}},
    /* astray: exit, channel, a worm that has not started, the other worm's body */
    {"exit 6 channel 0: head 0x", {{1, 0, 6, 1, 0, 0}}},
    {"exit 4 channel 1: head 0x", {{1, 0, 4, 2, 0, 0}}},
    {"exit 5 channel 1: a flit without a head", {{1, 0, 5, 1, 0, 0}, {1, 1, 5, 2, 0, 0}}},
    {"exit 4 channel 0: a flit without a head", {{1, 0, 5, 1, 0, 0}, {1, 1, 4, 1, 0, 0}}},
    {"exit 7 channel 0: head 0x", {{4, 0, 7, 1, 0, 0}}},
    {"exit 5 channel 0: worm 1: flit 1 of 3",
     {{1, 0, 5, 1, 0, 0}, {2, 0, 5, 2, 0, 0}, {2, 1, 5, 1, 0, 0}}},
    /* changed */
    {"worm 1: flit 1 of 3", {{1, 0, 5, 1, 0, 0}, {1, 1, 5, 1, 1, 0}}},
    {"worm 2: flit 2 of 3",
     {{2, 0, 5, 1, 0, 0}, {2, 1, 5, 1, 0, 0}, {2, 2, 5, 1, UINT64_C(1) << 31, 0}}},
    {"worm 1: flit 1 of 3", {{1, 0, 5, 1, 0, 0}, {1, 1, 5, 1, UINT64_C(1) << 32, 0}}},
    {"exit 5 channel 0: head 0x", {{1, 0, 5, 1, 16, 0}}},
    {"exit 5 channel 0: head 0x", {{1, 0, 5, 1, UINT64_C(1) << 31, 0}}},
    /* head and tail bits: a head that ends its worm, a tail too early and one too late */
    {"exit 5 channel 0: head 0x", {{1, 0, 5, 1, 0, 1}}},
    {"exit 6 channel 0: head 0x", {{3, 0, 6, 1, 0, 1}}},
    {"exit 6 channel 0: a flit without a head", {{3, 0, 6, 1, 0, 2}}},
    {"worm 1: flit 1 of 3 is kind 1", {{1, 0, 5, 1, 0, 0}, {1, 1, 5, 1, 0, 1}}},
    {"worm 1: flit 2 of 3 is kind 0",
     {{1, 0, 5, 1, 0, 0}, {1, 1, 5, 1, 0, 0}, {1, 2, 5, 1, 0, 1}}},
    {"a head inside worm 1", {{1, 0, 5, 1, 0, 0}, {1, 1, 5, 1, 0, 2}}},
    /* two flits on a link */
    {"exit 5: valid = 0x3; one flit a cycle", {{1, 0, 5, 3, 0, 0}}},
};

static void the_scoreboard_refuses(void **state)
{
    (void)state;
    for (size_t k = 0; k < ROWS(refused); k++) {
        const struct step *s = refused[k].step;
        const char *said = NULL;
        struct bench b;
        three_worms(&b);
        for (; s->worm; s++) {
            struct flit f = flit_of(&b, s->worm, s->flit);
            f.payload ^= s->flip;
            f.kind ^= s->kind;
            if (said)
                print_error("row %zu: refused too early: %s\n", k, said);
            assert_null(said);
            said = leave(&b, s->exit, s->valid, &f);
        }
        if (!said || !strstr(said, refused[k].words))
            print_error("row %zu: want \"%s\", said \"%s\"\n", k, refused[k].words,
                        said ? said : "nothing");
        assert_true(said && strstr(said, refused[k].words));
        assert_false(driver_done(b.d));
        driver_free(b.d);
    }
}

/* What never arrives: nothing is wrong in any cycle, but the run is not done, and the worm is
 * named, whether its head has arrived or not. */
static void the_scoreboard_misses(void **state)
{
    struct bench b;
    struct flit f;
    (void)state;
    three_worms(&b);
    CHECK_EQ(driver_in_flight(b.d)->number, 1);
    for (uint32_t k = 0; k < 3; k++) {
        f = flit_of(&b, 2, k);
        assert_null(leave(&b, 5, 1, &f));
        CHECK_AT(k, driver_in_flight(b.d)->number, 1);
        f = flit_of(&b, 1, k);
        if (k < 2)
            assert_null(leave(&b, 5, 2, &f));
    }
    f = flit_of(&b, 3, 0);
    assert_null(leave(&b, 6, 2, &f));
    CHECK_EQ(driver_in_flight(b.d)->number, 1); /* its tail is lost */
    assert_false(driver_done(b.d));
    CHECK_EQ(driver_totals(b.d)->flits_injected - driver_totals(b.d)->flits_delivered, 1);
    f = flit_of(&b, 1, 2);
    assert_null(leave(&b, 5, 2, &f));
    assert_null(driver_in_flight(b.d));
    assert_false(driver_done(b.d)); /* worm 4 is still to come */
    b.cycle = 1000;
    inject(&b, 1);
    CHECK_EQ(driver_in_flight(b.d)->number, 4); /* lost as a whole, so far */
    f = flit_of(&b, 4, 0);
    assert_null(leave(&b, 7, 1, &f));
    assert_true(driver_done(b.d));
    assert_null(driver_in_flight(b.d));
    assert_ptr_equal(driver_worm(b.d, 4), &b.worm[3]);
    assert_null(driver_worm(b.d, 5));
    assert_null(driver_worm(b.d, 0));
    driver_free(b.d);
}

/* All ways to merge two worms on the two channels of one link; which: bit k, whose turn it is. */
static void interleaved(void **state)
{
    (void)state;
    for (unsigned which = 0; which < 64; which++)
        for (unsigned swap = 0; swap < 2; swap++) {
            uint32_t got[2] = {0, 0};
            struct bench b;
            if (__builtin_popcount(which) != 3)
                continue;
            three_worms(&b);
            for (unsigned k = 0; k < 6; k++) {
                unsigned w = which >> k & 1;
                struct flit f = flit_of(&b, 1 + w, got[w]++);
                assert_null(leave(&b, 5, (uint8_t)(1u << (w ^ swap)), &f));
            }
            CHECK_EQ(driver_totals(b.d)->worms_delivered, 2);
            CHECK_EQ(driver_in_flight(b.d)->number, 3);
            driver_free(b.d);
        }
}

/* Heads without a free bit (N = 64, FP, 16 bits) say nothing about which of two like worms comes;
 * only the bodies do.  Both channels, both worms, all ways to merge them, at the first exit,
 * at the last, and at one between. */
static void heads_alike(void **state)
{
    static const uint32_t exits[] = {0, 60, 63};
    static const uint32_t length[][2] = {{4, 4}, {2, 4}, {4, 2}, {3, 3}, {2, 2}, {4, 3}, {3, 4}};
    (void)state;
    for (size_t n = 0; n < ROWS(length); n++)
        for (unsigned which = 0; which < 256; which++)
            for (unsigned swap = 0; swap < 4 * ROWS(exits); swap++) {
                uint32_t got[2] = {0, 0}, flits = length[n][0] + length[n][1], exit = exits[swap >> 2];
                struct bench b;
                if ((unsigned)__builtin_popcount(which) != length[n][1] || which >> flits)
                    continue;
                begin(&b, 3, 2, 16, PATH_FP);
                add_worm(&b, 9, exit, length[n][0], 0);
                add_worm(&b, 9, exit, length[n][1], 0);
                CHECK_EQ(b.worm[0].head, b.worm[1].head);
                start(&b);
                inject(&b, flits);
                CHECK_EQ(driver_totals(b.d)->worms_injected, 2);
                for (unsigned k = 0; k < flits; k++) {
                    unsigned w = which >> k & 1;
                    struct flit f = flit_of(&b, 1 + w, got[w]++);
                    /* swap 2, 3: the last flit is bent, which nobody may take for the other's */
                    if (swap & 2 && k + 1 == flits)
                        f.payload ^= 0x8001;
                    const char *said = leave(&b, exit, (uint8_t)(1u << (w ^ (swap & 1))), &f);
                    if (said && !(swap & 2))
                        print_error("lengths %zu order 0x%x swap %u flit %u: %s\n", n, which, swap,
                                    k, said);
                    CHECK_AT(k, said != NULL, swap & 2 && k + 1 == flits);
                }
                CHECK_EQ(driver_done(b.d), !(swap & 2));
                CHECK_EQ(driver_in_flight(b.d) != NULL, (swap & 2) != 0);
                driver_free(b.d);
            }
}

/* One source, V channels, cycle by cycle: room, and what it sends (worm 0: nothing). */
struct turn {
    uint8_t room, valid, worm, flit;
};

static void play(struct bench *b, const struct turn *turn, size_t turns)
{
    for (size_t t = 0; t < turns; t++) {
        b->room[0] = turn[t].room;
        inject(b, 1);
        CHECK_AT(t, b->in[0].valid, turn[t].valid);
        CHECK_AT(t, driver_sends(b->d, 0), turn[t].worm);
        struct flit f = {.kind = 0};
        if (turn[t].worm)
            f = flit_of(b, turn[t].worm, turn[t].flit);
        CHECK_AT(t, b->in[0].flit.kind, f.kind);
        CHECK_AT(t, b->in[0].flit.payload, f.payload);
        CHECK_AT(t, b->in[1].valid, 0);
    }
}

static void a_source_with_one_channel(void **state)
{
    static const struct turn turn[] = {
        {1, 0, 0, 0}, {1, 0, 0, 0}, {1, 1, 1, 0}, {0, 0, 0, 0}, {1, 1, 1, 1},
        {1, 1, 2, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {1, 1, 3, 0}, {1, 0, 0, 0},
    };
    struct bench b;
    (void)state;
    begin(&b, 2, 1, 32, PATH_RP);
    add_worm(&b, 0, 5, 2, 2);
    add_worm(&b, 0, 6, 1, 2);
    add_worm(&b, 0, 7, 1, 9);
    start(&b);
    play(&b, turn, ROWS(turn));
    driver_free(b.d);
}

static void a_source_with_two_channels(void **state)
{
    static const struct turn turn[] = {
        {3, 1, 1, 0}, {3, 2, 2, 0}, {3, 1, 1, 1}, {3, 2, 2, 1}, {3, 1, 1, 2}, {3, 2, 2, 2},
        /* Only channel 1 has room: it is the lowest that a worm can take. */
        {2, 2, 3, 0}, {2, 2, 3, 1}, {0, 0, 0, 0}, {3, 1, 4, 0}, {3, 2, 3, 2}, {2, 2, 5, 0},
        {1, 1, 4, 1}, {1, 1, 4, 2}, {3, 0, 0, 0},
    };
    struct bench b;
    (void)state;
    begin(&b, 2, 2, 32, PATH_RP);
    for (unsigned k = 0; k < 4; k++)
        add_worm(&b, 0, 5 + k, 3, 0);
    add_worm(&b, 0, 9, 1, 0);
    start(&b);
    play(&b, turn, ROWS(turn));
    driver_free(b.d);
}

static void a_source_with_four_channels(void **state)
{
    static const struct turn turn[] = {
        {0xc, 4, 1, 0}, /* 2 is the lowest with room */
        {0xf, 1, 2, 0}, /* 3 is next by turn, but a new worm takes the lowest: 0 */
        {0xf, 2, 3, 0}, {0xf, 4, 1, 1}, {0xf, 1, 2, 1}, /* nobody is left to start on 3 */
        {0x5, 4, 1, 2}, {0xf, 1, 2, 2}, {0xf, 2, 3, 1}, {0xf, 2, 3, 2}, {0xf, 0, 0, 0},
    };
    struct bench b;
    (void)state;
    begin(&b, 2, 4, 32, PATH_RP);
    for (unsigned k = 0; k < 3; k++)
        add_worm(&b, 0, 5 + k, 3, 0);
    start(&b);
    play(&b, turn, ROWS(turn));
    driver_free(b.d);
}

/* Random room: what comes out of every source are whole worms in order, channel by channel, only
 * where room is, not before they are ready, and never less than could be. */
static void sources_at_random(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 60; round++) {
        unsigned vcs = round % 4 == 3 ? 9 : 1u << round % 4;
        uint32_t next[4] = {0}, end[4], on[4][DUT_MAX_VCS] = {{0}}, sent[4][DUT_MAX_VCS] = {{0}};
        struct bench b;
        begin(&b, 2, vcs, 32, PATH_RP);
        for (uint32_t e = 0; e < 4; e++) {
            uint64_t ready = 0;
            next[e] = (uint32_t)b.s.count + 1;
            for (unsigned k = 0; k < 8; k++)
                add_worm(&b, e, 4 + draw(12), 1 + draw(4), ready += draw(9));
            end[e] = (uint32_t)b.s.count + 1;
        }
        start(&b);
        for (unsigned t = 0; t < 400; t++) {
            for (uint32_t e = 0; e < 4; e++)
                b.room[e] = (uint16_t)(draw(1u << vcs) & draw(1u << vcs));
            inject(&b, 1);
            for (uint32_t e = 0; e < 4; e++) {
                unsigned valid = b.in[e].valid;
                unsigned free = 0, able = 0;
                for (unsigned v = 0; v < vcs; v++) {
                    free |= (unsigned)!on[e][v] << v;
                    able |= (unsigned)(on[e][v] != 0) << v;
                }
                bool waits = next[e] < end[e] && b.worm[next[e] - 1].ready <= t;
                free = waits ? free & b.room[e] : 0;
                able = (able & b.room[e]) | (free & -free);
                CHECK_AT(t, valid & ~able, 0);
                CHECK_AT(t, valid & (valid - 1), 0);
                CHECK_AT(t, valid != 0, able != 0);
                CHECK_AT(t, driver_sends(b.d, e) != 0, valid != 0);
                if (!valid)
                    continue;
                unsigned v = (unsigned)__builtin_ctz(valid);
                if (!on[e][v]) {
                    on[e][v] = next[e]++;
                    sent[e][v] = 0;
                }
                struct flit want = flit_of(&b, on[e][v], sent[e][v]++);
                CHECK_AT(t, b.in[e].flit.payload, want.payload);
                CHECK_AT(t, b.in[e].flit.kind, want.kind);
                CHECK_AT(t, driver_sends(b.d, e), on[e][v]);
                if (want.kind & FLIT_TAIL)
                    on[e][v] = 0;
            }
        }
        CHECK_EQ(driver_totals(b.d)->flits_injected, b.s.flits);
        CHECK_EQ(driver_totals(b.d)->worms_injected, b.s.count);
        driver_free(b.d);
    }
}

static void totals(void **state)
{
    struct bench b;
    struct flit f;
    (void)state;
    begin(&b, 2, 1, 32, PATH_RP);
    add_worm(&b, 0, 5, 2, 3);
    add_worm(&b, 1, 6, 1, 4);
    start(&b);
    inject(&b, 6);
    b.cycle = 20;
    f = flit_of(&b, 1, 0);
    assert_null(leave(&b, 5, 1, &f)); /* 20 */
    CHECK_EQ(driver_totals(b.d)->worms_delivered, 0);
    CHECK_EQ(driver_totals(b.d)->last_arrival, 0);
    f = flit_of(&b, 2, 0);
    assert_null(leave(&b, 6, 1, &f)); /* 21: latency 17 */
    b.cycle = 30;
    f = flit_of(&b, 1, 1);
    assert_null(leave(&b, 5, 1, &f)); /* 30: latency 27 */
    const struct driver_totals *t = driver_totals(b.d);
    CHECK_EQ(t->worms_delivered, 2);
    CHECK_EQ(t->flits_delivered, 3);
    CHECK_EQ(t->flits_injected, 3);
    CHECK_EQ(t->latency_sum, 44);
    CHECK_EQ(t->latency_max, 27);
    CHECK_EQ(t->last_arrival, 30);
    driver_free(b.d);
}

/* Two flits, in these cycles on these channels: the digest tells all of them apart. */
static void digests(void **state)
{
    static const struct { uint64_t at[2]; uint8_t valid[2]; } row[] = {
        {{10, 11}, {1, 1}}, {{10, 12}, {1, 1}}, {{11, 12}, {1, 1}}, {{11, 10}, {1, 1}},
        {{10, 11}, {2, 1}}, {{10, 11}, {1, 2}}, {{10, 11}, {2, 2}},
    };
    uint64_t seen[ROWS(row)];
    (void)state;
    for (size_t k = 0; k < ROWS(row); k++)
        for (unsigned again = 0; again < 2; again++) {
            struct bench b;
            begin(&b, 2, 2, 32, PATH_RP);
            add_worm(&b, 0, 5, 1, 0);
            add_worm(&b, 1, 6, 1, 0);
            start(&b);
            inject(&b, 2);
            for (unsigned w = 0; w < 2; w++) {
                struct flit f = flit_of(&b, 1 + w, 0);
                b.cycle = row[k].at[w];
                assert_null(leave(&b, 5 + w, row[k].valid[w], &f));
            }
            if (again)
                CHECK_AT(k, driver_totals(b.d)->digest, seen[k]);
            seen[k] = driver_totals(b.d)->digest;
            driver_free(b.d);
        }
    for (size_t k = 0; k < ROWS(row); k++)
        for (size_t j = 0; j < k; j++)
            assert_true(seen[k] != seen[j]);
}

/* N = 1024, V = 4: of every flit payload, kind, cycle, exit and channel count, every bit of them. */
static void digests_have_all(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 64; bit++) {
        struct bench b;
        unsigned exit = bit == 63 ? 1023 : 1u << bit % 10, v = bit % 4, length = 1 + bit % 2;
        uint64_t sum = 0;
        begin(&b, 5, 4, 64, PATH_RP);
        add_worm(&b, 0, exit, length, 0);
        start(&b);
        inject(&b, 2);
        b.cycle = UINT64_C(1) << bit;
        for (unsigned k = 0; k < length; k++) {
            struct flit f = flit_of(&b, 1, k);
            sum += digest_flit(f.payload, f.kind, b.cycle, exit, v);
            assert_null(leave(&b, exit, (uint8_t)(1u << v), &f));
        }
        CHECK_AT(bit, driver_totals(b.d)->digest, sum);
        driver_free(b.d);
    }
}

/* However long a worm is, every flit of it is compared, each bit of its payload and its kind. */
static void every_flit_of_long_worms(void **state)
{
    static const uint32_t lengths[] = {1, 2, 63, 64, 65, 255, 256, 257, 1000, 4096, 65537};
    (void)state;
    for (unsigned k = 0; k < ROWS(lengths); k++) {
        const uint32_t last = lengths[k] - 1, wrong[] = {0, last / 2, last > 63 ? 63 : last, last > 64 ? 64 : last,
                                                         last > 255 ? 255 : last, last > 256 ? 256 : last, last};
        for (unsigned j = 0; j < 2 * ROWS(wrong); j++) {
            static struct bench b;
            begin(&b, 2, 1, 64, PATH_RP);
            add_worm(&b, 0, 5, lengths[k], 0);
            start(&b);
            inject(&b, lengths[k]);
            for (uint32_t n = 0; n <= last; n++) {
                struct flit f = flit_of(&b, 1, n);
                bool bad = n == wrong[j / 2];
                if (bad && j % 2)
                    f.payload ^= UINT64_C(1) << (j * 9 + k) % 64;
                else if (bad)
                    f.kind ^= FLIT_TAIL;
                if ((leave(&b, 5, 1, &f) != NULL) != bad)
                    fail_msg("%u flits, number %u is %s: %s", lengths[k], n, bad ? "wrong" : "right", b.why);
                if (bad)
                    break;
            }
            driver_free(b.d);
        }
    }
}

/* However many worms there are: it is over when the last has come, and not before. */
static void the_last_of_many(void **state)
{
    static const size_t counts[] = {1, 2, 3, 255, 256, 257, 1023, 1025, 4097, 5000, 16385, 70001};
    (void)state;
    for (unsigned k = 0; k < ROWS(counts); k++) {
        static struct bench b;
        begin(&b, 2, 1, 64, PATH_RP);
        struct worm one = (add_worm(&b, 0, 5, 1, 0), b.worm[0]), *all = calloc(counts[k], sizeof *all);
        assert_non_null(all);
        for (size_t j = 0; j < counts[k]; j++) {
            all[j] = one;
            all[j].number = (uint32_t)j + 1;
            all[j].head ^= (uint64_t)j << head_bits(2, PATH_RP);
        }
        b.s.worm = all;
        b.s.count = b.s.flits = counts[k];
        start(&b);
        for (size_t j = 0; j < counts[k]; j++) {
            assert_false(driver_done(b.d));
            driver_drive(b.d, b.cycle, b.room, b.in);
            b.out[5] = (struct link){.flit = {.payload = all[j].head, .kind = FLIT_SINGLE}, .valid = 1};
            assert_null(driver_consume(b.d, b.cycle++, b.out, b.why, sizeof b.why));
        }
        assert_true(driver_done(b.d));
        CHECK_EQ(driver_totals(b.d)->worms_delivered, counts[k]);
        driver_free(b.d);
        free(all);
    }
}

/* A head that may leave at either of two exits leaves at these alone, whichever they are. */
static void either_of_two_exits(void **state)
{
    static struct bench b;
    (void)state;
    for (unsigned k = 0; k < 16 * 16 * 16; k++) {
        unsigned first = k % 16, last = k / 16 % 16, exit = k / 256;
        begin(&b, 2, 1, 32, PATH_RP);
        add_worm(&b, 2, 6, 1, 0);
        b.worm[0].exit_first = first;
        b.worm[0].exit_last = last;
        start(&b);
        inject(&b, 2);
        const struct flit f = flit_of(&b, 1, 0);
        const char *said = leave(&b, exit, 1, &f);
        CHECK_AT(k, said == NULL, exit == first || exit == last);
        driver_free(b.d);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(either_of_two_exits),
        cmocka_unit_test(the_last_of_many),
        cmocka_unit_test(the_scoreboard_refuses),
        cmocka_unit_test(the_scoreboard_misses),
        cmocka_unit_test(interleaved),
        cmocka_unit_test(heads_alike),
        cmocka_unit_test(a_source_with_one_channel),
        cmocka_unit_test(a_source_with_two_channels),
        cmocka_unit_test(a_source_with_four_channels),
        cmocka_unit_test(sources_at_random),
        cmocka_unit_test(totals),
        cmocka_unit_test(digests),
        cmocka_unit_test(digests_have_all),
        cmocka_unit_test(every_flit_of_long_worms),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
