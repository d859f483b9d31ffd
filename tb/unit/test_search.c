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

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds), cmocka_unit_test(undecided),
                                       cmocka_unit_test(limits)};
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
