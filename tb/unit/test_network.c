/* SPDX-License-Identifier: Apache-2.0
 * test_network.c - the fat-tree's wiring by the spec's formulas, and the C network's exact cycles.
 */
#include "fat_tree.h"
#include "fatfly.h"
#include "lockstep.h"
#include "network.h"
#include "probe.h"

#include "unit.h" /* last: cmocka has a macro fail() */

#include <string.h>

static const struct dut_ops *const c_alone[2] = {&dut_cmodel, NULL};

#define ROOT_FREE UINT32_C(0xa5a5a5a5) /* as the test left it */

/* Level and address by a walk over the levels: level l holds N / 2^(l+1) switches. */
static void numbers_and_places(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 8; n++) {
        uint32_t s = 0;
        CHECK_EQ(fat_tree_nodes(n), 1u << 2 * n);
        for (unsigned l = 1; l <= n; l++) {
            uint32_t here = fat_tree_nodes(n) >> (l + 1);
            CHECK_AT(l, fat_tree_base(n, l), s);
            for (uint32_t a = 0; a < here; a += a + 1 < here && here > 64 ? here / 64 : 1) {
                unsigned level = 0;
                uint32_t at = 0;
                fat_tree_place(n, s + a, &level, &at);
                CHECK_AT(s + a, level, l);
                CHECK_AT(s + a, at, a);
            }
            s += here;
        }
        CHECK_EQ(fat_tree_base(n, n + 1), s);
        CHECK_EQ(fat_tree_switches(n), s);
    }
}

/* Spec, section 1, word by word. */
static void parents_by_the_formula(void **state)
{
    (void)state;
    for (unsigned l = 1; l < 8; l++)
        for (uint32_t a = 0; a < UINT32_C(4) << 2 * (7 - l) << l; a++) {
            uint32_t block = a / (1u << (l + 1)) * (1u << l);
            CHECK_AT(a, fat_tree_parent(l, a, 0), block + a % (1u << l));
            CHECK_AT(a, fat_tree_parent(l, a, 1), block + (a + (1u << (l - 1))) % (1u << l));
            CHECK_AT(a, fat_tree_child(l, a), a % (1u << (l + 1)) / (1u << (l - 1)));
        }
}

/* S(1, 2) of N = 64, drawn by hand: parents S(2, 0) and S(2, 1), both meet it at child 2. */
static void parents_by_hand(void **state)
{
    static const struct { unsigned l; uint32_t a, parent[2]; unsigned child; } row[] = {
        {1, 0, {0, 1}, 0}, {1, 1, {1, 0}, 1}, {1, 2, {0, 1}, 2}, {1, 3, {1, 0}, 3},
        {1, 5, {3, 2}, 1}, {2, 0, {0, 2}, 0}, {2, 1, {1, 3}, 0}, {2, 2, {2, 0}, 1},
        {2, 7, {3, 1}, 3}, {3, 5, {5, 1}, 1},
    };
    (void)state;
    for (size_t k = 0; k < ROWS(row); k++) {
        CHECK_AT(k, fat_tree_parent(row[k].l, row[k].a, 0), row[k].parent[0]);
        CHECK_AT(k, fat_tree_parent(row[k].l, row[k].a, 1), row[k].parent[1]);
        CHECK_AT(k, fat_tree_child(row[k].l, row[k].a), row[k].child);
    }
}

static bool covers(unsigned l, uint32_t a, uint32_t processor)
{
    return processor >> 2 * l == a >> (l - 1);
}

