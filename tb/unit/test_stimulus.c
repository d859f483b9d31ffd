/* SPDX-License-Identifier: Apache-2.0
 * test_stimulus.c - worms of every pattern, of traces and of worm files, and the stalls they meet.
 */
#include "digest.h"
#include "fat_tree.h"
#include "stimulus.h"
#include "traffic.h"
#include "wanted.h"

#include "unit.h" /* last: cmocka has a macro fail() */

#include <string.h>
#include <unistd.h>

static struct config config_of(unsigned levels, enum fatfly_pattern pattern)
{
    struct config c;
    config_default(&c);
    c.shape.params.levels = levels;
    c.set.config.pattern = pattern;
    c.set.config.seed = unit_seed;
    return c;
}

static struct config open_of(unsigned levels)
{
    struct config c = config_of(levels, FATFLY_RANDOM);
    c.set.config.load = 0.1;
    return c;
}

static struct stimulus make(const struct config *c)
{
    struct stimulus s;
    struct fail f = {.text = ""};
    if (stimulus_make(&s, c, &f)) {
        print_error("%s\n", f.text);
        assert_true(false);
    }
    return s;
}

/* What holds for every stimulus. */
static void check_whole(const struct stimulus *s)
{
    uint64_t flits = 0, last = 0;
    uint8_t *seen = calloc(s->count + 1, 1);
    assert_non_null(seen);
    for (size_t k = 0; k < s->count; k++) {
        const struct worm *w = &s->worm[k];
        unsigned n = s->shape.params.levels;
        flits += w->length;
        last = w->ready > last ? w->ready : last;
        assert_true(w->number >= 1 && w->number <= s->count && !seen[w->number]);
        seen[w->number] = 1;
        if (k) {
            assert_true(w[-1].entry <= w->entry);
            assert_true(w[-1].entry < w->entry || w[-1].ready <= w->ready);
        }
        CHECK_AT(k, head_dst(n, w->head), w->dst);
        CHECK_AT(k, head_src(n, w->head), w->src);
        CHECK_AT(k, head_height(n, w->head), worm_height(w->src, w->dst));
        if (s->shape.params.flit_w < 64)
            CHECK_AT(k, w->head >> s->shape.params.flit_w, 0);
    }
    CHECK_EQ(s->flits, flits);
    CHECK_EQ(s->last, last);
    free(seen);
}

static void static_patterns(void **state)
{
    (void)state;
    for (enum fatfly_pattern kind = FATFLY_COMPLEMENT; kind <= FATFLY_NEIGHBOUR; kind++)
        for (unsigned levels = 1; levels <= 4; levels++) {
            struct config c = config_of(levels, kind);
            c.set.config.rounds = 1 + levels % 2;
            c.set.config.length = c.set.config.length_min = 1 + levels;
            struct stimulus s = make(&c);
            size_t k = 0;
            check_whole(&s);
            for (uint32_t a = 0; a < fat_tree_nodes(levels); a++) {
                uint32_t dst = wanted(kind, a, levels);
                for (unsigned round = 0; dst != a && round < c.set.config.rounds; round++, k++) {
                    assert_true(k < s.count);
                    CHECK_AT(k, s.worm[k].entry, a);
                    CHECK_AT(k, s.worm[k].src, a);
                    CHECK_AT(k, s.worm[k].dst, dst);
                    CHECK_AT(k, s.worm[k].exit_first, dst);
                    CHECK_AT(k, s.worm[k].exit_last, dst);
                    CHECK_AT(k, s.worm[k].length, c.set.config.length);
                    CHECK_AT(k, s.worm[k].ready, 0);
                }
            }
            CHECK_EQ(k, s.count);
            stimulus_free(&s);
        }
}

/* Within three standard deviations. */
static void near(double got, double mean, double variance, const char *what)
{
    bool is = (got - mean) * (got - mean) <= 9 * variance;
    if (!is)
        print_error("%s: %g, want %g, variance %g\n", what, got, mean, variance);
    assert_true(is);
}

