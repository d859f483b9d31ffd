/* SPDX-License-Identifier: Apache-2.0
 * test_cube.c - the cube's router and network: cycles worked out by hand, shapes, what is refused.
 */
#include "cube_network.h"
#include "dut.h"
#include "fatfly.h"
#include "probe.h"

#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "shown.h"

static const struct cube_params torus4 = {.radix = 4, .torus = true, .vcs = 2, .depth = 2,
                                          .flit_w = 32, .scan = SCAN_ROT};

/* -- one router, by hand ---------------------------------------------------------------------- */

struct bench {
    struct cube_network *n;
    struct link in[CUBE_PORTS];
    uint16_t room[CUBE_PORTS];
};

static void open_bench(struct bench *b, const struct cube_params *p, int node)
{
    memset(b, 0, sizeof *b);
    b->n = cube_network_new(p, node);
    assert_non_null(b->n);
    memset(b->room, 0xff, sizeof b->room);
    cube_network_reset(b->n, 1);
}

static void send(struct bench *b, unsigned port, unsigned channel, enum flit_kind kind, uint32_t dst)
{
    b->in[port].valid = (uint16_t)(1u << channel);
    b->in[port].flit.kind = (uint8_t)kind;
    b->in[port].flit.payload = cube_head(b->n->params.radix, dst, 0);
}

/* One cycle; the channels that a flit leaves for at an output. */
static unsigned step(struct bench *b, unsigned output)
{
    cube_network_drive(b->n, b->in, b->room);
    unsigned valid = b->n->link[CUBE_PORTS + output].valid;
    cube_network_tick(b->n);
    memset(b->in, 0, sizeof b->in);
    return valid;
}

/* A worm of four flits crosses an idle router: a cycle a hop, a flit a cycle, its channel held from
 * head to tail.  Node 5 is (1, 1); its processor sends to 7, (3, 1), by x + 1 and channel 1. */
static void worm_of_four(void **state)
{
    static const enum flit_kind kind[4] = {FLIT_HEAD, FLIT_BODY, FLIT_BODY, FLIT_TAIL};
    struct bench b;

    (void)state;
    open_bench(&b, &torus4, 5);
    for (unsigned t = 0; t < 6; t++) {
        if (t < 4)
            send(&b, CUBE_PROCESSOR, 0, kind[t], 6);
        CHECK_AT(t, step(&b, 0), t >= 1 && t <= 4 ? 2 : 0);
        CHECK_AT(t, b.n->router[0].busy_q[0], t >= 1 && t <= 3 ? 2 : 0);
    }
    cube_network_free(b.n);
}

/* e-cube: the lower channels over the link that joins the ends of a line, the upper ones else. */
static void datelines(void **state)
{
    struct bench b;

    (void)state;
    open_bench(&b, &torus4, 7); /* (3, 1); x + 1 leads to x = 0 */
    send(&b, CUBE_PROCESSOR, 0, FLIT_SINGLE, 4);
    CHECK_EQ(step(&b, 0), 0);
    CHECK_EQ(step(&b, 0), 1);
    send(&b, 1, 1, FLIT_SINGLE, 6); /* to x - 1, where it came from: it stays */
    CHECK_EQ(step(&b, 1), 0);
    CHECK_EQ(step(&b, 1), 0);
    cube_network_free(b.n);
}

/* Negative-hop: the number of hops from odd to even nodes; either dimension; any channel home. */
static void negative_hops(void **state)
{
    struct cube_params p = torus4;
    struct bench b;
    unsigned by[CUBE_PORTS] = {0};

    (void)state;
    p.negative_hop = true;
    p.vcs = 3;
    open_bench(&b, &p, 5); /* even: who comes by a link has made a negative hop */
    for (unsigned k = 0; k < 64; k++) {
        send(&b, 1, 1, FLIT_SINGLE, 10); /* from x - 1, to (2, 2) */
        step(&b, 0);
        cube_network_drive(b.n, b.in, b.room);
        for (unsigned o = 0; o < CUBE_PORTS; o++) {
            unsigned valid = b.n->link[CUBE_PORTS + o].valid;
            by[o] += valid != 0;
            assert_true(valid == 0 || valid == 4);
        }
        cube_network_tick(b.n);
    }
    CHECK_EQ(by[0] + by[2], 64);
    assert_true(by[0] > 16 && by[2] > 16);
    send(&b, CUBE_PROCESSOR, 2, FLIT_SINGLE, 6); /* injected: none made */
    step(&b, 0);
    CHECK_EQ(step(&b, 0), 1);
    b.room[CUBE_PROCESSOR] = 6; /* channel 0 of the processor is full */
    send(&b, 2, 0, FLIT_SINGLE, 5);
    step(&b, CUBE_PROCESSOR);
    CHECK_EQ(step(&b, CUBE_PROCESSOR), 2);
    cube_network_free(b.n);
}

