/* SPDX-License-Identifier: Apache-2.0
 * waves.h - writes what the probe shows as FST or VCD, for GTKWave.
 *
 * One writer serves both sides and both formats, so hierarchy and names are the same and one save
 * file opens all of them.  The top scope is always fatfly; a file of both sides has one scope more:
 *   fatfly[.<side>].l<level>_<address>.{lfsr_q,start_q,..}
 *   fatfly[.<side>].l<level>_<address>.port<p>.{track,link_flit,link_worm,link_dst,link_src,..}
 *   fatfly[.<side>].l<level>_<address>.port<p>.vc<v>.{front_flit,count_q,hold_q,front_q_payload,..}
 *   fatfly[.<side>].exit<e>.{track,link_flit,link_worm,link_dst,link_src,link_valid,room,..}
 *   fatfly.{clk,cycle}, and with both sides fatfly.mismatch: 1 in the cycles in which they differ
 * Names are those of sim/probe.h, with `.` and `[k]` written `_` and k.  Made for the eye:
 *   track      text: "w12:3>9", worm 12 from 3 to 9, as long as flits of it cross the link
 *   link_flit  0 nothing, 4..7 body, tail, head, single, 8 more after every other head; front_flit: 0, 4..7
 *   link_dst, link_src  of a head, else 0
 * One cycle is 10 ns: cycle c lies from 10 c to 10 c + 10, and clk rises at its end.
 */
#ifndef FATFLY_WAVES_H
#define FATFLY_WAVES_H

#include "fail.h"
#include "probe.h"

enum { WAVES_MAX_SIDES = 2 };

struct waves; /* an open wave file */

/* The format is the file's ending, .fst or .vcd.  It is written under file.part and gets its name
 * in waves_close(), so that a half-written file never looks whole.  Returns NULL with f filled if
 * the file cannot be written. */
struct waves *waves_open(const char *file, const struct probe *probe, unsigned sides,
                         const char *const side[], struct fail *f);

/* One side of one cycle.  state: the probe words; out: the links out of the device; worm[]: the
 * number of the worm on each link, 6 * switches links into switches and then one per exit, 0 where
 * nothing crosses (NULL if not known). */
void waves_cycle(struct waves *w, uint64_t cycle, unsigned side, const uint32_t *state,
                 const struct dut_out *out, const uint16_t *exit_room, const uint32_t *worm);

/* One side of a cycle before those that are shown: of worms that are under way then the track says src and dst, too. */
void waves_pass(struct waves *w, unsigned side, const uint32_t *state, const struct dut_out *out);

/* Marks this cycle as one in which the sides differ. */
void waves_mismatch(struct waves *w, uint64_t cycle);

/* 0, or -1 with f filled (a full disk); then nothing is left under the final name or as .part. */
int waves_close(struct waves *w, struct fail *f);

/* Closes without a file: what was to be shown did not come to its end. */
void waves_drop(struct waves *w);

/* What a save file shows. */
struct waves_view {
    const unsigned *switches; /* [count] */
    unsigned count;           /* 0: all */
    struct waves_spot {
        const struct probe_signal *signal; /* NULL: the link out of the device of that number */
        unsigned at;                       /* ... else of that switch */
    } differs[8];             /* above all else, in an open group */
    unsigned differ;          /* of those; 0: no such group */
    uint64_t marker;          /* cycle */
};

/* Writes a GTKWave save file next to a wave file: what differs, then the links and the holding registers of
 * the switches named, flit kinds decoded by translate filters, the marker at its cycle.
 * Returns 0, or -1 with f filled. */
int waves_save_file(const char *gtkw, const char *wave_file, const struct probe *probe,
                    unsigned sides, const char *const side[], const struct waves_view *view, struct fail *f);

/* A link of a network that is not the butterfly fat-tree (waves_moves.h). */
struct waves_link {
    uint32_t node, port, far; /* at the other end */
};

/* The same for waves of moves: links by node, each with what crosses it, once or as many times as there are lanes.
 * inward: the links that enter a node, in0 and so on, else those that leave it, port0 and so on.  vcs: virtual
 * channels with a queue, 0 of packets. */
int waves_save_links(const char *gtkw, const char *wave_file, const struct waves_link *link, uint32_t count, bool inward,
                     unsigned lanes, unsigned vcs, unsigned channels, struct fail *f);

#endif