/* Random: every other processor alike.  Hotspot: one in four more to processor 0. */
static void random_patterns(void **state)
{
    (void)state;
    for (unsigned hot = 0; hot < 2; hot++) {
        struct config c = config_of(2, hot ? FATFLY_HOTSPOT : FATFLY_RANDOM);
        unsigned to[16] = {0};
        c.set.config.rounds = 2000;
        c.set.config.seed = 1; /* one seed: 3 sigma do not hold for every one */
        struct stimulus s = make(&c);
        check_whole(&s);
        CHECK_EQ(s.count, 16 * 2000);
        for (size_t k = 0; k < s.count; k++) {
            assert_true(s.worm[k].dst < 16 && s.worm[k].dst != s.worm[k].src);
            to[s.worm[k].dst]++;
        }
        double p = hot ? 1.0 / 4 + 3.0 / 4 / 15 : 1.0 / 15; /* from the 15 others to 0 */
        near(to[0], 15 * 2000 * p, 15 * 2000 * p * (1 - p), "to processor 0");
        p = 1.0 / 15;
        double q = hot ? p * 3 / 4 : p; /* from 14 others; processor 0 has no hot spot */
        near(to[7], 2000 * p + 14 * 2000 * q,
             2000 * p * (1 - p) + 14 * 2000 * q * (1 - q), "to processor 7");
        stimulus_free(&s);
    }
}

/* FP: the path has a bit for each level but the root, and all of them occur. */
static void paths(void **state)
{
    (void)state;
    for (enum path_select path = PATH_FP; path < PATH_COUNT; path++) {
        struct config c = config_of(3, FATFLY_RANDOM);
        unsigned seen = 0;
        c.shape.params.path = path;
        c.set.config.rounds = 4;
        struct stimulus s = make(&c);
        for (size_t k = 0; k < s.count; k++) {
            seen |= 1u << s.worm[k].path;
            for (unsigned l = 1; l < 3 && path == PATH_FP; l++)
                CHECK_AT(k, head_path_bit(3, s.worm[k].head, l), s.worm[k].path >> (l - 1) & 1);
        }
        CHECK_EQ(seen, path == PATH_FP ? 0xf : 1);
        stimulus_free(&s);
    }
}

static void payloads(void **state)
{
    struct worm w = {.head = 0x123, .number = 7, .length = 3}, v = w;
    (void)state;
    v.number = 8;
    for (unsigned width = 16; width <= 64; width += 8) {
        CHECK_EQ(worm_payload(&w, 0, width), 0x123);
        for (uint32_t k = 1; k < 100; k++) {
            uint64_t flit = worm_payload(&w, k, width);
            if (width < 64)
                CHECK_AT(k, flit >> width, 0);
            CHECK_AT(k, flit, worm_payload(&w, k, width));
            assert_true(width < 32 || (flit != worm_payload(&v, k, width) &&
                                       flit != worm_payload(&w, k + 1, width)));
        }
    }
    CHECK_EQ(worm_kind(&w, 0), FLIT_HEAD);
    CHECK_EQ(worm_kind(&w, 1), FLIT_BODY);
    CHECK_EQ(worm_kind(&w, 2), FLIT_TAIL);
    w.length = 1;
    CHECK_EQ(worm_kind(&w, 0), FLIT_SINGLE);
}

/* A file of its own for each test run; the caller removes it. */
static void temp_file(char name[40], const char *text)
{
    snprintf(name, 40, "/tmp/fatfly-test-XXXXXX");
    int fd = mkstemp(name);
    assert_true(fd >= 0);
    CHECK_EQ(write(fd, text, strlen(text)), strlen(text));
    CHECK_EQ(close(fd), 0);
}

struct want {
    uint64_t ready;
    uint32_t src, dst, length;
};

static void check_trace(const struct config *base, const char *csv, const struct want *want,
                        size_t count)
{
    struct config c = *base;
    char name[40];
    temp_file(name, csv);
    snprintf(c.set.trace, sizeof c.set.trace, "%s", name);
    struct stimulus s = make(&c);
    remove(name);
    check_whole(&s);
    CHECK_EQ(s.count, count);
    for (size_t k = 0; k < count; k++) {
        CHECK_AT(k, s.worm[k].ready, want[k].ready);
        CHECK_AT(k, s.worm[k].entry, want[k].src);
        CHECK_AT(k, s.worm[k].src, want[k].src);
        CHECK_AT(k, s.worm[k].dst, want[k].dst);
        CHECK_AT(k, s.worm[k].length, want[k].length);
    }
    stimulus_free(&s);
}

