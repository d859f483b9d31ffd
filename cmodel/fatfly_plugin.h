/* SPDX-License-Identifier: Apache-2.0
 * fatfly_plugin.h - routing, arbitration order, destinations and arrivals of your own.
 *
 * A shared object has a variable `const struct fatfly_plugin fatfly_plugin`, and `fatfly run --plugin
 * FILE.so` takes it; a program sets config.plugin.  docs/plugin has an example of each callback.  A
 * callback that is NULL is not plugged in.  Callbacks must depend on nothing but what they are given:
 * runs on several threads call them at once, and the search for deadlocks calls route() for every
 * place before a run.
 */
#ifndef FATFLY_PLUGIN_H
#define FATFLY_PLUGIN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FATFLY_PLUGIN_VERSION 1u

enum { FATFLY_PLUG_CHOICES = 16 };
#define FATFLY_PLUG_NOWHERE UINT32_MAX

/* The network of a run. */
struct fatfly_plug_network {
    void *context;             /* fatfly_plugin.context */
    uint32_t nodes;            /* where heads choose; route() and before() alone, else 0 */
    uint32_t processors;
    unsigned ports;            /* of a node, by which links leave; as nodes */
    unsigned channels;         /* virtual channels of a link; as nodes */
    unsigned radix, dimensions;/* torus and mesh; else 0.  Node sum of digit[d] * radix^d; port 2d
                                  leads to digit[d] + 1, port 2d + 1 to digit[d] - 1 */
    double rate;               /* worms of a processor in a cycle that --load asks for; 0: static */
    const void *own;           /* the library's */
    /* Node to which a port leads, FATFLY_PLUG_NOWHERE if it has no link; node where worms for a
     * processor end.  For route() and before() alone, else NULL. */
    uint32_t (*far)(const struct fatfly_plug_network *n, uint32_t node, unsigned port);
    uint32_t (*end)(const struct fatfly_plug_network *n, uint32_t processor);
};

/* Where a head stands: in a node, come by a channel of the link that leaves `from` by `port`; from =
 * FATFLY_PLUG_NOWHERE: at its source. */
struct fatfly_plug_place {
    uint32_t node, from;
    unsigned port, channel;
};

/* A link that a head may take by any of the channels low .. high. */
struct fatfly_plug_choice {
    uint8_t port, low, high;
};

struct fatfly_plug_head {
    struct fatfly_plug_place at;
    uint64_t since;            /* cycle from which it has asked in this node */
    uint64_t ready;            /* of its worm */
    uint32_t worm, src, dst, length;
};

struct fatfly_plugin {
    unsigned version;          /* FATFLY_PLUGIN_VERSION */
    const char *name;          /* 1 to 32 letters, digits, -, _ and .: part of the digest */
    unsigned channels;         /* that route() needs, 1 .. 129; 0: any number */
    void *context;
    /* Links that a head for processor dst may take next: how many, 1 .. FATFLY_PLUG_CHOICES; a run
     * begins with any of them and takes the lowest free channel of the first that has one. */
    unsigned (*route)(const struct fatfly_plug_network *n, const struct fatfly_plug_place *at,
                      uint32_t dst, struct fatfly_plug_choice choice[FATFLY_PLUG_CHOICES]);
    /* Whether head a chooses before head b in their node: a strict order. */
    bool (*before)(const struct fatfly_plug_network *n, const struct fatfly_plug_head *a,
                   const struct fatfly_plug_head *b);
    /* Destination of worm `index` of processor src; src itself: it never enters, and after 65,536 such worms in
     * a row src sends no more.  `random` is drawn for this call from the seed; fatfly_plug_random() makes more of it. */
    uint32_t (*destination)(const struct fatfly_plug_network *n, uint32_t src, uint64_t index,
                            uint64_t random);
    /* Cycles from the ready cycle of the worm before (of the first: from cycle 0) to that of worm
     * `index`; 0 at most 65,536 times in a row; UINT64_MAX: src sends no more. */
    uint64_t (*gap)(const struct fatfly_plug_network *n, uint32_t src, uint64_t index, uint64_t random);
};

/* A further random number; SplitMix64. */
static inline uint64_t fatfly_plug_random(uint64_t *random)
{
    uint64_t x = *random += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

/* Of a shared object. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
extern const struct fatfly_plugin fatfly_plugin;

#ifdef __cplusplus
}
#endif

#endif
