/* SPDX-License-Identifier: Apache-2.0
 * test_classes.c - classes of worms, requests and replies: every request has one reply, at the cycle that the
 * configuration says; nobody has more requests than it may; classes add up to the whole; reserved channels are kept.
 */
#include "fatfly.h"
#include "traffic.h"

#include "unit.h"

#include <string.h>

enum { MOST = 20000, MOST_PROCESSORS = 256 };

/* What an observer is told of a run. */
struct seen {
    const struct fatfly_config *c;
    struct fatfly_worm made[MOST];
    uint32_t number[MOST];
    struct fatfly_delivery got[MOST];
    unsigned mades, gots, parts;
    unsigned out[MOST_PROCESSORS], most_out; /* requests without a reply */
    unsigned channels;
};

static struct seen seen;
static struct fatfly_result first, second;
static char why[400];

static void on_begin(void *context, const struct fatfly_wires *w)
{
    ((struct seen *)context)->channels = w->shape->channels;
}

static void on_ready(void *context, uint32_t worm, const struct fatfly_worm *w)
{
    struct seen *s = context;
    assert_true(s->mades < MOST && w->src < MOST_PROCESSORS);
    s->number[s->mades] = worm;
    s->made[s->mades++] = *w;
    if (w->of_class < s->c->classes && ++s->out[w->src] > s->most_out)
        s->most_out = s->out[w->src];
}

static void on_arrived(void *context, uint32_t worm, const struct fatfly_delivery *d)
{
    struct seen *s = context;
    (void)worm;
    assert_true(s->gots < MOST);
    s->got[s->gots++] = *d;
    if (d->of_class >= s->c->classes)
        s->out[d->dst]--;
}

static unsigned class_of(const struct seen *s, uint32_t worm)
{
    unsigned k = s->mades;
    while (k-- > 0 && s->number[k] != worm)
        ;
    return s->made[k].of_class;
}

static void on_move(void *context, const struct fatfly_move *m)
{
    const struct seen *s = context;
    unsigned parts = traffic_parts(s->c);
    if (parts > 1)
        CHECK_EQ(m->channel / (s->channels / parts), traffic_part(s->c, class_of(s, m->worm)));
}

static void watch(const struct fatfly_config *c)
{
    const struct fatfly_observer o = {.context = &seen, .begin = on_begin, .ready = on_ready, .move = on_move,
                                      .arrived = on_arrived};
    const struct fatfly_hooks h = {.observer = &o};
    memset(&seen, 0, sizeof seen);
    seen.c = c;
    if (fatfly_run(c, &h, &second, why, sizeof why))
        fail_msg("%s", why);
}

static int by_reply(const void *x, const void *y)
{
    const struct fatfly_worm *a = x, *b = y;
    if (a->ready != b->ready)
        return a->ready < b->ready ? -1 : 1;
    if (a->src != b->src)
        return a->src < b->src ? -1 : 1;
    return a->dst != b->dst ? (a->dst < b->dst ? -1 : 1) : (int)a->of_class - (int)b->of_class;
}

/* What came for requests is what was sent as replies, one for one. */
static void check_replies(unsigned k, const struct fatfly_config *c, bool whole)
{
    static struct fatfly_worm want[MOST], sent[MOST];
    unsigned wants = 0, sents = 0;
    for (unsigned j = 0; j < seen.gots; j++) {
        const struct fatfly_delivery *d = &seen.got[j];
        if (d->of_class < c->classes)
            want[wants++] = (struct fatfly_worm){.ready = d->tail + 1 + c->reply_delay, .src = d->dst, .dst = d->src,
                                                 .length = c->reply[d->of_class], .of_class = c->classes + d->of_class};
    }
    for (unsigned j = 0; j < seen.mades; j++)
        if (seen.made[j].of_class >= c->classes)
            sent[sents++] = seen.made[j];
    if (whole)
        CHECK_AT(k, sents, wants); /* at the end of an open loop some are not ready yet */
    qsort(want, wants, sizeof *want, by_reply);
    qsort(sent, sents, sizeof *sent, by_reply);
    for (unsigned j = 0; j < sents; j++) {
        CHECK_AT(k, by_reply(&want[j], &sent[j]), 0);
        CHECK_AT(k, sent[j].length, want[j].length);
    }
}

