/* SPDX-License-Identifier: Apache-2.0
 * test_ranks.c - a run that processes share against the same run in one: every figure of the result, digest
 * included, the worms over each link and the batches' histograms.  Processes are forked and talk over pairs of
 * sockets; tb/mpi does the same with MPI.  tb/engines runs this against planted bugs.
 */
#include "fatfly.h"
#include "rng.h"

#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

enum { MOST_LINKS = 6 * 496 + 1024 };

static struct seen {
    struct fatfly_result result;
    uint32_t links[MOST_LINKS];
    uint32_t histograms[FATFLY_BATCHES][FATFLY_BUCKETS];
} one, cut;
static char why[400];

static bool alone(const struct fatfly_config *c)
{
    const struct fatfly_hooks hooks = {.histograms = one.histograms, .link_worms = one.links};
    memset(&one, 0, sizeof one); /* padding, too, as the whole is compared */
    return fatfly_run(c, &hooks, &one.result, why, sizeof why) == FATFLY_OK;
}

static void show(const struct fatfly_config *c, const char *what, uint64_t a, uint64_t b)
{
    printf("N = %u processes = %u q = %u %s %s L = %u %s load = %g max-cycles = %llu seed = %llu: %s: one %llu, shared "
           "%llu\n", c->nodes, c->parts, c->depth, fatfly_path_names[c->path], fatfly_scan_names[c->scan], c->length,
           fatfly_pattern_names[c->pattern], c->load, (unsigned long long)c->max_cycles, (unsigned long long)c->seed,
           what, (unsigned long long)a, (unsigned long long)b);
}

static void random_configuration(struct fatfly_config *c, struct rng *r)
{
    fatfly_defaults(c);
    c->depth = 1 + rng_below(r, 4);
    c->path = (enum fatfly_path)rng_below(r, FATFLY_TREE_PATHS);
    c->scan = (enum fatfly_scan)rng_below(r, FATFLY_SCANS);
    c->length = 1 + rng_below(r, 40);
    c->pattern = (enum fatfly_pattern)rng_below(r, FATFLY_HOTSPOT);
    c->self_traffic = c->pattern == FATFLY_RANDOM;
    c->seed = rng_next(r);
    if (rng_below(r, 2)) {
        c->load = (1 + rng_below(r, 50)) * 0.01;
        c->cycles = 200;
        c->detect_warmup = rng_below(r, 2);
        c->warmup = rng_below(r, 100);
    } else {
        c->rounds = 1 + rng_below(r, 3);
        c->delay_range = 1 + rng_below(r, 3);
    }
}

enum { PROCESSES = 8, SECONDS = 100 };

/* Those of a run, every two of them with a pair of sockets. */
struct mesh {
    unsigned rank, count;
    int to[PROCESSES][PROCESSES]; /* [own][other] */
};

static bool put(int to, const void *what, size_t size)
{
    for (ssize_t n = 0; size; what = (const char *)what + n, size -= (size_t)n)
        if ((n = write(to, what, size)) <= 0)
            return false;
    return true;
}

static bool get(int from, void *what, size_t size)
{
    for (ssize_t n = 0; size; what = (char *)what + n, size -= (size_t)n)
        if ((n = read(from, what, size)) <= 0)
            return false;
    return true;
}

/* Both of a pair do this at the same time. */
static bool swap(const struct mesh *m, unsigned other, const struct fatfly_letter *l)
{
    int with = m->to[m->rank][other];
    size_t comes = 0;

    if (m->rank < other && !(put(with, &l->size, sizeof l->size) && put(with, l->out, l->size)))
        return false;
    if (!get(with, &comes, sizeof comes) || comes > l->room || !get(with, l->in, comes))
        return false;
    return m->rank < other || (put(with, &l->size, sizeof l->size) && put(with, l->out, l->size));
}

static bool exchange(void *context, const struct fatfly_letter *letter)
{
    const struct mesh *m = context;
    for (unsigned step = 1; step < m->count; step++)
        if (!swap(m, m->rank ^ step, &letter[m->rank ^ step]))
            return false;
    return true;
}

static bool gather(void *context, const void *mine, void *all, size_t size)
{
    const struct mesh *m = context;
    memmove((char *)all + m->rank * size, mine, size);
    for (unsigned step = 1; step < m->count; step++) {
        unsigned other = m->rank ^ step;
        const struct fatfly_letter l = {(char *)all + m->rank * size, size, (char *)all + other * size, size};
        if (!swap(m, other, &l))
            return false;
    }
    return true;
}