static void wires_lead_there_and_back(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 6; n++) {
        uint32_t nodes = fat_tree_nodes(n), switches = fat_tree_switches(n);
        uint32_t links = SWITCH_PORTS * switches + nodes;
        uint32_t *to = malloc(SWITCH_PORTS * switches * sizeof *to);
        uint8_t *entered = calloc(links, 1);
        assert_non_null(to);
        assert_non_null(entered);
        memset(to, 0xa5, SWITCH_PORTS * switches * sizeof *to);
        fat_tree_wire(n, to);

        for (uint32_t a = 0; a < nodes; a++) /* a processor is on child a mod 4 of S(1, a / 4) */
            entered[SWITCH_PORTS * (a / 4) + a % 4]++;
        for (uint32_t k = 0; k < SWITCH_PORTS * switches; k++) {
            unsigned l, port = k % SWITCH_PORTS;
            uint32_t a;
            fat_tree_place(n, k / SWITCH_PORTS, &l, &a);
            if (l == n && port >= SWITCH_CHILDREN) {
                CHECK_AT(k, to[k], ROOT_FREE);
                continue;
            }
            assert_true(to[k] < links);
            entered[to[k]]++;
            if (to[k] < SWITCH_PORTS * switches) {
                unsigned there;
                uint32_t b;
                fat_tree_place(n, to[k] / SWITCH_PORTS, &there, &b);
                CHECK_AT(k, to[to[k]], k); /* what comes back by that port comes back here */
                CHECK_AT(k, there, port < SWITCH_CHILDREN ? l - 1 : l + 1);
            } else {
                CHECK_AT(k, l, 1);
                CHECK_AT(k, to[k] - SWITCH_PORTS * switches, 4 * a + port);
            }
        }
        for (uint32_t k = 0; k < links; k++) {
            unsigned l = 0;
            uint32_t a;
            if (k < SWITCH_PORTS * switches)
                fat_tree_place(n, k / SWITCH_PORTS, &l, &a);
            CHECK_AT(k, entered[k], !(l == n && k % SWITCH_PORTS >= SWITCH_CHILDREN));
        }

        /* Down from every switch to every processor below it; up, cover grows. */
        for (uint32_t s = 0; s < switches; s++) {
            unsigned l;
            uint32_t a;
            fat_tree_place(n, s, &l, &a);
            uint32_t first = a >> (l - 1) << 2 * l;
            for (uint32_t p = first; p < first + (1u << 2 * l); p++) {
                uint32_t at = s;
                for (unsigned level = l; level > 1; level--)
                    at = to[SWITCH_PORTS * at + (p >> 2 * (level - 1) & 3)] / SWITCH_PORTS;
                CHECK_AT(s, to[SWITCH_PORTS * at + (p & 3)], SWITCH_PORTS * switches + p);
            }
            for (unsigned up = 4; up < 6 && l < n; up++) {
                unsigned above;
                uint32_t b;
                fat_tree_place(n, to[SWITCH_PORTS * s + up] / SWITCH_PORTS, &above, &b);
                assert_true(covers(above, b, first));
                assert_true(covers(above, b, first + (1u << 2 * l) - 1));
            }
        }
        free(to);
        free(entered);
    }
}

static struct config config_of(unsigned levels, unsigned depth, unsigned length,
                               enum fatfly_pattern pattern)
{
    struct config c;
    config_default(&c);
    c.shape.params.levels = levels;
    c.shape.params.depth = depth;
    c.set.config.length = c.set.config.length_min = length;
    c.set.config.pattern = pattern;
    c.set.config.seed = unit_seed;
    return c;
}

static struct lockstep_result run(const struct stimulus *s)
{
    struct lockstep_options o = {.max_cycles = 0};
    struct lockstep_result r;
    lockstep_run(c_alone, s, &o, &r);
    if (r.end != END_DONE)
        print_error("%s\n", r.why);
    CHECK_EQ(r.end, END_DONE);
    CHECK_EQ(r.totals.worms_delivered, s->count);
    CHECK_EQ(r.totals.flits_delivered, s->flits);
    return r;
}

