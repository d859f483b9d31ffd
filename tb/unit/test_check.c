/* SPDX-License-Identifier: Apache-2.0
 * test_check.c - the ends of each range that fatfly.h gives, as fatfly_check() sees them, without the command, which refuses
 * numbers before; and what a butterfly fat-tree, or a discipline, does not have.
 */
#include "fatfly.h"

#include "unit.h" /* last: cmocka has a macro fail() */

#include <math.h>
#include <string.h>

static struct fatfly_config on(const char *topology, enum fatfly_discipline d)
{
    struct fatfly_config c;
    fatfly_defaults_of(&c, topology, d);
    c.seed = unit_seed;
    return c;
}

static void taken(int line, const char *field, double value, const struct fatfly_config *c)
{
    char why[400] = "";
    int status = fatfly_check(c, why, sizeof why);
    if (status != FATFLY_OK)
        print_error("line %d: %s = %g: status %d, \"%s\"\n", line, field, value, status, why);
    CHECK_AT(line, status, FATFLY_OK);
}

/* Refused, by a text that begins with the field. */
static void refused(int line, const char *field, double value, const struct fatfly_config *c)
{
    char why[400] = "";
    int status = fatfly_check(c, why, sizeof why);
    bool said = strncmp(why, field, strlen(field)) == 0 && strstr(why, "; allowed");
    if (status != FATFLY_BAD_CONFIG || !said)
        print_error("line %d: %s = %g: status %d, \"%s\"\n", line, field, value, status, why);
    assert_true(status == FATFLY_BAD_CONFIG && said);
}

/* Both ends are taken; what lies beyond them is not.  c is set up by the words that come last. */
#define SET(check, name, field, value, ...)                                                        \
    do {                                                                                           \
        struct fatfly_config c = on("torus", FATFLY_WORM);                                         \
        __VA_ARGS__;                                                                               \
        c.field = value;                                                                           \
        check(__LINE__, name, (double)(value), &c);                                                \
    } while (0)