/* Two worms for one output: each on a channel of its own, flit by flit in turn (ROT). */
static void shared_link(void **state)
{
    static const unsigned valid[8] = {0, 1, 2, 1, 2, 0, 0, 0};
    struct cube_params p = torus4;
    struct bench b;

    (void)state;
    p.torus = false; /* any channel will do */
    open_bench(&b, &p, 5);
    for (unsigned t = 0; t < 8; t++) {
        if (t < 2) {
            send(&b, 1, 0, t ? FLIT_TAIL : FLIT_HEAD, 7);
            send(&b, CUBE_PROCESSOR, 0, t ? FLIT_TAIL : FLIT_HEAD, 7);
        }
        CHECK_AT(t, step(&b, 0), valid[t]);
    }
    cube_network_free(b.n);
}

/* -- the network ------------------------------------------------------------------------------ */

/* Every link of a torus leads to one port, and back by port p ^ 1; edges of a mesh lead nowhere. */
static void wires(void **state)
{
    (void)state;
    for (unsigned k = 2; k <= 6; k++)
        for (unsigned torus = 0; torus < 2; torus++) {
            struct cube_params p = {.radix = k, .torus = torus};
            uint32_t to[CUBE_PORTS * 36], nodes = k * k, edge = 0;
            cube_wire(&p, to);
            for (uint32_t l = 0; l < CUBE_PORTS * nodes; l++) {
                if (l % CUBE_PORTS == CUBE_PROCESSOR)
                    CHECK_AT(l, to[l], CUBE_PORTS * nodes + l / CUBE_PORTS);
                else if (to[l] == CUBE_PORTS * nodes + nodes)
                    edge++;
                else
                    CHECK_AT(l, to[to[l]], l);
            }
            CHECK_EQ(edge, torus ? 0 : 4 * k);
        }
}

/* Ways of every radix, from every node to every other, against docs/cube.md: with hops of a line counted one by one. */
static void ways_of_every_radix(void **state)
{
    (void)state;
    for (unsigned k = 2; k <= MAX_RADIX; k++)
        for (unsigned kind = 0; kind < 4; kind++) {
            struct cube_params p = {.radix = k, .torus = kind & 1, .negative_hop = kind >> 1, .vcs = 9};
            for (uint32_t pair = 0; pair < k * k * k * k; pair++) {
                unsigned node = pair % (k * k), dst = pair / (k * k), port = pair % CUBE_PORTS, channel = pair % 8;
                unsigned want = 0, low = 0, odd = (node % k + node / k) % 2;
                for (unsigned d = 2; d-- > 0;) { /* of e-cube the first counts */
                    unsigned x = d ? node / k : node % k, y = d ? dst / k : dst % k, up = 0, down = 0;
                    for (unsigned at = x; at != y; at = (at + 1) % k)
                        up++;
                    for (unsigned at = x; at != y; at = (at + k - 1) % k)
                        down++;
                    if (x == y)
                        continue;
                    bool rises = !p.torus ? y > x : up == down ? x % 2 == 0 : up < down;
                    want = (p.negative_hop ? want : 0) | 1u << (2 * d + !rises);
                    low = rises ? y < x : y > x; /* the link between k - 1 and 0 is to come */
                }
                struct cube_ways w = cube_route(&p, node, dst, port, channel);
                CHECK_AT(k, w.want, want ? want : 1u << CUBE_PROCESSOR);
                unsigned mask = !p.torus ? 511 : low ? 15 : 496;
                if (p.negative_hop)
                    mask = 1u << (port == CUBE_PROCESSOR ? 0 : channel + !odd);
                CHECK_AT(k, w.mask & 511, want ? mask : w.mask & 511u);
            }
        }
}

/* A worm of L flits over h links arrives with its tail in cycle h + L, from every node to every other:
 * h + 1 links with the one to the processor, and one from it. */
