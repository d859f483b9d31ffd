/* SPDX-License-Identifier: Apache-2.0
 * test_switch.c - the whole switch, cycle by cycle: what crosses which output when.
 *
 * An output is written as one character a cycle: a letter for each worm, upper case for its head,
 * '.' for no flit.  Worms come over the input links as soon as there is room; a link that is
 * crossed in cycle t brings the flit out of the switch in cycle t + 1 at the earliest.
 */
#include "unit.h"

#include "switch.h"

#include <string.h>

enum { CYCLES = 40, WORMS = 16 };

struct worm {
    char name;               /* 'A' .. */
    unsigned port, vc, dst;
    unsigned flits, start;   /* its head may cross the link from this cycle on */
    unsigned path;           /* FP bits */
};

struct bench {
    struct fat_switch s;
    struct flit mem[SWITCH_PORTS * MAX_VCS * (MAX_DEPTH - 1)];
    struct worm worm[WORMS];
    unsigned worms, sent[WORMS], cycle;
    struct switch_wires w;   /* zero at first, then kept from cycle to cycle */
    const char *block[SWITCH_PORTS];                       /* 'x': no room at the far end */
    char log[SWITCH_PORTS][MAX_VCS][CYCLES + 1];
};

static void bench_init(struct bench *b, struct switch_params p)
{
    char why[120];
    memset(b, 0, sizeof *b);
    memset(b->mem, 0xa5, sizeof b->mem); /* queue memory has no reset */
    memset(&b->s, 0xa5, sizeof b->s);
    assert_null(switch_params_check(&p, why, sizeof why));
    switch_init(&b->s, &p, b->mem);
    switch_reset(&b->s, 1);
    memset(b->log, '.', sizeof b->log);
}

static void send(struct bench *b, struct worm w)
{
    assert_true(b->worms < WORMS);
    b->worm[b->worms++] = w;
}

/* A processor behind the port: S(1, 0) or S(2, 0) of N = 16, S(3, 0) of N = 64. */
static unsigned source(const struct fat_switch *s, unsigned port)
{
    unsigned size = 1u << 2 * (s->params.level - 1);
    return port < 4 ? port * size : 4 * size;
}

static struct flit flit_of(const struct bench *b, const struct worm *w, unsigned k)
{
    struct flit f = {.payload = k, .kind = FLIT_BODY};
    unsigned n = b->s.params.levels, src = source(&b->s, w->port);
    if (k == 0) {
        f.payload = head_pack(n, w->dst, src, worm_height(src, w->dst), w->path);
        f.kind |= FLIT_HEAD;
    }
    if (k + 1 == w->flits)
        f.kind |= FLIT_TAIL;
    f.payload |= (uint64_t)w->name << 24;
    return f;
}

/* The links into the switch in this cycle: worms of one channel in order, one flit a link; of
 * several channels the one whose worm sent least. */
static void drive(struct bench *b, struct link in[SWITCH_PORTS])
{
    for (unsigned i = 0; i < SWITCH_PORTS; i++) {
        unsigned best = WORMS;
        in[i] = (struct link){.valid = 0};
        for (unsigned v = 0; v < b->s.params.vcs; v++)
            for (unsigned k = 0; k < b->worms; k++) {
                const struct worm *w = &b->worm[k];
                if (w->port != i || w->vc != v || b->sent[k] == w->flits)
                    continue;
                if (w->start <= b->cycle && port_room(&b->s.port[i], &b->s.params) >> v & 1 &&
                    (best == WORMS || b->sent[k] < b->sent[best]))
                    best = k;
                break;
            }
        if (best == WORMS)
            continue;
        in[i].flit = flit_of(b, &b->worm[best], b->sent[best]++);
        in[i].valid = (uint8_t)(1u << b->worm[best].vc);
    }
}

static void run(struct bench *b, unsigned cycles)
{
    for (unsigned t = 0; t < cycles; t++, b->cycle++) {
        uint8_t room[SWITCH_PORTS];
        struct link in[SWITCH_PORTS];
        struct switch_wires *w = &b->w;
        assert_true(b->cycle < CYCLES);
        for (unsigned o = 0; o < SWITCH_PORTS; o++) {
            bool blocked = b->block[o] && b->cycle < strlen(b->block[o]) &&
                           b->block[o][b->cycle] == 'x';
            room[o] = (uint8_t)(blocked ? 0 : (1u << b->s.params.vcs) - 1);
        }
        drive(b, in);
        switch_eval(&b->s, room, w);
        assert_null(switch_check_wires(&b->s, w));
        for (unsigned o = 0; o < SWITCH_PORTS; o++) {
            const struct flit *f = &w->out[o].flit;
            if (!w->out[o].valid) {
                CHECK_AT(b->cycle, f->payload | f->kind, 0);
                continue;
            }
            CHECK_AT(b->cycle, w->out[o].valid & (w->out[o].valid - 1), 0);
            CHECK_AT(b->cycle, w->out[o].valid & ~room[o], 0);
            char name = (char)(f->payload >> 24);
            b->log[o][__builtin_ctz(w->out[o].valid)][b->cycle] =
                f->kind & FLIT_HEAD ? name : (char)(name - 'A' + 'a');
        }
        switch_tick(&b->s, in, w);
        const char *wrong = switch_check(&b->s);
        if (wrong)
            print_error("cycle %u: %s\n", b->cycle, wrong);
        assert_null(wrong);
    }
}