/* Flits of 4 bytes, worms of at most 5 flits: 16 bytes a worm. */
static void messages_become_worms(void **state)
{
    static const char csv[] = "t_ns,src,dst,bytes\n"
                              "1000,0,1,0\n"
                              "1000,1,2,1\n"
                              "2500,2,3,16\n"
                              "3000,3,4,17\n"
                              "3000,4,5,50\n"
                              "9000,5,6,4\n";
    static const struct want all[] = {
        {0, 0, 1, 1}, {0, 1, 2, 2}, {1500, 2, 3, 5}, {2000, 3, 4, 5}, {2000, 3, 4, 2},
        {2000, 4, 5, 5}, {2000, 4, 5, 5}, {2000, 4, 5, 5}, {2000, 4, 5, 2}, {8000, 5, 6, 2},
    };
    static const struct want slow[] = {
        {0, 0, 1, 1}, {0, 1, 2, 2}, {3, 2, 3, 5}, {5, 3, 4, 5}, {5, 3, 4, 2},
        {5, 4, 5, 5}, {5, 4, 5, 5}, {5, 4, 5, 5}, {5, 4, 5, 2}, {20, 5, 6, 2},
    };
    static const struct want cut[] = {
        {0, 0, 1, 1}, {0, 1, 2, 2}, {1500, 2, 3, 4}, {2000, 3, 4, 4}, {2000, 4, 5, 4},
        {8000, 5, 6, 2},
    };
    static const struct want wide[] = { /* flits of 8 bytes: 32 bytes a worm */
        {0, 0, 1, 1}, {0, 1, 2, 2}, {1500, 2, 3, 3}, {2000, 3, 4, 4}, {2000, 4, 5, 5},
        {2000, 4, 5, 4}, {8000, 5, 6, 2},
    };
    struct config c = config_of(2, FATFLY_MESSAGES);
    (void)state;
    c.set.config.length = c.set.config.length_min = 5;
    check_trace(&c, csv, all, ROWS(all));
    c.set.max_messages = 3;
    check_trace(&c, csv, all, 3);
    c.set.max_messages = 0;
    c.set.config.cycles = 2000; /* a message at cycle 2000 is after the end */
    check_trace(&c, csv, all, 3);
    c.set.config.cycles = 2001;
    check_trace(&c, csv, all, 9);
    c.set.config.cycles = 0;
    c.set.cycles_per_us = 2.5; /* 1,500 ns are 3.75 cycles */
    check_trace(&c, csv, slow, ROWS(slow));
    c.set.cycles_per_us = 1000;
    c.set.max_bytes = 12;
    check_trace(&c, csv, cut, ROWS(cut));
    c.set.max_bytes = 0;
    c.shape.params.flit_w = 64;
    check_trace(&c, csv, wide, ROWS(wide));
}

static void bad_traces(void **state)
{
    struct config c = config_of(2, FATFLY_MESSAGES);
    struct stimulus s;
    struct fail f;
    (void)state;
    snprintf(c.set.trace, sizeof c.set.trace, "/nonexistent/trace.csv");
    CHECK_EQ(stimulus_make(&s, &c, &f), -1);
    CHECK_EQ(f.code, EXIT_INPUT);
    assert_null(s.worm);
    CHECK_EQ(s.count, 0);
}

static bool alike(const struct worm *a, const struct worm *b)
{
    return a->ready == b->ready && a->head == b->head && a->length == b->length &&
           a->entry == b->entry && a->exit_first == b->exit_first &&
           a->exit_last == b->exit_last && a->src == b->src && a->dst == b->dst &&
           a->path == b->path && a->number == b->number;
}

/* Written and read, then written and read again: numbers are given anew by the first reading, and
 * nothing else changes. */
static void worm_files(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 3; kind++) {
        struct config c = open_of(3);
        struct fail f;
        struct stimulus s, once, twice;
        char name[40];
        c.shape.network = kind == 0;
        c.shape.params.level = kind ? kind : 1;
        c.shape.params.path = PATH_FP;
        c.set.config.cycles = 300;
        c.set.config.length_min = 1;
        c.set.config.load = 0.5;
        s = make(&c);
        assert_true(s.count > 20 && s.count < 1024);
        for (size_t k = 0; k < s.count; k++)
            s.worm[k].ready += (uint64_t)k << 53;
        stimulus_complete(&s);
        temp_file(name, "");
        CHECK_EQ(stimulus_write(&s, name, &f), 0);
        CHECK_EQ(stimulus_read(&once, &c, name, &f), 0);
        CHECK_EQ(stimulus_write(&once, name, &f), 0);
        CHECK_EQ(stimulus_read(&twice, &c, name, &f), 0);
        remove(name);
        check_whole(&once);
        CHECK_EQ(once.count, s.count);
        CHECK_EQ(twice.count, s.count);
        CHECK_EQ(once.flits, s.flits);
        CHECK_EQ(once.last, s.last);
        CHECK_EQ(once.switch_seed, s.switch_seed);
        for (size_t k = 0; k < s.count; k++) {
            assert_true(alike(&once.worm[k], &twice.worm[k]));
            CHECK_AT(k, once.worm[k].number, s.worm[k].number);
            CHECK_AT(k, once.worm[k].head, s.worm[k].head);
            CHECK_AT(k, once.worm[k].ready, s.worm[k].ready);
            CHECK_AT(k, once.worm[k].entry, s.worm[k].entry);
            CHECK_AT(k, once.worm[k].src, s.worm[k].src);
            CHECK_AT(k, once.worm[k].dst, s.worm[k].dst);
            CHECK_AT(k, once.worm[k].length, s.worm[k].length);
            CHECK_AT(k, once.worm[k].path, s.worm[k].path);
            CHECK_AT(k, once.worm[k].exit_first, s.worm[k].exit_first);
            CHECK_AT(k, once.worm[k].exit_last, s.worm[k].exit_last);
        }
        stimulus_free(&s);
        stimulus_free(&once);
        stimulus_free(&twice);
    }
}