static void lone_worms(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 4; kind++) {
        struct cube_params p = torus4;
        p.torus = kind & 1;
        p.negative_hop = kind >> 1;
        p.vcs = 4;
        struct cube_network *n = cube_network_new(&p, -1);
        struct link in[16];
        uint16_t room[16];
        assert_non_null(n);
        memset(room, 0xff, sizeof room);
        for (uint32_t src = 0; src < 16; src++)
            for (uint32_t dst = 0; dst < 16; dst++) {
                unsigned hops = 0, arrived = 0;
                for (unsigned d = 0, a = src, b = dst; d < 2; d++, a /= 4, b /= 4) {
                    unsigned far = a % 4 > b % 4 ? a % 4 - b % 4 : b % 4 - a % 4;
                    hops += p.torus && far == 3 ? 1 : far;
                }
                if (src == dst)
                    continue;
                cube_network_reset(n, src + 16 * dst + 1);
                for (unsigned t = 0; t < hops + 8; t++) {
                    memset(in, 0, sizeof in);
                    if (t < 3) {
                        in[src].valid = 1;
                        in[src].flit.kind = t == 0 ? FLIT_HEAD : t == 2 ? FLIT_TAIL : FLIT_BODY;
                        in[src].flit.payload = t ? t : cube_head(4, dst, src);
                    }
                    cube_network_drive(n, in, room);
                    for (uint32_t e = 0; e < 16; e++) {
                        const struct link *out = &n->link[CUBE_PORTS * 16 + e];
                        if (!out->valid)
                            continue;
                        CHECK_AT(src, e, dst);
                        CHECK_AT(t, t, hops + 1 + arrived);
                        CHECK_AT(t, out->flit.payload, arrived ? arrived : cube_head(4, dst, src));
                        arrived++;
                    }
                    cube_network_tick(n);
                }
                CHECK_AT(src, arrived, 3);
            }
        cube_network_free(n);
    }
}

/* Negative-hop on a torus of radix 16: of 16 hops from an odd node every second is negative, so that
 * the last takes class 8. */
static void nine_classes(void **state)
{
    struct cube_params p = torus4;
    struct link in[256] = {{.valid = 0}};
    uint16_t room[256];
    unsigned hop = 0;

    (void)state;
    p.radix = 16;
    p.negative_hop = true;
    p.vcs = 9;
    struct cube_network *n = cube_network_new(&p, -1);
    assert_non_null(n);
    memset(room, 0xff, sizeof room);
    cube_network_reset(n, 1);
    in[1].valid = 1;
    in[1].flit.kind = FLIT_SINGLE;
    in[1].flit.payload = cube_head(16, 9 + 16 * 8, 1); /* (1, 0) to (9, 8) */
    for (unsigned t = 0; t < 18; t++) {
        cube_network_drive(n, in, room);
        in[1].valid = 0;
        for (uint32_t l = 0; l < CUBE_PORTS * 256; l++)
            if (n->link[l].valid && l % CUBE_PORTS != CUBE_PROCESSOR) {
                hop++;
                CHECK_AT(t, hop, t);
                CHECK_AT(t, n->link[l].valid, 1u << hop / 2);
            }
        CHECK_AT(t, n->link[CUBE_PORTS * 256 + 9 + 16 * 8].valid != 0, t == 17);
        cube_network_tick(n);
    }
    CHECK_EQ(hop, 16);
    cube_network_free(n);
}

/* Room and valid of channel 8 pass the seam. */
static void ninth_channel(void **state)
{
    struct dut_shape s;
    struct link in[CUBE_PORTS] = {{.valid = 0}}, out[CUBE_PORTS];
    uint16_t room[CUBE_PORTS] = {0}, exit_room[CUBE_PORTS] = {[CUBE_PROCESSOR] = 0x100};
    char why[200];

    (void)state;
    assert_null(dut_shape_parse("torus16n17-v9-q1-w32-nhop-rot", &s, why, sizeof why));
    struct dut *d = dut_cube.open(&s, why, sizeof why);
    assert_non_null(d);
    dut_cube.reset(d, 1);
    in[1].valid = 0x100;
    in[1].flit.kind = FLIT_SINGLE;
    in[1].flit.payload = cube_head(16, 17, 0);
    for (unsigned t = 0; t < 3; t++) {
        dut_cube.room(d, room);
        for (unsigned e = 0; e < CUBE_PORTS; e++)
            CHECK_AT(t, room[e], t == 1 && e == 1 ? 0xff : 0x1ff);
        dut_cube.drive(d, in, exit_room);
        dut_cube.sample(d, out);
        for (unsigned e = 0; e < CUBE_PORTS; e++)
            CHECK_AT(t, out[e].valid, t == 1 && e == CUBE_PROCESSOR ? 0x100 : 0);
        dut_cube.tick(d);
        in[1].valid = 0;
    }
    dut_cube.close(d);
}