/* Channel v of output o carried this, and nothing after it. */
static void check_out(struct bench *b, int line, unsigned o, unsigned v, const char *want)
{
    char got[CYCLES + 1];
    memcpy(got, b->log[o][v], b->cycle);
    got[b->cycle] = 0;
    bool same = strncmp(got, want, strlen(want)) == 0;
    for (size_t t = strlen(want); t < b->cycle; t++)
        same = same && got[t] == '.';
    if (!same)
        print_error("%s:%d: output %u channel %u\n  got  %s\n  want %s\n", __FILE__, line, o, v,
                    got, want);
    assert_true(same);
}
#define OUT(o, v, want) check_out(&b, __LINE__, o, v, want)

static const struct switch_params leaf = {
    .vcs = 1, .depth = 2, .flit_w = 32, .path = PATH_GP, .scan = SCAN_FO, .level = 1, .levels = 2};

static struct switch_params with(unsigned vcs, unsigned depth, enum path_select path,
                                 enum scan_order scan)
{
    struct switch_params p = leaf;
    p.vcs = vcs;
    p.depth = depth;
    p.path = path;
    p.scan = scan;
    return p;
}

/* A flit that arrives at t leaves at t + 1; the stream of a worm has no gap. */
static void a_hop_takes_one_cycle(void **state)
{
    struct bench b;
    (void)state;
    bench_init(&b, leaf);
    send(&b, (struct worm){'A', 0, 0, 2, 1, 0, 0});
    send(&b, (struct worm){'B', 3, 0, 1, 5, 2, 0});
    send(&b, (struct worm){'C', 0, 0, 3, 1, 0, 0}); /* right behind A */
    run(&b, 12);
    OUT(2, 0, ".A");
    OUT(3, 0, "..C");
    OUT(1, 0, "...Bbbbb");
}

/* Depth 1 halves the rate, since room is of the start of the cycle. */
static void rate_by_depth(void **state)
{
    struct bench b;
    (void)state;
    bench_init(&b, with(1, 1, PATH_GP, SCAN_FO));
    send(&b, (struct worm){'A', 0, 0, 2, 4, 0, 0});
    send(&b, (struct worm){'B', 0, 0, 2, 2, 0, 0});
    run(&b, 15);
    OUT(2, 0, ".A.a.a.a.B.b");
    for (unsigned depth = 2; depth <= 16; depth++) {
        bench_init(&b, with(1, depth, PATH_GP, SCAN_FO));
        send(&b, (struct worm){'A', 0, 0, 2, 4, 0, 0});
        send(&b, (struct worm){'B', 0, 0, 2, 2, 0, 0});
        run(&b, 15);
        OUT(2, 0, ".AaaaBb");
    }
}

/* B waits while A holds output 2, and crosses in the cycle after A's tail.  C comes later from a
 * port that is scanned before B's: it may go first, but not between the flits of A. */
static void no_worm_is_cut_and_no_cycle_lost(void **state)
{
    struct bench b;
    (void)state;
    bench_init(&b, leaf);
    send(&b, (struct worm){'A', 1, 0, 2, 4, 0, 0});
    send(&b, (struct worm){'B', 3, 0, 2, 3, 0, 0});
    send(&b, (struct worm){'C', 0, 0, 2, 2, 1, 0});
    run(&b, 15);
    OUT(2, 0, ".AaaaCcBbb");
}

/* A's body comes late: its output stays idle, though B waits for it. */
static void a_held_output_waits_for_its_worm(void **state)
{
    struct bench b;
    struct link in[SWITCH_PORTS] = {{.valid = 0}};
    static const uint8_t room[SWITCH_PORTS] = {1, 1, 1, 1, 1, 1};
    struct switch_wires w = {.sent = 0};
    static const struct { char in0, in1; char out; } cycle[] = {
        {'H', 'h', '.'}, {'.', '.', 'H'}, {'.', '.', '.'}, {'b', '.', '.'},
        {'.', '.', 'b'}, {'t', '.', '.'}, {'.', '.', 't'}, {'.', '.', 'h'},
    };
    (void)state;
    bench_init(&b, leaf);
    for (size_t t = 0; t < ROWS(cycle); t++) {
        char c[2] = {cycle[t].in0, cycle[t].in1};
        for (unsigned i = 0; i < 2; i++) {
            in[i] = (struct link){.valid = c[i] != '.'};
            if (c[i] == '.')
                continue;
            in[i].flit.payload = (uint64_t)c[i] << 24;
            if (c[i] == 'H' || c[i] == 'h')
                in[i].flit.payload |= head_pack(2, 2, i, 1, 0);
            in[i].flit.kind = c[i] == 'H' ? FLIT_HEAD : c[i] == 'h' ? FLIT_SINGLE
                              : c[i] == 't' ? FLIT_TAIL : FLIT_BODY;
        }
        switch_eval(&b.s, room, &w);
        CHECK_AT(t, w.out[2].valid ? (char)(w.out[2].flit.payload >> 24) : '.', cycle[t].out);
        switch_tick(&b.s, in, &w);
        assert_null(switch_check(&b.s));
    }
}

/* Without room at the far end nothing moves; the head does not hold the output yet, so another
 * input that is scanned earlier gets it when room comes back. */
static void back_pressure(void **state)
{
    struct bench b;
    (void)state;
    bench_init(&b, leaf);
    b.block[2] = "xxx..xx.x";
    send(&b, (struct worm){'A', 1, 0, 2, 3, 0, 0});
    send(&b, (struct worm){'B', 0, 0, 2, 2, 1, 0});
    run(&b, 14);
    OUT(2, 0, "...Bb..A.aa");
}