/* Spec, section 7: cL + d - 2, with c = N / 2 and d = 2 levels. */
static void many_to_1_is_exact(void **state)
{
    static const unsigned length[] = {1, 8, 32};
    static const enum path_select path[] = {PATH_RP, PATH_GP};
    static const enum scan_order scan[] = {SCAN_RR, SCAN_FO};
    (void)state;
    for (unsigned levels = 1; levels <= 4; levels++)
        for (unsigned k = 0; k < ROWS(length) * 4; k++) {
            struct config c = config_of(levels, 2, length[k / 4], FATFLY_MANY_TO_1);
            struct stimulus s;
            struct fail f;
            c.shape.params.path = path[k & 1];
            c.shape.params.scan = scan[k >> 1 & 1];
            CHECK_EQ(stimulus_make(&s, &c, &f), 0);
            CHECK_AT(k, s.count, fat_tree_nodes(levels));
            CHECK_AT(100 * levels + k, run(&s).totals.last_arrival,
                     fat_tree_nodes(levels) / 2 * c.set.config.length + 2 * levels - 2);
            stimulus_free(&s);
        }
}

/* One worm alone.  Flit k crosses link j (0 .. 2h - 1) in cycle j + k if q >= 2: the last tail
 * arrives in cycle 2h + L - 2.  With q = 1 a queue that is full at the start of a cycle has no
 * room in it, though its flit leaves; so flits follow each other every other cycle, flit k crosses
 * link j in cycle j + 2k, and the last tail arrives in cycle 2h - 1 + 2 (L - 1). */
static void latency_of_one_worm(void **state)
{
    static const unsigned length[] = {1, 2, 3, 8, 33};
    static const struct { unsigned levels; uint32_t src, dst; unsigned height; } row[] = {
        {1, 0, 1, 1},   {1, 3, 0, 1},   {2, 0, 3, 1},     {2, 0, 15, 2},   {2, 9, 5, 2},
        {3, 17, 18, 1}, {3, 20, 31, 2}, {3, 63, 0, 3},    {4, 255, 254, 1}, {4, 64, 127, 3},
        {4, 0, 255, 4}, {5, 1, 1023, 5}, {5, 512, 767, 4},
    };
    (void)state;
    for (size_t k = 0; k < ROWS(row); k++)
        for (size_t j = 0; j < ROWS(length); j++)
            for (unsigned depth = 1; depth <= 3; depth++)
                for (enum path_select path = PATH_FP; path < PATH_COUNT; path++) {
                    unsigned h = row[k].height, n = row[k].levels;
                    struct config c = config_of(n, depth, length[j], FATFLY_RANDOM);
                    uint32_t bits = path == PATH_FP ? draw(1u << (n - 1)) : 0;
                    struct worm w = {.ready = 5, .number = 1, .length = length[j],
                                     .entry = row[k].src, .exit_first = row[k].dst,
                                     .exit_last = row[k].dst, .src = row[k].src,
                                     .dst = row[k].dst, .path = bits};
                    struct stimulus s = {.shape = c.shape, .worm = &w, .count = 1,
                                         .flits = w.length, .last = 5, .seed = 1,
                                         .switch_seed = draw(1000), .phase = 4096};
                    s.shape.params.path = path;
                    CHECK_AT(k, worm_height(w.src, w.dst), h);
                    w.head = head_pack(n, w.dst, w.src, h, bits);
                    uint64_t want = depth == 1 ? 2 * h - 1 + 2 * (w.length - 1)
                                               : 2 * h + w.length - 2;
                    struct lockstep_result r = run(&s);
                    CHECK_AT(100 * k + j, r.totals.latency_max, want);
                    CHECK_AT(100 * k + j, r.totals.last_arrival, want + 5);
                }
}