/* -- shapes ----------------------------------------------------------------------------------- */

static void names(void **state)
{
    static const char *const good[] = {"torus4-v2-q2-w32-ecube-rot", "mesh16-v1-q16-w64-ecube-fo",
                                       "torus8n63-v5-q1-w16-nhop-rr", "mesh5n0-v5-q2-w32-nhop-rot",
                                       "torus16-v9-q2-w32-nhop-rot"};
    static const struct { const char *name, *why; } bad[] = {
        {"torus1-v2-q2-w32-ecube-rot", "radix = 1; allowed: 2 to 16"},
        {"torus17-v2-q2-w32-ecube-rot", "radix = 17; allowed: 2 to 16"},
        {"torus5-v4-q2-w32-nhop-rot", "cannot have two colours"},
        {"torus4-v1-q2-w32-ecube-rot", "vcs = 1; allowed: e-cube on a torus of radix 4 takes 2 to 9"},
        {"torus4-v2-q2-w32-nhop-rot", "vcs = 2; allowed: negative-hop on a torus of radix 4 takes 3 to 9"},
        {"mesh10-v9-q2-w32-nhop-rot", "needs 10 virtual channels; allowed: at most 9"},
        {"torus4-v10-q2-w32-ecube-rot", "vcs = 10; allowed: e-cube on a torus of radix 4 takes 2 to 9"},
        {"torus4-v2-q17-w32-ecube-rot", "depth = 17 flits; allowed: 1 to 16"},
        {"torus4-v2-q2-w15-ecube-rot", "flit_w = 15 bits; allowed: 16 to 64"},
        {"torus4-v2-q2-w32-ecube-ff", "scan = ff; allowed in a cube: rr, fo, rot"},
        {"torus4-v2-q2-w32-ecube-fcfs", "scan = fcfs; allowed"},
        {"torus4-v2-q2-w32-ecube-xy", "scan = ?; allowed"},
        {"torus4-v2-q2-w32-rp-rot", "allowed: torus<k>"},
        {"torus4n16-v2-q2-w32-ecube-rot", "node = 16; allowed: 0 to 15"},
        {"torus4-v2-q2-w32-ecube-rot-", "allowed: torus<k>"},
        {"torus-v2-q2-w32-ecube-rot", "allowed: torus<k>"},
        {"torus04-v2-q2-w32-ecube-rot", "is not in its plain form"},
    };
    struct dut_shape s;
    char why[200], name[64];

    (void)state;
    for (unsigned k = 0; k < ROWS(good); k++) {
        if (dut_shape_parse(good[k], &s, why, sizeof why))
            fail_msg("%s: %s", good[k], why);
        dut_shape_name(&s, name, sizeof name);
        assert_string_equal(name, good[k]);
    }
    for (unsigned k = 0; k < ROWS(bad); k++) {
        if (!dut_shape_parse(bad[k].name, &s, why, sizeof why))
            fail_msg("%s was taken", bad[k].name);
        if (!strstr(why, bad[k].why))
            fail_msg("%s: %s", bad[k].name, why);
    }
}

/* A head says who sends and who receives: of a cube x and y of both, dst first, each in as many bits as k - 1 has; of a tree both in
 * two bits a level. */