/* All six inputs cross at once: 28 crosspoints, no output is shared. */
static void six_at_once(void **state)
{
    struct bench b;
    (void)state;
    bench_init(&b, with(1, 2, PATH_FP, SCAN_RR));
    send(&b, (struct worm){'A', 0, 0, 1, 3, 0, 0});
    send(&b, (struct worm){'B', 1, 0, 0, 3, 0, 0});
    send(&b, (struct worm){'C', 2, 0, 15, 3, 0, 0});
    send(&b, (struct worm){'D', 3, 0, 14, 3, 0, 1});
    send(&b, (struct worm){'E', 4, 0, 2, 3, 0, 0});
    send(&b, (struct worm){'F', 5, 0, 3, 3, 0, 0});
    run(&b, 10);
    OUT(1, 0, ".Aaa");
    OUT(0, 0, ".Bbb");
    OUT(4, 0, ".Ccc");
    OUT(5, 0, ".Ddd");
    OUT(2, 0, ".Eee");
    OUT(3, 0, ".Fff");
}

/* FP: two worms with one path bit share that parent, the other parent stays idle. */
static void fp_goes_where_the_path_says(void **state)
{
    struct bench b;
    (void)state;
    bench_init(&b, with(1, 2, PATH_FP, SCAN_FO));
    send(&b, (struct worm){'A', 0, 0, 15, 2, 0, 1});
    send(&b, (struct worm){'B', 1, 0, 14, 2, 0, 1});
    send(&b, (struct worm){'C', 1, 0, 13, 1, 0, 0});
    run(&b, 10);
    OUT(5, 0, ".AaBb");
    OUT(4, 0, ".....C");
}

/* GP: parent 0, then parent 1, then whichever is free first. */
static void gp_takes_the_lowest_free_parent(void **state)
{
    struct bench b;
    (void)state;
    bench_init(&b, with(1, 2, PATH_GP, SCAN_FO));
    send(&b, (struct worm){'A', 0, 0, 15, 4, 0, 0});
    send(&b, (struct worm){'B', 1, 0, 14, 2, 0, 0});
    send(&b, (struct worm){'C', 2, 0, 13, 1, 0, 0});
    send(&b, (struct worm){'D', 3, 0, 12, 3, 0, 0});
    run(&b, 12);
    OUT(4, 0, ".Aaaa");
    OUT(5, 0, ".BbCDdd");
}

/* The recurrence of the random bits, one bit at a time, 16 a cycle. */
static uint32_t random_of_cycle(uint32_t seed, unsigned cycle)
{
    for (unsigned k = 0; k < 16 * cycle; k++) {
        uint32_t bit = (seed ^ seed >> 2 ^ seed >> 6 ^ seed >> 7) & 1;
        seed = seed >> 1 | bit << 31;
    }
    return seed;
}

/* RP: in the cycle in which a head crosses, bit 16 + i of the random state says by which parent.
 * RG and RW likewise while both are free. */
static void up_by_the_random_bit(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++)
        for (enum path_select path = PATH_RP; path < PATH_COUNT; path++) {
            struct bench b;
            char want[2][CYCLES + 1];
            if (path == PATH_GP)
                continue;
            memset(want, '.', sizeof want);
            want[0][16] = want[1][16] = 0;
            bench_init(&b, with(1, 2, path, SCAN_FO));
            for (unsigned k = 0; k < 12; k++) {
                send(&b, (struct worm){(char)('A' + k), i, 0, 12, 1, 0, 0});
                want[random_of_cycle(1, k + 1) >> (16 + i) & 1][k + 1] = (char)('A' + k);
            }
            run(&b, 16);
            OUT(4, 0, want[0]);
            OUT(5, 0, want[1]);
        }
}

/* RP, one parent without room: the head waits for a cycle in which it draws the other one. */
static void rp_draws_anew_in_each_cycle(void **state)
{
    struct bench b;
    char want[CYCLES + 1] = "....................";
    unsigned t = 1;
    (void)state;
    bench_init(&b, with(1, 2, PATH_RP, SCAN_FO));
    b.block[5] = "xxxxxxxxxxxxxxxxxxxx";
    for (char name = 'A'; name <= 'E'; name++, t++) {
        send(&b, (struct worm){name, 2, 0, 12, 1, 0, 0});
        while (random_of_cycle(1, t) >> 18 & 1)
            t++;
        want[t] = name;
    }
    assert_true(t < 20 && t > 6); /* some of them had to wait */
    run(&b, 20);
    OUT(4, 0, want);
}

/* RG: a blocked parent is no reason to wait. */
static void rg_takes_the_other_parent(void **state)
{
    struct bench b;
    (void)state;
    bench_init(&b, with(1, 2, PATH_RG, SCAN_FO));
    b.block[4] = "xxxxxx";
    for (char name = 'A'; name <= 'E'; name++)
        send(&b, (struct worm){name, 2, 0, 12, 1, 0, 0});
    run(&b, 12);
    OUT(5, 0, ".ABCDE");
}

/* RW: the other parent is tried in a head's first cycle alone.  While parent 0 is blocked a head of child 2
 * that drew parent 0 still leaves by parent 1 at once; while both are, it waits for parent 0. */
static void rw_waits_for_what_it_drew(void **state)
{
    struct bench b;
    unsigned t = 1;
    char want[2][CYCLES + 1] = {"....................", "...................."};
    (void)state;
    bench_init(&b, with(1, 2, PATH_RW, SCAN_FO));
    b.block[4] = "xxxxxxxxxxxx";
    b.block[5] = "xxxx";
    for (char name = 'A'; name <= 'E'; name++, t++) {
        unsigned drawn = random_of_cycle(1, t) >> 18 & 1;
        send(&b, (struct worm){name, 2, 0, 12, 1, 0, 0});
        if (t < 4) { /* both are blocked in its first cycle */
            t = drawn ? 4 : 12;
            want[drawn][t] = name;
        } else { /* parent 0 still is, or it is free again */
            want[t < 12 || drawn][t] = name;
        }
    }
    run(&b, 20);
    OUT(4, 0, want[0]);
    OUT(5, 0, want[1]);
}

