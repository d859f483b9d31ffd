/* SPDX-License-Identifier: Apache-2.0
 * params.h - the parameters of a switch and of a network of them.  RTL twin: the parameters of
 * rtl/switch.v and rtl/network.v, by the same names and numbers.
 */
#ifndef FATFLY_PARAMS_H
#define FATFLY_PARAMS_H

#include <stddef.h>

/* Which parent a head that goes up wants (GO III.B.2; RG, RW: GG 3.1). */
enum path_select { PATH_FP, PATH_RP, PATH_GP, PATH_RG, PATH_RW, PATH_COUNT };

/* Which of several inputs gets an output (GO III.B.2; FCFS: GG; ROT: common hardware). */
enum scan_order { SCAN_RR, SCAN_FO, SCAN_FF, SCAN_ROT, SCAN_FCFS, SCAN_COUNT };

extern const char *const path_names[PATH_COUNT]; /* "fp", "rp", "gp", "rg", "rw" */
extern const char *const scan_names[SCAN_COUNT]; /* "rr", "fo", "ff", "rot", "fcfs" */

struct switch_params {
    unsigned vcs;    /* V, virtual channels a link: 1, 2 or 4 */
    unsigned depth;  /* q, flits a queue holds: 1 .. 16 */
    unsigned flit_w; /* payload bits of a flit: 16 .. 64 */
    enum path_select path;
    enum scan_order scan;
    unsigned level;  /* of the switch, 1 (leaves) .. levels (root); a network ignores it */
    unsigned levels; /* of the network, 1 .. 10; N = 4^levels processors */
};

/* Bits that a head needs: 4n + ceil(log2(n + 1)), and n - 1 more for FP. */
unsigned head_bits(unsigned levels, enum path_select path);

/* NULL if p describes a switch, else what is wrong and what is allowed, written to why[size]. */
const char *switch_params_check(const struct switch_params *p, char *why, size_t size);

#endif
