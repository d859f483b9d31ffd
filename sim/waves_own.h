/* SPDX-License-Identifier: Apache-2.0
 * waves_own.h - what waves_tell.c, which says what changed, and waves_write.c, which writes it, share.
 */
#ifndef WAVES_OWN_H
#define WAVES_OWN_H

#include "waves.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

enum { NS_PER_CYCLE = 10, TEXT_SIZE = 32, BATCH = 1024, EXIT_UNKNOWN = 255 };

/* Variables of a link that sim/probe.h does not have. */
enum { LINK_TRACK, LINK_FLIT, LINK_WORM, LINK_DST, LINK_SRC, LINK_EXTRAS };
/* ... and of a link out of the device, after them. */
enum { EXIT_VALID = LINK_EXTRAS, EXIT_KIND, EXIT_PAYLOAD, EXIT_ROOM, EXIT_VARS };

/* What a record is about when it is no variable. */
enum { RECORD_TIME = -1, RECORD_END = -2 };

union value {
    uint64_t bits;
    char text[TEXT_SIZE];
};

struct record {
    int32_t var;
    uint32_t unused;
    union value value;
};

struct var {
    char name[28];
    unsigned width; /* 0: text */
    bool known;     /* it has had a value */
    union value last;
};

/* A step of the declaration: into a scope, out of one (name empty), or a variable. */
struct step {
    bool is_var;
    unsigned var;
    char scope[20];
};

/* The last head on one channel of a link, so that the rest of its worm shows where it goes. */
struct head {
    uint32_t dst, src;
    unsigned turn; /* of the first channel: parity of the heads that have crossed the link */
};

struct link_signals {
    const struct probe_signal *valid, *kind, *payload, *front_kind[DUT_MAX_VCS], *count[DUT_MAX_VCS];
};

struct waves {
    const struct probe *probe;
    unsigned sides, endpoints, links;
    char *file, *part;
    bool fst;
    struct var *var;
    unsigned vars, var_room;
    struct step *step;
    unsigned steps, step_room;
    bool short_of_memory;
    unsigned clk, cycle_var, mismatch; /* variables */
    /* Variables of switch s of a side: first[side] + s * per_switch + what follows; exits after. */
    unsigned first[WAVES_MAX_SIDES], first_exit[WAVES_MAX_SIDES], per_switch;
    unsigned *of_signal; /* [probe->count] */
    unsigned of_link[SWITCH_PORTS], of_front[SWITCH_PORTS][DUT_MAX_VCS];
    struct link_signals signals[SWITCH_PORTS];
    struct head *head; /* [sides][links][DUT_MAX_VCS] */
    bool started;
    uint64_t cycle;
    pid_t child;
    int socket; /* -1: the child is gone */
    unsigned held;
    struct record batch[BATCH];
};

/* Begins a file: NULL with f filled.  Then everything is declared, and waves_start() begins to write: true, or false
 * with f filled and w freed. */
struct waves *waves_new(const char *file, struct fail *f);
bool waves_start(struct waves *w, const char *file, struct fail *f);

/* Into a scope: a name, and a number if it is not negative; waves_up() leads out again. */
void waves_into(struct waves *w, const char *name, int number);
void waves_up(struct waves *w);

/* A variable in that scope, its number; width 0: text. */
unsigned waves_declare(struct waves *w, const char *name, unsigned width);

/* A cycle begins, if it has not: clk and cycle.  A variable has a value from here on, at most one a cycle; a
 * text is filled up with zeros. */
void waves_begin(struct waves *w, uint64_t cycle);
void waves_put(struct waves *w, unsigned var, uint64_t bits);
void waves_put_text(struct waves *w, unsigned var, const char text[TEXT_SIZE]);

unsigned waves_channel_bits(const struct probe *p);
/* "mem_q[0].kind" as an identifier, "mem_q0_kind". */
void waves_identifier(char *to, const char *name);
void waves_switch_scope(const struct probe *p, unsigned s, char *name, size_t size);

/* Removes what is there of a file that is not whole. */
void waves_remove_part(const struct waves *w);

/* The child's life: what the parent declared, then all that comes through the socket `from`.  Its exit
 * status is 0, an errno or EXIT_UNKNOWN. */
void waves_write(const struct waves *w, int from) __attribute__((noreturn));

#endif