/* RR: of five heads for child 0 the first at or after the start port crosses; the
 * start port is floor(6 * byte / 256) of the random byte of the cycle before. */
static void rr_from_a_random_port(void **state)
{
    struct bench b;
    char want[CYCLES + 1] = ".";
    unsigned waiting = 0x3e;
    (void)state;
    bench_init(&b, with(1, 2, PATH_FP, SCAN_RR));
    for (unsigned i = 1; i < 6; i++)
        send(&b, (struct worm){(char)('A' + i), i, 0, 0, 1, 0, 0});
    for (unsigned t = 1; waiting; t++) {
        unsigned i = (random_of_cycle(1, t - 1) >> 24) * 6 / 256;
        while (!(waiting >> i & 1))
            i = (i + 1) % 6;
        want[t] = (char)('A' + i);
        want[t + 1] = 0;
        waiting &= ~(1u << i);
    }
    run(&b, 10);
    OUT(0, 0, want);
    /* Traffic or not, in every cycle. */
    bench_init(&b, with(1, 2, PATH_FP, SCAN_RR));
    for (unsigned t = 0; t < CYCLES; t++) {
        CHECK_AT(t, b.s.scan.start_q, t ? (random_of_cycle(1, t - 1) >> 24) * 6 / 256 : 0);
        run(&b, 1);
    }
}

static void fcfs_the_longest_waiting_first(void **state)
{
    struct bench b;
    (void)state;
    bench_init(&b, with(1, 2, PATH_FP, SCAN_FCFS));
    b.block[0] = "xxxxx";
    send(&b, (struct worm){'A', 1, 0, 0, 1, 2, 0});
    send(&b, (struct worm){'B', 2, 0, 0, 2, 0, 0});
    send(&b, (struct worm){'C', 3, 0, 0, 1, 1, 0});
    send(&b, (struct worm){'D', 4, 0, 0, 1, 1, 0});
    send(&b, (struct worm){'E', 2, 0, 0, 1, 0, 0}); /* behind B: it comes to the front last */
    send(&b, (struct worm){'F', 5, 0, 0, 1, 0, 0});
    run(&b, 15);
    OUT(0, 0, ".....BbFCDAE");
}

static void ff_the_highest_first(void **state)
{
    struct bench b;
    struct switch_params p = with(1, 2, PATH_FP, SCAN_FF);
    (void)state;
    p.level = 1;
    p.levels = 3;
    bench_init(&b, p);
    b.block[4] = "xx";
    b.block[0] = "xx";
    send(&b, (struct worm){'A', 0, 0, 4, 1, 0, 0});  /* height 2 */
    send(&b, (struct worm){'B', 3, 0, 60, 1, 0, 0}); /* height 3 */
    send(&b, (struct worm){'C', 1, 0, 0, 1, 0, 0});  /* height 1 */
    send(&b, (struct worm){'D', 5, 0, 0, 1, 0, 0});  /* height 2, from processor 4 */
    run(&b, 8);
    OUT(4, 0, "..BA");
    OUT(0, 0, "..DC");
}

/* ROT: two inputs with endless single flits to one output take turns. */
static void rot_takes_turns(void **state)
{
    struct bench b;
    (void)state;
    bench_init(&b, with(1, 2, PATH_FP, SCAN_ROT));
    for (unsigned k = 0; k < 4; k++) {
        send(&b, (struct worm){'A', 0, 0, 3, 1, 0, 0});
        send(&b, (struct worm){'B', 2, 0, 3, 1, 0, 0});
    }
    run(&b, 12);
    OUT(3, 0, ".ABABABAB");
    /* FO would not. */
    bench_init(&b, with(1, 2, PATH_FP, SCAN_FO));
    for (unsigned k = 0; k < 4; k++) {
        send(&b, (struct worm){'A', 0, 0, 3, 1, 0, 0});
        send(&b, (struct worm){'B', 2, 0, 3, 1, 0, 0});
    }
    run(&b, 12);
    OUT(3, 0, ".AAAABBBB");
}

/* V = 2: two worms share the link to child 2, each on a channel of its own, the lowest first; a
 * third waits until a channel is free. */
static void two_channels_share_a_link(void **state)
{
    struct bench b;
    (void)state;
    bench_init(&b, with(2, 2, PATH_FP, SCAN_ROT));
    send(&b, (struct worm){'A', 0, 0, 2, 4, 0, 0});
    send(&b, (struct worm){'B', 1, 1, 2, 3, 0, 0});
    send(&b, (struct worm){'C', 3, 0, 2, 2, 0, 0});
    run(&b, 15);
    OUT(2, 0, ".A.a.a..a"); /* port 3 comes between port 1 and port 0 */
    OUT(2, 1, "..B.b.bC.c");
}

/* The same with one channel: no worm is cut. */
static void one_channel_does_not_interleave(void **state)
{
    struct bench b;
    (void)state;
    bench_init(&b, with(1, 2, PATH_FP, SCAN_ROT));
    send(&b, (struct worm){'A', 0, 0, 2, 4, 0, 0});
    send(&b, (struct worm){'B', 1, 0, 2, 3, 0, 0});
    send(&b, (struct worm){'C', 3, 0, 2, 2, 0, 0});
    run(&b, 15);
    OUT(2, 0, ".AaaaBbbCc");
}

/* V = 2, one input: its link brings the flits of A and B in turn and they leave likewise; when A
 * is blocked, B alone goes on. */