static void seeds_and_digests(void **state)
{
    struct config c = config_of(3, 2, 8, FATFLY_RANDOM);
    struct stimulus s, again;
    struct fail f;
    (void)state;
    c.set.config.rounds = 4;
    CHECK_EQ(stimulus_make(&s, &c, &f), 0);
    CHECK_EQ(stimulus_make(&again, &c, &f), 0);
    CHECK_EQ(s.count, again.count);
    for (size_t k = 0; k < s.count; k++) {
        CHECK_AT(k, s.worm[k].head, again.worm[k].head);
        CHECK_AT(k, s.worm[k].ready, again.worm[k].ready);
    }
    struct lockstep_result first = run(&s), second = run(&again);
    CHECK_EQ(first.totals.digest, second.totals.digest);
    CHECK_EQ(first.cycles, second.cycles);
    again.switch_seed ^= 1;
    assert_true(run(&again).totals.digest != first.totals.digest);
    stimulus_free(&again);
    c.set.config.seed++;
    CHECK_EQ(stimulus_make(&again, &c, &f), 0);
    assert_true(again.switch_seed != s.switch_seed);
    assert_true(run(&again).totals.digest != first.totals.digest);
    stimulus_free(&again);
    stimulus_free(&s);
}

/* Undone step by step, the mixing gives the number of the switch that a seed is of: those of the largest network differ. */
static uint32_t unmixed(uint32_t h)
{
    h ^= h >> 16;
    h *= 0x7ed1b41du; /* the reciprocals modulo 2^32 of the three factors */
    h ^= h >> 13 ^ h >> 26;
    h *= 0xa5cb9243u;
    h ^= h >> 16;
    return h * 0x0e8b2f51u;
}

static void switch_seeds_differ(void **state)
{
    (void)state;
    for (uint32_t s = 0; s < fat_tree_switches(FATFLY_LARGEST_LEVELS); s++) {
        CHECK_AT(s, unmixed(7 ^ network_switch_seed(7, s)), s + 1);
        CHECK_AT(s, unmixed(~8u ^ network_switch_seed(~8u, s)), s + 1);
    }
}

/* One device under one driver, cycle by cycle. */
struct ride {
    struct dut *dut;
    struct driver *driver;
    uint64_t cycle;
    struct link in[64], out[64];
    uint16_t room[64], exit_room[64];
};

static void ride_cycle(struct ride *r, const struct stimulus *s)
{
    char why[200] = "";
    dut_cmodel.room(r->dut, r->room);
    driver_drive(r->driver, r->cycle, r->room, r->in);
    stimulus_room(s, r->cycle, dut_endpoints(&s->shape), r->exit_room);
    dut_cmodel.drive(r->dut, r->in, r->exit_room);
    dut_cmodel.sample(r->dut, r->out);
    assert_null(driver_consume(r->driver, r->cycle, r->out, why, sizeof why));
    r->cycle++;
}

/* A network that was reset in mid traffic goes on as a new one: same links, same registers, same
 * digest.  Queue memory has no reset, and what it holds is never seen before it is written. */