static void heads(void **state)
{
    (void)state;
    for (unsigned k = 2; k <= 16; k++) {
        struct dut_shape s = {.network = true, .cube = {.radix = k}};
        unsigned bits = 1;
        while (1u << bits < k)
            bits++;
        CHECK_AT(k, dut_address_bits(&s), 2 * bits);
        for (uint32_t n = 0; n < k * k * k * k; n += 1 + k / 8) {
            uint32_t dst = n % (k * k), src = n / (k * k);
            uint64_t head = dst % k | (dst / k) << bits | (src % k) << 2 * bits | (src / k) << 3 * bits;
            CHECK_AT(n, dut_head_dst(&s, head | UINT64_C(0x5a) << 4 * bits), dst);
            CHECK_AT(n, dut_head_src(&s, head | UINT64_C(0x5a) << 4 * bits), src);
        }
    }
    for (unsigned levels = 1; levels <= MAX_LEVELS; levels++) {
        struct dut_shape s = {.network = true, .params = {.levels = levels}};
        CHECK_AT(levels, dut_address_bits(&s), 2 * levels);
        for (unsigned k = 0; k < 100; k++) {
            uint64_t drawn = (uint64_t)draw(UINT32_MAX) << 32 | draw(UINT32_MAX), last = (UINT64_C(1) << 2 * levels) - 1;
            CHECK_AT(k, dut_head_dst(&s, drawn), drawn & last);
            CHECK_AT(k, dut_head_src(&s, drawn), drawn >> 2 * levels & last);
        }
    }
}

/* The probe's table: as many words as the router writes, no two signals share a bit. */
static void probe_covers_words(void **state)
{
    static const unsigned widths[] = {16, 30, 31, 32, 62, 63, 64};

    (void)state;
    for (unsigned vcs = 1; vcs <= 9; vcs++)
        for (unsigned depth = 1; depth <= 16; depth++)
            for (unsigned w = 0; w < ROWS(widths); w++) {
                struct dut_shape s = {.params = {.vcs = vcs, .depth = depth, .flit_w = widths[w],
                                                 .scan = SCAN_ROT},
                                      .cube = {.radix = 4}};
                struct cube_params c;
                struct probe p;
                dut_cube_params(&s, &c);
                assert_int_equal(probe_init(&p, &s), 0);
                CHECK_EQ(p.words, cube_probe_words(&c));
                unsigned char *used = calloc(p.words * 32, 1);
                assert_non_null(used);
                for (unsigned k = 0; k < p.count; k++)
                    for (unsigned b = 0; b < p.signal[k].width; b++) {
                        assert_true(p.signal[k].bit + b < p.words * 32);
                        assert_false(used[p.signal[k].bit + b]);
                        used[p.signal[k].bit + b] = 1;
                    }
                free(used);
                probe_free(&p);
            }
}

static uint64_t draw_bits(unsigned width)
{
    uint64_t bits = 0;
    for (unsigned k = 0; k < 4; k++)
        bits = bits << 16 | draw(1u << 16);
    return bits >> (64 - width);
}

static void same_flit(const struct probe *p, const uint32_t *words, unsigned port, unsigned vc, const char *payload,
                      const char *kind, const struct flit *want)
{
    const struct probe_signal *a = probe_find(p, payload, port, vc), *b = probe_find(p, kind, port, vc);

    assert_non_null(a);
    assert_non_null(b);
    CHECK_AT(p->shape.params.flit_w, probe_get(p, words, 0, a), want->payload);
    CHECK_AT(p->shape.params.flit_w, probe_get(p, words, 0, b), want->kind);
}

/* Flits of every width on a link, at the front of a queue and behind it, read back by name. */
static void probe_shows_flits(void **state)
{
    (void)state;
    for (unsigned width = 16; width <= 64; width++)
        for (unsigned depth = 2; depth <= 3; depth++) {
            struct dut_shape s = {.params = {.vcs = 2, .depth = depth, .flit_w = width, .scan = SCAN_ROT},
                                  .cube = {.radix = 4, .torus = 1}};
            struct flit mem[CUBE_PORTS * 2 * 2] = {{0}};
            struct link in[CUBE_PORTS] = {{.valid = 0}};
            struct cube_wires wires = {.gnt = {0}};
            struct cube_router r;
            struct cube_params c;
            struct probe p;

            dut_cube_params(&s, &c);
            assert_int_equal(probe_init(&p, &s), 0);
            cube_router_init(&r, &c, 5, mem);
            cube_router_reset(&r, 1);
            memset(wires.channel, -1, sizeof wires.channel);
            for (unsigned i = 0; i < CUBE_PORTS; i++) {
                struct flit f[] = {{.payload = draw_bits(width), .kind = (uint8_t)draw(4)},
                                   {.payload = draw_bits(width), .kind = (uint8_t)draw(4)},
                                   {.payload = draw_bits(width), .kind = (uint8_t)draw(4)}};
                in[i] = (struct link){.flit = f[0], .valid = 1};
                for (unsigned v = 0; v < 2; v++) {
                    r.port[i].fifo[v].count_q = 2;
                    r.port[i].fifo[v].front_q = f[1 + v];
                    r.port[i].fifo[v].mem_q[0] = f[2 - v];
                }
            }
            uint32_t *words = malloc(p.words * sizeof *words);
            assert_non_null(words);
            cube_router_probe(&r, in, &wires, words);
            for (unsigned i = 0; i < CUBE_PORTS; i++) {
                same_flit(&p, words, i, PROBE_NO_VC, "link_payload", "link_kind", &in[i].flit);
                for (unsigned v = 0; v < 2; v++) {
                    same_flit(&p, words, i, v, "front_q.payload", "front_q.kind", &r.port[i].fifo[v].front_q);
                    same_flit(&p, words, i, v, "mem_q[0].payload", "mem_q[0].kind", &r.port[i].fifo[v].mem_q[0]);
                }
            }
            free(words);
            probe_free(&p);
        }
}