static void an_input_offers_its_channels_in_turn(void **state)
{
    struct bench b;
    (void)state;
    bench_init(&b, with(2, 2, PATH_FP, SCAN_FO));
    send(&b, (struct worm){'A', 0, 0, 1, 3, 0, 0});
    send(&b, (struct worm){'B', 0, 1, 2, 3, 0, 0});
    run(&b, 12);
    OUT(1, 0, ".A.a.a");
    OUT(2, 0, "..B.b.b");
    bench_init(&b, with(2, 2, PATH_FP, SCAN_FO));
    b.block[1] = "xxxxxxxx";
    send(&b, (struct worm){'A', 0, 0, 1, 3, 0, 0});
    send(&b, (struct worm){'B', 0, 1, 2, 3, 0, 0});
    run(&b, 15);
    OUT(1, 0, "........Aaa");
    OUT(2, 0, "..B.bb");
}

/* The root: four children, no parents; what comes by a parent link is not taken. */
static void the_root_has_no_parents(void **state)
{
    struct bench b;
    struct switch_params p = leaf;
    (void)state;
    p.level = 2;
    bench_init(&b, p);
    send(&b, (struct worm){'A', 0, 0, 4, 2, 0, 0});
    send(&b, (struct worm){'B', 1, 0, 8, 2, 0, 0});
    send(&b, (struct worm){'C', 2, 0, 15, 2, 0, 0});
    send(&b, (struct worm){'D', 3, 0, 1, 2, 0, 0});
    send(&b, (struct worm){'E', 3, 0, 7, 2, 0, 0});
    run(&b, 12);
    OUT(1, 0, ".AaEe");
    OUT(2, 0, ".Bb");
    OUT(3, 0, ".Cc");
    OUT(0, 0, ".Dd");
    OUT(4, 0, "");
    OUT(5, 0, "");
    CHECK_EQ(b.s.ports, 4);

    struct link in[SWITCH_PORTS] = {{.valid = 0}};
    static const uint8_t room[SWITCH_PORTS] = {1, 1, 1, 1, 1, 1};
    struct switch_wires w = {.sent = 0};
    in[4].flit = (struct flit){.payload = head_pack(2, 1, 4, 2, 0), .kind = FLIT_SINGLE};
    in[4].valid = 1;
    for (unsigned t = 0; t < 4; t++) {
        switch_eval(&b.s, room, &w);
        for (unsigned o = 0; o < SWITCH_PORTS; o++)
            CHECK_AT(t, w.out[o].valid, 0);
        switch_tick(&b.s, in, &w);
    }
    CHECK_EQ(switch_idle(&b.s), 1);
}

/* Each clause of switch_check() finds what it is for. */
static void check_finds_planted_corruption(void **state)
{
    static const char *const clause[] = {
        "more flits than", "body flit", "a head is", "two worms", "waiting", "busy_q", "busy_q",
    };
    (void)state;
    for (size_t k = 0; k < ROWS(clause); k++)
        for (unsigned vcs = 1; vcs <= 2; vcs++) {
            struct bench b;
            bench_init(&b, with(vcs, 2, PATH_FP, SCAN_FO));
            send(&b, (struct worm){'A', 0, 0, 1, 9, 0, 0});
            send(&b, (struct worm){'B', 1, 0, 2, 9, 0, 0});
            send(&b, (struct worm){'C', 3, 0, 2, 1, 0, 0}); /* waits for B if V = 1 */
            b.block[2] = vcs == 1 ? NULL : "..xxxx";
            run(&b, 4);
            assert_null(switch_check(&b.s));
            struct port *t = b.s.port;
            switch (k) {
            case 0: t[0].fifo[0].count_q = 3; break;
            case 1: t[0].hold_q[0] = 0; break;
            case 2: t[3].hold_q[0] = 8; break;
            case 3:
                t[1].hold_q[0] = t[0].hold_q[0];
                t[1].chan_q[0] = t[0].chan_q[0];
                break;
            case 4: b.s.waiting ^= 1; break;
            case 5: b.s.busy_q[1] = 0; break;
            default: b.s.busy_q[4] = 1; break;
            }
            const char *found = switch_check(&b.s);
            assert_non_null(found);
            if (!strstr(found, clause[k]))
                print_error("corruption %zu: found \"%s\"\n", k, found);
            assert_non_null(strstr(found, clause[k]));
        }
}

/* Each clause of switch_check_wires() finds what it is for. */
static void wires_check_finds_planted_corruption(void **state)
{
    static const char *const clause[] = {
        "no such channel", "no such channel", "channel on offer", "channel on offer", "without a request",
        "two grants", "inputs that ask", "nothing is to decide", "without a grant", "outputs that send",
        "without a channel", "without a channel", "nothing is to decide",
    };
    static const uint8_t room[SWITCH_PORTS] = {3, 3, 3, 3, 3, 3};
    (void)state;
    for (size_t k = 0; k < ROWS(clause); k++)
        for (unsigned vcs = 1; vcs <= 2; vcs++) {
            struct bench b;
            struct switch_wires w = {.sent = 0};
            bench_init(&b, with(vcs, 2, PATH_FP, SCAN_FO));
            send(&b, (struct worm){'A', 0, 0, 2, 9, 0, 0});
            send(&b, (struct worm){'B', 1, 0, k < ROWS(clause) - 1 ? 2 : 3, 9, 0, 0});
            send(&b, (struct worm){'C', 3, 0, 1, 9, 0, 0});
            run(&b, 1);
            switch_eval(&b.s, room, &w);
            assert_null(switch_check_wires(&b.s, &w));
            CHECK_EQ(w.contest, k < ROWS(clause) - 1);
            CHECK_EQ(w.asks, 0xb);
            switch (k) {
            case 0: w.channel[5] = -2; break;
            case 1: w.channel[0] = (int8_t)vcs; break;
            case 2: w.channel[0] = -1; break;
            case 3: w.channel[2] = 0; break;
            case 4: w.gnt[0] = 8; break;
            case 5: w.gnt[1] = w.gnt[0]; break;
            case 6: w.asks |= 4; break;
            case 7: w.contest = false; break;
            case 8: w.out[3].valid = 1; break;
            case 9: w.sent |= 1; break;
            case 10: w.chan[0] = 0; break;
            case 11: w.chan[1] = 1; break;
            default: w.contest = true; break;
            }
            const char *found = switch_check_wires(&b.s, &w);
            assert_non_null(found);
            if (!strstr(found, clause[k]))
                print_error("corruption %zu: found \"%s\"\n", k, found);
            assert_non_null(strstr(found, clause[k]));
        }
}

