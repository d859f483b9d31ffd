/* SPDX-License-Identifier: Apache-2.0
 * waves_moves.h - waves of a run on any network but the butterfly fat-tree: what an observer (fatfly.h) is told.
 *
 *   fatfly.{clk,cycle}
 *   fatfly.node<n>.port<p>.{to,link_valid}   the link that leaves node n by port p: number ports * n + p
 *   ... .{track,link_flit,link_worm,flit}    what crosses it; below vc<v> where each channel has a flit of its own on the
 *                                            link at once, below lane<k> where several packets cross at once
 *   ... .vc<v>.{holder,fill}                 of worms: a virtual channel and the queue at its far end
 *
 * to          the node that the link enters
 * link_valid  channels of which a flit crosses, one-hot
 * track, link_flit, link_worm  as in waves.h; a packet is a flit that is head and tail
 * flit        its place in the worm, 0: the head
 * holder      number of the worm that has the channel, 0: none
 * fill        flits in the queue: that have come, less those that crossed the next link before this cycle.  Those on the
 *             last link of their way are not counted, for the processor takes them.
 */
#ifndef FATFLY_WAVES_MOVES_H
#define FATFLY_WAVES_MOVES_H

#include "fail.h"
#include "fatfly.h"

enum { WAVES_MAX_SIGNALS = 1 << 17, WAVES_MAX_MOVES = 1 << 21, WAVES_MAX_CYCLES = 1 << 20, WAVES_MAX_CHANNELS = 64 };

/* Runs a configuration and writes the waves of its cycles first to last, and a save file beside them: 0, or -1 with f
 * filled.  Of an open loop warm-up and what comes after the measurement are cycles, too.  The run ends soon after `last`
 * (UINT64_MAX: it is not cut); one that deadlocks has waves until then.  The limits are of moves and cycles
 * before and in the window.  The discipline is worm, phased or store. */
int waves_moves_run(const struct fatfly_config *c, const char *file, uint64_t first, uint64_t last, struct fail *f);

#endif