static void reset_in_mid_traffic(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < PATH_COUNT * SCAN_COUNT; kind++) {
        struct config c = config_of(2, 3, 5, FATFLY_RANDOM);
        struct stimulus s;
        struct fail f;
        struct probe p;
        char why[200];
        struct ride used = {.cycle = 0}, fresh = {.cycle = 0};
        c.shape.params.path = (enum path_select)(kind % PATH_COUNT);
        c.shape.params.scan = (enum scan_order)(kind / PATH_COUNT);
        c.shape.params.vcs = 1u << kind % 3;
        c.set.config.rounds = 6;
        c.set.stall = 30;
        CHECK_EQ(stimulus_make(&s, &c, &f), 0);
        CHECK_EQ(probe_init(&p, &s.shape), 0);
        used.dut = dut_cmodel.open(&s.shape, why, sizeof why);
        fresh.dut = dut_cmodel.open(&s.shape, why, sizeof why);
        used.driver = driver_new(&s);
        fresh.driver = driver_new(&s);
        assert_true(used.dut && fresh.dut && used.driver && fresh.driver);

        dut_cmodel.reset(used.dut, 99);
        for (unsigned t = 0; t < 25 + kind; t++) {
            ride_cycle(&used, &s);
            dut_cmodel.tick(used.dut);
        }
        assert_true(driver_totals(used.driver)->flits_injected >
                    driver_totals(used.driver)->flits_delivered);
        driver_free(used.driver);
        used.driver = driver_new(&s);
        assert_non_null(used.driver);
        used.cycle = 0;
        dut_cmodel.reset(used.dut, s.switch_seed);
        dut_cmodel.reset(fresh.dut, s.switch_seed);
        while (!driver_done(fresh.driver)) {
            ride_cycle(&used, &s);
            ride_cycle(&fresh, &s);
            const uint32_t *a = dut_cmodel.state(used.dut), *b = dut_cmodel.state(fresh.dut);
            for (unsigned k = 0; k < p.count; k++)
                if (strncmp(p.signal[k].name, "mem_q", 5) != 0 &&
                    strncmp(p.signal[k].name, "front_q", 7) != 0)
                    for (unsigned n = 0; n < p.switches; n++)
                        CHECK_AT(fresh.cycle, probe_get(&p, a, n, &p.signal[k]),
                                 probe_get(&p, b, n, &p.signal[k]));
            dut_cmodel.tick(used.dut);
            dut_cmodel.tick(fresh.dut);
            assert_true(fresh.cycle < 20000);
        }
        CHECK_EQ(driver_totals(used.driver)->digest, driver_totals(fresh.driver)->digest);
        CHECK_EQ(driver_done(used.driver), true);
        dut_cmodel.close(used.dut);
        dut_cmodel.close(fresh.dut);
        driver_free(used.driver);
        driver_free(fresh.driver);
        probe_free(&p);
        stimulus_free(&s);
    }
}

/* A network without short cuts: every switch is evaluated in every cycle, the last one first. */
struct plain {
    struct fat_switch sw[28];
    struct switch_wires wires[28];
    struct link link[28 * SWITCH_PORTS + 64];
    struct flit *mem;
};

static void plain_cycle(struct plain *x, const struct network *n, const struct link *in,
                        const uint8_t *exit_room)
{
    memset(x->link, 0, sizeof x->link);
    for (uint32_t a = 0; a < n->nodes; a++)
        x->link[SWITCH_PORTS * (a / 4) + a % 4] = in[a];
    for (uint32_t s = n->switches; s-- > 0;) {
        uint8_t room[SWITCH_PORTS] = {0};
        for (unsigned o = 0; o < x->sw[s].ports; o++) {
            uint32_t to = n->to[SWITCH_PORTS * s + o], t = to / SWITCH_PORTS;
            room[o] = t < n->switches
                          ? port_room(&x->sw[t].port[to % SWITCH_PORTS], &x->sw[t].params)
                          : exit_room[to - SWITCH_PORTS * n->switches];
        }
        switch_eval(&x->sw[s], room, &x->wires[s]);
    }
    for (uint32_t s = 0; s < n->switches; s++)
        for (unsigned o = 0; o < x->sw[s].ports; o++)
            if (x->wires[s].out[o].valid)
                x->link[n->to[SWITCH_PORTS * s + o]] = x->wires[s].out[o];
}

