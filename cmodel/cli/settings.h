/* SPDX-License-Identifier: Apache-2.0
 * settings.h - what a user can set for an experiment: one table of names that serves the command
 * line (--name value), configuration and sweep files (name = value;), columns, help, man page and
 * shell completion.
 *
 * Names on the command line have hyphens, in files underscores; either is taken in both.
 */
#ifndef FATFLY_SETTINGS_H
#define FATFLY_SETTINGS_H

#include "fail.h"
#include "fatfly.h"

#include <stdio.h>

/* Where a setting is taken. */
enum place { IN_RUN = 1, IN_SWEEP = 2, IN_CASE = 4, IN_SATURATION = 8, IN_VIEW = 16 };

enum format { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON, FORMATS };

struct settings {
    struct fatfly_config config;
    enum place place;         /* whose settings they are */
    double precision;         /* of an open loop's mean latency, or of a saturation load; 0: not given */
    uint64_t runs;            /* independent runs of the point; 1 .. 100000 */
    uint64_t threads;         /* 0: one a core */
    enum format format;
    bool rtl;                 /* --engine rtl: the Verilated Verilog from build/rtl */
    bool fail_saturated;      /* a saturated point ends with EXIT_SATURATED */
    bool detect_warmup;       /* warmup = auto */
    char topology[256];       /* a name, or graph:FILE */
    char permutation[256];    /* file: N destinations, one a line */
    char plugin[256];         /* shared object (fatfly_plugin.h); empty: none */
    uint64_t plugin_seconds;  /* that a callback may take */
    char matrix[256];         /* file: N lines of N weights */
    char length_mix[256];     /* "1:0.8,9:0.2" */
    char class_pattern[96];   /* "random,tornado" */
    char class_length[64], class_share[64], class_priority[64], reply[64]; /* "1,5": one for each class */
    char trace[256];          /* file of messages (sim/trace.h) */
    double cycles_per_us;     /* trace: cycles of a microsecond recorded */
    uint64_t max_bytes;       /* trace: longer messages are cut to this; 0: none */
    uint64_t max_messages;    /* trace: read only the first; 0: all */
    char config_file[256];
    char output[256];         /* file for the table; empty: standard output */
    char histogram[256];      /* file for latency,count; empty: none */
    char links[256];          /* file for the worms over each link; empty: none */
    char events[256];         /* file for every move of the first run (event_log.h); empty: none */
    char perfetto[256];       /* trace of the first run (timeline.h); empty: none */
    char waves[256];          /* FST or VCD; empty: none */
    uint64_t waves_from, waves_to; /* first and last cycle in it; to 0: the last that there is */
    uint64_t watch;           /* number of a worm whose life is printed; 0: none */
    char build[256];          /* where Verilated libraries are; "build" */
    unsigned level, levels;   /* case: of the one switch; 0: a network */
    unsigned stall;           /* case: percent of the cycles in which an exit has no room */
    uint64_t reset_every;     /* case: cycles between resets in mid-traffic, on average; 0: none */
    unsigned verilog;         /* case: of verilog_names */
    uint64_t given[2];        /* a bit for each row of settings_table that the user set */
    char source[256];         /* file whose lines are in line[] */
    uint32_t line[128];       /* of the file that set a row; 0: the command line, or nobody */
    /* what settings_finish() read, freed by settings_free() */
    uint32_t *permutation_map;
    double *weights;          /* of the matrix */
    char *graph;              /* text of the graph's file */
    struct fatfly_message *messages;
};

enum setting_kind { SET_WHOLE, SET_REAL, SET_NAME, SET_TRUTH, SET_TEXT };