/* Some of the worms of a switch, one of them shorter, are read back as they were tried, whatever their heads say of it. */
static void worm_files_of_some(void **state)
{
    (void)state;
    for (unsigned flit_w = 32; flit_w <= 64; flit_w += 16) {
        struct config c = open_of(3);
        struct stimulus s, less, again;
        struct fail f;
        char name[40];
        c.shape.network = false;
        c.shape.params.scan = SCAN_FF;
        c.shape.params.flit_w = flit_w;
        c.set.config.cycles = 3000;
        c.set.config.length_min = c.set.config.length = 9;
        c.set.config.load = 0.5;
        s = make(&c);
        bool *keep = calloc(s.count, sizeof *keep);
        assert_non_null(keep);
        for (size_t k = 0; k < s.count; k++)
            keep[k] = k % 7 == 3;
        assert_int_equal(stimulus_subset(&less, &s, keep), 0);
        for (size_t k = 0; k < less.count; k += 2)
            less.worm[k].length = 2;
        stimulus_complete(&less);
        temp_file(name, "");
        CHECK_EQ(stimulus_write(&less, name, &f), 0);
        CHECK_EQ(stimulus_read(&again, &c, name, &f), 0);
        remove(name);
        CHECK_EQ(again.count, less.count);
        CHECK_EQ(again.flits, less.flits);
        CHECK_EQ(again.last, less.last);
        for (size_t k = 0; k < less.count; k++) {
            assert_true(alike(&again.worm[k], &less.worm[k]));
            CHECK_AT(k, again.worm[k].number, less.worm[k].number);
            CHECK_AT(k, again.worm[k].head, less.worm[k].head);
        }
        free(keep);
        stimulus_free(&s);
        stimulus_free(&less);
        stimulus_free(&again);
    }
}

/* Of the free bits of a head the first twelve and those from bit 32 on are set in some heads and not in others. */
static void free_bits(void **state)
{
    static const char *const shapes[] = {"s1of3-v1-q2-w64-rp-rr", "s2of3-v1-q2-w48-gp-ff", "s3of3-v1-q2-w33-fp-fo", "s7of10-v1-q2-w64-rg-rr",
                                         "s1of1-v1-q2-w64-rp-rr", "n64-v1-q2-w48-rp-rr", "torus4n5-v2-q2-w64-ecube-rot", "mesh4-v1-q2-w40-ecube-rot"};
    (void)state;
    for (size_t k = 0; k < ROWS(shapes); k++) {
        struct config c = open_of(3);
        char why[200];
        assert_int_equal(dut_shape_parse(shapes[k], &c.shape, why, sizeof why), 0);
        c.set.config.cycles = 20000;
        c.set.config.load = 0.5;
        c.set.config.length_min = c.set.config.length = 1;
        struct stimulus s = make(&c);
        uint64_t some = 0, all = UINT64_MAX;
        const struct switch_params *p = &c.shape.params;
        unsigned bits = c.shape.cube.radix ? 2 * dut_address_bits(&c.shape) : head_bits(p->levels, p->path);
        uint64_t bits_free = (p->flit_w < 64 ? (UINT64_C(1) << p->flit_w) - 1 : UINT64_MAX) >> bits << bits;
        for (size_t j = 0; j < s.count; j++) {
            some |= s.worm[j].head;
            all &= s.worm[j].head;
        }
        for (unsigned bit = bits + 12; bit < 32; bit++) /* below bit 32 there is the number alone, which is small */
            bits_free &= ~(UINT64_C(1) << bit);
        if ((some & bits_free) != bits_free || all & bits_free)
            print_error("%s: never set 0x%llx, always 0x%llx\n", shapes[k], (unsigned long long)(~some & bits_free),
                        (unsigned long long)(all & bits_free));
        assert_true((some & bits_free) == bits_free && !(all & bits_free));
        stimulus_free(&s);
    }
}