/* Idle switches are passed over, and no order of evaluation matters (spec, section 4). */
static void the_same_without_short_cuts(void **state)
{
    static struct plain x;
    static uint32_t words[20000], plain_words[20000];
    (void)state;
    for (unsigned kind = 0; kind < PATH_COUNT * SCAN_COUNT; kind++) {
        struct config c = config_of(3, 1 + draw(4), 6, FATFLY_RANDOM);
        struct switch_params *p = &c.shape.params;
        struct stimulus s;
        struct fail f;
        struct link in[64];
        uint16_t room[64], stalled[64];
        uint8_t exit_room[64];
        char why[200];
        p->path = (enum path_select)(kind % PATH_COUNT);
        p->scan = (enum scan_order)(kind / PATH_COUNT);
        p->vcs = 1u << draw(3);
        c.set.config.length_min = 1;
        c.set.config.cycles = 250;
        c.set.config.load = kind & 1 ? 0.02 : 0.5; /* mostly idle, mostly busy */
        c.set.stall = 20;
        CHECK_EQ(stimulus_make(&s, &c, &f), 0);
        struct driver *d = driver_new(&s);
        struct network *n = network_new(p);
        size_t mem = switch_mem(p), each = switch_probe_words(p);
        x.mem = calloc(28 * mem + 1, sizeof *x.mem);
        assert_true(d && n && x.mem);
        assert_true(28 * each <= ROWS(words));
        CHECK_EQ(n->switches, 28);
        for (uint32_t k = 0; k < 28; k++) {
            struct switch_params mine = *p;
            uint32_t a;
            fat_tree_place(3, k, &mine.level, &a);
            switch_init(&x.sw[k], &mine, x.mem + k * mem);
            switch_reset(&x.sw[k], network_switch_seed(s.switch_seed, k));
        }
        memset(x.wires, 0, sizeof x.wires);
        network_reset(n, s.switch_seed);
        for (uint64_t t = 0; t < 400; t++) {
            for (uint32_t a = 0; a < 64; a++)
                room[a] = network_room(n, a);
            driver_drive(d, t, room, in);
            stimulus_room(&s, t, 64, stalled);
            for (uint32_t a = 0; a < 64; a++)
                exit_room[a] = (uint8_t)stalled[a];
            network_drive(n, in, exit_room);
            network_eval(n);
            uint32_t at = 0;
            assert_null(network_check(n, &at));
            network_probe(n, words);
            plain_cycle(&x, n, in, exit_room);
            for (uint32_t k = 0; k < 28; k++)
                switch_probe(&x.sw[k], &x.link[SWITCH_PORTS * k], &x.wires[k],
                             plain_words + k * each);
            for (size_t k = 0; k < 28 * each; k++)
                CHECK_AT(t, words[k], plain_words[k]);
            for (uint32_t a = 0; a < 64; a++) {
                CHECK_AT(t, network_exit(n, a)->valid, x.link[SWITCH_PORTS * 28 + a].valid);
                CHECK_AT(t, network_exit(n, a)->flit.payload,
                         x.link[SWITCH_PORTS * 28 + a].flit.payload);
            }
            assert_null(driver_consume(d, t, network_exit(n, 0), why, sizeof why));
            network_tick(n);
            for (uint32_t k = 0; k < 28; k++) {
                switch_tick(&x.sw[k], &x.link[SWITCH_PORTS * k], &x.wires[k]);
            }
        }
        assert_true(driver_totals(d)->flits_delivered > 0);
        free(x.mem);
        network_free(n);
        driver_free(d);
        stimulus_free(&s);
    }
}

