/* SPDX-License-Identifier: Apache-2.0
 * wiring.c - the C model's wiring as text, for tb/wiring/wiring.py.
 *
 * Usage: wiring cube K TORUS: of a torus or mesh of K by K routers; wiring LEVELS [-]: of all switches, or of those whose numbers stand in the input.  Lines: `link S P LINK`, the link that leaves switch S by port P; `seed S
 * HEX`, the first random bits of switch S in a network with seed 0.
 */
#include "cube_network.h"
#include "fat_tree.h"
#include "network.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the switches in the input, in that order; a network of so many would take all memory. */
static void print_some(const uint32_t *to, uint32_t switches)
{
    uint32_t s;

    while (scanf("%" SCNu32, &s) == 1 && s < switches) {
        for (unsigned p = 0; p < 6; p++)
            if (to[6 * s + p] != UINT32_MAX)
                printf("link %" PRIu32 " %u %" PRIu32 "\n", s, p, to[6 * s + p]);
        printf("seed %" PRIu32 " %08" PRIx32 "\n", s, network_switch_seed(0, s));
    }
}

static int print_cube(unsigned radix, bool torus)
{
    const struct cube_params p = {.radix = radix, .torus = torus, .vcs = 2, .depth = 2, .flit_w = 64, .scan = SCAN_RR};
    struct cube_network *n = cube_network_new(&p, -1);

    if (!n)
        return 2;
    cube_network_reset(n, 0);
    for (uint32_t k = 0; k < CUBE_PORTS * n->routers; k++)
        printf("link %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", k / CUBE_PORTS, k % CUBE_PORTS, n->to[k]);
    for (uint32_t s = 0; s < n->routers; s++)
        printf("seed %" PRIu32 " %08" PRIx32 "\n", s, n->router[s].lfsr.lfsr_q);
    cube_network_free(n);
    return fflush(stdout) ? 2 : 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "cube") == 0)
        return print_cube((unsigned)atoi(argv[2]), atoi(argv[3]) != 0);
    unsigned levels = argc == 2 || argc == 3 ? (unsigned)atoi(argv[1]) : 0;

    if (levels < 1 || levels > MAX_LEVELS) {
        fprintf(stderr, "usage: wiring LEVELS; allowed: 1 to %d\n", MAX_LEVELS);
        return 2;
    }
    uint32_t switches = fat_tree_switches(levels);
    uint32_t *to = malloc(6 * switches * sizeof *to);
    if (!to)
        return 2;
    for (uint32_t k = 0; k < 6 * switches; k++)
        to[k] = UINT32_MAX; /* a root has no parents */
    fat_tree_wire(levels, to);
    if (argc == 3) {
        print_some(to, switches);
        free(to);
        return fflush(stdout) ? 2 : 0;
    }
    for (uint32_t k = 0; k < 6 * switches; k++)
        if (to[k] != UINT32_MAX)
            printf("link %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", k / 6, k % 6, to[k]);
    struct network *n = network_new(&(struct switch_params){.vcs = 1, .depth = 2, .flit_w = 64,
        .path = PATH_RP, .scan = SCAN_RR, .level = 1, .levels = levels});
    if (!n)
        return 2;
    network_reset(n, 0);
    for (uint32_t s = 0; s < switches; s++)
        printf("seed %" PRIu32 " %08" PRIx32 "\n", s, n->sw[s].lfsr.lfsr_q);
    network_free(n);
    free(to);
    return fflush(stdout) ? 2 : 0;
}
