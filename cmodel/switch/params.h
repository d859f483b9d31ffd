/* SPDX-License-Identifier: Apache-2.0
 * params.h - the parameters of a switch and of a network of them.  RTL twin: the parameters of
 * rtl/switch.v and rtl/network.v, by the same names and numbers.
 */
#ifndef FATFLY_PARAMS_H
#define FATFLY_PARAMS_H

#include <stddef.h>

/* Which parent a head that goes up wants (GO III.B.2; RG, RW: GG 3.1), and its name. */
#define PATH_SELECTS(PATH) PATH(FP, "fp") PATH(RP, "rp") PATH(GP, "gp") PATH(RG, "rg") PATH(RW, "rw")

/* Which of several inputs gets an output (GO III.B.2; FCFS: GG; ROT: common hardware), and its name. */
#define SCAN_ORDERS(SCAN) SCAN(RR, "rr") SCAN(FO, "fo") SCAN(FF, "ff") SCAN(ROT, "rot") SCAN(FCFS, "fcfs")

#define PATH_NUMBER(path, name) PATH_##path,
#define SCAN_NUMBER(scan, name) SCAN_##scan,
#define ROW_NAME(row, name) name,
enum path_select { PATH_SELECTS(PATH_NUMBER) PATH_COUNT };
enum scan_order { SCAN_ORDERS(SCAN_NUMBER) SCAN_COUNT };

extern const char *const path_names[PATH_COUNT]; /* "fp", "rp", .. */
extern const char *const scan_names[SCAN_COUNT]; /* "rr", "fo", .. */

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