/* Through a network of 16 processors (level 3: with numbers), and through S(1, 0) of it (level 1) or its root (level 2). */
static void bad_worm_files(void **state)
{
    static const struct { unsigned level; const char *row, *words; } bad[] = {
        {0, "0,3,3,16,1,0", ":2: no worm from processor 3 to 16 enters endpoint 3"},
        {0, "0,3,3,3,1,0", ":2: no worm from processor 3 to 3"},
        {0, "0,4,3,5,1,0", ":2: no worm from processor 3 to 5 enters endpoint 4"},
        {0, "0,3,3,5,0,0", ":2: length = 0 flits; allowed: 1 to 4096"},
        {0, "0,3,3,5,4097,0", ":2: length = 4097 flits"},
        {0, "0,3,3,5,1", ":2: \"0,3,3,5,1\"; allowed: six numbers"},
        {0, "0,3,3,5,1,0,9", "allowed: six numbers"},
        {0, "-1,3,3,5,1,0", "allowed: six numbers"},
        {3, "0,3,3,5,1,0", "a worm without a number above 0; allowed: 1 to 999999999"},
        {3, "0,3,3,5,1,0,0", "a worm without a number above 0"},
        {3, "0,3,3,5,1,0,1,", "allowed: seven numbers, ready,entry,src,dst,length,path,number"},
        {3, "0,3,3,5,1,0,7\n0,4,4,5,1,0,7", ": two worms with number 7; allowed: each number once"},
        {0, "0,3,3,5,1,x", "allowed: six numbers"},
        {0, "0,3,3,5,1,4294967296", "allowed: six numbers"},
        {1, "0,1,0,5,1,0", "enters endpoint 1"},  /* 0 is on child 0 */
        {1, "0,4,0,5,1,0", "enters endpoint 4"},  /* from below, not from a parent */
        {1, "0,4,8,5,1,0", "enters endpoint 4"},  /* 5 is not below */
        {1, "0,6,8,2,1,0", "enters endpoint 6"},
        {2, "0,0,0,1,1,0", "enters endpoint 0"},  /* turns below */
        {2, "0,4,8,2,1,0", "enters endpoint 4"},  /* the root has no parents */
    };
    (void)state;
    for (size_t k = 0; k < ROWS(bad); k++) {
        struct config c = open_of(2);
        struct stimulus s;
        struct fail f = {.text = ""};
        char name[40], text[200];
        bool network = bad[k].level == 0 || bad[k].level == 3;
        c.shape.network = network;
        c.shape.params.level = network ? 1 : bad[k].level;
        snprintf(text, sizeof text, "ready,entry,src,dst,length,path%s\n%s\n", bad[k].level == 3 ? ",number" : "", bad[k].row);
        temp_file(name, text);
        CHECK_AT(k, stimulus_read(&s, &c, name, &f), -1);
        remove(name);
        CHECK_AT(k, f.code, EXIT_INPUT);
        if (!strstr(f.text, bad[k].words))
            print_error("row %zu: %s\n", k, f.text);
        assert_non_null(strstr(f.text, bad[k].words));
        assert_null(s.worm);
    }
}

static void subsets_keep_numbers(void **state)
{
    struct config c = config_of(2, FATFLY_RANDOM);
    bool keep[16];
    size_t at = 0;
    uint64_t flits = 0;
    (void)state;
    struct stimulus s = make(&c), less;
    CHECK_EQ(s.count, 16);
    for (unsigned k = 0; k < 16; k++) {
        s.worm[k].ready = 10 * k;
        keep[k] = k % 3 == 1;
    }
    CHECK_EQ(stimulus_subset(&less, &s, keep), 0);
    for (unsigned k = 0; k < 16; k++)
        if (keep[k]) {
            assert_true(alike(&less.worm[at], &s.worm[k]));
            flits += s.worm[k].length;
            at++;
        }
    CHECK_EQ(less.count, at);
    CHECK_EQ(less.flits, flits);
    CHECK_EQ(less.last, 130);
    CHECK_EQ(less.switch_seed, s.switch_seed);
    stimulus_free(&less);
    memset(keep, 0, sizeof keep);
    CHECK_EQ(stimulus_subset(&less, &s, keep), 0);
    CHECK_EQ(less.count, 0);
    CHECK_EQ(less.flits, 0);
    CHECK_EQ(less.last, 0);
    stimulus_free(&less);
    stimulus_free(&s);
}