static int by_latency(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

/* Quantiles of a class, or of all worms (class FATFLY_MAX_CLASSES), by sorting what arrived. */
static void check_quantiles(unsigned k, unsigned class)
{
    static const unsigned thousandths[] = {1, 250, 500, 950, 990, 1000};
    static uint64_t latency[MOST];
    unsigned n = 0;
    for (unsigned j = 0; j < seen.gots; j++)
        if (class == FATFLY_MAX_CLASSES || seen.got[j].of_class == class)
            latency[n++] = seen.got[j].tail - seen.got[j].ready + 1;
    qsort(latency, n, sizeof *latency, by_latency);
    for (unsigned j = 0; n && j < ROWS(thousandths); j++) {
        uint64_t want = latency[(n * thousandths[j] + 999) / 1000 - 1];
        double p = thousandths[j] / 1000.0;
        CHECK_AT(k, class == FATFLY_MAX_CLASSES ? fatfly_quantile(&second, p) : fatfly_class_quantile(&second, class, p),
                 fatfly_bucket_low(fatfly_bucket(want)));
    }
}

/* Of a static run: what every class did, counted here. */
static void check_counts(unsigned k, const struct fatfly_config *c)
{
    static struct fatfly_of_class own[FATFLY_MAX_CLASSES];
    memset(own, 0, sizeof own);
    for (unsigned j = 0; j < seen.gots; j++) {
        const struct fatfly_delivery *d = &seen.got[j];
        struct fatfly_of_class *o = &own[d->of_class];
        uint64_t latency = d->tail - d->ready + 1;
        o->worms++;
        o->measured++;
        o->flits += d->length;
        o->offered_flits += d->length;
        o->accepted_flits += d->length;
        o->latency_sum += latency;
        o->latency_max = latency > o->latency_max ? latency : o->latency_max;
        o->histogram[fatfly_bucket(latency)]++;
    }
    CHECK_AT(k, second.classes, traffic_classes(c));
    for (unsigned j = 0; j < FATFLY_MAX_CLASSES; j++)
        if (memcmp(&own[j], &second.by_class[j], sizeof *own) != 0)
            fail_msg("case %u: class %u is not what arrived", k, j);
    for (unsigned j = 0; j <= FATFLY_MAX_CLASSES; j++)
        if (second.classes > 1)
            check_quantiles(k, j);
}

static void check_numbers(unsigned k)
{
    static uint8_t used[MOST * 8];
    memset(used, 0, sizeof used);
    for (unsigned j = 0; j < seen.mades; j++) {
        CHECK_AT(k, seen.number[j] < sizeof used && !used[seen.number[j]], 1);
        used[seen.number[j]] = 1;
    }
}

static void some_classes(struct fatfly_config *c)
{
    c->seed = unit_seed + draw(1000000);
    c->length = 1 + draw(8);
    c->rounds = 1 + draw(6);
    c->classes = 1 + draw(2);
    for (unsigned k = 0; k < c->classes; k++) {
        c->reply[k] = 1 + draw(8);
        c->class_length[k] = draw(2) ? 1 + draw(9) : 0;
    }
    if (c->classes > 1 && draw(2)) {
        c->class_share[0] = 0.5 + draw(3);
        c->class_share[1] = 0.5 + draw(3);
    }
    c->class_patterns = c->classes > 1 && draw(2);
    for (unsigned k = 0; k < c->classes && c->class_patterns; k++)
        c->class_pattern[k] = (enum fatfly_pattern)draw(FATFLY_HOTSPOT);
    c->reply_delay = draw(2) ? draw(40) : 0;
    c->outstanding = draw(2) ? 1 + draw(3) : 0;
    if (draw(2)) {
        c->load = 0.02 + draw(20) / 50.0;
        c->warmup = 100;
        c->detect_warmup = false;
        c->cycles = 400;
    }
}

static void check_seen(unsigned k, const struct fatfly_config *c)
{
    check_replies(k, c, c->load <= 0);
    check_numbers(k);
    if (c->load <= 0)
        check_counts(k, c);
    if (c->outstanding && seen.most_out > c->outstanding)
        fail_msg("case %u: %u requests under way; allowed: %u", k, seen.most_out, c->outstanding);
}

/* On a fat-tree: the fast engines and the plain one, which an observer sees. */
static void fat_trees(void **state)
{
    (void)state;
    unsigned held = 0;
    for (unsigned k = 0; k < 400; k += UNIT_EACH(2)) {
        struct fatfly_config c;
        fatfly_defaults(&c);
        some_classes(&c);
        c.nodes = draw(2) ? 16 : 64;
        c.vcs = 1u << draw(3);
        c.depth = 1 + draw(4);
        c.path = (enum fatfly_path)draw(FATFLY_TREE_PATHS);
        c.scan = (enum fatfly_scan)draw(FATFLY_SCANS);
        memset(&first, 0, sizeof first);
        memset(&second, 0, sizeof second);
        if (fatfly_run(&c, NULL, &first, why, sizeof why))
            fail_msg("case %u: %s", k, why);
        watch(&c);
        if (memcmp(&first, &second, sizeof first) != 0)
            fail_msg("case %u: engines differ, digests %llx, %llx", k, (unsigned long long)first.digest,
                     (unsigned long long)second.digest);
        check_seen(k, &c);
        held += c.outstanding && seen.most_out == c.outstanding;
    }
    assert_true(held > 50 / UNIT_EACH(2));
}

/* On a mesh or torus, with channels of their own and priorities. */
static void meshes(void **state)
{
    (void)state;
    unsigned reserved = 0;
    for (unsigned k = 0; k < 300; k++) {
        struct fatfly_config c;
        fatfly_defaults_of(&c, draw(2) ? "mesh" : "torus", FATFLY_WORM);
        some_classes(&c);
        c.radix = 4;
        c.nodes = 16;
        c.vcs = 4;
        c.bandwidth = (enum fatfly_bandwidth)draw(2);
        c.class_channels = (enum fatfly_class_channels)draw(2);
        for (unsigned j = 0; j < 2 * c.classes; j++)
            c.class_priority[j] = draw(3);
        watch(&c);
        check_seen(k, &c);
        reserved += c.class_channels == FATFLY_RESERVED;
    }
    assert_true(reserved > 50);
}

/* Tables of 64: a permutation without fixed points, and a matrix by which a sends to a + 3 thrice as often as to a + 20. */
static uint32_t table[64];
static double weights[64 * 64];

static void give_tables(struct fatfly_config *c)
{
    for (uint32_t a = 0; a < 64; a++) {
        table[a] = (5 * a + 7) % 64;
        for (uint32_t b = 0; b < 64; b++)
            weights[64 * a + b] = b == (a + 3) % 64 ? 3 : b == (a + 20) % 64;
    }
    c->permutation = table;
    c->matrix = weights;
}

/* Where a pattern leads from a of 64, as its definition says; 64: to anyone else. */
static uint32_t goes(enum fatfly_pattern pattern, bool torus, uint32_t a)
{
    switch (pattern) {
    case FATFLY_TORNADO: return torus ? (a % 8 + 3) % 8 + (a / 8 + 3) % 8 * 8 : (a + 31) % 64;
    case FATFLY_TRANSPOSE: return a % 8 * 8 + a / 8;
    case FATFLY_COMPLEMENT: return 63 - a;
    case FATFLY_NEIGHBOUR: return (a + 1) % 64;
    case FATFLY_IDENTITY: return a;
    case FATFLY_PERMUTATION: return (5 * a + 7) % 64;
    default: return 64;
    }
}

/* Worms of each class go where its pattern says, and as many as it has of the load. */
static void patterns(void **state)
{
    static const enum fatfly_pattern some[] = {FATFLY_TORNADO, FATFLY_TRANSPOSE, FATFLY_COMPLEMENT, FATFLY_NEIGHBOUR,
                                               FATFLY_IDENTITY, FATFLY_RANDOM, FATFLY_RANDOM_PERMUTATION,
                                               FATFLY_PERMUTATION, FATFLY_MATRIX};
    unsigned near = 0, far = 0; /* worms by the matrix */
    (void)state;
    for (unsigned k = 0; k < 80; k++) {
        static unsigned to[FATFLY_MAX_CLASSES][64], from[FATFLY_MAX_CLASSES][64], one[FATFLY_MAX_CLASSES][64];
        struct fatfly_config c;
        bool torus = draw(2), open = draw(2);
        fatfly_defaults_of(&c, torus ? "torus" : "fat-tree", FATFLY_WORM);
        c.nodes = 64;
        c.radix = 8;
        c.vcs = torus ? 2 : 1;
        c.length = 1;
        c.seed = unit_seed + k;
        c.classes = 2 + draw(3);
        c.class_patterns = true;
        give_tables(&c);
        for (unsigned j = 0; j < c.classes; j++)
            c.class_pattern[j] = some[draw(ROWS(some))];
        if (c.classes == 2 && draw(2))
            c.reply[0] = c.reply[1] = 1;
        c.rounds = 80;
        c.load = open ? 0.05 : 0;
        c.detect_warmup = false;
        c.warmup = 0;
        c.cycles = 3000;
        c.max_cycles = 5000; /* 16000 worms, which seen has room for; some tables saturate a link */
        const unsigned most = 3 * (open ? 150U : 80U) / c.classes; /* of a class from one; a third is expected */
        memset(to, 0, sizeof to);
        memset(from, 0, sizeof from);
        watch(&c);
        for (unsigned j = 0; j < seen.mades; j++) {
            const struct fatfly_worm *w = &seen.made[j];
            if (w->of_class >= c.classes)
                continue;
            uint32_t dst = goes(c.class_pattern[w->of_class], torus, w->src);
            if (c.class_pattern[w->of_class] == FATFLY_RANDOM_PERMUTATION)
                dst = from[w->of_class][w->src] ? one[w->of_class][w->src] : 64;
            one[w->of_class][w->src] = w->dst;
            if (dst < 64)
                CHECK_AT(k, w->dst, dst);
            if (c.class_pattern[w->of_class] == FATFLY_MATRIX) {
                near += w->dst == (w->src + 3) % 64;
                far += w->dst == (w->src + 20) % 64;
                CHECK_AT(k, w->dst == (w->src + 3) % 64 || w->dst == (w->src + 20) % 64, true);
            }
            to[w->of_class][w->dst]++;
            from[w->of_class][w->src]++;
        }
        for (unsigned j = 0; j < c.classes; j++)
            for (uint32_t a = 0; a < 64 && c.class_pattern[j] != FATFLY_RANDOM_PERMUTATION; a++) {
                bool stays = goes(c.class_pattern[j], torus, a) == a;
                CHECK_AT(k, stays && from[j][a], 0);
                if (!stays && (!from[j][a] || from[j][a] > most))
                    fail_msg("case %u: %u worms of class %u from %u", k, from[j][a], j, a);
                if (c.class_pattern[j] == FATFLY_RANDOM && (!to[j][a] || to[j][a] > most))
                    fail_msg("case %u: %u worms of class %u to %u", k, to[j][a], j, a);
            }
    }
    if (near < 2.8 * far || near > 3.2 * far || far < 1000)
        fail_msg("by the matrix %u worms went to a + 3, %u to a + 20", near, far);
}

/* Classes that all have one pattern are a run with it. */
static void one_pattern_of_all(void **state)
{
    (void)state;
    for (unsigned k = 0; k < FATFLY_PATTERNS; k++) {
        struct fatfly_config c;
        fatfly_defaults(&c);
        c.classes = 2;
        c.length = 4;
        c.rounds = 5;
        give_tables(&c);
        c.load = draw(2) ? 0.05 : 0;
        c.cycles = 1000;
        c.hotspot_node = 3;
        c.pattern = (enum fatfly_pattern)k;
        if (k == FATFLY_PACKING || k == FATFLY_SPREADING || k == FATFLY_MONOTONE || k == FATFLY_MESSAGES)
            continue;
        CHECK_AT(k, fatfly_run(&c, NULL, &first, why, sizeof why), FATFLY_OK);
        c.class_patterns = true;
        c.class_pattern[0] = c.class_pattern[1] = c.pattern;
        c.pattern = FATFLY_RANDOM;
        CHECK_AT(k, fatfly_run(&c, NULL, &second, why, sizeof why), FATFLY_OK);
        assert_memory_equal(&first, &second, sizeof first);
    }
}

/* Shares are of flits, replies included, and load is of all of them. */
static void shares(void **state)
{
    (void)state;
    struct fatfly_config c;
    fatfly_defaults(&c);
    c.load = 0.08;
    c.classes = 2;
    c.class_length[0] = 1;
    c.class_length[1] = 12;
    c.reply[0] = 5;
    c.reply[1] = 1;
    c.class_share[0] = 3;
    c.class_share[1] = 1;
    c.detect_warmup = false;
    c.warmup = 2000;
    c.cycles = 60000;
    c.seed = unit_seed;
    if (fatfly_run(&c, NULL, &first, why, sizeof why))
        fail_msg("%s", why);
    double cycles = (double)c.cycles * c.nodes, all = (double)first.accepted_flits / cycles;
    double of_0 = (double)(first.by_class[0].accepted_flits + first.by_class[2].accepted_flits) / cycles;
    if (all < 0.078 || all > 0.082 || of_0 < 0.0585 || of_0 > 0.0615)
        fail_msg("accepted %g, of class 0 and its replies %g", all, of_0);
}

/* One processor asks another, and again when it has the answer: 2 h + L - 1 cycles there, as many back, and the
 * delay (GG eq. 1). */
static void alone(void **state)
{
    (void)state;
    for (unsigned delay = 0; delay < 50; delay += 7) {
        static const uint32_t there[4] = {1, 1, 2, 3}; /* 0 to 1, the others to themselves */
        struct fatfly_config c;
        fatfly_defaults(&c);
        c.nodes = 4;
        c.pattern = FATFLY_PERMUTATION;
        c.permutation = there;
        c.length = 3;
        c.reply[0] = 7;
        c.reply_delay = delay;
        c.outstanding = 1;
        c.rounds = 10;
        if (fatfly_run(&c, NULL, &first, why, sizeof why))
            fail_msg("%s", why);
        CHECK_AT(delay, first.worms, 20);
        CHECK_AT(delay, first.latency_sum, 10 * (2 + 3 - 1 + 2 + 7 - 1));
        CHECK_AT(delay, first.cycles, 10 * (2 + 3 - 1 + 2 + 7 - 1 + delay));
        CHECK_AT(delay, first.by_class[1].latency_max, 2 + 7 - 1);
    }
}

/* A session, and a run in one that goes back. */
static void sessions(void **state)
{
    (void)state;
    struct fatfly_session *s;
    struct fatfly_snapshot *p;
    struct fatfly_config c;
    uint64_t digest = 0;
    fatfly_defaults(&c);
    c.nodes = 16;
    c.classes = 3;
    CHECK_EQ(fatfly_open(&s, &c, why, sizeof why), FATFLY_OK);
    struct fatfly_worm w = {.src = 1, .dst = 5, .length = 4, .of_class = 3};
    CHECK_EQ(fatfly_send(s, &w, why, sizeof why), FATFLY_BAD_CONFIG);
    assert_string_equal(why, "class 3; allowed: 0 to 2");
    w.of_class = 2;
    CHECK_EQ(fatfly_send(s, &w, why, sizeof why), FATFLY_OK);
    CHECK_EQ(fatfly_advance(s, 1000, true, why, sizeof why), FATFLY_OK);
    struct fatfly_delivery d;
    assert_true(fatfly_poll(s, &d));
    CHECK_EQ(d.of_class, 2);
    fatfly_statistics(s, &first);
    CHECK_EQ(first.by_class[2].worms, 1);
    CHECK_EQ(fatfly_class_quantile(&first, 2, 0.5), d.tail - d.ready + 1);
    fatfly_close(s);
    c.classes = 1;
    c.reply[0] = 5;
    c.outstanding = 1;
    c.rounds = 4;
    CHECK_EQ(fatfly_open_run(&s, &c, why, sizeof why), FATFLY_OK);
    CHECK_EQ(fatfly_advance(s, 100, false, why, sizeof why), FATFLY_OK);
    CHECK_EQ(fatfly_save(s, &p, why, sizeof why), FATFLY_OK);
    for (unsigned twice = 0; twice < 2; twice++) {
        CHECK_EQ(fatfly_advance(s, UINT64_MAX, false, why, sizeof why), FATFLY_OK);
        assert_true(fatfly_over(s));
        fatfly_statistics(s, &first);
        CHECK_EQ(first.worms, 2 * 16 * 4);
        CHECK_EQ(first.by_class[1].worms, 16 * 4);
        if (twice)
            CHECK_EQ(first.digest, digest);
        digest = first.digest;
        CHECK_EQ(fatfly_restore(s, p, why, sizeof why), FATFLY_OK);
    }
    fatfly_snapshot_free(p);
    fatfly_close(s);
    CHECK_EQ(fatfly_run(&c, NULL, &second, why, sizeof why), FATFLY_OK);
    CHECK_EQ(second.digest, digest);
}

/* Tables of classes that cannot be: a destination outside, and rows that make some send more than others. */
static void refused_tables(void **state)
{
    struct fatfly_config c;
    (void)state;
    fatfly_defaults(&c);
    c.classes = 2;
    c.class_patterns = true;
    c.class_pattern[1] = FATFLY_PERMUTATION;
    give_tables(&c);
    table[9] = 64;
    CHECK_EQ(fatfly_run(&c, NULL, &first, why, sizeof why), FATFLY_BAD_CONFIG);
    assert_string_equal(why, "permutation[9] = 64; allowed: 0 to 63");
    c.class_pattern[1] = FATFLY_MATRIX;
    weights[64 * 5] = 1;
    CHECK_EQ(fatfly_run(&c, NULL, &first, why, sizeof why), FATFLY_BAD_CONFIG);
    assert_non_null(strstr(why, "matrix: row 5 has weights of 5, row 0 of 4; allowed with class_pattern: the same above 0"));
    memset(weights, 0, sizeof weights);
    CHECK_EQ(fatfly_run(&c, NULL, &first, why, sizeof why), FATFLY_BAD_CONFIG);
    assert_non_null(strstr(why, "matrix: row 0 has weights of 0, row 0 of 0"));
}

/* Patterns of classes that cannot be. */
static void refused_patterns(void **state)
{
    (void)state;
    static const struct {
        const char *topology, *why;
        unsigned classes, radix;
        double share;
        enum fatfly_pattern pattern, first, second;
    } bad[] = {
        {.classes = 1, .why = "class_pattern with one class; allowed: with classes of 2 or more"},
        {.classes = 2, .pattern = FATFLY_TORNADO, .why = "class_pattern with pattern = tornado; allowed: one of them"},
        {.classes = 2, .second = FATFLY_MATRIX,
         .why = "class_pattern = matrix needs a table of 64 times 64 weights; allowed: at most "},
        {.classes = 2, .first = FATFLY_PATTERNS, .why = "class_pattern[0] = ?; allowed: a pattern in which all processors send, but trace"},
        {.classes = 2, .second = FATFLY_PACKING, .why = "class_pattern[1] = packing; allowed: "},
        {.classes = 2, .second = FATFLY_MESSAGES, .why = "class_pattern[1] = trace; allowed: "},
        {.classes = 2, .second = FATFLY_PERMUTATION, .why = "class_pattern = permutation needs a table of 64 destinations"},
        {.classes = 2, .topology = "torus", .radix = 6, .second = FATFLY_SHUFFLE,
         .why = "nodes = 36 with class_pattern[1] = shuffle; allowed: a power of two"},
        {.classes = 2, .topology = "mesh", .radix = 3, .first = FATFLY_ASYMMETRIC,
         .why = "nodes = 9 with class_pattern[0] = asymmetric; allowed: an even number"},
        {.classes = 2, .share = 1e-7, .first = FATFLY_IDENTITY,
         .why = "class_share leaves class 1 1e-07 of all worms; allowed with class_pattern: at least 1e-06"},
    };
    for (unsigned k = 0; k < ROWS(bad); k++) {
        struct fatfly_config c;
        fatfly_defaults_of(&c, bad[k].topology ? bad[k].topology : "fat-tree", FATFLY_WORM);
        c.classes = bad[k].classes;
        c.class_patterns = true;
        c.pattern = bad[k].pattern;
        c.class_pattern[0] = bad[k].first;
        c.class_pattern[1] = bad[k].second;
        if (bad[k].share > 0) {
            c.class_share[0] = 1;
            c.class_share[1] = bad[k].share;
        }
        if (bad[k].radix) {
            c.radix = bad[k].radix;
            c.nodes = c.radix * c.radix;
        }
        int status = fatfly_run(&c, NULL, &first, why, sizeof why);
        if (status == FATFLY_OK || !strstr(why, bad[k].why))
            fail_msg("case %u: status %d, %s", k, status, why);
    }
}

/* One line each. */
static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *topology, *why;
        unsigned vcs, classes, reply, priority, outstanding;
        enum fatfly_class_channels channels;
        enum fatfly_discipline discipline;
        enum fatfly_pattern pattern;
    } bad[] = {
        {.classes = 5, .why = "classes = 5; allowed: 1 to 4"},
        {.classes = 3, .reply = 1, .why = "classes = 3, and as many of replies; allowed: 1 to 2"},
        {.classes = 1, .reply = 5000, .why = "reply[0] = 5000; allowed: 1 to 4096 flits for each class, or none at all"},
        {.classes = 1, .outstanding = 3, .why = "outstanding = 3 without replies; allowed: with reply"},
        {.classes = 2, .outstanding = 3, .why = "outstanding = 3 without replies; allowed: with reply"},
        {.classes = 1, .channels = FATFLY_RESERVED,
         .why = "class_channels = reserved with one class; allowed: with classes of 2 or more, or reply"},
        {.classes = 2, .channels = FATFLY_RESERVED,
         .why = "class_channels = reserved with topology = fat-tree; allowed: with another, this one's switch is the "
                "Verilog's, which knows no classes"},
        {.classes = 2, .priority = 1,
         .why = "class_priority with topology = fat-tree; allowed: with another, this one's switch is the Verilog's, "
                "which knows no classes"},
        {.classes = 2, .discipline = FATFLY_STORE,
         .why = "classes = 2 with discipline = store; allowed: only with discipline = worm"},
        {.classes = 1, .reply = 2, .discipline = FATFLY_UNIV,
         .why = "reply = 2 with discipline = univ; allowed: only with discipline = worm"},
        {.classes = 2, .pattern = FATFLY_MESSAGES,
         .why = "classes = 2 with pattern = trace; allowed: with another pattern, a trace has worms of its own"},
        {.topology = "torus", .classes = 2, .vcs = 3, .channels = FATFLY_RESERVED,
         .why = "vcs = 3 with class_channels = reserved; allowed: a multiple of 2"},
        {.topology = "torus", .classes = 3, .vcs = 3, .channels = FATFLY_RESERVED, .why = "can deadlock"},
    };
    for (unsigned k = 0; k < ROWS(bad); k++) {
        struct fatfly_config c;
        fatfly_defaults_of(&c, bad[k].topology ? bad[k].topology : "fat-tree", bad[k].discipline);
        c.classes = bad[k].classes;
        c.reply[0] = bad[k].reply;
        if (c.reply[0] && c.classes > 1)
            c.reply[1] = c.reply[2] = 1;
        c.class_priority[1] = bad[k].priority;
        c.outstanding = bad[k].outstanding;
        c.class_channels = bad[k].channels;
        c.pattern = bad[k].pattern;
        if (bad[k].topology) {
            c.radix = 8;
            c.nodes = 64;
            c.vcs = bad[k].vcs;
        }
        int status = fatfly_run(&c, NULL, &first, why, sizeof why);
        if (status == FATFLY_OK || !strstr(why, bad[k].why))
            fail_msg("case %u: status %d, %s", k, status, why);
    }
}