/* A router and the wires around it, all with values that can be. */
struct shown {
    struct probe p;
    struct cube_router r;
    struct cube_wires wires;
    struct link in[CUBE_PORTS];
    struct flit mem[CUBE_PORTS * MAX_CUBE_VCS * (MAX_DEPTH - 1)];
};

static void fill_channel(const struct cube_params *c, struct cube_port *t, unsigned v)
{
    struct fifo *f = &t->fifo[v];

    t->hold_q[v] = (uint8_t)some_one(CUBE_PORTS);
    t->chan_q[v] = some_one(c->vcs);
    f->count_q = (uint8_t)some(c->depth);
    f->rd_q = (uint8_t)(c->depth > 1 ? some(c->depth - 2) : 0);
    f->wr_q = (uint8_t)(c->depth > 1 ? some(c->depth - 2) : 0);
    f->fresh_q = (uint8_t)some(1);
    f->front_q = some_flit(c->flit_w);
    for (unsigned k = 0; k + 1 < c->depth; k++)
        f->mem_q[k] = some_flit(c->flit_w);
}

static void fill(struct shown *x, const struct cube_params *c)
{
    cube_router_init(&x->r, c, 1, x->mem);
    cube_router_reset(&x->r, 1);
    memset(&x->wires, 0, sizeof x->wires);
    x->r.lfsr.lfsr_q = (uint32_t)some_bits(32);
    x->r.scan.start_q = (uint8_t)some(5);
    for (unsigned i = 0; i < SWITCH_PORTS; i++)
        x->r.scan.rot_q[i] = (uint8_t)some(5);
    for (unsigned i = 0; i < CUBE_PORTS; i++) {
        x->r.busy_q[i] = (uint16_t)some((1u << c->vcs) - 1);
        x->r.port[i].next_q = (uint8_t)some(c->vcs - 1);
        x->wires.channel[i] = (int8_t)((int)some(c->vcs) - 1);
        x->wires.gnt[i] = (uint8_t)some_one(CUBE_PORTS);
        x->in[i] = (struct link){.flit = some_flit(c->flit_w), .valid = some_one(c->vcs)};
        for (unsigned v = 0; v < c->vcs; v++)
            fill_channel(c, &x->r.port[i], v);
    }
}

static uint64_t of_port(const struct shown *x, const struct probe_signal *g)
{
    const struct cube_params *c = &x->r.params;
    unsigned room = 0, i = g->port;

    if (!strcmp(g->name, "rot_q"))
        return x->r.scan.rot_q[i];
    if (i >= CUBE_PORTS)
        return 0;
    for (unsigned v = 0; v < c->vcs; v++)
        room |= (unsigned)(x->r.port[i].fifo[v].count_q < c->depth) << v;
    const struct field field[] = {
        {"busy_q", x->r.busy_q[i]}, {"room", room}, {"next_q", x->r.port[i].next_q}, {"gnt", x->wires.gnt[i]},
        {"offer", x->wires.channel[i] < 0 ? 0 : 1u << x->wires.channel[i]}, {"link_valid", x->in[i].valid},
        {"link_kind", x->in[i].flit.kind}, {"link_payload", x->in[i].flit.payload}};
    return field_of(field, ROWS(field), g->name);
}