/* Geometric arrivals: worms and flits per cycle as asked for, lengths evenly from all allowed. */
static void open_loop(void **state)
{
    static const double load[] = {0.01, 0.1, 0.5, 1};
    (void)state;
    for (size_t k = 0; k < ROWS(load); k++) {
        struct config c = open_of(2);
        double slots = 16 * 4000.0, mean = 6, chance = load[k] / mean, square = 0;
        c.set.config.length = 10;
        c.set.config.length_min = 2;
        c.set.config.load = load[k];
        c.set.config.cycles = 4000;
        c.set.config.seed = 1; /* as above */
        struct stimulus s = make(&c);
        check_whole(&s);
        for (size_t j = 0; j < s.count; j++) {
            assert_true(s.worm[j].length >= 2 && s.worm[j].length <= 10);
            assert_true(s.worm[j].dst < 16 && s.worm[j].dst != s.worm[j].src);
            assert_true(s.worm[j].ready < 4000);
        }
        near((double)s.count, slots * chance, slots * chance * (1 - chance), "worms");
        for (unsigned l = 2; l <= 10; l++)
            square += l * l / 9.0;
        near((double)s.flits, slots * load[k],
             slots * (chance * square - load[k] * load[k]), "flits");
        stimulus_free(&s);
    }
}

/* The worms of traffic.h, whole: numbers, heads and payloads as the engines of libfatfly have them. */
static void worms_of_the_library(void **state)
{
    (void)state;
    for (unsigned load = 0; load < 2; load++)
        for (unsigned path = 0; path < FATFLY_TREE_PATHS; path++) {
            struct fatfly_config c = {.nodes = 64, .depth = 2, .vcs = 1, .pattern = FATFLY_HOTSPOT,
                                      .hotspot = 0.1, .hotspot_node = 5, .length = 9, .rounds = 3,
                                      .length_min = 2, .lengths = FATFLY_UNIFORM, .delay_range = 4,
                                      .self_traffic = true};
            struct config shape = open_of(3);
            struct traffic_worm w;
            struct stimulus s;
            struct fail f;
            size_t k = 0;
            c.path = path;
            c.seed = unit_seed;
            c.load = load * 0.2;
            c.warmup = 100;
            c.cycles = 300;
            shape.shape.params.path = (enum path_select)path;
            shape.shape.params.flit_w = 24;
            CHECK_EQ(stimulus_traffic(&s, &shape.shape, &c, &f), 0);
            struct traffic *t = traffic_new(&c);
            assert_non_null(t);
            for (uint32_t a = 0; a < 64; a++)
                while (traffic_next(t, a, &w) && (!load || w.ready < 400)) {
                    const struct worm *v = &s.worm[k];
                    assert_true(k < s.count);
                    CHECK_AT(k, v->ready, w.ready);
                    CHECK_AT(k, v->number, w.number);
                    CHECK_AT(k, v->length, w.length);
                    CHECK_AT(k, v->entry, a);
                    CHECK_AT(k, v->src, a);
                    CHECK_AT(k, v->dst, w.dst);
                    CHECK_AT(k, v->path, w.path);
                    CHECK_AT(k, v->exit_first, w.dst);
                    CHECK_AT(k, v->exit_last, w.dst);
                    CHECK_AT(k, v->head, traffic_head(&shape.shape.params, &w));
                    for (uint32_t j = 0; j < w.length; j++)
                        CHECK_AT(k, worm_payload(v, j, 24),
                                 flit_payload(v->head, w.number, j, 0xffffff));
                    k++;
                }
            CHECK_EQ(k, s.count);
            CHECK_EQ(s.switch_seed, (uint32_t)rng_hash(unit_seed));
            assert_false(stimulus_stalls(&s));
            traffic_free(t);
            stimulus_free(&s);
        }
}

/* A single switch S(level, 0) gets only worms that a shortest path leads through it, at every
 * port, and they may leave only by such a path. */