/* Queues of channels, in which replies stand among requests of higher numbers: none is forgotten. */
static void replies_per_channel(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 48; k++) {
        struct fatfly_config c;
        fatfly_defaults_of(&c, k & 1 ? "torus" : "hypercube", FATFLY_WORM);
        c.nodes = k & 1 ? 16 : 8;
        c.radix = 4;
        c.vcs = k & 1 ? 4 : 1 + k / 2 % 2;
        c.bandwidth = k & 8 ? FATFLY_ON_DEMAND : FATFLY_FIXED_SHARE;
        c.injection = FATFLY_PER_CHANNEL;
        c.reply[0] = 4;
        c.reply_delay = 1 + k % 5 * 7;
        c.delay_range = 5;
        c.rounds = 8;
        c.length = 2 + k % 7;
        c.seed = unit_seed + k;
        int status = fatfly_run(&c, NULL, &first, why, sizeof why);
        if (status != FATFLY_OK || first.end != FATFLY_DONE)
            fail_msg("case %u: status %d, %s", k, status, why);
        CHECK_EQ(first.by_class[0].worms, first.by_class[1].worms);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone),    cmocka_unit_test(fat_trees), cmocka_unit_test(meshes),
        cmocka_unit_test(shares),   cmocka_unit_test(sessions),  cmocka_unit_test(refused),
        cmocka_unit_test(replies_per_channel),
        cmocka_unit_test(patterns), cmocka_unit_test(one_pattern_of_all), cmocka_unit_test(refused_patterns), cmocka_unit_test(refused_tables),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