struct setting {
    const char *name;         /* "delay-range" */
    const char *value;        /* what help shows: "R", "FILE"; "" for a truth; NULL: its names */
    enum setting_kind kind;
    unsigned places;          /* of enum place; IN_SWEEP: it decides the result of a point, and is
                                 part of its key */
    const char *group;        /* heading in the help */
    const char *help;         /* one line, with range and default */
    /* for rows.c alone: where the value lies, what it may be, the word that stands for zero */
    size_t offset;
    unsigned size;
    double low, high;
    const char *word;
    const char *const *names;
    unsigned count;
    double case_low, case_high; /* in a case, if they differ */
    const char *words;          /* what completion offers, where value does not say */
    uint32_t case_names, view_names; /* in a case, in a page: a bit for each of names; 0: all */
};
extern const struct setting settings_table[];
extern const unsigned settings_count;

void settings_default(struct settings *s);

/* Row of a name, hyphens or underscores; -1: there is none. */
int settings_find(const char *name);

/* Where in a value of row k the name of a file to read begins (graph:FILE); -1: it names none. */
int settings_file(unsigned k, const char *value);

/* Sets one as the command line does.  0, or -1 with f filled: "--depth 17; allowed: 1 to 16", or
 * the nearest name; EXIT_USAGE.  A truth takes yes, no, true, false, or "" for yes. */
int settings_set(struct settings *s, const char *name, const char *value, struct fail *f);

/* The same from a line of a file: "file:line: depth = 17; allowed: 1 to 16"; EXIT_INPUT.  What
 * settings_finish() refuses later names that line, too.  file must be the same for all calls. */
int settings_set_at(struct settings *s, const char *file, size_t line, const char *name,
                    const char *value, struct fail *f);

/* Present value of row k as text that settings_set() takes. */
void settings_get(const struct settings *s, unsigned k, char *text, size_t size);

/* The same as a cell of a table: 1 or 0 for a truth, a number in place of a word that stands for zero, / between the
 * entries of a list. */
void settings_cell(const struct settings *s, unsigned k, char *text, size_t size);

/* A libconfig file of name = value; lines: EXIT_INPUT with file:line. */
int settings_load(struct settings *s, const char *file, struct fail *f);

/* The same from memory, for tests and fuzzing; name stands for the file in messages.  File names in
 * it stay as they are (settings_load() takes permutation and trace from the file's folder). */
int settings_parse_text(struct settings *s, const char *name, const char *text, struct fail *f);

/* The whole command line of a place, over the defaults; --config first, then the rest over it. */
int settings_parse(struct settings *s, enum place place, int argc, char *const argv[], struct fail *f);

/* The part of settings_finish() that reads no file of the user but a graph's. */
int settings_agree(struct settings *s, struct fail *f);

/* Contradictions (load with a pattern that has none, ...), values that depend on others (runs = 30,
 * in an open loop 1), trace and permutation files, fatfly_check(), memory beyond the machine's
 * (said in GB before anything is allocated).  May be called again after more settings_set(). */
int settings_finish(struct settings *s, struct fail *f);
/* The last of these alone, for who changes loads or cycles. */
int settings_fits(const struct settings *s, struct fail *f);
void settings_free(struct settings *s);

/* Whether the model of the Verilog can run it under a probe: for waves, and a life with names of ports. */
bool settings_watched(const struct settings *s); /* every flit is followed, which the fast engines and parts of a run do not show */
bool settings_probed(const struct settings *s);

/* Bytes that this process can have at most: the machine's, or its limits if they are lower. */
double settings_memory(void);

/* Reads the messages of s->trace; settings_finish() does it, too. */
int settings_trace(struct settings *s, struct fail *f);

/* The options of fatfly run, of fatfly saturation and of fatfly view, by group, for args_help(). */
void settings_help(FILE *out, bool list);
void settings_help_saturation(FILE *out, bool list);
void settings_help_view(FILE *out, bool list);

/* Where row k is taken: "fatfly run, sweep files". */
const char *settings_where(unsigned k, char *text, size_t size);

extern const char *const format_names[FORMATS];
enum { VERILOG_FAST, VERILOG_REFERENCE, VERILOG_BARE, VERILOG_BARE_REFERENCE, VERILOGS };
extern const char *const verilog_names[VERILOGS];

#endif