static void through_a_switch(void **state)
{
    (void)state;
    for (unsigned levels = 1; levels <= 3; levels++)
        for (unsigned level = 1; level <= levels; level++)
            for (enum path_select path = PATH_FP; path <= PATH_RP; path++) {
                struct config c = open_of(levels);
                unsigned under = 1u << 2 * level, ports = 0, phases = 0;
                bool up = false;
                c.shape.network = false;
                c.shape.params.level = level;
                c.shape.params.path = path;
                c.set.config.length = 16;
                c.set.config.length_min = 1;
                c.set.config.load = 0.6;
                c.set.config.cycles = 8 * 4096;
                struct stimulus s = make(&c);
                check_whole(&s);
                for (size_t k = 0; k < s.count; k++) {
                    const struct worm *w = &s.worm[k];
                    unsigned h = worm_height(w->src, w->dst);
                    ports |= 1u << w->entry;
                    phases |= 1u << w->ready / 4096;
                    assert_true(h >= level && w->src != w->dst);
                    if (w->entry < 4) {
                        assert_true(w->src < under);
                        CHECK_AT(k, w->src / (under / 4), w->entry);
                    } else {
                        assert_true(w->src >= under && w->dst < under);
                    }
                    if (w->dst < under) {
                        CHECK_AT(k, w->exit_first, w->dst / (under / 4));
                        CHECK_AT(k, w->exit_last, w->exit_first);
                        assert_true(w->exit_first != w->entry);
                    } else {
                        up = true;
                        unsigned bit = w->path >> (level - 1) & 1;
                        CHECK_AT(k, w->exit_first, path == PATH_FP ? 4 + bit : 4);
                        CHECK_AT(k, w->exit_last, path == PATH_FP ? 4 + bit : 5);
                    }
                }
                CHECK_EQ(ports, level == levels ? 0xf : 0x3f);
                CHECK_EQ(phases, 0xff);
                CHECK_EQ(up, level < levels);
                stimulus_free(&s);
            }
}

/* Under FF a switch alone meets worms that turn here, or have turned above, with heights that say neither;
 * the way of a worm does not change, and equal worms say the same.  Else heights are true. */
static void wrong_heights(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 6; kind++) {
        struct config c = open_of(3);
        unsigned told[2] = {0}, wrong[2] = {0}, level = 1 + kind % 3;
        bool ties = false;
        c.shape.network = kind == 3;
        c.shape.params.level = c.shape.network ? 1 : level;
        c.shape.params.scan = kind < 4 ? SCAN_FF : SCAN_FCFS;
        c.set.config.length_min = 1;
        c.set.config.load = 0.6;
        c.set.config.cycles = 8 * 4096;
        struct stimulus s = make(&c);
        for (size_t k = 0; k < s.count; k++) {
            const struct worm *w = &s.worm[k];
            unsigned height = worm_height(w->src, w->dst), said = head_height(3, w->head);
            bool parent = w->entry >= 4 && !c.shape.network;
            told[parent]++;
            wrong[parent] += said != height;
            ties |= parent && said == level;
            CHECK_AT(k, head_dst(3, w->head), w->dst);
            CHECK_AT(k, head_src(3, w->head), w->src);
            if (kind >= 3)
                CHECK_AT(k, said, height);
            else if (said != height)
                assert_true(said <= level && (parent || height == level));
        }
        if (kind < 3) {
            struct stimulus again;
            struct fail f;
            char name[40];
            temp_file(name, "");
            CHECK_EQ(stimulus_write(&s, name, &f), 0);
            CHECK_EQ(stimulus_read(&again, &c, name, &f), 0);
            remove(name);
            for (size_t k = 0; k < s.count; k++)
                CHECK_AT(k, head_height(3, again.worm[k].head), head_height(3, s.worm[k].head));
            stimulus_free(&again);
            assert_true(50 * wrong[0] > told[0]);
            assert_true(level == 3 || (8 * wrong[1] > told[1] && ties));
        }
        stimulus_free(&s);
    }
}

static void stalls(void **state)
{
    static const unsigned percent[] = {0, 1, 10, 50, 90};
    (void)state;
    for (size_t k = 0; k < ROWS(percent); k++)
        for (unsigned vcs = 1; vcs <= 9; vcs = vcs == 4 ? 9 : 2 * vcs) {
            struct config c = config_of(2, FATFLY_COMPLEMENT);
            uint16_t room[16], again[16];
            double n = 3000.0 * 16 * vcs, stalled = 0;
            c.shape.params.vcs = vcs;
            c.set.stall = percent[k];
            c.set.config.seed = 1;
            struct stimulus s = make(&c);
            CHECK_EQ(stimulus_stalls(&s), percent[k] != 0);
            for (uint64_t t = 0; t < 3000; t++) {
                stimulus_room(&s, t, 16, room);
                stimulus_room(&s, t, 16, again);
                assert_memory_equal(room, again, sizeof room);
                for (unsigned e = 0; e < 16; e++) {
                    CHECK_AT(t, room[e] >> vcs, 0);
                    stalled += vcs - (unsigned)__builtin_popcount(room[e]);
                }
            }
            double chance = percent[k] * 256 / 100 / 256.0;
            near(stalled, n * chance, n * chance * (1 - chance), "stalled channels");
            stimulus_free(&s);
        }
}