static uint64_t of_channel(const struct shown *x, const struct probe_signal *g)
{
    static const struct flit none;
    const struct cube_port *t = &x->r.port[g->port % CUBE_PORTS];
    const struct fifo *f = &t->fifo[g->vc];
    bool two = x->r.params.depth == 2; /* what is not in such a queue is not shown */
    const struct flit *front = two && f->count_q == 0 ? &none : &f->front_q;
    unsigned k = 0;

    if (g->port >= CUBE_PORTS)
        return 0;
    if (sscanf(g->name, "mem_q[%u]", &k) == 1) {
        const struct flit *m = two && f->count_q < 2 ? &none : &f->mem_q[k];
        return strstr(g->name, "].kind") ? m->kind : m->payload;
    }
    const struct field field[] = {
        {"count_q", f->count_q}, {"rd_q", f->rd_q}, {"wr_q", f->wr_q}, {"fresh_q", f->fresh_q}, {"hold_q", t->hold_q[g->vc]},
        {"chan_q", t->chan_q[g->vc]}, {"front_q.kind", front->kind}, {"front_q.payload", front->payload}};
    return field_of(field, ROWS(field), g->name);
}

static void shows_all(struct shown *x, const struct dut_shape *shape)
{
    struct cube_params c;

    dut_cube_params(shape, &c);
    assert_int_equal(probe_init(&x->p, shape), 0);
    fill(x, &c);
    const struct field own[] = {{"lfsr_q", x->r.lfsr.lfsr_q}, {"start_q", x->r.scan.start_q}};
    uint32_t *words = malloc(x->p.words * sizeof *words);
    assert_non_null(words);
    cube_router_probe(&x->r, x->in, &x->wires, words);
    for (unsigned k = 0; k < x->p.count; k++) {
        const struct probe_signal *g = &x->p.signal[k];
        uint64_t got = probe_get(&x->p, words, 0, g);
        uint64_t want = g->vc != PROBE_NO_VC       ? of_channel(x, g)
                        : g->port != PROBE_NO_PORT ? of_port(x, g)
                                                   : field_of(own, ROWS(own), g->name);
        if (got != want)
            print_error("port %u, channel %u, %s, q = %u\n", g->port, g->vc, g->name, c.depth);
        CHECK_AT(k, got, want);
    }
    free(words);
    probe_free(&x->p);
}

/* Every signal of a shape is what was put in the field of its name: with the greatest values and with drawn ones. */
static void probe_shows_every_field(void **state)
{
    static const unsigned depths[] = {1, 2, 3, 4, 16};
    static const enum scan_order scans[] = {SCAN_RR, SCAN_FO, SCAN_ROT};
    static struct shown x;

    (void)state;
    for (unsigned vcs = 1; vcs <= MAX_CUBE_VCS; vcs++)
        for (unsigned n = 0; n < ROWS(depths) * ROWS(scans); n++)
            for (unsigned k = 0; k < 4; k++) {
                struct dut_shape s = {.params = {.vcs = vcs, .depth = depths[n / ROWS(scans)], .flit_w = k ? 16 + draw(49) : 64,
                                                 .scan = scans[n % ROWS(scans)]},
                                      .cube = {.radix = 4, .torus = k % 2, .negative_hop = vcs >= 5 && k < 2}};
                greatest = k == 0;
                shows_all(&x, &s);
            }
}

/* -- beside the simulator's engine ------------------------------------------------------------ */

enum { FULL_FROM = 1500, FULL_CYCLES = 4500, FULL_LENGTH = 32 };

/* A processor that always has a worm for each channel, to a processor drawn anew. */
struct full_source {
    uint32_t dst[MAX_CUBE_VCS];
    unsigned sent[MAX_CUBE_VCS];
    unsigned turn;
};

static uint32_t draw_node(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)((*state >> 33) % below);
}

static void inject(struct cube_network *n, struct full_source *s, uint32_t node, struct link *in, uint64_t *random)
{
    const struct cube_params *p = &n->params;
    uint16_t room = n->room[n->enter[node]];
    memset(in, 0, sizeof *in);
    for (unsigned k = 0; k < p->vcs; k++) {
        unsigned v = (s->turn + k) % p->vcs;
        if (!(room >> v & 1))
            continue;
        while (s->sent[v] == 0 && (s->dst[v] = draw_node(random, n->routers)) == node)
            ;
        in->valid = (uint16_t)(1u << v);
        in->flit.kind = (uint8_t)((s->sent[v] == 0 ? FLIT_HEAD : 0) | (s->sent[v] == FULL_LENGTH - 1 ? FLIT_TAIL : 0));
        in->flit.payload = s->sent[v] == 0 ? cube_head(p->radix, s->dst[v], node) : 0;
        s->sent[v] = (s->sent[v] + 1) % FULL_LENGTH;
        s->turn = v + 1;
        return;
    }
}