/* Each bit of what is a mask of others, there too many or missing, is seen, in every cycle of some traffic. */
static void every_bit_of_a_mask_is_checked(void **state)
{
    static const uint8_t room[SWITCH_PORTS] = {3, 3, 3, 3, 3, 3};
    unsigned lost = 0;
    (void)state;
    for (unsigned vcs = 1; vcs <= 2; vcs++) {
        struct bench b;
        bench_init(&b, with(vcs, 2, PATH_GP, SCAN_ROT));
        for (unsigned i = 0; i < SWITCH_PORTS; i++)
            send(&b, (struct worm){(char)('A' + i), i, 0, i < 4 && i & 1 ? 15 : (i + 1) % 4, 3, 0, 0});
        for (unsigned cycle = 0; cycle < 12; cycle++) {
            struct switch_wires w = {.sent = 0};
            run(&b, 1);
            switch_eval(&b.s, room, &w);
            assert_null(switch_check_wires(&b.s, &w));
            const struct switch_wires right = w;
            for (unsigned k = 0; k < SWITCH_PORTS * SWITCH_PORTS; k++) {
                unsigned o = k / SWITCH_PORTS, i = k % SWITCH_PORTS;
                w.sent ^= (uint8_t)(1u << o);
                assert_non_null(switch_check_wires(&b.s, &w));
                w = right;
                w.asks ^= (uint8_t)(1u << o);
                assert_non_null(switch_check_wires(&b.s, &w));
                w = right;
                w.out[o].valid = !w.out[o].valid;
                lost += right.out[o].valid;
                assert_non_null(switch_check_wires(&b.s, &w));
                w = right;
                w.gnt[i] ^= (uint8_t)(1u << o);
                assert_non_null(switch_check_wires(&b.s, &w));
                w = right;
            }
            for (unsigned o = 0; o < SWITCH_PORTS; o++)
                for (unsigned v = 0; v < vcs; v++) {
                    b.s.busy_q[o] ^= (uint8_t)(1u << v);
                    assert_non_null(switch_check(&b.s));
                    b.s.busy_q[o] ^= (uint8_t)(1u << v);
                }
            for (unsigned i = 0; i < SWITCH_PORTS; i++) {
                b.s.waiting ^= (uint8_t)(1u << i);
                assert_non_null(switch_check(&b.s));
                b.s.waiting ^= (uint8_t)(1u << i);
            }
            assert_null(switch_check(&b.s));
        }
    }
    assert_true(lost > 100);
}

/* Every register as after the first reset; the same traffic then gives the same outputs. */
static void reset_in_mid_traffic(void **state)
{
    (void)state;
    for (unsigned c = 0; c < 3 * PATH_COUNT * SCAN_COUNT; c++) {
        struct switch_params p = with(1u << c / (PATH_COUNT * SCAN_COUNT), 3,
                                      (enum path_select)(c % PATH_COUNT),
                                      (enum scan_order)(c / PATH_COUNT % SCAN_COUNT));
        struct bench b;
        char first[sizeof b.log];
        bench_init(&b, p);
        struct fat_switch fresh = b.s;
        for (unsigned i = 0; i < 6; i++)
            for (unsigned k = 0; k < 2; k++)
                send(&b, (struct worm){(char)('A' + 2 * i + k), i, k % p.vcs,
                                       i < 4 && k ? 15 : (i + 1) % 4, 9, 0, i & 1});
        run(&b, 12);
        memcpy(first, b.log, sizeof first);
        assert_false(switch_idle(&b.s));

        switch_reset(&b.s, 1);
        CHECK_AT(c, switch_idle(&b.s), 1);
        CHECK_AT(c, b.s.lfsr.lfsr_q, fresh.lfsr.lfsr_q);
        assert_memory_equal(&b.s.scan, &fresh.scan, sizeof fresh.scan);
        assert_memory_equal(b.s.busy_q, fresh.busy_q, sizeof fresh.busy_q);
        for (unsigned i = 0; i < 6; i++) {
            CHECK_AT(c, b.s.port[i].next_q, 0);
            for (unsigned v = 0; v < p.vcs; v++) {
                const struct fifo *f = &b.s.port[i].fifo[v];
                CHECK_AT(c, f->count_q | f->rd_q | f->wr_q | f->fresh_q, 0);
                CHECK_AT(c, b.s.port[i].hold_q[v] | b.s.port[i].chan_q[v], 0);
                CHECK_AT(c, b.s.port[i].height_q[v], 0);
            }
        }
        b.cycle = 0;
        memset(b.sent, 0, sizeof b.sent);
        memset(b.log, '.', sizeof b.log);
        run(&b, 12);
        assert_memory_equal(b.log, first, sizeof first);
    }
}