/* A single switch meets phases without a stall and phases of many. */
static void stalls_of_a_switch(void **state)
{
    struct config c = open_of(2);
    double most = 0, sum = 0;
    bool none = false;
    (void)state;
    c.shape.network = false;
    c.set.stall = 45;
    c.set.config.cycles = 100;
    struct stimulus s = make(&c);
    for (unsigned phase = 0; phase < STALL_PHASES; phase++) {
        uint16_t room[6];
        double stalled = 0;
        for (uint64_t t = 0; t < 1000; t++) {
            stimulus_room(&s, phase * s.phase + t, 6, room);
            for (unsigned e = 0; e < 6; e++)
                stalled += !room[e];
        }
        none |= stalled == 0;
        most = stalled > most ? stalled : most;
        sum += stalled;
        /* The phases come round again with the same chances. */
        stimulus_room(&s, (STALL_PHASES + phase) * s.phase, 6, room);
        assert_true(s.stall[phase] || (room[0] & room[1] & room[2] & room[3] & room[4] & room[5]));
    }
    assert_true(none);
    assert_true(most > 0.85 * 6000);
    assert_true(sum > 0.4 * 48000 && sum < 0.5 * 48000);
    stimulus_free(&s);
}

/* Entries of a switch alone keep still in every second phase, each by itself, in an eighth of the cycles. */
static void gaps(void **state)
{
    const double n = 20000, some = n / 8, both = n / 64;
    double still[6] = {0}, together = 0;
    struct stimulus s = {.seed = 1, .phase = 4096};
    (void)state;
    for (uint64_t t = 0; t < 20000; t++) {
        s.shape.network = false;
        CHECK_AT(t, stimulus_gaps(&s, t), t / 4096 % 2);
        s.shape.network = true;
        CHECK_AT(t, stimulus_gaps(&s, t), 0);
        for (unsigned e = 0; e < 6; e++)
            still[e] += stimulus_gap(&s, t, e);
        together += stimulus_gap(&s, t, 0) && stimulus_gap(&s, t, 5);
    }
    for (unsigned e = 0; e < 6; e++)
        near(still[e], some, some * 7 / 8, "cycles in which an entry keeps still");
    near(together, both, both, "... and another one, too");
}

/* Both sides are reset every so many cycles, but not in the first, and in other cycles with another seed. */
static void resets(void **state)
{
    static const unsigned every[] = {0, 1, 2, 20, 1000};
    const double n = 20000;
    (void)state;
    for (size_t k = 0; k < ROWS(every); k++) {
        struct stimulus s = {.seed = 1, .reset_every = every[k]}, other = {.seed = 12346, .reset_every = every[k]};
        double count = 0, both = 0, share = every[k] ? 1.0 / every[k] : 0;
        CHECK_AT(k, stimulus_resets(&s, 0), 0);
        for (uint64_t t = 1; t <= 20000; t++) {
            count += stimulus_resets(&s, t);
            both += stimulus_resets(&s, t) && stimulus_resets(&other, t);
        }
        near(count, n * share, n * share * (1 - share), "resets");
        near(both, n * share * share, n * share * share * (1 - share * share), "... with another seed, too");
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(static_patterns),
        cmocka_unit_test(random_patterns),
        cmocka_unit_test(paths),
        cmocka_unit_test(payloads),
        cmocka_unit_test(messages_become_worms),
        cmocka_unit_test(bad_traces),
        cmocka_unit_test(worm_files),
        cmocka_unit_test(worm_files_of_some),
        cmocka_unit_test(free_bits),
        cmocka_unit_test(bad_worm_files),
        cmocka_unit_test(subsets_keep_numbers),
        cmocka_unit_test(open_loop),
        cmocka_unit_test(worms_of_the_library),
        cmocka_unit_test(through_a_switch),
        cmocka_unit_test(wrong_heights),
        cmocka_unit_test(stalls),
        cmocka_unit_test(stalls_of_a_switch),
        cmocka_unit_test(gaps),
        cmocka_unit_test(resets),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
