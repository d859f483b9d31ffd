/* SPDX-License-Identifier: Apache-2.0
 * test_search.c - the search for a saturation load, on networks made up for it: what it says lies about
 * their saturation load, and it always ends.
 */
#include "search.h"

#include "unit.h"

#include <math.h>
#include <string.h>

/* A network that saturates at `at`: a load is judged that is further from it, in shares, than `blur` over
 * the square root of the cycles; saturated it accepts `accepts`, about what it could. */
struct net {
    double at, blur, accepts;
};

static struct probe judge(const struct net *n, double load, uint64_t cycles)
{
    double off = load / n->at - 1, blur = n->blur / sqrt((double)cycles);
    struct probe p = {.load = load, .cycles = cycles, .accepted = load < n->at ? load : n->accepts,
                      .verdict = off > blur ? FATFLY_UNSTABLE : off < -blur ? FATFLY_STABLE : FATFLY_UNDECIDED};
    double share = n->blur / (off < 0 ? -off : off);
    p.needed = share * share < 1e12 ? (uint64_t)(share * share) : UINT64_C(1) << 40;
    return p;
}

/* To its end; the cycles of all probes. */
static uint64_t search(const struct net *n, struct search *s)
{
    uint64_t cycles, all = 0;
    double load;

    while (search_next(s, &load, &cycles)) {
        if (s->probes) {
            assert_true(load > search_low(s) && (load < search_high(s) || !s->saturated));
        }
        assert_true(load <= s->most && cycles >= s->cycles && cycles <= s->limit);
        assert_true(s->probes < MOST_PROBES);
        struct probe p = judge(n, load, cycles);
        search_take(s, &p);
        all += cycles;
    }
    return all;
}

static void finds(void **state)
{
    static const double precision[] = {0.2, 0.02, 0.005};
    (void)state;
    for (unsigned k = 0; k < 600; k++) {
        double at = 0.001 + draw(1 << 20) / 0x1p20 * 0.9, share = precision[k % 3];
        struct net n = {at, 1 + draw(10), at * (0.6 + draw(1 << 20) / 0x1p20)};
        struct search s;
        search_start(&s, share, 1, 10000, UINT64_C(1) << 40);
        uint64_t all = search(&n, &s);
        CHECK_AT(k, s.end, SEARCH_FOUND);
        assert_true(search_low(&s) < at && at < search_high(&s));
        assert_true(search_high(&s) - search_low(&s) <= share * (search_high(&s) + search_low(&s)) / 2);
        assert_true(s.probes < 60);
        /* A quarter of the precision is resolved in 16 blur^2 / precision^2 cycles, each try up to 4 times. */
        double one = 16 * n.blur * n.blur / (share * share);
        assert_true((double)all < 40 * (one > 10000 ? one : 10000));
    }
}

/* Where more cycles are needed than are allowed: what is known, and how many would do. */
static void undecided(void **state)
{
    struct net n = {0.3, 10, 0.3};
    struct search s;
    (void)state;
    search_start(&s, 0.001, 1, 1000, 8000);
    search(&n, &s);
    CHECK_EQ(s.end, SEARCH_UNDECIDED);
    assert_true(search_low(&s) < 0.3 && search_high(&s) > 0.3 && search_low(&s) > 0.2 && search_high(&s) < 0.4);
    assert_true(search_needed(&s) > 8000);
    n.blur = 1e9; /* nothing is ever judged */
    search_start(&s, 0.01, 1, 1000, 4000);
    search(&n, &s);
    CHECK_EQ(s.end, SEARCH_UNDECIDED);
    assert_true(!s.stable && !s.saturated && search_low(&s) <= 0 && search_high(&s) >= 1);
    n = (struct net){1e-7, 0, 0}; /* below every load that can be offered */
    search_start(&s, 0.01, 1, 1000, 4000);
    search(&n, &s);
    CHECK_EQ(s.end, SEARCH_UNDECIDED);
}

