/* SPDX-License-Identifier: Apache-2.0
 * test_shared.c - processes that share a run: whatever differs between two of them, settings or what was read of a file, is
 * refused before the run.
 */
#include "shared.h"

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct fail f;

/* What process 0 said; process 1 hears that and its own. */
static unsigned char first[4096];
static bool listening;

static bool gather(void *context, const void *mine, void *all, size_t size)
{
    (void)context;
    assert_true(size <= sizeof first);
    if (!listening)
        memcpy(first, mine, size);
    memmove((unsigned char *)all + size, mine, size);
    memcpy(all, first, size);
    return true;
}

static const struct fatfly_ranks ranks = {.rank = 1, .gather = gather};

static void parsed(struct settings *s, const char *line)
{
    char *argv[UNIT_WORDS];
    int argc = words_of(line, argv);

    if (settings_parse(s, IN_RUN, argc, argv, &f) || settings_finish(s, &f))
        fail_msg("%s: %s", line, f.text);
}

/* Whether process 0 with a and process 1 with b begin. */
static bool agree(const struct settings *a, const struct settings *b)
{
    f = (struct fail){.code = EXIT_OK};
    listening = false;
    assert_int_equal(shared_agree(a, 0, &f), 0);
    listening = true;
    if (!shared_agree(b, 0, &f))
        return true;
    assert_int_equal(f.code, EXIT_USAGE);
    assert_non_null(strstr(f.text, "process 1 has other settings, files or another version than process 0"));
    return false;
}

static void options(void **state)
{
    static const char *const lines[] = {
        "", "--nodes 256", "--seed 2", "--seed 18446744073709551615", "--load 0.1", "--load 0.1 --warmup 7", "--load 0.1 --cycles 7000",
        "--length 33", "--runs 2", "--path fp", "--scan ff", "--depth 3", "--rounds 2", "--delay-range 2", "--discipline phased",
        "--pattern complement", "--max-cycles 4294967296", "--max-cycles 8589934592", "--format csv", "--lengths uniform"};
    struct settings s[ROWS(lines)];

    (void)state;
    for (unsigned k = 0; k < ROWS(lines); k++)
        parsed(&s[k], lines[k]);
    for (unsigned a = 0; a < ROWS(lines); a++)
        for (unsigned b = 0; b < ROWS(lines); b++)
            CHECK_AT(a * 100 + b, agree(&s[a], &s[b]), a == b);
    for (unsigned k = 0; k < ROWS(lines); k++)
        settings_free(&s[k]);
}

/* Of each thing that a file gives, each word of it, its first and its last bit. */
static void files(void **state)
{
    enum { N = 16, MESSAGES = 9 };
    struct settings one, other;
    uint32_t permutation[2][N];
    double matrix[2][N * N];
    struct fatfly_message messages[2][MESSAGES];

    (void)state;
    parsed(&one, "--nodes 16");
    for (unsigned k = 0; k < N; k++)
        permutation[0][k] = permutation[1][k] = N - 1 - k;
    for (unsigned k = 0; k < N * N; k++)
        matrix[0][k] = matrix[1][k] = 1 + k;
    for (unsigned k = 0; k < MESSAGES; k++)
        messages[0][k] = messages[1][k] = (struct fatfly_message){.ready = 10 * k, .src = k, .dst = k + 1, .length = 5};
    one.config.permutation = permutation[0];
    one.config.matrix = matrix[0];
    one.config.messages = messages[0];
    one.config.message_count = MESSAGES;
    other = one;
    other.config.permutation = permutation[1];
    other.config.matrix = matrix[1];
    other.config.messages = messages[1];
    assert_true(agree(&one, &other));
    for (unsigned k = 0; k < N; k++)
        for (unsigned bit = 0; bit < 32; bit += 31) {
            permutation[1][k] ^= UINT32_C(1) << bit;
            CHECK_AT(k, agree(&one, &other), false);
            permutation[1][k] ^= UINT32_C(1) << bit;
        }
    for (unsigned k = 0; k < N * N; k++) {
        matrix[1][k] *= 1.0000000001;
        CHECK_AT(k, agree(&one, &other), false);
        matrix[1][k] = matrix[0][k];
    }
    for (unsigned k = 0; k < 4 * MESSAGES; k++)
        for (unsigned bit = 0; bit < 32; bit += 31) {
            struct fatfly_message *m = &messages[1][k / 4];
            m->ready ^= k % 4 == 0 ? UINT64_C(1) << (bit ? 63 : 0) : 0;
            m->src ^= k % 4 == 1 ? UINT32_C(1) << bit : 0;
            m->dst ^= k % 4 == 2 ? UINT32_C(1) << bit : 0;
            m->length ^= k % 4 == 3 ? UINT32_C(1) << bit : 0;
            CHECK_AT(k, agree(&one, &other), false);
            *m = messages[0][k / 4];
        }
    other.config.message_count--;
    assert_false(agree(&one, &other));
    other.config.message_count++;
    assert_true(agree(&one, &other));
    settings_free(&one);
}

/* One that cannot begin: the others do not, and say what the first of them said. */
static void one_cannot(void **state)
{
    struct settings s;

    (void)state;
    parsed(&s, "");
    listening = false;
    (fail)(&f, EXIT_SYSTEM, "no memory");
    assert_int_not_equal(shared_agree(&s, -1, &f), 0);
    listening = true;
    f = (struct fail){.code = EXIT_OK};
    assert_int_not_equal(shared_agree(&s, 0, &f), 0);
    assert_string_equal(f.text, "no memory");
    CHECK_EQ(f.code, EXIT_SYSTEM);
    settings_free(&s);
}

static int both(void **state)
{
    (void)state;
    shared = (struct shared){.ranks = &ranks, .count = 2, .here = 2};
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(options), cmocka_unit_test(files), cmocka_unit_test(one_cannot)};
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, both, NULL);
}
