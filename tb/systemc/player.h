/* SPDX-License-Identifier: Apache-2.0
 * player.h - the worms of a case, cycle by cycle, for a device behind pins, and the check of what arrives.
 */
#ifndef FATFLY_PLAYER_H
#define FATFLY_PLAYER_H

#include "dut.h"

#ifdef __cplusplus
extern "C" {
#endif

struct player;

/* shape: a name as of dut_shape_parse().  what: "directed" (one switch), "random" for `cycles` cycles, or the
 * name of a case of the regression.  file: written, for directed worms.  NULL and one line in why[size]. */
struct player *player_open(const char *shape, const char *what, unsigned cycles, const char *file, char *why,
                           size_t size);
void player_close(struct player *p);
const struct dut_shape *player_shape(const struct player *p);

/* Whether the device is reset before this cycle, once; *seed is that of the reset. */
bool player_resets(struct player *p, uint32_t *seed);

/* in[endpoints] and exit[endpoints] of this cycle, given the device's room. */
void player_drive(struct player *p, const uint16_t *room, struct link *in, uint16_t *exit);

/* What left in this cycle: NULL, or what is wrong in why[size].  The next cycle begins. */
const char *player_consume(struct player *p, const struct link *out, char *why, size_t size);

/* All has arrived, and some cycles have passed since. */
bool player_done(const struct player *p);

uint64_t player_cycles(const struct player *p);
uint64_t player_flits(const struct player *p);  /* delivered */
uint64_t player_digest(const struct player *p); /* as `fatfly cosim` prints it for the case */

#ifdef __cplusplus
}
#endif

#endif