/* Networks that carry all that can be offered, or all but the last bit. */
static void limits(void **state)
{
    struct net n = {1.5, 0.1, 1};
    struct search s;
    (void)state;
    search_start(&s, 0.01, 1, 1000, 64000);
    search(&n, &s);
    CHECK_EQ(s.end, SEARCH_NEVER);
    CHECK_EQ(s.probes, 1);
    n = (struct net){0.5, 1, 0.5};
    search_start(&s, 0.01, 0.5, 1000, UINT64_C(1) << 40);
    search(&n, &s);
    CHECK_EQ(s.end, SEARCH_LIMIT);
    assert_true(!s.saturated && search_low(&s) < 0.5 && search_low(&s) > 0.494 && search_high(&s) >= 0.5);
}

/* A search after these probes: a letter each for unstable, stable and undecided, and what was offered and accepted. */
struct told {
    char verdict;
    double load, accepted;
    uint64_t cycles, needed;
};

static void after(struct search *s, double precision, const struct told *told, unsigned count)
{
    search_start(s, precision, 1, 1000, 1000000);
    for (unsigned k = 0; k < count; k++) {
        const struct told *t = &told[k];
        struct probe p = {.load = t->load, .accepted = t->accepted, .cycles = t->cycles ? t->cycles : 1000, .needed = t->needed,
                          .verdict = t->verdict == 'u' ? FATFLY_UNSTABLE : t->verdict == 's' ? FATFLY_STABLE : FATFLY_UNDECIDED};
        search_take(s, &p);
    }
}

/* What is tried next, to the last digit: beside what a saturated network accepted, half of the precision below and above; in
 * the middle where that is too near or was too high three times; a twentieth from what is undecided; longer, up to four times. */
