/* SPDX-License-Identifier: Apache-2.0
 * example.c - one run of a butterfly fat-tree with libfatfly:
 *     cc example.c $(pkg-config --cflags --libs fatfly) -o example && ./example
 */
#include <fatfly.h>
#include <inttypes.h>
#include <stdio.h>

int main(void)
{
    struct fatfly_config c;
    static struct fatfly_result r; /* 112 kB: histograms are in it */
    char why[200];

    fatfly_defaults(&c); /* one worm of 32 flits from each of 64 processors */
    c.nodes = 256;
    c.pattern = FATFLY_COMPLEMENT;
    if (fatfly_run(&c, NULL, &r, why, sizeof why) != FATFLY_OK) {
        fprintf(stderr, "%s\n", why);
        return 1;
    }
    printf("%s, %s: %" PRIu64 " worms\n", fatfly_discipline_names[c.discipline],
           fatfly_pattern_names[c.pattern], r.worms);
    printf("last tail in cycle %" PRIu64 "; half of the worms took at most %" PRIu64 " cycles\n",
           r.last_arrival, fatfly_quantile(&r, 0.5));
    printf("congestion %" PRIu32 ", dilation %" PRIu32 ", load factor %g\n", r.congestion,
           r.dilation, r.load_factor);
    printf("digest %016" PRIx64 "\n", r.digest);
    return 0;
}