#define ENDS(field, low, high, ...)                                                                \
    SET(taken, #field, field, low, __VA_ARGS__);                                                   \
    SET(taken, #field, field, high, __VA_ARGS__)
#define NUMBER(field, low, high, ...)                                                              \
    ENDS(field, low, high, __VA_ARGS__);                                                           \
    if ((low) > 0u)                                                                                \
        SET(refused, #field, field, (low)-1u, __VA_ARGS__);                                        \
    SET(refused, #field, field, (high) + 1u, __VA_ARGS__)
/* A real number; NaN is in no range. */
#define SHARE(field, low, high, ...)                                                               \
    ENDS(field, low, high, __VA_ARGS__);                                                           \
    SET(refused, #field, field, (low)-1e-6, __VA_ARGS__);                                          \
    SET(refused, #field, field, (high) * 1.000001, __VA_ARGS__);                                   \
    SET(refused, #field, field, (double)NAN, __VA_ARGS__)
#define NAMED(field, count, type, ...)                                                             \
    ENDS(field, (enum type)0, (enum type)((count)-1), __VA_ARGS__);                                \
    SET(refused, #field, field, (enum type)(count), __VA_ARGS__);                                  \
    SET(refused, #field, field, (enum type)-1, __VA_ARGS__)

static void the_network(void **state)
{
    (void)state;
    NUMBER(depth, 1u, 16u, (void)c);
    SET(taken, "depth", depth, FATFLY_UNBOUNDED, (void)c);
    NUMBER(link_latency, 1u, 64u, (void)c);
    NUMBER(router_latency, 0u, 64u, (void)c);
    NUMBER(head_latency, 0u, 64u, (void)c);
    NUMBER(input_bandwidth, 0u, 64u, c.bandwidth = FATFLY_ON_DEMAND);
    NUMBER(link_bandwidth, 1u, 64u, c = on("torus", FATFLY_CMSV1));
    NUMBER(flit_bits, 16u, 64u, (void)c);
    NAMED(bandwidth, FATFLY_BANDWIDTHS, fatfly_bandwidth, (void)c);
    NAMED(injection, FATFLY_INJECTIONS, fatfly_injection, (void)c);
    NAMED(channel_release, FATFLY_RELEASES, fatfly_release, (void)c);
    for (unsigned k = 0; k <= 65; k++)
        if (k <= 64 && !(k & (k - 1)))
            SET(taken, "parts", parts, k, c = on(NULL, FATFLY_WORM); c.nodes = 4096);
        else
            SET(refused, "parts", parts, k, c = on(NULL, FATFLY_WORM); c.nodes = 4096);
}

static struct fatfly_config mixed(void)
{
    struct fatfly_config c = on("torus", FATFLY_WORM);
    c.lengths = FATFLY_MIX;
    c.length = c.length_min = 4;
    c.mix_count = FATFLY_MAX_MIX;
    for (unsigned k = 0; k < FATFLY_MAX_MIX; k++)
        c.mix[k] = (struct fatfly_size){4, 1};
    return c;
}

static struct fatfly_config shared(void)
{
    struct fatfly_config c = on("torus", FATFLY_WORM);
    c.classes = FATFLY_MAX_CLASSES;
    for (unsigned k = 0; k < FATFLY_MAX_CLASSES; k++)
        c.class_share[k] = 1;
    return c;
}

static struct fatfly_config answered(void)
{
    struct fatfly_config c = on("torus", FATFLY_WORM);
    for (unsigned k = 0; k < 3; k++)
        c.reply[k] = 4;
    return c;
}

static void the_worms(void **state)
{
    (void)state;
    NUMBER(length, 1u, 4096u, (void)c);
    NUMBER(length_min, 1u, 4096u, c.lengths = FATFLY_UNIFORM; c.length = 4096);
    SHARE(length_mean, 1, 4096, c.lengths = FATFLY_TRUNCATED; c.length_min = 1);
    SHARE(short_share, 0, 1, c.lengths = FATFLY_BIMODAL; c.length_min = 1);
    NUMBER(mix_count, 1u, 8u, c = mixed());
    for (unsigned k = 0; k < 8; k++) {
        SET(refused, "mix", mix[k].length, 3, c = mixed());
        SET(refused, "mix", mix[k].length, 5, c = mixed());
        SET(refused, "mix", mix[k].weight, 0, c = mixed());
        SET(refused, "mix", mix[k].weight, (double)NAN, c = mixed());
        SET(refused, "mix", mix[k].weight, 1.000001e12, c = mixed());
        SET(taken, "mix", mix[k].weight, 1e12, c = mixed());
    }
    SHARE(hotspot, 0, 1, c.pattern = FATFLY_HOTSPOT);
    SHARE(density, 0, 1, c.pattern = FATFLY_PACKING);
    NUMBER(classes, 1u, 4u, (void)c);
    NUMBER(classes, 1u, 2u, c = answered());
    for (unsigned k = 0; k < 4; k++) {
        char length[20], share[20];
        snprintf(length, sizeof length, "class_length[%u]", k);
        snprintf(share, sizeof share, "class_share[%u]", k);
        SET(taken, length, class_length[k], 4096, c.classes = 4);
        SET(refused, length, class_length[k], 4097, c.classes = 4);
        SET(taken, share, class_share[k], 1e12, c = shared());
        SET(refused, share, class_share[k], 1.000001e12, c = shared());
        SET(refused, share, class_share[k], -1, c = shared());
        SET(refused, "class_share", class_share[k], 0, c = shared());
    }
    for (unsigned k = 0; k < 2; k++) {
        SET(taken, "reply", reply[k], 1, c = answered(); c.classes = 2);
        SET(taken, "reply", reply[k], 4096, c = answered(); c.classes = 2);
        SET(refused, "reply", reply[k], 0, c = answered(); c.classes = 2);
        SET(refused, "reply", reply[k], 4097, c = answered(); c.classes = 2);
    }
    NUMBER(reply_delay, 0, 1u << 24, c.reply[0] = 4);
    NUMBER(outstanding, 0u, 65535u, c.reply[0] = 4);
    NAMED(class_channels, FATFLY_CLASS_CHANNELS, fatfly_class_channels, c.classes = 2; c.vcs = 0);
}

static void the_run(void **state)
{
    (void)state;
    NUMBER(rounds, 1u, 1000000u, (void)c);
    NUMBER(delay_range, 1u, 1000000u, (void)c);
    NUMBER(phases, 0, UINT64_C(1) << 32, c = on("torus", FATFLY_PHASED));
    NUMBER(phase_length, 0, UINT64_C(1) << 24, c = on("torus", FATFLY_PHASED));
    SHARE(overhead, 0, 100, c = on(NULL, FATFLY_SPLIT));
    SHARE(load, 0, 1, (void)c);
#define BURSTS c.load = 0.001; c.arrivals = FATFLY_ON_OFF; c.burst_on = 100; c.burst_off = 100
    SHARE(burst_on, 1, 1e9, BURSTS);
    SHARE(burst_off, 1, 1e9, BURSTS; c.burst_on = 1e9);
}

/* What belongs to other networks, on the butterfly fat-tree and without any topology; and what belongs to worms, with packets. */
static void elsewhere(void **state)
{
    static const char *const tree[] = {"fat-tree", NULL};
    (void)state;
    for (unsigned k = 0; k < ROWS(tree); k++) {
#define ON_TREE(field, value) SET(refused, #field, field, value, c = on(tree[k], FATFLY_WORM))
        ON_TREE(injection, FATFLY_PER_CHANNEL);
        ON_TREE(channel_release, (enum fatfly_release)1);
        ON_TREE(link_bandwidth, 2);
        ON_TREE(link_latency, 2);
        ON_TREE(router_latency, 1);
        ON_TREE(head_latency, 1);
        ON_TREE(channels_in_turn, true);
        ON_TREE(processor_links, true);
    }
    for (unsigned d = 0; d < FATFLY_DISCIPLINES; d++) {
        struct fatfly_config usual = on("torus", (enum fatfly_discipline)d);
        char why[400];
        if (d == FATFLY_WORM || d == FATFLY_PHASED || fatfly_check(&usual, why, sizeof why) != FATFLY_OK)
            continue; /* not on a torus */
#define WITH_PACKETS(field, value) SET(refused, #field, field, value, c = on("torus", (enum fatfly_discipline)d))
        WITH_PACKETS(link_latency, 2);
        WITH_PACKETS(router_latency, 1);
        WITH_PACKETS(head_latency, 1);
        WITH_PACKETS(channels_in_turn, true);
        WITH_PACKETS(channel_release, (enum fatfly_release)1);
        SET(refused, "input_bandwidth", input_bandwidth, 1, c = on("torus", (enum fatfly_discipline)d); c.bandwidth = FATFLY_ON_DEMAND);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_network),
        cmocka_unit_test(the_worms),
        cmocka_unit_test(the_run),
        cmocka_unit_test(elsewhere),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