/* In a process: of the sockets it keeps its own alone, so that the end of another is seen at once. */
static void keep_own(const struct mesh *m)
{
    for (unsigned a = 0; a < m->count; a++)
        for (unsigned b = 0; b < m->count; b++)
            if (a != b && a != m->rank)
                close(m->to[a][b]);
}

/* What a process counts for its caller. */
enum { LINKS = 1, HISTOGRAMS = 2 };

/* Of a process: whether its result is that of `one`; without LINKS it counts no links but its own. */
static bool process_is_equal(const struct fatfly_config *c, struct mesh *m, unsigned counts)
{
    const struct fatfly_ranks ranks = {m, m->rank, exchange, gather};
    const struct fatfly_hooks hooks = {.ranks = &ranks, .histograms = counts & HISTOGRAMS ? cut.histograms : NULL,
                                       .link_worms = counts & LINKS ? cut.links : NULL};

    memset(&cut, 0, sizeof cut);
    int status = fatfly_run(c, &hooks, &cut.result, why, sizeof why);
    if (status)
        show(c, why, 0, (uint64_t)status);
    return !status && memcmp(&one.result, &cut.result, sizeof one.result) == 0 &&
           (!(counts & HISTOGRAMS) || memcmp(one.histograms, cut.histograms, sizeof one.histograms) == 0) &&
           (!(counts & LINKS) || memcmp(one.links, cut.links, sizeof one.links) == 0);
}

/* Calls of gather() so far, and the first that fails. */
static unsigned calls, fails_at;

static bool failing_gather(void *context, const void *mine, void *all, size_t size)
{
    return calls++ < fails_at && gather(context, mine, all, size);
}

/* Of a process: whichever gathering fails, the run does; with none it has the result of `one`. */
static bool process_says_so(const struct fatfly_config *c, struct mesh *m)
{
    const struct fatfly_ranks ranks = {m, m->rank, exchange, failing_gather};
    const struct fatfly_hooks hooks = {.ranks = &ranks, .link_worms = cut.links};
    int status = FATFLY_BROKEN;

    for (fails_at = 0; status && fails_at < 1000; fails_at++) {
        memset(&cut, 0, sizeof cut);
        calls = 0;
        status = fatfly_run(c, &hooks, &cut.result, why, sizeof why);
        if (status && (status != FATFLY_BROKEN || !strstr(why, "cannot be reached"))) {
            show(c, why, fails_at, (uint64_t)status);
            return false;
        }
    }
    return !status && fails_at > 4 && memcmp(&one.result, &cut.result, sizeof one.result) == 0;
}

enum { FAILING = 4 };

static bool same_processes(struct fatfly_config *c, unsigned count, unsigned counts)
{
    struct mesh m = {.count = count};
    unsigned equal = 0;

    c->parts = 1;
    if (!alone(c))
        return false;
    c->parts = count;
    for (unsigned a = 0; a < count; a++)
        for (unsigned b = a + 1; b < count; b++) {
            int pair[2];
            assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
            m.to[a][b] = pair[0];
            m.to[b][a] = pair[1];
        }
    fflush(stdout);
    for (m.rank = 0; m.rank < count; m.rank++)
        if (fork() == 0) {
            alarm(SECONDS);
            keep_own(&m);
            bool is = counts & FAILING ? process_says_so(c, &m) : process_is_equal(c, &m, counts);
            if (!is && m.rank == 0)
                show(c, "digest of process 0", one.result.digest, cut.result.digest);
            fflush(stdout);
            _exit(!is);
        }
    for (unsigned a = 0; a < count; a++)
        for (unsigned b = 0; b < count; b++)
            if (a != b)
                close(m.to[a][b]);
    for (unsigned k = 0; k < count; k++) {
        int status;
        assert_true(wait(&status) > 0);
        equal += status == 0;
    }
    return equal == count;
}

static void processes_are_equal(void **state)
{
    struct rng r = {unit_seed + 1};
    (void)state;
    for (unsigned k = 0; k < 16; k++) {
        struct fatfly_config c;
        random_configuration(&c, &r);
        c.nodes = k % 3 ? 64 : 256;
        c.max_cycles = k % 4 == 3 ? 5 + k : 300; /* worms are under way at the end */
        assert_true(same_processes(&c, k % 3 == 1 ? 2 : k % 3 == 2 ? 4 : 8, k % 4));
    }
}

/* To the end, whatever the processes tell each other before it. */
static void all_that_is_counted_is_equal(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 12; k++) {
        struct fatfly_config c;
        fatfly_defaults(&c);
        c.nodes = k % 2 ? 64 : 256;
        c.seed = 7 + k;
        c.length = k % 3 ? 32 : 4;
        assert_true(same_processes(&c, k % 2 ? 2 : 2u << k / 2 % 3, k / 2 % 2 ? LINKS : LINKS | HISTOGRAMS));
    }
}