/* An empty switch: switch_tick_idle() is switch_tick() with nothing on any link, and a switch that
 * slept through some cycles that way then does what one does that never slept. */
static void an_idle_tick_moves_only_random_bits(void **state)
{
    (void)state;
    for (unsigned c = 0; c < PATH_COUNT * SCAN_COUNT; c++) {
        static const struct link none[SWITCH_PORTS];
        struct switch_params p = with(2, 2, (enum path_select)(c % PATH_COUNT),
                                      (enum scan_order)(c / PATH_COUNT));
        struct bench b, slept;
        bench_init(&b, p);
        for (unsigned i = 0; i < 4; i++)
            send(&b, (struct worm){(char)('A' + i), i, i & 1, i == 3 ? 0 : 15, 3, 0, i & 1});
        run(&b, 15);
        CHECK_AT(c, switch_idle(&b.s), 1);
        slept = b;
        static const uint8_t room[SWITCH_PORTS] = {3, 3, 3, 3, 3, 3};
        for (unsigned t = 0; t < 20; t++) {
            switch_eval(&b.s, room, &b.w);
            switch_tick(&b.s, none, &b.w);
            switch_tick_idle(&slept.s);
            CHECK_AT(t, slept.s.lfsr.lfsr_q, b.s.lfsr.lfsr_q);
            assert_memory_equal(&slept.s.scan, &b.s.scan, sizeof b.s.scan);
            assert_memory_equal(slept.s.busy_q, b.s.busy_q, sizeof b.s.busy_q);
        }
        /* The queues of the copy still point into the first one's memory; its worms are its own. */
        for (unsigned i = 0; i < SWITCH_PORTS; i++)
            for (unsigned v = 0; v < p.vcs; v++)
                slept.s.port[i].fifo[v].mem_q = slept.mem + (i * p.vcs + v) * (p.depth - 1);
        for (unsigned i = 0; i < 6; i++) {
            struct worm w = {(char)('H' + i), i, i & 1, i < 4 ? 15 : 0, 3, 16, i & 1};
            send(&b, w);
            send(&slept, w);
        }
        run(&b, 20);
        run(&slept, 20);
        assert_memory_equal(slept.log, b.log, sizeof b.log);
    }
}

/* Random worms under random back-pressure over all parameters: each comes out whole, in order, on
 * an output that it may use, once, no channel mixes two, and none is lost. */
static void random_traffic(void **state)
{
    enum { SENDERS = SWITCH_PORTS * MAX_VCS, CLOCKS = 260, DRAIN = 200 };
    static struct flit mem[SWITCH_PORTS * MAX_VCS * (MAX_DEPTH - 1)];
    static const unsigned depths[] = {1, 2, 3, 7};
    static const struct { unsigned level, levels; } place[] = {{1, 2}, {2, 3}, {2, 2}};
    unsigned moved = 0;
    (void)state;
    for (unsigned c = 0; c < 3 * 4 * PATH_COUNT * SCAN_COUNT * 3; c++) {
        unsigned x = c;
        struct switch_params p = {.flit_w = 64};
        p.path = (enum path_select)(x % PATH_COUNT), x /= PATH_COUNT;
        p.scan = (enum scan_order)(x % SCAN_COUNT), x /= SCAN_COUNT;
        p.vcs = 1u << x % 3, x /= 3;
        p.depth = depths[x % 4], x /= 4;
        p.level = place[x].level, p.levels = place[x].levels;
        struct fat_switch s;
        switch_init(&s, &p, mem);
        switch_reset(&s, draw(0xffffffff));
        /* Per input channel: worm being sent and how many flits are left; per output channel: the
         * sender of the worm that crosses and the number of its next flit. */
        unsigned left[SENDERS] = {0}, next[SENDERS] = {0}, may[SENDERS] = {0}, in_flight = 0;
        int owner[SENDERS];
        memset(owner, -1, sizeof owner);
        unsigned expect[SENDERS] = {0}, serial_in[SENDERS] = {0}, serial_out[SENDERS] = {0};
        unsigned goes[SENDERS][64];
        struct switch_wires w = {.sent = 0};
        for (unsigned t = 0; t < CLOCKS + DRAIN; t++) {
            uint8_t room[SWITCH_PORTS];
            struct link in[SWITCH_PORTS] = {{.valid = 0}};
            for (unsigned o = 0; o < SWITCH_PORTS; o++)
                room[o] = (uint8_t)(t < CLOCKS ? draw(1u << p.vcs) : (1u << p.vcs) - 1);
            for (unsigned i = 0; i < s.ports; i++) {
                unsigned v = draw(p.vcs), a = i * MAX_VCS + v, size = 1u << 2 * (p.level - 1);
                if (!(port_room(&s.port[i], &p) >> v & 1) || draw(4) == 0)
                    continue;
                struct flit f = {.payload = (uint64_t)a << 56 | (uint64_t)next[a] << 48};
                if (!left[a]) {
                    unsigned n = 1u << 2 * p.levels, dst, src;
                    if (t >= CLOCKS - 20 || serial_in[a] == 64 || draw(3) == 0)
                        continue;
                    src = i < 4 ? i * size : 4 * size;
                    do
                        dst = draw(n);
                    while (i < 4 ? dst / size == src / size : dst >= 4 * size);
                    unsigned height = worm_height(src, dst), path = draw(1u << (p.levels - 1));
                    left[a] = 1 + draw(5);
                    next[a] = 0;
                    may[a] = i < 4 && height > p.level ? p.path == PATH_FP
                                 ? 16u << (path >> (p.level - 1) & 1) : 0x30
                                 : 1u << dst / size % 4;
                    goes[a][serial_in[a] & 63] = may[a];
                    f.payload = (uint64_t)a << 56 | head_pack(p.levels, dst, src, height, path);
                    f.kind = FLIT_HEAD;
                    serial_in[a]++;
                }
                next[a]++;
                if (--left[a] == 0)
                    f.kind |= FLIT_TAIL;
                in[i] = (struct link){.flit = f, .valid = (uint8_t)(1u << v)};
                in_flight++;
            }
            switch_eval(&s, room, &w);
            for (unsigned o = 0; o < SWITCH_PORTS; o++) {
                const struct flit *f = &w.out[o].flit;
                if (!w.out[o].valid)
                    continue;
                unsigned chan = (unsigned)__builtin_ctz(w.out[o].valid);
                unsigned b = o * MAX_VCS + chan, a = (unsigned)(f->payload >> 56);
                CHECK_AT(c, w.out[o].valid & ~room[o], 0);
                if (f->kind & FLIT_HEAD) {
                    CHECK_AT(c, owner[b], -1);
                    CHECK_AT(c, goes[a][serial_out[a]++ & 63] >> o & 1, 1);
                    owner[b] = (int)a;
                    expect[b] = 1;
                } else {
                    CHECK_AT(c, owner[b], (int)a);
                    CHECK_AT(c, f->payload >> 48 & 0xff, expect[b]++);
                }
                if (f->kind & FLIT_TAIL)
                    owner[b] = -1;
                in_flight--;
                moved++;
            }
            switch_tick(&s, in, &w);
            assert_null(switch_check(&s));
        }
        CHECK_AT(c, in_flight, 0);
        CHECK_AT(c, switch_idle(&s), 1);
        assert_memory_equal(serial_in, serial_out, sizeof serial_in);
    }
    assert_true(moved > 100000);
}