static void next_trial(void **state)
{
    static const struct {
        double precision;
        struct told told[6];
        double load;
        uint64_t cycles;
    } row[] = {
        {0.1, {{'u', 1, 0.4, 0, 0}}, 0.4 * 0.95, 1000},
        {0.1, {{'u', 1, 0.4, 0, 0}, {'s', 0.38, 0.38, 0, 0}}, 0.4 * 1.05, 1000},
        {0.1, {{'u', 1, 0.4, 0, 0}, {'s', 0.396, 0.396, 0, 0}}, 0.698, 1000},       /* 0.42 is nearer than 0.025 */
        {0.1, {{'u', 1, 0.4, 0, 0}, {'s', 0.394, 0.394, 0, 0}}, 0.42, 1000},        /* ... just not */
        {0.1, {{'u', 1, 1.015, 0, 0}}, 0.96425, 1000},
        {0.1, {{'u', 1, 1.03, 0, 0}}, 0.5, 1000},
        {0.1, {{'u', 1, 0.4, 0, 0}, {'u', 0.38, 0.35, 0, 0}, {'u', 0.33, 0.3, 0, 0}}, 0.3 * 0.95, 1000},
        {0.1, {{'u', 1, 0.4, 0, 0}, {'u', 0.38, 0.35, 0, 0}, {'u', 0.33, 0.3, 0, 0}, {'u', 0.29, 0.25, 0, 0}}, 0.145, 1000},
        {0.01, {{'u', 0.00001, 0.0000011, 0, 0}}, 0.0000011 * 0.995, 1000},
        {0.01, {{'u', 0.00001, 0.0000009, 0, 0}}, 0.000005, 1000},                   /* below what can be offered */
        {0.01, {{'u', 0.0000021, 0, 0, 0}}, 0.00000105, 1000},
        {0.01, {{'u', 0.0000019, 0, 0, 0}}, 0, 0},                                   /* nothing is left */
        {0.1, {{'u', 0.526, 0.5, 0, 0}, {'s', 0.474, 0.474, 0, 0}}, 0.5, 1000},
        {0.1, {{'u', 0.524, 0.5, 0, 0}, {'s', 0.476, 0.476, 0, 0}}, 0, 0},           /* as narrow as was asked */
        {0.1, {{'u', 0.9, 0.5, 0, 0}, {'s', 0.2, 0.2, 0, 0}, {'?', 0.5, 0.5, 0, 9}}, 0.525, 1000},
        {0.1, {{'u', 0.9, 0.5, 0, 0}, {'s', 0.2, 0.2, 0, 0}, {'?', 0.6, 0.5, 0, 9}}, 0.57, 1000},
        {0.1, {{'u', 0.9, 0.5, 0, 0}, {'s', 0.2, 0.2, 0, 0}, {'?', 0.4, 0.4, 0, 9}, {'?', 0.68, 0.5, 0, 9}}, 0.79, 1000},
        {0.1, {{'u', 0.9, 0.5, 0, 0}, {'s', 0.2, 0.2, 0, 0}, {'?', 0.4, 0.4, 0, 9}, {'?', 0.7, 0.5, 0, 9999}}, 0.4, 2000},
        {0.1, {{'u', 0.55, 0.5, 0, 0}, {'s', 0.45, 0.45, 0, 0}, {'?', 0.5, 0.5, 0, 9}}, 0.525, 1000},
        {0.4, {{'u', 0.7, 0.5, 0, 0}, {'s', 0.4, 0.4, 0, 0}, {'?', 0.62, 0.5, 0, 0}}, 0.589, 1000},
        {0.4, {{'u', 0.64, 0.5, 0, 0}, {'s', 0.42, 0.4, 0, 0}, {'?', 0.48, 0.5, 0, 0}, {'?', 0.575, 0.5, 0, 3000}}, 0.48, 2000},
        {0.01, {{'u', 0.52, 0.5, 0, 0}, {'s', 0.48, 0.4, 0, 0}, {'?', 0.49, 0.5, 0, 3000}, {'?', 0.51, 0.5, 0, 2500}}, 0.51, 2500},
        {0.01, {{'u', 0.52, 0.5, 0, 0}, {'s', 0.48, 0.4, 0, 0}, {'?', 0.49, 0.5, 0, 5000}, {'?', 0.51, 0.5, 0, 5000}}, 0.49, 4000},
    };
    (void)state;
    for (unsigned k = 0; k < ROWS(row); k++) {
        unsigned count = 0;
        double load;
        uint64_t cycles;
        struct search s;
        while (count < 6 && row[k].told[count].verdict)
            count++;
        after(&s, row[k].precision, row[k].told, count);
        bool more = search_next(&s, &load, &cycles);
        CHECK_AT(k, more, row[k].cycles > 0);
        if (more && (fabs(load - row[k].load) > 1e-9 * row[k].load || cycles != row[k].cycles))
            fail_msg("row %u: %.9g for %llu cycles", k, load, (unsigned long long)cycles);
    }
}

/* Whatever is said of the loads, each tried where it can be, the search ends within the probes that there is room for. */
static void ends(void **state)
{
    static const double precision[] = {0, 1e-12, 0.001, 0.3};
    unsigned most = 0;
    (void)state;
    for (unsigned k = 0; k < 400; k++) {
        unsigned undecided_of_8 = draw(8);
        double at = (1 + draw(1 << 20)) / 0x1.1p20;
        struct search s;
        double load;
        uint64_t cycles;
        search_start(&s, precision[k % 4], 1, 1000, UINT64_C(1) << (10 + draw(30)));
        while (search_next(&s, &load, &cycles)) {
            assert_true(s.probes < MOST_PROBES && load <= search_high(&s) && load >= search_low(&s));
            bool least = load < 1 && (k % 8 < 4 ? load < at : draw(2));
            search_take(&s, &(struct probe){.load = load, .cycles = cycles, .needed = draw(2) ? draw(1 << 20) : 0, .accepted = load * draw(64) / 32,
                                            .verdict = draw(8) < undecided_of_8 ? FATFLY_UNDECIDED : least ? FATFLY_STABLE : FATFLY_UNSTABLE});
        }
        most = s.probes > most ? s.probes : most;
        assert_true(s.end != SEARCH_ON);
    }
    CHECK_EQ(most, MOST_PROBES); /* some are that long */
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds), cmocka_unit_test(undecided),
                                       cmocka_unit_test(limits), cmocka_unit_test(next_trial),
                                       cmocka_unit_test(ends)};
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