/* Whatever processors draw, they draw the same in whichever process they are. */
static void traffic_of_every_kind_is_equal(void **state)
{
    static const enum fatfly_pattern patterns[] = {FATFLY_RANDOM, FATFLY_HOTSPOT, FATFLY_RANDOM_PERMUTATION};
    (void)state;
    for (unsigned k = 0; k < FATFLY_ARRIVALS * FATFLY_LENGTHS; k++) {
        struct fatfly_config c;
        fatfly_defaults(&c);
        c.nodes = 64;
        c.seed = 20 + k;
        c.load = 0.1;
        c.warmup = 100;
        c.detect_warmup = false;
        c.cycles = 900;
        c.arrivals = (enum fatfly_arrivals)(k % FATFLY_ARRIVALS);
        c.burst_on = 20 + k;
        c.burst_off = 30;
        c.lengths = (enum fatfly_lengths)(k / FATFLY_ARRIVALS);
        c.length = 12;
        c.length_min = 2;
        c.length_mean = 5;
        c.short_share = 0.4;
        c.mix_count = 3;
        for (unsigned j = 0; j < 3; j++)
            c.mix[j] = (struct fatfly_size){2 + 5 * j, 1 + j};
        c.pattern = patterns[k % 4 % 3];
        c.self_traffic = c.pattern == FATFLY_RANDOM && k % 2;
        c.hotspot = 0.1;
        c.classes = k % 4 == 3 ? 2 : 1;
        if (!same_processes(&c, 2u << k % 2, k % 4))
            fail_msg("%s %s %u: %s", fatfly_arrival_names[c.arrivals], fatfly_length_names[c.lengths], c.classes, why);
    }
}

static void a_gathering_that_fails_ends_the_run(void **state)
{
    (void)state;
    for (unsigned open = 0; open < 2; open++) {
        struct fatfly_config c;
        fatfly_defaults(&c);
        c.nodes = 64;
        c.length = 4;
        c.load = open ? 0.1 : 0;
        c.cycles = 300;
        assert_true(same_processes(&c, 2, FAILING));
    }
}

static bool no_gather(void *context, const void *mine, void *all, size_t size)
{
    (void)context;
    memcpy(all, mine, size);
    memset((char *)all + size, FATFLY_NO_MEMORY & 255, size); /* the other cannot begin */
    return true;
}

static void processes_that_do_not_fit_are_refused(void **state)
{
    struct fatfly_ranks ranks = {NULL, 0, exchange, no_gather};
    struct fatfly_hooks hooks = {.ranks = &ranks};
    struct fatfly_config c;
    (void)state;
    fatfly_defaults(&c);
    CHECK_EQ(fatfly_ranks_most(&c), 4);
    CHECK_EQ(fatfly_run(&c, &hooks, &one.result, why, sizeof why), FATFLY_BAD_CONFIG);
    assert_string_equal(why, "1 processes for a run; allowed: a power of two from 2 to 4");
    c.parts = 8;
    CHECK_EQ(fatfly_run(&c, &hooks, &one.result, why, sizeof why), FATFLY_BAD_CONFIG);
    c.parts = 2;
    ranks.rank = 2;
    CHECK_EQ(fatfly_run(&c, &hooks, &one.result, why, sizeof why), FATFLY_BAD_CONFIG);
    ranks.rank = 0;
    CHECK_EQ(fatfly_run(&c, &hooks, &one.result, why, sizeof why) != FATFLY_OK, true);
    assert_string_equal(why, "process 1 cannot begin");
    c.vcs = 2;
    CHECK_EQ(fatfly_ranks_most(&c), 1);
    CHECK_EQ(fatfly_run(&c, &hooks, &one.result, why, sizeof why), FATFLY_BAD_CONFIG);
    c.nodes = 1 << 20;
    c.vcs = 1;
    c.parts = 4;
    uint64_t each = fatfly_rank_memory(&c), all = fatfly_memory(&c);
    assert_true(each < all / 3 && each > all / 5);
}

int main(int argc, char **argv)
{
    unit_args(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gathering_that_fails_ends_the_run),
        cmocka_unit_test(processes_that_do_not_fit_are_refused),
        cmocka_unit_test(all_that_is_counted_is_equal),
        cmocka_unit_test(traffic_of_every_kind_is_equal), cmocka_unit_test(processes_are_equal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