/* Flits a cycle and processor that the routers deliver when all processors always send. */
static double router_carries(const struct cube_params *p)
{
    struct cube_network *n = cube_network_new(p, -1);
    struct full_source source[64] = {{.turn = 0}};
    struct link in[64];
    uint16_t room[64];
    uint64_t random = 1, flits = 0;

    assert_non_null(n);
    assert_true(n->routers <= 64);
    cube_network_reset(n, 1);
    memset(room, 0xff, sizeof room);
    for (unsigned t = 0; t < FULL_FROM + FULL_CYCLES; t++) {
        for (uint32_t s = 0; s < n->routers; s++)
            inject(n, &source[s], s, &in[s], &random);
        cube_network_drive(n, in, room);
        for (uint32_t s = 0; s < n->routers && t >= FULL_FROM; s++)
            flits += n->link[CUBE_PORTS * n->routers + s].valid != 0;
        cube_network_tick(n);
    }
    double carried = (double)flits / (FULL_CYCLES * (double)n->routers);
    cube_network_free(n);
    return carried;
}

/* ... and what the simulator says with the settings of `fatfly estimate`. */
static double engine_carries(const struct cube_params *p)
{
    struct fatfly_result *r = malloc(sizeof *r);
    struct fatfly_config c;
    char why[200];

    assert_non_null(r);
    fatfly_defaults(&c);
    c.topology = p->torus ? "torus" : "mesh";
    c.radix = p->radix;
    c.dimensions = 2;
    c.nodes = p->radix * p->radix;
    c.vcs = p->vcs;
    c.depth = p->depth;
    c.length = FULL_LENGTH;
    c.path = FATFLY_E_CUBE;
    c.bandwidth = FATFLY_ON_DEMAND;
    c.input_bandwidth = 1;
    c.channel_release = FATFLY_TAIL_SENT;
    c.load = 1;
    c.warmup = FULL_FROM;
    c.cycles = FULL_CYCLES;
    c.whole = true;
    assert_int_equal(fatfly_run(&c, NULL, r, why, sizeof why), FATFLY_OK);
    double carried = (double)r->accepted_flits / ((double)r->measure_cycles * c.nodes);
    free(r);
    return carried;
}

/* `fatfly estimate` simulates tori and meshes by an engine that is not the router; they
 * carry the same within 15 %. */
static void carries_as_the_engine(void **state)
{
    static const struct { bool torus; unsigned radix, vcs; } of[] = {{true, 8, 2}, {true, 8, 4}, {false, 8, 1},
                                                                     {false, 8, 2}, {false, 8, 4}, {true, 4, 2}};
    (void)state;
    for (unsigned k = 0; k < sizeof of / sizeof *of; k++) {
        struct cube_params p = torus4;
        p.torus = of[k].torus;
        p.radix = of[k].radix;
        p.vcs = of[k].vcs;
        double router = router_carries(&p), engine = engine_carries(&p);
        print_message("%s, k = %u, V = %u: router %.4f, engine %.4f\n", p.torus ? "torus" : "mesh", p.radix, p.vcs,
                      router, engine);
        assert_true(engine > 0.85 * router && engine < 1.15 * router);
    }
}

int main(int argc, char **argv)
{
    unit_args(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worm_of_four), cmocka_unit_test(datelines), cmocka_unit_test(negative_hops),
        cmocka_unit_test(shared_link),  cmocka_unit_test(wires),     cmocka_unit_test(ways_of_every_radix),
        cmocka_unit_test(lone_worms),
        cmocka_unit_test(nine_classes), cmocka_unit_test(ninth_channel),
        cmocka_unit_test(names),        cmocka_unit_test(heads),        cmocka_unit_test(probe_covers_words),
        cmocka_unit_test(probe_shows_flits), cmocka_unit_test(probe_shows_every_field),
        cmocka_unit_test(carries_as_the_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