/* The words of the probe, where the RTL has them: {ports, scan, busy_q, lfsr_q} from word 0. */
static void probe_words(void **state)
{
    struct switch_params p = with(1, 2, PATH_RP, SCAN_RR);
    uint32_t words[64] = {0};
    static const uint8_t room[SWITCH_PORTS] = {1, 1, 1, 1, 1, 1};
    struct link in[SWITCH_PORTS] = {{.valid = 0}};
    struct switch_wires w = {.sent = 0};
    struct bench b;
    (void)state;
    bench_init(&b, p);
    memset(b.mem, 0, sizeof b.mem);
    /* 2 words of switch, 1 of scan, 6 ports: 1 + 2 of the link, 1 + 2 * 2 of the queue. */
    CHECK_EQ(switch_probe_words(&p), 2 + 1 + 6 * (3 + 5));
    in[0].flit = (struct flit){.payload = head_pack(2, 3, 0, 1, 0), .kind = FLIT_HEAD};
    in[0].valid = 1;
    switch_eval(&b.s, room, &w);
    switch_probe(&b.s, in, &w, words);
    CHECK_EQ(words[0], 1);
    CHECK_EQ(words[3], 0x4011); /* offer 1, room, valid */
    CHECK_EQ(words[4], 0x103);  /* dst 3, height 1 */
    CHECK_EQ(words[5], FLIT_HEAD);
    switch_tick(&b.s, in, &w);
    in[0] = (struct link){.valid = 0};
    switch_eval(&b.s, room, &w);
    switch_probe(&b.s, in, &w, words);
    CHECK_EQ(words[0], 0x00010000);
    CHECK_EQ(words[1], 0);
    CHECK_EQ(words[3], 0x4810); /* gnt: output 3 */
    CHECK_EQ(words[6], 0x2001); /* fresh, one flit */
    CHECK_EQ(words[7], 0x103);
    CHECK_EQ(words[8], FLIT_HEAD);
    switch_tick(&b.s, in, &w);
    switch_eval(&b.s, room, &w);
    switch_probe(&b.s, in, &w, words);
    CHECK_EQ(words[1], 8);           /* output 3 is held */
    CHECK_EQ(words[6], 0x8u << 14); /* by port 0 */
    CHECK_EQ(words[7], 0);           /* what has left is not shown */
    CHECK_EQ(words[8], 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hop_takes_one_cycle),
        cmocka_unit_test(rate_by_depth),
        cmocka_unit_test(no_worm_is_cut_and_no_cycle_lost),
        cmocka_unit_test(a_held_output_waits_for_its_worm),
        cmocka_unit_test(back_pressure),
        cmocka_unit_test(six_at_once),
        cmocka_unit_test(fp_goes_where_the_path_says),
        cmocka_unit_test(gp_takes_the_lowest_free_parent),
        cmocka_unit_test(up_by_the_random_bit),
        cmocka_unit_test(rp_draws_anew_in_each_cycle),
        cmocka_unit_test(rg_takes_the_other_parent),
        cmocka_unit_test(rw_waits_for_what_it_drew),
        cmocka_unit_test(rr_from_a_random_port),
        cmocka_unit_test(fcfs_the_longest_waiting_first),
        cmocka_unit_test(ff_the_highest_first),
        cmocka_unit_test(rot_takes_turns),
        cmocka_unit_test(two_channels_share_a_link),
        cmocka_unit_test(one_channel_does_not_interleave),
        cmocka_unit_test(an_input_offers_its_channels_in_turn),
        cmocka_unit_test(the_root_has_no_parents),
        cmocka_unit_test(check_finds_planted_corruption),
        cmocka_unit_test(wires_check_finds_planted_corruption),
        cmocka_unit_test(every_bit_of_a_mask_is_checked),
        cmocka_unit_test(reset_in_mid_traffic),
        cmocka_unit_test(an_idle_tick_moves_only_random_bits),
        cmocka_unit_test(random_traffic),
        cmocka_unit_test(probe_words),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