/* Each clause of network_check() finds what it is for, and where: switches 1 (a leaf) and 5 (a root) of six. */
static void check_finds_planted_corruption(void **state)
{
    static const struct {
        uint32_t at;
        const char *clause;
    } row[] = {{1, "waiting"}, {5, "without a grant"}, {5, "leads nowhere"}, {5, "a root that has a parent"}, {1, "leads nowhere"}, {5, "idle switch"},
               {1, "idle switch"}, {1, "the room"},    {5, "the room"},            {0, "a flit that arrives"},
               {1, "a flit that arrives"}, {5, "links with a flit"}, {5, "links with a flit"}};
    const struct switch_params p = {.vcs = 1, .depth = 2, .flit_w = 32, .path = PATH_FP,
                                    .scan = SCAN_FO, .level = 1, .levels = 2};
    struct link in[16] = {{.valid = 0}};
    uint8_t room[16];
    (void)state;
    memset(room, 1, sizeof room);
    for (size_t k = 0; k < ROWS(row); k++) {
        struct network *n = network_new(&p);
        uint32_t at = 99;
        assert_non_null(n);
        CHECK_EQ(n->switches, 6);
        for (unsigned t = 0; t < 2; t++) { /* a worm waits in switch 1, and one more flit comes */
            in[4] = (struct link){.flit = {.payload = head_pack(2, 15, 4, 2, 0), .kind = FLIT_HEAD},
                                  .valid = 1};
            if (t)
                in[4].flit.kind = 0;
            network_drive(n, in, room);
            network_eval(n);
            assert_null(network_check(n, &at));
            if (!t)
                network_tick(n);
        }
        switch (k) {
        case 0: n->sw[1].waiting = 0; break;
        case 1: n->wires[5].out[2].valid = 1; break;
        case 2: n->to[SWITCH_PORTS * 5] = 0; break;
        case 3: n->to[SWITCH_PORTS * 5 + 4] = 3; break;
        case 4: n->to[SWITCH_PORTS * 1 + 4] = 0; break;
        case 5: n->clean[5] = false; break;
        case 6: n->clean[1] = true; break;
        case 7: n->room[SWITCH_PORTS * 1 + 5] = 0; break;
        case 8: n->room[SWITCH_PORTS * 5 + 3] = 0; break;
        case 9: n->reached[0] = true; break;
        case 10: n->reached[1] = false; break; /* the body */
        case 11: n->driven_count++; break;
        default: n->link[SWITCH_PORTS * n->switches + 7].valid = 1; break; /* at a processor */
        }
        const char *found = network_check(n, &at);
        if (!found)
            print_error("corruption %zu: nothing found\n", k);
        assert_non_null(found);
        if (!strstr(found, row[k].clause))
            print_error("corruption %zu: found \"%s\"\n", k, found);
        assert_non_null(strstr(found, row[k].clause));
        CHECK_AT(k, at, row[k].at);
        network_free(n);
    }
}

static void memory(void **state)
{
    struct switch_params p = {.vcs = 1, .depth = 2, .flit_w = 32, .path = PATH_RP,
                              .scan = SCAN_RR, .level = 1, .levels = 1};
    size_t before = 0;
    (void)state;
    struct network *n = network_new(&p);
    assert_non_null(n);
    CHECK_EQ(n->nodes, 4);
    CHECK_EQ(n->switches, 1);
    CHECK_EQ(n->sw[0].ports, 4);
    for (uint32_t a = 0; a < 4; a++)
        CHECK_AT(a, network_room(n, a), 1);
    network_free(n);
    network_free(NULL);
    for (p.levels = 1; p.levels <= 6; p.levels++) {
        size_t bytes = network_bytes(&p);
        assert_true(bytes > before);
        assert_true(bytes > fat_tree_switches(p.levels) * sizeof(struct fat_switch));
        before = bytes;
    }
    p.levels = 3;
    before = network_bytes(&p);
    p.depth = 16;
    CHECK_EQ(network_bytes(&p) - before, 28 * SWITCH_PORTS * 14 * sizeof(struct flit));
    before = network_bytes(&p);
    p.vcs = 4;
    CHECK_EQ(network_bytes(&p) - before, 28 * SWITCH_PORTS * 45 * sizeof(struct flit));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_and_places),
        cmocka_unit_test(parents_by_the_formula),
        cmocka_unit_test(parents_by_hand),
        cmocka_unit_test(wires_lead_there_and_back),
        cmocka_unit_test(many_to_1_is_exact),
        cmocka_unit_test(latency_of_one_worm),
        cmocka_unit_test(seeds_and_digests),
        cmocka_unit_test(switch_seeds_differ),
        cmocka_unit_test(reset_in_mid_traffic),
        cmocka_unit_test(the_same_without_short_cuts),
        cmocka_unit_test(check_finds_planted_corruption),
        cmocka_unit_test(memory),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
